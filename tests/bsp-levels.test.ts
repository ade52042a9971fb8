/** BSP trees of levels of games and of closed meshes: points and rays get the answers of the exact mesh engine, to the last bit. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { readMap, solidBrushes } from '../playground/src/quake-map.ts';
import {
  buildBrushBsp,
  buildSolidBsp,
  makeBspHit,
  overlapObbBsp,
  overlapPolygonBsp,
  overlapSphereBsp,
  rayBsp,
  type SolidBsp,
} from '../src/bsp/index.ts';
import { kindsAt, locate, NEAR_PLANE } from '../src/bsp/solid-queries.ts';
import { type Vec3, vec3 } from '../src/math/index.ts';
import * as m3 from '../src/math/mat3.ts';
import * as v3 from '../src/math/vec3.ts';
import {
  closestPointMesh,
  makeMeshHit,
  makeMeshPoint,
  buildMesh as mesh,
  overlapObbMesh,
  overlapSphereMesh,
  overlapTriangleMesh,
  rayMesh,
} from '../src/trimesh/index.ts';
import { isInside } from '../src/trimesh/inside.ts';
import { compareSweep } from './kit/bsp-sweep.ts';
import { closedByCones } from './kit/closed-levels.ts';
import { gameLevel } from './kit/game-levels.ts';
import { check, count, factor, property, type Rng } from './kit/index.ts';

const data = new URL('../../shared/data/', import.meta.url);

function objMesh(file: string) {
  const positions: number[] = [];
  const index: number[] = [];
  for (const line of readFileSync(new URL(`meshes/${file}`, data), 'utf8').split('\n')) {
    const [kind, ...rest] = line.trim().split(/\s+/);
    if (kind === 'v') positions.push(...rest.slice(0, 3).map(Number));
    const corners = kind === 'f' ? rest.map((word) => Number.parseInt(word, 10) - 1) : [];
    for (let k = 2; k < corners.length; k++) index.push(corners[0]!, corners[k - 1]!, corners[k]!);
  }
  return mesh(positions, index);
}

/** A level with holes, closed. */
function closedLevel(file: 'dungeon.obj' | 'collision-world.glb'): SolidBsp {
  const positions = gameLevel(file)!.triangles.flat(2);
  const index = Array.from({ length: positions.length / 3 }, (_, i) => i);
  const closed = closedByCones({ positions, index });
  return buildSolidBsp(mesh(closed.positions, closed.index));
}

const LEVELS: Readonly<Record<string, () => SolidBsp>> = {
  'levels/nav_test.obj': () => buildSolidBsp(mesh(gameLevel('nav_test.obj')!.triangles.flat(2))),
  'levels/lqdm13.map': () =>
    buildBrushBsp(solidBrushes(readMap(readFileSync(new URL('levels/lqdm13.map', data), 'utf8')))),
  'levels/collision-world.glb': () => closedLevel('collision-world.glb'),
  'levels/dungeon.obj': () => closedLevel('dungeon.obj'),
  'meshes/low_poly_bunny.obj': () => buildSolidBsp(objMesh('low_poly_bunny.obj')),
  'meshes/hull-body.obj': () => buildSolidBsp(objMesh('hull-body.obj')),
  'meshes/hull-mask.obj': () => buildSolidBsp(objMesh('hull-mask.obj')),
};
/** Those whose trees take long to build: only with `GRAZE_CASES` of 1 or more. */
const SLOW = ['levels/dungeon.obj', 'meshes/hull-body.obj', 'meshes/hull-mask.obj'];

/** Points and rays of a case. `GRAZE_CASES=10` makes it a million of each on each level. */
const EACH = 500;

