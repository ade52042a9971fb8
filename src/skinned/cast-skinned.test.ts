/** Casts of skinned meshes from one frame to the next, against every pair of all their triangles. */
import { expect, test } from 'vitest';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import { icosphere, type TriangleArrays, terrain, torus } from '../../tests/kit/meshes.ts';
import { IDENTITY } from '../../tests/kit/skins.ts';
import { castDeforming } from '../continuous/deforming/cast-deforming.ts';
import { castEdgeEdge, castVertexFace } from '../continuous/deforming/cast-primitives.ts';
import { deformingTarget } from '../continuous/deforming/deforming-target.ts';
import { transformPoint } from '../math/pose.ts';
import { type ReadonlyPose, type Vec3, vec3 } from '../math/types.ts';
import { overlapTriangleTriangle } from '../primitives/overlap/triangle-triangle.ts';
import { collider } from '../shapes/collider.ts';
import { compound } from '../shapes/compound.ts';
import { box } from '../shapes/flat-sided-shapes.ts';
import { halfSpace } from '../shapes/half-space.ts';
import { mesh } from '../shapes/mesh.ts';
import { capsule, cylinder, sphere } from '../shapes/round-shapes.ts';
import type { Shape } from '../shapes/shape.ts';
import { skinned } from '../shapes/skinned.ts';
import { castSkinned, makeSkinnedHit, type SkinnedHit } from './cast-skinned.ts';
import type { SkinnedShape } from './skinned-shape.ts';

const HOME = { position: vec3(), quaternion: { x: 0, y: 0, z: 0, w: 1 } };

/** A surface whose vertices follow three joints along x. */
function arm(
  { positions, index }: TriangleArrays,
  blending: 'linear' | 'dualQuaternion' = 'linear',
): SkinnedShape {
  const weights = Array.from({ length: positions.length / 3 }, (_, v) => {
    const along = positions[3 * v]!;
    return [Math.max(0, -along), 1.5 - Math.abs(along), Math.max(0, along)];
  }).flat();
  return skinned({
    positions,
    index,
    joints: weights.map((_, i) => i % 3),
    weights,
    jointsPerVertex: 3,
    blending,
    inverseBindMatrices: [...IDENTITY, ...IDENTITY, ...IDENTITY],
  });
}

function joints(rng: Rng, far: number): number[] {
  return [0, 1, 2].flatMap(() => {
    const { x, y, z, w } = rng.chance(0.5) ? rng.rotation() : HOME.quaternion;
    const t = rng.vec(far);
    return [
      [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0],
      [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0],
      [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0],
      [t.x, t.y, t.z, 1],
    ].flat();
  });
}

/** All triangles, in the world, by the numbers that the user has. */
interface Soup {
  readonly positions0: number[];
  readonly positions1: number[];
  readonly indices: number[];
}

function soupOf(from: Shape & { vertices?: unknown }, pose0: ReadonlyPose, to = from, pose1 = pose0): Soup {
  const meshOf = (shape: Shape) =>
    shape.kind === 'skinned' || shape.kind === 'heightField'
      ? shape.mesh
      : shape.kind === 'mesh'
        ? shape
        : null!;
  const at = (shape: Shape, pose: ReadonlyPose) => {
    const { vertices } = meshOf(shape);
    const out: number[] = [];
    for (let i = 0; i < vertices.length; i += 3) {
      const p = vec3(vertices[i]!, vertices[i + 1]!, vertices[i + 2]!);
      const { x, y, z } = pose === HOME ? p : transformPoint(pose, p);
      out.push(x, y, z);
    }
    return out;
  };
  const { corners, ids } = meshOf(from);
  const indices: number[] = [];
  ids.forEach((id: number, slot: number) => {
    for (let k = 0; k < 3; k++) indices[3 * id + k] = corners[3 * slot + k]!;
  });
  return { positions0: at(from, pose0), positions1: at(to, pose1), indices };
}

const cornerOf = ({ indices }: Soup, positions: number[], t: number, k: number): Vec3 => {
  const at = 3 * indices[3 * t + k]!;
  return vec3(positions[at]!, positions[at + 1]!, positions[at + 2]!);
};

