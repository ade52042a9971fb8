/** A turning vertex and a standing polygon: on which side it is, and whether neighbours of either are nearer. */
import { POLYGON } from './job.ts';
import { arc, isAhead, middle, now, type Still, turn, turning } from './rotate-state.ts';
import { INTERNAL_EDGE } from './types.ts';
import { vertexRing } from './vertex-ring.ts';

/** The direction of `now`, as seen from where the turning body started. */
const seen = { x: 0.5, y: 0.5, z: 0.5 };

function seeDirection(): void {
  const { kx, ky, kz } = turn;
  const { nx, ny, nz, r } = now;
  const sine = (2 * r) / (1 + r * r);
  const versine = sine * r;
  const along = nx * kx + ny * ky + nz * kz;
  seen.x = nx - sine * (ky * nz - kz * ny) - versine * (nx - along * kx);
  seen.y = ny - sine * (kz * nx - kx * nz) - versine * (ny - along * ky);
  seen.z = nz - sine * (kx * ny - ky * nx) - versine * (nz - along * kz);
}

/** Is no neighbour of the turning vertex nearer to what stands? */
export function isForemost(): boolean {
  seeDirection();
  const { x, y, z } = seen;
  const { points, model } = turning.body;
  const { start, ring } = vertexRing(model);
  const tolerance = 4 * turn.touch;
  // The direction is known as well as the distance.
  const lean = now.kind === POLYGON || now.gap <= turn.touch ? 0 : (4 * turn.tolerance) / now.gap;
  for (let i = start[arc.vertex]!; i < start[arc.vertex + 1]!; i++) {
    const w = 3 * ring[i]!;
    const dx = points[w]! - arc.x;
    const dy = points[w + 1]! - arc.y;
    const dz = points[w + 2]! - arc.z;
    const up = x * dx + y * dy + z * dz;
    if (up < -tolerance && !(up >= -tolerance - lean * (Math.abs(dx) + Math.abs(dy) + Math.abs(dz))))
      return false;
  }
  return true;
}

/** On which side of a polygon with normal n, at whose height h it is, the vertex in `now` is. */
export const sideOf = (isFront: boolean, h: number, nx: number, ny: number, nz: number): number =>
  isFront ? 1 : Math.abs(h) <= turn.touch ? sideOfBody(h, nx, ny, nz) : h > 0 ? 1 : -1;

/**
 * On which side of a plane with normal n, at whose height h the turning vertex is, its body is: where its neighbours are; if
 * those are in the plane or on both sides, where the vertex is; if that cannot be told, where the middle of the
 * body is; and if that is in the plane as well, where it goes.
 */
function sideOfBody(h: number, nx: number, ny: number, nz: number): number {
  now.nx = nx;
  now.ny = ny;
  now.nz = nz;
  seeDirection();
  const { x: sx, y: sy, z: sz } = seen;
  const { points, model } = turning.body;
  const { start, ring } = vertexRing(model);
  const tolerance = 4 * turn.touch;
  let low = 0;
  let high = 0;
  for (let i = start[arc.vertex]!; i < start[arc.vertex + 1]!; i++) {
    const w = 3 * ring[i]!;
    const up = sx * (points[w]! - arc.x) + sy * (points[w + 1]! - arc.y) + sz * (points[w + 2]! - arc.z);
    low = Math.min(low, up);
    high = Math.max(high, up);
  }
  if (high > tolerance && low >= -tolerance) return 1;
  if (low < -tolerance && high <= tolerance) return -1;
  if (Math.abs(h) > 0.25 * turn.tolerance) return h > 0 ? 1 : -1;
  const up = sx * (middle.x - arc.x) + sy * (middle.y - arc.y) + sz * (middle.z - arc.z);
  if (Math.abs(up) > tolerance) return up > 0 ? 1 : -1;
  return isAhead(nx, ny, nz) ? 1 : -1;
}

/** On which side of polygon f the vertex in `now` is; 0 if it is beside it. */
export function sideOfPolygon({ planes, model }: Still, f: number): number {
  if (f < 0 || (now.kind !== POLYGON && now.gap > turn.touch)) return 0;
  if (model.sides === 'front') return 1;
  return planes[4 * f]! * now.nx + planes[4 * f + 1]! * now.ny + planes[4 * f + 2]! * now.nz < 0 ? -1 : 1;
}

/** Is the point at d from the edge of polygon f behind the other polygon there too? */
export function isBehindOther(
  still: Still,
  e: number,
  f: number,
  dx: number,
  dy: number,
  dz: number,
): boolean {
  const { model, planes } = still;
  const forward = model.edgePolygons[2 * e]!;
  const g = forward === f ? model.edgePolygons[2 * e + 1]! : forward;
  if (g < 0) return false;
  const h = planes[4 * g]! * dx + planes[4 * g + 1]! * dy + planes[4 * g + 2]! * dz;
  return turn.side * h < -turn.touch;
}

/** Is the point at d from the edge of polygon f (or of none) not nearer to the other polygons there? */
export function facesEdge(still: Still, e: number, f: number, dx: number, dy: number, dz: number): boolean {
  const { model, points, planes } = still;
  if (model.edgeKinds[e] === INTERNAL_EDGE) return false;
  const a = 3 * model.edges[2 * e]!;
  const b = 3 * model.edges[2 * e + 1]!;
  for (let side = 0; side < 2; side++) {
    const g = model.edgePolygons[2 * e + side]!;
    if (g < 0 || g === f) continue;
    const sense = side === 0 ? 1 : -1;
    const ux = sense * (points[b]! - points[a]!);
    const uy = sense * (points[b + 1]! - points[a + 1]!);
    const uz = sense * (points[b + 2]! - points[a + 2]!);
    const nx = planes[4 * g]!;
    const ny = planes[4 * g + 1]!;
    const nz = planes[4 * g + 2]!;
    const inward = dx * (ny * uz - nz * uy) + dy * (nz * ux - nx * uz) + dz * (nx * uy - ny * ux);
    if (!(inward <= turn.tolerance * Math.sqrt(ux * ux + uy * uy + uz * uz))) return false;
  }
  return true;
}

/** Is the point at d from a vertex not nearer to one of the edges there? */
export function facesVertex(still: Still, v: number, dx: number, dy: number, dz: number): boolean {
  const { model, points } = still;
  if (model.vertexTouches[v] === 0) return false;
  const { start, ring } = vertexRing(model);
  for (let i = start[v]!; i < start[v + 1]!; i++) {
    const w = 3 * ring[i]!;
    const ux = points[w]! - points[3 * v]!;
    const uy = points[w + 1]! - points[3 * v + 1]!;
    const uz = points[w + 2]! - points[3 * v + 2]!;
    const along = dx * ux + dy * uy + dz * uz;
    if (along > 0 && along > turn.tolerance * Math.sqrt(ux * ux + uy * uy + uz * uz)) return false;
  }
  return true;
}
