/** Skinned meshes by brute force: every vertex where its joints have it, every pair of triangles. */
import { overlapTriangleTriangle } from '../../src/primitives/index.ts';

export interface SkinArrays {
  readonly positions: ArrayLike<number>;
  readonly index: ArrayLike<number>;
  readonly joints: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  readonly inverseBindMatrices: ArrayLike<number>;
  readonly morphTargets?: readonly ArrayLike<number>[];
  readonly jointsPerVertex?: number;
  readonly blending?: 'linear' | 'dualQuaternion';
  readonly parents?: ArrayLike<number>;
}

/** Where all vertices are. The weights of a vertex are divided by their sum. */
export function skinAll(
  skin: SkinArrays,
  jointMatrices: ArrayLike<number>,
  morphs: ArrayLike<number> = [],
): Float64Array {
  const {
    positions,
    joints,
    weights,
    inverseBindMatrices,
    jointsPerVertex: n = 4,
    blending = 'linear',
  } = skin;
  const matrices = Array.from({ length: inverseBindMatrices.length / 16 }, (_, j) =>
    product(jointMatrices, inverseBindMatrices, 16 * j),
  );
  const out = new Float64Array(positions.length);
  for (let v = 0; v < positions.length / 3; v++) {
    const p = [0, 1, 2].map((k) => {
      let x = positions[3 * v + k]!;
      (skin.morphTargets ?? []).forEach((target, m) => {
        x += (morphs[m] ?? 0) * target[3 * v + k]!;
      });
      return x;
    });
    const used: Share[] = [];
    for (let i = n * v; i < n * v + n; i++)
      used.push({ joint: joints[i]!, matrix: matrices[joints[i]!]!, weight: weights[i]! });
    const sum = used.reduce((s, { weight }) => s + weight, 0);
    // What follows nothing follows its first joint.
    const shares = used.map(({ joint, matrix, weight }, i) => ({
      joint,
      matrix,
      weight: sum > 0 ? weight / sum : i === 0 ? 1 : 0,
    }));
    const m = blending === 'linear' ? weightedSum(shares) : blendedMotion(shares);
    for (let k = 0; k < 3; k++)
      out[3 * v + k] = m[k]! * p[0]! + m[4 + k]! * p[1]! + m[8 + k]! * p[2]! + m[12 + k]!;
  }
  return out;
}

interface Share {
  readonly joint: number;
  readonly matrix: readonly number[];
  readonly weight: number;
}

function product(a: ArrayLike<number>, b: ArrayLike<number>, at: number): number[] {
  return Array.from({ length: 16 }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += a[at + 4 * k + (i % 4)]! * b[at + 4 * Math.floor(i / 4) + k]!;
    return sum;
  });
}

const weightedSum = (shares: readonly Share[]): number[] =>
  Array.from({ length: 16 }, (_, i) => shares.reduce((s, { matrix, weight }) => s + weight * matrix[i]!, 0));

/**
 * Kavan et al. 2007: of rigid motions, as dual quaternions w, x, y, z and half of translation times rotation. Those on the side of the
 * joint with the most weight, of equal weights with the lowest number.
 */
function blendedMotion(given: readonly Share[]): number[] {
  const shares: { joint: number; matrix: readonly number[]; weight: number }[] = [];
  for (const { joint, matrix, weight } of given) {
    if (weight === 0) continue;
    const known = shares.find((share) => share.joint === joint);
    if (known) known.weight += weight;
    else shares.push({ joint, matrix, weight });
  }
  shares.sort((a, b) => b.weight - a.weight || a.joint - b.joint);
  const first = quaternionOf(shares[0]!.matrix);
  const real = [0, 0, 0, 0];
  const dual = [0, 0, 0, 0];
  for (const { matrix, weight } of shares) {
    const q = quaternionOf(matrix);
    const sign = q.reduce((s, x, k) => s + x * first[k]!, 0) < 0 ? -weight : weight;
    const t = hamilton([0, matrix[12]!, matrix[13]!, matrix[14]!], q);
    for (let k = 0; k < 4; k++) {
      real[k]! += sign * q[k]!;
      dual[k]! += (sign * t[k]!) / 2;
    }
  }
  const length = Math.hypot(...real);
  const [w, x, y, z] = real.map((c) => c / length) as [number, number, number, number];
  const [, tx, ty, tz] = hamilton(
    dual.map((c) => (2 * c) / length),
    [w, -x, -y, -z],
  );
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y + z * w),
    2 * (x * z - y * w),
    0,
    2 * (x * y - z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z + x * w),
    0,
    2 * (x * z + y * w),
    2 * (y * z - x * w),
    1 - 2 * (x * x + y * y),
    0,
    tx!,
    ty!,
    tz!,
    1,
  ];
}

