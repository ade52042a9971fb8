/** All contacts of two polyhedra. van Waveren 2005, §2.6. */
import { ContextPool } from '../convex/context-pool.ts';
import { mustBeNumber, mustNotBeNegative } from '../math/check.ts';
import type { ReadonlyPose } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { growBox, Marks } from './boxes.ts';
import { EDGE, FeatureContact, POLYGON, setFeatures, VERTEX } from './feature-contact.ts';
import {
  canTouch,
  EdgeLine,
  edgeDistance,
  isInEdgeCone,
  isInVertexCone,
  loadLine,
  NO_MODEL,
  PosedModel,
} from './features.ts';
import { gatherPolygons, makePolygonList } from './model/axial-bsp.ts';
import { defaultThickness, extentOf } from './model/polyhedral-model.ts';
import { checkPose } from './motion.ts';
import {
  checkModel,
  giveBack,
  poseMover,
  type SweepContext,
  setBodies,
  takeContext,
  writeContact,
} from './sweep-context.ts';
import { COORDINATE_ERROR } from './translation/translation-context.ts';
import type { PolyhedralModel, SweepContact } from './types.ts';
import { CONVEX_EDGE, makeSweepContact } from './types.ts';
import { startOverlap } from './verify/start-overlap.ts';

// Fields that hold fractions start with one, so that V8 stores them as doubles from the beginning.
const D = 0.5;

/** One search: the two bodies, how near, how exact, whether solids may be in each other, and what was found. */
class TouchSearch {
  readonly mover = new PosedModel();
  readonly target = new PosedModel();
  margin = D;
  tau = D;
  overlaps = true;
  /** The pair that was found last. */
  readonly contact = new FeatureContact();
  out: SweepContact[] = [];
  count = 0;
  readonly box = new Float64Array(6);
  readonly near = makePolygonList();
  readonly seenVertices = new Marks();
  readonly seenEdges = new Marks();
  // For one pair.
  readonly direction = { nx: D, ny: D, nz: D };
  readonly line = new EdgeLine();
  readonly other = new EdgeLine();
}

const pool = /* @__PURE__ */ new ContextPool(() => new TouchSearch());

/**
 * Every contact: where two polyhedra are within `margin` of each other, or in each other by no more than that (default: the
 * thickness that `sweepPolyhedra` would use, and a little more). The gap is the distance of the two features along the
 * normal; where solids overlap, minus the depth. Each pair of features that is nearer than all around it is listed once, in
 * an order that depends on the input only: vertices on polygons first, then edges across edges, vertices beside edges, and
 * vertices where nothing else is nearer. Where edges are parallel to edges or polygons, their ends are listed. `out` is filled
 * from its beginning and cut or lengthened to what was found.
 */
export function touchingFeatures(
  mover: PolyhedralModel,
  moverPose: ReadonlyPose,
  target: PolyhedralModel,
  targetPose: ReadonlyPose,
  margin?: number,
  out: SweepContact[] = [],
): SweepContact[] {
  if (margin !== undefined && margin !== null) mustBeNumber('touchingFeatures', 'margin', margin);
  checkModel('touchingFeatures', 'mover', mover);
  checkModel('touchingFeatures', 'target', target);
  checkPose('touchingFeatures', 'moverPose', moverPose);
  checkPose('touchingFeatures', 'targetPose', targetPose);
  if (margin !== undefined) mustNotBeNegative('touchingFeatures', 'margin', margin);
  const context = takeContext();
  const touch = pool.take();
  try {
    setBodies(context, mover, moverPose, target, targetPose);
    poseMover(context, context.unitMoverPose);
    touch.margin = margin ?? (1 + 1 / 32) * defaultThickness(mover, target, context.magnitude);
    touch.tau = COORDINATE_ERROR * context.magnitude;
    touch.overlaps = true;
    touch.out = out;
    collect(touch, context);
    // A vertex behind a polygon may have come out on the far side of what is thin: then nothing has a depth.
    if (hasDepth(touch) && !isOverlapping(context)) {
      touch.overlaps = false;
      collect(touch, context);
    }
    out.length = touch.count;
  } finally {
    pool.release();
    touch.mover.model = touch.target.model = NO_MODEL;
    touch.out = NOWHERE;
    giveBack(context);
  }
  return out;
}

