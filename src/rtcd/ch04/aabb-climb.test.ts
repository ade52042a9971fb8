import { expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../../tests/kit/index.ts';
import type { Pose, Quat, Vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { polyhedron } from '../../polytope/polyhedron.ts';
import type { Polyhedron } from '../../polytope/types.ts';
import { fitAabb } from '../../volumes/aabb.ts';
import { type AabbClimber, makeAabbClimber } from './aabb-climb.ts';

const AXES = ['x', 'y', 'z'] as const;

/**
 * A cube of side 2 whose sides are grids of n × n squares: most vertices have level neighbours only. With n even the
 * middles of the sides come first, so that a search for extremes begins with them.
 */
function griddedCube(n: number): Polyhedron {
  const vertices: Vec3[] = [];
  const index = new Map<string, number>();
  const vertex = (p: Vec3): number => {
    const key = `${p.x},${p.y},${p.z}`;
    const found = index.get(key);
    if (found !== undefined) return found;
    index.set(key, vertices.length);
    vertices.push(p);
    return vertices.length - 1;
  };
  if (n % 2 === 0)
    for (const axis of AXES) for (const side of [-1, 1]) vertex({ x: 0, y: 0, z: 0, [axis]: side });
  const faces: number[][] = [];
  const planes: Polyhedron['planes'] = [];
  AXES.forEach((axis, k) => {
    const [u, v] = [AXES[(k + 1) % 3]!, AXES[(k + 2) % 3]!];
    for (const side of [-1, 1])
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) {
          const at = (s: number, t: number): number => {
            const p = { x: 0, y: 0, z: 0 };
            p[axis] = side;
            p[u] = -1 + (2 * s) / n;
            p[v] = -1 + (2 * t) / n;
            return vertex(p);
          };
          const loop = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
          faces.push(side > 0 ? loop : loop.reverse());
          const normal = { x: 0, y: 0, z: 0 };
          normal[axis] = side;
          planes.push({ normal, d: 1 });
        }
  });
  return { vertices, faces, planes };
}

function compare(climber: AabbClimber, hull: Polyhedron, pose: Pose): void {
  const found = climber.fit(pose);
  const brute = fitAabb(hull.vertices.map((p) => v3.add(v3.rotate(p, pose.quaternion), pose.position)));
  const reach = Math.max(...hull.vertices.map((p) => Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.z)));
  for (const axis of AXES) {
    check(
      found.min[axis] <= brute.min[axis] && found.max[axis] >= brute.max[axis],
      () => `too small along ${axis}`,
    );
    const tolerance = 2e-14 * (reach + Math.abs(pose.position[axis]));
    near(found.min[axis], brute.min[axis], tolerance, `min ${axis}`);
    near(found.max[axis], brute.max[axis], tolerance, `max ${axis}`);
  }
}

const halfTurn = (axis: 'x' | 'y' | 'z'): Quat => ({ x: 0, y: 0, z: 0, w: 0, [axis]: 1 });

test('[R4.2.4-5] a cube with gridded sides, spun by half a turn, has the box that brute force finds', () => {
  const origin = { x: 0, y: 0, z: 0 };
  const hull = griddedCube(6);
  for (const axis of AXES) {
    const climber = makeAabbClimber(hull);
    compare(climber, hull, { position: origin, quaternion: { x: 0, y: 0, z: 0, w: 1 } });
    compare(climber, hull, { position: origin, quaternion: halfTurn(axis) });
    compare(climber, hull, { position: origin, quaternion: { x: 0, y: 0, z: 0, w: 1 } });
    // Half a turn with roundings in it: the side faces down but for 1e-16.
    const nearly = { x: 0, y: 0, z: 0, w: 6.1e-17, [axis]: 1 };
    compare(climber, hull, { position: origin, quaternion: nearly });
  }
});

property('[R4.2.5] a gridded cube spun about: always the brute box', 500, (rng) => {
  const hull = griddedCube(rng.int(1, 5));
  const climber = makeAabbClimber(hull);
  for (let i = 0; i < 20; i++) compare(climber, hull, { position: rng.vec(1), quaternion: rng.rotation() });
});

/** A convex body: a random one, or one with many vertices nearly level, or far too thin. */
function body(rng: Rng): Polyhedron {
  const squash = rng.pick([1, 1, 1e-3, 1e-9]);
  const size = rng.pick([1, 1e6, 1e-6]);
  const points = Array.from({ length: rng.int(8, 40) }, () => {
    const p = rng.direction();
    return { x: size * p.x, y: size * p.y, z: size * squash * p.z };
  });
  return polyhedron(points);
}

property('[R4.2.5] convex bodies in jumps and small steps: always the brute box', 500, (rng) => {
  const hull = body(rng);
  const climber = makeAabbClimber(hull);
  let quaternion = rng.rotation();
  for (let i = 0; i < 20; i++) {
    if (rng.chance(0.3)) quaternion = rng.rotation();
    else {
      const { x, y, z, w } = quaternion;
      const step = rng.vec(0.02);
      const l = Math.hypot(x + step.x, y + step.y, z + step.z, w);
      quaternion = { x: (x + step.x) / l, y: (y + step.y) / l, z: (z + step.z) / l, w: w / l };
    }
    compare(climber, hull, { position: rng.vec(rng.pick([0, 1, 1e6])), quaternion });
  }
});

test('the hull is copied, and bad input is named', () => {
  const hull = griddedCube(1);
  const climber = makeAabbClimber(hull);
  const still = { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  hull.vertices[0]!.x = 100;
  expect(climber.fit(still)).toEqual({ min: { x: -1, y: -1, z: -1 }, max: { x: 1, y: 1, z: 1 } });
  expect(() => climber.fit({ ...still, position: { x: Number.NaN, y: 0, z: 0 } })).toThrow(
    /pose\.position\.x/,
  );
  expect(() => makeAabbClimber({ vertices: [], faces: [], planes: [] })).toThrow(/hull\.vertices/);
});
