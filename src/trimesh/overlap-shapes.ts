/** The shapes that a mesh is searched for: how each is set up, and how it is tested against one triangle. */
import { checkAabb, checkObb, checkSphere, checkTube } from '../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import { nearestSegmentTriangle } from '../primitives/closest/segment-triangle.ts';
import { nearestOnTriangle } from '../primitives/closest/triangle.ts';
import { makeTrianglePoint } from '../primitives/closest/types.ts';
import { checkPolyhedron, checkTriangle } from '../primitives/input.ts';
import { triangleMeetsAabb } from '../primitives/overlap/triangle-box.ts';
import { trianglesOverlap } from '../primitives/overlap/triangle-triangle.ts';
import type { ReadonlyAabb, ReadonlyCapsule, ReadonlyObb, ReadonlySphere } from '../primitives/types.ts';
import { makeAabb, makeCapsule, makePointPair } from '../primitives/types.ts';
import type { Mesh } from './mesh.ts';
import { polyhedronMeetsTriangle, preparePolyhedron } from './overlap-polyhedron.ts';
import { addDirection, addEdge, addPoint, beginProbe, endProbe, setBall } from './probe.ts';

const BALL = 0;
const BOX = 1;
const OBB = 2;
const CAPSULE = 3;
const TRIANGLE = 4;
const POLYHEDRON = 5;
/** The kind of shape that was set last. */
let kind = BALL;

// The shape itself, in records of our own: kernels that see few kinds of objects stay fast.
const capsule = makeCapsule();
const aabb = makeAabb();
const obb = { center: vec3(), halfSize: vec3() };
/** The axes of the oriented box, one after the other. */
const axes = new Float64Array(9);
const u = vec3();
const v = vec3();
const w = vec3();
const direction = vec3();
const onTriangle = makeTrianglePoint();
const pair = makePointPair();
const SHARP = { radius: 0 };

function assign(from: ReadonlyVec3, to: Vec3): void {
  to.x = from.x;
  to.y = from.y;
  to.z = from.z;
}

/** @internal */
export function setSphere(caller: string, sphere: ReadonlySphere, mesh: Mesh): void {
  checkSphere(caller, 'sphere', sphere);
  kind = BALL;
  assign(sphere.center, capsule.a);
  capsule.radius = sphere.radius;
  beginProbe(mesh);
  addPoint(capsule.a);
  endProbe(capsule);
  setBall(capsule.a, capsule);
}

/** The directions to the corners of a cube: with the box, what holds round things well. */
function addDiagonals(): void {
  direction.x = 1;
  for (let i = 0; i < 4; i++) {
    direction.y = i & 1 ? 1 : -1;
    direction.z = i & 2 ? 1 : -1;
    addDirection(direction);
  }
}

/** @internal */
export function setAabb(caller: string, box: ReadonlyAabb, mesh: Mesh): void {
  checkAabb(caller, 'box', box);
  kind = BOX;
  assign(box.min, aabb.min);
  assign(box.max, aabb.max);
  beginProbe(mesh);
  addPoint(aabb.min);
  addPoint(aabb.max);
  endProbe(SHARP);
}

/** @internal */
export function setObb(caller: string, box: ReadonlyObb, mesh: Mesh): void {
  checkObb(caller, 'box', box);
  kind = OBB;
  const { center, halfSize } = obb;
  assign(box.center, center);
  assign(box.halfSize, halfSize);
  const e = axes;
  for (let i = 0; i < 9; i++) e[i] = box.rotation.elements[i]!;
  beginProbe(mesh);
  u.x = u.y = u.z = 0;
  for (let i = 0; i < 9; i += 3) {
    direction.x = e[i]!;
    direction.y = e[i + 1]!;
    direction.z = e[i + 2]!;
    addDirection(direction);
    addEdge(u, direction);
  }
  for (let i = 0; i < 8; i++) {
    const x = i & 1 ? halfSize.x : -halfSize.x;
    const y = i & 2 ? halfSize.y : -halfSize.y;
    const z = i & 4 ? halfSize.z : -halfSize.z;
    v.x = center.x + (e[0]! * x + e[3]! * y + e[6]! * z);
    v.y = center.y + (e[1]! * x + e[4]! * y + e[7]! * z);
    v.z = center.z + (e[2]! * x + e[5]! * y + e[8]! * z);
    addPoint(v);
  }
  endProbe(SHARP);
}

/** @internal */
export function setCapsule(caller: string, given: ReadonlyCapsule, mesh: Mesh): void {
  checkTube(caller, 'capsule', given);
  kind = CAPSULE;
  assign(given.a, capsule.a);
  assign(given.b, capsule.b);
  capsule.radius = given.radius;
  beginProbe(mesh);
  addDiagonals();
  addEdge(capsule.a, capsule.b);
  addPoint(capsule.a);
  addPoint(capsule.b);
  endProbe(capsule);
}

