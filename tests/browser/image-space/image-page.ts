/** What the image-space tests run in Chromium: WebGL2 and the software rasteriser side by side, and the library's exact answers. */
import {
  type DrawPlace,
  filterCollisions,
  intersectsConvexImage,
  intersectsSolidImage,
  makeRasterizer,
  pairsSolidImage,
  type Rasterizer,
  rasterModel,
  SoftwareRasterizer,
  WebglRasterizer,
} from '../../../src/gpu/index.ts';
import { distance, intersects, vec3 } from '../../../src/index.ts';
import {
  type DrawnBody,
  poseAt,
  randomHull,
  randomSolid,
  shrunk,
  solidBody,
} from '../../kit/image-bodies.ts';
import { boxMesh, icosphere, torus } from '../../kit/meshes.ts';
import { Rng } from '../../kit/rng.ts';

/** Whole rasterisers, in one page: browsers have few contexts. */
const shared = new Map<number, WebglRasterizer>();
function webgl(size: number): WebglRasterizer {
  let made = shared.get(size);
  if (!made) {
    made = new WebglRasterizer({ size });
    shared.set(size, made);
  }
  return made;
}

function subpixelBits(): number {
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2')!;
  const bits = gl.getParameter(gl.SUBPIXEL_BITS) as number;
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return bits;
}

const bits = subpixelBits();
const twin = (size: number): SoftwareRasterizer =>
  new SoftwareRasterizer({ size, subpixelBits: bits, largestViewport: webgl(size).largestViewport });

/** Local coordinates are clip space, which is twice as wide as the window, or the window. */
function placeOf({ center: c, scale: s }: ReturnType<typeof rasterModel>, size: number, by = 1): DrawPlace {
  return {
    matrix: Float32Array.from([s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, c.x, c.y, c.z, 1]),
    viewport: [((1 - by) * size) / 2, ((1 - by) * size) / 2, by * size, by * size],
  };
}

interface Difference {
  readonly bits: number;
  /** Pixels that are lit in the twin. */
  lit: number;
  /** Pixels with other ids. */
  wrong: number;
}

async function difference(a: Rasterizer, b: Rasterizer, sum: Difference): Promise<void> {
  const [x, y] = await Promise.all([a.readIds(), b.readIds()]);
  for (let i = 0; i < x.length; i += 4) {
    const [p, q] = [x, y].map((ids) => ids[i]! + 256 * ids[i + 1]! + 65536 * ids[i + 2]!);
    if (q) sum.lit++;
    if (p !== q) sum.wrong++;
  }
}

/** Triangles (or edges) whose corners are on a grid of 1/16 pixel: centres on edges and corners come up all the time. */
async function coverage(what: 'faces' | 'edges' | 'nearest', count: number): Promise<Difference> {
  const size = 64;
  const [gpu, cpu] = [webgl(size), twin(size)];
  const sum = { bits, lit: 0, wrong: 0 };
  for (let n = 0; n < count; n++) {
    const rng = new Rng(n);
    const step = rng.pick([1, 8, 16]);
    const positions = Array.from({ length: 9 * 12 }, (_, i) =>
      i % 3 === 2 ? rng.range(-0.9, 0.9) : (step * rng.int(0, (32 * size) / step)) / (16 * size) - 1,
    );
    const model = rasterModel({ positions });
    for (const raster of [gpu, cpu]) {
      raster.clear();
      raster.draw(model, placeOf(model, size, 2), {
        what,
        depth: 'less',
        writeDepth: true,
        id: 1 + (n % 999),
      });
    }
    await difference(gpu, cpu, sum);
  }
  return sum;
}

/** Solids at any pose: stencil and depth as well as coverage, by the ids of what is inside. */
async function insides(count: number): Promise<Difference> {
  const [gpu, cpu] = [webgl(256), twin(256)];
  const sum = { bits, lit: 0, wrong: 0 };
  for (let n = 0; n < count; n++) {
    const rng = new Rng(n);
    const bodies = Array.from({ length: 5 }, () =>
      solidBody(randomSolid(rng), poseAt(rng.vec(1.5), rng.rotation())),
    );
    const views = [{ direction: rng.direction(), perspective: rng.chance(0.5) }];
    const [a, b] = await Promise.all([
      pairsSolidImage(gpu, bodies, { views }),
      pairsSolidImage(cpu, bodies, { views }),
    ]);
    const [ours, theirs] = [String(a.pairs), String(b.pairs)];
    sum.lit++;
    if (ours !== theirs) sum.wrong++;
  }
  return sum;
}

