/**
 * A mesh built by several threads, bit by bit as one thread builds it. Each step of `mesh` is cut into ranges that do not depend
 * on each other; all lists are in shared memory, and threads are told which range is theirs. The thread that asks only
 * hands out the steps:
 *
 *   edges counted, begun, placed  by ranges of triangles, of vertices, of triangles ┐
 *   edges without an opposite     by ranges of vertices                             │ `closeSeams`
 *   seams                         one thread, if there are                          ┘
 *   fine coordinates              by ranges of vertices                             ┐
 *   boxes                         by ranges of triangles                            │
 *   sorted, cells                 by ranges of cells                                │ `packTriangles`
 *   parts of the tree             one thread first, which leaves two parts to       │
 *                                 others, and so on: whoever is idle                ┘
 *   vertices in new order         by ranges of triangles, those in front first      ┐ `layOut`
 *   checksum                      one thread                                        ┘
 */
import { closeSeams, countEdges, leftOver, placeEdges, startEdges } from '../mesh/seams.ts';
import type { Positions, Triangles } from '../mesh/triangles.ts';
import {
  allCells,
  type CellPart,
  type CellTree,
  extentOf,
  type FineBoxes,
  type FineGrid,
  fillBoxes,
  fillFine,
  gridOver,
  type PackedPart,
  type PartTree,
  PER_CELL,
  type PlacedPart,
  packedGrid,
  packPart,
  placeParts,
  writePart,
} from '../trees/pack-build.ts';
import {
  boxAround,
  type CellRange,
  cellBits,
  cellRanges,
  countKeys,
  fillCells,
  fillKeys,
  ITEM,
  keyBits,
  sortByKey,
} from '../trees/pack-split.ts';
import type { BuildMemory } from './build-memory.ts';
import { makeLayout, numberVertices, sealLayout, viewMesh } from './mesh.ts';

type Range = { readonly from: number; readonly to: number };
type Extent = ReturnType<typeof extentOf>;
type Options = { readonly leafSize?: number };

/** The edges of a mesh, as those who cancel them see them. */
interface Edges {
  readonly index: Uint32Array;
  /** For each range of triangles, by vertex: how many edges, where they begin in their range of vertices, where they end. */
  readonly starts: readonly Uint32Array[];
  readonly others: Uint32Array;
  readonly vertices: readonly Range[];
  /** Where the edges of each range of vertices begin. */
  readonly bases: readonly number[];
}

/** How the vertices that a range of triangles meets are numbered. */
interface Numbering extends Range {
  /** For each vertex its number in this range, or -1. */
  readonly marks: Int32Array;
  /** For each number the vertex. */
  readonly met: Uint32Array;
  /** For each number that among the vertices that no range before has met, or -1. */
  readonly own: Int32Array;
}

/**
 * What threads do, by name. They get what is given, and what they give back goes to the thread that asks.
 *
 * @internal
 */
