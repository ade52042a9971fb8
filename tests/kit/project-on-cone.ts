/**
 * The motion that planes leave open, exactly: of all u with n·u >= -slack for every plane, the one nearest to what is wanted.
 * A small quadratic program, solved in whole numbers by trying every set of planes that could hold the answer: the answer
 * is unique, and it is the projection onto what one plane, two planes, or none leave; or the corner of three; or it is 0.
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

/** n·u >= -slack, with the slack in units of the normal as it stands here. */
interface Row extends Whole {
  readonly slack: bigint;
}

/** The denominators of doubles are powers of two: the largest is common to all. */
function wholes(numbers: readonly number[]): { n: bigint[]; d: bigint } {
  const parts = numbers.map((x) => exact.q(x));
  let d = 1n;
  for (const part of parts) if (part.d > d) d = part.d;
  return { n: parts.map((part) => part.n * (d / part.d)), d };
}

function whole({ x, y, z }: ReadonlyVec3): Whole {
  const { n, d } = wholes([x, y, z]);
  return { x: n[0]!, y: n[1]!, z: n[2]!, d };
}

function row({ x, y, z }: ReadonlyVec3, slack = 0): Row {
  const { n, d } = wholes([x, y, z, slack]);
  return { x: n[0]!, y: n[1]!, z: n[2]!, d, slack: n[3]! };
}

const dot = (a: Whole, b: Whole): bigint => a.x * b.x + a.y * b.y + a.z * b.z;
const cross = (a: Whole, b: Whole): Whole => ({
  x: a.y * b.z - a.z * b.y,
  y: a.z * b.x - a.x * b.z,
  z: a.x * b.y - a.y * b.x,
  d: 1n,
});
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

function nearest(rows: readonly Row[], w: Whole): Candidate {
  let best: Candidate = { u: { x: 0n, y: 0n, z: 0n, d: 1n }, far: { n: dot(w, w), d: w.d * w.d } };
  /** w + (x, y, z) / det, with w in its own denominator. */
  const attempt = (x: bigint, y: bigint, z: bigint, det: bigint): void => {
    const u = { x: w.x * det + x, y: w.y * det + y, z: w.z * det + z, d: w.d * det };
    if (rows.some((r) => dot(r, u) + r.slack * u.d < 0n)) return;
    const far = { n: x * x + y * y + z * z, d: u.d * u.d };
    if (exact.cmp(far, best.far) < 0) best = { u, far };
  };
  attempt(0n, 0n, 0n, 1n);
  /** How far w is in front of a row, in units of its normal and of w. */
  const front = rows.map((r) => dot(r, w) + r.slack * w.d);
  const hasSlack = rows.some(({ slack }) => slack > 0n);
  rows.forEach((n, i) => {
    const [nn, nw] = [dot(n, n), front[i]!];
    if (nn === 0n || nw >= 0n) return;
    attempt(-nw * n.x, -nw * n.y, -nw * n.z, nn);
    rows.forEach((m, j) => {
      if (i === j) return;
      const [mm, nm, mw] = [dot(m, m), dot(n, m), front[j]!];
      const det = nn * mm - nm * nm;
      const [a, b] = [mw * nm - nw * mm, nw * nm - mw * nn];
      if (det > 0n) attempt(a * n.x + b * m.x, a * n.y + b * m.y, a * n.z + b * m.z, det);
      // The corner of three planes is elsewhere only if there is slack.
      if (!hasSlack) return;
      rows.forEach((k, l) => {
        if (l <= j || l === i) return;
        const mk = cross(m, k);
        const volume = dot(n, mk);
        if (volume === 0n) return;
        const [kn, mn] = [cross(k, n), cross(n, m)];
        const [p, q, r] = volume > 0n ? [-nw, -mw, -front[l]!] : [nw, mw, front[l]!];
        attempt(
          p * mk.x + q * kn.x + r * mn.x,
          p * mk.y + q * kn.y + r * mn.y,
          p * mk.z + q * kn.z + r * mn.z,
          volume > 0n ? volume : -volume,
        );
      });
    });
  });
  return best;
}

/** Of all u with n·u >= 0 for every normal n, the one nearest to w. */
export const projectOnCone = (normals: readonly ReadonlyVec3[], w: ReadonlyVec3): Vec3 =>
  numbers(
    nearest(
      normals.map((n) => row(n)),
      whole(w),
    ).u,
  );

/** Seen from above. */
const flat = <T extends Whole>(n: T): T => ({ ...n, y: 0n });

/** A plane that was touched: its normal, and how far in front of it one is. */
export interface TouchedPlane {
  readonly normal: ReadonlyVec3;
  /** At least 0; infinite for one that was left behind. */
  readonly slack: number;
}

/** Planes that are all in touch. */
export const touching = (normals: readonly ReadonlyVec3[]): TouchedPlane[] =>
  normals.map((normal) => ({ normal, slack: 0 }));

/**
 * The motion of a character in the air, as `docs/character.md` defines it: what pushes horizontally towards walls
 * (|n.y| < steepest, also those that it has left behind) is taken away, then comes the nearest place behind none.
 */
export function projectInAir(planes: readonly TouchedPlane[], wanted: ReadonlyVec3, steepest: number): Vec3 {
  const isNear = ({ slack }: TouchedPlane): boolean => slack < Infinity;
  const walls = planes.filter(({ normal }) => Math.abs(normal.y) < steepest);
  const w = whole(wanted);
  const { u } = nearest(
    walls.map((plane) => flat(row(plane.normal, isNear(plane) ? plane.slack : 0))),
    flat(w),
  );
  const all = planes.filter(isNear).map(({ normal, slack }) => row(normal, slack));
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
  const planes = [...grounds, ...others].map((n) => row(n));
  let best: Vec3 = { x: 0, y: 0, z: 0 };
  let least: exact.Q | null = null;
  planes.slice(0, grounds.length).forEach((g, k) => {
    const lines = planes
      .filter((_, i) => i !== k)
      .map((n) => ({ x: n.x * g.y - n.y * g.x, y: 0n, z: n.z * g.y - n.y * g.z, d: 1n, slack: 0n }));
    const { u, far } = nearest(lines, w);
    if (least && exact.cmp(far, least) >= 0) return;
    least = far;
    const rise = -(g.x * u.x + g.z * u.z);
    best = numbers({ x: u.x * g.y, y: rise, z: u.z * g.y, d: u.d * g.y });
  });
  return best;
}
