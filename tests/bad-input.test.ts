/** The mistakes that people make, each by the error that it gets. */
import { describe, expect, test } from 'vitest';
import { check, property } from './kit/index.ts';
import * as graze from './kit/public-names.ts';

const { box, cast, collider, contains, distance, mesh, raycast, sphere, vec3, World } = graze;
const any = <T>(value: unknown): T => value as T;
const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
const index = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
const level = mesh(positions, index);
const p: graze.Vec3 = any([1, 2, 3]);

test('[x, y, z] is no point', () => {
  const message = 'must be {x, y, z} or vec3(), got an array of 3 numbers';
  const ray = { origin: p, direction: vec3(0, 0, 1) };
  expect(() => raycast(ray, level)).toThrow(`raycast: ray.origin ${message}`);
  expect(() => contains(p, level)).toThrow(`contains: point ${message}`);
  expect(() => cast(sphere(1), { translation: p }, level)).toThrow(`cast: motion.translation ${message}`);
  expect(() => graze.closestPointSegment(p, vec3(), vec3(1))).toThrow(`closestPointSegment: p ${message}`);
  expect(() => new World().nearest(p)).toThrow(
    /World.nearest: from must be a point .* got an array of 3 numbers/,
  );
});

test('swapped arguments, and one thing for another, by what they are', () => {
  const crate = collider(box(1, 1, 1));
  const ray = { origin: vec3(0, 5, 0), direction: vec3(0, -1, 0) };
  expect(() => raycast(any(level), any(ray))).toThrow(
    "raycast: ray must be a ray {origin, direction}, got a shape of kind 'mesh'",
  );
  expect(() => raycast(ray, any(ray))).toThrow(
    'raycast: body must be a shape or a collider, got an object with origin, direction',
  );
  expect(() => contains(any(crate), any(vec3()))).toThrow(
    'contains: point must be {x, y, z} or vec3(), got a collider',
  );
  expect(() => graze.closestPoint(vec3(), any(vec3()))).toThrow(
    'closestPoint: body must be a shape or a collider, got an object with x, y, z',
  );
  expect(() => graze.rayMesh(ray, any(crate))).toThrow('rayMesh: mesh must be a mesh, got a collider');
  expect(() => collider(any(crate))).toThrow(/collider: shape must be a shape, .* got a collider/);
  expect(() =>
    distance(
      any(() => 1),
      crate,
    ),
  ).toThrow('distance: a must be a shape or a collider, got a function');
  expect(() => distance(any({ kind: 'sphere', radius: 1 }), crate)).toThrow(
    /a must be a shape or a collider/,
  );
  expect(() => sphere(any('1'))).toThrow("sphere: radius must be a finite number, got the string '1'");
  expect(() => distance(crate, crate, { maxDistance: any(null) })).toThrow(
    'distance: options.maxDistance must be a number, got null',
  );
});

test('misspelt options', () => {
  expect(() => new World(any({ broadphase: 'tree' }))).toThrow(/'broadphase': did you mean broadPhase\?/);
  expect(() => new World().add(sphere(1), any({ groups: 1 }))).toThrow(/'groups': did you mean group\?/);
  expect(() => mesh(positions, index, any({ leafsize: 2 }))).toThrow(/'leafsize': did you mean leafSize\?/);
  expect(() =>
    new World().raycast({ origin: vec3(), direction: vec3(1) }, { filter: any({ ignored: 1 }) }),
  ).toThrow(/filter has the unknown field 'ignored'/);
  expect(() => cast(sphere(1), any({ translation: vec3(1), axes: vec3(1) }), level)).toThrow(
    /motion has the unknown field 'axes': did you mean axis\?/,
  );
});

