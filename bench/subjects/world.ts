/**
 * A frame of a world: how long it takes on the average, and at worst. RTCD §2.5. The worst of one run is that of the
 * machine, too; so the same frames are run several times, and a frame is as long as the shortest of its runs.
 */
import { box, capsule, collider, intersects, type PairEvent, sphere, World } from 'graze';
import { type Row, report, rng } from '../harness.ts';

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

const KINDS = ['tree', 'sweep', 'grid'] as const;

/** Worlds of the same bodies take turns, frame by frame: a noisy machine hits all of them alike. */
function run(share: number) {
  const { bodies, move } = scene(share);
  const runs = KINDS.map((kind) => {
    const world = new World({ broadPhase: kind });
    for (const body of bodies) world.add(body);
    return { kind, world, events: [] as PairEvent[], times: [] as number[] };
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
      contender: `graze, ${kind}: ${contender}`,
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
