import { describe, expect, test } from 'vitest';
import { compileKernels } from '../../scripts/compile-kernels.mjs';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import { BINARY } from './binary.ts';
import { KdTriangles, Lanes } from './lanes.ts';
import { SCALAR, scalarKdTree } from './scalar-lanes.ts';

test('[R13.7] the binary is what its sources compile to', { timeout: 60_000 }, async () => {
  const { text, bytes } = await compileKernels();
  expect(text).toContain(BINARY);
  expect(bytes).toBeLessThan(8192);
});

/** Numbers that meet: small whole ones and halves, many of them equal, now and then what is none. */
const draw = (rng: Rng): number =>
  rng.chance(0.02)
    ? rng.pick([Number.NaN, Infinity, -Infinity, -0, 1e-40, 1e30])
    : rng.chance(0.5)
      ? rng.int(-4, 4) / 2
      : Math.fround(rng.range(-2, 2));

const fill = (lanes: Lanes, rng: Rng, columns: number): void => {
  for (let k = 0; k < columns; k++) {
    const column = lanes.column(k);
    for (let i = 0; i < column.length; i++) column[i] = draw(rng);
  }
};

/** The columns again, for the tests one by one. */
function columnsOf(lanes: Lanes): Float32Array {
  const n = lanes.capacity;
  const all = new Float32Array(15 * n);
  for (let k = 0; k < 15; k++) all.set(lanes.column(k), k * n);
  return all;
}

const same = (p: number, q: number): boolean => Object.is(p, q) || p === q;

describe('four at a time and one by one', () => {
  test('[R13.7] WebAssembly with SIMD is here: the tests below compare the two', () => {
    expect(new Lanes(4).lane).toBe('simd');
  });

  for (const name of [
    'overlapSpheres',
    'overlapSphereBoxes',
    'overlapBoxes',
    'rayBoxes',
    'rayTriangles',
  ] as const)
    property(`[R13.7] ${name}: the same bits, whatever the number of pairs`, 2000, (rng) => {
      const lanes = new Lanes(rng.int(1, 9));
      fill(lanes, rng, 15);
      const columns = columnsOf(lanes);
      const answers = lanes[name]();
      check(answers.length === lanes.capacity, 'as many answers as pairs');
      for (let i = 0; i < lanes.capacity; i++) {
        const alone = Number(SCALAR[name](columns, lanes.capacity, i));
        check(same(answers[i]!, alone), `pair ${i} of ${lanes.capacity}: ${answers[i]} and ${alone}`);
      }
    });

  test('[R13.7] what has not been filled is never hit', () => {
    for (const capacity of [1, 2, 3, 4, 5]) {
      const lanes = new Lanes(capacity);
      expect([
        ...lanes.overlapSpheres(),
        ...lanes.overlapSphereBoxes(),
        ...lanes.overlapBoxes(),
      ]).not.toContain(1);
      expect(new Set([...lanes.rayTriangles()])).toEqual(new Set([-1]));
    }
  });

  test('[R13.7] touching is decided in single precision, by the sums in their order', () => {
    const lanes = new Lanes(2);
    const set = (i: number, numbers: readonly number[]) =>
      numbers.forEach((x, k) => {
        lanes.column(k)[i] = x;
      });
    // In double precision 0.1 as it is kept, ten times, is above 1; in single precision it is 1, and the spheres touch.
    const tenth = Math.fround(0.1);
    expect(tenth * 10).toBeGreaterThan(1);
    set(0, [0, 0, 0, 0.5, Math.fround(tenth * 10), 0, 0, 0.5]);
    set(1, [0, 0, 0, 0.5, 1 + 2 ** -23, 0, 0, 0.5]);
    expect([...lanes.overlapSpheres()]).toEqual([1, 0]);
  });
});

