import { execFileSync } from 'node:child_process';
import {
  type BufferGeometry,
  type InstancedBufferAttribute,
  type LineSegments,
  Matrix4,
  Object3D,
  Raycaster,
  Vector3,
} from 'three';
import { describe, expect, test } from 'vitest';
import { ALLOCATION_FLAGS } from '../../scripts/allocation-flags.mjs';
import { EVERY_SHAPE } from '../../tests/kit/every-shape.ts';
import { check, near, property, type Rng } from '../../tests/kit/index.ts';
import { icosphere } from '../../tests/kit/meshes.ts';
import { DynamicTree, SortAndSweep } from '../broadphase/index.ts';
import { Character } from '../character/character.ts';
import type { Pose, ReadonlyVec3 } from '../math/types.ts';
import { cast } from '../query/cast.ts';
import { closestPoint } from '../query/closest-point.ts';
import { contacts } from '../query/contacts.ts';
import { raycast } from '../query/raycast.ts';
import { signedDistance } from '../query/signed-distance.ts';
import { boundsOf } from '../shapes/bounds.ts';
import { collider } from '../shapes/collider.ts';
import { convex } from '../shapes/custom.ts';
import { box, hull, polygon, segment, triangle } from '../shapes/flat-sided-shapes.ts';
import { halfSpace } from '../shapes/half-space.ts';
import { mesh } from '../shapes/mesh.ts';
import { capsule, cone, cylinder, ellipsoid, sphere } from '../shapes/round-shapes.ts';
import { scaled } from '../shapes/scale.ts';
import type { Shape } from '../shapes/shape.ts';
import { World } from '../world/world.ts';
import { DebugView } from './debug-view.ts';

const v = (x: number, y: number, z: number) => ({ x, y, z });
const at = (x: number, y: number, z: number): Pose => ({
  position: v(x, y, z),
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
});

type Lines = LineSegments<BufferGeometry> & { instanceMatrix?: InstancedBufferAttribute; count: number };

/** What of the view is drawn, by name. */
const drawn = (view: DebugView): Lines[] => view.children.filter(({ visible }) => visible) as Lines[];
const named = (view: DebugView, name: string): Lines | undefined =>
  drawn(view).find((lines) => lines.name === name);

/** The ends of all segments where a renderer of three.js would draw them, two after each other. */
function endsOf(lines: Lines): Vector3[] {
  const { geometry, instanceMatrix, count } = lines;
  const { position } = geometry.attributes;
  const numbers = geometry.index
    ? Array.from(geometry.index.array)
    : Array.from({ length: position!.count }, (_, i) => i);
  const used = numbers.slice(0, Math.min(numbers.length, geometry.drawRange.count));
  const own = used.map((i) => new Vector3().fromBufferAttribute(position!, i));
  if (!instanceMatrix) return own;
  return Array.from({ length: count }, (_, i) =>
    new Matrix4().fromArray(instanceMatrix.array, 16 * i),
  ).flatMap((matrix) => own.map((p) => p.clone().applyMatrix4(matrix)));
}

const allEnds = (view: DebugView): Vector3[] => drawn(view).flatMap(endsOf);

const randomPose = (rng: Rng): Pose => ({ position: rng.vec(3), quaternion: rng.rotation() });

/** Single precision of numbers below 10, and of the sums that a matrix makes of them. */
const SINGLE = 4e-6;

