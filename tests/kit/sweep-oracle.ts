/**
 * Judges sweeps of polyhedra by what can be seen of them: where the two are at the start, on the way and at the end.
 * Intersection is decided by exact predicates over all pairs of triangles, distance by brute force, and the way is proved
 * free (or not). Nothing here comes from src/continuous but the function that is on trial.
 */
import type { PolyhedralModel, SweepContact, SweepHit, SweepMotion } from '../../src/continuous/types.ts';
import type { Pose, ReadonlyVec3 } from '../../src/math/types.ts';
import { div, type QVec, qv, sign, toNumber, vadd, vcross, vdot, vscale, vsub } from './exact.ts';
import { exactPointTriangle, exactSeparation, exactTriangleTriangle } from './exact-distance.ts';
import { legsOf, placedSoup, type SweepCase, turned } from './sweep-cases.ts';
import { nearest, nearestTriangles, surfaceDistance, towards, tryAllAxes } from './sweep-distance.ts';
import { APART, CROSSING, insideSoup, soupBoxes, surfacesMeet, TOUCHING } from './sweep-exact.ts';
import { type PathVerdict, provePath, soupAlong, soupBalls } from './sweep-path.ts';
import type { SweepBody } from './sweep-shapes.ts';

/** What is on trial. */
export interface SweepApi {
  model(body: SweepBody): PolyhedralModel;
  sweep(
    mover: PolyhedralModel,
    from: Pose,
    motion: SweepMotion,
    target: PolyhedralModel,
    at: Pose,
    options: { thickness?: number },
  ): SweepHit | null;
  poseAlong(from: Pose, motion: SweepMotion, t: number): Pose;
  touching(
    mover: PolyhedralModel,
    from: Pose,
    target: PolyhedralModel,
    at: Pose,
    margin: number,
  ): SweepContact[];
}

/** What was seen in a run. */
export class SweepStatistics {
  motions = 0;
  hits = 0;
  misses = 0;
  /** Motions by kind, and starts by kind. */
  readonly regimes = new Map<string, number>();
  overlapping = 0;
  touched = 0;
  inZone = 0;
  skipped = 0;
  penetrations = 0;
  tunnels = 0;
  proofs = 0;
  undecided = 0;
  /** Went through a one-sided sheet from behind. */
  fromBehind = 0;
  /** Ways proved free of the borders of one-sided sheets. */
  borders = 0;
  steps = 0;
  /** Stopped at once though no decrease of the gap could be seen. */
  sticky = 0;
  /** Of new contacts: the largest |gap - e| over the largest coordinate, the least and largest gap over e. */
  worstError = 0;
  leastGap = Infinity;
  largestGap = 0;
  leaves = 0;
  /** Stopped once more while sliding along, by rounding. */
  snags = 0;

  note(regime: string): void {
    this.motions++;
    this.regimes.set(regime, (this.regimes.get(regime) ?? 0) + 1);
  }

  toString(): string {
    const regimes = [...this.regimes].sort().map(([name, n]) => `${name} ${n}`);
    return [
      `${this.motions} motions (${regimes.join(', ')})`,
      `${this.hits} hits, ${this.misses} free; starts: ${this.inZone} in the zone, ${this.touched} in touch; ` +
        `beside these ${this.overlapping} overlapping, ${this.skipped} skipped`,
      `penetrations ${this.penetrations}, tunnels ${this.tunnels}`,
      `${this.proofs} ways proved free (${(this.steps / Math.max(1, this.proofs)).toFixed(0)} steps each), ` +
        `${this.undecided} sampled instead, ${this.borders} past borders, ${this.fromBehind} from behind; ${this.leaves} times left and slid along (${this.snags} snags); ${this.sticky} sticky`,
      `gap of new contacts ${this.leastGap.toFixed(4)} e … ${this.largestGap.toFixed(4)} e, ` +
        `worst |gap - e| / largest coordinate ${this.worstError.toExponential(2)}`,
    ].join('\n');
  }
}

/** A wrong answer. */
export class SweepFailure extends Error {
  readonly what: string;
  // Private, so that it is not printed.
  readonly #sweep: SweepCase;
  constructor(what: string, sweep: SweepCase, facts: object) {
    super(`${what} ${JSON.stringify(facts)}`);
    this.what = what;
    this.#sweep = sweep;
  }

  get sweep(): SweepCase {
    return this.#sweep;
  }
}

function fail(what: string, c: SweepCase, more: Record<string, unknown>): never {
  const facts = {
    regime: c.regime,
    mover: c.mover.kind,
    target: c.target.kind,
    e: c.e,
    scale: c.scale,
    ...more,
  };
  throw new SweepFailure(what, c, facts);
}

export interface Verdict {
  hit: SweepHit | null;
  pose: Pose;
  gap: number;
  state: 'judged' | 'overlapping' | 'skipped';
}

/** Rounding of coordinates: some operations on numbers as large as `scale`. */
const NOISE = 2 ** -48;
/** How far what touches at the start may sink in: what is lost in the zone for sliding, 2^-44, and some roundings. */
const SUNK = 2 ** -44 + 8 * NOISE;

/** Of e: no contact of what comes from outside is nearer, as measured without rounding. */
export const LEAST_GAP = 63 / 64;

/** A soup with its boxes, at one moment. */
interface Place {
  soup: Float64Array;
  boxes: Float64Array;
}
const placeOf = (soup: Float64Array): Place => ({ soup, boxes: soupBoxes(soup) });
const meeting = (a: Place, b: Place): number => surfacesMeet(a.soup, a.boxes, b.soup, b.boxes);
const distance = (a: Place, b: Place): number => surfaceDistance(a.soup, a.boxes, b.soup, b.boxes);

const corner = (s: Float64Array, i: number): ReadonlyVec3 => ({ x: s[i]!, y: s[i + 1]!, z: s[i + 2]! });
const isPoint = (s: Float64Array, i: number): boolean =>
  s[i] === s[i + 3] && s[i + 1] === s[i + 4] && s[i + 2] === s[i + 5];

