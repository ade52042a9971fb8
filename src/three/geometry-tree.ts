/**
 * The tree over the triangles of a geometry: built when first needed, shared by all objects that have the geometry, and built
 * again when an attribute that it was made from has changed (`needsUpdate`), or the draw range has.
 */
import type { BatchedMesh, BufferGeometry, Mesh as ThreeMesh } from 'three';
import { buildMesh, type Mesh, refitMesh } from '../trimesh/index.ts';
import {
  type Attribute,
  type CornerRange,
  cornerCount,
  drawnCorners,
  nameOf,
  positionsOf,
  readCoordinates,
  readMorphed,
  triangleCountOf,
  versionOf,
  vertexAt,
} from './geometry.ts';

/** Which triangles a tree has, and where in the geometry they are. */
export interface TriangleSet {
  /** For each triangle the corner that it begins at; null where triangle n begins at 3 n + phase. */
  readonly firsts: Uint32Array | null;
  readonly phase: number;
  /** For each triangle the number of its group; null where groups do not matter. */
  readonly groups: Uint32Array | null;
}

/** The corner that a triangle of a tree begins at. */
export const firstCorner = ({ firsts, phase }: TriangleSet, triangle: number): number =>
  firsts === null ? 3 * triangle + phase : firsts[triangle]!;

/** Some triangles of a geometry, as it was when they were looked up. @internal */
export class TriangleSelection implements TriangleSet {
  readonly firsts: Uint32Array | null = null;
  readonly phase: number = 0;
  readonly groups: Uint32Array | null = null;
  /** The corners, three a triangle. Null for all vertices in their order. */
  readonly corners: ArrayLike<number> | null;
  /** Triangles at the beginning that do not count. */
  protected readonly skipped: number = 0;
  // What it was made from, and in which state that was.
  protected readonly position: Attribute | undefined;
  private readonly positionVersion: number;
  private readonly index: BufferGeometry['index'];
  private readonly indexVersion: number;
  private readonly drawStart: number;
  private readonly drawCount: number;
  /** The groups that count, if only their triangles do. */
  private readonly groupNumbers: Float64Array | null = null;

  /**
   * @param parts the groups, if only their triangles count, and for each group
   * @param fromFirst are the numbers of triangles those from the first drawn one on, and not from the first of all?
   */
  constructor(geometry: BufferGeometry, parts: readonly GroupRange[] | null, fromFirst = false) {
    const { index, drawRange } = geometry;
    this.position = geometry.attributes['position'] as Attribute | undefined;
    this.positionVersion = this.position ? versionOf(this.position) : 0;
    this.index = index;
    this.indexVersion = index ? index.version : 0;
    this.drawStart = drawRange.start;
    this.drawCount = drawRange.count;
    if (parts) {
      const { firsts, groups } = listTriangles(parts);
      this.firsts = firsts;
      this.groups = groups;
      this.corners = cornersAt(geometry, firsts);
      this.groupNumbers = numbersOf(geometry);
    } else {
      const range = drawnCorners(geometry);
      this.phase = range.start % 3;
      this.skipped = (range.start - this.phase) / 3;
      this.corners = givenCorners(geometry, range);
      if (fromFirst && this.skipped > 0) {
        this.corners = (this.corners as Uint32Array).subarray(3 * this.skipped);
        this.phase = range.start;
        this.skipped = 0;
      }
    }
  }

  /** Does it have any triangle? */
  protected get isEmpty(): boolean {
    const corners = this.corners ? this.corners.length : (this.position?.count ?? 0) - 2;
    return corners - 3 * this.skipped <= 0;
  }

  /** Is it still of the geometry? O(1). */
  isCurrent(geometry: BufferGeometry): boolean {
    const { position, index } = this;
    return (
      geometry.attributes['position'] === position &&
      geometry.index === index &&
      (position === undefined || versionOf(position) === this.positionVersion) &&
      (index === null || index.version === this.indexVersion) &&
      geometry.drawRange.start === this.drawStart &&
      geometry.drawRange.count === this.drawCount
    );
  }

  /** Are these the triangles of the groups as they are now, or all of them? */
  isOf(geometry: BufferGeometry, grouped: boolean): boolean {
    const { groupNumbers } = this;
    if (!grouped) return groupNumbers === null;
    if (groupNumbers) return hasGroups(geometry, groupNumbers);
    return isWhole(groupRanges(geometry), drawnCorners(geometry));
  }
}

/** The triangles of a geometry that are drawn, or those of its groups. @internal */
export function selectTriangles(geometry: BufferGeometry, grouped: boolean): TriangleSelection {
  const parts = grouped ? groupRanges(geometry) : null;
  return new TriangleSelection(
    geometry,
    parts && isWhole(parts, drawnCorners(geometry)) ? null : parts,
    true,
  );
}

/** The tree of a part of a geometry. @internal */
export class GeometryTree extends TriangleSelection {
  /** Null where there are no triangles. */
  readonly mesh: Mesh | null;

