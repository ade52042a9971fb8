/** Colliders that follow objects: where they are, how large they are, and that they notice. */
import * as three from 'three';
import { expect, test } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import { SceneMaker } from '../../tests/kit/three-scenes.ts';
import { contains } from '../query/contains.ts';
import { intersects } from '../query/intersects.ts';
import { raycast } from '../query/raycast.ts';
import { compound } from '../shapes/compound.ts';
import { box, hull } from '../shapes/flat-sided-shapes.ts';
import { halfSpace } from '../shapes/half-space.ts';
import { capsule, cone, cylinder, ellipsoid, sphere } from '../shapes/round-shapes.ts';
import type { Shape } from '../shapes/shape.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { World } from '../world/world.ts';
import { colliderOf, collidersOf, meshOf, type ObjectCollider } from './index.ts';

const { Vector3, Matrix4 } = three;

/** An object below two parents, all of them turned, scaled, mirrored. */
function nested(maker: SceneMaker): three.Mesh {
  const object = new three.Mesh(maker.shape());
  const [parent, above] = [new three.Group(), new three.Scene()];
  above.add(parent);
  parent.add(object);
  for (const one of [object, parent, above]) maker.place(one);
  return object;
}

/** Shapes that hold the segment from the origin to each of their points. */
const SHAPES: readonly ((rng: Rng) => Shape)[] = [
  () => sphere(1),
  () => box(1, 0.5, 0.7),
  () => box(1, 0.5, 0.7, 0.2),
  () => capsule(0.5, 0.4),
  () => cylinder(0.5, 0.8),
  () => cone(0.7, 0.8),
  () => ellipsoid(1, 0.5, 0.7),
  (rng) => hull([...Array.from({ length: 8 }, () => rng.vec(1)), { x: 0, y: 0, z: 0 }]),
  () => halfSpace({ x: 0.3, y: 0.9, z: 0.1 }, 0.2),
  () =>
    compound([
      {
        shape: box(1, 0.2, 0.3),
        pose: { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0.6, z: 0, w: 0.8 } },
      },
      {
        shape: capsule(0.5, 0.4),
        pose: { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0.6, w: 0.8 } },
      },
      { shape: sphere(0.6) },
    ]),
];

property('a point is in the collider if the shape has it, seen from the object', 3000, (rng, i) => {
  const object = nested(new SceneMaker(three, rng));
  const shape = SHAPES[i % SHAPES.length]!(rng);
  const body = colliderOf(object, shape);
  object.updateWorldMatrix(true, false);
  const inverse = object.matrixWorld.clone().invert();
  for (let k = 0; k < 6; k++) {
    const local = new Vector3(...Object.values(rng.vec(1.2)));
    // Not for points that are within rounding of the surface.
    const inner = contains(local.clone().multiplyScalar(1 - 1e-6), shape);
    if (inner !== contains(local.clone().multiplyScalar(1 + 1e-6), shape)) continue;
    const world = local.clone().applyMatrix4(object.matrixWorld);
    check(
      contains(world, body) === inner,
      () => `${shape.kind} became ${body.shape.kind}, ${inner} for ${local.toArray()}`,
    );
  }
  check(inverse.determinant() !== 0, 'placed with a volume');
});

/** Where the vertices of a collider with a mesh are in the world, each by its number of triangle and corner. */
function worldVertices({ shape, pose }: ObjectCollider): Map<number, three.Vector3[]> {
  const { ids, corners, vertices } = shape.kind === 'skinned' ? shape.mesh : (shape as Mesh);
  const { position, quaternion } = pose;
  const q = new three.Quaternion(quaternion.x, quaternion.y, quaternion.z, quaternion.w);
  const all = new Map<number, three.Vector3[]>();
  ids.forEach((id, slot) => {
    const points = [0, 1, 2].map((k) =>
      new Vector3()
        .fromArray(vertices, 3 * corners[3 * slot + k]!)
        .applyQuaternion(q)
        .add(position as three.Vector3),
    );
    all.set(id, points);
  });
  return all;
}

