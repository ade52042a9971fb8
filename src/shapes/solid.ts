/** A solid of the user's own, which answers a few questions. */
import type { Solid } from '../continuous/generalized/solid.ts';
import {
  checkAabb,
  mustBeFunction,
  mustBeOptions,
  mustNotBeNegative,
  refuse,
  refuseType,
} from '../math/check.ts';
import { type ReadonlyVec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { type Aabb, makeObb, type ReadonlyObb } from '../primitives/types.ts';
import { FAMILY } from '../trimesh/family-key.ts';
import { FIELD } from './fields/family.ts';
import { boxDistance, sizeOfBox } from './fields/field.ts';
import type { SolidShape } from './shape.ts';

/**
 * What a solid must be able to say: where it is at most, and which boxes it meets or how far it is from a point. All queries
 * are answered by one of these two; a signed distance is faster, and gives depths. The rest is for contact times
 * (`contactTime`), and taken from the former where it is not given.
 */
export interface SolidSource extends Partial<Omit<Solid, 'bounds' | 'box' | 'radius'>> {
  readonly bounds: Solid['bounds'];
  /** Does it meet the box? Exactly, here: a box of size 0 is a point, which it holds or not. */
  box?(box: ReadonlyObb): boolean;
  /** No bump or dent of the surface is smaller. Default: 1/64 of the bounds. */
  readonly detail?: number;
}

/** A box is found to be free or not this often. */
const HALVINGS = 48;

/**
 * A shape from answers of the user's: in every query with every other shape. From boxes alone its distance is the largest cube about a
 * point that it does not meet: right within 1e-12 of the size along the axes, and less than the distance elsewhere by a factor of √3 at
 * most. Answers that are not finite, or no boolean, and errors that are thrown end the query with an error that names the point.
 */
export function solid(source: SolidSource): SolidShape {
  mustBeOptions('solid', 'source', source, 'bounds box signedDistance segment normal sample detail');
  const { bounds } = source;
  checkAabb('solid', 'source.bounds', bounds);
  if (source.box === undefined && source.signedDistance === undefined)
    refuse('solid', 'source', 'must have a box or a signedDistance');
  for (const name of ['box', 'signedDistance', 'segment', 'normal', 'sample'] as const)
    if (source[name] !== undefined) mustBeFunction('solid', `source.${name}`, source[name]);
  const own = { min: v3.copy(bounds.min), max: v3.copy(bounds.max) };
  const { detail = sizeOfBox(own) / 64 } = source;
  mustNotBeNegative('solid', 'source.detail', detail);
  const distance = source.signedDistance === undefined ? byBoxes(source, own) : bySignedDistance(source);
  const bound = (p: ReadonlyVec3): number => Math.max(distance(p), boxDistance(own, p));
  bound(v3.lerp(own.min, own.max, 0.5));
  return { kind: 'solid', bounds: own, bound, exact: false, detail, source, [FAMILY]: FIELD };
}

function bySignedDistance(source: SolidSource) {
  return ({ x, y, z }: ReadonlyVec3): number => {
    const value = asked('signedDistance', x, y, z, () => source.signedDistance!(vec3(x, y, z)));
    if (typeof value !== 'number' || !(Math.abs(value) < Infinity))
      refuse(
        'solid',
        'signedDistance',
        `must give a finite number, but gives ${String(value)} at (${x}, ${y}, ${z})`,
      );
    return value;
  };
}

/** Half of the side of the largest cube about a point that is free; 0 inside. */
function byBoxes(source: SolidSource, bounds: Readonly<Aabb>) {
  const size = sizeOfBox(bounds);
  return ({ x, y, z }: ReadonlyVec3): number => {
    const meets = (half: number): boolean => {
      const box = makeObb();
      v3.set(x, y, z, box.center);
      v3.set(half, half, half, box.halfSize);
      const answer = asked('box', x, y, z, () => source.box!(box));
      if (typeof answer !== 'boolean')
        refuseType('solid', `box at (${x}, ${y}, ${z})`, 'true or false', answer);
      return answer;
    };
    if (meets(0)) return 0;
    if (!meets(size)) return size;
    let free = 0;
    let most = size;
    for (let i = 0; i < HALVINGS; i++) {
      const half = (free + most) / 2;
      if (meets(half)) most = half;
      else free = half;
    }
    return free;
  };
}

function asked(name: string, x: number, y: number, z: number, ask: () => unknown): unknown {
  try {
    return ask();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`graze: solid: ${name} threw at (${x}, ${y}, ${z}): ${why}`, { cause });
  }
}