  /**
   * @param parts the groups, if only their triangles count, and for each group
   * @param ready the mesh, if it is there already
   */
  constructor(
    caller: string,
    name: string,
    geometry: BufferGeometry,
    parts: readonly GroupRange[] | null,
    ready: Mesh | null = null,
  ) {
    super(geometry, parts);
    const { corners, skipped } = this;
    this.mesh =
      ready ?? (this.position && !this.isEmpty ? build(caller, name, geometry, { corners, skipped }) : null);
  }
}

interface GroupRange extends CornerRange {
  readonly group: number;
}

/** The ranges of the groups of a geometry that are drawn, in their order. */
function groupRanges(geometry: BufferGeometry): GroupRange[] {
  const { start, count } = geometry.drawRange;
  const corners = cornerCount(geometry);
  return geometry.groups.map((group, i) => ({
    group: i,
    start: Math.max(group.start, start),
    end: Math.min(corners - 2, group.start + group.count, start + count),
  }));
}

/** Do the groups, one after the other, have every triangle of the range, and no other? */
function isWhole(parts: readonly GroupRange[], { start, end }: CornerRange): boolean {
  let at = start;
  for (const part of parts) {
    if (part.start !== at) return false;
    at += 3 * triangleCountOf(part);
  }
  return at >= end;
}

function listTriangles(parts: readonly GroupRange[]): { firsts: Uint32Array; groups: Uint32Array } {
  const count = parts.reduce((sum, part) => sum + triangleCountOf(part), 0);
  const firsts = new Uint32Array(count);
  const groups = new Uint32Array(count);
  let n = 0;
  for (const { start, end, group } of parts)
    for (let corner = start; corner < end; corner += 3, n++) {
      firsts[n] = corner;
      groups[n] = group;
    }
  return { firsts, groups };
}

function numbersOf({ groups }: BufferGeometry): Float64Array {
  return Float64Array.from(groups.flatMap(({ start, count }) => [start, count]));
}

function hasGroups({ groups }: BufferGeometry, numbers: Float64Array): boolean {
  if (2 * groups.length !== numbers.length) return false;
  for (let i = 0; i < groups.length; i++)
    if (groups[i]!.start !== numbers[2 * i] || groups[i]!.count !== numbers[2 * i + 1]) return false;
  return true;
}

/** The vertices of triangles that begin at these corners. */
function cornersAt(geometry: BufferGeometry, firsts: Uint32Array): Uint32Array {
  const corners = new Uint32Array(3 * firsts.length);
  for (let i = 0; i < firsts.length; i++)
    for (let k = 0; k < 3; k++) corners[3 * i + k] = vertexAt(geometry, firsts[i]! + k);
  return corners;
}

/**
 * The vertices of the triangles of a range, so that each has the number by which `Raycaster` knows it (`faceIndex`). Numbers
 * below the range are triangles that `build` leaves out.
 */
function givenCorners(geometry: BufferGeometry, range: CornerRange): ArrayLike<number> | null {
  const { index } = geometry;
  const count = triangleCountOf(range);
  const isAll = range.start === 0 && 3 * count === cornerCount(geometry);
  if (isAll && (!index || index.array.length === index.count)) return index ? index.array : null;
  const phase = range.start % 3;
  const first = (range.start - phase) / 3;
  const corners = new Uint32Array(3 * (first + count));
  for (let i = 3 * first; i < corners.length; i++) corners[i] = vertexAt(geometry, i + phase);
  return corners;
}

interface Given {
  readonly corners: ArrayLike<number> | null;
  /** Triangles at the beginning that are left out. */
  readonly skipped: number;
}

function build(caller: string, name: string, geometry: BufferGeometry, { corners, skipped }: Given): Mesh {
  const positions = readCoordinates(positionsOf(caller, name, geometry));
  return explained(caller, `${name} (${nameOf(geometry)})`, () =>
    buildMesh(positions, corners, skipped > 0 ? { exclude: (i) => i < skipped } : {}),
  );
}

/** What `buildMesh` refuses is said of the user's argument. */
export function explained<T>(caller: string, name: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(error.message.replace(/^graze: \w+:/, `graze: ${caller}: ${name}:`), {
      cause: error,
    });
  }
}

/** The trees of one geometry. @internal */
export class GeometryTrees {
  private plain: GeometryTree | null = null;
  private grouped: GeometryTree | null = null;
  /** The groups that `grouped` was made from. */
  private groupNumbers: Float64Array | null = null;

  /** Of all triangles that are drawn. A triangle has the number by which `Raycaster` knows it: `faceIndex`. */
  all(caller: string, name: string, geometry: BufferGeometry): GeometryTree {
    if (!this.plain?.isCurrent(geometry)) this.plain = new GeometryTree(caller, name, geometry, null);
    return this.plain;
  }

