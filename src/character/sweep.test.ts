/** The sweeps under the moves, against a search along the way by an oracle that only knows whether a place is free. */
import { expect, test } from 'vitest';
import {
  addTo,
  isFree,
  makeLevel,
  pointTriangle,
  randomShape,
  type Triangle,
} from '../../tests/kit/characters.ts';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { Character } from './index.ts';
import { moveContexts } from './move-context.ts';

/** A straight move among three triangles. */
function moveStraight(rng: Rng): void {
  const level = makeLevel();
  const positions: number[] = [];
  for (let i = 0; i < 3; i++) {
    const flat = rng.chance(0.1);
    const a = rng.vec(2);
    const b = flat ? a : rng.vec(2);
    const c = flat && rng.chance(0.5) ? a : rng.vec(2);
    positions.push(a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z);
  }
  if (rng.chance(0.3)) for (let i = 0; i < positions.length; i++) positions[i] = Math.round(positions[i]!);
  addTo(level, mesh(positions));
  const shape = randomShape(rng);
  const start = rng.vec(4);
  const least =
    'radii' in shape
      ? Math.min(shape.radii.x, shape.radii.y, shape.radii.z)
      : 'radius' in shape
        ? shape.radius
        : Math.min(shape.halfSize.x, shape.halfSize.y, shape.halfSize.z);
  const gap = least / 100;
  const largest = 'radii' in shape ? Math.max(shape.radii.x, shape.radii.y, shape.radii.z) : least;
  if (!isFree(level, shape, start, (2 * gap * largest) / least)) return;
  const hero = new Character(level.list, { ...shape, position: start, stepHeight: 0 });
  const v = rng.chance(0.2) ? { x: 0, y: 0, z: 0, [rng.pick(['x', 'y', 'z'] as const)]: 4 } : rng.vec(6);
  Object.assign(hero.velocity, v);
  hero.moveAndSlide(1);
  // The oracle's gap of an ellipsoid is measured in its own way: in parts of its size.
  const more = 'radii' in shape ? (gap * largest) / least : gap;
  const at = (t: number) => ({ x: start.x + t * v.x, y: start.y + t * v.y, z: start.z + t * v.z });
  const [hit] = hero.collisions;
  const speed = Math.hypot(v.x, v.y, v.z);
  const end = hit ? Math.hypot(hit.travel.x, hit.travel.y, hit.travel.z) / speed : 1;
  for (let k = 0; k <= 24; k++)
    check(
      isFree(level, shape, at((end * k) / 24), 0.999 * more),
      () => `not free at ${k}/24 of the way, ${end}`,
    );
  // The gap is lost there: unless it grazes, or is along the way already.
  if (!hit || !(speed > 0)) return;
  const into = -(hit.normal.x * v.x + hit.normal.y * v.y + hit.normal.z * v.z) / speed;
  check(into > -1e-9, () => `hit against the normal: ${into}`);
  if (into < 1e-3) return;
  // Where it is hit the gap is lost, and it stops no farther before that than the band asks for. (Later it may be whole
  // again: who grazes a corner has passed it soon.)
  check(hit.time >= end && hit.time - end < (0.01 * gap) / (into * speed), () => `${end}, ${hit.time}`);
  check(
    !isFree(level, shape, at(hit.time), 1.001 * more),
    () => `stopped too early: ${end}, ${JSON.stringify(hit)}`,
  );
  // All that is told about it belongs together.
  for (const k of ['x', 'y', 'z'] as const) {
    check(Math.abs(hit.travel[k] - end * v[k]) < 1e-12 * (1 + speed), 'travel is not along the motion');
    check(Math.abs(hit.travel[k] + hit.remainder[k] - v[k]) < 1e-12 * (1 + speed), 'travel and remainder');
  }
  const { x, y, z } = hit.normal;
  check(Math.abs(Math.hypot(x, y, z) - 1) < 1e-12, 'the normal is no unit vector');
  check(Math.abs(hit.impulse - into * speed) < 1e-9 * speed, 'the impulse is not the closing speed');
  check(hit.side === (y >= LIMIT ? 'floor' : y <= -LIMIT ? 'ceiling' : hit.side), `${hit.side}, ${y}`);
  const triangle = level.triangles[hit.triangle]!;
  const off = pointTriangle([hit.point.x, hit.point.y, hit.point.z], triangle);
  // Boxes, and the upright side of a capsule, tell the middle of what is touched flat: it need not be on the triangle.
  const flat = 'halfSize' in shape || ('radius' in shape && Math.abs(y) < 1e-6);
  check(flat || off < 1e-6 * (1 + largest), () => `the point is ${off} off its triangle`);
}

