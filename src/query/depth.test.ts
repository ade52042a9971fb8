/** How deep meshes and compounds are in each other, against closed forms, separating axes and exact intersection. */
import { describe, expect, test } from 'vitest';
import { EVERY_SHAPE } from '../../tests/kit/every-shape.ts';
import { check, near, property, Rng } from '../../tests/kit/index.ts';
import { boxMesh, icosphere, type TriangleArrays, torus, unwelded } from '../../tests/kit/meshes.ts';
import { depthByDirections } from '../../tests/kit/separating-directions.ts';
import { bowl, lSolid, prism } from '../../tests/kit/solids.ts';
import { transformPoint } from '../math/pose.ts';
import type { ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { compound } from '../shapes/compound.ts';
import { csg } from '../shapes/fields/csg.ts';
import { box, hull, point, segment, triangle } from '../shapes/flat-sided-shapes.ts';
import { halfSpace } from '../shapes/half-space.ts';
import { heightField } from '../shapes/height-field.ts';
import { mesh } from '../shapes/mesh.ts';
import type { Separation } from '../shapes/results.ts';
import { capsule, ellipsoid, sphere } from '../shapes/round-shapes.ts';
import type { Shape } from '../shapes/shape.ts';
import { contacts } from './contacts.ts';
import { distance } from './distance.ts';
import { intersects } from './intersects.ts';

interface Placed {
  readonly shape: Shape;
  readonly pose: ReadonlyPose;
}
type Arrays = Pick<TriangleArrays, 'positions' | 'index'>;

const UPRIGHT = { x: 0, y: 0, z: 0, w: 1 };
const at = (shape: Shape, x = 0, y = 0, z = 0, quaternion = UPRIGHT): Placed => ({
  shape,
  pose: { position: vec3(x, y, z), quaternion },
});
const meshOf = ({ positions, index }: Arrays) => mesh(positions, index);
const moved = ({ shape, pose }: Placed, n: ReadonlyVec3, s: number): Placed => ({
  shape,
  pose: {
    position: vec3(pose.position.x + s * n.x, pose.position.y + s * n.y, pose.position.z + s * n.z),
    quaternion: pose.quaternion,
  },
});
const dot = (a: ReadonlyVec3, b: ReadonlyVec3) => a.x * b.x + a.y * b.y + a.z * b.z;
const pointsOf = ({ positions }: Arrays): Vec3[] =>
  Array.from({ length: positions.length / 3 }, (_, i) =>
    vec3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]),
  );

/** All that has to hold of two bodies that overlap by more than touching. `size` is theirs. */
function mustPart(one: Placed, two: Placed, size = 1): Separation {
  const found = distance(one, two)!;
  const { separation, normal, pointA, pointB } = found;
  check(separation < 0, () => `separation ${separation}`);
  near(dot(normal, normal), 1, 1e-12, 'length of the normal');
  // Exact predicates, which know nothing of how it was found: they meet before, and not beyond.
  check(intersects(moved(one, normal, -0.999 * separation), two), 'parted before');
  const beyond = moved(one, normal, -separation * (1 + 1e-9) + 1e-9 * size);
  check(!intersects(beyond, two), () => `still in each other after ${-separation}`);
  const off = Math.hypot(
    pointA.x - separation * normal.x - pointB.x,
    pointA.y - separation * normal.y - pointB.y,
    pointA.z - separation * normal.z - pointB.z,
  );
  near(off, 0, 1e-9 * size, 'from point to point, after the motion');
  for (const [p, body] of [
    [pointA, one],
    [pointB, two],
  ] as const)
    near(
      Math.max(0, distance({ shape: point(), pose: { position: p, quaternion: UPRIGHT } }, body)!.separation),
      0,
      1e-7 * size,
      'a point off its body',
    );
  const back = distance(two, one)!;
  near(back.separation, separation, 1e-12 * size, 'the other way round');
  near(dot(back.normal, normal), -1, 1e-6, 'normal, the other way round');
  const touching = contacts(one, two);
  check(touching.length > 0, 'no contacts');
  const deepest = Math.min(...touching.map((c) => c.separation));
  const slack = 1e-5 * -separation + 1e-9 * size;
  // The contacts of a skin are those of its triangles: docs/skinned.md.
  if (one.shape.kind === 'skinned' || two.shape.kind === 'skinned')
    check(deepest <= 0 && deepest >= separation - slack, () => `a contact of depth ${deepest}`);
  else near(deepest, separation, slack, 'deepest contact');
  return found;
}

