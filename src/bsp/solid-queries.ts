/**
 * What can be asked of a solid-leaf tree. RTCD §8.4. The answers are those of the mesh: the tree says which triangles may be met, and
 * what is inside where none is near.
 */
import {
  checkAabb,
  checkObb,
  checkPoint,
  checkPoints,
  checkRay,
  checkSphere,
  mustHave,
} from '../math/check.ts';
import { UNIT_ROUNDING } from '../math/tolerance.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { checkRange } from '../primitives/input.ts';
import { overlapTriangleObb, triangleMeetsAabb } from '../primitives/overlap/triangle-box.ts';
import { trianglesOverlap } from '../primitives/overlap/triangle-triangle.ts';
import { isStill } from '../primitives/ray/hit.ts';
import type { Hit, ReadonlyAabb, ReadonlyObb, ReadonlyRay, ReadonlySphere } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { NearestSearch, searchNearest } from '../trimesh/closest.ts';
import { isInsideClosed } from '../trimesh/crossing-number.ts';
import { OverlapSphere } from '../trimesh/overlap-shapes.ts';
import { MAX_DEPTH, QUERY_THICKNESS, reachOfPlanes } from './bsp-tree.ts';
import { boxAround, PolygonSearch, searchPolygons, visitPolygons } from './leaf-bsp.ts';
import type { SolidBsp } from './solid-bsp.ts';
import { BspTrace, traceBox } from './trace.ts';

const pending = new Int32Array(MAX_DEPTH + 1);

/**
 * Where is p: inside of the solid (1), outside (-1) or at its boundary (0)? At the boundary is what is within the thickness of
 * planes of a triangle, with solid on one side and none on the other; a plane with the same on both sides is no boundary. About
 * O(log n). RTCD §8.4.1.
 */
