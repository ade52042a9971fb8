/**
 * Overlap of boxes of two hierarchies, one rotated against the other. Their relative rotation is the same for every
 * pair, so it is worked out once. RTCD §6.4.2; van den Bergen 1997, Zachmann 1995.
 */
import * as m3 from '../math/mat3.ts';
import * as q4 from '../math/quat.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { mat3 } from '../math/types.ts';
import { ROTATION_ERROR } from '../volumes/volume-rounding.ts';

/**
 * Tests boxes min x, y, z, max x, y, z of `b`, posed, against such boxes of `a`. Never a false no. The six axes of
 * the faces cost half as much as all fifteen; what they let through (crossed edges) is for the children to decide.
 *
 * @internal
 */
export class PosedBoxes {
  private readonly a: Float32Array;
  private readonly b: Float32Array;
  private readonly edges: boolean;
  /** Rotation by columns (0 … 8), position (9 … 11), sum of the sizes of the latter (12), relative error (13). */
  private readonly frame = new Float64Array(14);
  private isPosed = false;

  constructor(a: Float32Array, b: Float32Array, edges: boolean) {
    this.a = a;
    this.b = b;
    this.edges = edges;
  }

  setPose(pose: ReadonlyPose | undefined): void {
    this.isPosed = pose !== undefined;
    if (!pose) return;
    const { x, y, z } = pose.position;
    const { frame } = this;
    frame.set(m3.fromQuat(pose.quaternion, matrix).elements);
    frame[9] = x;
    frame[10] = y;
    frame[11] = z;
    frame[12] = Math.abs(x) + Math.abs(y) + Math.abs(z);
    // Two rotations, there and back, then products of what comes out. A quaternion whose square is 1 + e stretches by 2e,
    // and its transpose is that much off its inverse.
    frame[13] = 4 * ROTATION_ERROR + 8 * Math.abs(q4.dot(pose.quaternion, pose.quaternion) - 1);
  }

  /** Do the boxes at these offsets of the arrays overlap? */
  overlap(i: number, j: number): boolean {
    const { a, b } = this;
    if (this.isPosed) return this.overlapPosed(i, j);
    return (
      a[i]! <= b[j + 3]! &&
      b[j]! <= a[i + 3]! &&
      a[i + 1]! <= b[j + 4]! &&
      b[j + 1]! <= a[i + 4]! &&
      a[i + 2]! <= b[j + 5]! &&
      b[j + 2]! <= a[i + 5]!
    );
  }

  private overlapPosed(i: number, j: number): boolean {
    const { a, b, frame: f } = this;
    const cx = 0.5 * (a[i]! + a[i + 3]!);
    const cy = 0.5 * (a[i + 1]! + a[i + 4]!);
    const cz = 0.5 * (a[i + 2]! + a[i + 5]!);
    const ax = 0.5 * (a[i + 3]! - a[i]!);
    const ay = 0.5 * (a[i + 4]! - a[i + 1]!);
    const az = 0.5 * (a[i + 5]! - a[i + 2]!);
    const ex = 0.5 * (b[j]! + b[j + 3]!);
    const ey = 0.5 * (b[j + 1]! + b[j + 4]!);
    const ez = 0.5 * (b[j + 2]! + b[j + 5]!);
    const bx = 0.5 * (b[j + 3]! - b[j]!);
    const by = 0.5 * (b[j + 4]! - b[j + 1]!);
    const bz = 0.5 * (b[j + 5]! - b[j + 2]!);
    const centers = Math.abs(cx) + Math.abs(cy) + Math.abs(cz) + Math.abs(ex) + Math.abs(ey) + Math.abs(ez);
    const slack = f[13]! * (f[12]! + centers + (ax + ay + az) + (bx + by + bz));

    // r with row i, column j: axis i of a along axis j of b; s the same without signs.
    const r00 = f[0]!;
    const r10 = f[1]!;
    const r20 = f[2]!;
    const r01 = f[3]!;
    const r11 = f[4]!;
    const r21 = f[5]!;
    const r02 = f[6]!;
    const r12 = f[7]!;
    const r22 = f[8]!;
    const s00 = Math.abs(r00);
    const s10 = Math.abs(r10);
    const s20 = Math.abs(r20);
    const s01 = Math.abs(r01);
    const s11 = Math.abs(r11);
    const s21 = Math.abs(r21);
    const s02 = Math.abs(r02);
    const s12 = Math.abs(r12);
    const s22 = Math.abs(r22);

    // From the middle of a's box to that of b's, in the space of a: along the axes of a, then along those of b.
    const dx = r00 * ex + r01 * ey + r02 * ez + f[9]! - cx;
    if (Math.abs(dx) > ax + (s00 * bx + s01 * by + s02 * bz) + slack) return false;
    const dy = r10 * ex + r11 * ey + r12 * ez + f[10]! - cy;
    if (Math.abs(dy) > ay + (s10 * bx + s11 * by + s12 * bz) + slack) return false;
    const dz = r20 * ex + r21 * ey + r22 * ez + f[11]! - cz;
    if (Math.abs(dz) > az + (s20 * bx + s21 * by + s22 * bz) + slack) return false;
    if (Math.abs(r00 * dx + r10 * dy + r20 * dz) > bx + (s00 * ax + s10 * ay + s20 * az) + slack)
      return false;
    if (Math.abs(r01 * dx + r11 * dy + r21 * dz) > by + (s01 * ax + s11 * ay + s21 * az) + slack)
      return false;
    if (Math.abs(r02 * dx + r12 * dy + r22 * dz) > bz + (s02 * ax + s12 * ay + s22 * az) + slack)
      return false;
    if (!this.edges) return true;

    // Axis i of a × axis j of b. The slack keeps a cross of parallel edges, which is all rounding, from deciding.
    if (Math.abs(dz * r10 - dy * r20) > ay * s20 + az * s10 + (by * s02 + bz * s01) + slack) return false;
    if (Math.abs(dz * r11 - dy * r21) > ay * s21 + az * s11 + (bx * s02 + bz * s00) + slack) return false;
    if (Math.abs(dz * r12 - dy * r22) > ay * s22 + az * s12 + (bx * s01 + by * s00) + slack) return false;
    if (Math.abs(dx * r20 - dz * r00) > ax * s20 + az * s00 + (by * s12 + bz * s11) + slack) return false;
    if (Math.abs(dx * r21 - dz * r01) > ax * s21 + az * s01 + (bx * s12 + bz * s10) + slack) return false;
    if (Math.abs(dx * r22 - dz * r02) > ax * s22 + az * s02 + (bx * s11 + by * s10) + slack) return false;
    if (Math.abs(dy * r00 - dx * r10) > ax * s10 + ay * s00 + (by * s22 + bz * s21) + slack) return false;
    if (Math.abs(dy * r01 - dx * r11) > ax * s11 + ay * s01 + (bx * s22 + bz * s20) + slack) return false;
    return !(Math.abs(dy * r02 - dx * r12) > ax * s12 + ay * s02 + (bx * s21 + by * s20) + slack);
  }
}

const matrix = mat3();
