/** The scenes with meshes in real Chromium, workers and dropped files included. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHAPES } from '../../playground/src/shape-models.ts';
import { contacts, distance, inspect, intersects, mesh } from '../../src/index.ts';
import {
  batchMesh,
  closestPointMesh,
  containsPointMesh,
  curvesMeshMesh,
  distanceMeshMesh,
  overlapMeshMesh,
  pairsMeshMesh,
  signedDistanceMesh,
} from '../../src/trimesh/index.ts';
import { Playground } from './page.ts';

type V = { x: number; y: number; z: number };
type Arrays = { positions: Float32Array; index: Uint32Array };

let playground: Playground;
beforeAll(async () => {
  playground = await Playground.open();
});
afterAll(async () => {
  expect(playground.errors).toEqual([]);
  await playground.stop();
});

const values = (): Promise<Record<string, unknown>> =>
  playground.page.evaluate(() => ({ ...window.playground.values }) as never);

/** What the page asks about. Arrays travel as plain lists. */
async function state<T>(): Promise<T> {
  return (await playground.page.evaluate(() => {
    const plain = (value: unknown): unknown =>
      ArrayBuffer.isView(value)
        ? Array.from(value as unknown as number[])
        : Array.isArray(value) || typeof value !== 'object' || value === null
          ? value
          : Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]));
    return plain(window.playground.state());
  })) as never;
}

const choose = async (place: number, option: string): Promise<void> => {
  await playground.page.selectOption(`#panel select >> nth=${place}`, option);
  await playground.frame();
};

const single = ({ positions, index }: Arrays) => mesh(Float32Array.from(positions), index);

test("rays: hits and times are the library's, and the workers' too", async () => {
  await playground.scene('mesh-rays');
  const asked = await state<Arrays & { origins: number[]; directions: number[] }>();
  const { t } = batchMesh('rayMesh', asked, single(asked));
  const hits = t.filter((x) => x < Infinity);
  const shown = await values();
  expect(shown['hits']).toBe(hits.length);
  expect(hits.length).toBeGreaterThan(300);
  expect(shown['nearest t']).toBe(Math.min(...hits));
  await playground.screenshot('mesh-rays');
  expect(await playground.page.evaluate(() => crossOriginIsolated)).toBe(true);
  await choose(1, 'workers');
  await playground.page.waitForFunction(() => Number(window.playground.values['threads']) > 1);
  const inWorkers = await values();
  expect(inWorkers['hits']).toBe(hits.length);
  expect(inWorkers['nearest t']).toBe(shown['nearest t']);
});

test('closest point and inside: what the library says, for every model', async () => {
  await playground.scene('mesh-closest');
  for (const model of ['bunny', 'torus knot', 'hills', 'box']) {
    await choose(0, model);
    const asked = await state<Arrays & { p: V }>();
    const solid = single(asked);
    const found = closestPointMesh(asked.p, solid)!;
    const shown = await values();
    expect(shown['distance']).toBe(found.distance);
    expect(shown['point']).toEqual(found.point);
    expect(shown['inside']).toBe(containsPointMesh(asked.p, solid));
    expect(shown['signed distance']).toBe(signedDistanceMesh(asked.p, solid));
  }
  await choose(0, 'bunny');
  await playground.screenshot('mesh-closest');
});

test("mesh against mesh: overlap, pairs, curves and distance are the library's", async () => {
  await playground.scene('mesh-mesh');
  const compare = async (): Promise<boolean> => {
    const asked = await state<{
      a: Arrays;
      b: Arrays;
      pose: { position: V; quaternion: V & { w: number } };
    }>();
    const [a, b] = [single(asked.a), single(asked.b)];
    const shown = await values();
    const overlap = overlapMeshMesh(a, b, asked.pose);
    expect(shown['overlap']).toBe(overlap);
    expect(shown['triangle pairs']).toBe(pairsMeshMesh(a, b, asked.pose).length / 2);
    const { curves } = curvesMeshMesh(a, b, asked.pose);
    expect(shown['curves']).toBe(curves.length);
    expect(shown['closed curves']).toBe(curves.filter(({ closed }) => closed).length);
    if (!overlap) expect(shown['distance']).toBe(distanceMeshMesh(a, b, asked.pose));
    return overlap;
  };
  expect(await compare()).toBe(true);
  await playground.screenshot('mesh-mesh');
  await choose(0, 'box');
  await choose(1, 'sphere');
  await compare();
  const [x, y] = await playground.page.evaluate(() => window.playground.project({ x: -0.9, y: 0, z: 0 }));
  await playground.page.mouse.move(x, y);
  await playground.page.mouse.down();
  await playground.page.mouse.move(x - 260, y + 30, { steps: 4 });
  await playground.page.mouse.up();
  await playground.frame();
  expect(await compare()).toBe(false);
});

test("tree: the numbers are the mesh's, and a million triangles are built in a worker", async () => {
  await playground.scene('tree');
  const asked = await state<Arrays>();
  const { tree, triangleCount, buffer } = single(asked);
  const shown = await values();
  expect(shown['nodes']).toBe(tree.nodeCount);
  expect(shown['bytes a triangle']).toBe(buffer.byteLength / triangleCount);
  expect(shown['boxes shown']).toBe(16);
  await playground.screenshot('tree');
  await choose(0, 'a million triangles');
  expect((await values())['built in a worker']).toMatch(/%$/);
  await playground.page.waitForFunction(() => window.playground.values['triangles'] === 1_000_000);
  expect((await values())['depth']).toBeGreaterThan(15);
});

