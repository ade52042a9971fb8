/**
 * Bakes distances into a sparse grid, and measures what that costs in accuracy.
 *
 *   corners of blocks → which blocks are fine → their samples → how far interpolation is off → values that are on the safe side
 *
 * **How far off.** All that is known of a distance between its samples is that it changes by no more than the way: for each
 * sample j, near or far, d(p) >= d_j - |p - c_j|. One that lies across the surface, straight up, says nearly all there is to say:
 * the balls about it and p touch. So of the interpolation I over a cell, I(p) - d(p) <= I(p) - d_j + |p - c_j| for every j, which
 * is convex along each axis, so that it is greatest at a corner of the cell, where I is a sample:
 *
 *   I - d <= min over j of max over corners i of d_i - d_j + |c_i - c_j|,     and likewise for d - I.
 *
 * Besides, a distance u >= r bends outwards by no more than 1 / r (it is the least of distances from points, which bend so). Along
 * a segment of length h interpolation is then at most h² / 8r above it: three times that for the three axes.
 *
 * Each sample is lowered by the largest I - d of the cells around it, but for cells all of whose corners are inside. So the interpolated
 * value is not above the distance outside, and the set where it is not above 0 holds the solid.
 */
import { refuse } from '../../../math/check.ts';
import { vec3 } from '../../../math/types.ts';
import * as v3 from '../../../math/vec3.ts';
import { checksumOf } from '../../../trimesh/mesh.ts';
import type { DistanceSource } from './distance-source.ts';
import { BLOCK, CELLS, HEADER, LevelSetGrid, layoutOf, SAMPLES, SIDE, steepnessOf } from './grid.ts';

export interface BakeSettings {
  readonly spacing: number;
  readonly band: number;
  readonly shared: boolean;
  readonly onProgress: ((done: number) => void) | undefined;
}

/** Grid points: while it is baked, each takes nine bytes. */
const MOST_POINTS = 134217728;
/** Relative: what rounding to 32 bits may do to sums of a few values. */
const ROUNDING = 4.76837158203125e-7;
/** In cells: searches are content with what is as good as the best but for this. */
const SEARCHED = 2e-5;
/** From half of a side of a cube to its radius. */
const RADIUS = 0.8660254037844387;
/** How far, in cells, the samples are that say where the surface cannot be. */
const AWAY = [1.5, 2.2, 3, 3.7, 4.5, 5.3];
/** If interpolation may be so far off, in cells, more samples are looked at: those within so many cells. */
const DOUBTFUL = 0.3;
const REACH = 4;
/** From one to the next, in cells, at first. */
const STRIDE = 4;
/** Of the samples along the gradient, so many are compared with; more, where interpolation may still be so far off, in cells. */
const BEST = 2;
const GOOD = 0.15;
/** Half cells along an axis from a sample to where it is compared, there and back: as far as the above reach. */
const WAYS = 27;
/** How fast the amount may change that samples are lowered by. */
const EVEN = 0.5;
/** Of a grid point: it belongs to a fine block; and to a coarse one too, so that it is interpolated. */
const FINE = 1;
const FIXED = 2;

export function bake(source: DistanceSource, settings: BakeSettings): LevelSetGrid {
  return new Bake(source, settings).run();
}

class Bake {
  private readonly source: DistanceSource;
  private readonly spacing: number;
  private readonly band: number;
  private readonly settings: BakeSettings;
  /** Blocks, and grid points, along the axes. */
  private readonly nx: number;
  private readonly ny: number;
  private readonly nz: number;
  private readonly px: number;
  private readonly py: number;
  private readonly pz: number;
  private readonly x: number;
  private readonly y: number;
  private readonly z: number;
  /** From a grid point to the next ones, and to the corners of a cell. */
  private readonly plane: number;
  private readonly toCorners: Int32Array;
  /** The largest distance there can be: rounding is relative to it. */
  private readonly largest: number;
  /** Of grid points: distances, values to keep, and what they are. NaN where nothing is known. */
  private readonly distances: Float32Array;
  private readonly values: Float32Array;
  private readonly kinds: Uint8Array;
  /** Of blocks: the number of a fine one, or -1. */
  private readonly slots: Int32Array;
  /** Values at the corners of coarse blocks. */
  private readonly corners: Float32Array;
  private fine = 0;
  /** Of the cells of fine blocks: how far interpolation is above the distance, and below. */
  private above = new Float32Array(0);
  private below = new Float32Array(0);
  /** Of one cell: interpolated at the corners of its octants, how far off they are, and for each octant above and below. */
  private readonly halves = new Float64Array(27);
  private readonly offs = new Float64Array(12);
  private readonly octants = new Float64Array(16);
  /** Where a witness is looked for, the one at hand, and the best of those along the gradient. */
  private readonly towards = vec3();
  private readonly sample = vec3();
  private readonly along = vec3();
  /** Of the samples along the gradient, the best first: what they say, and which they are. */
  private readonly says = new Float64Array(AWAY.length);
  private readonly candidates = new Int32Array(AWAY.length);
  /** How long a way is, for each number of half cells along the axes. */
  private readonly ways: Float64Array;

