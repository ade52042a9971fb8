/**
 * Walks over the triangles of a mesh that a box comes near to, or touches on its way. The visitor asks the triangles,
 * and lowers the bound beyond which it does not care.
 */
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import { MAX_DEPTH } from '../trees/packed-tree.ts';
import type { Mesh } from './mesh.ts';

/** @internal */
export interface TriangleVisitor {
  /** A distance, or a time: nothing beyond it is visited. Below zero, the walk ends. */
  bound: number;
  /** The triangle at a place in the order of the mesh. */
  visit(place: number): void;
}

/** Walks may start while others are under way: each takes its part of these stacks. */
let links = new Int32Array(4 * (MAX_DEPTH + 1));
let bounds = new Float64Array(4 * (MAX_DEPTH + 1));
let base = 0;

function takeStack(): number {
  const from = base;
  base += MAX_DEPTH + 1;
  if (base > links.length) {
    const more = new Int32Array(2 * links.length);
    const moreBounds = new Float64Array(2 * links.length);
    more.set(links);
    moreBounds.set(bounds);
    links = more;
    bounds = moreBounds;
  }
  return from;
}

const pair = new Float64Array(2);

/** Rounding of what is computed from coordinates of a size: some units in the last place. */
const ROOM = 16 * 2.220446049250313e-16;

/**
 * The triangles whose boxes are no farther from `box` than `visitor.bound`, roughly the nearest first. All in the space
 * of the mesh.
 *
 * @internal
 */
export function walkNear(mesh: Mesh, box: ReadonlyAabb, visitor: TriangleVisitor): void {
  const first = takeStack();
  try {
    walkNearFrom(first, mesh, box, visitor);
  } finally {
    base = first; // supports of the user's may throw
  }
}

function walkNearFrom(first: number, mesh: Mesh, { min, max }: ReadonlyAabb, visitor: TriangleVisitor): void {
  const { tree } = mesh;
  const { grid } = tree;
  // One by one: to take an array apart makes an object of each number.
  const gx = grid[0]!;
  const gy = grid[1]!;
  const gz = grid[2]!;
  const sx = grid[3]!;
  const sy = grid[4]!;
  const sz = grid[5]!;
  const room =
    ROOM *
      (Math.abs(min.x) +
        Math.abs(max.x) +
        Math.abs(min.y) +
        Math.abs(max.y) +
        Math.abs(min.z) +
        Math.abs(max.z)) +
    ROOM * (Math.abs(gx) + Math.abs(gy) + Math.abs(gz) + 65536 * (sx + sy + sz));
  const x0 = min.x - room - gx;
  const y0 = min.y - room - gy;
  const z0 = min.z - room - gz;
  const x1 = max.x + room - gx;
  const y1 = max.y + room - gy;
  const z1 = max.z + room - gz;
  let top = first;
  let link = 0;
  for (;;) {
    if (link >= 0) {
      for (let side = 0; side < 2; side++) {
        const at = link + 6 * side;
        const dx = gap(tree.bounds[at]! * sx - x1, x0 - tree.bounds[at + 3]! * sx);
        const dy = gap(tree.bounds[at + 1]! * sy - y1, y0 - tree.bounds[at + 4]! * sy);
        const dz = gap(tree.bounds[at + 2]! * sz - z1, z0 - tree.bounds[at + 5]! * sz);
        pair[side] = Math.sqrt(dx * dx + dy * dy + dz * dz);
      }
      const a = tree.links[link / 2 + 6]!;
      const b = tree.links[link / 2 + 7]!;
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
      const place = ~link >> 4;
      const end = place + (~link & 15);
      for (let i = place; i < end; i++) {
        visitor.visit(i);
        if (visitor.bound < 0) return;
      }
    }
    do {
      if (top === first) return;
      top--;
    } while (!(bounds[top]! <= visitor.bound));
    link = links[top]!;
  }
}

/** The greater of two numbers and zero. */
const gap = (a: number, b: number): number => Math.max(0, a, b);

