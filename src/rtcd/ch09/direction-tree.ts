/**
 * The vertex of a polyhedron that lies farthest along a direction, by a binary tree of questions "is i or j the farther
 * one?". RTCD §9.3.1, after Eberly 2004.
 *
 * For large static polyhedra and directions without coherence. Production climbs along edges: `shapes/climb-graph.ts`.
 */

import type { BigVec } from '../../math/big-integers.ts';
import { approximate, cross, dot, minus, signOf, toIntegers, unitOfPoints } from '../../math/big-integers.ts';
import { checkPoint, checkPoints, mustHave } from '../../math/check.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import type { ReadonlyVec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { convexHull3 } from '../../polytope/convex-hull3.ts';
import type { ReadonlyHull } from '../../polytope/types.ts';
import { shuffledIndices } from '../../trees/shuffle.ts';
import { compareHeights, extremesOfList, lookAlong } from './extremes.ts';

/** Made by `directionTree`. */
export interface DirectionTree {
  readonly vertices: readonly ReadonlyVec3[];
  /** Which of the given points each is. */
  readonly sources: Uint32Array;
  /**
   * Four numbers a node: the vertices i and j, and where to go when i, or else j, is farther along: to that node, or, if
   * negative, to the answer, vertex -1 - number. Empty for points that lie in a plane: those are looked at one by one.
   */
  readonly nodes: Int32Array;
  /** Coordinates are integers times 2 to this. */
  readonly unit: number;
}

/**
 * Prepares the hull of the points for `supportIndexDirectionTree`. Lighter than `nestedHulls`, and good for this one
 * question only. Expected O(n log n) time and memory. Everything is decided exactly.
 */
export function directionTree(points: readonly ReadonlyVec3[]): DirectionTree {
  checkPoints('directionTree', 'points', points);
  const hull = convexHull3(points);
  const vertices = hull.vertices.map((i) => v3.copy(points[i]!));
  const unit = Math.min(0, unitOfPoints(vertices));
  const nodes = hull.dimension < 3 ? [] : buildNodes(arcsOf(points, hull, unit));
  return { vertices, sources: Uint32Array.from(hull.vertices), nodes: Int32Array.from(nodes), unit };
}

/** Which of the points lies farthest along the direction; exactly, and one of them if there are several. O(log n). */
export function supportIndexDirectionTree(tree: DirectionTree, direction: ReadonlyVec3): number {
  mustHave('supportIndexDirectionTree', 'tree', tree, 'a direction tree', 'vertices');
  checkPoint('supportIndexDirectionTree', 'direction', direction);
  const { vertices, sources, nodes, unit } = tree;
  const along = toIntegers(direction, unitOfPoints([direction]));
  if (nodes.length === 0) return sources[extremesOfList(vertices, unit)(along)]!;
  lookAlong(along);
  let node = 0;
  while (node >= 0) {
    const at = 4 * node;
    const isFirst = compareHeights(vertices[nodes[at + 1]!]!, vertices[nodes[at]!]!, along, unit) >= 0;
    node = nodes[at + (isFirst ? 2 : 3)]!;
  }
  return sources[-1 - node]!;
}

/**
 * Directions along which vertex i is the farthest make up a region of the sphere, and regions of neighbours i and j meet
 * in an arc of the great circle at right angles to i - j, from the normal of the one face at their edge to that of the
 * other. This is such an arc, or a part of it; its ends are vectors of any length.
 */
interface Arc {
  readonly i: number;
  readonly j: number;
  readonly across: Ray;
  readonly start: Ray;
  readonly end: Ray;
}

/** A direction, and the same in doubles. */
interface Ray {
  readonly exact: BigVec;
  readonly rounded: Float64Array;
}

function ray(exact: BigVec): Ray {
  const rounded = new Float64Array(3);
  approximate(exact, rounded);
  return { exact, rounded };
}

