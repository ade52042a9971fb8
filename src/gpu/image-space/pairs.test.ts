/** Two solids, by pixels, against the exact answers of the library. */
import { describe, expect, test } from 'vitest';
import {
  type DrawnBody,
  type HullBody,
  hullBody,
  pointsOf,
  poseAt,
  randomHull,
  randomSolid,
  shrunk,
  solidBody,
} from '../../../tests/kit/image-bodies.ts';
import { asyncProperty, check, Rng } from '../../../tests/kit/index.ts';
import { boxMesh, icosphere, inverted, together, torus } from '../../../tests/kit/meshes.ts';
import { distance, intersects, vec3 } from '../../index.ts';
import { intersectsConvexImage } from './convex-pair.ts';
import { rasterModel } from './raster-model.ts';
import type { Rasterizer } from './rasterizer.ts';
import { SoftwareRasterizer } from './software-rasterizer.ts';
import { intersectsSolidImage } from './solid-pair.ts';

const raster = new SoftwareRasterizer({ size: 64 });

/** Two hulls about as far apart as they are large: apart, touching, deep in each other or one inside of the other. */
function pair(rng: Rng, far = vec3()): [HullBody, HullBody] {
  const at = rng.direction();
  const gap = rng.range(0, 2.4);
  const place = vec3(far.x + gap * at.x, far.y + gap * at.y, far.z + gap * at.z);
  return [randomHull(rng, poseAt(far, rng.rotation())), randomHull(rng, poseAt(place, rng.rotation()))];
}

const apart = (a: DrawnBody, b: DrawnBody): number => distance(a.exact, b.exact)!.separation;

/** Corners are moved by up to half a step of the grid, 1/256 of a pixel, and depths are rounded: nothing else makes a hit of a gap. */
const GAP = 0.02;

describe('[R10.2] convex pairs', () => {
  let hits = 0;
  let misses = 0;
  asyncProperty(
    'no miss against GJK beyond a pixel, no hit across a gap, and the same in both orders',
    8000,
    async (rng) => {
      const [a, b] = pair(rng);
      const found = await intersectsConvexImage(raster, a, b);
      const back = await intersectsConvexImage(raster, b, a);
      check(found.intersects === back.intersects && found.pixel === back.pixel, 'depends on the order');
      const exact = intersects(a.exact, b.exact);
      if (found.certainty === 'certain') {
        check(!found.intersects && !exact, 'certain, and wrong');
        return;
      }
      if (exact) hits++;
      if (exact !== found.intersects) misses++;
      if (found.intersects)
        check(apart(a, b) <= GAP * found.pixel, () => `a hit at ${apart(a, b) / found.pixel} pixels`);
      else {
        const inner = [shrunk(a, 0.75 * found.pixel), shrunk(b, 0.75 * found.pixel)];
        check(
          !inner[0] || !inner[1] || !intersects(inner[0], inner[1]),
          'what they share holds a ball as wide as a pixel',
        );
      }
    },
  );
  test('enough of them meet, and most are answered as exactly', () => {
    expect(hits).toBeGreaterThan(500);
    expect(misses).toBeLessThan(0.1 * hits);
  });

  test('[T2] without the second clearing of depth, gaps become hits', async () => {
    const wrong = { cleared: 0, leftOver: 0 };
    for (let i = 0; i < 500; i++) {
      const [a, b] = pair(new Rng(i));
      if (apart(a, b) < 0.1) continue;
      if ((await intersectsConvexImage(raster, a, b)).intersects) wrong.cleared++;
      if ((await intersectsConvexImage(forgetful(), a, b)).intersects) wrong.leftOver++;
    }
    expect(wrong.cleared).toBe(0);
    expect(wrong.leftOver).toBeGreaterThan(5);
  });

  test('one inside of the other, identical ones, and flat ones', async () => {
    const big = hullBody(pointsOf(boxMesh()), poseAt(vec3()))!;
    const small = hullBody(
      pointsOf(icosphere(1)).map(({ x, y, z }) => vec3(x / 9, y / 9, z / 9)),
      poseAt(vec3(0.4, 0.3, 0.2)),
    )!;
    expect((await intersectsConvexImage(raster, big, small)).intersects).toBe(true);
    expect((await intersectsConvexImage(raster, big, big)).intersects).toBe(true);
    const card = { model: rasterModel(together(FLAT, inverted(FLAT))) };
    expect((await intersectsConvexImage(raster, card, big)).intersects).toBe(true);
    expect(
      (await intersectsConvexImage(raster, { ...card, pose: poseAt(vec3(0, 0, 1.3)) }, big)).intersects,
    ).toBe(false);
  });

  asyncProperty('of solids that are not convex, `false` is right beyond a pixel', 400, async (rng) => {
    const [a, b] = [
      solidBody(torus(16, 8), poseAt(vec3(), rng.rotation())),
      solidBody(randomSolid(rng), poseAt(rng.vec(1.6), rng.rotation())),
    ];
    const { intersects: hit, pixel } = await intersectsConvexImage(raster, a, b);
    if (hit || !intersects(a.exact, b.exact)) return;
    // A pixel about each of them: all that they share is thinner.
    const big = new SoftwareRasterizer({ size: 512 });
    const again = await intersectsConvexImage(big, a, b);
    check(!again.intersects || again.pixel < pixel / 4, 'the pixel is what it was about');
    check(await isThin(a, b, pixel), 'what they share is wider than a pixel');
  });
});

