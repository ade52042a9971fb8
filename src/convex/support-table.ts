/**
 * Which corners of a polytope can be the farthest along a direction? Of 32 on a sphere four or five, if one knows no more of
 * the direction than the signs of its components and which of these are larger than which. That makes 48 cones of
 * directions, the chambers: a table has a list of corners for each. RTCD §9.5.4 climbs instead; for a few dozen corners
 * this takes half the time of a look at all of them, and climbing takes more than that.
 *
 *          z
 *          │ ╲  0 <= x <= y <= z        A chamber is spanned by (1, 0, 0), (1, 1, 0) and (1, 1, 1),
 *          │___╲                        but for signs and the order of the axes.
 *          │   ╱ ╲
 *          │ ╱     ╲
 *          └─────────── y
 *
 * With signs taken off and axes in order, a direction of the chamber is (x, y, z) with x >= y >= z >= 0, and a corner
 * (a, b, c) is x a + y b + z c = (x - y) a + (y - z) (a + b) + z (a + b + c) far along it. No factor is negative: a corner
 * of which all three sums are at most those of another one is never farther than that, and left out. The sums are
 * rounded, by no more than the heights along a direction are.
 */
import { chamberOf, NO_TABLE } from './core.ts';

/** Numbers that `chamberOf` may give. */
const CHAMBERS = 64;
/** Below this many corners a look at all of them takes no longer. */
const FEW = 9;

/** The axes by the size of a direction's components along them, the largest first. */
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/**
 * The table of a polytope with these corners, three coordinates each: where the list of each chamber begins, where the last
 * one ends, and the lists, of where the coordinates of corners begin. Empty for a few corners. At most 256 corners.
 *
 * @internal
 */
export function supportTable(data: Float64Array): Uint16Array {
  const end = data.length;
  if (end < 3 * FEW) return NO_TABLE;
  const lists: number[][] = Array.from({ length: CHAMBERS }, () => []);
  const sums = new Float64Array(end);
  for (const [i, j, k] of ORDERS)
    for (let signs = 0; signs < 8; signs++) {
      const signOf = (axis: number) => ((signs >> axis) & 1 ? -1 : 1);
      const inside = [0, 0, 0];
      inside[i] = 3 * signOf(i);
      inside[j] = 2 * signOf(j);
      inside[k] = signOf(k);
      for (let at = 0; at < end; at += 3) {
        const a = signOf(i) * data[at + i]!;
        const b = signOf(j) * data[at + j]!;
        sums[at] = a;
        sums[at + 1] = a + b;
        sums[at + 2] = a + b + signOf(k) * data[at + k]!;
      }
      lists[chamberOf(inside[0]!, inside[1]!, inside[2]!)] = undominated(sums);
    }
  const table = new Uint16Array(CHAMBERS + 1 + lists.reduce((sum, list) => sum + list.length, 0));
  let at = CHAMBERS + 1;
  lists.forEach((list, chamber) => {
    table[chamber] = at;
    table.set(list, at);
    at += list.length;
  });
  table[CHAMBERS] = at;
  return table;
}

/** Those of the triples that no other one is at least equal to in all three numbers; one of equal ones. The largest first. */
function undominated(sums: Float64Array): number[] {
  const isAtLeast = (i: number, j: number) =>
    sums[i]! >= sums[j]! && sums[i + 1]! >= sums[j + 1]! && sums[i + 2]! >= sums[j + 2]!;
  const total = (i: number) => sums[i]! + sums[i + 1]! + sums[i + 2]!;
  let largest = 0;
  for (let i = 3; i < sums.length; i += 3) if (total(i) > total(largest)) largest = i;
  let kept = [largest];
  for (let i = 0; i < sums.length; i += 3) {
    if (kept.some((k) => isAtLeast(k, i))) continue;
    kept = kept.filter((k) => !isAtLeast(i, k));
    kept.push(i);
  }
  return kept;
}
