/** The ways to ask a million rays. Each gives the same answers, to the last bit. */
import type { Mesh } from 'graze';
import { requestGpu } from 'graze/gpu';
import { type Lane, QueryWorkers, type RayHits, raycastMany, type StridedNumbers } from 'graze/query';
import { addSimd, laneOf, removeSimd } from 'graze/simd';

/** Rays as they come interleaved: origin and direction of one, then of the next. */
export interface Rays {
  readonly count: number;
  readonly origins: StridedNumbers;
  readonly directions: StridedNumbers;
}

/** Hits, and how they were found. */
export interface Answer {
  readonly hits: RayHits;
  /** As the library tells it. */
  readonly took: string;
}

/** One way: `ask` answers; `close` ends what it has started. */
export interface Way {
  ask(rays: Rays, mesh: Mesh): Promise<Answer>;
  close(): void;
}

const alone = (prepare: (mesh: Mesh) => void): Way => ({
  async ask({ origins, directions }, mesh) {
    prepare(mesh);
    const hits = raycastMany(origins, directions, mesh);
    return { hits, took: `1 thread, ${laneOf(mesh)}` };
  },
  close() {},
});

function withWorkers(prepare: (mesh: Mesh) => void): Way {
  const workers = new QueryWorkers();
  return {
    async ask({ origins, directions }, mesh) {
      prepare(mesh);
      let took = '';
      const onLane = ({ threads, shared, simd, reason }: Lane): void => {
        const memory = shared ? 'shared' : 'copied';
        took =
          threads === 0
            ? `this thread: ${reason}`
            : `${threads} threads, ${memory}, ${simd ? 'simd' : 'scalar'}`;
      };
      return { hits: await workers.raycastMany(origins, directions, mesh, { onLane }), took };
    },
    close: () => workers.close(),
  };
}

function withGpu(): Way {
  const device = requestGpu();
  return {
    async ask({ count, origins, directions }, mesh) {
      removeSimd(mesh);
      const gpu = await device;
      const out = {
        t: new Float64Array(count),
        triangle: new Int32Array(count),
        v: new Float64Array(count),
        w: new Float64Array(count),
        point: new Float64Array(3 * count),
        normal: new Float64Array(3 * count),
      };
      const { lane, reason, onCpu } = await gpu.batch('rayMesh', { origins, directions }, mesh, out);
      const hits = { ...out, child: new Int32Array(count).fill(-1) };
      return { hits, took: lane === 'gpu' ? `GPU, but for ${onCpu} rays` : `this thread: ${reason}` };
    },
    close: () => void device.then((gpu) => gpu.close()),
  };
}

/** Started when chosen. */
export const WAYS: Readonly<Record<string, () => Way>> = {
  pure: () => alone(removeSimd),
  SIMD: () => alone(addSimd),
  workers: () => withWorkers(removeSimd),
  'workers with SIMD': () => withWorkers(addSimd),
  GPU: withGpu,
};

/** Of a square picture, from an eye that looks at the origin: in shared memory, where there is any. */
export function picture(eye: { x: number; y: number; z: number }, side: number): Rays {
  const bytes = 8 * 6 * side * side;
  const array = new Float64Array(
    typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes),
  );
  const { x, y, z } = eye;
  const far = Math.sqrt(x * x + y * y + z * z);
  const across = Math.sqrt(x * x + z * z) || 1;
  // To the right, and up, at right angles to the view; half the width of the picture at the origin.
  const half = 1.5;
  const [rx, rz] = [(half * z) / across, (-half * x) / across];
  const [ux, uy, uz] = [
    (-half * x * y) / (across * far),
    (half * across) / far,
    (-half * z * y) / (across * far),
  ];
  for (let row = 0, at = 0; row < side; row++)
    for (let column = 0; column < side; column++, at += 6) {
      const u = (2 * column + 1) / side - 1;
      const v = (2 * row + 1) / side - 1;
      array[at] = x;
      array[at + 1] = y;
      array[at + 2] = z;
      array[at + 3] = u * rx + v * ux - x;
      array[at + 4] = v * uy - y;
      array[at + 5] = u * rz + v * uz - z;
    }
  return {
    count: side * side,
    origins: { array, stride: 6 },
    directions: { array, offset: 3, stride: 6 },
  };
}

/** A number that is another one as soon as a bit of the answers is. */
export function hashOf({ t, triangle, point, normal }: RayHits): number {
  let hash = 0x811c9dc5 | 0;
  for (const list of [t, triangle, point, normal]) {
    const words = new Int32Array(list.buffer, list.byteOffset, list.byteLength / 4);
    for (let i = 0; i < words.length; i++) {
      hash = Math.imul(hash ^ words[i]!, 0x01000193);
      hash ^= hash >>> 15;
    }
  }
  return hash >>> 0;
}
