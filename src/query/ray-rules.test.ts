/** The rules of rays (docs/conventions.md), for every kind of shape, standing still and posed. */

import { describe, expect, test } from 'vitest';
import { check, near, Rng } from '../../tests/kit/index.ts';
import { twoJoints } from '../../tests/kit/skins.ts';
import type { ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { csg } from '../shapes/fields/csg.ts';
import { levelSet, levelSetDistance } from '../shapes/fields/level-set/level-set.ts';
import { sdf } from '../shapes/fields/sdf.ts';
import {
  box,
  capsule,
  compound,
  cone,
  convex,
  cylinder,
  ellipsoid,
  halfSpace,
  heightField,
  hull,
  point,
  polygon,
  type Shape,
  type ShapeKind,
  scaled,
  segment,
  sphere,
  triangle,
} from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { intersects } from './intersects.ts';
import { raycast } from './raycast.ts';

const v = vec3;
const CUBE = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => v(x / 2, y / 2, z / 2))));
const cubePositions = CUBE.flatMap(({ x, y, z }) => [x, y, z]);
// By pairs: -x, +x, -y, +y, -z, +z; counter-clockwise from outside.
const cubeIndex = [
  ...[0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5],
  ...[0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6],
  ...[0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3],
];
const withoutBottom = cubeIndex.filter((_, i) => i < 12 || i >= 18);
const flat = [v(-1, 0, -1), v(-1, 0, 1), v(1, 0, 1), v(1, 0, -1)];
const still: ReadonlyPose = { position: v(), quaternion: { x: 0, y: 0, z: 0, w: 1 } };

interface Entry {
  readonly shape: Shape;
  /** Where a ray straight down from above `over` (default: the origin) hits, with the normal up unless it is a tip. */
  readonly top: number;
  readonly over?: ReadonlyVec3;
  /** Where one straight up from below hits; -Infinity for none. */
  readonly bottom: number;
  /** Points inside; none for what has no inside. */
  readonly inside: readonly Vec3[];
  /** Points on the surface. */
  readonly on: readonly Vec3[];
  /** How precise it is: that of support maps is found by GJK. */
  readonly precision?: number;
}

const middle = [v(0.01, 0.02, -0.03), v(0, 0, 0)];
const plate = { top: 0, bottom: 0, inside: [], on: [v(0, 0, 0), v(0.1, 0, -0.2)] };
const cube = { top: 0.5, bottom: -0.5, inside: middle, on: [...CUBE, v(0.5, 0.1, 0.2), v(0.5, 0.5, 0)] };
const ballSupport = (d: ReadonlyVec3, out: Vec3): Vec3 => {
  const k = 0.5 / (Math.sqrt(d.x * d.x + d.y * d.y + d.z * d.z) || 1);
  out.x = k * d.x;
  out.y = k * d.y;
  out.z = k * d.z;
  return out;
};
const boxSupport = (d: ReadonlyVec3, out: Vec3): Vec3 => {
  out.x = d.x < 0 ? -0.5 : 0.5;
  out.y = d.y < 0 ? -0.5 : 0.5;
  out.z = d.z < 0 ? -0.5 : 0.5;
  return out;
};

/** Symmetrical, as its grid is. */
const bakedBall = levelSet((p) => Math.sqrt(p.x * p.x + p.y * p.y + p.z * p.z) - 0.5, {
  spacing: 1 / 16,
  bounds: { min: v(-1, -1, -1), max: v(1, 1, 1) },
});
/** Where the value changes its sign on the y axis. */
function topOf(level: typeof bakedBall): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (levelSetDistance(v(0, middle, 0), level) <= 0) low = middle;
    else high = middle;
  }
  return low;
}