export function locatePointBsp(p: ReadonlyVec3, bsp: SolidBsp): -1 | 0 | 1 {
  checkPoint('locatePointBsp', 'p', p);
  mustHave('locatePointBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  return locate(p, bsp);
}

/** Is p inside of the solid, or at its boundary? See `locatePointBsp`. */
export function containsPointBsp(p: ReadonlyVec3, bsp: SolidBsp): boolean {
  checkPoint('containsPointBsp', 'p', p);
  mustHave('containsPointBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  return locate(p, bsp) >= 0;
}

const nearest = /* @__PURE__ */ new NearestSearch();

/** Where the leaves around p do not agree, or do not know, the mesh is asked. @internal */
export function locate(p: ReadonlyVec3, bsp: SolidBsp): -1 | 0 | 1 {
  const kinds = kindsAt(p, bsp) & ~NEAR_PLANE;
  if (kinds === IN_EMPTY) return -1;
  if (kinds === IN_SOLID) return 1;
  nearest.point.x = p.x;
  nearest.point.y = p.y;
  nearest.point.z = p.z;
  nearest.maxDistance = QUERY_THICKNESS * bsp.thickness;
  if (searchNearest(nearest, bsp.mesh) >= 0) return 0;
  return isInsideClosed(p, bsp.mesh) ? 1 : -1;
}

/** What `kindsAt` tells. @internal */
export const IN_EMPTY = 1;
export const IN_SOLID = 2;
const IN_DOUBT = 4;
export const NEAR_PLANE = 8;

/**
 * Which kinds of leaves are at p, within the thickness of the planes, and is it within that of any? If there is one kind only, and no
 * plane near, it is sure. Each is one bit. @internal
 */
export function kindsAt({ x, y, z }: ReadonlyVec3, bsp: SolidBsp): number {
  const { planes, children, leafKinds, unsureLeaves } = bsp;
  const thickness = reachOfPlanes(bsp, Math.abs(x) + Math.abs(y) + Math.abs(z));
  let link = bsp.root;
  let top = 0;
  let kinds = 0;
  for (;;) {
    while (link >= 0) {
      const at = 4 * link;
      const height = planes[at]! * x + planes[at + 1]! * y + planes[at + 2]! * z - planes[at + 3]!;
      if (Math.abs(height) <= thickness) {
        kinds |= NEAR_PLANE;
        pending[top++] = children[2 * link]!;
        link = children[2 * link + 1]!;
      } else link = children[2 * link + (height < 0 ? 1 : 0)]!;
    }
    const leaf = ~link;
    kinds |= unsureLeaves[leaf]! > 0 ? IN_DOUBT : 1 << leafKinds[leaf]!;
    if (top === 0) return kinds;
    link = pending[--top]!;
  }
}

/** The leaf that a point is in; on a plane, the one in front. About O(log n). */
export function leafOfPointBsp(p: ReadonlyVec3, bsp: SolidBsp): number {
  checkPoint('leafOfPointBsp', 'p', p);
  mustHave('leafOfPointBsp', 'bsp', bsp, 'a BSP tree', 'children');
  const { planes, children } = bsp;
  const { x, y, z } = p;
  let link = bsp.root;
  while (link >= 0) {
    const at = 4 * link;
    const height = planes[at]! * x + planes[at + 1]! * y + planes[at + 2]! * z - planes[at + 3]!;
    link = children[2 * link + (height < 0 ? 1 : 0)]!;
  }
  return ~link;
}

/** Where a ray or a box that moves enters the solid. */
export interface BspHit extends Hit {
  /** Was it in the solid from the start, or at its boundary? Then t = 0, and the normal is against the direction. */
  startsSolid: boolean;
  /** The triangle that is hit, by its number in the mesh; -1 for a start in the solid. */
  triangle: number;
}

export const makeBspHit = (): BspHit => ({
  t: 0,
  point: vec3(),
  normal: vec3(),
  startsSolid: false,
  triangle: -1,
});

const search = /* @__PURE__ */ new PolygonSearch();

/**
 * Where does the ray enter the solid? Null if nowhere until `tMax`. The answer is that of `rayMesh`, to the last bit, for rays that
 * start outside; those that start inside, or at the boundary as `locatePointBsp` has it, hit at once. About O(log n). RTCD §8.4.2.
 */
export function rayBsp(ray: ReadonlyRay, bsp: SolidBsp, tMax = Infinity, out?: BspHit): BspHit | null {
  checkRay('rayBsp', 'ray', ray);
  mustHave('rayBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  checkRange('rayBsp', tMax);
  const { origin, direction } = search.ray;
  v3.copy(ray.origin, origin);
  v3.copy(ray.direction, direction);
  search.t = tMax;
  const startsSolid = locate(origin, bsp) >= 0;
  if (!startsSolid && (isStill(search.ray) || !searchPolygons(search, bsp))) return null;
  const hit = out ?? makeBspHit();
  hit.startsSolid = startsSolid;
  if (startsSolid) {
    hit.t = 0;
    hit.triangle = -1;
    v3.copy(origin, hit.point);
    setAgainst(direction, hit.normal);
  } else {
    hit.t = search.t;
    hit.triangle = search.polygon;
    v3.copy(search.hit.point, hit.point);
    v3.copy(search.hit.normal, hit.normal);
  }
  return hit;
}

function setAgainst(direction: ReadonlyVec3, out: Vec3): void {
  v3.normalize(direction, out);
  v3.set(0 - out.x, 0 - out.y, 0 - out.z, out); // no -0
}

const trace = /* @__PURE__ */ new BspTrace();

/**
 * When does a box that moves by `motion` first touch the solid, at a fraction t of it from 0 to 1? Null if never. The point is the
 * centre of the box at that time. A solid that the box holds whole is touched, too. Whether it touches at the start is exact; later on
 * t is never late, and early by rounding only, as that of `sweepAabbTriangle`. RTCD §8.4.3.
 */
export function sweepAabbBsp(
  box: ReadonlyAabb,
  motion: ReadonlyVec3,
  bsp: SolidBsp,
  out?: BspHit,
): BspHit | null {
  checkAabb('sweepAabbBsp', 'box', box);
  checkPoint('sweepAabbBsp', 'motion', motion);
  mustHave('sweepAabbBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  v3.copy(box.min, trace.box.min);
  v3.copy(box.max, trace.box.max);
  v3.copy(motion, trace.motion);
  trace.tMax = 1;
  const { min, max } = trace.box;
  const startsSolid = meetsAabb(trace.box, bsp);
  if (!startsSolid && !traceBox(trace, bsp)) return null;
  const hit = out ?? makeBspHit();
  const t = startsSolid ? 0 : trace.t;
  hit.startsSolid = startsSolid;
  hit.triangle = startsSolid ? -1 : trace.triangle;
  hit.t = t;
  hit.point.x = min.x / 2 + max.x / 2 + t * trace.motion.x;
  hit.point.y = min.y / 2 + max.y / 2 + t * trace.motion.y;
  hit.point.z = min.z / 2 + max.z / 2 + t * trace.motion.z;
  if (startsSolid) setAgainst(trace.motion, hit.normal);
  else v3.copy(trace.normal, hit.normal);
  return hit;
}

/** Do a box and the solid share a point? Exact, and touching counts. RTCD §8.4.3. */
export function overlapAabbBsp(box: ReadonlyAabb, bsp: SolidBsp): boolean {
  checkAabb('overlapAabbBsp', 'box', box);
  mustHave('overlapAabbBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  return meetsAabb(box, bsp);
}

// What is asked for, as a copy. No user code runs while it is in use.
const askedBox = makeAabb();

/** It meets a triangle, or is within the solid as a whole. */
function meetsAabb({ min, max }: ReadonlyAabb, bsp: SolidBsp): boolean {
  v3.copy(min, askedBox.min);
  v3.copy(max, askedBox.max);
  return visitPolygons(bsp, askedBox, meetsAskedBox) || isWithin(askedBox.min, bsp);
}

const meetsAskedBox = (points: readonly ReadonlyVec3[]): boolean =>
  triangleMeetsAabb(points[0]!, points[1]!, points[2]!, askedBox);

/**
 * Is p in the solid? Given that it is on no triangle. The tree is sure of what is empty; what is solid has gaps that are thinner than
 * its planes, where parts of the surface all but touch each other.
 */
const isWithin = (p: ReadonlyVec3, bsp: SolidBsp): boolean =>
  (kindsAt(p, bsp) & ~NEAR_PLANE) !== IN_EMPTY && isInsideClosed(p, bsp.mesh);

const askedSphere = /* @__PURE__ */ new OverlapSphere();
/** More than what spheres may be off a triangle, and touch it, in radii; near triangles the thick planes are more than that. */
const TOUCHING = 1 + 64 * UNIT_ROUNDING;

/** Do a sphere and the solid share a point? The answer is that of `overlapSphereMesh`. RTCD §8.4.3. */
export function overlapSphereBsp(sphere: ReadonlySphere, bsp: SolidBsp): boolean {
  checkSphere('overlapSphereBsp', 'sphere', sphere);
  mustHave('overlapSphereBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  const { center, radius } = sphere;
  askedSphere.set(sphere, bsp.mesh);
  const around = boxAround({ center, radius: TOUCHING * radius });
  return visitPolygons(bsp, around, meetsAskedSphere) || isWithin(center, bsp);
}

const meetsAskedSphere = (points: readonly ReadonlyVec3[]): boolean =>
  askedSphere.meets(points[0]!, points[1]!, points[2]!);

/** Do an oriented box and the solid share a point? As `overlapTriangleObb` has it for its triangles. RTCD §8.4.3. */
export function overlapObbBsp(box: ReadonlyObb, bsp: SolidBsp): boolean {
  checkObb('overlapObbBsp', 'box', box);
  mustHave('overlapObbBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  return (
    visitPolygons(bsp, boxOfObb(box), ([a, b, c]) => overlapTriangleObb(a!, b!, c!, box)) ||
    isWithin(box.center, bsp)
  );
}

function boxOfObb({ center: c, halfSize: h, rotation: { elements: e } }: ReadonlyObb): ReadonlyAabb {
  const reach = (row: number): number =>
    Math.abs(e[row]!) * h.x + Math.abs(e[row + 3]!) * h.y + Math.abs(e[row + 6]!) * h.z;
  const half = vec3(reach(0), reach(1), reach(2));
  return { min: v3.sub(c, half), max: v3.add(c, half) };
}

/**
 * Do a convex polygon and the solid share a point? Exact for the triangles that it is cut into from its first corner. It may lie in a
 * face of the solid, or in a plane of the tree. RTCD §8.4.3.
 */
export function overlapPolygonBsp(points: readonly ReadonlyVec3[], bsp: SolidBsp): boolean {
  checkPoints('overlapPolygonBsp', 'points', points);
  mustHave('overlapPolygonBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  const first = points[0];
  if (first === undefined) return false;
  const min = points.reduce<Vec3>((low, p) => v3.min(low, p), v3.copy(first));
  const max = points.reduce<Vec3>((high, p) => v3.max(high, p), v3.copy(first));
  const fan = Array.from({ length: Math.max(1, points.length - 2) }, (_, i) => i + 1);
  const meets = ([a, b, c]: readonly ReadonlyVec3[]): boolean =>
    fan.some((i) =>
      trianglesOverlap(first, points[i] ?? first, points[i + 1] ?? points[i] ?? first, a!, b!, c!),
    );
  return visitPolygons(bsp, { min, max }, meets) || isWithin(first, bsp);
}
