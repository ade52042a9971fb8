import { expect, test } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import { icosphere, soup, terrain, torus } from '../../tests/kit/meshes.ts';
import { batchMesh, type MeshBatchName } from './batch.ts';
import { closestPointMesh } from './closest.ts';
import { containsPointMesh } from './inside.ts';
import { type Mesh, mesh } from './mesh.ts';
import {
  overlapAabbMesh,
  overlapCapsuleMesh,
  overlapObbMesh,
  overlapSphereMesh,
  overlapTriangleMesh,
} from './overlap.ts';
import { rayMesh, rayMeshAny, segmentMesh } from './ray.ts';
import { signedDistanceMesh } from './signed-distance.ts';
import { sweepSphereMesh } from './sweep.ts';

function draw(rng: Rng): Mesh {
  const { positions, index } = rng.pick([
    () => icosphere(2),
    () => torus(),
    () => terrain(rng, 6),
    () => soup(rng, 20),
  ])();
  return mesh(rng.chance(0.5) ? Float32Array.from(positions) : positions, index);
}

const numbers = (rng: Rng, count: number, size = 1.5): Float64Array =>
  Float64Array.from({ length: count }, () => rng.range(-size, size));
const point = (list: ArrayLike<number>, at: number) => ({ x: list[at]!, y: list[at + 1]!, z: list[at + 2]! });
const N = 12;

property('a batch of any kind is its queries one by one', 120, (rng) => {
  const solid = draw(rng);
  const p = numbers(rng, 3 * N);
  const q = numbers(rng, 3 * N);
  const tMax = rng.pick([Infinity, 0.8]);
  const hits = batchMesh('rayMesh', { origins: p, directions: q, tMax }, solid);
  const any = batchMesh('rayMeshAny', { origins: p, directions: q, tMax }, solid);
  const segments = batchMesh('segmentMesh', { p, q }, solid);
  const maxDistance = rng.pick([Infinity, 0.2]);
  const near = batchMesh('closestPointMesh', { points: p, maxDistance }, solid);
  const inside = batchMesh('containsPointMesh', { points: p }, solid);
  const signed = batchMesh('signedDistanceMesh', { points: p }, solid);
  const spheres = numbers(rng, 4 * N).map((x, i) => (i % 4 === 3 ? Math.abs(x) / 4 : x));
  const touches = batchMesh('sweepSphereMesh', { spheres, motions: q }, solid);
  const filled = rng.chance(0.5);
  const bySphere = batchMesh('overlapSphereMesh', { spheres, solid: filled }, solid);
  const boxes = numbers(rng, 6 * N).map((x, i, all) => (i % 6 < 3 ? x : all[i - 3]! + Math.abs(x) * 0.2));
  const byBox = batchMesh('overlapAabbMesh', { boxes, solid: filled }, solid);
  const turned = Float64Array.from({ length: 15 * N }, (_, i) =>
    i % 15 < 3
      ? p[Math.floor(i / 15) * 3 + (i % 15)]!
      : i % 15 < 6
        ? 0.1
        : i % 15 === 6 || i % 15 === 10 || i % 15 === 14
          ? 1
          : 0,
  );
  const byObb = batchMesh('overlapObbMesh', { boxes: turned, solid: filled }, solid);
  const capsules = numbers(rng, 7 * N).map((x, i) => (i % 7 === 6 ? Math.abs(x) / 10 : x / 2));
  const byCapsule = batchMesh('overlapCapsuleMesh', { capsules, solid: filled }, solid);
  const triangles = numbers(rng, 9 * N);
  const byTriangle = batchMesh('overlapTriangleMesh', { triangles, solid: filled }, solid);

  for (let i = 0; i < N; i++) {
    const a = point(p, 3 * i);
    const b = point(q, 3 * i);
    const same = (t: number, triangle: number, one: { t: number; triangle: number } | null, what: string) =>
      check(one ? t === one.t && triangle === one.triangle : t === Infinity && triangle === -1, what);
    const hit = rayMesh({ origin: a, direction: b }, solid, tMax);
    same(hits.t[i]!, hits.triangle[i]!, hit, 'rayMesh');
    if (hit) check(Math.abs(hits.v[i]! - hit.v) < 1e-12 && Math.abs(hits.w[i]! - hit.w) < 1e-12, 'weights');
    check(any.yes[i] === +rayMeshAny({ origin: a, direction: b }, solid, tMax), 'rayMeshAny');
    same(segments.t[i]!, segments.triangle[i]!, segmentMesh(a, b, solid), 'segmentMesh');
    const nearest = closestPointMesh(a, solid, maxDistance);
    check(near.triangle[i] === (nearest?.triangle ?? -1), 'closestPointMesh');
    check(near.distance[i] === (nearest?.distance ?? Infinity), 'distance');
    check(near.point[3 * i + 2] === (nearest?.point.z ?? 0), 'closest point');
    check(inside.yes[i] === +containsPointMesh(a, solid), 'containsPointMesh');
    check(signed.distance[i] === signedDistanceMesh(a, solid), 'signedDistanceMesh');
    const sphere = { center: point(spheres, 4 * i), radius: spheres[4 * i + 3]! };
    const touch = sweepSphereMesh(sphere, b, solid);
    same(touches.t[i]!, touches.triangle[i]!, touch, 'sweepSphereMesh');
    check(touches.point[3 * i] === (touch?.point.x ?? 0), 'point of contact');
    check(touches.normal[3 * i + 1] === (touch?.normal.y ?? 0), 'normal');
    const options = { solid: filled };
    check(bySphere.yes[i] === +overlapSphereMesh(sphere, solid, options), 'overlapSphereMesh');
    const box = { min: point(boxes, 6 * i), max: point(boxes, 6 * i + 3) };
    check(byBox.yes[i] === +overlapAabbMesh(box, solid, options), 'overlapAabbMesh');
    const rotation = { elements: [1, 0, 0, 0, 1, 0, 0, 0, 1] };
    const obb = { center: a, halfSize: { x: 0.1, y: 0.1, z: 0.1 }, rotation };
    check(byObb.yes[i] === +overlapObbMesh(obb, solid, options), 'overlapObbMesh');
    const capsule = {
      a: point(capsules, 7 * i),
      b: point(capsules, 7 * i + 3),
      radius: capsules[7 * i + 6]!,
    };
    check(byCapsule.yes[i] === +overlapCapsuleMesh(capsule, solid, options), 'overlapCapsuleMesh');
    const [u, v, w] = [point(triangles, 9 * i), point(triangles, 9 * i + 3), point(triangles, 9 * i + 6)];
    check(byTriangle.yes[i] === +overlapTriangleMesh(u, v, w, solid, options), 'overlapTriangleMesh');
  }
});

