/** What V-Clip does when rounding leaves its walk in doubt: the distance is found by GJK, the features from its points. */
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { makeFeaturePoint } from '../polytope/types.ts';
import { voronoiFeature } from '../polytope/voronoi.ts';
import type { VoronoiRegions } from '../polytope/voronoi-regions.ts';
import { type ConvexCore, POLYTOPE, supportCore } from './core.ts';
import { directionToSecond, type Frame, toFirst, turnToFirst } from './frame.ts';
import { gjkDistance, makeGjkResult } from './gjk.ts';
import { makeGjkState } from './gjk-state.ts';
import type { FeatureDistance } from './v-clip.ts';
import { bring, first, type Side, second } from './v-clip-steps.ts';

/** Below this share of the sizes, a distance leaves its direction so uncertain that it has to be looked at again. */
const SHORT = 1e-5;
/** A slab that is narrower than the distance by more than this share of the sizes does not prove it. */
const ROUNDING = 8.881784197001252e-16; // 8 u

/**
 * Is a short distance right? It is if the bodies lie on the two sides of a slab of that width; otherwise it is settled.
 *
 * @internal
 */
export function verify(frame: Frame, out: FeatureDistance): void {
  const a = coreOf(first.regions);
  const b = coreOf(second.regions);
  const size = a.reach + b.reach + Math.abs(frame.tx) + Math.abs(frame.ty) + Math.abs(frame.tz);
  if (out.distance > SHORT * size || out.distance === 0) return;
  if (first.kind === 'face') v3.negate(first.regions.faces[first.index]!.normal, away);
  else if (second.kind === 'face') turnToFirst(frame, second.regions.faces[second.index]!.normal, away);
  else v3.normalize(v3.sub(out.a, out.b, away), away);
  v3.negate(away, down);
  supportCore(a, down, -1, low);
  supportCore(b, directionToSecond(frame, away, down), -1, high);
  toFirst(frame, high, high);
  if (!(v3.dot(v3.sub(low, high, down), away) >= out.distance - ROUNDING * size)) settle(frame, out);
}

/** Unit vector from the second to the first. */
const away = vec3();
const down = vec3();
const low = vec3();
const high = vec3();

const state = makeGjkState();
const found = makeGjkResult();
const feature = makeFeaturePoint();

/**
 * The distance and the closest points from GJK, and the features whose regions they are in.
 *
 * @internal
 */
export function settle(frame: Frame, out: FeatureDistance): void {
  gjkDistance(coreOf(first.regions), coreOf(second.regions), frame, state, found);
  out.distance = found.distance;
  v3.copy(found.pointA, out.a);
  v3.copy(found.distance > 0 ? found.pointB : found.pointA, out.b);
  classify(first, out.b);
  bring(first, out.a, low);
  classify(second, low);
}

function classify(side: Side, point: ReadonlyVec3): void {
  voronoiFeature(side.regions, point, undefined, feature);
  side.kind = feature.kind === 'inside' ? 'face' : feature.kind;
  side.index = feature.index;
}

const NONE = new Uint32Array(0);
const cores = new WeakMap<VoronoiRegions, ConvexCore>();

function coreOf(regions: VoronoiRegions): ConvexCore {
  let core = cores.get(regions);
  if (core === undefined) {
    const { vertices } = regions;
    const data = new Float64Array(3 * vertices.length);
    let reach = 0;
    const center = vec3();
    for (const [i, { point }] of vertices.entries()) {
      data.set([point.x, point.y, point.z], 3 * i);
      reach = Math.max(reach, v3.length(point));
      v3.addScaled(center, point, 1 / vertices.length, center);
    }
    core = {
      type: POLYTOPE,
      data,
      radius: 0,
      reach,
      center,
      inner: 0,
      firstNeighbour: NONE,
      neighbours: NONE,
      custom: null,
    };
    cores.set(regions, core);
  }
  return core;
}
