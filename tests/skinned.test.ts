/**
 * Every query of a skinned mesh against a mesh of the same vertices, all of them skinned by the oracle: over random skins in random poses,
 * the animations of rigged models, and a generated avatar. GRAZE_CASES makes it longer: with 25 every frame of every animation is looked at.
 */
import { describe, expect, test } from 'vitest';
import { avatarData, walkPose } from '../playground/src/avatar/avatar.ts';
import { roomOf } from '../playground/src/avatar/rooms.ts';
import { castDeforming } from '../src/continuous/index.ts';
import {
  box,
  capsule,
  cast,
  closestPoint,
  collider,
  contacts,
  contains,
  distance,
  intersects,
  type Mesh,
  mesh,
  raycast,
  type Shape,
  skinned,
  sphere,
} from '../src/index.ts';
import { castSkinned } from '../src/skinned/index.ts';
import { check, factor, near, property, Rng } from './kit/index.ts';
import { boxMesh, icosphere, terrain, torus, unwelded } from './kit/meshes.ts';
import { hasRigged, type Pose, RIGGED_NAMES, rigged } from './kit/rigged.ts';
import { pairsBrute, type SkinArrays, type Soup, skinAll } from './kit/skin-oracle.ts';

type Skinned = ReturnType<typeof skinned>;

/** A skinned mesh in a pose, and a mesh of its vertices there. */
interface Case {
  readonly shape: Skinned;
  readonly soup: Soup;
  readonly wanted: Mesh;
  /** Of the coordinates. */
  readonly size: number;
  readonly center: { x: number; y: number; z: number };
}

function posed(shape: Skinned, skin: SkinArrays, { joints, morphs }: Pose): Case {
  shape.pose(joints, skin.morphTargets?.length ? morphs : undefined);
  const soup = { positions: skinAll(skin, joints, morphs), index: skin.index };
  const wanted = mesh(soup.positions, soup.index);
  const { min, max } = wanted.bounds;
  const center = { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: (min.z + max.z) / 2 };
  return {
    shape,
    soup,
    wanted,
    size: soup.positions.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-300),
    center,
  };
}

/** Of positions: those of the oracle are summed in another order. */
const ROUNDING = 1e-13;

/** About the extent of the body. */
function extentOf({ wanted: { bounds } }: Case): number {
  const { min, max } = bounds;
  return Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
}

function pointNear(rng: Rng, one: Case, reach = 0.7) {
  const extent = extentOf(one) || 1;
  const { x, y, z } = rng.vec(reach * extent);
  return { x: one.center.x + x, y: one.center.y + y, z: one.center.z + z };
}

/** A point of a triangle: in it, on an edge, or a vertex. */
function pointOn(rng: Rng, { soup: { positions, index } }: Case) {
  const t = rng.int(0, index.length / 3 - 1);
  const raw = [rng.unit(), rng.chance(0.7) ? rng.unit() : 0, rng.chance(0.7) ? rng.unit() : 0];
  const sum = raw[0]! + raw[1]! + raw[2]! || 1;
  const at = (axis: number) =>
    raw.reduce((s, w, k) => s + (w / sum) * positions[3 * index[3 * t + k]! + axis]!, 0);
  return { x: at(0), y: at(1), z: at(2) };
}

function someShape(rng: Rng, size: number): Shape {
  const s = () => size * rng.range(0.02, 0.3);
  return rng.pick<() => Shape>([
    () => sphere(s()),
    () => box(s(), s(), s()),
    () => capsule(s(), s()),
    () => {
      const { positions, index } = rng.pick([
        () => torus(10, 6),
        () => icosphere(1),
        () => terrain(rng, 4),
      ])();
      const scale = s();
      return mesh(
        Float64Array.from(positions, (x) => scale * x),
        index,
      );
    },
  ])();
}

