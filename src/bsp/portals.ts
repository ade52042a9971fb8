/** Cells and portals of a solid-leaf tree: which empty leaves open into each other. RTCD §7.6, §8.2.3. */
import { mustHave } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { piecesBetween } from './leaf-pieces.ts';
import { type SolidBsp, visitCells } from './solid-bsp.ts';

/** An opening between two leaves that are not solid: a convex polygon, counter-clockwise seen from leaf `front`. */
export interface BspPortal {
  readonly points: readonly ReadonlyVec3[];
  readonly front: number;
  readonly back: number;
}

/**
 * All openings between leaves that are empty, or mixed. Each lies in the plane of a node; `node` planes that other planes cut
 * give several. About O(n log n).
 */
export function portalsBsp(bsp: SolidBsp): BspPortal[] {
  mustHave('portalsBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  return piecesOfPlanes(bsp, (front, back) => front !== 1 && back !== 1);
}

/** The faces of all leaves between two kinds. @internal */
export function piecesOfPlanes(
  bsp: SolidBsp,
  wanted: (frontKind: number, backKind: number) => boolean,
): BspPortal[] {
  const list: BspPortal[] = [];
  const { leafKinds, children } = bsp;
  visitCells(
    bsp,
    bsp.world,
    () => {},
    (node, cap) => {
      if (cap.length < 3) return;
      for (const piece of piecesBetween(cap, bsp, children[2 * node]!, children[2 * node + 1]!))
        if (wanted(leafKinds[piece.front]!, leafKinds[piece.back]!)) list.push(piece);
    },
  );
  return list;
}
