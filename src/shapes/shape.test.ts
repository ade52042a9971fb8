import { expect, test } from 'vitest';
import { check, near, property } from '../../tests/kit/index.ts';
import { boxMesh, icosphere } from '../../tests/kit/meshes.ts';
import { twoJoints } from '../../tests/kit/skins.ts';
import { add, makeInterval, negate, type ReadonlyInterval, square, sub } from '../math/interval.ts';
import { pose as makePose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { inspect } from '../mesh/inspect.ts';
import { isPartlyInside } from '../mesh/solid-predicates.ts';
import {
  classifyAabbImplicit,
  differenceImplicit,
  type ImplicitFunction,
  intersectionImplicit,
  unionImplicit,
} from '../rtcd/ch03/implicit.ts';
import { isClosedMesh } from '../rtcd/ch03/mesh-facts.ts';
import { isConvexPolyhedron } from '../rtcd/ch03/polyhedron-convexity.ts';
import { closestPointMesh } from '../trimesh/closest.ts';
import { containsPointMesh } from '../trimesh/inside.ts';
import { type Mesh, refitMesh } from '../trimesh/mesh.ts';
import { pairsMeshMesh } from '../trimesh/mesh-mesh/overlap.ts';
import { trianglesSphereMesh } from '../trimesh/overlap.ts';
import { rayMesh } from '../trimesh/ray.ts';
import { saveMesh } from '../trimesh/stored-mesh.ts';
import { windingNumberMesh } from '../trimesh/winding.ts';
import { compound } from './compound.ts';
import { convex } from './custom.ts';
import { csg } from './fields/csg.ts';
import { levelSet } from './fields/level-set/level-set.ts';
import { sdf } from './fields/sdf.ts';
import { box, hull, point, polygon, segment, triangle } from './flat-sided-shapes.ts';
import { halfSpace } from './half-space.ts';
import { heightField } from './height-field.ts';
import { loadMesh, mesh } from './mesh.ts';
import { parametric } from './parametric.ts';
import { capsule, cone, cylinder, ellipsoid, sphere } from './round-shapes.ts';
import { scaled } from './scale.ts';
import { isConvexShape, type Shape, type ShapeKind } from './shape.ts';
import { solid } from './solid.ts';
import { trianglesFromStrip } from './triangle-strip.ts';

test('[R2.2.1] the kinds of shapes, each told apart by its kind', () => {
  const [a, b, c] = [vec3(), vec3(1), vec3(0, 1)];
  const shapes: Record<ShapeKind, Shape> = {
    sphere: sphere(1),
    box: box(1, 1, 1),
    capsule: capsule(1, 1),
    cylinder: cylinder(1, 1),
    cone: cone(1, 1),
    ellipsoid: ellipsoid(1, 2, 3),
    hull: hull([a, b, c]),
    triangle: triangle(a, b, c),
    polygon: polygon([a, b, c]),
    segment: segment(a, b),
    point: point(),
    convex: convex((d, out) => v3.normalize(d, out)),
    halfSpace: halfSpace(vec3(0, 1)),
    mesh: mesh([0, 0, 0, 1, 0, 0, 0, 1, 0]),
    heightField: heightField([0, 0, 0, 0], { columns: 2, rows: 2 }),
    compound: compound([{ shape: sphere(1) }]),
    sdf: sdf((p) => v3.length(p) - 1, { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) }),
    parametric: parametric((u, v, out) => v3.set(u, 0, v, out)),
    solid: solid({
      bounds: { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) },
      signedDistance: (p) => v3.length(p) - 1,
    }),
    csg: csg('union', [sphere(1), box(1, 1, 1)]),
    levelSet: levelSet((p) => v3.length(p) - 1, {
      spacing: 0.5,
      bounds: { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) },
    }),
    skinned: twoJoints([0, 0, 0, 1, 0, 0, 0, 1, 0]),
  };
  const others: ShapeKind[] = [
    'halfSpace',
    'mesh',
    'heightField',
    'compound',
    'sdf',
    'csg',
    'parametric',
    'solid',
    'levelSet',
    'skinned',
  ];
  for (const [kind, shape] of Object.entries(shapes)) {
    expect(shape.kind).toBe(kind);
    expect(isConvexShape(shape)).toBe(!others.includes(shape.kind));
  }
});

