/** Rotations of bodies with flat sides, one of them a mesh or a height field, by the exact sweep. */
import type { ModelSource } from '../../continuous/model/model-source.ts';
import {
  defaultThickness,
  LEAST_THICKNESS,
  polyhedralModel,
} from '../../continuous/model/polyhedral-model.ts';
import { isPureRotation, poseInPhase } from '../../continuous/motion.ts';
import { readOptions, readSweep, runSweep } from '../../continuous/sweep.ts';
import { giveBack, takeContext } from '../../continuous/sweep-context.ts';
import { makeSweepHit, type PolyhedralModel } from '../../continuous/types.ts';
import { type ReadonlyPose, type ReadonlyVec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { closestPointMesh, makeMeshPoint } from '../../trimesh/closest.ts';
import { pointToBody } from '../body-space.ts';
import type { CastHit } from '../results.ts';
import type { Shape } from '../shape.ts';
import { lengthOf, type MovingBody, type MovingPair } from './moving-pair.ts';
import { clearParts } from './pair.ts';

const models = /* @__PURE__ */ new WeakMap<Shape, PolyhedralModel | null>();
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

/** For the table in the documentation. */
export const BY_SWEEP = 'exact sweep of flat sides; conservative advancement to triangles for all else';

/** Can `castPolyhedral` answer for these two? One must rotate, the other rest; both have flat sides only. */
export function arePolyhedral(a: Shape, b: Shape, { first, second }: MovingPair): boolean {
  const { motion: one } = first;
  const { motion: two } = second;
  if (!isPureRotation(one) || !isPureRotation(two) || (one.angle > 0 && two.angle > 0)) return false;
  const shape = one.angle > 0 ? a : b;
  if (shape.kind === 'mesh' && shape.triangleCount > MOST_POLYGONS) return false;
  if (shape.kind === 'heightField' && shape.mesh.triangleCount > MOST_POLYGONS) return false;
  return modelOf(a) !== null && modelOf(b) !== null;
}

const touch = makeSweepHit();
const zone = { thickness: 0.5 };
const rotation = { axis: vec3(), angle: 0.5, pivot: vec3() };

/** Of the default of the sweep, a millionth of the smaller one's diagonal, which is more than the two are large. */
const THINNER = 0.1;
/** Of the largest coordinate: the least that the sweep takes, and some more for how that is found. */
const LEAST = 1.0625 * LEAST_THICKNESS;

/** How near is touching: as in conservative advancement. */
function setThickness(mover: PolyhedralModel, target: PolyhedralModel, a: MovingBody, b: MovingBody): void {
  const positions = lengthOf(a.pose.position) + lengthOf(b.pose.position) + lengthOf(a.motion.pivot);
  const farthest = positions + lengthOf(mover.low) + lengthOf(mover.high);
  const largest = farthest + lengthOf(target.low) + lengthOf(target.high);
  zone.thickness = Math.max(THINNER * defaultThickness(mover, target, 0), LEAST * largest);
}

/** The first contact before `hit.t` of two bodies of which one rotates about its pivot and one rests. */
export function castPolyhedral(a: Shape, b: Shape, context: MovingPair, hit: CastHit): boolean {
  const { first, second } = context;
  const isFirst = first.motion.angle > 0;
  const mover = isFirst ? first : second;
  const target = isFirst ? second : first;
  const movingShape = isFirst ? a : b;
  const restingShape = isFirst ? b : a;
  const moverModel = modelOf(movingShape)!;
  const targetModel = modelOf(restingShape)!;
  const { axis, angle, pivot } = mover.motion;
  v3.copy(axis, rotation.axis);
  v3.copy(pivot, rotation.pivot);
  rotation.angle = angle;
  setThickness(moverModel, targetModel, mover, target);
  const sweep = takeContext();
  try {
    readSweep(sweep, moverModel, mover.pose, rotation, targetModel, target.pose);
    readOptions(sweep, zone);
    if (!runSweep(sweep, touch, null) || !(touch.t <= hit.t)) return false;
  } finally {
    giveBack(sweep);
  }
  hit.t = touch.t;
  context.gap = touch.gap;
  v3.addScaled(touch.point, touch.normal, -touch.gap, foot);
  // The sweep gives the point on the one that rotates.
  v3.copy(isFirst ? foot : touch.point, hit.point);
  v3.scale(touch.normal, isFirst ? 1 : -1, hit.normal);
  clearParts(hit.part, hit.moverPart);
  poseInPhase(mover.pose, mover.motion, touch.t, mover.now);
  const part = isFirst ? hit.moverPart : hit.part;
  const other = isFirst ? hit.part : hit.moverPart;
  part.triangle = triangleAt(movingShape, mover.now, touch.point);
  other.triangle = triangleAt(restingShape, target.pose, foot);
  return true;
}

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
