import { expect, test } from 'vitest';
import type { Rng } from '../../../tests/kit/index.ts';
import { check, cloud, exact, property } from '../../../tests/kit/index.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import type { Polyhedron } from '../../polytope/index.ts';
import { affineDimension, boxPolyhedron, polyhedron, vertexNeighbours } from '../../polytope/index.ts';
import { climbToSupport, type SupportGraph, supportGraph, supportIndex, supportPoints } from '../index.ts';

const { qv, sign, vdot, vsub } = exact;

/** Is a farther along d than b? Exact. */
function isFarther(a: ReadonlyVec3, b: ReadonlyVec3, d: ReadonlyVec3): boolean {
  const terms = [(a.x - b.x) * d.x, (a.y - b.y) * d.y, (a.z - b.z) * d.z];
  const sum = terms[0]! + terms[1]! + terms[2]!;
  const size = Math.abs(terms[0]!) + Math.abs(terms[1]!) + Math.abs(terms[2]!);
  if (size === 0) return false;
  if (Math.abs(sum) > 1e-14 * size) return sum > 0;
  return sign(vdot(vsub(qv(a), qv(b)), qv(d))) > 0;
}

function checkClimb(graph: SupportGraph, d: ReadonlyVec3, start: number): void {
  const { vertices } = graph;
  const top = vertices[climbToSupport(graph, d, start)]!;
  for (const v of vertices)
    check(!isFarther(v, top, d), () => `stuck at ${JSON.stringify({ d, start, top, v })}`);
  // The scan rounds: what it finds is not farther, and no more than rounding short.
  const scanned = vertices[supportIndex(vertices, d)]!;
  const height = (v: ReadonlyVec3) => v.x * d.x + v.y * d.y + v.z * d.z;
  let size = 0;
  for (const v of [top, scanned]) size += Math.abs(v.x * d.x) + Math.abs(v.y * d.y) + Math.abs(v.z * d.z);
  check(
    Math.abs(height(top) - height(scanned)) <= 1e-15 * size,
    () => `climb ${height(top)}, scan ${height(scanned)}`,
  );
}

/** The cube [-n, n]³ with every face cut into (2n)² squares: most vertices have all neighbours in one plane. */
function gridCube(n: number): Polyhedron {
  const vertices: Vec3[] = [];
  const index = new Map<string, number>();
  const at = (x: number, y: number, z: number) => {
    const key = `${x} ${y} ${z}`;
    if (!index.has(key)) index.set(key, vertices.push({ x, y, z }) - 1);
    return index.get(key)!;
  };
  const faces: number[][] = [];
  const planes: Polyhedron['planes'] = [];
  for (const side of [-n, n])
    for (const turn of [0, 1, 2]) {
      const put = (u: number, v: number) =>
        turn === 0 ? at(side, u, v) : turn === 1 ? at(v, side, u) : at(u, v, side);
      const axis = ['x', 'y', 'z'][turn]!;
      for (let u = -n; u < n; u++)
        for (let v = -n; v < n; v++) {
          const face = [put(u, v), put(u + 1, v), put(u + 1, v + 1), put(u, v + 1)];
          faces.push(side > 0 ? face : face.reverse());
          planes.push({ normal: { x: 0, y: 0, z: 0, [axis]: Math.sign(side) }, d: n });
        }
    }
  return { vertices, faces, planes };
}

function roundPoints(rng: Rng, count: number): Vec3[] {
  return Array.from({ length: count }, () => rng.direction());
}

const big: Polyhedron[] = [];

property('[R3.8] climb = scan on a round polyhedron of 600 vertices', 10_000, (rng, index) => {
  if (index === 0) big.push(polyhedron(roundPoints(rng, 600)));
  const shape = big[0]!;
  const normal = rng.pick(shape.planes).normal;
  const d = rng.pick([rng.direction(), normal, { x: -normal.x, y: -normal.y, z: -normal.z }, rng.vec(1e-6)]);
  checkClimb(graphOf(shape), d, rng.int(0, shape.vertices.length - 1));
});

