/**
 * What a convex shape brings along for rays and points: the algorithms of its form, in its own space. The factory of the shape
 * puts them there, so that a bundle has those of the shapes that it makes.
 */
import type { Frame } from '../../convex/frame.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import type { Hit, ReadonlyRay } from '../../primitives/types.ts';
import { FAMILY } from '../../trimesh/family-key.ts';
import type { ConvexShape } from '../shape.ts';
import type { BodyContext, CorePoint } from './body-context.ts';

export interface ConvexForm {
  /** Fills `out` with the first hit along the whole ray, which starts outside and has a direction; or returns null. */
  ray(shape: ConvexShape, ray: ReadonlyRay, context: BodyContext, out: Hit): Hit | null;
  /** As `nearestOnCore`. */
  nearest(shape: ConvexShape, p: ReadonlyVec3, context: BodyContext): CorePoint;
  /** Is p in the shape, or as near to it as rounding? */
  contains(shape: ConvexShape, p: ReadonlyVec3, context: BodyContext): boolean;
  /** How deep a point of the core lies in the core: its distance from the surface. 0 in a core without inside. */
  depth(shape: ConvexShape, p: ReadonlyVec3, context: BodyContext): number;
}

export const formOf = (shape: ConvexShape): ConvexForm => shape[FAMILY] as ConvexForm;

/**
 * Fills in `context.nearest`: the point of the core of `shape` nearest to p. The first query about another p must
 * `startNearest`: the next ones, about points along a line say, then go on from where the last one ended.
 */
export const nearestOnCore = (shape: ConvexShape, p: ReadonlyVec3, context: BodyContext): CorePoint =>
  formOf(shape).nearest(shape, p, context);

/** Forgets the last query: an answer must not depend on what was asked before. */
export function startNearest({ gjkState }: BodyContext): void {
  gjkState.count = 0;
}

/** The pose of a point in the space of the core. */
export function frameOfPoint({ x, y, z }: ReadonlyVec3, { pointFrame }: BodyContext): Frame {
  pointFrame.tx = x;
  pointFrame.ty = y;
  pointFrame.tz = z;
  return pointFrame;
}

/** Is p in the shape, or as near to it as rounding, by its distance? */
export function isInConvex(shape: ConvexShape, p: ReadonlyVec3, context: BodyContext): boolean {
  const { core } = shape;
  const { within } = context;
  const far = core.reach + within;
  if (Math.max(Math.abs(p.x), Math.abs(p.y), Math.abs(p.z)) > far) return false;
  startNearest(context);
  return nearestOnCore(shape, p, context).distance - core.radius <= within;
}

/** The nearest point was filled in: how far is it? */
export function measure(p: ReadonlyVec3, out: CorePoint): CorePoint {
  const x = p.x - out.x;
  const y = p.y - out.y;
  const z = p.z - out.z;
  out.distance = Math.sqrt(x * x + y * y + z * z);
  return out;
}

/** Has the core of this hull, triangle or polygon no inside? Then it is a fan of triangles. */
export const isFlat = (faces: ReadonlyPolyhedron | null): boolean =>
  faces === null || faces.faces.length === 2;
