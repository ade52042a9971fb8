/**
 * The features of a polyhedron where it stands: lines along edges, and cones of normals, the directions in which a vertex or an
 * edge is nearer to what is there than its neighbours. No time: what moves is brought here at one moment.
 */

import { vertexRing } from './model/vertex-ring.ts';
import { CONVEX_EDGE, DANGLING_EDGE, type PolyhedralModel } from './types.ts';

/** No model: what a context that waits for the next query holds, so that it keeps nothing alive. @internal */
export const NO_MODEL = {} as PolyhedralModel;
const NO_NUMBERS = new Float64Array(0);

/** A model with its vertices and planes brought to where they are wanted. The arrays may be longer than needed. @internal */
export class PosedModel {
  model: PolyhedralModel = NO_MODEL;
  points: Float64Array = NO_NUMBERS;
  /** Four numbers a polygon, as in the model. */
  planes: Float64Array = NO_NUMBERS;
}

/** A unit direction. @internal */
export interface Direction {
  nx: number;
  ny: number;
  nz: number;
}

/**
 * Is what is at `sign` n from an edge, a unit direction or an offset, not over one of its polygons (other than `skip`) by more
 * than `tolerance`? Then the edge is the nearest of its surface.
 *
 * @internal
 */
export function isInEdgeCone(
  { model, points, planes }: PosedModel,
  e: number,
  { nx, ny, nz }: Direction,
  sign: number,
  tolerance: number,
  skip = -1,
): boolean {
  const a = 3 * model.edges[2 * e]!;
  const b = 3 * model.edges[2 * e + 1]!;
  const ux = points[b]! - points[a]!;
  const uy = points[b + 1]! - points[a + 1]!;
  const uz = points[b + 2]! - points[a + 2]!;
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const cx = sign * (uy * nz - uz * ny);
  const cy = sign * (uz * nx - ux * nz);
  const cz = sign * (ux * ny - uy * nx);
  for (let side = 0; side < 2; side++) {
    const g = model.edgePolygons[2 * e + side]!;
    if (g < 0 || g === skip) continue;
    // n · (normal × u) = normal · (u × n); the second face runs backwards.
    const over = (planes[4 * g]! * cx + planes[4 * g + 1]! * cy + planes[4 * g + 2]! * cz) / length;
    if ((side === 0 ? over : -over) > tolerance) return false;
  }
  return true;
}

/**
 * Is what is at `sign` n from a vertex not nearer to one of its neighbours: n · r no more than `ease`, and `lean` for each unit of
 * the length of r, for all that lead to them?
 *
 * @internal
 */
export function isInVertexCone(
  { model, points }: PosedModel,
  v: number,
  { nx, ny, nz }: Direction,
  sign: number,
  ease: number,
  lean: number,
): boolean {
  const { start, ring } = vertexRing(model);
  for (let k = start[v]!, end = start[v + 1]!; k < end; k++) {
    const w = 3 * ring[k]!;
    const x = points[w]! - points[3 * v]!;
    const y = points[w + 1]! - points[3 * v + 1]!;
    const z = points[w + 2]! - points[3 * v + 2]!;
    if (!(sign * (nx * x + ny * y + nz * z) <= ease + lean * (Math.abs(x) + Math.abs(y) + Math.abs(z))))
      return false;
  }
  return true;
}

/** Can an edge of that kind be touched by an edge? @internal */
export const canTouch = (kind: number): boolean => kind === CONVEX_EDGE || kind === DANGLING_EDGE;

/** Is it an open sheet that is touched from the front only? @internal */
export const isOpenSheet = ({ closed, sides, sources }: PolyhedralModel): boolean =>
  !closed && sides === 'front' && sources.length > 0;

/** The line along an edge: first end, unit direction, length. @internal */
export class EdgeLine {
  x = 0.5;
  y = 0.5;
  z = 0.5;
  ux = 0.5;
  uy = 0.5;
  uz = 0.5;
  length = 0.5;
}

/** @internal */
export function loadLine({ points, model }: PosedModel, edge: number, out: EdgeLine): void {
  const i = 3 * model.edges[2 * edge]!;
  const j = 3 * model.edges[2 * edge + 1]!;
  const ux = points[j]! - points[i]!;
  const uy = points[j + 1]! - points[i + 1]!;
  const uz = points[j + 2]! - points[i + 2]!;
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  out.x = points[i]!;
  out.y = points[i + 1]!;
  out.z = points[i + 2]!;
  out.ux = ux / length;
  out.uy = uy / length;
  out.uz = uz / length;
  out.length = length;
}

/**
 * The distance of two edges of which the second is moved by `dz` along z, if they are nearest at about `at` along it. The lines of
 * nearly parallel ones are nearest at a point that is known badly, and may be near each other where the edges are not.
 *
 * @internal
 */
export function edgeDistance(line: EdgeLine, other: EdgeLine, dz: number, at: number): number {
  const { ux, uy, uz } = line;
  const { ux: tx, uy: ty, uz: tz } = other;
  const wx = other.x - line.x;
  const wy = other.y - line.y;
  const wz = other.z - line.z + dz;
  const near = Math.max(0, Math.min(at, other.length));
  const on = (wx + near * tx) * ux + (wy + near * ty) * uy + (wz + near * tz) * uz;
  const x = Math.max(0, Math.min(on, line.length));
  const y = Math.max(0, Math.min((x * ux - wx) * tx + (x * uy - wy) * ty + (x * uz - wz) * tz, other.length));
  const dx = wx + y * tx - x * ux;
  const dy = wy + y * ty - x * uy;
  const apart = wz + y * tz - x * uz;
  return Math.sqrt(dx * dx + dy * dy + apart * apart);
}