const ENTRIES: Record<string, Entry> = {
  sphere: { shape: sphere(0.5), top: 0.5, bottom: -0.5, inside: middle, on: [v(0.5, 0, 0), v(0, 0.3, -0.4)] },
  box: { shape: box(0.5, 0.5, 0.5), ...cube },
  'rounded box': {
    shape: box(0.25, 0.5, 0.25, 0.25),
    top: 0.75,
    bottom: -0.75,
    inside: middle,
    on: [v(0.5, 0.1, 0.1), v(0.25, 0.75, 0)],
  },
  'flat box': { shape: box(1, 0, 1), ...plate },
  capsule: { shape: capsule(0.5, 0.25), top: 0.75, bottom: -0.75, inside: middle, on: [v(0.25, 0.3, 0)] },
  cylinder: {
    shape: cylinder(0.5, 0.25),
    top: 0.5,
    bottom: -0.5,
    inside: middle,
    on: [v(0.25, 0.3, 0), v(0.1, 0.5, 0.1), v(0, -0.5, 0.25)],
  },
  'rounded cylinder': {
    shape: cylinder(0.25, 0.25, 0.25),
    top: 0.5,
    bottom: -0.5,
    inside: middle,
    on: [v(0.5, 0.1, 0), v(0, 0.5, 0.25)],
  },
  cone: {
    shape: cone(0.5, 0.5),
    top: 0.5,
    bottom: -0.5,
    inside: middle,
    on: [v(0, 0.5, 0), v(0, -0.5, 0.1), v(0.5, -0.5, 0), v(0.25, 0, 0)],
  },
  'rounded cone': {
    shape: cone(0.5, 0.5, 0.25),
    top: 0.75,
    bottom: -0.75,
    inside: middle,
    on: [v(0, 0.75, 0), v(0.3, -0.75, 0), v(0.75, -0.5, 0)],
  },
  ellipsoid: {
    shape: ellipsoid(0.5, 0.75, 0.25),
    top: 0.75,
    bottom: -0.75,
    inside: middle,
    on: [v(0.5, 0, 0), v(0.3, 0.6, 0)],
  },
  'rounded ellipsoid': {
    shape: ellipsoid(0.25, 0.5, 0.25, 0.25),
    top: 0.75,
    bottom: -0.75,
    inside: middle,
    on: [v(0.5, 0, 0), v(0, -0.75, 0)],
  },
  hull: { shape: hull(CUBE), ...cube },
  'rounded hull': {
    shape: hull(CUBE, 0.25),
    top: 0.75,
    bottom: -0.75,
    inside: middle,
    on: [v(0.75, 0.1, 0.2), v(0.2, -0.75, 0.3)],
  },
  'flat hull': { shape: hull(flat), ...plate },
  triangle: { shape: triangle(v(-1, 0, -1), v(0, 0, 1), v(1, 0, -1)), ...plate },
  'rounded triangle': {
    shape: triangle(v(-1, 0, -1), v(0, 0, 1), v(1, 0, -1), 0.25),
    top: 0.25,
    bottom: -0.25,
    inside: middle,
    on: [v(0, 0.25, 0), v(0.2, -0.25, -0.5)],
  },
  polygon: { shape: polygon(flat), ...plate },
  'rounded polygon': {
    shape: polygon(flat, 0.25),
    top: 0.25,
    bottom: -0.25,
    inside: middle,
    on: [v(0, 0.25, 0), v(1.25, 0, 0.5)],
  },
  segment: {
    shape: segment(v(-1, 0, 0), v(1, 0, 0)),
    top: 0,
    bottom: 0,
    inside: [],
    on: [v(0.3, 0, 0), v(1, 0, 0)],
  },
  'rounded segment': {
    shape: segment(v(-1, 0, 0), v(1, 0, 0), 0.25),
    top: 0.25,
    bottom: -0.25,
    inside: middle,
    on: [v(0.3, 0.25, 0), v(1.25, 0, 0)],
  },
  point: { shape: point(), top: 0, bottom: 0, inside: [], on: [v(0, 0, 0)] },
  'convex: a ball': {
    shape: convex(ballSupport),
    top: 0.5,
    bottom: -0.5,
    inside: middle,
    on: [],
    precision: 1e-7,
  },
  'convex: a rounded box': {
    shape: convex(boxSupport, { rounding: 0.25 }),
    top: 0.75,
    bottom: -0.75,
    inside: middle,
    on: [v(0.75, 0.1, 0.2)],
    precision: 1e-7,
  },
  'convex: scaled capsule': {
    shape: scaled(capsule(0.5, 0.25), v(2, 1, 1)),
    top: 0.75,
    bottom: -0.75,
    inside: middle,
    on: [],
    precision: 1e-7,
  },
  'half-space': {
    shape: halfSpace(v(0, 1, 0), 0.5),
    top: 0.5,
    bottom: -Infinity,
    inside: [v(0, 0, 0), v(5, -3, 2)],
    on: [v(0, 0.5, 0), v(3, 0.5, -9)],
  },
  'closed mesh': { shape: mesh(cubePositions, cubeIndex), ...cube },
  'skinned mesh': { shape: twoJoints(cubePositions, cubeIndex), ...cube },
  'open skinned mesh': {
    shape: twoJoints(cubePositions, withoutBottom),
    top: 0.5,
    bottom: 0.5,
    over: v(0.1, 0, 0.2),
    inside: [],
    on: [...CUBE, v(0.5, 0.1, 0.2)],
  },
  'open mesh': {
    shape: mesh(cubePositions, withoutBottom),
    top: 0.5,
    bottom: 0.5,
    over: v(0.1, 0, 0.2),
    inside: [],
    on: [...CUBE, v(0.5, 0.1, 0.2)],
  },
  'flat mesh': {
    shape: mesh([-1, 0, -1, -1, 0, 1, 1, 0, 1, 1, 0, -1], [0, 1, 2, 0, 2, 3]),
    ...plate,
  },
  'height field': {
    shape: heightField(new Float64Array(9), { columns: 3, rows: 3 }),
    ...plate,
    over: v(0.6, 0, 0.7),
    on: [v(0, 0, 0), v(1, 0, 1), v(0.3, 0, 1.7), v(2, 0, 2)],
  },
  sdf: {
    shape: sdf((p) => Math.sqrt(p.x * p.x + p.y * p.y + p.z * p.z) - 0.5, {
      min: v(-1, -1, -1),
      max: v(1, 1, 1),
    }),
    top: 0.5,
    bottom: -0.5,
    inside: middle,
    on: [v(0.5, 0, 0), v(0, 0.3, 0.4)],
  },
  csg: {
    shape: csg('union', [sphere(0.5), box(1, 0.25, 1)]),
    top: 0.5,
    bottom: -0.5,
    inside: [...middle, v(0.8, 0.1, 0.8), v(0, 0.4, 0)],
    on: [v(1, 0.1, 0.3), v(1, 0.25, -1)],
  },
  'level set': {
    shape: bakedBall,
    top: topOf(bakedBall),
    bottom: -topOf(bakedBall),
    inside: middle,
    on: [],
    // About as much as its surface is uneven.
    precision: 2e-3,
  },
  compound: {
    shape: compound([
      { shape: sphere(0.5), pose: still },
      { shape: box(1, 0.25, 1), pose: still },
    ]),
    top: 0.5,
    bottom: -0.5,
    inside: [...middle, v(0.8, 0.1, 0.8), v(0, 0.4, 0)],
    on: [v(1, 0.1, 0.3), v(1, 0.25, -1)],
  },
  'compound with meshes': {
    shape: compound([
      { shape: mesh(cubePositions, cubeIndex), pose: still },
      { shape: polygon(flat), pose: still },
    ]),
    top: 0.5,
    bottom: -0.5,
    inside: middle,
    on: [v(0.9, 0, 0.9), v(0.5, 0.5, 0.1)],
  },
};

