/** The rigged models as three.js loads them, without their pictures, which need a browser. */
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { readGlb, writeGlb } from '../../src/three/bake-glb.ts';
import { riggedBytes } from './rigged.ts';

export function loadRigged(name: string): Promise<GLTF> {
  const { json, binary } = readGlb('loadRigged', name, riggedBytes(name));
  for (const key of ['images', 'textures', 'samplers', 'materials']) delete json[key];
  for (const mesh of json['meshes'] as { primitives: { material?: number }[] }[])
    for (const primitive of mesh.primitives) delete primitive.material;
  return new GLTFLoader().parseAsync(writeGlb({ json, binary }).buffer, '');
}
