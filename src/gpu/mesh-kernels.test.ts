import { describe, expect, test } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import { icosphere, moved, soup, torus } from '../../tests/kit/meshes.ts';
import { NearestSearch, searchNearest } from '../trimesh/closest.ts';
import { buildMesh, type Mesh } from '../trimesh/index.ts';
import { RaySearch, searchRay } from '../trimesh/ray.ts';
import { packMesh, unitOf, whyNot } from './mesh-buffers.ts';
import { confirmNearest, POINT_CANDIDATES, POINT_WORDS, writePoints } from './nearest-kernel.ts';
import { confirmRay, RAY_CANDIDATES, RAY_WORDS, writeRays } from './ray-kernel.ts';
import { DOUBT, NONE } from './walk.wgsl.ts';

const draw = (rng: Rng): Mesh => {
  const arrays = rng.pick([() => icosphere(2), () => torus(), () => soup(rng, rng.int(1, 80))])();
  const at = rng.pick([{ x: 0, y: 0, z: 0 }, rng.vec(10), rng.vec(1e6)]);
  const { positions, index } = moved(arrays, rng.pick([1, 1e-4, 1e4, 1e-20, 1e20]), at);
  return buildMesh(rng.chance(0.3) ? Float32Array.from(positions) : positions, index, {
    leafSize: rng.pick([1, 4, 10, 15]),
  });
};

const sizeOf = ({ bounds: { min, max } }: Mesh): number =>
  Math.max(max.x - min.x, max.y - min.y, max.z - min.z) || 1;

describe('a mesh on its way to the GPU', () => {
  property('every box of its tree holds what is below it, in the numbers that the GPU has', 200, (rng) => {
    const mesh = draw(rng);
    const { nodes, triangles, steps, depth } = packMesh(mesh);
    check(nodes.length === 8 * mesh.tree.nodeCount, 'eight words a node');
    check(triangles.length === 9 * mesh.triangleCount, 'nine numbers a triangle');
    check(Math.max(...steps) === 1 && Math.min(...steps) >= 0, 'the widest step is 1');
    check(
      triangles.every((x) => x >= 0 && x <= 65536),
      'coordinates on the grid',
    );
    // As the GPU decodes them.
    const half = (word: number, high: boolean): number => (high ? word >>> 16 : word & 0xffff);
    const seen = new Set<number>();
    let deepest = 0;
    const visit = (link: number, low: number[], high: number[], level: number): void => {
      if (link < 0) {
        const first = ~link >>> 4;
        for (let slot = first; slot < first + (~link & 15); slot++) {
          check(!seen.has(slot), 'each triangle once');
          seen.add(slot);
          for (let k = 0; k < 9; k++) {
            const x = triangles[9 * slot + k]!;
            const slack = 1 / 128; // half a unit of the last place of 65536, in single precision
            check(x >= low[k % 3]! - slack && x <= high[k % 3]! + slack, 'within its box');
          }
        }
        return;
      }
      deepest = Math.max(deepest, level);
      const at = link / 2;
      const w = nodes.subarray(at, at + 8);
      const boxes = [
        [half(w[0]!, false), half(w[0]!, true), half(w[1]!, false)],
        [half(w[1]!, true), half(w[2]!, false), half(w[2]!, true)],
        [half(w[3]!, false), half(w[3]!, true), half(w[4]!, false)],
        [half(w[4]!, true), half(w[5]!, false), half(w[5]!, true)],
      ].map((side) => side.map((x, axis) => x * steps[axis]!));
      visit(w[6]! | 0, boxes[0]!, boxes[1]!, level + 1);
      visit(w[7]! | 0, boxes[2]!, boxes[3]!, level + 1);
    };
    visit(0, [0, 0, 0], [65536, 65536, 65536], 1);
    check(seen.size === mesh.triangleCount, 'all of them');
    check(depth === deepest, `as deep as told: ${depth}, ${deepest}`);
  });

  test('one whose size leaves single precision no room is left to the CPU', () => {
    const { positions, index } = icosphere(0);
    const scaled = (by: number) =>
      whyNot(
        buildMesh(
          positions.map((x) => x * by),
          index,
        ),
      );
    expect([1, 1e-20, 1e25].map(scaled)).toEqual(['', '', '']);
    expect(scaled(1e-29)).toContain('too small');
  });
});

