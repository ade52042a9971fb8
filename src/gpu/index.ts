/** Batches on the GPU, with the answers of the CPU. */
export type { GpuBoxPairs } from './box-pairs.ts';
export { GpuBoxes } from './box-pairs.ts';
export type { GpuLane, GpuReport } from './device.ts';
export type { GpuAnswers, GpuDevice, GpuOptions } from './gpu.ts';
export { Gpu, requestGpu } from './gpu.ts';
export type {
  CollisionFilterOptions,
  CollisionFilterResult,
  FilterRound,
  FilterStage,
} from './image-space/collision-filter.ts';
export { filterCollisions } from './image-space/collision-filter.ts';
export { intersectsConvexImage } from './image-space/convex-pair.ts';
export type { ImageAnswer } from './image-space/image-answer.ts';
export type { ImagePairs, ManySolidsOptions } from './image-space/many-solids.ts';
export { anyIntersectImage, pairsSolidImage } from './image-space/many-solids.ts';
export type { ImageBody, RasterModel } from './image-space/raster-model.ts';
export { rasterModel } from './image-space/raster-model.ts';
export type { DrawPlace, DrawState, FillState, Rasterizer, Viewport } from './image-space/rasterizer.ts';
export type { SoftwareRasterizerOptions } from './image-space/software-rasterizer.ts';
export { SoftwareRasterizer } from './image-space/software-rasterizer.ts';
export type { SolidPairOptions } from './image-space/solid-pair.ts';
export { intersectsSolidImage } from './image-space/solid-pair.ts';
export type { ViewDirection } from './image-space/view.ts';
export type { RasterizerOptions, WebglRasterizerOptions } from './image-space/webgl-rasterizer.ts';
export { makeRasterizer, WebglRasterizer } from './image-space/webgl-rasterizer.ts';
export type { GpuBatchInput, GpuBatchName, GpuBatchOutput, GpuBatchOutputs, GpuHits } from './mesh-batch.ts';
