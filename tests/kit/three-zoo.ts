/** The properties that `accelerate` must have with any copy of three.js. */
import type * as THREE from 'three';
import { accelerate } from '../../src/three/index.ts';
import { check, property } from './property.ts';
import type { Rng } from './rng.ts';
import { askThree, compareFirst, compareHits, randomRaycaster } from './three-rays.ts';
import { SceneMaker } from './three-scenes.ts';

type Three = typeof THREE;

const RAYS = 50;

/** So many rays against a scene, all hits and first hits. */
function compareRays(three: Three, rng: Rng, scene: THREE.Object3D, sceneTree: boolean): void {
  for (let i = 0; i < RAYS; i++) {
    const raycaster = randomRaycaster(three, rng, scene);
    const theirs = askThree(raycaster, scene);
    compareHits(three, raycaster, raycaster.intersectObject(scene, true), theirs);
    if (i % 4 > 0) continue;
    (raycaster as { firstHitOnly?: boolean }).firstHitOnly = true;
    const first = raycaster.intersectObject(scene, true);
    // A root that is in none of the layers is not asked, and cannot answer for what is below it.
    if (!sceneTree || !scene.layers.test(raycaster.layers)) compareFirst(three, raycaster, first, theirs);
    else {
      check(first.length <= 1, 'one hit of all');
      if (!isTie(theirs, first)) compareHits(three, raycaster, first, theirs.slice(0, 1));
    }
  }
}

/** Are the first two of them at the same distance, of which either may come? */
const isTie = ([a, b]: THREE.Intersection[], [ours]: THREE.Intersection[]): boolean =>
  a !== undefined &&
  b !== undefined &&
  ours !== undefined &&
  b.distance - a.distance < 1e-9 * (1 + a.distance);

/** The same hits as three.js, in scenes of all kinds, that stay and that change. 100 rays a case. */
export function testZoo(three: Three, title: string, cases: number): void {
  property(
    `${title}: the intersections of three.js, field by field, before and after changes`,
    cases,
    (rng) => {
      const maker = new SceneMaker(three, rng);
      const scene = maker.scene();
      const sceneTree = rng.chance(0.3);
      const undo = accelerate(scene, { lazy: rng.chance(0.5), sceneTree });
      compareRays(three, rng, scene, sceneTree);
      for (let i = rng.int(1, 4); i > 0; i--) change(rng, maker, scene);
      scene.updateMatrixWorld(true);
      compareRays(three, rng, scene, sceneTree);
      undo();
      scene.traverse((object) =>
        check(!Object.hasOwn(object, 'raycast') && !Object.hasOwn(object, 'updateMatrixWorld'), 'undone'),
      );
    },
  );
}

/** Something about an object, as users do it. */
function change(rng: Rng, maker: SceneMaker, scene: THREE.Scene): void {
  const objects: THREE.Object3D[] = [];
  scene.traverse((object) => objects.push(object));
  const object = rng.pick(objects);
  const mesh = object as THREE.Mesh;
  const kind = rng.int(0, 8);
  if (kind === 0) maker.place(object);
  if (kind === 1) object.add(maker.object());
  if (kind === 2 && object !== scene) object.removeFromParent();
  if (kind === 3 && mesh.isMesh && !Array.isArray(mesh.material)) mesh.material.side = maker.side();
  if (kind === 8 && (object as THREE.SkinnedMesh).isSkinnedMesh) maker.moveBones(object as THREE.SkinnedMesh);
  if (kind === 4) changeGeometry(rng, maker, mesh);
  if (kind === 5) changeInstances(rng, maker, mesh as THREE.InstancedMesh);
  if (kind === 6) changeBatch(rng, maker, mesh as unknown as THREE.BatchedMesh);
  if (kind === 7 && mesh.isMesh && mesh.morphTargetInfluences)
    mesh.morphTargetInfluences = mesh.morphTargetInfluences.map(() => rng.unit());
}

function changeGeometry(rng: Rng, maker: SceneMaker, mesh: THREE.Mesh): void {
  if (!mesh.isMesh || (mesh as unknown as THREE.BatchedMesh).isBatchedMesh) return;
  const { geometry } = mesh;
  const position = geometry.getAttribute('position');
  // Draw ranges and groups that end within a triangle would lead to bones that there are not.
  const isSkinned = (mesh as THREE.SkinnedMesh).isSkinnedMesh;
  switch (isSkinned ? rng.pick([0, 2, 4]) : rng.int(0, 4)) {
    case 0:
      for (let i = 0; i < position.count; i++) position.setX(i, position.getX(i) * 0.8);
      if ('data' in position) position.data.needsUpdate = true;
      else position.needsUpdate = true;
      break;
    case 1:
      maker.setDrawRange(geometry, geometry.index ? geometry.index.count : position.count);
      break;
    case 2: {
      const { index } = geometry;
      if (!index) break;
      for (let i = 0; i + 2 < index.count; i += 6) {
        const b = index.getX(i + 1);
        index.setX(i + 1, index.getX(i + 2));
        index.setX(i + 2, b);
      }
      index.needsUpdate = true;
      break;
    }
    case 3:
      if (geometry.groups.length > 0) {
        geometry.clearGroups();
        maker.addGroups(geometry, geometry.index ? geometry.index.count : position.count);
      }
      break;
    default:
      if (rng.chance(0.5)) geometry.dispose();
      else {
        mesh.geometry = isSkinned ? maker.skinned().geometry : maker.geometry();
        if (isSkinned) maker.addSkin(mesh.geometry, (mesh as THREE.SkinnedMesh).skeleton.bones.length);
        mesh.morphTargetInfluences = undefined as unknown as number[];
        if (mesh.geometry.groups.length === 0 && Array.isArray(mesh.material))
          mesh.material = mesh.material[0]!;
      }
  }
  mesh.geometry.computeBoundingSphere();
  (mesh as THREE.InstancedMesh).computeBoundingSphere?.();
}

function changeInstances(rng: Rng, maker: SceneMaker, mesh: THREE.InstancedMesh): void {
  if (!mesh.isInstancedMesh || mesh.instanceMatrix.count === 0) return;
  if (rng.chance(0.3)) mesh.count = rng.int(0, mesh.instanceMatrix.count);
  else {
    mesh.setMatrixAt(rng.int(0, mesh.instanceMatrix.count - 1), maker.matrix());
    mesh.instanceMatrix.needsUpdate = true;
  }
  mesh.computeBoundingSphere();
}

function changeBatch(rng: Rng, maker: SceneMaker, batch: THREE.BatchedMesh): void {
  if (!batch.isBatchedMesh) return;
  const infos = (batch as unknown as { _instanceInfo: { active: boolean; geometryIndex: number }[] })
    ._instanceInfo;
  const live = infos.flatMap(({ active }, i) => (active ? [i] : []));
  const kind = rng.int(0, 4);
  if (kind === 0 && batch.instanceCount < 15) batch.setMatrixAt(batch.addInstance(0), maker.matrix());
  if (live.length === 0) return;
  const id = rng.pick(live);
  if (kind === 1) batch.setMatrixAt(id, maker.matrix());
  if (kind === 2) batch.setVisibleAt(id, rng.chance(0.5));
  if (kind === 3) batch.deleteInstance(id);
  if (kind === 4)
    batch.setGeometryIdAt(id, rng.pick([...new Set(infos.map(({ geometryIndex }) => geometryIndex))]));
}
