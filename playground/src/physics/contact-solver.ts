/** Impulses that keep touching bodies from approaching, with friction: projected Gauss–Seidel, warm-started. */
import type { ReadonlyVec3, Vec3 } from 'graze';
import type { SweepContact } from 'graze/continuous';
import { type Lever, leverOf, push, type RigidBody, speedAlong } from './rigid-body.ts';

/** One direction in which two bodies act on each other at a point. */
interface Row {
  readonly direction: ReadonlyVec3;
  readonly a: Lever;
  readonly b: Lever;
  readonly mass: number;
  impulse: number;
}

export interface TouchingPoint {
  readonly a: RigidBody;
  readonly b: RigidBody;
  /** Names the two bodies. */
  readonly pair: string;
  readonly point: ReadonlyVec3;
  readonly armA: ReadonlyVec3;
  readonly armB: ReadonlyVec3;
  readonly normal: Row;
  readonly tangents: readonly [Row, Row];
  /** The speed at which they may approach: what closes the gap in this step. */
  readonly allowed: number;
}

function rowOf(
  a: RigidBody,
  b: RigidBody,
  armA: ReadonlyVec3,
  armB: ReadonlyVec3,
  direction: ReadonlyVec3,
): Row {
  const leverA = leverOf(a, armA, direction);
  const leverB = leverOf(b, armB, direction);
  return { direction, a: leverA, b: leverB, mass: 1 / (leverA.give + leverB.give), impulse: 0 };
}

const minus = (a: ReadonlyVec3, b: ReadonlyVec3): Vec3 => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });

/** Two unit vectors across n and each other. */
function acrossOf({ x, y, z }: ReadonlyVec3): [Vec3, Vec3] {
  const s = z >= 0 ? 1 : -1;
  const a = -1 / (s + z);
  const b = x * y * a;
  return [
    { x: 1 + s * x * x * a, y: s * b, z: -s * x },
    { x: b, y: s + y * y * a, z: -y },
  ];
}

/** Gaps of so many times the thickness are closed: bodies that rest need not hunt for the last bit. */
const CLOSED = 4;

export function touchingPoint(
  a: RigidBody,
  b: RigidBody,
  pair: string,
  { point, normal, gap }: SweepContact,
  thickness: number,
  dt: number,
): TouchingPoint {
  const armA = minus(point, a.pose.position);
  const armB = minus(point, b.pose.position);
  const n = { ...normal };
  const [s, t] = acrossOf(n);
  return {
    a,
    b,
    pair,
    point: { ...point },
    armA,
    armB,
    normal: rowOf(a, b, armA, armB, n),
    tangents: [rowOf(a, b, armA, armB, s), rowOf(a, b, armA, armB, t)],
    allowed: Math.max(0, gap - CLOSED * thickness) / dt,
  };
}

function act({ direction, a, b }: Row, impulse: number): void {
  push(a, direction, impulse);
  push(b, direction, -impulse);
}

const approach = ({ a, b, armA, armB }: TouchingPoint, { direction }: Row): number =>
  speedAlong(a, armA, direction) - speedAlong(b, armB, direction);

/** What two bodies did to each other in the last step, and where. */
export type Remembered = Map<string, TouchingPoint[]>;

/** Points of the same pair that are nearer than this are one. */
const SAME = 5e-3;

export function isSame(a: TouchingPoint, b: TouchingPoint): boolean {
  const d = minus(a.point, b.point);
  const [n, m] = [a.normal.direction, b.normal.direction];
  return d.x * d.x + d.y * d.y + d.z * d.z < SAME * SAME && n.x * m.x + n.y * m.y + n.z * m.z > 0.999;
}

/** Impulses are good enough when they change by no more than this part of the largest. */
const CLOSE = 1e-8;

/** Changes the velocities so that no two touching bodies approach; friction within its cone. */
export function solveContacts(
  points: readonly TouchingPoint[],
  friction: number,
  iterations: number,
  remembered: Remembered,
): void {
  for (const point of points) {
    const { normal, tangents } = point;
    const last = remembered.get(point.pair)?.find((other) => isSame(point, other));
    if (last === undefined) continue;
    normal.impulse = last.normal.impulse;
    tangents[0].impulse = last.tangents[0].impulse;
    tangents[1].impulse = last.tangents[1].impulse;
    for (const row of [normal, ...tangents]) act(row, row.impulse);
  }
  // As often as it takes: hardly ever more than a few times, once the impulses of the last step are a good start.
  for (let i = 0, change = 1, most = 0; i < iterations && change > CLOSE * most; i++) {
    change = 0;
    // Up the pile and down again: both ways news travels far at once.
    for (let k = 0; k < points.length; k++) {
      const point = points[i % 2 === 0 ? k : points.length - 1 - k]!;
      const { normal, tangents, allowed } = point;
      for (const row of tangents) {
        const limit = friction * normal.impulse;
        const wanted = row.impulse - approach(point, row) * row.mass;
        const impulse = Math.max(-limit, Math.min(limit, wanted));
        act(row, impulse - row.impulse);
        row.impulse = impulse;
      }
      const impulse = Math.max(0, normal.impulse - (approach(point, normal) + allowed) * normal.mass);
      act(normal, impulse - normal.impulse);
      change = Math.max(change, Math.abs(impulse - normal.impulse));
      most = Math.max(most, impulse);
      normal.impulse = impulse;
    }
  }
  remembered.clear();
  for (const point of points) {
    const list = remembered.get(point.pair);
    if (list === undefined) remembered.set(point.pair, [point]);
    else list.push(point);
  }
}

/** The impulse of a blow: they part with `bounce` of the speed at which they met, with friction. */
export function strike(point: TouchingPoint, friction: number, bounce: number): number {
  const { normal, tangents } = point;
  const speed = approach(point, normal);
  if (!(speed < 0)) return 0;
  const impulse = -(1 + bounce) * speed * normal.mass;
  act(normal, impulse);
  for (const row of tangents) {
    const wanted = -approach(point, row) * row.mass;
    act(row, Math.max(-friction * impulse, Math.min(friction * impulse, wanted)));
  }
  return impulse;
}
