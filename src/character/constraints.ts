/**
 * The planes that a move has run into, and the way that they leave open: the place nearest to the goal that is behind none
 * of them. That is a quadratic program with a handful of constraints in three variables. It is solved by trying every
 * plane and every pair of planes that could hold the character; three hold it where it is.
 *
 * - In the air, near means near in space. What pushes horizontally towards walls (all that is neither ground nor a ceiling)
 *   is taken away first: nobody is lifted by pushing, or held.
 * - On ground that can be walked on, near means near on the map. The ground gives the height, so the horizontal speed is
 *   kept up and down, and walls are seen along the ground.
 *
 * Where it stands is never behind a plane, whatever rounding says: so there is always an answer, and never one that is
 * farther from the goal. The answer enters no plane by more than 1e-13 of its length. Sweeps pass over what is entered by
 * less than a thousand times as much (`GRAZE`), so no plane that was solved for is hit again.
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

/** The most planes. More are not touched at one place, but by chance: the oldest goes. */
const MOST = 8;
/** Of the length of a motion: what enters a plane by less is along it. */
const ALONG = 1e-13;
/** The sine of the angle between planes that have no line in common. */
const PARALLEL = 1e-13;
/** Normals that differ by less, at the same place, are one plane. */
const SAME = 1e-12;

export class Constraints {
  count = 0;
  /** n and d: the centre keeps to n·x >= d. */
  readonly planes = new Float64Array(4 * MOST);
  /** The collider and the triangle of each. */
  private readonly owners = new Int32Array(2 * MOST);
  /** 1 for ground: what can be walked on, and what is stood on, such as the edge of a ledge. */
  private readonly grounds = new Uint8Array(MOST);
  /** How far the place at hand is in front of each; infinite when it has been left behind. */
  private readonly slack = new Float64Array(MOST);
  /** The y of normals from which on a plane can be walked on. */
  steepest = 0.5;
  /** Is the character walking? Else it is in the air, and walks once it has come down on ground. */
  walking = false;
  /** Farther away than this from a plane, it is no longer touched. */
  left = 0.5;
  /** The plane to be added. */
  readonly next = { x: 0.5, y: 0.5, z: 0.5, d: 0.5, id: -1, triangle: -1, isStoodOn: false };
  /** Does the way that was found last follow ground that is too steep to walk on: an edge that it stands on? */
  isOnEdge = false;
  /** Lines on the map: a·u >= -b, three numbers each. */
  private readonly lines = new Float64Array(3 * MOST);
  private lineCount = 0;
  private readonly line = { x: 0.5, z: 0.5, b: 0.5 };
  /** The best on the map. See `best`. */
  private readonly map = { ex: 0.5, ez: 0.5, x: 0.5, z: 0.5, part: 0.5, gain: 0.5 };
  /**
   * The best so far: the change to what is wanted, the way with that, the part of the way that is open, and by how much
   * that brings it nearer, squared: |w|² - |w - u|², which does not cancel when little of a way is left.
   */
  private readonly best = { ex: 0.5, ey: 0.5, ez: 0.5, x: 0.5, y: 0.5, z: 0.5, part: 0.5, gain: 0.5 };
  /** What is wanted in space, a change to it, and the way with that: not rebuilt from these, which would cancel. */
  private readonly want = triple();
  private readonly change = triple();
  private readonly way = triple();

  clear(): void {
    this.count = 0;
  }

  /** Adds `next`: a record, because loose numbers would be boxed. False if it was there already, but for rounding. */
  add(): boolean {
    const { planes, owners, grounds, next } = this;
    const { x, y, z, d } = next;
    let p = 0;
    while (p < this.count && !this.isSame(p)) p++;
    if (p === MOST) {
      planes.copyWithin(0, 4);
      owners.copyWithin(0, 2);
      grounds.copyWithin(0, 1);
      p--;
      this.count--;
    }
    const isNew = p === this.count;
    if (isNew) this.count++;
    planes[4 * p] = x;
    planes[4 * p + 1] = y;
    planes[4 * p + 2] = z;
    planes[4 * p + 3] = d;
    owners[2 * p] = next.id;
    owners[2 * p + 1] = next.triangle;
    grounds[p] = y >= this.steepest || next.isStoodOn ? 1 : 0;
    return isNew;
  }

