/**
 * Pairs of triangles that meet, or are nearest, of two meshes of which one at least changes (`Mesh.live`): its tree is walked with
 * that of the other, and brought up to date on the way. A mesh that stays as it is has oriented boxes, whose leaves are single
 * triangles: a large one is flat, so that what is beside it is parted from it however near it is. RTCD §6.3, §4.4.1.
 */
import { type Frame, invertFrame, makeFrame, toFirst } from '../../convex/frame.ts';
import { EPS64 } from '../../math/float.ts';
import { vec3 } from '../../math/types.ts';
import { copy } from '../../math/vec3.ts';
import { closestTriangleTriangle } from '../../primitives/closest/triangle-triangle.ts';
import { trianglesOverlap } from '../../primitives/overlap/triangle-triangle.ts';
import { makePointPair } from '../../primitives/types.ts';
import { boxAt, isLeaf, leafEnd, leafFirst, linkAt, MAX_DEPTH } from '../../trees/packed-tree.ts';
import { boxTreeOf } from '../derived.ts';
import { type LiveTree, loadTriangle, type Mesh, makeCorners } from '../mesh.ts';
import { BOX, type BoxTree, MAX_BOX_DEPTH } from './box-tree.ts';
import { SLACK } from './box-tree-pair.ts';
import { NearestSlots } from './distance.ts';
import { addPair, type FoundPairs, findContained, makeContained } from './overlap.ts';
import { loadMovedTriangle } from './relative-frame.ts';

/** Of the coordinates: what transforming them rounds them by. */
const ROUNDING = 64 * EPS64;
/** A live node is opened, which costs something, when it is so much larger than the other. */
const LARGER = 1.5;
/** Numbers of a pair on the stack: link and box of the live node, the same of the other. */
const PAIR = 4;
/** In place of where a box stands: that of the root. */
const ROOT = -1;

class LivePairs {
  private a!: Mesh;
  private b!: Mesh;
  private at: Frame = makeFrame();
  /** The live mesh whose space is walked in, and the other. */
  private own!: Mesh;
  private other!: Mesh;
  private swapped = false;
  /** Where the other stands in the space of the live one. */
  private readonly frame = makeFrame();
  private otherTree: BoxTree | null = null;
  private readonly stack = new Int32Array(PAIR * (MAX_DEPTH + MAX_BOX_DEPTH + 4));
  /** Where the walk begins: a link and a box of each tree. */
  readonly start = Int32Array.of(0, ROOT, 0, ROOT);
  private readonly first = makeCorners();
  private readonly second = makeCorners();
  private readonly pair = makePointPair();
  /** Nothing farther counts. */
  limit = 0.5;
  readonly best = new NearestSlots();
  private rounding = 0.5;
  /** Of the other's node at hand: its centre, axes and half sizes, in the space of the live one. */
  private readonly box = new Float64Array(15);
  /** A triangle of the other, in the space of the live one, and the box around it. */
  private readonly triangle = new Float64Array(15);
  private readonly corner = vec3();

  begin(a: Mesh, b: Mesh, at: Frame): void {
    this.start[0] = 0;
    this.start[1] = ROOT;
    this.start[2] = 0;
    this.start[3] = ROOT;
    this.a = a;
    this.b = b;
    this.at = at;
    this.swapped = a.live === null;
    this.own = this.swapped ? b : a;
    this.other = this.swapped ? a : b;
    if (this.swapped) invertFrame(at, this.frame);
    else Object.assign(this.frame, at);
    this.otherTree = this.other.live === null ? boxTreeOf(this.other) : null;
    const { tx, ty, tz } = this.frame;
    this.rounding =
      ROUNDING * (sizeOf(this.own) + sizeOf(this.other) + Math.abs(tx) + Math.abs(ty) + Math.abs(tz));
  }

  /** All pairs that meet are put into `found`; without it, is there one? */
  meet(found: FoundPairs | null): boolean {
    this.limit = 0;
    return this.walk(found, false);
  }

