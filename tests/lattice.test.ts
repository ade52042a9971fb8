/** The questions of the front door where all is parallel, flush, touching or nested, exactly: against whole numbers. */
import { describe, expect, test } from 'vitest';
import type { Vec3 } from '../src/math/types.ts';
import { vec3 } from '../src/math/types.ts';
import {
  cast,
  closestPoint,
  contacts,
  contains,
  distance,
  intersects,
  raycast,
  signedDistance,
} from '../src/query/index.ts';
import {
  box,
  compound,
  heightField,
  hull,
  polygon,
  type Shape,
  segment,
  triangle,
} from '../src/shapes/index.ts';
import { mesh } from '../src/shapes/mesh.ts';
import type { BodyPart } from '../src/shapes/results.ts';
import { exactPointTriangle, exactTriangleTriangle } from './kit/exact-distance.ts';
import { check, factor, near, property, type Rng } from './kit/index.ts';
import {
  depthOf,
  dot,
  gapAlong,
  isFlat,
  type LatticeBody,
  type Meeting,
  meet,
  meetingOf,
  minus,
  outside,
  type Piece,
  placed,
  randomLatticeBody,
  randomPlace,
  trianglesOf,
} from './kit/lattice.ts';
import { boxMesh } from './kit/meshes.ts';
import { lSolid } from './kit/solids.ts';

/** Coordinates are below ten: a thousand roundings. */
const ROUNDING = 1e-12;

interface Standing {
  readonly body: LatticeBody;
  readonly collider: { shape: LatticeBody['shape']; pose: ReturnType<typeof randomPlace> };
  /** All convex sets that make it up. */
  readonly sets: readonly (readonly Readonly<Vec3>[])[];
}

function standing(rng: Rng, far: number): Standing {
  const made = randomLatticeBody(rng);
  const pose = randomPlace(rng, far);
  const body = placed(made, pose);
  return {
    body,
    collider: { shape: made.shape, pose },
    sets: [...body.pieces.map((p) => p.points), ...body.insides],
  };
}

function pieceOf({ body }: Standing, { child, triangle }: BodyPart): Piece {
  const piece = body.pieces.find((p) => p.child === child && p.triangle === triangle);
  check(piece !== undefined, () => `${body.name} has no part ${child} ${triangle}`);
  return piece;
}

const along = (p: Readonly<Vec3>, d: Readonly<Vec3>, t: number) =>
  vec3(p.x + t * d.x, p.y + t * d.y, p.z + t * d.z);
const length = (d: Readonly<Vec3>) => Math.hypot(d.x, d.y, d.z);
/** Shapes by what they are made of, without what is worked out from it. */
const told = (x: unknown) =>
  JSON.stringify(x, (key, value) =>
    /^(core|faces|tree|buffer|bounds|grid|live|ids)$/.test(key)
      ? undefined
      : ArrayBuffer.isView(value)
        ? [...(value as Float64Array)]
        : value,
  );
const moved = (points: readonly Readonly<Vec3>[], d: Readonly<Vec3>, t = 1) =>
  points.map((p) => along(p, d, t));
const counts = { apart: 0, touching: 0, deep: 0, met: 0, grazed: 0, rays: 0 };

/** How far two sets are apart at least, by the boxes around them. */
function boxGap(a: readonly Readonly<Vec3>[], b: readonly Readonly<Vec3>[]): number {
  const gap = (k: 'x' | 'y' | 'z') => {
    const [p, q] = [a.map((v) => v[k]), b.map((v) => v[k])];
    return Math.max(0, Math.min(...p) - Math.max(...q), Math.min(...q) - Math.max(...p));
  };
  return Math.hypot(gap('x'), gap('y'), gap('z'));
}

/** The least distance of two bodies that are apart, given how far they are said to be. */
function leastDistance(a: Standing, b: Standing, said: number): number {
  let least = Infinity;
  for (const p of a.body.pieces)
    for (const q of b.body.pieces) {
      if (boxGap(p.points, q.points) > said) continue;
      for (const s of trianglesOf(p.points))
        for (const t of trianglesOf(q.points))
          if (boxGap(s, t) <= said) least = Math.min(least, exactTriangleTriangle(...s, ...t));
    }
  return least;
}

