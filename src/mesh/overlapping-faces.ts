/** Faces that lie on each other. */
import type { ReadonlyVec2, ReadonlyVec3, Vec2, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v2 from '../math/vec2.ts';
import * as v3 from '../math/vec3.ts';
import { visitClosePairs } from './close-pairs.ts';

/** Triangles to compare, and the face that each is part of. */
interface Parts {
  readonly positions: Float64Array;
  readonly index: Uint32Array;
  readonly source: Uint32Array;
}

/** More pairs than this are not listed. */
const MOST = 1_000_000;

/**
 * The pairs f < g of faces that cover each other, within the tolerance, on more than a strip as wide as that: whichever
 * way they face. In order; and whether that are all of them, which is not so where there are more than a million, or
 * too many slivers (see `visitClosePairs`).
 *
 * @internal
 */
export function overlappingFaces(
  parts: Parts,
  tolerance: number,
): { pairs: [number, number][]; isComplete: boolean } {
  const { index, source } = parts;
  const corners = Array.from({ length: index.length / 3 }, (_, t) =>
    [0, 1, 2].map((k) => pointOf(parts, index[3 * t + k]!)),
  );
  const faces = source.reduce((most, f) => Math.max(most, f), 0) + 1;
  const found = new Set<number>();
  const members = Uint32Array.from(corners.keys()).filter(
    (t) =>
      index[3 * t] !== index[3 * t + 1] &&
      index[3 * t + 1] !== index[3 * t + 2] &&
      index[3 * t + 2] !== index[3 * t],
  );
  const isComplete = visitClosePairs(parts, members, tolerance, (s, t) => {
    const key = Math.min(source[s]!, source[t]!) * faces + Math.max(source[s]!, source[t]!);
    if (source[s] !== source[t] && !found.has(key) && cover(corners[s]!, corners[t]!, tolerance))
      found.add(key);
    return found.size >= MOST;
  });
  const pairs = [...Float64Array.from(found).sort()].map((key): [number, number] => [
    Math.floor(key / faces),
    key % faces,
  ]);
  return { pairs, isComplete };
}

const pointOf = ({ positions }: Parts, v: number): Vec3 =>
  vec3(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);

/** Are two triangles in one plane, and do they have more in common than a strip? */
function cover(a: readonly ReadonlyVec3[], b: readonly ReadonlyVec3[], tolerance: number): boolean {
  const [origin, corner, third] = a as [ReadonlyVec3, ReadonlyVec3, ReadonlyVec3];
  v3.sub(corner, origin, right);
  v3.crossAccurate(right, v3.sub(third, origin, offset), normal);
  if (!(v3.lengthSq(normal) > 0)) return false;
  v3.normalize(normal, normal);
  let reach = Math.max(v3.distance(corner, origin), v3.distance(third, origin));
  let height = 0;
  for (const p of b) {
    reach = Math.max(reach, v3.distance(p, origin));
    height = Math.max(height, Math.abs(v3.dot(v3.sub(p, origin, offset), normal)));
  }
  // With no tolerance at all, rounding must not make neighbours overlap.
  const width = Math.max(tolerance, 1e-12 * reach);
  if (height > width) return false;
  v3.normalize(right, right);
  v3.cross(normal, right, up);
  const inPlane = (p: ReadonlyVec3): Vec2 => {
    v3.sub(p, origin, offset);
    return { x: v3.dot(offset, right), y: v3.dot(offset, up) };
  };
  const flatA = a.map(inPlane);
  const flatB = b.map(inPlane);
  // Most are neighbours, each beyond an edge of the other.
  if (isBeyondAnEdge(flatB, flatA, width / 4)) return false;
  const common = clip(flatB, flatA);
  let area = 0;
  let around = 0;
  common.forEach((p, i) => {
    const q = common[(i + 1) % common.length]!;
    area += (p.x * q.y - p.y * q.x) / 2;
    around += v2.distance(p, q);
  });
  return 2 * Math.abs(area) > width * around;
}
const right = vec3();
const up = vec3();
const normal = vec3();
const offset = vec3();

/** Does one of the edges of a counter-clockwise triangle leave no more of a polygon than a strip? */
function isBeyondAnEdge(
  polygon: readonly ReadonlyVec2[],
  triangle: readonly ReadonlyVec2[],
  strip: number,
): boolean {
  for (let i = 0; i < 3; i++) {
    const a = triangle[i]!;
    const b = triangle[(i + 1) % 3]!;
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const limit = strip * Math.sqrt(dx * dx + dy * dy);
    let isBeyond = true;
    for (const p of polygon) if (dx * (p.y - a.y) - dy * (p.x - a.x) > limit) isBeyond = false;
    if (isBeyond) return true;
  }
  return false;
}

/** The part of a polygon in a counter-clockwise triangle. Sutherland and Hodgman. */
function clip(polygon: readonly ReadonlyVec2[], triangle: readonly ReadonlyVec2[]): readonly ReadonlyVec2[] {
  let rest: readonly ReadonlyVec2[] = polygon;
  triangle.forEach((a, i) => {
    const b = triangle[(i + 1) % 3]!;
    const side = (p: ReadonlyVec2) => (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    const kept: ReadonlyVec2[] = [];
    rest.forEach((p, k) => {
      const q = rest[(k + 1) % rest.length]!;
      const atP = side(p);
      const atQ = side(q);
      if (atP >= 0) kept.push(p);
      if (atP * atQ < 0) {
        const t = atP / (atP - atQ);
        kept.push({ x: p.x + t * (q.x - p.x), y: p.y + t * (q.y - p.y) });
      }
    });
    rest = kept;
  });
  return rest;
}
