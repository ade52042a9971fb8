/**
 * When does a character that goes from one frame of its animation to the next first touch something? Its vertices go straight from
 * where the one pose has them to where the other has. Only triangles that can meet something are skinned, in both poses: those in
 * boxes around both boxes of a node. What is left is decided exactly, by the test for triangles that deform.
 */
import type { AnyShape, AnySimpleShape } from '../continuous/any-shape.ts';
import { castDeforming } from '../continuous/deforming/cast-deforming.ts';
import { DeformingMesh } from '../continuous/deforming/deforming-mesh.ts';
import {
  type DeformingPart,
  type DeformingTriangles,
  deformingTarget,
} from '../continuous/deforming/deforming-target.ts';
import { mustBeOptions, mustBePose, mustHave, mustNotBeNegative, refuse } from '../math/check.ts';
import { composePoses } from '../math/pose.ts';
import * as q4 from '../math/quat.ts';
import { pose as makePose, type ReadonlyPose, type Vec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { findCrossing, writeCrossing } from './crossing.ts';
import type { SkinnedShape } from './skinned-shape.ts';
import {
  type Gathered,
  NO_TREE,
  type PlacedMesh,
  type Region,
  SweptSurface,
  sweptPairs,
} from './swept-surface.ts';

/** A shape where it stands: a collider, or a bare shape at the origin. */
export type Placed<S extends AnyShape> = S | { readonly shape: S; readonly pose: ReadonlyPose };

/** A character in one frame of its animation, and in the next: two instances of one skin. */
export interface SkinnedMotion {
  readonly from: Placed<AnyShape>;
  readonly to: Placed<AnyShape>;
}

/** What a character meets between two frames: anything that stands, or another character. */
export type SkinnedTarget = Placed<AnyShape> | SkinnedMotion;

export interface CastSkinnedOptions {
  /** Things touch when they are as near as this. Default: 0. */
  readonly separation?: number;
}

/** The first contact. */
export interface SkinnedHit {
  /** In [0, 1]. Never later than the exact time. */
  t: number;
  /** Where, on the one that moves. */
  point: Vec3;
  /** Unit vector out of what is hit. */
  normal: Vec3;
  /** The triangle of the one that moves, and of what is hit; -1 if that has none. */
  triangle: number;
  otherTriangle: number;
  /** Of a compound that is hit, the number of the child; -1 for others. */
  child: number;
}

export const makeSkinnedHit = (): SkinnedHit => ({
  t: 0.5,
  point: vec3(0.5, 0.5, 0.5),
  normal: vec3(0.5, 0.5, 0.5),
  triangle: -1,
  otherTriangle: -1,
  child: -1,
});

const CALLER = 'castSkinned';

/**
 * The first contact of a character that goes from one frame of its animation to the next, each vertex on a straight line, with what
 * stands or with another character that does the same; null if there is none. Nothing is missed and nothing made up: it is as if
 * `castDeforming` were asked about all triangles, and triangles that cross each other at the start touch at t = 0. It is about
 * surfaces: what is inside of a solid without touching its surface does not touch it, but for half-spaces and round shapes.
 *
 * Vertices that a pose of the body turns are rounded, once. What can meet is skinned, in both poses, and nothing else.
 */
export function castSkinned(
  mover: SkinnedMotion,
  target: SkinnedTarget,
  options: CastSkinnedOptions = {},
  out: SkinnedHit = makeSkinnedHit(),
): SkinnedHit | null {
  mustBeOptions(CALLER, 'options', options, 'separation');
  const { separation = 0 } = options;
  mustNotBeNegative(CALLER, 'options.separation', separation);
  const moving = readMotion('mover', mover);
  if (isMotion(target)) return castSurfaces(moving, readMotion('target', target), separation, -1, out);
  const { shape, pose } = readPlaced('target', target);
  if (shape.kind !== 'compound') return castSimple(moving, shape, pose, separation, -1, out);
  let first: SkinnedHit | null = null;
  shape.children.forEach((child, i) => {
    const at = pose === null ? readPose(child.pose) : composePoses(pose, child.pose);
    // Another one than what the user holds: the first may not be the least.
    const hit = castSimple(moving, child.shape, at, separation, i, makeSkinnedHit());
    if (hit !== null && (first === null || hit.t < first.t)) first = hit;
  });
  return first === null ? null : copyHit(first, out);
}

/** Both frames of a character. */
interface Motion {
  readonly start: PlacedMesh;
  readonly end: PlacedMesh;
}

const isMotion = (target: SkinnedTarget): target is SkinnedMotion =>
  typeof target === 'object' && target !== null && 'from' in target;

function readMotion(name: string, motion: SkinnedMotion): Motion {
  mustHave(CALLER, name, motion, 'a motion {from, to}', 'from');
  const from = readSkinned(`${name}.from`, motion.from);
  const to = readSkinned(`${name}.to`, motion.to);
  if (from.shape.skin !== to.shape.skin)
    refuse(CALLER, `${name}.to`, 'must have the skin of what it comes from: make it by instance()');
  return {
    start: { mesh: from.shape.state.mesh, pose: from.pose },
    end: { mesh: to.shape.state.mesh, pose: to.pose },
  };
}

function readSkinned(
  name: string,
  placed: Placed<AnyShape>,
): { shape: SkinnedShape; pose: ReadonlyPose | null } {
  const { shape, pose } = readPlaced(name, placed);
  if (shape.kind !== 'skinned') refuse(CALLER, name, 'must be a skinned mesh');
  return { shape: shape as unknown as SkinnedShape, pose };
}

function readPlaced(name: string, placed: Placed<AnyShape>): { shape: AnyShape; pose: ReadonlyPose | null } {
  if (typeof placed === 'object' && placed !== null && 'shape' in placed) {
    const { shape, pose } = placed;
    mustHave(CALLER, `${name}.shape`, shape, 'a shape', 'kind');
    mustBePose(CALLER, `${name}.pose`, pose);
    return { shape, pose: readPose(pose) };
  }
  mustHave(CALLER, name, placed, 'a shape or a collider', 'kind');
  return { shape: placed, pose: null };
}

/** A copy, with a quaternion of length 1. */
function readPose({ position, quaternion }: ReadonlyPose): ReadonlyPose {
  const out = makePose();
  v3.copy(position, out.position);
  q4.normalize(quaternion, out.quaternion);
  return out;
}

/** The mesh of what has one. */
const meshOf = (shape: AnySimpleShape): Mesh | null =>
  shape.kind === 'mesh'
    ? shape
    : shape.kind === 'skinned'
      ? (shape as unknown as SkinnedShape).state.mesh
      : shape.kind === 'heightField'
        ? shape.mesh
        : null;

function castSimple(
  moving: Motion,
  shape: AnySimpleShape,
  pose: ReadonlyPose | null,
  separation: number,
  child: number,
  out: SkinnedHit,
): SkinnedHit | null {
  const mesh = meshOf(shape);
  if (mesh !== null) {
    const still = { mesh, pose };
    return castSurfaces(moving, { start: still, end: still }, separation, child, out);
  }
  const part = deformingTarget(shape, pose ?? undefined) as DeformingPart;
  const surface = new SweptSurface(moving.start, moving.end);
  const isMade = part.kind === 'halfSpace' || part.kind === 'convex';
  const region = regionOf(part);
  const pairs = sweptPairs(surface, region, isMade ? separation : separation + (part.radius ?? 0));
  const other = isMade ? null : gatheredOf(part);
  return cast({ surface, against: part, other, otherSurface: null, pairs, separation, child }, out);
}

function castSurfaces(
  moving: Motion,
  target: Motion,
  separation: number,
  child: number,
  out: SkinnedHit,
): SkinnedHit | null {
  const surface = new SweptSurface(moving.start, moving.end);
  const otherSurface = new SweptSurface(target.start, target.end);
  const pairs = sweptPairs(surface, { ...EVERYWHERE, surface: otherSurface }, separation);
  const other = otherSurface.gather();
  return cast({ surface, against: other, other, otherSurface, pairs, separation, child }, out);
}

const EVERYWHERE: Region = {
  surface: null,
  box: Float64Array.of(-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity),
  plane: null,
};

function regionOf(part: DeformingPart): Region {
  if (part.kind === 'halfSpace') {
    const { x, y, z } = part.normal;
    return { ...EVERYWHERE, plane: Float64Array.of(x, y, z, part.d) };
  }
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  if (part.kind === 'convex') {
    const { min, max } = part.bounds;
    box.set([min.x, min.y, min.z, max.x, max.y, max.z]);
  } else
    for (let i = 0; i < part.positions0.length; i++) {
      const k = i % 3;
      box[k] = Math.min(box[k]!, part.positions0[i]!);
      box[k + 3] = Math.max(box[k + 3]!, part.positions0[i]!);
    }
  return { ...EVERYWHERE, box };
}

function gatheredOf({ positions0, positions1 = positions0, indices }: DeformingTriangles): Gathered {
  const list = indices instanceof DeformingMesh ? indices.indices : indices;
  return { positions0, positions1, indices: list, leaves: new Map([[NO_TREE, 0]]) };
}

/** What is left of a cast when it is known which triangles can meet. */
interface Found {
  readonly surface: SweptSurface;
  readonly against: DeformingPart;
  /** Its triangles, and the surface that they are of, if it has some. */
  readonly other: Gathered | null;
  readonly otherSurface: SweptSurface | null;
  readonly pairs: readonly number[];
  readonly separation: number;
  readonly child: number;
}

function cast(found: Found, out: SkinnedHit): SkinnedHit | null {
  const { surface, against, other, otherSurface, pairs, separation, child } = found;
  const own = surface.gather();
  const { positions0, positions1, indices } = own;
  const contact = castDeforming(positions0, positions1, indices, { against, separation });
  const crossing = contact?.t === 0 || other === null ? null : findCrossing(own, other, pairs);
  if (crossing !== null) {
    writeCrossing(own, other!, crossing, out);
    out.triangle = surface.idOf(crossing.triangle);
    out.otherTriangle = otherSurface === null ? -1 : otherSurface.idOf(crossing.other);
  } else if (contact === null) return null;
  else {
    const { kind, vertices: v, t, normal, weights } = contact;
    const isVertex = kind === 'vertex-face' || kind === 'vertex-plane';
    const isEdge = kind === 'edge-edge';
    out.t = t;
    // Of a face that is hit by a vertex, or a shape, the normal points away from the one that moves.
    const isFace = !isVertex && !isEdge;
    const sign = isFace ? -1 : 1;
    v3.set(sign * normal.x + 0, sign * normal.y + 0, sign * normal.z + 0, out.normal);
    if (isFace) pointOfFace(own, v, weights, t, out.point);
    else v3.copy(contact.point, out.point);
    const mine = isVertex ? [v[0]!] : isEdge ? [v[0]!, v[1]!] : [v[1]!, v[2]!, v[3]!];
    const theirs = isVertex ? [v[1]!, v[2]!, v[3]!] : isEdge ? [v[2]!, v[3]!] : [v[0]!];
    out.triangle = surface.idOf(triangleWith(indices, mine));
    out.otherTriangle = otherSurface === null ? -1 : otherSurface.idOf(triangleWith(other!.indices, theirs));
  }
  out.child = child;
  return out;
}

/** A point of a face at a time, by its weights. */
function pointOfFace(
  { positions0, positions1 }: Gathered,
  vertices: ArrayLike<number>,
  weights: ArrayLike<number>,
  t: number,
  out: Vec3,
): void {
  v3.set(0, 0, 0, out);
  for (let i = 1; i < 4; i++) {
    const at = 3 * vertices[i]!;
    const w = weights[i]!;
    out.x += w * ((1 - t) * positions0[at]! + t * positions1[at]!);
    out.y += w * ((1 - t) * positions0[at + 1]! + t * positions1[at + 1]!);
    out.z += w * ((1 - t) * positions0[at + 2]! + t * positions1[at + 2]!);
  }
}

/** The first triangle that has these vertices. */
function triangleWith(indices: ArrayLike<number>, vertices: readonly number[]): number {
  for (let i = 0; i < indices.length; i += 3)
    if (vertices.every((v) => indices[i] === v || indices[i + 1] === v || indices[i + 2] === v)) return i / 3;
  return -1;
}

function copyHit(from: SkinnedHit, out: SkinnedHit): SkinnedHit {
  out.t = from.t;
  v3.copy(from.point, out.point);
  v3.copy(from.normal, out.normal);
  out.triangle = from.triangle;
  out.otherTriangle = from.otherTriangle;
  out.child = from.child;
  return out;
}
