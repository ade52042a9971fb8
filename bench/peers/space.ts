/** Libraries that find boxes and points, as they are used by their readmes. */
import type { Scene } from '../space-scenes.ts';
import { boxDistanceSq, distanceSq, rayTime } from '../space-scenes.ts';

// biome-ignore lint/suspicious/noExplicitAny: most of them have no types
type Peer = any;

/** One library over the boxes or points of a scene. What it does not answer is left out; answers are numbers, as the oracle's. */
export interface Finder {
  readonly name: string;
  build(): void;
  /** Moves the boxes to another frame, and returns the number of pairs. */
  pairs?(frame: number, boxes: Float64Array, moved: Float64Array): number;
  boxRange?(i: number): number;
  boxNearest?(i: number): number;
  boxRay?(i: number): number;
  pointRange?(i: number): number;
  pointWithin?(i: number): number;
  pointNearest?(i: number): number;
  pointFew?(i: number): number;
}

const load = async (name: string): Promise<Peer> => import(name);

export async function boxPeers(scene: Scene): Promise<Finder[]> {
  const [{ RBush3D }, { BVH, HybridBuilder }, boxIntersect] = [
    await load('rbush-3d'),
    await load('bvh.js'),
    (await load('box-intersect')).default,
  ];
  return [rbush(scene, RBush3D), bvhjs(scene, BVH, HybridBuilder), intersecting(scene, boxIntersect)];
}

function rbush({ n, frames, movers, ranges, rays }: Scene, RBush3D: Peer): Finder {
  const itemOf = (boxes: Float64Array, i: number) => ({
    minX: boxes[6 * i]!,
    minY: boxes[6 * i + 1]!,
    minZ: boxes[6 * i + 2]!,
    maxX: boxes[6 * i + 3]!,
    maxY: boxes[6 * i + 4]!,
    maxZ: boxes[6 * i + 5]!,
    id: i,
  });
  let tree: Peer;
  let items: ReturnType<typeof itemOf>[] = [];
  const few = movers.length < n / 2;
  return {
    name: 'rbush-3d',
    build() {
      items = Array.from({ length: n }, (_, i) => itemOf(frames[0]!, i));
      tree = new RBush3D().load(items);
    },
    pairs(_, boxes) {
      // Few are taken out and put in again; all are loaded anew, which is faster then.
      for (const i of movers) {
        if (few) tree.remove(items[i]);
        items[i] = itemOf(boxes, i);
        if (few) tree.insert(items[i]);
      }
      if (!few) tree = new RBush3D().load(items.slice());
      let count = 0;
      for (let i = 0; i < n; i++) for (const { id } of tree.search(items[i])) count += +(id > i);
      return count;
    },
    boxRange: (i) => tree.search(itemOf(ranges, i)).length,
    boxRay(i) {
      const [x, y, z, dx, dy, dz] = rays.subarray(6 * i, 6 * i + 6) as unknown as number[];
      return tree.raycast(x, y, z, dx, dy, dz).dist;
    },
  };
}

function bvhjs({ n, frames, movers, ranges, rays, probes }: Scene, BVH: Peer, HybridBuilder: Peer): Finder {
  const boxOf = (boxes: Float64Array, i: number, to = new Float64Array(6)): Float64Array => {
    for (let k = 0; k < 3; k++) {
      to[2 * k] = boxes[6 * i + k]!;
      to[2 * k + 1] = boxes[6 * i + k + 3]!;
    }
    return to;
  };
  let tree: Peer;
  let leaves: Peer[] = [];
  const searched = new Float64Array(6);
  const [origin, direction, probe] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  return {
    name: 'bvh.js',
    build() {
      tree = new BVH(new HybridBuilder(true));
      leaves = [];
      // An object of 0 would be taken for none.
      const ids = Array.from({ length: n }, (_, i) => ({ i }));
      tree.createFromArray(
        ids,
        ids.map(({ i }) => boxOf(frames[0]!, i)),
        (leaf: Peer) => {
          leaves[leaf.object.i] = leaf;
        },
      );
    },
    pairs(_, boxes) {
      for (const i of movers) {
        boxOf(boxes, i, leaves[i].box);
        tree.move(leaves[i], 0);
      }
      let count = 0;
      for (let i = 0; i < n; i++)
        tree.intersectsBox(leaves[i].box, (other: Peer) => {
          count += +(other.i > i);
          return false;
        });
      return count;
    },
    boxRange(i) {
      let count = 0;
      tree.intersectsBox(boxOf(ranges, i, searched), () => {
        count++;
        return false;
      });
      return count;
    },
    boxRay(i) {
      origin.set(rays.subarray(6 * i, 6 * i + 3));
      direction.set(rays.subarray(6 * i + 3, 6 * i + 6));
      let best = Infinity;
      tree.rayIntersections(direction, origin, ({ i: j }: Peer) => {
        best = Math.min(best, rayTime(frames[0]!, j, rays, i));
      });
      return best;
    },
    boxNearest(i) {
      probe.set(probes.subarray(3 * i, 3 * i + 3));
      return (
        tree.closestPointToPoint(probe, ({ i: j }: Peer) => boxDistanceSq(frames[0]!, j, probes, i)) ** 2
      );
    },
  };
}

