/**
 * Trees of oriented boxes over the triangles of meshes, for queries of mesh against mesh. Oriented boxes fit a surface so much closer than upright ones that far fewer pairs of them have to be
 * looked at. RTCD §6.2.1, §4.4; Gottschalk, Lin and Manocha 1996.
 */
import { eigenSymmetric, makeEigen } from '../../math/eigen.ts';
import { exponent, roundUpF32, scalb } from '../../math/float.ts';
import { mat3 } from '../../math/types.ts';
import { loadTriangle, type Mesh, makeCorners } from '../mesh.ts';

/**
 * One triangle a leaf. Lengths are in units of the tree: (x - center) · scale, so that single precision serves meshes of
 * any size anywhere.
 */
export interface BoxTree {
  /**
   * Sixteen numbers a box, a cache line: center (3), the unit axes (9), half sizes (3), the radius of the sphere about
   * the center. Axes are rounded: a frame of exact unit vectors at right angles for which the box holds its triangles
   * is off by less than `AXIS_ERROR`, as a vector, from each.
   */
  readonly boxes: Float32Array;
  /** For each box the number of the first of its two children, the other is the next; or ~triangle. */
  readonly links: Int32Array;
  readonly center: readonly [number, number, number];
  /** A power of two. */
  readonly scale: number;
  /** The largest absolute coordinate, in units of the mesh, relative to `center`. */
  readonly reach: number;
}

/** Numbers of a box. */
export const BOX = 16;
/** Three components, each rounded by at most 2^-25, and a bit for the rounding of the eigenvectors. */
export const AXIS_ERROR = 5.2e-8;
/** More levels than any tree has: up to `BALANCED_DEPTH` and then halves, 2^27 triangles at most. */
export const MAX_BOX_DEPTH = 96;
const BALANCED_DEPTH = MAX_BOX_DEPTH - 30;

/** See `boxTreeOf`, which keeps it. @internal */
export const buildBoxTree = (mesh: Mesh): BoxTree => new Builder(mesh).build();

/** Numbers a triangle for its moments: area, first moments (3), second moments xx, xy, xz, yy, yz, zz. */
const MOMENTS = 10;
/** Numbers on the stack for one range: its box, first, end, depth. */
const FRAME = 4;
/** Loops over triangles are called for so many at once: see `AT_ONCE` in `trees/pack-split.ts`. */
const AT_ONCE = 256;

class Builder {
  readonly count: number;
  readonly center: [number, number, number];
  readonly scale: number;
  readonly reach: number;
  /** Corners in units of the tree, nine a triangle. */
  readonly corners: Float64Array;
  readonly moments: Float64Array;
  readonly order: Int32Array;
  readonly boxes: Float32Array;
  readonly links: Int32Array;
  readonly covariance = mat3();
  readonly eigen = makeEigen();
  readonly search = new FrameSearch();
  /** Of the current range: the weighted mean of the centroids, the sums of the moments, and how far it reaches. */
  readonly mean = new Float64Array(3);
  readonly sums = new Float64Array(MOMENTS);
  readonly extent = new Float64Array(6);
  /** The height at which a range is parted. */
  limit = 0.5;

  constructor(mesh: Mesh) {
    const { min, max } = mesh.bounds;
    const n = mesh.triangleCount;
    this.count = n;
    this.center = [min.x / 2 + max.x / 2, min.y / 2 + max.y / 2, min.z / 2 + max.z / 2];
    this.reach = Math.max(max.x / 2 - min.x / 2, max.y / 2 - min.y / 2, max.z / 2 - min.z / 2);
    this.scale = this.reach > 0 ? scalb(1, -Math.max(-1000, Math.min(1000, exponent(this.reach)))) : 1;
    this.corners = new Float64Array(n * 9);
    this.moments = new Float64Array(n * MOMENTS);
    this.order = new Int32Array(n);
    this.boxes = new Float32Array((2 * n - 1) * BOX);
    this.links = new Int32Array(2 * n - 1);
    this.readTriangles(mesh);
  }

