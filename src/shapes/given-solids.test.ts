/** Surfaces of two parameters, solids of the user's own, polygon soups: against the same shapes as other kinds. */
import { describe, expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import { Character } from '../character/character.ts';
import { contactTime } from '../continuous/generalized/contact-time.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { cast } from '../query/cast.ts';
import { closestPoint } from '../query/closest-point.ts';
import { contacts } from '../query/contacts.ts';
import { contains } from '../query/contains.ts';
import { distance } from '../query/distance.ts';
import { intersects } from '../query/intersects.ts';
import { raycast } from '../query/raycast.ts';
import { signedDistance } from '../query/signed-distance.ts';
import { linesOfBody } from '../world/debug-lines.ts';
import { World } from '../world/world.ts';
import { boundsOf } from './bounds.ts';
import { collider } from './collider.ts';
import { compound } from './compound.ts';
import { csg } from './fields/csg.ts';
import { box, triangle } from './flat-sided-shapes.ts';
import { halfSpace } from './half-space.ts';
import { massOf } from './mass.ts';
import { mesh } from './mesh.ts';
import { type ParametricOptions, parametric } from './parametric.ts';
import { capsule, sphere } from './round-shapes.ts';
import { scaled } from './scale.ts';
import type { Shape } from './shape.ts';
import { solid } from './solid.ts';
import { solidOf } from './solid-of.ts';
import { soup } from './soup.ts';

const at = (position: ReadonlyVec3, quaternion = { x: 0, y: 0, z: 0, w: 1 }) => ({ position, quaternion });
const point = (rng: Rng, r: number): Vec3 => vec3(rng.range(-r, r), rng.range(-r, r), rng.range(-r, r));
const cube = (r: number) => ({ min: vec3(-r, -r, -r), max: vec3(r, r, r) });

const torusPoint = (u: number, v: number, out: Vec3): Vec3 => {
  const ring = 1 + 0.3 * Math.cos(v);
  return v3.set(ring * Math.cos(u), 0.3 * Math.sin(v), ring * Math.sin(u), out);
};
const TURN = 2 * Math.PI;
const ring = parametric(torusPoint, { u: [0, TURN], v: [0, TURN], closed: true });
const torusDistance = ({ x, y, z }: ReadonlyVec3): number => {
  const out = Math.sqrt(x * x + z * z) - 1;
  return Math.sqrt(out * out + y * y) - 0.3;
};
const ballPoint = (u: number, v: number, out: Vec3): Vec3 =>
  v3.set(0.8 * Math.sin(u) * Math.cos(v), 0.8 * Math.cos(u), 0.8 * Math.sin(u) * Math.sin(v), out);
const ball = parametric(ballPoint, { u: [0, Math.PI], v: [0, TURN], closed: true });

describe('[G1] parametric surfaces', () => {
  property('a torus: distance, inside, closest point and rays as its closed form', 200, (rng) => {
    const p = point(rng, 2);
    const truth = torusDistance(p);
    near(signedDistance(p, ring), truth, 1e-9, 'signed distance');
    if (Math.abs(truth) > 1e-9) check(contains(p, ring) === truth < 0, () => 'contains');
    const hit = raycast({ origin: v3.scale(rng.direction(), 4), direction: point(rng, 1) }, ring);
    if (hit) {
      near(torusDistance(hit.point), 0, 1e-9, 'a ray stops on it');
      const out = v3.normalize(vec3(hit.point.x, 0, hit.point.z));
      near(v3.distance(hit.normal, v3.normalize(v3.sub(hit.point, out))), 0, 1e-6, 'normal');
    }
  });

  property('the same with the derivatives given', 40, (rng) => {
    const options: ParametricOptions = {
      u: [0, TURN],
      v: [0, TURN],
      closed: true,
      derivatives(u, v, du, dv) {
        const [r, s] = [1 + 0.3 * Math.cos(v), -0.3 * Math.sin(v)];
        v3.set(-r * Math.sin(u), 0, r * Math.cos(u), du);
        v3.set(s * Math.cos(u), 0.3 * Math.cos(v), s * Math.sin(u), dv);
      },
    };
    given ??= parametric(torusPoint, options);
    const p = point(rng, 2);
    near(signedDistance(p, given), torusDistance(p), 1e-9, 'signed distance');
  });
  let given: Shape | null = null;

  const others: readonly ((rng: Rng) => Shape)[] = [
    (rng) => sphere(rng.range(0.1, 1)),
    (rng) => box(rng.range(0.1, 1), rng.range(0.1, 1), rng.range(0.1, 1)),
    (rng) => capsule(rng.range(0.1, 1), rng.range(0.1, 0.5)),
    () => mesh([-1, 0, -1, 1, 0, -1, 0, 0.3, 1]),
    () => compound([{ shape: sphere(0.3), pose: at(vec3(0.5)) }, { shape: box(0.3, 0.2, 0.4) }]),
    () => ring,
  ];

  property('a ball with poles: distances, overlaps and casts as those of the sphere', 10, (rng) => {
    const other = collider(rng.pick(others)(rng), at(point(rng, 2.5), rng.rotation()));
    const truth = distance(sphere(0.8), other)!.separation;
    if (Math.abs(truth) > 1e-6) check(intersects(ball, other) === truth < 0, () => `intersects at ${truth}`);
    if (!(truth > 1e-3)) return;
    near(distance(ball, other)!.separation, truth, 1e-4, 'separation');
    near(distance(other, ball)!.separation, truth, 1e-4, 'separation, the other way round');
    const translation = v3.scale(other.pose.position, 1.5);
    const [hit, exact] = [cast(ball, { translation }, other), cast(sphere(0.8), { translation }, other)];
    if (!exact) return;
    const length = v3.length(translation);
    check(hit !== null && (hit.t - exact.t) * length <= 1e-4, () => `late: ${hit?.t} after ${exact.t}`);
    near(hit!.t * length, exact.t * length, 1e-3, 't');
  });

  test('a sheet stops what falls on it, and what is thin, from both sides; beside it there is nothing', () => {
    const hill = parametric((u, v, out) =>
      v3.set(4 * u - 2, 0.4 * Math.sin(3 * u) * Math.cos(2 * v), 4 * v - 2, out),
    );
    const small = sphere(0.01);
    for (const side of [1, -1]) {
      const hit = cast(
        collider(small, at(vec3(0.3, 3 * side, 0.2))),
        { translation: vec3(0, -6 * side) },
        hill,
      )!;
      const height = 0.4 * Math.sin(3 * 0.575) * Math.cos(2 * 0.55);
      // The slope lifts the ball a little.
      expect(Math.abs(3 * side - 6 * side * hit.t - height)).toBeLessThan(0.02);
      expect(hit.normal.y * side).toBeGreaterThan(0.9);
    }
    expect(cast(collider(small, at(vec3(2.1, 3))), { translation: vec3(0, -6) }, hill)).toBeNull();
    const spin = { linear: vec3(0, -6), angular: vec3(1, 2, 3) };
    expect(cast(collider(box(0.05, 0.01, 0.05), at(vec3(0.3, 3, 0.2))), spin, hill)!.t).toBeGreaterThan(0.4);
    expect(contacts(collider(sphere(0.5), at(vec3(0.3, 0.9))), hill, { margin: 0.2 }).length).toBeGreaterThan(
      0,
    );
  });

  test('in a world, under a character, in a compound, in csg, scaled, drawn', () => {
    const floor = parametric((u, v, out) => v3.set(12 * u - 6, 0.3 * Math.sin(4 * u), 4 * v - 2, out));
    const world = new World();
    const id = world.add(floor);
    expect(world.raycast({ origin: vec3(1, 5, 0), direction: vec3(0, -1) })!.id).toBe(id);
    const hero = new Character(world, { radius: 0.3, halfHeight: 0.5, position: vec3(-3, 1.12, 0) });
    for (let i = 0; i < 2; i++) {
      hero.velocity.x = 1;
      hero.velocity.y -= 2;
      hero.moveAndSlide(1 / 30);
    }
    expect(hero.onFloor).toBe(true);
    const both = compound([{ shape: ball, pose: at(vec3(2)) }, { shape: sphere(0.5) }]);
    expect(distance(both, collider(sphere(0.2), at(vec3(4))))!.separation).toBeCloseTo(1, 6);
    expect(contains(vec3(0.6), csg('difference', [ball, sphere(0.5)]))).toBe(true);
    expect(contains(vec3(0.3), csg('difference', [ball, sphere(0.5)]))).toBe(false);
    const twice = scaled(ball, vec3(2, 2, 2));
    expect(signedDistance(vec3(3), twice)).toBeCloseTo(1.4, 9);
    expect(boundsOf(ball).max.y).toBeGreaterThanOrEqual(0.8);
    expect(linesOfBody(ball).length).toBeGreaterThan(100);
  });

  test('a function that gives what is not finite, throws, bends too much or does not close is named, with where', () => {
    const flat = (u: number, v: number, out: Vec3): Vec3 => v3.set(u, 0, v, out);
    expect(() => parametric((u, v, out) => v3.set(u, Number.NaN, v, out))).toThrow(/NaN.*at u = 0, v = 0/);
    expect(() =>
      parametric((u, v, out) => {
        if (u > 0.4) throw new Error('out of paper');
        return flat(u, v, out);
      }),
    ).toThrow(/f threw at u = 0\.4.*out of paper/);
    const wave = (u: number, v: number, out: Vec3): Vec3 => v3.set(u, 0.1 * Math.sin(20 * u), v, out);
    expect(() => parametric(wave, { curvature: 1 })).toThrow(/bend more than options\.curvature \(1\) says/);
    expect(() => parametric(flat, { closed: true })).toThrow(/options\.closed/);
    expect(() => parametric(flat, { rounding: 0 })).toThrow(/options\.rounding/);
    expect(() => parametric(flat, { u: [1, 0] })).toThrow(/options\.u/);
    expect(() => parametric(() => vec3())).toThrow(/all its points are one/);
    // A needle that no look has seen is found to be nearer than it may be, by a query that comes to it.
    let isLate = false;
    const needle = parametric((u, v, out) =>
      v3.set(u, isLate && Math.abs(u - 0.52) < 0.02 ? 0.3 : 0, v, out),
    );
    isLate = true;
    expect(() => signedDistance(vec3(0.52, 0.31, 0.5), needle)).toThrow(/parametric: f must not bend more/);
    isLate = false;
    expect(signedDistance(vec3(0.5, 0.5, 0.5), needle)).toBeCloseTo(0.5, 3);
  });
});

describe('[G1] solids of the user', () => {
  const half = vec3(0.5, 0.4, 0.3);
  /** In ten lines: a block, by boxes alone. */
  const block = solid({
    bounds: { min: v3.scale(half, -1), max: half },
    box: ({ center, halfSize }) => {
      const d = v3.sub(v3.sub(v3.abs(center), half), halfSize);
      return Math.max(d.x, d.y, d.z) <= 0;
    },
  });
  const twin = box(0.5, 0.4, 0.3);

  property('by boxes alone: rays, points, overlaps, distances and casts as the same box', 10, (rng) => {
    const p = point(rng, 1.2);
    check(contains(p, block) === contains(p, twin), () => 'contains');
    near(closestPoint(p, block).distance, closestPoint(p, twin).distance, 1e-3, 'closest point');
    const ray = { origin: v3.scale(rng.direction(), 3), direction: point(rng, 1) };
    const [hit, truth] = [raycast(ray, block), raycast(ray, twin)];
    check(!hit === !truth, () => 'a ray hits one');
    if (hit) near(v3.distance(hit.point, truth!.point), 0, 1e-6, 'where a ray hits');
    const other = collider(sphere(0.3), at(point(rng, 1.5)));
    const apart = distance(twin, other)!.separation;
    if (Math.abs(apart) > 1e-4) check(intersects(block, other) === apart < 0, () => `intersects at ${apart}`);
    if (!(apart > 1e-3)) return;
    near(distance(block, other)!.separation, apart, 1e-3, 'separation');
    const translation = v3.scale(other.pose.position, 1.2);
    const [mine, exact] = [cast(block, { translation }, other), cast(twin, { translation }, other)];
    if (exact) check(mine !== null && mine.t <= exact.t + 1e-3, () => `late: ${mine?.t} after ${exact.t}`);
  });

  test('by a signed distance, with samples, segments and normals of its own for contact times', () => {
    const asked: string[] = [];
    const own = solid({
      bounds: cube(1),
      signedDistance: (p) => v3.length(p) - 0.8,
      segment: (a, b) => {
        asked.push('segment');
        return solidOf(sphere(0.8)).segment(a, b);
      },
      normal: (p) => {
        asked.push('normal');
        return v3.normalize(p);
      },
      sample: () => {
        asked.push('sample');
        return [0, 0.8, 0];
      },
    });
    expect(distance(own, halfSpace(vec3(0, 1), -2))!.separation).toBeCloseTo(1.2, 9);
    expect(
      cast(own, { axis: vec3(0, 0, 1), angle: 1, pivot: vec3(3) }, halfSpace(vec3(0, 1), -2))!.t,
    ).toBeGreaterThan(0.2);
    const corner = solidOf(triangle(vec3(), vec3(0, 0, 0.1), vec3(0, 0.1, 0)));
    const hit = contactTime({ solid: corner, pose: at(vec3(3)) }, { translation: vec3(-4) }, solidOf(own), {
      translation: vec3(),
    });
    expect(hit!.t).toBeCloseTo(2.2 / 4, 9);
    expect(hit!.normal.x).toBeCloseTo(1, 9);
    expect(new Set(asked)).toEqual(new Set(['segment', 'normal', 'sample']));
    expect(signedDistance(vec3(0.7), scaled(own, vec3(2, 2, 2)))).toBeCloseTo(-0.9, 6);
    expect(massOf(own).volume).toBeCloseTo((4 / 3) * Math.PI * 0.512, 2);
    const world = new World();
    expect(world.overlaps(collider(sphere(0.5), at(vec3(0, 1)))).length).toBe(0);
    const id = world.add(own);
    expect(world.overlaps(collider(sphere(0.5), at(vec3(0, 1))))).toEqual([id]);
  });

  test('answers that are no good are named, with the point, and nothing is left behind', () => {
    expect(() => solid({ bounds: cube(1) })).toThrow(/must have a box or a signedDistance/);
    expect(() => solid({ bounds: cube(1), box: () => 3 as never })).toThrow(/box at \(0, 0, 0\)/);
    const late = solid({ bounds: cube(1), signedDistance: ({ x }) => (x > 0.4 ? Number.NaN : x) });
    expect(() => distance(late, sphere(0.1))).toThrow(
      /solid: signedDistance must give a finite number, but gives NaN at \(0\.5/,
    );
    const broken = solid({
      bounds: cube(1),
      box({ center, halfSize }) {
        if (center.y > 0.4) throw new Error('out of paper');
        return v3.length(center) < 0.3 + halfSize.x;
      },
    });
    const world = new World();
    world.add(broken);
    const id = world.add(collider(sphere(0.5), at(vec3(9))));
    expect(() => world.overlaps(collider(sphere(0.5), at(vec3(0, 0.9))))).toThrow(
      /solid: box threw at \(.*out of paper/,
    );
    expect(world.overlaps(collider(sphere(0.5), at(vec3(9))))).toEqual([id]);
    const steep = solid({ bounds: cube(1), signedDistance: (p) => 4 * (v3.length(p) - 0.5) });
    expect(() => closestPoint(vec3(3, 1, 2), steep)).toThrow(/solid: the distance must not change faster/);
    expect(distance(block, halfSpace(vec3(0, 1), -2))!.separation).toBeCloseTo(1.6, 4);
  });
});

describe('[G1] polygon soups', () => {
  const house = [
    [vec3(-1, 0, 0), vec3(1, 0, 0), vec3(1, 1, 0), vec3(0, 2, 0), vec3(-1, 1, 0)],
    // With a dent.
    [vec3(-1, 0, 1), vec3(1, 0, 1), vec3(1, 1, 1), vec3(0, 0.5, 1), vec3(-1, 1, 1)],
    [vec3(0, 0, -1), vec3(1, 0, -1), vec3(0, 1, -1)],
  ];
  test('polygons in no order, with dents, in every query', () => {
    const made = soup(house);
    expect(made.triangleCount).toBe(3 + 3 + 1);
    const ray = (x: number, y: number) =>
      raycast({ origin: vec3(x, y, 5), direction: vec3(0, 0, -1) }, made)!;
    expect(ray(0, 0.7).point.z).toBe(0);
    expect(ray(0.8, 0.7).point.z).toBe(1);
    expect(ray(0, 1.9).point.z).toBe(0);
    expect(ray(0.8, 0.7).part.triangle).toBeGreaterThanOrEqual(3);
    expect(distance(made, collider(sphere(0.5), at(vec3(0, 0.2, 3))))!.separation).toBeCloseTo(1.5, 12);
    const spin = { linear: vec3(0, 0, -4), angular: vec3(1, 2, 3) };
    expect(cast(collider(sphere(0.5), at(vec3(0, 0.3, 3))), spin, made)!.t).toBeCloseTo(1.5 / 4, 6);
    expect(contacts(collider(sphere(0.5), at(vec3(0, 0.2, 1.4))), made).length).toBeGreaterThan(0);
    expect(() => soup([])).toThrow(/must have one with an area/);
    expect(() => soup([[vec3(), vec3(1)]])).toThrow(/polygons\[0\] must have three corners/);
    expect(() => soup([[vec3(), vec3(1), vec3(Number.NaN)]])).toThrow(/polygons\[0\]/);
  });
});
