/**
 * The borders of sheets that are touched from the front only, on the path of a translation. Their faces let pass what comes
 * from behind; their borders let nothing pass, wherever it comes from. That is proved here without any rule for who
 * touches whom: an edge of the border and a polygon of the other one are convex, so their distance is a convex function of
 * the time, and Newton's method from one side never goes too far. (For rotations, see rotation-sweep.ts.)
 */
import { pose } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { emptyBox, extendBox } from '../boxes.ts';
import { isOpenSheet } from '../features.ts';
import { gatherPolygons } from '../model/axial-bsp.ts';
import { poseAt, type SweepContext } from '../sweep-context.ts';
import { DANGLING_EDGE, type PolyhedralModel } from '../types.ts';
import {
  allAxes,
  alongNormals,
  type Face,
  faceCount,
  loadEdge,
  loadFace,
  nearestFeatures,
  projectFaces,
} from './face-pair.ts';
import { poseFaces, releaseFaces } from './pose-clearance.ts';
import type { BorderProof } from './verify-context.ts';

const here = pose();

/** Of the level: so much nearer it may be between two looks. */
const BETWEEN = 0.9375;
/** Then it has gone as far as was proved. */
const MOST_LOOKS = 256;

/**
 * Looks along the translation, up to the time `end`: where a border is found nearer to the other one than `level`, that time,
 * and what was before is proved to be clear but for a sixteenth; otherwise `end`.
 *
 * @internal
 */
export function borderClearUntil(context: SweepContext, end: number, level: number): number {
  const { border: proof, motion, unitTargetPose } = context;
  const { count, phases } = motion;
  // The phase that is a translation.
  const k = count === 2 && phases[0].angle > 0 ? 1 : 0;
  const phase = phases[k]!;
  let t = k / count;
  if (phase.angle > 0 || !(end > t)) return end;
  const last = Math.min(end, (k + 1) / count);
  v3.rotateInverse(phase.linear, unitTargetPose.quaternion, proof.translation);
  proof.low = BETWEEN * level;
  for (let look = 0; look < MOST_LOOKS; look++) {
    poseFaces(context, poseAt(context, t, here));
    proof.rest = count * (last - t);
    lookAround(context);
    releaseFaces(proof.faces);
    if (proof.least < level) return t;
    if (t >= last) return end;
    t = proof.safe >= proof.rest ? last : t + proof.safe / count;
  }
  context.exhausted++;
  return t;
}

/** All pairs that can meet on the rest of the path. */
function lookAround({ mover, target, border: proof, thickness, box: moverBox }: SweepContext): void {
  const { translation, reach, box, near, rest } = proof;
  const { other } = proof.faces;
  const margin = 2 * thickness;
  for (let k = 0; k < 3; k++) {
    const d = rest * (k === 0 ? translation.x : k === 1 ? translation.y : translation.z);
    reach[k] = Math.min(0, d) - margin;
    reach[k + 3] = Math.max(0, d) + margin;
  }
  for (let k = 0; k < 6; k++) box[k] = moverBox[k]! + reach[k]!;
  proof.least = Infinity;
  proof.safe = Infinity;
  const isOpen = isOpenSheet(target);
  const hasPolygons = target.sources.length > 0;
  const count = hasPolygons ? gatherPolygons(target, box, near) : faceCount(target);
  for (let n = 0; n < count; n++) {
    const f = hasPolygons ? near.items[n]! : n;
    if (!isOpen) {
      loadFace(other, f);
      meetMover(proof, mover);
      continue;
    }
    for (let i = target.polygonStart[f]!; i < target.polygonStart[f + 1]!; i++) {
      const code = target.polygonEdges[i]!;
      const e = code < 0 ? ~code : code;
      if (target.edgeKinds[e] !== DANGLING_EDGE) continue;
      loadEdge(other, e);
      meetMover(proof, mover);
    }
  }
}

/** What is loaded of the target against the mover's border, or all of the mover. */
function meetMover(proof: BorderProof, mover: PolyhedralModel): void {
  const { own, other } = proof.faces;
  boundFace(other, proof.faceBox);
  const isOpen = isOpenSheet(mover);
  const count = isOpen ? mover.edgeKinds.length : faceCount(mover);
  for (let g = 0; g < count; g++) {
    if (!isOpen) loadFace(own, g);
    else if (mover.edgeKinds[g] === DANGLING_EDGE) loadEdge(own, g);
    else continue;
    lookAtPair(proof);
  }
}

function boundFace({ corners, count }: Face, box: Float64Array): void {
  emptyBox(box);
  for (let i = 0; i < 3 * count; i += 3) extendBox(box, corners, i);
}

function mayMeet({ faces, faceBox, box, reach }: BorderProof): boolean {
  boundFace(faces.own, box);
  for (let k = 0; k < 3; k++)
    if (box[k]! + reach[k]! > faceBox[k + 3]! || box[k + 3]! + reach[k + 3]! < faceBox[k]!) return false;
  return true;
}

function lookAtPair(proof: BorderProof): void {
  if (!mayMeet(proof)) return;
  const { faces, translation: v, low, rest } = proof;
  const { contact, own, other } = faces;
  // Mostly the plane of the polygon is enough.
  alongNormals(faces);
  if (faces.apart > low && staysApart(proof, faces.ax, faces.ay, faces.az) >= rest) return;
  contact.gap = Infinity;
  nearestFeatures(faces);
  const { gap, nx, ny, nz } = contact;
  proof.least = Math.min(proof.least, gap);
  if (!(gap > low)) return;
  // No more than the whole length of it can be lost.
  let safe = (gap - low) / v3.length(v);
  safe = Math.max(safe, staysApart(proof, nx, ny, nz));
  if (safe < rest) {
    // Of two that are near, the direction from point to point has few right digits: at right angles to a side that is
    // near, or to the motion, which may be along one, it has all.
    safe = Math.max(safe, acrossSides(proof, own), acrossSides(proof, other), across(proof, v.x, v.y, v.z));
    allAxes(faces);
    safe = Math.max(safe, staysApart(proof, faces.ax, faces.ay, faces.az));
  }
  proof.safe = Math.min(proof.safe, safe);
}

function acrossSides(proof: BorderProof, { sides, count }: Face): number {
  let most = 0;
  for (let i = 0; i < 3 * count; i += 3)
    most = Math.max(most, across(proof, sides[i]!, sides[i + 1]!, sides[i + 2]!));
  return most;
}

/** As `staysApart`, along the direction of the contact less what of it is along x, y, z. */
function across(proof: BorderProof, x: number, y: number, z: number): number {
  const { nx, ny, nz } = proof.faces.contact;
  const along = (nx * x + ny * y + nz * z) / (x * x + y * y + z * z);
  const dx = nx - along * x;
  const dy = ny - along * y;
  const dz = nz - along * z;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  return length > 0.5 ? staysApart(proof, dx / length, dy / length, dz / length) : 0;
}

/** For which fraction of the translation the two stay farther apart than `low` along direction n. */
function staysApart({ faces, translation, low }: BorderProof, nx: number, ny: number, nz: number): number {
  v3.set(nx, ny, nz, faces.axis);
  projectFaces(faces);
  const gap = faces.spans.ownLow - faces.spans.high - low;
  if (!(gap > 0)) return 0;
  const rate = v3.dot(faces.axis, translation);
  return rate < 0 ? gap / -rate : Infinity;
}
