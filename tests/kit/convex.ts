/**
 * Random convex bodies of every kind, thin and long ones included, and places to put two of them: deep in each other,
 * just in touch, face on face, far apart. And what oracles need to know of them: membership and extent, from closed forms
 * of their own.
 */
import type { ConvexCore } from '../../src/convex/core.ts';
import {
  BOX,
  CONE,
  CUSTOM,
  CYLINDER,
  ELLIPSOID,
  NO_TABLE,
  POINT,
  POLYTOPE,
  SEGMENT,
  supportCore,
} from '../../src/convex/core.ts';
import type { Frame } from '../../src/convex/frame.ts';
import { directionToSecond, makeFrame } from '../../src/convex/frame.ts';
import { makeAxisSearch } from '../../src/convex/revolution-search.ts';
import { supportTable } from '../../src/convex/support-table.ts';
import type { Quat, ReadonlyVec3, Vec3 } from '../../src/math/types.ts';
import { polyhedron } from '../../src/polytope/index.ts';
import { supportGraph } from '../../src/rtcd/index.ts';
import type { Rng } from './rng.ts';

const ORIGIN = { x: 0, y: 0, z: 0 };
const NONE = new Uint32Array(0);
const size = (p: ReadonlyVec3) => Math.hypot(p.x, p.y, p.z);
const dot = (a: ReadonlyVec3, b: ReadonlyVec3) => a.x * b.x + a.y * b.y + a.z * b.z;

function core(
  type: number,
  data: readonly number[],
  radius: number,
  coreReach: number,
  more = {},
): ConvexCore {
  return {
    type,
    data: Float64Array.from(data),
    radius,
    reach: coreReach + radius,
    center: ORIGIN,
    inner: radius,
    firstNeighbour: NONE,
    neighbours: NONE,
    table: NO_TABLE,
    custom: null,
    axisSearch: null,
    ...more,
  };
}

export const pointCore = (radius = 0): ConvexCore => core(POINT, [], radius, 0);
export const segmentCore = (a: ReadonlyVec3, b: ReadonlyVec3, radius = 0): ConvexCore =>
  core(SEGMENT, [a.x, a.y, a.z, b.x, b.y, b.z], radius, Math.max(size(a), size(b)), {
    center: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, z: (a.z + b.z) / 2 },
  });
export const boxCore = (x: number, y: number, z: number, radius = 0): ConvexCore =>
  core(BOX, [x, y, z], radius, Math.hypot(x, y, z), { inner: radius + Math.min(x, y, z) });
export const cylinderCore = (half: number, r: number, radius = 0): ConvexCore =>
  core(CYLINDER, [half, r], radius, Math.hypot(half, r), {
    inner: radius + Math.min(half, r),
    axisSearch: makeAxisSearch,
  });
export const coneCore = (half: number, r: number, radius = 0): ConvexCore =>
  core(CONE, [half, r], radius, Math.hypot(half, r), {
    center: { x: 0, y: -half / 2, z: 0 },
    axisSearch: makeAxisSearch,
  });
export const ellipsoidCore = (x: number, y: number, z: number, radius = 0): ConvexCore =>
  core(ELLIPSOID, [x, y, z], radius, Math.max(x, y, z), {
    inner: radius + Math.min(x, y, z),
    axisSearch: makeAxisSearch,
  });

/** The hull of points, which may be flat, doubled or inside of it. */
export function polytopeCore(points: readonly ReadonlyVec3[], radius = 0): ConvexCore {
  const n = points.length;
  const center = { x: 0, y: 0, z: 0 };
  for (const p of points) {
    center.x += p.x / n;
    center.y += p.y / n;
    center.z += p.z / n;
  }
  const data = points.flatMap((p) => [p.x, p.y, p.z]);
  return core(POLYTOPE, data, radius, Math.max(...points.map(size)), { center });
}

/** The same with a table of what may be farthest, if there are enough points. */
export function tabledCore(points: readonly ReadonlyVec3[], radius = 0): ConvexCore {
  const scanned = polytopeCore(points, radius);
  return { ...scanned, table: supportTable(scanned.data) };
}

/** The same with neighbours to climb along. The points must not lie in one plane. */
export function climbingCore(points: readonly ReadonlyVec3[], radius = 0): ConvexCore {
  const { vertices, neighbours } = supportGraph(polyhedron(points));
  const first = [0];
  for (const around of neighbours) first.push(first[first.length - 1]! + around.length);
  return {
    ...polytopeCore(vertices, radius),
    firstNeighbour: Uint32Array.from(first),
    neighbours: Uint32Array.from(neighbours.flat()),
  };
}

