/** What a thread of `DeformingWorkers` runs. */
import { serveParent } from '../../trimesh/worker-host.ts';
import type { Piece } from '../../trimesh/worker-pool.ts';
import { castEdgeEdgeMany, castVertexFaceMany, type DeformingTimes } from './cast-primitives.ts';

/** What the parent asks. */
export interface Request extends Piece<DeformingTimes> {
  readonly isFace: boolean;
  readonly separation: number;
}

serveParent(({ job, isFace, separation, lists, from, to, out }: Request, reply) => {
  const [starts, ends] = lists as readonly Float64Array[];
  const castMany = isFace ? castVertexFaceMany : castEdgeEdgeMany;
  if (out) {
    const t = out.t.subarray(from, to);
    const cut = (list: Float64Array) => list.subarray(12 * from, 12 * to);
    castMany(cut(starts!), cut(ends!), { separation }, { t });
    reply({ job, type: 'done', out: { answers: null, simd: false } });
  } else {
    const answers = castMany(starts!, ends!, { separation });
    reply({ job, type: 'done', out: { answers, simd: false } }, [answers.t.buffer]);
  }
});
