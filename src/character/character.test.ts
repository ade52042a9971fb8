/** Walking: slopes, steps, ledges, crouching. */
import { describe, expect, test } from 'vitest';
import { DT, ground, heightOf, land, quad, run, SHAPES, spawn } from '../../tests/kit/character-setups.ts';
import { addTo, isFree, makeLevel } from '../../tests/kit/characters.ts';
import { box, collider, halfSpace, hull, sphere } from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { World } from '../world/index.ts';
import { Character, type CharacterShape, ColliderList } from './index.ts';

describe.each(SHAPES)('%s', (_, shape) => {
  const h = heightOf(shape);

  test('up and down slopes within the limit, over both bends, at the full horizontal speed', () => {
    const level = makeLevel();
    // Level, up by 30°, level, down by 30°, level.
    const profile = [
      [-20, 0],
      [0, 0],
      [6, 6 * 0.577],
      [12, 6 * 0.577],
      [18, 0],
      [40, 0],
    ];
    for (let i = 1; i < profile.length; i++) {
      const [a, b] = [profile[i - 1]!, profile[i]!];
      addTo(level, mesh(quad([a[0]!, a[1]!, -5], [a[0]!, a[1]!, 5], [b[0]!, b[1]!, 5], [b[0]!, b[1]!, -5])));
    }
    const hero = spawn(level, shape, [-3, h + 0.05, 0]);
    land(hero);
    const x = hero.position.x;
    let still = 0;
    run(hero, 3, 0, 460, (i) => {
      expect(isFree(level, shape, hero.position, 1e-4), `frame ${i}`).toBe(true);
      if (!hero.onFloor) still++;
    });
    expect(still).toBe(0);
    expect(hero.position.x - x).toBeCloseTo(460 * 3 * DT, 6);
  });

  test('half over the side of a ramp, up and off it, it is not caught', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 50)));
    const ramp = [-4, 0, -4, -4, 0, 0, 4, 0, -4, 4, 0, 0, 4, 3, -4, 4, 3, 0];
    addTo(level, hull(ramp));
    for (const z of [-0.3, -0.05, 0, 0.05, 0.2]) {
      const hero = spawn(level, shape, [-6, h + 0.05, z]);
      land(hero);
      const x = hero.position.x;
      let last = x;
      run(hero, 3, 0, 100, (i) => {
        expect(isFree(level, shape, hero.position, 1e-4), `frame ${i}`).toBe(true);
        expect(hero.position.x - last, `z ${z}, frame ${i}`).toBeGreaterThan(0.01);
        last = hero.position.x;
      });
      expect(hero.position.x - x).toBeGreaterThan(4);
    }
  });

  test('standing on a slope within the limit, nothing slides', () => {
    const level = makeLevel();
    addTo(level, halfSpace({ x: 0.5, y: 1, z: 0 }));
    const hero = spawn(level, shape, [0, 3, 0]);
    land(hero);
    const { x, y } = hero.position;
    run(hero, 0, 0, 200);
    expect(hero.position.x).toBe(x);
    expect(hero.position.y).toBe(y);
  });

  test('a slope beyond the limit is slid down, and not walked up', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 50)));
    addTo(level, mesh(quad([2, 0, -20], [2, 0, 20], [12, 20, 20], [12, 20, -20])));
    const hero = spawn(level, shape, [0, h + 0.05, 0]);
    land(hero);
    let highest = 0;
    run(hero, 5, 0.5, 200, () => {
      highest = Math.max(highest, hero.position.y);
    });
    expect(highest).toBeLessThan(h + 0.05);
    expect(hero.onFloor && hero.onWall).toBe(true);
    // It still moves along it.
    expect(hero.position.z).toBeGreaterThan(1);
    const other = spawn(level, shape, [6, 12, 0]);
    run(other, 5, 0, 1500);
    expect(other.position.y).toBeLessThan(h + 0.05);
  });

  test('stairs up and down, also along a wall', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 50)));
    for (let i = 0; i < 8; i++) addTo(level, box(2, 0.1, 3), { x: 4 + 0.4 * i, y: 0.1 + 0.2 * i, z: 0 });
    addTo(level, box(10, 3, 0.5), { x: 0, y: 3, z: 2 });
    for (const [z, vz] of [
      [0, 0],
      [1, 1.5],
    ] as const) {
      const hero = spawn(level, shape, [0, h + 0.05, z], { stepHeight: 0.3 });
      land(hero);
      run(hero, 2, vz, 180, (i) => expect(isFree(level, shape, hero.position, 1e-4), `${i}`).toBe(true));
      expect(hero.position.y).toBeGreaterThan(h + 1.59);
      expect(hero.onFloor).toBe(true);
      let air = 0;
      run(hero, -2, vz, 200, () => {
        if (!hero.onFloor) air++;
      });
      expect(hero.position.y).toBeLessThan(h + 0.05);
      expect(air).toBe(0);
    }
  });

  test('a step that is too high is a wall', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 50)));
    addTo(level, box(2, 0.25, 3), { x: 4, y: 0.25, z: 0 });
    const hero = spawn(level, shape, [0, h + 0.05, 0], { stepHeight: 0.3 });
    land(hero);
    run(hero, 3, 0, 200);
    expect(hero.position.y).toBeLessThan(h + 0.05);
    expect(hero.onWall).toBe(true);
    expect(hero.position.x).toBeLessThan(2);
  });

  test('crouches, and stands up where there is room', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 50)));
    addTo(level, box(1, 0.5, 3), { x: 5, y: h * 2 + 0.2, z: 0 });
    const hero = spawn(level, shape, [0, h + 0.05, 0]);
    land(hero);
    const small: CharacterShape = { radius: 0.2, halfHeight: 0.05 };
    expect(hero.resize(small)).toBe(true);
    run(hero, 3, 0, 100);
    expect(hero.position.x).toBeCloseTo(5, 1);
    expect(hero.onFloor).toBe(true);
    expect(hero.resize(shape)).toBe(false);
    run(hero, 3, 0, 60);
    expect(hero.resize(shape)).toBe(true);
    expect(isFree(level, shape, hero.position, 1e-4)).toBe(true);
    run(hero, 0, 0, 3);
    expect(hero.onFloor).toBe(true);
  });

  test('knocks its head on a ceiling and falls', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 50)));
    addTo(level, box(5, 0.5, 5), { x: 0, y: 2 * h + 1, z: 0 });
    const hero = spawn(level, shape, [0, h + 0.05, 0]);
    land(hero);
    hero.velocity.y = 8;
    let ceiling = false;
    for (let i = 0; i < 60; i++) {
      hero.moveAndSlide(DT);
      ceiling ||= hero.onCeiling;
      if (hero.onCeiling) expect(hero.velocity.y).toBeLessThanOrEqual(1e-9);
      hero.velocity.y -= 9.8 * DT;
    }
    expect(ceiling).toBe(true);
  });

  test('on the edge of a ledge it stands, and off it it falls', () => {
    const level = makeLevel();
    addTo(level, box(2, 2, 2), { x: 0, y: -2, z: 0 });
    const hero = spawn(level, shape, [1.5, h + 0.05, 0]);
    land(hero);
    run(hero, 1, 0, 40);
    expect(hero.onFloor).toBe(true);
    const { x, y } = hero.position;
    run(hero, 0, 0, 100, () => expect(hero.onFloor).toBe(true));
    expect(hero.position.x).toBe(x);
    expect(Math.abs(hero.position.y - y)).toBeLessThan(1e-9);
    run(hero, 1, 0, 60);
    expect(hero.onFloor).toBe(false);
    expect(hero.position.y).toBeLessThan(-0.5);
  });

  test('any direction may be up', () => {
    for (const up of [
      { x: 0, y: 0, z: 1 },
      { x: 1, y: 1, z: 0.5 },
      { x: 0, y: -1, z: 0 },
    ]) {
      const list = new ColliderList();
      const length = Math.hypot(up.x, up.y, up.z);
      list.add(collider(halfSpace(up)));
      const hero = new Character(list, { ...shape, up });
      hero.teleport({ x: up.x * 2, y: up.y * 2, z: up.z * 2 });
      for (let i = 0; i < 100; i++) {
        const g = (-9.8 * DT) / length;
        hero.velocity.x += up.x * g;
        hero.velocity.y += up.y * g;
        hero.velocity.z += up.z * g;
        hero.moveAndSlide(DT);
      }
      expect(hero.onFloor).toBe(true);
      const { x, y, z } = hero.position;
      const height = (x * up.x + y * up.y + z * up.z) / length;
      expect(height).toBeGreaterThan(h);
      expect(height).toBeLessThan(h * 1.03);
    }
  });

  test('stands on and walks round a ball', () => {
    const level = makeLevel();
    level.list.add(collider(sphere(3)));
    const hero = spawn(level, shape, [0.1, 3 + h + 0.2, 0]);
    land(hero);
    const { x, y } = hero.position;
    run(hero, 0, 0, 20);
    expect(Math.abs(hero.position.x - x) + Math.abs(hero.position.y - y)).toBeLessThan(1e-4);
    run(hero, 1, 0, 60, () => expect(hero.onFloor).toBe(true));
    expect(hero.position.x - x).toBeCloseTo(1, 3);
  });
});

