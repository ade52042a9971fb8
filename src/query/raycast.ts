/** Where a ray hits a body. */
import { checkRay, describe, mustBeBoolean, mustBeList, refuse } from '../math/check.ts';
import { startInside } from '../primitives/ray/hit.ts';
import type { ReadonlyRay } from '../primitives/types.ts';
import { copyPoint, normalToWorld, pointToWorld, rayToBody } from '../shapes/body-space.ts';
import { raycastShape } from '../shapes/one-body/any-shape.ts';
import {
  ALL,
  ANY,
  type BACK,
  BOTH_SIDES,
  type BodyContext,
  FIRST,
  type Found,
  type FRONT,
  releaseBody,
  takeBody,
} from '../shapes/one-body/body-context.ts';
import { type CastHit, makeCastHit } from '../shapes/results.ts';
import type { Body } from './body.ts';
import { mustBeBody, mustBeKnownOptions, readLimit } from './check.ts';
import { readBody } from './read-body.ts';

export interface RaycastOptions {
  /** What counts as a hit: the first, any (faster, as for lines of sight), or all. Default: 'first'. */
  readonly mode?: 'first' | 'any' | 'all' | undefined;
  /** How far along the ray to look, in lengths of its direction, that far included. Default: Infinity. */
  readonly maxDistance?: number | undefined;
  /**
   * Does a ray that starts in a solid hit it at t = 0? If not, only surfaces are hit, those of solids from inside, too.
   * Default: true.
   */
  readonly solid?: boolean | undefined;
  /** The sides of surfaces that are hit: where the ray goes in ('front'), where it comes out ('back'), or both. Default: 'both'. */
  readonly side?: 'both' | 'front' | 'back' | undefined;
  /** The record to be filled, of `mode: 'all'` the list. Default: a new one. */
  readonly out?: CastHit | CastHit[] | undefined;
}

/**
 * Where does a ray first hit a body, at some t in lengths of its direction? Null if nowhere. With `mode: 'any'`, does it hit at
 * all? With `mode: 'all'`, all hits in order: of a mesh those of each triangle, of other solids where the ray goes in (with
 * `solid: false` also where it comes out), of a compound those of each child.
 *
 * The rules are the same for all shapes. A ray that starts in a body, or on it as far as rounding can tell, hits at
 * t = 0: the point is the origin, and the normal is opposite to the direction. A direction of zero is a point: it hits
 * what it is in, with normal 0. What has no inside (triangles and polygons without rounding, height fields, meshes with holes)
 * is hit from both sides, and the normal looks to where the ray comes from. A mesh without holes is a solid, as it is to
 * `intersects` and `cast`; `solid: false` takes it for a surface, as `rayMesh` does. What that says of rays in the plane of a
 * triangle holds. Points and segments without rounding, and what else has no thickness, are hit by rays that pass within
 * rounding of them, 8 ulps of the coordinates; the normal is then against the direction.
 *
 * Never late: t is not after the first touch but for rounding. It is early by rounding, too: a few ulps of the
 * coordinates, over the sine of the angle at which the ray meets the surface.
 *
 * O(1) for simple shapes, a few steps of some dozen operations for rounded ones, O(n) for hulls and polygons of n faces
 * or edges, about O(log n) for meshes, height fields and compounds, whose nearest child is asked first; O(n log n) for the
 * first ray that starts in the box of a mesh, which has to be looked over for holes.
 */
export function raycast(
  ray: ReadonlyRay,
  body: Body,
  options?: RaycastOptions & { readonly mode?: 'first' | undefined },
): CastHit | null;
export function raycast(
  ray: ReadonlyRay,
  body: Body,
  options: RaycastOptions & { readonly mode: 'any' },
): boolean;
export function raycast(
  ray: ReadonlyRay,
  body: Body,
  options: RaycastOptions & { readonly mode: 'all' },
): CastHit[];
export function raycast(
  ray: ReadonlyRay,
  body: Body,
  options?: RaycastOptions,
): CastHit | CastHit[] | boolean | null {
  checkRay('raycast', 'ray', ray);
  mustBeBody('raycast', 'body', body);
  const context = takeBody();
  try {
    const out = readOptions(options, context);
    const hits = castRay(ray, body, context);
    if (context.mode === ANY) return hits;
    if (context.mode === ALL) return writeAll(context, (out as CastHit[] | undefined) ?? []);
    return hits ? writeHit(context.found, context, (out as CastHit | undefined) ?? makeCastHit()) : null;
  } finally {
    releaseBody();
  }
}

