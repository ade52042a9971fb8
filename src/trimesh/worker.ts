/** What a thread of `MeshWorkers` runs: it keeps meshes by number, answers ranges of batches, and builds meshes. */
import { type MeshBatchName, type MeshBatchOutput, makeAnswers, runBatch } from './batch.ts';
import { type Mesh, mesh, viewMesh } from './mesh.ts';
import { listenToParent, type Port } from './worker-host.ts';

/** What the parent asks. `job` comes back with the answer. */
export type Request =
  | { readonly type: 'mesh'; readonly id: number; readonly buffer: ArrayBuffer | SharedArrayBuffer }
  | { readonly type: 'forget'; readonly id: number }
  | {
      readonly type: 'run';
      readonly job: number;
      readonly name: MeshBatchName;
      readonly mesh: number;
      readonly lists: readonly ArrayLike<number>[];
      readonly setting: number;
      readonly from: number;
      readonly to: number;
      /** Where the answers go, in shared memory; without it they are sent back, and the lists begin with `from`. */
      readonly out: MeshBatchOutput<MeshBatchName> | null;
    }
  | {
      readonly type: 'build';
      readonly job: number;
      readonly positions: ArrayLike<number>;
      readonly index: ArrayLike<number> | null;
      readonly leafSize: number | undefined;
      readonly shared: boolean;
    };

/** What the thread answers. */
export type Reply =
  | { readonly job: number; readonly type: 'done'; readonly out: MeshBatchOutput<MeshBatchName> | null }
  | { readonly job: number; readonly type: 'built'; readonly buffer: ArrayBuffer | SharedArrayBuffer }
  | { readonly job: number; readonly type: 'progress'; readonly done: number }
  | { readonly job: number; readonly type: 'failed'; readonly reason: string };

const meshes = new Map<number, Mesh>();

function answer(request: Request, reply: Port['post']): void {
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
        reply({ job, type: 'done', out: null } satisfies Reply, []);
      } else {
        const count = to - from;
        const answers = makeAnswers('MeshWorkers', name, count, undefined);
        runBatch(name, request, target, answers, 0, count);
        const buffers = Object.values(answers).map((list: Uint8Array) => list.buffer);
        reply({ job, type: 'done', out: answers } satisfies Reply, buffers);
      }
      return;
    }
    case 'build': {
      const { job, positions, index, leafSize, shared } = request;
      const { buffer } = mesh(positions, index, {
        ...(leafSize !== undefined && { leafSize }),
        shared,
        onProgress: (done) => reply({ job, type: 'progress', done } satisfies Reply, []),
      });
      reply({ job, type: 'built', buffer } satisfies Reply, shared ? [] : [buffer]);
    }
  }
}

listenToParent((request: Request, reply) => {
  try {
    answer(request, reply);
  } catch (error) {
    const job = 'job' in request ? request.job : -1;
    const reason = error instanceof Error ? error.message : String(error);
    reply({ job, type: 'failed', reason } satisfies Reply, []);
  }
});