const CUBE = meshOf(boxMesh());
const L = lSolid();
const RING = torus(16, 8);

describe('what was wrong', () => {
  test('two box meshes 2 wide and 1.5 apart', () => {
    const { separation, normal } = mustPart(at(CUBE), at(CUBE, 1.5));
    expect(separation).toBeCloseTo(-0.5, 14);
    expect(normal.x).toBeCloseTo(-1, 14);
  });

  test('two icospheres', () => {
    const ball = meshOf(icosphere(3));
    const { separation } = mustPart(at(ball), at(ball, 1.5));
    expect(separation).toBeLessThan(-0.49);
    expect(separation).toBeGreaterThanOrEqual(-0.5);
  });

  test('a part inside of another', () => {
    const { separation, normal } = mustPart(
      at(meshOf(boxMesh(vec3(-0.1, -0.1, -0.1), vec3(0.1, 0.1, 0.1))), 0.3),
      at(CUBE),
    );
    expect(separation).toBeCloseTo(-0.8, 12);
    expect(normal.x).toBeCloseTo(1, 12);
  });

  test('a box against a box mesh is as a box against a box', () => {
    for (const shape of [CUBE, box(1, 1, 1)]) {
      const { separation } = mustPart(at(box(1, 1, 1)), at(shape, 0.5));
      expect(separation).toBeCloseTo(-1.5, 13);
    }
  });

  test('contacts of a body inside of a closed mesh', () => {
    for (const shape of [CUBE, meshOf(lSolid())]) {
      const list = contacts(at(sphere(0.1), 0.5, 0.5, 0.5), shape);
      expect(list.length).toBeGreaterThan(0);
      const { separation, normal } = list[list.length - 1]!;
      expect(separation).toBeCloseTo(-0.6, 9);
      expect(Math.hypot(normal.x, normal.y, normal.z)).toBeCloseTo(1, 12);
    }
  });
});

test('a limit below zero', () => {
  for (const shape of [CUBE, meshOf(L), compound([at(box(1, 1, 1))])]) {
    const one = at(box(0.3, 0.3, 0.3), 0.5, 0.5, 0.5);
    const { separation } = distance(one, shape)!;
    expect(distance(one, shape, { maxDistance: 1.01 * separation })).toBeNull();
    expect(distance(one, shape, { maxDistance: 0.99 * separation })!.separation).toBe(separation);
  }
});

property('boxes of triangles: as deep as boxes are, by their sides, in any pose', 150, (rng) => {
  const half = () => vec3(rng.range(0.2, 2), rng.range(0.2, 2), rng.range(0.2, 2));
  const [p, q] = [half(), half()];
  const offset = rng.chance(0.3) ? vec3(rng.pick([0, 0.5]), 0, 0) : rng.vec(1.5);
  const sides = [
    p.x + q.x - Math.abs(offset.x),
    p.y + q.y - Math.abs(offset.y),
    p.z + q.z - Math.abs(offset.z),
  ];
  if (Math.min(...sides) < 1e-3) return;
  const quaternion = rng.rotation();
  const base = rng.vec(rng.pick([0, 3, 1000]));
  const arrays = (h: Vec3) => {
    const made = boxMesh(vec3(-h.x, -h.y, -h.z), h);
    return meshOf(rng.chance(0.3) ? unwelded(made) : made);
  };
  const turned = transformPoint({ position: base, quaternion }, offset);
  const one = { shape: arrays(p), pose: { position: base, quaternion } };
  const two = {
    shape: rng.chance(0.7) ? arrays(q) : box(q.x, q.y, q.z),
    pose: { position: turned, quaternion },
  };
  near(
    distance(one, two)!.separation,
    -Math.min(...sides),
    1e-11 + 1e-14 * Math.hypot(base.x, base.y, base.z),
    'depth',
  );
  near(
    distance(two, one)!.separation,
    -Math.min(...sides),
    1e-11 + 1e-14 * Math.hypot(base.x, base.y, base.z),
    'depth, turned round',
  );
});

