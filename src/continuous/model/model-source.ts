/** What a polyhedral model can be made from, brought into one form: vertices, and loops of their numbers. */
import { BOX, type ConvexCore, POINT, POLYTOPE } from '../../convex/core.ts';
import { checkPoint, isPoint, refuse } from '../../math/check.ts';
import { orient2d } from '../../math/orient.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { cutEars } from '../../mesh/ear-cutting.ts';
import { mustBeFlatConvex } from '../../mesh/flat-convex.ts';
import { closeSeams } from '../../mesh/seams.ts';
import { readTriangles, type TrianglesLike } from '../../mesh/triangles.ts';
import { fillRings, flattenPolygon } from '../../mesh/triangulate.ts';
import { weldEqual } from '../../mesh/weld.ts';
import { dropAxis, facingAxis } from '../../polytope/affine.ts';
import { mustBeFaces } from '../../polytope/input.ts';
import { facePlane } from '../../polytope/polyhedron.ts';
import type { Mesh } from '../../trimesh/mesh.ts';
import type { AnyShape } from '../any-shape.ts';

/** Convex polygons over shared vertices, counter-clockwise seen from the front. */
export interface PolygonsLike {
  readonly vertices: readonly ReadonlyVec3[];
  readonly polygons: readonly (readonly number[])[];
}

/** Triangles, convex polygons, or a shape with flat sides (or that is a point) and without rounding. */
export type ModelSource = TrianglesLike | PolygonsLike | AnyShape;

/**
 * The polygons of a model to be, without those that have no area.
 *
 * @internal
 */
export interface Soup {
  /** All different. */
  vertices: ReadonlyVec3[];
  loops: number[][];
  /** For each loop the number that the maker knows it by. */
  sources: number[];
  /** How many polygons without area were left out. */
  dropped: number;
  /** What flatness is measured by: polygons are flat, and neighbours in one plane, if they are so to within this. */
  flatness: number;
}

/** Of the largest coordinate: far below the thinnest expel zone (2^-40), and some roundings of a plane's equation. */
const FLATNESS = 32 * UNIT_ROUNDING;

const CALLER = 'polyhedralModel';

/**
 * Reads and checks a source.
 *
 * @internal
 */
export function readSource(source: ModelSource): Soup {
  if (typeof source !== 'object' || source === null)
    refuse(CALLER, 'source', 'must be triangles, polygons, or a shape with flat sides');
  if ('kind' in source) return readShape(source);
  if ('positions' in source) {
    const triangles = readTriangles(`${CALLER}: source`, source);
    const { index } = triangles;
    const { positions } = closeSeams(triangles);
    const loops: number[][] = [];
    for (let i = 0; i < index.length; i += 3) loops.push([index[i]!, index[i + 1]!, index[i + 2]!]);
    return tidy(positions, loops);
  }
  if (!('vertices' in source && 'polygons' in source))
    refuse(CALLER, 'source', 'must have positions, or vertices and polygons, or be a shape');
  const { vertices, polygons } = source;
  if (!Array.isArray(vertices) || vertices.length === 0)
    refuse(CALLER, 'source.vertices', 'must be a list of points');
  const positions = flatten('source.vertices', vertices);
  if (!Array.isArray(polygons)) refuse(CALLER, 'source.polygons', 'must be a list of loops');
  if (polygons.length === 0 && vertices.length === 1) return pointSoup(vertices[0]!);
  mustBeFaces(CALLER, 'source.polygons', polygons, vertices.length);
  return tidy(positions, polygons);
}

function readShape(shape: AnyShape): Soup {
  if (shape.kind === 'heightField' || shape.kind === 'skinned') return readMesh(shape.mesh);
  if (shape.kind === 'mesh') return readMesh(shape);
  if (!('core' in shape))
    refuse(
      CALLER,
      'source',
      'bound' in shape
        ? `must have flat sides, which a ${shape.kind} has not: make a mesh of the surface`
        : `must not be a ${shape.kind}: make a model of each of its parts`,
    );
  const { core, faces } = shape;
  if (core.radius > 0)
    refuse(
      CALLER,
      'source',
      'must not be rounded: give it a model of its flat sides, and a thicker expel zone',
    );
  if (isOnePoint(core)) return pointSoup(core.center);
  if (faces === null) refuse(CALLER, 'source', `must have flat sides, which this ${shape.kind} has not`);
  return tidy(flatten('source', faces.vertices), sheetOrSolid(faces.vertices, faces.faces));
}

/** A point, or a box or a hull without any extent. */
const isOnePoint = ({ type, data }: ConvexCore): boolean =>
  type === POINT ||
  (type === BOX && data[0]! + data[1]! + data[2]! === 0) ||
  (type === POLYTOPE && data.length === 3);

/** Of what lies in a plane, shapes have the front and the back: one is enough, for it is touched from both sides. */
function sheetOrSolid(
  vertices: readonly ReadonlyVec3[],
  faces: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  const solid = faces.filter((face) => hasArea(face.map((v) => vertices[v]!)));
  return solid.length === 2 ? [solid[1]!] : faces;
}

function readMesh({ vertices, corners, ids, givenCount }: Mesh): Soup {
  const loops: number[][] = new Array(givenCount); // with gaps for what was left out, which nobody visits
  for (let i = 0; i < ids.length; i++)
    loops[ids[i]!] = [corners[3 * i]!, corners[3 * i + 1]!, corners[3 * i + 2]!];
  return tidy(vertices, loops);
}

const pointSoup = ({ x, y, z }: ReadonlyVec3): Soup => ({
  vertices: [vec3(x, y, z)],
  loops: [],
  sources: [],
  dropped: 0,
  flatness: 0,
});

