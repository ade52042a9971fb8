/** Building a tree over items: by the surface area heuristic, or along a Morton curve. RTCD §6.2. */
import { describe, mustBeWhole, refuse, refuseType } from '../math/check.ts';
import type { Aabb } from '../primitives/types.ts';
import { aabbVolume } from '../volumes/aabb-volume.ts';
import type { VolumeOps } from '../volumes/volume.ts';
import type { TreeCounters } from './counters.ts';
import { mustBeItems } from './items.ts';
import { type MortonOptions, mortonTopology } from './morton.ts';
import { fitTree, type TreeFit } from './refit.ts';
import { type SahOptions, sahTopology } from './sah.ts';
import type { Tree, TreeItems } from './tree.ts';

/** `sah` builds the fastest tree to search, `morton` is the fastest to build. The book's other builders: `graze/rtcd`. */
export type TreeMethod = 'sah' | 'morton';

export interface BuildOptions<V = Aabb> extends SahOptions, MortonOptions {
  /** The kind of bounding volume. Default: boxes. */
  readonly volume?: VolumeOps<V>;
  /** Default: 'sah'. */
  readonly method?: TreeMethod;
  /** Default: 'tight'. */
  readonly fit?: TreeFit;
  /** Counts the items looked at (`itemTests`) and the volumes fitted (`updates`). */
  readonly counters?: TreeCounters;
}

/**
 * A tree over the items. The same items and options give the same tree, bit for bit. No items make a tree without nodes.
 * A tree of boxes costs O(n log n); for other volumes see `TreeFit`.
 */
export function buildTree<V = Aabb>(items: TreeItems, options: BuildOptions<V> = {}): Tree<V> {
  mustBeItems('buildTree', items);
  if (typeof options !== 'object' || options === null)
    refuseType('buildTree', 'options', 'a record of options', options);
  const { method = 'sah', fit = 'tight', leafSize = 4, bins = 16, counters } = options;
  if (method !== 'sah' && method !== 'morton')
    refuse('buildTree', 'options.method', `must be 'sah' or 'morton', got ${describe(method)}`);
  if (fit !== 'tight' && fit !== 'merge')
    refuse('buildTree', 'options.fit', `must be 'tight' or 'merge', got ${describe(fit)}`);
  mustBeWhole('buildTree', 'options.leafSize', leafSize, 1, 0xffffffff);
  mustBeWhole('buildTree', 'options.bins', bins, 2, 1024);
  // V is Aabb unless `volume` says otherwise.
  const ops = options.volume ?? (aabbVolume as unknown as VolumeOps<V>);
  const topology = method === 'sah' ? sahTopology(items, options) : mortonTopology(items, options);
  return fitTree(topology, items, ops, fit, counters);
}
