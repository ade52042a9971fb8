/**
 * A support map may ask the queries of this room while one of them waits for it, or throw: what was asked first is answered
 * as if it had been alone.
 */
import { expect, test } from 'vitest';
import { boxCore, customCore, cylinderCore, ellipsoidCore, frameOf } from '../../tests/kit/convex.ts';
import { vec3 } from '../math/types.ts';
import { overlapBySeparatingVector, overlapSweptConvex } from '../rtcd/index.ts';
import { castConvex } from './cast.ts';
import type { ConvexCore } from './core.ts';
import { gjkDistance, gjkOverlap } from './gjk.ts';
import { makeGjkState } from './gjk-state.ts';
import { convexManifold } from './manifold.ts';
import { penetration } from './penetration.ts';

const TURN = { x: 0.1, y: 0.3, z: -0.2, w: 0.9 };
const APART = frameOf(TURN, vec3(2.5, 1.5, 0.5));
const DEEP = frameOf(TURN, vec3(0.3, 0.4, 0.2));
const FLAT = frameOf({ x: 0.001, y: 0.3, z: 0, w: 0.9 }, vec3(0.1, -1.19, 0.2));
const MOTION = vec3(4, 2.2, 1);
const TOUCH = { normal: vec3(0, 1, 0), pointA: vec3(0, -0.6, 0), pointB: vec3(0, -0.59, 0) };

function queriesOf(a: ConvexCore, b: ConvexCore): readonly (() => unknown)[] {
  const state = makeGjkState();
  const fresh = () => {
    state.count = 0;
    return state;
  };
  return [
    () => gjkDistance(a, b, APART, fresh()),
    () => gjkDistance(b, a, DEEP, fresh()),
    () => gjkOverlap(a, b, APART, fresh()),
    () => penetration(a, b, DEEP, fresh()),
    () => penetration(b, a, APART, fresh()),
    () => castConvex(a, b, APART, MOTION),
    () => castConvex(b, a, DEEP, MOTION),
    () => convexManifold({ core: a, faces: null }, { core: b, faces: null }, FLAT, TOUCH),
    () => overlapSweptConvex(a, b, APART, MOTION),
    () => overlapBySeparatingVector(a, b, APART, { axis: vec3(-0.6, 0.8, 0), hintA: 0, hintB: 0, passes: 0 }),
  ];
}

/** Calls `interrupt` at the call of that number, counted down. */
let left = -1;
let interrupt = (): void => {};
const likes = [boxCore(0.5, 0.6, 0.4, 0.1), cylinderCore(0.6, 0.5), ellipsoidCore(0.5, 0.6, 0.7)];
const loud = likes.map(customCore).map((core): ConvexCore => {
  const { custom } = core;
  return {
    ...core,
    custom: (direction, out) => {
      if (left-- === 0) interrupt();
      return custom!(direction, out);
    },
  };
});

const nested = queriesOf(cylinderCore(0.7, 0.4), customCore(ellipsoidCore(0.6, 0.5, 0.4)));
const outer = loud.flatMap((core) => [
  ...queriesOf(core, boxCore(0.6, 0.5, 0.4)),
  ...queriesOf(cylinderCore(0.6, 0.5), core),
]);
const text = (query: () => unknown): string => JSON.stringify(query());

test('a support that asks gets its answer, and so does who asked first', () => {
  const own = outer.map(text);
  const inner = nested.map(text);
  let asked = 0;
  for (const [i, query] of outer.entries())
    for (let call = 0; call < 20; call++) {
      const k = (i + call) % nested.length;
      interrupt = () => {
        asked++;
        expect(text(nested[k]!)).toBe(inner[k]);
      };
      left = call;
      expect(text(query), `query ${i}, interrupted in call ${call}`).toBe(own[i]);
      left = -1;
    }
  expect(asked).toBeGreaterThan(400);
});

test('a support that throws leaves nothing behind', () => {
  const own = outer.map(text);
  interrupt = () => {
    throw new Error('boom');
  };
  const memory = process.memoryUsage().arrayBuffers;
  let thrown = 0;
  for (let i = 0; i < 20_000; i++) {
    left = i % 7;
    try {
      outer[i % outer.length]!();
    } catch (error) {
      expect(String(error)).toBe('Error: boom');
      thrown++;
    }
  }
  left = -1;
  expect(thrown).toBeGreaterThan(10_000);
  expect(process.memoryUsage().arrayBuffers - memory).toBeLessThan(2e6);
  expect(outer.map(text)).toEqual(own);
});