/** A core known by its support map alone, which is that of another. */
export const customCore = (like: ConvexCore): ConvexCore =>
  core(CUSTOM, [], like.radius, like.reach - like.radius, {
    center: like.center,
    custom: (direction: ReadonlyVec3, out: Vec3 = { x: 0, y: 0, z: 0 }) => {
      supportCore(like, direction, -1, out);
      return out;
    },
  });

export const KINDS = [
  'point',
  'segment',
  'box',
  'triangle',
  'tetrahedron',
  'hull',
  'lattice',
  'flat',
  'cylinder',
  'cone',
  'ellipsoid',
] as const;
export type Kind = (typeof KINDS)[number];
export const POLYTOPES: readonly Kind[] = [
  'point',
  'segment',
  'box',
  'triangle',
  'tetrahedron',
  'hull',
  'lattice',
  'flat',
];
export const CURVED: readonly Kind[] = ['cylinder', 'cone', 'ellipsoid'];

/** 1 most of the time, else anything down to 1 / `most`. */
const thin = (rng: Rng, most: number) => (rng.chance(0.6) ? rng.range(0.3, 1) : most ** -rng.unit());

/**
 * A random core. Its size is 1, or (one time in four) anything from 1e-3 to 1e4; its thinnest side up to `aspect` times
 * shorter than its longest; three in ten have a radius of rounding.
 */
export function randomCore(rng: Rng, kind: Kind = rng.pick(KINDS), aspect = 1e4): ConvexCore {
  const scale = rng.chance(0.25) ? 10 ** rng.range(-3, 4) : 1;
  const radius = rng.chance(0.3) ? scale * rng.pick([1, 0.1, 1e-4]) * rng.range(0.1, 1) : 0;
  const sides = rng.shuffle([scale, scale * thin(rng, aspect), scale * thin(rng, aspect)]) as [
    number,
    number,
    number,
  ];
  const [x, y, z] = sides;
  const points = (count: number, shift = ORIGIN) =>
    Array.from({ length: count }, () => ({
      x: x * (rng.range(-1, 1) + shift.x),
      y: y * (rng.range(-1, 1) + shift.y),
      z: z * (rng.range(-1, 1) + shift.z),
    }));
  switch (kind) {
    case 'point':
      return pointCore(rng.chance(0.8) ? scale * rng.range(0.1, 1) : 0);
    case 'segment': {
      const [a, b] = points(2) as [Vec3, Vec3];
      return segmentCore(a, rng.chance(0.05) ? a : b, radius);
    }
    case 'box':
      return boxCore(x, y, rng.chance(0.05) ? 0 : z, radius);
    case 'triangle':
      return polytopeCore(points(3), radius);
    case 'tetrahedron':
      return polytopeCore(points(4), radius);
    case 'hull':
      return (rng.chance(0.5) ? tabledCore : polytopeCore)(
        points(rng.int(5, 16), rng.chance(0.2) ? rng.vec(3) : ORIGIN),
        radius,
      );
    case 'lattice': {
      const at = () => rng.int(-1, 1);
      return polytopeCore(
        Array.from({ length: rng.int(1, 12) }, () => ({ x: x * at(), y: y * at(), z: z * at() })),
        radius,
      );
    }
    case 'flat': {
      // A polygon in a plane through the origin: exactly (z = 0) or as well as numbers can say it.
      const u = rng.direction();
      const v = rng.direction();
      return polytopeCore(
        points(rng.int(3, 8)).map((p) =>
          rng.chance(0.5)
            ? { x: p.x, y: p.y, z: 0 }
            : { x: u.x * p.x + v.x * p.y, y: u.y * p.x + v.y * p.y, z: u.z * p.x + v.z * p.y },
        ),
        radius,
      );
    }
    case 'cylinder':
      return cylinderCore(x, y, radius);
    case 'cone':
      return coneCore(x, y, radius);
    case 'ellipsoid':
      return ellipsoidCore(x, y, z, radius);
  }
}

/** The frame that turns by q, which need not be a unit quaternion, and moves by t. */
export function frameOf({ x, y, z, w }: Quat, t: ReadonlyVec3): Frame {
  const s = 2 / (x * x + y * y + z * z + w * w);
  return {
    ...makeFrame(),
    m00: 1 - s * (y * y + z * z),
    m01: s * (x * y - z * w),
    m02: s * (x * z + y * w),
    m10: s * (x * y + z * w),
    m11: 1 - s * (x * x + z * z),
    m12: s * (y * z - x * w),
    m20: s * (x * z - y * w),
    m21: s * (y * z + x * w),
    m22: 1 - s * (x * x + y * y),
    tx: t.x,
    ty: t.y,
    tz: t.z,
  };
}

