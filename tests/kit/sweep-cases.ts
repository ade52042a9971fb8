/**
 * Where sweeps go wrong: two polyhedra, a place for each and a motion, made backwards from a moment at which two features
 * of them meet or just miss each other. Everything here is in world space.
 */
import type { SweepMotion } from '../../src/continuous/types.ts';
import type { Pose, Quat, ReadonlyPose, ReadonlyVec3, Vec3 } from '../../src/math/types.ts';
import type { Rng } from './rng.ts';
import type { Leg } from './sweep-path.ts';
import { latticeBody, oneSidedBody, randomBody, roomBody, type SweepBody } from './sweep-shapes.ts';

export interface SweepCase {
  readonly regime: string;
  readonly mover: SweepBody;
  readonly target: SweepBody;
  readonly from: Pose;
  readonly motion: SweepMotion;
  readonly at: Pose;
  /** The thickness of the zone. */
  readonly e: number;
  /** Is that what the library would take by itself? Then it is not told. */
  readonly byDefault: boolean;
  /** The largest coordinate. */
  readonly scale: number;
  /** Corners and places are exact, and an axis that the two may touch across. */
  readonly exact: boolean;
}

const add = (a: ReadonlyVec3, b: ReadonlyVec3, s = 1): Vec3 => ({
  x: a.x + s * b.x,
  y: a.y + s * b.y,
  z: a.z + s * b.z,
});
const dot = (a: ReadonlyVec3, b: ReadonlyVec3): number => a.x * b.x + a.y * b.y + a.z * b.z;
const cross = (a: ReadonlyVec3, b: ReadonlyVec3): Vec3 => ({
  x: a.y * b.z - a.z * b.y,
  y: a.z * b.x - a.x * b.z,
  z: a.x * b.y - a.y * b.x,
});
function unit(a: ReadonlyVec3): Vec3 | null {
  const length = Math.sqrt(dot(a, a));
  return length > 0 ? { x: a.x / length, y: a.y / length, z: a.z / length } : null;
}

/** Turns v by a quaternion, which need not be of length 1. */
export function turned({ x, y, z }: ReadonlyVec3, q: Readonly<Quat>): Vec3 {
  const s = 2 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {
    x:
      (1 - s * (q.y * q.y + q.z * q.z)) * x +
      s * (q.x * q.y - q.z * q.w) * y +
      s * (q.x * q.z + q.y * q.w) * z,
    y:
      s * (q.x * q.y + q.z * q.w) * x +
      (1 - s * (q.x * q.x + q.z * q.z)) * y +
      s * (q.y * q.z - q.x * q.w) * z,
    z:
      s * (q.x * q.z - q.y * q.w) * x +
      s * (q.y * q.z + q.x * q.w) * y +
      (1 - s * (q.x * q.x + q.y * q.y)) * z,
  };
}

const times = (a: Readonly<Quat>, b: Readonly<Quat>): Quat => ({
  x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
  y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
  z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
  w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
});

/** The corners of a body where a pose puts it, nine numbers a triangle; a point is one triangle in one place. */
export function placedSoup(b: SweepBody, pose: ReadonlyPose): Float64Array {
  const { x: qx, y: qy, z: qz, w: qw } = pose.quaternion;
  const s = 2 / (qx * qx + qy * qy + qz * qz + qw * qw);
  const { x: px, y: py, z: pz } = pose.position;
  const [xx, xy, xz] = [1 - s * (qy * qy + qz * qz), s * (qx * qy - qz * qw), s * (qx * qz + qy * qw)];
  const [yx, yy, yz] = [s * (qx * qy + qz * qw), 1 - s * (qx * qx + qz * qz), s * (qy * qz - qx * qw)];
  const [zx, zy, zz] = [s * (qx * qz - qy * qw), s * (qy * qz + qx * qw), 1 - s * (qx * qx + qy * qy)];
  const n = Math.max(3, b.index.length);
  const soup = new Float64Array(3 * n);
  for (let k = 0; k < n; k++) {
    const i = b.index.length > 0 ? 3 * b.index[k]! : 0;
    const x = b.positions[i]!;
    const y = b.positions[i + 1]!;
    const z = b.positions[i + 2]!;
    soup[3 * k] = xx * x + xy * y + xz * z + px;
    soup[3 * k + 1] = yx * x + yy * y + yz * z + py;
    soup[3 * k + 2] = zx * x + zy * y + zz * z + pz;
  }
  return soup;
}