const MORE_SHAPES: Record<string, Shape> = {
  ...EVERY_SHAPE,
  'rounded hull': hull([v(-1, 0, 0), v(1, 0, 0.2), v(0, 1, 0), v(0, 0, 1), v(0.2, 0.1, -1)], 0.3),
  'rounded triangle': triangle(v(-1, -0.5, 0), v(1, -0.5, 0.1), v(0, 1, 0), 0.2),
  'rounded polygon': polygon([v(-1, -1, 0), v(1, -1, 0), v(1.2, 0.3, 0), v(0, 1, 0)], 0.15),
  'rounded segment': segment(v(-0.8, 0, 0.1), v(0.9, 0.2, 0), 0.3),
  'rounded cylinder': cylinder(0.6, 0.5, 0.2),
  'rounded cone': cone(0.6, 0.5, 0.2),
  'rounded ellipsoid': ellipsoid(0.9, 0.4, 0.6, 0.2),
  'hull of one point': hull([v(0.1, 0.2, 0.3)], 0.4),
  'hull of points on a line': hull([v(0, 0, 0), v(0.5, 0.5, 0), v(1, 1, 0)], 0.2),
  'triangle on a line': triangle(v(0, 0, 0), v(-1, 0, 0), v(1, 0, 0), 0.1),
  'stretched capsule': scaled(capsule(0.6, 0.4), v(2, 1, 0.5)),
  'stretched rounded box': scaled(box(0.5, 0.4, 0.3, 0.2), v(1.5, 0.7, 1)),
  'sheared compound': scaled(EVERY_SHAPE['compound']!, v(1.5, 0.5, 1)),
  'f64 ball': mesh(icosphere(1).positions, icosphere(1).index),
  'f32 ball': mesh(Float32Array.from(icosphere(1).positions), icosphere(1).index),
  'flat box': box(1, 0, 1),
  'capsule without height': capsule(0, 0.5),
};

describe('all ends of the lines of a shape lie on its surface', () => {
  for (const [name, shape] of Object.entries(MORE_SHAPES)) {
    // Of a compound, lines of one child may lie in another; a point is drawn as a mark around it.
    if (shape.kind === 'point') continue;
    property(`by closestPoint and signedDistance: ${name}`, 10, (rng) => {
      const view = new DebugView({ planeSize: 3, normalLength: 0 });
      const body = collider(shape, randomPose(rng));
      view.drawBody(body);
      const ends = allEnds(view);
      check(ends.length >= 2, 'nothing was drawn');
      // Inside of shapes that are known by a support map alone, depths are good to 1e-7 of the size.
      for (const p of ends) {
        check(p.x * 0 === 0 && p.y * 0 === 0 && p.z * 0 === 0, 'a coordinate is not finite');
        near(closestPoint(p, body).distance, 0, SINGLE, `distance of ${p.toArray()}`);
        if (shape.kind !== 'compound') near(signedDistance(p, body), 0, SINGLE, `depth of ${p.toArray()}`);
      }
    });
  }

  test('the lines go all around the shape: its box is theirs', () => {
    for (const [name, shape] of Object.entries(MORE_SHAPES)) {
      if (shape.kind === 'halfSpace' || shape.kind === 'point') continue;
      const view = new DebugView();
      view.drawBody(shape);
      const ends = allEnds(view);
      const { min, max } = boundsOf(shape);
      // Rings of 48 segments stay within 1 - cos(τ/96) of the size of what is round. The corners of what is flat-sided and
      // rounded bulge between the lines around them.
      const isBulging = 'core' in shape && shape.faces !== null && shape.core.radius > 0;
      const slack = isBulging || name === 'stretched rounded box' ? 0.2 : 0.005;
      for (const axis of ['x', 'y', 'z'] as const) {
        near(Math.min(...ends.map((p) => p[axis])), min[axis], slack, `${name}: min ${axis}`);
        near(Math.max(...ends.map((p) => p[axis])), max[axis], slack, `${name}: max ${axis}`);
      }
    }
  });
});