/** @internal */
export function setTriangle(
  caller: string,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  mesh: Mesh,
): void {
  checkTriangle(caller, a, b, c);
  kind = TRIANGLE;
  assign(a, u);
  assign(b, v);
  assign(c, w);
  beginProbe(mesh);
  const sx = v.x - u.x;
  const sy = v.y - u.y;
  const sz = v.z - u.z;
  const tx = w.x - u.x;
  const ty = w.y - u.y;
  const tz = w.z - u.z;
  direction.x = sy * tz - sz * ty;
  direction.y = sz * tx - sx * tz;
  direction.z = sx * ty - sy * tx;
  addDirection(direction);
  addEdge(u, v);
  addEdge(v, w);
  addEdge(w, u);
  addPoint(u);
  addPoint(v);
  addPoint(w);
  endProbe(SHARP);
}

/** With more faces than this a polyhedron is as good as round. */
const FEW_FACES = 20;

/** @internal */
export function setPolyhedron(caller: string, polyhedron: ReadonlyPolyhedron, mesh: Mesh): void {
  checkPolyhedron(caller, 'polyhedron', polyhedron);
  kind = POLYHEDRON;
  preparePolyhedron(caller, polyhedron);
  const { vertices, planes } = polyhedron;
  beginProbe(mesh);
  if (planes.length <= FEW_FACES) for (let i = 0; i < planes.length; i++) addDirection(planes[i]!.normal);
  else addDiagonals();
  for (let i = 0; i < vertices.length; i++) addPoint(vertices[i]!);
  endProbe(SHARP);
}

/** Does the shape that was set last share a point with the triangle? @internal */
export function meetsTriangle(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean {
  switch (kind) {
    case BALL:
      return isWithinRadius(nearestOnTriangle(capsule.a, a, b, c, onTriangle), capsule.a, a, b, c);
    case BOX:
      return triangleMeetsAabb(a, b, c, aabb);
    case OBB:
      return obbMeetsTriangle(a, b, c);
    case CAPSULE:
      return isWithinRadius(nearestSegmentTriangle(capsule.a, capsule.b, a, b, c, pair), capsule.b, a, b, c);
    case TRIANGLE:
      return trianglesOverlap(a, b, c, u, v, w);
    default:
      return polyhedronMeetsTriangle(a, b, c);
  }
}

/** `overlapTriangleObb`, with its tolerance, for a box that has been taken apart. */
function obbMeetsTriangle(a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3): boolean {
  const { x, y, z } = obb.halfSize;
  size.largest = Math.max(x, y, z);
  toBoxFrame(a, u);
  toBoxFrame(b, v);
  toBoxFrame(c, w);
  const slack = FRAME_ROUNDING * size.largest;
  const { min, max } = aabb;
  max.x = x + slack;
  max.y = y + slack;
  max.z = z + slack;
  min.x = -max.x;
  min.y = -max.y;
  min.z = -max.z;
  return triangleMeetsAabb(u, v, w, aabb);
}

const FRAME_ROUNDING = 7.105427357601002e-15; // 2^-47
const size = { largest: 0.5 };

function toBoxFrame(p: ReadonlyVec3, out: Vec3): void {
  const e = axes;
  const { center } = obb;
  const x = p.x - center.x;
  const y = p.y - center.y;
  const z = p.z - center.z;
  out.x = e[0]! * x + e[1]! * y + e[2]! * z;
  out.y = e[3]! * x + e[4]! * y + e[5]! * z;
  out.z = e[6]! * x + e[7]! * y + e[8]! * z;
  size.largest = Math.max(size.largest, Math.abs(out.x), Math.abs(out.y), Math.abs(out.z));
}

/** Closest points are off by a few roundings of the distances between all points that they come from. */
const ROUNDING = 3.552713678800501e-15; // 2^-48

/** Is the distance no more than the radius, or beyond it by no more than it may be off? */
function isWithinRadius(
  { distanceSq }: Readonly<{ distanceSq: number }>,
  end: ReadonlyVec3,
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
): boolean {
  const { radius } = capsule;
  if (distanceSq <= radius * radius) return true;
  const { x, y, z } = capsule.a;
  const reach =
    radius +
    Math.abs(end.x - x) +
    Math.abs(end.y - y) +
    Math.abs(end.z - z) +
    Math.max(
      Math.abs(a.x - x) + Math.abs(a.y - y) + Math.abs(a.z - z),
      Math.abs(b.x - x) + Math.abs(b.y - y) + Math.abs(b.z - z),
      Math.abs(c.x - x) + Math.abs(c.y - y) + Math.abs(c.z - z),
    );
  return Math.sqrt(distanceSq) <= radius + ROUNDING * reach;
}
