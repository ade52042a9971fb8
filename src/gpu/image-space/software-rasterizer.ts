/** A rasteriser in plain TypeScript: for where there is no WebGL2, and to test with. */
import { mustBeOptions, mustBeWhole } from '../../math/check.ts';
import type { RasterModel } from './raster-model.ts';
import {
  checkHalvings,
  checkSize,
  DEPTH_SLACK,
  type DrawPlace,
  type DrawState,
  type FillState,
  LEAST_AREA,
  PLANE_SLACK,
  type Rasterizer,
  REACH,
  type Viewport,
} from './rasterizer.ts';

export interface SoftwareRasterizerOptions {
  /** Pixels on a side: a multiple of 16, up to 4096. Default: 256. */
  readonly size?: number;
  /** Corners are placed on a grid of 2^-n pixels, as hardware does. Default: 8, the most common. */
  readonly subpixelBits?: number;
  /** The most columns or rows of a viewport, from 4096 on. Default: 16384. */
  readonly largestViewport?: number;
}

/**
 * The rules of WebGL2 in software. A pixel is lit by a triangle if its centre is inside, or on a left or lower edge: of triangles that
 * share an edge exactly one lights a centre on it. Edges light one pixel for each column or row that they run along. Depth is a plane
 * over the window, kept in 32 bits. Everything that is drawn can be looked at: `depth`, `stencil`, `ids`.
 */
export class SoftwareRasterizer implements Rasterizer {
  readonly lane = 'software';
  readonly size: number;
  readonly largestViewport: number;
  /** Row by row, from 0 (near) to 1 (far). */
  readonly depth: Float32Array;
  readonly stencil: Uint8Array;
  /** Four bytes a pixel: see `readIds`. */
  readonly ids: Uint8Array;
  /** How many pixels passed in each query of the last `finish`. */
  samples: number[] = [];
  private readonly grid: number;
  private answers: number[] = [];
  /** Pixels that have passed since `beginQuery`, or -1 outside of a query. */
  private passed = -1;
  private readonly a = new Corner();
  private readonly b = new Corner();
  private readonly c = new Corner();

  constructor(options: SoftwareRasterizerOptions = {}) {
    mustBeOptions('SoftwareRasterizer', 'options', options, 'size subpixelBits largestViewport');
    const { size = 256, subpixelBits = 8, largestViewport = 16384 } = options;
    checkSize('SoftwareRasterizer', size);
    mustBeWhole('SoftwareRasterizer', 'options.subpixelBits', subpixelBits, 4, 12);
    mustBeWhole('SoftwareRasterizer', 'options.largestViewport', largestViewport, 4096, 32768);
    this.size = size;
    this.largestViewport = largestViewport;
    this.grid = 1 << subpixelBits;
    this.depth = new Float32Array(size * size).fill(1);
    this.stencil = new Uint8Array(size * size);
    this.ids = new Uint8Array(4 * size * size);
  }

  clear(what?: 'depth' | 'stencil' | 'ids'): void {
    if (what === undefined || what === 'depth') this.depth.fill(1);
    if (what === undefined || what === 'stencil') this.stencil.fill(0);
    if (what === undefined || what === 'ids') this.ids.fill(0);
  }

  draw(model: RasterModel, { matrix, viewport }: DrawPlace, state: DrawState): void {
    const { a, b, c } = this;
    for (const corner of [a, b, c]) corner.viewport = viewport;
    if (state.what === 'edges') {
      const offset = state.offset ?? 0;
      for (let i = 0; i < model.edges.length; i += 6) {
        a.place(model, i, offset, matrix);
        b.place(model, i + 3, offset, matrix);
        this.line(state);
      }
      return;
    }
    const [first, count] = state.range ?? [0, model.triangleCount];
    for (let i = 9 * first; i < 9 * (first + count); i += 9) {
      a.project(model.corners, i, matrix);
      b.project(model.corners, i + 3, matrix);
      c.project(model.corners, i + 6, matrix);
      if (state.what === 'faces') this.triangle(state);
      else this.bound(state);
    }
  }

