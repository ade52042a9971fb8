/** When a turning vertex, as last measured, comes to a plane or leaves it. */
import { firstTop, firstZero, turnOn } from './half-angle.ts';
import { VERTEX } from './job.ts';
import { arc, now, type Still, turn } from './rotate-state.ts';

/** When the vertex, which is behind polygon f, comes to its plane. */
export function comesRound({ planes, points, model }: Still, f: number): number {
  const px = planes[4 * f]!;
  const py = planes[4 * f + 1]!;
  const pz = planes[4 * f + 2]!;
  const a = 3 * model.polygonVertices[model.polygonStart[f]!]!;
  const h = px * (now.x - points[a]!) + py * (now.y - points[a + 1]!) + pz * (now.z - points[a + 2]!);
  if (!(h < -1.5 * turn.touch)) return now.r;
  const { kx, ky, kz } = turn;
  const x = now.x - turn.ox;
  const y = now.y - turn.oy;
  const z = now.z - turn.oz;
  const rise = px * (ky * z - kz * y) + py * (kz * x - kx * z) + pz * (kx * y - ky * x);
  const bend = px * x + py * y + pz * z - (kx * x + ky * y + kz * z) * (px * kx + py * ky + pz * kz);
  return turnOn(now.r, firstZero(-h - turn.touch, -rise, -bend));
}

/**
 * Up to when the vertex is farther than `level` (which is less than `now.gap`): a plane keeps the polygon on its far side,
 * and the vertex does not come to within `level` of that before.
 */
export function vertexStaysAbove(still: Still, f: number, level: number): number {
  const x = now.x - turn.ox;
  const y = now.y - turn.oy;
  const z = now.z - turn.oz;
  const along = turn.kx * x + turn.ky * y + turn.kz * z;
  const nAxis = now.nx * turn.kx + now.ny * turn.ky + now.nz * turn.kz;
  const bend = now.nx * x + now.ny * y + now.nz * z - along * nAxis;
  let r = (now.gap - level) / (2 * arc.reach);
  if (now.clear > level) r = Math.max(r, firstZero(now.clear - level, now.rate, bend));
  // The distance from a convex thing grows at least as the way along the direction from it, which is known as well as the
  // gap is long.
  else if (now.gap > turn.touch) {
    const lean = ((4 * turn.tolerance) / now.gap) * arc.reach;
    r = Math.max(r, firstZero(now.gap - level, now.rate - lean, bend + lean));
  }
  if (now.kind === VERTEX && level > turn.touch) r = Math.max(r, staysAtVertex(still, f, level));
  return turnOn(now.r, r);
}

const otherEnd = (edges: Int32Array, e: number, v: number): number =>
  edges[2 * e] === v ? edges[2 * e + 1]! : edges[2 * e]!;

/**
 * The same for one that is nearest to a vertex of the polygon (or that stands alone), such as what turns about it: as long as
 * it is, the distance from the vertex counts.
 */
function staysAtVertex({ model, points }: Still, f: number, level: number): number {
  const { kx, ky, kz } = turn;
  const x = now.x - turn.ox;
  const y = now.y - turn.oy;
  const z = now.z - turn.oz;
  const along = kx * x + ky * y + kz * z;
  const cx = ky * z - kz * y;
  const cy = kz * x - kx * z;
  const cz = kx * y - ky * x;
  const ux = x - along * kx;
  const uy = y - along * ky;
  const uz = z - along * kz;
  const dx = now.x - now.qx;
  const dy = now.y - now.qy;
  const dz = now.z - now.qz;
  const reach = ux * ux + uy * uy + uz * uz;
  let r = firstZero(
    (now.gap - level) * (now.gap + level),
    2 * (dx * cx + dy * cy + dz * cz),
    2 * (dx * ux + dy * uy + dz * uz - reach),
  );
  if (f < 0 && model.sources.length === 0) return r;
  const { polygonStart, polygonVertices, edges } = model;
  const first = f < 0 ? 0 : polygonStart[f]!;
  const count = f < 0 ? 2 : polygonStart[f + 1]! - first;
  let at = 0;
  if (f >= 0) while (polygonVertices[first + at] !== now.feature) at++;
  for (let step = 1; step < count; step += Math.max(1, count - 2)) {
    // Behind the end of the side to the next corner, and of that to the one before; or of the edge.
    const v = 3 * now.feature;
    const w =
      3 * (f < 0 ? otherEnd(edges, ~f, now.feature) : polygonVertices[first + ((at + step) % count)]!);
    const sx = points[v]! - points[w]!;
    const sy = points[v + 1]! - points[w + 1]!;
    const sz = points[v + 2]! - points[w + 2]!;
    const behind =
      dx * sx + dy * sy + dz * sz - 2 * turn.tolerance * (Math.abs(sx) + Math.abs(sy) + Math.abs(sz));
    if (!(behind > 0)) return 0;
    r = Math.min(r, firstZero(behind, cx * sx + cy * sy + cz * sz, ux * sx + uy * sy + uz * sz));
  }
  return r;
}

/**
 * The zero-gap time: when the vertex as last measured meets the plane of polygon f. van Waveren 2005, §2.4. Infinity from
 * the back of what is touched from the front only.
 */
export function planeMeets({ planes, model }: Still, f: number): number {
  if (f < 0) return Number.POSITIVE_INFINITY;
  const px = planes[4 * f]!;
  const py = planes[4 * f + 1]!;
  const pz = planes[4 * f + 2]!;
  const h = px * (now.x - now.qx) + py * (now.y - now.qy) + pz * (now.z - now.qz);
  if (h < 0 && model.sides === 'front') return Number.POSITIVE_INFINITY;
  const side = h < 0 ? -1 : 1;
  const { kx, ky, kz } = turn;
  const x = now.x - turn.ox;
  const y = now.y - turn.oy;
  const z = now.z - turn.oz;
  const rise = px * (ky * z - kz * y) + py * (kz * x - kx * z) + pz * (kx * y - ky * x);
  const bend = px * x + py * y + pz * z - (kx * x + ky * y + kz * z) * (px * kx + py * ky + pz * kz);
  return turnOn(now.r, firstZero(side * h, side * rise, side * bend));
}

/** The next time to look at a vertex that is moving outward: it has left the zone then, or is at the top of its way. */
export function vertexRises(level: number): number {
  const x = now.x - turn.ox;
  const y = now.y - turn.oy;
  const z = now.z - turn.oz;
  const along = turn.kx * x + turn.ky * y + turn.kz * z;
  const nAxis = now.nx * turn.kx + now.ny * turn.ky + now.nz * turn.kz;
  const bend = now.nx * x + now.ny * y + now.nz * z - along * nAxis;
  const leaves = level > now.gap ? firstZero(level - now.gap, -now.rate, -bend) : 0;
  const top = now.rate > 0.25 * turn.slack ? firstTop(now.rate, bend) : Number.POSITIVE_INFINITY;
  return turnOn(now.r, Math.min(leaves, top));
}