interface Answers {
  asked: number;
  hits: number;
  /** WebGL2 and the twin do not agree. */
  differ: number;
  /** What must not be: see each test. */
  faults: string[];
}

const none = (): Answers => ({ asked: 0, hits: 0, differ: 0, faults: [] });

async function convexPairs(count: number): Promise<Answers> {
  const result = none();
  const [gpu, cpu] = [webgl(64), twin(64)];
  const jobs = Array.from({ length: count }, async (_, n) => {
    const rng = new Rng(n);
    const at = rng.direction();
    const gap = rng.range(0, 2.4);
    const a = randomHull(rng, poseAt(vec3(), rng.rotation()));
    const b = randomHull(rng, poseAt(vec3(gap * at.x, gap * at.y, gap * at.z), rng.rotation()));
    const [found, back, software] = await Promise.all([
      intersectsConvexImage(gpu, a, b),
      intersectsConvexImage(gpu, b, a),
      intersectsConvexImage(cpu, a, b),
    ]);
    if (found.certainty === 'certain') return;
    result.asked++;
    if (found.intersects) result.hits++;
    if (found.intersects !== software.intersects) result.differ++;
    if (found.intersects !== back.intersects) result.faults.push(`${n}: depends on the order`);
    // Corners stand on a grid of 2^-bits pixels.
    if (found.intersects && distance(a.exact, b.exact)!.separation > found.pixel * (4 / 2 ** bits))
      result.faults.push(`${n}: a hit across a gap`);
    const inner = [shrunk(a, 0.75 * found.pixel), shrunk(b, 0.75 * found.pixel)];
    if (!found.intersects && inner[0] && inner[1] && intersects(inner[0], inner[1]))
      result.faults.push(`${n}: a miss beyond a pixel`);
  });
  await Promise.all(jobs);
  return result;
}

async function solidPairs(method: 'edges' | 'layers', count: number): Promise<Answers> {
  const result = none();
  const [gpu, cpu] = [webgl(128), twin(128)];
  const [ring, ball] = [torus(64, 32, 1, 0.3), icosphere(4, 0.5)];
  for (let n = 0; n < count; n++) {
    const rng = new Rng(n);
    // Of many triangles, and larger than the window: where hardware clips them, rays come through the cuts.
    const a = solidBody(ring, poseAt(vec3(), rng.rotation()));
    const b = solidBody(rng.chance(0.5) ? ring : ball, poseAt(rng.vec(2), rng.rotation()));
    const [found, software] = await Promise.all([
      intersectsSolidImage(gpu, a, b, { method }),
      intersectsSolidImage(cpu, a, b, { method }),
    ]);
    if (found.certainty === 'certain') continue;
    result.asked++;
    if (found.intersects) result.hits++;
    if (found.intersects !== software.intersects) result.differ++;
    const gap = distance(a.exact, b.exact)!.separation;
    if (found.intersects && gap > 2 * found.pixel)
      result.faults.push(`${n}: a hit at ${gap / found.pixel} pixels`);
  }
  return result;
}

const TURNED = { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };

/** The cases that the rows name: boxes along the view, linked rings. */
async function namedPairs(): Promise<Record<string, boolean>> {
  const gpu = webgl(64);
  const bar = solidBody(boxMesh(vec3(-0.2, -0.2, -1), vec3(0.2, 0.2, 1)), poseAt(vec3()));
  const plate = solidBody(boxMesh(vec3(-1, -1, -0.1), vec3(1, 1, 0.1)), poseAt(vec3(0.1, 0, 0)));
  const along = { direction: vec3(0, 0, -1) };
  const ring = torus(32, 16, 1, 0.25);
  const still = solidBody(ring, poseAt(vec3()));
  const link = (x: number): DrawnBody => solidBody(ring, poseAt(vec3(x, 0, 0), TURNED));
  const ask = async (a: DrawnBody, b: DrawnBody, options = {}): Promise<boolean> =>
    (await intersectsSolidImage(gpu, a, b, options)).intersects;
  return {
    'boxes, one parallel view': await ask(bar, plate, { views: [along] }),
    'boxes, perspective': await ask(bar, plate, { views: [{ ...along, perspective: true }] }),
    'boxes, more views': await ask(bar, plate, { views: [along, { direction: vec3(-1, 0.2, 0.1) }] }),
    'boxes, layers': await ask(bar, plate, { method: 'layers', views: [along] }),
    'linked rings': await ask(still, link(1)),
    'rings that meet': await ask(still, link(0.4)),
    'linked rings, layers': await ask(still, link(1), { method: 'layers' }),
    'rings that meet, layers': await ask(still, link(0.4), { method: 'layers' }),
  };
}

