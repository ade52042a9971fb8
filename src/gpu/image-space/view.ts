/**
 * Views that image-space tests draw from: the window fits what both objects may share, so that its pixels are as small as can be,
 * and the depth holds all of both, so that nothing is cut off between an object's front and its back. RTCD §10 and §10.3.
 */
import { type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import { cross, dot } from '../../math/vec3.ts';
import type { Aabb } from '../../primitives/types.ts';
import type { PlacedModel } from './raster-model.ts';

/** From where, and how. */
export interface ViewDirection {
  /** Away from the viewer. Any length. */
  readonly direction: ReadonlyVec3;
  /** Rays from one point instead of parallel ones: edges along the view become visible. Default: false. */
  readonly perspective?: boolean;
}

/** World to clip space, and what a pixel is. @internal */
export interface View {
  /** Column by column. */
  readonly matrix: Float64Array;
  /** The longer side of a pixel, in the world, in the middle of the window. */
  readonly pixel: number;
}

/** @internal */
export interface ViewRequest extends ViewDirection {
  /** What fills the window. */
  readonly window: Aabb;
  /** What must not be cut off in depth. */
  readonly depth: Aabb;
  /** Pixels on a side. */
  readonly size: number;
}

/** A window is at least this part of what is drawn: else its pixels would be finer than 32 bits can place corners in. */
const NARROWEST = 0.0009765625; // 2^-10
/** At the sides of the window, in pixels; in depth, as a part of its range. */
const MARGIN = 1.5;
const DEPTH_MARGIN = 0.0009765625; // 2^-10

/** @internal */
export function fitView({ direction, perspective, window, depth, size }: ViewRequest): View {
  const { right, up, forward } = axesOf(direction);
  const center = vec3(
    (depth.min.x + depth.max.x) / 2,
    (depth.min.y + depth.max.y) / 2,
    (depth.min.z + depth.max.z) / 2,
  );
  const half = Math.max(
    (depth.max.x - depth.min.x) / 2,
    (depth.max.y - depth.min.y) / 2,
    (depth.max.z - depth.min.z) / 2,
  );
  const reach = half || 1;
  // All lengths in units of `reach`, about the center: the numbers are then of an ordinary size.
  const local = (box: Aabb): Vec3[] =>
    cornersOf(box).map((p) =>
      vec3((p.x - center.x) / reach, (p.y - center.y) / reach, (p.z - center.z) / reach),
    );
  // In perspective the viewer stands outside of the ball around everything, whose radius is at most √3.
  const away = perspective ? 4 : 0;
  const depthOf = (p: Vec3): number => dot(p, forward) + away;
  const depths = local(depth).map(depthOf);
  const range = Math.max(Math.max(...depths) - Math.min(...depths), DEPTH_MARGIN);
  const near = Math.min(...depths) - DEPTH_MARGIN * range;
  const far = Math.max(...depths) + DEPTH_MARGIN * range;
  const corners = local(window);
  const sideways = (axis: Vec3): [number, number] => {
    const at = corners.map((p) => dot(p, axis) / (perspective ? depthOf(p) : 1));
    const [low, high] = [Math.min(...at), Math.max(...at)];
    const width = Math.max(high - low, NARROWEST) * (size / (size - 2 * MARGIN));
    return [(low + high) / 2, width];
  };
  const [x, width] = sideways(right);
  const [y, height] = sideways(up);
  // Clip coordinates as rows over (p, 1), p about the center.
  const w: Row = perspective ? [forward, away] : [vec3(), 1];
  const z: Row = perspective
    ? [scaled(forward, (far + near) / (far - near)), (away * (far + near) - 2 * far * near) / (far - near)]
    : [scaled(forward, 2 / (far - near)), -(far + near) / (far - near)];
  const shifted = (axis: Vec3, at: number, span: number): Row => [
    scaled(minus(axis, scaled(w[0], at)), 2 / span),
    (-2 * at * w[1]) / span,
  ];
  const pixel = (Math.max(width, height) * reach * (away || 1)) / size;
  return { matrix: rows([shifted(right, x, width), shifted(up, y, height), z, w], center, reach), pixel };
}

type Row = readonly [Vec3, number];

const scaled = (a: Vec3, s: number): Vec3 => vec3(a.x * s, a.y * s, a.z * s);
const minus = (a: Vec3, b: Vec3): Vec3 => vec3(a.x - b.x, a.y - b.y, a.z - b.z);

/** The rows over ((p - center) / reach, 1) as a matrix about the center: its last column stays relative, see `drawMatrix`. */
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
 * Local coordinates of a placed model to clip space, column by column. The product is taken in 64 bits and relative to the middle of
 * the view: a scene far from the origin is drawn as sharply as one at it.
 *
 * @internal
 */
export function drawMatrix({ matrix: m }: View, { columns, place }: PlacedModel): Float32Array {
  const result = new Float32Array(16);
  for (let r = 0; r < 4; r++) {
    columns.forEach(({ x, y, z }, c) => {
      result[4 * c + r] = m[r]! * x + m[4 + r]! * y + m[8 + r]! * z;
    });
    const [x, y, z] = [place.x - m[16]!, place.y - m[17]!, place.z - m[18]!];
    result[12 + r] = m[r]! * x + m[4 + r]! * y + m[8 + r]! * z + m[12 + r]!;
  }
  return result;
}

/** The axis along which a box shows its largest side. @internal */
export function broadside({ min, max }: Aabb): Vec3 {
  const [x, y, z] = [max.x - min.x, max.y - min.y, max.z - min.z];
  return z <= x && z <= y ? vec3(0, 0, 1) : y <= x ? vec3(0, 1, 0) : vec3(1, 0, 0);
}
