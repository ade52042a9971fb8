/** Skinned meshes of three.js: colliders that follow the bones, and picks as three.js has them. */
import * as three from 'three';
import { describe, expect, test } from 'vitest';
import { check, near, Rng } from '../../tests/kit/index.ts';
import { hasRigged, RIGGED_NAMES } from '../../tests/kit/rigged.ts';
import { loadRigged } from '../../tests/kit/rigged-three.ts';
import { closestPoint, contains, distance, intersects, raycast, sphere, World } from '../index.ts';
import { accelerate, colliderOf, collidersOf, DebugView, syncWorld } from './index.ts';

/** A post along y of two bones, the upper one at its middle. */
function post(): { mesh: three.SkinnedMesh; lower: three.Bone; upper: three.Bone } {
  const geometry = new three.BoxGeometry(0.4, 4, 0.4, 2, 8, 2).translate(0, 2, 0);
  const position = geometry.getAttribute('position');
  const joints: number[] = [];
  const weights: number[] = [];
  for (let i = 0; i < position.count; i++) {
    const share = Math.max(0, Math.min(1, position.getY(i) - 1.5));
    joints.push(0, 1, 0, 0);
    weights.push(1 - share, share, 0, 0);
  }
  geometry.setAttribute('skinIndex', new three.Uint16BufferAttribute(joints, 4));
  geometry.setAttribute('skinWeight', new three.Float32BufferAttribute(weights, 4));
  const mesh = new three.SkinnedMesh(geometry, new three.MeshBasicMaterial());
  const [lower, upper] = [new three.Bone(), new three.Bone()];
  upper.position.y = 2;
  lower.add(upper);
  mesh.add(lower);
  mesh.updateMatrixWorld(true);
  mesh.bind(new three.Skeleton([lower, upper]));
  return { mesh, lower, upper };
}

test('a collider follows the bones, wherever whoever moves them', () => {
  const { mesh, upper } = post();
  const body = colliderOf(mesh);
  const top = { x: 0, y: 4.5, z: 0 };
  const side = { x: -2, y: 2, z: 0 };
  expect(closestPoint(top, body)!.distance).toBeCloseTo(0.5, 6);
  expect(contains({ x: 0, y: 3, z: 0 }, body)).toBe(true);
  upper.rotation.z = Math.PI / 2;
  expect(contains({ x: 0, y: 3, z: 0 }, body)).toBe(false);
  expect(closestPoint(side, body)!.distance).toBeLessThan(1e-6);
  mesh.position.x = 5;
  expect(closestPoint({ x: 3, y: 2, z: 0 }, body)!.distance).toBeLessThan(1e-6);
  expect(body.shape).toBe(body.shape);
});

test.each([
  [2, 2, 2],
  [1, 3, 0.5],
  [-1, 1, 1],
  [2, -1, -3],
] as const)('scale %s, %s, %s goes into the joints, and what is inside stays inside', (x, y, z) => {
  const { mesh, upper } = post();
  const parent = new three.Group();
  parent.add(mesh);
  const body = colliderOf(mesh);
  mesh.scale.set(x, y, z);
  parent.rotation.set(0.3, 0.4, 0.5);
  upper.rotation.z = 1;
  parent.updateMatrixWorld(true);
  const vertex = new three.Vector3();
  const inner = new three.Vector3();
  for (let i = 0; i < mesh.geometry.getAttribute('position').count; i += 7) {
    mesh.getVertexPosition(i, vertex).applyMatrix4(mesh.matrixWorld);
    expect(closestPoint(vertex, body)!.distance).toBeLessThan(1e-6);
    expect(distance(colliderOf(new three.Mesh(), sphere(0.1)), body)).not.toBeNull();
  }
  inner.set(0, 0.7, 0).applyMatrix4(mesh.matrixWorld);
  expect(contains(inner, body)).toBe(true);
  const out = raycast({ origin: inner, direction: { x: 1, y: 0, z: 0 } }, body, {
    solid: false,
    side: 'back',
  });
  expect(out, 'from inside, the ray leaves by a back side').not.toBeNull();
});

test('objects that share a geometry have poses of their own', () => {
  const { mesh, upper } = post();
  const other = mesh.clone();
  other.position.x = 3;
  const [lower2, upper2] = [new three.Bone(), new three.Bone()];
  upper2.position.y = 2;
  lower2.add(upper2);
  other.add(lower2);
  other.bind(new three.Skeleton([lower2, upper2]), new three.Matrix4());
  other.bindMode = 'attached';
  const [a, b] = [colliderOf(mesh), colliderOf(other)];
  upper.rotation.z = -1.2;
  expect(intersects(a, b)).toBe(false);
  upper2.rotation.z = 1.2;
  expect(intersects(a, b)).toBe(true);
});

test('a world that is kept sees a new pose at once; one that is not, at its update', () => {
  const { mesh, upper } = post();
  const scene = new three.Scene().add(mesh);
  const world = new World();
  const sync = syncWorld(world, scene);
  const ray = { origin: { x: -1.5, y: 9, z: 0 }, direction: { x: 0, y: -1, z: 0 } };
  expect(world.raycast(ray)).toBeNull();
  upper.rotation.z = Math.PI / 2;
  sync.update();
  expect(sync.stats).toEqual({ added: 0, removed: 0, moved: 1, reshaped: 0 });
  expect(world.raycast(ray)!.t).toBeCloseTo(6.8, 3);
  sync.update();
  expect(sync.stats.moved).toBe(0);
  const own = new World();
  own.add(colliderOf(mesh));
  expect(own.raycast(ray)).not.toBeNull();
  upper.rotation.z = 0;
  own.update();
  expect(own.raycast(ray)).toBeNull();
});

