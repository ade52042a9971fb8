/**
 * The distance of two triangles that do not cut each other, feature by feature, and a direction in which they are that
 * far apart. All in doubles, relative to a corner; the direction is taken from the features (a normal, the cross product
 * of two edges), not from the two nearest points, which cancel when these are close.
 */

/** What `nearestTriangles` found: the squared distance, and a unit vector from the second triangle to the first. */
export const nearest = {
  distanceSq: 0.5,
  x: 0.5,
  y: 0.5,
  z: 0.5,
  /** The same not quite: how far the triangles are apart along it for certain (negative: not at all). */
  separation: 0.5,
};

// Corners relative to the second triangle's first: 0-2 the first triangle, 3-5 the second.
const c = new Float64Array(18);
const NEXT = [1, 2, 0, 4, 5, 3] as const;

let best = 0.5;
let dx = 0.5;
let dy = 0.5;
let dz = 0.5;

function load(a: Float64Array, i: number, b: Float64Array, j: number): void {
  const ox = b[j]!;
  const oy = b[j + 1]!;
  const oz = b[j + 2]!;
  for (let k = 0; k < 9; k += 3) {
    c[k] = a[i + k]! - ox;
    c[k + 1] = a[i + k + 1]! - oy;
    c[k + 2] = a[i + k + 2]! - oz;
    c[k + 9] = b[j + k]! - ox;
    c[k + 10] = b[j + k + 1]! - oy;
    c[k + 11] = b[j + k + 2]! - oz;
  }
}

/** A first guess, cheap: along the line from middle to middle. Fills `nearest` but for the distance. */
export function middleDirection(a: Float64Array, i: number, b: Float64Array, j: number): void {
  load(a, i, b, j);
  const x = c[0]! + c[3]! + c[6]! - c[12]! - c[15]!;
  const y = c[1]! + c[4]! + c[7]! - c[13]! - c[16]!;
  const z = c[2]! + c[5]! + c[8]! - c[14]! - c[17]!;
  const length = Math.sqrt(x * x + y * y + z * z);
  nearest.x = length > 0 ? x / length : 1;
  nearest.y = length > 0 ? y / length : 0;
  nearest.z = length > 0 ? z / length : 0;
  nearest.separation = separation(nearest.x, nearest.y, nearest.z);
}

/** How far they are apart along the direction found last. Fills `nearest` but for the distance. */
export function sameDirection(a: Float64Array, i: number, b: Float64Array, j: number): void {
  load(a, i, b, j);
  nearest.separation = separation(nearest.x, nearest.y, nearest.z);
}

/** Fills `nearest` for triangle i of a and triangle j of b. */
export function nearestTriangles(a: Float64Array, i: number, b: Float64Array, j: number): void {
  load(a, i, b, j);
  best = Infinity;
  facePoints(9, 0, 1);
  facePoints(0, 9, -1);
  for (let k = 0; k < 3; k++)
    for (let l = 3; l < 6; l++) {
      pointSegment(3 * k, 3 * l, 3 * NEXT[l]!, 1);
      pointSegment(3 * l, 3 * k, 3 * NEXT[k]!, -1);
      segmentSegment(3 * k, 3 * NEXT[k]!, 3 * l, 3 * NEXT[l]!);
    }
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  nearest.distanceSq = best;
  nearest.x = length > 0 ? dx / length : 1;
  nearest.y = length > 0 ? dy / length : 0;
  nearest.z = length > 0 ? dz / length : 0;
  nearest.separation = separation(nearest.x, nearest.y, nearest.z);
}

/** How far the first triangle of `c` is beyond the second along a unit vector. */
function separation(x: number, y: number, z: number): number {
  const low = Math.min(
    x * c[0]! + y * c[1]! + z * c[2]!,
    x * c[3]! + y * c[4]! + z * c[5]!,
    x * c[6]! + y * c[7]! + z * c[8]!,
  );
  const high = Math.max(0, x * c[12]! + y * c[13]! + z * c[14]!, x * c[15]! + y * c[16]! + z * c[17]!);
  return low - high;
}

/**
 * The best of all axes of the separating-axis theorem, where the nearest features leave a doubt; changes `nearest` if one
 * is better. To be called right after `nearestTriangles`.
 */
