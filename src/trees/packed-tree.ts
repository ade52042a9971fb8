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
   * The same memory as 32-bit numbers, eight a node; 6 and 7 are the links to child 0 and 1. A link >= 0 is the offset
   * of the child's node in `bounds` (16 times its number). A link < 0 is a leaf: ~link is 16 · first + count, where
   * first and count give its items. A missing child is a leaf of none.
   */
  readonly links: Int32Array;
  /** Origin (3) and step (3) of the grid. */
  readonly grid: Float64Array;
}

/** Bits of a link to a leaf that hold the number of its items. */
const COUNT_BITS = 4;

/** The most items in one leaf. */
export const MAX_LEAF = (1 << COUNT_BITS) - 1;

// How nodes and leaves are decoded stands here and nowhere else. V8 inlines functions of this size, in the kernels too.

/** Where the link to a child, 0 or 1, stands in `links`, for the node at an offset in `bounds`. @internal */
export const linkAt = (node: number, child: number): number => (node >> 1) + 6 + child;

/** Where the box of a child, 0 or 1, begins in `bounds`. @internal */
export const boxAt = (node: number, child: number): number => node + 6 * child;

/** The number of the node at an offset in `bounds`. @internal */
export const nodeNumber = (node: number): number => node >> 4;

/** Where the node of a number stands in `bounds`. @internal */
export const nodeAt = (number: number): number => number << 4;

/** @internal */
export const isLeaf = (link: number): boolean => link < 0;

/** The first item of a leaf. @internal */
export const leafFirst = (link: number): number => ~link >> COUNT_BITS;

/** How many items a leaf has. @internal */
export const leafCount = (link: number): number => ~link & MAX_LEAF;

/** The item after the last of a leaf. @internal */
export const leafEnd = (link: number): number => (~link >> COUNT_BITS) + (~link & MAX_LEAF);

/** Is it a leaf without items, in place of a child that is missing? @internal */
export const isEmptyLeaf = (link: number): boolean => link < 0 && (~link & MAX_LEAF) === 0;

/** The link to a leaf of the items first … end - 1. @internal */
export const leafLink = (first: number, end: number): number => ~((first << COUNT_BITS) | (end - first));

/**
 * More than a stack needs that holds one link for each level. Builders keep to it: a tree that would go deeper is
 * split in the middle from there on.
 */
export const MAX_DEPTH = 96;
