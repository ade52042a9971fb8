/** What a thread of `QueryWorkers` runs: it keeps shapes by number, answers ranges of batches, and builds meshes. */

import type { NumberList } from '../math/number-list.ts';
import type { ReadonlyPose } from '../math/types.ts';
import { hasKernels, type PortableShape, unpackShape } from '../shapes/portable.ts';
import type { Shape } from '../shapes/shape.ts';
import { addSimd } from '../simd/mesh-simd.ts';
import { type MeshBatchName, type MeshBatchOutput, makeAnswers, runBatch } from '../trimesh/batch.ts';
import { type Mesh, mesh } from '../trimesh/mesh.ts';
import { pairsBelow } from '../trimesh/mesh-mesh/overlap.ts';
import { STEPS, type StepName } from '../trimesh/parallel-build.ts';
import {
  keepPrepared,
  type MeshPurpose,
  type PreparedParts,
  preparedParts,
  prepareMesh,
} from '../trimesh/prepare.ts';
import { serveParent } from '../trimesh/worker-host.ts';
import type { Piece, PieceReply } from '../trimesh/worker-pool.ts';
import type { Body } from './body.ts';
import { MANY, type ManyName, makeManyAnswers } from './many-kinds.ts';

/** A body: its shape by number, and where it stands; null for a bare shape. */
export interface PortableBody {
  readonly shape: number;
  readonly pose: ReadonlyPose | null;
}

/** What the parent asks. `job` comes back with the answer. */
export type Request =
  | { readonly type: 'step'; readonly job: number; readonly name: StepName; readonly input: unknown }
  | { readonly type: 'shape'; readonly id: number; readonly shape: PortableShape }
  | { readonly type: 'forget'; readonly id: number }
  | ({
      readonly type: 'batch';
      readonly name: MeshBatchName;
      readonly mesh: number;
      readonly setting: number;
    } & Piece<MeshBatchOutput<MeshBatchName>>)
  | ({
      readonly type: 'many';
      readonly name: ManyName;
      readonly first: PortableBody;
      readonly second: PortableBody | null;
      readonly maxDistance: number;
    } & Piece<never>)
  | {
      readonly type: 'prepare';
      readonly job: number;
      readonly mesh: number;
      readonly purposes: readonly MeshPurpose[];
      readonly shared: boolean;
    }
  | { readonly type: 'prepared'; readonly id: number; readonly parts: PreparedParts }
  | {
      readonly type: 'pairs';
      readonly job: number;
      readonly a: number;
      readonly b: number;
      readonly pose: ReadonlyPose | null;
      readonly node: number;
    }
  | {
      readonly type: 'build';
      readonly job: number;
      readonly positions: ArrayLike<number>;
      readonly index: ArrayLike<number> | null;
      readonly leafSize: number | undefined;
      readonly shared: boolean;
    };

/** A shape, or why there is none. */
const shapes = new Map<number, Shape | Error>();

function shapeOf(id: number): Shape {
  const shape = shapes.get(id);
  if (shape instanceof Error) throw shape;
  if (shape === undefined) throw new Error('graze: QueryWorkers: a shape did not arrive');
  return shape;
}

function unpack(packed: PortableShape): Shape | Error {
  try {
    return unpackShape(packed, addSimd);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const bodyOf = ({ shape, pose }: PortableBody): Body =>
  pose === null ? shapeOf(shape) : { shape: shapeOf(shape), pose };

type Answers = Record<string, { readonly buffer: unknown }>;

/** What is said when `run` has answered a piece, into shared memory or into lists that `make` makes. */
function answerPiece<Out extends object>(
  { from, to, out }: Pick<Piece<Out>, 'from' | 'to' | 'out'>,
  simd: boolean,
  make: (count: number) => Out,
  run: (out: Out, from: number, to: number) => void,
): { out: PieceReply<Out>; transfer: readonly unknown[] } {
  if (out) {
    run(out, from, to);
    return { out: { answers: null, simd }, transfer: [] };
  }
  const answers = make(to - from);
  run(answers, 0, to - from);
  return {
    out: { answers, simd },
    transfer: Object.values(answers as unknown as Answers).map(({ buffer }) => buffer),
  };
}

serveParent((request: Request, reply) => {
  switch (request.type) {
    case 'shape':
      shapes.set(request.id, unpack(request.shape));
      return;
    case 'forget':
      shapes.delete(request.id);
      return;
    case 'batch': {
      const { job, name, setting } = request;
      const lists = request.lists as readonly NumberList[];
      const target = shapeOf(request.mesh) as Mesh;
      const { out, transfer } = answerPiece(
        request,
        hasKernels(target),
        (count) => makeAnswers('QueryWorkers', name, count, undefined),
        (answers, from, to) => runBatch(name, { lists, setting }, target, answers, from, to),
      );
      reply({ job, type: 'done', out }, transfer);
      return;
    }
    case 'many': {
      const { job, name, maxDistance } = request;
      const lists = request.lists as readonly (NumberList | undefined)[];
      const first = bodyOf(request.first);
      const second = request.second && bodyOf(request.second);
      const simd = [request.first, request.second].some((body) => body && hasKernels(shapeOf(body.shape)));
      const { out, transfer } = answerPiece<object>(
        request,
        simd,
        (count) => makeManyAnswers(name, count, false),
        (answers, from, to) =>
          MANY[name].run({ first, second, lists, maxDistance }, answers as never, from, to),
      );
      reply({ job, type: 'done', out }, transfer);
      return;
    }
    case 'prepare': {
      const { job, purposes, shared } = request;
      const target = prepareMesh(shapeOf(request.mesh) as Mesh, purposes);
      reply({ job, type: 'done', out: preparedParts(target, shared) });
      return;
    }
    case 'prepared':
      keepPrepared(shapeOf(request.id) as Mesh, request.parts);
      return;
    case 'pairs': {
      const { job, pose, node } = request;
      const out = pairsBelow(shapeOf(request.a) as Mesh, shapeOf(request.b) as Mesh, pose, node);
      // Not given away: a thread that has given a buffer away pays at every access to a typed array from then on.
      reply({ job, type: 'done', out });
      return;
    }
    case 'step': {
      const step = STEPS[request.name] as (input: unknown) => unknown;
      reply({ job: request.job, type: 'done', out: step(request.input) });
      return;
    }
    case 'build': {
      const { job, positions, index, leafSize, shared } = request;
      const { buffer } = mesh(positions, index, {
        ...(leafSize !== undefined && { leafSize }),
        shared,
        onProgress: (done) => reply({ job, type: 'progress', done }),
      });
      reply({ job, type: 'done', out: buffer }, shared ? [] : [buffer]);
    }
  }
});
