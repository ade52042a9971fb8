// runs: frames ratio
/**
 * A frame of a world: how long it takes on the average, and at worst. RTCD §2.5. The worst of one run is that of the
 * machine, too; so the same frames are run several times, and a frame is as long as the shortest of its runs. And how an
 * update of 10,000 boxes compares with its broad phase alone, on the same boxes.
 */
import { boundsOf, box, capsule, collider, intersects, type PairEvent, sphere, World } from 'graze';
import { HierarchicalGrid, makePairList, SortAndSweep, TreeBroadPhase } from 'graze/broadphase';
import { type Contender, lazily, measure, type Row, report, rng } from '../harness.ts';
import { type MovingBoxes, movingBoxes, player } from '../moving-boxes.ts';

const N = 1000;
const FRAMES = 400;
const WARM_UP = 100;
const RUNS = 4;
/** So that there is about one pair of boxes that overlap for each body. */
const SIDE = 0.8 * Math.cbrt(N);
const SHAPES = [sphere(0.5), box(0.4, 0.5, 0.3), capsule(0.3, 0.3)];
const AXES = ['x', 'y', 'z'] as const;

const starts = Array.from({ length: N }, () => ({
  position: rng.vec(SIDE),
  quaternion: rng.rotation(),
  velocity: rng.vec(0.03),
}));

/** The bodies where they begin, of which a share moves. */
function scene(share: number) {
  const movers = structuredClone(starts);
  return {
    bodies: movers.map((pose, i) => collider(SHAPES[i % SHAPES.length]!, pose)),
    move(): void {
      for (const { position: p, velocity } of movers.slice(0, N * share))
        for (const axis of AXES) {
          p[axis] += velocity[axis];
          if (Math.abs(p[axis]) > SIDE) velocity[axis] *= -1;
        }
    },
  };
}

type Bodies = ReturnType<typeof scene>['bodies'];

const pairs = (bodies: Bodies): string =>
  bodies
    .flatMap((a, i) =>
      bodies.slice(i + 1).flatMap((b, j) => (intersects(a, b) ? [`${i + 1} ${i + j + 2}`] : [])),
    )
    .join();

const KINDS = [TreeBroadPhase, SortAndSweep, HierarchicalGrid];

/** Worlds of the same bodies take turns, frame by frame: a noisy machine hits all of them alike. */
function run(share: number) {
  const { bodies, move } = scene(share);
  const runs = KINDS.map((Kind) => {
    const world = new World({ broadPhase: new Kind() });
    for (const body of bodies) world.add(body);
    return { world, events: [] as PairEvent[], times: [] as number[] };
  });
  for (let frame = 0; frame < FRAMES; frame++) {
    move();
    for (const { world, events, times } of runs) {
      const start = performance.now();
      world.update(events);
      if (frame >= WARM_UP) times.push(1e6 * (performance.now() - start));
    }
  }
  const truth = pairs(bodies);
  return runs.map(({ events, times }) => {
    const touching = events.filter(({ phase }) => phase !== 'leave').map(({ a, b }) => `${a} ${b}`);
    return { times, wrong: touching.join() === truth ? 0 : 1 };
  });
}

function showFrames(): void {
  const rows: Row[] = [];
  for (const share of [1, 0.05]) {
    const runs = Array.from({ length: RUNS }, () => run(share));
    let ours = 0;
    for (const [k, kind] of KINDS.entries()) {
      const mine = runs.map((of) => of[k]!);
      const times = mine[0]!.times.map((_, frame) => Math.min(...mine.map((one) => one.times[frame]!)));
      const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
      ours ||= mean;
      const row = (contender: string, nanoseconds: number): Row => ({
        subject: `World.update, ${N} bodies, ${100 * share} % of them on the move`,
        contender: `graze, ${kind.name}: ${contender}`,
        nanoseconds,
        ratio: nanoseconds / ours,
        wrong: mine.reduce((sum, { wrong }) => sum + wrong, 0),
        calls: RUNS,
      });
      rows.push(
        row('mean of a frame', mean),
        row('worst frame', Math.max(...times)),
        row('worst frame of one run', Math.max(...mine.at(-1)!.times)),
      );
    }
  }
  report(rows);
}

/** Boxes that all move by a step a frame: along the axes, or each turned its own way. */
function ratioOf(scene: MovingBoxes, turned: boolean): Contender[] {
  const { n, centers, halves } = scene;
  const bodies = Array.from({ length: n }, (_, i) =>
    collider(box(halves[3 * i]!, halves[3 * i + 1]!, halves[3 * i + 2]!), {
      position: { x: centers[3 * i]!, y: centers[3 * i + 1]!, z: centers[3 * i + 2]! },
      quaternion: turned ? rng.rotation() : { x: 0, y: 0, z: 0, w: 1 },
    }),
  );
  const play = player(scene);
  const next = () => {
    play.next();
    for (const [i, { pose }] of bodies.entries())
      Object.assign(pose.position, {
        x: play.center(3 * i),
        y: play.center(3 * i + 1),
        z: play.center(3 * i + 2),
      });
  };
  const world = new World();
  for (const body of bodies) world.add(body);
  const events: PairEvent[] = [];
  const finder = new TreeBroadPhase();
  const sides = new Float64Array(6 * n);
  const ids = Int32Array.from({ length: n }, (_, i) => i);
  const list = makePairList();
  const measureBoxes = () => {
    for (const [i, { shape, pose }] of bodies.entries()) {
      const { min, max } = boundsOf(shape, pose);
      sides.set([min.x, min.y, min.z, max.x, max.y, max.z], 6 * i);
    }
  };
  for (const [i, { shape, pose }] of bodies.entries()) finder.add(i, boundsOf(shape, pose));
  const near = () => {
    finder.moveMany(ids, sides);
    return finder.collectPairs(list);
  };
  const touching = lazily(() => {
    measureBoxes();
    let count = 0;
    for (let i = 0, pairs = near(); i < pairs; i++)
      if (intersects(bodies[list.ids[2 * i]!]!, bodies[list.ids[2 * i + 1]!]!)) count++;
    return count;
  });
  return [
    { name: 'graze TreeBroadPhase alone', before: measureBoxes, run: near },
    {
      name: 'graze World.update',
      before: next,
      run: () => world.update(events).length,
      wrong: () => {
        const told = world.update(events).filter(({ phase }) => phase !== 'leave').length;
        return Math.abs(told - touching());
      },
    },
  ];
}

function showRatio(): void {
  const scene = movingBoxes(10_000);
  report(
    [false, true].flatMap((turned) =>
      measure({
        title: `World.update against its broad phase, ${scene.n} moving boxes${turned ? ', turned' : ''}`,
        calls: scene.n,
        judged: 1,
        rounds: 60,
        passes: 1,
        contenders: ratioOf(scene, turned),
      }),
    ),
  );
}

if (process.argv[2] === 'ratio') showRatio();
else showFrames();
