/** What becomes of promises when workers, or the page, go: asked by the browser tests. */
import { mesh } from 'graze';
import { QueryWorkers } from 'graze/query';
import { millionTriangles } from './models.ts';

const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'it was kept',
    (error: Error) => error.message,
  );

function much() {
  const geometry = millionTriangles();
  const positions = geometry.getAttribute('position').array;
  return { positions, index: geometry.index!.array, points: Float64Array.from(positions) };
}

/** A batch, a build and something prepared are under way when the pool is closed. */
export async function closeInTheMiddle(): Promise<string[]> {
  const { positions, index, points } = much();
  const subject = mesh(positions, index);
  const workers = new QueryWorkers();
  const asked = [
    workers.closestPointMany(points, subject),
    workers.mesh(positions, index),
    workers.prepare(subject),
  ];
  setTimeout(() => workers.close(), 20);
  return Promise.all(asked.map(reasonOf));
}

/** Another page, in a frame of this one, is closed while its workers build. */
export async function leaveInTheMiddle(): Promise<string> {
  const frame = document.createElement('iframe');
  frame.src = location.href;
  document.body.append(frame);
  await new Promise((done) => frame.addEventListener('load', done));
  const page = frame.contentWindow as unknown as { lanes: typeof import('./lanes-in-page.ts') };
  const reason = reasonOf(page.lanes.startBuild());
  setTimeout(() => frame.remove(), 20);
  return reason;
}

export function startBuild(): Promise<unknown> {
  const { positions, index } = much();
  return new QueryWorkers().mesh(positions, index);
}

/** Do all threads build what this one builds? */
export async function buildEqual(): Promise<boolean> {
  const { positions, index } = much();
  const workers = new QueryWorkers();
  const made = new Uint8Array((await workers.mesh(positions, index)).buffer);
  workers.close();
  const right = new Uint8Array(mesh(positions, index).buffer);
  return made.length === right.length && made.every((byte, i) => byte === right[i]);
}

Object.assign(window, { lanes: { closeInTheMiddle, leaveInTheMiddle, startBuild, buildEqual } });
