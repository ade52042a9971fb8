/**
 * Two meshes, one of them moving along a line: from when to when do their triangles meet? The times of two triangles
 * are found by the separating axis theorem for moving polytopes (RTCD §5.5.4), those of the meshes by walking both trees.
 */
import type { Frame } from '../../convex/frame.ts';
import { BOX_PADDING } from '../../math/tolerance.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { ReadonlyAabb } from '../../primitives/types.ts';
import { leafCount, leafEnd, leafFirst, type PackedTree } from '../../trees/packed-tree.ts';
import type { Mesh } from '../../trimesh/mesh.ts';

/** Two triangles, one of which moves: they meet from `enter` to `exit`. */
export interface Meeting {
  enter: number;
  exit: number;
  /** Across the plane that is between them from `exit` on, out of the second towards the first. */
  readonly normal: Vec3;
  /** Which triangles, in the order of their meshes; -1 for none. */
  slotA: number;
  slotB: number;
}

/** @internal */
export const makeMeeting = (): Meeting => ({
  enter: 0.5,
  exit: 0.5,
  normal: vec3(),
  slotA: -1,
  slotB: -1,
});

/** The corners of the two triangles, in the space of the first mesh. */
const p = new Float64Array(9);
const q = new Float64Array(9);
/** The interval so far, the axis that ends it, and the direction of the motion. */
const span = { enter: 0.5, exit: 0.5, nx: 0.5, ny: 0.5, nz: 0.5, dx: 0.5, dy: 0.5, dz: 0.5 };
/** The least overlap along an axis where they stand, and that axis. */
const least = { on: false, depth: 0.5, nx: 0.5, ny: 0.5, nz: 0.5 };

/** A speed along an axis that is less than this part of the whole is none. */
const AT_REST = 1e-15;
/** Normals whose cross product is this much smaller than they are belong to parallel triangles (squared). */
const PARALLEL_TRIANGLES = 1e-6;

/** The axis at hand, and how far up the first must go for an overlap, most and least: numbers that cross a call are boxed. */
const axis = new Float64Array(5);

/** Readies the axis across two vectors. */
function cutAcross(i: number, j: number): boolean {
  const x = edges[i]!;
  const y = edges[i + 1]!;
  const z = edges[i + 2]!;
  const u = edges[j]!;
  const v = edges[j + 1]!;
  const w = edges[j + 2]!;
  axis[0] = y * w - z * v;
  axis[1] = z * u - x * w;
  axis[2] = x * v - y * u;
  return cutByAxis();
}

/** Cuts the interval down to where the projections on the axis overlap. False when nothing is left. */
function cutByAxis(): boolean {
  const x = axis[0]!;
  const y = axis[1]!;
  const z = axis[2]!;
  const a0 = x * p[0]! + y * p[1]! + z * p[2]!;
  const a1 = x * p[3]! + y * p[4]! + z * p[5]!;
  const a2 = x * p[6]! + y * p[7]! + z * p[8]!;
  const b0 = x * q[0]! + y * q[1]! + z * q[2]!;
  const b1 = x * q[3]! + y * q[4]! + z * q[5]!;
  const b2 = x * q[6]! + y * q[7]! + z * q[8]!;
  // How far the first must go up, at most and at least, for the two to overlap.
  const high = Math.max(b0, b1, b2) - Math.min(a0, a1, a2);
  const low = Math.min(b0, b1, b2) - Math.max(a0, a1, a2);
  const length = Math.abs(x) + Math.abs(y) + Math.abs(z);
  if (!(length > 0)) return true;
  if (least.on) {
    axis[3] = high;
    axis[4] = low;
    keepLeast();
  }
  const speed = x * span.dx + y * span.dy + z * span.dz;
  if (!(Math.abs(speed) > AT_REST * length)) return high >= 0 && low <= 0;
  const enter = (speed > 0 ? low : high) / speed;
  const exit = (speed > 0 ? high : low) / speed;
  if (enter > span.enter) span.enter = enter;
  if (exit < span.exit) {
    span.exit = exit;
    span.nx = speed > 0 ? x : -x;
    span.ny = speed > 0 ? y : -y;
    span.nz = speed > 0 ? z : -z;
  }
  return span.enter <= span.exit;
}