  fill({ id, clear }: FillState): void {
    for (let i = 0; i < this.stencil.length; i++) {
      if (this.stencil[i] === 0) continue;
      if (this.passed >= 0) this.passed++;
      if (clear) this.stencil[i] = 0;
      if (id !== undefined) {
        this.ids[4 * i + 2] = id & 255;
        this.ids[4 * i + 3] = id >> 8;
      }
    }
  }

  beginQuery(): void {
    this.passed = 0;
  }

  endQuery(): void {
    this.answers.push(this.passed);
    this.passed = -1;
  }

  finish(): Promise<Uint8Array> {
    this.samples = this.answers;
    this.answers = [];
    return Promise.resolve(Uint8Array.from(this.samples, (n) => Math.min(n, 1)));
  }

  readIds(): Promise<Uint8Array> {
    return Promise.resolve(this.ids.slice());
  }

  readLit(halvings: number): Promise<Uint8Array> {
    checkHalvings('SoftwareRasterizer.readLit', halvings);
    let { size } = this;
    const any = new Uint32Array(this.ids.buffer);
    let pixels = Uint8Array.from(any, (id) => (id === 0 ? 0 : 255));
    for (let i = 0; i < halvings; i++) {
      pixels = halveImage(pixels, size);
      size /= 2;
    }
    return Promise.resolve(pixels);
  }

  dispose(): void {}

  /** The triangle a, b, c: every pixel whose centre it covers. */
  private triangle(state: DrawState): void {
    const { a, b, c, size, grid } = this;
    a.snap(grid);
    b.snap(grid);
    c.snap(grid);
    const area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (area === 0) return;
    const isFront = area > 0;
    if (state.side === (isFront ? 'back' : 'front')) return;
    const slopeX = ((b.z - a.z) * (c.y - a.y) - (c.z - a.z) * (b.y - a.y)) / area;
    const slopeY = ((c.z - a.z) * (b.x - a.x) - (b.z - a.z) * (c.x - a.x)) / area;
    const [low, high] = [Math.min(a.z, b.z, c.z), Math.max(a.z, b.z, c.z)];
    // Counter-clockwise from here on.
    const sides = isFront
      ? [new Side(a, b), new Side(b, c), new Side(c, a)]
      : [new Side(a, c), new Side(c, b), new Side(b, a)];
    const [s0, s1, s2] = sides as [Side, Side, Side];
    const right = Math.min(size - 1, Math.ceil(Math.max(a.x, b.x, c.x) - 0.5));
    const top = Math.min(size - 1, Math.ceil(Math.max(a.y, b.y, c.y) - 0.5));
    const left = Math.max(0, Math.floor(Math.min(a.x, b.x, c.x) - 0.5));
    for (let row = Math.max(0, Math.floor(Math.min(a.y, b.y, c.y) - 0.5)); row <= top; row++) {
      const y = row + 0.5;
      for (let column = left; column <= right; column++) {
        const x = column + 0.5;
        if (!s0.covers(x, y) || !s1.covers(x, y) || !s2.covers(x, y)) continue;
        const z = a.z + (x - a.x) * slopeX + (y - a.y) * slopeY;
        // Inside of the triangle no depth is beyond those of its corners, whatever the slope.
        this.fragment(row * size + column, Math.min(Math.max(z, low), high), isFront, state);
      }
    }
  }

