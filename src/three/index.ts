/** graze for three.js: scenes, geometries, picking, debug drawing. */
export type { DebugColors, DebugViewOptions, DrawWorldOptions } from './debug-view.ts';
export { DebugView } from './debug-view.ts';