  /** The nearest pair within `limit` goes to `best`, with the points. */
  findNearest(): boolean {
    this.best.slotA = -1;
    this.walk(null, true);
    return this.best.slotA >= 0;
  }

  private walk(found: FoundPairs | null, nearest: boolean): boolean {
    const { stack, box, own, other, otherTree, rounding } = this;
    const { bounds, links, grid } = own.tree;
    const live = own.live!;
    const otherLive = other.live;
    const [gx, gy, gz, sx, sy, sz] = grid as unknown as [number, number, number, number, number, number];
    const before = found === null ? 0 : found.count;
    stack.set(this.start);
    if (otherTree !== null) stack[2] = otherTree.links[0]!;
    let top = PAIR;
    let loaded = -2;
    while (top > 0) {
      top -= PAIR;
      const link = stack[top]!;
      const at = stack[top + 1]!;
      const otherLink = stack[top + 2]!;
      const otherAt = stack[top + 3]!;
      if (otherAt !== loaded) {
        loaded = otherAt;
        if (otherTree === null) this.loadLiveBox(otherAt);
        else this.loadBox(otherTree, Math.max(0, otherAt));
      }
      let cx: number;
      let cy: number;
      let cz: number;
      let ex: number;
      let ey: number;
      let ez: number;
      if (at === ROOT) {
        const { min, max } = own.bounds;
        cx = (min.x + max.x) / 2;
        cy = (min.y + max.y) / 2;
        cz = (min.z + max.z) / 2;
        ex = max.x - cx;
        ey = max.y - cy;
        ez = max.z - cz;
      } else {
        ex = ((bounds[at + 3]! - bounds[at]!) * sx) / 2;
        ey = ((bounds[at + 4]! - bounds[at + 1]!) * sy) / 2;
        ez = ((bounds[at + 5]! - bounds[at + 2]!) * sz) / 2;
        cx = gx + bounds[at]! * sx + ex;
        cy = gy + bounds[at + 1]! * sy + ey;
        cz = gz + bounds[at + 2]! * sz + ez;
      }
      const dx = box[0]! - cx;
      const dy = box[1]! - cy;
      const dz = box[2]! - cz;
      const ux = box[3]!;
      const uy = box[4]!;
      const uz = box[5]!;
      const vx = box[6]!;
      const vy = box[7]!;
      const vz = box[8]!;
      const wx = box[9]!;
      const wy = box[10]!;
      const wz = box[11]!;
      const hu = box[12]!;
      const hv = box[13]!;
      const hw = box[14]!;
      const size = ex + ey + ez;
      const otherSize = hu + hv + hw;
      const slack = SLACK * (size + otherSize + Math.abs(dx) + Math.abs(dy) + Math.abs(dz)) + rounding;
      const least = this.limit + slack;
      const pw =
        Math.abs(dx * wx + dy * wy + dz * wz) -
        hw -
        (ex * Math.abs(wx) + ey * Math.abs(wy) + ez * Math.abs(wz));
      if (pw > least) continue;
      const px = Math.abs(dx) - ex - (hu * Math.abs(ux) + hv * Math.abs(vx) + hw * Math.abs(wx));
      const py = Math.abs(dy) - ey - (hu * Math.abs(uy) + hv * Math.abs(vy) + hw * Math.abs(wy));
      const pz = Math.abs(dz) - ez - (hu * Math.abs(uz) + hv * Math.abs(vz) + hw * Math.abs(wz));
      if (px > least || py > least || pz > least) continue;
      const pu =
        Math.abs(dx * ux + dy * uy + dz * uz) -
        hu -
        (ex * Math.abs(ux) + ey * Math.abs(uy) + ez * Math.abs(uz));
      const pv =
        Math.abs(dx * vx + dy * vy + dz * vz) -
        hv -
        (ex * Math.abs(vx) + ey * Math.abs(vy) + ez * Math.abs(vz));
      if (pu > least || pv > least) continue;
      if (nearest) {
        const qx = Math.max(0, px - slack);
        const qy = Math.max(0, py - slack);
        const qz = Math.max(0, pz - slack);
        const qu = Math.max(0, pu - slack);
        const qv = Math.max(0, pv - slack);
        const qw = Math.max(0, pw - slack);
        const squared = this.limit * least;
        if (qx * qx + qy * qy + qz * qz > squared || qu * qu + qv * qv + qw * qw > squared) continue;
      }
      const ended = isLeaf(link);
      const otherEnded = otherLink < 0;
      if (ended && otherEnded) {
        live.openLeaf(link);
        if (otherLive !== null) otherLive.openLeaf(otherLink);
        const from = otherTree === null ? leafFirst(otherLink) : ~otherLink;
        const to = otherTree === null ? leafEnd(otherLink) : from + 1;
        if (this.compare(leafFirst(link), leafEnd(link), from, to, found, nearest)) return true;
        continue;
      }
      if (otherEnded || (!ended && size > LARGER * otherSize)) {
        live.open(link);
        const one = boxAt(link, 0);
        const two = boxAt(link, 1);
        // The child nearer to the other box is taken first.
        const ahead =
          Math.abs(gx + ((bounds[one]! + bounds[one + 3]!) * sx) / 2 - box[0]!) +
            Math.abs(gy + ((bounds[one + 1]! + bounds[one + 4]!) * sy) / 2 - box[1]!) +
            Math.abs(gz + ((bounds[one + 2]! + bounds[one + 5]!) * sz) / 2 - box[2]!) <
          Math.abs(gx + ((bounds[two]! + bounds[two + 3]!) * sx) / 2 - box[0]!) +
            Math.abs(gy + ((bounds[two + 1]! + bounds[two + 4]!) * sy) / 2 - box[1]!) +
            Math.abs(gz + ((bounds[two + 2]! + bounds[two + 5]!) * sz) / 2 - box[2]!)
            ? 0
            : 1;
        for (let k = 0; k < 2; k++, top += PAIR) {
          const side = k === 0 ? 1 - ahead : ahead;
          stack[top] = links[linkAt(link, side)]!;
          stack[top + 1] = boxAt(link, side);
          stack[top + 2] = otherLink;
          stack[top + 3] = otherAt;
        }
        continue;
      }
      const ahead =
        otherTree === null
          ? this.openOther(otherLive!, otherLink)
          : this.aheadOf(otherTree, otherLink, cx, cy, cz);
      for (let k = 0; k < 2; k++, top += PAIR) {
        const side = k === 0 ? 1 - ahead : ahead;
        stack[top] = link;
        stack[top + 1] = at;
        if (otherTree === null) {
          stack[top + 2] = other.tree.links[linkAt(otherLink, side)]!;
          stack[top + 3] = boxAt(otherLink, side);
        } else {
          const child = otherLink + side;
          stack[top + 2] = otherTree.links[child]!;
          stack[top + 3] = child;
        }
      }
    }
    return found !== null && found.count > before;
  }

