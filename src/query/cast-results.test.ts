/** All that a cast returns, against closed forms of the bodies and matrices for their motions. */
import { describe, expect, test } from 'vitest';
import { check, near, property, Rng } from '../../tests/kit/index.ts';
import { boxMesh } from '../../tests/kit/meshes.ts';
import {
  along,
  type ConvexPiece,
  dot,
  norm,
  type PiecedBody,
  pieceOf,
  placeAt,
  randomBody,
  randomFlatBody,
  randomMotion,
  turns,
} from '../../tests/kit/moving-bodies.ts';
import type { ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import { collider } from '../shapes/collider.ts';
import { box, triangle } from '../shapes/flat-sided-shapes.ts';
import { halfSpace } from '../shapes/half-space.ts';
import { mesh } from '../shapes/mesh.ts';
import type { CastHit } from '../shapes/results.ts';
import { sphere } from '../shapes/round-shapes.ts';
import { cast, type Motion } from './cast.ts';
import { distance } from './distance.ts';
import { intersects } from './intersects.ts';

const v = (x: number, y: number, z: number) => ({ x, y, z });

interface Side {
  readonly body: PiecedBody;
  readonly pose: ReadonlyPose;
  readonly motion: Motion | null;
}

const nameOf = ({ body, motion }: Side): string => `${body.name} ${JSON.stringify(motion)}`;

/** Two bodies with poses; some pairs are far from the origin. Two half-spaces are another matter. */
function randomPair(rng: Rng, make: (rng: Rng) => PiecedBody) {
  const middle = rng.chance(0.1) ? rng.vec(1e4) : v(0, 0, 0);
  const pose = (): ReadonlyPose => ({
    position: along(middle, rng.vec(3), 1),
    quaternion: rng.rotation(),
  });
  const bodyA = make(rng);
  let bodyB = make(rng);
  while (bodyA.name === 'half-space' && bodyB.name === 'half-space') bodyB = make(rng);
  const [a, b] = [
    { body: bodyA, pose: pose() },
    { body: bodyB, pose: pose() },
  ];
  const way = along(b.pose.position, a.pose.position, -1);
  /** Pivots are places in the world. */
  const motion = (sign: number): Motion => {
    const m = randomMotion(rng, along(v(0, 0, 0), way, sign));
    return 'pivot' in m && m.pivot ? { ...m, pivot: along(middle, m.pivot, 1) } : m;
  };
  return { a, b, motion, middle, one: collider(bodyA.shape, a.pose), two: collider(bodyB.shape, b.pose) };
}

/** The body at time t, as the library takes it: the turn of its place as a quaternion. */
function standing({ body, pose, motion }: Side, t: number) {
  const { rows, position } = placeAt(pose, motion, t);
  const [a, b, c] = rows;
  // The largest of the four components is found without cancellation.
  const w = 1 + a.x + b.y + c.z;
  const x = 1 + a.x - b.y - c.z;
  const y = 1 - a.x + b.y - c.z;
  const z = 1 - a.x - b.y + c.z;
  const most = Math.max(w, x, y, z);
  const quaternion =
    most === w
      ? { x: c.y - b.z, y: a.z - c.x, z: b.x - a.y, w }
      : most === x
        ? { x, y: b.x + a.y, z: a.z + c.x, w: c.y - b.z }
        : most === y
          ? { x: b.x + a.y, y, z: c.y + b.z, w: a.z - c.x }
          : { x: a.z + c.x, y: c.y + b.z, z, w: b.x - a.y };
  return collider(body.shape, { position, quaternion });
}

/** Apart at time t? For two convex bodies proven by a plane between them, whatever the library says. */
function checkApart(a: Side, b: Side, t: number, rounding: number): void {
  const [one, two] = [standing(a, t), standing(b, t)];
  const late = () => `late: ${nameOf(a)} touches ${nameOf(b)} at ${t}`;
  if (a.body.pieces.length > 1 || b.body.pieces.length > 1) {
    check(!intersects(one, two), late);
    return;
  }
  const { normal } = distance(one, two)!;
  check(gapAlong(a, b, normal, t) > -rounding, late);
}

/** How far the pieces of the two (default: the first ones) are apart along a direction. */
function gapAlong(
  a: Side,
  b: Side,
  normal: ReadonlyVec3,
  t: number,
  pieceA = a.body.pieces[0]!,
  pieceB = b.body.pieces[0]!,
): number {
  const [placeA, placeB] = [placeAt(a.pose, a.motion, t), placeAt(b.pose, b.motion, t)];
  const back = along(v(0, 0, 0), normal, -1);
  return (
    dot(normal, along(placeA.position, placeB.position, -1)) -
    pieceA.height(placeA.turnBack(back)) -
    pieceB.height(placeB.turnBack(normal))
  );
}

/**
 * The point is on the named pieces of both bodies as they are at that time, and the plane through it along the normal has
 * the one on its one side and the other on its other side: nothing but the first contact of the two does.
 */
function checkContact(a: Side, b: Side, hit: CastHit, tolerance: number, onOne: number): void {
  const { point, normal, t, part, moverPart } = hit;
  const what = () => `${nameOf(a)} against ${nameOf(b)} at ${t}`;
  near(norm(normal), 1, 1e-12, 'length of the normal');
  const pieceA = pieceOf(a.body, moverPart);
  const pieceB = pieceOf(b.body, part);
  check(pieceA !== undefined, () => `${what()}: the mover has no part ${JSON.stringify(moverPart)}`);
  check(pieceB !== undefined, () => `${what()}: the target has no part ${JSON.stringify(part)}`);
  const [placeA, placeB] = [placeAt(a.pose, a.motion, t), placeAt(b.pose, b.motion, t)];
  const [offA, offB] = [pieceA.distance(placeA.toOwn(point)), pieceB.distance(placeB.toOwn(point))];
  check(offA <= tolerance, () => `${what()}: the point is ${offA} off the mover`);
  check(offB <= tolerance, () => `${what()}: the point is ${offB} off the target`);
  // It is of the target; but a mesh that is moved to a shape is asked as the shape that is moved to the mesh.
  const off = isMoved(a.motion) || isMoved(b.motion) ? Math.min(offA, offB) : offB;
  check(off <= onOne, () => `${what()}: the point is ${offA} off the mover, ${offB} off the target`);
  const back = along(v(0, 0, 0), normal, -1);
  const above = -pieceA.height(placeA.turnBack(back)) + dot(normal, along(placeA.position, point, -1));
  const below = pieceB.height(placeB.turnBack(normal)) + dot(normal, along(placeB.position, point, -1));
  check(above >= -tolerance, () => `${what()}: the mover is ${-above} below the plane of the contact`);
  check(below <= tolerance, () => `${what()}: the target is ${below} above the plane of the contact`);
}

const isMoved = (motion: Motion | null): boolean =>
  motion !== null && ('translation' in motion || 'linear' in motion);

/**
 * A start in touch, or deeper: the point is of both bodies, of the pieces that are named or in a solid of triangles. The normal
 * is the direction in which the two pieces are parted by the least motion.
 */
function checkStart(a: Side, b: Side, hit: CastHit, tolerance: number, rng: Rng): void {
  const { point, normal, part, moverPart } = hit;
  const what = () => `${nameOf(a)}, ${nameOf(b)}, at the start`;
  near(norm(normal), 1, 1e-12, 'length of the normal at the start');
  const pieceA = pieceOf(a.body, moverPart);
  const pieceB = pieceOf(b.body, part);
  check(pieceA !== undefined, () => `${what()}: the mover has no part ${JSON.stringify(moverPart)}`);
  check(pieceB !== undefined, () => `${what()}: the target has no part ${JSON.stringify(part)}`);
  const off = ({ pose, motion }: Side, { distance }: ConvexPiece): number =>
    Math.max(0, distance(placeAt(pose, motion, 0).toOwn(point)));
  const isWithin = ({ body, pose, motion }: Side): boolean =>
    body.winds?.(placeAt(pose, motion, 0).toOwn(point)) ?? false;
  const [offA, offB] = [off(a, pieceA), off(b, pieceB)];
  check(offA <= tolerance || isWithin(a), () => `${what()}: the point is ${offA} off the mover`);
  check(offB <= tolerance || isWithin(b), () => `${what()}: the point is ${offB} off the target`);
  if (offA > tolerance || offB > tolerance) return; // inside of a solid: the way out is another
  const gap = gapAlong(a, b, normal, 0, pieceA, pieceB);
  for (let i = 0; i < 6; i++) {
    const other = gapAlong(a, b, i < 4 ? rng.direction() : nudged(rng, normal), 0, pieceA, pieceB);
    check(other <= gap + 1e-7 * (a.body.size + b.body.size) + tolerance, () => `${what()}: ${gap}, ${other}`);
  }
}

function nudged(rng: Rng, n: ReadonlyVec3): ReadonlyVec3 {
  const other = along(n, rng.direction(), rng.pick([1e-3, 0.1]));
  return along(v(0, 0, 0), other, 1 / norm(other));
}

/** Checks what was found, and that nothing was before it. Returns whether it was a hit on the way. */
function checkCast(a: Side, b: Side, hit: CastHit | null, rng: Rng): boolean {
  const size = a.body.size + b.body.size;
  const scale = size + norm(a.pose.position) + norm(b.pose.position);
  const rounding = 1e-13 * scale;
  const turning = turns(a.motion) || turns(b.motion);
  const end = hit?.t ?? 1;
  if (hit !== null) check(hit.t >= 0 && hit.t <= 1, () => `t is ${hit.t}`);
  if (intersects(standing(a, 0), standing(b, 0))) {
    check(hit?.t === 0, () => `starts in touch, and hits at ${hit?.t}`);
    checkStart(a, b, hit!, 1e-9 * size + rounding, rng);
    return false;
  }
  for (let i = 0; i < 6; i++) {
    const t = end * (i === 0 ? 1 - 1e-6 : rng.unit());
    checkApart(a, b, t, rounding);
  }
  if (hit === null) return false;
  // With a turn they are no nearer than a ten-millionth of their sizes, without one no farther than GJK tells: the point is of one.
  const onOne = 1e-9 * size + rounding;
  checkContact(a, b, hit, turning ? 1e-6 * size + rounding : 1e-8 * size + rounding, onOne);
  return true;
}

let [hits, casts] = [0, 0];

describe('what a cast returns', () => {
  property(
    'cast: a point on both, a plane between, the parts that own it, and nothing before',
    1200,
    (rng) => {
      const { a, b, motion, one, two } = randomPair(rng, randomBody);
      const way = motion(1);
      casts++;
      if (checkCast({ ...a, motion: way }, { ...b, motion: null }, cast(one, way, two), rng)) hits++;
    },
  );

  property('cast of both: the same, with any motion of either body', 1200, (rng) => {
    const { a, b, motion, one, two } = randomPair(rng, randomBody);
    const [wayA, wayB] = [motion(0.6), motion(-0.6)];
    casts++;
    const hit = cast(one, wayA, two, { targetMotion: wayB });
    if (checkCast({ ...a, motion: wayA }, { ...b, motion: wayB }, hit, rng)) hits++;
  });

  property('turns of bodies with flat sides, of the one or of the other', 600, (rng) => {
    const { a, b, middle, one, two } = randomPair(rng, randomFlatBody);
    const pivot = along(middle, rng.vec(2), 1);
    const motion = { axis: rng.direction(), angle: rng.sign() * rng.range(0.1, 6), pivot };
    casts++;
    const [turning, still] = [
      { ...a, motion },
      { ...b, motion: null },
    ];
    if (checkCast(turning, still, cast(one, motion, two), rng)) hits++;
    checkCast(still, turning, cast(two, { translation: v(0, 0, 0) }, one, { targetMotion: motion }), rng);
  });

  test('many of them hit on the way', () => expect(hits / casts).toBeGreaterThan(0.2));
});

describe('two that move', () => {
  property('one more translation of both changes nothing but the place', 300, (rng) => {
    const { a, b, one, two } = randomPair(rng, randomBody);
    const way = along(b.pose.position, a.pose.position, -1);
    const [linear, angular, shift] = [along(rng.vec(0.5), way, 1), rng.vec(2), rng.vec(3)];
    const alone = cast(one, { linear, angular }, two);
    const both = cast(one, { linear: along(linear, shift, 1), angular }, two, {
      targetMotion: { translation: shift },
    });
    check((alone === null) === (both === null), 'one hits, the other does not');
    if (alone === null || both === null) return;
    near(both.t, alone.t, 1e-4, 't');
  });

  test('two balls on arms that turn towards each other meet half way', () => {
    const at = (x: number) => ({ position: v(x, 0, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } });
    const [one, two] = [collider(sphere(0.5), at(3)), collider(sphere(0.5), at(-3))];
    const hit = cast(one, { axis: v(0, 0, 1), angle: 3, pivot: v(0, 0, 0) }, two, {
      targetMotion: {
        axis: v(0, 0, 1),
        angle: -3,
        pivot: v(0, 0, 0),
      },
    })!;
    // 3 cos α = 0.5
    near(hit.t * 3, Math.acos(0.5 / 3), 1e-5);
    near(norm(along(hit.point, v(0, 3 * Math.sin(3 * hit.t), 0), -1)), 0, 1e-5);
    near(hit.normal.x, 1, 1e-5);
  });

  test('a turn of the second body is not dropped', () => {
    const door = collider(box(1, 1, 0.05), { position: v(1, 0, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } });
    const ball = collider(sphere(0.2), { position: v(0, 0, 1), quaternion: { x: 0, y: 0, z: 0, w: 1 } });
    const still = { translation: v(0, 0, 0) };
    const swing = { axis: v(0, 1, 0), angle: -2, pivot: v(0, 0, 0) };
    const hit = cast(ball, still, door, { targetMotion: swing })!;
    // The face of the door, 0.05 before the line through its hinge, is 0.25 from the middle of the ball.
    near(hit.t * 2, Math.PI / 2 - Math.asin(0.25), 1e-5);
    const back = cast(door, swing, ball, { targetMotion: still })!;
    near(back.t, hit.t, 1e-6);
    near(norm(along(back.normal, hit.normal, 1)), 0, 1e-5);
  });

  test('walls: apart while neither tilts against the other', () => {
    const [floor, ceiling] = [halfSpace(v(0, 1, 0), 0), halfSpace(v(0, -1, 0), -2)];
    const down = { translation: v(0, -4, 0) };
    const spin = { axis: v(0, 1, 0), angle: 3, pivot: v(5, 0, 0) };
    near(cast(ceiling, down, floor, { targetMotion: spin })!.t, 0.5, 1e-5);
    near(cast(ceiling, down, floor, { targetMotion: { translation: v(0, 4, 0) } })!.t, 0.25, 1e-9);
    expect(cast(ceiling, spin, floor, { targetMotion: { translation: v(1, 0, 0) } })).toBeNull();
    const roll = { axis: v(0, 0, 1), angle: 0.5, pivot: v(0, 0, 0) };
    expect(cast(ceiling, roll, floor, { targetMotion: spin })!.t).toBe(0);
    expect(cast(ceiling, roll, floor, { targetMotion: roll })).toBeNull();
  });

  test('what has no area turns too: a triangle that is a line, a mesh with one in it, a flat box', () => {
    const needle = triangle(v(-1, 0, 0), v(0, 0, 0), v(1, 0, 0));
    const mixed = mesh([-1, 0, 0, 0, 0, 0, 1, 0, 0, 9, 9, 9, 9, 9, 8, 9, 8, 9], [0, 1, 2, 3, 4, 5]);
    const wall = collider(box(1, 1, 1), { position: v(1.5, 0, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } });
    const motion = { axis: v(0, 0, 1), angle: -Math.PI };
    const upright = { position: v(0, 0, 0), quaternion: { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 } };
    for (const [shape, triangleNumber] of [
      [needle, -1],
      [mixed, 0],
      [box(1, 0, 0), -1],
    ] as const) {
      const hit = cast(collider(shape, upright), motion, wall)!;
      // The end, 1 from the pivot, meets the plane x = 0.5.
      near(hit.t, 1 / 6, 1e-5);
      near(norm(along(hit.point, v(0.5, Math.sqrt(0.75), 0), -1)), 0, 1e-5);
      expect(hit.moverPart).toEqual({ child: -1, triangle: triangleNumber });
    }
  });

  test('walls that cross, and meshes within meshes: the point of a start is of both', () => {
    const rng = new Rng(5);
    for (let i = 0; i < 200; i++) {
      const walls = [0, 1].map(() => ({ normal: rng.direction(), d: rng.range(-1, 1) }));
      const [one, two] = walls.map(({ normal, d }) => halfSpace(normal, d));
      const { t, point, normal } = cast(one!, { translation: rng.vec(1) }, two!)!;
      expect(t).toBe(0);
      for (const wall of walls) check(dot(wall.normal, point) <= wall.d + 1e-9 * (1 + norm(point)), 'off');
      near(norm(along(normal, walls[1]!.normal, -1)), 0, 1e-12, 'the normal is that of the second');
    }
    const cube = (half: number) => {
      const { positions, index } = boxMesh(v(-half, -half, -half), v(half, half, half));
      return mesh(positions, index);
    };
    const at = (x: number) => ({ position: v(x, 0, 0), quaternion: { x: 0.5, y: 0.5, z: 0.5, w: 0.5 } });
    const [small, large] = [collider(cube(0.25), at(1)), collider(cube(2), at(0))];
    for (const motion of [{ translation: v(9, 0, 0) }, { axis: v(0, 0, 1), angle: 1 }]) {
      const hit = cast(small, motion, large)!;
      const back = cast(large, motion, small)!;
      for (const { t, point } of [hit, back]) {
        expect(t).toBe(0);
        for (const x of [point.x - 1, point.y, point.z])
          check(Math.abs(x) <= 0.25 + 1e-12, 'off the small one');
      }
      near(hit.normal.x, 1, 1e-12, 'the near side of the large one');
      near(back.normal.x, -1, 1e-12, 'the same for the large one');
      expect(hit.part.triangle).toBe(back.moverPart.triangle);
      expect(hit.part.triangle).toBeGreaterThanOrEqual(0);
    }
  });

  test('what is no body is named', () => {
    const a = sphere(1);
    const go = { translation: v(1, 0, 0) };
    const nowhere = {
      shape: a,
      pose: { position: v(0, Number.NaN, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } },
    };
    for (const bad of [undefined, 5, {}, { shape: {}, pose: nowhere.pose }, nowhere] as never[]) {
      expect(() => cast(bad, go, a)).toThrow(/graze: cast: mover/);
      expect(() => cast(a, go, bad)).toThrow(/graze: cast: target/);
      expect(() => cast(bad, go, a, { targetMotion: go })).toThrow(/graze: cast: mover/);
      expect(() => cast(a, go, bad, { targetMotion: go })).toThrow(/graze: cast: target/);
    }
  });

  test('bad motions are named', () => {
    const a = sphere(1);
    const go = { translation: v(1, 0, 0) };
    expect(() => cast(a, go, a, { targetMotion: { axis: v(0, 0, 0), angle: 1 } })).toThrow(
      /cast: targetMotion.axis/,
    );
    expect(() => cast(a, {} as Motion, a, { targetMotion: go })).toThrow(
      /cast: motion must be a record with/,
    );
    expect(() => cast(a, go, a, { targetMotion: null as never })).toThrow(/cast: targetMotion must be/);
    const first = 'both' as 'rotation';
    expect(() => cast(a, { translation: v(1, 0, 0), axis: v(0, 0, 1), angle: 1, first }, a)).toThrow(
      /motion.first/,
    );
  });
});
