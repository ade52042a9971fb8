/**
 * When two bodies first touch of which one rotates, or both: conservative advancement. RTCD §9.5.2.
 *
 *     ▲ n   ___             n is the direction of the shortest line between the two at time t, the gap its length. As long as
 *     │    /  /  first      no point of the first has sunk, and none of the second risen, by the gap along n, a plane is
 *     │   /__/              between them: so far nothing can happen, and the next t is there.
 *   ──┼──────────  gap
 *     │ ________            Where one body rotates about a line, the other rests and the first has corners, the height of a
 *     ││________| second    corner is a sinusoid, and the time when the first corner is there is a closed form. Otherwise it is
 *                           bounded by how fast heights change now and how much faster they can get (Mirtich): those of
 *                           each corner, where there are corners, so that near the contact only the one that touches counts.
 *
 * Steps lead to half the tolerance, and end within all of it: what is left is more than all rounding, on both sides. Bodies
 * that start nearer than the tolerance may go out and along, but not nearer than a part of where they start.
 */
import type { SteadyMotion } from '../../continuous/motion.ts';
import { isPureRotation, poseAtTime } from '../../continuous/motion.ts';
import { BOX, type ConvexCore, POINT, POLYTOPE, supportCore } from '../../convex/core.ts';
import { relativeFrame } from '../../convex/frame.ts';
import { inverseTransformPoint, inverseTransformVector, transformPoint } from '../../math/pose.ts';
import { angleOfRegisters } from '../../math/trig.ts';
import { type ReadonlyVec3, vec3 } from '../../math/types.ts';
import { copyPoint, normalToWorld, pointToWorld } from '../body-space.ts';
import type { CastHit } from '../results.ts';
import { separateMovedCores } from './convex-distance.ts';
import { between, largest, lengthOf, type MovingBody, type MovingPair, ROUNDING } from './moving-pair.ts';
import { copyPart } from './pair.ts';

/** How near is touching, in parts of the sizes of the two. */
const TOLERANCE = 1e-7;
/** Of the gap at the start, where that is less than the tolerance: what is nearer touches. */
const START = 0.75;
/** Never reached; a contact reported too early would be better than none. */
const MOST_STEPS = 1_000_000;
/** For bodies that start within the tolerance: after so many steps they touch. */
const MOST_STEPS_NEAR = 1000;
/** Cores with more corners are asked for their support points only. */
const MOST_CORNERS = 128;

/** What a normal moves with that does not move: that of anything but a half-space. */
const RESTING: SteadyMotion = { pivot: vec3(), linear: vec3(), axis: vec3(0, 1, 0), angle: 0 };

/** As `PairAlgorithm.rotation`, of two convex shapes. */
export const CONVEX_ROTATION = 'conservative advancement, by closed forms for corners';

/** Two convex sets. As `PairAlgorithm.castRotating`. */
export function castRotatingCores(a: ConvexCore, b: ConvexCore, context: MovingPair, hit: CastHit): boolean {
  const { first, second } = context;
  first.core = a;
  second.core = b;
  first.fills = second.fills = true;
  context.algorithm = null;
  return advance(context, hit);
}

/**
 * The first contact before `hit.t` of the two bodies, which do not touch at the start. `context.algorithm` measures how far apart
 * they are, or GJK where that is null: of each body the `core` is set. No two half-spaces.
 */
export function advance(context: MovingPair, hit: CastHit): boolean {
  const { first, second, pair } = context;
  const { separation: gap } = pair;
  measure(first);
  measure(second);
  const size = first.reach + second.reach;
  const rounding = ROUNDING * (first.extent + second.extent + size);
  const whole = TOLERANCE * size + rounding;
  let tolerance = whole;
  context.t = 0;
  pair.gjkState.coreA = null; // the cores of triangles change under the same name: nothing is to be remembered
  for (let step = 0; ; step++) {
    separate(context);
    const { separation } = gap;
    if (separation > whole) tolerance = whole;
    else if (step === 0) tolerance = separation > 4 * rounding ? START * separation : whole;
    if (separation <= tolerance || step === (tolerance < whole ? MOST_STEPS_NEAR : MOST_STEPS)) break;
    context.free = separation - tolerance / 2;
    advanceTime(context);
    if (!(context.t <= hit.t)) return false;
  }
  context.gap = gap.separation;
  hit.t = context.t;
  pointToWorld(first.now, gap.pointB, hit.point);
  copyPoint(context.normal, hit.normal);
  copyPart(gap.partA, hit.moverPart);
  copyPart(gap.partB, hit.part);
  return true;
}

