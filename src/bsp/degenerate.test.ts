/** Degenerate solids: identical ones, some that only touch, some without volume, sizes of 1e6 to 1, far from the origin. */
import { describe, expect, test } from 'vitest';
import { compareSweep } from '../../tests/kit/bsp-sweep.ts';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import { boxMesh, inverted, together } from '../../tests/kit/meshes.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { closestPointMesh } from '../trimesh/closest.ts';
import { isInside } from '../trimesh/inside.ts';
import { mesh } from '../trimesh/mesh.ts';
import { overlapAabbMesh, overlapSphereMesh } from '../trimesh/overlap.ts';
import { rayMesh } from '../trimesh/ray.ts';
import { buildSolidBsp } from './solid-bsp.ts';
import { locatePointBsp, overlapAabbBsp, overlapSphereBsp, rayBsp } from './solid-queries.ts';

const unit = (x: number, y = 0, z = 0, size = 1) =>
  boxMesh(vec3(x, y, z), vec3(x + size, y + size, z + size));
/** A tetrahedron, and one that is flat: closed, with no inside. */
const tetrahedron = (height: number) => ({
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, height),
  index: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3),
});
const far = (offset: number) =>
  boxMesh(vec3(offset, offset, offset), vec3(offset + 1, offset + 2, offset + 3));

const SOLIDS = {
  'one tetrahedron': tetrahedron(1),
  'the same box twice': together(unit(0), unit(0)),
  'the same box six times': together(unit(0), unit(0), unit(0), unit(0), unit(0), unit(0)),
  'a face touches a face': together(unit(-1), unit(0)),
  'an edge touches an edge': together(unit(-1, -1), unit(0)),
  'a corner touches a corner': together(unit(-1, -1, -1), unit(0)),
  'one box in another with the same middle': together(unit(-2, -2, -2, 4), unit(-1, -1, -1, 2)),
  'a hollow with the same middle': together(unit(-2, -2, -2, 4), inverted(unit(-1, -1, -1, 2))),
  'a solid and the same inside out': together(unit(0), inverted(unit(0))),
  'sizes of 1 to 1e-6': together(unit(0), unit(1.5, 0, 0, 1e-6), unit(-1e-6, 0.5, 0.5, 1e-6)),
  'far away, at negative coordinates': far(-1e6),
  'a flat tetrahedron beside a box': together(tetrahedron(0), unit(2)),
  'nothing but a flat tetrahedron': tetrahedron(0),
  'a triangle without area in a face': {
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0, 0],
    index: [0, 2, 1, 0, 4, 3, 4, 1, 3, 1, 2, 3, 2, 0, 3, 0, 1, 4],
  },
};

for (const [name, { positions, index }] of Object.entries(SOLIDS))
  describe(name, () => {
    const solid = mesh(Array.from(positions), Array.from(index));
    const bsp = buildSolidBsp(solid);
    const { min, max } = solid.bounds;
    const size = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
    const near = 16 * bsp.thickness;

    /** Near it, and often on its planes: at halves of its size. */
    const place = (rng: Rng): Vec3 => {
      const at = (axis: 'x' | 'y' | 'z'): number =>
        rng.chance(0.5)
          ? min[axis] + (rng.int(-1, 3) / 2) * (max[axis] - min[axis])
          : rng.range(min[axis] - size / 2, max[axis] + size / 2);
      return vec3(at('x'), at('y'), at('z'));
    };

    property('[R8.2.3] [R8.4.1] [R8.4.2] points and rays are those of the mesh', 600, (rng) => {
      const p = place(rng);
      const side = locatePointBsp(p, bsp);
      const gap = closestPointMesh(p, solid)!.distance;
      if (side === 0) check(gap <= near, () => `at the boundary, and ${gap} away`);
      else if (gap > near) check(side > 0 === isInside(p, solid), 'side');
      const direction = rng.chance(0.5) ? v3.sub(place(rng), p) : rng.direction();
      const hit = rayBsp({ origin: p, direction }, bsp);
      if (side >= 0) {
        check(hit!.startsSolid, 'starts inside');
        return;
      }
      const wanted =
        direction.x || direction.y || direction.z ? rayMesh({ origin: p, direction }, solid) : null;
      check(
        hit?.t === wanted?.t && hit?.triangle === wanted?.triangle,
        () => `${hit?.t} is not ${wanted?.t}`,
      );
    });

    property('[R8.4.3] balls and boxes meet it where the mesh says, at rest and as they move', 300, (rng) => {
      const center = place(rng);
      const gap = isInside(center, solid) ? 0 : closestPointMesh(center, solid)!.distance;
      const radius = rng.pick([0, rng.unit() * size, gap]);
      const sphere = { center, radius };
      // Where it just touches, the two round differently.
      if (Math.abs(radius - gap) > 1e-15 * (gap + v3.length(center) + size) || radius === 0)
        check(overlapSphereBsp(sphere, bsp) === gap <= radius, () => `ball: ${gap} and ${radius}`);
      check(overlapSphereBsp(sphere, bsp) === overlapSphereMesh(sphere, solid, { solid: true }), 'ball');
      const half = v3.scale(vec3(rng.unit(), rng.pick([0, 0.5, rng.unit()]), rng.unit()), radius);
      const box = { min: v3.sub(center, half), max: v3.add(center, half) };
      check(overlapAabbBsp(box, bsp) === overlapAabbMesh(box, solid, { solid: true }), 'box');
      compareSweep(box, v3.scale(v3.sub(place(rng), center), rng.pick([0, 1, 2])), bsp);
    });
  });

test('[R8.2.3] nothing at all has no tree', () => {
  expect(() => buildSolidBsp(mesh([0, 0, 0], []))).toThrow();
});
