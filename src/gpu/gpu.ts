/** The GPU that batches run on, or the reason why there is none. */
import { describe, mustBeOptions, mustHave, refuse } from '../math/check.ts';
import { plainList } from '../math/number-list.ts';
import { type MeshBatchOutput, makeAnswers, prepareBatch } from '../trimesh/batch.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import {
  type GpuBatchInput,
  type GpuBatchName,
  GpuRefusal,
  KERNELS,
  MeshLane,
  runOnCpu,
} from './mesh-batch.ts';

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

/** What became of a batch. */
export interface GpuReport {
  /** Who answered: the GPU, the CPU confirming, or the CPU, from the beginning or from where the GPU had to stop. */
  readonly lane: GpuLane;
  /** Why it was the CPU; empty for the GPU. */
  readonly reason: string;
  /** How many queries the CPU answered all by itself. In the lane of the GPU, those that single precision could not settle. */
  readonly onCpu: number;
}

/** The answers to a batch, as of `batchMesh`, and what became of it. */
export interface GpuAnswers<Name extends GpuBatchName> extends GpuReport {
  readonly answers: MeshBatchOutput<Name>;
}

/** How long a batch that failed waits for the news that the device is lost, in milliseconds. */
const PATIENCE = 100;

/**
 * A device for batches, from `requestGpu`. There may be none, or it may be lost at any time: then the CPU answers, and `reason`
 * says why.
 */
export class Gpu {
  #device: GPUDevice | null;
  #reason: string;
  readonly #own: boolean;
  readonly #meshes: MeshLane | null;

  /** @internal */
  constructor(device: GPUDevice | null, reason: string, own: boolean) {
    this.#device = device;
    this.#reason = reason;
    this.#own = own;
    this.#meshes = device && new MeshLane(device);
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

  /**
   * As `batchMesh`, for rays and closest points: the same answers, to the last bit. A mesh is uploaded when it is first asked. The
   * page goes on meanwhile; the lists must stay as they are until the promise is kept. It is rejected for bad input only:
   * whatever the device cannot do, the CPU does.
   */
  async batch<Name extends GpuBatchName>(
    name: Name,
    input: GpuBatchInput<Name>,
    mesh: Mesh,
    out?: MeshBatchOutput<Name>,
  ): Promise<GpuAnswers<Name>> {
    const caller = 'Gpu.batch';
    mustHave(caller, 'mesh', mesh, 'a mesh', 'tree');
    if (typeof name !== 'string' || !Object.hasOwn(KERNELS, name))
      refuse(caller, 'name', `must be one of ${Object.keys(KERNELS).join(', ')}, got ${describe(name)}`);
    const prepared = prepareBatch(caller, name, input as unknown as Record<string, unknown>);
    const queries = { ...prepared, lists: prepared.lists.map((list) => plainList(list, 3)) };
    const answers = makeAnswers(caller, name, queries.count, out);
    let to = 0;
    let onCpu = 0;
    let reason = this.#reason;
    const device = this.#device;
    if (device)
      try {
        await this.#meshes!.run(name, queries, mesh, answers, (end, alone) => {
          to = end;
          onCpu += alone;
        });
        return { answers, lane: 'gpu', reason: '', onCpu };
      } catch (error) {
        // That the device is lost is known a moment later, and says more.
        if (!(error instanceof GpuRefusal))
          await Promise.race([device.lost, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
        reason = this.#reason || (error instanceof Error ? error.message : String(error));
      }
    await runOnCpu(name, queries, mesh, answers, [to, queries.count]);
    return { answers, lane: 'cpu', reason, onCpu: onCpu + queries.count - to };
  }

  /** Gives the memory of a mesh on the device back at once, not when it is collected. It is uploaded again when asked again. */
  release(mesh: Mesh): void {
    mustHave('Gpu.release', 'mesh', mesh, 'a mesh', 'tree');
    this.#meshes?.release(mesh);
  }

  /** Lets go of the device, and destroys it if it was requested here. The CPU answers from now on. */
  close(): void {
    const device = this.#device;
    this.#lose('the GPU is closed');
    this.#meshes?.close();
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
