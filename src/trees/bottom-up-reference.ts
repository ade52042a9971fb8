/** The plain way to build from the bottom up, kept as the measure of the others. RTCD §6.2.2. */
import { type ExtentMeasure, unionSize } from './extent-measure.ts';
import { MergeList } from './merge-list.ts';

/**
 * Merges the two clusters whose common box is smallest, until one is left. Of equals, those of the smaller numbers.
 * O(n³): for a few hundred items.
 *
 * @internal
 */
export function mergeByReference(count: number, bounds: Float64Array, measure: ExtentMeasure): MergeList {
  const list = new MergeList(count, bounds);
  const active = Array.from({ length: count }, (_, i) => i);
  while (active.length > 1) {
    let least = Infinity;
    let one = 0;
    let other = 1;
    for (let i = 0; i < active.length; i++)
      for (let j = i + 1; j < active.length; j++) {
        const size = unionSize(measure, list.bounds, active[i]!, active[j]!);
        if (size < least) {
          least = size;
          one = i;
          other = j;
        }
      }
    const merged = list.merge(active[one]!, active[other]!);
    active.splice(other, 1);
    active.splice(one, 1);
    active.push(merged);
  }
  return list;
}