/** Both factors are rounded, the product and two sums: five roundings of 2^-53. */
const ERROR = 6 * UNIT_ROUNDING;
/** More than what falls below the range. */
const UNDERFLOW = 1e-290;

/** The sign of their dot product. */
function signOfDot(a: Ray, b: Ray): -1 | 0 | 1 {
  const x = a.rounded[0]! * b.rounded[0]!;
  const y = a.rounded[1]! * b.rounded[1]!;
  const z = a.rounded[2]! * b.rounded[2]!;
  const sum = x + y + z;
  if (Math.abs(sum) > ERROR * (Math.abs(x) + Math.abs(y) + Math.abs(z)) + UNDERFLOW) return sum > 0 ? 1 : -1;
  return signOf(dot(a.exact, b.exact));
}

function arcsOf(points: readonly ReadonlyVec3[], hull: ReadonlyHull, unit: number): Arc[] {
  const place = new Map(hull.vertices.map((i, k) => [i, k]));
  const integers = hull.vertices.map((i) => toIntegers(points[i]!, unit));
  const halves = new Map<string, Ray>();
  const arcs: Arc[] = [];
  for (const face of hull.faces) {
    const loop = face.map((i) => place.get(i)!);
    const [a, b, c] = loop.map((i) => integers[i]!);
    const normal = ray(cross(minus(b!, a!), minus(c!, a!)));
    for (let k = 0; k < loop.length; k++) {
      const i = loop[k]!;
      const j = loop[(k + 1) % loop.length]!;
      const other = halves.get(`${j} ${i}`);
      if (other === undefined) halves.set(`${i} ${j}`, normal);
      else arcs.push({ i, j, across: ray(minus(integers[i]!, integers[j]!)), start: normal, end: other });
    }
  }
  const order = shuffledIndices(arcs.length, 1);
  return Array.from(order, (k) => arcs[k]!);
}

/**
 * The first arc's circle cuts the sphere in two, and arcs that cross it in two pieces; and so on with either half. Where
 * no arc is left all is one region: that on its side of the arc that made the last cut.
 */
function buildNodes(all: readonly Arc[]): number[] {
  const nodes: number[] = [];
  const waiting: { arcs: readonly Arc[]; parent: number }[] = [{ arcs: all, parent: -1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const at = nodes.length;
    if (next.parent >= 0) nodes[next.parent] = at / 4;
    const { i, j, across } = next.arcs[0]!;
    nodes.push(i, j, -1 - i, -1 - j);
    const front: Arc[] = [];
    const back: Arc[] = [];
    for (let k = 1; k < next.arcs.length; k++) distribute(next.arcs[k]!, across, front, back);
    if (front.length > 0) waiting.push({ arcs: front, parent: at + 2 });
    if (back.length > 0) waiting.push({ arcs: back, parent: at + 3 });
  }
  return nodes;
}

/** To the side of the circle where the arc is, or a piece to both. An arc on the circle is the border of both sides. */
function distribute(arc: Arc, across: Ray, front: Arc[], back: Arc[]): void {
  const start = signOfDot(arc.start, across);
  const end = signOfDot(arc.end, across);
  if (start * end >= 0) {
    if (start + end > 0) front.push(arc);
    else if (start + end < 0) back.push(arc);
    return;
  }
  // Both circles go through this point; or the one opposite, if it is not between the ends.
  const meeting = cross(arc.across.exact, across.exact);
  // On the way from the start to the point, as on that to the end, the arc turns the same way.
  const turn = (from: BigVec, to: BigVec) => signOf(dot(cross(from, to), arc.across.exact));
  const isBetween = turn(arc.start.exact, meeting) === turn(arc.start.exact, arc.end.exact);
  const middle = ray(isBetween ? meeting : [-meeting[0], -meeting[1], -meeting[2]]);
  (start > 0 ? front : back).push({ ...arc, end: middle });
  (start > 0 ? back : front).push({ ...arc, start: middle });
}
