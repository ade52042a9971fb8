/** Lists of pairs that searches fill. */
import { growList } from '../space/id-list.ts';

/** Pairs of numbers, one after the other. `ids` is replaced by a longer array when it is full. */
export interface PairList {
  ids: Int32Array;
}

/** A list to be filled by `collectPairs`. */
export const makePairList = (): PairList => ({ ids: new Int32Array(1024) });

/**
 * Puts a pair at index `at` of a list.
 *
 * @internal
 */
export function addPair(list: PairList, at: number, a: number, b: number): void {
  const ids = 2 * at < list.ids.length ? list.ids : growList(list);
  ids[2 * at] = a;
  ids[2 * at + 1] = b;
}
