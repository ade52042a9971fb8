/** Five scenes of moving boxes and of points, what is asked of them, and the answers by a look at each. */
import { Rng } from '../tests/kit/rng.ts';
import { lazily } from './harness.ts';

export const SCENES = ['uniform', 'clustered', 'city', 'mixed', 'asleep'] as const;
export type SceneName = (typeof SCENES)[number];

/** Frames of a scene: fewer where memory would not hold them. */
const framesOf = (n: number): number => (n > 100_000 ? 3 : 8);

export interface Scene {
  readonly name: string;
  readonly n: number;
  /** All boxes at each frame, six numbers a box. */
  readonly frames: readonly Float64Array[];
  /** The boxes that move. */
  readonly movers: Int32Array;
  /** Three numbers a point: the centers of the boxes in the first frame. */
  readonly points: Float64Array;
  /** Boxes to search in, points to search from, and rays (origin, direction), about where the boxes are. */
  readonly ranges: Float64Array;
  readonly probes: Float64Array;
  readonly rays: Float64Array;
  /** About eight points are so near to a probe. */
  readonly radius: number;
}

export const QUERIES = 1000;

/** `flat`: all in the plane z = 0. */
export function makeScene(name: SceneName, n: number, flat = false): Scene {
  const rng = new Rng(7);
  const at = new Float64Array(3 * n);
  const half = new Float64Array(3 * n);
  const side =
    name === 'city' || flat ? 1.5 * Math.sqrt(n) : name === 'mixed' ? Math.cbrt(400 * n) : Math.cbrt(2 * n);
  const clusters = Array.from({ length: 20 }, () => [0, 0, 0].map(() => rng.range(0, 4 * side)));
  for (let i = 0; i < n; i++) {
    const cluster = rng.pick(clusters);
    const size = name === 'mixed' ? 0.02 * 10 ** rng.range(0, 3) : 1;
    for (let k = 0; k < 3; k++) {
      at[3 * i + k] =
        name === 'clustered'
          ? cluster[k]! + 0.12 * side * rng.gauss()
          : rng.range(0, name === 'city' && k === 1 ? 3 : side);
      half[3 * i + k] = 0.5 * size * (name === 'mixed' ? rng.range(0.7, 1) : rng.range(0.5, 1.5));
    }
    if (flat) at[3 * i + 2] = half[3 * i + 2] = 0;
  }
  const movers = Int32Array.from({ length: n }, (_, i) => i).filter((i) => name !== 'asleep' || i % 20 === 0);
  const steps = new Float64Array(3 * n);
  for (const i of movers)
    for (let k = 0; k < 3; k++) steps[3 * i + k] = rng.range(-0.1, 0.1) * 2 * half[3 * i + k]!;
  const frames = Array.from({ length: framesOf(n) }, (_, frame) => {
    const boxes = new Float64Array(6 * n);
    for (let i = 0; i < 3 * n; i++) {
      const q = 6 * Math.floor(i / 3) + (i % 3);
      boxes[q] = at[i]! + frame * steps[i]! - half[i]!;
      boxes[q + 3] = at[i]! + frame * steps[i]! + half[i]!;
    }
    return boxes;
  });
  const ranges = new Float64Array(6 * QUERIES);
  const probes = new Float64Array(3 * QUERIES);
  const rays = new Float64Array(6 * QUERIES);
  const reach = name === 'clustered' ? 0.1 * side : Math.min(2, side / 3);
  for (let i = 0; i < QUERIES; i++)
    for (let k = 0; k < 3; k++) {
      const p = at[3 * rng.int(0, n - 1) + k]! + (flat && k === 2 ? 0 : rng.range(-1, 1));
      const off = (flat && k === 2 ? 0 : 1) * rng.range(0.5, 1) * reach;
      ranges[6 * i + k] = p - off;
      ranges[6 * i + k + 3] = p + off;
      probes[3 * i + k] = p;
      rays[6 * i + k] = p;
      rays[6 * i + k + 3] = rng.range(-1, 1);
    }
  // Probes and ranges near the points, and not between coordinates of different ones.
  for (let i = 0; i < QUERIES; i++) {
    const j = rng.int(0, n - 1);
    for (let k = 0; k < 3; k++) {
      const p = at[3 * j + k]! + (flat && k === 2 ? 0 : rng.range(-1, 1));
      const off = (ranges[6 * i + k + 3]! - ranges[6 * i + k]!) / 2;
      ranges[6 * i + k] = p - off;
      ranges[6 * i + k + 3] = p + off;
      probes[3 * i + k] = p;
      rays[6 * i + k] = p;
    }
  }
  return {
    name: flat ? `${name}, in the plane` : name,
    n,
    frames,
    movers,
    points: at,
    ranges,
    probes,
    rays,
    radius: reach,
  };
}

/** To and fro through the frames: the boxes of the next one, and of those that move only. */
export function player({ frames, movers }: Scene) {
  let frame = 0;
  let sign = 1;
  const moved = frames.map((boxes) => {
    const list = new Float64Array(6 * movers.length);
    movers.forEach((id, i) => void list.set(boxes.subarray(6 * id, 6 * id + 6), 6 * i));
    return list;
  });
  return {
    next(): void {
      if (frame + sign < 0 || frame + sign >= frames.length) sign = -sign;
      frame += sign;
    },
    get frame(): number {
      return frame;
    },
    get boxes(): Float64Array {
      return frames[frame]!;
    },
    get moved(): Float64Array {
      return moved[frame]!;
    },
  };
}

