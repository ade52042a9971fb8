/**
 * Everything near a character, for the time of one move: triangles in flat arrays, planes of half-spaces, and round
 * things. In the character's frame (its place at the start of the move is the origin, y is up), triangles scaled as its
 * form asks for.
 */
import type { Pose } from '../math/types.ts';
import { pose } from '../math/types.ts';
import type { ConvexShape } from '../shapes/shape.ts';

/** A convex thing that is not made of triangles, where it stands in the frame of the character, unscaled. */
export interface RoundThing {
  shape: ConvexShape;
  readonly pose: Pose;
  id: number;
}

/** The centre inside of a solid: the shortest way to its surface, the longest of several solids. */
export interface Inside {
  /** Where the centre is. */
  x: number;
  y: number;
  z: number;
  /** Are closed meshes asked? They are surfaces to sweeps, so that only who was put into one gets there. */
  asksMeshes: boolean;
  /** 0 for outside. */
  depth: number;
  nx: number;
  ny: number;
  nz: number;
}

export class NearThings {
  count = 0;
  /** Nine numbers a triangle: its corners. */
  corners = new Float64Array(9 * 64);
  /** Four numbers a triangle: unit normal n and d of its plane n·x = d, all 0 for one without area. */
  planes = new Float64Array(4 * 64);
  /** Six numbers a triangle: the box around it. */
  boxes = new Float64Array(6 * 64);
  /** The collider of a triangle, and the number of the triangle in it (-1 for the side of a convex shape). */
  ids = new Int32Array(64);
  triangles = new Int32Array(64);
  /** Half-spaces, four numbers each: what is below n·x = d is solid. Unscaled. */
  halfCount = 0;
  halves = new Float64Array(4 * 8);
  halfIds = new Int32Array(8);
  roundCount = 0;
  readonly rounds: RoundThing[] = [];
  readonly inside: Inside = {
    x: 0.5,
    y: 0.5,
    z: 0.5,
    asksMeshes: false,
    depth: 0.5,
    nx: 0.5,
    ny: 0.5,
    nz: 0.5,
  };

  clear(): void {
    this.count = 0;
    this.halfCount = 0;
    this.roundCount = 0;
    this.inside.depth = 0;
  }

  /** Room for one more triangle. */
  grow(): void {
    const size = 2 * this.ids.length;
    this.corners = enlarge(this.corners, 9 * size);
    this.planes = enlarge(this.planes, 4 * size);
    this.boxes = enlarge(this.boxes, 6 * size);
    const ids = new Int32Array(size);
    ids.set(this.ids);
    this.ids = ids;
    const triangles = new Int32Array(size);
    triangles.set(this.triangles);
    this.triangles = triangles;
  }

  addHalf(nx: number, ny: number, nz: number, d: number, id: number): void {
    if (this.halfCount === this.halfIds.length) {
      this.halves = enlarge(this.halves, 2 * this.halves.length);
      const ids = new Int32Array(2 * this.halfIds.length);
      ids.set(this.halfIds);
      this.halfIds = ids;
    }
    const at = 4 * this.halfCount;
    this.halves[at] = nx;
    this.halves[at + 1] = ny;
    this.halves[at + 2] = nz;
    this.halves[at + 3] = d;
    this.halfIds[this.halfCount++] = id;
  }

  addRound(shape: ConvexShape, id: number): Pose {
    if (this.roundCount === this.rounds.length) this.rounds.push({ shape, pose: pose(), id });
    const round = this.rounds[this.roundCount++]!;
    round.shape = shape;
    round.id = id;
    return round.pose;
  }
}

function enlarge(array: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(size);
  larger.set(array);
  return larger;
}
