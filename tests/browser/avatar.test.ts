/** The avatar in real Chromium: what the page shows of it is what the library says of the same pose. */
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { avatarData, STRIDE, walkPose } from '../../playground/src/avatar/avatar.ts';
import { alongTheWall } from '../../playground/src/avatar/extreme.ts';
import { type RoomName, roomOf } from '../../playground/src/avatar/rooms.ts';
import { VARIANTS, Variants } from '../../playground/src/avatar/variants.ts';
import { contacts, mesh, skinned } from '../../src/index.ts';
import { Playground } from './page.ts';

const data = avatarData();
const shape = skinned(data);
let playground: Playground;
beforeAll(async () => {
  playground = await Playground.open();
  await playground.scene('avatar');
});
afterAll(async () => {
  await playground.stop();
});

interface Shown {
  readonly state: {
    room: RoomName;
    walked: number;
    contacts: number;
    lit: number;
    drawn: number;
    variant: string;
  };
  readonly values: Record<string, number>;
}

const onPage = async (): Promise<Shown> =>
  (await playground.page.evaluate(() => ({
    state: window.playground.state(),
    values: { ...window.playground.values },
  }))) as unknown as Shown;

const CHOICES = ['Room', 'Way', 'Variant'];
const choose = (what: string, option: string) =>
  playground.page.locator('#panel select').nth(CHOICES.indexOf(what)).selectOption(option);
const setLevel = (level: number) => playground.page.locator('#panel input[type=range]').fill(String(level));

const untilShown = (what: string) =>
  playground.page.waitForFunction((name) => name in window.playground.values, what);

/** How many pixels have a colour of the style sheet, or nearly. */
const pixelsOf = (tone: string): Promise<number> =>
  playground.page.evaluate((name) => {
    const probe = document.createElement('canvas').getContext('2d')!;
    probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    probe.fillRect(0, 0, 1, 1);
    const [r, g, b] = probe.getImageData(0, 0, 1, 1).data as unknown as number[];
    const view = document.querySelector('canvas') as HTMLCanvasElement;
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [view.width, view.height];
    const context = copy.getContext('2d')!;
    context.drawImage(view, 0, 0);
    const { data: all } = context.getImageData(0, 0, copy.width, copy.height);
    let count = 0;
    for (let i = 0; i < all.length; i += 4)
      if (Math.abs(all[i]! - r!) + Math.abs(all[i + 1]! - g!) + Math.abs(all[i + 2]! - b!) < 48) count++;
    return count;
  }, tone);

test('contacts light up on the walk: as many as the library finds in that pose', async () => {
  await playground.page.waitForFunction(
    () => (window.playground.state() as { contacts: number }).contacts > 0,
  );
  const { state, values } = await onPage();
  const room = roomOf(state.room);
  shape.pose(walkPose(state.walked / STRIDE, room.path(state.walked / room.pathLength)));
  const found = contacts(shape, mesh(room.positions, room.index));
  // The sines of the walk are those of the engine, and may differ in the last bits.
  expect(Math.abs(found.length - state.contacts)).toBeLessThanOrEqual(2);
  expect(values['contacts']).toBe(state.contacts);
  expect(state.lit).toBe(2 * Math.min(state.contacts, 400));
  expect(values['vertices']).toBe(44_345);
  expect(values['of them skinned']).toBeLessThan(44_345);
  // It walks on, into something again.
  await expect.poll(() => pixelsOf('hit'), { timeout: 300_000, interval: 20 }).toBeGreaterThan(0);
  await playground.screenshot('avatar-contacts');
  expect(playground.errors).toEqual([]);
});

test('the variants of the paper, switched live: their counters, and their trees level by level', async () => {
  await choose('Room', 'museum');
  await choose('Way', 'along a wall, without touching');
  const room = roomOf('museum');
  const trees = new Variants(shape, room);
  for (const variant of VARIANTS) {
    await choose('Variant', variant);
    await playground.page.waitForFunction(
      (name) =>
        (window.playground.state() as { variant: string }).variant === name &&
        'operations' in window.playground.values,
      variant,
    );
    await playground.frame();
    const { state, values } = await onPage();
    const phase = state.walked / STRIDE;
    shape.pose(walkPose(phase, alongTheWall(data, room, phase)));
    const pairs = trees.collide(variant);
    expect(values['pairs of triangles']).toBe(pairs.length / 2);
    const { counters } = trees;
    for (const [name, count] of [
      ['sphere–sphere tests', counters.sphereTests],
      ['triangle–triangle tests', counters.triangleTests],
      ['plane–sphere tests', counters.planeTests],
      ['operations', counters.operations],
    ] as const)
      expect(Math.abs(values[name]! - count), `${variant}, ${name}`).toBeLessThanOrEqual(0.001 * count);
    if (variant === 'plane–sphere') expect(values['operations']).toBeLessThan(110_000);
  }
  let last = 0;
  for (const level of [1, 3, 6]) {
    await setLevel(level);
    await playground.frame();
    const { state } = await onPage();
    expect(state.drawn).toBeGreaterThan(last);
    last = state.drawn;
    await playground.screenshot(`avatar-level-${level}`);
  }
  expect(playground.errors).toEqual([]);
});

const model = new URL('../../../shared/data/characters/CesiumMan.glb', import.meta.url);

test('what is dropped and cannot be read is named', async () => {
  await drop('broken.vrm', Buffer.from('nothing of the kind').toString('base64'));
  await playground.page.waitForFunction(() =>
    (document.querySelector('#panel')?.textContent ?? '').includes('broken.vrm'),
  );
  // And stays, though the avatar walks on.
  await playground.frame();
  expect(await playground.page.textContent('#panel')).toContain('broken.vrm');
});

test.skipIf(!existsSync(model)).each(['CesiumMan.glb', 'CesiumMan.vrm'])(
  'a rigged model walks: %s',
  async (name) => {
    await choose('Room', 'living room');
    await choose('Way', 'around the room');
    await drop(name, readFileSync(model).toString('base64'));
    await untilShown('triangles');
    const { values } = await onPage();
    expect(values['triangles']).toBe(4672);
    await setLevel(4);
    await playground.frame();
    await playground.screenshot(`avatar-${name.replace('.', '-')}`);
    expect(playground.errors).toEqual([]);
  },
);

const drop = (name: string, base64: string) =>
  playground.page.evaluate(
    ([file, content]) => {
      const bytes = Uint8Array.from(atob(content!), (c) => c.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], file!));
      document.getElementById('view')!.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer }));
    },
    [name, base64],
  );
