import { expect, test } from 'vitest';
import { exactSegmentSegment, exactTriangleTriangle } from '../../tests/kit/exact-distance.ts';
import { check, near, property } from '../../tests/kit/index.ts';
import { along, dot, norm, type Place, placeOf } from '../../tests/kit/moving-bodies.ts';
import { Rng } from '../../tests/kit/rng.ts';
import * as q4 from '../math/quat.ts';
import type { Pose, ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { pose, vec3 } from '../math/types.ts';
import { box, hull } from '../shapes/index.ts';
import { polyhedralModel } from './model/polyhedral-model.ts';
import { touchingFeatures } from './touching-features.ts';
import type { PolyhedralModel, SweepContact } from './types.ts';
import { makeSweepContact } from './types.ts';

const MARGIN = 1e-5;
const small = polyhedralModel(box(0.5, 0.5, 0.5));
const big = polyhedralModel(box(2, 2, 0.5));
const ground = pose();

/** Where the corners of the small box's lower side are. */
const lowerCorners = ({ position: p, quaternion: { x, y, z, w } }: Pose): Vec3[] =>
  [-0.5, 0.5].flatMap((a) =>
    [-0.5, 0.5].map((b) => {
      const c = -0.5;
      return vec3(
        p.x + (1 - 2 * (y * y + z * z)) * a + 2 * (x * y - w * z) * b + 2 * (x * z + w * y) * c,
        p.y + 2 * (x * y + w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - w * x) * c,
        p.z + 2 * (x * z - w * y) * a + 2 * (y * z + w * x) * b + (1 - 2 * (x * x + y * y)) * c,
      );
    }),
  );

property(
  '[P7] a box on a box touches with its four corners, however little it is tilted or off, along the normal of the face',
  2000,
  (rng) => {
    // Each corner is off by less than an eighth of the margin: it counts as over the face.
    const little = (): number => rng.sign() * 10 ** rng.range(-9, -6.5);
    const place: Pose = {
      // Over the middle, or with sides in common planes but for a little.
      position: vec3(
        rng.pick([0, 1.5, -1.5]) + little(),
        rng.pick([0, 1.5, -1.5]) + little(),
        1 + MARGIN / 2 + little(),
      ),
      quaternion: q4.normalize({ x: little(), y: little(), z: little(), w: 1 }),
    };
    const found = touchingFeatures(small, place, big, ground, MARGIN);
    check(found.length === 4, () => `${found.length} contacts ${JSON.stringify(found)}`);
    for (const corner of lowerCorners(place)) {
      const near = found.filter(
        ({ point: p }) =>
          Math.abs(p.x - corner.x) + Math.abs(p.y - corner.y) + Math.abs(p.z - corner.z) < 1e-12,
      );
      check(near.length === 1, 'each corner once');
      const { normal, gap, moverKind, targetKind } = near[0]!;
      check(moverKind === 'vertex' && targetKind === 'polygon', 'corners on the face');
      check(normal.x === 0 && normal.y === 0 && normal.z === 1, 'along the normal of the face');
      check(Math.abs(gap - (corner.z - 0.5)) < 1e-14, 'as far as it is');
    }
  },
);

test('[P7] a list that is given is filled from its start, and nothing is told of what is farther than the margin', () => {
  const place: Pose = { position: vec3(0, 0, 1 + 2 * MARGIN), quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  expect(touchingFeatures(small, place, big, ground, MARGIN)).toHaveLength(0);
  place.position.z = 1 + MARGIN / 2;
  const list = [makeSweepContact()];
  expect(touchingFeatures(small, place, big, ground, MARGIN, list)).toBe(list);
  expect(list).toHaveLength(4);
});

/** The features of a model, brought to the world by a matrix. */
function worldOf(model: PolyhedralModel, place: Place) {
  const point = (i: number): Vec3 =>
    place.toWorld({ x: model.points[3 * i]!, y: model.points[3 * i + 1]!, z: model.points[3 * i + 2]! });
  const points = Array.from({ length: model.points.length / 3 }, (_, i) => point(i));
  const edge = (i: number): [Vec3, Vec3] => [points[model.edges[2 * i]!]!, points[model.edges[2 * i + 1]!]!];
  const edges = Array.from({ length: model.edges.length / 2 }, (_, i) => edge(i));
  const polygon = (f: number): Vec3[] =>
    [...model.polygonVertices.slice(model.polygonStart[f]!, model.polygonStart[f + 1]!)].map(
      (i) => points[i]!,
    );
  const polygons = Array.from({ length: model.polygonStart.length - 1 }, (_, f) => polygon(f));
  return { points, edges, polygons };
}
type World = ReturnType<typeof worldOf>;

const cross = (a: ReadonlyVec3, b: ReadonlyVec3): Vec3 =>
  vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
const unit = (a: ReadonlyVec3): Vec3 => vec3(a.x / norm(a), a.y / norm(a), a.z / norm(a));
const from = (a: ReadonlyVec3, b: ReadonlyVec3): Vec3 => along(b, a, -1);
const normalOf = ([a, b, c]: readonly Vec3[]): Vec3 => unit(cross(from(a!, b!), from(a!, c!)));

/** Of all directions that can part convex bodies, the one that does it best: the signed distance along it, and itself. */
function bestDirection(a: World, b: World): { separation: number; direction: Vec3 } {
  const directions = [...a.polygons, ...b.polygons].map(normalOf);
  for (const [p, q] of a.edges)
    for (const [r, s] of b.edges) {
      const n = cross(unit(from(p, q)), unit(from(r, s)));
      if (norm(n) > 1e-6) directions.push(unit(n));
    }
  let best = { separation: -Infinity, direction: vec3(0, 0, 1) };
  for (const one of directions)
    for (const direction of [one, along(vec3(), one, -1)]) {
      const low = Math.min(...a.points.map((p) => dot(p, direction)));
      const high = Math.max(...b.points.map((p) => dot(p, direction)));
      if (low - high > best.separation) best = { separation: low - high, direction };
    }
  return best;
}

/** The feature of a kind and number is where the contact says, and the gap is that of the two. */
function checkFeatures(a: World, b: World, contact: SweepContact): void {
  const { point, normal, gap, moverKind, moverFeature, targetKind, targetFeature } = contact;
  near(norm(normal), 1, 1e-12, 'length of the normal');
  const off = (world: World, kind: string, feature: number, p: ReadonlyVec3): number => {
    if (kind === 'vertex') return norm(from(world.points[feature]!, p));
    if (kind === 'edge') {
      const [q, r] = world.edges[feature]!;
      const t = Math.max(0, Math.min(1, dot(from(q, p), from(q, r)) / dot(from(q, r), from(q, r))));
      return norm(from(along(q, from(q, r), t), p));
    }
    const corners = world.polygons[feature]!;
    const n = normalOf(corners);
    const beside = corners.map((q, i) => {
      const along_ = from(q, corners[(i + 1) % corners.length]!);
      return -dot(cross(n, unit(along_)), from(q, p));
    });
    // Vertices may be a little beside a polygon: no more than the margin.
    return Math.max(Math.abs(dot(n, from(corners[0]!, p))), ...beside.map((by) => by - 1.001 * WIDE));
  };
  check(off(a, moverKind, moverFeature, point) < 1e-12, () => `not on the mover: ${JSON.stringify(contact)}`);
  const foot = along(point, normal, -gap);
  check(
    off(b, targetKind, targetFeature, foot) < 1e-12,
    () => `not on the target: ${JSON.stringify(contact)}`,
  );
  if (targetKind === 'polygon')
    near(Math.abs(dot(normal, normalOf(b.polygons[targetFeature]!))), 1, 1e-12, 'normal of the face');
  if (moverKind === 'edge' && targetKind === 'edge') {
    const [one, two] = [a.edges[moverFeature]!, b.edges[targetFeature]!];
    near(exactSegmentSegment(...one, ...two), Math.abs(gap), 1e-12, 'distance of the edges');
    near(dot(normal, from(...one)), 0, 1e-12, 'across the edge of the mover');
  }
}

const WIDE = 0.01;
const convexModel = (rng: Rng): PolyhedralModel =>
  rng.chance(0.5)
    ? polyhedralModel(box(rng.range(0.3, 1), rng.range(0.3, 1), rng.range(0.3, 1)))
    : polyhedralModel(hull(Array.from({ length: rng.int(5, 12) }, () => rng.vec())));

/** The signed distance of two convex bodies is among the contacts, and each contact is that of its features. */
function checkDistance(rng: Rng): void {
  const [mover, target] = [convexModel(rng), convexModel(rng)];
  const at: ReadonlyPose = { position: rng.vec(2), quaternion: rng.rotation() };
  const poseA: Pose = { position: rng.vec(3), quaternion: rng.rotation() };
  const b = worldOf(target, placeOf(at));
  // Brought to a gap or depth within the margin.
  const wanted = rng.pick([-1, 1]) * rng.pick([rng.range(0, 0.9 * WIDE), 1e-6, 1e-9]);
  const before = bestDirection(worldOf(mover, placeOf(poseA)), b);
  poseA.position = along(poseA.position, before.direction, wanted - before.separation);
  const a = worldOf(mover, placeOf(poseA));
  const { separation, direction } = bestDirection(a, b);
  const contacts = touchingFeatures(mover, poseA, target, at, WIDE);
  for (const contact of contacts) checkFeatures(a, b, contact);
  if (separation > 0) {
    // The distance may be larger than along any of those directions: between corners.
    const fans = (world: World) =>
      world.polygons.flatMap((p) => p.slice(2).map((c, i) => [p[0]!, p[i + 1]!, c] as const));
    let least = Infinity;
    for (const s of fans(a))
      for (const t of fans(b)) least = Math.min(least, exactTriangleTriangle(...s, ...t));
    if (least > 0.99 * WIDE) return;
    const found = Math.min(...contacts.map(({ gap }) => gap));
    // What is beside a polygon may be reported with its height.
    check(found >= least - WIDE / 64 - 1e-12, () => `the least gap ${found} is less than ${least}`);
    check(found <= least + 1e-12, () => `the least gap ${found} is more than ${least}`);
    return;
  }
  const deepest = contacts.filter(
    ({ gap, normal }) => Math.abs(gap - separation) < 1e-12 && norm(from(normal, direction)) < 1e-6,
  );
  check(
    deepest.length > 0,
    () => `no depth of ${-separation} in ${JSON.stringify(contacts.map((c) => c.gap))}`,
  );
}

property(
  '[P7] gap or depth: the signed distance is among the contacts, and each is that of its features',
  200,
  checkDistance,
);

test('[P7] a corner that has come out on the far side of a sharp solid has no depth', () => {
  checkDistance(new Rng(11 * 1_000_003 + 1275));
});

test('[P7] a box sunk into another tells its depth at each corner; sheets have none', () => {
  const place: Pose = { position: vec3(0.2, 0.1, 1 - 1e-3), quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  const found = touchingFeatures(small, place, big, ground, 0.01);
  expect(found).toHaveLength(4);
  for (const { gap, normal, point } of found) {
    near(gap, -1e-3, 1e-15);
    expect(normal).toEqual({ x: 0, y: 0, z: 1 });
    near(point.z, 0.5 - 1e-3, 1e-15);
  }
  const sheet = polyhedralModel(
    { positions: [-9, -9, 0.5, 9, -9, 0.5, 9, 9, 0.5, -9, 9, 0.5], index: [0, 1, 2, 0, 2, 3] },
    { sides: 'front' },
  );
  expect(touchingFeatures(small, place, sheet, ground, 0.01)).toHaveLength(0);
});

test('[P7] beside a face and in its plane: the gap is the distance, not the height', () => {
  // The corners of the small box are 0.001 margins in front of the plane of a side, and 0.9 margins below its edge.
  const place = pose();
  place.position = vec3(-2.5 - 0.001 * MARGIN, 0, -1 - 0.9 * MARGIN);
  const found = touchingFeatures(small, place, big, ground, MARGIN);
  expect(found.length).toBeGreaterThan(0);
  for (const { gap, normal } of found) {
    expect(Math.abs(gap - 0.9 * MARGIN)).toBeLessThan(MARGIN / 64);
    expect(normal.z).toBeLessThan(-0.99);
  }
});
