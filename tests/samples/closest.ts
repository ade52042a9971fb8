/** Sample calls of the closest-point family. */
import { vec2, vec3 } from '../../src/math/types.ts';
import { makePointPair } from '../../src/primitives/types.ts';
import * as closest from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const p = vec3(1.5, 2.25, -0.5);
const a = vec3(0.1, 0.2, 0.3);
const b = vec3(2.4, 0.3, 0.5);
const c = vec3(0.2, 3.1, 0.7);
const d = vec3(0.3, 0.4, 4.2);
const e = vec3(1.1, 2.2, 5.3);
const f = vec3(3.1, 1.2, 4.4);
const ray = { origin: a, direction: vec3(1.5, 0.5, 0.25) };
const plane = { normal: vec3(0.5, 2.5, 1.5), d: 1.25 };
const box = { min: vec3(-1.5, -2.5, -0.25), max: vec3(1.25, 0.5, 0.75) };
const obb = {
  center: vec3(0.5, 0.25, 0.75),
  halfSize: vec3(1.5, 0.5, 0.25),
  rotation: { elements: [0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1] },
};
const halfU = vec3(1.5, 0, 0.5);
const halfV = vec3(-0.5, 0.25, 1.5);
const sphere = { center: a, radius: 0.75 };
const capsule = { a, b, radius: 0.75 };
const cone = { tip: a, base: b, radius: 0.75 };
const normal = vec3(0.5, 1.5, 2.5);
const polyhedron = {
  vertices: [vec3(0, 0, 0), vec3(1.5, 0, 0), vec3(0, 1.5, 0), vec3(0, 0, 1.5)],
  faces: [
    [0, 2, 1],
    [0, 1, 3],
    [0, 3, 2],
    [1, 2, 3],
  ],
  planes: [
    { normal: vec3(0, 0, -1), d: 0 },
    { normal: vec3(0, -1, 0), d: 0 },
    { normal: vec3(-1, 0, 0), d: 0 },
    { normal: vec3(1 / Math.sqrt(3), 1 / Math.sqrt(3), 1 / Math.sqrt(3)), d: 1.5 / Math.sqrt(3) },
  ],
};

export const samples: Sample[] = [
  { fn: closest.closestPointPlane, args: { p, plane }, out: vec3() },
  { fn: closest.signedDistancePointPlane, args: { p, plane } },

  { fn: closest.closestPointSegment, args: { p, a, b }, out: vec3() },
  { fn: closest.closestParameterSegment, args: { p, a, b } },
  { fn: closest.distanceSqPointSegment, args: { p, a, b } },
  { fn: closest.closestPointRay, args: { p, ray }, out: vec3() },
  { fn: closest.closestParameterRay, args: { p, ray } },
  { fn: closest.distanceSqPointRay, args: { p, ray } },
  { fn: closest.closestPointLine, args: { p, a, b }, out: vec3() },
  { fn: closest.closestParameterLine, args: { p, a, b } },
  { fn: closest.distanceSqPointLine, args: { p, a, b } },

  { fn: closest.closestPointAabb, args: { p, box }, out: vec3() },
  { fn: closest.distanceSqPointAabb, args: { p, box } },
  { fn: closest.closestPointObb, args: { p, box: obb }, out: vec3() },
  { fn: closest.distanceSqPointObb, args: { p, box: obb } },
  { fn: closest.closestPointRectangle, args: { p, a, b, c }, out: vec3() },
  { fn: closest.distanceSqPointRectangle, args: { p, a, b, c } },
  { fn: closest.closestPointCenteredRectangle, args: { p, center: a, halfU, halfV }, out: vec3() },
  { fn: closest.distanceSqPointCenteredRectangle, args: { p, center: a, halfU, halfV } },

  { fn: closest.closestPointTriangle, args: { p, a, b, c }, out: vec3() },
  { fn: closest.closestFeatureTriangle, args: { p, a, b, c }, out: closest.makeTrianglePoint() },
  { fn: closest.distanceSqPointTriangle, args: { p, a, b, c } },
  { fn: closest.closestPointTetrahedron, args: { p, a, b, c, d }, out: vec3() },
  { fn: closest.closestPointPolyhedron, args: { p, polyhedron }, out: vec3() },

  { fn: closest.closestPointSphere, args: { p, sphere }, out: vec3() },
  { fn: closest.distancePointSphere, args: { p, sphere } },
  { fn: closest.closestPointCapsule, args: { p, capsule }, out: vec3() },
  { fn: closest.distancePointCapsule, args: { p, capsule } },
  { fn: closest.closestPointDisc, args: { p, center: a, normal, radius: 0.75 }, out: vec3() },
  { fn: closest.distancePointDisc, args: { p, center: a, normal, radius: 0.75 } },
  { fn: closest.closestPointCylinder, args: { p, cylinder: capsule }, out: vec3() },
  { fn: closest.distancePointCylinder, args: { p, cylinder: capsule } },
  { fn: closest.closestPointCone, args: { p, cone }, out: vec3() },
  { fn: closest.distancePointCone, args: { p, cone } },

  { fn: closest.closestPointsLineLine, args: { a, b, c, d }, out: closest.makeSegmentPair() },
  { fn: closest.overlapLineLine, args: { a, b, c, d, tolerance: 0.25 } },
  { fn: closest.closestPointsSegmentSegment, args: { a, b, c, d }, out: closest.makeSegmentPair() },
  { fn: closest.distanceSqSegmentSegment, args: { a, b, c, d } },
  {
    fn: closest.crossSegmentSegment2d,
    args: { a: vec2(0.1, 0.2), b: vec2(2.3, 1.9), c: vec2(0.2, 2.1), d: vec2(1.9, 0.15) },
    out: closest.makeSegmentCrossing(),
  },
  { fn: closest.closestPointsSegmentTriangle, args: { p, q: e, a, b, c }, out: makePointPair() },
  { fn: closest.closestPointsTriangleTriangle, args: { a, b, c, d, e, f }, out: makePointPair() },
];
