/** Morton and locational codes, against loops over bits and over levels. */
import { expect, test } from 'vitest';
import { check, property } from '../../tests/kit/index.ts';
import {
  cellOfCode,
  childCode,
  DEEPEST,
  depthOfCode,
  locationalCode,
  locationalCodeAt,
  parentCode,
} from './locational-code.ts';
import { decodeMorton2, decodeMorton3, decodeMortonWide3, morton2, morton3, mortonWide3 } from './morton.ts';

/** Bit by bit, as exact whole numbers. */
function interleaved(parts: readonly number[], bits: number): bigint {
  let code = 0n;
  for (let i = 0; i < bits; i++)
    parts.forEach((part, k) => {
      code |= ((BigInt(part) >> BigInt(i)) & 1n) << BigInt(parts.length * i + k);
    });
  return code;
}

property('[R7.3.5] Morton codes are those of a loop over bits, and decoding is the inverse', 5000, (rng) => {
  const draw = (bits: number): number =>
    rng.pick([0, 2 ** bits - 1, 2 ** rng.int(0, bits - 1), rng.int(0, 2 ** bits - 1)]);
  const [a, b] = [draw(16), draw(16)];
  check(BigInt(morton2(a, b)) === interleaved([a, b], 16), 'morton2');
  const two = decodeMorton2(morton2(a, b));
  check(two.x === a && two.y === b, 'decodeMorton2');
  const [x, y, z] = [draw(10), draw(10), draw(10)];
  check(BigInt(morton3(x, y, z)) === interleaved([x, y, z], 10), 'morton3');
  const three = decodeMorton3(morton3(x, y, z));
  check(three.x === x && three.y === y && three.z === z, 'decodeMorton3');
  const [p, q, r] = [draw(21), draw(21), draw(21)];
  const wide = mortonWide3(p, q, r);
  check((BigInt(wide.high) << 32n) + BigInt(wide.low) === interleaved([p, q, r], 21), 'mortonWide3');
  const back = decodeMortonWide3(wide);
  check(back.x === p && back.y === q && back.z === r, 'decodeMortonWide3');
});

test('[R7.3.5] Morton codes are unsigned, and their range is looked at', () => {
  expect(morton2(0xffff, 0xffff)).toBe(0xffffffff);
  expect(mortonWide3(0x1fffff, 0x1fffff, 0x1fffff)).toEqual({ high: 0x7fffffff, low: 0xffffffff });
  for (const bad of [-1, 0.5, Number.NaN]) {
    expect(() => morton2(bad, 0)).toThrow(/morton2: x/);
    expect(() => morton3(0, bad, 0)).toThrow(/morton3: y/);
    expect(() => mortonWide3(0, 0, bad)).toThrow(/mortonWide3: z/);
    expect(() => decodeMorton2(bad)).toThrow(/decodeMorton2: code/);
    expect(() => decodeMortonWide3({ high: bad, low: 0 })).toThrow(/words.high/);
  }
  expect(() => morton2(0x10000, 0)).toThrow(/morton2: x/);
  expect(() => morton3(1024, 0, 0)).toThrow(/morton3: x/);
  expect(() => mortonWide3(0x200000, 0, 0)).toThrow(/mortonWide3: x/);
});

property(
  '[R7.3.3-4] codes as a descent by comparisons gives them; parent, depth and cell go back',
  3000,
  (rng) => {
    const depth = rng.int(0, DEEPEST);
    const box = { min: rng.vec(3), max: { x: 3, y: 3, z: 3 } };
    const p = rng.chance(0.2)
      ? { x: rng.pick([box.min.x, 3]), y: 3, z: rng.pick([-5, 7]) }
      : { x: rng.range(box.min.x, 3), y: rng.range(box.min.y, 3), z: rng.range(box.min.z, 3) };
    const code = locationalCodeAt(p, box, depth);
    // From the root, by the middles of cells; a point on the last side, or beyond it, is in the last cell.
    let walk = 1;
    const axes = ['x', 'y', 'z'] as const;
    const [low, high] = [{ ...box.min }, { ...box.max }];
    let isClose = false;
    for (let level = 0; level < depth; level++) {
      let octant = 0;
      axes.forEach((axis, k) => {
        const middle = (low[axis] + high[axis]) / 2;
        if (Math.abs(p[axis] - middle) < 1e-9) isClose = true;
        if (p[axis] >= middle) {
          octant |= 1 << k;
          low[axis] = middle;
        } else high[axis] = middle;
      });
      walk = childCode(walk, octant);
    }
    check(isClose || walk === code, () => `${code} and not ${walk} at depth ${depth}`);
    check(depthOfCode(code) === depth, 'depth');
    const { x, y, z } = cellOfCode(code);
    check(locationalCode(x, y, z, depth) === code, 'cell');
    if (depth === 0) check(parentCode(code) === 0, 'the root has no parent');
    else {
      const parent = parentCode(code);
      check(depthOfCode(parent) === depth - 1, 'depth of the parent');
      check(childCode(parent, (x & 1) | ((y & 1) << 1) | ((z & 1) << 2)) === code, 'child of the parent');
    }
  },
);

test('[R7.3.3-4] depth 10 has 31 bits, depth 17 has 52, and there is none deeper', () => {
  expect(locationalCode(1023, 1023, 1023, 10)).toBe(2 ** 31 - 1);
  const last = 2 ** 17 - 1;
  expect(locationalCode(last, last, last, 17)).toBe(2 ** 52 - 1);
  expect(depthOfCode(2 ** 52 - 1)).toBe(17);
  expect(() => childCode(2 ** 52 - 1, 0)).toThrow(/above depth 17/);
  expect(() => locationalCode(0, 0, 0, 18)).toThrow(/depth/);
  expect(() => parentCode(2)).toThrow(/three bits a level/);
  expect(() => locationalCode(8, 0, 0, 3)).toThrow(/locationalCode: x/);
});

test('[R7.3.3-4] the largest coordinate is in the last cell, and a flat box has one', () => {
  const box = { min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 0 } };
  expect(cellOfCode(locationalCodeAt({ x: 1, y: 0, z: 0 }, box, 4))).toEqual({ x: 15, y: 0, z: 0 });
});
