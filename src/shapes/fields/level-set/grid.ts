/**
 * A sparse grid of distances, in one buffer. Space is cut into blocks of 4 × 4 × 4 cells. Those that the surface is near to have
 * a sample at each of their grid points, those on their sides too, so that a cell never has to look beyond its block. All
 * other blocks have only those at their corners. Between samples values are interpolated, along x, y and z in turn. Where
 * blocks of both kinds meet, the finer samples lie on what the coarser ones interpolate: values are continuous.
 *
 * A trilinear function has its least and its greatest value over a box, within one cell, at corners of that box. So what a cube
 * holds of the surface is known without a guess.
 */
import { EPS64 } from '../../../math/float.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../../../math/types.ts';

/** Cells along a side of a block, and samples. */
export const BLOCK = 4;
export const SIDE = BLOCK + 1;
export const CELLS = BLOCK * BLOCK * BLOCK;
export const PLANE = SIDE * SIDE;
export const SAMPLES = PLANE * SIDE;

/** Numbers of 8 bytes at the start of the buffer. */
export const HEADER = {
  /** 'grl' in ASCII, to which the version is added. Also shows the byte order. */
  magic: 0x67726c00,
  version: 1,
  length: 21,
  spacing: 1,
  /** The corner where x, y and z are least. */
  origin: 2,
  /** Where `checksumOf` of meshes leaves out a number. */
  checksum: 5,
  /** Blocks along x, y and z; how many are fine. */
  counts: 6,
  fine: 9,
  band: 10,
  error: 11,
  farError: 12,
  /** How fast values change, at most: a little more than the distance, where the surface has edges. */
  steepness: 13,
  /** A box around the points where the value is not above 0. */
  bounds: 14,
} as const;

/** The offsets of the parts in the buffer. */
export function layoutOf(nx: number, ny: number, nz: number, fine: number) {
  const slots = 8 * HEADER.length;
  const errors = slots + 4 * nx * ny * nz;
  const corners = errors + 4 * nx * ny * nz;
  const samples = corners + 4 * (nx + 1) * (ny + 1) * (nz + 1);
  return { slots, errors, corners, samples, size: Math.ceil((samples + 4 * SAMPLES * fine) / 8) * 8 };
}

/** What is known of the values in a cube: none is below value + gradient · (p - centre) - slack. */
export class Cut {
  value = 0.5;
  x = 0.5;
  y = 0.5;
  z = 0.5;
  slack = 0.5;
}

export class LevelSetGrid {
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
  readonly header: Float64Array;
  /** For each block, x first, the number of its samples, or -1. */
  readonly slots: Int32Array;
  /** For each block, how far values in it are from the distance, at most. */
  readonly errors: Float32Array;
  /** Samples at the corners of all blocks, x first. */
  readonly corners: Float32Array;
  readonly samples: Float32Array;
  readonly nx: number;
  readonly ny: number;
  readonly nz: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly spacing: number;
  /** What values are divided by to change by no more than the way. */
  private readonly divisor: number;
  /** How often the block is doubled in the cube around all of the grid. */
  readonly levels: number;
  /** For each of these cubes, the least value in it: blocks first, then those of 2 × 2 × 2 of them, and so on. */
  private readonly least: Float32Array[];

  /** The least corner of a cube, in the cell that it is in. */
  private readonly inCell = vec3(0.5, 0.5, 0.5);
  /** For each fine block, a `Cut`. */
  private readonly planes: Float64Array;

  constructor(buffer: ArrayBuffer | SharedArrayBuffer) {
    const header = new Float64Array(buffer, 0, HEADER.length);
    const [nx, ny, nz, fine] = header.subarray(HEADER.counts) as unknown as [number, number, number, number];
    const parts = layoutOf(nx, ny, nz, fine);
    this.buffer = buffer;
    this.header = header;
    this.slots = new Int32Array(buffer, parts.slots, nx * ny * nz);
    this.errors = new Float32Array(buffer, parts.errors, nx * ny * nz);
    this.corners = new Float32Array(buffer, parts.corners, (nx + 1) * (ny + 1) * (nz + 1));
    this.samples = new Float32Array(buffer, parts.samples, SAMPLES * fine);
    this.nx = nx;
    this.ny = ny;
    this.nz = nz;
    this.spacing = header[HEADER.spacing]!;
    this.divisor = Math.max(1, header[HEADER.steepness]!) * (1 + 4 * EPS64);
    this.x = header[HEADER.origin]!;
    this.y = header[HEADER.origin + 1]!;
    this.z = header[HEADER.origin + 2]!;
    this.planes = this.planesOfBlocks();
    this.least = [this.leastOfBlocks()];
    let levels = 0;
    while (1 << levels < Math.max(nx, ny, nz)) {
      this.least.push(this.leastOfCubes(levels));
      levels++;
    }
    this.levels = levels;
  }

