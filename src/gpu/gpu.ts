/** The GPU that batches run on, or the reason why there is none. */
import { describe, mustBeOptions, mustHave, refuse } from '../math/check.ts';
import { plainList } from '../math/number-list.ts';
import { makeAnswers, prepareBatch } from '../trimesh/batch.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { GpuBoxes } from './box-pairs.ts';
import { DeviceHolder, type GpuLane, type GpuReport } from './device.ts';
import {
  type GpuBatchInput,
  type GpuBatchName,
  type GpuBatchOutput,
  type GpuHits,
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

/** The answers to a batch, as of `batchMesh`, and what became of it. */
export interface GpuAnswers<Name extends GpuBatchName> extends GpuReport {
  readonly answers: GpuBatchOutput<Name>;
}

/**
 * A device for batches, from `requestGpu`. There may be none, or it may be lost at any time: then the CPU answers, and `reason`
 * says why.
 */
export class Gpu {
  readonly #held: DeviceHolder;
  readonly #own: boolean;
  readonly #meshes: MeshLane | null;

  /** @internal */
  constructor(device: GPUDevice | null, reason: string, own: boolean) {
    this.#held = new DeviceHolder(device, reason);
    this.#own = own;
    this.#meshes = device && new MeshLane(device);
  }

  /** Which lane the next batch takes, as far as is known now. */
  get lane(): GpuLane {
    return this.#held.device ? 'gpu' : 'cpu';
  }

  /** Why it is the CPU; empty for the GPU. */
  get reason(): string {
    return this.#held.reason;
  }

  /**
   * As `batchMesh`, for rays and closest points: the same answers, to the last bit. A mesh is uploaded when it is first asked. The
   * page goes on meanwhile; the lists must stay as they are until the promise is kept. It is rejected for bad input only:
   * whatever the device cannot do, the CPU does. Of rays, points and normals are told where `out` has lists for them.
   */
  async batch<Name extends GpuBatchName>(
    name: Name,
    input: GpuBatchInput<Name>,
    mesh: Mesh,
    out?: GpuBatchOutput<Name>,
  ): Promise<GpuAnswers<Name>> {
    const caller = 'Gpu.batch';
    mustHave(caller, 'mesh', mesh, 'a mesh', 'tree');
    if (typeof name !== 'string' || !Object.hasOwn(KERNELS, name))
      refuse(caller, 'name', `must be one of ${Object.keys(KERNELS).join(', ')}, got ${describe(name)}`);
    const { lists, count, setting } = prepareBatch(caller, name, input as unknown as Record<string, unknown>);
    const queries = { lists: lists.map((list) => plainList(list, 3)), count, setting };
    const answers = makeAnswers(caller, name, count, out as never) as GpuBatchOutput<Name>;
    if (name === 'rayMesh') addSurface(caller, answers, count, out as GpuHits | undefined);
    let to = 0;
    let onCpu = 0;
    let isOver = false;
    let { reason } = this.#held;
    if (this.#held.device)
      try {
        await this.#held.answered((goesOn) =>
          this.#meshes!.run(name, queries, mesh, answers, (end, alone) => {
            goesOn();
            if (isOver) return;
            to = end;
            onCpu += alone;
          }),
        );
        return { answers, lane: 'gpu', reason: '', onCpu };
      } catch (error) {
        isOver = true;
        reason = await this.#held.reasonOf(error);
      }
    await runOnCpu(name, queries, mesh, answers, [to, count]);
    return { answers, lane: 'cpu', reason, onCpu: onCpu + count - to };
  }

  /** The pairs of moving boxes that meet, frame by frame. */
  boxes(): GpuBoxes {
    return new GpuBoxes(this.#held);
  }

  /** Gives the memory of a mesh on the device back at once, not when it is collected. It is uploaded again when asked again. */
  release(mesh: Mesh): void {
    mustHave('Gpu.release', 'mesh', mesh, 'a mesh', 'tree');
    this.#meshes?.release(mesh);
  }

  /** Lets go of the device, and destroys it if it was requested here. The CPU answers from now on. */
  close(): void {
    const { device } = this.#held;
    this.#held.lose('the GPU is closed');
    this.#meshes?.close();
    if (this.#own) device?.destroy();
  }
}

/** Points and normals of hits go to the lists that are given for them. */
function addSurface(caller: string, answers: object, count: number, out: GpuHits | undefined): void {
  for (const key of ['point', 'normal'] as const) {
    const list = out?.[key];
    if (list === undefined) continue;
    if (!(list instanceof Float64Array && list.length >= 3 * count))
      refuse(caller, `out.${key}`, `must be a list of ${3 * count} f64 numbers at least`);
    (answers as Record<string, Float64Array>)[key] = list;
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
