/** Cutting a polygon with holes into triangles, ear by ear, with exact signs. RTCD §12.5.1. */
import { orient2d } from '../math/orient.ts';
import type { ReadonlyVec2 } from '../math/types.ts';
import type { Ring } from './rings.ts';
import { comesBefore, ringArea, same, sideOfCorner } from './rings.ts';

/**
 * Triangles, counter-clockwise, each with an area, that fill the counter-clockwise first ring without the clockwise
 * others: n - 2 of them, and 2 more per hole. The rings are clean and touch at common corners only. Whoever doubts that
 * must look at the result: nothing is found, or too little, when they cross.
 *
 * Points in the middle of a straight edge are no trouble, since a tip must be strictly convex and its ear hold no
 * other point at all, not even on its rim: take any triangulation of a polygon in which all triangles have an area;
 * the triangles at the ends of its dual tree are such ears. O(n²).
 */
export function cutEars(points: readonly ReadonlyVec2[], rings: readonly Ring[]): number[] {
  const loop = new Loop(points, rings[0]!);
  return bridgeHoles(loop, rings.slice(1)) ? loop.cut() : [];
}

/** A ring of nodes that can be taken out. Bridges to holes make several nodes of one point. */
class Loop {
  readonly points: readonly ReadonlyVec2[];
  readonly id: number[] = [];
  readonly previous: number[] = [];
  readonly next: number[] = [];

  constructor(points: readonly ReadonlyVec2[], ring: Ring) {
    this.points = points;
    for (const i of ring) this.id.push(i);
    for (let k = 0; k < ring.length; k++) {
      this.previous.push((k + ring.length - 1) % ring.length);
      this.next.push((k + 1) % ring.length);
    }
  }

  at(node: number): ReadonlyVec2 {
    return this.points[this.id[node]!]!;
  }

  /** Goes from node p over to the corner `start` of a hole, around it, and back to p. At one position both bridges are free. */
  splice(p: number, hole: Ring, start: number): void {
    const after = this.next[p]!;
    const isApart = !same(this.at(p), this.points[hole[start]!]!);
    let last = p;
    for (let k = isApart ? 0 : 1; k <= hole.length; k++)
      last = this.add(hole[(start + k) % hole.length]!, last);
    if (isApart) last = this.add(this.id[p]!, last);
    this.link(last, after);
  }

  private add(i: number, after: number): number {
    const node = this.id.length;
    this.id.push(i);
    this.previous.push(after);
    this.next.push(after); // until the next one comes
    this.next[after] = node;
    return node;
  }

  private link(a: number, b: number): void {
    this.next[a] = b;
    this.previous[b] = a;
  }

  cut(): number[] {
    const { previous, next, id } = this;
    const triangles: number[] = [];
    const starts = [0];
    while (starts.length > 0) {
      let node = starts.pop()!;
      let left = this.count(node);
      let idle = 0;
      while (left > 2) {
        if (this.isEar(node)) {
          const a = previous[node]!;
          const c = next[node]!;
          triangles.push(id[a]!, id[node]!, id[c]!);
          this.link(a, c);
          left--;
          idle = 0;
          node = a; // both ends of the cut may have become ears
        } else {
          node = next[node]!;
          if (++idle <= left) continue;
          const pair = this.pinch(node);
          if (pair) starts.push(...this.split(...pair));
          break;
        }
      }
    }
    return triangles;
  }

  private count(start: number): number {
    let count = 1;
    for (let k = this.next[start]!; k !== start; k = this.next[k]!) count++;
    return count;
  }

  /** Where loops touch there may be no ear, but two nodes at one position whose loops can be cut one by one. */
  private pinch(start: number): [number, number] | undefined {
    const nodes: number[] = [start];
    for (let k = this.next[start]!; k !== start; k = this.next[k]!) nodes.push(k);
    for (const [i, a] of nodes.entries())
      for (let j = i + 3; j < nodes.length && j - i <= nodes.length - 3; j++) {
        if (!same(this.at(a), this.at(nodes[j]!))) continue;
        const ids = nodes.map((k) => this.id[k]!);
        const inner = ids.slice(i, j);
        const outer = [...ids.slice(j), ...ids.slice(0, i)];
        if (ringArea(this.points, inner) > 0 && ringArea(this.points, outer) > 0) return [a, nodes[j]!];
      }
    return undefined;
  }

  /** Makes two loops of one: from a to before b, and from b to before a. */
  private split(a: number, b: number): [number, number] {
    const beforeA = this.previous[a]!;
    const beforeB = this.previous[b]!;
    this.link(beforeB, a);
    this.link(beforeA, b);
    return [a, b];
  }

  private isEar(tip: number): boolean {
    const { previous, next } = this;
    const before = previous[tip]!;
    const after = next[tip]!;
    const a = this.at(before);
    const b = this.at(tip);
    const c = this.at(after);
    if (!(orient2d(a, b, c) > 0)) return false;
    if (next[after] === before) return true;
    // At a position with several nodes the cut must lie in the corners of these two.
    if (sideOfCorner(this.at(previous[before]!), a, b, c) <= 0) return false;
    if (sideOfCorner(b, c, this.at(next[after]!), a) <= 0) return false;
    const minX = Math.min(a.x, b.x, c.x);
    const maxX = Math.max(a.x, b.x, c.x);
    const minY = Math.min(a.y, b.y, c.y);
    const maxY = Math.max(a.y, b.y, c.y);
    for (let k = next[after]!; k !== before; k = next[k]!) {
      const p = this.at(k);
      if (p.x < minX || p.x > maxX || p.y < minY || p.y > maxY) continue;
      // What leaves another node of a or c into the ear must end in it; but from the tip it may cross all of it.
      if (same(p, a) || same(p, c)) continue;
      if (same(p, b)) {
        if (isWithin(a, b, c, this.at(previous[k]!)) || isWithin(a, b, c, this.at(next[k]!))) return false;
        continue;
      }
      if (orient2d(a, b, p) >= 0 && orient2d(b, c, p) >= 0 && orient2d(c, a, p) >= 0) return false;
    }
    return true;
  }
}

