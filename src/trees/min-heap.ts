/** A priority queue of integers by a number each. */

/**
 * The smallest key is on top; of equal keys, that with the smaller value. Grows as needed.
 *
 * @internal
 */
export class MinHeap {
  size = 0;
  private keys: Float64Array;
  private values: Int32Array;

  constructor(capacity = 64) {
    this.keys = new Float64Array(capacity);
    this.values = new Int32Array(capacity);
  }

  clear(): void {
    this.size = 0;
  }

  /** The smallest key. Only when there is one. */
  topKey(): number {
    return this.keys[0]!;
  }

  push(key: number, value: number): void {
    if (this.size === this.keys.length) this.grow();
    const { keys, values } = this;
    let at = this.size++;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const k = keys[above]!;
      if (k < key || (k === key && values[above]! <= value)) break;
      keys[at] = k;
      values[at] = values[above]!;
      at = above;
    }
    keys[at] = key;
    values[at] = value;
  }

  /** Takes the top away and returns its value. Only when there is one. */
  pop(): number {
    const { keys, values } = this;
    const top = values[0]!;
    const size = --this.size;
    const key = keys[size]!;
    const value = values[size]!;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= size) break;
      const right = below + 1;
      if (right < size && precedes(keys[right]!, values[right]!, keys[below]!, values[below]!)) below = right;
      if (!precedes(keys[below]!, values[below]!, key, value)) break;
      keys[at] = keys[below]!;
      values[at] = values[below]!;
      at = below;
    }
    keys[at] = key;
    values[at] = value;
    return top;
  }

  private grow(): void {
    const keys = new Float64Array(2 * this.keys.length);
    const values = new Int32Array(2 * this.values.length);
    keys.set(this.keys);
    values.set(this.values);
    this.keys = keys;
    this.values = values;
  }
}

const precedes = (k: number, v: number, key: number, value: number): boolean =>
  k < key || (k === key && v < value);
