/**
 * Bodies with flat sides whose corners have whole coordinates, standing where they have them still: parallel, flush, touching
 * and nested come up all the time, exactly. What they share, how far apart they are and when they meet is decided by whole
 * numbers, for each pair of convex pieces: along every direction that may be across a side of their Minkowski difference.
 */
import type { Quat, ReadonlyVec3, Vec3 } from '../../src/math/types.ts';
import { boxMesh, type TriangleArrays } from './meshes.ts';
import * as shapes from './public-names.ts';
import type { Rng } from './rng.ts';
import { lSolid } from './solids.ts';

const vec = (x: number, y: number, z: number): Vec3 => ({ x, y, z });
export const minus = (a: ReadonlyVec3, b: ReadonlyVec3): Vec3 => vec(a.x - b.x, a.y - b.y, a.z - b.z);
export const dot = (a: ReadonlyVec3, b: ReadonlyVec3): number => a.x * b.x + a.y * b.y + a.z * b.z;
export const cross = (a: ReadonlyVec3, b: ReadonlyVec3): Vec3 =>
  vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
const isZero = (a: ReadonlyVec3): boolean => a.x === 0 && a.y === 0 && a.z === 0;

/** A convex part of a body: the hull of some points. */
export interface Piece {
  readonly points: readonly ReadonlyVec3[];
  readonly child: number;
  readonly triangle: number;
}

export interface LatticeBody {
  readonly name: string;
  readonly shape: shapes.Shape;
  /** What answers name: convex shapes, and each triangle of a mesh. */
  readonly pieces: readonly Piece[];
  /** Convex pieces of what closed meshes hold. */
  readonly insides: readonly (readonly ReadonlyVec3[])[];
}

const whole = (rng: Rng, size: number): Vec3 =>
  vec(rng.int(-size, size), rng.int(-size, size), rng.int(-size, size));

function ofConvex(name: string, shape: shapes.SimpleShape, points: readonly ReadonlyVec3[]): LatticeBody {
  return { name, shape, pieces: [{ points, child: -1, triangle: -1 }], insides: [] };
}

function ofArrays(
  name: string,
  shape: shapes.Shape,
  { positions, index }: Pick<TriangleArrays, 'positions' | 'index'>,
  insides: readonly (readonly ReadonlyVec3[])[] = [],
): LatticeBody {
  const pieces = Array.from({ length: index.length / 3 }, (_, triangle) => {
    const points = [0, 1, 2].map((k) => {
      const at = 3 * index[3 * triangle + k]!;
      return vec(positions[at]!, positions[at + 1]!, positions[at + 2]!);
    });
    return { points, child: -1, triangle };
  });
  return { name, shape, pieces, insides };
}

const cornersOf = (low: ReadonlyVec3, high: ReadonlyVec3): Vec3[] =>
  [low.x, high.x].flatMap((x) => [low.y, high.y].flatMap((y) => [low.z, high.z].map((z) => vec(x, y, z))));

const CONVEX: readonly ((rng: Rng) => LatticeBody)[] = [
  (rng) => {
    const h = vec(rng.int(0, 2), rng.int(0, 2), rng.int(0, 2));
    return ofConvex('box', shapes.box(h.x, h.y, h.z), cornersOf(vec(-h.x, -h.y, -h.z), h));
  },
  (rng) => {
    const points = Array.from({ length: rng.int(2, 8) }, () => whole(rng, 2));
    return ofConvex('hull', shapes.hull(points), points);
  },
  (rng) => {
    const [a, b, c] = [whole(rng, 2), whole(rng, 2), whole(rng, 2)];
    return ofConvex('triangle', shapes.triangle(a, b, c), [a, b, c]);
  },
  (rng) => {
    const [a, u, w] = [whole(rng, 1), whole(rng, 1), whole(rng, 1)];
    const points = [a, minus(a, u), minus(minus(a, u), w), minus(a, w)];
    return ofConvex('polygon', shapes.polygon(points), points);
  },
  (rng) => {
    const [a, b] = [whole(rng, 2), whole(rng, 2)];
    return ofConvex('segment', shapes.segment(a, b), [a, b]);
  },
  () => ofConvex('point', shapes.point(), [vec(0, 0, 0)]),
];

function closedMesh(rng: Rng): LatticeBody {
  if (rng.chance(0.3)) {
    const arrays = lSolid();
    return ofArrays('an L', shapes.mesh(arrays.positions, arrays.index), arrays, [
      cornersOf(vec(0, 0, 0), vec(2, 1, 1)),
      cornersOf(vec(0, 0, 0), vec(1, 2, 1)),
    ]);
  }
  const low = whole(rng, 1);
  const high = vec(low.x + rng.int(1, 3), low.y + rng.int(1, 3), low.z + rng.int(1, 3));
  const arrays = boxMesh(low, high);
  return ofArrays('box mesh', shapes.mesh(arrays.positions, arrays.index), arrays, [cornersOf(low, high)]);
}

