/** Triangles of a mesh as convex sets. */
import { type ConvexCore, POLYTOPE } from '../../convex/core.ts';
import { copyFrame, type Frame, makeFrame, turnToFirst } from '../../convex/frame.ts';
import { vec3 } from '../../math/types.ts';
import type { Mesh } from '../../shapes/mesh/mesh.ts';

const NONE = new Uint32Array(0);

/** One triangle of a mesh as a convex shape, about its first corner, so that it loses nothing far from the origin. */
export class TriangleCore {
  readonly data = new Float64Array(9);
  readonly core: ConvexCore & { reach: number } = {
    type: POLYTOPE,
    data: this.data,
    radius: 0,
    reach: 0,
    center: vec3(),
    firstNeighbour: NONE,
    neighbours: NONE,
    custom: null,
  };
  /** It needs no list of faces. */
  readonly flat = { core: this.core, faces: null };
  /** Where it stands, as the first body sees it. */
  readonly frame = makeFrame();
  readonly corner = vec3();

  load({ vertices, corners }: Mesh, place: number, frame: Frame): void {
    const { data, corner } = this;
    const a = 3 * corners[3 * place]!;
    for (let k = 0; k < 9; k++) {
      const at = 3 * corners[3 * place + ((k / 3) | 0)]!;
      data[k] = vertices[at + (k % 3)]! - vertices[a + (k % 3)]!;
    }
    let reach = 0;
    for (let k = 3; k < 9; k++) reach += Math.abs(data[k]!);
    this.core.reach = reach;
    corner.x = vertices[a]!;
    corner.y = vertices[a + 1]!;
    corner.z = vertices[a + 2]!;
    copyFrame(frame, this.frame);
    turnToFirst(frame, corner, corner);
    this.frame.tx = frame.tx + corner.x;
    this.frame.ty = frame.ty + corner.y;
    this.frame.tz = frame.tz + corner.z;
  }
}
