/** What every query asks of its bodies: a shape, and a pose of finite numbers with a rotation. */
import { mustBeFinite, refuse } from '../math/check.ts';
import { type Body, poseOf, shapeOf } from './body.ts';

/** @internal */
export function mustBeBody(caller: string, name: string, body: Body): void {
  if (typeof body !== 'object' || body === null || typeof shapeOf(body)?.kind !== 'string')
    throw new TypeError(`graze: ${caller}: ${name} must be a shape or a collider, got ${String(body)}`);
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
