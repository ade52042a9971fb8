/**
 * Spheres around points, fast and tight. Each method chooses a center; the radius is then measured to the farthest point
 * and rounded up, so the sphere holds every point and none is larger than its center needs. RTCD §4.3.2 to §4.3.4.
 */
import { mustBeOptions, mustBeWhole } from '../math/check.ts';
import { eigenSymmetric } from '../math/eigen.ts';
import { mat3, type ReadonlyVec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { makeSphere, type Sphere } from '../primitives/types.ts';
import { type PointSet, readPoints } from './point-set.ts';
import { enterFrame, type Frame, leaveFrame } from './point-set-frame.ts';
import { covarianceOf, extremesOf, makeExtremes } from './point-set-spread.ts';
import { radiusAbout } from './sphere.ts';

/**
 * A sphere about the middle of the box of the points: the quickest, up to 1.73 times too large. (The mean of the
 * points is no better a center: where they crowd on one side the sphere comes out up to twice too large.)
 */
export function fitSphereMidpoint(points: PointSet, out: Sphere = makeSphere()): Sphere {
  const world = readPoints('fitSphereMidpoint', points);
  const frame = enterFrame(world.slice());
  return measured(world, frame, ORIGIN, out);
}

const ORIGIN: ReadonlyVec3 = vec3();

/**
 * A sphere in two passes: about the two points that are farthest apart among the extremes of the axes, then grown
 * point by point. Over random clouds 1 % too large on average, a quarter at worst. Ritter 1990, RTCD §4.3.2.
 */
export function fitSphereRitter(points: PointSet, out: Sphere = makeSphere()): Sphere {
  const world = readPoints('fitSphereRitter', points);
  const local = world.slice();
  const frame = enterFrame(local);
  return measured(world, frame, ritter(local).center, out);
}

/**
 * As `fitSphereRitter`, but begun with the two extreme points along the direction in which the points spread most, so
 * that it does not depend on how a long thing lies to the axes. Wu 1992, RTCD §4.3.3.
 */
export function fitSphereSpread(points: PointSet, out: Sphere = makeSphere()): Sphere {
  const world = readPoints('fitSphereSpread', points);
  const local = world.slice();
  const frame = enterFrame(local);
  const axes = eigenSymmetric(covarianceOf(local, mat3())).vectors.elements;
  const { least, most } = extremesOf(
    local,
    vec3(axes[0], axes[1], axes[2]),
    local.length / 3,
    makeExtremes(),
  );
  const sphere = spanned(local, least, most);
  growOver(local, sphere);
  return measured(world, frame, sphere.center, out);
}

export interface IterativeFitOptions {
  /** How often to shrink and grow again. Default: 8. */
  passes?: number;
  /** Picks the order in which the points are taken: a whole number. The same seed gives the same sphere. */
  seed?: number;
}

/** More passes find nothing better, and would take for ever. */
const MOST_PASSES = 10_000;

/** By how much each pass shrinks the sphere before it grows again, after RTCD §4.3.4. */
const SHRINK = 0.95;

/**
 * Ritter's sphere, shrunk and grown again over the points in random order, and the best of all: over
 * random clouds 0.2 % too large on average, 4 % at worst, and never larger than `fitSphereRitter`. RTCD §4.3.4.
 */
export function fitSphereIterative(
  points: PointSet,
  options: IterativeFitOptions = {},
  out: Sphere = makeSphere(),
): Sphere {
  mustBeOptions('fitSphereIterative', 'options', options, 'passes seed');
  const { passes = 8, seed = 1 } = options;
  const world = readPoints('fitSphereIterative', points);
  mustBeWhole('fitSphereIterative', 'options.passes', passes, 0, MOST_PASSES);
  mustBeWhole('fitSphereIterative', 'options.seed', seed, -Infinity, Infinity);
  const local = world.slice();
  const frame = enterFrame(local);
  const sphere = ritter(local);
  const best = measured(world, frame, sphere.center, makeSphere());
  const trial = makeSphere();
  let state = seed;
  for (let pass = 0; pass < passes; pass++) {
    state = shufflePoints(local, state);
    sphere.radius *= SHRINK;
    growOver(local, sphere);
    measured(world, frame, sphere.center, trial);
    if (trial.radius < best.radius) {
      v3.copy(trial.center, best.center);
      best.radius = trial.radius;
    }
  }
  v3.copy(best.center, out.center);
  out.radius = best.radius;
  return out;
}

/** The sphere about a local center that holds all the points. */
function measured(world: Float64Array, frame: Frame, center: ReadonlyVec3, out: Sphere): Sphere {
  leaveFrame(frame, center, out.center);
  out.radius = radiusAbout(world, out.center);
  return out;
}

function ritter(local: Float64Array): Sphere {
  const count = local.length / 3;
  const extremes = makeExtremes();
  const sphere = makeSphere();
  sphere.radius = -1;
  for (const axis of [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)]) {
    extremesOf(local, axis, count, extremes);
    const span = spanned(local, extremes.least, extremes.most);
    if (span.radius > sphere.radius) {
      sphere.center = span.center;
      sphere.radius = span.radius;
    }
  }
  growOver(local, sphere);
  return sphere;
}

/** The sphere with two of the points as ends of a diameter. */
function spanned(local: Float64Array, i: number, j: number): Sphere {
  const a = vec3(local[3 * i], local[3 * i + 1], local[3 * i + 2]);
  const b = vec3(local[3 * j], local[3 * j + 1], local[3 * j + 2]);
  return { center: v3.lerp(a, b, 0.5), radius: 0.5 * v3.distance(a, b) };
}

/** Grows the sphere over each point outside: to the smallest sphere that holds both. */
function growOver(local: Float64Array, sphere: Sphere): void {
  let { x: cx, y: cy, z: cz } = sphere.center;
  let r = sphere.radius;
  for (let i = 0; i < local.length; i += 3) {
    const x = local[i]! - cx;
    const y = local[i + 1]! - cy;
    const z = local[i + 2]! - cz;
    const sq = x * x + y * y + z * z;
    if (sq <= r * r) continue;
    const d = Math.sqrt(sq);
    const t = 0.5 * (1 - r / d);
    cx += t * x;
    cy += t * y;
    cz += t * z;
    r = 0.5 * (r + d);
  }
  v3.set(cx, cy, cz, sphere.center);
  sphere.radius = r;
}

/** Seeded shuffling: the same seed gives the same order everywhere. */

/**
 * Brings flat points into a random order, in place. Returns the seed for the next shuffle. Fisher and Yates, on
 * Marsaglia's xorshift32 (2003).
 */
function shufflePoints(coordinates: Float64Array, seed: number): number {
  let state = seed | 0 || 1; // zero would stay zero
  for (let i = coordinates.length / 3 - 1; i > 0; i--) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    swapPoints(coordinates, i, Math.floor(((state >>> 0) / 4294967296) * (i + 1)));
  }
  return state;
}

function swapPoints(coordinates: Float64Array, i: number, j: number): void {
  for (let k = 0; k < 3; k++) {
    const held = coordinates[3 * i + k]!;
    coordinates[3 * i + k] = coordinates[3 * j + k]!;
    coordinates[3 * j + k] = held;
  }
}