describe('queries on their way to the GPU', () => {
  property('a ray, from its entry on, is the ray; what it leaves out is not in the grid', 2000, (rng) => {
    const mesh = draw(rng);
    const { grid } = mesh.tree;
    const unit = unitOf(mesh.tree);
    const size = sizeOf(mesh);
    const { min } = mesh.bounds;
    const near = (reach: number) =>
      [min.x, min.y, min.z].map((x) => x + size * (0.5 + rng.range(-reach, reach)));
    const origin = near(rng.pick([0.5, 2, 100]));
    const target = near(0.5);
    const direction = target.map((x, k) => (rng.chance(0.2) ? 0 : x - origin[k]!) * 1);
    const tMax = rng.pick([Infinity, 1, 0.01]);
    const words = new Float32Array(RAY_WORDS).fill(Number.NaN);
    writeRays([origin, direction], tMax, mesh, [0, 1], words);
    const most = Math.max(...direction.map(Math.abs));
    const scaled = origin.map((x, k) => (x - grid[k]!) / unit);
    if (most === 0 || Math.max(...scaled.map(Math.abs)) > 1e9) {
      check(words[3] === -1, 'a point, and what is far away, is left to the CPU');
      return;
    }
    check(words.every(Number.isFinite), 'no infinities');
    const course = [words[4]!, words[5]!, words[6]!];
    check(Math.max(...course.map(Math.abs)) === 1, 'of length 1 along the axis of its largest component');
    const ends = [mesh.bounds.max.x, mesh.bounds.max.y, mesh.bounds.max.z].map(
      (x, k) => (x - grid[k]!) / unit,
    );
    const entry = words[3]! - (Math.max(...scaled.map(Math.abs)) + 65536);
    const distance = words[3]! * 2e-7;
    check(words[7]! < 0 || entry >= -distance, 'it enters at its start or later');
    for (let k = 0; k < 3; k++) {
      const at = scaled[k]! + (entry * direction[k]!) / most;
      check(words[7]! < 0 || Math.abs(words[k]! - at) <= distance + 0.02, 'it enters where it is then');
    }
    // Points of it, by small steps: in the box of the mesh only where the GPU looks.
    for (let i = 0; i <= 200; i++) {
      const t = (i / 200) * Math.min(tMax, 2);
      const time = (t * most) / unit;
      const inside = scaled.every((x, k) => {
        const p = x + (time * direction[k]!) / most;
        return p > 0.5 && p < ends[k]! - 0.5;
      });
      if (!inside) continue;
      check(words[7]! >= 0, 'a ray that passes through the mesh is not left out');
      check(time >= entry - distance && time - entry <= words[7]! * 1.000001 + distance, 'nor a part of it');
    }
  });

  test('what single precision is not good enough for is left to the CPU', () => {
    const { positions, index } = icosphere(1);
    const mesh = buildMesh(positions, index);
    const words = new Float32Array(RAY_WORDS * 5);
    const rays = [
      [0, 0, 5, 0, 0, -1],
      [0, 0, 1e9, 0, 0, -1],
      [0, 0, 5, 0, 0, 0],
      [0, 0, 5, 0, 0, 1e-40],
      [0, 0, 5, 0, 1e40, 0],
    ];
    writeRays(
      [rays.flatMap((r) => r.slice(0, 3)), rays.flatMap((r) => r.slice(3))],
      Infinity,
      mesh,
      [0, 5],
      words,
    );
    expect(rays.map((_, i) => words[RAY_WORDS * i + 3]! < 0)).toEqual([false, true, true, true, true]);
    const points = new Float32Array(POINT_WORDS * 2);
    writePoints([[0, 0, 5, 0, 0, 1e3]], Infinity, mesh, [0, 2], points);
    expect([points[3]! > 0, points[7]! < 0]).toEqual([true, true]);
    expect(points.every(Number.isFinite)).toBe(true);
  });
});

