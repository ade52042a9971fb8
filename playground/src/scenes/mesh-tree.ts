import type { Mesh } from 'graze';
import { MeshWorkers } from 'graze/trimesh';
import {
  boxEdges,
  MODEL_NAMES,
  MODELS,
  Model,
  type ModelName,
  millionTriangles,
  Segments,
} from '../models.ts';
import type { Scene } from '../scene.ts';

/** The boxes at a level of the tree (those of leaves that end above it included), and how deep it goes. */
function boxesAt({ tree }: Mesh, level: number): { boxes: number[][]; depth: number; leaves: number } {
  const { bounds, links, grid } = tree;
  const boxes: number[][] = [];
  let depth = 0;
  let leaves = 0;
  const stack: [link: number, level: number, box: number[] | null][] = [[0, 0, null]];
  while (stack.length > 0) {
    const [link, at, box] = stack.pop()!;
    depth = Math.max(depth, at);
    if (box && (at === level || (link < 0 && at < level))) boxes.push(box);
    if (link < 0) {
      leaves += (~link & 15) > 0 ? 1 : 0;
      continue;
    }
    for (let side = 0; side < 2; side++) {
      const child = links[link / 2 + 6 + side]!;
      if (child < 0 && (~child & 15) === 0) continue;
      const own = Array.from({ length: 6 }, (_, k) => {
        return grid[k % 3]! + bounds[link + side * 6 + k]! * grid[3 + (k % 3)]!;
      });
      stack.push([child, at + 1, own]);
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
    const wires = new Segments(stage.colour('hit'));
    let building: string | null = null;
    let choice: ModelName | typeof MILLION = 'bunny';
    const put = (next: Model): void => {
      if (model) stage.remove(model.object);
      model = next;
      stage.content.add(model.object);
    };
    /** In a worker, while the page goes on. */
    const putMillion = async (): Promise<void> => {
      const arrays = millionTriangles();
      const workers = new MeshWorkers({ threads: 1 });
      try {
        const { positions, index } = arrays;
        const onProgress = (done: number): void => {
          building = `${Math.round(100 * done)} %`;
          if (choice === MILLION) stage.onChange();
        };
        onProgress(0);
        const built = await workers.mesh(positions, index, { onProgress });
        if (choice === MILLION) put(new Model(arrays, stage.colour('second'), 1, built));
      } finally {
        workers.close();
        building = null;
      }
      if (choice === MILLION) stage.onChange();
    };
    stage.content.add(wires.object);
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
        const { boxes, depth, leaves } = boxesAt(mesh, level);
        const ends: number[] = [];
        for (const box of boxes) boxEdges(box, ends);
        wires.set(ends);
        if (building) panel.show('built in a worker', building);
        panel.show('triangles', mesh.triangleCount);
        panel.show('level', Math.min(level, depth));
        panel.show('boxes shown', boxes.length);
        panel.show('depth', depth);
        panel.show('leaves', leaves);
        panel.show('nodes', mesh.tree.nodeCount);
        panel.show('bytes a triangle', mesh.buffer.byteLength / mesh.triangleCount);
      },
      state: () => ({ ...model.arrays, level }),
    };
  },
};
