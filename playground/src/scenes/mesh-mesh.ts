import { poses } from 'graze/math';
import { closestPointsMeshMesh, curvesMeshMesh, overlapMeshMesh, pairsMeshMesh } from 'graze/trimesh';
import * as THREE from 'three';
import { MODEL_NAMES, MODELS, Model, type ModelName } from '../models.ts';
import type { Scene } from '../scene.ts';

export const meshMesh: Scene = {
  id: 'mesh-mesh',
  group: 'Meshes',
  title: 'Mesh against mesh',
  blurb:
    'Two meshes: do they meet? If they do, the curves in which their surfaces cross; if not, their closest points. Closed meshes are solid: one wholly inside of the other meets it.',
  source: 'RTCD §6.3; Gottschalk, Lin and Manocha 1996',
  hint: 'Drag one mesh through the other; hold Shift, or choose Turn, to turn it.',
  start(stage, panel) {
    const names: [ModelName, ModelName] = ['torus knot', 'bunny'];
    const tones = ['first', 'second'] as const;
    const models: Model[] = [];
    const put = (i: number): void => {
      const old = models[i];
      const model = new Model(MODELS[names[i]!](), stage.colour(tones[i]!), 0.75);
      if (old) {
        model.object.position.copy(old.object.position);
        model.object.quaternion.copy(old.object.quaternion);
        stage.remove(old.object);
      } else model.object.position.set(i === 0 ? -0.9 : 0.9, 0, 0);
      models[i] = model;
      stage.addDraggable(model.object);
    };
    put(0);
    put(1);
    for (const i of [0, 1] as const)
      panel.choice(i === 0 ? 'first' : 'second', MODEL_NAMES, names[i], (name) => {
        names[i] = name;
        put(i);
        stage.onChange();
      });
    /** Where the second stands, as the first sees it. */
    const relative = () => poses.composePoses(poses.invertPose(models[0]!.object), models[1]!.object);
    return {
      update() {
        const [a, b] = models as [Model, Model];
        const pose = relative();
        overlapMeshMesh(a.mesh, b.mesh, pose); // the first question makes the trees of oriented boxes
        const start = performance.now();
        const overlap = overlapMeshMesh(a.mesh, b.mesh, pose);
        const took = performance.now() - start;
        const { curves } = curvesMeshMesh(a.mesh, b.mesh, pose);
        a.object.updateMatrixWorld();
        const { marks } = stage;
        marks.clear();
        for (const { points, closed } of curves) {
          const world = Array.from({ length: points.length / 3 }, (_, i) =>
            a.object.localToWorld(new THREE.Vector3().fromArray(points, 3 * i)),
          );
          for (let i = 0; i + 1 < world.length + +closed; i++)
            marks.drawLine(world[i]!, world[(i + 1) % world.length]!, stage.colour('hit'));
        }
        const apart = overlap ? null : closestPointsMeshMesh(a.mesh, b.mesh, pose);
        if (apart) {
          const [p, q] = [apart.a, apart.b].map((v) => a.object.localToWorld(new THREE.Vector3().copy(v)));
          marks.drawLine(p!, q!, stage.colour('good'));
          for (const end of [p!, q!]) marks.drawPoint(end, stage.colour('good'));
        }
        panel.show('overlap', overlap, overlap ? 'hit' : 'good');
        panel.show('triangle pairs', pairsMeshMesh(a.mesh, b.mesh, pose).length / 2);
        panel.show('curves', curves.length);
        panel.show('closed curves', curves.filter(({ closed }) => closed).length);
        panel.show('distance', apart?.distance ?? 0);
        panel.show('yes or no, in ms', took);
      },
      state: () => ({ a: models[0]!.state(), b: models[1]!.state(), pose: relative() }),
    };
  },
};
