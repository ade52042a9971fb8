// biome-ignore-all lint/complexity/useMathMinMax: these numbers mispredict less than Math.min and Math.max do
/**
 * From the whole level to the polygons that a translating mover may reach, in about the order in which it does. Most are
 * rejected by their boxes, by their planes, and by the axes of the mover: along each of them the span of time in which the
 * two overlap is known at once, and they can meet only while all do (separating axes of moving things: RTCD §5.5.8). Nothing else of the
 * sweep is prepared until a polygon is left.
 */

import { growBox, grown, grownFloats } from '../boxes.ts';
import { BLOCK_HEAD, packedLevel } from '../model/packed-level.ts';
import type { SweepContext } from '../sweep-context.ts';
import { startsCut } from '../verify/start-overlap.ts';
import { COORDINATE_ERROR } from './translation-context.ts';

type Meet = (context: SweepContext, f: number, blocks: Float64Array, block: number) => void;

function prepare(context: SweepContext): void {
  const { walk } = context.translation!;
  const { start, inverse, back, fore, oneOver } = walk;
  const { target, vx, vy, vz } = context;
  const pad = context.thickness + 2 * COORDINATE_ERROR * context.magnitude;
  walk.pad = pad;
  walk.limit = context.best;
  growBox(context.box, pad, start);
  const motion = inverse;
  motion[0] = vx;
  motion[1] = vy;
  motion[2] = vz;
  for (let axis = 0; axis < 3; axis++) {
    const v = motion[axis]!;
    back[axis] = v < 0 ? start[axis + 3]! : start[axis]!;
    fore[axis] = v < 0 ? start[axis]! : start[axis + 3]!;
    // Along an axis that it does not move along there is no order of the parts: positive, also for -0.
    inverse[axis] = Math.abs(1 / v) < Infinity ? 1 / v : Infinity;
  }
  const { frame } = context;
  for (let axis = 0, k = 0; axis < 3; axis++, k += 3) {
    const rate = frame[k]! * vx + frame[k + 1]! * vy + frame[k + 2]! * vz;
    if (rate < 0) {
      frame[k] = -frame[k]!;
      frame[k + 1] = -frame[k + 1]!;
      frame[k + 2] = -frame[k + 2]!;
    }
    oneOver[axis] = 1 / Math.max(Math.abs(rate), LEAST_RATE);
  }
  walk.met.begin(target.sources.length);
}

/** The box of what is left of the path. */
function setPath(context: SweepContext): void {
  const { walk } = context.translation!;
  const { path, start } = walk;
  const { vx, vy, vz } = context;
  const { limit } = walk;
  const dx = limit * vx;
  const dy = limit * vy;
  const dz = limit * vz;
  path[0] = start[0]! + (dx < 0 ? dx : 0);
  path[1] = start[1]! + (dy < 0 ? dy : 0);
  path[2] = start[2]! + (dz < 0 ? dz : 0);
  path[3] = start[3]! + (dx > 0 ? dx : 0);
  path[4] = start[4]! + (dy > 0 ? dy : 0);
  path[5] = start[5]! + (dz > 0 ? dz : 0);
}

/**
 * Hands all polygons that may be reached to `meet`, which says in `walk.limit` until when a contact matters from then on. True if one of
 * them cuts through the mover at the start: then the context has the hit.
 *
 * A node of the tree is entered with the span of time in which the box of the mover is in its part of space.
 *
 * @internal
 */
export function walkLevel(context: SweepContext, meet: Meet): boolean {
  const { walk, tuning } = context.translation!;
  const { inverse, back, fore, start, pendingNode, pendingFrom, pendingTo } = walk;
  const { nodes, entries, boxes, blocks } = packedLevel(context.target);
  prepare(context);
  setPath(context);
  walk.waitingCount = 0;
  if (!tuning.bsp) {
    if (lookAtRun(context, entries, boxes, blocks, 0, entries.length / 2)) return true;
    walk.now = Infinity;
    meetWaiting(context, blocks, meet);
    return false;
  }
  let top = 0;
  let node = 0;
  let from = 0;
  let to = walk.limit;
  for (;;) {
    const at = nodes[2 * node]!;
    const code = nodes[2 * node + 1]! | 0;
    const axis = code & 3;
    if (axis === 3) {
      if (lookAtRun(context, entries, boxes, blocks, at | 0, code >> 2)) return true;
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
      walk.now = top > 0 ? pendingFrom[top - 1]! : Infinity;
      if (walk.waitingCount > 0) meetWaiting(context, blocks, meet);
      if (top === 0) return false;
      top--;
      from = pendingFrom[top]!;
    } while (from > walk.limit);
    node = pendingNode[top]!;
    to = pendingTo[top]!;
  }
}

/** Those that may be met before `walk.now`, the first ones first. */
function meetWaiting(context: SweepContext, blocks: Float64Array, meet: Meet): void {
  const { walk } = context.translation!;
  const { waiting, waitingFrom } = walk;
  while (walk.waitingCount > 0) {
    let next = 0;
    for (let i = 1; i < walk.waitingCount; i++) if (waitingFrom[i]! < waitingFrom[next]!) next = i;
    const from = waitingFrom[next]!;
    if (from > walk.limit) {
      walk.waitingCount = 0;
      return;
    }
    if (from > walk.now) return;
    const f = waiting[2 * next]!;
    const block = waiting[2 * next + 1]!;
    const last = --walk.waitingCount;
    waiting[2 * next] = waiting[2 * last]!;
    waiting[2 * next + 1] = waiting[2 * last + 1]!;
    waitingFrom[next] = waitingFrom[last]!;
    meet(context, f, blocks, block);
    setPath(context);
  }
}

/** Looks at the polygons of a leaf. True if one of them cuts through the mover. */
function lookAtRun(
  context: SweepContext,
  entries: Int32Array,
  boxes: Float32Array,
  blocks: Float64Array,
  first: number,
  count: number,
): boolean {
  const { walk } = context.translation!;
  const { path, met } = walk;
  const { marks, mark } = met;
  for (let k = first, end = first + count; k < end; k++) {
    const b = 6 * k;
    if (
      +(boxes[b]! > path[3]!) |
      +(boxes[b + 1]! > path[4]!) |
      +(boxes[b + 2]! > path[5]!) |
      +(boxes[b + 3]! < path[0]!) |
      +(boxes[b + 4]! < path[1]!) |
      +(boxes[b + 5]! < path[2]!)
    )
      continue;
    const f = entries[2 * k]!;
    if (marks[f] === mark) continue;
    marks[f] = mark;
    const block = entries[2 * k + 1]!;
    const answer = mayMeet(context, blocks, block);
    if (answer === PASSES_BY) continue;
    if (answer === STRADDLES && startsCut(context, f)) return true;
    if (walk.along >= 0 && context.target.closed && context.target.sides === 'front') continue;
    const n = walk.waitingCount++;
    walk.waiting = grown(walk.waiting, 2 * n + 2);
    walk.waitingFrom = grownFloats(walk.waitingFrom, n + 1);
    walk.waiting[2 * n] = f;
    walk.waiting[2 * n + 1] = block;
    walk.waitingFrom[n] = walk.from;
  }
  return false;
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
function mayMeet(context: SweepContext, blocks: Float64Array, block: number): number {
  const { walk } = context.translation!;
  const { oneOver } = walk;
  const { pad, limit } = walk;
  const { frame, vx, vy, vz } = context;
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
  walk.along = along;
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
  walk.from = from;
  return +(from <= 0) & +(Math.abs(height) < radius) ? STRADDLES : MAY_BE_MET;
}