  private openOther(live: LiveTree, link: number): number {
    live.open(link);
    return 0;
  }

  /** Which of two oriented boxes, `first` or the next, is nearer to a point? */
  private aheadOf(tree: BoxTree, first: number, x: number, y: number, z: number): number {
    this.loadBox(tree, first);
    const { box } = this;
    const one = Math.abs(box[0]! - x) + Math.abs(box[1]! - y) + Math.abs(box[2]! - z);
    this.loadBox(tree, first + 1);
    const two = Math.abs(box[0]! - x) + Math.abs(box[1]! - y) + Math.abs(box[2]! - z);
    return one < two ? 0 : 1;
  }

  private loadBox({ boxes, center, scale }: BoxTree, node: number): void {
    const { box, frame } = this;
    const { m00, m01, m02, m10, m11, m12, m20, m21, m22, tx, ty, tz } = frame;
    const o = node * BOX;
    const unit = 1 / scale;
    for (let k = 0; k < 12; k += 3) {
      const x = k === 0 ? center[0] + unit * boxes[o]! : boxes[o + k]!;
      const y = k === 0 ? center[1] + unit * boxes[o + 1]! : boxes[o + k + 1]!;
      const z = k === 0 ? center[2] + unit * boxes[o + 2]! : boxes[o + k + 2]!;
      box[k] = m00 * x + m01 * y + m02 * z;
      box[k + 1] = m10 * x + m11 * y + m12 * z;
      box[k + 2] = m20 * x + m21 * y + m22 * z;
    }
    box[0] = box[0]! + tx;
    box[1] = box[1]! + ty;
    box[2] = box[2]! + tz;
    box[12] = unit * boxes[o + 12]!;
    box[13] = unit * boxes[o + 13]!;
    box[14] = unit * boxes[o + 14]!;
  }

