/** What is saved comes back; what is not what it seems is refused, by name, and nothing hangs. */
import { expect, test } from 'vitest';
import { check, property, Rng } from '../../../../tests/kit/index.ts';
import { torus } from '../../../../tests/kit/meshes.ts';
import { vec3 } from '../../../math/types.ts';
import { checksumOf } from '../../../trimesh/mesh.ts';
import { mesh } from '../../mesh.ts';
import { HEADER, LevelSetGrid } from './grid.ts';
import { levelSet, levelSetDistance, levelSetError } from './level-set.ts';
import { loadLevelSet, saveLevelSet } from './stored-level-set.ts';

const { positions, index } = torus(9, 7);
const level = levelSet(mesh(positions, index), { spacing: 0.22 });
const saved = saveLevelSet(level) as ArrayBuffer;

function refusalOf(bytes: ArrayBuffer): string | null {
  try {
    loadLevelSet(bytes);
    return null;
  } catch (error) {
    const { message } = error as Error;
    check(error instanceof RangeError && message.startsWith('graze: loadLevelSet: '), message);
    return message;
  }
}

/** As someone would who knows the format: with a checksum that is right. */
function crafted(change: (grid: LevelSetGrid, header: Float64Array) => void): ArrayBuffer {
  const bytes = saved.slice(0);
  const grid = new LevelSetGrid(bytes);
  change(grid, grid.header);
  grid.header[HEADER.checksum] = checksumOf(bytes);
  return bytes;
}

property('what is loaded answers as what was saved', 300, (rng) => {
  const p = vec3(rng.range(-2, 2), rng.range(-1, 1), rng.range(-2, 2));
  check(levelSetDistance(p, loaded) === levelSetDistance(p, level), 'value');
  check(levelSetError(p, loaded) === levelSetError(p, level), 'error');
});
const loaded = loadLevelSet(saved.slice(0));

test('all that is stated comes back', () => {
  const { spacing, band, error, farError, bounds } = level;
  expect(loaded).toMatchObject({ kind: 'levelSet', spacing, band, error, farError, bounds });
});

test('files that are cut off, longer, or changed by a bit are refused', () => {
  for (let size = 0; size < saved.byteLength; size += size < 300 ? 1 : 997)
    check(refusalOf(saved.slice(0, size)) !== null, () => `${size} bytes were taken`);
  const longer = new Uint8Array(saved.byteLength + 8);
  longer.set(new Uint8Array(saved));
  expect(refusalOf(longer.buffer)).toMatch(/must be whole/);
  const rng = new Rng(1);
  const bytes = new Uint8Array(saved.slice(0));
  for (let i = 0; i < 300; i++) {
    const bit = rng.int(0, 8 * bytes.length - 1);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    check(refusalOf(bytes.buffer) !== null, () => `bit ${bit} changed, and was taken`);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
  }
});

test('what was made to look like one is refused, by name', () => {
  const cases: readonly [RegExp, (grid: LevelSetGrid, header: Float64Array) => void][] = [
    [/saved by this version/, (_, header) => header.fill(7)],
    [
      /its layout is 2, not 1/,
      (_, header) => {
        header[0] = HEADER.magic + 2;
      },
    ],
    [
      /must be whole/,
      (_, header) => {
        header[HEADER.counts] = 1e9;
      },
    ],
    [
      /must be whole/,
      (_, header) => {
        header[HEADER.fine] = 0.5;
      },
    ],
    [
      /the spacing is not above 0/,
      (_, header) => {
        header[HEADER.spacing] = 0;
      },
    ],
    [
      /is not finite/,
      (_, header) => {
        header[HEADER.origin] = Number.NaN;
      },
    ],
    [
      /the band is less/,
      (_, header) => {
        header[HEADER.band] = 0;
      },
    ],
    [
      /the errors are not in order/,
      (_, header) => {
        header[HEADER.error] = 9;
      },
    ],
    [
      /faster than stated/,
      (_, header) => {
        header[HEADER.steepness] = 0.5;
      },
    ],
    [
      /the bounds are not in the grid/,
      (_, header) => {
        header[HEADER.bounds] = -1e6;
      },
    ],
    [
      /beyond its bounds/,
      (_, header) => {
        header[HEADER.bounds] = 0;
      },
    ],
    [
      /a value is not finite/,
      ({ samples }) => {
        samples[5] = Number.NaN;
      },
    ],
    [
      /an error is not what is stated/,
      ({ errors }) => {
        errors[0] = 1e9;
      },
    ],
    [
      /not numbered one by one/,
      ({ slots }) => {
        slots[slots.indexOf(1)] = 0;
      },
    ],
    [
      /agree where they meet|faster than stated/,
      ({ samples }) => {
        for (let i = 0; i < 125; i++) samples[125 * 3 + i]! += 1e-3;
      },
    ],
  ];
  for (const [reason, change] of cases) expect(refusalOf(crafted(change)), String(reason)).toMatch(reason);
  expect(() => loadLevelSet(null as never)).toThrow(/must be an ArrayBuffer/);
});