test("inspect: the report is the library's, and a dropped file is read", async () => {
  await playground.scene('inspect');
  const asked = await state<Arrays>();
  const report = inspect({ positions: Float32Array.from(asked.positions), index: asked.index });
  const shown = await values();
  expect(shown['triangles']).toBe(report.triangleCount);
  expect(shown['closed']).toBe(false);
  expect(shown['crossing pairs']).toBe(report.selfIntersections.length / 2);
  expect(shown['problems']).toBe(report.problems.length);
  await playground.screenshot('inspect');

  const drop = async (name: string, text: string): Promise<void> => {
    await playground.page.evaluate(
      ([file, content]) => {
        const data = new DataTransfer();
        data.items.add(new File([content!], file!));
        document
          .querySelector('canvas')!
          .dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      [name, text],
    );
  };
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
  const files = {
    'a.obj': [
      ...corners.map((p) => `v ${p.join(' ')}`),
      ...faces.map((f) => `f ${f.map((i) => i + 1).join(' ')}`),
    ],
    'b.ply': [
      'ply',
      'format ascii 1.0',
      'element vertex 4',
      'property float x',
      'property float y',
      'property float z',
      'element face 4',
      'property list uchar int vertex_index',
      'end_header',
      ...corners.map((p) => p.join(' ')),
      ...faces.map((f) => `3 ${f.join(' ')}`),
      '',
    ],
    'c.stl': [
      'solid t',
      ...faces.flatMap((f) => [
        'facet normal 0 0 0',
        'outer loop',
        ...f.map((i) => `vertex ${corners[i]!.join(' ')}`),
        'endloop',
        'endfacet',
      ]),
      'endsolid t',
    ],
    'd.gltf': [gltf(corners, faces)],
  };
  for (const [name, lines] of Object.entries(files)) {
    await drop(name, lines.join('\n'));
    await playground.page.waitForFunction((file) => window.playground.values['file'] === file, name);
    const read = await values();
    expect(read['triangles'], name).toBe(4);
    expect(read['closed'], name).toBe(true);
    expect(read['problems'], name).toBe(name === 'c.stl' || name === 'a.obj' ? 1 : 0); // their corners are not shared
  }
  // What cannot be read is named, and the scene stays.
  const hostile: Record<string, [string, RegExp]> = {
    'notes.txt': ['hello', /notes.txt is none of/],
    'empty.obj': ['', /empty.obj is empty/],
    'text.obj': ['hello', /text.obj cannot be read: .*no triangles/],
    'text.stl': ['hello', /text.stl cannot be read: it is cut off/],
    'text.glb': ['hello', /text.glb cannot be read/],
    'broken.gltf': ['{"asset":', /broken.gltf cannot be read/],
    'elsewhere.gltf': [
      gltf(corners, faces).replace(/"uri":"[^"]*"/, '"uri":"https://example.org/a.bin"'),
      /elsewhere.gltf cannot be read: it refers to another file/,
    ],
    'nan.obj': ['v NaN 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3', /nan.obj cannot be read: .*must be finite/],
    'beyond.obj': ['v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9', /beyond.obj cannot be read: .*must be finite/],
    'many.ply': [
      files['b.ply'].join('\n').replace('vertex 4', 'vertex 4000000000'),
      /many.ply cannot be read/,
    ],
    'cut.ply': [files['b.ply'].slice(0, 11).join('\n'), /cut.ply cannot be read/],
  };
  for (const [name, [content, reason]] of Object.entries(hostile)) {
    await drop(name, content);
    await playground.page.waitForFunction(
      (file) => String(window.playground.values['not read']).startsWith(file),
      name,
    );
    const shown = await values();
    expect(shown['not read'], name).toMatch(reason);
    expect(shown['file'], name).toBe('d.gltf');
    expect(shown['triangles'], name).toBe(4);
  }
});

function gltf(corners: number[][], faces: number[][]): string {
  const bytes = Buffer.alloc(72);
  corners.flat().forEach((x, i) => {
    bytes.writeFloatLE(x, 4 * i);
  });
  faces.flat().forEach((i, k) => {
    bytes.writeUInt16LE(i, 48 + 2 * k);
  });
  return JSON.stringify({
    asset: { version: '2.0' },
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
  });
}

test('any two shapes: what the page shows is what the library says, for every pair', async () => {
  await playground.scene('pairs');
  const names = await playground.page.$$eval('#panel select >> nth=0 >> option', (options) =>
    options.map((option) => (option as HTMLOptionElement).value),
  );
  expect(names.length).toBeGreaterThan(14);
  for (const a of names) {
    await choose(0, a);
    for (const b of names.filter((_, i) => (i + names.indexOf(a)) % 4 === 0)) {
      await choose(1, b);
      const asked = await state<{ poses: { position: V; quaternion: V & { w: number } }[] }>();
      const [one, two] = [a, b].map((name, i) => ({
        shape: SHAPES[name as keyof typeof SHAPES].shape(),
        pose: asked.poses[i]!,
      }));
      const shown = await values();
      const found = distance(one!, two!)!;
      expect(shown['meet'], `${a} and ${b}`).toBe(intersects(one!, two!));
      // Chromium's sine, which the shapes are made with, is not Node's to the last bit.
      expect(shown['separation'], `${a} and ${b}`).toBeCloseTo(found.separation, 9);
      expect(shown['contacts within 0.05'], `${a} and ${b}`).toBe(
        contacts(one!, two!, { margin: 0.05 }).length,
      );
    }
  }
  await choose(0, 'box');
  await choose(1, 'cylinder');
  await playground.screenshot('pairs');
});
