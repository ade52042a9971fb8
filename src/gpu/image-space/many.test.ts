/** Many bodies: pairs by ids, and the filter, against the exact pairs of the library. */
import { describe, expect, test } from 'vitest';
import {
  type DrawnBody,
  poseAt,
  randomHull,
  randomSolid,
  solidBody,
} from '../../../tests/kit/image-bodies.ts';
import { asyncProperty, check, Rng } from '../../../tests/kit/index.ts';
import { boxMesh, cornersOf, icosphere, soup, torus } from '../../../tests/kit/meshes.ts';
import { distance, intersects, triangle, vec3 } from '../../index.ts';
import { type CollisionFilterOptions, filterCollisions } from './collision-filter.ts';
import { anyIntersectImage, pairsSolidImage } from './many-solids.ts';
import { SoftwareRasterizer } from './software-rasterizer.ts';

const raster = new SoftwareRasterizer({ size: 64 });

function exactPairs(bodies: readonly DrawnBody[]): [number, number][] {
  return bodies.flatMap((a, i) =>
    bodies.flatMap((b, j) => (i < j && intersects(a.exact, b.exact) ? [[i, j] as [number, number]] : [])),
  );
}

describe('[R10.3] many solids at once', () => {
  const fine = new SoftwareRasterizer({ size: 256 });
  let exactly = 0;
  let found = 0;
  asyncProperty(
    'pairs are pairs, within some pixels; a question of all has the same answer',
    100,
    async (rng) => {
      const bodies = Array.from({ length: 6 }, () =>
        solidBody(randomSolid(rng), poseAt(rng.vec(3), rng.rotation())),
      );
      const { pairs, pixel, certainty } = await pairsSolidImage(fine, bodies);
      check(certainty === 'approximate', 'approximate');
      const any = await anyIntersectImage(fine, bodies);
      for (let k = 0; k < pairs.length; k += 2) {
        const [a, b] = [bodies[pairs[k]!]!, bodies[pairs[k + 1]!]!];
        check(pairs[k]! < pairs[k + 1]!, 'the lower first');
        check(distance(a.exact, b.exact)!.separation < 4 * pixel, 'a pair across a gap');
      }
      check(any || pairs.length === 0, 'pairs, and none of all');
      const keys = new Set(
        Array.from({ length: pairs.length / 2 }, (_, k) => `${pairs[2 * k]},${pairs[2 * k + 1]}`),
      );
      for (const [i, j] of exactPairs(bodies)) {
        exactly++;
        if (keys.has(`${i},${j}`)) found++;
      }
    },
  );
  test('most of the pairs are found', () => {
    expect(exactly).toBeGreaterThan(30);
    expect(found).toBeGreaterThan(0.9 * exactly);
  });

  test('edges that are not moved away from their solid are found inside of it', async () => {
    const bodies = [0, 3, 6].map((x) =>
      solidBody(icosphere(2), poseAt(vec3(x, 0, 0), { x: 0.2, y: 0.3, z: 0.1, w: 1 })),
    );
    expect(await anyIntersectImage(fine, bodies, { offset: 0 })).toBe(true);
    expect(await anyIntersectImage(fine, bodies)).toBe(false);
    // Ids tell: no solid meets itself.
    expect((await pairsSolidImage(fine, bodies, { offset: 0 })).pairs).toHaveLength(0);
  });

  test('linked rings are no pair, one inside of another is; none, and one', async () => {
    const ring = torus(32, 16, 1, 0.25);
    const turned = { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };
    const bodies = [
      solidBody(ring, poseAt(vec3())),
      solidBody(ring, poseAt(vec3(1, 0, 0), turned)),
      solidBody(icosphere(1, 0.4), poseAt(vec3(-4, 0, 0))),
      solidBody(boxMesh(), poseAt(vec3(-4, 0, 0))),
    ];
    expect([...(await pairsSolidImage(fine, bodies)).pairs]).toEqual([2, 3]);
    expect(await anyIntersectImage(fine, bodies.slice(0, 2))).toBe(false);
    for (const few of [[], bodies.slice(0, 1)]) {
      expect((await pairsSolidImage(fine, few)).pairs).toHaveLength(0);
      expect(await anyIntersectImage(fine, few)).toBe(false);
    }
  });

  test('ids go beyond a byte', async () => {
    const small = boxMesh(vec3(-0.4, -0.4, -0.4), vec3(0.4, 0.4, 0.4));
    const bodies = Array.from({ length: 300 }, (_, i) =>
      solidBody(small, poseAt(vec3(i % 18, Math.floor(i / 18), 0))),
    );
    bodies.push(solidBody(small, poseAt(vec3(11.3, 16.2, 0.1))));
    // 298 is at 10, 16 and 299 at 11, 16.
    expect([...(await pairsSolidImage(fine, bodies)).pairs]).toEqual([299, 300]);
  });
});

