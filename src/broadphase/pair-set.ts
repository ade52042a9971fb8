/** A set of pairs of numbers, hashed, whose pairs stand one after the other. */

/** @internal */
export class PairSet {
  /** Two numbers a pair, the smaller one first; `count` pairs. */
  ids = new Int32Array(64);
  count = 0;
  /** Indices of pairs, by hash; -1 for none. A power of two, at most half of it in use. */
  private table = new Int32Array(64).fill(-1);

  has(a: number, b: number): boolean {
    return this.table[a < b ? this.slotOf(a, b) : this.slotOf(b, a)]! >= 0;
  }

  add(i: number, j: number): void {
    const a = Math.min(i, j);
    const b = Math.max(i, j);
    const slot = this.slotOf(a, b);
    if (this.table[slot]! >= 0) return;
    const { count } = this;
    if (2 * count === this.ids.length) {
      const more = new Int32Array(4 * count);
      more.set(this.ids);
      this.ids = more;
    }
    this.ids[2 * count] = a;
    this.ids[2 * count + 1] = b;
    this.table[slot] = count;
    this.count++;
    if (2 * this.count > this.table.length) this.rehash(2 * this.table.length);
  }

  delete(i: number, j: number): void {
    const slot = i < j ? this.slotOf(i, j) : this.slotOf(j, i);
    const index = this.table[slot]!;
    if (index >= 0) this.deleteAt(slot, index);
  }

  clear(): void {
    this.table.fill(-1);
    this.count = 0;
  }

  /** Takes out all pairs of numbers that have a mark. */
  deleteMarked(marks: Uint8Array): void {
    const { ids } = this;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const a = ids[2 * i]!;
      const b = ids[2 * i + 1]!;
      if (marks[a] === 1 || marks[b] === 1) continue;
      ids[2 * kept] = a;
      ids[2 * kept + 1] = b;
      kept++;
    }
    if (kept === this.count) return;
    this.count = kept;
    this.rehash(this.table.length);
  }

  /** Takes these pairs, each once, instead of what it has. */
  replace(ids: Int32Array, count: number): void {
    this.count = count;
    if (this.ids.length < 2 * count) this.ids = new Int32Array(4 * count);
    for (let i = 0; i < 2 * count; i += 2) {
      const a = ids[i]!;
      const b = ids[i + 1]!;
      this.ids[i] = Math.min(a, b);
      this.ids[i + 1] = Math.max(a, b);
    }
    let size = this.table.length;
    while (size < 2 * count) size *= 2;
    this.rehash(size);
  }

  private slotOf(a: number, b: number): number {
    const { ids, table } = this;
    const mask = table.length - 1;
    let slot = hash(a, b) & mask;
    for (let index = table[slot]!; index >= 0; index = table[slot]!) {
      if (ids[2 * index] === a && ids[2 * index + 1] === b) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** The last pair takes its place, and what stands behind it in the table moves up: there are no tombstones. */
  private deleteAt(from: number, index: number): void {
    const { ids, table } = this;
    const mask = table.length - 1;
    let hole = from;
    for (let slot = (hole + 1) & mask; table[slot]! >= 0; slot = (slot + 1) & mask) {
      const other = table[slot]!;
      const home = hash(ids[2 * other]!, ids[2 * other + 1]!) & mask;
      // May it stand in the hole? Only if that is not before its home.
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
      table[hole] = other;
      hole = slot;
    }
    table[hole] = -1;
    const last = --this.count;
    if (index === last) return;
    const a = ids[2 * last]!;
    const b = ids[2 * last + 1]!;
    table[this.slotOf(a, b)] = index;
    ids[2 * index] = a;
    ids[2 * index + 1] = b;
  }

  private rehash(size: number): void {
    if (size === this.table.length) this.table.fill(-1);
    else this.table = new Int32Array(size).fill(-1);
    const { ids, table, count } = this;
    const mask = size - 1;
    for (let i = 0; i < count; i++) {
      let slot = hash(ids[2 * i]!, ids[2 * i + 1]!) & mask;
      while (table[slot]! >= 0) slot = (slot + 1) & mask;
      table[slot] = i;
    }
  }
}

function hash(a: number, b: number): number {
  const h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77);
  return h ^ (h >>> 15);
}
