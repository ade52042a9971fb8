/**
 * No ray gets out of a closed mesh. `npm run fuzz -- watertight --cases 50 --seconds 1` shoots ten million of them.
 */
import { expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { boxMesh, icosphere, moved, type TriangleArrays, torus, unwelded } from '../../tests/kit/meshes.ts';
import type { Vec3 } from '../math/types.ts';
import { batchMesh } from './batch.ts';
import { type Mesh, mesh } from './mesh.ts';
import { makeMeshHit, rayMesh, rayMeshAny, segmentMesh } from './ray.ts';

/** A closed mesh, and points that are well inside of it. */
interface Vessel {
  readonly mesh: Mesh;
  readonly inside: (rng: Rng) => Vec3;
  readonly at: Vec3;
  readonly size: number;
  readonly convex: boolean;
}

const places: readonly Vec3[] = [
  { x: 0, y: 0, z: 0 },
  { x: 1e5, y: 0, z: 0 },
  { x: -1e5, y: 1e5, z: 1e5 },
  { x: 3e-3, y: -4e6, z: 17 },
];
const sizes = [1, 1e-3, 1e3];
const inBall =
  (radius: number) =>
  (rng: Rng): Vec3 => {
    const d = rng.direction();
    const r = radius * rng.unit();
    return { x: d.x * r, y: d.y * r, z: d.z * r };
  };
const inRing = (rng: Rng): Vec3 => {
  const angle = rng.range(0, 2 * Math.PI);
  const { x, y, z } = inBall(0.25)(rng);
  // The middle of the tube is a circle of radius 1 about z.
  return { x: Math.cos(angle) + x, y: Math.sin(angle) + y, z };
};

const vessels: Vessel[] = [];
for (const at of places)
  for (const size of sizes) {
    const add = (shape: TriangleArrays, inside: Vessel['inside'], single: boolean): void => {
      const { positions, index } = moved(shape, size, at);
      const stored = single ? Float32Array.from(positions) : positions;
      vessels.push({
        mesh: mesh(stored, index, { leafSize: 1 + (vessels.length % 12) }),
        inside,
        at,
        size,
        convex: inside !== inRing,
      });
    };
    // Moved far away, tiny bodies lose their shape in single precision: the points would no longer be inside.
    const single = size * 1e4 > Math.max(Math.abs(at.x), Math.abs(at.y), Math.abs(at.z));
    const sharp = size * 1e9 > Math.max(Math.abs(at.x), Math.abs(at.y), Math.abs(at.z));
    if (!sharp) continue;
    add(boxMesh(), inBall(0.9), false);
    add(icosphere(3), inBall(0.9), single);
    add(unwelded(icosphere(2)), inBall(0.9), false);
    add(torus(48, 24), inRing, false);
  }

test('the points that rays start from are inside of the meshes', () => {
  const rng = new Rng(1);
  for (const { mesh, inside, at, size } of vessels)
    for (let i = 0; i < 50; i++) {
      const { x, y, z } = inside(rng);
      const points = [at.x + x * size, at.y + y * size, at.z + z * size];
      expect(batchMesh('containsPointMesh', { points }, mesh).yes[0]).toBe(1);
    }
});

const hit = makeMeshHit();

/** A point of an edge or a vertex of the mesh, as exactly as doubles allow: mostly not on it by a rounding or so. */
function aim({ mesh: { vertices, corners, triangleCount } }: Vessel, rng: Rng): Vec3 {
  const triangle = rng.int(0, triangleCount - 1) * 3;
  const k = rng.int(0, 2);
  const a = 3 * corners[triangle + k]!;
  const b = 3 * corners[triangle + ((k + 1) % 3)]!;
  const s = rng.pick([0, 0, 0.5, 0.25, rng.unit()]);
  const along = (c: number): number => vertices[a + c]! + s * (vertices[b + c]! - vertices[a + c]!);
  return { x: along(0), y: along(1), z: along(2) };
}

property('rays from within, aimed at edges and vertices, all hit: no leak', 200_000, (rng) => {
  const vessel = rng.pick(vessels);
  const { mesh, at, size, convex } = vessel;
  const start = vessel.inside(rng);
  const origin = { x: at.x + start.x * size, y: at.y + start.y * size, z: at.z + start.z * size };
  const target = aim(vessel, rng);
  const scale = rng.pick([1, 1, 1e-3, 1e3, 1 / 3]);
  const direction = {
    x: (target.x - origin.x) * scale,
    y: (target.y - origin.y) * scale,
    z: (target.z - origin.z) * scale,
  };
  const found = rayMesh({ origin, direction }, mesh, Infinity, hit);
  check(found !== null, () => `leak from ${JSON.stringify(origin)} along ${JSON.stringify(direction)}`);
  // Within a torus, a ray may graze the wall on the inner side and go on.
  check(!convex || found.t * scale <= 1 + 1e-6, () => `passed the surface: t = ${found.t * scale}`);
  check(rayMeshAny({ origin, direction }, mesh), 'rayMeshAny leaks');
});

property('segments that end on vertices, all hit', 10_000, (rng) => {
  const vessel = rng.pick(vessels);
  const { mesh, at, size } = vessel;
  const start = vessel.inside(rng);
  const p = { x: at.x + start.x * size, y: at.y + start.y * size, z: at.z + start.z * size };
  const { vertices, corners, triangleCount } = mesh;
  const v = 3 * corners[rng.int(0, 3 * triangleCount - 1)]!;
  const q = { x: vertices[v]!, y: vertices[v + 1]!, z: vertices[v + 2]! };
  const found = segmentMesh(p, q, mesh, hit);
  check(found !== null && found.t <= 1, () => `no hit at the end of ${JSON.stringify({ p, q })}`);
  check(segmentMesh(q, p, mesh, hit)?.t === 0, 'no hit at its beginning, the other way round');
});

property('axis-parallel rays, through vertices, along edges and in the planes of faces', 20_000, (rng) => {
  const vessel = rng.pick(vessels);
  const { mesh, at, size } = vessel;
  const target = aim(vessel, rng);
  const axis = rng.pick(['x', 'y', 'z'] as const);
  const direction = { x: 0, y: 0, z: 0, [axis]: rng.sign() * rng.pick([1, 1e-9, 1e9, size]) };
  // From inside, on one line with an edge or a vertex.
  const start = vessel.inside(rng);
  const origin = { x: at.x + start.x * size, y: at.y + start.y * size, z: at.z + start.z * size };
  if (rng.chance(0.5)) origin[axis === 'x' ? 'y' : 'x'] = target[axis === 'x' ? 'y' : 'x'];
  const { yes } = batchMesh('containsPointMesh', { points: [origin.x, origin.y, origin.z] }, mesh);
  if (yes[0] === 0) return;
  check(rayMesh({ origin, direction }, mesh, Infinity, hit) !== null, () => `leak along ${axis}`);
});

property('from a million sizes away, and through a tiny direction', 20_000, (rng) => {
  const vessel = rng.pick(vessels);
  const { mesh, at, size } = vessel;
  const start = vessel.inside(rng);
  const target = { x: at.x + start.x * size, y: at.y + start.y * size, z: at.z + start.z * size };
  const away = rng.direction();
  const far = size * rng.pick([10, 1e3, 1e6]);
  const origin = { x: target.x + away.x * far, y: target.y + away.y * far, z: target.z + away.z * far };
  const found = segmentMesh(origin, target, mesh, hit);
  check(found !== null, () => `leak from outside in, from ${JSON.stringify(origin)}`);
});
