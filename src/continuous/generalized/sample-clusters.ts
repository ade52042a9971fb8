/** Samples in a tree of balls: what a ball does not meet, none of its samples does. */
/** Samples of a leaf, at most. */
const MOST = 8;

/**
 * A tree of balls. Of two children the first is the next node; the other stands in `other`, which is 0 for a leaf. The samples of a
 * node stand next to each other.
 */
export interface SampleClusters {
  readonly points: Float64Array;
  /** Centre and radius of each ball. */
  readonly balls: Float64Array;
  readonly other: Uint32Array;
  /** Where the samples of each node begin in `points`, and where they end: in samples. */
  readonly first: Uint32Array;
  readonly end: Uint32Array;
}

const known = /* @__PURE__ */ new WeakMap<object, SampleClusters>();

/** Kept with the list, which must not change. O(n log n) the first time. */
export function clustersOf(samples: ArrayLike<number>): SampleClusters {
  let clusters = known.get(samples);
  if (clusters === undefined) {
    clusters = makeClusters(samples);
    known.set(samples, clusters);
  }
  return clusters;
}

/** Halves the list across its longest side until few are left. */
function makeClusters(samples: ArrayLike<number>): SampleClusters {
  const count = Math.floor(samples.length / 3);
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const balls: number[] = [];
  const other: number[] = [];
  const first: number[] = [];
  const end: number[] = [];
  const halve = (from: number, to: number): void => {
    const node = other.length;
    const part = order.subarray(from, to);
    const axis = longestAxis(samples, part);
    balls.push(...ballAround(samples, part));
    other.push(0);
    first.push(from);
    end.push(to);
    if (part.length <= MOST) return;
    part.sort((i, k) => samples[3 * i + axis]! - samples[3 * k + axis]!);
    const middle = (from + to) >> 1;
    halve(from, middle);
    other[node] = other.length;
    halve(middle, to);
  };
  if (count > 0) halve(0, count);
  const points = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) points[3 * i + k] = samples[3 * order[i]! + k]!;
  return {
    points,
    balls: Float64Array.from(balls),
    other: Uint32Array.from(other),
    first: Uint32Array.from(first),
    end: Uint32Array.from(end),
  };
}

const box = new Float64Array(6);

/** Fills `box` with the least and the largest coordinates. */
function longestAxis(samples: ArrayLike<number>, part: Uint32Array): 0 | 1 | 2 {
  box.fill(Infinity, 0, 3);
  box.fill(-Infinity, 3, 6);
  for (const i of part)
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k]!, samples[3 * i + k]!);
      box[k + 3] = Math.max(box[k + 3]!, samples[3 * i + k]!);
    }
  const [x, y, z] = [box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!];
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/** About the middle of `box`. */
function ballAround(
  samples: ArrayLike<number>,
  part: Uint32Array,
): readonly [number, number, number, number] {
  const middle = [0, 1, 2].map((k) => (box[k]! + box[k + 3]!) / 2);
  let most = 0;
  for (const i of part) {
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const d = samples[3 * i + k]! - middle[k]!;
      square += d * d;
    }
    most = Math.max(most, square);
  }
  return [middle[0]!, middle[1]!, middle[2]!, Math.sqrt(most) * ROUNDED_UP];
}

const ROUNDED_UP = 1 + 1e-12;
