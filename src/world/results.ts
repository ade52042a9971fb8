/** What a world answers: the records of queries, with the number of the collider. */
import { vec3 } from '../math/types.ts';
import { copyPoint } from '../shapes/body-space.ts';
import type { BodyPart, CastHit, Separation } from '../shapes/results.ts';
import { makeBodyPart } from '../shapes/results.ts';

/** Where a ray or a moving body first touches a collider. */
export interface WorldHit extends CastHit {
  id: number;
}

/** How far a collider is away, or how deep, and where. `pointA` is on the body that asks, `pointB` on the collider. */
export interface WorldSeparation extends Separation {
  id: number;
}

// Not made by spreading: V8 would box every number that is written to them.
export const makeWorldHit = (): WorldHit => ({
  t: 0,
  point: vec3(),
  normal: vec3(),
  part: makeBodyPart(),
  moverPart: makeBodyPart(),
  id: -1,
});

export const makeWorldSeparation = (): WorldSeparation => ({
  separation: 0,
  pointA: vec3(),
  pointB: vec3(),
  normal: vec3(),
  partA: makeBodyPart(),
  partB: makeBodyPart(),
  id: -1,
});

function copyPart(from: BodyPart, to: BodyPart): void {
  to.child = from.child;
  to.triangle = from.triangle;
}

/** @internal */
export function copyHit(from: CastHit, id: number, to: WorldHit): WorldHit {
  to.t = from.t;
  copyPoint(from.point, to.point);
  copyPoint(from.normal, to.normal);
  copyPart(from.part, to.part);
  copyPart(from.moverPart, to.moverPart);
  to.id = id;
  return to;
}

/** @internal */
export function copySeparation(from: Separation, id: number, to: WorldSeparation): WorldSeparation {
  to.separation = from.separation;
  copyPoint(from.pointA, to.pointA);
  copyPoint(from.pointB, to.pointB);
  copyPoint(from.normal, to.normal);
  copyPart(from.partA, to.partA);
  copyPart(from.partB, to.partB);
  to.id = id;
  return to;
}