export function tryAllAxes(): void {
  for (let k = 0; k < 3; k++) {
    const p = 3 * k;
    const q = 3 * NEXT[k]!;
    const ux = c[q]! - c[p]!;
    const uy = c[q + 1]! - c[p + 1]!;
    const uz = c[q + 2]! - c[p + 2]!;
    for (let l = 3; l < 6; l++) {
      const r = 3 * l;
      const s = 3 * NEXT[l]!;
      const vx = c[s]! - c[r]!;
      const vy = c[s + 1]! - c[r + 1]!;
      const vz = c[s + 2]! - c[r + 2]!;
      tryAxis(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
    }
  }
  for (let f = 0; f < 18; f += 9) {
    const ux = c[f + 3]! - c[f]!;
    const uy = c[f + 4]! - c[f + 1]!;
    const uz = c[f + 5]! - c[f + 2]!;
    const vx = c[f + 6]! - c[f]!;
    const vy = c[f + 7]! - c[f + 1]!;
    const vz = c[f + 8]! - c[f + 2]!;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    tryAxis(nx, ny, nz);
    // In its plane: where two lie in one but for rounding, or their edges side by side.
    tryAxis(ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux);
    tryAxis(ny * vz - nz * vy, nz * vx - nx * vz, nx * vy - ny * vx);
    const wx = vx - ux;
    const wy = vy - uy;
    const wz = vz - uz;
    tryAxis(ny * wz - nz * wy, nz * wx - nx * wz, nx * wy - ny * wx);
  }
}

/** Along it and against it. */
function tryAxis(x: number, y: number, z: number): void {
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 0)) return;
  const ux = x / length;
  const uy = y / length;
  const uz = z / length;
  const a0 = ux * c[0]! + uy * c[1]! + uz * c[2]!;
  const a1 = ux * c[3]! + uy * c[4]! + uz * c[5]!;
  const a2 = ux * c[6]! + uy * c[7]! + uz * c[8]!;
  const b1 = ux * c[12]! + uy * c[13]! + uz * c[14]!;
  const b2 = ux * c[15]! + uy * c[16]! + uz * c[17]!;
  const above = Math.min(a0, a1, a2) - Math.max(0, b1, b2);
  const below = Math.min(0, b1, b2) - Math.max(a0, a1, a2);
  const s = Math.max(above, below);
  if (s <= nearest.separation) return;
  const sign = above >= below ? 1 : -1;
  nearest.x = sign * ux;
  nearest.y = sign * uy;
  nearest.z = sign * uz;
  nearest.separation = s;
}

/** The three corners from `p` against the triangle from `f`. `sign` turns the direction towards the first triangle. */
function facePoints(f: number, p: number, sign: number): void {
  const ax = c[f]!;
  const ay = c[f + 1]!;
  const az = c[f + 2]!;
  const ux = c[f + 3]! - ax;
  const uy = c[f + 4]! - ay;
  const uz = c[f + 5]! - az;
  const vx = c[f + 6]! - ax;
  const vy = c[f + 7]! - ay;
  const vz = c[f + 8]! - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  if (!(nn > 0)) return;
  for (let k = p; k < p + 9; k += 3) {
    const wx = c[k]! - ax;
    const wy = c[k + 1]! - ay;
    const wz = c[k + 2]! - az;
    const h = nx * wx + ny * wy + nz * wz;
    if ((h * h) / nn >= best) continue;
    // Barycentric weights times nn.
    const v = nx * (wy * vz - wz * vy) + ny * (wz * vx - wx * vz) + nz * (wx * vy - wy * vx);
    const w = nx * (uy * wz - uz * wy) + ny * (uz * wx - ux * wz) + nz * (ux * wy - uy * wx);
    if (v < 0 || w < 0 || v + w > nn) continue;
    best = (h * h) / nn;
    const s = h < 0 ? -sign : sign;
    dx = s * nx;
    dy = s * ny;
    dz = s * nz;
  }
}

