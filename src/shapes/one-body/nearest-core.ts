/**
 * The point of the core of a convex shape nearest to a point: closed forms, but for hulls and what only a support map
 * describes, where GJK finds it. Everything in the space of the shape.
 */
import {
  BOX,
  CONE,
  type ConvexCore,
  CYLINDER,
  ELLIPSOID,
  POINT,
  POLYTOPE,
  SEGMENT,
} from '../../convex/core.ts';
import type { Frame } from '../../convex/frame.ts';
import { gjkDistance } from '../../convex/gjk.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import { closestOnTriangle } from '../../primitives/closest/triangle.ts';
import { makeTrianglePoint } from '../../primitives/closest/types.ts';
import { copyPoint, loadPoint } from '../body-space.ts';
import { POINT_CORE } from '../cores.ts';
import type { ConvexShape } from '../shape.ts';
import type { BodyContext, CorePoint } from './body-context.ts';
import { nearestOnEllipsoid } from './nearest-ellipsoid.ts';

/** Has the core of this hull, triangle or polygon no inside? Then it is a fan of triangles. */
export const isFlat = (faces: ReadonlyPolyhedron | null): boolean =>
  faces === null || faces.faces.length === 2;

/**
 * Fills in `context.nearest`: the point of the core of `shape` nearest to p. The first query about another p must
 * `startNearest`: the next ones, about points along a line say, then go on from where the last one ended.
 */
export function nearestOnCore(
  { core, faces }: ConvexShape,
  p: ReadonlyVec3,
  context: BodyContext,
): CorePoint {
  const { nearest: out } = context;
  const { x, y, z } = p;
  const { data } = core;
  out.x = x;
  out.y = y;
  out.z = z;
  out.distance = 0;
  switch (core.type) {
    case POINT:
      out.x = 0;
      out.y = 0;
      out.z = 0;
      return measure(p, out);
    case SEGMENT:
      return nearestOnSegment(data, p, out);
    case BOX:
      out.x = Math.max(-data[0]!, Math.min(x, data[0]!));
      out.y = Math.max(-data[1]!, Math.min(y, data[1]!));
      out.z = Math.max(-data[2]!, Math.min(z, data[2]!));
      return measure(p, out);
    case CYLINDER: {
      const across = Math.sqrt(x * x + z * z);
      const k = across > data[1]! ? data[1]! / across : 1;
      out.x = k * x;
      out.y = Math.max(-data[0]!, Math.min(y, data[0]!));
      out.z = k * z;
      return measure(p, out);
    }
    case CONE:
      return nearestOnCone(data, p, out);
    case ELLIPSOID:
      if (!isInEllipsoid(data, p)) nearestOnEllipsoid(data, p, out);
      return out;
    case POLYTOPE:
      if (isFlat(faces)) return nearestOnFan(data, faces, p, out);
      measureFront(faces!, p);
      if (!(front.height > 0)) return out;
      nearestByGjk(core, p, context);
      if (out.distance < front.height) out.distance = front.height;
      return out;
    default:
      return nearestByGjk(core, p, context);
  }
}

function measure(p: ReadonlyVec3, out: CorePoint): CorePoint {
  const x = p.x - out.x;
  const y = p.y - out.y;
  const z = p.z - out.z;
  out.distance = Math.sqrt(x * x + y * y + z * z);
  return out;
}

function nearestOnSegment(data: Float64Array, p: ReadonlyVec3, out: CorePoint): CorePoint {
  const ax = data[0]!;
  const ay = data[1]!;
  const az = data[2]!;
  const bx = data[3]! - ax;
  const by = data[4]! - ay;
  const bz = data[5]! - az;
  const along = (p.x - ax) * bx + (p.y - ay) * by + (p.z - az) * bz;
  const whole = bx * bx + by * by + bz * bz;
  const t = along > 0 ? (along < whole ? along / whole : 1) : 0;
  out.x = ax + t * bx;
  out.y = ay + t * by;
  out.z = az + t * bz;
  return measure(p, out);
}