function startsCrossed(a: Soup, b: Soup): boolean {
  for (let i = 0; i < a.indices.length / 3; i++)
    for (let j = 0; j < b.indices.length / 3; j++) {
      const p = [0, 1, 2].map((k) => cornerOf(a, a.positions0, i, k));
      const q = [0, 1, 2].map((k) => cornerOf(b, b.positions0, j, k));
      if (
        (['x', 'y', 'z'] as const).some(
          (axis) =>
            Math.min(...p.map((c) => c[axis])) > Math.max(...q.map((c) => c[axis])) ||
            Math.min(...q.map((c) => c[axis])) > Math.max(...p.map((c) => c[axis])),
        )
      )
        continue;
      if (overlapTriangleTriangle(p[0]!, p[1]!, p[2]!, q[0]!, q[1]!, q[2]!)) return true;
    }
  return false;
}

/** Every vertex and face, every two edges, of what the one has and the other. */
function bruteForce(a: Soup, b: Soup, separation: number): number {
  if (startsCrossed(a, b)) return 0;
  let first = Infinity;
  const points = (of: Soup, vertices: number[], end: boolean) =>
    vertices.flatMap((v) => (end ? of.positions1 : of.positions0).slice(3 * v, 3 * v + 3));
  const ask = (isFace: boolean, one: Soup, p: number[], two: Soup, q: number[]) => {
    const start = [...points(one, p, false), ...points(two, q, false)];
    const end = [...points(one, p, true), ...points(two, q, true)];
    const hit = isFace
      ? castVertexFace(start, end, { separation })
      : castEdgeEdge(start, end, { separation });
    if (hit) first = Math.min(first, hit.t);
  };
  const edges = ({ indices }: Soup) => {
    const all = new Map<string, number[]>();
    for (let i = 0; i < indices.length; i++) {
      const pair = [indices[i]!, indices[i % 3 === 2 ? i - 2 : i + 1]!].sort((x, y) => x - y);
      all.set(pair.join(), pair);
    }
    return [...all.values()];
  };
  const faces = ({ indices }: Soup) =>
    Array.from({ length: indices.length / 3 }, (_, t) => indices.slice(3 * t, 3 * t + 3));
  for (const v of new Set(a.indices)) for (const face of faces(b)) ask(true, a, [v], b, face);
  for (const v of new Set(b.indices)) for (const face of faces(a)) ask(true, b, [v], a, face);
  const others = edges(b);
  for (const edge of edges(a)) for (const other of others) ask(false, a, edge, b, other);
  return first;
}

/** The point must be on the triangle that is named, at that time. */
function mustBeOn(soup: Soup, triangle: number, { t, point }: SkinnedHit, tolerance: number): void {
  check(triangle >= 0 && 3 * triangle < soup.indices.length, () => `triangle ${triangle}`);
  const [a, b, c] = [0, 1, 2].map((k) => {
    const [p, q] = [
      cornerOf(soup, soup.positions0, triangle, k),
      cornerOf(soup, soup.positions1, triangle, k),
    ];
    return vec3((1 - t) * p.x + t * q.x, (1 - t) * p.y + t * q.y, (1 - t) * p.z + t * q.z);
  }) as [Vec3, Vec3, Vec3];
  const off = closestOff(point, a, b, c);
  check(off <= tolerance, () => `the point is ${off} off triangle ${triangle}`);
}

/** Brute: the nearest of a grid of points of a triangle, refined. */
function closestOff(p: Vec3, a: Vec3, b: Vec3, c: Vec3): number {
  let [u, v, step] = [1 / 3, 1 / 3, 0.5];
  const off = (s: number, t: number) => {
    if (s < 0 || t < 0 || s + t > 1) return Infinity;
    return Math.hypot(
      a.x + s * (b.x - a.x) + t * (c.x - a.x) - p.x,
      a.y + s * (b.y - a.y) + t * (c.y - a.y) - p.y,
      a.z + s * (b.z - a.z) + t * (c.z - a.z) - p.z,
    );
  };
  let best = off(u, v);
  while (step > 1e-12) {
    let better = false;
    for (const [s, t] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
      [1, -1],
      [-1, 1],
    ] as const) {
      const d = off(u + step * s, v + step * t);
      if (!(d < best)) continue;
      [best, u, v, better] = [d, u + step * s, v + step * t, true];
      break;
    }
    if (!better) step /= 2;
  }
  return best;
}

const place = (rng: Rng, far: number) =>
  rng.chance(0.3) ? HOME : { position: rng.vec(far), quaternion: rng.rotation() };
const blendings = ['linear', 'dualQuaternion'] as const;
const SMALL = icosphere(0);

