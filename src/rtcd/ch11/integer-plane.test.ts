import { expect, test } from 'vitest';
import { check, property, Rng } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import {
  type IntegerPlane,
  segmentIntegerPlane,
  sideOfIntegerPlane,
  stopAtIntegerPlanes,
} from './integer-plane.ts';

const point = (rng: Rng, size: number): Vec3 =>
  vec3(rng.int(-size, size), rng.int(-size, size), rng.int(-size, size));

/** n · p - offset, by integers. */
const heightOf = (p: Vec3, { normal: n, offset }: IntegerPlane): bigint =>
  BigInt(p.x) * BigInt(n.x) + BigInt(p.y) * BigInt(n.y) + BigInt(p.z) * BigInt(n.z) - offset;
const signOf = (x: bigint): number => (x > 0n ? 1 : x < 0n ? -1 : 0);

function anyPlane(rng: Rng, size: number): IntegerPlane {
  const normal = rng.chance(0.3) ? point(rng, 2) : point(rng, rng.pick([10, 1000, 2 ** 30 - 1]));
  const through = point(rng, Math.max(1, size >> 1));
  return { normal, offset: heightOf(through, { normal, offset: 0n }) + BigInt(rng.int(-1, 1)) };
}

const text = (...things: unknown[]): string =>
  JSON.stringify(things, (_, x) => (typeof x === 'bigint' ? `${x}n` : x));

function checkCrossing(a: Vec3, b: Vec3, plane: IntegerPlane): void {
  const [ha, hb] = [heightOf(a, plane), heightOf(b, plane)];
  const found = segmentIntegerPlane(a, b, plane);
  const meets = !((ha > 0n && hb > 0n) || (ha < 0n && hb < 0n));
  check((found !== null) === meets, () => `meets: ${meets} ${text(a, b, plane)}`);
  if (!found) return;
  const side = signOf(heightOf(found, plane));
  check(side === 0 || side === signOf(ha), () => `${text(found)} passed ${text(a, b, plane)}`);
  check(side === sideOfIntegerPlane(found, plane), 'side');
  // Within a unit of the exact point a + (b - a) ha / (ha - hb), coordinate by coordinate.
  for (const key of ['x', 'y', 'z'] as const) {
    const off = (BigInt(found[key]) - BigInt(a[key])) * (ha - hb) - BigInt(b[key] - a[key]) * ha;
    const unit = ha > hb ? ha - hb : hb - ha;
    check(
      unit === 0n ? off === 0n : off < unit && -off < unit,
      () => `${key} is off: ${text(a, b, plane, found)}`,
    );
  }
  if (hb === 0n && ha !== 0n)
    check(found.x === b.x && found.y === b.y && found.z === b.z, 'ends on the plane');
}

test('[R11.5.3] a million crossings are rounded to the side they came from', () => {
  const rng = new Rng(11);
  let met = 0;
  for (let i = 0; i < 1_000_000; i++) {
    const size = i % 4 === 0 ? 2 ** 29 : i % 4 === 1 ? 4 : 1000;
    const plane = anyPlane(rng, size);
    const a = point(rng, size);
    const b = point(rng, size);
    const found = segmentIntegerPlane(a, b, plane);
    if (!found) continue;
    met++;
    const side = sideOfIntegerPlane(found, plane);
    if (side !== 0 && side !== sideOfIntegerPlane(a, plane))
      throw new Error(`passed: ${text(a, b, plane, found)}`);
  }
  expect(met).toBeGreaterThan(300_000);
});

property('[R11.5.3] … within a unit of the crossing, and nothing is missed', 20_000, (rng) => {
  const size = rng.pick([3, 1000, 2 ** 30 - 1]);
  checkCrossing(point(rng, size), point(rng, size), anyPlane(rng, size));
});

test('[R11.5.3] odd cases: parallel, in the plane, length zero, from behind, negative denominators', () => {
  const floor = { normal: vec3(0, 2, 0), offset: 6n };
  expect(segmentIntegerPlane(vec3(0, 4), vec3(9, 4), floor)).toBeNull();
  expect(segmentIntegerPlane(vec3(1, 3), vec3(9, 3), floor)).toEqual(vec3(1, 3));
  expect(segmentIntegerPlane(vec3(1, 3), vec3(1, 3), floor)).toEqual(vec3(1, 3));
  expect(segmentIntegerPlane(vec3(1, 4), vec3(1, 4), floor)).toBeNull();
  expect(segmentIntegerPlane(vec3(1, 4), vec3(5, 3), floor)).toEqual(vec3(5, 3));
  const slope = { normal: vec3(1, 1, 0), offset: 0n };
  // Crosses at (0.5, -0.5): up on the way from the front, down on the way from behind.
  expect(segmentIntegerPlane(vec3(1, 0), vec3(0, -1), slope)).toEqual(vec3(1, 0));
  expect(segmentIntegerPlane(vec3(0, -1), vec3(1, 0), slope)).toEqual(vec3(0, -1));
  expect(segmentIntegerPlane(vec3(), vec3(1), { normal: vec3(), offset: 1n })).toBeNull();
  const out = vec3(1, 4);
  expect(segmentIntegerPlane(out, vec3(1, 0), floor, out)).toBe(out);
  expect(out).toEqual(vec3(1, 3));
});