const FLAT = {
  positions: Float64Array.from([-1, -1, 0, 1, -1, 0, 0, 1, 0]),
  index: Uint32Array.from([0, 1, 2]),
};
const TURNED = { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };

/** Moved apart by a pixel or two in some direction they no longer meet. */
async function isThin(a: DrawnBody, b: DrawnBody, pixel: number): Promise<boolean> {
  for (const d of [vec3(1), vec3(-1), vec3(0, 1), vec3(0, -1), vec3(0, 0, 1), vec3(0, 0, -1)]) {
    const { x, y, z } = b.pose.position;
    const r = 2 * pixel;
    const moved = solidBody(
      b.triangles,
      poseAt(vec3(x + r * d.x, y + r * d.y, z + r * d.z), b.pose.quaternion),
    );
    if (!intersects(a.exact, moved.exact)) return true;
  }
  return false;
}

/** Clears depth only before the first of two passes. */
function forgetful(): Rasterizer {
  const made = new SoftwareRasterizer({ size: 64 });
  const { clear } = made;
  let calls = 0;
  made.clear = (what) => {
    if (calls++ % 2 === 0) clear.call(made, what);
  };
  return made;
}

describe('[R10.0] what pixels can tell', () => {
  test('what is wrong becomes less as there are more pixels', async () => {
    const sizes = [16, 32, 64, 128, 256];
    const wrong = sizes.map(() => 0);
    let asked = 0;
    for (let i = 0; i < 400; i++) {
      const [a, b] = pair(new Rng(i));
      const gap = apart(a, b);
      // Those that are close: about a touch.
      if (Math.abs(gap) > 0.15) continue;
      asked++;
      for (const [k, size] of sizes.entries()) {
        const { intersects: hit } = await intersectsConvexImage(new SoftwareRasterizer({ size }), a, b);
        if (hit !== gap <= 0) wrong[k]!++;
      }
    }
    expect(asked).toBeGreaterThan(50);
    expect(wrong[0]).toBeGreaterThan(0);
    for (let k = 1; k < sizes.length; k++) expect(wrong[k]!).toBeLessThanOrEqual(wrong[k - 1]!);
    expect(wrong.at(-1)).toBeLessThan(0.5 * wrong[0]!);
  });

  test('answers say what they are, and how large a pixel is', async () => {
    const a = solidBody(boxMesh(), poseAt(vec3()));
    const near = solidBody(boxMesh(), poseAt(vec3(1.5, 0, 0)));
    const far = solidBody(boxMesh(), poseAt(vec3(2.5, 0, 0)));
    for (const ask of [intersectsConvexImage, intersectsSolidImage]) {
      expect(await ask(raster, a, far)).toEqual({ intersects: false, certainty: 'certain', pixel: 0 });
      const found = await ask(raster, a, near);
      expect(found).toMatchObject({ intersects: true, certainty: 'approximate' });
      expect(found.pixel).toBeGreaterThan(0.5 / 64);
    }
    // What they share is 0.5 by 2 by 2: the window is 2 wide, and nearly all pixels are used.
    const { pixel } = await intersectsConvexImage(raster, a, near);
    expect(pixel).toBeGreaterThan(2 / 64);
    expect(pixel).toBeLessThan(2 / 60);
  });

  asyncProperty('nothing is clipped, at any side', 500, async (rng) => {
    const [a, b] = pair(rng, rng.pick([vec3(), vec3(1e6, -1e6, 1e6)]));
    for (const views of [
      [{ direction: rng.direction(), perspective: true }],
      [{ direction: rng.direction() }],
    ]) {
      const spy = new Spy();
      const found = await intersectsSolidImage(spy, a, b, { views });
      if (found.certainty === 'certain') continue;
      check(spy.corners > 0, 'nothing is drawn');
      check(spy.least > -1 && spy.most < 1, () => `clip coordinates from ${spy.least} to ${spy.most}`);
    }
  });

  test('far away and huge or tiny, the answers are those at home', async () => {
    let hits = 0;
    for (let i = 0; i < 300; i++) {
      const [a, b] = pair(new Rng(i));
      const home = await intersectsConvexImage(raster, a, b);
      if (home.intersects) hits++;
      for (const [scale, shift] of [
        [1, 1e6],
        [1e6, 0],
        [1e-6, 0],
        [2 ** 200, 0],
      ] as const) {
        const there = [a, b].map(({ triangles: t, pose: { position: p, quaternion } }) => ({
          model: rasterModel({ positions: t.positions.map((x) => x * scale), index: t.index }),
          pose: poseAt(vec3(p.x * scale + shift, p.y * scale - shift, p.z * scale + shift), quaternion),
        }));
        const found = await intersectsConvexImage(raster, there[0]!, there[1]!);
        // Rounding far away may move a pixel.
        if (found.intersects !== home.intersects)
          check(Math.abs(apart(a, b)) < 1.5 * home.pixel, `case ${i} at ${scale}, ${shift}`);
      }
    }
    expect(hits).toBeGreaterThan(50);
  });

  test('edge-on: the direction shows the larger side, so that thin plates are seen', async () => {
    const plate = (axis: 'x' | 'y' | 'z', at = vec3()) => {
      const half = vec3(1, 1, 1);
      half[axis] = 1e-4;
      return solidBody(boxMesh(vec3(-half.x, -half.y, -half.z), half), poseAt(at));
    };
    for (const axis of ['x', 'y', 'z'] as const) {
      const near = vec3();
      near[axis] = 1.9e-4;
      const off = vec3();
      off[axis] = 2.1e-4;
      expect((await intersectsConvexImage(raster, plate(axis), plate(axis, near))).intersects).toBe(true);
      expect((await intersectsConvexImage(raster, plate(axis), plate(axis, off))).intersects).toBe(false);
    }
    // Crossed plates share a bar, whose side fills the window although it is thinner than a pixel of the plates.
    expect((await intersectsConvexImage(raster, plate('x'), plate('y'))).intersects).toBe(true);
  });

  test('smaller than a pixel: a view that had to show more than both share would miss it; one that is fitted sees it', async () => {
    const ground = solidBody(boxMesh(vec3(-100, -100, -1), vec3(100, 100, 0)), poseAt(vec3()));
    const grain = solidBody(icosphere(1, 0.5), poseAt(vec3(37.3, 41.7, 0.3)));
    const above = solidBody(icosphere(1, 0.5), poseAt(vec3(37.3, 41.7, 0.7)));
    // A pixel of the ground would be three wide.
    expect((await intersectsConvexImage(raster, ground, grain)).intersects).toBe(true);
    expect((await intersectsConvexImage(raster, ground, above)).intersects).toBe(false);
    // Beyond the finest window there is: a thousandth of what is drawn.
    const dust = solidBody(icosphere(1, 1e-5), poseAt(vec3(37.3, 41.7, 0)));
    expect((await intersectsConvexImage(raster, ground, dust)).certainty).toBe('approximate');
  });
});