describe('two bodies', () => {
  property('intersects, distance and contacts: what they say, where, and of which parts', 1000, (rng) => {
    const [a, b] = [standing(rng, 0), standing(rng, 4)];
    const truth = a.sets.some((s) => b.sets.some((t) => meet(s, t)));
    const what = () => told([a.collider, b.collider]);
    check(intersects(a.collider, b.collider) === truth, () => `intersects: not ${truth}: ${what()}`);
    check(intersects(b.collider, a.collider) === truth, () => `intersects, turned round: not ${truth}`);
    const found = distance(a.collider, b.collider)!;
    const { separation, pointA, pointB, normal, partA, partB } = found;
    check(
      a.body.pieces.some((p) => p.child === partA.child && p.triangle === partA.triangle),
      () => `partA ${told(found)} ${what()}`,
    );
    check(
      b.body.pieces.some((p) => p.child === partB.child && p.triangle === partB.triangle),
      () => `partB ${told(found)} ${what()}`,
    );
    const [one, two] = [pieceOf(a, partA), pieceOf(b, partB)];
    near(length(normal), 1, ROUNDING, 'length of the normal');
    near(length(minus(along(pointA, normal, -separation), pointB)), 0, 1e-9, 'from point to point');
    check(outside(one.points, pointA) < 1e-9, () => `pointA off its part: ${told(found)} ${what()}`);
    check(outside(two.points, pointB) < 1e-9, () => `pointB off its part: ${told(found)} ${what()}`);
    const list = contacts(a.collider, b.collider);
    if (!truth) {
      counts.apart++;
      near(separation, leastDistance(a, b, separation + 1e-9), ROUNDING, 'distance');
      near(gapAlong(one.points, two.points, normal), separation, 1e-9, 'gap along the normal');
      check(list.length === 0, 'contacts of what is apart');
      return;
    }
    check(separation <= ROUNDING, () => `a distance of ${separation}`);
    const depths = a.sets.flatMap((s) => b.sets.map((t) => (meet(s, t) ? depthOf(s, t) : 0)));
    const least = Math.max(...depths);
    if (least === 0) counts.touching++;
    else counts.deep++;
    if (a.sets.length === 1 && b.sets.length === 1) near(separation, -least, 1e-10, 'depth');
    check(-separation >= least - 1e-10, () => `${separation} does not part what is ${least} deep: ${what()}`);
    if (
      least === 0 &&
      a.body.insides.length === 0 &&
      b.body.insides.length === 0 &&
      a.sets.length * b.sets.length === 1
    )
      near(separation, 0, 1e-10, 'what only touches');
    for (const s of a.sets)
      for (const t of b.sets) {
        const left = meet(s, t) ? leftAfter(s, t, normal, -separation) : 0;
        check(left < 1e-8, () => `still ${left} deep after ${separation} along ${told(normal)}: ${what()}`);
      }
    check(list.length > 0 || separation > 0, () => `no contacts at ${separation}: ${what()}`);
    if (list.length === 0) return;
    near(
      Math.min(...list.map((c) => c.separation)),
      separation,
      1e-9 + 1e-5 * Math.abs(separation),
      'deepest',
    );
    for (const contact of list) {
      check(contact.separation <= 0, () => `a contact that is apart: ${told(contact)} ${what()}`);
      near(length(contact.normal), 1, ROUNDING, 'length of the normal of a contact');
      const off = minus(along(contact.pointA, contact.normal, -contact.separation), contact.pointB);
      near(length(off), 0, 1e-8, 'from point to point of a contact');
      const [p, q] = [pieceOf(a, contact.partA), pieceOf(b, contact.partB)];
      check(
        outside(p.points, contact.pointA) < 1e-6,
        () => `a contact off its part of a: ${told(contact)} ${what()}`,
      );
      check(
        outside(q.points, contact.pointB) < 1e-6,
        () => `a contact off its part of b: ${told(contact)} ${what()}`,
      );
    }
  });

  /** How deep two sets are in each other after a motion of the first. */
  const leftAfter = (
    s: readonly Readonly<Vec3>[],
    t: readonly Readonly<Vec3>[],
    n: Readonly<Vec3>,
    by: number,
  ) => Math.max(0, Math.min(depthOf(moved(s, n, by), t), -gapAlong(moved(s, n, by), t, n)));

  property('casts of translations: when, where, and a normal between the parts', 2000, (rng) => {
    const [a, b] = [standing(rng, 0), standing(rng, 5)];
    const way = minus(b.collider.pose.position, a.collider.pose.position);
    const translation = rng.chance(0.5)
      ? along(along(vec3(), way, rng.pick([1, 2])), vec3(rng.int(-1, 1), rng.int(-1, 1), rng.int(-1, 1)), 1)
      : vec3(rng.int(-6, 6), rng.int(-6, 6), rng.int(-6, 6));
    let first: Meeting | null = null;
    let deep: Meeting | null = null;
    for (const s of a.sets)
      for (const t of b.sets) {
        const meeting = meetingOf(s, t, translation);
        if (meeting && !(first && first.t <= meeting.t)) first = meeting;
        if (meeting?.deeper && !(deep && deep.t <= meeting.t)) deep = meeting;
      }
    const hit = cast(a.collider, { translation }, b.collider);
    const what = () => told([a.collider, translation, b.collider]);
    if (first === null) {
      check(hit === null, () => `${told(hit)} where nothing is met: ${what()}`);
      return;
    }
    if (first.t === 0 || deep?.t === first.t) counts.met++;
    else counts.grazed++;
    check(hit !== null, () => `missed what is met at ${told([first, deep])}: ${what()}`);
    check(hit.t <= first.t + 1e-15, () => `late by ${hit.t - first!.t}: ${what()}`);
    near(hit.t * length(translation), first.t * length(translation), 1e-6, 'way');
    const [one, two] = [pieceOf(a, hit.moverPart), pieceOf(b, hit.part)];
    near(length(hit.normal), 1, ROUNDING, 'length of the normal');
    if (first.t === 0) return;
    const there = moved(one.points, translation, hit.t);
    check(outside(there, hit.point) < 1e-6, () => `the point is off the mover: ${told(hit)} ${what()}`);
    check(outside(two.points, hit.point) < 1e-8, () => `the point is off the target: ${told(hit)} ${what()}`);
    const between = gapAlong(there, two.points, hit.normal);
    check(between > -1e-8, () => `not between them, by ${between}: ${told([hit, first, deep])} ${what()}`);
    check(dot(hit.normal, translation) < 1e-8, () => `along the motion: ${told(hit)} ${what()}`);
  });
});

