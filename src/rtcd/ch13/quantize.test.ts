import { describe, expect, test } from 'vitest';
import { check, property } from '../../../tests/kit/index.ts';
import { cloud } from '../../../tests/kit/rng.ts';
import { dequantizePoints, type QuantizedFormat, quantizePoints } from './quantize.ts';

const FORMATS = ['16', '11-11-10'] as const;
const TOPS = { '16': [65535, 65535, 65535], '11-11-10': [2047, 2047, 1023], delta: [65535, 65535, 65535] };

property('[R13.3.2] points come back within half a step', 3000, (rng, index) => {
  const { points, scale } = cloud(rng, index < 4 ? 1 : rng.int(1, 30));
  if (rng.chance(0.2)) for (const p of points) p.z = points[0]!.z;
  const format = rng.pick(FORMATS);
  const quantized = quantizePoints(points, format);
  const back = dequantizePoints(quantized);
  const flat = points.flatMap((p) => [p.x, p.y, p.z]);
  for (let i = 0; i < flat.length; i++) {
    const k = i % 3;
    const low = Math.min(...points.map((_, j) => flat[3 * j + k]!));
    const high = Math.max(...points.map((_, j) => flat[3 * j + k]!));
    // Half a step by its definition, and the rounding of doubles of that size.
    const half = (0.5 * (high - low)) / TOPS[format][k]!;
    const off = Math.abs(back[i]! - flat[i]!);
    check(off <= half + 2e-15 * (scale + high - low), () => `${off} for a step of ${2 * half}`);
    check(off <= quantized.error[k]!, 'the stated bound');
    check(quantized.error[k]! <= half * 1.0001 + 2e-15 * (scale + high - low), 'a bound that says something');
    if (high === low) check(back[i] === flat[i], 'a flat set keeps its plane');
  }
});

property(
  '[R13.3.2] a grid over a given box: the same point, the same number, whatever it comes with',
  1000,
  (rng) => {
    const { points, size } = cloud(rng, 6, 'plain');
    const box = { min: { x: -2 * size, y: -2, z: -3 }, max: { x: 2 * size, y: 2, z: 5 } };
    const format = rng.pick(FORMATS);
    const all = dequantizePoints(quantizePoints(points, format, box));
    const some = dequantizePoints(quantizePoints(points.slice(2, 4), format, box));
    for (let i = 0; i < 6; i++) check(some[i] === all[6 + i], 'the same grid');
    // Points of the grid stay where they are.
    const again = dequantizePoints(quantizePoints(all, format, box));
    for (let i = 0; i < all.length; i++) check(again[i] === all[i], 'snapped once, snapped for good');
  },
);

describe('[R13.3.2] deltas', () => {
  const grid = { min: { x: 0, y: 0, z: 0 }, max: { x: 65535, y: 65535, z: 65535 } };
  const [A, B, C, D, E] = [
    [30086, 15857, 9385],
    [30189, 15969, 9285],
    [30192, 15771, 9030],
    [29971, 15764, 9498],
    [30304, 15888, 9133],
  ] as const;

  test('are exact: as good as 16 bits in half the space', () => {
    // The five points of RTCD §13.3.2 in an order in which no step is longer than 127.
    const points = [D, A, B].flat();
    const delta = quantizePoints(points, 'delta', grid);
    expect([...delta.first]).toEqual(D);
    expect([...delta.data]).toEqual([115, 93, -113, 103, 112, -100]);
    expect(dequantizePoints(delta)).toEqual(Float64Array.from(points));
  });

  test('a step of -152, which the order of the book has, is refused', () => {
    expect(() => quantizePoints([D, A, B, E, C].flat(), 'delta', grid)).toThrow(
      /points 2 and the next are -152 steps/,
    );
    expect(() => quantizePoints([0, 0, 0, 128, 0, 0], 'delta', grid)).toThrow(/128 steps/);
    expect(() => quantizePoints([0, 0, 0, 127, 0, 0], 'delta', grid)).not.toThrow();
    expect(() => quantizePoints([128, 0, 0, 0, 0, 0], 'delta', grid)).not.toThrow();
    expect(() => quantizePoints([129, 0, 0, 0, 0, 0], 'delta', grid)).toThrow(RangeError);
  });

  property('of walks: the same points as in 16 bits', 1000, (rng) => {
    const box = { min: { x: -1, y: -2, z: -3 }, max: { x: 3, y: 2, z: 1 } };
    let [x, y, z] = [0.3, 0.4, -0.5];
    const points = Array.from({ length: rng.int(1, 40) }, () => {
      x += rng.range(-126, 126) * (4 / 65535);
      y += rng.range(-126, 126) * (4 / 65535);
      z += rng.range(-126, 126) * (4 / 65535);
      return { x, y, z };
    });
    const delta = quantizePoints(points, 'delta', box);
    const plain = quantizePoints(points, '16', box);
    check(delta.data.byteLength === 3 * (points.length - 1), 'three bytes a point');
    const [a, b] = [dequantizePoints(delta), dequantizePoints(plain)];
    for (let i = 0; i < a.length; i++) check(a[i] === b[i], 'the same');
  });
});

describe('[R13.3.2] sizes and ranges', () => {
  test('6, 4 and 3 bytes a point', () => {
    const points = new Float64Array(300).fill(1);
    const bytes = (format: QuantizedFormat) => quantizePoints(points, format).data.byteLength;
    expect([bytes('16'), bytes('11-11-10'), bytes('delta')]).toEqual([600, 400, 297]);
  });

  test('11 bits for x from the top, 11 for y, 10 for z', () => {
    const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1];
    const { data } = quantizePoints(corners, '11-11-10');
    expect([...data]).toEqual([0, (2047 << 21) >>> 0, 2047 << 10, 1023, 0xffffffff]);
    expect([...dequantizePoints(quantizePoints(corners, '11-11-10'))]).toEqual(corners);
  });

  test('the largest and the smallest spans', () => {
    for (const size of [1e-320, 1e-300, 1e150, 8e307]) {
      const points = [-size, 0, size, size, size / 3, -size];
      const quantized = quantizePoints(points, '16');
      const back = dequantizePoints(quantized);
      points.forEach((x, i) => {
        expect(Math.abs(back[i]! - x)).toBeLessThanOrEqual(quantized.error[i % 3]!);
      });
    }
    expect(() => quantizePoints([-1.7e308, 0, 0, 1.7e308, 0, 0], '16')).toThrow(/points/);
  });

  test('what is outside the box, and what is no number, is refused', () => {
    const box = { min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } };
    expect(() => quantizePoints([0, 0, 0, 0, 1.0000001, 0], '16', box)).toThrow(/points .* unlike number 1/);
    expect(() => quantizePoints([0, 0, -1e-300], '11-11-10', box)).toThrow(/points/);
    expect(() => quantizePoints([0, Number.NaN, 0], '16')).toThrow(/points/);
    expect(() => quantizePoints([], '16')).toThrow(/points/);
    expect(() => quantizePoints([0, 0, 0], '12' as never)).toThrow(/format/);
    expect(() => quantizePoints([0, 0, 0], '16', { min: box.max, max: box.min })).toThrow(/box/);
    expect(() => dequantizePoints(quantizePoints([0, 0, 0], '16'), new Float64Array(4))).toThrow(/out/);
  });
});
