/** What a user creates. */
export { boundsOf } from './bounds.ts';
export type { Collider } from './collider.ts';
export { collider } from './collider.ts';
export type { CompoundPart } from './compound.ts';
export { compound } from './compound.ts';
export type { ConvexOptions } from './custom.ts';
export { convex } from './custom.ts';
export { box, hull, point, polygon, segment, triangle } from './flat-sided-shapes.ts';
export { halfSpace } from './half-space.ts';
export type { HeightFieldCell, HeightFieldOptions } from './height-field.ts';
export { heightField, heightFieldCell, heightFieldTriangle, makeHeightFieldCell } from './height-field.ts';
export type { ShapeMass } from './mass.ts';
export { massOf } from './mass.ts';
export type {
  MeshAnswers,
  MeshBatches,
  MeshBatchInput,
  MeshBatchName,
  MeshBatchOutput,
  MeshDistances,
  MeshHits,
  MeshPoints,
  MeshTouches,
} from './mesh/batch.ts';
export { batchMesh } from './mesh/batch.ts';
export type { MeshPoint } from './mesh/closest.ts';
export { closestPointMesh, makeMeshPoint } from './mesh/closest.ts';
export { containsPointMesh } from './mesh/contain.ts';
export type { Mesh, MeshOptions } from './mesh/mesh.ts';
export { loadMesh, mesh, refitMesh, saveMesh } from './mesh/mesh.ts';
export type { MeshOverlapOptions } from './mesh/overlap.ts';
export {
  overlapAabbMesh,
  overlapCapsuleMesh,
  overlapObbMesh,
  overlapPolyhedronMesh,
  overlapSphereMesh,
  overlapTriangleMesh,
  trianglesAabbMesh,
  trianglesCapsuleMesh,
  trianglesObbMesh,
  trianglesPolyhedronMesh,
  trianglesSphereMesh,
  trianglesTriangleMesh,
} from './mesh/overlap.ts';
export type { MeshCurve, MeshCurves } from './mesh/pair-curves.ts';
export { curvesMeshMesh } from './mesh/pair-curves.ts';
export type { MeshPointPair } from './mesh/pair-distance.ts';
export { closestPointsMeshMesh, distanceMeshMesh, makeMeshPointPair } from './mesh/pair-distance.ts';
export type { OverlapMeshMeshOptions } from './mesh/pair-overlap.ts';
export { overlapMeshMesh, pairsMeshMesh } from './mesh/pair-overlap.ts';
export type { MeshHit } from './mesh/ray.ts';
export {
  makeMeshHit,
  rayMesh,
  rayMeshAll,
  rayMeshAny,
  rayMeshFront,
  segmentMesh,
  segmentMeshAll,
  segmentMeshAny,
} from './mesh/ray.ts';
export { signedDistanceMesh } from './mesh/signed-distance.ts';
export type { MeshTouch } from './mesh/sweep.ts';
export { makeMeshTouch, sweepSphereMesh } from './mesh/sweep.ts';
export { windingNumberMesh } from './mesh/winding.ts';
export type { MeshWorkersOptions } from './mesh/workers.ts';
export { MeshWorkers } from './mesh/workers.ts';
export { capsule, cone, cylinder, ellipsoid, sphere } from './round-shapes.ts';
export { scaled } from './scale.ts';
export type {
  BoxShape,
  CapsuleShape,
  CompoundChild,
  CompoundShape,
  ConeShape,
  ConvexShape,
  CustomShape,
  CylinderShape,
  EllipsoidShape,
  HalfSpaceShape,
  HeightFieldShape,
  HullShape,
  PointShape,
  PolygonShape,
  SegmentShape,
  Shape,
  ShapeKind,
  SimpleShape,
  SphereShape,
  TriangleShape,
} from './shape.ts';
export { isConvexShape } from './shape.ts';
export type { TriangleStripOptions } from './triangle-strip.ts';
export { trianglesFromStrip } from './triangle-strip.ts';
