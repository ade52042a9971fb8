/** A point that moves: traces and lines of sight through a model. van Waveren 2005, §6. */
import { checkPoint, checkPose, mustBeOptions, mustHave, mustNotBeNegative } from '../math/check.ts';
import { GRAZING, UNIT_ROUNDING } from '../math/tolerance.ts';
import type { ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { intersectLineTriangle, LineRange } from '../primitives/ray/line-triangle.ts';
import { makeTriangleHit } from '../primitives/types.ts';
import { MAX_DEPTH } from './model/axial-bsp.ts';
import { extentOf, LEAST_THICKNESS, THICKNESS } from './model/polyhedral-model.ts';
import type { ModelTracer, PolyhedralModel } from './types.ts';

/** What is looked for, in the space of the model, and what is found. Always doubles. */
class TraceRay {
  readonly origin = vec3(0.5, 0.5, 0.5);
  readonly direction = vec3(0.5, 0.5, 0.5);
  tMax = 0.5;
  /** A thickness below 0 is none. */
  thickness = 0.5;
  t = 0.5;
}

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
   * How far from the plane of the polygon the point stops; 0 for a line of sight. Default: a millionth of
   * the diagonal of the model, and no less than 2^-40 of the largest coordinate.
   */
  readonly thickness?: number;
  /** Only so much of the translation is looked at. Default: 1, all of it. */
  readonly maxT?: number;
}

/** No code of the caller runs between the reading of a ray and its answer, so one is enough. */
const ray = new TraceRay();

/**
 * The first polygon of a model at a pose that a point pierces on its straight path from `origin` by `translation`, ends
 * included; or null. Whether it does is decided exactly in the space of the model: nothing slips through where polygons
 * share an edge or a vertex. Polygons seen from behind count for models that are touched on both sides. A path in the
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
  setRay(ray, at, origin, translation);
  const { direction: d } = ray;
  ray.tMax = 1;
  ray.thickness = -1;
  if (options) readOptions(options, ray);
  if (target.sources.length === 0) return null;
  if (target.tracer.axes === null) makeTracer(target);
  const polygon = walkModel(target, ray);
  if (polygon < 0) return null;
  const hit = out ?? makeTraceHit();
  const { planes } = target;
  const nx = planes[4 * polygon]!;
  const ny = planes[4 * polygon + 1]!;
  const nz = planes[4 * polygon + 2]!;
  const slope = nx * d.x + ny * d.y + nz * d.z;
  const toSide = slope > 0 ? -1 : 1;
  const e = ray.thickness < 0 ? traceThickness(target, ray) : ray.thickness;
  const t = ray.t - e / Math.abs(slope);
  hit.surfaceT = ray.t;
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

/** Straight into the records: a number that may be undefined is boxed. */
function readOptions(options: TraceOptions, ray: TraceRay): void {
  if (options.maxT !== undefined) {
    ray.tMax = options.maxT;
    if (!(typeof options.maxT === 'number' && ray.tMax >= 0))
      mustNotBeNegative('traceModel', 'options.maxT', options.maxT);
  }
  if (options.thickness !== undefined) {
    ray.thickness = options.thickness;
    if (!(typeof options.thickness === 'number' && ray.thickness >= 0 && ray.thickness < Infinity))
      mustNotBeNegative('traceModel', 'options.thickness', options.thickness);
  }
}

function setRay(ray: TraceRay, at: ReadonlyPose, origin: ReadonlyVec3, translation: ReadonlyVec3): void {
  v3.sub(origin, at.position, ray.origin);
  v3.rotateInverse(ray.origin, at.quaternion, ray.origin);
  v3.rotateInverse(translation, at.quaternion, ray.direction);
}