function sheet(rng: Rng): LatticeBody {
  const corners = Array.from({ length: rng.int(3, 6) }, () => whole(rng, 2));
  const positions = Float64Array.from(corners.flatMap(({ x, y, z }) => [x, y, z]));
  const count = rng.int(1, 3); // no two triangles, nor three, close anything
  const index = Uint32Array.from({ length: 3 * count }, () => rng.int(0, corners.length - 1));
  return ofArrays('sheet', shapes.mesh(positions, index), { positions, index });
}

function heights(rng: Rng): LatticeBody {
  const [columns, rows] = [rng.int(2, 3), rng.int(2, 3)];
  const list = Array.from({ length: columns * rows }, () => rng.int(-1, 1));
  const positions = Float64Array.from(
    list.flatMap((y, i) => [2 * (i % columns), y, 2 * Math.floor(i / columns)]),
  );
  const index: number[] = [];
  for (let cell = 0; cell < (columns - 1) * (rows - 1); cell++) {
    const a = cell + Math.floor(cell / (columns - 1));
    index.push(a, a + columns, a + 1, a + 1, a + columns, a + columns + 1);
  }
  return ofArrays('height field', shapes.heightField(list, { columns, rows, spacing: 2 }), {
    positions,
    index: Uint32Array.from(index),
  });
}

/** The turns of a tetrahedron: all of their products are exact. */
const turn = (rng: Rng): Quat => {
  const half = () => 0.5 * rng.sign();
  if (rng.chance(0.3)) return { x: half(), y: half(), z: half(), w: half() };
  const q = { x: 0, y: 0, z: 0, w: 0 };
  q[rng.pick(['x', 'y', 'z', 'w'] as const)] = 1;
  return q;
};

interface Place {
  readonly position: Vec3;
  readonly quaternion: Quat;
}
const toPlace =
  ({ position: p, quaternion: { x, y, z, w } }: Place) =>
  (v: ReadonlyVec3): Vec3 =>
    vec(
      p.x + (1 - 2 * (y * y + z * z)) * v.x + 2 * (x * y - w * z) * v.y + 2 * (x * z + w * y) * v.z,
      p.y + 2 * (x * y + w * z) * v.x + (1 - 2 * (x * x + z * z)) * v.y + 2 * (y * z - w * x) * v.z,
      p.z + 2 * (x * z - w * y) * v.x + 2 * (y * z + w * x) * v.y + (1 - 2 * (x * x + y * y)) * v.z,
    );

export const randomPlace = (rng: Rng, far: number): Place => ({
  position: whole(rng, far),
  quaternion: turn(rng),
});

function compoundOf(rng: Rng): LatticeBody {
  const parts = Array.from({ length: rng.int(1, 3) }, () => {
    const made = rng.chance(0.3) ? rng.pick([closedMesh, sheet])(rng) : rng.pick(CONVEX)(rng);
    return { made, pose: randomPlace(rng, 2) };
  });
  return {
    name: 'compound',
    shape: shapes.compound(
      parts.map(({ made, pose }) => ({ shape: made.shape as shapes.SimpleShape, pose })),
    ),
    pieces: parts.flatMap(({ made, pose }, child) =>
      made.pieces.map(({ points, triangle }) => ({ points: points.map(toPlace(pose)), child, triangle })),
    ),
    insides: parts.flatMap(({ made, pose }) => made.insides.map((points) => points.map(toPlace(pose)))),
  };
}

export function randomLatticeBody(rng: Rng): LatticeBody {
  if (rng.chance(0.55)) return rng.pick(CONVEX)(rng);
  return rng.pick([closedMesh, closedMesh, sheet, heights, compoundOf])(rng);
}

/** The body where it stands: pieces in the world. */
export function placed(body: LatticeBody, pose: Place): LatticeBody {
  const to = toPlace(pose);
  return {
    ...body,
    pieces: body.pieces.map((piece) => ({ ...piece, points: piece.points.map(to) })),
    insides: body.insides.map((points) => points.map(to)),
  };
}

type Points = readonly ReadonlyVec3[];

/** Are all of the points in one plane? */
export const isFlat = ([p, ...others]: Points): boolean => {
  const ways = others.map((q) => minus(q, p!));
  return ways.every((u, i) =>
    ways.slice(0, i).every((v, j) => ways.slice(0, j).every((w) => dot(cross(u, v), w) === 0)),
  );
};

/** The directions from point to point, each once. */
function directionsOf(points: Points, into: Map<string, Vec3>): void {
  const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b));
  for (let i = 0; i < points.length; i++)
    for (let j = 0; j < i; j++) {
      const d = minus(points[i]!, points[j]!);
      if (isZero(d)) continue;
      const k = gcd(gcd(d.x, d.y), d.z) * Math.sign(d.x || d.y || d.z);
      const reduced = vec(d.x / k, d.y / k, d.z / k);
      into.set(`${reduced.x + 0} ${reduced.y + 0} ${reduced.z + 0}`, reduced);
    }
}

