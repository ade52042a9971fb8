// runs: raycast closestPoint cast intersects distance
/**
 * What the front door costs: a query of `graze` beside the function of the toolbox that does the same, in one process for each
 * query. The bar is 1.15: the ratio of the second row must not be below 0.87.
 */
import { cast, closestPoint, collider, distance, hull, intersects, mesh, raycast, sphere, vec3 } from 'graze';
import { gjkDistance, makeFrame, makeGjkResult, makeGjkState, relativeFrame } from 'graze/convex';
import { makeCastHit, makeClosestPoint, makeSeparation } from 'graze/shapes';
import {
  closestPointMesh,
  containsPointMesh,
  makeMeshHit,
  makeMeshPoint,
  makeMeshTouch,
  overlapSphereMesh,
  rayMesh,
  sweepSphereMesh,
} from 'graze/trimesh';
import { type Contender, race, rng } from '../harness.ts';
import { makePoints, makeRays, makeSweeps, makeTriangles } from '../meshes.ts';

const query = process.argv[2] ?? 'raycast';
const triangles = makeTriangles('knot');
const level = mesh(triangles.positions, triangles.index);
const pose = { position: vec3(0.5, 0.5, 0.5), quaternion: { x: 0, y: 0, z: 0, w: 1 } };

/** Two contenders that must give the same numbers, and how often they do not. */
function compare(calls: number, door: (i: number) => number, toolbox: (i: number) => number): void {
  const all =
    (ask: (i: number) => number): Contender['run'] =>
    () => {
      let sum = 0;
      for (let i = 0; i < calls; i++) sum += ask(i);
      return sum;
    };
  let wrong = 0;
  for (let i = 0; i < calls; i++) if (!(Math.abs(door(i) - toolbox(i)) <= 1e-9)) wrong++;
  race({
    title: `front door: ${query}`,
    calls,
    rounds: 41,
    passes: 1,
    contenders: [
      { name: 'graze', run: all(door), wrong: () => wrong },
      { name: 'graze, toolbox', run: all(toolbox), wrong: () => wrong },
    ],
  });
}

if (query === 'raycast') {
  const rays = makeRays(triangles, 2000);
  const options = { solid: false, out: makeCastHit() };
  const hit = makeMeshHit();
  compare(
    rays.length,
    (i) => raycast(rays[i]!, level, options)?.t ?? -1,
    (i) => rayMesh(rays[i]!, level, Infinity, hit)?.t ?? -1,
  );
} else if (query === 'closestPoint') {
  const points = makePoints(triangles, 1000);
  const options = { out: makeClosestPoint() };
  const out = makeMeshPoint();
  compare(
    points.length,
    (i) => closestPoint(points[i]!, level, options).distance,
    (i) => closestPointMesh(points[i]!, level, Infinity, out)!.distance,
  );
} else if (query === 'cast' || query === 'intersects') {
  // Those that start inside get a way out from the front door, which no function of the toolbox looks for.
  const sweeps = makeSweeps(triangles, 1200).filter(({ center }) => !containsPointMesh(center, level));
  const balls = sweeps.map(({ center, radius }) =>
    collider(sphere(radius), { position: center, quaternion: pose.quaternion }),
  );
  if (query === 'cast') {
    const motions = sweeps.map(({ motion }) => ({ translation: motion }));
    const options = { out: makeCastHit() };
    const out = makeMeshTouch();
    compare(
      sweeps.length,
      (i) => cast(balls[i]!, motions[i]!, level, options)?.t ?? -1,
      (i) =>
        containsPointMesh(sweeps[i]!.center, level)
          ? 0
          : (sweepSphereMesh(sweeps[i]!, sweeps[i]!.motion, level, out)?.t ?? -1),
    );
  } else {
    const solid = { solid: true };
    compare(
      sweeps.length,
      (i) => +intersects(balls[i]!, level),
      (i) => +overlapSphereMesh(sweeps[i]!, level, solid),
    );
  }
} else {
  const shape = hull(Array.from({ length: 32 }, () => rng.direction()));
  const a = collider(shape, { position: vec3(), quaternion: pose.quaternion });
  const bodies = Array.from({ length: 1000 }, () =>
    collider(shape, {
      position: vec3(rng.range(2.1, 4), rng.range(-1, 1), 0.5),
      quaternion: pose.quaternion,
    }),
  );
  const options = { out: makeSeparation() };
  const frame = makeFrame();
  const state = makeGjkState();
  const result = makeGjkResult();
  compare(
    bodies.length,
    (i) => distance(a, bodies[i]!, options)!.separation,
    (i) => {
      relativeFrame(a.pose, bodies[i]!.pose, frame);
      state.count = 0;
      return gjkDistance(shape.core, shape.core, frame, state, result).coreDistance;
    },
  );
}