/** w, x, y, z of the rotation in a matrix. */
function quaternionOf(m: readonly number[]): number[] {
  const [xx, yy, zz] = [m[0]!, m[5]!, m[10]!];
  const q = [1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz].map(
    (s) => Math.sqrt(Math.max(0, s)) / 2,
  );
  const [w, x, y, z] = q as [number, number, number, number];
  const best = q.indexOf(Math.max(...q));
  const [a, b, c] = [m[6]! - m[9]!, m[8]! - m[2]!, m[1]! - m[4]!];
  const [d, e, f] = [m[1]! + m[4]!, m[8]! + m[2]!, m[6]! + m[9]!];
  if (best === 0) return [w, a / (4 * w), b / (4 * w), c / (4 * w)];
  if (best === 1) return [a / (4 * x), x, d / (4 * x), e / (4 * x)];
  if (best === 2) return [b / (4 * y), d / (4 * y), y, f / (4 * y)];
  return [c / (4 * z), e / (4 * z), f / (4 * z), z];
}

function hamilton(a: readonly number[], b: readonly number[]): number[] {
  const [aw, ax, ay, az] = a as [number, number, number, number];
  const [bw, bx, by, bz] = b as [number, number, number, number];
  return [
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ];
}

/** Triangles of any kind. */
export interface Soup {
  readonly positions: ArrayLike<number>;
  readonly index: ArrayLike<number>;
}

const corner = ({ positions, index }: Soup, t: number, k: number) => {
  const v = 3 * index[3 * t + k]!;
  return { x: positions[v]!, y: positions[v + 1]!, z: positions[v + 2]! };
};

/** Minimum and maximum of each triangle along each axis. */
function boxesOf(soup: Soup): Float64Array {
  const boxes = new Float64Array(2 * soup.index.length);
  for (let t = 0; t < soup.index.length / 3; t++)
    for (let axis = 0; axis < 3; axis++) {
      const xs = [0, 1, 2].map((k) => soup.positions[3 * soup.index[3 * t + k]! + axis]!);
      boxes[6 * t + axis] = Math.min(...xs);
      boxes[6 * t + 3 + axis] = Math.max(...xs);
    }
  return boxes;
}

/**
 * All pairs of triangles of two surfaces that have a point in common, by an exact test of every pair whose boxes meet: 'a b', as numbers. Of a
 * surface and itself (`b` is `a`) those without a vertex in common, each once.
 */
export function pairsBrute(a: Soup, b: Soup): Set<string> {
  const [ba, bb] = [boxesOf(a), a === b ? boxesOf(a) : boxesOf(b)];
  const order = [...Array(b.index.length / 3).keys()].sort((i, j) => bb[6 * i]! - bb[6 * j]!);
  const widest = order.reduce((most, t) => Math.max(most, bb[6 * t + 3]! - bb[6 * t]!), 0);
  const starts = Float64Array.from(order, (t) => bb[6 * t]!);
  const pairs = new Set<string>();
  for (let i = 0; i < a.index.length / 3; i++) {
    const [low, high] = [ba[6 * i]! - widest, ba[6 * i + 3]!];
    let from = 0;
    for (let to = starts.length; from < to; ) {
      const middle = (from + to) >> 1;
      if (starts[middle]! < low) from = middle + 1;
      else to = middle;
    }
    for (let k = from; k < order.length && starts[k]! <= high; k++) {
      const j = order[k]!;
      if (a === b && j <= i) continue;
      let meets = true;
      for (let axis = 0; axis < 3; axis++)
        meets &&= ba[6 * i + axis]! <= bb[6 * j + 3 + axis]! && bb[6 * j + axis]! <= ba[6 * i + 3 + axis]!;
      if (!meets || (a === b && shareVertex(a, i, j))) continue;
      if (
        overlapTriangleTriangle(
          corner(a, i, 0),
          corner(a, i, 1),
          corner(a, i, 2),
          corner(b, j, 0),
          corner(b, j, 1),
          corner(b, j, 2),
        )
      )
        pairs.add(`${i} ${j}`);
    }
  }
  return pairs;
}

function shareVertex({ index }: Soup, i: number, j: number): boolean {
  for (let p = 0; p < 3; p++)
    for (let q = 0; q < 3; q++) if (index[3 * i + p] === index[3 * j + q]) return true;
  return false;
}
