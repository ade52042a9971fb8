/** Looking a mesh over before it is trusted. RTCD §12.0, §12.6. */
import { describe, mustBeOptions, refuse } from '../math/check.ts';
import { type Vec3, vec3 } from '../math/types.ts';
import { isFlat } from '../primitives/overlap/side.ts';
import { type Aabb, makeAabb } from '../primitives/types.ts';
import { type MassProperties, massOf } from './mass.ts';
import { byCorners, haveSameCorners } from './same-corners.ts';
import { closeSeams } from './seams.ts';
import { findPairs } from './self-intersections.ts';
import { type MeshPart, type Survey, surveyOf } from './survey.ts';
import { type Positions, readTriangles, type TrianglesLike } from './triangles.ts';
import { weldEqual } from './weld.ts';

export interface InspectOptions {
  /** The search for self-intersections ends after so many; 0 leaves it out. Default: a million. */
  readonly maxSelfIntersections?: number | undefined;
}

/** All that `inspect` finds. Lists are in ascending order, and empty where there is nothing to complain about. */
export interface MeshReport extends MassProperties, Survey {
  triangleCount: number;
  /** Of the vertices in use, those at one position counted once. */
  vertexCount: number;
  bounds: Aabb;
  /** Is there a closed part whose faces look inward, and which is no cavity of another? */
  isInsideOut: boolean;
  /** Triangles without area, exactly: all corners on one line. */
  degenerateTriangles: Uint32Array;
  /** Triangles with the corners of an earlier one, in either winding. */
  duplicateTriangles: Uint32Array;
  /** Vertices at the position of an earlier one. */
  duplicateVertices: Uint32Array;
  /**
   * Vertices along seams that close but for rounding. They count as moved to the vertices that they miss, in this report
   * as in `mesh`: see there.
   */
  weldedVertices: Uint32Array;
  /** The most that a coordinate of these is off. */
  largestGap: number;
  /** Vertices of no triangle. */
  unusedVertices: Uint32Array;
  /** Pairs of triangles, two numbers each: see `selfIntersections`. */
  selfIntersections: Uint32Array;
  /** May there be pairs that are not listed, because of `maxSelfIntersections` or too much work (see there)? */
  selfIntersectionsTruncated: boolean;
  /** What is wrong, in plain words, worst first. Empty for a closed, clean solid. */
  problems: string[];
}

/**
 * Is this mesh fit for use, and if not, what is wrong where? Tells whether it is closed, oriented and manifold, its
 * parts, holes and genus, where it runs into itself, what has no area or is there twice, and its volume, centre and
 * inertia. Vertices at equal positions count as one, as a split normal does not make a hole, and so do those
 * along seams that miss each other by a few ulps (`weldedVertices`). Exact where it decides. About O(n log n).
 */
export function inspect(triangles: TrianglesLike, options: InspectOptions = {}): MeshReport {
  mustBeOptions('inspect', 'options', options, 'maxSelfIntersections');
  const given = readTriangles('inspect: triangles', triangles);
  const { maxSelfIntersections = 1_000_000 } = options;
  if (!(maxSelfIntersections >= 0))
    refuse(
      'inspect',
      'options',
      `.maxSelfIntersections must not be negative, got ${describe(maxSelfIntersections)}`,
    );
  const { index } = given;
  const { positions, moved, largestGap } = closeSeams(given);
  const { first } = firstOfEach(positions);
  const welded = { positions, index: index.map((v) => first[v]!) };
  const survey = surveyOf(welded);
  const used = new Uint8Array(positions.length / 3);
  for (const v of index) used[v] = 1;
  const usedPositions = new Uint8Array(used.length);
  for (const v of welded.index) usedPositions[v] = 1;
  const crossing = findPairs(welded, maxSelfIntersections);
  const report: MeshReport = {
    triangleCount: index.length / 3,
    vertexCount: usedPositions.reduce((sum, u) => sum + u, 0),
    bounds: boundsOf(positions, index),
    ...survey,
    isInsideOut: hasInsideOut(survey.parts),
    degenerateTriangles: flatTriangles(welded.positions, index),
    duplicateTriangles: repeatedTriangles(welded.index),
    duplicateVertices: firstOfEach(given.positions).duplicates,
    weldedVertices: moved,
    largestGap,
    unusedVertices: Uint32Array.from(indicesOf(used, 0)),
    selfIntersections: crossing.pairs,
    selfIntersectionsTruncated: !crossing.isComplete,
    ...massOf(welded, 1),
    problems: [],
  };
  report.problems = problemsOf(report);
  return report;
}

