// Where things stand in the memory that a mesh has for its kernels. `src/simd/mesh-memory.ts` fills it by the same numbers.

/**
 * The mesh, in double precision: the corner of its grid (3), the unit of lengths (the step of the grid where that is widest), and
 * how many units a step of the grid is (3).
 */
export const GRID: usize = 0;
export const UNIT: usize = 24;
export const STEPS: usize = 32;
/** The same for rays: units in one, and the steps in single precision. */
export const PER_UNIT: usize = 56;
export const WIDTHS: usize = 128;
/** What is asked, in double precision: a point or an origin (3), a direction (3), the end of the range. */
export const POINT: usize = 64;
export const DIRECTION: usize = 88;
export const LIMIT: usize = 112;
/** Which side of a triangle counts, in whole numbers: 1 for the front, -1 for the back, 0 for both; then whether any hit will do. */
export const FACING: usize = 120;
/** Four lanes twice, to be read one by one. */
export const LANES: usize = 192;
/** Nodes to come: links, and the keys at which their boxes begin. MAX_DEPTH levels, and two below, leave three each. */
export const STACK: usize = 256;
export const STACK_KEYS: usize = 1536;
/** What a ray hits for sure: slots. */
export const FOUND: usize = 2816;
/** The view along a ray, and what the tests of boxes need of it. */
export const VIEW: usize = 3328;
export const SLABS: usize = 3520;
/** The tree: nodes of 64 bytes and blocks of triangles, of 192, the root first. */
export const TREE: usize = 3584;

// A node: the minimum x of four boxes, 16 bits each, then y, z, the maxima and four links. A link >= 0 is where the node stands,
// counted in bytes from TREE; a link < 0 is a leaf: ~link is where its block stands.
export const MIN_X: usize = 0;
export const MIN_Y: usize = 8;
export const MIN_Z: usize = 16;
export const MAX_X: usize = 24;
export const MAX_Y: usize = 32;
export const MAX_Z: usize = 40;
export const LINKS: usize = 48;

// A block: x, y, z of corner a of four triangles, of b, of c, and the four slots of the triangles in the mesh. A slot that is
// missing has no corners (NaN).
export const CORNER_B: usize = 48;
export const CORNER_C: usize = 96;
export const SLOTS: usize = 144;
