/** A surface that a function of two parameters describes. */
import {
  describe,
  mustBeBoolean,
  mustBeFunction,
  mustBeLength,
  mustBeList,
  mustBeNumber,
  mustBeOptions,
  mustNotBeNegative,
  refuse,
} from '../math/check.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { makeAabb } from '../primitives/types.ts';
import { closestPointMesh, makeMeshPoint } from '../trimesh/closest.ts';
import { isInsideClosed } from '../trimesh/crossing-number.ts';
import { isClosed } from '../trimesh/derived.ts';
import { FAMILY } from '../trimesh/family-key.ts';
import { mesh as buildMesh, type Mesh } from '../trimesh/mesh.ts';
import type { ShapeFamily } from './family.ts';
import { FIELD } from './fields/family.ts';
import { sizeOfBox } from './fields/field.ts';
import type { FieldShape, ParametricShape } from './shape.ts';

/** A point of the surface: fills `out`, or returns another record. */
export type SurfaceFunction = (u: number, v: number, out: Vec3) => ReadonlyVec3;

/** The derivatives of a point by u and by v. */
export type SurfaceDerivatives = (u: number, v: number, du: Vec3, dv: Vec3) => void;

export interface ParametricOptions {
  /** The range of u. Default: 0 to 1. */
  readonly u?: readonly [number, number];
  /** The range of v. Default: 0 to 1. */
  readonly v?: readonly [number, number];
  /** Default: differences of points. */
  readonly derivatives?: SurfaceDerivatives;
  /**
   * No second derivative (by u twice, by u and v, by v twice) is longer. Default: twice the longest that 33 × 33 points show:
   * give a bound where features are smaller than the distance between those.
   */
  readonly curvature?: number;
  /** Is it closed, with u and v going around or to poles? Then it is a solid; without, a sheet. Default: false. */
  readonly closed?: boolean;
  /** All points within this distance belong to it, too. Default: 0 for what is closed; 1e-4 of the size for a sheet, which must not have 0. */
  readonly rounding?: number;
  /** How far the triangles may be from the surface by which points of it are found. Default: 1e-3 of the size. */
  readonly tolerance?: number;
}

/** Points of the surface whose second differences are looked at, along each parameter. */
const LOOKS = 32;
/** Triangles along a parameter, two for each. */
const MOST_CELLS = 1024;
/** Relative to the ranges, for differences. */
const STEP = 1e-5;
const WIDE_STEP = 1e-3;
const MOST_NEWTON = 20;

/**
 * The surface of the points f(u, v), as a thin plate, or the solid inside if it is `closed`. f must have continuous second
 * derivatives. Nearest points are those of the surface itself, found by Newton's method from the nearest of triangles that are within
 * `tolerance` of it: the distance is never wrong by more than twice that, and right to rounding where no other part of the
 * surface is as near. A function that is found to bend more than `curvature`, gives what is not finite, or throws ends
 * the query with an error that names the parameters. O(1 / tolerance) once.
 */
export function parametric(f: SurfaceFunction, options: ParametricOptions = {}): ParametricShape {
  mustBeFunction('parametric', 'f', f);
  mustBeOptions('parametric', 'options', options, 'u v derivatives curvature closed rounding tolerance');
  const { u = [0, 1], v = [0, 1], derivatives, curvature, closed = false, rounding, tolerance } = options;
  mustBeRange('u', u);
  mustBeRange('v', v);
  if (derivatives !== undefined) mustBeFunction('parametric', 'options.derivatives', derivatives);
  if (curvature !== undefined) mustNotBeNegative('parametric', 'options.curvature', curvature);
  mustBeBoolean('parametric', 'options.closed', closed);
  if (rounding !== undefined) mustBeLength('parametric', 'options.rounding', rounding);
  const surface = new Surface(f, [...u, ...v], derivatives ?? null);
  const [measured, size] = surface.look(curvature);
  if (tolerance !== undefined && !(typeof tolerance === 'number' && tolerance > 0 && tolerance < Infinity))
    refuse('parametric', 'options.tolerance', `must be a finite number above 0, got ${describe(tolerance)}`);
  surface.tessellate(curvature ?? 2 * measured, tolerance ?? 1e-3 * size);
  if (closed && !isClosed(surface.mesh))
    refuse('parametric', 'options.closed', 'must be false: the ends of the ranges do not meet');
  surface.isSolid = closed;
  const radius = rounding ?? (closed ? 0 : 1e-4 * size);
  if (!(closed || radius > 0))
    refuse('parametric', 'options.rounding', 'must be above 0 for a sheet, which has no inside');
  const { min, max } = surface.mesh.bounds;
  const bounds = makeAabb();
  const wide = vec3(1, 1, 1);
  v3.addScaled(min, wide, -radius - surface.error, bounds.min);
  v3.addScaled(max, wide, radius + surface.error, bounds.max);
  return {
    kind: 'parametric',
    bounds,
    bound: (p) => surface.signedDistance(p) - radius,
    exact: true,
    detail: sizeOfBox(bounds) / 64,
    [FAMILY]: PARAMETRIC,
  };
}