describe('one body', () => {
  property('closestPoint, contains and signedDistance', 4000, (rng) => {
    const a = standing(rng, 2);
    const p = vec3(rng.int(-5, 5), rng.int(-5, 5), rng.int(-5, 5));
    const truth = a.sets.some((s) => meet([p], s));
    const what = () => told([a.collider, p]);
    check(contains(p, a.collider) === truth, () => `contains: not ${truth}: ${what()}`);
    const signed = signedDistance(p, a.collider);
    const found = closestPoint(p, a.collider);
    const least = a.body.pieces.reduce((d, { points }) => Math.min(d, distanceTo(points, p)), Infinity);
    near(found.distance, least, ROUNDING, 'distance');
    if (!truth) near(signed, least, ROUNDING, 'signed distance');
    else if (a.body.name !== 'compound') {
      const [{ points }] = a.body.pieces as [Piece];
      const depth = a.body.pieces.length === 1 ? depthOf([p], points) : least;
      near(signed, -depth, 1e-10, 'depth of a point');
    }
    check(signed <= 0 === truth, () => `a signed distance of ${signed}: ${what()}`);
    near(length(minus(found.point, p)), least, 1e-9, 'way to the point');
    check(
      outside(pieceOf(a, found.part).points, found.point) < 1e-9,
      () => `off its part: ${told(found)} ${what()}`,
    );
  });

  const distanceTo = (points: readonly Readonly<Vec3>[], p: Readonly<Vec3>): number =>
    meet([p], points) ? 0 : Math.min(...trianglesOf(points).map((t) => exactPointTriangle(p, ...t)));

  property('rays: when, where, and a normal of a side that is met', 4000, (rng) => {
    const a = standing(rng, 2);
    const origin = vec3(rng.int(-5, 5), rng.int(-5, 5), rng.int(-5, 5));
    const direction = rng.chance(0.6)
      ? minus(
          along(a.collider.pose.position, vec3(rng.int(-1, 1), rng.int(-1, 1), rng.int(-1, 1)), 1),
          origin,
        )
      : vec3(rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3));
    const times: number[] = [];
    // A solid may be grazed within rounding, and a triangle of a mesh missed in its own plane.
    let surely = Infinity;
    for (const set of a.sets) {
      const meeting = meetingOf([origin], set, direction);
      if (!meeting) continue;
      times.push(meeting.t);
      const isOfMesh = a.body.pieces.some(({ points, triangle }) => points === set && triangle >= 0);
      const isSure = isFlat(set)
        ? !isOfMesh || !isFlat([...set, origin, along(origin, direction, 1)])
        : meeting.deeper;
      if (isSure || meeting.t === 0) surely = Math.min(surely, meeting.t);
    }
    const hit = raycast({ origin, direction }, a.collider, { maxDistance: 1 });
    const what = () => told([a.collider, origin, direction]);
    if (hit === null) {
      check(surely === Infinity, () => `missed what is met at ${surely}: ${what()}`);
      return;
    }
    counts.rays++;
    const first = times.find((t) => Math.abs(t - hit.t) < ROUNDING);
    check(
      first !== undefined && first <= surely,
      () => `${told(hit)} where nothing is met, ${times}: ${what()}`,
    );
    near(length(minus(hit.point, along(origin, direction, hit.t))), 0, ROUNDING, 'point off the ray');
    if (hit.t === 0) return;
    const { points } = pieceOf(a, hit.part);
    check(outside(points, hit.point) < ROUNDING, () => `off its part: ${told(hit)} ${what()}`);
    near(length(hit.normal), 1, ROUNDING, 'length of the normal');
    check(dot(hit.normal, direction) < 0, () => `the normal looks away from the ray: ${told(hit)} ${what()}`);
    if (isFlat(points) || meetingOf([origin], points, direction)?.deeper)
      check(
        gapAlong([hit.point], points, hit.normal) > -ROUNDING,
        () => `not behind its plane: ${told(hit)} ${what()}`,
      );
  });
});

