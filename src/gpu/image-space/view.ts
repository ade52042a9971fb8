/**
 * Views that image-space tests draw from. The window fits what both objects may share, so that its pixels are as small as can be. But
 * all of both is within the viewport, and its depth, so that hardware clips nothing: a solid that is cut open has rays with more fronts
 * than backs, and where two triangles are clipped along the edge that they share, they need not meet any more. What is outside of the
 * window is not drawn because there are no pixels. RTCD §10 and §10.3.
 */
import { type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import { cross, dot } from '../../math/vec3.ts';
import type { Aabb } from '../../primitives/types.ts';
import type { PlacedModel } from './raster-model.ts';
import type { DrawPlace, Rasterizer, Viewport } from './rasterizer.ts';

/** From where, and how. */
export interface ViewDirection {
  /** Away from the viewer. Any length. */
  readonly direction: ReadonlyVec3;
  /** Rays from one point instead of parallel ones: edges along the view become visible. Default: false. */
  readonly perspective?: boolean;
}

/** World to clip space, and what a pixel is. @internal */
export interface View {
  /** Column by column, about the middle: see `drawPlace`. */
  readonly matrix: Float64Array;
  readonly viewport: Viewport;
  /** The longer side of a pixel, in the world, in the middle of the window. */
  readonly pixel: number;
}

/** @internal */
export interface ViewRequest extends ViewDirection {
  /** What fills the window. */
  readonly window: Aabb;
  /** All that is drawn; the window is in it. */
  readonly all: Aabb;
  readonly raster: Pick<Rasterizer, 'size' | 'largestViewport'>;
}

/** Pixels at each side of the window that stay free: where it is fitted, and for rounding. */
const MARGIN = 1.5;
/** Around all that is drawn, as a part of it; and the least range of what is flat. */
const REST = 0.0009765625; // 2^-10

/** @internal */
export function fitView({ direction, perspective, window, all, raster }: ViewRequest): View {
  const { right, up, forward } = axesOf(direction);
  const center = vec3((all.min.x + all.max.x) / 2, (all.min.y + all.max.y) / 2, (all.min.z + all.max.z) / 2);
  const reach =
    Math.max((all.max.x - all.min.x) / 2, (all.max.y - all.min.y) / 2, (all.max.z - all.min.z) / 2) || 1;
  // All lengths in units of `reach`, about the center: the numbers are then of an ordinary size.
  const local = (box: Aabb): Vec3[] =>
    cornersOf(box).map((p) =>
      vec3((p.x - center.x) / reach, (p.y - center.y) / reach, (p.z - center.z) / reach),
    );
  const corners = { all: local(all), window: local(window) };
  // In perspective the viewer stands outside of the ball around everything, whose radius is at most √3.
  const away = perspective ? 4 : 0;
  const depthOf = (p: Vec3): number => dot(p, forward) + away;
  const [near, far] = widened(corners.all.map(depthOf));
  const sideways = (axis: Vec3): Side => {
    const along = (p: Vec3): number => dot(p, axis) / (perspective ? depthOf(p) : 1);
    return fitSide(widened(corners.all.map(along)), corners.window.map(along), raster);
  };
  const [x, y] = [sideways(right), sideways(up)];
  // Clip coordinates as rows over (p, 1), p about the center.
  const w: Row = perspective ? [forward, away] : [vec3(), 1];
  const z: Row = perspective
    ? [scaled(forward, (far + near) / (far - near)), (away * (far + near) - 2 * far * near) / (far - near)]
    : [scaled(forward, 2 / (far - near)), -(far + near) / (far - near)];
  const shifted = (axis: Vec3, { middle, span }: Side): Row => [
    scaled(minus(axis, scaled(w[0], middle)), 2 / span),
    (-2 * middle * w[1]) / span,
  ];
  return {
    matrix: rows([shifted(right, x), shifted(up, y), z, w], center, reach),
    viewport: [x.start, y.start, x.pixels, y.pixels],
    pixel: Math.max(x.span / x.pixels, y.span / y.pixels) * reach * (away || 1),
  };
}

/** Around some numbers, with a rest on each side. */
function widened(at: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...at), Math.max(...at)];
  const rest = REST * Math.max(high - low, REST);
  return [low - rest, high + rest];
}

