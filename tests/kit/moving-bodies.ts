/**
 * Bodies of every kind as lists of convex pieces, each with a closed form for how far it goes in a direction and how far a
 * point is from it, and where motions lead them, by matrices. Nothing here is shared with the library.
 */
import type { Quat, ReadonlyPose, ReadonlyVec3, Vec3 } from '../../src/math/types.ts';
import type { Motion } from '../../src/query/index.ts';
import { boxMesh, icosphere, type TriangleArrays, terrain, torus } from './meshes.ts';
import { randomSubject, SUBJECTS, type Subject, toTriangle } from './one-body.ts';
import * as shapes from './public-names.ts';
import type { Rng } from './rng.ts';
import { heightOf } from './shape-oracle.ts';

const vec = (x: number, y: number, z: number): Vec3 => ({ x, y, z });
export const dot = (a: ReadonlyVec3, b: ReadonlyVec3): number => a.x * b.x + a.y * b.y + a.z * b.z;
export const norm = (a: ReadonlyVec3): number => Math.hypot(a.x, a.y, a.z);
export const along = (a: ReadonlyVec3, b: ReadonlyVec3, t: number): Vec3 =>
  vec(a.x + t * b.x, a.y + t * b.y, a.z + t * b.z);

/** A rotation by its rows, and a translation. */
export class Place {
  readonly rows: readonly [Vec3, Vec3, Vec3];
  readonly position: ReadonlyVec3;

  constructor(rows: readonly [Vec3, Vec3, Vec3], position: ReadonlyVec3) {
    this.rows = rows;
    this.position = position;
  }

  turn(d: ReadonlyVec3): Vec3 {
    return vec(dot(this.rows[0], d), dot(this.rows[1], d), dot(this.rows[2], d));
  }
  turnBack(d: ReadonlyVec3): Vec3 {
    const [a, b, c] = this.rows;
    return along(along(vec(a.x * d.x, a.y * d.x, a.z * d.x), b, d.y), c, d.z);
  }
  toWorld(p: ReadonlyVec3): Vec3 {
    return along(this.turn(p), this.position, 1);
  }
  toOwn(p: ReadonlyVec3): Vec3 {
    return this.turnBack(along(p, this.position, -1));
  }
  after(first: Place): Place {
    const [a, b, c] = first.rows;
    const row = (r: Vec3): Vec3 => along(along(vec(a.x * r.x, a.y * r.x, a.z * r.x), b, r.y), c, r.z);
    const [x, y, z] = this.rows;
    return new Place([row(x), row(y), row(z)], this.toWorld(first.position));
  }
}

export function placeOf({ position, quaternion }: ReadonlyPose): Place {
  const { x, y, z, w } = quaternion;
  const s = 2 / (x * x + y * y + z * z + w * w);
  const rows: [Vec3, Vec3, Vec3] = [
    vec(1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)),
    vec(s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)),
    vec(s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)),
  ];
  return new Place(rows, position);
}

/** Rodrigues: counter-clockwise about the line through `pivot`. */
function rotationAbout(axis: ReadonlyVec3, angle: number, pivot: ReadonlyVec3): Place {
  const length = norm(axis);
  if (length === 0) return new Place([vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)], vec(0, 0, 0));
  const [x, y, z] = [axis.x / length, axis.y / length, axis.z / length];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const k = 2 * Math.sin(angle / 2) ** 2;
  const turned = new Place(
    [
      vec(c + k * x * x, k * x * y - s * z, k * x * z + s * y),
      vec(k * x * y + s * z, c + k * y * y, k * y * z - s * x),
      vec(k * x * z - s * y, k * y * z + s * x, c + k * z * z),
    ],
    vec(0, 0, 0),
  );
  return new Place(turned.rows, along(pivot, turned.turn(pivot), -1));
}

const shifted = (place: Place, by: ReadonlyVec3, t: number): Place =>
  new Place(place.rows, along(place.position, by, t));

/** Where a body is at time t of a motion: as the documentation of the motions says, step by step. */
export function placeAt(pose: ReadonlyPose, motion: Motion | null, t: number): Place {
  const start = placeOf(pose);
  if (motion === null) return start;
  if ('linear' in motion) {
    const { linear, angular, duration = 1 } = motion;
    const turned = rotationAbout(angular, norm(angular) * duration * t, pose.position).after(start);
    return shifted(turned, linear, duration * t);
  }
  if (!('axis' in motion)) return shifted(start, motion.translation, t);
  const { axis, angle, pivot } = motion;
  if (!('translation' in motion)) return rotationAbout(axis, angle * t, pivot ?? pose.position).after(start);
  const [early, late] = [Math.min(1, 2 * t), Math.max(0, 2 * t - 1)];
  if (motion.first === 'rotation') {
    const turned = rotationAbout(axis, angle * early, pivot ?? pose.position).after(start);
    return shifted(turned, motion.translation, late);
  }
  const moved = shifted(start, motion.translation, early);
  return rotationAbout(axis, angle * late, pivot ?? moved.position).after(moved);
}