  build(): BoxTree {
    const { order, links, boxes, center, scale, reach } = this;
    const stack = new Int32Array((MAX_BOX_DEPTH + 1) * FRAME);
    stack[2] = this.count;
    let top = FRAME;
    let used = 1;
    while (top > 0) {
      top -= FRAME;
      const box = stack[top]!;
      const first = stack[top + 1]!;
      const end = stack[top + 2]!;
      const depth = stack[top + 3]!;
      if (end - first === 1) {
        this.frameOfTriangle(order[first]!, box * BOX);
        this.fit(first, end, box * BOX);
        links[box] = ~order[first]!;
        continue;
      }
      this.frameOfRange(first, end, box * BOX);
      this.fit(first, end, box * BOX);
      const middle = depth < BALANCED_DEPTH ? this.part(first, end, box * BOX) : (first + end) >> 1;
      links[box] = used;
      stack[top] = used + 1;
      stack[top + 1] = middle;
      stack[top + 2] = end;
      stack[top + 3] = depth + 1;
      top += FRAME;
      stack[top] = used;
      stack[top + 1] = first;
      stack[top + 2] = middle;
      stack[top + 3] = depth + 1;
      top += FRAME;
      used += 2;
    }
    return { boxes, links, center, scale, reach };
  }

  /** Fills corners and moments. ∫ x xᵀ over a triangle of area A is A/12 (9 m mᵀ + a aᵀ + b bᵀ + c cᵀ). */
  private readTriangles(mesh: Mesh): void {
    const { corners, moments, order, scale } = this;
    const [x, y, z] = this.center;
    for (let i = 0; i < this.count; i++) {
      order[i] = i;
      loadTriangle(mesh, i, triangle);
      const { a, b, c } = triangle;
      const ax = (a.x - x) * scale;
      const ay = (a.y - y) * scale;
      const az = (a.z - z) * scale;
      const bx = (b.x - x) * scale;
      const by = (b.y - y) * scale;
      const bz = (b.z - z) * scale;
      const cx = (c.x - x) * scale;
      const cy = (c.y - y) * scale;
      const cz = (c.z - z) * scale;
      const k = i * 9;
      corners[k] = ax;
      corners[k + 1] = ay;
      corners[k + 2] = az;
      corners[k + 3] = bx;
      corners[k + 4] = by;
      corners[k + 5] = bz;
      corners[k + 6] = cx;
      corners[k + 7] = cy;
      corners[k + 8] = cz;
      const ux = bx - ax;
      const uy = by - ay;
      const uz = bz - az;
      const vx = cx - ax;
      const vy = cy - ay;
      const vz = cz - az;
      const nx = uy * vz - uz * vy;
      const ny = uz * vx - ux * vz;
      const nz = ux * vy - uy * vx;
      // Flat triangles must count too: by a tiny part of the square of their length, or of the mesh when they are points.
      const edges = ux * ux + uy * uy + uz * uz + (vx * vx + vy * vy + vz * vz);
      const w = Math.sqrt(nx * nx + ny * ny + nz * nz) + 1e-6 * edges + 1e-18;
      const mx = (ax + bx + cx) / 3;
      const my = (ay + by + cy) / 3;
      const mz = (az + bz + cz) / 3;
      const part = w / 12;
      const to = i * MOMENTS;
      moments[to] = w;
      moments[to + 1] = w * mx;
      moments[to + 2] = w * my;
      moments[to + 3] = w * mz;
      moments[to + 4] = part * (9 * mx * mx + (ax * ax + bx * bx + cx * cx));
      moments[to + 5] = part * (9 * mx * my + (ax * ay + bx * by + cx * cy));
      moments[to + 6] = part * (9 * mx * mz + (ax * az + bx * bz + cx * cz));
      moments[to + 7] = part * (9 * my * my + (ay * ay + by * by + cy * cy));
      moments[to + 8] = part * (9 * my * mz + (ay * az + by * bz + cy * cz));
      moments[to + 9] = part * (9 * mz * mz + (az * az + bz * bz + cz * cz));
    }
  }

