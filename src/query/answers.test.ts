/** All that the questions return, for every pair of kinds of bodies, against closed forms of their convex pieces. */
import { describe, expect, test } from 'vitest';
import { check, factor, near, property, type Rng } from '../../tests/kit/index.ts';
import {
  along,
  BODIES,
  type ConvexPiece,
  dot,
  norm,
  type PiecedBody,
  type Place,
  pieceOf,
  placeOf,
} from '../../tests/kit/moving-bodies.ts';
import type { ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { type Collider, collider } from '../shapes/collider.ts';
import type { BodyPart, Separation } from '../shapes/results.ts';
import { sphere } from '../shapes/round-shapes.ts';
import { closestPoint } from './closest-point.ts';
import { contacts } from './contacts.ts';
import { contains } from './contains.ts';
import { distance } from './distance.ts';
import { intersects } from './intersects.ts';
import { raycast } from './raycast.ts';
import { signedDistance } from './signed-distance.ts';

const v = (x: number, y: number, z: number): Vec3 => ({ x, y, z });
const negative = (d: ReadonlyVec3): Vec3 => v(-d.x, -d.y, -d.z);
const minus = (a: ReadonlyVec3, b: ReadonlyVec3): Vec3 => along(a, b, -1);

/** A body where it stands: the same to the library and to closed forms. */
class Standing {
  readonly body: PiecedBody;
  readonly collider: Collider;
  private readonly place: Place;

  constructor(body: PiecedBody, pose: ReadonlyPose) {
    this.body = body;
    this.collider = collider(body.shape, pose);
    this.place = placeOf(pose);
  }

  piece(part: BodyPart): ConvexPiece {
    const piece = pieceOf(this.body, part);
    check(piece !== undefined, () => `${this.body.name} has no part ${JSON.stringify(part)}`);
    return piece;
  }
  /** How far p is from a piece, at least 0. */
  off(piece: ConvexPiece, p: ReadonlyVec3): number {
    return Math.max(0, piece.distance(this.place.toOwn(p)));
  }
  height(piece: ConvexPiece, d: ReadonlyVec3): number {
    return piece.height(this.place.turnBack(d)) + dot(d, this.place.position);
  }
  /** Of all pieces, or of what they close. */
  distance(p: ReadonlyVec3): number {
    return this.winds(p) ? 0 : this.distanceOfPieces(p);
  }
  /** Of the surfaces of meshes, and of all other pieces. */
  distanceOfPieces(p: ReadonlyVec3): number {
    const own = this.place.toOwn(p);
    return Math.max(0, Math.min(...this.body.pieces.map((piece) => piece.distance(own))));
  }
  /** Inside of a closed mesh. */
  winds(p: ReadonlyVec3): boolean {
    return this.body.winds?.(this.place.toOwn(p)) ?? false;
  }
}

const standing = (rng: Rng, make: (rng: Rng) => PiecedBody, far: number): Standing =>
  new Standing(make(rng), { position: rng.vec(far), quaternion: rng.rotation() });

/** How far two pieces are apart along n. */
const gapAlong = (a: Standing, one: ConvexPiece, b: Standing, two: ConvexPiece, n: ReadonlyVec3): number =>
  -a.height(one, negative(n)) - b.height(two, n);

/** The points are those of the parts, `separation` apart along the normal. */
function checkPoints(a: Standing, b: Standing, found: Separation, tolerance: number): void {
  const { separation, pointA, pointB, normal, partA, partB } = found;
  near(norm(normal), 1, 1e-12, 'length of the normal');
  near(norm(minus(minus(pointA, pointB), along(v(0, 0, 0), normal, separation))), 0, tolerance, 'points');
  near(a.off(a.piece(partA), pointA), 0, tolerance, `point A off its part of ${a.body.name}`);
  near(b.off(b.piece(partB), pointB), 0, tolerance, `point B off its part of ${b.body.name}`);
}

/** Into the solid, and so do all directions near it: along a side means neither. */
const leadsInto = (a: Standing, p: ReadonlyVec3, d: ReadonlyVec3, step: number): boolean =>
  [v(0, 0, 0), v(1, 0, 0), v(-1, 0, 0), v(0, 1, 0), v(0, -1, 0), v(0, 0, 1), v(0, 0, -1)].every((aside) =>
    a.winds(along(p, along(d, aside, 0.02), step)),
  );

/** Their parts are asked one by one: children know nothing of each other, and all corners below a plane are contacts. */
const APART = /compound|half-space/;
const isConvex = ({ body }: Standing): boolean => body.pieces.length === 1;
const NAMES = Object.keys(BODIES);
const PAIRS = NAMES.flatMap((a) => NAMES.map((b) => [a, b] as const)).filter(
  ([a, b]) => a !== 'half-space' || b !== 'half-space',
);

const counts = { apart: 0, overlapping: 0, contacts: 0, hits: 0, inner: 0 };

describe('two bodies', () => {
  property(
    'distance: points of the parts that are named, a normal between, nothing nearer',
    900,
    (rng, i) => {
      const [first, second] = PAIRS[(7 * i) % PAIRS.length]!;
      const [a, b] = [standing(rng, BODIES[first]!, 1), standing(rng, BODIES[second]!, rng.pick([1, 3]))];
      const size = 1 + a.body.size + b.body.size;
      const found = distance(a.collider, b.collider)!;
      const { separation, pointA, pointB, normal, partA, partB } = found;
      const [one, two] = [a.piece(partA), b.piece(partB)];
      if (Math.abs(separation) > 1e-9 * size)
        check(intersects(a.collider, b.collider) === separation < 0, 'intersects');
      if (separation > 0) {
        counts.apart++;
        const tolerance = 1e-9 * size;
        checkPoints(a, b, found, tolerance);
        near(gapAlong(a, one, b, two, normal), separation, tolerance, 'gap of the parts along the normal');
        near(b.distance(pointA), separation, tolerance, `something of ${second} is nearer`);
        near(a.distance(pointB), separation, tolerance, `something of ${first} is nearer`);
        check(
          distance(a.collider, b.collider, { maxDistance: 0.999 * separation }) === null,
          'beyond maxDistance',
        );
        const within = distance(a.collider, b.collider, { maxDistance: 1.001 * separation });
        check(within !== null, 'within maxDistance');
        near(within.separation, separation, tolerance, 'separation within maxDistance');
        checkPoints(a, b, within, tolerance);
      } else {
        counts.overlapping++;
        checkPoints(a, b, found, 1e-7 * size);
        if (!isConvex(a) || !isConvex(b)) return;
        near(gapAlong(a, one, b, two, normal), separation, 1e-7 * size, 'gap along the normal');
        for (let k = 0; k < 8; k++) {
          const other = gapAlong(a, one, b, two, rng.direction());
          check(other <= separation + 1e-6 * size, () => `another direction parts them: ${other}`);
        }
      }
    },
  );

  property(
    'contacts: each on the parts it names, the deepest as deep as told, normals out of solids',
    900,
    (rng, i) => {
      const [first, second] = PAIRS[(7 * i) % PAIRS.length]!;
      const [a, b] = [standing(rng, BODIES[first]!, 0.7), standing(rng, BODIES[second]!, 0.7)];
      const size = 1 + a.body.size + b.body.size;
      const margin = rng.pick([0, 0.05]);
      const list = contacts(a.collider, b.collider, { margin });
      const whole = distance(a.collider, b.collider)!;
      const tolerance = 1e-7 * size;
      if (Math.abs(whole.separation - margin) > tolerance)
        check(list.length > 0 === whole.separation <= margin, () => `${list.length} contacts`);
      if (list.length === 0) return;
      near(Math.min(...list.map((c) => c.separation)), whole.separation, 1e-5 * size, 'deepest');
      const deepest = new Map<string, Separation>();
      for (const contact of list) {
        counts.contacts++;
        const { separation, pointA, pointB, normal, partA, partB } = contact;
        check(separation <= margin, () => `${separation} is beyond the margin`);
        checkPoints(a, b, contact, 2e-3 * size);
        const step = 1e-5 * size;
        if (separation <= 0 && !APART.test(first) && !APART.test(second)) {
          check(!leadsInto(b, pointB, normal, step), `a normal leads into ${second}`);
          check(!leadsInto(a, pointA, negative(normal), step), `a normal leads into ${first}`);
        }
        const key = JSON.stringify([partA, partB]);
        if (!((deepest.get(key)?.separation ?? Infinity) <= separation)) deepest.set(key, contact);
      }
      // Moving by the separation along the normal parts the two parts. Contacts of solids of triangles are those of the whole.
      if (
        a.body.winds ||
        b.body.winds ||
        !(isConvex(a) || isConvex(b)) ||
        first === 'half-space' ||
        second === 'half-space'
      )
        return;
      for (const { separation, normal, partA, partB } of deepest.values()) {
        if (separation === whole.separation) continue;
        const gap = gapAlong(a, a.piece(partA), b, b.piece(partB), normal);
        check(gap >= separation - 1e-6 * size, () => `${gap} along the normal, told was ${separation}`);
      }
    },
  );
});

describe('one body', () => {
  property(
    'closestPoint and contains: the point of the part that is named, nothing nearer',
    900,
    (rng, i) => {
      const name = NAMES[i % NAMES.length]!;
      const a = standing(rng, BODIES[name]!, 1);
      const p = along(a.collider.pose.position, rng.vec(rng.pick([0.5, 1, 4])), 1);
      const found = closestPoint(p, a.collider);
      const tolerance = 1e-9 * (1 + a.body.size);
      near(found.distance, a.distanceOfPieces(p), tolerance, 'distance');
      near(norm(minus(p, found.point)), found.distance, tolerance, 'way to the point');
      const piece = a.piece(found.part);
      near(a.off(piece, found.point), 0, tolerance, 'point off its part');
      if (a.winds(p)) counts.inner++;
      check(contains(p, a.collider) === (a.winds(p) || found.distance === 0), 'contains');
      check(contains(found.point, a.collider), 'what is on the boundary is contained');
    },
  );

  property(
    'raycast: a point of the part that is named, the normal of its surface, nothing before',
    1500,
    (rng, i) => {
      const name = NAMES[i % NAMES.length]!;
      const a = standing(rng, BODIES[name]!, 1);
      const origin = rng.vec(4);
      const direction = along(negative(origin), rng.vec(1.5), 1);
      const tMax = rng.pick([Infinity, 3, 0.8]);
      const hit = raycast({ origin, direction }, a.collider, { maxDistance: tMax });
      const tolerance = (name.startsWith('convex') ? 1e-7 : 1e-9) * (a.body.size + norm(origin));
      const end = hit?.t ?? Math.min(tMax, 4);
      for (let k = 0; k < 8; k++) {
        const t = end * (k === 0 ? 1 - 1e-6 : rng.unit());
        check(hit?.t === 0 || a.distance(along(origin, direction, t)) > 0, () => `late: touches at ${t}`);
      }
      if (hit === null) return;
      check(hit.t >= 0 && hit.t <= tMax, () => `t is ${hit.t} of ${tMax}`);
      near(norm(minus(hit.point, along(origin, direction, hit.t))), 0, tolerance, 'point off the ray');
      expectNoMover(hit.moverPart);
      if (hit.t === 0) return;
      counts.hits++;
      const piece = a.piece(hit.part);
      near(a.off(piece, hit.point), 0, tolerance, 'point off its part');
      near(norm(hit.normal), 1, 1e-12, 'length of the normal');
      check(dot(hit.normal, direction) <= 1e-9, 'the normal looks away from the ray');
      // The piece is behind the plane of the point: nothing but its normal there has that.
      near(
        a.height(piece, hit.normal),
        dot(hit.normal, hit.point),
        (name.startsWith('convex') ? 1e-5 : 1e-7) * a.body.size,
        'behind its plane',
      );
      if (hit.part.triangle >= 0)
        near(
          -a.height(piece, negative(hit.normal)),
          dot(hit.normal, hit.point),
          1e-9 * a.body.size,
          'in its plane',
        );
    },
  );
});

function expectNoMover({ child, triangle }: BodyPart): void {
  check(child === -1 && triangle === -1, 'a ray has no parts');
}

test('what is no body, no place, no ray and no distance is named, in every place of every question', () => {
  const ball = sphere(1);
  const identity = { x: 0, y: 0, z: 0, w: 1 };
  const nowhere = { shape: ball, pose: { position: v(0, Number.NaN, 0), quaternion: identity } };
  const ray = { origin: v(-5, 0, 0), direction: v(1, 0, 0) };
  for (const bad of [undefined, null, 5, {}, { shape: {}, pose: nowhere.pose }, nowhere] as never[]) {
    expect(() => intersects(bad, ball)).toThrow(/graze: intersects: a/);
    expect(() => intersects(ball, bad)).toThrow(/graze: intersects: b/);
    expect(() => distance(bad, ball)).toThrow(/graze: distance: a/);
    expect(() => distance(ball, bad)).toThrow(/graze: distance: b/);
    expect(() => contacts(bad, ball)).toThrow(/graze: contacts: a/);
    expect(() => contacts(ball, bad)).toThrow(/graze: contacts: b/);
    expect(() => closestPoint(v(0, 0, 0), bad)).toThrow(/graze: closestPoint: body/);
    expect(() => contains(v(0, 0, 0), bad)).toThrow(/graze: contains: body/);
    expect(() => signedDistance(v(0, 0, 0), bad)).toThrow(/graze: signedDistance: body/);
    expect(() => raycast(ray, bad)).toThrow(/graze: raycast: body/);
  }
  for (const bad of [undefined, null, 5, {}, v(0, Number.NaN, 0)] as never[]) {
    expect(() => closestPoint(bad, ball)).toThrow(/graze: closestPoint: point/);
    expect(() => contains(bad, ball)).toThrow(/graze: contains: point/);
    expect(() => signedDistance(bad, ball)).toThrow(/graze: signedDistance: point/);
    expect(() => raycast({ ...ray, origin: bad }, ball)).toThrow(/graze: raycast: ray\.origin/);
    expect(() => raycast({ ...ray, direction: bad }, ball)).toThrow(/graze: raycast: ray\.direction/);
  }
  for (const bad of [null, '1', Number.NaN, -Infinity] as never[]) {
    expect(() => distance(ball, ball, { maxDistance: bad })).toThrow(/graze: distance: options\.maxDistance/);
    expect(() => contacts(ball, ball, { margin: bad })).toThrow(/graze: contacts: options\.margin/);
    expect(() => raycast(ray, ball, { maxDistance: bad })).toThrow(/graze: raycast: options.maxDistance/);
  }
});

test('contacts without a margin are those that touch', () => {
  const at = (x: number) =>
    collider(sphere(1), { position: v(x, 0, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } });
  expect(contacts(at(0), at(2 + 1e-9))).toEqual([]);
  expect(contacts(at(0), at(2)).length).toBe(1);
  expect(contacts(at(0), at(2 + 1e-9), { margin: 2e-9 }).length).toBe(1);
});

test('there was enough to look at', () => {
  expect(counts.apart).toBeGreaterThan(150 * factor);
  expect(counts.overlapping).toBeGreaterThan(150 * factor);
  expect(counts.contacts).toBeGreaterThan(600 * factor);
  expect(counts.hits).toBeGreaterThan(150 * factor);
  expect(counts.inner).toBeGreaterThan(10 * factor);
});
