/** Platforms, pushing and being pushed. */
import { describe, expect, test } from 'vitest';
import { DT, ground, heightOf, land, quad, run, SHAPES, spawn } from '../../tests/kit/character-setups.ts';
import { addTo, isFree, makeLevel } from '../../tests/kit/characters.ts';
import { Rng } from '../../tests/kit/index.ts';
import { boxSolid } from '../../tests/kit/solids.ts';
import * as v3 from '../math/vec3.ts';
import { distance } from '../query/index.ts';
import { box, capsule, collider, cylinder, halfSpace, sphere } from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { World } from '../world/index.ts';
import { Character, ColliderList } from './index.ts';

const STILL = { x: 0, y: 0, z: 0, w: 1 };

describe.each(SHAPES)('%s', (_, shape) => {
  const h = heightOf(shape);

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
    // What it was carried by, over the time that it took.
    const was = { ...hero.position };
    pose.position.x += 0.02;
    pose.position.y -= 0.01;
    pose.quaternion.y = Math.sin(3.02 / 2);
    pose.quaternion.w = Math.cos(3.02 / 2);
    run(hero, 0, 0, 1);
    for (const k of ['x', 'y', 'z'] as const)
      expect(Math.abs(hero.platformVelocity[k] * DT - (hero.position[k] - was[k]))).toBeLessThan(1e-9);
    expect(Math.abs(hero.platformVelocity.x)).toBeGreaterThan(0.5);
    // It stands: not any more.
    run(hero, 0, 0, 1);
    expect(hero.platformVelocity).toEqual({ x: 0, y: 0, z: 0 });
  });

  test('the velocity of a platform is how far it went in the time of the move', () => {
    const list = new ColliderList();
    const pose = { position: { x: 0, y: -0.5, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
    list.add(collider(box(9, 0.5, 9), pose));
    const hero = new Character(list, { ...shape, position: { x: 1, y: h + 0.05, z: 2 } });
    land(hero);
    for (const dt of [1 / 20, 1 / 60, 1 / 240]) {
      pose.position.x += 3 * dt;
      pose.position.y += 0.7 * dt;
      pose.position.z -= 2 * dt;
      hero.velocity.y = -1;
      hero.moveAndSlide(dt);
      expect(hero.platformVelocity.x).toBeCloseTo(3, 9);
      expect(hero.platformVelocity.y).toBeCloseTo(0.7, 9);
      expect(hero.platformVelocity.z).toBeCloseTo(-2, 9);
    }
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

  test('every collision tells how fast the thing was there, platforms, doors and doors on hinges', () => {
    const list = new ColliderList();
    const still = { x: 0, y: 0, z: 0, w: 1 };
    const floor = { position: { x: 0, y: -1, z: 0 }, quaternion: { ...still } };
    const door = { position: { x: 4, y: 1, z: 0 }, quaternion: { ...still } };
    const floorId = list.add(collider(box(50, 1, 50), floor));
    const doorId = list.add(collider(box(0.2, 3, 3), door));
    const hero = new Character(list, { ...shape, position: { x: 0, y: h + 0.05, z: 0 } });
    land(hero);
    const met = (id: number) => hero.collisions.find((c) => c.id === id);
    // Against the door that comes towards it.
    for (let i = 0; i < 200 && !met(doorId); i++) {
      door.position.x -= 0.5 * DT;
      run(hero, 1, 0, 1);
    }
    expect(met(doorId)!.colliderVelocity.x).toBeCloseTo(-0.5, 9);
    expect(met(doorId)!.colliderVelocity.z).toBeCloseTo(0, 9);
    // It stands: not any more.
    run(hero, 1, 0, 2);
    expect(met(doorId)!.colliderVelocity).toEqual({ x: 0, y: 0, z: 0 });
    // Turning about its own upright axis, away from it where it is touched.
    const z = 1;
    hero.teleport({ x: door.position.x - 1, y: hero.position.y, z });
    land(hero);
    let turn = 0;
    for (let i = 0; i < 100; i++) {
      turn += 0.2 * DT;
      door.quaternion.y = Math.sin(turn / 2);
      door.quaternion.w = Math.cos(turn / 2);
      run(hero, 3, 0, 1);
    }
    const hit = met(doorId)!;
    const arm = { x: hit.point.x - door.position.x, z: hit.point.z - door.position.z };
    expect(hit.colliderVelocity.x).toBeCloseTo(0.2 * arm.z, 2);
    expect(hit.colliderVelocity.z).toBeCloseTo(-0.2 * arm.x, 2);
    // Ground that it falls on while that rises.
    hero.teleport({ x: -20, y: h + 1, z: 0 });
    for (let i = 0; i < 200 && !met(floorId); i++) {
      floor.position.y += 0.5 * DT;
      run(hero, 0, 0, 1);
    }
    expect(met(floorId)!.colliderVelocity.y).toBeCloseTo(0.5, 9);
  });

  test('a platform that leaps takes it along; a wall wipes it off; a lift crushes it against nothing it enters', () => {
    const level = makeLevel();
    const pose = { position: { x: 0, y: -0.5, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
    const id = level.list.add(collider(box(3, 0.5, 3), pose));
    const hero = spawn(level, shape, [1, h + 0.05, 0]);
    land(hero);
    const { y } = hero.position;
    pose.position.y += 7;
    run(hero, 0, 0, 1);
    expect(hero.floorId).toBe(id);
    expect(hero.position.y).toBeCloseTo(y + 7, 9);
    // Along, into a wall.
    addTo(level, box(1, 5, 5), { x: 4, y: 8, z: 0 });
    for (let i = 0; i < 60; i++) {
      pose.position.x += 0.05;
      run(hero, 0, 0, 1);
      expect(isFree(level, shape, hero.position, 1e-4)).toBe(true);
    }
    const half = 'radii' in shape ? shape.radii.x : 'radius' in shape ? shape.radius : shape.halfSize.x;
    expect(hero.position.x).toBeCloseTo(3 - 1.01 * half, 6);
    // Up, against a ceiling: it stays under it, and says so.
    addTo(level, box(9, 0.5, 9), { x: 0, y: 7 + 2 * h + 0.6, z: 0 });
    let stuck = false;
    for (let i = 0; i < 40; i++) {
      pose.position.y += 0.02;
      run(hero, 0, 0, 1);
      stuck ||= hero.stuck;
      expect((hero.position.x + hero.position.y + hero.position.z) * 0).toBe(0);
    }
    expect(stuck).toBe(true);
  });

  test('out of closed meshes: at any place in one, partly or wholly, no farther than told', () => {
    const { positions, index } = boxSolid(-1, 1);
    const turned = { x: 0.1, y: 0.3, z: 0.3, w: 0.9 };
    for (const quaternion of [{ x: 0, y: 0, z: 0, w: 1 }, turned]) {
      const level = makeLevel();
      addTo(level, mesh(positions, index), { x: 5, y: 0, z: 0 }, quaternion);
      const rng = new Rng(3);
      for (let i = 0; i < 60; i++) {
        const at = rng.vec(0.95);
        const hero = spawn(level, shape, [5 + at.x, at.y, at.z], { maxRecovery: 3 });
        hero.moveAndSlide(DT);
        expect(hero.stuck).toBe(false);
        expect(hero.recovered).toBeGreaterThan(0);
        expect(isFree(level, shape, hero.position, 0)).toBe(true);
        // Free, and not by being small inside of it.
        const { x, y, z } = hero.position;
        const seen = v3.rotateInverse({ x: x - 5, y, z }, quaternion);
        expect(Math.max(Math.abs(seen.x), Math.abs(seen.y), Math.abs(seen.z))).toBeGreaterThan(1);
      }
      const short = spawn(level, shape, [5, 0, 0], { maxRecovery: 0.1 });
      short.moveAndSlide(DT);
      expect(short.stuck).toBe(true);
      expect(short.position).toEqual({ x: 5, y: 0, z: 0 });
    }
  });

  test('a closed mesh that is moved over it pushes it out; a room, whose sides face inwards, does not', () => {
    const { positions, index } = boxSolid(-1, 1);
    const level = makeLevel();
    const pose = { position: { x: 20, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
    level.list.add(collider(mesh(positions, index), pose));
    const hero = spawn(level, shape, [0, 0, 0]);
    hero.moveAndSlide(DT);
    pose.position.x = 0.6;
    hero.moveAndSlide(DT);
    expect(hero.position.x).toBeLessThan(-0.7);
    const big = boxSolid(-9, 9);
    const inward = big.index.map((_, i) => big.index[i - (i % 3) + 2 - (i % 3)]!);
    const room = makeLevel();
    addTo(room, mesh(big.positions, inward));
    const guest = spawn(room, shape, [7, 0, 0]);
    guest.moveAndSlide(DT);
    expect(guest.stuck || guest.recovered > 0).toBe(false);
    expect(guest.position.x).toBe(7);
  });
});

test.each(SHAPES)(
  '%s: squeezed between a spike and a thin wall it does not come out behind the wall',
  (_, shape) => {
    const front = quad([0.2, -9, -9], [0.2, -9, 9], [0.2, 9, 9], [0.2, 9, -9]);
    const back = quad([0.2, -9, -9], [0.2, 9, -9], [0.2, 9, 9], [0.2, -9, 9]);
    const base = [
      [-3, -1, -1],
      [-3, 1, -1],
      [-3, 0, 1],
    ];
    const spike = [0, 1, 2].flatMap((k) => [-0.1, 0, 0, ...base[k]!, ...base[(k + 1) % 3]!]);
    const squeeze = (...parts: number[][]): Character => {
      const level = makeLevel();
      for (const part of parts) addTo(level, mesh(part));
      const hero = spawn(level, shape, [0, 0, 0]);
      for (let i = 0; i < 3; i++) hero.moveAndSlide(1 / 60);
      return hero;
    };
    // Whichever is looked at last.
    for (const hero of [squeeze(front, spike), squeeze(spike, front), squeeze(back, front, spike)]) {
      expect(hero.stuck).toBe(true);
      expect(hero.position.x).toBeLessThan(0.2);
    }
    // Behind a wall it was put there by mistake, and comes out in front of it.
    const out = squeeze(back, spike);
    expect([out.stuck, out.recovered]).toEqual([false, 0]);
    expect(out.position.x).toBeGreaterThan(0.2);
  },
);

test.each(SHAPES)(
  '%s: it is pushed out of round shapes, the short way, by no more than it is in them',
  (_, shape) => {
    const rng = new Rng(31);
    for (const solid of [sphere(1), capsule(0.5, 0.7), cylinder(0.6, 0.8)])
      for (let i = 0; i < 20; i++) {
        const level = makeLevel();
        const id = addTo(level, solid);
        const at = rng.direction();
        const far = rng.range(0.9, 1.6);
        const hero = spawn(level, shape, [99, 0, 0]);
        hero.moveAndSlide(1 / 60);
        hero.teleport(v3.scale(at, far));
        const body = collider(hero.swept.toConvex(), { position: { ...hero.position }, quaternion: STILL });
        const other = level.list.get(id)!;
        hero.moveAndSlide(1 / 60);
        const { separation } = distance(body, other)!;
        // Half of the gap may be missing.
        if (separation > -0.5 * hero.swept.worldGap) {
          expect(hero.recovered).toBe(0);
          continue;
        }
        expect(hero.stuck).toBe(false);
        expect(hero.recovered).toBeCloseTo(-separation, 4);
        const after = collider(hero.swept.toConvex(), { position: { ...hero.position }, quaternion: STILL });
        expect(distance(after, other)!.separation).toBeGreaterThan(-1e-5);
      }
  },
);

test.each(SHAPES)('%s: in two solids at once it leaves the one that it is deeper in first', (_, shape) => {
  const ends = [0, 1].map((order) => {
    const level = makeLevel();
    // A cross: through the side of the one, 0.2 away, it would still be in the other, whose side is 0.3 away.
    const solids = [box(1.2, 9, 9), box(9, 9, 1.5)];
    for (const k of [order, 1 - order]) addTo(level, solids[k]!);
    const hero = spawn(level, shape, [1, 0, 1.2], { maxRecovery: 20 });
    hero.moveAndSlide(1 / 60);
    expect(hero.position.z).toBeGreaterThan(1.5);
    for (let i = 0; i < 4; i++) hero.moveAndSlide(1 / 60);
    expect([hero.stuck, hero.recovered]).toEqual([false, 0]);
    expect(hero.position.x).toBeGreaterThan(1.2);
    expect(isFree(level, shape, hero.position, 0)).toBe(true);
    return { ...hero.position };
  });
  expect(ends[1]).toEqual(ends[0]);
});

test('ground that was taken away from a World is left for the air', () => {
  const world = new World();
  const id = world.add(collider(box(5, 1, 5)));
  const hero = new Character(world, { radius: 0.4, halfHeight: 0.5, position: { x: 0, y: 2, z: 0 } });
  land(hero);
  world.remove(id);
  run(hero, 0, 0, 10);
  expect(hero.onFloor).toBe(false);
  expect(hero.velocity.y).toBeLessThan(0);
});
