import { expect, test } from 'vitest';
import { check, cloud, property } from '../../../tests/kit/index.ts';
import { boxPolyhedron, convexHull3 } from '../../polytope/index.ts';
import {
  eulerCharacteristic,
  isClosedMesh,
  isManifoldMesh,
  isOrientedMesh,
  vertexDegrees,
} from '../index.ts';

const cube = boxPolyhedron({ x: 0, y: 0, z: 0 }, { x: 1, y: 1, z: 1 }).faces;
const tetrahedron = [
  [0, 1, 2],
  [1, 0, 3],
  [2, 1, 3],
  [0, 2, 3],
];
const shifted = (faces: number[][], by: number, keep: number[] = []) =>
  faces.map((face) => face.map((i) => (keep.includes(i) ? i : i + by)));

test('[R3.7] a cube is closed; less one face it is not', () => {
  expect(isClosedMesh(cube)).toBe(true);
  for (let f = 0; f < 6; f++) expect(isClosedMesh(cube.filter((_, g) => g !== f))).toBe(false);
});

test('[R3.7] an edge in three faces, or a face given twice, is not closed', () => {
  expect(isClosedMesh([...tetrahedron, [0, 1, 4]])).toBe(false);
  expect(isClosedMesh([...tetrahedron, tetrahedron[0]!])).toBe(false);
});

test('[R3.7] degrees: 3 at each corner of a cube, 4 of an octahedron, 0 for what no face uses', () => {
  expect(vertexDegrees(cube, 9)).toEqual([3, 3, 3, 3, 3, 3, 3, 3, 0]);
  const octahedron = [
    [0, 2, 4],
    [2, 1, 4],
    [1, 3, 4],
    [3, 0, 4],
    [2, 0, 5],
    [1, 2, 5],
    [3, 1, 5],
    [0, 3, 5],
  ];
  expect(vertexDegrees(octahedron, 6)).toEqual([4, 4, 4, 4, 4, 4]);
});

test('[R3.8.1] Euler: 2 for a cube, 4 for two, 0 for a torus, 3 for two cubes joined at a corner', () => {
  expect(eulerCharacteristic(cube)).toBe(2);
  expect(eulerCharacteristic([...cube, ...shifted(cube, 8)])).toBe(4);
  expect(eulerCharacteristic([...cube, ...shifted(cube, 8, [0])])).toBe(3);
  const at = (i: number, j: number) => (i % 4) * 4 + (j % 4);
  const torus = Array.from({ length: 16 }, (_, k) => {
    const [i, j] = [k >> 2, k & 3];
    return [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
  });
  expect(eulerCharacteristic(torus)).toBe(0);
  expect(isManifoldMesh(torus)).toBe(true);
});

test('[R3.8.1] a 2-manifold has one ring of faces around each vertex', () => {
  expect(isManifoldMesh(cube)).toBe(true);
  expect(isManifoldMesh([...cube, ...shifted(cube, 8)])).toBe(true);
  const joined = [...cube, ...shifted(cube, 8, [0])]; // at a corner: closed, but two rings there
  expect(isClosedMesh(joined)).toBe(true);
  expect(isManifoldMesh(joined)).toBe(false);
  expect(isManifoldMesh(cube.slice(1))).toBe(false);
});

test('[R3.8.1] one face turned round spoils the orientation and nothing else', () => {
  const turned = cube.map((face, f) => (f === 2 ? [...face].reverse() : face));
  expect([isOrientedMesh(cube), isOrientedMesh(turned)]).toEqual([true, false]);
  expect([isClosedMesh(turned), isManifoldMesh(turned)]).toEqual([true, true]);
});

property(
  '[R3.7] [R3.8.1] hulls are closed, oriented 2-manifolds; less a face they are not',
  10_000,
  (rng) => {
    const { points } = cloud(rng, rng.int(4, 10));
    const hull = convexHull3(points);
    if (hull.dimension < 3) return;
    const { faces } = hull;
    check(
      isClosedMesh(faces) && isOrientedMesh(faces) && isManifoldMesh(faces),
      'a hull is a closed surface',
    );
    check(eulerCharacteristic(faces) === 2, 'Euler');
    const degrees = vertexDegrees(faces, points.length);
    check(degrees.reduce((a, b) => a + b, 0) === faces.flat().length, 'each edge counts at both ends');
    check(
      hull.vertices.every((i) => degrees[i]! >= 3),
      'a corner has three edges or more',
    );
    const open = faces.slice(1);
    check(!isClosedMesh(open) && !isOrientedMesh(open) && !isManifoldMesh(open), 'an open surface');
    check(eulerCharacteristic(open) === 1, 'Euler of a disc');
  },
);

test('refuses what is not a mesh', () => {
  expect(() => isClosedMesh([])).toThrow(/faces/);
  expect(() => isClosedMesh([[0, 1]])).toThrow(/faces\[0\] must have at least three/);
  expect(() => isManifoldMesh([[0, 1, -1]])).toThrow(/faces\[0\]/);
  expect(() => eulerCharacteristic([[0, 1, 0.5]])).toThrow(/faces\[0\]/);
  expect(() => vertexDegrees(cube, 7)).toThrow(/faces/);
  expect(() => vertexDegrees(cube, Number.NaN)).toThrow(/vertexCount/);
});
