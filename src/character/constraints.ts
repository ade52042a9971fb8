/**
 * Sliding with memory: the planes that were touched in this move take degrees of freedom away. One plane leaves a plane
 * to slide in, two leave a line, three leave nothing. After Linahan, with what the paper leaves open: planes that are
 * parallel, planes that were left behind, ground that can be walked on, and slopes that are too steep to be slid up.
 *
 * All in the frame of the character: y is up.
 */

/** A place or a vector. */
export interface Triple {
  x: number;
  y: number;
  z: number;
}

export const triple = (): Triple => ({ x: 0.5, y: 0.5, z: 0.5 });

const MOST = 4;
/** Of the length of a motion: what enters a plane by less is parallel to it. Every motion is swept: this is safe. */
const PARALLEL = 1e-6;

export class Constraints {
  count = 0;
  /** n and d: the centre keeps to n·x >= d. */
  readonly planes = new Float64Array(4 * MOST);
  /** The y of normals from which on a plane can be walked on. */
  steepest = 0.5;
  /** Is the character walking? Then its horizontal speed is kept on all ground that can be walked on. */
  walking = false;
  /** Farther away than this from a plane, it is no longer touched. */
  left = 0.5;
  /** The plane to be added. */
  readonly next = { x: 0.5, y: 0.5, z: 0.5, d: 0.5 };
  private readonly trial = triple();
  /** The square of how far the last crease leads, and the farthest that is free: the nearest to the goal. */
  private far = 0.5;
  private farthest = 0.5;

  clear(): void {
    this.count = 0;
  }

  /** Adds `next`: a record, because loose numbers would be boxed. */
  add(): void {
    if (this.count === MOST) {
      this.planes.copyWithin(0, 4);
      this.count--;
    }
    const at = 4 * this.count++;
    const { x, y, z, d } = this.next;
    this.planes[at] = x;
    this.planes[at + 1] = y;
    this.planes[at + 2] = z;
    this.planes[at + 3] = d;
  }

  /**
   * The destination nearest to the goal, to which the way from `at` respects the planes. Always from the goal: who clips
   * what was clipped before is thrown back from one wall of a blunt corner along the other, and forth again in the next
   * move.
   */
  resolve(at: Triple, goal: Triple, to: Triple): void {
    const { trial, count } = this;
    for (let p = count - 1; p >= 0; p--) {
      if (!this.isTouched(p, at)) continue;
      this.clip(p, at, goal, trial);
      const lowered = this.walking && this.lower(at);
      if (!this.isFree(at, lowered ? -1 : p, -1)) continue;
      to.x = trial.x;
      to.y = trial.y;
      to.z = trial.z;
      return;
    }
    to.x = at.x;
    to.y = at.y;
    to.z = at.z;
    this.farthest = 0;
    for (let p = count - 2; p >= 0; p--) {
      if (!this.isTouched(p, at)) continue;
      for (let k = count - 1; k > p; k--) {
        if (!this.isTouched(k, at) || !this.crease(p, k, at, goal) || !this.isFree(at, p, k)) continue;
        to.x = trial.x;
        to.y = trial.y;
        to.z = trial.z;
        this.farthest = this.far;
      }
    }
  }

  /** Walking, down to the ground: who is stopped by a wall does not rise as far as he would have gone uphill. */
  private lower(at: Triple): boolean {
    const { trial, planes, count, steepest } = this;
    let ground = -Infinity;
    for (let p = 0; p < count; p++) {
      const i = 4 * p;
      const ny = planes[i + 1]!;
      if (!(ny >= steepest) || !this.isTouched(p, at)) continue;
      ground = Math.max(ground, (planes[i + 3]! - planes[i]! * trial.x - planes[i + 2]! * trial.z) / ny);
    }
    // What rounding leaves is no way down.
    const isAbove = trial.y - ground > PARALLEL * this.left && ground > -Infinity;
    if (isAbove) trial.y = ground;
    return isAbove;
  }

  /** Does the way to `trial` enter no plane but those two? */
  private isFree(at: Triple, p: number, k: number): boolean {
    for (let q = 0; q < this.count; q++)
      if (q !== p && q !== k && this.enters(q, at, this.trial)) return false;
    return true;
  }

  private isTouched(p: number, at: Triple): boolean {
    const { planes } = this;
    const i = 4 * p;
    const height = planes[i]! * at.x + planes[i + 1]! * at.y + planes[i + 2]! * at.z - planes[i + 3]!;
    return height <= this.left;
  }

  private enters(p: number, at: Triple, to: Triple): boolean {
    const { planes } = this;
    const i = 4 * p;
    const x = to.x - at.x;
    const y = to.y - at.y;
    const z = to.z - at.z;
    const speed = planes[i]! * x + planes[i + 1]! * y + planes[i + 2]! * z;
    return speed < -PARALLEL * (Math.abs(x) + Math.abs(y) + Math.abs(z)) && this.isTouched(p, at);
  }

  /** The destination with respect to one plane. */
  private clip(p: number, at: Triple, to: Triple, out: Triple): void {
    const { planes } = this;
    const i = 4 * p;
    const nx = planes[i]!;
    const ny = planes[i + 1]!;
    const nz = planes[i + 2]!;
    const d = planes[i + 3]!;
    let { x, y, z } = to;
    if (ny >= this.steepest && (this.walking || y - at.y <= 0)) {
      // Ground: as far as wanted, at its height there. Who falls on it does not slide down.
      out.x = x;
      out.y = (d - nx * x - nz * z) / ny;
      out.z = z;
      return;
    }
    const across = nx * nx + nz * nz;
    if (ny >= 0 && ny < this.steepest && across > 0) {
      // Too steep: no part of the motion towards it is turned into a motion up.
      const speed = nx * (x - at.x) + nz * (z - at.z);
      if (speed < 0) {
        x -= (nx * speed) / across;
        z -= (nz * speed) / across;
      }
    }
    const missing = d - (nx * x + ny * y + nz * z);
    if (missing > 0) {
      x += nx * missing;
      y += ny * missing;
      z += nz * missing;
    }
    out.x = x;
    out.y = y;
    out.z = z;
  }

  /** The destination along the line that two planes share, in `trial`. False when there is none that leads farther. */
  private crease(p: number, k: number, at: Triple, to: Triple): boolean {
    const { planes, trial } = this;
    const i = 4 * p;
    const j = 4 * k;
    const px = planes[i]!;
    const py = planes[i + 1]!;
    const pz = planes[i + 2]!;
    const nx = planes[j]!;
    const ny = planes[j + 1]!;
    const nz = planes[j + 2]!;
    const cx = py * nz - pz * ny;
    const cy = pz * nx - px * nz;
    const cz = px * ny - py * nx;
    const cc = cx * cx + cy * cy + cz * cz;
    // Parallel: facing each other, they hold what is between them. (The same plane twice does not come here.)
    if (cc < 1e-12) return false;
    const s = ((to.x - at.x) * cx + (to.y - at.y) * cy + (to.z - at.z) * cz) / cc;
    this.far = s * s * cc;
    if (!(this.far > this.farthest)) return false;
    // Up a line between two steep slopes is up a slope that is too steep, for who does not fly up.
    const flies = !this.walking && to.y - at.y > 0;
    if (!flies && s * cy > 1e-9 * Math.abs(s) && py < this.steepest && ny < this.steepest) return false;
    trial.x = at.x + s * cx;
    trial.y = at.y + s * cy;
    trial.z = at.z + s * cz;
    return true;
  }
}
