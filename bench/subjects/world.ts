/** A frame of a world: how long it takes on the average, and at worst. RTCD §2.5. */
import { box, capsule, collider, intersects, type PairEvent, type Pose, sphere, World } from 'graze';
import { type Row, report, rng } from '../harness.ts';

const N = 1000;
const FRAMES = 400;
const WARM_UP = 100;
/** So that there is about one pair of boxes that overlap for each body. */
const SIDE = 0.8 * Math.cbrt(N);
const SHAPES = [sphere(0.5), box(0.4, 0.5, 0.3), capsule(0.3, 0.3)];

const poses: Pose[] = Array.from({ length: N }, () => ({
  position: rng.vec(SIDE),
  quaternion: rng.rotation(),
}));
const speeds = poses.map(() => rng.vec(0.03));
const bodies = poses.map((pose, i) => collider(SHAPES[i % SHAPES.length]!, pose));

function move(share: number): void {
  for (let i = 0; i < N * share; i++) {
    const { position: p } = poses[i]!;
    for (const axis of ['x', 'y', 'z'] as const) {
      p[axis] += speeds[i]![axis];
      if (Math.abs(p[axis]) > SIDE) speeds[i]![axis] *= -1;
    }
  }
}

const pairs = (): string =>
  bodies
    .flatMap((a, i) =>
      bodies.slice(i + 1).flatMap((b, j) => (intersects(a, b) ? [`${i + 1} ${i + j + 2}`] : [])),
    )
    .join();

const KINDS = ['tree', 'sweep', 'grid'] as const;

/** Worlds of the same bodies take turns, frame by frame: a noisy machine hits all of them alike. */
function run(share: number): { kind: string; times: number[]; wrong: number }[] {
  const runs = KINDS.map((kind) => {
    const world = new World({ broadPhase: kind });
    for (const body of bodies) world.add(body);
    return { kind, world, events: [] as PairEvent[], times: [] as number[] };
  });
  for (let frame = 0; frame < FRAMES; frame++) {
    move(share);
    for (const { world, events, times } of runs) {
      const start = performance.now();
      world.update(events);
      if (frame >= WARM_UP) times.push(1e6 * (performance.now() - start));
    }
  }
  const truth = pairs();
  return runs.map(({ kind, events, times }) => {
    const touching = events.filter(({ phase }) => phase !== 'leave').map(({ a, b }) => `${a} ${b}`);
    return { kind, times: times.sort((a, b) => a - b), wrong: touching.join() === truth ? 0 : 1 };
  });
}

const rows: Row[] = [];
for (const share of [1, 0.05]) {
  const subject = `World.update, ${N} bodies, ${100 * share} % of them on the move`;
  let ours = 0;
  for (const { kind, times, wrong } of run(share)) {
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
    const p99 = times[Math.floor(0.99 * times.length)]!;
    ours ||= mean;
    const row = (contender: string, nanoseconds: number): Row => ({
      subject,
      contender,
      nanoseconds,
      ratio: nanoseconds / ours,
      wrong,
      calls: 1,
    });
    rows.push(row(`graze, ${kind}: mean of a frame`, mean), row(`graze, ${kind}: worst of a hundred`, p99));
  }
}
report(rows);