property('a ball in a box that is known by distances only: as deep as in its nearest side', 20, (rng) => {
  const half = vec3(rng.range(0.5, 1.5), rng.range(0.5, 1.5), rng.range(0.5, 1.5));
  const [inside, r] = [rng.chance(0.2) ? vec3() : rng.vec(0.4), rng.range(0.1, 0.4)];
  const pose = { position: rng.vec(2), quaternion: rng.rotation() };
  const field = { shape: csg('union', [box(half.x, half.y, half.z)]), pose };
  const { x, y, z } = transformPoint(pose, inside);
  const ball = at(sphere(r), x, y, z);
  const sides = [half.x - Math.abs(inside.x), half.y - Math.abs(inside.y), half.z - Math.abs(inside.z)];
  for (const [one, two] of [
    [field, ball],
    [ball, field],
  ] as const) {
    const { separation, normal, pointA, pointB } = distance(one, two)!;
    near(separation, -r - Math.min(...sides), 1e-9, 'depth');
    near(dot(normal, normal), 1, 1e-9, 'length of the normal');
    check(!intersects(moved(one, normal, 1e-6 - separation), two), 'not parted');
    const off = [pointA.x - pointB.x, pointA.y - pointB.y, pointA.z - pointB.z];
    near(Math.hypot(...off), -separation, 1e-9, 'from point to point');
  }
});

property('convex meshes: as deep as separating axes tell', 60, (rng) => {
  const make = () => {
    const shape = hull(Array.from({ length: rng.int(5, 8) }, () => rng.vec(1)));
    const { vertices, faces } = shape.faces!;
    const index = faces.flatMap((face) => face.slice(2).flatMap((c, k) => [face[0]!, face[k + 1]!, c]));
    return {
      shape,
      whole: mesh(
        vertices.flatMap(({ x, y, z }) => [x, y, z]),
        index,
      ),
    };
  };
  const [a, b] = [make(), make()];
  const pose = () => ({ position: rng.vec(0.4), quaternion: rng.rotation() });
  const one = { shape: a.whole, pose: pose() };
  const two = { shape: rng.chance(0.5) ? b.whole : b.shape, pose: pose() };
  const corners = (shape: typeof a.shape, at: ReadonlyPose) =>
    shape.faces!.vertices.map((p) => transformPoint(at, p));
  const depth = depthByDirections(corners(a.shape, one.pose), corners(b.shape, two.pose));
  if (depth < 1e-6) return;
  near(mustPart(one, two).separation, -depth, 1e-12, 'depth');
});

/** Bodies that are not convex, about as large as 1. */
const CONCAVE: Record<string, Shape> = {
  'an L': meshOf(L),
  'a ring': meshOf(RING),
  'a bowl': meshOf(bowl(8, 3)),
  'an L of boxes': compound([at(box(1, 0.5, 0.5), 0, -0.5), at(box(0.5, 0.5, 0.5), -0.5, 0.5)]),
  'a mesh and a ball': compound([at(meshOf(L), -1, -1), at(sphere(0.6), 0.5, 0.5)]),
  'a terrain': heightField(
    Float64Array.from({ length: 25 }, (_, i) => 0.4 * Math.sin(2.3 * i)),
    { columns: 5, rows: 5, spacing: 0.5, centered: true },
  ),
  'an open box': meshOf({ ...boxMesh(), index: boxMesh().index.slice(12) }),
};
const OTHERS: Record<string, Shape> = {
  ...CONCAVE,
  'a box mesh': CUBE,
  'a box': box(0.5, 0.7, 0.3),
  'a ball': sphere(0.5),
  'a capsule': capsule(0.4, 0.3),
  'an ellipsoid': ellipsoid(0.3, 0.6, 0.4),
};
/** The corners of a shape, for its hull. */
const cornersOf = (shape: Shape): Vec3[] | null => {
  if (shape.kind === 'mesh' || shape.kind === 'heightField') {
    const { vertices } = shape.kind === 'mesh' ? shape : shape.mesh;
    return pointsOf({ positions: Float64Array.from(vertices), index: new Uint32Array(0) });
  }
  if (shape.kind === 'box') return [...shape.faces!.vertices];
  return null;
};

for (const [a, first] of Object.entries(CONCAVE))
  property(`${a} and anything: moving by the depth parts them, and hulls are no deeper`, 12, (rng, i) => {
    const second = OTHERS[Object.keys(OTHERS)[i % 12]!]!;
    const pose = () => ({ position: rng.vec(rng.pick([0.3, 1])), quaternion: rng.rotation() });
    const one = { shape: first, pose: pose() };
    const two = { shape: second, pose: pose() };
    if (!intersects(one, two) || distance(one, two)!.separation > -1e-6) return;
    const { separation } = mustPart(one, two, 3);
    const [p, q] = [cornersOf(first), cornersOf(second)];
    if (!p || !q) return;
    const hulls = distance({ shape: hull(p), pose: one.pose }, { shape: hull(q), pose: two.pose })!;
    check(separation >= hulls.separation - 1e-9, () => `${separation}, hulls ${hulls.separation}`);
  });

