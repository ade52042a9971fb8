/**
 * A mesh as the four-wide kernels see it: a tree of four children a node, and its triangles four by four, in the memory of
 * WebAssembly. The boxes are those of the mesh's own tree, on its grid; the corners of triangles are in single precision, in
 * steps of the grid's widest axis from its corner, so that they run from 0 to 65536 whatever the mesh measures. The numbers in
 * here are those of `simd/memory.ts`.
 */
import {
  boxAt,
  isEmptyLeaf,
  isLeaf,
  leafCount,
  leafEnd,
  leafFirst,
  linkAt,
  type PackedTree,
} from '../trees/packed-tree.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { type WasmMemory, webAssembly } from './web-assembly.ts';

const NODES = 2816;
const NODE = 64;
const LINKS = 48;
const BLOCK = 160;
const PAGE = 65536;
const EMPTY = ~0;

export interface MeshMemory {
  readonly memory: WasmMemory;
  /** Where the first block stands. */
  readonly blocks: number;
}

/** One node of four: of each child, where its box stands in the tree, and its link there. */
interface Quad {
  readonly boxes: number[];
  readonly links: number[];
}

export function fillMemory(mesh: Mesh): MeshMemory {
  const { tree } = mesh;
  const quads = quadsOf(tree);
  const leaves = quads.flatMap(({ links }) => links.filter((link) => isLeaf(link)));
  const blockCount = leaves.reduce((sum, link) => sum + blocksOf(link), 0);
  const blocks = NODES + NODE * quads.length;
  const wasm = webAssembly()!;
  const memory = new wasm.Memory({ initial: Math.ceil((blocks + BLOCK * blockCount) / PAGE) });
  const { grid } = tree;
  const unit = widestStep(tree);
  new Float64Array(memory.buffer).set([
    ...grid.subarray(0, 3),
    unit,
    grid[3]! / unit,
    grid[4]! / unit,
    grid[5]! / unit,
  ]);
  writeNodes(memory.buffer, tree, quads);
  writeBlocks(memory.buffer, mesh, leaves, blocks);
  return { memory, blocks };
}

const blocksOf = (leaf: number): number => Math.ceil(leafCount(leaf) / 4);

/** The nodes of the binary tree taken together: in each the inner child with the largest box gives way to its two, till there are four. */
function quadsOf({ bounds, links, grid }: PackedTree): Quad[] {
  const areaOf = (box: number): number => {
    const x = (bounds[box + 3]! - bounds[box]!) * grid[3]!;
    const y = (bounds[box + 4]! - bounds[box + 1]!) * grid[4]!;
    const z = (bounds[box + 5]! - bounds[box + 2]!) * grid[5]!;
    return x * y + y * z + z * x;
  };
  const quads: Quad[] = [];
  /** Nodes of the binary tree that become nodes of four, in the order in which these are numbered. */
  const roots = [0];
  for (let i = 0; i < roots.length; i++) {
    const root = roots[i]!;
    const boxes = [boxAt(root, 0), boxAt(root, 1)];
    const children = [links[linkAt(root, 0)]!, links[linkAt(root, 1)]!];
    while (children.length < 4) {
      let widest = -1;
      for (let k = 0; k < children.length; k++)
        if (!isLeaf(children[k]!) && (widest < 0 || areaOf(boxes[k]!) > areaOf(boxes[widest]!))) widest = k;
      if (widest < 0) break;
      const node = children[widest]!;
      boxes.splice(widest, 1, boxAt(node, 0), boxAt(node, 1));
      children.splice(widest, 1, links[linkAt(node, 0)]!, links[linkAt(node, 1)]!);
    }
    const quad: Quad = { boxes: [], links: [] };
    for (let k = 0; k < children.length; k++) {
      const link = children[k]!;
      if (isEmptyLeaf(link)) continue;
      quad.boxes.push(boxes[k]!);
      quad.links.push(isLeaf(link) ? link : NODE * roots.length);
      if (!isLeaf(link)) roots.push(link);
    }
    quads.push(quad);
  }
  return quads;
}

function writeNodes(buffer: ArrayBuffer, { bounds }: PackedTree, quads: readonly Quad[]): void {
  const sides = new Uint16Array(buffer, NODES);
  const words = new Int32Array(buffer, NODES);
  let block = 0;
  quads.forEach(({ boxes, links }, i) => {
    for (let lane = 0; lane < 4; lane++) {
      const box = boxes[lane];
      // What is missing is a leaf of nothing, in a box that is inside out.
      for (let side = 0; side < 6; side++)
        sides[(NODE / 2) * i + 4 * side + lane] =
          box === undefined ? (side < 3 ? 65535 : 0) : bounds[box + side]!;
      const link = links[lane] ?? EMPTY;
      words[(NODE * i + LINKS) / 4 + lane] = link >= 0 ? link : ~((block << 4) | blocksOf(link));
      if (link < 0) block += blocksOf(link);
    }
  });
}

function writeBlocks(buffer: ArrayBuffer, mesh: Mesh, leaves: readonly number[], blocks: number): void {
  const { vertices, corners } = mesh;
  const { grid } = mesh.tree;
  const perStep = 1 / widestStep(mesh.tree);
  const numbers = new Float32Array(buffer);
  const slots = new Int32Array(buffer);
  let at = blocks / 4;
  for (const leaf of leaves) {
    const end = leafEnd(leaf);
    for (let first = leafFirst(leaf); first < end; first += 4, at += BLOCK / 4)
      for (let lane = 0; lane < 4; lane++) {
        const slot = first + lane;
        for (let k = 0; k < 9; k++) {
          const axis = k % 3;
          const vertex = slot < end ? corners[3 * slot + (k - axis) / 3]! : -1;
          // What is missing has no coordinates, and so is never hit nor near.
          numbers[at + 4 * k + lane] =
            vertex < 0 ? Number.NaN : (vertices[3 * vertex + axis]! - grid[axis]!) * perStep;
        }
        slots[at + 36 + lane] = slot;
      }
  }
}

/** The step of the grid along the axis where it is widest: the unit of lengths in the kernels. */
const widestStep = ({ grid }: PackedTree): number => Math.max(grid[3]!, grid[4]!, grid[5]!);
