import { expect, test } from 'vitest';
import { check, cloud, exact, property, type Rng } from '../../../tests/kit/index.ts';
import { EPS64, nextUp } from '../../math/float.ts';
import * as interval from '../../math/interval.ts';
import { makeInterval, type ReadonlyInterval } from '../../math/interval.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import {
  type BoxSide,
  classifyAabbImplicit,
  classifyAabbSphere,
  differenceImplicit,
  type ImplicitFunction,
  intersectionImplicit,
  unionImplicit,
} from './implicit.ts';

const { q } = exact;

/** Signs of min and max of |p - c|² - r² over the box, exactly, and their sizes relative to r² and the distance. */
function exactClass(min: Vec3, max: Vec3, c: Vec3, r: number): { side: BoxSide; doubt: boolean } {
  let near = exact.ZERO;
  let far = exact.ZERO;
  for (const key of ['x', 'y', 'z'] as const) {
    const low = exact.sub(q(min[key]), q(c[key]));
    const high = exact.sub(q(max[key]), q(c[key]));
    const outside = exact.max(exact.max(low, exact.neg(high)), exact.ZERO);
    const farthest = exact.max(exact.abs(low), exact.abs(high));
    near = exact.add(near, exact.mul(outside, outside));
    far = exact.add(far, exact.mul(farthest, farthest));
  }
  const rr = exact.mul(q(r), q(r));
  const side = exact.cmp(near, rr) > 0 ? 'out' : exact.cmp(far, rr) < 0 ? 'in' : 'boundary';
  // One rounding each for the difference (twice, in the square), the square, two sums; the last subtraction.
  const slack = exact.mul(exact.add(far, rr), q(8 * EPS64));
  const doubtful = (d: exact.Q): boolean => exact.cmp(exact.abs(exact.sub(d, rr)), slack) <= 0;
  return { side, doubt: doubtful(near) || doubtful(far) };
}

property('[R11.4.2] box against sphere = classification by least and greatest distance', 20_000, (rng) => {
  const { points, size, regime } = cloud(rng, 3);
  const [a, b, center] = points as [Vec3, Vec3, Vec3];
  const min = vec3(Math.min(a.x, b.x), Math.min(a.y, b.y), Math.min(a.z, b.z));
  const max = vec3(Math.max(a.x, b.x), Math.max(a.y, b.y), Math.max(a.z, b.z));
  const radius = regime === 'lattice' ? rng.int(0, 6) : rng.range(0, 2) * size;
  const wanted = exactClass(min, max, center, radius);
  const found = classifyAabbSphere({ min, max }, { center, radius });
  // On the lattice everything is exact, so the answer must be; elsewhere a touch to within roundings is a boundary.
  const excused = regime !== 'lattice' && wanted.doubt && found === 'boundary';
  check(
    found === wanted.side || excused,
    () => `${found}, not ${wanted.side}: ${JSON.stringify({ min, max, center, radius })}`,
  );
});

test('[R11.4.2] touching is a boundary, an ulp more is not', () => {
  const sphere = { center: vec3(), radius: 1 };
  const box = (lo: number): BoxSide =>
    classifyAabbSphere({ min: vec3(lo, -1, -1), max: vec3(lo + 1, 1, 1) }, sphere);
  expect(box(1)).toBe('boundary');
  expect(box(nextUp(1))).toBe('out');
  expect(classifyAabbSphere({ min: vec3(-1), max: vec3() }, sphere)).toBe('boundary');
  expect(classifyAabbSphere({ min: vec3(-0.5), max: vec3(0.5) }, sphere)).toBe('in');
  expect(classifyAabbSphere({ min: vec3(), max: vec3() }, { center: vec3(), radius: 0 })).toBe('boundary');
});

/** The torus of radii 2 and ½ about the z axis: each variable once, but x² + y² is rooted and squared. */
const torus: ImplicitFunction = (x, y, z, out) => {
  const ring = interval.sqrt(interval.add(interval.square(x), interval.square(y)));
  interval.square(interval.sub(ring, makeInterval(2), ring), ring);
  return interval.sub(interval.add(ring, interval.square(z), out), makeInterval(0.25), out);
};

