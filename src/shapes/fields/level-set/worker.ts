/** What the thread of `levelSetInWorker` runs. */
import { viewMesh } from '../../../trimesh/mesh.ts';
import { serveParent } from '../../../trimesh/worker-host.ts';
import { type LevelSetOptions, levelSet } from './level-set.ts';

/** What the parent asks. */
export interface Request {
  readonly job: number;
  /** Of the mesh. */
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
  readonly options: Omit<LevelSetOptions, 'onProgress'>;
}

serveParent(({ job, buffer, options }: Request, reply) => {
  const { grid } = levelSet(viewMesh(buffer), {
    ...options,
    onProgress: (done) => reply({ job, type: 'progress', done }),
  });
  reply({ job, type: 'done', out: grid.buffer }, options.shared ? [] : [grid.buffer]);
});
