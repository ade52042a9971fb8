import { expect, test } from 'vitest';
import { check, cloud, near, property, type Rng } from '../../tests/kit/index.ts';
import { boxMesh } from '../../tests/kit/meshes.ts';
import { heightOf } from '../../tests/kit/shape-oracle.ts';
import { supportCore } from '../convex/core.ts';
import type { Vec3 } from '../math/types.ts';
import { quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { rayMesh } from '../trimesh/ray.ts';
import { boundsOf } from './bounds.ts';
import { compound } from './compound.ts';
import { convex } from './custom.ts';
import { box, hull, point, polygon, segment, triangle } from './flat-sided-shapes.ts';
import { halfSpace } from './half-space.ts';
import { heightField, heightFieldTriangle } from './height-field.ts';
import { massOf } from './mass.ts';
import { mesh } from './mesh.ts';
import { capsule, cone, cylinder, ellipsoid, sphere } from './round-shapes.ts';
import { scaled } from './scale.ts';
import type { CompoundShape, ConvexShape, HalfSpaceShape, HeightFieldShape } from './shape.ts';

const EPS = 2 ** -52;

function anyConvex(rng: Rng): ConvexShape {
  const [a, b, c] = [rng.pick([0, 1, 2]), rng.range(0, 2), rng.range(0, 2)];
  const r = rng.pick([0, 0.3]);
  const { points: p } = cloud(rng, rng.int(3, 20), rng.pick(['lattice', 'plain']));
  return rng.pick([
    () => sphere(a),
    () => box(a, b, c, r),
    () => capsule(a, b),
    () => cylinder(a, b, r),
    () => cone(a, b, r),
    () => ellipsoid(a, b, c, r),
    () => hull(p, r),
    () => triangle(p[0]!, p[1]!, p[2]!, r),
    () => polygon([p[0]!, p[1]!, p[2]!], r),
    () => segment(p[0]!, p[1]!, r),
    point,
  ])();
}

const anyScale = (rng: Rng): Vec3 => {
  const s = rng.pick([1, 2, 0.5]);
  return rng.pick([
    vec3(s, s, s),
    vec3(-s, -s, -s),
    vec3(s, rng.range(0.1, 3), -s),
    vec3(rng.range(0.1, 3), rng.range(-3, -0.1), rng.range(0.1, 3)),
    vec3(1e-3, 1, 1e3),
  ]);
};

/** How far a shape goes along d, by its core. */
function coreHeight({ core }: ConvexShape, d: Vec3): number {
  const p = vec3();
  supportCore(core, d, -1, p);
  return v3.dot(p, d) + core.radius * v3.length(d);
}

property('convex shapes: what goes to s x goes as far along d as x along s d', 10_000, (rng) => {
  const shape = anyConvex(rng);
  const s = anyScale(rng);
  const made = scaled(shape, s) as ConvexShape;
  const d = rng.direction();
  const along = v3.multiply(s, d);
  const tolerance = 32 * EPS * (shape.core.reach * Math.max(Math.abs(s.x), Math.abs(s.y), Math.abs(s.z)));
  near(coreHeight(made, d), heightOf(shape, along), tolerance, `${shape.kind} to ${made.kind}`);
  check(made.core.reach >= heightOf(shape, along) - tolerance, 'reach');
  check(v3.dot(made.core.center, d) <= heightOf(shape, along) + tolerance, 'centre');
  const { max } = boundsOf(made);
  near(max.x, heightOf(shape, vec3(s.x, 0, 0)), tolerance, 'box');
  // Twice is once by the product.
  const t = anyScale(rng);
  const twice = scaled(made, t) as ConvexShape;
  const far = v3.multiply(t, v3.multiply(s, d));
  const size = v3.length(v3.multiply(t, s)) * 2 * shape.core.reach + made.core.reach * v3.length(t);
  near(coreHeight(twice, d), heightOf(shape, far), 64 * EPS * size, 'twice');
});

test('kinds stay where they can', () => {
  const kinds = (shape: ConvexShape) =>
    [vec3(2, 2, 2), vec3(-2, -2, -2), vec3(2, 3, 2), vec3(2, -3, 2), vec3(1, 2, 3)].map(
      (s) => scaled(shape, s).kind,
    );
  const all = (kind: string) => [kind, kind, kind, kind, kind];
  expect(kinds(sphere(1))).toEqual(['sphere', 'sphere', 'ellipsoid', 'ellipsoid', 'ellipsoid']);
  expect(kinds(box(1, 1, 1))).toEqual(all('box'));
  expect(kinds(box(1, 1, 1, 0.1))).toEqual(['box', 'box', 'convex', 'convex', 'convex']);
  expect(kinds(capsule(1, 1))).toEqual(['capsule', 'capsule', 'convex', 'convex', 'convex']);
  expect(kinds(cylinder(1, 1))).toEqual(['cylinder', 'cylinder', 'cylinder', 'cylinder', 'convex']);
  expect(kinds(cone(1, 1))).toEqual(['cone', 'convex', 'cone', 'convex', 'convex']);
  expect(kinds(ellipsoid(1, 2, 3))).toEqual(all('ellipsoid'));
  expect(kinds(hull([vec3(1), vec3(0, 1), vec3(0, 0, 1), vec3()]))).toEqual(all('hull'));
  expect(kinds(triangle(vec3(), vec3(1), vec3(0, 1)))).toEqual(all('triangle'));
  expect(kinds(segment(vec3(), vec3(1)))).toEqual(all('segment'));
  expect(kinds(point())).toEqual(all('point'));
  const lens = convex((d, out) => v3.normalize(d, out));
  expect(kinds(lens)).toEqual(all('convex'));
  // An image of an image knows the first one only.
  const twice = scaled(scaled(lens, vec3(1, 2, 3)), vec3(2, 2, 2));
  expect(twice.kind === 'convex' && twice.image?.shape).toBe(lens);
});

test('zero and what is no number are refused', () => {
  expect(() => scaled(sphere(1), vec3(1, 0, 1))).toThrow(/scaled: scale must not be 0/);
  expect(() => scaled(sphere(1), vec3(1, Number.NaN, 1))).toThrow(/scaled: scale.y must be a finite number/);
});

test('meshes keep their numbers, and their outside when mirrored', () => {
  const { positions, index } = boxMesh(vec3(), vec3(1, 2, 3));
  const made = mesh(positions, index);
  for (const s of [vec3(2, 3, 4), vec3(-2, 3, 4), vec3(-1, -1, -1)]) {
    const image = scaled(made, s);
    const factor = Math.abs(s.x * s.y * s.z);
    expect(massOf(image).volume).toBeCloseTo(6 * factor, 10);
    const origin = v3.multiply(vec3(0.4, 9, 1.3), s);
    const direction = v3.multiply(vec3(0, -1, 0), s);
    const hit = rayMesh({ origin, direction }, image as typeof made)!;
    const before = rayMesh({ origin: vec3(0.4, 9, 1.3), direction: vec3(0, -1, 0) }, made)!;
    expect(hit.triangle).toBe(before.triangle);
    expect(hit.t).toBeCloseTo(before.t, 12);
  }
});

test('height fields stay height fields, and are meshes when mirrored', () => {
  const field = heightField([0, 1, 2, 1, 0, 3], { columns: 3, rows: 2, holes: [1, 0] });
  const larger = scaled(field, vec3(2, 3, 4)) as HeightFieldShape;
  expect(larger.kind).toBe('heightField');
  expect([...larger.heights]).toEqual([0, 3, 6, 3, 0, 9]);
  expect(larger.spacing).toEqual({ x: 2, z: 4 });
  expect(heightFieldTriangle(larger, 0, 0)).toBe(-1);
  const mirrored = scaled(field, vec3(-1, 1, 1));
  expect(mirrored.kind).toBe('mesh');
  const down = { origin: vec3(-1.5, 9, 0.2), direction: vec3(0, -1, 0) };
  expect(mirrored.kind === 'mesh' && rayMesh(down, mirrored)!.normal.y).toBeGreaterThan(0);
});

property('half-spaces: what was inside is inside', 10_000, (rng) => {
  const before = halfSpace(rng.direction(), rng.range(-2, 2));
  const s = anyScale(rng);
  const after = scaled(before, s) as HalfSpaceShape;
  const p = rng.vec(3);
  const outside = v3.dot(before.normal, p) - before.d;
  if (Math.abs(outside) < 1e-9) return;
  const q = v3.multiply(p, s);
  check(v3.dot(after.normal, q) - after.d > 0 === outside > 0, () => `${outside} became another sign`);
});

property('compounds: every child, turned or not, is where it belongs', 3_000, (rng) => {
  const parts = Array.from({ length: rng.int(1, 4) }, () => ({
    shape: anyConvex(rng),
    pose: { position: rng.vec(3), quaternion: rng.rotation() },
  }));
  const before = compound(parts);
  const s = rng.chance(0.3) ? vec3(2, rng.range(0.2, 3), 2) : anyScale(rng);
  const after = scaled(before, s) as CompoundShape;
  const d = rng.direction();
  const along = v3.multiply(s, d);
  const size = Math.max(Math.abs(s.x), Math.abs(s.y), Math.abs(s.z));
  after.children.forEach(({ shape, pose, path }, i) => {
    const child = before.children[i]!;
    check(path.join() === child.path.join(), 'path');
    const wanted =
      heightOf(child.shape as ConvexShape, v3.rotateInverse(along, child.pose.quaternion)) +
      v3.dot(child.pose.position, along);
    const got =
      coreHeight(shape as ConvexShape, v3.rotateInverse(d, pose.quaternion)) + v3.dot(pose.position, d);
    const reach = (child.shape as ConvexShape).core.reach + v3.length(child.pose.position);
    near(got, wanted, 100 * EPS * size * reach, `${child.shape.kind} to ${shape.kind}`);
  });
});

test('quarter turns and turns about the axis keep the kinds of children', () => {
  const quarter = quat(0, 0, Math.SQRT1_2, Math.SQRT1_2);
  const eighth = quat(0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8));
  const kindOf = (shape: ConvexShape, quaternion: typeof quarter, s: Vec3) =>
    (scaled(compound([{ shape, pose: { position: vec3(), quaternion } }]), s) as CompoundShape).children[0]!
      .shape.kind;
  expect(kindOf(box(1, 2, 3), quarter, vec3(1, 2, 3))).toBe('box');
  expect(kindOf(cylinder(1, 2), quarter, vec3(3, 2, 2))).toBe('cylinder');
  expect(kindOf(cylinder(1, 2), eighth, vec3(2, 3, 2))).toBe('cylinder');
  expect(kindOf(capsule(1, 2), eighth, vec3(2, 2, 2))).toBe('capsule');
  expect(kindOf(box(1, 2, 3), eighth, vec3(2, 1, 1))).toBe('hull');
  expect(kindOf(sphere(1), eighth, vec3(2, 1, 1))).toBe('ellipsoid');
  expect(kindOf(cylinder(1, 2), eighth, vec3(2, 1, 1))).toBe('convex');
});
