/** Polygon meshes as triangles, or as convex polygons. RTCD §12.5. */
import { mustNotBeNegative } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { convexPartition } from './convex-partition.ts';
import { mustBePolygonMesh, type PolygonMesh } from './polygon-mesh.ts';
import { straightVertices } from './straighten.ts';
import type { Triangles } from './triangles.ts';
import { triangulatePolygon } from './triangulate.ts';

/** The triangles of a polygon mesh. */
export interface TriangulatedMesh extends Triangles {
  readonly positions: Float64Array;
  /** For each triangle the face that it is part of. */
  readonly source: Uint32Array;
}

/**
 * All faces as triangles over the same vertices. With a `tolerance`, vertices that are off a straight side by no more
 * than that are taken for vertices on it, or there would be slivers along it. A face that crosses
 * itself is triangulated as well as can be, and one without any area has no triangles.
 */
export function triangulateMesh(mesh: PolygonMesh, tolerance = 0): TriangulatedMesh {
  mustBePolygonMesh('triangulateMesh', 'mesh', mesh);
  mustNotBeNegative('triangulateMesh', 'tolerance', tolerance);
  const positions = new Float64Array(3 * mesh.vertices.length);
  mesh.vertices.forEach(({ x, y, z }, v) => {
    positions.set([x, y, z], 3 * v);
  });
  const index: number[] = [];
  const source: number[] = [];
  mesh.faces.forEach((face, f) => {
    for (const triangle of triangulateFace(mesh.vertices, face, tolerance)) {
      index.push(...triangle);
      source.push(f);
    }
  });
  return { positions, index: Uint32Array.from(index), source: Uint32Array.from(source) };
}

/** @internal Triangles of vertex numbers. */
export const triangulateFace = (
  vertices: readonly ReadonlyVec3[],
  face: readonly number[],
  tolerance: number,
): number[][] =>
  face.length === 3
    ? [[...face]]
    : cutAtCorners(vertices, face, tolerance, (corners) =>
        triples(triangulatePolygon(corners).triangles),
      ).flatMap(splitTriangle);

/**
 * Loops of vertex numbers, convex but for dents no deeper than the tolerance.
 *
 * @internal
 */
export function partitionFace(
  vertices: readonly ReadonlyVec3[],
  face: readonly number[],
  tolerance: number,
): number[][] {
  const pieces = cutAtCorners(vertices, face, tolerance, (corners) => convexPartition(corners).pieces);
  return pieces.length === 1 ? [[...face]] : pieces.map((sides) => sides.flat());
}

const triples = (index: readonly number[]): number[][] =>
  Array.from({ length: index.length / 3 }, (_, t) => index.slice(3 * t, 3 * t + 3));

/**
 * Cuts a face without the vertices nearly on its straight sides, which would make slivers, and puts these back. Each
 * piece is a list of sides: a corner, and the vertices between it and the next.
 */
function cutAtCorners(
  vertices: readonly ReadonlyVec3[],
  face: readonly number[],
  tolerance: number,
  cut: (corners: ReadonlyVec3[]) => number[][],
): number[][][] {
  const straight = straightVertices(vertices, face, tolerance);
  const corners = face.filter((v) => !straight.has(v));
  const after = new Map(face.map((v, i) => [v, face[(i + 1) % face.length]!]));
  return cut(corners.map((v) => vertices[v]!)).map((piece) =>
    piece.map((i, k) => {
      const side = [corners[i]!];
      const isOuter = piece[(k + 1) % piece.length] === (i + 1) % corners.length;
      for (let v = after.get(corners[i]!)!; isOuter && straight.has(v); v = after.get(v)!) side.push(v);
      return side;
    }),
  );
}

/** A triangle with vertices on its sides, cut from the middle of one of them to the corner beyond, and so on. */
function splitTriangle(sides: readonly number[][]): number[][] {
  const found: number[][] = [];
  const stack = [sides];
  while (stack.length > 0) {
    const triangle = stack.pop()!;
    const longest = triangle.reduce((best, side, i) => (side.length > triangle[best]!.length ? i : best), 0);
    const [ab, bc, ca] = [0, 1, 2].map((k) => triangle[(longest + k) % 3]!) as [number[], number[], number[]];
    if (ab.length === 1) found.push([ab[0]!, bc[0]!, ca[0]!]);
    else {
      const middle = ab.length >>> 1;
      stack.push([ab.slice(middle), bc, [ca[0]!]], [ab.slice(0, middle), [ab[middle]!], ca]);
    }
  }
  return found;
}
