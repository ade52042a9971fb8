/** Surfaces that go from one frame to the next, or stand, in the world: which of their triangles can meet. */
import { EPS64 } from '../math/float.ts';
import { transformPoint } from '../math/pose.ts';
import { type ReadonlyPose, vec3 } from '../math/types.ts';
import { set } from '../math/vec3.ts';
import { boxAt, isLeaf, leafCount, leafEnd, leafFirst, linkAt, MAX_DEPTH } from '../trees/packed-tree.ts';
import type { Mesh } from '../trimesh/mesh.ts';

/** Of the coordinates: what rounding moves a vertex or the side of a box by. */
const ROUNDING = 64 * EPS64;
/** A link to what is no tree. */
export const NO_TREE = -1;

const corner = vec3();
const middle = vec3();
const half = [0, 0, 0];

/** A mesh somewhere; where it is going to stand is another one of the same triangles. */
export interface PlacedMesh {
  readonly mesh: Mesh;
  readonly pose: ReadonlyPose | null;
}

/** Triangles by themselves, in the world. */
export interface Gathered {
  readonly positions0: ArrayLike<number>;
  readonly positions1: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
  /** By the link to each leaf: the number of its first triangle here. */
  readonly leaves: ReadonlyMap<number, number>;
}

/** A surface at the start of a motion, and at its end. */
export class SweptSurface {
  private readonly start: PlacedMesh;
  private readonly end: PlacedMesh;
  private readonly leaves = new Map<number, number>();
  private count = 0;

  constructor(start: PlacedMesh, end: PlacedMesh) {
    this.start = start;
    this.end = end;
  }

  /** The link to a child of a node. */
  child(node: number, side: number): number {
    return this.start.mesh.tree.links[linkAt(node, side)]!;
  }

  /** Writes the box around both boxes of a child. */
  writeBox(node: number, side: number, out: Float64Array, at: number): void {
    out.fill(Infinity, at, at + 3).fill(-Infinity, at + 3, at + 6);
    addBox(this.start, node, side, out, at);
    if (this.end !== this.start) addBox(this.end, node, side, out, at);
  }

  /** Asks for the triangles of a leaf. */
  add(leaf: number): void {
    if (this.leaves.has(leaf)) return;
    this.leaves.set(leaf, this.count);
    this.count += leafCount(leaf);
  }

  /** The number that the user knows one of the triangles by that have been asked for. */
  idOf(triangle: number): number {
    for (const [leaf, first] of this.leaves)
      if (triangle < first + leafCount(leaf)) return this.start.mesh.ids[leafFirst(leaf) + triangle - first]!;
    return -1;
  }

  /** What has been asked for, where it is in the world. */
  gather(): Gathered {
    const { start, end } = this;
    const { corners } = start.mesh;
    const numbers = new Map<number, number>();
    const indices = new Uint32Array(3 * this.count);
    let at = 0;
    for (const leaf of this.leaves.keys()) {
      start.mesh.live?.openLeaf(leaf);
      end.mesh.live?.openLeaf(leaf);
      for (let i = 3 * leafFirst(leaf); i < 3 * leafEnd(leaf); i++) {
        const vertex = corners[i]!;
        let number = numbers.get(vertex);
        if (number === undefined) {
          number = numbers.size;
          numbers.set(vertex, number);
        }
        indices[at++] = number;
      }
    }
    const positions0 = positionsOf(start, numbers);
    const positions1 = end === start ? positions0 : positionsOf(end, numbers);
    return { positions0, positions1, indices, leaves: this.leaves };
  }
}

function positionsOf({ mesh, pose }: PlacedMesh, numbers: ReadonlyMap<number, number>): Float64Array {
  const out = new Float64Array(3 * numbers.size);
  for (const [vertex, number] of numbers) {
    set(mesh.vertices[3 * vertex]!, mesh.vertices[3 * vertex + 1]!, mesh.vertices[3 * vertex + 2]!, corner);
    if (pose !== null) transformPoint(pose, corner, corner);
    out[3 * number] = corner.x;
    out[3 * number + 1] = corner.y;
    out[3 * number + 2] = corner.z;
  }
  return out;
}

