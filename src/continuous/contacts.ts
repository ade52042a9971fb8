/** All places where two polyhedra touch. van Waveren 2005, §2.6. */
import { mustBeNumber, mustNotBeNegative } from '../math/check.ts';
import * as q4 from '../math/quat.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { pose } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { gatherPolygons, makePolygonList } from './axial-bsp.ts';
import {
  offerEdges,
  offerVertexEdge,
  offerVertexPolygon,
  offerVertices,
  type Side,
  touch,
} from './contact-pairs.ts';
import { releaseJob, type SweepJob, sweepJob } from './job.ts';
import { defaultThickness, extentOf } from './model.ts';
import { checkPose } from './motion.ts';
import { checkModel, largestStanding, placeStanding, writeContact } from './place.ts';
import { startOverlap } from './start-overlap.ts';
import type { PolyhedralModel, SweepContact } from './types.ts';
import { CONVEX_EDGE, DANGLING_EDGE, makeSweepContact } from './types.ts';
import { vertexRing } from './vertex-ring.ts';

const start = pose();
const stand = pose();
const box = new Float64Array(6);
const near = makePolygonList();
let seenVertices: Int32Array = new Int32Array(32);
let seenEdges: Int32Array = new Int32Array(32);
let mark = 0;

/**
 * Every place where two polyhedra are within `margin` of each other, or in each other by no more than that (default: the
 * thickness that `sweepPolyhedra` would use, and a little more). The gap is the distance of the two features along the
 * normal; where solids overlap, minus the depth. Each pair of features that is nearer than all around it is told, once, in
 * an order that depends on the input only: vertices on polygons first, then edges across edges, vertices beside edges, and
 * vertices where nothing else is nearer. Where edges are parallel to edges or polygons, their ends tell. `out` is filled
 * from its beginning and cut or lengthened to what was found.
 */
export function touchingFeatures(
  mover: PolyhedralModel,
  poseA: ReadonlyPose,
  target: PolyhedralModel,
  poseB: ReadonlyPose,
  margin?: number,
  out: SweepContact[] = [],
): SweepContact[] {
  if (margin !== undefined && margin !== null) mustBeNumber('touchingFeatures', 'margin', margin);
  checkModel('touchingFeatures', 'mover', mover);
  checkModel('touchingFeatures', 'target', target);
  checkPose('touchingFeatures', 'poseA', poseA);
  checkPose('touchingFeatures', 'poseB', poseB);
  if (margin !== undefined) mustNotBeNegative('touchingFeatures', 'margin', margin);
  v3.copy(poseA.position, start.position);
  q4.normalize(poseA.quaternion, start.quaternion);
  v3.copy(poseB.position, stand.position);
  q4.normalize(poseB.quaternion, stand.quaternion);
  const job = sweepJob;
  job.mover = mover;
  job.target = target;
  const largest = largestStanding(job, start, stand);
  placeStanding(job, start, stand);
  touch.margin = margin ?? (1 + 1 / 32) * defaultThickness(mover, target, largest);
  touch.tau = COORDINATE_ERROR * largest;
  touch.overlaps = true;
  let count = collect(job, out);
  // A vertex behind a polygon may have come out on the far side of what is thin: then nothing has a depth.
  if (hasDepth(out, count) && !isOverlapping(job, largest)) {
    touch.overlaps = false;
    count = collect(job, out);
  }
  out.length = count;
  releaseJob(job);
  a.model = b.model = NOTHING;
  return out;
}

function hasDepth(out: readonly SweepContact[], count: number): boolean {
  for (let i = 0; i < count; i++) if (out[i]!.gap < -touch.tau) return true;
  return false;
}

function isOverlapping(job: SweepJob, largest: number): boolean {
  job.magnitude = largest;
  job.vx = job.vy = job.vz = 0;
  return startOverlap(job);
}

/** As in translations. */
const COORDINATE_ERROR = 7.105427357601002e-15; // 2^-47
const NOTHING = {} as PolyhedralModel;

const makeSide = (): Side => ({
  model: NOTHING,
  ring: { start: new Int32Array(1), ring: new Int32Array(0) },
  points: new Float64Array(0),
  planes: new Float64Array(0),
});
const a = makeSide();
const b = makeSide();

/** Of the mover's extent. */
const SAME_PLACE = 1e-4;
const SAME_NORMAL = 1e-5;