test('the table has every kind of shape', () => {
  const kinds = new Set(Object.values(ENTRIES).map(({ shape }) => shape.kind));
  const all: Record<ShapeKind, true> = {
    sphere: true,
    box: true,
    capsule: true,
    cylinder: true,
    cone: true,
    ellipsoid: true,
    hull: true,
    triangle: true,
    polygon: true,
    segment: true,
    point: true,
    convex: true,
    halfSpace: true,
    mesh: true,
    heightField: true,
    compound: true,
    sdf: true,
    csg: true,
    parametric: true,
    solid: true,
    skinned: true,
    levelSet: true,
  };
  // Rays meet them as any field.
  for (const kind of ['parametric', 'solid'] as const) kinds.add(kind);
  expect([...kinds].sort()).toEqual(Object.keys(all).sort());
});

/** Turned by hand: by the matrix of the quaternion. */
function rotate(p: ReadonlyVec3, { x, y, z, w }: ReadonlyPose['quaternion']): Vec3 {
  return v(
    (1 - 2 * (y * y + z * z)) * p.x + 2 * (x * y - w * z) * p.y + 2 * (x * z + w * y) * p.z,
    2 * (x * y + w * z) * p.x + (1 - 2 * (x * x + z * z)) * p.y + 2 * (y * z - w * x) * p.z,
    2 * (x * z - w * y) * p.x + 2 * (y * z + w * x) * p.y + (1 - 2 * (x * x + y * y)) * p.z,
  );
}
const POSES: Record<string, ReadonlyPose> = {
  'at the origin': still,
  moved: { position: v(10, -20, 5), quaternion: still.quaternion },
  turned: { position: v(0.3, -0.7, 0.1), quaternion: { x: 0.5, y: -0.1, z: 0.7, w: 0.5 } },
  'far away': { position: v(1e6, 2e6, -3e6), quaternion: { x: -0.1, y: 0.7, z: 0.1, w: 0.7 } },
};
const length = ({ x, y, z }: ReadonlyVec3) => Math.sqrt(x * x + y * y + z * z);
const dot = (a: ReadonlyVec3, b: ReadonlyVec3) => a.x * b.x + a.y * b.y + a.z * b.z;
const scale = (k: number, { x, y, z }: ReadonlyVec3) => v(k * x, k * y, k * z);