property(
  'collidersOf: every triangle of every mesh and instance where three.js has it, also after moves',
  600,
  (rng) => {
    const maker = new SceneMaker(three, rng);
    const scene = maker.scene();
    const flat: three.Object3D[] = [];
    scene.traverse((object) => {
      const mesh = object as three.InstancedMesh;
      // Instances with a scale of 0 are refused: that is another test.
      for (let i = 0; mesh.isInstancedMesh && i < mesh.instanceMatrix.count; i++) {
        mesh.getMatrixAt(i, matrix);
        if (matrix.determinant() === 0) mesh.setMatrixAt(i, new Matrix4());
      }
      if ((object as unknown as three.BatchedMesh).isBatchedMesh) flat.push(object);
    });
    for (const object of flat) object.removeFromParent();
    const all = collidersOf(scene);
    const one = collidersOf(scene, { filter: ({ id }) => id === all[0]?.object.id });
    check(
      one.every(({ object }) => object === all[0]!.object),
      'filter',
    );
    for (let turn = 0; turn < 2; turn++) {
      for (const body of all) {
        const mesh = body.object as three.Mesh;
        // The pose first: nobody has updated any matrix since the move.
        const vertices = worldVertices(body);
        matrix.copy(mesh.matrixWorld);
        if (body.instanceId !== undefined) {
          (mesh as three.InstancedMesh).getMatrixAt(body.instanceId, matrix);
          matrix.premultiply(mesh.matrixWorld);
        }
        const { index } = mesh.geometry;
        const { start } = mesh.geometry.drawRange;
        const phase = (mesh as three.SkinnedMesh).isSkinnedMesh ? start : start % 3;
        for (const [triangle, points] of vertices) {
          const corners = [0, 1, 2]
            .map((k) => 3 * triangle + phase + k)
            .map((k) => (index ? index.getX(k) : k));
          const wanted = corners.map((k) => mesh.getVertexPosition(k, new Vector3()).applyMatrix4(matrix));
          if (matrix.determinant() < 0) wanted.splice(1, 2, wanted[2]!, wanted[1]!);
          // Mirrored or not, the corners are the same; closed seams and rounded scales move them a little.
          const off = Math.max(...wanted.map((p, k) => p.distanceTo(points[k]!)));
          check(off < 1e-4, () => `triangle ${triangle} of ${mesh.type} is off by ${off}`);
        }
      }
      scene.traverse((object) => {
        if (rng.chance(0.5)) maker.place(object);
      });
    }
  },
);
const matrix = new Matrix4();

test('geometries that are shared, and scaled alike, have one tree', () => {
  const geometry = new three.TorusKnotGeometry();
  const scene = new three.Scene();
  for (let i = 0; i < 6; i++) {
    const mesh = new three.Mesh(geometry);
    mesh.position.x = 5 * i;
    mesh.rotation.set(i, 2 * i, 3 * i);
    mesh.scale.setScalar(i < 3 ? 1 : 2);
    scene.add(mesh);
  }
  const shapes = collidersOf(scene).map(({ shape }) => shape);
  expect(new Set(shapes.slice(0, 3))).toEqual(new Set([meshOf(geometry)]));
  expect(new Set(shapes.slice(3)).size).toBe(1);
});

test('the scale: kept in kind where it can be, and noticed when it changes', () => {
  const parent = new three.Group();
  const object = new three.Object3D();
  parent.add(object);
  const ball = colliderOf(object, sphere(1));
  expect(ball.shape).toMatchObject({ kind: 'sphere', radius: 1 });
  parent.scale.setScalar(2);
  expect(ball.shape).toMatchObject({ kind: 'sphere', radius: 2 });
  object.scale.y = 3;
  expect(ball.shape).toMatchObject({ kind: 'ellipsoid', radii: { x: 2, y: 6, z: 2 } });
  // As quaternions of 32 bits have it: not quite a rotation.
  object.scale.setScalar(1);
  object.quaternion.set(0.5, 0.5, 0.5, Math.fround(0.50000006));
  expect(ball.shape).toMatchObject({ kind: 'sphere', radius: expect.closeTo(2, 6) });
  expect(colliderOf(object, capsule(1, 1)).shape).toMatchObject({ kind: 'capsule' });
  expect(colliderOf(object, box(1, 2, 3)).shape).toMatchObject({ kind: 'box' });
  // A shape is the same one as long as nothing but the pose changes.
  object.quaternion.normalize();
  const { shape } = ball;
  object.rotation.x = 0.3;
  object.position.y = 7;
  expect(ball.shape).toBe(shape);
});

test('the shapes that stand for triangles', () => {
  const mesh = new three.Mesh(new three.SphereGeometry(1, 8, 6).translate(3, 0, 0));
  mesh.position.y = 1;
  expect(colliderOf(mesh).shape).toBe(meshOf(mesh.geometry));
  expect(colliderOf(mesh, 'hull').shape.kind).toBe('hull');
  expect(colliderOf(mesh, 'hull').shape).toBe(colliderOf(mesh, 'hull').shape);
  const around = colliderOf(mesh, 'box');
  expect(contains({ x: 3.9, y: 1.9, z: 0 }, around)).toBe(true);
  expect(contains({ x: 4.1, y: 1, z: 0 }, around)).toBe(false);
  expect(contains({ x: 3.9, y: 1.9, z: 0 }, colliderOf(mesh, 'hull'))).toBe(false);
  mesh.geometry.translate(0, 10, 0);
  expect(contains({ x: 3.9, y: 11.9, z: 0 }, around)).toBe(true);
  const centred = new three.Mesh(new three.BoxGeometry(2, 4, 6));
  expect(colliderOf(centred, 'box').shape).toMatchObject({ kind: 'box', halfSize: { x: 1, y: 2, z: 3 } });
});