describe('an Object3D whose pose is not that of the world', () => {
  const node = (parent: object | null = null, scale = vec3(1, 1, 1)) => ({ ...graze.pose(), scale, parent });
  test('is refused when it is given, and when it is read', () => {
    const moved = node();
    moved.position.x = 1;
    expect(() => collider(sphere(1), node(node()))).not.toThrow();
    expect(() => collider(sphere(1), node(moved))).toThrow(/relative to a parent.*getWorldPosition/);
    expect(() => collider(sphere(1), node(node(moved)))).toThrow(/relative to a parent/);
    expect(() => collider(sphere(1), node(null, vec3(2, 1, 1)))).toThrow(/scale other than 1, .* scaled\(/);
    const later = node();
    const body = collider(sphere(1), later);
    later.scale.y = 3;
    expect(() => distance(body, level)).toThrow('distance: a.pose has a scale other than 1');
    expect(() => contains(vec3(), body)).toThrow(/scale other than 1/);
    expect(() => new World().add(body)).toThrow(/the pose of collider 1 has a scale other than 1/);
  });
});

test('attributes of three.js: their arrays are wanted, and plain ones', () => {
  const array = Float32Array.from(positions);
  expect(() => mesh(any({ array, itemSize: 3 }))).toThrow('take the array of the attribute');
  expect(() => mesh(any({ data: { array }, offset: 0 }))).toThrow('interleaved');
  expect(() => mesh(Int16Array.from(positions))).toThrow(/quantised.*getComponent/);
  expect(() => mesh(array, any({ array: index }))).toThrow('geometry.index.array');
});

test('huge numbers do not make a call run for ever', () => {
  const items = graze.boxItems([0, 0, 0, 1, 1, 1, 2, 0, 0, 3, 1, 1]);
  expect(() => graze.splitItems(items, 1e160)).toThrow(/growth must be at most/);
  expect(() => graze.fitSphereIterative(positions, { passes: 2 ** 32 })).toThrow(
    /passes must be a whole number from/,
  );
  const far = [...positions];
  far[0] = 2 ** 32;
  expect(() => graze.approximateDecomposition({ positions: far, index }, { tolerance: 0.3 })).toThrow(
    /tolerance/,
  );
  expect(() => cast(box(1, 1, 1), { axis: vec3(0, 1, 0), angle: 1e160 }, level)).toThrow(/angle|turn/);
});

property('[R2.6] degenerate geometry makes a shape that answers, or an error that says why', 250, (rng) => {
  const size = rng.pick([1, 1, 1e-30, 1e30, 1e160, 1e308]);
  const bad = rng.chance(0.2) ? rng.pick([Number.NaN, Infinity, -Infinity]) : null;
  const few = Array.from({ length: rng.int(1, 4) }, () => rng.vec(size));
  /** Of few places: duplicates, points on a line or in a plane, and some that are anywhere. */
  const points = Array.from({ length: rng.int(0, 9) }, () => {
    const [a, b] = [rng.pick(few), rng.pick(few)];
    const t = rng.pick([0, 0.5, 1, rng.unit()]);
    const p = rng.chance(0.2)
      ? rng.vec(size)
      : vec3(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z));
    return bad !== null && rng.chance(0.3) ? { ...p, [rng.pick(['x', 'y', 'z'])]: bad } : p;
  });
  const flat = points.flatMap(({ x, y, z }) => [x, y, z]);
  const index = Array.from({ length: 3 * rng.int(0, 6) }, () => rng.int(0, Math.max(0, points.length - 1)));
  const place = { ...graze.pose(), position: rng.vec(3) };
  for (const make of [
    () => graze.hull(points),
    () => graze.polygon(points),
    () => graze.triangle(...any<[graze.Vec3, graze.Vec3, graze.Vec3]>(points)),
    () => graze.segment(...any<[graze.Vec3, graze.Vec3]>(points), rng.pick([0, size])),
    () => mesh(flat, index),
    () => mesh(flat),
    () => {
      graze.repair({ positions: flat, index });
      return mesh(flat, index);
    },
    () => graze.heightField(flat.slice(0, 9), { columns: 3, rows: 3 }),
    () => box(points[0]?.x ?? 0, 1, bad ?? 1),
  ]) {
    try {
      const shape = make();
      graze.inspect({ positions: flat, index });
      const other = collider(sphere(0.5), place);
      const answers = [
        distance(shape, other),
        graze.intersects(shape, other),
        raycast({ origin: place.position, direction: vec3(0, 0, 1) }, shape),
        cast(other, { translation: vec3(1, 2, 3) }, shape),
        graze.closestPoint(place.position, shape),
        graze.boundsOf(shape),
      ];
      const text = JSON.stringify(answers, (_, x) => (typeof x === 'number' && Number.isNaN(x) ? 'NaN' : x));
      check(!text.includes('"NaN"'), () => `${shape.kind}: ${text}`);
    } catch (error) {
      check(/^graze: /.test((error as Error).message), () => `${error}`);
    }
  }
});

test('a question from far away leaves the world as quick as it was', () => {
  const world = new World();
  for (let i = 0; i < 1000; i++) {
    const position = vec3((i % 10) * 3, (Math.floor(i / 10) % 10) * 3, Math.floor(i / 100) * 3);
    world.add(collider(sphere(1), { ...graze.pose(), position }));
  }
  // Hit or not is within rounding, which is thousands here: what counts is what the world is afterwards.
  world.raycast({ origin: vec3(2 ** 60, 0, 0), direction: vec3(-1, 0, 0) });
  world.nearest(vec3(2 ** 60, 0, 0));
  world.update();
  expect(world.stats.candidates).toBe(0);
});
