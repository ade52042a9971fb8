// runs: knot bunny terrain
import { mesh } from 'graze';
import { QueryWorkers } from 'graze/query';
import { batchMesh, type MeshHits } from 'graze/trimesh';
import { measureSlow, report } from '../harness.ts';
import { makeRays, meshOfThisRun } from '../meshes.ts';

const THREADS = 2;
const triangles = meshOfThisRun();
const N = 100_000;
const rays = makeRays(triangles, N);
const target = mesh(triangles.positions, triangles.index, { shared: true });

const numbers = (count: number) => new Float64Array(new SharedArrayBuffer(count * 8));
const origins = numbers(N * 3);
const directions = numbers(N * 3);
for (const [i, { origin: o, direction: d }] of rays.entries()) {
  origins.set([o.x, o.y, o.z], i * 3);
  directions.set([d.x, d.y, d.z], i * 3);
}
const hits = (): MeshHits => ({
  t: numbers(N),
  triangle: new Int32Array(new SharedArrayBuffer(N * 4)),
  v: numbers(N),
  w: numbers(N),
});
const [alone, together] = [hits(), hits()];
const workers = new QueryWorkers({ threads: THREADS });

const differ = () =>
  together.t.filter((t, i) => t !== alone.t[i] || together.triangle[i] !== alone.triangle[i]);

report(
  await measureSlow({
    title: 'batch of rays',
    mesh: triangles.title,
    calls: N,
    rounds: 31,
    passes: 1,
    contenders: [
      {
        name: `graze, ${THREADS} threads`,
        run: async () => (await workers.batch('rayMesh', { origins, directions }, target, together)).t[0]!,
        wrong: () => differ().length,
      },
      {
        name: 'graze, 1 thread',
        run: () => batchMesh('rayMesh', { origins, directions }, target, alone).t[0]!,
      },
    ],
  }),
);
workers.close();
