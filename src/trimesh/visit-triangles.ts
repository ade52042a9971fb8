/**
 * The triangles of a mesh that a box is near to, overlaps, or touches while it moves: the walks of the tree that all queries
 * share but for the kernels of rays, closest points and spheres. All in the space of the mesh.
 */
import { EPS64 } from '../math/float.ts';
import { AXIS_PARALLEL } from '../math/tolerance.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import {
  boxAt,
  isLeaf,
  leafEnd,
  leafFirst,
  linkAt,
  MAX_DEPTH,
  type PackedTree,
} from '../trees/packed-tree.ts';
import type { Mesh } from './mesh.ts';

/** Asks the triangles, and lowers the bound beyond which it does not care. @internal */
export interface TriangleVisitor {
  /** A distance, or a time: nothing beyond it is visited. Below zero, the walk ends. */
  bound: number;
  visit(slot: number): void;
}

/** What waits in a walk, one child a level, and its distance or time. Visitors may start walks of their own. */
class WalkStack {
  readonly links = new Int32Array(MAX_DEPTH + 1);
  readonly bounds = new Float64Array(MAX_DEPTH + 1);
  /** Of two children. */
  readonly pair = new Float64Array(2);
}

const stacks = [new WalkStack()];
let depth = 0;

function takeStack(): WalkStack {
  if (depth === stacks.length) stacks.push(new WalkStack());
  return stacks[depth++]!;
}

/** Rounding of what is computed from coordinates of a size: some units in the last place. */
const PADDING = 16 * EPS64;

/**
 * Visits the triangles whose boxes are no farther from `box` than `visitor.bound`, roughly the nearest first.
 *
 * @internal
 */
export function visitNear(mesh: Mesh, box: ReadonlyAabb, visitor: TriangleVisitor): void {
  if (mesh.live !== null) mesh.live.near(box, visitor.bound);
  const stack = takeStack();
  try {
    walkNear(stack, mesh, box, visitor);
  } finally {
    depth--; // supports of the user's may throw
  }
}

function walkNear(stack: WalkStack, mesh: Mesh, { min, max }: ReadonlyAabb, visitor: TriangleVisitor): void {
  const { links, bounds, pair } = stack;
  const { tree } = mesh;
  const { grid } = tree;
  // One by one: to take an array apart makes an object of each number.
  const gx = grid[0]!;
  const gy = grid[1]!;
  const gz = grid[2]!;
  const sx = grid[3]!;
  const sy = grid[4]!;
  const sz = grid[5]!;
  const padding =
    PADDING *
      (Math.abs(min.x) +
        Math.abs(max.x) +
        Math.abs(min.y) +
        Math.abs(max.y) +
        Math.abs(min.z) +
        Math.abs(max.z)) +
    PADDING * (Math.abs(gx) + Math.abs(gy) + Math.abs(gz) + 65536 * (sx + sy + sz));
  const x0 = min.x - padding - gx;
  const y0 = min.y - padding - gy;
  const z0 = min.z - padding - gz;
  const x1 = max.x + padding - gx;
  const y1 = max.y + padding - gy;
  const z1 = max.z + padding - gz;
  let top = 0;
  let link = 0;
  for (;;) {
    if (!isLeaf(link)) {
      for (let side = 0; side < 2; side++) {
        const at = boxAt(link, side);
        const dx = gap(tree.bounds[at]! * sx - x1, x0 - tree.bounds[at + 3]! * sx);
        const dy = gap(tree.bounds[at + 1]! * sy - y1, y0 - tree.bounds[at + 4]! * sy);
        const dz = gap(tree.bounds[at + 2]! * sz - z1, z0 - tree.bounds[at + 5]! * sz);
        pair[side] = Math.sqrt(dx * dx + dy * dy + dz * dz);
      }
      const a = tree.links[linkAt(link, 0)]!;
      const b = tree.links[linkAt(link, 1)]!;
      const near = pair[0]! <= pair[1]! ? 0 : 1;
      if (pair[1 - near]! <= visitor.bound) {
        links[top] = near === 0 ? b : a;
        bounds[top++] = pair[1 - near]!;
      }
      if (pair[near]! <= visitor.bound) {
        link = near === 0 ? a : b;
        continue;
      }
    } else {
      for (let i = leafFirst(link), end = leafEnd(link); i < end; i++) {
        visitor.visit(i);
        if (visitor.bound < 0) return;
      }
    }
    do {
      if (top === 0) return;
      top--;
    } while (!(bounds[top]! <= visitor.bound));
    link = links[top]!;
  }
}

