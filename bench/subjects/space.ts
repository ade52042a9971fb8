// runs: uniform clustered city mixed asleep plane triangles growth-uniform growth-clustered growth-city growth-mixed growth-asleep

// All ways to find boxes and points, on the same scenes. GRAZE_SPACE sets the number of boxes (10000), GRAZE_SPACE_MOST the
// largest of `growth` (100000), which asks all of ours, and libraries as long as they take no more than two seconds.
import { mesh } from 'graze';
import {
  HierarchicalGrid,
  IncrementalSweep,
  LooseOctree,
  SortAndSweep,
  TreeBroadPhase,
} from 'graze/broadphase';
import { BoxGrid, KdTree, LinearOctree, PointGrid, StaticTree } from 'graze/space';
import { makeMeshHit, overlapSphereMesh, rayMeshFront } from 'graze/trimesh';
import { Box3, BoxGeometry, Ray, Sphere, Triangle, Vector3 } from 'three';
import { Octree } from 'three/addons/math/Octree.js';
import { gameLevel } from '../../tests/kit/game-levels.ts';
import { Rng } from '../../tests/kit/rng.ts';
import { type Contender, lazily, measure, type Row, report } from '../harness.ts';
import { boxPeers, type Finder, planePeers, pointPeers } from '../peers/space.ts';
import {
  boxDistanceSq,
  distanceSq,
  judgedOf,
  makeScene,
  oracles,
  pairCounts,
  player,
  QUERIES,
  rayTime,
  SCENES,
  type Scene,
  type SceneName,
} from '../space-scenes.ts';

const boxOf = (boxes: Float64Array, i: number) => ({
  min: { x: boxes[6 * i]!, y: boxes[6 * i + 1]!, z: boxes[6 * i + 2]! },
  max: { x: boxes[6 * i + 3]!, y: boxes[6 * i + 4]!, z: boxes[6 * i + 5]! },
});
const pointOf = (points: Float64Array, i: number) => ({
  x: points[3 * i]!,
  y: points[3 * i + 1]!,
  z: points[3 * i + 2]!,
});
const rayOf = (rays: Float64Array, i: number) => ({
  origin: pointOf(rays, 2 * i),
  direction: pointOf(rays, 2 * i + 1),
});

const KINDS = { TreeBroadPhase, HierarchicalGrid, LooseOctree, SortAndSweep, IncrementalSweep };

function ourBoxes(scene: Scene): Finder[] {
  const { n, frames, movers, ranges, rays, probes } = scene;
  const [boxes, asked, at] = [
    Array.from({ length: QUERIES }, (_, i) => boxOf(ranges, i)),
    Array.from({ length: QUERIES }, (_, i) => rayOf(rays, i)),
    Array.from({ length: QUERIES }, (_, i) => pointOf(probes, i)),
  ];
  const finders = Object.entries(KINDS).map(([name, Kind]): Finder => {
    let finder = new Kind();
    const list = { ids: new Int32Array(1024) };
    return {
      name: `graze ${name}`,
      build() {
        finder = new Kind();
        for (let i = 0; i < n; i++) finder.add(i, boxOf(frames[0]!, i));
      },
      pairs(_, all, moved) {
        finder.moveMany(movers, movers.length === n ? all : moved);
        return finder.collectPairs(list);
      },
      boxRange(i) {
        let count = 0;
        finder.searchBox(boxes[i]!, () => {
          count++;
        });
        return count;
      },
      boxRay(i) {
        let first = Infinity;
        finder.searchRay(asked[i]!, Infinity, (_, t) => {
          first = t;
          return t;
        });
        return first;
      },
      ...(finder instanceof TreeBroadPhase && {
        boxNearest(i: number) {
          const p = at[i]!;
          let best = Infinity;
          reach.t = Infinity;
          (finder as TreeBroadPhase).searchNear({ min: p, max: p }, reach, (id) => {
            const d = boxDistanceSq(frames[0]!, id, probes, i);
            if (d >= best) return;
            best = d;
            reach.t = Math.sqrt(d);
          });
          return best;
        },
      }),
    };
  });
  let grid = new BoxGrid([]);
  finders.push({
    name: 'graze BoxGrid',
    build() {
      grid = new BoxGrid(frames[0]!);
    },
    boxRange(i) {
      let count = 0;
      grid.searchBox(boxes[i]!, () => {
        count++;
      });
      return count;
    },
    boxRay(i) {
      let first = Infinity;
      grid.searchRay(asked[i]!, Infinity, (_, t) => {
        first = Math.min(first, t);
        return first;
      });
      return first;
    },
  });
  let tree = new StaticTree([]);
  const list = { ids: new Int32Array(1024) };
  finders.push({
    name: 'graze StaticTree',
    build() {
      tree = new StaticTree(frames[0]!);
    },
    boxRange: (i) => tree.collectBox(boxes[i]!, list),
    boxNearest: (i) => boxDistanceSq(frames[0]!, tree.nearest(at[i]!), probes, i),
    boxRay(i) {
      let first = Infinity;
      tree.searchRay(asked[i]!, Infinity, (_, t) => {
        first = t;
        return t;
      });
      return first;
    },
  });
  return finders;
}

