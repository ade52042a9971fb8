/**
 * The algorithms that skinned meshes bring along: those of meshes, which ask for the part of the surface that they come to (see
 * `LiveTree`). What looks at all of it (rotations, depths) gets a mesh of the pose, which is made once.
 */
import { toSecond } from '../convex/frame.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { SkinPose } from '../skinned/skin-pose.ts';
import type { SkinnedShape } from '../skinned/skinned-shape.ts';
import { makeMeshPoint } from '../trimesh/closest.ts';
import { isInsideClosed } from '../trimesh/crossing-number.ts';
import { isClosed } from '../trimesh/derived.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { nearestLiveSlots, searchLivePairs } from '../trimesh/mesh-mesh/live-pairs.ts';
import { signedDistanceMesh } from '../trimesh/signed-distance.ts';
import { algorithmFor, familyOf, type ShapeFamily } from './family.ts';
import type { BodyContext } from './one-body/body-context.ts';
import { closestPointSurface, isOnSurfaceWithin, raycastSurface } from './one-body/surface.ts';
import { boxInMesh, convexSurface } from './pairs/convex-surface.ts';
import { surfaceHalfSpace } from './pairs/half-space.ts';
import { flipped, type PairAlgorithm, type WholeAlgorithm } from './pairs/pair.ts';
import type { PairContext } from './pairs/pair-context.ts';
import { asMesh, wholeBodies } from './pairs/penetration-depth.ts';
import { meshOf, type Surface } from './pairs/surface.ts';
import { surfacesBy } from './pairs/surface-surface.ts';
import type { ConvexShape, HalfSpaceShape } from './shape.ts';

/** Runs something on the pose that the mesh is in, which stays, whatever the user's code does meanwhile. */
function keeping<T>({ state }: SkinnedShape, run: (pose: SkinPose) => T): T {
  state.users++;
  try {
    return run(state);
  } finally {
    state.users--;
  }
}

/**
 * How deep it is as a whole is found out by directions that are tried all over it. Contacts do without: those of its triangles
 * are all that there is, unless the one floats in the other.
 */
const whole: WholeAlgorithm = {
  depth: (a, b, context, out) => wholeBodies.depth(a, b, context, out),
  manifold(a, b, context, sink) {
    const algorithm = algorithmFor(a, b);
    const { limit, separation } = context;
    let touching = false;
    algorithm.contacts(a, b, context, {
      add(contact) {
        touching ||= contact.separation <= 0;
        sink.add(contact);
      },
    });
    context.limit = limit;
    if (touching || !algorithm.intersects(a, b, context)) return;
    wholeBodies.depth(a, b, context, separation);
    sink.add(separation);
  },
};

const point = vec3();

/** Sets the limit to a distance within which the nearest triangle is, so that not all are asked for. */
function lowerLimit(a: ConvexShape, pose: SkinPose, context: PairContext): void {
  const { frame, limit } = context;
  const box = boxInMesh(a, context);
  const { mesh } = pose;
  toSecond(frame, a.core.center, point);
  if (isClosed(mesh) && isInsideClosed(point, mesh)) return; // then all are
  context.limit = Math.min(limit, pose.nearestTo(box, point, Math.max(0, limit)));
}

const convexSkinned: PairAlgorithm<ConvexShape, SkinnedShape> = {
  ...(convexSurface as unknown as PairAlgorithm<ConvexShape, SkinnedShape>),
  intersects: (a, b, context) => keeping(b, ({ mesh }) => convexSurface.intersects(a, mesh, context)),
  gap: (a, b, context, out) =>
    keeping(b, (pose) => {
      lowerLimit(a, pose, context);
      return convexSurface.gap(a, pose.mesh, context, out);
    }),
  separation: (a, b, context, out) =>
    keeping(b, (pose) => {
      lowerLimit(a, pose, context);
      return convexSurface.separation(a, pose.mesh, context, out);
    }),
  contacts: (a, b, context, sink) => keeping(b, ({ mesh }) => convexSurface.contacts(a, mesh, context, sink)),
  cast: (a, b, context, hit) => keeping(b, ({ mesh }) => convexSurface.cast(a, mesh, context, hit)),
  castRotating: (a, b, context, hit) => convexSurface.castRotating(a, b.mesh, context, hit),
  whole,
};

