/** Characters: a shape that slides, steps up, rides on platforms and stands up. */
export { Character, type CharacterOptions, type CharacterSettings } from './character.ts';
export type { CharacterCollision } from './character-state.ts';
export type { CharacterWorld, Obstacle, ObstacleOptions } from './character-world.ts';
export { ColliderList } from './character-world.ts';
export type { CharacterShape } from './swept-shape.ts';
