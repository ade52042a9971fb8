import { afterEach, describe, expect, test, vi } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import { icosphere, moved, soup, terrain, together, torus } from '../../tests/kit/meshes.ts';
import { packageMesh } from '../../tests/kit/solids.ts';
import type { Vec3 } from '../math/types.ts';
import { raycastMany } from '../query/many.ts';
import { mesh as meshShape } from '../shapes/mesh.ts';
import { closestPointMesh } from '../trimesh/closest.ts';
import { loadTriangle, type Mesh, makeCorners, mesh } from '../trimesh/mesh.ts';
import { rayMesh, rayMeshAny, rayMeshFront, segmentMesh, segmentMeshAny } from '../trimesh/ray.ts';
import { addSimd, laneOf, removeSimd } from './mesh-simd.ts';

/** Closed, open, nested and broken meshes, of one triangle and of many, near and far, huge and tiny. */
function draw(rng: Rng): Mesh {
  const shapes = [
    () => icosphere(rng.int(1, 3)),
    () => torus(),
    () => terrain(rng, 12),
    () => soup(rng, rng.int(1, 60)),
    () => together(icosphere(1), moved(icosphere(1), 0.5), moved(torus(12, 6), 2)),
  ];
  const at = rng.pick([{ x: 0, y: 0, z: 0 }, rng.vec(10), rng.vec(1e6)]);
  const { positions, index } = moved(rng.pick(shapes)(), rng.pick([1, 1, 1e-4, 1e4, 1e-25, 1e25]), at);
  const flat = rng.chance(0.1) ? positions.map((x, i) => (i % 3 === 1 ? 0 : x)) : positions;
  return mesh(rng.chance(0.3) ? Float32Array.from(flat) : flat, index, {
    leafSize: rng.pick([1, 2, 4, 10, 15]),
  });
}

const corners = makeCorners();

function pointOf(rng: Rng, subject: Mesh): Vec3 {
  const { min, max } = subject.bounds;
  const size = Math.max(max.x - min.x, max.y - min.y, max.z - min.z) || 1;
  loadTriangle(subject, rng.int(0, subject.triangleCount - 1), corners);
  const { a, b, c } = corners;
  const sort = rng.int(0, 4);
  if (sort === 0) return { ...a };
  if (sort === 1) return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, z: (a.z + b.z) / 2 };
  if (sort === 2) {
    const v = rng.unit();
    const w = rng.unit() * (1 - v);
    return {
      x: a.x + v * (b.x - a.x) + w * (c.x - a.x),
      y: a.y + v * (b.y - a.y) + w * (c.y - a.y),
      z: a.z + v * (b.z - a.z) + w * (c.z - a.z),
    };
  }
  const far = size * rng.pick([0.6, 1, 1e3, 1e8, 1e20]);
  const d = rng.vec(1);
  return {
    x: (min.x + max.x) / 2 + far * d.x,
    y: (min.y + max.y) / 2 + far * d.y,
    z: (min.z + max.z) / 2 + far * d.z,
  };
}

function rayOf(rng: Rng, subject: Mesh) {
  const origin = pointOf(rng, subject);
  const target = pointOf(rng, subject);
  const direction = { x: target.x - origin.x, y: target.y - origin.y, z: target.z - origin.z };
  if (rng.chance(0.2)) for (const axis of rng.pick([['x'], ['y', 'z'], ['z']] as const)) direction[axis] = 0;
  if (rng.chance(0.1)) direction[rng.pick(['x', 'y', 'z'] as const)] *= 1e-9;
  return { origin, direction };
}

/** Compares what a mesh answers by itself, and with the kernels, to a list of questions. */
function askBothWays<Q>(subject: Mesh, questions: readonly Q[], ask: (question: Q) => unknown): void {
  const alone = questions.map((question) => JSON.stringify(ask(question)));
  check(addSimd(subject) && laneOf(subject) === 'simd', 'it has kernels');
  questions.forEach((question, i) => {
    const wide = JSON.stringify(ask(question));
    check(wide === alone[i], () => JSON.stringify({ question, alone: alone[i], wide }));
  });
}

