/**
 * The penetration depth of two cores: how far the boundary of their Minkowski difference is from the origin. A
 * polytope of points of the difference grows towards the boundary, always where it is nearest. RTCD §9.5; van den
 * Bergen 2001.
 *
 * Two bounds say how good the answer is. The nearest plane of the polytope is a lower bound of the depth. And along
 * any direction whatever the bodies can be taken apart by as much as the difference extends there: an upper bound,
 * which holds even if the direction was badly rounded. The answer is the best of these.
 */
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { crossAccurate, normalize, perpendicular } from '../math/vec3.ts';
import type { AxisSearch, ConvexCore } from './core.ts';
import { CYLINDER } from './core.ts';
import type { Frame } from './frame.ts';
import type { GjkState } from './gjk-state.ts';
import {
  addPoint,
  clearHull,
  fitPlaneCarefully,
  growHull,
  IncrementalHull,
  isInFront,
  isThere,
  startHull,
  takeNearestFace,
} from './incremental-hull.ts';
import { DifferencePoint, supportDifference } from './minkowski.ts';

/** The rounding of a support point, in units of the size of the sets. */
const ROUNDING = 1.8e-15;
/**
 * Curved sets are never reached by corners; this is near enough, in the same units. The points that are found are off
 * sideways by up to the chord of an arc that is this high, some 1e-6.
 */
const CURVED_GAP = 1e-12;
/** A difference that is thinner is flat. */
const FLAT = 1e-14;
/** Faces farther out than the least extent are never the nearest; more than rounding of their planes. */
const LIMIT_SLACK = 1e-12;
/** Polytopes come to an end by themselves, after some ten points for each of their faces at most. */
const MOST_POINTS = 1 << 16;
/** Of a curved difference, until only single minima are polished; and so many of those. */
const ENOUGH_POINTS = 256;
const FEW_POINTS = 80;
const MOST_MINIMA = 6;
/** To polish one minimum, and from face to face in search of the deepest points. */
const MOST_STEPS = 64;

/** What a search knows, and what it has found: lengths are times `scale`. @internal */
export class ExpandingPolytope {
  readonly hull = new IncrementalHull();
  /** What lengths are multiplied by, a power of two, so that sizes are about 1. */
  scale = 0.5;
  /** How far the difference extends in the last direction. */
  extent = 0.5;
  /** The smallest extent: the depth. */
  least = 0.5;
  /** The depth is not less than this. */
  lower = 0.5;
  /** The direction of the smallest extent. */
  readonly best = vec3(0.5, 0.5, 0.5);
  /** The deepest points of both cores. Not scaled. */
  readonly a = vec3(0.5, 0.5, 0.5);
  readonly b = vec3(0.5, 0.5, 0.5);
  /** How often support points were asked for. */
  probes = 0;
  /** The direction that is looked along. */
  readonly direction = vec3(0.5, 0.5, 0.5);
  readonly support = new DifferencePoint();
  /** Of the first tetrahedron: along its longest side, and across that. */
  readonly edge = vec3(0.5, 0.5, 0.5);
  readonly across = vec3(0.5, 0.5, 0.5);
  /** Around the axes of the cores, made when first needed. */
  aroundA: AxisSearch | null = null;
  aroundB: AxisSearch | null = null;
}

// Never alive while a support map runs.
const point = vec3();

/**
 * Finds the penetration of the cores, which should touch: otherwise the depth is negative, and more than minus their
 * distance. Returns false when their difference has no inside: then no points are found. `state` is what GJK has found.
 *
 * @internal
 */
export function expandPolytope(
  epa: ExpandingPolytope,
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  state: GjkState,
): boolean {
  const { support } = epa;
  setScale(epa, a, b);
  epa.least = Infinity;
  support.hintA = -1;
  support.hintB = -1;
  epa.probes = 0;
  clearHull(epa.hull);
  const flatSided = a.type < CYLINDER && b.type < CYLINDER;
  const solid = (flatSided && startFromSimplex(epa, state)) || startFromBox(epa, a, b, frame);
  epa.lower = Math.min(epa.least, 0);
  if (solid) findWitnesses(epa, expand(epa, a, b, frame));
  if (epa.lower > epa.least) epa.lower = epa.least;
  return solid;
}