/** Looks at all corners of faces that are drawn. */
class Spy extends SoftwareRasterizer {
  corners = 0;
  least = Infinity;
  most = -Infinity;

  constructor() {
    super({ size: 16 });
  }

  override draw(...[model, place, state]: Parameters<SoftwareRasterizer['draw']>): void {
    const m = place.matrix;
    for (let i = 0; i < model.corners.length; i += 3) {
      const [x, y, z] = model.corners.subarray(i, i + 3) as unknown as [number, number, number];
      const depth =
        (m[2]! * x + m[6]! * y + m[10]! * z + m[14]!) / (m[3]! * x + m[7]! * y + m[11]! * z + m[15]!);
      this.corners++;
      this.least = Math.min(this.least, depth / 2 + 0.5);
      this.most = Math.max(this.most, depth / 2 + 0.5);
    }
    super.draw(model, place, state);
  }
}

describe('[R10.3] closed solids by edges, and by layers', () => {
  for (const method of ['edges', 'layers'] as const) {
    let hits = 0;
    let missed = 0;
    asyncProperty(
      `${method}: hits are hits within a pixel or two; what is missed is thin`,
      1500,
      async (rng) => {
        const a = solidBody(randomSolid(rng), poseAt(vec3(), rng.rotation()));
        const b = solidBody(randomSolid(rng), poseAt(rng.vec(1.3), rng.rotation()));
        const exact = intersects(a.exact, b.exact);
        const found = await intersectsSolidImage(raster, a, b, { method });
        check(found.certainty === 'approximate' || !exact, 'certain, and wrong');
        if (exact) hits++;
        if (found.intersects)
          check(exact || apart(a, b) < 2 * found.pixel, () => `a hit at ${apart(a, b) / found.pixel} pixels`);
        else if (exact) {
          missed++;
          check(await isThin(a, b, found.pixel), 'a miss of what is wider than pixels');
        }
      },
    );
    test(`${method}: few are missed`, () => {
      expect(hits).toBeGreaterThan(150);
      expect(missed).toBeLessThan(0.05 * hits);
    });
  }

  test('linked rings do not meet, nor a ball in the hole; turned into each other they do', async () => {
    const ring = torus(32, 16, 1, 0.25);
    const link = (x: number) => solidBody(ring, poseAt(vec3(x, 0, 0), TURNED));
    const still = solidBody(ring, poseAt(vec3()));
    for (const method of ['edges', 'layers'] as const) {
      const ask = async (b: DrawnBody) =>
        (await intersectsSolidImage(raster, still, b, { method })).intersects;
      expect(await ask(link(1))).toBe(false);
      expect(await ask(link(0.6))).toBe(false);
      expect(await ask(link(0.4))).toBe(true);
      expect(await ask(link(1.6))).toBe(true);
      expect(await ask(solidBody(icosphere(2, 0.6), poseAt(vec3())))).toBe(false);
      expect(await ask(solidBody(icosphere(2, 0.9), poseAt(vec3())))).toBe(true);
      // Inside of the ring's own solid, no surface is crossed.
      expect(await ask(solidBody(icosphere(2, 0.1), poseAt(vec3(1, 0, 0))))).toBe(true);
    }
    // The test of convex solids cannot tell links from hits.
    expect((await intersectsConvexImage(raster, still, link(1))).intersects).toBe(true);
  });

  test('boxes with their edges along the view: missed by one parallel view, found by more, in perspective, and by layers', async () => {
    // A bar through a plate: the bar's long edges are points to the viewer, its ends are outside, and the plate's edges are far off.
    const bar = solidBody(boxMesh(vec3(-0.2, -0.2, -1), vec3(0.2, 0.2, 1)), poseAt(vec3()));
    const plate = solidBody(boxMesh(vec3(-1, -1, -0.1), vec3(1, 1, 0.1)), poseAt(vec3(0.1, 0, 0)));
    const ask = async (options: object) =>
      (await intersectsSolidImage(raster, bar, plate, options)).intersects;
    const along = { direction: vec3(0, 0, -1) };
    const aside = { direction: vec3(-1, 0.2, 0.1) };
    expect(await ask({ views: [along] })).toBe(false);
    expect(await ask({ views: [along, aside] })).toBe(true);
    expect(await ask({ views: [{ ...along, perspective: true }] })).toBe(true);
    expect(await ask({})).toBe(true);
    expect(await ask({ method: 'layers', views: [along] })).toBe(true);
  });

  test('many layers: combs into each other, by whichever comes first', async () => {
    const teeth = (shift: number) =>
      together(
        ...Array.from({ length: 9 }, (_, i) => boxMesh(vec3(-1, -1, i + shift), vec3(1, 1, i + shift + 0.3))),
      );
    const comb = solidBody(teeth(0), poseAt(vec3()));
    const along = [{ direction: vec3(0, 0, -1) }];
    const ask = async (shift: number) => {
      const other = solidBody(teeth(shift), poseAt(vec3(0.1, 0.1, 0)));
      return (await intersectsSolidImage(raster, comb, other, { method: 'layers', views: along })).intersects;
    };
    expect(await ask(0.5)).toBe(false);
    expect(await ask(0.25)).toBe(true);
    // Only the last tooth reaches the other: nine layers down.
    const last = solidBody(boxMesh(vec3(-0.5, -0.5, 0.2), vec3(0.5, 0.5, 0.4)), poseAt(vec3()));
    const reach = await intersectsSolidImage(raster, comb, last, { method: 'layers', views: along });
    expect(reach.intersects).toBe(true);
  });

  test('what is not closed is refused, and so are views that look nowhere', () => {
    const open = { model: rasterModel(FLAT) };
    const box = solidBody(boxMesh(), poseAt(vec3()));
    expect(() => intersectsSolidImage(raster, box, open)).toThrow(/b.model must be closed/);
    expect(() => intersectsConvexImage(raster, open, box)).toThrow(/a.model must be closed/);
    for (const bad of [Number.NaN, Infinity]) {
      expect(() => intersectsSolidImage(raster, { ...box, pose: poseAt(vec3(0, bad, 0)) }, box)).toThrow(
        /a.pose/,
      );
      const turn = { x: 0, y: bad, z: 0, w: 1 };
      expect(() => intersectsConvexImage(raster, box, { ...box, pose: poseAt(vec3(), turn) })).toThrow(
        /b.pose/,
      );
    }
    const views = [{ direction: vec3() }];
    expect(() => intersectsSolidImage(raster, box, box, { views })).toThrow(
      /views\[0\].direction must not be zero/,
    );
    expect(() => intersectsSolidImage(raster, box, box, { views: [] })).toThrow(/at least one view/);
  });
});
