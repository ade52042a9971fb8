/**
 * Blending by dual quaternions (Kavan, Collins, Žára and O'Sullivan 2007): what a vertex follows stays a rotation and a translation,
 * so that a twisted wrist keeps its girth. And what bounds it.
 *
 * With unit dual quaternions qᵢ + ε dᵢ of the joints, signs sᵢ that bring each qᵢ to the side of the strongest, b = Σ wᵢ sᵢ qᵢ and
 * d = Σ wᵢ sᵢ dᵢ, a vertex v goes to (b v b* + 2 vec(d b*)) / |b|². Numerator and denominator are quadratic in the weights:
 *
 *        Σᵢⱼ wᵢ wⱼ sᵢ sⱼ nᵢⱼ(v)
 *   v' = ──────────────────────    with nᵢⱼ(v) = (qᵢ v qⱼ* + qⱼ v qᵢ*) / 2 + vec(dᵢ qⱼ* + dⱼ qᵢ*), which is affine in v,
 *        Σᵢⱼ wᵢ wⱼ sᵢ sⱼ gᵢⱼ             gᵢⱼ = qᵢ · qⱼ, and nᵢᵢ the motion of joint i, gᵢᵢ = 1.
 *
 * So it is as if the vertex followed joints and pairs of joints, by the products of weights, linearly, but for the denominator D.
 * With the strongest weight w ≥ 1/n of n, |b| ≥ Σ wᵢ |qᵢ · q| ≥ w, so that D is at least 1/n², and no pose divides by 0.
 * Where all sᵢ sⱼ gᵢⱼ are at least 0, D ≥ Σ wᵢ² ≥ 1/n, and v' is a convex combination of the nᵢⱼ(v) / gᵢⱼ.
 */
import * as q4 from '../math/quat.ts';
import { mat3, quat } from '../math/types.ts';

/** What vertices follow, as in `Skin`. */
interface Followed {
  readonly start: Uint32Array;
  readonly joints: Uint16Array;
  readonly weights: Float64Array;
}

/** Products of two weights, for what bounds them: those of pairs have numbers from the count of the joints on. */
export interface WeightProducts {
  readonly start: Uint32Array;
  readonly joints: Uint32Array;
  readonly weights: Float64Array;
  /** Two joints a pair, the lower number first; sorted by the higher one. */
  readonly pairs: Uint16Array;
  /** The most joints that a vertex follows. */
  readonly most: number;
}

/** @internal */
export function weightProducts({ start, joints, weights }: Followed, jointCount: number): WeightProducts {
  const keys = new Set<number>();
  const count = start.length - 1;
  let terms = 0;
  let most = 1;
  for (let v = 0; v < count; v++) {
    const n = start[v + 1]! - start[v]!;
    terms += (n * (n + 1)) / 2;
    most = Math.max(most, n);
    for (let i = start[v]!; i < start[v + 1]!; i++)
      for (let j = start[v]!; j < i; j++) keys.add(joints[i]! * jointCount + joints[j]!);
  }
  const sorted = Float64Array.from(keys).sort();
  const numbers = new Map<number, number>();
  const pairs = new Uint16Array(2 * sorted.length);
  sorted.forEach((key, pair) => {
    numbers.set(key, jointCount + pair);
    pairs[2 * pair] = key % jointCount;
    pairs[2 * pair + 1] = Math.floor(key / jointCount);
  });
  const out = {
    start: new Uint32Array(count + 1),
    joints: new Uint32Array(terms),
    weights: new Float64Array(terms),
    pairs,
    most,
  };
  let at = 0;
  for (let v = 0; v < count; v++) {
    for (let i = start[v]!; i < start[v + 1]!; i++) {
      out.joints[at] = joints[i]!;
      out.weights[at++] = weights[i]! * weights[i]!;
      for (let j = start[v]!; j < i; j++) {
        out.joints[at] = numbers.get(joints[i]! * jointCount + joints[j]!)!;
        out.weights[at++] = 2 * weights[i]! * weights[j]!;
      }
    }
    out.start[v + 1] = at;
  }
  return out;
}

/** So far from perpendicular unit vectors may the columns of a matrix be that stands for a rotation. */
const RIGID = 1e-4;

