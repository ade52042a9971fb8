/** Meshes of any kind as a few convex pieces, to within a tolerance. */
import { describe, mustBeNumber, mustBeOptions, mustNotBeNegative, refuse } from '../math/check.ts';
import type { Polyhedron } from '../polytope/types.ts';
import { mergeParts, type Part, PartMaker } from './hull-parts.ts';
import { massOf } from './mass.ts';
import { surveyOf } from './survey.ts';
import { readTriangles, type TrianglesLike } from './triangles.ts';
import { weldPositions } from './weld.ts';

export interface ApproximateOptions {
  /** How far a piece may reach out of the mesh; a length, by default 2 % of the diagonal of its box, and no less than 1e-3 of it. */
  readonly tolerance?: number | undefined;
  /** The most pieces. Default: 64. */
  readonly maxPieces?: number | undefined;
}

/** The least tolerance, in parts of the diagonal: the work grows with the square of its inverse. */
const FINEST = 1e-3;

export interface ApproximateDecomposition {
  /** Convex; they may overlap. */
  pieces: Polyhedron[];
  /** No point of a piece is farther from the solid, or from the surface of a mesh that is not closed. */
  error: number;
  /** `complete`: the error is within the tolerance. `limit`: it would have taken more than `maxPieces` pieces. */
  status: 'complete' | 'limit';
}

/**
 * Convex pieces that cover a mesh and do not reach far out of it. For a closed, oriented mesh they cover the solid, and
 * the error is measured from the solid; for any other, however broken, they cover the triangles, and the error is
 * measured from these, so that the room between them stays open. (Up to rounding, and a thousandth of the tolerance by
 * which a flat piece is thick.)
 *
 * The piece with the largest error is cut in two by a plane along two axes, where its error is largest or in the
 * middle, whichever leaves the least volume; in the end pieces are joined where the tolerance allows it. The error
 * is bounded, not sampled: see `error`. About linear in the number of triangles, and in the square of `maxPieces`; takes
 * seconds for tens of thousands of triangles of a solid, and for a thousand of a curved open surface or of slivers all over,
 * which need the most pieces.
 */
export function approximateDecomposition(
  mesh: TrianglesLike,
  options: ApproximateOptions = {},
): ApproximateDecomposition {
  mustBeOptions('approximateDecomposition', 'options', options, 'tolerance maxPieces');
  const caller = 'approximateDecomposition';
  const given = readTriangles(`${caller}: mesh`, mesh);
  const { maxPieces = 64 } = options;
  mustBeNumber(caller, 'options.maxPieces', maxPieces);
  if (!(maxPieces >= 1))
    refuse(caller, 'options', `.maxPieces must be at least 1, got ${describe(maxPieces)}`);
  const { remap, positions } = weldPositions(given.positions, 0, 'first');
  const triangles = { positions, index: Uint32Array.from(given.index, (v) => remap[v]!) };
  const { isClosed, isOriented } = surveyOf(triangles);
  const isSolid = isClosed && isOriented;
  if (isSolid && massOf(triangles, 1).volume < 0) triangles.index.reverse();
  const maker = new PartMaker(triangles, isSolid);
  if (maker.diagonal === 0) refuse(caller, 'mesh', 'must not be a single point');
  const { tolerance = 0.02 * maker.diagonal } = options;
  mustNotBeNegative(caller, 'options.tolerance', tolerance);
  if (!(maker.largest + 1e-3 * tolerance > maker.largest))
    refuse(
      caller,
      'options',
      `.tolerance is lost beside coordinates as large as ${maker.largest}, got ${describe(tolerance)}`,
    );
  if (!(tolerance >= FINEST * maker.diagonal))
    refuse(
      caller,
      'options.tolerance',
      `must not be less than ${FINEST * maker.diagonal}, a thousandth of the size of the mesh, got ${describe(tolerance)}: it would not end`,
    );
  maker.tolerance = tolerance;
  let parts = maker.whole();
  for (let count = 0; parts.length !== count; ) {
    // What is joined makes room for more.
    count = parts.length;
    parts = mergeParts(maker, divide(maker, parts, maxPieces));
  }
  const error = Math.max(...parts.map((part) => part.error.bound));
  return { pieces: parts.map(({ hull }) => hull), error, status: error <= tolerance ? 'complete' : 'limit' };
}

/** Divides the worst part until all are good enough or too many. */
function divide(maker: PartMaker, given: readonly Part[], maxPieces: number): Part[] {
  const parts = [...given];
  for (;;) {
    const worst = parts.reduce((a, b) => (b.error.bound > a.error.bound ? b : a));
    if (worst.error.bound <= maker.tolerance || parts.length >= maxPieces) return parts;
    parts.splice(parts.indexOf(worst), 1, ...maker.cut(worst));
  }
}
