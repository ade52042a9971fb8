/** The vertex of a mesh that lies deepest behind a plane. */
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { isLeaf, leafEnd, leafFirst, linkAt, MAX_DEPTH } from '../trees/packed-tree.ts';
import type { Mesh } from './mesh.ts';

const pending = new Int32Array(MAX_DEPTH + 1);
const pendingFrom = new Float64Array(MAX_DEPTH + 1);

/**
 * Writes to `out` the vertex with the least normal · x, and returns the number of a triangle that has it. About
 * O(log n) for surfaces that are not much flatter along the normal than across.
 *
 * @internal
 */
export function lowestVertex(mesh: Mesh, direction: ReadonlyVec3, out: Vec3): number {
  if (mesh.live !== null) mesh.live.lowest(direction);
  const { x, y, z } = direction;
  const { tree, vertices, corners, ids } = mesh;
  const { bounds, links, grid } = tree;
  // The corner of a box that is lowest: its index in the six numbers, by axis.
  const kx = x > 0 ? 0 : 3;
  const ky = y > 0 ? 1 : 4;
  const kz = z > 0 ? 2 : 5;
  const sx = x * grid[3]!;
  const sy = y * grid[4]!;
  const sz = z * grid[5]!;
  const base = x * grid[0]! + y * grid[1]! + z * grid[2]!;
  let least = Infinity;
  let found = -1;
  let at = 0;
  let top = 0;
  let link = 0;
  for (;;) {
    if (!isLeaf(link)) {
      const a = base + bounds[link + kx]! * sx + bounds[link + ky]! * sy + bounds[link + kz]! * sz;
      const b =
        base + bounds[link + 6 + kx]! * sx + bounds[link + 6 + ky]! * sy + bounds[link + 6 + kz]! * sz;
      const first = links[linkAt(link, 0)]!;
      const second = links[linkAt(link, 1)]!;
      const ahead = a <= b;
      pending[top] = ahead ? second : first;
      pendingFrom[top++] = ahead ? b : a;
      link = ahead ? first : second;
      if ((ahead ? a : b) <= least) continue;
      top--; // neither is low enough
    } else {
      const end = 3 * leafEnd(link);
      for (let i = 3 * leafFirst(link); i < end; i++) {
        const v = 3 * corners[i]!;
        const height = x * vertices[v]! + y * vertices[v + 1]! + z * vertices[v + 2]!;
        if (height < least) {
          least = height;
          found = i;
          at = v;
        }
      }
    }
    do {
      if (top === 0) {
        out.x = vertices[at]!;
        out.y = vertices[at + 1]!;
        out.z = vertices[at + 2]!;
        return ids[Math.floor(found / 3)]!;
      }
      top--;
    } while (!(pendingFrom[top]! <= least));
    link = pending[top]!;
  }
}
