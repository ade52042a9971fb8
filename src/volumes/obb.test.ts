import { expect, test } from 'vitest';
import { check, cloud, exact, near, property, type Rng } from '../../tests/kit/index.ts';
import { fromQuat } from '../math/mat3.ts';
import type { Vec3 } from '../math/types.ts';
import { mat3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Obb } from '../primitives/types.ts';
import { makeObb } from '../primitives/types.ts';
import {
  areaObb,
  containsPointObb,
  cornersObb,
  mergeObb,
  obbAlongAxes,
  sideObbPlane,
  transformObb,
  volumeObb,
} from './obb.ts';

const { q, qv, abs, cmp, sub, vadd, vdot, vscale, vsub, sign } = exact;

function randomObb(rng: Rng, center: Vec3, size: number): Obb {
  const side = () => (rng.chance(0.1) ? 0 : rng.range(0.05, 1)) * size;
  return { center, halfSize: vec3(side(), side(), side()), rotation: fromQuat(rng.rotation()) };
}

const axis = ({ rotation: { elements: e } }: Obb, k: number): Vec3 =>
  vec3(e[3 * k], e[3 * k + 1], e[3 * k + 2]);

/** A point of the box, exactly: c + Σ s h u, |s| <= 1, most often a corner. */
function sampleOf(rng: Rng, box: Obb): exact.QVec {
  const { x, y, z } = box.halfSize;
  return [x, y, z].reduce((p, h, k) => {
    const s = rng.chance(0.6) ? rng.sign() : rng.range(-1, 1);
    return vadd(p, vscale(vscale(qv(axis(box, k)), q(h)), q(s)));
  }, qv(box.center));
}

function holds(box: Obb, p: exact.QVec): boolean {
  const d = vsub(p, qv(box.center));
  return [box.halfSize.x, box.halfSize.y, box.halfSize.z].every(
    (h, k) => cmp(abs(vdot(d, qv(axis(box, k)))), q(h)) <= 0,
  );
}

property('[R4.4] a point is in the box as exact arithmetic says, but for a doubt', 10_000, (rng) => {
  const { points, size } = cloud(rng, 1);
  const box = randomObb(rng, points[0]!, size);
  // A point of the surface, pushed in or out by a little or a lot.
  const s = [rng.sign(), rng.range(-1, 1), rng.range(-1, 1)].map(
    (x) => x * (1 + rng.pick([0, 1e-15, -1e-15, 1e-9, -1e-9, 0.1])),
  );
  const { x, y, z } = box.halfSize;
  const p = v3.add(v3.transform(vec3(s[0]! * x, s[1]! * y, s[2]! * z), box.rotation), box.center);
  const answer = containsPointObb(p, box);
  if (holds(box, qv(p))) check(answer, 'a point inside was left out');
  const room = 1e-14 * size;
  const grown = { ...box, halfSize: vec3(x + room, y + room, z + room) };
  if (!holds(grown, qv(p))) check(!answer, 'a point outside was let in');
});

property('[R4.4] a box along axes holds its points, and touches them on every side', 10_000, (rng) => {
  const { points, size, scale } = cloud(rng, rng.int(1, 9));
  const flat = Float64Array.from(points.flatMap(({ x, y, z }) => [x, y, z]));
  const box = obbAlongAxes(flat, fromQuat(rng.rotation()), makeObb());
  for (const p of points) check(holds(box, qv(p)), 'leaves a point out');
  for (let k = 0; k < 3; k++) {
    const heights = points.map((p) => v3.dot(v3.sub(p, box.center), axis(box, k)));
    const h = [box.halfSize.x, box.halfSize.y, box.halfSize.z][k]!;
    const tolerance = 1e-14 * size + 1e-15 * scale;
    near(Math.max(...heights), h, tolerance, 'slack above');
    near(Math.min(...heights), -h, tolerance, 'slack below');
  }
});

property('[R6.5.1-4] the merged box holds samples of both', 10_000, (rng) => {
  const { points, size, scale } = cloud(rng, 2);
  const a = randomObb(rng, points[0]!, size);
  const b = rng.chance(0.1) ? { ...a } : randomObb(rng, points[1]!, size * rng.pick([1, 1e-3]));
  const both = mergeObb(a, b);
  for (let i = 0; i < 2; i++) {
    check(holds(both, sampleOf(rng, a)), 'leaves a point of a out');
    check(holds(both, sampleOf(rng, b)), 'leaves a point of b out');
  }
  check(volumeObb(both) >= volumeObb(a) && areaObb(both) >= areaObb(b), 'smaller than a part');
  // Every side is reached by a corner of one of them.
  const corners = [...cornersObb(a), ...cornersObb(b)];
  for (let k = 0; k < 3; k++) {
    let most = 0;
    for (let i = 0; i < 48; i += 3) {
      const p = vec3(corners[i], corners[i + 1], corners[i + 2]);
      most = Math.max(most, Math.abs(v3.dot(v3.sub(p, both.center), axis(both, k))));
    }
    const h = [both.halfSize.x, both.halfSize.y, both.halfSize.z][k]!;
    near(h, most, 1e-13 * size + 1e-14 * scale, 'tight');
  }
});