/** Whether solids count as such, and which sides of surfaces are hit. @internal */
export type RaySides = Pick<BodyContext, 'solid' | 'side'>;

/** What the options `solid` and `side` say. @internal */
export function readSides(
  caller: string,
  { solid, side }: Pick<RaycastOptions, 'solid' | 'side'>,
  out: RaySides,
): void {
  out.solid = true;
  out.side = BOTH_SIDES;
  if (side !== undefined)
    out.side = numberOf(caller, 'side', side, SIDES) as typeof BOTH_SIDES | typeof FRONT | typeof BACK;
  if (solid === undefined) return;
  mustBeBoolean(caller, 'options.solid', solid);
  out.solid = solid;
}

/**
 * `raycast` for the first hit, or without `out` for any, for callers that have made sure of their ray and numbers.
 *
 * @internal
 */
export function raycastWithin(
  ray: ReadonlyRay,
  body: Body,
  maxDistance: number,
  sides: RaySides,
  out: CastHit | null,
): boolean {
  const context = takeBody();
  try {
    resetOptions(context);
    context.solid = sides.solid;
    context.side = sides.side;
    context.limit = maxDistance;
    if (out === null) context.mode = ANY;
    if (!castRay(ray, body, context)) return false;
    if (out !== null) writeHit(context.found, context, out);
    return true;
  } finally {
    releaseBody();
  }
}

/** The first hit, from wherever. @internal */
export function resetOptions(context: BodyContext): void {
  context.mode = FIRST;
  context.side = BOTH_SIDES;
  context.solid = true;
  context.limit = Infinity;
  // Only a query that threw leaves hits behind, and to set a length takes as long as all else here.
  if (context.all.length > 0) context.all.length = 0;
}

const OPTIONS = ['mode', 'maxDistance', 'solid', 'side', 'out'];
const MODES = ['first', 'any', 'all'];
const SIDES = ['both', 'front', 'back'];

function readOptions(options: RaycastOptions | undefined, context: BodyContext): RaycastOptions['out'] {
  resetOptions(context);
  if (options === undefined) return undefined;
  mustBeKnownOptions('raycast', options, OPTIONS);
  const { mode, out } = options;
  if (mode !== undefined)
    context.mode = numberOf('raycast', 'mode', mode, MODES) as typeof FIRST | typeof ANY | typeof ALL;
  readSides('raycast', options, context);
  readLimit('raycast', options, context);
  if (context.mode === ALL && out !== undefined) mustBeList('raycast', 'options.out', out);
  return out;
}

function numberOf(caller: string, name: string, value: string, names: readonly string[]): number {
  const number = names.indexOf(value);
  if (number < 0)
    refuse(caller, `options.${name}`, `must be one of '${names.join("', '")}', got ${describe(value)}`);
  return number;
}

/** Reads all of the body and the ray before anything is written: getters may ask, too. */
function castRay({ origin, direction }: ReadonlyRay, body: Body, context: BodyContext): boolean {
  const { x, y, z } = direction;
  const shape = readBody(body, origin, context);
  const { asked } = context;
  asked.direction.x = x;
  asked.direction.y = y;
  asked.direction.z = z;
  const ray = context.atOrigin ? asked : rayToBody(context.pose, asked, context.ray);
  return raycastShape(shape, ray, context);
}

/** What was found, in world space. @internal */
export function writeHit(found: Found, context: BodyContext, hit: CastHit): CastHit {
  const { asked, pose } = context;
  if (found.t === 0) startInside(asked, hit);
  else {
    hit.t = found.t;
    if (context.atOrigin) {
      copyPoint(found.point, hit.point);
      copyPoint(found.normal, hit.normal);
    } else {
      pointToWorld(pose, found.point, hit.point);
      normalToWorld(pose, found.normal, hit.normal);
    }
    hit.normal.x += 0; // no -0
    hit.normal.y += 0;
    hit.normal.z += 0;
  }
  hit.part.child = found.child;
  hit.part.triangle = found.triangle;
  hit.moverPart.child = -1;
  hit.moverPart.triangle = -1;
  return hit;
}

/** In order of time; of hits at the same time, by child and triangle. The records of the list are used again. */
function writeAll(context: BodyContext, list: CastHit[]): CastHit[] {
  const { all } = context;
  all.sort((a, b) => a.t - b.t || a.child - b.child || a.triangle - b.triangle);
  all.forEach((found, i) => {
    list[i] = writeHit(found, context, list[i] ?? makeCastHit());
  });
  list.length = all.length;
  all.length = 0;
  return list;
}
