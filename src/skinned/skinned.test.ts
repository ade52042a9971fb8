/** Skinned meshes against vertices skinned one by one, and against meshes of the triangles that come of it. */
import { expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import { icosphere, type TriangleArrays, terrain, torus } from '../../tests/kit/meshes.ts';
import { IDENTITY } from '../../tests/kit/skins.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { cast } from '../query/cast.ts';
import { closestPoint } from '../query/closest-point.ts';
import { contacts } from '../query/contacts.ts';
import { contains } from '../query/contains.ts';
import { distance } from '../query/distance.ts';
import { intersects } from '../query/intersects.ts';
import { raycast } from '../query/raycast.ts';
import { signedDistance } from '../query/signed-distance.ts';
import { collider } from '../shapes/collider.ts';
import { convex } from '../shapes/custom.ts';
import { box } from '../shapes/flat-sided-shapes.ts';
import { halfSpace } from '../shapes/half-space.ts';
import { mesh } from '../shapes/mesh.ts';
import { convexOf } from '../shapes/pairs/mesh-hull.ts';
import { capsule, sphere } from '../shapes/round-shapes.ts';
import type { Shape } from '../shapes/shape.ts';
import { skinned } from '../shapes/skinned.ts';
import { boxAt, isLeaf, leafEnd, leafFirst, linkAt, nodeAt } from '../trees/packed-tree.ts';
import { World } from '../world/world.ts';
import type { SkinSource } from './skin-source.ts';
import type { SkinnedShape } from './skinned-shape.ts';

const v = (x: number, y: number, z: number): Vec3 => ({ x, y, z });

interface Rig {
  readonly source: SkinSource & { readonly index: ArrayLike<number> };
  readonly each: number;
  readonly jointCount: number;
}

/** A surface whose vertices follow joints along x: two neighbours each, or any of them. */
function randomRig(rng: Rng, surface: TriangleArrays, each = rng.pick([1, 2, 4, 6])): Rig {
  const jointCount = rng.int(1, 7);
  const { positions, index } = surface;
  const count = positions.length / 3;
  const joints = new Uint8Array(each * count);
  const weights = new Float32Array(each * count);
  const smooth = rng.chance(0.7);
  for (let vertex = 0; vertex < count; vertex++) {
    const along = ((positions[3 * vertex]! + 1.5) / 3) * jointCount;
    for (let k = 0; k < each; k++) {
      const at = each * vertex + k;
      joints[at] = smooth
        ? Math.max(0, Math.min(jointCount - 1, Math.floor(along) + k))
        : rng.int(0, jointCount - 1);
      weights[at] = smooth
        ? Math.max(0, 1 - Math.abs(along - joints[at]! - 0.5)) + (k === 0 ? 0.01 : 0)
        : rng.unit();
    }
  }
  const morphTargets = rng.chance(0.3)
    ? [0, 1].map(() => Float32Array.from(positions, (x) => (rng.chance(0.5) ? 0 : 0.3 * x * rng.unit())))
    : [];
  const inverseBindMatrices = Array.from({ length: jointCount }, () => randomMatrix(rng, 0)).flat();
  const source = {
    positions,
    index,
    joints,
    weights,
    jointsPerVertex: each,
    inverseBindMatrices,
    morphTargets,
  };
  return { source, each, jointCount };
}

/** A rotation, scaled unevenly and at times mirrored or flattened, then moved. */
function randomMatrix(rng: Rng, spread: number): number[] {
  const { x, y, z, w } = rng.rotation();
  const s = [rng.pick([1, 1, 0.5, 2]), rng.pick([1, 1, 1, 1.5]), rng.pick([1, 1, 1, -1, 0])];
  const m = [
    1 - 2 * (y * y + z * z),
    2 * (x * y + z * w),
    2 * (x * z - y * w),
    0,
    2 * (x * y - z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z + x * w),
    0,
    2 * (x * z + y * w),
    2 * (y * z - x * w),
    1 - 2 * (x * x + y * y),
    0,
  ];
  const { x: tx, y: ty, z: tz } = rng.vec(spread);
  return [...m.map((e, i) => e * (spread > 0 ? s[i >> 2]! : 1)), tx, ty, tz, 1];
}

interface Pose {
  readonly matrices: number[];
  readonly morphs: number[] | undefined;
}

const randomPose = (rng: Rng, { source, jointCount }: Rig): Pose => ({
  matrices: Array.from({ length: jointCount }, () => randomMatrix(rng, rng.pick([0.2, 1]))).flat(),
  morphs: source.morphTargets!.length > 0 ? source.morphTargets!.map(() => rng.range(-1, 1)) : undefined,
});

const times = (m: ArrayLike<number>, at: number, [x, y, z, w]: readonly number[]): number[] =>
  [0, 1, 2, 3].map(
    (row) => m[at + row]! * x! + m[at + 4 + row]! * y! + m[at + 8 + row]! * z! + m[at + 12 + row]! * w!,
  );

/** Vertex by vertex, straight from the definition. */
function skinAll({ source, each }: Rig, { matrices, morphs }: Pose): Float64Array {
  const { positions, joints, weights, inverseBindMatrices } = source;
  return Float64Array.from({ length: positions.length }, (_, i) => i).map((i) => {
    const vertex = Math.floor(i / 3);
    const at = [0, 1, 2].map((k) => {
      const own = positions[3 * vertex + k]!;
      return (morphs ?? []).reduce((sum, by, m) => sum + by * source.morphTargets![m]![3 * vertex + k]!, own);
    });
    let sum = 0;
    let to = 0;
    for (let k = each * vertex; k < each * (vertex + 1); k++) {
      sum += weights[k]!;
      to +=
        weights[k]! *
        times(matrices, 16 * joints[k]!, times(inverseBindMatrices, 16 * joints[k]!, [...at, 1]))[i % 3]!;
    }
    return sum > 0
      ? to / sum
      : times(
          matrices,
          16 * joints[each * vertex]!,
          times(inverseBindMatrices, 16 * joints[each * vertex]!, [...at, 1]),
        )[i % 3]!;
  });
}

const surfaces = [
  icosphere(2),
  torus(10, 8),
  { positions: torus(10, 8).positions, index: torus(10, 8).index.slice(0, -6) },
];
const randomSurface = (rng: Rng): TriangleArrays => rng.pick(surfaces);

const sizeOf = (positions: ArrayLike<number>): number => {
  let size = 1;
  for (let i = 0; i < positions.length; i++) size = Math.max(size, Math.abs(positions[i]!));
  return size;
};

property('[C4] boxes hold every vertex, in any pose, and no vertex is skinned for them', 120, (rng) => {
  const rig = randomRig(rng, randomSurface(rng));
  const avatar = skinned(rig.source);
  for (let i = 0; i < 2; i++) {
    const pose = randomPose(rng, rig);
    avatar.pose(pose.matrices, pose.morphs);
    const all = skinAll(rig, pose);
    const size = sizeOf(all);
    const { state, skin } = avatar;
    const { tree, bounds } = state.mesh;
    for (let node = 0; node < tree.nodeCount; node++) state.open(nodeAt(node));
    check(state.work.vertices === 0, 'vertices were skinned');
    /** Of what is below a child: by its triangles, as the user knows them. */
    const below = (node: number, side: number): number[] => {
      const link = tree.links[linkAt(nodeAt(node), side)]!;
      if (!isLeaf(link)) return [...below(link >> 4, 0), ...below(link >> 4, 1)];
      const own: number[] = [];
      for (let slot = leafFirst(link); slot < leafEnd(link); slot++)
        for (let k = 0; k < 3; k++) own.push(rig.source.index[3 * skin.ids[slot]! + k]!);
      return own;
    };
    for (let node = 0; node < tree.nodeCount; node++)
      for (const side of [0, 1])
        for (const vertex of below(node, side))
          for (let k = 0; k < 3; k++) {
            const x = all[3 * vertex + k]!;
            const at = boxAt(nodeAt(node), side) + k;
            const low = tree.grid[k]! + tree.bounds[at]! * tree.grid[k + 3]!;
            const high = tree.grid[k]! + tree.bounds[at + 3]! * tree.grid[k + 3]!;
            check(x >= low && x <= high, () => `${x} is not from ${low} to ${high}`);
            const axis = 'xyz'[k] as 'x';
            check(x >= bounds.min[axis] - 1e-13 * size && x <= bounds.max[axis] + 1e-13 * size, 'bounds');
          }
  }
});

property(
  '[C11] rays, closest points and insides are those of the vertices skinned one by one',
  250,
  (rng, i) => {
    const rig = randomRig(rng, randomSurface(rng));
    const avatar = skinned(rig.source);
    for (let frame = 0; frame < 2; frame++) {
      const pose = randomPose(rng, rig);
      avatar.pose(pose.matrices, pose.morphs);
      const all = skinAll(rig, pose);
      const size = sizeOf(all);
      const whole = mesh(all, rig.source.index);
      for (let k = 0; k < 12; k++) {
        const p = rng.vec(rng.pick([0.3, 1, 3]));
        const direction = rng.pick([rng.direction(), v(0, 1, 0), v(0, 0, -1)]);
        const maxDistance = rng.pick([Infinity, 2]);
        const mode = (i + k) % 3;
        if (mode === 0) {
          const hit = raycast({ origin: p, direction }, avatar, { maxDistance, solid: false });
          const wanted = raycast({ origin: p, direction }, whole, { maxDistance, solid: false });
          check(
            (hit === null) === (wanted === null) || rayIsDoubtful(whole, p, direction),
            'one hits, one does not',
          );
          if (hit !== null && wanted !== null && Math.abs(hit.t - wanted.t) > 1e-9 * size)
            check(rayIsDoubtful(whole, p, direction), () => `t ${hit.t}, not ${wanted.t}`);
        } else if (mode === 1) {
          const found = closestPoint(p, avatar)!;
          near(found.distance, closestPoint(p, whole)!.distance, 1e-11 * size, 'distance');
          near(lengthBetween(found.point, p), found.distance, 1e-11 * size, 'point');
        } else {
          const far = Math.abs(signedDistance(p, whole)) > 1e-9;
          if (far) check(contains(p, avatar) === contains(p, whole), 'contains');
          near(signedDistance(p, avatar), signedDistance(p, whole), 1e-11 * size, 'signed distance');
        }
      }
    }
  },
);

/** Does the ray pass next to an edge? Rounded differently, it hits or misses. */
function rayIsDoubtful(whole: Shape, origin: ReadonlyVec3, direction: ReadonlyVec3): boolean {
  const ts = [0, 1, 2, 3].map((k) => {
    const aside = v(1e-9 * ((k & 1) - 0.5), 1e-9 * ((k >> 1) - 0.5), 1e-9 * (k - 1.5));
    const start = v(origin.x + aside.x, origin.y + aside.y, origin.z + aside.z);
    return raycast({ origin: start, direction }, whole, { solid: false })?.t ?? 1e9;
  });
  return Math.max(...ts) - Math.min(...ts) > 1e-7;
}

const lengthBetween = (a: ReadonlyVec3, b: ReadonlyVec3): number =>
  Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2);

