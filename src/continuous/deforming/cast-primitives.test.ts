import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type PrimitivePair, touchTimes } from '../../../tests/kit/deforming-oracle.ts';
import { check, count, property, type Rng } from '../../../tests/kit/index.ts';
import { castEdgeEdge, castEdgeEdgeMany, castVertexFace, castVertexFaceMany } from './cast-primitives.ts';
import { ExactContact, exactContact } from './exact-contact.ts';
import { type DeformingHit, makeDeformingHit, PairCast } from './pair-cast.ts';

const PAIRS = ['vertex-face', 'edge-edge'] as const;
const castOf = (pair: PrimitivePair) => (pair === 'vertex-face' ? castVertexFace : castEdgeEdge);
const hit = makeDeformingHit();

function cast(pair: PrimitivePair, numbers: ArrayLike<number>, separation = 0): DeformingHit | null {
  const list = Array.from(numbers);
  return castOf(pair)(list.slice(0, 12), list.slice(12, 24), { separation }, hit);
}

/** Everything about a query, by the oracle. */
function judge(pair: PrimitivePair, numbers: ArrayLike<number>, separation = 0): void {
  const times = touchTimes(pair, numbers, separation);
  const found = cast(pair, numbers, separation);
  const text = () => `${pair} ${separation} [${Array.from(numbers).join(', ')}]: ${JSON.stringify(found)}`;
  check((found !== null) === times.length > 0, () => `${times.length} contacts: ${text()}`);
  count(found ? 'hits' : 'misses');
  if (!found) return;
  const { t } = found;
  check(
    times.every((time) => time.compare(t) >= 0),
    () => `late: ${text()}`,
  );
  check(
    times.some((time) => time.compare(t * (1 + 1e-12) + 5e-324) <= 0),
    () => `early: ${text()}`,
  );
  describeHit(pair, numbers, separation, found, text);
}

/** Weights, point and normal agree with the positions at that time. */
function describeHit(
  pair: PrimitivePair,
  numbers: ArrayLike<number>,
  separation: number,
  { t, point, normal, weights }: DeformingHit,
  text: () => string,
): void {
  const isFace = pair === 'vertex-face';
  let size = 0;
  for (let i = 0; i < 24; i++) size = Math.max(size, Math.abs(numbers[i]!));
  const first = [0, 0, 0];
  const second = [0, 0, 0];
  for (let i = 0; i < 4; i++) {
    check(weights[i]! >= 0 && weights[i]! <= 1, () => `weights: ${text()}`);
    for (let k = 0; k < 3; k++) {
      const at = numbers[3 * i + k]! + t * (numbers[12 + 3 * i + k]! - numbers[3 * i + k]!);
      (i < (isFace ? 1 : 2) ? first : second)[k]! += weights[i]! * at;
    }
  }
  const sums = isFace
    ? [weights[0]!, weights[1]! + weights[2]! + weights[3]!]
    : [weights[0]! + weights[1]!, weights[2]! + weights[3]!];
  for (const sum of sums) check(Math.abs(sum - 1) < 1e-14, () => `sums: ${text()}`);
  const gap = Math.hypot(first[0]! - second[0]!, first[1]! - second[1]!, first[2]! - second[2]!);
  // A time that is off by 1e-12 moves things by no more; where all is nearly on a line, the place is not as well known.
  check(gap <= separation + 1e-7 * size, () => `apart by ${gap}: ${text()}`);
  const off = Math.hypot(point.x - first[0]!, point.y - first[1]!, point.z - first[2]!);
  check(off <= 1e-14 * size, () => `point: ${text()}`);
  const length = Math.hypot(normal.x, normal.y, normal.z);
  check(Math.abs(length - 1) < 1e-14, () => `normal: ${text()}`);
}

const many = (make: () => number): number[] => Array.from({ length: 24 }, make);

