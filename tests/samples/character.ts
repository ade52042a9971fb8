import { Character, ColliderList } from '../../src/character/index.ts';
import type { Quat, Vec3 } from '../../src/math/types.ts';
import { vec3 } from '../../src/math/types.ts';
import { box, collider } from '../../src/shapes/index.ts';
import { mesh } from '../../src/shapes/mesh.ts';
import type { Sample } from '../kit/sample.ts';

const level = new ColliderList();
const ground = [-9, 0, -9, -9, 0, 9, 9, 0, 9, -9, 0, -9, 9, 0, 9, 9, 0, -9];
const walls = [-3, 3].flatMap((x) => [x, 0, -9, x, 4, -9, x, 4, 9, x, 0, -9, x, 4, 9, x, 0, 9]);
const ends = [-5, 5].flatMap((z) => [-9, 0, z, -9, 4, z, 9, 4, z, -9, 0, z, 9, 4, z, 9, 0, z]);
level.add(collider(mesh([...ground, ...walls, ...ends])));
const radii = vec3(0.4, 0.9, 0.4);
const position = vec3(0.1, 0.92, 0.2);
const other = new Character(level, { radii, position: vec3(0.1, 1.4, 0.2) });

/** To and fro between two walls, sixty steps each way. */
function walkerOf(name: string, walker: Character) {
  let steps = 0;
  const walk = (dt: number, velocity: Vec3, out: { onWall: boolean }): boolean => {
    walker.velocity.x = steps++ % 120 < 60 ? velocity.x : -velocity.x;
    walker.velocity.y += velocity.y;
    walker.velocity.z = velocity.z;
    const touched = walker.moveAndSlide(dt);
    out.onWall = walker.onWall;
    return touched;
  };
  Object.defineProperty(walk, 'name', { value: name });
  return walk;
}

const walks = [
  walkerOf('moveAndSlide', new Character(level, { radii, position })),
  walkerOf('moveAndSlideCapsule', new Character(level, { radius: 0.4, halfHeight: 0.5, position })),
  walkerOf('moveAndSlideBox', new Character(level, { halfSize: radii, position })),
];

const create = (radii: Vec3, position: Vec3, up: Vec3, stepHeight: number, slopeLimit: number, gap: number) =>
  new Character(level, { radii, position, up, stepHeight, slopeLimit, gap });
const createCapsule = (radius: number, halfHeight: number, snapDistance: number, mass: number) =>
  new Character(level, { radius, halfHeight, snapDistance, mass });
const createBox = (halfSize: Vec3, maxRecovery: number) => new Character(level, { halfSize, maxRecovery });
const teleport = (position: Vec3): void => other.teleport(position);
const resize = (radius: number, halfHeight: number): boolean => other.resize({ radius, halfHeight });
const add = (pose: { position: Vec3; quaternion: Quat }): boolean => {
  const list = new ColliderList();
  return list.remove(list.add({ shape: box(1, 1, 1), pose }));
};

export const samples: Sample[] = [
  ...walks.map((fn) => ({
    fn,
    args: { dt: 0.05, velocity: vec3(3.5, -0.5, 0.2) },
    out: { onWall: false },
  })),
  {
    fn: create,
    args: { radii, position: vec3(0, 1, 0), up: vec3(0, 1, 0), stepHeight: 0.3, slopeLimit: 0.8, gap: 0.01 },
  },
  { fn: createCapsule, args: { radius: 0.4, halfHeight: 0.5, snapDistance: 0.2, mass: 2 } },
  { fn: createBox, args: { halfSize: radii, maxRecovery: 0.5 } },
  { fn: teleport, args: { position: vec3(0.1, 1.4, 0.2) } },
  { fn: resize, args: { radius: 0.3, halfHeight: 0.2 } },
  { fn: add, args: { pose: { position: vec3(1, 2, 3), quaternion: { x: 0.1, y: 0.2, z: 0.3, w: 0.9 } } } },
];
