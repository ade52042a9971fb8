/** A world matrix as a pose, and what it does beside: scale, mirror, shear. */
import { refuse } from '../math/check.ts';
import * as q4 from '../math/quat.ts';
import type { Mat3, Pose } from '../math/types.ts';
import { mat3, quat, vec3 } from '../math/types.ts';
import { imageOf } from '../shapes/scale.ts';
import type { Shape } from '../shapes/shape.ts';

/**
 * Sizes that differ by less than this part of themselves are taken as equal, and angles of less as 0: quaternions of 32 bits, as
 * glTF has them, are not quite of length 1, and what three.js makes of them is not quite a rotation.
 */
const SAME = 1 / 4194304;

const rotation = mat3();

/**
 * A matrix A x + t, taken apart: A = R U, where R is a rotation and U an upper triangle (Gram and Schmidt). Without shear, U is the
 * scale; of what is mirrored, its z is negative.
 */
export class Placement {
  readonly pose: Pose = { position: vec3(0.5, 0.5, 0.5), quaternion: quat(0.5, 0.5, 0.5, 0.5) };
  /** U. */
  readonly stretch: Mat3 = mat3();
  /** Does U nothing? */
  isRigid = false;
  /** Goes up whenever U changes. */
  stretchVersion = 0;
  private readonly elements = new Float64Array(16).fill(Number.NaN);

  /** Takes another matrix, if it is one: nothing is done for the same again. Returns whether it was another. */
  set(caller: string, name: string, elements: ArrayLike<number>): boolean {
    const { elements: own } = this;
    let same = true;
    for (let i = 0; i < 16; i++) same = same && own[i] === elements[i];
    if (same) return false;
    own.fill(Number.NaN); // if it is refused, the next one is looked at again
    mustBePlacement(caller, name, elements);
    this.takeApart(caller, name, elements);
    own.set(elements);
    return true;
  }

  private takeApart(caller: string, name: string, e: ArrayLike<number>): void {
    if (isFlat(e)) refuseFlat(caller, name);
    const ux = lengthOf(e, 0);
    const ax = e[0]! / ux;
    const ay = e[1]! / ux;
    const az = e[2]! / ux;
    const shearXY = ax * e[4]! + ay * e[5]! + az * e[6]!;
    const px = e[4]! - shearXY * ax;
    const py = e[5]! - shearXY * ay;
    const pz = e[6]! - shearXY * az;
    const uy = Math.sqrt(px * px + py * py + pz * pz);
    const bx = px / uy;
    const by = py / uy;
    const bz = pz / uy;
    const cx = ay * bz - az * by;
    const cy = az * bx - ax * bz;
    const cz = ax * by - ay * bx;
    const uz = cx * e[8]! + cy * e[9]! + cz * e[10]!;
    const shearXZ = ax * e[8]! + ay * e[9]! + az * e[10]!;
    const shearYZ = bx * e[8]! + by * e[9]! + bz * e[10]!;
    const r = rotation.elements;
    r[0] = ax;
    r[1] = ay;
    r[2] = az;
    r[3] = bx;
    r[4] = by;
    r[5] = bz;
    r[6] = cx;
    r[7] = cy;
    r[8] = cz;
    const { position, quaternion } = this.pose;
    q4.normalize(q4.fromMat3(rotation, quaternion), quaternion);
    position.x = e[12]!;
    position.y = e[13]!;
    position.z = e[14]!;
    this.setStretch([ux, uy, uz], [shearXY, shearXZ, shearYZ]);
  }

