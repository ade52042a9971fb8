/** Levels of games, and the ways that are traced through them. */
import { existsSync, readFileSync } from 'node:fs';
import * as THREE from 'three';
import { Rng } from '../tests/kit/rng.ts';
import { voxels } from '../tests/kit/voxels.ts';
import type { Point } from './data.ts';
import type { BenchRay, MeshName, Triangles } from './meshes.ts';

/** `dungeon` of recastnavigation where the shared data is; `caves` are made here: half of 20³ cubes. */
export function levelOfThisRun(): Triangles | null {
  const name = process.argv[2] ?? 'caves';
  const arrays = name === 'caves' ? voxels(new Rng(20), 20, 0.55) : readObj(`${name}.obj`);
  if (!arrays) return null;
  const positions = Float32Array.from(arrays.positions);
  const box = new THREE.Box3().setFromArray(positions);
  const count = arrays.index.length / 3;
  const { x, y, z } = box.getCenter(new THREE.Vector3());
  return {
    name: name as MeshName,
    title: `${name}, ${count.toLocaleString('en')} triangles`,
    positions,
    index: Uint32Array.from(arrays.index),
    count,
    min: { x: box.min.x, y: box.min.y, z: box.min.z },
    max: { x: box.max.x, y: box.max.y, z: box.max.z },
    center: { x, y, z },
    size: box.min.distanceTo(box.max),
  };
}

function readObj(file: string): { positions: number[]; index: number[] } | null {
  const url = new URL(`../../shared/data/levels/${file}`, import.meta.url);
  if (!existsSync(url)) return null;
  const positions: number[] = [];
  const index: number[] = [];
  for (const line of readFileSync(url, 'utf8').split('\n')) {
    const [kind, ...rest] = line.trim().split(/\s+/);
    if (kind === 'v') positions.push(...rest.slice(0, 3).map(Number));
    const corners = kind === 'f' ? rest.map((r) => Number.parseInt(r, 10) - 1) : [];
    for (let k = 2; k < corners.length; k++) index.push(corners[0]!, corners[k - 1]!, corners[k]!);
  }
  return { positions, index };
}

/**
 * Bullets and lines of sight: from a hundredth of the level off some place of its surface, in any direction; one in ten
 * at a vertex, one in ten along an axis. Single precision, directions of length 1 as near as that goes.
 */
export function makeTraces({ positions, index, count, size }: Triangles, calls: number): BenchRay[] {
  const rng = new Rng(0x7ace);
  const f = Math.fround;
  const corner = (at: number): [number, number, number] => [
    positions[3 * at]!,
    positions[3 * at + 1]!,
    positions[3 * at + 2]!,
  ];
  /** Some place of the surface, and from there along the normal. */
  const place = (): Point => {
    const t = 3 * rng.int(0, count - 1);
    const [a, b, c] = [0, 1, 2].map((k) => new THREE.Vector3(...corner(index[t + k]!)));
    const [v, w] = [rng.unit() / 2, rng.unit() / 2];
    const normal = new THREE.Triangle(a, b, c).getNormal(new THREE.Vector3());
    return a!
      .multiplyScalar(1 - v - w)
      .addScaledVector(b!, v)
      .addScaledVector(c!, w)
      .addScaledVector(normal, size / 100);
  };
  return Array.from({ length: calls }, (_, i) => {
    const { x, y, z } = place();
    const origin = { x: f(x), y: f(y), z: f(z) };
    if (i % 10 === 0) {
      const axis = rng.pick(['x', 'y', 'z'] as const);
      return { origin, direction: { x: 0, y: 0, z: 0, [axis]: rng.sign() } };
    }
    const to = corner(index[rng.int(0, index.length - 1)]!);
    const d =
      i % 10 === 1 ? { x: to[0] - origin.x, y: to[1] - origin.y, z: to[2] - origin.z } : rng.direction();
    const length = Math.sqrt(d.x * d.x + d.y * d.y + d.z * d.z) || 1;
    return { origin, direction: { x: f(d.x / length), y: f(d.y / length), z: f(d.z / length) } };
  });
}
