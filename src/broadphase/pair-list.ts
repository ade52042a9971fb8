/** Lists of pairs, and of numbers, that searches fill. */

/** Pairs of numbers, one after the other. `ids` is replaced by a longer array when it is full. */
export interface PairList {
  ids: Int32Array;
}

/** A list to be filled by `collectPairs`. */
export const makePairList = (): PairList => ({ ids: new Int32Array(1024) });

/**
 * The array of a list, twice as long.
 *
 * @internal
 */
export function growList(list: PairList): Int32Array {
  const more = new Int32Array(Math.max(1024, 2 * list.ids.length));
  more.set(list.ids);
  list.ids = more;
  return more;
}

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

const spare: PairList[] = [];

/**
 * A list for one search: a visitor may begin another one, which needs its own. Give it back.
 *
 * @internal
 */
export const takeList = (): PairList => spare.pop() ?? makePairList();

/** @internal */
export const giveList = (list: PairList): void => void spare.push(list);
