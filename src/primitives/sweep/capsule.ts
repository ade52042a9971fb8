/**
 * Moving capsules. What a segment leaves free of a target while it moves, its end leaves free of the target drawn out
 * along the segment, backwards: a point becomes a segment, a segment a parallelogram, a triangle a prism. So these
 * are sweeps of a sphere about the end a, and as exact: see `mover.ts`.
 */
import { checkPoint, checkSphere, checkTube } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { add, copy, dot, negate, normalize, set, sub } from '../../math/vec3.ts';
import { closestOnSegments } from '../closest/segment-segment.ts';
import { makeSegmentPair } from '../closest/types.ts';
import type { Hit, ReadonlyCapsule, ReadonlySphere } from '../types.ts';
import { makeHit } from '../types.ts';
import {
  copyHit,
  loadMover,
  type Mover,
  makeMover,
  moveToSurface,
  PAST_THE_END,
  touchSegment,
} from './mover.ts';
import { BESIDE, FACE, touchFace, touchTriangle } from './sphere-triangle.ts';

const ORIGIN: ReadonlyVec3 = vec3();
const mover = makeMover();
const otherEnd = makeMover();
const found = makeHit();
const touch = makeHit();
const velocity = vec3();
// All seen from the capsule's end a: its axis, and the corners of the target.
const axis = vec3();
const pa = vec3();
const pb = vec3();
const pc = vec3();
const aBack = vec3();
const bBack = vec3();
const cBack = vec3();
const from = vec3();
const to = vec3();
const pair = makeSegmentPair();

/**
 * When and where does a moving capsule first touch a sphere? Null when it does not. A start in touch, or deeper, hits
 * at t = 0, at the point of the sphere nearest to the capsule's axis; when the centre is on the axis the normal
 * opposes the motion.
 */
export function sweepCapsuleSphere(
  capsule: ReadonlyCapsule,
  motion: ReadonlyVec3,
  sphere: ReadonlySphere,
  out?: Hit,
): Hit | null {
  checkTube('sweepCapsuleSphere', 'capsule', capsule);
  checkPoint('sweepCapsuleSphere', 'motion', motion);
  checkSphere('sweepCapsuleSphere', 'sphere', sphere);
  const { radius } = sphere;
  copy(capsule.a, pa);
  copy(capsule.b, pb);
  // Seen from the capsule, the sphere moves the other way.
  mover.radius = radius + capsule.radius;
  mover.thickness = radius;
  loadMover(sphere.center, negate(motion, velocity), mover);
  found.t = PAST_THE_END;
  if (touchSegment(mover, pa, pb, found) === 0) return null;
  copy(sphere.center, found.point);
  negate(found.normal, found.normal);
  moveToSurface(mover, found);
  return copyHit(found, out);
}

/**
 * When and where does a moving capsule first touch another? Null when it does not. A start in touch, or deeper, hits at
 * t = 0, at the point of the other nearest to the capsule's axis; where the axes cross, the normal is across both,
 * against the motion. Of capsules that meet side by side, some point of their contact is given.
 */
export function sweepCapsuleCapsule(
  capsule: ReadonlyCapsule,
  motion: ReadonlyVec3,
  other: ReadonlyCapsule,
  out?: Hit,
): Hit | null {
  checkTube('sweepCapsuleCapsule', 'capsule', capsule);
  checkPoint('sweepCapsuleCapsule', 'motion', motion);
  checkTube('sweepCapsuleCapsule', 'other', other);
  const { radius } = other;
  mover.radius = capsule.radius + radius;
  mover.thickness = radius;
  loadCapsule(capsule, motion);
  sub(other.a, capsule.a, pa);
  sub(other.b, capsule.a, pb);
  if (!touchAcross(pa, pb)) return null;
  moveToSurface(mover, found);
  add(found.point, capsule.a, found.point);
  return copyHit(found, out);
}

/**
 * When and where does a moving capsule first touch the triangle abc, from either side? Null when it does not. A start in
 * touch hits at t = 0, at the point of the triangle nearest to the capsule's axis; where the axis goes through the
 * triangle, the normal is that of the face, against the motion. A triangle without area is the segment or point it
 * covers. Of a capsule that comes down flat, some point of the contact is given.
 */
export function sweepCapsuleTriangle(
  capsule: ReadonlyCapsule,
  motion: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  out?: Hit,
): Hit | null {
  checkTube('sweepCapsuleTriangle', 'capsule', capsule);
  checkPoint('sweepCapsuleTriangle', 'motion', motion);
  checkPoint('sweepCapsuleTriangle', 'a', a);
  checkPoint('sweepCapsuleTriangle', 'b', b);
  checkPoint('sweepCapsuleTriangle', 'c', c);
  touch.t = PAST_THE_END;
  const touched = touchTriangleByCapsule(capsule, motion, a, b, c, touch);
  return touched ? copyHit(touch, out) : null;
}

/**
 * Does the capsule touch the triangle abc before `hit.t`? Then the hit is filled.
 *
 * @internal
 */
export function touchTriangleByCapsule(
  capsule: ReadonlyCapsule,
  motion: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  hit: Hit,
): boolean {
  mover.radius = capsule.radius;
  loadCapsule(capsule, motion);
  sub(a, capsule.a, pa);
  sub(b, capsule.a, pb);
  sub(c, capsule.a, pc);
  if (!axisMeetsTriangle()) {
    found.t = hit.t;
    moveToTriangle(touchPrism(mover, axis, pa, pb, pc, found));
  }
  if (!(found.t < hit.t)) return false;
  add(found.point, capsule.a, found.point);
  copyHit(found, hit);
  return true;
}