  constructor(source: DistanceSource, settings: BakeSettings) {
    const { spacing, band } = settings;
    const { min, max } = source.bounds;
    // What is around the grid is outside by as much as the band.
    const margin = band + 2 * spacing;
    const blocksAlong = (from: number, to: number): number =>
      Math.max(1, Math.ceil((to - from + 2 * margin) / (BLOCK * spacing)));
    const nx = blocksAlong(min.x, max.x);
    const ny = blocksAlong(min.y, max.y);
    const nz = blocksAlong(min.z, max.z);
    this.px = BLOCK * nx + 1;
    this.py = BLOCK * ny + 1;
    this.pz = BLOCK * nz + 1;
    const count = this.px * this.py * this.pz;
    if (!(count <= MOST_POINTS))
      refuse('levelSet', 'options.spacing', `must leave at most ${MOST_POINTS} grid points, got ${count}`);
    this.source = source;
    this.settings = settings;
    this.spacing = spacing;
    this.band = band;
    this.nx = nx;
    this.ny = ny;
    this.nz = nz;
    this.x = (min.x + max.x) / 2 - (BLOCK * nx * spacing) / 2;
    this.y = (min.y + max.y) / 2 - (BLOCK * ny * spacing) / 2;
    this.z = (min.z + max.z) / 2 - (BLOCK * nz * spacing) / 2;
    const { px } = this;
    this.plane = px * this.py;
    this.toCorners = Int32Array.from(
      { length: 8 },
      (_, i) => (i & 1) + ((i >> 1) & 1) * px + (i >> 2) * this.plane,
    );
    this.largest =
      spacing * (this.px + this.py + this.pz) + Math.abs(this.x) + Math.abs(this.y) + Math.abs(this.z);
    this.ways = Float64Array.from({ length: WAYS * WAYS * WAYS }, (_, i) => {
      const x = (i % WAYS) - (WAYS >> 1);
      const y = (Math.floor(i / WAYS) % WAYS) - (WAYS >> 1);
      const z = Math.floor(i / (WAYS * WAYS)) - (WAYS >> 1);
      return (spacing / 2) * Math.sqrt(x * x + y * y + z * z);
    });
    this.distances = new Float32Array(count).fill(Number.NaN);
    this.values = new Float32Array(count).fill(Number.NaN);
    this.kinds = new Uint8Array(count);
    this.slots = new Int32Array(nx * ny * nz).fill(-1);
    this.corners = new Float32Array((nx + 1) * (ny + 1) * (nz + 1)).fill(Number.NaN);
  }

  run(): LevelSetGrid {
    const { source } = this;
    this.progress(0);
    this.sampleCorners();
    if (source.hasHoles) this.closeHoles(BLOCK);
    this.chooseFine();
    this.progress(0.1);
    this.sampleFine(0.1, 0.8);
    if (source.hasHoles) this.closeHoles(1);
    this.measure();
    this.progress(0.9);
    this.lower();
    this.passOn(this.corners, 1, 1, () => true);
    this.joinCoarse();
    const { values, distances, kinds } = this;
    const near = this.band + 2 * RADIUS * this.spacing;
    this.passOn(values, 1, 1, (at) => kinds[at] === FINE && Math.abs(distances[at]!) > near);
    const grid = this.pack();
    this.progress(1);
    return grid;
  }

  private progress(done: number): void {
    this.settings.onProgress?.(done);
  }

  /** Distances at the corners of blocks. */
  private sampleCorners(): void {
    const { px, py, pz, source, distances, spacing } = this;
    for (let k = 0; k < pz; k += BLOCK)
      for (let j = 0; j < py; j += BLOCK)
        for (let i = 0; i < px; i += BLOCK)
          distances[(k * py + j) * px + i] = source.at(
            this.x + i * spacing,
            this.y + j * spacing,
            this.z + k * spacing,
          );
  }

