/** Level sets in files. What is loaded can be trusted: a checksum against accidents, and a look at everything against malice. */
import { refuse } from '../../../math/check.ts';
import { mustBeInRange } from '../../../math/size-range.ts';
import { checksumOf } from '../../../trimesh/mesh.ts';
import type { LevelSetShape } from '../../shape.ts';
import { BLOCK, HEADER, LevelSetGrid, layoutOf, SAMPLES, SIDE, steepnessOf } from './grid.ts';
import { levelSetOf, mustBeLevelSet } from './level-set.ts';

/** No grid has more blocks: it would not fit in memory. */
const MOST_BLOCKS = 268435456;

/** The whole level set as the bytes to write to a file. No copy: it is the memory of the level set itself. */
export function saveLevelSet(level: LevelSetShape): ArrayBuffer | SharedArrayBuffer {
  mustBeLevelSet('saveLevelSet', level);
  return level.grid.buffer;
}

/**
 * The level set that `saveLevelSet` gave, without copying: it lives in `buffer` from then on. Refuses what is no such thing, what
 * has changed since (by a checksum), and what was made to look like one but is not: values that are not finite, that jump
 * between blocks, that change faster than stated, or a surface that goes beyond the stated box. O(n).
 */
export function loadLevelSet(buffer: ArrayBuffer | SharedArrayBuffer): LevelSetShape {
  const isBuffer =
    buffer instanceof ArrayBuffer ||
    (typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer);
  if (!isBuffer) refuse('loadLevelSet', 'buffer', 'must be an ArrayBuffer or a SharedArrayBuffer');
  const isLong = buffer.byteLength >= 8 * HEADER.length && buffer.byteLength % 8 === 0;
  const header = isLong ? new Float64Array(buffer, 0, HEADER.length) : null;
  const version = header ? header[0]! - HEADER.magic : Number.NaN;
  if (!header || !(Number.isInteger(version) && version > 0 && version < 256))
    refuse('loadLevelSet', 'buffer', 'must hold a level set saved by this version of graze');
  if (version !== HEADER.version)
    refuse(
      'loadLevelSet',
      'buffer',
      `must hold a level set saved by this version of graze: its layout is ${version}, not ${HEADER.version}; bake it anew`,
    );
  const [nx, ny, nz, fine] = header.subarray(HEADER.counts) as unknown as [number, number, number, number];
  const fits =
    [nx, ny, nz].every((n) => Number.isInteger(n) && n > 0 && n <= MOST_BLOCKS) &&
    nx * ny * nz <= MOST_BLOCKS &&
    Number.isInteger(fine) &&
    fine >= 0 &&
    fine <= nx * ny * nz &&
    layoutOf(nx, ny, nz, fine).size === buffer.byteLength;
  if (!fits) refuse('loadLevelSet', 'buffer', 'must be whole: its size is not what its header says');
  if (header[HEADER.checksum] !== checksumOf(buffer))
    refuse('loadLevelSet', 'buffer', 'must be as it was saved: its checksum is another one');
  const fault = faultOfHeader(header) ?? faultOfGrid(buffer, nx, ny, nz, fine);
  if (fault) refuse('loadLevelSet', 'buffer', `must be sound: ${fault}`);
  return levelSetOf(new LevelSetGrid(buffer));
}

function faultOfHeader(header: Float64Array): string | null {
  for (let i = 1; i < header.length; i++)
    if (!Number.isFinite(header[i]!)) return 'a number of its header is not finite';
  const spacing = header[HEADER.spacing]!;
  if (!(spacing > 0)) return 'the spacing is not above 0';
  mustBeInRange('loadLevelSet', 'the spacing', spacing);
  if (!(header[HEADER.band]! >= spacing)) return 'the band is less than the spacing';
  if (!(header[HEADER.error]! >= 0 && header[HEADER.farError]! >= header[HEADER.error]!))
    return 'the errors are not in order';
  for (let k = 0; k < 3; k++) {
    const origin = header[HEADER.origin + k]!;
    const low = header[HEADER.bounds + k]!;
    const high = header[HEADER.bounds + 3 + k]!;
    const end = origin + BLOCK * spacing * header[HEADER.counts + k]!;
    if (!(low <= high && low >= origin && high <= end)) return 'the bounds are not in the grid';
    mustBeInRange('loadLevelSet', 'the largest coordinate', Math.max(Math.abs(origin), Math.abs(end)));
  }
  return null;
}

