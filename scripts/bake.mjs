// npm run bake -- in.glb out.glb
// Builds the trees of all meshes of a glTF file and writes them into a copy of it, so that none is built when that is loaded:
// loader.register(bakedTrees), of graze/three.
import { readFileSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { install } from './setup.mjs';

const [from, to] = process.argv.slice(2);
if (!from || !to) {
  console.error('usage: npm run bake -- in.glb out.glb');
  process.exit(1);
}
install();
const { register } = await import('tsx/esm/api');
register();
const { bakeTrees } = await import(new URL('../src/three/bake.ts', import.meta.url).href);
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js');

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
try {
  const start = performance.now();
  const given = readFileSync(from);
  const baked = await bakeTrees(given, new GLTFLoader().setMeshoptDecoder(MeshoptDecoder));
  writeFileSync(to, baked);
  const seconds = ((performance.now() - start) / 1000).toFixed(2);
  console.log(`graze: ${to}: ${megabytes(given.length)} became ${megabytes(baked.length)}, in ${seconds} s`);
} catch (error) {
  console.error(error instanceof RangeError || error?.code === 'ENOENT' ? error.message : error);
  process.exit(1);
}
