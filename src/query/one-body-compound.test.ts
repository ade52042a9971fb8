import { expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import {
  pointOf,
  posed,
  randomPose,
  randomSubject,
  SUBJECTS,
  type Subject,
} from '../../tests/kit/one-body.ts';
import { boxSolid } from '../../tests/kit/solids.ts';
import type { Pose, ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { box, collider, compound, type SimpleShape, sphere } from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { closestPoint } from './closest-point.ts';
import { contains } from './contains.ts';
import { raycast } from './raycast.ts';
import { signedDistance } from './signed-distance.ts';

const size = ({ x, y, z }: ReadonlyVec3) => Math.hypot(x, y, z);
const { positions, index } = boxSolid();
const cube = mesh(positions, index);

interface Crowd {
  readonly parts: { shape: SimpleShape; pose: Pose }[];
  readonly subjects: (Subject | null)[];
}

/** Shapes of all kinds around the origin, some of them meshes, some in the same place. */
function crowd(rng: Rng): Crowd {
  const parts: Crowd['parts'] = [];
  const subjects: Crowd['subjects'] = [];
  const count = rng.pick([1, 2, 3, 12, 40]);
  for (let i = 0; i < count; i++) {
    const subject = rng.chance(0.15) ? null : randomSubject(rng, rng.pick(SUBJECTS));
    const q = rng.rotation();
    const pose = { position: rng.vec(rng.pick([0, 2, 6])), quaternion: q };
    parts.push({ shape: subject ? (subject.shape as SimpleShape) : cube, pose });
    subjects.push(subject);
  }
  return { parts, subjects };
}

property('the answer of a compound is the best of its children', 100, (rng) => {
  const { parts, subjects } = crowd(rng);
  const whole = compound(parts);
  // What is known by its support map alone is hit a little early.
  const error = subjects.some((s) => s?.name.startsWith('convex')) ? 1e-8 : 1e-12;
  const bodies = parts.map(({ shape, pose }) => collider(shape, pose));
  for (let i = 0; i < 40; i++) {
    const k = rng.int(0, parts.length - 1);
    const subject = subjects[k]!;
    const { position, quaternion } = parts[k]!.pose;
    const aim = subject ? posed(subject, position, quaternion).toWorld(pointOf(rng, subject)) : position;
    const origin = rng.chance(0.2) ? aim : rng.vec(8);
    const direction = rng.chance(0.3)
      ? rng.direction()
      : vec3(aim.x - origin.x, aim.y - origin.y, aim.z - origin.z);
    const tMax = rng.pick([Infinity, 0.9, 2]);
    const hit = raycast({ origin, direction }, whole, { maxDistance: tMax });
    const hits = bodies.map((body) => raycast({ origin, direction }, body, { maxDistance: tMax }));
    const first = Math.min(...hits.map((h) => h?.t ?? Infinity));
    // At a rim, and at the end of the range, a rounding decides; so what a child alone says may differ at such places.
    const clear = hits.every((h) => !h || h.t === 0 || h.t < tMax * (1 - 1e-9));
    if (!hit) check(first === Infinity || !clear || hits.every((h) => !h || isThin(subjects)), 'missed');
    else {
      near(hit.t, first, error * (1 + 20 / (size(direction) || 1)), 't');
      const own = hits[hit.part.child];
      check(!!own, 'child');
      near(own!.t, hit.t, error * (1 + 20 / (size(direction) || 1)), 't of the child');
      // A start inside of a closed mesh is at no triangle.
      if (hit.t > 0) check(hit.part.triangle >= 0 === (subjects[hit.part.child] === null), 'triangle');
      else check(hit.part.triangle === own!.part.triangle, 'triangle of the child');
    }
    check(
      raycast({ origin, direction }, whole, { mode: 'any', maxDistance: tMax }) === (hit !== null),
      'any',
    );

    const p = rng.chance(0.3) ? aim : rng.vec(8);
    const found = closestPoint(p, whole);
    const all = bodies.map((body) => closestPoint(p, body));
    near(found.distance, Math.min(...all.map((c) => c.distance)), 1e-13, 'distance');
    near(all[found.part.child]!.distance, found.distance, 1e-13, 'nearest child');
    near(
      size(vec3(found.point.x - p.x, found.point.y - p.y, found.point.z - p.z)),
      found.distance,
      1e-13,
      'point',
    );
    near(
      signedDistance(p, whole),
      Math.min(...bodies.map((body) => signedDistance(p, body))),
      1e-13,
      'signed',
    );
    const any = bodies.some((body) => contains(p, body));
    if (Math.abs(signedDistance(p, whole)) > 1e-13) check(contains(p, whole) === any, 'contains');
  }
});

/** Are there children without thickness, which are hit or missed by rounding? */
const isThin = (subjects: Crowd['subjects']) => subjects.some((s) => s?.flat);

property('a compound can be turned with its question', 200, (rng) => {
  const { parts } = crowd(rng);
  const whole = compound(parts);
  const { position, quaternion } = randomPose(rng);
  const place = posed(
    { name: 'compound', shape: whole, level: () => 0, points: [], flat: false, size: 10 },
    position,
    quaternion,
  );
  const p = rng.vec(8);
  const there = closestPoint(place.toWorld(p), place.body);
  const here = closestPoint(p, whole);
  near(there.distance, here.distance, 1e-14 * (place.scale + 10), 'distance');
  near(
    size(
      vec3(
        place.toOwn(there.point).x - p.x,
        place.toOwn(there.point).y - p.y,
        place.toOwn(there.point).z - p.z,
      ),
    ),
    here.distance,
    1e-13 * (place.scale + 10),
    'point',
  );
  const d = rng.direction();
  const end = place.toWorld(vec3(p.x + d.x, p.y + d.y, p.z + d.z));
  const origin = place.toWorld(p);
  const a = raycast({ origin: p, direction: d }, whole);
  const b = raycast(
    {
      origin,
      direction: vec3(end.x - origin.x, end.y - origin.y, end.z - origin.z),
    },
    place.body,
  );
  const steep = a ? -(a.normal.x * d.x + a.normal.y * d.y + a.normal.z * d.z) : 0;
  if (a && b && a.t > 0 && steep > 0.3 && a.part.child === b.part.child)
    near(b.t, a.t, 1e-8 * (place.scale + 10), 't');
});

test('the number of the child, and of its triangle', () => {
  const at = (x: number) => ({ position: vec3(x), quaternion: { x: 0, y: 0, z: 0, w: 1 } });
  const whole = compound([
    { shape: sphere(1), pose: at(-5) },
    { shape: cube, pose: at(0) },
    { shape: box(1, 1, 1), pose: at(5) },
  ]);
  const ray = { origin: vec3(-20, 0.25, 0.5), direction: vec3(1, 0, 0) };
  expect(raycast(ray, whole)!.part).toEqual({ child: 0, triangle: -1 });
  ray.origin.x = -3;
  const hit = raycast(ray, whole)!;
  expect([hit.t, hit.part.child, hit.part.triangle >= 0]).toEqual([2, 1, true]);
  expect(hit.normal).toEqual(vec3(-1, 0, 0));
  expect(closestPoint(vec3(8, 0, 0), whole)).toEqual({
    point: vec3(6),
    distance: 2,
    part: { child: 2, triangle: -1 },
  });
  expect(contains(vec3(0.5, 0, 0), whole)).toBe(true);
  expect(contains(vec3(3, 0, 0), whole)).toBe(false);
  expect(signedDistance(vec3(0.5, 0, 0), whole)).toBe(-0.5);
});

test('more children than one stack holds', () => {
  const parts = Array.from({ length: 2000 }, (_, i) => ({
    shape: sphere(0.3),
    pose: { position: vec3(i % 50, Math.floor(i / 50)), quaternion: { x: 0, y: 0, z: 0, w: 1 } },
  }));
  const whole = compound(parts);
  const hit = raycast({ origin: vec3(-5, 7, 0), direction: vec3(1, 0, 0) }, whole)!;
  expect([hit.part.child, hit.t]).toEqual([350, 4.7]);
  expect(closestPoint(vec3(20.1, 30.2, 9), whole).part.child).toBe(1520);
});
