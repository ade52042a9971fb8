// runs: knot bunny dragon terrain
import { race } from '../harness.ts';
import { judgePoints } from '../mesh-oracles.ts';
import { makePoints, meshOfThisRun } from '../meshes.ts';
import { grazePoints, grazeSimdPoints } from '../peers/graze.ts';
import { rapierPoints, rapiers } from '../peers/rapier.ts';
import { bvhPoints } from '../peers/three-mesh-bvh.ts';

const triangles = meshOfThisRun();
const points = makePoints(triangles, 2000);
const judged = triangles.count > 500_000 ? 500 : points.length;
const wrong = judgePoints(triangles, points, judged);
const [rapier, simd] = await rapiers();

race({
  title: 'closest point',
  mesh: triangles.title,
  calls: points.length,
  judged,
  rounds: 31,
  passes: 1,
  contenders: [
    grazePoints(triangles, points),
    grazeSimdPoints(triangles, points),
    bvhPoints(triangles, points),
    rapierPoints(rapier, triangles, points),
    rapierPoints(simd, triangles, points),
  ].map((asked) => ({ ...asked, wrong: () => wrong(asked) })),
});
