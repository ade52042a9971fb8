import { inspect, type MeshReport } from 'graze';
import { trianglesOf } from 'graze/three';
import type * as THREE from 'three';
import { FILE_KINDS, readModel } from '../load-model.ts';
import { fitted, geometryOf, MODEL_NAMES, MODELS, Model } from '../models.ts';
import type { Scene } from '../scene.ts';

/** A sphere with a hole, a flipped triangle, one that is there twice, and a spike through the wall. */
function broken(): THREE.BufferGeometry {
  const positions = MODELS.sphere().getAttribute('position').array;
  const index = Uint32Array.from(positions.slice(0, positions.length / 3).keys());
  const kept = index.slice(0, index.length - 36);
  [kept[1], kept[2]] = [kept[2]!, kept[1]!];
  const spike = positions.length / 3;
  return geometryOf({
    positions: [...positions, 0.2, 0, 0, 0.2, 0.3, 0, 1.6, 0.1, 0.1],
    index: [...kept, ...kept.slice(300, 303), spike, spike + 1, spike + 2],
  });
}

const SOURCES = { ...MODELS, 'broken sphere': broken };
type SourceName = keyof typeof SOURCES;

export const inspectMesh: Scene = {
  id: 'inspect',
  group: 'Meshes',
  title: 'Inspect a mesh',
  blurb:
    'Is a mesh fit for use, and if not, what is wrong and where? Drop a file of your own: it stays in your browser. Borders are drawn in one colour, triangles that cross in another.',
  source: 'RTCD §12',
  hint: `Drop a file (${FILE_KINDS.join(', ')}) onto the view, or choose a model.`,
  start(stage, panel) {
    let model: Model;
    let report: MeshReport;
    let failure: string | null = null;
    let name: string = 'broken sphere';

    const put = (geometry: THREE.BufferGeometry): void => {
      // What cannot be used is found out before anything changes.
      const next = new Model(geometry, stage.colour('second'), 0.8);
      report = inspect(next.state(), { maxSelfIntersections: 10_000 });
      if (model) stage.remove(model.object);
      model = next;
      stage.content.add(model.object);
    };
    /** Borders, and triangles that cross others. */
    const mark = (): void => {
      const { marks } = stage;
      marks.clear();
      const position = model.object.geometry.getAttribute('position');
      const at = (v: number) => ({ x: position.getX(v), y: position.getY(v), z: position.getZ(v) });
      for (const { vertices } of report.borders)
        vertices.forEach((v, i) => {
          marks.drawLine(at(v), at(vertices[(i + 1) % vertices.length]!), stage.colour('hit'));
        });
      for (const triangle of new Set(report.selfIntersections)) {
        const corners = model.corners(triangle);
        corners.forEach((corner, k) => {
          marks.drawLine(corner, corners[(k + 1) % 3]!, stage.colour('good'));
        });
      }
    };

    put(broken());
    panel.choice('model', [...MODEL_NAMES, 'broken sphere'] as SourceName[], 'broken sphere', (choice) => {
      name = choice;
      failure = null;
      put(SOURCES[choice]());
      stage.onChange();
    });
    stage.onDrop = async (file) => {
      try {
        const object = await readModel(file.name, await file.arrayBuffer());
        put(fitted(geometryOf(trianglesOf(object))));
        name = file.name;
        failure = null;
      } catch (error) {
        failure = (error as Error).message;
      }
      stage.onChange();
    };
    return {
      update() {
        const { volume, area } = report;
        mark();
        if (failure) panel.show('not read', failure, 'hit');
        panel.show('file', name);
        panel.show('triangles', report.triangleCount);
        panel.show('vertices', report.vertexCount);
        panel.show('parts', report.parts.length);
        for (const key of ['isClosed', 'isOriented', 'isManifold'] as const)
          panel.show(key.slice(2).toLowerCase(), report[key], report[key] ? 'good' : 'hit');
        panel.show('borders', report.borders.length);
        panel.show('without area', report.degenerateTriangles.length);
        panel.show('there twice', report.duplicateTriangles.length);
        panel.show('crossing pairs', report.selfIntersections.length / 2);
        panel.show('volume', volume);
        panel.show('area', area);
        panel.show('problems', report.problems.length, report.problems.length > 0 ? 'hit' : 'good');
        panel.notes(report.problems);
      },
      state: () => ({ ...model.state(), name }),
    };
  },
};
