/**
 * The borders of sheets that are touched from the front only, on the way of a translation. Their faces let pass what comes
 * from behind; their borders let nothing pass, wherever it comes from. That is proved here without any rule for who
 * touches whom: an edge of the border and a polygon of the other one are convex, so their distance is a convex function of
 * the time, and Newton's method from one side never goes too far. (For rotations, see rotate.ts.)
 */
import * as q4 from '../math/quat.ts';
import { pose, quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { gatherPolygons, makePolygonList } from './axial-bsp.ts';
import type { SweepJob } from './job.ts';
import {
  allAxes,
  alongNormals,
  faceCount,
  load,
  loadEdge,
  makeClearance,
  nearestFeatures,
  other,
  own,
  placeFaces,
  releaseFaces,
  scratch,
} from './pose-clearance.ts';
import { turn } from './rotate-state.ts';
import { poseAt, type SweepCourse } from './sweep-course.ts';
import { DANGLING_EDGE, type PolyhedralModel } from './types.ts';

/** Is it an open sheet that is touched from the front only? @internal */
export const isOpenSheet = ({ closed, sides, sources }: PolyhedralModel): boolean =>
  !closed && sides === 'front' && sources.length > 0;

/** The translation, in the target's frame. */
const way = vec3(0.5, 0.5, 0.5);
const spin = quat(0.5, 0.5, 0.5, 0.5);

/** What was seen at one time: the least distance, and for which fraction of the translation no pair comes nearer than `low`. */
const seen = { least: 0.5, low: 0.5, rest: 0.5, safe: 0.5 };

const here = pose();
const pair = makeClearance();
const near = makePolygonList();
/** How far it leads from here: low x, y, z, high x, y, z. */
const grown = new Float64Array(6);
const box = new Float64Array(6);
const part = new Float64Array(6);

/** Of the level: so much nearer it may be between two looks. */
const BETWEEN = 0.9375;
/** Then it has gone as far as was proved. */
const MOST_LOOKS = 256;

/**
 * Looks along the translation, up to the time `end`: where a border is found nearer to the other one than `level`, that time,
 * and what was before is proved to be clear but for a sixteenth; otherwise `end`.
 *
 * @internal
 */
export function borderStops(job: SweepJob, course: SweepCourse, end: number, level: number): number {
  const { moves, turns, turnsFirst, translation } = course.parts;
  const count = turns ? 2 : 1;
  let t = turns && turnsFirst ? 0.5 : 0;
  if (!moves || !(end > t)) return end;
  const last = turns && !turnsFirst ? Math.min(end, 0.5) : end;
  q4.normalize(course.stand.quaternion, spin);
  v3.rotateInverse(translation, spin, way);
  seen.low = BETWEEN * level;
  for (let look = 0; look < MOST_LOOKS; look++) {
    placeFaces(job, poseAt(course, t, here), course.stand);
    seen.rest = count * (last - t);
    lookAround(job);
    releaseFaces();
    if (seen.least < level) return t;
    if (t >= last) return end;
    t = seen.safe >= seen.rest ? last : t + seen.safe / count;
  }
  turn.exhausted++;
  return t;
}

/** All pairs that can meet on the rest of the way. */
function lookAround(job: SweepJob): void {
  const { mover, target } = job;
  const { rest } = seen;
  const room = 2 * job.thickness;
  for (let k = 0; k < 3; k++) {
    const d = rest * (k === 0 ? way.x : k === 1 ? way.y : way.z);
    grown[k] = Math.min(0, d) - room;
    grown[k + 3] = Math.max(0, d) + room;
  }
  box[0] = job.lowX + grown[0]!;
  box[1] = job.lowY + grown[1]!;
  box[2] = job.lowZ + grown[2]!;
  box[3] = job.highX + grown[3]!;
  box[4] = job.highY + grown[4]!;
  box[5] = job.highZ + grown[5]!;
  seen.least = Number.POSITIVE_INFINITY;
  seen.safe = Number.POSITIVE_INFINITY;
  const isOpen = isOpenSheet(target);
  const hasPolygons = target.sources.length > 0;
  const count = hasPolygons ? gatherPolygons(target, box, near) : faceCount(target);
  for (let n = 0; n < count; n++) {
    const f = hasPolygons ? near.items[n]! : n;
    if (!isOpen) {
      load(other, f);
      meetMover(mover);
      continue;
    }
    for (let i = target.polygonStart[f]!; i < target.polygonStart[f + 1]!; i++) {
      const e = borderEdge(target, i);
      if (e < 0) continue;
      loadEdge(other, e);
      meetMover(mover);
    }
  }
}

/** The edge of corner i of the polygons, if it is of the border; -1 otherwise. */
function borderEdge({ polygonEdges, edgeKinds }: PolyhedralModel, i: number): number {
  const code = polygonEdges[i]!;
  const e = code < 0 ? ~code : code;
  return edgeKinds[e] === DANGLING_EDGE ? e : -1;
}

/** What is loaded of the target against the mover's border, or all of the mover. */
function meetMover(mover: PolyhedralModel): void {
  boundOther();
  if (isOpenSheet(mover)) {
    for (let e = 0; e < mover.edgeKinds.length; e++)
      if (mover.edgeKinds[e] === DANGLING_EDGE) {
        loadEdge(own, e);
        lookAtPair();
      }
    return;
  }
  const faces = faceCount(mover);
  for (let g = 0; g < faces; g++) {
    load(own, g);
    lookAtPair();
  }
}

/** The box about `other`. */
function boundOther(): void {
  for (let k = 0; k < 3; k++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = k; i < 3 * other.count; i += 3) {
      low = Math.min(low, other.corners[i]!);
      high = Math.max(high, other.corners[i]!);
    }
    part[k] = low;
    part[k + 3] = high;
  }
}

