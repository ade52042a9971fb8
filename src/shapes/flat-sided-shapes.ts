/** Boxes, hulls, triangles, polygons, segments and points: what has corners, perhaps rounded. */
import { BOX, POINT, SEGMENT } from '../convex/core.ts';
import { checkPoint, mustNotBeNegative } from '../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { plane as makePlane, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { mustBeFlatConvex } from '../mesh/flat-convex.ts';
import { fans, massOf } from '../mesh/mass.ts';
import { fitNewell } from '../mesh/newell.ts';
import { convexHull3 } from '../polytope/convex-hull3.ts';
import { boxPolyhedron, facePlane, polyhedronFromHull } from '../polytope/polyhedron.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import { FAMILY } from '../trimesh/family-key.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { type PointSet, readPoints } from '../volumes/point-set.ts';
import { climbGraph } from './climb-graph.ts';
import { makeCore, mustBeSizes, polytopeCore } from './cores.ts';
import { BOX_FORM } from './one-body/box.ts';
import { FLAT } from './one-body/flat.ts';
import { HULL } from './one-body/hull.ts';
import { TUBE } from './one-body/tube.ts';
import type { BoxShape, HullShape, PointShape, PolygonShape, SegmentShape, TriangleShape } from './shape.ts';

/**
 * The box from -h to h, made larger by `rounding` on all sides: it then reaches from -(h + rounding) to h + rounding.
 * Any half size may be 0. O(1).
 */
export function box(hx: number, hy: number, hz: number, rounding = 0): BoxShape {
  mustBeSizes('box', { hx, hy, hz, rounding });
  const halfSize = vec3(hx, hy, hz);
  const extent = v3.length(halfSize);
  const inner = Math.min(hx, hy, hz);
  const core = makeCore({ type: BOX, data: [hx, hy, hz], radius: rounding, extent, inner });
  return {
    kind: 'box',
    halfSize,
    rounding,
    core,
    faces: boxPolyhedron(v3.negate(halfSize), halfSize),
    [FAMILY]: BOX_FORM,
  };
}

/**
 * The convex hull of points, decided exactly, made larger by `rounding` on all sides. The points are a list of
 * `{x, y, z}` or flat numbers; those that are no corners are left out. They may lie in a plane, on a line, or in one
 * place. The hull of a mesh holds it, and remembers it as its `source`. About O(n log n).
 */
export function hull(points: PointSet | Mesh, rounding = 0): HullShape {
  mustNotBeNegative('hull', 'rounding', rounding);
  const source = Object(points).kind === 'mesh' ? (points as Mesh) : null;
  const given = vectorsOf(readPoints('hull', source ? source.vertices : (points as PointSet)));
  const found = convexHull3(given);
  if (found.dimension < 3) {
    const corners = found.vertices.map((i) => given[i]!);
    const numbers = new Map(found.vertices.map((i, k) => [i, k]));
    const loop = found.faces[0]?.map((i) => numbers.get(i)!);
    const faces = loop ? twoSided(corners, loop) : null;
    return {
      kind: 'hull',
      points: corners,
      rounding,
      core: polytopeCore(corners, rounding),
      faces,
      source,
      [FAMILY]: FLAT,
    };
  }
  const faces = polyhedronFromHull(given, found);
  const graph = climbGraph(faces);
  const center = innerPoint(faces);
  const inner = center ? innerRadius(faces, center) : 0;
  const core = polytopeCore(faces.vertices, rounding, center, inner, graph);
  return { kind: 'hull', points: faces.vertices, rounding, core, faces, source, [FAMILY]: HULL };
}

/**
 * The triangle abc, made larger by `rounding` on all sides: a plate with round edges, or a flat thing without inside.
 * Its corners may lie on a line or coincide. O(1).
 */
export function triangle(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, rounding = 0): TriangleShape {
  checkPoint('triangle', 'a', a);
  checkPoint('triangle', 'b', b);
  checkPoint('triangle', 'c', c);
  mustNotBeNegative('triangle', 'rounding', rounding);
  const corners = [v3.copy(a), v3.copy(b), v3.copy(c)] as const;
  const faces = convexHull3(corners).dimension === 2 ? twoSided(corners, [0, 1, 2]) : null;
  const core = polytopeCore(corners, rounding);
  return {
    kind: 'triangle',
    a: corners[0],
    b: corners[1],
    c: corners[2],
    rounding,
    core,
    faces,
    [FAMILY]: FLAT,
  };
}

