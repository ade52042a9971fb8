/** Sample calls of worlds: of their methods, as functions whose arguments can be spoilt one by one. */

import type { DynamicTree } from '../../src/broadphase/index.ts';
import { pose as makePose, vec3 } from '../../src/math/types.ts';
import type { makeAabb } from '../../src/primitives/types.ts';
import { box, capsule, collider, sphere } from '../../src/shapes/index.ts';
import * as graze from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const broadPhase = new graze.TreeBroadPhase();
const world = new graze.World({ broadPhase });
for (let i = 0; i < 4096; i++) {
  const position = vec3((i % 16) * 2 + 0.25, ((i >> 4) % 16) * 2 + 0.25, (i >> 8) * 2 + 0.25);
  world.add(collider(i % 2 ? sphere(0.5) : box(0.5, 0.4, 0.3), { ...makePose(), position }));
}
const ray = { origin: vec3(-3.5, 0.3, 0.2), direction: vec3(1.5, 0.25, 0.1) };
const place = vec3(1.3, 2.25, 1.5);
const pose = { position: vec3(1.2, 1.1, 1.3), quaternion: { x: 0.1, y: 0.2, z: 0.3, w: 0.9 } };
const body = collider(capsule(0.5, 0.4), pose);
const logged: graze.LoggedQuery[] = [{ query: 'raycast', args: [ray, { maxDistance: 5 }] }];
const mover: graze.Mover = { id: 1, pose: makePose(), velocity: vec3(0.5, 0.25, 0.75) };
const impact = { a: 1, b: 2, time: 0.5, point: vec3(), normal: vec3(0.6, 0.8, 0) };

/** The pose of the body goes through the checks; its shape was checked when it was made. */
const placed = { shape: body.shape, pose: body.pose };
const at = (pose: typeof body.pose) => {
  placed.pose = pose;
  return placed;
};
/** Options that are filled in and used again, as by who wants nothing allocated. */
const within = { maxDistance: 0.5, out: graze.makeWorldHit() };
const any = { mode: 'any' as const, maxDistance: 0.5 };
const near = { maxDistance: 0.5, out: graze.makeWorldSeparation() };
const raycast = (r: typeof ray, maxDistance: number, out: graze.WorldHit) => {
  within.maxDistance = maxDistance;
  within.out = out;
  return world.raycast(r, within);
};
const raycastAny = (r: typeof ray, maxDistance: number) => {
  any.maxDistance = maxDistance;
  return world.raycast(r, any);
};
const raycastAll = (r: typeof ray, maxDistance: number, out: graze.WorldHit[]) =>
  world.raycast(r, { mode: 'all', maxDistance, out });
const nearest = (from: typeof place, maxDistance: number, out: graze.WorldSeparation) => {
  near.maxDistance = maxDistance;
  near.out = out;
  return world.nearest(from, near);
};
const overlaps = (p: typeof body.pose, out: number[]) => world.overlaps(at(p), { out });
const cast = (body: typeof pose, motion: { translation: typeof place }, out: graze.WorldHit) =>
  world.cast(at(body), motion, { out });
const castAll = (body: typeof pose, motion: { translation: typeof place }, out: graze.WorldHit[]) =>
  world.cast(at(body), motion, { mode: 'all', out });
const contacts = (body: typeof pose, margin: number, out: graze.WorldSeparation[]) =>
  world.contacts(at(body), { margin, out });
const search = (box: ReturnType<typeof makeAabb>) => world.searchBox(box, () => {});
const add = (pose: typeof body.pose, group: number) => new graze.World().add(at(pose), { group });
/** A world of its own each time, as a step changes it. */
const step = (fn: typeof graze.stepSequential | typeof graze.stepFixed) =>
  Object.defineProperty(
    (velocity: typeof place, dt: number) => {
      const own = new graze.World();
      const pose = makePose();
      return fn(own, [{ id: own.add(collider(sphere(1), pose)), pose, velocity: { ...velocity } }], dt);
    },
    'name',
    { value: fn.name },
  );

const trusted = ['world'];
const allocates = 'a list that grows';

export const samples: Sample[] = [
  { fn: raycast, args: { ray, maxDistance: 9 }, mayBeInfinite: ['maxDistance'], out: graze.makeWorldHit() },
  { fn: raycastAny, args: { ray, maxDistance: 9 }, mayBeInfinite: ['maxDistance'] },
  { fn: raycastAll, args: { ray, maxDistance: 9 }, mayBeInfinite: ['maxDistance'], out: [], allocates },
  {
    fn: nearest,
    args: { from: place, maxDistance: 5 },
    mayBeInfinite: ['maxDistance'],
    out: graze.makeWorldSeparation(),
  },
  { fn: overlaps, args: { body: pose }, out: [], allocates },
  {
    fn: cast,
    args: { body: pose, motion: { translation: vec3(1.5, 0.25, 0.5) } },
    out: graze.makeWorldHit(),
    allocates: 'a number or two',
  },
  {
    fn: castAll,
    args: { body: pose, motion: { translation: vec3(1.5, 0.25, 0.5) } },
    out: [],
    allocates,
  },
  { fn: contacts, args: { body: pose, margin: 0.1 }, out: [], allocates },
  {
    fn: search,
    args: { box: { min: vec3(0.5, 0.5, 0.5), max: vec3(1.5, 1.5, 1.5) } },
    unchecked: 'boxes may be infinite',
  },
  { fn: add, args: { pose, group: 3 } },
  {
    fn: graze.slideOff,
    args: { impact, a: mover, b: null },
    unchecked: 'looks at normals and velocities only',
  },
  { fn: step(graze.stepFixed), args: { velocity: vec3(0.5, 0.25, 0.75), dt: 0.5 } },
  { fn: step(graze.stepSequential), args: { velocity: vec3(0.5, 0.25, 0.75), dt: 0.5 } },
  { fn: step(graze.stepSimultaneous), args: { velocity: vec3(0.5, 0.25, 0.75), dt: 0.5 } },
  ...[graze.stepFixed, graze.stepSequential, graze.stepSimultaneous].map(
    (fn): Sample => ({ fn, args: { world, movers: [], dt: 0.5 }, trusted }),
  ),
  {
    fn: graze.replayQueries,
    args: { world, queries: logged },
    trusted,
    unchecked: 'the queries check themselves',
  },
  { fn: graze.linesAabb, args: { box: { min: vec3(), max: vec3(1, 2, 3) } }, out: [], allocates },
  {
    fn: (body: typeof pose) => graze.linesOfBody(at(body)),
    args: { body: pose },
  },
  { fn: graze.linesOfBody, args: { body }, trusted: ['body'] },
  { fn: graze.linesOfWorld, args: { world }, trusted },
  { fn: graze.linesOfTree, args: { tree: broadPhase.tree as DynamicTree, level: 1 }, trusted: ['tree'] },
  { fn: graze.linesOfQueries, args: { queries: logged, length: 9 }, trusted: ['queries'] },
];
