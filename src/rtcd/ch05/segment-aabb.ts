/**
 * A segment against a box by separating axes. RTCD §5.3.3.
 *
 * For a yes or no without a division. Production uses `segmentAabb` (`primitives/ray/ray-aabb.ts`), which has the time
 * and the normal as well.
 */
import { checkAabb } from '../../math/check.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { checkSegment } from '../../primitives/input.ts';
import type { ReadonlyAabb } from '../../primitives/types.ts';

/**
 * Rounding error of a cross axis m.y d.z - m.z d.y, halved or not, in units of |m.y d.z| + |m.z d.y| and of the
 * radius that it is compared with: seven roundings and one more for the comparison.
 */
const ERROR = 8 * UNIT_ROUNDING;

/**
 * Do the segment from p to q and a solid box share a point? By separating axes: the three of the box and their cross
 * products with the segment; no division. A segment that passes an edge of the box at a distance of a few roundings
 * counts as touching. RTCD §5.3.3.
 */
export function overlapSegmentAabb(p: ReadonlyVec3, q: ReadonlyVec3, box: ReadonlyAabb): boolean {
  checkSegment('overlapSegmentAabb', p, q);
  checkAabb('overlapSegmentAabb', 'box', box);
  const { x: px, y: py, z: pz } = p;
  const { x: qx, y: qy, z: qz } = q;
  const { min, max } = box;
  // The axes of the box need no arithmetic.
  if ((px < min.x && qx < min.x) || (px > max.x && qx > max.x)) return false;
  if ((py < min.y && qy < min.y) || (py > max.y && qy > max.y)) return false;
  if ((pz < min.z && qz < min.z) || (pz > max.z && qz > max.z)) return false;
  // All twice: the size of the box, the segment, and the way from centre to centre.
  const hx = max.x - min.x;
  const hy = max.y - min.y;
  const hz = max.z - min.z;
  const dx = qx - px;
  const dy = qy - py;
  const dz = qz - pz;
  // In this order p and q may change places without changing a bit.
  const mx = 0.5 * (px - min.x + (qx - max.x) + (qx - min.x + (px - max.x)));
  const my = 0.5 * (py - min.y + (qy - max.y) + (qy - min.y + (py - max.y)));
  const mz = 0.5 * (pz - min.z + (qz - max.z) + (qz - min.z + (pz - max.z)));
  const ax = Math.abs(dx);
  const ay = Math.abs(dy);
  const az = Math.abs(dz);
  // The summands of m bound its rounding error, even where m itself cancels.
  const ex = ERROR * (Math.abs(px - min.x) + Math.abs(qx - max.x) + hx);
  const ey = ERROR * (Math.abs(py - min.y) + Math.abs(qy - max.y) + hy);
  const ez = ERROR * (Math.abs(pz - min.z) + Math.abs(qz - max.z) + hz);
  return (
    Math.abs(my * dz - mz * dy) <= hy * az + hz * ay + (ey * az + ez * ay) &&
    Math.abs(mz * dx - mx * dz) <= hz * ax + hx * az + (ez * ax + ex * az) &&
    Math.abs(mx * dy - my * dx) <= hx * ay + hy * ax + (ex * ay + ey * ax)
  );
}
