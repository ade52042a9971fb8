/** What every query asks of its bodies: a shape, and a pose of finite numbers with a rotation. */
import { mustBeDistance, mustBeOptions } from '../math/check.ts';
import { isPlainPose, isShape, mustBeWorldPose, refuseShape } from '../shapes/check.ts';
import { type Body, shapeOf } from './body.ts';

/** @internal */
export function mustBeBody(caller: string, name: string, body: Body): void {
  mustBeShaped(caller, name, body);
  if (!('shape' in body) || isPlainPose(body.pose)) return;
  mustBeWorldPose(caller, `${name}.pose`, body.pose);
}

/** @internal */
export function mustBeBodies(caller: string, a: Body, b: Body): void {
  mustBeBody(caller, 'a', a);
  mustBeBody(caller, 'b', b);
}

/** Is it a shape, or a shape with a pose? What is wrong with the pose is found elsewhere. @internal */
export function mustBeShaped(caller: string, name: string, body: Body): void {
  if (typeof body !== 'object' || body === null || !isShape(shapeOf(body)))
    refuseShape(caller, name, 'a shape or a collider', body);
}

/**
 * The options of a query have no fields but those in `known`. Nearly all have some of these: to compare a few words that V8 knows
 * takes a fraction of the time of `mustBeOptions`. @internal
 */
export function mustBeKnownOptions(caller: string, options: object, known: readonly string[]): void {
  if (!areKnown(options, known)) mustBeOptions(caller, 'options', options, known.join(' '));
}

/** Does a record have fields, and none but known ones? */
function areKnown(options: object, known: readonly string[]): boolean {
  let isKnown = false;
  for (const key in options) {
    isKnown = false;
    for (let i = 0; i < known.length; i++) if (key === known[i]) isKnown = true;
    if (!isKnown) return false;
  }
  return isKnown;
}

/** Sets the limit of a query to `options.maxDistance`, if there is one. A call of the check would box the number. @internal */
export function readLimit(
  caller: string,
  options: { readonly maxDistance?: number | undefined } | undefined,
  context: { limit: number },
): void {
  context.limit = Infinity;
  if (options === undefined || options.maxDistance === undefined) return;
  const { maxDistance } = options;
  if (!(typeof maxDistance === 'number' && maxDistance >= 0))
    mustBeDistance(caller, 'options.maxDistance', maxDistance);
  context.limit = maxDistance;
}