/** What the tolerance and the bounds are made of. Nothing of a half-space but its motion. */
function measure(body: MovingBody): void {
  const { pose, motion, core } = body;
  body.reach = core === null ? 0 : core.reach;
  body.radius = between(pose.position, motion.pivot) + body.reach;
  body.extent = largest(pose.position) + largest(motion.pivot) + lengthOf(motion.linear);
}

/** Fills `pair.separation` with that at the time at hand, and the normal. */
function separate(context: MovingPair): void {
  const { first, second, pair, algorithm } = context;
  poseAtTime(first.pose, first.motion, context, first.now);
  poseAtTime(second.pose, second.motion, context, second.now);
  relativeFrame(first.now, second.now, pair.frame);
  pair.limit = Infinity;
  if (algorithm === null) separateMovedCores(first.core!, second.core!, pair, pair.separation);
  else algorithm.separation(context.a!, context.b!, pair, pair.separation);
  normalToWorld(first.now, pair.separation.normal, context.normal);
}

/** Moves the time on as far as the two come nearer by no more than `context.free` along the normal. */
function advanceTime(context: MovingPair): void {
  const { first, second } = context;
  const rotating = isAtRest(second.motion) ? first : isAtRest(first.motion) ? second : null;
  const other = rotating === first ? second : first;
  if (rotating === null || !isPureRotation(rotating.motion)) advanceByBounds(context);
  else if (hasCorners(rotating)) advanceByCorners(context, rotating, rotating.motion, 1);
  // What a half-space does is what the other does backwards, as it sees it.
  else if (rotating.core === null && hasCorners(other)) advanceByCorners(context, other, rotating.motion, -1);
  else advanceByBounds(context);
}

const isAtRest = (motion: SteadyMotion): boolean => motion.angle === 0 && isPureRotation(motion);

const hasCorners = ({ core, fills }: MovingBody): boolean =>
  fills && core !== null && core.type <= POLYTOPE && core.data.length <= 3 * MOST_CORNERS;

const ORIGIN = new Float64Array(3);
const boxCorners = new Float64Array(24);

function cornersOf({ type, data }: ConvexCore): Float64Array {
  if (type === POINT) return ORIGIN;
  if (type !== BOX) return data;
  for (let i = 0; i < 8; i++)
    for (let axis = 0; axis < 3; axis++)
      boxCorners[3 * i + axis] = ((i >> axis) & 1) === 1 ? data[axis]! : -data[axis]!;
  return boxCorners;
}

/** Of the body at hand, in its own space: what the heights of its corners along the normal change by as it rotates. */
class TurningCorners {
  readonly pivot = vec3(0.5, 0.5, 0.5);
  /** The normal n, away from the other body. */
  readonly normal = vec3(0.5, 0.5, 0.5);
  /** With the axis u: n - (n·u) u, and n × u. */
  readonly across = vec3(0.5, 0.5, 0.5);
  readonly along = vec3(0.5, 0.5, 0.5);
  /** The height of the lowest corner. */
  lowest = 0.5;
  private readonly axis = vec3(0.5, 0.5, 0.5);

  /** The axis and the pivot are those of the world, now. */
  load(
    { normal: toFirst, first }: MovingPair,
    body: MovingBody,
    axis: ReadonlyVec3,
    pivot: ReadonlyVec3,
  ): void {
    const { normal, across, along, axis: u } = this;
    const { now } = body;
    inverseTransformVector(now, toFirst, normal);
    inverseTransformVector(now, axis, u);
    inverseTransformPoint(now, pivot, this.pivot);
    const sign = body === first ? 1 : -1;
    const nx = sign * normal.x;
    const ny = sign * normal.y;
    const nz = sign * normal.z;
    const { x: ux, y: uy, z: uz } = u;
    const shared = nx * ux + ny * uy + nz * uz;
    normal.x = nx;
    normal.y = ny;
    normal.z = nz;
    across.x = nx - shared * ux;
    across.y = ny - shared * uy;
    across.z = nz - shared * uz;
    along.x = ny * uz - nz * uy;
    along.y = nz * ux - nx * uz;
    along.z = nx * uy - ny * ux;
    const data = cornersOf(body.core!);
    let lowest = Infinity;
    for (let i = 0; i < data.length; i += 3)
      lowest = Math.min(lowest, nx * data[i]! + ny * data[i + 1]! + nz * data[i + 2]!);
    this.lowest = lowest;
  }
}