  private setStretch(sizes: number[], shears: number[]): void {
    const largest = Math.max(...sizes.map(Math.abs));
    const [ux, uy, uz] = rounded(sizes) as [number, number, number];
    const [xy, xz, yz] = shears.map((s) => (Math.abs(s) <= SAME * largest ? 0 : s)) as [
      number,
      number,
      number,
    ];
    const next = [ux, 0, 0, xy, uy, 0, xz, yz, uz];
    const u = this.stretch.elements;
    if (this.stretchVersion > 0 && areNear(next, u)) return;
    for (let i = 0; i < 9; i++) u[i] = next[i]!;
    this.isRigid = next.every((x, i) => x === (i % 4 === 0 ? 1 : 0));
    this.stretchVersion++;
  }
}

/** No difference: else an object that only turns would get a new shape with every frame. */
function areNear(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  const size = Math.max(Math.abs(a[0]!), Math.abs(a[4]!), Math.abs(a[8]!));
  for (let i = 0; i < 9; i++) if (!(Math.abs(a[i]! - b[i]!) <= (SAME / 4) * size)) return false;
  return true;
}

/** Sizes that are next to 1, or to each other, are so. */
function rounded(sizes: readonly number[]): number[] {
  const out: number[] = [];
  for (const size of sizes) {
    const like = [1, ...out.map(Math.abs)].find((other) => Math.abs(Math.abs(size) - other) <= SAME * other);
    out.push(like === undefined ? size : Math.sign(size) * like);
  }
  return out;
}

const lengthOf = (e: ArrayLike<number>, at: number): number =>
  Math.sqrt(e[at]! * e[at]! + e[at + 1]! * e[at + 1]! + e[at + 2]! * e[at + 2]!);

/**
 * Does the linear part of a matrix have no volume, but for rounding? Columns of length 0, or in one plane. @internal
 */
export function isFlat(e: ArrayLike<number>): boolean {
  const nx = e[1]! * e[6]! - e[2]! * e[5]!;
  const ny = e[2]! * e[4]! - e[0]! * e[6]!;
  const nz = e[0]! * e[5]! - e[1]! * e[4]!;
  const volume = Math.abs(nx * e[8]! + ny * e[9]! + nz * e[10]!);
  return volume <= FLAT * lengthOf(e, 0) * lengthOf(e, 4) * lengthOf(e, 8);
}
/** The sine of the angle between columns: below, Gram and Schmidt would have no digits left. */
const FLAT = 1e-12;

const refuseFlat = (caller: string, name: string): never =>
  refuse(
    caller,
    name,
    'has a scale of 0 in its world matrix, or of one of its parents, which makes it flat: hide it by visible = false instead',
  );

/** Refuses a world matrix that is not finite, or not affine. @internal */
export function mustBePlacement(caller: string, name: string, e: ArrayLike<number>): void {
  let sum = 0;
  for (let i = 0; i < 16; i++) sum += e[i]! * 0;
  if (sum !== 0)
    refuse(
      caller,
      name,
      'has a world matrix that is not finite: look for NaN in the position, quaternion and scale of it and its parents',
    );
  if (e[3] !== 0 || e[7] !== 0 || e[11] !== 0 || e[15] !== 1)
    refuse(caller, name, 'has a world matrix that is a projection: only affine ones place an object');
}

interface Image {
  readonly stretch: readonly number[];
  readonly shape: Shape;
}

/** Images of shapes: many objects of a scene are scaled alike. */
const images = /* @__PURE__ */ new WeakMap<Shape, Image[]>();
const MOST_IMAGES = 32;

/** A shape as a placement stretches it. The same object for the same stretch, as a rule. @internal */
export function stretched(shape: Shape, { stretch, isRigid }: Placement): Shape {
  if (isRigid) return shape;
  let known = images.get(shape);
  if (!known) {
    known = [];
    images.set(shape, known);
  }
  const { elements } = stretch;
  const old = known.find((image) => areNear(image.stretch, elements));
  if (old) return old.shape;
  const image = { stretch: [...elements], shape: imageOf(shape, stretch) };
  // A scale that is animated leaves one behind with every frame: the oldest go.
  if (known.length >= MOST_IMAGES) known.shift();
  known.push(image);
  return image.shape;
}