  /** The interpolated value. Outside of the grid, a bound of the distance. */
  valueAt(p: ReadonlyVec3): number {
    return this.valueOver(p, 1);
  }

  /** The same as a bound of the distance from the solid: it changes by no more than the way. */
  boundAt(p: ReadonlyVec3): number {
    return this.valueOver(p, this.divisor);
  }

  /** Is it a point of the grid? */
  holds({ x, y, z }: ReadonlyVec3): boolean {
    const { nx, ny, nz } = this;
    const side = BLOCK * this.spacing;
    const u = (x - this.x) / side;
    const v = (y - this.y) / side;
    const w = (z - this.z) / side;
    return u >= 0 && v >= 0 && w >= 0 && u <= nx && v <= ny && w <= nz;
  }

  private valueOver({ x, y, z }: ReadonlyVec3, divisor: number): number {
    const { nx, ny, nz, spacing } = this;
    const gx = (x - this.x) / spacing;
    const gy = (y - this.y) / spacing;
    const gz = (z - this.z) / spacing;
    const u = Math.min(Math.max(gx, 0), BLOCK * nx);
    const v = Math.min(Math.max(gy, 0), BLOCK * ny);
    const w = Math.min(Math.max(gz, 0), BLOCK * nz);
    const value = this.interpolate(u, v, w) / divisor;
    if (u === gx && v === gy && w === gz) return value;
    // Seen from the nearest point of the grid, nothing in it is back towards p: the angle is not acute.
    const dx = gx - u;
    const dy = gy - v;
    const dz = gz - w;
    return Math.sqrt(spacing * spacing * (dx * dx + dy * dy + dz * dz) + value * value);
  }

  /** How far the value at p is from the distance, at most. Infinity outside of the grid. */
  errorAt(p: ReadonlyVec3): number {
    if (!this.holds(p)) return Infinity;
    const { nx, ny, nz } = this;
    const side = BLOCK * this.spacing;
    const i = Math.min(Math.floor((p.x - this.x) / side), nx - 1);
    const j = Math.min(Math.floor((p.y - this.y) / side), ny - 1);
    const k = Math.min(Math.floor((p.z - this.z) / side), nz - 1);
    return this.errors[(k * ny + j) * nx + i]!;
  }

  /** At a point of the grid, in cells. */
  private interpolate(u: number, v: number, w: number): number {
    const { nx, ny, nz, slots } = this;
    const bx = Math.min((u / BLOCK) | 0, nx - 1);
    const by = Math.min((v / BLOCK) | 0, ny - 1);
    const bz = Math.min((w / BLOCK) | 0, nz - 1);
    const slot = slots[(bz * ny + by) * nx + bx]!;
    let list = this.corners;
    let fx = u - BLOCK * bx;
    let fy = v - BLOCK * by;
    let fz = w - BLOCK * bz;
    let row = nx + 1;
    let plane = row * (ny + 1);
    let at = bz * plane + by * row + bx;
    if (slot >= 0) {
      list = this.samples;
      const i = Math.min(fx | 0, BLOCK - 1);
      const j = Math.min(fy | 0, BLOCK - 1);
      const k = Math.min(fz | 0, BLOCK - 1);
      fx -= i;
      fy -= j;
      fz -= k;
      row = SIDE;
      plane = PLANE;
      at = SAMPLES * slot + k * PLANE + j * SIDE + i;
    } else {
      fx /= BLOCK;
      fy /= BLOCK;
      fz /= BLOCK;
    }
    const a = list[at]!;
    const b = list[at + row]!;
    const c = list[at + plane]!;
    const d = list[at + plane + row]!;
    const a1 = a + fx * (list[at + 1]! - a);
    const b1 = b + fx * (list[at + row + 1]! - b);
    const c1 = c + fx * (list[at + plane + 1]! - c);
    const d1 = d + fx * (list[at + plane + row + 1]! - d);
    const a2 = a1 + fy * (b1 - a1);
    const c2 = c1 + fy * (d1 - c1);
    return a2 + fz * (c2 - a2);
  }