/** Is the upper part of a matrix of rows (twelve numbers) a rotation, but for rounding? */
export function isRigid(m: ArrayLike<number>, at: number): boolean {
  for (let i = 0; i < 3; i++)
    for (let j = i; j < 3; j++) {
      let sum = i === j ? -1 : 0;
      for (let row = 0; row < 3; row++) sum += m[at + 4 * row + i]! * m[at + 4 * row + j]!;
      if (!(Math.abs(sum) <= RIGID)) return false;
    }
  const minor = (i: number, j: number): number =>
    m[at + 4 + i]! * m[at + 8 + j]! - m[at + 4 + j]! * m[at + 8 + i]!;
  return m[at]! * minor(1, 2) - m[at + 1]! * minor(0, 2) + m[at + 2]! * minor(0, 1) > 0;
}

/** The joints of one pose as dual quaternions. */
export class DualQuaternions {
  /** Eight numbers a joint: x, y, z, w of the rotation, then of half the translation times it. */
  readonly joints: Float64Array;
  /** By joint 1, by pair gᵢⱼ with the sign that makes it positive: nᵢⱼ has the same. */
  readonly shares: Float64Array;
  /** Pairs of joints whose signs may be others in some vertex than by themselves: three rotations, far from each other. */
  readonly isDoubtful: Uint8Array;
  private readonly signs: Int8Array;
  private readonly products: WeightProducts;

  constructor(jointCount: number, products: WeightProducts) {
    const count = jointCount + products.pairs.length / 2;
    this.joints = new Float64Array(8 * jointCount);
    this.shares = new Float64Array(count).fill(1);
    this.isDoubtful = new Uint8Array(count);
    this.signs = new Int8Array(jointCount);
    this.products = products;
  }

  /** Takes the matrices of the joints, makes them those of the dual quaternions exactly, and adds those of the pairs. */
  set(matrices: Float64Array): void {
    const { joints, shares, isDoubtful, signs } = this;
    const { pairs } = this.products;
    const count = signs.length;
    for (let joint = 0; joint < count; joint++) {
      readMotion(matrices, 12 * joint, joints, 8 * joint);
      writeMatrix(joints, 8 * joint, 8 * joint, 1, matrices, 12 * joint);
    }
    // One sign for each joint, by the pair that is met first: pairs that agree with these agree in every vertex that has no others.
    signs.fill(0);
    for (let pair = 0; pair < pairs.length / 2; pair++) {
      const i = pairs[2 * pair]!;
      const j = pairs[2 * pair + 1]!;
      const g = dot(joints, 8 * i, 8 * j);
      const sign = g < 0 ? -1 : 1;
      if (signs[i] === 0) signs[i] = 1;
      if (signs[j] === 0) signs[j] = signs[i]! * sign;
      isDoubtful[count + pair] = signs[i]! * signs[j]! === sign ? 0 : 1;
      shares[count + pair] = Math.abs(g);
      writeMatrix(joints, 8 * i, 8 * j, sign, matrices, 12 * (count + pair));
    }
  }

  /** As another one of the same skin. */
  copy({ joints, shares, isDoubtful }: DualQuaternions): void {
    this.joints.set(joints);
    this.shares.set(shares);
    this.isDoubtful.set(isDoubtful);
  }

