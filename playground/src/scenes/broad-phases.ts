import {
  BitGrid,
  type BroadPhase,
  HierarchicalGrid,
  IncrementalSweep,
  LooseOctree,
  makePairList,
  SortAndSweep,
  TreeBroadPhase,
} from 'graze/broadphase';
import * as THREE from 'three';
import type { Scene } from '../scene.ts';

const KINDS: Readonly<Record<string, () => BroadPhase>> = {
  'dynamic tree': () => new TreeBroadPhase(),
  'sort and sweep': () => new SortAndSweep(),
  'incremental sweep': () => new IncrementalSweep(),
  'hierarchical grid': () => new HierarchicalGrid(),
  'loose octree': () => new LooseOctree(),
  'bit grid': () => new BitGrid({ cell: 0.3 }),
};
/** Half the side of the room that they move in. */
const ROOM = 2.6;

/** The same swarm every time: a small generator of our own. */
function makeSwarm(count: number) {
  let seed = 4711;
  const between = (low: number, high: number) => {
    seed = (seed * 16807) % 2147483647;
    return low + ((high - low) * seed) / 2147483647;
  };
  return {
    centers: Float64Array.from({ length: 3 * count }, () => between(-ROOM, ROOM)),
    halves: Float64Array.from({ length: 3 * count }, () => between(0.03, 0.12)),
    velocities: Float64Array.from({ length: 3 * count }, () => between(-0.6, 0.6)),
    boxes: new Float64Array(6 * count),
    ids: Int32Array.from({ length: count }, (_, i) => i),
  };
}

export const broadPhases: Scene = {
  id: 'broad-phases',
  group: 'Worlds',
  title: 'Broad phases side by side',
  blurb:
    'One swarm of boxes, and every broad phase that a world can have: all get the same moves and must tell the same pairs. Boxes that meet others are red.',
  source: 'RTCD §6.2.3, §7.1 – §7.5',
  hint: 'Let all of them move or only a few, and watch the milliseconds.',
  start(stage, panel) {
    let swarm = makeSwarm(0);
    let finders: { name: string; finder: BroadPhase; cost: number; pairs: number }[] = [];
    let mesh: THREE.InstancedMesh | null = null;
    let share = 1;
    let turn = 0;
    const list = makePairList();
    const touching = new Set<number>();
    stage.lookFrom(4.6, 3.2, 6.6);

    const write = () => {
      const { centers, halves, boxes } = swarm;
      for (let i = 0; i < centers.length; i++) {
        const at = 6 * Math.floor(i / 3) + (i % 3);
        boxes[at] = centers[i]! - halves[i]!;
        boxes[at + 3] = centers[i]! + halves[i]!;
      }
    };

    const build = (count: number) => {
      if (mesh) stage.remove(mesh);
      swarm = makeSwarm(count);
      write();
      finders = Object.entries(KINDS).map(([name, make]) => {
        const finder = make();
        for (let id = 0; id < count; id++) {
          const [ax, ay, az, bx, by, bz] = swarm.boxes.subarray(6 * id, 6 * id + 6) as unknown as number[];
          finder.add(id, { min: { x: ax!, y: ay!, z: az! }, max: { x: bx!, y: by!, z: bz! } });
        }
        return { name, finder, cost: 0, pairs: 0 };
      });
      mesh = new THREE.InstancedMesh(
        new THREE.BoxGeometry(1, 1, 1),
        new THREE.MeshStandardMaterial({ roughness: 0.6 }),
        count,
      );
      mesh.frustumCulled = false;
      stage.content.add(mesh);
    };

    const paint = () => {
      const { centers, halves, ids } = swarm;
      const matrix = new THREE.Matrix4();
      for (const id of ids) {
        const q = 3 * id;
        matrix.makeScale(2 * halves[q]!, 2 * halves[q + 1]!, 2 * halves[q + 2]!);
        matrix.setPosition(centers[q]!, centers[q + 1]!, centers[q + 2]!);
        mesh!.setMatrixAt(id, matrix);
        mesh!.setColorAt(id, stage.colour(touching.has(id) ? 'hit' : 'first'));
      }
      mesh!.instanceMatrix.needsUpdate = true;
      if (mesh!.instanceColor) mesh!.instanceColor.needsUpdate = true;
    };

    const update = () => {
      const moved = swarm.ids.subarray(0, Math.ceil(share * swarm.ids.length));
      // Each is the first in its turn: that one finds the boxes cold.
      turn = (turn + 1) % finders.length;
      for (let k = 0; k < finders.length; k++) {
        const entry = finders[(turn + k) % finders.length]!;
        const start = performance.now();
        entry.finder.moveMany(moved, swarm.boxes);
        entry.pairs = entry.finder.collectPairs!(list);
        entry.cost += 0.1 * (performance.now() - start - entry.cost);
      }
      // The last one has filled the list; all must have told as many.
      touching.clear();
      const { pairs } = finders[(turn + finders.length - 1) % finders.length]!;
      for (let i = 0; i < 2 * pairs; i++) touching.add(list.ids[i]!);
      paint();
      const count = swarm.ids.length;
      panel.clear();
      panel.show('boxes', count);
      panel.show('that move', moved.length);
      panel.show('pairs', pairs, 'hit');
      panel.show('of', (count * (count - 1)) / 2);
      panel.show('all tell the same', finders.every((entry) => entry.pairs === pairs) ? 'yes' : 'no', 'good');
      const least = Math.min(...finders.map(({ cost }) => cost));
      for (const { name, cost } of finders)
        panel.show(`${name}, ms`, Number(cost.toFixed(3)), cost === least ? 'good' : undefined);
      stage.invalidate();
    };

    panel.choice('boxes', ['100', '1000', '5000'], '1000', (value) => {
      build(Number(value));
      update();
    });
    panel.choice('moving', ['all', '5 %'], 'all', (value) => {
      share = value === 'all' ? 1 : 0.05;
    });
    build(1000);
    stage.onFrame = (seconds) => {
      const { centers, velocities } = swarm;
      const step = Math.min(seconds, 1 / 30);
      for (let i = 0; i < 3 * Math.ceil((share * centers.length) / 3); i++) {
        centers[i]! += velocities[i]! * step;
        if (Math.abs(centers[i]!) > ROOM && centers[i]! * velocities[i]! > 0) velocities[i]! *= -1;
      }
      write();
      update();
    };
    return {
      update,
      state: () => ({ boxes: Array.from(swarm.boxes), pairs: finders.map(({ pairs }) => pairs) }),
    };
  },
};