const NOWHERE: SweepContact[] = [];

function hasDepth({ out, count, tau }: TouchSearch): boolean {
  for (let i = 0; i < count; i++) if (out[i]!.gap < -tau) return true;
  return false;
}

function isOverlapping(context: SweepContext): boolean {
  context.vx = context.vy = context.vz = 0;
  return startOverlap(context);
}

/** All pairs of features that are near. */
function collect(touch: TouchSearch, context: SweepContext): void {
  const { mover: a, target: b, box, near, seenVertices, seenEdges } = touch;
  const { mover, target } = context;
  a.model = mover;
  a.points = context.points;
  a.planes = context.planes;
  b.model = target;
  b.points = target.points;
  b.planes = target.planes;
  touch.count = 0;
  growBox(context.box, touch.margin + touch.tau, box);
  const polygons = gatherPolygons(target, box, near);
  const vertices = mover.vertexTouches.length;
  for (let i = 0; i < polygons; i++)
    for (let v = 0; v < vertices; v++)
      if (mover.vertexTouches[v] === 1 && testVertexPolygon(touch, a, v, b, near.items[i]!))
        note(touch, context);
  // The target's vertices and edges, each once.
  seenVertices.begin(target.vertexTouches.length);
  seenEdges.begin(target.edgeKinds.length);
  if (target.sources.length === 0)
    for (let w = 0; w < target.vertexTouches.length; w++) meetVertex(touch, context, w);
  for (let i = 0; i < polygons; i++) {
    const f = near.items[i]!;
    for (let k = target.polygonStart[f]!, end = target.polygonStart[f + 1]!; k < end; k++) {
      const w = target.polygonVertices[k]!;
      if (seenVertices.marks[w] === seenVertices.mark) continue;
      seenVertices.marks[w] = seenVertices.mark;
      if (target.vertexTouches[w] === 1) meetVertex(touch, context, w);
    }
  }
  for (let i = 0; i < polygons; i++) {
    const f = near.items[i]!;
    for (let k = target.polygonStart[f]!, end = target.polygonStart[f + 1]!; k < end; k++) {
      const code = target.polygonEdges[k]!;
      const edge = code < 0 ? ~code : code;
      if (seenEdges.marks[edge] === seenEdges.mark) continue;
      seenEdges.marks[edge] = seenEdges.mark;
      if (!canTouch(target.edgeKinds[edge]!)) continue;
      for (let e = 0; e < mover.edgeKinds.length; e++)
        if (canTouch(mover.edgeKinds[e]!) && testEdges(touch, e, edge)) note(touch, context);
      for (let v = 0; v < vertices; v++)
        if (mover.vertexTouches[v] === 1 && testVertexEdge(touch, a, v, b, edge)) note(touch, context);
    }
  }
}

/** A vertex of the target against the mover's polygons, edges and vertices. */
function meetVertex(touch: TouchSearch, context: SweepContext, w: number): void {
  const { mover: a, target: b } = touch;
  const { sources, edgeKinds, vertexTouches } = context.mover;
  for (let g = 0; g < sources.length; g++) if (testVertexPolygon(touch, b, w, a, g)) note(touch, context);
  for (let e = 0; e < edgeKinds.length; e++)
    if (canTouch(edgeKinds[e]!) && testVertexEdge(touch, b, w, a, e)) note(touch, context);
  for (let v = 0; v < vertexTouches.length; v++)
    if (vertexTouches[v] === 1 && testVertices(touch, v, w)) note(touch, context);
}

/** Of the mover's extent. */
const SAME_PLACE = 1e-4;
const SAME_NORMAL = 1e-5;

/** Lists the pair that was found, unless the same contact is listed already. */
function note(touch: TouchSearch, context: SweepContext): void {
  const { out, count, tau, margin } = touch;
  if (count === out.length) out.push(makeSweepContact());
  const contact = out[count]!;
  writeContact(touch.contact, context.unitTargetPose, contact);
  // At the rim of a feature its neighbour gives the same contact; a vertex can be over the line between two polygons in one plane.
  // So does what is within the margin of a corner that is listed, where two corners or edges nearly meet: a margin that is
  // large for the mover does not make one contact of many.
  const apart = 32 * tau + Math.min(2 * margin, SAME_PLACE * extentOf(context.mover));
  const angle = Math.max(SAME_NORMAL, (8 * tau) / contact.gap);
  for (let i = count - 1; i >= 0; i--) {
    const { point, normal, gap } = out[i]!;
    // What is nearer is always listed.
    if (contact.gap < gap - 32 * tau - margin / 1024) continue;
    if (v3.distance(point, contact.point) <= apart && v3.distance(normal, contact.normal) <= angle) return;
  }
  touch.count++;
}

