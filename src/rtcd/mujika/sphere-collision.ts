/**
 * A skinned mesh against its surroundings, by trees of spheres, in the three variants of the paper, with its counts. Mujika,
 * Oyarzun, Arrieta and Carretero §§3 to 6.
 *
 * The paper asks about planes at the leaves. They are asked about here as soon as a search comes to the parts of one triangle, of
 * every sphere that moves: all that is below one that is beside the plane is left out, and so next to a wall most is.
 *
 * In production: `intersects` and `contacts`.
 */
import { mustBeOptions, mustHave } from '../../math/check.ts';
import { vec3 } from '../../math/types.ts';
import { distance, length } from '../../math/vec3.ts';
import { readTriangles, type Triangles, type TrianglesLike } from '../../mesh/triangles.ts';
import { closestPointTriangle } from '../../primitives/closest/triangle.ts';
import { trianglesOverlap } from '../../primitives/overlap/triangle-triangle.ts';
import { makeSphere } from '../../primitives/types.ts';
import { loadTriangle, makeCorners } from '../../trimesh/mesh.ts';
import { fitSphereMinimum } from '../../volumes/sphere-minimum.ts';
import { type DividedTreeOptions, dividedSphereTree } from './corner-tree.ts';
import type { Representatives } from './representatives.ts';
import type { SkinnedSpheres } from './skinned-spheres.ts';
import { type SphereTree, sizeOfSphereTree } from './sphere-tree.ts';

/** What a test costs, in additions and multiplications: the paper's figures. */
const SPHERE_SPHERE = 10;
const PLANE_SPHERE = 30;
const TRIANGLE_TRIANGLE = 96;

/** What a search has done. */
export class SphereCounters {
  sphereTests = 0;
  planeTests = 0;
  triangleTests = 0;
  /** Spheres that were moved. */
  refits = 0;

  get operations(): number {
    return (
      SPHERE_SPHERE * this.sphereTests +
      PLANE_SPHERE * this.planeTests +
      TRIANGLE_TRIANGLE * this.triangleTests
    );
  }

  clear(): void {
    this.sphereTests = 0;
    this.planeTests = 0;
    this.triangleTests = 0;
    this.refits = 0;
  }
}

/** What does not move. */
export class SphereSurroundings {
  readonly triangles: Triangles;
  readonly tree: SphereTree;
  readonly division: 'none' | 'quaternary' | 'corner';
  /** For each node the triangle that all leaves below it stand for, or -1 if they stand for several. */
  readonly owners: Int32Array;

  /** In the space of the skinned mesh. `options` are those of `dividedSphereTree`. */
  constructor(triangles: TrianglesLike, options: DividedTreeOptions) {
    this.triangles = readTriangles('SphereSurroundings: triangles', triangles);
    this.tree = dividedSphereTree(this.triangles, options);
    this.division = options.division ?? 'corner';
    this.owners = ownersOf(this.tree);
  }

  /** The bytes of the tree. */
  get size(): number {
    return sizeOfSphereTree(this.tree) + this.owners.byteLength;
  }
}

export interface SphereCollisionOptions {
  /**
   * Are the triangles themselves compared, after planes and spheres? If not, the corner trees report triangles whose smallest sphere
   * meets the other triangle: none is farther from it than the radius of that. Default: true.
   */
  readonly exact?: boolean;
  /** Which edges the triangles of the skinned mesh test, in the order of its slots. Default: each all of its own. */
  readonly representatives?: Representatives | undefined;
  /** Leaves out the triangles that test no edge, as the paper does: what goes through one of them is missed. Default: false. */
  readonly lossy?: boolean;
}

/**
 * Pairs of triangles that meet: the number of one of the skinned mesh, that of the other, pair after pair, each once, sorted.
 * With representatives, pairs that meet only along what others test are named by those.
 */
export function collideSpheres(
  skin: SkinnedSpheres,
  surroundings: SphereSurroundings,
  options: SphereCollisionOptions = {},
  counters: SphereCounters = new SphereCounters(),
): number[] {
  mustHave('collideSpheres', 'skin', skin, 'SkinnedSpheres', 'spheres');
  mustHave('collideSpheres', 'surroundings', surroundings, 'SphereSurroundings', 'tree');
  mustBeOptions('collideSpheres', 'options', options, 'exact representatives lossy');
  const { exact = true, representatives, lossy = false } = options;
  skin.begin();
  const before = skin.fitted;
  const { tree, division, triangles, owners } = surroundings;
  const byPlanes = division === 'corner';
  const { shape } = skin;
  const { state } = shape;
  const { mesh } = state;
  const found = new Set<number>();
  const radix = triangles.index.length / 3;
  // Two nodes, and whether the first is known to come to the plane of the triangle that the second is a part of.
  const stack = [0, 0, 0];
  while (stack.length > 0) {
    const known = stack.pop()!;
    const two = stack.pop()!;
    const one = stack.pop()!;
    const slot = skin.items[one]!;
    if (lossy && slot >= 0 && representatives && representatives.edges[slot] === 0) continue;
    const other = tree.items[two]!;
    if (slot >= 0 && other >= 0 && found.has(shape.skin.ids[slot]! * radix + other)) continue;
    skin.fit(one);
    counters.sphereTests++;
    if (!overlap(skin.spheres, 4 * one, tree.spheres, 4 * two)) continue;
    const owner = owners[two]!;
    if (byPlanes && owner >= 0 && known === 0) {
      loadOther(triangles, owner);
      counters.planeTests++;
      if (!nearPlane(skin.spheres, 4 * one)) continue;
    }
    if (slot >= 0 && other >= 0) {
      state.openSlot(slot);
      loadOther(triangles, other);
      loadTriangle(mesh, slot, own);
      if (byPlanes && !exact) {
        counters.planeTests++;
        if (!sphereMeets()) continue;
      } else {
        counters.triangleTests++;
        if (!meets(representatives ? representatives.edges[slot]! : 7, representatives !== undefined))
          continue;
      }
      found.add(shape.skin.ids[slot]! * radix + other);
      continue;
    }
    // The larger one is opened.
    const opensOne = other >= 0 || (slot < 0 && skin.spheres[4 * one + 3]! > tree.spheres[4 * two + 3]!);
    if (opensOne)
      for (let child = one + 1; child < skin.skip[one]!; child = skin.skip[child]!) stack.push(child, two, 0);
    else
      for (let child = two + 1; child < tree.skip[two]!; child = tree.skip[child]!)
        stack.push(one, child, owner >= 0 ? 1 : 0);
  }
  counters.refits += skin.fitted - before;
  return [...found].sort((a, b) => a - b).flatMap((key) => [Math.floor(key / radix), key % radix]);
}

