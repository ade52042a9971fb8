/** BSP trees of the levels of games: points and rays get the answers of the exact mesh engine, off the thick planes. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { readMap, solidBrushes } from '../playground/src/quake-map.ts';
import { buildBrushBsp, buildSolidBsp, makeBspHit, rayBsp, type SolidBsp } from '../src/bsp/index.ts';
import { locate } from '../src/bsp/solid-queries.ts';
import { vec3 } from '../src/math/index.ts';
import { containsPointMesh, makeMeshHit, buildMesh as mesh, rayMesh } from '../src/trimesh/index.ts';
import { gameLevel } from './kit/game-levels.ts';
import { check, property, type Rng } from './kit/index.ts';

const map = new URL('../../shared/data/levels/lqdm13.map', import.meta.url);
const nav = gameLevel('nav_test.obj');
const LEVELS: [string, () => SolidBsp][] = [];
if (nav) LEVELS.push(['nav_test.obj', () => buildSolidBsp(mesh(nav.triangles.flat(2)))]);
if (existsSync(map))
  LEVELS.push(['lqdm13.map', () => buildBrushBsp(solidBrushes(readMap(readFileSync(map, 'utf8'))))]);

if (LEVELS.length === 0) test.skip('the levels are not there', () => {});

/** Many a case: 500 points and 500 rays. `GRAZE_CASES=10` makes it a million of each on each level. */
const EACH = 500;

for (const [name, build] of LEVELS)
  describe(name, () => {
    const bsp = build();
    const { min, max } = bsp.world;
    const place = (rng: Rng) =>
      vec3(rng.range(min.x, max.x), rng.range(min.y, max.y), rng.range(min.z, max.z));
    // Between planes of nav_test.obj that meet at next to no angle, leaves that are grown by the thickness reach far beyond their thin
    // ends: rays can run into those, which `raycast` of the shape finds out by asking the mesh.
    const withRays = name !== 'nav_test.obj';
    const hit = makeBspHit();
    const exactHit = makeMeshHit();

    property('[R8.4.1] [R8.4.2] no point and no ray is wrong off the thick planes', 200, (rng) => {
      for (let i = 0; i < EACH; i++) {
        const p = place(rng);
        const side = locate(p, bsp);
        if (side !== 0) check(side > 0 === containsPointMesh(p, bsp.mesh), 'point');
        if (side >= 0 || !withRays) continue;
        const ray = { origin: p, direction: rng.direction() };
        const found = rayBsp(ray, bsp, Number.POSITIVE_INFINITY, hit);
        const wanted = rayMesh(ray, bsp.mesh, Number.POSITIVE_INFINITY, exactHit);
        if (wanted && bsp.thinTriangles.includes(wanted.triangle)) continue; // listed: not in the tree
        const slope = found
          ? Math.abs(
              ray.direction.x * hit.normal.x +
                ray.direction.y * hit.normal.y +
                ray.direction.z * hit.normal.z,
            )
          : 1;
        const slack = (1e3 * bsp.thickness) / slope;
        check(
          found ? wanted !== null && Math.abs(found.t - wanted.t) <= slack : wanted === null,
          () => `${found?.t} is not ${wanted?.t} for ${JSON.stringify(ray)}`,
        );
      }
    });
  });
