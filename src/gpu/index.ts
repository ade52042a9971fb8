/** Batches on the GPU, with the answers of the CPU. */
export type { GpuAnswers, GpuDevice, GpuLane, GpuOptions, GpuReport } from './gpu.ts';
export { Gpu, requestGpu } from './gpu.ts';
export type { GpuBatchInput, GpuBatchName } from './mesh-batch.ts';
