/**
 * A mesh built by several threads, bit by bit as one thread builds it. Each step of `mesh` is cut into ranges that do not depend
 * on each other; all lists are in shared memory, and threads are told which range is theirs. The thread that asks only
 * hands out the steps:
 *
 *   edges without an opposite  by ranges of vertices    ┐
 *   seams                      one thread, if there are │ `closeSeams`
 *   fine coordinates, boxes    by ranges                ┐
 *   cells, sorted              by ranges of cells       │ `packTriangles`
 *   top of the tree            one thread               │
 *   parts of the tree          whoever is idle          ┘
 *   vertices in new order      by ranges of triangles, those in front first ┐ `layOut`
 *   bounds and checksum        one thread                                   ┘
 */
import { closeSeams, oddEdges } from '../mesh/seams.ts';
import type { Positions, Triangles } from '../mesh/triangles.ts';
import {
  type CellItems,
  type CellPart,
  extentOf,
  type FineBoxes,
  type FineGrid,
  fillBoxes,
  fillFine,
  gridOver,
  type LeftOut,
  type NodePlaces,
  type PackedNodes,
  PER_CELL,
  packedGrid,
  packPart,
  packTop,
  placeParts,
  writePart,
  writeTop,
} from '../trees/pack-build.ts';
import { cellBits, cellRanges, fillKeys, ITEM, keyBits, sortCells } from '../trees/pack-split.ts';
import { makeLayout, numberVertices, sealLayout, viewMesh } from './mesh.ts';

type Range = { readonly from: number; readonly to: number };
type Extent = ReturnType<typeof extentOf>;
type Options = { readonly leafSize?: number };

/** How the vertices that a range of triangles meets are numbered. */
interface Numbering extends Range {
  /** For each vertex its number in this range, or -1. */
  readonly marks: Int32Array;
  /** For each number the vertex. */
  readonly met: Uint32Array;
}

const shareInts = (length: number): Int32Array => new Int32Array(new SharedArrayBuffer(4 * length));
const shareWords = (length: number): Uint32Array => new Uint32Array(new SharedArrayBuffer(4 * length));

/** In shared memory: itself if it is there already. */
function share<T extends Float32Array | Float64Array | Uint32Array | Int32Array>(list: T): T {
  if ((list.buffer as unknown) instanceof SharedArrayBuffer) return list;
  const copy = new (list.constructor as new (buffer: SharedArrayBuffer) => T)(
    new SharedArrayBuffer(list.byteLength),
  );
  copy.set(list);
  return copy;
}

/**
 * What threads do, by name. They get what is given, and what they give back goes to the thread that asks.
 *
 * @internal
 */
