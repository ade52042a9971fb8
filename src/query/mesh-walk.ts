/**
 * Walks over the triangles of a mesh that a box comes near to, or touches on its way. The visitor asks the triangles,
 * and lowers the bound beyond which it does not care.
 */
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import type { Mesh } from '../shapes/mesh/mesh.ts';
import { MAX_DEPTH } from '../trees/packed-tree.ts';

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
export function walkNear(mesh: Mesh, { min, max }: ReadonlyAabb, visitor: TriangleVisitor): void {
  const { tree } = mesh;
  const { grid } = tree;
  const [gx, gy, gz, sx, sy, sz] = grid as unknown as [number, number, number, number, number, number];
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
  const first = takeStack();
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
        if (visitor.bound < 0) {
          base = first;
          return;
        }
      }
    }
    do {
      if (top === first) {
        base = first;
        return;
      }
      top--;
    } while (!(bounds[top]! <= visitor.bound));
    link = links[top]!;
  }
}

/** The greater of two numbers and zero. */
const gap = (a: number, b: number): number => Math.max(0, a, b);

/**
 * The triangles whose boxes `box` touches when it moves by `motion`, at times up to `visitor.bound`, roughly the first
 * to be touched first.
 *
 * @internal
 */
export function walkSwept(
  mesh: Mesh,
  { min, max }: ReadonlyAabb,
  motion: ReadonlyVec3,
  visitor: TriangleVisitor,
): void {
  const { tree } = mesh;
  const [gx, gy, gz, sx, sy, sz] = tree.grid as unknown as [number, number, number, number, number, number];
  const room =
    ROOM *
    (Math.abs(min.x) +
      Math.abs(max.x) +
      Math.abs(min.y) +
      Math.abs(max.y) +
      Math.abs(min.z) +
      Math.abs(max.z) +
      (Math.abs(motion.x) + Math.abs(motion.y) + Math.abs(motion.z)) +
      (Math.abs(gx) + Math.abs(gy) + Math.abs(gz) + 65536 * (sx + sy + sz)));
  const x0 = min.x - room - gx;
  const y0 = min.y - room - gy;
  const z0 = min.z - room - gz;
  const x1 = max.x + room - gx;
  const y1 = max.y + room - gy;
  const z1 = max.z + room - gz;
  // A motion of zero along an axis: the box is between the sides always or never.
  const ix = motion.x === 0 ? Infinity : 1 / motion.x;
  const iy = motion.y === 0 ? Infinity : 1 / motion.y;
  const iz = motion.z === 0 ? Infinity : 1 / motion.z;
  const first = takeStack();
  let top = first;
  let link = 0;
  for (;;) {
    if (link >= 0) {
      for (let side = 0; side < 2; side++) {
        const at = link + 6 * side;
        let enter = 0;
        let exit = 1;
        for (let k = 0; k < 3; k++) {
          const step = k === 0 ? sx : k === 1 ? sy : sz;
          const low = tree.bounds[at + k]! * step - (k === 0 ? x1 : k === 1 ? y1 : z1);
          const high = tree.bounds[at + 3 + k]! * step - (k === 0 ? x0 : k === 1 ? y0 : z0);
          const inverse = k === 0 ? ix : k === 1 ? iy : iz;
          if (inverse === Infinity) {
            if (low > 0 || high < 0) exit = -1;
            continue;
          }
          const t0 = low * inverse;
          const t1 = high * inverse;
          const soon = Math.min(t0, t1) * (1 - ROOM) - ROOM;
          const late = Math.max(t0, t1) * (1 + ROOM) + ROOM;
          if (soon > enter) enter = soon;
          if (late < exit) exit = late;
        }
        pair[side] = enter <= exit ? enter : Infinity;
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
      for (let i = place; i < end; i++) visitor.visit(i);
    }
    do {
      if (top === first) {
        base = first;
        return;
      }
      top--;
    } while (!(bounds[top]! <= visitor.bound));
    link = links[top]!;
  }
}