  /** Is `next` a plane that is there already? */
  private isSame(p: number): boolean {
    const { planes, next } = this;
    const i = 4 * p;
    return (
      Math.abs(planes[i]! - next.x) <= SAME &&
      Math.abs(planes[i + 1]! - next.y) <= SAME &&
      Math.abs(planes[i + 2]! - next.z) <= SAME &&
      Math.abs(planes[i + 3]! - next.d) <= 1e-3 * this.left
    );
  }

  /**
   * Forgets the planes of the triangle of `next`: it is convex, and is touched elsewhere now. Whoever is in front of the
   * new plane is clear of it.
   */
  forget(): void {
    const { planes, owners, grounds, next } = this;
    let kept = 0;
    for (let p = 0; p < this.count; p++) {
      if (owners[2 * p] === next.id && owners[2 * p + 1] === next.triangle && next.triangle >= 0) continue;
      planes.copyWithin(4 * kept, 4 * p, 4 * p + 4);
      owners.copyWithin(2 * kept, 2 * p, 2 * p + 2);
      grounds[kept] = grounds[p]!;
      kept++;
    }
    this.count = kept;
  }

  /** Is there ground among the planes, and all of it level? */
  isLevel(): boolean {
    const { planes, grounds } = this;
    let some = false;
    for (let p = 0; p < this.count; p++) {
      if (grounds[p] === 0) continue;
      if (planes[4 * p + 1]! < 1 - 1e-9) return false;
      some = true;
    }
    return some;
  }

  /**
   * The way from `at` towards the goal that the planes leave open: straight to `to`. Always from the goal: who clips what
   * was clipped before is thrown back from one wall of a blunt corner along the other, and forth again in the next move.
   * False when the way is cut short by another of the planes: there the question is to be asked again.
   */
  resolve(at: Triple, goal: Triple, to: Triple): boolean {
    const grounds = this.look(at);
    const { best, want } = this;
    this.isOnEdge = false;
    const wx = goal.x - at.x;
    // Who walks has no height in mind.
    const gy = this.walking ? at.y : goal.y;
    const wy = gy - at.y;
    const wz = goal.z - at.z;
    want.x = wx;
    want.y = wy;
    want.z = wz;
    if (grounds > 0 && (this.walking || wy <= 0)) this.solveOnGround();
    else this.solveInAir();
    const { x, y, z, part } = best;
    const isLong =
      Math.abs(x) + Math.abs(y) + Math.abs(z) > 1e-3 * (Math.abs(wx) + Math.abs(wy) + Math.abs(wz));
    if (part === 1 && isLong) {
      // From the goal, so that coordinates which nothing changes arrive to the last bit.
      to.x = goal.x + best.ex;
      to.y = gy + best.ey;
      to.z = goal.z + best.ez;
    } else {
      to.x = at.x + part * x;
      to.y = at.y + part * y;
      to.z = at.z + part * z;
    }
    return part === 1;
  }

  /** Finds what is touched; how many of it is ground. */
  private look(at: Triple): number {
    const { planes, slack, count, left, grounds } = this;
    let found = 0;
    for (let p = 0; p < count; p++) {
      const i = 4 * p;
      const height = planes[i]! * at.x + planes[i + 1]! * at.y + planes[i + 2]! * at.z - planes[i + 3]!;
      slack[p] = Math.max(0, height);
      if (height > left) slack[p] = Infinity;
      else found += grounds[p]!;
    }
    return found;
  }

  /** On the map, along each of the grounds; the best of these. */
  private solveOnGround(): void {
    const { planes, slack, count, grounds, steepest, map, want, best } = this;
    best.gain = -1;
    for (let k = 0; k < count; k++) {
      const ny = planes[4 * k + 1]!;
      if (grounds[k] === 0 || slack[k] === Infinity) continue;
      this.drawLines(k);
      this.solveOnMap();
      if (!(map.gain > best.gain)) continue;
      this.isOnEdge = ny < steepest;
      best.gain = map.gain;
      best.part = map.part;
      best.ex = map.ex;
      best.ez = map.ez;
      best.x = map.x;
      best.z = map.z;
      best.y = -(planes[4 * k]! * best.x + planes[4 * k + 2]! * best.z) / ny;
      best.ey = best.y - want.y;
    }
  }

  /** The other planes as they are seen on the map by who goes along ground k. */
  private drawLines(k: number): void {
    const { planes, slack, count, line } = this;
    const sx = planes[4 * k]! / planes[4 * k + 1]!;
    const sz = planes[4 * k + 2]! / planes[4 * k + 1]!;
    this.lineCount = 0;
    for (let p = 0; p < count; p++) {
      if (p === k || slack[p] === Infinity) continue;
      const i = 4 * p;
      line.x = planes[i]! - planes[i + 1]! * sx;
      line.z = planes[i + 2]! - planes[i + 1]! * sz;
      line.b = slack[p]!;
      this.drawLine();
    }
  }

