/**
 * The key under which a shape carries the algorithms of its family: see `shapes/family.ts`. A symbol, so that shapes stay plain
 * data to whoever prints, compares or clones them.
 */
export const FAMILY: unique symbol = /* @__PURE__ */ Symbol('family');

/** The key under which a mesh carries other kernels for its searches: see `simd/mesh-simd.ts`. */
export const KERNELS: unique symbol = /* @__PURE__ */ Symbol('kernels');

/** What such a kernel answers where it leaves a search to the mesh's own. */
export const PASS = -2;
