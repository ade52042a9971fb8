/** The shapes that a mesh is searched for: what each takes up, and whether it meets one triangle. */
import { UNIT_ROUNDING } from '../math/tolerance.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import { closestSegmentTriangle } from '../primitives/closest/segment-triangle.ts';
import { closestOnTriangle } from '../primitives/closest/triangle.ts';
import { makeTrianglePoint } from '../primitives/closest/types.ts';
import { edgesOf } from '../primitives/overlap/polyhedron-edges.ts';
import { triangleMeetsAabb } from '../primitives/overlap/triangle-box.ts';
import { trianglesOverlap } from '../primitives/overlap/triangle-triangle.ts';
import type { ReadonlyAabb, ReadonlyCapsule, ReadonlyObb, ReadonlySphere } from '../primitives/types.ts';
import { makeAabb, makeCapsule, makePointPair } from '../primitives/types.ts';
import type { Mesh } from './mesh.ts';
import { ShapeBounds } from './shape-bounds.ts';

/**
 * A shape in the space of a mesh, copied: kernels that see few kinds of objects stay fast. `set` readies it for one mesh.
 *
 * @internal
 */
export abstract class OverlapShape {
  readonly bounds = new ShapeBounds();
  /** Does it share a point with the triangle? */
  abstract meets(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean;
}

const SHARP = { radius: 0 };

/** No number crosses a call: it would be boxed. */
function assign(from: ReadonlyVec3, to: Vec3): void {
  to.x = from.x;
  to.y = from.y;
  to.z = from.z;
}

/** @internal */
export class OverlapSphere extends OverlapShape {
  // A capsule without length, so that both are measured by the same code.
  private readonly capsule = makeCapsule();
  private readonly nearest = makeTrianglePoint();

  set(sphere: ReadonlySphere, mesh: Mesh): this {
    const { bounds, capsule } = this;
    assign(sphere.center, capsule.a);
    assign(sphere.center, capsule.b);
    capsule.radius = sphere.radius;
    bounds.begin(mesh);
    bounds.addPoint(capsule.a);
    bounds.end(capsule);
    bounds.setBall(capsule.a, capsule);
    return this;
  }

  meets(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean {
    const { capsule, nearest } = this;
    return isWithinRadius(closestOnTriangle(capsule.a, a, b, c, nearest), capsule, a, b, c);
  }
}

/** @internal */
export class OverlapCapsule extends OverlapShape {
  private readonly capsule = makeCapsule();
  private readonly nearest = makePointPair();

  set(given: ReadonlyCapsule, mesh: Mesh): this {
    const { bounds, capsule } = this;
    assign(given.a, capsule.a);
    assign(given.b, capsule.b);
    capsule.radius = given.radius;
    bounds.begin(mesh);
    addDiagonals(bounds);
    bounds.addEdge(capsule.a, capsule.b);
    bounds.addPoint(capsule.a);
    bounds.addPoint(capsule.b);
    bounds.end(capsule);
    return this;
  }

  meets(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean {
    const { capsule, nearest } = this;
    return isWithinRadius(closestSegmentTriangle(capsule.a, capsule.b, a, b, c, nearest), capsule, a, b, c);
  }
}

const direction = vec3(0.5, 0.5, 0.5);

/** The directions to the corners of a cube: with the box, what holds round things well. */
function addDiagonals(bounds: ShapeBounds): void {
  direction.x = 1;
  for (let i = 0; i < 4; i++) {
    direction.y = i & 1 ? 1 : -1;
    direction.z = i & 2 ? 1 : -1;
    bounds.addDirection(direction);
  }
}

/** Closest points are off by a few roundings of the distances between all points that they come from. */
const ROUNDING = 32 * UNIT_ROUNDING;

/** Is the distance no more than the radius, or beyond it by no more than it may be off? */
function isWithinRadius(
  { distanceSq }: Readonly<{ distanceSq: number }>,
  { a: from, b: to, radius }: ReadonlyCapsule,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
): boolean {
  if (distanceSq <= radius * radius) return true;
  const { x, y, z } = from;
  const reach =
    radius +
    Math.abs(to.x - x) +
    Math.abs(to.y - y) +
    Math.abs(to.z - z) +
    Math.max(
      Math.abs(a.x - x) + Math.abs(a.y - y) + Math.abs(a.z - z),
      Math.abs(b.x - x) + Math.abs(b.y - y) + Math.abs(b.z - z),
      Math.abs(c.x - x) + Math.abs(c.y - y) + Math.abs(c.z - z),
    );
  return Math.sqrt(distanceSq) <= radius + ROUNDING * reach;
}

/** @internal */
export class OverlapAabb extends OverlapShape {
  private readonly aabb = makeAabb();