for (const [file, build] of Object.entries(LEVELS)) {
  if (!existsSync(new URL(file, data))) {
    test.skip(`${file} is not there`, () => {});
    continue;
  }
  if (factor < 1 && SLOW.includes(file)) continue;
  describe(file, () => {
    const bsp = build();
    const { min, max } = bsp.world;
    const triangles = bsp.polygons.filter((points) => points.length > 0);
    const onMesh = makeMeshPoint();
    const hit = makeBspHit();
    const exact = makeMeshHit();

    const anywhere = (rng: Rng): Vec3 =>
      vec3(rng.range(min.x, max.x), rng.range(min.y, max.y), rng.range(min.z, max.z));
    /** On the surface: inside of a triangle, on an edge or at a vertex. */
    const onSurface = (rng: Rng): Vec3 => {
      const [a, b, c] = rng.pick(triangles);
      const [u, v] = [rng.pick([0, 1, rng.unit()]), rng.pick([0, rng.unit()])];
      return v3.lerp(v3.lerp(a!, b!, u), c!, v * (1 - u));
    };
    const direction = (rng: Rng, p: Vec3): Vec3 => {
      const kind = rng.unit();
      if (kind < 0.5) return rng.direction();
      if (kind < 0.9) return v3.sub(onSurface(rng), p);
      return rng.pick([vec3(1), vec3(-1), vec3(0, 1), vec3(0, -1), vec3(0, 0, 1), vec3(0, 0, -1)]);
    };

    property('[R8.4.1] [R8.4.2] no point and no ray is wrong', 200, (rng) => {
      for (let i = 0; i < EACH; i++) {
        const isOn = rng.chance(0.05);
        const p = isOn ? onSurface(rng) : anywhere(rng);
        const side = locate(p, bsp);
        check(!isOn || side >= 0, 'a point of the surface is outside');
        if (side === 0) {
          const { distance } = closestPointMesh(p, bsp.mesh, Infinity, onMesh)!;
          check(distance <= 4 * bsp.thickness, () => `at the boundary, and ${distance} from it`);
        } else if (!isOn) check(side > 0 === isInside(p, bsp.mesh), () => `the point ${JSON.stringify(p)}`);
        if ((kindsAt(p, bsp) & NEAR_PLANE) === 0) count('points off the planes');
        const ray = { origin: p, direction: direction(rng, p) };
        const found = rayBsp(ray, bsp, Infinity, hit);
        if (side >= 0) {
          check(found!.startsSolid && found!.t === 0, 'starts in the solid');
          continue;
        }
        const wanted = rayMesh(ray, bsp.mesh, Infinity, exact);
        count('rays from outside');
        check(
          found === null ? wanted === null : found.t === wanted?.t && found.triangle === wanted.triangle,
          () => `${found?.t} is not ${wanted?.t} for ${JSON.stringify(ray)}`,
        );
        if (found && wanted)
          check(
            v3.distance(found.point, wanted.point) === 0 && v3.distance(found.normal, wanted.normal) === 0,
            () => `point or normal for ${JSON.stringify(ray)}`,
          );
      }
    });

    property('[R8.4.3] no box is wrong, at rest or as it moves', 200, (rng) => {
      for (let i = 0; i < EACH; i++) {
        const center = rng.chance(0.2) ? onSurface(rng) : anywhere(rng);
        const size = rng.pick([0, 1e-3, 0.01, 0.01, 0.03]) * (max.x - min.x);
        const half = vec3(size * rng.unit(), size * rng.unit(), size * rng.unit());
        const motion = v3.scale(direction(rng, center), rng.pick([0.1, 1, 1, 10]));
        const box = { min: v3.sub(center, half), max: v3.add(center, half) };
        // Corners that lie on the surface, or a little away from it.
        if (rng.chance(0.1)) v3.copy(onSurface(rng), box.min);
        if (box.min.x > box.max.x || box.min.y > box.max.y || box.min.z > box.max.z)
          v3.copy(box.min, box.max);
        count(compareSweep(box, motion, bsp) ? 'boxes in the solid' : 'boxes from outside');
      }
    });

    property('[R8.4.3] no sphere, oriented box or polygon is wrong', 200, (rng) => {
      const solid = { solid: true };
      for (let i = 0; i < EACH / 5; i++) {
        const center = rng.chance(0.2) ? onSurface(rng) : anywhere(rng);
        const size = rng.pick([0, 1e-3, 0.01, 0.03, 0.1]) * (max.x - min.x);
        const sphere = { center, radius: size * rng.unit() };
        check(overlapSphereBsp(sphere, bsp) === overlapSphereMesh(sphere, bsp.mesh, solid), 'sphere');
        const halfSize = vec3(size * rng.unit(), size * rng.unit(), size * rng.pick([0, rng.unit()]));
        const box = { center, halfSize, rotation: m3.fromQuat(rng.rotation()) };
        check(overlapObbBsp(box, bsp) === overlapObbMesh(box, bsp.mesh, solid), 'oriented box');
        // Corners on the surface, or near it; the same one twice, too.
        const corner = (): Vec3 => (rng.chance(0.2) ? onSurface(rng) : v3.add(center, rng.vec(size)));
        const [a, b, c] = [center, corner(), rng.chance(0.1) ? center : corner()];
        check(
          overlapPolygonBsp([a, b, c], bsp) ===
            (overlapTriangleMesh(a, b, c, bsp.mesh) || isInside(a, bsp.mesh)),
          'polygon',
        );
      }
    });
  });
}
