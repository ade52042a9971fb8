/**
 * A skinned mesh against its surroundings, by trees of spheres, in the three variants of the paper, with its counts. Mujika,
 * Oyarzun, Arrieta and Carretero §§3 to 6.
 *
 * In production: `intersects` and `contacts`.
 */
import { mustBeOptions, mustHave } from '../../math/check.ts';
import { vec3 } from '../../math/types.ts';
import { readTriangles, type Triangles, type TrianglesLike } from '../../mesh/triangles.ts';
import { trianglesOverlap } from '../../primitives/overlap/triangle-triangle.ts';
import { loadTriangle, makeCorners } from '../../trimesh/mesh.ts';
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

  /** In the space of the skinned mesh. `options` are those of `dividedSphereTree`. */
  constructor(triangles: TrianglesLike, options: DividedTreeOptions) {
    this.triangles = readTriangles('SphereSurroundings: triangles', triangles);
    this.tree = dividedSphereTree(this.triangles, options);
    this.division = options.division ?? 'corner';
  }

  /** The bytes of the tree. */
  get size(): number {
    return sizeOfSphereTree(this.tree);
  }
}

export interface SphereCollisionOptions {
  /**
   * Are the triangles themselves compared, after planes and spheres? If not, the corner trees report what is within the radius of
   * the small triangle of the plane of a large one. Default: true.
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
  const { tree, division, triangles } = surroundings;
  const { shape } = skin;
  const { state } = shape;
  const { mesh } = state;
  const found = new Set<number>();
  const radix = triangles.index.length / 3;
  const stack = [0, 0];
  while (stack.length > 0) {
    const two = stack.pop()!;
    const one = stack.pop()!;
    const slot = skin.items[one]!;
    if (lossy && slot >= 0 && representatives && representatives.edges[slot] === 0) continue;
    skin.fit(one);
    counters.sphereTests++;
    if (!overlap(skin.spheres, 4 * one, tree.spheres, 4 * two)) continue;
    const other = tree.items[two]!;
    if (slot >= 0 && other >= 0) {
      const key = shape.skin.ids[slot]! * radix + other;
      if (found.has(key)) continue;
      loadOther(triangles, other);
      if (division === 'corner') {
        counters.planeTests++;
        if (!nearPlane(skin.spheres, 4 * one)) continue;
      }
      if (exact || division !== 'corner') {
        counters.triangleTests++;
        state.openSlot(slot);
        loadTriangle(mesh, slot, own);
        if (!meets(representatives ? representatives.edges[slot]! : 7, representatives !== undefined))
          continue;
      }
      found.add(key);
      continue;
    }
    // The larger one is opened.
    const opensOne = other >= 0 || (slot < 0 && skin.spheres[4 * one + 3]! > tree.spheres[4 * two + 3]!);
    if (opensOne)
      for (let child = one + 1; child < skin.skip[one]!; child = skin.skip[child]!) stack.push(child, two);
    else for (let child = two + 1; child < tree.skip[two]!; child = tree.skip[child]!) stack.push(one, child);
  }
  counters.refits += skin.fitted - before;
  return [...found].sort((a, b) => a - b).flatMap((key) => [Math.floor(key / radix), key % radix]);
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
