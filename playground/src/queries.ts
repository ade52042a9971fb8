import {
  closestPointAabb,
  closestPointObb,
  closestPointPlane,
  closestPointPolyhedron,
  closestPointSegment,
  closestPointSphere,
  closestPointsSegmentSegment,
  closestPointsSegmentTriangle,
  closestPointsTriangleTriangle,
  closestPointTetrahedron,
  closestPointTriangle,
  type Hit,
  overlapPolyhedronPolyhedron,
  overlapSphereAabb,
  overlapSphereObb,
  overlapSphereTriangle,
  overlapTriangleAabb,
  overlapTriangleObb,
  overlapTriangleTriangle,
  type PointPair,
  rayAabb,
  rayCapsule,
  rayCone,
  rayCylinder,
  rayObb,
  rayPolyhedron,
  raySphere,
  rayTriangle,
  sweepSphereAabb,
  sweepSphereObb,
  sweepSpherePlane,
  sweepSphereSphere,
  sweepSphereTriangle,
} from 'graze/primitives';
import { overlapAabbAabb, overlapCapsuleCapsule, overlapObbObb, overlapSphereSphere } from 'graze/volumes';
import type { Geometry, GeometryOf, Kind } from './geometries.ts';

type V = { x: number; y: number; z: number };
type Ray = { origin: V; direction: V };

function answers<A extends Kind, B extends Kind, R>(
  first: A,
  second: B,
  name: string,
  ask: (a: GeometryOf<A>, b: GeometryOf<B>) => R,
) {
  return { first, second, name, ask: ask as (a: Geometry, b: Geometry) => R };
}

const fromPoint = (p: V, b: V): PointPair => ({
  a: p,
  b,
  distanceSq: (p.x - b.x) ** 2 + (p.y - b.y) ** 2 + (p.z - b.z) ** 2,
});

export const CLOSEST = [
  answers('point', 'triangle', 'closestPointTriangle', ({ p }, t) =>
    fromPoint(p, closestPointTriangle(p, t.a, t.b, t.c)),
  ),
  answers('point', 'segment', 'closestPointSegment', ({ p }, s) =>
    fromPoint(p, closestPointSegment(p, s.a, s.b)),
  ),
  answers('point', 'plane', 'closestPointPlane', ({ p }, { plane }) =>
    fromPoint(p, closestPointPlane(p, plane)),
  ),
  answers('point', 'sphere', 'closestPointSphere', ({ p }, { sphere }) =>
    fromPoint(p, closestPointSphere(p, sphere)),
  ),
  answers('point', 'box', 'closestPointAabb', ({ p }, { box }) => fromPoint(p, closestPointAabb(p, box))),
  answers('point', 'oriented box', 'closestPointObb', ({ p }, { obb }) =>
    fromPoint(p, closestPointObb(p, obb)),
  ),
  answers('point', 'tetrahedron', 'closestPointTetrahedron', ({ p }, t) =>
    fromPoint(p, closestPointTetrahedron(p, t.a, t.b, t.c, t.d)),
  ),
  answers('point', 'polyhedron', 'closestPointPolyhedron', ({ p }, b) =>
    fromPoint(p, closestPointPolyhedron(p, b.polyhedron)),
  ),
  answers('segment', 'segment', 'closestPointsSegmentSegment', (s, t) =>
    closestPointsSegmentSegment(s.a, s.b, t.a, t.b),
  ),
  answers('segment', 'triangle', 'closestPointsSegmentTriangle', (s, t) =>
    closestPointsSegmentTriangle(s.a, s.b, t.a, t.b, t.c),
  ),
  answers('triangle', 'triangle', 'closestPointsTriangleTriangle', (s, t) =>
    closestPointsTriangleTriangle(s.a, s.b, s.c, t.a, t.b, t.c),
  ),
];

export const OVERLAP = [
  answers('triangle', 'triangle', 'overlapTriangleTriangle', (s, t) =>
    overlapTriangleTriangle(s.a, s.b, s.c, t.a, t.b, t.c),
  ),
  answers('oriented box', 'oriented box', 'overlapObbObb', (a, b) => overlapObbObb(a.obb, b.obb)),
  answers('sphere', 'box', 'overlapSphereAabb', ({ sphere }, { box }) => overlapSphereAabb(sphere, box)),
  answers('sphere', 'oriented box', 'overlapSphereObb', ({ sphere }, { obb }) =>
    overlapSphereObb(sphere, obb),
  ),
  answers('sphere', 'triangle', 'overlapSphereTriangle', ({ sphere }, t) =>
    overlapSphereTriangle(sphere, t.a, t.b, t.c),
  ),
  answers('sphere', 'sphere', 'overlapSphereSphere', (a, b) => overlapSphereSphere(a.sphere, b.sphere)),
  answers('box', 'box', 'overlapAabbAabb', (a, b) => overlapAabbAabb(a.box, b.box)),
  answers('triangle', 'box', 'overlapTriangleAabb', (t, { box }) => overlapTriangleAabb(t.a, t.b, t.c, box)),
  answers('triangle', 'oriented box', 'overlapTriangleObb', (t, { obb }) =>
    overlapTriangleObb(t.a, t.b, t.c, obb),
  ),
  answers('capsule', 'capsule', 'overlapCapsuleCapsule', (a, b) =>
    overlapCapsuleCapsule(a.capsule, b.capsule),
  ),
  answers('polyhedron', 'polyhedron', 'overlapPolyhedronPolyhedron', (a, b) =>
    overlapPolyhedronPolyhedron(a.polyhedron, b.polyhedron),
  ),
];

/** The first hit of a ray on a thing, or null. */
export function rayHit(ray: Ray, target: Geometry): Hit | null {
  switch (target.kind) {
    case 'triangle':
      return rayTriangle(ray, target.a, target.b, target.c);
    case 'sphere':
      return raySphere(ray, target.sphere);
    case 'box':
      return rayAabb(ray, target.box);
    case 'oriented box':
      return rayObb(ray, target.obb);
    case 'capsule':
      return rayCapsule(ray, target.capsule);
    case 'cylinder':
      return rayCylinder(ray, target.cylinder);
    case 'cone':
      return rayCone(ray, target.cone);
    case 'polyhedron':
      return rayPolyhedron(ray, target.polyhedron);
    default:
      throw new Error(`no ray test for a ${target.kind}`);
  }
}

/** The first contact of a moving sphere with a thing, or null. */
export function sweepHit(sphere: { center: V; radius: number }, motion: V, target: Geometry): Hit | null {
  switch (target.kind) {
    case 'triangle':
      return sweepSphereTriangle(sphere, motion, target.a, target.b, target.c);
    case 'sphere':
      return sweepSphereSphere(sphere, motion, target.sphere);
    case 'box':
      return sweepSphereAabb(sphere, motion, target.box);
    case 'oriented box':
      return sweepSphereObb(sphere, motion, target.obb);
    case 'plane':
      return sweepSpherePlane(sphere, motion, target.plane);
    default:
      throw new Error(`no sweep against a ${target.kind}`);
  }
}