/** What is around: solids, hulls, sheets that are open; apart, touching, deep. */
function scene(rng: Rng): DrawnBody[] {
  const count = rng.int(2, 9);
  const room = rng.pick([1, 2.5, 5]);
  const lattice = rng.chance(0.3);
  return Array.from({ length: count }, () => {
    const at = lattice ? vec3(2 * rng.int(-2, 2), 2 * rng.int(-2, 2), 2 * rng.int(-1, 1)) : rng.vec(room);
    // On the lattice, boxes touch exactly.
    if (lattice) return solidBody(boxMesh(), poseAt(at));
    const pose = poseAt(at, rng.rotation());
    const kind = rng.int(0, 3);
    if (kind === 0) return randomHull(rng, pose);
    if (kind === 1) return solidBody(soup(rng, rng.int(1, 4)), pose);
    const small = rng.chance(0.2) ? 0.02 : 1;
    const { positions, index } = randomSolid(rng);
    return solidBody({ positions: positions.map((x) => x * small), index }, pose);
  });
}

describe('[R10.4] the potentially colliding set', () => {
  let dropped = 0;
  let all = 0;
  asyncProperty('no object that meets another is dropped, whatever the resolution', 2500, async (rng) => {
    const bodies = scene(rng);
    const coarse = new SoftwareRasterizer({ size: rng.pick([16, 32, 64]) });
    const { objects, certainty, rounds } = await filterCollisions(coarse, bodies);
    check(certainty === 'conservative', 'conservative');
    const kept = new Set(objects);
    for (const pair of exactPairs(bodies))
      for (const i of pair)
        check(kept.has(i), () => `${i} of ${bodies.length} meets another, and is dropped: ${pair}`);
    all += bodies.length;
    dropped += bodies.length - objects.length;
    for (const [k, round] of rounds.entries()) {
      check(round.kept <= round.tested && round.queries === 2 * round.tested, 'counters');
      const next = rounds[k + 1];
      if (next) check(next.tested === round.kept, 'what is left goes on');
    }
  });
  test('and many that do not are', () => {
    expect(dropped).toBeGreaterThan(0.2 * all);
  });

  asyncProperty('faces: of two that meet, none is dropped', 120, async (rng) => {
    const bodies = Array.from({ length: rng.int(2, 4) }, () =>
      solidBody(randomSolid(rng), poseAt(rng.vec(1.2), rng.rotation())),
    );
    const stages = ['boxes', 'objects', 'faces'] as const;
    const { objects, faces } = await filterCollisions(raster, bodies, { stages });
    check(faces !== null && faces.length === objects.length, 'a list for each object');
    for (const [i, a] of bodies.entries())
      for (const [j, b] of bodies.entries()) {
        if (i === j) continue;
        const left = new Set(faces[objects.indexOf(i)] ?? []);
        for (let f = 0; f < a.triangles.index.length / 3; f++) {
          if (left.has(f)) continue;
          const face = { shape: triangle(...cornersOf(a.triangles, f)), pose: a.pose };
          // A face that is inside of a solid meets no surface of it: only crossing counts here.
          check(!crosses(face, b), () => `face ${f} of ${i} meets ${j}, and is dropped`);
        }
      }
  });

  test('faces: only those near the contact are left', async () => {
    const a = solidBody(icosphere(2), poseAt(vec3()));
    const b = solidBody(icosphere(2), poseAt(vec3(1.9, 0, 0)));
    const fine = new SoftwareRasterizer({ size: 256 });
    const { objects, faces } = await filterCollisions(fine, [a, b], { stages: ['objects', 'faces'] });
    expect([...objects]).toEqual([0, 1]);
    for (const left of faces!) {
      expect(left.length).toBeGreaterThan(0);
      expect(left.length).toBeLessThan(0.35 * a.model.triangleCount);
    }
  });

  for (const conservative of [true, false])
    test(`a stack that is deep along the first axis is empty after the second${conservative ? '' : ', as the book draws it'}`, async () => {
      const count = 12;
      // Out of order: nearly all are behind one that was drawn before them, in both passes.
      const bodies = Array.from({ length: count }, (_, i) =>
        solidBody(boxMesh(), poseAt(vec3(0, 0, -3 * ((5 * i) % count)))),
      );
      const { objects, rounds, certainty } = await filterCollisions(raster, bodies, {
        stages: ['objects'],
        conservative,
      });
      expect(objects).toHaveLength(0);
      expect(certainty).toBe(conservative ? 'conservative' : 'approximate');
      expect(rounds.map(({ axis, tested }) => [axis, tested])).toEqual([
        ['z', count],
        ['x', rounds[0]!.kept],
      ]);
      expect(rounds[0]!.kept).toBeGreaterThan(count / 2);
      expect(rounds[1]!.kept).toBe(0);
    });

  test('as the book draws it, what meets by less than a pixel may be dropped: it is called approximate', async () => {
    let wrong = 0;
    for (let i = 0; i < 300; i++) {
      const bodies = scene(new Rng(i));
      const { objects, certainty } = await filterCollisions(raster, bodies, { conservative: false });
      expect(certainty).toBe('approximate');
      for (const pair of exactPairs(bodies)) for (const k of pair) if (!objects.includes(k)) wrong++;
    }
    expect(wrong).toBeGreaterThan(0);
  });

  test('the last of a pass go if all of them were fully seen', async () => {
    // From far to near: nothing is behind what was drawn before.
    const bodies = Array.from({ length: 5 }, (_, i) => solidBody(boxMesh(), poseAt(vec3(0, 0, 3 * i))));
    const { objects, rounds } = await filterCollisions(raster, bodies, { stages: ['objects'] });
    expect(objects).toHaveLength(0);
    expect(rounds).toHaveLength(1);
  });

  test('boxes that cross leave it to the objects; what they enclose is kept', async () => {
    const ring = torus(32, 16, 1, 0.25);
    const ball = solidBody(icosphere(1, 0.2), poseAt(vec3()));
    const bodies = [solidBody(ring, poseAt(vec3())), ball, solidBody(boxMesh(), poseAt(vec3(9, 0, 0)))];
    const { objects, rounds } = await filterCollisions(raster, bodies, { stages: ['boxes'] });
    expect([...objects]).toEqual([0, 1]);
    expect(rounds.every(({ stage }) => stage === 'boxes')).toBe(true);
    // In the hole of the ring: seen along the axis, nothing is behind anything.
    expect((await filterCollisions(raster, bodies)).objects).toHaveLength(0);
    const inside = [solidBody(boxMesh(), poseAt(vec3())), ball];
    const { objects: both, faces } = await filterCollisions(raster, inside, {
      stages: ['boxes', 'objects', 'faces'],
    });
    expect([...both]).toEqual([0, 1]);
    expect(faces).toHaveLength(2);
  });

  test('none, one, no stages; and what is no stage', async () => {
    const one = [solidBody(boxMesh(), poseAt(vec3()))];
    expect((await filterCollisions(raster, [])).objects).toHaveLength(0);
    expect((await filterCollisions(raster, one)).objects).toHaveLength(0);
    expect([...(await filterCollisions(raster, one, { stages: [] })).objects]).toEqual([0]);
    const options = { stages: ['meshes'] } as unknown as CollisionFilterOptions;
    expect(() => filterCollisions(raster, one, options)).toThrow(
      /options.stages\[0\] must be one of 'boxes', 'objects', 'faces'/,
    );
  });
});

/** Does a triangle meet a triangle of the body? */
function crosses(
  face: { shape: ReturnType<typeof triangle>; pose: DrawnBody['pose'] },
  b: DrawnBody,
): boolean {
  if (!intersects(face, b.exact)) return false;
  for (let f = 0; f < b.triangles.index.length / 3; f++)
    if (intersects(face, { shape: triangle(...cornersOf(b.triangles, f)), pose: b.pose })) return true;
  return false;
}
