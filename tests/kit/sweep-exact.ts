/**
 * Do two surfaces share a point? Decided by the signs of exact determinants for the corners as they are stored, over all
 * pairs of triangles. A soup is nine numbers a triangle; a point is a triangle with three equal corners.
 */
import { orient2d, orient3d } from 'robust-predicates';

export const APART = 0;
/** They share points, but no edge goes through a triangle. */
export const TOUCHING = 1;
/** An edge of one goes through a triangle of the other. */
export const CROSSING = 2;

/** The sign of the volume of four corners: of a at i, a at j, … */
const side = (
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  c: Float64Array,
  k: number,
  d: Float64Array,
  l: number,
): number =>
  Math.sign(
    orient3d(
      a[i]!,
      a[i + 1]!,
      a[i + 2]!,
      b[j]!,
      b[j + 1]!,
      b[j + 2]!,
      c[k]!,
      c[k + 1]!,
      c[k + 2]!,
      d[l]!,
      d[l + 1]!,
      d[l + 2]!,
    ),
  );

const samePoint = (a: Float64Array, i: number, b: Float64Array, j: number): boolean =>
  a[i] === b[j] && a[i + 1] === b[j + 1] && a[i + 2] === b[j + 2];

/** The edge of p from corner i to j, against triangle t of s. `sp` and `sq`: the sides of its ends. */
function edgeTriangle(
  p: Float64Array,
  i: number,
  j: number,
  s: Float64Array,
  t: number,
  sp: number,
  sq: number,
): number {
  if (sp * sq > 0) return APART;
  if (sp === 0 && sq === 0) return edgeInPlane(p, i, j, s, t) ? TOUCHING : APART;
  const x = side(p, i, p, j, s, t, s, t + 3);
  const y = side(p, i, p, j, s, t + 3, s, t + 6);
  const z = side(p, i, p, j, s, t + 6, s, t);
  if ((x < 0 || y < 0 || z < 0) && (x > 0 || y > 0 || z > 0)) return APART;
  return sp !== 0 && sq !== 0 && x !== 0 && y !== 0 && z !== 0 ? CROSSING : TOUCHING;
}

/** An edge in the plane of a triangle (which may be a segment or a point): by their shadows on the three axis planes. */
function edgeInPlane(p: Float64Array, i: number, j: number, s: Float64Array, t: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    if (!shadowsMeet(p, i, j, s, t, u, v)) return false;
  }
  return true;
}

const xs = new Float64Array(5);
const ys = new Float64Array(5);

const turn = (a: number, b: number, k: number): number =>
  Math.sign(orient2d(xs[a]!, ys[a]!, xs[b]!, ys[b]!, xs[k]!, ys[k]!));

/** Coplanar things meet if all three shadows do: two of the shadows tell it already, the third may be a segment. */
function shadowsMeet(
  p: Float64Array,
  i: number,
  j: number,
  s: Float64Array,
  t: number,
  u: number,
  v: number,
): boolean {
  // A separating line of two convex sets in the plane runs along an edge of one of them (or across, for flat ones).
  xs[0] = p[i + u]!;
  xs[1] = p[j + u]!;
  ys[0] = p[i + v]!;
  ys[1] = p[j + v]!;
  for (let k = 0; k < 3; k++) {
    xs[k + 2] = s[t + 3 * k + u]!;
    ys[k + 2] = s[t + 3 * k + v]!;
  }
  if (apart(xs) || apart(ys)) return false;
  const [a, b, c] = [turn(0, 1, 2), turn(0, 1, 3), turn(0, 1, 4)];
  if ((a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0)) return false;
  return !(splits(2, 3, 4) || splits(3, 4, 2) || splits(4, 2, 3));
}

const apart = (a: Float64Array): boolean =>
  Math.max(a[0]!, a[1]!) < Math.min(a[2]!, a[3]!, a[4]!) ||
  Math.min(a[0]!, a[1]!) > Math.max(a[2]!, a[3]!, a[4]!);

/** Is the segment beyond the side ab of the triangle? */
function splits(a: number, b: number, c: number): boolean {
  const own = turn(a, b, c);
  const p = turn(a, b, 0);
  const q = turn(a, b, 1);
  return (own >= 0 && p < 0 && q < 0) || (own <= 0 && p > 0 && q > 0);
}

