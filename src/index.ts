/**
 * The front door: shapes, the seven queries of any two of them, worlds and characters. Everything below stands in the
 * toolbox, room by room: `graze/primitives`, `graze/trimesh`, `graze/convex` …; the book's other algorithms in `graze/rtcd`.
 */

// Worlds and characters.
export { Character, type CharacterOptions } from './character/character.ts';
export type { CharacterCollision } from './character/character-state.ts';
export type { Motion } from './continuous/motion.ts';
// Points, rotations, poses.
export type { Pose, Quat, ReadonlyPose, ReadonlyQuat, ReadonlyVec3, Vec3 } from './math/types.ts';
export { pose, quat, vec3 } from './math/types.ts';
// Triangles that need care before they are a mesh.
export type { MeshReport } from './mesh/inspect.ts';
export { inspect } from './mesh/inspect.ts';
export type { Repaired, RepairOptions } from './mesh/repair.ts';
export { repair } from './mesh/repair.ts';
export type { Aabb, ReadonlyRay } from './primitives/types.ts';
// Questions.
export type { Body } from './query/body.ts';
export { cast } from './query/cast.ts';
export { closestPoint } from './query/closest-point.ts';
export { contacts } from './query/contacts.ts';
export { contains } from './query/contains.ts';
export { distance } from './query/distance.ts';
export { intersects } from './query/intersects.ts';
export { castMany, closestPointMany, intersectsMany, raycastMany } from './query/many.ts';
export type { RaycastOptions } from './query/raycast.ts';
export { raycast } from './query/raycast.ts';
export { signedDistance } from './query/signed-distance.ts';
// Shapes.
export { boundsOf } from './shapes/bounds.ts';
export type { Collider } from './shapes/collider.ts';
export { collider } from './shapes/collider.ts';
export type { CompoundPart } from './shapes/compound.ts';
export { compound } from './shapes/compound.ts';
export { convex } from './shapes/custom.ts';
export { csg } from './shapes/fields/csg.ts';
export { levelSet } from './shapes/fields/level-set/level-set.ts';
export { sdf } from './shapes/fields/sdf.ts';
export { box, hull, point, polygon, segment, triangle } from './shapes/flat-sided-shapes.ts';
export { halfSpace } from './shapes/half-space.ts';
export { heightField } from './shapes/height-field.ts';
export { massOf } from './shapes/mass.ts';
export { loadMesh, mesh } from './shapes/mesh.ts';
export type { CastHit, ClosestPoint, Contact, Separation } from './shapes/results.ts';
export { makeCastHit, makeClosestPoint, makeSeparation } from './shapes/results.ts';
export { capsule, cone, cylinder, ellipsoid, sphere } from './shapes/round-shapes.ts';
export { scaled } from './shapes/scale.ts';
export type { Shape, ShapeKind } from './shapes/shape.ts';
export { skinned } from './shapes/skinned.ts';
export type { Mesh, MeshOptions } from './trimesh/mesh.ts';
export { saveMesh } from './trimesh/stored-mesh.ts';
export type { ColliderOptions } from './world/collider-record.ts';
export type { Filter } from './world/filter.ts';
export type { PairEvent } from './world/pair-manager.ts';
export type { WorldHit, WorldSeparation } from './world/results.ts';
export type { WorldOptions } from './world/world.ts';
export { World } from './world/world.ts';