/** The unit sphere with x written twice: x x - …, which intervals do not see through. */
const loose: ImplicitFunction = (x, y, z, out) => {
  const sum = interval.add(interval.mul(x, x), interval.add(interval.mul(y, y), interval.mul(z, z)));
  return interval.sub(sum, makeInterval(1), out);
};

property('[R11.4.2] a certain verdict holds at every point of the box', 10_000, (rng) => {
  const min = vec3(rng.range(-3, 3), rng.range(-3, 3), rng.range(-1, 1));
  const size = rng.pick([0, 0.1, 0.5, 1]);
  const max = vec3(min.x + size * rng.unit(), min.y + size * rng.unit(), min.z + size * rng.unit());
  for (const f of [torus, loose]) {
    const side = classifyAabbImplicit({ min, max }, f, rng.int(0, 1));
    if (side === 'boundary') continue;
    const p = vec3(rng.range(min.x, max.x), rng.range(min.y, max.y), rng.range(min.z, max.z));
    const value =
      f === torus ? (Math.hypot(p.x, p.y) - 2) ** 2 + p.z * p.z - 0.25 : p.x ** 2 + p.y ** 2 + p.z ** 2 - 1;
    check(side === 'out' ? value > -1e-14 : value < 1e-14, () => `${side} at ${JSON.stringify(p)}: ${value}`);
  }
});

test('[R11.4.2] a tight form decides at once, a loose one after cutting', () => {
  const inside = { min: vec3(-0.5, -0.5, -0.5), max: vec3(0.5, 0.5, 0.5) };
  const tight: ImplicitFunction = (x, y, z, out) => {
    const sum = interval.add(interval.square(x), interval.add(interval.square(y), interval.square(z)));
    return interval.sub(sum, makeInterval(1), out);
  };
  const outside = { min: vec3(-0.2, 1.01, -0.2), max: vec3(0.2, 2, 0.2) };
  expect(classifyAabbImplicit(inside, tight)).toBe('in');
  expect(classifyAabbImplicit(outside, tight)).toBe('out');
  expect(classifyAabbImplicit(outside, loose)).toBe('boundary'); // x x reaches -0.04
  expect(classifyAabbImplicit(outside, loose, 1)).toBe('out');
  expect(classifyAabbImplicit({ min: vec3(), max: vec3(2, 2, 2) }, tight, 3)).toBe('boundary');
  expect(classifyAabbImplicit({ min: vec3(-0.5, -0.5, -0.2), max: vec3(0.5, 0.5, 0.2) }, torus)).toBe('out'); // the hole
  expect(classifyAabbImplicit(inside, () => makeInterval(Number.NaN))).toBe('boundary');
});

/** A solid for the library, and which side of it a point of the integer lattice lies on, in logic of three values. */
interface Solid {
  f: ImplicitFunction;
  sideOf: (p: Vec3) => BoxSide;
}
const DEPTH: Record<BoxSide, number> = { out: 0, boundary: 1, in: 2 };
const deeper = (a: BoxSide, b: BoxSide): BoxSide => (DEPTH[a] > DEPTH[b] ? a : b);
const lessDeep = (a: BoxSide, b: BoxSide): BoxSide => (DEPTH[a] < DEPTH[b] ? a : b);
const signOf = (value: number): BoxSide => (value < 0 ? 'in' : value > 0 ? 'out' : 'boundary');

