/** A moving sphere against a mesh. RTCD §5.5.6, §6.3. */
import { checkPoint, checkSphere, mustHave } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import { AXIS_PARALLEL, SWEEP_SLACK } from '../math/tolerance.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { set } from '../math/vec3.ts';
import type { TriangleFeature } from '../primitives/closest/types.ts';
import { copyHit, loadMover, makeMover, PAST_THE_END } from '../primitives/sweep/mover.ts';
import { touchTriangle } from '../primitives/sweep/sphere-triangle.ts';
import { type Hit, makeAabb, makeHit, type ReadonlySphere } from '../primitives/types.ts';
import { isLeaf, leafEnd, leafFirst, linkAt, MAX_DEPTH } from '../trees/packed-tree.ts';
import { type LiveTree, loadTriangle, type Mesh, makeCorners } from './mesh.ts';

/** Where a moving thing first touches a mesh. */
export interface MeshTouch extends Hit {
  triangle: number;
  /** The part of the triangle that is touched. */
  feature: TriangleFeature;
}

export const makeMeshTouch = (): MeshTouch => ({
  t: 0,
  point: vec3(),
  normal: vec3(),
  triangle: -1,
  feature: 'face',
});

/**
 * When and where does a moving sphere first touch the mesh, from either side? Null when it does not. A start in touch
 * hits at t = 0, at the point nearest to the centre. Never late, and as exact as `sweepSphereTriangle` on every
 * triangle. About O(log n).
 */
export function sweepSphereMesh(
  sphere: ReadonlySphere,
  motion: ReadonlyVec3,
  mesh: Mesh,
  out?: MeshTouch,
): MeshTouch | null {
  checkSphere('sweepSphereMesh', 'sphere', sphere);
  checkPoint('sweepSphereMesh', 'motion', motion);
  mustHave('sweepSphereMesh', 'mesh', mesh, 'a mesh', 'tree');
  sweep.mover.radius = sphere.radius;
  loadMover(sphere.center, motion, sweep.mover);
  const slot = searchTouch(sweep, mesh);
  if (slot < 0) return null;
  const touch = out ?? makeMeshTouch();
  copyHit(sweep.hit, touch);
  touch.triangle = mesh.ids[slot]!;
  touch.feature = FEATURES[sweep.feature]!;
  return touch;
}

/** By the set of corners in it: 1 for a, 2 for b, 4 for c. */
const FEATURES: readonly TriangleFeature[] = ['a', 'a', 'b', 'ab', 'c', 'ca', 'bc', 'face'];

/**
 * A search for the first triangle that a moving sphere touches: what is asked, and what was found. A class of records, so
 * that no number is boxed.
 *
 * @internal
 */
export class SphereSweep {
  /** The sphere and its motion. */
  readonly mover = makeMover();
  /** Found: filled unless `searchTouch` returns -1. */
  readonly hit = makeHit();
  /** Found: the corners of the feature that is touched; 1 for a, 2 for b, 4 for c. */
  feature = 0;
  /** No contact later than this part of the motion counts. */
  maxT = 0.5;

  constructor() {
    this.maxT = 1;
  }
}

const sweep = new SphereSweep();

const corners3 = makeCorners();

/** For each level of the tree the child that is still to be looked at, and the time from which on it may be touched. */
const pending = new Int32Array(MAX_DEPTH + 1);
const pendingFrom = new Float64Array(MAX_DEPTH + 1);
const pair = new Float64Array(2);

/** For the rounding of the times at which boxes are entered and left. */
const BOX_ERROR = 4 * EPS64;
/** Boxes and triangles are parted from the moving sphere by this part of all lengths more than need be. */
const PADDING = 256 * EPS64;
/**
 * Of boxes larger than this many radii, no plane separates better than the sides of the box do. Those at the root are asked
 * all the same, so that all of the loop runs from the first call on. V8 throws code away when it comes to a part that had
 * never run; if it is making code for the loop alone at that time (on-stack replacement), it is left with that, and every
 * call begins in the interpreter. With small spheres that happened in two processes of five, at 2.4 times the time.
 */
const LARGE = 4;

/**
 * The slot of the triangle that the mover touches first, or -1; the hit is left in `sweep`.
 *
 * A box is entered by the centre when the box grown by the radius is: times as in `searchRay`, with the radius in the
 * offsets. Grown boxes reach too far at their corners, so that boxes not much larger than the sphere are asked for a
 * plane between them and the moving sphere as well; and so are triangles, for two. A plane between two convex things
 * separates them however it was found (RTCD §5.2.1): directions here are chosen for being cheap, the farthest
 * corner and the nearer end of the motion along them decide, and rounding is paid for in the radius.
 *
 * @internal
 */
