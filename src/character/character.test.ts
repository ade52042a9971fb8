import { describe, expect, test } from 'vitest';
import { addTo, isFree, type Level, makeLevel } from '../../tests/kit/characters.ts';
import { Rng } from '../../tests/kit/index.ts';
import { box, collider, halfSpace, heightField, hull, mesh, sphere } from '../shapes/index.ts';
import { World } from '../world/index.ts';
import { Character, type CharacterOptions, type CharacterShape, ColliderList } from './index.ts';

const SHAPES: [string, CharacterShape][] = [
  ['ellipsoid', { radii: { x: 0.4, y: 0.9, z: 0.4 } }],
  ['sphere', { radii: { x: 0.5, y: 0.5, z: 0.5 } }],
  ['capsule', { radius: 0.4, halfHeight: 0.5 }],
  ['box', { halfSize: { x: 0.4, y: 0.9, z: 0.4 } }],
];
const DT = 1 / 60;
const heightOf = (shape: CharacterShape): number =>
  'radii' in shape ? shape.radii.y : 'radius' in shape ? shape.radius + shape.halfHeight : shape.halfSize.y;

/** A quad a b c d as two triangles. */
const quad = (...p: number[][]): number[] => [p[0]!, p[1]!, p[2]!, p[0]!, p[2]!, p[3]!].flat();
/** Level ground at a height, over a square of that half size. */
const ground = (y: number, size: number): number[] =>
  quad([-size, y, -size], [-size, y, size], [size, y, size], [size, y, -size]);

function spawn(
  level: Level,
  shape: CharacterShape,
  at: [number, number, number],
  more: Partial<CharacterOptions> = {},
) {
  const hero = new Character(level.list, { ...shape, ...more } as CharacterOptions);
  hero.teleport({ x: at[0], y: at[1], z: at[2] });
  return hero;
}

/** Falls until it stands. */
function land(hero: Character): void {
  for (let i = 0; i < 300 && !hero.onFloor; i++) {
    hero.velocity.y -= 9.8 * DT;
    hero.moveAndSlide(DT);
  }
  expect(hero.onFloor).toBe(true);
}

function run(hero: Character, vx: number, vz: number, frames: number, each?: (i: number) => void): void {
  for (let i = 0; i < frames; i++) {
    hero.velocity.x = vx;
    hero.velocity.z = vz;
    hero.velocity.y -= 9.8 * DT;
    hero.moveAndSlide(DT);
    each?.(i);
  }
}

