/**
 * Random polyhedra for the sweeps of src/continuous: convex and not, thin and long, open, single polygons and points; a
 * few dozen triangles at most, so that every pair of them can be looked at.
 */
import type { Vec3 } from '../../src/math/types.ts';
import { convexHull3 } from '../../src/polytope/index.ts';
import { boxMesh, icosphere, inverted, terrain, torus } from './meshes.ts';
import type { Rng } from './rng.ts';
import { lSolid, prism, schoenhardt } from './solids.ts';

export interface SweepBody {
  readonly kind: string;
  readonly positions: Float64Array;
  /** Triangles, counter-clockwise from outside; none for a point. */
  readonly index: Uint32Array;
  /** Given as polygons rather than triangles: what `index` is the fans of. */
  readonly polygons: readonly (readonly number[])[] | null;
  /** A solid, not a sheet. */
  readonly closed: boolean;
  readonly convex: boolean;
  /** A solid that is everything but what its surface surrounds. */
  readonly hollow: boolean;
  /** Its largest extent along an axis. */
  readonly size: number;
  /** A sheet that is touched from the front of its triangles only. */
  readonly oneSided?: boolean;
}

interface Raw {
  positions: ArrayLike<number>;
  index: ArrayLike<number>;
  polygons?: readonly (readonly number[])[];
}

function body(kind: string, raw: Raw, closed: boolean, convex: boolean): SweepBody {
  const positions = Float64Array.from(raw.positions);
  return {
    kind,
    positions,
    index: Uint32Array.from(raw.index),
    polygons: raw.polygons ?? null,
    closed,
    convex,
    hollow: false,
    size: extent(positions),
  };
}

function extent(positions: Float64Array): number {
  let size = 0;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = axis; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]!);
      high = Math.max(high, positions[i]!);
    }
    size = Math.max(size, high - low);
  }
  return size;
}

/** Triangles from polygons, each cut from its first corner. */
export function fans(polygons: readonly (readonly number[])[]): number[] {
  const index: number[] = [];
  for (const p of polygons) for (let k = 2; k < p.length; k++) index.push(p[0]!, p[k - 1]!, p[k]!);
  return index;
}

const BOX_QUADS = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
] as const;

function boxBody(rng: Rng, x: number, y: number, z: number, kind = 'box'): SweepBody {
  const raw = boxMesh({ x: -x, y: -y, z: -z }, { x, y, z });
  return rng.chance(0.5)
    ? body(kind, { ...raw, polygons: BOX_QUADS, index: fans(BOX_QUADS) }, true, true)
    : body(kind, raw, true, true);
}

function hullBody(rng: Rng): SweepBody {
  for (;;) {
    const points: Vec3[] = [];
    const n = rng.int(4, 14);
    const round = rng.chance(0.5);
    for (let i = 0; i < n; i++) points.push(round ? rng.direction() : rng.vec());
    const { faces } = convexHull3(points);
    if (faces.length < 4) continue;
    const used = new Map<number, number>();
    const number = (i: number): number => {
      const known = used.get(i);
      if (known !== undefined) return known;
      used.set(i, used.size);
      return used.size - 1;
    };
    const polygons = faces.map((face) => face.map(number));
    const positions = [...used.keys()].flatMap((i) => [points[i]!.x, points[i]!.y, points[i]!.z]);
    return body('hull', { positions, index: fans(polygons), polygons }, true, true);
  }
}

/** A regular prism or pyramid frustum of 3 to 8 sides. */
function prismBody(rng: Rng): SweepBody {
  const n = rng.int(3, 8);
  const turn = rng.chance(0.5) ? 0 : rng.range(0, 1);
  const ring = Array.from({ length: n }, (_, k): [number, number] => {
    const a = turn + (2 * Math.PI * k) / n;
    return [Math.cos(a), Math.sin(a)];
  });
  return body('prism', prism(ring, rng.pick([0.1, 1, 3])), true, true);
}

/** A star: a prism over a zigzag ring, cut from its middle. */
function starBody(rng: Rng): SweepBody {
  const n = 2 * rng.int(3, 5);
  const deep = rng.pick([0.2, 0.5, 0.8]);
  const height = rng.pick([0.2, 1]);
  const positions: number[] = [0, 0, 0, 0, 0, height];
  const index: number[] = [];
  for (let k = 0; k < n; k++) {
    const a = (2 * Math.PI * k) / n;
    const r = k & 1 ? deep : 1;
    positions.push(r * Math.cos(a), r * Math.sin(a), 0, r * Math.cos(a), r * Math.sin(a), height);
    const [p, s] = [2 + 2 * k, 2 + 2 * ((k + 1) % n)];
    index.push(0, s, p, 1, p + 1, s + 1, p, s, s + 1, p, s + 1, p + 1);
  }
  return body('star', { positions, index }, true, false);
}

