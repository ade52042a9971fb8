/**
 * The reference shelf: ways of *Real-Time Collision Detection* that no query of graze runs on, by chapter. Each file says what
 * it is for, when one would use it, and what runs in production instead.
 */

// Chapter 3: mathematics and geometry

export * from './ch03/implicit.ts';
export {
  eulerCharacteristic,
  isClosedMesh,
  isManifoldMesh,
  isOrientedMesh,
  vertexDegrees,
} from './ch03/mesh-facts.ts';
export { minkowskiDifference2, minkowskiSum2, overlapConvexPolygons2 } from './ch03/minkowski2.ts';
export {
  isConvexPolygon,
  isConvexPolygon2,
  isConvexPolygonSlow2,
  isConvexQuad,
  isConvexQuad2,
  isSimplePolygon2,
  polygonHalfPlanes,
} from './ch03/polygon.ts';
export type { PolyhedralSurface } from './ch03/polyhedron-convexity.ts';
export {
  isConvexPolyhedron,
  isLocallyConvexPolyhedron,
  vertexCentroid,
} from './ch03/polyhedron-convexity.ts';
export { quickhull2 } from './ch03/quickhull2.ts';
export {
  supportAabb,
  supportCapsule,
  supportCone,
  supportCylinder,
  supportDifference,
  supportObb,
  supportSphere,
  supportSum,
} from './ch03/support.ts';
export type { SupportGraph } from './ch03/support-polytope.ts';
export { climbToSupport, supportGraph, supportIndex, supportPoints } from './ch03/support-polytope.ts';
export type { EdgeRegion, FaceRegion, VertexRegion, VoronoiRegions } from './ch03/voronoi.ts';
export { voronoiFeature, voronoiRegions } from './ch03/voronoi.ts';

// Chapter 4: bounding volumes

export { AabbClimber, makeAabbClimber } from './ch04/aabb-climb.ts';
export { kdopVolume, obbVolume, roundSphereF32, sphereVolume } from './ch04/bounding-volumes.ts';
export type { CoarseHull } from './ch04/coarse-hull.ts';
export { coarseHull, overlapCoarseHulls } from './ch04/coarse-hull.ts';
export {
  KdopClimber,
  kdopVertices,
  makeKdopClimber,
  measureKdop,
  transformKdop,
} from './ch04/kdop-realign.ts';
export {
  containsPointLozenge,
  fitLozenge,
  overlapCapsuleLozenge,
  overlapLozengeLozenge,
  overlapSphereLozenge,
} from './ch04/lozenge.ts';

// Chapter 5: primitive tests

export { pluckerTriangle } from './ch05/plucker-triangle.ts';
export type { PreparedTriangle, ReadonlyPreparedTriangle } from './ch05/prepared-triangle.ts';
export {
  makePreparedTriangle,
  prepareTriangle,
  rayPreparedTriangle,
  segmentPreparedTriangle,
} from './ch05/prepared-triangle.ts';
export type { DistanceAt, MovementBound, TouchesAt } from './ch05/search.ts';
export { sweepByAdvancement, sweepByHalving, sweepBySamples } from './ch05/search.ts';
export { overlapSegmentAabb } from './ch05/segment-aabb.ts';

// Chapter 6: hierarchies

export type { BottomUpOptions, Pairing } from './ch06/bottom-up.ts';
export type { BoxTree, BoxTreeOptions } from './ch06/box-tree.ts';
export { buildBoxTree, onlyOnce } from './ch06/box-tree.ts';
export type { BuildMethod, BuildTreeByOptions } from './ch06/build-by-method.ts';
export { buildTreeBy } from './ch06/build-by-method.ts';
export type { BoxMeasure } from './ch06/extent-measure.ts';
export type { InsertionOptions, InsertionRule } from './ch06/insertion.ts';
export type { LeafPairOptions } from './ch06/leaf-pairs.ts';
export { leafPairs } from './ch06/leaf-pairs.ts';
export { PairFront } from './ch06/pair-front.ts';
export type { SpanningMethod } from './ch06/spanning-tree.ts';
export type { SolidCoverOptions, SurfaceCover } from './ch06/sphere-cover.ts';
export { coverSolid, coverSurface } from './ch06/sphere-cover.ts';
export type { SphereCover, SphereOctreeOptions } from './ch06/sphere-tree.ts';
export { buildSphereOctree, buildSphereTree } from './ch06/sphere-tree.ts';
export type { TopDownOptions } from './ch06/top-down.ts';
export type { SplitAim, SplitAxis, SplitObjective, SplitPlace } from './ch06/top-down-split.ts';
export { makeTurningKdopTree, TurningKdopTree } from './ch06/turning-tree.ts';
export type { CachedObject } from './ch06/witness-cache.ts';
export { WitnessCache } from './ch06/witness-cache.ts';

// Chapter 7: spatial partitioning

