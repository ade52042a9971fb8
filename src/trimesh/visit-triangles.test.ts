import { check, property } from '../../tests/kit/index.ts';
import { cornersOf, icosphere, moved, soup, terrain, torus } from '../../tests/kit/meshes.ts';
import { vec3 } from '../math/types.ts';
import { isInsideClosed, isSurroundedByClosed } from './crossing-number.ts';
import { isInside } from './inside.ts';
import { mesh } from './mesh.ts';
import { collectSlots, SlotList, visitNear } from './visit-triangles.ts';
import { isSurrounded } from './winding.ts';

const FAR = vec3(3e5, -1e6, 7e4);

property(
  'the slots in a box are those of the triangles whose boxes it overlaps or touches',
  300,
  (rng, n) => {
    const base = [
      () => icosphere(2),
      () => torus(20, 10),
      () => terrain(rng, 10),
      () => soup(rng, rng.int(1, 400)),
    ][n % 4]!();
    const arrays = n % 3 === 0 ? moved(base, 1, FAR) : base;
    const made = mesh(arrays.positions, arrays.index);
    const { min, max } = made.bounds;
    const slots = new SlotList();
    for (let round = 0; round < 20; round++) {
      const along = (low: number, high: number): [number, number] => {
        const a = rng.range(low - 0.2 * (high - low), high + 0.2 * (high - low));
        const b = rng.int(0, 3) === 0 ? a : rng.range(low, high);
        return a < b ? [a, b] : [b, a];
      };
      const [x0, x1] = along(min.x, max.x);
      const [y0, y1] = along(min.y, max.y);
      const [z0, z1] = along(min.z, max.z);
      const box = { min: vec3(x0, y0, z0), max: vec3(x1, y1, z1) };
      // Sides that touch vertices exactly.
      if (round % 4 === 0) {
        const v = 3 * rng.int(0, made.vertices.length / 3 - 1);
        box.max.x = Math.max(box.min.x, made.vertices[v]!);
        box.min.y = Math.min(box.max.y, made.vertices[v + 1]!);
      }
      slots.count = 0;
      collectSlots(made, box, slots);
      const found = Array.from(slots.slots.subarray(0, slots.count), (slot) => made.ids[slot]!).sort(
        (a, b) => a - b,
      );
      const wanted: number[] = [];
      for (let i = 0; i < arrays.index.length / 3; i++) {
        const corners = cornersOf(arrays, i);
        const isApart = (['x', 'y', 'z'] as const).some(
          (k) => corners.every((p) => p[k] < box.min[k]) || corners.every((p) => p[k] > box.max[k]),
        );
        if (!isApart) wanted.push(i);
      }
      check(String(found) === String(wanted), () => `${found} instead of ${wanted}`);
      // A walk to what is near visits those, too.
      const seen = new Set<number>();
      visitNear(made, box, { bound: 0, visit: (slot) => seen.add(made.ids[slot]!) });
      check(
        wanted.every((i) => seen.has(i)),
        () => 'a triangle in the box was not visited',
      );
    }
  },
);

property('inside of a closed mesh, in short: as by winding numbers', 200, (rng, n) => {
  const base = [() => icosphere(2), () => torus(20, 10)][n % 2]!();
  const made = mesh(base.positions, base.index);
  const { min, max } = made.bounds;
  for (let round = 0; round < 50; round++) {
    const p = vec3(
      rng.range(min.x - 0.1, max.x + 0.1),
      rng.range(min.y - 0.1, max.y + 0.1),
      rng.range(min.z - 0.1, max.z + 0.1),
    );
    if (round % 3 === 0) {
      const v = 3 * rng.int(0, made.vertices.length / 3 - 1);
      [p.x, p.y, p.z] = [made.vertices[v]!, made.vertices[v + 1]!, made.vertices[v + 2]!];
    }
    check(isInsideClosed(p, made) === isInside(p, made), () => 'isInsideClosed');
    check(isSurroundedByClosed(p, made) === isSurrounded(p, made), () => 'isSurroundedByClosed');
  }
});
