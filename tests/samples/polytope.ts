import { vec2, vec3 } from '../../src/math/types.ts';
import * as polytope from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const box = polytope.boxPolyhedron(vec3(-1, -2, -3), vec3(1, 2, 3));
const points = [vec3(0, 0, 0), vec3(2, 0, 0), vec3(0, 2, 0), vec3(0, 0, 2), vec3(0.5, 0.5, 0.5)];
const square = [vec2(0, 0), vec2(1, 0), vec2(1, 1), vec2(0, 1)];
const triangle = [vec2(0.5, 0.5), vec2(2, 0), vec2(1.5, 2)];
const direction = vec3(0.3, -0.5, 0.8);
const segment = { a: vec3(0, 0, 0), b: vec3(0.5, 1, 2), radius: 0.5 };
const ball = { center: vec3(), radius: 1 };
const mapOfBall: polytope.SupportMap = (d, out) => polytope.supportSphere(ball, d, out);
const mapOfSegment: polytope.SupportMap = (d, out) => polytope.supportCapsule(segment, d, out);
const surface = { vertices: box.vertices, faces: box.faces };

export const samples: Sample[] = [
  { fn: polytope.affineDimension, args: { points } },
  { fn: polytope.convexHull2, args: { points: square } },
  { fn: polytope.quickhull2, args: { points: square } },
  { fn: polytope.convexHull3, args: { points } },
  { fn: polytope.polyhedron, args: { points } },
  { fn: polytope.polyhedronFromHull, args: { points, hull: polytope.convexHull3(points) } },
  { fn: polytope.boxPolyhedron, args: { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) } },
  { fn: polytope.vertexNeighbours, args: { polyhedron: box } },

  { fn: polytope.isSimplePolygon2, args: { polygon: square } },
  { fn: polytope.polygonHalfPlanes, args: { polygon: triangle } },
  { fn: polytope.isConvexPolygon2, args: { polygon: square } },
  { fn: polytope.isConvexPolygonSlow2, args: { polygon: square } },
  { fn: polytope.isConvexPolygon, args: { polygon: square.map(({ x, y }) => vec3(x, y, x + y)) } },
  { fn: polytope.isConvexQuad2, args: { a: vec2(0, 0), b: vec2(1, 0), c: vec2(1, 1), d: vec2(0, 1) } },
  {
    fn: polytope.isConvexQuad,
    args: { a: vec3(0, 0, 1), b: vec3(1, 0, 1), c: vec3(1, 1, 1), d: vec3(0, 1, 1) },
  },
  { fn: polytope.isClosedMesh, args: { faces: box.faces } },
  { fn: polytope.isOrientedMesh, args: { faces: box.faces } },
  { fn: polytope.isManifoldMesh, args: { faces: box.faces } },
  { fn: polytope.eulerCharacteristic, args: { faces: box.faces } },
  { fn: polytope.vertexDegrees, args: { faces: box.faces, vertexCount: 8 } },
  { fn: polytope.isConvexPolyhedron, args: { surface, tolerance: 1e-9 } },
  { fn: polytope.isLocallyConvexPolyhedron, args: { surface, tolerance: 1e-9 } },
  { fn: polytope.vertexCentroid, args: { points }, out: vec3() },

  {
    fn: polytope.supportSphere,
    args: { sphere: { center: vec3(1, 2, 3), radius: 0.5 }, direction },
    out: vec3(),
  },
  {
    fn: polytope.supportAabb,
    args: { box: { min: vec3(-1, 0, 1), max: vec3(2, 3, 4) }, direction },
    out: vec3(),
  },
  {
    fn: polytope.supportObb,
    args: {
      box: {
        center: vec3(1, 2, 3),
        halfSize: vec3(1, 0.5, 2),
        rotation: { elements: [0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1] },
      },
      direction,
    },
    out: vec3(),
  },
  { fn: polytope.supportCapsule, args: { capsule: segment, direction }, out: vec3() },
  { fn: polytope.supportCylinder, args: { cylinder: segment, direction }, out: vec3() },
  {
    fn: polytope.supportCone,
    args: { cone: { tip: vec3(0, 0, 2), base: vec3(0.5, 0, 0), radius: 1 }, direction },
    out: vec3(),
  },
  { fn: polytope.supportIndex, args: { points, direction } },
  { fn: polytope.supportPoints, args: { points, direction }, out: vec3() },
  { fn: polytope.supportGraph, args: { polyhedron: box } },
  {
    fn: polytope.climbToSupport,
    args: { graph: polytope.supportGraph(box), direction, start: 0 },
    unchecked:
      'the graph was checked when it was made; direction and start are, see support-polytope.test.ts',
  },
  {
    fn: polytope.supportSum,
    args: { supportA: mapOfBall, supportB: mapOfSegment, direction },
    out: vec3(),
  },
  {
    fn: polytope.supportDifference,
    args: { supportA: mapOfBall, supportB: mapOfSegment, direction },
    out: vec3(),
  },
  { fn: polytope.minkowskiSum2, args: { a: square, b: triangle } },
  { fn: polytope.minkowskiDifference2, args: { a: square, b: triangle } },
  { fn: polytope.overlapConvexPolygons2, args: { a: square, b: triangle } },

  { fn: polytope.voronoiRegions, args: { polyhedron: box } },
  {
    fn: polytope.voronoiFeature,
    args: { regions: polytope.voronoiRegions(box), p: vec3(2, 0.5, -5), start: polytope.makeFeaturePoint() },
    out: polytope.makeFeaturePoint(),
    unchecked: 'the regions were checked when they were made; p and start are, see voronoi.test.ts',
  },
];