describe('by closed forms, in the space of the shape', () => {
  const ringed = (p: Vector3, half: number): number =>
    Math.hypot(p.x, Math.max(0, Math.abs(p.y) - half), p.z);
  /** How far from the surface: 0 on it. */
  const FORMS: [string, Shape, (p: Vector3) => number][] = [
    ['sphere', sphere(0.7), (p) => p.length() - 0.7],
    [
      'box',
      box(0.5, 0.8, 0.3),
      (p) => Math.max(Math.abs(p.x) / 0.5, Math.abs(p.y) / 0.8, Math.abs(p.z) / 0.3) - 1,
    ],
    ['capsule', capsule(0.6, 0.4), (p) => ringed(p, 0.6) - 0.4],
    ['cylinder', cylinder(0.6, 0.5), (p) => Math.max(Math.hypot(p.x, p.z) / 0.5, Math.abs(p.y) / 0.6) - 1],
    ['cone', cone(0.7, 0.5), (p) => Math.max(Math.hypot(p.x, p.z) - (0.5 * (0.7 - p.y)) / 1.4, -p.y - 0.7)],
    ['ellipsoid', ellipsoid(0.9, 0.4, 0.6), (p) => Math.hypot(p.x / 0.9, p.y / 0.4, p.z / 0.6) - 1],
    [
      'rounded box',
      box(0.5, 0.4, 0.3, 0.2),
      (p) =>
        Math.hypot(
          Math.max(0, Math.abs(p.x) - 0.5),
          Math.max(0, Math.abs(p.y) - 0.4),
          Math.max(0, Math.abs(p.z) - 0.3),
        ) - 0.2,
    ],
    [
      'rounded cylinder',
      cylinder(0.6, 0.5, 0.2),
      (p) => Math.hypot(Math.max(0, Math.hypot(p.x, p.z) - 0.5), Math.max(0, Math.abs(p.y) - 0.6)) - 0.2,
    ],
    ['half-space', halfSpace(v(0, 1, 0), 2), (p) => p.y - 2],
    [
      'convex by support',
      convex((d, out) => {
        const length = Math.hypot(d.x, d.y, d.z) || 1;
        return Object.assign(out, { x: (2 * d.x) / length, y: (2 * d.y) / length, z: (2 * d.z) / length });
      }),
      (p) => p.length() - 2,
    ],
  ];
  for (const [name, shape, form] of FORMS)
    property(name, 20, (rng) => {
      const view = new DebugView({ normalLength: 0 });
      const pose = randomPose(rng);
      view.drawBody(collider(shape, pose));
      const body = new Object3D();
      body.position.copy(pose.position);
      body.quaternion.copy(pose.quaternion);
      body.updateMatrixWorld();
      for (const p of allEnds(view)) near(form(body.worldToLocal(p)), 0, 8 * SINGLE, name);
    });

  test('a mesh has every edge once, its own vertices at their ends', () => {
    const { positions, index } = icosphere(2);
    const view = new DebugView();
    view.drawBody(mesh(positions, index));
    const ends = allEnds(view);
    const edges = new Set<string>();
    const key = (p: ReadonlyVec3): string => [p.x, p.y, p.z].map((x) => Math.fround(x)).join();
    const corner = (i: number): string =>
      key(v(positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!));
    for (let i = 0; i < index.length; i += 3)
      for (let k = 0; k < 3; k++)
        edges.add([corner(index[i + k]!), corner(index[i + ((k + 1) % 3)]!)].sort().join(' '));
    const found = new Set<string>();
    for (let i = 0; i < ends.length; i += 2) found.add([key(ends[i]!), key(ends[i + 1]!)].sort().join(' '));
    expect(found).toEqual(edges);
    expect(ends).toHaveLength(2 * edges.size);
  });
});

test('shapes of one kind are one draw call, whatever their sizes; a mesh or a hull is one by itself', () => {
  const view = new DebugView();
  const ball = mesh(icosphere(1).positions, icosphere(1).index);
  const tetrahedron = hull([v(0, 0, 0), v(1, 0, 0), v(0, 1, 0), v(0, 0, 1)]);
  for (let i = 1; i <= 50; i++) {
    view.drawBody(collider(sphere(i), at(i, 0, 0)));
    view.drawBody(collider(ellipsoid(i, 1, 2), at(i, 0, 0)));
    view.drawBody(collider(box(i, 1, 1), at(i, 0, 0)));
    view.drawBody(collider(capsule(i, 1), at(i, 0, 0)));
    view.drawBody(collider(cylinder(i, 1), at(i, 0, 0)));
    view.drawBody(collider(cone(i, 1), at(i, 0, 0)));
    view.drawBody(collider(ball, at(i, 0, 0)));
    view.drawBody(collider(tetrahedron, at(i, 0, 0)));
  }
  const counts = Object.fromEntries(drawn(view).map(({ name, count }) => [name, count]));
  expect(counts).toEqual({
    sphere: 100,
    box: 50,
    cap: 100,
    tube: 50,
    cylinder: 50,
    cone: 50,
    mesh: 50,
    hull: 50,
  });
  expect(endsOf(named(view, 'box')!)).toHaveLength(50 * 24);
  expect(endsOf(named(view, 'hull')!)).toHaveLength(50 * 12);
});

