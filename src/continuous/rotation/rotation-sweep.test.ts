import { expect, test } from 'vitest';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, property } from '../../../tests/kit/index.ts';
import { sweepWith } from '../../../tests/kit/sweep-with.ts';
import type { Pose, Vec3 } from '../../math/types.ts';
import { distanceSqSegmentSegment } from '../../primitives/closest/segment-segment.ts';
import { distanceSqPointTriangle } from '../../primitives/closest/triangle.ts';
import { polyhedralModel } from '../model/polyhedral-model.ts';
import { poseAlong } from '../motion.ts';
import { sweepPolyhedra } from '../sweep.ts';
import { SweepContext } from '../sweep-context.ts';
import type { PolyhedralModel } from '../types.ts';

// ---- The oracle: all pairs of closed features, at one time after the other ----------------------------------------

interface Body {
  readonly vertices: readonly Vec3[];
  readonly polygons: readonly (readonly number[])[];
}

const edgesOf = ({ polygons }: Body): [number, number][] => {
  const seen = new Map<string, [number, number]>();
  for (const loop of polygons)
    loop.forEach((a, i) => {
      const b = loop[(i + 1) % loop.length]!;
      seen.set(`${Math.min(a, b)},${Math.max(a, b)}`, [a, b]);
    });
  return [...seen.values()];
};

const at = ({ position: p, quaternion: q }: Pose, v: Vec3): Vec3 => {
  const tx = 2 * (q.y * v.z - q.z * v.y);
  const ty = 2 * (q.z * v.x - q.x * v.z);
  const tz = 2 * (q.x * v.y - q.y * v.x);
  return {
    x: v.x + q.w * tx + q.y * tz - q.z * ty + p.x,
    y: v.y + q.w * ty + q.z * tx - q.x * tz + p.y,
    z: v.z + q.w * tz + q.x * ty - q.y * tx + p.z,
  };
};

function pointsPolygonsSq(points: readonly Vec3[], { polygons }: Body, corners: readonly Vec3[]): number {
  let least = Infinity;
  for (const p of points)
    for (const loop of polygons)
      for (let k = 2; k < loop.length; k++)
        least = Math.min(
          least,
          distanceSqPointTriangle(p, corners[loop[0]!]!, corners[loop[k - 1]!]!, corners[loop[k]!]!),
        );
  return least;
}

/** The distance of the surfaces, if they do not cut through each other. */
function gapOf(
  a: Body,
  pa: readonly Vec3[],
  b: Body,
  pb: readonly Vec3[],
  ea = edgesOf(a),
  eb = edgesOf(b),
): number {
  let least = Math.min(pointsPolygonsSq(pa, b, pb), pointsPolygonsSq(pb, a, pa));
  for (const [i, j] of ea)
    for (const [k, l] of eb)
      least = Math.min(least, distanceSqSegmentSegment(pa[i]!, pa[j]!, pb[k]!, pb[l]!));
  return Math.sqrt(least);
}

const identity = (): Pose => ({ position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } });

interface Turn {
  readonly axis: Vec3;
  readonly angle: number;
  readonly pivot: Vec3;
}

const reachOf = (points: readonly Vec3[], { axis, pivot }: Turn): number => {
  const l = Math.hypot(axis.x, axis.y, axis.z);
  return Math.max(
    ...points.map((p) => {
      const x = p.x - pivot.x;
      const y = p.y - pivot.y;
      const z = p.z - pivot.z;
      return Math.hypot(y * axis.z - z * axis.y, z * axis.x - x * axis.z, x * axis.y - y * axis.x) / l;
    }),
  );
};

/** The first fraction at which the gap is below `level`, or Infinity: no point moves faster than reach × angle. */
function firstBelow(a: Body, from: Pose, motion: Turn, b: Body, level: number, fine: number): number {
  const start = a.vertices.map((v) => at(from, v));
  const speed = reachOf(start, motion) * Math.abs(motion.angle);
  const ea = edgesOf(a);
  const eb = edgesOf(b);
  for (let t = 0; ; ) {
    const place = poseAlong(from, motion, Math.min(t, 1));
    const gap = gapOf(
      a,
      a.vertices.map((v) => at(place, v)),
      b,
      b.vertices,
      ea,
      eb,
    );
    if (gap < level) return t;
    if (t >= 1) return Infinity;
    t += Math.max(gap - level, fine) / speed;
  }
}

// ---- Bodies ---------------------------------------------------------------------------------------------------

const boxBody = (x: number, y: number, z: number): Body => ({
  vertices: Array.from({ length: 8 }, (_, i) => ({
    x: i & 1 ? x : -x,
    y: i & 2 ? y : -y,
    z: i & 4 ? z : -z,
  })),
  polygons: [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ],
});

