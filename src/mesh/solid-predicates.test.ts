import { expect, test } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { boxPolyhedron } from '../polytope/index.ts';
import type { CompositeSolid } from './index.ts';
import { isPartlyInside, isPartlyOutside } from './index.ts';

const ballOf = (radius: number): CompositeSolid => ({ kind: 'ball', center: { x: 0, y: 0, z: 0 }, radius });
const bowl: CompositeSolid = {
  kind: 'intersection',
  parts: [
    { kind: 'box', min: { x: -2, y: -2, z: -2 }, max: { x: 2, y: 2, z: 0 } },
    ballOf(1),
    { kind: 'complement', part: ballOf(0.8) },
  ],
};
const isInBowl = ({ x, y, z }: Vec3): boolean => {
  const r = Math.hypot(x, y, z);
  return z <= 0 && r <= 1 && r >= 0.8;
};

function body(rng: Rng): Vec3[] {
  const at = rng.vec(1.2);
  const size = rng.pick([0.05, 0.3, 1]);
  return Array.from({ length: rng.pick([1, 2, 3, 4, 8]) }, () => {
    const v = rng.vec(size);
    return { x: at.x + v.x, y: at.y + v.y, z: at.z + v.z };
  });
}

function pointOf(rng: Rng, points: readonly Vec3[]): Vec3 {
  const weights = points.map(() => (rng.chance(0.2) ? 0 : -Math.log(1 - rng.unit())));
  const sum = weights.reduce((s, w) => s + w, 0);
  if (sum === 0) return points[0]!;
  const mean = (axis: keyof Vec3) => points.reduce((s, p, i) => s + (weights[i]! / sum) * p[axis], 0);
  return { x: mean('x'), y: mean('y'), z: mean('z') };
}

let missedByFaces = 0;
property(
  '[R12.5.4] a bowl as box ∩ (ball - ball) never misses a body that has a point in it',
  10_000,
  (rng, index) => {
    const points = body(rng);
    const collides = isPartlyInside(bowl, points);
    for (let k = 0; k < 30; k++)
      if (isInBowl(pointOf(rng, points))) check(collides, 'missed a point in the bowl');
    // A single point has nowhere else to be: there the answer is exact.
    if (points.length === 1) check(collides === isInBowl(points[0]!), 'a point');
    if (points.every(isInBowl) && points.length > 1) missedByFaces++;
    // Bodies with all corners in the wall, which a soup of faces would lose.
    if (index === 9_999) check(missedByFaces > 20, 'hardly any body wholly in the wall');
  },
);

test('[R12.5.4] bodies wholly in the wall are found, which a soup of faces would lose', () => {
  const deep = [
    { x: 0.9, y: 0, z: -0.01 },
    { x: 0.91, y: 0.01, z: -0.02 },
  ];
  expect(isPartlyInside(bowl, deep)).toBe(true);
});

test('[R12.5.4] in the hollow, above and beside the bowl is outside', () => {
  const at = (x: number, y: number, z: number) => [
    { x, y, z },
    { x: x + 0.1, y, z },
    { x, y: y + 0.1, z },
    { x, y, z: z + 0.1 },
  ];
  expect(isPartlyInside(bowl, at(0, 0, -0.5))).toBe(false);
  expect(isPartlyInside(bowl, at(0, 0, 0.5))).toBe(false);
  expect(isPartlyInside(bowl, at(1.1, 0, -0.5))).toBe(false);
  expect(isPartlyInside(bowl, at(0, 0, -0.9))).toBe(true);
  expect(isPartlyOutside(bowl, at(0, 0, -0.9))).toBe(true);
});

test('[R12.5.4] the conjunction is only conservative: each part is met, but nowhere together', () => {
  // From the hollow out through the open top: in the box, in the outer ball, and outside the inner one, but not at once.
  const through = [
    { x: 0, y: 0, z: -0.1 },
    { x: 0, y: 0, z: 0.95 },
  ];
  expect(isPartlyInside(bowl, through)).toBe(true);
});