/**
 * A convex thing on its way, in the space of a mesh: three unit vectors perpendicular to each other, the first along the
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
  way: number;
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
  way: 0.5,
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
 * The triangles that a convex thing may touch on its way, at times up to `visitor.bound`, roughly the first to be touched
 * first: those that no plane across an axis of the mesh or of `slabs` parts from it. `box` is around it at the start.
 *
 * @internal
 */
export function walkSwept(
  mesh: Mesh,
  box: ReadonlyAabb,
  motion: ReadonlyVec3,
  visitor: TriangleVisitor,
  slabs: SweptSlabs = UNBOUNDED,
): void {
  const first = takeStack();
  try {
    walkSweptFrom(first, mesh, box, motion, visitor, slabs);
  } finally {
    base = first;
  }
}

function walkSweptFrom(
  first: number,
  mesh: Mesh,
  { min, max }: ReadonlyAabb,
  motion: ReadonlyVec3,
  visitor: TriangleVisitor,
  slabs: SweptSlabs,
): void {
  const { vertices, corners } = mesh;
  const { bounds: boxes, links: children, grid } = mesh.tree;
  const gx = grid[0]!;
  const gy = grid[1]!;
  const gz = grid[2]!;
  const sx = grid[3]!;
  const sy = grid[4]!;
  const sz = grid[5]!;
  const { x: vx, y: vy, z: vz } = motion;
  const room =
    ROOM *
    (Math.abs(min.x) +
      Math.abs(max.x) +
      Math.abs(min.y) +
      Math.abs(max.y) +
      Math.abs(min.z) +
      Math.abs(max.z) +
      (Math.abs(vx) + Math.abs(vy) + Math.abs(vz)) +
      (Math.abs(gx) + Math.abs(gy) + Math.abs(gz) + 65536 * (sx + sy + sz)));
  const x0 = min.x - room - gx;
  const y0 = min.y - room - gy;
  const z0 = min.z - room - gz;
  const x1 = max.x + room - gx;
  const y1 = max.y + room - gy;
  const z1 = max.z + room - gz;
  // Times are products with these. A motion of next to nothing along an axis takes longer than there is time, or none.
  const least = (Math.max(Math.abs(vx), Math.abs(vy), Math.abs(vz)) || 1) * PARALLEL;
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
  const { mx, my, mz, nx, ny, nz, ux, uy, uz, way } = slabs;
  const lowM = slabs.lowM - room;
  const highM = slabs.highM + room;
  const lowN = slabs.lowN - room;
  const highN = slabs.highN + room;
  const lowU = slabs.lowU - room;
  const highU = slabs.highU + room;
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
  let top = first;
  let link = 0;
  for (;;) {
    if (link >= 0) {
      for (let side = 0; side < 2; side++) {
        const at = link + 6 * side;
        const soonX = (boxes[at + onX]! * sx - metX) * ix;
        const soonY = (boxes[at + onY]! * sy - metY) * iy;
        const soonZ = (boxes[at + onZ]! * sz - metZ) * iz;
        const lateX = (boxes[at + offX]! * sx - leftX) * ix;
        const lateY = (boxes[at + offY]! * sy - leftY) * iy;
        const lateZ = (boxes[at + offZ]! * sz - leftZ) * iz;
        // Products of two roundings: `room` has paid for the differences.
        let enter = Math.max(soonX, soonY, soonZ);
        let exit = Math.min(lateX, lateY, lateZ);
        enter -= ROOM * Math.abs(enter);
        exit += ROOM * Math.abs(exit);
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
      const a = children[link / 2 + 6]!;
      const b = children[link / 2 + 7]!;
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
      const place = ~link >> 4;
      const end = place + (~link & 15);
      for (let i = place; i < end; i++) {
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
        const reach = highM + bound * way;
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
        height = slabs.height - room;
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
      if (top === first) return;
      top--;
    } while (!(bounds[top]! <= bound));
    link = links[top]!;
  }
}

/** Of the largest part of a motion: along an axis with less, it does not go anywhere. */
const PARALLEL = 1e-30;
