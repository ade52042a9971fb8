/** The rasteriser of the GPU, by WebGL2. */
import { mustBeNumber, mustBeOptions, refuse } from '../../math/check.ts';
import type { RasterModel } from './raster-model.ts';
import {
  checkHalvings,
  checkSize,
  DEPTH_SLACK,
  type DrawPlace,
  type DrawState,
  type FillState,
  LEAST_AREA,
  PLANE_SLACK,
  type Rasterizer,
  REACH,
} from './rasterizer.ts';
import { SoftwareRasterizer } from './software-rasterizer.ts';

export interface WebglRasterizerOptions {
  /** Pixels on a side: a multiple of 16, up to 4096. Default: 256. */
  readonly size?: number;
  /** Where the context is made; nothing is shown on it. Default: an `OffscreenCanvas`. */
  readonly canvas?: HTMLCanvasElement | OffscreenCanvas;
  /** Milliseconds after which a result that has not come is given up, with an error. Default: 10,000. */
  readonly patience?: number;
}

/**
 * Draws on the GPU, into buffers of its own. Queries are `ANY_SAMPLES_PASSED`: WebGL2 has no counts. Results are polled: they come in a
 * later task, never in the one that asked. If the context is lost, whatever is asked or waited for ends in an error that says so.
 */
export class WebglRasterizer implements Rasterizer {
  readonly lane = 'webgl2';
  readonly size: number;
  readonly largestViewport: number;
  private readonly gl: WebGL2RenderingContext;
  private readonly patience: number;
  private readonly buffers = new WeakMap<RasterModel, ModelBuffers>();
  private readonly programs: Readonly<Record<'plain' | 'bound' | 'fill' | 'lit' | 'halve', Program>>;
  private readonly target: WebGLFramebuffer;
  private readonly idTexture: WebGLTexture;
  /** Images for `readLit`, each half as many pixels on a side as the one before. */
  private readonly halves: readonly { texture: WebGLTexture; target: WebGLFramebuffer; size: number }[];
  private issued: WebGLQuery[] = [];
  private readonly spare: WebGLQuery[] = [];
  private isDisposed = false;

