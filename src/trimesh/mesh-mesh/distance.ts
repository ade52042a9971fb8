/** How far apart are two meshes? Branch and bound over two trees of oriented boxes. RTCD §6.3, §5.1.11. */
import { type Frame, makeFrame } from '../../convex/frame.ts';
import { describe, mustBeNumber, refuse } from '../../math/check.ts';
import { type ReadonlyPose, type Vec3, vec3 } from '../../math/types.ts';
import { copy } from '../../math/vec3.ts';
import { closestTriangleTriangle } from '../../primitives/closest/triangle-triangle.ts';
import { makePointPair } from '../../primitives/types.ts';
import type { Mesh } from '../mesh.ts';
import { BOX } from './box-tree.ts';
import { BoxTreePair, SLACK } from './box-tree-pair.ts';
import { findContained, makeContained } from './overlap.ts';
import { readRelativeFrame } from './relative-frame.ts';
import { APART, OPEN_FIRST, PATIENCE, type PlaneVerdict } from './separating-planes.ts';

/** Two points of two meshes, `a` on the first and `b` on the second, both in the space of the first. */
export interface MeshPointPair {
  a: Vec3;
  b: Vec3;
  distance: number;
  /** The triangle of the first mesh that `a` lies on; -1 if `a` is inside of it. */
  triangleA: number;
  /** The triangle of the second mesh that `b` lies on; -1 if `b` is inside of it. */
  triangleB: number;
}

export const makeMeshPointPair = (): MeshPointPair => ({
  a: vec3(),
  b: vec3(),
  distance: 0,
  triangleA: -1,
  triangleB: -1,
});

/**
 * The closest points of two meshes, `b` at `pose` in the space of `a`, or null if they are farther apart than
 * `maxDistance` (a small one makes the search much faster). The distance is the smallest of those of all pairs of
 * triangles by `closestPointsTriangleTriangle`, up to rounding where thousands of pairs are as near. It is 0 where they touch, and if part of one is inside of the other,
 * closed one: then both points are a corner of what is inside. Where there is a choice, any closest pair is reported.
 *
 * About O(log n) for meshes that are near each other in a few places. Where they are about as near all over, all triangles
 * are looked at; and where these are slivers, such as those of two cones of n triangles within each other, up to O(n²)
 * pairs of them: 1,000 take a fifth of a second, 10,000 ten.
 */
export function closestPointsMeshMesh(
  a: Mesh,
  b: Mesh,
  pose?: ReadonlyPose | null,
  maxDistance = Infinity,
  out?: MeshPointPair,
): MeshPointPair | null {
  mustBeNumber('closestPointsMeshMesh', 'maxDistance', maxDistance);
  return closestPoints('closestPointsMeshMesh', a, b, pose, maxDistance, out);
}

/** The distance of two meshes, `b` at `pose` in the space of `a`; Infinity beyond `maxDistance`. 0 as above. */
export function distanceMeshMesh(
  a: Mesh,
  b: Mesh,
  pose?: ReadonlyPose | null,
  maxDistance = Infinity,
): number {
  mustBeNumber('distanceMeshMesh', 'maxDistance', maxDistance);
  return closestPoints('distanceMeshMesh', a, b, pose, maxDistance, scratch)?.distance ?? Infinity;
}

const scratch = makeMeshPointPair();
const placement = makeFrame();
const contained = makeContained();

function closestPoints(
  caller: string,
  a: Mesh,
  b: Mesh,
  pose: ReadonlyPose | null | undefined,
  maxDistance: number,
  out: MeshPointPair | undefined,
): MeshPointPair | null {
  readRelativeFrame(caller, a, b, pose, placement);
  if (!(maxDistance >= 0))
    refuse(caller, 'maxDistance', `must not be negative, got ${describe(maxDistance)}`);
  return nearestMeshes(a, b, placement, maxDistance, out);
}

