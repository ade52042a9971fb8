/**
 * What can be asked of a solid-leaf tree. RTCD §8.4. Points and rays get the answers of the mesh; for boxes, spheres and polygons
 * the solid is its leaves, closed, and as thick as its planes are for queries.
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
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Polyhedron } from '../polytope/types.ts';
import { closestPointPolyhedron } from '../primitives/closest/polyhedron.ts';
import { checkRange } from '../primitives/input.ts';
import { overlapPolyhedronPolyhedron } from '../primitives/overlap/polyhedron-polyhedron.ts';
import { isStill } from '../primitives/ray/hit.ts';
import type { Hit, ReadonlyAabb, ReadonlyObb, ReadonlyRay, ReadonlySphere } from '../primitives/types.ts';
import { NearestSearch, searchNearest } from '../trimesh/closest.ts';
import { isInsideClosed } from '../trimesh/crossing-number.ts';
import { MAX_DEPTH, planeOfNode, QUERY_THICKNESS } from './bsp-tree.ts';
import { PolygonSearch, searchPolygons } from './leaf-bsp.ts';
import { EMPTY, SOLID, type SolidBsp } from './solid-bsp.ts';
import { sideOfPolygon, splitPolygon } from './thick-plane.ts';
import { BspTrace, traceSolid } from './trace.ts';

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
  const thickness = QUERY_THICKNESS * bsp.thickness;
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
  /** Of a box: the leaf that is touched; else -1. */
  leaf: number;
  /** Of a ray that does not start in the solid: the triangle that is hit, by its number in the mesh; else -1. */
  triangle: number;
}

