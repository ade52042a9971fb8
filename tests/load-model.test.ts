/** Files that someone drops on the playground, broken ones above all. */
import { describe, expect, test } from 'vitest';
import { readModel } from '../playground/src/load-model.ts';
import { trianglesOf } from '../src/three/index.ts';
import { check, Rng } from './kit/index.ts';

const bytesOf = (content: string | Uint8Array): ArrayBuffer =>
  Uint8Array.from(typeof content === 'string' ? new TextEncoder().encode(content) : content).buffer;

const corners = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const faces = [
  [0, 2, 1],
  [0, 1, 3],
  [0, 3, 2],
  [1, 2, 3],
];

const obj = [
  ...corners.map((p) => `v ${p.join(' ')}`),
  ...faces.map((f) => `f ${f.map((i) => i + 1).join(' ')}`),
].join('\n');

const ply = (vertexCount: number | string = 4, x: string = '0'): string =>
  [
    'ply',
    'format ascii 1.0',
    `element vertex ${vertexCount}`,
    'property float x',
    'property float y',
    'property float z',
    'element face 4',
    'property list uchar int vertex_index',
    'end_header',
    `${x} 0 0`,
    ...corners.slice(1).map((p) => p.join(' ')),
    ...faces.map((f) => `3 ${f.join(' ')}`),
    '',
  ].join('\n');

function stl(count = faces.length): Uint8Array {
  const bytes = new Uint8Array(84 + 50 * faces.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, count, true);
  faces.forEach((f, t) => {
    f.forEach((v, k) => {
      corners[v]!.forEach((x, c) => {
        view.setFloat32(84 + 50 * t + 12 + 12 * k + 4 * c, x, true);
      });
    });
  });
  return bytes;
}

const gltf = (change: (json: Record<string, unknown>) => void = () => {}): string => {
  const bytes = Buffer.alloc(72);
  corners.flat().forEach((x, i) => {
    bytes.writeFloatLE(x, 4 * i);
  });
  faces.flat().forEach((i, k) => {
    bytes.writeUInt16LE(i, 48 + 2 * k);
  });
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    buffers: [{ uri: `data:application/octet-stream;base64,${bytes.toString('base64')}`, byteLength: 72 }],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 48 },
      { buffer: 0, byteOffset: 48, byteLength: 24 },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] },
      { bufferView: 1, componentType: 5123, count: 12, type: 'SCALAR' },
    ],
  };
  change(json);
  return JSON.stringify(json);
};

// GLTFLoader asks for the page it runs in.
(globalThis as Record<string, unknown>)['self'] ??= globalThis;
(globalThis as Record<string, unknown>)['ProgressEvent'] ??= class extends Event {};

test('whole files are read', async () => {
  for (const [name, content] of [
    ['a.obj', obj],
    ['a.ply', ply()],
    ['a.stl', stl()],
    ['a.gltf', gltf()],
  ] as const) {
    const { index, positions } = trianglesOf(await readModel(name, bytesOf(content)));
    expect(index.length, name).toBe(12);
    expect(positions.every(Number.isFinite), name).toBe(true);
  }
});

describe('what is wrong is said, with the name of the file', () => {
  const accessor = (json: Record<string, unknown>): Record<string, unknown> =>
    (json['accessors'] as Record<string, unknown>[])[0]!;
  for (const [name, content, reason] of [
    ['empty.obj', '', /is empty/],
    ['empty.stl', '', /is empty/],
    ['empty.gltf', '', /is empty/],
    ['notes.txt', 'hello', /is none of/],
    ['notes', 'hello', /is none of/],
    ['text.obj', 'this is no mesh', /no triangles/],
    ['text.stl', 'this is no mesh', /cut off/],
    ['text.ply', 'this is no mesh', /does not begin with ply/],
    ['text.gltf', 'this is no mesh', /cannot be read/],
    ['text.glb', 'this is no mesh', /cannot be read/],
    ['short.glb', 'glTF', /cut off/],
    ['json.gltf', '{"asset":', /cannot be read/],
    ['null.gltf', 'null', /cannot be read/],
    ['bare.gltf', '{}', /cannot be read/],
    ['points.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\np 1 2 3', /no triangles/],
    ['nan.obj', obj.replace('v 1 0 0', 'v NaN 0 0'), /must be finite/],
    ['huge.obj', obj.replace('v 1 0 0', 'v 1e300 0 0'), /must be finite/],
    ['beyond.obj', `${obj}\nf 1 2 99`, /must be finite/],
    ['nan.ply', ply(4, 'nan'), /must be finite/],
    ['many.ply', ply(4_000_000_000), /cut off/],
    ['odd.ply', ply('many'), /cut off/],
    ['cut.stl', stl().slice(0, 150), /cut off/],
    ['many.stl', stl(4_000_000_000), /cut off/],
    ['many.gltf', gltf((json) => (accessor(json)['count'] = 4_000_000_000)), /cut off/],
    [
      'elsewhere.gltf',
      gltf((json) => ((json['buffers'] as { uri: string }[])[0]!.uri = 'https://example.org/a.bin')),
      /cannot be read/,
    ],
    [
      'beside.gltf',
      gltf((json) => ((json['buffers'] as { uri: string }[])[0]!.uri = 'a.bin')),
      /cannot be read/,
    ],
  ] as [string, string | Uint8Array, RegExp][])
    test(name, async () => {
      const failure = await readModel(name, bytesOf(content)).catch((error: Error) => error);
      expect(failure).toBeInstanceOf(Error);
      expect((failure as Error).message).toMatch(reason);
      expect((failure as Error).message.startsWith(name)).toBe(true);
    });
});

test('files that are cut off anywhere, or damaged, are read or refused, and never hold a number that is none', async () => {
  const rng = new Rng(8);
  for (const [name, content] of [
    ['a.obj', obj],
    ['a.ply', ply()],
    ['a.stl', stl()],
    ['a.gltf', gltf()],
  ] as const) {
    const whole = new Uint8Array(bytesOf(content));
    for (let i = 0; i < 60; i++) {
      const bytes = rng.chance(0.5) ? whole.slice(0, rng.int(0, whole.length - 1)) : whole.slice();
      if (bytes.length === whole.length) bytes[rng.int(0, bytes.length - 1)] = rng.int(0, 255);
      const read = await readModel(name, bytes.buffer).catch((error: Error) => error);
      if (read instanceof Error) check(read.message.startsWith(name), read.message);
      else {
        const { positions, index } = trianglesOf(read);
        check(positions.every(Number.isFinite) && index.length % 3 === 0, 'broken arrays');
      }
    }
  }
});
