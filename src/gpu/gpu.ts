/** The GPU that batches run on, or the reason why there is none. */
import { describe, mustBeOptions, refuse } from '../math/check.ts';

/** A `GPUDevice`, by whichever declarations the program has of it. */
export interface GpuDevice {
  readonly limits: object;
  readonly queue: object;
  readonly lost: Promise<{ readonly reason: string; readonly message: string }>;
  destroy(): unknown;
}

export interface GpuOptions {
  /** The program's own device. Default: one that is requested, with the largest buffers that the adapter has. */
  readonly device?: GpuDevice | undefined;
  /** Which adapter to request. Default: the one that the browser thinks best. */
  readonly powerPreference?: 'low-power' | 'high-performance' | undefined;
}

/** Which of the two answers. */
export type GpuLane = 'gpu' | 'cpu';

/**
 * A device for batches, from `requestGpu`. There may be none, or it may be lost at any time: then the CPU answers, and `reason`
 * says why.
 */
export class Gpu {
  #device: GPUDevice | null;
  #reason: string;
  readonly #own: boolean;

  /** @internal */
  constructor(device: GPUDevice | null, reason: string, own: boolean) {
    this.#device = device;
    this.#reason = reason;
    this.#own = own;
    // A device without this promise is none: `requestGpu` has looked.
    device?.lost.then((lost) => this.#lose(`the device is lost (${lost.reason}): ${lost.message}`));
  }

  /** Which lane the next batch takes, as far as is known now. */
  get lane(): GpuLane {
    return this.#device ? 'gpu' : 'cpu';
  }

  /** Why it is the CPU; empty for the GPU. */
  get reason(): string {
    return this.#reason;
  }

  /** The device, while there is one. @internal */
  get device(): GPUDevice | null {
    return this.#device;
  }

  /** Lets go of the device, and destroys it if it was requested here. The CPU answers from now on. */
  close(): void {
    const device = this.#device;
    this.#lose('the GPU is closed');
    if (this.#own) device?.destroy();
  }

  #lose(reason: string): void {
    if (!this.#device) return;
    this.#device = null;
    this.#reason = reason;
  }
}

/**
 * The GPU of this page, worker or program, by WebGPU. The promise is always kept: where there is no device, the `Gpu` says so, and
 * its batches are answered by the CPU.
 */
export function requestGpu(options: GpuOptions = {}): Promise<Gpu> {
  mustBeOptions('requestGpu', 'options', options, 'device powerPreference');
  const { device, powerPreference } = options;
  if (device !== undefined && typeof device?.lost?.then !== 'function')
    refuse('requestGpu', 'options.device', `must be a GPUDevice, got ${describe(device)}`);
  if (powerPreference !== undefined && !['low-power', 'high-performance'].includes(powerPreference))
    refuse(
      'requestGpu',
      'options.powerPreference',
      `must be low-power or high-performance, got ${describe(powerPreference)}`,
    );
  if (device) return Promise.resolve(new Gpu(device as unknown as GPUDevice, '', false));
  return requestDevice(powerPreference).then(
    (found) => (typeof found === 'string' ? new Gpu(null, found, true) : new Gpu(found, '', true)),
    (error: unknown) => new Gpu(null, `the device was refused: ${String(error)}`, true),
  );
}

/** A device, or why there is none. */
async function requestDevice(
  powerPreference: 'low-power' | 'high-performance' | undefined,
): Promise<GPUDevice | string> {
  const { gpu } = (globalThis as { navigator?: { gpu?: GPU } }).navigator ?? {};
  if (!gpu) return 'there is no WebGPU here';
  const adapter = await gpu.requestAdapter(powerPreference ? { powerPreference } : {});
  if (!adapter) return 'WebGPU has no adapter here';
  const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
  return adapter.requestDevice({ requiredLimits: { maxBufferSize, maxStorageBufferBindingSize } });
}