  constructor(options: WebglRasterizerOptions = {}) {
    mustBeOptions('WebglRasterizer', 'options', options, 'size canvas patience');
    const { size = 256, patience = 10_000 } = options;
    checkSize('WebglRasterizer', size);
    mustBeNumber('WebglRasterizer', 'options.patience', patience);
    const context = contextOf(options.canvas);
    if (!context) throw new Error(`graze: WebglRasterizer: there is no WebGL2 here: ${ELSE}`);
    const gl = context;
    this.gl = gl;
    this.size = size;
    this.patience = patience;
    this.largestViewport = Math.min(32768, ...(gl.getParameter(gl.MAX_VIEWPORT_DIMS) as Int32Array));
    const program = (vertex: string, fragment: string) => new Program(gl, vertex, fragment);
    this.programs = {
      plain: program(PLAIN_VERTEX, ID_FRAGMENT),
      bound: program(BOUND_VERTEX, BOUND_FRAGMENT),
      fill: program(WINDOW_VERTEX, ID_FRAGMENT),
      lit: program(WINDOW_VERTEX, LIT_FRAGMENT),
      halve: program(WINDOW_VERTEX, HALVE_FRAGMENT),
    };
    this.idTexture = texture(gl, size);
    const depth = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH32F_STENCIL8, size, size);
    this.target = framebuffer(gl, this.idTexture);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, gl.RENDERBUFFER, depth);
    this.halves = [1, 2, 4, 8, 16].map((part) => {
      const image = texture(gl, size / part);
      return { texture: image, target: framebuffer(gl, image), size: size / part };
    });
    gl.disable(gl.DITHER);
    gl.disable(gl.BLEND);
    this.clear();
    if (gl.isContextLost()) throw this.lost('WebglRasterizer');
  }

  clear(what?: 'depth' | 'stencil' | 'ids'): void {
    const gl = this.begin('clear');
    gl.depthMask(true);
    gl.stencilMask(255);
    gl.colorMask(true, true, true, true);
    gl.clearDepth(1);
    gl.clearStencil(0);
    gl.clearColor(0, 0, 0, 0);
    const bits = { depth: gl.DEPTH_BUFFER_BIT, stencil: gl.STENCIL_BUFFER_BIT, ids: gl.COLOR_BUFFER_BIT };
    gl.clear(what === undefined ? bits.depth | bits.stencil | bits.ids : bits[what]);
  }

  draw(model: RasterModel, { matrix, viewport }: DrawPlace, state: DrawState): void {
    const gl = this.begin('draw');
    gl.viewport(...viewport);
    const { what, side = 'both', range = [0, model.triangleCount] } = state;
    const isBound = what === 'nearest' || what === 'farthest';
    const program = isBound ? this.programs.bound : this.programs.plain;
    program.activate();
    gl.uniformMatrix4fv(program.at('matrix'), false, matrix);
    this.setTests(state);
    if (side === 'both' || what !== 'faces') gl.disable(gl.CULL_FACE);
    else {
      gl.enable(gl.CULL_FACE);
      gl.cullFace(side === 'front' ? gl.BACK : gl.FRONT);
    }
    gl.uniform4fv(program.at('id'), idColour(state.id));
    gl.colorMask(state.id !== undefined, state.id !== undefined, false, false);
    const buffers = this.buffersOf(model);
    if (what === 'edges') {
      gl.uniform1f(program.at('offset'), state.offset ?? 0);
      gl.bindVertexArray(buffers.edges);
      gl.drawArrays(gl.LINES, 0, 2 * model.edgeCount);
    } else if (isBound) {
      gl.uniform4f(program.at('viewport'), ...viewport);
      gl.uniform1f(program.at('away'), what === 'nearest' ? -1 : 1);
      gl.bindVertexArray(buffers.bounds);
      this.pointBounds(buffers, range[0]);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, range[1]);
    } else {
      gl.uniform1f(program.at('offset'), 0);
      gl.bindVertexArray(buffers.faces);
      gl.drawArrays(gl.TRIANGLES, 3 * range[0], 3 * range[1]);
    }
  }

  fill({ id, clear }: FillState): void {
    const gl = this.begin('fill');
    const program = this.programs.fill;
    program.activate();
    gl.disable(gl.CULL_FACE);
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.NOTEQUAL, 0, 255);
    const then = clear ? gl.ZERO : gl.KEEP;
    gl.stencilOp(gl.KEEP, then, then);
    gl.uniform4fv(program.at('id'), idColour(id));
    gl.colorMask(false, false, id !== undefined, id !== undefined);
    gl.bindVertexArray(null);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  beginQuery(): void {
    const gl = this.begin('beginQuery');
    const query = this.spare.pop() ?? gl.createQuery();
    gl.beginQuery(gl.ANY_SAMPLES_PASSED, query);
    this.issued.push(query);
  }

  endQuery(): void {
    this.gl.endQuery(this.gl.ANY_SAMPLES_PASSED);
  }

  async finish(): Promise<Uint8Array> {
    const gl = this.begin('finish');
    const queries = this.issued;
    this.issued = [];
    gl.flush();
    let ready = 0;
    await this.until('finish', () => {
      while (ready < queries.length && gl.getQueryParameter(queries[ready]!, gl.QUERY_RESULT_AVAILABLE))
        ready++;
      return ready === queries.length;
    });
    const answers = Uint8Array.from(queries, (query) =>
      gl.getQueryParameter(query, gl.QUERY_RESULT) ? 1 : 0,
    );
    this.spare.push(...queries);
    return answers;
  }

  readIds(): Promise<Uint8Array> {
    this.begin('readIds');
    return this.read('readIds', this.size);
  }

  async readLit(halvings: number): Promise<Uint8Array> {
    checkHalvings('WebglRasterizer.readLit', halvings);
    const gl = this.begin('readLit');
    gl.disable(gl.CULL_FACE);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.STENCIL_TEST);
    gl.colorMask(true, true, true, true);
    gl.bindVertexArray(null);
    gl.activeTexture(gl.TEXTURE0);
    for (let i = 0; i <= halvings; i++) {
      const { target, size } = this.halves[i]!;
      const program = i === 0 ? this.programs.lit : this.programs.halve;
      program.activate();
      gl.bindFramebuffer(gl.FRAMEBUFFER, target);
      gl.viewport(0, 0, size, size);
      gl.bindTexture(gl.TEXTURE_2D, i === 0 ? this.idTexture : this.halves[i - 1]!.texture);
      gl.uniform1f(program.at('size'), size);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
    gl.bindTexture(gl.TEXTURE_2D, null);
    const { size } = this.halves[halvings]!;
    const colours = await this.read('readLit', size);
    return Uint8Array.from({ length: size * size }, (_, i) => colours[4 * i]!);
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    // All that belongs to the context goes with it, and contexts are few: browsers have about sixteen.
    this.gl.getExtension('WEBGL_lose_context')?.loseContext();
  }

  /** What every call begins with: a context that is alive, and our own target. */
  private begin(method: string): WebGL2RenderingContext {
    const { gl } = this;
    this.mustLive(method);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.target);
    gl.viewport(0, 0, this.size, this.size);
    return gl;
  }

  private mustLive(method: string): void {
    if (this.isDisposed) refuse(`WebglRasterizer.${method}`, 'this', 'has been disposed of');
    if (this.gl.isContextLost()) throw this.lost(`WebglRasterizer.${method}`);
  }

  private lost(caller: string): Error {
    return new Error(`graze: ${caller}: the WebGL2 context is lost: make a new rasteriser; ${ELSE}`);
  }

  private setTests({ depth, writeDepth = false, stencil }: DrawState): void {
    const { gl } = this;
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(writeDepth);
    gl.depthFunc({ always: gl.ALWAYS, less: gl.LESS, 'less-equal': gl.LEQUAL, greater: gl.GREATER }[depth]);
    if (stencil === undefined) {
      gl.disable(gl.STENCIL_TEST);
      return;
    }
    gl.enable(gl.STENCIL_TEST);
    if (stencil === 'count') {
      gl.stencilFunc(gl.ALWAYS, 0, 255);
      gl.stencilOpSeparate(gl.FRONT, gl.KEEP, gl.KEEP, gl.INCR_WRAP);
      gl.stencilOpSeparate(gl.BACK, gl.KEEP, gl.KEEP, gl.DECR_WRAP);
    } else {
      gl.stencilFunc(gl.EQUAL, stencil, 255);
      gl.stencilOp(gl.INCR, gl.INCR, gl.INCR);
    }
  }

  private buffersOf(model: RasterModel): ModelBuffers {
    let made = this.buffers.get(model);
    if (!made) {
      const { gl } = this;
      const corners = upload(gl, model.corners);
      const [edges, outward] = [upload(gl, model.edges), upload(gl, model.outward)];
      made = {
        corners,
        faces: vertexArray(gl, [corners]),
        edges: vertexArray(gl, [edges, outward]),
        bounds: gl.createVertexArray(),
      };
      this.buffers.set(model, made);
    }
    return made;
  }

  /** Three corners for each instance, from a triangle on. */
  private pointBounds({ corners }: ModelBuffers, first: number): void {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    for (let k = 0; k < 3; k++) {
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 36, 36 * first + 12 * k);
      gl.vertexAttribDivisor(k, 1);
    }
  }

  /** The pixels of the target that is bound, copied by the GPU into a buffer that is read when it has come. */
  private async read(method: string, size: number): Promise<Uint8Array> {
    const { gl } = this;
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
    gl.bufferData(gl.PIXEL_PACK_BUFFER, 4 * size * size, gl.STREAM_READ);
    gl.readPixels(0, 0, size, size, gl.RGBA, gl.UNSIGNED_BYTE, 0);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    await this.until(method, () => !fence || gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED);
    const pixels = new Uint8Array(4 * size * size);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
    gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, pixels);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    gl.deleteBuffer(buffer);
    gl.deleteSync(fence);
    return pixels;
  }

  /** Waits, task by task, until something has come; ends in an error if it no longer can. */
  private until(method: string, isThere: () => boolean): Promise<void> {
    const end = performance.now() + this.patience;
    return new Promise((resolve, reject) => {
      const look = (): void => {
        try {
          this.mustLive(method);
          if (isThere()) resolve();
          else if (performance.now() > end)
            throw new Error(
              `graze: WebglRasterizer.${method}: no result within ${this.patience} ms (options.patience); ${ELSE}`,
            );
          else setTimeout(look);
        } catch (error) {
          reject(error as Error);
        }
      };
      setTimeout(look);
    });
  }
}

