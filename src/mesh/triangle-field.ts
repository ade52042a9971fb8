/** How far a point is from a mesh, and whether it is inside. */
import { orient2d } from '../math/orient.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec2, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { closestPointTriangle } from '../primitives/closest/triangle.ts';
import { side } from '../primitives/overlap/side.ts';
import type { Aabb } from '../primitives/types.ts';
import { buildTree } from '../trees/build.ts';
import { triangleItems } from '../trees/items.ts';
import { splitItems } from '../trees/split-items.ts';
import type { Tree } from '../trees/tree.ts';
import type { Triangles } from './triangles.ts';

/** So many parts a triangle, on average. */
const PARTS = 3;

/** Answers for the points of one mesh. Not to be used from a callback of its own. */
export class TriangleField {
  private readonly mesh: Triangles;
  private readonly tree: Tree<Aabb>;
  /** The same with long triangles cut up: the boxes of slivers hold each other, and the nearest was none of a few. */
  private readonly parts: Tree<Aabb>;
  /** Of each part, its triangle. */
  private readonly source: Uint32Array;
  private readonly stack: number[] = [];
  private readonly stackDistance: number[] = [];
  private readonly a = vec3();
  private readonly b = vec3();
  private readonly c = vec3();
  private readonly candidate = vec3();

  constructor(mesh: Triangles) {
    this.mesh = mesh;
    const triangles = triangleItems(mesh.positions, mesh.index);
    this.tree = buildTree(triangles);
    const { items, source } = splitItems(triangles, PARTS);
    this.parts = buildTree(items);
    this.source = source;
  }

  /** The distance of p from the nearest triangle, which is known to be at most `limit`; `nearest` gets the point. */
  distance(p: ReadonlyVec3, limit: number, nearest: Vec3): number {
    const { stack, stackDistance, candidate, source } = this;
    const { skip, first, items } = this.parts;
    // A little more than the limit, so that rounding in it does not hide the answer.
    let best = limit === Infinity ? Infinity : limit * limit * (1 + 1e-9) + 1e-300;
    let top = 0;
    stack[top] = 0;
    stackDistance[top++] = 0;
    while (top > 0) {
      const node = stack[--top]!;
      if (stackDistance[top]! > best) continue;
      const end = skip[node]!;
      if (end === node + 1) {
        for (let k = first[node]!; k < first[end]!; k++) {
          this.load(source[items[k]!]!);
          closestPointTriangle(p, this.a, this.b, this.c, candidate);
          const distanceSq = v3.distanceSq(p, candidate);
          if (distanceSq > best) continue;
          best = distanceSq;
          v3.copy(candidate, nearest);
        }
        continue;
      }
      const left = node + 1;
      const right = skip[left]!;
      const toLeft = this.boxDistanceSq(p, left);
      const toRight = right < end ? this.boxDistanceSq(p, right) : Infinity;
      const isLeftNearer = toLeft <= toRight;
      const far = isLeftNearer ? toRight : toLeft;
      if (far <= best) {
        stack[top] = isLeftNearer ? right : left;
        stackDistance[top++] = far;
      }
      stack[top] = isLeftNearer ? left : right;
      stackDistance[top++] = isLeftNearer ? toLeft : toRight;
    }
    return Math.sqrt(best);
  }

  private boxDistanceSq(p: ReadonlyVec3, node: number): number {
    const { volumes } = this.parts;
    const k = 6 * node;
    const x = Math.max(volumes[k]! - p.x, 0, p.x - volumes[k + 3]!);
    const y = Math.max(volumes[k + 1]! - p.y, 0, p.y - volumes[k + 4]!);
    const z = Math.max(volumes[k + 2]! - p.z, 0, p.z - volumes[k + 5]!);
    return x * x + y * y + z * z;
  }

  /**
   * Does the surface, which is closed, wind around p? Counts the triangles to the right of p, by exact signs and with
   * half-open edges, so that no ray passes between two triangles, or through both.
   */
  isInside(p: ReadonlyVec3): boolean {
    const { skip, first, items, volumes } = this.tree;
    let winding = 0;
    for (let node = 0; node < skip.length; ) {
      const k = 6 * node;
      const isMissed =
        volumes[k + 3]! < p.x ||
        volumes[k + 1]! > p.y ||
        volumes[k + 4]! < p.y ||
        volumes[k + 2]! > p.z ||
        volumes[k + 5]! < p.z;
      if (isMissed) {
        node = skip[node]!;
        continue;
      }
      node++;
      if (skip[node - 1] !== node) continue;
      for (let i = first[node - 1]!; i < first[node]!; i++) winding += this.crossing(p, items[i]!);
    }
    return winding !== 0;
  }

  /** 1 or -1 when the ray from p along x goes out or in through triangle t. */
  private crossing(p: ReadonlyVec3, t: number): number {
    this.load(t);
    const { a, b, c } = this;
    const winding = edgeCrossing(p, a, b) + edgeCrossing(p, b, c) + edgeCrossing(p, c, a);
    if (winding === 0) return 0;
    // Seen along x the triangle winds around p; it is ahead if p is behind the front that looks along x.
    return side(a, b, c, p) * winding < 0 ? winding : 0;
  }

  private load(t: number): void {
    const { index } = this.mesh;
    this.read(index[3 * t]!, this.a);
    this.read(index[3 * t + 1]!, this.b);
    this.read(index[3 * t + 2]!, this.c);
  }

  private read(vertex: number, out: Vec3): void {
    const { positions } = this.mesh;
    out.x = positions[3 * vertex]!;
    out.y = positions[3 * vertex + 1]!;
    out.z = positions[3 * vertex + 2]!;
  }
}

const U = vec2();
const V = vec2();
const P = vec2();

/**
 * In the plane of y and z: 1 or -1 when the edge ab crosses the ray from p along y upwards or downwards in z. Both
 * triangles at an edge get opposite answers, because the edge is taken from its lower end each time.
 */
function edgeCrossing(p: ReadonlyVec3, a: ReadonlyVec3, b: ReadonlyVec3): number {
  const isUpward = a.z <= p.z && b.z > p.z;
  if (!isUpward && !(b.z <= p.z && a.z > p.z)) return 0;
  const low = isUpward ? a : b;
  const high = isUpward ? b : a;
  U.x = low.y;
  U.y = low.z;
  V.x = high.y;
  V.y = high.z;
  P.x = p.y;
  P.y = p.z;
  if (!(orient2d(U, V, P) > 0)) return 0;
  return isUpward ? 1 : -1;
}
