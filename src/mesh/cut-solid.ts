/** Cutting a closed surface by a plane, and closing what is left. RTCD §12.5.3. */

import { atan2 } from '../math/trig.ts';
import type { ReadonlyPlane, ReadonlyVec2, ReadonlyVec3, Vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { disjointSets, findRoot, joinSets } from './disjoint-sets.ts';
import { ringArea } from './rings.ts';
import { triangulateRings } from './triangulate.ts';

/** A closed, oriented surface: triangles over a list of points that many share. */
export interface CutMesh {
  readonly points: Vec3[];
  readonly triangles: readonly Triple[];
}

export type Triple = readonly [number, number, number];

const FRONT = 1;
const BACK = -1;
type Side = typeof FRONT | typeof BACK;

/**
 * Cuts along the plane, but only through that region of the cross-section that the edge `through` is part of the
 * outline of; through all of it if the surface would otherwise stay in one piece. Gives back the connected pieces
 * (cavities, which have a surface of their own, are pieces too), or null when there is nothing to cut or rounding has
 * made the outline cross itself. Points within `tolerance` of the plane, a length, count as on it.
 */
export function cutSolid(
  { points, triangles }: CutMesh,
  plane: ReadonlyPlane,
  through: readonly [number, number],
  tolerance: number,
): Triple[][] | null {
  const sides = new Sides(points, plane, tolerance);
  for (const i of through) sides.setHeight(i, 0);
  const fragments = triangles.map((triangle) => sides.split(triangle));
  const front = fragments.flat().filter((triangle) => sides.ofTriangle(triangle) === FRONT);
  const view = planeView(points, plane);
  const regions = traceRegions(boundaryOf(front), view);
  const chosen = regions?.find((region) => region.some((loop) => hasEdge(loop, through)));
  if (!regions || !chosen) return null;
  // Triangles that the plane goes through elsewhere stay as they are.
  const inOutline = new Set(chosen.flat());
  const some = fragments.flatMap((parts, t) =>
    parts.length === 1 || sides.isCutWithin(parts, inOutline) ? parts : [triangles[t]!],
  );
  const local = separate(some, [chosen], view, sides);
  if (!local || local.isSeparated) return local?.pieces ?? null;
  return separate(fragments.flat(), regions, view, sides)?.pieces ?? null;
}

function hasEdge(loop: readonly number[], [a, b]: readonly [number, number]): boolean {
  return loop.some((v, k) => {
    const w = loop[(k + 1) % loop.length]!;
    return (v === a && w === b) || (v === b && w === a);
  });
}

/** On which side of a plane points are, and the new points where edges go through it. */
class Sides {
  private readonly points: Vec3[];
  private readonly plane: ReadonlyPlane;
  private readonly tolerance: number;
  private readonly heights = new Map<number, number>();
  private readonly onEdge = new Map<string, number>();

  constructor(points: Vec3[], plane: ReadonlyPlane, tolerance: number) {
    this.points = points;
    this.plane = plane;
    this.tolerance = tolerance;
  }

  setHeight(i: number, height: number): void {
    this.heights.set(i, height);
  }

  height(i: number): number {
    const known = this.heights.get(i);
    if (known !== undefined) return known;
    const height = v3.dot(this.plane.normal, this.points[i]!) - this.plane.d;
    const snapped = Math.abs(height) <= this.tolerance ? 0 : height;
    this.heights.set(i, snapped);
    return snapped;
  }

  /** The parts of a triangle in front and behind. */
  split(triangle: Triple): Triple[] {
    const signs = triangle.map((i) => Math.sign(this.height(i)));
    if (!(signs.includes(1) && signs.includes(-1))) return [triangle];
    const rotated = (k: number): Triple => [triangle[k]!, triangle[(k + 1) % 3]!, triangle[(k + 2) % 3]!];
    const onPlane = signs.indexOf(0);
    if (onPlane >= 0) {
      const [a, b, c] = rotated(onPlane);
      const m = this.crossing(b, c);
      return [
        [a, b, m],
        [a, m, c],
      ];
    }
    // The corner that is alone on its side.
    const [a, b, c] = rotated(signs.findIndex((s) => signs.filter((t) => t === s).length === 1));
    const m = this.crossing(a, b);
    const n = this.crossing(a, c);
    return [
      [a, m, n],
      [m, b, c],
      [m, c, n],
    ];
  }

  /** Are the points at which a triangle was cut among these? */
  isCutWithin(parts: readonly Triple[], points: ReadonlySet<number>): boolean {
    return parts.every((part) => part.every((i) => this.height(i) !== 0 || points.has(i)));
  }

  private crossing(i: number, j: number): number {
    const [a, b] = i < j ? [i, j] : [j, i]; // the same point, to the last bit, from both triangles
    const key = `${a} ${b}`;
    const known = this.onEdge.get(key);
    if (known !== undefined) return known;
    const t = this.height(a) / (this.height(a) - this.height(b));
    const made = this.points.push(v3.lerp(this.points[a]!, this.points[b]!, t)) - 1;
    this.heights.set(made, 0);
    this.onEdge.set(key, made);
    return made;
  }

  /** Of a triangle; not for one that goes through. One in the plane belongs to the side where the solid is. */
  ofTriangle([a, b, c]: Triple): Side {
    const sum = Math.sign(this.height(a)) + Math.sign(this.height(b)) + Math.sign(this.height(c));
    if (sum !== 0) return sum > 0 ? FRONT : BACK;
    const [p, q, r] = [this.points[a]!, this.points[b]!, this.points[c]!];
    const normal = v3.cross(v3.sub(q, p), v3.sub(r, p));
    return v3.dot(normal, this.plane.normal) > 0 ? BACK : FRONT;
  }
}

/** The edges [from, to] that only one triangle has, counting those that run in opposite directions against each other. */
function boundaryOf(triangles: readonly Triple[]): [number, number][] {
  const uses = new Map<string, { edge: [number, number]; count: number }>();
  for (const triangle of triangles)
    for (let k = 0; k < 3; k++) {
      const from = triangle[k]!;
      const to = triangle[(k + 1) % 3]!;
      const sign = from < to ? 1 : -1;
      const key = from < to ? `${from} ${to}` : `${to} ${from}`;
      const entry = uses.get(key) ?? { edge: from < to ? [from, to] : [to, from], count: 0 };
      entry.count += sign;
      uses.set(key, entry);
    }
  const edges: [number, number][] = [];
  for (const { edge, count } of uses.values())
    for (let k = 0; k < Math.abs(count); k++) edges.push(count > 0 ? edge : [edge[1], edge[0]]);
  return edges;
}

/** Closes the regions on both sides and finds what then hangs together. Null when that fails. */
function separate(
  split: readonly Triple[],
  regions: readonly Region[],
  view: (i: number) => ReadonlyVec2,
  sides: Sides,
): { pieces: Triple[][]; isSeparated: boolean } | null {
  const all = [...split];
  const side = split.map((triangle) => sides.ofTriangle(triangle));
  for (const region of regions) {
    const caps = capTriangles(region, view);
    if (!caps) return null;
    // The front of the plane is outside of what is behind it.
    for (const [a, b, c] of caps) {
      all.push([a, b, c], [a, c, b]);
      side.push(BACK, FRONT);
    }
  }
  const isCut = new Set<string>();
  const key = (from: number, to: number): string => (from < to ? `${from} ${to}` : `${to} ${from}`);
  for (let t = split.length; t < all.length; t++)
    for (let k = 0; k < 3; k++) isCut.add(key(all[t]![k]!, all[t]![(k + 1) % 3]!));

  const sets = disjointSets(all.length);
  const waiting = new Map<string, number[]>();
  for (const [t, triangle] of all.entries())
    for (let k = 0; k < 3; k++) {
      const from = triangle[k]!;
      const to = triangle[(k + 1) % 3]!;
      // Across the cut only triangles of one side are neighbours.
      const sheet = isCut.has(key(from, to)) ? side[t]! : 0;
      const partners = waiting.get(`${to} ${from} ${sheet}`);
      const partner = partners?.pop();
      if (partner !== undefined) {
        joinSets(sets, t, partner);
        continue;
      }
      const name = `${from} ${to} ${sheet}`;
      const list = waiting.get(name);
      if (list) list.push(t);
      else waiting.set(name, [t]);
    }
  for (const left of waiting.values()) if (left.length > 0) return null; // not closed
  const pieces = new Map<number, Triple[]>();
  for (const [t, triangle] of all.entries()) {
    const root = findRoot(sets, t);
    const piece = pieces.get(root);
    if (piece) piece.push(triangle);
    else pieces.set(root, [triangle]);
  }
  const first = split.length;
  return { pieces: [...pieces.values()], isSeparated: findRoot(sets, first) !== findRoot(sets, first + 1) };
}

function capTriangles(region: Region, view: (i: number) => ReadonlyVec2): Triple[] | null {
  const ids = region.flat();
  const setHeight = new Map<number, number>();
  const rings = region.map((loop) =>
    loop.map((i) => {
      const known = setHeight.get(i);
      if (known !== undefined) return known;
      setHeight.set(i, setHeight.size);
      return setHeight.size - 1;
    }),
  );
  const own = [...new Set(ids)];
  const { triangles, status } = triangulateRings(own.map(view), rings);
  if (status !== 'complete') return null;
  const caps: Triple[] = [];
  for (let k = 0; k < triangles.length; k += 3)
    caps.push([own[triangles[k]!]!, own[triangles[k + 1]!]!, own[triangles[k + 2]!]!]);
  return caps;
}

// ---- The outline that a plane leaves in a solid: from loose edges to regions with holes. RTCD §12.5.3 ----

/** A part of the cross-section: its outer loop, counter-clockwise, and then its holes, clockwise. */
export type Region = number[][];

/** Points of a plane in two coordinates: what is counter-clockwise seen from its front stays so. */
function planeView(points: readonly ReadonlyVec3[], { normal }: ReadonlyPlane): (i: number) => ReadonlyVec2 {
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
 * At a vertex where several regions meet the path goes on along the first edge clockwise from where it came, so that each
 * region keeps to itself.
 */
function traceRegions(
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
  const setHeight = new Map<number, number>();
  for (const v of loop) {
    const earlier = setHeight.get(v);
    if (earlier !== undefined) {
      const inner = path.splice(earlier);
      for (const w of inner) setHeight.delete(w);
      done.push(inner);
    }
    setHeight.set(v, path.length);
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
    let clockwise = back - angle(to);
    if (clockwise <= 0) clockwise += 2 * Math.PI;
    if (clockwise < least) {
      least = clockwise;
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
