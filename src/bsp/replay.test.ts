import { describe, expect, test } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { overlapTriangleAabb } from '../primitives/index.ts';
import { buildLeafBsp, type LeafBspOptions } from './leaf-bsp.ts';
import { type BspQuery, replayBsp } from './replay.ts';

const anyPoint = (rng: Rng): Vec3 =>
  rng.chance(0.5) ? vec3(rng.int(-2, 2), rng.int(-2, 2), rng.int(-2, 2)) : rng.vec(2);

/** Triangles, many of them with corners on a lattice, so that they touch, cross and lie in one plane. */
const anyScene = (rng: Rng): Vec3[][] =>
  Array.from({ length: rng.pick([0, 1, 5, 30]) }, () => [anyPoint(rng), anyPoint(rng), anyPoint(rng)]);

function anyQuery(rng: Rng): BspQuery {
  const [a, b] = [anyPoint(rng), anyPoint(rng)];
  const kind = rng.int(0, 3);
  if (kind === 0) return { point: a };
  if (kind === 1) return { box: { min: v3.min(a, b), max: v3.max(a, b) } };
  const ray = { origin: a, direction: v3.distance(a, b) > 0 ? v3.sub(b, a) : vec3(0, 0, 1) };
  return kind === 2 ? { ray } : { ray, tMax: rng.pick([0.5, 1, 2]) };
}

const SETTINGS: LeafBspOptions[] = [
  { leafSize: 1000 },
  {},
  { leafSize: 1, candidates: ['faces'] },
  { leafSize: 2, candidates: ['axes'], splitWeight: 0.1 },
  { leafSize: 1, expectedCost: true, samples: 1, seed: 7 },
  { leafSize: 1, maxDepth: 3 },
  { leafSize: 1, climb: true, candidates: ['edges', 'axes'] },
  { thickness: 0.01 },
];

describe('[R8.3.6] a log of queries on trees of different settings', () => {
  property('settings never change the answers', 300, (rng) => {
    const polygons = anyScene(rng);
    const log = Array.from({ length: 20 }, () => anyQuery(rng));
    // The first of them, and each of the others every third time: some take long to build.
    const settings = SETTINGS.filter((_, i) => i === 0 || rng.chance(1 / 3));
    const costs = replayBsp(
      log,
      settings.map((options) => buildLeafBsp(polygons, options)),
    );
    for (const [i, { differing }] of costs.entries())
      check(differing.length === 0, () => `${JSON.stringify(settings[i])}: queries ${differing}`);
    // The first tree is one leaf: each query tests everything, once.
    const [{ nodes, leaves, polygons: tested, treeNodes, fragments }] = costs as [(typeof costs)[0]];
    check(nodes === 0 && treeNodes === 0 && leaves === log.length, 'one leaf');
    check(tested === log.length * polygons.length && fragments === polygons.length, 'all polygons');
    for (const cost of costs) {
      check(cost.polygons <= tested && cost.fragments >= fragments, 'no polygon twice');
      check(cost.leaves <= cost.nodes + log.length, 'a node leads to one leaf more at most');
    }
  });

  property(
    'a tree that loses polygons differs in the queries that meet those, and in no other',
    300,
    (rng) => {
      const polygons = anyScene(rng);
      const log = Array.from({ length: 20 }, () => anyQuery(rng)).filter((query) => !('ray' in query));
      const broken = buildLeafBsp(polygons);
      const lost = rng.int(0, 29);
      for (let i = 0; i < broken.leafPolygons.length; i++)
        if (broken.leafPolygons[i] === lost) broken.leafPolygons[i] = (lost + 1) % polygons.length;
      const wanted = log.flatMap((query, i) => {
        const box =
          'point' in query ? { min: query.point, max: query.point } : 'box' in query ? query.box : null;
        const [p, q, r] = polygons[lost] ?? [];
        return polygons.length > 1 && box && p && q && r && overlapTriangleAabb(p, q, r, box) ? [i] : [];
      });
      const [, { differing }] = replayBsp(log, [buildLeafBsp(polygons, { leafSize: 1 }), broken]) as [
        unknown,
        { differing: number[] },
      ];
      check(String(differing) === String(wanted), () => `${differing} is not ${wanted}`);
    },
  );

  test('a ray that answers differently is told', () => {
    const near = [vec3(0, 0, 1), vec3(1, 0, 1), vec3(0, 1, 1)];
    const far = [vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0)];
    const log: BspQuery[] = [
      { ray: { origin: vec3(0.2, 0.2, 5), direction: vec3(0, 0, -1) } },
      { ray: { origin: vec3(0.2, 0.2, 0.5), direction: vec3(0, 0, -1) } },
      { ray: { origin: vec3(0.2, 0.2, 5), direction: vec3(0, 0, -1) }, tMax: 1 },
    ];
    const [one, other] = replayBsp(log, [buildLeafBsp([far, near]), buildLeafBsp([far])]);
    expect(one!.differing).toEqual([]);
    expect(other!.differing).toEqual([0]);
  });

  test('costs are those of the log alone, and add up', () => {
    const polygons = Array.from({ length: 16 }, (_, i) => [vec3(i, 0, 0), vec3(i, 1, 0), vec3(i, 0, 1)]);
    const tree = buildLeafBsp(polygons, { leafSize: 1 });
    const query: BspQuery = { point: vec3(2.3, 0.2, 0.2) };
    const [once] = replayBsp([query], [tree]);
    const [thrice] = replayBsp([query, query, query], [tree]);
    expect(once!.nodes).toBeGreaterThan(0);
    expect(once!.nodes).toBeLessThanOrEqual(tree.depth);
    expect(once!.leaves).toBe(1);
    expect(thrice!.nodes).toBe(3 * once!.nodes);
    expect(thrice!.leaves).toBe(3);
    expect(replayBsp([], [tree])[0]).toMatchObject({ nodes: 0, leaves: 0, polygons: 0, differing: [] });
    expect(replayBsp([query], [])).toEqual([]);
  });

  test('a query that is none is refused', () => {
    expect(() => replayBsp([{} as BspQuery], [])).toThrow('replayBsp: queries[0]');
    expect(() => replayBsp([], [{} as never])).toThrow('replayBsp: trees');
    expect(() => replayBsp([{ ray: 1 } as unknown as BspQuery], [])).toThrow('queries[0].ray');
    const ray = { origin: vec3(), direction: vec3(0, 0, 1) };
    for (const tMax of [-1, Number.NaN])
      expect(() => replayBsp([{ ray }, { ray, tMax }], [])).toThrow('queries[1].tMax');
  });
});
