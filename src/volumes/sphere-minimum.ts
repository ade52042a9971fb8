/**
 * The smallest sphere around points, around spheres, and the smallest circle in the plane. RTCD §4.3.5.
 *
 * All three are one problem: find the center from which the farthest ball (points are balls of radius 0) reaches
 * least far. At most four balls decide it. We hold such a support set with its own smallest sphere, look for the ball
 * that reaches farthest out of that sphere (the pivot of Gärtner 1999) and solve for the support set and that ball:
 * at most five balls, among which every subset that could be the new support is tried. The radius grows with each
 * step, so it ends, after ten steps or so. Nothing is recursive and nothing depends on the order of the input beyond ties.
 *
 * Degenerate supports (duplicate, collinear, coplanar or cospherical points) need no cases of their own: a subset is
 * not accepted by its equations but by how far the five balls reach from the center that it proposes, and a center
 * spoilt by rounding just loses. Welzl's recursion fails for spheres, this does not: Fischer
 * and Gärtner 2004.
 */

import { checkSphere, mustBeList, refuse } from '../math/check.ts';
import { solveQuadratic } from '../math/roots.ts';
import type { ReadonlyVec3, Vec2, Vec3 } from '../math/types.ts';
import { vec2, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { ReadonlySphere, Sphere } from '../primitives/types.ts';
import { makeSphere } from '../primitives/types.ts';
import { type PointSet, type PointSet2, readPoints, readPoints2 } from './point-set.ts';
import { enterFrame, leaveFrame } from './point-set-frame.ts';
import { radiusAbout, reachAbout } from './sphere.ts';

export interface Circle {
  center: Vec2;
  radius: number;
}

export const makeCircle = (): Circle => ({ center: vec2(), radius: 0 });

/** The smallest sphere around the points, to about 1e-15 of its size; it holds every one of them. */
export function fitSphereMinimum(points: PointSet, out: Sphere = makeSphere()): Sphere {
  const world = readPoints('fitSphereMinimum', points);
  minimumCenter(world, undefined, out.center);
  out.radius = radiusAbout(world, out.center);
  return out;
}

/** The smallest circle around points of the plane, to about 1e-15 of its size; it holds every one of them. */
export function fitCircleMinimum(points: PointSet2, out: Circle = makeCircle()): Circle {
  const world = readPoints2('fitCircleMinimum', points);
  const center = minimumCenter(world, undefined, vec3());
  out.center.x = center.x;
  out.center.y = center.y;
  out.radius = radiusAbout(world, center);
  return out;
}

/** The smallest sphere around spheres, to about 1e-15 of its size; it holds every one of them. */
export function fitSphereSpheres(spheres: readonly ReadonlySphere[], out: Sphere = makeSphere()): Sphere {
  mustBeList('fitSphereSpheres', 'spheres', spheres);
  const caller = 'fitSphereSpheres';
  if (!(spheres.length > 0)) refuse(caller, 'spheres', 'must hold at least one sphere');
  const world = new Float64Array(3 * spheres.length);
  const radii = new Float64Array(spheres.length);
  for (let i = 0; i < spheres.length; i++) {
    const sphere = spheres[i]!;
    checkSphere(caller, `spheres[${i}]`, sphere);
    world[3 * i] = sphere.center.x;
    world[3 * i + 1] = sphere.center.y;
    world[3 * i + 2] = sphere.center.z;
    radii[i] = sphere.radius;
  }
  const center = minimumCenter(world, radii, vec3());
  let radius = 0;
  for (const sphere of spheres) radius = Math.max(radius, reachAbout(center, sphere));
  v3.copy(center, out.center);
  out.radius = radius;
  return out;
}

/** A set of balls that decide a sphere, with that sphere. */
interface Support {
  members: number[];
  center: Vec3;
  radius: number;
}

function minimumCenter(world: Float64Array, worldRadii: Float64Array | undefined, out: Vec3): Vec3 {
  const points = world.slice();
  const radii = worldRadii?.slice() ?? new Float64Array(world.length / 3);
  const frame = enterFrame(points, radii);
  const balls = { points, radii };
  const first = farthest(balls, ORIGIN);
  let support: Support = { members: [first], center: centerOf(balls, first), radius: radii[first]! };
  const best = vec3();
  let bestReach = Infinity;
  let radius = -1;
  for (let idle = 0; idle < PATIENCE; ) {
    const pivot = farthest(balls, support.center);
    const reach = reachOf(balls, pivot, support.center);
    idle = reach < bestReach || support.radius > radius ? 0 : idle + 1;
    radius = Math.max(radius, support.radius);
    if (reach < bestReach) {
      bestReach = reach;
      v3.copy(support.center, best);
    }
    if (!(reach > support.radius)) break;
    support = exchange(balls, support.members, pivot);
  }
  return leaveFrame(frame, best, out);
}

/**
 * How many steps to go on for when neither the radius grows nor the reach shrinks. A support that gains a member may
 * have its radius grow by the square of what stuck out, that is by nothing, while its center moves and lets others
 * stick out more. Two such steps in a row are the most that 300,000 nearly degenerate sets needed.
 */
const PATIENCE = 8;

const ORIGIN: ReadonlyVec3 = vec3();

interface Balls {
  readonly points: Float64Array;
  readonly radii: Float64Array;
}

const centerOf = ({ points }: Balls, i: number): Vec3 =>
  vec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);