function mayMeet(): boolean {
  for (let k = 0; k < 3; k++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = k; i < 3 * own.count; i += 3) {
      low = Math.min(low, own.corners[i]!);
      high = Math.max(high, own.corners[i]!);
    }
    if (low + grown[k]! > part[k + 3]! || high + grown[k + 3]! < part[k]!) return false;
  }
  return true;
}

function lookAtPair(): void {
  if (!mayMeet()) return;
  // Mostly the plane of the polygon is enough.
  alongNormals();
  if (scratch.apart > seen.low && staysApart(scratch.ax, scratch.ay, scratch.az) >= seen.rest) return;
  pair.least = Number.POSITIVE_INFINITY;
  nearestFeatures(pair);
  const { least, nx, ny, nz } = pair;
  seen.least = Math.min(seen.least, least);
  if (!(least > seen.low)) return;
  // No more than the whole way of it can be lost.
  let safe = (least - seen.low) / v3.length(way);
  safe = Math.max(safe, staysApart(nx, ny, nz));
  if (safe < seen.rest) {
    // Of two that are near, the direction from point to point has few right digits: at right angles to a side that is
    // near, or to the motion, which may be along one, it has all.
    safe = Math.max(safe, acrossSides(own), acrossSides(other), across(way.x, way.y, way.z));
    allAxes();
    safe = Math.max(safe, staysApart(scratch.ax, scratch.ay, scratch.az));
  }
  seen.safe = Math.min(seen.safe, safe);
}

function acrossSides({ sides, count }: typeof own): number {
  let most = 0;
  for (let i = 0; i < 3 * count; i += 3)
    most = Math.max(most, across(sides[i]!, sides[i + 1]!, sides[i + 2]!));
  return most;
}

/** As `staysApart`, along the direction of `pair` less what of it is along x, y, z. */
function across(x: number, y: number, z: number): number {
  const { nx, ny, nz } = pair;
  const along = (nx * x + ny * y + nz * z) / (x * x + y * y + z * z);
  const dx = nx - along * x;
  const dy = ny - along * y;
  const dz = nz - along * z;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  return length > 0.5 ? staysApart(dx / length, dy / length, dz / length) : 0;
}

/** For which fraction of the translation the two stay farther apart than `seen.low` along direction n. */
function staysApart(nx: number, ny: number, nz: number): number {
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < 3 * other.count; i += 3)
    top = Math.max(top, nx * other.corners[i]! + ny * other.corners[i + 1]! + nz * other.corners[i + 2]!);
  let bottom = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 * own.count; i += 3)
    bottom = Math.min(bottom, nx * own.corners[i]! + ny * own.corners[i + 1]! + nz * own.corners[i + 2]!);
  const room = bottom - top - seen.low;
  if (!(room > 0)) return 0;
  const rate = nx * way.x + ny * way.y + nz * way.z;
  return rate < 0 ? room / -rate : Number.POSITIVE_INFINITY;
}