describe('closed forms of what is not convex', () => {
  const l = meshOf(L);
  test.each<[string, Placed, Placed, number, Vec3 | null]>([
    ['a small box in the arm of an L', at(box(0.2, 0.2, 0.2), 1.4, 0.5, 0.6), at(l), 0.6, vec3(0, 0, 1)],
    ['a box that dips into the notch', at(box(0.4, 0.4, 0.4), 1.5, 1.3, 0.5), at(l), 0.1, vec3(0, 1, 0)],
    [
      'into both sides of the notch',
      at(box(0.5, 0.5, 0.5), 1.4, 1.3, 0.5),
      at(l),
      Math.hypot(0.1, 0.2),
      null,
    ],
    ['two Ls with all sides in common', at(l), at(l, 0.5), 1, null],
    [
      'two Ls, notch over corner',
      at(l),
      at(l, 0.5, 0.5),
      Math.SQRT1_2,
      vec3(-Math.SQRT1_2, -Math.SQRT1_2, 0),
    ],
    ['an L in itself', at(l), at(l), 1, null],
    ['two Ls one above the other', at(l), at(l, 0, 0, 0.7), 0.3, vec3(0, 0, -1)],
    [
      'a peg that fits a slot, a little too deep',
      at(meshOf(boxMesh(vec3(1, 0.9, 0), vec3(2, 3, 1)))),
      at(slot()),
      0.1,
      vec3(0, 1, 0),
    ],
    ['a hook that fits a slot, a little too deep', at(hook()), at(slot()), 0.1, vec3(0, 1, 0)],
    ['a ball in a slab of two boxes', at(sphere(0.3), 0, 0.5), at(slab()), 0.8, vec3(0, 1, 0)],
    ['two slabs of two boxes', at(slab(), 0.2, 0.3, 0.1), at(slab()), 1.7, vec3(0, 1, 0)],
    ['a point on the seam of the slab', at(point(), 0, 0.5), at(slab()), 0.5, vec3(0, 1, 0)],
    [
      'a segment through the diagonals of a box mesh',
      at(segment(vec3(-3, 0.1, 0), vec3(3, 0.1, 0))),
      at(CUBE),
      0.9,
      vec3(0, 1, 0),
    ],
    [
      'a segment through the seams of an L',
      at(segment(vec3(0.3, 0.5, -3), vec3(0.3, 0.5, 3))),
      at(l),
      0.3,
      vec3(-1, 0, 0),
    ],
    [
      'a hull in a line through a box mesh',
      at(hull([vec3(-3, 0.1, 0), vec3(3, 0.1, 0)])),
      at(CUBE),
      0.9,
      vec3(0, 1, 0),
    ],
    [
      'a triangle without area through an L',
      at(triangle(vec3(0.3, 0.5, -3), vec3(0.3, 0.5, 0), vec3(0.3, 0.5, 3))),
      at(l),
      0.3,
      vec3(-1, 0, 0),
    ],
    ['a box through a sheet', at(box(0.5, 0.5, 0.5), 0.1, 0.2), at(sheet()), 0.3, vec3(0, 1, 0)],
    ['a mesh through a sheet', at(l, -0.5, -0.3, -0.5), at(sheet()), 0.3, vec3(0, 1, 0)],
    [
      'sheets that cross at their seams',
      at(sheet()),
      at(sheet(), 0, 0.2, 0, { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 }),
      0.8,
      vec3(0, -1, 0),
    ],
    ['a box mesh in a half-space', at(CUBE, 0, 0.4), at(halfSpace(vec3(0, 1, 0), 0)), 0.6, vec3(0, 1, 0)],
    ['a compound in a half-space', at(slab(), 0, 0.4), at(halfSpace(vec3(0, 1, 0), 0)), 0.6, vec3(0, 1, 0)],
    ['a box in a wall of a room', at(box(0.5, 0.5, 0.5), 4.6), at(room()), 0.1, vec3(-1, 0, 0)],
  ])('%s', (_, one, two, depth, normal) => {
    const found = distance(one, two)!;
    near(found.separation, -depth, 1e-9, 'depth');
    near(distance(two, one)!.separation, -depth, 1e-9, 'depth, the other way round');
    if (normal) near(dot(found.normal, normal), 1, 1e-9, 'normal');
    // Along a side that they have in common they go on touching: only beyond next to nothing across it they are parted.
    const there = moved(one, found.normal, depth);
    near(distance(there, two)!.separation, 0, 1e-9, 'after the motion');
  });

  test('what only touches is not deep, and has a normal that parts it', () => {
    for (const [one, two, normal] of [
      [at(l), at(l, 0, 0, 1), vec3(0, 0, -1)],
      [at(l), at(l, 1, 1), null],
      [at(CUBE, 0.5, 0.5, 2), at(l), vec3(0, 0, 1)],
      [at(box(0.5, 0.5, 0.5), 1.5, 1.5, 0.5), at(l), null],
      [at(meshOf(boxMesh(vec3(1, 1, 0), vec3(2, 3, 1)))), at(slot()), null],
      [at(hook(), 0, 0.1), at(slot()), null],
      [at(sheet()), at(sheet(), 0.3, 0, 0.1), null],
      [at(slab(), 0, 2), at(slab()), vec3(0, 1, 0)],
    ] as const) {
      for (const [p, q, sign] of [
        [one, two, 1],
        [two, one, -1],
      ] as const) {
        const found = distance(p, q)!;
        near(found.separation, 0, 1e-9, 'separation');
        near(dot(found.normal, found.normal), 1, 1e-9, 'normal');
        if (normal) near(dot(found.normal, normal), sign, 1e-6, 'direction');
      }
    }
  });
});

