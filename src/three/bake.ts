/**
 * Trees baked into glTF files: `bakeTrees` writes them, as buffer views that the extension `GRAZE_mesh_tree` of a primitive leads
 * to; `bakedTrees`, a plugin of `GLTFLoader`, hands them to `meshOf` and the rest, so that none is built when a file is loaded.
 */
import type { BufferGeometry, Object3D } from 'three';
import { refuse, refuseType } from '../math/check.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { loadMesh as loadBareMesh, saveMesh } from '../trimesh/stored-mesh.ts';
import { readGlb, writeGlb } from './bake-glb.ts';
import { type Attribute, cornerCount, nameOf, readCoordinates, vertexAt } from './geometry.ts';
import { treesOf } from './geometry-tree.ts';
import { isRecord, type Json } from './gltf-shapes.ts';
import { meshOf } from './mesh-of.ts';
import { isTriangles } from './scene.ts';

const EXTENSION = 'GRAZE_mesh_tree';

/** The part of `GLTFParser` of three.js that is needed. */
export interface GltfParser {
  // biome-ignore lint/suspicious/noExplicitAny: as three.js has it
  readonly json: any;
  // biome-ignore lint/suspicious/noExplicitAny: as three.js has it
  readonly getDependency: (type: string, index: number) => Promise<any>;
}

/** The part of `GLTFLoader` of three.js that is needed. */
export interface GltfLoader {
  parseAsync(data: ArrayBuffer | string, path: string): Promise<{ readonly parser: GltfParser }>;
}

/** What the extension of a primitive says. */
interface BakedTree {
  /** Of what `saveMesh` gave. */
  readonly bufferView: number;
  /** Of the coordinates and the triangles that it was made from. */
  readonly checksum: number;
}

/** Extensions that leave nothing to be read without a decoder which Node does not have. */
const COMPRESSED = ['KHR_draco_mesh_compression'];

/**
 * A .glb file with the trees of its meshes in it, each in a buffer view of its own. Trees that were baked before are replaced. The
 * file is the same in all else, and loads everywhere: programs that do not know the extension pass over it.
 *
 * @param loader a `GLTFLoader` of three.js, for reading the geometries; with its decoder, if they are compressed by meshopt
 */
export async function bakeTrees(
  glb: ArrayBuffer | Uint8Array,
  loader: GltfLoader,
): Promise<Uint8Array<ArrayBuffer>> {
  const caller = 'bakeTrees';
  if (!(glb instanceof ArrayBuffer) && !(glb instanceof Uint8Array))
    refuseType(caller, 'glb', 'an ArrayBuffer or a Uint8Array', glb);
  if (typeof loader?.parseAsync !== 'function')
    refuseType(caller, 'loader', 'a GLTFLoader of three.js', loader);
  const bytes = glb instanceof ArrayBuffer ? new Uint8Array(glb) : glb;
  const { json, binary } = readGlb(caller, 'glb', bytes);
  for (const name of COMPRESSED)
    if (listOf(json['extensionsUsed']).includes(name))
      refuse(caller, 'glb', `must not be compressed yet, by ${name}: bake first, then compress`);
  const file = withoutTrees(json, binary);
  const { parser } = await loader.parseAsync(
    bufferOf(writeGlb({ ...file, json: geometryOnly(file.json) })),
    '',
  );
  const views = new BufferViews(file.json, file.binary);
  const known = new Map<BufferGeometry, BakedTree>();
  for (const { primitive, geometry } of await primitivesOf(parser, () => true)) {
    const target = listOf(listOf<Json>(file.json['meshes'])[primitive.mesh]!['primitives'])[
      primitive.number
    ] as {
      extensions?: Record<string, unknown>;
    };
    let tree = known.get(geometry);
    if (tree === undefined) {
      tree = {
        bufferView: views.add(new Uint8Array(saveMesh(meshOf(geometry)))),
        checksum: checksumOf(geometry),
      };
      known.set(geometry, tree);
    }
    target.extensions = { ...target.extensions, [EXTENSION]: tree };
  }
  if (known.size === 0) refuse(caller, 'glb', 'has no triangles');
  views.finish();
  file.json['extensionsUsed'] = [...listOf<string>(file.json['extensionsUsed']), EXTENSION];
  return writeGlb({ json: file.json, binary: views.bytes() });
}