/**
 * Grows the polytope where it is nearest to the origin, until there it is as far out as the difference itself. Returns
 * the face at that minimum.
 *
 * Where a curved difference is as near as that at many points, on a whole circle say, polishing all of them would take
 * forever. So from some time on only one minimum after the other is polished: that gives the depth there, and the last
 * lower bound for all of them remains.
 */
function expand(epa: ExpandingPolytope, a: ConvexCore, b: ConvexCore, frame: Frame): number {
  const { hull, direction } = epa;
  const hasAxis = a.axisSearch !== null || b.axisSearch !== null;
  const curved = a.type >= CYLINDER || b.type >= CYLINDER;
  const tolerance = curved ? CURVED_GAP : ROUNDING;
  const enough = hasAxis ? FEW_POINTS : curved ? ENOUGH_POINTS : MOST_POINTS;
  for (;;) {
    const face = takeNearestFace(hull);
    let p = probeFace(epa, a, b, frame, face);
    let done = epa.extent - hull.planes[face + 3]! <= tolerance || !isInFront(hull, face, p);
    if (done) {
      // Once more, with all digits of the normal.
      fitPlaneCarefully(hull, face);
      p = probeFace(epa, a, b, frame, face);
      done = epa.extent - hull.planes[face + 3]! <= tolerance || !isInFront(hull, face, p);
    }
    epa.lower = hull.planes[face + 3]!;
    if (done) {
      keepDirection(epa);
      return face;
    }
    if (hull.pointCount >= enough) break;
    hull.limit = epa.least + LIMIT_SLACK;
    growHull(hull, face, p);
  }
  if (a.axisSearch !== null) {
    epa.aroundA ??= a.axisSearch();
    searchAround(epa.aroundA, epa, a, b, frame, true);
  }
  if (b.axisSearch !== null) {
    epa.aroundB ??= b.axisSearch();
    searchAround(epa.aroundB, epa, a, b, frame, false);
  }
  for (let minimum = 0; minimum < MOST_MINIMA; ) {
    const face = takeNearestFace(hull);
    if (face < 0 || epa.least - hull.planes[face + 3]! <= tolerance) break;
    setToNormal(epa, face);
    if (a.axisSearch !== null && epa.aroundA!.covers(direction)) continue;
    if (b.axisSearch !== null && epa.aroundB!.covers(direction)) continue;
    polishFrom(epa, a, b, frame, face);
    minimum++;
  }
  return polishAlongBest(epa, a, b, frame);
}

/** Looks for a better direction around the axis of the first core or the second. */
function searchAround(
  search: AxisSearch,
  epa: ExpandingPolytope,
  a: ConvexCore,
  b: ConvexCore,
  frame: Frame,
  first: boolean,
): void {
  const { direction } = epa;
  search.scale = epa.scale;
  search.search(a, b, frame, first, epa.best);
  if (!(search.least < epa.least)) return;
  direction.x = search.direction.x;
  direction.y = search.direction.y;
  direction.z = search.direction.z;
  normalize(direction, direction);
  probe(epa, a, b, frame);
}

/** Grows the polytope at a face, and from there on at the nearest of the newest faces. */
function polishFrom(epa: ExpandingPolytope, a: ConvexCore, b: ConvexCore, frame: Frame, face: number): void {
  const { hull } = epa;
  for (let step = 0; step < MOST_STEPS; step++) {
    const p = probeFace(epa, a, b, frame, face);
    if (epa.extent - hull.planes[face + 3]! <= CURVED_GAP || !isInFront(hull, face, p)) return;
    const first = hull.faceEnd;
    growHull(hull, face, p);
    face = first;
    for (let f = first + 4; f < hull.faceEnd; f += 4)
      if (hull.planes[f + 3]! < hull.planes[face + 3]!) face = f;
  }
}

