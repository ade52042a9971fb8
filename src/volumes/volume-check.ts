/** The checks at the door of this room, one per record, after `src/math/check.ts`. */
import { mustBeFinite, refuse } from '../math/check.ts';
import type { ReadonlyPlane, ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyAabb, ReadonlySphere } from '../primitives/types.ts';

/** @internal */
export function mustBePoint(caller: string, name: string, p: ReadonlyVec3): void {
  if ((p.x + p.y + p.z) * 0 !== 0) mustBeFinite(caller, { [name]: p });
}

/** @internal */
export function mustBeAabb(caller: string, name: string, box: ReadonlyAabb): void {
  const { x: ax, y: ay, z: az } = box.min;
  const { x: bx, y: by, z: bz } = box.max;
  if ((ax + ay + az + (bx + by + bz)) * 0 !== 0) mustBeFinite(caller, { [name]: box });
  if (!(ax <= bx && ay <= by && az <= bz)) refuse(caller, name, 'must have min <= max on every axis');
}

/** @internal */
export function mustBeSphere(caller: string, name: string, sphere: ReadonlySphere): void {
  const { center: c, radius } = sphere;
  if ((c.x + c.y + c.z + radius) * 0 !== 0) mustBeFinite(caller, { [name]: sphere });
  if (!(radius >= 0)) refuse(caller, `${name}.radius`, `must not be negative, got ${radius}`);
}

/** @internal */
export function mustBePose(caller: string, name: string, pose: ReadonlyPose): void {
  const { position: p, quaternion: q } = pose;
  if ((p.x + p.y + p.z + (q.x + q.y + q.z + q.w)) * 0 !== 0) mustBeFinite(caller, { [name]: pose });
}

/** @internal */
export function mustBePlane(caller: string, name: string, plane: ReadonlyPlane): void {
  const { normal: n, d } = plane;
  if ((n.x + n.y + n.z + d) * 0 !== 0) mustBeFinite(caller, { [name]: plane });
}