const listOf = <T>(value: unknown): T[] => (Array.isArray(value) ? value : []);

/** The file with nothing but its geometries: textures cannot be loaded everywhere, and need not be. */
function geometryOnly(json: Record<string, unknown>): Record<string, unknown> {
  const { meshes, accessors, bufferViews, buffers, asset, extensionsUsed, extensionsRequired } = json;
  const bare = listOf<Json>(meshes).map((mesh) => ({
    ...mesh,
    primitives: listOf<Json>(mesh['primitives']).map(({ material: _, ...rest }) => rest),
  }));
  return { asset, meshes: bare, accessors, bufferViews, buffers, extensionsUsed, extensionsRequired };
}

const bufferOf = (bytes: Uint8Array): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;

/** A copy of the file without trees of an earlier bake, if those are the last that was added to it. */
function withoutTrees(
  json: Record<string, unknown>,
  binary: Uint8Array,
): { json: Record<string, unknown>; binary: Uint8Array } {
  const copy = structuredClone(json);
  const used = new Set<number>();
  for (const mesh of listOf<Json>(copy['meshes']))
    for (const primitive of listOf<{ extensions?: Record<string, unknown> }>(mesh['primitives'])) {
      const tree = primitive.extensions?.[EXTENSION];
      if (!isRecord(tree)) continue;
      used.add(tree['bufferView'] as number);
      delete primitive.extensions![EXTENSION];
      if (Object.keys(primitive.extensions!).length === 0) delete primitive.extensions;
    }
  if (used.size === 0) return { json: copy, binary };
  copy['extensionsUsed'] = listOf<string>(copy['extensionsUsed']).filter((name) => name !== EXTENSION);
  if (listOf(copy['extensionsUsed']).length === 0) delete copy['extensionsUsed'];
  const views = listOf<Json>(copy['bufferViews']);
  let end = binary.length;
  // From the back, where they were added.
  while (views.length > 0 && used.has(views.length - 1)) {
    const view = views.pop()!;
    end = Math.min(end, (view['byteOffset'] as number | undefined) ?? 0);
  }
  const [buffer] = listOf<{ byteLength: number }>(copy['buffers']);
  if (buffer) buffer.byteLength = end;
  return { json: copy, binary: binary.subarray(0, end) };
}

/** Adds buffer views to the first buffer of a file. */
class BufferViews {
  private readonly json: Record<string, unknown>;
  private readonly parts: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  private length: number;

  constructor(json: Record<string, unknown>, binary: Uint8Array) {
    this.json = json;
    const [first] = listOf<{ byteLength: number; uri?: string }>(json['buffers']);
    if (first?.uri !== undefined)
      refuse('bakeTrees', 'glb', `must have its buffers in itself, but the first is at '${first.uri}'`);
    this.length = first?.byteLength ?? 0;
    this.parts.push({ at: 0, bytes: binary.subarray(0, this.length) });
  }

  /** At a multiple of 8 bytes. Returns the number of the view. */
  add(bytes: Uint8Array): number {
    const at = Math.ceil(this.length / 8) * 8;
    this.parts.push({ at, bytes });
    this.length = at + bytes.length;
    const views = listOf<Json>(this.json['bufferViews']);
    this.json['bufferViews'] = views;
    views.push({ buffer: 0, byteOffset: at, byteLength: bytes.length });
    return views.length - 1;
  }

  finish(): void {
    const [, ...others] = listOf(this.json['buffers']);
    this.json['buffers'] = [{ byteLength: this.length }, ...others];
  }

  bytes(): Uint8Array {
    const all = new Uint8Array(this.length);
    for (const { at, bytes } of this.parts) all.set(bytes, at);
    return all;
  }
}

interface Loaded {
  readonly primitive: { readonly mesh: number; readonly number: number };
  readonly geometry: BufferGeometry;
}