/** One axis of a viewport: what it holds, and where it begins and how long it is in pixels. */
interface Side {
  readonly middle: number;
  readonly span: number;
  readonly start: number;
  readonly pixels: number;
}

function fitSide(
  [low, high]: readonly [number, number],
  window: readonly number[],
  { size, largestViewport }: ViewRequest['raster'],
): Side {
  const span = high - low;
  const [from, to] = [Math.min(...window), Math.max(...window)];
  const wanted = Math.floor(((size - 2 * MARGIN) * span) / (to - from));
  const pixels = Math.min(wanted, largestViewport);
  const start = Math.round(size / 2 - (pixels * ((from + to) / 2 - low)) / span);
  return { middle: (low + high) / 2, span, start, pixels };
}

type Row = readonly [Vec3, number];

const scaled = (a: Vec3, s: number): Vec3 => vec3(a.x * s, a.y * s, a.z * s);
const minus = (a: Vec3, b: Vec3): Vec3 => vec3(a.x - b.x, a.y - b.y, a.z - b.z);

/** The rows over ((p - center) / reach, 1) as a matrix about the center: its last column stays relative, see `drawPlace`. */
function rows(list: readonly Row[], center: Vec3, reach: number): Float64Array {
  const matrix = new Float64Array(20);
  list.forEach(([a, b], r) => {
    matrix[r] = a.x / reach;
    matrix[4 + r] = a.y / reach;
    matrix[8 + r] = a.z / reach;
    matrix[12 + r] = b;
  });
  matrix[16] = center.x;
  matrix[17] = center.y;
  matrix[18] = center.z;
  return matrix;
}

/** Right, up and forward, at right angles; along the axes of the world if the direction is. */
function axesOf(direction: ReadonlyVec3): { right: Vec3; up: Vec3; forward: Vec3 } {
  const forward = unit(direction);
  const [ax, ay, az] = [Math.abs(forward.x), Math.abs(forward.y), Math.abs(forward.z)];
  const helper = ax <= ay && ax <= az ? vec3(1) : ay <= az ? vec3(0, 1) : vec3(0, 0, 1);
  const right = unit(cross(forward, helper));
  return { right, up: cross(right, forward), forward };
}

function unit(a: ReadonlyVec3): Vec3 {
  const m = Math.max(Math.abs(a.x), Math.abs(a.y), Math.abs(a.z));
  const [x, y, z] = [a.x / m, a.y / m, a.z / m];
  const length = Math.sqrt(x * x + y * y + z * z);
  return vec3(x / length, y / length, z / length);
}

const cornersOf = ({ min, max }: Aabb): Vec3[] =>
  Array.from({ length: 8 }, (_, i) =>
    vec3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z),
  );

/**
 * Where a model is drawn: its local coordinates to clip space. The product is taken in 64 bits and relative to the middle of the view: a
 * scene far from the origin is drawn as sharply as one at it.
 *
 * @internal
 */
export function drawPlace({ matrix: m, viewport }: View, { columns, place }: PlacedModel): DrawPlace {
  const matrix = new Float32Array(16);
  for (let r = 0; r < 4; r++) {
    columns.forEach(({ x, y, z }, c) => {
      matrix[4 * c + r] = m[r]! * x + m[4 + r]! * y + m[8 + r]! * z;
    });
    const [x, y, z] = [place.x - m[16]!, place.y - m[17]!, place.z - m[18]!];
    matrix[12 + r] = m[r]! * x + m[4 + r]! * y + m[8 + r]! * z + m[12 + r]!;
  }
  return { matrix, viewport };
}

/** The axis along which a box shows its largest side. @internal */
export function broadside({ min, max }: Aabb): Vec3 {
  const [x, y, z] = [max.x - min.x, max.y - min.y, max.z - min.z];
  return z <= x && z <= y ? vec3(0, 0, 1) : y <= x ? vec3(0, 1, 0) : vec3(1, 0, 0);
}
