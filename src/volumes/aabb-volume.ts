/** Axis-aligned boxes as bounding volumes. */
import { checkAabb, refuse } from '../math/check.ts';
import { EPS32 } from '../math/float.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { rayAabb } from '../primitives/ray/ray-aabb.ts';
import type { Aabb, ReadonlyAabb } from '../primitives/types.ts';
import { makeAabb, makeHit } from '../primitives/types.ts';
import {
  areaAabb,
  containsPointAabb,
  fitAabb,
  mergeAabb,
  overlapAabbAabb,
  readAabb,
  sideAabbPlane,
  volumeAabb,
} from './aabb.ts';
import { transformAabb } from './aabb-transform.ts';
import { mustFit, type VolumeOps } from './volume.ts';

const low = vec3();
const high = vec3();

/** The smallest box of single-precision numbers around the box. Refuses boxes beyond their range. */
export function roundAabbF32(box: ReadonlyAabb, out: Aabb = makeAabb()): Aabb {
  checkAabb('roundAabbF32', 'box', box);
  downF32(box.min, low);
  downF32(v3.negate(box.max, high), high);
  if ((low.x + low.y + low.z + (high.x + high.y + high.z)) * 0 !== 0)
    refuse('roundAabbF32', 'box', 'must be within the range of float32');
  v3.copy(low, out.min);
  v3.set(0 - high.x, 0 - high.y, 0 - high.z, out.max);
  return out;
}

/**
 * Every component rounded down to single precision. `roundDownF32` of `src/math/float.ts` on records and without
 * calls, because numbers that cross a call are boxed.
 */
function downF32({ x, y, z }: ReadonlyVec3, out: Vec3): void {
  const u = Math.fround(x);
  const v = Math.fround(y);
  const w = Math.fround(z);
  out.x = u > x ? Math.fround(u - Math.max(Math.abs(u) * HALF_STEP, 1e-45)) : u;
  out.y = v > y ? Math.fround(v - Math.max(Math.abs(v) * HALF_STEP, 1e-45)) : v;
  out.z = w > z ? Math.fround(w - Math.max(Math.abs(w) * HALF_STEP, 1e-45)) : w;
}

/** More than half and less than one and a half steps of the last digit, relative; 1e-45 does for the smallest numbers. */
const HALF_STEP = 0.5 * EPS32 * (1 + EPS32);

const hit = makeHit();
const rounded = makeAabb();

export const aabbVolume: VolumeOps<Aabb> = {
  kind: 'aabb',
  byteSize: 24,
  make: makeAabb,
  fitPoints: fitAabb,
  overlap: (a, b) => overlapAabbAabb(a, b),
  containsPoint: containsPointAabb,
  ray: (ray, box, tMax) => rayAabb(ray, box, tMax, hit) !== null,
  planeSide: sideAabbPlane,
  merge: mergeAabb,
  transform: transformAabb,
  area: areaAabb,
  volume: volumeAabb,
  store: (box, target, offset) => {
    mustFit('aabbVolume.store', target, offset, 6);
    const { min, max } = roundAabbF32(box, rounded);
    target[offset] = min.x;
    target[offset + 1] = min.y;
    target[offset + 2] = min.z;
    target[offset + 3] = max.x;
    target[offset + 4] = max.y;
    target[offset + 5] = max.z;
  },
  load: (source, offset, out = makeAabb()) => {
    mustFit('aabbVolume.load', source, offset, 6);
    return readAabb(source, offset, out);
  },
};