  private loadLiveBox(at: number): void {
    const { box, frame, other } = this;
    const { m00, m01, m02, m10, m11, m12, m20, m21, m22, tx, ty, tz } = frame;
    let x: number;
    let y: number;
    let z: number;
    if (at === ROOT) {
      const { min, max } = other.bounds;
      x = (min.x + max.x) / 2;
      y = (min.y + max.y) / 2;
      z = (min.z + max.z) / 2;
      box[12] = max.x - x;
      box[13] = max.y - y;
      box[14] = max.z - z;
    } else {
      const { bounds, grid } = other.tree;
      box[12] = ((bounds[at + 3]! - bounds[at]!) * grid[3]!) / 2;
      box[13] = ((bounds[at + 4]! - bounds[at + 1]!) * grid[4]!) / 2;
      box[14] = ((bounds[at + 5]! - bounds[at + 2]!) * grid[5]!) / 2;
      x = grid[0]! + bounds[at]! * grid[3]! + box[12]!;
      y = grid[1]! + bounds[at + 1]! * grid[4]! + box[13]!;
      z = grid[2]! + bounds[at + 2]! * grid[5]! + box[14]!;
    }
    box[0] = m00 * x + m01 * y + m02 * z + tx;
    box[1] = m10 * x + m11 * y + m12 * z + ty;
    box[2] = m20 * x + m21 * y + m22 * z + tz;
    box[3] = m00;
    box[4] = m10;
    box[5] = m20;
    box[6] = m01;
    box[7] = m11;
    box[8] = m21;
    box[9] = m02;
    box[10] = m12;
    box[11] = m22;
  }

  /** Triangles of two leaves, each with each. True if that is all that was wanted. */
  private compare(
    first: number,
    end: number,
    otherFirst: number,
    otherEnd: number,
    found: FoundPairs | null,
    nearest: boolean,
  ): boolean {
    const { own, triangle, swapped } = this;
    const { vertices, corners } = own;
    for (let j = otherFirst; j < otherEnd; j++) {
      this.loadOther(j);
      for (let i = first; i < end; i++) {
        const least = this.limit + this.rounding;
        const a = 3 * corners[3 * i]!;
        const b = 3 * corners[3 * i + 1]!;
        const c = 3 * corners[3 * i + 2]!;
        let parted = 0;
        for (let k = 0; k < 3; k++) {
          const p = vertices[a + k]!;
          const q = vertices[b + k]!;
          const r = vertices[c + k]!;
          const low = triangle[9 + k]! - least;
          const high = triangle[12 + k]! + least;
          parted |= (+(p > high) & +(q > high) & +(r > high)) | (+(p < low) & +(q < low) & +(r < low));
        }
        if (parted !== 0) continue;
        const slotA = swapped ? j : i;
        const slotB = swapped ? i : j;
        loadTriangle(this.a, slotA, this.first);
        loadMovedTriangle(this.b, slotB, this.at, this.second);
        if (nearest) {
          if (this.keepNearer(slotA, slotB)) return true;
        } else if (this.doMeet()) {
          if (found === null) return true;
          addPair(found, slotA, slotB);
        }
      }
    }
    return false;
  }

