/** A hierarchy of spheres around spheres. RTCD §6.4.4; Quinlan 1994. */
import { checkNumbers, describe, mustHave, mustNotBeNegative, refuse } from '../math/check.ts';
import type { Sphere } from '../primitives/types.ts';
import { makeSphere } from '../primitives/types.ts';
import { mergeSphere, reachAbout } from '../volumes/sphere.ts';
import { sphereVolume } from '../volumes/sphere-volume.ts';
import { boundCenters, longestAxis } from './centers.ts';
import { halveDepth, identityOrder, topologyByCuts } from './ranges.ts';
import type { Tree } from './tree.ts';

/** Spheres that together hold something. */
export interface SphereCover {
  /** x, y, z of one after the other. */
  readonly centers: Float64Array;
  readonly radii: Float64Array;
}

/**
 * A binary tree with one sphere of the cover in each leaf. Nodes are cut through the middle of the longest side of the box
 * around their centers; a node's sphere is the smaller of two: around those of its children, or about the middle of that
 * box. O(n log n).
 */
export function buildSphereTree(cover: SphereCover): Tree<Sphere> {
  const count = mustBeCover('buildSphereTree', cover);
  const { centers, radii } = cover;
  const order = identityOrder(count);
  const deepest = halveDepth(count);
  const topology = topologyByCuts(order, (begin, end, depth) => {
    const { min, max } = boundCenters(centers, order, begin, end);
    const axis = longestAxis({ min, max });
    const middle = [0.5 * min.x + 0.5 * max.x, 0.5 * min.y + 0.5 * max.y, 0.5 * min.z + 0.5 * max.z][axis]!;
    let cut = begin;
    for (let i = begin; i < end; i++) {
      const item = order[i]!;
      if (!(centers[3 * item + axis]! < middle)) continue;
      order[i] = order[cut]!;
      order[cut++] = item;
    }
    return cut > begin && cut < end && depth < deepest ? cut : (begin + end) >>> 1;
  });
  const { skip, first, items } = topology;
  const tree: Tree<Sphere> = { ...topology, ops: sphereVolume, volumes: new Float32Array(4 * skip.length) };
  const sphere = makeSphere();
  const other = makeSphere();
  for (let node = skip.length - 1; node >= 0; node--) {
    const begin = first[node]!;
    const end = first[skip[node]!]!;
    if (end === begin + 1) readSphere({ centers, radii }, items[begin]!, sphere);
    else {
      sphereVolume.load(tree.volumes, 4 * (node + 1), sphere);
      mergeSphere(sphere, sphereVolume.load(tree.volumes, 4 * skip[node + 1]!, other), sphere);
      const { min, max } = boundCenters(centers, order, begin, end);
      const middle = {
        x: 0.5 * min.x + 0.5 * max.x,
        y: 0.5 * min.y + 0.5 * max.y,
        z: 0.5 * min.z + 0.5 * max.z,
      };
      let reach = 0;
      for (let i = begin; i < end && reach < sphere.radius; i++)
        reach = Math.max(reach, reachAbout(middle, readSphere({ centers, radii }, items[i]!, other)));
      if (reach < sphere.radius) {
        sphere.center = middle;
        sphere.radius = reach;
      }
    }
    sphereVolume.store(sphere, tree.volumes, 4 * node);
  }
  return tree;
}

function readSphere({ centers, radii }: SphereCover, item: number, out: Sphere): Sphere {
  out.center.x = centers[3 * item]!;
  out.center.y = centers[3 * item + 1]!;
  out.center.z = centers[3 * item + 2]!;
  out.radius = radii[item]!;
  return out;
}

/** How many spheres there are. */
function mustBeCover(caller: string, cover: SphereCover): number {
  mustHave(caller, 'cover', cover, 'a cover {centers, radii}', 'centers');
  const { centers, radii } = cover;
  checkNumbers(caller, 'cover.centers', centers);
  checkNumbers(caller, 'cover.radii', radii);
  if (centers.length !== 3 * radii.length)
    refuse(
      caller,
      'cover',
      `must have a center for every radius, got ${centers.length} numbers for ${radii.length}`,
    );
  if (radii.length === 0) refuse(caller, 'cover', 'must hold at least one sphere');
  for (let i = 0; i < radii.length; i++) mustNotBeNegative(caller, `cover.radii[${i}]`, radii[i]!);
  for (let i = 0; i < centers.length; i++)
    if (centers[i]! * 0 !== 0)
      refuse(caller, `cover.centers[${i}]`, `must be a finite number, got ${describe(centers[i])}`);
  return radii.length;
}
