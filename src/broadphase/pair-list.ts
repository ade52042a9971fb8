/** What was found, on its way to who asked for it. */
import type { ReadonlyAabb } from '../primitives/types.ts';
import type { BoxSet, PairList } from './box-set.ts';
import type { BoxVisitor, PairVisitor } from './broad-phase.ts';

/** A list to be filled by `collectPairs`. */
export const makePairList = (): PairList => ({ ids: new Int32Array(1024) });

const spare: PairList[] = [];

/**
 * A list for one search: a visitor may begin another one, which needs its own. Give it back.
 *
 * @internal
 */
export const takeList = (): PairList => spare.pop() ?? makePairList();

/** @internal */
export const giveList = (list: PairList): void => void spare.push(list);

/**
 * Has the pairs collected, then tells them: loops that find them call nothing of the user's.
 *
 * @internal
 */
export function reportPairs(from: { collectPairs(out: PairList): number }, visit: PairVisitor): void {
  const list = takeList();
  try {
    const count = from.collectPairs(list);
    const { ids } = list;
    for (let i = 0; i < count; i++) if (visit(ids[2 * i]!, ids[2 * i + 1]!) === false) return;
  } finally {
    giveList(list);
  }
}

const asked = new Float64Array(6);

/**
 * The same for the boxes that share a point with one. The set must not be changed meanwhile.
 *
 * @internal
 */
export function tellBox(
  from: { gather(box: Float64Array, out: PairList): number },
  set: BoxSet,
  { min, max }: ReadonlyAabb,
  visit: BoxVisitor,
): void {
  asked[0] = min.x;
  asked[1] = min.y;
  asked[2] = min.z;
  asked[3] = max.x;
  asked[4] = max.y;
  asked[5] = max.z;
  const list = takeList();
  set.searches++;
  try {
    const found = from.gather(asked, list);
    const { ids } = list;
    for (let i = 0; i < found; i++) if (visit(ids[i]!) === false) return;
  } finally {
    set.searches--;
    giveList(list);
  }
}

/**
 * The array of a list, twice as long.
 *
 * @internal
 */
export function longer(list: PairList): Int32Array {
  const more = new Int32Array(Math.max(1024, 2 * list.ids.length));
  more.set(list.ids);
  list.ids = more;
  return more;
}
