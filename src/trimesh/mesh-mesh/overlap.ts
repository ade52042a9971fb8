/**
 * Do two meshes meet, and where? Two trees of oriented boxes are walked at once, the triangles decided exactly. RTCD §6.3,
 * §4.4.1.
 */
import { type Frame, makeFrame, toFirst, toSecond } from '../../convex/frame.ts';
import { mustBeOptions } from '../../math/check.ts';
import type { ReadonlyPose, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { trianglesOverlap } from '../../primitives/overlap/triangle-triangle.ts';
import type { ReadonlyAabb } from '../../primitives/types.ts';
import { isSurroundedByClosed } from '../crossing-number.ts';
import { isClosed, partsOf } from '../derived.ts';
import type { Mesh } from '../mesh.ts';
import { BOX, type BoxTree } from './box-tree.ts';
import { BoxTreePair, SLACK } from './box-tree-pair.ts';
import { readRelativeFrame } from './relative-frame.ts';
import { PATIENCE } from './separating-planes.ts';

export interface OverlapMeshMeshOptions {
  /** Only the surfaces count: what is wholly inside of a closed mesh does not meet it. */
  readonly surfaces?: boolean;
}

/**
 * Do the meshes share a point? `pose` is where `b` stands in the space of `a` (the inverse of a's pose times b's, if
 * both have one); without it, both are where they are. Closed meshes are solid: what lies inside of one meets it, be
 * it only a part of the other mesh.
 *
 * Whether surfaces touch is decided exactly, for the corners of `b` as they come out of the transformation, rounded to
 * doubles. The first query of a mesh makes a tree of oriented boxes that is kept with it: about half a second for
 * 80,000 triangles. Then, near contact, tens of microseconds. RTCD §6.3; Gottschalk, Lin and Manocha 1996.
 */
export function overlapMeshMesh(
  a: Mesh,
  b: Mesh,
  pose?: ReadonlyPose | null,
  options?: OverlapMeshMeshOptions,
): boolean {
  if (options !== undefined && options !== null)
    mustBeOptions('overlapMeshMesh', 'options', options, 'surfaces');
  readRelativeFrame('overlapMeshMesh', a, b, pose, frame);
  return (
    searchPairs(a, b, frame, null) || (!options?.surfaces && findContained(a, b, frame, contained) !== null)
  );
}

/**
 * All pairs of triangles of `a` and of `b` (at `pose` in the space of `a`) that share a point, exactly as
 * `overlapMeshMesh` decides: the number of the triangle of `a`, then that of `b`, pair after pair, sorted.
 */
export function pairsMeshMesh(a: Mesh, b: Mesh, pose?: ReadonlyPose | null, out: number[] = []): number[] {
  readRelativeFrame('pairsMeshMesh', a, b, pose, frame);
  found.count = 0;
  searchPairs(a, b, frame, found);
  return sortPairs(found, a, b, out);
}

/**
 * The pairs below one box of the first tree, as slots of both, in no order.
 *
 * @internal
 */
export function pairsBelow(a: Mesh, b: Mesh, pose: ReadonlyPose | null, node: number): Uint32Array {
  readRelativeFrame('pairsMeshMesh', a, b, pose, frame);
  found.count = 0;
  search.run(a, b, frame, found, node);
  return found.pairs.slice(0, 2 * found.count);
}

/** Boxes of a tree, about so many, that hold all of it between them. @internal */
export function boxesAcross({ boxes, links }: BoxTree, count: number): number[] {
  const nodes = [0];
  while (nodes.length < count) {
    let widest = -1;
    for (let i = 0; i < nodes.length; i++)
      if (
        links[nodes[i]!]! >= 0 &&
        (widest < 0 || boxes[nodes[i]! * BOX + 15]! > boxes[nodes[widest]! * BOX + 15]!)
      )
        widest = i;
    if (widest < 0) break;
    const child = links[nodes[widest]!]!;
    nodes.splice(widest, 1, child, child + 1);
  }
  return nodes;
}

const frame = makeFrame();
const found: FoundPairs = { count: 0, pairs: new Uint32Array(2048) };
let keys = new Float64Array(1024);

/** The pairs by the numbers that the user knows, in order. @internal */
export function sortPairs({ count, pairs }: FoundPairs, a: Mesh, b: Mesh, out: number[]): number[] {
  if (keys.length < count) keys = new Float64Array(2 * count);
  // One number a pair. Meshes of 2^26 triangles, more than fit in memory, would still have different numbers.
  const radix = b.givenCount;
  for (let i = 0; i < count; i++) keys[i] = a.ids[pairs[2 * i]!]! * radix + b.ids[pairs[2 * i + 1]!]!;
  keys.subarray(0, count).sort();
  out.length = 0;
  for (let i = 0; i < count; i++) {
    const j = keys[i]! % radix;
    out.push((keys[i]! - j) / radix, j);
  }
  return out;
}

/** A point of a mesh that is inside of the other one. */
export interface Contained {
  /** In the space of the first mesh. */
  readonly point: Vec3;
  /** A triangle of the mesh inside, with the point as a corner, in the order of the tree. */
  triangle: number;
  /** Is it the second mesh that (a part of) is inside? */
  isSecond: boolean;
}

/** @internal */
export const makeContained = (): Contained => ({ point: vec3(), triangle: 0, isSecond: false });
const contained = makeContained();
const corner = vec3();
const seen = vec3();

/**
 * A point of one mesh inside of the other, if that is closed; given that their surfaces do not meet. A part of a mesh is
 * then inside as a whole or not at all: one corner decides.
 *
 * @internal
 */
export function findContained(a: Mesh, b: Mesh, at: Frame, out: Contained): Contained | null {
  if (isClosed(a)) {
    const parts = partsOf(b);
    for (let i = 0; i < parts.length; i++) {
      firstCorner(b, parts[i]!, corner);
      toFirst(at, corner, out.point);
      if (isWithin(out.point, a.bounds) && isSurroundedByClosed(out.point, a)) {
        out.triangle = parts[i]!;
        out.isSecond = true;
        return out;
      }
    }
  }
  if (isClosed(b)) {
    const parts = partsOf(a);
    for (let i = 0; i < parts.length; i++) {
      firstCorner(a, parts[i]!, out.point);
      toSecond(at, out.point, seen);
      if (isWithin(seen, b.bounds) && isSurroundedByClosed(seen, b)) {
        out.triangle = parts[i]!;
        out.isSecond = false;
        return out;
      }
    }
  }
  return null;
}

function firstCorner({ vertices, corners, live }: Mesh, triangle: number, out: Vec3): void {
  if (live !== null) live.openSlot(triangle);
  const at = 3 * corners[3 * triangle]!;
  out.x = vertices[at]!;
  out.y = vertices[at + 1]!;
  out.z = vertices[at + 2]!;
}

const isWithin = (p: Vec3, { min, max }: ReadonlyAabb): boolean =>
  p.x >= min.x && p.y >= min.y && p.z >= min.z && p.x <= max.x && p.y <= max.y && p.z <= max.z;

/** Pairs found, in the order of the trees: the number of the triangle of the first mesh, that of the second. */
export interface FoundPairs {
  count: number;
  pairs: Uint32Array;
}

/** The search for triangles that meet. */
class PairSearch extends BoxTreePair {
  /** The pair on top of the stack has been looked at, and is to be opened. */
  private passes = false;

  /** @param from the box of the first tree below which is searched */
  run(a: Mesh, b: Mesh, at: Frame, found: FoundPairs | null, from = 0): boolean {
    this.begin(a, b, at);
    this.stack[0] = from;
    this.passes = false;
    const before = found === null ? 0 : found.count;
    while (this.next()) {
      const linkA = this.linksA[this.nodeA]!;
      const linkB = this.linksB[this.nodeB]!;
      if (linkA >= 0 || linkB >= 0) this.separate();
      else if (this.meet(~linkA, ~linkB)) {
        if (found === null) return true;
        addPair(found, ~linkA, ~linkB);
      }
    }
    return found !== null && found.count > before;
  }

  /**
   * Goes on to the next pair of boxes that meet, and are both leaves or are to be looked at: its nodes are left in `nodeA` and
   * `nodeB`. False if there is none. Everything in this loop runs all the time; what is rare is for the caller.
   */
  private next(): boolean {
    const { p, q, linksA, linksB, stack } = this;
    const { m00, m01, m02, m10, m11, m12, m20, m21, m22 } = this.frame;
    const { k, tx, ty, tz, rounding } = this.alignment;
    const stops = +(this.misses > PATIENCE);
    let passes = +this.passes;
    let { top } = this;
    // The current box of b, moved.
    let current = -1;
    let bx = 0;
    let by = 0;
    let bz = 0;
    let fx = 0;
    let fy = 0;
    let fz = 0;
    let gx = 0;
    let gy = 0;
    let gz = 0;
    let hx = 0;
    let hy = 0;
    let hz = 0;
    let b0 = 0;
    let b1 = 0;
    let b2 = 0;
    let radius = 0;
    while (top > 0) {
      const nodeB = stack[--top]!;
      const nodeA = stack[--top]!;
      if (nodeB !== current) {
        current = nodeB;
        const o = nodeB * BOX;
        let x = k * q[o]!;
        let y = k * q[o + 1]!;
        let z = k * q[o + 2]!;
        bx = m00 * x + m01 * y + m02 * z + tx;
        by = m10 * x + m11 * y + m12 * z + ty;
        bz = m20 * x + m21 * y + m22 * z + tz;
        x = q[o + 3]!;
        y = q[o + 4]!;
        z = q[o + 5]!;
        fx = m00 * x + m01 * y + m02 * z;
        fy = m10 * x + m11 * y + m12 * z;
        fz = m20 * x + m21 * y + m22 * z;
        x = q[o + 6]!;
        y = q[o + 7]!;
        z = q[o + 8]!;
        gx = m00 * x + m01 * y + m02 * z;
        gy = m10 * x + m11 * y + m12 * z;
        gz = m20 * x + m21 * y + m22 * z;
        x = q[o + 9]!;
        y = q[o + 10]!;
        z = q[o + 11]!;
        hx = m00 * x + m01 * y + m02 * z;
        hy = m10 * x + m11 * y + m12 * z;
        hz = m20 * x + m21 * y + m22 * z;
        b0 = k * q[o + 12]!;
        b1 = k * q[o + 13]!;
        b2 = k * q[o + 14]!;
        radius = k * q[o + 15]!;
      }
      const o = nodeA * BOX;
      const dx = bx - p[o]!;
      const dy = by - p[o + 1]!;
      const dz = bz - p[o + 2]!;
      const radii = radius + p[o + 15]!;
      const slack = SLACK * radii + rounding;
      const reach = radii + slack;
      if (dx * dx + dy * dy + dz * dz > reach * reach) continue;
      // Axes in the order in which they part most: the last one of a box is the thinnest, across the surface.
      const a0 = p[o + 12]!;
      const a1 = p[o + 13]!;
      const a2 = p[o + 14]!;
      const ux = p[o + 3]!;
      const uy = p[o + 4]!;
      const uz = p[o + 5]!;
      const vx = p[o + 6]!;
      const vy = p[o + 7]!;
      const vz = p[o + 8]!;
      const wx = p[o + 9]!;
      const wy = p[o + 10]!;
      const wz = p[o + 11]!;
      const t2 = dx * wx + dy * wy + dz * wz;
      const r20 = fx * wx + fy * wy + fz * wz;
      const r21 = gx * wx + gy * wy + gz * wz;
      const r22 = hx * wx + hy * wy + hz * wz;
      const s20 = Math.abs(r20);
      const s21 = Math.abs(r21);
      const s22 = Math.abs(r22);
      if (Math.abs(t2) > a2 + (b0 * s20 + b1 * s21 + b2 * s22) + slack) continue;
      const r02 = hx * ux + hy * uy + hz * uz;
      const r12 = hx * vx + hy * vy + hz * vz;
      const s02 = Math.abs(r02);
      const s12 = Math.abs(r12);
      if (Math.abs(dx * hx + dy * hy + dz * hz) > b2 + (a0 * s02 + a1 * s12 + a2 * s22) + slack) continue;
      const t1 = dx * vx + dy * vy + dz * vz;
      const r10 = fx * vx + fy * vy + fz * vz;
      const r11 = gx * vx + gy * vy + gz * vz;
      const s10 = Math.abs(r10);
      const s11 = Math.abs(r11);
      if (Math.abs(t1) > a1 + (b0 * s10 + b1 * s11 + b2 * s12) + slack) continue;
      const t0 = dx * ux + dy * uy + dz * uz;
      const r00 = fx * ux + fy * uy + fz * uz;
      const r01 = gx * ux + gy * uy + gz * uz;
      const s00 = Math.abs(r00);
      const s01 = Math.abs(r01);
      if (Math.abs(t0) > a0 + (b0 * s00 + b1 * s01 + b2 * s02) + slack) continue;
      if (Math.abs(dx * gx + dy * gy + dz * gz) > b1 + (a0 * s01 + a1 * s11 + a2 * s21) + slack) continue;
      if (Math.abs(dx * fx + dy * fy + dz * fz) > b0 + (a0 * s00 + a1 * s10 + a2 * s20) + slack) continue;
      // Cross products of the longer two axes of each. Those with the thinnest part next to nothing that is left.
      if (Math.abs(t2 * r10 - t1 * r20) > a1 * s20 + a2 * s10 + (b1 * s02 + b2 * s01) + slack) continue;
      if (Math.abs(t2 * r11 - t1 * r21) > a1 * s21 + a2 * s11 + (b0 * s02 + b2 * s00) + slack) continue;
      if (Math.abs(t0 * r20 - t2 * r00) > a0 * s20 + a2 * s00 + (b1 * s12 + b2 * s11) + slack) continue;
      if (Math.abs(t0 * r21 - t2 * r01) > a0 * s21 + a2 * s01 + (b0 * s12 + b2 * s10) + slack) continue;

      const linkA = linksA[nodeA]!;
      const linkB = linksB[nodeB]!;
      if (+((linkA & linkB) < 0) | (stops & (1 - passes))) {
        this.nodeA = nodeA;
        this.nodeB = nodeB;
        this.top = top;
        return true;
      }
      passes = 0;
      if (linkB < 0 || (linkA >= 0 && p[o + 15]! > radius)) {
        // The child nearer to the other box is taken first: it is the likelier one to meet it.
        const c = linkA * BOX;
        const cx = p[c]! - bx;
        const cy = p[c + 1]! - by;
        const cz = p[c + 2]! - bz;
        const ex = p[c + BOX]! - bx;
        const ey = p[c + BOX + 1]! - by;
        const ez = p[c + BOX + 2]! - bz;
        const nearer = cx * cx + cy * cy + cz * cz < ex * ex + ey * ey + ez * ez ? 0 : 1;
        stack[top] = linkA + 1 - nearer;
        stack[top + 1] = nodeB;
        stack[top + 2] = linkA + nearer;
        stack[top + 3] = nodeB;
        top += 4;
      } else {
        // The first box, as the second mesh's tree sees it.
        const n = nodeB * BOX;
        const c = linkB * BOX;
        const lx = k * q[n]! - (m00 * dx + m10 * dy + m20 * dz);
        const ly = k * q[n + 1]! - (m01 * dx + m11 * dy + m21 * dz);
        const lz = k * q[n + 2]! - (m02 * dx + m12 * dy + m22 * dz);
        const cx = k * q[c]! - lx;
        const cy = k * q[c + 1]! - ly;
        const cz = k * q[c + 2]! - lz;
        const ex = k * q[c + BOX]! - lx;
        const ey = k * q[c + BOX + 1]! - ly;
        const ez = k * q[c + BOX + 2]! - lz;
        const nearer = cx * cx + cy * cy + cz * cz < ex * ex + ey * ey + ez * ez ? 0 : 1;
        stack[top] = nodeA;
        stack[top + 1] = linkB + 1 - nearer;
        stack[top + 2] = nodeA;
        stack[top + 3] = linkB + nearer;
        top += 4;
      }
    }
    return false; // nothing is written: that would be a rare part
  }

  /** Leaves out what is below two nodes if there is a plane between them. */
  private separate(): void {
    this.passes = !this.planes().separate(this.nodeA, this.nodeB);
    if (!this.passes) return;
    this.misses--; // not more often than triangles are compared
    this.pushBack();
  }

  /** Do two triangles share a point? */
  private meet(i: number, j: number): boolean {
    this.passes = false;
    this.loadTriangles(i, j);
    const { first, second } = this;
    const yes = trianglesOverlap(first.a, first.b, first.c, second.a, second.b, second.c);
    this.misses += yes ? 0 : 1;
    return yes;
  }
}

const search = new PairSearch();

/**
 * Do any triangles of `a` and of `b`, moved by `at`, share a point? With `found`, all such pairs are put there
 * instead of stopping at the first.
 */
export const searchPairs = (a: Mesh, b: Mesh, at: Frame, found: FoundPairs | null): boolean =>
  search.run(a, b, at, found);

/** @internal */
export function addPair(found: FoundPairs, i: number, j: number): void {
  const at = 2 * found.count++;
  if (at === found.pairs.length) {
    const larger = new Uint32Array(2 * at);
    larger.set(found.pairs);
    found.pairs = larger;
  }
  found.pairs[at] = i;
  found.pairs[at + 1] = j;
}
