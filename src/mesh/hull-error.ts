/** How far a convex piece reaches out of what it stands for. */
import type { ReadonlyPlane, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { TriangleField } from './triangle-field.ts';

/** How far, at most, and where about it is worst. */
export interface HullError {
  /** No point of the piece is farther away. At most a quarter above the truth, or below what was asked for. */
  bound: number;
  /** A point of the piece that is about so far away, and the nearest point of the mesh. */
  worst: Vec3;
  nearest: Vec3;
}

/** A cube that may hold the worst point; its middle is at a known distance, inside or not. */
interface Cell {
  readonly center: Vec3;
  readonly half: number;
  readonly distance: number;
  readonly isInside: boolean;
  /** The planes that are not in front of all of it. */
  readonly planes: readonly ReadonlyPlane[];
}

/** Half the diagonal of a cube, in halves of its side. */
const DIAGONAL = 1.7320508075688774;
/** The surface of a piece needs no finer cubes than this fraction of the tolerance. */
const FINEST = 1 / 64;

/**
 * Bounds the distance of the points of a convex piece, given by planes with unit normals, from a solid (or, where
 * there is no inside, from a surface). Cubes around the piece are divided until each is clearly good enough: distance
 * changes by no more than one moves, so a cube whose middle is at distance d has nothing beyond d plus half its
 * diagonal.
 *
 * @param enough no more precision is needed below this
 */
export function hullError(
  vertices: readonly ReadonlyVec3[],
  planes: readonly ReadonlyPlane[],
  field: TriangleField,
  isSolid: boolean,
  enough: number,
): HullError {
  const error: HullError = { bound: 0, worst: vec3(), nearest: vec3() };
  let largest = -1;
  let cells = [cellAround(vertices, planes, field, isSolid)];
  const nearest = vec3();
  const inside = vec3();
  while (cells.length > 0) {
    const next: Cell[] = [];
    for (const parent of cells) {
      const half = parent.half / 2;
      for (let k = 0; k < 8; k++) {
        const center = vec3(
          parent.center.x + (k & 1 ? half : -half),
          parent.center.y + (k & 2 ? half : -half),
          parent.center.z + (k & 4 ? half : -half),
        );
        const near = nearPlanes(parent.planes, center, half);
        if (!near) continue;
        const moved = DIAGONAL * half;
        const distance = field.distance(center, parent.distance + moved, nearest);
        // Nothing of the surface is nearer to the parent's middle than its distance.
        const isInside = parent.distance > moved ? parent.isInside : isSolid && field.isInside(center);
        const depth = isInside ? -distance : distance;
        if (depth > largest && pullInside(center, near, half, inside)) {
          const least = depth - v3.distance(center, inside);
          if (least > largest) {
            largest = least;
            v3.copy(inside, error.worst);
            v3.copy(nearest, error.nearest);
          }
        }
        const bound = depth + moved;
        if (
          bound > error.bound &&
          bound > (largest > enough ? 1.25 * largest : enough) &&
          half > FINEST * enough
        )
          next.push({ center, half, distance, isInside, planes: near });
        else error.bound = Math.max(error.bound, bound);
      }
    }
    cells = next;
  }
  return error;
}

function cellAround(
  vertices: readonly ReadonlyVec3[],
  planes: readonly ReadonlyPlane[],
  field: TriangleField,
  isSolid: boolean,
): Cell {
  const low = v3.copy(vertices[0]!);
  const high = v3.copy(vertices[0]!);
  for (const v of vertices) {
    v3.min(low, v, low);
    v3.max(high, v, high);
  }
  const center = v3.lerp(low, high, 0.5);
  const half = Math.max(high.x - low.x, high.y - low.y, high.z - low.z) / 2;
  const distance = field.distance(center, Infinity, vec3());
  return { center, half, distance, isInside: isSolid && field.isInside(center), planes };
}

/** The planes that a cube is not wholly behind; null when it is wholly in front of one. */
function nearPlanes(
  planes: readonly ReadonlyPlane[],
  center: ReadonlyVec3,
  half: number,
): ReadonlyPlane[] | null {
  const near: ReadonlyPlane[] = [];
  for (const plane of planes) {
    const { normal } = plane;
    const reach = half * (Math.abs(normal.x) + Math.abs(normal.y) + Math.abs(normal.z));
    const height = heightOver(plane, center);
    if (height > reach) return null;
    if (height > -reach) near.push(plane);
  }
  return near;
}

/** So often a point is moved on to a plane that it is in front of. */
const PULLS = 8;
/** In halves of the side of a cube: a point this far in front of a plane is on it, for all that is learnt from it. */
const ON = 0.01;

/**
 * A point of the piece near the middle of a cube, found by going on to the planes that it is in front of (von Neumann's
 * alternating projections): of thin pieces no middle is ever inside. False when there is none in the cube, or it is not
 * found.
 */
function pullInside(
  center: ReadonlyVec3,
  planes: readonly ReadonlyPlane[],
  half: number,
  out: Vec3,
): boolean {
  v3.copy(center, out);
  for (let pull = 0; pull < PULLS; pull++) {
    let isInside = true;
    for (const plane of planes) {
      const height = heightOver(plane, out);
      if (height <= ON * half * pull) continue;
      isInside = false;
      v3.addScaled(out, plane.normal, -height, out);
    }
    if (isInside) return v3.distanceSq(center, out) <= 3 * half * half;
  }
  return false;
}

const heightOver = ({ normal, d }: ReadonlyPlane, p: ReadonlyVec3): number =>
  normal.x * p.x + normal.y * p.y + normal.z * p.z - d;
