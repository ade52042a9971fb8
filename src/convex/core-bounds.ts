/** Boxes around convex cores. */
import { EPS64 } from '../math/float.ts';
import * as m3 from '../math/mat3.ts';
import type { ReadonlyPose, ReadonlyQuat, ReadonlyVec3 } from '../math/types.ts';
import { mat3, vec3 } from '../math/types.ts';
import type { Aabb } from '../primitives/types.ts';
import { makeSpan } from '../primitives/types.ts';
import { isRotation } from '../volumes/aabb-transform.ts';
import { addDown3, addUp3, ROTATION_ERROR } from '../volumes/volume-rounding.ts';
import { type ConvexCore, POLYTOPE, supportCore } from './core.ts';

/** The box of a core, axis by axis. */
class CoreBounds {
  private readonly low = vec3();
  private readonly high = vec3();
  private readonly direction = vec3();
  private readonly farthest = vec3();
  private readonly matrix = mat3();
  private readonly extent = makeSpan();
  private readonly margin = vec3();

  write(core: ConvexCore, position: ReadonlyVec3, quaternion: ReadonlyQuat, out: Aabb): Aabb {
    const { low, high, extent, margin } = this;
    const { x, y, z } = position;
    m3.fromQuat(quaternion, this.matrix);
    const { radius, reach } = core;
    const hasCorners = core.type <= POLYTOPE;
    // Corners of what was not rotated are known exactly.
    const error = isRotation(quaternion) ? ROTATION_ERROR * reach : hasCorners ? 0 : 4 * EPS64 * reach;
    this.extentAlong(core, 0);
    low.x = extent.enter;
    high.x = extent.exit;
    this.extentAlong(core, 1);
    low.y = extent.enter;
    high.y = extent.exit;
    this.extentAlong(core, 2);
    low.z = extent.enter;
    high.z = extent.exit;
    margin.x = margin.y = margin.z = radius;
    this.widen();
    margin.x = margin.y = margin.z = error;
    this.widen();
    margin.x = x;
    margin.y = y;
    margin.z = z;
    addDown3(low, margin, out.min);
    addUp3(high, margin, out.max);
    return out;
  }

  /** Writes to `extent` how far the core goes along an axis of the world, as it sees it: a row of its rotation. */
  private extentAlong(core: ConvexCore, axis: number): void {
    const { direction, farthest, extent } = this;
    const { elements } = this.matrix;
    const x = elements[axis]!;
    const y = elements[axis + 3]!;
    const z = elements[axis + 6]!;
    direction.x = x;
    direction.y = y;
    direction.z = z;
    const hint = supportCore(core, direction, -1, farthest);
    extent.exit = x * farthest.x + y * farthest.y + z * farthest.z;
    direction.x = -x;
    direction.y = -y;
    direction.z = -z;
    supportCore(core, direction, hint, farthest);
    extent.enter = x * farthest.x + y * farthest.y + z * farthest.z;
  }

  /** Moves all sides out by `margin`, rounded outward. */
  private widen(): void {
    const { low, high, margin } = this;
    addUp3(high, margin, high);
    margin.x = -margin.x;
    margin.y = -margin.y;
    margin.z = -margin.z;
    addDown3(low, margin, low);
  }
}

const coreBounds = /* @__PURE__ */ new CoreBounds();

/** The box around a core with its radius, rounded outward, at a pose with a unit quaternion. @internal */
export function boundsOfCore(core: ConvexCore, { position, quaternion }: ReadonlyPose, out: Aabb): Aabb {
  // A user's support may ask for other bounds.
  const own = core.custom === null ? coreBounds : new CoreBounds();
  return own.write(core, position, quaternion, out);
}