/**
 * Candidates as no GPU would give them: the right ones among any others, twice, in any order; or numbers that are no triangles, lists
 * that end at once or are given up.
 */
function disturbed(rng: Rng, right: number, mesh: Mesh, most: number): Uint32Array {
  const list = new Uint32Array(most).fill(NONE);
  const way = rng.int(0, 3);
  const others = Array.from({ length: rng.int(0, most - 1) }, () => rng.int(0, mesh.triangleCount - 1));
  const all = rng.shuffle([...others, ...(right >= 0 ? [right] : [])]);
  if (rng.chance(0.3) && right >= 0 && all.length < most) all.push(right);
  list.set(all);
  if (way === 1) list[0] = DOUBT;
  if (way === 2) list[rng.int(0, most - 1)] = rng.pick([mesh.triangleCount, 0x7fffffff, DOUBT - 1, DOUBT]);
  return list;
}

describe('candidates of all kinds give the answer of the mesh, as long as the right ones are among them', () => {
  property('rays', 3000, (rng) => {
    const mesh = draw(rng);
    const [asked, alone] = [new RaySearch(), new RaySearch()];
    const size = sizeOf(mesh);
    const { min } = mesh.bounds;
    for (const search of [asked, alone]) search.tMax = Infinity;
    const p = {
      x: min.x + size * rng.range(-1, 2),
      y: min.y + size * rng.range(-1, 2),
      z: min.z + size * rng.range(-1, 2),
    };
    const q = { x: min.x + size * rng.unit(), y: min.y + size * rng.unit(), z: min.z + size * rng.unit() };
    for (const { origin, direction } of [asked, alone]) {
      Object.assign(origin, p);
      Object.assign(direction, { x: q.x - p.x, y: q.y - p.y, z: q.z - p.z });
    }
    const slot = searchRay(alone, mesh);
    const list = disturbed(rng, slot, mesh, RAY_CANDIDATES);
    // A list that ends at once says that there is no hit.
    if (slot >= 0 && list[0] === NONE) list[0] = slot;
    // The right one may have been written over by what is no triangle: then all is asked anew.
    confirmRay(asked, mesh, list, 0);
    check(asked.slot === slot, () => `${asked.slot} instead of ${slot} by ${list}`);
    if (slot >= 0)
      check(asked.t === alone.t && asked.v === alone.v && asked.w === alone.w, 'all that is known of it');
  });

  property('closest points', 3000, (rng) => {
    const mesh = draw(rng);
    const [asked, alone] = [new NearestSearch(), new NearestSearch()];
    const size = sizeOf(mesh);
    const { min } = mesh.bounds;
    const most = rng.pick([Infinity, size, 0.1 * size]);
    const p = {
      x: min.x + size * rng.range(-1, 2),
      y: min.y + size * rng.range(-1, 2),
      z: min.z + size * rng.range(-1, 2),
    };
    for (const search of [asked, alone]) {
      search.maxDistance = most;
      Object.assign(search.point, p);
    }
    const slot = searchNearest(alone, mesh);
    const list = disturbed(rng, slot, mesh, POINT_CANDIDATES);
    if (slot >= 0 && list[0] === NONE) list[0] = slot;
    confirmNearest(asked, mesh, list, 0);
    check(asked.slot === slot, () => `${asked.slot} instead of ${slot} by ${list}`);
    if (slot >= 0) check(asked.distanceSq === alone.distanceSq, 'the distance');
  });
});
