/** Meshes whose vertices follow joints. */
export { selfPairs } from './self-pairs.ts';
export { Skin } from './skin.ts';
export type { Blending, SkinSource } from './skin-source.ts';
export { SkinnedShape } from './skinned-shape.ts';