property('[R2.2.1] half-spaces: n · x <= d, whatever the length of n', 10_000, (rng) => {
  const n = v3.scale(rng.direction(), rng.pick([1, 3, 1e-3, 1e6]));
  const d = rng.range(-2, 2) * v3.length(n);
  const shape = halfSpace(n, d);
  near(v3.length(shape.normal), 1, 1e-15, 'unit');
  const p = rng.vec(4);
  const [given, kept] = [(v3.dot(n, p) - d) / v3.length(n), v3.dot(shape.normal, p) - shape.d];
  near(kept, given, 1e-14, 'distance');
});

test('a half-space without direction is refused', () => {
  expect(() => halfSpace(vec3())).toThrow(/halfSpace: normal must not be zero/);
  expect(() => halfSpace(vec3(1), Number.NaN)).toThrow(/halfSpace: d must be a finite number/);
  expect(halfSpace(vec3(0, 1, 0), 3)).toMatchObject({ kind: 'halfSpace', normal: vec3(0, 1, 0), d: 3 });
});

test('[R2.2.1] implicit functions combine: a cube less a cylinder', () => {
  const minus = (x: ReadonlyInterval, d: number) => sub(x, makeInterval(d));
  const slab = (axis: number): ImplicitFunction =>
    intersectionImplicit(
      (...at) => minus(at[axis]!, 1),
      (...at) => minus(negate(at[axis]!), 1),
    );
  const cube = [0, 1, 2].map(slab).reduce(intersectionImplicit);
  const bore: ImplicitFunction = (x, y) => minus(add(square(x), square(y)), 0.25);
  const solid = differenceImplicit(cube, bore);
  const at = (x: number, y: number, z: number) =>
    classifyAabbImplicit({ min: vec3(x, y, z), max: vec3(x, y, z) }, solid);
  expect(at(0, 0, 0.3)).toBe('out'); // on the axis
  expect(at(0.9, 0.9, 0.9)).toBe('in'); // in the corner
  expect(at(0.7, 0, 0)).toBe('in');
  expect(at(0.5, 0, 0)).toBe('boundary');
  expect(at(1, 0.7, 0)).toBe('boundary');
  expect(at(2, 0, 0)).toBe('out');
  // The other way round: a rod with its middle cut out; and both together.
  const ends = classifyAabbImplicit(
    { min: vec3(0, 0, 2), max: vec3(0.2, 0.2, 3) },
    differenceImplicit(bore, cube),
  );
  expect(ends).toBe('in');
  const whole = { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) };
  expect(classifyAabbImplicit({ min: vec3(0, 0, -9), max: vec3(0, 0, 9) }, unionImplicit(cube, bore))).toBe(
    'in',
  );
  expect(classifyAabbImplicit(whole, solid, 2)).toBe('boundary');
});

property(
  '[R2.2.1] sets of half-spaces combine: a wedge, the complement of one, two of them',
  3_000,
  (rng) => {
    const wedge = (turn: 1 | -1) =>
      ({
        kind: 'intersection',
        parts: [vec3(1, turn), vec3(-1, turn)].map(
          (normal) => ({ kind: 'halfspace', plane: { normal, d: 0 } }) as const,
        ),
      }) as const;
    const p = vec3(rng.int(-3, 3), rng.int(-3, 3), rng.int(-3, 3));
    const [below, above] = [Math.abs(p.x) <= -p.y, Math.abs(p.x) <= p.y];
    check(isPartlyInside(wedge(1), [p]) === below, 'in the wedge');
    check(isPartlyInside({ kind: 'complement', part: wedge(1) }, [p]) === Math.abs(p.x) >= -p.y, 'out of it');
    const both = { kind: 'union', parts: [wedge(1), wedge(-1)] } as const;
    check(isPartlyInside(both, [p]) === (below || above), 'in one of two');
  },
);

test('[R2.2.1] a connected mesh is closed or open, convex or not, and is told', () => {
  const { positions, index } = boxMesh();
  const vertices = Array.from({ length: 8 }, (_, i) => vec3(...positions.slice(3 * i, 3 * i + 3)));
  const faces = Array.from({ length: 12 }, (_, i) => [...index.slice(3 * i, 3 * i + 3)]);
  const dented = vertices.map((p, i) => (i === 0 ? v3.scale(p, -0.5) : p)); // one corner beyond the middle
  expect([isClosedMesh(faces), isClosedMesh(faces.slice(1))]).toEqual([true, false]);
  expect(inspect({ positions, index })).toMatchObject({ isClosed: true, isManifold: true });
  expect(inspect({ positions, index: index.slice(3) })).toMatchObject({ isClosed: false, isManifold: true });
  expect(isConvexPolyhedron({ vertices, faces })).toBe(true);
  expect(isConvexPolyhedron({ vertices: dented, faces })).toBe(false);
});

