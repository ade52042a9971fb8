import { expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import {
  cornersOf,
  icosphere,
  moved,
  soup,
  type TriangleArrays,
  terrain,
  torus,
} from '../../tests/kit/meshes.ts';
import type { Vec3 } from '../math/types.ts';
import { sweepSphereTriangle } from '../primitives/sweep/index.ts';
import { mesh } from './mesh.ts';
import { makeMeshTouch, sweepSphereMesh } from './sweep.ts';

function draw(rng: Rng): TriangleArrays {
  const shapes = [() => icosphere(2), () => torus(), () => terrain(rng, 12), () => soup(rng, rng.int(1, 60))];
  return moved(
    rng.pick(shapes)(),
    rng.pick([1, 1, 1e-4, 1e4]),
    rng.pick([{ x: 0, y: 0, z: 0 }, rng.vec(10), rng.vec(1e6)]),
  );
}

property('the first contact is that of asking every triangle', 400, (rng) => {
  const arrays = draw(rng);
  const triangles = Array.from({ length: arrays.index.length / 3 }, (_, i) => cornersOf(arrays, i));
  const solid = mesh(arrays.positions, arrays.index, { leafSize: rng.pick([1, 2, 4, 10, 15]) });
  const { min, max } = solid.bounds;
  const size = Math.max(max.x - min.x, max.y - min.y, max.z - min.z) || 1;
  const anywhere = (far: number): Vec3 => {
    const d = rng.vec(far * size);
    return { x: (min.x + max.x) / 2 + d.x, y: (min.y + max.y) / 2 + d.y, z: (min.z + max.z) / 2 + d.z };
  };
  for (let i = 0; i < 15; i++) {
    const center = anywhere(rng.pick([0.5, 1, 2, 1e4]));
    const target = rng.chance(0.5) ? rng.pick(rng.pick(triangles)) : anywhere(0.5);
    const s = rng.pick([1, 2, 0.5, 1e-6]);
    const motion = {
      x: (target.x - center.x) * s,
      y: (target.y - center.y) * s,
      z: (target.z - center.z) * s,
    };
    if (rng.chance(0.2)) motion[rng.pick(['x', 'y', 'z'] as const)] = 0;
    if (rng.chance(0.05)) motion.x = motion.y = motion.z = 0;
    const sphere = { center, radius: size * rng.pick([0, 1e-3, 0.05, 0.3, 1]) };
    let first = Infinity;
    let rest = Infinity;
    for (const [a, b, c] of triangles) {
      const hit = sweepSphereTriangle(sphere, motion, a, b, c);
      if (!hit) continue;
      first = Math.min(first, hit.t);
      if (hit.t !== 0) continue;
      const { x, y, z } = hit.point;
      rest = Math.min(rest, Math.hypot(x - center.x, y - center.y, z - center.z));
    }
    const found = sweepSphereMesh(sphere, motion, solid);
    check((found?.t ?? Infinity) === first, () => JSON.stringify({ sphere, motion, found, first }));
    if (!found) continue;
    const own = sweepSphereTriangle(sphere, motion, ...triangles[found.triangle]!)!;
    check(own.t === first, 'the triangle that is named is not the one that is touched');
    const { x, y, z } = found.point;
    // Points are rounded to the coordinates they have, far from the origin too: of two as near, either is named.
    const ulp = 2 ** -52 * (Math.abs(x) + Math.abs(y) + Math.abs(z));
    if (first === 0)
      near(
        Math.hypot(x - center.x, y - center.y, z - center.z),
        rest,
        1e-14 * (size + rest) + ulp,
        'nearest',
      );
    else check(JSON.stringify(own.normal) === JSON.stringify(found.normal), 'the normal of another triangle');
  }
});

/** Slivers and needles of all degrees, down to flat ones and points. */
function needles(rng: Rng, count: number): number[] {
  const positions: number[] = [];
  for (let i = 0; i < count; i++) {
    const a = rng.vec(1);
    const d = rng.vec(rng.pick([0.1, 1, 3]));
    const e = rng.vec(rng.pick([1, 1e-3, 1e-8, 1e-14, 0]));
    const s = rng.pick([0, 0.5, 1]);
    positions.push(a.x, a.y, a.z, a.x + d.x, a.y + d.y, a.z + d.z);
    positions.push(a.x + s * d.x + e.x, a.y + s * d.y + e.y, a.z + s * d.z + e.z);
  }
  return positions;
}

/** Corners on a few lattice points: shared planes, exact touching, coincident triangles. */
const lattice = (rng: Rng, count: number): number[] =>
  Array.from({ length: 9 * count }, (_, i) => (i % 3 === 2 ? rng.int(0, 1) : rng.int(-3, 3)));

property('so it is for needles, and for touching on a lattice', 700, (rng) => {
  const count = rng.int(1, 40);
  const onLattice = rng.chance(0.5);
  const positions = onLattice ? lattice(rng, count) : needles(rng, count);
  const solid = mesh(positions, null, { leafSize: rng.pick([1, 4, 10]) });
  const corner = (i: number): Vec3 => ({
    x: positions[3 * i]!,
    y: positions[3 * i + 1]!,
    z: positions[3 * i + 2]!,
  });
  const whole = (far: number): Vec3 => ({
    x: rng.int(-far, far),
    y: rng.int(-far, far),
    z: rng.int(-far, far),
  });
  for (let n = 0; n < 15; n++) {
    const center = onLattice ? whole(6) : rng.vec(rng.pick([1, 2, 10, 1e3]));
    const target = corner(rng.int(0, 3 * count - 1));
    const s = rng.pick([1, 2, 0.5, 0.999, 1e3]);
    const motion = onLattice
      ? whole(8)
      : { x: (target.x - center.x) * s, y: (target.y - center.y) * s, z: (target.z - center.z) * s };
    const sphere = { center, radius: rng.pick([0, 1e-9, 0.01, 0.1, 0.5, 1, 2, 5]) };
    let first = Infinity;
    for (let i = 0; i < 3 * count; i += 3) {
      const hit = sweepSphereTriangle(sphere, motion, corner(i), corner(i + 1), corner(i + 2));
      if (hit) first = Math.min(first, hit.t);
    }
    const found = sweepSphereMesh(sphere, motion, solid);
    check((found?.t ?? Infinity) === first, () => JSON.stringify({ sphere, motion, found, first }));
  }
});

test('says what is touched', () => {
  const square = mesh([0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0], [0, 1, 2, 0, 2, 3]);
  const down = { x: 0, y: 0, z: -4 };
  const drop = (x: number, y: number) =>
    sweepSphereMesh({ center: { x, y, z: 3 }, radius: 1 }, down, square, makeMeshTouch())!;
  expect(drop(0.2, 1)).toMatchObject({ triangle: 1, feature: 'face', normal: { x: 0, y: 0, z: 1 } });
  expect(drop(0.2, 1).t).toBeCloseTo(0.5, 12);
  expect(drop(-0.6, 1)).toMatchObject({ triangle: 1, feature: 'ca', point: { x: 0, y: 1, z: 0 } });
  expect(drop(2.6, -0.5)).toMatchObject({ triangle: 0, feature: 'b' });
  expect(sweepSphereMesh({ center: { x: 5, y: 5, z: 3 }, radius: 1 }, down, square)).toBeNull();
});

test('a sphere of radius zero is stopped by the seams of a closed mesh', () => {
  const ball = icosphere(3);
  const solid = mesh(ball.positions, ball.index);
  for (let i = 0; i < ball.positions.length; i += 3) {
    const motion = {
      x: 2 * ball.positions[i]!,
      y: 2 * ball.positions[i + 1]!,
      z: 2 * ball.positions[i + 2]!,
    };
    expect(sweepSphereMesh({ center: { x: 0, y: 0, z: 0 }, radius: 0 }, motion, solid)!.t).toBeCloseTo(
      0.5,
      12,
    );
  }
});
