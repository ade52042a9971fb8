/** Faces that lie on each other. */
import type { ReadonlyVec2, ReadonlyVec3, Vec2, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';

/** Triangles to compare, and the face that each is part of. */
interface Parts {
  readonly positions: Float64Array;
  readonly index: Uint32Array;
  readonly source: Uint32Array;
}

/**
 * The pairs f < g of faces that cover each other, within the tolerance, on more than a strip as wide as that: whichever
 * way they face. In order.
 *
 * @internal
 */
export function overlappingFaces(parts: Parts, tolerance: number): [number, number][] {
  const { index, source } = parts;
  const corners = Array.from({ length: index.length / 3 }, (_, t) =>
    [0, 1, 2].map((k) => pointOf(parts, index[3 * t + k]!)),
  );
  const found = new Map<string, [number, number]>();
  forEachClosePair(corners, tolerance, (s, t) => {
    const f = Math.min(source[s]!, source[t]!);
    const g = Math.max(source[s]!, source[t]!);
    if (f !== g && !found.has(`${f},${g}`) && cover(corners[s]!, corners[t]!, tolerance))
      found.set(`${f},${g}`, [f, g]);
  });
  return [...found.values()].sort(([f, g], [h, i]) => f - h || g - i);
}

const pointOf = ({ positions }: Parts, v: number): Vec3 =>
  vec3(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);

/**
 * Calls back for pairs of triangles whose boxes touch. A grid for each size, in powers of two: a triangle is compared
 * with the larger ones, then put into the few cells that it touches in the grid of its own size.
 */
function forEachClosePair(
  triangles: readonly (readonly ReadonlyVec3[])[],
  tolerance: number,
  visit: (s: number, t: number) => void,
): void {
  const margin = vec3(tolerance, tolerance, tolerance);
  const low = triangles.map(([a, b, c]) => v3.sub(v3.min(v3.min(a!, b!), c!), margin));
  const high = triangles.map(([a, b, c]) => v3.add(v3.max(v3.max(a!, b!), c!), margin));
  const sizes = low.map((corner, t) => {
    const { x, y, z } = v3.sub(high[t]!, corner);
    return Math.max(x, y, z);
  });
  const order = [...triangles.keys()].sort((s, t) => sizes[t]! - sizes[s]! || s - t);
  const grids: { cell: number; buckets: Map<number, number[]> }[] = [];
  const seen = new Int32Array(triangles.length).fill(-1);
  for (const t of order) {
    const size = sizes[t]! || Number.MIN_VALUE;
    let grid = grids.at(-1);
    if (!grid || size <= grid.cell / 2) {
      grid = { cell: size, buckets: new Map() };
      grids.push(grid);
    }
    for (const { cell, buckets } of grids)
      forEachCell(low[t]!, high[t]!, cell, (key) => {
        for (const s of buckets.get(key) ?? [])
          if (seen[s] !== t) {
            seen[s] = t;
            if (boxesTouch(low[s]!, high[s]!, low[t]!, high[t]!)) visit(s, t);
          }
      });
    const { buckets } = grid;
    forEachCell(low[t]!, high[t]!, grid.cell, (key) => {
      const bucket = buckets.get(key);
      if (bucket) bucket.push(t);
      else buckets.set(key, [t]);
    });
  }
}

function forEachCell(
  low: ReadonlyVec3,
  high: ReadonlyVec3,
  cell: number,
  visit: (key: number) => void,
): void {
  for (let i = Math.floor(low.x / cell); i <= Math.floor(high.x / cell); i++)
    for (let j = Math.floor(low.y / cell); j <= Math.floor(high.y / cell); j++)
      for (let k = Math.floor(low.z / cell); k <= Math.floor(high.z / cell); k++)
        visit(Math.imul(i, 0x8da6b343) ^ Math.imul(j, 0xd8163841) ^ Math.imul(k, 0xcb1ab31f));
}

const boxesTouch = (
  lowA: ReadonlyVec3,
  highA: ReadonlyVec3,
  lowB: ReadonlyVec3,
  highB: ReadonlyVec3,
): boolean =>
  lowA.x <= highB.x &&
  lowB.x <= highA.x &&
  lowA.y <= highB.y &&
  lowB.y <= highA.y &&
  lowA.z <= highB.z &&
  lowB.z <= highA.z;

/** Are two triangles in one plane, and do they have more in common than a strip? */
function cover(a: readonly ReadonlyVec3[], b: readonly ReadonlyVec3[], tolerance: number): boolean {
  const [origin, corner, third] = a as [ReadonlyVec3, ReadonlyVec3, ReadonlyVec3];
  const right = v3.sub(corner, origin);
  const normal = v3.crossAccurate(right, v3.sub(third, origin));
  const reach = Math.max(...[...a, ...b].map((p) => v3.distance(p, origin)));
  // With no tolerance at all, rounding must not make neighbours overlap.
  const width = Math.max(tolerance, 1e-12 * reach);
  if (!(v3.lengthSq(normal) > 0)) return false;
  v3.normalize(normal, normal);
  v3.normalize(right, right);
  const up = v3.cross(normal, right);
  if (b.some((p) => Math.abs(v3.dot(v3.sub(p, origin), normal)) > width)) return false;
  const inPlane = (p: ReadonlyVec3): Vec2 => {
    const d = v3.sub(p, origin);
    return { x: v3.dot(d, right), y: v3.dot(d, up) };
  };
  const common = clip(b.map(inPlane), a.map(inPlane));
  let area = 0;
  let around = 0;
  common.forEach((p, i) => {
    const q = common[(i + 1) % common.length]!;
    area += (p.x * q.y - p.y * q.x) / 2;
    around += v3.distance({ ...p, z: 0 }, { ...q, z: 0 });
  });
  return 2 * Math.abs(area) > width * around;
}

/** The part of a polygon in a counter-clockwise triangle. Sutherland and Hodgman. */
function clip(polygon: ReadonlyVec2[], triangle: readonly ReadonlyVec2[]): ReadonlyVec2[] {
  let rest = polygon;
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