  /** Distances at the grid points of fine blocks. */
  private sampleFine(from: number, to: number): void {
    const { nx, ny, nz, source, distances, slots, spacing } = this;
    const list = new Float64Array(SAMPLES);
    for (let z = 0, block = 0; z < nz; z++) {
      for (let y = 0; y < ny; y++)
        for (let x = 0; x < nx; x++, block++) {
          if (slots[block]! < 0) continue;
          const x0 = this.x + BLOCK * x * spacing;
          const y0 = this.y + BLOCK * y * spacing;
          const z0 = this.z + BLOCK * z * spacing;
          const first = this.pointAt(x, y, z);
          let n = 0;
          for (let k = 0; k < SIDE; k++)
            for (let j = 0; j < SIDE; j++)
              for (let i = 0, at = first + k * this.plane + j * this.px; i < SIDE; i++, at++)
                list[n++] = distances[at]!;
          source.fill(x0, y0, z0, spacing, list);
          n = 0;
          for (let k = 0; k < SIDE; k++)
            for (let j = 0; j < SIDE; j++)
              for (let i = 0, at = first + k * this.plane + j * this.px; i < SIDE; i++, at++)
                distances[at] = list[n++]!;
        }
      this.progress(from + ((to - from) * z) / nz);
    }
  }

  /**
   * A block is coarse if its corners tell that the surface is farther from all of it than the band and a cell, even where
   * interpolation is off: values of which the sign is that of the distance, and that are no greater. So it changes nothing of
   * cells in the band.
   */
  private chooseFine(): void {
    const { nx, ny, nz, slots, kinds } = this;
    for (let z = 0, block = 0; z < nz; z++)
      for (let y = 0; y < ny; y++)
        for (let x = 0; x < nx; x++, block++) {
          const at = this.pointAt(x, y, z);
          const off = this.coarseError(at);
          if (off < Infinity) {
            this.setCorners(x, y, z, off);
            continue;
          }
          slots[block] = this.fine++;
          for (let k = 0; k < SIDE; k++)
            for (let j = 0; j < SIDE; j++) {
              const row = at + k * this.plane + j * this.px;
              kinds.fill(FINE, row, row + SIDE);
            }
        }
  }

  /** Corners of a coarse block get values that are nearer to 0 than the distance by as much as interpolation is off. */
  private setCorners(x: number, y: number, z: number, off: number): void {
    const { corners, distances, toCorners } = this;
    for (let c = 0; c < 8; c++) {
      const at = this.cornerAt(x + (c & 1), y + ((c >> 1) & 1), z + (c >> 2));
      const d = distances[this.pointAt(x, y, z) + BLOCK * toCorners[c]!]!;
      const value = d < 0 ? d + off : d - off;
      if (!(Math.abs(corners[at]!) <= Math.abs(value))) corners[at] = value;
    }
  }

  /** The first grid point of a block. */
  private pointAt(x: number, y: number, z: number): number {
    return BLOCK * (z * this.plane + y * this.px + x);
  }

  /** How far interpolation between the corners of a block is above the distance; Infinity if it must be fine. */
  private coarseError(at: number): number {
    const { distances, toCorners, spacing, band, source } = this;
    const side = BLOCK * spacing;
    const first = distances[at]!;
    let least = Infinity;
    for (let i = 0; i < 8; i++) {
      const d = distances[at + BLOCK * toCorners[i]!]!;
      if (d < 0 !== first < 0) return Infinity;
      least = Math.min(least, Math.abs(d));
    }
    const rounding = ROUNDING * this.largest;
    // All that is known is what corners say: interpolation is off by the mean of the distances from them, at most.
    let off = RADIUS * (side + spacing);
    if (source.isDistance) {
      // With r the least distance in the block: least - r <= 3 side² / 8r. So r is above one root or below the other.
      const discriminant = least * least - 1.5 * side * side;
      if (!(discriminant > 0)) return Infinity;
      const root = Math.sqrt(discriminant);
      if (!(least - RADIUS * side > (least - root) / 2)) return Infinity;
      const r = (least + root) / 2;
      // The cells of fine blocks beside it are interpolated from its values too.
      const beside = r - 2 * RADIUS * spacing;
      if (!(beside > 0)) return Infinity;
      off = 0.375 * ((side * side) / r + (spacing * spacing) / beside);
    }
    off += rounding;
    return least - off >= band + 2 * RADIUS * spacing ? off : Infinity;
  }

