/**
 * Searching two hierarchies leaf by leaf of the first, for leaves that are expensive to transform. RTCD §6.3.4.
 *
 * For skinned or compressed leaves. Production searches both trees at once: `trees/pair-search.ts`, and for
 * meshes `trimesh/mesh-mesh/`.
 */
import { mustBeFunction, mustBeOptions, mustHave } from '../../math/check.ts';
import { invertPose } from '../../math/pose.ts';
import { makePairTest, type PairTestOptions } from '../../trees/pair-test.ts';
import type { Tree } from '../../trees/tree.ts';

export interface LeafPairOptions extends PairTestOptions {
  /**
   * Called once for every leaf of a that is reached, before its pairs: the place to bring its items, items[first[leaf]]
   * … items[first[leaf + 1] - 1], into the space of b.
   */
  readonly enterLeaf?: ((leaf: number) => void) | undefined;
}

/**
 * `treePairs` by the rule `a`: down to the leaves of a, and with each of them through b. All pairs of a leaf of a come
 * in one run, so it has to be brought into the space of b only once, and the volumes of b not at all. Needs no stack.
 * Worth it where a is small, or transforming an item costs more than testing it.
 *
 * @returns whether the visitor ended the search by returning true
 */
export function leafPairs<V>(
  a: Tree<V>,
  b: Tree<V>,
  visit: (itemA: number, itemB: number) => unknown,
  options: LeafPairOptions = {},
): boolean {
  mustHave('leafPairs', 'a', a, 'a tree', 'ops');
  mustHave('leafPairs', 'b', b, 'a tree', 'ops');
  mustBeFunction('leafPairs', 'visit', visit);
  mustBeOptions('leafPairs', 'options', options, 'enterLeaf pose boxAxes counters');
  const { pose, boxAxes, counters, enterLeaf } = options;
  const above = makePairTest('leafPairs', a, b, options);
  // The other way round: b stays where it is, and a leaf of a is posed and kept while b is gone through.
  const across = makePairTest('leafPairs', b, a, { pose: pose && invertPose(pose), boxAxes, counters });
  const { skip: skipA, first: firstA, items: itemsA } = a;
  const { skip: skipB, first: firstB, items: itemsB } = b;
  const rootIsLeaf = skipB[0] === 1;
  if (skipB.length === 0) return false;
  for (let i = 0; i < skipA.length; ) {
    if (!above.overlap(i, 0)) {
      i = skipA[i]!;
      continue;
    }
    const leaf = i++;
    if (skipA[leaf]! !== i) continue;
    enterLeaf?.(leaf);
    // The root of b is known to overlap.
    for (let j = rootIsLeaf ? 0 : 1; j < skipB.length; ) {
      if (!rootIsLeaf && !across.overlap(j, leaf)) {
        j = skipB[j]!;
        continue;
      }
      const other = j++;
      if (skipB[other]! !== j) continue;
      for (let p = firstA[leaf]!; p < firstA[i]!; p++)
        for (let q = firstB[other]!; q < firstB[j]!; q++) {
          if (counters) counters.itemTests++;
          if (visit(itemsA[p]!, itemsB[q]!) === true) return true;
        }
    }
  }
  return false;
}
