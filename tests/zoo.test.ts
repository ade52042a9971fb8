/**
 * No blow-ups: every function that takes a list or a mesh walks a zoo of degenerate input, and ten times the input may not
 * take more than forty times as long. `npm run fuzz -- zoo` (GRAZE_CASES above 1) goes up to 100,000.
 */
import { describe, test } from 'vitest';
import { DynamicTree, HierarchicalGrid, makePairList, SortAndSweep } from '../src/broadphase/index.ts';
import {
  approximateDecomposition,
  connectedComponents,
  halfEdges,
  inspect,
  massProperties,
  orientMesh,
  repair,
  selfIntersections,
  weld,
  weldTriangles,
} from '../src/mesh/index.ts';
import { convexHull2, convexHull3 } from '../src/polytope/index.ts';
import {
  buildTreeBy,
  directionTree,
  fitLozenge,
  nestedHulls,
  packKdTree,
  quickhull2,
} from '../src/rtcd/index.ts';
import { compound, hull, sphere } from '../src/shapes/index.ts';
import { mesh } from '../src/shapes/mesh.ts';
import { boxItems, triangleItems } from '../src/trees/index.ts';
import {
  closestPointMesh,
  containsPointMesh,
  distanceMeshMesh,
  overlapMeshMesh,
  rayMesh,
  signedDistanceMesh,
  windingNumberMesh,
} from '../src/trimesh/index.ts';
import {
  fitAabb,
  fitCapsule,
  fitKdop,
  fitObb,
  fitRectangle2,
  fitSphereIterative,
  fitSphereMinimum,
  fitSphereRitter,
} from '../src/volumes/index.ts';
import { growsGently } from './kit/index.ts';
import { boxesOf, type Point, pointsOf, ZOO } from './kit/zoo.ts';

const isLong = Number(process.env['GRAZE_CASES'] ?? 1) > 1;
/** The size of every day. */
const SMALL = 10_000;
const LARGE = isLong ? 100_000 : SMALL;

const at = (x: number, y: number, z: number) => ({
  position: { x, y, z },
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
});

/** What ends at a limit, or is more work by nature: a tenth of it is enough for every day. */
const WILD = [
  'parallel slivers',
  'slivers through one place',
  'points on a sphere',
  'all on one line',
  'overlapping on one line',
];

/**
 * Holds the growth for all animals, with `share` of the full size where the function is slow on anything. What is documented
 * to take more than n log n (`slow`) never grows beyond the size of every day.
 */
function walk(
  title: string,
  run: (soup: Float64Array) => unknown,
  {
    share = 1,
    tame = [] as readonly string[],
    slow = [] as readonly string[],
    without = [] as readonly string[],
  } = {},
): void {
  for (const [name, make] of Object.entries(ZOO)) {
    if (without.includes(name)) continue;
    const full = slow.includes(name) ? SMALL : LARGE;
    const size = share * full * (full === SMALL && tame.includes(name) ? 0.1 : 1);
    test(`[R2.6] ${title}: ${name}`, () => {
      const small = make(size / 10);
      const large = make(size);
      growsGently(
        `${title}, ${name}`,
        () => run(small),
        () => run(large),
      );
    });
  }
}

describe('meshes', () => {
  walk('inspect', (positions) => inspect({ positions }), { tame: WILD });
  walk('selfIntersections, at most ten', (positions) => selfIntersections({ positions }, 10), { tame: WILD });
  walk('repair', (positions) => repair({ positions }), { share: 0.3, tame: WILD });
  walk('repair, joining faces', (positions) => repair({ positions }, { mergeThickness: 1e-6 }), {
    share: 0.1,
    tame: WILD,
  });
  walk('weld', (positions) => {
    weld(positions, 1e-6);
    weld(positions, 1e-6, 'sorted');
    weld(positions, 1e-6, 'average');
  });
  walk('topology', (positions) => {
    const { index, positions: kept } = weldTriangles({ positions }, 0);
    if (index.length === 0) return;
    halfEdges(index, kept.length / 3);
    connectedComponents(index, kept.length / 3);
    orientMesh({ positions: kept, index });
    massProperties({ positions: kept, index });
  });
  walk(
    'approximateDecomposition, at most eight pieces',
    (positions) => approximateDecomposition({ positions }, { maxPieces: 8 }),
    { share: 0.01, without: ['all one point'] },
  );
  test('[R2.6] approximateDecomposition: a fan of a thousand triangles', () => {
    const fan = ZOO['fan around a vertex']!;
    const [small, large] = [fan(100), fan(1000)];
    growsGently(
      'approximateDecomposition, fan around a vertex',
      () => approximateDecomposition({ positions: small }),
      () => approximateDecomposition({ positions: large }),
      12,
    );
  });
  walk(
    'mesh, and questions about it',
    (positions) => {
      const shape = mesh(positions);
      const p = { x: 0.3, y: 0.2, z: 0.1 };
      for (let i = 0; i < 10; i++) {
        p.x += 0.1;
        closestPointMesh(p, shape);
        signedDistanceMesh(p, shape);
        containsPointMesh(p, shape);
        windingNumberMesh(p, shape);
        rayMesh({ origin: p, direction: { x: 0.1, y: -1, z: 0.3 } }, shape);
      }
    },
    { share: 0.3 },
  );
  walk(
    'distanceMeshMesh',
    (positions) => {
      const shape = mesh(positions);
      for (const pose of [at(1e-3, 2e-3, 1e-2), at(3, 4, 1000)]) distanceMeshMesh(shape, shape, pose);
    },
    { share: 0.3, tame: [...WILD, 'fan around a vertex'], slow: ['fan around a vertex'] },
  );
  test('[R2.6] overlapMeshMesh: sheets that are next to each other, but do not touch', () => {
    const sheet = (side: number) =>
      mesh(
        Array.from({ length: side * side }, (_, k) => {
          const [x, y] = [k % side, Math.floor(k / side)];
          return [x, y, 0, x + 1, y, 0, x + 1, y + 1, 0, x, y, 0, x + 1, y + 1, 0, x, y + 1, 0];
        }).flat(),
      );
    const [small, large] = [sheet(20), sheet(64)];
    const run = (shape: typeof small) => () => {
      if (overlapMeshMesh(shape, shape, at(0.3, 0.2, 1e-9))) throw new Error('they do not touch');
    };
    growsGently('overlapMeshMesh, sheets 1e-9 apart', run(small), run(large));
  });
  walk(
    'overlapMeshMesh',
    (positions) => {
      const shape = mesh(positions);
      overlapMeshMesh(shape, shape, at(1e-3, 2e-3, 1e-2));
    },
    { share: 0.3 },
  );
});