/** The ball that reaches farthest from p. */
function farthest({ points, radii }: Balls, { x: px, y: py, z: pz }: ReadonlyVec3): number {
  let most = -1;
  let found = 0;
  for (let i = 0; i < radii.length; i++) {
    const x = points[3 * i]! - px;
    const y = points[3 * i + 1]! - py;
    const z = points[3 * i + 2]! - pz;
    const reach = Math.sqrt(x * x + y * y + z * z) + radii[i]!;
    if (reach > most) {
      most = reach;
      found = i;
    }
  }
  return found;
}

function reachOf({ points, radii }: Balls, i: number, p: ReadonlyVec3): number {
  const x = points[3 * i]! - p.x;
  const y = points[3 * i + 1]! - p.y;
  const z = points[3 * i + 2]! - p.z;
  return Math.sqrt(x * x + y * y + z * z) + radii[i]!;
}

/** The subsets of up to three of four members, small ones first, so that of equal solutions the simplest wins. */
const SUBSETS = [0, 1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14];

/** The smallest sphere around the members and the pivot, which is known to be in its support. */
function exchange(balls: Balls, members: readonly number[], pivot: number): Support {
  const all = [...members, pivot];
  const best: Support = { members: [pivot], center: vec3(), radius: Infinity };
  for (const subset of SUBSETS) {
    if (subset >= 1 << members.length) continue;
    const others = members.filter((_, k) => (subset >> k) & 1);
    for (const center of tangentCenters(balls, pivot, others)) {
      let radius = 0;
      for (const i of all) radius = Math.max(radius, reachOf(balls, i, center));
      if (!(radius < best.radius)) continue;
      best.members = [pivot, ...others];
      best.center = center;
      best.radius = radius;
    }
  }
  return best;
}

/**
 * The centers, in the span of the centers of the balls, of the spheres that touch `first` and the others from around.
 *
 * With x the center and ρ = R - r₀, both seen from the first ball, |x| = ρ and |x - dᵢ| = ρ - sᵢ, where dᵢ is the
 * offset of ball i and sᵢ = rᵢ - r₀. The differences of the squares are linear: dᵢ · x = (dᵢ² - sᵢ²) / 2 + ρ sᵢ.
 * Vectors wᵢ in the span with dᵢ · wⱼ = 1 if i = j else 0 solve them: x = e + ρ f. Then |x|² = ρ² gives ρ.
 */
function tangentCenters(balls: Balls, first: number, others: readonly number[]): Vec3[] {
  const origin = centerOf(balls, first);
  const offsets = others.map((i) => v3.sub(centerOf(balls, i), origin));
  const dual = dualVectors(offsets);
  const e = vec3();
  const f = vec3();
  for (let k = 0; k < others.length; k++) {
    const s = balls.radii[others[k]!]! - balls.radii[first]!;
    v3.addScaled(e, dual[k]!, 0.5 * (v3.lengthSq(offsets[k]!) - s * s), e);
    v3.addScaled(f, dual[k]!, s, f);
  }
  if ((e.x + e.y + e.z + (f.x + f.y + f.z)) * 0 !== 0) return [];
  const touching = (rho: number): Vec3 => v3.add(origin, v3.addScaled(e, f, rho));
  if (f.x === 0 && f.y === 0 && f.z === 0) return [touching(0)];
  const { count, t0, t1 } = solveQuadratic(v3.lengthSq(f) - 1, v3.dot(e, f), v3.lengthSq(e));
  return count === 2 ? [touching(t0), touching(t1)] : count === 1 ? [touching(t0)] : [];
}

/** The vectors wᵢ in the span of up to three vectors dᵢ with dᵢ · wⱼ = 1 if i = j else 0; not finite if there are none. */
function dualVectors(d: readonly Vec3[]): Vec3[] {
  const [a, b, c] = d;
  if (!a) return [];
  if (!b) return [v3.scale(a, 1 / v3.lengthSq(a))];
  const n = v3.cross(a, b);
  if (!c) {
    const s = 1 / v3.lengthSq(n);
    return [v3.scale(v3.cross(b, n), s), v3.scale(v3.cross(n, a), s)];
  }
  const s = 1 / v3.dot(n, c);
  return [v3.scale(v3.cross(b, c), s), v3.scale(v3.cross(c, a), s), v3.scale(n, s)];
}