  /** Of the cells of fine blocks: how far interpolation is off. */
  private measure(): void {
    const { nx, ny, nz, slots } = this;
    this.above = new Float32Array(this.fine * CELLS);
    this.below = new Float32Array(this.fine * CELLS);
    for (let z = 0, block = 0; z < nz; z++)
      for (let y = 0; y < ny; y++)
        for (let x = 0; x < nx; x++, block++) {
          if (slots[block]! < 0) continue;
          let cell = slots[block]! * CELLS;
          for (let k = BLOCK * z; k < BLOCK * (z + 1); k++)
            for (let j = BLOCK * y; j < BLOCK * (y + 1); j++)
              for (let i = BLOCK * x; i < BLOCK * (x + 1); i++, cell++) this.measureCell(i, j, k, cell);
        }
  }

  private measureCell(i: number, j: number, k: number, cell: number): void {
    const { distances, toCorners, plane, px, spacing, source, octants, towards } = this;
    const at = k * plane + j * px + i;
    let gx = 0;
    let gy = 0;
    let gz = 0;
    let least = Infinity;
    let most = -Infinity;
    for (let c = 0; c < 8; c++) {
      const d = distances[at + toCorners[c]!]!;
      gx += c & 1 ? d : -d;
      gy += c & 2 ? d : -d;
      gz += c & 4 ? d : -d;
      least = Math.min(least, d);
      most = Math.max(most, d);
    }
    const rounding = ROUNDING * this.largest + SEARCHED * spacing;
    let above = RADIUS * spacing;
    let below = above;
    // No distance in the cell is less than that of a corner less the way to it.
    const outside = least - above;
    const inside = -most - above;
    const isFar = source.isDistance && Math.max(outside, inside) > this.band;
    const length = Math.sqrt(gx * gx + gy * gy + gz * gz);
    if (length > 0 && !isFar) {
      this.interpolateCell(at);
      octants.fill(above);
      for (let sign = 1; sign >= -1; sign -= 2) {
        const by = sign / length;
        v3.set(by * gx, by * gy, by * gz, towards);
        if (!this.compareAlong(i, j, k, sign)) continue;
        const first = sign > 0 ? 0 : 8;
        for (let o = first; o < first + 8; o++)
          if (octants[o]! > DOUBTFUL * spacing) this.findWitness(i, j, k, o);
      }
      above = below = 0;
      for (let o = 0; o < 8; o++) {
        above = Math.max(above, octants[o]!);
        below = Math.max(below, octants[o + 8]!);
      }
    }
    if (source.isDistance && !source.hasHoles) {
      if (outside > 0) above = Math.min(above, (0.375 * spacing * spacing) / outside);
      if (inside > 0) below = Math.min(below, (0.375 * spacing * spacing) / inside);
    }
    this.above[cell] = above + rounding;
    this.below[cell] = below + rounding;
  }

  /** Along the gradient: of some samples, those that say most about the middle of the cell. False if there is none. */
  private compareAlong(i: number, j: number, k: number, sign: number): boolean {
    const { distances, px, py, pz, plane, ways, says, candidates, sample } = this;
    const { x: ux, y: uy, z: uz } = this.towards;
    const at = k * plane + j * px + i;
    const toMiddle = (ways.length >> 1) - WAYS * WAYS - WAYS - 1;
    let count = 0;
    for (let a = 0; a < AWAY.length; a++) {
      const x = Math.floor(AWAY[a]! * ux + 1);
      const y = Math.floor(AWAY[a]! * uy + 1);
      const z = Math.floor(AWAY[a]! * uz + 1);
      if (!(i + x >= 0 && j + y >= 0 && k + z >= 0 && i + x < px && j + y < py && k + z < pz)) continue;
      const d = sign * distances[at + z * plane + y * px + x]!;
      const way = 2 * (z * WAYS * WAYS + y * WAYS + x);
      const here = d - ways[toMiddle + way]!;
      if (Number.isNaN(here)) continue;
      // The best first.
      let n = count++;
      for (; n > 0 && says[n - 1]! < here; n--) {
        says[n] = says[n - 1]!;
        candidates[n] = candidates[n - 1]!;
      }
      says[n] = here;
      candidates[n] = a;
    }
    if (count === 0) return false;
    const best = AWAY[candidates[0]!]!;
    v3.set(Math.floor(best * ux + 1), Math.floor(best * uy + 1), Math.floor(best * uz + 1), this.along);
    for (let n = 0; n < count && (n < BEST || this.isOff(sign, GOOD)); n++) {
      const by = AWAY[candidates[n]!]!;
      v3.set(Math.floor(by * ux + 1), Math.floor(by * uy + 1), Math.floor(by * uz + 1), sample);
      this.compareWith(i, j, k, sign);
    }
    return true;
  }

