/** The outline that a plane leaves in a solid: from loose edges to regions with holes. RTCD §12.5.3. */
import { atan2 } from '../math/trig.ts';
import type { ReadonlyPlane, ReadonlyVec2, ReadonlyVec3 } from '../math/types.ts';
import { ringArea } from './rings.ts';

/** A part of the cross-section: its outer loop, counter-clockwise, and then its holes, clockwise. */
export type Region = number[][];

/** Points of a plane in two coordinates: what is counter-clockwise seen from its front stays so. */
export function planeView(
  points: readonly ReadonlyVec3[],
  { normal }: ReadonlyPlane,
): (i: number) => ReadonlyVec2 {
  const x = Math.abs(normal.x);
  const y = Math.abs(normal.y);
  const z = Math.abs(normal.z);
  // Two of the coordinates as they are, so that nothing is rounded.
  const [u, v, w] =
    z >= x && z >= y
      ? (['x', 'y', 'z'] as const)
      : x >= y
        ? (['y', 'z', 'x'] as const)
        : (['z', 'x', 'y'] as const);
  return (i) => {
    const p = points[i]!;
    return normal[w] > 0 ? { x: p[u], y: p[v] } : { x: p[v], y: p[u] };
  };
}

/**
 * The regions to the left of the edges [from, to], which lead around them. Null when they do not.
 *
 * At a vertex where several regions meet the way goes on along the first edge clockwise from the way back, so that each
 * region keeps to itself.
 */
export function traceRegions(
  edges: readonly (readonly [number, number])[],
  at: (i: number) => ReadonlyVec2,
): Region[] | null {
  const leaving = new Map<number, number[]>();
  for (const [from, to] of edges) {
    const list = leaving.get(from);
    if (list) list.push(to);
    else leaving.set(from, [to]);
  }
  const loops: number[][] = [];
  for (const [from] of edges) {
    const list = leaving.get(from)!;
    if (list.length === 0) continue;
    const loop = [from];
    let before = from;
    let vertex = list.pop()!;
    while (vertex !== from) {
      loop.push(vertex);
      const next = takeNext(leaving.get(vertex), before, vertex, at);
      if (next === undefined) return null;
      before = vertex;
      vertex = next;
    }
    loops.push(...simpleLoops(loop));
  }
  return groupLoops(loops, at);
}

/** A loop that comes through a vertex twice is two. */
function simpleLoops(loop: readonly number[]): number[][] {
  const done: number[][] = [];
  const path: number[] = [];
  const place = new Map<number, number>();
  for (const v of loop) {
    const earlier = place.get(v);
    if (earlier !== undefined) {
      const inner = path.splice(earlier);
      for (const w of inner) place.delete(w);
      done.push(inner);
    }
    place.set(v, path.length);
    path.push(v);
  }
  done.push(path);
  return done;
}

function takeNext(
  list: number[] | undefined,
  before: number,
  vertex: number,
  at: (i: number) => ReadonlyVec2,
): number | undefined {
  if (!list || list.length < 2) return list?.pop();
  const angle = (i: number): number => atan2(at(i).y - at(vertex).y, at(i).x - at(vertex).x);
  const back = angle(before);
  let best = 0;
  let least = Infinity;
  for (const [k, to] of list.entries()) {
    let turn = back - angle(to);
    if (turn <= 0) turn += 2 * Math.PI;
    if (turn < least) {
      least = turn;
      best = k;
    }
  }
  return list.splice(best, 1)[0];
}

/** Each hole goes to the smallest loop around it. */
function groupLoops(loops: readonly number[][], at: (i: number) => ReadonlyVec2): Region[] | null {
  const outlines = loops.map((loop) => {
    const points = loop.map(at);
    return {
      loop,
      points,
      area: ringArea(
        points,
        points.map((_, k) => k),
      ),
    };
  });
  const outer = outlines.filter(({ area }) => area > 0).sort((s, t) => s.area - t.area);
  const regions = outer.map(({ loop }): Region => [loop]);
  for (const { loop, points, area } of outlines) {
    if (area > 0) continue;
    const k = outer.findIndex((o) => o.area > -area && points.some((p) => isInside(p, o.points)));
    if (k < 0) return null;
    regions[k]!.push(loop);
  }
  return regions;
}

/** By the even-odd rule; the boundary may count either way. */
function isInside(p: ReadonlyVec2, loop: readonly ReadonlyVec2[]): boolean {
  let inside = false;
  for (let i = 0, j = loop.length - 1; i < loop.length; j = i++) {
    const [a, b] = [loop[i]!, loop[j]!];
    if (a.y > p.y !== b.y > p.y && p.x < a.x + ((p.y - a.y) / (b.y - a.y)) * (b.x - a.x)) inside = !inside;
  }
  return inside;
}