const reach = { t: 0.5 };

function ourPoints({ n, points, ranges, probes, radius }: Scene): Finder[] {
  const [boxes, asked] = [
    Array.from({ length: QUERIES }, (_, i) => boxOf(ranges, i)),
    Array.from({ length: QUERIES }, (_, i) => pointOf(probes, i)),
  ];
  const few = new Int32Array(8);
  const make = {
    KdTree: () => new KdTree(points),
    PointGrid: () => new PointGrid(points),
    LinearOctree() {
      const [min, max] = [
        { x: Infinity, y: Infinity, z: Infinity },
        { x: -Infinity, y: -Infinity, z: -Infinity },
      ];
      for (let i = 0; i < 3 * n; i++) {
        const axis = (['x', 'y', 'z'] as const)[i % 3]!;
        min[axis] = Math.min(min[axis], points[i]!);
        max[axis] = Math.max(max[axis], points[i]!);
      }
      const tree = new LinearOctree({ min, max });
      for (let i = 0; i < n; i++) tree.add(i, pointOf(points, i));
      return tree;
    },
  };
  return Object.entries(make).map(([name, build]): Finder => {
    let index = build();
    const list = { ids: new Int32Array(1024) };
    return {
      name: `graze ${name}`,
      build() {
        index = build();
      },
      pointRange(i) {
        if (!(index instanceof LinearOctree)) return index.collectRange(boxes[i]!, list);
        let count = 0;
        index.range(boxes[i]!, () => {
          count++;
        });
        return count;
      },
      pointWithin(i) {
        if (!(index instanceof LinearOctree)) return index.collectWithin(asked[i]!, radius, list);
        let count = 0;
        index.within(asked[i]!, radius, () => {
          count++;
        });
        return count;
      },
      pointNearest: (i) => distanceSq(points, index.nearest(asked[i]!), probes, i),
      pointFew(i) {
        const count = index.kNearest(asked[i]!, 8, few);
        let sum = 0;
        for (let k = 0; k < count; k++) sum += distanceSq(points, few[k]!, probes, i);
        return sum;
      },
    };
  });
}

const TITLES = {
  boxRange: 'boxes in a box',
  boxNearest: 'nearest box',
  boxRay: 'first box on a ray',
  pointRange: 'points in a box',
  pointWithin: 'points within a distance',
  pointNearest: 'nearest point',
  pointFew: 'eight nearest points',
};
type Query = keyof typeof TITLES;

/** Sums are of eight terms in another order. */
const differs = (a: number, b: number): boolean => !(a === b || Math.abs(a - b) <= 1e-9 * Math.abs(b));

/** As many rounds as there is time for. */
const roundsFor = (n: number): number => (n > 100_000 ? 1 : n > 10_000 ? 3 : n > 1000 ? 6 : 20);
/** Queries cost about the same whatever the number. */
const QUERY_ROUNDS = 10;
/** Enough to be compiled, which the clock of a process counts, too. */
const WARM_UP = 100;
/** Frames or builds in a round: clocks count whole microseconds. */
const repeatsFor = (n: number): number => Math.max(1, Math.floor(5000 / n));

function ask(scene: Scene, finders: readonly Finder[], query: Query): Row[] {
  const judged = judgedOf(scene.n);
  const truths = Array.from({ length: judged }, (_, i) => lazily(() => oracles[query](scene, i)));
  const contenders = finders.flatMap((finder): Contender[] => {
    const one = finder[query]?.bind(finder);
    if (!one) return [];
    return [
      {
        name: finder.name,
        run() {
          let sum = 0;
          for (let i = 0; i < QUERIES; i++) sum += one(i);
          return sum;
        },
        wrong() {
          let count = 0;
          for (let i = 0; i < judged; i++) if (differs(one(i), truths[i]!())) count++;
          return count;
        },
      },
    ];
  });
  if (contenders.length === 0) return [];
  return measure({
    title: `${scene.name}, ${scene.n}: ${TITLES[query]}`,
    calls: QUERIES,
    judged,
    rounds: QUERY_ROUNDS,
    passes: 1,
    warmUp: WARM_UP,
    contenders,
  });
}

