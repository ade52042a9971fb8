/** Closed surfaces in several parts: which of them bound solids, and which are cavities in these. */
import { atan2 } from '../math/trig.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Triple } from './cut-solid.ts';
import { disjointSets, findRoot, joinSets } from './disjoint-sets.ts';

/** The triangles that hang together by edges. */
export function connectedShells(triangles: readonly Triple[]): Triple[][] {
  const sets = disjointSets(triangles.length);
  const owner = new Map<string, number>();
  for (const [t, triangle] of triangles.entries())
    for (let k = 0; k < 3; k++) {
      const ends = [triangle[k]!, triangle[(k + 1) % 3]!].sort((i, j) => i - j).join(' ');
      const other = owner.get(ends);
      if (other === undefined) owner.set(ends, t);
      else joinSets(sets, t, other);
    }
  const shells = new Map<number, Triple[]>();
  for (const [t, triangle] of triangles.entries()) {
    const root = findRoot(sets, t);
    const shell = shells.get(root);
    if (shell) shell.push(triangle);
    else shells.set(root, [triangle]);
  }
  return [...shells.values()];
}

/** Turned over if they are inside out. */
export function outwards(points: readonly ReadonlyVec3[], shells: Triple[][]): Triple[][] {
  let volume = 0;
  for (const shell of shells) volume += volumeOf(points, shell).volume;
  return volume < 0 ? shells.map((shell) => shell.map(([a, b, c]): Triple => [a, c, b])) : shells;
}

/** The solids: each outer shell with the cavities in it. Shells without volume, to within the tolerance, are dropped. */
export function groupShells(
  points: readonly ReadonlyVec3[],
  shells: readonly Triple[][],
  tolerance: number,
): Triple[][] {
  const solids: { triangles: Triple[]; volume: number }[] = [];
  const cavities: Triple[][] = [];
  for (const triangles of shells) {
    const { volume, area } = volumeOf(points, triangles);
    if (Math.abs(volume) <= tolerance * area) continue;
    if (volume > 0) solids.push({ triangles: [...triangles], volume });
    else cavities.push(triangles);
  }
  solids.sort((s, t) => s.volume - t.volume);
  for (const cavity of cavities) {
    const around = solids.find(({ triangles }) => encloses(points, triangles, points[cavity[0]![0]]!));
    around?.triangles.push(...cavity);
  }
  return solids.map(({ triangles }) => triangles);
}

export function volumeOf(
  points: readonly ReadonlyVec3[],
  triangles: readonly Triple[],
): { volume: number; area: number } {
  const origin = points[triangles[0]![0]]!;
  let volume = 0;
  let area = 0;
  for (const [a, b, c] of triangles) {
    const u = v3.sub(points[b]!, points[a]!);
    const v = v3.sub(points[c]!, points[a]!);
    const cross = v3.cross(u, v);
    volume += v3.dot(v3.sub(points[a]!, origin), cross) / 6;
    area += v3.length(cross) / 2;
  }
  return { volume, area };
}

/** Does the surface see all around p? The solid angles of its triangles add up to 4π, or to 0. Van Oosterom 1983. */
function encloses(points: readonly ReadonlyVec3[], triangles: readonly Triple[], p: ReadonlyVec3): boolean {
  let angle = 0;
  for (const [i, j, k] of triangles) {
    const a = v3.sub(points[i]!, p);
    const b = v3.sub(points[j]!, p);
    const c = v3.sub(points[k]!, p);
    const [la, lb, lc] = [v3.length(a), v3.length(b), v3.length(c)];
    angle +=
      2 * atan2(v3.triple(a, b, c), la * lb * lc + v3.dot(a, b) * lc + v3.dot(b, c) * la + v3.dot(c, a) * lb);
  }
  return angle > 2 * Math.PI;
}
