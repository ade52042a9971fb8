/** Closed meshes that are convex: the hull that answers for them. Worked out when first needed, and kept. */
import { vec3 } from '../../math/types.ts';
import { derivedOf, isClosed } from '../../trimesh/derived.ts';
import { lowestVertex } from '../../trimesh/lowest-vertex.ts';
import { loadTriangle, type Mesh, makeCorners } from '../../trimesh/mesh.ts';
import { hull } from '../flat-sided-shapes.ts';
import { type ConvexShape, type HullShape, isConvexShape, type Shape } from '../shape.ts';

/**
 * Dents that are no deeper, relative to the coordinates, are the rounding of single precision: a flat side of many
 * triangles has them as soon as it is rotated.
 */
const DENT = 1.1920928955078125e-7; // 2^-23

/**
 * The hull of a closed mesh that is convex (with no dents deeper than 2^-23 of its coordinates), null for others. The
 * solid inside of the mesh and the hull are then the same. Meshes that are not convex are recognised after a few triangles,
 * as a rule; the hull of n vertices takes O(n log n), once.
 */
function hullOfConvex(mesh: Mesh): HullShape | null {
  const derived = derivedOf(mesh);
  if (derived.hull === null) {
    const made = isClosed(mesh) && isConvex(mesh) ? hull(mesh.vertices) : null;
    derived.hull = made?.faces && made.faces.faces.length > 2 ? made : false;
  }
  return (derived.hull || null) as HullShape | null;
}

/** The shape itself if it is convex, or the hull of a convex mesh; else null. @internal */
export function convexOf(shape: Shape): ConvexShape | null {
  if (isConvexShape(shape)) return shape;
  return shape.kind === 'mesh' ? hullOfConvex(shape) : null;
}

const corners = makeCorners();
const normal = vec3();
const low = vec3();

/**
 * Is every triangle on the hull, facing out? A closed surface all over the hull covers it, once or several times. The
 * triangles are looked at in leaps, so that one which is not shows early.
 */
function isConvex(mesh: Mesh): boolean {
  const { triangleCount, bounds } = mesh;
  const { min, max } = bounds;
  const size = Math.max(-min.x, max.x, -min.y, max.y, -min.z, max.z);
  let faces = 0;
  for (
    let leap = leapFor(triangleCount), i = 0, k = 0;
    k < triangleCount;
    k++, i = (i + leap) % triangleCount
  ) {
    loadTriangle(mesh, i, corners);
    const { a, b, c } = corners;
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const dz = b.z - a.z;
    const ex = c.x - a.x;
    const ey = c.y - a.y;
    const ez = c.z - a.z;
    // The least of -n · x is the most of n · x.
    normal.x = dz * ey - dy * ez;
    normal.y = dx * ez - dz * ex;
    normal.z = dy * ex - dx * ey;
    const { x, y, z } = normal;
    const length = Math.sqrt(x * x + y * y + z * z);
    const sides = Math.sqrt((dx * dx + dy * dy + dz * dz) * (ex * ex + ey * ey + ez * ez));
    // Triangles next to a line have no side to face: their neighbours decide.
    if (!(length > 1e-6 * sides)) continue;
    faces++;
    lowestVertex(mesh, normal, low);
    const beyond = (a.x - low.x) * x + (a.y - low.y) * y + (a.z - low.z) * z;
    if (beyond > DENT * size * length) return false;
  }
  return faces >= 4;
}

/** About the golden section of n, and without a common divisor with it. */
function leapFor(n: number): number {
  let leap = Math.max(1, Math.floor(0.618 * n));
  while (divisor(leap, n) > 1) leap++;
  return leap;
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
