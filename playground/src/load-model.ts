/** What is in a file that someone dropped: glTF, OBJ, STL and PLY, read by three.js. */
import { meshOf } from 'graze/three';
import * as THREE from 'three';

type Reader = (data: ArrayBuffer) => Promise<THREE.Object3D | THREE.BufferGeometry>;

const text = (data: ArrayBuffer): string => new TextDecoder().decode(data);

/** Loaders are fetched when a file of theirs comes. */
const READERS: Record<string, Reader> = {
  obj: async (data) => new (await import('three/addons/loaders/OBJLoader.js')).OBJLoader().parse(text(data)),
  stl: readStl,
  ply: readPly,
  glb: readGltf,
  vrm: readGltf,
  gltf: readGltf,
};

export const FILE_KINDS = Object.keys(READERS);

/** The loader believes the count of a binary file, and makes room for it. */
async function readStl(data: ArrayBuffer): Promise<THREE.BufferGeometry> {
  const isText = /^\s*solid\b/.test(text(data.slice(0, 80))) && /\bfacet\b/.test(text(data.slice(0, 4096)));
  if (!isText) {
    const count = data.byteLength >= 84 ? new DataView(data).getUint32(80, true) : Number.NaN;
    if (!(84 + 50 * count <= data.byteLength)) throw new Error('it is cut off');
  }
  return new (await import('three/addons/loaders/STLLoader.js')).STLLoader().parse(data);
}

/** What there is so many of takes at least so many bytes: loaders would go on for ever, or run out of memory. */
function mustFit(count: unknown, data: ArrayBuffer): void {
  if (!(Number(count) <= data.byteLength)) throw new Error(`it is cut off: it should hold ${count} things`);
}

async function readPly(data: ArrayBuffer): Promise<THREE.BufferGeometry> {
  const header = text(data.slice(0, 65536)).split('end_header')[0]!;
  if (!header.startsWith('ply')) throw new Error('it does not begin with ply');
  for (const [, count] of header.matchAll(/^element\s+\S+\s+(\S+)/gm)) mustFit(count, data);
  return new (await import('three/addons/loaders/PLYLoader.js')).PLYLoader().parse(data);
}

/** The JSON of a glTF file, be it in a binary one. */
function gltfJson(data: ArrayBuffer): { accessors?: { count?: unknown }[] } {
  const isBinary = text(data.slice(0, 4)) === 'glTF';
  if (isBinary && data.byteLength < 20) throw new Error('it is cut off');
  const json = isBinary ? data.slice(20, 20 + new DataView(data).getUint32(12, true)) : data;
  return JSON.parse(text(json));
}

/** Files that it refers to are not there: only what it holds itself is read. */
async function readGltf(data: ArrayBuffer): Promise<THREE.Object3D> {
  for (const accessor of gltfJson(data)?.accessors ?? []) mustFit(accessor?.count ?? 0, data);
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const manager = new THREE.LoadingManager();
  manager.setURLModifier((url) => {
    if (!/^(data|blob):/.test(url)) throw new Error(`it refers to another file, ${url.slice(0, 80)}`);
    return url;
  });
  const { scene, animations } = await new GLTFLoader(manager).parseAsync(data, '');
  scene.animations = animations;
  return scene;
}

/** What a file holds, as an object whose triangles can be used. Whatever is wrong with it is said with the name of the file. */
export async function readModel(name: string, data: ArrayBuffer): Promise<THREE.Object3D> {
  const reader = READERS[name.split('.').at(-1)!.toLowerCase()];
  if (!reader) throw new Error(`${name} is none of ${FILE_KINDS.join(', ')}`);
  if (data.byteLength === 0) throw new Error(`${name} is empty`);
  try {
    const read = await reader(data);
    const object = read instanceof THREE.BufferGeometry ? new THREE.Mesh(read) : read;
    meshOf(object);
    return object;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${name} cannot be read: ${reason}`);
  }
}
