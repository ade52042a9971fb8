// runs: caves dungeon
import { pose } from 'graze';
import { makeTraceHit, polyhedralModel, traceModel } from 'graze/continuous';
import { plain } from '../data.ts';
import { race, report } from '../harness.ts';
import { levelOfThisRun, makeTraces } from '../levels.ts';
import { judgeRays } from '../mesh-oracles.ts';
import { type BenchRay, REACH, type Triangles } from '../meshes.ts';
import { grazeRays } from '../peers/graze.ts';
import { type Asked, lengthOf } from '../peers/peer.ts';
import { rapierRays, rapiers } from '../peers/rapier.ts';
import { bvhRays } from '../peers/three-mesh-bvh.ts';

function grazeTraces(triangles: Triangles, rays: readonly BenchRay[]): Asked {
  const target = polyhedralModel(triangles, { sides: 'both' });
  const here = pose();
  const reach = REACH * triangles.size;
  const mine = rays.map(({ origin, direction: d }) => ({
    origin: plain(origin),
    translation: plain({ x: d.x * reach, y: d.y * reach, z: d.z * reach }),
  }));
  const out = makeTraceHit();
  return {
    name: 'graze',
    run() {
      let sum = 0;
      for (let i = 0; i < mine.length; i++) {
        const { origin, translation } = mine[i]!;
        if (traceModel(target, here, origin, translation, null, out)) sum += out.t;
      }
      return sum;
    },
    answer(i) {
      const { origin, translation } = mine[i]!;
      const hit = traceModel(target, here, origin, translation, { thickness: 0 });
      return hit ? hit.t * lengthOf(translation) : Infinity;
    },
  };
}

const triangles = levelOfThisRun();
if (!triangles) report([]);
else {
  const rays = makeTraces(triangles, 1000);
  const wrong = judgeRays(triangles, rays, rays.length);
  const [rapier] = await rapiers();
  race({
    title: 'point trace through a level',
    mesh: triangles.title,
    calls: rays.length,
    rounds: 101,
    passes: 1,
    contenders: [
      grazeTraces(triangles, rays),
      { ...grazeRays(triangles, rays), name: 'graze rayMesh' },
      bvhRays(triangles, rays),
      rapierRays(rapier, triangles, rays),
    ].map((asked) => ({ ...asked, wrong: () => wrong(asked) })),
  });
}