  /** The triangle a, b, c: every pixel that it touches, at the least depth that it may have there, or the greatest. */
  private bound(state: DrawState): void {
    const { a, b, c, size } = this;
    a.spread();
    b.spread();
    c.spread();
    const isNearest = state.what === 'nearest';
    const [abX, abY, acX, acY] = [b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y];
    const area = abX * acY - abY * acX;
    const turn = area < 0 ? -1 : 1;
    const [xLow, xHigh] = [Math.min(a.x, b.x, c.x) - REACH, Math.max(a.x, b.x, c.x) + REACH];
    const [yLow, yHigh] = [Math.min(a.y, b.y, c.y) - REACH, Math.max(a.y, b.y, c.y) + REACH];
    const [zLow, zHigh] = [Math.min(a.z, b.z, c.z), Math.max(a.z, b.z, c.z)];
    const extent = xHigh - xLow + (yHigh - yLow);
    let [slopeX, slopeY, z0] = [0, 0, isNearest ? zLow : zHigh];
    if (Math.abs(area) > LEAST_AREA * extent * extent) {
      slopeX = ((b.z - a.z) * acY - (c.z - a.z) * abY) / area;
      slopeY = ((c.z - a.z) * abX - (b.z - a.z) * acX) / area;
      const spread = REACH * (Math.abs(slopeX) + Math.abs(slopeY)) + PLANE_SLACK * (zHigh - zLow);
      z0 = a.z + (isNearest ? -spread : spread);
    }
    const slack = isNearest ? -DEPTH_SLACK : DEPTH_SLACK;
    const right = Math.min(size - 1, Math.floor(xHigh - 0.5));
    const top = Math.min(size - 1, Math.floor(yHigh - 0.5));
    const left = Math.max(0, Math.ceil(xLow - 0.5));
    for (let row = Math.max(0, Math.ceil(yLow - 0.5)); row <= top; row++) {
      const y = row + 0.5 - a.y;
      for (let column = left; column <= right; column++) {
        const x = column + 0.5 - a.x;
        // A square and a triangle touch unless the side of one of them parts them; the square's are the loops.
        if (turn * (abX * y - abY * x) < -REACH * (Math.abs(abX) + Math.abs(abY))) continue;
        if (turn * (acY * x - acX * y) < -REACH * (Math.abs(acX) + Math.abs(acY))) continue;
        const [bcX, bcY] = [acX - abX, acY - abY];
        if (turn * (bcX * (y - abY) - bcY * (x - abX)) < -REACH * (Math.abs(bcX) + Math.abs(bcY))) continue;
        const z = Math.min(Math.max(z0 + x * slopeX + y * slopeY, zLow), zHigh) + slack;
        this.fragment(row * size + column, Math.min(Math.max(z, 0), 1), true, state);
      }
    }
  }

  /** The edge a, b: a pixel for each centre of a column (or row, if it is steep) that it passes, the first included. */
  private line(state: DrawState): void {
    const { a, b, size, grid } = this;
    a.snap(grid);
    b.snap(grid);
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const isFlat = Math.abs(dx) >= Math.abs(dy);
    const [start, end] = isFlat ? [a.x, b.x] : [a.y, b.y];
    if (start === end) return;
    const [from, to] =
      start < end
        ? [Math.ceil(start - 0.5), Math.ceil(end - 0.5) - 1]
        : [Math.floor(end - 0.5) + 1, Math.floor(start - 0.5)];
    for (let i = Math.max(0, from); i <= Math.min(size - 1, to); i++) {
      const t = (i + 0.5 - start) / (end - start);
      const j = Math.floor(isFlat ? a.y + t * dy : a.x + t * dx);
      if (j < 0 || j >= size) continue;
      this.fragment(isFlat ? j * size + i : i * size + j, a.z + t * (b.z - a.z), true, state);
    }
  }

  /** One pixel of what is drawn: the tests, and what they do. */
  private fragment(at: number, depth: number, isFront: boolean, state: DrawState): void {
    const { stencil } = state;
    if (typeof stencil === 'number') {
      const before = this.stencil[at]!;
      this.stencil[at] = Math.min(before + 1, 255);
      if (before !== stencil) return;
    }
    const z = Math.fround(depth);
    if (!passes(state.depth, z, this.depth[at]!)) return;
    if (stencil === 'count') this.stencil[at]! += isFront ? 1 : -1;
    if (state.writeDepth) this.depth[at] = z;
    if (state.id !== undefined) {
      this.ids[4 * at] = state.id & 255;
      this.ids[4 * at + 1] = state.id >> 8;
    }
    if (this.passed >= 0) this.passed++;
  }
}

