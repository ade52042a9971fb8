/**
 * Large triangles in trees of spheres. The sphere of a triangle larger than all else around it holds most of what comes near to
 * it. So the triangle is divided into four, by the middles of its edges, and again, each part with a sphere of its own:
 *
 *        /\         all four, again and again: the quaternary tree, 4ⁿ⁻¹ spheres on level n
 *       /__\        only those with a side on an edge of the triangle: the corner tree, 12 (2ⁿ⁻² - 1) from level 3 on.
 *      /\  /\       What meets the sphere of an inner part is over the triangle: there the plane decides.
 *     /__\/__\
 *
 * Mujika, Oyarzun, Arrieta and Carretero §5. In production, the leaves of oriented boxes are flat (`trimesh/mesh-mesh`), which no
 * division betters.
 */
import {
  checkNumbers,
  LARGEST,
  mustBeLength,
  mustBeOneOf,
  mustBeOptions,
  mustBeWhole,
  refuse,
} from '../../math/check.ts';
import { readTriangles, type Triangles, type TrianglesLike } from '../../mesh/triangles.ts';
import {
  around,
  flattenSpheres,
  mustBeRatio,
  reduceNode,
  type SphereNode,
  type SphereTree,
  splitTriangles,
} from './sphere-tree.ts';

/** How large triangles are divided. */
export type Division = 'none' | 'quaternary' | 'corner';

export interface DividedTreeOptions {
  /** Default: 'corner'. */
  readonly division?: Division;
  /** Triangles with a longer edge are divided until none has one. */
  readonly longest: number;
  /** As of `quinlanSphereTree`. Default: 1. */
  readonly ratio?: number;
}

/** An edge is cut into so many parts at most: a triangle then has a million. */
const MOST_PARTS = 1024;

/** The tree over triangles whose large ones are divided: several leaves stand for one of those. */
export function dividedSphereTree(triangles: TrianglesLike, options: DividedTreeOptions): SphereTree {
  const soup = readTriangles('dividedSphereTree: triangles', triangles);
  mustBeOptions('dividedSphereTree', 'options', options, 'division longest ratio');
  const { division = 'corner', longest, ratio = 1 } = options;
  mustBeOneOf('dividedSphereTree', 'options.division', division, ['none', 'quaternary', 'corner']);
  mustBeLength('dividedSphereTree', 'options.longest', longest);
  mustBeRatio('dividedSphereTree', ratio, 'options.ratio');
  const all = Array.from({ length: soup.index.length / 3 }, (_, i) => i);
  if (division !== 'none' && all.some((t) => longestEdge(partOf(soup, t)) > MOST_PARTS * longest))
    refuse('dividedSphereTree', 'options.longest', `is less than a 1024th of an edge, got ${longest}`);
  const leaf = (from: Triangles, t: number): SphereNode =>
    divide(partOf(from, t), t, (part) => wants(part, division) && longestEdge(part) > longest);
  return flattenSpheres(reduceNode(splitTriangles(soup, all, leaf), ratio));
}

/** The tree inside of the sphere of one triangle, of so many levels. */
export function triangleSphereTree(
  corners: ArrayLike<number>,
  division: Division,
  levels: number,
): SphereTree {
  checkNumbers('triangleSphereTree', 'corners', corners, LARGEST);
  if (corners.length !== 9)
    refuse('triangleSphereTree', 'corners', `must hold nine numbers, got ${corners.length}`);
  mustBeOneOf('triangleSphereTree', 'division', division, ['none', 'quaternary', 'corner']);
  mustBeWhole('triangleSphereTree', 'levels', levels, 1, 16);
  const whole: Part = { corners: Float64Array.from(corners), outer: 7, level: 1 };
  return flattenSpheres(divide(whole, 0, (part) => wants(part, division) && part.level < levels));
}

/** A part of a triangle. The bits of `outer` say which of its sides ab, bc, ca are on an edge of the whole. */
interface Part {
  readonly corners: Float64Array;
  readonly outer: number;
  readonly level: number;
}

const partOf = ({ positions, index }: Triangles, t: number): Part => ({
  corners: Float64Array.from(
    { length: 9 },
    (_, k) => positions[3 * index[3 * t + Math.floor(k / 3)]! + (k % 3)]!,
  ),
  outer: 7,
  level: 1,
});

const wants = ({ outer }: Part, division: Division): boolean =>
  division === 'quaternary' || (division === 'corner' && outer !== 0);

function longestEdge({ corners: c }: Part): number {
  let most = 0;
  for (let k = 0; k < 3; k++) {
    const [a, b] = [3 * k, 3 * ((k + 1) % 3)];
    const [x, y, z] = [c[a]! - c[b]!, c[a + 1]! - c[b + 1]!, c[a + 2]! - c[b + 2]!];
    most = Math.max(most, Math.sqrt(x * x + y * y + z * z));
  }
  return most;
}

function divide(part: Part, item: number, isDivided: (part: Part) => boolean): SphereNode {
  if (!isDivided(part)) return around(part.corners, item, []);
  const node = around(part.corners, -1, []);
  node.children = quarters(part).map((quarter) => divide(quarter, item, isDivided));
  return node;
}

/** At the corners a, b, c, and in the middle, which has no side on an edge. */
function quarters({ corners, outer, level }: Part): Part[] {
  const [a, b, c] = [corners.slice(0, 3), corners.slice(3, 6), corners.slice(6, 9)];
  const middle = (p: Float64Array, q: Float64Array): Float64Array => p.map((x, k) => x / 2 + q[k]! / 2);
  const [ab, bc, ca] = [middle(a!, b!), middle(b!, c!), middle(c!, a!)];
  const make = (p: Float64Array, q: Float64Array, r: Float64Array, sides: number): Part => ({
    corners: Float64Array.of(...p, ...q, ...r),
    outer: sides,
    level: level + 1,
  });
  return [
    make(a!, ab, ca, outer & 5),
    make(ab, b!, bc, outer & 3),
    make(ca, bc, c!, outer & 6),
    make(ab, bc, ca, 0),
  ];
}
