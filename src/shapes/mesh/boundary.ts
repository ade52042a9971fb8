/** The edges at which a mesh ends. */
import { weldPositions } from '../../mesh/weld.ts';
import type { Mesh } from './mesh.ts';

const known = new WeakMap<Mesh, Float64Array>();

/**
 * The boundary of a mesh: the edges that its triangles run along more often one way than the other, with both ends (6
 * numbers) in that direction, as often as that. A mesh without any is closed: it winds around each point a whole number
 * of times. Vertices in the same place count as one, whatever their numbers, because surfaces are often cut along the
 * seams of their textures. O(n log n) for the first time.
 *
 * @internal
 */
export const boundaryOf = (mesh: Mesh): Float64Array => known.get(mesh) ?? findBoundary(mesh);

/** @internal */
export const isClosed = (mesh: Mesh): boolean => boundaryOf(mesh).length === 0;

function findBoundary(mesh: Mesh): Float64Array {
  const { vertices, corners } = mesh;
  const { positions, remap } = weldPositions(vertices, 0, 'first');
  const edges = oddEdges(corners, remap);
  const boundary = new Float64Array(edges.length * 3);
  for (let i = 0; i < edges.length; i++)
    for (let k = 0; k < 3; k++) boundary[3 * i + k] = positions[3 * edges[i]! + k]!;
  known.set(mesh, boundary);
  return boundary;
}

/** Start and end of the edges that are left when opposite ones have cancelled each other. */
function oddEdges(corners: Mesh['corners'], remap: Uint32Array): number[] {
  const vertexCount = remap.length;
  const up = new Float64Array(corners.length);
  const down = new Float64Array(corners.length);
  let ups = 0;
  let downs = 0;
  for (let i = 0; i < corners.length; i += 3)
    for (let k = 0; k < 3; k++) {
      const from = remap[corners[i + k]!]!;
      const to = remap[corners[i + ((k + 1) % 3)]!]!;
      if (from < to) up[ups++] = from * vertexCount + to;
      else if (from > to) down[downs++] = to * vertexCount + from;
    }
  up.subarray(0, ups).sort();
  down.subarray(0, downs).sort();
  const odd: number[] = [];
  for (let i = 0, j = 0; i < ups || j < downs; ) {
    const rising = i < ups ? up[i]! : Infinity;
    const falling = j < downs ? down[j]! : Infinity;
    const key = Math.min(rising, falling);
    const high = key % vertexCount;
    const low = (key - high) / vertexCount;
    if (rising < falling) odd.push(low, high);
    else if (falling < rising) odd.push(high, low);
    if (rising === key) i++;
    if (falling === key) j++;
  }
  return odd;
}
