/**
 * The volumes of a tree whose object turns. RTCD §6.4.6; Klosowski et al. 1998.
 *
 * For a hierarchy of k-DOPs whose object rotates. Production leaves the tree alone and moves the other body into its
 * space.
 */
import { checkPose } from '../../math/check.ts';
import type { ReadonlyPose, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { convexHull3 } from '../../polytope/convex-hull3.ts';
import { polyhedronFromHull } from '../../polytope/polyhedron.ts';
import type { TreeCounters } from '../../trees/counters.ts';
import { mustBeItems } from '../../trees/items.ts';
import type { Tree, TreeItems } from '../../trees/tree.ts';
import { type Kdop, type KdopSides, makeKdop } from '../../volumes/kdop.ts';
import { KdopClimber, kdopVertices, transformKdop } from '../ch04/kdop-realign.ts';

/**
 * A k-DOP tree that follows its object through the world. A turned k-DOP is none any more: the root is fitted to the
 * object's hull by climbing from where it touched last, and is tight; every other node is fitted to the corners of its
 * k-DOP in the space of the object, which holds all that is below and may be larger.
 */
export class TurningKdopTree {
  readonly #tree: Tree<Kdop>;
  readonly #posed: Tree<Kdop>;
  /** Null for an object without thickness, whose root is like the other nodes. */
  readonly #root: KdopClimber | null;
  readonly #corners: Float64Array[] = [];
  readonly #kdop: Kdop;

  /** `items` are those that the tree was built over, in the space of the object. */
  constructor(tree: Tree<Kdop>, items: TreeItems) {
    mustBeItems('makeTurningKdopTree', items);
    this.#tree = tree;
    this.#posed = { ...tree, volumes: tree.volumes.slice() };
    this.#kdop = tree.ops.make();
    for (let node = 0; node < tree.skip.length; node++)
      this.#corners.push(kdopVertices(tree.ops.load(tree.volumes, (node * tree.ops.byteSize) / 4)));
    this.#root = climberOf(items, this.#kdop.sides);
  }

  /** The tree in the world at this pose. It is one and the same, written anew by the next call. */
  at(pose: ReadonlyPose, counters?: TreeCounters): Tree<Kdop> {
    checkPose('TurningKdopTree.at', 'pose', pose);
    const { ops, skip, volumes } = this.#tree;
    const size = ops.byteSize / 4;
    const fitted = makeKdop(this.#kdop.sides);
    for (let node = 0; node < skip.length; node++) {
      if (node === 0 && this.#root) this.#root.fit(pose, fitted);
      else transformKdop(ops.load(volumes, node * size, this.#kdop), pose, this.#corners[node]!, fitted);
      ops.store(fitted, this.#posed.volumes, node * size);
    }
    if (counters) counters.updates += skip.length;
    return this.#posed;
  }
}

/** A `TurningKdopTree` for a tree of k-DOPs and the items it was built over. */
export const makeTurningKdopTree = (tree: Tree<Kdop>, items: TreeItems): TurningKdopTree =>
  new TurningKdopTree(tree, items);

function climberOf(items: TreeItems, sides: KdopSides): KdopClimber | null {
  const flat: number[] = [];
  for (let item = 0; item < items.count; item++) items.points(item, flat);
  const points: Vec3[] = [];
  for (let i = 0; i < flat.length; i += 3) points.push(vec3(flat[i], flat[i + 1], flat[i + 2]));
  if (points.length === 0) return null;
  const hull = convexHull3(points);
  return hull.dimension === 3 ? new KdopClimber(polyhedronFromHull(points, hull), sides) : null;
}
