/**
 * A translation seen along its direction: both bodies in a frame whose z axis is the motion. There the mover goes from 0 to
 * `reach` along z, and on which side of an edge a vertex passes is a sign in the plane. van Waveren 2005, §2.1 and §4.
 */
import type { SweepJob } from './job.ts';
import type { PolyhedralModel, VertexRing } from './types.ts';
import { vertexRing } from './vertex-ring.ts';

/** One of the two bodies in the frame of the motion. @internal */
export interface SceneBody {
  model: PolyhedralModel;
  /** Found when first needed: see `ringOf`. */
  ring: VertexRing | null;
  /** Touched from the front only? */
  front: boolean;
  /** +1 for the mover, -1 for the target: which way its features go as the other one sees them. */
  way: number;
  /** x, y, z of the vertices. Those of the target are filled in where they are needed: see `needVertex`. */
  points: Float64Array;
  /** x, y, z of the polygons' normals; likewise. */
  normals: Float64Array;
  /** Which vertices and normals are filled in: those with the stamp of this sweep. */
  vertexStamps: Int32Array;
  polygonStamps: Int32Array;
}

/** The sweep under way. Lengths are along the motion. @internal */
export interface Scene {
  readonly mover: SceneBody;
  readonly target: SceneBody;
  stamp: number;
  /** The origin of the frame. */
  ox: number;
  oy: number;
  oz: number;
  /** Its axes: two across the motion, and the motion's direction. */
  ax: number;
  ay: number;
  az: number;
  bx: number;
  by: number;
  bz: number;
  vx: number;
  vy: number;
  vz: number;
  /** How long the motion is; how much of it is asked about; where the first contact so far is. */
  length: number;
  /** The box about the mover at the start, in the frame. */
  lowX: number;
  lowY: number;
  lowZ: number;
  highX: number;
  highY: number;
  highZ: number;
  reach: number;
  best: number;
  found: boolean;
  /** The thickness of the zone; the error of a coordinate; what an approach in the zone must exceed to be stopped. */
  e: number;
  tau: number;
  /** Both: what is farther than this does not matter. */
  pad: number;
  /** How much the polygon at hand looks along the motion. */
  along: number;
  slack: number;
  /** The first contact: features, where on the mover, direction, gap. */
  moverKind: number;
  moverFeature: number;
  targetKind: number;
  targetFeature: number;
  x: number;
  y: number;
  z: number;
  nx: number;
  ny: number;
  nz: number;
  gap: number;
}

const makeBody = (way: number): SceneBody => ({
  model: {} as PolyhedralModel,
  ring: null,
  front: false,
  way,
  points: new Float64Array(96),
  normals: new Float64Array(96),
  vertexStamps: new Int32Array(32),
  polygonStamps: new Int32Array(32),
});

const D = 0.5;

/** @internal */
export const scene: Scene = {
  mover: makeBody(1),
  target: makeBody(-1),
  stamp: 0,
  ox: D,
  oy: D,
  oz: D,
  ax: D,
  ay: D,
  az: D,
  bx: D,
  by: D,
  bz: D,
  vx: D,
  vy: D,
  vz: D,
  length: D,
  lowX: D,
  lowY: D,
  lowZ: D,
  highX: D,
  highY: D,
  highZ: D,
  reach: D,
  best: D,
  found: false,
  e: D,
  tau: D,
  pad: D,
  along: D,
  slack: D,
  moverKind: 0,
  moverFeature: 0,
  targetKind: 0,
  targetFeature: 0,
  x: D,
  y: D,
  z: D,
  nx: D,
  ny: D,
  nz: D,
  gap: D,
};

/** What coordinates are wrong by at most, of the largest of them: of points brought to the frame, with some to spare. @internal */
export const COORDINATE_ERROR = 7.105427357601002e-15; // 2^-47

/** The stamps of all sweeps count on; none is ever used twice. */
const LAST_STAMP = 0x7ffffff0;

/** Sets up the frame and brings the mover into it. False if nothing moves. @internal */
export function setScene(job: SweepJob): boolean {
  const { vx, vy, vz } = job;
  const longest = Math.max(Math.abs(vx), Math.abs(vy), Math.abs(vz));
  if (!(longest > 0)) return false;
  // Scaled, so that nothing under- or overflows.
  const sx = vx / longest;
  const sy = vy / longest;
  const sz = vz / longest;
  const norm = Math.sqrt(sx * sx + sy * sy + sz * sz);
  const ux = sx / norm;
  const uy = sy / norm;
  const uz = sz / norm;
  scene.vx = ux;
  scene.vy = uy;
  scene.vz = uz;
  scene.length = longest * norm;
  // Across: the axis that the motion has least of, made perpendicular.
  const wx = Math.abs(ux);
  const wy = Math.abs(uy);
  const wz = Math.abs(uz);
  let ax = 0;
  let ay = 0;
  let az = 0;
  if (wx <= wy && wx <= wz) {
    const r = Math.sqrt(uy * uy + uz * uz);
    ay = uz / r;
    az = -uy / r;
  } else if (wy <= wz) {
    const r = Math.sqrt(ux * ux + uz * uz);
    ax = -uz / r;
    az = ux / r;
  } else {
    const r = Math.sqrt(ux * ux + uy * uy);
    ax = uy / r;
    ay = -ux / r;
  }
  scene.ax = ax;
  scene.ay = ay;
  scene.az = az;
  scene.bx = uy * az - uz * ay;
  scene.by = uz * ax - ux * az;
  scene.bz = ux * ay - uy * ax;
  scene.ox = 0.5 * (job.lowX + job.highX);
  scene.oy = 0.5 * (job.lowY + job.highY);
  scene.oz = 0.5 * (job.lowZ + job.highZ);
  scene.reach = job.best * scene.length;
  scene.best = scene.reach;
  scene.found = false;
  scene.e = job.thickness;
  scene.tau = COORDINATE_ERROR * job.magnitude;
  scene.pad = scene.e + 2 * scene.tau;
  scene.slack = job.slack;
  if (scene.stamp >= LAST_STAMP) forgetStamps();
  scene.stamp++;
  setBody(scene.mover, job.mover);
  setBody(scene.target, job.target);
  bringMover(job);
  return true;
}