/** The greater of two numbers and zero. */
const gap = (a: number, b: number): number => Math.max(0, a, b);

/**
 * A moving convex shape in the space of a mesh: three unit vectors perpendicular to each other, the first along the
 * motion, and between which heights along each of them it is at the start.
 *
 * @internal
 */
export interface SweptSlabs {
  mx: number;
  my: number;
  mz: number;
  nx: number;
  ny: number;
  nz: number;
  ux: number;
  uy: number;
  uz: number;
  lowM: number;
  highM: number;
  lowN: number;
  highN: number;
  lowU: number;
  highU: number;
  /** The length of the motion. */
  length: number;
  /**
   * What is below this height along this vector is not touched up to the time `bound`: visitors may raise it. At first
   * -Infinity.
   */
  hx: number;
  hy: number;
  hz: number;
  height: number;
}

/** @internal */
export const makeSweptSlabs = (): SweptSlabs => ({
  mx: 0.5,
  my: 0.5,
  mz: 0.5,
  nx: 0.5,
  ny: 0.5,
  nz: 0.5,
  ux: 0.5,
  uy: 0.5,
  uz: 0.5,
  lowM: 0.5,
  highM: 0.5,
  lowN: 0.5,
  highN: 0.5,
  lowU: 0.5,
  highU: 0.5,
  length: 0.5,
  hx: 0.5,
  hy: 0.5,
  hz: 0.5,
  height: -Infinity,
});

/** Parts nothing from anything. */
const UNBOUNDED: SweptSlabs = {
  ...makeSweptSlabs(),
  lowM: -Infinity,
  highM: Infinity,
  lowN: -Infinity,
  highN: Infinity,
  lowU: -Infinity,
  highU: Infinity,
};

/**
 * Visits the triangles that a moving convex shape may touch, at times up to `visitor.bound`, roughly the first to be
 * touched first: those that no plane across an axis of the mesh or of `slabs` parts from it. `box` is around it at the start.
 *
 * @internal
 */
export function visitSwept(
  mesh: Mesh,
  box: ReadonlyAabb,
  motion: ReadonlyVec3,
  visitor: TriangleVisitor,
  slabs: SweptSlabs = UNBOUNDED,
): void {
  if (mesh.live !== null) mesh.live.swept(box, motion, visitor.bound);
  const stack = takeStack();
  try {
    walkSwept(stack, mesh, box, motion, visitor, slabs);
  } finally {
    depth--;
  }
}

