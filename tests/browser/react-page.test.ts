/** The page for react-three-fiber in real Chromium: does it draw, pick, and walk? */
import { PerspectiveCamera, Vector3 } from 'three';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CAMERA, CRATES, HERO } from '../../playground/src/react-room.ts';
import { Playground } from './page.ts';

let playground: Playground;
beforeAll(async () => {
  playground = await Playground.open();
  await playground.load('react.html');
  await playground.page.waitForSelector('canvas');
});
afterAll(async () => {
  await playground.stop();
});

const fact = async (name: string): Promise<string> =>
  (await playground.page.locator(`dd[data-name="${name}"]`).textContent())!;
const untilFact = (name: string, pattern: RegExp): Promise<unknown> =>
  playground.page.waitForFunction(
    ([key, source]) =>
      new RegExp(source!).test(document.querySelector(`dd[data-name="${key}"]`)?.textContent ?? ''),
    [name, pattern.source],
  );
const feet = async (): Promise<number[]> => (await fact('feet')).split(', ').map(Number);

/** Where a point is on the screen, by a camera of the test. */
async function onScreen(at: readonly [number, number, number]): Promise<[number, number]> {
  const { x, y, width, height } = (await playground.page.locator('canvas').boundingBox())!;
  const camera = new PerspectiveCamera(CAMERA.fov, width / height);
  camera.position.set(...CAMERA.position);
  camera.lookAt(0, 0, 0);
  camera.updateMatrixWorld();
  const p = new Vector3(...at).project(camera);
  return [x + ((p.x + 1) / 2) * width, y + ((1 - p.y) / 2) * height];
}

test('the character falls, stands on the floor, and keeps the gap to it', async () => {
  await untilFact('stands', /on the floor/);
  const [x, y, z] = await feet();
  expect([x, z]).toEqual([HERO.at[0], HERO.at[2]]);
  expect(y).toBeGreaterThanOrEqual(0);
  expect(y).toBeLessThanOrEqual(0.02);
  expect(await playground.colours()).toBeGreaterThan(50);
});

test('picking: every crate is hit, by pointer events and by the world, at the same distance', async () => {
  for (const { name, at, size } of CRATES) {
    const place = await onScreen(at);
    await playground.page.mouse.move(...place);
    await untilFact('pointer event', new RegExp(`^${name},`));
    const hit = await fact('pointer event');
    expect(await fact('world.raycast')).toBe(hit);
    const distance = Number(hit.split(',')[1]);
    const toCentre = new Vector3(...at).distanceTo(new Vector3(...CAMERA.position));
    // The ray goes through the centre of the cube: its surface is half an edge to half a diagonal away.
    expect(toCentre - distance).toBeGreaterThan(0.45 * size[0]);
    expect(toCentre - distance).toBeLessThan(0.92 * size[0]);
  }
  await playground.frame();
  await playground.screenshot('react');
});

test('keys: it walks to the left until the wall stops it', async () => {
  await playground.page.keyboard.down('ArrowLeft');
  await untilFact('feet', /^-5\.6/);
  await playground.frame();
  await playground.page.keyboard.up('ArrowLeft');
  const [x, y] = await feet();
  expect(x).toBeGreaterThanOrEqual(-6 + HERO.radius);
  expect(x).toBeLessThan(-6 + HERO.radius + 0.05);
  expect(y).toBeLessThanOrEqual(0.02);
  expect(await fact('stands')).toBe('on the floor');
});

test('events: the cart goes into the gate and out of it', async () => {
  await untilFact('gate', /the cart/);
  await untilFact('gate', /empty/);
});

test('no errors on the console', () => {
  expect(playground.errors).toEqual([]);
});
