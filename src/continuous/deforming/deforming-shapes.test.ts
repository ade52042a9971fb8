/** A mesh that deforms against shapes that have no triangles, and against several. */
import { describe, expect, test } from 'vitest';
import { add, cmp, div, q as exactly, mul, type Q, sub } from '../../../tests/kit/exact.ts';
import { check, property, type Rng } from '../../../tests/kit/index.ts';
import { heightOf, holds } from '../../../tests/kit/shape-oracle.ts';
import { inverseTransformPoint, inverseTransformVector } from '../../math/pose.ts';
import type { ReadonlyPose, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { compound } from '../../shapes/compound.ts';
import { convex } from '../../shapes/custom.ts';
import { box } from '../../shapes/flat-sided-shapes.ts';
import { halfSpace } from '../../shapes/half-space.ts';
import { capsule, cone, cylinder, ellipsoid, sphere } from '../../shapes/round-shapes.ts';
import type { ConeShape, CylinderShape, EllipsoidShape, Shape } from '../../shapes/shape.ts';
import { castDeforming, castDeformingAll, type DeformingContact } from './cast-deforming.ts';
import { deformingMesh } from './deforming-mesh.ts';
import { type DeformingHalfSpace, deformingTarget } from './deforming-target.ts';

type Solid = CylinderShape | ConeShape | EllipsoidShape;

const somePose = (rng: Rng, far: number): ReadonlyPose => {
  const quaternion = { x: rng.range(-1, 1), y: rng.range(-1, 1), z: rng.range(-1, 1), w: rng.range(-1, 1) };
  const length = Math.hypot(quaternion.x, quaternion.y, quaternion.z, quaternion.w);
  const scale = rng.chance(0.3) ? 2 : 1 / length;
  const turned = {
    x: scale * quaternion.x,
    y: scale * quaternion.y,
    z: scale * quaternion.z,
    w: scale * quaternion.w,
  };
  const position = vec3(rng.range(-far, far), rng.range(-far, far), rng.range(-far, far));
  return { position, quaternion: rng.chance(0.3) ? { x: 0, y: 0, z: 0, w: 1 } : turned };
};
const unit = ({ position, quaternion: { x, y, z, w } }: ReadonlyPose): ReadonlyPose => {
  const s = 1 / Math.hypot(x, y, z, w);
  return { position, quaternion: { x: s * x, y: s * y, z: s * z, w: s * w } };
};

function someSolid(rng: Rng): Solid {
  const size = () => rng.pick([1, 0.5, rng.range(0.1, 1), 0.01]);
  const rounding = rng.chance(0.3) ? 0.125 : 0;
  const kind = rng.int(0, 2);
  if (kind === 0) return cylinder(size(), size(), rounding);
  return kind === 1 ? cone(size(), size(), rounding) : ellipsoid(size(), size(), size(), rounding);
}

/** Not positive inside, and convex; without the rounding. */
function level(shape: Solid, { x, y, z }: Vec3): number {
  const rho = Math.hypot(x, z);
  if (shape.kind === 'cylinder') return Math.max(rho - shape.radius, Math.abs(y) - shape.halfHeight);
  if (shape.kind === 'cone')
    return Math.max(
      -shape.halfHeight - y,
      2 * shape.halfHeight * rho - shape.radius * (shape.halfHeight - y),
    );
  return (x / shape.radii.x) ** 2 + (y / shape.radii.y) ** 2 + (z / shape.radii.z) ** 2 - 1;
}

/** The least value of a convex function on [0, 1], by thirds. */
function least(f: (x: number) => number): { x: number; value: number } {
  let [low, high] = [0, 1];
  for (let i = 0; i < 45; i++) {
    const a = low + (high - low) * 0.4;
    const b = low + (high - low) * 0.6;
    if (f(a) < f(b)) high = b;
    else low = a;
  }
  const x = 0.5 * (low + high);
  return [0, x, 1].map((at) => ({ x: at, value: f(at) })).reduce((a, b) => (b.value < a.value ? b : a));
}

/** Corners at time t, as the shape sees them. */
const cornersAt = (from: readonly number[], to: readonly number[], t: number, pose: ReadonlyPose): Vec3[] =>
  [0, 3, 6].map((i) => {
    const at = (k: number) => (1 - t) * from[i + k]! + t * to[i + k]!;
    return inverseTransformPoint(pose, vec3(at(0), at(1), at(2)));
  });
const weighted = ([a, b, c]: readonly Vec3[], u: number, v: number, w: number): Vec3 => ({
  x: u * a!.x + v * b!.x + w * c!.x,
  y: u * a!.y + v * b!.y + w * c!.y,
  z: u * a!.z + v * b!.z + w * c!.z,
});

/** Has the triangle a point inside of the core, as far as can be found? */
function isInside(shape: Solid, corners: readonly Vec3[]): boolean {
  const at = (s: number, r: number) => level(shape, weighted(corners, 1 - s, s * (1 - r), s * r));
  return least((s) => least((r) => at(s, r)).value).value < -1e-11;
}

/** Has the triangle a point within a distance, on a grid? */
function isNear(shape: Solid, corners: readonly Vec3[], distance: number): boolean {
  const wider = { ...shape, rounding: shape.rounding + distance - 1e-11 };
  for (let i = 0; i <= 12; i++)
    for (let j = 0; i + j <= 12; j++)
      if (holds(wider, weighted(corners, i / 12, j / 12, (12 - i - j) / 12))) return true;
  return false;
}

describe('round shapes', () => {
  let hits = 0;
  let all = 0;

  property('never late; at that time they are within 1e-11', 400, (rng) => {
    const shape = someSolid(rng);
    const given = somePose(rng, rng.pick([0, 3]));
    const pose = unit(given);
    const { x, y, z } = pose.position;
    const flat = rng.chance(0.3);
    const near = () => [x, y, z].map((c) => c + (flat ? rng.int(-2, 2) : rng.range(-2, 2)));
    const from = [near(), near(), near()].flat();
    const way = rng.chance(0.3) ? near().map((c, k) => c - [x, y, z][k]!) : null;
    const to = way ? from.map((c, i) => c + way[i % 3]!) : [near(), near(), near()].flat();
    const indices = [0, 1, rng.chance(0.2) ? 1 : 2];
    if (indices[2] === 1)
      for (let k = 0; k < 3; k++) {
        from[6 + k] = from[3 + k]!;
        to[6 + k] = to[3 + k]!;
      }
    const separation = rng.chance(0.25) ? 0.0625 : 0;
    const hit = castDeforming(from, to, indices, { against: deformingTarget(shape, given), separation });
    all++;
    const end = hit ? hit.t - 1e-9 : 1;
    const where = () => JSON.stringify({ shape: { ...shape, core: 0 }, pose, from, to, separation, hit });
    // The last ones are close to the end.
    for (let i = 0; i < 30 && end > 0; i++) {
      const t = i < 24 ? (end * i) / 24 : end - (end / 24) * 0.1 ** (i - 23);
      const corners = cornersAt(from, to, i === 29 ? end : t, pose);
      check(!isInside(shape, corners), () => `in touch at ${t}: ${where()}`);
      const distance = shape.rounding + separation;
      if (distance > 0) check(!isNear(shape, corners, separation), () => `near at ${t}: ${where()}`);
    }
    if (!hit) return;
    hits++;
    check(hit.kind === 'face-shape' && hit.isOther && hit.part === 0, where);
    const [one, u, v, w] = hit.weights as unknown as [number, number, number, number];
    check(one === 1 && u >= 0 && v >= 0 && w >= 0 && Math.abs(u + v + w - 1) < 1e-12, where);
    const onFace = weighted(cornersAt(from, to, hit.t, pose), u, v, w);
    const onShape = inverseTransformPoint(pose, hit.point);
    const wider = (by: number) => ({ ...shape, rounding: shape.rounding + by });
    check(holds(wider(separation + 1e-11), onFace), () => `early: ${where()}`);
    check(holds(wider(1e-11), onShape), () => `not on the shape: ${where()}`);
    const { normal } = hit;
    check(Math.abs(Math.hypot(normal.x, normal.y, normal.z) - 1) < 1e-12, where);
    if (hit.t === 0) return;
    const apart = Math.hypot(onFace.x - onShape.x, onFace.y - onShape.y, onFace.z - onShape.z);
    check(Math.abs(apart - separation) < 1e-10, () => `${apart} apart: ${where()}`);
    // A plane across the normal is between them.
    const d = inverseTransformVector(pose, { x: -normal.x, y: -normal.y, z: -normal.z });
    const lowest = Math.min(
      ...cornersAt(from, to, hit.t, pose).map((p) => p.x * d.x + p.y * d.y + p.z * d.z),
    );
    const between = lowest - heightOf(shape, d) - separation;
    check(between > -1e-8, () => `${between} between: ${where()}`);
  });

  test('some are hit and some are missed', () => {
    expect(hits).toBeGreaterThan(0.2 * all);
    expect(hits).toBeLessThan(0.9 * all);
  });

  property('a support map of a ball is a ball, of a box a box', 150, (rng) => {
    const ball = convex(({ x, y, z }, out) => {
      const s = 0.5 / (Math.hypot(x, y, z) || 1);
      out.x = s * x;
      out.y = s * y;
      out.z = s * z;
      return out;
    });
    const cube = convex(({ x, y, z }, out) => {
      out.x = x < 0 ? -0.5 : 0.5;
      out.y = y < 0 ? -0.5 : 0.5;
      out.z = z < 0 ? -0.5 : 0.5;
      return out;
    });
    const from = Array.from({ length: 9 }, (_, i) => rng.range(-2, 2) + (i % 3 === 2 ? 2.75 : 0));
    const to = from.map((c, i) => rng.range(-1, 1) + (i % 3 === 2 ? -c : c));
    const pose = somePose(rng, 0);
    const cast = (shape: Shape) =>
      castDeforming(from, to, [0, 1, 2], { against: deformingTarget(shape, pose) })?.t;
    for (const [a, b] of [
      [ball, sphere(0.5)],
      [cube, box(0.5, 0.5, 0.5)],
    ] as const) {
      const [s, t] = [cast(a), cast(b)];
      if (s === undefined || t === undefined) {
        // Missed by less than the tolerance.
        check(s === t || t === undefined, () => `${s}, not ${t}`);
        continue;
      }
      check(s <= t * (1 + 2e-12) && t - s < 1e-5, () => `${s}, not ${t}`);
    }
  });

  test('a sheet falls on them', () => {
    const sheet = (y: number) => [-1, y, -1, 2, y, -1, -1, y, 2];
    const fall = (shape: Shape, separation = 0) =>
      castDeforming(sheet(2), sheet(-2), [0, 1, 2], { against: deformingTarget(shape), separation })!;
    for (const shape of [cylinder(0.5, 0.25), cone(0.5, 0.25), ellipsoid(0.25, 0.5, 0.3)]) {
      expect(fall(shape).t).toBeCloseTo(0.375, 11);
      expect(fall(shape, 0.25).t).toBeCloseTo(0.3125, 11);
      expect(fall(shape).normal).toEqual({
        x: expect.closeTo(0),
        y: expect.closeTo(-1),
        z: expect.closeTo(0),
      });
      expect(fall(shape).point.y).toBeCloseTo(0.5, 11);
      expect([...fall(shape).vertices]).toEqual([0, 0, 1, 2]);
    }
  });

  test('inside of a solid is in touch from the start, against the way it goes', () => {
    const from = [-0.1, 0, 0, 0.1, 0, 0, 0, 0, 0.1];
    const to = from.map((c, i) => (i % 3 === 1 ? c + 1 : c));
    const hit = castDeforming(from, to, [0, 1, 2], { against: deformingTarget(cylinder(1, 1)) })!;
    expect(hit.t).toBe(0);
    expect(hit.normal).toEqual({ x: 0, y: 1, z: 0 });
  });

  test('a support may cast the same mesh meanwhile', () => {
    const kept = deformingMesh([0, 1, 2, 3, 4, 5], 6);
    const sheet = (z: number) => [-1, -1, z, 2, -1, z, -1, 2, z, -1, -1, z + 1, 2, -1, z + 1, -1, 2, z + 1];
    const ball = deformingTarget(ellipsoid(0.5, 0.5, 0.5));
    let isAsking = false;
    const asking = convex(({ x, y, z }, out) => {
      if (isAsking) castDeforming(sheet(-30), sheet(-31), kept, { against: ball });
      const s = 0.5 / (Math.hypot(x, y, z) || 1);
      out.x = s * x;
      out.y = s * y;
      out.z = s * z;
      return out;
    });
    const two = compound([
      { shape: asking },
      { shape: asking, pose: { position: vec3(0.25, 0, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } } },
    ]);
    const against = deformingTarget(two);
    const alone = castDeformingAll(sheet(2), sheet(-2), kept, { against });
    isAsking = true;
    expect(castDeformingAll(sheet(2), sheet(-2), kept, { against })).toEqual(alone);
    expect(alone.count).toBe(4);
  });

  test('what is too far for products of lengths is refused', () => {
    const far = [0, 0, 1e200, 1, 0, 1e200, 0, 1, 1e200];
    const near = far.map((c) => (c > 1 ? 0 : c));
    const against = deformingTarget(cylinder(1, 1));
    expect(() => castDeforming(far, near, [0, 1, 2], { against })).toThrow(/castDeforming: positions0/);
  });
});

describe('half-spaces', () => {
  const height = (v: readonly number[], { normal, d }: DeformingHalfSpace, separation: number): Q => {
    const [x, y, z] = v.map(exactly) as [Q, Q, Q];
    const along = add(add(mul(x, exactly(normal.x)), mul(y, exactly(normal.y))), mul(z, exactly(normal.z)));
    return sub(along, add(exactly(d), exactly(separation)));
  };
  const ZERO = exactly(0);

  property('each vertex, exactly', 1500, (rng) => {
    const isGrid = rng.chance(0.6);
    const scale = rng.pick([1, 1, 1, 1e-160, 1e160, 5e-324]);
    const number = () => (isGrid ? rng.int(-2, 2) : rng.range(-2, 2)) * scale;
    const axis = rng.pick([
      vec3(0, 1, 0),
      vec3(-1, 0, 0),
      vec3(1, 1, 0),
      vec3(rng.range(-1, 1), 0.3, 1),
      vec3(1, 1e-20, 0),
    ]);
    const shape = halfSpace(axis, scale < 1e30 ? number() : 1);
    const against = deformingTarget(
      shape,
      rng.chance(0.3) ? somePose(rng, 1) : undefined,
    ) as DeformingHalfSpace;
    const from = Array.from({ length: 12 }, number);
    const to = from.map((c) => (rng.chance(0.3) ? c : number()));
    // The last vertex is in no triangle.
    const separation = rng.chance(0.3) ? 0.5 * Math.min(1, scale) : 0;
    const found = castDeformingAll(from, to, [0, 1, 2, 2, 1, 0], { against, separation });
    const times = new Map(Array.from(found.t, (t, i) => [found.vertices[4 * i]!, t]));
    const where = () => JSON.stringify({ from, to, against, separation, found: [...times] });
    check(times.size === found.count && found.kind.every((kind) => kind === 3), where);
    for (let i = 0; i < 4; i++) {
      const start = height(from.slice(3 * i, 3 * i + 3), against, separation);
      const end = height(to.slice(3 * i, 3 * i + 3), against, separation);
      const isHit = i < 3 && (cmp(start, ZERO) <= 0 || cmp(end, ZERO) <= 0);
      const t = times.get(i);
      check(isHit === (t !== undefined), where);
      if (t === undefined) continue;
      const truth = cmp(start, ZERO) <= 0 ? ZERO : div(start, sub(start, end));
      check(cmp(exactly(t), truth) <= 0, () => `late: ${where()}`);
      const early = add(mul(truth, exactly(1e-12)), exactly(5e-324));
      check(cmp(sub(truth, exactly(t)), early) <= 0, () => `early: ${where()}`);
    }
    const first = castDeforming(from, to, [0, 1, 2, 2, 1, 0], { against, separation });
    check((first?.t ?? -1) === (found.count > 0 ? found.t[0] : -1), where);
  });

  test('a sheet falls on the ground', () => {
    const sheet = (y: number) => [0, y, 0, 1, y + 0.5, 0, 0, y + 0.5, 1];
    const ground = deformingTarget(halfSpace(vec3(0, 1, 0), 0.5));
    expect(castDeforming(sheet(2), sheet(-1), [0, 1, 2], { against: ground })).toMatchObject({
      t: expect.closeTo(0.5, 11),
      kind: 'vertex-plane',
      point: { x: 0, y: expect.closeTo(0.5), z: 0 },
      normal: { x: 0, y: 1, z: 0 },
      vertices: Uint32Array.of(0, 0, 0, 0),
      weights: Float64Array.of(1, 0, 0, 0),
    });
    expect(castDeforming(sheet(2), sheet(1), [0, 1, 2], { against: ground })).toBeNull();
    expect(castDeforming(sheet(2), sheet(0.5), [0, 1, 2], { against: ground })!.t).toBeCloseTo(1, 11);
  });
});

describe('compounds', () => {
  property('each part as if it were alone', 100, (rng) => {
    const shapes = [
      sphere(0.3),
      box(0.3, 0.2, 0.4),
      cylinder(0.4, 0.2),
      capsule(0.3, 0.1),
      cone(0.4, 0.3),
      ellipsoid(0.3, 0.4, 0.2),
    ];
    const parts = Array.from({ length: rng.int(1, 5) }, () => ({
      shape: rng.pick(shapes),
      pose: unit(somePose(rng, 1)),
    }));
    const number = () => rng.range(-1.5, 1.5);
    const from = Array.from({ length: 18 }, number);
    const to = Array.from({ length: 18 }, number);
    const indices = [0, 1, 2, 2, 1, 3, 3, 4, 5];
    const separation = rng.chance(0.3) ? 0.0625 : 0;
    const self = rng.chance(0.3);
    const whole = castDeformingAll(from, to, indices, {
      against: deformingTarget(compound(parts)),
      separation,
      self,
    });
    const told = (contacts: typeof whole, part: number) =>
      Array.from({ length: contacts.count }, (_, i) => i)
        .filter((i) => contacts.isOther[i] === 1 && contacts.part[i] === part)
        .map(
          (i) =>
            `${contacts.kind[i]} ${contacts.vertices.slice(4 * i, 4 * i + 4)} ${contacts.t[i]!.toPrecision(9)}`,
        )
        .sort()
        .join('\n');
    let best: DeformingContact | null = null;
    for (const [i, { shape, pose }] of parts.entries()) {
      const against = deformingTarget(shape, pose);
      const alone = castDeformingAll(from, to, indices, { against, separation });
      check(told(whole, i) === told(alone, 0), () => `${told(whole, i)}, not ${told(alone, 0)}`);
      const first = castDeforming(from, to, indices, { against, separation });
      if (first && (best === null || first.t < best.t)) best = { ...first, part: i };
    }
    const first = castDeforming(from, to, indices, { against: deformingTarget(compound(parts)), separation });
    check((first === null) === (best === null), () => `${first?.t}, not ${best?.t}`);
    if (first && best) check(Math.abs(first.t - best.t) < 1e-9, () => `${first.t}, not ${best.t}`);
  });

  test('several targets, a half-space among them', () => {
    const sheet = (y: number) => [-1, y, -1, 3, y, -1, -1, y, 3];
    const parts = [sphere(0.25), halfSpace(vec3(0, 1, 0), -0.5), cylinder(0.5, 0.1)].map(
      (shape) => deformingTarget(shape) as DeformingHalfSpace,
    );
    const against = { kind: 'compound', parts } as const;
    const found = castDeformingAll(sheet(1), sheet(-1), [0, 1, 2], { against });
    expect([...found.part]).toEqual([2, 0, 1, 1, 1]);
    expect([...found.kind]).toEqual([4, 2, 3, 3, 3]);
    expect(castDeforming(sheet(1), sheet(-1), [0, 1, 2], { against })).toMatchObject({
      part: 2,
      kind: 'face-shape',
    });
  });
});

test('a quaternion need not be of length 1', () => {
  const sheet = (y: number) => [-1, y, -1, 2, y, -1, -1, y, 2];
  const fall = (w: number) =>
    castDeforming(sheet(2), sheet(-2), [0, 1, 2], {
      against: deformingTarget(box(0.5, 0.25, 0.5), {
        position: vec3(),
        quaternion: { x: 0, y: 0, z: w, w },
      }),
    })!.t;
  expect(fall(3)).toBeCloseTo(0.375, 11);
  expect(fall(0.1)).toBeCloseTo(0.375, 11);
});

describe('what is wrong is said', () => {
  const z = [0, 0, 0, 1, 0, 0, 0, 1, 0];
  const cast = (against: unknown) => () =>
    castDeforming(z, z, [0, 1, 2], { against: against as DeformingHalfSpace });
  test.each([
    [
      cast({ kind: 'halfSpace', normal: vec3(), d: 0 }),
      'castDeforming: options.against.normal must not be zero',
    ],
    [cast({ kind: 'halfSpace', normal: vec3(0, 1, 0), d: Number.NaN }), 'options.against.d'],
    [cast({ kind: 'halfSpace', normal: vec3(0, Number.NaN, 0), d: 1 }), 'options.against.normal'],
    [cast({ kind: 'convex' }), 'options.against.cast'],
    [cast({ kind: 'compound' }), 'options.against.parts'],
    [cast({ kind: 'compound', parts: [null] }), 'options.against.parts[0]'],
    [cast({ kind: 'compound', parts: [{ kind: 'compound', parts: [] }] }), 'options.against.parts[0].kind'],
    [cast(sphere(1)), 'options.against.kind must be'],
    [
      () => deformingTarget({ kind: 'blob' } as unknown as Shape),
      'deformingTarget: shape must be of a known kind',
    ],
    [cast(5), 'options.against must be'],
  ])('%#', (call, message) => expect(call).toThrow(message));
});
