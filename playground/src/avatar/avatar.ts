/**
 * A virtual character, generated: a body of 44,345 vertices in one closed surface, as large as the avatar of Mujika et al., with a
 * skeleton, smooth weights of at most four joints a vertex, and a walk.
 */
import { surfaceNet } from './surface-net.ts';
import { type Point, Triangles } from './triangles.ts';

/** A joint where it is in the bind pose: A-shaped, y up, facing z, the left arm along x. In metres. */
interface Joint {
  readonly name: string;
  readonly parent: number;
  readonly at: Point;
}

/** A cone between two balls, flattened along z: flesh on a joint. */
interface Limb {
  readonly joint: number;
  readonly a: Point;
  readonly b: Point;
  readonly ra: number;
  readonly rb: number;
  readonly depth: number;
}

const joints: Joint[] = [];
const limbs: Limb[] = [];

function joint(name: string, parent: string | null, at: Point): void {
  joints.push({ name, parent: parent === null ? -1 : numberOf(parent), at });
}

const numberOf = (name: string): number => joints.findIndex((one) => one.name === name);

function flesh(name: string, a: Point, b: Point, [ra, rb]: readonly [number, number], depth = 1): void {
  limbs.push({ joint: numberOf(name), a, b, ra, rb, depth });
}

const along = ([x, y, z]: Point, [dx, dy, dz]: Point, t: number): Point => [
  x + t * dx,
  y + t * dy,
  z + t * dz,
];

function torso(): void {
  joint('hips', null, [0, 0.97, 0]);
  joint('spine', 'hips', [0, 1.08, 0]);
  joint('chest', 'spine', [0, 1.24, -0.005]);
  joint('neck', 'chest', [0, 1.47, -0.015]);
  joint('head', 'neck', [0, 1.55, 0]);
  flesh('hips', [-0.07, 0.95, 0], [0.07, 0.95, 0], [0.108, 0.108], 0.95);
  flesh('spine', [-0.06, 1.1, 0], [0.06, 1.1, 0], [0.085, 0.085], 0.95);
  flesh('chest', [-0.07, 1.23, 0], [0.07, 1.23, 0], [0.095, 0.095], 0.9);
  flesh('chest', [-0.075, 1.32, 0], [0.075, 1.32, 0], [0.105, 0.105], 0.9);
  flesh('chest', [-0.1, 1.385, -0.005], [0.1, 1.385, -0.005], [0.07, 0.07], 0.95);
  flesh('neck', [0, 1.44, -0.01], [0, 1.56, 0.005], [0.06, 0.052]);
  flesh('head', [0, 1.66, -0.012], [0, 1.665, 0.006], [0.092, 0.09]);
  flesh('head', [0, 1.575, 0.04], [0, 1.63, 0.03], [0.042, 0.072]);
  flesh('head', [0, 1.618, 0.1], [0, 1.65, 0.092], [0.012, 0.008]);
  for (const s of [1, -1])
    flesh('head', [0.084 * s, 1.61, -0.005], [0.09 * s, 1.645, -0.012], [0.011, 0.014]);
}

function leg(side: 'L' | 'R', s: number): void {
  const [hip, knee, ankle, ball]: Point[] = [
    [0.095 * s, 0.92, 0],
    [0.115 * s, 0.5, 0.012],
    [0.125 * s, 0.09, -0.02],
    [0.14 * s, 0.035, 0.1],
  ];
  joint(`thigh${side}`, 'hips', hip!);
  joint(`shin${side}`, `thigh${side}`, knee!);
  joint(`foot${side}`, `shin${side}`, ankle!);
  joint(`toes${side}`, `foot${side}`, ball!);
  flesh(`thigh${side}`, [0.1 * s, 0.86, 0], knee!, [0.086, 0.054]);
  flesh(`shin${side}`, knee!, [0.119 * s, 0.38, -0.012], [0.052, 0.056]);
  flesh(`shin${side}`, [0.119 * s, 0.38, -0.012], ankle!, [0.056, 0.037]);
  flesh(`foot${side}`, [0.124 * s, 0.045, -0.05], [0.138 * s, 0.037, 0.09], [0.038, 0.036]);
  flesh(`foot${side}`, ankle!, [0.132 * s, 0.06, 0.03], [0.036, 0.033]);
  flesh(`toes${side}`, ball!, [0.148 * s, 0.028, 0.17], [0.036, 0.026]);
}

/** Fingers from the palm on: how far across, how far along, their fan, and their length. */
const FINGERS = [
  ['thumb', 0.034, 0.025, 1.05, 0.03],
  ['index', 0.033, 0.092, 0.2, 0.032],
  ['middle', 0.011, 0.097, 0.06, 0.035],
  ['ring', -0.011, 0.093, -0.08, 0.032],
  ['little', -0.032, 0.084, -0.22, 0.026],
] as const;