function walkSwept(
  stack: WalkStack,
  mesh: Mesh,
  { min, max }: ReadonlyAabb,
  motion: ReadonlyVec3,
  visitor: TriangleVisitor,
  slabs: SweptSlabs,
): void {
  const { links, bounds, pair } = stack;
  const { vertices, corners } = mesh;
  const { bounds: boxes, links: children, grid } = mesh.tree;
  const gx = grid[0]!;
  const gy = grid[1]!;
  const gz = grid[2]!;
  const sx = grid[3]!;
  const sy = grid[4]!;
  const sz = grid[5]!;
  const { x: vx, y: vy, z: vz } = motion;
  const padding =
    PADDING *
    (Math.abs(min.x) +
      Math.abs(max.x) +
      Math.abs(min.y) +
      Math.abs(max.y) +
      Math.abs(min.z) +
      Math.abs(max.z) +
      (Math.abs(vx) + Math.abs(vy) + Math.abs(vz)) +
      (Math.abs(gx) + Math.abs(gy) + Math.abs(gz) + 65536 * (sx + sy + sz)));
  const x0 = min.x - padding - gx;
  const y0 = min.y - padding - gy;
  const z0 = min.z - padding - gz;
  const x1 = max.x + padding - gx;
  const y1 = max.y + padding - gy;
  const z1 = max.z + padding - gz;
  // Times are products with these. A motion of next to nothing along an axis takes longer than there is time, or none.
  const least = (Math.max(Math.abs(vx), Math.abs(vy), Math.abs(vz)) || 1) * AXIS_PARALLEL;
  const ix = 1 / (Math.abs(vx) < least ? least : vx);
  const iy = 1 / (Math.abs(vy) < least ? least : vy);
  const iz = 1 / (Math.abs(vz) < least ? least : vz);
  // Of a box, the side that is met first and the one that is left last.
  const onX = ix > 0 ? 0 : 3;
  const onY = iy > 0 ? 1 : 4;
  const onZ = iz > 0 ? 2 : 5;
  const offX = 3 - onX;
  const offY = 5 - onY;
  const offZ = 7 - onZ;
  const metX = ix > 0 ? x1 : x0;
  const metY = iy > 0 ? y1 : y0;
  const metZ = iz > 0 ? z1 : z0;
  const leftX = ix > 0 ? x0 : x1;
  const leftY = iy > 0 ? y0 : y1;
  const leftZ = iz > 0 ? z0 : z1;
  const { mx, my, mz, nx, ny, nz, ux, uy, uz, length } = slabs;
  const lowM = slabs.lowM - padding;
  const highM = slabs.highM + padding;
  const lowN = slabs.lowN - padding;
  const highN = slabs.highN + padding;
  const lowU = slabs.lowU - padding;
  const highU = slabs.highU + padding;
  // Half a box along the axes of the slabs, and twice where its middle is: in units of the grid.
  const anx = Math.abs(nx) * sx;
  const any = Math.abs(ny) * sy;
  const anz = Math.abs(nz) * sz;
  const aux = Math.abs(ux) * sx;
  const auy = Math.abs(uy) * sy;
  const auz = Math.abs(uz) * sz;
  const gnx = nx * sx;
  const gny = ny * sy;
  const gnz = nz * sz;
  const gux = ux * sx;
  const guy = uy * sy;
  const guz = uz * sz;
  const gridN = gx * nx + gy * ny + gz * nz;
  const gridU = gx * ux + gy * uy + gz * uz;
  const midN = lowN + highN - 2 * gridN;
  const midU = lowU + highU - 2 * gridU;
  const halfN = highN - lowN;
  const halfU = highU - lowU;
  let bound = visitor.bound;
  let { hx, hy, hz, height } = slabs;
  let ghx = hx * sx;
  let ghy = hy * sy;
  let ghz = hz * sz;
  let ahx = Math.abs(ghx);
  let ahy = Math.abs(ghy);
  let ahz = Math.abs(ghz);
  let twice = -Infinity;
  let top = 0;
  let link = 0;
  for (;;) {
    if (!isLeaf(link)) {
      for (let side = 0; side < 2; side++) {
        const at = boxAt(link, side);
        const soonX = (boxes[at + onX]! * sx - metX) * ix;
        const soonY = (boxes[at + onY]! * sy - metY) * iy;
        const soonZ = (boxes[at + onZ]! * sz - metZ) * iz;
        const lateX = (boxes[at + offX]! * sx - leftX) * ix;
        const lateY = (boxes[at + offY]! * sy - leftY) * iy;
        const lateZ = (boxes[at + offZ]! * sz - leftZ) * iz;
        // Products of two roundings: `padding` has paid for the differences.
        let enter = Math.max(soonX, soonY, soonZ);
        let exit = Math.min(lateX, lateY, lateZ);
        enter -= PADDING * Math.abs(enter);
        exit += PADDING * Math.abs(exit);
        const bx = boxes[at]! + boxes[at + 3]!;
        const by = boxes[at + 1]! + boxes[at + 4]!;
        const bz = boxes[at + 2]! + boxes[at + 5]!;
        const ex = boxes[at + 3]! - boxes[at]!;
        const ey = boxes[at + 4]! - boxes[at + 1]!;
        const ez = boxes[at + 5]! - boxes[at + 2]!;
        const offN = gnx * bx + gny * by + gnz * bz - midN;
        const offU = gux * bx + guy * by + guz * bz - midU;
        const parted =
          +(enter > exit) |
          +(enter > bound) |
          +(exit < 0) |
          +(Math.abs(offN) > halfN + anx * ex + any * ey + anz * ez) |
          +(Math.abs(offU) > halfU + aux * ex + auy * ey + auz * ez) |
          +(ghx * bx + ghy * by + ghz * bz + (ahx * ex + ahy * ey + ahz * ez) < twice);
        pair[side] = parted === 0 ? Math.max(enter, 0) : Infinity;
      }
      const a = children[linkAt(link, 0)]!;
      const b = children[linkAt(link, 1)]!;
      const hitA = +(pair[0]! < Infinity);
      const hitB = +(pair[1]! < Infinity);
      const sooner = +(pair[0]! <= pair[1]!);
      const swap = (a ^ b) & -sooner;
      bounds[top] = pair[sooner]!;
      links[top] = a ^ swap;
      top += hitA & hitB;
      if (hitA | hitB) {
        link = b ^ swap;
        continue;
      }
    } else {
      for (let i = leafFirst(link), end = leafEnd(link); i < end; i++) {
        const p = 3 * corners[3 * i]!;
        const q = 3 * corners[3 * i + 1]!;
        const r = 3 * corners[3 * i + 2]!;
        const px = vertices[p]!;
        const py = vertices[p + 1]!;
        const pz = vertices[p + 2]!;
        const qx = vertices[q]!;
        const qy = vertices[q + 1]!;
        const qz = vertices[q + 2]!;
        const rx = vertices[r]!;
        const ry = vertices[r + 1]!;
        const rz = vertices[r + 2]!;
        const pn = nx * px + ny * py + nz * pz;
        const qn = nx * qx + ny * qy + nz * qz;
        const rn = nx * rx + ny * ry + nz * rz;
        const beyondN =
          (+(pn > highN) & +(qn > highN) & +(rn > highN)) | (+(pn < lowN) & +(qn < lowN) & +(rn < lowN));
        if (beyondN !== 0) continue;
        const pu = ux * px + uy * py + uz * pz;
        const qu = ux * qx + uy * qy + uz * qz;
        const ru = ux * rx + uy * ry + uz * rz;
        const beyondU =
          (+(pu > highU) & +(qu > highU) & +(ru > highU)) | (+(pu < lowU) & +(qu < lowU) & +(ru < lowU));
        const pm = mx * px + my * py + mz * pz;
        const qm = mx * qx + my * qy + mz * qz;
        const rm = mx * rx + my * ry + mz * rz;
        const reach = highM + bound * length;
        const beyondM =
          (+(pm > reach) & +(qm > reach) & +(rm > reach)) | (+(pm < lowM) & +(qm < lowM) & +(rm < lowM));
        if ((beyondU | beyondM) !== 0) continue;
        const below =
          +(hx * px + hy * py + hz * pz < height) &
          +(hx * qx + hy * qy + hz * qz < height) &
          +(hx * rx + hy * ry + hz * rz < height);
        if (below !== 0) continue;
        visitor.visit(i);
        if (visitor.bound === bound) continue;
        bound = visitor.bound;
        hx = slabs.hx;
        hy = slabs.hy;
        hz = slabs.hz;
        height = slabs.height - padding;
        ghx = hx * sx;
        ghy = hy * sy;
        ghz = hz * sz;
        ahx = Math.abs(ghx);
        ahy = Math.abs(ghy);
        ahz = Math.abs(ghz);
        twice = 2 * (height - (gx * hx + gy * hy + gz * hz));
      }
    }
    do {
      if (top === 0) return;
      top--;
    } while (!(bounds[top]! <= bound));
    link = links[top]!;
  }
}

