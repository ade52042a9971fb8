import { type Gpu, type GpuBoxes, type GpuBoxPairs, requestGpu } from 'graze/gpu';
import * as THREE from 'three';
import type { Scene } from '../scene.ts';

/** Half the side of the room that they move in. */
const ROOM = 2.2;

/** The same swarm every time: a small generator of our own. Each box meets about one other. */
function makeSwarm(count: number) {
  let seed = 4711;
  const between = (low: number, high: number) => {
    seed = (seed * 16807) % 2147483647;
    return low + ((high - low) * seed) / 2147483647;
  };
  const half = (0.55 * ROOM) / Math.cbrt(count);
  return {
    count,
    centers: Float32Array.from({ length: 3 * count }, () => between(-ROOM, ROOM)),
    halves: Float32Array.from({ length: 3 * count }, () => between(0.5 * half, half)),
    velocities: Float32Array.from({ length: 3 * count }, () => between(-0.2, 0.2)),
    boxes: new Float64Array(6 * count),
  };
}

const same = (a: GpuBoxPairs, b: GpuBoxPairs): boolean =>
  a.count === b.count && a.ids.every((id, i) => id === b.ids[i]);

export const gpuBoxes: Scene = {
  id: 'gpu-boxes',
  group: 'Worlds',
  title: 'A hundred thousand boxes',
  blurb:
    'All of them move, and each frame the GPU and one thread of the CPU tell which of them meet: the same pairs, in the same order. Boxes that meet others are bright. Without a GPU the CPU answers for it.',
  source: 'RTCD §7',
  hint: 'Watch the milliseconds. A software adapter is slower than the CPU that it runs on.',
  start(stage, panel) {
    let swarm = makeSwarm(0);
    let dots: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial> | null = null;
    let gpu: Gpu | null = null;
    let onGpu: GpuBoxes | null = null;
    let onCpu: GpuBoxes | null = null;
    let left = false;
    let busy = false;
    const costs = { gpu: 0, cpu: 0 };
    let frames = 0;
    stage.lookFrom(3.6, 2.4, 5.6);
    stage.onLeave = () => {
      left = true;
      gpu?.close();
    };

    const write = () => {
      const { centers, halves, boxes, count } = swarm;
      for (let i = 0; i < 3 * count; i++) {
        const at = 6 * Math.floor(i / 3) + (i % 3);
        boxes[at] = centers[i]! - halves[i]!;
        boxes[at + 3] = centers[i]! + halves[i]!;
      }
    };

    const build = (count: number) => {
      if (dots) stage.remove(dots);
      swarm = makeSwarm(count);
      costs.gpu = costs.cpu = frames = 0;
      write();
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(swarm.centers, 3));
      geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(3 * count), 3));
      dots = new THREE.Points(
        geometry,
        new THREE.PointsMaterial({ size: count > 50_000 ? 0.02 : 0.04, vertexColors: true }),
      );
      dots.frustumCulled = false;
      stage.content.add(dots);
    };

    const paint = ({ ids }: GpuBoxPairs) => {
      const { position, color } = dots!.geometry.attributes as Record<string, THREE.BufferAttribute>;
      const [calm, hit] = [stage.colour('first'), stage.colour('hit')];
      for (let i = 0; i < swarm.count; i++) color!.setXYZ(i, 0.35 * calm.r, 0.35 * calm.g, 0.35 * calm.b);
      for (const id of ids) color!.setXYZ(id, hit.r, hit.g, hit.b);
      position!.needsUpdate = true;
      color!.needsUpdate = true;
    };

    /** The first frames compile code and make memory: they do not count. */
    const average = (lane: 'gpu' | 'cpu', milliseconds: number): void => {
      costs[lane] += (milliseconds - costs[lane]) * (frames < 3 ? 1 : 0.2);
    };

    const ask = async (): Promise<void> => {
      if (!gpu) {
        gpu = await requestGpu();
        const none = await requestGpu();
        none.close();
        onGpu = gpu.boxes();
        onCpu = none.boxes();
      }
      const asked = swarm;
      const start = performance.now();
      const found = await onGpu!.pairs(asked.boxes);
      const middle = performance.now();
      const alone = await onCpu!.pairs(asked.boxes);
      if (left || asked !== swarm) return;
      average('gpu', middle - start);
      average('cpu', performance.now() - middle);
      frames++;
      paint(found);
      panel.clear();
      panel.show('boxes', asked.count);
      panel.show('pairs', found.count, 'hit');
      panel.show('of', (asked.count * (asked.count - 1)) / 2);
      panel.show('lane', found.lane === 'gpu' ? 'GPU' : `CPU: ${found.reason}`);
      panel.show('the same pairs', same(found, alone) ? 'yes' : 'no', 'good');
      panel.show('GPU, ms', Number(costs.gpu.toFixed(1)));
      panel.show('CPU, ms', Number(costs.cpu.toFixed(1)));
      panel.show('frames', frames);
      stage.invalidate();
    };

    const update = () => {
      if (busy) return;
      busy = true;
      ask()
        .catch((error: Error) => panel.show('asking', error.message))
        .finally(() => {
          busy = false;
        });
    };

    panel.choice('boxes', ['10000', '100000'], '100000', (value) => {
      build(Number(value));
      update();
    });
    build(100_000);
    stage.onFrame = (seconds) => {
      if (busy) return; // what is asked about stays where it is
      const { centers, velocities } = swarm;
      const step = Math.min(seconds, 1 / 30);
      for (let i = 0; i < centers.length; i++) {
        centers[i]! += velocities[i]! * step;
        if (Math.abs(centers[i]!) > ROOM && centers[i]! * velocities[i]! > 0) velocities[i]! *= -1;
      }
      write();
      update();
    };
    return { update, state: () => ({ count: swarm.count }) };
  },
};