const corners = /* @__PURE__ */ new TurningCorners();
const pivotNow = vec3();
/** For the functions of `trig.ts`: numbers that cross a call are boxed, those in here are not. */
const registers = new Float64Array(4);

/**
 * The body at hand rotates about a line, forwards (`turn` 1) or backwards (-1); the normal stands still. With a the vector from
 * the pivot to a corner, u the axis and τ = tan(θ/2), the height of the corner above that it may come to, d at first, is
 *   d + a·(n - (n·u) u) (cos θ - 1) + a·(n × u) sin θ  =  ((d - 2 C) τ² + 2 S τ + d) / (1 + τ²).
 * The first root is τ = d / (√(S² - d (d - 2 C)) - S). No user code runs in here.
 */
function advanceByCorners(
  context: MovingPair,
  body: MovingBody,
  { axis, pivot, angle }: SteadyMotion,
  turn: 1 | -1,
): void {
  corners.load(context, body, axis, pivot);
  const data = cornersOf(body.core!);
  const { free } = context;
  const { lowest } = corners;
  const { x: nx, y: ny, z: nz } = corners.normal;
  const { x: px, y: py, z: pz } = corners.pivot;
  const { x: cx, y: cy, z: cz } = corners.across;
  const { x: sx, y: sy, z: sz } = corners.along;
  // The largest 1 / τ.
  let most = 0;
  for (let i = 0; i < data.length; i += 3) {
    const x = data[i]!;
    const y = data[i + 1]!;
    const z = data[i + 2]!;
    const d = nx * x + ny * y + nz * z - lowest + free;
    const c = (x - px) * cx + (y - py) * cy + (z - pz) * cz;
    const s = turn * ((x - px) * sx + (y - py) * sy + (z - pz) * sz);
    const square = s * s - d * (d - 2 * c);
    if (square >= 0) most = Math.max(most, (Math.sqrt(square) - s) / d);
  }
  // θ = 2 atan(1 / most); half a turn where no corner gets there in it.
  registers[0] = 1;
  registers[1] = 0;
  registers[2] = most;
  registers[3] = 0;
  angleOfRegisters(registers);
  context.t += (2 * registers[0]!) / angle;
}

/** Heights fall no faster than now, plus what rotation adds by the square of the time. */
function advanceByBounds(context: MovingPair): void {
  const { first, second, free } = context;
  const wall = first.core === null ? first.motion : second.core === null ? second.motion : RESTING;
  // Corner by corner, of one body that rotates: near the contact only the corner that is to touch has a say.
  const cornered =
    wall !== RESTING ? null : rotatesCorners(first) ? first : rotatesCorners(second) ? second : null;
  context.closing = 0;
  context.bend = 0;
  if (first.core !== null && first !== cornered) addSpeed(context, first, wall);
  if (second.core !== null && second !== cornered) addSpeed(context, second, wall);
  if (cornered !== null) {
    advanceCornersByBounds(context, cornered);
    return;
  }
  const { closing, bend } = context;
  const root = Math.sqrt(closing * closing + 2 * bend * free);
  // The quieter of the two forms of the root; never, for what moves off along a straight line.
  if (closing > 0) context.t += (2 * free) / (closing + root);
  else if (bend > 0) context.t += (root - closing) / bend;
  else context.t = Infinity;
}

const rotatesCorners = (body: MovingBody): boolean => body.motion.angle > 0 && hasCorners(body);

/**
 * With S, C and d of `advanceByCorners`, the angular velocity ω and the velocity of the pivot v, the height of a corner is
 *   d + n·v τ + S sin ωτ - C (1 - cos ωτ)  >=  d + (n·v + ω S) τ - ω² √(S² + C²) τ² / 2
 * after the time τ. What the other body adds, at most, is in `closing` and `bend`. No user code runs in here.
 */