/** A bound for the distance of two triangles. */
const boxDistance = (a: Float64Array, k: number, b: Float64Array, l: number): number =>
  Math.max(
    a[k]! - b[l + 3]!,
    b[l]! - a[k + 3]!,
    a[k + 1]! - b[l + 4]!,
    b[l + 1]! - a[k + 4]!,
    a[k + 2]! - b[l + 5]!,
    b[l + 2]! - a[k + 5]!,
  );

/** The same without rounding, of surfaces that do not meet: of nearly parallel edges a tiny distance is lost to it. */
function exactDistance(a: Place, b: Place, { scale, e }: SweepCase): number {
  const floats = distance(a, b);
  const doubt = (1.01 * floats + 2 ** -36 * scale) ** 2;
  if (!(floats < 2 * e)) return floats;
  let least = Infinity;
  const wide = Math.sqrt(doubt);
  for (let i = 0, k = 0; i < a.soup.length; i += 9, k += 6)
    for (let j = 0, l = 0; j < b.soup.length; j += 9, l += 6) {
      if (boxDistance(a.boxes, k, b.boxes, l) > wide) continue;
      nearestTriangles(a.soup, i, b.soup, j);
      if (nearest.distanceSq > doubt) continue;
      const [p, q, r] = [corner(a.soup, i), corner(a.soup, i + 3), corner(a.soup, i + 6)];
      const [u, v, w] = [corner(b.soup, j), corner(b.soup, j + 3), corner(b.soup, j + 6)];
      let gap: number;
      if (isPoint(a.soup, i) && isPoint(b.soup, j)) gap = Math.sqrt(nearest.distanceSq);
      else if (isPoint(a.soup, i)) gap = exactPointTriangle(p, u, v, w);
      else
        gap = isPoint(b.soup, j) ? exactPointTriangle(u, p, q, r) : exactTriangleTriangle(p, q, r, u, v, w);
      least = Math.min(least, gap);
    }
  return least;
}

/** Do the boxes about the two meet? */
function isWithin(a: Float64Array, b: Float64Array): boolean {
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = axis; i < b.length; i += 3) {
      low = Math.min(low, b[i]!);
      high = Math.max(high, b[i]!);
    }
    let ownLow = Infinity;
    let ownHigh = -Infinity;
    for (let i = axis; i < a.length; i += 3) {
      ownLow = Math.min(ownLow, a[i]!);
      ownHigh = Math.max(ownHigh, a[i]!);
    }
    if (ownHigh < low || ownLow > high) return false;
  }
  return true;
}

/** Is some of `a` inside the solid b? Their surfaces do not meet, so that one corner of each piece tells. */
function contained(a: Place, bodyA: SweepBody, b: Place, bodyB: SweepBody): boolean {
  if (!bodyB.closed) return false;
  if (!bodyB.hollow && !isWithin(a.soup, b.soup)) return false;
  const step = bodyA.kind === 'broken' ? 9 : Infinity;
  for (let i = 0; i < a.soup.length; i += step) {
    const inside = insideSoup(a.soup[i]!, a.soup[i + 1]!, a.soup[i + 2]!, b.soup) === 1;
    if (inside !== bodyB.hollow) return true;
  }
  return false;
}

/** Are the boxes of two triangles apart? */
function boxesApart(a: Float64Array, k: number, b: Float64Array, l: number): boolean {
  return (
    a[k]! > b[l + 3]! ||
    a[k + 1]! > b[l + 4]! ||
    a[k + 2]! > b[l + 5]! ||
    a[k + 3]! < b[l]! ||
    a[k + 4]! < b[l + 1]! ||
    a[k + 5]! < b[l + 2]!
  );
}

/**
 * How deep crossing triangles are in each other, at the most: the least way apart along any axis of each pair. As soon as
 * that is more than `enough`, so much is told. Doubles do not know the axis across nearly parallel sides, which may be the
 * only one along which they are apart: what looks deeper than `enough` is measured again without rounding.
 */
function depth(a: Place, b: Place, enough = Infinity): number {
  let most = 0;
  for (let i = 0, k = 0; i < a.soup.length; i += 9, k += 6)
    for (let j = 0, l = 0; j < b.soup.length; j += 9, l += 6) {
      if (boxesApart(a.boxes, k, b.boxes, l)) continue;
      nearestTriangles(a.soup, i, b.soup, j);
      tryAllAxes();
      if (-nearest.separation > enough)
        most = Math.max(most, -exactSeparation(cornersOf(a.soup, i), cornersOf(b.soup, j)));
      else most = Math.max(most, -nearest.separation);
      if (most > enough) return most;
    }
  return most;
}

const cornersOf = (s: Float64Array, i: number): readonly ReadonlyVec3[] => [
  corner(s, i),
  corner(s, i + 3),
  corner(s, i + 6),
];

/** Does an edge of one go through a triangle of the other by more than `by` in every respect? */
function piercesClearly(a: Place, b: Place, by: number): boolean {
  for (let i = 0, m = 0; i < a.soup.length; i += 9, m += 6)
    for (let j = 0, n = 0; j < b.soup.length; j += 9, n += 6) {
      if (boxesApart(a.boxes, m, b.boxes, n)) continue;
      for (let k = 0; k < 3; k++) {
        const l = (k + 1) % 3;
        if (edgePierces(a.soup, i + 3 * k, i + 3 * l, b.soup, j, by)) return true;
        if (edgePierces(b.soup, j + 3 * k, j + 3 * l, a.soup, i, by)) return true;
      }
    }
  return false;
}