const PARAMETRIC: Readonly<ShapeFamily<FieldShape>> = {
  ...FIELD,
  signedDistance: (shape, p, context) =>
    shape.exact ? shape.bound(p) : FIELD.signedDistance(shape, p, context),
};

function mustBeRange(name: 'u' | 'v', range: unknown): asserts range is readonly [number, number] {
  mustBeList('parametric', `options.${name}`, range);
  const [from, to] = range as readonly [number, number];
  mustBeNumber('parametric', `options.${name}[0]`, from);
  mustBeNumber('parametric', `options.${name}[1]`, to);
  if (!(from < to && to - from < Infinity))
    refuse(
      'parametric',
      `options.${name}`,
      `must be a range from a smaller to a larger number, got [${from}, ${to}]`,
    );
}

class Surface {
  mesh!: Mesh;
  /** No triangle is farther from its part of the surface. */
  error = 0;
  isSolid = false;
  /** Is du × dv the normal inward? */
  private isInward = false;
  private columns = 1;
  private readonly f: SurfaceFunction;
  private readonly derivatives: SurfaceDerivatives | null;
  private readonly range: readonly number[];

  constructor(f: SurfaceFunction, range: readonly number[], derivatives: SurfaceDerivatives | null) {
    this.f = f;
    this.range = range;
    this.derivatives = derivatives;
  }