test('it follows the object without anyone updating matrices, its parents, morph targets and geometry', () => {
  const parent = new three.Group();
  const geometry = new three.BoxGeometry();
  const target = geometry.attributes['position']!.clone() as three.BufferAttribute;
  for (let i = 0; i < target.count; i++) target.setY(i, target.getY(i) + 10);
  geometry.morphAttributes['position'] = [target];
  const mesh = new three.Mesh(geometry);
  parent.add(mesh);
  const body = colliderOf(mesh);
  const at = (x: number, y: number) => intersects(sphere(0.1), body) && x === 0 && y === 0;
  expect(at(0, 0)).toBe(true);
  parent.position.x = 5;
  mesh.rotation.z = 0.5;
  expect(at(0, 0)).toBe(false);
  expect(contains({ x: 5, y: 0, z: 0 }, body)).toBe(true);
  mesh.rotation.z = 0;
  mesh.morphTargetInfluences = [1];
  expect(contains({ x: 5, y: 10, z: 0 }, body)).toBe(true);
  expect(contains({ x: 5, y: 0, z: 0 }, body)).toBe(false);
  mesh.morphTargetInfluences = [0];
  mesh.geometry = new three.BoxGeometry(20, 1, 1);
  expect(contains({ x: 14, y: 0, z: 0 }, body)).toBe(true);
});

test('in a world: it moves with the object; a new scale is refused until the world knows', () => {
  const world = new World();
  const mesh = new three.Mesh(new three.BoxGeometry());
  const body = colliderOf(mesh);
  const id = world.add(body);
  const down = { origin: { x: 3, y: 5, z: 0.1 }, direction: { x: 0, y: -1, z: 0 } };
  expect(world.raycast(down)).toBeNull();
  mesh.position.x = 3;
  world.update();
  expect(world.raycast(down)!.t).toBeCloseTo(4.5, 12);
  mesh.scale.y = 4;
  expect(() => world.update()).toThrow(/another scale than when its shape was last read: let syncWorld/);
  world.change(id, { shape: body.shape });
  world.update();
  expect(world.raycast(down)!.t).toBeCloseTo(3, 12);
});

test('wrong use is named, and says what to do', () => {
  const any = <T>(value: unknown): T => value as T;
  const mesh = new three.Mesh(new three.BoxGeometry());
  mesh.name = 'crate';
  expect(() => colliderOf(any({ position: {} }))).toThrow(
    'colliderOf: object must be an Object3D of three.js, got',
  );
  expect(() => colliderOf(mesh, any('ball'))).toThrow(
    "colliderOf: shape must be a shape, 'mesh', 'hull' or 'box'",
  );
  expect(() => colliderOf(new three.Group())).toThrow(/has no triangles of its own .*collidersOf/);
  expect(() => colliderOf(new three.InstancedMesh(mesh.geometry, new three.MeshBasicMaterial(), 3))).toThrow(
    /has instances .*collidersOf/,
  );
  expect(() => colliderOf(new three.Mesh(new three.BufferGeometry()))).toThrow(/has no positions/);
  mesh.scale.set(1, 0, 1);
  expect(() => colliderOf(mesh)).toThrow(/colliderOf: Mesh 'crate' has a scale of 0 .*visible = false/);
  mesh.scale.set(1, 1, 1);
  const body = colliderOf(mesh, sphere(1));
  mesh.position.y = Number.NaN;
  expect(() => body.pose.position).toThrow(
    /ObjectCollider.pose: Mesh 'crate' has a world matrix that is not finite/,
  );
  expect(() => raycast({ origin: { x: 0, y: 0, z: 0 }, direction: { x: 1, y: 0, z: 0 } }, body)).toThrow(
    /not finite/,
  );
  mesh.position.y = 2;
  expect(body.pose.position.y).toBe(2);
  mesh.matrixAutoUpdate = false;
  mesh.matrix.elements[3] = 0.5;
  expect(() => body.pose.position).toThrow(/is a projection/);
  expect(() => collidersOf(any(null))).toThrow(/collidersOf: root must be an Object3D/);
  expect(() => collidersOf(new three.Group(), { shape: any('ball') })).toThrow(
    /options.shape must be a shape/,
  );
  expect(() => collidersOf(new three.Group(), { shape: () => 'hull' })).toThrow(
    /what has no triangles: Group/,
  );
  expect(collidersOf(new three.Group(), { shape: () => sphere(2) })).toHaveLength(1);
  expect(collidersOf(new three.Mesh(new three.BoxGeometry()), { shape: () => null })).toHaveLength(0);
  const batch = new three.BatchedMesh(2, 100, 100, new three.MeshBasicMaterial());
  batch.addInstance(batch.addGeometry(new three.BoxGeometry()));
  const [part] = collidersOf(batch);
  expect(part!.batchId).toBe(0);
  batch.dispose();
  expect(() => part!.shape).toThrow(/was disposed of/);
});