test('[R2.2.1] a closed mesh has an inside; an open one has as much as it winds around, and no more is said', () => {
  const { positions, index } = boxMesh();
  const closed = mesh(positions, index);
  const open = mesh(positions, index.slice(6)); // without one side
  expect(containsPointMesh(vec3(), closed)).toBe(true);
  expect(windingNumberMesh(vec3(), closed)).toBe(1);
  expect(windingNumberMesh(vec3(), open)).toBeCloseTo(5 / 6, 12);
  // A single triangle winds around nothing for more than half: it holds what lies on it.
  const sheet = mesh([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  expect([1e-9, -1e-9, 0.5].some((z) => containsPointMesh(vec3(0.1, 0.1, z), sheet))).toBe(false);
  expect(containsPointMesh(vec3(0.125, 0.125, 0), sheet)).toBe(true);
});

test('[R2.2.2] collision geometry stands apart from the buffers it was made from', () => {
  const { positions, index } = boxMesh();
  const made = mesh(positions, index);
  const down = { origin: vec3(0.3, 9, 0.2), direction: vec3(0, -1, 0) };
  const before = rayMesh(down, made)!.t;
  positions.fill(0);
  index.fill(0);
  expect(rayMesh(down, made)!.t).toBe(before);
});

property('[R2.2.2] strips make the triangles that lists make', 2_000, (rng) => {
  // A band of quads: its strip zigzags between two rows.
  const n = rng.int(2, 20);
  const strip = Array.from({ length: 2 * n }, (_, i) => i);
  const list: number[] = [];
  for (let i = 0; i + 3 < 2 * n; i += 2) list.push(i, i + 1, i + 2, i + 2, i + 1, i + 3);
  const same = (a: ArrayLike<number>, b: readonly number[]) => {
    const turned = (k: number) => {
      const t = [a[k]!, a[k + 1]!, a[k + 2]!];
      const at = t.indexOf(Math.min(...t));
      return [...t.slice(at), ...t.slice(0, at)].join();
    };
    const of = Array.from({ length: a.length / 3 }, (_, k) => turned(3 * k));
    const wanted = Array.from({ length: b.length / 3 }, (_, k) => {
      const t = b.slice(3 * k, 3 * k + 3);
      const at = t.indexOf(Math.min(...t));
      return [...t.slice(at), ...t.slice(0, at)].join();
    });
    check(of.join(' ') === wanted.join(' '), () => `${of} is not ${wanted}`);
  };
  same(trianglesFromStrip(strip), list);
  // Twice, by a restart and by triangles without area.
  const second = strip.map((i) => i + 2 * n);
  const twice = [...list, ...list.map((i) => i + 2 * n)];
  same(trianglesFromStrip([...strip, 65535, ...second], { restart: 65535 }), twice);
  same(trianglesFromStrip([...strip, strip.at(-1)!, second[0]!, ...second]), twice);
});

test('[R2.2.2] a strip of few indices has no triangles; what is no index is refused', () => {
  expect(trianglesFromStrip([])).toHaveLength(0);
  expect(trianglesFromStrip([1, 2])).toHaveLength(0);
  expect([...trianglesFromStrip([1, 2, 3])]).toEqual([1, 2, 3]);
  expect([...trianglesFromStrip([1, 2, 9, 3, 4, 9, 5, 6, 7], { restart: 9 })]).toEqual([5, 6, 7]);
  for (const bad of [-1, 0.5, Number.NaN, 2 ** 32])
    expect(() => trianglesFromStrip([0, 1, bad])).toThrow(/strip must hold numbers of vertices, got .* at 2/);
});

test('[R2.2.2] a hit tells the number of the face, and with it whatever is known of the face', () => {
  const { positions, index } = boxMesh();
  const made = mesh(positions, index);
  const surface = ['left', 'right', 'below', 'above', 'behind', 'before'].flatMap((name) => [name, name]);
  const tagAlong = (x: number, y: number, z: number) => {
    const direction = vec3(x, y, z);
    const origin = v3.add(v3.scale(direction, -5), vec3(0.3, 0.2, 0.1));
    return surface[rayMesh({ origin, direction }, made)!.triangle];
  };
  expect([tagAlong(1, 0, 0), tagAlong(0, -1, 0), tagAlong(0, 0, -1)]).toEqual(['left', 'above', 'before']);
  // Faces that are left out are never hit; the others keep their numbers, and so what is known of them.
  const rest = mesh(positions, index, { exclude: (triangle) => surface[triangle] === 'above' });
  const hit = rayMesh({ origin: vec3(0.3, 9, 0.2), direction: vec3(0, -1, 0) }, rest)!;
  expect(surface[hit.triangle]).toBe('below');
  expect([rest.triangleCount, rest.givenCount]).toEqual([10, 12]);
  expect(() => mesh(positions, index, { exclude: () => true })).toThrow(
    /options.exclude must leave at least one/,
  );
  expect(() => mesh(positions, index, { exclude: 3 as never })).toThrow(/options.exclude must be a function/);
});

property('[R2.2.2] a mesh with faces left out answers as one of the others does', 60, (rng) => {
  const solid = rng.pick([boxMesh(), icosphere(1)]);
  const positions = [...solid.positions].map((x) => x + rng.pick([0, 0.1]) * rng.unit());
  const count = solid.index.length / 3;
  const kept = Array.from({ length: count }, (_, i) => i).filter(
    (i) => i === 3 || rng.chance(rng.pick([0.3, 0.8])),
  );
  const index = kept.flatMap((i) => [...solid.index.slice(3 * i, 3 * i + 3)]);
  const exclude = (triangle: number) => !kept.includes(triangle);
  const moved = positions.map((x) => 1.5 * x);
  const reference = mesh(positions, index);
  const pairs: [string, Mesh, Mesh][] = [['made', mesh(positions, solid.index, { exclude }), reference]];
  pairs.push(['loaded', loadMesh(saveMesh(pairs[0]![1]).slice(0)), reference]);
  pairs.push(['refitted', refitMesh(pairs[0]![1], moved, solid.index), refitMesh(reference, moved, index)]);
  pairs.push([
    'scaled',
    scaled(pairs[0]![1], vec3(-1, 2, 3)) as Mesh,
    scaled(reference, vec3(-1, 2, 3)) as Mesh,
  ]);
  const others = mesh(boxMesh().positions, boxMesh().index);
  for (const [name, some, all] of pairs) {
    const same = (a: unknown, b: unknown) =>
      check(
        JSON.stringify(a) === JSON.stringify(b),
        () => `${name}: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`,
      );
    /** With the numbers of all triangles. */
    const renamed = <T extends { triangle: number }>(found: T | null) =>
      found && { ...found, triangle: kept[found.triangle] };
    check(some.givenCount === count && some.triangleCount === kept.length, name);
    for (let i = 0; i < 5; i++) {
      const [origin, direction] = [rng.vec(3), rng.direction()];
      same(rayMesh({ origin, direction }, some), renamed(rayMesh({ origin, direction }, all)));
      same(closestPointMesh(origin, some), renamed(closestPointMesh(origin, all)));
      const ball = { center: origin, radius: 2 };
      same(
        trianglesSphereMesh(ball, some),
        trianglesSphereMesh(ball, all).map((triangle) => kept[triangle]),
      );
      same(windingNumberMesh(origin, some), windingNumberMesh(origin, all));
    }
    const pose = { position: rng.vec(1), quaternion: rng.rotation() };
    same(
      pairsMeshMesh(some, others, pose),
      pairsMeshMesh(all, others, pose).map((x, i) => (i % 2 ? x : kept[x])),
    );
    const shifted = pairsMeshMesh(others, all, pose).map((x, i) => (i % 2 ? kept[x]! : x));
    same(pairsMeshMesh(others, some, pose), shifted);
  }
});

property('[R2.2.2] a hull as proxy encloses its source; a source that moves is another one', 300, (rng) => {
  const positions = Array.from({ length: 9 * rng.int(1, 8) }, () => rng.range(-5, 5));
  const source = mesh(positions);
  const proxy = hull(source);
  for (let i = 0; i < positions.length; i += 3) {
    const p = vec3(positions[i], positions[i + 1], positions[i + 2]);
    for (const { normal, d } of proxy.faces?.planes ?? [])
      check(v3.dot(normal, p) <= d + 1e-14, () => `sticks out by ${v3.dot(normal, p) - d}`);
  }
  const moved = refitMesh(
    source,
    positions.map((x) => x + 1),
  );
  // Shapes never change, so that being the same object is being the same version.
  check(proxy.source === source && proxy.source !== moved && hull(moved).source === moved, 'stale');
  check(hull(positions).source === null, 'of points');
  check(JSON.stringify(proxy.points) === JSON.stringify(hull([...source.vertices]).points), 'the same hull');
  check(
    source.vertices.every((x) => positions.includes(x)),
    'the source has changed',
  );
});

test('a pose is no shape', () => {
  expect(() => compound([{ shape: makePose() as unknown as Shape }])).toThrow(/must be a shape/);
});
