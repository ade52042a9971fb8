// runs: knot
/** Everything that goes to threads, on one thread and on two. */
import { box, castMany, closestPointMany, intersectsMany, mesh, raycastMany, sphere } from 'graze';
import { QueryWorkers } from 'graze/query';
import { pairsMeshMesh, prepareMesh } from 'graze/trimesh';
import { Rng } from '../../tests/kit/rng.ts';
import { measureSlow, report } from '../harness.ts';
import { meshOfThisRun } from '../meshes.ts';

const THREADS = 2;
const triangles = meshOfThisRun();
const { positions, index, title } = triangles;
const target = mesh(positions, index, { shared: true });
const other = mesh(
  positions.map((x) => 1.02 * x + 0.01),
  index,
  { shared: true },
);
for (const one of [target, other]) prepareMesh(one);
const workers = new QueryWorkers({ threads: THREADS });
const rng = new Rng(5);

function numbers(count: number, reach: number): Float64Array {
  const list = new Float64Array(new SharedArrayBuffer(8 * count));
  for (let i = 0; i < count; i++) list[i] = rng.range(-reach, reach);
  return list;
}

const RAYS = 100_000;
const N = 20_000;
const [origins, directions] = [numbers(3 * RAYS, 2), numbers(3 * RAYS, 1)];
const points = numbers(3 * N, 1.5);
const poses = { positions: numbers(3 * N, 1.5), quaternions: numbers(4 * N, 1) };
const casts = { ...poses, translations: numbers(3 * N, 1) };
const [ball, brick] = [sphere(0.05), box(0.05, 0.03, 0.08)];

interface Kind {
  readonly title: string;
  readonly calls: number;
  readonly alone: () => object;
  readonly together: () => Promise<object>;
}

const kinds: readonly Kind[] = [
  {
    title: 'raycastMany',
    calls: RAYS,
    alone: () => raycastMany(origins, directions, target),
    together: () => workers.raycastMany(origins, directions, target),
  },
  {
    title: 'closestPointMany',
    calls: N,
    alone: () => closestPointMany(points, target),
    together: () => workers.closestPointMany(points, target),
  },
  {
    title: 'intersectsMany, boxes',
    calls: N,
    alone: () => intersectsMany(brick, poses, target),
    together: () => workers.intersectsMany(brick, poses, target),
  },
  {
    title: 'castMany, spheres',
    calls: N,
    alone: () => castMany(ball, casts, target),
    together: () => workers.castMany(ball, casts, target),
  },
  {
    title: 'castMany, boxes',
    calls: N,
    alone: () => castMany(brick, casts, target),
    together: () => workers.castMany(brick, casts, target),
  },
  {
    title: 'pairs of triangles of two meshes',
    calls: 1,
    alone: () => pairsMeshMesh(target, other),
    together: () => workers.pairsMeshMesh(target, other),
  },
  {
    title: 'build',
    calls: 1,
    alone: () => mesh(positions, index),
    together: () => workers.mesh(positions, index),
  },
];

/** Of two answers, how many numbers differ. */
function differ(a: object, b: object): number {
  const lists = (answer: object): ArrayLike<number>[] =>
    'buffer' in answer
      ? [new Uint8Array(answer.buffer as ArrayBuffer)]
      : Array.isArray(answer)
        ? [answer as number[]]
        : (Object.values(answer) as ArrayLike<number>[]);
  const [one, two] = [lists(a), lists(b)];
  let wrong = 0;
  for (const [k, list] of one.entries())
    for (let i = 0; i < list.length; i++) if (!Object.is(list[i], two[k]![i])) wrong++;
  return wrong;
}

const rows = [];
for (const { title: kind, calls, alone, together } of kinds) {
  const right = alone();
  const found = await together();
  rows.push(
    ...(await measureSlow({
      title: kind,
      mesh: title,
      calls,
      rounds: 9,
      passes: 1,
      contenders: [
        {
          name: `graze, ${THREADS} threads`,
          run: async () => ((await together()) ? 1 : 0),
          wrong: () => differ(found, right),
        },
        { name: 'graze, 1 thread', run: () => (alone() ? 1 : 0) },
      ],
    })),
  );
}
report(rows);
workers.close();
