/** Oriented boxes: containment, measures, merging, moving, storing. RTCD §4.4. */
import { checkNumbers, checkObb, checkPlane, checkPoint, checkPose, refuse } from '../math/check.ts';
import { EPS64, roundUpF32 } from '../math/float.ts';
import * as m3 from '../math/mat3.ts';
import * as q4 from '../math/quat.ts';
import type { ReadonlyMat3, ReadonlyPlane, ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { mat3, quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Obb, ReadonlyObb } from '../primitives/types.ts';
import { makeObb } from '../primitives/types.ts';
import { ROTATION_ERROR } from './volume-rounding.ts';

/**
 * What a coordinate along an axis, (p - c) · axis, may be off by, as a fraction of |p - c|₁: a difference, a product
 * and two sums are four half-steps; twice that.
 */
const ALONG_ERROR = 4 * EPS64;

/** (p - c) · column. */
const along = (p: ReadonlyVec3, c: ReadonlyVec3, { elements: e }: ReadonlyMat3, at: number): number =>
  (p.x - c.x) * e[at]! + (p.y - c.y) * e[at + 1]! + (p.z - c.z) * e[at + 2]!;

const size1 = (x: number, y: number, z: number): number => Math.abs(x) + Math.abs(y) + Math.abs(z);

/** Is the point in the box or on it? Where rounding leaves a doubt (1e-15 of the distance from the centre), yes. */
export function containsPointObb(p: ReadonlyVec3, box: ReadonlyObb): boolean {
  checkObb('containsPointObb', 'box', box);
  checkPoint('containsPointObb', 'p', p);
  const { center: c, rotation } = box;
  const { x: hx, y: hy, z: hz } = box.halfSize;
  const doubt = ALONG_ERROR * size1(p.x - c.x, p.y - c.y, p.z - c.z);
  return (
    Math.abs(along(p, c, rotation, 0)) <= hx + doubt &&
    Math.abs(along(p, c, rotation, 3)) <= hy + doubt &&
    Math.abs(along(p, c, rotation, 6)) <= hz + doubt
  );
}

const base = vec3();
const p = vec3();
const low = vec3();
const high = vec3();
const center = vec3();
const half = vec3();
/** How much larger the box at hand must be for rounding: in a record, because numbers that cross a call are boxed. */
const slack = { size: 0 };

function grown(box: Obb): Obb {
  const { halfSize: h } = box;
  h.x += slack.size;
  h.y += slack.size;
  h.z += slack.size;
  return box;
}

/**
 * The box along given axes around flat points. The half sizes are measured from the rounded centre and lengthened by
 * what that may be off, so that the box holds its points in exact arithmetic.
 *
 * @internal
 */
export function obbAlongAxes(coordinates: Float64Array, axes: ReadonlyMat3, out: Obb): Obb {
  read(coordinates, 0, base);
  v3.sub(base, base, low);
  v3.copy(low, high);
  v3.copy(low, half);
  for (let i = 3; i < coordinates.length; i += 3) {
    v3.transformTransposed(v3.sub(read(coordinates, i, p), base, p), axes, p);
    v3.min(low, p, low);
    v3.max(high, p, high);
  }
  center.x = 0.5 * (low.x + high.x);
  center.y = 0.5 * (low.y + high.y);
  center.z = 0.5 * (low.z + high.z);
  v3.add(base, v3.transform(center, axes, center), center);
  let reach = 0;
  for (let i = 0; i < coordinates.length; i += 3) {
    v3.sub(read(coordinates, i, p), center, p);
    reach = Math.max(reach, Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.z));
    v3.max(half, v3.abs(v3.transformTransposed(p, axes, p), p), half);
  }
  slack.size = ALONG_ERROR * reach;
  v3.copy(center, out.center);
  v3.copy(half, out.halfSize);
  m3.copy(axes, out.rotation);
  return grown(out);
}

function read(coordinates: Float64Array, i: number, out: Vec3): Vec3 {
  out.x = coordinates[i]!;
  out.y = coordinates[i + 1]!;
  out.z = coordinates[i + 2]!;
  return out;
}

