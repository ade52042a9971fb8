/**
 * A hierarchy of spheres around spheres. RTCD §6.4.4; Quinlan 1994.
 *
 * A search over the spheres of `sphere-cover.ts`. Production: `trimesh/mesh-mesh/distance.ts`.
 */
import {
  checkNumbers,
  describe,
  mustBeOptions,
  mustHave,
  mustNotBeNegative,
  refuse,
} from '../../math/check.ts';
import { makeAabb, makeSphere, type Sphere } from '../../primitives/types.ts';
import { boundCenters, longestAxis } from '../../trees/centers.ts';
import { halveDepth, identityOrder, topologyByCuts } from '../../trees/ranges.ts';
import { type BuildNode, flattenTree, type Tree, type TreeItems } from '../../trees/tree.ts';
import { fitSphereAabb, mergeSphere, reachAbout } from '../../volumes/sphere.ts';
import { sphereVolume } from '../ch04/bounding-volumes.ts';
import { EXTERIOR, gridOver, INTERIOR, labelCells, trianglesOf, type Voxels } from './voxels.ts';

/** Spheres that together hold something. */
export interface SphereCover {
  /** x, y, z of one after the other. */
  readonly centers: Float64Array;
  readonly radii: Float64Array;
}

/**
 * A binary tree with one sphere of the cover in each leaf. Nodes are cut through the middle of the longest side of the box
 * around their centers; a node's sphere is the smaller of two: around those of its children, or about the middle of that
 * box. O(n log n).
 */
export function buildSphereTree(cover: SphereCover): Tree<Sphere> {
  const count = mustBeCover('buildSphereTree', cover);
  const { centers, radii } = cover;
  const order = identityOrder(count);
  const deepest = halveDepth(count);
  const topology = topologyByCuts(order, (begin, end, depth) => {
    const { min, max } = boundCenters(centers, order, begin, end);
    const axis = longestAxis({ min, max });
    const middle = [0.5 * min.x + 0.5 * max.x, 0.5 * min.y + 0.5 * max.y, 0.5 * min.z + 0.5 * max.z][axis]!;
    let cut = begin;
    for (let i = begin; i < end; i++) {
      const item = order[i]!;
      if (!(centers[3 * item + axis]! < middle)) continue;
      order[i] = order[cut]!;
      order[cut++] = item;
    }
    return cut > begin && cut < end && depth < deepest ? cut : (begin + end) >>> 1;
  });
  const { skip, first, items } = topology;
  const tree: Tree<Sphere> = { ...topology, ops: sphereVolume, volumes: new Float32Array(4 * skip.length) };
  const sphere = makeSphere();
  const other = makeSphere();
  for (let node = skip.length - 1; node >= 0; node--) {
    const begin = first[node]!;
    const end = first[skip[node]!]!;
    if (end === begin + 1) readSphere({ centers, radii }, items[begin]!, sphere);
    else {
      sphereVolume.load(tree.volumes, 4 * (node + 1), sphere);
      mergeSphere(sphere, sphereVolume.load(tree.volumes, 4 * skip[node + 1]!, other), sphere);
      const { min, max } = boundCenters(centers, order, begin, end);
      const middle = {
        x: 0.5 * min.x + 0.5 * max.x,
        y: 0.5 * min.y + 0.5 * max.y,
        z: 0.5 * min.z + 0.5 * max.z,
      };
      let reach = 0;
      for (let i = begin; i < end && reach < sphere.radius; i++)
        reach = Math.max(reach, reachAbout(middle, readSphere({ centers, radii }, items[i]!, other)));
      if (reach < sphere.radius) {
        sphere.center = middle;
        sphere.radius = reach;
      }
    }
    sphereVolume.store(sphere, tree.volumes, 4 * node);
  }
  return tree;
}

function readSphere({ centers, radii }: SphereCover, item: number, out: Sphere): Sphere {
  out.center.x = centers[3 * item]!;
  out.center.y = centers[3 * item + 1]!;
  out.center.z = centers[3 * item + 2]!;
  out.radius = radii[item]!;
  return out;
}

/** How many spheres there are. */
function mustBeCover(caller: string, cover: SphereCover): number {
  mustHave(caller, 'cover', cover, 'a cover {centers, radii}', 'centers');
  const { centers, radii } = cover;
  checkNumbers(caller, 'cover.centers', centers);
  checkNumbers(caller, 'cover.radii', radii);
  if (centers.length !== 3 * radii.length)
    refuse(
      caller,
      'cover',
      `must have a center for every radius, got ${centers.length} numbers for ${radii.length}`,
    );
  if (radii.length === 0) refuse(caller, 'cover', 'must hold at least one sphere');
  for (let i = 0; i < radii.length; i++) mustNotBeNegative(caller, `cover.radii[${i}]`, radii[i]!);
  for (let i = 0; i < centers.length; i++)
    if (centers[i]! * 0 !== 0)
      refuse(caller, `cover.centers[${i}]`, `must be a finite number, got ${describe(centers[i])}`);
  return radii.length;
}

/** A hierarchy of spheres around the cells of an octree. RTCD §6.4.3; Tzafestas and Coiffet 1996. */

