/** A uniform grid over all of space for points, its cells hashed into buckets. RTCD §7.1.3, §12.1. */

/**
 * Points that may be added at any time, found again by neighbourhood. Expected O(1) for either. A cell of 0 makes every
 * point a cell of its own.
 *
 * @internal
 */
export class PointGrid {
  /** What `gather` has found. */
  found: Int32Array<ArrayBuffer> = new Int32Array(16);

  private readonly cell: number;
  private count = 0;
  private first: Int32Array<ArrayBuffer> = new Int32Array(16).fill(-1);
  private next: Int32Array<ArrayBuffer> = new Int32Array(16);
  private hashes: Int32Array<ArrayBuffer> = new Int32Array(16);
  private readonly looked = new Int32Array(8);

  constructor(cell: number) {
    this.cell = cell;
  }

  /** Adds a point; points are numbered in the order in which they come. */
  add(x: number, y: number, z: number): number {
    if (this.count === this.next.length) this.grow();
    const point = this.count++;
    const hash =
      this.cell === 0
        ? hashPoint(x, y, z)
        : hashCell(Math.floor(x / this.cell), Math.floor(y / this.cell), Math.floor(z / this.cell));
    this.hashes[point] = hash;
    this.link(point, hash);
    return point;
  }

  /**
   * Writes to `found` the points in all buckets of cells that meet the cube of half-width `reach` about a point, each
   * once, and returns their number: all points in that cube, and some others. With `reach` of at most half a cell there
   * are no more than eight cells.
   */
  gather(x: number, y: number, z: number, reach: number): number {
    const { cell } = this;
    if (cell === 0) return this.collect(hashPoint(x, y, z), 0);
    const xEnd = Math.floor((x + reach) / cell);
    const yEnd = Math.floor((y + reach) / cell);
    const zEnd = Math.floor((z + reach) / cell);
    let found = 0;
    let buckets = 0;
    const mask = this.first.length - 1;
    for (let i = Math.floor((x - reach) / cell); i <= xEnd; i++)
      for (let j = Math.floor((y - reach) / cell); j <= yEnd; j++)
        for (let k = Math.floor((z - reach) / cell); k <= zEnd; k++) {
          const hash = hashCell(i, j, k);
          let seen = 0;
          while (seen < buckets && this.looked[seen] !== (hash & mask)) seen++;
          if (seen < buckets) continue;
          this.looked[buckets++] = hash & mask;
          found = this.collect(hash, found);
        }
    return found;
  }

  private collect(hash: number, found: number): number {
    for (let p = this.first[hash & (this.first.length - 1)]!; p >= 0; p = this.next[p]!) {
      if (found === this.found.length) this.found = enlarged(this.found);
      this.found[found++] = p;
    }
    return found;
  }

  private link(point: number, hash: number): void {
    const bucket = hash & (this.first.length - 1);
    this.next[point] = this.first[bucket]!;
    this.first[bucket] = point;
  }

  private grow(): void {
    this.next = enlarged(this.next);
    this.hashes = enlarged(this.hashes);
    this.first = new Int32Array(2 * this.first.length).fill(-1);
    for (let p = 0; p < this.count; p++) this.link(p, this.hashes[p]!);
  }
}

/**
 * Are points at this squared distance to be welded? Equal ones always are.
 *
 * @internal
 */
export const isNear = (distanceSq: number, limit: number): boolean => distanceSq < limit || distanceSq === 0;

function enlarged(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * list.length);
  larger.set(list);
  return larger;
}

// Odd numbers without structure; `imul` takes what is too large for 32 bits modulo 2³².
const hashCell = (i: number, j: number, k: number): number =>
  scramble(Math.imul(i, 0x8da6b343) ^ Math.imul(j, 0xd8163841) ^ Math.imul(k, 0xcb1ab31f));

/**
 * Of the bits of the coordinates; adding 0 makes -0 into 0, which it equals.
 *
 * @internal
 */
export function hashPoint(x: number, y: number, z: number): number {
  coordinates[0] = x + 0;
  coordinates[1] = y + 0;
  coordinates[2] = z + 0;
  let hash = 0;
  for (let i = 0; i < 6; i++) hash = scramble(hash ^ words[i]!);
  return hash;
}
const coordinates = new Float64Array(3);
const words = new Int32Array(coordinates.buffer);

/** Lets every bit reach the low ones, which choose the bucket. */
function scramble(hash: number): number {
  const h = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return h ^ (h >>> 15);
}