/** Slots of triangles, in memory that grows. @internal */
export class SlotList {
  slots = new Int32Array(64);
  count = 0;

  add(slot: number): void {
    if (this.count === this.slots.length) {
      const larger = new Int32Array(2 * this.count);
      larger.set(this.slots);
      this.slots = larger;
    }
    this.slots[this.count++] = slot;
  }
}

/** What leaves out boxes of the tree that a box around a shape overlaps, and the shape does not. */
interface BoxFilter {
  isApartFromNode(bounds: Uint16Array, at: number): boolean;
}

/**
 * A walk over the leaves whose boxes overlap a box: set it, and ask for the next until there is none.
 *
 * @internal
 */
export class BoxWalk {
  private readonly pending = new Int32Array(MAX_DEPTH + 2);
  private top = 0;
  // The box in steps of the grid: the lowest and the highest that it touches.
  private x0 = 0;
  private y0 = 0;
  private z0 = 0;
  private x1 = 0;
  private y1 = 0;
  private z1 = 0;

  /**
   * Boxes of the tree are larger than their triangles by 1/32 of a step, so that the rounding of these quotients does not
   * matter; and what is beyond the grid need not be distinguished.
   */
  start({ tree: { grid }, live }: Mesh, box: ReadonlyAabb): void {
    if (live !== null) live.near(box, 0);
    const { min, max } = box;
    this.x0 = Math.max(-1, Math.min(65536, Math.floor((min.x - grid[0]!) / grid[3]!)));
    this.y0 = Math.max(-1, Math.min(65536, Math.floor((min.y - grid[1]!) / grid[4]!)));
    this.z0 = Math.max(-1, Math.min(65536, Math.floor((min.z - grid[2]!) / grid[5]!)));
    this.x1 = Math.max(-1, Math.min(65536, Math.ceil((max.x - grid[0]!) / grid[3]!)));
    this.y1 = Math.max(-1, Math.min(65536, Math.ceil((max.y - grid[1]!) / grid[4]!)));
    this.z1 = Math.max(-1, Math.min(65536, Math.ceil((max.z - grid[2]!) / grid[5]!)));
    this.pending[0] = 0;
    this.top = 1;
  }

