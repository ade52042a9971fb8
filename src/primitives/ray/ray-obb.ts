/** Lines, rays and segments against an oriented box: as for an axis-aligned one, in the frame of the box. RTCD §5.3.3. */
import { checkObb, checkRay } from '../../math/check.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { checkRayUpTo, checkSegment } from '../input.ts';
import type { Hit, ReadonlyObb, ReadonlyRay, Span } from '../types.ts';
import { makeAabb, makeHit, makeRay } from '../types.ts';
import { rayBetween, startInside } from './hit.ts';
import { lineAabbKernel, rayAabbKernel } from './ray-aabb.ts';

const segment = makeRay();
const local = makeRay();
const localBox = makeAabb();
const localHit = makeHit();

/** Where a ray hits a solid oriented box. The normal is that of the face by which it enters. */
export function rayObb(ray: ReadonlyRay, box: ReadonlyObb, tMax = Infinity, out?: Hit): Hit | null {
  checkRayUpTo('rayObb', ray, tMax);
  checkObb('rayObb', 'box', box);
  return rayObbKernel(ray, box, tMax, out);
}

/** Where the segment from p to q hits a solid oriented box, with t in [0, 1]. */
export function segmentObb(p: ReadonlyVec3, q: ReadonlyVec3, box: ReadonlyObb, out?: Hit): Hit | null {
  checkSegment('segmentObb', p, q);
  checkObb('segmentObb', 'box', box);
  return rayObbKernel(rayBetween(p, q, segment), box, 1, out);
}

/** The part of a line that lies in an oriented box. See `lineAabb`. */
export function lineObb(line: ReadonlyRay, box: ReadonlyObb, out?: Span): Span | null {
  checkRay('lineObb', 'line', line);
  checkObb('lineObb', 'box', box);
  toFrame(line, box);
  return lineAabbKernel(local, localBox, out);
}

function rayObbKernel(ray: ReadonlyRay, box: ReadonlyObb, tMax: number, out: Hit | undefined): Hit | null {
  toFrame(ray, box);
  if (!rayAabbKernel(null, local, localBox, tMax, localHit)) return null;
  if (localHit.t === 0) return startInside(ray, out);
  const hit = out ?? makeHit();
  const { x, y, z } = box.center;
  v3.transform(localHit.normal, box.rotation, hit.normal);
  const { point } = hit;
  v3.transform(localHit.point, box.rotation, point);
  v3.set(x + point.x, y + point.y, z + point.z, point);
  hit.t = localHit.t;
  return hit;
}

/** Fills `local` and `localBox`. */
function toFrame(ray: ReadonlyRay, { center, halfSize, rotation }: ReadonlyObb): void {
  v3.transformTransposed(v3.sub(ray.origin, center, local.origin), rotation, local.origin);
  v3.transformTransposed(ray.direction, rotation, local.direction);
  v3.copy(halfSize, localBox.max);
  v3.negate(halfSize, localBox.min);
}
