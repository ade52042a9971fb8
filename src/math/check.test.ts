import { expect, test } from 'vitest';
import { mustBeFinite, mustNotBeNegative } from './check.ts';

test('names the argument, the place in it and the caller', () => {
  expect(() => mustBeFinite('f', { p: { x: 0, y: Number.NaN, z: 0 } })).toThrow(
    new RangeError('graze: f: p.y must be a finite number, got NaN'),
  );
  expect(() =>
    mustBeFinite('f', { box: { min: { x: 0, y: 0, z: -Infinity }, max: { x: 1, y: 1, z: 1 } } }),
  ).toThrow(/box\.min\.z/);
  expect(() => mustBeFinite('f', { m: { elements: [1, 2, Number.NaN] } })).toThrow(/m\.elements\[2\]/);
  expect(() => mustBeFinite('f', { p: undefined })).toThrow(TypeError);
  expect(() => mustBeFinite('f', { p: { x: '1', y: 0, z: 0 } })).toThrow(TypeError);
  expect(() => mustBeFinite('f', { p: {} })).toThrow(TypeError);
});

test('a point must have all of its coordinates', () => {
  expect(() => mustBeFinite('f', { p: { x: 0, y: 0 } })).toThrow(/p must have x, y and z/);
  expect(() => mustBeFinite('f', { p: { x: 0 } }, 2)).toThrow(/p must have x and y/);
  expect(() => mustBeFinite('f', { p: { x: 0, y: 0 } }, 2)).not.toThrow();
});

test('finite numbers pass, however large their sum', () => {
  expect(() => mustBeFinite('f', { p: { x: 1e308, y: 1e308, z: 1e308 }, r: 1e308 })).not.toThrow();
});

test('negative sizes', () => {
  expect(() => mustNotBeNegative('f', 'radius', -1)).toThrow(/radius must not be negative, got -1/);
  expect(() => mustNotBeNegative('f', 'radius', Number.NaN)).toThrow(RangeError);
  expect(() => mustNotBeNegative('f', 'radius', 0)).not.toThrow();
});

test('methods that are called like fields, as those of three.js, are no numbers to look at', () => {
  const vector = { x: 1, y: 2, z: 3, min: () => vector, max: () => vector };
  expect(() => mustBeFinite('f', { p: vector })).not.toThrow();
  expect(() => mustBeFinite('f', { p: { ...vector, y: Number.NaN } })).toThrow(/p.y must be a finite number/);
});