const ball = icosphere(1);
const solid = mesh(ball.positions, ball.index);

test('answers go to the lists that are given', () => {
  const out = { yes: new Uint8Array(3) };
  const found = batchMesh('containsPointMesh', { points: [0, 0, 0, 3, 0, 0] }, solid, out);
  expect(found.yes).toBe(out.yes);
  expect([...out.yes]).toEqual([1, 0, 0]);
});

test('lists that do not fit are refused, and the error says which', () => {
  const bad = (name: MeshBatchName, input: object, out?: object) => () =>
    batchMesh(name, input as never, solid, out as never);
  expect(bad('rayMesh', { origins: [0, 0, 0] })).toThrow(/directions must be an array of numbers/);
  expect(bad('rayMesh', { origins: [0, 0], directions: [0, 0, 0] })).toThrow(/origins must have 3 numbers/);
  expect(bad('rayMesh', { origins: [0, 0, 0], directions: [] })).toThrow(/as many queries as the other list/);
  expect(bad('rayMesh', { origins: [0, 0, Number.NaN], directions: [1, 0, 0] })).toThrow(
    /origins\[2\] must be a finite number .* got NaN/,
  );
  expect(bad('rayMesh', { origins: [0, 0, 0], directions: [1, 0, 0], tMax: -1 })).toThrow(/tMax must not/);
  expect(bad('sweepSphereMesh', { spheres: [0, 0, 0, -1], motions: [1, 0, 0] })).toThrow(/negative radii/);
  expect(bad('closestPointMesh', { points: [0, 0, 0] }, { point: new Float64Array(2) })).toThrow(
    /out.point must be a list of 3 f64/,
  );
  expect(bad('throwMesh' as MeshBatchName, {})).toThrow(/name must be one of rayMesh, /);
});

test('a batch of nothing is nothing', () => {
  expect(batchMesh('containsPointMesh', { points: [] }, solid).yes.length).toBe(0);
});
