/** Meshes, rays and points of every kind for the GPU: what single precision finds hard above all. */
import { buildMesh, type Mesh } from '../../../src/trimesh/index.ts';
import { boxMesh, icosphere, moved, soup, terrain, together, torus } from '../../kit/meshes.ts';
import { Rng } from '../../kit/rng.ts';

/** Meshes that are made here; `bunny` and `dragon` are served. */
export function madeMesh(name: string, seed: number): Mesh {
  const rng = new Rng(seed);
  const arrays = {
    knot: () => torus(300, 60, 1, 0.3),
    box: () => boxMesh(),
    soup: () => soup(rng, 3000),
    flat: () => {
      const { positions, index } = terrain(rng, 40);
      return { positions: positions.map((x, i) => (i % 3 === 2 ? 0 : x)), index };
    },
    needles: () => {
      const { positions, index } = soup(rng, 2000);
      return { positions: positions.map((x, i) => (i % 3 === 0 ? 1e-4 * x : x)), index };
    },
    far: () => moved(icosphere(4), 1, { x: 1e6, y: -3e5, z: 2e6 }),
    tiny: () => moved(icosphere(4), 1e-12, { x: 1e-9, y: 0, z: 0 }),
    huge: () => moved(icosphere(4), 1e25, { x: 0, y: 0, z: 0 }),
    out: () => moved(icosphere(2), 1e-29, { x: 0, y: 0, z: 0 }),
    point: () => ({ positions: new Float64Array(9).fill(0.3), index: Uint32Array.of(0, 1, 2) }),
    triangle: () => ({
      positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
      index: Uint32Array.of(0, 1, 2),
    }),
    nested: () => together(icosphere(3), moved(icosphere(3), 1 + 1e-9, { x: 0, y: 0, z: 0 }), icosphere(3)),
  }[name]!();
  return buildMesh(arrays.positions, arrays.index);
}

export const MADE = 'knot box soup flat needles far tiny huge out point triangle nested'.split(' ');

interface Place {
  readonly min: readonly number[];
  readonly size: number;
  readonly vertices: ArrayLike<number>;
  readonly corners: ArrayLike<number>;
}

function placeOf({ bounds: { min, max }, vertices, corners }: Mesh): Place {
  const size = Math.max(max.x - min.x, max.y - min.y, max.z - min.z) || 1;
  return { min: [min.x, min.y, min.z], size, vertices, corners };
}

/** A point of the mesh: a corner, on an edge, or on the inside of a triangle. */
function onMesh(rng: Rng, { vertices, corners }: Place): number[] {
  const first = 3 * rng.int(0, corners.length / 3 - 1);
  const sort = rng.int(0, 2);
  const v = sort === 0 ? 0 : rng.unit();
  const w = sort === 2 ? rng.unit() * (1 - v) : 0;
  const at = (k: number, axis: number): number => vertices[3 * corners[first + k]! + axis]!;
  return [0, 1, 2].map((axis) =>
    sort === 0
      ? at(0, axis)
      : at(0, axis) + v * (at(1, axis) - at(0, axis)) + w * (at(2, axis) - at(0, axis)),
  );
}

function around(rng: Rng, { min, size }: Place, reach: number): number[] {
  return min.map((x) => x + size * (0.5 + reach * rng.range(-1, 1)));
}

function somewhere(rng: Rng, place: Place): number[] {
  return rng.chance(0.3) ? onMesh(rng, place) : around(rng, place, rng.pick([0.5, 0.7, 2, 2, 2, 50]));
}

