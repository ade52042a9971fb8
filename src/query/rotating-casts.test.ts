/** Casts of bodies that rotate, where little decides: starts that touch but for rounding, large triangles, walls. */
import { expect, test } from 'vitest';
import { check, factor, near, property } from '../../tests/kit/index.ts';
import { along, BODIES, dot, norm, pieceOf, placeAt, randomBody } from '../../tests/kit/moving-bodies.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { collider } from '../shapes/collider.ts';
import { compound } from '../shapes/compound.ts';
import { box } from '../shapes/flat-sided-shapes.ts';
import { halfSpace } from '../shapes/half-space.ts';
import { mesh } from '../shapes/mesh.ts';
import { sphere } from '../shapes/round-shapes.ts';
import { cast, type Motion } from './cast.ts';
import { distance } from './distance.ts';
import { intersects } from './intersects.ts';

const v = (x: number, y: number, z: number) => ({ x, y, z });
const HERE = { x: 0, y: 0, z: 0, w: 1 };

let [touching, seen, unseen] = [0, 0, 0];

property('a start that touches but for rounding: of both bodies, and between them', 1500, (rng) => {
  // Balls at triangles are seen by a cast through another formula than by `intersects`: these disagree most.
  const [ball, surface] = [
    BODIES[rng.pick(['sphere', 'capsule', 'segment', 'point'])]!,
    BODIES[rng.pick(['mesh', 'sheet', 'height field'])]!,
  ];
  const [makeA, makeB] = rng.pick([[randomBody, randomBody] as const, [ball, surface], [surface, ball]]);
  const [bodyA, bodyB] = [makeA(rng), makeB(rng)];
  if (bodyA.name === 'half-space' && bodyB.name === 'half-space') return;
  const b: ReadonlyPose = { position: rng.vec(3), quaternion: rng.rotation() };
  const far: ReadonlyPose = { position: rng.vec(6), quaternion: rng.rotation() };
  const apart = distance(collider(bodyA.shape, far), collider(bodyB.shape, b))!;
  if (apart.separation <= 0) return;
  const a = { position: along(far.position, apart.normal, -apart.separation), quaternion: far.quaternion };
  const [one, two] = [collider(bodyA.shape, a), collider(bodyB.shape, b)];
  if (!intersects(one, two)) return;
  const motion: Motion = { axis: rng.direction(), angle: rng.range(-3, 3), pivot: rng.vec(2) };
  const hit = cast(one, motion, two);
  touching++;
  // A cast reads unit quaternions, by which they may be a rounding apart.
  if (hit?.t !== 0) return;
  seen++;
  if (cast(one, { translation: v(0, 0, 0) }, two) === null) unseen++;
  const [partA, partB] = [pieceOf(bodyA, hit.moverPart), pieceOf(bodyB, hit.part)];
  check(partA !== undefined && partB !== undefined, () => `${bodyA.name}, ${bodyB.name}: no such parts`);
  const [placeA, placeB] = [placeAt(a, null, 0), placeAt(b, null, 0)];
  const most = 1e-8 * (bodyA.size + bodyB.size);
  const off = Math.max(partA!.distance(placeA.toOwn(hit.point)), partB!.distance(placeB.toOwn(hit.point)));
  check(off <= most, () => `${bodyA.name}, ${bodyB.name}: the point is ${off} off`);
  near(norm(hit.normal), 1, 1e-12);
  // The two parts are on two sides of the plane through the point.
  const { normal } = hit;
  const above =
    dot(normal, along(placeA.position, hit.point, -1)) -
    partA!.height(placeA.turnBack(along(v(0, 0, 0), normal, -1)));
  const below = dot(normal, along(placeB.position, hit.point, -1)) + partB!.height(placeB.turnBack(normal));
  // Of two that only touch the normal may be off by the root of rounding; meshes are solid, and what touches may be in.
  if (bodyA.winds || bodyB.winds) return;
  check(
    above >= -1e-6 * (bodyA.size + bodyB.size),
    () => `${bodyA.name}, ${bodyB.name}: the mover is ${above} below`,
  );
  check(
    below <= 1e-6 * (bodyA.size + bodyB.size),
    () => `${bodyA.name}, ${bodyB.name}: the target is ${below} above`,
  );
});

test('nearly all of these starts are seen, and some of them are gaps to a cast that does not rotate', () => {
  expect(seen).toBeGreaterThan(0.98 * touching);
  expect(unseen).toBeGreaterThan(2.5 * factor);
});

/** Two triangles that fill a square in the plane z = 0. */
const square = (half: number) =>
  mesh([-half, -half, 0, half, -half, 0, half, half, 0, -half, half, 0], [0, 1, 2, 0, 2, 3]);

