/** Planes that show what boxes do not: that two parts of meshes are apart, or no nearer than the best pair so far. */
import { type Frame, makeFrame } from '../../convex/frame.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import { lengthSq as lengthSquared, sub } from '../../math/vec3.ts';
import { closestTriangleTriangle } from '../../primitives/closest/triangle-triangle.ts';
import { makePointPair } from '../../primitives/types.ts';
import { loadTriangle, type Mesh, makeCorners } from '../mesh.ts';
import { type BoxTree, MAX_BOX_DEPTH } from './box-tree.ts';
import { loadMovedTriangle } from './relative-frame.ts';

/** Two points, and how far they are apart. */
interface Best {
  readonly a: ReadonlyVec3;
  readonly b: ReadonlyVec3;
  readonly distance: number;
}

/**
 * So many pairs of triangles are compared before planes are looked for. Tens are enough where one pair is the nearest;
 * where the tip of a cone is, all triangles around it are as near, and no box separates.
 */
export const PATIENCE = 1000;

export const APART = 0;
export const OPEN_FIRST = 1;
export const OPEN_SECOND = 2;
export type PlaneVerdict = typeof APART | typeof OPEN_FIRST | typeof OPEN_SECOND;

/** The search for such planes between parts of two meshes, the second as seen from the first. */
export class PlaneSearch {
  private a!: Mesh;
  private b!: Mesh;
  private linksA: Int32Array = new Int32Array(0);
  private linksB: Int32Array = new Int32Array(0);
  private at: Frame = makeFrame();
  /** What rounding may have moved a point by. */
  private rounding = 0;
  private readonly stack = new Int32Array(MAX_BOX_DEPTH + 2);
  private readonly first = makeCorners();
  private readonly second = makeCorners();
  private readonly pair = makePointPair();
  /** Through the slab from the first to the second. */
  private readonly across = vec3();
  /** What is looked for: heights along this normal, in the space of one mesh, above this one. */
  private ux = 0.5;
  private uy = 0.5;
  private uz = 0.5;
  private height = 0.5;

  begin(a: Mesh, one: BoxTree, b: Mesh, two: BoxTree, at: Frame, rounding: number): void {
    this.a = a;
    this.b = b;
    this.linksA = one.links;
    this.linksB = two.links;
    this.at = at;
    this.rounding = rounding;
  }

  /**
   * Is there a slab between the triangles below two nodes as wide as the best distance, up to rounding? Across the best
   * pair of points, or across the nearest points of two of the triangles. If not, which of the two bulges into the slab
   * and is to be opened. Time grows with the number of triangles at most.
   */
  compare(nodeA: number, nodeB: number, best: Best): PlaneVerdict {
    sub(best.b, best.a, this.across);
    if (this.trySlab(nodeA, nodeB, best.b, best.distance) === APART) return APART;
    this.aimBetweenLeaves(nodeA, nodeB);
    return this.trySlab(nodeA, nodeB, this.pair.b, best.distance);
  }

  /** Is there a plane between the triangles below two nodes, beyond what rounding may move them by? */
  separate(nodeA: number, nodeB: number): boolean {
    this.aimBetweenLeaves(nodeA, nodeB);
    return this.trySlab(nodeA, nodeB, this.pair.b, 4 * this.rounding) === APART;
  }

  /** Between the nearest points of one triangle below each node. */
  private aimBetweenLeaves(nodeA: number, nodeB: number): void {
    const { first, second, pair } = this;
    loadTriangle(this.a, anyLeaf(this.linksA, nodeA), first);
    loadMovedTriangle(this.b, anyLeaf(this.linksB, nodeB), this.at, second);
    closestTriangleTriangle(first, second, pair);
    sub(pair.b, pair.a, this.across);
    this.straighten();
  }

  /** Points that are off by rounding tilt a slab between long edges: it is rotated to be along these. */
  private straighten(): void {
    const { first: f, second: s, across } = this;
    for (let round = 0; round < 2; round++) {
      straighten(across, f.a, f.b);
      straighten(across, f.b, f.c);
      straighten(across, s.a, s.b);
      straighten(across, s.b, s.c);
    }
  }

  /** Across `across`, from `top` downwards. */
  private trySlab(nodeA: number, nodeB: number, top: ReadonlyVec3, distance: number): PlaneVerdict {
    const { x, y, z } = this.across;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0)) return OPEN_FIRST;
    const ux = x / length;
    const uy = y / length;
    const uz = z / length;
    const upper = ux * top.x + uy * top.y + uz * top.z - this.rounding;
    this.ux = ux;
    this.uy = uy;
    this.uz = uz;
    this.height = upper - distance + 2 * this.rounding;
    if (!this.isBelow(this.a, this.linksA, nodeA)) return OPEN_FIRST;
    const { m00, m01, m02, m10, m11, m12, m20, m21, m22, tx, ty, tz } = this.at;
    this.ux = -(ux * m00 + uy * m10 + uz * m20);
    this.uy = -(ux * m01 + uy * m11 + uz * m21);
    this.uz = -(ux * m02 + uy * m12 + uz * m22);
    this.height = ux * tx + uy * ty + uz * tz - upper;
    return this.isBelow(this.b, this.linksB, nodeB) ? APART : OPEN_SECOND;
  }

  /** Are all corners of the triangles below a node within the height, in the space of their mesh? */
  private isBelow({ vertices, corners }: Mesh, links: Int32Array, root: number): boolean {
    const { stack, ux, uy, uz, height } = this;
    let top = 1;
    stack[0] = root;
    while (top > 0) {
      const link = links[stack[--top]!]!;
      if (link >= 0) {
        stack[top] = link + 1;
        stack[top + 1] = link;
        top += 2;
        continue;
      }
      for (let k = 3 * ~link; k < 3 * ~link + 3; k++) {
        const v = 3 * corners[k]!;
        if (!(ux * vertices[v]! + uy * vertices[v + 1]! + uz * vertices[v + 2]! <= height)) return false;
      }
    }
    return true;
  }
}

/** Puts a direction at a right angle to the line pq, if it nearly is. */
function straighten(along: Vec3, p: ReadonlyVec3, q: ReadonlyVec3): void {
  const x = q.x - p.x;
  const y = q.y - p.y;
  const z = q.z - p.z;
  const lengthSq = x * x + y * y + z * z;
  const t = (along.x * x + along.y * y + along.z * z) / lengthSq;
  if (!(t * t * lengthSq <= 1e-12 * lengthSquared(along))) return;
  along.x -= t * x;
  along.y -= t * y;
  along.z -= t * z;
}

function anyLeaf(links: Int32Array, node: number): number {
  let link = links[node]!;
  while (link >= 0) link = links[link]!;
  return ~link;
}
