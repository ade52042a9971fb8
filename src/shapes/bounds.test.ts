import { expect, test } from 'vitest';
import { check, cloud, near, property, type Rng } from '../../tests/kit/index.ts';
import { anySize, heightOf } from '../../tests/kit/shape-oracle.ts';
import { supportCore } from '../convex/core.ts';
import { transformPoint } from '../math/pose.ts';
import type { Pose, Vec3 } from '../math/types.ts';
import { pose as makePose, quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { boundsOf } from './bounds.ts';
import { compound } from './compound.ts';
import { box, hull, point, segment, triangle } from './flat-sided-shapes.ts';
import { halfSpace } from './half-space.ts';
import { heightField } from './height-field.ts';
import { mesh } from './mesh.ts';
import { capsule, cone, cylinder, ellipsoid, sphere } from './round-shapes.ts';
import type { ConvexShape } from './shape.ts';

const AXES = ['x', 'y', 'z'] as const;
const EPS = 2 ** -52;

function anyConvex(rng: Rng): ConvexShape {
  const [a, b, c] = [anySize(rng), anySize(rng), anySize(rng)];
  const r = rng.pick([0, 0.3]);
  const { points } = cloud(rng, rng.int(3, 24));
  return rng.pick([
    () => sphere(a),
    () => box(a, b, c, r),
    () => capsule(a, b),
    () => cylinder(a, b, r),
    () => cone(a, b, r),
    () => ellipsoid(a, b, c, r),
    () => hull(points, r),
    () => triangle(points[0]!, points[1]!, points[2]!, r),
    () => segment(points[0]!, points[1]!, r),
    point,
  ])();
}

function anyPose(rng: Rng): Pose {
  const position = rng.chance(0.2) ? vec3() : rng.vec(rng.pick([1, 1e3, 1e6]));
  return { position, quaternion: rng.chance(0.2) ? quat() : rng.rotation() };
}

function holdsPoint(box: { min: Vec3; max: Vec3 }, p: Vec3, what: string): void {
  for (const k of AXES)
    check(
      box.min[k] <= p[k] && p[k] <= box.max[k],
      () => `${what}: ${k} = ${p[k]} not in ${JSON.stringify(box)}`,
    );
}

property('convex shapes: the box holds them, and is no larger than it must be', 10_000, (rng) => {
  const shape = anyConvex(rng);
  const pose = anyPose(rng);
  const bounds = boundsOf(shape, pose);
  const p = vec3();
  for (let i = 0; i < 4; i++) {
    const d = rng.direction();
    supportCore(shape.core, d, -1, p);
    holdsPoint(
      bounds,
      transformPoint(pose, v3.addScaled(p, d, shape.core.radius * (1 - 2 * EPS), p)),
      shape.kind,
    );
  }
  const { position: t } = pose;
  AXES.forEach((k) => {
    const axis = v3.rotateInverse({ ...vec3(), [k]: 1 }, pose.quaternion);
    const slack = 40 * EPS * shape.core.reach + 2 * EPS * Math.abs(t[k]);
    near(bounds.max[k], t[k] + heightOf(shape, axis), slack, `${shape.kind} max ${k}`);
    near(bounds.min[k], t[k] - heightOf(shape, v3.negate(axis)), slack, `${shape.kind} min ${k}`);
    check(bounds.min[k] <= bounds.max[k], 'inverted');
  });
});

property('meshes, height fields and compounds: the box holds every vertex', 2_000, (rng) => {
  const { points } = cloud(rng, 9);
  const surface = mesh(points.flatMap(({ x, y, z }) => [x, y, z]));
  const field = heightField([0, rng.range(-1, 1), 2, 0], { columns: 2, rows: 2 });
  const [pose, inner] = [anyPose(rng), anyPose(rng)];
  const both = compound([{ shape: surface, pose: inner }, { shape: field }]);
  for (const p of points) {
    holdsPoint(boundsOf(surface, pose), transformPoint(pose, p), 'mesh');
    // Moved twice, so that rounding counts twice.
    const q = transformPoint(pose, transformPoint(inner, p));
    const { min, max } = boundsOf(both, pose);
    const s = 16 * EPS * (v3.length(q) + v3.length(p) + v3.length(inner.position) + v3.length(pose.position));
    holdsPoint({ min: v3.sub(min, vec3(s, s, s)), max: v3.add(max, vec3(s, s, s)) }, q, 'compound');
  }
  for (let i = 0; i < 12; i += 3)
    holdsPoint(
      boundsOf(field, pose),
      transformPoint(pose, vec3(...[...field.mesh.vertices.subarray(i, i + 3)])),
      'height field',
    );
});

test('what is not turned has an exact box', () => {
  const place = { position: vec3(1, 2, 3), quaternion: quat() };
  expect(boundsOf(box(1, 2, 3, 0.5), place)).toEqual({
    min: vec3(-0.5, -0.5, -0.5),
    max: vec3(2.5, 4.5, 6.5),
  });
  expect(boundsOf(sphere(2))).toEqual({ min: vec3(-2, -2, -2), max: vec3(2, 2, 2) });
  expect(boundsOf(capsule(1, 2))).toEqual({ min: vec3(-2, -3, -2), max: vec3(2, 3, 2) });
  expect(boundsOf(point(), place)).toEqual({ min: vec3(1, 2, 3), max: vec3(1, 2, 3) });
});

test('a half-space goes on for ever, but for the side of a plane along an axis', () => {
  const infinite = { min: vec3(-Infinity, -Infinity, -Infinity), max: vec3(Infinity, Infinity, Infinity) };
  expect(boundsOf(halfSpace(vec3(1, 1, 0), 2))).toEqual(infinite);
  const ground = boundsOf(halfSpace(vec3(0, 2, 0), 3), { position: vec3(7, 1, 7), quaternion: quat() });
  expect(ground.max.y).toBeCloseTo(2.5, 14);
  expect(ground.max.y).toBeGreaterThanOrEqual(2.5);
  expect(ground.min).toEqual(infinite.min);
  const wall = boundsOf(halfSpace(vec3(-1, 0, 0), 4));
  expect(wall.min.x).toBeLessThanOrEqual(-4);
  expect(wall.max.x).toBe(Infinity);
});

test('quaternions count by their direction; one of zero is refused', () => {
  const place = { position: vec3(), quaternion: quat(0, 0, 3, 3) };
  expect(boundsOf(box(1, 2, 3), place).max.x).toBeCloseTo(2, 13);
  place.quaternion = quat(0, 0, 0, 0);
  expect(() => boundsOf(box(1, 2, 3), place)).toThrow(/boundsOf: pose.quaternion must not be zero/);
});

test('out is filled and given back, and may be part of the pose', () => {
  const place = makePose();
  place.position.x = 3;
  const out = { min: place.position, max: vec3() };
  expect(boundsOf(sphere(1), place, out)).toBe(out);
  expect(out).toEqual({ min: vec3(2, -1, -1), max: vec3(4, 1, 1) });
});
