/**
 * The tight box of a turning convex polyhedron, in about constant time. RTCD §4.2.5.
 *
 * For thousands of large hulls that rotate a little in each frame. Production takes the bounds of a shape from its core
 * (`shapes/bounds.ts`), or transforms the box (`volumes/aabb-transform.ts`).
 */
import { checkPose } from '../../math/check.ts';
import * as m3 from '../../math/mat3.ts';
import * as q4 from '../../math/quat.ts';
import type { ReadonlyPose, ReadonlyVec3 } from '../../math/types.ts';
import { mat3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { mustBePolyhedron } from '../../polytope/input.ts';
import { vertexNeighbours } from '../../polytope/polyhedron.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import type { Aabb } from '../../primitives/types.ts';
import { makeAabb } from '../../primitives/types.ts';
import { isRotation } from '../../volumes/aabb-transform.ts';
import { extremesOf, makeExtremes } from '../../volumes/point-set-spread.ts';
import { addDown3, addUp3, ROTATION_ERROR } from '../../volumes/volume-rounding.ts';

const matrix = mat3();
const direction = vec3();
const low = vec3();
const high = vec3();

/**
 * Remembers the six vertices that touch the box and, when the body has turned, walks from them along edges to the
 * new ones. The polyhedron must be convex (the hull of the thing will do); its vertices are copied.
 *
 * On a convex body a walk uphill ends at the top, but for one trap: a vertex in the middle of a flat side (one that
 * was subdivided, say) has level neighbours only when that side faces straight down, and the walk ends before it began.
 * Therefore each walk starts at the highest of all six. If one of them lies amid the side that now faces down, then
 * it was extreme because that side faced along an axis, and the vertex opposite it is higher by the thickness of the
 * body; and from above the lowest side no walk uphill ever comes down to it.
 */
export class AabbClimber {
  readonly #coordinates: Float64Array;
  /** The neighbours of vertex i are `#neighbours[#first[i]]` up to, not with, `#neighbours[#first[i + 1]]`. */
  readonly #neighbours: Int32Array;
  readonly #first: Int32Array;
  /** A bound on the distance of the vertices from the origin. */
  readonly #reach: number;
  /** Lowest and highest vertex along x, then y, then z, at the last pose; and room for the next. */
  #extremes = new Int32Array(6);
  #next = new Int32Array(6);
  /** How far they reach, without the position. */
  readonly #heights = new Float64Array(6);

  constructor(hull: ReadonlyPolyhedron) {
    mustBePolyhedron('makeAabbClimber', hull, 'hull');
    const { vertices } = hull;
    const neighbours = vertexNeighbours(hull);
    this.#coordinates = Float64Array.from(vertices.flatMap(({ x, y, z }) => [x, y, z]));
    this.#neighbours = Int32Array.from(neighbours.flat());
    this.#first = new Int32Array(vertices.length + 1);
    for (let i = 0; i < vertices.length; i++) this.#first[i + 1] = this.#first[i]! + neighbours[i]!.length;
    this.#reach = vertices.reduce(
      (most, { x, y, z }) => Math.max(most, Math.abs(x) + Math.abs(y) + Math.abs(z)),
      0,
    );
    const found = makeExtremes();
    for (let axis = 0; axis < 3; axis++) {
      extremesOf(
        this.#coordinates,
        vec3(axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0),
        vertices.length,
        found,
      );
      this.#extremes[2 * axis] = found.least;
      this.#extremes[2 * axis + 1] = found.most;
    }
  }

  /** The box of the posed polyhedron, tight but for rounding outward. */
  fit(pose: ReadonlyPose, out: Aabb = makeAabb()): Aabb {
    checkPose('AabbClimber.fit', 'pose', pose);
    const { quaternion: q, position } = pose;
    const s = isRotation(q) ? ROTATION_ERROR * Math.max(1, q4.dot(q, q)) * this.#reach : 0;
    m3.fromQuat(q, matrix);
    for (let axis = 0; axis < 3; axis++) {
      this.#climb(axis, -1);
      this.#climb(axis, 1);
    }
    const h = this.#heights;
    v3.set(-h[0]! - s, -h[2]! - s, -h[4]! - s, low);
    v3.set(h[1]! + s, h[3]! + s, h[5]! + s, high);
    const last = this.#extremes;
    this.#extremes = this.#next;
    this.#next = last;
    addDown3(low, position, low);
    addUp3(high, position, high);
    v3.copy(low, out.min);
    v3.copy(high, out.max);
    return out;
  }

  /** Finds the vertex of the turned body that lies farthest along an axis (or against it), and how far. */
  #climb(axis: number, sign: number): void {
    const e = matrix.elements;
    direction.x = sign * e[axis]!;
    direction.y = sign * e[axis + 3]!;
    direction.z = sign * e[axis + 6]!;
    let top = this.#extremes[0]!;
    let height = this.#height(top, direction);
    for (let k = 1; k < 6; k++) {
      const h = this.#height(this.#extremes[k]!, direction);
      if (!(h > height)) continue;
      height = h;
      top = this.#extremes[k]!;
    }
    for (let from = -1; from !== top; ) {
      from = top;
      for (let k = this.#first[from]!; k < this.#first[from + 1]!; k++) {
        const h = this.#height(this.#neighbours[k]!, direction);
        if (!(h > height)) continue;
        height = h;
        top = this.#neighbours[k]!;
      }
    }
    const place = 2 * axis + (sign > 0 ? 1 : 0);
    this.#next[place] = top;
    this.#heights[place] = height;
  }

  #height(vertex: number, { x, y, z }: ReadonlyVec3): number {
    const i = 3 * vertex;
    return this.#coordinates[i]! * x + this.#coordinates[i + 1]! * y + this.#coordinates[i + 2]! * z;
  }
}

/** An `AabbClimber` for a convex polyhedron. */
export const makeAabbClimber = (hull: ReadonlyPolyhedron): AabbClimber => new AabbClimber(hull);