  /** May interpolation be farther above the distance, or below it, than so much of a cell? */
  private isOff(sign: number, part: number): boolean {
    const first = sign > 0 ? 0 : 8;
    for (let o = first; o < first + 8; o++) if (this.octants[o]! > part * this.spacing) return true;
    return false;
  }

  /** Interpolates at the corners of the octants of a cell: three along each axis. */
  private interpolateCell(at: number): void {
    const { distances, toCorners, halves } = this;
    for (let c = 0; c < 8; c++)
      halves[2 * (c & 1) + 6 * ((c >> 1) & 1) + 18 * (c >> 2)] = distances[at + toCorners[c]!]!;
    for (let z = 0; z <= 18; z += 18)
      for (let y = 0; y <= 6; y += 6) halves[z + y + 1] = (halves[z + y]! + halves[z + y + 2]!) / 2;
    for (let z = 0; z <= 18; z += 18)
      for (let x = 0; x < 3; x++) halves[z + 3 + x] = (halves[z + x]! + halves[z + 6 + x]!) / 2;
    for (let n = 0; n < 9; n++) halves[9 + n] = (halves[n]! + halves[18 + n]!) / 2;
  }

  /** Near to an edge the gradient says little: of all samples around, takes the one that says most about the middle of an octant. */
  private findWitness(i: number, j: number, k: number, octant: number): void {
    const { distances, px, py, pz, plane, spacing } = this;
    const x = (octant & 1) / 2 + 0.25;
    const y = ((octant >> 1) & 1) / 2 + 0.25;
    const z = ((octant >> 2) & 1) / 2 + 0.25;
    const sign = octant < 8 ? 1 : -1;
    const at = v3.copy(this.along, this.sample);
    // What was compared with already.
    let best =
      sign * distances[(k + at.z) * plane + (j + at.y) * px + i + at.x]! -
      spacing * Math.sqrt((at.x - x) * (at.x - x) + (at.y - y) * (at.y - y) + (at.z - z) * (at.z - z));
    const known = best;
    const fromX = Math.max(-REACH, -i);
    const fromY = Math.max(-REACH, -j);
    const fromZ = Math.max(-REACH, -k);
    const toX = Math.min(REACH + 1, px - 1 - i);
    const toY = Math.min(REACH + 1, py - 1 - j);
    const toZ = Math.min(REACH + 1, pz - 1 - k);
    // Uphill, by strides at first: to the best of those around it, and from there on.
    for (let stride = STRIDE; stride > 0; ) {
      const before = best;
      const { x: cx, y: cy, z: cz } = at;
      for (let n = 0; n < 27; n++) {
        const dx = cx + stride * ((n % 3) - 1);
        const dy = cy + stride * ((((n / 3) | 0) % 3) - 1);
        const dz = cz + stride * (((n / 9) | 0) - 1);
        if (dx < fromX || dy < fromY || dz < fromZ || dx > toX || dy > toY || dz > toZ) continue;
        const way = Math.sqrt((dx - x) * (dx - x) + (dy - y) * (dy - y) + (dz - z) * (dz - z));
        const says = sign * distances[(k + dz) * plane + (j + dy) * px + i + dx]! - spacing * way;
        if (!(says > best)) continue;
        best = says;
        v3.set(dx, dy, dz, at);
      }
      if (best === before) stride--;
    }
    if (best > known) this.compareWith(i, j, k, sign);
  }

  /** For each octant of the cell, how far off interpolation may be as `sample` says, which is so many cells from its first corner. */
  private compareWith(i: number, j: number, k: number, sign: number): void {
    const { distances, px, plane, ways, halves, offs, octants } = this;
    const { x, y, z } = this.sample;
    const d = sign * distances[(k + z) * plane + (j + y) * px + i + x]!;
    let at = (ways.length >> 1) + 2 * (z * WAYS * WAYS + y * WAYS + x);
    // The greater of two along x, of those two along y, and of those two along z.
    for (let n = 0, to = 0; n < 27; n += 9, to += 4, at -= WAYS * WAYS) {
      const a = ways[at]! + sign * halves[n]!;
      const b = ways[at - 1]! + sign * halves[n + 1]!;
      const c = ways[at - 2]! + sign * halves[n + 2]!;
      const e = ways[at - WAYS]! + sign * halves[n + 3]!;
      const f = ways[at - WAYS - 1]! + sign * halves[n + 4]!;
      const g = ways[at - WAYS - 2]! + sign * halves[n + 5]!;
      const h = ways[at - 2 * WAYS]! + sign * halves[n + 6]!;
      const l = ways[at - 2 * WAYS - 1]! + sign * halves[n + 7]!;
      const m = ways[at - 2 * WAYS - 2]! + sign * halves[n + 8]!;
      const ab = Math.max(a, b);
      const bc = Math.max(b, c);
      const ef = Math.max(e, f);
      const fg = Math.max(f, g);
      const hl = Math.max(h, l);
      const lm = Math.max(l, m);
      offs[to] = Math.max(ab, ef);
      offs[to + 1] = Math.max(bc, fg);
      offs[to + 2] = Math.max(ef, hl);
      offs[to + 3] = Math.max(fg, lm);
    }
    const first = sign > 0 ? 0 : 8;
    for (let o = 0; o < 8; o++) {
      const low = offs[o]!;
      const high = offs[o + 4]!;
      const off = Math.max(low, high) - d;
      if (off < octants[first + o]!) octants[first + o] = Math.max(off, 0);
    }
  }

