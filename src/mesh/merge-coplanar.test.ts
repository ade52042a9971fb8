import { describe, expect, test } from 'vitest';
import { check, growsGently, near, property, type Rng } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { boxPolyhedron } from '../polytope/index.ts';
import { isClosedMesh, isOrientedMesh } from '../rtcd/index.ts';
import { meshTopology } from './euler.ts';
import { mergeCoplanarFaces } from './merge-coplanar.ts';
import { isPlanarPolygon } from './newell.ts';
import type { PolygonMesh } from './polygon-mesh.ts';
import { triangulateMesh } from './triangulate-mesh.ts';

const volume = ({ vertices, faces }: PolygonMesh) =>
  faces.reduce((sum, [first, ...rest]) => {
    for (let i = 1; i < rest.length; i++)
      sum += v3.triple(vertices[first!]!, vertices[rest[i - 1]!]!, vertices[rest[i]!]!) / 6;
    return sum;
  }, 0);

/** A board of n × n squares cut in two; the vertices lie on a surface over it. */
function board(n: number, height: (x: number, y: number) => number = () => 0): PolygonMesh {
  const vertices: Vec3[] = [];
  for (let y = 0; y <= n; y++) for (let x = 0; x <= n; x++) vertices.push(vec3(x, y, height(x, y)));
  const faces: number[][] = [];
  for (let y = 0; y < n; y++)
    for (let x = 0; x < n; x++) {
      const a = y * (n + 1) + x;
      faces.push([a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]);
    }
  return { vertices, faces };
}

/** The surface of a set of unit cubes, as squares. */
function cubes(cells: readonly string[]): PolygonMesh {
  const vertices: Vec3[] = [];
  const at = new Map<string, number>();
  const vertex = (p: number[]) => {
    const key = p.join();
    if (!at.has(key)) at.set(key, vertices.push(vec3(p[0], p[1], p[2])) - 1);
    return at.get(key)!;
  };
  const faces: number[][] = [];
  const filled = new Set(cells);
  for (const cell of cells) {
    const c = cell.split(',').map(Number);
    for (const axis of [0, 1, 2])
      for (const side of [0, 1]) {
        const beyond = [...c];
        beyond[axis]! += side === 1 ? 1 : -1;
        if (filled.has(beyond.join())) continue;
        const [u, w] = [(axis + 1) % 3, (axis + 2) % 3];
        const corner = (i: number, j: number) => {
          const p = [...c];
          p[axis]! += side;
          p[u]! += i;
          p[w]! += j;
          return vertex(p);
        };
        const square = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
        faces.push(side === 1 ? square : square.reverse());
      }
  }
  return { vertices, faces };
}

/** Cubes that hang together by faces: grown one by one. */
function blob(rng: Rng): PolygonMesh {
  const cells = ['0,0,0'];
  for (let n = rng.int(0, 12); n > 0; n--) {
    const c = rng.pick(cells).split(',').map(Number);
    c[rng.int(0, 2)]! += rng.sign();
    if (!cells.includes(c.join())) cells.push(c.join());
  }
  return cubes(cells);
}

