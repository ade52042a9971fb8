import { checkCone } from '../../math/check.ts';
import { EPS64 } from '../../math/float.ts';
import { RAY_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { checkRayUpTo, checkSegment } from '../input.ts';
import type { Hit, ReadonlyCone, ReadonlyRay } from '../types.ts';
import { makeRay } from '../types.ts';
import { rayBetween, report, startInside } from './hit.ts';
import { raySphereKernel } from './ray-sphere.ts';

const segment = makeRay();
const found = { t: 0, normal: vec3(), axis: vec3() };
const point: { center: ReadonlyVec3; radius: number } = { center: found.axis, radius: 0 };

/**
 * Where a ray hits a solid cone, on its side or its flat base. A cone of height zero has no axis, and only the tip is
 * in it for certain: that is what is tested. Grazing is a matter of rounding.
 */
export function rayCone(ray: ReadonlyRay, cone: ReadonlyCone, tMax = Infinity, out?: Hit): Hit | null {
  checkRayUpTo('rayCone', ray, tMax);
  checkCone('rayCone', 'cone', cone);
  return rayConeKernel(ray, cone, tMax, out);
}

/** Where the segment from p to q hits a solid cone, with t in [0, 1]. See `rayCone`. */
export function segmentCone(p: ReadonlyVec3, q: ReadonlyVec3, cone: ReadonlyCone, out?: Hit): Hit | null {
  checkSegment('segmentCone', p, q);
  checkCone('segmentCone', 'cone', cone);
  return rayConeKernel(rayBetween(p, q, segment), cone, 1, out);
}

/** How near to the axis, in parts of the coordinates, the side has no direction of its own any more. */
const AT_TIP = 8 * EPS64;

const sizeOf = ({ x, y, z }: ReadonlyVec3): number => Math.abs(x) + Math.abs(y) + Math.abs(z);

/**
 * With h the height below the tip and w the vector from the axis, the cone is |w|² <= k² h², 0 <= h <= length, where k is
 * the radius over the length. Both are linear in t, so the side is a quadratic in t: a t² + 2 b t + c <= 0.
 */
function rayConeKernel(ray: ReadonlyRay, cone: ReadonlyCone, tMax: number, out: Hit | undefined): Hit | null {
  const { tip, base, radius } = cone;
  const { x: dx, y: dy, z: dz } = ray.direction;
  const { axis, normal } = found;
  v3.sub(base, tip, normal);
  v3.normalize(normal, axis);
  const { x: nx, y: ny, z: nz } = axis;
  if (nx === 0 && ny === 0 && nz === 0) {
    point.center = tip;
    return raySphereKernel(ray, point, tMax, out);
  }
  const length = normal.x * nx + normal.y * ny + normal.z * nz;
  // To the point of the line nearest to the tip.
  let mx = ray.origin.x - tip.x;
  let my = ray.origin.y - tip.y;
  let mz = ray.origin.z - tip.z;
  const lengthSq = dx * dx + dy * dy + dz * dz;
  const toTip = lengthSq > 0 ? -(mx * dx + my * dy + mz * dz) / lengthSq : 0;
  mx += toTip * dx;
  my += toTip * dy;
  mz += toTip * dz;
  // Heights, and what is left across the axis.
  const climb = dx * nx + dy * ny + dz * nz;
  const start = mx * nx + my * ny + mz * nz;
  const ex = dx - climb * nx;
  const ey = dy - climb * ny;
  const ez = dz - climb * nz;
  const px = mx - start * nx;
  const py = my - start * ny;
  const pz = mz - start * nz;
  // The part between the tip and the base.
  let near = -Infinity;
  let far = Infinity;
  if (climb !== 0) {
    near = ((climb > 0 ? 0 : length) - start) / climb;
    far = ((climb > 0 ? length : 0) - start) / climb;
  } else if (start < 0 || start > length) return null;
  // Times count from the point of that part nearest to the axis: so c is no larger than it must be, nor its error.
  const speedSq = ex * ex + ey * ey + ez * ez;
  const toAxis = speedSq > 0 ? Math.max(near, Math.min(far, -(px * ex + py * ey + pz * ez) / speedSq)) : 0;
  const wx = px + toAxis * ex;
  const wy = py + toAxis * ey;
  const wz = pz + toAxis * ez;
  const height = start + toAxis * climb;
  const k = radius / length;
  const a = speedSq - k * climb * (k * climb);
  const b = wx * ex + wy * ey + wz * ez - k * height * (k * climb);
  const distance = Math.sqrt(wx * wx + wy * wy + wz * wz);
  const c = (distance - k * height) * (distance + k * height);

  let enter = -Infinity;
  let exit = Infinity;
  if (a === 0) {
    // Parallel to the side.
    if (b < 0) enter = -c / (2 * b);
    else if (b > 0) exit = -c / (2 * b);
    else if (c > 0) return null;
  } else {
    const discriminant = b * b - a * c;
    // A line steeper than the side meets it always: less than 0 is rounding then.
    if (a > 0 && !(discriminant >= 0)) return null;
    const root = discriminant > 0 ? Math.sqrt(discriminant) : 0;
    const sum = b > 0 ? -b - root : root - b;
    const t0 = sum / a;
    const t1 = sum === 0 ? 0 : c / sum;
    if (a > 0) {
      enter = Math.min(t0, t1);
      exit = Math.max(t0, t1);
    } else if (climb > 0) enter = Math.max(t0, t1);
    else exit = Math.min(t0, t1);
  }
  const byEnd = near - toAxis > enter;
  enter = Math.max(enter, near - toAxis);
  exit = Math.min(exit, far - toAxis);
  const shift = toTip + toAxis;
  if (!(enter <= exit) || exit + shift < 0) return null;
  const rx = wx + enter * ex;
  const ry = wy + enter * ey;
  const rz = wz + enter * ez;
  const outside = Math.sqrt(rx * rx + ry * ry + rz * rz);
  if (!byEnd && exit > enter) {
    // The quadratic carries the errors of squares. One step of Newton's on the distance itself takes them back,
    // unless the line grazes, where it would jump.
    const slope = (rx * ex + ry * ey + rz * ez) / outside - k * climb;
    const step = (k * (height + enter * climb) - outside) / slope;
    if (Math.abs(step) < 1e-3 * (exit - enter)) enter += step;
  }
  const t = enter + shift;
  if (t <= 0) return startInside(ray, out);
  if (!(t <= tMax * RAY_SLACK)) return null;
  const { x, y, z } = ray.origin;
  const rounding = AT_TIP * (Math.abs(x) + Math.abs(y) + Math.abs(z) + sizeOf(tip));
  if (byEnd && climb < 0) {
    // By the base.
    v3.copy(axis, normal);
  } else if (outside > rounding) {
    // On the side, where the radial direction leans back by the slope.
    normal.x = rx / outside - k * nx;
    normal.y = ry / outside - k * ny;
    normal.z = rz / outside - k * nz;
  } else {
    // The tip, as far as rounding can tell. Of its many normals that of the side which the ray comes from looks at the
    // ray; of rays along the axis the axis does. What is left across the axis is rid of the rounding along it.
    const rest = ex * nx + ey * ny + ez * nz;
    const ux = rest * nx - ex;
    const uy = rest * ny - ey;
    const uz = rest * nz - ez;
    const across = Math.sqrt(ux * ux + uy * uy + uz * uz);
    const lean = across * across > AT_TIP * AT_TIP * lengthSq ? 1 / across : 0;
    const back = lean > 0 ? k : 1;
    normal.x = lean * ux - back * nx;
    normal.y = lean * uy - back * ny;
    normal.z = lean * uz - back * nz;
  }
  found.t = Math.min(t, tMax);
  return report(ray, found, out);
}
