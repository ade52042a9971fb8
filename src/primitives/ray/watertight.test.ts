/** Rays from inside closed meshes at their edges and corners: none may get out. */
import { describe, expect, test } from 'vitest';
import { property, type Rng, Rng as Seeded } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { makeRay, makeTriangleHit } from '../types.ts';
import { lineTriangle, rayTriangle, segmentTriangle } from './ray-triangle.ts';

type Face = readonly [number, number, number];
interface Mesh {
  name: string;
  vertices: Vec3[];
  faces: Face[];
  /** Sees every face from inside. */
  center: Vec3;
  edges: [number, number][];
  /** The faces at each vertex. */
  around: number[][];
}

/** Faces by their corners; equal corners are the same vertex. */
function mesh(name: string, triangles: Vec3[][]): Mesh {
  const index = new Map<string, number>();
  const vertices: Vec3[] = [];
  const idOf = (p: Vec3) => {
    const key = `${p.x + 0},${p.y + 0},${p.z + 0}`;
    if (!index.has(key)) index.set(key, vertices.push(p) - 1);
    return index.get(key)!;
  };
  const faces = triangles.map((t) => t.map(idOf) as unknown as Face);
  const around: number[][] = vertices.map(() => []);
  const edges: [number, number][] = [];
  faces.forEach((face, f) => {
    face.forEach((v, k) => {
      around[v]!.push(f);
      const next = face[(k + 1) % 3]!;
      if (v < next) edges.push([v, next]);
    });
  });
  return { name, vertices, faces, center: vec3(), edges, around };
}

/** Every triangle of the unit cube's faces, split n by n, through `place`. */
function cube(n: number, place: (p: Vec3) => Vec3): Vec3[][] {
  const list: Vec3[][] = [];
  const at = (axis: number, side: number, i: number, j: number): Vec3 => {
    const p = [side, (2 * i) / n - 1, (2 * j) / n - 1];
    return place({ x: p[axis]!, y: p[(axis + 1) % 3]!, z: p[(axis + 2) % 3]! });
  };
  for (let axis = 0; axis < 3; axis++)
    for (const side of [-1, 1])
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) {
          const [a, b, c, d] = [
            at(axis, side, i, j),
            at(axis, side, i + 1, j),
            at(axis, side, i + 1, j + 1),
            at(axis, side, i, j + 1),
          ];
          list.push(
            ...(side > 0
              ? [
                  [a, b, c],
                  [a, c, d],
                ]
              : [
                  [a, c, b],
                  [a, d, c],
                ]),
          );
        }
  return list;
}

const normalized = (p: Vec3): Vec3 => {
  const l = Math.hypot(p.x, p.y, p.z);
  return { x: p.x / l, y: p.y / l, z: p.z / l };
};

function spindle(n: number): Vec3[][] {
  const rim = (i: number) =>
    vec3(Math.cos((2 * Math.PI * (i % n)) / n), Math.sin((2 * Math.PI * (i % n)) / n), 0);
  return Array.from({ length: n }, (_, i) => [
    [rim(i), rim(i + 1), vec3(0, 0, 1)],
    [rim(i + 1), rim(i), vec3(0, 0, -1)],
  ]).flat();
}

const bumpy = new Seeded(7);
const lumps = new Map<string, number>();
const lump = (p: Vec3): Vec3 => {
  const u = normalized(p);
  const key = `${p.x + 0},${p.y + 0},${p.z + 0}`;
  if (!lumps.has(key)) lumps.set(key, bumpy.range(0.8, 1.2));
  const r = lumps.get(key)!;
  return { x: r * u.x, y: r * u.y, z: r * u.z };
};

function moved(source: Mesh, name: string, shift: Vec3, scale: number): Mesh {
  const place = (p: Vec3): Vec3 => ({
    x: p.x * scale + shift.x,
    y: p.y * scale + shift.y,
    z: p.z * scale + shift.z,
  });
  return {
    ...source,
    name: `${source.name} ${name}`,
    vertices: source.vertices.map(place),
    center: place(source.center),
  };
}

const plain = [
  mesh(
    'cube',
    cube(4, (p) => p),
  ),
  mesh('ball', cube(6, normalized)),
  mesh('potato', cube(5, lump)),
  mesh('spindle', spindle(40)),
  mesh(
    'pancake',
    cube(4, (p) => ({ ...normalized(p), z: normalized(p).z * 1e-4 })),
  ),
];
const meshes = plain.flatMap((m) => [
  m,
  moved(m, 'at 1e5', vec3(1e5, -1e5, 1e5), 1),
  moved(m, 'anywhere', vec3(Math.PI, -Math.E * 1e3, Math.SQRT2 * 1e5), 1 / 3),
  moved(m, 'tiny', vec3(), 1e-6),
]);

