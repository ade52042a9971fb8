/** The queries that come by the many, by name: what threads have to know of each. */
import { type ListKind, makeList } from '../trimesh/batch.ts';
import type { CastHits, ClosestPoints, ManyQueries, RayHits } from './many.ts';
import { runCasts, runPoints, runPoses, runRays } from './many.ts';

/** @internal */
export interface ManyAnswers {
  raycastMany: RayHits;
  closestPointMany: ClosestPoints;
  intersectsMany: { readonly yes: Uint8Array };
  castMany: CastHits;
}
/** @internal */
export type ManyName = keyof ManyAnswers;

interface ManyKind<Out> {
  /** How many numbers of each list belong to one query. */
  readonly sizes: readonly number[];
  /** The lists of answers, and how many numbers of each belong to one query. */
  readonly outputs: { readonly [K in keyof Out]: readonly [kind: ListKind, size: number] };
  readonly run: (queries: Omit<ManyQueries, 'count'>, out: Out, from: number, to: number) => void;
}

const HITS = {
  child: ['i32', 1],
  triangle: ['i32', 1],
  t: ['f64', 1],
  point: ['f64', 3],
  normal: ['f64', 3],
} as const;

/** @internal */
export const MANY: { readonly [Name in ManyName]: ManyKind<ManyAnswers[Name]> } = {
  raycastMany: { sizes: [3, 3], outputs: HITS, run: runRays },
  closestPointMany: {
    sizes: [3],
    outputs: { child: ['i32', 1], triangle: ['i32', 1], distance: ['f64', 1], point: ['f64', 3] },
    run: runPoints,
  },
  intersectsMany: { sizes: [3, 4], outputs: { yes: ['u8', 1] }, run: runPoses },
  castMany: {
    sizes: [3, 3, 4],
    outputs: { ...HITS, moverChild: ['i32', 1], moverTriangle: ['i32', 1] },
    run: runCasts,
  },
};

/** Lists for the answers of `count` queries. @internal */
export function makeManyAnswers<Name extends ManyName>(
  name: Name,
  count: number,
  shared: boolean,
): ManyAnswers[Name] {
  const out: Record<string, Float64Array | Int32Array | Uint8Array> = {};
  for (const [key, [kind, size]] of Object.entries(MANY[name].outputs) as [
    string,
    readonly [ListKind, number],
  ][])
    out[key] = makeList(kind, count * size, shared);
  return out as unknown as ManyAnswers[Name];
}
