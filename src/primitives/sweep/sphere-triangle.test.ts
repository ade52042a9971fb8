import { describe, expect, test } from 'vitest';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, near, property } from '../../../tests/kit/index.ts';
import { extent, judge, judgeContact, triangleOffset } from '../../../tests/sweep/exact-oracle.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { makeHit } from '../types.ts';
import { loadMover, makeMover, PAST_THE_END } from './mover.ts';
import { sweepSphereTriangle, touchTriangle } from './sphere-triangle.ts';

interface Problem {
  sphere: { center: Vec3; radius: number };
  motion: Vec3;
  a: Vec3;
  b: Vec3;
  c: Vec3;
}

const AXES = ['x', 'y', 'z'] as const;

/**
 * The radius is grown by one slack; the sphere may stop one slack of rounding errors earlier, and the face is taken
 * for up to four slacks larger at a corner, for the sake of seams.
 */
const tolerance = ({ sphere, motion, a, b, c }: Problem): number =>
  6 * SWEEP_SLACK * extent(sphere.center, motion, [sphere.radius], [a, b, c]);

function judgeTriangle(problem: Problem): boolean {
  const { sphere, motion, a, b, c } = problem;
  const hit = sweepSphereTriangle(sphere, motion, a, b, c);
  const asked = {
    center: sphere.center,
    motion,
    radii: [sphere.radius],
    offset: triangleOffset(a, b, c),
    tolerance: tolerance(problem),
  };
  judge(asked, hit);
  if (hit === null) return false;
  const coordinates = Math.max(...[a, b, c].map((p) => Math.hypot(p.x, p.y, p.z)));
  judgeContact(asked, hit, 2 * asked.tolerance + 4 * Number.EPSILON * coordinates);
  // The sphere's surface is at the point: its centre is a radius away along the normal, or nearer at a start in touch.
  const gap = AXES.map((k) => sphere.center[k] - hit.point[k] + hit.t * motion[k]);
  const away = Math.hypot(...gap);
  const noise = 2 * asked.tolerance + 4 * Number.EPSILON * coordinates;
  if (hit.t > 0) near(away, sphere.radius, noise, 'distance of the point from the centre');
  const lean = gap[0]! * hit.normal.x + gap[1]! * hit.normal.y + gap[2]! * hit.normal.z;
  if (away > noise) near(lean, away, noise, 'distance along the normal');
  return true;
}

/** From the cloud: radii over many magnitudes, motions that aim at something, degenerate triangles. */
function draw(rng: Rng): Problem {
  const { points, size } = cloud(rng, 5);
  const [a, b, c, center, end] = points as [Vec3, Vec3, Vec3, Vec3, Vec3];
  const kind = rng.int(0, 9);
  if (kind === 0) Object.assign(c, b);
  if (kind === 1) for (const k of AXES) c[k] = a[k] + (b[k] - a[k]) * 0.5;
  if (kind === 2)
    for (const k of AXES) c[k] = b[k] + (a[k] - b[k]) * 1e-7 * rng.unit() + size * 1e-10 * rng.unit();
  if (kind === 3) {
    // Small beside the radius and the way.
    const s = 10 ** rng.range(-5, 0);
    for (const p of [b, c]) for (const k of AXES) p[k] = a[k] + s * (p[k] - a[k]);
  }
  if (kind === 4) {
    // A needle: c next to the line ab, anywhere along it.
    const s = rng.range(-1, 2);
    const off = size * 10 ** rng.range(-15, -3);
    for (const k of AXES) c[k] = a[k] + s * (b[k] - a[k]) + off * rng.range(-1, 1);
  }
  const radius = rng.chance(0.1)
    ? 0
    : rng.chance(0.3)
      ? rng.int(1, 3) * size * 0.25
      : size * 10 ** rng.range(-4, 1);
  const motion = vec3();
  for (const k of AXES) motion[k] = end[k] - center[k];
  const u = rng.unit();
  const w = rng.unit() * (1 - u);
  const s = rng.range(0.3, 3);
  const aim = rng.int(0, 6);
  if (aim <= 1)
    for (const k of AXES) motion[k] = s * (a[k] + u * (b[k] - a[k]) + w * (c[k] - a[k]) - center[k]);
  if (aim === 2) for (const k of AXES) motion[k] = s * (b[k] - a[k]);
  if (aim === 3) for (const k of AXES) motion[k] = rng.range(-2, 2) * (b[k] - a[k]) + s * (c[k] - a[k]);
  if (aim === 4 && rng.chance(0.2)) Object.assign(motion, vec3());
  return { sphere: { center, radius }, motion, a, b, c };
}

const UNIT = { a: vec3(0, 0, 0), b: vec3(2, 0, 0), c: vec3(0, 2, 0) };
const sweep = (center: Vec3, radius: number, motion: Vec3) =>
  sweepSphereTriangle({ center, radius }, motion, UNIT.a, UNIT.b, UNIT.c);