function triangleTriangle(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const pointA = samePoint(a, i, a, i + 3) && samePoint(a, i, a, i + 6);
  const pointB = samePoint(b, j, b, j + 3) && samePoint(b, j, b, j + 6);
  if (pointA && pointB) return samePoint(a, i, b, j) ? TOUCHING : APART;
  const a0 = side(b, j, b, j + 3, b, j + 6, a, i);
  const a1 = side(b, j, b, j + 3, b, j + 6, a, i + 3);
  const a2 = side(b, j, b, j + 3, b, j + 6, a, i + 6);
  if (!pointB && ((a0 > 0 && a1 > 0 && a2 > 0) || (a0 < 0 && a1 < 0 && a2 < 0))) return APART;
  const b0 = side(a, i, a, i + 3, a, i + 6, b, j);
  const b1 = side(a, i, a, i + 3, a, i + 6, b, j + 3);
  const b2 = side(a, i, a, i + 3, a, i + 6, b, j + 6);
  if (!pointA && ((b0 > 0 && b1 > 0 && b2 > 0) || (b0 < 0 && b1 < 0 && b2 < 0))) return APART;
  if (pointA) return edgeInPlanePoint(a, i, b, j, a0) ? TOUCHING : APART;
  if (pointB) return edgeInPlanePoint(b, j, a, i, b0) ? TOUCHING : APART;
  let found = edgeTriangle(a, i, i + 3, b, j, a0, a1);
  found = Math.max(found, edgeTriangle(a, i + 3, i + 6, b, j, a1, a2));
  found = Math.max(found, edgeTriangle(a, i + 6, i, b, j, a2, a0));
  found = Math.max(found, edgeTriangle(b, j, j + 3, a, i, b0, b1));
  found = Math.max(found, edgeTriangle(b, j + 3, j + 6, a, i, b1, b2));
  return Math.max(found, edgeTriangle(b, j + 6, j, a, i, b2, b0));
}

const edgeInPlanePoint = (p: Float64Array, i: number, s: Float64Array, t: number, sp: number): boolean =>
  sp === 0 && edgeInPlane(p, i, i, s, t);

/** The box about each triangle: six numbers each. */
export function soupBoxes(soup: Float64Array, out = new Float64Array((soup.length / 9) * 6)): Float64Array {
  for (let i = 0, k = 0; i < soup.length; i += 9, k += 6)
    for (let axis = 0; axis < 3; axis++) {
      const x = soup[i + axis]!;
      const y = soup[i + 3 + axis]!;
      const z = soup[i + 6 + axis]!;
      out[k + axis] = Math.min(x, y, z);
      out[k + 3 + axis] = Math.max(x, y, z);
    }
  return out;
}

/** `APART`, `TOUCHING` or `CROSSING`. */
export function surfacesMeet(
  a: Float64Array,
  boxesA: Float64Array,
  b: Float64Array,
  boxesB: Float64Array,
): number {
  let found = APART;
  for (let i = 0, k = 0; i < a.length; i += 9, k += 6)
    for (let j = 0, l = 0; j < b.length; j += 9, l += 6) {
      if (
        boxesA[k]! > boxesB[l + 3]! ||
        boxesA[k + 1]! > boxesB[l + 4]! ||
        boxesA[k + 2]! > boxesB[l + 5]! ||
        boxesA[k + 3]! < boxesB[l]! ||
        boxesA[k + 4]! < boxesB[l + 1]! ||
        boxesA[k + 5]! < boxesB[l + 2]!
      )
        continue;
      const one = triangleTriangle(a, i, b, j);
      if (one === CROSSING) return CROSSING;
      if (one > found) found = one;
    }
  return found;
}

const far = new Float64Array(3);
const here = new Float64Array(3);

/**
 * Is a point inside a closed surface? -1: on it. Counts the triangles that a segment out of it goes through; a segment
 * that meets an edge or a corner is no use, and another is taken.
 */
export function insideSoup(x: number, y: number, z: number, soup: Float64Array): 1 | 0 | -1 {
  let reach = 1;
  for (const value of soup) reach = Math.max(reach, Math.abs(value));
  here[0] = x;
  here[1] = y;
  here[2] = z;
  reach = 4 * Math.max(reach, Math.abs(x), Math.abs(y), Math.abs(z));
  next: for (let attempt = 0; ; attempt++) {
    if (attempt > 60) return -1;
    // Directions without a pattern; any will do.
    const u = ((attempt * 0.618033988749895 + 0.137) % 1) * 6.283185307179586;
    const h = ((attempt * 0.7548776662466927 + 0.291) % 1) * 2 - 1;
    const r = Math.sqrt(1 - h * h);
    far[0] = x + reach * r * Math.cos(u);
    far[1] = y + reach * r * Math.sin(u);
    far[2] = z + reach * h;
    let through = 0;
    for (let t = 0; t < soup.length; t += 9) {
      const sp = side(soup, t, soup, t + 3, soup, t + 6, here, 0);
      const sq = side(soup, t, soup, t + 3, soup, t + 6, far, 0);
      if (sp * sq > 0) continue;
      if (sp === 0 && sq === 0) continue next;
      const a = side(here, 0, far, 0, soup, t, soup, t + 3);
      const b = side(here, 0, far, 0, soup, t + 3, soup, t + 6);
      const c = side(here, 0, far, 0, soup, t + 6, soup, t);
      if ((a < 0 || b < 0 || c < 0) && (a > 0 || b > 0 || c > 0)) continue;
      if (sp === 0) return -1;
      if (sq === 0 || a === 0 || b === 0 || c === 0) continue next;
      through++;
    }
    return (through & 1) as 0 | 1;
  }
}
