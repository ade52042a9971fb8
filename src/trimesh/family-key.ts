/**
 * The key under which a shape carries the algorithms of its family: see `shapes/family.ts`. A symbol, so that shapes stay plain
 * data to whoever prints, compares or clones them.
 */
export const FAMILY: unique symbol = /* @__PURE__ */ Symbol('family');