/** Grows the polytope where the ray along the best direction leaves it; returns that face. */
function polishAlongBest(epa: ExpandingPolytope, a: ConvexCore, b: ConvexCore, frame: Frame): number {
  const { hull } = epa;
  let face = exitFace(epa, 0);
  for (let step = 0; step < MOST_STEPS; step++) {
    const p = probeFace(epa, a, b, frame, face);
    if (epa.extent - hull.planes[face + 3]! <= CURVED_GAP || !isInFront(hull, face, p)) break;
    const first = hull.faceEnd;
    growHull(hull, face, p);
    face = exitFace(epa, first);
  }
  return face;
}

/** Of the faces from this one on, that whose plane the ray along the best direction meets first, from inside. */
function exitFace({ hull, best }: ExpandingPolytope, first: number): number {
  const { planes, faceEnd } = hull;
  let nearest = first;
  let least = Infinity;
  for (let f = first; f < faceEnd; f += 4) {
    const slope = best.x * planes[f]! + best.y * planes[f + 1]! + best.z * planes[f + 2]!;
    if (!isThere(hull, f) || !(slope > 0)) continue;
    const t = planes[f + 3]! / slope;
    if (t < least) {
      least = t;
      nearest = f;
    }
  }
  return nearest;
}

/** Looks along the normal of a face. */
function probeFace(epa: ExpandingPolytope, a: ConvexCore, b: ConvexCore, frame: Frame, face: number): number {
  setToNormal(epa, face);
  // What is farthest is seldom far from the corners of the face.
  const { support, hull } = epa;
  const corner = hull.corners[face]!;
  support.hintA = hull.ids[corner]!;
  support.hintB = hull.ids[corner + 1]!;
  return probe(epa, a, b, frame);
}

function setToNormal({ hull, direction }: ExpandingPolytope, face: number): void {
  const { planes } = hull;
  direction.x = planes[face]!;
  direction.y = planes[face + 1]!;
  direction.z = planes[face + 2]!;
}

const bits = new DataView(new ArrayBuffer(8));

/** To 2^-e for sizes from 2^e to 2^(e + 1), as far as there are such numbers. */
function setScale(epa: ExpandingPolytope, a: ConvexCore, b: ConvexCore): void {
  bits.setFloat64(0, a.reach + b.reach);
  const e = (bits.getUint32(0) >>> 20) & 0x7ff;
  bits.setUint32(0, Math.min(Math.max(2046 - e, 1), 2046) << 20);
  bits.setUint32(4, 0);
  epa.scale = bits.getFloat64(0);
}

/** Adds the support point along the unit vector `direction`, keeps its extent if it is the smallest; its number. */
function probe(epa: ExpandingPolytope, a: ConvexCore, b: ConvexCore, frame: Frame): number {
  const { support, direction } = epa;
  supportDifference(a, b, frame, direction, support);
  const { a: onA, b: onB } = support;
  const { x, y, z } = direction;
  const s = epa.scale;
  point.x = s * (onA.x - onB.x);
  point.y = s * (onA.y - onB.y);
  point.z = s * (onA.z - onB.z);
  const extent = x * point.x + y * point.y + z * point.z;
  epa.extent = extent;
  if (extent < epa.least && x * x + y * y + z * z > 0.5) keepDirection(epa);
  epa.probes++;
  return addPoint(epa.hull, point, onA, support.hintA, support.hintB);
}

function keepDirection(epa: ExpandingPolytope): void {
  const { best, direction } = epa;
  epa.least = epa.extent;
  best.x = direction.x;
  best.y = direction.y;
  best.z = direction.z;
}

function probeBothDirections(epa: ExpandingPolytope, a: ConvexCore, b: ConvexCore, frame: Frame): void {
  const { direction } = epa;
  probe(epa, a, b, frame);
  direction.x = -direction.x;
  direction.y = -direction.y;
  direction.z = -direction.z;
  probe(epa, a, b, frame);
}

