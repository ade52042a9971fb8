/** The intersections of `Raycaster` with one object, found by our trees, with the very fields that three.js gives them. */
import type { Intersection, Material, Matrix4, Raycaster, Mesh as ThreeMesh } from 'three';
import { Ray, Triangle, Vector2, Vector3 } from 'three';
import type { Mesh } from '../trimesh/mesh.ts';
import { ALL, CLOSEST, type MeshHit, RaySearch, searchRay } from '../trimesh/ray.ts';
import { type Attribute, vertexAt } from './geometry.ts';
import { firstCorner, groupAt, type TriangleSet } from './geometry-tree.ts';

// `Material.side` of three.js.
const FRONT = 0;
const BACK = 1;
const DOUBLE = 2;
/** Groups whose materials have different sides. */
const MIXED = 3;

// No user code runs while these are in use.
const search = /* @__PURE__ */ new RaySearch();
const hits: MeshHit[] = [];
const others: MeshHit[] = [];
const localRay = /* @__PURE__ */ new Ray();
const localPoint = /* @__PURE__ */ new Vector3();
const worldPoint = /* @__PURE__ */ new Vector3();
const scaled = /* @__PURE__ */ new Vector3();
const a = /* @__PURE__ */ new Vector3();
const b = /* @__PURE__ */ new Vector3();
const c = /* @__PURE__ */ new Vector3();

/** What is asked of one object or instance. */
export interface Target {
  readonly object: ThreeMesh;
  /** Its triangles, in its own space; and where in the geometry they are. */
  readonly mesh: Mesh;
  readonly triangles: TriangleSet;
  /** Where it stands, and the inverse of that, as three.js computes it. */
  readonly matrix: Matrix4;
  readonly inverse: Matrix4;
}

/** Adds what the ray hits to `intersects`, in the order of the triangles: all, or with `firstHitOnly` the nearest. @internal */
export function intersectTarget(
  target: Target,
  raycaster: Raycaster,
  far: number,
  intersects: Intersection[],
): void {
  const { object, mesh, matrix } = target;
  const { material } = object;
  if (material === undefined) return;
  const side = Array.isArray(material) ? commonSide(target, material) : material.side;
  localRay.copy(raycaster.ray).applyMatrix4(target.inverse);
  const { origin, direction } = localRay;
  if (!meetsBox(mesh)) return;
  copy(origin, search.origin);
  copy(direction, search.direction);
  search.tMax = far < Infinity ? farthest(matrix, far) : Infinity;
  if (raycaster.firstHitOnly && side !== MIXED && nearestOnly(target, raycaster, side, far, intersects))
    return;
  const count = side === MIXED ? findMixed(target, material as Material[]) : findAll(mesh, side, hits);
  sortHits(hits, count);
  if (raycaster.firstHitOnly) addNearest(target, raycaster, far, count, intersects);
  else for (let i = 0; i < count; i++) addHit(target, raycaster, far, hits[i]!, intersects);
}

/** The nearest hit, if it is not too near; false if another one has to be looked for. */
function nearestOnly(
  target: Target,
  raycaster: Raycaster,
  side: number,
  far: number,
  intersects: Intersection[],
): boolean {
  setSide(side);
  search.mode = CLOSEST;
  const slot = searchRay(search, target.mesh);
  if (slot < 0) return true;
  const before = intersects.length;
  nearest.t = search.t;
  nearest.triangle = target.mesh.ids[slot]!;
  addHit(target, raycaster, far, nearest, intersects);
  return intersects.length > before || raycaster.near <= 0;
}

/** What `addHit` needs to know of a hit. */
type Found = Pick<MeshHit, 't' | 'triangle'>;

class Nearest implements Found {
  t = 0.5;
  triangle = 0;
}
const nearest = /* @__PURE__ */ new Nearest();

/** As the materials of all groups say: or MIXED. */
function commonSide({ object }: Target, materials: readonly Material[]): number {
  let side = -1;
  const { groups } = object.geometry;
  for (let i = 0; i < groups.length; i++) {
    const own = materials[groups[i]!.materialIndex ?? 0]?.side ?? -1;
    if (own < 0 || (side >= 0 && own !== side)) return MIXED;
    side = own;
  }
  return side;
}

function setSide(side: number): void {
  search.front = side === FRONT;
  search.back = side === BACK;
}

/** All hits on some sides, into a list whose records are used again. Returns how many. */
function findAll(mesh: Mesh, side: number, list: MeshHit[]): number {
  setSide(side);
  search.mode = ALL;
  search.hits = list;
  search.hitCount = 0;
  searchRay(search, mesh);
  search.hits = null;
  return search.hitCount;
}

/** All hits on the sides that the material of each triangle has. Returns how many they are in `hits`. */
function findMixed(target: Target, materials: readonly Material[]): number {
  const { mesh, triangles, object } = target;
  let count = 0;
  for (const side of [FRONT, BACK]) {
    const found = findAll(mesh, side, others);
    for (let i = 0; i < found; i++) {
      const hit = others[i]!;
      const group = groupOf(target, triangles, hit.triangle);
      const own = materials[object.geometry.groups[group]?.materialIndex ?? 0]?.side;
      if (own !== side && own !== DOUBLE) continue;
      // The two lists change places, so that no record is in both.
      const free = hits[count];
      hits[count++] = hit;
      others[i] = free ?? { ...hit, point: { ...hit.point }, normal: { ...hit.normal } };
    }
  }
  return count;
}

const groupOf = ({ object }: Target, triangles: TriangleSet, triangle: number): number =>
  triangles.groups ? triangles.groups[triangle]! : groupAt(object.geometry, firstCorner(triangles, triangle));

