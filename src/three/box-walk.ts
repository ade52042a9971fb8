/** A tree over boxes, and a ray that meets them one after the other: instances of an object, objects of a scene. */
import { EPS64 } from '../math/float.ts';
import { GRAZING, UNIT_ROUNDING } from '../math/tolerance.ts';
import type { Aabb } from '../primitives/types.ts';
import { packTriangles } from '../trees/pack-build.ts';
import { isEmptyLeaf, isLeaf, leafFirst, linkAt, MAX_DEPTH, type PackedTree } from '../trees/packed-tree.ts';

export interface BoxTree {
  readonly tree: PackedTree;
  /** For each leaf, in the order of the tree, the number of its box. */
  readonly items: Uint32Array;
}

/** The tree over boxes, given as minimum x, y, z and maximum x, y, z of each; a leaf is a box. O(n log n). */
export function buildBoxTree(boxes: Float64Array): BoxTree {
  // A box is the box of the triangle of its two corners, one of them twice.
  const count = boxes.length / 6;
  const index = new Uint32Array(3 * count);
  for (let i = 0; i < count; i++) {
    index[3 * i] = 2 * i;
    index[3 * i + 1] = 2 * i + 1;
    index[3 * i + 2] = 2 * i;
  }
  const { tree, order } = packTriangles(boxes, index, { leafSize: 1 });
  return { tree, items: order };
}

/** Writes the box around a box that is moved by the matrix in a list of numbers, larger than that by rounding. */
export function writeMovedBox(
  { min, max }: Readonly<Aabb>,
  e: ArrayLike<number>,
  from: number,
  boxes: Float64Array,
  at: number,
): void {
  const cx = (min.x + max.x) / 2;
  const cy = (min.y + max.y) / 2;
  const cz = (min.z + max.z) / 2;
  const hx = (max.x - min.x) / 2;
  const hy = (max.y - min.y) / 2;
  const hz = (max.z - min.z) / 2;
  for (let k = 0; k < 3; k++) {
    const px = e[from + k]!;
    const py = e[from + 4 + k]!;
    const pz = e[from + 8 + k]!;
    const p = e[from + 12 + k]!;
    const center = px * cx + py * cy + pz * cz + p;
    const reach = Math.abs(px) * hx + Math.abs(py) * hy + Math.abs(pz) * hz;
    const size =
      Math.abs(px) * (Math.abs(cx) + hx) +
      Math.abs(py) * (Math.abs(cy) + hy) +
      Math.abs(pz) * (Math.abs(cz) + hz) +
      Math.abs(p);
    const half = reach + 16 * EPS64 * size;
    boxes[at + k] = center - half;
    boxes[at + 3 + k] = center + half;
  }
}

/** As in `searchRay`: a bound on the rounding of times, and the least part of a direction along an axis. */
const BOX_ERROR = 32 * UNIT_ROUNDING;

interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/**
 * Walks the boxes of a tree that a ray meets, nearer ones first as a rule. Between two steps anything may happen but another
 * walk by the same object. Never misses a box: the arithmetic is that of `searchRay`.
 */
export class BoxWalk {
  private readonly pending = new Int32Array(MAX_DEPTH + 1);
  private readonly entries = new Float64Array(MAX_DEPTH + 1);
  private top = 0;
  private boxes: BoxTree | null = null;
  // A coordinate on the grid of the tree, times s, plus m0 for near or m1 for far sides, is a time.
  private sx = 0.5;
  private sy = 0.5;
  private sz = 0.5;
  private mx0 = 0.5;
  private my0 = 0.5;
  private mz0 = 0.5;
  private mx1 = 0.5;
  private my1 = 0.5;
  private mz1 = 0.5;
  // Where in a node the near sides stand; the far ones stand opposite.
  private nx = 0;
  private ny = 0;
  private nz = 0;