// ---- Pairs of features: are they within the margin, and locally the nearest? As in feature-times.ts -------------------------

/**
 * Takes a vertex of A at a distance from a feature of B, along `direction`. The point is on the mover, and the normal from the
 * target to it, whichever of the two A is.
 */
function takeVertex(
  touch: TouchSearch,
  a: PosedModel,
  v: number,
  kind: number,
  feature: number,
  gap: number,
): true {
  const { contact, direction } = touch;
  const { nx, ny, nz } = direction;
  const isMover = a === touch.mover;
  const sign = isMover ? 1 : -1;
  const along = isMover ? 0 : -gap;
  if (isMover) setFeatures(contact, VERTEX, v, kind, feature);
  else setFeatures(contact, kind, feature, VERTEX, v);
  contact.gap = gap;
  contact.x = a.points[3 * v]! + along * nx;
  contact.y = a.points[3 * v + 1]! + along * ny;
  contact.z = a.points[3 * v + 2]! + along * nz;
  contact.nx = sign * nx;
  contact.ny = sign * ny;
  contact.nz = sign * nz;
  return true;
}

/**
 * No neighbour of vertex v is nearer in direction -`sign` n, which is known to some angle? Within the margin of it is near
 * enough: a face that lies flat but for rounding lists all its corners.
 */
const leads = (touch: TouchSearch, a: PosedModel, v: number, sign: number, angle: number): boolean =>
  isInVertexCone(a, v, touch.direction, -sign, touch.margin + 8 * touch.tau, angle);

/** Of the margin: how much less than the distance the height of a vertex beside a polygon may be. */
const SAME_GAP = 1 / 64;

/**
 * How far beside a polygon a vertex may be at a height above it, to count as over it: its distance is then the height but for
 * a little. Aligned edges would else give slanted normals as soon as they are off by rounding.
 *
 *        v        beside² + height² = distance²
 *       /|        distance ≤ height + SAME_GAP × margin
 *      / | height
 *   ──┘..'
 */
function besideAt({ margin, tau }: TouchSearch, height: number): number {
  const more = SAME_GAP * margin + tau;
  return Math.sqrt(more * (2 * height + more));
}

function setNormal({ direction }: TouchSearch, planes: Float64Array, f: number): void {
  direction.nx = planes[4 * f]!;
  direction.ny = planes[4 * f + 1]!;
  direction.nz = planes[4 * f + 2]!;
}

function flip(direction: { nx: number; ny: number; nz: number }): void {
  direction.nx *= -1;
  direction.ny *= -1;
  direction.nz *= -1;
}

