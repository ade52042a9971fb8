/** Points near each other and lists of triangles, thin and flat ones among them, against each triangle asked by itself. */
import { check, near, property, type Rng } from '../../../../tests/kit/index.ts';
import { type Vec3, vec3 } from '../../../math/types.ts';
import * as v3 from '../../../math/vec3.ts';
import { distanceSqPointTriangle } from '../../../primitives/closest/triangle.ts';
import { NearTriangles } from './near-triangles.ts';

const point = (rng: Rng, r: number): Vec3 => vec3(rng.range(-r, r), rng.range(-r, r), rng.range(-r, r));
const lattice = (rng: Rng): Vec3 => vec3(rng.int(-2, 2), rng.int(-2, 2), rng.int(-2, 2));

function corners(rng: Rng): { a: Vec3; b: Vec3; c: Vec3 } {
  const a = rng.unit() < 0.5 ? lattice(rng) : point(rng, 2);
  switch (rng.int(0, 4)) {
    case 0: // a needle, or a segment
      return { a, b: v3.add(a, point(rng, 2)), c: v3.add(a, point(rng, rng.pick([0, 1e-9, 1e-3]))) };
    case 1: {
      const by = point(rng, 1);
      return {
        a,
        b: v3.add(a, by),
        c: v3.addScaled(v3.add(a, v3.scale(by, rng.range(-1, 2))), point(rng, 1), 1e-8),
      };
    }
    case 2: // a point
      return { a, b: v3.copy(a), c: v3.copy(a) };
    case 3:
      return { a, b: lattice(rng), c: lattice(rng) };
    default:
      return { a, b: point(rng, 2), c: point(rng, 2) };
  }
}

const POINTS = 27;
const triangles = new NearTriangles(40, POINTS + 1);
const tangents = triangles.makeTangents();

property('the nearest of all triangles for each point, whichever tangents are at hand', 1000, (rng) => {
  const scale = 10 ** rng.int(-6, 6);
  const list = Array.from({ length: rng.int(1, 40) }, () => corners(rng));
  triangles.count = 0;
  const put = (n: number, p: Vec3) => triangles.points.set([p.x * scale, p.y * scale, p.z * scale], 3 * n);
  const scaled = (p: Vec3) => v3.scale(p, scale);
  for (const { a, b, c } of list)
    check(triangles.add({ a: scaled(a), b: scaled(b), c: scaled(c) }), () => 'no room');
  const middle = rng.unit() < 0.3 ? lattice(rng) : point(rng, 3);
  const spread = rng.pick([0.1, 1, 3]);
  const points = Array.from({ length: POINTS }, () =>
    rng.unit() < 0.2 ? v3.copy(rng.pick(list).b) : v3.add(middle, point(rng, spread)),
  );
  for (let n = 0; n < POINTS; n++) put(n, points[n]!);
  put(POINTS, middle);
  const exact = (p: Vec3) => list.map(({ a, b, c }) => Math.sqrt(distanceSqPointTriangle(p, a, b, c)));
  const fromMiddle = exact(middle);
  // Squares are rounded: near to a triangle by the root of that.
  const off = 1e-7;
  list.forEach((_, i) => {
    triangles.takeTangent(i, POINTS, tangents);
    near(triangles.distances[POINTS]! / scale, fromMiddle[i]!, off, 'of the middle');
    const at = 4 * i;
    for (const p of points) {
      const value =
        tangents[at]! / scale + tangents[at + 1]! * p.x + tangents[at + 2]! * p.y + tangents[at + 3]! * p.z;
      const { a, b, c } = list[i]!;
      const truth = Math.sqrt(distanceSqPointTriangle(p, a, b, c));
      check(value <= truth + off, () => `a tangent of ${value} above ${truth}`);
    }
  });
  triangles.forget(POINTS);
  for (let i = 0; i < list.length; i++) triangles.lessen(i, 0, POINTS, tangents);
  points.forEach((p, n) => {
    near(triangles.distances[n]! / scale, Math.min(...exact(p)), off, 'the nearest');
  });
});

property('one more than there is room for is refused', 1, () => {
  triangles.count = 40;
  check(!triangles.add({ a: vec3(), b: vec3(1), c: vec3(0, 1) }), () => 'taken');
});
