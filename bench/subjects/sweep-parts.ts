// runs: caves dungeon
/**
 * What each of the paper's optimisations brings to boxes swept through a level: the same sweeps without it. (On the sources,
 * for the package has no switches.) A level that is touched from the front only has internal edges, too.
 */

import { makeSweepHit, polyhedralModel } from '../../src/continuous/index.ts';
import { SweepContext } from '../../src/continuous/sweep-context.ts';
import { FULL_SPEED, type Tuning } from '../../src/continuous/tuning.ts';
import { pose } from '../../src/math/types.ts';
import { box } from '../../src/shapes/index.ts';
import { type Sweep, sweepWith } from '../../tests/kit/sweep-with.ts';
import { makeCasts, shared } from '../box-casts.ts';
import { plain } from '../data.ts';
import { type Contender, measure, report } from '../harness.ts';
import { levelOfThisRun } from '../levels.ts';
import type { Triangles } from '../meshes.ts';

const SWITCHES = {
  'without skipping internal edges': 'skipInternal',
  'without sharing features': 'shareFeatures',
  'without the bits': 'bitCache',
  'without the tree': 'bsp',
} as const;

function contenders(triangles: Triangles, sides: 'front' | 'both'): Contender[] {
  const casts = makeCasts(triangles).slice(0, 500);
  const target = polyhedralModel(triangles, { sides });
  const here = pose();
  const modelOf = shared(({ x, y, z }) => polyhedralModel(box(x, y, z)));
  const mine = casts.map(({ half, position, quaternion, motion }) => ({
    mover: modelOf(half),
    from: { position: plain(position), quaternion },
    motion: { translation: plain(motion) },
  }));
  const out = makeSweepHit();
  const options = { out };
  const run = (sweep: Sweep): number => {
    let sum = 0;
    for (const { mover, from, motion } of mine)
      if (sweep(mover, from, motion, target, here, options)) sum += out.t;
    return sum;
  };
  const runWith = (tuning: Tuning): (() => number) => {
    const sweep = sweepWith(new SweepContext(tuning));
    return () => run(sweep);
  };
  const without = Object.entries(SWITCHES).map(([name, key]) => ({
    name,
    run: runWith({ ...FULL_SPEED, [key]: false }),
  }));
  return [{ name: 'graze', run: runWith(FULL_SPEED) }, ...without];
}

const triangles = levelOfThisRun();
if (!triangles) report([]);
else
  report(
    (['both', 'front'] as const).flatMap((sides) =>
      measure({
        title:
          sides === 'both' ? 'parts of the sweep through a level' : 'the same, touched from the front only',
        mesh: triangles.title,
        calls: 500,
        rounds: 11,
        passes: 1,
        contenders: contenders(triangles, sides),
      }),
    ),
  );
