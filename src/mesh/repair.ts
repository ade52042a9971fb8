/** From a soup of polygons to a mesh that can be trusted. RTCD §12. */
import { describe, mustBeOptions, mustNotBeNegative, refuse } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { isMisoriented } from './adjacency.ts';
import { componentsOf } from './components.ts';
import { packMesh, simpleLoops } from './edit-mesh.ts';
import { type ComponentTopology, fansOf, topologyOf } from './euler.ts';
import { fixFaceCracks } from './face-cracks.ts';
import { halfEdgesOf } from './half-edge.ts';
import { mergeCoplanar } from './merge-coplanar.ts';
import { thicknessOf } from './newell.ts';
import { orient } from './orient.ts';
import { overlappingFaces } from './overlapping-faces.ts';
import { type MeshLike, type PolygonMesh, readMesh } from './polygon-mesh.ts';
import { fixTJunctions, type TJunctionFix } from './t-junctions.ts';
import { partitionFace, triangulateFace, triangulateMesh } from './triangulate-mesh.ts';
import { mustBeTolerance, type WeldMethod, weldPositions } from './weld.ts';

export interface RepairOptions {
  /**
   * The width of what is to be closed: vertices nearer to each other than this are one, and vertices no farther than
   * this from an edge are on it. Default: a millionth of the largest coordinate.
   */
  readonly tolerance?: number;
  /** See `WeldMethod`. Default: `first`. */
  readonly weld?: WeldMethod;
  /**
   * Which cracks to close. `local`: those between edges that meet, found along the borders. `edges`, the default: all
   * where a vertex lies on an edge, of connected parts or not. `faces`: also those where a vertex lies on the inside of
   * a face, which is split.
   */
  readonly cracks?: 'none' | 'local' | 'edges' | 'faces';
  /** What to do with a vertex on an edge, see `TJunctionFix`. Default: `crack`. */
  readonly fix?: TJunctionFix;
  /** Leave vertices that lie behind a face, as seen from its front, out of `faces`. */
  readonly skipBehind?: boolean;
  /**
   * Join faces that lie between two planes this far apart, see `mergeCoplanarFaces`. Default: none are joined. Triangles
   * that would be cut into just as many again are left as they are.
   */
  readonly mergeThickness?: number;
  /** `consistent`, the default: neighbours agree on what is outside. `outward`: see `orientMesh`. */
  readonly orient?: 'keep' | 'consistent' | 'outward';
  /** What the faces of the result are to be; `triangles` for a mesh given as these, else `polygons`. */
  readonly faces?: 'polygons' | 'convex' | 'triangles';
}

/** What was done, and what is left that no tolerance repairs. Faces are numbered as in the result, but where noted. */
export interface RepairReport {
  /** Vertices joined with others by welding. */
  readonly weldedVertices: number;
  /** Faces of the input of which nothing is left: they had no extent, were thinner than the tolerance, or came twice. */
  readonly droppedFaces: readonly number[];
  /** Edges led through vertices on them. */
  readonly crackedEdges: number;
  /** Vertices on edges joined with the ends of these. */
  readonly collapsedVertices: number;
  /** Was closing cracks too much work? Only where hundreds of vertices lie on hundreds of edges of one line. */
  readonly cracksTruncated: boolean;
  /** Faces split to take in vertices. */
  readonly crackedFaces: number;
  /** Faces that joining coplanar ones has saved. */
  readonly mergedFaces: number;
  /** Faces turned over. */
  readonly flippedFaces: number;
  /** For each face, the faces of the input that it is (a part of) or was made of. */
  readonly source: readonly (readonly number[])[];
  /** Is every edge one of exactly two faces that agree on what is outside? */
  readonly isClosed: boolean;
  readonly components: readonly ComponentTopology[];
  /** Edges of one face: the rims of holes. */
  readonly borderEdges: number;
  /** Edges of more than two faces. */
  readonly nonManifoldEdges: number;
  /** Vertices where several fans of faces meet. */
  readonly nonManifoldVertices: number;
  /** Edges of two faces that disagree on what is outside: what is left of them is on one-sided surfaces. */
  readonly misorientedEdges: number;
  /** Pairs of faces that lie on each other. */
  readonly overlappingFaces: readonly (readonly [number, number])[];
  /** May there be pairs that are not listed? At most a million are, and slivers across slivers may be too much work. */
  readonly overlappingFacesTruncated: boolean;
}