function keepLeast(): void {
  const x = axis[0]!;
  const y = axis[1]!;
  const z = axis[2]!;
  const high = axis[3]!;
  const low = axis[4]!;
  const length = Math.sqrt(x * x + y * y + z * z);
  const up = high < -low;
  const depth = (up ? high : -low) / length;
  if (!(depth < least.depth)) return;
  const scale = (up ? 1 : -1) / length;
  least.depth = depth;
  least.nx = x * scale;
  least.ny = y * scale;
  least.nz = z * scale;
}

/** Three edges of the first triangle, three of the second, and the normals of both. */
const edges = new Float64Array(24);
const NORMAL_A = 18;
const NORMAL_B = 21;

function loadEdges(t: Float64Array, to: number, normal: number): void {
  for (let k = 0; k < 3; k++) {
    edges[to + k] = t[3 + k]! - t[k]!;
    edges[to + 3 + k] = t[6 + k]! - t[3 + k]!;
    edges[to + 6 + k] = t[k]! - t[6 + k]!;
  }
  const x = edges[to]!;
  const y = edges[to + 1]!;
  const z = edges[to + 2]!;
  const u = edges[to + 3]!;
  const v = edges[to + 4]!;
  const w = edges[to + 5]!;
  edges[normal] = y * w - z * v;
  edges[normal + 1] = z * u - x * w;
  edges[normal + 2] = x * v - y * u;
}

function cutAlong(i: number): boolean {
  axis[0] = edges[i]!;
  axis[1] = edges[i + 1]!;
  axis[2] = edges[i + 2]!;
  return cutByAxis();
}

function cutByBox(): boolean {
  for (let k = 0; k < 3; k++) {
    axis[0] = k === 0 ? 1 : 0;
    axis[1] = k === 1 ? 1 : 0;
    axis[2] = k === 2 ? 1 : 0;
    if (!cutByAxis()) return false;
  }
  return true;
}

/** The interval of the two triangles that were loaded; false when they never meet. */
function meet(): boolean {
  span.enter = -Infinity;
  span.exit = Infinity;
  loadEdges(p, 0, NORMAL_A);
  if (!cutAlong(NORMAL_A)) return false;
  loadEdges(q, 9, NORMAL_B);
  if (!cutAlong(NORMAL_B)) return false;
  for (let i = 0; i < 9; i += 3) for (let j = 9; j < 18; j += 3) if (!cutAcross(i, j)) return false;
  const nx = edges[NORMAL_A]!;
  const ny = edges[NORMAL_A + 1]!;
  const nz = edges[NORMAL_A + 2]!;
  const mx = edges[NORMAL_B]!;
  const my = edges[NORMAL_B + 1]!;
  const mz = edges[NORMAL_B + 2]!;
  const cx = ny * mz - nz * my;
  const cy = nz * mx - nx * mz;
  const cz = nx * my - ny * mx;
  const both = (nx * nx + ny * ny + nz * nz) * (mx * mx + my * my + mz * mz);
  if (cx * cx + cy * cy + cz * cz > PARALLEL_TRIANGLES * both) return true;
  // In parallel planes, or next to lines: what parts them is across an edge, in its plane. Of two that are both next to
  // lines or points no edge says enough: the boxes around them do.
  if (!(both > 0) && !cutByBox()) return false;
  for (let i = 0; i < 9; i += 3) if (!cutAcross(NORMAL_A, i)) return false;
  for (let i = 9; i < 18; i += 3) if (!cutAcross(NORMAL_B, i)) return false;
  return true;
}

function loadFirst({ vertices, corners }: Mesh, slot: number): void {
  for (let k = 0; k < 3; k++) {
    const at = 3 * corners[3 * slot + k]!;
    p[3 * k] = vertices[at]!;
    p[3 * k + 1] = vertices[at + 1]!;
    p[3 * k + 2] = vertices[at + 2]!;
  }
}

