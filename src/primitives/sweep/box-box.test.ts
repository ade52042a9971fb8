import { describe, expect, test } from 'vitest';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, exact as E, near, property } from '../../../tests/kit/index.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { boxPolyhedron } from '../../polytope/polyhedron.ts';
import type { Aabb, Obb } from '../types.ts';
import { sweepAabbAabb, sweepObbObb } from './box-box.ts';
import { sweepPolyhedronPolyhedron } from './polyhedron-polyhedron.ts';
import { makeSweepSpan } from './types.ts';

const AXES = ['x', 'y', 'z'] as const;

/** The times between which two moving intervals overlap, as rational numbers; null for never. */
function exactSpan(a: Aabb, v: Vec3, b: Aabb): { enter: E.Q; exit: E.Q | null } | null {
  let enter = E.ZERO;
  let exit: E.Q | null = null;
  for (const k of AXES) {
    const low = E.sub(E.q(b.min[k]), E.q(a.max[k]));
    const high = E.sub(E.q(b.max[k]), E.q(a.min[k]));
    if (v[k] === 0) {
      if (E.sign(low) > 0 || E.sign(high) < 0) return null;
      continue;
    }
    const [from, to] = v[k] > 0 ? [low, high] : [high, low];
    enter = E.max(enter, E.div(from, E.q(v[k])));
    const last = E.div(to, E.q(v[k]));
    exit = exit === null ? last : E.min(exit, last);
  }
  if (E.cmp(enter, E.ONE) > 0 || (exit !== null && E.cmp(enter, exit) > 0)) return null;
  return { enter, exit };
}

function drawBoxes(rng: Rng): { a: Aabb; b: Aabb; motion: Vec3 } {
  const { points } = cloud(rng, 6);
  const [p, q, r, s, from, to] = points as [Vec3, Vec3, Vec3, Vec3, Vec3, Vec3];
  const motion = v3.sub(to, from);
  for (const k of AXES) if (rng.chance(0.2)) motion[k] = 0;
  // Towards a corner of the other.
  if (rng.chance(0.3)) v3.scale(v3.sub(r, q, motion), rng.range(0.5, 3), motion);
  return { a: { min: v3.min(p, q), max: v3.max(p, q) }, b: { min: v3.min(r, s), max: v3.max(r, s) }, motion };
}

describe('sweepAabbAabb', () => {
  property(
    '[R5.5.8] enters no later and leaves no earlier than by exact arithmetic, by a few ulps',
    20_000,
    (rng) => {
      const { a, b, motion } = drawBoxes(rng);
      const span = sweepAabbAabb(a, motion, b);
      const wanted = exactSpan(a, motion, b);
      if (wanted === null) {
        // The only way to err is by ulps, to the side of a hit.
        const ulps = 8 * Number.EPSILON;
        if (span) check(span.enter >= 1 - ulps || span.exit - span.enter <= ulps * span.exit, 'a false hit');
        return;
      }
      check(span !== null, 'missed');
      check(E.cmp(E.q(span.enter), wanted.enter) <= 0, 'late');
      near(span.enter, E.toNumber(wanted.enter), 8 * Number.EPSILON * E.toNumber(wanted.enter), 'enter');
      if (wanted.exit === null) check(span.exit === Infinity, 'boxes at rest part');
      else {
        check(E.cmp(E.q(span.exit), wanted.exit) >= 0, 'leaves early');
        near(span.exit, E.toNumber(wanted.exit), 8 * Number.EPSILON * E.toNumber(wanted.exit), 'exit');
      }
      const { normal } = span;
      check(
        Math.abs(normal.x) + Math.abs(normal.y) + Math.abs(normal.z) === 1,
        'the normal is not along an axis',
      );
      // Along the normal they touch at that time.
      if (span.enter > 0) {
        const k = AXES.find((axis) => normal[axis] !== 0)!;
        const gap = normal[k] > 0 ? a.min[k] - b.max[k] : b.min[k] - a.max[k];
        near(gap, -span.enter * motion[k] * normal[k], 8 * Number.EPSILON * gap, 'gap along the normal');
      }
    },
  );

  const unit = { min: vec3(0, 0, 0), max: vec3(1, 1, 1) };

  test('[R5.5.8] apart in y while moving in x is a miss', () => {
    const other = { min: vec3(5, 3, 0), max: vec3(6, 4, 1) };
    expect(sweepAabbAabb(unit, vec3(10, 0, 0), other)).toBeNull();
    expect(sweepAabbAabb(unit, vec3(10, 0, 0), { min: vec3(5, 1, 0), max: vec3(6, 4, 1) })).not.toBeNull();
  });

  test('[R5.5.8] a start in touch enters at 0 and has a real exit', () => {
    const span = sweepAabbAabb(unit, vec3(2, 0, 0), { min: vec3(-1, 0, 0), max: vec3(0.5, 1, 1) })!;
    expect(span.enter).toBe(0);
    expect(span.exit).toBeCloseTo(0.25, 14);
    expect(span.normal.x).toBe(1);
    const still = sweepAabbAabb(unit, vec3(), unit, makeSweepSpan())!;
    expect(still).toMatchObject({ enter: 0, exit: Infinity });
    expect(sweepAabbAabb(unit, vec3(), { min: vec3(2, 0, 0), max: vec3(3, 1, 1) })).toBeNull();
    // Already past it.
    expect(sweepAabbAabb(unit, vec3(2, 0, 0), { min: vec3(-2, 0, 0), max: vec3(-1, 1, 1) })).toBeNull();
  });

  test('bad input is named', () => {
    expect(() => sweepAabbAabb({ min: vec3(2), max: vec3(1) }, vec3(), unit)).toThrow(/a\.min/);
    expect(() => sweepAabbAabb(unit, vec3(Number.NaN), unit)).toThrow(/motion\.x/);
  });
});

