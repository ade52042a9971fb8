/**
 * Lozenges: everything within a radius of a rectangle. RTCD §4.5.
 *
 * A tight volume for flat, rounded things. Production has rounded shapes (`convex/core.ts`): a core and a radius, by GJK.
 */
import { checkPoint, checkSphere, checkTube, mustBeLength, mustHave, refuse } from '../../math/check.ts';
import { scalb } from '../../math/float.ts';
import * as m3 from '../../math/mat3.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import {
  closestPointsSegmentTriangle,
  closestPointsTriangleTriangle,
} from '../../primitives/closest/index.ts';
import type { Lozenge, ReadonlyCapsule, ReadonlyLozenge, ReadonlySphere } from '../../primitives/types.ts';
import { makeLozenge, makePointPair } from '../../primitives/types.ts';
import {
  alongAxes,
  farthestFrom,
  MEDIAL_ERROR,
  medialSpan,
  spreadAxes,
  within,
} from '../../volumes/capsule.ts';
import { type PointSet, readPoints } from '../../volumes/point-set.ts';
import { enterFrame, leaveFrame } from '../../volumes/point-set-frame.ts';

/** Do a sphere and a lozenge share a point? */
export function overlapSphereLozenge(sphere: ReadonlySphere, lozenge: ReadonlyLozenge): boolean {
  checkSphere('overlapSphereLozenge', 'sphere', sphere);
  mustBeLozenge('overlapSphereLozenge', 'lozenge', lozenge);
  return within(distanceSqToRectangle(sphere.center, lozenge), sphere.radius + lozenge.radius);
}

/** Do a capsule and a lozenge share a point? */
export function overlapCapsuleLozenge(capsule: ReadonlyCapsule, lozenge: ReadonlyLozenge): boolean {
  checkTube('overlapCapsuleLozenge', 'capsule', capsule);
  mustBeLozenge('overlapCapsuleLozenge', 'lozenge', lozenge);
  const r = capsule.radius + lozenge.radius;
  const [p, q, s, t] = cornersOf(lozenge, first);
  const { a, b } = capsule;
  return (
    within(closestPointsSegmentTriangle(a, b, p, q, s, pair).distanceSq, r) ||
    within(closestPointsSegmentTriangle(a, b, p, s, t, pair).distanceSq, r)
  );
}

/** Do two lozenges share a point? */
export function overlapLozengeLozenge(a: ReadonlyLozenge, b: ReadonlyLozenge): boolean {
  mustBeLozenge('overlapLozengeLozenge', 'a', a);
  mustBeLozenge('overlapLozengeLozenge', 'b', b);
  const r = a.radius + b.radius;
  const [p, q, s, t] = cornersOf(a, first);
  const [u, v, w, x] = cornersOf(b, second);
  return (
    within(closestPointsTriangleTriangle(p, q, s, u, v, w, pair).distanceSq, r) ||
    within(closestPointsTriangleTriangle(p, q, s, u, w, x, pair).distanceSq, r) ||
    within(closestPointsTriangleTriangle(p, s, t, u, v, w, pair).distanceSq, r) ||
    within(closestPointsTriangleTriangle(p, s, t, u, w, x, pair).distanceSq, r)
  );
}

/** Is the point in the lozenge or on it? */
export function containsPointLozenge(p: ReadonlyVec3, lozenge: ReadonlyLozenge): boolean {
  checkPoint('containsPointLozenge', 'p', p);
  mustBeLozenge('containsPointLozenge', 'lozenge', lozenge);
  return within(distanceSqToRectangle(p, lozenge), lozenge.radius);
}

/**
 * A lozenge around the points: the rectangle lies across the direction of least spread, which sets the radius, and is
 * pulled in as far as the rounding of its rim allows. RTCD §4.5.2.
 */