/** Planes through about one lattice point that all have `a` in front or on them. */
function corner(rng: Rng, a: Vec3, size: number, count: number): IntegerPlane[] {
  const tip = point(rng, size);
  return Array.from({ length: count }, () => {
    const normal = point(rng, rng.pick([2, 9, 1000]));
    const offset = heightOf(tip, { normal, offset: 0n });
    return heightOf(a, { normal, offset }) >= 0n
      ? { normal, offset }
      : { normal: vec3(-normal.x, -normal.y, -normal.z), offset: -offset };
  });
}

property('[R11.5.3] in the corner of three planes, and of many, no plane is passed', 20_000, (rng) => {
  const size = rng.pick([4, 50, 1000]);
  const [a, b] = [point(rng, size), point(rng, 2 * size)];
  const planes = rng.chance(0.8)
    ? corner(rng, a, size, rng.int(1, 6))
    : [anyPlane(rng, size), anyPlane(rng, size)];
  const found = stopAtIntegerPlanes(a, b, planes);
  for (const plane of planes) {
    const [ha, hq] = [heightOf(a, plane), heightOf(found, plane)];
    check(ha >= 0n ? hq >= 0n : hq <= 0n, () => `${text(found)} passes ${text(plane)} from ${text(a, b)}`);
  }
  const free = planes.every((p) => (heightOf(a, p) >= 0n ? heightOf(b, p) >= 0n : heightOf(b, p) <= 0n));
  if (free) check(found.x === b.x && found.y === b.y && found.z === b.z, 'nothing in the way');
});

test('[R11.5.3] the retry makes headway: in a room the point comes near the corner, not back to its start', () => {
  // Three walls at odd angles that meet at the origin; from far inside towards a point beyond the corner.
  const walls: IntegerPlane[] = [vec3(10, 1, 2), vec3(1, 9, -2), vec3(-1, 2, 11)].map((normal) => ({
    normal,
    offset: 0n,
  }));
  let stuck = 0;
  let far = 0;
  const rng = new Rng(3);
  for (let i = 0; i < 2000; i++) {
    const a = vec3(rng.int(500, 900), rng.int(500, 900), rng.int(500, 900));
    const b = vec3(-a.x + rng.int(-9, 9), -a.y + rng.int(-9, 9), -a.z + rng.int(-9, 9));
    const q = stopAtIntegerPlanes(a, b, walls);
    if (q.x === a.x && q.y === a.y && q.z === a.z) stuck++;
    if (Math.hypot(q.x, q.y, q.z) > 40) far++;
  }
  expect(stuck).toBe(0);
  expect(far).toBe(0);
});

test('a plane that a stands on holds back only what goes behind it', () => {
  const floor = { normal: vec3(0, 1, 0), offset: 0n };
  expect(stopAtIntegerPlanes(vec3(), vec3(3, 2, 0), [floor])).toEqual(vec3(3, 2, 0));
  expect(stopAtIntegerPlanes(vec3(), vec3(3, 0, 0), [floor])).toEqual(vec3(3, 0, 0));
  expect(stopAtIntegerPlanes(vec3(), vec3(3, -2, 0), [floor])).toEqual(vec3());
  expect(stopAtIntegerPlanes(vec3(), vec3(3, -2, 0), [])).toEqual(vec3(3, -2, 0));
});

test('what is no 30-bit integer is refused by name', () => {
  const floor = { normal: vec3(0, 1, 0), offset: 0n };
  expect(() => segmentIntegerPlane(vec3(0.5), vec3(), floor)).toThrow('a.x');
  expect(() => segmentIntegerPlane(vec3(), vec3(0, 2 ** 30), floor)).toThrow('b.y must have at most 30 bits');
  expect(() => segmentIntegerPlane(vec3(), vec3(), { ...floor, offset: 0 as unknown as bigint })).toThrow(
    'plane.offset',
  );
  expect(() => sideOfIntegerPlane(vec3(Number.NaN), floor)).toThrow('p.x');
  expect(() => stopAtIntegerPlanes(vec3(), vec3(), [floor, { normal: vec3(Infinity), offset: 0n }])).toThrow(
    'planes[1].normal.x',
  );
});
