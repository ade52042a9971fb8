/** Turns of bodies with flat sides, by the exact sweep. */
import type { ModelSource } from '../continuous/model/model-source.ts';
import { defaultThickness, LEAST_THICKNESS, polyhedralModel } from '../continuous/model/polyhedral-model.ts';
import { isPureRotation, poseInPhase } from '../continuous/motion.ts';
import { sweepPolyhedra } from '../continuous/sweep.ts';
import { makeSweepHit, type PolyhedralModel } from '../continuous/types.ts';
import { pose as makePose, type ReadonlyPose, type ReadonlyVec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { pointToBody } from '../shapes/body-space.ts';
import type { CastHit } from '../shapes/results.ts';
import type { Shape } from '../shapes/shape.ts';
import { closestPointMesh, makeMeshPoint } from '../trimesh/closest.ts';
import type { MovingBody } from './conservative-advancement.ts';

const models = new WeakMap<Shape, PolyhedralModel | null>();
/** Every feature of a mover is looked at: larger ones are better off with the trees of their meshes. */
const MOST_POLYGONS = 300;

/** The model of a shape with flat sides; null of one that has others, or parts without area, which a model leaves out. */
function modelOf(shape: Shape): PolyhedralModel | null {
  let model = models.get(shape);
  if (model === undefined) {
    model = makeModel(shape);
    models.set(shape, model);
  }
  return model;
}

function makeModel(shape: Shape): PolyhedralModel | null {
  switch (shape.kind) {
    case 'mesh':
      return withoutLoss(shape);
    case 'heightField':
      return withoutLoss(shape.mesh);
    case 'point':
      return polyhedralModel(shape);
    case 'box':
    case 'hull':
    case 'triangle':
    case 'polygon':
      return shape.rounding === 0 && shape.faces !== null ? withoutLoss(shape) : null;
    default:
      return null;
  }
}

function withoutLoss(source: ModelSource): PolyhedralModel | null {
  try {
    const model = polyhedralModel(source);
    return model.dropped === 0 ? model : null;
  } catch (error) {
    // Nothing in it has an area.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Can `castPolyhedral` answer for these two? One must rotate, the other rest; both have flat sides only. */
export function arePolyhedral(a: MovingBody, b: MovingBody): boolean {
  if (!isPureRotation(a.motion) || !isPureRotation(b.motion) || (a.motion.angle > 0 && b.motion.angle > 0))
    return false;
  const { shape } = a.motion.angle > 0 ? a : b;
  if (shape.kind === 'mesh' && shape.triangleCount > MOST_POLYGONS) return false;
  if (shape.kind === 'heightField' && shape.mesh.triangleCount > MOST_POLYGONS) return false;
  return modelOf(a.shape) !== null && modelOf(b.shape) !== null;
}

const touch = makeSweepHit();
const zone = { thickness: 0.5, out: touch };

/** Of the default of the sweep, a millionth of the smaller one's diagonal, which is more than the two are large. */
const THINNER = 0.1;
/** Of the largest coordinate: the least that the sweep takes, and some more for how that is found. */
const LEAST = 1.0625 * LEAST_THICKNESS;

/** How near is touching: as in `castRotating`. */
function thicknessOf(mover: PolyhedralModel, target: PolyhedralModel, a: MovingBody, b: MovingBody): number {
  const positions = v3.length(a.pose.position) + v3.length(b.pose.position) + v3.length(a.motion.pivot);
  const farthest = positions + v3.length(mover.low) + v3.length(mover.high);
  const largest = farthest + v3.length(target.low) + v3.length(target.high);
  return Math.max(THINNER * defaultThickness(mover, target, 0), LEAST * largest);
}

/** The first contact of two bodies of which one rotates about its pivot and one rests, in world space. */
export function castPolyhedral(a: MovingBody, b: MovingBody, hit: CastHit): boolean {
  const sign = a.motion.angle > 0 ? 1 : -1;
  const [first, second] = sign > 0 ? [a, b] : [b, a];
  const [mover, target] = [modelOf(first.shape)!, modelOf(second.shape)!];
  const { axis, angle, pivot } = first.motion;
  zone.thickness = thicknessOf(mover, target, first, second);
  if (!sweepPolyhedra(mover, first.pose, { axis, angle, pivot }, target, second.pose, zone)) return false;
  hit.t = touch.t;
  // On the second body: the sweep gives the point on the one that rotates.
  v3.addScaled(touch.point, touch.normal, sign > 0 ? -touch.gap : 0, hit.point);
  v3.scale(touch.normal, sign, hit.normal);
  const [part, other] = sign > 0 ? [hit.moverPart, hit.part] : [hit.part, hit.moverPart];
  part.child = other.child = -1;
  poseInPhase(first.pose, first.motion, touch.t, poseThen);
  part.triangle = triangleAt(first.shape, poseThen, touch.point);
  v3.addScaled(touch.point, touch.normal, -touch.gap, foot);
  other.triangle = triangleAt(second.shape, second.pose, foot);
  return true;
}

const poseThen = makePose();
const foot = vec3();
const own = vec3();
const nearest = makeMeshPoint();

/** The triangle of a surface that a point of it is on. Polygons of its model may be made of several. */
function triangleAt(shape: Shape, pose: ReadonlyPose, p: ReadonlyVec3): number {
  if (shape.kind !== 'mesh' && shape.kind !== 'heightField') return -1;
  pointToBody(pose, p, own);
  closestPointMesh(own, shape.kind === 'mesh' ? shape : shape.mesh, Infinity, nearest);
  return nearest.triangle;
}
