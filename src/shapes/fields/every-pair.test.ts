/**
 * Every kind of field with every kind of shape, in every query, both ways round: against points of both bodies, which are drawn and
 * moved at random (`tests/kit/plain-bodies.ts`). `GRAZE_CASES=27` goes through all pairs once.
 */
import { expect, test } from 'vitest';
import { EVERY_SHAPE } from '../../../tests/kit/every-shape.ts';
import { check, near, property, type Rng } from '../../../tests/kit/index.ts';
import { icosphere } from '../../../tests/kit/meshes.ts';
import {
  deepestOf,
  drawPoints,
  leastBetween,
  type PlainBody,
  type PosedBody,
  plainShape,
  plainSolid,
  valueAt,
} from '../../../tests/kit/plain-bodies.ts';
import { Character } from '../../character/character.ts';
import * as q4 from '../../math/quat.ts';
import { type ReadonlyPose, type ReadonlyVec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { cast } from '../../query/cast.ts';
import { closestPoint } from '../../query/closest-point.ts';
import { contacts } from '../../query/contacts.ts';
import { contains } from '../../query/contains.ts';
import { distance } from '../../query/distance.ts';
import { intersects } from '../../query/intersects.ts';
import { raycast } from '../../query/raycast.ts';
import { World } from '../../world/world.ts';
import { type Collider, collider } from '../collider.ts';
import { box } from '../flat-sided-shapes.ts';
import { mesh } from '../mesh.ts';
import { parametric } from '../parametric.ts';
import { sphere } from '../round-shapes.ts';
import { scaled } from '../scale.ts';
import { solid } from '../solid.ts';
import { soup } from '../soup.ts';
import { csg } from './csg.ts';
import { levelSet, levelSetDistance } from './level-set/level-set.ts';
import { sdf } from './sdf.ts';

const bounds = { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) };
const ring = ({ x, y, z }: ReadonlyVec3): number => {
  const out = Math.hypot(x, z) - 0.6;
  return Math.hypot(out, y) - 0.25;
};
const ball = (p: ReadonlyVec3): number => v3.length(p) - 0.7;
/** From a box about a point. */
const block = ({ x, y, z }: ReadonlyVec3, halfSize: ReadonlyVec3): number => {
  const [dx, dy, dz] = [Math.abs(x) - halfSize.x, Math.abs(y) - halfSize.y, Math.abs(z) - halfSize.z];
  return Math.max(dx, dy, dz) <= 0
    ? Math.max(dx, dy, dz)
    : Math.hypot(Math.max(0, dx), Math.max(0, dy), Math.max(0, dz));
};
const half = vec3(0.5, 0.4, 0.3);
const hole = vec3(0.2, 2, 0.2);
const drilled = {
  shape: box(0.2, 2, 0.2),
  pose: { position: vec3(0.3), quaternion: { x: 0, y: 0, z: 0, w: 1 } },
};
const inHole = (p: ReadonlyVec3): number => block(v3.sub(p, vec3(0.3)), hole);
const fine = icosphere(2);
const baked = levelSet(mesh(fine.positions, fine.index), { spacing: 0.15 });
const wave = (x: number, z: number): number => 0.2 * Math.sin(2.5 * (x + 1)) * Math.cos(1.5 * (z + 1));
const sheetPoint = ({ x, z }: ReadonlyVec3) => {
  const [u, v] = [Math.min(1, Math.max(-1, x)), Math.min(1, Math.max(-1, z))];
  return vec3(u, wave(u, v), v);
};

