/** Moving convex polyhedra, by their separating axes. RTCD §5.5.2. */

import { checkPoint } from '../../math/check.ts';
import { SWEEP_SLACK } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import { copy, crossAccurate, sub } from '../../math/vec3.ts';
import type { ReadonlyPolyhedron } from '../../polytope/types.ts';
import { checkPolyhedron } from '../input.ts';
import { edgesOf } from '../overlap/polyhedron-edges.ts';
import { cutByAxis, fillSpan, makeShadows, startShadows } from './separating-axes.ts';
import type { SweepSpan } from './types.ts';
import { makeSweepSpan } from './types.ts';

const shadows = makeShadows();
const origin = vec3();
const velocity = vec3();
const u = vec3();
const w = vec3();

/**
 * From when to when does the moving polyhedron a overlap b? Null when it does not touch it in time. A start in touch
 * enters at 0, with the normal of the shallowest axis. `enter` is never late and `exit` never early, both by rounding
 * errors only. The list of faces must not change (in place) once used. RTCD §5.5.2.
 *
 * Tries the normals of all faces, then the cross products of all pairs of edges: work grows with the product of the
 * edge counts. This is for boxes, wedges and the like.
 */
export function sweepPolyhedronPolyhedron(
  a: ReadonlyPolyhedron,
  motion: ReadonlyVec3,
  b: ReadonlyPolyhedron,
  out?: SweepSpan,
): SweepSpan | null {
  checkPoint('sweepPolyhedronPolyhedron', 'motion', motion);
  const caller = 'sweepPolyhedronPolyhedron';
  checkPolyhedron(caller, 'a', a);
  checkPolyhedron(caller, 'b', b);
  copy(motion, velocity);
  copy(a.vertices[0]!, origin);
  const { x: vx, y: vy, z: vz } = velocity;
  startShadows(shadows);
  shadows.slack = SWEEP_SLACK * (Math.abs(vx) + Math.abs(vy) + Math.abs(vz));
  addExtent(a);
  addExtent(b);
  const edgesA = edgesOf(caller, 'a', a);
  const edgesB = edgesOf(caller, 'b', b);
  if (!cutByFaces(a, a, b) || !cutByFaces(b, a, b) || !cutByEdges(a, b, edgesA, edgesB)) return null;
  return fillSpan(shadows, out ?? makeSweepSpan());
}

/** Adds to the slack for how far from the origin of the projections the vertices lie. */
function addExtent({ vertices }: ReadonlyPolyhedron): void {
  let size = 0;
  for (let i = 0; i < vertices.length; i++) {
    const { x, y, z } = vertices[i]!;
    size = Math.max(size, Math.abs(x - origin.x) + Math.abs(y - origin.y) + Math.abs(z - origin.z));
  }
  shadows.slack += SWEEP_SLACK * size;
}

function cutByFaces(of: ReadonlyPolyhedron, a: ReadonlyPolyhedron, b: ReadonlyPolyhedron): boolean {
  for (let i = 0; i < of.planes.length; i++) {
    copy(of.planes[i]!.normal, shadows);
    if (!cut(a, b)) return false;
  }
  return true;
}

/** The cross products of all edges of a with all of b. */
function cutByEdges(
  a: ReadonlyPolyhedron,
  b: ReadonlyPolyhedron,
  edgesA: Int32Array,
  edgesB: Int32Array,
): boolean {
  for (let i = 0; i < edgesA.length; i += 4) {
    sub(a.vertices[edgesA[i + 1]!]!, a.vertices[edgesA[i]!]!, u);
    for (let j = 0; j < edgesB.length; j += 4) {
      sub(b.vertices[edgesB[j + 1]!]!, b.vertices[edgesB[j]!]!, w);
      crossAccurate(u, w, shadows);
      if (!cut(a, b)) return false;
    }
  }
  return true;
}

/** Projects both on the axis in `shadows` and cuts. */
function cut(a: ReadonlyPolyhedron, b: ReadonlyPolyhedron): boolean {
  const { x, y, z } = shadows;
  project(b);
  shadows.low = shadows.moverLow;
  shadows.high = shadows.moverHigh;
  project(a);
  shadows.speed = x * velocity.x + y * velocity.y + z * velocity.z;
  return cutByAxis(shadows);
}

function project({ vertices }: ReadonlyPolyhedron): void {
  const { x, y, z } = shadows;
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < vertices.length; i++) {
    const v = vertices[i]!;
    const at = x * (v.x - origin.x) + y * (v.y - origin.y) + z * (v.z - origin.z);
    low = Math.min(low, at);
    high = Math.max(high, at);
  }
  shadows.moverLow = low;
  shadows.moverHigh = high;
}