function edgePierces(p: Float64Array, i: number, j: number, s: Float64Array, t: number, by: number): boolean {
  const u = [s[t + 3]! - s[t]!, s[t + 4]! - s[t + 1]!, s[t + 5]! - s[t + 2]!] as const;
  const v = [s[t + 6]! - s[t]!, s[t + 7]! - s[t + 1]!, s[t + 8]! - s[t + 2]!] as const;
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]] as const;
  const size = Math.hypot(...n);
  if (!(size > 0)) return false;
  const height = (x: number, y: number, z: number): number =>
    (n[0] * (x - s[t]!) + n[1] * (y - s[t + 1]!) + n[2] * (z - s[t + 2]!)) / size;
  const hp = height(p[i]!, p[i + 1]!, p[i + 2]!);
  const hq = height(p[j]!, p[j + 1]!, p[j + 2]!);
  if (!((hp > by && hq < -by) || (hp < -by && hq > by))) return false;
  const f = hp / (hp - hq);
  const x = [0, 1, 2].map((k) => p[i + k]! + f * (p[j + k]! - p[i + k]!)) as [number, number, number];
  for (let k = 0; k < 9; k += 3) {
    const l = (k + 3) % 9;
    const e = [s[t + l]! - s[t + k]!, s[t + l + 1]! - s[t + k + 1]!, s[t + l + 2]! - s[t + k + 2]!] as const;
    const w = [x[0] - s[t + k]!, x[1] - s[t + k + 1]!, x[2] - s[t + k + 2]!] as const;
    const inside =
      n[0] * (e[1] * w[2] - e[2] * w[1]) +
      n[1] * (e[2] * w[0] - e[0] * w[2]) +
      n[2] * (e[0] * w[1] - e[1] * w[0]);
    if (!(inside > by * size * Math.hypot(...e))) return false;
  }
  return piercesExactly(p, i, j, s, t, by);
}

/** The same without rounding: where an edge is nearly in the plane, doubles do not know where it goes through. */
function piercesExactly(
  p: Float64Array,
  i: number,
  j: number,
  s: Float64Array,
  t: number,
  by: number,
): boolean {
  const corner = (list: Float64Array, k: number): QVec =>
    qv({ x: list[k]!, y: list[k + 1]!, z: list[k + 2]! });
  const corners = [corner(s, t), corner(s, t + 3), corner(s, t + 6)] as const;
  const [a, b, c] = corners;
  const n = vcross(vsub(b, a), vsub(c, a));
  const from = corner(p, i);
  const to = corner(p, j);
  const height = vdot(n, vsub(from, a));
  const fall = vdot(n, vsub(from, to));
  if (sign(fall) === 0) return false;
  const x = vadd(from, vscale(vsub(to, from), div(height, fall)));
  const size = Math.sqrt(toNumber(vdot(n, n)));
  return corners.every((corner, k) => {
    const e = vsub(corners[(k + 1) % 3]!, corner);
    const inside = toNumber(vdot(n, vcross(e, vsub(x, corner))));
    return inside > by * size * Math.sqrt(toNumber(vdot(e, e)));
  });
}

/**
 * Throws a `SweepFailure` if the answer to a case is wrong. Distances are measured in doubles first, which is a hundred times
 * faster; what looks wrong then is judged again by exact ones.
 */
export function checkSweep(api: SweepApi, stats: SweepStatistics, c: SweepCase, prove: boolean): Verdict {
  try {
    return judgeBy(distance, api, stats, c, prove);
  } catch (error) {
    if (!(error instanceof SweepFailure)) throw error;
  }
  try {
    return judgeBy(exactDistance, api, new SweepStatistics(), c, prove);
  } catch (error) {
    if (error instanceof SweepFailure && error.what.startsWith('PENETRATION')) stats.penetrations++;
    if (error instanceof SweepFailure && error.what.startsWith('TUNNEL')) stats.tunnels++;
    throw error;
  }
}

