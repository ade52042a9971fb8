/** glTF files for tests, loaded by the real GLTFLoader of three.js. */
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { writeGlb } from '../../src/three/bake-glb.ts';

type Json = Record<string, unknown>;

/** A file that is put together part by part. */
export class GltfFile {
  readonly json: Json = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }] };
  private readonly parts: Uint8Array[] = [];
  private length = 0;

  constructor(json: Json = {}) {
    Object.assign(this.json, structuredClone(json));
  }

  private list(field: string): Json[] {
    this.json[field] ??= [];
    return this.json[field] as Json[];
  }

  private view(array: Float32Array | Uint32Array | Uint16Array | Int16Array): number {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
    padded.set(bytes);
    this.list('bufferViews').push({ buffer: 0, byteOffset: this.length, byteLength: bytes.length });
    this.parts.push(padded);
    this.length += padded.length;
    return this.list('bufferViews').length - 1;
  }

  private accessor(
    array: Float32Array | Uint32Array | Uint16Array | Int16Array,
    type: 'SCALAR' | 'VEC3',
  ): number {
    const size = type === 'VEC3' ? 3 : 1;
    const componentType =
      array instanceof Float32Array
        ? 5126
        : array instanceof Uint32Array
          ? 5125
          : array instanceof Uint16Array
            ? 5123
            : 5122;
    const count = array.length / size;
    const bounds: Json = {};
    if (type === 'VEC3') {
      const column = (k: number): number[] => Array.from({ length: count }, (_, i) => array[3 * i + k]!);
      bounds['min'] = [0, 1, 2].map((k) => Math.min(...column(k)));
      bounds['max'] = [0, 1, 2].map((k) => Math.max(...column(k)));
    }
    this.list('accessors').push({ bufferView: this.view(array), componentType, count, type, ...bounds });
    return this.list('accessors').length - 1;
  }

  /** A mesh of one primitive or several. Returns its number. */
  mesh(...primitives: { positions: ArrayLike<number>; index?: ArrayLike<number> | null }[]): number {
    this.list('meshes').push({
      primitives: primitives.map(({ positions, index }) => ({
        attributes: { POSITION: this.accessor(Float32Array.from(positions), 'VEC3') },
        ...(index && { indices: this.accessor(Uint32Array.from(index), 'SCALAR') }),
      })),
    });
    return this.list('meshes').length - 1;
  }

  /** Adds a node, to the scene or below another one. Returns its number. */
  node(node: Json, parent?: number): number {
    const nodes = this.list('nodes');
    nodes.push({ ...node });
    const number = nodes.length - 1;
    if (parent === undefined) {
      const scene = (this.json['scenes'] as Json[])[0]!;
      scene['nodes'] = number === 0 ? [0] : [...(scene['nodes'] as number[]), number];
    } else {
      const above = nodes[parent]!;
      above['children'] = [...((above['children'] as number[]) ?? []), number];
    }
    return number;
  }

  toGlb(): Uint8Array<ArrayBuffer> {
    const binary = new Uint8Array(this.length);
    let at = 0;
    for (const part of this.parts) {
      binary.set(part, at);
      at += part.length;
    }
    return writeGlb({ json: { ...this.json, ...(at > 0 && { buffers: [{ byteLength: at }] }) }, binary });
  }

  load(loader = new GLTFLoader()): Promise<GLTF> {
    return loader.parseAsync(this.toGlb().buffer, '');
  }
}
