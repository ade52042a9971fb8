/** Polygons cut by a tree into pieces, each in one leaf. */
import type { ReadonlyVec3 } from '../math/types.ts';
import { type BspTree, planeOfNode } from './bsp-tree.ts';
import { sideOfPolygon, splitPolygon } from './thick-plane.ts';

/** A piece of a polygon, and the leaves in front of and behind it: the same where it lies in the interior of one. @internal */
export interface LeafPiece {
  readonly points: readonly ReadonlyVec3[];
  readonly front: number;
  readonly back: number;
}

/**
 * The pieces of a polygon in the leaves of the part of the tree that a link leads to. Where the polygon lies in the plane of a
 * node, within `thickness`, its pieces are between two leaves: `normal` says which of those is in front. @internal
 */
export function piecesOf(
  polygon: readonly ReadonlyVec3[],
  normal: ReadonlyVec3,
  tree: BspTree,
  thickness: number,
): LeafPiece[] {
  const list: LeafPiece[] = [];
  const pending: { link: number; points: readonly ReadonlyVec3[] }[] = [{ link: tree.root, points: polygon }];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    const { link, points } = one;
    if (link < 0) {
      list.push({ points, front: ~link, back: ~link });
      continue;
    }
    const plane = planeOfNode(tree, link);
    const inFront = tree.children[2 * link]!;
    const behind = tree.children[2 * link + 1]!;
    const side = sideOfPolygon(points, plane, thickness);
    if (side === 0) {
      const { normal: n } = plane;
      const isSame = n.x * normal.x + n.y * normal.y + n.z * normal.z > 0;
      list.push(...piecesBetween(points, tree, isSame ? inFront : behind, isSame ? behind : inFront));
      continue;
    }
    const parts = splitPolygon(points, plane, thickness);
    // What is too thin to be cut goes to both sides as it is.
    const isCut = side !== 2 || (parts.front.length > 0 && parts.back.length > 0);
    if (side !== 1) pending.push({ link: behind, points: isCut ? parts.back : points });
    if (side !== -1) pending.push({ link: inFront, points: isCut ? parts.front : points });
  }
  return list;
}

/** The pieces of a polygon between the leaves of two parts of the tree: one on each side. @internal */
export function piecesBetween(
  polygon: readonly ReadonlyVec3[],
  tree: BspTree,
  front: number,
  back: number,
): LeafPiece[] {
  return piecesIn(polygon, tree, front).flatMap((outer) =>
    piecesIn(outer.points, tree, back).map(({ points, leaf }) => ({ points, front: outer.leaf, back: leaf })),
  );
}

/** The pieces in the leaves of a part of the tree; what lies in a plane there goes on in front, RTCD §8.4.3. */
function piecesIn(
  polygon: readonly ReadonlyVec3[],
  tree: BspTree,
  from: number,
): { leaf: number; points: readonly ReadonlyVec3[] }[] {
  const list: { leaf: number; points: readonly ReadonlyVec3[] }[] = [];
  const pending: { link: number; points: readonly ReadonlyVec3[] }[] = [{ link: from, points: polygon }];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    const { link, points } = one;
    if (link < 0) {
      list.push({ leaf: ~link, points });
      continue;
    }
    const { front, back } = splitPolygon(points, planeOfNode(tree, link), tree.thickness);
    if (back.length > 0) pending.push({ link: tree.children[2 * link + 1]!, points: back });
    if (front.length > 0) pending.push({ link: tree.children[2 * link]!, points: front });
  }
  return list;
}