const skinnedHalfSpace: PairAlgorithm<SkinnedShape, HalfSpaceShape> = {
  ...(surfaceHalfSpace as unknown as PairAlgorithm<SkinnedShape, HalfSpaceShape>),
  intersects: (a, b, context) => keeping(a, ({ mesh }) => surfaceHalfSpace.intersects(mesh, b, context)),
  separation: (a, b, context, out) =>
    keeping(a, ({ mesh }) => surfaceHalfSpace.separation(mesh, b, context, out)),
  contacts: (a, b, context, sink) => surfaceHalfSpace.contacts(a.mesh, b, context, sink),
  cast: (a, b, context, hit) => keeping(a, ({ mesh }) => surfaceHalfSpace.cast(mesh, b, context, hit)),
  castRotating: (a, b, context, hit) => surfaceHalfSpace.castRotating(a.mesh, b, context, hit),
};

const liveSurfaces = /* @__PURE__ */ surfacesBy(searchLivePairs, nearestLiveSlots);

/** Runs something on two surfaces, of which one is skinned or both are. */
const keepingBoth = <T>(
  a: SkinnedShape | Surface,
  b: SkinnedShape | Surface,
  run: (a: Mesh, b: Mesh) => T,
): T =>
  a.kind === 'skinned'
    ? keeping(a, ({ mesh }) => keepingBoth(mesh, b, run))
    : b.kind === 'skinned'
      ? keeping(b, ({ mesh }) => run(meshOf(a), mesh))
      : run(meshOf(a), meshOf(b));

const skinnedSurface: PairAlgorithm<SkinnedShape | Surface, SkinnedShape | Surface> = {
  name: 'boxes that follow the joints, oriented boxes, convex algorithms for triangles that touch',
  intersects: (a, b, context) => keepingBoth(a, b, (one, two) => liveSurfaces.intersects(one, two, context)),
  gap: (a, b, context, out) => keepingBoth(a, b, (one, two) => liveSurfaces.gap(one, two, context, out)),
  separation: (a, b, context, out) =>
    keepingBoth(a, b, (one, two) => liveSurfaces.separation(one, two, context, out)),
  contacts: (a, b, context, sink) =>
    keepingBoth(a, b, (one, two) => liveSurfaces.contacts(one, two, context, sink)),
  cast: (a, b, context, hit) => keepingBoth(a, b, (one, two) => liveSurfaces.cast(one, two, context, hit)),
  rotation: liveSurfaces.rotation,
  castRotating: (a, b, context, hit) =>
    liveSurfaces.castRotating(asMesh(a) as Mesh, asMesh(b) as Mesh, context, hit),
  whole,
};

const onMesh = makeMeshPoint();

/** A solid contains what it winds around, and its surface. How far one with a border goes around a point takes all of it. */
function contains(shape: SkinnedShape, p: ReadonlyVec3, context: BodyContext): boolean {
  if (!shape.skin.isClosed) return familyOf(shape.mesh).contains(shape.mesh, p, context);
  return keeping(shape, ({ mesh }) => isInsideClosed(p, mesh) || isOnSurfaceWithin(p, mesh, context.within));
}

const signedDistance = (shape: SkinnedShape, p: ReadonlyVec3): number =>
  shape.skin.isClosed
    ? keeping(shape, ({ mesh }) => signedDistanceMesh(p, mesh, onMesh))
    : signedDistanceMesh(p, shape.mesh, onMesh);

function makeFamily(): ShapeFamily<SkinnedShape> {
  return {
    rank: 3,
    first: [
      flipped(convexSkinned),
      skinnedHalfSpace,
      skinnedSurface,
      skinnedSurface,
    ] as unknown as PairAlgorithm[],
    second: [convexSkinned, flipped(skinnedHalfSpace), skinnedSurface] as unknown as PairAlgorithm[],
    raycast: (shape, ray, context) => keeping(shape, ({ mesh }) => raycastSurface(mesh, ray, context)),
    closestPoint: (shape, p, context) => keeping(shape, ({ mesh }) => closestPointSurface(mesh, p, context)),
    contains,
    signedDistance,
  };
}

export const SKINNED: Readonly<ShapeFamily<SkinnedShape>> = /* @__PURE__ */ makeFamily();
