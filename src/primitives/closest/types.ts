/** The records that closest-point queries fill. */
import type { Vec2, Vec3 } from '../../math/types.ts';
import { vec2, vec3 } from '../../math/types.ts';
import type { PointPair } from '../types.ts';

/**
 * Closest points of two segments or lines: `a` = start of the first + `s` (its end - its start), `b` likewise with
 * `t` on the second.
 */
export interface SegmentPair extends PointPair {
  s: number;
  t: number;
}

/** The part of triangle abc that a point lies on: a corner, an edge without its corners, or the inside. */
export type TriangleFeature = 'a' | 'b' | 'c' | 'ab' | 'bc' | 'ca' | 'face';

/** A point of triangle abc, u a + v b + w c, and its squared distance from the point that was asked about. */
export interface TrianglePoint {
  point: Vec3;
  u: number;
  v: number;
  w: number;
  feature: TriangleFeature;
  distanceSq: number;
}

/**
 * How two segments in the plane meet. `proper`: they cross inside both. `tee`: an end of one lies inside the other.
 * `end`: an end of one is an end of the other, and nothing else is shared. `overlap`: they share a piece of a line.
 */
export type CrossingKind = 'proper' | 'tee' | 'end' | 'overlap';

/**
 * What two segments in the plane share: one point, or for an overlap all from `point` to `end` (otherwise the same
 * as `point`). `s` and `sEnd` are the fractions of the first segment there, `t` and `tEnd` those of the second.
 */
export interface SegmentCrossing {
  kind: CrossingKind;
  point: Vec2;
  s: number;
  t: number;
  end: Vec2;
  sEnd: number;
  tEnd: number;
}

export const makeSegmentPair = (): SegmentPair => ({ a: vec3(), b: vec3(), distanceSq: 0, s: 0, t: 0 });
export const makeTrianglePoint = (): TrianglePoint => ({
  point: vec3(),
  u: 0,
  v: 0,
  w: 0,
  feature: 'a',
  distanceSq: 0,
});
export const makeSegmentCrossing = (): SegmentCrossing => ({
  kind: 'proper',
  point: vec2(),
  s: 0,
  t: 0,
  end: vec2(),
  sEnd: 0,
  tEnd: 0,
});