export const STEPS = {
  edges: ({
    triangles,
    from,
    to,
  }: Range & { triangles: Triangles }): { odd: Uint32Array; extent: Extent } => ({
    odd: oddEdges(triangles, from, to),
    extent: extentOf(triangles.positions.subarray(3 * from, 3 * to)),
  }),

  /** Null if nothing moves. */
  seams({ triangles, odd }: { triangles: Triangles; odd: Uint32Array | null }): {
    positions: Positions;
    extent: Extent;
  } | null {
    const { positions } = odd ? closeSeams(triangles, odd) : closeSeams(triangles);
    return positions === triangles.positions
      ? null
      : { positions: share(positions), extent: extentOf(positions) };
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
  ): void {
    const { input, fine, index, keys, bits, from, to } = given;
    fillBoxes(input.boxes, fine, index, from, to);
    fillKeys(keys, input.boxes, cellBits(input.step, bits), from, to);
  },

  cells(given: {
    keys: Uint32Array;
    boxes: Int32Array;
    bits: number;
    sorted: Uint32Array;
    part: number;
    parts: number;
  }): Int32Array {
    const { keys, boxes, bits, sorted, part, parts } = given;
    const range = cellRanges(keys, bits, parts)[part];
    return range ? share(sortCells(keys, boxes, bits, range, sorted)) : shareInts(0);
  },

  top(given: {
    input: FineBoxes;
    records: readonly Int32Array[];
    sorted: Uint32Array;
    order: Uint32Array;
    options: Options;
    most: number;
  }): { cells: CellItems; nodes: PackedNodes; leftOut: readonly LeftOut[] } {
    const { input, sorted, order, options, most } = given;
    const length = given.records.reduce((sum, list) => sum + list.length, 0);
    const records = shareInts(length);
    let at = 0;
    for (const list of given.records) {
      records.set(list, at);
      at += list.length;
    }
    const cells = { records, sorted, order: shareInts(length / ITEM) };
    return { cells, ...packTop(input, cells, options, order, most) };
  },

  part(given: {
    input: FineBoxes;
    cells: CellItems;
    options: Options;
    order: Uint32Array;
    part: CellPart;
  }): PackedNodes {
    const { input, cells, options, order, part } = given;
    return packPart(input, cells, options, order, part);
  },

  number(
    given: Range & { index: Uint32Array; order: Uint32Array; corners: Uint32Array; vertexCount: number },
  ): Numbering {
    const { index, order, corners, vertexCount, from, to } = given;
    const marks = shareInts(vertexCount).fill(-1);
    const used = numberVertices(index, order.subarray(from, to), marks, corners.subarray(3 * from, 3 * to));
    const met = shareWords(used);
    for (let v = 0; v < vertexCount; v++) if (marks[v]! >= 0) met[marks[v]!] = v;
    return { marks, met, from, to };
  },

  /** For each vertex of a range its number among those that no range before has met, or -1. */
  own({ numberings, place }: { numberings: readonly Numbering[]; place: number }): {
    own: Int32Array;
    count: number;
  } {
    const { met } = numberings[place]!;
    const own = shareInts(met.length).fill(-1);
    let count = 0;
    for (let i = 0; i < met.length; i++) if (ownerOf(met[i]!, numberings) === place) own[i] = count++;
    return { own, count };
  },

  write(given: {
    buffer: SharedArrayBuffer;
    positions: Positions;
    order: Uint32Array;
    corners: Uint32Array;
    numberings: readonly Numbering[];
    owns: readonly Int32Array[];
    /** The number of the first vertex that each range was the first to meet. */
    bases: readonly number[];
    place: number;
    parts: readonly { readonly nodes: PackedNodes; readonly start: number }[];
  }): void {
    const { positions, order, corners, numberings, owns, bases, place } = given;
    const made = viewMesh(given.buffer);
    const { met, from, to } = numberings[place]!;
    const own = owns[place]!;
    const numbers = new Uint32Array(met.length);
    for (let i = 0; i < met.length; i++) {
      const v = met[i]!;
      const owner = own[i]! >= 0 ? place : ownerOf(v, numberings);
      const number = bases[owner]! + owns[owner]![numberings[owner]!.marks[v]!]!;
      numbers[i] = number;
      if (owner !== place) continue;
      made.vertices[3 * number] = positions[3 * v]!;
      made.vertices[3 * number + 1] = positions[3 * v + 1]!;
      made.vertices[3 * number + 2] = positions[3 * v + 2]!;
    }
    for (let i = 3 * from; i < 3 * to; i++) made.corners[i] = numbers[corners[i]!]!;
    made.ids.set(order.subarray(from, to), from);
    for (const { nodes, start } of given.parts) writePart(nodes, start, made.tree.bounds);
  },

  seal(given: {
    buffer: SharedArrayBuffer;
    nodes: PackedNodes;
    leftOut: readonly LeftOut[];
    places: NodePlaces;
  }): void {
    writeTop(given.nodes, given.leftOut, given.places, viewMesh(given.buffer).tree.bounds);
    sealLayout(given.buffer);
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
const PARTS = 4;

/**
 * Has `threads` threads build a mesh, in shared memory. Resolves to its buffer.
 *
 * @internal
 */
export async function buildInThreads(
  run: RunStep,
  threads: number,
  given: Triangles,
  options: Options,
  onProgress: (done: number) => void = () => {},
): Promise<SharedArrayBuffer> {
  const triangles = { positions: share(given.positions), index: share(given.index) };
  const { index } = triangles;
  const vertexCount = triangles.positions.length / 3;
  const count = index.length / 3;
  const inRanges = <T>(total: number, step: (range: Range, place: number) => Promise<T>): Promise<T[]> =>
    Promise.all(
      Array.from({ length: threads }, (_, i) =>
        step({ from: Math.floor((total * i) / threads), to: Math.floor((total * (i + 1)) / threads) }, i),
      ),
    );

  // A soup has nothing that cancels: then one thread looks for seams from the start.
  const isSoup = vertexCount >= index.length;
  const found = isSoup ? [] : await inRanges(vertexCount, (range) => run('edges', { triangles, ...range }));
  const odd = isSoup ? null : joinWords(found.map((one) => one.odd));
  const closed = odd?.length === 0 ? null : await run('seams', { triangles, odd });
  const positions = closed?.positions ?? triangles.positions;
  const extent =
    closed?.extent ?? (isSoup ? extentOf(positions) : joinExtents(found.map((one) => one.extent)));
  onProgress(0.1);

  const grid = gridOver(extent);
  const input: FineBoxes = { count, boxes: shareInts(6 * count), ...grid };
  const fine = shareInts(positions.length);
  await inRanges(vertexCount, (range) => run('fine', { fine, positions, grid, ...range }));
  const bits = keyBits(count, PER_CELL);
  const keys = shareWords(count);
  await inRanges(count, (range) => run('boxes', { input, fine, index, keys, bits, ...range }));
  const sorted = shareWords(2 * count);
  const { boxes } = input;
  const records = await inRanges(count, (_, part) =>
    run('cells', { keys, boxes, bits, sorted, part, parts: threads }),
  );
  onProgress(0.3);

  const order = shareWords(count);
  const most = Math.ceil(count / (PARTS * threads));
  const { cells, nodes, leftOut } = await run('top', { input, records, sorted, order, options, most });
  let done = 0;
  const largestFirst = leftOut.map((part, i) => ({ part, i })).sort((a, b) => b.part.count - a.part.count);
  const parts: PackedNodes[] = [];
  await Promise.all(
    largestFirst.map(async ({ part, i }) => {
      parts[i] = await run('part', { input, cells, options, order, part });
      done += part.count;
      onProgress(0.3 + (0.5 * done) / count);
    }),
  );

  const places = placeParts(
    leftOut,
    parts.map(({ nodeCount }) => nodeCount),
  );
  const corners = shareWords(3 * count);
  const numberings = await inRanges(count, (range) =>
    run('number', { index, order, corners, vertexCount, ...range }),
  );
  const owned = await inRanges(threads, (_, place) => run('own', { numberings, place }));
  const bases: number[] = [];
  let used = 0;
  for (const one of owned) {
    bases.push(used);
    used += one.count;
  }
  const tree = { nodeCount: nodes.nodeCount + places.sum, grid: packedGrid(input) };
  const buffer = makeLayout(tree, count, used, { positions, index }, true).buffer as SharedArrayBuffer;
  const owns = owned.map((one) => one.own);
  const placed = parts.map((one, i) => ({ nodes: one, start: places.starts[i]! }));
  onProgress(0.9);
  await inRanges(threads, (_, place) =>
    run('write', {
      ...{ buffer, positions, order, corners, numberings, owns, bases, place },
      parts: placed.filter((_, i) => i % threads === place),
    }),
  );
  await run('seal', { buffer, nodes, leftOut, places });
  return buffer;
}

function joinWords(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
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
