/**
 * The planes that a move has touched, and the motion that they leave open: to the place nearest to the goal that is behind
 * none of them. That is a quadratic program with a handful of constraints in three variables. It is solved by trying every
 * plane and every pair of planes that could hold the character. Three planes hold it where it is.
 *
 * - In the air, near means near in space. What pushes horizontally into walls (all that is neither ground nor a ceiling)
 *   is taken away first: pushing lifts nobody up a steep slope, and holds nobody in the air.
 * - On ground that can be walked on, near means near horizontally. The ground gives the height, so the horizontal speed is
 *   kept uphill and downhill, and walls are seen as a walker on that ground runs into them.
 *
 * Where the character stands is never behind a plane, whatever rounding says: so there is always an answer, and never one
 * that is farther from the goal. The answer enters no plane by more than 1e-13 of its length. Sweeps ignore what is entered
 * by less than a thousand times as much (`GRAZE`), so no plane that was solved for is hit again.
 *
 * All in the frame of the character: y is up.
 */
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';

/** The most planes. More are not touched at one place, except by chance: the oldest is dropped. */
const MAX_PLANES = 8;
/** Of the length of a motion: what enters a plane by less is along it. */
const ALONG = 1e-13;
/** The sine of the angle between planes that have no line in common. */
const PARALLEL = 1e-13;
/** Normals that differ by less, at the same place, are one plane. */
const SAME = 1e-12;

/** Numbers a plane: n and d (the centre keeps to n·x >= d), collider, triangle, 1 for ground, and how far it is away. */
const STRIDE = 8;
const D = 3;
const ID = 4;
const TRIANGLE = 5;
const GROUND = 6;
/** How far the character is in front of it; infinite when it has been left behind. */
const SLACK = 7;

/** A motion that was found. */
class Candidate {
  /** The motion, and how it differs from what is wanted. Neither is rebuilt from the other: that would cancel. */
  x = 0.5;
  y = 0.5;
  z = 0.5;
  ex = 0.5;
  ey = 0.5;
  ez = 0.5;
  /** The part of it that no other plane cuts off. */
  part = 0.5;
  /** By how much that part brings it nearer, squared: |w|² - |w - u|², which does not cancel when little is left. */
  gain = 0.5;
}

export class Constraints {
  count = 0;
  readonly planes = new Float64Array(STRIDE * MAX_PLANES);
  /** The y of normals from which on a plane can be walked on. */
  minFloorY = 0.5;
  /** Is the character walking? Otherwise it is in the air, and walks once it has come down on ground. */
  walking = false;
  /** Farther away than this from a plane, it is no longer touched. */
  touchDistance = 0.5;
  /**
   * The plane to be added. `isGround`: even if it is too steep to walk on, it is stood on, such as the edge of a ledge.
   * A record, because loose numbers would be boxed.
   */
  readonly next = { x: 0.5, y: 0.5, z: 0.5, d: 0.5, id: -1, triangle: -1, isGround: false };
  /** Does the motion that was found last follow ground that is too steep to walk on: an edge that it stands on? */
  isOnEdge = false;
  /** What the quadratic program is about: n·u >= -b, four numbers each. */
  private readonly rows = new Float64Array(4 * MAX_PLANES);
  private rowCount = 0;
  private readonly wanted = vec3(0.5, 0.5, 0.5);
  /** The motion that is tried, and how it differs from what is wanted. */
  private readonly motion = vec3(0.5, 0.5, 0.5);
  private readonly change = vec3(0.5, 0.5, 0.5);
  /** The best of the program at hand, and of all programs. */
  private found = new Candidate();
  private best = new Candidate();

  clear(): void {
    this.count = 0;
  }

  /** Adds `next`. False if it was there already, but for rounding. */
  add(): boolean {
    const { planes, next } = this;
    let p = 0;
    while (p < this.count && !this.isSame(p)) p++;
    if (p === MAX_PLANES) {
      planes.copyWithin(0, STRIDE);
      p--;
      this.count--;
    }
    const isNew = p === this.count;
    if (isNew) this.count++;
    const i = STRIDE * p;
    planes[i] = next.x;
    planes[i + 1] = next.y;
    planes[i + 2] = next.z;
    planes[i + D] = next.d;
    planes[i + ID] = next.id;
    planes[i + TRIANGLE] = next.triangle;
    planes[i + GROUND] = next.y >= this.minFloorY || next.isGround ? 1 : 0;
    return isNew;
  }

