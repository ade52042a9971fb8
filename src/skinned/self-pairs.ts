/** A skinned mesh that meets itself: a hand in a hip, an arm through a skirt. */
import { mustHave, refuse } from '../math/check.ts';
import { searchLiveParts } from '../trimesh/mesh-mesh/live-pairs.ts';
import { type FoundPairs, sortPairs } from '../trimesh/mesh-mesh/overlap.ts';
import type { SkinnedShape } from './skinned-shape.ts';

const found: FoundPairs = { count: 0, pairs: new Uint32Array(1024) };

/**
 * The pairs of triangles that meet, of joints that are no neighbours, as the mesh is now: one number, then the other, pair after
 * pair, sorted. A triangle belongs to the joint that its corners follow most. Neighbours are a joint and its parent, and joints
 * with one parent, whose skin is always in touch; so are triangles that share a vertex. Needs the `parents` of the joints.
 */
export function selfPairs(shape: SkinnedShape, out: number[] = []): number[] {
  mustHave('selfPairs', 'shape', shape, 'a skinned mesh', 'skin');
  const { state, skin } = shape;
  const { parents, jointParts: parts, corners } = skin;
  if (parents === null) refuse('selfPairs', 'shape', 'must have been made with the parents of its joints');
  const { mesh } = state;
  found.count = 0;
  for (let i = 0; i < parts.length; i++)
    for (let j = i + 1; j < parts.length; j++) {
      const [a, b] = [parts[i]!.joint, parts[j]!.joint];
      if (parents[a] === b || parents[b] === a || (parents[a] === parents[b] && parents[a]! >= 0)) continue;
      searchLiveParts(mesh, parts[i]!, parts[j]!, found);
    }
  let kept = 0;
  for (let i = 0; i < found.count; i++) {
    const [s, t] = [found.pairs[2 * i]!, found.pairs[2 * i + 1]!];
    let shared = false;
    for (let k = 0; k < 9; k++) shared ||= corners[3 * s + Math.floor(k / 3)] === corners[3 * t + (k % 3)];
    if (shared) continue;
    const swaps = mesh.ids[s]! > mesh.ids[t]!;
    found.pairs[2 * kept] = swaps ? t : s;
    found.pairs[2 * kept + 1] = swaps ? s : t;
    kept++;
  }
  found.count = kept;
  return sortPairs(found, mesh, mesh, out);
}
