/**
 * What can be seen from a point: from its leaf through portals, each cut to what is seen of it through those before. RTCD §7.6;
 * Luebke and Georges, Portals and Mirrors (1995).
 */
import { checkPlane, checkPoint, mustBeList, mustHave } from '../math/check.ts';
import type { ReadonlyPlane, ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { planeOfNode, QUERY_THICKNESS } from './bsp-tree.ts';
import { doorsOf } from './doors.ts';
import type { BspPortal } from './portals.ts';
import { SOLID, type SolidBsp } from './solid-bsp.ts';
import { heightOf } from './thick-plane.ts';
import { Winding } from './winding.ts';

/**
 * The leaves that can be seen from a point, ascending, those around it first among them: for a camera, whatever lies in other leaves
 * need not be drawn. `frustum` has the planes around the view; in view is what is behind all of them, n · x <= d. `portals` are
 * those of `portalsBsp`. In the solid nothing is seen. What is seen through an opening that looks narrower than the thickness of
 * the planes is not followed any further.
 */
export function leavesInViewBsp(
  eye: ReadonlyVec3,
  bsp: SolidBsp,
  portals: readonly BspPortal[],
  frustum: readonly ReadonlyPlane[] = [],
): number[] {
  checkPoint('leavesInViewBsp', 'eye', eye);
  mustHave('leavesInViewBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  mustBeList('leavesInViewBsp', 'frustum', frustum);
  for (const [i, plane] of frustum.entries()) checkPlane('leavesInViewBsp', `frustum[${i}]`, plane);
  const doors = doorsOf('leavesInViewBsp', bsp, portals);
  const thickness = QUERY_THICKNESS * bsp.thickness;
  const seen = new Uint8Array(bsp.leafCount);
  const pending: { leaf: number; opening: Winding | null }[] = leavesAround(eye, bsp, thickness).map(
    (leaf) => ({
      leaf,
      opening: null,
    }),
  );
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    seen[one.leaf] = 1;
    for (const door of doors.from[one.leaf]!) {
      // Only doors that lead away from the eye. So no line comes by a leaf twice.
      if (heightOf(eye, door) >= -thickness) continue;
      const opening = new Winding().set(door.points);
      const isOpen =
        one.opening === null
          ? frustum.every((plane) => clipBehind(opening, plane, thickness))
          : clipByPyramid(opening, eye, one.opening, thickness);
      if (!isOpen) continue;
      seen[door.to] = 1;
      if (!opening.isNarrow(thickness)) pending.push({ leaf: door.to, opening });
    }
  }
  const list: number[] = [];
  for (let leaf = 0; leaf < bsp.leafCount; leaf++) if (seen[leaf]! > 0) list.push(leaf);
  return list;
}

/** The leaves at a point that are not solid: several on a plane. */
function leavesAround(p: ReadonlyVec3, bsp: SolidBsp, thickness: number): number[] {
  const leaves: number[] = [];
  const pending = [bsp.root];
  for (let link = pending.pop(); link !== undefined; link = pending.pop()) {
    if (link < 0) {
      if (bsp.leafKinds[~link] !== SOLID) leaves.push(~link);
      continue;
    }
    const height = heightOf(p, planeOfNode(bsp, link));
    if (height >= -thickness) pending.push(bsp.children[2 * link]!);
    if (height <= thickness) pending.push(bsp.children[2 * link + 1]!);
  }
  return leaves;
}

const normal = vec3();
const a = vec3();
const b = vec3();

function clipBehind(opening: Winding, plane: ReadonlyPlane, thickness: number): boolean {
  const length = v3.length(plane.normal);
  v3.scale(plane.normal, -1 / length, normal);
  return opening.clip(normal, -plane.d / length - thickness);
}

/** By the planes through the eye and the edges of an opening; as `clipBySeparators`, which says how much more is kept. */
function clipByPyramid(target: Winding, eye: ReadonlyVec3, opening: Winding, thickness: number): boolean {
  const far = target.reachFrom(eye);
  const middle = opening.middle(vec3());
  for (let i = 0; i < opening.count; i++) {
    opening.corner(i, a);
    opening.corner((i + 1) % opening.count, b);
    const edge = v3.distance(a, b);
    v3.cross(v3.sub(a, eye, a), v3.sub(b, eye, b), normal);
    const area = v3.length(normal);
    if (!(edge > thickness && area > thickness * edge)) continue;
    v3.scale(normal, 1 / area, normal);
    const d = v3.dot(normal, eye);
    if (v3.dot(normal, middle) < d) v3.negate(normal, normal);
    const more = thickness * (1 + far / Math.min(edge, area / edge));
    if (!target.clip(normal, v3.dot(normal, eye) - more)) return false;
  }
  return true;
}
