import { describe, expect, test } from 'vitest';
import { reach, span } from '../../../tests/kit/degenerate-points.ts';
import { exactPointSegment, exactPointTriangle } from '../../../tests/kit/exact-distance.ts';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, near, property } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { cross, distance, dot, equals, normalize, rotate, sub } from '../../math/vec3.ts';
import type { Polyhedron } from '../../polytope/types.ts';
import { closestPointPolyhedron } from './polyhedron.ts';

const U = 2 ** -53;

/** With planes by the first three corners of every face. */
function solid(vertices: Vec3[], faces: number[][]): Polyhedron {
  const planes = faces.map(([i, j, k]) => {
    const [a, b, c] = [vertices[i!]!, vertices[j!]!, vertices[k!]!];
    const normal = normalize(cross(sub(b, a), sub(c, a)));
    return { normal, d: dot(normal, a) };
  });
  return { vertices, faces, planes };
}

/** A prism or a double pyramid over a regular polygon, sheared and scaled. */
function draw(rng: Rng): Polyhedron {
  const n = rng.int(3, 9);
  const ring = (z: number) =>
    Array.from({ length: n }, (_, i) =>
      vec3(Math.cos((2 * Math.PI * i) / n) + 0.3 * z, Math.sin((2 * Math.PI * i) / n), z),
    );
  const around = Array.from({ length: n }, (_, i) => [i, (i + 1) % n] as const);
  const up = rng.range(0.05, 2);
  const shape = rng.chance(0.5)
    ? {
        vertices: [...ring(-up), ...ring(up)],
        faces: [
          around.map(([i]) => n - 1 - i),
          around.map(([i]) => n + i),
          ...around.map(([i, j]) => [i, j, n + j, n + i]),
        ],
      }
    : {
        vertices: [...ring(0), vec3(0.2, 0, up), vec3(0, 0.1, -up)],
        faces: [...around.map(([i, j]) => [i, j, n]), ...around.map(([i, j]) => [j, i, n + 1])],
      };
  const q = rng.rotation();
  const size = rng.pick([1, 1, 1e6, 1e-6]);
  const far = rng.pick([0, 0, 1e6 * size]);
  const move = rng.vec(far);
  for (const v of shape.vertices) {
    rotate(v, q, v);
    v.x = v.x * size + move.x;
    v.y = v.y * size + move.y;
    v.z = v.z * size + move.z;
  }
  return solid(shape.vertices, shape.faces);
}

/** A point close to the line through two corners, in or out. */
function drawPoint(rng: Rng, { vertices }: Polyhedron): Vec3 {
  const [o, v] = [rng.pick(vertices), rng.pick(vertices)];
  const t = rng.range(-0.2, 1.2);
  const off = rng.vec(span(vertices) * 10 ** -rng.range(-1, 12));
  return vec3(o.x + t * (v.x - o.x) + off.x, o.y + t * (v.y - o.y) + off.y, o.z + t * (v.z - o.z) + off.z);
}

/** The largest height of p over a face: negative inside. */
const depth = (p: Vec3, { vertices, faces, planes }: Polyhedron): number =>
  Math.max(...faces.map((face, i) => dot(planes[i]!.normal, sub(p, vertices[face[0]!]!))));

/** Rounding of the distances, of the corners' places (which bends the faces) and of the planes' normals. */
const slack = (p: Vec3, { vertices }: Polyhedron): number =>
  64 * U * (span(vertices) + distance(p, vertices[0]!)) + 8 * U * reach([...vertices, p]);

describe('point and convex polyhedron', () => {
  property(
    '[R5.1.7] in the polyhedron, and no way towards a corner leads closer, as for GJK',
    10_000,
    (rng) => {
      const shape = draw(rng);
      const p = drawPoint(rng, shape);
      const tolerance = slack(p, shape);
      const q = closestPointPolyhedron(p, shape);
      const bend = Math.max(...shape.vertices.map((v) => depth(v, shape))); // rounding of the corners
      check(depth(q, shape) <= tolerance + bend, 'in the polyhedron');
      for (const corner of shape.vertices)
        near(exactPointSegment(p, q, corner), distance(p, q), tolerance, 'distance from the way to a corner');
      if (depth(p, shape) < -tolerance) check(equals(p, q), 'inside, itself');
      check(closestPointPolyhedron(p, shape, p) === p && equals(p, q), 'out may be p');
    },
  );

  property('[R5.1.7] = exact minimum over all faces', 2000, (rng) => {
    const shape = draw(rng);
    const p = drawPoint(rng, shape);
    const gap = distance(p, closestPointPolyhedron(p, shape));
    let wanted = depth(p, shape) < 0 ? 0 : Infinity;
    for (const face of wanted > 0 ? shape.faces : [])
      for (let k = 2; k < face.length; k++) {
        const [a, b, c] = [face[0]!, face[k - 1]!, face[k]!].map((i) => shape.vertices[i]!) as [
          Vec3,
          Vec3,
          Vec3,
        ];
        wanted = Math.min(wanted, exactPointTriangle(p, a, b, c));
      }
    near(gap, wanted, slack(p, shape), 'distance');
  });

  const cube = solid(
    [0, 1, 2, 3, 4, 5, 6, 7].map((i) => vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)),
    [
      [0, 4, 6, 2],
      [1, 3, 7, 5],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 2, 3, 1],
      [4, 5, 7, 6],
    ],
  );

  test('[R5.1.7] a cube by hand', () => {
    expect(closestPointPolyhedron(vec3(0.5, 0.25, 0), cube)).toEqual(vec3(0.5, 0.25, 0));
    near(distance(closestPointPolyhedron(vec3(5, 0.5, 0.25), cube), vec3(1, 0.5, 0.25)), 0, 4 * U);
    near(distance(closestPointPolyhedron(vec3(5, 0.5, -3), cube), vec3(1, 0.5, -1)), 0, 4 * U);
    expect(closestPointPolyhedron(vec3(5, 4, -3), cube)).toEqual(vec3(1, 1, -1));
  });

  test('[R5.1.7] a flat polyhedron does not contain the rest of its plane', () => {
    const flat = solid(
      [vec3(0, 0, 0), vec3(2, 0, 0), vec3(2, 2, 0), vec3(0, 2, 0)],
      [
        [0, 1, 2, 3],
        [3, 2, 1, 0],
      ],
    );
    near(distance(closestPointPolyhedron(vec3(5, 1, 0), flat), vec3(2, 1, 0)), 0, 4 * U);
    near(distance(closestPointPolyhedron(vec3(1, 1, -4), flat), vec3(1, 1, 0)), 0, 4 * U);
  });

  test('refuses what is no polyhedron', () => {
    const p = vec3();
    expect(() => closestPointPolyhedron(p, { vertices: [], faces: [], planes: [] })).toThrow(/polyhedron/);
    expect(() => closestPointPolyhedron(vec3(0, 0, Infinity), cube)).toThrow(/p\.z/);
    const bad = { ...cube, faces: [[0, 1, 99], ...cube.faces.slice(1)] };
    expect(() => closestPointPolyhedron(p, bad)).toThrow(/polyhedron/);
  });
});
