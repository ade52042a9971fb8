/**
 * How deep two convex bodies are in each other, by trying directions: many over the whole sphere and on the circles where
 * bodies of revolution are equally deep all around, then the best of them improved by the simplex of Nelder and Mead
 * (1965), which needs no derivatives and minds no kinks. Closed forms of the extents only: no support points, no hull.
 */
import type { ConvexCore } from '../../src/convex/core.ts';
import { CONE, CYLINDER, ELLIPSOID } from '../../src/convex/core.ts';
import type { Frame } from '../../src/convex/frame.ts';
import type { Vec3 } from '../../src/math/types.ts';
import { extent } from './convex.ts';
import { cornersOf } from './separating-directions.ts';

const unit = (x: number, y: number, z: number): Vec3 => {
  const length = Math.hypot(x, y, z) || 1;
  return { x: x / length, y: y / length, z: z / length };
};
const cross = (a: Vec3, b: Vec3): Vec3 => ({
  x: a.y * b.z - a.z * b.y,
  y: a.z * b.x - a.x * b.z,
  z: a.x * b.y - a.y * b.x,
});
const turn = (f: Frame, { x, y, z }: Vec3): Vec3 => ({
  x: f.m00 * x + f.m01 * y + f.m02 * z,
  y: f.m10 * x + f.m11 * y + f.m12 * z,
  z: f.m20 * x + f.m21 * y + f.m22 * z,
});
const turnBack = (f: Frame, { x, y, z }: Vec3): Vec3 => ({
  x: f.m00 * x + f.m10 * y + f.m20 * z,
  y: f.m01 * x + f.m11 * y + f.m21 * z,
  z: f.m02 * x + f.m12 * y + f.m22 * z,
});

/** By how much the bodies overlap along a unit vector out of b: as far as a must go along it to be rid of b. */
export function overlapAlong(a: ConvexCore, b: ConvexCore, f: Frame, n: Vec3): number {
  return extent(b, turnBack(f, n), 1) + (f.tx * n.x + f.ty * n.y + f.tz * n.z) - extent(a, n, -1);
}

/** The directions on the cone about the axis (0 is x, 1 is y, 2 is z) with this sine of the latitude. */
function circle(axis: number, sine: number, count: number): Vec3[] {
  const cosine = Math.sqrt(Math.max(0, 1 - sine * sine));
  return Array.from({ length: count }, (_, i) => {
    const [s, t] = [
      cosine * Math.cos((2 * Math.PI * i) / count),
      cosine * Math.sin((2 * Math.PI * i) / count),
    ];
    return axis === 0 ? unit(sine, s, t) : axis === 1 ? unit(s, sine, t) : unit(s, t, sine);
  });
}

/** Directions that a round body is likely to be left by, in its own space. */
function circlesOf({ type, data }: ConvexCore): Vec3[] {
  const half = data[0]!;
  const radius = data[1]!;
  if (type === CYLINDER) return circle(1, 0, 360);
  if (type === CONE) return circle(1, radius / Math.hypot(radius, 2 * half), 360);
  if (type === ELLIPSOID) return [...circle(0, 0, 180), ...circle(1, 0, 180), ...circle(2, 0, 180)];
  return [];
}

/** The normals of all triples of a few corners. */
function normalsOf(core: ConvexCore): Vec3[] {
  if (core.type >= CYLINDER || core.data.length > 3 * 14) return [];
  const corners = cornersOf(core);
  const out: Vec3[] = [];
  for (let i = 0; i < corners.length; i++)
    for (let j = 0; j < i; j++)
      for (let k = 0; k < j; k++) {
        const [p, q, r] = [corners[i]!, corners[j]!, corners[k]!];
        const n = cross(
          { x: q.x - p.x, y: q.y - p.y, z: q.z - p.z },
          { x: r.x - p.x, y: r.y - p.y, z: r.z - p.z },
        );
        if (Math.hypot(n.x, n.y, n.z) > 0) out.push(unit(n.x, n.y, n.z), unit(-n.x, -n.y, -n.z));
      }
  return out;
}

