/**
 * The region of a node or leaf: a convex polyhedron, cut smaller by one plane a level. Faces are kept as polygons of their own;
 * neighbours agree on their corners up to rounding.
 */
import type { Plane, ReadonlyPlane, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Aabb, ReadonlyAabb } from '../primitives/types.ts';
import { heightOf, splitPolygon } from './thick-plane.ts';

export interface CellFace {
  /** Counter-clockwise seen from outside of the cell. */
  readonly points: readonly ReadonlyVec3[];
  /** The normal points out. */
  readonly plane: ReadonlyPlane;
  /** The node whose plane it lies in; -1 for a side of the box that holds the tree. */
  readonly node: number;
}

export interface Cell {
  readonly faces: readonly CellFace[];
}

const AXES = ['x', 'y', 'z'] as const;

/** @internal */
export function cellOfBox({ min, max }: ReadonlyAabb): Cell {
  const faces: CellFace[] = [];
  for (let axis = 0; axis < 3; axis++)
    for (const side of [-1, 1]) {
      const [a, u, v] = [AXES[axis]!, AXES[(axis + 1) % 3]!, AXES[(axis + 2) % 3]!];
      const normal = vec3();
      normal[a] = side;
      const at = side < 0 ? min[a] : max[a];
      const corner = (highU: boolean, highV: boolean): Vec3 => {
        const p = vec3();
        p[a] = at;
        p[u] = highU ? max[u] : min[u];
        p[v] = highV ? max[v] : min[v];
        return p;
      };
      const points = [corner(false, false), corner(true, false), corner(true, true), corner(false, true)];
      if (side < 0) points.reverse();
      faces.push({ points, plane: { normal, d: side * at }, node: -1 });
    }
  return { faces };
}

/** How far a cell reaches to both sides of a plane. */
interface Reach {
  front: number;
  back: number;
}

/** @internal */
export function reachOf({ faces }: Cell, plane: ReadonlyPlane): Reach {
  let front = -Infinity;
  let back = Infinity;
  for (const { points } of faces)
    for (const p of points) {
      const height = heightOf(p, plane);
      if (height > front) front = height;
      if (height < back) back = height;
    }
  return { front, back: -back };
}

/** The two halves of a cell that the plane of a node cuts, and the polygon in which they meet, seen from the front. @internal */
export function splitCell(
  cell: Cell,
  plane: ReadonlyPlane,
  node: number,
  tolerance: number,
): { front: Cell; back: Cell; cap: Vec3[] } {
  const front: CellFace[] = [];
  const back: CellFace[] = [];
  for (const face of cell.faces) {
    const parts = splitPolygon(face.points, plane, tolerance);
    if (parts.front.length > 0) front.push({ ...face, points: parts.front });
    if (parts.back.length > 0) back.push({ ...face, points: parts.back });
  }
  const cap = capOf(cell, plane, tolerance);
  if (cap.length > 0) {
    const { normal, d } = plane;
    front.push({ points: [...cap].reverse(), plane: { normal: v3.negate(normal), d: -d }, node });
    back.push({ points: cap, plane, node });
  }
  return { front: { faces: front }, back: { faces: back }, cap };
}

/** What of a plane lies in a cell: counter-clockwise seen from the front of the plane, empty if nothing. @internal */
export function capOf(cell: Cell, plane: ReadonlyPlane, tolerance: number): Vec3[] {
  const { center, radius } = ballAround(cell);
  let cap = squareOn(plane, center, 2 * radius);
  for (const face of cell.faces) {
    cap = splitPolygon(cap, face.plane, tolerance).back;
    if (cap.length === 0) break;
  }
  return cap;
}

function ballAround({ faces }: Cell): { center: Vec3; radius: number } {
  const center = vec3();
  let count = 0;
  for (const { points } of faces)
    for (const p of points) {
      v3.add(center, p, center);
      count++;
    }
  v3.scale(center, 1 / Math.max(1, count), center);
  let radius = 0;
  for (const { points } of faces) for (const p of points) radius = Math.max(radius, v3.distance(p, center));
  return { center, radius };
}

/** A square on a plane around what of it is nearest to a point. */
function squareOn({ normal: n, d }: ReadonlyPlane, center: ReadonlyVec3, halfSize: number): Vec3[] {
  const foot = v3.addScaled(center, n, d - v3.dot(n, center));
  const [x, y, z] = [Math.abs(n.x), Math.abs(n.y), Math.abs(n.z)];
  const across = x <= y && x <= z ? vec3(1, 0, 0) : y <= z ? vec3(0, 1, 0) : vec3(0, 0, 1);
  const u = v3.normalize(v3.cross(across, n));
  const v = v3.cross(n, u);
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([s, t]) => v3.addScaled(v3.addScaled(foot, u, s! * halfSize), v, t! * halfSize));
}

/** Volume and centroid of a cell, by the tetrahedra from one of its corners to its faces. @internal */
export function massOfCell({ faces }: Cell): { volume: number; centroid: Vec3 } {
  const origin = faces.length > 0 ? faces[0]!.points[0]! : vec3();
  let volume = 0;
  const sum = vec3();
  for (const { points } of faces) {
    const a = v3.sub(points[0]!, origin);
    for (let k = 2; k < points.length; k++) {
      const b = v3.sub(points[k - 1]!, origin);
      const c = v3.sub(points[k]!, origin);
      const share = v3.triple(a, b, c) / 6;
      volume += share;
      v3.addScaled(sum, a, share / 4, sum);
      v3.addScaled(sum, b, share / 4, sum);
      v3.addScaled(sum, c, share / 4, sum);
    }
  }
  if (volume > 0) v3.addScaled(origin, sum, 1 / volume, sum);
  else v3.copy(ballAround({ faces }).center, sum);
  return { volume, centroid: sum };
}

/** The plane from its other side. @internal */
export const flipped = ({ normal, d }: ReadonlyPlane): Plane => ({ normal: v3.negate(normal), d: -d });

/** The smallest box around a cell; an empty one, inside out, around none. @internal */
export function boxOfCell({ faces }: Cell): Aabb {
  const min = vec3(Infinity, Infinity, Infinity);
  const max = vec3(-Infinity, -Infinity, -Infinity);
  for (const { points } of faces)
    for (const p of points) {
      v3.min(min, p, min);
      v3.max(max, p, max);
    }
  return { min, max };
}