  /** The cube around all of the grid. */
  root(out: { x: number; y: number; z: number; half: number }): void {
    const half = (this.spacing * BLOCK * (1 << this.levels)) / 2;
    out.half = half;
    out.x = this.x + half;
    out.y = this.y + half;
    out.z = this.z + half;
  }

  /**
   * What is known of the values in a cube about (x, y, z), one of those that come from halving the cube around all of the grid.
   * False if it has no point where the value is not above 0.
   */
  cut(x: number, y: number, z: number, half: number, out: Cut): boolean {
    const { nx, ny, nz, spacing } = this;
    const side = (2 * half) / spacing;
    // The least corner, in cells; a little inside, as it may be rounded.
    const inside = side / 64;
    const u = (x - half - this.x) / spacing + inside;
    const v = (y - half - this.y) / spacing + inside;
    const w = (z - half - this.z) / spacing + inside;
    const bx = Math.floor(u / BLOCK);
    const by = Math.floor(v / BLOCK);
    const bz = Math.floor(w / BLOCK);
    if (!(bx < nx && by < ny && bz < nz)) return false;
    out.x = out.y = out.z = out.slack = 0;
    if (side > 1.5 * BLOCK) {
      let level = 0;
      for (let s = side; s > 1.5 * BLOCK; s /= 2) level++;
      out.value = this.leastIn(level, bx >> level, by >> level, bz >> level);
      return out.value <= 0;
    }
    const slot = this.slots[(bz * ny + by) * nx + bx]!;
    if (slot >= 0 && side > 0.75 * BLOCK) return this.cutOfBlock(slot, half, out);
    if (slot < 0) {
      out.value = this.least[0]![(bz * ny + by) * nx + bx]!;
      return out.value <= 0;
    }
    const i = Math.floor(u) - BLOCK * bx;
    const j = Math.floor(v) - BLOCK * by;
    const k = Math.floor(w) - BLOCK * bz;
    const at = SAMPLES * slot + k * PLANE + j * SIDE + i;
    if (side > 1.5) {
      this.fit(at, 2, out);
      out.x /= spacing;
      out.y /= spacing;
      out.z /= spacing;
      return out.value - out.slack <= half * (Math.abs(out.x) + Math.abs(out.y) + Math.abs(out.z));
    }
    const { inCell } = this;
    const isWhole = side > 0.75;
    inCell.x = isWhole ? 0 : Math.max(0, (x - half - this.x) / spacing - BLOCK * bx - i);
    inCell.y = isWhole ? 0 : Math.max(0, (y - half - this.y) / spacing - BLOCK * by - j);
    inCell.z = isWhole ? 0 : Math.max(0, (z - half - this.z) / spacing - BLOCK * bz - k);
    return this.cutInCell(at, half, out);
  }

  private cutOfBlock(slot: number, half: number, out: Cut): boolean {
    const { planes } = this;
    const at = 5 * slot;
    out.value = planes[at]!;
    out.x = planes[at + 1]!;
    out.y = planes[at + 2]!;
    out.z = planes[at + 3]!;
    out.slack = planes[at + 4]!;
    return out.value - out.slack <= half * (Math.abs(out.x) + Math.abs(out.y) + Math.abs(out.z));
  }

  /** A linear function that no sample of so many cells along each axis is below by more than the slack. Slopes are for cells. */
  private fit(at: number, cells: number, out: Cut): void {
    const { samples } = this;
    const x = cells;
    const y = cells * SIDE;
    const z = cells * PLANE;
    const v0 = samples[at]!;
    const v1 = samples[at + x]!;
    const v2 = samples[at + y]!;
    const v3 = samples[at + x + y]!;
    const v4 = samples[at + z]!;
    const v5 = samples[at + x + z]!;
    const v6 = samples[at + y + z]!;
    const v7 = samples[at + x + y + z]!;
    const value = (v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7) / 8;
    const gx = (v1 - v0 + v3 - v2 + v5 - v4 + v7 - v6) / (4 * cells);
    const gy = (v2 - v0 + v3 - v1 + v6 - v4 + v7 - v5) / (4 * cells);
    const gz = (v4 - v0 + v5 - v1 + v6 - v2 + v7 - v3) / (4 * cells);
    const first = value - (cells / 2) * (gx + gy + gz);
    let slack = 0;
    for (let k = 0; k <= cells; k++)
      for (let j = 0; j <= cells; j++) {
        const row = at + k * PLANE + j * SIDE;
        const base = first + j * gy + k * gz;
        for (let i = 0; i <= cells; i++) slack = Math.max(slack, base + i * gx - samples[row + i]!);
      }
    out.value = value;
    out.x = gx;
    out.y = gy;
    out.z = gz;
    out.slack = slack + 16 * EPS64 * (Math.abs(value) + Math.abs(first));
  }

