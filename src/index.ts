export * from './math/index.ts';
export * from './mesh/index.ts';
export * from './polytope/index.ts';
export * from './primitives/index.ts';
export * from './shapes/index.ts';
export * from './trees/index.ts';
export * from './volumes/index.ts';