/** Four points that touch, up to rounding, somewhere on their way. */
function meeting(rng: Rng, pair: PrimitivePair): number[] {
  const numbers = many(() => rng.range(-1, 1));
  const t = rng.pick([0, 1, rng.unit(), rng.unit()]);
  const split = (): [number, number] => {
    const u = rng.pick([0, 1, 0.5, rng.unit()]);
    return [u, 1 - u];
  };
  const [u, v] = split();
  const [s, r] = split();
  const weights = pair === 'vertex-face' ? [1, -u, -v * s, -v * r] : [u, v, -s, -r];
  // The last coordinate of one point is moved so that the weighted sum is 0.
  const moved = pair === 'vertex-face' ? 0 : weights[0] === 0 ? 1 : 0;
  for (let k = 0; k < 3; k++) {
    let sum = 0;
    for (let i = 0; i < 4; i++)
      sum += weights[i]! * (numbers[3 * i + k]! * (1 - t) + numbers[12 + 3 * i + k]! * t);
    numbers[3 * moved + k]! -= sum / weights[moved]!;
    numbers[12 + 3 * moved + k]! -= sum / weights[moved]!;
  }
  return numbers;
}

describe.each(PAIRS)('%s', (pair) => {
  property(`${pair}: random motions, as an exact oracle has it`, 2500, (rng) => {
    const scale = rng.pick([1, 1, 1, 0.1, 0.001]);
    const numbers = many(() => rng.range(-1, 1));
    // Short ways, as in a simulation.
    for (let i = 0; i < 12; i++) numbers[12 + i] = numbers[i]! + scale * (numbers[12 + i]! - numbers[i]!);
    judge(pair, numbers);
  });

  property(`${pair}: coordinates on a coarse grid, as an exact oracle has it`, 1500, (rng) => {
    const size = rng.pick([1, 1, 2, 3]);
    const numbers = many(() => rng.int(-size, size));
    const still = rng.pick([0, 0, 0.4, 0.9]);
    for (let i = 0; i < 12; i++) if (rng.chance(still)) numbers[12 + i] = numbers[i]!;
    if (rng.chance(0.2)) for (let i = 2; i < 24; i += 3) numbers[i] = 1; // all in a plane
    if (rng.chance(0.05)) for (let i = 1; i < 24; i += 3) numbers[i] = numbers[i + 1]!;
    const unit = rng.pick([1, 1, 0.1, 1 / 3]);
    judge(
      pair,
      numbers.map((x) => x * unit),
    );
  });

  property(`${pair}: almost touching, as an exact oracle has it`, 750, (rng) => {
    judge(pair, meeting(rng, pair));
  });

  property(`${pair}: any size of numbers`, 60, (rng) => {
    const span = rng.pick([20, 150, 300]);
    const shared = rng.int(-span, span);
    const isMixed = rng.chance(0.3);
    judge(
      pair,
      many(() => rng.int(-3, 3) * 10 ** (isMixed ? rng.int(-span, span) : shared)),
    );
  });

  property(`${pair}: a distance to keep, as an exact oracle has it`, 200, (rng) => {
    const numbers = many(() => (rng.chance(0.5) ? rng.int(-2, 2) : rng.int(-16, 16) / 8));
    if (rng.chance(0.3)) for (let i = 0; i < 12; i++) if (rng.chance(0.6)) numbers[12 + i] = numbers[i]!;
    judge(pair, numbers, rng.pick([0.5, 1, 0.25, 0.1, 2]));
  });

  property(`${pair}: the same from the filter as from exact arithmetic`, 4000, (rng) => {
    const numbers = Float64Array.from(rng.chance(0.5) ? meeting(rng, pair) : many(() => rng.range(-1, 1)));
    const exact = new ExactContact();
    const isHit = exactContact(numbers, pair === 'vertex-face', exact);
    const found = cast(pair, numbers);
    check(isHit === (found !== null), () => `exact ${isHit}: [${numbers.join(', ')}]`);
    if (!found) return;
    check(
      found.t <= exact.t && found.t >= exact.t * (1 - 1.01e-12),
      () => `${found.t}, exact ${exact.t}: [${numbers.join(', ')}]`,
    );
  });

  const file = new URL(`../../../../shared/data/ccd/${pair}.bin.gz`, import.meta.url);
  const present = existsSync(file);
  if (!present)
    console.log(`cast-primitives.test.ts: skipped ../shared/data/ccd/${pair}.bin.gz, which is not there`);
  test.skipIf(!present)(`${pair}: a published benchmark: nothing missed, nothing made up, never late`, () => {
    const bytes = gunzipSync(readFileSync(file));
    const all = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    const work = new PairCast();
    work.separation = 0;
    let hits = 0;
    for (let i = 0; i < all.length; i += 28) {
      work.numbers.set(all.subarray(i, i + 24));
      const isHit = work.cast(pair === 'vertex-face');
      const truth = all[i + 25]!;
      check(isHit === (all[i + 24] === 1), `record ${i / 28}: ${isHit}`);
      if (!isHit) continue;
      hits++;
      check(work.t <= truth && work.t >= truth * (1 - 1.01e-12), `record ${i / 28}: ${work.t}, not ${truth}`);
      work.write(pair === 'vertex-face', hit);
      describeHit(pair, all.subarray(i, i + 24), 0, hit, () => `record ${i / 28}: ${JSON.stringify(hit)}`);
    }
    expect(hits).toBe(pair === 'vertex-face' ? 5059 : 4034);
    // Few go beyond doubles.
    expect(work.exactCount).toBeLessThan((0.05 * all.length) / 28);
  });
});

