import { describe, expect, test } from 'vitest';
import { reach, span } from '../../../tests/kit/degenerate-points.ts';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, near, property } from '../../../tests/kit/index.ts';
import type { Mat3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { distance, dot, sub, transform, transformTransposed } from '../../math/vec3.ts';
import type { Aabb } from '../types.ts';
import { closestPointAabb, closestPointObb, distanceSqPointAabb, distanceSqPointObb } from './box.ts';
import {
  closestPointCenteredRectangle,
  closestPointRectangle,
  distanceSqPointCenteredRectangle,
  distanceSqPointRectangle,
} from './rectangle.ts';

const U = 2 ** -53;

const corners = ({ min, max }: Aabb): Vec3[] =>
  [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => vec3(x, y, z))));

/** A box with zero extents now and then, and a point that is at times inside or on it. */
function boxAndPoint(rng: Rng): { p: Vec3; box: Aabb } {
  const [a, b, p] = cloud(rng, 3).points as [Vec3, Vec3, Vec3];
  const min = vec3(Math.min(a.x, b.x), Math.min(a.y, b.y), Math.min(a.z, b.z));
  const max = vec3(Math.max(a.x, b.x), Math.max(a.y, b.y), Math.max(a.z, b.z));
  for (const axis of ['x', 'y', 'z'] as const) {
    if (rng.chance(0.1)) max[axis] = min[axis];
    if (rng.chance(0.3)) p[axis] = rng.pick([min[axis], max[axis], (min[axis] + max[axis]) / 2]);
  }
  return { p, box: { min, max } };
}

function rotation(rng: Rng): Mat3 {
  const { x, y, z, w } = rng.rotation();
  return {
    elements: [
      1 - 2 * (y * y + z * z),
      2 * (x * y + w * z),
      2 * (x * z - w * y),
      2 * (x * y - w * z),
      1 - 2 * (x * x + z * z),
      2 * (y * z + w * x),
      2 * (x * z + w * y),
      2 * (y * z - w * x),
      1 - 2 * (x * x + y * y),
    ],
  };
}

/**
 * q is the point of a convex set closest to p exactly if no point of the set (no corner will do) is farther than q in
 * the direction from q to p.
 */
function closest(p: Vec3, q: Vec3, points: readonly Vec3[], tolerance: number): void {
  const way = sub(p, q);
  const gap = distance(p, q);
  // q off by the tolerance changes the product by that times the other factor.
  for (const corner of points)
    check(
      dot(way, sub(corner, q)) <= tolerance * (gap + distance(corner, q)),
      () => `corner ${JSON.stringify(corner)} is closer`,
    );
}

