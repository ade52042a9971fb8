/**
 * Spheres, oriented boxes and k-DOPs as bounding volumes of trees. RTCD §4.3, §4.4, §4.6.
 *
 * To build a tree of `trees/` over other volumes than boxes, and to compare them. Production trees hold axis-aligned
 * boxes; mesh against mesh uses oriented ones (`trimesh/mesh-mesh/box-tree.ts`).
 */
import { checkObb, checkPlane, checkSphere, refuse } from '../../math/check.ts';
import { EPS64, roundDownF32, roundUpF32 } from '../../math/float.ts';
import * as m3 from '../../math/mat3.ts';
import { type ReadonlyPlane, type ReadonlyVec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { convexHull3 } from '../../polytope/convex-hull3.ts';
import { rayObb } from '../../primitives/ray/ray-obb.ts';
import { raySphere } from '../../primitives/ray/ray-sphere.ts';
import {
  makeHit,
  makeObb,
  makeSphere,
  type Obb,
  type ReadonlyObb,
  type ReadonlyRay,
  type ReadonlySphere,
  type Sphere,
} from '../../primitives/types.ts';
import {
  containsPointKdop,
  fitKdop,
  type Kdop,
  type KdopSides,
  kdopAxes,
  makeKdop,
  mergeKdop,
  mustBeKdop,
  overlapKdopKdop,
  type ReadonlyKdop,
  rayKdop,
} from '../../volumes/kdop.ts';
import {
  areaObb,
  containsPointObb,
  loadObb,
  mergeObb,
  OBB_FLOATS,
  sideObbPlane,
  storeObb,
  transformObb,
  volumeObb,
} from '../../volumes/obb.ts';
import { fitObb } from '../../volumes/obb-fit.ts';
import { overlapObbObb } from '../../volumes/obb-overlap.ts';
import {
  areaSphere,
  containsPointSphere,
  mergeSphere,
  overlapSphereSphere,
  reachAbout,
  sideSpherePlane,
  transformSphere,
  volumeSphere,
} from '../../volumes/sphere.ts';
import { fitSphereMinimum } from '../../volumes/sphere-minimum.ts';
import { mustFit, type VolumeOps } from '../../volumes/volume.ts';
import { measureKdop, transformKdop } from './kdop-realign.ts';

const hit = makeHit();
const thick = makeObb();

/** Does the ray hit the box? In a box that is larger by what turning the ray into its frame may be off by. */
function rayHitsObb(ray: ReadonlyRay, box: ReadonlyObb, tMax?: number): boolean {
  checkObb('obbVolume.ray', 'volume', box);
  const { center: c, halfSize: h } = box;
  const { x, y, z } = ray.origin;
  const way = Math.abs(x - c.x) + Math.abs(y - c.y) + Math.abs(z - c.z) + 2 * (h.x + h.y + h.z);
  const room = 16 * EPS64 * way;
  v3.copy(c, thick.center);
  v3.set(h.x + room, h.y + room, h.z + room, thick.halfSize);
  m3.copy(box.rotation, thick.rotation);
  return rayObb(ray, thick, tMax, hit) !== null;
}

export const obbVolume: VolumeOps<Obb> = {
  kind: 'obb',
  byteSize: 4 * OBB_FLOATS,
  make: makeObb,
  fitPoints: (points, out) => fitObb(points, 'min', out),
  overlap: overlapObbObb,
  containsPoint: containsPointObb,
  ray: rayHitsObb,
  planeSide: sideObbPlane,
  merge: mergeObb,
  transform: transformObb,
  area: areaObb,
  volume: volumeObb,
  store: (box, target, offset) => {
    mustFit('obbVolume.store', target, offset, OBB_FLOATS);
    checkObb('obbVolume.store', 'volume', box);
    storeObb(box, target, offset);
  },
  load: (source, offset, out = makeObb()) => {
    mustFit('obbVolume.load', source, offset, OBB_FLOATS);
    return loadObb(source, offset, out);
  },
};

/** The operations of k-DOPs with so many sides. */
export function kdopVolume(sides: KdopSides): VolumeOps<Kdop> {
  const count = kdopAxes(sides).length;
  return {
    kind: `kdop${sides}`,
    byteSize: 8 * count,
    make: () => makeKdop(sides),
    fitPoints: (points, out) => fitKdop(points, sides, out),
    overlap: overlapKdopKdop,
    containsPoint: containsPointKdop,
    ray: rayKdop,
    planeSide: sideKdopPlane,
    merge: mergeKdop,
    transform: (kdop, pose, out) => transformKdop(kdop, pose, undefined, out),
    area: (kdop) => measureKdop(kdop).area,
    volume: (kdop) => measureKdop(kdop).volume,
    store: (kdop, target, offset) => {
      mustFit('kdopVolume.store', target, offset, 2 * count);
      mustBeKdop('kdopVolume.store', 'volume', kdop);
      for (let i = 0; i < count; i++) {
        const low = roundDownF32(kdop.min[i]!);
        const high = roundUpF32(kdop.max[i]!);
        if ((low + high) * 0 !== 0)
          refuse('kdopVolume.store', 'volume', 'must be within the range of float32');
        target[offset + i] = low;
        target[offset + count + i] = high;
      }
    },
    load: (source, offset, out = makeKdop(sides)) => {
      mustFit('kdopVolume.load', source, offset, 2 * count);
      for (let i = 0; i < count; i++) {
        out.min[i] = source[offset + i]!;
        out.max[i] = source[offset + count + i]!;
      }
      return out;
    },
  };
}

/** On which side of a plane is a k-DOP? Without its corners, which take long to find. */

/**
 * Three neighbouring normals of a k-DOP, each an axis or its opposite. A direction between them is α a + β b + γ c with
 * factors that are not negative, so no point of the k-DOP is farther along it than the same sum of its extents.
 */
interface Cone {
  /** Index of the axis, or ~index for its opposite. */
  readonly sides: readonly number[];
  /** The factors are the dot products of a direction with these. */
  readonly factors: readonly ReadonlyVec3[];
}

const cones = new Map<KdopSides, readonly Cone[]>();

/** All directions are in one of the cones: they are the faces of the hull of the normals. Made when first asked for. */
function conesOf(sides: KdopSides): readonly Cone[] {
  const known = cones.get(sides);
  if (known) return known;
  const axes = kdopAxes(sides);
  const normals = [...axes, ...axes.map((n) => v3.negate(n))];
  const { triangles } = convexHull3(normals.map((n) => v3.normalize(n)));
  const made: Cone[] = [];
  for (let i = 0; i < triangles.length; i += 3) {
    const corners = [triangles[i]!, triangles[i + 1]!, triangles[i + 2]!];
    const [a, b, c] = [normals[corners[0]!]!, normals[corners[1]!]!, normals[corners[2]!]!];
    const scale = 1 / v3.triple(a, b, c);
    made.push({
      sides: corners.map((k) => (k < axes.length ? k : ~(k - axes.length))),
      factors: [v3.cross(b, c), v3.cross(c, a), v3.cross(a, b)].map((v) => v3.scale(v, scale)),
    });
  }
  cones.set(sides, made);
  return made;
}

/**
 * 1 when the whole k-DOP lies in front of the plane, -1 behind, 0 when the plane touches it, passes closer than the
 * nearest three sides can tell, or rounding leaves a doubt.
 */
function sideKdopPlane(kdop: ReadonlyKdop, plane: ReadonlyPlane): -1 | 0 | 1 {
  mustBeKdop('kdopVolume.planeSide', 'volume', kdop);
  checkPlane('kdopVolume.planeSide', 'plane', plane);
  const { normal: n, d } = plane;
  const { sides, factors } = coneAround(conesOf(kdop.sides), n);
  let low = 0;
  let high = 0;
  let size = Math.abs(d);
  for (let k = 0; k < 3; k++) {
    const side = sides[k]!;
    const least = side >= 0 ? kdop.min[side]! : -kdop.max[~side]!;
    const most = side >= 0 ? kdop.max[side]! : -kdop.min[~side]!;
    const factor = v3.dot(factors[k]!, n);
    low += factor * least;
    high += factor * most;
    // The factors have components of at most 1, so their error is in proportion to the normal.
    const length = Math.abs(n.x) + Math.abs(n.y) + Math.abs(n.z);
    size += length * Math.max(Math.abs(least), Math.abs(most));
  }
  const doubt = 16 * EPS64 * size;
  return low - d > doubt ? 1 : high - d < -doubt ? -1 : 0;
}

/** The cone whose least factor is the largest: the one that the direction is in. */
function coneAround(all: readonly Cone[], direction: ReadonlyVec3): Cone {
  let best = all[0]!;
  let most = -Infinity;
  for (let i = 0; i < all.length; i++) {
    const [a, b, c] = all[i]!.factors;
    const least = Math.min(v3.dot(a!, direction), v3.dot(b!, direction), v3.dot(c!, direction));
    if (!(least > most)) continue;
    most = least;
    best = all[i]!;
  }
  return best;
}

/** Spheres as bounding volumes. */

const center = vec3();

/** A sphere of single-precision numbers around the sphere: the center is rounded, the radius makes up for it. */
export function roundSphereF32(sphere: ReadonlySphere, out: Sphere = makeSphere()): Sphere {
  checkSphere('roundSphereF32', 'sphere', sphere);
  const { x, y, z } = sphere.center;
  v3.set(Math.fround(x), Math.fround(y), Math.fround(z), center);
  const radius = roundUpF32(reachAbout(center, sphere));
  if ((center.x + center.y + center.z + radius) * 0 !== 0)
    refuse('roundSphereF32', 'sphere', 'must be within the range of float32');
  v3.copy(center, out.center);
  out.radius = radius;
  return out;
}

const sphereHit = makeHit();
const rounded = makeSphere();

/**
 * The sphere, larger by what the ray test may be wrong by: its distance of the center from the line comes from a cross
 * product, good to six half-steps of the distance from the origin.
 */
function widened({ origin }: ReadonlyRay, { center: c, radius }: ReadonlySphere): ReadonlySphere {
  const apart = Math.abs(c.x - origin.x) + Math.abs(c.y - origin.y) + Math.abs(c.z - origin.z);
  v3.copy(c, wide.center);
  wide.radius = radius + (radius + apart) * (8 * EPS64);
  return wide;
}
const wide = makeSphere();

export const sphereVolume: VolumeOps<Sphere> = {
  kind: 'sphere',
  byteSize: 16,
  make: makeSphere,
  fitPoints: fitSphereMinimum,
  overlap: overlapSphereSphere,
  containsPoint: containsPointSphere,
  ray: (ray, sphere, tMax) => raySphere(ray, widened(ray, sphere), tMax, sphereHit) !== null,
  planeSide: sideSpherePlane,
  merge: mergeSphere,
  transform: transformSphere,
  area: areaSphere,
  volume: volumeSphere,
  store: (sphere, target, offset) => {
    mustFit('sphereVolume.store', target, offset, 4);
    const { center: c, radius } = roundSphereF32(sphere, rounded);
    target[offset] = c.x;
    target[offset + 1] = c.y;
    target[offset + 2] = c.z;
    target[offset + 3] = radius;
  },
  load: (source, offset, out = makeSphere()) => {
    mustFit('sphereVolume.load', source, offset, 4);
    v3.set(source[offset]!, source[offset + 1]!, source[offset + 2]!, out.center);
    out.radius = source[offset + 3]!;
    return out;
  },
};
