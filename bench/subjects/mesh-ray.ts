// runs: knot bunny dragon terrain
import { race } from '../harness.ts';
import { judgeRays } from '../mesh-oracles.ts';
import { makeRays, meshOfThisRun } from '../meshes.ts';
import { catRays } from '../peers/crashcat.ts';
import { grazeRays, grazeSimdRays } from '../peers/graze.ts';
import { jolt, joltRays } from '../peers/jolt.ts';
import { rapierRays, rapiers } from '../peers/rapier.ts';
import { bvhRays } from '../peers/three-mesh-bvh.ts';

const triangles = meshOfThisRun();
const rays = makeRays(triangles, 4000);
const judged = triangles.count > 500_000 ? 1000 : rays.length;
const wrong = judgeRays(triangles, rays, judged);
const [rapier, simd] = await rapiers();

race({
  title: 'closest ray hit',
  mesh: triangles.title,
  calls: rays.length,
  judged,
  rounds: 41,
  passes: 1,
  contenders: [
    grazeRays(triangles, rays),
    grazeSimdRays(triangles, rays),
    bvhRays(triangles, rays),
    rapierRays(rapier, triangles, rays),
    rapierRays(simd, triangles, rays),
    joltRays(await jolt(), triangles, rays),
    catRays(triangles, rays),
  ].map((asked) => ({ ...asked, wrong: () => wrong(asked) })),
});
