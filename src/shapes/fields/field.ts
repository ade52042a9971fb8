/** Shapes that are known by a bound of the distance from them. */
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { ReadonlyAabb } from '../../primitives/types.ts';
import type { FieldShape, Shape } from '../shape.ts';

export const isField = (shape: Shape): shape is FieldShape => 'bound' in shape;

/** How far a point is outside of a box; negative inside. */
export function boxDistance({ min, max }: ReadonlyAabb, { x, y, z }: ReadonlyVec3): number {
  const dx = Math.max(min.x - x, x - max.x);
  const dy = Math.max(min.y - y, y - max.y);
  const dz = Math.max(min.z - z, z - max.z);
  if (dx <= 0 && dy <= 0 && dz <= 0) return Math.max(dx, dy, dz);
  const ox = Math.max(0, dx);
  const oy = Math.max(0, dy);
  const oz = Math.max(0, dz);
  return Math.sqrt(ox * ox + oy * oy + oz * oz);
}

/** The longest side. */
export const sizeOfBox = ({ min, max }: ReadonlyAabb): number =>
  Math.max(max.x - min.x, max.y - min.y, max.z - min.z);

/** From half of the side of a cube to its radius, rounded up. */
export const CUBE_RADIUS = 1.7320508075688774;
