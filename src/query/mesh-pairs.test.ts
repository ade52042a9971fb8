/** Meshes, half-spaces and compounds against asking every part of them. */
import { expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import {
  boxMesh,
  cornersOf,
  icosphere,
  soup,
  type TriangleArrays,
  terrain,
  torus,
} from '../../tests/kit/meshes.ts';
import { transformPoint } from '../math/pose.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { compound } from '../shapes/compound.ts';
import { box, hull, segment, triangle } from '../shapes/flat-sided-shapes.ts';
import { halfSpace } from '../shapes/half-space.ts';
import { mesh } from '../shapes/mesh.ts';
import type { Separation } from '../shapes/results.ts';
import { capsule, cone, cylinder, ellipsoid, sphere } from '../shapes/round-shapes.ts';
import type { Shape } from '../shapes/shape.ts';
import { cast } from './cast.ts';
import { contacts } from './contacts.ts';
import { distance } from './distance.ts';
import { intersects } from './intersects.ts';

function surface(rng: Rng): TriangleArrays {
  const open = [() => terrain(rng, 5), () => soup(rng, rng.int(1, 25)), () => dented(torus(10, 6))];
  return rng.pick(open)();
}

/** Without one of its triangles: nothing is inside of it. */
const dented = ({ positions, index }: TriangleArrays): TriangleArrays => ({
  positions,
  index: index.slice(3),
});

function solid(rng: Rng, size: number): Shape {
  const s = () => size * rng.range(0.1, 1);
  return rng.pick<() => Shape>([
    () => sphere(s()),
    () => box(s(), s(), s(), rng.pick([0, s()])),
    () => capsule(s(), s()),
    () => cylinder(s(), s()),
    () => cone(s(), s()),
    () => ellipsoid(s(), s(), s()),
    () => hull(Array.from({ length: 8 }, () => rng.vec(size))),
    () => segment(rng.vec(size), rng.vec(size)),
  ])();
}

const pose = (rng: Rng, far: number, about = 0): ReadonlyPose => {
  const { x, y, z } = rng.vec(far);
  return { position: { x: x + about, y: y + about, z }, quaternion: rng.rotation() };
};

/** Depths of curved shapes are approached from different sides, and times come early by a billionth. */
const SAME = 1e-7;

/** Of what overlaps: no less deep than in any part alone, and the motion parts it from each. */
function mustPartAll(
  body: Placed,
  parts: readonly Placed[],
  { separation, normal: n }: Separation,
  least: number,
  room: number,
): void {
  check(separation <= least + room, () => `${separation}, and ${least} in a part alone`);
  const { x, y, z } = body.pose.position;
  const position = { x: x - separation * n.x, y: y - separation * n.y, z: z - separation * n.z };
  const there = { shape: body.shape, pose: { position, quaternion: body.pose.quaternion } };
  for (const part of parts) check(distance(there, part)!.separation >= -room, 'a part is still in the way');
}

interface Placed {
  readonly shape: Shape;
  readonly pose: ReadonlyPose;
}

property('an open mesh answers as its triangles, one by one', 250, (rng) => {
  const arrays = surface(rng);
  const whole = {
    shape: mesh(arrays.positions, arrays.index, { leafSize: rng.int(1, 10) }),
    pose: pose(rng, 2),
  };
  const parts = Array.from({ length: arrays.index.length / 3 }, (_, i) => ({
    shape: triangle(...cornersOf(arrays, i)),
    pose: whole.pose,
  }));
  const { min, max } = whole.shape.bounds;
  const size = Math.max(max.x - min.x, max.y - min.y, max.z - min.z, 1e-3);
  for (let i = 0; i < 4; i++) {
    const middle = transformPoint(whole.pose, {
      x: (min.x + max.x) / 2,
      y: (min.y + max.y) / 2,
      z: (min.z + max.z) / 2,
    });
    const off = rng.vec(size * rng.pick([0.3, 1, 3]));
    const at = {
      position: { x: middle.x + off.x, y: middle.y + off.y, z: middle.z + off.z },
      quaternion: rng.rotation(),
    };
    const body = { shape: solid(rng, size * rng.pick([0.1, 0.5])), pose: at };
    const each = parts.map((part) => distance(body, part)!);
    const least = Math.min(...each.map(({ separation }) => separation));
    const found = distance(body, whole)!;
    if (least > 0) {
      near(found.separation, least, SAME * size, 'separation');
      near(each[found.partB.triangle]!.separation, least, SAME * size, 'the triangle that is named');
    } else mustPartAll(body, parts, found, least, SAME * size);
    if (Math.abs(least) > SAME * size) check(intersects(body, whole) === least < 0, 'intersects');
    check(
      distance(body, whole, { maxDistance: least - SAME * size - Math.abs(least) * SAME }) === null ||
        least < 0,
      'beyond the limit',
    );
    // That of the whole, if no triangle alone is as deep, names the one that is left last.
    const list = contacts(body, whole);
    if (list.length > 0 && list[list.length - 1]!.separation < least - SAME * size) list.pop();
    const touching = new Set(list.map(({ partB }) => partB.triangle));
    each.forEach(({ separation }, k) => {
      if (separation < -SAME * size) check(touching.has(k), () => `no contact with triangle ${k}`);
      if (separation > SAME * size) check(!touching.has(k), () => `a contact with triangle ${k}, far away`);
    });
    const translation = rng.vec(4 * size);
    const times = parts.map((part) => cast(body, { translation }, part)?.t ?? Infinity);
    const first = Math.min(...times);
    const hit = cast(body, { translation }, whole);
    near(hit?.t ?? 2, Math.min(first, 2), 1e-6, 'time');
  }
});

property('a mesh against a mesh: casts as the triangles, one by one', 60, (rng) => {
  const [a, b] = [surface(rng), surface(rng)];
  const one = { shape: mesh(a.positions, a.index), pose: pose(rng, 1) };
  const two = { shape: mesh(b.positions, b.index), pose: pose(rng, 1, 6) };
  if (intersects(one, two)) return;
  const translation = { x: 9, y: 9, z: rng.range(-2, 2) };
  let first = Infinity;
  for (let i = 0; i < a.index.length / 3; i++)
    for (let k = 0; k < b.index.length / 3; k += 3) {
      const hit = cast(
        { shape: triangle(...cornersOf(a, i)), pose: one.pose },
        { translation },
        { shape: triangle(...cornersOf(b, k)), pose: two.pose },
      );
      if (hit) first = Math.min(first, hit.t);
    }
  // A third of the triangles of the second: none of them may be touched before the whole is.
  const hit = cast(one, { translation }, two);
  check((hit?.t ?? 2) <= first + 1e-6, () => `late: ${hit?.t} after ${first}`);
});

property('a half-space: the lowest point of anything', 2000, (rng) => {
  const arrays = surface(rng);
  const normal = rng.direction();
  const wall = { shape: halfSpace(normal, rng.range(-1, 1)), pose: pose(rng, 2) };
  const body = { shape: mesh(arrays.positions, arrays.index), pose: pose(rng, 2) };
  const n = distance(sphere(1), wall)!.normal;
  const on = distance({ shape: sphere(0), pose: wall.pose }, wall)!;
  let least = Infinity;
  for (let i = 0; i < arrays.positions.length; i += 3) {
    if (!arrays.index.includes(i / 3)) continue;
    const p = transformPoint(body.pose, {
      x: arrays.positions[i]!,
      y: arrays.positions[i + 1]!,
      z: arrays.positions[i + 2]!,
    });
    const from = on.pointB;
    least = Math.min(least, (p.x - from.x) * n.x + (p.y - from.y) * n.y + (p.z - from.z) * n.z);
  }
  const { separation } = distance(body, wall)!;
  near(separation, least, 1e-11 * (1 + Math.abs(least)), 'height');
  check(intersects(wall, body) === separation <= 0, 'intersects');
});

property('a compound answers as its children, one by one', 400, (rng) => {
  const children = Array.from({ length: rng.int(1, 6) }, () => ({
    shape: solid(rng, 0.5),
    pose: pose(rng, 2),
  }));
  const whole = { shape: compound(children), pose: pose(rng, 3) };
  const body = { shape: solid(rng, 0.8), pose: pose(rng, 4) };
  const lone = children.map((_, i) => ({ shape: compound([children[i]!]), pose: whole.pose }));
  const least = Math.min(...lone.map((part) => distance(body, part)!.separation));
  const found = distance(body, whole)!;
  if (least > 0) {
    near(found.separation, least, SAME, 'separation');
    near(distance(body, lone[found.partB.child]!)!.separation, least, SAME, 'the child that is named');
  } else mustPartAll(body, lone, found, least, SAME);
  const translation = rng.vec(6);
  const first = Math.min(...lone.map((part) => cast(body, { translation }, part)?.t ?? 2));
  near(cast(body, { translation }, whole)?.t ?? 2, first, 1e-6, 'time');
});

test('[R2.4.3a] a thin wall: standing still on either side misses it, and on the way it is hit when it should be', () => {
  const ball = icosphere(2);
  const wall = box(5, 5, 0.001);
  const bullet = (z: number) => ({
    shape: sphere(0.1),
    pose: { position: { x: 0, y: 0, z }, quaternion: { x: 0, y: 0, z: 0, w: 1 } },
  });
  expect(intersects(bullet(-3), wall)).toBe(false);
  expect(intersects(bullet(3), wall)).toBe(false);
  const hit = cast(bullet(-3), { translation: { x: 0, y: 0, z: 6 } }, wall)!;
  expect(hit.t).toBeLessThanOrEqual((3 - 0.101) / 6);
  expect(hit.t).toBeCloseTo((3 - 0.101) / 6, 8);
  expect(hit.normal.z).toBeCloseTo(-1, 9);
  // The same with a shell of triangles, from the outside.
  const shell = mesh(ball.positions, ball.index);
  expect(cast(bullet(-3), { translation: { x: 0, y: 0, z: 6 } }, shell)!.t).toBeCloseTo(1.9 / 6, 2);
});

property(
  '[R2.4.3a] thin walls of all kinds, from both sides: no step sees them, every cast hits on time',
  150,
  (rng) => {
    const thin = rng.pick([1e-2, 1e-4, 1e-9]);
    const plate = boxMesh({ x: -5, y: -5, z: -thin }, { x: 5, y: 5, z: thin });
    const corner = (x: number, y: number) => ({ x: 5 * x, y: 5 * y, z: 0 });
    const [shape, half] = rng.pick<[Shape, number]>([
      [box(5, 5, thin), thin],
      [mesh(plate.positions, plate.index), thin],
      [mesh([-5, -5, 0, 9, -5, 0, -5, 9, 0]), 0],
      [triangle(corner(-1, -1), corner(2, -1), corner(-1, 2)), 0],
      [compound([{ shape: box(5, 5, thin) }]), thin],
    ]);
    const side = rng.sign();
    const [r, from, way] = [rng.range(0.05, 0.3), rng.range(0.5, 3), rng.range(7, 50)];
    const bullet = (z: number) => ({
      shape: rng.chance(0.5) ? sphere(r) : box(r, r, r),
      pose: { position: { x: 0.1, y: 0.2, z: side * z }, quaternion: { x: 0, y: 0, z: 0, w: 1 } },
    });
    const wall = { shape, pose: { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } } };
    check(!intersects(bullet(from), wall) && !intersects(bullet(from - way), wall), 'seen standing still');
    const hit = cast(bullet(from), { translation: { x: 0, y: 0, z: -side * way } }, wall);
    check(hit !== null, 'missed');
    const time = (from - r - half) / way;
    check(hit!.t <= time, () => `late by ${hit!.t - time}`);
    near(hit!.t, time, 1e-6, 'time');
    near(hit!.normal.z, side, 1e-9, 'normal');
    near(hit!.point.z, side * half, 1e-5, 'point');
    // Too short a way: neither.
    const short = { translation: { x: 0, y: 0, z: -side * 0.99 * (from - r - half) } };
    check(cast(bullet(from), short, wall) === null, 'before it is there');
  },
);