/** The motion as at most two legs, those that lead nowhere left out. Without a pivot it is where the position is by then. */
export function legsOf(from: ReadonlyPose, motion: SweepMotion): Leg[] {
  const none = { x: 0, y: 0, z: 0 };
  const legs: Leg[] = [];
  const move = 'translation' in motion ? motion.translation : none;
  if (move.x !== 0 || move.y !== 0 || move.z !== 0)
    legs.push({ translation: move, axis: none, pivot: none, angle: 0 });
  if ('axis' in motion && motion.angle !== 0)
    legs.push({
      translation: null,
      axis: unit(motion.axis)!,
      pivot: motion.pivot ?? add(from.position, move),
      angle: motion.angle,
    });
  return legs;
}

/** A place on a body: a corner, a point of an edge, a point of a face; with directions to go with it. */
interface Spot {
  point: Vec3;
  /** Out of the face there. */
  normal: Vec3;
  /** Along an edge there. */
  along: Vec3;
}

function cornerOf(b: SweepBody, i: number): Vec3 {
  return { x: b.positions[3 * i]!, y: b.positions[3 * i + 1]!, z: b.positions[3 * i + 2]! };
}

function spotOf(rng: Rng, b: SweepBody): Spot {
  if (b.index.length === 0) return { point: cornerOf(b, 0), normal: rng.direction(), along: rng.direction() };
  const t = 3 * rng.int(0, b.index.length / 3 - 1);
  const k = rng.int(0, 2);
  const p = cornerOf(b, b.index[t + k]!);
  const q = cornerOf(b, b.index[t + ((k + 1) % 3)]!);
  const r = cornerOf(b, b.index[t + ((k + 2) % 3)]!);
  const pq = add(q, p, -1);
  const pr = add(r, p, -1);
  const normal = unit(cross(pq, pr)) ?? rng.direction();
  const along = unit(pq) ?? rng.direction();
  const way = rng.int(0, 2);
  if (way === 0) return { point: p, normal, along };
  const s = rng.pick([0.5, rng.unit()]);
  if (way === 1) return { point: add(p, pq, s), normal, along };
  const w = rng.unit() * (1 - s);
  return { point: add(add(p, pq, s), pr, w), normal, along };
}

/** The corner furthest along a direction of the body's own space. */
function supportOf(b: SweepBody, d: ReadonlyVec3): Vec3 {
  let best = cornerOf(b, 0);
  for (let i = 1; i < b.positions.length / 3; i++) {
    const p = cornerOf(b, i);
    if (dot(p, d) > dot(best, d)) best = p;
  }
  return best;
}

const conjugate = (q: Readonly<Quat>): Quat => ({ x: -q.x, y: -q.y, z: -q.z, w: q.w });

function reach(b: SweepBody, pose: ReadonlyPose): number {
  let most = Math.max(Math.abs(pose.position.x), Math.abs(pose.position.y), Math.abs(pose.position.z));
  let own = 0;
  for (const x of b.positions) own = Math.max(own, Math.abs(x));
  for (const x of placedSoup(b, pose)) most = Math.max(most, Math.abs(x));
  return Math.max(
    most,
    own + Math.abs(pose.position.x),
    own + Math.abs(pose.position.y),
    own + Math.abs(pose.position.z),
  );
}

/** The largest coordinate at the start, on the way and at the end. */
function scaleOf(mover: SweepBody, from: Pose, motion: SweepMotion, target: SweepBody, at: Pose): number {
  let most = Math.max(reach(mover, from), reach(target, at), reach(target, from), reach(mover, at));
  let far = reach(mover, from);
  if ('translation' in motion) {
    const { x, y, z } = motion.translation;
    far += Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    most = Math.max(most, far);
  }
  if ('axis' in motion) {
    const { x, y, z } = motion.pivot ?? from.position;
    const pivot = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    most = Math.max(most, pivot, 2 * (far + pivot));
  }
  return most;
}

