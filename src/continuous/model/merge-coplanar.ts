/** Neighbours in one plane become one convex polygon. */
import type { ReadonlyVec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { halfEdgesOf } from '../../mesh/half-edge.ts';
import { facingAxis } from '../../polytope/affine.ts';
import { facePlane } from '../../polytope/polyhedron.ts';
import { packSoup, type Soup, turnSign } from './model-source.ts';

/**
 * Takes out sides between two polygons in one plane (to within the soup's flatness) as long as what they become is
 * convex, the longest first, until no more can go: Hertel and Mehlhorn 1983 without the triangulation. Two polygons
 * may share a chain of sides. Then leaves out vertices in the middle of straight sides, for all polygons that have
 * them. A polygon's number is the lowest of those that it was made of. No vertex moves, so no crack opens.
 *
 * @internal
 */
export function mergeLoops(soup: Soup): Soup {
  const merger = new Merger(soup);
  merger.run();
  return packSoup({ ...soup, ...merger.result() });
}

class Merger {
  private readonly soup: Soup;
  private readonly loops: number[][];
  private readonly sources: number[];
  private readonly normals: ReadonlyVec3[];
  /** By both ends, for each side that exactly two polygons share: who runs along it in that direction. */
  private readonly owners = new Map<number, number>();

  constructor(soup: Soup) {
    this.soup = soup;
    this.loops = soup.loops.map((loop) => [...loop]);
    this.sources = [...soup.sources];
    this.normals = soup.loops.map((loop) => facePlane(soup.vertices, loop).normal);
  }

  run(): void {
    let sides = this.sharedSides();
    // A side that must stay may go when its neighbours are gone.
    for (;;) {
      const kept = sides.filter(([a, b]) => !this.tryMerge(a, b));
      if (kept.length === sides.length) break;
      sides = kept;
    }
    this.dropStraight();
  }

  result(): Pick<Soup, 'loops' | 'sources'> {
    const order = [...this.loops.keys()].filter((f) => this.loops[f]!.length > 0);
    order.sort((f, g) => this.sources[f]! - this.sources[g]! || f - g);
    return { loops: order.map((f) => this.loops[f]!), sources: order.map((f) => this.sources[f]!) };
  }

  private readonly key = (a: number, b: number): number => a * this.soup.vertices.length + b;

  /**
   * The sides that may go: between two polygons that face the same way and are in one plane. The longest come first:
   * diagonals of rectangles. Among equally long ones those that run in the same direction follow each other, so that
   * tiles become rows before rows become floors.
   */
  private sharedSides(): [number, number][] {
    const { vertices, flatness } = this.soup;
    const { vertex, next, face, twin } = halfEdgesOf(this.loops, vertices.length);
    const found: { ends: [number, number]; lengthSq: number; x: number; y: number }[] = [];
    for (let h = 0; h < vertex.length; h++) {
      const t = twin[h]!;
      if (t < 0) continue;
      const a = vertex[h]!;
      const b = vertex[next[h]!]!;
      this.owners.set(this.key(a, b), face[h]!);
      if (t < h || !(v3.dot(this.normals[face[h]!]!, this.normals[face[t]!]!) > 0)) continue;
      if (!this.isIn(this.loops[face[t]!]!, face[h]!, 4 * flatness)) continue;
      const side = v3.sub(vertices[b]!, vertices[a]!);
      found.push({ ends: [a, b], lengthSq: v3.lengthSq(side), x: Math.abs(side.x), y: Math.abs(side.y) });
    }
    found.sort((s, t) => t.lengthSq - s.lengthSq || s.x - t.x || s.y - t.y);
    return found.map(({ ends }) => ends);
  }

  /** Is a loop within `flatness` of the plane of polygon f? A filter: `mergedNormal` has the last word. */
  private isIn(loop: readonly number[], f: number, flatness: number): boolean {
    const { vertices } = this.soup;
    const normal = this.normals[f]!;
    const origin = vertices[this.loops[f]![0]!]!;
    for (const v of loop) if (!(Math.abs(height(normal, vertices[v]!, origin)) <= flatness)) return false;
    return true;
  }

  /** Makes one polygon of the two beside ab, if that is possible. True also when they are one already. */
  private tryMerge(a: number, b: number): boolean {
    const { owners } = this;
    const f = owners.get(this.key(a, b));
    const g = owners.get(this.key(b, a));
    if (f === undefined || g === undefined) return true; // went with its chain
    const merged = this.joined(f, g, a);
    const normal = merged && this.mergedNormal(merged);
    if (!merged || !normal) return false;
    this.forget(f, g);
    this.loops[f] = merged;
    this.loops[g] = [];
    (this.normals as ReadonlyVec3[])[f] = normal;
    this.sources[f] = Math.min(this.sources[f]!, this.sources[g]!);
    for (let k = 0; k < merged.length; k++) {
      const key = this.key(merged[k]!, merged[(k + 1) % merged.length]!);
      if (owners.has(key)) owners.set(key, f);
    }
    return true;
  }

  /** Takes the sides between f and g from the map. */
  private forget(f: number, g: number): void {
    const { owners } = this;
    const loop = this.loops[f]!;
    for (let k = 0; k < loop.length; k++) {
      const a = loop[k]!;
      const b = loop[(k + 1) % loop.length]!;
      if (owners.get(this.key(b, a)) !== g) continue;
      owners.delete(this.key(a, b));
      owners.delete(this.key(b, a));
    }
  }

  /**
   * The loop around f and g, which share a side that starts at `a` as f runs. Null if they share more than one chain, or if
   * the loop would turn to the right where the chain ends.
   */
  private joined(f: number, g: number, a: number): number[] | null {
    const { owners, loops } = this;
    const F = loops[f]!;
    const G = loops[g]!;
    const isShared = (k: number): boolean =>
      owners.get(this.key(F[(k + 1) % F.length]!, F[k % F.length]!)) === g;
    const at = F.indexOf(a);
    let begin = at;
    let end = at + 1;
    while (end - begin < F.length && isShared(begin + F.length - 1)) begin--;
    while (end - begin < F.length && isShared(end)) end++;
    let shared = 0;
    for (let k = 0; k < F.length; k++) if (isShared(k)) shared++;
    const length = end - begin;
    if (shared !== length || length >= F.length || length >= G.length) return null;
    const first = F[(begin + F.length) % F.length]!;
    const last = F[end % F.length]!;
    // From the end of the chain along f to its start, and from there along g.
    const merged: number[] = [];
    for (let k = end; k <= begin + F.length; k++) merged.push(F[k % F.length]!);
    const from = G.indexOf(first);
    for (let k = 1; k < G.length - length; k++) merged.push(G[(from + k) % G.length]!);
    const corner = merged.indexOf(first);
    const n = merged.length;
    if (n < 3 || merged[0] !== last || new Set(merged).size < n) return null;
    return this.turnsLeft(merged, 0, f) && this.turnsLeft(merged, corner, f) ? merged : null;
  }

  private turnsLeft(loop: readonly number[], k: number, f: number): boolean {
    const { vertices } = this.soup;
    const n = loop.length;
    const before = vertices[loop[(k + n - 1) % n]!]!;
    return turnSign(before, vertices[loop[k]!]!, vertices[loop[(k + 1) % n]!]!, this.normals[f]!) >= 0;
  }

  /** The normal of a merged loop, if all its corners are within the flatness of its plane. */
  private mergedNormal(loop: readonly number[]): ReadonlyVec3 | null {
    const { vertices, flatness } = this.soup;
    const { normal } = facePlane(vertices, loop);
    const origin = vertices[loop[0]!]!;
    let low = 0;
    let high = 0;
    for (const v of loop) {
      const h = height(normal, vertices[v]!, origin);
      low = Math.min(low, h);
      high = Math.max(high, h);
    }
    return high - low <= flatness ? normal : null;
  }

  /** Leaves out what lies exactly on the straight line between the same two neighbours in all its polygons. */
  private dropStraight(): void {
    const { vertices } = this.soup;
    const users: number[][] = vertices.map(() => []);
    this.loops.forEach((loop, f) => {
      for (const v of loop) users[v]!.push(f);
    });
    users.forEach((polygons, v) => {
      if (polygons.length === 0 || polygons.length > 2) return;
      let ends: [number, number] | null = null;
      for (const f of polygons) {
        const loop = this.loops[f]!;
        const k = loop.indexOf(v);
        const n = loop.length;
        const a = loop[(k + n - 1) % n]!;
        const b = loop[(k + 1) % n]!;
        if (n <= 3 || (ends && !(ends[0] === b && ends[1] === a))) return;
        ends = [a, b];
      }
      if (facingAxis(vertices[ends![0]]!, vertices[v]!, vertices[ends![1]]!) !== undefined) return;
      for (const f of polygons) this.loops[f]!.splice(this.loops[f]!.indexOf(v), 1);
    });
  }
}

const height = (normal: ReadonlyVec3, p: ReadonlyVec3, origin: ReadonlyVec3): number =>
  normal.x * (p.x - origin.x) + normal.y * (p.y - origin.y) + normal.z * (p.z - origin.z);