function loadSecond({ vertices, corners }: Mesh, slot: number, f: Frame): void {
  for (let k = 0; k < 3; k++) {
    const at = 3 * corners[3 * slot + k]!;
    const x = vertices[at]!;
    const y = vertices[at + 1]!;
    const z = vertices[at + 2]!;
    q[3 * k] = f.m00 * x + f.m01 * y + f.m02 * z + f.tx;
    q[3 * k + 1] = f.m10 * x + f.m11 * y + f.m12 * z + f.ty;
    q[3 * k + 2] = f.m20 * x + f.m21 * y + f.m22 * z + f.tz;
  }
}

function loadDirection({ x, y, z }: ReadonlyVec3): void {
  span.dx = x;
  span.dy = y;
  span.dz = z;
}

/** Fills in the times of the triangles at two slots. False when they never meet. @internal */
export function meetTriangles(
  a: Mesh,
  b: Mesh,
  frame: Frame,
  direction: ReadonlyVec3,
  out: Meeting,
): boolean {
  loadFirst(a, out.slotA);
  loadSecond(b, out.slotB, frame);
  loadDirection(direction);
  if (!meet()) return false;
  writeMeeting(out);
  return true;
}

/**
 * How deep two triangles are in each other where they stand, written to `out.exit`, with the normal of the least motion
 * of the first that parts them. False when they do not meet. @internal
 */
export function depthOfTriangles(a: Mesh, b: Mesh, frame: Frame, out: Meeting): boolean {
  loadFirst(a, out.slotA);
  loadSecond(b, out.slotB, frame);
  loadDirection(NOWHERE);
  least.on = true;
  least.depth = Infinity;
  const met = meet();
  least.on = false;
  if (!met || !(least.depth < Infinity)) return false;
  out.exit = least.depth;
  out.normal.x = least.nx;
  out.normal.y = least.ny;
  out.normal.z = least.nz;
  return true;
}

const NOWHERE: ReadonlyVec3 = vec3();

function writeMeeting(out: Meeting): void {
  out.enter = span.enter;
  out.exit = span.exit;
  const { nx, ny, nz } = span;
  const scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
  out.normal.x = nx * scale;
  out.normal.y = ny * scale;
  out.normal.z = nz * scale;
}

/** Pairs of nodes that wait: their links, and their boxes (lower and upper corners) in the space of the first mesh. */
let links = new Int32Array(2 * 256);
let boxes = new Float64Array(12 * 256);
let top = 0;

function push(linkA: number, linkB: number, box: Float64Array): void {
  if (2 * top === links.length) {
    const moreLinks = new Int32Array(2 * links.length);
    const moreBoxes = new Float64Array(2 * boxes.length);
    moreLinks.set(links);
    moreBoxes.set(boxes);
    links = moreLinks;
    boxes = moreBoxes;
  }
  links[2 * top] = linkA;
  links[2 * top + 1] = linkB;
  boxes.set(box, 12 * top++);
}

/** The pair at hand; its boxes overlap from `enter` to `exit`. */
const box = new Float64Array(12);
const child = new Float64Array(12);
const times = { enter: 0.5, exit: 0.5 };

/** When do the boxes of a pair overlap? */
function timeBoxes(box: Float64Array): void {
  let enter = -Infinity;
  let exit = Infinity;
  for (let k = 0; k < 3; k++) {
    const low = box[6 + k]! - box[3 + k]!;
    const high = box[9 + k]! - box[k]!;
    const speed = k === 0 ? span.dx : k === 1 ? span.dy : span.dz;
    if (Math.abs(speed) < AT_REST) {
      if (low > 0 || high < 0) {
        times.enter = Infinity;
        times.exit = -Infinity;
        return;
      }
      continue;
    }
    enter = Math.max(enter, (speed > 0 ? low : high) / speed);
    exit = Math.min(exit, (speed > 0 ? high : low) / speed);
  }
  times.enter = enter;
  times.exit = exit;
}

/** Room around boxes, relative to their coordinates. */
const SLACK = BOX_PADDING;