property(
  '[R2.2.2] a solid beside one that was left out: all that is told is what is told of it alone',
  16,
  (rng) => {
    const { positions, index } = rng.pick([torus(12, 8, 1, 0.4), icosphere(1)]);
    const [count, vertices] = [index.length / 3, positions.length / 3];
    const lone = mesh(positions, index);
    const second = [...index].map((i) => i + vertices);
    const of = mesh([...positions.map((x) => 3 * x), ...positions], [...index, ...second], {
      exclude: (triangle) => triangle < count,
    });
    const other = { shape: rng.pick([solid(rng, 0.6), mesh(positions, index), lone]), pose: pose(rng, 1.5) };
    const translation = rng.vec(4);
    for (const ask of [
      (body: Shape) => distance(body, other),
      (body: Shape) => contacts(body, other, { margin: 0.1 }),
      (body: Shape) => cast(body, { translation }, other),
      (body: Shape) => cast(body, { axis: { x: 1, y: 0, z: 0 }, angle: 1 }, other),
    ]) {
      /** The numbers of the triangles of the body in question: `partA` of pairs, `moverPart` of casts. */
      const told = (body: Shape, by: number) =>
        JSON.stringify(ask(body), (key, value) =>
          /^(partA|moverPart)$/.test(key) && value.triangle >= 0
            ? { ...value, triangle: value.triangle + by }
            : value,
        );
      check(told(of, 0) === told(lone, count), () => `${told(of, 0)} is not ${told(lone, count)}`);
    }
  },
);

test('what floats in a closed mesh meets it, and the way out is told', () => {
  const { positions, index } = icosphere(3);
  const shell = mesh(positions, index);
  const body = {
    shape: sphere(0.1),
    pose: { position: { x: 0.5, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } },
  };
  expect(intersects(body, shell)).toBe(true);
  expect(cast(body, { translation: { x: 3, y: 0, z: 0 } }, shell)?.t).toBe(0);
  const { separation, normal } = distance(body, shell)!;
  expect(separation).toBeCloseTo(-0.6, 1);
  expect(normal.x).toBeGreaterThan(0.95);
});
