/** What is easily left out: lists that are too short, ties, records that were used before, shapes beside their origin. */
import { expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { boxMesh } from '../../tests/kit/meshes.ts';
import { placeAt } from '../../tests/kit/moving-bodies.ts';
import type { Quat } from '../math/types.ts';
import { type Collider, collider } from '../shapes/collider.ts';
import { compound } from '../shapes/compound.ts';
import { box } from '../shapes/flat-sided-shapes.ts';
import { mesh } from '../shapes/mesh.ts';
import { makeCastHit } from '../shapes/results.ts';
import { sphere } from '../shapes/round-shapes.ts';
import { cast, type Motion } from './cast.ts';
import { closestPoint } from './closest-point.ts';
import { contacts } from './contacts.ts';
import { distance } from './distance.ts';
import { castMany, closestPointMany, intersectsMany, raycastMany } from './many.ts';
import { raycast } from './raycast.ts';
import { sweptBoundsOf } from './swept-bounds.ts';

const v = (x: number, y: number, z: number) => ({ x, y, z });
const HERE = { x: 0, y: 0, z: 0, w: 1 };
const at = (x: number, y: number, z: number) => ({ position: v(x, y, z), quaternion: HERE });
const ball = sphere(1);
const ray = { origin: v(-5, 0, 0), direction: v(1, 0, 0) };

test('raycast: what is no mode, side or list is named, whatever it is', () => {
  const nothings: unknown[] = [null, 5, 'any', [], {}, Object.create(null), () => 1, Symbol('x'), 5n];
  for (const mode of nothings)
    if (mode !== 'any')
      expect(() => raycast(ray, ball, { mode } as never)).toThrow(/raycast: options\.mode must be one of/);
  for (const side of nothings)
    expect(() => raycast(ray, ball, { side } as never)).toThrow(/raycast: options\.side must be one of/);
  for (const out of [5, 'x', {}, Object.create(null)])
    expect(() => raycast(ray, ball, { mode: 'all', out } as never)).toThrow(/raycast: options\.out/);
  // As many fields as there are known ones are not enough.
  for (const bad of [{ mode: 'any', sides: 'front' }, { solids: true }, { maxT: 1, mode: 'all' }])
    expect(() => raycast(ray, ball, bad as never)).toThrow(/raycast: options has the unknown field/);
  expect(() => contacts(ball, ball, { out: {} } as never)).toThrow(/contacts: options\.out/);
});

test('numbers that cannot be are told from what is no number', () => {
  const motion = { translation: v(1, 0, 0) };
  for (const [value, words] of [
    [-1, /options\.maxT must be a number that is at least 0, got -1/],
    [Number.NaN, /options\.maxT must be a number that is at least 0, got NaN/],
    ['1', /options\.maxT must be a number that is at least 0, got the string '1'/],
  ] as const)
    expect(() => cast(ball, motion, ball, { maxT: value as number })).toThrow(words);
  expect(() => closestPoint(v(0, 0, 0), ball, { maxDistance: '1' as never })).toThrow(
    /must be a number that is at least 0, got/,
  );
  expect(() => distance(ball, ball, { maxDistance: '1' as never })).toThrow(/must be a number, got/);
});

test('every list of a batch has to have room for it', () => {
  const two = [-5, 0, 0, -5, 0, 0];
  const along = [1, 0, 0, 1, 0, 0];
  const hits = () => raycastMany(two, along, ball);
  const points = () => closestPointMany(two, ball);
  for (const name of ['t', 'child', 'triangle', 'point', 'normal'] as const) {
    const out = hits();
    expect(() => raycastMany(two, along, ball, { out: { ...out, [name]: out[name].slice(1) } })).toThrow(
      /raycastMany/,
    );
  }
  for (const name of ['distance', 'child', 'triangle', 'point'] as const) {
    const out = points();
    expect(() => closestPointMany(two, ball, { out: { ...out, [name]: out[name].slice(1) } })).toThrow(
      /closestPointMany/,
    );
  }
  const casts = { translations: along, positions: two };
  for (const name of ['t', 'child', 'triangle', 'point', 'normal', 'moverChild', 'moverTriangle'] as const) {
    const out = castMany(ball, casts, ball);
    expect(() => castMany(ball, casts, ball, { out: { ...out, [name]: out[name].slice(1) } })).toThrow(
      /castMany: out/,
    );
  }
  expect(() => castMany(ball, casts, ball, { tMax: 1 } as never)).toThrow(/unknown field 'tMax'/);
  expect(() => castMany({} as never, casts, ball)).toThrow(/castMany: mover/);
  expect(() => castMany(ball, casts, {} as never)).toThrow(/castMany: target/);
  expect(() => raycastMany(two, along, ball, { tMax: 1 } as never)).toThrow(/unknown field 'tMax'/);
  expect(() => closestPointMany(two, ball, { tMax: 1 } as never)).toThrow(/unknown field 'tMax'/);
  const poses = { positions: two };
  expect(() => intersectsMany(ball, poses, ball, { into: 1 } as never)).toThrow(/unknown field 'into'/);
  expect(() => intersectsMany({} as never, poses, ball)).toThrow(/intersectsMany: a/);
  expect(() => intersectsMany(ball, poses, {} as never)).toThrow(/intersectsMany: b/);
  // As much room as is needed is enough.
  expect(raycastMany(two, along, ball, { out: hits() })).toEqual(hits());
  expect(closestPointMany(two, ball, { out: points() })).toEqual(points());
  expect(castMany(ball, casts, ball, { out: castMany(ball, casts, ball) })).toEqual(
    castMany(ball, casts, ball),
  );
  expect(intersectsMany(ball, poses, ball, { out: new Uint8Array(2) })).toEqual(new Uint8Array(2));
  // Each ray has the whole range, whatever the one before it hit.
  const { t } = raycastMany([-5, 0, 0, -9, 0, 0], along, ball, { maxDistance: 8 });
  expect([...t]).toEqual([4, 8]);
});

test('hits at the same time come by child and triangle, and records that were used before say nothing of then', () => {
  const slab = (y: number) => ({ shape: box(0.5, 1, 1), pose: at(0, y, 0) });
  const both = compound([slab(0.5), slab(0), slab(-0.5)]);
  const dirty = Array.from({ length: 9 }, () => {
    const hit = makeCastHit();
    hit.moverPart.child = hit.moverPart.triangle = hit.part.child = hit.part.triangle = 7;
    return hit;
  });
  const all = raycast(ray, both, { mode: 'all', out: dirty });
  expect(all).toBe(dirty);
  expect(all.map(({ t, part }) => [t, part.child, part.triangle])).toEqual([
    [4.5, 0, -1],
    [4.5, 1, -1],
    [4.5, 2, -1],
  ]);
  for (const { moverPart } of all) expect(moverPart).toEqual({ child: -1, triangle: -1 });
  // A ray through the edge of two triangles.
  const square = mesh([0, -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1], [0, 2, 1, 0, 3, 2]);
  expect(raycast(ray, square, { mode: 'all' }).map(({ part }) => part.triangle)).toEqual([0, 1]);
  // Sheets in one plane, each a little lower than the one before: a tree has them the other way round, or in no order.
  const sheets = Array.from({ length: 20 }, (_, i) => [
    0,
    -9 - i / 8,
    -9,
    0,
    9 - i / 8,
    -9,
    0,
    -i / 8,
    9,
  ]).flat();
  expect(raycast(ray, mesh(sheets), { mode: 'all' }).map(({ part }) => part.triangle)).toEqual(
    Array.from({ length: 20 }, (_, i) => i),
  );
  const hit = makeCastHit();
  hit.moverPart.child = hit.moverPart.triangle = 7;
  expect(raycast(ray, both, { out: hit })!.moverPart).toEqual({ child: -1, triangle: -1 });
});

property(
  'the swept bounds of a shape that is all to one side of its origin hold it at every time',
  60,
  (rng) => {
    const side = rng.pick([v(6, 0, 0), v(-6, 0, 0), v(0, 6, 0), v(0, -6, 0), v(0, 0, 6), v(0, 0, -6)]);
    const [low, high] = [
      v(side.x - 0.2, side.y - 0.3, side.z - 0.1),
      v(side.x + 0.2, side.y + 0.3, side.z + 0.1),
    ];
    const { positions, index } = boxMesh(low, high);
    const pose = { position: rng.vec(2), quaternion: rng.rotation() };
    const motion: Motion = { axis: rng.direction(), angle: rng.range(-2.5, 2.5) };
    const { min, max } = sweptBoundsOf(collider(mesh(positions, index), pose), motion);
    for (let k = 0; k <= 40; k++) {
      const place = placeAt(pose, motion, k / 40);
      for (let i = 0; i < positions.length; i += 3) {
        const p = place.toWorld(v(positions[i]!, positions[i + 1]!, positions[i + 2]!));
        const inside =
          p.x >= min.x - 1e-12 &&
          p.y >= min.y - 1e-12 &&
          p.z >= min.z - 1e-12 &&
          p.x <= max.x + 1e-12 &&
          p.y <= max.y + 1e-12 &&
          p.z <= max.z + 1e-12;
        check(inside, () => `at ${k / 40} a corner is at ${JSON.stringify(p)}`);
      }
    }
  },
);

test('cast: the parts of the mover and of the target, of the child and of the triangle, are not mixed up', () => {
  const rng = new Rng(3);
  for (let i = 0; i < 20; i++) {
    const height = rng.range(1, 2);
    const floor = mesh([-9, 0, -9, 9, 0, 9, 9, 0, -9, -9, 0, 9], [0, 1, 2, 0, 3, 1]);
    const legs = compound([
      { shape: box(0.1, 0.5, 0.1), pose: at(-1, 0.2, 0.4) },
      { shape: sphere(0.1), pose: at(1, -0.8, -0.4) },
    ]);
    const table = collider(legs, at(0, height, 0));
    const hit = cast(table, { translation: v(0, -4, 0) }, floor)!;
    expect(hit.t).toBeCloseTo((height - 0.9) / 4, 9);
    expect(hit.moverPart).toEqual({ child: 1, triangle: -1 });
    expect(hit.part).toEqual({ child: -1, triangle: 0 });
    const back = cast(floor, { translation: v(0, 4, 0) }, table)!;
    expect(back.moverPart).toEqual(hit.part);
    expect(back.part).toEqual(hit.moverPart);
  }
});

test('a quaternion of any length is the turn that it is, also where its squares make 1 but for a sign', () => {
  // 1.25² - 0.75² = 1, and the sum of all is 2.125.
  const turns = (['x', 'y', 'z'] as const).flatMap((k) =>
    [1, -1].map((sign) => ({ x: 0, y: 0, z: 0, w: 1.25, [k]: 0.75 * sign })),
  );
  const unit = (q: Quat): Quat => {
    const k = 1 / Math.hypot(q.x, q.y, q.z, q.w);
    return { x: k * q.x, y: k * q.y, z: k * q.z, w: k * q.w };
  };
  const shape = box(1, 0.5, 0.25);
  const other = {
    shape: box(0.3, 0.2, 0.4),
    pose: { position: v(0.4, 1.6, 1.3), quaternion: { x: 0.1, y: 0.2, z: 0.3, w: 0.9 } },
  };
  const motion = { translation: v(0.1, -3, -2) };
  const back = { translation: v(-0.1, 3, 2) };
  const turn = { axis: v(1, 2, 3), angle: 1 };
  for (const given of [...turns, ...turns.map(({ x, y, z, w }) => ({ x: w, y: x, z: y, w: z }))]) {
    const [as, is] = [given, unit(given)].map((quaternion) => ({
      shape,
      pose: { position: v(0.1, 0.2, 0.3), quaternion },
    })) as [Collider, Collider];
    const asked: ((a: Collider) => unknown)[] = [
      (a) => distance(a, other),
      (a) => distance(other, a),
      (a) => contacts(a, other, { margin: 2 }),
      (a) => cast(a, back, other),
      (a) => cast(other, motion, a),
      (a) => cast(a, { ...back, ...turn }, other),
      (a) => cast(other, { ...motion, ...turn, first: 'rotation' }, a),
      (a) => raycast({ origin: v(3, 2, 1), direction: v(-3, -2, -1) }, a),
      (a) => closestPoint(v(3, 2, 1), a),
      (a) => sweptBoundsOf(a, turn),
    ];
    for (const ask of asked) {
      const numbers = (x: unknown) => (JSON.stringify(x).match(/-?\d+(\.\d+)?(e-?\d+)?/g) ?? []).map(Number);
      const [one, two] = [numbers(ask(as)), numbers(ask(is))];
      expect(one.length).toBeGreaterThan(0);
      expect(one.length).toBe(two.length);
      one.forEach(
        (x, i) => void expect(Math.abs(x - two[i]!), `${ask} ${JSON.stringify(given)}`).toBeLessThan(1e-8),
      );
    }
  }
});