describe('sweepObbObb', () => {
  function drawObb(rng: Rng, center: Vec3, size: number, turn: ReturnType<Rng['rotation']>): Obb {
    const columns = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)].map((axis) => v3.rotate(axis, turn));
    const halfSize = vec3(rng.unit() * size, rng.unit() * size, rng.chance(0.2) ? 0 : rng.unit() * size);
    return { center, halfSize, rotation: { elements: columns.flatMap(({ x, y, z }) => [x, y, z]) } };
  }
  function nearly({ x, y, z, w }: ReturnType<Rng['rotation']>, angle: number): ReturnType<Rng['rotation']> {
    const length = Math.hypot(x + angle, y, z, w);
    return { x: (x + angle) / length, y: y / length, z: z / length, w: w / length };
  }
  const corners = ({ center, halfSize, rotation: { elements: e } }: Obb): Vec3[] =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((i) => {
      const [x, y, z] = [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1];
      const [hx, hy, hz] = [x * halfSize.x, y * halfSize.y, z * halfSize.z];
      return vec3(
        center.x + hx * e[0]! + hy * e[3]! + hz * e[6]!,
        center.y + hx * e[1]! + hy * e[4]! + hz * e[7]!,
        center.z + hx * e[2]! + hy * e[5]! + hz * e[8]!,
      );
    });
  /** The boxes as polyhedra: the same eight corners, with the normals of the axes. */
  const asPolyhedron = (box: Obb) => {
    const e = box.rotation.elements;
    const { faces } = boxPolyhedron(vec3(-1, -1, -1), vec3(1, 1, 1));
    const vertices = corners(box);
    const planes = faces.map((face, i) => {
      const k = i >> 1;
      const normal = v3.scale(vec3(e[3 * k]!, e[3 * k + 1]!, e[3 * k + 2]!), i % 2 === 0 ? -1 : 1);
      return { normal, d: v3.dot(normal, vertices[face[0]!]!) };
    });
    return { vertices, faces, planes };
  };

  property('[R5.5.2] enters at the same time as the boxes taken for polyhedra', 10_000, (rng) => {
    const { points, size, scale } = cloud(rng, 4);
    const [p, q, from, to] = points as [Vec3, Vec3, Vec3, Vec3];
    const motion = rng.chance(0.5) ? v3.scale(v3.sub(q, p), rng.range(0.5, 3)) : v3.sub(to, from);
    const turn = rng.rotation();
    // Parallel, almost parallel (about the same axis as well as another) and at random.
    const other = rng.pick([0, 1, 2]) === 0 ? nearly(turn, 10 ** rng.range(-17, -4)) : rng.rotation();
    const [a, b] = [drawObb(rng, p, 0.5 * size, turn), drawObb(rng, q, 0.5 * size, other)];
    const span = sweepObbObb(a, motion, b);
    const wanted = sweepPolyhedronPolyhedron(asPolyhedron(a), motion, asPolyhedron(b));
    // The corners of the polyhedra are rounded to the grid of their coordinates.
    const noise = 16 * Number.EPSILON * scale + 8 * SWEEP_SLACK * (size + v3.length(motion));
    if (span === null || wanted === null) {
      const found = span ?? wanted;
      if (!found) return;
      // Within rounding of the end of the motion, or of a graze.
      const grown = sweepObbObb({ ...a, halfSize: v3.add(a.halfSize, vec3(noise, noise, noise)) }, motion, b);
      check(grown !== null, 'missed');
      const halfSize = v3.max(v3.sub(a.halfSize, vec3(noise, noise, noise)), vec3());
      const shrunk = sweepObbObb({ ...a, halfSize }, motion, b);
      const flat = Math.min(a.halfSize.x, a.halfSize.y, a.halfSize.z) < noise;
      check(shrunk === null || flat, 'a false hit, or a missed one');
      return;
    }
    // Both times are those of a box with a surface that is off by less than the noise.
    const { normal } = span;
    const speed = -v3.dot(normal, motion);
    check(Math.abs(v3.length(normal) - 1) <= 4 * Number.EPSILON, 'normal');
    if (Math.max(span.enter, wanted.enter) > 0)
      near(span.enter, wanted.enter, (2 * noise) / Math.abs(speed), 'enter');
  });

  property('[R5.5.2] the normal proves, exactly, that the boxes are apart until then', 10_000, (rng) => {
    const { points, size } = cloud(rng, 2, rng.pick(['plain', 'lattice', 'huge', 'tiny'] as const));
    const [p, q] = points as [Vec3, Vec3];
    const motion = v3.scale(v3.sub(q, p), rng.range(0.5, 3));
    const [a, b] = [drawObb(rng, p, 0.3 * size, rng.rotation()), drawObb(rng, q, 0.3 * size, rng.rotation())];
    const span = sweepObbObb(a, motion, b);
    if (span === null || span.enter === 0) return;
    const n = E.qv(span.normal);
    const v = E.vdot(n, E.qv(motion));
    check(E.sign(v) < 0, 'the normal goes with the motion');
    let gap = E.mul(v, E.q(span.enter));
    gap = E.add(gap, E.vdot(n, E.vsub(E.qv(a.center), E.qv(b.center))));
    for (const { halfSize, rotation } of [a, b])
      AXES.forEach((k, i) => {
        const e = rotation.elements;
        const axis = E.qv(vec3(e[3 * i]!, e[3 * i + 1]!, e[3 * i + 2]!));
        gap = E.sub(gap, E.mul(E.q(halfSize[k]), E.abs(E.vdot(n, axis))));
      });
    check(E.sign(gap) >= 0, () => `late: they overlap by ${-E.toNumber(gap)} along the normal`);
    check(E.toNumber(gap) <= 3 * SWEEP_SLACK * (4 * size + 6 * v3.length(motion)), 'early');
  });

  test('[R5.5.2] aligned boxes are as axis-aligned ones; crossed edges meet', () => {
    const rotation = { elements: [1, 0, 0, 0, 1, 0, 0, 0, 1] };
    const a = { center: vec3(0, 0, 0), halfSize: vec3(1, 1, 1), rotation };
    const b = { center: vec3(5, 0.5, 0), halfSize: vec3(1, 1, 1), rotation };
    const span = sweepObbObb(a, vec3(6, 0, 0), b)!;
    expect(span.enter).toBeCloseTo(0.5, 13);
    expect(span.exit).toBeCloseTo(7 / 6, 13);
    expect(span.normal.x).toBeCloseTo(-1, 14);
    // Edge on edge: a ridge along y below, a ridge along x above.
    const s = Math.SQRT1_2;
    const ridgeY = {
      center: vec3(0, 0, 0),
      halfSize: vec3(1, 1, 1),
      rotation: { elements: [s, 0, s, 0, 1, 0, -s, 0, s] },
    };
    const ridgeX = {
      center: vec3(0, 0, 5),
      halfSize: vec3(1, 1, 1),
      rotation: { elements: [1, 0, 0, 0, s, s, 0, -s, s] },
    };
    const edges = sweepObbObb(ridgeX, vec3(0, 0, -10), ridgeY)!;
    expect(edges.enter).toBeCloseTo((5 - 2 * Math.SQRT2) / 10, 13);
    expect(edges.normal.z).toBeCloseTo(1, 13);
    expect(() => sweepObbObb({ ...a, halfSize: vec3(1, -1, 1) }, vec3(), b)).toThrow(/a\.halfSize/);
  });
});