function loadBoxA({ bounds, grid }: PackedTree, at: number): void {
  for (let k = 0; k < 3; k++) {
    child[k] = grid[k]! + bounds[at + k]! * grid[3 + k]!;
    child[3 + k] = grid[k]! + bounds[at + 3 + k]! * grid[3 + k]!;
  }
}

const middle = new Float64Array(3);
const half = new Float64Array(3);

function loadBoxB({ bounds, grid }: PackedTree, at: number, f: Frame): void {
  for (let k = 0; k < 3; k++) {
    const low = bounds[at + k]!;
    const high = bounds[at + 3 + k]!;
    middle[k] = grid[k]! + 0.5 * (low + high) * grid[3 + k]!;
    half[k] = 0.5 * (high - low) * grid[3 + k]!;
  }
  rotateBox(f);
}

function rotateBox(f: Frame): void {
  const [x, y, z] = [middle[0]!, middle[1]!, middle[2]!];
  const [u, v, w] = [half[0]!, half[1]!, half[2]!];
  putSpan(
    6,
    f.m00 * x + f.m01 * y + f.m02 * z + f.tx,
    Math.abs(f.m00) * u + Math.abs(f.m01) * v + Math.abs(f.m02) * w,
  );
  putSpan(
    7,
    f.m10 * x + f.m11 * y + f.m12 * z + f.ty,
    Math.abs(f.m10) * u + Math.abs(f.m11) * v + Math.abs(f.m12) * w,
  );
  putSpan(
    8,
    f.m20 * x + f.m21 * y + f.m22 * z + f.tz,
    Math.abs(f.m20) * u + Math.abs(f.m21) * v + Math.abs(f.m22) * w,
  );
}

function putSpan(at: number, center: number, reach: number): void {
  const slack = SLACK * (Math.abs(center) + reach);
  child[at] = center - reach - slack;
  child[at + 3] = center + reach + slack;
}

function loadRootB({ min, max }: ReadonlyAabb, f: Frame): void {
  middle[0] = 0.5 * (min.x + max.x);
  middle[1] = 0.5 * (min.y + max.y);
  middle[2] = 0.5 * (min.z + max.z);
  half[0] = 0.5 * (max.x - min.x);
  half[1] = 0.5 * (max.y - min.y);
  half[2] = 0.5 * (max.z - min.z);
  rotateBox(f);
}

/** What a walk over pairs is after. */
interface PairVisitor {
  /** May pairs whose boxes overlap from `times.enter` to `times.exit` matter? */
  wants(): boolean;
  /** Two triangles that meet within `span`. */
  found(slotA: number, slotB: number): void;
}

/** The triangles of a leaf of the second mesh, moved. */
const leaf = new Float64Array(9 * 15);

/** Makes one of the boxes at hand that of a triangle. */
function boxAround(t: Float64Array, to: number): void {
  for (let k = 0; k < 3; k++) {
    const x = t[k]!;
    const y = t[3 + k]!;
    const z = t[6 + k]!;
    box[to + k] = Math.min(x, y, z);
    box[to + 3 + k] = Math.max(x, y, z);
  }
}