  /** The principal axes of the surface of a range of triangles; leaves their mean. */
  private frameOfRange(first: number, end: number, to: number): void {
    const { mean, sums } = this;
    sums.fill(0);
    for (let i = first; i < end; i += AT_ONCE) this.addMoments(i, Math.min(i + AT_ONCE, end));
    const w = sums[0]!;
    const x = sums[1]!;
    const y = sums[2]!;
    const z = sums[3]!;
    mean[0] = x / w;
    mean[1] = y / w;
    mean[2] = z / w;
    const e = this.covariance.elements;
    e[0] = sums[4]! - (x * x) / w;
    e[1] = e[3] = sums[5]! - (x * y) / w;
    e[2] = e[6] = sums[6]! - (x * z) / w;
    e[4] = sums[7]! - (y * y) / w;
    e[5] = e[7] = sums[8]! - (y * z) / w;
    e[8] = sums[9]! - (z * z) / w;
    eigenSymmetric(this.covariance, this.eigen);
    const { frame } = this.search;
    const axes = this.eigen.vectors.elements;
    for (let k = 0; k < 9; k++) frame[k] = axes[k]!;
    this.search.improve(this.corners, this.order, first, end);
    for (let k = 0; k < 9; k++) this.boxes[to + 3 + k] = frame[k]!;
  }

  private addMoments(first: number, end: number): void {
    const { moments, order, sums } = this;
    let w = sums[0]!;
    let x = sums[1]!;
    let y = sums[2]!;
    let z = sums[3]!;
    let xx = sums[4]!;
    let xy = sums[5]!;
    let xz = sums[6]!;
    let yy = sums[7]!;
    let yz = sums[8]!;
    let zz = sums[9]!;
    for (let i = first; i < end; i++) {
      const k = order[i]! * MOMENTS;
      w += moments[k]!;
      x += moments[k + 1]!;
      y += moments[k + 2]!;
      z += moments[k + 3]!;
      xx += moments[k + 4]!;
      xy += moments[k + 5]!;
      xz += moments[k + 6]!;
      yy += moments[k + 7]!;
      yz += moments[k + 8]!;
      zz += moments[k + 9]!;
    }
    sums[0] = w;
    sums[1] = x;
    sums[2] = y;
    sums[3] = z;
    sums[4] = xx;
    sums[5] = xy;
    sums[6] = xz;
    sums[7] = yy;
    sums[8] = yz;
    sums[9] = zz;
  }

  /** Along the longest edge and the normal; any for a flat triangle. */
  private frameOfTriangle(i: number, to: number): void {
    const { corners } = this;
    const k = i * 9;
    let longest = -1;
    let ex = 0;
    let ey = 0;
    let ez = 0;
    let fx = 0;
    let fy = 0;
    let fz = 0;
    for (let v = 0; v < 9; v += 3) {
      const u = (v + 3) % 9;
      const x = corners[k + u]! - corners[k + v]!;
      const y = corners[k + u + 1]! - corners[k + v + 1]!;
      const z = corners[k + u + 2]! - corners[k + v + 2]!;
      const length = x * x + y * y + z * z;
      if (length > longest) {
        longest = length;
        const w = (v + 6) % 9;
        fx = corners[k + w]! - corners[k + v]!;
        fy = corners[k + w + 1]! - corners[k + v + 1]!;
        fz = corners[k + w + 2]! - corners[k + v + 2]!;
        ex = x;
        ey = y;
        ez = z;
      }
    }
    const size = Math.sqrt(longest);
    if (size > 1e-150) {
      ex /= size;
      ey /= size;
      ez /= size;
    } else {
      ex = 1;
      ey = 0;
      ez = 0;
    }
    let nx = ey * fz - ez * fy;
    let ny = ez * fx - ex * fz;
    let nz = ex * fy - ey * fx;
    let height = Math.sqrt(nx * nx + ny * ny + nz * nz);
    // Across a flat triangle any direction serves, but it must be at right angles: rounding gives none.
    if (!(height > 1e-6 * size)) {
      const steep = Math.abs(ex) < 0.6;
      nx = steep ? 0 : -ez;
      ny = steep ? ez : 0;
      nz = steep ? -ey : ex;
      height = Math.sqrt(nx * nx + ny * ny + nz * nz);
    }
    nx /= height;
    ny /= height;
    nz /= height;
    const { boxes } = this;
    boxes[to + 3] = ex;
    boxes[to + 4] = ey;
    boxes[to + 5] = ez;
    boxes[to + 6] = ny * ez - nz * ey;
    boxes[to + 7] = nz * ex - nx * ez;
    boxes[to + 8] = nx * ey - ny * ex;
    boxes[to + 9] = nx;
    boxes[to + 10] = ny;
    boxes[to + 11] = nz;
  }

