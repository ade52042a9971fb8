/**
 * The distances of points that are close together from a list of triangles that are near to all of them.
 *
 * The distance of a triangle is a convex function: it is above its tangents. The tangent at one point so says of most triangles that they
 * are not the nearest ones to another point not far away, for the price of a plane.
 */
import { type Vec3, vec3 } from '../../../math/types.ts';
import { closestOnTriangle } from '../../../primitives/closest/triangle.ts';
import { makeTrianglePoint } from '../../../primitives/closest/types.ts';
import type { Corners } from '../../../trimesh/mesh.ts';

/** Numbers that are kept of each triangle: a corner, two edges, the normal, products of these. */
const KEPT = 16;
/** As in `closestOnTriangle`: triangles that are thinner, or so small, are left to it. */
const THIN = 1 / 64;
const TINY = 1e-280;
/** Relative to the sizes: from so far away, rounding turns the direction of a point by less than 1e-8. */
const BLUR = 1e-7;

/** A linear function for each triangle, which its distance is not below: a constant, and the slopes. */
export type Tangents = Float64Array;

export class NearTriangles {
  count = 0;
  /** Of the points that are asked about: x, y, z each; and how far the nearest triangle is that was looked at. */
  readonly points: Float64Array;
  readonly distances: Float64Array;
  private readonly squares: Float64Array;
  /** From the nearest point to each. */
  private readonly away: Float64Array;
  private readonly kept: Float64Array;
  /** Nine coordinates each. */
  private readonly corners: Float64Array;
  private readonly most: number;
  private readonly p = vec3();
  private readonly a = vec3();
  private readonly b = vec3();
  private readonly c = vec3();
  private readonly nearest = makeTrianglePoint();

  constructor(most: number, points: number) {
    this.most = most;
    this.points = new Float64Array(3 * points);
    this.distances = new Float64Array(points);
    this.squares = new Float64Array(points);
    this.away = new Float64Array(3 * points);
    this.kept = new Float64Array(KEPT * most);
    this.corners = new Float64Array(9 * most);
  }

  makeTangents(): Tangents {
    return new Float64Array(4 * this.most);
  }

  /** False if there is no room for it. */
  add({ a, b, c }: Corners): boolean {
    const { kept, corners, count, most } = this;
    if (count === most) return false;
    this.count++;
    write(a, corners, 9 * count);
    write(b, corners, 9 * count + 3);
    write(c, corners, 9 * count + 6);
    const abx = b.x - a.x;
    const aby = b.y - a.y;
    const abz = b.z - a.z;
    const acx = c.x - a.x;
    const acy = c.y - a.y;
    const acz = c.z - a.z;
    const bcx = c.x - b.x;
    const bcy = c.y - b.y;
    const bcz = c.z - b.z;
    const nx = aby * acz - abz * acy;
    const ny = abz * acx - abx * acz;
    const nz = abx * acy - aby * acx;
    const bb = abx * abx + aby * aby + abz * abz;
    const bc = abx * acx + aby * acy + abz * acz;
    const cc = acx * acx + acy * acy + acz * acz;
    const det = bb * cc - bc * bc;
    const isSound = det > THIN * (bb * cc) + TINY && det < Infinity;
    const unit = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
    const at = KEPT * count;
    kept[at] = isSound ? det : -1;
    kept[at + 1] = abx;
    kept[at + 2] = aby;
    kept[at + 3] = abz;
    kept[at + 4] = acx;
    kept[at + 5] = acy;
    kept[at + 6] = acz;
    kept[at + 7] = nx * unit;
    kept[at + 8] = ny * unit;
    kept[at + 9] = nz * unit;
    kept[at + 10] = bb;
    kept[at + 11] = bc;
    kept[at + 12] = cc;
    kept[at + 13] = 1 / bb;
    kept[at + 14] = 1 / cc;
    kept[at + 15] = 1 / (bcx * bcx + bcy * bcy + bcz * bcz);
    return true;
  }

  /** How far triangle i is from point n, and the tangent of its distance there. */
  takeTangent(i: number, n: number, tangents: Tangents): void {
    const { points, distances, squares, away } = this;
    const at = 4 * i;
    tangents[at] = tangents[at + 1] = tangents[at + 2] = tangents[at + 3] = 0;
    distances[n] = squares[n] = Infinity;
    this.lessen(i, n, n + 1, tangents);
    const distance = distances[n]!;
    // Next to the triangle the direction is rounding.
    if (!(distance > this.blurAt(i, n))) return;
    const x = away[3 * n]! / distance;
    const y = away[3 * n + 1]! / distance;
    const z = away[3 * n + 2]! / distance;
    tangents[at] = distance - (x * points[3 * n]! + y * points[3 * n + 1]! + z * points[3 * n + 2]!);
    tangents[at + 1] = x;
    tangents[at + 2] = y;
    tangents[at + 3] = z;
  }

  /** Up to this distance of point n from triangle i, its direction is not known well. */
  private blurAt(i: number, n: number): number {
    const { points, corners, kept } = this;
    const x = points[3 * n]!;
    const y = points[3 * n + 1]!;
    const z = points[3 * n + 2]!;
    const ax = x - corners[9 * i]!;
    const ay = y - corners[9 * i + 1]!;
    const az = z - corners[9 * i + 2]!;
    const at = KEPT * i;
    const size = Math.sqrt(ax * ax + ay * ay + az * az + kept[at + 10]! + kept[at + 12]!);
    return BLUR * (size + Math.abs(x) + Math.abs(y) + Math.abs(z));
  }