/** In double precision, and only where single precision has no say. */
describe('the tests are right', () => {
  const clear = (gap: number, size: number): boolean => Math.abs(gap) > 1e-5 * (1 + size);

  property('[R13.7] spheres and boxes', 2000, (rng) => {
    const lanes = new Lanes(4);
    for (let k = 0; k < 15; k++) lanes.column(k).set([0, 1, 2, 3].map(() => rng.range(-2, 2)));
    for (const k of [3, 7]) lanes.column(k).set([0, 1, 2, 3].map(() => rng.range(0, 2)));
    const at = (k: number, i: number): number => lanes.column(k)[i]!;
    const spheres = [...lanes.overlapSpheres()];
    for (let i = 0; i < 4; i++) {
      const gap =
        Math.hypot(at(0, i) - at(4, i), at(1, i) - at(5, i), at(2, i) - at(6, i)) - at(3, i) - at(7, i);
      if (clear(gap, 4)) check(spheres[i] === +(gap < 0), `spheres ${i}`);
    }
    for (let k = 0; k < 3; k++)
      for (let i = 0; i < 4; i++) {
        const [p, q] = [at(4 + k, i), at(7 + k, i)];
        lanes.column(4 + k)[i] = Math.min(p, q);
        lanes.column(7 + k)[i] = Math.max(p, q);
      }
    const withBoxes = [...lanes.overlapSphereBoxes()];
    for (let i = 0; i < 4; i++) {
      const outside = [0, 1, 2].map((k) => Math.max(at(4 + k, i) - at(k, i), 0, at(k, i) - at(7 + k, i)));
      const gap = Math.hypot(...outside) - at(3, i);
      if (clear(gap, 4)) check(withBoxes[i] === +(gap < 0), `sphere and box ${i}`);
    }
  });

  property('[R13.7] boxes with boxes, and rays with boxes and triangles', 2000, (rng) => {
    const lanes = new Lanes(4);
    for (let k = 0; k < 15; k++) lanes.column(k).set([0, 1, 2, 3].map(() => rng.range(-2, 2)));
    const at = (k: number, i: number): number => lanes.column(k)[i]!;
    const triangles = [...lanes.rayTriangles()];
    for (let i = 0; i < 4; i++) {
      // Where the ray meets the plane, by areas.
      const [o, d] = [0, 3].map((k) => [at(k, i), at(k + 1, i), at(k + 2, i)]) as [number[], number[]];
      const [a, b, c] = [6, 9, 12].map((k) => [at(k, i), at(k + 1, i), at(k + 2, i)]) as [
        number[],
        number[],
        number[],
      ];
      const n = cross(minus(b, a), minus(c, a));
      const t = dot(n, minus(a, o)) / dot(n, d);
      const p = o.map((x, k) => x + t * d[k]!);
      const sides = [
        [a, b],
        [b, c],
        [c, a],
      ].map(([from, to]) => dot(n, cross(minus(to!, from!), minus(p, from!))));
      const least = Math.min(...sides, t);
      if (Math.abs(least) < 1e-3 || Math.abs(dot(n, d)) < 1e-2) continue;
      if (least < 0) check(triangles[i] === -1, `a ray that misses: ${triangles[i]}`);
      else check(Math.abs(triangles[i]! - t) < 1e-3 * (1 + t), `a ray that hits at ${t}: ${triangles[i]}`);
    }
    for (const first of [0, 6])
      for (let k = first; k < first + 3; k++)
        for (let i = 0; i < 4; i++) {
          const [p, q] = [at(k, i), at(k + 3, i)];
          lanes.column(k)[i] = Math.min(p, q);
          lanes.column(k + 3)[i] = Math.max(p, q);
        }
    const boxes = [...lanes.overlapBoxes()];
    for (let i = 0; i < 4; i++) {
      const apart = [0, 1, 2].some((k) => at(k, i) > at(k + 9, i) || at(k + 6, i) > at(k + 3, i));
      check(boxes[i] === +!apart, `boxes ${i}`);
    }
    for (let k = 3; k < 6; k++) lanes.column(k).set([0, 1, 2, 3].map(() => rng.range(-1, 1)));
    const rays = [...lanes.rayBoxes()];
    for (let i = 0; i < 4; i++) {
      let [enter, exit] = [0, Infinity];
      for (let k = 0; k < 3; k++) {
        const times = [at(6 + k, i), at(9 + k, i)].map((side) => (side - at(k, i)) / at(3 + k, i));
        enter = Math.max(enter, Math.min(...times));
        exit = Math.min(exit, Math.max(...times));
      }
      if (Math.abs(exit - enter) < 1e-3 * (1 + exit)) continue;
      if (exit < enter) check(rays[i] === -1, `a ray that misses a box: ${rays[i]}`);
      else check(Math.abs(rays[i]! - enter) < 1e-3 * (1 + enter), `a box entered at ${enter}: ${rays[i]}`);
    }
  });
});

describe('four rays through a k-d tree', () => {
  property('[R13.7] the first hit of each is that of asking every triangle, to the last bit', 250, (rng) => {
    const count = rng.int(1, 60);
    const triangles = Array.from({ length: 9 * count }, () =>
      rng.chance(0.3) ? rng.int(-2, 2) : Math.fround(rng.range(-2, 2)),
    );
    const tree = new KdTriangles(triangles, rng.int(1, 6));
    const lanes = new Lanes(rng.pick([4, 5, 8]), tree);
    const columns = new Float32Array(15 * lanes.capacity);
    for (let k = 0; k < 6; k++)
      for (let i = 0; i < 4; i++)
        lanes.column(k)[i] = columns[k * lanes.capacity + i] =
          k > 2 && rng.chance(0.2) ? rng.pick([0, -0, 1]) : Math.fround(rng.range(-3, 3));
    const { t, triangle } = lanes.rayKdTree();
    for (let i = 0; i < 4; i++) {
      let first = Infinity;
      let which = -1;
      for (let item = 0; item < count; item++) {
        for (let k = 0; k < 9; k++) columns[(6 + k) * lanes.capacity + i] = tree.triangles[9 * item + k]!;
        const at = SCALAR.rayTriangles(columns, lanes.capacity, i);
        if (at >= 0 && at < first) [first, which] = [at, item];
      }
      check(
        t[i] === first && triangle[i] === which,
        `ray ${i}: ${triangle[i]} at ${t[i]}, ${which} at ${first}`,
      );
      const alone = scalarKdTree(columns, lanes.capacity, i, tree);
      check((alone?.triangle ?? -1) === which && (alone?.t ?? Infinity) === first, `ray ${i} by itself`);
    }
  });

  test('a tree must have been given, and its triangles must be whole', () => {
    expect(() => new Lanes(4).rayKdTree()).toThrow(/tree/);
    expect(() => new KdTriangles([1, 2, 3])).toThrow(/nine numbers/);
    expect(() => new Lanes(0)).toThrow(/capacity/);
    expect(() => new Lanes(4).column(15)).toThrow(/k /);
  });
});

const minus = (p: readonly number[], q: readonly number[]): number[] => p.map((x, k) => x - q[k]!);
const dot = (p: readonly number[], q: readonly number[]): number =>
  p.reduce((sum, x, k) => sum + x * q[k]!, 0);
const cross = ([ax, ay, az]: readonly number[], [bx, by, bz]: readonly number[]): number[] => [
  ay! * bz! - az! * by!,
  az! * bx! - ax! * bz!,
  ax! * by! - ay! * bx!,
];