describe('points', () => {
  const walkPoints = (title: string, run: (points: Point[]) => unknown, share = 0.3): void =>
    walk(title, (soup) => run(pointsOf(soup)), { share });
  walkPoints('convexHull3', convexHull3);
  walkPoints('convexHull2 and quickhull2', (points) => [convexHull2(points), quickhull2(points)]);
  walkPoints('hull', hull);
  walkPoints('nestedHulls', nestedHulls);
  walkPoints('directionTree', directionTree);
  walkPoints('fitObb', (points) => [fitObb(points), fitObb(points, 'min')]);
  walkPoints('spheres', (points) => [
    fitSphereMinimum(points),
    fitSphereIterative(points),
    fitSphereRitter(points),
  ]);
  walkPoints('other volumes', (points) => [
    fitAabb(points),
    fitKdop(points, 26),
    fitCapsule(points),
    fitLozenge(points),
    fitRectangle2(points),
  ]);
  walkPoints('packKdTree', packKdTree);
  walkPoints(
    'compound',
    (points) => compound(points.map(({ x, y, z }) => ({ shape: sphere(1), pose: at(x, y, z) }))),
    0.2,
  );
});

describe('trees', () => {
  for (const method of ['sah', 'morton', 'insertion'] as const)
    walk(method, (soup) => buildTreeBy(triangleItems(soup), { method }), { share: 0.3 });
  for (const axis of ['longest', 'xyz', 'kdop', 'obb', 'farthest', 'variance'] as const)
    walk(`top-down, ${axis}`, (soup) => buildTreeBy(boxItems(boxesOf(soup)), { method: 'top-down', axis }), {
      share: 0.3,
    });
  for (const split of ['mean', 'middle'] as const)
    walk(
      `top-down, ${split}`,
      (soup) => buildTreeBy(boxItems(boxesOf(soup)), { method: 'top-down', split }),
      {
        share: 0.3,
      },
    );
  for (const pairing of ['heap', 'nearest', 'spanning', 'spheres'] as const)
    walk(
      `bottom-up, ${pairing}`,
      (soup) => buildTreeBy(triangleItems(soup), { method: 'bottom-up', pairing }),
      // Where every box overlaps every other, the best pair takes a look at all: n² in the end.
      { share: 0.03, slow: pairing === 'heap' ? Object.keys(ZOO) : [] },
    );
});

describe('boxes that move', () => {
  const box = (boxes: Float64Array, i: number) => ({
    min: { x: boxes[6 * i]!, y: boxes[6 * i + 1]!, z: boxes[6 * i + 2]! },
    max: { x: boxes[6 * i + 3]!, y: boxes[6 * i + 4]!, z: boxes[6 * i + 5]! },
  });

  walk(
    'DynamicTree: insert, move, search',
    (soup) => {
      const boxes = boxesOf(soup);
      const tree = new DynamicTree();
      const proxies = Array.from({ length: boxes.length / 6 }, (_, i) => tree.insert(box(boxes, i)));
      proxies.forEach((proxy, i) => {
        tree.move(proxy, box(boxes, (i + 1) % proxies.length));
      });
      tree.query(box(boxes, 0), () => {});
    },
    { share: 0.3 },
  );

  // The pairs of coincident boxes are n² by nature: only animals with few are counted.
  const CROWDED = Object.keys(ZOO).filter(
    (name) => !['stacked sheets', 'a sphere of small triangles'].includes(name),
  );
  for (const Kind of [SortAndSweep, HierarchicalGrid]) {
    const fill = (boxes: Float64Array) => {
      const set = new Kind();
      for (let i = 0; 6 * i < boxes.length; i++) set.add(i, box(boxes, i));
      return set;
    };
    walk(
      `${Kind.name}: add, move, search`,
      (soup) => {
        const boxes = boxesOf(soup);
        const set = fill(boxes);
        for (let i = 0; 6 * i < boxes.length; i += 7) set.move(i, box(boxes, (i + 1) % (boxes.length / 6)));
        set.searchBox(box(boxes, 0), () => {});
      },
      { share: 0.3 },
    );
    walk(`${Kind.name}: pairs`, (soup) => fill(boxesOf(soup)).collectPairs(makePairList()), {
      without: CROWDED,
    });
  }
});