function askRay(rng: Rng, one: Case): void {
  const target = rng.chance(0.75) ? pointOn(rng, one) : pointNear(rng, one);
  const origin = pointNear(rng, one, 1.2);
  const direction = { x: target.x - origin.x, y: target.y - origin.y, z: target.z - origin.z };
  if (rng.chance(0.15)) direction[rng.pick(['x', 'y', 'z'] as const)] = 0;
  const solid = rng.chance(0.5);
  const { size } = one;
  const ours = raycast({ origin, direction }, one.shape, { solid });
  const theirs = raycast({ origin, direction }, one.wanted, { solid });
  const reach = Math.hypot(direction.x, direction.y, direction.z);
  if (reach === 0) return;
  const isSame =
    (ours === null) === (theirs === null) && (!ours || Math.abs(ours.t - theirs!.t) * reach <= 1e-9 * size);
  if (!isSame) {
    // Next to an edge, rounding decides: what is wrong is wrong for rays next to it, too.
    const times = Array.from({ length: 24 }, () => {
      const shift = rng.vec(1e-8 * size);
      const moved = { x: origin.x + shift.x, y: origin.y + shift.y, z: origin.z + shift.z };
      return raycast({ origin: moved, direction }, one.wanted, { solid })?.t ?? Infinity;
    });
    const t = ours?.t ?? Infinity;
    // A tip that is hit is not hit beside it.
    const isThere =
      ours !== null &&
      t < (theirs?.t ?? Infinity) &&
      ours.part.triangle >= 0 &&
      offTriangle(one, ours.part.triangle, ours.point) <= 1e-9 * size;
    const isLikely =
      isThere ||
      (t === Infinity ? times.includes(t) : times.some((u) => Math.abs(u - t) * reach <= 1e-5 * size));
    check(isLikely, () => `ray at ${ours?.t}, wanted ${theirs?.t}; next to it ${times.slice(0, 5)}`);
    return;
  }
  if (!ours) return;
  near(ours.point.x, origin.x + ours.t * direction.x, 1e-9 * size, 'point.x');
  near(ours.point.y, origin.y + ours.t * direction.y, 1e-9 * size, 'point.y');
  near(ours.point.z, origin.z + ours.t * direction.z, 1e-9 * size, 'point.z');
  if (ours.part.triangle === theirs!.part.triangle) {
    const dot =
      ours.normal.x * theirs!.normal.x + ours.normal.y * theirs!.normal.y + ours.normal.z * theirs!.normal.z;
    // Thin triangles have no normal to speak of.
    if (ours.part.triangle < 0 || !isThin(one, ours.part.triangle)) near(dot, 1, 1e-6, 'normal');
  } else mustHaveOnIt(one, ours.part.triangle, ours.point, 1e-9 * size);
}

const cornersAt = ({ soup: { positions, index } }: Case, t: number) =>
  [0, 1, 2].map((k) => {
    const v = 3 * index[3 * t + k]!;
    return { x: positions[v]!, y: positions[v + 1]!, z: positions[v + 2]! };
  });

function isThin(one: Case, t: number): boolean {
  const [a, b, c] = cornersAt(one, t) as [Vec, Vec, Vec];
  const [u, v] = [sub(b, a), sub(c, a)];
  const n = { x: u.y * v.z - u.z * v.y, y: u.z * v.x - u.x * v.z, z: u.x * v.y - u.y * v.x };
  return Math.hypot(n.x, n.y, n.z) < 1e-6 * one.size * one.size;
}

type Vec = { x: number; y: number; z: number };
const sub = (a: Vec, b: Vec): Vec => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });

/** Is the point on that triangle? */
function mustHaveOnIt(one: Case, t: number, p: Vec, tolerance: number): void {
  check(t >= 0, 'a triangle is named');
  const d = offTriangle(one, t, p);
  check(d <= tolerance, () => `the point is ${d} off triangle ${t}`);
}