function forgetStamps(): void {
  for (const body of [scene.mover, scene.target]) {
    body.vertexStamps.fill(0);
    body.polygonStamps.fill(0);
  }
  scene.stamp = 0;
}

function setBody(body: SceneBody, model: PolyhedralModel): void {
  if (body.model !== model) {
    body.model = model;
    body.ring = null;
    body.front = model.sides === 'front';
  }
  if (body.points.length < model.points.length) {
    body.points = new Float64Array(2 * model.points.length);
    body.vertexStamps = new Int32Array(body.points.length / 3);
  }
  const polygons = model.sources.length;
  if (body.normals.length < 3 * polygons) {
    body.normals = new Float64Array(6 * polygons);
    body.polygonStamps = new Int32Array(2 * polygons);
  }
}

/** @internal */
export function ringOf(body: SceneBody): VertexRing {
  body.ring ??= vertexRing(body.model);
  return body.ring;
}

/** Lets go of the models. @internal */
export function clearScene(): void {
  scene.mover.model = NOTHING;
  scene.mover.ring = null;
  scene.target.model = NOTHING;
  scene.target.ring = null;
}
const NOTHING = {} as PolyhedralModel;

/** All of the mover. */
function bringMover({ points, planes, mover: model }: SweepJob): void {
  const { mover, stamp, ox, oy, oz, ax, ay, az, bx, by, bz, vx, vy, vz } = scene;
  const { points: to, normals, vertexStamps, polygonStamps } = mover;
  const count = model.points.length;
  let lowX = Infinity;
  let lowY = Infinity;
  let lowZ = Infinity;
  let highX = -Infinity;
  let highY = -Infinity;
  let highZ = -Infinity;
  for (let i = 0, v = 0; i < count; i += 3, v++) {
    const dx = points[i]! - ox;
    const dy = points[i + 1]! - oy;
    const dz = points[i + 2]! - oz;
    const x = ax * dx + ay * dy + az * dz;
    const y = bx * dx + by * dy + bz * dz;
    const z = vx * dx + vy * dy + vz * dz;
    to[i] = x;
    to[i + 1] = y;
    to[i + 2] = z;
    vertexStamps[v] = stamp;
    if (x < lowX) lowX = x;
    if (x > highX) highX = x;
    if (y < lowY) lowY = y;
    if (y > highY) highY = y;
    if (z < lowZ) lowZ = z;
    if (z > highZ) highZ = z;
  }
  scene.lowX = lowX;
  scene.lowY = lowY;
  scene.lowZ = lowZ;
  scene.highX = highX;
  scene.highY = highY;
  scene.highZ = highZ;
  const polygons = model.sources.length;
  for (let f = 0; f < polygons; f++) {
    const x = planes[4 * f]!;
    const y = planes[4 * f + 1]!;
    const z = planes[4 * f + 2]!;
    normals[3 * f] = ax * x + ay * y + az * z;
    normals[3 * f + 1] = bx * x + by * y + bz * z;
    normals[3 * f + 2] = vx * x + vy * y + vz * z;
    polygonStamps[f] = stamp;
  }
}

/** Brings a vertex into the frame, unless it is there. @internal */
export function needVertex(body: SceneBody, v: number): void {
  const { vertexStamps } = body;
  if (vertexStamps[v] === scene.stamp) return;
  vertexStamps[v] = scene.stamp;
  const from = body.model.points;
  const to = body.points;
  const i = 3 * v;
  const x = from[i]! - scene.ox;
  const y = from[i + 1]! - scene.oy;
  const z = from[i + 2]! - scene.oz;
  to[i] = scene.ax * x + scene.ay * y + scene.az * z;
  to[i + 1] = scene.bx * x + scene.by * y + scene.bz * z;
  to[i + 2] = scene.vx * x + scene.vy * y + scene.vz * z;
}

/** Brings a normal into the frame, unless it is there. @internal */
export function needNormal(body: SceneBody, f: number): void {
  const { polygonStamps } = body;
  if (polygonStamps[f] === scene.stamp) return;
  polygonStamps[f] = scene.stamp;
  const from = body.model.planes;
  const to = body.normals;
  const x = from[4 * f]!;
  const y = from[4 * f + 1]!;
  const z = from[4 * f + 2]!;
  const i = 3 * f;
  to[i] = scene.ax * x + scene.ay * y + scene.az * z;
  to[i + 1] = scene.bx * x + scene.by * y + scene.bz * z;
  to[i + 2] = scene.vx * x + scene.vy * y + scene.vz * z;
}
