/**
 * The form in which hierarchies of boxes over triangles are searched: 32 bytes for two children, in preorder, the
 * bounds as 16-bit numbers on one grid over the whole. RTCD §6.6.2, §13.3; for what it brings see docs/performance.md.
 *
 * A node holds the boxes of its two children, not its own: a node is fetched only when it is known to be needed, and
 * both tests that decide what comes next find their numbers in one cache line. There is always a root node, at 0.
 */
export interface PackedTree {
  readonly nodeCount: number;
  /**
   * Sixteen numbers a node: minimum x, y, z and maximum x, y, z of child 0, the same of child 1, and the two links (see
   * `links`). A coordinate is grid[0…2] + number · grid[3…5] for x, y, z. The boxes are larger than what they hold by
   * at least 1/32 of a step on each side, so that rounding in a search loses nothing.
   */
  readonly bounds: Uint16Array;
  /**
   * The same memory as 32-bit numbers, eight a node; 6 and 7 are the links to child 0 and 1. A link >= 0 is the place
   * of the child's node in `bounds` (16 times its number). A link < 0 is a leaf: ~link is 16 · first + count, where
   * first and count tell its items. A missing child is a leaf of none.
   */
  readonly links: Int32Array;
  /** Origin (3) and step (3) of the grid. */
  readonly grid: Float64Array;
}

/** The most items in one leaf. */
export const MAX_LEAF = 15;

/**
 * More than a stack needs that holds one link for each level. Builders keep to it: a tree that would go deeper is
 * split in the middle from there on.
 */
export const MAX_DEPTH = 96;
