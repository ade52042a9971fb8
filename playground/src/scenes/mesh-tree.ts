import { type Mesh, mesh as shapeOf } from 'graze';
import { QueryWorkers } from 'graze/query';
import { DebugView } from 'graze/three';
import { MODEL_NAMES, MODELS, Model, type ModelName, millionTriangles } from '../models.ts';
import type { Scene } from '../scene.ts';

/** How deep the tree goes, how many leaves it has, and how many boxes at a level. */
function measure({ tree }: Mesh, level: number): { boxes: number; depth: number; leaves: number } {
  const { links } = tree;
  let [boxes, depth, leaves] = [0, 0, 0];
  const stack: [link: number, level: number][] = [[0, 0]];
  while (stack.length > 0) {
    const [link, at] = stack.pop()!;
    depth = Math.max(depth, at);
    if (at === level) boxes++;
    if (link < 0) leaves++;
    else
      for (const side of [0, 1]) {
        // A negative link is a leaf; its last four bits, turned over, count its triangles.
        const child = links[link / 2 + 6 + side]!;
        if (child >= 0 || (~child & 15) > 0) stack.push([child, at + 1]);
      }
  }
  return { boxes, depth, leaves };
}

const MILLION = 'a million triangles';

export const meshTree: Scene = {
  id: 'tree',
  group: 'Meshes',
  title: 'Tree, level by level',
  blurb:
    'The tree over the triangles of a mesh: boxes on a 16-bit grid, split by the surface area heuristic. Two boxes share a node of 32 bytes.',
  source: 'RTCD §6.2, §6.6, §13.3',
  hint: 'Choose a model, and move the slider down the levels of the tree.',
  start(stage, panel) {
    let level = 4;
    let model: Model;
    const wires = new DebugView();
    let building: string | null = null;
    let choice: ModelName | typeof MILLION = 'bunny';
    const put = (next: Model): void => {
      if (model) stage.remove(model.object);
      model = next;
      stage.content.add(model.object);
    };
    /** In a worker, while the page goes on. */
    const putMillion = async (): Promise<void> => {
      const geometry = millionTriangles();
      const workers = new QueryWorkers({ threads: 1 });
      try {
        const positions = geometry.getAttribute('position').array;
        const index = geometry.index!.array;
        const onProgress = (done: number): void => {
          building = `${Math.round(100 * done)} %`;
          if (choice === MILLION) stage.onChange();
        };
        onProgress(0);
        const built = await workers.mesh(positions, index, { onProgress });
        if (choice === MILLION) put(new Model(geometry, stage.colour('second'), 1, shapeOf(built)));
      } finally {
        workers.close();
        building = null;
      }
      if (choice === MILLION) stage.onChange();
    };
    stage.content.add(wires);
    put(new Model(MODELS[choice](), stage.colour('second')));
    panel.choice('model', [...MODEL_NAMES, MILLION] as const, choice, (name) => {
      choice = name;
      if (name === MILLION) void putMillion();
      else {
        put(new Model(MODELS[name](), stage.colour('second')));
        stage.onChange();
      }
    });
    panel.slider('level', [1, 24, 1], level, (value) => {
      level = value;
      stage.onChange();
    });
    return {
      update() {
        const { mesh } = model;
        const { boxes, depth, leaves } = measure(mesh, level);
        wires.clear();
        wires.drawTree(model.mesh, level);
        if (building) panel.show('built in a worker', building);
        panel.show('triangles', mesh.triangleCount);
        panel.show('level', Math.min(level, depth));
        panel.show('boxes shown', boxes);
        panel.show('depth', depth);
        panel.show('leaves', leaves);
        panel.show('nodes', mesh.tree.nodeCount);
        panel.show('bytes a triangle', mesh.buffer.byteLength / mesh.triangleCount);
      },
      state: () => ({ ...model.state(), level }),
    };
  },
};