  /**
   * Of the triangles of the groups, as an object with a list of materials is drawn: nothing outside of groups, and what is in
   * two of them twice. Nearly always that is all triangles, and the same tree. O(groups).
   */
  ofGroups(caller: string, name: string, geometry: BufferGeometry): GeometryTree {
    const { grouped, groupNumbers } = this;
    if (grouped?.isCurrent(geometry) && groupNumbers && hasGroups(geometry, groupNumbers)) return grouped;
    const parts = groupRanges(geometry);
    this.groupNumbers = numbersOf(geometry);
    this.grouped = isWhole(parts, drawnCorners(geometry))
      ? this.all(caller, name, geometry)
      : new GeometryTree(caller, name, geometry, parts);
    return this.grouped;
  }

  /** Takes a mesh that was made from the geometry as it is now. */
  remember(geometry: BufferGeometry, mesh: Mesh): void {
    this.plain = new GeometryTree('', '', geometry, null, mesh);
  }

  release(): void {
    this.plain = null;
    this.grouped = null;
  }
}

const trees = /* @__PURE__ */ new WeakMap<BufferGeometry, GeometryTrees>();

/** The trees of a geometry; released when it is disposed of, and built again if it is used after that. @internal */
export function treesOf(geometry: BufferGeometry): GeometryTrees {
  let known = trees.get(geometry);
  if (!known) {
    known = new GeometryTrees();
    trees.set(geometry, known);
    geometry.addEventListener('dispose', release);
  }
  return known;
}

const release = ({ target }: { target: BufferGeometry }): void => trees.get(target)?.release();

/** The group that a corner is in: its number, or -1. @internal */
export function groupAt({ groups }: BufferGeometry, corner: number): number {
  for (let i = 0; i < groups.length; i++)
    if (corner >= groups[i]!.start && corner < groups[i]!.start + groups[i]!.count) return i;
  return -1;
}

/** Does a mesh look other than its geometry, because of morph targets? */
export function isMorphed({ geometry, morphTargetInfluences }: ThreeMesh): boolean {
  if (!morphTargetInfluences || !geometry.morphAttributes['position']) return false;
  for (let i = 0; i < morphTargetInfluences.length; i++) if (morphTargetInfluences[i] !== 0) return true;
  return false;
}

interface Morph {
  readonly base: GeometryTree;
  readonly influences: number[];
  readonly versions: number[];
  readonly mesh: Mesh;
}

const morphs = /* @__PURE__ */ new WeakMap<ThreeMesh, Morph>();

/** The mesh of a tree, with the morph targets of an object applied. O(n) when those have changed. @internal */
export function morphedMesh(object: ThreeMesh, base: GeometryTree): Mesh {
  const { geometry } = object;
  const influences = object.morphTargetInfluences!;
  const known = morphs.get(object);
  if (known && known.base === base && isSame(known, influences, geometry)) return known.mesh;
  const positions = readMorphed(geometry, influences);
  const mesh = explained('meshOf', nameOf(object), () => refitMesh(base.mesh!, positions, base.corners));
  const versions = (geometry.morphAttributes['position'] as Attribute[]).map(versionOf);
  morphs.set(object, { base, influences: [...influences], versions, mesh });
  return mesh;
}

function isSame(known: Morph, influences: readonly number[], geometry: BufferGeometry): boolean {
  const targets = geometry.morphAttributes['position'] as Attribute[];
  if (known.influences.length !== influences.length || known.versions.length !== targets.length) return false;
  for (let i = 0; i < influences.length; i++) if (known.influences[i] !== influences[i]) return false;
  for (let i = 0; i < targets.length; i++) if (known.versions[i] !== versionOf(targets[i]!)) return false;
  return true;
}

/** Trees of the geometries in a batch, by their number. */
const batches = /* @__PURE__ */ new WeakMap<BatchedMesh, Map<number, BatchTree>>();

interface BatchTree extends CornerCount {
  readonly tree: GeometryTree;
}

type RangeOfBatch = NonNullable<Parameters<BatchedMesh['getGeometryRangeAt']>[1]>;
const range: Partial<RangeOfBatch> = {};

interface CornerCount {
  readonly start: number;
  readonly count: number;
}

/** The tree of one of the geometries in a batch. @internal */
export function batchTreeOf(caller: string, object: BatchedMesh, geometryId: number): GeometryTree {
  const { geometry } = object;
  let known = batches.get(object);
  if (!known) {
    known = new Map();
    batches.set(object, known);
  }
  const { start, count } = object.getGeometryRangeAt(geometryId, range as RangeOfBatch) as CornerCount;
  const old = known.get(geometryId);
  if (old && old.start === start && old.count === count && old.tree.isCurrent(geometry)) return old.tree;
  const part = { group: 0, ...drawnCorners(geometry, { start, count }) };
  const tree = new GeometryTree(caller, `the geometry of ${nameOf(object)}`, geometry, [part]);
  known.set(geometryId, { tree, start, count });
  return tree;
}