const ELSE = 'a SoftwareRasterizer needs none';

export interface RasterizerOptions {
  /** Pixels on a side: a multiple of 16, up to 4096. Default: 256. */
  readonly size?: number;
}

/** A rasteriser on WebGL2 where there is one, in software elsewhere: `lane` says which. */
export function makeRasterizer(options: RasterizerOptions = {}): Rasterizer {
  mustBeOptions('makeRasterizer', 'options', options, 'size');
  const { size = 256 } = options;
  checkSize('makeRasterizer', size);
  const canvas = newCanvas();
  const hasWebgl = contextOf(canvas) !== null;
  return hasWebgl ? new WebglRasterizer({ size, canvas: canvas! }) : new SoftwareRasterizer({ size });
}

const newCanvas = (): OffscreenCanvas | undefined =>
  typeof OffscreenCanvas === 'undefined' ? undefined : new OffscreenCanvas(1, 1);

function contextOf(
  canvas: HTMLCanvasElement | OffscreenCanvas | undefined = newCanvas(),
): WebGL2RenderingContext | null {
  if (!canvas) return null;
  return (canvas as OffscreenCanvas).getContext('webgl2', { antialias: false, depth: false });
}

interface ModelBuffers {
  readonly corners: WebGLBuffer;
  readonly faces: WebGLVertexArrayObject;
  readonly edges: WebGLVertexArrayObject;
  readonly bounds: WebGLVertexArrayObject;
}