/**
 * Directions along which two convex sets can be apart, or part soonest: across every two directions of sides of theirs, and
 * where all those are in a plane, or along a line, those in it, too. Whole numbers, both ways round.
 */
function axesOf(a: Points, b: Points): { axes: Vec3[]; isFlat: boolean } {
  const found = new Map<string, Vec3>();
  directionsOf(a, found);
  directionsOf(b, found);
  const ways = [...found.values()];
  const axes = new Map<string, Vec3>();
  const add = (n: Vec3): void => {
    if (isZero(n)) return;
    axes.set(`${n.x} ${n.y} ${n.z}`, n);
    axes.set(`${-n.x} ${-n.y} ${-n.z}`, vec(-n.x, -n.y, -n.z));
  };
  ways.forEach((u, i) => {
    for (const w of ways.slice(0, i)) add(cross(u, w));
  });
  const [n] = axes.values();
  const isFlat = n === undefined || ways.every((u) => dot(u, n) === 0);
  if (!isFlat) return { axes: [...axes.values()], isFlat };
  const between = minus(a[0]!, b[0]!);
  if (n) for (const u of ways) add(cross(n, u));
  else if (ways.length > 0) {
    const u = ways[0]!;
    const aside = cross(u, between);
    for (const one of [u, aside, cross(aside, u)]) add(one);
    for (const e of [vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)]) add(cross(u, e));
  } else {
    add(between);
    for (const e of [vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)]) add(e);
  }
  return { axes: [...axes.values()], isFlat };
}

const lowest = (points: Points, n: ReadonlyVec3): number => Math.min(...points.map((p) => dot(n, p)));
const highest = (points: Points, n: ReadonlyVec3): number => Math.max(...points.map((p) => dot(n, p)));
/** How far a is above b along n, times the length of n. */
export const gapAlong = (a: Points, b: Points, n: ReadonlyVec3): number => lowest(a, n) - highest(b, n);

/** Do they share a point? */
export const meet = (a: Points, b: Points): boolean => axesOf(a, b).axes.every((n) => gapAlong(a, b, n) <= 0);

/** Of two convex sets that meet, how far the first has to go to leave the second. */
export function depthOf(a: Points, b: Points): number {
  const { axes, isFlat } = axesOf(a, b);
  return isFlat ? 0 : Math.min(...axes.map((n) => -gapAlong(a, b, n) / Math.hypot(n.x, n.y, n.z)));
}

/** A time of a motion, and whether the two are in each other after it, or no more than in touch. */
export interface Meeting {
  readonly t: number;
  readonly deeper: boolean;
}

/** When a, moved by `motion` in the time from 0 to 1, first touches b. */
export function meetingOf(a: Points, b: Points, motion: ReadonlyVec3): Meeting | null {
  const { axes, isFlat } = axesOf(a, b);
  let [from, to] = [0, 1];
  let strict = !isFlat;
  for (const n of axes) {
    // gap + t speed <= 0
    const [gap, speed] = [gapAlong(a, b, n), dot(n, motion)];
    if (speed === 0 && gap > 0) return null;
    if (speed === 0 && gap === 0) strict = false;
    if (speed < 0) from = Math.max(from, -gap / speed);
    if (speed > 0) to = Math.min(to, -gap / speed);
  }
  return from <= to ? { t: from, deeper: strict && from < to } : null;
}

/** How far p is outside of a convex set, along the direction of its sides in which it is so most: 0 or less on it and in it. */
export function outside(points: Points, p: ReadonlyVec3): number {
  const { axes } = axesOf(points, [p]);
  return Math.max(...axes.map((n) => gapAlong([p], points, n) / Math.hypot(n.x, n.y, n.z)));
}

/** Triangles that cover the surface of a convex set, or all of it where it is flat. Corners may coincide. */
export function trianglesOf(points: Points): [ReadonlyVec3, ReadonlyVec3, ReadonlyVec3][] {
  const at = (i: number) => points[Math.min(i, points.length - 1)]!;
  if (points.length <= 3) return [[at(0), at(1), at(2)]];
  const list: [ReadonlyVec3, ReadonlyVec3, ReadonlyVec3][] = [];
  for (let i = 0; i < points.length; i++)
    for (let j = 0; j < i; j++)
      for (let k = 0; k < j; k++) {
        const n = cross(minus(at(j), at(i)), minus(at(k), at(i)));
        const sides = points.map((p) => dot(n, minus(p, at(i))));
        if (isZero(n) || sides.every((s) => s <= 0) || sides.every((s) => s >= 0))
          list.push([at(i), at(j), at(k)]);
      }
  return list;
}