/** The geometries of all primitives of triangles, of the meshes that are wanted. */
async function primitivesOf(parser: GltfParser, isWanted: (mesh: Json) => boolean): Promise<Loaded[]> {
  const all: Loaded[] = [];
  const meshes = listOf<Json>(parser.json.meshes);
  for (let mesh = 0; mesh < meshes.length; mesh++) {
    if (!isWanted(meshes[mesh]!)) continue;
    const loaded = (await parser.getDependency('mesh', mesh)) as Object3D;
    // One primitive is a mesh, several are the first children of a group: those behind are of nodes below.
    const count = listOf(meshes[mesh]!['primitives']).length;
    const objects = isTriangles(loaded) ? [loaded] : loaded.children.slice(0, count);
    objects.forEach((object, number) => {
      if (isTriangles(object)) all.push({ primitive: { mesh, number }, geometry: object.geometry });
    });
  }
  return all;
}

/** Of 53 bits, over all coordinates and all corners, in their order. Each word goes through a step that can be undone. */
function checksumOf(geometry: BufferGeometry): number {
  const coordinates = readCoordinates(geometry.attributes['position'] as Attribute);
  const words = new Int32Array(coordinates.buffer, coordinates.byteOffset, coordinates.byteLength / 4);
  let even = 0x9e3779b9 | 0;
  let odd = cornerCount(geometry) | 0;
  for (let i = 0; i < words.length; i++) {
    const word = Math.imul(even ^ words[i]!, 0x85ebca6b);
    even = odd ^ (word >>> 15);
    odd = word;
  }
  if (geometry.index)
    for (let i = 0; i < geometry.index.count; i++) {
      const word = Math.imul(even ^ vertexAt(geometry, i), 0xc2b2ae35);
      even = odd ^ (word >>> 13);
      odd = word;
    }
  return (even >>> 0) + (odd & 0x1fffff) * 4294967296;
}

/**
 * A plugin for `GLTFLoader`: `loader.register(bakedTrees)`. The geometries of files that were baked have their trees as soon as they
 * are loaded: `meshOf`, `colliderOf`, `accelerate` and the rest build none. A tree that is not that of its geometry, as in a file
 * that was changed after it was baked, is left out with a warning, and built when it is needed.
 */
export function bakedTrees(parser: GltfParser): { readonly name: string; afterRoot(): Promise<void> } {
  return {
    name: EXTENSION,
    afterRoot: async () => {
      for (const { primitive, geometry } of await primitivesOf(parser, isBaked)) {
        const definition = parser.json.meshes[primitive.mesh].primitives[primitive.number];
        const tree: unknown = definition.extensions?.[EXTENSION];
        if (tree === undefined) continue;
        const trees = treesOf(geometry);
        const fault = await loadTree(parser, tree, geometry).then(
          (mesh) => {
            trees.remember(geometry, mesh);
            return null;
          },
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
        if (fault !== null)
          console.warn(
            `graze: bakedTrees: the tree of meshes[${primitive.mesh}].primitives[${primitive.number}] (${nameOf(geometry)}) is ` +
              `not used, and will be built: ${fault}. Bake the file again.`,
          );
      }
    },
  };
}

const isBaked = (mesh: Json): boolean =>
  listOf<{ extensions?: Json }>(mesh['primitives']).some(
    ({ extensions }) => extensions?.[EXTENSION] !== undefined,
  );

async function loadTree(parser: GltfParser, tree: unknown, geometry: BufferGeometry): Promise<Mesh> {
  if (!isRecord(tree) || !Number.isInteger(tree['bufferView']))
    throw new RangeError(`the extension ${EXTENSION} must have the number of a bufferView`);
  const { bufferView, checksum } = tree as unknown as BakedTree;
  if (checksumOf(geometry) !== checksum) throw new RangeError('it was baked from other triangles');
  const mesh = loadBareMesh((await parser.getDependency('bufferView', bufferView)) as ArrayBuffer);
  if (mesh.givenCount !== Math.floor(cornerCount(geometry) / 3))
    throw new RangeError(
      `it has ${mesh.givenCount} triangles, the geometry has ${cornerCount(geometry) / 3}`,
    );
  return mesh;
}
