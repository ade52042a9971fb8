// npm run simd: compiles the kernels of simd/ into src/simd/binary.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileKernels } from './compile-kernels.mjs';
import { install, root } from './setup.mjs';

install();
const { text, bytes, gzipped } = await compileKernels();
const path = join(root, 'src', 'simd', 'binary.ts');
const before = readFileSync(path, 'utf8');
writeFileSync(path, text);
console.log(`simd: ${bytes} bytes, ${gzipped} gzipped, ${before === text ? 'as before' : 'changed'}`);
