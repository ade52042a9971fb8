/** The methods of classes, and the adapter for three.js: hostile calls as in hostile.test.ts, each on an object of its own. */
import { BoxGeometry, Mesh, MeshBasicMaterial, Scene } from 'three';
import { describe, expect, test } from 'vitest';
import {
  accelerate,
  colliderOf,
  collidersOf,
  DebugView,
  meshOf,
  sourceOf,
  syncWorld,
} from '../src/three/index.ts';
import { callsOf, runCalls } from './kit/hostile.ts';
import * as graze from './kit/public-names.ts';
import type { Sample } from './kit/sample.ts';

const factor = Number(process.env['GRAZE_CASES'] ?? 1);
const STRIDE = factor >= 10 ? 1 : 13;
const LIMIT = 20_000;

const { vec3 } = graze;
const box = { min: vec3(0, 0, 0), max: vec3(1, 1, 1) };
const ray = { origin: vec3(0.1, 0.2, 5), direction: vec3(0, 0, -1) };
const visit = () => 9;
const two = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3];

type Args = Readonly<Record<string, unknown>>;

/** A call of a method of an object that is made for it. */
function method(make: () => object, name: string, args: Args, alternatives: readonly string[] = []): Sample {
  const fn = (...given: unknown[]) => {
    const object = make() as Record<string, (...given: unknown[]) => unknown>;
    return object[name]!(...given);
  };
  return { fn: Object.defineProperty(fn, 'name', { value: name }), args, alternatives };
}

/** No call may end in an error that is not ours, in NaN, or without an end; nor take a wrong type for a right one. */
function check(sample: Sample): void {
  sample.fn(...Object.values(sample.args));
  const calls = callsOf(sample).filter((_, i) => i % STRIDE === 0);
  const bad = runCalls(calls, LIMIT).filter(({ verdict }) => verdict !== 'named' && verdict !== 'fine');
  const told = bad.map(
    ({ call, verdict, message }) => `${verdict}: ${call.path.join('.')} = ${call.value} ${message}`,
  );
  expect(told).toEqual([]);
}

function checkAll(title: string, samples: readonly Sample[]): void {
  describe(`[R2.6] hostile calls of ${title}`, () => {
    for (const sample of samples) test(sample.fn.name, () => check(sample));
  });
}

const PHASES: Readonly<Record<string, () => graze.BroadPhase>> = {
  BitGrid: () => new graze.BitGrid({ cell: 1 }),
  CountedGrid: () => new graze.CountedGrid({ cell: 1 }),
  HierarchicalGrid: () => new graze.HierarchicalGrid(),
  IncrementalSweep: () => new graze.IncrementalSweep(),
  LooseOctree: () => new graze.LooseOctree(),
  SortAndSweep: () => new graze.SortAndSweep(),
  TreeBroadPhase: () => new graze.TreeBroadPhase(),
  UniformGrid: () => new graze.UniformGrid({ cell: 1 }),
};

for (const [name, empty] of Object.entries(PHASES)) {
  const make = () => {
    const phase = empty();
    phase.add(1, box);
    phase.add(2, { min: vec3(0.5, 0, 0), max: vec3(2, 1, 1) });
    return phase;
  };
  checkAll(name, [
    method(make, 'add', { id: 3, box }),
    method(make, 'move', { id: 1, box }),
    method(make, 'moveMany', { ids: [1, 2], boxes: new Float64Array(two) }),
    method(make, 'remove', { id: 1 }),
    method(make, 'pairs', { visit }),
    // That of the tree fills a list as well.
    method(make, 'searchBox', { box, visit }, ['visit']),
    method(make, 'searchRay', { ray, tMax: 9, visit }),
  ]);
}

const tree = () => {
  const made = new graze.DynamicTree();
  made.insertMany([...two, ...two]);
  return made;
};
checkAll('DynamicTree', [
  method(tree, 'insert', { box, data: 3 }),
  method(tree, 'insertMany', { boxes: two, options: { data: [4, 5], method: 'shuffled', seed: 2 } }),
  method(tree, 'remove', { proxy: 1 }),
  method(tree, 'move', { proxy: 1, box, displacement: vec3(1) }),
  method(tree, 'moveMany', { proxies: [0, 1], boxes: new Float64Array(two) }),
  method(tree, 'data', { proxy: 1 }),
  method(tree, 'box', { proxy: 1 }),
  method(tree, 'fatBox', { proxy: 1 }),
  method(tree, 'query', { box, visit }, ['visit']),
  method(tree, 'raycast', { ray, tMax: 9, visit }),
  method(tree, 'searchNear', { box, reach: { t: 3 }, visit }),
  method(tree, 'searchSwept', { box, motion: vec3(1), reach: { t: 1 }, visit }),
  method(tree, 'pairs', { visit }),
  method(tree, 'nearest', { p: vec3(), k: 2 }),
  method(tree, 'visitNodes', { visit }),
]);

