/** Solids known by distances, against closed forms and against the same solids as other shapes. */
import { describe, expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../../tests/kit/index.ts';
import { icosphere } from '../../../tests/kit/meshes.ts';
import { Character } from '../../character/character.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { cast } from '../../query/cast.ts';
import { closestPoint } from '../../query/closest-point.ts';
import { contacts } from '../../query/contacts.ts';
import { contains } from '../../query/contains.ts';
import { distance } from '../../query/distance.ts';
import { intersects } from '../../query/intersects.ts';
import { raycast } from '../../query/raycast.ts';
import { signedDistance } from '../../query/signed-distance.ts';
import { World } from '../../world/world.ts';
import { collider } from '../collider.ts';
import { compound } from '../compound.ts';
import { box, hull, point as pointShape, triangle } from '../flat-sided-shapes.ts';
import { halfSpace } from '../half-space.ts';
import { massOf } from '../mass.ts';
import { mesh } from '../mesh.ts';
import { capsule, cone, cylinder, ellipsoid, sphere } from '../round-shapes.ts';
import { scaled } from '../scale.ts';
import type { Shape } from '../shape.ts';
import { csg } from './csg.ts';
import { sdf } from './sdf.ts';

const cube = (r: number) => ({ min: vec3(-r, -r, -r), max: vec3(r, r, r) });
const ball = (r: number, exact = true) => sdf((p) => v3.length(p) - r, cube(1.2 * r), { exact });
/** About the y axis: the distance is known, and its surface is neither convex nor simply connected. */
const torusDistance = ({ x, y, z }: ReadonlyVec3, ring: number, tube: number): number => {
  const out = Math.sqrt(x * x + z * z) - ring;
  return Math.sqrt(out * out + y * y) - tube;
};
const torus = sdf((p) => torusDistance(p, 1, 0.3), cube(1.4), { exact: true });

const point = (rng: Rng, r: number): Vec3 => vec3(rng.range(-r, r), rng.range(-r, r), rng.range(-r, r));
const posed = (rng: Rng, shape: Shape, r: number) =>
  collider(shape, { position: point(rng, r), quaternion: rng.rotation() });

/** Other shapes of many kinds, about as large as 1. */
const others: readonly ((rng: Rng) => Shape)[] = [
  (rng) => sphere(rng.range(0.1, 1)),
  (rng) => box(rng.range(0.1, 1), rng.range(0.1, 1), rng.range(0.1, 1)),
  (rng) => capsule(rng.range(0.1, 1), rng.range(0.1, 0.5)),
  (rng) => cone(rng.range(0.2, 1), rng.range(0.2, 1)),
  (rng) => cylinder(rng.range(0.2, 1), rng.range(0.2, 1)),
  (rng) => ellipsoid(rng.range(0.2, 1), rng.range(0.2, 1), rng.range(0.2, 1)),
  (rng) => hull(Array.from({ length: 8 }, () => point(rng, 0.7))),
  (rng) => triangle(point(rng, 1), point(rng, 1), point(rng, 1)),
  () => icosphereMesh,
  (rng) =>
    compound([
      { shape: sphere(0.3), pose: { position: point(rng, 0.6), quaternion: rng.rotation() } },
      { shape: box(0.3, 0.2, 0.4), pose: { position: point(rng, 0.6), quaternion: rng.rotation() } },
    ]),
];
const fine = icosphere(2);
const icosphereMesh = mesh(
  fine.positions.map((x) => 0.6 * x),
  fine.index,
);

describe('points and rays', () => {
  property('a torus: distance, closest point, inside, within 1e-9', 60, (rng) => {
    const p = point(rng, 2);
    const truth = torusDistance(p, 1, 0.3);
    check(contains(p, torus) === truth <= 0, () => 'contains');
    near(signedDistance(p, torus), truth, 1e-9, 'signed distance');
    const found = closestPoint(p, torus);
    near(found.distance, Math.max(0, truth), 1e-9, 'distance');
    near(v3.distance(found.point, p), found.distance, 1e-9, 'how far the point is');
    if (truth > 0) near(torusDistance(found.point, 1, 0.3), 0, 1e-9, 'on the surface');
  });

  property('rays hit a ball where the closed form says, with its normal', 400, (rng) => {
    const radius = rng.range(0.2, 3);
    const ray = { origin: point(rng, 6), direction: point(rng, 1) };
    const [mine, truth] = [raycast(ray, ball(radius)), raycast(ray, sphere(radius))];
    check(!mine === !truth, () => `${mine?.t} and ${truth?.t}`);
    if (!mine || !truth) return;
    near(mine.t * v3.length(ray.direction), truth.t * v3.length(ray.direction), 1e-7, 't');
    near(v3.distance(mine.point, truth.point), 0, 1e-7, 'point');
    // Near to where it grazes, a ray that is 1e-7 off meets another normal.
    const cosine = Math.abs(v3.dot(v3.normalize(ray.direction), truth.normal));
    near(v3.distance(mine.normal, truth.normal), 0, 1e-6 + 1e-7 / (radius * cosine), 'normal');
  });

  test('a ray goes through the hole of a torus, and hits all four surfaces across it', () => {
    expect(raycast({ origin: vec3(0.1, 5, 0.1), direction: vec3(0, -1) }, torus)).toBeNull();
    const hits = raycast({ origin: vec3(-5), direction: vec3(1) }, torus, { mode: 'all' });
    expect(hits.map(({ t }) => Math.round(1e6 * t) / 1e6)).toEqual([3.7, 4.3, 5.7, 6.3]);
    expect(hits.map(({ normal }) => Math.round(normal.x))).toEqual([-1, -1, -1, -1]);
  });
});

describe('pairs', () => {
  const twins: readonly [string, Shape, Shape][] = [
    ['a ball whose distance is exact', ball(0.8), sphere(0.8)],
    [
      'a ball known by a bound',
      sdf((p) => 0.7 * (v3.length(p) - 0.8), cube(1), { lipschitz: 0.8 }),
      sphere(0.8),
    ],
    ['a field that was scaled', scaled(ball(0.4), vec3(2, 2, 2)), sphere(0.8)],
  ];
  for (const [name, mine, twin] of twins) {
    property(`${name}: distances, overlaps and contacts as those of its twin`, 30, (rng) => {
      const other = posed(rng, rng.pick(others)(rng), 2);
      const truth = distance(twin, other)!.separation;
      if (Math.abs(truth) > 1e-9)
        check(intersects(mine, other) === truth < 0, () => `intersects at ${truth}`);
      if (!(truth > 1e-6)) return;
      for (const [found, flip] of [
        [distance(mine, other)!, 1],
        [distance(other, mine)!, -1],
      ] as const) {
        near(found.separation, truth, 1e-6, 'separation');
        const [a, b] = flip > 0 ? [found.pointA, found.pointB] : [found.pointB, found.pointA];
        near(v3.length(a), 0.8, 1e-6, 'a point of the ball');
        near(v3.distance(a, b), truth, 1e-6, 'how far the points are apart');
        near(signedDistance(b, other), 0, 1e-6, 'a point of the other');
        near(
          v3.distance(found.normal, v3.scale(v3.sub(a, b), flip / truth)),
          0,
          1e-4 + 1e-6 / truth,
          'normal',
        );
      }
    });

    property(`${name}: casts as those of its twin, never late`, 40, (rng) => {
      const other = posed(rng, rng.pick(others)(rng), 3);
      if (distance(twin, other)!.separation < 1e-3) return;
      const translation = v3.add(v3.scale(other.pose.position, 1.5), point(rng, 0.5));
      const truth = cast(twin, { translation }, other);
      const found = cast(mine, { translation }, other);
      const length = v3.length(translation);
      if (!truth) {
        // It may stop at what it passes by no more than the tolerance.
        if (found)
          near(
            distance(collider(twin, at(v3.scale(translation, found.t))), other)!.separation,
            0,
            1e-4,
            'gap',
          );
        return;
      }
      check(found !== null, () => `missed at ${truth.t}`);
      check((found!.t - truth.t) * length <= 1e-6, () => `late by ${(found!.t - truth.t) * length}`);
      check((truth.t - found!.t) * length <= 1e-4, () => `early by ${(truth.t - found!.t) * length}`);
      near(v3.distance(found!.point, v3.scale(translation, found!.t)), 0.8, 1e-5, 'a point of the ball');
      near(signedDistance(found!.point, other), 0, 1e-5, 'a point of the other');
      near(
        v3.distance(found!.normal, v3.normalize(v3.sub(v3.scale(translation, found!.t), found!.point))),
        0,
        1e-4,
        'normal',
      );
      const back = cast(other, { translation: v3.scale(translation, -1) }, mine);
      check(back !== null, () => 'missed the other way round');
      near(back!.t * length, found!.t * length, 1e-6, 't the other way round');
      near(v3.distance(back!.normal, v3.scale(found!.normal, -1)), 0, 1e-4, 'normal the other way round');
    });
  }

  property('two fields: balls and tori', 20, (rng) => {
    const a = ball(rng.range(0.3, 1));
    const b = collider(torus, { position: point(rng, 2.5), quaternion: rng.rotation() });
    const r = a.bounds.max.x / 1.2;
    const local = v3.rotate(v3.scale(b.pose.position, -1), { ...b.pose.quaternion, w: -b.pose.quaternion.w });
    const truth = torusDistance(local, 1, 0.3) - r;
    if (Math.abs(truth) > 1e-9) check(intersects(a, b) === truth < 0, () => `intersects at ${truth}`);
    if (truth < 1e-3) return;
    near(distance(a, b)!.separation, truth, 1e-6, 'a to b');
    near(distance(b, a)!.separation, truth, 1e-6, 'b to a');
  });

  property('a half-space', 30, (rng) => {
    const normal = v3.normalize(point(rng, 1));
    const d = rng.range(-3, 1);
    const truth = -d - 0.8;
    const found = distance(ball(0.8), halfSpace(normal, d))!;
    near(found.separation, truth, 1e-9, 'separation, also of the depth');
    near(v3.distance(found.normal, normal), 0, 1e-6, 'normal');
    if (truth < 0.1) return;
    const hit = cast(ball(0.8), { translation: v3.scale(normal, -2 * truth) }, halfSpace(normal, d));
    near(hit!.t, 0.5, 1e-9, 'when');
  });
});

describe('[G6] nothing between the samples is missed', () => {
  /** A needle in a large box, far thinner than the cubes that the search begins with. */
  const needle = (radius: number) =>
    sdf(
      ({ x, y, z }) => {
        const out = y - Math.max(-0.8, Math.min(0.8, y));
        return Math.sqrt(x * x + out * out + z * z) - radius;
      },
      cube(4),
      { exact: true },
    );

  property('casts of small bodies across a needle', 40, (rng) => {
    const radius = 10 ** rng.range(-4, -1);
    const mover = sphere(10 ** rng.range(-3, -1));
    // From afar to the far side, past a point of the needle.
    const through = vec3(rng.range(-0.02, 0.02), rng.range(-0.9, 0.9), rng.range(-0.02, 0.02));
    const direction = v3.normalize(point(rng, 1));
    const from = at(v3.addScaled(through, direction, -6));
    const translation = v3.scale(direction, 12);
    const truth = cast(collider(mover, from), { translation }, capsule(0.8, radius));
    const found = cast(collider(mover, from), { translation }, needle(radius));
    if (truth) {
      check(found !== null, () => `went through at ${truth.t}`);
      check((found!.t - truth.t) * 12 <= 1e-6, () => `late by ${12 * (found!.t - truth.t)}`);
      check((truth.t - found!.t) * 12 <= 1e-3, () => `early by ${12 * (truth.t - found!.t)}`);
    } else if (found) {
      const there = v3.addScaled(from.position, translation, found.t);
      near(distance(collider(mover, at(there)), capsule(0.8, radius))!.separation, 0, 1e-3, 'stopped beside');
    }
  });

  property('a small body that goes far meets what is thin', 40, (rng) => {
    const radius = rng.range(0.02, 0.1);
    const direction = rng.direction();
    const far = rng.range(5, 200);
    const n = v3.normalize(v3.add(direction, point(rng, 0.3)));
    const [u, v] = [v3.perpendicular(n), v3.cross(n, v3.perpendicular(n))];
    const sheet = collider(
      triangle(v3.scale(u, 9), v3.addScaled(v3.scale(u, -9), v, 9), v3.addScaled(v3.scale(u, -9), v, -9)),
      at(v3.scale(direction, far)),
    );
    const translation = v3.scale(direction, 2 * far);
    const [found, truth] = [
      cast(ball(radius), { translation }, sheet),
      cast(sphere(radius), { translation }, sheet)!,
    ];
    check(found !== null, () => `went through at ${truth.t}`);
    near(2 * far * (found!.t - truth.t), 0, 1e-9 * far, 'when');
  });

  property('of two bumps that are close, the one that is nearer', 60, (rng) => {
    const r = rng.range(0.06, 0.12);
    const places = [point(rng, 0.12), point(rng, 0.12)];
    const bumps = sdf((p) => Math.min(...places.map((q) => v3.distance(p, q))) - r, cube(1), { exact: true });
    const twin = compound(places.map((position) => ({ shape: sphere(r), pose: at(position) })));
    const floor = halfSpace(v3.normalize(point(rng, 1)), -0.5);
    near(distance(bumps, floor)!.separation, distance(twin, floor)!.separation, 1e-9, 'separation');
    const translation = v3.scale(floor.normal, -1);
    near(cast(bumps, { translation }, floor)!.t, cast(twin, { translation }, floor)!.t, 1e-9, 't');
  });

  property('a point is in it, or not, as contains says', 60, (rng) => {
    const p = point(rng, 1);
    check(intersects(collider(pointShape(), at(p)), torus) === contains(p, torus), () => 'of a torus');
    check(intersects(ball(0.7), collider(pointShape(), at(p))) === v3.length(p) <= 0.7, () => 'of a ball');
  });

  test('a compound with a field among its children: rays, distances, casts, depths', () => {
    const both = compound([
      { shape: ball(0.5), pose: at(vec3(-1)) },
      { shape: box(0.3, 0.3, 0.3), pose: at(vec3(1)) },
    ]);
    expect(distance(both, collider(sphere(0.2), at(vec3(-3))))!.separation).toBeCloseTo(1.3, 9);
    expect(raycast({ origin: vec3(-5), direction: vec3(1) }, both)!.t).toBeCloseTo(3.5, 9);
    const hit = cast(both, { translation: vec3(-4) }, collider(sphere(0.2), at(vec3(-3))))!;
    expect(hit.t).toBeCloseTo(1.3 / 4, 9);
    expect(hit.moverPart.child).toBe(0);
    const deep = distance(both, collider(sphere(0.2), at(vec3(-1.4))))!;
    expect(deep.separation).toBeCloseTo(-0.3, 3);
    const moved = collider(both, at(v3.scale(deep.normal, -deep.separation + 1e-4)));
    expect(intersects(moved, collider(sphere(0.2), at(vec3(-1.4))))).toBe(false);
  });
});

describe('rotations', () => {
  /** The exact distance from a capsule along the x axis. */
  const rod = sdf(
    ({ x, y, z }) => {
      const out = x - Math.max(-1, Math.min(1, x));
      return Math.sqrt(out * out + y * y + z * z) - 0.1;
    },
    cube(1.2),
    { exact: true },
  );

  property('[G5] a rod that spins meets a floor when its end is there', 40, (rng) => {
    const height = rng.range(0.2, 1);
    const angle = rng.range(0.5, 3) * rng.sign();
    const hit = cast(rod, { axis: vec3(0, 0, 1), angle }, halfSpace(vec3(0, 1), -height));
    // The centre of the lower end is sin(angle t) below the middle.
    const truth = Math.asin(height - 0.1) / Math.abs(angle);
    if (truth > 1) {
      check(hit === null, () => 'hits');
      return;
    }
    near(hit!.t, truth, 1e-9, 't');
    near(v3.distance(hit!.normal, vec3(0, 1)), 0, 1e-6, 'normal');
    near(hit!.point.y, -height, 1e-9, 'point');
  });

  property('[G5] a sheet that flies at a ball which spins in its place', 20, (rng) => {
    const far = rng.range(5, 100);
    const sheet = collider(triangle(vec3(0, 9, -9), vec3(0, 9, 9), vec3(0, -18)), at(vec3(far)));
    const motion = { linear: vec3(), angular: point(rng, 2), duration: 1 };
    const hit = cast(ball(0.1), motion, sheet, {
      targetMotion: { linear: vec3(-2 * far), angular: vec3(), duration: 1 },
    });
    check(hit !== null, () => 'went through');
    near(2 * far * hit!.t, far - 0.1, 1e-6, 'when');
    near(v3.distance(hit!.normal, vec3(-1)), 0, 1e-6, 'normal');
  });

  property('[G5] both bodies move and rotate: as the same rod as a capsule, never late', 25, (rng) => {
    const twin = compound([
      {
        shape: capsule(1, 0.1),
        pose: { position: vec3(), quaternion: { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 } },
      },
    ]);
    const other = posed(rng, rng.pick(others)(rng), 3);
    if (distance(twin, other)!.separation < 1e-3) return;
    const motion = {
      linear: v3.add(other.pose.position, point(rng, 0.3)),
      angular: point(rng, 3),
      duration: 1,
    };
    const targetMotion = { linear: point(rng, 1), angular: point(rng, 2), duration: 1 };
    const truth = cast(twin, motion, other, { targetMotion });
    const found = cast(rod, motion, other, { targetMotion });
    const speed =
      v3.length(motion.linear) +
      v3.length(motion.angular) +
      v3.length(targetMotion.linear) +
      2 * v3.length(targetMotion.angular);
    if (!truth) return;
    check(found !== null, () => `missed at ${truth.t}`);
    check((found!.t - truth.t) * speed <= 2e-5, () => `late by ${(found!.t - truth.t) * speed}`);
    check((truth.t - found!.t) * speed <= 1e-2, () => `early by ${(truth.t - found!.t) * speed}`);
  });
});

const at = (position: ReadonlyVec3) => ({ position, quaternion: { x: 0, y: 0, z: 0, w: 1 } });

describe('csg', () => {
  const walls = [
    halfSpace(vec3(1), 0.5),
    halfSpace(vec3(-1), 0.5),
    halfSpace(vec3(0, 1), 0.4),
    halfSpace(vec3(0, -1), 0.4),
    box(2, 2, 0.3),
  ];
  const block = csg('intersection', walls);
  const twin = box(0.5, 0.4, 0.3);

  property('an intersection of walls is a box: overlap, distance, casts', 30, (rng) => {
    const other = posed(rng, rng.pick(others)(rng), 1.5);
    const truth = distance(twin, other)!.separation;
    if (Math.abs(truth) > 1e-6) check(intersects(block, other) === truth < 0, () => `intersects at ${truth}`);
    if (truth < 1e-3) return;
    near(distance(block, other)!.separation, truth, 2e-4, 'separation');
    const translation = v3.scale(other.pose.position, 1.5);
    const [hit, exact] = [cast(block, { translation }, other), cast(twin, { translation }, other)];
    if (!exact) return;
    const length = v3.length(translation);
    check(hit !== null && (hit.t - exact.t) * length <= 1e-4, () => `late: ${hit?.t} after ${exact.t}`);
    near(hit!.t * length, exact.t * length, 1e-3, 't');
  });

  test('a hole is carved: what is smaller falls through, what is larger does not', () => {
    const plate = csg('difference', [box(2, 0.25, 2), cylinder(1, 0.5)]);
    const fall = (r: number, x: number) =>
      cast(collider(sphere(r), at(vec3(x, 3))), { translation: vec3(0, -6) }, plate);
    expect(fall(0.45, 0)).toBeNull();
    expect(fall(0.45, 1)!.t).toBeCloseTo((3 - 0.25 - 0.45) / 6, 9);
    const stuck = fall(0.7, 0)!;
    // The ball rests on the rim: its centre is sqrt(0.7² - 0.5²) above it.
    expect(3 - 6 * stuck.t).toBeCloseTo(0.25 + Math.sqrt(0.24), 5);
    expect(contains(vec3(), plate)).toBe(false);
    expect(contains(vec3(1), plate)).toBe(true);
    expect(raycast({ origin: vec3(0.1, 5, 0.2), direction: vec3(0, -1) }, plate)).toBeNull();
  });

  test('closed meshes and fields take part, nested', () => {
    const shape = csg('difference', [
      icosphereMesh,
      csg('union', [ball(0.3), { shape: box(0.1, 1, 0.1), pose: at(vec3()) }]),
    ]);
    expect(contains(vec3(0.4), shape)).toBe(true);
    expect(contains(vec3(0.2), shape)).toBe(false);
    expect(contains(vec3(0, 0.5), shape)).toBe(false);
    expect(() => csg('union', [mesh([0, 0, 0, 1, 0, 0, 0, 1, 0])])).toThrow(/must have an inside/);
    expect(() => csg('difference', [halfSpace(vec3(0, 1)), sphere(1)])).toThrow(/bounded as a whole/);
    expect(() => csg('intersection', [sphere(1), { shape: sphere(1), pose: at(vec3(5)) }])).toThrow(
      /is empty/,
    );
    expect(() => csg('xor' as never, [sphere(1)])).toThrow(/operation/);
  });
});

describe('overlap', () => {
  property('the depth is a translation that parts, and the least of a ball', 6, (rng) => {
    const other = collider(
      sphere(rng.range(0.3, 1)),
      at(v3.scale(v3.normalize(point(rng, 1)), rng.range(0.05, 1))),
    );
    const truth = v3.length(other.pose.position) - 0.8 - (other.shape as { radius: number }).radius;
    if (truth > -1e-3) return;
    const found = distance(ball(0.8), other)!;
    near(found.separation, truth, 3e-4, 'depth');
    const moved = collider(ball(0.8), at(v3.scale(found.normal, -found.separation + 1e-6)));
    check(!intersects(moved, other), () => 'still overlaps');
  });

  test('a block that lies on a floor has four contacts at its corners', () => {
    const block = sdf(
      ({ x, y, z }) => Math.max(Math.abs(x) - 0.5, Math.abs(y) - 0.25, Math.abs(z) - 0.5),
      cube(1),
    );
    const found = contacts(collider(block, at(vec3(0, 0.249))), halfSpace(vec3(0, 1)), { margin: 0.01 });
    expect(found.length).toBe(4);
    for (const { normal, separation, pointA } of found) {
      expect(normal.y).toBeCloseTo(1, 6);
      expect(separation).toBeCloseTo(-0.001, 6);
      expect(Math.abs(pointA.x) + Math.abs(pointA.z)).toBeGreaterThan(0.4);
    }
  });
});

test('a mesh with a hole is a surface to a field: what it winds around is not in it', () => {
  const kept: number[] = [];
  for (let i = 0; i < fine.index.length; i += 3)
    if ([0, 1, 2].some((k) => fine.positions[3 * fine.index[i + k]! + 1]! < 0.8))
      kept.push(fine.index[i]!, fine.index[i + 1]!, fine.index[i + 2]!);
  const open = mesh(fine.positions, kept);
  const inside = at(vec3(0.1, 0.05, 0.2));
  const truth = distance(collider(sphere(0.2), inside), open)!.separation;
  expect(truth).toBeGreaterThan(0.5);
  for (const target of [open, compound([{ shape: open }, { shape: sphere(0.01) }])]) {
    const mine = collider(ball(0.2), inside);
    const near = target === open ? truth : distance(collider(sphere(0.2), inside), target)!.separation;
    expect(intersects(mine, target)).toBe(false);
    expect(distance(mine, target)!.separation).toBeCloseTo(near, 6);
    const hit = cast(mine, { translation: vec3(2) }, open)!;
    expect(hit.t).toBeCloseTo(cast(collider(sphere(0.2), inside), { translation: vec3(2) }, open)!.t, 6);
  }
});

describe('wrong use', () => {
  const floor = halfSpace(vec3(0, 1), -5);
  test('a function that gives no finite number, throws, or is steeper than it says is named, with the point', () => {
    expect(() => sdf(() => Number.NaN, cube(1))).toThrow(
      /sdf: f must give a finite number, but gives NaN at \(0, 0, 0\)/,
    );
    const late = sdf(({ x }) => (x > 0.4 ? Number.NaN : x), cube(1));
    expect(() => distance(late, sphere(0.1))).toThrow(/NaN at \(0\.5/);
    const broken = sdf((p) => {
      if (p.y > 0.4) throw new Error('out of paper');
      return v3.length(p) - 0.5;
    }, cube(1));
    expect(() => intersects(broken, floor)).toThrow(/f threw at \(.*out of paper/);
    const steep = sdf((p) => 4 * (v3.length(p) - 0.5), cube(1));
    expect(() => closestPoint(vec3(3, 1, 2), steep)).toThrow(/must not change faster than lipschitz says/);
    expect(() => sdf((p) => p.x, cube(1), { lipschitz: 0 })).toThrow(/lipschitz/);
    // Nothing is left behind: other queries answer as before.
    expect(distance(ball(0.8), floor)!.separation).toBeCloseTo(4.2, 9);
  });
});

test('a world finds fields, and a character walks on one', () => {
  const hills = sdf(
    ({ x, y, z }) => 0.7 * (y - 0.4 * Math.sin(x) * Math.cos(z)),
    { min: vec3(-6, -2, -6), max: vec3(6, 2, 6) },
    { lipschitz: 1 },
  );
  const world = new World();
  const id = world.add(hills);
  expect(world.raycast({ origin: vec3(1, 5, 1), direction: vec3(0, -1) })!.id).toBe(id);
  expect(world.overlaps(collider(sphere(0.5), at(vec3(0, 0.2))))).toEqual([id]);
  const hero = new Character(world, {
    radius: 0.3,
    halfHeight: 0.5,
    position: vec3(-3, 2, 0),
  });
  for (let i = 0; i < 30; i++) {
    hero.velocity.x = 3;
    hero.velocity.y -= 0.3;
    hero.moveAndSlide(1 / 30);
    const gap = distance(collider(capsule(0.5, 0.3), at(hero.position)), hills)!.separation;
    expect(gap).toBeGreaterThan(-1e-4);
  }
  expect(hero.position.x).toBeGreaterThan(-1.5);
  expect(hero.onFloor).toBe(true);
});

test('mass: the volume and the centre of a ball and of half a ball', () => {
  const whole = massOf(ball(0.8));
  expect(whole.volume).toBeCloseTo((4 / 3) * Math.PI * 0.512, 2);
  const half = massOf(csg('intersection', [sphere(0.8), halfSpace(vec3(0, 1))]));
  expect(half.volume).toBeCloseTo((2 / 3) * Math.PI * 0.512, 2);
  expect(half.centroid.y).toBeCloseTo((-3 / 8) * 0.8, 2);
});

test('a ray that glides along a face, a millionth above it, meets the wall at its end, and not the face', () => {
  const step = csg('union', [box(2, 0.5, 1), { shape: box(0.2, 1, 1), pose: at(vec3(1.8, 0.5)) }]);
  const floor = sdf(({ x, y }) => Math.min(y, 1.6 - x), { min: vec3(-2, -1, -1), max: vec3(2, 1, 1) });
  for (const [solid, height] of [
    [step, 0.5],
    [floor, 0],
  ] as const)
    for (const above of [1e-3, 1e-6, 1e-9]) {
      const hit = raycast({ origin: vec3(-5, height + above, 0.1), direction: vec3(1) }, solid)!;
      expect(hit.point.x).toBeCloseTo(1.6, 9);
      // In the corner of face and wall it is between their normals.
      expect(hit.normal.x).toBeLessThan(above > 1e-4 ? -0.999999 : -0.5);
      expect(raycast({ origin: vec3(-5, height + above, 0.1), direction: vec3(-1) }, solid)).toBeNull();
    }
});