function advanceCornersByBounds(context: MovingPair, body: MovingBody): void {
  const { axis, pivot, linear, angle } = body.motion;
  const { free, first, normal, t, closing, bend } = context;
  pivotNow.x = pivot.x + t * linear.x;
  pivotNow.y = pivot.y + t * linear.y;
  pivotNow.z = pivot.z + t * linear.z;
  corners.load(context, body, axis, pivotNow);
  const data = cornersOf(body.core!);
  const { lowest } = corners;
  const { x: nx, y: ny, z: nz } = corners.normal;
  const { x: px, y: py, z: pz } = corners.pivot;
  const { x: cx, y: cy, z: cz } = corners.across;
  const { x: sx, y: sy, z: sz } = corners.along;
  const sign = body === first ? 1 : -1;
  const rising = sign * (normal.x * linear.x + normal.y * linear.y + normal.z * linear.z) - closing;
  // The largest 1 / τ, twice.
  let most = 0;
  for (let i = 0; i < data.length; i += 3) {
    const x = data[i]!;
    const y = data[i + 1]!;
    const z = data[i + 2]!;
    const d = nx * x + ny * y + nz * z - lowest + free;
    const c = (x - px) * cx + (y - py) * cy + (z - pz) * cz;
    const s = (x - px) * sx + (y - py) * sy + (z - pz) * sz;
    const speed = rising + angle * s;
    const curve = angle * angle * Math.sqrt(s * s + c * c) + bend;
    const root = Math.sqrt(speed * speed + 2 * curve * d);
    most = Math.max(most, (root - speed) / d);
  }
  context.t += 2 / most;
}

/** What the support of a core is asked for. A user's may ask the next cast: it gets one of its own. */
class SupportQuery {
  readonly direction = vec3();
  readonly farthest = vec3();
}

const shared = /* @__PURE__ */ new SupportQuery();

/**
 * Adds how fast the points of a body come nearer along the normal, at the time at hand, at most, and how much faster they can get.
 * With the angular velocities ω of the body and ω' of the normal n, which rotates about o, the height n · (x - o) of a point x of
 * a body that rotates about c falls by
 *   (ω × n - ω' × n) · (x - c) + (ω' × n) · (o - c) - n · (v - v').
 * All by numbers: those that cross a call are boxed.
 */
function addSpeed(context: MovingPair, body: MovingBody, wall: SteadyMotion): void {
  const { axis, angle, pivot, linear } = body.motion;
  const { normal, t } = context;
  const { x: nx, y: ny, z: nz } = normal;
  const { radius, now } = body;
  const core = body.core!;
  const sign = body === context.first ? 1 : -1;
  // ω × n, and ω' × n.
  const ax = angle * (axis.y * nz - axis.z * ny);
  const ay = angle * (axis.z * nx - axis.x * nz);
  const az = angle * (axis.x * ny - axis.y * nx);
  const bx = wall.angle * (wall.axis.y * nz - wall.axis.z * ny);
  const by = wall.angle * (wall.axis.z * nx - wall.axis.x * nz);
  const bz = wall.angle * (wall.axis.x * ny - wall.axis.y * nx);
  // Along a normal that stands still, heights change by what is across the axis only.
  let bend = angle * radius * Math.sqrt(ax * ax + ay * ay + az * az);
  if (wall.angle > 0) {
    const speed = between(linear, wall.linear);
    const arm = between(pivot, wall.pivot) + speed + radius;
    bend = angle * angle * radius + wall.angle * (wall.angle * arm + 2 * (speed + angle * radius));
  }
  const vx = linear.x - wall.linear.x;
  const vy = linear.y - wall.linear.y;
  const vz = linear.z - wall.linear.z;
  const moved =
    bx * (wall.pivot.x - pivot.x - t * vx) +
    by * (wall.pivot.y - pivot.y - t * vy) +
    bz * (wall.pivot.z - pivot.z - t * vz) -
    (nx * vx + ny * vy + nz * vz);
  const dx = sign * (ax - bx);
  const dy = sign * (ay - by);
  const dz = sign * (az - bz);
  const { direction, farthest } = core.custom === null ? shared : new SupportQuery();
  direction.x = dx;
  direction.y = dy;
  direction.z = dz;
  inverseTransformVector(now, direction, direction);
  supportCore(core, direction, -1, farthest);
  transformPoint(now, farthest, farthest);
  context.closing +=
    dx * (farthest.x - pivot.x - t * linear.x) +
    dy * (farthest.y - pivot.y - t * linear.y) +
    dz * (farthest.z - pivot.z - t * linear.z) +
    core.radius * Math.sqrt(dx * dx + dy * dy + dz * dz) +
    sign * moved;
  context.bend += bend;
}
