/** A solid from distances that were baked into a sparse grid. */
import {
  checkAabb,
  checkPoint,
  describe,
  mustBeBoolean,
  mustBeFunction,
  mustBeOneOf,
  mustBeOptions,
  mustHave,
  refuse,
  refuseType,
} from '../../../math/check.ts';
import { mustBeInRange } from '../../../math/size-range.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../../../math/types.ts';
import type { ReadonlyAabb } from '../../../primitives/types.ts';
import { isClosed } from '../../../trimesh/derived.ts';
import { FAMILY } from '../../../trimesh/family-key.ts';
import type { Mesh } from '../../../trimesh/mesh.ts';
import type { ShapeFamily } from '../../family.ts';
import type { FieldShape, LevelSetShape } from '../../shape.ts';
import { FIELD } from '../family.ts';
import { signedDistanceField } from '../field-body.ts';
import { distanceFromField } from '../field-search.ts';
import { bake } from './bake.ts';
import { type DistanceSource, FunctionDistance, MeshDistance } from './distance-source.ts';
import { HEADER, LevelSetGrid } from './grid.ts';

export interface LevelSetOptions {
  /** Between grid points. */
  readonly spacing: number;
  /** How far from the surface `error` holds. Default: 2 spacings. At least one. */
  readonly band?: number;
  /**
   * Of a mesh with holes: `'winding'` takes for inside what it winds around by more than a half. Default: `'closed'`, which
   * refuses such a mesh.
   */
  readonly sign?: 'closed' | 'winding';
  /** Of a function: a box that the solid ends at. */
  readonly bounds?: ReadonlyAabb;
  /** Of a function: it changes by no more than this times the distance between two points. Default: 1. */
  readonly lipschitz?: number;
  /** Put the grid into a `SharedArrayBuffer`, so that workers can have it too. */
  readonly shared?: boolean;
  /** Called now and then with the part that is done, from 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

const OPTIONS = 'spacing band sign bounds lipschitz shared onProgress';

/**
 * A solid by its signed distance at the points of a grid: all of them near to the surface, few elsewhere. It holds the solid that it
 * was made from, and goes beyond by no more than `error`: so nothing is late. `signedDistance` of a point in the grid
 * is the interpolated value, off by no more than `error` within the `band` and `farError` beyond (see `levelSetError`), and
 * outside never above the distance.
 *
 * Of a mesh, or of a function of which the points with values not above 0 are taken, within `bounds`. Refuses a mesh with holes,
 * unless `sign` is `'winding'`: then the solid ends in a hole where the winding number is a half, to within two spacings, and what
 * is said of errors holds for points that are nearer to the surface than to the ends in holes.
 *
 * O(s log n), s being the number of grid points near the surface.
 */
export function levelSet(
  source: Mesh | ((p: ReadonlyVec3) => number),
  options: LevelSetOptions,
): LevelSetShape {
  const { spacing, band, shared, onProgress } = checkOptions('levelSet', source, options);
  return levelSetOf(bake(sourceOf(source, options), { spacing, band, shared, onProgress }));
}

/** Refuses what is no good, and fills in what was left out. @internal */
export function checkOptions(
  caller: string,
  source: Mesh | ((p: ReadonlyVec3) => number),
  options: LevelSetOptions,
) {
  mustBeOptions(caller, 'options', options, OPTIONS);
  const { spacing, sign = 'closed', bounds, lipschitz, shared = false, onProgress } = options;
  mustBePositive(caller, 'options.spacing', spacing);
  const { band = 2 * spacing } = options;
  mustBePositive(caller, 'options.band', band);
  if (!(band >= spacing)) refuse(caller, 'options.band', `must not be less than the spacing, got ${band}`);
  mustBeOneOf(caller, 'options.sign', sign, ['closed', 'winding']);
  mustBeBoolean(caller, 'options.shared', shared);
  if (onProgress !== undefined) mustBeFunction(caller, 'options.onProgress', onProgress);
  if (typeof source === 'function') {
    if (bounds === undefined)
      refuseType(caller, 'options.bounds', 'a box, as the source is a function', bounds);
    checkAabb(caller, 'options.bounds', bounds);
    if (lipschitz !== undefined) mustBePositive(caller, 'options.lipschitz', lipschitz);
  } else {
    if (typeof source !== 'object' || source === null || source.kind !== 'mesh')
      refuseType(caller, 'source', 'a mesh or a function', source);
    mustHave(caller, 'source', source, 'a mesh', 'tree');
    for (const name of ['bounds', 'lipschitz'] as const)
      if (options[name] !== undefined)
        refuse(caller, `options.${name}`, 'is for functions, and the source is a mesh');
    if (sign === 'closed' && !isClosed(source))
      refuse(
        caller,
        'source',
        "must be a closed mesh to have an inside; inspect shows its holes, repair may close them; sign: 'winding' bridges them",
      );
  }
  return { spacing, band, sign, shared, onProgress };
}

function mustBePositive(caller: string, name: string, value: number): void {
  if (!(typeof value === 'number' && value > 0 && value < Infinity))
    refuse(caller, name, `must be a finite number above 0, got ${describe(value)}`);
  mustBeInRange(caller, name, value);
}

function sourceOf(
  source: Mesh | ((p: ReadonlyVec3) => number),
  { bounds, lipschitz = 1 }: LevelSetOptions,
): DistanceSource {
  return typeof source === 'function'
    ? new FunctionDistance(source, bounds!, lipschitz)
    : new MeshDistance(source);
}

/** The value at p of the grid; outside of it, the distance from the solid. One that was scaled has no grid. */
function signedDistanceLevelSet(shape: FieldShape, p: ReadonlyVec3): number {
  if (shape.kind !== 'levelSet') return signedDistanceField(shape, p);
  return shape.grid.holds(p) ? shape.grid.valueAt(p) : distanceFromField(shape, 1, p);
}

const LEVEL_SET: Readonly<ShapeFamily<FieldShape>> = { ...FIELD, signedDistance: signedDistanceLevelSet };

/** @internal */
export function levelSetOf(grid: LevelSetGrid): LevelSetShape {
  const { header } = grid;
  const corner = (at: number): Vec3 => vec3(header[at], header[at + 1], header[at + 2]);
  return {
    kind: 'levelSet',
    grid,
    spacing: grid.spacing,
    band: header[HEADER.band]!,
    error: header[HEADER.error]!,
    farError: header[HEADER.farError]!,
    bounds: { min: corner(HEADER.bounds), max: corner(HEADER.bounds + 3) },
    bound: (p) => grid.boundAt(p),
    exact: false,
    detail: grid.spacing,
    [FAMILY]: LEVEL_SET,
  };
}

/** @internal */
export function mustBeLevelSet(caller: string, level: LevelSetShape): void {
  mustHave(caller, 'level', level, 'a level set', 'grid');
  if (!(level.grid instanceof LevelSetGrid)) refuseType(caller, 'level', 'a level set', level);
}

/**
 * The value of a level set at p: its signed distance in the grid, and a bound of it outside. What `signedDistance` answers for a bare
 * shape in its grid, without the checks of poses.
 */
export function levelSetDistance(p: ReadonlyVec3, level: LevelSetShape): number {
  checkPoint('levelSetDistance', 'p', p);
  mustBeLevelSet('levelSetDistance', level);
  return level.grid.valueAt(p);
}

/** How far the value at p is from the signed distance of what the level set was made from, at most; Infinity outside of the grid. */
export function levelSetError(p: ReadonlyVec3, level: LevelSetShape): number {
  checkPoint('levelSetError', 'p', p);
  mustBeLevelSet('levelSetError', level);
  return level.grid.errorAt(p);
}