/** `closestPointsMeshMesh` without the checks. @internal */
export function nearestMeshes(
  a: Mesh,
  b: Mesh,
  at: Frame,
  maxDistance: number,
  out: MeshPointPair | undefined,
): MeshPointPair | null {
  if (!nearestSlots(a, b, at, maxDistance, nearby)) return null;
  const to = out ?? makeMeshPointPair();
  copy(nearby.a, to.a);
  copy(nearby.b, to.b);
  to.distance = nearby.distance;
  to.triangleA = nearby.slotA < 0 ? -1 : a.ids[nearby.slotA]!;
  to.triangleB = nearby.slotB < 0 ? -1 : b.ids[nearby.slotB]!;
  return to;
}

/** As `MeshPointPair`, with the triangles by their slots; -1 of a mesh that the other one floats in. @internal */
export class NearestSlots {
  readonly a = vec3(0.5, 0.5, 0.5);
  readonly b = vec3(0.5, 0.5, 0.5);
  distance = 0.5;
  slotA = -1;
  slotB = -1;
}

const nearby = /* @__PURE__ */ new NearestSlots();

/** False, and nothing written, when they are farther apart than `maxDistance`. @internal */
export function nearestSlots(a: Mesh, b: Mesh, at: Frame, maxDistance: number, out: NearestSlots): boolean {
  const { best: nearest } = search;
  nearest.distance = maxDistance;
  search.run(a, b, at);
  if (nearest.distance > 0 || nearest.triangleA < 0) {
    const inside = findContained(a, b, at, contained);
    if (inside) {
      copy(inside.point, out.a);
      copy(inside.point, out.b);
      out.distance = 0;
      out.slotA = inside.isSecond ? -1 : inside.triangle;
      out.slotB = inside.isSecond ? inside.triangle : -1;
      return true;
    }
  }
  if (nearest.triangleA < 0) return false;
  copy(nearest.a, out.a);
  copy(nearest.b, out.b);
  out.distance = nearest.distance;
  out.slotA = nearest.triangleA;
  out.slotB = nearest.triangleB;
  return true;
}

/** The search for the nearest pair of triangles. */
class NearestPairSearch extends BoxTreePair {
  /** The best pair so far; the triangles by their slots, or -1. */
  readonly best = {
    a: vec3(0.5, 0.5, 0.5),
    b: vec3(0.5, 0.5, 0.5),
    distance: 0.5,
    triangleA: -1,
    triangleB: -1,
  };
  private readonly pair = makePointPair();
  /** Of the pair on top of the stack: which node is to be opened, if that has been looked at. */
  private verdict: PlaneVerdict = APART;

  /** Looks for something nearer than `best`, or as near. */
  run(a: Mesh, b: Mesh, at: Frame): void {
    this.begin(a, b, at);
    this.best.triangleA = -1;
    this.verdict = APART;
    while (this.next()) {
      const linkA = this.linksA[this.nodeA]!;
      const linkB = this.linksB[this.nodeB]!;
      if (linkA >= 0 || linkB >= 0) this.separate();
      else if (this.compare(~linkA, ~linkB)) return;
    }
  }