  /** Center, half sizes and radius of the box over a range whose axes are there. */
  private fit(first: number, end: number, to: number): void {
    const { boxes, extent } = this;
    extent.fill(Infinity, 0, 3).fill(-Infinity, 3);
    for (let i = first; i < end; i += AT_ONCE) this.extend(i, Math.min(i + AT_ONCE, end), to);
    const ux = boxes[to + 3]!;
    const uy = boxes[to + 4]!;
    const uz = boxes[to + 5]!;
    const vx = boxes[to + 6]!;
    const vy = boxes[to + 7]!;
    const vz = boxes[to + 8]!;
    const wx = boxes[to + 9]!;
    const wy = boxes[to + 10]!;
    const wz = boxes[to + 11]!;
    const u0 = extent[0]!;
    const v0 = extent[1]!;
    const w0 = extent[2]!;
    const u1 = extent[3]!;
    const v1 = extent[4]!;
    const w1 = extent[5]!;
    const u = (u0 + u1) / 2;
    const v = (v0 + v1) / 2;
    const w = (w0 + w1) / 2;
    boxes[to] = ux * u + vx * v + wx * w;
    boxes[to + 1] = uy * u + vy * v + wy * w;
    boxes[to + 2] = uz * u + vz * v + wz * w;
    // How far the corners really are from the center as stored.
    const cx = boxes[to]!;
    const cy = boxes[to + 1]!;
    const cz = boxes[to + 2]!;
    const cu = cx * ux + cy * uy + cz * uz;
    const cv = cx * vx + cy * vy + cz * vz;
    const cw = cx * wx + cy * wy + cz * wz;
    const hu = Math.max(u1 - cu, cu - u0);
    const hv = Math.max(v1 - cv, cv - v0);
    const hw = Math.max(w1 - cw, cw - w0);
    // Twice AXIS_ERROR: the frame is exact for no corner, and the length of one is known to that error only.
    const slack = 2 * AXIS_ERROR * (hu + hv + hw) + 1e-15 * (Math.abs(cx) + Math.abs(cy) + Math.abs(cz));
    const a = roundUpF32(hu + slack);
    const b = roundUpF32(hv + slack);
    const c = roundUpF32(hw + slack);
    boxes[to + 12] = a;
    boxes[to + 13] = b;
    boxes[to + 14] = c;
    boxes[to + 15] = roundUpF32(Math.sqrt(a * a + b * b + c * c) * (1 + 1e-15));
  }

  /** How far triangles reach along the axes of a box, into `extent`. */
  private extend(first: number, end: number, to: number): void {
    const { boxes, corners, order, extent } = this;
    const ux = boxes[to + 3]!;
    const uy = boxes[to + 4]!;
    const uz = boxes[to + 5]!;
    const vx = boxes[to + 6]!;
    const vy = boxes[to + 7]!;
    const vz = boxes[to + 8]!;
    const wx = boxes[to + 9]!;
    const wy = boxes[to + 10]!;
    const wz = boxes[to + 11]!;
    let u0 = extent[0]!;
    let v0 = extent[1]!;
    let w0 = extent[2]!;
    let u1 = extent[3]!;
    let v1 = extent[4]!;
    let w1 = extent[5]!;
    for (let i = first; i < end; i++) {
      const at = order[i]! * 9;
      for (let k = at; k < at + 9; k += 3) {
        const x = corners[k]!;
        const y = corners[k + 1]!;
        const z = corners[k + 2]!;
        const u = x * ux + y * uy + z * uz;
        const v = x * vx + y * vy + z * vz;
        const w = x * wx + y * wy + z * wz;
        if (u < u0) u0 = u;
        if (u > u1) u1 = u;
        if (v < v0) v0 = v;
        if (v > v1) v1 = v;
        if (w < w0) w0 = w;
        if (w > w1) w1 = w;
      }
    }
    extent[0] = u0;
    extent[1] = v0;
    extent[2] = w0;
    extent[3] = u1;
    extent[4] = v1;
    extent[5] = w1;
  }