/** The number of pairs at each frame, in plain code: in strips along y by sorting along x. */
export const pairCounts = ({ frames, n }: Scene): readonly (() => number)[] =>
  frames.map((boxes) =>
    lazily(() => {
      let [low, high, width] = [Infinity, -Infinity, 0];
      for (let q = 0; q < 6 * n; q += 6) {
        low = Math.min(low, boxes[q + 1]!);
        high = Math.max(high, boxes[q + 4]!);
        width = Math.max(width, boxes[q + 4]! - boxes[q + 1]!);
      }
      width = Math.max(width, (high - low) / 100);
      const stripOf = (y: number) => Math.floor((y - low) / width);
      const strips: number[][] = Array.from({ length: stripOf(high) + 1 }, () => []);
      for (let i = 0; i < n; i++)
        for (let strip = stripOf(boxes[6 * i + 1]!); strip <= stripOf(boxes[6 * i + 4]!); strip++)
          strips[strip]!.push(i);
      let count = 0;
      for (const [strip, order] of strips.entries()) {
        order.sort((a, b) => boxes[6 * a]! - boxes[6 * b]!);
        for (let k = 0; k < order.length; k++) {
          const p = 6 * order[k]!;
          for (let l = k + 1; l < order.length; l++) {
            const q = 6 * order[l]!;
            if (boxes[q]! > boxes[p + 3]!) break;
            if (
              boxes[p + 1]! <= boxes[q + 4]! &&
              boxes[q + 1]! <= boxes[p + 4]! &&
              boxes[p + 2]! <= boxes[q + 5]! &&
              boxes[q + 2]! <= boxes[p + 5]! &&
              // Two that share more than one strip count where they begin to.
              stripOf(Math.max(boxes[p + 1]!, boxes[q + 1]!)) === strip
            )
              count++;
          }
        }
      }
      return count;
    }),
  );

/** How many queries the oracle looks at. */
export const judgedOf = (n: number): number => (n > 10_000 ? 20 : 100);

/** The answer to each query, as one number. */
export const oracles = {
  boxRange: ({ frames, ranges, n }: Scene, i: number): number => {
    const boxes = frames[0]!;
    let count = 0;
    for (let j = 0; j < n; j++) {
      let meet = true;
      for (let k = 0; k < 3; k++)
        meet &&= boxes[6 * j + k]! <= ranges[6 * i + k + 3]! && ranges[6 * i + k]! <= boxes[6 * j + k + 3]!;
      count += +meet;
    }
    return count;
  },
  boxNearest: ({ frames, probes, n }: Scene, i: number): number => {
    let best = Infinity;
    for (let j = 0; j < n; j++) best = Math.min(best, boxDistanceSq(frames[0]!, j, probes, i));
    return best;
  },
  boxRay: ({ frames, rays, n }: Scene, i: number): number => {
    let best = Infinity;
    for (let j = 0; j < n; j++) best = Math.min(best, rayTime(frames[0]!, j, rays, i));
    return best;
  },
  pointRange: ({ points, ranges, n }: Scene, i: number): number => {
    let count = 0;
    for (let j = 0; j < n; j++) {
      let inside = true;
      for (let k = 0; k < 3; k++)
        inside &&= points[3 * j + k]! >= ranges[6 * i + k]! && points[3 * j + k]! <= ranges[6 * i + k + 3]!;
      count += +inside;
    }
    return count;
  },
  pointWithin: ({ points, probes, n, radius }: Scene, i: number): number => {
    let count = 0;
    for (let j = 0; j < n; j++) count += +(distanceSq(points, j, probes, i) <= radius * radius);
    return count;
  },
  pointNearest: ({ points, probes, n }: Scene, i: number): number => {
    let best = Infinity;
    for (let j = 0; j < n; j++) best = Math.min(best, distanceSq(points, j, probes, i));
    return best;
  },
  /** The sum of the squared distances of the eight nearest. */
  pointFew: ({ points, probes, n }: Scene, i: number): number =>
    Array.from({ length: n }, (_, j) => distanceSq(points, j, probes, i))
      .sort((a, b) => a - b)
      .slice(0, 8)
      .reduce((sum, d) => sum + d, 0),
};

export function distanceSq(points: Float64Array, j: number, probes: Float64Array, i: number): number {
  const dx = points[3 * j]! - probes[3 * i]!;
  const dy = points[3 * j + 1]! - probes[3 * i + 1]!;
  const dz = points[3 * j + 2]! - probes[3 * i + 2]!;
  return dx * dx + dy * dy + dz * dz;
}

/** Without a branch that processors have to guess: libraries call it, too. */
export function boxDistanceSq(boxes: Float64Array, j: number, probes: Float64Array, i: number): number {
  const x = probes[3 * i]!;
  const y = probes[3 * i + 1]!;
  const z = probes[3 * i + 2]!;
  const dx = outside(boxes[6 * j]! - x, x - boxes[6 * j + 3]!);
  const dy = outside(boxes[6 * j + 1]! - y, y - boxes[6 * j + 4]!);
  const dz = outside(boxes[6 * j + 2]! - z, z - boxes[6 * j + 5]!);
  return dx * dx + dy * dy + dz * dz;
}

/** The positive one of two numbers, of which one at most is; or 0. */
const outside = (below: number, above: number): number =>
  0.5 * (below + Math.abs(below) + (above + Math.abs(above)));

export function rayTime(boxes: Float64Array, j: number, rays: Float64Array, i: number): number {
  let enter = 0;
  let exit = Infinity;
  for (let k = 0; k < 3; k++) {
    const o = rays[6 * i + k]!;
    const d = rays[6 * i + k + 3]!;
    const s = (boxes[6 * j + k]! - o) / d;
    const t = (boxes[6 * j + k + 3]! - o) / d;
    enter = Math.max(enter, Math.min(s, t));
    exit = Math.min(exit, Math.max(s, t));
  }
  return enter <= exit ? enter : Infinity;
}
