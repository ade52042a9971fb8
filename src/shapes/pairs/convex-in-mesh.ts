/**
 * A convex shape as a mesh sees it: the box around it, how it moves, and slabs around all that it sweeps over. What a walk over
 * the triangles near it needs to know.
 */
import { BOX, type ConvexCore, ELLIPSOID, SEGMENT, supportCore } from '../../convex/core.ts';
import { directionToFirst, directionToSecond, type Frame } from '../../convex/frame.ts';
import { BOX_PADDING } from '../../math/tolerance.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { Hit, ReadonlyAabb } from '../../primitives/types.ts';
import { makeAabb } from '../../primitives/types.ts';
import { makeSweptSlabs } from '../../trimesh/visit-triangles.ts';

export class ConvexInMesh {
  /** Around the shape where it stands. */
  readonly box = makeAabb();
  readonly motion = vec3();
  readonly slabs = makeSweptSlabs();
  private readonly axis = vec3();
  private readonly direction = vec3();
  private readonly point = vec3();
  private low = 0.5;
  private high = 0.5;

  /** Fills in the box. `frame` is the pose of the mesh as the shape sees it. */
  measureBox(core: ConvexCore, frame: Frame): ReadonlyAabb {
    const { axis } = this;
    const { min, max } = this.box;
    setAxis(axis, 1, 0, 0);
    this.measure(core, frame);
    min.x = this.low;
    max.x = this.high;
    setAxis(axis, 0, 1, 0);
    this.measure(core, frame);
    min.y = this.low;
    max.y = this.high;
    setAxis(axis, 0, 0, 1);
    this.measure(core, frame);
    min.z = this.low;
    max.z = this.high;
    return this.box;
  }

  /** From `low` to `high`: how the shape extends along `axis`, a unit vector of the mesh. */
  private measure(core: ConvexCore, frame: Frame): void {
    const { direction, point, axis } = this;
    const padding = core.radius + BOX_PADDING * core.reach;
    directionToFirst(frame, axis, direction);
    const { x, y, z } = direction;
    const offset = x * frame.tx + y * frame.ty + z * frame.tz;
    supportCore(core, direction, -1, point);
    this.high = x * point.x + y * point.y + z * point.z - offset + padding;
    direction.x = -x;
    direction.y = -y;
    direction.z = -z;
    supportCore(core, direction, -1, point);
    this.low = x * point.x + y * point.y + z * point.z - offset - padding;
  }

  /** Fills in the slabs around the shape as it moves: one direction along the motion, one across the shape's longest axis. */
  measureSlabs(core: ConvexCore, frame: Frame): void {
    const { slabs, axis } = this;
    const { x, y, z } = this.motion;
    const length = Math.sqrt(x * x + y * y + z * z);
    const moves = length > 1e-150 && length < 1e150;
    const mx = moves ? x / length : 1;
    const my = moves ? y / length : 0;
    const mz = moves ? z / length : 0;
    loadLongAxis(core, axis);
    directionToSecond(frame, axis, axis);
    const size = Math.abs(axis.x) + Math.abs(axis.y) + Math.abs(axis.z);
    let nx = my * axis.z - mz * axis.y;
    let ny = mz * axis.x - mx * axis.z;
    let nz = mx * axis.y - my * axis.x;
    let across = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(across > 1e-3 * size && size > 1e-150)) {
      // Any that is perpendicular.
      nx = Math.abs(mx) < 0.7 ? 0 : -mz;
      ny = Math.abs(mx) < 0.7 ? mz : 0;
      nz = Math.abs(mx) < 0.7 ? -my : mx;
      across = Math.sqrt(nx * nx + ny * ny + nz * nz);
    }
    nx /= across;
    ny /= across;
    nz /= across;
    setAxis(axis, mx, my, mz);
    this.measure(core, frame);
    slabs.mx = mx;
    slabs.my = my;
    slabs.mz = mz;
    slabs.lowM = this.low;
    slabs.highM = this.high;
    setAxis(axis, nx, ny, nz);
    this.measure(core, frame);
    slabs.nx = nx;
    slabs.ny = ny;
    slabs.nz = nz;
    slabs.lowN = this.low;
    slabs.highN = this.high;
    setAxis(axis, my * nz - mz * ny, mz * nx - mx * nz, mx * ny - my * nx);
    this.measure(core, frame);
    slabs.ux = axis.x;
    slabs.uy = axis.y;
    slabs.uz = axis.z;
    slabs.lowU = this.low;
    slabs.highU = this.high;
    slabs.length = length;
    slabs.height = -Infinity;
  }

  /**
   * The shape is known to touch something, at `hit.t` and with `hit.normal` (both as the shape sees them). Until then it stays
   * above a plane across the normal, as it comes from there: what is below the plane cannot be touched before.
   */
  raiseHeight(core: ConvexCore, frame: Frame, motion: ReadonlyVec3, hit: Readonly<Hit>): void {
    const { slabs, direction, point } = this;
    const { t, normal } = hit;
    const { x, y, z } = normal;
    direction.x = -x;
    direction.y = -y;
    direction.z = -z;
    supportCore(core, direction, -1, point);
    const sinks = Math.min(0, t * (x * motion.x + y * motion.y + z * motion.z));
    directionToSecond(frame, normal, direction);
    slabs.hx = direction.x;
    slabs.hy = direction.y;
    slabs.hz = direction.z;
    const padding = core.radius + BOX_PADDING * core.reach;
    slabs.height =
      x * (point.x - frame.tx) + y * (point.y - frame.ty) + z * (point.z - frame.tz) + sinks - padding;
  }
}

function setAxis(axis: Vec3, x: number, y: number, z: number): void {
  axis.x = x;
  axis.y = y;
  axis.z = z;
}

/** A direction in which a core is long, if there is one, in its own space. */
function loadLongAxis({ type, data }: ConvexCore, axis: Vec3): void {
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
