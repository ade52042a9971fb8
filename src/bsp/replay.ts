/**
 * Which settings suit a leaf-storing tree: a log of the queries of a program is put to trees over the same polygons that were built
 * in different ways. Settings change what a query costs, never what it answers. RTCD §8.3.6.
 */
import {
  checkAabb,
  checkPoint,
  checkRay,
  mustBeList,
  mustBeNumber,
  mustBeOptions,
  mustHave,
  refuse,
} from '../math/check.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';
import { type LeafBsp, polygonsAabbBsp, rayLeafBsp } from './leaf-bsp.ts';

/** One query of a log: the polygons through a point, the first along a ray until `tMax` (default: Infinity), those in a box. */
export type BspQuery =
  | { readonly point: ReadonlyVec3 }
  | { readonly ray: ReadonlyRay; readonly tMax?: number }
  | { readonly box: ReadonlyAabb };

/** What a log costs on one tree, all queries together. */
export interface BspReplay {
  /** Nodes and leaves that were visited, and polygons that were tested. */
  nodes: number;
  leaves: number;
  polygons: number;
  /** The size of the tree: nodes, and pieces that the polygons were cut into to build it. */
  treeNodes: number;
  fragments: number;
  /** The numbers of the queries whose answer is not, to the last bit, that of the first tree: none, if the polygons are the same. */
  differing: number[];
}

/** The costs of a log of queries on each of the trees, and whether they all answer the same. */
export function replayBsp(queries: readonly BspQuery[], trees: readonly LeafBsp[]): BspReplay[] {
  mustBeList('replayBsp', 'queries', queries);
  for (let i = 0; i < queries.length; i++) checkQuery(`queries[${i}]`, queries[i]!);
  mustBeList('replayBsp', 'trees', trees);
  for (const tree of trees) mustHave('replayBsp', 'trees', tree, 'leaf-storing BSP trees', 'leafPolygons');
  const first: string[] = [];
  return trees.map((tree, number) => {
    const before = tree.work.slice();
    const differing: number[] = [];
    queries.forEach((query, i) => {
      const answer = answerOf(query, tree);
      if (number === 0) first.push(answer);
      else if (answer !== first[i]) differing.push(i);
    });
    const [nodes, leaves, polygons] = tree.work.map((now, i) => now - before[i]!) as unknown as number[];
    const { nodeCount: treeNodes, report } = tree;
    return {
      nodes: nodes!,
      leaves: leaves!,
      polygons: polygons!,
      treeNodes,
      fragments: report.fragments,
      differing,
    };
  });
}

function checkQuery(name: string, query: BspQuery): void {
  const caller = 'replayBsp';
  mustBeOptions(caller, name, query, 'point ray tMax box');
  if ('point' in query) checkPoint(caller, `${name}.point`, query.point);
  else if ('box' in query) checkAabb(caller, `${name}.box`, query.box);
  else if ('ray' in query) {
    checkRay(caller, `${name}.ray`, query.ray);
    const { tMax = Infinity } = query;
    mustBeNumber(caller, `${name}.tMax`, tMax);
    if (tMax < 0) refuse(caller, `${name}.tMax`, `must be at least 0, got ${tMax}`);
  } else refuse(caller, name, 'must have a point, a ray or a box');
}

/** All that a query returns. Numbers as text are exact, and -0 is 0. */
function answerOf(query: BspQuery, tree: LeafBsp): string {
  if ('ray' in query) return JSON.stringify(rayLeafBsp(query.ray, tree, query.tMax));
  const box = 'box' in query ? query.box : { min: query.point, max: query.point };
  return String(polygonsAabbBsp(box, tree));
}
