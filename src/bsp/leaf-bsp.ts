/**
 * The leaf-storing BSP tree: space divided by any planes, and in each leaf the numbers of the polygons that reach into it.
 * Those are whole, not cut, and one of them may be in many leaves. RTCD §8.2.2.
 */
import { checkAabb, checkRay, checkSphere, mustBeList, mustBeWhole, mustHave } from '../math/check.ts';
import { type ReadonlyVec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { checkRange } from '../primitives/input.ts';
import { overlapSpherePolygon } from '../primitives/overlap/sphere-polygon.ts';
import { triangleMeetsAabb } from '../primitives/overlap/triangle-box.ts';
import { intersectLineTriangle, LineRange } from '../primitives/ray/line-triangle.ts';
import {
  type Hit,
  makeRay,
  makeTriangleHit,
  type ReadonlyAabb,
  type ReadonlyRay,
  type ReadonlySphere,
} from '../primitives/types.ts';
import { type BspTree, flatten, MAX_DEPTH, reachOfPlanes } from './bsp-tree.ts';
import { type BspOptions, checkBspOptions, partition, readPolygons } from './partition.ts';

export interface LeafBspOptions extends BspOptions {
  /** So many polygons are not divided further. Default: 4. */
  readonly leafSize?: number;
}

export interface LeafBsp extends BspTree {
  /** The polygons as they were given. */
  readonly polygons: readonly (readonly ReadonlyVec3[])[];
  /** Leaf i holds the polygons `leafPolygons[leafStart[i]]` to before `leafPolygons[leafStart[i + 1]]`. */
  readonly leafStart: Uint32Array;
  readonly leafPolygons: Uint32Array;
  /** Which query has looked at a polygon last, and, behind the last polygon, how many there were. */
  readonly stamps: Uint32Array;
  /** Nodes, leaves and polygons that queries have looked at so far, all together: 3 numbers. See `replayBsp`. */
  readonly work: Float64Array;
}

/**
 * A tree over convex polygons that lists in each leaf those that reach into it. The planes are those of the polygons and
 * planes across the axes, or what `candidates` says. Polygons may overlap, coincide and have no area. RTCD §8.2.2.
 */
export function buildLeafBsp(
  polygons: readonly (readonly ReadonlyVec3[])[],
  options: LeafBspOptions = {},
): LeafBsp {
  const caller = 'buildLeafBsp';
  checkBspOptions(caller, options);
  const { leafSize = 4 } = options;
  mustBeWhole(caller, 'options.leafSize', leafSize, 1, 1e6);
  const given = readPolygons(caller, polygons);
  const parts = partition(given, { onPlane: 'front', leafSize }, options);
  const { tree, leafOrder } = flatten(parts.nodes, parts.root, parts.thickness, parts.report);
  const leafStart = new Uint32Array(leafOrder.length + 1);
  const items: number[] = [];
  leafOrder.forEach((leaf, i) => {
    leafStart[i] = items.length;
    const numbers = new Set(parts.leaves[leaf]!.fragments.map(({ source }) => source));
    items.push(...[...numbers].sort((a, b) => a - b));
  });
  leafStart[leafOrder.length] = items.length;
  return {
    ...tree,
    polygons: given.map(({ points }) => points),
    leafStart,
    leafPolygons: Uint32Array.from(items),
    stamps: new Uint32Array(given.length + 1),
    work: new Float64Array(3),
  };
}

/** A hit on a polygon of a tree. */
export interface BspPolygonHit extends Hit {
  /** Its number in the list. */
  polygon: number;
}

export const makeBspPolygonHit = (): BspPolygonHit => ({ t: 0, point: vec3(), normal: vec3(), polygon: -1 });

// No user code runs while these are in use.
const pending = new Int32Array(MAX_DEPTH + 1);
const spans = new Float64Array(2 * MAX_DEPTH + 2);
const range = /* @__PURE__ */ new LineRange('rayLeafBsp', 0);
const found = makeTriangleHit();

/** What a walk along a ray found: the polygon, or -1, and where it is hit. @internal */
export class PolygonSearch {
  readonly ray = makeRay();
  /** No later hit counts. Found: the time of the hit. */
  t = 0.5;
  polygon = -1;
  readonly hit = makeTriangleHit();
}

const search = /* @__PURE__ */ new PolygonSearch();

/**
 * The first polygon that the ray hits, from either side; of those hit at the same time the one with the lowest number. A ray
 * in the plane of a polygon misses it. RTCD §8.4.2.
 */
export function rayLeafBsp(
  ray: ReadonlyRay,
  bsp: LeafBsp,
  tMax = Infinity,
  out?: BspPolygonHit,
): BspPolygonHit | null {
  checkRay('rayLeafBsp', 'ray', ray);
  mustHave('rayLeafBsp', 'bsp', bsp, 'a leaf-storing BSP tree', 'leafPolygons');
  checkRange('rayLeafBsp', tMax);
  v3.copy(ray.origin, search.ray.origin);
  v3.copy(ray.direction, search.ray.direction);
  search.t = tMax;
  if (!searchPolygons(search, bsp)) return null;
  // Written last: `out` may have a part in common with the ray, or with a polygon.
  const hit = out ?? makeBspPolygonHit();
  hit.t = search.t;
  hit.polygon = search.polygon;
  v3.copy(search.hit.point, hit.point);
  v3.copy(search.hit.normal, hit.normal);
  return hit;
}

/**
 * Does the ray hit a polygon, and which one first?
 *
 * Leaves hold whole polygons, so that a hit may lie beyond the leaf that it was found in, and another polygon before it: the
 * walk goes on until it reaches a leaf that begins after the hit. Each point of a polygon is in a leaf that lists the polygon, or
 * as near to it as the planes are thick; the walk comes by all leaves that are that near, and whether a polygon is hit is decided
 * exactly. So none is missed, and none is made up. @internal
 */
export function searchPolygons(own: PolygonSearch, bsp: LeafBsp): boolean {
  const { planes, children, polygons, leafStart, leafPolygons } = bsp;
  const { x: ox, y: oy, z: oz } = own.ray.origin;
  const { x: dx, y: dy, z: dz } = own.ray.direction;
  const thickness = reachOfPlanes(bsp, Math.abs(ox) + Math.abs(oy) + Math.abs(oz));
  const stamp = nextStamp(bsp);
  own.polygon = -1;
  let best = own.t;
  let link = bsp.root;
  let from = 0;
  let to = best;
  let top = 0;
  let nodes = 0;
  let leaves = 0;
  let tested = 0;
  for (;;) {
    if (link >= 0) {
      nodes++;
      const at = 4 * link;
      const nx = planes[at]!;
      const ny = planes[at + 1]!;
      const nz = planes[at + 2]!;
      const height = nx * ox + ny * oy + nz * oz - planes[at + 3]!;
      const slope = nx * dx + ny * dy + nz * dz;
      // Times at which it enters and leaves the thick plane; the whole of it if parallel and within.
      const near = slope > 0 ? 1 : 0; // it comes from behind: that side is first
      const first = children[2 * link + near]!;
      const second = children[2 * link + 1 - near]!;
      const signed = slope > 0 ? -height : height; // of the side that it comes from
      const speed = Math.abs(slope);
      const enter = (signed - thickness) / speed; // NaN or infinite if parallel
      const leave = (signed + thickness) / speed;
      if (speed > 0 ? enter > to : signed > thickness) link = first;
      else if (speed > 0 ? leave < from : signed < -thickness) link = second;
      else {
        pending[top] = second;
        spans[2 * top] = speed > 0 ? Math.max(from, enter) : from;
        spans[2 * top + 1] = to;
        top++;
        link = first;
        if (speed > 0) to = Math.min(to, leave);
      }
      continue;
    }
    leaves++;
    for (let i = leafStart[~link]!; i < leafStart[~link + 1]!; i++) {
      const number = leafPolygons[i]!;
      if (bsp.stamps[number] === stamp) continue;
      bsp.stamps[number] = stamp;
      tested++;
      const points = polygons[number]!;
      range.tMax = best;
      for (let k = 2; k < points.length; k++) {
        if (!intersectLineTriangle(own.ray, points[0]!, points[k - 1]!, points[k]!, range, found)) continue;
        if (own.polygon >= 0 && found.t === best && own.polygon < number) continue;
        best = found.t;
        range.tMax = best;
        own.polygon = number;
        v3.copy(found.point, own.hit.point);
        v3.copy(found.normal, own.hit.normal);
      }
    }
    do {
      if (top === 0) {
        addWork(bsp, nodes, leaves, tested);
        own.t = best;
        return own.polygon >= 0;
      }
      top--;
    } while (spans[2 * top]! > best);
    link = pending[top]!;
    from = spans[2 * top]!;
    to = spans[2 * top + 1]!;
  }
}

/** The numbers of the polygons that share a point with a box, ascending, exactly. `out` is filled anew. RTCD §8.4.3. */
export function polygonsAabbBsp(box: ReadonlyAabb, bsp: LeafBsp, out: number[] = []): number[] {
  checkAabb('polygonsAabbBsp', 'box', box);
  mustHave('polygonsAabbBsp', 'bsp', bsp, 'a leaf-storing BSP tree', 'leafPolygons');
  mustBeList('polygonsAabbBsp', 'out', out);
  out.length = 0;
  visitPolygons(bsp, box, (points, number) => {
    if (polygonMeetsAabb(points, box)) out.push(number);
    return false;
  });
  return out.sort((a, b) => a - b);
}

/** The numbers of the polygons that share a point with a sphere, ascending. `out` is filled anew. RTCD §8.4.3. */
export function polygonsSphereBsp(sphere: ReadonlySphere, bsp: LeafBsp, out: number[] = []): number[] {
  checkSphere('polygonsSphereBsp', 'sphere', sphere);
  mustHave('polygonsSphereBsp', 'bsp', bsp, 'a leaf-storing BSP tree', 'leafPolygons');
  mustBeList('polygonsSphereBsp', 'out', out);
  out.length = 0;
  visitPolygons(bsp, boxAround(sphere), (points, number) => {
    if (overlapSpherePolygon(sphere, points)) out.push(number);
    return false;
  });
  return out.sort((a, b) => a - b);
}

/** @internal */
export const boxAround = ({ center: { x, y, z }, radius: r }: ReadonlySphere): ReadonlyAabb => ({
  min: vec3(x - r, y - r, z - r),
  max: vec3(x + r, y + r, z + r),
});

function polygonMeetsAabb(points: readonly ReadonlyVec3[], box: ReadonlyAabb): boolean {
  const first = points[0]!;
  if (points.length < 3) return triangleMeetsAabb(first, first, points[points.length - 1]!, box);
  for (let k = 2; k < points.length; k++)
    if (triangleMeetsAabb(first, points[k - 1]!, points[k]!, box)) return true;
  return false;
}

/**
 * Visits the polygons of all leaves that a box reaches, each once, until the visitor returns true; then so does this. A leaf is
 * reached if the centre of the box is in the leaf grown by the box: each plane is moved out by what the box reaches. RTCD §8.4.3.
 * @internal
 */
export function visitPolygons(
  bsp: LeafBsp,
  { min, max }: ReadonlyAabb,
  visit: (points: readonly ReadonlyVec3[], number: number) => boolean,
): boolean {
  const { planes, children, polygons, leafStart, leafPolygons, stamps } = bsp;
  const x = min.x / 2 + max.x / 2;
  const y = min.y / 2 + max.y / 2;
  const z = min.z / 2 + max.z / 2;
  const hx = max.x / 2 - min.x / 2;
  const hy = max.y / 2 - min.y / 2;
  const hz = max.z / 2 - min.z / 2;
  const thickness = reachOfPlanes(bsp, Math.abs(x) + Math.abs(y) + Math.abs(z));
  const stamp = nextStamp(bsp);
  let top = 0;
  let nodes = 0;
  let leaves = 0;
  let tested = 0;
  let found = false;
  let link = bsp.root;
  for (;;) {
    if (link >= 0) {
      nodes++;
      const at = 4 * link;
      const nx = planes[at]!;
      const ny = planes[at + 1]!;
      const nz = planes[at + 2]!;
      const height = nx * x + ny * y + nz * z - planes[at + 3]!;
      const reach = Math.abs(nx) * hx + Math.abs(ny) * hy + Math.abs(nz) * hz + thickness;
      if (height > reach) link = children[2 * link]!;
      else {
        if (height >= -reach) pending[top++] = children[2 * link]!;
        link = children[2 * link + 1]!;
      }
      continue;
    }
    leaves++;
    for (let i = leafStart[~link]!; i < leafStart[~link + 1]! && !found; i++) {
      const number = leafPolygons[i]!;
      if (stamps[number] === stamp) continue;
      stamps[number] = stamp;
      tested++;
      found = visit(polygons[number]!, number);
    }
    if (found || top === 0) {
      addWork(bsp, nodes, leaves, tested);
      return found;
    }
    link = pending[--top]!;
  }
}

/** The number of the next query; before it comes round again, all are forgotten. @internal */
export function nextStamp({ stamps }: LeafBsp): number {
  const last = stamps.length - 1;
  if (stamps[last] === 0xffffffff) stamps.fill(0);
  stamps[last]! += 1;
  return stamps[last]!;
}

function addWork({ work }: LeafBsp, nodes: number, leaves: number, polygons: number): void {
  work[0]! += nodes;
  work[1]! += leaves;
  work[2]! += polygons;
}
