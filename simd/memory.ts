// Where things stand in the memory that a mesh has for its kernels. `src/simd/mesh-memory.ts` fills it by the same numbers.

/**
 * The mesh, in double precision: the corner of its grid (3), the unit of lengths (the step of the grid where that is widest), and
 * how many units a step of the grid is (3).
 */
export const GRID: usize = 0;
export const UNIT: usize = 24;
export const STEPS: usize = 32;
/** What is asked, in double precision: a point or an origin (3), a direction (3), the end of the range. */
export const POINT: usize = 64;
export const DIRECTION: usize = 88;
export const LIMIT: usize = 112;
/** Four lanes, to be read one by one. */
export const LANES: usize = 192;
/** Nodes to come: a link and, next to it, the value at which the box begins. MAX_DEPTH levels leave three each. */
export const STACK: usize = 256;
/** Nodes of 64 bytes, then blocks of triangles of 160. */
export const NODES: usize = 2816;

// A node: the minimum x of four boxes, 16 bits each, then y, z, the maxima and four links. A link >= 0 is where the node stands,
// counted in bytes from NODES; a link < 0 is a leaf: ~link is where its first block stands, in blocks, times 16, plus how many.
export const MIN_X: usize = 0;
export const MIN_Y: usize = 8;
export const MIN_Z: usize = 16;
export const MAX_X: usize = 24;
export const MAX_Y: usize = 32;
export const MAX_Z: usize = 40;
export const LINKS: usize = 48;

// A block: x, y, z of corner a of four triangles, of b, of c, and the four slots of the triangles in the mesh.
export const BLOCK: usize = 160;
export const CORNER_B: usize = 48;
export const CORNER_C: usize = 96;
export const SLOTS: usize = 144;
