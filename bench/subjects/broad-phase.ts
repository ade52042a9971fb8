// runs: 10000 50000 200000 growth

import { DynamicTree, HierarchicalGrid, SortAndSweep } from 'graze/broadphase';
import { type Contender, measure, race, report } from '../harness.ts';
import { boxAt, counting, type MovingBoxes, movingBoxes, player } from '../moving-boxes.ts';
import { cannon, crashcat, jolt, rapier } from '../peers/broad-phases.ts';
import { rapiers } from '../peers/rapier.ts';

/**
 * With more, cannon-es cannot take part: along one axis a box overlaps thousands of others. A frame of 10,000 boxes takes it
 * seconds, one of 50,000 half a minute; with its grid even 1,000 end in a list too long for the machine.
 */
const CANNON_MOST = 10_000;
const KINDS = [DynamicTree, SortAndSweep, HierarchicalGrid];

function ours(Kind: (typeof KINDS)[number], scene: MovingBoxes, frames = 1): Contender {
  const play = player(scene);
  const list = { ids: new Int32Array(1024) };
  const finder = new Kind();
  let ids: ArrayLike<number> = Int32Array.from({ length: scene.n }, (_, i) => i);
  if (finder instanceof DynamicTree) ids = finder.insertMany(scene.frames[0]!);
  else for (let i = 0; i < scene.n; i++) finder.add(i, boxAt(scene.frames[0]!, i));
  const frame = () => {
    finder.moveMany(ids, play.boxes);
    return finder.collectPairs(list);
  };
  return counting(`graze ${Kind.name}`, play, () => {
    for (let i = 1; i < frames; i++) {
      frame();
      play.next();
    }
    return frame();
  });
}

async function compare(n: number): Promise<void> {
  const scene = movingBoxes(n);
  const contenders = KINDS.map((Kind) => ours(Kind, scene));
  for (const build of await rapiers()) contenders.push(rapier(build, scene));
  contenders.push(crashcat(scene), await jolt(scene));
  if (n <= CANNON_MOST) contenders.push(cannon(scene));
  else console.error(`cannon-es is left out: a frame of ${n} boxes takes it half a minute or more`);
  race({
    title: `broad phase, ${n} moving boxes`,
    calls: n,
    judged: 1,
    rounds: n > 50_000 ? 3 : 8,
    passes: 1,
    contenders,
  });
}

function showGrowth(): void {
  const most = 200_000;
  const sizes = [10_000, 50_000, most];
  // As many boxes in all, whatever their number in a frame.
  const contenders = sizes.flatMap((n) => {
    const scene = movingBoxes(n);
    return KINDS.map((Kind) => ours(Kind, scene, most / n));
  });
  const rows = measure({
    title: 'broad phase, growth',
    calls: most,
    judged: 1,
    rounds: 12,
    passes: 1,
    contenders,
  });
  report(
    rows.map((row, i) => {
      const n = sizes[Math.floor(i / KINDS.length)]!;
      const first = rows[i % KINDS.length]!;
      return {
        ...row,
        contender: `${row.contender}, ${n} boxes`,
        ratio: row.nanoseconds / first.nanoseconds / (Math.log(n) / Math.log(sizes[0]!)),
      };
    }),
  );
}

const variant = process.argv[2] ?? '10000';
if (variant === 'growth') showGrowth();
else await compare(Number(variant));
