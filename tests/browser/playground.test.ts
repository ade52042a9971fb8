/** The playground in real Chromium: does it draw, and are the numbers on the page the library's? */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Geometry } from '../../playground/src/geometries.ts';
import { CLOSEST, OVERLAP, rayHit, sweepHit } from '../../playground/src/queries.ts';
import { Playground } from './page.ts';

type V = { x: number; y: number; z: number };

let playground: Playground;
beforeAll(async () => {
  playground = await Playground.open();
});
afterAll(async () => {
  await playground.stop();
});

/** The inputs on the page, and the numbers it shows, at full precision and as text. */
async function onPage<T>(): Promise<{
  state: T;
  values: Record<string, unknown>;
  text: Record<string, string>;
}> {
  return (await playground.page.evaluate(() => ({
    state: window.playground.state(),
    values: { ...window.playground.values },
    text: Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('dd')].map((dd) => [
        dd.dataset['name'] ?? '',
        dd.textContent ?? '',
      ]),
    ),
  }))) as never;
}

async function drag(from: [number, number], to: [number, number]): Promise<void> {
  const { mouse } = playground.page;
  await mouse.move(...from);
  await mouse.down();
  await mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
  await mouse.move(...to, { steps: 3 });
  await mouse.up();
  await playground.frame();
}

/** Where a world point is on the screen. */
const onScreen = (p: V): Promise<[number, number]> =>
  playground.page.evaluate((point) => window.playground.project(point), p);

describe('closest points', () => {
  beforeAll(() => playground.scene('closest'));

  for (const pair of CLOSEST)
    test(`${pair.first} – ${pair.second}: the page shows what the library says`, async () => {
      await playground.page.selectOption('#panel select', `${pair.first} – ${pair.second}`);
      await playground.frame();
      const { state, values, text } = await onPage<{ a: Geometry; b: Geometry }>();
      const expected = pair.ask(state.a, state.b);
      expect(values['distance']).toBe(Math.sqrt(expected.distanceSq));
      expect(values['on the first']).toEqual(expected.a);
      expect(values['on the second']).toEqual(expected.b);
      expect(Number(text['distance'])).toBeCloseTo(Math.sqrt(expected.distanceSq), 3);
      expect(await playground.colours()).toBeGreaterThan(50);
    });

  test('dragging the point changes the distance', async () => {
    await playground.scene('closest');
    const before = await onPage<{ a: Geometry & { p: V } }>();
    const from = await onScreen(before.state.a.p);
    await drag(from, [from[0] - 150, from[1] - 60]);
    const after = await onPage<{ a: Geometry & { p: V }; b: Geometry }>();
    expect(after.state.a.p).not.toEqual(before.state.a.p);
    expect(after.values['distance']).not.toBe(before.values['distance']);
    expect(after.values['distance']).toBe(
      Math.sqrt(CLOSEST[0]!.ask(after.state.a, after.state.b).distanceSq),
    );
    await playground.screenshot('closest');
  });
});

describe('overlap', () => {
  beforeAll(() => playground.scene('overlap'));

  for (const pair of OVERLAP)
    test(`${pair.first} – ${pair.second}`, async () => {
      await playground.page.selectOption('#panel select', `${pair.first} – ${pair.second}`);
      await playground.frame();
      const { state, values } = await onPage<{ a: Geometry; b: Geometry }>();
      expect(values['overlap']).toBe(pair.ask(state.a, state.b));
      expect(await playground.colours()).toBeGreaterThan(50);
    });

  test('dragging one onto the other makes them overlap', async () => {
    await playground.scene('overlap');
    await playground.page.selectOption('#panel select', 'sphere – sphere');
    const { state, values } = await onPage<{ a: { sphere: { center: V } }; b: { sphere: { center: V } } }>();
    expect(values['overlap']).toBe(false);
    await drag(await onScreen(state.a.sphere.center), await onScreen(state.b.sphere.center));
    const after = await onPage();
    expect(after.values['overlap']).toBe(true);
    expect(after.text['overlap']).toBe('yes');
    await playground.screenshot('overlap');
  });
});

