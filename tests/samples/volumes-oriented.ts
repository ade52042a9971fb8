/** Sample calls of the oriented volumes of `src/volumes`. */
import type { ReadonlyPose } from '../../src/math/types.ts';
import { boxPolyhedron } from '../../src/polytope/polyhedron.ts';
import type { ReadonlyPolyhedron } from '../../src/polytope/types.ts';
import { makeCapsule, makeLozenge, makeObb, makeSpan } from '../../src/primitives/types.ts';
import { kdopVolume } from '../../src/rtcd/ch04/bounding-volumes.ts';
import * as hulls from '../../src/rtcd/ch04/coarse-hull.ts';
import * as realign from '../../src/rtcd/ch04/kdop-realign.ts';
import * as lozenges from '../../src/rtcd/ch04/lozenge.ts';
import * as capsules from '../../src/volumes/capsule.ts';
import * as ellipsoids from '../../src/volumes/ellipsoid.ts';
import * as kdops from '../../src/volumes/kdop.ts';
import * as boxes from '../../src/volumes/obb.ts';
import { fitObb } from '../../src/volumes/obb-fit.ts';
import * as overlap from '../../src/volumes/obb-overlap.ts';
import { fitRectangle2, makeRectangle2 } from '../../src/volumes/rectangle.ts';
import { fitSlabs, raySlabs } from '../../src/volumes/slab.ts';
import type { Sample } from '../kit/sample.ts';

const p = { x: 0.4, y: -0.6, z: 2.5 };
const pose = { position: { x: 1.5, y: -2.5, z: 3.5 }, quaternion: { x: 0.1, y: 0.7, z: -0.1, w: 0.7 } };
const plane = { normal: { x: 0.6, y: 0.8, z: 0.1 }, d: 0.25 };
const ray = { origin: { x: -5.5, y: 0.5, z: 0.25 }, direction: { x: 2.5, y: 0.1, z: 0.2 } };
const rotation = { elements: [0.6, 0.8, 0.1, -0.8, 0.6, 0.1, 0.1, 0.2, 0.9] };
const a = { center: { x: 0.5, y: 1.5, z: -2.5 }, halfSize: { x: 1.25, y: 0.5, z: 3.5 }, rotation };
const b = { center: { x: 1.5, y: 0.5, z: -1.5 }, halfSize: { x: 0.75, y: 1.5, z: 2.5 }, rotation };
const sphere = { center: { x: 0.5, y: 1.5, z: -2.5 }, radius: 1.25 };
const capsule = { a: { x: 0.1, y: 0.2, z: 0.3 }, b: { x: 1.1, y: -0.2, z: 0.7 }, radius: 0.75 };
const lozenge = {
  corner: { x: 0.1, y: 0.2, z: 0.3 },
  edge0: { x: 1.5, y: 0.5, z: 0.25 },
  edge1: { x: -0.5, y: 1.5, z: 0 },
  radius: 0.75,
};
const points = [
  { x: 0.1, y: 0.2, z: 0.3 },
  { x: 1.1, y: -0.2, z: 0.7 },
  { x: -0.4, y: 0.9, z: -1.3 },
  { x: 0.8, y: 1.7, z: 0.2 },
  { x: -0.9, y: -0.6, z: 0.5 },
];
const normals = [
  { x: 1.5, y: 0.1, z: 0.1 },
  { x: 0.1, y: 1.5, z: 0.1 },
  { x: 0.1, y: 0.1, z: 1.5 },
  { x: 0.7, y: 0.7, z: 0.1 },
];
const kdop = kdops.fitKdop(points, 14);
const other = kdops.fitKdop(points.slice(2), 14);
const polyhedron = boxPolyhedron({ x: 0.1, y: 0.2, z: 0.3 }, { x: 1.1, y: 2.2, z: 3.3 });
const coarse = hulls.coarseHull(polyhedron);
const allocates = 'a fit copies its points once';