function arm(side: 'L' | 'R', s: number): void {
  const shoulder: Point = [0.17 * s, 1.405, -0.01];
  const down: Point = [0.68 * s, -0.733, 0];
  const elbow = along(shoulder, down, 0.28);
  const wrist = along(elbow, down, 0.25);
  joint(`shoulder${side}`, 'chest', [0.04 * s, 1.42, -0.005]);
  joint(`upperArm${side}`, `shoulder${side}`, shoulder);
  joint(`foreArm${side}`, `upperArm${side}`, elbow);
  joint(`hand${side}`, `foreArm${side}`, wrist);
  flesh(`shoulder${side}`, [0.08 * s, 1.41, -0.005], shoulder, [0.06, 0.058]);
  flesh(`upperArm${side}`, shoulder, elbow, [0.056, 0.042]);
  flesh(`foreArm${side}`, elbow, along(elbow, down, 0.08), [0.041, 0.044]);
  flesh(`foreArm${side}`, along(elbow, down, 0.08), wrist, [0.044, 0.028]);
  for (const across of [-0.022, 0, 0.022]) {
    const palm = along(wrist, [0, 0, 1], across);
    flesh(`hand${side}`, along(wrist, [0, 0, 1], 0.4 * across), along(palm, down, 0.08), [0.021, 0.016]);
  }
  for (const [name, across, start, fan, length] of FINGERS) {
    const [c, f] = [Math.cos(fan), Math.sin(fan)];
    const direction: Point = [down[0] * c, down[1] * c, f];
    let from = along(along(wrist, [0, 0, 1], across), down, start);
    let above = `hand${side}`;
    for (let k = 1; k <= 3; k++) {
      const own = `${name}${k}${side}`;
      const to = along(from, direction, length * (1.15 - 0.15 * k));
      joint(own, above, from);
      const r = (name === 'thumb' ? 0.0135 : 0.0115) - 0.0009 * k;
      flesh(own, from, to, [r + 0.0009, r]);
      from = to;
      above = own;
    }
  }
}

const SIDES = [
  ['L', 1],
  ['R', -1],
] as const;

torso();
for (const [side, s] of SIDES) {
  leg(side, s);
  arm(side, s);
}

/** How far a point is from the axis of a limb, less its radius there. */
function limbDistance({ a, b, ra, rb, depth }: Limb, x: number, y: number, z: number): number {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], (b[2] - a[2]) / depth];
  const [px, py, pz] = [x - a[0], y - a[1], (z - a[2]) / depth];
  const t = Math.max(0, Math.min(1, (px * ux + py * uy + pz * uz) / (ux * ux + uy * uy + uz * uz || 1)));
  const [dx, dy, dz] = [px - t * ux, py - t * uy, pz - t * uz];
  return (Math.sqrt(dx * dx + dy * dy + dz * dz) - ra - t * (rb - ra)) * depth;
}

/** Of the joints, in their order. */
export const JOINT_NAMES: readonly string[] = joints.map(({ name }) => name);

/** Two limbs flow into each other where they are this near: thin ones less. */
const blendOf = ({ ra, rb }: Limb): number => Math.min(0.07, 0.75 * Math.min(ra, rb));

/** Negative inside of the body. The limbs that are far away do not count. */
function bodyDistance(near: readonly Limb[], x: number, y: number, z: number): number {
  let d = Infinity;
  for (const limb of near) {
    const other = limbDistance(limb, x, y, z);
    const k = blendOf(limb);
    const h = Math.max(0, k - Math.abs(d - other));
    d = Math.min(d, other) - (h * h) / (4 * k);
  }
  return d;
}

const VERTICES = 44_345;
/** Finds about as many as that; the longest edges are cut for the rest. */
const CELL = 0.0082;

/** At most so many joints a vertex. */
const INFLUENCES = 4;

export interface AvatarData {
  readonly positions: Float64Array;
  readonly index: Uint32Array;
  /** Four joints a vertex, and their weights, which sum to 1. */
  readonly joints: Uint16Array;
  readonly weights: Float64Array;
  /** 16 numbers a joint, column by column. */
  readonly inverseBindMatrices: Float64Array;
  /** The joint above each; -1 for the first. */
  readonly parents: Int32Array;
}

let made: AvatarData | null = null;

/** The avatar in its bind pose. Made once. */
export function avatarData(): AvatarData {
  made ??= makeAvatar();
  return made;
}

