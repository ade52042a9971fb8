import { type PreorderTree, searchPreorder } from 'graze/rtcd';
import { race, rng } from '../harness.ts';

/** Too many for the caches: a node is a box, a link and what a game may want to know about it. */
const LEAVES = 1 << 17;
const NODES = 2 * LEAVES - 1;
const QUERIES = 2000;
/** Numbers of four bytes a node in the interleaved form: 6 for the box, 2 for link and item, 16 that no search reads. */
const STRIDE = 24;

/** Small boxes along a curve through a cube: neighbours in the list are neighbours in space. */
const boxes = new Float32Array(6 * LEAVES);
for (let i = 0; i < LEAVES; i++) {
  let [x, y, z] = [0, 0, 0];
  for (let bit = 0; bit < 6; bit++) {
    x |= ((i >> (3 * bit)) & 1) << bit;
    y |= ((i >> (3 * bit + 1)) & 1) << bit;
    z |= ((i >> (3 * bit + 2)) & 1) << bit;
  }
  const p = rng.vec(0.5);
  boxes.set([x + p.x, y + p.y, z + p.z, x + p.x + 0.7, y + p.y + 0.7, z + p.z + 0.7], 6 * i);
}

/** The complete tree over them in preorder. */
const bounds = new Float32Array(6 * NODES);
const right = new Uint32Array(NODES);
const first = new Uint32Array(NODES + 1);
const items = Uint32Array.from({ length: LEAVES }, (_, i) => i);

function fill(node: number, from: number, to: number): void {
  first[node] = from;
  if (to - from === 1) {
    bounds.set(boxes.subarray(6 * from, 6 * to), 6 * node);
    return;
  }
  const middle = (from + to) >> 1;
  const second = node + 2 * (middle - from);
  right[node] = second - node;
  fill(node + 1, from, middle);
  fill(second, middle, to);
  for (let k = 0; k < 6; k++) {
    const [a, b] = [bounds[6 * (node + 1) + k]!, bounds[6 * second + k]!];
    bounds[6 * node + k] = k < 3 ? Math.min(a, b) : Math.max(a, b);
  }
}
fill(0, 0, LEAVES);
first[NODES] = LEAVES;
const split: PreorderTree = { bounds, right, relative: true, first, items };

/** The same, all that belongs to a node in one stretch. */
const memory = new ArrayBuffer(4 * STRIDE * NODES);
const floats = new Float32Array(memory);
const words = new Uint32Array(memory);
for (let node = 0; node < NODES; node++) {
  for (let k = 0; k < 6; k++) floats[STRIDE * node + k] = bounds[6 * node + k]!;
  words[STRIDE * node + 6] = right[node]!;
  words[STRIDE * node + 7] = first[node]!;
}

/** And as objects. */
interface Node {
  minX: number;
  minY: number;
  minZ: number;
  maxX: number;
  maxY: number;
  maxZ: number;
  item: number;
  material: number;
  name: string;
  left: Node | null;
  right: Node | null;
}
const objects: Node[] = Array.from({ length: NODES }, (_, i) => ({
  minX: bounds[6 * i]!,
  minY: bounds[6 * i + 1]!,
  minZ: bounds[6 * i + 2]!,
  maxX: bounds[6 * i + 3]!,
  maxY: bounds[6 * i + 4]!,
  maxZ: bounds[6 * i + 5]!,
  item: first[i]!,
  material: i % 7,
  name: '',
  left: null,
  right: null,
}));
for (let i = 0; i < NODES; i++)
  if (right[i]! > 0) {
    objects[i]!.left = objects[i + 1]!;
    objects[i]!.right = objects[i + right[i]!]!;
  }

type Box = { min: { x: number; y: number; z: number }; max: { x: number; y: number; z: number } };
const queries: Box[] = Array.from({ length: QUERIES }, () => {
  // The cube has 64 by 64 by 32 cells.
  const { x, y, z } = rng.vec(1);
  const min = { x: 32 + 30 * x, y: 32 + 30 * y, z: 16 + 14 * z };
  return { min, max: { x: min.x + 2, y: min.y + 2, z: min.z + 2 } };
});
const out: number[] = [];
const pending: number[] = [];

function searchRecords({ min, max }: Box): number[] {
  let count = 0;
  let top = 0;
  pending[top++] = 0;
  while (top > 0) {
    let at = pending[--top]!;
    while (
      floats[at]! <= max.x &&
      floats[at + 3]! >= min.x &&
      floats[at + 1]! <= max.y &&
      floats[at + 4]! >= min.y &&
      floats[at + 2]! <= max.z &&
      floats[at + 5]! >= min.z
    ) {
      const link = words[at + 6]!;
      if (link === 0) {
        out[count++] = words[at + 7]!;
        break;
      }
      pending[top++] = at + STRIDE * link;
      at += STRIDE;
    }
  }
  out.length = count;
  return out;
}

const waiting: Node[] = [];
function searchObjects({ min, max }: Box): number[] {
  let count = 0;
  let top = 0;
  waiting[top++] = objects[0]!;
  while (top > 0) {
    const node = waiting[--top]!;
    if (
      !(
        node.minX <= max.x &&
        node.maxX >= min.x &&
        node.minY <= max.y &&
        node.maxY >= min.y &&
        node.minZ <= max.z &&
        node.maxZ >= min.z
      )
    )
      continue;
    if (node.left === null) out[count++] = node.item;
    else {
      waiting[top++] = node.right!;
      waiting[top++] = node.left;
    }
  }
  out.length = count;
  return out;
}

/** Searches whose items are not those that looking at every box finds. */
function wrong(search: (box: Box) => number[]): number {
  let bad = 0;
  for (let i = 0; i < QUERIES; i += 20) {
    const { min, max } = queries[i]!;
    const wanted = [...items].filter((item) => {
      const [ax, ay, az, bx, by, bz] = boxes.subarray(6 * item, 6 * item + 6) as unknown as number[];
      return ax! <= max.x && bx! >= min.x && ay! <= max.y && by! >= min.y && az! <= max.z && bz! >= min.z;
    });
    const found = [...search(queries[i]!)].sort((a, b) => a - b);
    if (found.length !== wanted.length || found.some((item, k) => item !== wanted[k])) bad++;
  }
  return bad;
}

const contender = (name: string, search: (box: Box) => number[]) => ({
  name,
  run() {
    let sum = 0;
    for (let i = 0; i < QUERIES; i++) sum += search(queries[i]!).length;
    return sum;
  },
  wrong: () => wrong(search),
});

race({
  title: 'box in a tree of 131,072 leaves',
  calls: QUERIES,
  rounds: 51,
  passes: 1,
  contenders: [
    contender('graze, boxes and links in arrays of their own', (box) => searchPreorder(split, box, out)),
    contender('one record of 96 bytes a node', searchRecords),
    contender('one object a node', searchObjects),
  ],
});