export const diagonalOf = (b: SweepBody): number => {
  let sum = 0;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    // Of corners that no triangle uses, a model knows nothing.
    for (const v of b.index.length > 0 ? b.index : [0]) {
      low = Math.min(low, b.positions[3 * v + axis]!);
      high = Math.max(high, b.positions[3 * v + axis]!);
    }
    sum += (high - low) * (high - low);
  }
  return Math.sqrt(sum);
};

const LEAST = 2 ** -40;

/** A thickness that makes sense for a case: 0 if the coordinates are too large for the things. */
function thicknessFor(
  rng: Rng,
  a: SweepBody,
  b: SweepBody,
  scale: number,
): { e: number; byDefault: boolean } {
  const [da, db] = [diagonalOf(a), diagonalOf(b)];
  const smaller = da > 0 && db > 0 ? Math.min(da, db) : Math.max(da, db) || scale;
  const usual = 1e-6 * smaller;
  if (usual > 4 * LEAST * scale && rng.chance(0.5)) return { e: usual, byDefault: da > 0 || db > 0 };
  const wanted = rng.chance(0.6) ? usual : smaller * 10 ** -rng.range(1.5, 7);
  const e = Math.max(wanted, LEAST * scale * rng.pick([1, 1, 4]));
  return { e: e < 0.1 * smaller ? e : 0, byDefault: false };
}

export type MotionKind = 'translation' | 'rotation' | 'both';
const MOTION_KINDS: readonly MotionKind[] = ['translation', 'translation', 'rotation', 'rotation', 'both'];

/** What a case is called in the statistics. */
const nameOf = (motion: SweepMotion): MotionKind =>
  'axis' in motion ? ('translation' in motion ? 'both' : 'rotation') : 'translation';

/** Undoes a fraction of a rotation. */
function turnedBack(pose: Pose, axis: Vec3, angle: number, pivot: Vec3): Pose {
  const s = Math.sin(-angle / 2);
  const q = { x: s * axis.x, y: s * axis.y, z: s * axis.z, w: Math.cos(angle / 2) };
  return {
    position: add(pivot, turned(add(pose.position, pivot, -1), q)),
    quaternion: times(q, pose.quaternion),
  };
}

/** Two bodies of like or unlike sizes; now and then the one in a room. */
export function randomPair(rng: Rng): { mover: SweepBody; target: SweepBody } {
  const sizeB = 10 ** rng.range(-3, 4);
  const ratio = rng.pick([1, 1, 1, 10 ** rng.range(-1.5, 1.5), 10 ** rng.range(-3, 3)]);
  const sizeA = Math.min(1e4, Math.max(1e-3, sizeB * ratio));
  const inRoom = rng.chance(0.06);
  const target = inRoom ? roomBody(rng, sizeB) : randomBody(rng, sizeB);
  const mover = randomBody(rng, inRoom ? sizeB * rng.pick([0.01, 0.1, 0.3]) : sizeA);
  return { mover, target };
}

/** Two of which one is a sheet that is touched from the front only, mostly the one that stands; now and then both. */
export function oneSidedPair(rng: Rng): { mover: SweepBody; target: SweepBody } {
  const size = 10 ** rng.range(-3, 3);
  const sheet = oneSidedBody(rng, size);
  const ratio = rng.pick([1, 1, 0.3, 10 ** rng.range(-2, 1)]);
  const other = rng.chance(0.1) ? oneSidedBody(rng, size * ratio) : randomBody(rng, size * ratio);
  return rng.chance(0.75) ? { mover: other, target: sheet } : { mover: sheet, target: other };
}

