/** Triangles that cross each other where a motion starts: the first contact is then, though no vertex or edge touches anything. */
import { type ReadonlyVec3, type Vec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { trianglesOverlap } from '../primitives/overlap/triangle-triangle.ts';
import { leafCount } from '../trees/packed-tree.ts';
import { type Gathered, NO_TREE } from './swept-surface.ts';

/** Two triangles, by their numbers among those gathered. */
export interface Crossing {
  readonly triangle: number;
  readonly other: number;
}

const [a, b, c, d, e, f] = [vec3(), vec3(), vec3(), vec3(), vec3(), vec3()] as const;

function load(
  { indices }: Gathered,
  triangle: number,
  positions: ArrayLike<number>,
  out: readonly Vec3[],
): void {
  for (let k = 0; k < 3; k++) {
    const at = 3 * indices[3 * triangle + k]!;
    v3.set(positions[at]!, positions[at + 1]!, positions[at + 2]!, out[k]!);
  }
}

/** The first two that share a point at the start, of the leaves that are near each other. */
export function findCrossing(own: Gathered, other: Gathered, pairs: readonly number[]): Crossing | null {
  const boxes = boxesOf(own);
  const others = boxesOf(other);
  const all = other.indices.length / 3;
  for (let i = 0; i < pairs.length; i += 2) {
    const one = own.leaves.get(pairs[i]!)!;
    const two = other.leaves.get(pairs[i + 1]!)!;
    const oneEnd = one + leafCount(pairs[i]!);
    const twoEnd = pairs[i + 1] === NO_TREE ? all : two + leafCount(pairs[i + 1]!);
    for (let t = one; t < oneEnd; t++)
      for (let u = two; u < twoEnd; u++) {
        if (!overlap(boxes, 6 * t, others, 6 * u)) continue;
        load(own, t, own.positions0, [a, b, c]);
        load(other, u, other.positions0, [d, e, f]);
        if (trianglesOverlap(a, b, c, d, e, f)) return { triangle: t, other: u };
      }
  }
  return null;
}

function boxesOf({ positions0: p, indices }: Gathered): Float64Array {
  const boxes = new Float64Array(2 * indices.length);
  for (let t = 0; t < indices.length / 3; t++)
    for (let k = 0; k < 3; k++) {
      const x = p[3 * indices[3 * t]! + k]!;
      const y = p[3 * indices[3 * t + 1]! + k]!;
      const z = p[3 * indices[3 * t + 2]! + k]!;
      boxes[6 * t + k] = Math.min(x, y, z);
      boxes[6 * t + 3 + k] = Math.max(x, y, z);
    }
  return boxes;
}

function overlap(p: Float64Array, i: number, q: Float64Array, j: number): boolean {
  for (let k = 0; k < 3; k++) if (p[i + k]! > q[j + 3 + k]! || q[j + k]! > p[i + 3 + k]!) return false;
  return true;
}

/** Where an edge of one goes through the other; the normal of the other, or else its own, against its motion. */
export function writeCrossing(
  own: Gathered,
  other: Gathered,
  crossing: Crossing,
  out: { t: number; point: Vec3; normal: Vec3 },
): void {
  const mine = [a, b, c] as const;
  const theirs = [d, e, f] as const;
  const motion = displacementOf(own, crossing.triangle, mine);
  v3.sub(motion, displacementOf(other, crossing.other, theirs), motion);
  load(own, crossing.triangle, own.positions0, mine);
  load(other, crossing.other, other.positions0, theirs);
  out.t = 0;
  if (!pierce(mine, theirs, out.point) && !pierce(theirs, mine, out.point)) v3.copy(a, out.point);
  if (!writeNormal(theirs, out.normal) && !writeNormal(mine, out.normal)) v3.set(0, 0, 1, out.normal);
  const { x, y, z } = out.normal;
  if (v3.dot(out.normal, motion) > 0) v3.set(0 - x, 0 - y, 0 - z, out.normal);
}

/** Three times the displacement of the middle of a triangle. */
function displacementOf(of: Gathered, triangle: number, corners: readonly [Vec3, Vec3, Vec3]): Vec3 {
  const motion = vec3();
  load(of, triangle, of.positions1, corners);
  for (const p of corners) v3.add(motion, p, motion);
  load(of, triangle, of.positions0, corners);
  for (const p of corners) v3.sub(motion, p, motion);
  return motion;
}

type Corners = readonly [ReadonlyVec3, ReadonlyVec3, ReadonlyVec3];

/** The point where an edge of the first goes through the second. */
function pierce(first: Corners, [p, q, r]: Corners, out: Vec3): boolean {
  const normal = v3.cross(v3.sub(q, p), v3.sub(r, p));
  for (let k = 0; k < 3; k++) {
    const from = first[k]!;
    const to = first[(k + 1) % 3]!;
    if (!trianglesOverlap(from, to, to, p, q, r)) continue;
    const h = v3.dot(normal, v3.sub(from, p));
    const g = v3.dot(normal, v3.sub(to, p));
    v3.lerp(from, to, h === g ? 0 : Math.max(0, Math.min(1, h / (h - g))), out);
    return true;
  }
  return false;
}

function writeNormal([p, q, r]: Corners, out: Vec3): boolean {
  v3.cross(v3.sub(q, p), v3.sub(r, p), out);
  const length = v3.length(out);
  if (!(length > 0)) return false;
  v3.scale(out, 1 / length, out);
  return true;
}