  /** The link of the next leaf, or 0. */
  next({ bounds, links }: PackedTree, filter: BoxFilter | null): number {
    const { pending, x0, y0, z0, x1, y1, z1 } = this;
    let { top } = this;
    while (top > 0) {
      const node = pending[--top]!;
      if (isLeaf(node)) {
        this.top = top;
        return node;
      }
      for (let child = 0; child < 2; child++) {
        const at = boxAt(node, child);
        // Six comparisons in the sign of one number, and one branch.
        const gap =
          (x1 - bounds[at]!) |
          (y1 - bounds[at + 1]!) |
          (z1 - bounds[at + 2]!) |
          (bounds[at + 3]! - x0) |
          (bounds[at + 4]! - y0) |
          (bounds[at + 5]! - z0);
        if (gap < 0 || filter?.isApartFromNode(bounds, at)) continue;
        pending[top++] = links[linkAt(node, child)]!;
      }
    }
    this.top = 0;
    return 0;
  }
}

const walk = new BoxWalk();

/**
 * All triangles whose boxes overlap `box`, or touch it, after those that are in `out`: in the order of the tree, without
 * tolerance.
 *
 * @internal
 */
export function collectSlots(mesh: Mesh, box: ReadonlyAabb, out: SlotList): void {
  const { tree, vertices, corners } = mesh;
  const { x: x0, y: y0, z: z0 } = box.min;
  const { x: x1, y: y1, z: z1 } = box.max;
  walk.start(mesh, box);
  for (let link = walk.next(tree, null); isLeaf(link); link = walk.next(tree, null))
    for (let i = leafFirst(link), end = leafEnd(link); i < end; i++) {
      const a = 3 * corners[3 * i]!;
      const b = 3 * corners[3 * i + 1]!;
      const c = 3 * corners[3 * i + 2]!;
      const ax = vertices[a]!;
      const ay = vertices[a + 1]!;
      const az = vertices[a + 2]!;
      const bx = vertices[b]!;
      const by = vertices[b + 1]!;
      const bz = vertices[b + 2]!;
      const cx = vertices[c]!;
      const cy = vertices[c + 1]!;
      const cz = vertices[c + 2]!;
      const apart =
        (+(ax > x1) & +(bx > x1) & +(cx > x1)) |
        (+(ay > y1) & +(by > y1) & +(cy > y1)) |
        (+(az > z1) & +(bz > z1) & +(cz > z1)) |
        (+(ax < x0) & +(bx < x0) & +(cx < x0)) |
        (+(ay < y0) & +(by < y0) & +(cy < y0)) |
        (+(az < z0) & +(bz < z0) & +(cz < z0));
      if (apart === 0) out.add(i);
    }
}
