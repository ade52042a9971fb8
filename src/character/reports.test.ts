/** What a move reports: the collider, the triangle, the point and the normal; where it stands; how it gets out of things. */
import { describe, expect, test } from 'vitest';
import { DT, ground, heightOf, land, quad, run, SHAPES, spawn } from '../../tests/kit/character-setups.ts';
import { addTo, isFree, makeLevel } from '../../tests/kit/characters.ts';
import { Rng } from '../../tests/kit/index.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { box, capsule, collider, halfSpace, hull, type Shape, sphere } from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { Character, type CharacterShape, ColliderList } from './index.ts';

const STILL = { x: 0, y: 0, z: 0, w: 1 };
const at = (x: number, y: number, z: number) => ({ position: { x, y, z }, quaternion: { ...STILL } });

/** How far a shape with its gap reaches along a unit vector, as `docs/character.md` says. */
function reachOf(shape: CharacterShape, { x, y, z }: ReadonlyVec3): number {
  if ('radii' in shape) {
    const { radii: r } = shape;
    return 1.01 * Math.hypot(r.x * x, r.y * y, r.z * z);
  }
  if ('radius' in shape) return 1.01 * shape.radius + shape.halfHeight * Math.abs(y);
  const { halfSize: h } = shape;
  const gap = Math.min(h.x, h.y, h.z) / 100;
  return (h.x + gap) * Math.abs(x) + (h.y + gap) * Math.abs(y) + (h.z + gap) * Math.abs(z);
}

const AXES: Vec3[] = [
  { x: 1, y: 0, z: 0 },
  { x: -1, y: 0, z: 0 },
  { x: 0, y: 1, z: 0 },
  { x: 0, y: -1, z: 0 },
  { x: 0, y: 0, z: 1 },
  { x: 0, y: 0, z: -1 },
];