export const STEPS = {
  countEdges({ index, counts, from, to }: Range & { index: Uint32Array; counts: Uint32Array }): void {
    countEdges(index, from, to, counts.fill(0));
  },

  startEdges(given: Range & { starts: readonly Uint32Array[]; positions: Positions }): {
    count: number;
    extent: Extent;
  } {
    const { starts, positions, from, to } = given;
    return {
      count: startEdges(starts, from, to),
      extent: extentOf(positions.subarray(3 * from, 3 * to)),
    };
  },

  placeEdges({ edges, place, from, to }: Range & { edges: Edges; place: number }): void {
    const starts = edges.starts[place]!;
    edges.vertices.forEach((range, i) => {
      const base = edges.bases[i]!;
      for (let v = range.from; v < range.to; v++) starts[v]! += base;
    });
    placeEdges(edges.index, from, to, starts, edges.others);
  },

  oddEdges({ edges, place, from, to }: Range & { edges: Edges; place: number }): Uint32Array {
    return leftOver(edges.others, edges.starts.at(-1)!, from, to, edges.bases[place]!);
  },

  /** The positions given if nothing moves. `extent` is theirs, where it is known. */
  seams(given: { triangles: Triangles; odd: Uint32Array | null; extent: Extent | null }): {
    positions: Positions;
    extent: Extent;
  } {
    const { triangles, odd, extent } = given;
    const { positions } = odd ? closeSeams(triangles, odd) : closeSeams(triangles);
    const isSame = positions === triangles.positions;
    return { positions, extent: (isSame && extent) || extentOf(positions) };
  },

  fine(given: Range & { fine: Int32Array; positions: Positions; grid: FineGrid }): void {
    fillFine(given.fine, given.positions, given.grid, given.from, given.to);
  },

  boxes(
    given: Range & {
      input: FineBoxes;
      fine: Int32Array;
      index: Uint32Array;
      keys: Uint32Array;
      bits: number;
    },
  ): Uint32Array {
    const { input, fine, index, keys, bits, from, to } = given;
    fillBoxes(input.boxes, fine, index, from, to);
    fillKeys(keys, input.boxes, cellBits(input.step, bits), from, to);
    return countKeys(keys.subarray(from, to), bits);
  },

  sort(given: {
    keys: Uint32Array;
    bits: number;
    range: CellRange;
    sorted: Uint32Array;
    spare: Uint32Array;
  }): number {
    return sortByKey(given.keys, given.bits, given.range, given.sorted, given.spare);
  },

  /** The box around the cells. */
  cells(given: { tree: CellTree; range: CellRange; first: number; end: number }): Int32Array {
    const { input, cells } = given.tree;
    const { first, end, range } = given;
    const records = cells.records.subarray(first * ITEM, end * ITEM);
    fillCells(records, cells.sorted, input.boxes, range.start, range.start + range.count);
    for (let cell = first; cell < end; cell++) cells.order[cell] = cell;
    return boxAround(records, ITEM);
  },

  part(given: { tree: CellTree; part: CellPart; most: number; room: Uint16Array }): PackedPart {
    return packPart(given.tree, given.part, given.most, given.room);
  },

  /** Returns how many vertices the range meets, which are in front of `met`. */
  number(given: Numbering & { index: Uint32Array; order: Uint32Array; corners: Uint32Array }): number {
    const { index, order, corners, marks, met, from, to } = given;
    marks.fill(-1);
    const used = numberVertices(index, order.subarray(from, to), marks, corners.subarray(3 * from, 3 * to));
    for (let v = 0; v < marks.length; v++) if (marks[v]! >= 0) met[marks[v]!] = v;
    return used;
  },

  /** Returns how many vertices the range is the first to meet. */
  own({ numberings, place }: { numberings: readonly Numbering[]; place: number }): number {
    const { met, own } = numberings[place]!;
    let count = 0;
    for (let i = 0; i < met.length; i++) own[i] = ownerOf(met[i]!, numberings) === place ? count++ : -1;
    return count;
  },

  write(given: {
    buffer: SharedArrayBuffer;
    positions: Positions;
    order: Uint32Array;
    corners: Uint32Array;
    numberings: readonly Numbering[];
    /** The number of the first vertex that each range was the first to meet. */
    bases: readonly number[];
    place: number;
    parts: readonly PlacedPart[];
  }): Extent {
    const { positions, order, corners, numberings, bases, place } = given;
    const made = viewMesh(given.buffer);
    const { met, own, from, to } = numberings[place]!;
    const numbers = new Uint32Array(met.length);
    for (let i = 0; i < met.length; i++) {
      const v = met[i]!;
      const owner = own[i]! >= 0 ? place : ownerOf(v, numberings);
      const { marks, own: owned } = numberings[owner]!;
      const number = bases[owner]! + owned[marks[v]!]!;
      numbers[i] = number;
      if (owner !== place) continue;
      made.vertices[3 * number] = positions[3 * v]!;
      made.vertices[3 * number + 1] = positions[3 * v + 1]!;
      made.vertices[3 * number + 2] = positions[3 * v + 2]!;
    }
    for (let i = 3 * from; i < 3 * to; i++) made.corners[i] = numbers[corners[i]!]!;
    made.ids.set(order.subarray(from, to), from);
    for (const part of given.parts) writePart(part, made.tree.bounds);
    return extentOf(
      made.vertices.subarray(3 * bases[place]!, 3 * (bases[place + 1] ?? made.vertices.length)),
    );
  },

  seal({ buffer, extents }: { buffer: SharedArrayBuffer; extents: readonly Extent[] }): void {
    sealLayout(buffer, joinExtents(extents));
  },
};

/** The first of the ranges that meets a vertex. */
function ownerOf(v: number, numberings: readonly Numbering[]): number {
  let place = 0;
  while (numberings[place]!.marks[v]! < 0) place++;
  return place;
}

