/** What a thread of `MeshWorkers` runs: it keeps meshes by number, answers ranges of batches, and builds meshes. */
import { type MeshBatchName, type MeshBatchOutput, makeAnswers, runBatch } from './batch.ts';
import { type Mesh, mesh, viewMesh } from './mesh.ts';
import { serveParent } from './worker-host.ts';
import type { Piece } from './worker-pool.ts';

/** What the parent asks. `job` comes back with the answer. */
export type Request =
  | { readonly type: 'mesh'; readonly id: number; readonly buffer: ArrayBuffer | SharedArrayBuffer }
  | { readonly type: 'forget'; readonly id: number }
  | ({
      readonly type: 'run';
      readonly name: MeshBatchName;
      readonly mesh: number;
      readonly setting: number;
    } & Piece<MeshBatchOutput<MeshBatchName>>)
  | {
      readonly type: 'build';
      readonly job: number;
      readonly positions: ArrayLike<number>;
      readonly index: ArrayLike<number> | null;
      readonly leafSize: number | undefined;
      readonly shared: boolean;
    };

const meshes = new Map<number, Mesh>();

serveParent((request: Request, reply) => {
  switch (request.type) {
    case 'mesh':
      meshes.set(request.id, viewMesh(request.buffer));
      return;
    case 'forget':
      meshes.delete(request.id);
      return;
    case 'run': {
      const { job, name, from, to, out } = request;
      const target = meshes.get(request.mesh);
      if (!target) throw new Error('graze: MeshWorkers: the mesh did not arrive');
      if (out) {
        runBatch(name, request, target, out, from, to);
        reply({ job, type: 'done', out: null });
      } else {
        const count = to - from;
        const answers = makeAnswers('MeshWorkers', name, count, undefined);
        runBatch(name, request, target, answers, 0, count);
        const buffers = Object.values(answers).map((list: Uint8Array) => list.buffer);
        reply({ job, type: 'done', out: answers }, buffers);
      }
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
