/**
 * Rigged models of glTF files, read and animated without a loader, as the specification of glTF 2.0 says (§3.7.3, §3.11, appendix C): one
 * skin a file, with all its meshes. What no joint moves follows its node, as a joint of its own.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { SkinArrays } from './skin-oracle.ts';

export interface Animation {
  readonly name: string;
  /** In seconds. */
  readonly duration: number;
}

export interface Pose {
  readonly joints: Float64Array;
  readonly morphs: Float64Array;
}

export interface RiggedModel {
  readonly name: string;
  readonly skin: SkinArrays;
  readonly animations: readonly Animation[];
  /** At a time of an animation; none is the pose that the file has. */
  pose(animation: number | null, time: number): Pose;
}

interface Accessor {
  readonly bufferView?: number;
  readonly byteOffset?: number;
  readonly componentType: number;
  readonly normalized?: boolean;
  readonly count: number;
  readonly type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT4';
}

interface Node {
  readonly children?: readonly number[];
  readonly mesh?: number;
  readonly skin?: number;
  readonly matrix?: readonly number[];
  readonly translation?: readonly number[];
  readonly rotation?: readonly number[];
  readonly scale?: readonly number[];
  readonly weights?: readonly number[];
}

interface Primitive {
  readonly attributes: Readonly<Record<string, number>>;
  readonly indices?: number;
  readonly targets?: readonly Readonly<Record<string, number>>[];
}

interface Gltf {
  readonly accessors: readonly Accessor[];
  readonly bufferViews: readonly { byteOffset?: number; byteStride?: number }[];
  readonly nodes: readonly Node[];
  readonly meshes: readonly { primitives: readonly Primitive[]; weights?: readonly number[] }[];
  readonly skins?: readonly { joints: readonly number[]; inverseBindMatrices?: number }[];
  readonly animations?: readonly {
    readonly name?: string;
    readonly channels: readonly { sampler: number; target: { node: number; path: string } }[];
    readonly samplers: readonly { input: number; output: number; interpolation?: string }[];
  }[];
}

const SIZES = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

/** Where the models are, if they are there. */
const FOLDER = new URL('../../../shared/data/characters/', import.meta.url);
export const RIGGED_NAMES = ['CesiumMan', 'Fox', 'RiggedFigure', 'RobotExpressive'] as const;
export const hasRigged = existsSync(new URL('CesiumMan.glb', FOLDER));

export const riggedBytes = (name: string): Uint8Array => readFileSync(new URL(`${name}.glb`, FOLDER));

const read = new Map<string, RiggedModel>();

/** Read once. */
export function rigged(name: (typeof RIGGED_NAMES)[number]): RiggedModel {
  let model = read.get(name);
  if (!model) {
    model = readRigged(name, riggedBytes(name));
    read.set(name, model);
  }
  return model;
}

/** The two parts of a binary glTF file. */
export function partsOfGlb(bytes: Uint8Array): { json: Gltf; data: DataView } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(12, true);
  return {
    json: JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))) as Gltf,
    data: new DataView(bytes.buffer, bytes.byteOffset + 28 + length),
  };
}