/** A convex part of a body, in the body's own space. */
export interface ConvexPiece {
  readonly child: number;
  readonly triangle: number;
  /** How far it goes along d, times the length of d. */
  height(d: ReadonlyVec3): number;
  /** How far p is from it; 0 or less inside. */
  distance(p: ReadonlyVec3): number;
}

export interface PiecedBody {
  readonly name: string;
  readonly shape: shapes.Shape;
  readonly pieces: readonly ConvexPiece[];
  /** Is p inside of a closed mesh of its own? By the solid angles of the triangles. */
  readonly winds?: (p: ReadonlyVec3) => boolean;
  /** Of a half-space, that of the part of it that matters. */
  readonly size: number;
}

export const pieceOf = (
  body: PiecedBody,
  { child, triangle }: { child: number; triangle: number },
): ConvexPiece | undefined => body.pieces.find((p) => p.child === child && p.triangle === triangle);

function ofConvex({ name, shape, level, size }: Subject, child = -1): PiecedBody {
  const height = (d: ReadonlyVec3): number => {
    const convex = shape as shapes.ConvexShape;
    if (convex.kind !== 'convex') return heightOf(convex, d);
    return norm(d) === 0 ? 0 : dot(convex.support(d, vec(0, 0, 0)), d) + convex.rounding * norm(d);
  };
  return { name, shape, size, pieces: [{ child, triangle: -1, height, distance: level }] };
}

/** `triangles` are in the order in which they were given. */
function ofTriangles(name: string, shape: shapes.Shape, arrays: TriangleArrays, closed = false): PiecedBody {
  const { positions, index } = arrays;
  const corner = (i: number): Vec3 =>
    vec(positions[3 * index[i]!]!, positions[3 * index[i]! + 1]!, positions[3 * index[i]! + 2]!);
  const pieces = Array.from({ length: index.length / 3 }, (_, triangle): ConvexPiece => {
    const [a, b, c] = [corner(3 * triangle), corner(3 * triangle + 1), corner(3 * triangle + 2)];
    return {
      child: -1,
      triangle,
      height: (d) => Math.max(dot(a, d), dot(b, d), dot(c, d)),
      distance: (p) => toTriangle(p, a, b, c),
    };
  });
  let size = 0;
  for (let i = 0; i < index.length; i++) size = Math.max(size, norm(corner(i)));
  const winds = (p: ReadonlyVec3): boolean => {
    let angle = 0;
    for (let i = 0; i < index.length; i += 3) {
      const [a, b, c] = [along(corner(i), p, -1), along(corner(i + 1), p, -1), along(corner(i + 2), p, -1)];
      const [x, y, z] = [norm(a), norm(b), norm(c)];
      const triple =
        a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
      angle += 2 * Math.atan2(triple, x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y);
    }
    return Math.abs(angle) > 2 * Math.PI;
  };
  return { name, shape, pieces, size, ...(closed ? { winds } : {}) };
}

/** Triangles (2c, 2c + 1) of cell c, as `heightField` documents them. */
function ofHeights(rng: Rng): PiecedBody {
  const [columns, rows] = [rng.int(2, 5), rng.int(2, 5)];
  const heights = Array.from({ length: columns * rows }, () => rng.range(-0.5, 0.5));
  const positions = heights.flatMap((y, i) => [0.6 * (i % columns), y, 0.6 * Math.floor(i / columns)]);
  const index: number[] = [];
  for (let row = 0; row + 1 < rows; row++)
    for (let column = 0; column + 1 < columns; column++) {
      const a = row * columns + column;
      index.push(a, a + columns, a + 1, a + 1, a + columns, a + columns + 1);
    }
  const shape = shapes.heightField(heights, { columns, rows, spacing: 0.6 });
  return ofTriangles('height field', shape, {
    positions: Float64Array.from(positions),
    index: Uint32Array.from(index),
  });
}

/** A closed mesh; not all of them are convex. */
function ofMesh(rng: Rng): PiecedBody {
  const arrays = rng.pick([
    () => boxMesh(vec(-0.7, -0.5, -0.9), vec(0.7, 0.5, 0.9)),
    () => icosphere(1),
    () => torus(8, 5),
    () => icosphere(0),
  ])();
  return ofTriangles('mesh', shapes.mesh(arrays.positions, arrays.index), arrays, true);
}

function ofSheet(rng: Rng): PiecedBody {
  const arrays = terrain(rng, rng.int(1, 3));
  return ofTriangles('sheet', shapes.mesh(arrays.positions, arrays.index), arrays);
}

