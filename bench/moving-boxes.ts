/**
 * Boxes of half to one and a half times the same size, about four overlaps each, that move by up to a twentieth of their
 * size a frame, to and fro; and contenders that find their pairs.
 */

import { Rng } from '../tests/kit/rng.ts';
import { type Contender, lazily } from './harness.ts';

const FRAMES = 16;

export interface MovingBoxes {
  readonly n: number;
  /** Three numbers a box: where it is in the first frame, half its size, and its way from frame to frame. */
  readonly centers: Float64Array;
  readonly halves: Float64Array;
  readonly steps: Float64Array;
  /** All boxes at each frame, six numbers a box. */
  readonly frames: readonly Float64Array[];
  /** The side of the cube that they are in. */
  readonly side: number;
  /** The number of pairs at each frame. */
  readonly truths: readonly (() => number)[];
}

export function movingBoxes(n: number): MovingBoxes {
  const rng = new Rng(20_05);
  const side = Math.cbrt(2 * n);
  const numbers = (low: number, high: number) =>
    Float64Array.from({ length: 3 * n }, () => Math.fround(rng.range(low, high)));
  const centers = numbers(0, side);
  const halves = numbers(0.25, 0.75);
  const steps = numbers(-0.05, 0.05);
  const frames = Array.from({ length: FRAMES }, (_, frame) => {
    const boxes = new Float64Array(6 * n);
    for (let i = 0; i < 3 * n; i++) {
      const at = 6 * Math.floor(i / 3) + (i % 3);
      const center = centers[i]! + frame * steps[i]!;
      boxes[at] = center - halves[i]!;
      boxes[at + 3] = center + halves[i]!;
    }
    return boxes;
  });
  const truths = frames.map((boxes) => lazily(() => countPairs(boxes, n)));
  return { n, centers, halves, steps, frames, side, truths };
}

/** By sorting along x, in plain code. */
function countPairs(boxes: Float64Array, n: number): number {
  const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => boxes[6 * a]! - boxes[6 * b]!);
  let count = 0;
  for (let k = 0; k < n; k++)
    for (let l = k + 1; l < n && boxes[6 * order[l]!]! <= boxes[6 * order[k]! + 3]!; l++)
      if (boxesMeet(boxes, order[k]!, order[l]!)) count++;
  return count;
}

export function boxesMeet(boxes: Float64Array, i: number, j: number): boolean {
  for (let k = 0; k < 3; k++)
    if (boxes[6 * i + k]! > boxes[6 * j + k + 3]! || boxes[6 * j + k]! > boxes[6 * i + k + 3]!) return false;
  return true;
}

/** The i-th box, or point, of many. */
export const boxAt = (boxes: Float64Array, i: number) => ({
  min: pointAt(boxes, 2 * i),
  max: pointAt(boxes, 2 * i + 1),
});

export const pointAt = (points: Float64Array, i: number, scale = 1) => ({
  x: scale * points[3 * i]!,
  y: scale * points[3 * i + 1]!,
  z: scale * points[3 * i + 2]!,
});

export type Player = ReturnType<typeof player>;

/** To and fro through the frames. `turn` is called where the direction changes, with the new one. */
export function player(
  { frames, centers, steps, truths }: MovingBoxes,
  turn: (sign: number) => void = () => {},
) {
  let frame = 0;
  let sign = 1;
  return {
    next(): void {
      if (frame + sign < 0 || frame + sign >= FRAMES) {
        sign = -sign;
        turn(sign);
      }
      frame += sign;
    },
    get boxes(): Float64Array {
      return frames[frame]!;
    },
    center: (i: number): number => centers[i]! + frame * steps[i]!,
    get truth(): number {
      return truths[frame]!();
    },
  };
}

/** One that says how many pairs there are; it is wrong by the difference. */
export function counting(name: string, play: Player, frame: () => number): Contender {
  let last = 0;
  return {
    name,
    before: play.next,
    run() {
      last = frame();
      return last;
    },
    wrong: () => Math.abs(last - play.truth),
  };
}
