/**
 * k-DOPs of things that turn. A turned k-DOP is not one any more and must be fitted anew: to the vertices of the thing,
 * found by climbing (tight), or to the corners of the k-DOP in its own space (cheap, looser). Test bounding spheres
 * first: most pairs need no realigning at all. RTCD §4.6.4.
 *
 * For tight volumes of things that rotate. Production uses boxes: `volumes/aabb-transform.ts`.
 */
import { checkNumbers, checkPose, LARGEST, mustHave, refuse } from '../../math/check.ts';
import { EPS64 } from '../../math/float.ts';
import type { ReadonlyPose, ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { convexHull3 } from '../../polytope/convex-hull3.ts';
import { mustBePolyhedron } from '../../polytope/input.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import {
  type Kdop,
  type KdopSides,
  kdopAxes,
  makeKdop,
  mustBeKdop,
  mustHoldSides,
  type ReadonlyKdop,
} from '../../volumes/kdop.ts';
import { ROTATION_ERROR } from '../../volumes/volume-rounding.ts';
import { climbToSupport, type SupportGraph, supportGraph } from '../ch03/support-polytope.ts';

/** Corners closer than this fraction of the size of a k-DOP are one, and corners outside by as little count. */
const CORNER_TOLERANCE = 1e-12;

/**
 * The corners of a k-DOP as x0, y0, z0, x1, …: every three of its planes that meet in a point which is behind all
 * others. Meant to be done once, in the space of the object. Refuses slabs that have no point in common.
 */
export function kdopVertices(kdop: ReadonlyKdop): Float64Array {
  mustBeKdop('kdopVertices', 'kdop', kdop);
  const axes = kdopAxes(kdop.sides);
  // About a point inside, so that distance from the origin costs no digits.
  const inside = interiorPoint(kdop);
  const low = kdop.min.map((d, i) => d - v3.dot(axes[i]!, inside));
  const high = kdop.max.map((d, i) => d - v3.dot(axes[i]!, inside));
  const size = Math.max(...high, ...low.map(Math.abs));
  // The offsets have lost what the place costs; nothing else is far from exact.
  const tolerance = CORNER_TOLERANCE * size + 4 * EPS64 * v3.length(inside);
  const found: Vec3[] = [];
  const p = vec3();
  const keep = (): void => {
    for (let i = 0; i < axes.length; i++) {
      const h = v3.dot(axes[i]!, p);
      if (!(h >= low[i]! - tolerance && h <= high[i]! + tolerance)) return;
    }
    if (!found.some((q) => v3.distance(p, q) <= tolerance)) found.push(v3.copy(p));
  };
  for (let i = 0; i < axes.length; i++)
    for (let j = 0; j < i; j++)
      for (let k = 0; k < j; k++) {
        const determinant = v3.triple(axes[i]!, axes[j]!, axes[k]!); // of small integers: exact
        if (determinant === 0) continue;
        // Cramer's rule, the crosses divided once for all eight corners.
        const jk = v3.scale(v3.cross(axes[j]!, axes[k]!), 1 / determinant);
        const ki = v3.scale(v3.cross(axes[k]!, axes[i]!), 1 / determinant);
        const ij = v3.scale(v3.cross(axes[i]!, axes[j]!), 1 / determinant);
        for (let corner = 0; corner < 8; corner++) {
          v3.scale(jk, corner & 1 ? high[i]! : low[i]!, p);
          v3.addScaled(p, ki, corner & 2 ? high[j]! : low[j]!, p);
          v3.addScaled(p, ij, corner & 4 ? high[k]! : low[k]!, p);
          keep();
        }
      }
  if (found.length === 0) refuse('kdopVertices', 'kdop', 'has no point that is inside all of its slabs');
  return Float64Array.from(found.flatMap(({ x, y, z }) => [x + inside.x, y + inside.y, z + inside.z]));
}

/** Where the slabs meet in more than a needle a few rounds do; this many is as good as for ever. */
const ROUNDS = 500;

/**
 * A point of the k-DOP, or next to it: from the middle of what the slabs say of the coordinates, projected onto every
 * slab that it is outside of, over and over. Comes to rest where they meet; where they do not meet, or at so sharp an
 * angle that it takes for ever, it ends after a fixed number of rounds with the point at hand.
 *
 * @internal
 */
export function interiorPoint({ sides, min, max }: ReadonlyKdop): Vec3 {
  const axes = kdopAxes(sides);
  const p = vec3();
  // Σ n (n · x) is a multiple of x for each of these sets of axes.
  let weight = 0;
  for (let i = 0; i < axes.length; i++) {
    const n = axes[i]!;
    weight += n.x * n.x;
    v3.addScaled(p, n, 0.5 * min[i]! + 0.5 * max[i]!, p);
  }
  v3.scale(p, 1 / weight, p);
  for (let round = 0, moved = true; moved && round < ROUNDS; round++) {
    moved = false;
    for (let i = 0; i < axes.length; i++) {
      const n = axes[i]!;
      const h = v3.dot(n, p);
      const off = Math.min(Math.max(h, min[i]!), max[i]!) - h;
      if (Math.abs(off) <= 4 * EPS64 * (Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.z))) continue;
      v3.addScaled(p, n, off / v3.dot(n, n), p);
      moved = true;
    }
  }
  return p;
}

const axis = vec3();

/**
 * The k-DOP of a posed k-DOP, from its corners (`kdopVertices`: give them to save the work of finding them). Always
 * start from the one in the object's own space: it grows with each step. RTCD §4.6.4.
 */