  set(box: ReadonlyAabb, mesh: Mesh): this {
    const { bounds, aabb } = this;
    assign(box.min, aabb.min);
    assign(box.max, aabb.max);
    bounds.begin(mesh);
    bounds.addPoint(aabb.min);
    bounds.addPoint(aabb.max);
    bounds.end(SHARP);
    return this;
  }

  meets(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean {
    return triangleMeetsAabb(a, b, c, this.aabb);
  }
}

const FRAME_ROUNDING = 64 * UNIT_ROUNDING;

/** As `overlapTriangleObb`, with its tolerance. @internal */
export class OverlapObb extends OverlapShape {
  private readonly center = vec3(0.5, 0.5, 0.5);
  private readonly halfSize = vec3(0.5, 0.5, 0.5);
  /** The axes, one after the other. */
  private readonly axes = new Float64Array(9);
  /** In the frame of the box: the box padded for rounding, and the triangle. */
  private readonly own = makeAabb();
  private readonly u = vec3(0.5, 0.5, 0.5);
  private readonly v = vec3(0.5, 0.5, 0.5);
  private readonly w = vec3(0.5, 0.5, 0.5);
  /** The largest coordinate in that frame. */
  private largest = 0.5;

  set(box: ReadonlyObb, mesh: Mesh): this {
    const { bounds, center, halfSize, axes: e, u } = this;
    assign(box.center, center);
    assign(box.halfSize, halfSize);
    for (let i = 0; i < 9; i++) e[i] = box.rotation.elements[i]!;
    bounds.begin(mesh);
    u.x = u.y = u.z = 0;
    for (let i = 0; i < 9; i += 3) {
      direction.x = e[i]!;
      direction.y = e[i + 1]!;
      direction.z = e[i + 2]!;
      bounds.addDirection(direction);
      bounds.addEdge(u, direction);
    }
    bounds.addBox(center, halfSize, e);
    bounds.end(SHARP);
    return this;
  }

  meets(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean {
    const { u, v, w } = this;
    const { x, y, z } = this.halfSize;
    this.largest = Math.max(x, y, z);
    this.toFrame(a, u);
    this.toFrame(b, v);
    this.toFrame(c, w);
    const slack = FRAME_ROUNDING * this.largest;
    const { min, max } = this.own;
    max.x = x + slack;
    max.y = y + slack;
    max.z = z + slack;
    min.x = -max.x;
    min.y = -max.y;
    min.z = -max.z;
    return triangleMeetsAabb(u, v, w, this.own);
  }

  private toFrame(p: ReadonlyVec3, out: Vec3): void {
    const { center, axes: e } = this;
    const x = p.x - center.x;
    const y = p.y - center.y;
    const z = p.z - center.z;
    out.x = e[0]! * x + e[1]! * y + e[2]! * z;
    out.y = e[3]! * x + e[4]! * y + e[5]! * z;
    out.z = e[6]! * x + e[7]! * y + e[8]! * z;
    this.largest = Math.max(this.largest, Math.abs(out.x), Math.abs(out.y), Math.abs(out.z));
  }
}

/** @internal */
export class OverlapTriangle extends OverlapShape {
  private readonly u = vec3(0.5, 0.5, 0.5);
  private readonly v = vec3(0.5, 0.5, 0.5);
  private readonly w = vec3(0.5, 0.5, 0.5);

  set(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, mesh: Mesh): this {
    const { bounds, u, v, w } = this;
    assign(a, u);
    assign(b, v);
    assign(c, w);
    bounds.begin(mesh);
    const sx = v.x - u.x;
    const sy = v.y - u.y;
    const sz = v.z - u.z;
    const tx = w.x - u.x;
    const ty = w.y - u.y;
    const tz = w.z - u.z;
    direction.x = sy * tz - sz * ty;
    direction.y = sz * tx - sx * tz;
    direction.z = sx * ty - sy * tx;
    bounds.addDirection(direction);
    bounds.addEdge(u, v);
    bounds.addEdge(v, w);
    bounds.addEdge(w, u);
    bounds.addPoint(u);
    bounds.addPoint(v);
    bounds.addPoint(w);
    bounds.end(SHARP);
    return this;
  }

  meets(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean {
    return trianglesOverlap(a, b, c, this.u, this.v, this.w);
  }
}

/** With more faces than this a polyhedron is treated as round. */
const FEW_FACES = 20;
/** Below this cosine of the angle between the normals of two faces, their common edge gets a plane of its own. */
const SHARP_EDGE = -0.5;

/** @internal */
export class OverlapPolyhedron extends OverlapShape {
  /** Normal and height of one plane after the other, as seen from `origin`. */
  private planes = new Float64Array(4 * 64);
  private planeCount = 0;
  private readonly origin = vec3(0.5, 0.5, 0.5);
  /** The largest |x| + |y| + |z| of a vertex, as seen from `origin`. */
  private size = 0.5;
  /** How far the faces are moved out. */
  private tolerance = 0.5;
  // What is left of the triangle, corner by corner: before and after a cut, which adds at most one corner.
  private points = new Float64Array(0);
  private next = new Float64Array(0);
  private heights = new Float64Array(0);