function build(scene: Scene, finders: readonly Finder[], what: string): Row[] {
  const contenders = finders
    .filter(({ name }) => name !== 'box-intersect')
    .map((finder) => ({
      name: finder.name,
      run() {
        finder.build();
        return 1;
      },
    }));
  return measure({
    title: `${scene.name}, ${scene.n}: build, ${what}`,
    calls: scene.n,
    rounds: roundsFor(scene.n),
    passes: repeatsFor(scene.n),
    warmUp: WARM_UP,
    contenders,
  });
}

function pairs(scene: Scene, finders: readonly Finder[]): Row[] {
  const truths = pairCounts(scene);
  const repeats = repeatsFor(scene.n);
  const contenders = finders.flatMap((finder): Contender[] => {
    if (!finder.pairs) return [];
    const play = player(scene);
    let last = 0;
    finder.build();
    // The first frames after boxes have come are no frames like others.
    for (let i = 0; i < 3; i++) {
      play.next();
      finder.pairs(play.frame, play.boxes, play.moved);
    }
    return [
      {
        name: finder.name,
        run() {
          for (let i = 0; i < repeats; i++) {
            play.next();
            last = finder.pairs!(play.frame, play.boxes, play.moved);
          }
          return last;
        },
        wrong: () => Math.abs(last - truths[play.frame]!()),
      },
    ];
  });
  return measure({
    title: `${scene.name}, ${scene.n}: move and all pairs`,
    calls: scene.n * repeats,
    judged: 1,
    rounds: roundsFor(scene.n),
    passes: 1,
    warmUp: WARM_UP,
    contenders,
  });
}

async function all(name: SceneName, n: number): Promise<Row[]> {
  const scene = makeScene(name, n);
  const boxes = [...ourBoxes(scene), ...(await boxPeers(scene))];
  const points = [...ourPoints(scene), ...(await pointPeers(scene))];
  const rows = [...pairs(scene, boxes), ...build(scene, boxes, 'boxes')];
  for (const query of ['boxRange', 'boxNearest', 'boxRay'] as const) rows.push(...ask(scene, boxes, query));
  rows.push(...build(scene, points, 'points'));
  for (const query of ['pointRange', 'pointWithin', 'pointNearest', 'pointFew'] as const)
    rows.push(...ask(scene, points, query));
  return rows;
}

async function plane(n: number): Promise<Row[]> {
  const scene = makeScene('uniform', n, true);
  const points = [...ourPoints(scene), ...(await planePeers(scene))];
  const rows = build(scene, points, 'points');
  for (const query of ['pointRange', 'pointWithin', 'pointNearest', 'pointFew'] as const)
    rows.push(...ask(scene, points, query));
  return rows;
}

/** Fewer than of other queries: the octree takes milliseconds for some. */
const TRIANGLE_QUERIES = 100;

/** What is asked of triangles, and the answers by a look at all. */
interface Soup {
  readonly name: string;
  /** Nine numbers a triangle. */
  readonly positions: Float32Array;
  readonly rays: readonly Ray[];
  readonly spheres: readonly Sphere[];
  rayTruth(i: number): number;
  sphereTruth(i: number): number;
}