test('colours are those of the call, or of the options', () => {
  const view = new DebugView({ colors: { body: 0xff0000 } });
  view.drawBody(sphere(1));
  view.drawBody(sphere(1), 0x00ff00);
  view.drawLine(v(0, 0, 0), v(1, 0, 0), 'blue');
  const { instanceColor } = named(view, 'sphere') as unknown as { instanceColor: InstancedBufferAttribute };
  expect([...instanceColor.array.slice(0, 6)]).toEqual([1, 0, 0, 0, 1, 0]);
  const { color } = named(view, 'lines')!.geometry.attributes;
  expect([...color!.array.slice(0, 6)]).toEqual([0, 0, 1, 0, 0, 1]);
});

test('buffers grow by doubling and lose nothing; old ones are freed', () => {
  const view = new DebugView({ capacity: 2 });
  const freed: unknown[] = [];
  view.drawBody(sphere(1));
  view.drawLine(v(0, 0, 0), v(1, 0, 0));
  const spheres = named(view, 'sphere')!;
  const lines = named(view, 'lines')!;
  // What a renderer listens for.
  spheres.addEventListener('dispose' as never, () => freed.push(spheres.instanceMatrix!.count));
  lines.geometry.addEventListener('dispose', () => freed.push(lines.geometry.attributes['position']!.count));
  for (let i = 1; i < 9; i++) {
    view.drawBody(collider(sphere(1), at(i, 0, 0)));
    view.drawLine(v(i, 0, 0), v(i, 1, 0));
  }
  expect(freed).toEqual([2, 4, 4, 8, 8, 16]);
  expect(spheres.instanceMatrix!.count).toBe(16);
  expect(spheres.count).toBe(9);
  for (let i = 0; i < 9; i++) expect(spheres.instanceMatrix!.array[16 * i + 12]).toBe(i);
  const ends = endsOf(lines);
  expect(ends).toHaveLength(18);
  for (let i = 1; i < 9; i++) expect(ends[2 * i + 1]!.toArray()).toEqual([i, 1, 0]);
});

test('only what is used is sent to the graphics card, once a frame', () => {
  const view = new DebugView();
  for (let frame = 0; frame < 3; frame++) {
    view.clear();
    for (let i = 0; i <= frame; i++) view.drawBody(sphere(1));
    const { instanceMatrix } = named(view, 'sphere')!;
    expect(instanceMatrix!.updateRanges.map(({ start, count }) => [start, count])).toEqual([
      [0, 16 * (frame + 1)],
    ]);
    const { version } = instanceMatrix!;
    view.drawBody(sphere(1));
    expect(instanceMatrix!.version).toBeGreaterThan(version);
    instanceMatrix!.clearUpdateRanges(); // as a renderer does
  }
});

test('clear leaves nothing to be drawn, and keeps the buffers; outlines that are out of use go after a while', () => {
  const view = new DebugView();
  const draw = (): void => {
    view.drawBody(sphere(1));
    view.drawBody(EVERY_SHAPE['mesh']!);
    view.drawPoint(v(0, 0, 0));
    view.drawLine(v(0, 0, 0), v(1, 1, 1));
  };
  draw();
  const before = [...view.children];
  expect(drawn(view)).toHaveLength(4);
  view.clear();
  expect(drawn(view)).toHaveLength(0);
  draw();
  expect(view.children).toEqual(before);
  expect(drawn(view)).toHaveLength(4);
  let freed = 0;
  named(view, 'mesh')!.geometry.addEventListener('dispose', () => freed++);
  for (let i = 0; i < 200; i++) view.clear().drawBody(sphere(1));
  expect(freed).toBe(1);
  expect(view.children.map(({ name }) => name).sort()).toEqual(['lines', 'point', 'sphere']);
});