  /**
   * Goes on to the next pair of boxes that may be near enough, and are both leaves or are to be looked at: its nodes are left
   * in `nodeA` and `nodeB`. False if there is none.
   */
  private next(): boolean {
    const { p, q, linksA, linksB, stack, scale } = this;
    const { m00, m01, m02, m10, m11, m12, m20, m21, m22 } = this.frame;
    const { k, tx, ty, tz, rounding } = this.alignment;
    const stops = +(this.misses > PATIENCE);
    const limit = this.best.distance * scale;
    let { top, verdict } = this;
    while (top > 0) {
      const nodeB = stack[--top]!;
      const nodeA = stack[--top]!;
      const o = nodeA * BOX;
      const n = nodeB * BOX;
      let x = k * q[n]!;
      let y = k * q[n + 1]!;
      let z = k * q[n + 2]!;
      const bx = m00 * x + m01 * y + m02 * z + tx;
      const by = m10 * x + m11 * y + m12 * z + ty;
      const bz = m20 * x + m21 * y + m22 * z + tz;
      const dx = bx - p[o]!;
      const dy = by - p[o + 1]!;
      const dz = bz - p[o + 2]!;
      const radius = k * q[n + 15]!;
      const radii = radius + p[o + 15]!;
      const apart = Math.sqrt(dx * dx + dy * dy + dz * dz);
      // Unlike where boxes overlap, centers may be far apart: the error of the axes counts for that, too.
      const slack = SLACK * (radii + apart) + rounding;
      const least = limit + slack;
      if (apart - radii > least) continue;
      x = q[n + 3]!;
      y = q[n + 4]!;
      z = q[n + 5]!;
      const ux = m00 * x + m01 * y + m02 * z;
      const uy = m10 * x + m11 * y + m12 * z;
      const uz = m20 * x + m21 * y + m22 * z;
      x = q[n + 6]!;
      y = q[n + 7]!;
      z = q[n + 8]!;
      const vx = m00 * x + m01 * y + m02 * z;
      const vy = m10 * x + m11 * y + m12 * z;
      const vz = m20 * x + m21 * y + m22 * z;
      x = q[n + 9]!;
      y = q[n + 10]!;
      z = q[n + 11]!;
      const wx = m00 * x + m01 * y + m02 * z;
      const wy = m10 * x + m11 * y + m12 * z;
      const wz = m20 * x + m21 * y + m22 * z;
      const b0 = k * q[n + 12]!;
      const b1 = k * q[n + 13]!;
      const b2 = k * q[n + 14]!;
      const a0 = p[o + 12]!;
      const a1 = p[o + 13]!;
      const a2 = p[o + 14]!;
      x = p[o + 3]!;
      y = p[o + 4]!;
      z = p[o + 5]!;
      const t0 = dx * x + dy * y + dz * z;
      const r00 = ux * x + uy * y + uz * z;
      const r01 = vx * x + vy * y + vz * z;
      const r02 = wx * x + wy * y + wz * z;
      x = p[o + 6]!;
      y = p[o + 7]!;
      z = p[o + 8]!;
      const t1 = dx * x + dy * y + dz * z;
      const r10 = ux * x + uy * y + uz * z;
      const r11 = vx * x + vy * y + vz * z;
      const r12 = wx * x + wy * y + wz * z;
      x = p[o + 9]!;
      y = p[o + 10]!;
      z = p[o + 11]!;
      const t2 = dx * x + dy * y + dz * z;
      const r20 = ux * x + uy * y + uz * z;
      const r21 = vx * x + vy * y + vz * z;
      const r22 = wx * x + wy * y + wz * z;
      // The gaps along the axes of one box are those to the box around the other, upright in this frame.
      let g0 = Math.abs(t0) - a0 - (b0 * Math.abs(r00) + b1 * Math.abs(r01) + b2 * Math.abs(r02)) - slack;
      let g1 = Math.abs(t1) - a1 - (b0 * Math.abs(r10) + b1 * Math.abs(r11) + b2 * Math.abs(r12)) - slack;
      let g2 = Math.abs(t2) - a2 - (b0 * Math.abs(r20) + b1 * Math.abs(r21) + b2 * Math.abs(r22)) - slack;
      g0 = Math.max(g0, 0);
      g1 = Math.max(g1, 0);
      g2 = Math.max(g2, 0);
      if (g0 * g0 + g1 * g1 + g2 * g2 > limit * least) continue;
      const s0 = t0 * r00 + t1 * r10 + t2 * r20;
      const s1 = t0 * r01 + t1 * r11 + t2 * r21;
      const s2 = t0 * r02 + t1 * r12 + t2 * r22;
      g0 = Math.abs(s0) - b0 - (a0 * Math.abs(r00) + a1 * Math.abs(r10) + a2 * Math.abs(r20)) - slack;
      g1 = Math.abs(s1) - b1 - (a0 * Math.abs(r01) + a1 * Math.abs(r11) + a2 * Math.abs(r21)) - slack;
      g2 = Math.abs(s2) - b2 - (a0 * Math.abs(r02) + a1 * Math.abs(r12) + a2 * Math.abs(r22)) - slack;
      g0 = Math.max(g0, 0);
      g1 = Math.max(g1, 0);
      g2 = Math.max(g2, 0);
      if (g0 * g0 + g1 * g1 + g2 * g2 > limit * least) continue;

      const linkA = linksA[nodeA]!;
      const linkB = linksB[nodeB]!;
      if (+((linkA & linkB) < 0) | (stops & +(verdict === APART))) {
        this.nodeA = nodeA;
        this.nodeB = nodeB;
        this.top = top;
        return true;
      }
      const openFirst = +(verdict === OPEN_FIRST) | (+(verdict === APART) & +(p[o + 15]! > radius));
      verdict = APART;
      if (linkB < 0 || (linkA >= 0 && openFirst !== 0)) {
        const c = linkA * BOX;
        const ex = p[c]! - bx;
        const ey = p[c + 1]! - by;
        const ez = p[c + 2]! - bz;
        const fx = p[c + BOX]! - bx;
        const fy = p[c + BOX + 1]! - by;
        const fz = p[c + BOX + 2]! - bz;
        const nearer = ex * ex + ey * ey + ez * ez < fx * fx + fy * fy + fz * fz ? 0 : 1;
        stack[top] = linkA + 1 - nearer;
        stack[top + 1] = nodeB;
        stack[top + 2] = linkA + nearer;
        stack[top + 3] = nodeB;
        top += 4;
      } else {
        // The other box, as the second mesh's tree sees it.
        const c = linkB * BOX;
        const lx = k * q[n]! - (m00 * dx + m10 * dy + m20 * dz);
        const ly = k * q[n + 1]! - (m01 * dx + m11 * dy + m21 * dz);
        const lz = k * q[n + 2]! - (m02 * dx + m12 * dy + m22 * dz);
        const ex = k * q[c]! - lx;
        const ey = k * q[c + 1]! - ly;
        const ez = k * q[c + 2]! - lz;
        const fx = k * q[c + BOX]! - lx;
        const fy = k * q[c + BOX + 1]! - ly;
        const fz = k * q[c + BOX + 2]! - lz;
        const nearer = ex * ex + ey * ey + ez * ez < fx * fx + fy * fy + fz * fz ? 0 : 1;
        stack[top] = nodeA;
        stack[top + 1] = linkB + 1 - nearer;
        stack[top + 2] = nodeA;
        stack[top + 3] = linkB + nearer;
        top += 4;
      }
    }
    return false; // nothing is written: that would be a rare part
  }

  /** Leaves out what is below two nodes if a plane shows that it is not nearer. */
  private separate(): void {
    this.verdict = this.planes().compare(this.nodeA, this.nodeB, this.best);
    if (this.verdict === APART) return;
    this.misses--; // not more often than triangles are compared
    this.pushBack();
  }

  /** Keeps a pair of triangles that is nearer. True if none can be nearer than that. */
  private compare(i: number, j: number): boolean {
    const { first, second, pair, best } = this;
    this.verdict = APART;
    this.misses++;
    this.loadTriangles(i, j);
    closestTriangleTriangle(first, second, pair);
    const distance = Math.sqrt(pair.distanceSq);
    if (distance > best.distance || (distance === best.distance && best.triangleA >= 0)) return false;
    best.distance = distance;
    best.triangleA = i;
    best.triangleB = j;
    copy(pair.a, best.a);
    copy(pair.b, best.b);
    return distance === 0;
  }
}

const search = new NearestPairSearch();
