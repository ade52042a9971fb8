/** Terrain: heights over a grid. */
import {
  ANY_FINITE,
  checkNumbers,
  describe,
  isNumberList,
  LARGEST,
  mustBeBoolean,
  mustBeOptions,
  mustBeWhole,
  mustHave,
  refuse,
  refuseType,
} from '../math/check.ts';
import { FAMILY } from '../trimesh/family-key.ts';
import { mesh } from '../trimesh/mesh.ts';
import { SURFACE } from './families.ts';
import type { HeightFieldShape } from './shape.ts';

const CALLER = 'heightField';

export interface HeightFieldOptions {
  /** Samples along x, at least 2. */
  readonly columns: number;
  /** Samples along z, at least 2. */
  readonly rows: number;
  /** The distance between samples along x and z, or one for both. Default: 1. */
  readonly spacing?: number | { readonly x: number; readonly z: number };
  /** Puts the middle of the grid at x = z = 0. Default: false, the first sample stands there. */
  readonly centered?: boolean;
  /** For each cell, row by row, whether it is a hole; (columns - 1) × (rows - 1) of them. */
  readonly holes?: ArrayLike<number | boolean>;
}

/**
 * The surface through the heights (y) over a grid: `heights[row * columns + column]` stands at x = column × spacing.x,
 * z = row × spacing.z, so that the first sample is its corner at the origin; `centered` puts the middle of the grid there
 * instead, as three.js does. It is no solid: it can be hit from both sides and has nothing inside.
 *
 * Each cell is two triangles that face up, with the diagonal from its corner (column + 1, row) to (column, row + 1), as
 * in a `PlaneGeometry` of three.js that was laid down: the first triangle is the one at the corner of the smaller
 * column and row. Without holes cell number c = row × (columns - 1) + column has the triangles 2c and 2c + 1; cells that
 * are holes have none, and those behind them move up. Refuses heights that are not finite. O(n log n).
 */
export function heightField(heights: ArrayLike<number>, options: HeightFieldOptions): HeightFieldShape {
  checkNumbers(CALLER, 'heights', heights, ANY_FINITE);
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`graze: ${CALLER}: options must have columns and rows, got ${describe(options)}`);
  mustBeOptions(CALLER, 'options', options, 'columns rows spacing centered holes');
  const { columns, rows, spacing = 1, centered = false, holes } = options;
  mustBeCount('columns', columns);
  mustBeCount('rows', rows);
  if (heights.length !== columns * rows)
    refuse(CALLER, 'heights', `must be columns × rows, ${columns * rows}; got ${heights.length}`);
  mustBeBoolean(CALLER, 'options.centered', centered);
  if (typeof spacing !== 'number') mustHave(CALLER, 'options.spacing', spacing, 'a number or {x, z}', 'x');
  const steps = typeof spacing === 'number' ? { x: spacing, z: spacing } : { x: spacing.x, z: spacing.z };
  mustBeStep('options.spacing', steps.x);
  mustBeStep('options.spacing', steps.z);
  const cells = (columns - 1) * (rows - 1);
  if (holes !== undefined && !isNumberList(holes))
    refuseType(CALLER, 'options.holes', 'a list of numbers or booleans', holes);
  if (holes && holes.length !== cells)
    refuse(CALLER, 'options.holes', `must be one a cell, ${cells}; got ${holes.length}`);
  const own = Float64Array.from(heights);

  const corner = {
    x: centered ? (-(columns - 1) / 2) * steps.x : 0,
    z: centered ? (-(rows - 1) / 2) * steps.z : 0,
  };
  const positions = new Float64Array(3 * own.length);
  for (let i = 0; i < own.length; i++) {
    positions[3 * i] = corner.x + (i % columns) * steps.x;
    positions[3 * i + 1] = own[i]!;
    positions[3 * i + 2] = corner.z + Math.floor(i / columns) * steps.z;
  }
  const cellTriangles = new Int32Array(cells).fill(-1);
  const triangleCells = new Uint32Array(cells);
  const index = new Uint32Array(6 * cells);
  let used = 0;
  for (let cell = 0; cell < cells; cell++) {
    const given: unknown = holes ? holes[cell] : 0;
    if (typeof given !== 'number' && typeof given !== 'boolean')
      refuseType(CALLER, `options.holes[${cell}]`, 'a number or a boolean', given);
    const hole = Number(given);
    if (!Number.isFinite(hole)) refuse(CALLER, `options.holes[${cell}]`, `must be finite, got ${hole}`);
    if (hole !== 0) continue;
    const corner = cell + Math.floor(cell / (columns - 1));
    const [right, below] = [corner + 1, corner + columns];
    index.set([corner, below, right, below + 1, right, below], 6 * used);
    cellTriangles[cell] = 2 * used;
    triangleCells[used++] = cell;
  }
  if (used === 0) refuse(CALLER, 'options.holes', 'must leave at least one cell');
  return {
    kind: 'heightField',
    mesh: mesh(positions, index.subarray(0, 6 * used)),
    columns,
    rows,
    heights: own,
    spacing: steps,
    corner,
    cellTriangles,
    triangleCells: triangleCells.slice(0, used),
    [FAMILY]: SURFACE,
  };
}

function mustBeCount(name: string, value: number): void {
  mustBeWhole(CALLER, `options.${name}`, value, 2, 65_536);
}

function mustBeStep(name: string, value: number): void {
  if (typeof value !== 'number') refuseType(CALLER, name, 'a number', value);
  if (!(value > 0 && value <= LARGEST))
    refuse(CALLER, name, `must be finite and above 0, got ${describe(value)}`);
}

/** A cell of a height field, and which of its two triangles. */
export interface HeightFieldCell {
  column: number;
  row: number;
  /** 0 for the triangle at the corner of the smaller column and row, 1 for the other. */
  half: 0 | 1;
}

export const makeHeightFieldCell = (): HeightFieldCell => ({ column: 0, row: 0, half: 0 });

/** The cell that a triangle (by its number in a hit) belongs to. O(1). */
export function heightFieldCell(
  field: HeightFieldShape,
  triangle: number,
  out: HeightFieldCell = makeHeightFieldCell(),
): HeightFieldCell {
  mustHave('heightFieldCell', 'field', field, 'a height field', 'triangleCells');
  if (typeof triangle !== 'number') refuseType('heightFieldCell', 'triangle', 'a number', triangle);
  const cell = field.triangleCells[triangle >> 1];
  if (cell === undefined || !Number.isInteger(triangle))
    refuse(
      'heightFieldCell',
      'triangle',
      `must be the number of a triangle below ${field.mesh.triangleCount}, got ${describe(triangle)}`,
    );
  const across = field.columns - 1;
  out.column = cell % across;
  out.row = (cell - out.column) / across;
  out.half = (triangle & 1) as 0 | 1;
  return out;
}

/** The number of the first triangle of a cell, the second being the next; -1 for a hole. O(1). */
export function heightFieldTriangle(field: HeightFieldShape, column: number, row: number): number {
  const caller = 'heightFieldTriangle';
  mustHave(caller, 'field', field, 'a height field', 'cellTriangles');
  mustBeBelow(caller, 'column', column, field.columns - 1);
  mustBeBelow(caller, 'row', row, field.rows - 1);
  return field.cellTriangles[row * (field.columns - 1) + column]!;
}

function mustBeBelow(caller: string, name: string, value: number, limit: number): void {
  mustBeWhole(caller, name, value, 0, limit - 1);
}