  /** Adds `line`. What is parallel to the map is no line on it. */
  private drawLine(): void {
    const { lines, line } = this;
    const length = Math.sqrt(line.x * line.x + line.z * line.z);
    if (!(length > PARALLEL)) return;
    const at = 3 * this.lineCount++;
    lines[at] = line.x / length;
    lines[at + 1] = line.z / length;
    lines[at + 2] = line.b / length;
  }

  /** The way on the map that the lines leave. */
  private solveOnMap(): void {
    const { map, lines, lineCount, change, way } = this;
    const { x: wx, z: wz } = this.want;
    map.x = 0;
    map.z = 0;
    map.ex = -wx;
    map.ez = -wz;
    map.part = 1;
    map.gain = 0;
    change.x = change.z = 0;
    way.x = wx;
    way.z = wz;
    this.tryOnMap(-1, -1);
    for (let k = 0; k < lineCount; k++) {
      const ax = lines[3 * k]!;
      const az = lines[3 * k + 1]!;
      const b = lines[3 * k + 2]!;
      const h = ax * wx + az * wz + b;
      if (!(h < 0)) continue;
      const x = wx - h * ax;
      const z = wz - h * az;
      // Once more, for what rounding has left when little is left of the way.
      const rest = ax * x + az * z + b;
      way.x = x - rest * ax;
      way.z = z - rest * az;
      change.x = -(h + rest) * ax;
      change.z = -(h + rest) * az;
      this.tryOnMap(k, -1);
    }
    // What is nearest in front of one line is nearest of all, unless another cuts it short: then it is where two meet.
    if (map.part === 1 && map.gain > 0) return;
    for (let k = 0; k < lineCount; k++)
      for (let j = 0; j < k; j++) if (this.reachCrossing(k, j)) this.tryOnMap(k, j);
  }

  /** The way that ends where lines k and j meet. False if they do not. */
  private reachCrossing(k: number, j: number): boolean {
    const { lines, way, change, want } = this;
    const kx = lines[3 * k]!;
    const kz = lines[3 * k + 1]!;
    const jx = lines[3 * j]!;
    const jz = lines[3 * j + 1]!;
    const det = kx * jz - kz * jx;
    if (!(Math.abs(det) > PARALLEL)) return false;
    way.x = way.z = 0;
    for (let again = 0; again < 2; again++) {
      const p = kx * way.x + kz * way.z + lines[3 * k + 2]!;
      const q = jx * way.x + jz * way.z + lines[3 * j + 2]!;
      way.x += (q * kz - p * jz) / det;
      way.z += (p * jx - q * kx) / det;
    }
    change.x = way.x - want.x;
    change.z = way.z - want.z;
    return true;
  }

  /** Tries the way, which ends on lines k and j. */
  private tryOnMap(k: number, j: number): void {
    const { map, lines, lineCount, change, want } = this;
    const { x, z } = this.way;
    const along = -ALONG * (Math.abs(x) + Math.abs(z));
    let part = 1;
    for (let p = 0; p < lineCount; p++) {
      if (p === k || p === j) continue;
      const speed = lines[3 * p]! * x + lines[3 * p + 1]! * z;
      const b = lines[3 * p + 2]!;
      if (speed < along && speed < -b) part = Math.min(part, b / -speed);
    }
    const gain = part * (2 * (x * want.x + z * want.z) - part * (x * x + z * z));
    if (!(gain > map.gain)) return;
    map.gain = gain;
    map.part = part;
    map.x = x;
    map.z = z;
    map.ex = change.x;
    map.ez = change.z;
  }

  /** In space. */
  private solveInAir(): void {
    const { planes, slack, count, best, want } = this;
    const { x: wx, z: wz } = want;
    this.takePushAway();
    best.x = best.y = best.z = 0;
    best.ex = -want.x;
    best.ey = -want.y;
    best.ez = -want.z;
    best.part = 1;
    best.gain = 0;
    this.begin();
    this.tryInAir(-1, -1);
    for (let p = 0; p < count; p++) {
      const i = 4 * p;
      const h = planes[i]! * want.x + planes[i + 1]! * want.y + planes[i + 2]! * want.z + slack[p]!;
      if (!(h < 0)) continue;
      this.begin();
      this.reach(p);
      this.reach(p);
      this.tryInAir(p, -1);
      for (let k = 0; k < count; k++)
        if (k !== p && slack[k]! < Infinity && this.reachBoth(p, k)) this.tryInAir(p, k);
    }
    // The change is that of what was wanted at first.
    best.ex += want.x - wx;
    best.ez += want.z - wz;
  }

