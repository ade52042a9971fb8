// runs: bunny
/**
 * Level sets: what it takes to bake one of about 128 cells along the longest side, beside asking the mesh at every point of its
 * grid, and what queries of it take, beside the same of the mesh.
 */
import { cast, collider, distance, intersects, levelSet, mesh, sphere, vec3 } from 'graze';
import { levelSetDistance, levelSetError } from 'graze/shapes';
import { signedDistanceMesh } from 'graze/trimesh';
import { plain } from '../data.ts';
import { measure, report } from '../harness.ts';
import { makePoints, meshOfThisRun } from '../meshes.ts';

const triangles = meshOfThisRun();
const target = mesh(triangles.positions, triangles.index);
const { min, max } = target.bounds;
const spacing = Math.max(max.x - min.x, max.y - min.y, max.z - min.z) / 120;
const level = levelSet(target, { spacing });
const { grid } = level;
const [px, py, pz] = [4 * grid.nx + 1, 4 * grid.ny + 1, 4 * grid.nz + 1];
/** Of the layers of the grid, every eighth stands for all. */
const STRIDE = 8;

const points = makePoints(triangles, 1000)
  .map(plain)
  .filter((p) => levelSetError(p, level) < Infinity);
const N = points.length;
const radius = 4 * spacing;
const about = (p: { x: number; y: number; z: number }) => ({
  position: vec3(p.x, p.y, p.z),
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
});
const balls = points.slice(0, 100).map((p) => collider(sphere(radius), about(p)));
const middle = vec3((min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2);
const motions = points
  .slice(0, 100)
  .map((p) => ({ translation: vec3(middle.x - p.x, middle.y - p.y, middle.z - p.z) }));

const subject = { mesh: triangles.title, rounds: 11, passes: 1 };

/** The same question to both, of balls at the points. */
const pair = (title: string, ask: (solid: typeof level | typeof target, i: number) => number) =>
  measure({
    ...subject,
    title,
    calls: balls.length,
    contenders: [
      { name: 'graze levelSet', run: () => balls.reduce((sum, _, i) => sum + ask(level, i), 0) },
      { name: 'graze mesh', run: () => balls.reduce((sum, _, i) => sum + ask(target, i), 0) },
    ],
  });

report([
  ...measure({
    ...subject,
    title: 'level set, a grid point',
    calls: px * py * pz,
    rounds: 5,
    contenders: [{ name: 'graze levelSet', run: () => levelSet(target, { spacing }).error }],
  }).flatMap((row) => {
    const asked = measure({
      ...subject,
      title: row.subject,
      calls: Math.ceil(pz / STRIDE) * py * px,
      rounds: 5,
      contenders: [
        {
          name: 'the mesh asked at every one',
          run() {
            const p = vec3();
            let sum = 0;
            for (let k = 0; k < pz; k += STRIDE)
              for (let j = 0; j < py; j++)
                for (let i = 0; i < px; i++) {
                  p.x = grid.x + i * spacing;
                  p.y = grid.y + j * spacing;
                  p.z = grid.z + k * spacing;
                  sum += signedDistanceMesh(p, target);
                }
            return sum;
          },
        },
      ],
    })[0]!;
    return [row, { ...asked, ratio: asked.nanoseconds / row.nanoseconds }];
  }),
  ...measure({
    ...subject,
    title: 'level set, signed distance',
    calls: N,
    contenders: [
      {
        name: 'graze levelSet',
        run: () => points.reduce((sum, p) => sum + levelSetDistance(p, level), 0),
        wrong: () =>
          points.filter(
            (p) =>
              !(
                Math.abs(levelSetDistance(p, level) - signedDistanceMesh(p, target)) <=
                levelSetError(p, level)
              ),
          ).length,
      },
      {
        name: 'graze mesh',
        run: () => points.reduce((sum, p) => sum + signedDistanceMesh(p, target), 0),
      },
    ],
  }),
  ...pair('level set, does a ball overlap it?', (solid, i) => (intersects(balls[i]!, solid) ? 1 : 0)),
  ...pair('level set, how far is a ball?', (solid, i) => distance(balls[i]!, solid)?.separation ?? 0),
  ...pair('level set, a ball moves to it', (solid, i) => cast(balls[i]!, motions[i]!, solid)?.t ?? 1),
]);
