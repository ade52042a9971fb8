/**
 * Rotations as unit quaternions `{x, y, z, w}`; q and -q are the same rotation. Results go to `out`, which may be an
 * input. Plain arithmetic: nothing is checked. `v3.rotate` applies one, `m3.fromQuat` makes a matrix of it.
 */
import { angleOfRegisters, makeSinCos, sincosOfRegister } from './trig.ts';
import type { Quat, ReadonlyMat3, ReadonlyQuat, ReadonlyVec3 } from './types.ts';
import { quat } from './types.ts';

/** For the functions of `trig.ts`: numbers that cross a call are boxed, those in here are not. */
const registers = new Float64Array(4);

export const set = (x: number, y: number, z: number, w: number, out: Quat = quat()): Quat =>
  put(x, y, z, w, out);

/** Small enough (27 bytes of bytecode) for V8 to inline everywhere, so that the numbers are never boxed. */
function put(x: number, y: number, z: number, w: number, out: Quat): Quat {
  out.x = x;
  out.y = y;
  out.z = z;
  out.w = w;
  return out;
}

export const identity = (out: Quat = quat()): Quat => put(0, 0, 0, 1, out);
export const copy = (a: ReadonlyQuat, out: Quat = quat()): Quat => put(a.x, a.y, a.z, a.w, out);
export const dot = (a: ReadonlyQuat, b: ReadonlyQuat): number =>
  a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
/** The same four numbers? */
export const equals = (a: ReadonlyQuat, b: ReadonlyQuat): boolean =>
  a.x === b.x && a.y === b.y && a.z === b.z && a.w === b.w;
/** The rotation back. */
export const conjugate = (a: ReadonlyQuat, out: Quat = quat()): Quat => put(-a.x, -a.y, -a.z, a.w, out);

/** a b: first b, then a. */
export function multiply(a: ReadonlyQuat, b: ReadonlyQuat, out: Quat = quat()): Quat {
  const { x: ax, y: ay, z: az, w: aw } = a;
  const { x: bx, y: by, z: bz, w: bw } = b;
  return put(
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by + ay * bw + az * bx - ax * bz,
    aw * bz + az * bw + ax * by - ay * bx,
    aw * bw - ax * bx - ay * by - az * bz,
    out,
  );
}

/** The unit quaternion along a; the identity when a is zero. */
export function normalize(a: ReadonlyQuat, out: Quat = quat()): Quat {
  const m = Math.max(Math.abs(a.x), Math.abs(a.y), Math.abs(a.z), Math.abs(a.w));
  if (m === 0) return identity(out);
  let { x, y, z, w } = a;
  if (!(m > 1e-140 && m < 1e140)) {
    x /= m;
    y /= m;
    z /= m;
    w /= m;
  }
  const l = Math.sqrt(x * x + y * y + z * z + w * w);
  return put(x / l, y / l, z / l, w / l, out);
}

/** The rotation by `angle` about the unit vector `axis`, counter-clockwise when it points at the viewer. */
export function fromAxisAngle(axis: ReadonlyVec3, angle: number, out: Quat = quat()): Quat {
  registers[0] = 0.5 * angle;
  sincosOfRegister(registers, half);
  return put(axis.x * half.sin, axis.y * half.sin, axis.z * half.sin, half.cos, out);
}
const half = makeSinCos();

/** One of the two quaternions of a rotation matrix. Shepperd 1978. */
export function fromMat3(m: ReadonlyMat3, out: Quat = quat()): Quat {
  const e = m.elements;
  const m00 = e[0]!;
  const m10 = e[1]!;
  const m20 = e[2]!;
  const m01 = e[3]!;
  const m11 = e[4]!;
  const m21 = e[5]!;
  const m02 = e[6]!;
  const m12 = e[7]!;
  const m22 = e[8]!;
  // Four times the squares of the components. Four times their products with the largest are at hand, too.
  const x = 1 + m00 - m11 - m22;
  const y = 1 - m00 + m11 - m22;
  const z = 1 - m00 - m11 + m22;
  const w = 1 + m00 + m11 + m22;
  if (w >= x && w >= y && w >= z) put(m21 - m12, m02 - m20, m10 - m01, w, out);
  else if (x >= y && x >= z) put(x, m10 + m01, m02 + m20, m21 - m12, out);
  else if (y >= z) put(m10 + m01, y, m21 + m12, m02 - m20, out);
  else put(m02 + m20, m21 + m12, z, m10 - m01, out);
  return normalize(out, out);
}

/** The angle of the shortest rotation from a to b, in [0, π]. */
export function angle(a: ReadonlyQuat, b: ReadonlyQuat): number {
  arc(a, b, dot(a, b) < 0 ? -1 : 1);
  return 2 * registers[0]!;
}

/**
 * Leaves the angle between a and ±b on the unit sphere of quaternions in the register: half that of the rotation. The
 * chords |a - b| and |a + b| are the sine and the cosine of its half.
 */
function arc(a: ReadonlyQuat, b: ReadonlyQuat, sign: 1 | -1): void {
  const { x: ax, y: ay, z: az, w: aw } = a;
  const bx = sign * b.x;
  const by = sign * b.y;
  const bz = sign * b.z;
  const bw = sign * b.w;
  registers[0] = Math.sqrt(
    (ax - bx) * (ax - bx) + (ay - by) * (ay - by) + (az - bz) * (az - bz) + (aw - bw) * (aw - bw),
  );
  registers[1] = 0;
  registers[2] = Math.sqrt(
    (ax + bx) * (ax + bx) + (ay + by) * (ay + by) + (az + bz) * (az + bz) + (aw + bw) * (aw + bw),
  );
  registers[3] = 0;
  angleOfRegisters(registers);
  registers[0] = 2 * registers[0]!;
}

/** From a to b the short way, straight and then normalised: the same path as `slerp`, at a slightly uneven speed. */
export function nlerp(a: ReadonlyQuat, b: ReadonlyQuat, t: number, out: Quat = quat()): Quat {
  return blend(a, 1 - t, b, dot(a, b) < 0 ? -t : t, out);
}

/** From a (t = 0) to b or -b (t = 1) the short way at constant angular speed. */
export function slerp(a: ReadonlyQuat, b: ReadonlyQuat, t: number, out: Quat = quat()): Quat {
  const sign = dot(a, b) < 0 ? -1 : 1;
  arc(a, b, sign);
  const theta = registers[0]!; // at most π/2: its sine vanishes only with it
  if (theta < 1e-8) return blend(a, 1 - t, b, sign * t, out); // where sin θ = θ to the last bit
  registers[0] = (1 - t) * theta;
  const s = sincosOfRegister(registers, half).sin;
  registers[0] = t * theta;
  return blend(a, s, b, sign * sincosOfRegister(registers, half).sin, out);
}

/** The rotation halfway from a to b the short way. */
export function halfway(a: ReadonlyQuat, b: ReadonlyQuat, out: Quat = quat()): Quat {
  return blend(a, 1, b, dot(a, b) < 0 ? -1 : 1, out);
}

/** s a + t b, normalised. */
function blend(a: ReadonlyQuat, s: number, b: ReadonlyQuat, t: number, out: Quat): Quat {
  put(s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z, s * a.w + t * b.w, out);
  return normalize(out, out);
}