test('the meshes are closed', () => {
  for (const m of meshes) {
    expect(m.edges.length, m.name).toBe((3 * m.faces.length) / 2);
    expect(m.vertices.length - m.edges.length + m.faces.length, m.name).toBe(2);
  }
});

const ray = makeRay();
const hit = makeTriangleHit();
const end = vec3();

/** The faces at the vertices a and b, asked by one kind of query: is the ray stopped? */
function stopped({ vertices, faces, around }: Mesh, a: number, b: number, query: string): boolean {
  for (let k = 0; k < (a === b ? 1 : 2); k++)
    for (const f of around[k === 0 ? a : b]!) {
      const face = faces[f]!;
      const p = vertices[face[0]]!;
      const q = vertices[face[1]]!;
      const r = vertices[face[2]]!;
      const found =
        query === 'ray'
          ? rayTriangle(ray, p, q, r, Infinity, hit)
          : query === 'line'
            ? lineTriangle(ray, p, q, r, hit)
            : segmentTriangle(ray.origin, end, p, q, r, hit);
      if (found) return true;
    }
  return false;
}

const QUERIES = ['ray', 'ray', 'ray', 'line', 'segment'];

function aim(rng: Rng, m: Mesh): [number, number] {
  const [i, j] = rng.pick(m.edges);
  const [a, b] = [m.vertices[i]!, m.vertices[j]!];
  const { center: c } = m;
  const size = Math.abs(a.x - c.x) + Math.abs(a.y - c.y) + Math.abs(a.z - c.z);
  const wobble = rng.pick([0, 0, 1e-15, 1e-2]) * size * (m.name.startsWith('pancake') ? 1e-3 : 1);
  const { origin, direction } = ray;
  origin.x = c.x + wobble * rng.range(-1, 1);
  origin.y = c.y + wobble * rng.range(-1, 1);
  origin.z = c.z + wobble * rng.range(-1, 1);
  const s = rng.pick([0, 0, 0.5, 1 / 3, rng.unit(), rng.unit()]);
  const stretch = rng.pick([1, 1, 3, 1e-3]);
  direction.x = (a.x + s * (b.x - a.x) - origin.x) * stretch;
  direction.y = (a.y + s * (b.y - a.y) - origin.y) * stretch;
  direction.z = (a.z + s * (b.z - a.z) - origin.z) * stretch;
  end.x = origin.x + (2 / stretch) * direction.x;
  end.y = origin.y + (2 / stretch) * direction.y;
  end.z = origin.z + (2 / stretch) * direction.z;
  return s === 0 ? [i, i] : [i, j];
}

describe('nothing gets out', () => {
  // GRAZE_CASES=10 makes it ten million.
  property(
    '[R11.3.3] [R5.3.4] rays through edges and vertices of closed meshes do not leak',
    1_000_000,
    (rng) => {
      const m = rng.pick(meshes);
      const [i, j] = aim(rng, m);
      const query = rng.pick(QUERIES);
      if (!stopped(m, i, j, query)) throw new Error(`${m.name}: a ${query} leaks at edge ${i}-${j}`);
    },
  );
});

test('[R11.3.3] all faces at an edge or a vertex are hit alike, and at the same time', () => {
  const [box] = plain as [Mesh];
  for (const [x, y, z] of [
    [0, 0, 1], // a vertex in the middle of a face
    [1, 1, 1],
    [0.25, 0, 1], // along an edge
    [0.25, 0.25, 1], // along a diagonal
    [1, 1, 0.25],
  ] as const) {
    ray.origin = vec3();
    ray.direction = vec3(x, y, z);
    for (const face of box.faces) {
      const corners = face.map((v) => box.vertices[v]!) as [Vec3, Vec3, Vec3];
      const [a, b, c] = corners;
      const holds =
        ['x', 'y', 'z'].every((k) => {
          const values = corners.map((p) => p[k as 'x']);
          const value = { x, y, z }[k as 'x'];
          return Math.min(...values) <= value && value <= Math.max(...values);
        }) && onDiagonalSide(corners, { x, y, z });
      const found = rayTriangle(ray, a, b, c);
      expect(found !== null, `${x} ${y} ${z}`).toBe(holds);
      if (found) expect(found.t).toBe(1);
    }
  }
});

/** In the right half of its square, diagonal included. */
function onDiagonalSide(corners: Vec3[], p: Vec3): boolean {
  const flat = (['x', 'y', 'z'] as const).filter((k) => corners.some((c) => c[k] !== corners[0]![k]));
  const [k, l] = flat as ['x', 'y'];
  const side = (a: Vec3, b: Vec3) => Math.sign((b[k] - a[k]) * (p[l] - a[l]) - (b[l] - a[l]) * (p[k] - a[k]));
  const sides = [0, 1, 2].map((i) => side(corners[i]!, corners[(i + 1) % 3]!));
  return !(sides.includes(1) && sides.includes(-1));
}
