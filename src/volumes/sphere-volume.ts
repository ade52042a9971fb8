/** Spheres as bounding volumes. */
import { checkSphere, refuse } from '../math/check.ts';
import { EPS64, roundUpF32 } from '../math/float.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { raySphere } from '../primitives/ray/ray-sphere.ts';
import type { ReadonlyRay, ReadonlySphere, Sphere } from '../primitives/types.ts';
import { makeHit, makeSphere } from '../primitives/types.ts';
import {
  areaSphere,
  containsPointSphere,
  mergeSphere,
  overlapSphereSphere,
  reachAbout,
  sideSpherePlane,
  transformSphere,
  volumeSphere,
} from './sphere.ts';
import { fitSphereMinimum } from './sphere-minimum.ts';
import { mustFit, type VolumeOps } from './volume.ts';

const center = vec3();

/** A sphere of single-precision numbers around the sphere: the center is rounded, the radius makes up for it. */
export function roundSphereF32(sphere: ReadonlySphere, out: Sphere = makeSphere()): Sphere {
  checkSphere('roundSphereF32', 'sphere', sphere);
  const { x, y, z } = sphere.center;
  v3.set(Math.fround(x), Math.fround(y), Math.fround(z), center);
  const radius = roundUpF32(reachAbout(center, sphere));
  if ((center.x + center.y + center.z + radius) * 0 !== 0)
    refuse('roundSphereF32', 'sphere', 'must be within the range of float32');
  v3.copy(center, out.center);
  out.radius = radius;
  return out;
}

const hit = makeHit();
const rounded = makeSphere();

/**
 * The sphere, larger by what the ray test may be wrong by: its distance of the center from the line comes from a cross
 * product, good to six half-steps of the distance from the origin.
 */
function widened({ origin }: ReadonlyRay, { center: c, radius }: ReadonlySphere): ReadonlySphere {
  const apart = Math.abs(c.x - origin.x) + Math.abs(c.y - origin.y) + Math.abs(c.z - origin.z);
  v3.copy(c, wide.center);
  wide.radius = radius + (radius + apart) * (8 * EPS64);
  return wide;
}
const wide = makeSphere();

export const sphereVolume: VolumeOps<Sphere> = {
  kind: 'sphere',
  byteSize: 16,
  make: makeSphere,
  fitPoints: fitSphereMinimum,
  overlap: overlapSphereSphere,
  containsPoint: containsPointSphere,
  ray: (ray, sphere, tMax) => raySphere(ray, widened(ray, sphere), tMax, hit) !== null,
  planeSide: sideSpherePlane,
  merge: mergeSphere,
  transform: transformSphere,
  area: areaSphere,
  volume: volumeSphere,
  store: (sphere, target, offset) => {
    mustFit('sphereVolume.store', target, offset, 4);
    const { center: c, radius } = roundSphereF32(sphere, rounded);
    target[offset] = c.x;
    target[offset + 1] = c.y;
    target[offset + 2] = c.z;
    target[offset + 3] = radius;
  },
  load: (source, offset, out = makeSphere()) => {
    mustFit('sphereVolume.load', source, offset, 4);
    v3.set(source[offset]!, source[offset + 1]!, source[offset + 2]!, out.center);
    out.radius = source[offset + 3]!;
    return out;
  },
};
