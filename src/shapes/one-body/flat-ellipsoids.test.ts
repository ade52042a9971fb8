/** Rays at ellipsoids without an extent along one axis or two: ellipses and rods. */
import { expect, test } from 'vitest';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { raycast } from '../../query/raycast.ts';
import { ellipsoid } from '../round-shapes.ts';

const AXES = ['x', 'y', 'z'] as const;
const along = (k: number, s: number): Vec3 => {
  const p = vec3();
  p[AXES[k % 3]!] = s;
  return p;
};
const sum = (a: Vec3, b: Vec3): Vec3 => vec3(a.x + b.x, a.y + b.y, a.z + b.z);

test('a rod is hit from one end to the other, and not beyond, along each axis', () => {
  for (const k of [0, 1, 2]) {
    const radii = along(k, 2);
    const rod = ellipsoid(radii.x, radii.y, radii.z);
    for (const s of [-2, -1.9, -0.5, 0, 1, 1.9, 2]) {
      const place = along(k, s);
      for (const side of [1, 2]) {
        const hit = raycast({ origin: sum(place, along(k + side, 5)), direction: along(k + side, -1) }, rod);
        expect(hit?.t).toBeCloseTo(5, 12);
        for (const axis of AXES) expect(hit!.point[axis]).toBeCloseTo(place[axis], 12);
      }
    }
    for (const s of [-2.01, 2.01, -4, 4])
      expect(
        raycast({ origin: sum(along(k, s), along(k + 1, 5)), direction: along(k + 1, -1) }, rod),
      ).toBeNull();
    for (const sign of [1, -1]) {
      const hit = raycast({ origin: along(k, 5 * sign), direction: along(k, -sign) }, rod);
      expect(hit?.t).toBeCloseTo(3, 12);
      expect(hit!.normal[AXES[k]!]).toBeCloseTo(sign, 12);
    }
  }
});

test('an ellipse is hit within its outline from both sides, along each axis', () => {
  for (const k of [0, 1, 2]) {
    const radii = sum(along(k + 1, 2), along(k + 2, 1));
    const plate = ellipsoid(radii.x, radii.y, radii.z);
    for (const [u, v] of [
      [0, 0],
      [1.9, 0],
      [-1.9, 0.1],
      [0, 0.95],
      [1, -0.8],
      [2.1, 0],
      [0, -1.05],
      [1.5, 0.8],
    ] as const) {
      const inside = (u / 2) ** 2 + v ** 2 <= 1;
      const place = sum(along(k + 1, u), along(k + 2, v));
      for (const sign of [1, -1]) {
        const hit = raycast(
          { origin: sum(place, along(k, 3 * sign)), direction: along(k, -2 * sign) },
          plate,
        );
        expect(hit !== null, `${k}: ${u}, ${v}`).toBe(inside);
        if (hit === null) continue;
        expect(hit.t).toBeCloseTo(1.5, 12);
        expect(hit.normal[AXES[k]!]).toBeCloseTo(sign, 12);
        for (const axis of AXES) expect(hit.point[axis]).toBeCloseTo(place[axis], 12);
      }
    }
  }
});