  private planesOfBlocks(): Float64Array {
    const { samples, spacing } = this;
    const planes = new Float64Array((5 * samples.length) / SAMPLES);
    const cut = new Cut();
    for (let at = 0, to = 0; at < samples.length; at += SAMPLES, to += 5) {
      this.fit(at, BLOCK, cut);
      planes[to] = cut.value;
      planes[to + 1] = cut.x / spacing;
      planes[to + 2] = cut.y / spacing;
      planes[to + 3] = cut.z / spacing;
      planes[to + 4] = cut.slack;
    }
    return planes;
  }

  /** Of a cube within the cell whose least corner is sample number `at`; `inCell` is its own. */
  private cutInCell(at: number, half: number, out: Cut): boolean {
    const { samples, inCell, spacing } = this;
    const v000 = samples[at]!;
    const v100 = samples[at + 1]! - v000;
    const v010 = samples[at + SIDE]! - v000;
    const v001 = samples[at + PLANE]! - v000;
    // v000 + v100 x + v010 y + v001 z + xy · x y + … : the function as a polynomial.
    const xy = samples[at + SIDE + 1]! - v000 - v100 - v010;
    const xz = samples[at + PLANE + 1]! - v000 - v100 - v001;
    const yz = samples[at + PLANE + SIDE]! - v000 - v010 - v001;
    const xyz = samples[at + PLANE + SIDE + 1]! - v000 - v100 - v010 - v001 - xy - xz - yz;
    // About the centre of the cube, with its half as the unit.
    const s = Math.min(half / spacing, 0.5);
    const cx = inCell.x + s;
    const cy = inCell.y + s;
    const cz = inCell.z + s;
    const gx = s * (v100 + xy * cy + xz * cz + xyz * cy * cz);
    const gy = s * (v010 + xy * cx + yz * cz + xyz * cx * cz);
    const gz = s * (v001 + xz * cx + yz * cy + xyz * cx * cy);
    const hxy = s * s * (xy + xyz * cz);
    const hxz = s * s * (xz + xyz * cy);
    const hyz = s * s * (yz + xyz * cx);
    const h = s * s * s * xyz;
    out.value =
      v000 +
      v100 * cx +
      v010 * cy +
      v001 * cz +
      xy * cx * cy +
      xz * cx * cz +
      yz * cy * cz +
      xyz * cx * cy * cz;
    // The least of what is not linear is at a corner: of the four with x y z = 1, or of the others.
    const even = Math.min(hxy + hxz + hyz, hxy - hxz - hyz, -hxy + hxz - hyz, -hxy - hxz + hyz);
    out.slack = -Math.min(even + h, even - h) + 16 * EPS64 * Math.abs(v000);
    out.x = gx / half;
    out.y = gy / half;
    out.z = gz / half;
    return out.value - out.slack <= Math.abs(gx) + Math.abs(gy) + Math.abs(gz);
  }

  /** The gradient of the value at a point of the grid. */
  gradientAt(p: ReadonlyVec3, out: Vec3): void {
    const { nx, ny, nz, spacing } = this;
    const u = Math.min(Math.max((p.x - this.x) / spacing, 0), BLOCK * nx);
    const v = Math.min(Math.max((p.y - this.y) / spacing, 0), BLOCK * ny);
    const w = Math.min(Math.max((p.z - this.z) / spacing, 0), BLOCK * nz);
    const step = 1 / 1024;
    const lowX = Math.max(0, u - step);
    const lowY = Math.max(0, v - step);
    const lowZ = Math.max(0, w - step);
    const highX = Math.min(BLOCK * nx, u + step);
    const highY = Math.min(BLOCK * ny, v + step);
    const highZ = Math.min(BLOCK * nz, w + step);
    out.x = (this.interpolate(highX, v, w) - this.interpolate(lowX, v, w)) / ((highX - lowX) * spacing);
    out.y = (this.interpolate(u, highY, w) - this.interpolate(u, lowY, w)) / ((highY - lowY) * spacing);
    out.z = (this.interpolate(u, v, highZ) - this.interpolate(u, v, lowZ)) / ((highZ - lowZ) * spacing);
  }

