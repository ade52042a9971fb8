import { mat3, vec3 } from '../../src/math/types.ts';
import { boxPolyhedron } from '../../src/polytope/polyhedron.ts';
import { makeRay } from '../../src/primitives/types.ts';
import * as overlap from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const sphere = { center: vec3(0.5, 0.2, 1.1), radius: 1.25 };
const aabb = { min: vec3(-1, -0.5, -1), max: vec3(1, 0.5, 1) };
const obb = { center: vec3(0.25, 0.5, 0.75), halfSize: vec3(1, 0.5, 0.25), rotation: mat3() };
const cone = { tip: vec3(0, 2, 0), base: vec3(0.5, -1, 0.25), radius: 0.5 };
const plane = { normal: vec3(0.6, 0.8, 0.1), d: 0.25 };
const triangle = { a: vec3(-1, 0.1, 0.2), b: vec3(1.5, 0.3, 0.1), c: vec3(0.2, 1.4, 0.7) };
const second = { d: vec3(0.2, 0.4, -1), e: vec3(0.4, 0.7, 1.5), f: vec3(0.9, -0.5, 0.3) };
const polygon = [vec3(0, 0, 0.1), vec3(2, 0, 0.1), vec3(0.5, 0.5, 0.1), vec3(0, 2, 0.1)];
const planes = {
  p: plane,
  q: { normal: vec3(0.1, 0.3, 0.9), d: 0.5 },
  r: { normal: vec3(-0.7, 0.6, 0.2), d: -0.75 },
};
const solids = {
  a: boxPolyhedron(vec3(-1.1, -1.2, -1.3), vec3(1.1, 1.2, 1.3)),
  b: boxPolyhedron(vec3(0.7, 0.6, 0.5), vec3(2.5, 2.6, 2.7)),
};

export const samples: Sample[] = [
  { fn: overlap.overlapSpherePlane, args: { sphere, plane } },
  { fn: overlap.overlapSphereHalfspace, args: { sphere, plane } },
  { fn: overlap.overlapAabbPlane, args: { box: aabb, plane } },
  { fn: overlap.overlapAabbHalfspace, args: { box: aabb, plane } },
  { fn: overlap.overlapObbPlane, args: { box: obb, plane } },
  { fn: overlap.overlapObbHalfspace, args: { box: obb, plane } },
  { fn: overlap.overlapConePlane, args: { cone, plane } },
  { fn: overlap.overlapConeHalfspace, args: { cone, plane } },
  {
    fn: overlap.coneFromHalfAngle,
    args: { tip: cone.tip, base: cone.base, halfAngle: 0.5 },
    out: { tip: vec3(), base: vec3(), radius: 0 },
  },
  { fn: overlap.overlapSphereAabb, args: { sphere, box: aabb } },
  { fn: overlap.intersectSphereAabb, args: { sphere, box: aabb }, out: vec3() },
  { fn: overlap.overlapSphereObb, args: { sphere, box: obb } },
  { fn: overlap.intersectSphereObb, args: { sphere, box: obb }, out: vec3() },
  { fn: overlap.overlapSphereTriangle, args: { sphere, ...triangle } },
  { fn: overlap.intersectSphereTriangle, args: { sphere, ...triangle }, out: vec3() },
  { fn: overlap.overlapSpherePolygon, args: { sphere, points: polygon } },
  { fn: overlap.overlapTriangleAabb, args: { ...triangle, box: aabb } },
  { fn: overlap.overlapTriangleObb, args: { ...triangle, box: obb } },
  { fn: overlap.overlapTriangleTriangle, args: { ...triangle, ...second } },
  { fn: overlap.intersectTriangleTriangle, args: { ...triangle, ...second }, out: overlap.makeSegment() },
  { fn: overlap.overlapPolyhedronPolyhedron, args: solids },
  { fn: overlap.penetrationPolyhedronPolyhedron, args: solids, out: overlap.makePenetration() },
  {
    fn: overlap.intersectPlanePlane,
    args: { p: planes.p, q: planes.q },
    out: makeRay(),
  },
  {
    fn: overlap.intersectPlanePlanePlane,
    args: planes,
    out: vec3(),
  },
  { fn: overlap.classifyPlanePlanePlane, args: planes },
];
