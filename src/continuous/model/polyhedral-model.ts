/** Polyhedra prepared for exact sweeps. van Waveren 2005, §4 and §7. */
import { describe, mustBeOptions, refuse } from '../../math/check.ts';
import { BEYOND_ROUNDING } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { type HalfEdges, halfEdgesOf } from '../../mesh/half-edge.ts';
import { facePlane } from '../../polytope/polyhedron.ts';
import { CONVEX_EDGE, INTERNAL_EDGE, type PolyhedralModel } from '../types.ts';
import { buildAxialBsp } from './axial-bsp.ts';
import { modelEdges, touchedVertices } from './edge-kinds.ts';
import { mergeLoops } from './merge-coplanar.ts';
import { type ModelSource, readSource } from './model-source.ts';

export interface ModelOptions {
  /**
   * Touched from the front of its polygons only, or from both sides? Default: 'front' if the surface is closed, else
   * 'both'.
   */
  readonly sides?: 'front' | 'both';
  /** Make one polygon of neighbours in one plane, as long as it is convex? Default: true. */
  readonly mergeCoplanar?: boolean;
}

/**
 * Prepares a polyhedron for `sweepPolyhedra` and `traceModel`: triangles (any arrays of numbers, as `mesh` takes them),
 * convex polygons, a mesh, a box, hull, triangle or polygon without rounding, or a point. Closed or open, convex or not,
 * in one piece or many. Work that does not depend on the motion is done here, once. About O(n log n).
 *
 * Vertices with equal coordinates become one. Polygons without area are left out (`dropped` says how many). Polygons
 * must be flat and convex as good as single precision can tell; those that are not so to within some roundings in
 * double precision are cut into triangles. With `mergeCoplanar`, neighbours that are in one plane to within 2^-48 of the
 * largest coordinate become one polygon where that is convex, and corners exactly in the middle of a straight side are
 * left out where no other polygon needs them.
 */
export function polyhedralModel(source: ModelSource, options: ModelOptions = {}): PolyhedralModel {
  mustBeOptions('polyhedralModel', 'options', options, 'sides mergeCoplanar');
  const { sides, mergeCoplanar = true } = options;
  if (sides !== undefined && sides !== 'front' && sides !== 'both')
    refuse('polyhedralModel', 'options.sides', `must be 'front' or 'both', got ${describe(sides)}`);
  const soup = readSource(source);
  const { vertices, loops, sources } = mergeCoplanar && soup.loops.length > 1 ? mergeLoops(soup) : soup;
  const half = halfEdgesOf(loops, vertices.length);
  const planes = planesOf(vertices, loops);
  const { edges, edgePolygons, edgeKinds, polygonEdges, closed } = modelEdges(
    vertices,
    half,
    planes,
    soup.flatness,
  );
  const isSolid = (sides ?? (closed && loops.length > 0 ? 'front' : 'both')) === 'front';
  // From the back, what looks at each other bulges.
  for (let e = 0; e < edgeKinds.length; e++)
    if (!isSolid && edgeKinds[e] === INTERNAL_EDGE) edgeKinds[e] = CONVEX_EDGE;
  const polygonBounds = boundsOf(vertices, half);
  const low = vec3(Infinity, Infinity, Infinity);
  const high = vec3(-Infinity, -Infinity, -Infinity);
  const points = new Float64Array(3 * vertices.length);
  vertices.forEach(({ x, y, z }, v) => {
    points[3 * v] = x;
    points[3 * v + 1] = y;
    points[3 * v + 2] = z;
    low.x = Math.min(low.x, x);
    low.y = Math.min(low.y, y);
    low.z = Math.min(low.z, z);
    high.x = Math.max(high.x, x);
    high.y = Math.max(high.y, y);
    high.z = Math.max(high.z, z);
  });
  return {
    points,
    edges,
    edgePolygons,
    edgeKinds,
    vertexTouches: touchedVertices(vertices.length, edges, edgeKinds),
    polygonStart: Int32Array.from(half.faceStart),
    polygonVertices: Int32Array.from(half.vertex),
    polygonEdges,
    planes,
    sources: Int32Array.from(sources),
    polygonBounds,
    low,
    high,
    closed: closed && loops.length > 0,
    sides: isSolid ? 'front' : 'both',
    dropped: soup.dropped,
    bsp: buildAxialBsp(polygonBounds),
    tracer: { axes: null, lines: new Float64Array(0), size: 0 },
    sweeper: { level: null, bits: null, ring: null, hollow: null },
  };
}

/** Unit normals, and the distance in the middle between that of the nearest and of the farthest corner. */
function planesOf(vertices: readonly ReadonlyVec3[], loops: readonly (readonly number[])[]): Float64Array {
  const planes = new Float64Array(4 * loops.length);
  loops.forEach((loop, f) => {
    const { normal, d } = facePlane(vertices, loop);
    let least = Infinity;
    for (const v of loop) {
      const { x, y, z } = vertices[v]!;
      least = Math.min(least, normal.x * x + normal.y * y + normal.z * z);
    }
    planes[4 * f] = normal.x + 0; // no -0
    planes[4 * f + 1] = normal.y + 0;
    planes[4 * f + 2] = normal.z + 0;
    planes[4 * f + 3] = least + (d - least) / 2;
  });
  return planes;
}

function boundsOf(
  vertices: readonly ReadonlyVec3[],
  { faceCount, faceStart, vertex }: HalfEdges,
): Float64Array {
  const bounds = new Float64Array(6 * faceCount);
  for (let f = 0; f < faceCount; f++) {
    for (let k = 0; k < 3; k++) {
      bounds[6 * f + k] = Infinity;
      bounds[6 * f + 3 + k] = -Infinity;
    }
    for (let h = faceStart[f]!; h < faceStart[f + 1]!; h++) {
      const { x, y, z } = vertices[vertex[h]!]!;
      bounds[6 * f] = Math.min(bounds[6 * f]!, x);
      bounds[6 * f + 1] = Math.min(bounds[6 * f + 1]!, y);
      bounds[6 * f + 2] = Math.min(bounds[6 * f + 2]!, z);
      bounds[6 * f + 3] = Math.max(bounds[6 * f + 3]!, x);
      bounds[6 * f + 4] = Math.max(bounds[6 * f + 4]!, y);
      bounds[6 * f + 5] = Math.max(bounds[6 * f + 5]!, z);
    }
  }
  return bounds;
}

/** Of the extent of the smaller model. @internal */
export const THICKNESS = 1e-6;
/** Of the largest coordinate: less would be lost in rounding. @internal */
export const LEAST_THICKNESS = BEYOND_ROUNDING;

/**
 * The default thickness of the expel zone: a millionth of the diagonal of the smaller model (of the
 * other one for a point), but never so little that rounding of coordinates as large as `largest` would matter.
 *
 * @internal
 */
export function defaultThickness(mover: PolyhedralModel, target: PolyhedralModel, largest: number): number {
  const a = extentOf(mover);
  const b = extentOf(target);
  const extent = a > 0 && b > 0 ? Math.min(a, b) : Math.max(a, b);
  return Math.max(THICKNESS * extent, LEAST_THICKNESS * largest);
}

/** @internal The diagonal of its box. */
export function extentOf({ low, high }: PolyhedralModel): number {
  const x = high.x - low.x;
  const y = high.y - low.y;
  const z = high.z - low.z;
  return Math.sqrt(x * x + y * y + z * z);
}
