/**
 * What a world knows, as lines to draw with any renderer: six numbers a segment, x, y, z of one end and of the other. The
 * position attribute of a `LineSegments` of three.js takes them as they are. RTCD §2.7.
 */

import type { DynamicTree } from '../broadphase/dynamic-tree.ts';
import { supportCore } from '../convex/core.ts';
import {
  checkAabb,
  checkPoint,
  checkRay,
  mustBeLength,
  mustBeList,
  mustBeWhole,
  mustHave,
} from '../math/check.ts';
import { transformPoint } from '../math/pose.ts';
import type { ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import { pose as makePose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';
import { type Body, normalizedPose, poseOf, shapeOf } from '../query/body.ts';
import type { Motion } from '../query/cast.ts';
import { mustBeBody } from '../query/check.ts';
import { sweptBoundsOf } from '../query/swept-bounds.ts';
import { isField, sizeOfBox } from '../shapes/fields/field.ts';
import type { CompoundShape, ConvexShape, FieldShape, HalfSpaceShape, SimpleShape } from '../shapes/shape.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { type LoggedQuery, mustBeLogged } from './query-log.ts';
import { isPoint } from './scene-query.ts';
import type { World, WorldRaycastOptions } from './world.ts';

/** The twelve edges of a box, added to `out`. */
export function linesAabb(box: ReadonlyAabb, out: number[] = []): number[] {
  checkAabb('linesAabb', 'box', box);
  const { min, max } = box;
  checkPoint('linesAabb', 'box.min', min);
  checkPoint('linesAabb', 'box.max', max);
  const x = [min.x, max.x];
  const y = [min.y, max.y];
  const z = [min.z, max.z];
  for (let i = 0; i < 4; i++) {
    const [u, v] = [i & 1, i >> 1];
    out.push(x[0]!, y[u]!, z[v]!, x[1]!, y[u]!, z[v]!);
    out.push(x[u]!, y[0]!, z[v]!, x[u]!, y[1]!, z[v]!);
    out.push(x[u]!, y[v]!, z[0]!, x[u]!, y[v]!, z[1]!);
  }
  return out;
}

/**
 * The outline of a body, added to `out`: edges where it has some, of every triangle of a mesh; three rings around what is
 * round; of a half-space, a cross in its plane next to the origin, and its normal.
 */
export function linesOfBody(body: Body, out: number[] = []): number[] {
  mustBeBody('linesOfBody', 'body', body);
  const shape = shapeOf(body);
  const at = normalizedPose(poseOf(body), makePose());
  if (shape.kind === 'halfSpace') halfSpaceLines(shape, at, out);
  else if (shape.kind === 'compound') compoundLines(shape, at, out);
  else simpleLines(shape.kind === 'skinned' ? shape.mesh : shape, [at], out);
  return out;
}

/** The outlines of all colliders of a world, where it knows them to be. */
export function linesOfWorld(world: World, out: number[] = []): number[] {
  mustHave('linesOfWorld', 'world', world, 'a World', 'ids');
  for (const id of world.ids()) linesOfBody(world.get(id), out);
  return out;
}

/** The boxes of a hierarchy, all or those of one level. */
export function linesOfTree(tree: DynamicTree, level = -1, out: number[] = []): number[] {
  mustHave('linesOfTree', 'tree', tree, 'a tree', 'visitNodes');
  mustBeWhole('linesOfTree', 'level', level, -Infinity, Infinity);
  tree.visitNodes((box, at) => {
    if (level < 0 || at === level) linesAabb(box, out);
  });
  return out;
}

/**
 * Queries of a world: rays, bodies with the boxes around their motions, outlines, points. Rays without end are of `length`.
 */
export function linesOfQueries(queries: readonly LoggedQuery[], length = 100, out: number[] = []): number[] {
  mustBeLength('linesOfQueries', 'length', length);
  mustBeList('linesOfQueries', 'queries', queries);
  for (const [i, logged] of queries.entries()) {
    mustBeLogged('linesOfQueries', `queries[${i}]`, logged);
    const { query, args } = logged;
    const [first, second] = args;
    if (query === 'raycast')
      rayLine(first as ReadonlyRay, (second as WorldRaycastOptions | undefined)?.maxDistance, length, out);
    else if (query === 'cast') castLines(first as Body, second as Motion, out);
    else if (isPoint(first as ReadonlyVec3 | Body)) pointLines(first as ReadonlyVec3, out);
    else linesOfBody(first as Body, out);
  }
  return out;
}

function segment(a: ReadonlyVec3, b: ReadonlyVec3, out: number[]): void {
  out.push(a.x, a.y, a.z, b.x, b.y, b.z);
}

function rayLine(ray: ReadonlyRay, tMax = Infinity, length: number, out: number[]): void {
  checkRay('linesOfQueries', 'ray', ray);
  const { origin, direction } = ray;
  const size = v3.length(direction);
  const t = Math.min(tMax, size > 0 ? length / size : 0);
  segment(origin, v3.addScaled(origin, direction, t, vec3()), out);
}

function castLines(body: Body, motion: Motion, out: number[]): void {
  linesOfBody(body, out);
  const box = sweptBoundsOf(body, motion);
  if (Number.isFinite(v3.length(box.min) + v3.length(box.max))) linesAabb(box, out);
}

/** Three strokes through a point. */
function pointLines(p: ReadonlyVec3, out: number[]): void {
  checkPoint('linesOfQueries', 'point', p);
  const { x, y, z } = p;
  const size = 0.05;
  out.push(x - size, y, z, x + size, y, z, x, y - size, z, x, y + size, z, x, y, z - size, x, y, z + size);
}

function compoundLines({ children }: CompoundShape, at: ReadonlyPose, out: number[]): void {
  for (const child of children) simpleLines(child.shape, [child.pose, at], out);
}

/** `poses`: of the shape in its body, if it is part of one, and of that in the world. */
function simpleLines(shape: SimpleShape, poses: readonly ReadonlyPose[], out: number[]): void {
  if (shape.kind === 'mesh') meshLines(shape, poses, out);
  else if (shape.kind === 'heightField') meshLines(shape.mesh, poses, out);
  else if (isField(shape)) fieldLines(shape, poses, out);
  else convexLines(shape, poses, out);
}

/** Where planes across the axes cut its surface, seven along each. */
function fieldLines({ bounds, bound }: FieldShape, poses: readonly ReadonlyPose[], out: number[]): void {
  const CELLS = 24;
  // A little beyond the box, which its surface may lie on.
  const padding = 0.02 * sizeOfBox(bounds);
  const low = [bounds.min.x - padding, bounds.min.y - padding, bounds.min.z - padding];
  const side = [
    bounds.max.x + padding - low[0]!,
    bounds.max.y + padding - low[1]!,
    bounds.max.z + padding - low[2]!,
  ];
  for (let axis = 0; axis < 3; axis++)
    for (let slice = 1; slice < 8; slice++) {
      const at = (i: number, j: number): ReadonlyVec3 => {
        const q = [0, 0, 0];
        q[axis] = low[axis]! + (side[axis]! * slice) / 8;
        q[(axis + 1) % 3] = low[(axis + 1) % 3]! + (side[(axis + 1) % 3]! * i) / CELLS;
        q[(axis + 2) % 3] = low[(axis + 2) % 3]! + (side[(axis + 2) % 3]! * j) / CELLS;
        return vec3(q[0], q[1], q[2]);
      };
      const values: number[][] = [];
      for (let i = 0; i <= CELLS; i++) {
        values.push([]);
        for (let j = 0; j <= CELLS; j++) values[i]!.push(bound(at(i, j)));
      }
      const cross = (i: number, j: number, k: number, l: number): ReadonlyVec3 => {
        const [a, b] = [values[i]![j]!, values[k]![l]!];
        return v3.lerp(at(i, j), at(k, l), a / (a - b));
      };
      for (let i = 0; i < CELLS; i++)
        for (let j = 0; j < CELLS; j++) {
          const corners = [
            [i, j],
            [i + 1, j],
            [i + 1, j + 1],
            [i, j + 1],
          ] as const;
          const ends: ReadonlyVec3[] = [];
          for (let k = 0; k < 4; k++) {
            const [a, b] = [corners[k]!, corners[(k + 1) % 4]!];
            if (values[a[0]]![a[1]]! <= 0 !== values[b[0]]![b[1]]! <= 0)
              ends.push(cross(a[0], a[1], b[0], b[1]));
          }
          for (let k = 0; k + 1 < ends.length; k += 2) {
            const [p, q] = [toWorld(ends[k]!, poses), toWorld(ends[k + 1]!, poses)];
            out.push(p.x, p.y, p.z, q.x, q.y, q.z);
          }
        }
    }
}

function toWorld(p: ReadonlyVec3, poses: readonly ReadonlyPose[]): ReadonlyVec3 {
  const q = vec3(p.x, p.y, p.z);
  for (const pose of poses) transformPoint(pose, q, q);
  return q;
}

function meshLines({ vertices, corners, ids }: Mesh, poses: readonly ReadonlyPose[], out: number[]): void {
  const corner = (k: number): ReadonlyVec3 => {
    const p = 3 * corners[k]!;
    return toWorld(vec3(vertices[p]!, vertices[p + 1]!, vertices[p + 2]!), poses);
  };
  for (let i = 0; i < ids.length; i++) {
    const [a, b, c] = [corner(3 * i), corner(3 * i + 1), corner(3 * i + 2)];
    segment(a, b, out);
    segment(b, c, out);
    segment(c, a, out);
  }
}

/** Edges of flat-sided cores, each once; rings of the points that lie farthest out around all others. */
function convexLines({ core, faces }: ConvexShape, poses: readonly ReadonlyPose[], out: number[]): void {
  if (faces !== null && core.radius === 0) {
    const done = new Set<number>();
    const { vertices } = faces;
    for (const face of faces.faces)
      for (const [i, from] of face.entries()) {
        const to = face[(i + 1) % face.length]!;
        const key = Math.min(from, to) * vertices.length + Math.max(from, to);
        if (done.has(key)) continue;
        done.add(key);
        segment(toWorld(vertices[from]!, poses), toWorld(vertices[to]!, poses), out);
      }
    return;
  }
  for (const [u, v] of AXES) {
    let last: ReadonlyVec3 | null = null;
    for (let i = 0; i <= RING.length; i++) {
      const [c, s] = RING[i % RING.length]!;
      const d = v3.addScaled(v3.scale(u, c), v, s);
      const p = vec3();
      supportCore(core, d, -1, p);
      const q = toWorld(v3.addScaled(p, d, core.radius), poses);
      if (last) segment(last, q, out);
      last = q;
    }
  }
}

const X = vec3(1, 0, 0);
const Y = vec3(0, 1, 0);
const Z = vec3(0, 0, 1);
const AXES: readonly (readonly [ReadonlyVec3, ReadonlyVec3])[] = [
  [X, Y],
  [Y, Z],
  [Z, X],
];

/** Directions around a circle, 15 degrees apart: from one rotated again and again. */
const RING = ((): readonly (readonly [number, number])[] => {
  const [c, s] = [0.9659258262890683, 0.25881904510252074];
  const ring: [number, number][] = [[1, 0]];
  while (ring.length < 24) {
    const [x, y] = ring[ring.length - 1]!;
    ring.push([c * x - s * y, s * x + c * y]);
  }
  return ring;
})();

function halfSpaceLines({ normal, d }: HalfSpaceShape, at: ReadonlyPose, out: number[]): void {
  const middle = v3.scale(normal, d);
  const side = v3.normalize(v3.cross(normal, Math.abs(normal.x) < 0.5 ? X : Y));
  const other = v3.cross(normal, side);
  const from = (along: ReadonlyVec3, by: number): ReadonlyVec3 =>
    toWorld(v3.addScaled(middle, along, by), [at]);
  segment(from(side, -5), from(side, 5), out);
  segment(from(other, -5), from(other, 5), out);
  segment(from(normal, 0), from(normal, 1), out);
}
