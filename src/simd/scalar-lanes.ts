/**
 * The four-wide tests of `simd/lanes.ts`, one by one, for engines without SIMD: in single precision, with the same sums in the same
 * order, so that the answers have the same bits. RTCD §13.7.
 *
 * A product or a sum of two numbers of 32 bits that is computed with 64 and rounded is what an operation with 32 bits gives
 * (and so is a quotient): one rounding never spoils the other there.
 */
const f = Math.fround;

// As `pmin` and `pmax` of WebAssembly: the first if either is not a number. Not as `Math.min`, which is not a number then.
// biome-ignore lint/complexity/useMathMinMax: see above
const lesser = (p: number, q: number): number => (q < p ? q : p);
// biome-ignore lint/complexity/useMathMinMax: see above
const greater = (p: number, q: number): number => (p < q ? q : p);

const sumOfSquaresFits = (dx: number, dy: number, dz: number, r: number): boolean =>
  f(f(dx * dx) + f(dy * dy)) <= f(f(r * r) - f(dz * dz));

const overlapSpheres = (c: Float32Array, n: number, i: number): boolean =>
  sumOfSquaresFits(
    f(c[i]! - c[4 * n + i]!),
    f(c[n + i]! - c[5 * n + i]!),
    f(c[2 * n + i]! - c[6 * n + i]!),
    f(c[3 * n + i]! + c[7 * n + i]!),
  );

function overlapSphereBoxes(c: Float32Array, n: number, i: number): boolean {
  const x = c[i]!;
  const y = c[n + i]!;
  const z = c[2 * n + i]!;
  return sumOfSquaresFits(
    f(x - Math.min(Math.max(x, c[4 * n + i]!), c[7 * n + i]!)),
    f(y - Math.min(Math.max(y, c[5 * n + i]!), c[8 * n + i]!)),
    f(z - Math.min(Math.max(z, c[6 * n + i]!), c[9 * n + i]!)),
    c[3 * n + i]!,
  );
}

const overlapBoxes = (c: Float32Array, n: number, i: number): boolean =>
  c[i]! <= c[9 * n + i]! &&
  c[n + i]! <= c[10 * n + i]! &&
  c[2 * n + i]! <= c[11 * n + i]! &&
  c[6 * n + i]! <= c[3 * n + i]! &&
  c[7 * n + i]! <= c[4 * n + i]! &&
  c[8 * n + i]! <= c[5 * n + i]!;

/** The time at which the ray enters the box; -1 for none. */
function rayBoxes(c: Float32Array, n: number, i: number): number {
  let enter = 0;
  let exit = Infinity;
  for (let k = 0; k < 3; k++) {
    const o = c[k * n + i]!;
    const d = c[(3 + k) * n + i]!;
    const first = f(f(c[(6 + k) * n + i]! - o) / d);
    const second = f(f(c[(9 + k) * n + i]! - o) / d);
    enter = greater(enter, lesser(first, second));
    exit = lesser(exit, greater(first, second));
  }
  return enter <= exit ? enter : -1;
}

const corner = new Float32Array(9);

function rayTriangles(c: Float32Array, n: number, i: number): number {
  for (let k = 0; k < 9; k++) corner[k] = c[(6 + k) * n + i]!;
  return hitTriangle(c, n, i, corner, 0);
}

/** The time at which ray i hits the triangle of the nine numbers from `at` on, from either side; -1 for none. */
function hitTriangle(c: Float32Array, n: number, i: number, list: Float32Array, at: number): number {
  const dx = c[3 * n + i]!;
  const dy = c[4 * n + i]!;
  const dz = c[5 * n + i]!;
  const ax = list[at]!;
  const ay = list[at + 1]!;
  const az = list[at + 2]!;
  const ux = f(list[at + 3]! - ax);
  const uy = f(list[at + 4]! - ay);
  const uz = f(list[at + 5]! - az);
  const vx = f(list[at + 6]! - ax);
  const vy = f(list[at + 7]! - ay);
  const vz = f(list[at + 8]! - az);
  const px = f(f(dy * vz) - f(dz * vy));
  const py = f(f(dz * vx) - f(dx * vz));
  const pz = f(f(dx * vy) - f(dy * vx));
  const det = f(f(f(ux * px) + f(uy * py)) + f(uz * pz));
  const sx = f(c[i]! - ax);
  const sy = f(c[n + i]! - ay);
  const sz = f(c[2 * n + i]! - az);
  const u = f(f(f(f(sx * px) + f(sy * py)) + f(sz * pz)) / det);
  const qx = f(f(sy * uz) - f(sz * uy));
  const qy = f(f(sz * ux) - f(sx * uz));
  const qz = f(f(sx * uy) - f(sy * ux));
  const v = f(f(f(f(dx * qx) + f(dy * qy)) + f(dz * qz)) / det);
  const t = f(f(f(f(vx * qx) + f(vy * qy)) + f(vz * qz)) / det);
  return u >= 0 && v >= 0 && f(u + v) <= 1 && t >= 0 && t < Infinity ? t : -1;
}

/** By the names of the kernels: of columns of n numbers, the answer for pair i. @internal */
export const SCALAR = { overlapSpheres, overlapSphereBoxes, overlapBoxes, rayBoxes, rayTriangles } as const;

/** A k-d tree of triangles, as the kernels have it: see `KdTriangles`. */
export interface KdNodes {
  /** Four numbers a node: the axis (3 for a leaf), where it is cut (in `cuts`), below and above; of a leaf, the first item and how many. */
  readonly nodes: Int32Array;
  /** The same memory. */
  readonly cuts: Float32Array;
  readonly items: Int32Array;
  readonly triangles: Float32Array;
}

/** As in `simd/lanes.ts`. */
const SLACK = 0.9999990463256836;
const BEHIND = 0.9990234375;

/** The first hit of ray i, of those at the same time the triangle with the lowest number; null for none. */
export function scalarKdTree(
  c: Float32Array,
  n: number,
  i: number,
  { nodes, cuts, items, triangles }: KdNodes,
): { readonly t: number; readonly triangle: number } | null {
  let t = Infinity;
  let triangle = -1;
  const waiting = [{ node: 0, from: 0, until: Infinity }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, from, until } = next;
    if (!(f(from * SLACK) <= until && f(from * BEHIND) <= t)) continue;
    const axis = nodes[4 * node]!;
    const first = nodes[4 * node + 2]!;
    const second = nodes[4 * node + 3]!;
    if (axis === 3) {
      for (const item of items.subarray(first, first + second)) {
        const at = hitTriangle(c, n, i, triangles, 9 * item);
        if (at < 0 || at > t || (at === t && item > triangle)) continue;
        t = at;
        triangle = item;
      }
      continue;
    }
    const d = c[(3 + axis) * n + i]!;
    const cut = f(f(cuts[4 * node + 1]! - c[axis * n + i]!) / d);
    const near = { node: 1 / d >= 0 ? first : second, from, until: lesser(until, cut) };
    const far = { node: 1 / d >= 0 ? second : first, from: greater(from, cut), until };
    waiting.push(far, near);
  }
  return triangle < 0 ? null : { t, triangle };
}