/** Scenes as in the tests of the twin. No object that meets another may be dropped. */
async function filters(count: number): Promise<Answers & { dropped: number; queries: number }> {
  const result = { ...none(), dropped: 0, queries: 0 };
  const [gpu, cpu] = [webgl(32), twin(32)];
  const one = async (n: number): Promise<void> => {
    const rng = new Rng(n);
    const lattice = rng.chance(0.3);
    const bodies = Array.from({ length: rng.int(2, 9) }, () =>
      lattice
        ? solidBody(boxMesh(), poseAt(vec3(2 * rng.int(-2, 2), 2 * rng.int(-2, 2), 2 * rng.int(-1, 1))))
        : solidBody(randomSolid(rng), poseAt(rng.vec(4), rng.rotation())),
    );
    const [{ objects, rounds }, software] = await Promise.all([
      filterCollisions(gpu, bodies),
      filterCollisions(cpu, bodies),
    ]);
    result.asked += bodies.length;
    result.dropped += bodies.length - objects.length;
    for (const { queries } of rounds) result.queries += queries;
    if (String(objects) !== String(software.objects)) result.differ++;
    for (const [i, a] of bodies.entries())
      for (const [j, b] of bodies.entries())
        if (i < j && intersects(a.exact, b.exact)) {
          result.hits++;
          if (!objects.includes(i) || !objects.includes(j))
            result.faults.push(`${n}: ${i} and ${j} meet, one is dropped`);
        }
  };
  // They share the rasteriser while they wait.
  for (let n = 0; n < count; n += 20)
    await Promise.all(Array.from({ length: Math.min(20, count - n) }, (_, k) => one(n + k)));
  return result;
}

/** Every position of one lit pixel: where it is found after four halvings, and what is left of it. */
async function litPixels(size: number): Promise<{ asked: number; faults: string[]; after: number[] }> {
  const gpu = webgl(size);
  const faults: string[] = [];
  const after: number[] = [];
  const jobs = Array.from({ length: size * size }, async (_, at) => {
    const [x, y] = [(at % size) + 0.5, Math.floor(at / size) + 0.5].map((p) => (2 * p) / size - 1) as [
      number,
      number,
    ];
    const r = 0.8 / size;
    const model = rasterModel({ positions: [x - r, y - r, 0, x + r, y - r, 0, x, y + r, 0] });
    gpu.clear();
    gpu.draw(model, placeOf(model, size), { what: 'faces', depth: 'always', id: 255 });
    const halvings = at === 0 ? [0, 1, 2, 3, 4] : [4];
    for (const pixels of await Promise.all(halvings.map((n) => gpu.readLit(n)))) {
      if (at === 0) after.push(Math.max(...pixels));
      if (pixels.length > (size * size) / 256) continue;
      const cell = Math.floor(Math.floor(at / size) / 16) * (size / 16) + Math.floor((at % size) / 16);
      if (!pixels.every((value, i) => value > 0 === (i === cell))) faults.push(`${at}: ${pixels}`);
    }
  });
  await Promise.all(jobs);
  return { asked: jobs.length, faults, after };
}

