/** A point that moves: traces and lines of sight through a model. van Waveren 2005, §6. */
import { checkPoint, checkPose, mustBeOptions, mustHave, mustNotBeNegative } from '../math/check.ts';
import type { ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { extentOf, LEAST_THICKNESS, THICKNESS } from './model.ts';
import { makeTracer, walkModel, way } from './trace-walk.ts';
import type { PolyhedralModel } from './types.ts';

/** Where a moving point stops. */
export interface TraceHit {
  /** How much of the translation is done when the point stops. */
  t: number;
  /** The same where the line meets the polygon: at or after `t`. */
  surfaceT: number;
  /** Where the point stops. */
  point: Vec3;
  /** Unit normal of the polygon's plane, towards the side that the point comes from. */
  normal: Vec3;
  polygon: number;
  /** The number that the maker of the model knows the polygon by. */
  source: number;
}

export const makeTraceHit = (): TraceHit => ({
  t: 0,
  surfaceT: 0,
  point: vec3(),
  normal: vec3(),
  polygon: -1,
  source: -1,
});

export interface TraceOptions {
  /**
   * How far from the plane of the polygon the point stops; 0 for a line of sight. A millionth of the diagonal of the
   * model unless told otherwise, and no less than 2^-40 of the largest coordinate.
   */
  readonly thickness?: number;
  /** Only so much of the translation is looked at: 1, all of it, unless told otherwise. */
  readonly maxT?: number;
}

/**
 * The first polygon of a model at a pose that a point pierces on its straight way from `origin` by `translation`, ends
 * included; or null. Whether it does is decided exactly in the space of the model: nothing slips through where polygons
 * share an edge or a vertex. Polygons seen from behind count for models that are touched on both sides. A way in the
 * plane of a polygon misses that one, and its neighbours report it. Of polygons pierced at the same time, any.
 *
 * The point stops where it comes within `thickness` of the plane of that polygon, and at once if it starts there. It
 * may end nearer to a polygon that it does not reach, and pass nearer to an edge: `sweepPolyhedra` with the model of a
 * point keeps its distance from everything. About O(log n).
 */
export function traceModel(
  target: PolyhedralModel,
  at: ReadonlyPose,
  origin: ReadonlyVec3,
  translation: ReadonlyVec3,
  options?: TraceOptions | null,
  out?: TraceHit,
): TraceHit | null {
  if (options !== undefined && options !== null)
    mustBeOptions('traceModel', 'options', options, 'thickness maxT');
  mustHave('traceModel', 'target', target, 'a polyhedral model', 'points');
  checkPose('traceModel', 'at', at);
  checkPoint('traceModel', 'origin', origin);
  checkPoint('traceModel', 'translation', translation);
  load(at, origin, translation);
  const { direction: d } = way;
  way.tMax = 1;
  own.thickness = -1;
  if (options) readOptions(options);
  if (target.sources.length === 0) return null;
  if (target.tracer.axes === null) makeTracer(target);
  const polygon = walkModel(target);
  if (polygon < 0) return null;
  const hit = out ?? makeTraceHit();
  const { planes } = target;
  const nx = planes[4 * polygon]!;
  const ny = planes[4 * polygon + 1]!;
  const nz = planes[4 * polygon + 2]!;
  const slope = nx * d.x + ny * d.y + nz * d.z;
  const toSide = slope > 0 ? -1 : 1;
  const e = own.thickness < 0 ? traceThickness(target) : own.thickness;
  const t = way.t - e / Math.abs(slope);
  hit.surfaceT = way.t;
  // biome-ignore lint/complexity/useMathMinMax: 0 also where it is not a number, for a point that does not move
  hit.t = t > 0 ? t : 0;
  // Before the normal, which may be an input too.
  v3.addScaled(origin, translation, hit.t, hit.point);
  hit.normal.x = toSide * nx + 0; // no -0
  hit.normal.y = toSide * ny + 0;
  hit.normal.z = toSide * nz + 0;
  v3.rotate(hit.normal, at.quaternion, hit.normal);
  hit.polygon = polygon;
  hit.source = target.sources[polygon]!;
  return hit;
}

/** A thickness below 0 is none. Always a double. */
const own = { thickness: 0.5 };

/** Straight into the records: a number that may be undefined is boxed. */
function readOptions(options: TraceOptions): void {
  if (options.maxT !== undefined) {
    way.tMax = options.maxT;
    if (!(typeof options.maxT === 'number' && way.tMax >= 0))
      mustNotBeNegative('traceModel', 'options.maxT', options.maxT);
  }
  if (options.thickness !== undefined) {
    own.thickness = options.thickness;
    if (!(typeof options.thickness === 'number' && own.thickness >= 0 && own.thickness < Infinity))
      mustNotBeNegative('traceModel', 'options.thickness', options.thickness);
  }
}

function load(at: ReadonlyPose, origin: ReadonlyVec3, translation: ReadonlyVec3): void {
  v3.sub(origin, at.position, way.origin);
  v3.rotateInverse(way.origin, at.quaternion, way.origin);
  v3.rotateInverse(translation, at.quaternion, way.direction);
}

function traceThickness(target: PolyhedralModel): number {
  const { low, high } = target;
  const { origin: o, direction: d } = way;
  const largest = Math.max(
    Math.abs(low.x),
    Math.abs(low.y),
    Math.abs(low.z),
    Math.abs(high.x),
    Math.abs(high.y),
    Math.abs(high.z),
    Math.abs(o.x) + Math.abs(d.x),
    Math.abs(o.y) + Math.abs(d.y),
    Math.abs(o.z) + Math.abs(d.z),
  );
  return Math.max(THICKNESS * extentOf(target), LEAST_THICKNESS * largest);
}
