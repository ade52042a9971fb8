import { expect, test } from 'vitest';
import { check, property, type Rng } from '../../../tests/kit/index.ts';
import { randomBody, roomBody, type SweepBody } from '../../../tests/kit/sweep-shapes.ts';
import { sweepWith } from '../../../tests/kit/sweep-with.ts';
import { composePoses } from '../../math/pose.ts';
import * as q4 from '../../math/quat.ts';
import type { Pose, Vec3 } from '../../math/types.ts';
import { pose, vec3 } from '../../math/types.ts';
import { closestPointsTriangleTriangle } from '../../primitives/closest/index.ts';
import { box } from '../../shapes/index.ts';
import { polyhedralModel } from '../model/polyhedral-model.ts';
import { motionBetween, poseAlong, relativeMotion } from '../motion.ts';
import { sweepPolyhedra } from '../sweep.ts';
import { SweepContext } from '../sweep-context.ts';
import { touchingFeatures } from '../touching-features.ts';
import { FULL_SPEED, type Tuning } from '../tuning.ts';
import { makeSweepHit, type PolyhedralModel } from '../types.ts';

/** Corners of triangles: a point is a triangle without extent. */
type Soup = [Vec3, Vec3, Vec3][];

function soupOf(b: SweepBody): Soup {
  const at = (i: number): Vec3 => vec3(b.positions[3 * i], b.positions[3 * i + 1], b.positions[3 * i + 2]);
  if (b.index.length === 0) return [[at(0), at(0), at(0)]];
  return Array.from({ length: b.index.length / 3 }, (_, k) => [
    at(b.index[3 * k]!),
    at(b.index[3 * k + 1]!),
    at(b.index[3 * k + 2]!),
  ]);
}

const modelOf = (b: SweepBody): PolyhedralModel =>
  b.index.length === 0
    ? polyhedralModel({ vertices: [vec3()], polygons: [] })
    : b.polygons
      ? polyhedralModel({
          vertices: Array.from({ length: b.positions.length / 3 }, (_, i) =>
            vec3(b.positions[3 * i], b.positions[3 * i + 1], b.positions[3 * i + 2]),
          ),
          polygons: b.polygons,
        })
      : polyhedralModel({ positions: b.positions, index: b.index });

const turnedBy = (v: Vec3, q: Pose['quaternion']): Vec3 => {
  const tx = 2 * (q.y * v.z - q.z * v.y);
  const ty = 2 * (q.z * v.x - q.x * v.z);
  const tz = 2 * (q.x * v.y - q.y * v.x);
  return vec3(
    v.x + q.w * tx + q.y * tz - q.z * ty,
    v.y + q.w * ty + q.z * tx - q.x * tz,
    v.z + q.w * tz + q.x * ty - q.y * tx,
  );
};
const placed = (soup: Soup, at: Pose): Soup =>
  soup.map(
    (triangle) =>
      triangle.map((v) => {
        const r = turnedBy(v, at.quaternion);
        return vec3(r.x + at.position.x, r.y + at.position.y, r.z + at.position.z);
      }) as [Vec3, Vec3, Vec3],
  );

const pair = { a: vec3(), b: vec3(), distance: 0 } as never as { a: Vec3; b: Vec3 };
function triangleDistance(a: readonly Vec3[], b: readonly Vec3[], v: Vec3, t: number): number {
  const m = a.map((p) => vec3(p.x + t * v.x, p.y + t * v.y, p.z + t * v.z));
  const { a: p, b: q } = closestPointsTriangleTriangle(
    m[0]!,
    m[1]!,
    m[2]!,
    b[0]!,
    b[1]!,
    b[2]!,
    pair as never,
  );
  return Math.sqrt((p.x - q.x) ** 2 + (p.y - q.y) ** 2 + (p.z - q.z) ** 2);
}

/** The distance at t, over all pairs. */
function gapAt(a: Soup, b: Soup, v: Vec3, t: number): number {
  let gap = Infinity;
  for (const x of a) for (const y of b) gap = Math.min(gap, triangleDistance(x, y, v, t));
  return gap;
}