test('dispose frees every geometry, instance buffer and material, and can be drawn to again', () => {
  const view = new DebugView();
  for (const shape of Object.values(MORE_SHAPES)) view.drawBody(shape);
  const all = [...view.children] as Lines[];
  const wanted = new Set<unknown>();
  const freed = new Set<unknown>();
  for (const lines of all) {
    for (const thing of [lines.geometry, lines.material, lines] as Object3D[]) {
      wanted.add(thing);
      thing.addEventListener('dispose' as never, () => freed.add(thing));
    }
  }
  view.dispose();
  expect(freed).toEqual(wanted);
  expect(drawn(view)).toHaveLength(0);
  view.drawBody(sphere(1));
  expect(drawn(view).map(({ name }) => name)).toEqual(['sphere']);
});

test('a picker looks through it', () => {
  const view = new DebugView();
  view.drawBody(EVERY_SHAPE['mesh']!);
  view.drawLine(v(-1, 0, 0), v(1, 0, 0));
  const ray = new Raycaster(new Vector3(0, 0, 5), new Vector3(0, 0, -1));
  expect(ray.intersectObject(view, true)).toEqual([]);
});

test('a body is drawn where it is when it is drawn', () => {
  const view = new DebugView();
  const body = new Object3D();
  const crate = collider(box(1, 1, 1), body);
  for (let x = 0; x < 3; x++) {
    body.position.x = x;
    view.clear().drawBody(crate);
    expect(named(view, 'box')!.instanceMatrix!.array[12]).toBe(x);
  }
});

test('rays: up to the hit, with its normal; without one, as long as they are told', () => {
  const view = new DebugView({ normalLength: 0.5 });
  const ray = { origin: v(0, 5, 0), direction: v(0, -1, 0) };
  view.drawRay(ray, raycast(ray, sphere(1)));
  expect(endsOf(named(view, 'lines')!).map((p) => p.toArray())).toEqual([
    [0, 5, 0],
    [0, 1, 0],
    [0, 1, 0],
    [0, 1.5, 0],
  ]);
  expect(named(view, 'point')!.count).toBe(1);
  view.clear().drawRay(ray, null, 3);
  expect(endsOf(named(view, 'lines')!).map((p) => p.toArray())).toEqual([
    [0, 5, 0],
    [0, 2, 0],
  ]);
  view.clear().drawRay(ray, null, Infinity);
  expect(drawn(view)).toEqual([]);
});

test('contacts: both points, the depth between them, and the normal', () => {
  const view = new DebugView();
  const crate = collider(box(1, 1, 1), at(0, 0.9, 0));
  const floor = halfSpace(v(0, 1, 0), 0);
  const found = contacts(crate, floor);
  view.drawContacts(found);
  expect(found).toHaveLength(4);
  const ends = endsOf(named(view, 'lines')!);
  expect(ends).toHaveLength(16);
  for (let i = 0; i < 16; i += 4) {
    expect(ends[i]!.y).toBeCloseTo(-0.1);
    expect(ends[i + 1]!.y).toBeCloseTo(0);
    expect(ends[i + 2]!.y).toBeCloseTo(0);
    expect(ends[i + 3]!.y).toBeCloseTo(0.25);
  }
  expect(named(view, 'point')!.count).toBe(8);
});