  /** Values of fine blocks: interpolated, they are no greater than the distance outside. */
  private lower(): void {
    const { nx, ny, nz, slots, values, distances, kinds, toCorners, spacing } = this;
    // At first how much less than two cells they are to be lowered by.
    const most = 2 * spacing;
    for (let at = 0; at < values.length; at++) if (kinds[at] === FINE) values[at] = most;
    for (let z = 0, block = 0; z < nz; z++)
      for (let y = 0; y < ny; y++)
        for (let x = 0; x < nx; x++, block++) {
          if (slots[block]! < 0) continue;
          const first = this.pointAt(x, y, z);
          let cell = slots[block]! * CELLS;
          for (let k = 0; k < BLOCK; k++)
            for (let j = 0; j < BLOCK; j++)
              for (let i = 0, at = first + k * this.plane + j * this.px; i < BLOCK; i++, at++, cell++) {
                let isInside = true;
                for (let c = 0; c < 8; c++) isInside &&= distances[at + toCorners[c]!]! < 0;
                if (isInside) continue;
                const rest = most - this.above[cell]!;
                for (let c = 0; c < 8; c++) {
                  const corner = at + toCorners[c]!;
                  if (rest < values[corner]!) values[corner] = rest;
                }
              }
        }
    // Evenly, so that the surface stays smooth.
    this.passOn(values, 1, EVEN, (at) => kinds[at] === FINE);
    for (let at = 0; at < values.length; at++)
      if (kinds[at] === FINE) values[at] = distances[at]! - (most - values[at]!);
  }

  /** Of fine blocks beside coarse ones: their samples on the side lie on what the coarse one interpolates. */
  private joinCoarse(): void {
    const { nx, ny, nz, slots, values, kinds } = this;
    for (let z = 0, block = 0; z < nz; z++)
      for (let y = 0; y < ny; y++)
        for (let x = 0; x < nx; x++, block++) {
          if (slots[block]! >= 0) continue;
          const first = this.pointAt(x, y, z);
          const corner = this.cornerAt(x, y, z);
          for (let k = 0; k < SIDE; k++)
            for (let j = 0; j < SIDE; j++)
              for (let i = 0, at = first + k * this.plane + j * this.px; i < SIDE; i++, at++) {
                if (kinds[at] === 0) continue;
                kinds[at] = FIXED;
                values[at] = this.interpolated(corner, i / BLOCK, j / BLOCK, k / BLOCK);
              }
        }
  }

  /** The number of the first corner of a block. */
  private cornerAt(x: number, y: number, z: number): number {
    return (z * (this.ny + 1) + y) * (this.nx + 1) + x;
  }

  private interpolated(first: number, fx: number, fy: number, fz: number): number {
    const { corners, nx, ny } = this;
    const row = nx + 1;
    const plane = row * (ny + 1);
    const between = (at: number): number => corners[at]! + fx * (corners[at + 1]! - corners[at]!);
    const a = between(first);
    const c = between(first + plane);
    const ab = a + fy * (between(first + row) - a);
    const cd = c + fy * (between(first + plane + row) - c);
    return ab + fz * (cd - ab);
  }

  /**
   * Where the surface has a hole, the sign changes between points though the surface is far: the solid ends there too. Both
   * points are taken for points of its end, and others are no farther from it than they are from these.
   */
  private closeHoles(step: number): void {
    const { px, py, pz, plane, distances, spacing } = this;
    const ends: number[] = [];
    for (const [di, dj, dk] of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const)
      for (let k = 0; k + dk * step < pz; k += step)
        for (let j = 0; j + dj * step < py; j += step)
          for (let i = 0; i + di * step < px; i += step) {
            const at = k * plane + j * px + i;
            const next = at + step * (dk * plane + dj * px + di);
            const a = distances[at]!;
            const b = distances[next]!;
            if (a < 0 !== b < 0 && Math.abs(a - b) > step * spacing + ROUNDING * this.largest)
              ends.push(at, next);
          }
    for (const at of ends) distances[at] = 0;
    this.passOn(distances, step, 1, () => true);
  }