const DIRECTIONS: readonly Vec3[] = [
  ...[v(1, 0, 0), v(-1, 0, 0), v(0, 1, 0), v(0, -1, 0), v(0, 0, 1), v(0, 0, -1)],
  ...[v(3, -1, 2), v(-1e-9, 1, 0), v(1e-6, 2e-6, -1e-6), v(1e6, 1e6, 0)],
];

for (const [name, entry] of Object.entries(ENTRIES))
  for (const [where, given] of Object.entries(POSES))
    describe(`${name}, ${where}`, () => {
      const { shape, top, bottom, inside, on, over = v(), precision = 0 } = entry;
      const k = 1 / Math.sqrt(Object.values(given.quaternion).reduce((sum, x) => sum + x * x, 0));
      const { x, y, z, w } = given.quaternion;
      const quaternion = { x: k * x, y: k * y, z: k * z, w: k * w };
      const pose = { position: given.position, quaternion };
      const body = { shape, pose };
      const turn = (p: ReadonlyVec3) => rotate(p, quaternion);
      const put = (p: ReadonlyVec3): Vec3 => {
        const { x: px, y: py, z: pz } = turn(p);
        return v(pose.position.x + px, pose.position.y + py, pose.position.z + pz);
      };
      const size = 4 + length(pose.position);
      const error = 1e-14 * size + precision;
      const far = where === 'far away';
      const down = { origin: put(v(over.x, 3, over.z)), direction: turn(v(0, -1, 0)) };
      const up = { origin: put(v(over.x, -3, over.z)), direction: turn(v(0, 1, 0)) };

      test('a start inside, or on the surface, hits at t = 0, where it stands, against the direction', () => {
        for (const own of [...inside, ...on])
          for (const way of DIRECTIONS)
            for (const tMax of [Infinity, 1, 0]) {
              const ray = { origin: put(own), direction: turn(way) };
              const hit = raycast(ray, body, { maxDistance: tMax });
              expect(hit?.t, `${JSON.stringify(own)} towards ${JSON.stringify(way)}`).toBe(0);
              expect(hit!.point).toEqual(ray.origin);
              near(dot(hit!.normal, ray.direction), -length(ray.direction), 1e-14 * length(way), 'normal');
              expect(raycast(ray, body, { mode: 'any', maxDistance: tMax })).toBe(true);
            }
      });

      test('a direction of zero is a point: it hits what it is in, with no normal', () => {
        for (const own of [...inside, ...on]) {
          const hit = raycast({ origin: put(own), direction: v() }, body);
          expect([hit?.t, hit?.normal]).toEqual([0, v()]);
        }
        expect(raycast({ origin: down.origin, direction: v() }, body)).toBeNull();
        expect(raycast({ origin: down.origin, direction: v() }, body, { mode: 'any' })).toBe(false);
      });

      test('a hit from outside: on the surface, with a normal that looks at the ray', () => {
        const hit = raycast(down, body)!;
        near(hit.t, 3 - top, error, 't');
        near(length(hit.normal), 1, 1e-12, 'length of the normal');
        check(dot(hit.normal, down.direction) < 0, 'normal looks along the ray');
        const at = put(v(over.x, top, over.z));
        near(length(v(hit.point.x - at.x, hit.point.y - at.y, hit.point.z - at.z)), 0, 2 * error, 'point');
        expect(raycast({ origin: down.origin, direction: scale(-1, down.direction) }, body)).toBeNull();
      });

      test('from below: solids at their bottom, surfaces on their back, with the normal to the ray', () => {
        const hit = raycast(up, body);
        if (bottom === -Infinity) expect(hit?.t).toBe(0);
        else {
          near(hit!.t, 3 + bottom, error, 't');
          const { normal } = hit!;
          near(dot(normal, turn(v(0, -1, 0))), 1, 1e-6, 'normal');
        }
      });

      test('t counts in lengths of the direction, however short or long', () => {
        const one = raycast(down, body)!;
        for (const s of [1e-60, 1e-20, 1e-9, 0.125, 3, 1e9, 1e20, 1e60]) {
          const ray = { origin: down.origin, direction: scale(s, down.direction) };
          const hit = raycast(ray, body);
          near((hit?.t ?? 0) * s, one.t, error, `t at ${s}`);
          near(dot(hit!.normal, one.normal), 1, 1e-6, `normal at ${s}`);
        }
      });

      test('maxDistance is part of the range', () => {
        const { t } = raycast(down, body)!;
        expect(raycast(down, body, { maxDistance: t })?.t).toBe(t);
        expect(raycast(down, body, { mode: 'any', maxDistance: t })).toBe(true);
        const less = t - 1e-9 - 4 * error;
        expect(raycast(down, body, { maxDistance: less })).toBeNull();
        expect(raycast(down, body, { mode: 'any', maxDistance: less })).toBe(false);
        expect(raycast(down, body, { maxDistance: 0 })).toBeNull();
        expect(raycast(down, body, { maxDistance: Infinity })?.t).toBe(t);
      });

      test('just outside is outside', () => {
        const gap = 1e-9 + 1e-13 * size + 10 * precision;
        const origin = put(v(over.x, top + gap, over.z));
        expect(raycast({ origin, direction: turn(v(0, 1, 0)) }, body)).toBeNull();
        const hit = raycast({ origin, direction: turn(v(0, -1, 0)) }, body);
        near(hit?.t ?? 9, gap, error, 't');
        if (hit!.t === 0) throw new Error('a start outside hits at 0');
      });

      test('hits at t = 0 are the points that the body shares', () => {
        const rng = new Rng(7);
        for (let i = 0; i < 40; i++) {
          const origin = put(scale(rng.pick([0.5, 1, 2]), rng.vec(1)));
          const isIn = intersects({ shape: point(), pose: { position: origin, quaternion } }, body);
          const hit = raycast({ origin, direction: rng.direction() }, body);
          const here = raycast({ origin, direction: v() }, body);
          check((hit?.t === 0) === isIn, () => `t = ${hit?.t}, but intersects says ${isIn}`);
          check((here !== null) === isIn, 'a still ray');
          check(hit === null || hit.t * 0 === 0, 'finite');
        }
      });

      if (!far && top > 0 && Math.abs(bottom) !== Infinity)
        test('along a face: touching counts, and not a hair beyond it', () => {
          for (const side of [v(1, 0, 0), v(0, 0, 1)]) {
            const along = (height: number) =>
              raycast(
                {
                  origin: put(v(-4 * side.x + over.x * side.z, height, -4 * side.z + over.z * side.x)),
                  direction: turn(side),
                },
                body,
              );
            // Above the top, below the bottom: nothing. Just under the top something, but for a tip.
            expect(along(top + 1e-9 + 10 * precision)).toBeNull();
            const hit = along(top - 1e-6 - 10 * precision)!;
            check(hit !== null && hit.t > 0 && dot(hit.normal, turn(side)) <= 1e-9, 'misses');
            // In the plane itself of what has a flat top, where no pose rounds it.
            if (
              where === 'at the origin' &&
              /^(box|hull|cylinder|rounded box|closed mesh|open mesh)$/.test(name)
            )
              check(along(top) !== null, 'misses the face that it runs along');
          }
        });
    });

