export { lineAabb, rayAabb, segmentAabb } from './ray-aabb.ts';
export { rayCapsule, segmentCapsule } from './ray-capsule.ts';
export { rayCone, segmentCone } from './ray-cone.ts';
export {
  rayCylinder,
  rayInfiniteCylinder,
  segmentCylinder,
  segmentInfiniteCylinder,
} from './ray-cylinder.ts';
export { rayEllipsoid, segmentEllipsoid } from './ray-ellipsoid.ts';
export { rayDisc, rayRectangle } from './ray-flat.ts';
export { lineObb, rayObb, segmentObb } from './ray-obb.ts';
export { rayPlane, segmentPlane, segmentPlaneThrough } from './ray-plane.ts';
export type { PolyhedronHit, PolyhedronSpan } from './ray-polyhedron.ts';
export {
  linePolyhedron,
  makePolyhedronHit,
  makePolyhedronSpan,
  rayPolyhedron,
  segmentPolyhedron,
} from './ray-polyhedron.ts';
export { lineQuad, rayQuad } from './ray-quad.ts';
export { overlapRaySphere, overlapSegmentSphere, raySphere, segmentSphere } from './ray-sphere.ts';
export {
  lineTriangle,
  lineTriangleFront,
  rayTriangle,
  rayTriangleFront,
  segmentTriangle,
  segmentTriangleFront,
} from './ray-triangle.ts';