describe.each(SHAPES)('%s', (_, shape) => {
  const h = heightOf(shape);

  /** Flies along an axis into whatever is there. */
  function flyInto(list: ColliderList, from: Vec3, way: Vec3): Character {
    const hero = new Character(list, { ...shape, position: from, mass: 3 });
    Object.assign(hero.velocity, v3.scale(way, 5));
    expect(hero.moveAndSlide(1)).toBe(true);
    return hero;
  }

  test('each of many colliders is told by its number, where it was touched', () => {
    // More half-spaces, round things and triangles than there is room for at first; two of each kind on every axis.
    const kinds: ((way: Vec3) => [Shape, Vec3])[] = [
      (way) => [sphere(0.8), v3.scale(way, 2.8)],
      (way) => [box(0.5, 0.6, 0.7), v3.scale(way, 2 + (way.x ? 0.5 : way.y ? 0.6 : 0.7))],
      (way) => [capsule(0.3, 0.5), v3.scale(way, 2 + (way.y ? 0.8 : 0.5))],
      (way) => [halfSpace(v3.scale(way, -1), -2), { x: 0, y: 0, z: 0 }],
      (way) => {
        const u = { x: way.y, y: way.z, z: way.x };
        const w = v3.cross(way, u);
        const p = (a: number, b: number) => {
          const { x, y, z } = v3.addScaled(v3.addScaled(v3.scale(way, 2), u, a), w, b);
          return [x, y, z];
        };
        return [mesh(quad(p(-9, -8), p(9, -8), p(9, 7), p(-9, 7))), { x: 0, y: 0, z: 0 }];
      },
    ];
    for (const kind of kinds) {
      const list = new ColliderList();
      const ids = AXES.map((way) => {
        const [body, position] = kind(way);
        return list.add(collider(body, { position, quaternion: { ...STILL } }));
      });
      for (const [i, way] of [...AXES, ...AXES].entries()) {
        const hero = flyInto(list, { x: 0.01, y: 0.02, z: -0.01 }, way);
        const [hit] = hero.collisions;
        const normal = v3.scale(way, -1);
        expect(hit!.id).toBe(ids[i % 6]);
        expect(v3.distance(hit!.normal, normal)).toBeLessThan(0.1);
        expect(v3.dot(hit!.point, way)).toBeCloseTo(2, 2);
        expect(hit!.side).toBe(way.y < 0 ? 'floor' : way.y > 0 ? 'ceiling' : 'wall');
        expect(hit!.impulse).toBeCloseTo(-15 * v3.dot(hit!.normal, way), 9);
        expect(v3.dot(hit!.travel, way)).toBeCloseTo(2 - reachOf(shape, way), 1);
        if (way.y < 0) expect([hero.onFloor, hero.floorId]).toEqual([true, ids[3]]);
      }
    }
  });

  test('a ball is kept off by the gap: from a side, from below, and at a corner', () => {
    const radius = 0.6;
    for (const way of AXES) {
      const list = new ColliderList();
      list.add(collider(sphere(radius), { position: v3.scale(way, 4), quaternion: { ...STILL } }));
      const hero = flyInto(list, { x: 0, y: 0, z: 0 }, way);
      expect(v3.dot(hero.position, way)).toBeCloseTo(4 - radius - reachOf(shape, way), 4);
    }
    // Down, with the corner of a box, the cap of a capsule, or the side of an ellipsoid first.
    for (const [x, z] of [
      [0.7, 0.75],
      [-0.6, 0.55],
      [0.3, -0.8],
    ] as const) {
      const list = new ColliderList();
      list.add(collider(sphere(radius), at(x, -3, z)));
      const hero = new Character(list, { ...shape, stepHeight: 0, slopeLimit: 0 });
      const end = firstTouch(shape, { x, y: -3, z }, radius);
      hero.velocity.y = -5;
      expect(hero.moveAndSlide(1)).toBe(end !== null);
      if (end !== null) expect(hero.collisions[0]!.travel.y).toBeCloseTo(end, 4);
    }
  });

  test('the spike of a triangle is met where it is, by the side, the top and the bottom', () => {
    for (const [k, way] of AXES.entries())
      for (let turn = 0; turn < 3; turn++) {
        // A needle along the way, its tip at 2, its base far behind; a little off the middle.
        const tip = v3.addScaled(
          { x: 0.003, y: 0.1, z: -0.002 },
          way,
          2 - v3.dot({ x: 0.003, y: 0.1, z: -0.002 }, way),
        );
        const side = AXES[(k + 2) % 6]!;
        const corners = [
          tip,
          v3.addScaled(v3.addScaled(tip, way, 3), side, 0.1),
          v3.addScaled(v3.addScaled(tip, way, 3), side, -0.2),
        ];
        const list = new ColliderList();
        list.add(collider(mesh([0, 1, 2].flatMap((i) => Object.values(corners[(i + turn) % 3]!)))));
        const hero = flyInto(list, { x: 0, y: 0, z: 0 }, way);
        const [hit] = hero.collisions;
        const reach = 'radii' in shape ? 1.01 * ellipsoidAt(shape.radii, tip, way) : reachOf(shape, way);
        // A capsule is met on its cap from above and below: nearly its middle.
        expect(v3.dot(hit!.travel, way)).toBeCloseTo(2 - reach, way.y !== 0 ? 2 : 3);
        expect([hit!.id, hit!.triangle]).toEqual([0, 0]);
        expect(v3.dot(hit!.normal, way)).toBeLessThan(-0.9);
      }
  });

  test('a wall that is no step is told with its own triangle and point, not with those of what was tried', () => {
    const level = makeLevel();
    // Floor, then a wall of two strips: triangles 0 to 5.
    addTo(level, mesh(ground(-5, 50)));
    const id = addTo(
      level,
      mesh([
        ...ground(0, 9),
        ...quad([3, -1, -9], [3, -1, 9], [3, 0.4, 9], [3, 0.4, -9]),
        ...quad([3, 0.4, -9], [3, 0.4, 9], [3, 4, 9], [3, 4, -9]),
      ]),
    );
    const hero = spawn(level, shape, [1, h + 0.05, 0.3], { stepHeight: 0.3 });
    land(hero);
    run(hero, 6, 0, 40);
    const [hit] = hero.collisions.filter(({ side }) => side === 'wall');
    expect(hit!.id).toBe(id);
    expect(hit!.point.x).toBeCloseTo(3, 6);
    expect(hit!.normal).toEqual({ x: -1, y: 0, z: 0 });
    const { y } = hit!.point;
    // Flat contacts are told at the middle, which may be beyond the strip.
    const isFlat = 'halfSize' in shape || 'radius' in shape;
    if (!isFlat) expect(hit!.triangle).toBeGreaterThanOrEqual(y < 0.4 ? 2 : 4);
    expect(hit!.triangle).toBeGreaterThanOrEqual(2);
    expect(hit!.travel.x + hit!.remainder.x).toBeCloseTo(6 * DT, 9);
    expect(hero.floorId).toBe(id);
    expect(hero.onWall && hero.onFloor && !hero.onCeiling).toBe(true);
  });

  test('while it rides it is stopped by walls, whatever their number', () => {
    const list = new ColliderList();
    const platform = at(0, -0.5, 0);
    list.add(collider(box(6, 0.5, 6), platform));
    const wall = list.add(collider(box(0.5, 3, 6), at(3, 0, 0)));
    const behind = list.add(collider(box(6, 3, 0.5), at(0, 0, 3)));
    const hero = new Character(list, { ...shape, position: { x: 1.5, y: h + 0.05, z: 1.5 } });
    land(hero);
    for (let i = 0; i < 60; i++) {
      platform.position.z += 0.001;
      platform.position.x -= 0.001;
      run(hero, 4, 4, 1);
    }
    expect(hero.position.x).toBeCloseTo(2.5 - reachOf(shape, AXES[0]!), 6);
    expect(hero.position.z).toBeCloseTo(2.5 - reachOf(shape, AXES[4]!), 6);
    expect(hero.collisions.map(({ id }) => id).sort()).toEqual([wall, behind]);
    expect(hero.platformVelocity.z).toBeCloseTo(0.06, 9);
    expect(hero.platformVelocity.x).toBeCloseTo(-0.06, 9);
  });

  test('off the end of the ground it falls in the very frame in which the ground ends', () => {
    const level = makeLevel();
    addTo(level, mesh(quad([-9, 0, -9], [-9, 0, 9], [0, 0, 9], [0, 0, -9])));
    const hero = spawn(level, shape, [-1, h + 0.05, 0], { snapDistance: 0, stepHeight: 0 });
    land(hero);
    const { y } = hero.position;
    hero.velocity.x = 300;
    hero.velocity.y = -3;
    hero.moveAndSlide(DT);
    expect(hero.onFloor).toBe(false);
    expect(hero.floorId).toBe(-1);
    expect(hero.floorNormal).toEqual({ x: 0, y: 1, z: 0 });
    expect(hero.position.x).toBeCloseTo(-1 + 300 * DT, 9);
    expect(hero.position.y).toBeCloseTo(y - 3 * DT, 9);
    expect(hero.lastMotion.x).toBeCloseTo(300 * DT, 9);
    expect(hero.lastMotion.y).toBeCloseTo(-3 * DT, 9);
    expect(hero.velocity.y).toBe(-3);
  });

  test('between two slopes that are too steep it stands, and may jump; on one it does not, nor where they lean', () => {
    // The y of both normals, and how the groove between them falls along z.
    for (const [steep, descent, stands] of [
      [0.6, 0, true],
      [0.3, 0, true],
      [0.6, 2, false],
    ] as const) {
      const level = makeLevel();
      const across = Math.sqrt(1 - steep * steep);
      const ids = [-1, 1].map((s) =>
        addTo(level, halfSpace(v3.normalize({ x: s * across, y: steep, z: descent * steep }))),
      );
      const hero = spawn(level, shape, [0.1, 4, 0]);
      for (let i = 0; i < 240; i++) run(hero, 0, 0, 1);
      expect(hero.onFloor, `${steep} ${descent}`).toBe(stands);
      if (!stands) continue;
      expect(v3.distance(hero.floorNormal, { x: 0, y: 1, z: 0 })).toBeLessThan(1e-9);
      expect(ids).toContain(hero.floorId);
      expect(hero.velocity.y).toBe(0);
      const { y } = hero.position;
      run(hero, 0, 0, 30, () => expect(Math.abs(hero.position.y - y)).toBeLessThan(1e-6));
      hero.velocity.y = 4;
      hero.moveAndSlide(DT);
      expect(hero.position.y - y).toBeCloseTo(4 * DT, 9);
    }
    const level = makeLevel();
    addTo(level, halfSpace({ x: 0.8, y: 0.6, z: 0 }));
    const hero = spawn(level, shape, [0, 4, 0]);
    run(hero, 0, 0, 120, () => expect(hero.onFloor).toBe(false));
  });

  test('pressed into two walls that meet at any angle it is pushed out of both, no farther than need be', () => {
    const rng = new Rng(21);
    for (let i = 0; i < 60; i++) {
      const [first, angle] = [rng.range(0, 7), rng.range(0.4, 2.6)];
      const walls = [first, first + angle].map((a) => ({ x: Math.cos(a), y: 0, z: Math.sin(a) }));
      const level = makeLevel();
      for (const n of walls) addTo(level, halfSpace(n));
      // In both of them, by a part of its size.
      const depth = walls.map((n) => reachOf(shape, n) * (1 - rng.range(0.02, 0.2)));
      const start = meet(walls, depth);
      const exact = v3.distance(
        start,
        nearest(
          walls,
          walls.map((n) => reachOf(shape, n)),
          start,
        ),
      );
      const hero = spawn(level, shape, [start.x, 0, start.z], { maxRecovery: 9 });
      hero.moveAndSlide(DT);
      expect(hero.stuck, `corner ${i}`).toBe(false);
      expect(isFree(level, shape, hero.position, 0), `corner ${i}`).toBe(true);
      // One after the other, and not both at once: somewhat farther than the nearest place.
      expect(hero.recovered, `corner ${i}`).toBeGreaterThan(0.97 * exact);
      expect(hero.recovered, `corner ${i}`).toBeLessThan(2.5 * exact + 0.01);
      expect(v3.distance(hero.position, { x: start.x, y: 0, z: start.z })).toBeCloseTo(hero.recovered, 9);
    }
  });

  test('after a teleport nothing is known of what moved before it', () => {
    const list = new ColliderList();
    list.add(collider(halfSpace({ x: 0, y: 1, z: 0 })));
    const door = at(3, 1, 0);
    const id = list.add(collider(box(0.2, 3, 3), door));
    const hero = new Character(list, { ...shape, position: { x: 2, y: h + 0.05, z: 0 } });
    land(hero);
    run(hero, 1, 0, 2);
    door.position.x -= 0.01;
    hero.teleport({ x: 1.9, y: h + 0.01, z: 0.3 });
    hero.velocity.x = 60;
    hero.moveAndSlide(DT);
    const hit = hero.collisions.find((c) => c.id === id)!;
    expect(hit.colliderVelocity).toEqual({ x: 0, y: 0, z: 0 });
    expect(hero.platformVelocity).toEqual({ x: 0, y: 0, z: 0 });
    // The next move knows again.
    door.position.x -= 0.01;
    hero.velocity.x = 60;
    hero.moveAndSlide(DT);
    expect(hero.collisions.find((c) => c.id === id)!.colliderVelocity.x).toBeCloseTo(-0.6, 9);
  });
});

