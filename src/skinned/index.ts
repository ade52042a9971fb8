/** Meshes whose vertices follow joints. */
export type { CastSkinnedOptions, Placed, SkinnedHit, SkinnedMotion, SkinnedTarget } from './cast-skinned.ts';
export { castSkinned, makeSkinnedHit } from './cast-skinned.ts';
export { selfPairs } from './self-pairs.ts';
export { Skin } from './skin.ts';
export type { Blending, SkinSource } from './skin-source.ts';
export { SkinnedShape } from './skinned-shape.ts';