/** Is p strictly inside the corner at b of the ear abc? */
const isWithin = (a: ReadonlyVec2, b: ReadonlyVec2, c: ReadonlyVec2, p: ReadonlyVec2): boolean =>
  orient2d(a, b, p) > 0 && orient2d(b, c, p) > 0;

/**
 * Joins the holes to the loop, from left to right, each at its leftmost corner m. There is a point to the left of m
 * that it sees: in a triangulation, the angle of more than 180° around m must be divided on that side. No earlier hole
 * is left to be joined that such a point could belong to.
 */
function bridgeHoles(loop: Loop, holes: readonly Ring[]): boolean {
  const { points } = loop;
  const starts = holes.map((hole) => {
    let low = 0;
    for (let k = 1; k < hole.length; k++) if (comesBefore(points[hole[k]!]!, points[hole[low]!]!)) low = k;
    return { hole, low, m: points[hole[low]!]! };
  });
  starts.sort((s, t) => (comesBefore(s.m, t.m) ? -1 : comesBefore(t.m, s.m) ? 1 : 0));
  const waiting = starts.map(({ hole }) => hole);
  for (const { hole, low, m } of starts) {
    const p = touchingNode(loop, hole, low) ?? visibleNode(loop, waiting, m);
    if (p < 0) return false;
    loop.splice(p, hole, low);
    waiting.shift();
  }
  return true;
}

/** A node at the position of a hole's corner, if the hole lies in the corner of that node. */
function touchingNode(loop: Loop, hole: Ring, start: number): number | undefined {
  const { points, previous, next } = loop;
  const m = points[hole[start]!]!;
  const neighbours = [hole[(start + 1) % hole.length]!, hole[(start + hole.length - 1) % hole.length]!];
  for (let k = 0; k < loop.id.length; k++) {
    if (!same(loop.at(k), m)) continue;
    const sides = neighbours.map((i) =>
      sideOfCorner(loop.at(previous[k]!), m, loop.at(next[k]!), points[i]!),
    );
    if (Math.min(...sides) >= 0 && Math.max(...sides) > 0) return k;
  }
  return undefined;
}

/** The closest node of the loop to the left of m with nothing in between, whose corner opens to m; -1: none. */
function visibleNode(loop: Loop, holes: readonly Ring[], m: ReadonlyVec2): number {
  const { points, previous, next } = loop;
  const candidates: { node: number; distance: number }[] = [];
  for (let node = 0; node < loop.id.length; node++) {
    const p = loop.at(node);
    if (comesBefore(p, m))
      candidates.push({ node, distance: (p.x - m.x) * (p.x - m.x) + (p.y - m.y) * (p.y - m.y) });
  }
  candidates.sort((s, t) => s.distance - t.distance);
  for (const { node } of candidates) {
    const p = loop.at(node);
    if (sideOfCorner(loop.at(previous[node]!), p, loop.at(next[node]!), m) <= 0) continue;
    let isClear = true;
    for (let k = 0; isClear && k < loop.id.length; k++)
      isClear = !blocks(p, m, loop.at(k), loop.at(next[k]!));
    for (const hole of holes)
      for (let k = 0; isClear && k < hole.length; k++)
        isClear = !blocks(p, m, points[hole[k]!]!, points[hole[(k + 1) % hole.length]!]!);
    if (isClear) return node;
  }
  return -1;
}

/** Does the edge uv meet the segment pm, other than by ending where pm does? */
function blocks(p: ReadonlyVec2, m: ReadonlyVec2, u: ReadonlyVec2, v: ReadonlyVec2): boolean {
  if (
    Math.max(u.x, v.x) < p.x || // p is the one to the left
    Math.min(u.x, v.x) > m.x ||
    Math.max(u.y, v.y) < Math.min(p.y, m.y) ||
    Math.min(u.y, v.y) > Math.max(p.y, m.y)
  )
    return false;
  const su = orient2d(p, m, u);
  const sv = orient2d(p, m, v);
  if ((su > 0 && sv > 0) || (su < 0 && sv < 0)) return false;
  // On the line of pm a point counts if it lies between the two; their box holds no other of that line.
  if (su === 0 && isInBox(p, m, u) && !same(u, p) && !same(u, m)) return true;
  if (sv === 0 && isInBox(p, m, v) && !same(v, p) && !same(v, m)) return true;
  if (same(u, p) || same(u, m) || same(v, p) || same(v, m)) return false;
  const sp = orient2d(u, v, p);
  const sm = orient2d(u, v, m);
  return !((sp > 0 && sm > 0) || (sp < 0 && sm < 0));
}

const isInBox = (p: ReadonlyVec2, m: ReadonlyVec2, u: ReadonlyVec2): boolean =>
  u.x >= p.x && u.x <= m.x && u.y >= Math.min(p.y, m.y) && u.y <= Math.max(p.y, m.y);