function offTriangle(one: Case, t: number, p: Vec): number {
  const [a, b, c] = cornersAt(one, t) as [Vec, Vec, Vec];
  return closestPoint(p, mesh([a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z], [0, 1, 2]))!.distance;
}

function askPoint(rng: Rng, one: Case): void {
  const point = rng.chance(0.2) ? pointOn(rng, one) : pointNear(rng, one);
  const { size } = one;
  const ours = closestPoint(point, one.shape)!;
  const theirs = closestPoint(point, one.wanted)!;
  near(ours.distance, theirs.distance, 1e-11 * size, 'closest');
  const way = sub(ours.point, point);
  near(Math.hypot(way.x, way.y, way.z), ours.distance, 1e-11 * size, 'distance of the closest point');
  if (ours.distance > 1e-9 * size) mustHaveOnIt(one, ours.part.triangle, ours.point, 1e-11 * size);
  if (theirs.distance > 1e-9 * size || theirs.distance === 0) {
    const inside = contains(point, one.wanted);
    if (contains(point, one.shape) !== inside) {
      const surface = raycast({ origin: point, direction: { x: 0, y: 0, z: 0 } }, one.wanted, {
        solid: false,
      });
      check(
        surface !== null || theirs.distance <= 1e-9 * size,
        () => `contains ${!inside}, wanted ${inside}`,
      );
    }
  }
}

const HOME = { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };

function place(rng: Rng, one: Case) {
  return { position: rng.chance(0.4) ? pointOn(rng, one) : pointNear(rng, one), quaternion: rng.rotation() };
}

/** Do both meet it, or both not; and if not, are they as far from it? How deep is a search of its own, and slow. */
function askPair(rng: Rng, one: Case, other = someShape(rng, extentOf(one) || 1)): void {
  const body = collider(other, place(rng, one));
  const { size } = one;
  const meets = intersects(body, one.wanted);
  const isSame = intersects(body, one.shape) === meets && intersects(one.shape, body) === meets;
  if (meets) {
    if (!isSame) near(distance(body, one.shape)!.separation, 0, 1e-9 * size, 'apart, but not in truth:');
    return;
  }
  const theirs = distance(body, one.wanted)!;
  if (!isSame) near(theirs.separation, 0, 1e-9 * size, 'in touch, but not in truth:');
  if (theirs.separation <= 1e-9 * size) return;
  const ours = distance(body, one.shape)!;
  near(ours.separation, theirs.separation, 1e-9 * size, 'distance');
  const back = distance(one.shape, body)!;
  near(back.separation, theirs.separation, 1e-9 * size, 'distance the other way round');
  const way = sub(ours.pointA, ours.pointB);
  near(Math.hypot(way.x, way.y, way.z), ours.separation, 1e-9 * size, 'the way between the points');
  const margin = rng.range(0, 2) * theirs.separation;
  if (Math.abs(theirs.separation - margin) > 1e-9 * size) {
    const list = contacts(body, one.shape, { margin });
    check(
      list.length > 0 === theirs.separation <= margin,
      () => `${list.length} contacts at ${theirs.separation}`,
    );
  }
}

function askCast(rng: Rng, one: Case, other = someShape(rng, extentOf(one) || 1)): void {
  const start = { position: pointNear(rng, one, 1.5), quaternion: rng.rotation() };
  const target = rng.chance(0.7) ? pointOn(rng, one) : pointNear(rng, one, 1.5);
  const translation = sub(target, start.position);
  const body = collider(other, start);
  const { size } = one;
  const reach = Math.hypot(translation.x, translation.y, translation.z);
  const ours = cast(body, { translation }, one.shape);
  const theirs = cast(body, { translation }, one.wanted);
  const [t, u] = [ours?.t ?? 2, theirs?.t ?? 2];
  if (Math.abs(t - u) * reach <= 1e-7 * size) return;
  // Grazing: the time depends on the last bits.
  const moved = [1, -1].map((s) => {
    const grown = sub(start.position, { x: s * 1e-7 * size, y: s * -1e-7 * size, z: s * 1e-7 * size });
    return cast(collider(other, { ...start, position: grown }), { translation }, one.wanted)?.t ?? 2;
  });
  check(
    moved.some((v) => Math.abs(v - t) * reach <= 1e-4 * size),
    () => `cast ${ours?.t}, wanted ${theirs?.t}; next to it ${moved}`,
  );
}

