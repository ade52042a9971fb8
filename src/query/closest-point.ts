/** The point of a body closest to a point. */
import { checkPoint } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { copyPoint, pointToBody, pointToWorld } from '../shapes/body-space.ts';
import { closestPointShape } from '../shapes/one-body/any-shape.ts';
import { type BodyContext, releaseBody, takeBody } from '../shapes/one-body/body-context.ts';
import { type ClosestPoint, makeClosestPoint } from '../shapes/results.ts';
import type { Shape } from '../shapes/shape.ts';
import type { Body } from './body.ts';
import { mustBeBody, mustBeKnownOptions, readLimit } from './check.ts';
import { readBody } from './read-body.ts';

export interface ClosestPointOptions {
  /** What is farther away gives null. Default: Infinity. */
  readonly maxDistance?: number | undefined;
  /** The record to be filled. Default: a new one. */
  readonly out?: ClosestPoint | undefined;
}

/**
 * The point of a body closest to a point, or null if it is farther away than `maxDistance`. A point in a solid, or as near to a body as rounding can tell (8 ulps of the
 * coordinates), is its own closest point, at distance 0. Triangles, polygons, meshes and height fields are surfaces,
 * and have nothing inside: `signedDistance` says on which side of a mesh it is. Where several points are as near, it is
 * one of them. O(1) for simple shapes; O(n) for polygons and up to that for hulls of n corners; about O(log n) for meshes,
 * height fields and compounds.
 */
export function closestPoint(
  point: ReadonlyVec3,
  body: Body,
  options?: ClosestPointOptions & { readonly maxDistance?: undefined },
): ClosestPoint;
export function closestPoint(
  point: ReadonlyVec3,
  body: Body,
  options: ClosestPointOptions,
): ClosestPoint | null;
export function closestPoint(
  point: ReadonlyVec3,
  body: Body,
  options?: ClosestPointOptions,
): ClosestPoint | null {
  checkPoint('closestPoint', 'point', point);
  mustBeBody('closestPoint', 'body', body);
  const context = takeBody();
  try {
    let out: ClosestPoint | undefined;
    if (options !== undefined) {
      mustBeKnownOptions('closestPoint', options, OPTIONS);
      out = options.out;
    }
    readLimit('closestPoint', options, context);
    return find(point, body, context, out);
  } finally {
    releaseBody();
  }
}

const OPTIONS = ['maxDistance', 'out'];

function find(
  point: ReadonlyVec3,
  body: Body,
  context: BodyContext,
  out: ClosestPoint | undefined,
): ClosestPoint | null {
  const shape = readBody(body, point, context);
  if (!findClosest(shape, context)) return null;
  const { found } = context;
  const to = out ?? makeClosestPoint();
  copyPoint(found.point, to.point);
  to.distance = found.distance;
  to.part.child = found.child;
  to.part.triangle = found.triangle;
  return to;
}

/** Fills `context.found` with the point of a shape closest to `context.asked.origin`, in world space. @internal */
export function findClosest(shape: Shape, context: BodyContext): boolean {
  const { found, asked, pose, within } = context;
  context.limit += within;
  if (!closestPointShape(shape, pointToBody(pose, asked.origin, context.ray.origin), context)) return false;
  if (found.distance <= within) {
    found.distance = 0;
    copyPoint(asked.origin, found.point);
  } else pointToWorld(pose, found.point, found.point);
  return true;
}