const passes = (test: DrawState['depth'], z: number, stored: number): boolean =>
  test === 'greater' ? z > stored : test === 'less' ? z < stored : test === 'always' || z <= stored;

/** A corner on its way to the window. */
class Corner {
  x = 0;
  y = 0;
  z = 0;
  viewport: Viewport = [0, 0, 0, 0];

  /** Local coordinates to clip space, divided by w: from -1 to 1 each; depth from 0 to 1. Rounded to 32 bits, as a vertex shader's results are. */
  project(p: Float32Array, i: number, m: Float32Array): void {
    this.transform(p[i]!, p[i + 1]!, p[i + 2]!, m);
  }

  /** The end of an edge, moved outward. */
  place({ edges, outward }: RasterModel, i: number, offset: number, m: Float32Array): void {
    const [x, y, z] = [0, 1, 2].map((k) => Math.fround(edges[i + k]! + offset * outward[i + k]!));
    this.transform(x!, y!, z!, m);
  }

  private transform(x: number, y: number, z: number, m: Float32Array): void {
    const w = Math.fround(m[3]! * x + m[7]! * y + m[11]! * z + m[15]!);
    this.x = Math.fround(m[0]! * x + m[4]! * y + m[8]! * z + m[12]!) / w;
    this.y = Math.fround(m[1]! * x + m[5]! * y + m[9]! * z + m[13]!) / w;
    this.z = Math.fround(Math.fround(m[2]! * x + m[6]! * y + m[10]! * z + m[14]!) / w / 2 + 0.5);
  }

  /** To pixels. */
  spread(): void {
    const [x, y, width, height] = this.viewport;
    this.x = (this.x / 2 + 0.5) * width + x;
    this.y = (this.y / 2 + 0.5) * height + y;
  }

  /** To pixels, on a grid. */
  snap(grid: number): void {
    this.spread();
    this.x = Math.round(this.x * grid) / grid;
    this.y = Math.round(this.y * grid) / grid;
  }
}

/** A side of a counter-clockwise triangle: which centres are inside of it. */
class Side {
  private readonly x: number;
  private readonly y: number;
  private readonly dx: number;
  private readonly dy: number;
  private readonly sign: number;
  private readonly owns: boolean;

  constructor(from: Corner, to: Corner) {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    this.owns = dy < 0 || (dy === 0 && dx > 0);
    // Always from the same end: both triangles along an edge compute the same number, with opposite signs.
    const isForward = from.x < to.x || (from.x === to.x && from.y < to.y);
    const first = isForward ? from : to;
    this.sign = isForward ? 1 : -1;
    this.x = first.x;
    this.y = first.y;
    this.dx = dx * this.sign;
    this.dy = dy * this.sign;
  }

  covers(x: number, y: number): boolean {
    const e = this.sign * (this.dx * (y - this.y) - this.dy * (x - this.x));
    return e > 0 || (e === 0 && this.owns);
  }
}

/**
 * Half as many pixels on a side, each the mean of four, rounded to the nearest: what bilinear filtering does to an image of 8-bit
 * pixels. One lit pixel anywhere (255) can be found after four halvings, not after five. RTCD §10.1.1.
 *
 * @internal
 */
export function halveImage(pixels: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const half = size / 2;
  const result = new Uint8Array(half * half);
  for (let row = 0; row < half; row++)
    for (let column = 0; column < half; column++) {
      const i = 2 * row * size + 2 * column;
      result[row * half + column] = Math.round(
        (pixels[i]! + pixels[i + 1]! + pixels[i + size]! + pixels[i + size + 1]!) / 4,
      );
    }
  return result;
}
