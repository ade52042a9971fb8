/** The device, while there is one, and what all work on it shares. */

// What WebGPU calls GPUBufferUsage and GPUMapMode, which are not everywhere there.
export const MAP_READ = 1;
export const COPY_SRC = 4;
export const COPY_DST = 8;
export const UNIFORM = 64;
export const STORAGE = 128;

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

/** What the GPU cannot do; the message says why. */
export class GpuRefusal extends Error {}

/** How long work that failed waits for the news that the device is lost, in milliseconds. */
const PATIENCE = 100;

/** How long a device may be silent, in milliseconds. Software adapters on busy machines take seconds for a piece of a batch. */
const SILENCE = 60_000;

/** A device until it is lost, and then the reason. @internal */
export class DeviceHolder {
  device: GPUDevice | null;
  reason: string;
  /** What waits for the device. */
  readonly #waiting = new Set<() => void>();

  constructor(device: GPUDevice | null, reason: string) {
    this.device = device;
    this.reason = reason;
    device?.lost.then((lost) => this.lose(`the device is lost (${lost.reason}): ${lost.message}`));
  }

  lose(reason: string): void {
    if (!this.device) return;
    this.device = null;
    this.reason = reason;
    for (const stop of [...this.#waiting]) stop();
  }

  /**
   * What the device makes of it. Rejects when the device is lost or silent, whatever becomes of the promises that it has given:
   * nothing waits for ever. `work` tells when it goes on.
   */
  answered<T>(work: (goesOn: () => void) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(stop);
      };
      const stop = (): void => {
        end();
        reject(new GpuRefusal(this.reason || `the device has been silent for ${SILENCE / 1000} seconds`));
      };
      const goesOn = (): void => {
        clearTimeout(timer);
        if (this.#waiting.has(stop)) timer = setTimeout(stop, SILENCE);
      };
      this.#waiting.add(stop);
      goesOn();
      work(goesOn).then(resolve, reject).finally(end);
    });
  }

  /** Why work on the device has failed. */
  async reasonOf(error: unknown): Promise<string> {
    // That the device is lost is known a moment later, and says more.
    if (this.device && !(error instanceof GpuRefusal))
      await Promise.race([this.device.lost, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
    return this.reason || (error instanceof Error ? error.message : String(error));
  }
}

/** What is made of the device's memory, if there is enough of it. @internal */
export async function allocate<Made>(device: GPUDevice, make: () => Made): Promise<Made> {
  device.pushErrorScope('out-of-memory');
  device.pushErrorScope('validation');
  let made: Made;
  let errors: Promise<(GPUError | null)[]>;
  try {
    made = make();
  } finally {
    errors = Promise.all([device.popErrorScope(), device.popErrorScope()]);
    errors.catch(() => {}); // it is told below
  }
  for (const error of await errors)
    if (error) throw new GpuRefusal(`the device has no memory for it: ${error.message}`);
  return made;
}

/** The largest buffer that a kernel can have. @internal */
export const largestBuffer = ({ limits }: GPUDevice): number =>
  Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