function traceThickness(target: PolyhedralModel, ray: TraceRay): number {
  const { low, high } = target;
  const { origin: o, direction: d } = ray;
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

// ---- The walk of a ray through the tree, front to back ------------------------------------------------------------------

/**
 * What makes a search fast: for each polygon the axis that it faces most; and for each side its line seen along that
 * axis, as the distance x u + y v + c of a point (u, v) from it, positive inside.
 */
function makeTracer(model: PolyhedralModel): ModelTracer {
  const { points, polygonStart, polygonVertices, planes, tracer } = model;
  const axes = new Uint8Array(model.sources.length);
  const lines = new Float64Array(3 * polygonVertices.length);
  for (let f = 0; f < axes.length; f++) {
    const nx = Math.abs(planes[4 * f]!);
    const ny = Math.abs(planes[4 * f + 1]!);
    const nz = Math.abs(planes[4 * f + 2]!);
    const axis = nx >= ny && nx >= nz ? 0 : ny >= nz ? 1 : 2;
    axes[f] = axis;
    const flip = planes[4 * f + axis]! > 0 ? 1 : -1;
    const start = polygonStart[f]!;
    const stop = polygonStart[f + 1]!;
    for (let k = start; k < stop; k++) {
      const p = 3 * polygonVertices[k]!;
      const q = 3 * polygonVertices[k + 1 < stop ? k + 1 : start]!;
      const pu = points[p + AXIS_U[axis]!]!;
      const pv = points[p + AXIS_V[axis]!]!;
      const du = points[q + AXIS_U[axis]!]! - pu;
      const dv = points[q + AXIS_V[axis]!]! - pv;
      const scale = flip / (Math.sqrt(du * du + dv * dv) || 1);
      lines[3 * k] = -dv * scale;
      lines[3 * k + 1] = du * scale;
      lines[3 * k + 2] = (dv * pu - du * pv) * scale;
    }
  }
  let size = 0;
  for (const x of points) size = Math.max(size, Math.abs(x));
  tracer.size = size;
  tracer.lines = lines;
  tracer.axes = axes;
  return tracer;
}

const AXIS_U = Int32Array.of(1, 2, 0);
const AXIS_V = Int32Array.of(2, 0, 1);

const pending = new Int32Array(MAX_DEPTH + 2);
const pendingFrom = new Float64Array(MAX_DEPTH + 2);
const pendingTo = new Float64Array(MAX_DEPTH + 2);
const ends = new Float64Array(2);
const from = new Float64Array(3);
const along = new Float64Array(3);
const inverse = new Float64Array(3);
const slackOf = new Float64Array(3);
const upward = new Int32Array(3);

/** Of the sizes of the numbers: more than what rounding, and polygons not quite flat, make of positions and times. See below. */
const ERROR = 128 * UNIT_ROUNDING;

/**
 * The number of the first polygon that `ray` pierces until its `tMax`, with the time in `ray.t`; or -1.
 *
 * Tree: the part of the ray in a node is known; that in its children follows from the time at which the plane is passed,
 * give or take its rounding. Directions next to parallel to a plane are made a little steeper, and their times are
 * uncertain by what that moves.
 *
 * Polygons: where the line meets the plane, and on which side of the lines of the polygon that is. The point is off by
 * some 50 roundings of the coordinates over the sine of the angle to the plane: n · o and d are each off by 4 roundings
 * of their terms, the plane is off its corners by 32 (2^-48), the lines by 4. What is nearer to a side, to the origin or
 * to grazing than that is decided without rounding, on the triangles of a fan over the same corners: signs that are
 * right for each triangle leave no gap, where the sides of a polygon that is not quite flat could.
 */
function walkModel(model: PolyhedralModel, ray: TraceRay): number {
  const { x: ox, y: oy, z: oz } = ray.origin;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const { low, high, planes, polygonStart } = model;
  const { axes, splits, next, counts, items } = model.bsp;
  const { lines } = model.tracer;
  const facing = model.tracer.axes!;
  const front = model.sides === 'front';
  const adx = Math.abs(dx);
  const ady = Math.abs(dy);
  const adz = Math.abs(dz);
  const sizeD = adx + ady + adz;
  const size = model.tracer.size + Math.abs(ox) + Math.abs(oy) + Math.abs(oz);
  // Direction components smaller than this are taken as so much in the tests of boxes.
  const least = (Math.max(adx, ady, adz) || 1) * GRAZING;
  from[0] = ox;
  from[1] = oy;
  from[2] = oz;
  along[0] = dx;
  along[1] = dy;
  along[2] = dz;
  const ix = 1 / (adx < least ? least : dx);
  const iy = 1 / (ady < least ? least : dy);
  const iz = 1 / (adz < least ? least : dz);
  const ex = (ERROR + (adx < least ? 4 * GRAZING : 0)) * size * Math.abs(ix);
  const ey = (ERROR + (ady < least ? 4 * GRAZING : 0)) * size * Math.abs(iy);
  const ez = (ERROR + (adz < least ? 4 * GRAZING : 0)) * size * Math.abs(iz);
  inverse[0] = ix;
  inverse[1] = iy;
  inverse[2] = iz;
  slackOf[0] = ex;
  slackOf[1] = ey;
  slackOf[2] = ez;
  upward[0] = ix > 0 ? -1 : 0;
  upward[1] = iy > 0 ? -1 : 0;
  upward[2] = iz > 0 ? -1 : 0;

  let best = sizeD === 0 ? 0 : ray.tMax;
  let tMin = 0;
  let tMax = best;
  const x0 = ((ix > 0 ? low.x : high.x) - ox) * ix - ex;
  const x1 = ((ix > 0 ? high.x : low.x) - ox) * ix + ex;
  const y0 = ((iy > 0 ? low.y : high.y) - oy) * iy - ey;
  const y1 = ((iy > 0 ? high.y : low.y) - oy) * iy + ey;
  const z0 = ((iz > 0 ? low.z : high.z) - oz) * iz - ez;
  const z1 = ((iz > 0 ? high.z : low.z) - oz) * iz + ez;
  if (x0 > tMin) tMin = x0;
  if (y0 > tMin) tMin = y0;
  if (z0 > tMin) tMin = z0;
  if (x1 < tMax) tMax = x1;
  if (y1 < tMax) tMax = y1;
  if (z1 < tMax) tMax = z1;
  if (!(tMin <= tMax)) return -1;

  const error = ERROR * size;
  let found = -1;
  let top = 0;
  let node = 0;
  for (;;) {
    const axis = axes[node]!;
    if (axis < 3) {
      const t = (splits[node]! - from[axis]!) * inverse[axis]!;
      const slack = slackOf[axis]!;
      const lower = node + 1;
      const upper = next[node]!;
      const swap = (lower ^ upper) & upward[axis]!;
      const t0 = t - slack;
      const t1 = t + slack;
      const toNear = +(t1 >= tMin);
      const both = toNear & +(t0 <= tMax);
      pending[top] = lower ^ swap;
      pendingFrom[top] = t0;
      pendingTo[top] = tMax;
      top += both;
      // To the end of the part, or to the plane if the ray goes on behind it: picked from a list, without a branch.
      ends[0] = tMax;
      ends[1] = t1;
      tMax = ends[both]!;
      node = upper ^ swap ^ ((lower ^ upper) & (toNear - 1));
      continue;
    }
    const start = next[node]!;
    const stop = start + counts[node]!;
    for (let k = start; k < stop; k++) {
      const f = items[k]!;
      const p = 4 * f;
      const nx = planes[p]!;
      const ny = planes[p + 1]!;
      const nz = planes[p + 2]!;
      const slope = nx * dx + ny * dy + nz * dz;
      const height = planes[p + 3]! - (nx * ox + ny * oy + nz * oz);
      // What is met in another part of the tree is looked at there: the plane is beyond both ends of this one.
      const atStart = height - slope * tMin;
      const atEnd = height - slope * tMax;
      if ((+(atStart > error) & +(atEnd > error)) | (+(atStart < -error) & +(atEnd < -error))) continue;
      const over = 1 / slope;
      const t = height * over;
      // Times are off by the first, positions by the second.
      const slackT = error * Math.abs(over);
      const slack = slackT * sizeD;
      const facingAxis = facing[f]!;
      const u = from[AXIS_U[facingAxis]!]! + t * along[AXIS_U[facingAxis]!]!;
      const v = from[AXIS_V[facingAxis]!]! + t * along[AXIS_V[facingAxis]!]!;
      const end = 3 * polygonStart[f + 1]!;
      let outside = 0;
      let inside = +(t > slackT);
      for (let e = 3 * polygonStart[f]!; e < end; e += 3) {
        const side = lines[e]! * u + lines[e + 1]! * v + lines[e + 2]!;
        outside |= +(side < -slack);
        inside &= +(side > slack);
      }
      if (outside) continue;
      // In doubt (not a number, say, because the ray is parallel), it is looked at again.
      if (inside) {
        if (front && slope > 0) continue;
        if (t <= best) {
          best = t;
          found = f;
        }
      } else {
        const exact = pierceFan(model, f, ray, best, front);
        if (exact) {
          best = ray.t;
          found = f;
        }
      }
    }
    // Most of what is still pending comes later than what was found; but parts overlap by their slack.
    do {
      if (top === 0) {
        ray.t = best;
        return found;
      }
      top--;
    } while (!(pendingFrom[top]! <= best));
    tMin = pendingFrom[top]!;
    tMax = pendingTo[top]!;
    node = pending[top]!;
  }
}

/** Does the ray pierce a triangle of the fan of polygon f, not after tMax? Then the first time is in `ray.t`. */
function pierceFan(model: PolyhedralModel, f: number, ray: TraceRay, tMax: number, front: boolean): boolean {
  const { polygonStart, polygonVertices } = model;
  const start = polygonStart[f]!;
  let found = false;
  let best = tMax;
  load(model, polygonVertices[start]!, a);
  for (let k = start + 2; k < polygonStart[f + 1]!; k++) {
    load(model, polygonVertices[k - 1]!, b);
    load(model, polygonVertices[k]!, c);
    range.tMax = best;
    range.front = front;
    if (intersectLineTriangle(ray, a, b, c, range, pierced) === null) continue;
    best = pierced.t;
    found = true;
  }
  if (found) ray.t = best;
  return found;
}
const a = vec3(0.5, 0.5, 0.5);
const b = vec3(0.5, 0.5, 0.5);
const c = vec3(0.5, 0.5, 0.5);
const pierced = makeTriangleHit();
const range = /* @__PURE__ */ new LineRange('traceModel', 0);

function load({ points }: PolyhedralModel, v: number, out: Vec3): ReadonlyVec3 {
  out.x = points[3 * v]!;
  out.y = points[3 * v + 1]!;
  out.z = points[3 * v + 2]!;
  return out;
}
