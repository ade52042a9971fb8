/**
 * Remembering which items met last time, to find out sooner that two objects still do. RTCD §6.7.1.
 *
 * For pairs that stay in contact over many frames. Production keeps nothing between questions.
 */
import { describe, refuse } from '../../math/check.ts';
import { type PairOptions, treePairs } from '../../trees/pair-search.ts';
import type { Tree } from '../../trees/tree.ts';

/** One of the objects that a cache is asked about. */
export interface CachedObject<V> {
  /** A whole number that is this object's own. */
  readonly id: number;
  readonly tree: Tree<V>;
  /** The items around an item, worth a try when it alone has lost touch; those of its own leaf come to mind. */
  readonly neighbours?: ((item: number) => Iterable<number>) | undefined;
}

/** What was seen: `low` belongs to the object of the smaller id. The trees tell whether the numbers still mean anything. */
interface Witness {
  readonly low: number;
  readonly high: number;
  readonly lowItems: Uint32Array;
  readonly highItems: Uint32Array;
}

/** More ids than this would not fit two into one exact number. */
const MAX_ID = 67108863;

/**
 * Answers "do these two objects meet at all?", first by the items that met last time, then by those around them, then
 * by a full search: the answer is that of the full search, whatever was remembered. One entry for every two objects,
 * in either order; when there are more than `capacity` the one unused for longest goes.
 *
 * An object that was rebuilt, which shows in its tree, loses its entries. Where an object jumps, is removed or has its
 * items changed in place, tell it by `forget`: entries that no longer help cost a test each.
 */
export class WitnessCache {
  private readonly capacity: number;
  /** In the order of use. */
  private readonly entries = new Map<number, Witness>();
  /** Of every object, the keys of its entries. */
  private readonly keysOf = new Map<number, Set<number>>();

  constructor(capacity = 4096) {
    if (!(Number.isInteger(capacity) && capacity > 0))
      refuse('WitnessCache', 'capacity', `must be a whole number above 0, got ${describe(capacity)}`);
    this.capacity = capacity;
  }

  /** How many pairs are remembered. */
  get size(): number {
    return this.entries.size;
  }

  /**
   * Does some item of a meet some item of b, by `meets(itemA, itemB)`? The options are those of `treePairs`; those of
   * them that leave something out (a limit of depth) do so here too.
   */
  overlap<V>(
    a: CachedObject<V>,
    b: CachedObject<V>,
    meets: (itemA: number, itemB: number) => boolean,
    options: PairOptions<V> = {},
  ): boolean {
    const key = pairKey(a.id, b.id);
    const witness = this.entries.get(key);
    if (witness && this.stillMeets(key, witness, a, b, meets, options)) return true;
    this.drop(key);
    return treePairs(
      a.tree,
      b.tree,
      (itemA, itemB) => {
        if (!meets(itemA, itemB)) return false;
        this.remember(key, a, b, itemA, itemB);
        return true;
      },
      options,
    );
  }

  /** Everything about an object: it has jumped, changed or gone. */
  forget(id: number): void {
    mustBeId(id);
    for (const key of [...(this.keysOf.get(id) ?? [])]) this.drop(key);
  }

  /** Everything. */
  clear(): void {
    this.entries.clear();
    this.keysOf.clear();
  }

  private stillMeets<V>(
    key: number,
    witness: Witness,
    a: CachedObject<V>,
    b: CachedObject<V>,
    meets: (itemA: number, itemB: number) => boolean,
    { counters }: PairOptions<V>,
  ): boolean {
    const [low, high] = a.id < b.id ? [a, b] : [b, a];
    if (witness.lowItems !== low.tree.items || witness.highItems !== high.tree.items) return false;
    const seenA = a === low ? witness.low : witness.high;
    const seenB = a === low ? witness.high : witness.low;
    for (const itemB of around(b, seenB))
      for (const itemA of around(a, seenA)) {
        if (counters) counters.itemTests++;
        if (!meets(itemA, itemB)) continue;
        this.remember(key, a, b, itemA, itemB);
        return true;
      }
    return false;
  }

  /** Enters the pair, or makes it the one used last. */
  private remember<V>(
    key: number,
    a: CachedObject<V>,
    b: CachedObject<V>,
    itemA: number,
    itemB: number,
  ): void {
    const straight = a.id < b.id;
    this.drop(key);
    this.entries.set(key, {
      low: straight ? itemA : itemB,
      high: straight ? itemB : itemA,
      lowItems: (straight ? a : b).tree.items,
      highItems: (straight ? b : a).tree.items,
    });
    for (const { id } of [a, b]) {
      const keys = this.keysOf.get(id);
      if (keys) keys.add(key);
      else this.keysOf.set(id, new Set([key]));
    }
    if (this.entries.size > this.capacity) this.drop(this.entries.keys().next().value!);
  }

  private drop(key: number): void {
    if (!this.entries.delete(key)) return;
    for (const id of [Math.floor(key / (MAX_ID + 1)), key % (MAX_ID + 1)]) {
      const keys = this.keysOf.get(id);
      keys?.delete(key);
      if (keys?.size === 0) this.keysOf.delete(id);
    }
  }
}

/** The item itself, then those around it. */
function* around<V>({ neighbours }: CachedObject<V>, item: number): Iterable<number> {
  yield item;
  if (neighbours) for (const other of neighbours(item)) if (other !== item) yield other;
}

function pairKey(a: number, b: number): number {
  mustBeId(a);
  mustBeId(b);
  if (a === b) refuse('WitnessCache', 'id', `must differ between the two objects, got ${describe(a)} twice`);
  return Math.min(a, b) * (MAX_ID + 1) + Math.max(a, b);
}

function mustBeId(id: number): void {
  if (!(Number.isInteger(id) && id >= 0 && id <= MAX_ID))
    refuse('WitnessCache', 'id', `must be a whole number from 0 to ${MAX_ID}, got ${describe(id)}`);
}
