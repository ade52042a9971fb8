/** Features of polyhedra in touch: what they are, where, and in which direction. */
import type { FeatureKind } from './types.ts';

export const VERTEX = 0;
export const EDGE = 1;
export const POLYGON = 2;

/** The name of VERTEX, EDGE or POLYGON. @internal */
export const kindName = (kind: number): FeatureKind =>
  kind === VERTEX ? 'vertex' : kind === EDGE ? 'edge' : 'polygon';

// Fields that hold fractions start with one, so that V8 stores them as doubles from the beginning.
const D = 0.5;

/** A contact of a feature of the mover and one of the target, in whatever frame they are in. @internal */
export class FeatureContact {
  moverKind = VERTEX;
  moverFeature = -1;
  targetKind = POLYGON;
  targetFeature = -1;
  /** The distance of the two. */
  gap = D;
  /** The point on the mover. */
  x = D;
  y = D;
  z = D;
  /** Unit vector from the target's feature to the mover's. */
  nx = D;
  ny = D;
  nz = D;
}

/** @internal */
export function setFeatures(
  contact: FeatureContact,
  moverKind: number,
  moverFeature: number,
  targetKind: number,
  targetFeature: number,
): void {
  contact.moverKind = moverKind;
  contact.moverFeature = moverFeature;
  contact.targetKind = targetKind;
  contact.targetFeature = targetFeature;
}

/** @internal */
export function copyContact(from: FeatureContact, to: FeatureContact): void {
  setFeatures(to, from.moverKind, from.moverFeature, from.targetKind, from.targetFeature);
  to.gap = from.gap;
  to.x = from.x;
  to.y = from.y;
  to.z = from.z;
  to.nx = from.nx;
  to.ny = from.ny;
  to.nz = from.nz;
}