test('there was enough of each', () => {
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(10 * factor);
});

describe('what once went wrong', () => {
  const upright = { x: 0, y: 0, z: 0, w: 1 };
  const at = (shape: Shape, x = 0, y = 0, z = 0, quaternion = upright) => ({
    shape,
    pose: { position: vec3(x, y, z), quaternion },
  });
  const l = lSolid();
  const notched = mesh(l.positions, l.index);

  test('a plate in a solid slips through no seam of it, whatever else they are made of', () => {
    // In the plane through the diagonals of two sides of the L, and along one of its own.
    const plate = polygon([vec3(0, 1, 0), vec3(-1, 0, 0), vec3(0, 1, 1), vec3(1, 2, 1)]);
    const [pose, inner] = [
      { x: 0.5, y: 0.5, z: -0.5, w: -0.5 },
      { x: -0.5, y: -0.5, z: -0.5, w: -0.5 },
    ];
    const far = { shape: box(1, 1, 1), pose: at(notched, 40).pose };
    const parts = { shape: notched, pose: at(notched, 2, -2, 1, pose).pose };
    const plates = { shape: plate, pose: at(plate, -2, -2, -1, pose).pose };
    for (const [some, others] of [
      [[parts], [plates]],
      [[parts, far], [plates]],
      [[parts], [plates, far]],
      [
        [parts, far],
        [plates, far],
      ],
    ] as const) {
      const a = at(compound(some), 0, 0, 0, inner);
      const b = at(compound(others), -2, -1, 0, { x: 0, y: 0, z: 1, w: 0 });
      near(distance(a, b)!.separation, -Math.SQRT1_2, ROUNDING, 'depth');
      near(Math.min(...contacts(a, b).map((c) => c.separation)), -Math.SQRT1_2, ROUNDING, 'deepest contact');
    }
  });

  test('sheets that touch at a corner and along a side: the triangles that do are named', () => {
    const a = at(mesh([1, 2, -2, 2, 0, 1, -1, 0, 0, 1, 1, -1], [0, 1, 2, 1, 3, 1]));
    const b = at(mesh([-2, 2, 2, -1, 2, 1, 0, 1, 0], [0, 1, 2]), 0, 2, -1, { x: 0, y: 0, z: 1, w: 0 });
    for (const [one, two] of [
      [a, b],
      [b, a],
    ] as const) {
      const { separation, partA, partB } = distance(one, two)!;
      near(separation, 0, ROUNDING, 'separation');
      check(partA.triangle >= 0 && partB.triangle >= 0, 'no triangles');
    }
  });

  test('bodies that touch exactly have contacts, and none of them is apart', () => {
    const flat = (...points: Vec3[]) => hull(points);
    const [low, high] = [vec3(1, -1, -1), vec3(4, 2, 1)];
    const brick = boxMesh(low, high);
    const pairs = [
      [
        at(mesh(brick.positions, brick.index), 0, 0, 0, { x: 0, y: 0, z: 1, w: 0 }),
        at(flat(vec3(-1, 0, 1), vec3(-2, -1, -2), vec3(1, 2, -1)), -4, 0, 2),
      ],
      [
        at(triangle(vec3(2, 1, 0), vec3(-2, 2, 1), vec3(-1, -1, -2))),
        at(polygon([vec3(-1, -1, -1), vec3(-1, 0, 0), vec3(0, -1, -1), vec3(0, -2, -2)]), -1, 3, 2),
      ],
      [
        at(heightField([-1, 0, 0, -1], { columns: 2, rows: 2, spacing: 2 }), 0, 0, 0, {
          x: 0,
          y: 0,
          z: 1,
          w: 0,
        }),
        at(notched, 1, 3, -1, { x: -0.5, y: 0.5, z: 0.5, w: -0.5 }),
      ],
    ] as const;
    for (const [a, b] of pairs)
      for (const list of [contacts(a, b), contacts(b, a)]) {
        check(list.length > 0, 'no contacts');
        for (const { separation } of list) check(separation <= 0, () => `${separation} apart`);
      }
  });

  test('a segment or a point that meets an edge, and corners that meet: the normal is between them', () => {
    const half = { x: 0.5, y: 0.5, z: -0.5, w: -0.5 };
    const rod = at(segment(vec3(-2, -1, -2), vec3(-1, -1, 1)), 0, 0, 0, half);
    const sheet = at(mesh([-2, 0, 2, 0, 2, -2, 1, 2, 0], [2, 0, 1]), 4, 0, 5, { x: 0, y: 0, z: 1, w: 0 });
    const plate = at(box(2, 1, 0), 0, 0, 0, { x: 1, y: 0, z: 0, w: 0 });
    const other = triangle(vec3(1, 0, 0), vec3(1, 2, -1), vec3(-1, -1, 0));
    const cases = [
      [rod, vec3(4, 0, 5), sheet],
      [plate, vec3(4, -4, -4), at(other, 7, -3, -3, { x: 0.5, y: 0.5, z: 0.5, w: -0.5 })],
    ] as const;
    for (const [mover, translation, target] of cases) {
      const hit = cast(mover, { translation }, target)!;
      check(hit.t > 0, 'they do not start in touch');
      const { position, quaternion } = mover.pose;
      const back = 1e-6;
      const before = { position: along(along(position, translation, hit.t), hit.normal, back), quaternion };
      // Moved off along the normal, they are as far apart as that, for it is across a plane between them.
      near(distance({ shape: mover.shape, pose: before }, target)!.separation, back, 0.02 * back, 'gap');
    }
  });
});
