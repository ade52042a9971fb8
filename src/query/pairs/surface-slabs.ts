/** What a convex shape takes up in the space of a mesh, where it stands and on its way: what to search for near it. */
import { BOX, type ConvexCore, ELLIPSOID, SEGMENT, supportCore } from '../../convex/core.ts';
import { directionToSecond, type Frame, turnToFirst } from '../../convex/frame.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { Aabb } from '../../primitives/types.ts';
import { makeSweptSlabs } from '../../trimesh/visit-triangles.ts';

const direction = vec3();
const point = vec3();

/** The box around a convex shape, as the mesh sees it. */
export function boxInMesh(core: ConvexCore, frame: Frame, out: Aabb): Aabb {
  const { min, max } = out;
  axis.x = 1;
  axis.y = 0;
  axis.z = 0;
  measure(core, frame, axis);
  min.x = heights[0]!;
  max.x = heights[1]!;
  axis.x = 0;
  axis.y = 1;
  measure(core, frame, axis);
  min.y = heights[0]!;
  max.y = heights[1]!;
  axis.y = 0;
  axis.z = 1;
  measure(core, frame, axis);
  min.z = heights[0]!;
  max.z = heights[1]!;
  return out;
}

/** The motion, as the mesh sees it. */
export const inMeshMotion = vec3();
export const slabs = makeSweptSlabs();
const axis = vec3();
const heights = new Float64Array(2);

/** How high the shape reaches along a unit vector of the mesh, from … to. */
function measure(core: ConvexCore, frame: Frame, along: ReadonlyVec3): void {
  const room = core.radius + 1e-14 * core.reach;
  turnToFirst(frame, along, direction);
  const { x, y, z } = direction;
  const offset = x * frame.tx + y * frame.ty + z * frame.tz;
  supportCore(core, direction, -1, point);
  heights[1] = x * point.x + y * point.y + z * point.z - offset + room;
  direction.x = -x;
  direction.y = -y;
  direction.z = -z;
  supportCore(core, direction, -1, point);
  heights[0] = x * point.x + y * point.y + z * point.z - offset - room;
}

/** A direction in which a core is long, if there is one, in its own space. */
function loadAxis({ type, data }: ConvexCore): void {
  axis.x = 0;
  axis.y = 1;
  axis.z = 0;
  if (type === SEGMENT) {
    axis.x = data[3]! - data[0]!;
    axis.y = data[4]! - data[1]!;
    axis.z = data[5]! - data[2]!;
  } else if (type === BOX || type === ELLIPSOID) {
    const x = data[0]!;
    const y = data[1]!;
    const z = data[2]!;
    axis.x = x > y && x > z ? 1 : 0;
    axis.z = axis.x === 0 && z > y ? 1 : 0;
    axis.y = 1 - axis.x - axis.z;
  }
}

/** Slabs around the shape on its way along `inMeshMotion`: one side along the motion, one across its axis. */
export function loadSlabs(core: ConvexCore, frame: Frame): void {
  const { x, y, z } = inMeshMotion;
  const way = Math.sqrt(x * x + y * y + z * z);
  const moves = way > 1e-150 && way < 1e150;
  const mx = moves ? x / way : 1;
  const my = moves ? y / way : 0;
  const mz = moves ? z / way : 0;
  loadAxis(core);
  directionToSecond(frame, axis, axis);
  const size = Math.abs(axis.x) + Math.abs(axis.y) + Math.abs(axis.z);
  let nx = my * axis.z - mz * axis.y;
  let ny = mz * axis.x - mx * axis.z;
  let nz = mx * axis.y - my * axis.x;
  let length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (!(length > 1e-3 * size && size > 1e-150)) {
    // Any that is perpendicular.
    nx = Math.abs(mx) < 0.7 ? 0 : -mz;
    ny = Math.abs(mx) < 0.7 ? mz : 0;
    nz = Math.abs(mx) < 0.7 ? -my : mx;
    length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  }
  nx /= length;
  ny /= length;
  nz /= length;
  axis.x = mx;
  axis.y = my;
  axis.z = mz;
  measure(core, frame, axis);
  slabs.mx = mx;
  slabs.my = my;
  slabs.mz = mz;
  slabs.lowM = heights[0]!;
  slabs.highM = heights[1]!;
  axis.x = nx;
  axis.y = ny;
  axis.z = nz;
  measure(core, frame, axis);
  slabs.nx = nx;
  slabs.ny = ny;
  slabs.nz = nz;
  slabs.lowN = heights[0]!;
  slabs.highN = heights[1]!;
  axis.x = my * nz - mz * ny;
  axis.y = mz * nx - mx * nz;
  axis.z = mx * ny - my * nx;
  measure(core, frame, axis);
  slabs.ux = axis.x;
  slabs.uy = axis.y;
  slabs.uz = axis.z;
  slabs.lowU = heights[0]!;
  slabs.highU = heights[1]!;
  slabs.way = way;
  slabs.height = -Infinity;
}

/**
 * Once it is known that the shape touches something at a time, with that normal (to the shape): up to then it stays above
 * a plane across the normal, as it comes from there. What is below the plane cannot be touched before.
 */
export function raiseHeight(
  core: ConvexCore,
  frame: Frame,
  motion: ReadonlyVec3,
  normal: ReadonlyVec3,
  hit: { readonly t: number },
): void {
  const { x, y, z } = normal;
  direction.x = -x;
  direction.y = -y;
  direction.z = -z;
  supportCore(core, direction, -1, point);
  const sinks = Math.min(0, hit.t * (x * motion.x + y * motion.y + z * motion.z));
  directionToSecond(frame, normal, direction);
  slabs.hx = direction.x;
  slabs.hy = direction.y;
  slabs.hz = direction.z;
  const room = core.radius + 1e-14 * core.reach;
  slabs.height =
    x * (point.x - frame.tx) + y * (point.y - frame.ty) + z * (point.z - frame.tz) + sinks - room;
}