/** The y of normals from which on something is ground. */
const LIMIT = Math.cos(0.8) - 1e-9;

property('[S1] a straight move ends just before the first place that is not free', 4000, moveStraight);

test('[S1] so when it grazes a corner, and has passed it a hair later', () => {
  moveStraight(new Rng(794853718 * 1_000_003 + 10159));
});

property(
  '[S2] however long an ellipsoid, where it touches is on the triangle, square to the normal',
  4000,
  (rng) => {
    const size = () => rng.pick([0.02, 0.1, 0.5, 1]) * rng.range(0.5, 1);
    const radii = { x: size(), y: size(), z: size() };
    const corners = [rng.vec(2), rng.vec(2), rng.vec(2)].map(({ x, y, z }) => [x, y, z] as const);
    const level = makeLevel();
    addTo(level, mesh(corners.flat()));
    const position = rng.vec(3);
    const most = Math.max(radii.x, radii.y, radii.z);
    if (!isFree(level, { radii }, position, most / 20)) return;
    const hero = new Character(level.list, { radii, position, stepHeight: 0 });
    Object.assign(hero.velocity, rng.vec(6));
    hero.moveAndSlide(1);
    const [hit] = hero.collisions;
    if (!hit) return;
    const { point, normal } = hit;
    // The band: how much of the gap may be missed. And rounding, of a place in units of the smallest radius.
    const off = pointTriangle([point.x, point.y, point.z], corners as unknown as Triangle);
    check(off < 1e-8 * most + (1e-13 * most) / Math.min(radii.x, radii.y, radii.z), () => `off by ${off}`);
    // From the centre at the time of the touch, the point is where the ellipsoid, enlarged by the gap, has this normal.
    const scale = 1.01 * Math.hypot(radii.x * normal.x, radii.y * normal.y, radii.z * normal.z);
    const center = { x: position.x, y: position.y, z: position.z };
    for (const k of ['x', 'y', 'z'] as const) center[k] += hit.travel[k];
    const depth = (['x', 'y', 'z'] as const).reduce((sum, k) => sum + (center[k] - point[k]) * normal[k], 0);
    check(Math.abs(depth - scale) < 1e-6 * scale, () => `the centre is ${depth} off the plane, not ${scale}`);
  },
);

test('[S1] a start in touch is left freely and not gone into; no motion is no hit', () => {
  const level = makeLevel();
  addTo(level, mesh([-5, 0, -5, -5, 0, 5, 5, 0, 0]));
  const radii = { x: 0.5, y: 0.5, z: 0.5 };
  const hero = new Character(level.list, { radii, position: { x: 0, y: 0.5025, z: 0 } });
  expect(hero.moveAndSlide(1)).toBe(false);
  expect(hero.position.y).toBe(0.5025);
  hero.velocity.y = 2;
  expect(hero.moveAndSlide(1)).toBe(false);
  expect(hero.position.y).toBe(2.5025);
  hero.velocity.y = -2;
  hero.moveAndSlide(1);
  expect(hero.position.y).toBeCloseTo(0.505, 9);
});

test('[S3] few triangles of many are looked at', () => {
  const rng = new Rng(3);
  const positions: number[] = [];
  for (let i = 0; i < 50_000; i++) {
    const { x, y, z } = rng.vec(50);
    for (let k = 0; k < 3; k++) {
      const v = rng.vec(0.3);
      positions.push(x + v.x, y + v.y, z + v.z);
    }
  }
  const level = makeLevel();
  addTo(level, mesh(positions));
  const hero = new Character(level.list, { radius: 0.2, halfHeight: 0.2 });
  let most = 0;
  for (let i = 0; i < 200; i++) {
    hero.teleport(rng.vec(40));
    Object.assign(hero.velocity, rng.vec(0.1));
    hero.moveAndSlide(1);
    most = Math.max(most, moveContexts.take().nearby.count);
    moveContexts.release();
  }
  expect(most).toBeLessThan(60);
});
