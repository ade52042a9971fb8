/** Several queries from one neighbourhood share the way down. RTCD §6.6.7. */
import { mustHave, refuse } from '../math/check.ts';
import type { TreeCounters } from './counters.ts';
import { mustBeTree } from './pair-test.ts';
import type { Tree } from './tree.ts';

/** Where in a tree queries may begin: at `node`, up to but without `end`. Nothing to search when they are equal. */
export interface TreeStart<V> {
  readonly tree: Tree<V>;
  readonly node: number;
  readonly end: number;
  /** The nodes that were passed by, and their volumes as stored then: while these are the same, the start is good. */
  readonly passed: Uint32Array;
  readonly seen: Float32Array;
}

/**
 * Lets a volume around a group of queries (four wheels, say) sink down the tree as long as it overlaps one child only.
 * Whatever lies in the volume finds all it overlaps at or below that node: pass the start to `queryTree` for each member.
 * A start is good for this tree as it is; after a refit that matters to it, it is refused.
 */
export function startGroup<V>(tree: Tree<V>, volume: Readonly<V>, counters?: TreeCounters): TreeStart<V> {
  if (counters !== undefined && counters !== null)
    mustHave('startGroup', 'counters', counters, 'a tree counters', 'volumeTests');
  mustBeTree('startGroup', 'tree', tree);
  const { skip, volumes, ops } = tree;
  const stride = ops.byteSize / 4;
  const other = ops.make();
  const overlaps = (node: number): boolean => {
    if (counters) counters.volumeTests++;
    return ops.overlap(volume, ops.load(volumes, node * stride, other));
  };
  const passed: number[] = [];
  const from = (node: number, end: number): TreeStart<V> => {
    const seen = new Float32Array(passed.length * stride);
    for (const [k, other] of passed.entries()) seen.set(stored(tree, other), k * stride);
    return { tree, node, end, passed: Uint32Array.from(passed), seen };
  };
  if (skip.length === 0) return from(0, 0);
  if (!overlaps(0)) {
    passed.push(0);
    return from(skip.length, skip.length);
  }
  let node = 0;
  for (;;) {
    const end = skip[node]!;
    const known = passed.length;
    let only = -1;
    for (let c = node + 1; c < end; c = skip[c]!) {
      if (!overlaps(c)) passed.push(c);
      else if (only < 0) only = c;
      else {
        passed.length = known;
        return from(node, end);
      }
    }
    // A leaf, or an inner node none of whose children are touched.
    if (only < 0) return end === node + 1 ? from(node, end) : from(end, end);
    node = only;
  }
}

const stored = <V>({ volumes, ops }: Tree<V>, node: number): Float32Array =>
  volumes.subarray((node * ops.byteSize) / 4, ((node + 1) * ops.byteSize) / 4);

/** @internal */
export function mustBeStart<V>(caller: string, tree: Tree<V>, start: TreeStart<V>): void {
  const { passed, seen } = start;
  const { volumes, ops } = tree;
  const stride = ops.byteSize / 4;
  let same = start.tree === tree;
  for (let k = 0; k < passed.length && same; k++)
    for (let n = 0; n < stride; n++)
      if (volumes[passed[k]! * stride + n] !== seen[k * stride + n]) same = false;
  if (!same) refuse(caller, 'start', 'must be of this tree as it is: ask startGroup again after a change');
}
