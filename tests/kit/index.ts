export * as exact from './exact.ts';
export * from './growth.ts';
export * from './property.ts';
export * from './rng.ts';
export * from './sample.ts';