const FIELDS: Record<string, PlainBody> = {
  'exact sdf': plainSolid(sdf(ring, bounds, { exact: true }), 1e-6, ring),
  sdf: plainSolid(
    sdf((p) => 0.6 * ball(p), bounds),
    1e-6,
    ball,
  ),
  csg: plainSolid(csg('difference', [sphere(0.8), drilled]), 1e-4, (p) =>
    Math.max(v3.length(p) - 0.8, -inHole(p)),
  ),
  'level set': plainSolid(baked, 1e-4, (p) => levelSetDistance(p, baked)),
  'csg of a level set': plainSolid(csg('difference', [baked, drilled]), 1e-4, (p) =>
    Math.max(levelSetDistance(p, baked), -inHole(p)),
  ),
  'scaled level set': plainSolid(
    scaled(baked, vec3(0.7, 1, 0.8)),
    1e-4,
    ({ x, y, z }) => 0.7 * levelSetDistance(vec3(x / 0.7, y, z / 0.8), baked),
  ),
  parametric: plainSolid(
    parametric(
      (u, v, out) =>
        v3.set(0.7 * Math.sin(u) * Math.cos(v), 0.7 * Math.cos(u), 0.7 * Math.sin(u) * Math.sin(v), out),
      { u: [0, Math.PI], v: [0, 2 * Math.PI], closed: true },
    ),
    1e-6,
    ball,
  ),
  'a sheet': {
    shape: parametric((u, v, out) => v3.set(2 * u - 1, wave(2 * u - 1, 2 * v - 1), 2 * v - 1, out), {
      rounding: 1e-4,
    }),
    accuracy: 1e-3,
    value: (p) => Math.max(0, v3.distance(p, sheetPoint(p)) / 1.3 - 1e-4),
    near: sheetPoint,
  },
  'a solid by distances': plainSolid(solid({ bounds, signedDistance: ring }), 1e-4, ring),
  'a solid by boxes': plainSolid(
    solid({
      bounds: { min: v3.negate(half), max: half },
      box: ({ center, halfSize }) => {
        const d = v3.sub(v3.sub(v3.abs(center), half), halfSize);
        return Math.max(d.x, d.y, d.z) <= 0;
      },
    }),
    1e-3,
    (p) => block(p, half),
  ),
};
const house = [
  [vec3(-1, 0, 0), vec3(1, 0, 0), vec3(1, 1, 0), vec3(0, 1.5, 0), vec3(-1, 1, 0)],
  [vec3(-1, 0, 1), vec3(1, 0, 1), vec3(1, 1, 1), vec3(0, 0.5, 1), vec3(-1, 1, 1)],
];
const OTHERS: Record<string, PlainBody> = {
  ...Object.fromEntries(Object.entries(EVERY_SHAPE).map(([name, shape]) => [name, plainShape(shape)])),
  soup: plainShape(soup(house)),
  ...FIELDS,
};
const PAIRS = Object.entries(FIELDS).flatMap(([a, one]) =>
  Object.entries(OTHERS).map(([b, other]) => ({
    name: `${a} and ${b}`,
    one,
    other,
  })),
);

const put = (body: PlainBody, points: PosedBody['points'], pose: ReadonlyPose): PosedBody => ({
  body,
  pose,
  points,
});
const colliderOf = ({ body, pose }: PosedBody): Collider => collider(body.shape, pose);
const poseAt = (
  { position, quaternion }: ReadonlyPose,
  linear: ReadonlyVec3,
  angular: ReadonlyVec3,
  t: number,
) => {
  const angle = t * v3.length(angular);
  const turn = v3.scale(angular, angle > 0 ? (t * Math.sin(angle / 2)) / angle : 0);
  return {
    position: v3.addScaled(position, linear, t),
    quaternion: q4.multiply({ x: turn.x, y: turn.y, z: turn.z, w: Math.cos(angle / 2) }, quaternion),
  };
};

