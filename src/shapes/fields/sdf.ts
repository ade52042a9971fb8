/** A solid from a signed distance function. */
import {
  checkAabb,
  mustBeBoolean,
  mustBeFunction,
  mustBeOptions,
  mustNotBeNegative,
  refuse,
} from '../../math/check.ts';
import { type ReadonlyVec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { ReadonlyAabb } from '../../primitives/types.ts';
import { FAMILY } from '../../trimesh/family-key.ts';
import type { SdfShape } from '../shape.ts';
import { FIELD } from './family.ts';
import { boxDistance, sizeOfBox } from './field.ts';

export interface SdfOptions {
  /** The function changes by no more than this times the distance between two points. Default: 1. */
  readonly lipschitz?: number;
  /** Is it the distance itself, not only a bound, outside? Then distances between fields are found sooner. Default: false. */
  readonly exact?: boolean;
  /** No bump or dent of the surface is smaller. What is smaller is still never passed by more than this. Default: 1/64 of the bounds. */
  readonly detail?: number;
}

/**
 * The points of a box where a function is not above 0. The function must be continuous and change by no more than `lipschitz` times
 * the distance between two points; a signed distance does, with 1. Then no query misses anything, however thin. A function that
 * is found to change faster, that gives what is not a finite number, or that throws ends the query with an error that says where.
 */
export function sdf(
  f: (p: ReadonlyVec3) => number,
  bounds: ReadonlyAabb,
  options: SdfOptions = {},
): SdfShape {
  mustBeFunction('sdf', 'f', f);
  checkAabb('sdf', 'bounds', bounds);
  mustBeOptions('sdf', 'options', options, 'lipschitz exact detail');
  const { lipschitz = 1, exact = false, detail = sizeOfBox(bounds) / 64 } = options;
  if (!(typeof lipschitz === 'number' && lipschitz > 0 && lipschitz < Infinity))
    refuse('sdf', 'options.lipschitz', `must be a finite number above 0, got ${String(lipschitz)}`);
  mustBeBoolean('sdf', 'options.exact', exact);
  mustNotBeNegative('sdf', 'options.detail', detail);
  const box = { min: v3.copy(bounds.min), max: v3.copy(bounds.max) };
  const bound = (p: ReadonlyVec3): number => Math.max(valueAt(f, p) / lipschitz, boxDistance(box, p));
  bound(v3.lerp(box.min, box.max, 0.5));
  return { kind: 'sdf', bounds: box, bound, exact: exact && lipschitz === 1, detail, [FAMILY]: FIELD };
}

/** Never believes what is not finite. The function sees a copy: it may ask other queries, or keep what it is given. */
function valueAt(f: (p: ReadonlyVec3) => number, { x, y, z }: ReadonlyVec3): number {
  let value: unknown;
  try {
    value = f(vec3(x, y, z));
  } catch (cause) {
    throw new Error(
      `graze: sdf: f threw at (${x}, ${y}, ${z}): ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  if (typeof value !== 'number' || !(Math.abs(value) < Infinity))
    refuse('sdf', 'f', `must give a finite number, but gives ${String(value)} at (${x}, ${y}, ${z})`);
  return value;
}
