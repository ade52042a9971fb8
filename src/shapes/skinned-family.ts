/** The algorithms that skinned meshes bring along: those of meshes. */
import type { SkinnedShape } from '../skinned/skinned-shape.ts';
import { SURFACE } from './families.ts';
import type { ShapeFamily } from './family.ts';
import {
  closestPointSurface,
  raycastSurface,
  signedDistanceSurface,
  surfaceContains,
} from './one-body/surface.ts';
import type { PairAlgorithm } from './pairs/pair.ts';
import { settled } from './pairs/penetration-depth.ts';

/** The algorithm for meshes, of what the skinned ones are now. */
function ofMeshes(one: PairAlgorithm): PairAlgorithm {
  return {
    ...one,
    intersects: (a, b, context) => one.intersects(settled(a), settled(b), context),
    gap: (a, b, context, out) => one.gap(settled(a), settled(b), context, out),
    separation: (a, b, context, out) => one.separation(settled(a), settled(b), context, out),
    contacts: (a, b, context, sink) => one.contacts(settled(a), settled(b), context, sink),
    cast: (a, b, context, hit) => one.cast(settled(a), settled(b), context, hit),
    castRotating: (a, b, context, hit) => one.castRotating(settled(a), settled(b), context, hit),
  };
}

function makeFamily(): ShapeFamily<SkinnedShape> {
  const [convex, halfSpace, surface] = SURFACE.first.map(ofMeshes) as [
    PairAlgorithm,
    PairAlgorithm,
    PairAlgorithm,
  ];
  return {
    rank: 3,
    first: [convex, halfSpace, surface, surface],
    second: [...SURFACE.second.map(ofMeshes), surface],
    raycast: (shape, ray, context) => raycastSurface(shape.mesh, ray, context),
    closestPoint: (shape, p, context) => closestPointSurface(shape.mesh, p, context),
    contains: (shape, p, context) => surfaceContains(shape.mesh, p, context),
    signedDistance: (shape, p) => signedDistanceSurface(shape.mesh, p),
  };
}

export const SKINNED: Readonly<ShapeFamily<SkinnedShape>> = /* @__PURE__ */ makeFamily();