/** Nelder and Mead in the plane that touches the sphere of directions at d, begun again until that does not help. */
function improve(f: (d: Vec3) => number, start: Vec3, size: number): number {
  let at = start;
  let least = f(start);
  for (let round = 0, step = size; round < 12; round++, step *= 0.1) {
    const u = unit(
      ...((Math.abs(at.x) < 0.6 ? [0, at.z, -at.y] : [-at.z, 0, at.x]) as [number, number, number]),
    );
    const w = cross(at, u);
    const from = at;
    const place = (s: number, t: number) =>
      unit(from.x + s * u.x + t * w.x, from.y + s * u.y + t * w.y, from.z + s * u.z + t * w.z);
    const value = (p: readonly [number, number]) => f(place(p[0], p[1]));
    let corners = (
      [
        [0, 0],
        [step, 0.3 * step],
        [-0.4 * step, step],
      ] as [number, number][]
    ).map((p) => ({ p, f: value(p) }));
    for (let i = 0; i < 90; i++) {
      corners.sort((c, d) => c.f - d.f);
      const [best, middle, worst] = corners as [
        (typeof corners)[0],
        (typeof corners)[0],
        (typeof corners)[0],
      ];
      const mx = (best.p[0] + middle.p[0]) / 2;
      const my = (best.p[1] + middle.p[1]) / 2;
      const go = (k: number) => {
        const p: [number, number] = [mx + k * (mx - worst.p[0]), my + k * (my - worst.p[1])];
        return { p, f: value(p) };
      };
      const mirrored = go(1);
      let next = mirrored;
      if (mirrored.f < best.f) {
        const far = go(2);
        if (far.f < mirrored.f) next = far;
      } else if (!(mirrored.f < middle.f)) next = mirrored.f < worst.f ? go(0.5) : go(-0.5);
      if (next.f < worst.f) corners[2] = next;
      else
        corners = corners.map((c) => {
          const p: [number, number] = [(c.p[0] + best.p[0]) / 2, (c.p[1] + best.p[1]) / 2];
          return c === best ? c : { p, f: value(p) };
        });
    }
    corners.sort((c, d) => c.f - d.f);
    const best = corners[0]!;
    if (best.f < least) {
      least = best.f;
      at = place(best.p[0], best.p[1]);
    }
  }
  return least;
}

const AXES: readonly Vec3[] = [
  { x: 1, y: 0, z: 0 },
  { x: 0, y: 1, z: 0 },
  { x: 0, y: 0, z: 1 },
];

/** The least overlap along any direction, as well as trying can tell: never less than the truth. */
export function leastOverlap(a: ConvexCore, b: ConvexCore, f: Frame, places = 8): number {
  const overlap = (n: Vec3) => overlapAlong(a, b, f, n);
  const tries: Vec3[] = [];
  for (let i = 0; i < 1200; i++) {
    const y = 1 - (2 * (i + 0.5)) / 1200;
    const r = Math.sqrt(1 - y * y);
    tries.push({ x: r * Math.cos(2.399963 * i), y, z: r * Math.sin(2.399963 * i) });
  }
  const own = [...AXES, ...circlesOf(a), ...normalsOf(a)];
  const other = [...AXES, ...circlesOf(b), ...normalsOf(b)].map((n) => turn(f, n));
  for (const n of [...own, ...other]) tries.push(n, { x: -n.x, y: -n.y, z: -n.z });
  const known = tries.map((n) => ({ n, depth: overlap(n) }));
  known.sort((s, t) => s.depth - t.depth);
  const chosen: Vec3[] = [];
  for (const { n } of known) {
    if (chosen.length === places) break;
    if (chosen.every((c) => c.x * n.x + c.y * n.y + c.z * n.z < 0.999)) chosen.push(n);
  }
  let least = known[0]!.depth;
  for (const n of chosen) least = Math.min(least, improve(overlap, n, 0.02));
  return least;
}
