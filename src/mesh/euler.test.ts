import { describe, expect, test } from 'vitest';
import { check, property } from '../../tests/kit/index.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { boxPolyhedron } from '../polytope/index.ts';
import { isEulerConsistent, meshTopology } from './euler.ts';
import { orientMesh } from './orient.ts';
import type { PolygonMesh } from './polygon-mesh.ts';

/** Quads around a ring: `around` by `across` of them. */
function torus(around: number, across: number, base = 0): number[][] {
  const at = (i: number, j: number) => base + (i % around) * across + (j % across);
  const faces: number[][] = [];
  for (let i = 0; i < around; i++)
    for (let j = 0; j < across; j++) faces.push([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
  return faces;
}

describe('Euler and Poincaré', () => {
  test('[R12.6] the nine-vertex cube: 9 + 8 - 15 = 2', () => {
    // 0-3 below, 4-7 above, and 8 in the middle of edge 45.
    const faces = [
      [3, 2, 1, 0],
      [1, 2, 6, 5],
      [2, 3, 7, 6],
      [3, 0, 4, 7],
      [0, 8, 4],
      [0, 1, 5, 8],
      [8, 5, 6],
      [8, 6, 7, 4],
    ];
    const [topology] = meshTopology(faces, 9);
    expect(topology).toMatchObject({
      vertices: 9,
      faces: 8,
      edges: 15,
      characteristic: 2,
      genus: 0,
      borders: 0,
    });
    expect(isEulerConsistent({ vertices: 9, triangles: 2, quads: 6 })).toBe(true);
    expect(isEulerConsistent({ vertices: 9, triangles: 2, quads: 6, edges: 15 })).toBe(true);
  });

  test('[R12.6] its twin with a t-junction: 9 + 8 - 16 = 1, and 14.5 edges', () => {
    // Vertex 8 is not in the side face 0 1 5 4, and the top is cut into three triangles around it.
    const faces = [
      [3, 2, 1, 0],
      [1, 2, 6, 5],
      [2, 3, 7, 6],
      [3, 0, 4, 7],
      [0, 1, 5, 4],
      [8, 5, 6],
      [8, 6, 7],
      [8, 7, 4],
    ];
    const [topology] = meshTopology(faces, 9);
    expect(topology).toMatchObject({
      vertices: 9,
      faces: 8,
      edges: 16,
      characteristic: 1,
      borders: 1,
      genus: 0,
    });
    expect(topology!.borderEdges).toBe(3);
    expect(isEulerConsistent({ vertices: 9, triangles: 3, quads: 5 })).toBe(false);
    expect(isEulerConsistent({ vertices: 9, triangles: 3, quads: 5, edges: 16 })).toBe(false);
  });

  test('[R12.6] a torus of 16 vertices, faces and 32 edges has genus one', () => {
    const [ring] = meshTopology(torus(4, 4), 16);
    expect(ring).toMatchObject({
      vertices: 16,
      faces: 16,
      edges: 32,
      characteristic: 0,
      genus: 1,
      isManifold: true,
    });
    expect(isEulerConsistent({ vertices: 16, triangles: 0, quads: 16, genus: 1 })).toBe(true);
    expect(isEulerConsistent({ vertices: 16, triangles: 0, quads: 16 })).toBe(false);
  });

  property('[R12.6] triangulated spheres keep T = 2V - 4 and E = 3V - 6, quads Q = V - 2', 2_000, (rng) => {
    // Grown from a tetrahedron by splitting triangles, or from a cube by drawing a quad inside a quad.
    const faces = rng.chance(0.5)
      ? [
          [0, 2, 1],
          [0, 1, 3],
          [1, 2, 3],
          [2, 0, 3],
        ]
      : boxPolyhedron(vec3(), vec3(1, 1, 1)).faces.map((f) => [...f]);
    const corners = faces[0]!.length;
    let vertices = corners === 3 ? 4 : 8;
    for (let step = rng.int(0, 12); step > 0; step--) {
      const [face] = faces.splice(rng.int(0, faces.length - 1), 1) as [number[]];
      if (corners === 3)
        face.forEach((v, i) => {
          faces.push([v, face[(i + 1) % 3]!, vertices]);
        });
      else {
        faces.push([0, 1, 2, 3].map((i) => vertices + i));
        face.forEach((v, i) => {
          faces.push([v, face[(i + 1) % 4]!, vertices + ((i + 1) % 4), vertices + i]);
        });
      }
      vertices += corners === 3 ? 1 : 4;
    }
    const [t] = meshTopology(rng.shuffle(faces), vertices);
    check(t!.genus === 0 && t!.isManifold && t!.borders === 0, 'a sphere');
    check(corners === 3 ? t!.faces === 2 * vertices - 4 : t!.faces === vertices - 2, 'faces');
    check(corners === 3 ? t!.edges === 3 * vertices - 6 : t!.edges === 2 * vertices - 4, 'edges');
    const counts = corners === 3 ? { triangles: faces.length } : { triangles: 0, quads: faces.length };
    check(isEulerConsistent({ vertices, ...counts }), 'consistent');
    check(!isEulerConsistent({ vertices: vertices + 1, ...counts }), 'one vertex more is not');
    // A planar graph: without one face the rest is a disc, and the outer face is what is missing.
    const [disc] = meshTopology(faces.slice(1), vertices);
    check(disc!.characteristic === 1 && disc!.borders === 1 && disc!.genus === 0, 'a planar graph');
  });

  test('[R12.6] each component on its own, and what is no manifold has no genus', () => {
    const cube = boxPolyhedron(vec3(), vec3(1, 1, 1)).faces;
    const both = [...torus(3, 3), ...cube.map((f) => f.map((v) => v + 9))];
    expect(meshTopology(both, 17).map((t) => t.genus)).toEqual([1, 0]);
    // Two cubes that share a vertex only are two components, each a sphere.
    const touching = [...cube, ...cube.map((f) => f.map((v) => (v === 0 ? 7 : v + 8)))];
    expect(meshTopology(touching, 16).map((t) => t.genus)).toEqual([0, 0]);
    const book = [
      [0, 1, 2],
      [1, 0, 3],
      [0, 1, 4],
    ];
    expect(meshTopology(book, 5)[0]).toMatchObject({ isManifold: false, genus: null });
    // A ring of triangles pinched at a vertex.
    const pinched = [
      [0, 1, 2],
      [0, 2, 3],
      [2, 4, 3],
      [3, 4, 5],
      [0, 4, 6],
      [4, 5, 6],
    ];
    expect(meshTopology(pinched, 7)[0]).toMatchObject({ isManifold: false, genus: null });
  });

  test('[R12.6] a Möbius strip is one-sided', () => {
    const strip = [0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4, 4, 5, 1, 5, 0, 1];
    expect(meshTopology(strip, 6)[0]).toMatchObject({
      isManifold: true,
      isOrientable: false,
      genus: null,
      borders: 1,
    });
  });

  test('counts must be whole', () => {
    expect(() => isEulerConsistent({ vertices: 1.5, triangles: 2 })).toThrow(/vertices/);
    expect(() => isEulerConsistent({ vertices: 4, triangles: -2 })).toThrow(/triangles/);
  });
});

describe('orientMesh', () => {
  const volume = ({ vertices, faces }: PolygonMesh) =>
    faces.reduce((sum, face) => {
      const [a, ...rest] = face.map((v) => vertices[v]!) as [ReadonlyVec3, ...ReadonlyVec3[]];
      for (let i = 1; i < rest.length; i++) sum += v3.triple(a, rest[i - 1]!, rest[i]!) / 6;
      return sum;
    }, 0);

  property('[R12.0] turns any faces of solids back, outward', 3_000, (rng) => {
    const shift = rng.pick([0, 1e6]);
    const a = boxPolyhedron(vec3(shift, 0, 0), vec3(shift + 1, 2, 3));
    const b = boxPolyhedron(vec3(5, 5, 5), vec3(6, 6, 6));
    const faces = [...a.faces, ...b.faces.map((f) => f.map((v) => v + 8))];
    const wrong = rng.shuffle(faces.map((f) => (rng.chance(0.4) ? [...f].reverse() : f)));
    const { mesh, oneSided } = orientMesh({ vertices: [...a.vertices, ...b.vertices], faces: wrong });
    check(oneSided.length === 0, 'two-sided');
    check(Math.abs(volume(mesh) - 7) < 1e-9 * Math.max(1, shift), 'volume');
  });

  test('[R12.0] leaves whole shells alone when asked to, and heeds the larger side', () => {
    const box = boxPolyhedron(vec3(), vec3(1, 2, 3));
    const inside = box.faces.map((f) => [...f].reverse());
    expect(orientMesh({ ...box, faces: inside }, { outward: false }).flipped).toEqual([]);
    expect(orientMesh({ ...box, faces: inside }).flipped).toEqual([0, 1, 2, 3, 4, 5]);
    const one = box.faces.map((f, i) => (i === 0 ? [...f].reverse() : f));
    expect(orientMesh({ ...box, faces: one }, { outward: false }).flipped).toEqual([0]);
  });

  test('a Möbius strip stays as it is, and is named', () => {
    const index = [0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4, 4, 5, 1, 5, 0, 1];
    const positions = Array.from({ length: 18 }, (_, i) => Math.sin(7 * i));
    const { flipped, oneSided, mesh } = orientMesh({ positions, index });
    expect([flipped, oneSided]).toEqual([[], [0]]);
    expect(mesh.faces.flat()).toEqual(index);
  });
});
