/** From the triangles of a hull to its flat faces. */
import { orient3d } from '../math/orient.ts';
import type { ReadonlyVec3 } from '../math/types.ts';

/**
 * A triangle of a closed convex surface. Neighbour k lies across the edge from vertex k to the next.
 *
 * @internal
 */
export interface HullTriangle {
  readonly vertices: readonly [number, number, number];
  readonly neighbours: readonly HullTriangle[];
}

/**
 * The faces as strictly convex loops: coplanar triangles are merged, and vertices inside a face or an edge dropped.
 * Since the surface is convex, a vertex is a corner exactly when three or more faces meet there.
 *
 * @internal
 */
export function hullFaces(points: readonly ReadonlyVec3[], triangles: readonly HullTriangle[]): number[][] {
  const loops = coplanarLoops(points, triangles);
  const count = new Map<number, number>();
  for (const loop of loops) for (const i of loop) count.set(i, (count.get(i) ?? 0) + 1);
  return loops.map((loop) => loop.filter((i) => count.get(i)! >= 3));
}

function coplanarLoops(points: readonly ReadonlyVec3[], triangles: readonly HullTriangle[]): number[][] {
  const loops: number[][] = [];
  const done = new Set<HullTriangle>();
  for (const start of triangles) {
    if (done.has(start)) continue;
    done.add(start);
    const flat = [start];
    const rim = new Map<number, number>();
    for (const triangle of flat)
      for (let k = 0; k < 3; k++) {
        const neighbour = triangle.neighbours[k]!;
        const from = triangle.vertices[k]!;
        const to = triangle.vertices[(k + 1) % 3]!;
        // Compared with the first triangle of all: exact, so it makes no difference which one is taken.
        if (!isCoplanar(points, start, apexOver(neighbour, to))) rim.set(from, to);
        else if (!done.has(neighbour)) {
          done.add(neighbour);
          flat.push(neighbour);
        }
      }
    loops.push(chain(rim));
  }
  return loops;
}

/** The vertex of a triangle that is not on its edge starting at `from`. */
const apexOver = ({ vertices }: HullTriangle, from: number): number =>
  vertices[(vertices.indexOf(from) + 2) % 3]!;

function isCoplanar(points: readonly ReadonlyVec3[], { vertices }: HullTriangle, i: number): boolean {
  const [a, b, c] = vertices;
  return orient3d(points[a]!, points[b]!, points[c]!, points[i]!) === 0;
}

/** The loop that the edges of a map from start to end make. */
function chain(edges: ReadonlyMap<number, number>): number[] {
  const [first] = edges.keys();
  const loop = [first!];
  for (let i = edges.get(first!)!; i !== first; i = edges.get(i)!) loop.push(i);
  return loop;
}