/** Starts with the tetrahedron around the origin that GJK ended with. False if there is none, or a thin one. */
function startFromSimplex(epa: ExpandingPolytope, { count, w, a, indexA, indexB, end }: GjkState): boolean {
  if (count < 4 || end.apart) return false;
  const { hull, support, scale } = epa;
  for (let i = 0; i < 12; i += 3) {
    point.x = scale * w[i]!;
    point.y = scale * w[i + 1]!;
    point.z = scale * w[i + 2]!;
    support.a.x = a[i]!;
    support.a.y = a[i + 1]!;
    support.a.z = a[i + 2]!;
    addPoint(hull, point, support.a, indexA[i / 3]!, indexB[i / 3]!);
  }
  if (!isThick(hull.points) || !startHull(hull, 0, 3, 6, 9)) {
    clearHull(hull);
    return false;
  }
  return true;
}

/** Of a tetrahedron: its volume as a share of the cube of its longest edge from the first corner. */
const THICK = 1e-3;

function isThick(p: Float64Array): boolean {
  const dx = p[3]! - p[0]!;
  const dy = p[4]! - p[1]!;
  const dz = p[5]! - p[2]!;
  const ex = p[6]! - p[0]!;
  const ey = p[7]! - p[1]!;
  const ez = p[8]! - p[2]!;
  const fx = p[9]! - p[0]!;
  const fy = p[10]! - p[1]!;
  const fz = p[11]! - p[2]!;
  const volume = fx * (dy * ez - dz * ey) + fy * (dz * ex - dx * ez) + fz * (dx * ey - dy * ex);
  const sq = Math.max(dx * dx + dy * dy + dz * dz, ex * ex + ey * ey + ez * ez, fx * fx + fy * fy + fz * fz);
  return Math.abs(volume) > THICK * sq * Math.sqrt(sq);
}

/**
 * Starts with a tetrahedron that is as long, wide and high as the difference, roughly. False when there is none; then
 * a direction across the difference has been looked along, in which its extent is next to nothing.
 */
function startFromBox(epa: ExpandingPolytope, a: ConvexCore, b: ConvexCore, frame: Frame): boolean {
  const { hull, direction, edge, across } = epa;
  for (let axis = 0; axis < 3; axis++) {
    direction.x = axis === 0 ? 1 : 0;
    direction.y = axis === 1 ? 1 : 0;
    direction.z = axis === 2 ? 1 : 0;
    probeBothDirections(epa, a, b, frame);
  }
  // The longest axis.
  const { points } = hull;
  const dx = points[0]! - points[3]!;
  const dy = points[7]! - points[10]!;
  const dz = points[14]! - points[17]!;
  const first = dx >= dy && dx >= dz ? 0 : dy >= dz ? 6 : 12;
  if (!(Math.max(dx, dy, dz) > FLAT)) return false;
  offset(epa, first, first + 3, edge);
  normalize(edge, edge);
  perpendicular(edge, direction);
  across.x = direction.x;
  across.y = direction.y;
  across.z = direction.z;
  probeBothDirections(epa, a, b, frame);
  crossAccurate(edge, across, direction);
  normalize(direction, direction);
  probeBothDirections(epa, a, b, frame);
  // The one farthest from it.
  let second = -1;
  let most = FLAT * FLAT;
  for (let i = 0; i < 3 * hull.pointCount; i += 3) {
    offset(epa, first, i, direction);
    crossAccurate(edge, direction, across);
    const width = across.x * across.x + across.y * across.y + across.z * across.z;
    if (width > most) {
      most = width;
      second = i;
    }
  }
  if (second < 0) return false;
  offset(epa, first, second, across);
  crossAccurate(edge, across, direction);
  normalize(direction, direction);
  probeBothDirections(epa, a, b, frame);
  // The highest above or below.
  let third = -1;
  most = FLAT;
  for (let i = 0; i < 3 * hull.pointCount; i += 3) {
    offset(epa, first, i, across);
    const height = Math.abs(direction.x * across.x + direction.y * across.y + direction.z * across.z);
    if (height > most) {
      most = height;
      third = i;
    }
  }
  return third >= 0 && startHull(hull, first, first + 3, second, third);
}