const ground = terrain({ unit: () => 0.5, range: (a: number, b: number) => (a + b) / 2 } as Rng, 6);
const PARTNERS: readonly Shape[] = [
  sphere(0.4),
  capsule(0.6, 0.2),
  box(0.3, 0.5, 0.2),
  mesh(torus(12, 8).positions, torus(12, 8).index),
  mesh(icosphere(2).positions, icosphere(2).index),
  mesh(ground.positions, ground.index),
  halfSpace(v(0.1, 1, 0.2), -0.3),
];

const place = (rng: Rng, far: number) => ({ position: rng.vec(far), quaternion: rng.rotation() });
const named = (list: readonly { partA: { triangle: number }; partB: { triangle: number } }[]): string =>
  [...new Set(list.map(({ partA, partB }) => `${partA.triangle} ${partB.triangle}`))].sort().join();

property('[C9] against any other shape: what a mesh of the same triangles answers', 150, (rng, i) => {
  const rig = randomRig(rng, randomSurface(rng));
  const avatar = skinned(rig.source);
  const pose = randomPose(rng, rig);
  avatar.pose(pose.matrices, pose.morphs);
  const twin = avatar.instance();
  const mode = i % 5;
  const partner = rng.chance(0.2) ? avatar.instance() : PARTNERS[(i >> 2) % PARTNERS.length]!;
  if (partner.kind === 'skinned') {
    const other = randomPose(rng, rig);
    partner.pose(other.matrices, other.morphs);
  }
  const [poseA, poseB] = [place(rng, 0.5), place(rng, rng.pick([0.5, 1.5, 4]))];
  const a = collider(twin, poseA);
  const b = collider(partner, poseB);
  // A mesh of the same bits, in the other walks of the tree.
  const one = collider(avatar.mesh, poseA);
  const two = collider(partner.kind === 'skinned' ? partner.mesh : partner, poseB);
  const size = sizeOf(avatar.mesh.vertices);
  if (mode === 0) {
    check(intersects(a, b) === intersects(one, two), 'intersects');
    check(intersects(b, a) === intersects(two, one), 'intersects, in the other order');
  } else if (mode === 1) {
    const maxDistance = rng.pick([Infinity, 1]);
    const found = distance(a, b, { maxDistance });
    const wanted = distance(one, two, { maxDistance });
    check((found === null) === (wanted === null), 'distance: one of them is null');
    if (found !== null) near(found.separation, wanted!.separation, 1e-9 * size, 'separation');
    const back = distance(b, a, { maxDistance });
    if (back !== null)
      near(back.separation, wanted!.separation, 1e-9 * size, 'separation, in the other order');
  } else if (mode === 2) {
    const margin = rng.pick([0, 0.1]);
    // Meshes that overlap have one contact more: as deep as they are as a whole, which skins leave to `distance`.
    const depth = distance(one, two)!.separation;
    // Meshes that are convex have the contacts of convex bodies, a few for all of their triangles.
    const isConvex = convexOf(one.shape) !== null && convexOf(two.shape) !== null;
    for (const [found, wanted] of [
      [contacts(a, b, { margin }), contacts(one, two, { margin })],
      [contacts(b, a, { margin }), contacts(two, one, { margin })],
    ] as const) {
      if (isConvex) {
        check(found.length > 0 === wanted.length > 0, 'one has contacts, the other has none');
        continue;
      }
      const known = new Set(named(found).split(','));
      const more = wanted.filter((contact) => !known.has(named([contact])));
      check(more.length <= (depth < 0 ? 1 : 0), () => `${more.length} contacts are missing`);
      for (const { separation } of more) near(separation, depth, 1e-9 * size, 'the contact of the whole');
      const all = new Set(named(wanted).split(','));
      check(
        found.every((contact) => all.has(named([contact]))),
        'a contact is made up',
      );
    }
  } else {
    const translation = v(0, 0, 0);
    for (const axis of ['x', 'y', 'z'] as const)
      translation[axis] =
        (poseB.position[axis] - poseA.position[axis]) * rng.range(0.5, 2) + rng.range(-0.3, 0.3);
    const hit = mode === 3 ? cast(a, { translation }, b) : cast(b, { translation }, a);
    const wanted = mode === 3 ? cast(one, { translation }, two) : cast(two, { translation }, one);
    check((hit === null) === (wanted === null), () => `cast: ${hit?.t}, not ${wanted?.t}`);
    if (hit !== null) near(hit.t, wanted!.t, 1e-9 * size, 't');
  }
});

