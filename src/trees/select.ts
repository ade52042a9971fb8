/** The median without sorting. */

/**
 * Reorders order[begin … end - 1] so that those before the returned middle have keys no larger than those from it on.
 * Equal keys go by number, so that the halves differ by at most one whatever the keys and the outcome is the same
 * whatever the order before. Expected time is linear: Hoare's selection, about the median of three.
 *
 * @internal
 */
export function halve(order: Uint32Array, keys: Float64Array, begin: number, end: number): number {
  const middle = begin + ((end - begin) >>> 1);
  let low = begin;
  let high = end - 1;
  while (low < high) {
    const pivot = medianOfThree(keys, order[low]!, order[(low + high) >>> 1]!, order[high]!);
    const key = keys[pivot]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (isBefore(keys, order[i]!, key, pivot)) i++;
      while (order[j] !== pivot && !isBefore(keys, order[j]!, key, pivot)) j--;
      if (i > j) break;
      const item = order[i]!;
      order[i++] = order[j]!;
      order[j--] = item;
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else break;
  }
  return middle;
}

/**
 * Is the item with this number before the key, or before `other` if it has the same one?
 *
 * @internal
 */
export const isBefore = (keys: Float64Array, item: number, key: number, other: number): boolean =>
  keys[item]! < key || (keys[item]! === key && item < other);

function medianOfThree(keys: Float64Array, a: number, b: number, c: number): number {
  const ab = isBefore(keys, a, keys[b]!, b);
  const bc = isBefore(keys, b, keys[c]!, c);
  if (ab === bc) return b;
  return ab === isBefore(keys, a, keys[c]!, c) ? c : a;
}