export function fitLozenge(points: PointSet, out: Lozenge = makeLozenge()): Lozenge {
  const world = readPoints('fitLozenge', points);
  const local = world.slice();
  const frame = enterFrame(local);
  const axes = spreadAxes(local);
  alongAxes(local, axes);
  const count = local.length / 3;
  let low = Infinity;
  let high = -Infinity;
  for (let i = 2; i < local.length; i += 3) {
    low = Math.min(low, local[i]!);
    high = Math.max(high, local[i]!);
  }
  const middle = 0.5 * (low + high);
  const thickness = 0.5 * (high - low);
  // Seen along one side, the points must fit a capsule along the other with the radius at hand.
  const heightSq = (i: number): number => (local[3 * i + 2]! - middle) * (local[3 * i + 2]! - middle);
  const [u0, u1] = medialSpan(count, thickness, (i) => local[3 * i]!, heightSq);
  const [v0, v1] = medialSpan(count, thickness, (i) => local[3 * i + 1]!, heightSq);
  leaveFrame(frame, v3.transform(vec3(u0, v0, middle), axes), out.corner);
  // Not from corners in the world, whose rounding would turn a short side.
  const unit = scalb(1, frame.exponent);
  v3.scale(m3.column(axes, 0), (u1 - u0) * unit, out.edge0);
  v3.scale(m3.column(axes, 1), (v1 - v0) * unit, out.edge1);
  // The corners of the rim see both sides at once, so the radius is measured anew; it holds every point.
  const farthest = farthestFrom(world, (p) => distanceSqToRectangle(p, out));
  out.radius = farthest + MEDIAL_ERROR * (v3.length(out.edge0) + v3.length(out.edge1) + farthest);
  return out;
}

/**
 * Squared distance of a point from the medial rectangle: along each edge clamped, which right angles allow. Seen from
 * the corner, so that the place in the world costs no digits.
 */
function distanceSqToRectangle(p: ReadonlyVec3, { corner: c, edge0: e, edge1: f }: ReadonlyLozenge): number {
  const x = p.x - c.x;
  const y = p.y - c.y;
  const z = p.z - c.z;
  const s = fraction(x * e.x + y * e.y + z * e.z, e.x * e.x + e.y * e.y + e.z * e.z);
  const t = fraction(x * f.x + y * f.y + z * f.z, f.x * f.x + f.y * f.y + f.z * f.z);
  const dx = x - s * e.x - t * f.x;
  const dy = y - s * e.y - t * f.y;
  const dz = z - s * e.z - t * f.z;
  return dx * dx + dy * dy + dz * dz;
}

/** part / whole in [0, 1]; an edge of length zero has only its start. */
const fraction = (part: number, whole: number): number =>
  part <= 0 ? 0 : part >= whole ? +(whole > 0) : part / whole;

const pair = makePointPair();
type Corners = [Vec3, Vec3, Vec3, Vec3];
const first: Corners = [vec3(), vec3(), vec3(), vec3()];
const second: Corners = [vec3(), vec3(), vec3(), vec3()];

/** The corners of the medial rectangle, going round. */
function cornersOf({ corner: c, edge0: e, edge1: f }: ReadonlyLozenge, out: Corners): Corners {
  v3.copy(c, out[0]);
  v3.add(c, e, out[1]);
  v3.add(out[1], f, out[2]);
  v3.add(c, f, out[3]);
  return out;
}

function mustBeLozenge(caller: string, name: string, lozenge: ReadonlyLozenge): void {
  mustHave(caller, name, lozenge, 'a lozenge {corner, edge0, edge1, radius}', 'corner');
  const { corner: c, edge0: e, edge1: f, radius } = lozenge;
  checkPoint(caller, `${name}.corner`, c);
  checkPoint(caller, `${name}.edge0`, e);
  checkPoint(caller, `${name}.edge1`, f);
  mustBeLength(caller, `${name}.radius`, radius);
  const square = v3.lengthSq(e) * v3.lengthSq(f);
  const cosine = v3.dot(e, f);
  // A millionth of a right angle: what a rectangle kept in single precision has lost.
  if (!(cosine * cosine <= 1e-12 * square)) refuse(caller, name, 'must have edges at a right angle');
}