const ASKS = [askRay, askRay, askPoint, askPoint, askPair, askCast] as const;

/** So many of the random skins are blended so. */
const DUAL = 0.35;

/** A surface with joints that know nothing of it, weights of any sum, matrices of any kind. */
function randomSkin(rng: Rng): SkinArrays {
  const base = rng.pick([
    () => icosphere(rng.int(0, 2)),
    () => torus(rng.int(5, 12), rng.int(4, 7)),
    () => boxMesh({ x: 0, y: -1, z: -0.3 }, { x: 0.5, y: 1, z: 0.3 }),
    () => terrain(rng, rng.int(2, 5)),
    () => unwelded(icosphere(1)),
  ])();
  const jointCount = rng.int(1, 7);
  const each = rng.int(1, 6);
  const count = base.positions.length / 3;
  const joints = new Uint16Array(each * count);
  const weights = new Float64Array(each * count);
  // The same for vertices at the same place, as in a file: or the surface comes apart.
  const seen = new Map<string, number>();
  const firsts: number[] = [];
  for (let v = 0; v < count; v++) {
    const key = [0, 1, 2].map((k) => base.positions[3 * v + k]!).join();
    const first = seen.get(key) ?? v;
    seen.set(key, first);
    firsts.push(first);
    for (let i = 0; i < each; i++) {
      joints[each * v + i] = first < v ? joints[each * first + i]! : rng.int(0, jointCount - 1);
      weights[each * v + i] = first < v ? weights[each * first + i]! : rng.chance(0.3) ? 0 : rng.unit();
    }
  }
  const blending = rng.chance(DUAL) ? 'dualQuaternion' : 'linear';
  return {
    positions: Float64Array.from(base.positions),
    index: Uint32Array.from(base.index),
    joints,
    weights,
    jointsPerVertex: each,
    blending,
    inverseBindMatrices: Float64Array.from(
      Array.from({ length: jointCount }, () => matrix(rng, true)).flat(),
    ),
    ...(rng.chance(0.4) && {
      morphTargets: Array.from({ length: rng.int(1, 2) }, () => {
        const target = Float64Array.from({ length: 3 * count }, () => 0.3 * rng.gauss());
        return target.map((_, i) => target[3 * firsts[Math.floor(i / 3)]! + (i % 3)]!);
      }),
    }),
    ...(rng.chance(0.5) && {
      parents: Int32Array.from({ length: jointCount }, (_, j) =>
        j === 0 || rng.chance(0.2) ? -1 : rng.int(0, j - 1),
      ),
    }),
  };
}

/** A rotation and a translation; with a scale for each axis, a mirror, a shear, or flat, unless it must be rigid. */
function matrix(rng: Rng, isRigid: boolean): number[] {
  const { x, y, z, w } = rng.rotation();
  const t = rng.vec(0.6);
  const s = isRigid
    ? [1, 1, 1]
    : rng.pick([() => [1, 1, 1], () => [rng.range(0.3, 2), rng.range(0.3, 2), -1], () => [1, 0, 2]])();
  const shear = isRigid || rng.chance(0.7) ? 0 : rng.gauss();
  const c = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
  ];
  const columns = c.map((column, k) => column.map((v) => v * s[k]!));
  columns[2] = columns[2]!.map((v, k) => v + shear * columns[0]![k]!);
  return [...columns[0]!, 0, ...columns[1]!, 0, ...columns[2]!, 0, t.x, t.y, t.z, 1];
}