function readRigged(name: string, bytes: Uint8Array): RiggedModel {
  const { json, data } = partsOfGlb(bytes);
  const file = { json, data };
  const parents = new Map<number, number>();
  json.nodes.forEach(({ children = [] }, node) => {
    for (const child of children) parents.set(child, node);
  });
  const bound: { node: number; inverse: readonly number[] }[] = [];
  const bind = (node: number, inverse: readonly number[]) => bound.push({ node, inverse }) - 1;
  const skinStarts = (json.skins ?? []).map(({ joints, inverseBindMatrices }) => {
    const all = inverseBindMatrices === undefined ? null : numbersOf(file, inverseBindMatrices);
    const start = bound.length;
    joints.forEach((node, j) => {
      bind(node, all ? all.slice(16 * j, 16 * j + 16) : IDENTITY);
    });
    return start;
  });
  const positions: number[] = [];
  const index: number[] = [];
  const joints: number[] = [];
  const weights: number[] = [];
  const morphs: { first: number; displacements: readonly number[]; node: number; target: number }[] = [];
  json.nodes.forEach(({ mesh, skin }, node) => {
    if (mesh === undefined) return;
    const rigid = skin === undefined ? bind(node, IDENTITY) : -1;
    for (const { attributes, indices, targets = [] } of json.meshes[mesh]!.primitives) {
      const first = positions.length / 3;
      const own = numbersOf(file, attributes['POSITION']!);
      const count = own.length / 3;
      push(positions, own);
      const corners = indices === undefined ? [...Array(count).keys()] : numbersOf(file, indices);
      push(
        index,
        corners.map((v) => first + v),
      );
      if (skin === undefined)
        for (let v = 0; v < count; v++) {
          joints.push(rigid, 0, 0, 0);
          weights.push(1, 0, 0, 0);
        }
      else {
        push(
          joints,
          numbersOf(file, attributes['JOINTS_0']!).map((j) => skinStarts[skin]! + j),
        );
        push(weights, numbersOf(file, attributes['WEIGHTS_0']!));
      }
      targets.forEach((target, k) => {
        if (target['POSITION'] !== undefined)
          morphs.push({ first, displacements: numbersOf(file, target['POSITION']), node, target: k });
      });
    }
  });
  // One target for each, whoever's it is: what it does not move stays.
  const morphTargets = morphs.map(({ first, displacements }) => {
    const all = new Float64Array(positions.length);
    all.set(displacements, 3 * first);
    return all;
  });
  const nodeOf = new Map(bound.map(({ node }, j) => [node, j]));
  const parentJoint = (node: number): number => {
    for (let at = parents.get(node); at !== undefined; at = parents.get(at))
      if (nodeOf.has(at)) return nodeOf.get(at)!;
    return -1;
  };
  return {
    name,
    skin: {
      positions: Float64Array.from(positions),
      index: Uint32Array.from(index),
      joints: Uint16Array.from(joints),
      weights: Float64Array.from(weights),
      inverseBindMatrices: Float64Array.from(bound.flatMap(({ inverse }) => inverse)),
      morphTargets,
      parents: Int32Array.from(bound, ({ node }) => parentJoint(node)),
    },
    animations: (json.animations ?? []).map(({ name: title = 'animation', samplers }) => ({
      name: title,
      duration: Math.max(...samplers.map(({ input }) => numbersOf(file, input).at(-1)!)),
    })),
    pose(animation, time) {
      const moved = animation === null ? new Map<string, number[]>() : channelsAt(file, animation, time);
      const worlds = new Map<number, number[]>();
      const worldOf = (node: number): number[] => {
        const known = worlds.get(node);
        if (known) return known;
        const parent = parents.get(node);
        const local = localOf(json.nodes[node]!, node, moved);
        const world = parent === undefined ? local : product(worldOf(parent), local);
        worlds.set(node, world);
        return world;
      };
      return {
        joints: Float64Array.from(bound.flatMap(({ node }) => worldOf(node))),
        morphs: Float64Array.from(morphs, ({ node, target }) => {
          const { mesh, weights: ofNode } = json.nodes[node]!;
          const still = ofNode ?? json.meshes[mesh!]!.weights ?? [];
          return moved.get(`${node} weights`)?.[target] ?? still[target] ?? 0;
        }),
      };
    },
  };
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

function push(to: number[], from: readonly number[]): void {
  for (const x of from) to.push(x);
}

function numbersOf({ json, data }: { json: Gltf; data: DataView }, accessor: number): number[] {
  const {
    bufferView,
    byteOffset = 0,
    componentType,
    normalized = false,
    count,
    type,
  } = json.accessors[accessor]!;
  const size = SIZES[type];
  if (bufferView === undefined) return new Array<number>(count * size).fill(0);
  const { byteOffset: start = 0, byteStride } = json.bufferViews[bufferView]!;
  const [bytes, get, most] = {
    5120: [1, (at: number) => data.getInt8(at), 127],
    5121: [1, (at: number) => data.getUint8(at), 255],
    5122: [2, (at: number) => data.getInt16(at, true), 32767],
    5123: [2, (at: number) => data.getUint16(at, true), 65535],
    5125: [4, (at: number) => data.getUint32(at, true), 1],
    5126: [4, (at: number) => data.getFloat32(at, true), 1],
  }[componentType] as [number, (at: number) => number, number];
  const out: number[] = [];
  for (let i = 0; i < count; i++)
    for (let k = 0; k < size; k++) {
      const value = get(start + byteOffset + i * (byteStride ?? size * bytes) + k * bytes);
      out.push(normalized ? Math.max(-1, value / most) : value);
    }
  return out;
}

/** What an animation sets at a time: by node and path. */
function channelsAt(
  file: { json: Gltf; data: DataView },
  animation: number,
  time: number,
): Map<string, number[]> {
  const { channels, samplers } = file.json.animations![animation]!;
  const out = new Map<string, number[]>();
  for (const { sampler, target } of channels) {
    const { input, output, interpolation = 'LINEAR' } = samplers[sampler]!;
    const times = numbersOf(file, input);
    const values = numbersOf(file, output);
    out.set(`${target.node} ${target.path}`, sample({ times, values, interpolation }, target.path, time));
  }
  return out;
}

interface Curve {
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly interpolation: string;
}

function sample({ times, values, interpolation }: Curve, path: string, time: number): number[] {
  const isCubic = interpolation === 'CUBICSPLINE';
  const size = values.length / times.length / (isCubic ? 3 : 1);
  const key = (i: number, part = isCubic ? 1 : 0) =>
    values.slice((i * (isCubic ? 3 : 1) + part) * size, (i * (isCubic ? 3 : 1) + part + 1) * size);
  let i = times.findIndex((t) => t > time) - 1;
  if (i === -2) return key(times.length - 1);
  if (i < 0) return key(0);
  i = Math.min(i, times.length - 2);
  const span = times[i + 1]! - times[i]!;
  const t = (time - times[i]!) / span;
  const [a, b] = [key(i), key(i + 1)];
  if (interpolation === 'STEP') return a;
  if (isCubic) {
    const [out, into] = [key(i, 2), key(i + 1, 0)];
    const [t2, t3] = [t * t, t * t * t];
    const all = a.map(
      (p, k) =>
        (2 * t3 - 3 * t2 + 1) * p +
        span * (t3 - 2 * t2 + t) * out[k]! +
        (3 * t2 - 2 * t3) * b[k]! +
        span * (t3 - t2) * into[k]!,
    );
    return path === 'rotation' ? unit(all) : all;
  }
  return path === 'rotation' ? slerp(a, b, t) : a.map((p, k) => p + t * (b[k]! - p));
}

function slerp(a: readonly number[], b: readonly number[], t: number): number[] {
  const dot = a.reduce((sum, x, k) => sum + x * b[k]!, 0);
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  if (angle < 1e-6) return unit(a.map((x, k) => x + t * (Math.sign(dot) * b[k]! - x)));
  const [p, q] = [Math.sin((1 - t) * angle), Math.sign(dot) * Math.sin(t * angle)];
  return a.map((x, k) => (p * x + q * b[k]!) / Math.sin(angle));
}

function unit(q: readonly number[]): number[] {
  const length = Math.hypot(...q);
  return q.map((x) => x / length);
}

function localOf(node: Node, number: number, moved: Map<string, number[]>): number[] {
  const of = (path: 'translation' | 'rotation' | 'scale') => moved.get(`${number} ${path}`) ?? node[path];
  const [translation, rotation, scale] = [of('translation'), of('rotation'), of('scale')];
  if (node.matrix && !translation && !rotation && !scale) return [...node.matrix];
  const [tx, ty, tz] = translation ?? [0, 0, 0];
  const [x, y, z, w] = (rotation ?? [0, 0, 0, 1]) as [number, number, number, number];
  const [sx, sy, sz] = (scale ?? [1, 1, 1]) as [number, number, number];
  return [
    sx * (1 - 2 * (y * y + z * z)),
    sx * 2 * (x * y + z * w),
    sx * 2 * (x * z - y * w),
    0,
    sy * 2 * (x * y - z * w),
    sy * (1 - 2 * (x * x + z * z)),
    sy * 2 * (y * z + x * w),
    0,
    sz * 2 * (x * z + y * w),
    sz * 2 * (y * z - x * w),
    sz * (1 - 2 * (x * x + y * y)),
    0,
    tx!,
    ty!,
    tz!,
    1,
  ];
}

function product(a: readonly number[], b: readonly number[]): number[] {
  return Array.from({ length: 16 }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += a[4 * k + (i % 4)]! * b[4 * Math.floor(i / 4) + k]!;
    return sum;
  });
}