describe('open surfaces', () => {
  test('a ray within a mesh that has a hole meets the backs of its faces', () => {
    const { shape } = ENTRIES['open mesh']!;
    const hit = raycast({ origin: v(0.1, 0, 0.2), direction: v(0, 1, 0) }, shape)!;
    expect([hit.t, hit.normal]).toEqual([0.5, v(0, -1, 0)]);
  });

  test('a closed mesh that was turned inside out is a room: nothing is inside of it', () => {
    const room = mesh(cubePositions, [...cubeIndex].reverse());
    const hit = raycast({ origin: v(0.1, 0, 0.2), direction: v(0, 1, 0) }, room)!;
    expect([hit.t, hit.normal]).toEqual([0.5, v(0, -1, 0)]);
  });

  test('in their plane: triangles and polygons by the edge, meshes not at all', () => {
    const ray = { origin: v(-4, 0, 0.1), direction: v(1, 0, 0) };
    for (const name of ['polygon', 'flat box', 'flat hull']) {
      const hit = raycast(ray, ENTRIES[name]!.shape)!;
      near(hit.t, 3, 1e-12, 't');
      expect(hit.normal).toEqual(v(-1, 0, 0));
    }
    expect(raycast(ray, ENTRIES['flat mesh']!.shape)).toBeNull();
    expect(raycast(ray, ENTRIES['height field']!.shape)).toBeNull();
    // Unless it starts on them.
    expect(raycast({ origin: v(0.5, 0, 0.1), direction: v(1, 0, 0) }, ENTRIES['flat mesh']!.shape)!.t).toBe(
      0,
    );
  });
});