const makeAndFit = (hull: ReadonlyPolyhedron, at: ReadonlyPose, out: kdops.Kdop): kdops.Kdop =>
  realign.makeKdopClimber(hull, 14).fit(at, out);

export const samples: Sample[] = [
  { fn: overlap.overlapObbObb, args: { a, b } },
  { fn: overlap.overlapObbObbCoarse, args: { a, b } },
  { fn: overlap.overlapObbObbUpright, args: { a, b } },
  { fn: fitObb, args: { points, method: 'min' }, out: makeObb(), allocates },
  {
    fn: fitRectangle2,
    args: { points: points.map(({ x, y }) => ({ x, y })) },
    out: makeRectangle2(),
    allocates,
  },

  { fn: boxes.containsPointObb, args: { p, box: a } },
  { fn: boxes.cornersObb, args: { box: a } },
  { fn: boxes.mergeObb, args: { a, b }, out: makeObb() },
  { fn: boxes.transformObb, args: { box: a, pose }, out: makeObb() },
  { fn: boxes.areaObb, args: { box: a } },
  { fn: boxes.volumeObb, args: { box: a } },
  { fn: boxes.sideObbPlane, args: { box: a, plane } },

  { fn: capsules.overlapSphereCapsule, args: { sphere, capsule } },
  { fn: capsules.overlapCapsuleCapsule, args: { a: capsule, b: capsule } },
  { fn: capsules.containsPointCapsule, args: { p, capsule } },
  { fn: capsules.fitCapsule, args: { points }, out: makeCapsule(), allocates },
  { fn: lozenges.overlapSphereLozenge, args: { sphere, lozenge } },
  { fn: lozenges.overlapCapsuleLozenge, args: { capsule, lozenge } },
  { fn: lozenges.overlapLozengeLozenge, args: { a: lozenge, b: lozenge } },
  { fn: lozenges.containsPointLozenge, args: { p, lozenge } },
  { fn: lozenges.fitLozenge, args: { points }, out: makeLozenge(), allocates },

  { fn: fitSlabs, args: { points, normals } },
  {
    fn: raySlabs,
    args: { ray, volume: fitSlabs(points, normals), tMax: 10.5 },
    out: makeSpan(),
    mayBeInfinite: ['tMax'],
  },

  { fn: kdops.kdopAxes, args: { sides: 14 } },
  { fn: kdops.fitKdop, args: { points, sides: 14 }, out: kdops.makeKdop(14), allocates },
  { fn: kdops.overlapKdopKdop, args: { a: kdop, b: other } },
  { fn: kdops.containsPointKdop, args: { p, kdop } },
  { fn: kdops.rayKdop, args: { ray, kdop, tMax: 10.5 }, mayBeInfinite: ['tMax'] },
  { fn: kdops.mergeKdop, args: { a: kdop, b: other }, out: kdops.makeKdop(14) },
  { fn: kdops.translateKdop, args: { kdop, v: p }, out: kdops.makeKdop(14) },
  { fn: kdopVolume, args: { sides: 14 } },
  { fn: realign.kdopVertices, args: { kdop } },
  {
    fn: realign.transformKdop,
    args: { kdop, pose, vertices: realign.kdopVertices(kdop) },
    out: kdops.makeKdop(14),
  },
  { fn: realign.measureKdop, args: { kdop } },
  {
    fn: makeAndFit,
    args: { hull: polyhedron, pose },
    out: kdops.makeKdop(14),
    allocates: 'makes the climber too',
  },

  { fn: hulls.coarseHull, args: { polyhedron, spheres: [sphere] } },
  {
    fn: hulls.overlapCoarseHulls,
    args: { a: coarse, b: coarse },
    unchecked: 'hulls were checked when they were made ready',
  },
  { fn: ellipsoids.containsPointEllipsoid, args: { p, ellipsoid: a } },
  {
    fn: ellipsoids.overlapEllipsoidTriangle,
    args: { ellipsoid: a, a: points[0], b: points[1], c: points[2] },
  },
];