/** The middle of a triangle and how far its corners are. */
function ballOf(t: readonly Vec3[]): { x: number; y: number; z: number; r: number } {
  const x = (t[0]!.x + t[1]!.x + t[2]!.x) / 3;
  const y = (t[0]!.y + t[1]!.y + t[2]!.y) / 3;
  const z = (t[0]!.z + t[1]!.z + t[2]!.z) / 3;
  return {
    x,
    y,
    z,
    r: Math.max(...t.map((p) => Math.sqrt((p.x - x) ** 2 + (p.y - y) ** 2 + (p.z - z) ** 2))),
  };
}

/** Is some pair nearer than `limit` on the way to t? The distance of a pair is a convex function of time. */
function comesNearer(a: Soup, b: Soup, v: Vec3, t: number, limit: number): number {
  const length = Math.sqrt(v.x ** 2 + v.y ** 2 + v.z ** 2);
  const balls = b.map(ballOf);
  let gap = Infinity;
  for (const x of a) {
    const p = ballOf(x);
    b.forEach((y, k) => {
      const q = balls[k]!;
      // The middles pass each other farther away than that?
      const s = Math.max(
        0,
        Math.min(t, ((q.x - p.x) * v.x + (q.y - p.y) * v.y + (q.z - p.z) * v.z) / length ** 2),
      );
      const apart = Math.sqrt(
        (p.x + s * v.x - q.x) ** 2 + (p.y + s * v.y - q.y) ** 2 + (p.z + s * v.z - q.z) ** 2,
      );
      if (apart > p.r + q.r + 2 * limit) return;
      let from = 0;
      let to = t;
      let d0 = triangleDistance(x, y, v, from);
      let d1 = triangleDistance(x, y, v, to);
      gap = Math.min(gap, d0, d1);
      while (Math.min(d0, d1) > limit && (d0 + d1 - length * (to - from)) / 2 < limit && to - from > 1e-13) {
        const m1 = from + 0.382 * (to - from);
        const m2 = to - 0.382 * (to - from);
        const e1 = triangleDistance(x, y, v, m1);
        const e2 = triangleDistance(x, y, v, m2);
        gap = Math.min(gap, e1, e2);
        if (e1 < e2) {
          to = m2;
          d1 = e2;
        } else {
          from = m1;
          d0 = e1;
        }
      }
    });
  }
  return gap;
}

const hit = makeSweepHit();

