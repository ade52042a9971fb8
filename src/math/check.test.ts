import { expect, test } from 'vitest';
import {
  ANY_FINITE,
  checkAabb,
  checkMat3,
  checkNumbers,
  checkPoint,
  checkPoint2,
  checkSphere,
  LARGEST,
  mustNotBeNegative,
} from './check.ts';

// biome-ignore lint/suspicious/noExplicitAny: what the compiler would not let pass
const any = (value: unknown): any => value;

test('names the argument, the place in it and the caller', () => {
  expect(() => checkPoint('f', 'p', { x: 0, y: Number.NaN, z: 0 })).toThrow(
    new RangeError('graze: f: p.y must be a finite number, got NaN'),
  );
  const box = { min: { x: 0, y: 0, z: -Infinity }, max: { x: 1, y: 1, z: 1 } };
  expect(() => checkAabb('f', 'box', box)).toThrow(/box\.min\.z/);
  const elements = [1, 2, Number.NaN, 4, 5, 6, 7, 8, 9];
  expect(() => checkMat3('f', 'm', { elements })).toThrow(/m\.elements\[2\]/);
  expect(() => checkPoint('f', 'p', any(undefined))).toThrow(TypeError);
  expect(() => checkPoint('f', 'p', any({ x: '1', y: 0, z: 0 }))).toThrow(TypeError);
  expect(() => checkPoint('f', 'p', any({}))).toThrow(TypeError);
});

test('a point must have all of its coordinates', () => {
  expect(() => checkPoint('f', 'p', any({ x: 0, y: 0 }))).toThrow(/p must be {x, y, z}/);
  expect(() => checkPoint2('f', 'p', any({ x: 0 }))).toThrow(/p must be {x, y}/);
  expect(() => checkPoint2('f', 'p', { x: 0, y: 0 })).not.toThrow();
});

test('coordinates up to the largest pass, and no others', () => {
  expect(() => checkPoint('f', 'p', { x: LARGEST, y: 0, z: 0 })).not.toThrow();
  expect(() => checkPoint('f', 'p', { x: 1.01 * LARGEST, y: 0, z: 0 })).toThrow(/p.x must be within ±1e\+75/);
  expect(() => checkPoint('f', 'p', { x: LARGEST, y: LARGEST, z: -LARGEST })).not.toThrow();
  for (const k of [0, 1, 2, 3])
    expect(() =>
      checkMat3('f', 'm', { elements: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((_, i) => (i < k ? 0 : LARGEST)) }),
    ).not.toThrow();
  expect(() => checkSphere('f', 's', { center: { x: 0, y: 0, z: 0 }, radius: LARGEST })).not.toThrow();
});

test('any finite numbers pass where they may, however large their sum', () => {
  expect(() => checkPoint('f', 'p', { x: 1e308, y: 1e308, z: 1e308 }, ANY_FINITE)).not.toThrow();
  expect(() => checkPoint('f', 'p', { x: 1e308, y: Infinity, z: 1e308 }, ANY_FINITE)).toThrow(/p.y/);
});

test('lists of numbers', () => {
  expect(() => checkNumbers('f', 'list', [1, Number.NaN])).not.toThrow();
  expect(() => checkNumbers('f', 'list', [1, Number.NaN], ANY_FINITE)).toThrow(/list\[1\] must be a finite/);
  expect(() => checkNumbers('f', 'list', new Float32Array([1, Infinity]), ANY_FINITE)).toThrow(/list\[1\]/);
  expect(() => checkNumbers('f', 'list', any([1, '1']))).toThrow(/list\[1\] must be a number/);
});

test('negative sizes', () => {
  expect(() => mustNotBeNegative('f', 'radius', -1)).toThrow(/radius must not be negative, got -1/);
  expect(() => mustNotBeNegative('f', 'radius', Number.NaN)).toThrow(RangeError);
  expect(() => mustNotBeNegative('f', 'radius', 0)).not.toThrow();
});

test('methods that are called like fields, as those of three.js, are no numbers to look at', () => {
  const vector = { x: 1, y: 2, z: 3, min: () => vector, max: () => vector };
  expect(() => checkPoint('f', 'p', vector)).not.toThrow();
  expect(() => checkPoint('f', 'p', { ...vector, y: Number.NaN })).toThrow(/p.y must be a finite number/);
});
