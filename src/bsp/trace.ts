/**
 * A box that moves through a solid-leaf tree. RTCD §8.4.2-3.
 *
 * A box is its centre among planes that are moved out by what the box reaches along their normals, at each node and for both
 * sides: the tree grows as it is walked. Every plane turns into times at which the motion enters and leaves its sides; no point
 * on the way is computed, and nothing starts anew from one, so that errors do not add up.
 *
 *     behind                 in front, at rising heights
 *   ────────────┤  reach + thickness  ├────────────
 *               enter   plane    leave
 *
 * Of the four cases (before, beyond, into and out of) the last two are one: the side where the motion comes from is walked
 * first, until it leaves the thick plane, then the other, from where it enters it. Which side that is, the direction says, not
 * the origin, which may lie on the plane.
 *
 * A grown leaf reaches out from its sharp edges. Bevels, planes across the axes and along edges, cut that off in the games that
 * this comes from (van Waveren, The Quake III Arena Bot (2001), §6); but what is as thick as the planes still reaches out from
 * wedges between planes that are nearly parallel. So the leaf does not stop the box: the triangles that it lists do, each by
 * separating axes, among which are those of the bevels. Each point of the surface is in a leaf that lists its triangle, or as near to
 * it as the planes are thick; the walk comes by all leaves that are that near. So no triangle is missed.
 */
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { cutByTriangle } from '../primitives/sweep/box-triangle.ts';
import { fillSpan, makeShadows, startShadows } from '../primitives/sweep/separating-axes.ts';
import { makeSweepSpan } from '../primitives/sweep/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { MAX_DEPTH, reachOfPlanes } from './bsp-tree.ts';
import { nextStamp } from './leaf-bsp.ts';
import { EMPTY, type SolidBsp } from './solid-bsp.ts';

/** What is asked, and what was found. @internal */
export class BspTrace {
  readonly box = makeAabb();
  readonly motion = vec3(0.5, 0.5, 0.5);
  tMax = 0.5;
  /** Found: the first triangle that is touched, of those at the same time the one with the lowest number; -1 if there is none. */
  triangle = -1;
  t = 0.5;
  /** Out of the triangle, of length 1. */
  readonly normal = vec3(0.5, 0.5, 0.5);
}

const pending = new Int32Array(MAX_DEPTH + 1);
/** Of each level the times at which it is entered and left. */
const spans = new Float64Array(2 * MAX_DEPTH + 2);
const shadows = makeShadows();
const span = makeSweepSpan();

/**
 * The first triangle that the box touches. With `any`: is there a leaf on the way that is not empty, or
 * lists a triangle? If not, the box touches none. @internal
 */
export function traceBox(trace: BspTrace, bsp: SolidBsp, any = false): boolean {
  const { planes, children, leafKinds, leafStart, leafPolygons, polygons, stamps } = bsp;
  const { min, max } = trace.box;
  const hx = max.x / 2 - min.x / 2;
  const hy = max.y / 2 - min.y / 2;
  const hz = max.z / 2 - min.z / 2;
  const ox = min.x / 2 + max.x / 2;
  const oy = min.y / 2 + max.y / 2;
  const oz = min.z / 2 + max.z / 2;
  const { x: dx, y: dy, z: dz } = trace.motion;
  const size = Math.abs(ox) + Math.abs(oy) + Math.abs(oz) + Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
  const thickness = reachOfPlanes(bsp, size);
  const stamp = nextStamp(bsp);
  let best = trace.tMax;
  let from = 0;
  let to = best;
  let top = 0;
  let link = bsp.root;
  trace.triangle = -1;
  for (;;) {
    if (link >= 0) {
      const at = 4 * link;
      const nx = planes[at]!;
      const ny = planes[at + 1]!;
      const nz = planes[at + 2]!;
      const height = nx * ox + ny * oy + nz * oz - planes[at + 3]!;
      const slope = nx * dx + ny * dy + nz * dz;
      const wide = Math.abs(nx) * hx + Math.abs(ny) * hy + Math.abs(nz) * hz + thickness;
      const near = slope > 0 ? 1 : 0;
      const first = children[2 * link + near]!;
      const second = children[2 * link + 1 - near]!;
      const signed = slope > 0 ? -height : height;
      const speed = Math.abs(slope);
      if (speed > 0 ? signed - wide > speed * to : signed > wide) link = first;
      else if (signed + wide < speed * from) link = second;
      else {
        pending[top] = second;
        spans[2 * top] = speed > 0 ? Math.max(from, (signed - wide) / speed) : from;
        spans[2 * top + 1] = to;
        top++;
        link = first;
        if (speed > 0) to = Math.min(to, (signed + wide) / speed);
      }
      continue;
    }
    const end = leafStart[~link + 1]!;
    if (any && (leafKinds[~link] !== EMPTY || leafStart[~link]! < end)) return true;
    for (let i = leafStart[~link]!; i < end; i++) {
      const number = leafPolygons[i]!;
      if (stamps[number] === stamp) continue;
      stamps[number] = stamp;
      const points = polygons[number]!;
      startShadows(shadows);
      shadows.latest = best;
      if (!cutByTriangle(shadows, trace.box, trace.motion, points[0]!, points[1]!, points[2]!)) continue;
      const { enter } = shadows;
      if (trace.triangle >= 0 && enter === best && trace.triangle < number) continue;
      best = enter;
      trace.triangle = number;
      fillSpan(shadows, span);
    }
    do {
      if (top === 0) {
        trace.t = best;
        v3.copy(span.normal, trace.normal);
        return trace.triangle >= 0;
      }
      top--;
    } while (spans[2 * top]! > best);
    link = pending[top]!;
    from = spans[2 * top]!;
    to = spans[2 * top + 1]!;
  }
}