export function searchTouch(sweep: SphereSweep, mesh: Mesh): number {
  if (mesh.live !== null) askForPath(sweep, mesh.live);
  const { mover, hit } = sweep;
  const { x: ox, y: oy, z: oz, vx: dx, vy: dy, vz: dz, vv, reach } = mover;
  const { vertices, corners } = mesh;
  const { bounds, links, grid } = mesh.tree;
  const gx = grid[0]!;
  const gy = grid[1]!;
  const gz = grid[2]!;
  const lx = grid[3]!;
  const ly = grid[4]!;
  const lz = grid[5]!;
  // The radius, padded for the slack of `touchTriangle` and for rounding in the tests for planes.
  const sizeE = 65536 * (lx + ly + lz);
  const sizeA = Math.abs(gx - ox) + Math.abs(gy - oy) + Math.abs(gz - oz) + sizeE;
  const r = mover.radius + (SWEEP_SLACK + PADDING) * (sizeA + 2 * sizeE + reach);

  const adx = Math.abs(dx);
  const ady = Math.abs(dy);
  const adz = Math.abs(dz);
  const least = (Math.max(adx, ady, adz) || 1) * AXIS_PARALLEL;
  const ix = 1 / (adx < least ? least : dx);
  const iy = 1 / (ady < least ? least : dy);
  const iz = 1 / (adz < least ? least : dz);
  const sx = lx * ix;
  const sy = ly * iy;
  const sz = lz * iz;
  const mx = (gx - ox) * ix;
  const my = (gy - oy) * iy;
  const mz = (gz - oz) * iz;
  const ex = BOX_ERROR * (Math.abs(mx) + 65536 * Math.abs(sx)) + r * Math.abs(ix);
  const ey = BOX_ERROR * (Math.abs(my) + 65536 * Math.abs(sy)) + r * Math.abs(iy);
  const ez = BOX_ERROR * (Math.abs(mz) + 65536 * Math.abs(sz)) + r * Math.abs(iz);
  const mx0 = mx - ex;
  const my0 = my - ey;
  const mz0 = mz - ez;
  const mx1 = mx + ex;
  const my1 = my + ey;
  const mz1 = mz + ez;
  const nx = ix > 0 ? 0 : 3;
  const ny = iy > 0 ? 1 : 4;
  const nz = iz > 0 ? 2 : 5;
  const fx = 3 - nx;
  const fy = 5 - ny;
  const fz = 7 - nz;
  // The centre of a box from the centre of the sphere is half the sum of its sides times the step, plus this.
  const cx = gx - ox;
  const cy = gy - oy;
  const cz = gz - oz;
  const hx = 0.5 * lx;
  const hy = 0.5 * ly;
  const hz = 0.5 * lz;
  const rr4 = 4 * r * r; // the tests for planes work with twice the distances
  const ivv = vv > 0 ? 1 / vv : 0;

  // Kernels look for times below `hit.t`: the last moment is part of the range.
  hit.t = sweep.maxT < 1 ? sweep.maxT * PAST_THE_END : PAST_THE_END;
  let best = vv > 0 ? sweep.maxT : 0;
  let found = -1;
  let top = 0;
  let link = 0;
  for (;;) {
    if (!isLeaf(link)) {
      const a0 = bounds[link + nx]! * sx + mx0;
      const a1 = bounds[link + ny]! * sy + my0;
      const a2 = bounds[link + nz]! * sz + mz0;
      const a3 = bounds[link + fx]! * sx + mx1;
      const a4 = bounds[link + fy]! * sy + my1;
      const a5 = bounds[link + fz]! * sz + mz1;
      let hitA =
        +(a0 <= a4) &
        +(a0 <= a5) &
        +(a1 <= a3) &
        +(a1 <= a5) &
        +(a2 <= a3) &
        +(a2 <= a4) &
        +(a0 <= best) &
        +(a1 <= best) &
        +(a2 <= best) &
        +(a3 >= 0) &
        +(a4 >= 0) &
        +(a5 >= 0);
      const b0 = bounds[link + 6 + nx]! * sx + mx0;
      const b1 = bounds[link + 6 + ny]! * sy + my0;
      const b2 = bounds[link + 6 + nz]! * sz + mz0;
      const b3 = bounds[link + 6 + fx]! * sx + mx1;
      const b4 = bounds[link + 6 + fy]! * sy + my1;
      const b5 = bounds[link + 6 + fz]! * sz + mz1;
      let hitB =
        +(b0 <= b4) &
        +(b0 <= b5) &
        +(b1 <= b3) &
        +(b1 <= b5) &
        +(b2 <= b3) &
        +(b2 <= b4) &
        +(b0 <= best) &
        +(b1 <= best) &
        +(b2 <= best) &
        +(b3 >= 0) &
        +(b4 >= 0) &
        +(b5 >= 0);
      if (hitA | hitB) {
        const a6 = a0 + a1 + Math.abs(a0 - a1);
        pair[0] = 0.25 * (a6 + 2 * a2 + Math.abs(a6 - 2 * a2));
        const b6 = b0 + b1 + Math.abs(b0 - b1);
        pair[1] = 0.25 * (b6 + 2 * b2 + Math.abs(b6 - 2 * b2));
        const span =
          (bounds[link + 3]! - bounds[link]!) * lx +
          (bounds[link + 4]! - bounds[link + 1]!) * ly +
          (bounds[link + 5]! - bounds[link + 2]!) * lz;
        if (+(span < LARGE * r) | +(link === 0)) {
          // A plane across the line from the middle of the box to the centre, when that comes nearest to it.
          let u = bounds[link]!;
          let v = bounds[link + 3]!;
          let px = (u + v) * hx + cx;
          let wx = (v - u) * hx;
          u = bounds[link + 1]!;
          v = bounds[link + 4]!;
          let py = (u + v) * hy + cy;
          let wy = (v - u) * hy;
          u = bounds[link + 2]!;
          v = bounds[link + 5]!;
          let pz = (u + v) * hz + cz;
          let wz = (v - u) * hz;
          let when = (px * dx + py * dy + pz * dz) * ivv;
          when = Math.max(when, 0);
          when = Math.min(when, best);
          let ax = when * dx - px;
          let ay = when * dy - py;
          let az = when * dz - pz;
          let along = (ax * dx + ay * dy + az * dz) * best;
          let padding =
            along -
            Math.abs(along) -
            2 * (px * ax + py * ay + pz * az + wx * Math.abs(ax) + wy * Math.abs(ay) + wz * Math.abs(az));
          hitA &= +(padding <= 0) | +(padding * padding <= rr4 * (ax * ax + ay * ay + az * az));
          u = bounds[link + 6]!;
          v = bounds[link + 9]!;
          px = (u + v) * hx + cx;
          wx = (v - u) * hx;
          u = bounds[link + 7]!;
          v = bounds[link + 10]!;
          py = (u + v) * hy + cy;
          wy = (v - u) * hy;
          u = bounds[link + 8]!;
          v = bounds[link + 11]!;
          pz = (u + v) * hz + cz;
          wz = (v - u) * hz;
          when = (px * dx + py * dy + pz * dz) * ivv;
          when = Math.max(when, 0);
          when = Math.min(when, best);
          ax = when * dx - px;
          ay = when * dy - py;
          az = when * dz - pz;
          along = (ax * dx + ay * dy + az * dz) * best;
          padding =
            along -
            Math.abs(along) -
            2 * (px * ax + py * ay + pz * az + wx * Math.abs(ax) + wy * Math.abs(ay) + wz * Math.abs(az));
          hitB &= +(padding <= 0) | +(padding * padding <= rr4 * (ax * ax + ay * ay + az * az));
        }
        const first = links[linkAt(link, 0)]!;
        const second = links[linkAt(link, 1)]!;
        const sooner = -(pair[0]! <= pair[1]!);
        const swap = (first ^ second) & -hitA & (sooner | (hitB - 1));
        pendingFrom[top] = pair[-sooner]!;
        pending[top] = first ^ swap;
        top += hitA & hitB;
        if (hitA | hitB) {
          link = second ^ swap;
          continue;
        }
      }
    } else {
      const stop = 3 * leafEnd(link);
      for (let k = 3 * leafFirst(link); k < stop; k += 3) {
        const ka = 3 * corners[k]!;
        const kb = 3 * corners[k + 1]!;
        const kc = 3 * corners[k + 2]!;
        const ax = vertices[ka]! - ox;
        const ay = vertices[ka + 1]! - oy;
        const az = vertices[ka + 2]! - oz;
        const bx = vertices[kb]! - ox;
        const by = vertices[kb + 1]! - oy;
        const bz = vertices[kb + 2]! - oz;
        const qx = vertices[kc]! - ox;
        const qy = vertices[kc + 1]! - oy;
        const qz = vertices[kc + 2]! - oz;
        // A plane across the line from the centroid to the centre, when that comes nearest to it.
        let px = (ax + bx + qx) * THIRD;
        let py = (ay + by + qy) * THIRD;
        let pz = (az + bz + qz) * THIRD;
        let when = (px * dx + py * dy + pz * dz) * ivv;
        when = Math.max(when, 0);
        when = Math.min(when, best);
        const x = when * dx;
        const y = when * dy;
        const z = when * dz;
        px = x - px;
        py = y - py;
        pz = z - pz;
        let pv = (px * dx + py * dy + pz * dz) * best;
        let pa = px * ax + py * ay + pz * az;
        let pb = px * bx + py * by + pz * bz;
        let pc = px * qx + py * qy + pz * qz;
        let pab = pa + pb + Math.abs(pa - pb);
        let padding = pv - Math.abs(pv) - 0.5 * (pab + 2 * pc + Math.abs(pab - 2 * pc));
        if (+(padding > 0) & +(padding * padding > rr4 * (px * px + py * py + pz * pz))) continue;
        // A plane across the line from the point nearest to the centre at that time.
        const ux = bx - ax;
        const uy = by - ay;
        const uz = bz - az;
        const wx = qx - ax;
        const wy = qy - ay;
        const wz = qz - az;
        px = x - ax;
        py = y - ay;
        pz = z - az;
        const uu = ux * ux + uy * uy + uz * uz;
        const uw = ux * wx + uy * wy + uz * wz;
        const ww = wx * wx + wy * wy + wz * wz;
        const pu = px * ux + py * uy + pz * uz;
        const pw = px * wx + py * wy + pz * wz;
        // Weights of b and c. Obtuse corners are not looked at closely.
        let s = pu * ww - pw * uw;
        let t = pw * uu - pu * uw;
        const whole = uu * ww - uw * uw;
        if (s > 0 && t > 0 && s + t < whole) {
          s /= whole;
          t /= whole;
        } else if (t <= 0 && pu > 0 && pu < uu) {
          s = pu / uu;
          t = 0;
        } else if (s <= 0 && pw > 0 && pw < ww) {
          s = 0;
          t = pw / ww;
        } else if (pu <= 0 && pw <= 0) {
          s = 0;
          t = 0;
        } else {
          t = (uu - uw + pw - pu) / (uu - uw + ww - uw);
          t = Math.max(t, 0);
          t = Math.min(t, 1);
          s = 1 - t;
        }
        px -= s * ux + t * wx;
        py -= s * uy + t * wy;
        pz -= s * uz + t * wz;
        // The motion must not cross the plane: rotated to be parallel to it.
        if (+(when > 0) & +(when < best)) {
          const along = (px * dx + py * dy + pz * dz) * ivv;
          px -= along * dx;
          py -= along * dy;
          pz -= along * dz;
        }
        pv = (px * dx + py * dy + pz * dz) * best;
        pa = px * ax + py * ay + pz * az;
        pb = px * bx + py * by + pz * bz;
        pc = px * qx + py * qy + pz * qz;
        pab = pa + pb + Math.abs(pa - pb);
        padding = pv - Math.abs(pv) - 0.5 * (pab + 2 * pc + Math.abs(pab - 2 * pc));
        if (+(padding > 0) & +(padding * padding > rr4 * (px * px + py * py + pz * pz))) continue;
        const at = (k / 3) | 0;
        loadTriangle(mesh, at, corners3);
        const touchedFeature = touchTriangle(mover, corners3.a, corners3.b, corners3.c, hit);
        if (touchedFeature !== 0) {
          sweep.feature = touchedFeature;
          found = at;
          best = hit.t;
        }
      }
    }
    do {
      if (top === 0) return found;
      top--;
    } while (!(pendingFrom[top]! <= best));
    link = pending[top]!;
  }
}

const THIRD = 1 / 3;

const start = makeAabb();
const motion = vec3();

function askForPath({ mover: { x, y, z, vx, vy, vz, radius }, maxT }: SphereSweep, live: LiveTree): void {
  set(x - radius, y - radius, z - radius, start.min);
  set(x + radius, y + radius, z + radius, start.max);
  live.swept(start, set(vx, vy, vz, motion), maxT);
}
