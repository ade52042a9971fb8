/** User code that runs during a move (filters, getters of poses) may move other characters, ask queries and throw. */
import { expect, test } from 'vitest';
import { box, collider, halfSpace, sphere } from '../shapes/index.ts';
import { World } from '../world/index.ts';
import { Character } from './index.ts';

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
});