/** A case with a meeting somewhere on the way; null where the numbers make none. */
export function meetingCase(
  rng: Rng,
  only: MotionKind | null = null,
  { mover, target } = randomPair(rng),
): SweepCase | null {
  const larger = Math.max(mover.size, target.size, 1e-3);
  const turn = rng.chance(0.3) ? { x: 0, y: 0, z: 0, w: 1 } : rng.rotation();
  const shift = rng.chance(0.15) ? rng.vec(rng.pick([1e5, 1e3 * larger, 1e5 * larger])) : rng.vec(larger);
  const at: Pose = { position: rng.chance(0.3) ? { x: 0, y: 0, z: 0 } : shift, quaternion: turn };
  // How the mover stands when they meet: anyhow, as the target does, or at a right angle to that.
  const stand = rng.chance(0.6)
    ? rng.rotation()
    : rng.chance(0.5)
      ? turn
      : times(
          turn,
          rng.pick([
            { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 },
            { x: 0, y: 0, z: 1, w: 0 },
          ]),
        );
  const spot = spotOf(rng, target);
  const n = rng.chance(0.7) ? turned(spot.normal, turn) : rng.direction();
  const along = turned(spot.along, turn);
  const other = spotOf(rng, mover);
  const own = rng.chance(0.6)
    ? supportOf(mover, turned({ x: -n.x, y: -n.y, z: -n.z }, conjugate(stand)))
    : other.point;
  const rough = 1e-6 * Math.min(mover.size || larger, target.size || larger);
  const beside = rng.pick([
    0,
    0,
    1e-12,
    -1e-12,
    rough / 2,
    -rough / 2,
    2 * rough,
    -2 * rough,
    rng.range(0, rough),
  ]);
  const aside = rng.chance(0.5) ? beside : beside * larger * (rng.chance(0.5) ? 1 : 1e-3);
  const meet = add(add(turned(spot.point, turn), at.position), n, aside);
  const met: Pose = { position: add(meet, turned(own, stand), -1), quaternion: stand };

  const fraction = rng.pick([rng.range(0.05, 0.95), rng.range(0.05, 0.95), 1, 1e-3, 0]);
  const side = unit(cross(n, along)) ?? rng.direction();
  const tilt = rng.pick([0, 0, 1e-3, 1e-6, 1e-9, -1e-9, -1e-6]);
  const heading = rng.pick<Vec3>([
    add(rng.direction(), n, -1.2),
    { x: -n.x, y: -n.y, z: -n.z },
    rng.direction(),
    add(along, n, -tilt),
    add(side, n, -tilt),
    add(add(along, side, rng.range(-1, 1)), n, -tilt),
  ]);
  const length = larger * 10 ** rng.range(-1, rng.chance(0.3) ? 3 : 1);
  const translation = add({ x: 0, y: 0, z: 0 }, unit(heading) ?? n, length);
  const kind = only ?? rng.pick(MOTION_KINDS);
  if (kind === 'translation') {
    const from: Pose = { position: add(met.position, translation, -fraction), quaternion: stand };
    return finish(rng, 'meet', mover, target, from, { translation }, at);
  }
  // A rotation that passes the meeting point, about an axis of any kind.
  const axis =
    unit(
      rng.pick<Vec3>([
        rng.direction(),
        n,
        along,
        side,
        { x: 0, y: 0, z: rng.sign() },
        turned(other.along, stand),
        turned(other.normal, stand),
      ]),
    ) ?? n;
  const pivot = rng.pick<Vec3>([
    add(meet, rng.direction(), larger * rng.range(0.1, 3)),
    add(meet, side, larger),
    add(met.position, turned(other.point, stand)),
    met.position,
    add(turned(spotOf(rng, target).point, turn), at.position),
    add(meet, rng.direction(), larger * 10 ** rng.range(1, 3)),
    { x: 0, y: 0, z: 0 },
    meet,
  ]);
  let angle = rng.pick([
    1e-6,
    1e-3,
    rng.range(0.05, 1),
    rng.range(0.05, 3),
    Math.PI / 2,
    Math.PI,
    5 * Math.PI,
    rng.range(3, 9),
    2 * Math.PI,
  ]);
  // Mostly towards the face.
  const speed = dot(cross(axis, add(meet, pivot, -1)), n);
  if (speed > 0 === rng.chance(0.8)) angle = -angle;
  let from = turnedBack(met, axis, angle * fraction, pivot);
  const plain = pivot === met.position && rng.chance(0.5);
  const rotation = plain ? { axis, angle } : { axis, angle, pivot };
  if (kind === 'rotation') return finish(rng, 'meet', mover, target, from, rotation, at);
  from = { position: add(from.position, translation, -1), quaternion: from.quaternion };
  return finish(rng, 'meet', mover, target, from, { translation, ...rotation }, at);
}

