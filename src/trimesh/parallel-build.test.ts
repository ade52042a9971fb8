/** What threads build is what one builds, byte by byte. The steps are run here, in turns, on copies as threads would get them. */
import { describe, expect, test } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import { moved, soup, terrain, together, torus } from '../../tests/kit/meshes.ts';
import type { Triangles } from '../mesh/triangles.ts';
import { BuildMemory } from './build-memory.ts';
import { mesh } from './mesh.ts';
import { buildInThreads, type RunStep, STEPS } from './parallel-build.ts';

/** As a thread does it: what it is sent is copied but for shared memory, and so is what comes back. */
const run: RunStep = async (name, input) =>
  structuredClone((STEPS[name] as (input: unknown) => never)(structuredClone(input)));

/** Of one mesh after the other, with what they leave behind. */
const memory = new BuildMemory();

/** A strip bent into a tube: its ends are equal but for rounding. */
function tube(rows: number, columns: number): { positions: Float64Array; index: Uint32Array } {
  const positions: number[] = [];
  const index: number[] = [];
  for (let i = 0; i <= columns; i++)
    for (let j = 0; j <= rows; j++) {
      const angle = (2 * Math.PI * i) / columns;
      positions.push(Math.cos(angle), j / rows, Math.sin(angle));
    }
  for (let i = 0; i < columns; i++)
    for (let j = 0; j < rows; j++) {
      const at = i * (rows + 1) + j;
      index.push(at, at + rows + 1, at + 1, at + 1, at + rows + 1, at + rows + 2);
    }
  return { positions: Float64Array.from(positions), index: Uint32Array.from(index) };
}

/** Enough triangles for cells to stand for them. */
const SHAPES: Record<string, (rng: Rng) => { positions: ArrayLike<number>; index: ArrayLike<number> }> = {
  torus: () => torus(90, 40),
  terrain: (rng) => terrain(rng, 60),
  soup: (rng) => soup(rng, rng.int(4097, 9000)),
  tube: (rng) => tube(40, rng.int(60, 110)),
  'several parts': () => together(torus(60, 20), moved(torus(60, 20), 0.3), moved(torus(30, 60), 2)),
  'all in one point': () => ({
    positions: new Float64Array(9).fill(1),
    index: Uint32Array.from({ length: 15_000 }, (_, i) => i % 3),
  }),
  'the same few triangles again and again': (rng) => ({
    positions: Float64Array.from({ length: 60 }, () => rng.range(-1, 1)),
    index: Uint32Array.from({ length: 3 * 6000 }, () => rng.int(0, 19)),
  }),
  'far from the origin, with vertices that nobody uses': (rng) => {
    const { positions, index } = moved(terrain(rng, 60), 1, { x: 1e7, y: -1e7, z: 3 });
    return { positions: [...positions, ...positions], index: index.map((i) => 2 * i - i) };
  },
  'in a plane, with zeros of both signs': (rng) => {
    const { positions, index } = terrain(rng, 60);
    return { positions: positions.map((x, i) => (i % 3 === 1 ? (rng.chance(0.5) ? -0 : 0) : x)), index };
  },
};

const bytes = (buffer: ArrayBuffer | SharedArrayBuffer) => Buffer.from(new Uint8Array(buffer));

async function same(given: Triangles, threads: number, leafSize: number | undefined): Promise<void> {
  const options = leafSize === undefined ? {} : { leafSize };
  const alone = mesh(given.positions, given.index, options);
  const told: number[] = [];
  const onProgress = (done: number): void => void told.push(done);
  const buffer = await buildInThreads({ run, threads, memory, onProgress }, given, options);
  check(Buffer.compare(bytes(buffer), bytes(alone.buffer)) === 0, 'the bytes differ');
  for (let i = 1; i < told.length; i++) check(told[i]! >= told[i - 1]! && told[i]! <= 1, 'progress');
}

describe.each(Object.entries(SHAPES))('%s', (_, make) => {
  const cases: [Triangles, number, number | undefined][] = [];
  property('cases', 20, (rng) => {
    const { positions, index } = make(rng);
    const list = rng.chance(0.5) ? Float32Array.from(positions) : Float64Array.from(positions);
    const given = { positions: list, index: Uint32Array.from(index) };
    check(given.index.length / 3 > 4096, 'too few triangles');
    cases.push([given, rng.int(1, 5), rng.pick([undefined, undefined, 1, 4, 15])]);
  });

  test('several threads build, bit by bit, what one does', async () => {
    for (const [given, threads, leafSize] of cases) await same(given, threads, leafSize);
  });
});

test('what goes wrong in a step is the reason', async () => {
  const { positions, index } = torus(90, 40);
  const given = { positions: Float64Array.from(positions), index: Uint32Array.from(index) };
  for (const name of Object.keys(STEPS)) {
    if (name === 'seams') continue; // not for closed meshes
    const failing: RunStep = (step, input) =>
      step === name ? Promise.reject(new Error(`no ${name}`)) : run(step, input);
    await expect(
      buildInThreads({ run: failing, threads: 2, memory: new BuildMemory() }, given, {}),
    ).rejects.toThrow(`no ${name}`);
  }
});