/** Times are early by at most 1e-12. */
const about = (x: number) => expect.closeTo(x, 11);

describe('by hand', () => {
  const face = [0, 0, 0, 2, 0, 0, 0, 2, 0];
  const fall = (x: number, y: number, from: number, to: number) =>
    castVertexFace([x, y, from, ...face], [x, y, to, ...face]);

  test('a vertex falls on a face: time, point, weights, normal', () => {
    expect(fall(0.5, 0.25, 3, -1)).toMatchObject({
      point: { x: 0.5, y: 0.25 },
      normal: { x: 0, y: 0, z: 1 },
    });
    const found = fall(0.5, 0.25, 3, -1)!;
    expect(found.t).toBeCloseTo(0.75, 12);
    expect(found.t).toBeLessThanOrEqual(0.75);
    expect(Array.from(found.weights)).toEqual([1, 0.625, 0.25, 0.125].map((x) => expect.closeTo(x, 11)));
    expect(fall(0.5, 0.25, -3, 1)!.normal).toEqual({ x: 0, y: 0, z: -1 });
  });

  test('contact at t = 0 only, at t = 1 only, and at rest', () => {
    // Nobody knows where it came from: the normal is against its velocity.
    expect(fall(0.5, 0.5, 0, 1)).toMatchObject({ t: 0, normal: { x: 0, y: 0, z: -1 } });
    expect(fall(0.5, 0.5, 0, -1)).toMatchObject({ t: 0, normal: { x: 0, y: 0, z: 1 } });
    expect(fall(0.5, 0.5, 1, 0)!.t).toBe(1);
    expect(fall(0.5, 0.5, 0, 0)!.t).toBe(0);
    expect(fall(0.5, 0.5, 1, 1)).toBeNull();
    expect(fall(0.5, 0.5, 1, 5e-324)).toBeNull();
  });

  test('corners and edges belong to the face', () => {
    for (const [x, y] of [
      [0, 0],
      [2, 0],
      [0, 2],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const)
      expect(fall(x, y, 1, -1)!.t, `${x}, ${y}`).toEqual(about(0.5));
    expect(fall(1, 1 + 2 ** -52, 1, -1)).toBeNull();
    expect(fall(-5e-324, 1, 1, -1)).toBeNull();
  });

  test('in the plane of the face: the normal is across the edge that is met', () => {
    const found = castVertexFace([-3, 1, 0, ...face], [1, 1, 0, ...face])!;
    expect(found.t).toEqual(about(0.75));
    expect(found.normal).toEqual({ x: -1, y: 0, z: 0 });
    expect(Array.from(found.weights)).toEqual([1, 0.5, 0, 0.5]);
    expect(castVertexFace([-3, 1, 0, ...face], [-1, 1, 0, ...face])).toBeNull();
    expect(castVertexFace([0.5, 0.5, 0, ...face], [9, 0.5, 0, ...face])!.t).toBe(0);
  });

  test('faces that are segments or points', () => {
    const segment = [0, 0, 0, 1, 0, 0, 2, 0, 0];
    expect(castVertexFace([1.5, 0, 1, ...segment], [1.5, 0, -1, ...segment])!.t).toEqual(about(0.5));
    expect(castVertexFace([3, 0, 0, ...segment], [1, 0, 0, ...segment])!.t).toEqual(about(0.5));
    const point = [1, 1, 1, 1, 1, 1, 1, 1, 1];
    expect(castVertexFace([0, 0, 0, ...point], [2, 2, 2, ...point])!.t).toEqual(about(0.5));
    expect(castVertexFace([0, 0, 0, ...point], [2, 2, 2.5, ...point])).toBeNull();
  });

  test('edges that cross, touch at an end, run along each other', () => {
    const bar = [-1, 0, 0, 1, 0, 0];
    expect(castEdgeEdge([0, -1, 2, 0, 1, 2, ...bar], [0, -1, -2, 0, 1, -2, ...bar])).toMatchObject({
      t: about(0.5),
      point: { x: 0, y: 0, z: about(0) },
      normal: { x: 0, y: 0, z: 1 },
    });
    expect(castEdgeEdge([1, 0, 2, 1, 1, 2, ...bar], [1, 0, -2, 1, 1, -2, ...bar])!.t).toEqual(about(0.5));
    expect(castEdgeEdge([1.1, 0, 2, 1.1, 1, 2, ...bar], [1.1, 0, -2, 1.1, 1, -2, ...bar])).toBeNull();
    // Parallel: one lands on the other.
    const along = castEdgeEdge([0, 0, 2, 3, 0, 2, ...bar], [0, 0, -2, 3, 0, -2, ...bar])!;
    expect(along).toMatchObject({ t: about(0.5), normal: { x: 0, y: 0, z: 1 } });
    // On one line: it runs into the other's end.
    expect(castEdgeEdge([3, 0, 0, 4, 0, 0, ...bar], [0, 0, 0, 1, 0, 0, ...bar])).toMatchObject({
      point: { x: 1 },
    });
    expect(castEdgeEdge([3, 0, 0, 4, 0, 0, ...bar], [2, 0, 0, 3, 0, 0, ...bar])).toBeNull();
  });

  test('a distance to keep', () => {
    const found = castVertexFace([0.5, 0.5, 2, ...face], [0.5, 0.5, -2, ...face], { separation: 0.5 })!;
    expect(found.t).toBeCloseTo(0.375, 11);
    expect(found.t).toBeLessThanOrEqual(0.375);
    expect(found.normal).toEqual({ x: 0, y: 0, z: 1 });
    expect(castVertexFace([0.5, 0.5, 2, ...face], [0.5, 0.5, 0.5, ...face], { separation: 0.5 })!.t).toEqual(
      about(1),
    );
    expect(
      castVertexFace([0.5, 0.5, 2, ...face], [0.5, 0.5, 0.5 + 2 ** -52, ...face], { separation: 0.5 }),
    ).toBeNull();
  });

  test('many at once are the same as one by one', () => {
    const starts = [0.5, 0.5, 1, ...face, 9, 9, 1, ...face];
    const ends = [0.5, 0.5, -1, ...face, 9, 9, -1, ...face];
    expect(Array.from(castVertexFaceMany(starts, ends).t)).toEqual([about(0.5), Infinity]);
    const out = { t: new Float64Array(3) };
    expect(castEdgeEdgeMany(starts, ends, { separation: 0.1 }, out)).toBe(out);
    expect(castVertexFaceMany([], []).t.length).toBe(0);
  });
});

describe('what is wrong is said', () => {
  const twelve = [0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0];
  test.each([
    [() => castVertexFace(twelve.slice(1), twelve), 'castVertexFace: start must have twelve numbers, got 11'],
    [() => castEdgeEdge(twelve, [...twelve, 1]), 'castEdgeEdge: end must have twelve numbers, got 13'],
    [() => castEdgeEdge(twelve, twelve.with(4, Number.NaN)), 'castEdgeEdge: end[4]'],
    [() => castEdgeEdge(twelve, twelve, { separation: -1 }), 'options.separation'],
    [() => castVertexFaceMany(twelve, []), 'ends must be as many as starts, 12; got 0'],
    [() => castVertexFaceMany(twelve.slice(2), []), 'starts must have twelve numbers for each, got 10'],
    [
      () => castVertexFaceMany(twelve, twelve, {}, { t: new Float64Array(0) }),
      'out.t must have room for 1 times',
    ],
  ])('%#', (call, message) => expect(call).toThrow(message));
});