/** A tube along y that bends about x in the middle, with many triangles. */
function bigArm(): SkinnedShape {
  const { positions, index } = icosphere(5);
  const weights = Array.from(positions, (_, i) => i)
    .filter((i) => i % 3 === 1)
    .flatMap((i) => {
      const up = Math.max(0, Math.min(1, positions[i]! + 0.5));
      return [1 - up, up];
    });
  return skinned({
    positions,
    index,
    joints: weights.map((_, i) => i % 2),
    weights,
    jointsPerVertex: 2,
    inverseBindMatrices: [...IDENTITY, ...IDENTITY],
  });
}

test('[C4] [C5] only what a query comes to is refitted and skinned, once a pose', () => {
  const arm = bigArm();
  const lifted = [...IDENTITY.slice(0, 13), 1, ...IDENTITY.slice(14)];
  arm.pose([...IDENTITY, ...lifted]);
  const ray = { origin: v(5, 0.1, 0.2), direction: v(-1, 0, 0) };
  const hit = raycast(ray, arm, { solid: false })!;
  const { work } = arm.state;
  const { slots, vertices } = work;
  expect(vertices).toBeGreaterThan(0);
  expect(vertices).toBeLessThan(arm.skin.vertexCount / 50);
  expect(slots).toBeLessThan(arm.skin.tree.nodeCount / 10);
  expect(raycast(ray, arm, { solid: false })).toEqual(hit);
  expect(work).toEqual({ slots, vertices });
  arm.pose([...IDENTITY, ...lifted]);
  expect(arm.state.work).toEqual({ slots: 0, vertices: 0 });
  expect(
    intersects(collider(sphere(0.1), { position: v(0, 9, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } }), arm),
  ).toBe(false);
  expect(arm.state.work.vertices).toBe(0);
});

