/** Directions out of an edge: in which of them it is the nearest part of its surface. */
import type { Still } from './rotate-state.ts';

const D = 0.5;

/** How far a direction leans over the faces at an edge: the larger of both, or 0. */
const lean = { most: D };

function leanOver({ model, points, planes }: Still, e: number, nx: number, ny: number, nz: number): void {
  const a = 3 * model.edges[2 * e]!;
  const b = 3 * model.edges[2 * e + 1]!;
  const ux = points[b]! - points[a]!;
  const uy = points[b + 1]! - points[a + 1]!;
  const uz = points[b + 2]! - points[a + 2]!;
  const length = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const cx = uy * nz - uz * ny;
  const cy = uz * nx - ux * nz;
  const cz = ux * ny - uy * nx;
  lean.most = 0;
  for (let side = 0; side < 2; side++) {
    const g = model.edgePolygons[2 * e + side]!;
    if (g < 0) continue;
    // n · (normal × u) = normal · (u × n); the second face runs backwards.
    const over = (planes[4 * g]! * cx + planes[4 * g + 1]! * cy + planes[4 * g + 2]! * cz) / length;
    lean.most = Math.max(lean.most, side === 0 ? over : -over);
  }
}

/** Is the edge the nearest of its surface to what lies in direction n from it? */
export function isInCone(
  body: Still,
  e: number,
  nx: number,
  ny: number,
  nz: number,
  tolerance: number,
): boolean {
  leanOver(body, e, nx, ny, nz);
  return lean.most <= tolerance;
}
