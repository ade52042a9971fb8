// The kernels of simd/, compiled: what `npm run simd` writes, and what a test compares with what stands there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './setup.mjs';

const OPTIONS = '-O3 --converge --runtime stub --noAssert --enable simd --importMemory --noExportMemory';

/** How large the binary is, gzipped and not, and the source file that holds it. */
export async function compileKernels() {
  const { default: asc } = await import('assemblyscript/asc');
  let binary = new Uint8Array();
  const { error, stderr } = await asc.main(
    ['simd/index.ts', '--outFile', 'kernels.wasm', '--baseDir', root, ...OPTIONS.split(' ')],
    {
      readFile: (name, folder) => {
        try {
          return readFileSync(join(folder, name), 'utf8');
        } catch {
          return null;
        }
      },
      writeFile: (_, contents) => {
        binary = contents;
      },
    },
  );
  if (error) throw new Error(`the kernels do not compile: ${stderr.toString()}`);
  const { length: bytes } = binary;
  return { bytes, gzipped: gzipSync(binary).length, text: sourceOf(Buffer.from(binary).toString('base64')) };
}

const sourceOf = (
  base64,
) => `/** The four-wide kernels of \`simd/\`, compiled by \`npm run simd\`: WebAssembly in base64. */
export const BINARY =
  '${base64}';
`;