property(
  '[C11] two characters between two frames: the first of all pairs of triangles, exactly',
  60,
  (rng) => {
    const separation = rng.pick([0, 0, 0.1]);
    const make = () => {
      const from = arm(rng.pick([SMALL, icosphere(1)]), rng.pick(blendings));
      const to = from.instance();
      from.pose(joints(rng, 0.5));
      if (rng.chance(0.8)) to.pose(joints(rng, 0.5));
      else from.pose(joints(rng, 0));
      const [pose0, pose1] = [place(rng, 3), place(rng, 3)];
      return { from, to, pose0, pose1, soup: soupOf(from, pose0, to, pose1) };
    };
    const [a, b] = [make(), make()];
    const wanted = bruteForce(a.soup, b.soup, separation);
    const out = makeSkinnedHit();
    const hit = castSkinned(
      { from: collider(a.from, a.pose0), to: collider(a.to, a.pose1) },
      { from: collider(b.from, b.pose0), to: collider(b.to, b.pose1) },
      { separation },
      out,
    );
    check((hit === null) === (wanted === Infinity), () => `${hit?.t}, wanted ${wanted}`);
    if (hit === null) return;
    check(hit === out, 'it goes where it is told to');
    near(hit.t, wanted, 1e-11, 't');
    mustBeOn(a.soup, hit.triangle, hit, 1e-7);
    mustBeOn(b.soup, hit.otherTriangle, hit, separation + 1e-7);
    near(Math.hypot(hit.normal.x, hit.normal.y, hit.normal.z), 1, 1e-9, 'the normal');
    check(hit.child === -1, 'a child of no compound');
  },
);

const ground = terrain({ unit: () => 0.5, range: (x: number, y: number) => (x + y) / 2 } as Rng, 5);
const TARGETS: readonly (() => Shape)[] = [
  () => mesh(ground.positions, ground.index),
  () => mesh(torus(8, 6).positions, torus(8, 6).index),
  () => mesh([-9, -9, 0, 9, -9, 0, 0, 9, 0], [0, 1, 2]),
  () => sphere(0.4),
  () => capsule(0.5, 0.2),
  () => box(0.3, 0.4, 0.5),
  () => cylinder(0.4, 0.3),
  () => halfSpace(vec3(0.2, 1, 0.1), -0.5),
];

property('[C11] against what stands: as if all triangles were asked, and few are skinned', 250, (rng, i) => {
  const from = arm(rng.pick([icosphere(2), torus(10, 8)]), rng.pick(blendings));
  const to = from.instance();
  from.pose(joints(rng, rng.pick([0.2, 1])));
  to.pose(joints(rng, rng.pick([0.2, 1])));
  const [pose0, pose1, at] = [place(rng, 2), place(rng, 2), place(rng, 2)];
  const shape = TARGETS[i % TARGETS.length]!();
  const separation = rng.pick([0, 0, 0.2]);
  const soup = soupOf(from, pose0, to, pose1);
  const against = deformingTarget(shape, at === HOME ? undefined : at);
  const whole = castDeforming(soup.positions0, soup.positions1, soup.indices, { against, separation });
  let wanted = whole?.t ?? Infinity;
  if ('positions0' in against) {
    const part = {
      positions0: Array.from(against.positions0),
      positions1: [],
      indices: Array.from((against.indices as { indices: Uint32Array }).indices),
    };
    if (startsCrossed(soup, part)) wanted = 0;
  }
  const fresh = { from: from.instance(), to: to.instance() };
  const mover = { from: collider(fresh.from, pose0), to: collider(fresh.to, pose1) };
  const hit = castSkinned(mover, at === HOME ? shape : collider(shape, at), { separation });
  check((hit === null) === (wanted === Infinity), () => `${shape.kind}: ${hit?.t}, wanted ${wanted}`);
  if (hit === null) return;
  // By the way: bodies that turn differently have vertices of the same bits, and so the same times.
  near(hit.t, wanted, 1e-12, 't');
  mustBeOn(soup, hit.triangle, hit, 1e-7);
  near(Math.hypot(hit.normal.x, hit.normal.y, hit.normal.z), 1, 1e-9, 'the normal');
  if (hit.t > 0 && whole !== null) {
    const flips = whole.kind === 'face-vertex' || whole.kind === 'face-shape' ? -1 : 1;
    const { x, y, z } = whole.normal;
    const dot = flips * (x * hit.normal.x + y * hit.normal.y + z * hit.normal.z);
    // Several contacts at one time may have other normals.
    if (whole.kind === 'vertex-plane') near(dot, 1, 1e-9, 'out of the plane');
  }
  check(shape.kind === 'mesh' ? hit.otherTriangle >= 0 : hit.otherTriangle === -1, 'the other triangle');
});