export interface SphereOctreeOptions {
  /** How often the cube around everything is halved, from 0 to 8. Default: 4. */
  readonly depth?: number;
  /** Leave cells away that have no surface in them? Then nothing collides with the inside of a solid. */
  readonly skipEnclosed?: boolean;
}

/**
 * A tree of spheres over triangles: every cell of an octree that has a part of the surface in it, or is inside of it, gets
 * the sphere through its corners. Its items are the smallest cells, numbered in the order of the leaves. What is inside
 * is what cannot be reached from outside, cell by cell: a hole wider than a cell makes it outside.
 *
 * Together the leaves hold all of the triangles and, unless `skipEnclosed`, all of the inside; so does every level above
 * them. The fit is loose: the sphere of a cell reaches beyond it by 37 % of its side. Takes memory and time for all 8^depth cells.
 */
export function buildSphereOctree(items: TreeItems, options: SphereOctreeOptions = {}): Tree<Sphere> {
  mustHave('buildSphereOctree', 'items', items, 'items of a tree', 'count');
  mustBeOptions('buildSphereOctree', 'options', options, 'depth skipEnclosed');
  const caller = 'buildSphereOctree';
  const { depth = 4, skipEnclosed = false } = options;
  if (!(Number.isInteger(depth) && depth >= 0 && depth <= 8))
    refuse(caller, 'options.depth', `must be a whole number from 0 to 8, got ${describe(depth)}`);
  const corners = trianglesOf(caller, items);
  const n = 1 << depth;
  const { min, cell } = gridOver(corners, (extent) => extent / n);
  const voxels = labelCells(caller, corners, min, cell, [n, n, n]);
  const codes = occupiedCodes(voxels, depth, skipEnclosed ? INTERIOR : EXTERIOR);
  const topology = flattenTree(octreeOver(codes, depth));
  const tree: Tree<Sphere> = {
    ...topology,
    ops: sphereVolume,
    volumes: new Float32Array(4 * topology.skip.length),
  };
  fitCells(tree, voxels, codes, depth);
  return tree;
}

/** The Morton codes of the cells that count, in order: three bits a level, from the top down, tell the way to a cell. */
function occupiedCodes({ nx, ny, labels }: Voxels, depth: number, skipped: number): Uint32Array {
  const codes: number[] = [];
  for (let number = 0; number < labels.length; number++) {
    if (labels[number] === EXTERIOR || labels[number] === skipped) continue;
    const i = number % nx;
    const j = Math.floor(number / nx) % ny;
    const k = Math.floor(number / (nx * ny));
    let code = 0;
    for (let bit = 0; bit < depth; bit++)
      code |= (((i >> bit) & 1) | (((j >> bit) & 1) << 1) | (((k >> bit) & 1) << 2)) << (3 * bit);
    codes.push(code);
  }
  return Uint32Array.from(codes).sort();
}

/** Cells side by side with the same parent are brought together, level by level. */
function octreeOver(codes: Uint32Array, depth: number): BuildNode {
  let nodes: BuildNode[] = Array.from(codes, (_, i) => ({ children: [], items: [i] }));
  let keys = codes;
  for (let level = depth; level > 0; level--) {
    const parents: { children: BuildNode[]; items: number[] }[] = [];
    const parentKeys: number[] = [];
    for (let i = 0; i < nodes.length; i++) {
      const key = keys[i]! >> 3;
      if (parentKeys.at(-1) !== key) {
        parentKeys.push(key);
        parents.push({ children: [], items: [] });
      }
      parents.at(-1)!.children.push(nodes[i]!);
    }
    nodes = parents;
    keys = Uint32Array.from(parentKeys);
  }
  return nodes[0]!;
}

/** The sphere of each node: through the corners of its cell, which the first leaf below it and its level tell. */
function fitCells(tree: Tree<Sphere>, { min, cell }: Voxels, codes: Uint32Array, depth: number): void {
  const { skip, first, items, volumes } = tree;
  const box = makeAabb();
  const sphere = makeSphere();
  const ends: number[] = [];
  for (let node = 0; node < skip.length; node++) {
    while (ends.length > 0 && ends.at(-1)! <= node) ends.pop();
    const level = ends.length;
    ends.push(skip[node]!);
    const width = 1 << (depth - level);
    const code = codes[items[first[node]!]!]! >> (3 * (depth - level));
    let [i, j, k] = [0, 0, 0];
    for (let bit = 0; bit < level; bit++) {
      i |= ((code >> (3 * bit)) & 1) << bit;
      j |= ((code >> (3 * bit + 1)) & 1) << bit;
      k |= ((code >> (3 * bit + 2)) & 1) << bit;
    }
    box.min.x = min.x + i * width * cell;
    box.min.y = min.y + j * width * cell;
    box.min.z = min.z + k * width * cell;
    box.max.x = min.x + (i + 1) * width * cell;
    box.max.y = min.y + (j + 1) * width * cell;
    box.max.z = min.z + (k + 1) * width * cell;
    sphereVolume.store(fitSphereAabb(box, sphere), volumes, 4 * node);
  }
}
