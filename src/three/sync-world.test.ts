/** A world that follows a scene: after each update it is as if it had been made from the scene anew. */
import * as three from 'three';
import { expect, test } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import { SceneMaker } from '../../tests/kit/three-scenes.ts';
import { sphere } from '../shapes/round-shapes.ts';
import { World } from '../world/world.ts';
import { collidersOf, type ObjectCollider, syncWorld } from './index.ts';

const keyOf = ({ object, instanceId, batchId }: ObjectCollider): string =>
  `${object.id} ${instanceId} ${batchId}`;

/** Instances with a scale of 0 have no collider, and `collidersOf` would refuse them. */
function dropFlat(scene: three.Scene): void {
  const matrix = new three.Matrix4();
  scene.traverse((object) => {
    const mesh = object as three.InstancedMesh;
    for (let i = 0; mesh.isInstancedMesh && i < mesh.instanceMatrix.count; i++) {
      mesh.getMatrixAt(i, matrix);
      if (Math.abs(matrix.determinant()) > 0) continue;
      mesh.setMatrixAt(i, new three.Matrix4().makeTranslation(i, 0, 0));
      mesh.instanceMatrix.needsUpdate = true;
    }
    const batch = object as unknown as three.BatchedMesh & { _instanceInfo: { active: boolean }[] };
    if (batch.isBatchedMesh)
      batch._instanceInfo.forEach(({ active }, i) => {
        if (active && batch.getMatrixAt(i, matrix) && matrix.determinant() === 0) batch.deleteInstance(i);
      });
  });
}

function change(rng: Rng, maker: SceneMaker, scene: three.Scene): void {
  const objects: three.Object3D[] = [];
  scene.traverse((object) => objects.push(object));
  const object = rng.pick(objects);
  const mesh = object as three.InstancedMesh;
  const kind = rng.int(0, 8);
  if (kind === 0) maker.place(object);
  if (kind === 1) object.add(maker.object());
  if (kind === 2 && object !== scene) object.removeFromParent();
  if (kind === 3) object.visible = !object.visible;
  if (kind === 4 && object !== scene) scene.attach(object);
  if (kind === 5 && mesh.isInstancedMesh) mesh.count = rng.int(0, mesh.instanceMatrix.count);
  if (kind === 6 && mesh.isInstancedMesh && mesh.count > 0) {
    mesh.setMatrixAt(rng.int(0, mesh.count - 1), maker.matrix());
    mesh.instanceMatrix.needsUpdate = true;
  }
  const { isBatchedMesh } = mesh as unknown as three.BatchedMesh;
  const { isSkinnedMesh, skeleton } = mesh as unknown as three.SkinnedMesh;
  if (kind === 7 && mesh.isMesh && !isBatchedMesh) {
    const geometry = isSkinnedMesh ? maker.skinned().geometry : maker.geometry();
    if (isSkinnedMesh) maker.addSkin(geometry, skeleton.bones.length);
    mesh.geometry = geometry;
  }
  if (kind === 8) {
    const batch = object as unknown as three.BatchedMesh & { _instanceInfo: { active: boolean }[] };
    if (batch.isBatchedMesh)
      batch._instanceInfo.forEach(({ active }, i) => {
        if (active && rng.chance(0.3)) batch.setVisibleAt(i, rng.chance(0.5));
      });
  }
}

/** Skinned meshes have poses of their own. */
function mustBeAlike(a: Float64Array | Float32Array, b: Float64Array | Float32Array): void {
  check(a.length === b.length, 'the vertices');
  for (let i = 0; i < a.length; i++)
    check(Math.abs(a[i]! - b[i]!) <= 1e-9 * (1 + Math.abs(a[i]!)), 'a vertex');
}

property('the colliders of a world that is kept are those of the scene', 300, (rng) => {
  const maker = new SceneMaker(three, rng);
  const scene = maker.scene();
  dropFlat(scene);
  const world = new World();
  const outside = world.add(sphere(1));
  const sync = syncWorld(world, scene);
  for (let turn = 0; turn < 5; turn++) {
    const wanted = new Map(collidersOf(scene).map((body) => [keyOf(body), body]));
    check(world.size === wanted.size + 1, () => `${world.size - 1} colliders, not ${wanted.size}`);
    for (const id of world.ids()) {
      if (id === outside) continue;
      const body = sync.get(id)!;
      const fresh = wanted.get(keyOf(body))!;
      const known = world.get(id);
      check(known.data === body, 'data');
      check(sync.idOf(body.object, body.instanceId ?? body.batchId) === id, 'idOf');
      const { position: p, quaternion: q } = fresh.pose;
      const { position: r, quaternion: s } = known.pose;
      const off = Math.abs(p.x - r.x) + Math.abs(p.y - r.y) + Math.abs(p.z - r.z);
      check(off < 1e-9, () => `off by ${off}`);
      check(Math.abs(q.x * s.x + q.y * s.y + q.z * s.z + q.w * s.w) > 1 - 1e-9, 'turned otherwise');
      if (fresh.shape.kind !== 'skinned') check(fresh.shape === known.shape, 'the shape');
      else mustBeAlike(fresh.shape.mesh.vertices, (known.shape as typeof fresh.shape).mesh.vertices);
    }
    sync.update();
    const { added, removed, moved, reshaped } = sync.stats;
    check(added + removed + moved + reshaped === 0, 'nothing has changed, and something was done');
    for (let i = rng.int(1, 4); i > 0; i--) change(rng, maker, scene);
    dropFlat(scene);
    sync.update();
  }
  sync.dispose();
  check(world.size === 1 && world.has(outside), 'only what was there before is left');
});