/** Everything once, with the calls that would wait for the GPU counted. */
async function blockingCalls(): Promise<{ blocking: string[]; polls: number; later: boolean }> {
  const proto = WebGL2RenderingContext.prototype;
  const { readPixels, finish, getQueryParameter, clientWaitSync } = proto;
  const blocking: string[] = [];
  const available = new Set<WebGLQuery>();
  let polls = 0;
  let isLater = false;
  proto.readPixels = function (this: WebGL2RenderingContext, ...args: unknown[]) {
    if (typeof args[6] !== 'number') blocking.push('readPixels');
    readPixels.apply(this, args as never);
  } as typeof readPixels;
  proto.finish = function () {
    blocking.push('finish');
    finish.call(this);
  };
  proto.clientWaitSync = function (...args) {
    blocking.push('clientWaitSync');
    return clientWaitSync.apply(this, args);
  };
  proto.getQueryParameter = function (query, name) {
    const value = getQueryParameter.call(this, query, name);
    if (name === this.QUERY_RESULT_AVAILABLE) {
      polls++;
      if (value) available.add(query);
    } else if (!available.has(query)) blocking.push('QUERY_RESULT before it is there');
    return value;
  };
  try {
    const gpu = webgl(64);
    const [a, b] = [0, 1].map((x) => solidBody(icosphere(1), poseAt(vec3(x, 0.1, 0)))) as [
      DrawnBody,
      DrawnBody,
    ];
    const answer = intersectsConvexImage(gpu, a, b);
    const pending = Promise.race([answer, Promise.resolve('not yet')]);
    isLater = (await pending) === 'not yet';
    await answer;
    await intersectsSolidImage(gpu, a, b);
    await intersectsSolidImage(gpu, a, b, { method: 'layers' });
    await pairsSolidImage(gpu, [a, b]);
    await filterCollisions(gpu, [a, b]);
    await gpu.readLit(4);
  } finally {
    Object.assign(proto, { readPixels, finish, getQueryParameter, clientWaitSync });
  }
  return { blocking, polls, later: isLater };
}

const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    (value) => `no error: ${JSON.stringify(value)}`,
    (error: unknown) => String(error),
  );

function thrown(call: () => unknown): string {
  try {
    return `no error: ${call()}`;
  } catch (error) {
    return String(error);
  }
}

async function losses(): Promise<Record<string, string>> {
  const [a, b] = [0, 1].map((x) => solidBody(boxMesh(), poseAt(vec3(x, 0, 0)))) as [DrawnBody, DrawnBody];
  const lost = (): WebglRasterizer => {
    const canvas = new OffscreenCanvas(1, 1);
    const made = new WebglRasterizer({ size: 64, canvas });
    const { finish } = made;
    // In the middle: what is drawn is under way.
    made.finish = () => {
      const answer = finish.call(made);
      canvas.getContext('webgl2')!.getExtension('WEBGL_lose_context')!.loseContext();
      return answer;
    };
    return made;
  };
  const result: Record<string, string> = {};
  const gone = lost();
  result['waiting'] = await failure(intersectsConvexImage(gone, a, b));
  result['afterwards'] = thrown(() => intersectsConvexImage(gone, a, b));
  result['filter'] = await failure(filterCollisions(lost(), [a, b]));
  const closed = new WebglRasterizer({ size: 64 });
  const pending = failure(intersectsConvexImage(closed, a, b));
  closed.dispose();
  closed.dispose();
  result['disposed while waiting'] = await pending;
  result['disposed'] = thrown(() => closed.clear());
  const slow = new WebglRasterizer({ size: 64, patience: -1 });
  const { getQueryParameter } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.getQueryParameter = () => false;
  result['never'] = await failure(intersectsConvexImage(slow, a, b));
  WebGL2RenderingContext.prototype.getQueryParameter = getQueryParameter;
  slow.dispose();
  // More than a browser keeps at a time.
  for (let n = 0; n < 40; n++) {
    const made = makeRasterizer({ size: 16 });
    result['one of many'] = `${made.lane} ${(await intersectsConvexImage(made, a, b)).intersects}`;
    made.dispose();
  }
  const { getContext } = OffscreenCanvas.prototype;
  OffscreenCanvas.prototype.getContext = () => null;
  const software = makeRasterizer({ size: 64 });
  result['without WebGL2'] = `${software.lane} ${(await intersectsConvexImage(software, a, b)).intersects}`;
  result['asked for WebGL2'] = thrown(() => new WebglRasterizer());
  OffscreenCanvas.prototype.getContext = getContext;
  return result;
}

const imageTests = {
  coverage,
  insides,
  convexPairs,
  solidPairs,
  namedPairs,
  filters,
  litPixels,
  blockingCalls,
  losses,
};
export type ImageTests = typeof imageTests;
declare global {
  interface Window {
    imageTests: ImageTests;
  }
}
window.imageTests = imageTests;