function upload(gl: WebGL2RenderingContext, numbers: Float32Array): WebGLBuffer {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
  return buffer;
}

function vertexArray(gl: WebGL2RenderingContext, points: readonly WebGLBuffer[]): WebGLVertexArrayObject {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  points.forEach((buffer, k) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(k);
    gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 0, 0);
  });
  gl.bindVertexArray(null);
  return array;
}

function texture(gl: WebGL2RenderingContext, size: number): WebGLTexture {
  const made = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, made);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, size, size);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  gl.bindTexture(gl.TEXTURE_2D, null);
  return made;
}

function framebuffer(gl: WebGL2RenderingContext, colour: WebGLTexture): WebGLFramebuffer {
  const made = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, made);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, colour, 0);
  return made;
}

/** The same number for edges (red, green) and solids (blue, alpha): masks keep one of them. */
function idColour(id = 0): [number, number, number, number] {
  const [low, high] = [(id & 255) / 255, (id >> 8) / 255];
  return [low, high, low, high];
}

class Program {
  readonly handle: WebGLProgram;
  private readonly gl: WebGL2RenderingContext;
  private readonly places = new Map<string, WebGLUniformLocation | null>();

  constructor(gl: WebGL2RenderingContext, vertex: string, fragment: string) {
    this.gl = gl;
    this.handle = gl.createProgram();
    for (const [kind, code] of [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ] as const) {
      const shader = gl.createShader(kind)!;
      gl.shaderSource(shader, `#version 300 es\nprecision highp float;\n${code}`);
      gl.compileShader(shader);
      gl.attachShader(this.handle, shader);
    }
    gl.linkProgram(this.handle);
    if (!gl.getProgramParameter(this.handle, gl.LINK_STATUS) && !gl.isContextLost())
      throw new Error(`graze: WebglRasterizer: a program is refused: ${gl.getProgramInfoLog(this.handle)}`);
  }

  activate(): void {
    // biome-ignore lint/correctness/useHookAtTopLevel: of WebGL, not of React
    this.gl.useProgram(this.handle);
  }

  at(name: string): WebGLUniformLocation | null {
    let place = this.places.get(name);
    if (place === undefined) {
      place = this.gl.getUniformLocation(this.handle, name);
      this.places.set(name, place);
    }
    return place;
  }
}

const PLAIN_VERTEX = /* glsl */ `
layout(location = 0) in vec3 p;
layout(location = 1) in vec3 outward;
uniform mat4 matrix;
uniform float offset;
invariant gl_Position;
void main() { gl_Position = matrix * vec4(p + offset * outward, 1.0); }`;

const ID_FRAGMENT = /* glsl */ `
uniform vec4 id;
out vec4 colour;
void main() { colour = id; }`;

const WINDOW_VERTEX = /* glsl */ `
void main() {
  vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(p, 0.0, 1.0);
}`;