test('rays: the number of hits and the middle ray agree with the library', async () => {
  await playground.scene('rays');
  const { state, values } = await onPage<{ rays: { origin: V; direction: V }[]; targets: Geometry[] }>();
  const nearest = state.rays.map((ray) =>
    state.targets.reduce<number | null>((best, target) => {
      const hit = rayHit(ray, target);
      return hit && (best === null || hit.t < best) ? hit.t : best;
    }, null),
  );
  expect(values['hits']).toBe(nearest.filter((t) => t !== null).length);
  expect(values['hits']).toBeGreaterThan(5);
  expect(values['middle ray t']).toBe(nearest[(nearest.length - 1) / 2]);
  expect(await playground.colours()).toBeGreaterThan(50);
  await playground.screenshot('rays');
});

test('moving sphere: the contact agrees with the library for every target', async () => {
  await playground.scene('sweep');
  for (const kind of ['triangle', 'box', 'oriented box', 'sphere', 'plane']) {
    await playground.page.selectOption('#panel select', kind);
    await playground.frame();
    const { state, values } = await onPage<{
      sphere: { center: V; radius: number };
      motion: V;
      target: Geometry;
    }>();
    const hit = sweepHit(state.sphere, state.motion, state.target);
    expect(values['hit']).toBe(hit !== null);
    expect(values['fraction']).toBe(hit?.t ?? null);
    expect(values['point']).toEqual(hit?.point ?? null);
  }
  await playground.page.selectOption('#panel select', 'oriented box');
  await playground.frame();
  await playground.screenshot('sweep');
});

test('dark and light', async () => {
  await playground.scene('closest');
  const background = () => playground.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await playground.page.click('#theme');
  expect(await background()).not.toBe(dark);
  await playground.frame();
  await playground.screenshot('light');
  await playground.page.click('#theme');
  expect(await background()).toBe(dark);
});

test('on a phone everything fits and nothing scrolls sideways', async () => {
  const phone = await Playground.open({
    viewport: { width: 390, height: 800 },
    hasTouch: true,
    isMobile: true,
  });
  try {
    await phone.scene('overlap');
    const { width, canvas } = await phone.page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      canvas: document.querySelector('canvas')?.clientWidth ?? 0,
    }));
    expect(width).toBeLessThanOrEqual(390);
    expect(canvas).toBeGreaterThan(300);
    expect(await phone.colours()).toBeGreaterThan(50);
    await phone.screenshot('phone');
    expect(phone.errors).toEqual([]);
  } finally {
    await phone.stop();
  }
});

test('volumes: every fit is drawn around all of its points and never smaller than their hull', async () => {
  await playground.scene('volumes');
  for (const fit of await playground.page
    .locator('#panel select')
    .first()
    .locator('option')
    .allTextContents()) {
    await playground.page.locator('#panel select').first().selectOption(fit);
    await playground.frame();
    const { values } = await onPage();
    // Round shapes are drawn, and measured, by a hull of points on them: a little less than they are.
    expect(values['volume / hull'], fit).toBeGreaterThan(0.99);
    expect(values['volume / hull'], fit).toBeLessThan(100);
    expect(await playground.colours()).toBeGreaterThan(50);
  }
  await playground.page.locator('#panel select').first().selectOption('lozenge');
  await playground.frame();
  await playground.screenshot('volumes');
});

test('exact signs: the library is never wrong, the formula is', async () => {
  await playground.scene('exact');
  const { values } = await onPage();
  expect(values['wrong by orient2d']).toBe(0);
  expect(values['wrong by the formula']).toBeGreaterThan(100);
  await playground.screenshot('exact');
});

test('the page reported no error', () => {
  expect(playground.errors).toEqual([]);
});