describe.each(SHAPES)('%s', (_, shape) => {
  const h = heightOf(shape);

  test('[S5] lands at the gap above the ground and stands still to the last bit', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 50)));
    const hero = spawn(level, shape, [0.3, h + 1, 0.2]);
    land(hero);
    const y = hero.position.y;
    expect(y).toBeGreaterThan(h);
    expect(y).toBeLessThan(h * 1.05);
    run(hero, 0, 0, 100, () => {
      expect(hero.onFloor).toBe(true);
      expect(hero.position.y).toBe(y);
      expect(hero.position.x).toBe(0.3);
      expect(hero.velocity.y).toBe(0);
    });
  });

  test('[S4] pushing into a corner for 10,000 frames does not move it', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 20)));
    addTo(level, mesh(quad([3, -5, -20], [3, -5, 20], [3, 5, 20], [3, 5, -20])));
    addTo(level, mesh(quad([-20, -5, 3.5], [20, -5, 2.5], [20, 5, 2.5], [-20, 5, 3.5])));
    const hero = spawn(level, shape, [1.5, h + 0.1, 1]);
    land(hero);
    run(hero, 4, 3, 60);
    run(hero, 4, 3, 2);
    const { x, y, z } = hero.position;
    run(hero, 4, 3, 'radius' in shape ? 10_000 : 2000);
    const moved = Math.hypot(hero.position.x - x, hero.position.y - y, hero.position.z - z);
    expect(moved).toBeLessThan(1e-9 * 0.4);
    expect(hero.onWall && hero.onFloor).toBe(true);
    expect(hero.velocity.x).toBeCloseTo(0, 6);
  });

  test('[S4] flying into a corner of three planes holds it there', () => {
    const level = makeLevel();
    for (const n of [
      { x: -1, y: 0.2, z: 0 },
      { x: 0.3, y: -1, z: 0.1 },
      { x: 0, y: 0.4, z: -1 },
    ])
      addTo(level, halfSpace(n, -3));
    const hero = spawn(level, shape, [0, 0, 0]);
    for (let i = 0; i < 200; i++) {
      Object.assign(hero.velocity, { x: 3, y: 5, z: 4 });
      hero.moveAndSlide(DT);
    }
    const { x, y, z } = hero.position;
    for (let i = 0; i < 2000; i++) {
      Object.assign(hero.velocity, { x: 3, y: 5, z: 4 });
      hero.moveAndSlide(DT);
    }
    expect(Math.hypot(hero.position.x - x, hero.position.y - y, hero.position.z - z)).toBeLessThan(4e-10);
  });

  test('seams of 1,000 separate tiles and of height-field chunks are not felt', () => {
    const tiles = new World();
    const quaternion = { x: 0, y: 0, z: 0, w: 1 };
    const tile = box(0.5, 0.5, 2);
    for (let i = 0; i < 1000; i++)
      tiles.add(collider(tile, { position: { x: i + 0.5, y: -0.5, z: 0 }, quaternion }), { fixed: true });
    const chunks = makeLevel();
    for (let i = 0; i < 10; i++)
      addTo(chunks, heightField(new Float64Array(121), { columns: 11, rows: 11 }), {
        x: 10 * i,
        y: 0,
        z: -5,
      });
    for (const [list, frames] of [
      [tiles, 2300],
      [chunks.list, 200],
    ] as const) {
      const hero = new Character(list, { ...shape, position: { x: 1.1, y: h + 0.05, z: 0.013 } });
      land(hero);
      const { x, y } = hero.position;
      let felt = 0;
      run(hero, 25, 0, frames, () => {
        if (!hero.onFloor || hero.onWall) felt++;
      });
      expect(felt).toBe(0);
      expect(Math.abs(hero.position.x - x - 25 * DT * frames)).toBeLessThan(1e-9 * 25 * DT * frames);
      expect(Math.abs(hero.position.y - y)).toBeLessThan(1e-9);
    }
  });

  test('along a wall of tiles, pressing against it, without a snag', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 100)));
    const rng = new Rng(8);
    for (let i = 0; i < 60; i++) {
      const y = rng.range(0.2, 2);
      addTo(level, mesh(quad([i, 0, 1], [i, y, 1], [i + 1, y, 1], [i + 1, 0, 1])));
      addTo(level, mesh(quad([i, y, 1], [i, 3, 1], [i + 1, 3, 1], [i + 1, y, 1])));
    }
    const hero = spawn(level, shape, [1, h + 0.05, 0.3]);
    land(hero);
    run(hero, 6, 6, 30);
    const x = hero.position.x;
    run(hero, 6, 6, 300, () => expect(hero.onFloor && hero.onWall).toBe(true));
    expect(hero.position.x - x).toBeCloseTo(30, 8);
  });

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

  test('rides a platform that rises, sinks, drifts and turns', () => {
    const list = new ColliderList();
    const pose = { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
    const id = list.add(collider(box(3, 0.5, 3), pose));
    const hero = new Character(list, shape);
    hero.teleport({ x: 1, y: 0.5 + h + 0.05, z: 0 });
    land(hero);
    const y = hero.position.y;
    expect(hero.floorId).toBe(id);
    for (let i = 1; i <= 300; i++) {
      const a = i / 100;
      pose.position.x = 2 * a;
      pose.position.y = 3 * Math.sin(a);
      pose.quaternion.y = Math.sin(a / 2);
      pose.quaternion.w = Math.cos(a / 2);
      run(hero, 0, 0, 1);
      expect(hero.onFloor).toBe(true);
      expect(hero.position.x).toBeCloseTo(pose.position.x + Math.cos(a), 6);
      expect(hero.position.z).toBeCloseTo(-Math.sin(a), 6);
      expect(hero.position.y - y).toBeCloseTo(pose.position.y, 6);
    }
    expect(hero.platformVelocity.x).toBeCloseTo(((2 - Math.sin(3)) / 100) * 60, 0);
  });

  test('a door that closes pushes it along; a start inside is left by the shortest way, and told', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 50)));
    const pose = { position: { x: -3, y: 1, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
    level.list.add(collider(box(1, 2, 1), pose));
    const hero = spawn(level, shape, [0, h + 0.05, 0]);
    land(hero);
    for (let i = 0; i < 100; i++) {
      pose.position.x += 0.03;
      run(hero, 0, 0, 1);
    }
    expect(hero.position.x).toBeGreaterThan(1 + 0.4);
    expect(hero.position.x).toBeLessThan(1 + 0.6);
    const other = spawn(level, shape, [0.2, h, 20]);
    addTo(level, box(0.3, 5, 5), { x: 0, y: 0, z: 20 });
    run(other, 0, 0, 1);
    expect(other.recovered).toBeGreaterThan(0);
    expect(other.stuck).toBe(false);
    expect(isFree(level, shape, other.position, 1e-4)).toBe(true);
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

  test('an acute wedge and two walls close together neither freeze nor shake it', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 50)));
    for (const s of [-1, 1])
      addTo(level, mesh(quad([0, 0, 3 * s], [0, 5, 3 * s], [20, 5, 0.05 * s], [20, 0, 0.05 * s])));
    const hero = spawn(level, shape, [0, h + 0.05, 0.4]);
    land(hero);
    run(hero, 6, 1, 400);
    const { x, y, z } = hero.position;
    expect(hero.position.x).toBeGreaterThan(10);
    run(hero, 6, 1, 500, () => expect(hero.passes).toBeLessThan(4));
    expect(Math.hypot(hero.position.x - x, hero.position.y - y, hero.position.z - z)).toBeLessThan(4e-10);
    const corridor = makeLevel();
    const half = 'radii' in shape ? shape.radii.x : 'radius' in shape ? shape.radius : shape.halfSize.x;
    addTo(corridor, mesh(ground(0, 50)));
    for (const s of [-1, 1])
      addTo(
        corridor,
        mesh(
          quad(
            [-20, 0, s * half * 1.004],
            [-20, 5, s * half * 1.004],
            [20, 5, s * half * 1.004],
            [20, 0, s * half * 1.004],
          ),
        ),
      );
    const tight = spawn(corridor, shape, [0, h + 0.05, 0]);
    for (let i = 0; i < 60; i++) {
      Object.assign(tight.velocity, { x: 3, y: -3, z: 0 });
      tight.moveAndSlide(DT);
    }
    expect(tight.position.x).toBeCloseTo(3, 6);
    expect(isFree(corridor, shape, tight.position, 0)).toBe(true);
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

  test('collisions tell what was hit, and are enough to push it', () => {
    const list = new ColliderList();
    const crate = { position: { x: 3, y: 1, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
    list.add(collider(halfSpace({ x: 0, y: 1, z: 0 })));
    const id = list.add(collider(box(0.5, 1, 0.5), crate));
    const hero = new Character(list, {
      ...shape,
      mass: 2,
      onCollision: (c) => {
        if (c.id === id) crate.position.x -= c.normal.x * c.impulse * 0.001;
      },
    });
    hero.teleport({ x: 0, y: h + 0.05, z: 0 });
    land(hero);
    run(hero, 2, 0, 200);
    const [hit] = hero.collisions.filter((c) => c.id === id);
    expect(hit!.normal.x).toBeCloseTo(-1, 9);
    expect(hit!.side).toBe('wall');
    expect(hit!.impulse).toBeCloseTo(4, 9);
    expect(hit!.point.x).toBeCloseTo(crate.position.x - 0.5, 1);
    expect(crate.position.x).toBeGreaterThan(3.1);
    expect(hero.onWall).toBe(true);
  });
});

