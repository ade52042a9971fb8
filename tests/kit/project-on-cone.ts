/**
 * The motion that planes leave open, exactly: of all u with n·u >= 0 for every normal n, the one nearest to what is wanted.
 * A small quadratic program, solved in whole numbers by trying every set of planes that could hold the answer: the answer
 * is unique, and it is the projection onto what one plane, two planes, or none leave; or it is 0.
 */
import type { ReadonlyVec3, Vec3 } from '../../src/math/types.ts';
import * as exact from './exact.ts';

/** A vector of whole numbers, over a common positive denominator. The length of a normal does not matter. */
interface Whole {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
  readonly d: bigint;
}

function whole(v: ReadonlyVec3): Whole {
  const { x, y, z } = exact.qv(v);
  return { x: x.n * y.d * z.d, y: y.n * x.d * z.d, z: z.n * x.d * y.d, d: x.d * y.d * z.d };
}

const dot = (a: Whole, b: Whole): bigint => a.x * b.x + a.y * b.y + a.z * b.z;
const numbers = ({ x, y, z, d }: Whole): Vec3 => ({
  x: exact.toNumber({ n: x, d }),
  y: exact.toNumber({ n: y, d }),
  z: exact.toNumber({ n: z, d }),
});

interface Candidate {
  readonly u: Whole;
  /** How far it is from what is wanted, squared: a fraction. */
  readonly far: exact.Q;
}

function nearest(normals: readonly Whole[], w: Whole): Candidate {
  let best: Candidate = { u: { x: 0n, y: 0n, z: 0n, d: 1n }, far: { n: dot(w, w), d: w.d * w.d } };
  /** w + (a n + b m) / det, with w in its own denominator. */
  const attempt = (a: bigint, n: Whole, b: bigint, m: Whole, det: bigint): void => {
    const [ex, ey, ez] = [a * n.x + b * m.x, a * n.y + b * m.y, a * n.z + b * m.z];
    const u = { x: w.x * det + ex, y: w.y * det + ey, z: w.z * det + ez, d: w.d * det };
    if (normals.some((k) => dot(k, u) < 0n)) return;
    const far = { n: ex * ex + ey * ey + ez * ez, d: u.d * u.d };
    if (exact.cmp(far, best.far) < 0) best = { u, far };
  };
  attempt(0n, w, 0n, w, 1n);
  normals.forEach((n, i) => {
    const [nn, nw] = [dot(n, n), dot(n, w)];
    if (nn === 0n || nw >= 0n) return;
    attempt(-nw, n, 0n, n, nn);
    normals.forEach((m, j) => {
      if (i === j) return;
      const [mm, nm, mw] = [dot(m, m), dot(n, m), dot(m, w)];
      const det = nn * mm - nm * nm;
      if (det > 0n) attempt(mw * nm - nw * mm, n, nw * nm - mw * nn, m, det);
    });
  });
  return best;
}

/** Of all u with n·u >= 0 for every normal n, the one nearest to w. */
export const projectOnCone = (normals: readonly ReadonlyVec3[], w: ReadonlyVec3): Vec3 =>
  numbers(nearest(normals.map(whole), whole(w)).u);

/** Seen from above. */
const flat = (n: Whole): Whole => ({ ...n, y: 0n });

/**
 * The motion of a character in the air, as `docs/character.md` defines it: what pushes horizontally towards walls
 * (|n.y| < steepest, also those that it has left behind) is taken away, then comes the projection.
 */
export function projectInAir(
  normals: readonly ReadonlyVec3[],
  wanted: ReadonlyVec3,
  steepest: number,
  behind: readonly ReadonlyVec3[] = [],
): Vec3 {
  const all = normals.map(whole);
  const walls = [...normals, ...behind].filter(({ y }) => Math.abs(y) < steepest).map((n) => flat(whole(n)));
  const w = whole(wanted);
  const { u } = nearest(walls, flat(w));
  return numbers(nearest(all, { x: u.x * w.d, y: w.y * u.d, z: u.z * w.d, d: u.d * w.d }).u);
}

/**
 * The motion of one who walks: nearest on the map. Along one of the grounds, the best of them; an obstacle is seen as
 * it is met along that ground.
 */
export function projectOnGround(
  grounds: readonly ReadonlyVec3[],
  others: readonly ReadonlyVec3[],
  wanted: ReadonlyVec3,
): Vec3 {
  const w = flat(whole(wanted));
  const planes = [...grounds, ...others].map(whole);
  let best: Vec3 = { x: 0, y: 0, z: 0 };
  let least: exact.Q | null = null;
  planes.slice(0, grounds.length).forEach((g, k) => {
    const lines = planes
      .filter((_, i) => i !== k)
      .map((n) => ({ x: n.x * g.y - n.y * g.x, y: 0n, z: n.z * g.y - n.y * g.z, d: 1n }));
    const { u, far } = nearest(lines, w);
    if (least && exact.cmp(far, least) >= 0) return;
    least = far;
    const rise = -(g.x * u.x + g.z * u.z);
    best = numbers({ x: u.x * g.y, y: rise, z: u.z * g.y, d: u.d * g.y });
  });
  return best;
}