/** The eight corners as x0, y0, z0, x1, …, the sign of each axis by the bits of the index. */
export function cornersObb(box: ReadonlyObb): Float64Array {
  checkObb('cornersObb', 'box', box);
  const corners = new Float64Array(24);
  writeCorners(box, corners, 0);
  return corners;
}

function writeCorners(
  { center: c, halfSize: h, rotation }: ReadonlyObb,
  target: Float64Array,
  at: number,
): void {
  const e = rotation.elements;
  for (let i = 0; i < 8; i++) {
    const x = i & 1 ? h.x : -h.x;
    const y = i & 2 ? h.y : -h.y;
    const z = i & 4 ? h.z : -h.z;
    target[at + 3 * i] = c.x + (e[0]! * x + e[3]! * y + e[6]! * z);
    target[at + 3 * i + 1] = c.y + (e[1]! * x + e[4]! * y + e[7]! * z);
    target[at + 3 * i + 2] = c.z + (e[2]! * x + e[5]! * y + e[8]! * z);
  }
}

/**
 * A box around two boxes: its axes stand halfway between theirs, and its size and then its centre are measured over all
 * sixteen corners. Not the smallest, but cheap. Of a box and itself it is that box, but for rounding. RTCD §6.5.3.
 */
export function mergeObb(a: ReadonlyObb, b: ReadonlyObb, out: Obb = makeObb()): Obb {
  checkObb('mergeObb', 'a', a);
  checkObb('mergeObb', 'b', b);
  checkNumbers('mergeObb', 'a.rotation.elements', a.rotation.elements);
  checkNumbers('mergeObb', 'b.rotation.elements', b.rotation.elements);
  q4.halfway(q4.fromMat3(a.rotation, rotationA), q4.fromMat3(b.rotation, rotationB), rotationA);
  writeCorners(a, sixteen, 0);
  writeCorners(b, sixteen, 24);
  obbAlongAxes(sixteen, m3.fromQuat(rotationA, matrix), out);
  let reach = 0;
  for (let i = 0; i < 48; i += 3)
    reach = Math.max(reach, Math.abs(sixteen[i]!) + Math.abs(sixteen[i + 1]!) + Math.abs(sixteen[i + 2]!));
  // A corner is off by a half-step of its position and three of the sizes, whose sum is below √3 times the reach of the
  // farthest corner: five steps in all.
  slack.size = 6 * EPS64 * reach;
  return grown(out);
}

const rotationA = quat();
const rotationB = quat();
const matrix = mat3();
const middle = vec3();
const sixteen = new Float64Array(48);

/** The posed box, slightly larger: it holds every point of the box after the same pose is applied to it. */
export function transformObb(box: ReadonlyObb, pose: ReadonlyPose, out: Obb = makeObb()): Obb {
  checkObb('transformObb', 'box', box);
  checkPose('transformObb', 'pose', pose);
  const { position: t, quaternion: q } = pose;
  const { center: c, halfSize: h } = box;
  const size = h.x + h.y + h.z;
  const reach =
    Math.abs(c.x) +
    Math.abs(c.y) +
    Math.abs(c.z) +
    (Math.abs(t.x) + Math.abs(t.y) + Math.abs(t.z)) +
    2 * size;
  // A quaternion that is not quite a unit stretches a little, by up to four times this to each side.
  const drift = Math.abs(1 - (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w));
  slack.size = 2 * ROTATION_ERROR * reach + 5 * drift * size;
  v3.add(v3.rotate(c, q, middle), t, middle);
  m3.multiply(m3.fromQuat(q, matrix), box.rotation, out.rotation);
  v3.copy(h, out.halfSize);
  v3.copy(middle, out.center);
  return grown(out);
}

/** Surface area. */
export function areaObb(box: ReadonlyObb): number {
  checkObb('areaObb', 'box', box);
  const { x, y, z } = box.halfSize;
  return 8 * (x * y + y * z + z * x);
}