test('DebugView draws it where its bones have it', () => {
  const { mesh, upper } = post();
  upper.rotation.z = Math.PI / 2;
  const view = new DebugView();
  view.drawBody(colliderOf(mesh));
  const bounds = new three.Box3().setFromObject(view, true);
  expect(bounds.min.x).toBeCloseTo(-2, 2);
  expect(bounds.max.y).toBeLessThan(2.8);
});

test('what cannot be followed is named', () => {
  const { mesh } = post();
  const bare = new three.SkinnedMesh(mesh.geometry, mesh.material);
  expect(() => colliderOf(bare)).toThrow(/^graze: colliderOf: SkinnedMesh .* has no skeleton/);
  const plain = new three.SkinnedMesh(new three.BoxGeometry(), mesh.material);
  plain.bind(mesh.skeleton);
  expect(() => colliderOf(plain)).toThrow(/has no skinIndex or no skinWeight/);
  const wrong = mesh.geometry.clone();
  wrong.getAttribute('skinIndex').setX(3, 9);
  const lost = new three.SkinnedMesh(wrong, mesh.material);
  lost.bind(mesh.skeleton);
  expect(() => colliderOf(lost)).toThrow(
    /^graze: colliderOf: .*source.joints\[12\] must be the number of one/,
  );
  const body = colliderOf(mesh);
  mesh.skeleton.bones[1]!.position.x = Number.NaN;
  expect(() => closestPoint({ x: 0, y: 0, z: 0 }, body)).toThrow(/graze: .*finite/);
  mesh.skeleton.bones[1]!.position.x = 0;
  expect(contains({ x: 0, y: 1, z: 0 }, body)).toBe(true);
});

test('weights that do not sum to 1: colliders divide them by their sum; picks stay those of three.js', () => {
  const { mesh } = post();
  const weights = mesh.geometry.getAttribute('skinWeight');
  for (let i = 0; i < weights.count; i++)
    weights.setXYZW(i, 0.5 * weights.getX(i), 0.5 * weights.getY(i), 0, 0);
  const ray = () => new three.Raycaster(new three.Vector3(9, 3, 0), new three.Vector3(-1, 0, 0));
  const theirs = ray().intersectObject(mesh).length;
  accelerate(mesh);
  expect(ray().intersectObject(mesh)).toHaveLength(theirs);
  expect(contains({ x: 0, y: 3.5, z: 0 }, colliderOf(mesh))).toBe(true);
});

describe.skipIf(!hasRigged)('rigged models (../shared/data/characters)', () => {
  test.each(RIGGED_NAMES)(
    '%s: picks through its animations are those of three.js, and so are its colliders',
    async (name) => {
      const { scene, animations } = await loadRigged(name);
      scene.rotation.y = 0.4;
      const mixer = new three.AnimationMixer(scene);
      const meshes: three.SkinnedMesh[] = [];
      scene.traverse((object) => {
        if ((object as three.SkinnedMesh).isSkinnedMesh) meshes.push(object as three.SkinnedMesh);
      });
      const bodies = collidersOf(scene, { filter: (object) => (object as three.SkinnedMesh).isSkinnedMesh });
      expect(bodies.map(({ object }) => object)).toEqual(meshes);
      const rng = new Rng(1);
      for (const clip of animations.slice(0, 2))
        for (let turn = 0; turn < 3; turn++) {
          mixer.stopAllAction();
          mixer.clipAction(clip).play();
          mixer.setTime(rng.unit() * clip.duration);
          scene.updateMatrixWorld(true);
          meshes.forEach((mesh, i) => {
            for (let k = 0; k < 4; k++) pick(rng, mesh, bodies[i]!);
          });
        }
    },
  );
});

function pick(rng: Rng, mesh: three.SkinnedMesh, body: ReturnType<typeof colliderOf>): void {
  const { count } = mesh.geometry.getAttribute('position');
  const vertex = () =>
    mesh.getVertexPosition(rng.int(0, count - 1), new three.Vector3()).applyMatrix4(mesh.matrixWorld);
  (mesh as { boundingSphere: unknown }).boundingSphere = null; // else it stays where it was
  const [a, b, c] = [vertex(), vertex(), vertex()];
  const size = a.distanceTo(b) + a.length();
  const target = a.clone().add(b).add(c).divideScalar(3);
  const origin = new three.Vector3(rng.gauss(), rng.gauss(), rng.gauss()).setLength(3 * size).add(target);
  const caster = new three.Raycaster(origin, target.clone().sub(origin).normalize());
  const theirs = caster.intersectObject(mesh, false);
  const undo = accelerate(mesh);
  const ours = caster.intersectObject(mesh, false);
  undo();
  const triangles = (hits: three.Intersection[]) =>
    hits
      .map(({ faceIndex }) => faceIndex)
      .sort()
      .join();
  // Weights of 32 bits do not sum to 1 to the last bit.
  if (triangles(ours) === triangles(theirs))
    ours.forEach((hit, i) => {
      near(hit.distance, theirs[i]!.distance, 1e-5 * size, 'distance');
    });
  else
    check(Math.abs(ours.length - theirs.length) <= 2, () => `${ours.length} hits, three.js ${theirs.length}`);
  const first = raycast({ origin, direction: caster.ray.direction }, body, { side: 'front', solid: false });
  check((first === null) === (ours.length === 0), 'the collider is hit, too');
  if (first) near(first.t, ours[0]!.distance, 1e-5 * size, 'of the collider');
}
