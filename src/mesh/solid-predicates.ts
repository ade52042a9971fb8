/** Solids that cannot be decomposed, as combinations of ones that need not be. RTCD §12.5.4. */
import {
  ANY_FINITE,
  checkAabb,
  checkPlane,
  checkPoints,
  checkSphere,
  describe,
  mustBeList,
  mustHave,
  refuse,
} from '../math/check.ts';
import type { ReadonlyPlane, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { mustBePolyhedron } from '../polytope/input.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import { closestPointTetrahedron } from '../primitives/closest/tetrahedron.ts';
import { closestPointTriangle } from '../primitives/closest/triangle.ts';

/** A solid made of simple ones. A bowl is the intersection of a box, a ball, and the complement of a smaller ball. */
export type CompositeSolid =
  | { readonly kind: 'ball'; readonly center: ReadonlyVec3; readonly radius: number }
  | { readonly kind: 'box'; readonly min: ReadonlyVec3; readonly max: ReadonlyVec3 }
  /** Behind the plane. */
  | { readonly kind: 'halfspace'; readonly plane: ReadonlyPlane }
  | { readonly kind: 'polyhedron'; readonly polyhedron: ReadonlyPolyhedron }
  | { readonly kind: 'union' | 'intersection'; readonly parts: readonly CompositeSolid[] }
  /** All that is outside, and the surface. */
  | { readonly kind: 'complement'; readonly part: CompositeSolid };

/**
 * Does some of a convex body lie in the solid? The body is the hull of the points: a segment, a triangle, a box …;
 * touching counts.
 *
 * A no is always right. A yes is right for the simple solids (but for bodies that touch to within rounding) and their
 * unions; for an intersection or a complement of a union it only says that the body meets each part, perhaps not at
 * one point. Unlike a list of faces this knows inside from outside: a body deep in the wall of a bowl is found.
 * RTCD §12.5.4.
 */
export function isPartlyInside(solid: CompositeSolid, points: readonly ReadonlyVec3[]): boolean {
  checkPoints('isPartlyInside', 'points', points, ANY_FINITE);
  checkInput('isPartlyInside', solid, points);
  return touches(solid, points, true);
}

/** Does some of the body lie outside the solid, or on its surface? Like `isPartlyInside` of the complement. */
export function isPartlyOutside(solid: CompositeSolid, points: readonly ReadonlyVec3[]): boolean {
  checkPoints('isPartlyOutside', 'points', points, ANY_FINITE);
  checkInput('isPartlyOutside', solid, points);
  return touches(solid, points, false);
}

function checkInput(caller: string, solid: CompositeSolid, points: readonly ReadonlyVec3[]): void {
  if (!(points.length > 0)) refuse(caller, 'points', 'must hold at least one point');
  const stack = [solid];
  while (stack.length > 0) {
    const part = stack.pop()!;
    mustHave(caller, 'solid', part, 'a solid', 'kind');
    switch (part.kind) {
      case 'ball':
        checkSphere(caller, 'solid', part);
        break;
      case 'box':
        checkAabb(caller, 'solid', part);
        break;
      case 'halfspace':
        checkPlane(caller, 'solid.plane', part.plane);
        break;
      case 'polyhedron':
        mustBePolyhedron(caller, part.polyhedron, 'solid.polyhedron');
        break;
      case 'complement':
        stack.push(part.part);
        break;
      case 'union':
      case 'intersection':
        mustBeList(caller, 'solid.parts', part.parts);
        stack.push(...part.parts);
        break;
      default:
        refuse(caller, 'solid', `must be of a known kind, got ${describe((part as { kind: unknown }).kind)}`);
    }
  }
}

/** Some of the body inside (or outside)? De Morgan: outside a union is outside all of its parts. */
function touches(solid: CompositeSolid, points: readonly ReadonlyVec3[], inside: boolean): boolean {
  switch (solid.kind) {
    case 'complement':
      return touches(solid.part, points, !inside);
    case 'union':
    case 'intersection':
      return (solid.kind === 'union') === inside
        ? solid.parts.some((part) => touches(part, points, inside))
        : solid.parts.every((part) => touches(part, points, inside));
    case 'halfspace': {
      const { normal, d } = solid.plane;
      return points.some((p) => (inside ? v3.dot(normal, p) <= d : v3.dot(normal, p) >= d));
    }
    default:
      // A convex solid holds the whole body exactly if it holds its corners.
      return inside ? !areApart(solid, points) : points.some((p) => !isDeepIn(solid, p));
  }
}

type ConvexSolid = Extract<CompositeSolid, { kind: 'ball' | 'box' | 'polyhedron' }>;

/** Is p inside, and not on the surface? */
function isDeepIn(solid: ConvexSolid, p: ReadonlyVec3): boolean {
  switch (solid.kind) {
    case 'ball':
      return v3.distanceSq(p, solid.center) < solid.radius * solid.radius;
    case 'box': {
      const { min, max } = solid;
      return p.x > min.x && p.x < max.x && p.y > min.y && p.y < max.y && p.z > min.z && p.z < max.z;
    }
    case 'polyhedron':
      return solid.polyhedron.planes.every(({ normal, d }) => v3.dot(normal, p) < d);
  }
}

/** After so many steps two bodies count as touching. Apart by a millionth of their size they need about ten. */
const MAX_STEPS = 64;
const ORIGIN = vec3();

/**
 * Is there a plane between the solid and the body? The point of their difference that is closest to the origin is
 * approached from simplices of up to four of its corners (Gilbert, Johnson and Keerthi 1988). Only a plane that was
 * found makes a yes.
 */
function areApart(solid: ConvexSolid, points: readonly ReadonlyVec3[]): boolean {
  let scale = 0;
  for (const { x, y, z } of points) scale = Math.max(scale, Math.abs(x), Math.abs(y), Math.abs(z));
  let closest = differenceAlong(solid, points, vec3(1, 0, 0));
  let simplex: Vec3[] = [closest];
  for (let step = 0; step < MAX_STEPS; step++) {
    const length = v3.length(closest);
    if (length === 0) return false;
    const direction = v3.scale(closest, 1 / length);
    const corner = differenceAlong(solid, points, direction);
    // The whole difference lies beyond this; 1e-15 of the coordinates covers the rounding of products.
    const reach = Math.max(scale, v3.length(corner), radiusOf(solid));
    if (v3.dot(direction, corner) > 1e-14 * reach) return true;
    simplex = faceClosestToOrigin([...simplex, corner]);
    const next = closestOn(simplex);
    if (!(v3.lengthSq(next) < length * length)) return false; // no progress: touching, as far as can be decided
    closest = next;
  }
  return false;
}

const radiusOf = (solid: ConvexSolid): number =>
  solid.kind === 'ball' ? v3.length(solid.center) + solid.radius : 0;

/** The corner of body minus solid that is least along a unit vector. */
function differenceAlong(solid: ConvexSolid, points: readonly ReadonlyVec3[], direction: ReadonlyVec3): Vec3 {
  const lowest = leastAlong(points, direction, 1);
  switch (solid.kind) {
    case 'ball':
      return v3.sub(lowest, v3.addScaled(solid.center, direction, solid.radius));
    case 'box': {
      const { min, max } = solid;
      const { x, y, z } = direction;
      return v3.sub(lowest, vec3(x < 0 ? min.x : max.x, y < 0 ? min.y : max.y, z < 0 ? min.z : max.z));
    }
    case 'polyhedron':
      return v3.sub(lowest, leastAlong(solid.polyhedron.vertices, direction, -1));
  }
}

function leastAlong(points: readonly ReadonlyVec3[], direction: ReadonlyVec3, sign: 1 | -1): ReadonlyVec3 {
  let best = points[0]!;
  let least = Infinity;
  for (const p of points) {
    const along = sign * v3.dot(p, direction);
    if (along < least) {
      least = along;
      best = p;
    }
  }
  return best;
}

/** Of four corners those three whose triangle is closest to the origin; all four around it if it is inside. */
function faceClosestToOrigin(simplex: Vec3[]): Vec3[] {
  if (simplex.length < 4) return simplex;
  const [a, b, c, d] = simplex as [Vec3, Vec3, Vec3, Vec3];
  if (v3.lengthSq(closestPointTetrahedron(ORIGIN, a, b, c, d)) === 0) return simplex;
  let best = simplex;
  let least = Infinity;
  for (const face of [
    [a, b, d],
    [b, c, d],
    [c, a, d],
    [a, b, c],
  ]) {
    const distanceSq = v3.lengthSq(closestOn(face));
    if (distanceSq >= least) continue;
    least = distanceSq;
    best = face;
  }
  return best;
}

function closestOn([a, b, c, d]: readonly Vec3[]): Vec3 {
  if (d) return closestPointTetrahedron(ORIGIN, a!, b!, c!, d);
  return closestPointTriangle(ORIGIN, a!, b ?? a!, c ?? a!);
}