  private doMeet(): boolean {
    const { first, second } = this;
    return trianglesOverlap(first.a, first.b, first.c, second.a, second.b, second.c);
  }

  /** True if nothing can be nearer. */
  private keepNearer(slotA: number, slotB: number): boolean {
    const { first, second, pair, best } = this;
    closestTriangleTriangle(first, second, pair);
    const distance = Math.sqrt(pair.distanceSq);
    if (distance > this.limit || (distance === this.limit && best.slotA >= 0)) return false;
    this.limit = distance;
    best.distance = distance;
    best.slotA = slotA;
    best.slotB = slotB;
    copy(pair.a, best.a);
    copy(pair.b, best.b);
    return distance === 0;
  }

  /** Loads a triangle of the other mesh, as the live one sees it. */
  private loadOther(j: number): void {
    const { other, frame, triangle, corner } = this;
    const { vertices, corners } = other;
    triangle.fill(Infinity, 9, 12).fill(-Infinity, 12, 15);
    for (let k = 0; k < 3; k++) {
      const at = 3 * corners[3 * j + k]!;
      corner.x = vertices[at]!;
      corner.y = vertices[at + 1]!;
      corner.z = vertices[at + 2]!;
      toFirst(frame, corner, corner);
      triangle[9] = Math.min(triangle[9]!, corner.x);
      triangle[10] = Math.min(triangle[10]!, corner.y);
      triangle[11] = Math.min(triangle[11]!, corner.z);
      triangle[12] = Math.max(triangle[12]!, corner.x);
      triangle[13] = Math.max(triangle[13]!, corner.y);
      triangle[14] = Math.max(triangle[14]!, corner.z);
    }
  }
}

const sizeOf = ({ bounds: { min, max } }: Mesh): number =>
  Math.abs(min.x) + Math.abs(max.x) + Math.abs(min.y) + Math.abs(max.y) + Math.abs(min.z) + Math.abs(max.z);

// No user code runs while it is in use.
const search = /* @__PURE__ */ new LivePairs();
const contained = makeContained();

/** As `searchPairs`, of meshes one of which changes. @internal */
export function searchLivePairs(a: Mesh, b: Mesh, at: Frame, found: FoundPairs | null): boolean {
  search.begin(a, b, at);
  return search.meet(found);
}

/** A part of a live tree: the link to it, and where its box stands. */
interface TreePart {
  readonly link: number;
  readonly box: number;
}

const HOME = makeFrame();

/** Puts the pairs that meet of two parts of one mesh into `found`. The boxes of both must be up to date. @internal */
export function searchLiveParts(mesh: Mesh, one: TreePart, two: TreePart, found: FoundPairs): boolean {
  search.begin(mesh, mesh, HOME);
  search.start[0] = one.link;
  search.start[1] = one.box;
  search.start[2] = two.link;
  search.start[3] = two.box;
  return search.meet(found);
}

/** As `nearestSlots`, of meshes one of which changes. @internal */
export function nearestLiveSlots(
  a: Mesh,
  b: Mesh,
  at: Frame,
  maxDistance: number,
  out: NearestSlots,
): boolean {
  search.begin(a, b, at);
  search.limit = maxDistance;
  const any = search.findNearest();
  const { best } = search;
  if (!any || best.distance > 0) {
    const inside = findContained(a, b, at, contained);
    if (inside) {
      copy(inside.point, out.a);
      copy(inside.point, out.b);
      out.distance = 0;
      out.slotA = inside.isSecond ? -1 : inside.triangle;
      out.slotB = inside.isSecond ? inside.triangle : -1;
      return true;
    }
  }
  if (!any) return false;
  copy(best.a, out.a);
  copy(best.b, out.b);
  out.distance = best.distance;
  out.slotA = best.slotA;
  out.slotB = best.slotB;
  return true;
}
