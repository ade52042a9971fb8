/** Collects what is near: once a move, as a rule. */

import { composePoses } from '../math/pose.ts';
import * as q4 from '../math/quat.ts';
import type { Pose } from '../math/types.ts';
import { pose, vec3 } from '../math/types.ts';
import { crossAccurate } from '../math/vec3.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import type { Shape } from '../shapes/shape.ts';
import { leafEnd, leafFirst, MAX_DEPTH } from '../trees/packed-tree.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { loadCenter, lookInside, noteInside } from './inside.ts';
import type { MoveContext } from './move-context.ts';
import type { NearThings } from './near-things.ts';
import { loadMap, loadPlace } from './placing.ts';

/** Adds the triangles, planes and round things of a collider that come near the region. */
export function gather(move: MoveContext, shape: Shape, place: Pose, id: number, depth: number): void {
  const { map, nearby } = move;
  loadMap(place, move.frame, map);
  switch (shape.kind) {
    case 'mesh':
      gatherMesh(move, shape, id);
      if (nearby.inside.asksMeshes) lookInside(move, shape);
      return;
    case 'heightField':
      gatherMesh(move, shape.mesh, id);
      return;
    case 'halfSpace': {
      const { x, y, z } = shape.normal;
      const nx = map.xx * x + map.yx * y + map.zx * z;
      const ny = map.xy * x + map.yy * y + map.zy * z;
      const nz = map.xz * x + map.yz * y + map.zz * z;
      nearby.addHalf(nx, ny, nz, shape.d + nx * map.tx + ny * map.ty + nz * map.tz, id);
      return;
    }
    case 'compound':
      q4.normalize(place.quaternion, place.quaternion);
      while (move.childPoses.length <= depth) move.childPoses.push(pose());
      for (const child of shape.children) {
        const childPose = composePoses(place, child.pose, move.childPoses[depth]!);
        gather(move, child.shape, childPose, id, depth + 1);
      }
      return;
    default:
      if (shape.faces !== null && shape.core.radius === 0) gatherFaces(move, shape.faces, id);
      else loadPlace(map, nearby.addRound(shape, id));
  }
}

const stack = new Int32Array(MAX_DEPTH + 1);
/** Rounding of what is computed from coordinates of a size: some units in the last place. */
const ROOM = 32 * Number.EPSILON;

/** All triangles whose boxes touch the region. */
function gatherMesh(move: MoveContext, mesh: Mesh, id: number): void {
  const { form, region, nearby: things } = move;
  const { tree, vertices, corners, ids } = mesh;
  const { bounds, links, grid } = tree;
  const { xx, xy, xz, yx, yy, yz, zx, zy, zz, tx, ty, tz } = move.map;
  // The region in the space of the mesh: the box around it there.
  const cx = (region.x0 + region.x1) / 2 - tx;
  const cy = (region.y0 + region.y1) / 2 - ty;
  const cz = (region.z0 + region.z1) / 2 - tz;
  const hx = (region.x1 - region.x0) / 2;
  const hy = (region.y1 - region.y0) / 2;
  const hz = (region.z1 - region.z0) / 2;
  const mx = xx * cx + xy * cy + xz * cz;
  const my = yx * cx + yy * cy + yz * cz;
  const mz = zx * cx + zy * cy + zz * cz;
  const gx = grid[0]!;
  const gy = grid[1]!;
  const gz = grid[2]!;
  const stepX = grid[3]!;
  const stepY = grid[4]!;
  const stepZ = grid[5]!;
  const room =
    ROOM *
    (Math.abs(mx) + Math.abs(my) + Math.abs(mz) + Math.abs(gx) + Math.abs(gy) + Math.abs(gz) + hx + hy + hz);
  const ex = Math.abs(xx) * hx + Math.abs(xy) * hy + Math.abs(xz) * hz + room;
  const ey = Math.abs(yx) * hx + Math.abs(yy) * hy + Math.abs(yz) * hz + room;
  const ez = Math.abs(zx) * hx + Math.abs(zy) * hy + Math.abs(zz) * hz + room;
  const { min, max } = mesh.bounds;
  const apart =
    +(min.x > mx + ex) |
    +(min.y > my + ey) |
    +(min.z > mz + ez) |
    +(max.x < mx - ex) |
    +(max.y < my - ey) |
    +(max.z < mz - ez);
  if (apart !== 0) return;
  const x0 = (mx - ex - gx) / stepX;
  const y0 = (my - ey - gy) / stepY;
  const z0 = (mz - ez - gz) / stepZ;
  const x1 = (mx + ex - gx) / stepX;
  const y1 = (my + ey - gy) / stepY;
  const z1 = (mz + ez - gz) / stepZ;
  const turned = xx !== 1 || yy !== 1 || zz !== 1;
  const { sx, sy, sz } = form;
  loadLimits(move);
  let top = 0;
  let link = 0;
  for (;;) {
    if (link >= 0) {
      const a = links[link / 2 + 6]!;
      const b = links[link / 2 + 7]!;
      const hitA =
        +(bounds[link]! <= x1) &
        +(bounds[link + 1]! <= y1) &
        +(bounds[link + 2]! <= z1) &
        +(bounds[link + 3]! >= x0) &
        +(bounds[link + 4]! >= y0) &
        +(bounds[link + 5]! >= z0);
      const hitB =
        +(bounds[link + 6]! <= x1) &
        +(bounds[link + 7]! <= y1) &
        +(bounds[link + 8]! <= z1) &
        +(bounds[link + 9]! >= x0) &
        +(bounds[link + 10]! >= y0) &
        +(bounds[link + 11]! >= z0);
      if ((hitA | hitB) !== 0) {
        stack[top] = b;
        top += hitA & hitB;
        link = hitA !== 0 ? a : b;
        continue;
      }
    } else {
      for (let i = leafFirst(link), end = leafEnd(link); i < end; i++) {
        if (things.count === things.ids.length) things.grow();
        const to = things.corners;
        const at = 9 * things.count;
        for (let k = 0; k < 3; k++) {
          const v = 3 * corners[3 * i + k]!;
          const vx = vertices[v]!;
          const vy = vertices[v + 1]!;
          const vz = vertices[v + 2]!;
          if (turned) {
            to[at + 3 * k] = (xx * vx + yx * vy + zx * vz + tx) * sx;
            to[at + 3 * k + 1] = (xy * vx + yy * vy + zy * vz + ty) * sy;
            to[at + 3 * k + 2] = (xz * vx + yz * vy + zz * vz + tz) * sz;
          } else {
            to[at + 3 * k] = (vx + tx) * sx;
            to[at + 3 * k + 1] = (vy + ty) * sy;
            to[at + 3 * k + 2] = (vz + tz) * sz;
          }
        }
        keepTriangle(things, id, ids[i]!);
      }
    }
    if (top === 0) return;
    link = stack[--top]!;
  }
}

