/**
 * The kernels of rays and closest points, with every rounding that WGSL allows, in Node: none loses the triangle that is the answer.
 */
import { describe, expect, test } from 'vitest';
import { madeMesh, pointsAt, raysAt } from '../../tests/browser/gpu/queries.ts';
import { Rng } from '../../tests/kit/index.ts';
import { factor } from '../../tests/kit/property.ts';
import { compileShader } from '../../tests/kit/wgsl.ts';
import { NearestSearch, searchNearest } from '../trimesh/closest.ts';
import type { Mesh } from '../trimesh/index.ts';
import { RaySearch, searchRay } from '../trimesh/ray.ts';
import { packMesh } from './mesh-buffers.ts';
import { nearestCode, POINT_CANDIDATES, POINT_WORDS, writePoints } from './nearest-kernel.ts';
import { RAY_CANDIDATES, RAY_WORDS, rayCode, writeRays } from './ray-kernel.ts';
import { DOUBT } from './walk.wgsl.ts';

const groupsOf = (list: ArrayLike<number>, size: number): number[][] =>
  Array.from({ length: list.length / size }, (_, i) =>
    Array.from({ length: size }, (_, k) => list[size * i + k]!),
  );

interface Told {
  readonly asked: number;
  /** How often the answer was not among the candidates. */
  readonly lost: number;
  readonly givenUp: number;
}

interface Kernel {
  readonly code: (depth: number) => string;
  readonly words: number;
  readonly candidates: number;
  /** The queries as the GPU gets them, and for each the slot of the answer. */
  readonly ask: (
    mesh: Mesh,
    count: number,
    seed: number,
    limit: number,
  ) => { words: Float32Array; right: number[] };
}

const rays: Kernel = {
  code: rayCode,
  words: RAY_WORDS,
  candidates: RAY_CANDIDATES,
  ask(mesh, count, seed, tMax) {
    const { origins, directions } = raysAt(mesh, count, seed);
    const words = new Float32Array(RAY_WORDS * count);
    writeRays([origins, directions], tMax, mesh, [0, count], words);
    const search = new RaySearch();
    search.tMax = tMax;
    const right = Array.from({ length: count }, (_, i) => {
      const [x, y, z] = origins.subarray(3 * i);
      const [dx, dy, dz] = directions.subarray(3 * i);
      Object.assign(search.origin, { x, y, z });
      Object.assign(search.direction, { x: dx, y: dy, z: dz });
      return searchRay(search, mesh);
    });
    return { words, right };
  },
};

const points: Kernel = {
  code: nearestCode,
  words: POINT_WORDS,
  candidates: POINT_CANDIDATES,
  ask(mesh, count, seed, maxDistance) {
    const list = pointsAt(mesh, count, seed);
    const words = new Float32Array(POINT_WORDS * count);
    writePoints([list], maxDistance, mesh, [0, count], words);
    const search = new NearestSearch();
    search.maxDistance = maxDistance;
    const right = Array.from({ length: count }, (_, i) => {
      const [x, y, z] = list.subarray(3 * i);
      Object.assign(search.point, { x, y, z });
      return searchNearest(search, mesh);
    });
    return { words, right };
  },
};

/** Runs a kernel on a mesh. */
function run(
  kernel: Kernel,
  mesh: Mesh,
  { count, seed, limit }: { count: number; seed: number; limit: number },
): Told {
  const { nodes, triangles, steps, depth } = packMesh(mesh);
  const { words, right } = kernel.ask(mesh, count, seed, limit);
  const answers: number[][] = [];
  const invoke = compileShader(
    kernel.code(depth),
    {
      params: { steps: [...steps].map(Math.fround), count },
      nodes: groupsOf(nodes, 4),
      triangles,
      queries: groupsOf(words, 4),
      answers,
    },
    new Rng(seed),
  );
  let lost = 0;
  let givenUp = 0;
  const rows = kernel.candidates / 4;
  for (let query = 0; query < count; query++) {
    invoke(query);
    const list = answers.slice(query * rows, (query + 1) * rows).flat();
    if (list[0] === DOUBT) givenUp++;
    else if (right[query]! >= 0 && !list.includes(right[query]!)) lost++;
  }
  return { asked: count, lost, givenUp };
}

const MESHES = ['soup', 'needles', 'far', 'flat', 'box', 'knot', 'nested', 'huge'];
const COUNT = 250;

describe.each([
  ['rays', rays],
  ['closest points', points],
] as const)('%s', (_, kernel) => {
  test.each(MESHES)(
    'of %s: the answer is among the candidates',
    (name) => {
      let asked = 0;
      let kept = 0;
      for (let round = 0; round < Math.max(1, factor); round++) {
        const mesh = madeMesh(name, 5 + round);
        for (const limit of [Infinity, 1]) {
          const told = run(kernel, mesh, { count: COUNT, seed: 31 + round, limit });
          expect(told.lost, `${name} ${limit}`).toBe(0);
          asked += told.asked;
          kept += told.asked - told.givenUp;
        }
      }
      expect(kept).toBeGreaterThan(0.3 * asked);
    },
    600_000,
  );
});
