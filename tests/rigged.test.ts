/** The oracle of skinned meshes, and the reader of rigged models, against three.js: two ways that share no code. */
import * as three from 'three';
import { describe, expect, test } from 'vitest';
import { factor } from './kit/index.ts';
import { hasRigged, RIGGED_NAMES, rigged } from './kit/rigged.ts';
import { loadRigged } from './kit/rigged-three.ts';
import { skinAll } from './kit/skin-oracle.ts';

describe.skipIf(!hasRigged)('rigged models (../shared/data/characters)', () => {
  test.each(RIGGED_NAMES)(
    '%s: its vertices are where three.js has them, through all animations',
    async (name) => {
      const model = rigged(name);
      const { scene, animations } = await loadRigged(name);
      const meshes: three.Mesh[] = [];
      scene.traverse((object) => {
        if ((object as three.Mesh).isMesh) meshes.push(object as three.Mesh);
      });
      const mixer = new three.AnimationMixer(scene);
      const size = Math.max(...skinAll(model.skin, model.pose(null, 0).joints).map(Math.abs));
      for (const [i, clip] of animations.entries()) {
        if (i % 5 > 0 && factor < 1) continue;
        for (const t of [0.31, 0.87]) {
          mixer.stopAllAction();
          mixer.clipAction(clip).play();
          mixer.setTime(t * clip.duration);
          scene.updateMatrixWorld(true);
          const theirs: string[] = [];
          const key = ({ x, y, z }: three.Vector3) =>
            [x, y, z].map((c) => Math.round((c / size) * 1e4) + 0).join();
          for (const mesh of meshes)
            for (let v = 0; v < mesh.geometry.getAttribute('position').count; v++)
              theirs.push(key(mesh.getVertexPosition(v, new three.Vector3()).applyMatrix4(mesh.matrixWorld)));
          const { joints, morphs } = model.pose(i, t * clip.duration);
          const ours = skinAll(model.skin, joints, morphs);
          expect(theirs.length).toBe(ours.length / 3);
          const all = new Set(theirs);
          let apart = 0;
          for (let v = 0; v < ours.length; v += 3) {
            // Rounded to the grid either way.
            const p = new three.Vector3().fromArray(ours, v);
            if (!all.has(key(p)) && !hasNear(all, p, size)) apart++;
          }
          expect(apart).toBe(0);
        }
      }
    },
  );
});

function hasNear(all: Set<string>, p: three.Vector3, size: number): boolean {
  const at = [p.x, p.y, p.z].map((c) => (c / size) * 1e4);
  for (let i = 0; i < 8; i++)
    if (all.has(at.map((c, k) => (i & (1 << k) ? Math.ceil(c) : Math.floor(c)) + 0).join())) return true;
  return false;
}