  private leastIn(level: number, x: number, y: number, z: number): number {
    const nx = ((this.nx - 1) >> level) + 1;
    const ny = ((this.ny - 1) >> level) + 1;
    return this.least[level]![(z * ny + y) * nx + x]!;
  }

  /** Over so many cells along each axis from sample number `at` on. */
  private leastAround(at: number, cells: number): number {
    const { samples } = this;
    let least = Infinity;
    for (let k = 0; k <= cells; k++)
      for (let j = 0; j <= cells; j++)
        for (let i = 0; i <= cells; i++) least = Math.min(least, samples[at + k * PLANE + j * SIDE + i]!);
    return least;
  }

  private leastOfBlocks(): Float32Array {
    const { nx, ny, nz, slots, corners } = this;
    const least = new Float32Array(slots.length);
    const row = nx + 1;
    const plane = row * (ny + 1);
    for (let z = 0, block = 0; z < nz; z++)
      for (let y = 0; y < ny; y++)
        for (let x = 0; x < nx; x++, block++) {
          const slot = slots[block]!;
          if (slot >= 0) least[block] = this.leastAround(SAMPLES * slot, BLOCK);
          else {
            let value = Infinity;
            for (let i = 0; i < 8; i++)
              value = Math.min(
                value,
                corners[(z + (i >> 2)) * plane + (y + ((i >> 1) & 1)) * row + x + (i & 1)]!,
              );
            least[block] = value;
          }
        }
    return least;
  }

  /** Of the level above: each is that of up to eight. */
  private leastOfCubes(level: number): Float32Array {
    const from = this.least[level]!;
    const nx = ((this.nx - 1) >> level) + 1;
    const ny = ((this.ny - 1) >> level) + 1;
    const nz = ((this.nz - 1) >> level) + 1;
    const mx = ((nx - 1) >> 1) + 1;
    const my = ((ny - 1) >> 1) + 1;
    const mz = ((nz - 1) >> 1) + 1;
    const out = new Float32Array(mx * my * mz).fill(Infinity);
    for (let z = 0, i = 0; z < nz; z++)
      for (let y = 0; y < ny; y++)
        for (let x = 0; x < nx; x++, i++) {
          const to = ((z >> 1) * my + (y >> 1)) * mx + (x >> 1);
          out[to] = Math.min(out[to]!, from[i]!);
        }
    return out;
  }
}

/** How much values change from grid point to grid point of a cell, at most: the length of the largest slopes along the axes. */
export function steepnessOf(
  nx: number,
  ny: number,
  nz: number,
  slots: Int32Array,
  corners: Float32Array,
  samples: Float32Array,
): number {
  let most = 0;
  for (let at = 0; at < samples.length; at += SAMPLES)
    for (let k = 0; k < BLOCK; k++)
      for (let j = 0; j < BLOCK; j++)
        for (let i = 0; i < BLOCK; i++)
          most = Math.max(most, steepnessAt(samples, at + (k * SIDE + j) * SIDE + i, SIDE, SIDE * SIDE));
  const row = nx + 1;
  const plane = row * (ny + 1);
  for (let z = 0, block = 0; z < nz; z++)
    for (let y = 0; y < ny; y++)
      for (let x = 0; x < nx; x++, block++)
        if (slots[block]! < 0)
          most = Math.max(most, steepnessAt(corners, z * plane + y * row + x, row, plane) / (BLOCK * BLOCK));
  return Math.sqrt(most);
}

/** Squared. */
function steepnessAt(list: Float32Array, at: number, row: number, plane: number): number {
  const a = list[at]!;
  const b = list[at + 1]!;
  const c = list[at + row]!;
  const d = list[at + row + 1]!;
  const e = list[at + plane]!;
  const f = list[at + plane + 1]!;
  const g = list[at + plane + row]!;
  const h = list[at + plane + row + 1]!;
  const x = Math.max(Math.abs(b - a), Math.abs(d - c), Math.abs(f - e), Math.abs(h - g));
  const y = Math.max(Math.abs(c - a), Math.abs(d - b), Math.abs(g - e), Math.abs(h - f));
  const z = Math.max(Math.abs(e - a), Math.abs(f - b), Math.abs(g - c), Math.abs(h - d));
  return x * x + y * y + z * z;
}
