/**
 * A mesh as the four-wide kernels see it, in the memory of WebAssembly. Boxes are on the grid of the mesh's own tree; the corners
 * of triangles are in single precision, in steps of the grid's widest axis from its corner, so that they run from 0 to 65536
 * whatever the mesh measures. The numbers in here are those of `simd/memory.ts`.
 */
import type { Mesh } from '../trimesh/mesh.ts';
import { quadTreeOf } from './quad-tree.ts';
import { type WasmMemory, webAssembly } from './web-assembly.ts';

const WIDTHS = 128;
const TREE = 3584;
const PAGE = 65536;

export function fillMemory(mesh: Mesh): WasmMemory {
  const tree = quadTreeOf(mesh);
  const memory = new (webAssembly()!.Memory)({ initial: Math.ceil((TREE + tree.length) / PAGE) });
  const { grid } = mesh.tree;
  const unit = Math.max(grid[3]!, grid[4]!, grid[5]!);
  const steps = [grid[3]! / unit, grid[4]! / unit, grid[5]! / unit];
  new Float64Array(memory.buffer).set([...grid.subarray(0, 3), unit, ...steps, 1 / unit]);
  new Float32Array(memory.buffer, WIDTHS).set(steps);
  new Uint8Array(memory.buffer, TREE).set(tree);
  return memory;
}
