/** Two polyhedra brought into the frame of one of them, and a contact brought back. */
import * as q4 from '../math/quat.ts';
import type { ReadonlyPose, Vec3 } from '../math/types.ts';
import { quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { EDGE, type SweepJob, VERTEX } from './job.ts';
import type { FeatureKind, PolyhedralModel, SweepContact } from './types.ts';

/** @internal */
export function checkModel(caller: string, name: string, model: PolyhedralModel): void {
  if (typeof model !== 'object' || model === null || !(model.points instanceof Float64Array) || !model.bsp)
    throw new TypeError(`graze: ${caller}: ${name} must be made by polyhedralModel`);
}

const sizeOf = ({ low, high }: PolyhedralModel): number =>
  Math.max(
    Math.abs(low.x),
    Math.abs(low.y),
    Math.abs(low.z),
    Math.abs(high.x),
    Math.abs(high.y),
    Math.abs(high.z),
  );
/** @internal */
export const largestOf = ({ x, y, z }: Readonly<Vec3>): number =>
  Math.max(Math.abs(x), Math.abs(y), Math.abs(z));

/** A bound for all coordinates of two that stand still, here and in the world. @internal */
export const largestStanding = (
  { mover, target }: SweepJob,
  start: ReadonlyPose,
  stand: ReadonlyPose,
): number =>
  Math.max(largestOf(start.position), largestOf(stand.position)) + Math.max(sizeOf(mover), sizeOf(target));

const moved = vec3(0.5, 0.5, 0.5);
const turn = quat(0.5, 0.5, 0.5, 0.5);

/** @internal Brings the mover's vertices and planes to the target's frame. */
export function placeStanding(job: SweepJob, place: ReadonlyPose, stand: ReadonlyPose): void {
  q4.conjugate(stand.quaternion, turn);
  q4.multiply(turn, place.quaternion, turn);
  v3.sub(place.position, stand.position, moved);
  v3.rotateInverse(moved, stand.quaternion, moved);
  bringMover(job);
}

/** Turns (by `turn`) and moves (by `moved`) the mover into the job. */
function bringMover(job: SweepJob): void {
  const { x: qx, y: qy, z: qz, w: qw } = turn;
  const { points: from, planes: fromPlanes, sources } = job.mover;
  const n = from.length;
  if (job.points.length < n) job.points = new Float64Array(2 * n);
  if (job.planes.length < fromPlanes.length) job.planes = new Float64Array(2 * fromPlanes.length);
  const { points, planes } = job;
  const m00 = 1 - 2 * (qy * qy + qz * qz);
  const m01 = 2 * (qx * qy - qw * qz);
  const m02 = 2 * (qx * qz + qw * qy);
  const m10 = 2 * (qx * qy + qw * qz);
  const m11 = 1 - 2 * (qx * qx + qz * qz);
  const m12 = 2 * (qy * qz - qw * qx);
  const m20 = 2 * (qx * qz - qw * qy);
  const m21 = 2 * (qy * qz + qw * qx);
  const m22 = 1 - 2 * (qx * qx + qy * qy);
  const { x: px, y: py, z: pz } = moved;
  let lowX = Infinity;
  let lowY = Infinity;
  let lowZ = Infinity;
  let highX = -Infinity;
  let highY = -Infinity;
  let highZ = -Infinity;
  for (let i = 0; i < n; i += 3) {
    const x = from[i]!;
    const y = from[i + 1]!;
    const z = from[i + 2]!;
    const tx = m00 * x + m01 * y + m02 * z + px;
    const ty = m10 * x + m11 * y + m12 * z + py;
    const tz = m20 * x + m21 * y + m22 * z + pz;
    points[i] = tx;
    points[i + 1] = ty;
    points[i + 2] = tz;
    if (tx < lowX) lowX = tx;
    if (tx > highX) highX = tx;
    if (ty < lowY) lowY = ty;
    if (ty > highY) highY = ty;
    if (tz < lowZ) lowZ = tz;
    if (tz > highZ) highZ = tz;
  }
  const { low, high } = job.mover;
  const { frame } = job;
  frame[0] = m00;
  frame[1] = m10;
  frame[2] = m20;
  frame[3] = m01;
  frame[4] = m11;
  frame[5] = m21;
  frame[6] = m02;
  frame[7] = m12;
  frame[8] = m22;
  frame[9] = 0.5 * (high.x - low.x);
  frame[10] = 0.5 * (high.y - low.y);
  frame[11] = 0.5 * (high.z - low.z);
  const cx = 0.5 * (high.x + low.x);
  const cy = 0.5 * (high.y + low.y);
  const cz = 0.5 * (high.z + low.z);
  frame[12] = m00 * cx + m01 * cy + m02 * cz + px;
  frame[13] = m10 * cx + m11 * cy + m12 * cz + py;
  frame[14] = m20 * cx + m21 * cy + m22 * cz + pz;
  job.lowX = lowX;
  job.lowY = lowY;
  job.lowZ = lowZ;
  job.highX = highX;
  job.highY = highY;
  job.highZ = highZ;
  for (let f = 0, i = 0; f < sources.length; f++, i += 4) {
    const x = fromPlanes[i]!;
    const y = fromPlanes[i + 1]!;
    const z = fromPlanes[i + 2]!;
    const nx = m00 * x + m01 * y + m02 * z;
    const ny = m10 * x + m11 * y + m12 * z;
    const nz = m20 * x + m21 * y + m22 * z;
    planes[i] = nx;
    planes[i + 1] = ny;
    planes[i + 2] = nz;
    planes[i + 3] = fromPlanes[i + 3]! + nx * px + ny * py + nz * pz;
  }
}

const kindOf = (kind: number): FeatureKind =>
  kind === VERTEX ? 'vertex' : kind === EDGE ? 'edge' : 'polygon';

/** @internal The contact of the job, in the world. */
export function writeContact(job: SweepJob, stand: ReadonlyPose, hit: SweepContact): void {
  v3.set(job.x, job.y, job.z, hit.point);
  v3.rotate(hit.point, stand.quaternion, hit.point);
  v3.add(hit.point, stand.position, hit.point);
  v3.set(job.nx, job.ny, job.nz, hit.normal);
  v3.rotate(hit.normal, stand.quaternion, hit.normal);
  hit.gap = job.gap;
  hit.moverKind = kindOf(job.moverKind);
  hit.moverFeature = job.moverFeature;
  hit.targetKind = kindOf(job.targetKind);
  hit.targetFeature = job.targetFeature;
}