  /** Begins a walk. The times of `next` are in lengths of the direction, which must not be zero. */
  start(boxes: BoxTree, origin: Point, direction: Point): void {
    const { x: ox, y: oy, z: oz } = origin;
    const { x: dx, y: dy, z: dz } = direction;
    const { grid } = boxes.tree;
    const adx = Math.abs(dx);
    const ady = Math.abs(dy);
    const adz = Math.abs(dz);
    const least = (Math.max(adx, ady, adz) || 1) * GRAZING;
    const ix = 1 / (adx < least ? least : dx);
    const iy = 1 / (ady < least ? least : dy);
    const iz = 1 / (adz < least ? least : dz);
    const ax = grid[0]! - ox;
    const ay = grid[1]! - oy;
    const az = grid[2]! - oz;
    const sx = grid[3]! * ix;
    const sy = grid[4]! * iy;
    const sz = grid[5]! * iz;
    const size = Math.abs(ax) + Math.abs(ay) + Math.abs(az) + 65536 * (grid[3]! + grid[4]! + grid[5]!);
    const error =
      BOX_ERROR *
      (Math.abs(ax * ix) +
        Math.abs(ay * iy) +
        Math.abs(az * iz) +
        65536 * (Math.abs(sx) + Math.abs(sy) + Math.abs(sz)));
    const ex = error + (adx < least ? 2 * GRAZING * size * ix : 0);
    const ey = error + (ady < least ? 2 * GRAZING * size * iy : 0);
    const ez = error + (adz < least ? 2 * GRAZING * size * iz : 0);
    this.sx = sx;
    this.sy = sy;
    this.sz = sz;
    this.mx0 = ax * ix - ex;
    this.my0 = ay * iy - ey;
    this.mz0 = az * iz - ez;
    this.mx1 = ax * ix + ex;
    this.my1 = ay * iy + ey;
    this.mz1 = az * iz + ez;
    this.nx = ix > 0 ? 0 : 3;
    this.ny = iy > 0 ? 1 : 4;
    this.nz = iz > 0 ? 2 : 5;
    this.boxes = boxes;
    this.pending[0] = 0;
    this.entries[0] = 0;
    this.top = 1;
  }

  /** The next box that is entered at `limit` or before, by its number; or -1, when there are no more. */
  next(limit: number): number {
    const { pending, entries, sx, sy, sz, mx0, my0, mz0, mx1, my1, mz1, nx, ny, nz } = this;
    const { tree, items } = this.boxes!;
    const { bounds, links } = tree;
    const fx = 3 - nx;
    const fy = 5 - ny;
    const fz = 7 - nz;
    let top = this.top;
    while (top > 0) {
      top--;
      if (!(entries[top]! <= limit)) continue;
      const link = pending[top]!;
      if (isLeaf(link)) {
        if (isEmptyLeaf(link)) continue;
        this.top = top;
        return items[leafFirst(link)]!;
      }
      const a0 = bounds[link + nx]! * sx + mx0;
      const a1 = bounds[link + ny]! * sy + my0;
      const a2 = bounds[link + nz]! * sz + mz0;
      const a3 = bounds[link + fx]! * sx + mx1;
      const a4 = bounds[link + fy]! * sy + my1;
      const a5 = bounds[link + fz]! * sz + mz1;
      const b0 = bounds[link + 6 + nx]! * sx + mx0;
      const b1 = bounds[link + 6 + ny]! * sy + my0;
      const b2 = bounds[link + 6 + nz]! * sz + mz0;
      const b3 = bounds[link + 6 + fx]! * sx + mx1;
      const b4 = bounds[link + 6 + fy]! * sy + my1;
      const b5 = bounds[link + 6 + fz]! * sz + mz1;
      const enterA = Math.max(a0, a1, a2);
      const leaveA = Math.min(a3, a4, a5);
      const enterB = Math.max(b0, b1, b2);
      const leaveB = Math.min(b3, b4, b5);
      const hitA = +(enterA <= leaveA) & +(enterA <= limit) & +(leaveA >= 0);
      const hitB = +(enterB <= leaveB) & +(enterB <= limit) & +(leaveB >= 0);
      const first = links[linkAt(link, 0)]!;
      const second = links[linkAt(link, 1)]!;
      // The one that is entered later waits below.
      const aLater = +(enterA > enterB);
      if (hitA & aLater) {
        pending[top] = first;
        entries[top++] = enterA;
      }
      if (hitB) {
        pending[top] = second;
        entries[top++] = enterB;
      }
      if (hitA & (1 - aLater)) {
        pending[top] = first;
        entries[top++] = enterA;
      }
    }
    this.top = 0;
    return -1;
  }
}