/** In the half-plane of p and the axis a cone is the triangle of tip, centre and rim of the base. */
function nearestOnCone(data: Float64Array, p: ReadonlyVec3, out: CorePoint): CorePoint {
  const { x, y, z } = p;
  const half = data[0]!;
  const radius = data[1]!;
  const across = Math.sqrt(x * x + z * z);
  if (across <= radius && y <= half) {
    if (y <= -half) {
      out.y = -half;
      return measure(p, out);
    }
    if (2 * half * across + radius * (y - half) <= 0) return out;
  }
  // Along the slanted line from the tip to the rim.
  const along = across * radius + (half - y) * (2 * half);
  const whole = radius * radius + 4 * half * half;
  const t = along > 0 ? (along < whole ? along / whole : 1) : 0;
  const k = across > 0 ? (t * radius) / across : 0;
  out.x = k * x;
  out.y = half - 2 * t * half;
  out.z = k * z;
  return measure(p, out);
}

/** One without a radius along some axis has no inside: its distance decides. */
function isInEllipsoid(data: Float64Array, { x, y, z }: ReadonlyVec3): boolean {
  const u = x / data[0]!;
  const v = y / data[1]!;
  const w = z / data[2]!;
  return u * u + v * v + w * w <= 1;
}

/** How far p is in front of the foremost face of a solid: not more than its distance. A record: numbers get boxed. */
const front = { height: 0.5 };

function measureFront({ planes }: ReadonlyPolyhedron, { x, y, z }: ReadonlyVec3): void {
  let most = -Infinity;
  for (let i = 0; i < planes.length; i++) {
    const { normal: n, d } = planes[i]!;
    const height = n.x * x + n.y * y + n.z * z - d;
    if (height > most) most = height;
  }
  front.height = most;
}

/**
 * Is p in the shape, or as near to it as rounding? The same as to ask whether the distance by `nearestOnCore` is within
 * that, but spares the search for the nearest point where p is clearly outside.
 */
export function isInConvex(shape: ConvexShape, p: ReadonlyVec3, context: BodyContext): boolean {
  const { core, faces } = shape;
  const { within } = context;
  const far = core.reach + within;
  if (Math.max(Math.abs(p.x), Math.abs(p.y), Math.abs(p.z)) > far) return false;
  if (core.type === POLYTOPE && !isFlat(faces)) {
    measureFront(faces!, p);
    if (front.height - core.radius > within) return false;
  }
  startNearest(context);
  return nearestOnCore(shape, p, context).distance - core.radius <= within;
}

const a = vec3();
const b = vec3();
const c = vec3();
const onTriangle = makeTrianglePoint();

/** Writes corner number k of what `isFlat`: in the order of its outline. */
export function loadCorner(data: Float64Array, faces: ReadonlyPolyhedron | null, k: number, out: Vec3): Vec3 {
  return loadPoint(data, 3 * (faces === null ? k : faces.faces[0]![k]!), out);
}

/** How many corners what `isFlat` has. */
export const cornerCount = (data: Float64Array, faces: ReadonlyPolyhedron | null): number =>
  faces === null ? data.length / 3 : faces.faces[0]!.length;

function nearestOnFan(
  data: Float64Array,
  faces: ReadonlyPolyhedron | null,
  p: ReadonlyVec3,
  out: CorePoint,
): CorePoint {
  const count = cornerCount(data, faces);
  loadCorner(data, faces, 0, a);
  loadCorner(data, faces, Math.min(1, count - 1), c);
  let least = Infinity;
  for (let k = Math.min(2, count - 1); k < count; k++) {
    copyPoint(c, b);
    loadCorner(data, faces, k, c);
    const { point, distanceSq } = closestOnTriangle(p, a, b, c, onTriangle);
    if (distanceSq >= least) continue;
    least = distanceSq;
    out.x = point.x;
    out.y = point.y;
    out.z = point.z;
  }
  out.distance = Math.sqrt(least);
  return out;
}

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

function nearestByGjk(core: ConvexCore, p: ReadonlyVec3, context: BodyContext): CorePoint {
  const { nearest: out, gjkState, gjkResult: gjk } = context;
  gjkDistance(core, POINT_CORE, frameOfPoint(p, context), gjkState, gjk);
  if (gjk.cores !== 'apart') return out;
  const { pointA, normal, coreDistance } = gjk;
  // Without the rounding that is in it: the normal points from p to the core.
  out.x = pointA.x + core.radius * normal.x;
  out.y = pointA.y + core.radius * normal.y;
  out.z = pointA.z + core.radius * normal.z;
  out.distance = coreDistance;
  return out;
}
