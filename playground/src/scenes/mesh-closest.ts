import { closestPointMesh, containsPointMesh, signedDistanceMesh } from 'graze/trimesh';
import * as THREE from 'three';
import { Thing } from '../geometries.ts';
import { MODEL_NAMES, MODELS, Model, type ModelName } from '../models.ts';
import type { Scene } from '../scene.ts';

export const meshClosest: Scene = {
  id: 'mesh-closest',
  group: 'Meshes',
  title: 'Closest point, inside or out',
  blurb:
    'The point of the mesh nearest to the dot, the triangle that it is on, and the signed distance: negative inside. Inside is told by exact crossings, and by the winding number for open meshes.',
  source: 'RTCD §5.1.5; Barill et al. 2018',
  hint: 'Drag the dot into the mesh and out again. Drag or turn the mesh, too.',
  start(stage, panel) {
    let model: Model;
    const point = new Thing('point', stage.colour('first')).at(1.9, 1.2, 0.8);
    const put = (name: ModelName): void => {
      if (model) stage.remove(model.object);
      model = new Model(MODELS[name](), stage.colour('second'), 0.55);
      stage.addDraggable(model.object);
    };
    put('bunny');
    stage.addDraggable(point.object);
    panel.choice('model', MODEL_NAMES, 'bunny', (name) => {
      put(name);
      stage.onChange();
    });
    /** The dot, in the mesh's own space. */
    const asked = (): THREE.Vector3 => {
      model.object.updateMatrixWorld();
      return model.object.worldToLocal(point.object.position.clone());
    };
    return {
      update() {
        const { mesh, object } = model;
        const p = asked();
        const found = closestPointMesh(p, mesh)!;
        const world = object.localToWorld(new THREE.Vector3().copy(found.point));
        const { marks } = stage;
        const colour = stage.colour('hit');
        marks.clear();
        marks.drawPoint(world, colour);
        marks.drawLine(point.object.position, world, colour);
        const corners = model.corners(found.triangle);
        corners.forEach((corner, k) => {
          marks.drawLine(corner, corners[(k + 1) % 3]!, colour);
        });
        const inside = containsPointMesh(p, mesh);
        point.paint(stage.colour(inside ? 'good' : 'first'));
        panel.show('distance', found.distance);
        panel.show('signed distance', signedDistanceMesh(p, mesh));
        panel.show('inside', inside, inside ? 'good' : undefined);
        panel.show('triangle', found.triangle);
        panel.show(
          'on its',
          found.feature === 'face' ? 'face' : found.feature.length === 1 ? 'corner' : 'edge',
        );
        panel.show('point', found.point);
      },
      state: () => {
        const { x, y, z } = asked();
        return { ...model.state(), p: { x, y, z } };
      },
    };
  },
};
