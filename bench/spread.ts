/**
 * Is a query of a mesh as fast in every process? What V8 makes of a long loop depends on what its compiler was doing when
 * something ran for the first time. Runs each query in fresh processes and reports the times of all, and how much slower the
 * slowest is than the fastest. Needs none of the peers.
 *
 *   npx tsx bench/spread.ts                         all queries, the knot, 8 processes each
 *   npx tsx bench/spread.ts pairs bunny 24          one query, one mesh, 24 processes
 *   npx tsx bench/spread.ts pairs bunny 24 /opt/node24/bin/node     … of another Node
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { mesh } from 'graze';
import {
  closestPointMesh,
  distanceMeshMesh,
  makeMeshHit,
  makeMeshPoint,
  makeMeshTouch,
  overlapMeshMesh,
  rayMesh,
  sweepSphereMesh,
} from 'graze/trimesh';
import { Rng } from '../tests/kit/rng.ts';
import type { Point } from './data.ts';
import { cornerOf, type MeshName, makeTriangles } from './meshes.ts';

const QUERIES = ['ray', 'hard-ray', 'closest', 'sweep', 'pairs', 'distance'] as const;
type Query = (typeof QUERIES)[number];
/** Queries in a round, and rounds. The last third is timed: what is slow then stays slow. */
const CALLS: Record<Query, number> = {
  ray: 400,
  'hard-ray': 200,
  closest: 100,
  sweep: 200,
  pairs: 200,
  distance: 1,
};
/** Many short ones: some of them are left alone by whatever else the machine does. */
const ROUNDS = 450;
const NEAR_ENOUGH = 1.3;

const [, script, ...args] = process.argv;
if (args[0] === '--one') console.log(microseconds(args[1] as Query, args[2] as MeshName));
else {
  const [query, name = 'knot', processes = '8', node = process.execPath] = args;
  for (const one of query ? [query] : QUERIES) {
    const times: number[] = [];
    for (let i = 0; i < Number(processes); i++) {
      const run = ['--import', 'tsx', fileURLToPath(`file://${script}`), '--one', one, name];
      const { stdout, status } = spawnSync(node, run, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      if (status !== 0) process.exit(1);
      times.push(Number(stdout));
    }
    times.sort((a, b) => a - b);
    const slow = times.filter((t) => t > NEAR_ENOUGH * times[0]!).length;
    console.log(
      `${one}, ${name}: ${times.map((t) => t.toFixed(2)).join(' ')} µs; the slowest takes ` +
        `${(times.at(-1)! / times[0]!).toFixed(2)} of the fastest; ${slow} of ${times.length} above ${NEAR_ENOUGH}`,
    );
  }
}

/** The time of one query, from the best of the last rounds. */
function microseconds(query: Query, name: MeshName): number {
  const triangles = makeTriangles(name);
  const { center, size, count, positions, index } = triangles;
  const rng = new Rng(31);
  const solid = mesh(positions, index);
  const near = (scale: number): Point => ({
    x: center.x + scale * size * rng.range(-1, 1),
    y: center.y + scale * size * rng.range(-1, 1),
    z: center.z + scale * size * rng.range(-1, 1),
  });
  const to = (a: Point, b: Point): Point => ({ x: b.x - a.x, y: b.y - a.y, z: b.z - a.z });
  const n = CALLS[query];
  const points = Array.from({ length: n }, () => near(0.5));
  const starts = Array.from({ length: n }, () => near(1.5));
  const motions = points.map((p, i) => to(starts[i]!, p));
  const rays = points.map((_, i) => ({ origin: starts[i]!, direction: motions[i]! }));
  // Through vertices, along an axis, and along edges.
  const hardRays = points.map((_, i) => {
    const a = cornerOf(triangles, rng.int(0, count - 1), 0);
    const axis = i % 3;
    const far = 5 * size;
    return i % 2
      ? {
          origin: {
            x: a.x - (axis === 0 ? far : 0),
            y: a.y - (axis === 1 ? far : 0),
            z: a.z - (axis === 2 ? far : 0),
          },
          direction: { x: axis === 0 ? 1 : 0, y: axis === 1 ? 1 : 0, z: axis === 2 ? 1 : 0 },
        }
      : { origin: a, direction: to(a, cornerOf(triangles, rng.int(0, count - 1), 1)) };
  });
  const poses = points.map(() => ({ position: to(center, near(0.7)), quaternion: rng.rotation() }));
  const apart = poses.map(({ position: { x, y, z }, quaternion }) => ({
    position: { x, y: y + 1.5 * size, z },
    quaternion,
  }));
  const hit = makeMeshHit();
  const closest = makeMeshPoint();
  const touch = makeMeshTouch();
  const surfaces = { surfaces: true };
  /** Something made from the answers, so that nothing is optimised away. */
  const ask: Record<Query, (i: number) => number> = {
    ray: (i) => rayMesh(rays[i]!, solid, Infinity, hit)?.t ?? 0,
    'hard-ray': (i) => rayMesh(hardRays[i]!, solid, Infinity, hit)?.t ?? 0,
    closest: (i) => closestPointMesh(points[i]!, solid, Infinity, closest)!.distance,
    sweep: (i) =>
      sweepSphereMesh({ center: starts[i]!, radius: 0.02 * size }, motions[i]!, solid, touch)?.t ?? 0,
    pairs: (i) => +overlapMeshMesh(solid, solid, poses[i]!, surfaces),
    distance: (i) => distanceMeshMesh(solid, solid, apart[i]!),
  };
  const one = ask[query];
  let sink = 0;
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (let i = 0; i < n; i++) sink += one(i);
    if (round > (2 * ROUNDS) / 3) best = Math.min(best, ((performance.now() - start) * 1000) / n);
  }
  return Number.isFinite(sink) ? best : Number.NaN;
}
