/** graze for three.js: scenes, geometries, picking, debug drawing. */
export {};