function walkPairs(a: Mesh, b: Mesh, frame: Frame, visitor: PairVisitor): void {
  const { tree: one, bounds } = a;
  const { tree: two } = b;
  child[0] = bounds.min.x;
  child[1] = bounds.min.y;
  child[2] = bounds.min.z;
  child[3] = bounds.max.x;
  child[4] = bounds.max.y;
  child[5] = bounds.max.z;
  loadRootB(b.bounds, frame);
  top = 0;
  push(0, 0, child);
  while (top > 0) {
    top--;
    const linkA = links[2 * top]!;
    const linkB = links[2 * top + 1]!;
    for (let k = 0; k < 12; k++) box[k] = boxes[12 * top + k]!;
    timeBoxes(box);
    if (!visitor.wants()) continue;
    if (linkA < 0 && linkB < 0) {
      const from = leafFirst(linkB);
      const count = leafCount(linkB);
      for (let j = 0; j < count; j++) {
        loadSecond(b, from + j, frame);
        leaf.set(q, 9 * j);
      }
      for (let i = leafFirst(linkA), end = leafEnd(linkA); i < end; i++) {
        loadFirst(a, i);
        boxAround(p, 0);
        for (let j = 0; j < count; j++) {
          for (let k = 0; k < 9; k++) q[k] = leaf[9 * j + k]!;
          boxAround(q, 6);
          timeBoxes(box);
          if (visitor.wants() && meet()) visitor.found(i, from + j);
        }
      }
      continue;
    }
    const sizeA = box[3]! - box[0]! + (box[4]! - box[1]!) + (box[5]! - box[2]!);
    const sizeB = box[9]! - box[6]! + (box[10]! - box[7]!) + (box[11]! - box[8]!);
    const opensA = linkB < 0 || (linkA >= 0 && sizeA >= sizeB);
    const children = opensA ? one.links : two.links;
    const at = opensA ? linkA : linkB;
    for (let side = 0; side < 2; side++) {
      child.set(box);
      if (opensA) loadBoxA(one, at + 6 * side);
      else loadBoxB(two, at + 6 * side, frame);
      both[side]!.set(child);
      timeBoxes(child);
      wanted[side] = visitor.wants() ? times.exit : -Infinity;
    }
    // The child that leaves last is looked at first.
    const later = wanted[0]! > wanted[1]! ? 0 : 1;
    for (let k = 0; k < 2; k++) {
      const side = k === 0 ? 1 - later : later;
      if (wanted[side] === -Infinity) continue;
      const link = children[at / 2 + 6 + side]!;
      push(opensA ? link : linkA, opensA ? linkB : link, both[side]!);
    }
  }
}

/** The boxes of a pair with one or the other child, and when they leave. */
const both = [new Float64Array(12), new Float64Array(12)];
const wanted = new Float64Array(2);

/** From where along the motion. */
const here = { s: 0.5 };

/** Of those that meet at s, or before the last that was found leaves, the pair that does so longest. */
class LastToLeave implements PairVisitor {
  best = makeMeeting();

  wants(): boolean {
    return times.enter <= this.best.exit && times.exit > this.best.exit;
  }

  found(slotA: number, slotB: number): void {
    if (!(span.enter <= this.best.exit && span.exit > this.best.exit)) return;
    writeMeeting(this.best);
    this.best.slotA = slotA;
    this.best.slotB = slotB;
  }
}

/** The pair that meets first from s on. */
class FirstToMeet implements PairVisitor {
  best = makeMeeting();

  wants(): boolean {
    return times.enter < this.best.enter && times.exit >= here.s;
  }

  found(slotA: number, slotB: number): void {
    if (!(span.enter < this.best.enter && span.enter >= here.s)) return;
    writeMeeting(this.best);
    this.best.slotA = slotA;
    this.best.slotB = slotB;
  }
}

const leaving = new LastToLeave();
const meeting = new FirstToMeet();

/**
 * Goes on from s, which `out.exit` comes in as, to where two triangles that meet are apart; from there again, if others
 * meet there that have not been passed over yet. So all along the motion some triangles meet, but for `slack`; it need not be the
 * end. False when none meet at s. @internal
 */
export function lastToLeave(
  a: Mesh,
  b: Mesh,
  frame: Frame,
  direction: ReadonlyVec3,
  slack: number,
  out: Meeting,
): boolean {
  loadDirection(direction);
  out.exit += slack;
  out.slotA = -1;
  leaving.best = out;
  walkPairs(a, b, frame, leaving);
  return out.slotA >= 0;
}

/** The triangles that meet first from `out.exit` on. False when none do. @internal */
export function firstToMeet(a: Mesh, b: Mesh, frame: Frame, direction: ReadonlyVec3, out: Meeting): boolean {
  loadDirection(direction);
  here.s = out.exit;
  out.enter = Infinity;
  out.slotA = -1;
  meeting.best = out;
  walkPairs(a, b, frame, meeting);
  return out.slotA >= 0;
}