property('[P2] [P3] [P13] a translation stops where brute force says', 250, (rng: Rng) => {
  const scale = 10 ** rng.range(-3, 4);
  const a = randomBody(rng, scale);
  const b = rng.chance(0.1)
    ? roomBody(rng, scale * 3)
    : randomBody(rng, scale * (rng.chance(0.5) ? 1 : rng.range(0.3, 3)));
  const plain = rng.chance(0.3);
  const from = pose();
  const stand = pose();
  if (!plain) {
    q4.normalize({ x: rng.gauss(), y: rng.gauss(), z: rng.gauss(), w: rng.gauss() }, from.quaternion);
    if (rng.chance(0.7))
      q4.normalize({ x: rng.gauss(), y: rng.gauss(), z: rng.gauss(), w: rng.gauss() }, stand.quaternion);
  }
  const far = rng.direction();
  const span = b.hollow ? 0.2 : 2.5;
  from.position = vec3(far.x * scale * span, far.y * scale * span, far.z * scale * span);
  if (plain && rng.chance(0.5))
    from.position = vec3(
      Math.round(far.x * 4) * scale,
      Math.round(far.y * 4) * scale,
      Math.round(far.z * 4) * scale,
    );
  const aim = rng.vec();
  const v = vec3(
    -far.x * 5 * scale + aim.x * scale,
    -far.y * 5 * scale + aim.y * scale,
    -far.z * 5 * scale + aim.z * scale,
  );
  if (plain) {
    const keep = rng.int(0, 3);
    if (keep === 0) {
      v.y = 0;
      v.z = 0;
    } else if (keep === 1) {
      v.x = 0;
      v.z = 0;
    } else if (keep === 2) v.z = 0;
  }
  const moverModel = modelOf(a);
  const targetModel = modelOf(b);
  const thickness = scale * rng.pick([1e-6, 1e-6, 1e-3, 1e-2]);
  const A = placed(soupOf(a), from);
  const B = placed(soupOf(b), stand);
  const start = gapAt(A, B, v, 0);
  if (start < thickness) return;
  const found = sweepPolyhedra(moverModel, from, { translation: v }, targetModel, stand, {
    thickness,
    out: hit,
  });
  if (found?.penetrating) return; // inside a solid
  const e = thickness;
  const t = found ? found.t : 1;
  const least = comesNearer(A, B, v, t, e * (1 - 1 / 64));
  check(
    least >= e * (1 - 1 / 64),
    () => `${a.kind} on ${b.kind}: comes to ${least / e} e before t = ${t} ${JSON.stringify(found)}`,
  );
  if (found) {
    const there = poseAlong(from, { translation: v }, t);
    const C = placed(soupOf(a), there);
    const gap = gapAt(C, B, v, 0);
    check(
      gap <= e * (1 + 1 / 64),
      () => `${a.kind} on ${b.kind}: stops at ${gap / e} e, t = ${t} ${JSON.stringify(found)}`,
    );
    check(Math.abs(found.gap - gap) <= e / 64, () => `gap ${found.gap} is ${gap}`);
  }
});

const boxModel = (x: number, y: number, z: number): PolyhedralModel => polyhedralModel(box(x, y, z));
const at = (x: number, y: number, z: number): Pose => ({
  position: vec3(x, y, z),
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
});

test('[P2] a box falls on a box and stops a thickness above it', () => {
  const e = 2 ** -10;
  const found = sweepPolyhedra(
    boxModel(1, 1, 1),
    at(0.25, 0.25, 5),
    { translation: vec3(0, 0, -8) },
    boxModel(2, 2, 1),
    at(0, 0, 0),
    { thickness: e },
  )!;
  expect(found.t).toBeCloseTo((3 - e) / 8, 12);
  expect(found.gap).toBeCloseTo(e, 12);
  expect(found.normal).toEqual({ x: 0, y: 0, z: 1 });
  expect(found.penetrating).toBe(false);
});

test('[P3] two edges that cross', () => {
  const s = Math.SQRT1_2;
  const upper: Pose = {
    position: vec3(0, 0, 5),
    quaternion: { x: Math.sin(Math.PI / 8), y: 0, z: 0, w: Math.cos(Math.PI / 8) },
  };
  const lower: Pose = {
    position: vec3(0, 0, 0),
    quaternion: { x: 0, y: Math.sin(Math.PI / 8), z: 0, w: Math.cos(Math.PI / 8) },
  };
  const e = 1e-3;
  const found = sweepPolyhedra(
    boxModel(1, 1, 1),
    upper,
    { translation: vec3(0, 0, -4) },
    boxModel(1, 1, 1),
    lower,
    { thickness: e },
  )!;
  expect(found.moverKind).toBe('edge');
  expect(found.targetKind).toBe('edge');
  expect(found.t).toBeCloseTo((5 - 4 * s - e) / 4, 9);
  expect(found.normal.z).toBeCloseTo(1, 12);
});