export interface Repaired {
  readonly mesh: PolygonMesh;
  readonly report: RepairReport;
}

/**
 * Turns loose or damaged faces into a mesh as well formed as they allow: welds vertices, drops what is then without
 * extent or there twice, closes cracks and t-junctions, makes faces agree on what is outside, and on request joins
 * coplanar faces and cuts the result into convex polygons or triangles. Holes wider than the tolerance stay. Input that
 * is no manifold, open or in pieces is fine, and the report says what the result is. What has been repaired is not
 * changed by repairing it again with the same options, unless there are faces as thin as the tolerance, or given-up cracks
 * (`cracksTruncated`): of slivers that thin, closing one crack may open another, and after so many passes the mesh is
 * returned as it is. About O(n log n). RTCD chapter 12.
 *
 * `triangulateMesh` gives the result as arrays.
 */
export function repair(mesh: MeshLike, options: RepairOptions = {}): Repaired {
  mustBeOptions(
    'repair',
    'options',
    options,
    'tolerance weld cracks fix skipBehind mergeThickness orient faces',
  );
  const given = readMesh('repair', mesh);
  const settings = readOptions(options, positionsOf(given), 'positions' in mesh);

  const repair = new Repair(given, settings);
  // One step may make work for another: closing a crack can make two faces the same, snapping brings vertices together.
  // Where one undoes what the other does, as cutting and closing may for slivers as thin as the tolerance, they go round in
  // a circle: it is found by the mesh of a pass whose number is a power of two (Brent 1980).
  let seen: PolygonMesh | null = null;
  for (let pass = 1; pass <= MAX_ROUNDS && !repair.hasGivenUp && repair.run(); pass++) {
    if (seen !== null && isSame(seen, repair.mesh)) break;
    if ((pass & (pass - 1)) === 0) seen = repair.mesh;
  }
  return { mesh: repair.mesh, report: repair.report() };
}

/** Every option, as given or by default. */
type Settings = { readonly [K in keyof RepairOptions]-?: NonNullable<RepairOptions[K]> };

function readOptions(options: RepairOptions, positions: Float64Array, isTriangles: boolean): Settings {
  const largest = positions.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
  const settings: Settings = {
    tolerance: options.tolerance ?? 1e-6 * largest,
    weld: options.weld ?? 'first',
    cracks: options.cracks ?? 'edges',
    fix: options.fix ?? 'crack',
    skipBehind: options.skipBehind ?? false,
    mergeThickness: options.mergeThickness ?? -1,
    orient: options.orient ?? 'consistent',
    faces: options.faces ?? (isTriangles ? 'triangles' : 'polygons'),
  };
  mustBeTolerance('repair: options', settings.tolerance, positions);
  if (options.mergeThickness !== undefined)
    mustNotBeNegative('repair: options', 'mergeThickness', options.mergeThickness);
  const choices: readonly [keyof Settings, readonly string[]][] = [
    ['weld', ['first', 'sorted', 'average']],
    ['cracks', ['none', 'local', 'edges', 'faces']],
    ['fix', ['crack', 'snap', 'collapse']],
    ['orient', ['keep', 'consistent', 'outward']],
    ['faces', ['polygons', 'convex', 'triangles']],
  ];
  for (const [name, allowed] of choices)
    if (!allowed.includes(settings[name] as string))
      refuse(
        'repair: options',
        name,
        `must be one of ${allowed.join(', ')}, got ${describe(settings[name])}`,
      );
  return settings;
}