const tetraBody = (rng: Rng): Body => {
  for (;;) {
    const v = [rng.vec(), rng.vec(), rng.vec(), rng.vec()];
    const [a, b, c, d] = v as [Vec3, Vec3, Vec3, Vec3];
    const det =
      (b.x - a.x) * ((c.y - a.y) * (d.z - a.z) - (c.z - a.z) * (d.y - a.y)) -
      (b.y - a.y) * ((c.x - a.x) * (d.z - a.z) - (c.z - a.z) * (d.x - a.x)) +
      (b.z - a.z) * ((c.x - a.x) * (d.y - a.y) - (c.y - a.y) * (d.x - a.x));
    if (Math.abs(det) < 0.1) continue;
    const vertices = det > 0 ? v : [a, c, b, d];
    return {
      vertices,
      polygons: [
        [0, 2, 1],
        [0, 1, 3],
        [1, 2, 3],
        [2, 0, 3],
      ],
    };
  }
};

const triangleBody = (rng: Rng): Body => ({
  vertices: [rng.vec(), rng.vec(), rng.vec()],
  polygons: [[0, 1, 2]],
});

const lattice = (rng: Rng): Vec3 => ({ x: rng.int(-1, 1), y: rng.int(-1, 1), z: rng.int(-1, 1) });

function someBody(rng: Rng): Body {
  const kind = rng.int(0, 3);
  if (kind === 0) return boxBody(rng.range(0.2, 1), rng.range(0.2, 1), rng.range(0.2, 1));
  if (kind === 1) return boxBody(1, 0.5, 0.5);
  return kind === 2 ? tetraBody(rng) : triangleBody(rng);
}

const modelOf = (body: Body): PolyhedralModel => polyhedralModel(body);

function someTurn(rng: Rng, from: Pose): Turn {
  let axis = rng.chance(0.4) ? lattice(rng) : rng.direction();
  if (axis.x === 0 && axis.y === 0 && axis.z === 0) axis = { x: 0, y: 0, z: 1 };
  const pivot = rng.pick([
    () => rng.vec(2),
    () => lattice(rng),
    () => from.position,
    () => rng.vec(20),
    () => rng.vec(1000),
  ])();
  const far = Math.hypot(pivot.x, pivot.y, pivot.z);
  const angle =
    rng.sign() * rng.pick([() => rng.range(0, Math.PI), () => Math.PI, () => rng.range(Math.PI, 7)])();
  return { axis, angle: far > 5 ? angle * (3 / far) : angle, pivot };
}

const context = new SweepContext();
const sweep = sweepWith(context);

property('[P4][P5] never later than the oracle, and at the distance e', 250, (rng) => {
  const a = someBody(rng);
  const b = someBody(rng);
  const from: Pose = {
    position: rng.chance(0.3) ? { x: 2.5, y: rng.int(-1, 1), z: rng.int(-1, 1) } : rng.vec(3),
    quaternion: rng.rotation(),
  };
  const motion = someTurn(rng, from);
  const e = rng.pick([0.02, 0.005]);
  const start = gapOf(
    a,
    a.vertices.map((v) => at(from, v)),
    b,
    b.vertices,
  );
  if (start < 1.05 * e) return;
  context.exhausted = 0;
  const hit = sweep(modelOf(a), from, motion, modelOf(b), identity(), { thickness: e });
  if (hit?.penetrating) return;
  check(context.exhausted === 0, 'a search was given up');
  const latest = firstBelow(a, from, motion, b, e * (1 - 1 / 64), e / 256);
  if (hit === null) {
    check(latest === Infinity, () => `missed: the oracle sees it at ${latest}`);
    return;
  }
  check(hit.t <= latest + 1e-12, () => `at ${hit.t}, but too near at ${latest}`);
  const place = poseAlong(from, motion, hit.t);
  const gap = gapOf(
    a,
    a.vertices.map((v) => at(place, v)),
    b,
    b.vertices,
  );
  check(gap <= e * (1 + 1 / 32) && gap >= e * (1 - 1 / 60), () => `gap ${gap / e} e at ${hit.t}`);
  check(Math.abs(hit.gap - gap) < 1e-2 * e, () => `says ${hit.gap / e} e, is ${gap / e} e`);
});

// ---- The zone: Figs 2 to 4 of the paper -----------------------------------------------------------------------

const floor = modelOf({
  vertices: [
    { x: -10, y: -10, z: 0 },
    { x: 10, y: -10, z: 0 },
    { x: 10, y: 10, z: 0 },
    { x: -10, y: 10, z: 0 },
  ],
  polygons: [[0, 1, 2, 3]],
});
const point = (): PolyhedralModel => polyhedralModel({ vertices: [{ x: 0, y: 0, z: 0 }], polygons: [] });

test('[P8] a point in the zone that goes deeper stops at once', () => {
  const from = { ...identity(), position: { x: 1, y: 0, z: 0.005 } };
  const motion = { axis: { x: 0, y: 1, z: 0 }, angle: 1, pivot: { x: 0, y: 0, z: 0.1 } };
  const hit = sweepPolyhedra(point(), from, motion, floor, identity(), { thickness: 0.01 });
  expect(hit?.t).toBe(0);
});

