/** Whether two nodes of two hierarchies overlap, the second hierarchy posed in the space of the first. */
import { checkPose, describe, mustHave, refuse } from '../math/check.ts';
import type { ReadonlyPose } from '../math/types.ts';
import type { Aabb } from '../primitives/types.ts';
import type { TreeCounters } from './counters.ts';
import { PosedBoxes } from './posed-boxes.ts';
import type { Tree } from './tree.ts';

/** How many axes boxes that are turned against each other are tested along. */
export type BoxAxes = 6 | 15;

/**
 * The test of any volumes. It keeps the last volume of either side: a search goes through many partners of one node
 * before it leaves that node, and only the other side has to be loaded, and posed, again.
 *
 * @internal
 */
export class PairTest<V> {
  protected readonly a: Tree<V>;
  protected readonly b: Tree<V>;
  protected readonly counters: TreeCounters | undefined;
  private readonly stride: number;
  private readonly volumeA: V;
  private readonly volumeB: V;
  private readonly posedB: V;
  private pose: ReadonlyPose | undefined;
  private atA = -1;
  private atB = -1;

  constructor(a: Tree<V>, b: Tree<V>, counters: TreeCounters | undefined) {
    this.a = a;
    this.b = b;
    this.counters = counters;
    this.stride = a.ops.byteSize / 4;
    this.volumeA = a.ops.make();
    this.volumeB = a.ops.make();
    this.posedB = a.ops.make();
  }

  /** Places b; forgets what was loaded. */
  setPose(pose: ReadonlyPose | undefined): void {
    this.pose = pose;
    this.atA = -1;
    this.atB = -1;
  }

  /** The volume of node i of a; valid until the next call. */
  loadA(i: number): V {
    if (i !== this.atA) this.a.ops.load(this.a.volumes, i * this.stride, this.volumeA);
    this.atA = i;
    return this.volumeA;
  }

  /** The volume of node j of b in the space of a; valid until the next call. */
  loadB(j: number): V {
    const { ops, volumes } = this.b;
    const { pose, volumeB, posedB } = this;
    if (j !== this.atB) {
      ops.load(volumes, j * this.stride, volumeB);
      if (pose) {
        ops.transform(volumeB, pose, posedB);
        if (this.counters) this.counters.updates++;
      }
      this.atB = j;
    }
    return pose ? posedB : volumeB;
  }

  overlap(i: number, j: number): boolean {
    if (this.counters) this.counters.volumeTests++;
    return this.a.ops.overlap(this.loadA(i), this.loadB(j));
  }
}

/** Boxes are tested where they lie in memory, and turned ones as they stand instead of boxed again. */
class BoxPairTest extends PairTest<Aabb> {
  private readonly boxes: PosedBoxes;

  constructor(a: Tree<Aabb>, b: Tree<Aabb>, counters: TreeCounters | undefined, axes: BoxAxes) {
    super(a, b, counters);
    this.boxes = new PosedBoxes(a.volumes, b.volumes, axes === 15);
  }

  override setPose(pose: ReadonlyPose | undefined): void {
    super.setPose(pose);
    this.boxes.setPose(pose);
  }

  override overlap(i: number, j: number): boolean {
    if (this.counters) this.counters.volumeTests++;
    return this.boxes.overlap(6 * i, 6 * j);
  }
}

/** What the tests of pairs need to know. */
export interface PairTestOptions {
  /** Where b stands in the space of a. Default: the identity. */
  readonly pose?: ReadonlyPose | undefined;
  /** For hierarchies of boxes with a pose: 6 (faces only, the default) or 15 (also crosses of edges) axes. */
  readonly boxAxes?: BoxAxes | undefined;
  readonly counters?: TreeCounters | undefined;
}

/**
 * The test for two trees, placed.
 *
 * @internal
 */
export function makePairTest<V>(
  caller: string,
  a: Tree<V>,
  b: Tree<V>,
  { pose, boxAxes = 6, counters }: PairTestOptions,
): PairTest<V> {
  mustBeTree(caller, 'a', a);
  mustBeTree(caller, 'b', b);
  if (a.ops.kind !== b.ops.kind)
    refuse(caller, 'b', `must have the same volumes as a: ${b.ops.kind} and ${a.ops.kind}`);
  if (boxAxes !== 6 && boxAxes !== 15)
    refuse(caller, 'options.boxAxes', `must be 6 or 15, got ${describe(boxAxes)}`);
  if (pose) checkPose(caller, 'pose', pose);
  const test =
    a.ops.kind === 'aabb'
      ? (new BoxPairTest(
          a as unknown as Tree<Aabb>,
          b as unknown as Tree<Aabb>,
          counters,
          boxAxes,
        ) as unknown as PairTest<V>)
      : new PairTest(a, b, counters);
  test.setPose(pose);
  return test;
}

/**
 * Throws unless the arrays of the tree fit together. What they hold is left to whoever built them.
 *
 * @internal
 */
export function mustBeTree<V>(caller: string, name: string, tree: Tree<V>): void {
  mustHave(caller, name, tree, 'a tree', 'ops');
  const { skip, first, volumes, ops } = tree;
  if (!(first.length === skip.length + 1 && volumes.length * 4 === skip.length * ops.byteSize))
    refuse(
      caller,
      name,
      `must be a tree: ${skip.length} nodes, ${first.length} starts, ${volumes.length} numbers`,
    );
}
