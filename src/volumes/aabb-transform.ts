/**
 * Boxes of rotated boxes. Always start from the box in the object's own space: the box of a rotated box is
 * larger, and the box of that larger still. RTCD §4.2.2, §4.2.3, §4.2.6.
 */

import { checkAabb, checkPoint, checkPose, checkSphere } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import * as m3 from '../math/mat3.ts';
import * as q4 from '../math/quat.ts';
import type { ReadonlyPose, ReadonlyQuat, ReadonlyVec3 } from '../math/types.ts';
import { pose as makePose, mat3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb, ReadonlyAabb, ReadonlySphere } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { aabbsOverlap } from './aabb.ts';
import { type CenterAabb, makeCenterAabb, mustBeCenterAabb, type ReadonlyCenterAabb } from './aabb-forms.ts';
import { type PointSet, readPoints } from './point-set.ts';
import { radiusAbout } from './sphere.ts';
import { addDown3, addUp3, ROTATION_ERROR } from './volume-rounding.ts';

const matrix = mat3();
const low = vec3();
const high = vec3();

/**
 * The box around a posed box, rounded outward: it holds every point of the box after `pose` is applied to it, be it
 * in exact arithmetic or by `rotate` of this library. Without rotation it is tight to the last digit.
 */
export function transformAabb(box: ReadonlyAabb, pose: ReadonlyPose, out: Aabb = makeAabb()): Aabb {
  checkAabb('transformAabb', 'box', box);
  checkPose('transformAabb', 'pose', pose);
  return aabbPosed(box, pose, out);
}

/**
 * `transformAabb` without checks.
 *
 * The image of a product of intervals: along each axis the low ends of the terms add up, and so do the high ends. The
 * low end of m [a, b] is m a or m b, by the sign of m.
 */
function aabbPosed(box: ReadonlyAabb, pose: ReadonlyPose, out: Aabb): Aabb {
  const { x: ax, y: ay, z: az } = box.min;
  const { x: bx, y: by, z: bz } = box.max;
  const { quaternion: q, position } = pose;
  const e = m3.fromQuat(q, matrix).elements;
  const e0 = e[0]!;
  const e1 = e[1]!;
  const e2 = e[2]!;
  const e3 = e[3]!;
  const e4 = e[4]!;
  const e5 = e[5]!;
  const e6 = e[6]!;
  const e7 = e[7]!;
  const e8 = e[8]!;
  const s = isRotation(q) ? ROTATION_ERROR * Math.max(1, q4.dot(q, q)) * reach(box) : 0;
  low.x = (e0 > 0 ? e0 * ax : e0 * bx) + (e3 > 0 ? e3 * ay : e3 * by) + (e6 > 0 ? e6 * az : e6 * bz) - s;
  low.y = (e1 > 0 ? e1 * ax : e1 * bx) + (e4 > 0 ? e4 * ay : e4 * by) + (e7 > 0 ? e7 * az : e7 * bz) - s;
  low.z = (e2 > 0 ? e2 * ax : e2 * bx) + (e5 > 0 ? e5 * ay : e5 * by) + (e8 > 0 ? e8 * az : e8 * bz) - s;
  high.x = (e0 > 0 ? e0 * bx : e0 * ax) + (e3 > 0 ? e3 * by : e3 * ay) + (e6 > 0 ? e6 * bz : e6 * az) + s;
  high.y = (e1 > 0 ? e1 * bx : e1 * ax) + (e4 > 0 ? e4 * by : e4 * ay) + (e7 > 0 ? e7 * bz : e7 * az) + s;
  high.z = (e2 > 0 ? e2 * bx : e2 * ax) + (e5 > 0 ? e5 * by : e5 * ay) + (e8 > 0 ? e8 * bz : e8 * az) + s;
  addDown3(low, position, low);
  addUp3(high, position, high);
  v3.copy(low, out.min);
  v3.copy(high, out.max);
  return out;
}

/**
 * Does q rotate anything? If not, applying it makes no error.
 *
 * @internal
 */
export const isRotation = (q: ReadonlyQuat): boolean => !(q.x === 0 && q.y === 0 && q.z === 0);

/** A bound on the distance of the points of a box from the origin. */
const reach = ({ min, max }: ReadonlyAabb): number =>
  Math.max(Math.abs(min.x), Math.abs(max.x)) +
  Math.max(Math.abs(min.y), Math.abs(max.y)) +
  Math.max(Math.abs(min.z), Math.abs(max.z));

