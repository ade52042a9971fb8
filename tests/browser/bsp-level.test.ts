/** The level in real Chromium: what the page shows of it is what the library says. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { roomsLevel } from '../../playground/src/rooms-level.ts';
import { buildBrushBsp, leavesInViewBsp, portalsBsp, rayBsp, sweepAabbBsp } from '../../src/bsp/index.ts';
import { type Vec3, vec3 } from '../../src/math/index.ts';
import * as v3 from '../../src/math/vec3.ts';
import { Playground } from './page.ts';

let playground: Playground;
beforeAll(async () => {
  playground = await Playground.open();
  await playground.scene('bsp-level');
});
afterAll(async () => {
  await playground.stop();
});

const onPage = async () =>
  (await playground.page.evaluate(() => ({
    state: window.playground.state(),
    values: { ...window.playground.values },
  }))) as unknown as { state: { eye: Vec3; goal: Vec3 }; values: Record<string, unknown> };

test('leaves in view, the box and the ray', async () => {
  await playground.screenshot('bsp-level');
  await playground.page.selectOption('#panel select', 'all around');
  await playground.frame();
  const { state, values } = await onPage();
  const bsp = buildBrushBsp(roomsLevel());
  const portals = portalsBsp(bsp);
  const { eye, goal } = state;
  const motion = v3.sub(goal, eye);
  const half = vec3(0.12, 0.12, 0.12);
  expect(values['leaves']).toBe(bsp.leafCount);
  expect(values['portals']).toBe(portals.length);
  const seen = leavesInViewBsp(eye, bsp, portals);
  expect(values['in view']).toBe(seen.length);
  // Not all rooms are seen from one.
  expect(seen.length).toBeLessThan(bsp.leafKinds.filter((kind) => kind === 0).length / 2);
  const hit = sweepAabbBsp({ min: v3.sub(eye, half), max: v3.add(eye, half) }, motion, bsp);
  expect(values['box stops at']).toBe(hit?.t ?? null);
  expect(values['ray hits at']).toBe(rayBsp({ origin: eye, direction: motion }, bsp)?.t ?? null);
  expect(await playground.colours()).toBeGreaterThan(50);
  await playground.screenshot('bsp-level-all-around');
});

test('a map that is dropped is explored; one that is none is named', async () => {
  const drop = (name: string, text: string) =>
    playground.page.evaluate(
      ([file, content]) => {
        const data = new DataTransfer();
        data.items.add(new File([content!], file!));
        document.getElementById('view')!.dispatchEvent(new DragEvent('drop', { dataTransfer: data }));
      },
      [name, text],
    );
  const plane = (a: string, b: string, c: string) => `( ${a} ) ( ${c} ) ( ${b} ) wall 0 0 0 1 1`;
  // A tetrahedron: points of a face are clockwise seen from outside.
  const map = ['{', '"classname" "worldspawn"', '{']
    .concat(
      plane('0 0 0', '64 0 0', '0 0 64'),
      plane('0 0 0', '0 64 0', '64 0 0'),
      plane('0 0 0', '0 0 64', '0 64 0'),
      plane('64 0 0', '0 64 0', '0 0 64'),
      '}',
      '}',
    )
    .join('\n');
  await drop('one.map', map);
  await playground.page.waitForFunction(() => (window.playground.values['leaves'] as number) < 20);
  expect((await onPage()).values['portals']).toBeGreaterThan(3);
  await drop('none.map', 'not a map');
  await playground.page.waitForFunction(() =>
    (document.querySelector('#panel')?.textContent ?? '').includes('none.map cannot be read'),
  );
  expect(playground.errors).toEqual([]);
});
