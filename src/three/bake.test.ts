import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BufferGeometry, Mesh as ThreeMesh } from 'three';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
// @ts-expect-error: it has no types of its own
import { GLTFLoader as OldestLoader } from 'three-oldest/addons/loaders/GLTFLoader.js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { GltfFile } from '../../tests/kit/gltf.ts';
import { boxMesh, icosphere } from '../../tests/kit/meshes.ts';
import * as trimesh from '../trimesh/mesh.ts';
import { bakedTrees, bakeTrees } from './bake.ts';
import { readGlb, writeGlb } from './bake-glb.ts';
import { meshOf } from './mesh-of.ts';

const LEVEL = new URL('../../../shared/data/levels/collision-world.glb', import.meta.url).pathname;

const plugged = (): GLTFLoader => new GLTFLoader().register((parser) => bakedTrees(parser));
const load = (glb: Uint8Array<ArrayBuffer>, loader = plugged()): Promise<GLTF> =>
  loader.parseAsync(glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.byteLength), '');

function geometriesOf({ scene }: GLTF): BufferGeometry[] {
  const all: BufferGeometry[] = [];
  scene.traverse((object) => {
    if ((object as ThreeMesh).isMesh) all.push((object as ThreeMesh).geometry);
  });
  return all;
}

/** Two meshes, one of two primitives; one that is used twice, nested. */
function sample(): GltfFile {
  const file = new GltfFile();
  file.mesh(icosphere(2));
  file.mesh(boxMesh(), { positions: boxMesh().positions.slice(0, 18) });
  const top = file.node({ mesh: 0 });
  file.node({ mesh: 0, translation: [5, 0, 0] }, top);
  file.node({ mesh: 1 });
  return file;
}

const bytesOf = (buffer: ArrayBuffer | SharedArrayBuffer): Uint8Array => new Uint8Array(buffer);

afterEach(() => vi.restoreAllMocks());

describe('the round trip through GLTFLoader', () => {
  test('trees are those that would be built, to the last byte, and none is built', async () => {
    const warn = vi.spyOn(console, 'warn');
    const glb = sample().toGlb();
    const built = geometriesOf(await load(glb)).map((geometry) => meshOf(geometry));
    const baked = await bakeTrees(glb, new GLTFLoader());
    const gltf = await load(baked);
    const geometries = geometriesOf(gltf);
    expect(geometries).toHaveLength(4);
    const views = await Promise.all(
      (gltf.parser.json.bufferViews as unknown[]).map((_, i) => gltf.parser.getDependency('bufferView', i)),
    );
    geometries.forEach((geometry, i) => {
      const mesh = meshOf(geometry);
      expect(bytesOf(mesh.buffer)).toEqual(bytesOf(built[i]!.buffer));
      // It lives in a buffer view of the file.
      expect(views).toContain(mesh.buffer);
    });
    expect(warn).not.toHaveBeenCalled();
  });

  test('meshes that share accessors share a tree', async () => {
    const baked = await bakeTrees(sample().toGlb(), new GLTFLoader());
    const { json } = readGlb('test', 'glb', baked);
    const trees = (json['meshes'] as { primitives: { extensions: Record<string, unknown> }[] }[]).flatMap(
      ({ primitives }) => primitives.map(({ extensions }) => extensions['GRAZE_mesh_tree']),
    );
    expect(trees).toHaveLength(3);
    expect(json['extensionsUsed']).toEqual(['GRAZE_mesh_tree']);
    expect(json['extensionsRequired']).toBeUndefined();
    for (const view of (json['bufferViews'] as { byteOffset: number }[]).slice(-3))
      expect(view.byteOffset % 8).toBe(0);
  });

  test('the rest of the file is as it was, and loads without the plugin', async () => {
    const glb = sample().toGlb();
    const before = readGlb('test', 'glb', glb);
    const after = readGlb('test', 'glb', await bakeTrees(glb, new GLTFLoader()));
    const { bufferViews, meshes, buffers, extensionsUsed: _, ...rest } = after.json;
    const { bufferViews: oldViews, meshes: oldMeshes, buffers: ___, ...oldRest } = before.json;
    expect(rest).toEqual(oldRest);
    expect((bufferViews as unknown[]).slice(0, (oldViews as unknown[]).length)).toEqual(oldViews);
    expect(after.binary.slice(0, before.binary.length)).toEqual(before.binary);
    expect(buffers).toEqual([{ byteLength: after.binary.length }]);
    expect(JSON.stringify(meshes).replace(/,"extensions":\{"GRAZE_mesh_tree":\{[^}]*\}\}/g, '')).toBe(
      JSON.stringify(oldMeshes),
    );
    const plain = await load(await bakeTrees(glb, new GLTFLoader()), new GLTFLoader());
    expect(meshOf(geometriesOf(plain)[0]!).triangleCount).toBe(320);
  });

  test('to bake again gives the same file', async () => {
    const once = await bakeTrees(sample().toGlb(), new GLTFLoader());
    expect(await bakeTrees(once, new GLTFLoader())).toEqual(once);
  });

  test('with the oldest three.js', async () => {
    const warn = vi.spyOn(console, 'warn');
    const baked = await bakeTrees(sample().toGlb(), new OldestLoader());
    const loader = new OldestLoader().register(bakedTrees) as GLTFLoader;
    const [first] = geometriesOf(await load(baked, loader));
    expect(meshOf(first!).triangleCount).toBe(320);
    expect(warn).not.toHaveBeenCalled();
  });

  test('textures are no hindrance', async () => {
    const file = sample();
    Object.assign(file.json, {
      images: [{ uri: 'missing.png' }],
      textures: [{ source: 0 }],
      materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    });
    (file.json['meshes'] as { primitives: { material?: number }[] }[])[0]!.primitives[0]!.material = 0;
    const { json } = readGlb('test', 'glb', await bakeTrees(file.toGlb(), new GLTFLoader()));
    expect(json['materials']).toHaveLength(1);
  });
});

