/** Levels of real games, read from `../shared/data/levels` where that exists. */
import { existsSync, readFileSync } from 'node:fs';
import { hull } from '../../src/shapes/index.ts';
import { mesh } from '../../src/shapes/mesh.ts';
import { addTo, type Level, makeLevel } from './characters.ts';

type V = readonly [number, number, number];

export const GAME_LEVELS = ['dungeon.obj', 'nav_test.obj', 'collision-world.glb', 'lqdm13.map'] as const;

/** Null, with a word about it, where the file is not there. */
export function gameLevel(file: string): Level | null {
  const url = new URL(`../../../shared/data/levels/${file}`, import.meta.url);
  if (!existsSync(url)) {
    console.log(`skipped ${file}: ../shared/data/levels is not there`);
    return null;
  }
  const level = makeLevel();
  const bytes = readFileSync(url);
  if (file.endsWith('.obj')) addObj(level, bytes.toString());
  else if (file.endsWith('.glb')) addGlb(level, bytes);
  else addMap(level, bytes.toString());
  return level;
}

function addObj(level: Level, text: string): void {
  const positions: number[] = [];
  const index: number[] = [];
  for (const line of text.split('\n')) {
    const [kind, ...rest] = line.trim().split(/\s+/);
    if (kind === 'v') positions.push(...rest.slice(0, 3).map(Number));
    const corners = kind === 'f' ? rest.map((r) => Number.parseInt(r, 10) - 1) : [];
    for (let k = 2; k < corners.length; k++) index.push(corners[0]!, corners[k - 1]!, corners[k]!);
  }
  addTo(level, mesh(positions, index));
}

interface Gltf {
  readonly nodes: readonly { mesh?: number; scale?: V; translation?: V }[];
  readonly meshes: readonly {
    readonly primitives: readonly { attributes: { POSITION: number }; indices: number }[];
  }[];
  readonly accessors: readonly { bufferView: number; count: number }[];
  readonly bufferViews: readonly { byteOffset?: number; byteLength: number }[];
}

/** One file with plain nodes, single-precision places and 16-bit indices: what the level at hand needs. */
function addGlb(level: Level, bytes: Buffer): void {
  const length = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.toString('utf8', 20, 20 + length)) as Gltf;
  const data = bytes.buffer.slice(bytes.byteOffset + 28 + length);
  const startOf = (accessor: number) =>
    json.bufferViews[json.accessors[accessor]!.bufferView]!.byteOffset ?? 0;
  for (const { mesh: m, scale = [1, 1, 1], translation = [0, 0, 0] } of json.nodes) {
    if (m === undefined) continue;
    for (const { attributes, indices } of json.meshes[m]!.primitives) {
      const { count } = json.accessors[attributes.POSITION]!;
      const floats = new Float32Array(data, startOf(attributes.POSITION), 3 * count);
      const positions = Array.from(floats, (p, i) => p * scale[i % 3]! + translation[i % 3]!);
      const index = new Uint16Array(data, startOf(indices), json.accessors[indices]!.count);
      addTo(level, mesh(positions, Array.from(index)));
    }
  }
}

const cross = (a: V, b: V): V => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: V, b: V): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const sub = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** Quake units in one of ours, in which a player is 1.75 high. */
const UNITS = 32;

/** Brushes: what lies behind all of their planes. Triggers block nobody. */
function addMap(level: Level, text: string): void {
  let planes: { n: V; d: number }[] = [];
  let isTrigger = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('{')) {
      planes = [];
      isTrigger = false;
    }
    if (line.startsWith('(')) {
      const [x0, y0, z0, x1, y1, z1, x2, y2, z2] = line.match(/-?[\d.]+/g)!.map(Number) as number[];
      const p: V = [x0!, y0!, z0!];
      const n = cross(sub([x2!, y2!, z2!], p), sub([x1!, y1!, z1!], p));
      const length = Math.sqrt(dot(n, n));
      const unit: V = [n[0] / length, n[1] / length, n[2] / length];
      planes.push({ n: unit, d: dot(unit, p) });
      if (/\) trigger /.test(line)) isTrigger = true;
    }
    if (!line.startsWith('}') || planes.length === 0) continue;
    // Theirs is z up; ours is y up.
    if (!isTrigger)
      addTo(
        level,
        hull(cornersOf(planes).map(([x, y, z]) => ({ x: x / UNITS, y: z / UNITS, z: -y / UNITS }))),
      );
    planes = [];
  }
}

/** Where three planes meet behind all others. */
function cornersOf(planes: readonly { n: V; d: number }[]): V[] {
  const found: V[] = [];
  for (let i = 0; i < planes.length; i++)
    for (let j = i + 1; j < planes.length; j++)
      for (let k = j + 1; k < planes.length; k++) {
        const [a, b, c] = [planes[i]!, planes[j]!, planes[k]!];
        const bc = cross(b.n, c.n);
        const ca = cross(c.n, a.n);
        const ab = cross(a.n, b.n);
        const det = dot(a.n, bc);
        if (Math.abs(det) < 1e-6) continue;
        const at = [0, 1, 2].map((m) => (a.d * bc[m]! + b.d * ca[m]! + c.d * ab[m]!) / det) as never as V;
        if (planes.every(({ n, d }) => dot(n, at) < d + 0.01)) found.push(at);
      }
  return found;
}