function pointSegment(p: number, a: number, b: number, sign: number): void {
  const ux = c[b]! - c[a]!;
  const uy = c[b + 1]! - c[a + 1]!;
  const uz = c[b + 2]! - c[a + 2]!;
  let wx = c[p]! - c[a]!;
  let wy = c[p + 1]! - c[a + 1]!;
  let wz = c[p + 2]! - c[a + 2]!;
  const uu = ux * ux + uy * uy + uz * uz;
  const along = ux * wx + uy * wy + uz * wz;
  if (along > 0 && uu > 0) {
    if (along >= uu) {
      wx = c[p]! - c[b]!;
      wy = c[p + 1]! - c[b + 1]!;
      wz = c[p + 2]! - c[b + 2]!;
    } else {
      // Twice: what is left along the edge after the first time is rounding of the whole, after the second of the rest.
      for (let k = 0; k < 2; k++) {
        const s = (ux * wx + uy * wy + uz * wz) / uu;
        wx -= s * ux;
        wy -= s * uy;
        wz -= s * uz;
      }
    }
  }
  const d = wx * wx + wy * wy + wz * wz;
  if (d >= best) return;
  best = d;
  dx = sign * wx;
  dy = sign * wy;
  dz = sign * wz;
}

/** Two edges whose lines are nearest inside of both; the other cases are those of their ends. */
function segmentSegment(a: number, b: number, p: number, q: number): void {
  const ux = c[b]! - c[a]!;
  const uy = c[b + 1]! - c[a + 1]!;
  const uz = c[b + 2]! - c[a + 2]!;
  const vx = c[q]! - c[p]!;
  const vy = c[q + 1]! - c[p + 1]!;
  const vz = c[q + 2]! - c[p + 2]!;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  if (!(nn > 0)) return;
  const wx = c[a]! - c[p]!;
  const wy = c[a + 1]! - c[p + 1]!;
  const wz = c[a + 2]! - c[p + 2]!;
  const h = nx * wx + ny * wy + nz * wz;
  if ((h * h) / nn >= best) return;
  const s = nx * (vy * wz - vz * wy) + ny * (vz * wx - vx * wz) + nz * (vx * wy - vy * wx);
  const t = nx * (uy * wz - uz * wy) + ny * (uz * wx - ux * wz) + nz * (ux * wy - uy * wx);
  if (!(s >= 0 && s <= nn && t >= 0 && t <= nn)) return;
  if (nn < 1e-10 * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz)) {
    // Nearly parallel: the common normal may be nothing but rounding. The points are on the edges in any case.
    const ox = wx + (s / nn) * ux - (t / nn) * vx;
    const oy = wy + (s / nn) * uy - (t / nn) * vy;
    const oz = wz + (s / nn) * uz - (t / nn) * vz;
    const d = ox * ox + oy * oy + oz * oz;
    if (d >= best) return;
    best = d;
    dx = ox;
    dy = oy;
    dz = oz;
    return;
  }
  best = (h * h) / nn;
  const sign = h < 0 ? -1 : 1;
  dx = sign * nx;
  dy = sign * ny;
  dz = sign * nz;
}

/** The direction of the last `surfaceDistance`, from the second to the first. */
export const towards = { x: 0.5, y: 0.5, z: 0.5 };

/** The distance of two surfaces that do not cut each other (see `surfacesMeet`). */
export function surfaceDistance(
  a: Float64Array,
  boxesA: Float64Array,
  b: Float64Array,
  boxesB: Float64Array,
): number {
  let least = Infinity;
  for (let i = 0, k = 0; i < a.length; i += 9, k += 6)
    for (let j = 0, l = 0; j < b.length; j += 9, l += 6) {
      const x = Math.max(boxesA[k]! - boxesB[l + 3]!, boxesB[l]! - boxesA[k + 3]!, 0);
      const y = Math.max(boxesA[k + 1]! - boxesB[l + 4]!, boxesB[l + 1]! - boxesA[k + 4]!, 0);
      const z = Math.max(boxesA[k + 2]! - boxesB[l + 5]!, boxesB[l + 2]! - boxesA[k + 5]!, 0);
      if (x * x + y * y + z * z >= least) continue;
      nearestTriangles(a, i, b, j);
      if (nearest.distanceSq >= least) continue;
      least = nearest.distanceSq;
      towards.x = nearest.x;
      towards.y = nearest.y;
      towards.z = nearest.z;
    }
  return Math.sqrt(least);
}
