/** Which pairs of colliders are near each other, and which of them touch. */

/** The two touch. */
export const TOUCHING = 1;
/** They did when the last events were told. */
export const TOLD = 2;
/** One of them is a sensor. */
export const SENSOR = 4;

/**
 * Rows of two numbers, the smaller first, with flags; found by hashing. Rows are in the order in which they came, but
 * for those that took the place of others that went: nothing may depend on it.
 *
 * @internal
 */
export class PairTable {
  a = new Int32Array(64);
  b = new Int32Array(64);
  flags = new Uint8Array(64);
  /** The update that last saw the row. */
  seen = new Int32Array(64);
  count = 0;
  /** Rows by hash, plus one; 0 for none. At least twice as long as there are rows. */
  private buckets = new Int32Array(128);

  /** The row of a pair; -1 if there is none. */
  find(a: number, b: number): number {
    const { buckets } = this;
    const last = buckets.length - 1;
    for (let i = hash(a, b) & last; ; i = (i + 1) & last) {
      const row = buckets[i]! - 1;
      if (row < 0 || (this.a[row] === a && this.b[row] === b)) return row;
    }
  }

  /** A row for a pair that has none. */
  insert(a: number, b: number): number {
    if (this.count === this.a.length) this.enlarge();
    const row = this.count++;
    this.a[row] = a;
    this.b[row] = b;
    this.flags[row] = 0;
    this.seen[row] = 0;
    this.link(row);
    return row;
  }

  /** Keeps only the rows that `keep` marks: with 1, row by row. */
  compact(keep: Uint8Array): void {
    let kept = 0;
    for (let row = 0; row < this.count; row++) {
      if (keep[row] === 0) continue;
      this.a[kept] = this.a[row]!;
      this.b[kept] = this.b[row]!;
      this.flags[kept] = this.flags[row]!;
      this.seen[kept++] = this.seen[row]!;
    }
    if (kept === this.count) return;
    this.count = kept;
    this.relink();
  }

  clear(): void {
    this.count = 0;
    this.buckets.fill(0);
  }

  private enlarge(): void {
    const size = 2 * this.a.length;
    this.a = longer(this.a, new Int32Array(size));
    this.b = longer(this.b, new Int32Array(size));
    this.flags = longer(this.flags, new Uint8Array(size));
    this.seen = longer(this.seen, new Int32Array(size));
    this.buckets = new Int32Array(2 * size);
    this.relink();
  }

  private relink(): void {
    this.buckets.fill(0);
    for (let row = 0; row < this.count; row++) this.link(row);
  }

  private link(row: number): void {
    const { buckets } = this;
    const last = buckets.length - 1;
    let i = hash(this.a[row]!, this.b[row]!) & last;
    while (buckets[i] !== 0) i = (i + 1) & last;
    buckets[i] = row + 1;
  }
}

function longer<T extends Int32Array | Uint8Array>(list: T, into: T): T {
  into.set(list);
  return into;
}

/** Multiplied by odd numbers near 2^32 over the golden ratio and pi, then the high bits down. */
function hash(a: number, b: number): number {
  const h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x517cc1b7);
  return Math.imul(h ^ (h >>> 15), 0x85ebca6b) >>> 7;
}