property(
  '[R6.5.1-4] merging does not depend on the sign of a quaternion, nor on the order',
  10_000,
  (rng) => {
    const { points, size, scale } = cloud(rng, 2);
    const [qa, qb] = [rng.rotation(), rng.rotation()];
    const minus = { x: -qb.x, y: -qb.y, z: -qb.z, w: -qb.w };
    const a = { center: points[0]!, halfSize: vec3(size, 0.5 * size, 0.1 * size), rotation: fromQuat(qa) };
    const b = { center: points[1]!, halfSize: vec3(0.3 * size, size, 0), rotation: fromQuat(qb) };
    const plus = mergeObb(a, b);
    const other = mergeObb(a, { ...b, rotation: fromQuat(minus) });
    check(JSON.stringify(plus) === JSON.stringify(other), 'q and -q differ');
    // Half a turn apart there are two ways to be halfway.
    const cosine = Math.abs(qa.x * qb.x + qa.y * qb.y + qa.z * qb.z + qa.w * qb.w);
    if (cosine > 1e-6)
      near(volumeObb(mergeObb(b, a)), volumeObb(plus), 1e-7 * volumeObb(plus) + 1e-12 * scale ** 3, 'order');
  },
);

test('[R6.5.1-4] a box merged with itself is itself, and the result may be an input', () => {
  const box = {
    center: vec3(1, 2, 3),
    halfSize: vec3(1, 2, 3),
    rotation: fromQuat({ x: 0.6, y: 0, z: 0, w: 0.8 }),
  };
  const both = mergeObb(box, box);
  for (const k of ['x', 'y', 'z'] as const) {
    expect(both.center[k]).toBeCloseTo(box.center[k], 12);
    expect(both.halfSize[k]).toBeCloseTo(box.halfSize[k], 12);
  }
  const other = { center: vec3(5, 0, 0), halfSize: vec3(1, 1, 1), rotation: mat3() };
  const wanted = mergeObb(box, other);
  expect(mergeObb(box, other, other)).toEqual(wanted);
  const cube = (x: number) => ({ center: vec3(x), halfSize: vec3(1, 1, 1), rotation: mat3() });
  const along = mergeObb(cube(-5), cube(5));
  expect(along.center.x).toBeCloseTo(0, 12);
  expect(along.halfSize.x).toBeCloseTo(6, 12);
  expect(along.halfSize.y).toBeCloseTo(1, 12);
});

property('[R4.4] the posed box holds the posed points of the box', 10_000, (rng) => {
  const { points, size, scale } = cloud(rng, 1);
  const box = randomObb(rng, points[0]!, size);
  const quaternion = rng.rotation();
  // Quaternions that have drifted off the unit sphere, too.
  const drift = rng.pick([0, 0, 1e-9, 1e-6]) * rng.sign();
  for (const k of ['x', 'y', 'z', 'w'] as const) quaternion[k] *= 1 + drift;
  const position = rng.pick([rng.vec(1), rng.vec(1e6), vec3(), v3.negate(v3.rotate(box.center, quaternion))]);
  const moved = transformObb(box, { position, quaternion });
  const p = sampleOf(rng, box);
  const v = qv(quaternion);
  const turn = exact.vcross(v, p);
  const turned = vadd(vscale(turn, q(2 * quaternion.w)), vscale(exact.vcross(v, turn), q(2)));
  check(holds(moved, vadd(vadd(p, turned), qv(position))), 'leaves a point out');
  const reach = scale + size + Math.max(Math.abs(position.x), Math.abs(position.y), Math.abs(position.z));
  near(moved.halfSize.x, box.halfSize.x, 1e-13 * reach + 40 * Math.abs(drift) * size, 'tight');
});

property('[R4.4] the side of a plane is never wrong', 10_000, (rng) => {
  const { points, size, scale } = cloud(rng, 2);
  const box = randomObb(rng, points[0]!, size);
  const normal = rng.chance(0.3) ? axis(box, rng.int(0, 2)) : rng.vec(rng.pick([1, 1e3]));
  const p = sampleOf(rng, box);
  const d = rng.pick([exact.toNumber(vdot(qv(normal), p)), v3.dot(normal, points[1]!)]);
  const side = sideObbPlane(box, { normal, d });
  const height = sign(sub(vdot(qv(normal), p), q(d)));
  if (side > 0) check(height > 0, 'said to be in front');
  if (side < 0) check(height < 0, 'said to be behind');
  // Clear of it by more than the reach of the box: says so.
  const reach = 1.8 * v3.length(normal) * size + 1e-12 * scale * v3.length(normal);
  const middle = v3.dot(normal, box.center);
  if (v3.length(normal) > 0) {
    check(sideObbPlane(box, { normal, d: middle - reach }) === 1, 'in front');
    check(sideObbPlane(box, { normal, d: middle + reach }) === -1, 'behind');
  }
});

property('the corners are where the axes say', 10_000, (rng) => {
  const { points, size, scale } = cloud(rng, 1);
  const box = randomObb(rng, points[0]!, size);
  const corners = cornersObb(box);
  const i = rng.int(0, 7);
  const d = v3.sub(vec3(corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]), box.center);
  const tolerance = 1e-14 * size + 1e-15 * scale;
  near(v3.dot(d, axis(box, 0)), i & 1 ? box.halfSize.x : -box.halfSize.x, tolerance);
  near(v3.dot(d, axis(box, 1)), i & 2 ? box.halfSize.y : -box.halfSize.y, tolerance);
  near(v3.dot(d, axis(box, 2)), i & 4 ? box.halfSize.z : -box.halfSize.z, tolerance);
});

test('area and volume', () => {
  const box = { center: vec3(), halfSize: vec3(1, 2, 3), rotation: mat3() };
  expect(areaObb(box)).toBe(88);
  expect(volumeObb(box)).toBe(48);
});

test('bad boxes are refused by name', () => {
  const box = { center: vec3(), halfSize: vec3(1, -2, 3), rotation: mat3() };
  expect(() => containsPointObb(vec3(), box)).toThrow(/box\.halfSize\.y must not be negative/);
  expect(() => mergeObb(makeObb(), { ...box, center: vec3(0, Number.NaN) })).toThrow(/b\.center\.y/);
});
