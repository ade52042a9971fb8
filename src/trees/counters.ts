/** What a search of a hierarchy costs. RTCD §6.1.2; Weghorst, Hooper & Greenberg 1984. */
import { mustBeCoordinate, mustBeOptions, mustHave, mustNotBeNegative } from '../math/check.ts';

/** What a search has done so far. Searches only ever add to it, and find the same with one as without. */
export interface TreeCounters {
  /** Tests of a volume against a volume, a ray or another query: N_v. */
  volumeTests: number;
  /** Tests of an item, or of a pair of items: N_p. */
  itemTests: number;
  /** Volumes brought up to date for the search, by a transformation or a fit: N_u. */
  updates: number;
}

export const makeTreeCounters = (): TreeCounters => ({ volumeTests: 0, itemTests: 0, updates: 0 });

/** What one of each costs, in a unit of your choice. */
export interface TreeCosts {
  /** C_v. Default: 1, also of the next two. */
  readonly volumeTest?: number;
  /** C_p. */
  readonly itemTest?: number;
  /** C_u. */
  readonly update?: number;
  /** C_o: what the search costs once, such as a change of coordinates. Default: 0. */
  readonly once?: number;
}

/** The cost of a search, T = N_v C_v + N_p C_p + N_u C_u + C_o. */
export function treeCost(counters: Readonly<TreeCounters>, costs: TreeCosts = {}): number {
  mustHave('treeCost', 'counters', counters, 'a tree counters', 'volumeTests');
  mustBeOptions('treeCost', 'costs', costs, 'volumeTest itemTest update once');
  const { volumeTests, itemTests, updates } = counters;
  const { volumeTest = 1, itemTest = 1, update = 1, once = 0 } = costs;
  mustNotBeNegative('treeCost', 'counters.volumeTests', volumeTests);
  mustNotBeNegative('treeCost', 'counters.itemTests', itemTests);
  mustNotBeNegative('treeCost', 'counters.updates', updates);
  mustBeCoordinate('treeCost', 'costs.volumeTest', volumeTest);
  mustBeCoordinate('treeCost', 'costs.itemTest', itemTest);
  mustBeCoordinate('treeCost', 'costs.update', update);
  mustBeCoordinate('treeCost', 'costs.once', once);
  return volumeTests * volumeTest + itemTests * itemTest + updates * update + once;
}
