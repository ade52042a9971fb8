/** Do two meshes meet, and where? */

import { type Frame, makeFrame, toFirst, toSecond } from '../convex/frame.ts';
import { mustBeOptions } from '../math/check.ts';
import type { ReadonlyPose, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import { isClosed } from './boundary.ts';
import type { Mesh } from './mesh.ts';
import { readPlacement } from './pair-placement.ts';
import { type FoundPairs, searchPairs } from './pair-search.ts';
import { partsOf } from './pair-topology.ts';
import { isSurrounded } from './winding.ts';

export interface OverlapMeshMeshOptions {
  /** Only the surfaces count: what is wholly inside of a closed mesh does not meet it. */
  readonly surfaces?: boolean;
}

/**
 * Do the meshes share a point? `pose` is where `b` stands in the space of `a` (the inverse of a's pose times b's, if
 * both have one); without it, both are where they are. Closed meshes are solid: what lies inside of one meets it, be
 * it only a part of the other mesh.
 *
 * Whether surfaces touch is decided exactly, for the corners of `b` as they come out of the transformation, rounded to
 * doubles. The first query of a mesh makes a tree of oriented boxes that is kept with it: about half a second for
 * 80,000 triangles. Then, near contact, tens of microseconds. RTCD §6.3; Gottschalk, Lin and Manocha 1996.
 */
export function overlapMeshMesh(
  a: Mesh,
  b: Mesh,
  pose?: ReadonlyPose | null,
  options?: OverlapMeshMeshOptions,
): boolean {
  if (options !== undefined && options !== null)
    mustBeOptions('overlapMeshMesh', 'options', options, 'surfaces');
  readPlacement('overlapMeshMesh', a, b, pose, placement);
  return (
    searchPairs(a, b, placement, null) ||
    (!options?.surfaces && findContained(a, b, placement, contained) !== null)
  );
}

/**
 * All pairs of triangles of `a` and of `b` (at `pose` in the space of `a`) that share a point, exactly as
 * `overlapMeshMesh` decides: the number of the triangle of `a`, then that of `b`, pair after pair, sorted.
 */
export function pairsMeshMesh(a: Mesh, b: Mesh, pose?: ReadonlyPose | null, out: number[] = []): number[] {
  readPlacement('pairsMeshMesh', a, b, pose, placement);
  found.count = 0;
  searchPairs(a, b, placement, found);
  return sortPairs(found, a, b, out);
}

const placement = makeFrame();
const found: FoundPairs = { count: 0, pairs: new Uint32Array(2048) };
let keys = new Float64Array(1024);

/** The pairs by the numbers that the user knows, in order. @internal */
export function sortPairs({ count, pairs }: FoundPairs, a: Mesh, b: Mesh, out: number[]): number[] {
  if (keys.length < count) keys = new Float64Array(2 * count);
  // One number a pair. Meshes of 2^26 triangles, more than fit in memory, would still be told apart.
  const radix = b.givenCount;
  for (let i = 0; i < count; i++) keys[i] = a.ids[pairs[2 * i]!]! * radix + b.ids[pairs[2 * i + 1]!]!;
  keys.subarray(0, count).sort();
  out.length = 0;
  for (let i = 0; i < count; i++) {
    const j = keys[i]! % radix;
    out.push((keys[i]! - j) / radix, j);
  }
  return out;
}

/** A point of a mesh that is inside of the other one. */
export interface Contained {
  /** In the space of the first mesh. */
  readonly point: Vec3;
  /** A triangle of the mesh inside, with the point as a corner, in the order of the tree. */
  triangle: number;
  /** Is it the second mesh that (a part of) is inside? */
  isSecond: boolean;
}

/** @internal */
export const makeContained = (): Contained => ({ point: vec3(), triangle: 0, isSecond: false });
const contained = makeContained();
const corner = vec3();
const seen = vec3();

/**
 * A point of one mesh inside of the other, if that is closed; given that their surfaces do not meet. A part of a mesh is
 * then inside as a whole or not at all: one corner tells.
 *
 * @internal
 */
export function findContained(a: Mesh, b: Mesh, at: Frame, out: Contained): Contained | null {
  if (isClosed(a)) {
    const parts = partsOf(b);
    for (let i = 0; i < parts.length; i++) {
      firstCorner(b, parts[i]!, corner);
      toFirst(at, corner, out.point);
      if (isWithin(out.point, a.bounds) && isSurrounded(out.point, a)) {
        out.triangle = parts[i]!;
        out.isSecond = true;
        return out;
      }
    }
  }
  if (isClosed(b)) {
    const parts = partsOf(a);
    for (let i = 0; i < parts.length; i++) {
      firstCorner(a, parts[i]!, out.point);
      toSecond(at, out.point, seen);
      if (isWithin(seen, b.bounds) && isSurrounded(seen, b)) {
        out.triangle = parts[i]!;
        out.isSecond = false;
        return out;
      }
    }
  }
  return null;
}

function firstCorner({ vertices, corners }: Mesh, triangle: number, out: Vec3): void {
  const at = 3 * corners[3 * triangle]!;
  out.x = vertices[at]!;
  out.y = vertices[at + 1]!;
  out.z = vertices[at + 2]!;
}

const isWithin = (p: Vec3, { min, max }: ReadonlyAabb): boolean =>
  p.x >= min.x && p.y >= min.y && p.z >= min.z && p.x <= max.x && p.y <= max.y && p.z <= max.z;
