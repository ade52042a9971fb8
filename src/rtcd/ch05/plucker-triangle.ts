/**
 * A line against a triangle in Plücker coordinates. RTCD §5.3.4.
 *
 * For one line and many triangles, when no time is asked for. Production uses `primitives/ray/line-triangle.ts`, whose
 * decisions are exact.
 */
import type { Barycentric } from '../../math/barycentric.ts';
import { makeBarycentric } from '../../math/barycentric.ts';
import { checkPoint, mustHave } from '../../math/check.ts';
import type { ReadonlyPlucker } from '../../math/line.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { checkTriangle } from '../../primitives/input.ts';

/**
 * Where a directed line in Plücker coordinates (`pluckerFromPoints`) pierces the triangle abc, from either side, as
 * barycentric coordinates; null when it does not, or lies in the plane. Worth it for one line and many triangles, when
 * no time is asked for.
 *
 * An edge has the same value, bit for bit and apart from the sign, for both triangles that share it, so there are no
 * cracks along edges. But the signs are rounded, the more so the farther from the origin of coordinates: `lineTriangle`
 * decides exactly. RTCD §5.3.4.
 */
export function pluckerTriangle(
  line: ReadonlyPlucker,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out?: Barycentric,
): Barycentric | null {
  mustHave('pluckerTriangle', 'line', line, 'a line {direction, moment}', 'direction');
  checkPoint('pluckerTriangle', 'line.direction', line.direction);
  checkPoint('pluckerTriangle', 'line.moment', line.moment);
  checkTriangle('pluckerTriangle', a, b, c);
  const u = side(line, b, c);
  const v = side(line, c, a);
  const w = side(line, a, b);
  const total = u + v + w;
  if (total === 0 || !((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0))) return null;
  const result = out ?? makeBarycentric();
  result.u = u / total;
  result.v = v / total;
  result.w = w / total;
  return result;
}

/** The permuted inner product of the line and the edge from p to q: exactly negated when p and q change places. */
function side(line: ReadonlyPlucker, p: ReadonlyVec3, q: ReadonlyVec3): number {
  const { x: px, y: py, z: pz } = p;
  const { x: qx, y: qy, z: qz } = q;
  const { direction: d, moment: m } = line;
  return (
    d.x * (py * qz - pz * qy) +
    d.y * (pz * qx - px * qz) +
    d.z * (px * qy - py * qx) +
    (m.x * (qx - px) + m.y * (qy - py) + m.z * (qz - pz))
  );
}
