/**
 * The one door to all ways of building a tree. RTCD §6.2.
 *
 * To compare the methods on your own data. Production: `buildTree` (`trees/build.ts`), by the surface area heuristic.
 */
import { describe, refuse, refuseType } from '../../math/check.ts';
import type { Aabb } from '../../primitives/types.ts';
import type { TreeCounters } from '../../trees/counters.ts';
import { mustBeItems } from '../../trees/items.ts';
import { type MortonOptions, mortonTopology } from '../../trees/morton.ts';
import { fitTree, type TreeFit } from '../../trees/refit.ts';
import { type SahOptions, sahTopology } from '../../trees/sah.ts';
import type { Topology, Tree, TreeItems } from '../../trees/tree.ts';
import { aabbVolume } from '../../volumes/aabb-volume.ts';
import type { VolumeOps } from '../../volumes/volume.ts';
import { type BottomUpOptions, bottomUpTopology } from './bottom-up.ts';
import { collapseTopology } from './degree.ts';
import { type InsertionOptions, insertionTopology } from './insertion.ts';
import { type TopDownOptions, topDownTopology } from './top-down.ts';
import { SPLIT_AIMS, SPLIT_AXES, SPLIT_PLACES } from './top-down-split.ts';
/**
 * How a tree is built.
 *
 * - `sah`: from the top down, where a random ray costs the least (`SahOptions`). The one to use.
 * - `morton`: along a curve that fills space (`MortonOptions`). The fastest to build, not the fastest to search.
 * - `top-down`: by axes, places and aims of your choice (`TopDownOptions`).
 * - `bottom-up`: by merging what is close together (`BottomUpOptions`). Takes the longest; one item a leaf.
 * - `insertion`: one item after the other (`InsertionOptions`). One item a leaf.
 */
export type BuildMethod = 'sah' | 'morton' | 'top-down' | 'bottom-up' | 'insertion';

type MethodOptions = SahOptions & MortonOptions & TopDownOptions & BottomUpOptions & InsertionOptions;

export interface BuildTreeByOptions<V = Aabb> extends MethodOptions {
  /** The kind of volumes. Default: boxes. */
  readonly volume?: VolumeOps<V>;
  /** Default: 'sah'. The other options are those of the method. */
  readonly method?: BuildMethod;
  /** The most children of a node, from 2, the default, to 64. A method that makes more than two itself takes 2 only. */
  readonly degree?: number;
  /** Default: 'tight'. */
  readonly fit?: TreeFit;
  /** Counts the items looked at (`itemTests`) and the volumes fitted (`updates`). */
  readonly counters?: TreeCounters;
}

const METHODS: Readonly<Record<BuildMethod, (items: TreeItems, options: MethodOptions) => Topology>> = {
  sah: sahTopology,
  morton: mortonTopology,
  'top-down': topDownTopology,
  'bottom-up': bottomUpTopology,
  insertion: insertionTopology,
};

/**
 * A tree over the items. The same items and options give the same tree, bit for bit. No items make a tree of no nodes.
 * A tree of boxes by 'sah', 'morton' or 'top-down' costs O(n log n); for volumes of other kinds see `TreeFit`.
 */
export function buildTreeBy<V = Aabb>(items: TreeItems, options: BuildTreeByOptions<V> = {}): Tree<V> {
  mustBeItems('buildTreeBy', items);
  mustBeOptions(options);
  const { method = 'sah', degree = 2, fit = 'tight', counters } = options;
  // V is Aabb unless `volume` says otherwise.
  const ops = options.volume ?? (aabbVolume as unknown as VolumeOps<V>);
  const binary = METHODS[method](items, options);
  const topology = degree > 2 ? collapseTopology(binary, degree, relativeAreas(binary, items)) : binary;
  return fitTree(topology, items, ops, fit, counters);
}

/** Keeps nodes without area from being free. */
const LEAST_WEIGHT = 1e-6;

/** How often a ray that hits the root hits each node. */
function relativeAreas(topology: Topology, items: TreeItems): Float64Array {
  const { volumes, skip } = fitTree(topology, items, aabbVolume);
  const areas = Float64Array.from(skip, (_, node) => aabbVolume.area(aabbVolume.load(volumes, 6 * node)));
  const whole = areas[0] ?? 0;
  return areas.map((area) => LEAST_WEIGHT + (whole > 0 ? area / whole : 0));
}

/** As many as can be counted. */
const MOST = 0xffffffff;

function mustBeOptions<V>(options: BuildTreeByOptions<V>): void {
  if (typeof options !== 'object' || options === null)
    refuseType('buildTreeBy', 'options', 'a record of options', options);
  const { method = 'sah', degree = 2, fit = 'tight', leafSize = 4, bins = 16, samples = 7 } = options;
  const { axis = 'longest', split = 'median', objective = 'sum', maxDepth = 64, leafVolume = 0 } = options;
  mustBeOneOf('method', method, Object.keys(METHODS));
  mustBeOneOf('fit', fit, ['tight', 'merge']);
  mustBeOneOf('axis', axis, SPLIT_AXES);
  mustBeOneOf('split', split, SPLIT_PLACES);
  mustBeWhole('degree', degree, 2, 64);
  mustBeWhole('leafSize', leafSize, 1, MOST);
  mustBeWhole('bins', bins, 2, 1024);
  mustBeWhole('samples', samples, 1, 1024);
  mustBeWhole('maxDepth', maxDepth, 0, MOST);
  if (!(typeof leafVolume === 'number' && leafVolume >= 0 && leafVolume <= 1))
    refuse('buildTreeBy', 'options.leafVolume', `must be from 0 to 1, got ${describe(leafVolume)}`);
  if (typeof objective === 'string') mustBeOneOf('objective', objective, SPLIT_AIMS);
  else if (typeof objective !== 'object' || objective === null)
    refuseType('buildTreeBy', 'options.objective', 'a word or a record of weights', objective);
  else
    for (const [aim, weight] of Object.entries(objective)) {
      mustBeOneOf('objective', aim, SPLIT_AIMS);
      if (!Number.isFinite(weight))
        refuse('buildTreeBy', `options.objective.${aim}`, `must be a finite number, got ${describe(weight)}`);
    }
}

function mustBeOneOf(name: string, value: string, list: readonly string[]): void {
  if (!list.includes(value))
    refuse('buildTreeBy', `options.${name}`, `must be one of ${list.join(', ')}; got ${describe(value)}`);
}

function mustBeWhole(name: string, value: number, least: number, most: number): void {
  if (!(Number.isInteger(value) && value >= least && value <= most))
    refuse(
      'buildTreeBy',
      `options.${name}`,
      `must be a whole number from ${least} to ${most}, got ${describe(value)}`,
    );
}