/** The support of an ellipsoid seen along a way at the place of a tip: how far in front of its centre its surface is there. */
function ellipsoidAt(radii: Vec3, tip: Vec3, way: Vec3): number {
  const [a, b, c] = (['x', 'y', 'z'] as const).map((k) => (way[k] !== 0 ? 0 : tip[k] / radii[k]));
  const left = Math.sqrt(1 - (a! * a! + b! * b! + c! * c!));
  return left * (Math.abs(way.x) * radii.x + Math.abs(way.y) * radii.y + Math.abs(way.z) * radii.z);
}

/** Where two upright planes at these distances meet. */
function meet([n, m]: Vec3[], [d, e]: number[]): Vec3 {
  const det = n!.x * m!.z - n!.z * m!.x;
  return { x: (d! * m!.z - e! * n!.z) / det, y: 0, z: (e! * n!.x - d! * m!.x) / det };
}

/** The place nearest to a point, no nearer to two upright planes than that. */
function nearest(walls: Vec3[], far: number[], p: Vec3): Vec3 {
  const onto = walls.map((n, i) => v3.addScaled(p, n, Math.max(0, far[i]! - v3.dot(n, p))));
  const free = [p, ...onto, meet(walls, far)].filter((q) =>
    walls.every((n, i) => v3.dot(n, q) >= far[i]! - 1e-9),
  );
  return free.reduce((a, b) => (v3.distance(b, p) < v3.distance(a, p) ? b : a));
}