function addBox({ mesh, pose }: PlacedMesh, node: number, side: number, out: Float64Array, at: number): void {
  mesh.live?.open(node);
  const { bounds, grid } = mesh.tree;
  const box = boxAt(node, side);
  for (let k = 0; k < 3; k++) {
    const low = grid[k]! + bounds[box + k]! * grid[k + 3]!;
    const high = grid[k]! + bounds[box + 3 + k]! * grid[k + 3]!;
    middle[AXES[k]!] = (low + high) / 2;
    half[k] = (high - low) / 2 + ROUNDING * (Math.abs(low) + Math.abs(high));
  }
  let [hx, hy, hz] = half as [number, number, number];
  if (pose !== null) {
    const { x, y, z, w } = pose.quaternion;
    const { position: p } = pose;
    const far = Math.abs(middle.x) + Math.abs(middle.y) + Math.abs(middle.z) + hx + hy + hz;
    const slack = ROUNDING * (far + Math.abs(p.x) + Math.abs(p.y) + Math.abs(p.z));
    transformPoint(pose, middle, middle);
    const [ax, ay, az] = [hx, hy, hz];
    hx =
      Math.abs(1 - 2 * (y * y + z * z)) * ax +
      2 * Math.abs(x * y - z * w) * ay +
      2 * Math.abs(x * z + y * w) * az +
      slack;
    hy =
      2 * Math.abs(x * y + z * w) * ax +
      Math.abs(1 - 2 * (x * x + z * z)) * ay +
      2 * Math.abs(y * z - x * w) * az +
      slack;
    hz =
      2 * Math.abs(x * z - y * w) * ax +
      2 * Math.abs(y * z + x * w) * ay +
      Math.abs(1 - 2 * (x * x + y * y)) * az +
      slack;
  }
  out[at] = Math.min(out[at]!, middle.x - hx);
  out[at + 1] = Math.min(out[at + 1]!, middle.y - hy);
  out[at + 2] = Math.min(out[at + 2]!, middle.z - hz);
  out[at + 3] = Math.max(out[at + 3]!, middle.x + hx);
  out[at + 4] = Math.max(out[at + 4]!, middle.y + hy);
  out[at + 5] = Math.max(out[at + 5]!, middle.z + hz);
}

const AXES = ['x', 'y', 'z'] as const;

/** What a surface is walked against: another one, or a box, or what is below a plane. */
export interface Region {
  readonly surface: SweptSurface | null;
  /** Minimum and maximum; if there is a surface, or a plane, all of space. */
  readonly box: Float64Array;
  /** Normal and distance, or null. */
  readonly plane: Float64Array | null;
}

/**
 * Asks for all leaves of a surface, and of the other, that come within a distance of each other at some time: pairs of links to them,
 * one after the other.
 */
export function sweptPairs(a: SweptSurface, { surface: b, box, plane }: Region, distance: number): number[] {
  const found: number[] = [];
  const links = new Int32Array(4 * MAX_DEPTH + 8);
  const boxes = new Float64Array(6 * links.length);
  const pair = new Float64Array(12).fill(-Infinity, 0, 3).fill(Infinity, 3, 6);
  pair.set(box, 6);
  boxes.set(pair);
  links[1] = b === null ? NO_TREE : 0;
  let top = 1;
  while (top > 0) {
    top--;
    const one = links[2 * top]!;
    const two = links[2 * top + 1]!;
    for (let k = 0; k < 12; k++) pair[k] = boxes[12 * top + k]!;
    if (isLeaf(one) && isLeaf(two)) {
      a.add(one);
      b?.add(two);
      found.push(one, two);
      continue;
    }
    const opensOne = isLeaf(two) || (!isLeaf(one) && sizeOf(pair, 0) >= sizeOf(pair, 6));
    for (let side = 0; side < 2; side++) {
      if (opensOne) a.writeBox(one, side, pair, 0);
      else b!.writeBox(two, side, pair, 6);
      if (!isNear(pair, distance) || (plane !== null && isAbove(pair, plane, distance))) continue;
      links[2 * top] = opensOne ? a.child(one, side) : one;
      links[2 * top + 1] = opensOne ? two : b!.child(two, side);
      boxes.set(pair, 12 * top);
      top++;
    }
  }
  return found;
}

const sizeOf = (p: Float64Array, at: number): number =>
  Math.max(p[at + 3]! - p[at]!, p[at + 4]! - p[at + 1]!, p[at + 5]! - p[at + 2]!);

/** Sums of a coordinate and a distance are off by 2^-53 of themselves. */
const WIDER = 1 + 4 * EPS64;

function isNear(p: Float64Array, distance: number): boolean {
  for (let k = 0; k < 3; k++)
    if (p[k]! - p[k + 9]! > distance * WIDER || p[k + 6]! - p[k + 3]! > distance * WIDER) return false;
  return true;
}

function isAbove(p: Float64Array, plane: Float64Array, distance: number): boolean {
  let lowest = -plane[3]! - distance;
  let size = Math.abs(plane[3]!) + distance;
  for (let k = 0; k < 3; k++) {
    const n = plane[k]!;
    lowest += n * (n > 0 ? p[k]! : p[k + 3]!);
    size += Math.abs(n) * Math.max(Math.abs(p[k]!), Math.abs(p[k + 3]!));
  }
  return lowest > ROUNDING * size;
}
