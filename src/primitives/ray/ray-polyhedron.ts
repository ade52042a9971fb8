/**
 * Lines, rays and segments against a convex polyhedron: cut by one plane after the other, the line is entered last by
 * one of the faces it goes into and left first by one of those it goes out of. Only the planes are looked at; they are
 * rounded themselves, so whether an edge is grazed is a matter of rounding. RTCD §5.3.8; Haines 1991.
 */
import { checkRay } from '../../math/check.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import { checkPlanes, checkRayUpTo, checkSegment } from '../input.ts';
import type { Hit, ReadonlyRay, Span } from '../types.ts';
import { makeRay } from '../types.ts';
import type { Found } from './hit.ts';
import { rayBetween, report, startInside } from './hit.ts';

/** The part of a line that lies in a polyhedron, and the faces by which it comes and goes: -1 for none. */
export interface PolyhedronSpan extends Span {
  enterFace: number;
  exitFace: number;
}

/** A hit on a polyhedron; the face is -1 for a ray that starts inside. */
export interface PolyhedronHit extends Hit {
  face: number;
}

export const makePolyhedronSpan = (): PolyhedronSpan => ({
  enter: 0,
  exit: 0,
  enterFace: -1,
  exitFace: -1,
});
/**
 * The face first: V8 keeps one kind for the first field of all records of four that begin with the same name, and what
 * batches return begins with a `t` that is an array; it would box every time that is written here.
 */
export const makePolyhedronHit = (): PolyhedronHit => ({ face: -1, t: 0, point: vec3(), normal: vec3() });

const segment = makeRay();
const span = makePolyhedronSpan();
const found: Found = { t: 0, normal: vec3() };

/** Where a ray hits a solid convex polyhedron, and on which face. */
export function rayPolyhedron(
  ray: ReadonlyRay,
  polyhedron: ReadonlyPolyhedron,
  tMax = Infinity,
  out?: PolyhedronHit,
): PolyhedronHit | null {
  checkRayUpTo('rayPolyhedron', ray, tMax);
  checkPlanes('rayPolyhedron', polyhedron);
  return rayPolyhedronKernel(ray, polyhedron, tMax, out);
}

/** Where the segment from p to q hits a solid convex polyhedron, with t in [0, 1], and on which face. */
export function segmentPolyhedron(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  polyhedron: ReadonlyPolyhedron,
  out?: PolyhedronHit,
): PolyhedronHit | null {
  checkSegment('segmentPolyhedron', p, q);
  checkPlanes('segmentPolyhedron', polyhedron);
  return rayPolyhedronKernel(rayBetween(p, q, segment), polyhedron, 1, out);
}

/**
 * The part of a line that lies in a convex polyhedron: of a ray, what is left of it from 0 on; of a segment, up to 1.
 * It is infinite where no face bounds it, as for a line without direction, which is inside for all times or never.
 */
export function linePolyhedron(
  line: ReadonlyRay,
  polyhedron: ReadonlyPolyhedron,
  out?: PolyhedronSpan,
): PolyhedronSpan | null {
  checkRay('linePolyhedron', 'line', line);
  checkPlanes('linePolyhedron', polyhedron);
  if (!clip(line, polyhedron, -Infinity, Infinity)) return null;
  const result = out ?? makePolyhedronSpan();
  result.enter = span.enter;
  result.exit = span.exit;
  result.enterFace = span.enterFace;
  result.exitFace = span.exitFace;
  return result;
}

/** `rayPolyhedron` without the checks. @internal */
export function rayPolyhedronKernel(
  ray: ReadonlyRay,
  polyhedron: ReadonlyPolyhedron,
  tMax: number,
  out: PolyhedronHit | undefined,
): PolyhedronHit | null {
  if (!clip(ray, polyhedron, 0, tMax)) return null;
  const { enterFace: face } = span;
  const hit = out ?? makePolyhedronHit();
  if (face < 0) startInside(ray, hit);
  else {
    found.t = span.enter;
    found.normal = polyhedron.planes[face]!.normal;
    report(ray, found, hit);
  }
  hit.face = face;
  return hit;
}

/** Fills `span`; false when nothing is left of the line. */
function clip(line: ReadonlyRay, { planes }: ReadonlyPolyhedron, tMin: number, tMax: number): boolean {
  const { x: ox, y: oy, z: oz } = line.origin;
  const { x: dx, y: dy, z: dz } = line.direction;
  let enter = tMin + 0; // a sum, so that V8 takes it for a number and boxes nothing below
  let exit = tMax + 0;
  let enterFace = -1;
  let exitFace = -1;
  for (let i = 0; i < planes.length; i++) {
    const { x: nx, y: ny, z: nz } = planes[i]!.normal;
    const depth = planes[i]!.d - (nx * ox + ny * oy + nz * oz);
    const slope = nx * dx + ny * dy + nz * dz;
    if (slope === 0) {
      if (depth < 0) return false;
      continue;
    }
    const t = depth / slope;
    if (slope < 0) {
      if (t > enter) {
        enter = t;
        enterFace = i;
      }
    } else if (t < exit) {
      exit = t;
      exitFace = i;
    }
    if (enter > exit) return false;
  }
  span.enter = enter;
  span.exit = exit;
  span.enterFace = enterFace;
  span.exitFace = exitFace;
  return true;
}