/**
 * A flat convex polygon, made larger by `rounding` on all sides; its corners in order, either way round, three of them
 * or more. Refuses what is not flat or not convex by more than single precision would make it; corners that coincide
 * or lie on a line are fine. O(n log n).
 */
export function polygon(points: readonly ReadonlyVec3[], rounding = 0): PolygonShape {
  mustNotBeNegative('polygon', 'rounding', rounding);
  mustBeFlatConvex('polygon', points);
  return flatPolygon(points, rounding);
}

/** `polygon` without the checks. @internal */
export function flatPolygon(points: readonly ReadonlyVec3[], rounding: number): PolygonShape {
  const corners = points.map((p) => v3.copy(p));
  const loop = corners.map((_, i) => i);
  const plane = fitNewell(corners, makePlane());
  const faces = plane && twoSided(corners, loop, plane.normal);
  return {
    kind: 'polygon',
    points: corners,
    rounding,
    core: polytopeCore(corners, rounding),
    faces,
    [FAMILY]: FLAT,
  };
}

/** The segment ab, made larger by `rounding` on all sides: a capsule between any two points. O(1). */
export function segment(a: ReadonlyVec3, b: ReadonlyVec3, rounding = 0): SegmentShape {
  checkPoint('segment', 'a', a);
  checkPoint('segment', 'b', b);
  mustNotBeNegative('segment', 'rounding', rounding);
  const core = makeCore({
    type: SEGMENT,
    data: [a.x, a.y, a.z, b.x, b.y, b.z],
    radius: rounding,
    extent: Math.max(v3.length(a), v3.length(b)),
    inner: 0,
    center: vec3(0.5 * a.x + 0.5 * b.x, 0.5 * a.y + 0.5 * b.y, 0.5 * a.z + 0.5 * b.z),
  });
  return { kind: 'segment', a: v3.copy(a), b: v3.copy(b), rounding, core, faces: null, [FAMILY]: TUBE };
}

/** The origin: with a pose, any point. O(1). */
export const point = (): PointShape => ({
  kind: 'point',
  core: makeCore({ type: POINT, data: [], radius: 0, extent: 0 }),
  faces: null,
  [FAMILY]: TUBE,
});

function vectorsOf(coordinates: Float64Array): Vec3[] {
  const list: Vec3[] = [];
  for (let i = 0; i < coordinates.length; i += 3)
    list.push(vec3(coordinates[i], coordinates[i + 1], coordinates[i + 2]));
  return list;
}

/** A flat polygon as a body with two faces, back to back. */
function twoSided(
  vertices: readonly ReadonlyVec3[],
  loop: readonly number[],
  normal: ReadonlyVec3 = facePlane(vertices, loop).normal,
): ReadonlyPolyhedron {
  const sides = [v3.copy(normal), v3.negate(normal)];
  const planes = sides.map((n) => {
    let d = -Infinity;
    for (const p of vertices) d = Math.max(d, v3.dot(n, p));
    return { normal: n, d };
  });
  return { vertices, faces: [loop, [...loop].reverse()], planes };
}

/**
 * The centre of mass, at least a quarter of the width away from all sides. In a body so thin that rounding puts it
 * outside, the mean of the corners.
 */
function innerPoint(body: ReadonlyPolyhedron): ReadonlyVec3 | undefined {
  const { centroid } = massOf(fans(body), 1);
  const isInside = body.planes.every(({ normal, d }) => v3.dot(normal, centroid) < d);
  return isInside ? centroid : undefined;
}

/** Of the lengths at hand: planes of slivers are off by more than rounding, but slivers are never alone near a point. */
const SLACK = 1e-6;

/** A ball with this radius about the point, which is inside, is inside. */
function innerRadius({ vertices, planes }: ReadonlyPolyhedron, center: ReadonlyVec3): number {
  let least = Infinity;
  for (const { normal, d } of planes) least = Math.min(least, d - v3.dot(normal, center));
  let extent = 0;
  for (const p of vertices) extent = Math.max(extent, v3.length(p));
  return Math.max(0, least - SLACK * extent);
}