/** Rays: two lists. */
export function raysAt(
  mesh: Mesh,
  count: number,
  seed: number,
): { origins: Float64Array; directions: Float64Array } {
  const rng = new Rng(seed);
  const place = placeOf(mesh);
  const origins = new Float64Array(3 * count);
  const directions = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    let origin = somewhere(rng, place);
    const target = somewhere(rng, place);
    if (rng.chance(0.02)) origin = around(rng, place, rng.pick([1e3, 1e5, 1e9, 1e20]));
    const direction = target.map((x, axis) => x - origin[axis]!);
    const sort = rng.int(0, 24);
    const axis = rng.int(0, 2);
    if (sort < 4) {
      // Along an axis, through a point of the mesh perhaps.
      for (let k = 0; k < 3; k++) {
        if (k === axis) continue;
        origin[k] = target[k]!;
        direction[k] = rng.chance(0.2) ? -0 : 0;
      }
      if (rng.chance(0.1)) direction[(axis + 1) % 3] = rng.pick([1e-9, -1e-7, 1e-300]) * place.size;
    } else if (sort < 6) {
      direction[axis] = 0; // in a plane across an axis
      origin[axis] = target[axis]!;
    } else if (sort < 8) {
      // Along an edge, from before it or from within.
      const { corners, vertices } = place;
      const first = 3 * rng.int(0, corners.length / 3 - 1);
      const before = rng.pick([0, 0.5, -1, -3]);
      for (let k = 0; k < 3; k++) {
        const a = vertices[3 * corners[first]! + k]!;
        direction[k] = vertices[3 * corners[first + 1]! + k]! - a;
        origin[k] = a + before * direction[k]!;
      }
    } else if (sort === 8) for (let k = 0; k < 3; k++) direction[k]! *= rng.pick([1e-20, 1e20, 1e-40, 1e40]);
    else if (sort === 9 && rng.chance(0.3)) direction.fill(0);
    else if (sort === 10) direction[axis]! *= rng.pick([1e-5, 1e-7, 1e-12]);
    else if (sort === 11) for (let k = 0; k < 3; k++) direction[k]! *= -1;
    for (let k = 0; k < 3; k++) {
      // Coordinates are kept within what the library takes.
      origins[3 * i + k] = origin[k]!;
      directions[3 * i + k] = Math.max(-1e74, Math.min(1e74, direction[k]!));
    }
  }
  return { origins, directions };
}

/** Rays as a program casts them: from around the mesh to somewhere in its box. */
export function plainRays(
  mesh: Mesh,
  count: number,
  seed: number,
): { origins: Float64Array; directions: Float64Array } {
  const rng = new Rng(seed);
  const place = placeOf(mesh);
  const origins = new Float64Array(3 * count);
  const directions = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const origin = around(rng, place, 1.5);
    origins.set(origin, 3 * i);
    directions.set(
      around(rng, place, 0.5).map((x, axis) => x - origin[axis]!),
      3 * i,
    );
  }
  return { origins, directions };
}

/** Points as a program asks about them: around the mesh. */
export function plainPoints(mesh: Mesh, count: number, seed: number): Float64Array {
  const rng = new Rng(seed);
  const place = placeOf(mesh);
  const points = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) points.set(around(rng, place, 1), 3 * i);
  return points;
}

/** Points: one list. */
export function pointsAt(mesh: Mesh, count: number, seed: number): Float64Array {
  const rng = new Rng(seed);
  const place = placeOf(mesh);
  const points = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    let p = somewhere(rng, place);
    if (rng.chance(0.02)) p = around(rng, place, rng.pick([10, 1e3, 1e5, 1e9, 1e20]));
    else if (rng.chance(0.2)) p = p.map((x) => x + place.size * rng.range(-1e-3, 1e-3));
    points.set(p, 3 * i);
  }
  return points;
}

export const BOX_KINDS = [
  'crowd',
  'lattice',
  'sizes',
  'points',
  'far',
  'flat',
  'equal',
  'sorted',
  'huge',
] as const;
export type BoxKind = (typeof BOX_KINDS)[number];

/** Moving boxes of a kind: where they are at a frame. */
export function boxesAt(kind: BoxKind, count: number, frame: number): Float64Array {
  const rng = new Rng(11);
  const boxes = new Float64Array(6 * count);
  // Each meets about two others.
  const room = Math.cbrt(count) * 0.8;
  for (let i = 0; i < count; i++)
    for (let axis = 0; axis < 3; axis++) {
      const half =
        kind === 'sizes' ? 0.3 * 10 ** rng.range(-6, 0.3) : kind === 'points' ? 0 : rng.range(0.2, 0.5);
      let x = rng.range(0, room) + frame * rng.range(-0.05, 0.05);
      // Each on a lattice, with sides that touch exactly.
      if (kind === 'lattice' || kind === 'points') x = Math.round(x);
      if (kind === 'far') x += 1e9;
      if (kind === 'flat' && axis === 1) x = 0;
      if (kind === 'equal') x = i & 63;
      if (kind === 'sorted' && axis === 0) x = (i * room) / count;
      if (kind === 'huge') x *= 1e28;
      const reach =
        kind === 'lattice' ? 0.5 : kind === 'huge' ? half * 1e28 : kind === 'flat' && axis === 1 ? 0 : half;
      // One is around all, and so makes the grid as coarse as it gets.
      const wide = kind === 'sizes' && i === 0 ? 1e6 : 0;
      boxes[6 * i + axis] = x - reach - wide;
      boxes[6 * i + 3 + axis] = x + reach + wide;
    }
  return boxes;
}