test('a query keeps the pose that it began with', () => {
  const arm = bigArm();
  const moved = [...IDENTITY.slice(0, 12), 100, 0, 0, 1];
  let calls = 0;
  let meddles = false;
  const meddling = convex(
    (d, out) => {
      if (meddles && calls++ === 3) arm.pose([...moved, ...moved]);
      const length = Math.sqrt(d.x * d.x + d.y * d.y + d.z * d.z) || 1;
      out.x = (0.5 * d.x) / length;
      out.y = (0.5 * d.y) / length;
      out.z = (0.5 * d.z) / length;
      return out;
    },
    { reach: 0.5 },
  );
  meddles = true;
  const body = collider(meddling, { position: v(1.2, 0, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } });
  expect(intersects(body, arm)).toBe(true);
  expect(calls).toBeGreaterThan(4);
  expect(arm.frame).toBe(1);
  expect(intersects(body, arm)).toBe(false);
});

test('a world sees a new pose at its next update', () => {
  const arm = bigArm();
  const world = new World();
  const id = world.add(collider(arm));
  const wall = world.add(
    collider(box(1, 1, 1), { position: v(5, 0, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } }),
  );
  expect([...world.update()]).toEqual([]);
  const moved = [...IDENTITY.slice(0, 12), 3.5, 0, 0, 1];
  arm.pose([...moved, ...moved]);
  const events = [...world.update()];
  expect(events.map(({ a, b, phase }) => [a, b, phase])).toEqual([[id, wall, 'enter']]);
  expect(world.raycast({ origin: v(3.5, 9, 0), direction: v(0, -1, 0) })?.id).toBe(id);
  arm.pose([...IDENTITY, ...IDENTITY]);
  expect([...world.update()].map(({ phase }) => phase)).toEqual(['leave']);
});

