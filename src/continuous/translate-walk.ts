// biome-ignore-all lint/complexity/useMathMinMax: these numbers mispredict less than Math.min and Math.max do
/**
 * From the whole level to the polygons that a translating mover may reach, in about the order in which it does. Most are
 * turned away by their boxes, by their planes, and by the axes of the mover: along each of them the span of time in which the
 * two overlap is known at once, and they can meet only while all do (separating axes of moving things: RTCD §5.5.8). Nothing else of the sweep is prepared until a polygon is left.
 */
import type { SweepJob } from './job.ts';
import { tuning } from './job.ts';
import { startsCut } from './start-overlap.ts';
import { BLOCK_HEAD, packedLevel } from './translate-packed.ts';
import { COORDINATE_ERROR } from './translate-scene.ts';

/** The walk under way. Times are fractions of the motion. @internal */
export const walking = {
  /** What is farther than this does not matter: the thickness and the error of coordinates. */
  pad: 0.5,
  /** Until when a contact matters. */
  limit: 0.5,
  /** How much the plane of the polygon at hand looks along the motion. */
  along: 0.5,
  /** Not before this can it be met. */
  from: 0.5,
  /** How far the walk has come. */
  now: 0.5,
};

type Meet = (job: SweepJob, f: number, blocks: Float64Array, block: number) => void;

/** Which polygons were met: those with the number of this walk. */
let done: Int32Array = new Int32Array(32);
let walk = 0;
const LAST_WALK = 0x7ffffff0;

/** Of each axis of the mover, turned so that the motion goes along it: 1 / how much it does. */
const oneOver = new Float64Array(3);

/** The box of the mover at the start with the zone about it, low and high; 1 / motion; the side that leaves last, and first. */
const start = new Float64Array(6);
const inverse = new Float64Array(3);
const back = new Float64Array(3);
const fore = new Float64Array(3);
/** The box of the way that is left. */
const way = new Float64Array(6);

/** Polygons that may be met, and not before when. They wait until the walk has come to that time. */
let waiting: Int32Array = new Int32Array(64);
let waitingFrom: Float64Array = new Float64Array(32);
let waitingCount = 0;

/** Depth of the tree and one. */
const MAX_PENDING = 64;
const pendingNode = new Int32Array(MAX_PENDING);
const pendingFrom = new Float64Array(MAX_PENDING);
const pendingTo = new Float64Array(MAX_PENDING);

function prepare(job: SweepJob): void {
  const { target, vx, vy, vz } = job;
  const pad = job.thickness + 2 * COORDINATE_ERROR * job.magnitude;
  walking.pad = pad;
  walking.limit = job.best;
  start[0] = job.lowX - pad;
  start[1] = job.lowY - pad;
  start[2] = job.lowZ - pad;
  start[3] = job.highX + pad;
  start[4] = job.highY + pad;
  start[5] = job.highZ + pad;
  const motion = inverse;
  motion[0] = vx;
  motion[1] = vy;
  motion[2] = vz;
  for (let axis = 0; axis < 3; axis++) {
    const v = motion[axis]!;
    back[axis] = v < 0 ? start[axis + 3]! : start[axis]!;
    fore[axis] = v < 0 ? start[axis]! : start[axis + 3]!;
    inverse[axis] = 1 / v;
  }
  const { frame } = job;
  for (let axis = 0, k = 0; axis < 3; axis++, k += 3) {
    const rate = frame[k]! * vx + frame[k + 1]! * vy + frame[k + 2]! * vz;
    if (rate < 0) {
      frame[k] = -frame[k]!;
      frame[k + 1] = -frame[k + 1]!;
      frame[k + 2] = -frame[k + 2]!;
    }
    oneOver[axis] = 1 / Math.max(Math.abs(rate), LEAST_RATE);
  }
  const count = target.sources.length;
  if (done.length < count) done = new Int32Array(2 * count);
  if (walk >= LAST_WALK) {
    done.fill(0);
    walk = 0;
  }
  walk++;
}

function setWay({ vx, vy, vz }: SweepJob): void {
  const { limit } = walking;
  const dx = limit * vx;
  const dy = limit * vy;
  const dz = limit * vz;
  way[0] = start[0]! + (dx < 0 ? dx : 0);
  way[1] = start[1]! + (dy < 0 ? dy : 0);
  way[2] = start[2]! + (dz < 0 ? dz : 0);
  way[3] = start[3]! + (dx > 0 ? dx : 0);
  way[4] = start[4]! + (dy > 0 ? dy : 0);
  way[5] = start[5]! + (dz > 0 ? dz : 0);
}

/**
 * Hands all polygons that may be reached to `meet`, which says in `walking.limit` until when a contact matters from then on. True if one of
 * them cuts through the mover at the start: the job tells.
 *
 * A node of the tree is entered with the span of time in which the box of the mover is in its part of space.
 *
 * @internal
 */