function judgeBy(
  gapOf: typeof exactDistance,
  api: SweepApi,
  stats: SweepStatistics,
  c: SweepCase,
  prove: boolean,
): Verdict {
  const mover = api.model(c.mover);
  const target = api.model(c.target);
  const options = c.byDefault ? {} : { thickness: c.e };
  const b = placeOf(placedSoup(c.target, c.at));
  const a0 = placeOf(placedSoup(c.mover, c.from));
  const start = meeting(a0, b);
  const hit = api.sweep(mover, c.from, c.motion, target, c.at, options);
  const t = hit ? hit.t : 1;
  if (!(t >= 0 && t <= 1)) fail('t outside of [0, 1]', c, { t });
  const pose = api.poseAlong(c.from, c.motion, t);
  const done = (state: Verdict['state'], gap = 0): Verdict => ({ hit, pose, gap, state });

  if (start === CROSSING) {
    stats.overlapping++;
    // In by a rounding is as good as touching, and so is an edge that goes through the border of a triangle: such as those
    // of two boxes with sides in one plane.
    const rounding = 2 ** -40 * c.scale; // the least zone
    if (!piercesClearly(a0, b, rounding) || depth(a0, b, rounding) <= rounding) return done('skipped');
    if (hit?.t !== 0 || !hit.penetrating)
      fail('cutting through each other at the start, and not told', c, { hit, depth: depth(a0, b) });
    return done('overlapping');
  }
  if (start === TOUCHING && !c.regime.startsWith('lattice')) {
    stats.skipped++;
    return done('skipped');
  }
  if (start === APART) {
    const inTarget = contained(a0, c.mover, b, c.target);
    const inMover = contained(b, c.target, a0, c.mover);
    if (inTarget || inMover) {
      stats.overlapping++;
      if (c.mover.closed && c.target.closed && (hit?.t !== 0 || !hit.penetrating))
        fail('one inside the other at the start, and not told', c, { hit, inTarget, inMover });
      return done('overlapping');
    }
  }
  const g0 = start === TOUCHING ? 0 : gapOf(a0, b, c);
  const noise = NOISE * c.scale;
  // Nearer than roundings of the coordinates is as good as touching.
  const touched = start === TOUCHING || g0 <= 8 * noise;
  if (hit?.penetrating) {
    if (touched) return done('skipped');
    fail('said to cut through each other at the start, which is not so', c, { hit, start, g0 });
  }
  stats.note(c.regime);
  if (hit) stats.hits++;
  else stats.misses++;
  const a1 = placeOf(placedSoup(c.mover, pose));
  samePlace(c, a0, t, a1);
  if (hit) saneHit(c, hit);

  // What touches at the start can sink in by rounding.
  const end = meeting(a1, b);
  if (
    end !== APART &&
    !(touched && (end === TOUCHING || (!c.exact && depth(a1, b, SUNK * c.scale) <= SUNK * c.scale)))
  ) {
    fail('PENETRATION at the end', c, { hit, end, start, g0, depth: depth(a1, b) });
  }
  const g1 = end === APART ? gapOf(a1, b, c) : 0;
  const normal = { ...towards };
  const outside = g0 > c.e * (1 + 1 / 64);
  const slack = legsOf(c.from, c.motion).length * 2 ** -43 * c.scale;
  if (outside) {
    if (hit) {
      // What is behind a one-sided sheet may be nearer than what is stopped by it.
      const off = isOneSided(c) ? c.e / 8 : c.e / 16;
      // In the least zones doubles are off by some percents of e between nearly parallel edges: what looks too near is measured again.
      if (!isOneSided(c))
        stats.leastGap = Math.min(
          stats.leastGap,
          (g1 > LEAST_GAP * c.e ? g1 : exactDistance(a1, b, c)) / c.e,
        );
      stats.largestGap = Math.max(stats.largestGap, g1 / c.e);
      stats.worstError = Math.max(stats.worstError, Math.abs(g1 - c.e) / c.scale);
      if (!(g1 <= 2 * c.e)) fail('EARLY: gap above 2e', c, { hit, g0, g1, ratio: g1 / c.e });
      if (!(Math.abs(hit.gap - g1) <= off)) fail('reported gap is not the gap', c, { hit, g0, g1 });
      judgePlace(c, hit, a1, b, off);
      judgeOwners(c, hit, mover, pose, target);
    }
    if (!(g1 >= 0.5 * c.e)) fail('TOO CLOSE: gap below e/2', c, { hit, g0, g1, ratio: g1 / c.e });
  } else {
    if (touched) stats.touched++;
    else stats.inZone++;
    const least = Math.min(g0 - slack, 0.9 * c.e);
    if (!(g1 >= least)) fail('SANK: nearer than at the start', c, { hit, g0, g1, ratio: g1 / c.e, slack });
    if (hit && !(g1 <= 2 * c.e)) fail('EARLY: gap above 2e', c, { hit, g0, g1, ratio: g1 / c.e });
    // A pair that is not the nearest one may be what is in the way: that cannot be seen from the gap.
    if (hit && t < 1e-9 && hit.gap <= 1.01 * g0 + noise && !comesNearer(c, a0, b, t, g0, slack)) {
      stats.sticky++;
    }
  }
  const oneSided = isOneSided(c);
  if (touched) sampleWay(c, a0, b, t, 48, true);
  else if (prove) {
    const margin = outside ? 0.45 * c.e : Math.min(0.45 * c.e, 0.5 * g0);
    if (margin > 8 * noise) proveWay(stats, c, a0, b, t, margin);
    else sampleWay(c, a0, b, t, 24, false);
    if (oneSided) proveBorders(stats, c, t, Math.min(0.87 * c.e, 0.45 * g0));
  }
  if (hit && outside && !oneSided) judgeContact(api, stats, c, mover, target, hit, pose, g1, normal);
  return done('judged', g1);
}

/** The pose is where our own formula says. */
function samePlace(c: SweepCase, a0: Place, t: number, a1: Place): void {
  const other = along(c, a0.soup, t);
  let off = 0;
  for (let i = 0; i < other.length; i++) off = Math.max(off, Math.abs(other[i]! - a1.soup[i]!));
  if (!(off <= 4 * NOISE * c.scale)) fail('poseAlong is elsewhere', c, { t, off });
}

function saneHit(c: SweepCase, { normal: n, point: p, gap }: SweepHit): void {
  const length = Math.sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
  if (!(Math.abs(length - 1) < 1e-9)) fail('normal is no unit vector', c, { n });
  if (!(gap >= 0) || !Number.isFinite(p.x + p.y + p.z)) fail('no numbers', c, { p, gap });
}

/** The point is on the mover, and as far as the gap against the normal is the target. */
function judgePlace(
  c: SweepCase,
  { point: p, normal: n, gap }: SweepHit,
  a: Place,
  b: Place,
  off: number,
): void {
  const noise = 64 * NOISE * c.scale;
  const onMover = distance(pointPlace(p.x, p.y, p.z), a);
  if (!(onMover <= c.e / 64 + noise)) fail('the point is not on the mover', c, { p, onMover });
  const foot = pointPlace(p.x - gap * n.x, p.y - gap * n.y, p.z - gap * n.z);
  const onTarget = meeting(foot, b) === APART ? distance(foot, b) : 0;
  if (!(onTarget <= off + noise)) fail('the target is not where the normal says', c, { p, n, onTarget });
}

/** The vertices and edges that are named are where the point is, and the foot. */
function judgeOwners(
  c: SweepCase,
  hit: SweepHit,
  mover: PolyhedralModel,
  pose: Pose,
  target: PolyhedralModel,
): void {
  const { point: p, normal: n, gap } = hit;
  const foot = { x: p.x - gap * n.x, y: p.y - gap * n.y, z: p.z - gap * n.z };
  const most = c.e / 8 + 64 * NOISE * c.scale;
  const offMover = offFeature(mover, pose, hit.moverKind, hit.moverFeature, p);
  const offTarget = offFeature(target, c.at, hit.targetKind, hit.targetFeature, foot);
  if (!(offMover <= most && offTarget <= most))
    fail('the contact is not at its features', c, { hit, offMover, offTarget });
}

