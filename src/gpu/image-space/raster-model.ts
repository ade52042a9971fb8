/** Triangles made ready to be drawn: what a rasteriser uploads once and draws at any pose. */
import { mustBePose, mustHave } from '../../math/check.ts';
import { orient3d } from '../../math/orient.ts';
import { normalize as unitQuat } from '../../math/quat.ts';
import { type ReadonlyPose, type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import { cross, dot, rotate, sub } from '../../math/vec3.ts';
import { edgeFaces } from '../../mesh/adjacency.ts';
import { closeSeams, rimEdges } from '../../mesh/seams.ts';
import { readTriangles, type Triangles, type TrianglesLike } from '../../mesh/triangles.ts';
import { weldEqual } from '../../mesh/weld.ts';
import type { Aabb } from '../../primitives/types.ts';

/**
 * Triangles as a rasteriser draws them. Coordinates are relative to `center`, in units of `scale`, so that 32 bits hold them well
 * wherever the triangles stand. Made by `rasterModel`; knows nothing of any rasteriser, and can be drawn by all.
 */
export interface RasterModel {
  readonly triangleCount: number;
  readonly edgeCount: number;
  /** Nine numbers a triangle. */
  readonly corners: Float32Array;
  /** Six numbers an edge, its two ends. Edges between triangles in one plane are left out: they bound no face. */
  readonly edges: Float32Array;
  /** At each end of each edge, the unit vector that leads away from the solid. */
  readonly outward: Float32Array;
  readonly center: ReadonlyVec3;
  readonly scale: number;
  /** Of the box around the triangles, about `center`. */
  readonly halfSize: ReadonlyVec3;
  /** Does every edge have as many triangles that run along it one way as the other? Then the triangles bound a solid. */
  readonly isClosed: boolean;
}

/** A model at a place. */
export interface ImageBody {
  readonly model: RasterModel;
  /** Read at every query. Default: at the origin, unrotated. */
  readonly pose?: ReadonlyPose;
}

/** Makes triangles ready to be drawn: `rasterModel({ positions, index })`. O(n log n), once. */
export function rasterModel(triangles: TrianglesLike): RasterModel {
  const given = readTriangles('rasterModel: triangles', triangles);
  const { index } = given;
  const { positions } = closeSeams(given);
  const { low, high } = extentOf(positions, index);
  const center = vec3((low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2);
  const halfSize = vec3((high.x - low.x) / 2, (high.y - low.y) / 2, (high.z - low.z) / 2);
  const scale = Math.max(halfSize.x, halfSize.y, halfSize.z) || 1;
  const corners = new Float32Array(3 * index.length);
  for (let i = 0; i < index.length; i++) writeLocal(positions, index[i]!, { center, scale }, corners, 3 * i);
  const { ends, normals } = sharpEdges({ positions, index });
  const edges = new Float32Array(3 * ends.length);
  for (let i = 0; i < ends.length; i++) writeLocal(positions, ends[i]!, { center, scale }, edges, 3 * i);
  return {
    triangleCount: index.length / 3,
    edgeCount: ends.length / 2,
    corners,
    edges,
    outward: Float32Array.from(normals),
    center,
    scale,
    halfSize,
    isClosed: rimEdges({ positions, index }).length === 0,
  };
}

function extentOf(positions: ArrayLike<number>, index: Uint32Array): { low: Vec3; high: Vec3 } {
  const low = vec3(Infinity, Infinity, Infinity);
  const high = vec3(-Infinity, -Infinity, -Infinity);
  for (const v of index) {
    const p = pointAt(positions, v);
    for (const axis of ['x', 'y', 'z'] as const) {
      low[axis] = Math.min(low[axis], p[axis]);
      high[axis] = Math.max(high[axis], p[axis]);
    }
  }
  return { low, high };
}

const pointAt = (p: ArrayLike<number>, v: number): Vec3 => vec3(p[3 * v], p[3 * v + 1], p[3 * v + 2]);

function writeLocal(
  positions: ArrayLike<number>,
  v: number,
  { center, scale }: Pick<RasterModel, 'center' | 'scale'>,
  out: Float32Array,
  at: number,
): void {
  out[at] = (positions[3 * v]! - center.x) / scale;
  out[at + 1] = (positions[3 * v + 1]! - center.y) / scale;
  out[at + 2] = (positions[3 * v + 2]! - center.z) / scale;
}

/** The edges that are not inside of a flat face, as pairs of vertices; and the unit normal at each of these ends. */
function sharpEdges({ positions, index }: Triangles): { ends: number[]; normals: number[] } {
  const { remap, positions: welded } = weldEqual(positions);
  // Triangles that have lost a corner to another have no inside, and their edges are those of their neighbours.
  const faces: number[][] = [];
  for (let i = 0; i < index.length; i += 3) {
    const [a, b, c] = [remap[index[i]!]!, remap[index[i + 1]!]!, remap[index[i + 2]!]!];
    if (a !== b && b !== c && c !== a) faces.push([a, b, c]);
  }
  const vertexCount = welded.length / 3;
  const first = new Uint32Array(vertexCount);
  for (let v = remap.length - 1; v >= 0; v--) first[remap[v]!] = v;
  const normals = vertexNormals(welded, faces);
  const table = edgeFaces(faces, vertexCount);
  const result = { ends: [] as number[], normals: [] as number[] };
  for (let e = 0; e < table.edgeCount; e++) {
    const [a, b] = [table.vertices[2 * e]!, table.vertices[2 * e + 1]!];
    const around = Array.from(table.faces.subarray(table.start[e]!, table.start[e + 1]!), (f) => faces[f]!);
    if (isFlatEdge(welded, a, b, around)) continue;
    for (const v of [a, b]) {
      result.ends.push(first[v]!);
      result.normals.push(normals[3 * v]!, normals[3 * v + 1]!, normals[3 * v + 2]!);
    }
  }
  return result;
}

/** Between two triangles in exactly one plane, on either side of it. */
function isFlatEdge(
  positions: ArrayLike<number>,
  a: number,
  b: number,
  around: readonly number[][],
): boolean {
  if (around.length !== 2) return false;
  const [pa, pb] = [pointAt(positions, a), pointAt(positions, b)];
  const [c, d] = around.map((face) => pointAt(positions, face.find((v) => v !== a && v !== b)!)) as [
    Vec3,
    Vec3,
  ];
  if (orient3d(pa, pb, c, d) !== 0) return false;
  const along = sub(pb, pa);
  return dot(cross(along, sub(c, pa)), cross(along, sub(d, pa))) < 0;
}

/** The mean of the normals of the faces around, by their areas; zero where they cancel. */
function vertexNormals(positions: ArrayLike<number>, faces: readonly number[][]): Float64Array {
  const normals = new Float64Array(positions.length);
  const { low, high } = extentOf(positions, Uint32Array.from(faces.flat()));
  // Products of coordinates beyond the range of doubles are no use.
  const size = Math.max(high.x - low.x, high.y - low.y, high.z - low.z) || 1;
  for (const face of faces) {
    const [a, b, c] = face.map((v) => pointAt(positions, v)) as [Vec3, Vec3, Vec3];
    const [ab, ac] = [sub(b, a), sub(c, a)];
    for (const e of [ab, ac]) for (const axis of ['x', 'y', 'z'] as const) e[axis] /= size;
    const n = cross(ab, ac);
    for (const v of face) {
      normals[3 * v]! += n.x;
      normals[3 * v + 1]! += n.y;
      normals[3 * v + 2]! += n.z;
    }
  }
  for (let i = 0; i < normals.length; i += 3) {
    const [x, y, z] = [normals[i]!, normals[i + 1]!, normals[i + 2]!];
    const length = Math.sqrt(x * x + y * y + z * z) || 1;
    for (let k = 0; k < 3; k++) normals[i + k]! /= length;
  }
  return normals;
}

/** A model where it stands: its local coordinates to the world's, column by column, and its box there. @internal */
export interface PlacedModel {
  readonly model: RasterModel;
  /** Three columns and the place: world = columns · local + place. */
  readonly columns: readonly [Vec3, Vec3, Vec3];
  readonly place: Vec3;
  /** Holds the model, rounding included. */
  readonly box: Aabb;
}

/** The rounding of a few products, relative to their size. */
const ROUNDING = 2.842170943040401e-14; // 2^-45

/** Checks a body and reads its pose. @internal */
export function placeBody(caller: string, name: string, body: ImageBody): PlacedModel {
  mustHave(caller, name, body, 'a body { model, pose }', 'model');
  const { model, pose } = body;
  mustHave(caller, `${name}.model`, model, 'a model, from rasterModel', 'outward');
  if (pose !== undefined) mustBePose(caller, `${name}.pose`, pose);
  const q = unitQuat(pose?.quaternion ?? { x: 0, y: 0, z: 0, w: 1 });
  const { center, scale: s, halfSize: h } = model;
  const place = rotate(center, q);
  const at = pose?.position ?? vec3();
  place.x += at.x;
  place.y += at.y;
  place.z += at.z;
  const units = [rotate(vec3(1), q), rotate(vec3(0, 1), q), rotate(vec3(0, 0, 1), q)] as const;
  const reach = (axis: 'x' | 'y' | 'z'): number => {
    const r =
      Math.abs(units[0][axis]) * h.x + Math.abs(units[1][axis]) * h.y + Math.abs(units[2][axis]) * h.z;
    return (
      r + ROUNDING * (r + Math.abs(at[axis]) + Math.abs(center.x) + Math.abs(center.y) + Math.abs(center.z))
    );
  };
  const [rx, ry, rz] = [reach('x'), reach('y'), reach('z')];
  return {
    model,
    columns: units.map(({ x, y, z }) => vec3(x * s, y * s, z * s)) as [Vec3, Vec3, Vec3],
    place,
    box: {
      min: vec3(place.x - rx, place.y - ry, place.z - rz),
      max: vec3(place.x + rx, place.y + ry, place.z + rz),
    },
  };
}

/** @internal */
export const cube = /* @__PURE__ */ (() => {
  const positions = Array.from({ length: 24 }, (_, i) => ((Math.floor(i / 3) >> (i % 3)) & 1 ? 1 : -1));
  const quads = ['0462', '1375', '0154', '2673', '0231', '4576'];
  const index = quads.flatMap((quad) => [0, 1, 2, 0, 2, 3].map((corner) => Number(quad[corner])));
  return (): RasterModel => rasterModel({ positions, index });
})();

/** The cube of `cube` as a box of the world. @internal */
export function placeBox(model: RasterModel, box: Aabb): PlacedModel {
  const { min, max } = box;
  return {
    model,
    columns: [vec3((max.x - min.x) / 2), vec3(0, (max.y - min.y) / 2), vec3(0, 0, (max.z - min.z) / 2)],
    place: vec3((min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2),
    box,
  };
}

/** Of both boxes; min above max where they have nothing in common. @internal */
export const commonBox = (a: Aabb, b: Aabb): Aabb => ({
  min: vec3(Math.max(a.min.x, b.min.x), Math.max(a.min.y, b.min.y), Math.max(a.min.z, b.min.z)),
  max: vec3(Math.min(a.max.x, b.max.x), Math.min(a.max.y, b.max.y), Math.min(a.max.z, b.max.z)),
});

/** @internal */
export const unionBox = (boxes: readonly Aabb[]): Aabb =>
  boxes.reduce((a, b) => ({
    min: vec3(Math.min(a.min.x, b.min.x), Math.min(a.min.y, b.min.y), Math.min(a.min.z, b.min.z)),
    max: vec3(Math.max(a.max.x, b.max.x), Math.max(a.max.y, b.max.y), Math.max(a.max.z, b.max.z)),
  }));

/** @internal */
export const isEmptyBox = ({ min, max }: Aabb): boolean => min.x > max.x || min.y > max.y || min.z > max.z;