/** Cells of a lattice glued into one solid with shared corners: dents, steps, tunnels; edges where only corners meet. */
function voxelBody(rng: Rng): SweepBody {
  const cells = new Set<string>();
  const at: [number, number, number] = [0, 0, 0];
  const count = rng.int(2, 4);
  for (let i = 0; i < count; ) {
    const key = at.join(' ');
    if (!cells.has(key)) i++;
    cells.add(key);
    at[rng.int(0, 2)]! += rng.sign();
  }
  const positions: number[] = [];
  const numbers = new Map<string, number>();
  const polygons: number[][] = [];
  const sides = [
    [-1, 0, 0],
    [1, 0, 0],
    [0, -1, 0],
    [0, 1, 0],
    [0, 0, -1],
    [0, 0, 1],
  ];
  for (const cell of cells) {
    const c = cell.split(' ').map(Number);
    sides.forEach((side, s) => {
      if (cells.has(c.map((x, k) => x + side[k]!).join(' '))) return;
      polygons.push(
        BOX_QUADS[s]!.map((corner) => {
          const p = c.map((x, k) => x + ((corner >> k) & 1));
          const key = p.join(' ');
          if (!numbers.has(key)) {
            numbers.set(key, positions.length / 3);
            positions.push(...p);
          }
          return numbers.get(key)!;
        }),
      );
    });
  }
  const raw = { positions, index: fans(polygons) };
  return body('voxels', rng.chance(0.5) ? { ...raw, polygons } : raw, true, false);
}

/** A solid with some of its triangles gone. */
function brokenBody(rng: Rng): SweepBody {
  const whole = rng.pick([() => boxMesh(), () => icosphere(0), () => torus(4, 3), () => lSolid()])();
  const index: number[] = [];
  for (let i = 0; i < whole.index.length; i += 3)
    if (rng.chance(0.7)) index.push(whole.index[i]!, whole.index[i + 1]!, whole.index[i + 2]!);
  if (index.length === 0) index.push(whole.index[0]!, whole.index[1]!, whole.index[2]!);
  if (index.length === whole.index.length) index.length -= 3;
  return body('broken', { positions: whole.positions, index }, false, false);
}

function polygonBody(rng: Rng): SweepBody {
  const n = rng.int(3, 7);
  const positions: number[] = [];
  const flatten = rng.pick([1, 1, 0.1, 1e-3]);
  for (let k = 0; k < n; k++) {
    const a = (2 * Math.PI * k) / n;
    positions.push(Math.cos(a), flatten * Math.sin(a), 0);
  }
  const polygons = [Array.from({ length: n }, (_, k) => k)];
  return body('polygon', { positions, index: fans(polygons), polygons }, false, true);
}

const pointBody = (): SweepBody => body('point', { positions: [0, 0, 0], index: [] }, false, true);

/** One of about size 1, before it is stretched and turned. */
function plainBody(rng: Rng): SweepBody {
  switch (rng.int(0, 15)) {
    case 0:
    case 1:
      return boxBody(rng, 1, 1, 1);
    case 2:
      return boxBody(rng, rng.range(0.1, 1), rng.range(0.1, 1), rng.range(0.1, 1));
    case 3: {
      const thin = 10 ** -rng.range(1, 4);
      return boxBody(rng, 1, thin, thin, 'needle');
    }
    case 4: {
      const thin = 10 ** -rng.range(1, 4);
      return boxBody(rng, 1, 1, thin, 'plate');
    }
    case 5:
    case 6:
      return hullBody(rng);
    case 7:
      return prismBody(rng);
    case 8:
      return body('ell', lSolid(), true, false);
    case 9:
      return starBody(rng);
    case 10:
      return rng.chance(0.5)
        ? body('torus', torus(5, 3), true, false)
        : body('schoenhardt', schoenhardt(), true, false);
    case 11:
      return voxelBody(rng);
    case 12:
      return brokenBody(rng);
    case 13:
      return body('terrain', terrain(rng, rng.int(1, 4), rng.pick([0, 0.3, 1])), false, false);
    case 14:
      return polygonBody(rng);
    default:
      return rng.chance(0.5) ? pointBody() : body('ball', icosphere(0), true, true);
  }
}