test('[P8] one that would not get out of the zone stops where it is highest', () => {
  const from = { ...identity(), position: { x: -0.05, y: 0, z: 0.005 } };
  const center = 0.005 - Math.sqrt(1 - 0.0025);
  const motion = { axis: { x: 0, y: 1, z: 0 }, angle: 1, pivot: { x: 0, y: 0, z: center } };
  const hit = sweepPolyhedra(point(), from, motion, floor, identity(), { thickness: 0.01 });
  expect(hit?.t).toBeCloseTo(Math.asin(0.05), 10);
  expect(hit?.gap).toBeCloseTo(center + 1, 12);
});

test('[P8] one that leaves the zone stops where it comes back', () => {
  const from = { ...identity(), position: { x: -0.3, y: 0, z: 0.005 } };
  const center = 0.005 - Math.sqrt(1 - 0.09);
  const motion = { axis: { x: 0, y: 1, z: 0 }, angle: 1, pivot: { x: 0, y: 0, z: center } };
  const hit = sweepPolyhedra(point(), from, motion, floor, identity(), { thickness: 0.01 });
  const back = Math.asin(0.3) + Math.acos(0.01 - center);
  expect(hit?.t).toBeLessThan(back);
  expect(hit?.t).toBeGreaterThan(back - 0.001);
  expect(hit?.gap).toBeGreaterThan(0.0099);
});

const grid = (n: number, merge: boolean): PolyhedralModel => {
  const vertices: Vec3[] = [];
  for (let j = 0; j <= n; j++)
    for (let i = 0; i <= n; i++) vertices.push({ x: i - n / 2, y: j - n / 2, z: 0 });
  const polygons: number[][] = [];
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) {
      const a = j * (n + 1) + i;
      polygons.push([a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]);
    }
  return polyhedralModel({ vertices, polygons }, { mergeCoplanar: merge });
};

property('[P8] a box in the zone of a floor of many triangles turns about the vertical freely', 40, (rng) => {
  const e = rng.pick([1e-6, 1e-3]);
  const rest = rng.pick([0.5, 1, 1 + 1 / 128, 1 + 1 / 64, 0.999, 0.1]) * e;
  const from = { ...identity(), position: { x: rng.range(-1, 1), y: rng.range(-1, 1), z: 0.5 + rest } };
  const axis = { x: 0, y: 0, z: rng.sign() };
  const angle = rng.pick([1e-9, 1, Math.PI, 7]);
  const motion = { axis, angle, pivot: rng.vec(1.5) };
  const hit = sweepPolyhedra(modelOf(boxBody(1, 0.7, 0.5)), from, motion, grid(12, false), identity(), {
    thickness: e,
  });
  check(
    hit === null,
    () => `stopped at ${hit?.t}: ${hit?.moverKind} ${hit?.targetKind} ${hit?.targetFeature}`,
  );
});

test('[P8] a box that overhangs a table turns on it freely', () => {
  const table = modelOf(boxBody(2, 2, 0.5));
  const e = 1e-6;
  for (const rest of [1, 1 + 1 / 256, 1.01]) {
    const from = { ...identity(), position: { x: 1.7, y: 1.6, z: 0.5 + 0.25 + rest * e } };
    for (const angle of [1e-9, 1, Math.PI, -7]) {
      const motion = { axis: { x: 0, y: 0, z: 1 }, angle };
      expect(
        sweepPolyhedra(modelOf(boxBody(1, 0.7, 0.25)), from, motion, table, identity(), { thickness: e }),
      ).toBeNull();
    }
  }
});

property('[P8] from a contact on: never nearer than at the start, nor than e', 150, (rng) => {
  const a = someBody(rng);
  const b = someBody(rng);
  const A = modelOf(a);
  const B = modelOf(b);
  const e = rng.pick([0.02, 0.005]);
  const from: Pose = { position: rng.vec(3), quaternion: rng.rotation() };
  const approach = rng.chance(0.5)
    ? someTurn(rng, from)
    : { translation: { x: -1.5 * from.position.x, y: -1.5 * from.position.y, z: -1.5 * from.position.z } };
  const first = sweepPolyhedra(A, from, approach, B, identity(), { thickness: e });
  if (first === null || first.penetrating) return;
  const start = poseAlong(from, approach, first.t);
  const wider = e * rng.pick([1, 1, 1.5]);
  const motion = someTurn(rng, start);
  context.exhausted = 0;
  const hit = sweep(A, start, motion, B, identity(), { thickness: wider });
  check(context.exhausted === 0, 'a search was given up');
  const begin = gapOf(
    a,
    a.vertices.map((v) => at(start, v)),
    b,
    b.vertices,
  );
  if (begin < 0.9 * e) return;
  const least = Math.min(begin, wider) * (1 - 1 / 64) - 1e-9;
  const latest = firstBelow(a, start, motion, b, least, e / 256);
  check((hit?.t ?? 1) <= latest + 1e-12, () => `${hit?.t}, but nearer at ${latest}; from ${begin / wider}`);
});
