/**
 * What image-space tests need of a rasteriser: a window of pixels with depth, stencil and colour, drawing, occlusion queries, and
 * results that come later. WebGL2 has it (`WebglRasterizer`), and software with the same rules of coverage (`SoftwareRasterizer`).
 *
 * A test draws all of its passes at once and then waits for `finish`, so that tests may share a rasteriser while they wait.
 */
import { mustBeWhole, refuse } from '../../math/check.ts';
import type { RasterModel } from './raster-model.ts';

/** Where clip space from -1 to 1 is in the window, and beyond it: the first column and row, and how many, in whole pixels. */
export type Viewport = readonly [x: number, y: number, width: number, height: number];

/** Where a model is drawn. */
export interface DrawPlace {
  /** Takes local coordinates to clip space, column by column. Hardware cuts off what is outside of -w … w there. */
  readonly matrix: Float32Array;
  readonly viewport: Viewport;
}

/** What of a model is drawn, and what its pixels do. */
export interface DrawState {
  /**
   * `faces` and `edges` light the pixels whose centres they cover, as always. `nearest` and `farthest` light every pixel that a face
   * touches anywhere, at the least or the greatest depth that it may have there: bounds, where centres alone might miss it.
   */
  readonly what: 'faces' | 'edges' | 'nearest' | 'farthest';
  /** Which faces: counter-clockwise is front. Default: both. Faces only. */
  readonly side?: 'front' | 'back' | 'both';
  /** A pixel passes if its depth compares like this with the one that is stored. Depth grows away from the viewer. */
  readonly depth: 'always' | 'less' | 'less-equal' | 'greater';
  readonly writeDepth?: boolean;
  /**
   * `count`: pixels that pass add 1, those of back faces subtract 1 (modulo 256). A number: of all that is drawn at a pixel, only the
   * fragment of this number, from 0 on, passes; those before and after it are counted.
   */
  readonly stencil?: 'count' | number;
  /** Pixels that pass get this number as their edge id, from 1 to 65535. */
  readonly id?: number;
  /** Moves edges away from the solid: in local units of the model. */
  readonly offset?: number;
  /** A part of the triangles: the first, and how many. */
  readonly range?: readonly [first: number, count: number];
}

/** Pixels of the whole window whose stencil is not zero. */
export interface FillState {
  /** They get this number as their solid id, from 1 to 65535. */
  readonly id?: number;
  /** And their stencil becomes zero. */
  readonly clear?: boolean;
}

export interface Rasterizer {
  readonly lane: 'webgl2' | 'software';
  /** Pixels on a side. */
  readonly size: number;
  /** The most columns or rows that a viewport can have. */
  readonly largestViewport: number;
  /** Depth to far, stencil to zero, ids to zero: all of them, or one. */
  clear(what?: 'depth' | 'stencil' | 'ids'): void;
  draw(model: RasterModel, place: DrawPlace, state: DrawState): void;
  fill(state: FillState): void;
  /** Does any pixel pass of what is drawn until `endQuery`? The answer is in the result of `finish`. */
  beginQuery(): void;
  endQuery(): void;
  /** The answers of all queries since the last call, in order, 1 or 0: as soon as they are there. Nothing blocks. */
  finish(): Promise<Uint8Array>;
  /**
   * The ids, four bytes a pixel, row by row: the edge's in the first two, the solid's in the others, low byte first. Nothing blocks.
   */
  readIds(): Promise<Uint8Array>;
  /**
   * Where ids are: one byte a pixel, 255 where any is set, halved on the GPU this many times, at most 4. One pixel of four leaves a
   * quarter of its brightness: after four halvings of 255 there is still 1, after five nothing. Nothing blocks.
   */
  readLit(halvings: number): Promise<Uint8Array>;
  /** Frees what it holds. Results that are waited for are refused. */
  dispose(): void;
}

/** Halvings after which one lit pixel can still be seen: 255 → 64 → 16 → 4 → 1. RTCD §10.1.1. */
const MOST_HALVINGS = 4;

/** @internal */
export function checkSize(caller: string, size: number): void {
  mustBeWhole(caller, 'options.size', size, 16, 4096);
  if (size % 16 !== 0) refuse(caller, 'options.size', `must be a multiple of 16, got ${size}`);
}

/** @internal */
export const checkHalvings = (caller: string, halvings: number): void =>
  mustBeWhole(caller, 'halvings', halvings, 0, MOST_HALVINGS);

/**
 * Bounds of the pixels that a face touches: half a pixel about each centre, and an eighth for the rounding of corners, which
 * hardware places on a grid of sixteenths or finer, and of the edges' equations in 32 bits.
 *
 * @internal
 */
export const REACH = 0.625;
/** Depths are bounds but for rounding in 32 bits, of the matrix and after it: a part of the range. @internal */
export const DEPTH_SLACK = 0.0000152587890625; // 2^-16
/** The same inside of one triangle: a part of its depth. @internal */
export const PLANE_SLACK = 0.0078125; // 2^-7
/** Below this area, relative to the square of its extent, a triangle has no slope that can be relied on. @internal */
export const LEAST_AREA = 0.000244140625; // 2^-12
