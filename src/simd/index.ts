/** Four-wide kernels in WebAssembly, for those who import them: the same answers, sooner. RTCD §13.7. */
export { prepareSimd } from './kernels.ts';
export { KdTriangles, Lanes } from './lanes.ts';
export { addSimd, laneOf, removeSimd } from './mesh-simd.ts';
