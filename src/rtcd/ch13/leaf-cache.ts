/**
 * What the leaves of a compact structure hold, unpacked when first needed and kept for a while. RTCD §13.5.1.
 *
 * For compact leaves that are expensive to unpack. Production stores corners as they are, in the order of the tree.
 */
import { describe, refuse } from '../../math/check.ts';

export interface LeafCacheOptions<T> {
  /** A record to unpack into. */
  readonly make: () => T;
  /** Unpacks a leaf into a record that may hold another one. */
  readonly load: (leaf: number, into: T) => void;
  /** How many leaves are kept, a power of two. Default: 128. */
  readonly size?: number;
}

/**
 * A cache in which a leaf has one place, told by the low bits of its number; one that shares the place drives it out.
 * Records are made once and reused.
 *
 * ```ts
 * const cache = new LeafCache({ make: () => [], load: (leaf, corners) => readCorners(leaf, corners) });
 * for (const leaf of leaves) test(cache.get(leaf));
 * ```
 */
export class LeafCache<T> {
  /** How often a leaf was there, and how often it had to be unpacked. */
  hits = 0;
  misses = 0;
  private readonly make: () => T;
  private readonly load: (leaf: number, into: T) => void;
  private readonly mask: number;
  private readonly leaves: Float64Array;
  private readonly records: (T | undefined)[];
  private uncached: T | undefined;

  constructor({ make, load, size = 128 }: LeafCacheOptions<T>) {
    if (!(Number.isInteger(size) && size >= 1 && size <= 0x40000000 && (size & (size - 1)) === 0))
      refuse('LeafCache', 'size', `must be a power of two, got ${size}`);
    this.make = make;
    this.load = load;
    this.mask = size - 1;
    this.leaves = new Float64Array(size).fill(NONE);
    this.records = new Array(size);
  }

  /**
   * What the leaf holds, to be read until the next call. With `cached` false it is unpacked apart and the cache stays as it
   * is: for a query that will not come back.
   */
  get(leaf: number, cached = true): T {
    if (!(Number.isInteger(leaf) && leaf >= 0))
      refuse('LeafCache.get', 'leaf', `must be a number of a leaf, got ${describe(leaf)}`);
    if (!cached) {
      this.uncached ??= this.make();
      this.load(leaf, this.uncached);
      return this.uncached;
    }
    const place = leaf & this.mask;
    const record = this.records[place] ?? this.make();
    this.records[place] = record;
    if (this.leaves[place] === leaf) {
      this.hits++;
      return record;
    }
    this.misses++;
    this.leaves[place] = NONE; // should `load` throw, the place holds nothing
    this.load(leaf, record);
    this.leaves[place] = leaf;
    return record;
  }

  /** To be called when what a leaf holds was edited; without a number, when anything was. */
  invalidate(leaf?: number): void {
    if (leaf === undefined) this.leaves.fill(NONE);
    else if (this.leaves[leaf & this.mask] === leaf) this.leaves[leaf & this.mask] = NONE;
  }
}

const NONE = -1;