/** How far down a shape with its gap gets before it touches a ball, by bisection on sampled points of the shape; null for past it. */
function firstTouch(shape: CharacterShape, ball: Vec3, radius: number): number | null {
  const touches = (y: number): boolean => apart(shape, { x: ball.x, y: ball.y - y, z: ball.z }) <= radius;
  let hit = 0;
  while (hit > -5 && !touches(hit)) hit -= 0.001;
  if (hit <= -5) return null;
  let [high, low] = [hit + 0.001, hit];
  for (let i = 0; i < 40; i++) {
    const y = (high + low) / 2;
    if (touches(y)) low = y;
    else high = y;
  }
  return low;
}

/** The distance of a point from the shape with its gap about the origin. */
function apart(shape: CharacterShape, { x, y, z }: Vec3): number {
  if ('halfSize' in shape) {
    const { halfSize: s } = shape;
    const gap = Math.min(s.x, s.y, s.z) / 100;
    const over = (p: number, half: number) => Math.max(0, Math.abs(p) - half - gap);
    return Math.hypot(over(x, s.x), over(y, s.y), over(z, s.z));
  }
  if ('radius' in shape)
    return Math.hypot(x, Math.max(0, Math.abs(y) - shape.halfHeight), z) - 1.01 * shape.radius;
  // Round about y: the nearest point of an ellipse in the plane through it, by a fine search.
  const [a, b, far] = [1.01 * shape.radii.x, 1.01 * shape.radii.y, Math.hypot(x, z)];
  let [from, to] = [0, Math.PI / 2];
  const off = (t: number) => Math.hypot(far - a * Math.cos(t), Math.abs(y) - b * Math.sin(t));
  for (let i = 0; i < 80; i++) {
    const [s, t] = [from + (to - from) / 3, to - (to - from) / 3];
    if (off(s) < off(t)) to = t;
    else from = s;
  }
  return off(from);
}

test('hulls of many sides and meshes of many triangles: all are looked at', () => {
  const rng = new Rng(9);
  const list = new ColliderList();
  const ball = Array.from({ length: 200 }, () => rng.direction());
  const id = list.add(collider(hull(ball)));
  for (let i = 0; i < 60; i++) {
    const way = rng.direction();
    const hero = new Character(list, { radii: { x: 0.3, y: 0.3, z: 0.3 }, position: v3.scale(way, -4) });
    Object.assign(hero.velocity, v3.scale(way, 8));
    expect(hero.moveAndSlide(1)).toBe(true);
    expect(hero.collisions[0]!.id).toBe(id);
    // The hull is all but the unit ball.
    expect(v3.length(hero.collisions[0]!.travel)).toBeGreaterThan(4 - 1.303 - 1e-9);
    expect(v3.length(hero.collisions[0]!.travel)).toBeLessThan(4 - 1.303 + 0.15);
  }
});