function makeAvatar(): AvatarData {
  const reach = 0.08;
  const body = new Triangles();
  const net = surfaceNet({
    min: [-0.72, -0.03, -0.2],
    max: [0.72, 1.8, 0.24],
    cell: CELL,
    near: (x, y, z, radius) =>
      limbs.filter((limb) => limbDistance(limb, x, y, z) < radius / limb.depth + reach),
    distance: bodyDistance,
  });
  body.add(net).cutTo(VERTICES);
  const { positions, index } = body.toGeometry();
  const inverseBindMatrices = new Float64Array(16 * joints.length);
  joints.forEach(({ at: [x, y, z] }, j) => {
    inverseBindMatrices.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1], 16 * j);
  });
  return {
    positions,
    index,
    ...weigh(positions),
    inverseBindMatrices,
    parents: Int32Array.from(joints, ({ parent }) => parent),
  };
}

/** Do two joints share vertices? Where one is above the other by two at most: so the legs do not pull each other. */
const shares: readonly (readonly number[])[] = joints.map((_, i) =>
  [...joints.keys()].filter((j) => isBelow(i, j) || isBelow(j, i)),
);

function isBelow(i: number, j: number): boolean {
  for (let step = 0; step <= 2; step++, i = i < 0 ? -1 : joints[i]!.parent) if (i === j) return true;
  return false;
}

/** Weights fall with the sixth power of the distance to the axis of a limb, in its radii. */
function weigh(positions: Float64Array): Pick<AvatarData, 'joints' | 'weights'> {
  const count = positions.length / 3;
  const numbers = new Uint16Array(INFLUENCES * count);
  const weights = new Float64Array(INFLUENCES * count);
  const far = new Float64Array(joints.length);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = positions.subarray(3 * i, 3 * i + 3) as unknown as [number, number, number];
    far.fill(Infinity);
    for (const limb of limbs) {
      const radius = (limb.ra + limb.rb) / 2;
      const d = (Math.max(0, limbDistance(limb, x, y, z)) + radius) / radius;
      far[limb.joint] = Math.min(far[limb.joint]!, d * d * d * d * d * d);
    }
    let nearest = 0;
    for (let j = 1; j < far.length; j++) if (far[j]! < far[nearest]!) nearest = j;
    const all = shares[nearest]!.map((joint) => ({ joint, weight: 1 / far[joint]! }))
      .sort((p, q) => q.weight - p.weight)
      .slice(0, INFLUENCES + 1);
    // What is left out would be next to nothing: so weights change smoothly along the body.
    const least = Math.max(0.02 * all[0]!.weight, all[INFLUENCES]?.weight ?? 0);
    const kept = all.filter(({ weight }) => weight > least);
    const sum = kept.reduce((s, { weight }) => s + weight - least, 0);
    kept.forEach(({ joint, weight }, k) => {
      numbers[INFLUENCES * i + k] = joint;
      weights[INFLUENCES * i + k] = (weight - least) / sum;
    });
  }
  return { joints: numbers, weights };
}

/** How a joint is turned, about x, then y, then z, in radians: in one step of the walk, which takes from 0 to 1. */
function turnsOf(name: string, phase: number): Point {
  const a = 2 * Math.PI * phase;
  const side = name.endsWith('L') ? 1 : -1;
  const own = name.endsWith('L') ? a : a + Math.PI;
  switch (name.replace(/[LR]$/, '')) {
    case 'hips':
      return [0.03, 0.1 * Math.sin(a), 0.035 * Math.cos(a)];
    case 'spine':
      return [0.04, -0.07 * Math.sin(a), -0.03 * Math.cos(a)];
    case 'chest':
      return [0.02, -0.11 * Math.sin(a), -0.02 * Math.cos(a)];
    case 'head':
      return [-0.05 + 0.02 * Math.sin(2 * a), 0.08 * Math.sin(a), 0];
    case 'thigh':
      return [-0.12 - 0.5 * Math.sin(own), 0, -0.05 * side];
    case 'shin':
      return [0.18 + 0.42 * (1 - Math.cos(own - 0.4)), 0, 0];
    case 'foot':
      return [-0.1 + 0.22 * Math.sin(own - 0.9), 0, 0.05 * side];
    case 'toes':
      return [-0.15 * Math.max(0, Math.sin(own + 2.6)), 0, 0];
    case 'shoulder':
      return [0, 0.05 * Math.sin(own), -0.08 * side];
    case 'upperArm':
      // From the A of the bind pose down to the sides, to and fro against the legs.
      return [0.45 * Math.sin(own), 0, -0.5 * side];
    case 'foreArm':
      return [-0.18 - 0.16 * (1 - Math.sin(own)), 0.1 * side, -0.1 * side];
    default:
      return /^(index|middle|ring|little)/.test(name) ? [0, 0, -0.28 * side] : [0, 0, 0];
  }
}

