/** User code that runs during a move (filters, getters of poses) may move other characters, ask queries and throw. */
import { expect, test } from 'vitest';
import { box, collider, convex, halfSpace, sphere } from '../shapes/index.ts';
import { World } from '../world/index.ts';
import { Character, ColliderList } from './index.ts';

const STILL = { x: 0, y: 0, z: 0, w: 1 };
const still = (x: number, y: number, z: number) => ({ position: { x, y, z }, quaternion: { ...STILL } });

/** A yard to walk in, one of its poses made of getters. */
function yard(onRead: () => void): World {
  const world = new World();
  world.add(collider(halfSpace({ x: 0, y: 1, z: 0 })));
  world.add(collider(box(0.5, 2, 3), still(3, 1, 0)));
  world.add(collider(sphere(0.5), still(1.5, 0, 1)));
  const position = {
    get x() {
      onRead();
      return 0;
    },
    get y() {
      onRead();
      return 0.1;
    },
    get z() {
      onRead();
      return 2.5;
    },
  };
  world.add(collider(box(3, 0.1, 0.5), { position, quaternion: { ...STILL } }));
  return world;
}

const create = (world: World, filter = () => true): Character =>
  new Character(world, { radius: 0.4, halfHeight: 0.5, position: { x: 0, y: 1, z: 0 }, filter });

/** All that a character tells after each of some frames. */
function walk(hero: Character, frames = 60): string[] {
  return Array.from({ length: frames }, (_, i) => {
    Object.assign(hero.velocity, { x: 4, y: hero.velocity.y - 0.2, z: i < 30 ? 3 : -2 });
    hero.moveAndSlide(1 / 60);
    return tell(hero);
  });
}

const tell = ({
  position,
  velocity,
  onFloor,
  floorId,
  floorNormal,
  lastMotion,
  collisions,
  passes,
}: Character) =>
  JSON.stringify({ position, velocity, onFloor, floorId, floorNormal, lastMotion, collisions, passes });

test('a filter, or a getter of a pose, that moves another character changes nothing about the move', () => {
  const plain = walk(create(yard(() => {})));
  const elsewhere = yard(() => {});
  const other = new Character(elsewhere, {
    halfSize: { x: 0.3, y: 0.8, z: 0.3 },
    position: { x: 1, y: 2, z: 0 },
  });
  let nested = 0;
  const moveOther = (): void => {
    nested++;
    Object.assign(other.velocity, { x: 3, y: -2, z: 1 });
    other.moveAndSlide(1 / 60);
    other.teleport({ x: 1, y: 1.2, z: 0 });
  };
  const byFilter = create(
    yard(() => {}),
    () => {
      moveOther();
      return true;
    },
  );
  expect(walk(byFilter)).toEqual(plain);
  expect(nested).toBeGreaterThan(60);
  let isLive = false;
  const byGetter = create(yard(() => isLive && moveOther()));
  isLive = true;
  expect(walk(byGetter)).toEqual(plain);
});

test('a support map that throws changes nothing about the moves that come to their end', () => {
  let onSupport: (() => void) | null = null;
  const ball = convex(
    ({ x, y, z }, out) => {
      onSupport?.();
      const k = 0.6 / Math.sqrt(x * x + y * y + z * z);
      return Object.assign(out, { x: k * x, y: k * y, z: k * z });
    },
    { reach: 0.6 },
  );
  const make = (): Character => {
    const world = yard(() => {});
    world.add(collider(ball, still(1.6, 0.3, 0)));
    world.add(collider(sphere(0.3), still(1, 0.1, 0.4)));
    return create(world);
  };
  const plain = walk(make());
  const hero = make();
  let calls = 0;
  let thrown = 0;
  onSupport = () => {
    if (++calls === 10) throw new Error('of the user');
  };
  const told = Array.from({ length: 60 }, (_, i) => {
    Object.assign(hero.velocity, { x: 4, y: hero.velocity.y - 0.2, z: i < 30 ? 3 : -2 });
    for (let k = 0; k < 1000; k++) {
      calls = -k;
      try {
        hero.moveAndSlide(1 / 60);
        break;
      } catch (error) {
        expect(String(error)).toContain('of the user');
        thrown++;
      }
    }
    return tell(hero);
  });
  expect(told).toEqual(plain);
  expect(thrown).toBeGreaterThan(20);
});

