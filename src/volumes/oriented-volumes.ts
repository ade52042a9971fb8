/** Oriented boxes and k-DOPs as bounding volumes. */
import { checkObb, refuse } from '../math/check.ts';
import { EPS64, roundDownF32, roundUpF32 } from '../math/float.ts';
import * as m3 from '../math/mat3.ts';
import * as v3 from '../math/vec3.ts';
import { rayObb } from '../primitives/ray/ray-obb.ts';
import type { Obb, ReadonlyObb, ReadonlyRay } from '../primitives/types.ts';
import { makeHit, makeObb } from '../primitives/types.ts';
import {
  containsPointKdop,
  fitKdop,
  type Kdop,
  type KdopSides,
  kdopAxes,
  makeKdop,
  mergeKdop,
  mustBeKdop,
  overlapKdopKdop,
  rayKdop,
} from './kdop.ts';
import { sideKdopPlane } from './kdop-plane.ts';
import { measureKdop, transformKdop } from './kdop-realign.ts';
import {
  areaObb,
  containsPointObb,
  loadObb,
  mergeObb,
  OBB_FLOATS,
  sideObbPlane,
  storeObb,
  transformObb,
  volumeObb,
} from './obb.ts';
import { fitObb } from './obb-fit.ts';
import { overlapObbObb } from './obb-overlap.ts';
import { mustFit, type VolumeOps } from './volume.ts';

const hit = makeHit();
const thick = makeObb();

/** Does the ray hit the box? In a box that is larger by what turning the ray into its frame may be off by. */
function rayHitsObb(ray: ReadonlyRay, box: ReadonlyObb, tMax?: number): boolean {
  checkObb('obbVolume.ray', 'volume', box);
  const { center: c, halfSize: h } = box;
  const { x, y, z } = ray.origin;
  const way = Math.abs(x - c.x) + Math.abs(y - c.y) + Math.abs(z - c.z) + 2 * (h.x + h.y + h.z);
  const room = 16 * EPS64 * way;
  v3.copy(c, thick.center);
  v3.set(h.x + room, h.y + room, h.z + room, thick.halfSize);
  m3.copy(box.rotation, thick.rotation);
  return rayObb(ray, thick, tMax, hit) !== null;
}

export const obbVolume: VolumeOps<Obb> = {
  kind: 'obb',
  byteSize: 4 * OBB_FLOATS,
  make: makeObb,
  fitPoints: (points, out) => fitObb(points, 'min', out),
  overlap: overlapObbObb,
  containsPoint: containsPointObb,
  ray: rayHitsObb,
  planeSide: sideObbPlane,
  merge: mergeObb,
  transform: transformObb,
  area: areaObb,
  volume: volumeObb,
  store: (box, target, offset) => {
    mustFit('obbVolume.store', target, offset, OBB_FLOATS);
    checkObb('obbVolume.store', 'volume', box);
    storeObb(box, target, offset);
  },
  load: (source, offset, out = makeObb()) => {
    mustFit('obbVolume.load', source, offset, OBB_FLOATS);
    return loadObb(source, offset, out);
  },
};

/** The operations of k-DOPs with so many sides. */
export function kdopVolume(sides: KdopSides): VolumeOps<Kdop> {
  const count = kdopAxes(sides).length;
  return {
    kind: `kdop${sides}`,
    byteSize: 8 * count,
    make: () => makeKdop(sides),
    fitPoints: (points, out) => fitKdop(points, sides, out),
    overlap: overlapKdopKdop,
    containsPoint: containsPointKdop,
    ray: rayKdop,
    planeSide: sideKdopPlane,
    merge: mergeKdop,
    transform: (kdop, pose, out) => transformKdop(kdop, pose, undefined, out),
    area: (kdop) => measureKdop(kdop).area,
    volume: (kdop) => measureKdop(kdop).volume,
    store: (kdop, target, offset) => {
      mustFit('kdopVolume.store', target, offset, 2 * count);
      mustBeKdop('kdopVolume.store', 'volume', kdop);
      for (let i = 0; i < count; i++) {
        const low = roundDownF32(kdop.min[i]!);
        const high = roundUpF32(kdop.max[i]!);
        if ((low + high) * 0 !== 0)
          refuse('kdopVolume.store', 'volume', 'must be within the range of float32');
        target[offset + i] = low;
        target[offset + count + i] = high;
      }
    },
    load: (source, offset, out = makeKdop(sides)) => {
      mustFit('kdopVolume.load', source, offset, 2 * count);
      for (let i = 0; i < count; i++) {
        out.min[i] = source[offset + i]!;
        out.max[i] = source[offset + count + i]!;
      }
      return out;
    },
  };
}