describe('merging coplanar faces', () => {
  test('[R12.4] nine faces in a spiral become one quad', () => {
    // A square in the middle, four quads around it like the blades of a fan, four triangles between: no two of them
    // make a convex face.
    const vertices = [
      [0, 0],
      [9, 0],
      [9, 9],
      [0, 9],
      [3, 0],
      [9, 3],
      [6, 9],
      [0, 6],
      [3, 3],
      [6, 3],
      [6, 6],
      [3, 6],
    ].map(([x, y]) => vec3(x, y, 1));
    const faces = [
      [8, 9, 10, 11],
      [4, 1, 9, 8],
      [5, 2, 10, 9],
      [6, 3, 11, 10],
      [7, 0, 8, 11],
      [0, 4, 8],
      [1, 5, 9],
      [2, 6, 10],
      [3, 7, 11],
    ];
    const { mesh, groups } = mergeCoplanarFaces({ vertices, faces }, 1e-9);
    expect(mesh.faces.length).toBe(1);
    expect(mesh.faces[0]!.length).toBe(4);
    expect(groups).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8]]);
    expect(mesh.vertices.map(({ x, y }) => x + y).sort((a, b) => a - b)).toEqual([0, 9, 9, 18]);
  });

  property('[R12.4] solids of cubes: volume and closedness stay, faces become few', 250, (rng) => {
    const solid = blob(rng);
    const { mesh, groups } = mergeCoplanarFaces(solid, 0);
    near(volume(mesh), volume(solid), 1e-9, 'volume');
    check(mesh.faces.length < solid.faces.length || solid.faces.length === 6, 'fewer faces');
    check(
      groups
        .flat()
        .sort((a, b) => a - b)
        .join() === solid.faces.map((_, f) => f).join(),
      'every face once',
    );
    if (isClosedMesh(solid.faces)) {
      check(isOrientedMesh(mesh.faces), 'closed');
      const before = meshTopology(solid.faces, solid.vertices.length).map((t) => t.genus);
      const after = meshTopology(mesh.faces, mesh.vertices.length).map((t) => t.genus);
      check(before.join() === after.join(), () => `genus ${before.join()} became ${after.join()}`);
    }
    for (const face of mesh.faces) {
      check(
        isPlanarPolygon(
          face.map((v) => mesh.vertices[v]!),
          1e-12,
        ),
        'flat',
      );
      check(new Set(face).size === face.length, 'simple');
    }
    // Each face is a disc in one plane: no two of them that share an edge could be joined any more.
    const again = mergeCoplanarFaces(mesh, 0);
    check(again.mesh.faces.length === mesh.faces.length, 'idempotent');
    const triangles = triangulateMesh(mesh);
    near(
      volume({ vertices: mesh.vertices, faces: chunk(triangles.index) }),
      volume(solid),
      1e-9,
      'volume of triangles',
    );
  });

  const chunk = (index: Uint32Array) =>
    Array.from({ length: index.length / 3 }, (_, t) => [...index.subarray(3 * t, 3 * t + 3)]);

  test('[R12.4] tags, sides and third faces keep faces apart', () => {
    const flat = board(2);
    expect(mergeCoplanarFaces(flat, 0).mesh.faces.length).toBe(1);
    const tags = flat.faces.map((_, f) => (f < 4 ? 1 : 2));
    const tagged = mergeCoplanarFaces({ ...flat, tags }, 0).mesh;
    expect(tagged.tags).toEqual([1, 2]);
    expect(tagged.faces.map((f) => f.length)).toEqual([4, 4]);
    const turned = flat.faces.map((f, i) => (i === 0 ? [...f].reverse() : f));
    expect(mergeCoplanarFaces({ ...flat, faces: turned }, 0).mesh.faces.length).toBe(2);
    // A wall on the edge between the two middle vertices.
    const wall = { vertices: [...flat.vertices, vec3(1, 1.5, 1)], faces: [...flat.faces, [4, 7, 9]] };
    const walled = mergeCoplanarFaces(wall, 0).mesh;
    const edge = walled.faces.filter((f) => f.length === 3).length;
    expect(edge).toBeGreaterThan(0);
    expect(walled.faces.length).toBeLessThan(wall.faces.length);
    for (const face of walled.faces) expect(new Set(face).size).toBe(face.length);
  });

  test('[R12.4] a frame around a hole stays in two pieces or more', () => {
    const full = board(3);
    const frame = { ...full, faces: full.faces.filter((_, f) => f !== 8 && f !== 9) };
    const { mesh } = mergeCoplanarFaces(frame, 0);
    expect(mesh.faces.length).toBe(2);
    expect(meshTopology(mesh.faces, mesh.vertices.length)[0]).toMatchObject({
      characteristic: 0,
      borders: 2,
    });
  });

  test('[R12.4.1] what is joined is never thicker than allowed, however large it gets', () => {
    for (const scale of [1, 10, 100, 1000]) {
      const bowl = board(8, (x, y) => 1e-4 * ((x - 4) ** 2 + (y - 4) ** 2));
      const scaled = { ...bowl, vertices: bowl.vertices.map((p) => v3.scale(p, scale)) };
      const { mesh } = mergeCoplanarFaces(scaled, 0.004);
      for (const face of mesh.faces)
        expect(
          isPlanarPolygon(
            face.map((v) => mesh.vertices[v]!),
            0.0041,
          ),
        ).toBe(true);
      if (scale === 1) expect(mesh.faces.length).toBe(1);
      if (scale === 1000) expect(mesh.faces.length).toBe(64); // the two halves of a square are in one plane exactly
    }
  });

  property('[R12.4.1] merging within a tolerance opens no cracks', 200, (rng) => {
    const box = blob(rng);
    const vertices = box.vertices.map((p) => v3.addScaled(p, rng.direction(), 1e-4 * rng.unit()));
    if (!isClosedMesh(box.faces)) return;
    const { mesh } = mergeCoplanarFaces({ vertices, faces: box.faces }, 1e-3);
    check(isOrientedMesh(mesh.faces), 'closed');
    near(volume(mesh), volume({ vertices, faces: box.faces }), 0.02, 'volume');
  });

  test('[R12.4] a large flat board is quick', () => {
    const merge = (n: number) => {
      const { mesh } = mergeCoplanarFaces(board(n), 1e-9);
      expect(mesh.faces).toHaveLength(1);
      expect(mesh.faces[0]).toHaveLength(4);
    };
    growsGently(
      'faces of a board',
      () => merge(38),
      () => merge(120),
    );
  });

  test('degenerate faces are no trouble', () => {
    const point = { vertices: [vec3(), vec3(), vec3()], faces: [[0, 1, 2]] };
    expect(mergeCoplanarFaces(point, 0).mesh.faces.length).toBe(1);
    const sliver = {
      vertices: [...board(1).vertices, vec3(0.5, 0, 0)],
      faces: [...board(1).faces, [1, 0, 4]],
    };
    expect(mergeCoplanarFaces(sliver, 1e-9).mesh.faces.length).toBe(1);
    const both = boxPolyhedron(vec3(), vec3(1, 1, 0));
    expect(mergeCoplanarFaces(both, 1e-9).mesh.faces.every((f) => f.length >= 3)).toBe(true);
  });
});