  /**
   * Sizes change by no more than `slope` times the way between neighbours: where they do, the greater one is lessened, if
   * `mayChange`. From point to point until nothing changes. Signs stay, and what has none known is left alone.
   */
  private passOn(list: Float32Array, step: number, slope: number, mayChange: (at: number) => boolean): void {
    const isCorners = list === this.corners;
    const px = isCorners ? this.nx + 1 : this.px;
    const py = isCorners ? this.ny + 1 : this.py;
    const pz = isCorners ? this.nz + 1 : this.pz;
    const way = slope * this.spacing * (isCorners ? BLOCK : step);
    const offsets = new Int32Array(26);
    const ways = new Float64Array(26);
    for (let n = 0, m = 0; n < 27; n++) {
      const i = (n % 3) - 1;
      const j = (Math.floor(n / 3) % 3) - 1;
      const k = Math.floor(n / 9) - 1;
      if (n === 13) continue;
      offsets[m] = step * ((k * py + j) * px + i);
      ways[m++] = way * Math.sqrt(i * i + j * j + k * k);
    }
    // Not for the sake of rounding to 32 bits.
    const least = ROUNDING * this.largest;
    const most = ways.map((rise) => rise + least);
    const changed: number[] = [];
    const isInner = (at: number): boolean => {
      const x = at % px;
      const y = Math.floor(at / px) % py;
      const z = Math.floor(at / (px * py));
      return x > 0 && y > 0 && z > 0 && x < px - 1 && y < py - 1 && z < pz - 1;
    };
    const passFrom = (start: number): void => {
      changed.push(start);
      while (changed.length > 0) {
        const at = changed.pop()!;
        const size = Math.abs(list[at]!);
        for (let m = 0; m < 26; m++) {
          const next = at + offsets[m]!;
          const value = list[next]!;
          if (!(Math.abs(value) > size + most[m]!) || !mayChange(next)) continue;
          list[next] = value < 0 ? -size - ways[m]! : size + ways[m]!;
          if (isInner(next)) changed.push(next);
        }
      }
    };
    // Block by block: each pair of neighbours is in one of them, and one of the two is the other's by an offset of the second half.
    const side = isCorners || step > 1 ? step : BLOCK;
    for (let z = 0, block = 0; z + side < pz; z += side)
      for (let y = 0; y + side < py; y += side)
        for (let x = 0; x + side < px; x += side, block++) {
          // What is kept of coarse ones are their corners.
          if (list === this.values && this.slots[block]! < 0) continue;
          let low = Infinity;
          let high = -Infinity;
          for (let k = z; k <= z + side; k += step)
            for (let j = y; j <= y + side; j += step)
              for (let i = x, at = (k * py + j) * px + i; i <= x + side; i += step, at += step) {
                const size = Math.abs(list[at]!);
                if (size < low) low = size;
                if (size > high && mayChange(at)) high = size;
              }
          if (!(high - low > way + least)) continue;
          for (let k = z; k <= z + side; k += step)
            for (let j = y; j <= y + side; j += step)
              for (let i = x, at = (k * py + j) * px + i; i <= x + side; i += step, at += step) {
                const size = Math.abs(list[at]!);
                // Neither may one that is greater be lessened, nor lessen one.
                if (!(size < high || size > low + way)) continue;
                for (let m = 13; m < 26; m++) {
                  const other = at + offsets[m]!;
                  const rise = Math.abs(list[other]!) - size;
                  // Not from the points at the end of the grid: nothing there is near to the surface.
                  if (rise > most[m]! && isInner(at)) passFrom(at);
                  else if (-rise > most[m]! && isInner(other)) passFrom(other);
                }
              }
        }
  }