/** Times `factor`, along each axis. */
function stretched(b: SweepBody, fx: number, fy: number, fz: number): SweepBody {
  const f = [fx, fy, fz];
  const positions = b.positions.map((x, i) => x * f[i % 3]!);
  return { ...b, positions, size: extent(positions) };
}

/** A random polyhedron of about `size`, centred about its origin or not. */
export function randomBody(rng: Rng, size: number): SweepBody {
  let b = plainBody(rng);
  if (rng.chance(0.1)) b = stretched(b, 1, rng.range(0.2, 2), rng.range(0.2, 2));
  return stretched(b, size, size, size);
}

/** A hollow in solid rock, seen from inside: a solid turned inside out. */
export function roomBody(rng: Rng, size: number): SweepBody {
  const b = rng.chance(0.5)
    ? boxBody(rng, 1, 1, 1)
    : rng.chance(0.5)
      ? body('ell', lSolid(), true, false)
      : hullBody(rng);
  const { positions, index } = inverted(b);
  return stretched(
    { ...b, positions, index, kind: `room ${b.kind}`, polygons: null, hollow: true, convex: false },
    size,
    size,
    size,
  );
}

/** A box about the origin, or the inside of one. */
export function boxOf(x: number, y: number, z: number, hollow: boolean): SweepBody {
  const raw = boxMesh({ x: -x, y: -y, z: -z }, { x, y, z });
  return { ...body('box', hollow ? inverted(raw) : raw, true, !hollow), hollow };
}

/** One whose coordinates are small multiples of `unit`, which is a power of two: it can touch exactly. */
export function latticeBody(rng: Rng, unit: number): SweepBody {
  const way = rng.int(0, 9);
  let b: SweepBody;
  if (way < 4) b = boxBody(rng, rng.int(1, 3), rng.int(1, 3), rng.int(1, 3));
  else if (way < 6) b = voxelBody(rng);
  else if (way < 7) b = body('ell', lSolid(), true, false);
  else if (way < 8) b = body('terrain', terrain(rng, rng.int(1, 3), 0), false, false);
  else if (way < 9) b = pointBody();
  else {
    // A tetrahedron at the corner of a cube: slanted faces, exact corners.
    const positions = [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2];
    b = body('tetrahedron', { positions, index: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] }, true, true);
  }
  b = stretched(b, unit, unit, unit);
  // Turned by exchanging the axes, which rounds nothing.
  const turns = rng.int(0, 2);
  if (turns === 0) return b;
  const positions = b.positions.map((_, i) => b.positions[i - (i % 3) + (((i % 3) + turns) % 3)]!);
  return { ...b, positions };
}

/** A sheet that is touched from the front only: a square, a polygon, some ground, a solid with holes. */
export function oneSidedBody(rng: Rng, size: number): SweepBody {
  const square = { positions: [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], index: [0, 1, 2, 0, 2, 3] };
  const b = rng.pick([
    () => body('square', square, false, true),
    () => polygonBody(rng),
    () => body('terrain', terrain(rng, rng.int(1, 4), rng.pick([0, 0.3, 1])), false, false),
    () => brokenBody(rng),
  ])();
  return { ...stretched(b, size, size, size), kind: `one-sided ${b.kind}`, oneSided: true };
}

/** One with many features: more than 32 vertices, edges and polygons, or with polygons of more than 32 corners. */
export function largeBody(rng: Rng, size: number): SweepBody {
  const n = rng.int(36, 70);
  const ring = Array.from({ length: n }, (_, k): [number, number] => {
    const angle = (2 * Math.PI * k) / n;
    return [Math.cos(angle), Math.sin(angle)];
  });
  // The coin of two polygons and a rim, corner k of the lower one at 2 k.
  const coin = ring.flatMap(([x, y]) => [x, y, -0.1, x, y, 0.1]);
  const around = ring.map((_, k) => [2 * k, 2 * ((k + 1) % n), 2 * ((k + 1) % n) + 1, 2 * k + 1]);
  const bottom = ring.map((_, k) => 2 * (n - 1 - k));
  const polygons = [bottom, ring.map((_, k) => 2 * k + 1), ...around];
  const b = rng.pick([
    () => body('large ball', icosphere(2), true, true),
    () => body('large torus', torus(14, 8), true, false),
    () => body('large ground', terrain(rng, 9, 0.3), false, false),
    () => body('coin', { positions: coin, index: fans(polygons), polygons }, true, true),
    () => body('disc', { positions: coin, index: fans([bottom]), polygons: [bottom] }, false, true),
  ])();
  return stretched(b, size, size, size);
}
