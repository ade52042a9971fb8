/** Triangles out of a file that someone dropped: glTF, OBJ, STL and PLY, read by three.js. */
import * as THREE from 'three';
import type { Arrays } from './models.ts';

type Reader = (data: ArrayBuffer) => Promise<THREE.Object3D | THREE.BufferGeometry>;

const text = (data: ArrayBuffer): string => new TextDecoder().decode(data);

/** Loaders are fetched when a file of theirs comes. */
const READERS: Record<string, Reader> = {
  obj: async (data) => new (await import('three/addons/loaders/OBJLoader.js')).OBJLoader().parse(text(data)),
  stl: async (data) => new (await import('three/addons/loaders/STLLoader.js')).STLLoader().parse(data),
  ply: async (data) => new (await import('three/addons/loaders/PLYLoader.js')).PLYLoader().parse(data),
  glb: readGltf,
  gltf: readGltf,
};

export const FILE_KINDS = Object.keys(READERS);

async function readGltf(data: ArrayBuffer): Promise<THREE.Object3D> {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  return (await new GLTFLoader().parseAsync(data, '')).scene;
}

/** All triangles in a file, as they stand in its scene. */
export async function readModel(name: string, data: ArrayBuffer): Promise<Arrays> {
  const reader = READERS[name.split('.').at(-1)!.toLowerCase()];
  if (!reader) throw new Error(`${name} is none of ${FILE_KINDS.join(', ')}`);
  const read = await reader(data);
  const parts: { geometry: THREE.BufferGeometry; matrix: THREE.Matrix4 }[] = [];
  if (read instanceof THREE.BufferGeometry) parts.push({ geometry: read, matrix: new THREE.Matrix4() });
  else {
    read.updateMatrixWorld(true);
    read.traverse((child) => {
      if (child instanceof THREE.Mesh) parts.push({ geometry: child.geometry, matrix: child.matrixWorld });
    });
  }
  const positions: number[] = [];
  const index: number[] = [];
  for (const { geometry, matrix } of parts) {
    const base = positions.length / 3;
    const position = geometry.getAttribute('position');
    const v = new THREE.Vector3();
    for (let i = 0; i < position.count; i++) {
      v.fromBufferAttribute(position, i).applyMatrix4(matrix);
      positions.push(v.x, v.y, v.z);
    }
    const corners = geometry.getIndex();
    const count = corners ? corners.count : position.count;
    for (let i = 0; i < count; i++) index.push(base + (corners ? corners.getX(i) : i));
  }
  if (index.length === 0) throw new Error(`${name} holds no triangles`);
  return { positions: Float32Array.from(positions), index: Uint32Array.from(index) };
}
