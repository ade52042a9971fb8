import { type Object3D, Vector3 } from 'three';
import type { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
// @ts-expect-error: it has no types of its own
import { GLTFLoader as OldestLoader } from 'three-oldest/addons/loaders/GLTFLoader.js';
import { describe, expect, test } from 'vitest';
import { GltfFile } from '../../tests/kit/gltf.ts';
import { check, near, property } from '../../tests/kit/index.ts';
import { boxMesh, icosphere } from '../../tests/kit/meshes.ts';
import { contains } from '../query/contains.ts';
import { signedDistance } from '../query/signed-distance.ts';
import { boundsOf } from '../shapes/bounds.ts';
import type { Shape } from '../shapes/shape.ts';
import { World } from '../world/world.ts';
import { collidersOfGltf, type GltfCollider, type GltfCollidersOptions } from './gltf-colliders.ts';
import { readName } from './gltf-names.ts';
import { implicitShape } from './gltf-shapes.ts';

type Json = Record<string, unknown>;

const KHR = 'KHR_physics_rigid_bodies';
const OMI = 'OMI_physics_body';

const khrFile = (shapes: Json[], more: Json = {}): GltfFile =>
  new GltfFile({
    extensionsUsed: [KHR, 'KHR_implicit_shapes'],
    extensions: { KHR_implicit_shapes: { shapes }, [KHR]: more },
  });
const omiFile = (shapes: Json[], more: Json = {}): GltfFile =>
  new GltfFile({
    extensionsUsed: [OMI, 'OMI_physics_shape'],
    extensions: { OMI_physics_shape: { shapes }, [OMI]: more },
  });
const khr = (extension: Json): Json => ({ extensions: { [KHR]: extension } });
const omi = (extension: Json): Json => ({ extensions: { [OMI]: extension } });
const collides = (shape: number): Json => khr({ collider: { geometry: { shape } } });

const read = async (file: GltfFile, options?: GltfCollidersOptions): Promise<GltfCollider[]> =>
  collidersOfGltf(await file.load(), options);

/** Of a file with one shape on one node. */
async function khrShape(shape: Json): Promise<Shape> {
  const file = khrFile([shape]);
  file.node(collides(0));
  return (await read(file))[0]!.collider.shape;
}
async function omiShape(shape: Json): Promise<Shape> {
  const file = omiFile([shape]);
  file.node(omi({ collider: { shape: 0 } }));
  return (await read(file))[0]!.collider.shape;
}

/** The fields of a shape, without what is computed. */
function plain(shape: Shape): Json {
  const { core: _, faces: __, ...fields } = shape as unknown as Json;
  // Not the algorithms that it brings along, under a symbol.
  return Object.fromEntries(Object.entries(fields));
}

describe('KHR_implicit_shapes', () => {
  test.each<[string, Json, Json]>([
    ['sphere', { type: 'sphere', sphere: { radius: 0.7 } }, { kind: 'sphere', radius: 0.7 }],
    ['sphere by default', { type: 'sphere' }, { kind: 'sphere', radius: 0.5 }],
    [
      'box: its size is full size',
      { type: 'box', box: { size: [2, 3, 4] } },
      { kind: 'box', halfSize: { x: 1, y: 1.5, z: 2 }, rounding: 0 },
    ],
    [
      'box by default',
      { type: 'box', box: {} },
      { kind: 'box', halfSize: { x: 0.5, y: 0.5, z: 0.5 }, rounding: 0 },
    ],
    [
      'capsule: its height is between the centres',
      { type: 'capsule', capsule: { height: 2, radiusTop: 0.5, radiusBottom: 0.5 } },
      { kind: 'capsule', halfHeight: 1, radius: 0.5 },
    ],
    ['capsule by default', { type: 'capsule' }, { kind: 'capsule', halfHeight: 0.25, radius: 0.25 }],
    [
      'cylinder',
      { type: 'cylinder', cylinder: { height: 2, radiusTop: 0.5, radiusBottom: 0.5 } },
      { kind: 'cylinder', halfHeight: 1, radius: 0.5, rounding: 0 },
    ],
    [
      'cylinder by default',
      { type: 'cylinder' },
      { kind: 'cylinder', halfHeight: 0.25, radius: 0.25, rounding: 0 },
    ],
    [
      'cylinder with a tip: a cone',
      { type: 'cylinder', cylinder: { height: 3, radiusTop: 0, radiusBottom: 0.5 } },
      { kind: 'cone', halfHeight: 1.5, radius: 0.5, rounding: 0 },
    ],
  ])('%s', async (_, shape, wanted) => expect(plain(await khrShape(shape))).toEqual(wanted));

  test('a plane without end is solid below', async () => {
    const ground = await khrShape({ type: 'plane' });
    expect(ground.kind).toBe('halfSpace');
    expect(contains({ x: 1000, y: -0.1, z: -1000 }, ground)).toBe(true);
    expect(contains({ x: 1000, y: 0.1, z: -1000 }, ground)).toBe(false);
  });

  test('a plane with sizes is a rectangle across y', async () => {
    const shape = await khrShape({ type: 'plane', plane: { sizeX: 4, sizeZ: 6, doubleSided: true } });
    expect(shape.kind).toBe('polygon');
    const { min, max } = boundsOf(shape);
    for (const [value, wanted] of [
      [min.x, -2],
      [max.x, 2],
      [min.y, 0],
      [max.y, 0],
      [min.z, -3],
      [max.z, 3],
    ] as const)
      expect(value).toBeCloseTo(wanted, 12);
  });

  /** In the half-plane of the radius from the axis and y: the hull of two discs, after I. Quilez. */
  function roundCone(r: number, y: number, height: number, top: number, bottom: number): number {
    const p = { x: r, y: y + height / 2 };
    const b = (bottom - top) / height;
    if (Math.abs(b) >= 1) {
      const larger = bottom > top ? { y: 0, radius: bottom } : { y: height, radius: top };
      return Math.hypot(p.x, p.y - larger.y) - larger.radius;
    }
    const a = Math.sqrt(1 - b * b);
    const k = -b * p.x + a * p.y;
    if (k < 0) return Math.hypot(p.x, p.y) - bottom;
    if (k > a * height) return Math.hypot(p.x, p.y - height) - top;
    return p.x * a + p.y * b - bottom;
  }

  const location = { caller: 'test', path: 'shape' };
  property('tapered capsules are exact: by the closed form of the hull of two spheres', 300, (rng) => {
    const height = rng.range(0.2, 3);
    const radiusTop = rng.chance(0.1) ? 0 : rng.range(0.05, 2);
    const radiusBottom = rng.range(0.05, 2);
    const shape = implicitShape(location, { type: 'capsule', capsule: { height, radiusTop, radiusBottom } });
    check(shape.kind === 'convex', 'is a convex shape');
    for (let i = 0; i < 20; i++) {
      const p = rng.vec(3);
      const wanted = roundCone(Math.hypot(p.x, p.z), p.y, height, radiusTop, radiusBottom);
      // The depth inside of a tip is not that of the closed form, which measures from the nearer ball.
      if (wanted > 0) near(signedDistance(p, shape), wanted, 1e-6, 'distance');
      else check(signedDistance(p, shape) <= 1e-6, 'is inside');
    }
  });

  /** Distance in the half-plane from the trapezium with its sides. */
  function frustum(r: number, y: number, height: number, top: number, bottom: number): number {
    const h = height / 2;
    const corners = [
      [0, -h],
      [bottom, -h],
      [top, h],
      [0, h],
    ] as const;
    let nearest = Infinity;
    for (let i = 0; i < 3; i++) {
      const [ax, ay] = corners[i]!;
      const [bx, by] = corners[i + 1]!;
      const [dx, dy] = [bx - ax, by - ay];
      const length = dx * dx + dy * dy;
      const t = length > 0 ? Math.max(0, Math.min(1, ((r - ax) * dx + (y - ay) * dy) / length)) : 0;
      nearest = Math.min(nearest, Math.hypot(r - ax - t * dx, y - ay - t * dy));
    }
    const isInside = Math.abs(y) <= h && r <= bottom + ((top - bottom) * (y + h)) / height;
    return isInside ? -nearest : nearest;
  }

  property('tapered cylinders are exact: by the closed form of a frustum', 300, (rng) => {
    const height = rng.range(0.2, 3);
    const radiusTop = rng.range(0.05, 2);
    const radiusBottom = rng.chance(0.2) ? 0 : rng.range(0.05, 2);
    const shape = implicitShape(location, {
      type: 'cylinder',
      cylinder: { height, radiusTop, radiusBottom },
    });
    for (let i = 0; i < 20; i++) {
      const p = rng.vec(3);
      const wanted = frustum(Math.hypot(p.x, p.z), p.y, height, radiusTop, radiusBottom);
      near(signedDistance(p, shape), wanted, 1e-6, 'distance');
    }
  });

  test.each<[string, Json, string]>([
    ['a type that is none', { type: 'torus' }, "shapes[0].type must be 'sphere', 'box'"],
    ['no type', {}, 'shapes[0].type'],
    [
      'a radius of 0',
      { type: 'sphere', sphere: { radius: 0 } },
      'shapes[0].sphere.radius must be a number above 0',
    ],
    ['a radius that is text', { type: 'sphere', sphere: { radius: '1' } }, 'sphere.radius'],
    ['sizes that are no record', { type: 'sphere', sphere: 3 }, 'shapes[0].sphere'],
    ['two sizes of a box', { type: 'box', box: { size: [1, 2] } }, 'box.size must be three numbers above 0'],
    ['a flat box', { type: 'box', box: { size: [1, 2, 0] } }, 'box.size'],
    ['no height', { type: 'capsule', capsule: { height: -1 } }, 'capsule.height'],
    [
      'no radii',
      { type: 'cylinder', cylinder: { radiusTop: 0, radiusBottom: 0 } },
      'radiusTop must not be 0 together',
    ],
    ['a strip', { type: 'plane', plane: { sizeX: 3 } }, 'a strip without end'],
    ['a plane with two sides', { type: 'plane', plane: { doubleSided: true } }, 'doubleSided must be false'],
    ['a plane of size 0', { type: 'plane', plane: { sizeX: 3, sizeZ: 0 } }, 'plane.sizeZ'],
  ])('refuses %s by name', async (_, shape, message) => {
    await expect(khrShape(shape)).rejects.toThrow(message);
    await expect(khrShape(shape)).rejects.toThrow(/^graze: collidersOfGltf: extensions.KHR_implicit_shapes/);
  });
});

describe('OMI_physics_shape', () => {
  test.each<[string, Json, Json]>([
    [
      'box',
      { type: 'box', box: { size: [2, 3, 4] } },
      { kind: 'box', halfSize: { x: 1, y: 1.5, z: 2 }, rounding: 0 },
    ],
    ['sphere', { type: 'sphere' }, { kind: 'sphere', radius: 0.5 }],
    ['capsule by default', { type: 'capsule' }, { kind: 'capsule', halfHeight: 0.5, radius: 0.5 }],
    [
      'cylinder by default',
      { type: 'cylinder' },
      { kind: 'cylinder', halfHeight: 1, radius: 0.5, rounding: 0 },
    ],
    [
      'cylinder',
      { type: 'cylinder', cylinder: { height: 3, radiusTop: 1, radiusBottom: 1 } },
      { kind: 'cylinder', halfHeight: 1.5, radius: 1, rounding: 0 },
    ],
  ])('%s', async (_, shape, wanted) => expect(plain(await omiShape(shape))).toEqual(wanted));

  test('convex and trimesh: of a mesh that need not be in the scene, of one primitive or two', async () => {
    const file = omiFile([
      { type: 'convex', convex: { mesh: 0 } },
      { type: 'trimesh', trimesh: { mesh: 0 } },
      { type: 'trimesh', trimesh: { mesh: 1 } },
    ]);
    const ball = icosphere(1);
    file.mesh(ball);
    file.mesh(boxMesh(), boxMesh({ x: 2, y: 2, z: 2 }, { x: 3, y: 3, z: 3 }));
    for (let shape = 0; shape < 3; shape++) file.node(omi({ collider: { shape } }));
    const shapes = (await read(file)).map(({ collider }) => collider.shape);
    expect(shapes.map(({ kind }) => kind)).toEqual(['hull', 'mesh', 'mesh']);
    expect(shapes[1]).toMatchObject({ triangleCount: 80 });
    expect(shapes[2]).toMatchObject({ triangleCount: 24, bounds: { max: { x: 3, y: 3, z: 3 } } });
    expect((shapes[0] as unknown as { points: unknown[] }).points).toHaveLength(42);
  });

  test('a mesh that nodes have stands for its own triangles only, not for those below the node', async () => {
    const file = omiFile([{ type: 'trimesh', trimesh: { mesh: 0 } }]);
    file.mesh(boxMesh());
    const top = file.node({ mesh: 0, translation: [5, 0, 0], ...omi({ collider: { shape: 0 } }) });
    file.node({ mesh: 0, translation: [0, 9, 0] }, top);
    const [only] = await read(file);
    expect(only!.collider.shape).toMatchObject({
      triangleCount: 12,
      bounds: { min: { x: -1 }, max: { x: 1 } },
    });
    expect(only!.collider.pose.position.x).toBe(5);
  });

  test.each<[string, Json, string]>([
    ['a type that is none', { type: 'plane' }, "shapes[0].type must be 'box'"],
    ['no mesh', { type: 'convex' }, 'convex.mesh leads to meshes, which the file does not have'],
    ['a flat box', { type: 'box', box: { size: [1, -2, 0] } }, 'box.size'],
  ])('refuses %s by name', async (_, shape, message) => {
    await expect(omiShape(shape)).rejects.toThrow(message);
  });
});

describe('where they stand', () => {
  /** Inside, in the space of the node. */
  const SHAPES: [string, Json, (p: Vector3) => boolean][] = [
    [
      'box',
      { type: 'box', box: { size: [1, 2, 3] } },
      (p) => Math.abs(p.x) <= 0.5 && Math.abs(p.y) <= 1 && Math.abs(p.z) <= 1.5,
    ],
    ['sphere', { type: 'sphere', sphere: { radius: 1 } }, (p) => p.length() <= 1],
    [
      'capsule',
      { type: 'capsule', capsule: { height: 2, radiusTop: 0.7, radiusBottom: 0.7 } },
      (p) => Math.hypot(p.x, Math.max(0, Math.abs(p.y) - 1), p.z) <= 0.7,
    ],
    [
      'cylinder',
      { type: 'cylinder', cylinder: { height: 2, radiusTop: 0.8, radiusBottom: 0.8 } },
      (p) => Math.hypot(p.x, p.z) <= 0.8 && Math.abs(p.y) <= 1,
    ],
    [
      'tapered cylinder',
      { type: 'cylinder', cylinder: { height: 2, radiusTop: 0.4, radiusBottom: 0.8 } },
      (p) => Math.abs(p.y) <= 1 && Math.hypot(p.x, p.z) <= 0.6 - 0.2 * p.y,
    ],
    ['plane', { type: 'plane' }, (p) => p.y <= 0],
  ];
  for (const [name, shape, isInside] of SHAPES)
    test(`${name}: in nested, rotated and unevenly scaled nodes`, async () => {
      const file = khrFile([shape]);
      const top = file.node({ translation: [3, -1, 2], rotation: [0.5, 0.5, 0.5, 0.5], scale: [2, 2, 2] });
      const middle = file.node({ rotation: [0, 0.6, 0, 0.8], scale: [1, 0.5, 2] }, top);
      file.node({ translation: [0.5, 0, 0.25], rotation: [0, 0, 0.28, 0.96], ...collides(0) }, middle);
      file.node({ translation: [-4, 0, 0], ...collides(0) });
      const found = await read(file);
      expect(found).toHaveLength(2);
      for (const { collider } of found) {
        let inside = 0;
        for (let i = 0; i < 2000; i++) {
          const local = new Vector3(Math.sin(i), Math.sin(i * 1.7), Math.sin(i * 2.3)).multiplyScalar(1.6);
          const wanted = isInside(local);
          const nudged = [1.001, 0.999].map((k) => isInside(local.clone().multiplyScalar(k)));
          if (nudged[0] !== nudged[1]) continue; // too near to the surface
          const p = local.clone().applyMatrix4(collider.object.matrixWorld);
          expect(contains(p, collider)).toBe(wanted);
          if (wanted) inside++;
        }
        expect(inside).toBeGreaterThan(30);
      }
    });

  test('they follow their nodes', async () => {
    const file = khrFile([{ type: 'sphere' }]);
    const top = file.node({ name: 'lift' });
    file.node({ translation: [1, 0, 0], ...collides(0) }, top);
    const gltf = await file.load();
    const [only] = await collidersOfGltf(gltf);
    expect({ ...only!.collider.pose.position }).toMatchObject({ x: 1, y: 0, z: 0 });
    gltf.scene.getObjectByName('lift')!.position.y = 5;
    expect({ ...only!.collider.pose.position }).toMatchObject({ x: 1, y: 5, z: 0 });
  });

  test('a scale of 0 along all axes switches a collider off; along one it is refused', async () => {
    const file = khrFile([{ type: 'sphere' }]);
    file.node({ scale: [0, 0, 0], ...collides(0) });
    file.node(collides(0));
    expect(await read(file)).toHaveLength(1);
    const flat = khrFile([{ type: 'sphere' }]);
    flat.node({ scale: [1, 0, 1], ...collides(0) });
    await expect(read(flat)).rejects.toThrow('scale of 0');
  });

  test('shapes are shared', async () => {
    const file = khrFile([{ type: 'capsule', capsule: { radiusTop: 0.1 } }]);
    file.node(collides(0));
    file.node(collides(0));
    const [a, b] = await read(file);
    expect(a!.collider.shape).toBe(b!.collider.shape);
  });
});

describe('KHR_physics_rigid_bodies: geometries of nodes', () => {
  const nodeCollider = (node: number, convexHull?: boolean): Json =>
    khr({ collider: { geometry: { node, ...(convexHull !== undefined && { convexHull }) } } });

  test('its own mesh, as triangles and as a hull', async () => {
    const file = khrFile([]);
    file.mesh(icosphere(1));
    file.node({ mesh: 0, ...nodeCollider(0) });
    file.node({ mesh: 0, translation: [5, 0, 0], ...nodeCollider(1, true) });
    const [a, b] = await read(file);
    expect(a!.collider.shape).toMatchObject({ kind: 'mesh', triangleCount: 80 });
    expect(b!.collider.shape.kind).toBe('hull');
    expect(b!.collider.pose.position.x).toBe(5);
  });

  test('another node, with all below it, in its own space; also one that is not in the scene', async () => {
    const file = khrFile([]);
    file.mesh(boxMesh());
    file.node({ translation: [7, 0, 0], ...nodeCollider(1) });
    const source = file.node({ mesh: 0, translation: [100, 0, 0] });
    file.node({ mesh: 0, translation: [0, 10, 0], scale: [2, 1, 1] }, source);
    const apart = (file.json['nodes'] as Json[]).push({ mesh: 0, translation: [50, 0, 0] }) - 1;
    file.node({ translation: [0, 0, 7], ...nodeCollider(apart, true) });
    const [a, b] = await read(file);
    expect(a!.collider.shape).toMatchObject({
      triangleCount: 24,
      bounds: { min: { x: -2, y: -1, z: -1 }, max: { x: 2, y: 11, z: 1 } },
    });
    expect(a!.collider.pose.position.x).toBe(7);
    expect((b!.collider.shape as unknown as { points: unknown[] }).points).toHaveLength(8);
    expect(b!.collider.pose.position.z).toBe(7);
  });

  test('a mesh of several primitives is one collider', async () => {
    const file = khrFile([]);
    file.mesh(boxMesh(), boxMesh({ x: 2, y: 2, z: 2 }, { x: 3, y: 3, z: 3 }));
    file.node({ mesh: 0, scale: [2, 2, 2], ...nodeCollider(0) });
    const found = await read(file);
    expect(found).toHaveLength(1);
    expect(boundsOf(found[0]!.collider.shape).max.x).toBeCloseTo(6, 12);
  });

  test.each<[string, Json, string]>([
    ['neither', {}, 'must have a shape or a node, and not both'],
    ['both', { shape: 0, node: 0 }, 'must have a shape or a node, and not both'],
    ['a shape that is not there', { shape: 3 }, 'must be the number of one of the 1 entries of'],
    ['a node that is not there', { node: 9 }, 'must be the number of one of the 1 entries of nodes'],
    ['a node without a mesh', { node: 0 }, 'leads to a node without a mesh'],
    ['a flag that is none', { shape: 0, convexHull: 1 }, 'convexHull'],
  ])('refuses %s by name', async (_, geometry, message) => {
    const file = khrFile([{ type: 'sphere' }]);
    file.node(khr({ collider: { geometry } }));
    await expect(read(file)).rejects.toThrow(message);
    await expect(read(file)).rejects.toThrow(
      'nodes[0].extensions.KHR_physics_rigid_bodies.collider.geometry',
    );
  });

  test('refuses a collider without geometry, and shapes that the file does not have', async () => {
    const file = khrFile([{ type: 'sphere' }]);
    file.node(khr({ collider: {} }));
    await expect(read(file)).rejects.toThrow('collider.geometry is missing');
    const empty = new GltfFile({ extensionsUsed: [KHR] });
    empty.node(collides(0));
    await expect(read(empty)).rejects.toThrow(
      'leads to extensions.KHR_implicit_shapes.shapes, which the file does not have',
    );
  });
});

describe('bodies', () => {
  test('motions: static, kinematic, dynamic; the parts of a body have one owner', async () => {
    const file = khrFile([{ type: 'sphere' }]);
    file.node(collides(0));
    const body = file.node({
      name: 'body',
      ...khr({ motion: { mass: 2 }, collider: { geometry: { shape: 0 } } }),
    });
    const between = file.node({ name: 'between' }, body);
    file.node(collides(0), between);
    const own = khr({ motion: { isKinematic: true }, collider: { geometry: { shape: 0 } } });
    file.node(own, body);
    const found = await read(file);
    expect(found.map(({ motion }) => motion)).toEqual(['static', 'dynamic', 'dynamic', 'kinematic']);
    expect(found.map(({ options }) => options.fixed)).toEqual([true, false, false, false]);
    expect(found.map(({ options }) => options.owner)).toEqual([undefined, body, body, 4]);
    expect(found.map((one) => one.body.name)).toEqual(['', 'body', 'body', '']);
    for (const { collider, options } of found) expect(options.data).toBe(collider.object);
    const world = new World();
    const ids = found.map(({ collider, options }) => world.add(collider, options));
    expect(world.meets(ids[1]!, ids[2]!)).toBe(false);
    expect(world.meets(ids[1]!, ids[3]!)).toBe(true);
    expect(world.meets(ids[0]!, ids[1]!)).toBe(true);
  });

  test('OMI: kinds of motions, and colliders without a shape of their own', async () => {
    const file = omiFile([{ type: 'sphere' }]);
    for (const type of ['static', 'kinematic', 'dynamic']) {
      const body = file.node(omi({ motion: { type }, collider: {} }));
      file.node(omi({ collider: { shape: 0 } }), body);
    }
    expect((await read(file)).map(({ motion, options }) => [motion, options.fixed, options.owner])).toEqual([
      ['static', true, 0],
      ['kinematic', false, 2],
      ['dynamic', false, 4],
    ]);
    const wrong = omiFile([{ type: 'sphere' }]);
    wrong.node(omi({ motion: { type: 'ghost' }, collider: { shape: 0 } }));
    await expect(read(wrong)).rejects.toThrow(
      "motion.type must be 'static', 'kinematic' or 'dynamic', got the string 'ghost'",
    );
  });

  test('triggers are sensors, and those of a compound belong together', async () => {
    for (const [file, trigger] of [
      [khrFile([{ type: 'sphere' }]), { geometry: { shape: 0 } }],
      [omiFile([{ type: 'sphere' }]), { shape: 0 }],
    ] as const) {
      const node = 'KHR_implicit_shapes' in (file.json['extensions'] as Json) ? khr : omi;
      const whole = file.node({ name: 'zone', ...node({ trigger: { nodes: [1, 2] } }) });
      file.node(node({ trigger }), whole);
      file.node(node({ trigger }), whole);
      file.node(node({ trigger }));
      const found = await read(file);
      expect(found.map(({ options }) => options.sensor)).toEqual([true, true, true]);
      expect(found.map(({ options }) => options.owner)).toEqual([0, 0, undefined]);
      expect(found.map(({ body }) => body.name)).toEqual(['zone', 'zone', '']);
    }
  });

  test('a node may be a collider and a trigger', async () => {
    const file = khrFile([{ type: 'sphere' }, { type: 'box' }]);
    file.node(khr({ collider: { geometry: { shape: 0 } }, trigger: { geometry: { shape: 1 } } }));
    expect((await read(file)).map(({ collider, options }) => [collider.shape.kind, options.sensor])).toEqual([
      ['sphere', false],
      ['box', true],
    ]);
  });

  test('materials come as they are', async () => {
    const file = khrFile([{ type: 'sphere' }], { physicsMaterials: [{ restitution: 0.5 }] });
    file.node(khr({ collider: { geometry: { shape: 0 }, physicsMaterial: 0 } }));
    file.node(collides(0));
    expect((await read(file)).map(({ material }) => material)).toEqual([{ restitution: 0.5 }, null]);
    const wrong = khrFile([{ type: 'sphere' }]);
    wrong.node(khr({ collider: { geometry: { shape: 0 }, physicsMaterial: 0 } }));
    await expect(read(wrong)).rejects.toThrow('physicsMaterials, which the file does not have');
  });
});

describe('filters', () => {
  const FILTERS: Json[] = [
    { collisionSystems: ['hero'], collideWithSystems: ['ground', 'enemy'] },
    { collisionSystems: ['enemy'], notCollideWithSystems: ['enemy'] },
    { collisionSystems: ['ground'] },
    { collisionSystems: ['enemy', 'ghost'] },
    { notCollideWithSystems: ['hero'] },
    { collideWithSystems: ['ground'] },
  ];

  /** As the extension says it, in sets of names. */
  function doesCollide(a: Json, b: Json): boolean {
    const systems = new Set((a['collisionSystems'] as string[]) ?? []);
    const only = b['collideWithSystems'] as string[] | undefined;
    const not = (b['notCollideWithSystems'] as string[] | undefined) ?? [];
    if (only && !(systems.size > 0 && [...systems].every((name) => only.includes(name)))) return false;
    return !(systems.size > 0 && [...systems].every((name) => not.includes(name)));
  }

  test.each([KHR, OMI])('%s: a world lets meet what the extension does', async (extension) => {
    const file =
      extension === KHR
        ? khrFile([{ type: 'sphere' }], { collisionFilters: FILTERS })
        : omiFile([{ type: 'sphere' }], { collisionFilters: FILTERS });
    const all: Json[] = [{}, ...FILTERS];
    all.forEach((_, i) => {
      const filter = i > 0 ? { collisionFilter: i - 1 } : {};
      file.node(
        extension === KHR
          ? khr({ collider: { geometry: { shape: 0 }, ...filter } })
          : omi({ collider: { shape: 0, ...filter } }),
      );
    });
    const world = new World();
    const ids = (await read(file)).map(({ collider, options }) =>
      world.add(collider, { ...options, fixed: false }),
    );
    let met = 0;
    all.forEach((a, i) => {
      all.forEach((b, j) => {
        if (i === j) return;
        const wanted = doesCollide(a, b) && doesCollide(b, a);
        expect(world.meets(ids[i]!, ids[j]!), `${i} and ${j}`).toBe(wanted);
        if (wanted) met++;
      });
    });
    expect(met).toBeGreaterThan(8);
    expect(met).toBeLessThan(34);
  });

  test('bits that no filter has are the own ones of the user', async () => {
    const file = khrFile([{ type: 'sphere' }], { collisionFilters: FILTERS });
    file.node(khr({ collider: { geometry: { shape: 0 }, collisionFilter: 2 } }));
    const [{ options }] = (await read(file)) as [GltfCollider];
    expect(options.group).toBe(8);
    expect(options.mask! & (1 << 20)).not.toBe(0);
  });

  test.each<[string, unknown, unknown, string]>([
    ['both lists', [{ collideWithSystems: ['a'], notCollideWithSystems: ['b'] }], 0, 'must not have both'],
    ['what is no list of names', [{ collisionSystems: [1] }], 0, 'collisionSystems'],
    ['a filter that is not there', [{}], 1, 'collisionFilter must be the number of one of the 1 entries'],
    ['too many', Array.from({ length: 32 }, () => ({})), 0, 'must not have more than 31 entries'],
    ['no list', {}, 0, 'collisionFilters'],
  ])('refuses %s by name', async (_, collisionFilters, collisionFilter, message) => {
    const file = khrFile([{ type: 'sphere' }], { collisionFilters });
    file.node(khr({ collider: { geometry: { shape: 0 }, collisionFilter } }));
    await expect(read(file)).rejects.toThrow(message);
  });
});

describe('names', () => {
  test.each([
    ['wall_collider', 'mesh', true],
    ['wall_Collider.001', 'mesh', true],
    ['Wall-collision', 'mesh', true],
    ['collider', 'mesh', true],
    ['collision_12', 'mesh', true],
    ['UCX_Wall_01', 'hull', true],
    ['MCDCX_Wall', 'hull', true],
    ['UBX_Wall', 'box', true],
    ['USP_Ball', 'sphere', true],
    ['UCP_Pole', 'capsule', true],
    ['floor-col', 'mesh', false],
    ['floor-convcol', 'hull', false],
    ['floor-colonly', 'mesh', true],
    ['floor-convcolonly.002', 'hull', true],
  ] as const)('%s', (name, shape, hidden) => expect(readName(name)).toEqual({ shape, hidden }));

  test.each(['protocol', 'collidery', 'mycollider', 'column', 'UCXWall', 'a_UCX_b', 'col', 'ucx_wall', ''])(
    '%s means nothing',
    (name) => expect(readName(name)).toBeNull(),
  );

  const named = (names: readonly string[]): GltfFile => {
    const file = new GltfFile();
    file.mesh(boxMesh({ x: -1, y: -2, z: -1 }, { x: 1, y: 4, z: 1 }));
    for (const name of names) file.node({ name, mesh: 0 });
    return file;
  };

  test('nodes by their names in the file: mesh, hull, box, sphere and capsule around the triangles', async () => {
    const names = ['a', 'a_collider.001', 'UCX_a', 'UBX_a', 'USP_a', 'UCP_a', 'a-col'];
    const gltf = await named(names).load();
    const found = await collidersOfGltf(gltf);
    expect(found.map(({ collider }) => collider.shape.kind)).toEqual([
      'mesh',
      'hull',
      'compound',
      'compound',
      'compound',
      'mesh',
    ]);
    expect(found.every(({ options, motion }) => options.fixed === true && motion === 'static')).toBe(true);
    const [, , boxed, ball, pill] = found.map(({ collider }) => boundsOf(collider.shape));
    expect(boxed!.max.y).toBeCloseTo(4, 12);
    expect(ball!.max.x).toBeCloseTo(3, 12);
    expect(ball!.max.y).toBeCloseTo(4, 12);
    expect(pill!.max.x).toBeCloseTo(1, 12);
    expect(pill!.min.y).toBeCloseTo(-2, 12);
    expect(gltf.scene.children.every(({ visible }) => visible)).toBe(true);
  });

  test('a capsule lies along the longest side, whichever that is', async () => {
    const file = new GltfFile();
    for (const axis of ['x', 'y', 'z'] as const) {
      file.mesh(boxMesh({ x: -1, y: -1, z: -1, [axis]: -3 }, { x: 1, y: 1, z: 1, [axis]: 3 }));
      file.node({ name: `UCP_${axis}`, mesh: (file.json['meshes'] as Json[]).length - 1 });
    }
    const found = await read(file);
    found.forEach(({ collider }, i) => {
      const { max } = boundsOf(collider.shape);
      expect([max.x, max.y, max.z].map((x) => Math.round(x * 1e9) / 1e9)).toEqual(
        [0, 1, 2].map((k) => (k === i ? 3 : 1)),
      );
    });
  });

  test('hide makes what is there for collisions only invisible', async () => {
    const gltf = await named(['a', 'a_collider', 'b-col']).load();
    await collidersOfGltf(gltf, { hide: true });
    expect(gltf.scene.children.map(({ visible }) => visible)).toEqual([true, false, true]);
  });

  test('extensions come before names by default', async () => {
    const file = khrFile([{ type: 'sphere' }]);
    file.mesh(boxMesh());
    file.node({ name: 'a_collider', mesh: 0 });
    file.node(collides(0));
    expect((await read(file)).map(({ collider }) => collider.shape.kind)).toEqual(['sphere']);
    expect((await read(file, { source: 'names' })).map(({ collider }) => collider.shape.kind)).toEqual([
      'mesh',
    ]);
  });

  test('primitives of one node have a collider each', async () => {
    const file = new GltfFile();
    file.mesh(boxMesh(), icosphere(1));
    const top = file.node({ name: 'wall_collider', mesh: 0 });
    file.node({ name: 'lamp', mesh: 0 }, top);
    expect(
      (await read(file)).map(({ collider }) => (collider.shape as { triangleCount?: number }).triangleCount),
    ).toEqual([12, 80]);
  });
});

test("a whole file: every mesh, for '.collision.glb'", async () => {
  const file = new GltfFile();
  file.mesh(boxMesh());
  const top = file.node({ scale: [2, 2, 2], mesh: 0 });
  file.node({ mesh: 0, translation: [5, 0, 0] }, top);
  const found = await read(file, { source: 'all' });
  expect(found.map(({ collider }) => collider.pose.position.x)).toEqual([0, 10]);
  expect(found[0]!.options).toMatchObject({ fixed: true });
});

describe('wrong use', () => {
  test('what is no loaded file, clones, and files without colliders', async () => {
    await expect(collidersOfGltf({} as never)).rejects.toThrow(
      'gltf must be what GLTFLoader of three.js gives',
    );
    await expect(collidersOfGltf(null as never)).rejects.toThrow('gltf must be');
    const file = new GltfFile();
    file.mesh(boxMesh());
    file.node({ name: 'wall', mesh: 0 });
    const gltf = await file.load();
    await expect(collidersOfGltf(gltf)).rejects.toThrow("say { source: 'all' }");
    await expect(collidersOfGltf(gltf, { source: 'extensions' })).rejects.toThrow('describes no colliders');
    await expect(collidersOfGltf(gltf, { sorce: 'all' } as never)).rejects.toThrow('did you mean source');
    await expect(collidersOfGltf(gltf, { source: 'some' as never })).rejects.toThrow('options.source');
    await expect(collidersOfGltf(gltf, { hide: 1 as never })).rejects.toThrow('options.hide');
    await expect(collidersOfGltf({ ...gltf, scene: gltf.scene.clone() })).rejects.toThrow(
      'not a clone of it',
    );
    const empty = new GltfFile();
    empty.node({});
    await expect(read(empty, { source: 'all' })).rejects.toThrow('has no triangles');
  });
});

test('the same with the oldest three.js', async () => {
  const file = khrFile([{ type: 'box', box: { size: [1, 2, 3] } }]);
  file.mesh(boxMesh());
  file.node({ translation: [1, 2, 3], ...collides(0) });
  file.node({ mesh: 0, ...khr({ collider: { geometry: { node: 1 } } }) });
  const loader = new OldestLoader() as unknown as GLTFLoader;
  const found = await collidersOfGltf(await file.load(loader));
  expect(found.map(({ collider }) => collider.shape.kind)).toEqual(['box', 'mesh']);
  expect((found[0]!.collider.object as Object3D).position.z).toBe(3);
});
