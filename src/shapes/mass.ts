/** Volume, centre of mass and inertia of shapes. */
import { mustNotBeNegative, refuse } from '../math/check.ts';
import * as m3 from '../math/mat3.ts';
import type { Mat3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { fans, massOf as massOfTriangles } from '../mesh/mass.ts';
import type { Triangles } from '../mesh/triangles.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import { isClosed } from '../trimesh/derived.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { mustBeShape } from './check.ts';
import { momentsOfField } from './fields/field-moments.ts';
import { hull, segment } from './flat-sided-shapes.ts';
import {
  diagonal,
  imageMoments,
  inertiaOf,
  type Moments,
  makeMoments,
  middleOf,
  noMoments,
  posedMoments,
  spreadOf,
  square,
  sumMoments,
} from './moments.ts';
import { revolvedMoments } from './revolve.ts';
import { roundedMoments } from './rounded-moments.ts';
import { sampledMoments } from './sampled-moments.ts';
import type { BoxShape, ConvexShape, HullShape, SegmentShape, Shape, SimpleShape } from './shape.ts';

/** Volume, centre of mass and inertia of a shape of even density. */
export interface ShapeMass {
  volume: number;
  /** Volume times density. */
  mass: number;
  /** Centre of mass; of what has no volume, the middle. */
  centroid: Vec3;
  /** The inertia tensor about the centroid. */
  inertia: Mat3;
}

/**
 * The mass properties of a shape, in its own space. Right to nearly all digits, with two exceptions that are right to
 * about four (three for plates and rods with thin round edges): custom support maps, and ellipsoids with a
 * rounding.
 *
 * Triangles, polygons, segments and points without rounding, and height fields, are no solids: they have volume and mass 0.
 * A mesh must be closed: one with holes has no inside, so it is refused, and so is a half-space,
 * which is infinite. Of a closed mesh cavities take away. What children of a compound have in common counts as often as
 * it is there. O(1) for round shapes and boxes, O(n) for others.
 */
export function massOf(shape: Shape, density = 1): ShapeMass {
  mustBeShape('massOf', 'shape', shape);
  mustNotBeNegative('massOf', 'density', density);
  const moments = momentsOf(shape);
  const { volume, centroid } = moments;
  const mass = density * volume;
  const inertia = m3.scale(inertiaOf(moments), density);
  if ((mass + v3.lengthSq(centroid) + inertia.elements.reduce((sum, e) => sum + e, 0)) * 0 !== 0)
    refuse('massOf', 'shape', 'must not be so large that its inertia is beyond the range of numbers');
  return { volume, mass, centroid, inertia };
}

function momentsOf(shape: Shape): Moments {
  switch (shape.kind) {
    case 'halfSpace':
      return refuse('massOf', 'shape', 'must not be a half-space: that has infinite mass; give it none');
    case 'compound': {
      const parts = shape.children.map((child) => posedMoments(momentsOfSimple(child.shape), child.pose));
      return sumMoments(parts, middleOf(shape.bounds.min, shape.bounds.max));
    }
    case 'skinned':
      return momentsOfMesh(shape.mesh);
    default:
      return momentsOfSimple(shape);
  }
}

function momentsOfSimple(shape: SimpleShape): Moments {
  switch (shape.kind) {
    case 'mesh':
      return momentsOfMesh(shape);
    case 'heightField':
      return noMoments(middleOf(shape.mesh.bounds.min, shape.mesh.bounds.max));
    case 'sdf':
    case 'csg':
    case 'parametric':
    case 'solid':
    case 'levelSet':
      return momentsOfField(shape);
    default:
      return momentsOfConvex(shape);
  }
}

function momentsOfMesh(mesh: Mesh): Moments {
  if (!isClosed(mesh))
    refuse(
      'massOf',
      'shape',
      'must be a closed mesh to have an inside; inspect shows its holes, repair may close them',
    );
  return momentsOfTriangles({ positions: mesh.vertices, index: Uint32Array.from(mesh.corners) });
}

function momentsOfTriangles(triangles: Triangles): Moments {
  const { volume, centroid, inertia } = massOfTriangles(triangles, 1);
  return { volume, centroid, spread: spreadOf(inertia) };
}

function momentsOfConvex(shape: ConvexShape): Moments {
  switch (shape.kind) {
    case 'point':
      return noMoments(vec3());
    case 'sphere':
      return ellipsoidMoments(shape.radius, shape.radius, shape.radius);
    case 'box':
      return boxMoments(shape);
    case 'capsule':
      return revolvedMoments(shape.halfHeight, 0, 0, shape.radius);
    case 'cylinder':
      return revolvedMoments(shape.halfHeight, shape.radius, shape.radius, shape.rounding);
    case 'cone':
      return revolvedMoments(shape.halfHeight, 0, shape.radius, shape.rounding);
    case 'segment':
      return segmentMoments(shape);
    case 'ellipsoid':
      if (shape.rounding > 0) return sampledMoments(shape.core);
      return ellipsoidMoments(shape.radii.x, shape.radii.y, shape.radii.z);
    case 'convex':
      if (shape.image === null) return sampledMoments(shape.core);
      return imageMoments(momentsOfConvex(shape.image.shape), shape.image.matrix, vec3());
    case 'hull':
      if (shape.rounding > 0) return roundedHullMoments(shape);
      return shape.faces && isSolid(shape.faces)
        ? momentsOfTriangles(fans(shape.faces))
        : noMoments(shape.core.center);
    default: {
      if (shape.rounding === 0) return noMoments(shape.core.center);
      const points = shape.kind === 'triangle' ? [shape.a, shape.b, shape.c] : shape.points;
      return roundedHullMoments(hull(points, shape.rounding));
    }
  }
}

function roundedHullMoments({ faces, points, rounding, core }: HullShape): Moments {
  if (faces) return roundedMoments(faces, rounding, core.center);
  return segmentMoments(segment(points[0]!, points.at(-1)!, rounding));
}

/** More than two faces back to back. */
const isSolid = ({ faces }: ReadonlyPolyhedron): boolean => faces.length > 2;

function ellipsoidMoments(x: number, y: number, z: number): Moments {
  const volume = (4 / 3) * Math.PI * x * y * z;
  return makeMoments(volume, vec3(), (volume * x * x) / 5, (volume * y * y) / 5, (volume * z * z) / 5);
}

/** A capsule between any two points. */
function segmentMoments({ a, b, rounding, core }: SegmentShape): Moments {
  const { volume, spread } = revolvedMoments(0.5 * v3.distance(a, b), 0, 0, rounding);
  const across = spread.elements[0]!;
  const along = spread.elements[4]!;
  const axis = square(v3.normalize(v3.sub(b, a)));
  const rotated = m3.add(diagonal(across, across, across), m3.scale(axis, along - across));
  return { volume, centroid: v3.copy(core.center), spread: rotated };
}

/**
 * Parts by the axes along which they lie beyond the box: the box, six slabs, twelve quarters of a cylinder, eight
 * eighths of a ball; those of a kind have the same share of each integral. Beyond the half size h a point is at
 * h + e, so that its square is h² + 2 h e + e²: `mean` and `square` are the integrals of e and e² over a part in units
 * of the rounding, divided by its `size`.
 */
function boxMoments({ halfSize, rounding }: BoxShape): Moments {
  const half = [halfSize.x, halfSize.y, halfSize.z];
  const spread = [0, 0, 0];
  let volume = 0;
  for (let beyond = 0; beyond < 8; beyond++) {
    const isBeyond = [(beyond & 1) !== 0, (beyond & 2) !== 0, (beyond & 4) !== 0];
    const part = BEYOND[isBeyond.filter(Boolean).length]!;
    let size = part.size;
    for (let k = 0; k < 3; k++) size *= 2 * (isBeyond[k] ? rounding : half[k]!);
    volume += size;
    for (let k = 0; k < 3; k++) {
      const h = half[k]!;
      const beyondIt = h * h + 2 * h * rounding * part.mean + rounding * rounding * part.square;
      spread[k]! += size * (isBeyond[k] ? beyondIt : (h * h) / 3);
    }
  }
  return makeMoments(volume, vec3(), spread[0]!, spread[1]!, spread[2]!);
}

/** The part of the unit cube in 0 to 3 dimensions that the unit ball fills, and the means of e and e² in it. */
const BEYOND = [
  { size: 1, mean: 0, square: 0 },
  { size: 1, mean: 1 / 2, square: 1 / 3 },
  { size: Math.PI / 4, mean: 4 / (3 * Math.PI), square: 1 / 4 },
  { size: Math.PI / 6, mean: 3 / 8, square: 1 / 5 },
];
