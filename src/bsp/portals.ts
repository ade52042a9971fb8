/**
 * Cells and portals of a solid-leaf tree: which empty leaves open into each other, and which can see each other. RTCD §7.6, §8.2.3;
 * Teller, Visibility Computations in Densely Occluded Polyhedral Environments (1992).
 */
import { checkPoints, mustBeList, mustBeWhole, mustHave, refuse, refuseType } from '../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { QUERY_THICKNESS } from './bsp-tree.ts';
import { piecesBetween } from './leaf-pieces.ts';
import { EMPTY, type SolidBsp, visitCells } from './solid-bsp.ts';

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

/** Which leaves can see each other. */
export interface BspVisibility {
  readonly leafCount: number;
  /** `words` numbers of 32 bits a leaf: bit b of leaf a says whether b may be seen from a. */
  readonly words: number;
  readonly bits: Uint32Array;
}

/**
 * For each leaf the leaves that may be seen from it through portals. Never too few: if any two points of two leaves see each
 * other, the leaves do. It may be too many: a portal is followed from the first one if it lies in front of that one and faces
 * away from it, whatever is between. O(portals × (portals + leaves)).
 */
export function visibleLeavesBsp(bsp: SolidBsp, portals: readonly BspPortal[]): BspVisibility {
  mustHave('visibleLeavesBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  mustBeList('visibleLeavesBsp', 'portals', portals);
  const { leafCount, leafKinds } = bsp;
  portals.forEach((portal, i) => {
    const name = `portals[${i}]`;
    mustHave('visibleLeavesBsp', name, portal, 'a portal', 'points');
    mustBeWhole('visibleLeavesBsp', `${name}.front`, portal.front, 0, leafCount - 1);
    mustBeWhole('visibleLeavesBsp', `${name}.back`, portal.back, 0, leafCount - 1);
    checkPoints('visibleLeavesBsp', `${name}.points`, portal.points);
    if (portal.points.length < 3)
      refuse('visibleLeavesBsp', `${name}.points`, `must be at least 3, got ${portal.points.length}`);
  });
  const words = (leafCount + 31) >>> 5;
  const bits = new Uint32Array(words * leafCount);
  const doors = makeDoors(bsp, portals);
  const thickness = QUERY_THICKNESS * bsp.thickness;
  for (let leaf = 0; leaf < leafCount; leaf++) {
    if (leafKinds[leaf] !== EMPTY && leafKinds[leaf] !== 2) continue;
    mark(bits, words, leaf, leaf);
    for (const door of doors.from[leaf]!)
      flow(door, doors, thickness, (seen) => mark(bits, words, leaf, seen));
  }
  // Seeing is mutual: what one side rules out, the other does too.
  for (let a = 0; a < leafCount; a++)
    for (let b = 0; b < a; b++)
      if (isMarked(bits, words, a, b) !== isMarked(bits, words, b, a)) {
        bits[words * a + (b >>> 5)]! &= ~(1 << (b & 31));
        bits[words * b + (a >>> 5)]! &= ~(1 << (a & 31));
      }
  return { leafCount, words, bits };
}

/** May leaf b be seen from leaf a? O(1). */
export function canSeeBsp(visibility: BspVisibility, a: number, b: number): boolean {
  mustHave('canSeeBsp', 'visibility', visibility, 'what visibleLeavesBsp gives', 'words');
  const { leafCount, words, bits } = visibility;
  mustBeWhole('canSeeBsp', 'visibility.leafCount', leafCount, 1, Infinity);
  mustBeWhole('canSeeBsp', 'visibility.words', words, 1, Infinity);
  if (!(bits instanceof Uint32Array && bits.length === words * leafCount))
    refuseType('canSeeBsp', 'visibility', 'what visibleLeavesBsp gives', visibility);
  mustBeWhole('canSeeBsp', 'a', a, 0, leafCount - 1);
  mustBeWhole('canSeeBsp', 'b', b, 0, leafCount - 1);
  return isMarked(bits, words, a, b);
}

const mark = (bits: Uint32Array, words: number, a: number, b: number): void => {
  bits[words * a + (b >>> 5)]! |= 1 << (b & 31);
};
const isMarked = (bits: Uint32Array, words: number, a: number, b: number): boolean =>
  ((bits[words * a + (b >>> 5)]! >>> (b & 31)) & 1) === 1;

/** A portal as one goes through it: the normal points into `to`. */
interface Door {
  readonly points: readonly ReadonlyVec3[];
  readonly normal: Vec3;
  readonly d: number;
  readonly to: number;
  readonly number: number;
}

interface Doors {
  readonly from: readonly Door[][];
  readonly count: number;
}

function makeDoors(bsp: SolidBsp, portals: readonly BspPortal[]): Doors {
  const from: Door[][] = Array.from({ length: bsp.leafCount }, () => []);
  portals.forEach(({ points, front, back }, i) => {
    const { normal, d } = planeAround(points);
    from[back]!.push({ points, normal, d, to: front, number: 2 * i });
    from[front]!.push({ points, normal: v3.negate(normal), d: -d, to: back, number: 2 * i + 1 });
  });
  return { from, count: 2 * portals.length };
}

function planeAround(points: readonly ReadonlyVec3[]): { normal: Vec3; d: number } {
  const sum = vec3();
  for (let k = 2; k < points.length; k++)
    v3.add(sum, v3.cross(v3.sub(points[k - 1]!, points[0]!), v3.sub(points[k]!, points[0]!)), sum);
  const normal = v3.normalize(sum);
  return { normal, d: v3.dot(normal, points[0]!) };
}

/**
 * Through a first door to all that may be seen beyond it. A line from that door through another has to end in front of the
 * first and to have started behind the other: doors that lie wholly behind the first, or have the first wholly in front of
 * them, are not passed. Each door is passed once.
 */
function flow(first: Door, { from, count }: Doors, thickness: number, see: (leaf: number) => void): void {
  const isPassed = new Uint8Array(count);
  const pending: Door[] = [first];
  isPassed[first.number] = 1;
  for (let door = pending.pop(); door !== undefined; door = pending.pop()) {
    see(door.to);
    for (const next of from[door.to]!) {
      if (isPassed[next.number]) continue;
      const isAhead = next.points.some((p) => v3.dot(first.normal, p) - first.d >= -thickness);
      const isFaced = first.points.some((p) => v3.dot(next.normal, p) - next.d <= thickness);
      if (!isAhead || !isFaced) continue;
      isPassed[next.number] = 1;
      pending.push(next);
    }
  }
}