function ofHalfSpace(rng: Rng): PiecedBody {
  const normal = rng.direction();
  const d = rng.range(-1, 1);
  const shape = shapes.halfSpace(normal, d);
  const height = (e: ReadonlyVec3): number => {
    const length = norm(e);
    // Along its normal and nothing else; directions that come out of a computation are off by rounding.
    return dot(normal, e) > (1 - 1e-12) * length ? d * length : Infinity;
  };
  const piece = { child: -1, triangle: -1, height, distance: (p: ReadonlyVec3) => dot(normal, p) - d };
  return { name: 'half-space', shape, pieces: [piece], size: 1 };
}

function ofCompound(rng: Rng): PiecedBody {
  const children: { shape: shapes.SimpleShape; pose: { position: Vec3; quaternion: Quat } }[] = [];
  const pieces: ConvexPiece[] = [];
  const insides: ((p: ReadonlyVec3) => boolean)[] = [];
  let size = 0;
  for (let child = 0, n = rng.int(2, 4); child < n; child++) {
    const part = rng.chance(0.25) ? ofMesh(rng) : ofConvex(randomSubject(rng, rng.pick(SUBJECTS), true));
    const pose = { position: rng.vec(1.5), quaternion: rng.rotation() };
    const place = placeOf(pose);
    children.push({ shape: part.shape as shapes.SimpleShape, pose });
    size = Math.max(size, norm(pose.position) + part.size);
    const { winds } = part;
    if (winds) insides.push((p) => winds(place.toOwn(p)));
    for (const { triangle, height, distance } of part.pieces)
      pieces.push({
        child,
        triangle,
        height: (d) => height(place.turnBack(d)) + dot(d, place.position),
        distance: (p) => distance(place.toOwn(p)),
      });
  }
  const winds = (p: ReadonlyVec3): boolean => insides.some((is) => is(p));
  return { name: 'compound', shape: shapes.compound(children), pieces, size, winds };
}

/** Bodies of every kind, by name. */
export const BODIES: Readonly<Record<string, (rng: Rng) => PiecedBody>> = {
  ...Object.fromEntries(
    SUBJECTS.map((name) => [name, (rng: Rng) => ofConvex(randomSubject(rng, name, true))]),
  ),
  mesh: ofMesh,
  sheet: ofSheet,
  'height field': ofHeights,
  'half-space': ofHalfSpace,
  compound: ofCompound,
};

/** A body of any kind: half of them convex. */
export function randomBody(rng: Rng): PiecedBody {
  if (rng.chance(0.5)) return ofConvex(randomSubject(rng, rng.pick(SUBJECTS)));
  return rng.pick([ofMesh, ofSheet, ofHeights, ofHalfSpace, ofCompound])(rng);
}

/** A body with flat sides only, which turns are swept exactly for. */
export function randomFlatBody(rng: Rng): PiecedBody {
  if (rng.chance(0.4)) return rng.pick([ofMesh, ofSheet, ofHeights])(rng);
  for (;;) {
    const subject = randomSubject(
      rng,
      rng.pick(['box', 'hull', 'triangle', 'polygon', 'point'] as const),
      true,
    );
    if (!('rounding' in subject.shape) || subject.shape.rounding === 0) return ofConvex(subject);
  }
}

/** Any kind of motion, most often about in the direction of `way`, by up to twice its length. */
export function randomMotion(rng: Rng, way: ReadonlyVec3): Motion {
  const go = () => (rng.chance(0.2) ? rng.vec(4) : along(rng.vec(0.7), way, rng.range(0, 2)));
  const axis = along(vec(0, 0, 0), rng.direction(), rng.pick([1, 1, 0.3, 5]));
  const angle = rng.pick([rng.range(-0.5, 0.5), rng.range(-4, 4), Math.PI, -7]);
  const pivot = rng.vec(2);
  return rng.pick<() => Motion>([
    () => ({ translation: go() }),
    () => ({ axis, angle }),
    () => ({ axis, angle, pivot }),
    () => ({ translation: go(), axis, angle }),
    () => ({ translation: go(), axis, angle, pivot }),
    () => ({ translation: go(), axis, angle, pivot, first: 'rotation' }),
    () => ({ translation: go(), axis, angle, first: 'rotation' }),
    () => ({ linear: go(), angular: along(vec(0, 0, 0), rng.direction(), angle) }),
    () => ({ linear: along(vec(0, 0, 0), go(), 1.5), angular: rng.vec(3), duration: rng.range(0, 1.5) }),
    () => ({ linear: go(), angular: vec(0, 0, 0) }),
  ])();
}

export const turns = (motion: Motion | null): boolean =>
  motion !== null && ('linear' in motion ? norm(motion.angular) > 0 : 'axis' in motion);