/** By node, from the leaves up. */
function ownersOf({ skip, items }: SphereTree): Int32Array {
  const owners = Int32Array.from(items);
  for (let node = skip.length - 1; node >= 0; node--) {
    if (items[node]! >= 0) continue;
    owners[node] = owners[node + 1]!;
    for (let child = node + 1; child < skip[node]!; child = skip[child]!)
      if (owners[child] !== owners[node]) owners[node] = -1;
  }
  return owners;
}

const own = makeCorners();
const a = vec3();
const b = vec3();
const c = vec3();

function loadOther({ positions, index }: Triangles, t: number): void {
  [a, b, c].forEach((corner, k) => {
    const at = 3 * index[3 * t + k]!;
    corner.x = positions[at]!;
    corner.y = positions[at + 1]!;
    corner.z = positions[at + 2]!;
  });
}

function overlap(p: Float64Array, i: number, q: Float64Array, j: number): boolean {
  const x = p[i]! - q[j]!;
  const y = p[i + 1]! - q[j + 1]!;
  const z = p[i + 2]! - q[j + 2]!;
  const r = p[i + 3]! + q[j + 3]!;
  return x * x + y * y + z * z <= r * r;
}

/** Some roundings: a sphere that touches the plane is never taken for one that does not. */
const ROUNDING = 1e-14;

/** Does a sphere come to the plane of the triangle at hand? No division, no root of the normal's length. */
function nearPlane(p: Float64Array, i: number): boolean {
  const ux = b.x - a.x;
  const uy = b.y - a.y;
  const uz = b.z - a.z;
  const vx = c.x - a.x;
  const vy = c.y - a.y;
  const vz = c.z - a.z;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const x = p[i]! - a.x;
  const y = p[i + 1]! - a.y;
  const z = p[i + 2]! - a.z;
  const height = nx * x + ny * y + nz * z;
  const nn = nx * nx + ny * ny + nz * nz;
  const r = p[i + 3]!;
  const far = Math.abs(x) + Math.abs(y) + Math.abs(z) + r;
  const size = (Math.abs(ux) + Math.abs(uy) + Math.abs(uz)) * (Math.abs(vx) + Math.abs(vy) + Math.abs(vz));
  const least = Math.max(0, Math.abs(height) - ROUNDING * far * size);
  return least * least <= r * r * nn * (1 + ROUNDING);
}

/** Of the coordinates: what the smallest sphere is off by, and more. */
const FIT = 1e-12;
const around = makeSphere();
const points = new Float64Array(9);
const nearest = vec3();

/** Of the triangles at hand: does the smallest sphere around the first meet the second? Its middle is on the first. */
function sphereMeets(): boolean {
  const { a: p, b: q, c: r } = own;
  points.set([p.x, p.y, p.z, q.x, q.y, q.z, r.x, r.y, r.z]);
  const { center, radius } = fitSphereMinimum(points, around);
  closestPointTriangle(center, a, b, c, nearest);
  return distance(center, nearest) <= radius + FIT * (radius + length(center) + length(nearest));
}

/** Of the triangles at hand: does an edge of the one that it tests meet the other, or an edge of that the one? */
function meets(edges: number, divided: boolean): boolean {
  const { a: p, b: q, c: r } = own;
  if (!divided) return trianglesOverlap(p, q, r, a, b, c);
  return (
    trianglesOverlap(p, q, r, a, b, b) ||
    trianglesOverlap(p, q, r, b, c, c) ||
    trianglesOverlap(p, q, r, c, a, a) ||
    ((edges & 1) !== 0 && trianglesOverlap(p, q, q, a, b, c)) ||
    ((edges & 2) !== 0 && trianglesOverlap(q, r, r, a, b, c)) ||
    ((edges & 4) !== 0 && trianglesOverlap(r, p, p, a, b, c))
  );
}