function offset({ hull }: ExpandingPolytope, i: number, j: number, out: Vec3): void {
  const { points } = hull;
  out.x = points[j]! - points[i]!;
  out.y = points[j + 1]! - points[i + 1]!;
  out.z = points[j + 2]! - points[i + 2]!;
}

/**
 * Where the sets are deepest in each other: the points whose difference is where the ray along the best direction
 * leaves the hull. It goes through a face near by, most of the time through this one: the ray lies to the left of all
 * its edges. A few steps lead there over faces in the same plane.
 */
function findWitnesses({ hull, best, scale, a, b }: ExpandingPolytope, face: number): void {
  const { points, partners, corners, twins, planes } = hull;
  let u = 0;
  let v = 0;
  let w = 0;
  let from = -1;
  for (let steps = 0; ; steps++) {
    const nx = planes[face]!;
    const ny = planes[face + 1]!;
    const nz = planes[face + 2]!;
    const slope = best.x * nx + best.y * ny + best.z * nz;
    const t = slope > 0 ? planes[face + 3]! / slope : 0;
    point.x = t * best.x;
    point.y = t * best.y;
    point.z = t * best.z;
    for (let k = 0; k < 3; k++) measureArea(hull, face, k);
    w = areas[0]!;
    u = areas[1]!;
    v = areas[2]!;
    if ((u >= 0 && v >= 0 && w >= 0 && u + v + w > 0) || steps === MOST_STEPS) break;
    const next = twins[face + (w <= u && w <= v ? 0 : u <= v ? 1 : 2)]! & -4;
    if (next === from) break; // on the edge between the two
    from = face;
    face = next;
  }
  u = Math.max(u, 0);
  v = Math.max(v, 0);
  w = Math.max(w, 0);
  const sum = u + v + w;
  u = sum > 0 ? u / sum : 1;
  v = sum > 0 ? v / sum : 0;
  w = sum > 0 ? w / sum : 0;
  const i = corners[face]!;
  const j = corners[face + 1]!;
  const k = corners[face + 2]!;
  const unscale = 1 / scale;
  a.x = u * partners[i]! + v * partners[j]! + w * partners[k]!;
  a.y = u * partners[i + 1]! + v * partners[j + 1]! + w * partners[k + 1]!;
  a.z = u * partners[i + 2]! + v * partners[j + 2]! + w * partners[k + 2]!;
  b.x = a.x - unscale * (u * points[i]! + v * points[j]! + w * points[k]!);
  b.y = a.y - unscale * (u * points[i + 1]! + v * points[j + 1]! + w * points[k + 1]!);
  b.z = a.z - unscale * (u * points[i + 2]! + v * points[j + 2]! + w * points[k + 2]!);
}

/** Of `point` with each edge of the face, twice, seen from outside. */
const areas = new Float64Array(3);

/** No less than 0 if that may be rounding. */
function measureArea(hull: IncrementalHull, face: number, k: number): void {
  const { points, corners, planes } = hull;
  const i = corners[face + k]!;
  const j = corners[face + (k === 2 ? 0 : k + 1)]!;
  const ax = points[i]! - point.x;
  const ay = points[i + 1]! - point.y;
  const az = points[i + 2]! - point.z;
  const bx = points[j]! - point.x;
  const by = points[j + 1]! - point.y;
  const bz = points[j + 2]! - point.z;
  const area =
    planes[face]! * (ay * bz - az * by) +
    planes[face + 1]! * (az * bx - ax * bz) +
    planes[face + 2]! * (ax * by - ay * bx);
  const size = Math.abs(ax) + Math.abs(ay) + Math.abs(az) + Math.abs(bx) + Math.abs(by) + Math.abs(bz);
  areas[k] = area < 0 && area > -ROUNDING * size ? 0 : area;
}