function testVertexPolygon(touch: TouchSearch, a: PosedModel, v: number, b: PosedModel, f: number): boolean {
  const { planes, points: q, model } = b;
  const { tau, margin, direction } = touch;
  const nx = planes[4 * f]!;
  const ny = planes[4 * f + 1]!;
  const nz = planes[4 * f + 2]!;
  const x = a.points[3 * v]!;
  const y = a.points[3 * v + 1]!;
  const z = a.points[3 * v + 2]!;
  const height = nx * x + ny * y + nz * z - planes[4 * f + 3]!;
  const front = model.sides === 'front';
  if (!(Math.abs(height) <= margin + tau)) return false;
  // Behind the polygons of a solid is in it. Behind those of a sheet that is touched from the front is nowhere.
  const sunk = front && height < -tau;
  if (sunk && !(model.closed && touch.overlaps)) return false;
  // In it, what is beside the polygon is behind another one.
  const beyond = sunk ? 0 : besideAt(touch, Math.abs(height));
  const first = model.polygonStart[f]!;
  const last = model.polygonStart[f + 1]!;
  let isBeside = false;
  let leastSq = Infinity;
  for (let k = first; k < last; k++) {
    const i = 3 * model.polygonVertices[k]!;
    const j = 3 * model.polygonVertices[k + 1 < last ? k + 1 : first]!;
    const ux = q[j]! - q[i]!;
    const uy = q[j + 1]! - q[i + 1]!;
    const uz = q[j + 2]! - q[i + 2]!;
    const wx = x - q[i]!;
    const wy = y - q[i + 1]!;
    const wz = z - q[i + 2]!;
    const lengthSq = ux * ux + uy * uy + uz * uz;
    const inside = wx * (ny * uz - nz * uy) + wy * (nz * ux - nx * uz) + wz * (nx * uy - ny * ux);
    if (!(inside >= -beyond * Math.sqrt(lengthSq))) return false;
    if (inside < 0) isBeside = true;
    const along = Math.max(0, Math.min(1, (wx * ux + wy * uy + wz * uz) / lengthSq));
    const ox = wx - along * ux;
    const oy = wy - along * uy;
    const oz = wz - along * uz;
    leastSq = Math.min(leastSq, ox * ox + oy * oy + oz * oz);
  }
  // Beside a sharp corner it is farther away than beside either of its sides.
  if (isBeside && leastSq > height * height + beyond * beyond) return false;
  // In the plane of a sheet, the side is that of the rest of the body.
  setNormal(touch, planes, f);
  let side = front || height >= 0 ? 1 : -1;
  if (!leads(touch, a, v, side, 0)) {
    if (front || Math.abs(height) > tau) return false;
    side = -side;
    if (!leads(touch, a, v, side, 0)) return false;
  }
  if (side < 0) flip(direction);
  return takeVertex(touch, a, v, POLYGON, f, side * height);
}

function testVertexEdge(touch: TouchSearch, a: PosedModel, v: number, b: PosedModel, edge: number): boolean {
  const { tau, margin, line, direction } = touch;
  loadLine(b, edge, line);
  const { ux, uy, uz } = line;
  const wx = a.points[3 * v]! - line.x;
  const wy = a.points[3 * v + 1]! - line.y;
  const wz = a.points[3 * v + 2]! - line.z;
  const along = wx * ux + wy * uy + wz * uz;
  if (!(along >= -tau && along <= line.length + tau)) return false;
  const ox = wx - along * ux;
  const oy = wy - along * uy;
  const oz = wz - along * uz;
  const gap = Math.sqrt(ox * ox + oy * oy + oz * oz);
  if (!(gap <= margin + tau && gap > tau)) return false;
  direction.nx = wx;
  direction.ny = wy;
  direction.nz = wz;
  if (!isInEdgeCone(b, edge, direction, 1, tau) || isOver(touch, a, v, b, edge, gap)) return false;
  direction.nx = ox / gap;
  direction.ny = oy / gap;
  direction.nz = oz / gap;
  return leads(touch, a, v, 1, (2 * tau) / gap) && takeVertex(touch, a, v, EDGE, edge, gap);
}

/** Has a vertex at distance `gap` from an edge been reported as one over a polygon of that edge? */
function isOver(
  touch: TouchSearch,
  a: PosedModel,
  v: number,
  b: PosedModel,
  edge: number,
  gap: number,
): boolean {
  const { margin, tau, direction } = touch;
  const { model, planes } = b;
  const { nx: wx, ny: wy, nz: wz } = direction;
  let found = false;
  for (let side = 0; side < 2 && !found; side++) {
    const f = model.edgePolygons[2 * edge + side]!;
    if (f < 0) continue;
    setNormal(touch, planes, f);
    const { nx, ny, nz } = direction;
    const height =
      nx * a.points[3 * v]! + ny * a.points[3 * v + 1]! + nz * a.points[3 * v + 2]! - planes[4 * f + 3]!;
    const sign = model.sides === 'front' || height >= 0 ? 1 : -1;
    const beyond = besideAt(touch, Math.abs(height));
    found =
      sign * height >= -tau &&
      sign * height <= margin + tau &&
      gap * gap <= height * height + beyond * beyond &&
      leads(touch, a, v, sign, 0);
  }
  direction.nx = wx;
  direction.ny = wy;
  direction.nz = wz;
  return found;
}