test('walks in a World, too', () => {
  const world = new World();
  world.add(collider(halfSpace({ x: 0, y: 1, z: 0 })));
  const wall = world.add(
    collider(box(0.5, 2, 2), { position: { x: 4, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } }),
  );
  const hero = new Character(world, { radius: 0.4, halfHeight: 0.5, position: { x: 0, y: 1, z: 0 } });
  land(hero);
  run(hero, 3, 0, 120);
  expect(hero.onFloor && hero.onWall).toBe(true);
  expect(hero.collisions.some(({ id }) => id === wall)).toBe(true);
  expect(hero.position.x).toBeCloseTo(3.1 - 0.004, 6);
});

test('masks, owners, sensors and filters decide who is met', () => {
  const list = new ColliderList();
  const wall = (x: number, options: object) =>
    list.add(
      collider(box(0.1, 5, 5), { position: { x, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } }),
      options,
    );
  wall(1, { group: 4 });
  wall(2, { mask: 2 });
  wall(3, { owner: 7 });
  wall(4, { sensor: true });
  const ghost = wall(5, {});
  const last = wall(6, {});
  const hero = new Character(list, {
    radii: { x: 0.2, y: 0.2, z: 0.2 },
    mask: ~4,
    owner: 7,
    filter: (id) => id !== ghost,
  });
  hero.velocity.x = 100;
  expect(hero.moveAndSlide(1)).toBe(true);
  expect(hero.collisions[0]!.id).toBe(last);
  expect(hero.position.x).toBeCloseTo(5.7, 1);
});

