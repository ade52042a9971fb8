import { makeFrame, relativeFrame, supportCore } from '../../src/convex/index.ts';
import { vec3 } from '../../src/math/types.ts';
import { box, collider, cylinder } from '../../src/shapes/index.ts';
import * as query from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const quaternion = { x: 0.1, y: 0.2, z: 0.3, w: 0.9 };
const [one, two] = [box(0.5, 0.4, 0.3), cylinder(0.5, 0.4)];
const pose = { position: vec3(0.1, 0.2, 0.3), quaternion };
const near = { position: vec3(1.8, 0.3, 0.1), quaternion };

/** The pose of the first body goes through the checks; its shape was checked when it was made. */
const first =
  (fn: (...args: never[]) => unknown) =>
  (a: object, ...rest: unknown[]): unknown =>
    (fn as (...args: unknown[]) => unknown)({ shape: one, pose: a }, ...rest);

const b = collider(two, near);
const trusted = ['b'];

export const samples: Sample[] = [
  { fn: relativeFrame, args: { a: pose, b: near }, out: makeFrame(), unchecked: 'plain arithmetic' },
  {
    fn: supportCore,
    args: { core: one.core, direction: vec3(1, 2, 3), hint: -1 },
    out: vec3(),
    unchecked: 'a kernel: cores are checked when they are made',
  },
  { fn: first(query.intersects), args: { a: pose, b }, trusted },
  { fn: query.intersects, args: { a: collider(one, pose), b }, trusted: ['a', 'b'] },
  {
    fn: query.distance,
    args: { a: collider(one, pose), b },
    trusted: ['a', 'b'],
    out: { maxDistance: 5.5, out: query.makeSeparation() },
  },
  {
    fn: query.contacts,
    args: { a: collider(one, pose), b },
    trusted: ['a', 'b'],
    out: { margin: 0.1, out: [] },
    allocates: 'a list that grows',
  },
  {
    fn: query.cast,
    allocates: 'some numbers are boxed on their way through the convex algorithms',
    args: {
      mover: collider(one, { ...pose, position: vec3(-4, 0.2, 0.1) }),
      motion: { translation: vec3(6, 0.1, 0.2) },
      target: b,
    },
    trusted: ['mover', 'target'],
    out: { out: query.makeCastHit() },
  },
];