describe('casts', () => {
  test('the body from its start to the hit, the outline of what it passes, the contact', () => {
    const view = new DebugView();
    const ball = collider(sphere(0.5), at(0, 5, 0));
    const floor = box(10, 1, 10);
    const motion = { translation: v(0, -10, 0) };
    const hit = cast(ball, motion, floor)!;
    view.drawCast(ball, motion, hit);
    const heights = [0, 1, 2, 3, 4].map((i) => named(view, 'sphere')!.instanceMatrix!.array[16 * i + 13]!);
    expect(heights[0]).toBe(5);
    expect(heights[4]).toBeCloseTo(1.5, 5);
    const ends = endsOf(named(view, 'lines')!);
    expect(ends).toHaveLength(2 * 8 + 2);
    // The paths are on the cylinder that the ball sweeps.
    for (const p of ends.slice(0, 16)) expect(Math.hypot(p.x, p.z)).toBeCloseTo(0.5, 6);
    expect(ends[16]!.toArray().map((x) => Math.round(x * 1e6) / 1e6)).toEqual([0, 1, 0]);
  });

  property('paths of a translation touch the swept body from outside', 300, (rng) => {
    const shapes = Object.values(MORE_SHAPES).filter((s) => 'core' in s && s.kind !== 'point');
    const shape = rng.pick(shapes);
    const motion = rng.vec(2);
    const view = new DebugView();
    const pose = randomPose(rng);
    view.drawCast(collider(shape, pose), { translation: motion });
    const ends = endsOf(named(view, 'lines')!);
    for (let i = 0; i < ends.length; i += 2) {
      near(signedDistance(ends[i]!, collider(shape, pose)), 0, SINGLE, 'start');
      near(ends[i]!.distanceTo(ends[i + 1]!), Math.hypot(motion.x, motion.y, motion.z), SINGLE, 'length');
    }
    // No point of the body is farther out than the paths: on the way its depth is never above 0.
    for (let i = 0; i < ends.length; i += 2) {
      const middle = ends[i]!.clone().lerp(ends[i + 1]!, 0.5);
      check(signedDistance(middle, collider(shape, pose)) >= -SINGLE, 'a path goes through the body');
    }
  });

  test('what rotates has arcs for paths; a mesh has those of the corners of its box', () => {
    const view = new DebugView();
    view.drawCast(collider(box(1, 0.5, 0.5), at(0, 0, 0)), { axis: v(0, 1, 0), angle: Math.PI / 2 });
    const ends = endsOf(named(view, 'lines')!);
    expect(ends).toHaveLength(8 * 32 * 2);
    for (const p of ends) expect(Math.hypot(p.x, p.z)).toBeCloseTo(Math.hypot(1, 0.5), 5);
    view.clear().drawCast(EVERY_SHAPE['closed mesh']!, { translation: v(3, 0, 0) });
    expect(endsOf(named(view, 'lines')!)).toHaveLength(16);
    view.clear().drawCast(box(1, 1, 1), { translation: v(3, 0, 0), axis: v(0, 1, 0), angle: 1 });
    expect(endsOf(named(view, 'lines')!)).toHaveLength(8 * 32 * 2);
  });
});

describe('trees', () => {
  const { positions, index } = icosphere(3);
  const ball = mesh(positions, index);

  test('of a mesh: boxes of each level hold those below, the leaves hold all triangles', () => {
    const view = new DebugView();
    let total = 0;
    let level = 0;
    let last: ReadonlyVec3[][] = [];
    for (; ; level++) {
      view.clear().drawTree(ball, level);
      const lines = named(view, 'box');
      if (!lines) break;
      total += lines.count;
      const ends = endsOf(lines);
      const boxes = Array.from({ length: lines.count }, (_, i) => ends.slice(24 * i, 24 * i + 24));
      // Each vertex of the mesh is in a box of the first levels, where no branch has ended.
      if (level < 4)
        for (let i = 0; i < positions.length; i += 3)
          expect(
            boxes.some((corners) =>
              ['x', 'y', 'z'].every((axis, k) => {
                const values = corners.map((p) => p[axis as 'x']);
                const x = positions[i + k]!;
                return x >= Math.min(...values) - SINGLE && x <= Math.max(...values) + SINGLE;
              }),
            ),
          ).toBe(true);
      if (level > 0 && level < 4) expect(boxes.length).toBe(2 * last.length);
      last = boxes;
    }
    expect(level).toBeGreaterThan(6);
    view.clear().drawTree(ball);
    expect(named(view, 'box')!.count).toBe(total);
    // A node holds two children; the root is drawn once more.
    expect(total).toBe(2 * ball.tree.nodeCount + 1);
  });

  test('of a collider, at its pose', () => {
    const view = new DebugView();
    view.drawTree(collider(ball, at(7, 0, 0)), 0);
    const xs = endsOf(named(view, 'box')!).map(({ x }) => x);
    expect(Math.min(...xs)).toBeCloseTo(6, 5);
    expect(Math.max(...xs)).toBeCloseTo(8, 5);
  });

  test('of a world and of a dynamic tree', () => {
    const world = new World();
    const tree = new DynamicTree();
    for (let i = 0; i < 10; i++) {
      world.add(collider(sphere(0.4), at(i, 0, 0)));
      tree.insert({ min: v(i, 0, 0), max: v(i + 0.5, 1, 1) }, i);
    }
    const view = new DebugView();
    view.drawTree(world);
    expect(named(view, 'box')!.count).toBe(19);
    view.clear().drawTree(world, 0);
    expect(named(view, 'box')!.count).toBe(1);
    view.clear().drawTree(tree);
    expect(named(view, 'box')!.count).toBe(19);
  });
});

