import { expect, test } from 'vitest';
import { check, near, property, Rng } from '../../tests/kit/index.ts';
import { boxMesh, icosphere } from '../../tests/kit/meshes.ts';
import { holds } from '../../tests/kit/shape-oracle.ts';
import * as m3 from '../math/mat3.ts';
import type { Vec3 } from '../math/types.ts';
import { quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { massProperties } from '../mesh/mass.ts';
import { boundsOf } from './bounds.ts';
import { compound } from './compound.ts';
import { convex } from './custom.ts';
import { box, hull, point, polygon, segment, triangle } from './flat-sided-shapes.ts';
import { halfSpace } from './half-space.ts';
import { heightField } from './height-field.ts';
import { massOf, type ShapeMass } from './mass.ts';
import { mesh } from './mesh.ts';
import { capsule, cone, cylinder, ellipsoid, sphere } from './round-shapes.ts';
import { scaled } from './scale.ts';
import type { ConvexShape, Shape } from './shape.ts';

/** Volume, centroid and inertia by counting the cells of a grid of which a random point is inside. */
function counted(shape: Shape, isInside: (p: Vec3) => boolean, n = 40): ShapeMass {
  const rng = new Rng(1);
  const { min, max } = boundsOf(shape);
  const step = v3.scale(v3.sub(max, min), 1 / n);
  let count = 0;
  const sum = vec3();
  const squares = new Float64Array(6);
  const p = vec3();
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      for (let k = 0; k < n; k++) {
        v3.set(
          min.x + (i + rng.unit()) * step.x,
          min.y + (j + rng.unit()) * step.y,
          min.z + (k + rng.unit()) * step.z,
          p,
        );
        if (!isInside(p)) continue;
        count++;
        v3.add(sum, p, sum);
        squares[0]! += p.x * p.x;
        squares[1]! += p.y * p.y;
        squares[2]! += p.z * p.z;
        squares[3]! += p.x * p.y;
        squares[4]! += p.y * p.z;
        squares[5]! += p.z * p.x;
      }
  const c = v3.scale(sum, 1 / count);
  const cell = step.x * step.y * step.z;
  const [xx, yy, zz] = [
    squares[0]! - count * c.x * c.x,
    squares[1]! - count * c.y * c.y,
    squares[2]! - count * c.z * c.z,
  ];
  const [xy, yz, zx] = [
    squares[3]! - count * c.x * c.y,
    squares[4]! - count * c.y * c.z,
    squares[5]! - count * c.z * c.x,
  ];
  const elements = [yy + zz, -xy, -zx, -xy, xx + zz, -yz, -zx, -yz, xx + yy].map((e) => e * cell);
  return { volume: count * cell, mass: count * cell, centroid: c, inertia: { elements } };
}

/** All of one against all of the other, relative to their sizes. */
function sameMass(a: ShapeMass, b: ShapeMass, tolerance: number, what: string): void {
  near(a.volume, b.volume, tolerance * Math.abs(b.volume), `${what} volume`);
  near(a.mass, b.mass, tolerance * Math.abs(b.mass), `${what} mass`);
  const trace = b.inertia.elements[0]! + b.inertia.elements[4]! + b.inertia.elements[8]!;
  const size = Math.sqrt(trace / (b.mass || 1)) + v3.length(b.centroid);
  near(v3.distance(a.centroid, b.centroid), 0, tolerance * size + 1e-300, `${what} centroid`);
  for (let i = 0; i < 9; i++)
    near(a.inertia.elements[i]!, b.inertia.elements[i]!, tolerance * trace + 1e-300, `${what} inertia ${i}`);
}

const TIP = [vec3(0, 0, 1), vec3(0, 0, -0.5)];
const RIM = [vec3(1, 0, 0), vec3(0, 2, 0), vec3(-1, 0, 0), vec3(0, -0.7, 0)];
/** A lopsided octahedron, and its triangles. */
const OCTAHEDRON = [...TIP, ...RIM];
const FACES = RIM.flatMap((p, i) => {
  const q = RIM[(i + 1) % 4]!;
  return [
    [p, q, TIP[0]!],
    [q, p, TIP[1]!],
  ];
});
const PENTAGON = [0, 1, 2, 3, 4].map((k) => vec3(Math.cos(1.2566 * k), 0.5, 2 * Math.sin(1.2566 * k)));

test('every kind of solid, against counting cells', () => {
  const cases: [ConvexShape, Vec3[][]?][] = [
    [sphere(1.3)],
    [box(1, 0.4, 2)],
    [box(1, 0.4, 0.7, 0.5)],
    [capsule(0.8, 0.5)],
    [cylinder(1.2, 0.6)],
    [cylinder(0.4, 1, 0.5)],
    [cone(1, 0.8)],
    [cone(0.5, 1, 0.4)],
    [ellipsoid(1, 0.5, 2)],
    [ellipsoid(1, 0.2, 0.6, 0.3)],
    [hull(OCTAHEDRON), FACES],
    [hull(OCTAHEDRON, 0.4), FACES],
    [triangle(vec3(1, 0, 0), vec3(0, 2, 0), vec3(-1, 0, 1), 0.5)],
    [segment(vec3(1, 0.5, 0), vec3(0, 2, 1), 0.5)],
    [polygon(PENTAGON, 0.4), [2, 3, 4].map((k) => [PENTAGON[0]!, PENTAGON[k - 1]!, PENTAGON[k]!])],
  ];
  // Half of the cells that the surface passes through are counted wrongly, but to both sides.
  for (const [shape, triangles] of cases)
    sameMass(
      massOf(shape),
      counted(shape, (p) => holds(shape, p, triangles)),
      4e-3,
      shape.kind,
    );
});

property('a rounded box is what Steiner says', 10_000, (rng) => {
  const [x, y, z, r] = [
    rng.range(0, 3),
    rng.pick([0, 1]),
    rng.range(0, 1),
    rng.pick([0, 1e-3, rng.range(0, 2)]),
  ];
  const { volume } = massOf(box(x, y, z, r));
  const area = 8 * (x * y + y * z + z * x);
  const wanted = 8 * x * y * z + area * r + 2 * Math.PI * (x + y + z) * r * r + (4 / 3) * Math.PI * r ** 3;
  near(volume, wanted, 1e-14 * wanted, 'volume');
  // Without sides, a ball.
  sameMass(massOf(box(0, 0, 0, 1 + r)), massOf(sphere(1 + r)), 1e-14, 'ball');
  // A long rod with round ends, two ways.
  sameMass(massOf(box(0, x, 0, 1 + r)), massOf(capsule(x, 1 + r)), 1e-13, 'rod');
});

property('round solids by the textbook', 2_000, (rng) => {
  const [h, a] = [rng.range(0.01, 5), rng.range(0.01, 5)];
  const inertia = (shape: Shape) => massOf(shape).inertia.elements;
  let m = 2 * Math.PI * a * a * h;
  near(massOf(cylinder(h, a)).volume, m, 1e-14 * m, 'cylinder');
  near(inertia(cylinder(h, a))[4]!, 0.5 * m * a * a, 1e-13 * m * a * a, 'cylinder about its axis');
  near(
    inertia(cylinder(h, a))[0]!,
    (m * (3 * a * a + 4 * h * h)) / 12,
    1e-13 * m * (a * a + h * h),
    'across',
  );
  m = (2 / 3) * Math.PI * a * a * h;
  near(massOf(cone(h, a)).volume, m, 1e-14 * m, 'cone');
  near(massOf(cone(h, a)).centroid.y, -h / 2, 1e-13 * h, 'cone centroid');
  near(inertia(cone(h, a))[4]!, 0.3 * m * a * a, 1e-13 * m * a * a, 'cone about its axis');
  const across = m * (0.15 * a * a + (3 / 80) * 4 * h * h);
  near(inertia(cone(h, a))[0]!, across, 1e-12 * m * (a * a + h * h), 'cone across');
  const [ball, rod] = [(4 / 3) * Math.PI * a ** 3, 2 * Math.PI * a * a * h];
  near(massOf(capsule(h, a)).volume, ball + rod, 1e-13 * (ball + rod), 'capsule');
  // Both half balls have their centroid 3/8 of the radius out.
  const ends = ball * (0.4 * a * a + h * h + 0.75 * a * h);
  const wanted = ends + rod * ((a * a) / 4 + (h * h) / 3);
  near(inertia(capsule(h, a))[0]!, wanted, 1e-12 * wanted, 'capsule across');
});

property('a rounded hull has the volume that Steiner says', 500, (rng) => {
  const points = Array.from({ length: rng.int(4, 10) }, () =>
    v3.multiply(rng.vec(1), vec3(rng.pick([1, 5]), 1, 1)),
  );
  const shape = hull(points, rng.range(0.05, 1));
  const { vertices, faces, planes } = shape.faces!;
  const plain = massProperties(shape.faces!);
  // Each edge counts in both its faces: half its length times half the angle between their normals.
  let bend = 0;
  const edges = faces.flatMap((face, f) => face.map((v, k) => [v, face[(k + 1) % face.length]!, f] as const));
  for (const [v, u, f] of edges) {
    const g = edges.find((edge) => edge[0] === u && edge[1] === v)![2];
    bend += 0.25 * v3.distance(vertices[u]!, vertices[v]!) * v3.angle(planes[f]!.normal, planes[g]!.normal);
  }
  const r = shape.rounding;
  const wanted = plain.volume + plain.area * r + bend * r * r + (4 / 3) * Math.PI * r ** 3;
  near(massOf(shape).volume, wanted, 1e-12 * wanted, 'volume');
});

property('a box is a hull is a plate, rounded; flat and thin ones too', 400, (rng) => {
  const [x, y, z, r] = [rng.range(0.1, 3), rng.pick([1, 1e-3]), rng.range(0.1, 1), rng.pick([1e-3, 0.5, 2])];
  const corners = box(x, y, z).faces!.vertices;
  sameMass(massOf(hull(corners, r)), massOf(box(x, y, z, r)), 1e-12, 'hull');
  const plate = [vec3(x, 0, z), vec3(-x, 0, z), vec3(-x, 0, -z), vec3(x, 0, -z)];
  sameMass(massOf(polygon(plate, r)), massOf(box(x, 0, z, r)), 1e-12, 'polygon');
  const [a, b, c, d] = plate as [Vec3, Vec3, Vec3, Vec3];
  const rod = massOf(segment(a, c, r));
  sameMass(massOf(triangle(a, c, v3.lerp(a, c, 0.5), r)), rod, 1e-12, 'triangle without area');
  sameMass(massOf(hull([a, c], r)), rod, 1e-14, 'two points');
  near(massOf(hull([d], r)).volume, (4 / 3) * Math.PI * r ** 3, 1e-13 * r ** 3, 'a point');
  // The two halves of the plate overlap in a capsule.
  const halves = massOf(triangle(a, b, c, r)).volume + massOf(triangle(a, c, d, r)).volume;
  near(halves - massOf(polygon(plate, r)).volume, rod.volume, 1e-12 * halves, 'halves');
});

/** Needles and coins at any angle, as a support map only. */
property('support maps: moments to four digits, however long and thin', 40, (rng) => {
  const radii = vec3(rng.pick([1, 1e3, 1e-3]), rng.pick([1, 1e3]), 1);
  const q = rng.rotation();
  const shift = rng.vec(3);
  const shape = convex((d, out) => {
    const e = v3.rotateInverse(d, q);
    const s = v3.multiply(radii, e);
    v3.scale(v3.multiply(s, radii), 1 / v3.length(s), s);
    return v3.add(v3.rotate(s, q), shift, out);
  });
  const wanted = massOf(
    compound([{ shape: ellipsoid(radii.x, radii.y, radii.z), pose: { position: shift, quaternion: q } }]),
  );
  sameMass(massOf(shape), wanted, 1e-4, 'ellipsoid');
});

property('an ellipsoid with a rounding, to four digits: balls, discs and rods are known', 30, (rng) => {
  const [a, r] = [rng.range(0.1, 3), rng.pick([0.05, 1, rng.range(0.1, 3)])];
  const tolerance = r > 0.1 * a ? 1e-4 : 4e-3; // three digits where the edges are thin
  sameMass(massOf(ellipsoid(a, a, a, r)), massOf(sphere(a + r)), 1e-4, 'ball');
  sameMass(massOf(ellipsoid(a, 0, a, r)), massOf(cylinder(0, a, r)), tolerance, 'disc');
  sameMass(massOf(ellipsoid(0, a, 0, r)), massOf(capsule(a, r)), tolerance, 'rod');
});

test('support maps with corners and flat sides', () => {
  const points = OCTAHEDRON;
  const shape = convex((d, out) =>
    v3.copy(
      points.reduce((a, b) => (v3.dot(b, d) > v3.dot(a, d) ? b : a)),
      out,
    ),
  );
  sameMass(massOf(shape), massOf(hull(points)), 1e-4, 'octahedron');
  const flat = convex((d, out) => v3.set(Math.sign(d.x), Math.sign(d.y), 3, out));
  expect(massOf(flat).volume).toBe(0);
  const tilted = convex((d, out) => {
    const s = Math.sign(d.x + d.y);
    return v3.set(s, s, Math.sign(d.z), out);
  });
  expect(massOf(tilted).volume).toBe(0);
});

function anySolid(rng: Rng): ConvexShape {
  return rng.pick([
    () => box(1, rng.range(0.1, 2), 0.5, rng.pick([0, 0.2])),
    () => cylinder(1, rng.range(0.1, 2)),
    () => cone(rng.range(0.1, 2), 1),
    () => hull(OCTAHEDRON),
    () => segment(rng.vec(), rng.vec(), 0.4),
  ])();
}

property('scaling scales moments: x to s x, by a matrix', 2_000, (rng) => {
  const shape = anySolid(rng);
  const s = vec3(rng.pick([1, -1, 2]), rng.range(0.2, 3), rng.pick([1, -0.5]));
  const [before, after] = [massOf(shape), massOf(scaled(shape, s))];
  const factor = Math.abs(s.x * s.y * s.z);
  near(after.volume, before.volume * factor, 1e-12 * after.volume, 'volume');
  near(v3.distance(after.centroid, v3.multiply(before.centroid, s)), 0, 1e-12, 'centroid');
  // The product of inertia of x and y goes with both.
  const [e, f] = [before.inertia.elements, after.inertia.elements];
  near(f[1]!, e[1]! * factor * s.x * s.y, 1e-11 * (Math.abs(f[0]!) + 1), 'product of inertia');
  const xx = (m: readonly number[]) => 0.5 * (m[4]! + m[8]! - m[0]!);
  near(xx(f), xx(e) * factor * s.x * s.x, 1e-11 * (Math.abs(f[0]!) + f[4]! + 1), 'spread along x');
});

test('a compound is the sum of its parts; a box in halves is the box', () => {
  const half = box(0.5, 1, 1);
  const turned = quat(0, 1, 0, 0);
  const both = compound([
    { shape: half, pose: { position: vec3(9.5, 5, 5), quaternion: turned } },
    { shape: half, pose: { position: vec3(10.5, 5, 5), quaternion: quat() } },
  ]);
  const wanted = massOf(box(1, 1, 1), 3);
  sameMass(massOf(both, 3), { ...wanted, centroid: vec3(10, 5, 5) }, 1e-13, 'halves');
});

test('closed meshes have the mass of their inside, with density', () => {
  const { positions, index } = boxMesh(vec3(1, 2, 3), vec3(2, 4, 6));
  const got = massOf(mesh(positions, index), 2);
  const wanted = massOf(
    compound([{ shape: box(0.5, 1, 1.5), pose: { position: vec3(1.5, 3, 4.5), quaternion: quat() } }]),
    2,
  );
  sameMass(got, wanted, 1e-13, 'box');
  const ball = icosphere(3);
  const volume = massOf(mesh(ball.positions, ball.index)).volume;
  check(volume < (4 / 3) * Math.PI && volume > 4.1, 'a ball of triangles is a little smaller');
});

test('[R2.2.1] what has no inside has no mass, and a soup is refused, not guessed', () => {
  const { positions, index } = boxMesh();
  const open = mesh(positions, index.slice(3));
  expect(() => massOf(open)).toThrow(RangeError);
  expect(() => massOf(open)).toThrow(/massOf: shape must be a closed mesh to have an inside/);
  expect(() => massOf(compound([{ shape: open }]))).toThrow(/closed mesh/);
  expect(() => massOf(halfSpace(vec3(0, 1)))).toThrow(/massOf: shape must not be a half-space/);
  const flat: Shape[] = [
    point(),
    segment(vec3(), vec3(1)),
    triangle(vec3(), vec3(2), vec3(0, 2)),
    polygon(PENTAGON),
    hull(PENTAGON),
    hull([vec3(1)]),
    heightField([0, 1, 2, 3], { columns: 2, rows: 2 }),
    sphere(0),
    box(1, 0, 1),
    cylinder(1, 0),
    cone(0, 1),
  ];
  for (const shape of [...flat, compound(flat.map((s) => ({ shape: s })))]) {
    const { volume, mass, inertia, centroid } = massOf(shape, 5);
    expect(
      [volume, mass, ...inertia.elements].every((x) => x === 0),
      shape.kind,
    ).toBe(true);
    expect(Number.isFinite(v3.length(centroid))).toBe(true);
  }
  expect(massOf(segment(vec3(), vec3(2))).centroid).toEqual(vec3(1));
  for (const shape of [sphere(1e30), capsule(1e29, 1e29), hull(OCTAHEDRON.map((p) => v3.scale(p, 1e29)))])
    expect(() => massOf(shape, 1e200)).toThrow(/massOf: shape must not be so large/);
  expect(() => massOf(sphere(1), -1)).toThrow(/density must not be negative/);
});

property('inertia turns with the body', 2_000, (rng) => {
  const shape = anySolid(rng);
  const pose = { position: rng.vec(1e3), quaternion: rng.rotation() };
  const posed = massOf(compound([{ shape, pose }]));
  const own = massOf(shape);
  const r = m3.fromQuat(pose.quaternion);
  const inertia = m3.multiply(m3.multiply(r, own.inertia), m3.transpose(r));
  const centroid = v3.add(v3.rotate(own.centroid, pose.quaternion), pose.position);
  sameMass(posed, { ...own, inertia, centroid }, 1e-12, shape.kind);
});