export function transformKdop(
  kdop: ReadonlyKdop,
  pose: ReadonlyPose,
  vertices: ArrayLike<number> = kdopVertices(kdop),
  out: Kdop = makeKdop(kdop.sides),
): Kdop {
  checkNumbers('transformKdop', 'vertices', vertices, LARGEST);
  mustBeKdop('transformKdop', 'kdop', kdop);
  checkPose('transformKdop', 'pose', pose);
  mustHoldSides('transformKdop', out, kdop.sides);
  if (vertices.length % 3 !== 0 || vertices.length === 0)
    refuse('transformKdop', 'vertices', 'must be three numbers for each of at least one corner');
  const slack = cornerSlack(vertices);
  const axes = kdopAxes(kdop.sides);
  for (let k = 0; k < axes.length; k++) {
    // Turning the axes back is turning the corners, with less work.
    const { x, y, z } = v3.rotateInverse(axes[k]!, pose.quaternion, axis);
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < vertices.length; i += 3) {
      const h = vertices[i]! * x + vertices[i + 1]! * y + vertices[i + 2]! * z;
      if (h < low) low = h;
      if (h > high) high = h;
    }
    const shift = v3.dot(axes[k]!, pose.position);
    out.min[k] = shift + low;
    out.max[k] = shift + high;
  }
  return loosen(out, pose, slack);
}

/** How far outside of the hull of the corners a point of the k-DOP may be, and what turning it may add. NaN shows. */
function cornerSlack(vertices: ArrayLike<number>): number {
  let reach = 0;
  let size = 0;
  for (let i = 0; i < vertices.length; i++) {
    reach = Math.max(reach, Math.abs(vertices[i]!));
    size = Math.max(size, Math.abs(vertices[i]! - vertices[i % 3]!));
  }
  // `size` is at least the largest distance over √3, and no offset from the inside is longer than √3 times that.
  return 8 * CORNER_TOLERANCE * size + 3 * ROTATION_ERROR * reach;
}

/** Pushes every side out by twice `slack`, for axes up to √3 long, and by the rounding of the position. */
function loosen(kdop: Kdop, { position: t }: ReadonlyPose, slack: number): Kdop {
  const room = 2 * slack + 4 * EPS64 * (Math.abs(t.x) + Math.abs(t.y) + Math.abs(t.z));
  for (let i = 0; i < kdop.min.length; i++) {
    kdop.min[i] = kdop.min[i]! - room;
    kdop.max[i] = kdop.max[i]! + room;
  }
  return kdop;
}

/**
 * The tight k-DOP of a turning convex polyhedron: remembers the vertex that touches each side and climbs from there.
 * Under small turns a fit costs about k steps, whatever the number of vertices.
 */
export class KdopClimber {
  readonly sides: KdopSides;
  readonly #graph: SupportGraph;
  readonly #touching: Int32Array;
  readonly #reach: number;

  constructor(hull: ReadonlyPolyhedron, sides: KdopSides) {
    mustBePolyhedron('makeKdopClimber', hull, 'hull');
    this.sides = sides;
    this.#graph = supportGraph(hull);
    this.#touching = new Int32Array(2 * kdopAxes(sides).length);
    this.#reach = hull.vertices.reduce((most, v) => Math.max(most, v3.length(v)), 0);
  }

  /** The k-DOP of the posed polyhedron, tight but for rounding outward. */
  fit(pose: ReadonlyPose, out: Kdop = makeKdop(this.sides)): Kdop {
    checkPose('KdopClimber.fit', 'pose', pose);
    mustHoldSides('KdopClimber.fit', out, this.sides);
    const axes = kdopAxes(this.sides);
    for (let i = 0; i < axes.length; i++) {
      const shift = v3.dot(axes[i]!, pose.position);
      v3.rotateInverse(axes[i]!, pose.quaternion, axis);
      out.max[i] = shift + this.#climb(2 * i, axis);
      out.min[i] = shift - this.#climb(2 * i + 1, v3.negate(axis, axis));
    }
    return loosen(out, pose, 2 * ROTATION_ERROR * this.#reach);
  }

  #climb(side: number, direction: ReadonlyVec3): number {
    const top = climbToSupport(this.#graph, direction, this.#touching[side]!);
    this.#touching[side] = top;
    return v3.dot(this.#graph.vertices[top]!, direction);
  }
}

/** A `KdopClimber` for a convex polyhedron. */
export const makeKdopClimber = (hull: ReadonlyPolyhedron, sides: KdopSides): KdopClimber =>
  new KdopClimber(hull, sides);

/** Surface area and volume of a k-DOP, by the hull of its corners. One without thickness has two sides all the same. */
export function measureKdop(kdop: ReadonlyKdop): { area: number; volume: number } {
  mustHave('measureKdop', 'kdop', kdop, 'a k-DOP', 'sides');
  const corners = kdopVertices(kdop);
  const points: Vec3[] = [];
  // About the first corner: the place in the world is no part of the size.
  for (let i = 0; i < corners.length; i += 3)
    points.push(
      vec3(corners[i]! - corners[0]!, corners[i + 1]! - corners[1]!, corners[i + 2]! - corners[2]!),
    );
  const { triangles } = convexHull3(points);
  let area = 0;
  let volume = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [points[triangles[i]!]!, points[triangles[i + 1]!]!, points[triangles[i + 2]!]!];
    area += 0.5 * v3.length(v3.cross(v3.sub(b, a), v3.sub(c, a)));
    volume += v3.triple(a, b, c) / 6;
  }
  return { area, volume: Math.max(0, volume) };
}