function intersecting({ n, frames }: Scene, boxIntersect: Peer): Finder {
  const lists = frames.map((boxes) =>
    Array.from({ length: n }, (_, i) => Array.from(boxes.subarray(6 * i, 6 * i + 6))),
  );
  return {
    name: 'box-intersect',
    build() {},
    pairs(frame) {
      let count = 0;
      boxIntersect(lists[frame], () => {
        count++;
      });
      return count;
    },
  };
}

export async function pointPeers(scene: Scene): Promise<Finder[]> {
  const [{ octree }, { PointOctree }, { RBush3D }, { Vector3 }] = [
    await load('d3-octree'),
    await load('sparse-octree'),
    await load('rbush-3d'),
    await load('three'),
  ];
  return [d3(scene, octree), sparse(scene, PointOctree, Vector3), rbushPoints(scene, RBush3D)];
}

function d3({ n, points, probes, radius }: Scene, octree: Peer): Finder {
  let tree: Peer;
  const data = Array.from({ length: n }, (_, i) => [
    points[3 * i]!,
    points[3 * i + 1]!,
    points[3 * i + 2]!,
    i,
  ]);
  const at = (i: number) => [probes[3 * i]!, probes[3 * i + 1]!, probes[3 * i + 2]!] as const;
  return {
    name: 'd3-octree',
    build() {
      tree = octree().addAll(data);
    },
    pointWithin: (i) => tree.findAllWithinRadius(...at(i), radius).length,
    pointNearest: (i) => distanceSq(points, tree.find(...at(i))[3], probes, i),
  };
}

function sparse({ n, points, probes, radius }: Scene, PointOctree: Peer, Vector3: Peer): Finder {
  const all = Array.from(
    { length: n },
    (_, i) => new Vector3(points[3 * i], points[3 * i + 1], points[3 * i + 2]),
  );
  const from = Array.from(
    { length: probes.length / 3 },
    (_, i) => new Vector3(probes[3 * i], probes[3 * i + 1], probes[3 * i + 2]),
  );
  const bound = (pick: 'min' | 'max') => {
    const corner = all[0].clone();
    for (const p of all) corner[pick](p);
    return corner;
  };
  const [min, max] = [bound('min'), bound('max')];
  let tree: Peer;
  return {
    name: 'sparse-octree',
    build() {
      tree = new PointOctree(min, max);
      all.forEach((p, i) => void tree.set(p, i));
    },
    pointWithin: (i) => tree.findPoints(from[i], radius).length,
    pointNearest: (i) => {
      const found = tree.findNearestPoint(from[i]);
      return found ? distanceSq(points, found.data, probes, i) : Infinity;
    },
  };
}

function rbushPoints({ n, points, ranges }: Scene, RBush3D: Peer): Finder {
  let tree: Peer;
  return {
    name: 'rbush-3d',
    build() {
      const items = Array.from({ length: n }, (_, i) => {
        const [x, y, z] = [points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!];
        return { minX: x, minY: y, minZ: z, maxX: x, maxY: y, maxZ: z, id: i };
      });
      tree = new RBush3D().load(items);
    },
    pointRange: (i) =>
      tree.search({
        minX: ranges[6 * i]!,
        minY: ranges[6 * i + 1]!,
        minZ: ranges[6 * i + 2]!,
        maxX: ranges[6 * i + 3]!,
        maxY: ranges[6 * i + 4]!,
        maxZ: ranges[6 * i + 5]!,
      }).length,
  };
}

/** Of points in the plane. */
export async function planePeers(scene: Scene): Promise<Finder[]> {
  const [KDBush, Flatbush] = [(await load('kdbush')).default, (await load('flatbush')).default];
  const { n, points, ranges, probes, radius } = scene;
  const of = (ids: ArrayLike<number>, i: number): number =>
    Array.from(ids).reduce((sum, j) => sum + distanceSq(points, j, probes, i), 0);
  let kd: Peer;
  let flat: Peer;
  return [
    {
      name: 'kdbush',
      build() {
        kd = new KDBush(n);
        for (let i = 0; i < n; i++) kd.add(points[3 * i]!, points[3 * i + 1]!);
        kd.finish();
      },
      pointRange: (i) =>
        kd.range(ranges[6 * i]!, ranges[6 * i + 1]!, ranges[6 * i + 3]!, ranges[6 * i + 4]!).length,
      pointWithin: (i) => kd.within(probes[3 * i]!, probes[3 * i + 1]!, radius).length,
    },
    {
      name: 'flatbush',
      build() {
        flat = new Flatbush(n);
        for (let i = 0; i < n; i++)
          flat.add(points[3 * i]!, points[3 * i + 1]!, points[3 * i]!, points[3 * i + 1]!);
        flat.finish();
      },
      pointRange: (i) =>
        flat.search(ranges[6 * i]!, ranges[6 * i + 1]!, ranges[6 * i + 3]!, ranges[6 * i + 4]!).length,
      pointNearest: (i) => of(flat.neighbors(probes[3 * i]!, probes[3 * i + 1]!, 1), i),
      pointFew: (i) => of(flat.neighbors(probes[3 * i]!, probes[3 * i + 1]!, 8), i),
    },
  ];
}
