/** graze for react-three-fiber. */
export type { AccelerateProps } from './accelerate.ts';
export { Accelerate } from './accelerate.ts';
export type { GrazeWorldProps } from './graze-world.ts';
export { GrazeWorld } from './graze-world.ts';
export { useCharacter } from './use-character.ts';
export type { UseColliderOptions } from './use-collider.ts';
export { useCollider } from './use-collider.ts';
export type { ColliderEvents } from './world-context.ts';
export { useWorld } from './world-context.ts';