/** Vertex v of the mover and vertex w of the target. */
function testVertices(touch: TouchSearch, v: number, w: number): boolean {
  const { tau, margin, mover: a, target: b, direction } = touch;
  const ox = a.points[3 * v]! - b.points[3 * w]!;
  const oy = a.points[3 * v + 1]! - b.points[3 * w + 1]!;
  const oz = a.points[3 * v + 2]! - b.points[3 * w + 2]!;
  const gap = Math.sqrt(ox * ox + oy * oy + oz * oz);
  if (!(gap <= margin + tau)) return false;
  const lonely = a.model.edges.length === 0 && b.model.edges.length === 0;
  if (!(gap > tau) && !lonely) return false;
  // Beyond the ends of all edges.
  direction.nx = ox;
  direction.ny = oy;
  direction.nz = oz;
  if (!isInVertexCone(b, w, direction, 1, 0, tau) || !isInVertexCone(a, v, direction, -1, 0, tau))
    return false;
  direction.nx = gap > 0 ? ox / gap : 0;
  direction.ny = gap > 0 ? oy / gap : 0;
  direction.nz = gap > 0 ? oz / gap : 1;
  return takeVertex(touch, a, v, VERTEX, w, gap);
}

/** An edge between two sides of a solid: beyond it is in the solid. */
const isSolidEdge = ({ model }: PosedModel, edge: number): boolean =>
  model.closed && model.sides === 'front' && model.edgeKinds[edge] === CONVEX_EDGE;

/** An edge of the mover and one of the target. */
function testEdges(touch: TouchSearch, edgeA: number, edgeB: number): boolean {
  const { tau, margin, mover: a, target: b, line, other, direction, contact } = touch;
  loadLine(a, edgeA, other);
  loadLine(b, edgeB, line);
  const { ux, uy, uz } = line;
  const { ux: tx, uy: ty, uz: tz } = other;
  let nx = uy * tz - uz * ty;
  let ny = uz * tx - ux * tz;
  let nz = ux * ty - uy * tx;
  const sin = Math.sqrt(nx * nx + ny * ny + nz * nz);
  // Nearly parallel ones are left to their ends: they have no direction across.
  if (!(sin * Math.max(line.length, other.length) > Math.max(margin / 8, 8 * tau))) return false;
  nx /= sin;
  ny /= sin;
  nz /= sin;
  const wx = other.x - line.x;
  const wy = other.y - line.y;
  const wz = other.z - line.z;
  const gap = wx * nx + wy * ny + wz * nz;
  if (!(Math.abs(gap) <= margin + tau)) return false;
  const at = (wx * (ty * nz - tz * ny) + wy * (tz * nx - tx * nz) + wz * (tx * ny - ty * nx)) / sin;
  const on = (wx * (uy * nz - uz * ny) + wy * (uz * nx - ux * nz) + wz * (ux * ny - uy * nx)) / sin;
  const ease = tau / sin;
  if (!(at >= -ease && at <= line.length + ease && on >= -ease && on <= other.length + ease)) return false;
  // What is beyond the ends of both by rounding is farther away than the lines are.
  if (!(edgeDistance(line, other, 0, on) <= Math.abs(gap) + SAME_GAP * margin + tau)) return false;
  const angle = 2e-14 + (margin + 8 * tau) / Math.min(line.length, other.length);
  const solid = touch.overlaps && isSolidEdge(a, edgeA) && isSolidEdge(b, edgeB);
  direction.nx = nx;
  direction.ny = ny;
  direction.nz = nz;
  for (let sign = gap < 0 ? -1 : 1, k = 0; k < 2; k++, sign = -sign) {
    const sunk = !(sign * gap >= -tau);
    if (sunk && !solid) continue;
    const within = sunk ? 0 : angle;
    if (!isInEdgeCone(b, edgeB, direction, sign, within) || !isInEdgeCone(a, edgeA, direction, -sign, within))
      continue;
    const s = Math.max(0, Math.min(on, other.length));
    setFeatures(contact, EDGE, edgeA, EDGE, edgeB);
    contact.gap = sign * gap;
    contact.x = other.x + s * tx;
    contact.y = other.y + s * ty;
    contact.z = other.z + s * tz;
    contact.nx = sign * nx;
    contact.ny = sign * ny;
    contact.nz = sign * nz;
    return true;
  }
  return false;
}
