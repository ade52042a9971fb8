/** A triangle against a convex polyhedron, for one polyhedron and many triangles: what do its faces leave of it? */
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import { edgesOf } from '../primitives/overlap/polyhedron-edges.ts';

/** Normal and height of one plane after the other, as seen from `origin`. */
let planes = new Float64Array(4 * 64);
let planeCount = 0;
const origin = vec3();
/** The largest |x| + |y| + |z| of a vertex, as seen from `origin`. */
const size = new Float64Array(1);

/** Below this cosine of the angle between the normals of two faces, their common edge gets a plane of its own. */
const SHARP = -0.5;

/** Makes ready for `polyhedronMeetsTriangle`. Linear in the size of the polyhedron. @internal */
export function preparePolyhedron(caller: string, polyhedron: ReadonlyPolyhedron): void {
  const { vertices, faces, planes: given } = polyhedron;
  const edges = edgesOf(caller, 'polyhedron', polyhedron);
  if (planes.length < faces.length * 4 + edges.length)
    planes = new Float64Array(2 * (faces.length * 4 + edges.length));
  planeCount = 0;
  const { x, y, z } = vertices[0]!;
  origin.x = x;
  origin.y = y;
  origin.z = z;
  size[0] = 0;
  for (let i = 0; i < vertices.length; i++) {
    const v = vertices[i]!;
    size[0] = Math.max(size[0]!, Math.abs(v.x - x) + Math.abs(v.y - y) + Math.abs(v.z - z));
  }
  for (let i = 0; i < faces.length; i++) {
    const { x: nx, y: ny, z: nz } = given[i]!.normal;
    // The height comes from the corners: that of the plane has been rounded to its distance from the origin.
    const face = faces[i]!;
    let height = -Infinity;
    for (let k = 0; k < face.length; k++) {
      const v = vertices[face[k]!]!;
      height = Math.max(height, nx * (v.x - x) + ny * (v.y - y) + nz * (v.z - z));
    }
    put(nx, ny, nz, height);
  }
  // Faces that meet at a sharp edge hold little back beyond it, and front and back of a flat polyhedron nothing. The
  // plane through the edge at a right angle to one of its faces does, and has the polyhedron behind it.
  for (let i = 0; i < edges.length; i += 4) {
    const { x: lx, y: ly, z: lz } = given[edges[i + 2]!]!.normal;
    const { x: rx, y: ry, z: rz } = given[edges[i + 3]!]!.normal;
    if (!(lx * rx + ly * ry + lz * rz < SHARP)) continue;
    const from = vertices[edges[i]!]!;
    const to = vertices[edges[i + 1]!]!;
    const ux = to.x - from.x;
    const uy = to.y - from.y;
    const uz = to.z - from.z;
    const nx = uy * lz - uz * ly;
    const ny = uz * lx - ux * lz;
    const nz = ux * ly - uy * lx;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(length > 0)) continue;
    const height = Math.max(
      nx * (from.x - x) + ny * (from.y - y) + nz * (from.z - z),
      nx * (to.x - x) + ny * (to.y - y) + nz * (to.z - z),
    );
    put(nx / length, ny / length, nz / length, height / length);
  }
}

function put(x: number, y: number, z: number, height: number): void {
  const at = 4 * planeCount++;
  planes[at] = x;
  planes[at + 1] = y;
  planes[at + 2] = z;
  planes[at + 3] = height;
}

/** What is left of the triangle, corner by corner: before and after a cut, which adds at most one corner. */
let points = new Float64Array(0);
let next = new Float64Array(0);
let heights = new Float64Array(0);

const ROUNDING = 1.1102230246251565e-16; // 2^-53
/** How far the faces are moved out. In an array, because a double that crosses a call is boxed. */
const tolerance = new Float64Array(1);

/**
 * Do the triangle and the polyhedron share a point? Cuts off what is in front of one face after the other: Sutherland
 * and Hodgman 1974. The faces are moved out first by more than the cuts can be off, each of which leaves its corners
 * on the edge that was cut, give or take rounding: so an overlap is never missed. @internal
 */
export function polyhedronMeetsTriangle(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean {
  const room = 3 * (3 + planeCount);
  if (points.length < room) {
    points = new Float64Array(2 * room);
    next = new Float64Array(2 * room);
    heights = new Float64Array(room);
  }
  tolerance[0] = size[0]!;
  load(a, 0);
  load(b, 3);
  load(c, 6);
  tolerance[0] *= ROUNDING * (16 + 4 * planeCount);
  let count = 9;
  for (let i = 0; i < 4 * planeCount; i += 4) {
    count = cut(i, count);
    if (count === 0) return false;
  }
  return true;
}

/** Also makes the tolerance, to be multiplied by rounding, the largest |x| + |y| + |z|. */
function load(p: ReadonlyVec3, at: number): void {
  const x = p.x - origin.x;
  const y = p.y - origin.y;
  const z = p.z - origin.z;
  points[at] = x;
  points[at + 1] = y;
  points[at + 2] = z;
  tolerance[0] = Math.max(tolerance[0]!, Math.abs(x) + Math.abs(y) + Math.abs(z));
}

/** Cuts by the plane at i, and returns how many numbers are left. */
function cut(i: number, count: number): number {
  const nx = planes[i]!;
  const ny = planes[i + 1]!;
  const nz = planes[i + 2]!;
  const limit = planes[i + 3]! + tolerance[0]!;
  let above = 0;
  let below = 0;
  for (let k = 0, h = 0; k < count; k += 3, h++) {
    const height = nx * points[k]! + ny * points[k + 1]! + nz * points[k + 2]! - limit;
    heights[h] = height;
    if (height > 0) above++;
    else below++;
  }
  if (above === 0) return count;
  if (below === 0) return 0;
  let to = 0;
  for (let k = 0, h = 0; k < count; k += 3, h++) {
    const last = k + 3 === count;
    const k1 = last ? 0 : k + 3;
    const h0 = heights[h]!;
    const h1 = heights[last ? 0 : h + 1]!;
    const x = points[k]!;
    const y = points[k + 1]!;
    const z = points[k + 2]!;
    if (h0 <= 0) {
      next[to] = x;
      next[to + 1] = y;
      next[to + 2] = z;
      to += 3;
    }
    if (h0 > 0 === h1 > 0 || h0 === 0 || h1 === 0) continue;
    const t = h0 / (h0 - h1);
    next[to] = x + t * (points[k1]! - x);
    next[to + 1] = y + t * (points[k1 + 1]! - y);
    next[to + 2] = z + t * (points[k1 + 2]! - z);
    to += 3;
  }
  const old = points;
  points = next;
  next = old;
  return to;
}