describe('worlds', () => {
  const makeWorld = (): World => {
    const world = new World();
    world.add(collider(sphere(1), at(0, 0, 0)));
    world.add(collider(box(1, 1, 1), at(1.5, 0, 0)), { fixed: true });
    world.add(collider(sphere(1), at(9, 0, 0)), { sensor: true });
    world.add(halfSpace(v(0, 1, 0), -1), { fixed: true });
    world.update();
    return world;
  };

  test('shapes where the world knows them, by their colours; boxes and pairs when asked for', () => {
    const view = new DebugView();
    const world = makeWorld();
    view.drawWorld(world);
    expect(Object.fromEntries(drawn(view).map(({ name, count }) => [name, count]))).toEqual({
      sphere: 2,
      box: 1,
      square: 1,
      lines: 2,
    });
    view.clear().drawWorld(world, { shapes: false, boxes: true });
    expect(Object.fromEntries(drawn(view).map(({ name, count }) => [name, count]))).toEqual({ box: 3 });
    view.clear().drawWorld(world, { shapes: false, pairs: true });
    const ends = endsOf(named(view, 'lines')!).map((p) => p.toArray().map((x) => Math.round(x * 1e6) / 1e6));
    // The sphere with the box and the plane, and the sensor with the plane; two fixed ones have no events.
    expect(ends).toEqual([
      [0, 0, 0],
      [1.5, 0, 0],
      [0, 0, 0],
      [0, -1, 0],
      [9, 0, 0],
      [9, -1, 0],
    ]);
  });

  test('what was removed has no pairs any more', () => {
    const view = new DebugView();
    const world = makeWorld();
    world.remove(1);
    view.drawWorld(world, { shapes: false, pairs: true });
    expect(endsOf(named(view, 'lines')!)).toHaveLength(2);
  });
});

describe('characters', () => {
  const world = new World();
  world.add(box(50, 1, 50), { fixed: true });
  world.add(collider(box(1, 50, 50), at(3, 0, 0)), { fixed: true });
  for (const [name, shape] of Object.entries({
    ellipsoid: { radii: v(0.4, 0.9, 0.4) },
    capsule: { radius: 0.4, halfHeight: 0.5 },
    box: { halfSize: v(0.4, 0.9, 0.4) },
  }))
    test(`${name}: its shape, and the planes that it touches`, () => {
      const hero = new Character(world, { ...shape, position: v(1, 2, 0) });
      for (let i = 0; i < 60; i++) {
        Object.assign(hero.velocity, { x: 2, y: hero.velocity.y - 0.16, z: 0 });
        hero.moveAndSlide(1 / 60);
      }
      expect(hero.onFloor && hero.onWall).toBe(true);
      const view = new DebugView({ colors: { wall: 0x0000ff, floor: 0x00ff00 } });
      view.drawCharacter(hero);
      const outline = name === 'box' ? 'box' : name === 'capsule' ? 'cap' : 'sphere';
      for (const p of endsOf(named(view, outline)!)) {
        expect(Math.abs(p.x - hero.position.x)).toBeLessThanOrEqual(0.4 + SINGLE);
        expect(Math.abs(p.y - hero.position.y)).toBeLessThanOrEqual(0.9 + SINGLE);
      }
      // The square under its feet is level, that at the wall upright.
      const squares = named(view, 'square')!;
      const normals = Array.from({ length: squares.count }, (_, i) =>
        new Vector3().fromArray(squares.instanceMatrix!.array, 16 * i + 4).normalize(),
      );
      expect(normals.some(({ y }) => y > 0.999)).toBe(true);
      expect(normals.some(({ x }) => x < -0.999)).toBe(true);
      const { instanceColor } = squares as unknown as { instanceColor: InstancedBufferAttribute };
      normals.forEach(({ x }, i) => {
        expect([...instanceColor.array.slice(3 * i, 3 * i + 3)]).toEqual(x < -0.9 ? [0, 0, 1] : [0, 1, 0]);
      });
    });
});