property(
  '[R12.5.4] simple solids against sampling: no miss, and no plane between bodies that are said to meet',
  10_000,
  (rng) => {
    const box = boxPolyhedron({ x: -1, y: -0.5, z: -0.2 }, { x: 0.7, y: 0.5, z: 0.9 });
    const solid = rng.pick<CompositeSolid>([
      ballOf(0.7),
      { kind: 'box', min: { x: -1, y: -0.5, z: -0.2 }, max: { x: 0.7, y: 0.5, z: 0.9 } },
      { kind: 'polyhedron', polyhedron: box },
      { kind: 'halfspace', plane: { normal: { x: 0, y: 0.6, z: 0.8 }, d: 0.3 } },
    ]);
    const contains = ({ x, y, z }: Vec3): boolean =>
      solid.kind === 'ball'
        ? Math.hypot(x, y, z) <= 0.7
        : solid.kind === 'halfspace'
          ? 0.6 * y + 0.8 * z <= 0.3
          : x >= -1 && x <= 0.7 && y >= -0.5 && y <= 0.5 && z >= -0.2 && z <= 0.9;
    const points = body(rng);
    const [inside, outside] = [isPartlyInside(solid, points), isPartlyOutside(solid, points)];
    check(inside || outside, 'neither in nor out');
    for (let k = 0; k < 10; k++)
      check(contains(pointOf(rng, points)) ? inside : outside, 'a point on the wrong side');
    check(outside === points.some((p) => !contains(p)), 'outside');
    if (!inside) return;
    // Along many directions the body must reach the solid; a plane in between would show in one of them.
    const support = (n: Vec3): number =>
      solid.kind === 'ball'
        ? 0.7
        : solid.kind === 'halfspace'
          ? Infinity
          : Math.max(...box.vertices.map((v) => n.x * v.x + n.y * v.y + n.z * v.z));
    for (let k = 0; k < 10; k++) {
      const n = rng.direction();
      check(
        Math.min(...points.map((p) => n.x * p.x + n.y * p.y + n.z * p.z)) <= support(n) + 1e-9,
        'a plane between',
      );
    }
  },
);

property('[R12.5.4] unions and complements follow De Morgan', 2000, (rng) => {
  const parts = [ballOf(0.6), { kind: 'box', min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } }] as const;
  const points = body(rng);
  const not = (part: CompositeSolid): CompositeSolid => ({ kind: 'complement', part });
  const union: CompositeSolid = { kind: 'union', parts };
  const both: CompositeSolid = { kind: 'intersection', parts: parts.map(not) };
  check(isPartlyInside(both, points) === isPartlyOutside(union, points), 'outside of a union');
  check(isPartlyInside(union, points) === isPartlyOutside(both, points), 'inside of a union');
  check(isPartlyInside(not(not(union)), points) === isPartlyInside(union, points), 'not not');
});

test('touching counts; bad input is refused', () => {
  expect(isPartlyInside(ballOf(1), [{ x: 1, y: 0, z: 0 }])).toBe(true);
  expect(isPartlyOutside(ballOf(1), [{ x: 1, y: 0, z: 0 }])).toBe(true);
  expect(
    isPartlyInside(ballOf(1), [
      { x: 1, y: 5, z: 0 },
      { x: 1, y: -5, z: 0 },
    ]),
  ).toBe(true);
  expect(
    isPartlyInside(ballOf(1), [
      { x: 1.000001, y: 5, z: 0 },
      { x: 1.000001, y: -5, z: 0 },
    ]),
  ).toBe(false);
  expect(isPartlyInside({ kind: 'intersection', parts: [] }, [{ x: 0, y: 0, z: 0 }])).toBe(true); // everything
  expect(isPartlyInside({ kind: 'union', parts: [] }, [{ x: 0, y: 0, z: 0 }])).toBe(false); // nothing
  expect(() => isPartlyInside(ballOf(-1), [{ x: 0, y: 0, z: 0 }])).toThrow(/solid/);
  expect(() => isPartlyInside(ballOf(1), [])).toThrow(/points/);
  expect(() => isPartlyInside({ kind: 'cube' } as never, [{ x: 0, y: 0, z: 0 }])).toThrow(/solid/);
});