const randomPose = (rng: Rng, skin: SkinArrays): Pose => ({
  joints: Float64Array.from(
    Array.from({ length: skin.inverseBindMatrices.length / 16 }, () =>
      matrix(rng, skin.blending === 'dualQuaternion'),
    ).flat(),
  ),
  morphs: Float64Array.from(skin.morphTargets ?? [], () => rng.pick([0, rng.range(-1, 1)])),
});

function mustHoldVertices({ shape, soup, size }: Case): void {
  const { bounds } = shape;
  for (const [axis, k] of [
    ['x', 0],
    ['y', 1],
    ['z', 2],
  ] as const) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < soup.index.length; i++) {
      const c = soup.positions[3 * soup.index[i]! + k]!;
      low = Math.min(low, c);
      high = Math.max(high, c);
    }
    check(bounds.min[axis] <= low + ROUNDING * size, () => `bounds.min.${axis} ${bounds.min[axis]}, ${low}`);
    check(
      bounds.max[axis] >= high - ROUNDING * size,
      () => `bounds.max.${axis} ${bounds.max[axis]}, ${high}`,
    );
  }
}

property('a random skin in random poses answers as a mesh of its vertices', 300, (rng) => {
  const skin = randomSkin(rng);
  const shape = skinned(skin);
  for (let frame = 0; frame < 3; frame++) {
    const one = posed(shape, skin, randomPose(rng, skin));
    if (rng.chance(0.5)) mustHoldVertices(one);
    for (let i = 0; i < 4; i++) rng.pick(ASKS)(rng, one);
  }
});

property('two instances of a random skin, each in its own pose', 150, (rng) => {
  const skin = randomSkin(rng);
  const a = skinned(skin);
  const twin = a.instance();
  const one = posed(a, skin, randomPose(rng, skin));
  const other = posed(twin, skin, randomPose(rng, skin));
  meet(one, other, HOME);
  meet(one, other, place(rng, one));
});

/** Two characters, the second at a pose. */
function meet(one: Case, other: Case, pose: ReturnType<typeof place>): void {
  const size = one.size + other.size + Math.hypot(pose.position.x, pose.position.y, pose.position.z);
  const [wanted, given] = [collider(other.wanted, pose), collider(other.shape, pose)];
  const meets = intersects(one.wanted, wanted);
  const isSame = intersects(one.shape, given) === meets;
  if (!isSame) near(distance(one.wanted, wanted)!.separation, 0, 1e-9 * size, 'meets or not');
  if (meets) return;
  const theirs = distance(one.wanted, wanted)!.separation;
  if (theirs > 1e-9 * size)
    near(distance(one.shape, given)!.separation, theirs, 1e-9 * size, 'of two characters');
}