test('what is not for casts is walked through: walls for rays alone', () => {
  const list = new ColliderList();
  const world = new World();
  for (const [x, uses] of [
    [2, ['ray']],
    [3, []],
    [4, ['ray', 'overlap', 'contact', 'event']],
    [6, ['cast']],
  ] as const) {
    const pose = { position: { x, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
    list.add(collider(box(0.1, 5, 5), pose), { uses });
    world.add(collider(box(0.1, 5, 5), pose), { uses });
  }
  for (const place of [list, world]) {
    const hero = new Character(place, { radius: 0.3, halfHeight: 0.6 });
    hero.velocity.x = 100;
    expect(hero.moveAndSlide(1)).toBe(true);
    expect(hero.position.x).toBeCloseTo(6 - 0.1 - 0.303, 6);
  }
});

test('bad input is refused by name', () => {
  const list = new ColliderList();
  const radii = { x: 1, y: 1, z: 1 };
  expect(() => new Character(list, { radii: { x: Number.NaN, y: 1, z: 1 } })).toThrow('radii');
  expect(() => new Character(list, { radii, stepHeight: -1 })).toThrow('stepHeight');
  for (const name of ['snapDistance', 'mass', 'maxRecovery', 'gap', 'slopeLimit'])
    expect(() => new Character(list, { radii, [name]: -1 } as never)).toThrow(name);
  for (const name of ['group', 'mask', 'owner', 'filter', 'onCollision'])
    expect(() => new Character(list, { radii, [name]: 'x' } as never)).toThrow(name);
  expect(() => new Character(list, { radii, slopeLimit: 2 })).toThrow('slopeLimit');
  expect(() => new Character(list, { radii, gap: 0 })).toThrow('gap');
  expect(() => new Character(list, { radii, up: { x: 0, y: 0, z: 0 } })).toThrow('up');
  expect(() => new Character({} as never, { radii })).toThrow('world');
  expect(() => new Character(list, {} as never)).toThrow('shape');
  const hero = new Character(list, { radii });
  expect(() => hero.moveAndSlide(Number.NaN)).toThrow('dt');
  expect(() => hero.teleport({ x: 0, y: Number.POSITIVE_INFINITY, z: 0 })).toThrow('position');
  hero.velocity.x = Number.NaN;
  expect(() => hero.moveAndSlide(1)).toThrow('velocity');
});