property('[P9] the zone about needle-sharp and dangling edges is as thick as elsewhere', 2000, (rng: Rng) => {
  const thin = 10 ** -rng.range(1, 7);
  // A wedge with its edge along y at the origin, or a lone triangle that ends there.
  const wedge = rng.chance(0.5)
    ? polyhedralModel({
        positions: [0, -1, 0, 0, 1, 0, -1, 1, thin, -1, -1, thin, -1, 1, -thin, -1, -1, -thin],
        index: [0, 1, 2, 0, 2, 3, 0, 4, 1, 0, 5, 4, 2, 4, 5, 2, 5, 3, 1, 4, 2, 0, 3, 5],
      })
    : polyhedralModel({ positions: [0, -1, 0, 0, 1, 0, -1, 0, 0], index: [0, 1, 2] });
  const e = rng.pick([1e-6, 1e-3, 0.01]);
  const point = polyhedralModel({ vertices: [vec3()], polygons: [] });
  // Past the edge, at less than e from it: with the paper's planes it would get by.
  const y = rng.range(-0.4, 0.4);
  const miss = e * rng.range(-0.99, 0.99);
  const start = at(1, y, miss);
  const found = sweepPolyhedra(point, start, { translation: vec3(-1.5, 0, 0) }, wedge, at(0, 0, 0), {
    thickness: e,
  });
  check(found !== null, 'it gets by');
  const x = 1 - 1.5 * found.t;
  check(
    Math.abs(Math.sqrt(x * x + miss * miss) - e) < e / 64,
    () => `stops at ${x / e} e, ${miss / e} e beside`,
  );
});

test('[P8] what rests in the zone leaves, slides over the seams of a floor, and does not sink', () => {
  const positions: number[] = [];
  const index: number[] = [];
  const n = 12;
  for (let j = 0; j <= n; j++) for (let i = 0; i <= n; i++) positions.push(i, j, 0);
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) {
      const k = j * (n + 1) + i;
      index.push(k, k + 1, k + n + 2, k, k + n + 2, k + n + 1);
    }
  for (const mergeCoplanar of [true, false]) {
    const floor = polyhedralModel({ positions, index }, { mergeCoplanar });
    const crate = boxModel(0.5, 0.5, 0.5);
    for (const gap of [0, 1e-9, 5e-7, 9.9e-7]) {
      const start = at(3.3, 4.1, 0.5 + gap);
      const options = { thickness: 1e-6 };
      expect(
        sweepPolyhedra(crate, start, { translation: vec3(4.7, 3.9, 0) }, floor, at(0, 0, 0), options),
      ).toBe(null);
      expect(
        sweepPolyhedra(crate, start, { translation: vec3(1, 2, 0.001) }, floor, at(0, 0, 0), options),
      ).toBe(null);
      expect(sweepPolyhedra(crate, start, { translation: vec3(0, 0, 1) }, floor, at(0, 0, 0), options)).toBe(
        null,
      );
      const down = sweepPolyhedra(
        crate,
        start,
        { translation: vec3(1, 0, -1e-3) },
        floor,
        at(0, 0, 0),
        options,
      )!;
      expect(down.t).toBe(0);
      expect(down.penetrating).toBe(false);
      expect(down.normal.z).toBeCloseTo(1, 12);
    }
  }
});

test('a start that cuts through, or is inside, is told', () => {
  const big = boxModel(2, 2, 2);
  const small = boxModel(0.5, 0.5, 0.5);
  const up = { translation: vec3(0, 0, 9) };
  for (const [a, b, p] of [
    [small, big, at(2, 0.1, 0.2)],
    [small, big, at(0.1, 0.1, 0.2)],
    [big, small, at(0.1, 0.1, 0.2)],
    [big, big, at(2, 0, 0)], // sides in common planes
  ] as const) {
    const found = sweepPolyhedra(a, p, up, b, at(0, 0, 0));
    expect(found?.penetrating).toBe(true);
    expect(found?.t).toBe(0);
  }
  // In touch is not in it.
  expect(sweepPolyhedra(small, at(2.5, 0.1, 0.2), up, big, at(0, 0, 0))).toBe(null);
  expect(sweepPolyhedra(small, at(2.5, 0.1, 0.2), { translation: vec3(-1, 0, 0) }, big, at(0, 0, 0))?.t).toBe(
    0,
  );
});

