/** Lists of numbers that searches fill. */

/** Numbers. `ids` is replaced by a longer array when it is full. */
export interface IdList {
  ids: Int32Array;
}

/**
 * The array of a list, twice as long.
 *
 * @internal
 */
export function growList(list: IdList): Int32Array {
  const more = new Int32Array(Math.max(1024, 2 * list.ids.length));
  more.set(list.ids);
  list.ids = more;
  return more;
}

const spare: IdList[] = [];

/**
 * A list for one search: a visitor may begin another one, which needs its own. Give it back.
 *
 * @internal
 */
export const takeList = (): IdList => spare.pop() ?? { ids: new Int32Array(1024) };

/** @internal */
export const giveList = (list: IdList): void => void spare.push(list);