/** The mesh on its way, and what has been done to it. */
class Repair {
  mesh: PolygonMesh;
  private readonly settings: Settings;
  private readonly faceCount: number;
  private source: readonly (readonly number[])[];
  /** The last mesh that joining faces has not made smaller. */
  private triedToMerge: PolygonMesh = { vertices: [], faces: [] };
  private done = {
    weldedVertices: 0,
    crackedEdges: 0,
    collapsedVertices: 0,
    cracksTruncated: false,
    crackedFaces: 0,
    mergedFaces: 0,
    flippedFaces: 0,
  };

  constructor(mesh: PolygonMesh, settings: Settings) {
    this.mesh = mesh;
    this.settings = settings;
    this.faceCount = mesh.faces.length;
    this.source = mesh.faces.map((_, f) => [f]);
  }

  /** Was there too much work in the last run? There would be again. */
  get hasGivenUp(): boolean {
    return this.done.cracksTruncated;
  }

  /** All steps once. False when the mesh came out as it went in: then nothing has been done. */
  run(): boolean {
    const { mesh, done, settings } = this;
    this.done = { ...done };
    this.weld();
    this.dropDuplicates();
    this.closeCracks();
    if (settings.orient !== 'keep') this.orient();
    if (settings.mergeThickness >= 0 && !isSame(this.mesh, this.triedToMerge)) this.mergeAndCut();
    else this.cutFaces();
    if (!isSame(mesh, this.mesh)) return true;
    this.done = done;
    return false;
  }

  private weld(): void {
    const { tolerance, weld } = this.settings;
    const { positions, remap } = weldPositions(positionsOf(this.mesh), tolerance, weld);
    const vertices = Array.from({ length: positions.length / 3 }, (_, v) => ({
      x: positions[3 * v]!,
      y: positions[3 * v + 1]!,
      z: positions[3 * v + 2]!,
    }));
    this.done.weldedVertices += remap.length - vertices.length;
    const welded = this.mesh.faces.map((face) => simpleLoops(face.map((v) => remap[v]!)));
    this.put(vertices, welded);
  }

  /** Of faces with the same loop and tag, the first stays; the same loop the other way round is another. */
  private dropDuplicates(): void {
    const seen = new Set<string>();
    this.put(
      this.mesh.vertices,
      this.mesh.faces.map((face, f) => {
        let start = 0;
        for (let i = 1; i < face.length; i++) if (face[i]! < face[start]!) start = i;
        let key = `${this.mesh.tags?.[f]}`;
        for (let i = 0; i < face.length; i++) key += `,${face[(start + i) % face.length]}`;
        if (seen.has(key)) return [];
        seen.add(key);
        return [face];
      }),
    );
  }

