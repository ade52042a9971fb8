/**
 * Boxes of boxes that were turned. Always start from the box in the object's own space: the box of a turned box is
 * larger, and the box of that larger still. RTCD §4.2.2, §4.2.3, §4.2.6.
 */
import type { ReadonlyPose, ReadonlyQuat, ReadonlyVec3 } from '../math/types.ts';
import { pose as makePose, quat as makeQuat, mat3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb, ReadonlyAabb, ReadonlySphere } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { aabbsOverlap, writeAabb } from './aabb.ts';
import { type CenterAabb, makeCenterAabb, mustBeCenterAabb, type ReadonlyCenterAabb } from './aabb-forms.ts';
import { type PointSet, readPoints } from './point-set.ts';
import { radiusAbout } from './sphere.ts';
import { mustBeAabb, mustBePoint, mustBePose, mustBeSphere } from './volume-check.ts';
import { addDown, addUp, ROTATION_ERROR } from './volume-rounding.ts';

const matrix = mat3();

/**
 * The box around a posed box, rounded outward: it holds every point of the box after `pose` is applied to it, be it
 * in exact arithmetic or by `rotate` of this library. Without rotation it is tight to the last digit.
 */
export function transformAabb(box: ReadonlyAabb, pose: ReadonlyPose, out: Aabb = makeAabb()): Aabb {
  mustBeAabb('transformAabb', 'box', box);
  mustBePose('transformAabb', 'pose', pose);
  return aabbPosed(box, pose, 0, out);
}

/** `transformAabb` with a slack on every side. */
function aabbPosed(box: ReadonlyAabb, pose: ReadonlyPose, slack: number, out: Aabb): Aabb {
  const { x: ax, y: ay, z: az } = box.min;
  const { x: bx, y: by, z: bz } = box.max;
  const { x: tx, y: ty, z: tz } = pose.position;
  const s = slack + ROTATION_ERROR * loadRotation(pose.quaternion) * reach(box);
  const e = matrix.elements;
  // The image of a product of intervals: along each axis the sum of the low ends, and of the high ends, of the terms.
  return writeAabb(
    addDown(addDown(low(e[0]!, ax, bx) + low(e[3]!, ay, by) + low(e[6]!, az, bz), -s), tx),
    addDown(addDown(low(e[1]!, ax, bx) + low(e[4]!, ay, by) + low(e[7]!, az, bz), -s), ty),
    addDown(addDown(low(e[2]!, ax, bx) + low(e[5]!, ay, by) + low(e[8]!, az, bz), -s), tz),
    addUp(addUp(low(e[0]!, bx, ax) + low(e[3]!, by, ay) + low(e[6]!, bz, az), s), tx),
    addUp(addUp(low(e[1]!, bx, ax) + low(e[4]!, by, ay) + low(e[7]!, bz, az), s), ty),
    addUp(addUp(low(e[2]!, bx, ax) + low(e[5]!, by, ay) + low(e[8]!, bz, az), s), tz),
    out,
  );
}

/** The low end of m [a, b]; with the ends swapped, the high end. */
const low = (m: number, a: number, b: number): number => (m > 0 ? m * a : m * b);

/**
 * Loads the matrix of q. Returns a bound on its entries, by which rounding errors grow when q is not quite of unit
 * length, or 0 when q does not turn anything and so makes no error.
 */
function loadRotation(q: ReadonlyQuat): number {
  const { x, y, z, w } = q;
  const e = matrix.elements;
  e[0] = 1 - 2 * (y * y + z * z);
  e[1] = 2 * (x * y + w * z);
  e[2] = 2 * (x * z - w * y);
  e[3] = 2 * (x * y - w * z);
  e[4] = 1 - 2 * (x * x + z * z);
  e[5] = 2 * (y * z + w * x);
  e[6] = 2 * (x * z + w * y);
  e[7] = 2 * (y * z - w * x);
  e[8] = 1 - 2 * (x * x + y * y);
  return x === 0 && y === 0 && z === 0 ? 0 : Math.max(1, squareOf4(x, y, z, w));
}

/** `transformAabb` for a box given by its middle: the middle moves, the half size goes through the matrix of sizes. */
export function transformCenterAabb(
  box: ReadonlyCenterAabb,
  pose: ReadonlyPose,
  out: CenterAabb = makeCenterAabb(),
): CenterAabb {
  mustBeCenterAabb('transformCenterAabb', 'box', box);
  mustBePose('transformCenterAabb', 'pose', pose);
  const { x: cx, y: cy, z: cz } = box.center;
  const { x: hx, y: hy, z: hz } = box.halfSize;
  const { x: tx, y: ty, z: tz } = pose.position;
  const stretch = loadRotation(pose.quaternion);
  const e = matrix.elements;
  const { center: c, halfSize: h } = out;
  const x = e[0]! * cx + e[3]! * cy + e[6]! * cz;
  const y = e[1]! * cx + e[4]! * cy + e[7]! * cz;
  const z = e[2]! * cx + e[5]! * cy + e[8]! * cz;
  const size = Math.abs(cx) + Math.abs(cy) + Math.abs(cz) + hx + hy + hz;
  const s = ROTATION_ERROR * stretch * size;
  c.x = x + tx;
  c.y = y + ty;
  c.z = z + tz;
  h.x = addUp(Math.abs(e[0]!) * hx + Math.abs(e[3]!) * hy + Math.abs(e[6]!) * hz, lost(x, tx, c.x, s));
  h.y = addUp(Math.abs(e[1]!) * hx + Math.abs(e[4]!) * hy + Math.abs(e[7]!) * hz, lost(y, ty, c.y, s));
  h.z = addUp(Math.abs(e[2]!) * hx + Math.abs(e[5]!) * hy + Math.abs(e[8]!) * hz, lost(z, tz, c.z, s));
  return out;
}