/** How far a point is from a vertex, an edge or the plane of a polygon, where a pose puts it. */
function offFeature(m: PolyhedralModel, pose: Pose, kind: string, feature: number, p: ReadonlyVec3): number {
  const at = (v: number): ReadonlyVec3 => {
    const q = turned(
      { x: m.points[3 * v]!, y: m.points[3 * v + 1]!, z: m.points[3 * v + 2]! },
      pose.quaternion,
    );
    return { x: q.x + pose.position.x, y: q.y + pose.position.y, z: q.z + pose.position.z };
  };
  const between = (a: ReadonlyVec3, b: ReadonlyVec3): ReadonlyVec3 => ({
    x: b.x - a.x,
    y: b.y - a.y,
    z: b.z - a.z,
  });
  const dot = (a: ReadonlyVec3, b: ReadonlyVec3): number => a.x * b.x + a.y * b.y + a.z * b.z;
  if (kind === 'vertex') return Math.sqrt(dot(between(at(feature), p), between(at(feature), p)));
  if (kind === 'polygon') {
    const { planes, polygonStart, polygonVertices } = m;
    const normal = turned(
      { x: planes[4 * feature]!, y: planes[4 * feature + 1]!, z: planes[4 * feature + 2]! },
      pose.quaternion,
    );
    return Math.abs(dot(normal, between(at(polygonVertices[polygonStart[feature]!]!), p)));
  }
  const a = at(m.edges[2 * feature]!);
  const u = between(a, at(m.edges[2 * feature + 1]!));
  const w = between(a, p);
  const t = Math.max(0, Math.min(1, dot(w, u) / dot(u, u)));
  const off = { x: w.x - t * u.x, y: w.y - t * u.y, z: w.z - t * u.z };
  return Math.sqrt(dot(off, off));
}

const pointPlace = (x: number, y: number, z: number): Place =>
  placeOf(Float64Array.of(x, y, z, x, y, z, x, y, z));

/** The mover's corners after a fraction of the motion. */
function along(c: SweepCase, soup: Float64Array, t: number): Float64Array {
  const legs = legsOf(c.from, c.motion);
  let now = soup;
  legs.forEach((leg, k) => {
    const s = Math.min(1, Math.max(0, legs.length * t - k));
    if (s > 0) now = soupAlong(now, leg, s, new Float64Array(soup.length));
  });
  return now;
}

/** Does the gap shrink after t, sooner or later before it has grown? */
function comesNearer(c: SweepCase, a0: Place, b: Place, t: number, g0: number, slack: number): boolean {
  for (let s = 1; s > 1e-12; s /= 3) {
    const a = placeOf(along(c, a0.soup, Math.min(1, t + s)));
    if (meeting(a, b) !== APART || distance(a, b) < g0 - slack / 64) return true;
  }
  return false;
}

/**
 * Do two that cross do so by more than `most`? The axes of needles and of nearly parallel edges are no better than rounding, and
 * make the depth look larger than it is: an edge must go through a triangle clearly, too.
 */
const isDeep = (a: Place, b: Place, most: number): boolean =>
  depth(a, b, most) > most && (most === 0 || piercesClearly(a, b, most / 8));

/** Times on a way up to t: evenly, and more of them near the start, where what touches has not parted yet. */
function timesOn(t: number, evenly: number): number[] {
  const times = Array.from({ length: evenly - 1 }, (_, i) => (t * (i + 1)) / evenly);
  for (let s = t / evenly / 2; s > t * 2 ** -24; s /= 4) times.push(s);
  return times.sort((x, y) => x - y);
}

/**
 * Looks at the way now and then. Whatever cuts through on it that did not do so before must have come from behind, if the
 * one that it cuts is touched from the front only.
 */
function sampleWay(c: SweepCase, a0: Place, b: Place, t: number, samples: number, touched: boolean): void {
  const most = touched && !c.exact ? SUNK * c.scale : 0;
  let before = 0;
  let passing = new Set<number>();
  for (const s of timesOn(t, samples)) {
    const a = placeOf(along(c, a0.soup, s));
    const now = meeting(a, b);
    if (now === APART || (touched && now === TOUCHING)) passing = new Set();
    else if (!isOneSided(c)) {
      if (!touched || isDeep(a, b, most))
        fail('TUNNEL: in each other on the way', c, { s, t, depth: depth(a, b) });
    } else passing = passFromBehind(c, a0, b, before, s, passing, most);
    before = s;
  }
}

/** The pairs of triangles that cut each other at a time s; fails if one of them was not among those before, and is in front. */
function passFromBehind(
  c: SweepCase,
  a0: Place,
  b: Place,
  before: number,
  s: number,
  passing: ReadonlySet<number>,
  most: number,
): Set<number> {
  const a = placeOf(along(c, a0.soup, s));
  const cutting = new Set<number>();
  const cutsNow = (of: Place, i: number, j: number): boolean => {
    const [one, other] = [triangleOf(of, i), triangleOf(b, j)];
    return meeting(one, other) === CROSSING && isDeep(one, other, most);
  };
  for (let i = 0; i < a.soup.length / 9; i++)
    for (let j = 0; j < b.soup.length / 9; j++) {
      if (boxesApart(a.boxes, 6 * i, b.boxes, 6 * j) || !cutsNow(a, i, j)) continue;
      const pair = i * 65536 + j;
      cutting.add(pair);
      if (passing.has(pair)) continue;
      // How they were when they began to.
      let [low, high] = [before, s];
      for (let k = 0; k < 40; k++) {
        const middle = low + 0.5 * (high - low);
        if (cutsNow(placeOf(along(c, a0.soup, middle)), i, j)) high = middle;
        else low = middle;
      }
      const then = placeOf(along(c, a0.soup, low));
      if (isBehindOne(c, then, 9 * i, b, 9 * j)) continue;
      // What goes through the sheet already, having come from behind, goes on to its other faces.
      if (wasCrossing(c, a0, b, before, low, most)) continue;
      if (isBehindNeighbour(c, then, i, b, j, most)) continue;
      nearestTriangles(then.soup, 9 * i, b.soup, 9 * j);
      fail('TUNNEL: through the front on the way', c, { s, low, i, j, ...nearest });
    }
  return cutting;
}

