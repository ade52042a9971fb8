/**
 * Everything near a character, collected once a move, as a rule: triangles in flat arrays, half-spaces, and convex shapes
 * that are not made of triangles. In the frame of the character: where it was at the start of the move is the origin, and
 * y is up. Triangles are scaled as its shape asks for.
 */
import { directionToFirst, type Frame, makeFrame, relativeFrame, toSecond } from '../convex/frame.ts';
import { composePoses } from '../math/pose.ts';
import * as q4 from '../math/quat.ts';
import type { Pose, ReadonlyVec3 } from '../math/types.ts';
import { pose, quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import { makeAabb } from '../primitives/types.ts';
import type { ConvexShape, FieldShape, Shape } from '../shapes/shape.ts';
import { fillNearest, makeMeshPoint, NearestSearch, searchNearest } from '../trimesh/closest.ts';
import { isClosed } from '../trimesh/derived.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { collectSlots, SlotList } from '../trimesh/visit-triangles.ts';
import { isSurrounded } from '../trimesh/winding.ts';
import { SweptShape } from './swept-shape.ts';

/** A convex shape, or a field, in the frame of the character, unscaled. */
export interface NearbyConvex {
  shape: ConvexShape | FieldShape;
  readonly pose: Pose;
  id: number;
}

/** Rounding of what is computed from coordinates of a size: some units in the last place. */
const ROUNDING = 32 * Number.EPSILON;

export class Nearby {
  /** The character: its shape, and its frame in the world. */
  swept = new SweptShape();
  readonly frame: Pose = { position: vec3(0.5, 0.5, 0.5), quaternion: quat(0.5, 0.5, 0.5, 0.5) };
  /** The box in which everything was collected, in the frame, unscaled. */
  x0 = 0.5;
  y0 = 0.5;
  z0 = 0.5;
  x1 = 0.5;
  y1 = 0.5;
  z1 = 0.5;

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
  halfSpaceCount = 0;
  halfSpaces = new Float64Array(4 * 8);
  halfSpaceIds = new Int32Array(8);
  convexCount = 0;
  readonly convexes: NearbyConvex[] = [];

  /** A collider that sweeps ignore; -1 for none. */
  ignoredId = -1;
  /** Are closed meshes asked whether the centre is inside of them? To sweeps they are surfaces. */
  asksMeshes = false;
  /** Where the centre is. */
  readonly center = vec3(0.5, 0.5, 0.5);
  /** If it is inside of a solid, the depth is above 0: the shortest way out, the longest of several solids. */
  readonly exit = { depth: 0.5, x: 0.5, y: 0.5, z: 0.5 };

  /** Where the collider at hand stands in the frame. */
  private readonly matrix: Frame = makeFrame();
  /** The poses of the children of compounds, by depth. */
  private readonly childPoses: Pose[] = [];

  clear(): void {
    this.count = 0;
    this.halfSpaceCount = 0;
    this.convexCount = 0;
    this.exit.depth = 0;
  }

  /** Adds what a collider has in the box. Its pose must not run user code when it is read; compounds normalise it. */
  collect(shape: Shape, at: Pose, id: number, depth = 0): void {
    const { matrix, frame } = this;
    relativeFrame(frame, at, matrix);
    switch (shape.kind) {
      case 'mesh':
        this.collectMesh(shape, id);
        if (this.asksMeshes) this.lookInside(shape);
        return;
      case 'heightField':
        this.collectMesh(shape.mesh, id);
        return;
      case 'skinned':
        this.collectMesh(shape.mesh, id);
        if (this.asksMeshes) this.lookInside(shape.mesh);
        return;
      case 'halfSpace': {
        directionToFirst(matrix, shape.normal, n);
        const { tx, ty, tz } = matrix;
        this.addHalfSpace(shape.d + n.x * tx + n.y * ty + n.z * tz, id);
        return;
      }
      case 'compound':
        q4.normalize(at.quaternion, at.quaternion);
        while (this.childPoses.length <= depth) this.childPoses.push(pose());
        for (const child of shape.children) {
          const childPose = composePoses(at, child.pose, this.childPoses[depth]!);
          this.collect(child.shape, childPose, id, depth + 1);
        }
        return;
      case 'sdf':
      case 'csg':
      case 'parametric':
      case 'solid':
      case 'levelSet':
        this.addConvex(shape, at, id);
        return;
      default:
        if (shape.faces !== null && shape.core.radius === 0) this.collectFaces(shape.faces, id);
        else this.addConvex(shape, at, id);
    }
  }

  /** All triangles whose boxes touch the box. */
  private collectMesh(mesh: Mesh, id: number): void {
    const { matrix, x0, y0, z0, x1, y1, z1 } = this;
    const { m00, m01, m02, m10, m11, m12, m20, m21, m22, tx, ty, tz } = matrix;
    const { sx, sy, sz } = this.swept;
    // The box in the space of the mesh.
    n.x = (x0 + x1) / 2;
    n.y = (y0 + y1) / 2;
    n.z = (z0 + z1) / 2;
    const { x: cx, y: cy, z: cz } = toSecond(matrix, n, n);
    const hx = (x1 - x0) / 2;
    const hy = (y1 - y0) / 2;
    const hz = (z1 - z0) / 2;
    const padding = ROUNDING * (Math.abs(cx) + Math.abs(cy) + Math.abs(cz) + hx + hy + hz);
    const ex = Math.abs(m00) * hx + Math.abs(m10) * hy + Math.abs(m20) * hz + padding;
    const ey = Math.abs(m01) * hx + Math.abs(m11) * hy + Math.abs(m21) * hz + padding;
    const ez = Math.abs(m02) * hx + Math.abs(m12) * hy + Math.abs(m22) * hz + padding;
    const { min, max } = box;
    min.x = cx - ex;
    min.y = cy - ey;
    min.z = cz - ez;
    max.x = cx + ex;
    max.y = cy + ey;
    max.z = cz + ez;
    slots.count = 0;
    collectSlots(mesh, box, slots);
    const { vertices, corners, ids } = mesh;
    for (let s = 0; s < slots.count; s++) {
      const slot = slots.slots[s]!;
      const to = this.nextCorners();
      let i = 9 * this.count;
      for (let k = 3 * slot; k < 3 * slot + 3; k++) {
        const v = 3 * corners[k]!;
        const x = vertices[v]!;
        const y = vertices[v + 1]!;
        const z = vertices[v + 2]!;
        to[i++] = (m00 * x + m01 * y + m02 * z + tx) * sx;
        to[i++] = (m10 * x + m11 * y + m12 * z + ty) * sy;
        to[i++] = (m20 * x + m21 * y + m22 * z + tz) * sz;
      }
      this.addTriangle(id, ids[slot]!);
    }
  }

  /** The triangles of the faces of a convex shape, and whether the centre is inside of it. */
  private collectFaces({ vertices, faces, planes }: ReadonlyPolyhedron, id: number): void {
    const { m00, m01, m02, m10, m11, m12, m20, m21, m22, tx, ty, tz } = this.matrix;
    const { sx, sy, sz } = this.swept;
    const { x: px, y: py, z: pz } = toSecond(this.matrix, this.center, n);
    let least = Infinity;
    let out = -1;
    for (let f = 0; f < faces.length; f++) {
      const { normal, d } = planes[f]!;
      const height = d - normal.x * px - normal.y * py - normal.z * pz;
      if (height < least) {
        least = height;
        out = f;
      }
      const face = faces[f]!;
      for (let k = 2; k < face.length; k++) {
        const to = this.nextCorners();
        let i = 9 * this.count;
        for (let j = 0; j < 3; j++) {
          const { x, y, z } = vertices[face[j === 0 ? 0 : k - 2 + j]!]!;
          to[i++] = (m00 * x + m01 * y + m02 * z + tx) * sx;
          to[i++] = (m10 * x + m11 * y + m12 * z + ty) * sy;
          to[i++] = (m20 * x + m21 * y + m22 * z + tz) * sz;
        }
        this.addTriangle(id, -1);
      }
    }
    if (out >= 0 && least > 0) this.noteExit(planes[out]!.normal, least);
  }

  /** Takes note of a way out, along a unit vector in the space of the collider, if it is the longest. */
  private noteExit(direction: ReadonlyVec3, depth: number): void {
    const { exit } = this;
    if (!(depth > exit.depth)) return;
    exit.depth = depth;
    directionToFirst(this.matrix, direction, exit);
  }

  /**
   * Is the centre inside of a closed mesh? A mesh that is turned inside out, a room, has no inside. O(n log n) for the first
   * query of a mesh.
   */
  private lookInside(mesh: Mesh): void {
    const { min, max } = mesh.bounds;
    const { point: center } = search;
    const { x, y, z } = toSecond(this.matrix, this.center, center);
    const isInBox = x > min.x && y > min.y && z > min.z && x < max.x && y < max.y && z < max.z;
    if (!isInBox || !isClosed(mesh) || !isSurrounded(center, mesh)) return;
    const { point, distance } = fillNearest(search, mesh, searchNearest(search, mesh), nearest);
    if (distance > 0) this.noteExit(v3.scale(v3.sub(point, center, n), 1 / distance, n), distance);
  }

  /** Room for the corners of one more triangle. */
  private nextCorners(): Float64Array {
    if (this.count === this.ids.length) {
      this.corners = doubled(this.corners);
      this.planes = doubled(this.planes);
      this.boxes = doubled(this.boxes);
      this.ids = doubled(this.ids);
      this.triangles = doubled(this.triangles);
    }
    return this.corners;
  }

  /** Adds the triangle whose corners were just written, if its box touches the box. */
  private addTriangle(id: number, triangle: number): void {
    const { corners, boxes, planes, count } = this;
    const { sx, sy, sz } = this.swept;
    const at = 9 * count;
    const ax = corners[at]!;
    const ay = corners[at + 1]!;
    const az = corners[at + 2]!;
    const bx = corners[at + 3]!;
    const by = corners[at + 4]!;
    const bz = corners[at + 5]!;
    const cx = corners[at + 6]!;
    const cy = corners[at + 7]!;
    const cz = corners[at + 8]!;
    const minX = Math.min(ax, bx, cx);
    const minY = Math.min(ay, by, cy);
    const minZ = Math.min(az, bz, cz);
    const maxX = Math.max(ax, bx, cx);
    const maxY = Math.max(ay, by, cy);
    const maxZ = Math.max(az, bz, cz);
    const near =
      +(minX <= this.x1 * sx) &
      +(minY <= this.y1 * sy) &
      +(minZ <= this.z1 * sz) &
      +(maxX >= this.x0 * sx) &
      +(maxY >= this.y0 * sy) &
      +(maxZ >= this.z0 * sz);
    if (near === 0) return;
    const six = 6 * count;
    boxes[six] = minX;
    boxes[six + 1] = minY;
    boxes[six + 2] = minZ;
    boxes[six + 3] = maxX;
    boxes[six + 4] = maxY;
    boxes[six + 5] = maxZ;
    const ux = bx - ax;
    const uy = by - ay;
    const uz = bz - az;
    const wx = cx - ax;
    const wy = cy - ay;
    const wz = cz - az;
    let nx = uy * wz - uz * wy;
    let ny = uz * wx - ux * wz;
    let nz = ux * wy - uy * wx;
    let nn = nx * nx + ny * ny + nz * nz;
    // A needle: the products cancel.
    if (nn < 1e-8 * (ux * ux + uy * uy + uz * uz) * (wx * wx + wy * wy + wz * wz)) {
      v3.crossAccurate(v3.set(ux, uy, uz, n), v3.set(wx, wy, wz, w), n);
      nx = n.x;
      ny = n.y;
      nz = n.z;
      nn = nx * nx + ny * ny + nz * nz;
    }
    const inverse = nn > 0 ? 1 / Math.sqrt(nn) : 0;
    nx *= inverse;
    ny *= inverse;
    nz *= inverse;
    const four = 4 * count;
    planes[four] = nx;
    planes[four + 1] = ny;
    planes[four + 2] = nz;
    planes[four + 3] = nx * ax + ny * ay + nz * az;
    this.ids[count] = id;
    this.triangles[count] = triangle;
    this.count = count + 1;
  }

  /** With the normal in `n`. */
  private addHalfSpace(d: number, id: number): void {
    if (this.halfSpaceCount === this.halfSpaceIds.length) {
      this.halfSpaces = doubled(this.halfSpaces);
      this.halfSpaceIds = doubled(this.halfSpaceIds);
    }
    const { halfSpaces } = this;
    const at = 4 * this.halfSpaceCount;
    halfSpaces[at] = n.x;
    halfSpaces[at + 1] = n.y;
    halfSpaces[at + 2] = n.z;
    halfSpaces[at + 3] = d;
    this.halfSpaceIds[this.halfSpaceCount++] = id;
  }

  private addConvex(shape: ConvexShape | FieldShape, at: Pose, id: number): void {
    const { convexes, matrix } = this;
    if (this.convexCount === convexes.length) convexes.push({ shape, pose: pose(), id });
    const convex = convexes[this.convexCount++]!;
    convex.shape = shape;
    convex.id = id;
    const { position, quaternion } = convex.pose;
    v3.set(matrix.tx, matrix.ty, matrix.tz, position);
    q4.conjugate(this.frame.quaternion, toFrame);
    q4.multiply(toFrame, q4.normalize(at.quaternion, quaternion), quaternion);
  }
}

const n = vec3(0.5, 0.5, 0.5);
const w = vec3(0.5, 0.5, 0.5);
const toFrame = quat(0.5, 0.5, 0.5, 0.5);
const box = makeAabb();
const slots = new SlotList();
const search = new NearestSearch();
const nearest = makeMeshPoint();

type Growing = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

/** A copy of twice the capacity. */
export function doubled<T extends Growing>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length);
  larger.set(array);
  return larger;
}
