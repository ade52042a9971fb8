/** Turns of bodies with flat sides, by the exact sweep. */
import { polyhedralModel } from '../continuous/model.ts';
import { sweepPolyhedra } from '../continuous/sweep.ts';
import { makeSweepHit, type PolyhedralModel } from '../continuous/types.ts';
import type { Pose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Shape } from '../shapes/shape.ts';
import { copyPoint } from './placed.ts';
import type { CastHit } from './results.ts';

const models = new WeakMap<Shape, PolyhedralModel>();
/** Every feature of a mover is looked at: larger ones are better off with the trees of their meshes. */
const MOST_POLYGONS = 300;

/** Has it flat sides only? */
function isPolyhedral(shape: Shape): boolean {
  switch (shape.kind) {
    case 'mesh':
    case 'heightField':
    case 'point':
      return true;
    case 'box':
    case 'hull':
    case 'triangle':
    case 'polygon':
      return shape.rounding === 0;
    default:
      return false;
  }
}

function modelOf(shape: Shape): PolyhedralModel {
  let model = models.get(shape);
  if (model === undefined) {
    model = polyhedralModel(
      (shape.kind === 'heightField' ? shape.mesh : shape) as Parameters<typeof polyhedralModel>[0],
    );
    models.set(shape, model);
  }
  return model;
}

/** Can `castPolyhedral` answer for these two? */
export function arePolyhedral(mover: Shape, target: Shape): boolean {
  if (!isPolyhedral(mover) || !isPolyhedral(target)) return false;
  if (mover.kind === 'mesh' || mover.kind === 'heightField')
    return (mover.kind === 'mesh' ? mover : mover.mesh).triangleCount <= MOST_POLYGONS;
  return true;
}

const motion: { readonly axis: Vec3; angle: number; readonly pivot: Vec3 } = {
  axis: vec3(0.5, 0.5, 0.5),
  angle: 0.5,
  pivot: vec3(0.5, 0.5, 0.5),
};
const touch = makeSweepHit();

/** The first contact on a turn, in world space. */
export function castPolyhedral(
  a: Shape,
  from: Pose,
  axis: ReadonlyVec3,
  angle: number,
  pivot: ReadonlyVec3,
  b: Shape,
  at: Pose,
  hit: CastHit,
): boolean {
  v3.copy(axis, motion.axis);
  motion.angle = angle;
  v3.copy(pivot, motion.pivot);
  const [mover, target] = [modelOf(a), modelOf(b)];
  if (sweepPolyhedra(mover, from, motion, target, at, undefined, touch) === null) return false;
  hit.t = touch.t;
  v3.addScaled(touch.point, touch.normal, -touch.gap, hit.point);
  copyPoint(touch.normal, hit.normal);
  hit.moverPart.child = hit.part.child = -1;
  hit.moverPart.triangle = triangleOf(a, mover, touch.moverKind, touch.moverFeature);
  hit.part.triangle = triangleOf(b, target, touch.targetKind, touch.targetFeature);
  return true;
}

/** A triangle of a mesh with a feature of its model. */
function triangleOf(shape: Shape, model: PolyhedralModel, kind: string, feature: number): number {
  if (shape.kind !== 'mesh' && shape.kind !== 'heightField') return -1;
  if (kind === 'polygon') return model.sources[feature]!;
  if (kind === 'edge')
    return model.sources[Math.max(model.edgePolygons[2 * feature]!, model.edgePolygons[2 * feature + 1]!)]!;
  const corner = model.polygonVertices.indexOf(feature);
  let polygon = 0;
  while (model.polygonStart[polygon + 1]! <= corner) polygon++;
  return model.sources[polygon]!;
}
