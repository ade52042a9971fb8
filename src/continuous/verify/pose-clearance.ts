/**
 * How far the mover is from the target in one pose, without any rule for who touches whom: the least distance of two
 * polygons, one of each, or, where they cut through each other, minus the depth. Whether they do is decided by exact predicates
 * on the corners in the world, rounded as they are there. Sweeps verify the pose that they are about to return by this.
 */
import * as q4 from '../../math/quat.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import { type Pose, pose, type ReadonlyPose } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { boundPolygons, growBox, withCapacity } from '../boxes.ts';
import { NO_MODEL } from '../features.ts';
import { gatherPolygons } from '../model/axial-bsp.ts';
import { poseMover, type SweepContext } from '../sweep-context.ts';
import {
  allAxes,
  alongNormals,
  cutThrough,
  type FacePair,
  faceCount,
  loadFace,
  nearestFeatures,
  takeAxis,
} from './face-pair.ts';

/**
 * Measures the mover at a pose, as far as `clearance.reach`: the nearest features, or the deepest, are in `faces.contact` then,
 * with `faces.moverFace` -1 if nothing is that near. Ends as soon as `clearance` has enough.
 *
 * @internal
 */
export function measureClearance(context: SweepContext, at: ReadonlyPose): void {
  const { faces, clearance, target, mover } = context;
  const { own, other, contact } = faces;
  const { box, near, reach } = clearance;
  contact.gap = reach;
  clearance.cuts = false;
  faces.moverFace = faces.targetFace = -1;
  poseFaces(context, at);
  growBox(context.box, reach, box);
  const hasPolygons = target.sources.length > 0;
  const count = hasPolygons ? gatherPolygons(target, box, near) : faceCount(target);
  const moverFaces = faceCount(mover);
  if (count > 0) {
    clearance.boxes = withCapacity(clearance.boxes, 6 * moverFaces);
    boundPolygons(mover, context.points, clearance.boxes);
  }
  let enough = false;
  for (let n = 0; n < count && !enough; n++) {
    let loaded = false;
    const f = hasPolygons ? near.items[n]! : n;
    for (let g = 0; g < moverFaces && !enough; g++) {
      if (!isWithin(context, g, f, contact.gap)) continue;
      if (!loaded) loadFace(other, f);
      loaded = true;
      loadFace(own, g);
      measurePair(context);
      enough =
        contact.gap < clearance.stopBelow || (clearance.stopAtCut && clearance.cuts) || clearance.budget <= 0;
    }
  }
  releaseFaces(faces);
}

/** Measures two polygons, however far they are. @internal */
export function measureFaces(
  context: SweepContext,
  at: ReadonlyPose,
  moverFace: number,
  targetFace: number,
): void {
  const { faces, clearance } = context;
  faces.contact.gap = Infinity;
  clearance.cuts = false;
  poseFaces(context, at);
  loadFace(faces.other, targetFace);
  loadFace(faces.own, moverFace);
  measurePair(context);
  releaseFaces(faces);
}

/** Of the largest coordinate. */
const ROUNDING = 32 * UNIT_ROUNDING;

const unitPose = pose();

/** Puts the mover at a pose, seen from the target. @internal */
export function poseFaces(context: SweepContext, at: ReadonlyPose): void {
  const { own, other } = context.faces;
  normalizePose(at, unitPose);
  poseMover(context, unitPose);
  context.faces.noise = ROUNDING * context.magnitude;
  own.model = context.mover;
  own.points = context.points;
  own.planes = context.planes;
  own.pose = at;
  own.hasMatrix = false;
  other.model = context.target;
  other.points = context.target.points;
  other.planes = context.target.planes;
  other.pose = context.targetPose;
  other.hasMatrix = false;
}

function normalizePose(from: ReadonlyPose, out: Pose): void {
  v3.copy(from.position, out.position);
  q4.normalize(from.quaternion, out.quaternion);
}

/** Lets go of the models. @internal */
export function releaseFaces({ own, other }: FacePair): void {
  own.model = other.model = NO_MODEL;
}

/** Are the boxes of face g of the mover and face f of the target within `reach`? */
function isWithin({ target, clearance }: SweepContext, g: number, f: number, reach: number): boolean {
  const { polygonBounds, points, sources } = target;
  const { boxes } = clearance;
  const isPolygon = sources.length > 0;
  const b = isPolygon ? polygonBounds : points;
  const low = isPolygon ? 6 * f : 3 * f;
  const high = isPolygon ? low + 3 : low;
  for (let k = 0; k < 3; k++)
    if (!(boxes[6 * g + k]! - reach <= b[high + k]! && boxes[6 * g + 3 + k]! + reach >= b[low + k]!))
      return false;
  return true;
}

/** Measures the two loaded faces; takes them if they are nearer than those before. */
function measurePair({ faces, clearance }: SweepContext): void {
  const { contact, noise } = faces;
  alongNormals(faces);
  if (faces.apart <= noise) {
    allAxes(faces);
    clearance.budget--;
  }
  const { apart } = faces;
  // Neither nearer nor the first to cut.
  if (clearance.cuts && !(apart < contact.gap)) return;
  if (apart <= noise && cutThrough(faces)) {
    clearance.cuts = true;
    if (!(apart < contact.gap)) return;
    contact.gap = Math.min(0, apart);
    takeAxis(faces);
  } else if (apart < contact.gap) nearestFeatures(faces);
}