/**
 * Did the two cut each other at the last moment up to `at` at which they do not just touch? From one face to the next they
 * only touch, if all of what is cut is in the plane of a face of the other.
 */
function wasCrossing(c: SweepCase, a0: Place, b: Place, before: number, at: number, most: number): boolean {
  for (let step = 0; step <= at - before; step = 2 * step || 2 ** -50 * at) {
    const a = placeOf(along(c, a0.soup, at - step));
    const now = meeting(a, b);
    if (now !== TOUCHING) return now === CROSSING && isDeep(a, b, most);
  }
  return false;
}

const triangleOf = ({ soup, boxes }: Place, i: number): Place => ({
  soup: soup.subarray(9 * i, 9 * i + 9),
  boxes: boxes.subarray(6 * i, 6 * i + 6),
});

const isOneSided = (c: SweepCase): boolean => !!(c.mover.oneSided || c.target.oneSided);

/**
 * Has the mover, which is too near to a one-sided sheet at a time, come from behind? It was farther away before: then those
 * that were nearest tell. Beside counts as in front.
 */
function cameFromBehind(
  c: SweepCase,
  placeAt: (at: number) => Place,
  b: Place,
  at: number,
  margin: number,
): boolean {
  const isOut = (s: number): boolean => {
    const a = placeAt(s);
    return meeting(a, b) === APART && distance(a, b) > margin;
  };
  let [low, high] = [0, at];
  for (let step = 2 ** -40 * at; step < at; step *= 2)
    if (isOut(at - step)) {
      low = at - step;
      break;
    } else high = at - step;
  for (let k = 0; k < 40; k++) {
    const middle = low + 0.5 * (high - low);
    if (isOut(middle)) low = middle;
    else high = middle;
  }
  const a = placeAt(low);
  const most = distance(a, b) + 8 * NOISE * c.scale;
  for (let k = 0, m = 0; k < a.soup.length; k += 9, m += 6)
    for (let l = 0, n = 0; l < b.soup.length; l += 9, n += 6) {
      if (boxDistance(a.boxes, m, b.boxes, n) > most) continue;
      nearestTriangles(a.soup, k, b.soup, l);
      // Of two that are as near, such as at a side that they share, either.
      if (Math.sqrt(nearest.distanceSq) <= most && isBehindOne(c, a, k, b, l)) return true;
    }
  return false;
}

function isBehindOne(c: SweepCase, a: Place, i: number, b: Place, j: number): boolean {
  nearestTriangles(a.soup, i, b.soup, j);
  tryAllAxes();
  const { x, y, z } = nearest;
  return (
    (!!c.target.oneSided && lean(b.soup, j, x, y, z) < -1e-4) ||
    (!!c.mover.oneSided && lean(a.soup, i, x, y, z) > 1e-4)
  );
}

/**
 * Triangle i of the mover and j of the target are about to meet. At a corner or side that a triangle of a one-sided sheet
 * shares with its neighbours, all of them are met at once, and it is enough to come from behind one of them: at a concave
 * edge, what comes from behind the one face is beside or in front of the other. `sunk`: how deep triangle i is in j already,
 * and as far apart its neighbours in one plane with it may be.
 */
function isBehindNeighbour(c: SweepCase, a: Place, i: number, b: Place, j: number, sunk: number): boolean {
  const most = Math.max(8 * NOISE * c.scale, sunk);
  const isNearAndBehind = (k: number, l: number): boolean => {
    nearestTriangles(a.soup, 9 * k, b.soup, 9 * l);
    return Math.sqrt(nearest.distanceSq) <= most && isBehindOne(c, a, 9 * k, b, 9 * l);
  };
  for (let k = 0; c.mover.oneSided && k < a.soup.length / 9; k++)
    if (shareCorner(a.soup, i, k) && isNearAndBehind(k, j)) return true;
  for (let l = 0; c.target.oneSided && l < b.soup.length / 9; l++)
    if (shareCorner(b.soup, j, l) && isNearAndBehind(i, l)) return true;
  return false;
}

function shareCorner(soup: Float64Array, i: number, k: number): boolean {
  for (let p = 9 * i; p < 9 * i + 9; p += 3)
    for (let q = 9 * k; q < 9 * k + 9; q += 3)
      if (soup[p] === soup[q] && soup[p + 1] === soup[q + 1] && soup[p + 2] === soup[q + 2]) return true;
  return false;
}

/** The cosine of a direction and the normal of a triangle. */
function lean(s: Float64Array, t: number, x: number, y: number, z: number): number {
  const u = [s[t + 3]! - s[t]!, s[t + 4]! - s[t + 1]!, s[t + 5]! - s[t + 2]!] as const;
  const v = [s[t + 6]! - s[t]!, s[t + 7]! - s[t + 1]!, s[t + 8]! - s[t + 2]!] as const;
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]] as const;
  return (n[0] * x + n[1] * y + n[2] * z) / Math.hypot(...n);
}

/** The sides of triangles that are not those of exactly two, which run along them in opposite directions; as flat triangles. */
function borderOf(body: SweepBody): Uint32Array {
  const places = new Map<string, number>();
  const corners = Array.from(body.index, (v) => {
    const at = body.positions.subarray(3 * v, 3 * v + 3).join();
    if (!places.has(at)) places.set(at, v);
    return places.get(at)!;
  });
  const uses = new Map<string, { ends: [number, number]; forth: number; back: number }>();
  corners.forEach((v, k) => {
    const w = corners[k % 3 === 2 ? k - 2 : k + 1]!;
    const ends: [number, number] = v < w ? [v, w] : [w, v];
    const one = uses.get(ends.join()) ?? { ends, forth: 0, back: 0 };
    if (v < w) one.forth++;
    else one.back++;
    uses.set(ends.join(), one);
  });
  const index: number[] = [];
  for (const { ends, forth, back } of uses.values())
    if (forth !== 1 || back !== 1) index.push(ends[0], ends[1], ends[1]);
  return Uint32Array.from(index);
}