/** `transformAabb` for a box given by its middle: the middle moves, the half size goes through the matrix of sizes. */
export function transformCenterAabb(
  box: ReadonlyCenterAabb,
  pose: ReadonlyPose,
  out: CenterAabb = makeCenterAabb(),
): CenterAabb {
  mustBeCenterAabb('transformCenterAabb', 'box', box);
  checkPose('transformCenterAabb', 'pose', pose);
  const { x: cx, y: cy, z: cz } = box.center;
  const { x: hx, y: hy, z: hz } = box.halfSize;
  const { quaternion: q, position } = pose;
  const size = Math.abs(cx) + Math.abs(cy) + Math.abs(cz) + hx + hy + hz;
  const s = isRotation(q) ? ROTATION_ERROR * Math.max(1, q4.dot(q, q)) * size : 0;
  // Written out: V8 stops inlining before the end of this function, and boxes what crosses a call.
  const e = m3.fromQuat(q, matrix).elements;
  const e0 = e[0]!;
  const e1 = e[1]!;
  const e2 = e[2]!;
  const e3 = e[3]!;
  const e4 = e[4]!;
  const e5 = e[5]!;
  const e6 = e[6]!;
  const e7 = e[7]!;
  const e8 = e[8]!;
  low.x = e0 * cx + e3 * cy + e6 * cz;
  low.y = e1 * cx + e4 * cy + e7 * cz;
  low.z = e2 * cx + e5 * cy + e8 * cz;
  high.x = Math.abs(e0) * hx + Math.abs(e3) * hy + Math.abs(e6) * hz;
  high.y = Math.abs(e1) * hx + Math.abs(e4) * hy + Math.abs(e7) * hz;
  high.z = Math.abs(e2) * hx + Math.abs(e5) * hy + Math.abs(e8) * hz;
  slack.x = s;
  slack.y = s;
  slack.z = s;
  if (!v3.equals(position, ORIGIN)) {
    // The middle is rounded, and the half size has to make up for it.
    low.x += position.x;
    low.y += position.y;
    low.z += position.z;
    slack.x += EPS64 * Math.abs(low.x);
    slack.y += EPS64 * Math.abs(low.y);
    slack.z += EPS64 * Math.abs(low.z);
  }
  const { center } = out;
  center.x = low.x;
  center.y = low.y;
  center.z = low.z;
  addUp3(high, slack, out.halfSize);
  return out;
}

const ORIGIN: ReadonlyVec3 = vec3();
const slack = vec3();

/**
 * Do two posed boxes overlap, as far as boxes can tell? Each is boxed in the space of the other: half the work of
 * going to world space, tighter, and as precise a hundred million units out as at the origin, because the positions
 * are subtracted first. Errs towards yes: a pair apart along a cross product of edges only counts as overlapping.
 * RTCD §4.2.2.
 */
export function overlapPosedAabbs(
  a: ReadonlyAabb,
  poseA: ReadonlyPose,
  b: ReadonlyAabb,
  poseB: ReadonlyPose,
): boolean {
  checkAabb('overlapPosedAabbs', 'a', a);
  checkPose('overlapPosedAabbs', 'poseA', poseA);
  checkAabb('overlapPosedAabbs', 'b', b);
  checkPose('overlapPosedAabbs', 'poseB', poseB);
  return overlapInSpaceOf(a, poseA, b, poseB) && overlapInSpaceOf(b, poseB, a, poseA);
}

const relative = makePose();
const boxed = makeAabb();

/** Does a overlap the box, in the space of a, of b? */
function overlapInSpaceOf(
  a: ReadonlyAabb,
  poseA: ReadonlyPose,
  b: ReadonlyAabb,
  poseB: ReadonlyPose,
): boolean {
  const { quaternion: p } = poseA;
  const { quaternion: q } = poseB;
  const { position: t, quaternion: r } = relative;
  q4.multiply(q4.conjugate(p, r), q, r); // exactly no rotation when they are equal
  v3.sub(poseB.position, poseA.position, t);
  const apart = Math.abs(t.x) + Math.abs(t.y) + Math.abs(t.z);
  v3.rotateInverse(t, p, t);
  // Composing the rotations costs as much again as rotating the box. A quaternion whose square is 1 + e rotates like a
  // unit one but for 2e of the size: here each takes part twice, as itself and as what should undo it.
  const drift = Math.abs(q4.dot(p, p) - 1) + Math.abs(q4.dot(q, q) - 1);
  const s = (ROTATION_ERROR + 8 * drift) * (apart + reach(b));
  const { min, max } = aabbPosed(b, relative, boxed);
  v3.set(min.x - s, min.y - s, min.z - s, min);
  v3.set(max.x + s, max.y + s, max.z + s, max);
  return aabbsOverlap(a, boxed);
}

/**
 * A box that holds the points however they are rotated about `pivot`, so that a spinning object only ever moves it.
 * It is smallest when the pivot is the middle of the object. RTCD §4.2.3.
 */
export function fitAabbSpinning(points: PointSet, pivot: ReadonlyVec3, out: Aabb = makeAabb()): Aabb {
  const coordinates = readPoints('fitAabbSpinning', points);
  checkPoint('fitAabbSpinning', 'pivot', pivot);
  const radius = radiusAbout(coordinates, pivot);
  return aabbAround(pivot, radius * (1 + ROTATION_ERROR), out);
}

/** The smallest box around a sphere, rounded outward. */
export function fitAabbSphere(sphere: ReadonlySphere, out: Aabb = makeAabb()): Aabb {
  checkSphere('fitAabbSphere', 'sphere', sphere);
  return aabbAround(sphere.center, sphere.radius, out);
}

function aabbAround(c: ReadonlyVec3, r: number, out: Aabb): Aabb {
  addDown3(c, v3.set(-r, -r, -r, low), low);
  addUp3(c, v3.set(r, r, r, high), high);
  v3.copy(low, out.min);
  v3.copy(high, out.max);
  return out;
}
