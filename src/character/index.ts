/** Characters: a shape that slides, steps, rides and stands up. */
export { Character } from './character.ts';
export type { CharacterCollision } from './collision.ts';
export type { CharacterShape } from './form.ts';
export type { CharacterOptions, CharacterSettings } from './settings.ts';
export type { Surrounding, SurroundingOptions, Surroundings } from './surroundings.ts';
export { ColliderList } from './surroundings.ts';