export const PLACES = ['deep', 'shallow', 'touching', 'parallel', 'near', 'far'] as const;
export type Place = (typeof PLACES)[number];

/**
 * A place for the second body. Along one axis, the gap between what the two (with their radii) take up is: negative and
 * large (`deep`), within 1e-3 … 1e-12 of 0 on either side (`shallow`), zero (`touching`), any of these with the two
 * almost or exactly parallel, an axis of both between them (`parallel`), about their size (`near`), a lot more (`far`).
 * Sideways they are moved a bit: what is apart along the axis is apart, the rest may or may not meet.
 */
export function randomFrame(rng: Rng, a: ConvexCore, b: ConvexCore, place: Place = rng.pick(PLACES)): Frame {
  const scale = a.reach + b.reach || 1;
  const small = () => rng.sign() * scale * 10 ** rng.range(-12, -3);
  const gap = {
    deep: () => -scale * rng.range(0.2, 2),
    shallow: small,
    touching: () => 0,
    parallel: () => rng.pick([0, small(), -0.3 * scale * rng.unit(), 0.3 * scale * rng.unit()]),
    near: () => scale * rng.range(0, 2),
    far: () => scale * 10 ** rng.range(1, 6),
  }[place]();
  const flush = place === 'parallel';
  const tilt = () => (rng.chance(0.5) ? 0 : rng.sign() * 10 ** rng.range(-14, -3));
  const turn = flush ? { x: tilt(), y: tilt(), z: tilt(), w: 1 } : rng.rotation();
  if (flush && rng.chance(0.5)) {
    // Half a turn about an axis: parallel still, and a cone stands on its tip.
    const { x, y, z, w } = turn;
    Object.assign(
      turn,
      rng.pick([
        { x: w, y: z, z: -y, w: -x },
        { x: -z, y: w, z: x, w: -y },
        { x: y, y: -x, z: w, w: -z },
      ]),
    );
  }
  const axes = [
    { x: 1, y: 0, z: 0 },
    { x: 0, y: 1, z: 0 },
    { x: 0, y: 0, z: 1 },
  ];
  const up = flush || rng.chance(0.2) ? rng.pick(axes) : rng.direction();
  if (rng.chance(0.5)) Object.assign(up, { x: -up.x, y: -up.y, z: -up.z });
  const frame = frameOf(turn, ORIGIN);
  const sideways = rng.chance(0.2) ? ORIGIN : rng.vec(rng.pick([0.1, 0.5, 1]) * Math.min(a.reach, b.reach));
  const height = extent(a, up, -1) - extent(b, directionToSecond(frame, up, { x: 0, y: 0, z: 0 }), 1) - gap;
  const across = dot(sideways, up);
  frame.tx = sideways.x + (height - across) * up.x;
  frame.ty = sideways.y + (height - across) * up.y;
  frame.tz = sideways.z + (height - across) * up.z;
  return frame;
}

/** How far along the unit vector `up` the body goes: the most (side 1) or the least (side -1). Closed forms. */
export function extent(body: ConvexCore, up: ReadonlyVec3, side: 1 | -1): number {
  const { data, radius, type } = body;
  const d = { x: side * up.x, y: side * up.y, z: side * up.z };
  const across = Math.hypot(d.x, d.z);
  let most = -Infinity;
  if (type === POINT) most = 0;
  else if (type === BOX)
    most = Math.abs(d.x) * data[0]! + Math.abs(d.y) * data[1]! + Math.abs(d.z) * data[2]!;
  else if (type === CYLINDER) most = Math.abs(d.y) * data[0]! + across * data[1]!;
  else if (type === CONE) most = Math.max(d.y * data[0]!, across * data[1]! - d.y * data[0]!);
  else if (type === ELLIPSOID) most = Math.hypot(d.x * data[0]!, d.y * data[1]!, d.z * data[2]!);
  else if (type === CUSTOM) most = dot(body.custom!(d, { x: 0, y: 0, z: 0 }), d);
  else
    for (let i = 0; i < data.length; i += 3)
      most = Math.max(most, d.x * data[i]! + d.y * data[i + 1]! + d.z * data[i + 2]!);
  return side * (most + radius);
}