const LIT_FRAGMENT = /* glsl */ `
uniform sampler2D image;
out vec4 colour;
void main() {
  vec4 id = texelFetch(image, ivec2(gl_FragCoord.xy), 0);
  colour = vec4(id == vec4(0.0) ? 0.0 : 1.0);
}`;

/** Between four pixels, bilinear filtering takes their mean. */
const HALVE_FRAGMENT = /* glsl */ `
uniform sampler2D image;
uniform float size;
out vec4 colour;
void main() { colour = texture(image, gl_FragCoord.xy / size); }`;

const float = (x: number): string => x.toExponential();

/** As `SoftwareRasterizer.bound`, of which this is a translation: a rectangle around the triangle, one for each instance. */
const BOUND_VERTEX = /* glsl */ `
layout(location = 0) in vec3 cornerA;
layout(location = 1) in vec3 cornerB;
layout(location = 2) in vec3 cornerC;
uniform mat4 matrix;
uniform vec4 viewport;
uniform float away;
flat out vec3 sideAB;
flat out vec3 sideAC;
flat out vec3 sideBC;
flat out vec4 box;
flat out vec2 anchor;
flat out vec3 plane;
flat out vec2 range;
vec3 place(vec3 p) {
  vec4 q = matrix * vec4(p, 1.0);
  return vec3((q.xy / q.w / 2.0 + 0.5) * viewport.zw + viewport.xy, q.z / q.w / 2.0 + 0.5);
}
/** Inside is where x x' + y y' + z >= 0. */
vec3 side(vec2 d, vec2 through, float turn) {
  vec2 n = turn * vec2(-d.y, d.x);
  return vec3(n, -dot(n, through) + ${float(REACH)} * (abs(d.x) + abs(d.y)));
}
void main() {
  vec3 a = place(cornerA);
  vec3 ab = place(cornerB) - a;
  vec3 ac = place(cornerC) - a;
  float area = ab.x * ac.y - ab.y * ac.x;
  float turn = area < 0.0 ? -1.0 : 1.0;
  sideAB = side(ab.xy, vec2(0.0), turn);
  sideAC = side(-ac.xy, vec2(0.0), turn);
  sideBC = side(ac.xy - ab.xy, ab.xy, turn);
  vec2 low = min(vec2(0.0), min(ab.xy, ac.xy)) - ${float(REACH)};
  vec2 high = max(vec2(0.0), max(ab.xy, ac.xy)) + ${float(REACH)};
  box = vec4(low, high);
  anchor = a.xy;
  range = a.z + vec2(min(0.0, min(ab.z, ac.z)), max(0.0, max(ab.z, ac.z)));
  float extent = high.x - low.x + high.y - low.y;
  plane = vec3(0.0, 0.0, away < 0.0 ? range.x : range.y);
  if (abs(area) > ${float(LEAST_AREA)} * extent * extent) {
    vec2 slope = vec2(ab.z * ac.y - ac.z * ab.y, ac.z * ab.x - ab.z * ac.x) / area;
    float spread = ${float(REACH)} * (abs(slope.x) + abs(slope.y)) + ${float(PLANE_SLACK)} * (range.y - range.x);
    plane = vec3(slope, a.z + away * spread);
  }
  // A pixel more on each side than the fragments that are kept.
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 p = a.xy + mix(low - 1.0, high + 1.0, corner);
  gl_Position = vec4((p - viewport.xy) / viewport.zw * 2.0 - 1.0, 0.0, 1.0);
}`;

const BOUND_FRAGMENT = /* glsl */ `
flat in vec3 sideAB;
flat in vec3 sideAC;
flat in vec3 sideBC;
flat in vec4 box;
flat in vec2 anchor;
flat in vec3 plane;
flat in vec2 range;
uniform float away;
uniform vec4 id;
out vec4 colour;
void main() {
  vec2 p = gl_FragCoord.xy - anchor;
  vec3 q = vec3(p, 1.0);
  if (any(lessThan(p, box.xy)) || any(greaterThan(p, box.zw))) discard;
  if (dot(sideAB, q) < 0.0 || dot(sideAC, q) < 0.0 || dot(sideBC, q) < 0.0) discard;
  float z = clamp(dot(plane, q), range.x, range.y) + away * ${float(DEPTH_SLACK)};
  gl_FragDepth = clamp(z, 0.0, 1.0);
  colour = id;
}`;