/** Writes down what `touch` holds. */
function note(
  job: SweepJob,
  found: boolean,
  moverFirst: boolean,
  out: SweepContact[],
  count: number,
): number {
  if (!found) return count;
  const turn = moverFirst ? 1 : -1;
  job.moverKind = moverFirst ? touch.kindA : touch.kindB;
  job.moverFeature = moverFirst ? touch.featureA : touch.featureB;
  job.targetKind = moverFirst ? touch.kindB : touch.kindA;
  job.targetFeature = moverFirst ? touch.featureB : touch.featureA;
  job.nx = turn * touch.nx;
  job.ny = turn * touch.ny;
  job.nz = turn * touch.nz;
  job.gap = touch.gap;
  // On the mover: of the features given second, the point is on the first.
  const along = moverFirst ? 0 : -touch.gap;
  job.x = touch.x + along * touch.nx;
  job.y = touch.y + along * touch.ny;
  job.z = touch.z + along * touch.nz;
  if (count === out.length) out.push(makeSweepContact());
  const contact = out[count]!;
  writeContact(job, stand, contact);
  // At the rim of a feature its neighbour tells the same; a vertex can be over the line between two polygons in one plane.
  // So does what is within the margin of a corner that was told, where two corners or edges nearly meet: a margin that is
  // large for the mover does not make one place of many.
  const apart = 32 * touch.tau + Math.min(2 * touch.margin, SAME_PLACE * extentOf(job.mover));
  const angle = Math.max(SAME_NORMAL, (8 * touch.tau) / contact.gap);
  for (let i = count - 1; i >= 0; i--) {
    const { point, normal, gap } = out[i]!;
    // What is nearer is always told.
    if (contact.gap < gap - 32 * touch.tau - touch.margin / 1024) continue;
    if (v3.distance(point, contact.point) <= apart && v3.distance(normal, contact.normal) <= angle)
      return count;
  }
  return count + 1;
}

function collect(job: SweepJob, out: SweepContact[]): number {
  const { mover, target } = job;
  const { margin, tau } = touch;
  a.model = mover;
  a.points = job.points;
  a.planes = job.planes;
  a.ring = vertexRing(mover);
  b.model = target;
  b.points = target.points;
  b.planes = target.planes;
  b.ring = vertexRing(target);
  const pad = margin + tau;
  box[0] = job.lowX - pad;
  box[1] = job.lowY - pad;
  box[2] = job.lowZ - pad;
  box[3] = job.highX + pad;
  box[4] = job.highY + pad;
  box[5] = job.highZ + pad;
  const polygons = gatherPolygons(target, box, near);
  let count = 0;
  const vertices = mover.vertexTouches.length;
  for (let i = 0; i < polygons; i++)
    for (let v = 0; v < vertices; v++)
      if (mover.vertexTouches[v] === 1)
        count = note(job, offerVertexPolygon(a, v, b, near.items[i]!), true, out, count);
  // The target's vertices and edges, each once.
  if (seenVertices.length < target.vertexTouches.length)
    seenVertices = new Int32Array(2 * target.vertexTouches.length);
  if (seenEdges.length < target.edgeKinds.length) seenEdges = new Int32Array(2 * target.edgeKinds.length);
  if (mark >= 0x7ffffff0) {
    seenVertices.fill(0);
    seenEdges.fill(0);
    mark = 0;
  }
  mark++;
  if (target.sources.length === 0)
    for (let w = 0; w < target.vertexTouches.length; w++) count = meetVertex(job, w, out, count);
  for (let i = 0; i < polygons; i++) {
    const f = near.items[i]!;
    for (let k = target.polygonStart[f]!, end = target.polygonStart[f + 1]!; k < end; k++) {
      const w = target.polygonVertices[k]!;
      if (seenVertices[w] === mark) continue;
      seenVertices[w] = mark;
      if (target.vertexTouches[w] === 1) count = meetVertex(job, w, out, count);
    }
  }
  for (let i = 0; i < polygons; i++) {
    const f = near.items[i]!;
    for (let k = target.polygonStart[f]!, end = target.polygonStart[f + 1]!; k < end; k++) {
      const code = target.polygonEdges[k]!;
      const edge = code < 0 ? ~code : code;
      if (seenEdges[edge] === mark) continue;
      seenEdges[edge] = mark;
      if (!touchable(target, edge)) continue;
      for (let e = 0; e < mover.edgeKinds.length; e++)
        if (touchable(mover, e)) count = note(job, offerEdges(a, e, b, edge), true, out, count);
      for (let v = 0; v < vertices; v++)
        if (mover.vertexTouches[v] === 1) count = note(job, offerVertexEdge(a, v, b, edge), true, out, count);
    }
  }
  return count;
}

const touchable = ({ edgeKinds }: PolyhedralModel, edge: number): boolean =>
  edgeKinds[edge] === CONVEX_EDGE || edgeKinds[edge] === DANGLING_EDGE;

/** A vertex of the target against the mover's polygons, edges and vertices. */
function meetVertex(job: SweepJob, w: number, out: SweepContact[], count: number): number {
  const { mover } = job;
  let n = count;
  for (let g = 0; g < mover.sources.length; g++) n = note(job, offerVertexPolygon(b, w, a, g), false, out, n);
  for (let e = 0; e < mover.edgeKinds.length; e++)
    if (touchable(mover, e)) n = note(job, offerVertexEdge(b, w, a, e), false, out, n);
  for (let v = 0; v < mover.vertexTouches.length; v++)
    if (mover.vertexTouches[v] === 1) n = note(job, offerVertices(a, v, b, w), true, out, n);
  return n;
}
