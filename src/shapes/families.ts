/** The algorithms that half-spaces, meshes and height fields, and compounds bring along: see `family.ts`. */
import type { ShapeFamily } from './family.ts';
import {
  closestPointCompound,
  compoundContains,
  raycastCompound,
  signedDistanceCompound,
} from './one-body/compound.ts';
import {
  closestPointHalfSpace,
  halfSpaceContains,
  raycastHalfSpace,
  signedDistanceHalfSpace,
} from './one-body/half-space.ts';
import {
  closestPointSurface,
  raycastSurface,
  signedDistanceSurface,
  surfaceContains,
} from './one-body/surface.ts';
import { compoundAny } from './pairs/compound.ts';
import { convexSurface } from './pairs/convex-surface.ts';
import {
  convexHalfSpace,
  halfSpaceConvex,
  halfSpaceHalfSpace,
  surfaceHalfSpace,
} from './pairs/half-space.ts';
import { flipped, type PairAlgorithm } from './pairs/pair.ts';
import type { Surface } from './pairs/surface.ts';
import { surfaceSurface } from './pairs/surface-surface.ts';
import type { CompoundShape, HalfSpaceShape } from './shape.ts';

type Algorithms = readonly PairAlgorithm[];

export const HALF_SPACE: Readonly<ShapeFamily<HalfSpaceShape>> = {
  rank: 1,
  first: [halfSpaceConvex, halfSpaceHalfSpace] as unknown as Algorithms,
  second: [convexHalfSpace] as unknown as Algorithms,
  raycast: raycastHalfSpace,
  closestPoint: closestPointHalfSpace,
  contains: halfSpaceContains,
  signedDistance: signedDistanceHalfSpace,
};

export const SURFACE: Readonly<ShapeFamily<Surface>> = {
  rank: 2,
  first: [/* @__PURE__ */ flipped(convexSurface), surfaceHalfSpace, surfaceSurface] as unknown as Algorithms,
  second: [convexSurface, /* @__PURE__ */ flipped(surfaceHalfSpace)] as unknown as Algorithms,
  raycast: raycastSurface,
  closestPoint: closestPointSurface,
  contains: surfaceContains,
  signedDistance: signedDistanceSurface,
};

const anyCompound = /* @__PURE__ */ flipped(compoundAny);

export const COMPOUND: Readonly<ShapeFamily<CompoundShape>> = {
  rank: 5,
  first: [
    compoundAny,
    compoundAny,
    compoundAny,
    compoundAny,
    compoundAny,
    compoundAny,
  ] as unknown as Algorithms,
  second: [anyCompound, anyCompound, anyCompound, anyCompound, anyCompound] as unknown as Algorithms,
  raycast: raycastCompound,
  closestPoint: closestPointCompound,
  contains: compoundContains,
  signedDistance: signedDistanceCompound,
};