  /** Returns whether there was one. */
  private closeCracks(): boolean {
    const { cracks, tolerance, fix, skipBehind } = this.settings;
    if (cracks === 'none') return false;
    let isChanged = false;
    // Splitting a face makes edges, which may pass by vertices; every round takes in vertices, so there is a last one.
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const closed = fixTJunctions(this.mesh, { tolerance, fix, local: cracks === 'local' });
      this.become(closed.mesh, closed.source);
      this.done.crackedEdges += closed.cracked;
      this.done.collapsedVertices += closed.collapsed;
      isChanged ||= closed.cracked + closed.collapsed > 0;
      if (!closed.isComplete) {
        this.done.cracksTruncated = true;
        return isChanged;
      }
      if (cracks !== 'faces') return isChanged;
      const { mesh, source, split } = fixFaceCracks(this.mesh, tolerance, skipBehind);
      if (split === 0) return isChanged;
      this.become(mesh, source);
      this.done.crackedFaces += split;
      isChanged = true;
    }
    return isChanged;
  }

  private orient(): void {
    const { mesh, flipped } = orient(this.mesh, this.settings.orient === 'outward');
    this.mesh = mesh;
    this.done.flippedFaces += flipped.length;
  }

  /**
   * Triangles of a curved surface that are joined may be cut into just as many again, with other diagonals, then joined
   * with other neighbours in the next pass, and so on: those are left as they were.
   */
  private mergeAndCut(): void {
    const { mesh, source, done } = this;
    this.done = { ...done };
    this.source = mesh.faces.map((_, f) => [f]);
    this.merge();
    if (this.settings.faces === 'triangles') this.restoreTriangles(mesh);
    this.source = this.source.map((group) => unionOf(group.map((f) => source[f]!)));
    this.cutFaces();
    const isGain =
      this.mesh.faces.length !== mesh.faces.length || this.mesh.vertices.length !== mesh.vertices.length;
    if (isGain || mesh.faces.some((face) => face.length > 3)) return;
    this.mesh = mesh;
    this.source = source;
    this.done = done;
    this.triedToMerge = mesh;
  }

  /** Replaces joined faces by the triangles that they were made of, where these are as few as it would be cut into. */
  private restoreTriangles(before: PolygonMesh): void {
    const { vertices, faces, tags } = this.mesh;
    const keyOf = ({ x, y, z }: ReadonlyVec3): string => `${x},${y},${z}`;
    const numbers = new Map(vertices.map((p, v) => [keyOf(p), v]));
    const numberOf = before.vertices.map((p) => numbers.get(keyOf(p)) ?? -1);
    const pieces = new Uint32Array(before.faces.length);
    for (const group of this.source) for (const f of group) pieces[f]!++;

    const parts: { face: readonly number[]; source: readonly number[]; tag: number | undefined }[] = [];
    faces.forEach((face, k) => {
      const group = this.source[k]!;
      const tag = tags?.[k];
      const triangles = group.map((f) => before.faces[f]!.map((v) => numberOf[v]!));
      if (group.length < 2 || group.some((f) => pieces[f]! > 1) || !isOutlineOf(face, triangles)) {
        parts.push({ face, source: group, tag });
        return;
      }
      this.done.mergedFaces -= group.length - 1;
      triangles.forEach((triangle, i) => {
        parts.push({ face: triangle, source: [group[i]!], tag });
      });
    });
    // In the order that they had: what has not changed is then the same mesh.
    parts.sort((a, b) => a.source[0]! - b.source[0]!);
    this.source = parts.map((part) => part.source);
    this.mesh = packMesh(
      vertices,
      parts.map((part) => part.face),
      tags && parts.map((part) => part.tag!),
    );
  }

  private merge(): void {
    // Straight edges that have lost vertices may pass by others.
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { mesh, groups } = mergeCoplanar(this.mesh, this.settings.mergeThickness);
      if (mesh === this.mesh) return;
      this.done.mergedFaces += this.mesh.faces.length - mesh.faces.length;
      this.source = groups.map((group) => unionOf(group.map((f) => this.source[f]!)));
      this.mesh = mesh;
      // `mergeCoplanar` ends when it finds nothing more to join: only a crack that was closed makes new work for it.
      if (!this.closeCracks()) return;
    }
  }

  /** Faces as they are wanted; those that are not flat are cut in any case. */
  private cutFaces(): void {
    const { faces: wanted, tolerance, mergeThickness } = this.settings;
    const { vertices } = this.mesh;
    // Vertices on edges may be off by the tolerance on either side.
    const flat = Math.max(2 * tolerance, mergeThickness);
    this.put(
      vertices,
      this.mesh.faces.map((face) => {
        if (face.length === 3) return [face];
        if (wanted === 'triangles' || thicknessOf(face.map((v) => vertices[v]!)) > flat)
          return triangulateFace(vertices, fromLowest(vertices, face), tolerance);
        return wanted === 'convex' ? partitionFace(vertices, fromLowest(vertices, face), tolerance) : [face];
      }),
    );
  }

  report(): RepairReport {
    const { mesh, source } = this;
    const left = new Set(unionOf(source));
    const edges = halfEdgesOf(mesh.faces, mesh.vertices.length);
    const components = componentsOf(edges);
    const count = (test: (h: number) => boolean) =>
      edges.edgeStart.reduce((sum, h) => sum + (test(h) ? 1 : 0), 0);
    const borderEdges = count((h) => edges.radial[h] === h);
    const nonManifoldEdges = count((h) => edges.radial[edges.radial[h]!] !== h);
    const misorientedEdges = count((h) => isMisoriented(edges, h));
    const fans = new Map<number, number>();
    for (const { vertex, fans: more } of fansOf(edges, components.labels))
      fans.set(vertex, (fans.get(vertex) ?? 0) + more);
    const overlaps =
      mesh.faces.length === 0
        ? { pairs: [], isComplete: true }
        : overlappingFaces(triangulateMesh(mesh), this.settings.tolerance);
    return {
      ...this.done,
      droppedFaces: Array.from({ length: this.faceCount }, (_, f) => f).filter((f) => !left.has(f)),
      source,
      isClosed: mesh.faces.length > 0 && borderEdges + nonManifoldEdges + misorientedEdges === 0,
      components: topologyOf(edges, components),
      borderEdges,
      nonManifoldEdges,
      nonManifoldVertices: [...fans.values()].filter((n) => n > 1).length,
      misorientedEdges,
      overlappingFaces: overlaps.pairs,
      overlappingFacesTruncated: !overlaps.isComplete,
    };
  }

  /** Replaces each face by some. */
  private put(vertices: PolygonMesh['vertices'], faces: readonly (readonly (readonly number[])[])[]): void {
    const from = faces.flatMap((parts, f) => parts.map(() => f));
    const tags = this.mesh.tags && from.map((f) => this.mesh.tags![f]!);
    this.become(packMesh(vertices, faces.flat(), tags), from);
  }

  private become(mesh: PolygonMesh, from: readonly number[]): void {
    this.source = from.map((f) => this.source[f]!);
    this.mesh = mesh;
  }
}