  /** Everything into one buffer, with what is stated about it. */
  private pack(): LevelSetGrid {
    const { nx, ny, nz, fine, slots, values, corners, source, spacing, band } = this;
    const { size } = layoutOf(nx, ny, nz, fine);
    const buffer = this.settings.shared ? new SharedArrayBuffer(size) : new ArrayBuffer(size);
    const header = new Float64Array(buffer, 0, HEADER.length);
    header[0] = HEADER.magic + HEADER.version;
    header[HEADER.spacing] = spacing;
    header.set([this.x, this.y, this.z], HEADER.origin);
    header.set([nx, ny, nz, fine], HEADER.counts);
    const parts = layoutOf(nx, ny, nz, fine);
    new Int32Array(buffer, parts.slots, slots.length).set(slots);
    const samples = new Float32Array(buffer, parts.samples, SAMPLES * fine);
    for (let z = 0, block = 0; z < nz; z++)
      for (let y = 0; y < ny; y++)
        for (let x = 0; x < nx; x++, block++) {
          if (slots[block]! < 0) continue;
          const first = this.pointAt(x, y, z);
          for (let k = 0, to = SAMPLES * slots[block]!; k < SIDE; k++)
            for (let j = 0; j < SIDE; j++, to += SIDE) {
              const from = first + k * this.plane + j * this.px;
              samples.set(values.subarray(from, from + SIDE), to);
            }
        }
    for (let z = 0, i = 0; z <= nz; z++)
      for (let y = 0; y <= ny; y++)
        for (let x = 0; x <= nx; x++, i++)
          if (Number.isNaN(corners[i])) corners[i] = values[this.pointAt(x, y, z)]!;
    new Float32Array(buffer, parts.corners, corners.length).set(corners);
    const { error, farError } = this.findErrors(new Float32Array(buffer, parts.errors, slots.length));
    header[HEADER.band] = band;
    header[HEADER.error] = error;
    header[HEADER.farError] = farError;
    header[HEADER.steepness] = steepnessOf(nx, ny, nz, slots, corners, samples) / spacing;
    const { min, max } = source.bounds;
    header.set([min.x - error, min.y - error, min.z - error], HEADER.bounds);
    header.set([max.x + error, max.y + error, max.z + error], HEADER.bounds + 3);
    header[HEADER.checksum] = checksumOf(buffer);
    return new LevelSetGrid(buffer);
  }

  /** How far values are from the distance in each block. Returns the most of it: within the band, and anywhere in the grid. */
  private findErrors(errors: Float32Array): { error: number; farError: number } {
    const { nx, ny, nz, slots } = this;
    let error = 0;
    let farError = 0;
    for (let z = 0, block = 0; z < nz; z++)
      for (let y = 0; y < ny; y++)
        for (let x = 0; x < nx; x++, block++) {
          const first = this.pointAt(x, y, z);
          if (slots[block]! < 0) errors[block] = this.errorOfCoarse(first, this.cornerAt(x, y, z));
          else {
            let most = 0;
            let cell = slots[block]! * CELLS;
            for (let k = 0; k < BLOCK; k++)
              for (let j = 0; j < BLOCK; j++)
                for (let i = 0, at = first + k * this.plane + j * this.px; i < BLOCK; i++, at++, cell++) {
                  const off = this.errorOfCell(at, cell);
                  most = Math.max(most, off);
                  if (off > error && this.isInBand(at)) error = off;
                }
            errors[block] = most;
          }
          // Not less than before it was rounded to 32 bits.
          errors[block]! *= 1 + ROUNDING;
          farError = Math.max(farError, errors[block]!);
        }
    return { error, farError };
  }

  private errorOfCoarse(first: number, corner: number): number {
    const { distances, corners, toCorners, nx, ny, spacing } = this;
    const row = nx + 1;
    const plane = row * (ny + 1);
    let off = 0;
    for (let c = 0; c < 8; c++) {
      const value = corners[corner + (c & 1) + ((c >> 1) & 1) * row + (c >> 2) * plane]!;
      off = Math.max(off, Math.abs(distances[first + BLOCK * toCorners[c]!]! - value));
    }
    return off + RADIUS * BLOCK * spacing;
  }

  private errorOfCell(at: number, cell: number): number {
    const { distances, values, toCorners } = this;
    let least = Infinity;
    let most = -Infinity;
    for (let c = 0; c < 8; c++) {
      const lowered = distances[at + toCorners[c]!]! - values[at + toCorners[c]!]!;
      least = Math.min(least, lowered);
      most = Math.max(most, lowered);
    }
    return Math.max(this.below[cell]! + most, this.above[cell]! - least);
  }

  /** Can a point of the cell be in the band? */
  private isInBand(at: number): boolean {
    let nearest = Infinity;
    for (let c = 0; c < 8; c++)
      nearest = Math.min(nearest, Math.abs(this.distances[at + this.toCorners[c]!]!));
    return nearest - RADIUS * this.spacing <= this.band;
  }
}
