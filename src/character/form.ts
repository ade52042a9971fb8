/** The shapes that a character can have. All stand upright: along the character's own up. */
import { checkPoint, describe, mustBeLength, refuse, refuseType } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { box } from '../shapes/flat-sided-shapes.ts';
import { capsule, ellipsoid } from '../shapes/round-shapes.ts';
import type { ConvexShape } from '../shapes/shape.ts';

/** An ellipsoid, a capsule, or a box that does not turn. */
export type CharacterShape =
  | { readonly radii: ReadonlyVec3 }
  | { readonly radius: number; readonly halfHeight: number }
  | { readonly halfSize: ReadonlyVec3 };

export const ELLIPSOID = 0;
export const CAPSULE = 1;
export const BOX = 2;

/**
 * A shape in numbers, in the frame of the character: its y axis is up. The sweeps see it larger by the gap, less the band:
 * so something is hit before the gap is lost, and what lies at the distance of the gap, but for rounding, is not.
 *
 * What an ellipsoid meets is scaled so that the ellipsoid becomes the unit sphere; its gap is a part of its size, the gap
 * at the narrowest place.
 */
export interface Form {
  kind: number;
  /** Half of its size. */
  hx: number;
  hy: number;
  hz: number;
  /** What coordinates are multiplied by before sweeps: 1 / radii for an ellipsoid. */
  sx: number;
  sy: number;
  sz: number;
  /** Of the sphere that is swept, in scaled space; and half of the capsule's segment. */
  radius: number;
  half: number;
  /** The gap, and the band in which it may be missed, in scaled space. */
  gap: number;
  band: number;
  /** The same in the world; the gap at the narrowest place. */
  worldGap: number;
  worldBand: number;
  /** The smallest half size. */
  least: number;
}

export const makeForm = (): Form => ({
  kind: 0,
  hx: 0.5,
  hy: 0.5,
  hz: 0.5,
  sx: 0.5,
  sy: 0.5,
  sz: 0.5,
  radius: 0.5,
  half: 0.5,
  gap: 0.5,
  band: 0.5,
  worldGap: 0.5,
  worldBand: 0.5,
  least: 0.5,
});

/** Of the gap: how much of it may be missing before something is hit. Far more than rounding, far less than is seen. */
const BAND = 1e-6;

/** Reads and checks a shape. The gap is set by `setGap`. */
export function loadForm(caller: string, shape: CharacterShape, out: Form): void {
  if (typeof shape !== 'object' || shape === null) refuseType(caller, 'shape', 'a record', shape);
  out.sx = 1;
  out.sy = 1;
  out.sz = 1;
  out.half = 0;
  if ('radii' in shape) {
    checkPoint(caller, 'radii', shape.radii);
    const { x, y, z } = shape.radii;
    mustBeSize(caller, 'radii', x, y, z);
    out.kind = ELLIPSOID;
    loadHalf(x, y, z, out);
    out.sx = 1 / x;
    out.sy = 1 / y;
    out.sz = 1 / z;
    out.radius = 1;
  } else if ('halfHeight' in shape) {
    const { radius, halfHeight } = shape;
    mustBeLength(caller, 'radius', radius);
    mustBeLength(caller, 'halfHeight', halfHeight);
    if (radius === 0) refuse(caller, 'radius', 'must be above 0, got 0');
    out.kind = CAPSULE;
    loadHalf(radius, radius + halfHeight, radius, out);
    out.radius = radius;
    out.half = halfHeight;
  } else if ('halfSize' in shape) {
    checkPoint(caller, 'halfSize', shape.halfSize);
    const { x, y, z } = shape.halfSize;
    mustBeSize(caller, 'halfSize', x, y, z);
    out.kind = BOX;
    loadHalf(x, y, z, out);
    out.radius = 0;
  } else
    throw new TypeError(`graze: ${caller}: shape must have radii, a radius and a halfHeight, or a halfSize`);
}

function mustBeSize(caller: string, name: string, x: number, y: number, z: number): void {
  if (!(x > 0 && y > 0 && z > 0)) refuse(caller, name, `must be above 0, got ${describe(x)}, ${y}, ${z}`);
}

function loadHalf(x: number, y: number, z: number, out: Form): void {
  out.hx = x;
  out.hy = y;
  out.hz = z;
  out.least = Math.min(x, y, z);
}

/** Takes a gap, and a band that is no smaller than `rounding`. The gap is never so small that rounding could close it. */
export function setGap(form: Form, gap: number, rounding: number): void {
  const world = Math.max(gap, 16 * rounding);
  const band = Math.max(BAND * world, rounding);
  const scale = form.kind === ELLIPSOID ? 1 / form.least : 1;
  form.worldGap = world;
  form.worldBand = band;
  form.gap = world * scale;
  form.band = band * scale;
}

/** The shape for `distance` and `cast`, made larger by a gap in scaled space. */
export function shapeOf(form: Form, gap: number): ConvexShape {
  const { kind, hx, hy, hz, radius, half } = form;
  if (kind === ELLIPSOID) return ellipsoid(hx * (1 + gap), hy * (1 + gap), hz * (1 + gap));
  if (kind === CAPSULE) return capsule(half, radius + gap);
  return box(hx + gap, hy + gap, hz + gap);
}
