/** The level of three.js's first-person example, and an oracle for whoever walks in it: it looks at every triangle. */
import { Triangle, Vector3 } from 'three';
import { Octree } from 'three/addons/math/Octree.js';
import { type Keys, SHAPE } from '../../playground/src/physics/games-fps.ts';
import type { ReadonlyVec3 } from '../../src/math/types.ts';
import { boxesOf, type Triangle as Corners, isFree, type Level } from './characters.ts';

export const octreeOf = ({ triangles }: Level): Octree => {
  const octree = new Octree();
  for (const [a, b, c] of triangles)
    octree.addTriangle(new Triangle(new Vector3(...a), new Vector3(...b), new Vector3(...c)));
  return octree.build();
};

type V = readonly [number, number, number];
const sub = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: V, b: V): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: V, b: V): V => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const list = ({ x, y, z }: ReadonlyVec3): V => [x, y, z];

/** The triangle that the way of a centre leads through, or -1: it looks at all of them. */
export function crossed(level: Level, from: ReadonlyVec3, to: ReadonlyVec3): number {
  const [x, y, z] = [Math.min(from.x, to.x), Math.min(from.y, to.y), Math.min(from.z, to.z)];
  const [X, Y, Z] = [Math.max(from.x, to.x), Math.max(from.y, to.y), Math.max(from.z, to.z)];
  const boxes = boxesOf(level);
  for (let i = 0, k = 0; i < level.triangles.length; i++, k += 6)
    if (
      x <= boxes[k + 3]! &&
      y <= boxes[k + 4]! &&
      z <= boxes[k + 5]! &&
      X >= boxes[k]! &&
      Y >= boxes[k + 1]! &&
      Z >= boxes[k + 2]! &&
      crosses(list(from), list(to), level.triangles[i]!)
    )
      return i;
  return -1;
}

function crosses(a: V, b: V, [p, q, r]: Corners): boolean {
  const n = cross(sub(q, p), sub(r, p));
  const [ha, hb] = [dot(n, sub(a, p)), dot(n, sub(b, p))];
  if (ha * hb > 0 || ha === hb) return false;
  const t = ha / (ha - hb);
  const m: V = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];
  return (
    dot(n, cross(sub(q, p), sub(m, p))) >= 0 &&
    dot(n, cross(sub(r, q), sub(m, q))) >= 0 &&
    dot(n, cross(sub(p, r), sub(m, r))) >= 0
  );
}

/** Is the straight way of the capsule, larger by `more`, free? It looks at places no farther apart than 0.02. */
export function isWayFree(level: Level, from: ReadonlyVec3, way: ReadonlyVec3, more: number): boolean {
  const count = Math.max(1, Math.ceil(Math.hypot(way.x, way.y, way.z) / 0.02));
  for (let i = 0; i <= count; i++) {
    const s = i / count;
    const at = { x: from.x + s * way.x, y: from.y + s * way.y, z: from.z + s * way.z };
    if (!isFree(level, SHAPE, at, more)) return false;
  }
  return true;
}

/**
 * The headings that lead on from where someone stands who holds a key: up by a hand, 0.15 ahead within 80° of the key, and free all
 * along, of the capsule larger by `more`. Empty where something really holds him.
 */
export function openHeadings(level: Level, at: ReadonlyVec3, keys: Keys, more: number): number[] {
  const lift = 0.05;
  const raised = { x: at.x, y: at.y + lift, z: at.z };
  if (!isWayFree(level, raised, { x: 0, y: 0, z: 0 }, more)) return [];
  const open: number[] = [];
  for (let i = -8; i <= 8; i++) {
    const [c, s] = [Math.cos((i * Math.PI) / 18), Math.sin((i * Math.PI) / 18)];
    const way = { x: 0.15 * (keys.x * c - keys.z * s), y: 0, z: 0.15 * (keys.x * s + keys.z * c) };
    if (isWayFree(level, raised, way, more)) open.push(10 * i);
  }
  return open;
}
