/**
 * What it brings that the loop of rays through a mesh has masks instead of branches, and sums instead of minima: the same room
 * with branches, in one process, turn by turn. Needs none of the peers.
 *
 *   npx tsx bench/branches.ts [knot | bunny | terrain] [rounds]
 */
import { type Branches, trimeshWith } from '../tests/kit/branched.ts';
import { Rng } from '../tests/kit/rng.ts';
import { type MeshName, makeTriangles } from './meshes.ts';

const [, , name = 'knot', rounds = '60'] = process.argv;
const { positions, index } = makeTriangles(name as MeshName);
const rng = new Rng(1);
let [low, high] = [Infinity, -Infinity];
for (const x of positions) {
  low = Math.min(low, x);
  high = Math.max(high, x);
}
const rays = Array.from({ length: 2000 }, () => {
  const from = rng.vec(high - low);
  const to = { x: rng.range(low, high), y: rng.range(low, high), z: rng.range(low, high) };
  return { origin: from, direction: { x: to.x - from.x, y: to.y - from.y, z: to.z - from.z } };
});
const contenders = await Promise.all(
  (['none', 'masks', 'all'] as const satisfies readonly Branches[]).map(async (branches) => {
    const room = await trimeshWith(branches);
    return {
      branches,
      room,
      mesh: room.buildMesh(positions, index),
      out: room.makeMeshHit(),
      times: [] as number[],
    };
  }),
);
let sink = 0;
for (let i = 0; i < Number(rounds); i++)
  for (const { room, mesh, out, times } of contenders) {
    const start = process.cpuUsage();
    for (const ray of rays) if (room.rayMesh(ray, mesh, Infinity, out)) sink += out.t;
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / rays.length);
  }
const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1]!;
const ours = median(contenders[0]!.times);
for (const { branches, times } of contenders)
  console.log(
    `${name}, branches: ${branches}: ${median(times).toFixed(3)} µs a ray, ${(median(times) / ours).toFixed(3)}`,
  );
if (!Number.isFinite(sink)) throw new Error('no numbers');