/** For each vertex the first one at its position, and the vertices that are not first. */
function firstOfEach(positions: Positions): { first: Uint32Array; duplicates: Uint32Array } {
  const { remap, positions: kept } = weldEqual(positions);
  const firstOf = new Int32Array(kept.length / 3).fill(-1);
  const first = new Uint32Array(remap.length);
  const duplicates: number[] = [];
  for (let v = 0; v < remap.length; v++) {
    const position = remap[v]!;
    if (firstOf[position]! < 0) firstOf[position] = v;
    else duplicates.push(v);
    first[v] = firstOf[position]!;
  }
  return { first, duplicates: Uint32Array.from(duplicates) };
}

function boundsOf(positions: Positions, index: Uint32Array): Aabb {
  const { min, max } = makeAabb();
  const axes = ['x', 'y', 'z'] as const;
  for (const [k, axis] of axes.entries()) {
    min[axis] = Infinity;
    max[axis] = -Infinity;
    for (const v of index) {
      const value = positions[3 * v + k]!;
      if (value < min[axis]) min[axis] = value;
      if (value > max[axis]) max[axis] = value;
    }
  }
  return { min, max };
}

/** A closed part of negative volume is a cavity if it lies within another closed part; boxes decide well enough. */
const hasInsideOut = (parts: readonly MeshPart[]): boolean =>
  parts.some(
    (part) =>
      part.isClosed &&
      part.volume < 0 &&
      !parts.some((other) => other !== part && other.volume > 0 && encloses(other.bounds, part.bounds)),
  );

const encloses = (a: Aabb, b: Aabb): boolean =>
  a.min.x <= b.min.x &&
  a.min.y <= b.min.y &&
  a.min.z <= b.min.z &&
  a.max.x >= b.max.x &&
  a.max.y >= b.max.y &&
  a.max.z >= b.max.z;

function flatTriangles(positions: Positions, index: Uint32Array): Uint32Array {
  const [a, b, c] = [vec3(), vec3(), vec3()];
  const read = (v: number, out: Vec3): void => {
    out.x = positions[3 * v]!;
    out.y = positions[3 * v + 1]!;
    out.z = positions[3 * v + 2]!;
  };
  const flat: number[] = [];
  for (let t = 0; 3 * t < index.length; t++) {
    read(index[3 * t]!, a);
    read(index[3 * t + 1]!, b);
    read(index[3 * t + 2]!, c);
    if (isFlat(a, b, c)) flat.push(t);
  }
  return Uint32Array.from(flat);
}

/** Those that have the same corners as one before. */
const repeatedTriangles = (index: Uint32Array): Uint32Array =>
  byCorners(index)
    .filter((t, k, order) => k > 0 && haveSameCorners(index, t, order[k - 1]!))
    .sort();

function* indicesOf(flags: Uint8Array, wanted: number): Generator<number> {
  for (let i = 0; i < flags.length; i++) if (flags[i] === wanted) yield i;
}

/** What a report on a mesh says in words. */

/** */
function problemsOf(report: Omit<MeshReport, 'problems'>): string[] {
  const { borders, selfIntersections, nonManifoldVertices } = report;
  const problems: string[] = [];
  const pairs = (list: Uint32Array, one: string, many: string, rest: string): void => {
    if (list.length > 0)
      problems.push(`${counted(list.length / 2, one, many)} ${rest}, the first ${list[0]} and ${list[1]}`);
  };
  const singles = (list: Uint32Array, one: string, many: string, rest: string): void => {
    if (list.length > 0) problems.push(`${counted(list.length, one, many)} ${rest}, the first ${list[0]}`);
  };
  if (borders.length > 0) {
    const rim = borders.reduce((sum, { length }) => sum + length, 0);
    problems.push(
      `the surface is open: ${counted(borders.length, 'rim', 'rims')}, in all ${rim.toPrecision(3)} long`,
    );
  }
  pairs(report.nonManifoldEdges, 'edge', 'edges', 'with more than two triangles');
  pairs(report.misorientedEdges, 'edge', 'edges', 'whose triangles disagree on what is outside');
  if (report.isInsideOut)
    problems.push('the surface is inside out: seen from outside its triangles are clockwise');
  const more = report.selfIntersectionsTruncated ? ', and perhaps others' : '';
  pairs(selfIntersections, 'pair of triangles', 'pairs of triangles', `run into each other${more}`);
  singles(nonManifoldVertices, 'vertex', 'vertices', 'where the surface is pinched');
  singles(report.duplicateTriangles, 'triangle', 'triangles', 'with the corners of an earlier one');
  singles(report.degenerateTriangles, 'triangle', 'triangles', 'without area');
  singles(report.duplicateVertices, 'vertex', 'vertices', 'at the position of an earlier one');
  singles(
    report.weldedVertices,
    'vertex',
    'vertices',
    `off by ${report.largestGap.toPrecision(2)} at most along seams, and taken as joined`,
  );
  singles(report.unusedVertices, 'vertex', 'vertices', 'of no triangle');
  return problems;
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
