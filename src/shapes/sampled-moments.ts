/** Moments of convex sets that are known by their support map only. */
import { type ConvexCore, supportCore } from '../convex/core.ts';
import { eigenSymmetric } from '../math/eigen.ts';
import * as m3 from '../math/mat3.ts';
import type { Mat3, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { mat3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { massOf } from '../mesh/mass.ts';
import type { Triangles } from '../mesh/triangles.ts';
import { diagonal, imageMoments, type Moments, noMoments, spreadOf } from './moments.ts';

/** Directions along the edge of an octant: for a first look, and for the two looks that the result comes from. */
const COARSE = 6;
const FINE = 32;
/** How often the set is made rounder, at most. */
const ROUNDS = 8;
/** A set so much thinner than wide is flat. */
const FLAT = 1e-13;

/**
 * The moments of a core and its rounding, to four digits or better, but for plates and rods with edges that are round and
 * a hundred times thinner: there to three.
 *
 * A triangulation of all directions, taken to the support points, is a surface inscribed to the set. Its error goes with
 * the square of the distance between directions, so that two samplings, one twice as fine, show the limit. Sets much
 * longer than wide are first stretched until they are not, as moments allow: few directions see the middle of a needle.
 *
 * @internal
 */
export function sampledMoments(core: ConvexCore): Moments {
  // body = stretch × (what is sampled) + middle
  let stretch = diagonal(1, 1, 1);
  const middle = vec3();
  let axes = stretch;
  for (let round = 0; ; round++) {
    const { width, center } = widthsAlong(core, stretch, axes);
    const widest = Math.max(width.x, width.y, width.z);
    const thinnest = Math.min(width.x, width.y, width.z);
    if (round === 0) v3.copy(center, middle);
    if (!(thinnest > FLAT * widest)) return noMoments(middle);
    stretch = m3.multiply(m3.multiply(stretch, axes), diagonal(width.x, width.y, width.z));
    if (round > 0 && (widest <= 2 * thinnest || round === ROUNDS)) break;
    const { spread, volume } = momentsOf(surface(core, stretch, middle, COARSE));
    axes = volume > 0 ? eigenSymmetric(spread).vectors : diagonal(1, 1, 1);
  }
  const coarse = momentsOf(surface(core, stretch, middle, FINE));
  const fine = momentsOf(surface(core, stretch, middle, 2 * FINE));
  return imageMoments(extrapolate(coarse, fine), stretch, middle);
}

/** Where the errors of the two lead, four times as large in the first as in the second. */
function extrapolate(coarse: Moments, fine: Moments): Moments {
  const limit = (a: number, b: number): number => b + (b - a) / 3;
  const spread = mat3();
  spread.elements = fine.spread.elements.map((x, i) => limit(coarse.spread.elements[i]!, x));
  return {
    volume: limit(coarse.volume, fine.volume),
    centroid: vec3(
      limit(coarse.centroid.x, fine.centroid.x),
      limit(coarse.centroid.y, fine.centroid.y),
      limit(coarse.centroid.z, fine.centroid.z),
    ),
    spread,
  };
}

function momentsOf(triangles: Triangles): Moments {
  const { volume, centroid, inertia } = massOf(triangles, 1);
  return { volume, centroid, spread: spreadOf(inertia) };
}

/** Half the widths of the set, once unstretched, along orthogonal axes; and the middle of its box of those sides. */
function widthsAlong(core: ConvexCore, stretch: Mat3, axes: Mat3): { width: Vec3; center: Vec3 } {
  const sample = sampler(core, stretch, vec3());
  const [high, low] = [vec3(), vec3()];
  const width: number[] = [];
  const center = vec3();
  for (let k = 0; k < 3; k++) {
    const axis = m3.column(axes, k);
    sample(axis, high);
    sample(v3.negate(axis), low);
    width.push(0.5 * v3.dot(axis, v3.sub(high, low)));
    v3.addScaled(center, axis, 0.5 * (v3.dot(axis, high) + v3.dot(axis, low)), center);
  }
  return { width: vec3(width[0], width[1], width[2]), center };
}

/** The support map of the rounded core, moved by -middle and unstretched. */
function sampler(
  core: ConvexCore,
  stretch: Mat3,
  middle: ReadonlyVec3,
): (d: ReadonlyVec3, out: Vec3) => Vec3 {
  const inverse = m3.inverse(stretch) ?? diagonal(1, 1, 1);
  const direction = vec3();
  const unit = vec3();
  return (d, out) => {
    // x = inverse (y - middle) is farthest along d where y is farthest along inverseᵀ d.
    v3.transformTransposed(d, inverse, direction);
    supportCore(core, direction, -1, out);
    v3.addScaled(out, v3.normalize(direction, unit), core.radius, out);
    return v3.transform(v3.sub(out, middle, out), inverse, out);
  };
}

/** The surface through the support points along the directions (i, j, k) of each octant, i + j + k = n. */
function surface(core: ConvexCore, stretch: Mat3, middle: ReadonlyVec3, n: number): Triangles {
  const sample = sampler(core, stretch, middle);
  const each = ((n + 1) * (n + 2)) / 2;
  const positions = new Float64Array(8 * each * 3);
  const index: number[] = [];
  const p = vec3();
  let count = 0;
  for (let octant = 0; octant < 8; octant++) {
    const sx = octant & 1 ? -1 : 1;
    const sy = octant & 2 ? -1 : 1;
    const sz = octant & 4 ? -1 : 1;
    const isMirrored = sx * sy * sz < 0;
    for (let i = 0; i <= n; i++)
      for (let j = 0; i + j <= n; j++) {
        // No negative zeros: neighbouring octants have to ask exactly the same.
        sample(vec3(sx * i + 0, sy * j + 0, sz * (n - i - j) + 0), p);
        positions.set([p.x, p.y, p.z], 3 * count);
        const below = count + n - i + 1; // (i + 1, j)
        if (i + j < n) addTriangle(index, count, below, count + 1, isMirrored);
        if (i + j < n - 1) addTriangle(index, count + 1, below, below + 1, isMirrored);
        count++;
      }
  }
  return { positions, index: Uint32Array.from(index) };
}

function addTriangle(index: number[], a: number, b: number, c: number, isMirrored: boolean): void {
  if (isMirrored) index.push(a, c, b);
  else index.push(a, b, c);
}