describe('point and box', () => {
  property('[R5.1.3-4] aabb: in the box, none closer, inside stays itself', 10_000, (rng) => {
    const { p, box } = boxAndPoint(rng);
    const q = closestPointAabb(p, box);
    for (const axis of ['x', 'y', 'z'] as const)
      check(q[axis] >= box.min[axis] && q[axis] <= box.max[axis], 'in the box');
    closest(p, q, corners(box), 4 * U * reach([p, box.min, box.max]));
    const sq = distanceSqPointAabb(p, box);
    near(Math.sqrt(sq), distance(p, q), 4 * U * span([p, box.min, box.max]), 'distance');
    const inside = (['x', 'y', 'z'] as const).every((a) => p[a] >= box.min[a] && p[a] <= box.max[a]);
    check(!inside || (sq === 0 && q.x === p.x && q.y === p.y && q.z === p.z), 'inside, itself');
    check((sq === 0) === inside || sq < 1e-300, '0 exactly inside');
    check(closestPointAabb(p, box, p) === p && p.x === q.x && p.y === q.y, 'out may be p');
  });

  property('[R5.1.3-4] a rotated oriented box = the aligned box in its frame', 10_000, (rng) => {
    const { p, box } = boxAndPoint(rng);
    const turn = rotation(rng);
    const local = { x: 0, y: 0, z: 0 };
    const halfSize = vec3(
      (box.max.x - box.min.x) / 2,
      (box.max.y - box.min.y) / 2,
      (box.max.z - box.min.z) / 2,
    );
    const center = vec3(
      (box.max.x + box.min.x) / 2,
      (box.max.y + box.min.y) / 2,
      (box.max.z + box.min.z) / 2,
    );
    const obb = { center, halfSize, rotation: turn };
    const own = sub(p, center);
    transformTransposed(own, turn, local);
    const aligned = { min: vec3(-halfSize.x, -halfSize.y, -halfSize.z), max: halfSize };
    const wanted = closestPointAabb(local, aligned);
    const q = closestPointObb(p, obb);
    const back = transform(wanted, turn);
    // The rotation itself is a few roundings away from orthonormal.
    const tolerance = 16 * U * (distance(p, center) + reach([halfSize]) + reach([p, center]));
    for (const axis of ['x', 'y', 'z'] as const)
      near(q[axis], center[axis] + back[axis], tolerance, `point.${axis}`);
    near(
      Math.sqrt(distanceSqPointObb(p, obb)),
      Math.sqrt(distanceSqPointAabb(local, aligned)),
      8 * U * (distance(p, center) + reach([halfSize])),
      'distance',
    );
    if (distanceSqPointObb(p, obb) === 0) check(q.x === p.x && q.y === p.y && q.z === p.z, 'inside, itself');
  });

  property('[R5.1.3-4] rectangles: in the plane of their sides, none closer, both forms', 10_000, (rng) => {
    const { p, box } = boxAndPoint(rng);
    const turn = rotation(rng);
    const size = span([p, box.min, box.max]);
    const halfU = transform(vec3((box.max.x - box.min.x) / 2, 0, 0), turn);
    const halfV = transform(vec3(0, (box.max.y - box.min.y) / 2, 0), turn);
    const center = box.min;
    const at = (s: number, t: number): Vec3 => ({
      x: center.x + s * halfU.x + t * halfV.x,
      y: center.y + s * halfU.y + t * halfV.y,
      z: center.z + s * halfU.z + t * halfV.z,
    });
    const tolerance = 32 * U * (size + reach([p, center]));
    const all = [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)];
    const q = closestPointCenteredRectangle(p, center, halfU, halfV);
    closest(p, q, all, tolerance);
    const off = sub(q, center);
    check(Math.abs(dot(off, halfU)) <= dot(halfU, halfU) + tolerance * size, 'within halfU');
    check(Math.abs(dot(off, halfV)) <= dot(halfV, halfV) + tolerance * size, 'within halfV');
    const sq = distanceSqPointCenteredRectangle(p, center, halfU, halfV);
    near(Math.sqrt(sq), distance(p, q), tolerance, 'distance, centre form');
    const r = closestPointRectangle(p, all[0]!, all[1]!, all[3]!);
    near(distance(p, r), distance(p, q), tolerance, 'distance of the point, corner form');
    near(
      Math.sqrt(distanceSqPointRectangle(p, all[0]!, all[1]!, all[3]!)),
      distance(p, q),
      tolerance,
      'distance, corner form',
    );
  });

  test('[R5.1.3-4] by hand, and zero extents', () => {
    const box = { min: vec3(-1, -2, 3), max: vec3(1, -2, 3) };
    expect(closestPointAabb(vec3(5, 0, 0), box)).toEqual(vec3(1, -2, 3));
    expect(distanceSqPointAabb(vec3(5, -2, 6), box)).toBe(25);
    const quarter = { elements: [0, 1, 0, -1, 0, 0, 0, 0, 1] };
    const obb = { center: vec3(10, 0, 0), halfSize: vec3(3, 1, 0), rotation: quarter };
    expect(closestPointObb(vec3(20, 2, 4), obb)).toEqual(vec3(11, 2, 0));
    expect(distanceSqPointObb(vec3(11, 6, 4), obb)).toBe(25);
    expect(closestPointRectangle(vec3(5, 5, 5), vec3(), vec3(2, 0, 0), vec3(0, 3, 0))).toEqual(vec3(2, 3, 0));
    expect(closestPointRectangle(vec3(1, 5, 5), vec3(), vec3(2, 0, 0), vec3())).toEqual(vec3(1, 0, 0));
    expect(closestPointCenteredRectangle(vec3(-5, 1, 5), vec3(), vec3(2, 0, 0), vec3(0, 3, 0))).toEqual(
      vec3(-2, 1, 0),
    );
    expect(closestPointCenteredRectangle(vec3(-5, 1, 5), vec3(1, 1, 1), vec3(), vec3())).toEqual(
      vec3(1, 1, 1),
    );
  });

  test('refuses boxes that are none', () => {
    const inverted = { min: vec3(1, 0, 0), max: vec3(0, 1, 1) };
    expect(() => closestPointAabb(vec3(), inverted)).toThrow(/box must have min <= max/);
    expect(() => distanceSqPointAabb(vec3(), inverted)).toThrow(/box must have min <= max/);
    const identity = { elements: [1, 0, 0, 0, 1, 0, 0, 0, 1] };
    const negative = { center: vec3(), halfSize: vec3(1, -1, 1), rotation: identity };
    expect(() => closestPointObb(vec3(), negative)).toThrow(/box\.halfSize/);
    expect(() => distanceSqPointObb(vec3(), negative)).toThrow(/box\.halfSize/);
    const short = { center: vec3(), halfSize: vec3(1, 1, 1), rotation: { elements: [1, 0, 0] } };
    expect(() => closestPointObb(vec3(), short)).toThrow(/box\.rotation/);
    expect(() => closestPointRectangle(vec3(), vec3(), vec3(Number.NaN), vec3())).toThrow(/b\.x/);
  });
});