/** Volume. */
export function volumeObb(box: ReadonlyObb): number {
  checkObb('volumeObb', 'box', box);
  return 8 * box.halfSize.x * box.halfSize.y * box.halfSize.z;
}

/** 1 when the whole box lies in front of the plane, -1 behind, 0 when the plane touches it or rounding leaves a doubt. */
export function sideObbPlane(box: ReadonlyObb, plane: ReadonlyPlane): -1 | 0 | 1 {
  checkObb('sideObbPlane', 'box', box);
  checkPlane('sideObbPlane', 'plane', plane);
  const { normal: n, d } = plane;
  const { center: c, halfSize: h } = box;
  const e = box.rotation.elements;
  const reach =
    Math.abs(n.x * e[0]! + n.y * e[1]! + n.z * e[2]!) * h.x +
    Math.abs(n.x * e[3]! + n.y * e[4]! + n.z * e[5]!) * h.y +
    Math.abs(n.x * e[6]! + n.y * e[7]! + n.z * e[8]!) * h.z;
  const s = n.x * c.x + n.y * c.y + n.z * c.z - d;
  const size =
    Math.abs(n.x * c.x) +
    Math.abs(n.y * c.y) +
    Math.abs(n.z * c.z) +
    Math.abs(d) +
    (Math.abs(n.x) + Math.abs(n.y) + Math.abs(n.z)) * (h.x + h.y + h.z);
  const doubt = 8 * EPS64 * size;
  return s - reach > doubt ? 1 : s + reach < -doubt ? -1 : 0;
}

/** Numbers that a stored box takes: centre, half sizes, quaternion. */
export const OBB_FLOATS = 10;

const packed = makeObb();
const stored = quat();

/**
 * Writes a box that holds the given one after everything has been rounded to single precision.
 *
 * @internal
 */
export function storeObb(box: ReadonlyObb, target: Float32Array, offset: number): void {
  const { center: c, halfSize: h } = box;
  const e = box.rotation.elements;
  q4.fromMat3(box.rotation, stored);
  target[offset] = c.x;
  target[offset + 1] = c.y;
  target[offset + 2] = c.z;
  target[offset + 6] = stored.x;
  target[offset + 7] = stored.y;
  target[offset + 8] = stored.z;
  target[offset + 9] = stored.w;
  // The half sizes along the axes, and about the centre, that will be read back.
  const { center: near, rotation: unpackedAxes } = loadObb(target, offset, packed);
  const shift = size1(c.x - near.x, c.y - near.y, c.z - near.z);
  const slack = 16 * EPS64 * (h.x + h.y + h.z + shift);
  for (let k = 0; k < 3; k++) {
    const reach =
      Math.abs(cosine(unpackedAxes, k, e, 0)) * h.x +
      Math.abs(cosine(unpackedAxes, k, e, 3)) * h.y +
      Math.abs(cosine(unpackedAxes, k, e, 6)) * h.z +
      Math.abs(along(c, near, unpackedAxes, 3 * k));
    target[offset + 3 + k] = roundUpF32(reach + slack);
  }
  if ((target[offset + 3]! + target[offset + 4]! + target[offset + 5]!) * 0 !== 0)
    refuse('obbVolume.store', 'volume', 'must be within the range of float32');
}

const cosine = ({ elements: a }: ReadonlyMat3, column: number, b: ArrayLike<number>, at: number): number =>
  a[3 * column]! * b[at]! + a[3 * column + 1]! * b[at + 1]! + a[3 * column + 2]! * b[at + 2]!;

/** @internal */
export function loadObb(source: Float32Array, offset: number, out: Obb): Obb {
  v3.set(source[offset]!, source[offset + 1]!, source[offset + 2]!, out.center);
  v3.set(source[offset + 3]!, source[offset + 4]!, source[offset + 5]!, out.halfSize);
  q4.set(source[offset + 6]!, source[offset + 7]!, source[offset + 8]!, source[offset + 9]!, stored);
  m3.fromQuat(q4.normalize(stored, stored), out.rotation);
  return out;
}
