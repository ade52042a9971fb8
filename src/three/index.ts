/** graze for three.js: scenes, geometries, picking, debug drawing. */
export type { AccelerateOptions } from './accelerate.ts';
export { accelerate } from './accelerate.ts';
export type { GltfLoader, GltfParser } from './bake.ts';
export { bakedTrees, bakeTrees } from './bake.ts';
export type { CollidersOfOptions, ObjectCollider, ShapeChoice } from './collider-of.ts';
export { colliderOf, collidersOf } from './collider-of.ts';
export type { DebugColors, DebugViewOptions, DrawWorldOptions } from './debug-view.ts';
export { DebugView } from './debug-view.ts';
export type {
  GltfCollider,
  GltfCollidersOptions,
  GltfMotion,
  LoadedGltf,
} from './gltf-colliders.ts';
export { collidersOfGltf } from './gltf-colliders.ts';
export type { MeshOfOptions, TriangleSource } from './mesh-of.ts';
export { meshOf, sourceOf, trianglesOf } from './mesh-of.ts';
export type { SyncWorldOptions } from './sync-world.ts';
export { syncWorld, WorldSync } from './sync-world.ts';