export const makeBspHit = (): BspHit => ({
  t: 0,
  point: vec3(),
  normal: vec3(),
  startsSolid: false,
  leaf: -1,
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
  hit.leaf = -1;
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

function writeHit(out: BspHit): BspHit {
  const { origin, direction, t, normal, leaf } = trace;
  out.startsSolid = v3.lengthSq(normal) === 0;
  out.t = t;
  out.leaf = leaf;
  out.triangle = -1;
  out.point.x = origin.x + t * direction.x;
  out.point.y = origin.y + t * direction.y;
  out.point.z = origin.z + t * direction.z;
  if (out.startsSolid) setAgainst(direction, out.normal);
  else v3.copy(normal, out.normal);
  return out;
}

/**
 * When does a box that moves by `motion` first touch the solid, at a fraction t of it from 0 to 1? Null if never. The point is the
 * centre of the box at that time. A solid that the box holds whole is touched too. RTCD §8.4.3.
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
  v3.copy(motion, trace.direction);
  loadBox(box, bsp);
  trace.tMax = 1;
  return traceSolid(trace, bsp) ? writeHit(out ?? makeBspHit()) : null;
}

function loadBox({ min, max }: ReadonlyAabb, bsp: SolidBsp): void {
  const { x: ax, y: ay, z: az } = min;
  const { x: bx, y: by, z: bz } = max;
  // Not by `v3.set`: what is computed for a call is boxed.
  const { origin, halfSize } = trace;
  origin.x = ax / 2 + bx / 2;
  origin.y = ay / 2 + by / 2;
  origin.z = az / 2 + bz / 2;
  halfSize.x = bx / 2 - ax / 2;
  halfSize.y = by / 2 - ay / 2;
  halfSize.z = bz / 2 - az / 2;
  trace.thickness = QUERY_THICKNESS * bsp.thickness;
}

/** Do a box and the solid share a point? Within the thickness of the planes the answer is yes. RTCD §8.4.3. */
export function overlapAabbBsp(box: ReadonlyAabb, bsp: SolidBsp): boolean {
  checkAabb('overlapAabbBsp', 'box', box);
  mustHave('overlapAabbBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  v3.set(0, 0, 0, trace.direction);
  loadBox(box, bsp);
  trace.tMax = 0;
  return traceSolid(trace, bsp);
}

/** Do a sphere and the solid share a point? Within the thickness of the planes the answer is yes. RTCD §8.4.3. */
export function overlapSphereBsp(sphere: ReadonlySphere, bsp: SolidBsp): boolean {
  checkSphere('overlapSphereBsp', 'sphere', sphere);
  mustHave('overlapSphereBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  const { center, radius } = sphere;
  const near = radius + QUERY_THICKNESS * bsp.thickness;
  const reach = (): number => radius;
  return meetsLeaf(bsp, center, reach, (leaf) => {
    const cell = bsp.cells[leaf]!;
    return cell === null || v3.distanceSq(closestPointPolyhedron(center, cell, foot), center) <= near * near;
  });
}

const foot = vec3();

/** Do an oriented box and the solid share a point? Within the thickness of the planes the answer is yes. RTCD §8.4.3. */
export function overlapObbBsp(box: ReadonlyObb, bsp: SolidBsp): boolean {
  checkObb('overlapObbBsp', 'box', box);
  mustHave('overlapObbBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  const { center, halfSize, rotation } = box;
  const { elements: e } = rotation;
  const along = (n: ReadonlyVec3, axis: number): number =>
    Math.abs(n.x * e[3 * axis]! + n.y * e[3 * axis + 1]! + n.z * e[3 * axis + 2]!);
  const reach = (n: ReadonlyVec3): number =>
    halfSize.x * along(n, 0) + halfSize.y * along(n, 1) + halfSize.z * along(n, 2);
  // Grown by the thickness, so that a touch is not missed. Its planes and edges are the bevels, worked out as it stands.
  const solid = polyhedronOfObb(box, QUERY_THICKNESS * bsp.thickness);
  return meetsLeaf(bsp, center, reach, (leaf) => {
    const cell = bsp.cells[leaf]!;
    return cell === null || overlapPolyhedronPolyhedron(solid, cell);
  });
}

function polyhedronOfObb({ center, halfSize, rotation }: ReadonlyObb, more: number): Polyhedron {
  const { elements: e } = rotation;
  const axes = [0, 1, 2].map((k) => vec3(e[3 * k], e[3 * k + 1], e[3 * k + 2]));
  const sizes = [halfSize.x + more, halfSize.y + more, halfSize.z + more];
  const vertices = Array.from({ length: 8 }, (_, i) =>
    axes.reduce<Vec3>(
      (p, axis, k) => v3.addScaled(p, axis, i & (1 << k) ? sizes[k]! : -sizes[k]!),
      v3.copy(center),
    ),
  );
  const faces = BOX_FACES.map((face) => [...face]);
  const planes = faces.map(([first], f) => {
    const normal = v3.scale(axes[f >> 1]!, f & 1 ? 1 : -1);
    return { normal, d: v3.dot(normal, vertices[first!]!) };
  });
  return { vertices, faces, planes };
}

/** Corners are numbered by the bits of +x, +y, +z; a low and a high face for each axis. */
const BOX_FACES = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
] as const;

/** Is there a leaf that is not empty, is reached, and passes the test? A mixed one passes. */
function meetsLeaf(
  bsp: SolidBsp,
  center: ReadonlyVec3,
  reach: (normal: ReadonlyVec3) => number,
  test: (leaf: number) => boolean,
): boolean {
  const { planes, children, leafKinds } = bsp;
  const thickness = QUERY_THICKNESS * bsp.thickness;
  let link = bsp.root;
  let top = 0;
  for (;;) {
    while (link >= 0) {
      const at = 4 * link;
      v3.set(planes[at]!, planes[at + 1]!, planes[at + 2]!, planeNormal);
      const height = v3.dot(planeNormal, center) - planes[at + 3]!;
      const wide = reach(planeNormal) + thickness;
      if (height > wide) link = children[2 * link]!;
      else {
        if (height >= -wide) pending[top++] = children[2 * link]!;
        link = children[2 * link + 1]!;
      }
    }
    const kind = leafKinds[~link]!;
    if (kind !== EMPTY && (kind !== SOLID || test(~link))) return true;
    if (top === 0) return false;
    link = pending[--top]!;
  }
}

const planeNormal = vec3();

/**
 * Do a convex polygon and the solid share a point? Within the thickness of the planes the answer is yes. It is cut by the planes
 * on its way down; what lies in one goes on to both sides. RTCD §8.4.3.
 */
export function overlapPolygonBsp(points: readonly ReadonlyVec3[], bsp: SolidBsp): boolean {
  checkPoints('overlapPolygonBsp', 'points', points);
  mustHave('overlapPolygonBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  const thickness = QUERY_THICKNESS * bsp.thickness;
  const parts: { link: number; points: readonly ReadonlyVec3[] }[] = [];
  if (points.length > 0) parts.push({ link: bsp.root, points });
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const { link } = part;
    if (link < 0) {
      if (bsp.leafKinds[~link] !== EMPTY) return true;
      continue;
    }
    const plane = planeOfNode(bsp, link);
    const front = bsp.children[2 * link]!;
    const back = bsp.children[2 * link + 1]!;
    const side = sideOfPolygon(part.points, plane, thickness);
    const touches = part.points.some((p) => Math.abs(v3.dot(plane.normal, p) - plane.d) <= thickness);
    if (side !== 2) {
      // What is on the plane, or touches it from one side, touches what is on the other.
      if (side >= 0 || touches)
        parts.push({ link: front, points: side < 0 ? onPlane(part.points, plane, thickness) : part.points });
      if (side <= 0 || touches)
        parts.push({ link: back, points: side > 0 ? onPlane(part.points, plane, thickness) : part.points });
      continue;
    }
    const halves = splitPolygon(part.points, plane, thickness);
    const isCut = halves.front.length > 0 && halves.back.length > 0;
    parts.push({ link: front, points: isCut ? halves.front : part.points });
    parts.push({ link: back, points: isCut ? halves.back : part.points });
  }
  return false;
}

/** The corners of a polygon that are on a plane. */
const onPlane = (
  points: readonly ReadonlyVec3[],
  { normal, d }: { readonly normal: ReadonlyVec3; readonly d: number },
  thickness: number,
): ReadonlyVec3[] => points.filter((p) => Math.abs(v3.dot(normal, p) - d) <= thickness);
