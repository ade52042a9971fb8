/** Batches on the GPU, with the answers of the CPU. */
export type { GpuDevice, GpuLane, GpuOptions } from './gpu.ts';
export { Gpu, requestGpu } from './gpu.ts';
