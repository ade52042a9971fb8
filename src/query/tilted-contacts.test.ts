/** Contacts of round and rounded bodies that touch at a slight angle: on both surfaces, one straight over the other. */
import { expect, test } from 'vitest';
import { check, factor, property, type Rng } from '../../tests/kit/index.ts';
import { holds } from '../../tests/kit/shape-oracle.ts';
import { inverseTransformPoint } from '../math/pose.ts';
import * as q4 from '../math/quat.ts';
import type { ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { collider } from '../shapes/collider.ts';
import { box } from '../shapes/flat-sided-shapes.ts';
import { capsule, cone, cylinder, ellipsoid } from '../shapes/round-shapes.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { cast } from './cast.ts';
import { contacts } from './contacts.ts';
import { distance } from './distance.ts';

const AXES = [vec3(1), vec3(0, 1), vec3(0, 0, 1)];

/** All with a radius of 1, sharp and rounded. */
const draw = (rng: Rng, length: number): ConvexShape =>
  rng.pick<() => ConvexShape>([
    () => capsule(length, 1),
    () => cylinder(length, 1),
    () => cylinder(length, 0.6, 0.4),
    () => cone(length, 1),
    () => cone(length, 0.6, 0.4),
    () => ellipsoid(1, length, 0.7),
    () => box(1, length, 0.7),
    () => box(0.6, length, 0.3, 0.4),
  ])();

/** Is the point outside once it is moved by `error` along `outwards`, and inside ten times as far towards the middle? */
function isOnSurface(
  shape: ConvexShape,
  pose: ReadonlyPose,
  p: ReadonlyVec3,
  outwards: ReadonlyVec3,
  error: number,
): boolean {
  const beyond = inverseTransformPoint(pose, v3.addScaled(p, outwards, error));
  const own = inverseTransformPoint(pose, p);
  const inwards = v3.normalize(v3.sub(shape.core.center, own));
  return !holds(shape, beyond) && holds(shape, v3.addScaled(own, inwards, 10 * error));
}

/** Of the radius; the conventions say a thousandth. */
const ON_SURFACE = 1e-4;
const SIDEWAYS = 1e-8;

let several = 0;
property('the two points of a contact are on the surfaces and nothing apart sideways', 1200, (rng) => {
  const [a, b] = [draw(rng, rng.pick([0.5, 2, 6])), draw(rng, rng.pick([0.5, 2, 6]))];
  const still = { position: vec3(), quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  const quarter = q4.fromAxisAngle(rng.pick(AXES), (Math.PI / 2) * rng.int(0, 2));
  const about = q4.fromAxisAngle(rng.pick(AXES), rng.pick([0, rng.range(0, 6)]));
  const tilt = q4.fromAxisAngle(rng.direction(), rng.pick([0, 1e-4, 1e-3, 0.01, 0.03, 0.06]));
  const quaternion = q4.multiply(tilt, q4.multiply(quarter, about));
  // Let b come to a until they touch, and a bit farther.
  const towards = rng.pick([...AXES, rng.direction()]);
  const start = v3.addScaled(rng.vec(0.3), towards, 20);
  const motion = v3.scale(towards, -25);
  const hit = cast(collider(b, { position: start, quaternion }), { translation: motion }, a);
  if (hit === null) return;
  const deeper = rng.pick([0, 1e-6, 1e-3, 0.02]);
  const pose = {
    position: v3.addScaled(v3.addScaled(start, motion, hit.t), towards, -deeper),
    quaternion,
  };
  const other = collider(b, pose);
  const all = contacts(a, other, { margin: 0.05 });
  const { separation } = distance(a, other)!;
  if (all.length > 1) several++;
  check(all.length > 0, 'no contact');
  check(
    Math.abs(Math.min(...all.map((c) => c.separation)) - separation) <= 2e-5,
    () => `the least separation is ${Math.min(...all.map((c) => c.separation))}, not ${separation}`,
  );
  for (const { pointA, pointB, normal, separation: own } of all) {
    const way = v3.sub(pointA, pointB);
    const along = v3.dot(way, normal);
    const sideways = v3.length(v3.addScaled(way, normal, -along));
    check(sideways <= SIDEWAYS, () => `${a.kind} and ${b.kind}: ${sideways} apart sideways`);
    check(Math.abs(along - own) <= 1e-12, () => `${along} apart, not ${own}`);
    check(isOnSurface(a, still, pointA, v3.negate(normal), ON_SURFACE), () => `not on the ${a.kind}`);
    check(isOnSurface(b, pose, pointB, normal, ON_SURFACE), () => `not on the ${b.kind}`);
  }
});
test('many touch in more than one place', () => expect(several).toBeGreaterThan(150 * factor));

test('capsules that lie across each other at a hundredth of a radian', () => {
  const tilt = q4.fromAxisAngle(vec3(0, 0, 1), 0.01);
  const other = collider(capsule(3, 1), { position: vec3(0, 0, 1.999), quaternion: tilt });
  const all = contacts(capsule(3, 1), other, { margin: 0.01 });
  expect(all.length).toBeGreaterThanOrEqual(2);
  for (const { pointA, pointB, separation } of all) {
    expect(Math.hypot(pointA.x - pointB.x, pointA.y - pointB.y)).toBeLessThan(1e-9);
    // Both surfaces are circles of radius 1 about their axes.
    const besideA = pointA.x;
    const besideB = pointB.x * Math.cos(0.01) + pointB.y * Math.sin(0.01);
    expect(pointA.z).toBeCloseTo(Math.sqrt(1 - besideA * besideA), 9);
    expect(pointB.z).toBeCloseTo(1.999 - Math.sqrt(1 - besideB * besideB), 9);
    expect(separation).toBeCloseTo(pointB.z - pointA.z, 9);
  }
});