function finish(
  rng: Rng,
  regime: string,
  mover: SweepBody,
  target: SweepBody,
  from: Pose,
  motion: SweepMotion,
  at: Pose,
  exact = false,
): SweepCase | null {
  const scale = scaleOf(mover, from, motion, target, at);
  const { e, byDefault } = thicknessFor(rng, mover, target, scale);
  if (e === 0) return null;
  return {
    regime: `${regime} ${nameOf(motion)}`,
    mover,
    target,
    from,
    motion,
    at,
    e,
    byDefault,
    scale,
    exact,
  };
}

/** The same two bodies go on from where they are. */
export function goOn(rng: Rng, last: SweepCase, from: Pose, motion: SweepMotion): SweepCase | null {
  const scale = scaleOf(last.mover, from, motion, last.target, last.at);
  if (last.e < LEAST * scale) return null;
  const byDefault = last.byDefault && last.e > 4 * LEAST * scale && rng.chance(0.5);
  return { ...last, regime: `onward ${nameOf(motion)}`, from, motion, byDefault, scale, exact: false };
}

/** Bodies on a lattice, touching at the start or not far from it, with motions that lead along, away or into each other. */
export function latticeCase(rng: Rng, only: MotionKind | null = null): SweepCase | null {
  const cell = 2 ** rng.int(-8, 8);
  const target = latticeBody(rng, cell);
  const mover = latticeBody(rng, cell);
  const far = rng.chance(0.15) ? cell * 2 ** 17 : 0;
  const lattice = (n: number): number => cell * rng.int(-n, n);
  const place = { x: far, y: -far, z: far };
  const still = { x: 0, y: 0, z: 0, w: 1 };
  const at: Pose = { position: place, quaternion: still };
  // Side by side along one axis: boxes in touch, or some cells apart.
  const k = rng.int(0, 2);
  const sign = rng.sign();
  const end = (b: SweepBody, axis: number, s: number): number => {
    let most = -Infinity;
    for (let i = axis; i < b.positions.length; i += 3) most = Math.max(most, s * b.positions[i]!);
    return s * most;
  };
  const apart = rng.chance(0.6) ? 0 : cell * rng.pick([1, 2, 0.5]);
  const p = [lattice(2), lattice(2), lattice(2)];
  p[k] = end(target, k, sign) - end(mover, k, -sign) + sign * apart;
  const from: Pose = {
    position: { x: place.x + p[0]!, y: place.y + p[1]!, z: place.z + p[2]! },
    quaternion: still,
  };
  const v = [lattice(4), lattice(4), lattice(4)];
  const way = rng.int(0, 6);
  if (way < 3) v[k] = 0;
  else if (way === 3) v[k] = Math.abs(v[k]!) * sign;
  else if (way === 4) v[k] = -Math.abs(v[k]!) * sign;
  else if (way === 5) {
    v[(k + 1) % 3] = 0;
    v[(k + 2) % 3] = 0;
  }
  const stretch = rng.pick([1, 1, rng.range(0, 3), 1e-9]);
  const translation = { x: v[0]! * stretch, y: v[1]! * stretch, z: v[2]! * stretch };
  const flat = translation[(['x', 'y', 'z'] as const)[k]!] === 0;
  const kind = only ?? rng.pick(MOTION_KINDS);
  if (kind === 'translation') return finish(rng, 'lattice', mover, target, from, { translation }, at, flat);
  const own = rng.chance(0.7);
  const j = own ? k : rng.int(0, 2);
  const axis = { x: j === 0 ? 1 : 0, y: j === 1 ? 1 : 0, z: j === 2 ? 1 : 0 };
  const angle = rng.pick([Math.PI / 2, Math.PI, rng.range(-7, 7), 1e-6, -0.1]);
  const pivot = { x: place.x + lattice(3), y: place.y + lattice(3), z: place.z + lattice(3) };
  const rotation = { axis, angle, pivot };
  if (kind === 'rotation') return finish(rng, 'lattice', mover, target, from, rotation, at, j === k);
  return finish(rng, 'lattice', mover, target, from, { translation, ...rotation }, at, flat && j === k);
}
