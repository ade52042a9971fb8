/** All that is public, of all doors. */
export * from '../../src/broadphase/index.ts';
export * from '../../src/bsp/index.ts';
export * from '../../src/character/index.ts';
export * from '../../src/continuous/index.ts';
export * from '../../src/convex/index.ts';
export * from '../../src/math/index.ts';
export * from '../../src/mesh/index.ts';
export * from '../../src/polytope/index.ts';
export * from '../../src/primitives/index.ts';
export * from '../../src/query/index.ts';
export * from '../../src/rtcd/index.ts';
export * from '../../src/shapes/index.ts';
export * from '../../src/space/index.ts';
export * from '../../src/trees/index.ts';
export * from '../../src/trimesh/index.ts';
export * from '../../src/volumes/index.ts';
export * from '../../src/world/index.ts';