/** Each vertex where its joints have it: what a GPU does in a shader. */
export function skinnedPositions(
  { positions, joints: numbers, weights, inverseBindMatrices }: AvatarData,
  pose: ArrayLike<number>,
): Float64Array {
  const matrices = new Float64Array(inverseBindMatrices.length);
  for (let j = 0; j < matrices.length; j += 16)
    setProduct(matrices, j, pose, j, [...inverseBindMatrices.subarray(j, j + 16)]);
  const out = new Float64Array(positions.length);
  for (let i = 0; i < positions.length / 3; i++) {
    const [x, y, z] = [positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!];
    for (let k = 0; k < INFLUENCES; k++) {
      const w = weights[INFLUENCES * i + k]!;
      const m = 16 * numbers[INFLUENCES * i + k]!;
      for (let row = 0; row < 3; row++)
        out[3 * i + row]! +=
          w *
          (matrices[m + row]! * x +
            matrices[m + 4 + row]! * y +
            matrices[m + 8 + row]! * z +
            matrices[m + 12 + row]!);
    }
  }
  return out;
}

export interface WalkPlace {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** About the vertical; 0 looks along z. */
  readonly heading: number;
}

const HERE: WalkPlace = { x: 0, y: 0, z: 0, heading: 0 };
/** In metres: two steps. */
export const STRIDE = 1.35;

/**
 * The matrices of the joints, 16 numbers each, at a time of the walk: a phase of 1 is two steps.
 *
 * @param place where the avatar is and looks: its feet are about there
 */
export function walkPose(
  phase: number,
  place = HERE,
  out = new Float64Array(16 * joints.length),
): Float64Array {
  const a = 2 * Math.PI * phase;
  joints.forEach(({ name, parent, at }, j) => {
    const turn = rotationOf(turnsOf(name, phase));
    if (parent < 0) {
      setProduct(out, 16 * j, placed(place), 0, moved(turn, [at[0] + 0.018 * Math.sin(a), at[1], at[2]]));
    } else {
      const above = joints[parent]!.at;
      setProduct(
        out,
        16 * j,
        out,
        16 * parent,
        moved(turn, [at[0] - above[0], at[1] - above[1], at[2] - above[2]]),
      );
    }
  });
  // The foot that is lower stands.
  const low = lowestSole(out) - place.y;
  for (let i = 13; i < out.length; i += 16) out[i]! -= low;
  return out;
}

/** Points of the soles in the bind pose, of the left foot. */
const SOLE: readonly (readonly [joint: string, at: Point])[] = [
  ['foot', [0.124, 0.006, -0.055]],
  ['foot', [0.138, 0, 0.09]],
  ['toes', [0.14, -0.002, 0.1]],
  ['toes', [0.148, 0.003, 0.17]],
];

function lowestSole(pose: Float64Array): number {
  let low = Infinity;
  for (const [side, s] of SIDES)
    for (const [name, [x, y, z]] of SOLE) {
      const j = numberOf(`${name}${side}`);
      const [px, py, pz] = joints[j]!.at;
      const m = 16 * j;
      const dy = pose[m + 1]! * (s * x - px) + pose[m + 5]! * (y - py) + pose[m + 9]! * (z - pz);
      low = Math.min(low, dy + pose[m + 13]!);
    }
  return low;
}

/** The matrices of the joints in the bind pose. */
export function bindPose(): Float64Array {
  const out = new Float64Array(16 * joints.length);
  joints.forEach(({ at }, j) => {
    out.set(moved([1, 0, 0, 0, 1, 0, 0, 0, 1], at), 16 * j);
  });
  return out;
}

function placed({ x, y, z, heading }: WalkPlace): number[] {
  return moved(rotationOf([0, heading, 0]), [x, y, z]);
}

/** Nine numbers, column by column: about x, then y, then z. */
function rotationOf([x, y, z]: Point): number[] {
  const [cx, sx, cy, sy, cz, sz] = [x, y, z].flatMap((t) => [Math.cos(t), Math.sin(t)]) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return [
    cz * cy,
    sz * cy,
    -sy,
    cz * sy * sx - sz * cx,
    sz * sy * sx + cz * cx,
    cy * sx,
    cz * sy * cx + sz * sx,
    sz * sy * cx - cz * sx,
    cy * cx,
  ];
}

function moved(r: readonly number[], [x, y, z]: Point): number[] {
  return [r[0]!, r[1]!, r[2]!, 0, r[3]!, r[4]!, r[5]!, 0, r[6]!, r[7]!, r[8]!, 0, x, y, z, 1];
}

function setProduct(
  out: Float64Array,
  at: number,
  a: ArrayLike<number>,
  from: number,
  b: readonly number[],
): void {
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[from + 4 * k + row]! * b[4 * column + k]!;
      out[at + 4 * column + row] = sum;
    }
}