function faultOfGrid(
  buffer: ArrayBuffer | SharedArrayBuffer,
  nx: number,
  ny: number,
  nz: number,
  fine: number,
): string | null {
  const parts = layoutOf(nx, ny, nz, fine);
  const slots = new Int32Array(buffer, parts.slots, nx * ny * nz);
  const errors = new Float32Array(buffer, parts.errors, nx * ny * nz);
  const corners = new Float32Array(buffer, parts.corners, (nx + 1) * (ny + 1) * (nz + 1));
  const samples = new Float32Array(buffer, parts.samples, SAMPLES * fine);
  const header = new Float64Array(buffer, 0, HEADER.length);
  for (const list of [errors, corners, samples])
    for (let i = 0; i < list.length; i++) if (list[i]! * 0 !== 0) return 'a value is not finite';
  for (let i = 0; i < errors.length; i++)
    if (!(errors[i]! >= 0 && errors[i]! <= header[HEADER.farError]! * (1 + 1e-6)))
      return 'an error is not what is stated';
  let next = 0;
  for (let i = 0; i < slots.length; i++)
    if (slots[i] !== -1 && slots[i] !== next++) return 'the blocks are not numbered one by one';
  if (next !== fine) return 'there are not as many fine blocks as stated';
  const steepness = steepnessOf(nx, ny, nz, slots, corners, samples) / header[HEADER.spacing]!;
  if (!(header[HEADER.steepness]! >= steepness)) return 'it changes faster than stated';
  return faultOfSides(nx, ny, nz, slots, corners, samples) ?? faultOfSurface(header, slots, corners, samples);
}

/** Do blocks agree on what they share? */
function faultOfSides(
  nx: number,
  ny: number,
  nz: number,
  slots: Int32Array,
  corners: Float32Array,
  samples: Float32Array,
): string | null {
  const row = nx + 1;
  const plane = row * (ny + 1);
  /** At a grid point of a block, as it will be interpolated. */
  const valueIn = (x: number, y: number, z: number, i: number, j: number, k: number): number => {
    const slot = slots[(z * ny + y) * nx + x]!;
    if (slot >= 0) return samples[SAMPLES * slot + (k * SIDE + j) * SIDE + i]!;
    const between = (at: number): number => corners[at]! + (i / BLOCK) * (corners[at + 1]! - corners[at]!);
    const at = z * plane + y * row + x;
    const a = between(at);
    const ab = a + (j / BLOCK) * (between(at + row) - a);
    const c = between(at + plane);
    const cd = c + (j / BLOCK) * (between(at + plane + row) - c);
    return Math.fround(ab + (k / BLOCK) * (cd - ab));
  };
  for (let z = 0; z < nz; z++)
    for (let y = 0; y < ny; y++)
      for (let x = 0; x < nx; x++)
        for (let axis = 0; axis < 3; axis++) {
          const [dx, dy, dz] = [+(axis === 0), +(axis === 1), +(axis === 2)];
          if (x + dx >= nx || y + dy >= ny || z + dz >= nz) continue;
          const here = slots[(z * ny + y) * nx + x]!;
          const there = slots[((z + dz) * ny + y + dy) * nx + x + dx]!;
          if (here < 0 && there < 0) continue;
          for (let a = 0; a <= BLOCK; a++)
            for (let b = 0; b <= BLOCK; b++) {
              const i = dx ? BLOCK : a;
              const j = dy ? BLOCK : dx ? a : b;
              const k = dz ? BLOCK : b;
              if (
                valueIn(x, y, z, i, j, k) !==
                valueIn(x + dx, y + dy, z + dz, i - dx * BLOCK, j - dy * BLOCK, k - dz * BLOCK)
              )
                return 'blocks do not agree where they meet';
            }
        }
  return null;
}

/** Is what is not above 0 within the bounds, and in fine blocks if it is near to the surface? */
function faultOfSurface(
  header: Float64Array,
  slots: Int32Array,
  corners: Float32Array,
  samples: Float32Array,
): string | null {
  const [nx, ny, nz] = header.subarray(HEADER.counts) as unknown as [number, number, number];
  const spacing = header[HEADER.spacing]!;
  const isOutside = (axis: number, block: number, cell: number): boolean => {
    const at = header[HEADER.origin + axis]! + (BLOCK * block + cell) * spacing;
    return at + spacing < header[HEADER.bounds + axis]! || at - spacing > header[HEADER.bounds + 3 + axis]!;
  };
  const row = nx + 1;
  const plane = row * (ny + 1);
  for (let z = 0, block = 0; z < nz; z++)
    for (let y = 0; y < ny; y++)
      for (let x = 0; x < nx; x++, block++) {
        const slot = slots[block]!;
        if (slot < 0) {
          const first = corners[z * plane + y * row + x]! <= 0;
          for (let c = 0; c < 8; c++) {
            const i = x + (c & 1);
            const j = y + ((c >> 1) & 1);
            const k = z + (c >> 2);
            if (corners[k * plane + j * row + i]! <= 0 !== first)
              return 'the surface passes through a coarse block';
            if (first && (isOutside(0, i, 0) || isOutside(1, j, 0) || isOutside(2, k, 0)))
              return 'the solid goes beyond its bounds';
          }
          continue;
        }
        for (let s = 0; s < SAMPLES; s++) {
          if (!(samples[SAMPLES * slot + s]! <= 0)) continue;
          const i = s % SIDE;
          const j = Math.floor(s / SIDE) % SIDE;
          const k = Math.floor(s / (SIDE * SIDE));
          if (isOutside(0, x, i) || isOutside(1, y, j) || isOutside(2, z, k))
            return 'the solid goes beyond its bounds';
        }
      }
  return null;
}