describe.skipIf(!hasRigged)('rigged models (../shared/data/characters)', () => {
  const shapes = new Map<string, Skinned>();
  const shapeOf = (name: (typeof RIGGED_NAMES)[number]): Skinned => {
    let shape = shapes.get(name);
    if (!shape) {
      shape = skinned(rigged(name).skin);
      shapes.set(name, shape);
    }
    return shape;
  };
  const anyPose = (rng: Rng, name: (typeof RIGGED_NAMES)[number]): Pose => {
    const { animations, pose } = rigged(name);
    const i = rng.int(0, animations.length - 1);
    return pose(i, rng.range(0, animations[i]!.duration));
  };

  property('any time of any animation: every query as of a mesh of the vertices', 25, (rng) => {
    const name = rng.pick(RIGGED_NAMES);
    const one = posed(shapeOf(name), rigged(name).skin, anyPose(rng, name));
    mustHoldVertices(one);
    for (let i = 0; i < 8; i++) rng.pick(ASKS)(rng, one);
  });

  property('any two of them', 8, (rng) => {
    const [a, b] = [rng.pick(RIGGED_NAMES), rng.pick(RIGGED_NAMES)];
    const one = posed(shapeOf(a), rigged(a).skin, anyPose(rng, a));
    const other = posed(shapeOf(b).instance(), rigged(b).skin, anyPose(rng, b));
    const pose = { position: pointNear(rng, one), quaternion: rng.rotation() };
    meet(one, other, pose);
  });

  test.each(RIGGED_NAMES)('%s: a wall that it walks into, frame by frame', (name) => {
    const { skin, animations, pose } = rigged(name);
    const shape = shapeOf(name);
    let touched = 0;
    let missed = 0;
    let madeUp = 0;
    let crossed = 0;
    animations.forEach(({ duration }, animation) => {
      if (factor < 1 && animation % 6 > 0) return;
      const frames = factor < 1 ? 4 : Math.ceil(60 * duration);
      for (let frame = 0; frame < frames; frame++) {
        const now = pose(animation, (frame / frames) * duration);
        const one = posed(shape, skin, now);
        const { min, max } = one.wanted.bounds;
        for (const share of [0.1, 0.5, 1.001]) {
          const x = min.x + share * (max.x - min.x);
          const wall = {
            positions: [
              x,
              min.y - 1,
              min.z - 1,
              x,
              max.y + 1,
              min.z - 1,
              x,
              0.5 * (min.y + max.y),
              3 * max.z + 9 * one.size,
            ],
            index: [0, 1, 2],
          };
          const pairs = pairsBrute(one.soup, wall);
          const plane = mesh(wall.positions, wall.index);
          expect(intersects(shape, plane)).toBe(pairs.size > 0);
          const found = contacts(shape, plane).map(
            ({ partA, partB }) => `${partA.triangle} ${partB.triangle}`,
          );
          // Several pairs that touch in one point have one contact.
          madeUp += found.filter((pair) => !pairs.has(pair)).length;
          if (found.length > 0 !== pairs.size > 0) missed++;
          touched += pairs.size;
          const next = pose(animation, Math.min(duration, ((frame + 1) / frames) * duration));
          const after = shape.instance();
          after.pose(next.joints, skin.morphTargets?.length ? next.morphs : undefined);
          const hit = castSkinned({ from: shape, to: after }, plane);
          const wanted = castAll(shape, after, wall);
          expect(hit?.t ?? 2, `${animation} ${frame}`).toBeCloseTo(pairs.size > 0 ? 0 : wanted, 10);
          if (hit !== null && hit.t > 0) crossed++;
        }
        // Rays, closest points, casts.
        const rng = new Rng(1000 * animation + frame);
        for (const ask of [askRay, askPoint, askCast]) ask(rng, one);
      }
    });
    expect(touched).toBeGreaterThan(0);
    expect([missed, madeUp]).toEqual([0, 0]);
    if (factor >= 1) expect(crossed).toBeGreaterThan(0);
  });
});

/** All triangles from one frame to the next, whether or not they can meet the other. */
function castAll(from: Skinned, to: Skinned, wall: { positions: number[]; index: number[] }): number {
  const { vertices, corners } = from.mesh;
  return (
    castDeforming(vertices, to.mesh.vertices, corners, {
      against: { positions0: wall.positions, indices: wall.index },
    })?.t ?? 2
  );
}

describe('the generated avatar', () => {
  const avatar = avatarData();
  const shape = skinned(avatar);

  property('on its walk through a room: every query as of a mesh of its vertices', 2, (rng) => {
    const name = rng.pick(['museum', 'living room'] as const);
    const { positions, index, path } = roomOf(name);
    const joints = walkPose(rng.unit(), path(rng.unit()));
    const one = posed(shape, avatar, { joints, morphs: new Float64Array() });
    mustHoldVertices(one);
    for (let i = 0; i < 30; i++) rng.pick(ASKS)(rng, one);
    const env = mesh(positions, index);
    meet(one, { ...one, shape: env, wanted: env, size: 10 } as never, HOME);
  });
});
