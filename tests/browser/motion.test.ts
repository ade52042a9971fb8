/** The moving scenes in real Chromium: they run, and what they show stays in one piece. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Playground } from './page.ts';

type Place = { position: { x: number; y: number; z: number } };

let playground: Playground;
beforeAll(async () => {
  playground = await Playground.open();
});
afterAll(async () => {
  await playground.stop();
});

const state = <T>(): Promise<T> => playground.page.evaluate(() => window.playground.state()) as Promise<T>;

test('the brick wall stands until it is shot at', async () => {
  await playground.scene('bricks');
  await playground.page.waitForFunction(() => (window.playground.state()['steps'] as number) > 5);
  const before = await state<{ bodies: Place[] }>();
  expect(before.bodies).toHaveLength(64);
  for (const { position } of before.bodies.slice(1)) expect(Math.abs(position.z)).toBeLessThan(1e-6);
  await playground.page.locator('#panel button', { hasText: 'Shoot' }).dispatchEvent('click');
  await playground.page.waitForFunction(
    () =>
      (window.playground.state()['bodies'] as Place[]).filter(({ position }) => position.z < -0.3).length > 2,
  );
  const after = await state<{ bodies: Place[] }>();
  expect(after.bodies).toHaveLength(65);
  for (const { position } of after.bodies) expect(position.y).toBeGreaterThan(-0.51);
  await playground.page.screenshot({ path: '.cache/screenshots/bricks.png' });
  expect(playground.errors).toEqual([]);
});

test('the box walks through the level by the keys, and by itself', async () => {
  await playground.scene('walk');
  await playground.page.keyboard.down('a');
  await playground.page.waitForFunction(
    () => (window.playground.state() as unknown as Place).position.x < 0.41,
  );
  // The wall ends at 0.1, and the box is 0.6 wide.
  expect((await state<Place>()).position.x).toBeGreaterThan(0.4);
  await playground.page.keyboard.up('a');
  await playground.page.waitForFunction(
    () => (window.playground.state() as unknown as Place).position.x > 0.6,
  );
  expect(playground.errors).toEqual([]);
});

test('the character stands, runs and jumps', async () => {
  await playground.scene('character');
  const settled = () => window.playground.state()['onFloor'] === true;
  await playground.page.waitForFunction(settled);
  const start = await state<Place>();
  await playground.page.keyboard.down('KeyW');
  await playground.page.waitForFunction(
    (z) => (window.playground.state() as unknown as Place).position.z < z - 1,
    start.position.z,
  );
  await playground.page.keyboard.up('KeyW');
  const ran = await state<Place>();
  expect(ran.position.y).toBeCloseTo(start.position.y, 6);
  await playground.page.keyboard.down('Space');
  await playground.page.waitForFunction(
    (y) => (window.playground.state() as unknown as Place).position.y > y + 0.5,
    start.position.y,
  );
  await playground.page.keyboard.up('Space');
  await playground.page.waitForFunction(settled);
  await playground.page.screenshot({ path: '.cache/screenshots/character.png' });
  expect(playground.errors).toEqual([]);
});

test('the first-person example: a character walks in it, and so does the Octree of three.js if it is chosen', async () => {
  await playground.scene('games-fps');
  await playground.page.waitForFunction(() => window.playground.state()['isReady'] === true);
  await playground.page.waitForFunction(() => window.playground.state()['onFloor'] === true);
  const start = await state<Place>();
  await playground.page.keyboard.down('KeyW');
  await playground.page.waitForFunction(({ x, z }) => {
    const { position: p } = window.playground.state() as unknown as Place;
    return Math.hypot(p.x - x, p.z - z) > 1;
  }, start.position);
  await playground.page.keyboard.up('KeyW');
  await playground.page.screenshot({ path: '.cache/screenshots/games-fps.png' });
  // The other body goes on from there.
  const { position: from } = await state<Place>();
  await playground.page.selectOption('#panel select', 'Octree of three.js');
  await playground.page.waitForFunction(() => window.playground.state()['onFloor'] === true);
  const { position: to } = await state<Place>();
  expect(Math.hypot(to.x - from.x, to.z - from.z)).toBeLessThan(2);
  expect(playground.errors).toEqual([]);
});

test('the cloth whose motion is tested passes through nothing; the one looked at between steps does', async () => {
  await playground.scene('cloth');
  await playground.page.waitForFunction(() => (window.playground.state()['steps'] as number) > 25);
  const { passed } = await state<{ passed: [number, number] }>();
  expect(passed[0]).toBe(0);
  expect(passed[1]).toBeGreaterThan(50);
  await playground.page.screenshot({ path: '.cache/screenshots/cloth.png' });
  expect(playground.errors).toEqual([]);
});

test('a hundred bullets do as they are aimed; the picture goes on', async () => {
  await playground.scene('bullets');
  const { through, hit, wrong, time } = await state<Record<string, number>>();
  expect(wrong).toBe(0);
  expect(through! + hit!).toBe(100);
  expect(through).toBeGreaterThan(3);
  await playground.page.waitForFunction(
    (start) => (window.playground.state()['time'] as number) > start + 0.004,
    time!,
  );
  await playground.page.screenshot({ path: '.cache/screenshots/bullets.png' });
  await playground.page.locator('#panel button', { hasText: 'Fire again' }).dispatchEvent('click');
  expect((await state<Record<string, number>>())['wrong']).toBe(0);
  expect(playground.errors).toEqual([]);
});

test('a level set is baked by a worker, with progress; it can be cancelled; a ball rolls on it and never sinks in', async () => {
  await playground.scene('level-set');
  const cancel = playground.page.locator('#panel button', { hasText: 'Cancel' });
  await playground.page.waitForFunction(() => (window.playground.state()['baked'] as number) > 0.05);
  await cancel.dispatchEvent('click');
  await playground.page.waitForFunction(() => (window.playground.state()['fault'] as string) !== '');
  const given = await state<{ fault: string; isReady: boolean }>();
  expect(given).toMatchObject({ fault: 'graze: LevelSetWorkers: closed', isReady: false });
  await playground.page.locator('#panel button', { hasText: 'Bake again' }).dispatchEvent('click');
  await playground.page.waitForFunction(() => window.playground.state()['isReady'] === true);
  await playground.page.waitForFunction(() => (window.playground.state()['rolled'] as number) > 0.4);
  await playground.page.screenshot({ path: '.cache/screenshots/level-set.png' });
  const { least } = await state<{ least: number }>();
  expect(least).toBeGreaterThan(0);
  expect(least).toBeLessThan(0.01);
  expect(playground.errors).toEqual([]);
});