const borders = new WeakMap<SweepBody, SweepBody>();

/** The border of a one-sided sheet; all of another body. */
function borderBody(body: SweepBody): SweepBody {
  if (!body.oneSided) return body;
  const known = borders.get(body) ?? { ...body, index: borderOf(body) };
  borders.set(body, known);
  return known;
}

/** Does the first side of a triangle of `a`, which may be an edge, go through a triangle of `b`? */
function sidesPierce(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i += 9)
    for (let j = 0; j < b.length; j += 9) if (edgePierces(a, i, i + 3, b, j, 0)) return true;
  return false;
}

/** Nothing comes near the border of a one-sided sheet, wherever it comes from; of two such sheets, no border near the other. */
function proveBorders(stats: SweepStatistics, c: SweepCase, t: number, most: number): void {
  let margin = most;
  if (!(margin > 8 * NOISE * c.scale)) return;
  const [mover, target] = [borderBody(c.mover), borderBody(c.target)];
  if ((c.mover.oneSided && mover.index.length === 0) || (c.target.oneSided && target.index.length === 0))
    return;
  const b = placedSoup(target, c.at);
  const balls = soupBalls(b);
  let now = placedSoup(mover, c.from);
  const legs = legsOf(c.from, c.motion);
  for (let k = 0; k < legs.length; k++) {
    const part = Math.min(1, Math.max(0, legs.length * t - k));
    if (k > 0) {
      // A leg is a motion of its own: it may start in the zone.
      const [a, whole] = [
        placeOf(along(c, placedSoup(c.mover, c.from), k / legs.length)),
        placedSoup(c.target, c.at),
      ];
      const gap = meeting(a, placeOf(whole)) === APART ? distance(a, placeOf(whole)) : 0;
      margin = Math.min(margin, 0.45 * gap);
      if (!(margin > 8 * NOISE * c.scale)) return;
    }
    const verdict = provePath(now, legs[k]!, part, b, balls, margin);
    stats.borders++;
    if (!verdict.clear) {
      const a = soupAlong(now, legs[k]!, verdict.at, new Float64Array(now.length));
      const gap = exactDistance(placeOf(a), placeOf(b), c);
      if (gap <= margin || sidesPierce(a, b) || sidesPierce(b, a))
        fail('TUNNEL: too close to a border on the way', c, {
          t,
          leg: k,
          at: verdict.at,
          gap,
          ratio: gap / c.e,
        });
      stats.undecided++;
      return;
    }
    now = soupAlong(now, legs[k]!, part, new Float64Array(now.length));
  }
}

function proveWay(
  stats: SweepStatistics,
  c: SweepCase,
  a0: Place,
  b: Place,
  t: number,
  margin: number,
): void {
  const legs = legsOf(c.from, c.motion);
  const balls = soupBalls(b.soup);
  let now = a0.soup;
  let passed = false;
  stats.proofs++;
  for (let k = 0; k < legs.length; k++) {
    const leg = legs[k]!;
    const part = Math.min(1, Math.max(0, legs.length * t - k));
    if (k > 0 && part === 0) return;
    const here = now;
    const placeAt = (at: number): Place => placeOf(soupAlong(here, leg, at, new Float64Array(here.length)));
    // What came through in the leg before may not have left the zone yet.
    const left = passed ? placeAt(0) : null;
    // Or be in the sheet: the whole way has been looked at.
    if (left && meeting(left, b) !== APART) return;
    const free = left ? Math.min(margin, 0.5 * distance(left, b)) : margin;
    if (free <= 8 * NOISE * c.scale) return;
    const fromBehind = ({ at, i, j }: PathVerdict): boolean => {
      const passes = isBehindOne(c, placeAt(at), 9 * i, b, 9 * j) || cameFromBehind(c, placeAt, b, at, free);
      passed ||= passes;
      return passes;
    };
    const verdict = provePath(now, leg, part, b.soup, balls, free, isOneSided(c) ? fromBehind : null);
    if (passed) {
      stats.fromBehind++;
      sampleWay(c, a0, b, t, 48, false);
    }
    stats.steps += verdict.steps;
    if (!verdict.clear) {
      const a = placeAt(verdict.at);
      const met = meeting(a, b);
      const gap = met === APART ? exactDistance(a, b, c) : -depth(a, b);
      if (gap <= free) {
        const pair = { moverTriangle: verdict.i, targetTriangle: verdict.j };
        fail('TUNNEL: too close on the way', c, {
          t,
          leg: k,
          at: verdict.at,
          gap,
          ratio: gap / c.e,
          ...pair,
        });
      }
      stats.undecided++;
      sampleWay(c, a0, b, t, 60, false);
      return;
    }
    if (k + 1 < legs.length) now = soupAlong(now, leg, 1, new Float64Array(now.length));
  }
}