/** What the half size must make up for: s, and what rounding a + b to `sum` lost. */
const lost = (a: number, b: number, sum: number, s: number): number => {
  const error = Math.max(addUp(a, b) - sum, sum - addDown(a, b));
  return error === 0 ? s : addUp(s, error);
};

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
  mustBeAabb('overlapPosedAabbs', 'a', a);
  mustBePose('overlapPosedAabbs', 'poseA', poseA);
  mustBeAabb('overlapPosedAabbs', 'b', b);
  mustBePose('overlapPosedAabbs', 'poseB', poseB);
  return overlapInSpaceOf(a, poseA, b, poseB) && overlapInSpaceOf(b, poseB, a, poseA);
}

const relative = makePose();
const back = makeQuat();
const boxed = makeAabb();

/** Does a overlap the box, in the space of a, of b? */
function overlapInSpaceOf(
  a: ReadonlyAabb,
  poseA: ReadonlyPose,
  b: ReadonlyAabb,
  poseB: ReadonlyPose,
): boolean {
  const { x: px, y: py, z: pz, w: pw } = poseA.quaternion;
  const { x: qx, y: qy, z: qz, w: qw } = poseB.quaternion;
  const { position: t, quaternion: r } = relative;
  // conj(p) q, arranged so that equal rotations cancel to exactly none.
  r.x = pw * qx - px * qw - (py * qz - pz * qy);
  r.y = pw * qy - py * qw - (pz * qx - px * qz);
  r.z = pw * qz - pz * qw - (px * qy - py * qx);
  r.w = pw * qw + (px * qx + py * qy + pz * qz);
  back.x = -px;
  back.y = -py;
  back.z = -pz;
  back.w = pw;
  v3.sub(poseB.position, poseA.position, t);
  const apart = Math.abs(t.x) + Math.abs(t.y) + Math.abs(t.z);
  v3.rotate(t, back, t);
  // Composing the rotations costs as much again as turning the box. A quaternion whose square is 1 + e turns like a
  // unit one but for 2e of the size: here each takes part twice, as itself and as what should undo it.
  const drift = Math.abs(squareOf4(px, py, pz, pw) - 1) + Math.abs(squareOf4(qx, qy, qz, qw) - 1);
  const slack = (ROTATION_ERROR + 8 * drift) * (apart + reach(b));
  return aabbsOverlap(a, aabbPosed(b, relative, slack, boxed));
}

const squareOf4 = (x: number, y: number, z: number, w: number): number => x * x + y * y + z * z + w * w;

/** A bound on the distance of the points of a box from the origin. */
const reach = ({ min, max }: ReadonlyAabb): number =>
  Math.max(Math.abs(min.x), Math.abs(max.x)) +
  Math.max(Math.abs(min.y), Math.abs(max.y)) +
  Math.max(Math.abs(min.z), Math.abs(max.z));

/**
 * A box that holds the points however they are turned about `pivot`, so that a spinning object only ever moves it.
 * It is smallest when the pivot is the middle of the object. RTCD §4.2.3.
 */
export function fitAabbSpinning(points: PointSet, pivot: ReadonlyVec3, out: Aabb = makeAabb()): Aabb {
  const coordinates = readPoints('fitAabbSpinning', points);
  mustBePoint('fitAabbSpinning', 'pivot', pivot);
  const radius = radiusAbout(coordinates, pivot);
  return aabbAround(pivot, radius * (1 + ROTATION_ERROR), out);
}

/** The smallest box around a sphere, rounded outward. */
export function fitAabbSphere(sphere: ReadonlySphere, out: Aabb = makeAabb()): Aabb {
  mustBeSphere('fitAabbSphere', 'sphere', sphere);
  return aabbAround(sphere.center, sphere.radius, out);
}

function aabbAround(c: ReadonlyVec3, r: number, out: Aabb): Aabb {
  return writeAabb(
    addDown(c.x, -r),
    addDown(c.y, -r),
    addDown(c.z, -r),
    addUp(c.x, r),
    addUp(c.y, r),
    addUp(c.z, r),
    out,
  );
}