const world = () => {
  const made = new graze.World();
  made.add(graze.sphere(1));
  made.add(graze.box(1, 1, 1));
  made.update();
  return made;
};
/** What belongs to the user may be anything. */
const OWN = [
  'snapshot.colliders.0.owner',
  'snapshot.colliders.1.owner',
  'snapshot.colliders.0.data',
  'snapshot.colliders.1.data',
];
checkAll('World', [
  method(world, 'add', { body: graze.sphere(1), options: { group: 1, mask: 2, sensor: false, data: 4 } }, [
    'options.data',
  ]),
  method(world, 'get', { id: 1 }),
  method(world, 'remove', { id: 1 }),
  method(world, 'refresh', { id: 1 }),
  method(world, 'meets', { a: 1, b: 2 }),
  method(world, 'change', { id: 1, options: { group: 1, mask: 1, sensor: true, data: 4 } }, ['options.data']),
  method(world, 'searchBox', { box, visit }),
  method(world, 'restore', { snapshot: world().snapshot(), poseOf: () => undefined }, OWN),
]);

checkAll('Stamps, Mailboxes', [
  {
    fn: function stamps(size: number, bits: 8) {
      return new graze.Stamps(size, bits);
    },
    args: { size: 10, bits: 8 },
  },
  {
    fn: function mailboxes(size: number, bits: 8) {
      return new graze.Mailboxes(size, bits);
    },
    args: { size: 10, bits: 8 },
  },
  method(() => new graze.Mailboxes(10), 'give', { stamps: new graze.Stamps(10) }),
]);

const scene = new Scene();
const crate = new Mesh(new BoxGeometry(1, 2, 3), new MeshBasicMaterial());
scene.add(crate);
const solid = graze.box(1, 1, 1);
const hit = graze.raycast(ray, solid)!;
const contacts = graze.contacts(solid, graze.sphere(1));
const view = () => new DebugView();

checkAll('graze/three', [
  {
    fn: function accelerated(root: Mesh, options: object) {
      accelerate(root, options)();
    },
    args: { root: crate, options: { filter: () => true, sceneTree: true } },
  },
  { fn: colliderOf, args: { object: crate, shape: 'box' }, alternatives: ['shape'] },
  {
    fn: collidersOf,
    args: { root: scene, options: { shape: 'hull', filter: () => true } },
    alternatives: ['options.shape'],
  },
  { fn: meshOf, args: { source: crate, options: { invisible: true } } },
  { fn: sourceOf, args: { mesh: meshOf(crate), triangle: 3 } },
  {
    fn: function synced(of: graze.World, root: Scene, options: object) {
      syncWorld(of, root, options).dispose();
    },
    args: { world: new graze.World(), root: scene, options: { collider: { group: 1, mask: 2, data: 3 } } },
    alternatives: ['options.collider', 'options.collider.data'],
  },
]);

/** `DebugView` reads of a hit or contact what it draws. */
const UNREAD = /\.(part|moverPart|partA|partB|separation)\b/;
const unread = (args: Args) =>
  callsOf({ fn: () => {}, args })
    .map(({ path }) => path.join('.'))
    .filter((path) => UNREAD.test(path));

checkAll('DebugView', [
  method(view, 'drawLine', { a: vec3(), b: vec3(1), color: 3 }, ['color']),
  method(view, 'drawPoint', { p: vec3(), color: 3 }, ['color']),
  method(view, 'drawNormal', { p: vec3(), normal: vec3(1), color: 3 }, ['color']),
  method(view, 'drawBox', { box, color: 3 }, ['color']),
  method(view, 'drawBody', { body: solid, color: 3 }, ['color']),
  method(view, 'drawContacts', { contacts }, unread({ contacts })),
  method(view, 'drawRay', { ray, hit, maxDistance: 5 }, ['hit', ...unread({ hit })]),
  method(view, 'drawCast', { mover: solid, motion: { translation: vec3(1) }, hit }, [
    'hit',
    ...unread({ hit }),
  ]),
  method(view, 'drawTree', { tree: graze.mesh([0, 0, 0, 1, 0, 0, 0, 1, 0]), level: 1 }),
  method(view, 'drawWorld', { world: world(), options: { shapes: true, boxes: true, pairs: true } }),
]);