describe('the same answers as the mesh alone, to the last bit', () => {
  property('[R13.7] rays and segments', 100, (rng) => {
    const subject = draw(rng);
    const questions = Array.from({ length: 50 }, () => ({
      ray: rayOf(rng, subject),
      tMax: rng.pick([Infinity, 1, 0.5, 0]),
    }));
    askBothWays(subject, questions, ({ ray, tMax }) => {
      const { origin, direction: d } = ray;
      const end = { x: origin.x + d.x, y: origin.y + d.y, z: origin.z + d.z };
      return [
        rayMesh(ray, subject, tMax),
        rayMeshAny(ray, subject, tMax),
        rayMeshFront(ray, subject, tMax),
        segmentMesh(origin, end, subject),
        segmentMeshAny(origin, end, subject),
      ];
    });
  });

  property('[R13.7] closest points', 100, (rng) => {
    const subject = draw(rng);
    const { min, max } = subject.bounds;
    const size = Math.max(max.x - min.x, max.y - min.y, max.z - min.z) || 1;
    const questions = Array.from({ length: 50 }, () => ({
      p: pointOf(rng, subject),
      most: rng.pick([Infinity, size, 0.01 * size, 0]),
    }));
    askBothWays(subject, questions, ({ p, most }) => closestPointMesh(p, subject, most));
  });

  test('[R13.7] a real mesh, by the front door', () => {
    const { positions, index } = packageMesh('bunny');
    const bunny = meshShape(positions, index);
    const { min, max } = bunny.bounds;
    const origins: number[] = [];
    const directions: number[] = [];
    for (let i = 0; i < 2000; i++) {
      const [u, v] = [((i % 50) + 0.5) / 50, (Math.floor(i / 50) + 0.5) / 40];
      origins.push(min.x + u * (max.x - min.x), min.y + v * (max.y - min.y), min.z - 1);
      directions.push(0, 0, 1);
    }
    askBothWays(bunny, [origins], (from) => raycastMany(from, directions, bunny));
    const hits = raycastMany(origins, directions, bunny).triangle.filter((id) => id >= 0).length;
    expect(hits).toBeGreaterThan(500);
    expect(hits).toBeLessThan(1900);
  });
});

describe('which kernels answer', () => {
  const square: [number[], number[]] = [
    [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0],
    [0, 1, 2, 0, 2, 3],
  ];

  test('a mesh says so, and it can be undone', () => {
    const subject = mesh(...square);
    expect(laneOf(subject)).toBe('scalar');
    expect(addSimd(subject)).toBe(true);
    expect(addSimd(subject)).toBe(true);
    expect(laneOf(subject)).toBe('simd');
    removeSimd(subject);
    expect(laneOf(subject)).toBe('scalar');
  });

  test('what is no mesh is named', () => {
    for (const wrong of [addSimd, removeSimd, laneOf])
      expect(() => wrong({} as Mesh)).toThrow(/mesh must be a mesh/);
  });

  describe('where the engine has no SIMD', () => {
    afterEach(() => {
      vi.unstubAllGlobals();
      vi.resetModules();
    });

    /** By the modules that were loaded anew. */
    const freshSquare = async (): Promise<Mesh> => {
      const fresh = await import('../trimesh/mesh.ts');
      return fresh.mesh(...square);
    };

    const without = {
      'no WebAssembly': undefined,
      'WebAssembly without SIMD': {
        Module: class {
          constructor() {
            throw new Error('invalid value type');
          }
        },
        compile: () => Promise.reject(new Error('invalid value type')),
      },
    };
    for (const [name, engine] of Object.entries(without))
      test(`[R13.7] ${name}: everything still works`, async () => {
        vi.resetModules();
        vi.stubGlobal('WebAssembly', engine);
        const room = await import('./index.ts');
        const subject = await freshSquare();
        expect(room.addSimd(subject)).toBe(false);
        expect(await room.prepareSimd()).toBe(false);
        expect(room.laneOf(subject)).toBe('scalar');
        expect(
          rayMesh({ origin: { x: 0.5, y: 0.2, z: 1 }, direction: { x: 0, y: 0, z: -1 } }, subject)?.t,
        ).toBe(1);
        const lanes = new room.Lanes(5, new room.KdTriangles([0, 0, 0, 1, 0, 0, 0, 1, 0]));
        expect(lanes.lane).toBe('scalar');
        [0, 0, 0, 1, 2, 0, 0, 1].forEach((x, k) => {
          lanes.column(k)[4] = x;
        });
        expect([...lanes.overlapSpheres()]).toEqual([0, 0, 0, 0, 1]);
        [0.2, 0.2, 3, 0, 0, -1].forEach((x, k) => {
          lanes.column(k)[1] = x;
        });
        expect([...lanes.rayKdTree().t]).toEqual([Infinity, 3, Infinity, Infinity]);
        expect([...lanes.rayKdTree().triangle]).toEqual([-1, 0, -1, -1]);
      });

    test('an engine that only compiles in the background is waited for', async () => {
      vi.resetModules();
      const { Module, Instance, Memory } = WebAssembly;
      vi.stubGlobal('WebAssembly', {
        Instance,
        Memory,
        Module: class {
          constructor() {
            throw new Error('too large for the main thread');
          }
        },
        compile: async (bytes: Uint8Array<ArrayBuffer>) => new Module(bytes),
      });
      const room = await import('./index.ts');
      const subject = await freshSquare();
      expect(room.addSimd(subject)).toBe(false);
      expect(await room.prepareSimd()).toBe(true);
      expect(room.addSimd(subject)).toBe(true);
      expect(room.laneOf(subject)).toBe('simd');
    });
  });
});
