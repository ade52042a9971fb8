import { QueryWorkers } from 'graze/query';
import { DebugView } from 'graze/three';
import { batchMesh } from 'graze/trimesh';
import * as THREE from 'three';
import { Thing } from '../geometries.ts';
import { MODEL_NAMES, MODELS, Model, type ModelName } from '../models.ts';
import type { Scene } from '../scene.ts';

export const meshRays: Scene = {
  id: 'mesh-rays',
  group: 'Meshes',
  title: 'Rays on a mesh',
  blurb:
    'A lamp with thousands of rays, and where each of them first hits the mesh. Every hit is decided exactly: nothing leaks through an edge.',
  source: 'RTCD §5.3.6, §6.3',
  hint: 'Drag the lamp, or the mesh; hold Shift to turn the mesh.',
  start(stage, panel) {
    let side = 60;
    let workers: QueryWorkers | null = null;
    let asked = 0;
    let model: Model;
    const lamp = new Thing('point', stage.colour('first')).at(-2.1, 1.1, 1.9);
    const rays = new DebugView({ opacity: 0.12, capacity: 1000 });
    const hits = new DebugView({ pointSize: 0.012, capacity: 4000 });
    const put = (name: ModelName): void => {
      if (model) stage.remove(model.object);
      model = new Model(MODELS[name](), stage.colour('second'));
      stage.addDraggable(model.object);
    };
    put('torus knot');
    stage.addDraggable(lamp.object);
    stage.content.add(rays, hits);
    stage.lookFrom(-0.6, 4.2, 7.6);
    panel.choice('model', MODEL_NAMES, 'torus knot', (name) => {
      put(name);
      stage.onChange();
    });
    panel.slider('rays a side', [5, 200, 5], side, (value) => {
      side = value;
      stage.onChange();
    });
    panel.choice('threads', ['this one', 'workers'], 'this one', (choice) => {
      workers?.close();
      workers = choice === 'workers' ? new QueryWorkers() : null;
      stage.onChange();
    });

    /** A square pyramid of rays from the lamp to the middle of the mesh, in the mesh's own space. */
    const cone = (): { origins: number[]; directions: number[] } => {
      model.object.updateMatrixWorld();
      const toMesh = model.object.matrixWorld.clone().invert();
      const origin = lamp.object.position.clone().applyMatrix4(toMesh);
      const ahead = new THREE.Vector3().sub(origin);
      const right = new THREE.Vector3(0, 1, 0)
        .cross(ahead)
        .normalize()
        .multiplyScalar(ahead.length() * 0.6);
      const up = ahead
        .clone()
        .cross(right)
        .normalize()
        .multiplyScalar(ahead.length() * 0.6);
      const origins: number[] = [];
      const directions: number[] = [];
      for (let i = 0; i < side; i++)
        for (let j = 0; j < side; j++) {
          const d = ahead
            .clone()
            .addScaledVector(right, (2 * i) / (side - 1) - 1)
            .addScaledVector(up, (2 * j) / (side - 1) - 1);
          origins.push(origin.x, origin.y, origin.z);
          directions.push(d.x, d.y, d.z);
        }
      return { origins, directions };
    };

    const show = (
      origins: readonly number[],
      directions: readonly number[],
      t: Float64Array,
      took: number,
    ): void => {
      rays.clear();
      hits.clear();
      let count = 0;
      let nearest = Infinity;
      const toWorld = model.object.matrixWorld;
      const every = Math.max(1, Math.floor((side * side) / 900));
      for (let i = 0; i < t.length; i++) {
        const at = t[i]! === Infinity ? 1.4 : t[i]!;
        const o = new THREE.Vector3(origins[3 * i], origins[3 * i + 1], origins[3 * i + 2]);
        const p = o
          .clone()
          .add(
            new THREE.Vector3(directions[3 * i], directions[3 * i + 1], directions[3 * i + 2]).multiplyScalar(
              at,
            ),
          )
          .applyMatrix4(toWorld);
        if (t[i]! < Infinity) {
          hits.drawPoint(p, stage.colour('hit'));
          count++;
          nearest = Math.min(nearest, t[i]!);
        }
        if (i % every === 0) rays.drawLine(lamp.object.position, p, stage.colour('first'));
      }
      panel.show('triangles', model.mesh.triangleCount);
      panel.show('rays', t.length);
      panel.show('hits', count);
      panel.show('nearest t', nearest === Infinity ? null : nearest);
      panel.show('rays a second', Math.round((t.length / Math.max(took, 0.1)) * 1000));
      panel.show('threads', workers?.threads ?? 1);
    };

    return {
      update() {
        const { origins, directions } = cone();
        const input = { origins: Float64Array.from(origins), directions: Float64Array.from(directions) };
        const turn = ++asked;
        const start = performance.now();
        if (!workers)
          show(origins, directions, batchMesh('rayMesh', input, model.mesh).t, performance.now() - start);
        else
          void workers.batch('rayMesh', input, model.mesh).then(({ t }) => {
            if (turn !== asked) return;
            show(origins, directions, t, performance.now() - start);
            stage.invalidate();
          });
      },
      state: () => ({ ...model.state(), ...cone() }),
    };
  },
};
