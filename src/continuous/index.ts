/** Exact continuous collision of polyhedra (van Waveren 2005), of triangles that deform, and contact times of any solids. */
export type {
  DeformingContact,
  DeformingContacts,
  DeformingKind,
  DeformingOptions,
} from './deforming/cast-deforming.ts';
export { castDeforming, castDeformingAll, makeDeformingContact } from './deforming/cast-deforming.ts';
export type { DeformingPairOptions, DeformingTimes } from './deforming/cast-primitives.ts';
export {
  castEdgeEdge,
  castEdgeEdgeMany,
  castVertexFace,
  castVertexFaceMany,
} from './deforming/cast-primitives.ts';
export { DeformingMesh, deformingMesh } from './deforming/deforming-mesh.ts';
export type {
  DeformingCompound,
  DeformingConvex,
  DeformingHalfSpace,
  DeformingPart,
  DeformingTarget,
  DeformingTriangles,
} from './deforming/deforming-target.ts';
export { deformingTarget } from './deforming/deforming-target.ts';
export type { DeformingHit } from './deforming/pair-cast.ts';
export { makeDeformingHit } from './deforming/pair-cast.ts';
export type { DeformingWorkersOptions } from './deforming/workers.ts';
export { DeformingWorkers } from './deforming/workers.ts';
export type { ContactTimeOptions, PosedSolid, SolidContact } from './generalized/contact-time.ts';
export { contactTime, contactTimes } from './generalized/contact-time.ts';
export type { Solid } from './generalized/solid.ts';
export type { ModelSource, PolygonsLike } from './model/model-source.ts';
export type { ModelOptions } from './model/polyhedral-model.ts';
export { polyhedralModel } from './model/polyhedral-model.ts';
export type { PoseMotion, RelativeMotion } from './motion.ts';
export {
  makePoseMotion,
  makeRelativeMotion,
  motionBetween,
  poseAlong,
  relativeMotion,
  swapMotionOrder,
} from './motion.ts';
export type { SweepOptions } from './sweep.ts';
export { sweepPolyhedra } from './sweep.ts';
export { touchingFeatures } from './touching-features.ts';
export type { TraceHit, TraceOptions } from './trace.ts';
export { makeTraceHit, traceModel } from './trace.ts';
export type {
  AxialBsp,
  FeatureKind,
  ModelBits,
  ModelSweeper,
  ModelTracer,
  PackedLevel,
  PolyhedralModel,
  SweepContact,
  SweepHit,
  SweepMotion,
  VertexRing,
} from './types.ts';
export { makeSweepContact, makeSweepHit } from './types.ts';