test('so where the body moves at the same time, but does not turn', () => {
  const arm = bigArm();
  const world = new World();
  const still = { x: 0, y: 0, z: 0, w: 1 };
  const pose = { position: v(0, 0, 0), quaternion: still };
  const id = world.add(collider(arm, pose));
  const wall = world.add(collider(box(1, 1, 1), { position: v(5, 0, 0), quaternion: still }));
  world.update();
  // The joints go to the wall, the body a little up.
  const moved = [...IDENTITY.slice(0, 12), 3.5, 0, 0, 1];
  arm.pose([...moved, ...moved]);
  pose.position.y = 0.1;
  expect([...world.update()].map(({ a, b, phase }) => [a, b, phase])).toEqual([[id, wall, 'enter']]);
  expect(world.raycast({ origin: v(3.5, 9, 0), direction: v(0, -1, 0) })?.id).toBe(id);
});

test('against a mesh, each pair of triangles is found once; a mesh may be a single triangle', () => {
  const arm = bigArm();
  const ring = mesh(torus(12, 8).positions, torus(12, 8).index);
  const list = contacts(arm, ring).map(({ partA, partB }) => `${partA.triangle} ${partB.triangle}`);
  expect(list.length).toBeGreaterThan(10);
  expect(new Set(list).size).toBe(list.length);
  const sheet = mesh([-3, 0.2, -3, 3, 0.2, -3, 0, 0.2, 4]);
  expect(intersects(arm, sheet)).toBe(true);
  expect(intersects(mesh([-3, 1.2, -3, 3, 1.2, -3, 0, 1.2, 4]), arm)).toBe(false);
  expect(distance(mesh([-3, 1.5, -3, 3, 1.5, -3, 0, 1.5, 4]), arm)!.separation).toBeCloseTo(0.5, 2);
});