  /** Is `next` a plane that is there already? */
  private isSame(p: number): boolean {
    const { planes, next } = this;
    const i = STRIDE * p;
    return (
      Math.abs(planes[i]! - next.x) <= SAME &&
      Math.abs(planes[i + 1]! - next.y) <= SAME &&
      Math.abs(planes[i + 2]! - next.z) <= SAME &&
      Math.abs(planes[i + D]! - next.d) <= 1e-3 * this.touchDistance
    );
  }

  /**
   * Drops the planes of the triangle of `next`: it is convex, and is touched elsewhere now. Whoever is in front of the new
   * plane is clear of it.
   */
  dropTriangle(): void {
    const { planes, next } = this;
    let kept = 0;
    for (let i = 0; i < STRIDE * this.count; i += STRIDE) {
      if (planes[i + ID] === next.id && planes[i + TRIANGLE] === next.triangle && next.triangle >= 0)
        continue;
      planes.copyWithin(STRIDE * kept, i, i + STRIDE);
      kept++;
    }
    this.count = kept;
  }

  /** Is there ground among the planes, and all of it level? */
  isLevel(): boolean {
    const { planes } = this;
    let some = false;
    for (let i = 0; i < STRIDE * this.count; i += STRIDE) {
      if (planes[i + GROUND] === 0) continue;
      if (planes[i + 1]! < 1 - 1e-9) return false;
      some = true;
    }
    return some;
  }

  /**
   * The motion from `at` towards the goal that the planes leave open: straight to `to`. Always from the first goal: clipping
   * what was clipped before bounces a character between the walls of a blunt corner, one move after the other.
   * False when the motion is cut short by another of the planes: there the question is to be asked again.
   */
  solve(at: Vec3, goal: Vec3, to: Vec3): boolean {
    const { wanted } = this;
    const grounds = this.findTouched(at);
    this.isOnEdge = false;
    const wx = goal.x - at.x;
    // A walker has no height in mind.
    const gy = this.walking ? at.y : goal.y;
    const wy = gy - at.y;
    const wz = goal.z - at.z;
    wanted.x = wx;
    wanted.y = wy;
    wanted.z = wz;
    if (grounds > 0 && (this.walking || wy <= 0)) this.solveOnGround();
    else this.solveInAir();
    const { x, y, z, ex, ey, ez, part } = this.best;
    const isLong =
      Math.abs(x) + Math.abs(y) + Math.abs(z) > 1e-3 * (Math.abs(wx) + Math.abs(wy) + Math.abs(wz));
    if (part === 1 && isLong) {
      // From the goal, so that coordinates which nothing changes arrive to the last bit.
      to.x = goal.x + ex;
      to.y = gy + ey;
      to.z = goal.z + ez;
    } else {
      to.x = at.x + part * x;
      to.y = at.y + part * y;
      to.z = at.z + part * z;
    }
    return part === 1;
  }

  /** Finds what is touched. Returns how many of them are ground. */
  private findTouched(at: Vec3): number {
    const { planes } = this;
    let grounds = 0;
    for (let i = 0; i < STRIDE * this.count; i += STRIDE) {
      const height = planes[i]! * at.x + planes[i + 1]! * at.y + planes[i + 2]! * at.z - planes[i + D]!;
      planes[i + SLACK] = Math.max(0, height);
      if (height > this.touchDistance) planes[i + SLACK] = Infinity;
      else grounds += planes[i + GROUND]!;
    }
    return grounds;
  }

