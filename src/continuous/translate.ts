/**
 * The first contact of a polyhedron that moves along a line. van Waveren 2005, §2.2, §2.3, §3 and §4, with a rounded zone:
 * see translate-pairs.ts. The polygons of the target come in the order in which the mover reaches them; most are turned
 * away by their boxes, planes and outlines before any pair of features is looked at.
 */
import type { SweepJob } from './job.ts';
import { isEarlier, tuning } from './job.ts';
import {
  forgetTreated,
  meetByBits,
  meetByBoxes,
  meetPoints,
  outline,
  readTarget,
} from './translate-features.ts';
import { forgetLeading, movers, readMover } from './translate-mover.ts';
import { clearScene, needNormal, needVertex, scene, setScene } from './translate-scene.ts';

/** Which polygons were met: those with the stamp of this sweep. */
let donePolygons: Int32Array = new Int32Array(32);

/** Finds the first contact within the first `job.best` of the motion and writes it to the job. @internal */
export function translateModel(job: SweepJob): void {
  const before = scene.stamp;
  if (!setScene(job)) return;
  if (scene.stamp <= before) {
    forgetLeading();
    forgetTreated();
    donePolygons.fill(0);
  }
  readMover();
  const polygons = job.target.sources.length;
  if (donePolygons.length < polygons) donePolygons = new Int32Array(2 * polygons);
  readTarget(job.target);
  if (polygons === 0) meetPoints();
  else if (tuning.bsp) walk(job);
  else for (let f = 0; f < polygons; f++) meetPolygon(job, f);
  if (scene.found) report(job);
  clearScene();
}

/** The hit, in the target's frame. */
function report(job: SweepJob): void {
  const t = Math.min(scene.best / scene.length, job.best);
  if (!isEarlier(job, t)) return;
  const { x, y, z, ax, ay, az, bx, by, bz, vx, vy, vz } = scene;
  // The direction between points that are as near as that is not a unit vector to the last bit.
  const norm = Math.sqrt(scene.nx * scene.nx + scene.ny * scene.ny + scene.nz * scene.nz);
  const nx = scene.nx / norm;
  const ny = scene.ny / norm;
  const nz = scene.nz / norm;
  job.best = t;
  job.found = true;
  job.moverKind = scene.moverKind;
  job.moverFeature = scene.moverFeature;
  job.targetKind = scene.targetKind;
  job.targetFeature = scene.targetFeature;
  job.gap = Math.max(0, scene.gap);
  job.x = scene.ox + ax * x + bx * y + vx * z;
  job.y = scene.oy + ay * x + by * y + vy * z;
  job.z = scene.oz + az * x + bz * y + vz * z;
  job.nx = ax * nx + bx * ny + vx * nz;
  job.ny = ay * nx + by * ny + vy * nz;
  job.nz = az * nx + bz * ny + vz * nz;
}

/** Depth of the tree and one. */
const MAX_PENDING = 64;
const pendingNode = new Int32Array(MAX_PENDING);
const pendingFrom = new Float64Array(MAX_PENDING);
const pendingTo = new Float64Array(MAX_PENDING);

/**
 * Comes to the polygons in about the order in which the mover does: a node of the tree is entered with the span of time in
 * which the box of the mover, with the zone about it, is in its part of space.
 */
function walk(job: SweepJob): void {
  const { axes, splits, next, counts, items } = job.target.bsp;
  if (axes.length === 0) return;
  const { pad } = scene;
  const reach = job.best;
  let top = 0;
  let node = 0;
  let from = 0;
  let to = reach;
  for (;;) {
    const axis = axes[node]!;
    if (axis === 3) {
      const start = next[node]!;
      const stop = start + counts[node]!;
      for (let k = start; k < stop; k++) {
        const f = items[k]!;
        if (donePolygons[f] === scene.stamp) continue;
        donePolygons[f] = scene.stamp;
        meetPolygon(job, f);
      }
    } else {
      const split = splits[node]!;
      const v = axis === 0 ? job.vx : axis === 1 ? job.vy : job.vz;
      const low = (axis === 0 ? job.lowX : axis === 1 ? job.lowY : job.lowZ) - pad;
      const high = (axis === 0 ? job.highX : axis === 1 ? job.highY : job.highZ) + pad;
      const lower = node + 1;
      const upper = next[node]!;
      // In the lower part until `leave` and in the upper one from `enter` on, or the other way round.
      let near = lower;
      let far = upper;
      let leave = 0;
      let enter = 0;
      if (v > 0) {
        leave = (split - low) / v;
        enter = (split - high) / v;
      } else if (v < 0) {
        near = upper;
        far = lower;
        leave = (split - high) / v;
        enter = (split - low) / v;
      } else {
        leave = low <= split ? Infinity : -1;
        enter = high >= split ? 0 : Infinity;
      }
      const inNear = from <= leave;
      const inFar = to >= enter;
      if (inNear) {
        if (inFar) {
          pendingNode[top] = far;
          pendingFrom[top] = enter > from ? enter : from;
          pendingTo[top++] = to;
        }
        node = near;
        if (leave < to) to = leave;
        continue;
      }
      if (inFar) {
        node = far;
        if (enter > from) from = enter;
        continue;
      }
    }
    do {
      if (top === 0) return;
      top--;
      from = pendingFrom[top]!;
    } while (from * scene.length > scene.best);
    node = pendingNode[top]!;
    to = pendingTo[top]!;
  }
}