test('a start that cuts through is told: corners in line, corners in the plane of the other, the tip of a needle', () => {
  const polygonOf = (...corners: [number, number, number][]): PolyhedralModel =>
    polyhedralModel({ vertices: corners.map((c) => vec3(...c)), polygons: [corners.map((_, i) => i)] });
  const wall = polygonOf([0, -2, -2], [0, 0, -2], [0, 2, -2], [0, 2, 2], [0, -2, 2]);
  const lozenge = polygonOf([-1, 0, 0], [0, -1, 0], [1, 0, 0], [0, 1, 0]);
  const needle = polygonOf([1e-6, 0, 0], [-3, 1e-4, 0], [-3, -1e-4, 0]);
  for (const mover of [boxModel(0.5, 0.5, 0.5), lozenge, needle])
    for (const motion of [
      { translation: vec3(0, 0, 1) },
      { axis: vec3(0, 0, 1), angle: 0.1, pivot: vec3(5, 0, 0) },
    ]) {
      const hit = sweepPolyhedra(mover, at(0, 0.1, 0.1), motion, wall, at(0, 0, 0));
      expect([hit?.t, hit?.penetrating]).toEqual([0, true]);
    }
});

property('[P10] [P11] [P12] what is left out and remembered changes no answer', 400, (rng: Rng) => {
  const a = modelOf(randomBody(rng, 1));
  const b = modelOf(randomBody(rng, 2));
  const from = pose();
  const far = rng.direction();
  from.position = vec3(far.x * 4, far.y * 4, far.z * 4);
  q4.normalize({ x: rng.gauss(), y: rng.gauss(), z: rng.gauss(), w: rng.gauss() }, from.quaternion);
  const aim = rng.vec();
  const motion = { translation: vec3(aim.x - far.x * 8, aim.y - far.y * 8, aim.z - far.z * 8) };
  const ask = (sweep = sweepPolyhedra): number =>
    sweep(a, from, motion, b, at(0, 0, 0), { out: hit })?.t ?? 2;
  const wanted = ask();
  for (const key of Object.keys(FULL_SPEED) as (keyof Tuning)[]) {
    const t = ask(sweepWith(new SweepContext({ ...FULL_SPEED, [key]: false })));
    check(Math.abs(t - wanted) < 1e-12, () => `${t} without ${key}, ${wanted} with it`);
  }
});

property('[P6] poses along a motion begin and end where they must', 2000, (rng: Rng) => {
  const random = (): Pose => ({
    position: rng.vec(),
    quaternion: q4.normalize({ x: rng.gauss(), y: rng.gauss(), z: rng.gauss(), w: rng.gauss() }),
  });
  const [a, b, c, d] = [random(), random(), random(), random()];
  const motion = motionBetween(a, b, rng.chance(0.5) ? rng.vec() : undefined);
  check(JSON.stringify(poseAlong(a, motion, 0)) === JSON.stringify(a), 'begins elsewhere');
  check(JSON.stringify(poseAlong(a, motion, 1)) === JSON.stringify(b), 'ends elsewhere');
  const { translation, axis, angle, pivot } = motion;
  const end = poseAlong(a, { translation, axis, angle, pivot }, 1);
  for (const k of ['x', 'y', 'z'] as const)
    check(Math.abs(end.position[k] - b.position[k]) < 1e-14, 'leads elsewhere');
  check(Math.abs(Math.abs(q4.dot(end.quaternion, b.quaternion)) - 1) < 1e-14, 'turns elsewhere');
  const seen = relativeMotion(a, b, c, d);
  const inWorld = composePoses(d, poseAlong(seen.from, seen.motion, 1));
  const atStart = composePoses(c, seen.from);
  for (const k of ['x', 'y', 'z'] as const) {
    check(Math.abs(inWorld.position[k] - b.position[k]) < 1e-14, 'the relative motion ends elsewhere');
    check(Math.abs(atStart.position[k] - a.position[k]) < 1e-14, 'the relative motion begins elsewhere');
  }
});