function flatten(name: string, points: readonly ReadonlyVec3[]): Float64Array {
  const flat = new Float64Array(3 * points.length);
  points.forEach((point, i) => {
    if (!isPoint(point)) checkPoint(CALLER, `${name}[${i}]`, point);
    const { x, y, z } = point;
    flat[3 * i] = x;
    flat[3 * i + 1] = y;
    flat[3 * i + 2] = z;
  });
  return flat;
}

/** Welds equal vertices, leaves out those that nobody uses and polygons without area, and splits what is not quite flat. */
function tidy(positions: Float32Array | Float64Array, given: readonly (readonly number[])[]): Soup {
  const { positions: kept, remap } = weldEqual(positions);
  const vertices: ReadonlyVec3[] = [];
  let largest = 0;
  for (let i = 0; i < kept.length; i += 3) {
    // No -0: what is equal has the same bits.
    vertices.push({ x: kept[i]! + 0, y: kept[i + 1]! + 0, z: kept[i + 2]! + 0 });
    largest = Math.max(largest, Math.abs(kept[i]!), Math.abs(kept[i + 1]!), Math.abs(kept[i + 2]!));
  }
  const soup: Soup = { vertices, loops: [], sources: [], dropped: 0, flatness: FLATNESS * largest };
  given.forEach((polygon, i) => {
    const loop = withoutRepeats(polygon.map((v) => remap[v]!));
    if (!hasArea(loop.map((v) => vertices[v]!))) {
      soup.dropped++;
      return;
    }
    for (const piece of loop.length === 3 ? [loop] : convexPieces(soup, loop, i)) {
      soup.loops.push(piece);
      soup.sources.push(i);
    }
  });
  if (soup.loops.length === 0) refuse(CALLER, 'source', 'must have a polygon with an area (or be a point)');
  return packSoup(soup);
}

const withoutRepeats = (loop: readonly number[]): number[] =>
  loop.filter((v, i) => v !== loop[(i + loop.length - 1) % loop.length]);

/** Are three of the points not on one line, exactly? */
function hasArea(points: readonly ReadonlyVec3[]): boolean {
  for (let i = 2; i < points.length; i++)
    if (facingAxis(points[0]!, points[1]!, points[i]!) !== undefined) return true;
  return false;
}

/** The polygon itself if it is flat and convex; triangles where it is so as good as single precision can tell only. */
function convexPieces(soup: Soup, loop: number[], i: number): number[][] {
  const points = loop.map((v) => soup.vertices[v]!);
  if (new Set(loop).size < loop.length)
    refuse(CALLER, `source.polygons[${i}]`, 'must not come back to a vertex');
  mustBeFlatConvex(`${CALLER}: source.polygons[${i}]`, points);
  if (isFlatConvex(points, soup.flatness)) return [loop];
  const { flat, rings } = flattenPolygon(CALLER, points, []);
  // Faces have few corners: no need for earcut, which is fast for many.
  const { triangles, status } = fillRings(flat, rings, cutEars);
  if (status !== 'complete') refuse(CALLER, `source.polygons[${i}]`, 'must not cross itself');
  const pieces: number[][] = [];
  for (let k = 0; k < triangles.length; k += 3)
    pieces.push([loop[triangles[k]!]!, loop[triangles[k + 1]!]!, loop[triangles[k + 2]!]!]);
  return pieces;
}

/**
 * Are all points within `flatness` of the plane that fits them best, and does the loop turn to the left or go straight at
 * each, exactly, seen along the axis that it faces most? It is known not to cross itself.
 *
 * @internal
 */
function isFlatConvex(points: readonly ReadonlyVec3[], flatness: number): boolean {
  const { normal } = facePlane(
    points,
    points.map((_, k) => k),
  );
  const first = points[0]!;
  for (const p of points) {
    // Relative to a corner, so that the size of d takes no digits away.
    const h = normal.x * (p.x - first.x) + normal.y * (p.y - first.y) + normal.z * (p.z - first.z);
    if (!(Math.abs(h) <= flatness)) return false;
  }
  const n = points.length;
  for (let k = 0; k < n; k++)
    if (turnSign(points[k]!, points[(k + 1) % n]!, points[(k + 2) % n]!, normal) < 0) return false;
  return true;
}

/**
 * > 0 when abc turns to the left, 0 when it goes straight, seen against the largest component of the normal. Exact.
 *
 * @internal
 */
export function turnSign(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, normal: ReadonlyVec3): number {
  const nx = Math.abs(normal.x);
  const ny = Math.abs(normal.y);
  const nz = Math.abs(normal.z);
  const axis = nx >= ny && nx >= nz ? 'x' : ny >= nz ? 'y' : 'z';
  const sign = orient2d(dropAxis(a, axis), dropAxis(b, axis), dropAxis(c, axis));
  return normal[axis] > 0 ? sign : -sign;
}

/**
 * Without vertices that no loop uses; the others keep their order.
 *
 * @internal
 */
export function packSoup(soup: Soup): Soup {
  const renumbered = new Int32Array(soup.vertices.length).fill(-1);
  for (const loop of soup.loops) for (const v of loop) renumbered[v] = 0;
  const vertices = soup.vertices.filter((_, v) => renumbered[v] === 0);
  let count = 0;
  for (let v = 0; v < renumbered.length; v++) if (renumbered[v] === 0) renumbered[v] = count++;
  return { ...soup, vertices, loops: soup.loops.map((loop) => loop.map((v) => renumbered[v]!)) };
}