describe('wrong use has an error that says what to do', () => {
  const view = new DebugView();
  const bad = { x: Number.NaN, y: 0, z: 0 };
  test.each<[string, () => void, string]>([
    ['no body', () => view.drawBody({} as never), 'body'],
    [
      'a pose that is not finite',
      () => view.drawBody({ shape: sphere(1), pose: { ...at(0, 0, 0), position: bad } }),
      'pose',
    ],
    ['a line', () => view.drawLine(bad, v(0, 0, 0)), 'a'],
    ['a point', () => view.drawPoint(bad), 'p'],
    ['a normal', () => view.drawNormal(v(0, 0, 0), bad), 'normal'],
    ['a box', () => view.drawBox({ min: bad, max: v(0, 0, 0) }), 'box'],
    ['contacts', () => view.drawContacts({} as never), 'contacts'],
    ['a contact', () => view.drawContacts([{}] as never), 'contacts'],
    ['a ray', () => view.drawRay({ origin: bad, direction: v(1, 0, 0) }), 'origin'],
    [
      'a distance',
      () => view.drawRay({ origin: v(0, 0, 0), direction: v(1, 0, 0) }, null, -1),
      'maxDistance',
    ],
    ['a motion', () => view.drawCast(sphere(1), { translation: bad }), 'motion'],
    ['a tree', () => view.drawTree(null as never), 'tree'],
    ['a tree of a sphere', () => view.drawTree(sphere(1)), 'sphere'],
    ['a level', () => view.drawTree(EVERY_SHAPE['mesh']!, 0.5), 'level'],
    [
      'a world without a tree',
      () => view.drawTree(new World({ broadPhase: new SortAndSweep() })),
      'TreeBroadPhase',
    ],
    ['a world', () => view.drawWorld({} as never), 'world'],
    ['options of a world', () => view.drawWorld(new World(), { box: true } as never), 'did you mean boxes'],
    ['a character', () => view.drawCharacter({} as never), 'Character'],
    ['options', () => new DebugView({ dephtTest: true } as never), 'did you mean depthTest'],
    ['opacity', () => new DebugView({ opacity: 2 }), 'opacity'],
    ['colours', () => new DebugView({ colors: { bodys: 1 } as never }), 'did you mean body'],
  ])('%s', (_, run, message) => {
    expect(run).toThrow(message);
    expect(run).toThrow(/^graze: DebugView/);
  });
});

test('in the steady state a frame allocates nothing', () => {
  const script = new URL('../../tests/three/debug-view-allocation.ts', import.meta.url).pathname;
  const out = execFileSync(process.execPath, [...ALLOCATION_FLAGS, '--import', 'tsx', script], {
    encoding: 'utf8',
  });
  const bytes: Record<string, number> = JSON.parse(out);
  expect(bytes['known']).toBeGreaterThan(16);
  // A number that goes along with a call is boxed, in 16 bytes: the part of the motion of a cast.
  for (const [what, each] of Object.entries(bytes))
    if (what !== 'known') expect(each, what).toBeLessThan(what.endsWith('cast') ? 1024 : 20);
});