test('[C11] a fist goes through a thin wall between two frames: the exact time, and next to nothing is skinned', () => {
  const { positions, index } = icosphere(4);
  const from = arm({ positions: positions.map((x) => 0.1 * x), index });
  const to = from.instance();
  to.pose([
    ...IDENTITY.slice(0, 12),
    0,
    0,
    4,
    1,
    ...IDENTITY.slice(0, 12),
    0,
    0,
    4,
    1,
    ...IDENTITY.slice(0, 12),
    0,
    0,
    4,
    1,
  ]);
  const wall = mesh([-9, -9, 2, 9, -9, 2, 0, 9, 2], [0, 1, 2]);
  const hit = castSkinned({ from, to }, wall)!;
  expect(hit.t).toBeCloseTo(1.9 / 4, 11);
  expect(hit.t).toBeLessThanOrEqual(1.9 / 4 + 1e-12);
  expect(hit).toMatchObject({ otherTriangle: 0, child: -1 });
  expect(hit.point.z).toBeCloseTo(2, 9);
  expect(hit.normal.z).toBeCloseTo(-1, 9);
  // A ball whose middle it passes at a distance.
  const ball = collider(sphere(0.5), { position: vec3(0.55, 0, 2), quaternion: HOME.quaternion });
  const beside = castSkinned({ from, to }, ball)!;
  expect(beside.t).toBeCloseTo((2 - Math.sqrt(0.6 ** 2 - 0.55 ** 2)) / 4, 3);
  expect(beside.normal.x).toBeLessThan(-0.9);
  expect(castSkinned({ from, to }, halfSpace(vec3(-1, 0, 0), -0.2), { separation: 0.11 })!.t).toBe(0);
  // Beside the wall nothing is.
  const fresh = { from: from.instance(), to: to.instance() };
  expect(castSkinned(fresh, mesh([20, -9, 2, 29, -9, 2, 20, 9, 2], [0, 1, 2]))).toBeNull();
  expect(fresh.from.state.work.vertices).toBe(0);
  // A corner of the wall meets but some.
  const near = { from: from.instance(), to: to.instance() };
  castSkinned(near, mesh([0.09, 0, 2, 9, -0.1, 2, 9, 0.1, 2], [0, 1, 2]));
  expect(near.from.state.work.vertices).toBeGreaterThan(0);
  expect(near.from.state.work.vertices).toBeLessThan(from.skin.vertexCount / 3);
});

test('a compound: the child that is hit first', () => {
  const from = arm(icosphere(1));
  const to = from.instance();
  const far = [...IDENTITY.slice(0, 12), 9, 0, 0, 1];
  to.pose([...far, ...far, ...far]);
  const at = (x: number) => ({ position: vec3(x, 0, 0), quaternion: HOME.quaternion });
  const walls = compound([
    { shape: box(0.5, 0.5, 0.5), pose: at(8) },
    { shape: sphere(0.5), pose: at(4) },
  ]);
  const hit = castSkinned({ from, to }, walls)!;
  expect(hit.child).toBe(1);
  expect(hit.t).toBeCloseTo(2.5 / 9, 1);
  expect(hit.normal.x).toBeLessThan(-0.9);
  const out = makeSkinnedHit();
  expect(castSkinned({ from, to }, collider(walls, at(0)), {}, out)).toBe(out);
  expect(out.t).toBeCloseTo(hit.t, 12);
});

test('what is wrong is said', () => {
  const one = arm(SMALL);
  const other = arm(SMALL);
  const call =
    (...args: unknown[]) =>
    () =>
      castSkinned(...(args as Parameters<typeof castSkinned>));
  const motion = { from: one, to: one };
  expect(call(motion, { from: one, to: other })).toThrow(/castSkinned: target\.to must have the skin/);
  expect(call({ from: one }, one)).toThrow(/mover\.to/);
  expect(call({ from: sphere(1), to: one }, one)).toThrow(/mover\.from must be a skinned mesh/);
  expect(call(motion, sphere(1), { separation: -1 })).toThrow(/options\.separation/);
  expect(call(motion, { shape: sphere(1), pose: {} })).toThrow(/target\.pose/);
  expect(call(motion, null)).toThrow(/target/);
});
