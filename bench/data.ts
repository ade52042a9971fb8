/** The same random geometry in every contender's clothes. */
import * as THREE from 'three';
import { rng } from './harness.ts';

export type Tuple = [number, number, number];
export type Point = { x: number; y: number; z: number };

export const tuple = (p: Point): Tuple => [p.x, p.y, p.z];
export const vector = (p: Point): THREE.Vector3 => new THREE.Vector3(p.x, p.y, p.z);

/** `count` points, a few of them on a lattice: touching, parallel and coplanar cases occur. */
export function points(count: number): Point[] {
  return Array.from({ length: count }, () =>
    rng.chance(0.1) ? { x: rng.int(-1, 1), y: rng.int(-1, 1), z: rng.int(-1, 1) } : rng.vec(1),
  );
}

/** Fresh objects, so that no two contenders share one. */
export const plain = (p: Point): Point => ({ x: p.x, y: p.y, z: p.z });