describe('100,000 random triangles', () => {
  const shape = mesh(randomFloor(new Rng(11), 224, 200));
  expect(shape.triangleCount).toBeGreaterThan(100_000);
  const tilt = { x: 0.05, y: 0.3, z: 0.15, w: 0.94 };
  const size = Math.hypot(tilt.x, tilt.y, tilt.z, tilt.w);
  const turned = { x: tilt.x / size, y: tilt.y / size, z: tilt.z / size, w: tilt.w / size };
  test.each([
    [0.05, false],
    [5, false],
    [400, false],
    [20_000, false],
    [5, true],
    [400, true],
  ])('at speed %d, tilted %s, make a straight line', (fast, tilted) => {
    for (const [, form] of SHAPES) {
      const list = new ColliderList();
      const quaternion = tilted ? turned : { x: 0, y: 0, z: 0, w: 1 };
      list.add(collider(shape, { position: { x: 0, y: 0, z: 0 }, quaternion }));
      const hero = new Character(list, { ...form, position: { x: -60, y: 40, z: -20 } });
      for (let i = 0; i < 400 && !hero.onFloor; i++) {
        hero.velocity.y = -20;
        hero.moveAndSlide(0.02);
      }
      const n = { ...hero.floorNormal };
      const from = { ...hero.position };
      const frames = Math.min(120, Math.floor(100 / (fast * DT)));
      const count = Math.max(1, frames);
      const dt = frames === 0 ? 100 / fast : DT;
      let path = 0;
      let old = { ...from };
      for (let i = 0; i < count; i++) {
        Object.assign(hero.velocity, { x: fast * 0.8, y: -0.2, z: fast * 0.6 });
        hero.moveAndSlide(dt);
        const p = hero.position;
        path += Math.hypot(p.x - old.x, p.y - old.y, p.z - old.z);
        old = { ...p };
        expect(hero.onFloor && !hero.onWall).toBe(true);
      }
      const { x, y, z } = hero.position;
      const straight = Math.hypot(x - from.x, y - from.y, z - from.z);
      expect(Math.abs(path - straight)).toBeLessThan(1e-9 * straight);
      expect(Math.abs(x - from.x - 0.8 * fast * dt * count)).toBeLessThan(1e-9 * straight);
      expect(Math.abs(z - from.z - 0.6 * fast * dt * count)).toBeLessThan(1e-9 * straight);
      const off = n.x * (x - from.x) + n.y * (y - from.y) + n.z * (z - from.z);
      expect(Math.abs(off)).toBeLessThan(1e-7);
    }
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

test('[S2] the gap of a long ellipsoid on a slope is right in world space', () => {
  const level = makeLevel();
  const n = { x: 0.6, y: 0.8, z: 0 };
  addTo(level, halfSpace(n));
  const flat = makeLevel();
  addTo(flat, mesh(quad([-20, 15, -20], [-20, 15, 20], [20, -15, 20], [20, -15, -20])));
  for (const radii of [
    { x: 0.2, y: 1.5, z: 0.2 },
    { x: 2, y: 0.1, z: 0.5 },
  ]) {
    const heights = [level, flat].map((place) => {
      const hero = spawn(place, { radii }, [0, 4, 0]);
      land(hero);
      expect(hero.floorNormal.x).toBeCloseTo(0.6, 12);
      expect(hero.floorNormal.y).toBeCloseTo(0.8, 12);
      return 0.6 * hero.position.x + 0.8 * hero.position.y - Math.hypot(0.6 * radii.x, 0.8 * radii.y);
    });
    const least = Math.min(radii.x, radii.y, radii.z) / 100;
    for (const gap of heights) {
      expect(gap).toBeGreaterThan(least * 0.999);
      expect(gap).toBeLessThan((least * Math.hypot(0.6 * radii.x, 0.8 * radii.y)) / (100 * least) + 1e-9);
    }
  }
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

test('bad input is refused by name', () => {
  const list = new ColliderList();
  const radii = { x: 1, y: 1, z: 1 };
  expect(() => new Character(list, { radii: { x: Number.NaN, y: 1, z: 1 } })).toThrow('radii');
  expect(() => new Character(list, { radii, stepHeight: -1 })).toThrow('stepHeight');
  expect(() => new Character(list, { radii, slopeLimit: 2 })).toThrow('slopeLimit');
  expect(() => new Character(list, { radii, gap: 0 })).toThrow('gap');
  expect(() => new Character(list, { radii, up: { x: 0, y: 0, z: 0 } })).toThrow('up');
  expect(() => new Character({} as never, { radii })).toThrow('surroundings');
  expect(() => new Character(list, {} as never)).toThrow('shape');
  const hero = new Character(list, { radii });
  expect(() => hero.moveAndSlide(Number.NaN)).toThrow('dt');
  expect(() => hero.teleport({ x: 0, y: Number.POSITIVE_INFINITY, z: 0 })).toThrow('position');
  hero.velocity.x = Number.NaN;
  expect(() => hero.moveAndSlide(1)).toThrow('velocity');
});

/** A square floor at height 0, cut into triangles at random: a grid whose inner points were shaken. */
function randomFloor(rng: Rng, cells: number, size: number): number[] {
  const points: number[][] = [];
  for (let i = 0; i <= cells; i++)
    for (let j = 0; j <= cells; j++) {
      const shake = (k: number) => (k === 0 || k === cells ? 0 : rng.range(-0.45, 0.45));
      points.push([
        ((i + shake(i)) / cells) * 2 * size - size,
        0,
        ((j + shake(j)) / cells) * 2 * size - size,
      ]);
    }
  const out: number[] = [];
  for (let i = 0; i < cells; i++)
    for (let j = 0; j < cells; j++) {
      const at = (a: number, b: number) => points[(i + a) * (cells + 1) + j + b]!;
      const [p, q, r, s] = [at(0, 0), at(0, 1), at(1, 1), at(1, 0)];
      out.push(
        ...(rng.chance(0.5) ? [...p, ...q, ...r, ...p, ...r, ...s] : [...q, ...r, ...s, ...q, ...s, ...p]),
      );
    }
  return out;
}