test('large triangles that rotate a little, both of them, meet where they do', () => {
  // Two sheets, the one above the other; the upper one tilts about its far edge, the lower one the other way. No corner of
  // either moves as far as it is large.
  for (const half of [1, 10])
    for (const gap of [0.01, 0.1]) {
      const lower = collider(square(half), { position: v(0, 0, 0), quaternion: HERE });
      const upper = collider(square(half), { position: v(0, 0, gap), quaternion: HERE });
      const pivot = v(-half, 0, 0);
      const down: Motion = { axis: v(0, 1, 0), angle: 0.02, pivot: { ...pivot, z: gap } };
      const up: Motion = { axis: v(0, 1, 0), angle: -0.02, pivot };
      const hit = cast(upper, down, lower, { targetMotion: up });
      // The edges at x = half go down and up by 2 half sin α.
      const alpha = Math.asin(gap / (4 * half));
      if (alpha > 0.02) {
        expect(hit).toBeNull();
        continue;
      }
      // Early by a millionth of the sizes; the edges come nearer by 0.08 half in a unit of time.
      near(hit!.t, alpha / 0.02, (1e-6 * 3 * half) / (0.08 * half));
      check(hit!.t <= alpha / 0.02 + 1e-12, 'late');
      near(hit!.point.z, gap / 2, 1e-5 * half);
      near(hit!.point.x, half * (2 * Math.cos(alpha) - 1), 1e-5 * half);
      check(hit!.normal.z > 0.99, 'the normal is out of the lower one');
      for (const part of [hit!.part, hit!.moverPart])
        check(part.triangle === 0 || part.triangle === 1, 'triangle');
    }
});

test('walls that rotate alike keep their distance; those that do not meet far away, at once', () => {
  const [floor, ceiling] = [halfSpace(v(0, 1, 0), 0), halfSpace(v(0, -1, 0), -2)];
  const roll = (angle: number): Motion => ({ axis: v(0, 0, 1), angle, pivot: v(0, 0, 0) });
  const sink = (angle: number): Motion => ({ linear: v(0, -4, 0), angular: v(0, 0, angle) });
  expect(cast(ceiling, roll(0.5), floor, { targetMotion: roll(0.5) })).toBeNull();
  expect(cast(ceiling, roll(-0.5), floor, { targetMotion: roll(-0.5) })).toBeNull();
  for (const [one, other] of [
    [0.5, -0.5],
    [0.5, 0.25],
    [0.25, 0.5],
    [0.5, 0],
    [0, 0.5],
  ] as const) {
    const hit = cast(ceiling, roll(one), floor, { targetMotion: roll(other) })!;
    expect(hit.t).toBe(0);
    near(hit.normal.y, 1, 1e-12);
  }
  // Alike, but for a translation: as far apart as a point of the one is from the other.
  near(
    cast(ceiling, sink(0), floor, { targetMotion: { linear: v(0, 0, 0), angular: v(0, 0, 0) } })!.t,
    0.5,
    1e-6,
  );
});

test('children and triangles are named on the side that they are of, whichever rotates', () => {
  const at = (x: number, y: number) => ({ position: v(x, y, 0), quaternion: HERE });
  // A row of balls; the last one is met first by a bar that comes round.
  const row = compound([
    { shape: sphere(0.2), pose: at(1, 0) },
    { shape: box(0.2, 0.2, 0.2), pose: at(2, 0) },
    { shape: sphere(0.5), pose: at(3, 0) },
  ]);
  const bar = box(4, 0.1, 0.1);
  const turn: Motion = { axis: v(0, 0, 1), angle: -1.5, pivot: v(0, 0, 0) };
  const upright = { position: v(0, 0, 0), quaternion: { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 } };
  const still: Motion = { translation: v(0, 0, 0) };
  const [mover, target] = [collider(bar, upright), collider(row, at(0.5, 0))];
  const hit = cast(mover, turn, target)!;
  // sin α = (0.2 + 0.1) / 1.5 for the first, and (0.5 + 0.1) / 3.5 for the last; the corner of the box is in between.
  near(hit.t * 1.5, Math.PI / 2 - Math.asin(0.3 / 1.5), 1e-5);
  expect([hit.part, hit.moverPart]).toEqual([
    { child: 0, triangle: -1 },
    { child: -1, triangle: -1 },
  ]);
  const back = cast(target, still, mover, { targetMotion: turn })!;
  near(back.t, hit.t, 1e-6);
  expect([back.moverPart, back.part]).toEqual([hit.part, hit.moverPart]);
  // With the first one gone, the last is met.
  const rest = collider(compound(row.children.slice(1)), at(0.5, 0));
  const later = cast(mover, turn, rest)!;
  near(later.t * 1.5, Math.PI / 2 - Math.asin(0.6 / 3.5), 1e-5);
  expect(later.part).toEqual({ child: 1, triangle: -1 });
});
