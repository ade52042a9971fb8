/** What is collected near a character: the planes of its triangles, and the box that the world is searched in. */
import { expect, test } from 'vitest';
import { addTo, makeLevel } from '../../tests/kit/characters.ts';
import * as exact from '../../tests/kit/exact.ts';
import { check, property } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { pose } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import { box } from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { Character } from './index.ts';
import { Nearby } from './nearby.ts';

/** Everything within a large box. */
function makeNearby(): Nearby {
  const nearby = new Nearby();
  Object.assign(nearby, { x0: -99, y0: -99, z0: -99, x1: 99, y1: 99, z1: 99 });
  Object.assign(nearby.frame.position, { x: 0, y: 0, z: 0 });
  Object.assign(nearby.frame.quaternion, { x: 0, y: 0, z: 0, w: 1 });
  nearby.swept.load('test', { radius: 1, halfHeight: 1 });
  nearby.clear();
  return nearby;
}

property('the plane of a triangle is that of its corners, of needles too', 2000, (rng) => {
  const a = rng.vec(3);
  const u = rng.vec(2);
  const lean = 10 ** rng.range(-12, 0);
  const w = v3.addScaled(v3.scale(u, rng.range(0.2, 2)), rng.direction(), lean);
  // On a fine grid, so that the edges are exact: what is left is the rounding of their product.
  const snap = (v: number): number => Math.round(v * 2 ** 40) / 2 ** 40;
  const [p, q, r] = [a, v3.add(a, u), v3.add(a, w)].map(({ x, y, z }) => ({
    x: snap(x),
    y: snap(y),
    z: snap(z),
  })) as [Vec3, Vec3, Vec3];
  const edge = (to: Vec3) => exact.vsub(exact.qv(to), exact.qv(p));
  const normal = exact.vcross(edge(q), edge(r));
  if (exact.vzero(normal)) return;
  const truth = v3.normalize(exact.vnumber(normal));
  const nearby = makeNearby();
  nearby.collect(mesh([p.x, p.y, p.z, q.x, q.y, q.z, r.x, r.y, r.z]), pose(), 7);
  check(nearby.count === 1 && nearby.ids[0] === 7 && nearby.triangles[0] === 0, 'is not there');
  const [x = 0, y = 0, z = 0, d = 0] = nearby.planes;
  check(v3.distance({ x, y, z }, truth) < 1e-11, () => `off by ${v3.distance({ x, y, z }, truth)}, ${lean}`);
  check(Math.abs(v3.dot(p, truth) - d) < 1e-10, 'the plane is not at its corner');
});

property('whichever way is up, the world is searched where the character gets', 300, (rng) => {
  const level = makeLevel();
  addTo(level, box(1, 1, 1), rng.vec(4), rng.rotation());
  const boxes: { min: Vec3; max: Vec3 }[] = [];
  const world = {
    searchBox: ({ min, max }: ReadonlyAabb, visit: (id: number) => unknown) => {
      boxes.push({ min: { ...min }, max: { ...max } });
      level.list.searchBox({ min, max }, visit);
    },
    get: (id: number) => level.list.get(id),
  };
  const [radius, halfHeight] = [rng.range(0.2, 0.6), rng.range(0, 1)];
  const up = rng.direction();
  const start = rng.vec(6);
  const hero = new Character(world, { radius, halfHeight, up, position: start });
  Object.assign(hero.velocity, rng.vec(8));
  hero.moveAndSlide(0.5);
  if (hero.collisions.length > 0 || hero.recovered > 0) return;
  for (const at of [start, hero.position])
    for (const s of [-1, 1])
      for (const k of ['x', 'y', 'z'] as const) {
        const middle = at[k] + s * halfHeight * up[k];
        const [low, high] = [middle - 1.009 * radius, middle + 1.009 * radius];
        const seen = boxes.some(({ min, max }) => min[k] <= low && max[k] >= high);
        check(seen, () => `${k} from ${low} to ${high} is not in ${JSON.stringify(boxes)}`);
      }
});

test('what is inside of several solids gets out of the deepest; children of compounds count, too', () => {
  const nearby = makeNearby();
  Object.assign(nearby.center, { x: 0.5, y: 0, z: 0 });
  nearby.collect(box(1, 2, 2), pose(), 0);
  expect(nearby.exit).toEqual({ depth: 0.5, x: 1, y: 0, z: 0 });
  nearby.collect(box(9, 9, 0.8), pose(), 1);
  expect(nearby.exit.depth).toBeCloseTo(0.8, 12);
  expect(Math.abs(nearby.exit.z)).toBe(1);
  nearby.collect(box(9, 0.1, 9), pose(), 2);
  expect(nearby.exit.depth).toBeCloseTo(0.8, 12);
  nearby.clear();
  expect(nearby.exit.depth).toBe(0);
});
