/** The world scene in real Chromium: it moves, and what it shows is what asking every shape gives. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pose, Vec3 } from '../../src/math/types.ts';
import { distance, intersects, raycast } from '../../src/query/index.ts';
import { box, capsule, collider, point, sphere } from '../../src/shapes/index.ts';
import { Playground } from './page.ts';

let playground: Playground;
beforeAll(async () => {
  playground = await Playground.open();
});
afterAll(async () => {
  await playground.stop();
});

interface State {
  bodies: { id: number; kind: number; pose: Pose }[];
  touching: [number, number][];
  rays: { origin: Vec3; direction: Vec3 }[];
  asker: Vec3;
  frames: number;
}

test('pairs, rays and the nearest shape are those of a test of all', async () => {
  await playground.scene('world');
  await playground.page.waitForFunction(() => (window.playground.state()['frames'] as number) > 10);
  await playground.page.locator('#panel button', { hasText: 'Stop' }).dispatchEvent('click');
  await playground.frame();
  const { state, values } = (await playground.page.evaluate(() => ({
    state: window.playground.state(),
    values: { ...window.playground.values },
  }))) as unknown as { state: State; values: Record<string, number> };
  expect(state.bodies).toHaveLength(300);
  const shapes = [sphere(0.14), box(0.16, 0.1, 0.12), capsule(0.12, 0.08)];
  const all = state.bodies.map(({ id, kind, pose }) => ({ id, ...collider(shapes[kind]!, pose) }));
  const touching = all.flatMap((a, i) =>
    all
      .slice(i + 1)
      .filter((b) => intersects(a, b))
      .map((b) => [a.id, b.id]),
  );
  expect(state.touching).toEqual(touching);
  expect(touching.length).toBeGreaterThan(5);
  expect(values['pairs that touch']).toBe(touching.length);
  expect(values['pairs looked at']).toBeLessThan(values['of']! / 10);
  expect(values['began to touch']! - values['ceased to']!).toBe(touching.length);
  const hits = state.rays.filter((ray) =>
    all.some((body) => raycast(ray, body, { mode: 'any', maxDistance: 8 })),
  );
  expect(values['rays that hit']).toBe(hits.length);
  const at = collider(point(), { position: state.asker, quaternion: { x: 0, y: 0, z: 0, w: 1 } });
  const gaps = all.map((body) => distance(at, body)!.separation);
  expect(values['its distance']).toBe(Math.min(...gaps));
  expect(values['nearest shape']).toBe(all[gaps.indexOf(Math.min(...gaps))]!.id);
  expect(await playground.colours()).toBeGreaterThan(50);
  await playground.screenshot('world');
  expect(playground.errors).toEqual([]);
});
