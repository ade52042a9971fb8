import { expect, test } from 'vitest';
import { check, property } from '../../tests/kit/index.ts';
import { batchMesh } from '../trimesh/batch.ts';
import { mesh } from '../trimesh/mesh.ts';
import { countOfList, gatherNumbers } from './number-list.ts';

property('a strided list holds what it is told to, and nothing else is looked at', 2000, (rng) => {
  const size = rng.int(1, 4);
  const stride = size + rng.int(0, 3);
  const offset = rng.int(0, 5);
  const count = rng.int(0, 20);
  const plain = Float64Array.from({ length: count * size }, () => rng.range(-1, 1));
  const length = count === 0 ? rng.int(0, offset + size - 1) : offset + (count - 1) * stride + size;
  const array = new Float64Array(length + (count > 0 ? rng.int(0, stride - 1) : 0)).fill(Number.NaN);
  for (let i = 0; i < plain.length; i++)
    array[offset + Math.floor(i / size) * stride + (i % size)] = plain[i]!;
  const list = { array, offset, stride };
  check(countOfList('test', 'list', list, size) === count, 'count');
  const from = rng.int(0, count);
  const to = rng.int(from, count);
  const found = gatherNumbers(list, size, from, to, rng.chance(0.5));
  check(found.length === size * (to - from), 'length');
  for (let i = 0; i < found.length; i++) check(Object.is(found[i], plain[from * size + i]), 'number');
});

test('what is no list is refused by name', () => {
  const count = (list: unknown) => () => countOfList('f', 'list', list as never, 3);
  expect(count({})).toThrow('f: list must be an array of numbers, or { array, offset, stride }');
  expect(count(null)).toThrow('f: list must be an array of numbers');
  expect(count({ array: [1, 2, 3] })).toThrow('list must be an array of numbers, or');
  expect(count({ array: [1, 2, 3], stride: 2 })).toThrow('list.stride must be a whole number of at least 3');
  expect(count({ array: [1, 2, 3], stride: 3, offset: -1 })).toThrow('list.offset must be a whole number');
  expect(count({ array: [1, 2, 3], stride: 3.5 })).toThrow('list.stride');
  expect(count({ array: [0, 1, Number.NaN, 3], stride: 3, offset: 1 })).toThrow(
    'list.array[2] must be a finite number',
  );
  expect(count({ array: ['1', 2, 3], stride: 3 })).toThrow('list.array[0] must be a number');
  expect(count({ array: [1, 2, 1e300], stride: 3 })).toThrow('list.array[2]');
});

test('batches of interleaved lists are those of plain ones', () => {
  const solid = mesh([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  const rays = Float32Array.from({ length: 60 }, (_, i) =>
    i % 6 === 5 ? -1 : i % 6 === 2 ? 1 : (i % 7) / 8,
  );
  const origins: number[] = [];
  const directions: number[] = [];
  for (let i = 0; i < 60; i += 6) {
    origins.push(rays[i]!, rays[i + 1]!, rays[i + 2]!);
    directions.push(rays[i + 3]!, rays[i + 4]!, rays[i + 5]!);
  }
  const spheres = { array: rays, offset: 2, stride: 6 };
  const apart = batchMesh('rayMesh', { origins, directions }, solid);
  expect(apart.triangle).toContain(0);
  const input = { origins: { array: rays, stride: 6 }, directions: { array: rays, offset: 3, stride: 6 } };
  expect(batchMesh('rayMesh', input, solid)).toEqual(apart);
  expect(() => batchMesh('overlapSphereMesh', { spheres }, solid)).toThrow(/negative radii, got -1 at 5/);
});