test('colliders keep their numbers while they move, grow and shrink; a scale of 0 takes them out', () => {
  const world = new World();
  const scene = new three.Scene();
  const mesh = new three.Mesh(new three.BoxGeometry());
  scene.add(mesh);
  const sync = syncWorld(world, scene, { collider: { group: 4 } });
  const id = sync.idOf(mesh)!;
  expect(sync.stats).toEqual({ added: 1, removed: 0, moved: 0, reshaped: 0 });
  expect(world.get(id).group).toBe(4);
  const down = { origin: { x: 3, y: 9, z: 0.1 }, direction: { x: 0, y: -1, z: 0 } };
  mesh.position.x = 3;
  sync.update();
  expect(sync.stats).toEqual({ added: 0, removed: 0, moved: 1, reshaped: 0 });
  expect(world.raycast(down)).toMatchObject({ id, t: 8.5 });
  mesh.scale.y = 2;
  sync.update();
  expect(sync.stats).toEqual({ added: 0, removed: 0, moved: 0, reshaped: 1 });
  expect(world.raycast(down)!.t).toBeCloseTo(8, 12);
  mesh.scale.y = 0;
  sync.update();
  expect(sync.idOf(mesh)).toBeUndefined();
  expect(sync.get(id)).toBeUndefined();
  expect(world.size).toBe(0);
  mesh.scale.y = 1;
  sync.update();
  expect(world.size).toBe(1);
  world.clear();
  sync.update();
  expect(world.size).toBe(1);
  world.update();
  mesh.visible = false;
  sync.update();
  expect(sync.stats.removed).toBe(1);
});

test('layers, filters, shapes and options by object', () => {
  const world = new World();
  const scene = new three.Scene();
  const meshes = [0, 1, 2].map((i) => {
    const mesh = new three.Mesh(new three.BoxGeometry());
    mesh.layers.set(i);
    mesh.position.x = 5 * i;
    scene.add(mesh);
    return mesh;
  });
  const layers = new three.Layers();
  layers.set(1);
  layers.enable(2);
  const sync = syncWorld(world, scene, {
    layers,
    shape: (object) => (object === scene ? null : 'box'),
    collider: (object) => ({ data: object.id, fixed: true }),
  });
  expect(meshes.map((mesh) => sync.idOf(mesh) !== undefined)).toEqual([false, true, true]);
  const id = sync.idOf(meshes[1]!)!;
  expect(world.get(id)).toMatchObject({ fixed: true, data: meshes[1]!.id, shape: { kind: 'box' } });
  meshes[0]!.layers.enable(1);
  meshes[1]!.layers.set(5);
  sync.update();
  expect(meshes.map((mesh) => sync.idOf(mesh) !== undefined)).toEqual([true, false, true]);
  // Fixed colliders are moved, too: the scene says where they are.
  meshes[2]!.position.y = 7;
  sync.update();
  expect(world.get(sync.idOf(meshes[2]!)!).pose.position.y).toBe(7);
});

test('events of the world', () => {
  const world = new World();
  const scene = new three.Scene();
  const [a, b] = [new three.Mesh(new three.BoxGeometry()), new three.Mesh(new three.BoxGeometry())];
  scene.add(a, b);
  b.position.x = 5;
  const sync = syncWorld(world, scene);
  expect(world.update()).toEqual([]);
  b.position.x = 0.5;
  sync.update();
  expect(world.update()).toMatchObject([{ phase: 'enter' }]);
  scene.remove(b);
  sync.update();
  expect(world.update()).toMatchObject([{ phase: 'leave' }]);
});

test('wrong use is named, and says what to do', () => {
  const any = <T>(value: unknown): T => value as T;
  const scene = new three.Scene();
  expect(() => syncWorld(any({}), scene)).toThrow(/syncWorld: world must be a World/);
  expect(() => syncWorld(new World(), any({}))).toThrow(/syncWorld: root must be an Object3D/);
  expect(() => syncWorld(new World(), scene, any({ layer: 1 }))).toThrow(/'layer': did you mean layers\?/);
  expect(() => syncWorld(new World(), scene, { layers: any(3) })).toThrow(/options.layers/);
  expect(() => syncWorld(new World(), scene, { collider: any({ groups: 3 }) })).toThrow(
    /did you mean group\?/,
  );
  const mesh = new three.Mesh(new three.BoxGeometry());
  scene.add(mesh);
  const sync = syncWorld(new World(), scene);
  mesh.position.x = Number.NaN;
  expect(() => sync.update()).toThrow(/syncWorld: Mesh .*not finite/);
});