  /** Moves a vertex of a skin that stands among the points. */
  move({ start, joints: list, weights }: Followed, vertex: number, points: Float64Array): void {
    const { joints: q } = this;
    const first = start[vertex]!;
    const end = start[vertex + 1]!;
    const at = 3 * vertex;
    let pivot = first;
    for (let i = first + 1; i < end; i++) if (weights[i]! > weights[pivot]!) pivot = i;
    pivot = 8 * list[pivot]!;
    let bx = 0;
    let by = 0;
    let bz = 0;
    let bw = 0;
    let dx = 0;
    let dy = 0;
    let dz = 0;
    let dw = 0;
    for (let i = first; i < end; i++) {
      const j = 8 * list[i]!;
      const w = dot(q, Math.min(j, pivot), Math.max(j, pivot)) < 0 ? -weights[i]! : weights[i]!;
      bx += w * q[j]!;
      by += w * q[j + 1]!;
      bz += w * q[j + 2]!;
      bw += w * q[j + 3]!;
      dx += w * q[j + 4]!;
      dy += w * q[j + 5]!;
      dz += w * q[j + 6]!;
      dw += w * q[j + 7]!;
    }
    const twice = 2 / (bx * bx + by * by + bz * bz + bw * bw);
    const x = points[at]!;
    const y = points[at + 1]!;
    const z = points[at + 2]!;
    // With u the vector of b: b v b* / |b|² = v + 2 (u × (u × v) + w u × v) / |b|².
    const cx = by * z - bz * y;
    const cy = bz * x - bx * z;
    const cz = bx * y - by * x;
    points[at] = x + twice * (by * cz - bz * cy + bw * cx + bw * dx - dw * bx + by * dz - bz * dy);
    points[at + 1] = y + twice * (bz * cx - bx * cz + bw * cy + bw * dy - dw * by + bz * dx - bx * dz);
    points[at + 2] = z + twice * (bx * cy - by * cx + bw * cz + bw * dz - dw * bz + bx * dy - by * dx);
  }
}

const dot = (q: Float64Array, i: number, j: number): number =>
  q[i]! * q[j]! + q[i + 1]! * q[j + 1]! + q[i + 2]! * q[j + 2]! + q[i + 3]! * q[j + 3]!;

const rotation = mat3();
const turn = quat();

/** A motion that is known to be rigid, as a unit dual quaternion. */
function readMotion(m: Float64Array, at: number, out: Float64Array, to: number): void {
  for (let row = 0; row < 3; row++)
    for (let column = 0; column < 3; column++)
      rotation.elements[3 * column + row] = m[at + 4 * row + column]!;
  const { x, y, z, w } = q4.fromMat3(rotation, turn);
  const tx = m[at + 3]!;
  const ty = m[at + 7]!;
  const tz = m[at + 11]!;
  out[to] = x;
  out[to + 1] = y;
  out[to + 2] = z;
  out[to + 3] = w;
  out[to + 4] = (tx * w + ty * z - tz * y) / 2;
  out[to + 5] = (ty * w + tz * x - tx * z) / 2;
  out[to + 6] = (tz * w + tx * y - ty * x) / 2;
  out[to + 7] = -(tx * x + ty * y + tz * z) / 2;
}

/** Writes nᵢⱼ times a sign, of two dual quaternions, or nᵢᵢ, the motion itself, as rows. */
function writeMatrix(
  q: Float64Array,
  i: number,
  j: number,
  sign: number,
  out: Float64Array,
  to: number,
): void {
  const ax = q[i]!;
  const ay = q[i + 1]!;
  const az = q[i + 2]!;
  const aw = q[i + 3]!;
  const bx = sign * q[j]!;
  const by = sign * q[j + 1]!;
  const bz = sign * q[j + 2]!;
  const bw = sign * q[j + 3]!;
  const xy = ax * by + ay * bx;
  const yz = ay * bz + az * by;
  const zx = az * bx + ax * bz;
  const wx = aw * bx + ax * bw;
  const wy = aw * by + ay * bw;
  const wz = aw * bz + az * bw;
  const xx = ax * bx;
  const yy = ay * by;
  const zz = az * bz;
  const ww = aw * bw;
  out[to] = ww + xx - yy - zz;
  out[to + 1] = xy - wz;
  out[to + 2] = zx + wy;
  out[to + 4] = xy + wz;
  out[to + 5] = ww - xx + yy - zz;
  out[to + 6] = yz - wx;
  out[to + 8] = zx - wy;
  out[to + 9] = yz + wx;
  out[to + 10] = ww - xx - yy + zz;
  for (let k = 0; k < 3; k++) out[to + 4 * k + 3] = sign * (shift(q, i, j, k) + shift(q, j, i, k));
}

/** Of vec(dᵢ qⱼ*) one number. */
function shift(q: Float64Array, i: number, j: number, k: number): number {
  const l = (k + 1) % 3;
  const m = (k + 2) % 3;
  return (
    q[j + 3]! * q[i + 4 + k]! - q[i + 7]! * q[j + k]! + q[j + l]! * q[i + 4 + m]! - q[j + m]! * q[i + 4 + l]!
  );
}
