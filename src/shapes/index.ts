/** What a user creates. */
export { boundsOf } from './bounds.ts';
export type { BspShape } from './bsp.ts';
export { bsp } from './bsp.ts';
export type { Collider } from './collider.ts';
export { collider } from './collider.ts';
export type { CompoundPart } from './compound.ts';
export { compound } from './compound.ts';
export type { ConvexOptions } from './custom.ts';
export { convex } from './custom.ts';
export type { CsgOperation } from './fields/csg.ts';
export { csg } from './fields/csg.ts';
export type { LevelSetGrid } from './fields/level-set/grid.ts';
export type { LevelSetOptions } from './fields/level-set/level-set.ts';
export { levelSet, levelSetDistance, levelSetError } from './fields/level-set/level-set.ts';
export { loadLevelSet, saveLevelSet } from './fields/level-set/stored-level-set.ts';
export type { LevelSetWorkersOptions } from './fields/level-set/workers.ts';
export { LevelSetWorkers } from './fields/level-set/workers.ts';
export type { SdfOptions } from './fields/sdf.ts';
export { sdf } from './fields/sdf.ts';
export { box, hull, point, polygon, segment, triangle } from './flat-sided-shapes.ts';
export { halfSpace } from './half-space.ts';
export type { HeightFieldCell, HeightFieldOptions } from './height-field.ts';
export { heightField, heightFieldCell, heightFieldTriangle, makeHeightFieldCell } from './height-field.ts';
export type { ShapeMass } from './mass.ts';
export { massOf } from './mass.ts';
export { loadMesh, mesh } from './mesh.ts';
export type { ParametricOptions, SurfaceDerivatives, SurfaceFunction } from './parametric.ts';
export { parametric } from './parametric.ts';
export type { BodyPart, CastHit, ClosestPoint, Contact, Separation } from './results.ts';
export { makeBodyPart, makeCastHit, makeClosestPoint, makeSeparation } from './results.ts';
export { capsule, cone, cylinder, ellipsoid, sphere } from './round-shapes.ts';
export { scaled } from './scale.ts';
export type {
  BoxShape,
  CapsuleShape,
  CompoundChild,
  CompoundShape,
  ConeShape,
  ConvexShape,
  CsgShape,
  CustomShape,
  CylinderShape,
  EllipsoidShape,
  FieldShape,
  HalfSpaceShape,
  HeightFieldShape,
  HullShape,
  LevelSetShape,
  ParametricShape,
  PointShape,
  PolygonShape,
  SdfShape,
  SegmentShape,
  Shape,
  ShapeKind,
  SimpleShape,
  SolidShape,
  SphereShape,
  TriangleShape,
} from './shape.ts';
export { isConvexShape } from './shape.ts';
export { skinned } from './skinned.ts';
export type { SolidSource } from './solid.ts';
export { solid } from './solid.ts';
export { solidOf } from './solid-of.ts';
export { soup } from './soup.ts';
export type { TriangleStripOptions } from './triangle-strip.ts';
export { trianglesFromStrip } from './triangle-strip.ts';