describe('a tree that is not that of its geometry is built anew, with a warning', () => {
  const warnings = async (
    change: (json: Record<string, unknown>, binary: Uint8Array) => void,
  ): Promise<string[]> => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { json, binary } = readGlb('test', 'glb', await bakeTrees(sample().toGlb(), new GLTFLoader()));
    const own = binary.slice();
    change(json, own);
    const gltf = await load(writeGlb({ json, binary: own }));
    const found = warn.mock.calls.map(([text]) => String(text));
    const [ball] = geometriesOf(gltf);
    expect(meshOf(ball!).triangleCount).toBe(320);
    return found;
  };
  const tree = (json: Record<string, unknown>) =>
    (json['meshes'] as { primitives: { extensions: Record<string, Record<string, unknown>> }[] }[])[0]!
      .primitives[0]!.extensions['GRAZE_mesh_tree']!;

  test('one vertex was moved by one bit', async () => {
    const found = await warnings((_, binary) => {
      binary[0]! ^= 1;
    });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(
      /^graze: bakedTrees: the tree of meshes\[0\]\.primitives\[0\] .*other triangles\. Bake/,
    );
  });

  test('one triangle was reversed', async () => {
    const found = await warnings((json, binary) => {
      const view = (json['bufferViews'] as { byteOffset: number }[])[1]!;
      const index = new Uint32Array(binary.buffer, view.byteOffset, 3);
      [index[1], index[2]] = [index[2]!, index[1]!];
    });
    expect(found.join()).toContain('other triangles');
  });

  test('one bit of the tree was lost', async () => {
    const found = await warnings((json, binary) => {
      const view = (json['bufferViews'] as { byteOffset: number }[])[tree(json)['bufferView'] as number]!;
      binary[view.byteOffset + 1000]! ^= 4;
    });
    expect(found.join()).toContain('checksum');
  });

  test('the tree of another mesh, with the right checksum', async () => {
    const found = await warnings((json) => {
      tree(json)['bufferView'] = (tree(json)['bufferView'] as number) + 1;
    });
    expect(found.join()).toContain('it has 12 triangles, the geometry has 320');
  });

  test('no buffer view, or one that is not there', async () => {
    expect(
      (
        await warnings((json) => {
          delete tree(json)['bufferView'];
        })
      ).join(),
    ).toContain('must have the number of a bufferView');
    expect(
      (
        await warnings((json) => {
          tree(json)['bufferView'] = 99;
        })
      ).join(),
    ).toContain('is not used, and will be built');
  });

  test('a geometry that changes after it was loaded has a new tree', async () => {
    const gltf = await load(await bakeTrees(sample().toGlb(), new GLTFLoader()));
    const [ball] = geometriesOf(gltf);
    const before = meshOf(ball!);
    ball!.attributes['position']!.setX(0, 9);
    ball!.attributes['position']!.needsUpdate = true;
    expect(meshOf(ball!)).not.toBe(before);
    expect(meshOf(ball!).bounds.max.x).toBe(9);
  });
});