function randomSolid(rng: Rng, levels: number): Solid {
  if (levels === 0 && rng.chance(0.5)) {
    const [c, r] = [vec3(rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3)), rng.int(0, 4)];
    const away = (x: ReadonlyInterval, at: number) => interval.square(interval.sub(x, makeInterval(at)));
    return {
      f: (x, y, z) =>
        interval.sub(
          interval.add(away(x, c.x), interval.add(away(y, c.y), away(z, c.z))),
          makeInterval(r * r),
        ),
      sideOf: (p) => signOf((p.x - c.x) ** 2 + (p.y - c.y) ** 2 + (p.z - c.z) ** 2 - r * r),
    };
  }
  if (levels === 0) {
    const [axis, sign, d] = [rng.int(0, 2), rng.sign(), rng.int(-3, 3)];
    return {
      f: (x, y, z, out) =>
        interval.sub(interval.mul([x, y, z][axis]!, makeInterval(sign), out), makeInterval(d), out),
      sideOf: (p) => signOf(sign * [p.x, p.y, p.z][axis]! - d),
    };
  }
  const [a, b] = [randomSolid(rng, levels - 1), randomSolid(rng, rng.int(0, levels - 1))];
  return rng.pick([
    { f: unionImplicit(a.f, b.f), sideOf: (p: Vec3) => deeper(a.sideOf(p), b.sideOf(p)) },
    { f: intersectionImplicit(a.f, b.f), sideOf: (p: Vec3) => lessDeep(a.sideOf(p), b.sideOf(p)) },
    {
      f: differenceImplicit(a.f, b.f),
      sideOf: (p: Vec3) =>
        lessDeep(a.sideOf(p), ({ in: 'out', out: 'in', boundary: 'boundary' } as const)[b.sideOf(p)]),
    },
  ]);
}

property(
  '[R2.2.1] unions, intersections and differences: each point is in, on or out as it should be',
  1500,
  (rng) => {
    const { f, sideOf } = randomSolid(rng, rng.int(1, 4));
    for (let i = 0; i < 8; i++) {
      const p = vec3(rng.int(-5, 5), rng.int(-5, 5), rng.int(-5, 5));
      check(
        classifyAabbImplicit({ min: p, max: p }, f) === sideOf(p),
        () => `not ${sideOf(p)} at ${JSON.stringify(p)}`,
      );
      const [nx, ny, nz] = [rng.int(0, 2), rng.int(0, 2), rng.int(0, 2)];
      const side = classifyAabbImplicit(
        { min: p, max: vec3(p.x + nx, p.y + ny, p.z + nz) },
        f,
        rng.int(0, 1),
      );
      if (side === 'boundary') continue;
      for (let x = 0; x <= nx; x++)
        for (let y = 0; y <= ny; y++)
          for (let z = 0; z <= nz; z++)
            check(
              sideOf(vec3(p.x + x, p.y + y, p.z + z)) === side,
              () => `${side} does not hold for all of the box`,
            );
    }
  },
);

test('[R2.2.1] a part that gives no numbers leaves all undecided; one that is not written to `out` is fine', () => {
  const p = { min: vec3(), max: vec3() };
  const [shared, inside] = [makeInterval(), makeInterval(-1)];
  const reused =
    (value: number): ImplicitFunction =>
    () =>
      interval.set(value, value, shared); // both write to the same place
  for (const combine of [unionImplicit, intersectionImplicit, differenceImplicit])
    for (const [f, g] of [
      [reused(Number.NaN), () => inside],
      [() => inside, reused(Number.NaN)],
    ] as const)
      expect(classifyAabbImplicit(p, combine(f, g))).toBe('boundary');
  expect(classifyAabbImplicit(p, unionImplicit(reused(-1), reused(1)))).toBe('in');
  expect(classifyAabbImplicit(p, intersectionImplicit(reused(-1), reused(1)))).toBe('out');
  expect(classifyAabbImplicit(p, differenceImplicit(reused(-1), reused(1)))).toBe('in');
});

test('bad boxes and spheres are refused by name', () => {
  const box = { min: vec3(), max: vec3(1, 1, 1) };
  const sphere = { center: vec3(), radius: 1 };
  expect(() => classifyAabbSphere({ min: vec3(2), max: vec3(1) }, sphere)).toThrow(
    'box must have min <= max',
  );
  expect(() => classifyAabbSphere({ min: vec3(Number.NaN), max: vec3(1) }, sphere)).toThrow('box.min.x');
  expect(() => classifyAabbSphere(box, { center: vec3(), radius: -1 })).toThrow(
    'radius must not be negative',
  );
  expect(() => classifyAabbSphere(box, { center: vec3(Infinity), radius: 1 })).toThrow('sphere.center.x');
  expect(() => classifyAabbImplicit({ min: vec3(), max: vec3(-1) }, torus)).toThrow('box');
  expect(() => classifyAabbImplicit(box, torus, -1)).toThrow('depth');
});