test('[P7] a box on a floor touches with four corners; touching features keep their order', () => {
  const floor = polyhedralModel({
    positions: [-9, -9, 0, 9, -9, 0, 9, 9, 0, -9, 9, 0],
    index: [0, 1, 2, 0, 2, 3],
  });
  const found = touchingFeatures(boxModel(1, 1, 1), at(0, 0, 1 + 1e-7), floor, at(0, 0, 0), 1e-6);
  expect(found).toHaveLength(4);
  for (const { gap, normal, moverKind, targetKind } of found) {
    expect(gap).toBeCloseTo(1e-7, 14);
    expect(normal).toEqual({ x: 0, y: 0, z: 1 });
    expect([moverKind, targetKind]).toEqual(['vertex', 'polygon']);
  }
  const again = touchingFeatures(boxModel(1, 1, 1), at(0, 0, 1 + 1e-7), floor, at(0, 0, 0), 1e-6);
  expect(again).toEqual(found);
});

property('[P1] what is over a seam of sides in one line is stopped there, rounding or not', 300, (rng) => {
  // A wall of two polygons; the first has a corner more where the second ends, so two sides of it are in one line.
  const c = 10 ** rng.range(-2, 2) * rng.range(1, 2);
  const corners: [number, number][] = [
    [c, 0],
    [c, c],
    [0, c],
    [-c, c],
    [-c, 0],
    [0, 2 * c],
    [-c, 2 * c],
  ];
  const vertices = corners.map(([y, z]) => vec3(c, y, z));
  const wall = polyhedralModel({
    vertices,
    polygons: [
      [0, 1, 2, 3, 4],
      [3, 2, 5, 6],
    ],
  });
  const e = 1e-6 * c;
  const gap = e * rng.pick([0.9, 0.1, 2e-3, 3]);
  const from = pose();
  from.position = vec3(c + gap, rng.range(-0.99, 0.99) * c, c);
  const translation = vec3(-c * rng.range(0.01, 1), c * rng.range(-0.1, 0.1), -c * rng.range(0, 0.5));
  const speck = polyhedralModel({ vertices: [vec3()], polygons: [] });
  const hit = sweepPolyhedra(speck, from, { translation }, wall, pose(), { thickness: e });
  check(hit !== null && hit.t * -translation.x <= Math.max(0, gap - e) + e / 64, () => `passed: ${hit?.t}`);
});

test('a motion of -0 along an axis is none, and no wall is left out', () => {
  // A room of many walls, so that the tree parts them along every axis.
  const index = Uint32Array.from({ length: 60 }, (_, i) => i);
  for (let axis = 0; axis < 3; axis++) {
    // Triangles upright on another axis, one beside the other along this one, at 3.
    const [u, w] = [(axis + 1) % 3, (axis + 2) % 3];
    const positions = new Float64Array(180);
    for (let k = 0; k < 20; k++)
      for (let c = 0; c < 3; c++) {
        const at = 9 * k + 3 * c;
        positions[at + axis] = k + (c === 1 ? 0.9 : 0.1);
        positions[at + u] = 3;
        positions[at + w] = c === 2 ? 1 : -1;
      }
    const wall = polyhedralModel({ positions, index });
    const corner = (x: number) => {
      const p = [0, 0, 0];
      p[axis] = x;
      return vec3(p[0]!, p[1]!, p[2]!);
    };
    for (let k = 0; k < 20; k++)
      for (const zero of [0, -0, 5e-324, -5e-324, -1e-310]) {
        const way = [0, 0, 0];
        way[axis] = zero;
        way[u] = 9;
        way[w] = zero;
        const from = { position: corner(k + 0.5), quaternion: { x: 0, y: 0, z: 0, w: 1 } };
        const speck = polyhedralModel({ vertices: [vec3()], polygons: [] });
        const hit = sweepPolyhedra(
          speck,
          from,
          { translation: vec3(way[0]!, way[1]!, way[2]!) },
          wall,
          pose(),
        );
        expect(hit?.t).toBeCloseTo(1 / 3, 5);
      }
  }
});
