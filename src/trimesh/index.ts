/** The triangle mesh and everything that can be asked of it. */
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
} from './batch.ts';
export { batchMesh } from './batch.ts';
export type { MeshPoint } from './closest.ts';
export { closestPointMesh, makeMeshPoint } from './closest.ts';
export { containsPointMesh } from './inside.ts';
export type { Mesh, MeshOptions } from './mesh.ts';
export { mesh as buildMesh, refitMesh } from './mesh.ts';
export type { MeshCurve, MeshCurves } from './mesh-mesh/curves.ts';
export { curvesMeshMesh } from './mesh-mesh/curves.ts';
export type { MeshPointPair } from './mesh-mesh/distance.ts';
export { closestPointsMeshMesh, distanceMeshMesh, makeMeshPointPair } from './mesh-mesh/distance.ts';
export type { OverlapMeshMeshOptions } from './mesh-mesh/overlap.ts';
export { overlapMeshMesh, pairsMeshMesh } from './mesh-mesh/overlap.ts';
export type { MeshOverlapOptions } from './overlap.ts';
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
} from './overlap.ts';
export type { MeshPurpose } from './prepare.ts';
export { prepareMesh } from './prepare.ts';
export type { MeshHit } from './ray.ts';
export {
  makeMeshHit,
  rayMesh,
  rayMeshAll,
  rayMeshAny,
  rayMeshFront,
  segmentMesh,
  segmentMeshAll,
  segmentMeshAny,
} from './ray.ts';
export { signedDistanceMesh } from './signed-distance.ts';
export { loadMesh as loadBareMesh, saveMesh } from './stored-mesh.ts';
export type { MeshTouch } from './sweep.ts';
export { makeMeshTouch, sweepSphereMesh } from './sweep.ts';
export { windingNumberMesh } from './winding.ts';
