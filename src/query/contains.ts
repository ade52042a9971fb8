/** Is a point in a body? */
import { checkPoint } from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { CompoundShape, Shape } from '../shapes/shape.ts';
import { NearestSearch, searchNearest } from '../trimesh/closest.ts';
import { isInside } from '../trimesh/inside.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import type { Body } from './body.ts';
import { nextLeafForPoint, startWalk } from './compound-walk.ts';
import { isInConvex } from './nearest-core.ts';
import { makePlacement, placeBody, pointToBody, type Touch } from './placed.ts';

const placement = makePlacement();
const local = vec3();
const inner = vec3();
const search = new NearestSearch();
/** Only what is at distance 0. */
const HERE = { t: 0 };

/**
 * Is a point in a body, or on it as far as rounding can tell (8 ulps of the coordinates)? For solids and for flat things it is
 * the same as `closestPoint(point, body).distance === 0`. A mesh contains the points that it winds around, as told by
 * `containsPointMesh`; a height field is a surface and contains nothing else. Costs as much as `closestPoint`.
 */
export function contains(point: ReadonlyVec3, body: Body): boolean {
  checkPoint('contains', 'point', point);
  const shape = placeBody('contains', body, point, placement);
  return isIn(shape, pointToBody(placement.pose, placement.point, local), placement);
}

function isIn(shape: Shape, p: ReadonlyVec3, touch: Touch): boolean {
  switch (shape.kind) {
    case 'halfSpace':
      return v3.dot(shape.normal, p) - shape.d <= touch.within;
    case 'compound':
      return isInCompound(shape, p, touch);
    case 'mesh':
      return isInside(p, shape) || isOnMesh(shape, p, touch);
    case 'heightField':
      return isOnMesh(shape.mesh, p, touch);
    default:
      return isInConvex(shape, p, touch);
  }
}

function isOnMesh(mesh: Mesh, p: ReadonlyVec3, { within }: Touch): boolean {
  v3.copy(p, search.point);
  search.maxDistance = within;
  return searchNearest(search, mesh) >= 0;
}

function isInCompound(shape: CompoundShape, p: ReadonlyVec3, touch: Touch): boolean {
  const { children, tree } = shape;
  startWalk();
  for (
    let leaf = nextLeafForPoint(shape, p, touch, HERE);
    leaf >= 0;
    leaf = nextLeafForPoint(shape, p, touch, HERE)
  ) {
    for (let i = tree.first[leaf]!; i < tree.first[leaf + 1]!; i++) {
      const child = children[tree.items[i]!]!;
      if (isIn(child.shape, pointToBody(child.pose, p, inner), touch)) return true;
    }
  }
  return false;
}