/** @internal */
export type StepName = keyof typeof STEPS;
type StepInput<Name extends StepName> = Parameters<(typeof STEPS)[Name]>[0];
type StepOutput<Name extends StepName> = ReturnType<(typeof STEPS)[Name]>;

/** Has a thread do a step. */
export type RunStep = <Name extends StepName>(
  name: Name,
  input: StepInput<Name>,
) => Promise<StepOutput<Name>>;

/** For each thread about so many parts of the tree: more even out what they cost. */
const PARTS = 8;

/** All steps by several threads, and in which memory. */
export interface Builders {
  readonly run: RunStep;
  readonly threads: number;
  readonly memory: BuildMemory;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/**
 * Has threads build a mesh, in shared memory. Resolves to its buffer.
 *
 * @internal
 */
export async function buildInThreads(
  builders: Builders,
  given: Triangles,
  options: Options,
): Promise<SharedArrayBuffer> {
  const { run, threads, memory, onProgress } = builders;
  const index = memory.copy('index', given.index);
  const vertexCount = given.positions.length / 3;
  const count = index.length / 3;
  const byTriangles = rangesOf(count, threads);
  const byVertices = rangesOf(vertexCount, threads);

  const closed = await closeInThreads(builders, {
    positions: memory.copy('positions', given.positions),
    index,
  });
  const positions = memory.copy('positions', closed.positions);
  onProgress?.(0.1);

  const grid = gridOver(closed.extent);
  const input: FineBoxes = { count, boxes: memory.ints('boxes', 6 * count), ...grid };
  const fine = memory.ints('vertices', placesOfVertices(threads) * vertexCount);
  await all(byVertices, (range) => run('fine', { fine, positions, grid, ...range }));
  const bits = keyBits(count, PER_CELL);
  const forKeys = memory.words('triangles', 3 * count);
  const [keys, spare] = [forKeys.subarray(0, count), forKeys.subarray(count)];
  const counts = await all(byTriangles, (range) =>
    run('boxes', { input, fine, index, keys, bits, ...range }),
  );
  const ranges = cellRanges(counts, bits, threads);
  const sorted = memory.words('sorted', 2 * count);
  const cellCounts = await all(ranges, (range) =>
    run('sort', {
      ...{ keys, bits, range, sorted },
      spare: spare.subarray(2 * range.start, 2 * (range.start + range.count)),
    }),
  );
  const { starts: firsts, sum: cellCount } = startsOf(cellCounts);
  const forCells = memory.ints('cells', (ITEM + 1) * cellCount);
  const records = forCells.subarray(0, ITEM * cellCount);
  const cells = { records, sorted, order: forCells.subarray(ITEM * cellCount) };
  const order = memory.words('order', count);
  const tree = { input, cells, options, order };
  const cellBoxes = await all(ranges, (range, i) =>
    run('cells', { tree, range, first: firsts[i]!, end: firsts[i]! + cellCounts[i]! }),
  );
  onProgress?.(0.3);

  let built = 0;
  const root = await buildParts(
    builders,
    tree,
    allCells(cellCount, count, boxAround(joined(cellBoxes), 6)),
    (part) => {
      built += part.count;
      onProgress?.(0.3 + (0.5 * built) / count);
    },
  );

  const forCorners = memory.words('boxes', 6 * count);
  const [corners, met] = [forCorners.subarray(0, 3 * count), forCorners.subarray(3 * count)];
  const marks = memory.ints('vertices', placesOfVertices(threads) * vertexCount);
  const own = memory.ints('triangles', 3 * count);
  const rooms = byTriangles.map(
    ({ from, to }, i): Numbering => ({
      ...{ from, to },
      marks: marks.subarray(i * vertexCount, (i + 1) * vertexCount),
      met: met.subarray(3 * from, 3 * to),
      own: own.subarray(3 * from, 3 * to),
    }),
  );
  const metCounts = await all(rooms, (numbering) => run('number', { index, order, corners, ...numbering }));
  const numberings = rooms.map((one, i) => ({ ...one, met: one.met.subarray(0, metCounts[i]!) }));
  const { starts: bases, sum: used } = startsOf(
    await all(numberings, (_, place) => run('own', { numberings, place })),
  );
  const parts: PlacedPart[] = [];
  const shape = { nodeCount: placeParts(root, 0, parts), grid: packedGrid(input) };
  const buffer = makeLayout(shape, count, used, { positions, index }, true).buffer as SharedArrayBuffer;
  onProgress?.(0.9);
  const extents = await all(numberings, (_, place) =>
    run('write', {
      ...{ buffer, positions, order, corners, numberings, bases, place },
      parts: parts.filter((_, i) => i % threads === place),
    }),
  );
  await run('seal', { buffer, extents });
  return buffer;
}

/** For each vertex its fine coordinates stand in the same memory as, at other times, a number for each thread. */
const placesOfVertices = (threads: number): number => Math.max(3, threads);

/** As `closeSeams`. */
async function closeInThreads(
  { run, threads, memory }: Builders,
  triangles: Triangles,
): Promise<{ positions: Positions; extent: Extent }> {
  const { positions, index } = triangles;
  const vertexCount = positions.length / 3;
  // A soup has nothing that cancels: one thread looks for seams from the start.
  if (vertexCount >= index.length) return run('seams', { triangles, odd: null, extent: null });
  const byTriangles = rangesOf(index.length / 3, threads);
  const vertices = rangesOf(vertexCount, threads);
  const forCounts = memory.words('vertices', placesOfVertices(threads) * vertexCount);
  const starts = byTriangles.map((_, i) => forCounts.subarray(i * vertexCount, (i + 1) * vertexCount));
  await all(byTriangles, (range, i) => run('countEdges', { index, counts: starts[i]!, ...range }));
  const begun = await all(vertices, (range) => run('startEdges', { starts, positions, ...range }));
  const others = memory.words('triangles', index.length);
  const { starts: bases } = startsOf(begun.map((one) => one.count));
  const edges = { index, starts, others, vertices, bases };
  await all(byTriangles, (range, place) => run('placeEdges', { edges, place, ...range }));
  const odd = joined(await all(vertices, (range, place) => run('oddEdges', { edges, place, ...range })));
  const extent = joinExtents(begun.map((one) => one.extent));
  return odd.length > 0 ? run('seams', { triangles, odd, extent }) : { positions, extent };
}

/** A part of the tree, by as many threads as it gives work to. `onBuilt` is told what is done. */
async function buildParts(
  builders: Builders,
  tree: CellTree,
  part: CellPart,
  onBuilt: (part: CellPart) => void,
): Promise<PartTree> {
  const { run, threads, memory } = builders;
  const { count } = tree.input;
  const { itemStart } = part;
  const small = Math.ceil(count / (PARTS * threads));
  const room = memory
    .list('nodes', Uint16Array, 16 * count)
    .subarray(16 * itemStart, 16 * (itemStart + part.count));
  // First only so far that everybody has something to do.
  const most = part.count <= small ? 0 : part.count > count / threads ? part.count - 1 : small;
  const packed = await run('part', { tree, part, most, room });
  if (packed.leftOut.length === 0) onBuilt(part);
  const children = await Promise.all(
    packed.leftOut.map((child) => buildParts(builders, tree, child, onBuilt)),
  );
  return { ...packed, children };
}

const rangesOf = (total: number, count: number): Range[] =>
  Array.from({ length: count }, (_, i) => ({
    from: Math.floor((total * i) / count),
    to: Math.floor((total * (i + 1)) / count),
  }));

const all = <In, Out>(list: readonly In[], step: (one: In, place: number) => Promise<Out>): Promise<Out[]> =>
  Promise.all(list.map(step));

/** Where each of several begins that stand one after the other. */
function startsOf(counts: readonly number[]): { starts: number[]; sum: number } {
  const starts: number[] = [];
  let sum = 0;
  for (const count of counts) {
    starts.push(sum);
    sum += count;
  }
  return { starts, sum };
}

function joined<T extends Uint32Array | Int32Array>(lists: readonly T[]): T {
  const { starts, sum } = startsOf(lists.map(({ length }) => length));
  const all = new (lists[0]!.constructor as new (length: number) => T)(sum);
  lists.forEach((list, i) => {
    all.set(list, starts[i]!);
  });
  return all;
}

/** As `extentOf` all of them: where numbers are equal, as 0 and -0 are, the first one counts. */
function joinExtents(extents: readonly Extent[]): Extent {
  const all: Extent = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const one of extents)
    for (let k = 0; k < 3; k++) {
      if (one[k]! < all[k]!) all[k] = one[k]!;
      if (one[k + 3]! > all[k + 3]!) all[k + 3] = one[k + 3]!;
    }
  return all;
}
