/**
 * The cells of a uniform grid along a segment, one after the other. RTCD §7.4.2; Amanatides and Woo 1987.
 *
 *        │   │ b │      Cells are half open: a point on a border is in the cell above it. From cell to cell the walk crosses
 *     ───┼───┼─╱─┼──    one border, the one that the segment meets first. Borders are met in the order of
 *        │   │╱  │      (border - a) / (b - a), compared without dividing and without rounding: which of two borders,
 *     ───┼───╱───┼──    one on each axis, comes first is the side of the line on which their crossing lies. The walk
 *        │ a╱│   │      ends after as many steps along each axis as there are borders between the cells of a and b.
 */
import { checkPoint, mustBeFunction, mustBeLength, refuse } from '../math/check.ts';
import { orient2d } from '../math/orient.ts';
import type { ReadonlyVec3, Vec2 } from '../math/types.ts';
import { vec2 } from '../math/types.ts';

/** Called with the numbers of a cell along x, y, z. Ends the walk by returning false. */
export type CellVisitor = (x: number, y: number, z: number) => unknown;

/** Numbers of cells are below this, 2^52: borders between them are then a number apart. */
const MOST = 4503599627370496;
/** A walk over more borders than this, 2^26, takes seconds: nobody means that. */
const LONGEST = 67108864;

/** The number of the cell that x is in: its borders, as doubles, are at or below x and above it. */
function exactCell(x: number, cell: number): number {
  let i = Math.floor(x / cell);
  // Division and multiplication have rounded, by less than one cell.
  if (i * cell > x) i--;
  if ((i + 1) * cell <= x) i++;
  return i;
}

/**
 * Visits the cells that the segment from a to b goes through, from that of a to that of b. Cell (i, j, k) has its lower
 * corner at (i, j, k) times `cell`. Every cell with a point of the segment is visited, and each shares a side with the one
 * before; where the segment goes through a corner or an edge, that takes cells that only touch it. Exact: rounding does not
 * matter. A segment over more than 2^26 borders is refused: cut it to the part of space that has anything in it.
 */
export function walkGrid(a: ReadonlyVec3, b: ReadonlyVec3, cell: number, visit: CellVisitor): void {
  checkPoint('walkGrid', 'a', a);
  checkPoint('walkGrid', 'b', b);
  mustBeLength('walkGrid', 'cell', cell);
  mustBeFunction('walkGrid', 'visit', visit);
  const { x: ax, y: ay, z: az } = a;
  const { x: bx, y: by, z: bz } = b;
  const far = Math.max(Math.abs(ax), Math.abs(ay), Math.abs(az), Math.abs(bx), Math.abs(by), Math.abs(bz));
  if (!(far / cell < MOST))
    refuse(
      'walkGrid',
      'cell',
      `is too small for coordinates of ${far}: cells are numbered up to 2^52, got ${cell}`,
    );
  let x = exactCell(ax, cell);
  let y = exactCell(ay, cell);
  let z = exactCell(az, cell);
  const toX = exactCell(bx, cell);
  const toY = exactCell(by, cell);
  const toZ = exactCell(bz, cell);
  const borders = Math.abs(toX - x) + Math.abs(toY - y) + Math.abs(toZ - z);
  if (borders > LONGEST)
    refuse(
      'walkGrid',
      'cell',
      `is too small for a segment over ${borders} borders: 2^26 at most, got ${cell}`,
    );
  const stepX = bx > ax ? 1 : -1;
  const stepY = by > ay ? 1 : -1;
  const stepZ = bz > az ? 1 : -1;
  // Projections of the segment, to say which border of two comes first.
  const fromXy = vec2(ax, ay);
  const endXy = vec2(bx, by);
  const fromYz = vec2(ay, az);
  const endYz = vec2(by, bz);
  const fromXz = vec2(ax, az);
  const endXz = vec2(bx, bz);
  const corner = vec2();
  for (;;) {
    if (visit(x, y, z) === false) return;
    const restX = x !== toX;
    const restY = y !== toY;
    const restZ = z !== toZ;
    if (!(restX || restY || restZ)) return;
    const nextX = (stepX > 0 ? x + 1 : x) * cell;
    const nextY = (stepY > 0 ? y + 1 : y) * cell;
    const nextZ = (stepZ > 0 ? z + 1 : z) * cell;
    let axis = restX ? 0 : restY ? 1 : 2;
    if (axis === 0 && restY) {
      corner.x = nextX;
      corner.y = nextY;
      if (!isFirst(fromXy, endXy, corner, stepX, stepY)) axis = 1;
    }
    if (axis === 0 && restZ) {
      corner.x = nextX;
      corner.y = nextZ;
      if (!isFirst(fromXz, endXz, corner, stepX, stepZ)) axis = 2;
    } else if (axis === 1 && restZ) {
      corner.x = nextY;
      corner.y = nextZ;
      if (!isFirst(fromYz, endYz, corner, stepY, stepZ)) axis = 2;
    }
    if (axis === 0) x += stepX;
    else if (axis === 1) y += stepY;
    else z += stepZ;
  }
}

/**
 * Does the segment meet the border at corner.x before that at corner.y? With u and v for its axes, tells the sign of
 * (corner.u - a.u) (b.v - a.v) - (corner.v - a.v) (b.u - a.u), which is on the other side where one of the steps is negative.
 * Where it meets both at once, a border that is crossed upwards comes first: the point on it is in the cell above already.
 */
function isFirst(a: Vec2, b: Vec2, corner: Vec2, stepU: number, stepV: number): boolean {
  const side = orient2d(a, b, corner) * stepU * stepV;
  return side > 0 || (side === 0 && (stepU > 0 || stepV < 0));
}