export function walkLevel(job: SweepJob, meet: Meet): boolean {
  const { nodes, entries, boxes, blocks } = packedLevel(job.target);
  prepare(job);
  setWay(job);
  waitingCount = 0;
  if (!tuning.bsp) {
    if (lookAtRun(job, entries, boxes, blocks, 0, entries.length / 2)) return true;
    walking.now = Infinity;
    meetWaiting(job, blocks, meet);
    return false;
  }
  let top = 0;
  let node = 0;
  let from = 0;
  let to = walking.limit;
  for (;;) {
    const at = nodes[2 * node]!;
    const code = nodes[2 * node + 1]! | 0;
    const axis = code & 3;
    if (axis === 3) {
      if (lookAtRun(job, entries, boxes, blocks, at | 0, code >> 2)) return true;
    } else {
      const perUnit = inverse[axis]!;
      // In the near part until `leave` and in the far one from `enter` on.
      const down = +(perUnit < 0);
      const upper = code >> 2;
      const near = down ? upper : node + 1;
      const far = down ? node + 1 : upper;
      let leave = (at - back[axis]!) * perUnit;
      let enter = (at - fore[axis]!) * perUnit;
      if (!(Math.abs(perUnit) < Infinity)) {
        leave = start[axis]! <= at ? Infinity : -1;
        enter = start[axis + 3]! >= at ? 0 : Infinity;
      }
      const inFar = +(to >= enter);
      if (from <= leave) {
        pendingNode[top] = far;
        pendingFrom[top] = enter > from ? enter : from;
        pendingTo[top] = to;
        top += inFar;
        node = near;
        if (leave < to) to = leave;
        continue;
      }
      if (inFar) {
        node = far;
        if (enter > from) from = enter;
        continue;
      }
    }
    do {
      walking.now = top > 0 ? pendingFrom[top - 1]! : Infinity;
      if (waitingCount > 0) meetWaiting(job, blocks, meet);
      if (top === 0) return false;
      top--;
      from = pendingFrom[top]!;
    } while (from > walking.limit);
    node = pendingNode[top]!;
    to = pendingTo[top]!;
  }
}

/** Those that may be met before `walking.now`, the first ones first. */
function meetWaiting(job: SweepJob, blocks: Float64Array, meet: Meet): void {
  while (waitingCount > 0) {
    let next = 0;
    for (let i = 1; i < waitingCount; i++) if (waitingFrom[i]! < waitingFrom[next]!) next = i;
    const from = waitingFrom[next]!;
    if (from > walking.limit) {
      waitingCount = 0;
      return;
    }
    if (from > walking.now) return;
    const f = waiting[2 * next]!;
    const block = waiting[2 * next + 1]!;
    const last = --waitingCount;
    waiting[2 * next] = waiting[2 * last]!;
    waiting[2 * next + 1] = waiting[2 * last + 1]!;
    waitingFrom[next] = waitingFrom[last]!;
    meet(job, f, blocks, block);
    setWay(job);
  }
}

/** Looks at the polygons of a leaf. True if one of them cuts through the mover. */
function lookAtRun(
  job: SweepJob,
  entries: Int32Array,
  boxes: Float32Array,
  blocks: Float64Array,
  first: number,
  count: number,
): boolean {
  for (let k = first, end = first + count; k < end; k++) {
    const b = 6 * k;
    if (
      +(boxes[b]! > way[3]!) |
      +(boxes[b + 1]! > way[4]!) |
      +(boxes[b + 2]! > way[5]!) |
      +(boxes[b + 3]! < way[0]!) |
      +(boxes[b + 4]! < way[1]!) |
      +(boxes[b + 5]! < way[2]!)
    )
      continue;
    const f = entries[2 * k]!;
    if (done[f] === walk) continue;
    done[f] = walk;
    const block = entries[2 * k + 1]!;
    const verdict = judge(job, blocks, block);
    if (verdict === PASSES_BY) continue;
    if (verdict === STRADDLES && startsCut(job, f)) return true;
    if (walking.along >= 0 && job.target.closed && job.target.sides === 'front') continue;
    if (waitingCount === waitingFrom.length) growWaiting();
    waiting[2 * waitingCount] = f;
    waiting[2 * waitingCount + 1] = block;
    waitingFrom[waitingCount++] = walking.from;
  }
  return false;
}

function growWaiting(): void {
  const old = waiting;
  const oldFrom = waitingFrom;
  waiting = new Int32Array(2 * old.length);
  waitingFrom = new Float64Array(2 * oldFrom.length);
  waiting.set(old);
  waitingFrom.set(oldFrom);
}

const PASSES_BY = 0;
const MAY_BE_MET = 1;
/** May be cut through at the start, too. */
const STRADDLES = 2;