  /** Parts a range at the mean along the longest axis of its box; in halves where that parts nothing. */
  private part(first: number, end: number, box: number): number {
    const { boxes, mean } = this;
    const a = boxes[box + 12]!;
    const b = boxes[box + 13]!;
    const c = boxes[box + 14]!;
    const axis = box + (a >= b && a >= c ? 3 : b >= c ? 6 : 9);
    this.limit = mean[0]! * boxes[axis]! + mean[1]! * boxes[axis + 1]! + mean[2]! * boxes[axis + 2]!;
    let middle = first;
    for (let i = first; i < end; i += AT_ONCE)
      middle = this.partSome(i, Math.min(i + AT_ONCE, end), middle, axis);
    return middle > first && middle < end ? middle : (first + end) >> 1;
  }

  private partSome(first: number, end: number, begin: number, axis: number): number {
    const { boxes, moments, order, limit } = this;
    const x = boxes[axis]!;
    const y = boxes[axis + 1]!;
    const z = boxes[axis + 2]!;
    let middle = begin;
    for (let i = first; i < end; i++) {
      const item = order[i]!;
      const k = item * MOMENTS;
      if (moments[k + 1]! * x + moments[k + 2]! * y + moments[k + 3]! * z < limit * moments[k]!) {
        order[i] = order[middle]!;
        order[middle++] = item;
      }
    }
    return middle;
  }
}

const triangle = makeCorners();

/**
 * Turns the frame of a box until the box has less surface: a local search over a few extreme points, from the principal
 * axes. Against those alone it saves two fifths of the pairs that a search of two trees visits.
 */

/** x, y, z and the four diagonals: what is extreme along them stands for all the points. Larsson and Källberg 2011. */
const DIRECTIONS = Int8Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, -1, 1, -1, 1, -1, 1, 1]);
const COUNT = DIRECTIONS.length / 3;
/** So many triangles are taken with all their corners. */
const FEW = 5;

/** Tangents of half the angles that are tried: up to an eighth of a turn, in coarse steps, and then in halves of them. */
const MOST = 0.4;
const STEP = 0.1;
const FINEST = 0.02;

/** One search; `frame` is three unit vectors at right angles, one after the other. */
export class FrameSearch {
  readonly frame = new Float64Array(9);
  private readonly points = new Float64Array(3 * Math.max(2 * COUNT, 3 * FEW));
  private count = 0;
  private thickness = 0;
  private readonly low = new Float64Array(COUNT);
  private readonly high = new Float64Array(COUNT);
  private readonly lowest = new Int32Array(COUNT);
  private readonly highest = new Int32Array(COUNT);
  // The points as seen along the axis about which the frame is being rotated.
  private readonly u = new Float64Array(Math.max(2 * COUNT, 3 * FEW));
  private readonly v = new Float64Array(Math.max(2 * COUNT, 3 * FEW));

  /** Turns `frame` for the triangles order[first … end - 1], nine numbers each in `corners`. */
  improve(corners: Float64Array, order: Int32Array, first: number, end: number): void {
    if (end - first <= FEW) this.takeAll(corners, order, first, end);
    else this.takeExtreme(corners, order, first, end);
    // The last axis is the thinnest: about it the principal axes of a round patch may have any direction.
    this.lookAlong(2);
    let best = 0;
    let least = this.surface(0);
    for (let h = -MOST; h <= MOST; h += STEP) {
      const surface = this.surface(h);
      if (surface < least) {
        least = surface;
        best = h;
      }
    }
    this.rotateAbout(2, best);
    for (let axis = 0; axis < 3; axis++) this.refine(axis);
  }

  private takeAll(corners: Float64Array, order: Int32Array, first: number, end: number): void {
    const { points } = this;
    let at = 0;
    for (let i = first; i < end; i++)
      for (let k = order[i]! * 9, stop = k + 9; k < stop; k++) points[at++] = corners[k]!;
    this.count = at / 3;
  }