/**
 * Does a capsule whose axis does not go through the triangle abc touch it before `hit.t`? The mover is a sphere about one end
 * of the axis. Then the hit is filled, but for its point, which is on a side of the prism; and that side is returned, as the
 * set of corners that it was drawn out of (1 for a, 2 for b, 4 for c, 7 for the triangle at an end), or `AT_END` for an edge
 * of the triangle at an end. Else 0.
 *
 * The sides of the prism: the triangle at both ends of the axis and, for each edge, the parallelogram that the axis draws
 * out of it. An edge of the prism is in two of these. What one of them does not reach before `hit`, or reaches within,
 * is news on none of its edges: only an edge that both leave open is asked.
 *
 * @internal
 */
export function touchPrism(
  mover: Mover,
  axis: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  hit: Hit,
): number {
  const { x, y, z } = mover;
  const { x: ax, y: ay, z: az } = axis;
  let touched = 0;
  const atA = touchFace(mover, a, b, c, hit);
  if (atA === FACE) touched = 7;
  mover.x = x + ax;
  mover.y = y + ay;
  mover.z = z + az;
  const atB = touchFace(mover, a, b, c, hit);
  if (atB === FACE) touched = 7;
  mover.x = x;
  mover.y = y;
  mover.z = z;
  drawBack(a, axis, aBack);
  drawBack(b, axis, bBack);
  drawBack(c, axis, cBack);
  const ab = touchFace(mover, a, b, aBack, hit, true);
  if (ab === FACE) touched = 3;
  const bc = touchFace(mover, b, c, bBack, hit, true);
  if (bc === FACE) touched = 6;
  const ca = touchFace(mover, c, a, cBack, hit, true);
  if (ca === FACE) touched = 5;
  if (ab === BESIDE && ca === BESIDE && touchSegment(mover, a, aBack, hit) !== 0) touched = 1;
  if (ab === BESIDE && bc === BESIDE && touchSegment(mover, b, bBack, hit) !== 0) touched = 2;
  if (bc === BESIDE && ca === BESIDE && touchSegment(mover, c, cBack, hit) !== 0) touched = 4;
  for (let end = 0; end < 2; end++) {
    if ((end === 0 ? atA : atB) !== BESIDE) continue;
    if (end === 1) {
      mover.x = x + ax;
      mover.y = y + ay;
      mover.z = z + az;
    }
    if (ab === BESIDE && touchSegment(mover, a, b, hit) !== 0) touched = AT_END;
    if (bc === BESIDE && touchSegment(mover, b, c, hit) !== 0) touched = AT_END;
    if (ca === BESIDE && touchSegment(mover, a, c, hit) !== 0) touched = AT_END;
  }
  mover.x = x;
  mover.y = y;
  mover.z = z;
  return touched;
}

/** The point p, drawn out along the axis, backwards. */
function drawBack(p: ReadonlyVec3, axis: ReadonlyVec3, out: Vec3): void {
  out.x = p.x - axis.x;
  out.y = p.y - axis.y;
  out.z = p.z - axis.z;
}

/** What `touchPrism` returns for an edge of the triangle at an end of the axis: the point of the hit is on the triangle. */
const AT_END = 8;

/** The point of the triangle, for one on a side of the prism. */
function moveToTriangle(side: number): void {
  if (side === 3) moveToEdge(pa, pb);
  else if (side === 6) moveToEdge(pb, pc);
  else if (side === 5) moveToEdge(pc, pa);
  else if (side === 1) copy(pa, found.point);
  else if (side === 2) copy(pb, found.point);
  else if (side === 4) copy(pc, found.point);
}

/** Readies the sphere about the capsule's end a, as seen from there. */
function loadCapsule(capsule: ReadonlyCapsule, motion: ReadonlyVec3): void {
  copy(motion, velocity);
  sub(capsule.b, capsule.a, axis);
  loadMover(ORIGIN, velocity, mover);
  found.t = PAST_THE_END;
}

/** Does the capsule's axis touch the segment pq, within the radius and before `found`? The point found is on pq. */
function touchAcross(p: ReadonlyVec3, q: ReadonlyVec3): boolean {
  const between = touchBetween(p, q);
  if (between !== BESIDE) return between === FACE;
  sub(p, axis, aBack);
  sub(q, axis, bBack);
  const touched =
    touchSegment(mover, p, q, found) |
    touchSegment(mover, aBack, bBack, found) |
    touchSegment(mover, p, aBack, found) |
    touchSegment(mover, q, bBack, found);
  if (touched === 0) return false;
  moveToEdge(p, q);
  return true;
}

/** The same for what is within the axis and within the segment: as `touchFace` has it. */
function touchBetween(p: ReadonlyVec3, q: ReadonlyVec3): number {
  const touched = touchFace(mover, p, q, sub(p, axis, aBack), found, true);
  if (touched === FACE) moveToEdge(p, q);
  return touched;
}

/** From the parallelogram to the segment pq. */
function moveToEdge(p: ReadonlyVec3, q: ReadonlyVec3): void {
  const { t } = found;
  from.x = t * velocity.x;
  from.y = t * velocity.y;
  from.z = t * velocity.z;
  add(axis, from, to);
  copy(closestOnSegments(from, to, p, q, pair).b, found.point);
}

/** Is the capsule's axis in touch with the triangle at the start? Its end a then touches it when moved along the axis. */
function axisMeetsTriangle(): boolean {
  otherEnd.radius = 0;
  loadMover(ORIGIN, axis, otherEnd);
  const touched = touchTriangle(otherEnd, pa, pb, pc, found);
  if (touched === 0) return false;
  found.t = 0;
  const { normal } = found;
  if (touched === 7) {
    if (dot(normal, velocity) > 0) negate(normal, normal);
  } else if (mover.vv > 0) normalize(set(-velocity.x, -velocity.y, -velocity.z, normal), normal);
  return true;
}
