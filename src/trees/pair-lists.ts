/** Pairs of nodes that wait: on a stack, in a queue, on a heap. All grow as needed. */

const START = 64;

/** Last in, first out. What was popped last is in `a`, `b` and `depth`. */
export class PairStack {
  a = 0;
  b = 0;
  depth = 0;
  length = 0;
  private pairs = new Uint32Array(3 * START);

  push(a: number, b: number, depth: number): void {
    const at = 3 * this.length;
    if (at === this.pairs.length) this.pairs = grown(this.pairs, 2 * at);
    this.pairs[at] = a;
    this.pairs[at + 1] = b;
    this.pairs[at + 2] = depth;
    this.length++;
  }

  pop(): void {
    const at = 3 * --this.length;
    this.a = this.pairs[at]!;
    this.b = this.pairs[at + 1]!;
    this.depth = this.pairs[at + 2]!;
  }
}

/** First in, first out: a ring, its size a power of two. What was taken last is in `a`, `b` and `depth`. */
export class PairQueue {
  a = 0;
  b = 0;
  depth = 0;
  length = 0;
  private head = 0;
  private pairs = new Uint32Array(3 * START);
  private capacity = START;

  push(a: number, b: number, depth: number): void {
    if (this.length === this.capacity) this.unroll();
    const at = 3 * ((this.head + this.length) & (this.capacity - 1));
    this.pairs[at] = a;
    this.pairs[at + 1] = b;
    this.pairs[at + 2] = depth;
    this.length++;
  }

  take(): void {
    const at = 3 * this.head;
    this.a = this.pairs[at]!;
    this.b = this.pairs[at + 1]!;
    this.depth = this.pairs[at + 2]!;
    this.head = (this.head + 1) & (this.capacity - 1);
    this.length--;
  }

  clear(): void {
    this.length = 0;
  }

  private unroll(): void {
    const { pairs, head, capacity } = this;
    this.pairs = new Uint32Array(6 * capacity);
    this.pairs.set(pairs.subarray(3 * head));
    this.pairs.set(pairs.subarray(0, 3 * head), 3 * (capacity - head));
    this.head = 0;
    this.capacity = 2 * capacity;
  }
}

/**
 * Smallest key first; of equal keys, smallest b, then smallest a, so that the order does not depend on history. What
 * was popped last is in `key`, `a`, `b` and `depth`.
 */
export class PairHeap {
  key = 0;
  a = 0;
  b = 0;
  depth = 0;
  length = 0;
  private keys = new Float64Array(START);
  private pairs = new Uint32Array(3 * START);

  push(key: number, a: number, b: number, depth: number): void {
    if (this.length === this.keys.length) this.grow();
    let at = this.length++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.comesBefore(key, a, b, parent)) break;
      this.move(parent, at);
      at = parent;
    }
    this.put(key, a, b, depth, at);
  }

  pop(): void {
    const { keys, pairs } = this;
    this.key = keys[0]!;
    this.a = pairs[0]!;
    this.b = pairs[1]!;
    this.depth = pairs[2]!;
    const last = --this.length;
    const key = keys[last]!;
    const a = pairs[3 * last]!;
    const b = pairs[3 * last + 1]!;
    const depth = pairs[3 * last + 2]!;
    let at = 0;
    for (let child = 1; child < last; child = 2 * at + 1) {
      const other = child + 1;
      if (other < last && this.comesBefore(keys[other]!, pairs[3 * other]!, pairs[3 * other + 1]!, child))
        child = other;
      if (this.comesBefore(key, a, b, child)) break;
      this.move(child, at);
      at = child;
    }
    this.put(key, a, b, depth, at);
  }

  clear(): void {
    this.length = 0;
  }

  private comesBefore(key: number, a: number, b: number, at: number): boolean {
    const otherKey = this.keys[at]!;
    if (key !== otherKey) return key < otherKey;
    const otherB = this.pairs[3 * at + 1]!;
    return b === otherB ? a < this.pairs[3 * at]! : b < otherB;
  }

  private move(from: number, to: number): void {
    this.keys[to] = this.keys[from]!;
    this.pairs.copyWithin(3 * to, 3 * from, 3 * from + 3);
  }

  private put(key: number, a: number, b: number, depth: number, at: number): void {
    this.keys[at] = key;
    this.pairs[3 * at] = a;
    this.pairs[3 * at + 1] = b;
    this.pairs[3 * at + 2] = depth;
  }

  private grow(): void {
    const keys = new Float64Array(2 * this.keys.length);
    keys.set(this.keys);
    this.keys = keys;
    this.pairs = grown(this.pairs, 2 * this.pairs.length);
  }
}

function grown(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(array);
  return larger;
}
