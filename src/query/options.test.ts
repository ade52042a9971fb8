/** The records of options: what each option does, and that nothing else is taken for one. */
import { describe, expect, test } from 'vitest';
import { vec3 } from '../math/types.ts';
import { box, compound, halfSpace, heightField, sphere } from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { makeCastHit, makeClosestPoint, makeSeparation } from '../shapes/results.ts';
import { cast } from './cast.ts';
import { closestPoint } from './closest-point.ts';
import { contacts } from './contacts.ts';
import { distance } from './distance.ts';
import { closestPointMany } from './many.ts';

const v = vec3;
const at = (x: number, y: number, z: number) => ({
  position: v(x, y, z),
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
});
const tetrahedron = mesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);

test('a field that is no option is refused, and so is what is no record', () => {
  const ball = sphere(1);
  const bad = { tMax: 1 } as never;
  expect(() => distance(ball, ball, bad)).toThrow(/distance: options has the unknown field 'tMax'/);
  expect(() => contacts(ball, ball, bad)).toThrow(/contacts: options has the unknown field 'tMax'/);
  expect(() => cast(ball, { translation: v(1) }, ball, bad)).toThrow(
    /cast: options has the unknown field 'tMax'/,
  );
  expect(() => closestPoint(v(), ball, bad)).toThrow(/closestPoint: options has the unknown field 'tMax'/);
  expect(() => closestPointMany([], ball, bad)).toThrow(/closestPointMany: options has the unknown field/);
  for (const none of [null, 1, [], 'x'] as never[]) {
    expect(() => distance(ball, ball, none)).toThrow('distance: options must be a record of options');
    expect(() => contacts(ball, ball, none)).toThrow('contacts: options must be a record of options');
    expect(() => cast(ball, { translation: v(1) }, ball, none)).toThrow('cast: options must be a record');
    expect(() => closestPoint(v(), ball, none)).toThrow('closestPoint: options must be a record of options');
  }
});

test('out is filled and given back', () => {
  const ball = { shape: sphere(1), pose: at(5, 0, 0) };
  const [gap, hit, near, list] = [makeSeparation(), makeCastHit(), makeClosestPoint(), []];
  expect(distance(sphere(1), ball, { out: gap })).toBe(gap);
  expect(gap.separation).toBe(3);
  expect(cast(sphere(1), { translation: v(6, 0, 0) }, ball, { out: hit })).toBe(hit);
  expect(hit.t).toBeCloseTo(0.5, 9);
  expect(closestPoint(v(), ball, { out: near })).toBe(near);
  expect([near.distance, near.point]).toEqual([4, v(4, 0, 0)]);
  expect(contacts(sphere(1), ball, { margin: 3, out: list })).toBe(list);
  expect(list.length).toBe(1);
});

test('cast: maxT is part of the range, and targetMotion moves the target', () => {
  const ball = { shape: sphere(1), pose: at(5, 0, 0) };
  const motion = { translation: v(6, 0, 0) };
  const { t } = cast(sphere(1), motion, ball)!;
  expect(cast(sphere(1), motion, ball, { maxT: t })?.t).toBe(t);
  expect(cast(sphere(1), motion, ball, { maxT: t - 1e-9 })).toBeNull();
  const targetMotion = { translation: v(-6, 0, 0) };
  const both = cast(sphere(1), motion, ball, { targetMotion })!;
  expect(both.t).toBeCloseTo(0.25, 9);
  expect(both.point.x).toBeCloseTo(2.5, 9);
  expect(cast(sphere(1), motion, ball, { targetMotion, maxT: 0.2 })).toBeNull();
  expect(() => cast(sphere(1), motion, ball, { maxT: Number.NaN })).toThrow(/cast: options\.maxT/);
});

describe('closestPoint: maxDistance is part of the range', () => {
  const shapes = {
    sphere: sphere(1),
    box: box(1, 1, 1),
    halfSpace: halfSpace(v(0, 1, 0), 1),
    mesh: tetrahedron,
    heightField: heightField([0, 0, 0, 0], { columns: 2, rows: 2 }),
    compound: compound([{ shape: sphere(1), pose: at(0, -4, 0) }, { shape: tetrahedron }]),
  };
  for (const [name, shape] of Object.entries(shapes))
    test(name, () => {
      const body = { shape, pose: at(3, 1, 2) };
      const p = v(3.2, 7, 2.1);
      const all = closestPoint(p, body);
      expect(closestPoint(p, body, { maxDistance: all.distance })).toEqual(all);
      expect(closestPoint(p, body, { maxDistance: Infinity })).toEqual(all);
      expect(closestPoint(p, body, { maxDistance: all.distance - 1e-9 })).toBeNull();
      expect(closestPoint(p, body, { maxDistance: 0 })).toBeNull();
      const own = closestPoint(all.point, body, { maxDistance: 0 });
      expect(own?.distance).toBe(0);
      expect(() => closestPoint(p, body, { maxDistance: -1 })).toThrow(/closestPoint: options\.maxDistance/);
    });
});