/** The triangles of the faces of a convex shape, and whether the character's centre is inside of it. */
function gatherFaces(move: MoveContext, { vertices, faces, planes }: ReadonlyPolyhedron, id: number): void {
  const { form, nearby: things } = move;
  const { xx, xy, xz, yx, yy, yz, zx, zy, zz, tx, ty, tz } = move.map;
  const { sx, sy, sz } = form;
  loadLimits(move);
  const { x: px, y: py, z: pz } = loadCenter(move, center);
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
      if (things.count === things.ids.length) things.grow();
      const to = things.corners;
      let at = 9 * things.count;
      for (let j = 0; j < 3; j++, at += 3) {
        const v = vertices[face[j === 0 ? 0 : k - 2 + j]!]!;
        const { x, y, z } = v;
        to[at] = (xx * x + yx * y + zx * z + tx) * sx;
        to[at + 1] = (xy * x + yy * y + zy * z + ty) * sy;
        to[at + 2] = (xz * x + yz * y + zz * z + tz) * sz;
      }
      keepTriangle(things, id, -1);
    }
  }
  if (out >= 0 && least > 0) noteInside(move, planes[out]!.normal, least);
}

/** The region, scaled. A record, because loose numbers would be boxed. */
const limits = { x0: 0.5, y0: 0.5, z0: 0.5, x1: 0.5, y1: 0.5, z1: 0.5 };

function loadLimits({ form: { sx, sy, sz }, region }: MoveContext): void {
  limits.x0 = region.x0 * sx;
  limits.y0 = region.y0 * sy;
  limits.z0 = region.z0 * sz;
  limits.x1 = region.x1 * sx;
  limits.y1 = region.y1 * sy;
  limits.z1 = region.z1 * sz;
}

const center = vec3(0.5, 0.5, 0.5);
const u = vec3(0.5, 0.5, 0.5);
const w = vec3(0.5, 0.5, 0.5);
const n = vec3(0.5, 0.5, 0.5);

/** Keeps the triangle that was just written if its box touches the region. */
function keepTriangle(things: NearThings, id: number, triangle: number): void {
  const { corners, boxes, planes, count } = things;
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
    +(minX <= limits.x1) &
    +(minY <= limits.y1) &
    +(minZ <= limits.z1) &
    +(maxX >= limits.x0) &
    +(maxY >= limits.y0) &
    +(maxZ >= limits.z0);
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
    u.x = ux;
    u.y = uy;
    u.z = uz;
    w.x = wx;
    w.y = wy;
    w.z = wz;
    crossAccurate(u, w, n);
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
  things.ids[count] = id;
  things.triangles[count] = triangle;
  things.count = count + 1;
}
