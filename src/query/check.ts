/** What every query asks of its bodies: a shape, and a pose of finite numbers with a rotation. */
import { mustBeFinite, refuse } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyRay } from '../primitives/types.ts';
import { type Body, poseOf, shapeOf } from './body.ts';

/** @internal */
export function mustBeBody(caller: string, name: string, body: Body): void {
  mustBeShaped(caller, name, body);
  const { position: p, quaternion: q } = poseOf(body);
  const lengthSq = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  if ((p.x + p.y + p.z + lengthSq) * 0 !== 0) {
    mustBeFinite(caller, { [name]: { position: p, quaternion: q } });
    refuse(caller, name, 'must have a quaternion of ordinary length');
  }
  if (!(lengthSq > 0)) refuse(caller, name, 'must have a quaternion that is not zero');
}

/** @internal */
export function mustBeBodies(caller: string, a: Body, b: Body): void {
  mustBeBody(caller, 'a', a);
  mustBeBody(caller, 'b', b);
}

/** Is it a shape, or a shape with a pose? What is wrong with the numbers of the pose is found elsewhere. @internal */
export function mustBeShaped(caller: string, name: string, body: Body): void {
  if (typeof body !== 'object' || body === null || typeof shapeOf(body)?.kind !== 'string')
    throw new TypeError(`graze: ${caller}: ${name} must be a shape or a collider, got ${String(body)}`);
  const { position, quaternion } = poseOf(body) ?? {};
  if (typeof position !== 'object' || typeof quaternion !== 'object')
    throw new TypeError(`graze: ${caller}: ${name}.pose must have a position and a quaternion`);
}

/** @internal */
export function mustHaveDirection(caller: string, ray: ReadonlyRay): void {
  if (typeof ray?.origin !== 'object' || typeof ray.direction !== 'object')
    throw new TypeError(`graze: ${caller}: ray must have an origin and a direction, got ${String(ray)}`);
}

/** @internal */
export function mustBePlace(caller: string, name: string, p: ReadonlyVec3): void {
  if (typeof p !== 'object' || p === null)
    throw new TypeError(`graze: ${caller}: ${name} must be a point {x, y, z}, got ${String(p)}`);
  if ((p.x + p.y + p.z) * 0 !== 0) mustBeFinite(caller, { [name]: p });
}