/** Rays and spheres against the sides of boxes: what the octree of three.js is for. */
function sidesOf(name: SceneName, n: number): Soup {
  const scene = makeScene(name, n);
  const boxes = scene.frames[0]!;
  const positions: number[] = [];
  const unit = new BoxGeometry().toNonIndexed();
  for (let i = 0; i < n; i++) {
    const { min, max } = boxOf(boxes, i);
    const side = unit.clone();
    side.scale(max.x - min.x, max.y - min.y, max.z - min.z);
    side.translate((min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2);
    positions.push(...(side.attributes['position']!.array as Float32Array));
  }
  const rays = Array.from({ length: QUERIES }, (_, i) => {
    const { origin: o, direction: d } = rayOf(scene.rays, i);
    return new Ray(
      new Vector3(o.x - 1000 * d.x, o.y - 1000 * d.y, o.z - 1000 * d.z),
      new Vector3(d.x, d.y, d.z).normalize(),
    );
  });
  // So large that about every other one touches a box, and small enough to be in none as a whole: its sides would not be met.
  const spheres = Array.from({ length: QUERIES }, (_, i) => {
    const { x, y, z } = pointOf(scene.probes, i);
    return new Sphere(new Vector3(x, y, z), 0.25);
  });
  return {
    name,
    positions: Float32Array.from(positions),
    rays,
    spheres,
    rayTruth(i) {
      const { origin: o, direction: d } = rays[i]!;
      const flat = Float64Array.of(o.x, o.y, o.z, d.x, d.y, d.z);
      let best = Infinity;
      for (let j = 0; j < n; j++) best = Math.min(best, rayTime(boxes, j, flat, 0));
      return best;
    },
    /** Within the radius of the surface of a box: not too deep inside. */
    sphereTruth(i) {
      const { center: c, radius } = spheres[i]!;
      for (let j = 0; j < n; j++) {
        const { min, max } = boxOf(boxes, j);
        const inside = Math.min(c.x - min.x, max.x - c.x, c.y - min.y, max.y - c.y, c.z - min.z, max.z - c.z);
        if (inside > radius) continue;
        if (boxDistanceSq(boxes, j, scene.probes, i) <= radius * radius) return 1;
      }
      return 0;
    },
  };
}

/** The level of three.js's first-person example: rays from inside of it, and spheres as large as the player. */
function levelSoup(): Soup | null {
  const level = gameLevel('collision-world.glb');
  if (!level) return null;
  const positions = Float32Array.from(level.triangles.flat(2));
  const all = trianglesOf(positions);
  const box = new Box3().setFromArray(positions);
  const rng = new Rng(15);
  const at = () =>
    new Vector3(
      rng.range(box.min.x, box.max.x),
      rng.range(box.min.y, box.max.y),
      rng.range(box.min.z, box.max.z),
    );
  const rays = Array.from({ length: QUERIES }, () => {
    const { x, y, z } = rng.direction();
    return new Ray(at(), new Vector3(x, y, z));
  });
  const spheres = Array.from({ length: QUERIES }, () => new Sphere(at(), 0.35));
  const hit = new Vector3();
  return {
    name: 'level',
    positions,
    rays,
    spheres,
    // Seen from the front, as the octree has it.
    rayTruth: (i) =>
      Math.min(
        ...all.map(({ a, b, c }) =>
          rays[i]!.intersectTriangle(a, b, c, true, hit) ? hit.distanceTo(rays[i]!.origin) : Infinity,
        ),
      ),
    sphereTruth: (i) =>
      +all.some(
        (triangle) =>
          triangle.closestPointToPoint(spheres[i]!.center, hit).distanceTo(spheres[i]!.center) <= 0.35,
      ),
  };
}

const trianglesOf = (positions: Float32Array): Triangle[] =>
  Array.from({ length: positions.length / 9 }, (_, i) => {
    const [a, b, c] = [0, 3, 6].map((k) => new Vector3().fromArray(positions, 9 * i + k));
    return new Triangle(a, b, c);
  });

function triangles({ name, positions, rays, spheres, rayTruth, sphereTruth }: Soup): Row[] {
  const count = positions.length / 9;
  const all = trianglesOf(positions);
  const build = {
    'graze mesh': () => mesh(positions),
    'three.js Octree'() {
      const octree = new Octree();
      for (const triangle of all) octree.addTriangle(triangle);
      return octree.build();
    },
  };
  const [own, octree] = [build['graze mesh'](), build['three.js Octree']()];
  const hit = makeMeshHit();
  const contender = (
    name: string,
    one: (i: number) => number,
    truth: (i: number) => number,
    margin: number,
  ): Contender => ({
    name,
    run() {
      let sum = 0;
      for (let i = 0; i < TRIANGLE_QUERIES; i++) sum += Math.min(1e6, one(i));
      return sum;
    },
    wrong() {
      let wrong = 0;
      for (let i = 0; i < TRIANGLE_QUERIES; i++) {
        const [a, b] = [one(i), truth(i)];
        if (a !== b && !(Math.abs(a - b) < margin)) wrong++;
      }
      return wrong;
    },
  });
  const races: Record<string, Contender[]> = {
    'first triangle on a ray': [
      contender(
        'graze mesh',
        (i) => (rayMeshFront(rays[i]!, own, Infinity, hit) ? hit.t : Infinity),
        rayTruth,
        1e-2,
      ),
      contender(
        'three.js Octree',
        (i) => (octree.rayIntersect(rays[i]!) || { distance: Infinity }).distance,
        rayTruth,
        1e-2,
      ),
    ],
    'does a sphere touch a triangle': [
      contender('graze mesh', (i) => +overlapSphereMesh(spheres[i]!, own), sphereTruth, 0),
      contender('three.js Octree', (i) => +(octree.sphereIntersect(spheres[i]!) !== false), sphereTruth, 0),
    ],
  };
  return [
    ...measure({
      title: `${name}, ${count} triangles: build, triangles`,
      calls: count,
      rounds: 3,
      passes: 1,
      warmUp: 150,
      contenders: Object.entries(build).map(([name, run]) => ({ name, run: () => +(run() !== null) })),
    }),
    ...Object.entries(races).flatMap(([what, contenders]) =>
      measure({
        title: `${name}, ${count} triangles: ${what}`,
        calls: TRIANGLE_QUERIES,
        rounds: QUERY_ROUNDS,
        passes: 1,
        warmUp: 150,
        contenders,
      }),
    ),
  ];
}

/** One round of what was measured may take so long, in nanoseconds. */
const PATIENCE = 1.5e9;

/** Not measured beyond 100,000. */
const SLOW = new Set(['graze HierarchicalGrid', 'graze IncrementalSweep', 'graze LinearOctree']);

/** From a hundred (or GRAZE_SPACE_LEAST) on, those that did not take too long before: a round with ten times as many takes ten times as long or more. */
async function growth(name: SceneName, most: number): Promise<Row[]> {
  const rows: Row[] = [];
  const slow = new Set<string>();
  const add = (measured: readonly Row[], what: string, calls: number, next: number): void => {
    for (const row of measured) {
      rows.push({ ...row, subject: `growth, ${row.subject}` });
      if (row.nanoseconds * calls * next > PATIENCE) slow.add(`${what} ${row.contender}`);
    }
  };
  for (let n = Number(process.env['GRAZE_SPACE_LEAST'] ?? 100); n <= most; n *= 10) {
    const scene = makeScene(name, n);
    const left = (finders: readonly Finder[], what: string) =>
      finders.filter((finder) => !slow.has(`${what} ${finder.name}`));
    const few = (finders: readonly Finder[]) => finders.filter(({ name }) => n <= 100_000 || !SLOW.has(name));
    const boxes = [...few(ourBoxes(scene)), ...(n <= 100_000 ? await boxPeers(scene) : [])];
    const points = [...few(ourPoints(scene)), ...(n <= 100_000 ? await pointPeers(scene) : [])];
    const moving = left(boxes, 'pairs');
    add(pairs(scene, moving), 'pairs', n, 10);
    // Back to the first frame, which is cheaper than to begin anew.
    const { movers, frames } = scene;
    const back = new Float64Array(6 * movers.length);
    movers.forEach((id, i) => void back.set(frames[0]!.subarray(6 * id, 6 * id + 6), 6 * i));
    for (const finder of [...boxes, ...points])
      if (finder.name === 'box-intersect') continue;
      else if (finder.pairs && moving.includes(finder)) finder.pairs(0, frames[0]!, back);
      else finder.build();
    for (const [finders, queries] of [
      [boxes, ['boxRange', 'boxNearest', 'boxRay']],
      [points, ['pointRange', 'pointNearest']],
    ] as const)
      for (const query of queries) {
        const asked = left(finders, query).filter((finder) => finder[query]);
        if (query === queries[0])
          for (const finder of finders) if (finder.name !== 'box-intersect') finder.build();
        add(ask(scene, asked, query), query, QUERIES, 3);
      }
  }
  return rows;
}

const variant = process.argv[2] ?? 'uniform';
const n = Number(process.env['GRAZE_SPACE'] ?? 10_000);
if (variant.startsWith('growth-'))
  report(await growth(variant.slice(7) as SceneName, Number(process.env['GRAZE_SPACE_MOST'] ?? 100_000)));
else if (variant === 'plane') report(await plane(n));
else if (variant === 'triangles') {
  const level = levelSoup();
  report([...SCENES.map((name) => sidesOf(name, 1000)), ...(level ? [level] : [])].flatMap(triangles));
} else report(await all(variant as SceneName, n));