/** By the number of the triangle: the order in which three.js finds them. There are few, and they are nearly in order. */
function sortHits(list: MeshHit[], count: number): void {
  for (let i = 1; i < count; i++) {
    const hit = list[i]!;
    let k = i;
    for (; k > 0 && list[k - 1]!.triangle > hit.triangle; k--) list[k] = list[k - 1]!;
    list[k] = hit;
  }
}

/** The nearest of the hits that are within range. */
function addNearest(
  target: Target,
  raycaster: Raycaster,
  far: number,
  count: number,
  intersects: Intersection[],
): void {
  let best: MeshHit | null = null;
  for (let i = 0; i < count; i++) {
    const hit = hits[i]!;
    if ((best === null || hit.t < best.t) && isInRange(distanceOf(target, raycaster, hit.t), raycaster, far))
      best = hit;
  }
  if (best) addHit(target, raycaster, far, best, intersects);
}

const isInRange = (distance: number, { near }: Raycaster, far: number): boolean =>
  !(distance < near || distance > far);

/** The distance of the hit at a time of the local ray, as three.js measures it. Leaves the points behind. */
function distanceOf({ matrix }: Target, { ray }: Raycaster, t: number): number {
  localRay.at(t, localPoint);
  worldPoint.copy(localPoint).applyMatrix4(matrix);
  return ray.origin.distanceTo(worldPoint);
}

/** Adds a hit, if it is within range: the fields, and the arithmetic, of `checkGeometryIntersection` of three.js. */
function addHit(
  target: Target,
  raycaster: Raycaster,
  far: number,
  { t, triangle }: Found,
  intersects: Intersection[],
): void {
  const { object, triangles } = target;
  const distance = distanceOf(target, raycaster, t);
  if (!isInRange(distance, raycaster, far)) return;
  const { geometry } = object;
  const { uv, uv1, normal } = geometry.attributes as { uv?: Attribute; uv1?: Attribute; normal?: Attribute };
  const corner = firstCorner(triangles, triangle);
  const i = vertexAt(geometry, corner);
  const j = vertexAt(geometry, corner + 1);
  const k = vertexAt(geometry, corner + 2);
  object.getVertexPosition(i, a);
  object.getVertexPosition(j, b);
  object.getVertexPosition(k, c);
  const barycoord = new Vector3();
  Triangle.getBarycoord(localPoint, a, b, c, barycoord);
  const intersection = { distance, point: worldPoint.clone(), object } as Intersection;
  if (uv) intersection.uv = Triangle.getInterpolatedAttribute(uv, i, j, k, barycoord, new Vector2());
  if (uv1) intersection.uv1 = Triangle.getInterpolatedAttribute(uv1, i, j, k, barycoord, new Vector2());
  if (normal) {
    const interpolated = Triangle.getInterpolatedAttribute(normal, i, j, k, barycoord, new Vector3());
    if (interpolated.dot(localRay.direction) > 0) interpolated.multiplyScalar(-1);
    intersection.normal = interpolated;
  }
  const faceNormal = new Vector3();
  Triangle.getNormal(a, b, c, faceNormal);
  const materialIndex = Array.isArray(object.material)
    ? (geometry.groups[groupOf(target, triangles, triangle)]!.materialIndex ?? 0)
    : 0;
  intersection.face = { a: i, b: j, c: k, normal: faceNormal, materialIndex };
  intersection.barycoord = barycoord;
  intersection.faceIndex = Math.floor(corner / 3);
  intersects.push(intersection);
}

/** The time of the local ray for a distance in the world, a little late: `addHit` looks at the distance itself. */
function farthest({ elements: e }: Matrix4, far: number): number {
  const { x, y, z } = localRay.direction;
  scaled.set(
    e[0]! * x + e[4]! * y + e[8]! * z,
    e[1]! * x + e[5]! * y + e[9]! * z,
    e[2]! * x + e[6]! * y + e[10]! * z,
  );
  return (far / scaled.length()) * LATE;
}
/** Of a matrix and its inverse, together. */
const LATE = 1 + 1e-9;

/** Could the local ray meet the box around a mesh? Most do not: this is quicker than to begin a search. */
function meetsBox({ bounds: { min, max } }: Mesh): boolean {
  const { origin: o, direction: d } = localRay;
  let enter = 0;
  let leave = Infinity;
  const dx = d.x || TINY;
  const x0 = (min.x - o.x) / dx;
  const x1 = (max.x - o.x) / dx;
  enter = Math.max(enter, Math.min(x0, x1));
  leave = Math.min(leave, Math.max(x0, x1));
  const dy = d.y || TINY;
  const y0 = (min.y - o.y) / dy;
  const y1 = (max.y - o.y) / dy;
  enter = Math.max(enter, Math.min(y0, y1));
  leave = Math.min(leave, Math.max(y0, y1));
  const dz = d.z || TINY;
  const z0 = (min.z - o.z) / dz;
  const z1 = (max.z - o.z) / dz;
  enter = Math.max(enter, Math.min(z0, z1));
  leave = Math.min(leave, Math.max(z0, z1));
  return !(enter * (1 - SLACK) > leave * (1 + SLACK));
}
/** More than the rounding of the times, which are each off by some ulps of themselves. */
const SLACK = 1e-12;
/** In place of no direction along an axis: from within, the sides of the box are far away, and from outside, too. */
const TINY = 1e-300;

function copy(from: Vector3, to: { x: number; y: number; z: number }): void {
  to.x = from.x;
  to.y = from.y;
  to.z = from.z;
}