describe('wrong input has an error that says what to do', () => {
  test.each<[string, unknown, unknown, string]>([
    ['no bytes', 'file.glb', new GLTFLoader(), 'glb must be an ArrayBuffer'],
    ['no loader', sample().toGlb(), {}, 'loader must be a GLTFLoader'],
    ['no glb', new Uint8Array(100), new GLTFLoader(), 'glb must be a binary glTF file of version 2'],
    ['a short file', new Uint8Array(3), new GLTFLoader(), 'glb must be a binary glTF file'],
    ['half a file', sample().toGlb().slice(0, 400), new GLTFLoader(), 'glb must be'],
    ['no triangles', new GltfFile({ nodes: [{}] }).toGlb(), new GLTFLoader(), 'glb has no triangles'],
    [
      'what is compressed by Draco',
      new GltfFile({ extensionsUsed: ['KHR_draco_mesh_compression'] }).toGlb(),
      new GLTFLoader(),
      'bake first, then compress',
    ],
    [
      'JSON that is none',
      (() => {
        const bytes = sample().toGlb();
        bytes[20] = 0x21;
        return bytes;
      })(),
      new GLTFLoader(),
      'its JSON cannot be read',
    ],
  ])('%s', async (_, glb, loader, message) => {
    await expect(bakeTrees(glb as never, loader as never)).rejects.toThrow(message);
    await expect(bakeTrees(glb as never, loader as never)).rejects.toThrow(/^graze: bakeTrees/);
  });
});

describe('the container', () => {
  test('what is written is read, padding and all', () => {
    for (let n = 0; n < 9; n++) {
      const json = { asset: { version: '2.0' }, text: 'ü'.repeat(n) };
      const binary = Uint8Array.from({ length: n }, (_, i) => i + 1);
      const bytes = writeGlb({ json, binary });
      expect(bytes.length % 4).toBe(0);
      expect(new DataView(bytes.buffer).getUint32(8, true)).toBe(bytes.length);
      const back = readGlb('test', 'glb', bytes);
      expect(back.json).toEqual(json);
      expect([...back.binary.slice(0, n)]).toEqual([...binary]);
      expect(back.binary.length).toBe(Math.ceil(n / 4) * 4);
    }
  });

  test('files that others have written', async ({ skip }) => {
    if (!existsSync(LEVEL)) skip('needs ../shared/data');
    const { json, binary } = readGlb('test', 'glb', await bakeTrees(readFileSync(LEVEL), new GLTFLoader()));
    // Node has nothing to load textures with.
    for (const field of ['materials', 'textures', 'images', 'samplers']) delete json[field];
    for (const { primitives } of json['meshes'] as { primitives: { material?: number }[] }[])
      for (const primitive of primitives) delete primitive.material;
    const gltf = await load(writeGlb({ json, binary }));
    expect(geometriesOf(gltf).length).toBeGreaterThan(0);
    for (const geometry of geometriesOf(gltf)) {
      const built = trimesh.mesh(geometry.attributes['position']!.array, geometry.index?.array);
      expect(bytesOf(meshOf(geometry).buffer)).toEqual(bytesOf(built.buffer));
    }
  });
});

test('npm run bake: from a file to a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'graze-bake-'));
  try {
    const [from, to] = [join(folder, 'in.glb'), join(folder, 'out.glb')];
    writeFileSync(from, sample().toGlb());
    const script = new URL('../../scripts/bake.mjs', import.meta.url).pathname;
    const out = execFileSync(process.execPath, [script, from, to], { encoding: 'utf8' });
    expect(out).toContain('MB became');
    expect(readGlb('test', 'glb', readFileSync(to)).json['extensionsUsed']).toEqual(['GRAZE_mesh_tree']);
    expect(() => execFileSync(process.execPath, [script, from], { stdio: 'pipe' })).toThrow('usage');
    expect(() => execFileSync(process.execPath, [script, script, to], { stdio: 'pipe' })).toThrow(
      'graze: bakeTrees: glb must be a binary glTF file',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