/** Far more than any mesh has needed: a guard against endless splitting by a tolerance wider than the faces. */
const MAX_ROUNDS = 32;

function positionsOf({ vertices }: PolygonMesh): Float64Array {
  const positions = new Float64Array(3 * vertices.length);
  vertices.forEach(({ x, y, z }, v) => {
    positions[3 * v] = x;
    positions[3 * v + 1] = y;
    positions[3 * v + 2] = z;
  });
  return positions;
}

const isSame = (a: PolygonMesh, b: PolygonMesh): boolean =>
  a.vertices.length === b.vertices.length &&
  a.faces.length === b.faces.length &&
  a.vertices.every((p, v) => isSamePoint(p, b.vertices[v]!)) &&
  a.faces.every(
    (face, f) => face.length === b.faces[f]!.length && face.every((v, i) => v === b.faces[f]![i]),
  );

const isSamePoint = (p: ReadonlyVec3, q: ReadonlyVec3): boolean =>
  p === q || (p.x === q.x && p.y === q.y && p.z === q.z);

/** The loop from its lowest vertex by x, y and z on: what is joined and cut again is then cut the same way. */
function fromLowest(vertices: PolygonMesh['vertices'], face: readonly number[]): number[] {
  let start = 0;
  for (let i = 1; i < face.length; i++) {
    const p = vertices[face[i]!]!;
    const q = vertices[face[start]!]!;
    if ((p.x - q.x || p.y - q.y || p.z - q.z) < 0) start = i;
  }
  return [...face.slice(start), ...face.slice(0, start)];
}

/** Are these triangles all of a polygon, without a vertex inside or on the rim that it has not? */
function isOutlineOf(face: readonly number[], triangles: readonly (readonly number[])[]): boolean {
  if (face.length !== triangles.length + 2) return false;
  const next = new Map<number, number[]>();
  for (const triangle of triangles) {
    if (triangle.length !== 3) return false;
    triangle.forEach((v, i) => {
      const ends = next.get(v);
      if (ends) ends.push(triangle[(i + 1) % 3]!);
      else next.set(v, [triangle[(i + 1) % 3]!]);
    });
  }
  return face.every((v, i) => next.get(v)?.includes(face[(i + 1) % face.length]!));
}

/** What is in any of some lists. The pieces of a face that was cut have one list for all, which is looked at once. */
function unionOf(lists: readonly (readonly number[])[]): readonly number[] {
  const different = new Set(lists);
  if (different.size === 1) return lists[0]!;
  const all = new Set<number>();
  for (const list of different) for (const f of list) all.add(f);
  return [...all].sort((a, b) => a - b);
}