/** Distances, overlap, contacts. */
function checkApart(a: PosedBody, b: PosedBody, rng: Rng): void {
  const off = a.body.accuracy + b.body.accuracy + 1e-9;
  const [one, two] = [colliderOf(a), colliderOf(b)];
  const least = leastBetween(a, b, rng);
  const deep = deepestOf(a, b);
  for (const isBack of [false, true]) {
    const [first, second] = isBack ? [b, a] : [a, b];
    const found = isBack ? distance(two, one)! : distance(one, two)!;
    const { separation, pointA, pointB, normal } = found;
    check(separation <= least + off, () => `${separation} apart, but two points are ${least}`);
    if (deep > 0.02) check(separation < 0, () => `${separation} apart, but a point is ${deep} deep`);
    near(v3.length(normal), 1, 1e-9, 'length of the normal');
    const overlap = isBack ? intersects(two, one) : intersects(one, two);
    if (Math.abs(separation) > off) check(overlap === separation < 0, () => `intersects at ${separation}`);
    near(v3.distance(pointA, pointB), Math.abs(separation), off, 'from point to point');
    if (separation > off) {
      near(valueAt(first, pointA), 0, 4 * off, 'a point on the first');
      near(valueAt(second, pointB), 0, 4 * off, 'a point on the second');
      if (separation > 100 * off) {
        const between = v3.scale(v3.sub(pointA, pointB), 1 / separation);
        near(v3.distance(normal, between), 0, 0.02, 'the normal, along the points');
      }
    } else if (separation < -off) {
      check(least <= 1e-2, () => `${-separation} deep, but no two points are nearer than ${least}`);
      // Moved so far, they are parted.
      const position = v3.addScaled(first.pose.position, normal, -separation + off);
      const parted = put(first.body, first.points, { ...first.pose, position });
      const left = deepestOf(parted, second);
      check(left <= 4 * off, () => `still ${left} deep`);
    }
    const margin = Math.max(0, separation) + 0.05;
    const touching = contacts(colliderOf(first), colliderOf(second), {
      margin,
    });
    check(touching.length > 0, () => 'no contacts');
    for (const contact of touching) {
      check(contact.separation <= margin + off, () => `a contact is ${contact.separation} away`);
      near(v3.length(contact.normal), 1, 1e-9, 'length of the normal of a contact');
    }
  }
}

/** A translation, a rotation, and both: not late, and in touch where it stops. */
function checkCasts(a: PosedBody, b: PosedBody): void {
  const off = a.body.accuracy + b.body.accuracy + 1e-9;
  const linear = v3.scale(v3.sub(b.pose.position, a.pose.position), 1.5);
  const angular = vec3(0.6, 0.9, -0.7);
  const still = vec3();
  for (const [motion, by, turn] of [
    [{ translation: linear }, linear, still],
    [{ axis: v3.normalize(angular), angle: v3.length(angular) }, still, angular],
    [{ linear, angular, duration: 1 }, linear, angular],
  ] as const)
    for (const [first, second] of [
      [a, b],
      [b, a],
    ] as const) {
      const sign = first === a ? 1 : -1;
      const [one, two] = [colliderOf(first), colliderOf(second)];
      // The other one moves the opposite way.
      const moves =
        sign > 0
          ? motion
          : 'translation' in motion
            ? { translation: v3.negate(linear) }
            : 'axis' in motion
              ? motion
              : { ...motion, linear: v3.negate(linear) };
      const hit = cast(one, moves, two);
      const speed = v3.length(by) + 2.5 * v3.length(turn);
      if (hit && hit.t * speed <= off) {
        const isStopped = intersects(one, two) || distance(one, two)!.separation <= 2 * off;
        check(isStopped, () => `stopped at once, ${distance(one, two)!.separation} apart`);
        continue;
      }
      const end = hit?.t ?? 1;
      const at = (t: number): PosedBody =>
        put(first.body, first.points, poseAt(first.pose, v3.scale(by, sign), turn, t));
      for (const part of [0.25, 0.5, 0.75, 0.9, 0.97, 1]) {
        const deep = deepestOf(at(part * end), second);
        check(
          deep <= 4 * off,
          () => `late: ${deep} deep at ${part} of ${hit ? hit.t : 'a motion without a hit'}`,
        );
      }
      if (!hit) continue;
      near(v3.length(hit.normal), 1, 1e-9, 'length of the normal of a hit');
      check(hit.t > 0 && hit.t <= 1, () => `t is ${hit.t}`);
      // What glides along may be stopped early, where it is so near.
      const early = 20 * off + 1e-6 * speed + (off < 1e-5 ? 0 : 1e-2);
      check(
        valueAt(at(hit.t), hit.point) <= early,
        () => `${valueAt(at(hit.t), hit.point)} from the mover at ${hit.t}`,
      );
      check(
        valueAt(second, hit.point) <= early,
        () => `${valueAt(second, hit.point)} from the target at ${hit.t}`,
      );
    }
}