/** So little motion along an axis is none; times are finite all the same, for 0 × ∞ is not a number. */
const LEAST_RATE = 1e-300;
const LEAST_ALONG = 1e-140;

/**
 * Can the mover come to a polygon in time? Looked at along the polygon's normal and the axes of the mover: in which span of
 * time the box about the mover, which is the mover itself if it is one, overlaps the polygon there. Without branches but the
 * last: they would go wrong half of the time.
 */
function judge(job: SweepJob, blocks: Float64Array, block: number): number {
  const { pad, limit } = walking;
  const { frame, vx, vy, vz } = job;
  const ax = frame[0]!;
  const ay = frame[1]!;
  const az = frame[2]!;
  const bx = frame[3]!;
  const by = frame[4]!;
  const bz = frame[5]!;
  const cx = frame[6]!;
  const cy = frame[7]!;
  const cz = frame[8]!;
  const ox = frame[12]!;
  const oy = frame[13]!;
  const oz = frame[14]!;
  const nx = blocks[block + 1]!;
  const ny = blocks[block + 2]!;
  const nz = blocks[block + 3]!;
  const along = nx * vx + ny * vy + nz * vz;
  const height = nx * ox + ny * oy + nz * oz - blocks[block + 4]!;
  const radius =
    pad +
    frame[9]! * Math.abs(nx * ax + ny * ay + nz * az) +
    frame[10]! * Math.abs(nx * bx + ny * by + nz * bz) +
    frame[11]! * Math.abs(nx * cx + ny * cy + nz * cz);
  // (±radius - height) / along, over along so that the sign of it does not matter.
  // Along the plane, or as good as, the two overlap always.
  const rateSq = 1 / (along * along + LEAST_ALONG * LEAST_ALONG);
  const reach = radius * (Math.abs(along) + LEAST_ALONG);
  const planeFrom = (-height * along - reach) * rateSq;
  const planeTo = (reach - height * along) * rateSq;
  const misses = +(planeFrom > limit) | +(planeTo < 0) | (+(Math.abs(height) > radius) & +(along === 0));
  walking.along = along;
  if (misses) return PASSES_BY;
  let i = block + BLOCK_HEAD;
  const end = i + 3 * blocks[block]!;
  let x = blocks[i]! - ox;
  let y = blocks[i + 1]! - oy;
  let z = blocks[i + 2]! - oz;
  let lowA = ax * x + ay * y + az * z;
  let lowB = bx * x + by * y + bz * z;
  let lowC = cx * x + cy * y + cz * z;
  let highA = lowA;
  let highB = lowB;
  let highC = lowC;
  for (i += 3; i < end; i += 3) {
    x = blocks[i]! - ox;
    y = blocks[i + 1]! - oy;
    z = blocks[i + 2]! - oz;
    const a = ax * x + ay * y + az * z;
    const b = bx * x + by * y + bz * z;
    const c = cx * x + cy * y + cz * z;
    // The smaller and the greater of two, to a rounding.
    lowA = 0.5 * (lowA + a - Math.abs(lowA - a));
    lowB = 0.5 * (lowB + b - Math.abs(lowB - b));
    lowC = 0.5 * (lowC + c - Math.abs(lowC - c));
    highA = 0.5 * (highA + a + Math.abs(highA - a));
    highB = 0.5 * (highB + b + Math.abs(highB - b));
    highC = 0.5 * (highC + c + Math.abs(highC - c));
  }
  const halfA = frame[9]! + pad;
  const halfB = frame[10]! + pad;
  const halfC = frame[11]! + pad;
  const fromA = (lowA - halfA) * oneOver[0]!;
  const fromB = (lowB - halfB) * oneOver[1]!;
  const fromC = (lowC - halfC) * oneOver[2]!;
  const toA = (highA + halfA) * oneOver[0]!;
  const toB = (highB + halfB) * oneOver[1]!;
  const toC = (highC + halfC) * oneOver[2]!;
  if (
    +(fromA > limit) |
    +(fromB > limit) |
    +(fromC > limit) |
    +(toA < 0) |
    +(toB < 0) |
    +(toC < 0) |
    +(fromA > toB) |
    +(fromA > toC) |
    +(fromA > planeTo) |
    +(fromB > toA) |
    +(fromB > toC) |
    +(fromB > planeTo) |
    +(fromC > toA) |
    +(fromC > toB) |
    +(fromC > planeTo) |
    +(planeFrom > toA) |
    +(planeFrom > toB) |
    +(planeFrom > toC)
  )
    return PASSES_BY;
  const from = Math.max(0, planeFrom, fromA, fromB, fromC);
  walking.from = from;
  return +(from <= 0) & +(Math.abs(height) < radius) ? STRADDLES : MAY_BE_MET;
}