/** A block 3 wide with a slot 1 wide, down to y = 1. */
function slot(): Shape {
  return meshOf(
    prism([
      [1, 1],
      [1, 2],
      [0, 2],
      [0, 0],
      [3, 0],
      [3, 2],
      [2, 2],
      [2, 1],
    ]),
  );
}
/** Not convex, 1 wide, down to y = 0.9: all of its sides are in common with the slot. */
function hook(): Shape {
  return meshOf(
    prism([
      [2, 2.5],
      [2.6, 2.5],
      [2.6, 3],
      [1, 3],
      [1, 0.9],
      [2, 0.9],
    ]),
  );
}
/** Two cubes side by side: 4 wide, 2 high. */
function slab(): Shape {
  return compound([at(box(1, 1, 1), -1), at(box(1, 1, 1), 1)]);
}
/** A square of two triangles in y = 0. */
function sheet(): Shape {
  return mesh([-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1], [0, 2, 1, 0, 3, 2]);
}
/** A solid block with a room of 10 × 10 × 10 in it. */
function room(): Shape {
  const outer = boxMesh(vec3(-6, -6, -6), vec3(6, 6, 6));
  const inner = boxMesh(vec3(-5, -5, -5), vec3(5, 5, 5));
  return mesh(
    [...outer.positions, ...inner.positions],
    [...outer.index, ...[...inner.index].reverse().map((i) => i + 8)],
  );
}

test('a body of any size, near and far, is as deep', () => {
  for (const k of [1e-6, 1, 1e6]) {
    const l = meshOf({ positions: L.positions.map((x) => k * x), index: L.index });
    for (const far of [0, 1e3 * k]) {
      const one = at(box(0.4 * k, 0.4 * k, 0.4 * k), 1.5 * k + far, 1.3 * k, 0.5 * k);
      near(distance(one, at(l, far))!.separation / k, -0.1, 1e-9, `depth at ${k}`);
      const two = at(l, 0.5 * k + far, 0.5 * k);
      near(distance(two, at(l, far))!.separation / k, -Math.SQRT1_2, 1e-9, `depth at ${k}`);
    }
  }
});

describe('every pair of shapes that overlap', () => {
  const names = Object.keys(EVERY_SHAPE);
  const hasParts = (name: string) => ['mesh', 'closed mesh', 'height field', 'compound'].includes(name);
  for (const a of names.filter(hasParts))
    test(`${a} and each: the depth parts them, in both orders`, () => {
      for (const b of names) {
        const rng = new Rng(names.indexOf(a) * 100 + names.indexOf(b));
        for (let i = 0; i < 2; i++) {
          const far = rng.pick([0, 0.5]);
          const one = {
            shape: EVERY_SHAPE[a]!,
            pose: { position: rng.vec(far), quaternion: rng.rotation() },
          };
          const two = {
            shape: EVERY_SHAPE[b]!,
            pose: { position: rng.vec(far), quaternion: rng.rotation() },
          };
          if (!intersects(one, two) || distance(one, two)!.separation > -1e-6) continue;
          mustPart(one, two, 2);
        }
      }
    });
});
