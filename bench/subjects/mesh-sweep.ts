// runs: knot bunny terrain
import { race } from '../harness.ts';
import { judgeSweeps } from '../mesh-oracles.ts';
import { makeSweeps, meshOfThisRun } from '../meshes.ts';
import { catSweeps } from '../peers/crashcat.ts';
import { grazeSweeps } from '../peers/graze.ts';
import { jolt, joltSweeps } from '../peers/jolt.ts';
import { rapierSweeps, rapiers } from '../peers/rapier.ts';

const triangles = meshOfThisRun();
const sweeps = makeSweeps(triangles, 1000);
const judged = triangles.name === 'terrain' ? 500 : sweeps.length;
const wrong = judgeSweeps(triangles, sweeps, judged);
const [rapier, simd] = await rapiers();

race({
  title: 'swept sphere',
  mesh: triangles.title,
  calls: sweeps.length,
  judged,
  rounds: 21,
  passes: 1,
  contenders: [
    grazeSweeps(triangles, sweeps),
    rapierSweeps(rapier, triangles, sweeps),
    rapierSweeps(simd, triangles, sweeps),
    joltSweeps(await jolt(), triangles, sweeps),
    catSweeps(triangles, sweeps),
  ].map((asked) => ({ ...asked, wrong: () => wrong(asked) })),
});