  /** Nothing is known of so many points. */
  forget(count: number): void {
    this.distances.fill(Infinity, 0, count);
    this.squares.fill(Infinity, 0, count);
  }

  /**
   * Lessens the distances of the points from … to - 1 to those from triangle i. Where the foot on the plane is outside of an edge, the
   * nearest point is on such an edge.
   */
  lessen(i: number, from: number, to: number, tangents: Tangents): void {
    const { kept, corners, points, distances, squares, away } = this;
    const at = KEPT * i;
    const det = kept[at]!;
    if (det < 0) {
      this.lessenByThin(i, from, to);
      return;
    }
    const t0 = tangents[4 * i]!;
    const tx = tangents[4 * i + 1]!;
    const ty = tangents[4 * i + 2]!;
    const tz = tangents[4 * i + 3]!;
    const ax = corners[9 * i]!;
    const ay = corners[9 * i + 1]!;
    const az = corners[9 * i + 2]!;
    const abx = kept[at + 1]!;
    const aby = kept[at + 2]!;
    const abz = kept[at + 3]!;
    const acx = kept[at + 4]!;
    const acy = kept[at + 5]!;
    const acz = kept[at + 6]!;
    const nx = kept[at + 7]!;
    const ny = kept[at + 8]!;
    const nz = kept[at + 9]!;
    const bb = kept[at + 10]!;
    const bc = kept[at + 11]!;
    const cc = kept[at + 12]!;
    for (let n = from; n < to; n++) {
      const x = points[3 * n]!;
      const y = points[3 * n + 1]!;
      const z = points[3 * n + 2]!;
      if (t0 + tx * x + ty * y + tz * z >= distances[n]!) continue;
      const px = x - ax;
      const py = y - ay;
      const pz = z - az;
      const pb = px * abx + py * aby + pz * abz;
      const pc = px * acx + py * acy + pz * acz;
      const v = cc * pb - bc * pc;
      const w = bb * pc - bc * pb;
      let best = squares[n]!;
      let bx = 0;
      let by = 0;
      let bz = 0;
      let isBetter = false;
      if (v >= 0 && w >= 0 && v + w <= det) {
        const height = px * nx + py * ny + pz * nz;
        if (height * height < best) {
          isBetter = true;
          best = height * height;
          bx = height * nx;
          by = height * ny;
          bz = height * nz;
        }
      } else {
        if (w < 0) {
          const t = Math.min(Math.max(pb * kept[at + 13]!, 0), 1);
          const ex = px - t * abx;
          const ey = py - t * aby;
          const ez = pz - t * abz;
          const square = ex * ex + ey * ey + ez * ez;
          if (square < best) {
            isBetter = true;
            best = square;
            bx = ex;
            by = ey;
            bz = ez;
          }
        }
        if (v < 0) {
          const t = Math.min(Math.max(pc * kept[at + 14]!, 0), 1);
          const ex = px - t * acx;
          const ey = py - t * acy;
          const ez = pz - t * acz;
          const square = ex * ex + ey * ey + ez * ez;
          if (square < best) {
            isBetter = true;
            best = square;
            bx = ex;
            by = ey;
            bz = ez;
          }
        }
        if (v + w > det) {
          const dx = acx - abx;
          const dy = acy - aby;
          const dz = acz - abz;
          const qx = px - abx;
          const qy = py - aby;
          const qz = pz - abz;
          const t = Math.min(Math.max((qx * dx + qy * dy + qz * dz) * kept[at + 15]!, 0), 1);
          const ex = qx - t * dx;
          const ey = qy - t * dy;
          const ez = qz - t * dz;
          const square = ex * ex + ey * ey + ez * ez;
          if (square < best) {
            isBetter = true;
            best = square;
            bx = ex;
            by = ey;
            bz = ez;
          }
        }
      }
      if (!isBetter) continue;
      squares[n] = best;
      distances[n] = Math.sqrt(best);
      away[3 * n] = bx;
      away[3 * n + 1] = by;
      away[3 * n + 2] = bz;
    }
  }

  private lessenByThin(i: number, from: number, to: number): void {
    const { corners, points, distances, squares, away, p, a, b, c } = this;
    read(corners, 9 * i, a);
    read(corners, 9 * i + 3, b);
    read(corners, 9 * i + 6, c);
    for (let n = from; n < to; n++) {
      read(points, 3 * n, p);
      const { point, distanceSq } = closestOnTriangle(p, a, b, c, this.nearest);
      if (!(distanceSq < squares[n]!)) continue;
      squares[n] = distanceSq;
      distances[n] = Math.sqrt(distanceSq);
      away[3 * n] = p.x - point.x;
      away[3 * n + 1] = p.y - point.y;
      away[3 * n + 2] = p.z - point.z;
    }
  }
}

function write({ x, y, z }: Readonly<Vec3>, list: Float64Array, at: number): void {
  list[at] = x;
  list[at + 1] = y;
  list[at + 2] = z;
}

function read(list: Float64Array, at: number, out: Vec3): void {
  out.x = list[at]!;
  out.y = list[at + 1]!;
  out.z = list[at + 2]!;
}
