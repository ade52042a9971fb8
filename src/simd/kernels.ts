/** The compiled kernels: made into a module once, at the first use, without a fetch. */
import { BINARY } from './binary.ts';
import { type Kernels, type WasmMemory, type WasmModule, webAssembly } from './web-assembly.ts';

/** Null: not tried yet. False: this engine cannot. */
let module: WasmModule | null | false = null;

/** The module, or null where the engine has no SIMD in WebAssembly, or compiles only in the background: see `prepareSimd`. */
export function kernelModule(): WasmModule | null {
  if (module === null) {
    const wasm = webAssembly();
    try {
      module = wasm ? new wasm.Module(bytesOf(BINARY)) : false;
    } catch {
      module = false;
    }
  }
  return module === false ? null : module;
}

/**
 * Compiles the kernels in the background. Only needed where an engine refuses to compile on the main thread: the kernels are
 * so small that none is known to. Tells whether they can be used: false where the engine has no SIMD in WebAssembly.
 */
export async function prepareSimd(): Promise<boolean> {
  if (kernelModule() !== null) return true;
  try {
    module = (await webAssembly()?.compile(bytesOf(BINARY))) ?? false;
  } catch {
    module = false;
  }
  return module !== false;
}

const none = (): number => 0;

/** The kernels over a memory, with the exact tests that `simd/ray.ts` and `simd/nearest.ts` ask. */
export function kernelsOver(
  module: WasmModule,
  memory: WasmMemory,
  hitSlot: (slot: number) => number = none,
  nearSlot: (slot: number) => number = none,
): Kernels {
  const wasm = webAssembly()!;
  return new wasm.Instance(module, { env: { memory }, ray: { hitSlot }, nearest: { nearSlot } })
    .exports as Kernels;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** From base64, for which engines without a DOM have no function that is the same in all of them. */
function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array((text.length * 3) >> 2);
  let count = 0;
  let bits = 0;
  let held = 0;
  for (const letter of text) {
    const digit = DIGITS.indexOf(letter);
    if (digit < 0) break; // the padding
    bits = (bits << 6) | digit;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[count++] = (bits >> held) & 255;
    }
  }
  return bytes.subarray(0, count);
}