  /** The best of the horizontal programs along each of the grounds. */
  private solveOnGround(): void {
    const { planes, wanted } = this;
    const { y: wy } = wanted;
    const end = STRIDE * this.count;
    wanted.y = 0;
    this.best.gain = -1;
    for (let k = 0; k < end; k += STRIDE) {
      if (planes[k + GROUND] === 0 || planes[k + SLACK] === Infinity) continue;
      this.rowCount = 0;
      for (let i = 0; i < end; i += STRIDE)
        if (i !== k && planes[i + SLACK]! < Infinity) this.addHorizontalRow(i, k);
      this.project();
      const { found, best } = this;
      if (!(found.gain > best.gain)) continue;
      const ny = planes[k + 1]!;
      this.isOnEdge = ny < this.minFloorY;
      found.y = -(planes[k]! * found.x + planes[k + 2]! * found.z) / ny;
      found.ey = found.y - wy;
      this.found = best;
      this.best = found;
    }
  }

  /** Plane i as a walker on ground k runs into it; with no ground (-1), horizontally. None if it is parallel to that. */
  private addHorizontalRow(i: number, k: number): void {
    const { planes, rows } = this;
    const slopeX = k < 0 ? 0 : planes[k]! / planes[k + 1]!;
    const slopeZ = k < 0 ? 0 : planes[k + 2]! / planes[k + 1]!;
    const x = planes[i]! - planes[i + 1]! * slopeX;
    const z = planes[i + 2]! - planes[i + 1]! * slopeZ;
    const length = Math.sqrt(x * x + z * z);
    if (!(length > PARALLEL)) return;
    const slack = planes[i + SLACK]!;
    const at = 4 * this.rowCount++;
    rows[at] = x / length;
    rows[at + 1] = 0;
    rows[at + 2] = z / length;
    rows[at + 3] = slack < Infinity ? slack / length : 0;
  }

  private solveInAir(): void {
    const { planes, rows, wanted } = this;
    const { x: wx, z: wz } = wanted;
    this.removePushIntoWalls();
    this.rowCount = 0;
    for (let i = 0; i < STRIDE * this.count; i += STRIDE) {
      if (planes[i + SLACK] === Infinity) continue;
      const at = 4 * this.rowCount++;
      rows[at] = planes[i]!;
      rows[at + 1] = planes[i + 1]!;
      rows[at + 2] = planes[i + 2]!;
      rows[at + 3] = planes[i + SLACK]!;
    }
    this.project();
    const { found } = this;
    // The change is that of what was wanted at first.
    found.ex += wanted.x - wx;
    found.ez += wanted.z - wz;
    this.found = this.best;
    this.best = found;
  }

  /**
   * Takes away what pushes into walls: all that is neither ground nor a ceiling. Also into those that were left behind: one
   * that falls off a wall does not go back to it in the same move, and fall off it again, and so on.
   */
  private removePushIntoWalls(): void {
    const { planes, wanted, found } = this;
    this.rowCount = 0;
    for (let i = 0; i < STRIDE * this.count; i += STRIDE)
      if (Math.abs(planes[i + 1]!) < this.minFloorY) this.addHorizontalRow(i, -1);
    if (this.rowCount === 0) return;
    const { y } = wanted;
    wanted.y = 0;
    this.project();
    wanted.x = found.part * found.x;
    wanted.y = y;
    wanted.z = found.part * found.z;
  }

  /** The program: the motion nearest to the wanted one that enters no row. Fills `found`. */
  private project(): void {
    const { rowCount, wanted, found } = this;
    found.x = found.y = found.z = 0;
    found.ex = -wanted.x;
    found.ey = -wanted.y;
    found.ez = -wanted.z;
    found.part = 1;
    found.gain = 0;
    this.reset();
    this.consider(-1, -1);
    for (let p = 0; p < rowCount; p++) {
      if (!this.isViolated(p)) continue;
      this.reset();
      // Once more, for what rounding has left when little is left of the motion.
      this.projectOnPlane(p);
      this.projectOnPlane(p);
      this.consider(p, -1);
    }
    // What is nearest in front of one plane is nearest of all, unless another cuts it short: then two planes hold it.
    if (found.part === 1 && found.gain > 0) return;
    for (let p = 0; p < rowCount; p++) {
      if (!this.isViolated(p)) continue;
      for (let k = 0; k < rowCount; k++) if (k !== p && this.projectOnCrease(p, k)) this.consider(p, k);
    }
  }