  private takeExtreme(corners: Float64Array, order: Int32Array, first: number, end: number): void {
    const { points, low, high, lowest, highest } = this;
    low.fill(Infinity);
    high.fill(-Infinity);
    for (let i = first; i < end; i += AT_ONCE) this.lookAtSome(corners, order, i, Math.min(i + AT_ONCE, end));
    for (let n = 0; n < COUNT; n++)
      for (let k = 0; k < 3; k++) {
        points[6 * n + k] = corners[lowest[n]! + k]!;
        points[6 * n + 3 + k] = corners[highest[n]! + k]!;
      }
    this.count = 2 * COUNT;
  }

  private lookAtSome(corners: Float64Array, order: Int32Array, first: number, end: number): void {
    const { low, high, lowest, highest } = this;
    for (let i = first; i < end; i++) {
      const at = order[i]! * 9;
      for (let k = at; k < at + 9; k += 3) {
        const x = corners[k]!;
        const y = corners[k + 1]!;
        const z = corners[k + 2]!;
        for (let n = 0; n < COUNT; n++) {
          const h = x * DIRECTIONS[3 * n]! + y * DIRECTIONS[3 * n + 1]! + z * DIRECTIONS[3 * n + 2]!;
          if (h < low[n]!) {
            low[n] = h;
            lowest[n] = k;
          }
          if (h > high[n]!) {
            high[n] = h;
            highest[n] = k;
          }
        }
      }
    }
  }

  /** Turns about one axis by steps that are halved when neither direction is better. */
  private refine(axis: number): void {
    this.lookAlong(axis);
    let best = 0;
    let least = this.surface(0);
    for (let step = STEP; step > FINEST; step /= 2)
      for (let h = best - step, stop = best + step; h <= stop; h += 2 * step) {
        const surface = this.surface(h);
        if (surface < least) {
          least = surface;
          best = h;
        }
      }
    this.rotateAbout(axis, best);
  }

  /** The points in the plane of the other two axes, and how thick they are along this one. */
  private lookAlong(axis: number): void {
    const { frame, points, u, v, count } = this;
    const i = ((axis + 1) % 3) * 3;
    const j = ((axis + 2) % 3) * 3;
    const k = axis * 3;
    const ux = frame[i]!;
    const uy = frame[i + 1]!;
    const uz = frame[i + 2]!;
    const vx = frame[j]!;
    const vy = frame[j + 1]!;
    const vz = frame[j + 2]!;
    const wx = frame[k]!;
    const wy = frame[k + 1]!;
    const wz = frame[k + 2]!;
    let low = Infinity;
    let high = -Infinity;
    for (let n = 0; n < count; n++) {
      const x = points[3 * n]!;
      const y = points[3 * n + 1]!;
      const z = points[3 * n + 2]!;
      u[n] = x * ux + y * uy + z * uz;
      v[n] = x * vx + y * vy + z * vz;
      const w = x * wx + y * wy + z * wz;
      if (w < low) low = w;
      if (w > high) high = w;
    }
    this.thickness = high - low;
  }

  /** Half the surface of the box when rotated by the angle whose half has the tangent h. */
  private surface(h: number): number {
    const { u, v, count, thickness } = this;
    const scale = 1 / (1 + h * h);
    const c = (1 - h * h) * scale;
    const s = 2 * h * scale;
    let u0 = Infinity;
    let u1 = -Infinity;
    let v0 = Infinity;
    let v1 = -Infinity;
    for (let n = 0; n < count; n++) {
      const x = u[n]!;
      const y = v[n]!;
      const p = c * x + s * y;
      const q = c * y - s * x;
      if (p < u0) u0 = p;
      if (p > u1) u1 = p;
      if (q < v0) v0 = q;
      if (q > v1) v1 = q;
    }
    return (u1 - u0) * (v1 - v0) + thickness * (u1 - u0 + (v1 - v0));
  }

  private rotateAbout(axis: number, h: number): void {
    if (h === 0) return;
    const { frame } = this;
    const i = ((axis + 1) % 3) * 3;
    const j = ((axis + 2) % 3) * 3;
    const scale = 1 / (1 + h * h);
    const c = (1 - h * h) * scale;
    const s = 2 * h * scale;
    for (let k = 0; k < 3; k++) {
      const x = frame[i + k]!;
      const y = frame[j + k]!;
      frame[i + k] = c * x + s * y;
      frame[j + k] = c * y - s * x;
    }
  }
}
