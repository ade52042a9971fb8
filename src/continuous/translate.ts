/**
 * The first contact of a polyhedron that moves along a line. van Waveren 2005, §2.2, §2.3, §3 and §4, with a rounded zone:
 * see translate-pairs.ts. The polygons of the target come from translate-walk.ts, which turns most of them away.
 */
import type { SweepJob } from './job.ts';
import { isEarlier } from './job.ts';
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
import { walking, walkLevel } from './translate-walk.ts';

/** Is the scene set up for the sweep at hand? */
let ready = false;

/**
 * Finds the first contact within the first `job.best` of the motion and writes it to the job: at t = 0, if a polygon cuts
 * through the mover at the start. @internal
 */
export function translateModel(job: SweepJob): void {
  ready = false;
  let cut = false;
  if (job.target.sources.length === 0) {
    if (enter(job)) meetPoints();
  } else cut = walkLevel(job, meetPolygon);
  if (!ready) return;
  if (scene.found && !cut) report(job);
  clearScene();
}

/** Sets up what is needed as soon as there is something to meet. False if nothing moves. */
function enter(job: SweepJob): boolean {
  const before = scene.stamp;
  if (!setScene(job)) return false;
  if (scene.stamp <= before) {
    forgetLeading();
    forgetTreated();
  }
  readMover();
  readTarget(job.target);
  ready = true;
  return true;
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

/** A polygon of the target that the mover comes near to: all features against the mover's. */
function meetPolygon(job: SweepJob, f: number, blocks: Float64Array, block: number): void {
  if (!ready && !enter(job)) return;
  if (movers.cached) meetByBits(f, blocks, block);
  else meetOutline(f);
  walking.limit = scene.best / scene.length;
}

function meetOutline(f: number): void {
  const target = scene.target;
  const { model, points } = target;
  const { pad } = scene;
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
    +(lowZ > scene.highZ + pad + scene.best) |
    +(highX < scene.lowX - pad) |
    +(highY < scene.lowY - pad) |
    +(highZ < scene.lowZ - pad)
  )
    return;
  needNormal(target, f);
  outline.lowX = lowX - pad;
  outline.lowY = lowY - pad;
  outline.highX = highX + pad;
  outline.highY = highY + pad;
  meetByBoxes(f);
}