property('a surface whose seams are open but for rounding is a solid, in every pose', 30, (rng) => {
  const { positions, index } = rng.pick([icosphere(1), torus(7, 5)]);
  const isSingle = rng.chance(0.5);
  const ulp = isSingle ? 2 ** -24 : 2 ** -53;
  // Each triangle has corners of its own, off by an ulp.
  const noisy = (x: number) => x * (1 + rng.pick([0, 0, ulp, -ulp]));
  const apart = Array.from(index, (v) => [0, 1, 2].map((k) => noisy(positions[3 * v + k]!))).flat();
  const target = Array.from(index, (v) =>
    [0, 1, 2].map((k) => noisy(0.2 * positions[3 * v + k]! ** 2)),
  ).flat();
  const weights = Array.from(index, (v) => [
    noisy(2 + positions[3 * v]!),
    noisy(2 - positions[3 * v]!),
  ]).flat();
  const list = (numbers: number[]) => (isSingle ? Float32Array.from(numbers) : Float64Array.from(numbers));
  const shape = skinned({
    positions: list(apart),
    joints: weights.map((_, i) => i % 2),
    weights: list(weights),
    jointsPerVertex: 2,
    morphTargets: [list(target)],
    inverseBindMatrices: [...IDENTITY, ...IDENTITY],
  });
  check(shape.skin.isClosed, 'it has a border');
  shape.pose([...IDENTITY, ...IDENTITY.slice(0, 12), 0.5, 0.3, 0, 1], [1]);
  check(shape.mesh.vertices.length === positions.length, () => `${shape.mesh.vertices.length / 3} vertices`);
  const p = v(0.25, 0.15, 0);
  if (positions.length === icosphere(1).positions.length)
    check(contains(p, shape), 'the middle is not inside');
});

test('what is no skin is refused by name; weights are divided by their sum', () => {
  const good = {
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
    joints: [0, 0, 0],
    weights: [1, 1, 1],
    jointsPerVertex: 1,
    inverseBindMatrices: IDENTITY,
  };
  const bad: [object, RegExp][] = [
    [{ joints: [0, 0, 1] }, /source\.joints\[2\] must be the number of one of the 1 joints, got 1/],
    [{ joints: [0, 0] }, /source\.joints must hold 1 numbers for each of the 3 vertices/],
    [{ weights: [1, -0.5, 1] }, /source\.weights\[1\] must not be negative, got -0\.5/],
    [{ weights: [1, Number.NaN, 1] }, /source\.weights\[1\]/],
    [
      { inverseBindMatrices: IDENTITY.slice(1) },
      /source\.inverseBindMatrices must hold sixteen numbers a joint/,
    ],
    [{ parents: [0] }, /source\.parents\[0\] must not lead in a circle/],
    [{ parents: [3] }, /source\.parents\[0\] must be the number of a joint, or -1, got 3/],
    [{ morphTargets: [[0]] }, /source\.morphTargets\[0\] must hold three numbers for each of the 3 vertices/],
    [{ blending: 'cubic' }, /source\.blending/],
    [{ wieghts: [1] }, /weights/],
  ];
  for (const [change, message] of bad)
    expect(() => skinned({ ...good, ...change } as SkinSource)).toThrow(message);
  const avatar = skinned({ ...good, weights: [0.2, 3, 0] });
  expect(() => avatar.pose([])).toThrow(
    /jointMatrices must hold sixteen numbers for each of the 1 joints, got 0/,
  );
  expect(() => avatar.pose([...IDENTITY.slice(1), Number.NaN])).toThrow(/jointMatrices\[15\]/);
  expect(() => avatar.pose(IDENTITY, [1])).toThrow(
    /morphWeights must hold a number for each of the 0 morph targets/,
  );
  avatar.pose([2, ...IDENTITY.slice(1)]);
  expect(Array.from(avatar.mesh.vertices)).toEqual([0, 0, 0, 2, 0, 0, 0, 1, 0]);
  avatar.pose(new Array(16).fill(0));
  expect(raycast({ origin: v(0, 0, 5), direction: v(0, 0, -1) }, avatar)).toBe(null);
  expect(closestPoint(v(3, 0, 4), avatar)!.distance).toBe(5);
});