describe('sweepSphereTriangle', () => {
  let hits = 0;
  let cases = 0;
  property('[R5.5.6] is never late and early by rounding only, by exact arithmetic', 10_000, (rng) => {
    cases++;
    if (judgeTriangle(draw(rng))) hits++;
  });
  test('[R5.5.6] about half of the random sweeps hit', () => {
    expect(hits / cases).toBeGreaterThan(0.3);
    expect(hits / cases).toBeLessThan(0.8);
  });

  property('[R5.5.6] grazing passes of an edge, a vertex and the face are found', 3_000, (rng) => {
    // Past the target at a distance of r ± a few rounding errors, and a little more.
    const { points, size } = cloud(rng, 3);
    const [a, b, c] = points as [Vec3, Vec3, Vec3];
    const radius = size * 10 ** rng.range(-3, 1);
    const across = rng.direction();
    const s = rng.pick([0, 0, rng.unit()]);
    const w = rng.pick([0, 0, rng.unit() * (1 - s)]);
    const gap = radius * (1 + rng.int(-3, 3) * 2 ** rng.int(-53, -40));
    // The path runs at a right angle to `across`.
    const along = rng.direction();
    const lean = along.x * across.x + along.y * across.y + along.z * across.z;
    const reach = size * 10 ** rng.range(-1, 1);
    const center = vec3();
    const motion = vec3();
    for (const k of AXES) {
      const way = along[k] - lean * across[k];
      center[k] = a[k] + s * (b[k] - a[k]) + w * (c[k] - a[k]) + gap * across[k] - reach * way;
      motion[k] = 2 * reach * way;
    }
    judgeTriangle({ sphere: { center, radius }, motion, a, b, c });
  });

  property('[R5.5.6] no sphere, not even a point, slips through the seam of two triangles', 10_000, (rng) => {
    const { points, size } = cloud(rng, 4);
    const [a, b, c, center] = points as [Vec3, Vec3, Vec3, Vec3];
    const s = rng.unit();
    const motion = vec3();
    const d = vec3();
    for (const k of AXES) {
      motion[k] = 2 * (a[k] + s * (b[k] - a[k]) - center[k]);
      d[k] = a[k] - c[k] + b[k];
    }
    // Where the parallelogram is seen from its side, the rounding of the aim may lead past both.
    const u = vec3(b.x - a.x, b.y - a.y, b.z - a.z);
    const w = vec3(c.x - a.x, c.y - a.y, c.z - a.z);
    const volume =
      motion.x * (u.y * w.z - u.z * w.y) +
      motion.y * (u.z * w.x - u.x * w.z) +
      motion.z * (u.x * w.y - u.y * w.x);
    if (Math.abs(volume) < 1e-3 * size ** 3 || s < 1e-3 || s > 0.999) return;
    const sphere = { center, radius: rng.chance(0.5) ? 0 : size * 1e-15 * rng.unit() };
    const first = sweepSphereTriangle(sphere, motion, a, b, c);
    const second = sweepSphereTriangle(sphere, motion, a, b, d);
    check(first !== null || second !== null, 'slipped through');
  });

  test('[R5.5.6] the face from both sides, an edge, a vertex', () => {
    const above = sweep(vec3(0.5, 0.5, 3), 1, vec3(0, 0, -4))!;
    expect(above.t).toBeCloseTo(0.5, 13);
    expect(above.normal).toEqual(vec3(0, 0, 1));
    expect(above.point.x).toBeCloseTo(0.5, 13);
    expect(above.point.z).toBeCloseTo(0, 13);
    const below = sweep(vec3(0.5, 0.5, -3), 1, vec3(0, 0, 4))!;
    expect(below.t).toBeCloseTo(0.5, 13);
    expect(below.normal.z).toBe(-1);
    // In the plane, at right angles to the edge y = 0 and to the corner (2, 0, 0).
    const edge = sweep(vec3(0.5, -3, 0), 1, vec3(0, 4, 0))!;
    expect(edge.t).toBeCloseTo(0.5, 13);
    expect(edge.normal.y).toBeCloseTo(-1, 13);
    expect(edge.point.x).toBeCloseTo(0.5, 13);
    const vertex = sweep(vec3(5, 0, 0), 1, vec3(-4, 0, 0))!;
    expect(vertex.t).toBeCloseTo(0.5, 13);
    expect(vertex.point).toEqual(vec3(2, 0, 0));
  });

  test('[R5.5.6] a corner that leads is hit before the edges that meet there', () => {
    // The book stops at the edges' cylinders, where the sphere is late.
    const hit = sweepSphereTriangle(
      { center: vec3(-3, 0, 0), radius: 1 },
      vec3(4, 0, 0),
      vec3(),
      vec3(1, 9, 0),
      vec3(1, -9, 0),
    )!;
    expect(hit.t).toBeCloseTo(0.5, 13);
    expect(hit.point).toEqual(vec3(0, 0, 0));
    expect(hit.normal.x).toBeCloseTo(-1, 13);
  });

  test('[R5.5.6] receding, parallel, short of it, without motion', () => {
    expect(sweep(vec3(0.5, 0.5, 3), 1, vec3(0, 0, 4))).toBeNull();
    expect(sweep(vec3(-5, 0.5, 3), 1, vec3(10, 0, 0))).toBeNull();
    expect(sweep(vec3(0.5, 0.5, 3), 1, vec3(0, 0, -1.99))).toBeNull();
    expect(sweep(vec3(0.5, 0.5, 3), 1, vec3())).toBeNull();
    expect(sweep(vec3(0.5, 0.5, 3), 1, vec3(0, 0, -2))!.t).toBeCloseTo(1, 13);
  });

  test('[R5.5.6] a start in touch hits at 0 at the nearest point', () => {
    const resting = sweep(vec3(0.5, 0.5, 1), 1, vec3(1, 0, 0))!;
    expect(resting).toEqual({ t: 0, point: vec3(0.5, 0.5, 0), normal: vec3(0, 0, 1) });
    const edge = sweep(vec3(1.9, -0.1, 0), 1, vec3(0, 1, 0))!;
    expect(edge.t).toBe(0);
    expect(edge.point.x).toBeCloseTo(1.9, 13);
    expect(edge.point.y).toBeCloseTo(0, 13);
    expect(edge.normal.y).toBeCloseTo(-1, 13);
    const corner = sweep(vec3(2.3, -0.4, 0), 1, vec3(0, 1, 0))!;
    expect(corner.point).toEqual(vec3(2, 0, 0));
    expect(corner.normal.x).toBeCloseTo(0.6, 13);
    // The centre in the face: the normal opposes the motion.
    expect(sweep(vec3(0.5, 0.5, 0), 1, vec3(0, 0, 1))!.normal.z).toBe(-1);
    expect(sweep(vec3(0.5, 0.5, 0), 1, vec3(0, 0, -1))!.normal.z).toBe(1);
    expect(Math.abs(sweep(vec3(0.5, 0.5, 0), 0, vec3())!.normal.z)).toBe(1);
  });

  test('[R5.5.6] triangles that are a segment or a point', () => {
    const sphere = { center: vec3(0, 0, 3), radius: 1 };
    const down = vec3(0, 0, -4);
    const [p, q] = [vec3(-1, 0, 0), vec3(1, 0, 0)];
    for (const [a, b, c] of [
      [p, q, vec3()],
      [p, p, q],
      [q, p, p],
      [vec3(), vec3(), vec3()],
    ] as const) {
      const hit = sweepSphereTriangle(sphere, down, a, b, c)!;
      expect(hit.t).toBeCloseTo(0.5, 13);
      expect(hit.normal.z).toBeCloseTo(1, 13);
    }
    const point = sweepSphereTriangle({ center: vec3(), radius: 0 }, vec3(), vec3(), vec3(), vec3())!;
    expect(Math.hypot(point.normal.x, point.normal.y, point.normal.z)).toBe(1);
  });

  property('[R5.5.6] the feature that the kernel names is the one that is touched', 10_000, (rng) => {
    const { sphere, motion, a, b, c } = draw(rng);
    const mover = loadMover(sphere.center, motion, { ...makeMover(), radius: sphere.radius });
    const hit = { ...makeHit(), t: PAST_THE_END };
    const feature = touchTriangle(mover, a, b, c, hit);
    check(feature >= 0 && feature <= 7, `feature ${feature}`);
    check((feature === 0) === (hit.t === PAST_THE_END), 'a feature without a hit');
    if (feature === 1) check(hit.point.x === a.x && hit.point.y === a.y && hit.point.z === a.z, 'a');
    if (feature === 2) check(hit.point.x === b.x && hit.point.y === b.y && hit.point.z === b.z, 'b');
    if (feature === 4) check(hit.point.x === c.x && hit.point.y === c.y && hit.point.z === c.z, 'c');
    // A hit that has to come earlier than this one is not found.
    const again = touchTriangle(mover, a, b, c, hit);
    check(again === 0, 'found again');
  });

  test('out may be reused, and bad numbers are named', () => {
    const out = makeHit();
    expect(
      sweepSphereTriangle({ center: vec3(0, 0, 2), radius: 1 }, vec3(0, 0, -2), UNIT.a, UNIT.b, UNIT.c, out),
    ).toBe(out);
    expect(() => sweep(vec3(0, Number.NaN, 0), 1, vec3())).toThrow(/sphere\.center\.y/);
    expect(() => sweep(vec3(), -1, vec3())).toThrow(/sphere\.radius/);
    expect(() => sweep(vec3(), 1, vec3(0, 0, Infinity))).toThrow(/motion\.z/);
  });
});
