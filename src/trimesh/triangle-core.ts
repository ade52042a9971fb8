/** Triangles of a mesh as convex sets. */
import { type ConvexCore, NO_TABLE, POLYTOPE } from '../convex/core.ts';
import { copyFrame, directionToFirst, type Frame } from '../convex/frame.ts';
import { vec3 } from '../math/types.ts';
import type { Mesh } from './mesh.ts';

const NONE = new Uint32Array(0);

/** One triangle of a mesh as a convex shape, about its first corner, so that it loses nothing far from the origin. */
export class TriangleCore {
  readonly data = new Float64Array(9);
  readonly core: ConvexCore & { reach: number } = {
    type: POLYTOPE,
    data: this.data,
    radius: 0,
    reach: 0.5,
    center: vec3(),
    inner: 0,
    firstNeighbour: NONE,
    neighbours: NONE,
    table: NO_TABLE,
    custom: null,
    axisSearch: null,
  };
  /** It needs no list of faces. */
  readonly flat = { core: this.core, faces: null };
  private readonly corner = vec3();

  /** Loads the triangle of a slot of a mesh that stands at `frame`. Writes where the triangle stands to `out`. */
  load({ vertices, corners }: Mesh, slot: number, frame: Frame, out: Frame): void {
    const { data, corner } = this;
    const a = 3 * corners[3 * slot]!;
    const b = 3 * corners[3 * slot + 1]!;
    const c = 3 * corners[3 * slot + 2]!;
    const x = vertices[a]!;
    const y = vertices[a + 1]!;
    const z = vertices[a + 2]!;
    const dx = vertices[b]! - x;
    const dy = vertices[b + 1]! - y;
    const dz = vertices[b + 2]! - z;
    const ex = vertices[c]! - x;
    const ey = vertices[c + 1]! - y;
    const ez = vertices[c + 2]! - z;
    // The first three stay zero.
    data[3] = dx;
    data[4] = dy;
    data[5] = dz;
    data[6] = ex;
    data[7] = ey;
    data[8] = ez;
    const reach = Math.abs(dx) + Math.abs(dy) + Math.abs(dz) + (Math.abs(ex) + Math.abs(ey) + Math.abs(ez));
    this.core.reach = reach;
    corner.x = x;
    corner.y = y;
    corner.z = z;
    copyFrame(frame, out);
    directionToFirst(frame, corner, corner);
    out.tx = frame.tx + corner.x;
    out.ty = frame.ty + corner.y;
    out.tz = frame.tz + corner.z;
  }
}