  /**
   * Takes away what pushes towards walls: all that is neither ground nor a ceiling. Also towards those that were left
   * behind: who falls off one does not go back to it in the same move, and fall off it again, and so on.
   */
  private takePushAway(): void {
    const { planes, slack, count, steepest, want, map, line } = this;
    this.lineCount = 0;
    for (let p = 0; p < count; p++) {
      const i = 4 * p;
      const ny = planes[i + 1]!;
      if (!(Math.abs(ny) < steepest)) continue;
      line.x = planes[i]!;
      line.z = planes[i + 2]!;
      line.b = slack[p]! < Infinity ? slack[p]! : 0;
      this.drawLine();
    }
    if (this.lineCount === 0) return;
    this.solveOnMap();
    want.x = map.part * map.x;
    want.z = map.part * map.z;
  }

  /** What is wanted, unchanged. */
  private begin(): void {
    const { want, way, change } = this;
    way.x = want.x;
    way.y = want.y;
    way.z = want.z;
    change.x = change.y = change.z = 0;
  }

  /** Changes the way so that it ends on plane p. */
  private reach(p: number): void {
    const { planes, slack, way, change } = this;
    const i = 4 * p;
    const nx = planes[i]!;
    const ny = planes[i + 1]!;
    const nz = planes[i + 2]!;
    const h = nx * way.x + ny * way.y + nz * way.z + slack[p]!;
    way.x -= h * nx;
    way.y -= h * ny;
    way.z -= h * nz;
    change.x -= h * nx;
    change.y -= h * ny;
    change.z -= h * nz;
  }

  /** The way that ends on the line that planes p and k share. False if there is none. */
  private reachBoth(p: number, k: number): boolean {
    const { planes, slack, way, change } = this;
    const i = 4 * p;
    const j = 4 * k;
    const px = planes[i]!;
    const py = planes[i + 1]!;
    const pz = planes[i + 2]!;
    const kx = planes[j]!;
    const ky = planes[j + 1]!;
    const kz = planes[j + 2]!;
    // In plane p, square to the line: what of the normal of k is across that of p. Taken away twice: of nearly parallel
    // ones rounding leaves a good part the first time.
    let c = px * kx + py * ky + pz * kz;
    let cx = kx - c * px;
    let cy = ky - c * py;
    let cz = kz - c * pz;
    c = px * cx + py * cy + pz * cz;
    cx -= c * px;
    cy -= c * py;
    cz -= c * pz;
    const length = Math.sqrt(cx * cx + cy * cy + cz * cz);
    if (!(length > PARALLEL)) return false;
    cx /= length;
    cy /= length;
    cz /= length;
    const sine = kx * cx + ky * cy + kz * cz;
    if (!(sine > 0)) return false;
    this.begin();
    for (let again = 0; again < 4; again++) {
      this.reach(p);
      const h = (kx * way.x + ky * way.y + kz * way.z + slack[k]!) / sine;
      way.x -= h * cx;
      way.y -= h * cy;
      way.z -= h * cz;
      change.x -= h * cx;
      change.y -= h * cy;
      change.z -= h * cz;
    }
    this.reach(p);
    return true;
  }

  /** Tries the way, which ends on planes p and k. */
  private tryInAir(p: number, k: number): void {
    const { planes, slack, count, best, want, change } = this;
    const { x, y, z } = this.way;
    const along = -ALONG * (Math.abs(x) + Math.abs(y) + Math.abs(z));
    let part = 1;
    for (let q = 0; q < count; q++) {
      if (q === p || q === k) continue;
      const i = 4 * q;
      const speed = planes[i]! * x + planes[i + 1]! * y + planes[i + 2]! * z;
      if (speed < along && speed < -slack[q]!) part = Math.min(part, slack[q]! / -speed);
    }
    const gain = part * (2 * (x * want.x + y * want.y + z * want.z) - part * (x * x + y * y + z * z));
    if (!(gain > best.gain)) return;
    best.gain = gain;
    best.part = part;
    best.x = x;
    best.y = y;
    best.z = z;
    best.ex = change.x;
    best.ey = change.y;
    best.ez = change.z;
  }
}