test('a world of the user may move another character wherever it is asked', () => {
  const list = new ColliderList();
  list.add(collider(halfSpace({ x: 0, y: 1, z: 0 })));
  const platform = { position: { x: 0, y: 0, z: 0 }, quaternion: { ...STILL } };
  list.add(collider(box(9, 0.2, 9), platform));
  const other = new Character(
    yard(() => {}),
    { radius: 0.3, halfHeight: 0.3 },
  );
  let isLive = false;
  const moveOther = (): void => {
    if (!isLive) return;
    other.teleport({ x: 1, y: 1.2, z: 0 });
    Object.assign(other.velocity, { x: 3, y: -2, z: 1 });
    other.moveAndSlide(1 / 60);
  };
  const asking = {
    searchBox: (...args: Parameters<ColliderList['searchBox']>) => {
      moveOther();
      list.searchBox(...args);
      moveOther();
    },
    get: (id: number) => {
      moveOther();
      return list.get(id);
    },
    has: (id: number) => {
      moveOther();
      return list.get(id) !== undefined;
    },
  };
  const ways = [false, true].map((live) => {
    isLive = live;
    platform.position.x = 0;
    const hero = new Character(asking, { radius: 0.4, halfHeight: 0.5, position: { x: 0, y: 1.2, z: 0 } });
    return Array.from({ length: 40 }, () => {
      platform.position.x += 0.02;
      Object.assign(hero.velocity, { x: 1, y: hero.velocity.y - 0.2, z: 0.5 });
      hero.moveAndSlide(1 / 60);
      return tell(hero);
    });
  });
  expect(ways[1]).toEqual(ways[0]);
});

test('a move that threw is forgotten: the platform carries it by what it went since the move before', () => {
  const list = new ColliderList();
  const platform = { position: { x: 0, y: 0, z: 0 }, quaternion: { ...STILL } };
  list.add(collider(box(9, 0.5, 9), platform));
  let throws = false;
  const hero = new Character(list, {
    radius: 0.4,
    halfHeight: 0.5,
    position: { x: 0, y: 1.45, z: 0 },
    filter: () => {
      if (throws) throw new Error('of the user');
      return true;
    },
  });
  for (let i = 0; i < 10; i++) {
    hero.velocity.y = -1;
    hero.moveAndSlide(1 / 60);
  }
  expect(hero.onFloor).toBe(true);
  const { floorNormal, position } = hero;
  const before = { floorNormal: { ...floorNormal }, position: { ...position } };
  throws = true;
  for (let i = 1; i <= 3; i++) {
    platform.position.x = 0.02 * i;
    expect(() => hero.moveAndSlide(1 / 60)).toThrow('of the user');
    expect({ floorNormal, position }).toEqual(before);
    expect([hero.onFloor, hero.floorId]).toEqual([true, 0]);
  }
  throws = false;
  platform.position.x = 0.09;
  hero.moveAndSlide(1 / 60);
  expect(hero.position.x).toBeCloseTo(0.09, 12);
  expect(hero.platformVelocity.x).toBeCloseTo(60 * 0.09, 9);
});

test('what throws in the middle of a move leaves the character as it was, and nothing behind', () => {
  const plain = walk(create(yard(() => {})));
  let throws = false;
  const hero = create(
    yard(() => {}),
    () => {
      if (throws) throw new Error('of the user');
      return true;
    },
  );
  const told: string[] = [];
  for (let i = 0; i < 60; i++) {
    Object.assign(hero.velocity, { x: 4, y: hero.velocity.y - 0.2, z: i < 30 ? 3 : -2 });
    throws = true;
    for (let k = 0; k < 3; k++) expect(() => hero.moveAndSlide(1 / 60)).toThrow('of the user');
    expect(() => hero.resize({ radius: 0.2, halfHeight: 0.1 })).toThrow('of the user');
    throws = false;
    hero.moveAndSlide(1 / 60);
    told.push(tell(hero));
  }
  expect(told).toEqual(plain);
});

test('a character does not move itself in the middle of its own move', () => {
  const hero: Character = create(
    yard(() => {}),
    () => hero.moveAndSlide(1),
  );
  expect(() => hero.moveAndSlide(1)).toThrow('under way');
  const walker: Character = create(
    yard(() => {}),
    () => walker.resize({ radius: 0.1, halfHeight: 0.1 }),
  );
  expect(() => walker.moveAndSlide(1)).toThrow('under way');
  expect(walker.swept.radius).toBe(0.4);
});
