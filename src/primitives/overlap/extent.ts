/**
 * How far shapes reach along a direction n, of any length: the least and the greatest n · x over their points x.
 * Every test against a plane or a halfspace compares these with d.
 * @internal
 */
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { ReadonlyAabb, ReadonlyCone, ReadonlyObb, ReadonlySphere } from '../types.ts';

const dot = (a: ReadonlyVec3, b: ReadonlyVec3): number => a.x * b.x + a.y * b.y + a.z * b.z;

export const lowestSphere = ({ center, radius }: ReadonlySphere, n: ReadonlyVec3): number =>
  dot(n, center) - radius * Math.sqrt(dot(n, n));
export const highestSphere = ({ center, radius }: ReadonlySphere, n: ReadonlyVec3): number =>
  dot(n, center) + radius * Math.sqrt(dot(n, n));

// From the corners and not from centre and half size: so it is n · x of a corner, to the last bit.
export const lowestAabb = ({ min, max }: ReadonlyAabb, n: ReadonlyVec3): number =>
  n.x * (n.x > 0 ? min.x : max.x) + n.y * (n.y > 0 ? min.y : max.y) + n.z * (n.z > 0 ? min.z : max.z);
export const highestAabb = ({ min, max }: ReadonlyAabb, n: ReadonlyVec3): number =>
  n.x * (n.x > 0 ? max.x : min.x) + n.y * (n.y > 0 ? max.y : min.y) + n.z * (n.z > 0 ? max.z : min.z);

export const lowestObb = (box: ReadonlyObb, n: ReadonlyVec3): number => dot(n, box.center) - reachObb(box, n);
export const highestObb = (box: ReadonlyObb, n: ReadonlyVec3): number =>
  dot(n, box.center) + reachObb(box, n);

function reachObb({ halfSize, rotation }: ReadonlyObb, { x, y, z }: ReadonlyVec3): number {
  const e = rotation.elements;
  return (
    halfSize.x * Math.abs(e[0]! * x + e[1]! * y + e[2]! * z) +
    halfSize.y * Math.abs(e[3]! * x + e[4]! * y + e[5]! * z) +
    halfSize.z * Math.abs(e[6]! * x + e[7]! * y + e[8]! * z)
  );
}

export const lowestCone = (cone: ReadonlyCone, n: ReadonlyVec3): number =>
  Math.min(dot(n, cone.tip), dot(n, cone.base) - reachDisc(cone, n));
export const highestCone = (cone: ReadonlyCone, n: ReadonlyVec3): number =>
  Math.max(dot(n, cone.tip), dot(n, cone.base) + reachDisc(cone, n));

/** The rim reaches out by the radius times the part of n across the axis, which is |n × axis| / |axis|. */
function reachDisc({ tip, base, radius }: ReadonlyCone, { x, y, z }: ReadonlyVec3): number {
  const ax = base.x - tip.x;
  const ay = base.y - tip.y;
  const az = base.z - tip.z;
  const axisSq = ax * ax + ay * ay + az * az;
  if (axisSq === 0) return radius * Math.sqrt(x * x + y * y + z * z);
  const cx = y * az - z * ay;
  const cy = z * ax - x * az;
  const cz = x * ay - y * ax;
  return radius * Math.sqrt((cx * cx + cy * cy + cz * cz) / axisSq);
}