  /** Does the wanted motion enter row p? */
  private isViolated(p: number): boolean {
    const { rows, wanted } = this;
    const i = 4 * p;
    return rows[i]! * wanted.x + rows[i + 1]! * wanted.y + rows[i + 2]! * wanted.z + rows[i + 3]! < 0;
  }

  /** The wanted motion, unchanged. */
  private reset(): void {
    const { wanted, motion, change } = this;
    motion.x = wanted.x;
    motion.y = wanted.y;
    motion.z = wanted.z;
    change.x = change.y = change.z = 0;
  }

  /** Changes the motion so that it ends on row p. */
  private projectOnPlane(p: number): void {
    const { rows, motion, change } = this;
    const i = 4 * p;
    const nx = rows[i]!;
    const ny = rows[i + 1]!;
    const nz = rows[i + 2]!;
    const h = nx * motion.x + ny * motion.y + nz * motion.z + rows[i + 3]!;
    motion.x -= h * nx;
    motion.y -= h * ny;
    motion.z -= h * nz;
    change.x -= h * nx;
    change.y -= h * ny;
    change.z -= h * nz;
  }

  /** The motion that ends on the line that rows p and k share. False if there is none. */
  private projectOnCrease(p: number, k: number): boolean {
    const { rows, wanted, motion, change } = this;
    const i = 4 * p;
    const j = 4 * k;
    const px = rows[i]!;
    const py = rows[i + 1]!;
    const pz = rows[i + 2]!;
    const kx = rows[j]!;
    const ky = rows[j + 1]!;
    const kz = rows[j + 2]!;
    // In plane p, square to the line: what of the normal of k is across that of p. From their difference (or sum, if they
    // face each other): of nearly parallel ones that is exact, and little of it is along p.
    const side = px * kx + py * ky + pz * kz < 0 ? -1 : 1;
    const sx = kx - side * px;
    const sy = ky - side * py;
    const sz = kz - side * pz;
    let cx = sx;
    let cy = sy;
    let cz = sz;
    const c = px * cx + py * cy + pz * cz;
    cx -= c * px;
    cy -= c * py;
    cz -= c * pz;
    const length = Math.sqrt(cx * cx + cy * cy + cz * cz);
    if (!(length > PARALLEL)) return false;
    cx /= length;
    cy /= length;
    cz /= length;
    const sine = sx * cx + sy * cy + sz * cz;
    if (!(sine > 0)) return false;
    this.reset();
    if (py === 0 && ky === 0) {
      // The line is vertical. Taken away bit by bit, the horizontal motion would leave rounding behind.
      motion.x = motion.z = 0;
      change.x = -wanted.x;
      change.z = -wanted.z;
    }
    for (let again = 0; again < 4; again++) {
      this.projectOnPlane(p);
      // The motion ends on p, so of k only the difference counts: the rest would be rounding, over a small sine.
      const h = (sx * motion.x + sy * motion.y + sz * motion.z - side * rows[i + 3]! + rows[j + 3]!) / sine;
      motion.x -= h * cx;
      motion.y -= h * cy;
      motion.z -= h * cz;
      change.x -= h * cx;
      change.y -= h * cy;
      change.z -= h * cz;
    }
    this.projectOnPlane(p);
    return true;
  }

  /** Takes the motion, which ends on rows p and k, if it is the best so far. */
  private consider(p: number, k: number): void {
    const { rows, rowCount, found, wanted, change } = this;
    const { x, y, z } = this.motion;
    const along = -ALONG * (Math.abs(x) + Math.abs(y) + Math.abs(z));
    let part = 1;
    for (let q = 0; q < rowCount; q++) {
      if (q === p || q === k) continue;
      const i = 4 * q;
      const speed = rows[i]! * x + rows[i + 1]! * y + rows[i + 2]! * z;
      const slack = rows[i + 3]!;
      if (speed < along && speed < -slack) part = Math.min(part, slack / -speed);
    }
    const gain = part * (2 * (x * wanted.x + y * wanted.y + z * wanted.z) - part * (x * x + y * y + z * z));
    if (!(gain > found.gain)) return;
    found.gain = gain;
    found.part = part;
    found.x = x;
    found.y = y;
    found.z = z;
    found.ex = change.x;
    found.ey = change.y;
    found.ez = change.z;
  }
}