export type { CellTable } from './ch07/cell-tables.ts';
export { ChainedCells, DenseCells, ProbedCells, SharedCells, WrappedCells } from './ch07/cell-tables.ts';
export type { CountedGridOptions } from './ch07/counted-grid.ts';
export { CountedGrid } from './ch07/counted-grid.ts';
export { EntryGrid, GridOfTrees } from './ch07/grid-of-trees.ts';
export { KdBoxTree } from './ch07/kd-ray.ts';
export type { DynamicOctreeOptions, StaticOctreeOptions } from './ch07/octree.ts';
export { DynamicOctree, StaticOctree } from './ch07/octree.ts';
export { PairBits, pairIndex } from './ch07/pair-bits.ts';
export type { GridPlacement, UniformGridOptions } from './ch07/uniform-grid.ts';
export { UniformGrid } from './ch07/uniform-grid.ts';

// Chapter 9: convexity

export { overlapPolyhedronBoundaries } from './ch09/boundary-test.ts';
export type { DirectionTree } from './ch09/direction-tree.ts';
export { directionTree, supportIndexDirectionTree } from './ch09/direction-tree.ts';
export type { NestedHulls } from './ch09/dobkin-kirkpatrick.ts';
export {
  closestPointNestedHulls,
  containsNestedHullsPoint,
  nestedHulls,
  overlapNestedHulls,
  supportIndexNestedHulls,
} from './ch09/dobkin-kirkpatrick.ts';
export type { EliminationOptions } from './ch09/fourier-motzkin.ts';
export { feasiblePoint, inequalityRange } from './ch09/fourier-motzkin.ts';
export { GjkCache } from './ch09/gjk-cache.ts';
export type { HullDistance } from './ch09/hull-distance.ts';
export { hullDistance, makeHullDistance } from './ch09/hull-distance.ts';
export type { LinearInequality } from './ch09/inequality.ts';
export { commonPointHalfspaces, separatingPlanePoints } from './ch09/lp-overlap.ts';
export type { LinearOptimum, LinearProgramOptions } from './ch09/seidel.ts';
export { linearProgram, makeLinearOptimum } from './ch09/seidel.ts';
export type { SeparatingVector } from './ch09/separating-vector.ts';
export { makeSeparatingVector, overlapBySeparatingVector } from './ch09/separating-vector.ts';
export { overlapSweptConvex } from './ch09/swept-gjk.ts';
export type { FeatureDistance, FeaturePair } from './ch09/v-clip.ts';
export { closestFeatures, makeFeatureDistance, makeFeaturePair } from './ch09/v-clip.ts';

// Chapter 11: numerical robustness

export {
  add64,
  addInt32,
  addInt53,
  mulInt32,
  mulInt32Wide,
  mulInt53,
  mulUint32,
  subInt32,
  subInt53,
} from './ch11/integer.ts';
export * from './ch11/integer-plane.ts';
export * from './ch11/rational.ts';
export * from './ch11/stability.ts';

// Chapter 13: memory

export type { ByteBoxTree } from './ch13/byte-boxes.ts';
export { packByteBoxes, searchByteBoxes } from './ch13/byte-boxes.ts';
export type { LeafCacheOptions } from './ch13/leaf-cache.ts';
export { LeafCache } from './ch13/leaf-cache.ts';
export type { LevelOrderTree } from './ch13/level-order.ts';
export { packLevelOrder, searchLevelOrder } from './ch13/level-order.ts';
export type { NeighbourhoodOptions } from './ch13/neighbourhood-cache.ts';
export { NeighbourhoodCache } from './ch13/neighbourhood-cache.ts';
export type { ChildOrder } from './ch13/node-order.ts';
export { reorderTree } from './ch13/node-order.ts';
export type { PackedKdTree } from './ch13/packed-kd-tree.ts';
export { packKdTree, searchKdTree } from './ch13/packed-kd-tree.ts';
export type { PreorderTree } from './ch13/preorder-links.ts';
export { packPreorder, searchPreorder, unpackPreorder } from './ch13/preorder-links.ts';
export type { QuantizedFormat, QuantizedPoints } from './ch13/quantize.ts';
export { dequantizePoints, quantizePoints } from './ch13/quantize.ts';
export type { TriNodeTree } from './ch13/tri-nodes.ts';
export { packTriNodes, searchTriNodes } from './ch13/tri-nodes.ts';
export type { VanEmdeBoasTree } from './ch13/van-emde-boas.ts';
export { packVanEmdeBoas, searchVanEmdeBoas } from './ch13/van-emde-boas.ts';

// After the book: animated characters (Mujika et al.)

export type { DividedTreeOptions, Division } from './mujika/corner-tree.ts';
export { dividedSphereTree, triangleSphereTree } from './mujika/corner-tree.ts';
export type { Representatives } from './mujika/representatives.ts';
export { representativeTriangles } from './mujika/representatives.ts';
export type { WeightedRotation } from './mujika/skinned-spheres.ts';
export { SkinnedSpheres, sphereOfArc } from './mujika/skinned-spheres.ts';
export type { SphereCollisionOptions } from './mujika/sphere-collision.ts';
export { collideSpheres, SphereCounters, SphereSurroundings } from './mujika/sphere-collision.ts';
export type { SphereTree } from './mujika/sphere-tree.ts';
export {
  levelsOfSphereTree,
  quinlanSphereTree,
  reduceSphereTree,
  sizeOfSphereTree,
} from './mujika/sphere-tree.ts';