/** A polygon of the target: turned away if it cannot be reached, else all features against the mover's. */
function meetPolygon(job: SweepJob, f: number): void {
  const target = scene.target;
  const { model, points } = target;
  const { polygonBounds: bounds, planes } = model;
  const { pad } = scene;
  const best = scene.best;
  // The box of the polygon against the box of the way that is left.
  const t = best / scene.length;
  const dx = t * job.vx;
  const dy = t * job.vy;
  const dz = t * job.vz;
  const b = 6 * f;
  if (
    +(bounds[b]! > job.highX + pad + (dx > 0 ? dx : 0)) |
    +(bounds[b + 1]! > job.highY + pad + (dy > 0 ? dy : 0)) |
    +(bounds[b + 2]! > job.highZ + pad + (dz > 0 ? dz : 0)) |
    +(bounds[b + 3]! < job.lowX - pad + (dx < 0 ? dx : 0)) |
    +(bounds[b + 4]! < job.lowY - pad + (dy < 0 ? dy : 0)) |
    +(bounds[b + 5]! < job.lowZ - pad + (dz < 0 ? dz : 0))
  )
    return;
  // Its plane against the box of the mover.
  const nx = planes[4 * f]!;
  const ny = planes[4 * f + 1]!;
  const nz = planes[4 * f + 2]!;
  const along = nx * scene.vx + ny * scene.vy + nz * scene.vz;
  if (target.front && model.closed && !(along < 0)) return;
  const height = nx * scene.ox + ny * scene.oy + nz * scene.oz - planes[4 * f + 3]!;
  const radius =
    0.5 *
      (Math.abs(nx) * (job.highX - job.lowX) +
        Math.abs(ny) * (job.highY - job.lowY) +
        Math.abs(nz) * (job.highZ - job.lowZ)) +
    pad;
  const end = height + along * best;
  if ((height > radius && end > radius) || (height < -radius && end < -radius)) return;
  // Its outline along the motion against that of the mover.
  const first = model.polygonStart[f]!;
  const last = model.polygonStart[f + 1]!;
  let lowX = Infinity;
  let lowY = Infinity;
  let lowZ = Infinity;
  let highX = -Infinity;
  let highY = -Infinity;
  let highZ = -Infinity;
  for (let k = first; k < last; k++) {
    const v = model.polygonVertices[k]!;
    needVertex(target, v);
    const x = points[3 * v]!;
    const y = points[3 * v + 1]!;
    const z = points[3 * v + 2]!;
    if (x < lowX) lowX = x;
    if (x > highX) highX = x;
    if (y < lowY) lowY = y;
    if (y > highY) highY = y;
    if (z < lowZ) lowZ = z;
    if (z > highZ) highZ = z;
  }
  if (
    +(lowX > scene.highX + pad) |
    +(lowY > scene.highY + pad) |
    +(lowZ > scene.highZ + pad + best) |
    +(highX < scene.lowX - pad) |
    +(highY < scene.lowY - pad) |
    +(highZ < scene.lowZ - pad)
  )
    return;
  needNormal(target, f);
  scene.along = along;
  if (movers.cached) meetByBits(f);
  else {
    outline.lowX = lowX - pad;
    outline.lowY = lowY - pad;
    outline.highX = highX + pad;
    outline.highY = highY + pad;
    meetByBoxes(f);
  }
}
