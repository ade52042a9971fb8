/**
 * The cubes that may hold points of a field, halved where a distance from the field is asked for, and kept for the next point. A
 * search over the points of one body asks for thousands of distances from another: each walks through cubes that are there
 * already, and the field itself is asked once for each cube.
 */
import { refuse } from '../../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { FieldShape } from '../shape.ts';
import { CUBE_RADIUS } from './field.ts';

/** Cubes of one tree. When there are so many, the distance from the cubes there are is the answer. */
const MOST_CUBES = 1 << 16;
/** Cubes that one distance looks at. */
const MOST_VISITS = 1 << 13;
/** Relative to the coordinates: what rounding may do to a difference of two values. */
const ROUNDING = 1e-9;
/** Numbers of a cube: its centre, half of its side, and what the field is at the centre. */
const NUMBERS = 5;
/** Of a cube that was not halved yet. */
const WHOLE = -1;

export class FieldTree {
  private field: FieldShape | null = null;
  private largest = 0.5;
  private count = 0;
  private cubes = new Float64Array(NUMBERS * 1024);
  /** For each cube, the number of the first of its parts, and how many it has. */
  private firsts = new Int32Array(1024);
  private counts = new Uint8Array(1024);
  private readonly point = vec3();
  /** A heap of cubes, the nearest one first. */
  private heap = new Int32Array(512);
  private keys = new Float64Array(512);
  private size = 0;

  /** To be asked about a field; what is known of it stays, until it is told to forget. */
  begin(field: FieldShape): void {
    if (this.field === field) return;
    const { min, max } = field.bounds;
    const size = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
    this.largest = size + Math.max(Math.abs(min.x + max.x), Math.abs(min.y + max.y), Math.abs(min.z + max.z));
    this.count = 0;
    const half = (size / 2) * (1 + ROUNDING);
    const { point } = this;
    point.x = (min.x + max.x) / 2;
    point.y = (min.y + max.y) / 2;
    point.z = (min.z + max.z) / 2;
    this.add(point, half, field.bound(point));
    this.field = field;
  }

  forget(): void {
    this.field = null;
  }

  /**
   * No point of the field is nearer to p, outside of it, than this. It comes from a cube of which the radius is no more than the
   * precision, or is not below `enough`, if the limits on cubes permit. Where the bound of the field is the distance divided by k,
   * it is less than the distance by 1 + k radii, at most.
   */
  distanceFrom(p: ReadonlyVec3, precision: number, enough: number): number {
    this.size = 0;
    this.push(0, this.away(0, p));
    for (let visits = 0; this.size > 0; visits++) {
      const cube = this.heap[0]!;
      const key = this.keys[0]!;
      const radius = CUBE_RADIUS * this.cubes[NUMBERS * cube + 3]!;
      if (key >= enough || radius <= precision || visits === MOST_VISITS - 1) return key;
      if (this.firsts[cube] === WHOLE && !this.halve(cube)) return key;
      this.pop();
      const first = this.firsts[cube]!;
      const last = first + this.counts[cube]!;
      for (let part = first; part < last; part++) this.push(part, Math.max(key, this.away(part, p)));
    }
    return Infinity;
  }

  /** How far a cube is from p. */
  private away(cube: number, { x, y, z }: ReadonlyVec3): number {
    const { cubes } = this;
    const at = NUMBERS * cube;
    const half = cubes[at + 3]!;
    const dx = Math.max(0, Math.abs(x - cubes[at]!) - half);
    const dy = Math.max(0, Math.abs(y - cubes[at + 1]!) - half);
    const dz = Math.max(0, Math.abs(z - cubes[at + 2]!) - half);
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
  }

  /** Keeps those of the eight parts of a cube that may hold points of the field. False if there is no room. */
  private halve(cube: number): boolean {
    if (this.count + 8 > MOST_CUBES) return false;
    const { point } = this;
    const field = this.field!;
    const at = NUMBERS * cube;
    const x = this.cubes[at]!;
    const y = this.cubes[at + 1]!;
    const z = this.cubes[at + 2]!;
    const half = this.cubes[at + 3]! / 2;
    const before = this.cubes[at + 4]!;
    const first = this.count;
    for (let i = 0; i < 8; i++) {
      point.x = x + (i & 1 ? half : -half);
      point.y = y + (i & 2 ? half : -half);
      point.z = z + (i & 4 ? half : -half);
      const value = field.bound(point);
      if (!(Math.abs(value - before) <= CUBE_RADIUS * half * (1 + ROUNDING) + ROUNDING * this.largest))
        refuseSteep(field, { x, y, z, value: before }, point, value);
      if (value <= CUBE_RADIUS * half) this.add(point, half, value);
    }
    this.firsts[cube] = first;
    this.counts[cube] = this.count - first;
    return true;
  }

  private add({ x, y, z }: Readonly<Vec3>, half: number, value: number): void {
    const number = this.count++;
    if (number === this.counts.length) {
      this.cubes = grown(this.cubes, new Float64Array(2 * NUMBERS * number));
      this.firsts = grown(this.firsts, new Int32Array(2 * number));
      this.counts = grown(this.counts, new Uint8Array(2 * number));
    }
    const { cubes } = this;
    const at = NUMBERS * number;
    cubes[at] = x;
    cubes[at + 1] = y;
    cubes[at + 2] = z;
    cubes[at + 3] = half;
    cubes[at + 4] = value;
    this.firsts[number] = WHOLE;
    this.counts[number] = 0;
  }

  private push(cube: number, key: number): void {
    if (this.size === this.heap.length) {
      this.heap = grown(this.heap, new Int32Array(2 * this.size));
      this.keys = grown(this.keys, new Float64Array(2 * this.size));
    }
    const { heap, keys } = this;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent]! <= key) break;
      keys[at] = keys[parent]!;
      heap[at] = heap[parent]!;
      at = parent;
    }
    keys[at] = key;
    heap[at] = cube;
  }

  private pop(): void {
    const { heap, keys } = this;
    const size = --this.size;
    const key = keys[size]!;
    const cube = heap[size]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && keys[child + 1]! < keys[child]!) child++;
      if (keys[child]! >= key) break;
      keys[at] = keys[child]!;
      heap[at] = heap[child]!;
      at = child;
    }
    keys[at] = key;
    heap[at] = cube;
  }
}

/** The larger of two lists, with what is in the other. */
function grown<T extends Float64Array | Int32Array | Uint8Array>(list: T, larger: T): T {
  larger.set(list);
  return larger;
}

/** It is the user who is told: the centre of a cube and of one of its eight parts, and the values there. */
export function refuseSteep(
  { kind }: FieldShape,
  from: Readonly<Vec3> & { readonly value: number },
  to: ReadonlyVec3,
  value: number,
): never {
  refuse(
    kind,
    'the distance',
    `must not change faster than lipschitz says, but is ${from.value} at (${from.x}, ${from.y}, ${from.z}) and ` +
      `${value} at (${to.x}, ${to.y}, ${to.z})`,
  );
}