const grid = gridCube(4);

property('[R3.8] climb = scan on a cube with flat subdivided faces, from anywhere', 10_000, (rng) => {
  const whole = () => ({ x: rng.int(-2, 2), y: rng.int(-2, 2), z: rng.int(-2, 2) });
  const tilted = () => ({ x: rng.pick([0, 1e-17, -1e-300, 1e-18]), y: rng.pick([0, 1e-17]), z: rng.sign() });
  const d = rng.pick([rng.direction, whole, tilted, () => rng.pick(grid.planes).normal]).call(rng);
  checkClimb(graphOf(grid), d, rng.int(0, grid.vertices.length - 1));
});

const graphs = new Map<Polyhedron, SupportGraph>();
function graphOf(shape: Polyhedron): SupportGraph {
  const graph = graphs.get(shape) ?? supportGraph(shape);
  graphs.set(shape, graph);
  return graph;
}

property(
  '[R3.8] climb = scan on hulls of every kind of cloud, along their exact normals too',
  10_000,
  (rng) => {
    const { points } = cloud(rng, rng.int(4, 12));
    if (affineDimension(points) < 3) return;
    const shape = polyhedron(points);
    const graph = supportGraph(shape);
    for (let k = 0; k < 5; k++) {
      const d = rng.pick([rng.direction(), rng.pick(shape.planes).normal, rng.pick(points), rng.vec()]);
      checkClimb(graph, d, rng.int(0, shape.vertices.length - 1));
    }
  },
);

property('[R3.8] the scan finds the farthest point, to within rounding', 10_000, (rng) => {
  const { points } = cloud(rng, rng.int(1, 12));
  const d = rng.chance(0.1) ? { x: 0, y: 0, z: 0 } : rng.vec();
  const height = (v: ReadonlyVec3) => v.x * d.x + v.y * d.y + v.z * d.z;
  const i = supportIndex(points, d);
  check(height(points[i]!) === Math.max(...points.map(height)), 'the largest');
  check(
    points.slice(0, i).every((p) => height(p) < height(points[i]!)),
    'the first of the largest',
  );
  const out = { ...d };
  check(
    supportPoints(points, out, out) === out && out.x === points[i]!.x && out.z === points[i]!.z,
    'its copy',
  );
});

test('[R3.8] without the extra neighbour, the middle of a flat bottom is a dead end', () => {
  const middle = grid.vertices.findIndex((v) => v.x === 0 && v.y === 0 && v.z === -4);
  const up = { x: 0, y: 0, z: 1 };
  const plain = { vertices: grid.vertices, neighbours: vertexNeighbours(grid), far: [] };
  expect(climbToSupport(plain, up, middle)).toBe(middle);
  const helped = { ...supportGraph(grid), far: [] };
  expect(grid.vertices[climbToSupport(helped, up, middle)]!.z).toBe(4);
});

test('[R3.8] a direction of zero leaves the climb where it is and the scan at the first', () => {
  const box = boxPolyhedron({ x: 0, y: 0, z: 0 }, { x: 1, y: 1, z: 1 });
  expect(climbToSupport(supportGraph(box), { x: 0, y: 0, z: 0 }, 5)).toBe(5);
  expect(supportIndex(box.vertices, { x: 0, y: 0, z: 0 })).toBe(0);
});

test('refuses bad numbers by name', () => {
  const graph = supportGraph(boxPolyhedron({ x: 0, y: 0, z: 0 }, { x: 1, y: 1, z: 1 }));
  const up = { x: 0, y: 0, z: 1 };
  expect(() => climbToSupport(graph, { x: 0, y: 0, z: Number.NaN })).toThrow(/direction\.z/);
  expect(() => climbToSupport(graph, up, 8)).toThrow(/start/);
  expect(() => climbToSupport(graph, up, Number.NaN)).toThrow(/start/);
  expect(() => supportIndex([], up)).toThrow(/points/);
  expect(() => supportPoints([{ x: Infinity, y: 0, z: 0 }], up)).toThrow(/points\[0\]\.x/);
});