  /** Linear in the size of the polyhedron. Refuses one that is not closed, in the name of `caller`. */
  set(caller: string, polyhedron: ReadonlyPolyhedron, mesh: Mesh): this {
    this.setPlanes(polyhedron, edgesOf(caller, 'polyhedron', polyhedron));
    const { bounds } = this;
    const { vertices, planes } = polyhedron;
    bounds.begin(mesh);
    if (planes.length <= FEW_FACES)
      for (let i = 0; i < planes.length; i++) bounds.addDirection(planes[i]!.normal);
    else addDiagonals(bounds);
    for (let i = 0; i < vertices.length; i++) bounds.addPoint(vertices[i]!);
    bounds.end(SHARP);
    return this;
  }

  private setPlanes({ vertices, faces, planes: given }: ReadonlyPolyhedron, edges: Int32Array): void {
    const padding = faces.length * 4 + edges.length;
    if (this.planes.length < padding) this.planes = new Float64Array(2 * padding);
    this.planeCount = 0;
    const { x, y, z } = vertices[0]!;
    assign(vertices[0]!, this.origin);
    let size = 0;
    for (let i = 0; i < vertices.length; i++) {
      const v = vertices[i]!;
      size = Math.max(size, Math.abs(v.x - x) + Math.abs(v.y - y) + Math.abs(v.z - z));
    }
    this.size = size;
    for (let i = 0; i < faces.length; i++) {
      const { x: nx, y: ny, z: nz } = given[i]!.normal;
      // The height comes from the corners: that of the plane has been rounded to its distance from the origin.
      const face = faces[i]!;
      let height = -Infinity;
      for (let k = 0; k < face.length; k++) {
        const v = vertices[face[k]!]!;
        height = Math.max(height, nx * (v.x - x) + ny * (v.y - y) + nz * (v.z - z));
      }
      this.addPlane(nx, ny, nz, height);
    }
    // Faces that meet at a sharp edge hold little back beyond it, and front and back of a flat polyhedron nothing. The
    // plane through the edge at a right angle to one of its faces does, and has the polyhedron behind it.
    for (let i = 0; i < edges.length; i += 4) {
      const { x: lx, y: ly, z: lz } = given[edges[i + 2]!]!.normal;
      const { x: rx, y: ry, z: rz } = given[edges[i + 3]!]!.normal;
      if (!(lx * rx + ly * ry + lz * rz < SHARP_EDGE)) continue;
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
      this.addPlane(nx / length, ny / length, nz / length, height / length);
    }
  }

  private addPlane(x: number, y: number, z: number, height: number): void {
    const { planes } = this;
    const at = 4 * this.planeCount++;
    planes[at] = x;
    planes[at + 1] = y;
    planes[at + 2] = z;
    planes[at + 3] = height;
  }

  /**
   * Cuts off what is in front of one face after the other: Sutherland and Hodgman 1974. The faces are moved out first by
   * more than the cuts can be off, each of which leaves its corners on the edge that was cut, give or take rounding: so an
   * overlap is never missed.
   */
  meets(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean {
    const { planeCount } = this;
    const padding = 3 * (3 + planeCount);
    if (this.points.length < padding) {
      this.points = new Float64Array(2 * padding);
      this.next = new Float64Array(2 * padding);
      this.heights = new Float64Array(padding);
    }
    this.tolerance = this.size;
    this.load(a, 0);
    this.load(b, 3);
    this.load(c, 6);
    this.tolerance *= UNIT_ROUNDING * (16 + 4 * planeCount);
    let count = 9;
    for (let i = 0; i < 4 * planeCount; i += 4) {
      count = this.cut(i, count);
      if (count === 0) return false;
    }
    return true;
  }

  /** Also makes the tolerance, to be multiplied by rounding, the largest |x| + |y| + |z|. */
  private load(p: ReadonlyVec3, at: number): void {
    const { points, origin } = this;
    const x = p.x - origin.x;
    const y = p.y - origin.y;
    const z = p.z - origin.z;
    points[at] = x;
    points[at + 1] = y;
    points[at + 2] = z;
    this.tolerance = Math.max(this.tolerance, Math.abs(x) + Math.abs(y) + Math.abs(z));
  }

  /** Cuts by the plane at i, and returns how many numbers are left. */
  private cut(i: number, count: number): number {
    const { planes, points, next, heights } = this;
    const nx = planes[i]!;
    const ny = planes[i + 1]!;
    const nz = planes[i + 2]!;
    const limit = planes[i + 3]! + this.tolerance;
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
    this.points = next;
    this.next = points;
    return to;
  }
}