  /** The user's function, never believed. */
  at(u: number, v: number): ReadonlyVec3 {
    const out = vec3();
    let p: ReadonlyVec3;
    try {
      p = this.f(u, v, out) ?? out;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`graze: parametric: f threw at u = ${u}, v = ${v}: ${why}`, { cause });
    }
    const { x, y, z } = p;
    if (!(Math.abs(x) + Math.abs(y) + Math.abs(z) < Infinity))
      refuse(
        'parametric',
        'f',
        `must give finite points, but gives (${x}, ${y}, ${z}) at u = ${u}, v = ${v}`,
      );
    return p;
  }

  /** The longest second derivative that second differences show, and the size. */
  look(curvature: number | undefined): readonly [number, number] {
    const [u0, u1, v0, v1] = this.range as [number, number, number, number];
    const [h, k] = [(u1 - u0) / LOOKS, (v1 - v0) / LOOKS];
    const rows: ReadonlyVec3[][] = [];
    const box = { min: vec3(Infinity, Infinity, Infinity), max: vec3(-Infinity, -Infinity, -Infinity) };
    for (let i = 0; i <= LOOKS; i++) {
      rows.push([]);
      for (let j = 0; j <= LOOKS; j++) {
        const p = v3.copy(this.at(u0 + i * h, v0 + j * k));
        rows[i]!.push(p);
        v3.min(box.min, p, box.min);
        v3.max(box.max, p, box.max);
      }
    }
    const point = (i: number, j: number): ReadonlyVec3 => rows[i]![j]!;
    let most = 0;
    const slack = 1e-9 * sizeOfBox(box);
    const see = (difference: ReadonlyVec3, by: number, i: number, j: number): void => {
      const length = v3.length(difference) / by;
      most = Math.max(most, length);
      if (curvature !== undefined && length > curvature * (1 + 1e-6) + slack / by)
        this.refuseBent(u0 + i * h, v0 + j * k, length, curvature);
    };
    const twice = (a: ReadonlyVec3, b: ReadonlyVec3, c: ReadonlyVec3, d: ReadonlyVec3): Vec3 =>
      v3.sub(v3.sub(a, b), v3.sub(c, d));
    for (let i = 0; i <= LOOKS; i++)
      for (let j = 0; j <= LOOKS; j++) {
        const p = point(i, j);
        if (i > 0 && i < LOOKS) see(twice(point(i + 1, j), p, p, point(i - 1, j)), h * h, i, j);
        if (j > 0 && j < LOOKS) see(twice(point(i, j + 1), p, p, point(i, j - 1)), k * k, i, j);
        if (i < LOOKS && j < LOOKS)
          see(twice(point(i + 1, j + 1), point(i + 1, j), point(i, j + 1), p), h * k, i, j);
      }
    const size = sizeOfBox(box);
    if (!(size > 0)) refuse('parametric', 'f', 'must describe a surface, but all its points are one');
    return [most, size];
  }

  private refuseBent(u: number, v: number, found: number, said: number): never {
    refuse(
      'parametric',
      'f',
      `must not bend more than options.curvature (${said}) says, but does at u = ${u}, v = ${v} (${found})`,
    );
  }

  /** Triangles over cells; linear interpolation is off by (|uu| du² + 2 |uv| du dv + |vv| dv²) / 8, at most. */
  tessellate(curvature: number, tolerance: number): void {
    const [u0, u1, v0, v1] = this.range as [number, number, number, number];
    const cells = (length: number): number =>
      Math.max(2, Math.min(MOST_CELLS, Math.ceil(length * Math.sqrt(curvature / (2 * tolerance)))));
    const columns = cells(u1 - u0);
    const rows = cells(v1 - v0);
    const [h, k] = [(u1 - u0) / columns, (v1 - v0) / rows];
    this.columns = columns;
    this.error = (curvature * (h + k) * (h + k)) / 8;
    const positions = new Float64Array(3 * (columns + 1) * (rows + 1));
    let at = 0;
    for (let j = 0; j <= rows; j++)
      for (let i = 0; i <= columns; i++) {
        const { x, y, z } = this.at(i < columns ? u0 + i * h : u1, j < rows ? v0 + j * k : v1);
        positions[at++] = x;
        positions[at++] = y;
        positions[at++] = z;
      }
    const index: number[] = [];
    for (let j = 0; j < rows; j++)
      for (let i = 0; i < columns; i++) {
        const a = j * (columns + 1) + i;
        const c = a + columns + 1;
        index.push(a, a + 1, c + 1, a, c + 1, c);
      }
    this.mesh = buildMesh(positions, index);
    this.isInward = volumeOf(positions, index) < 0;
  }

  /** Of the nearest point of the surface; in what is closed, below 0 inside. */
  signedDistance(p: ReadonlyVec3): number {
    const { mesh, range, columns, error } = this;
    const [u0, u1, v0, v1] = range as [number, number, number, number];
    const near = closestPointMesh(p, mesh, Infinity, makeMeshPoint())!;
    // Where in its cell: the corners are (0, 0), (1, 0), (1, 1) and (0, 0), (1, 1), (0, 1).
    const cell = near.triangle >> 1;
    const isUpper = (near.triangle & 1) === 1;
    const rows = mesh.givenCount / (2 * columns);
    const s = isUpper ? near.v : near.v + near.w;
    const t = isUpper ? near.v + near.w : near.w;
    const foot = {
      u: u0 + ((cell % columns) + s) * ((u1 - u0) / columns),
      v: v0 + (Math.floor(cell / columns) + t) * ((v1 - v0) / rows),
    };
    const distance = this.descend(p, foot);
    if (distance < near.distance - error * (1 + 1e-6) - 1e-12 * v3.length(p))
      refuse(
        'parametric',
        'f',
        `must not bend more than options.curvature says (default: what 33 × 33 points show, twice), but is ${distance} from ` +
          `(${p.x}, ${p.y}, ${p.z}) at u = ${foot.u}, v = ${foot.v}, nearer than that allows`,
      );
    return this.isSolid && this.isBehind(p, foot, distance) ? -distance : distance;
  }

  /** Newton's method for the nearest point within the ranges, damped. Moves `foot` there; returns the distance. */
  private descend(p: ReadonlyVec3, foot: { u: number; v: number }): number {
    const [u0, u1, v0, v1] = this.range as [number, number, number, number];
    const [h, k] = [WIDE_STEP * (u1 - u0), WIDE_STEP * (v1 - v0)];
    const du = vec3();
    const dv = vec3();
    const away = v3.sub(this.at(foot.u, foot.v), p);
    let square = v3.dot(away, away);
    let damping = 0;
    for (let i = 0; i < MOST_NEWTON; i++) {
      const { u, v } = foot;
      this.slopes(u, v, du, dv);
      let gu = v3.dot(away, du);
      let gv = v3.dot(away, dv);
      const lean = (a: number, b: number): number => v3.dot(away, this.at(a, b));
      const [a, b] = [inside(u, h, u0, u1), inside(v, k, v0, v1)];
      const middle = lean(a, b);
      let uu = v3.dot(du, du) + (lean(a + h, b) - 2 * middle + lean(a - h, b)) / (h * h);
      let vv = v3.dot(dv, dv) + (lean(a, b + k) - 2 * middle + lean(a, b - k)) / (k * k);
      let uv =
        v3.dot(du, dv) +
        (lean(a + h, b + k) - lean(a - h, b + k) - lean(a + h, b - k) + lean(a - h, b - k)) / (4 * h * k);
      // At an end of a range, with the way on leading out of it.
      if ((u <= u0 && gu > 0) || (u >= u1 && gu < 0)) {
        gu = 0;
        uv = 0;
        uu = 1;
      }
      if ((v <= v0 && gv > 0) || (v >= v1 && gv < 0)) {
        gv = 0;
        uv = 0;
        vv = 1;
      }
      const [eu, ev] = [v3.dot(du, du) + 1e-300, v3.dot(dv, dv) + 1e-300];
      let isBetter = false;
      for (let tries = 0; tries < 12 && !isBetter; tries++) {
        const [x, y] = [uu + damping * eu, vv + damping * ev];
        const determinant = x * y - uv * uv;
        if (x > 0 && determinant > 0) {
          const to = {
            u: Math.min(u1, Math.max(u0, u - (y * gu - uv * gv) / determinant)),
            v: Math.min(v1, Math.max(v0, v - (x * gv - uv * gu) / determinant)),
          };
          const there = v3.sub(this.at(to.u, to.v), p);
          const value = v3.dot(there, there);
          isBetter = value < square;
          if (isBetter) {
            square = value;
            foot.u = to.u;
            foot.v = to.v;
            v3.copy(there, away);
          }
        }
        damping = isBetter ? damping / 8 : 8 * damping + 1e-2;
      }
      if (!isBetter || Math.abs(foot.u - u) / (u1 - u0) + Math.abs(foot.v - v) / (v1 - v0) < 1e-10) break;
    }
    return Math.sqrt(square);
  }

  private slopes(u: number, v: number, du: Vec3, dv: Vec3): void {
    const [u0, u1, v0, v1] = this.range as [number, number, number, number];
    if (this.derivatives !== null) {
      this.derivatives(u, v, du, dv);
      if (!(v3.length(du) + v3.length(dv) < Infinity))
        refuse(
          'parametric',
          'options.derivatives',
          `must give finite vectors, but does not at u = ${u}, v = ${v}`,
        );
      return;
    }
    const [h, k] = [STEP * (u1 - u0), STEP * (v1 - v0)];
    const [a, b] = [Math.max(u0, u - h), Math.min(u1, u + h)];
    const [c, d] = [Math.max(v0, v - k), Math.min(v1, v + k)];
    v3.scale(v3.sub(v3.copy(this.at(b, v)), this.at(a, v)), 1 / (b - a), du);
    v3.scale(v3.sub(v3.copy(this.at(u, d)), this.at(u, c)), 1 / (d - c), dv);
  }

  /** By the normal at the nearest point; at poles, where there is none, by the triangles. */
  private isBehind(p: ReadonlyVec3, { u, v }: { u: number; v: number }, distance: number): boolean {
    const du = vec3();
    const dv = vec3();
    this.slopes(u, v, du, dv);
    const normal = v3.cross(du, dv);
    const height = v3.dot(normal, v3.sub(p, this.at(u, v))) * (this.isInward ? -1 : 1);
    if (Math.abs(height) > 0.5 * distance * v3.length(normal)) return height < 0;
    return isInsideClosed(p, this.mesh);
  }
}

/** So that u - h and u + h are in the range. */
const inside = (u: number, h: number, from: number, to: number): number =>
  Math.min(to - h, Math.max(from + h, u));

/** Six times the volume. */
function volumeOf(positions: Float64Array, index: readonly number[]): number {
  const point = (i: number): Vec3 => vec3(positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!);
  let volume = 0;
  for (let i = 0; i < index.length; i += 3)
    volume += v3.dot(point(index[i]!), v3.cross(point(index[i + 1]!), point(index[i + 2]!)));
  return volume;
}