/** The contact is among those that are found there; and if it is the only one around, the mover can leave and slide. */
function judgeContact(
  api: SweepApi,
  stats: SweepStatistics,
  c: SweepCase,
  mover: PolyhedralModel,
  target: PolyhedralModel,
  hit: SweepHit,
  pose: Pose,
  gap: number,
  n: ReadonlyVec3,
): void {
  let near = api.touching(mover, pose, target, c.at, 1.25 * c.e);
  let least = Infinity;
  for (const one of near) least = Math.min(least, one.gap);
  // What is a little beside a polygon may be listed with its height above it, which is less than the distance by a 64th of
  // the margin at the most; and of two in one place, as far away but for some roundings, either.
  const lower = (1.25 * c.e) / 64;
  if (!(least <= gap + c.e / 64 + 64 * NOISE * c.scale && least >= gap - lower - 64 * NOISE * c.scale))
    fail('touchingFeatures: the nearest is not among them', c, { least, gap, count: near.length, hit });
  const parallel =
    hit.moverKind === 'edge' &&
    hit.targetKind === 'edge' &&
    areParallel(c, mover, pose, hit.moverFeature, target, hit.targetFeature);
  const there = near.some(
    (one) =>
      (one.moverKind === hit.moverKind &&
        one.moverFeature === hit.moverFeature &&
        one.targetKind === hit.targetKind &&
        one.targetFeature === hit.targetFeature) ||
      // On the border of a feature its neighbour may speak for the place, and among parallel ones, or where an edge lies
      // across a polygon, the nearest: the sweep stops within a 64th of e.
      (Math.abs(one.gap - hit.gap) <= c.e / 64 + lower + 64 * NOISE * c.scale &&
        meetFeatures(mover, one.moverKind, one.moverFeature, hit.moverKind, hit.moverFeature) &&
        meetFeatures(target, one.targetKind, one.targetFeature, hit.targetKind, hit.targetFeature)) ||
      apartBy(one.point, hit.point) <= 4 * c.e ||
      (parallel &&
        ((one.moverKind === 'vertex' && endsOf(mover, hit.moverFeature).includes(one.moverFeature)) ||
          (one.targetKind === 'vertex' && endsOf(target, hit.targetFeature).includes(one.targetFeature)))),
  );
  if (!there) fail('touchingFeatures: the contact is not among them', c, { hit, near: near.slice(0, 6) });
  near = api.touching(mover, pose, target, c.at, 8 * c.e);
  // Of convex ones, by convexity: whatever does not go nearer at once does not do so later.
  if (near.length !== 1 || !c.mover.convex || !c.target.convex || c.scale * 2 ** -39 > c.e) return;
  stats.leaves++;
  // Nearest to within 1/64 of e may be off by 10 degrees.
  const cosine = n.x * hit.normal.x + n.y * hit.normal.y + n.z * hit.normal.z;
  if (!(cosine > 0.95)) fail('the normal is not that of the nearest points', c, { hit, n, cosine });
  const out = { translation: { x: 3 * c.e * n.x, y: 3 * c.e * n.y, z: 3 * c.e * n.z } };
  const away = api.sweep(mover, pose, out, target, c.at, { thickness: c.e });
  if (away) fail('cannot leave along the normal', c, { hit, away });
  // Without the pivot of a rotation, which may be far away.
  let largest = 0;
  for (const soup of [placedSoup(c.mover, pose), placedSoup(c.target, c.at)])
    for (const x of soup) largest = Math.max(largest, Math.abs(x));
  const s = Math.abs(n.x) < 0.6 ? { x: 0, y: n.z, z: -n.y } : { x: -n.y, y: n.x, z: 0 };
  for (const f of [3 * c.e, -3 * c.e]) {
    const along = { translation: { x: f * s.x, y: f * s.y, z: f * s.z } };
    const options = { thickness: c.e };
    const slid = api.sweep(mover, pose, along, target, c.at, options);
    if (!slid) continue;
    // The tangent is known to rounding of the nearest points: what really goes nearer may be stopped.
    const nearer = -(
      along.translation.x * slid.normal.x +
      along.translation.y * slid.normal.y +
      along.translation.z * slid.normal.z
    );
    if (nearer > 2 ** -46 * largest) continue;
    // Stopped by rounding, where the gap is e but for that, it must get on from there.
    stats.snags++;
    const there = api.poseAlong(pose, along, slid.t);
    const again = api.sweep(mover, there, along, target, c.at, options);
    if (again) fail('cannot slide along the tangent', c, { hit, slid, again });
  }
}

const endsOf = ({ edges }: PolyhedralModel, edge: number): number[] => [
  edges[2 * edge]!,
  edges[2 * edge + 1]!,
];

/** Do two features of a model share a vertex, or border the same polygon, which may be thin? */
function meetFeatures(
  model: PolyhedralModel,
  kindA: string,
  featureA: number,
  kindB: string,
  featureB: number,
): boolean {
  const verticesOf = (kind: string, feature: number): number[] => {
    if (kind === 'vertex') return [feature];
    if (kind === 'edge') return endsOf(model, feature);
    const { polygonStart, polygonVertices } = model;
    return [...polygonVertices.subarray(polygonStart[feature]!, polygonStart[feature + 1]!)];
  };
  const [a, b] = [verticesOf(kindA, featureA), verticesOf(kindB, featureB)];
  if (a.some((v) => b.includes(v))) return true;
  return model.sources.some((_, f) => {
    const around = verticesOf('polygon', f);
    return a.every((v) => around.includes(v)) && b.every((v) => around.includes(v));
  });
}

/** Are edges so nearly parallel that they are told by their ends? */
function areParallel(
  c: SweepCase,
  mover: PolyhedralModel,
  pose: Pose,
  e: number,
  target: PolyhedralModel,
  f: number,
): boolean {
  const way = ({ edges, points: p }: PolyhedralModel, edge: number, q: Pose['quaternion']): ReadonlyVec3 => {
    const [i, j] = [3 * edges[2 * edge]!, 3 * edges[2 * edge + 1]!];
    return turned({ x: p[j]! - p[i]!, y: p[j + 1]! - p[i + 1]!, z: p[j + 2]! - p[i + 2]! }, q);
  };
  const u = way(mover, e, pose.quaternion);
  const v = way(target, f, c.at.quaternion);
  const across = Math.hypot(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x);
  // sin × the longer one.
  return across / Math.min(Math.hypot(u.x, u.y, u.z), Math.hypot(v.x, v.y, v.z)) <= (1.26 * c.e) / 8;
}

const apartBy = (a: ReadonlyVec3, b: ReadonlyVec3): number =>
  Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y), Math.abs(a.z - b.z));