property(
  '[G1] every kind of field with every shape: distances, contacts and casts, both ways round',
  12,
  (rng, index) => {
    const { name, one, other } = PAIRS[((index + 102) * 97) % PAIRS.length]!;
    try {
      const a = put(one, drawPoints(one, rng, 150), {
        position: rng.vec(1.6),
        quaternion: rng.rotation(),
      });
      const b = put(other, drawPoints(other, rng, 150), {
        position: rng.vec(0.2),
        quaternion: rng.rotation(),
      });
      checkApart(a, b, rng);
      checkCasts(a, b);
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  },
);

property('[G1] every kind of field: rays, closest points, what it contains', 200, (rng, index) => {
  const [name, { shape, accuracy, value, near: nearOf }] =
    Object.entries(FIELDS)[index % Object.keys(FIELDS).length]!;
  const off = accuracy + 1e-9;
  const p = rng.vec(1.5);
  const inside = value(p);
  if (Math.abs(inside) > 2 * off)
    check(contains(p, shape) === inside < 0, () => `${name}: contains, at ${inside}`);
  const { point, distance: away } = closestPoint(p, shape);
  near(v3.distance(p, point), away, off, `${name}: how far the closest point is`);
  check(value(point) <= 4 * off, () => `${name}: the closest point is ${value(point)} off`);
  for (let i = 0; i < 100; i++) {
    const q = nearOf(rng.vec(1));
    if (q)
      check(
        away <= v3.distance(p, q) + off,
        () => `${name}: ${away} away, but a point is ${v3.distance(p, q)}`,
      );
  }
  const origin = v3.scale(rng.direction(), 3);
  const ray = { origin, direction: v3.sub(rng.vec(0.7), origin) };
  const hit = raycast(ray, shape);
  if (hit) {
    check(Math.abs(value(hit.point)) <= 2 * off, () => `${name}: a ray stops ${value(hit.point)} from it`);
    near(v3.length(hit.normal), 1, 1e-9, `${name}: the normal where a ray stops`);
    check(
      v3.dot(hit.normal, ray.direction) <= 1e-3 * v3.length(ray.direction),
      () => `${name}: a ray stops at its back`,
    );
  }
  const end = hit ? hit.t : 2;
  for (let i = 0; i < 200; i++) {
    const t = (end * i) / 200;
    const there = value(v3.addScaled(ray.origin, ray.direction, t));
    check(there >= -2 * off, () => `${name}: a ray is ${-there} deep at ${t} of ${end}`);
  }
});

test('[G1] every kind of field in a world, and under a character', () => {
  for (const [name, { shape, value }] of Object.entries(FIELDS)) {
    const world = new World();
    const id = world.add(shape);
    const beside = vec3(
      name.includes('ring') || name === 'exact sdf' || name === 'a solid by distances' ? 0.6 : -0.3,
    );
    const hit = world.raycast({
      origin: vec3(beside.x, 3, 0.05),
      direction: vec3(0, -1),
    });
    expect(hit?.id, name).toBe(id);
    expect(Math.abs(value(hit!.point)), name).toBeLessThan(3e-3);
    expect(
      world.overlaps(
        collider(sphere(0.2), {
          position: hit!.point,
          quaternion: { x: 0, y: 0, z: 0, w: 1 },
        }),
      ),
      name,
    ).toEqual([id]);
    const hero = new Character(world, {
      radius: 0.2,
      halfHeight: 0.2,
      position: v3.add(hit!.point, vec3(0, 0.6)),
    });
    for (let i = 0; i < 3; i++) {
      hero.velocity.y = -3;
      hero.moveAndSlide(1 / 30);
    }
    // It does not sink in, and came down.
    const low = v3.sub(hero.position, vec3(0, 0.2));
    expect(closestPoint(low, shape).distance, name).toBeGreaterThan(0.2 - 5e-3);
    expect(hero.position.y, name).toBeLessThan(hit!.point.y + 0.59);
  }
});
