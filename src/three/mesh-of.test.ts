/** Geometries and scenes as meshes: every triangle where three.js has it. */
import * as three from 'three';
import { expect, test } from 'vitest';
import { check, property } from '../../tests/kit/index.ts';
import { SceneMaker } from '../../tests/kit/three-scenes.ts';
import { raycast } from '../query/raycast.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { trianglesOf as arraysOf, meshOf, sourceOf } from './index.ts';

const { Vector3, Matrix4 } = three;

/** The corners of each triangle of a mesh, by its number. */
function trianglesOf({ ids, corners, vertices }: Mesh): Map<number, three.Vector3[]> {
  const all = new Map<number, three.Vector3[]>();
  ids.forEach((id, slot) => {
    const points = [0, 1, 2].map((k) => new Vector3().fromArray(vertices, 3 * corners[3 * slot + k]!));
    all.set(id, points);
  });
  return all;
}

/** The corners of a geometry that three.js looks at, three for each triangle. */
function facesOf(
  geometry: three.BufferGeometry,
  range: { start: number; count: number } = geometry.drawRange,
): number[][] {
  const { index } = geometry;
  const count = index ? index.count : geometry.getAttribute('position').count;
  const faces: number[][] = [];
  for (let i = Math.max(0, range.start); i < Math.min(count, range.start + range.count); i += 3)
    if (i + 2 < count) faces.push([i, i + 1, i + 2].map((k) => (index ? index.getX(k) : k)));
  return faces;
}

const isClose = (p: three.Vector3, q: three.Vector3, size: number): boolean => p.distanceTo(q) <= 1e-6 * size;

property('a geometry of any layout: its triangles, numbered as three.js does', 2000, (rng) => {
  const geometry = new SceneMaker(three, rng).geometry();
  const faces = facesOf(geometry);
  if (faces.length === 0) return;
  const mesh = meshOf(geometry);
  check(meshOf(geometry) === mesh, 'the same mesh again');
  const triangles = trianglesOf(mesh);
  check(triangles.size === faces.length, () => `${triangles.size} triangles, ${faces.length} faces`);
  const position = geometry.getAttribute('position');
  faces.forEach((face, i) => {
    const corner = geometry.drawRange.start + 3 * i;
    const points = triangles.get(Math.floor(corner / 3))!;
    face.forEach((vertex, k) => {
      // 32 bits, as most are given: closed seams move vertices by some of their ulps.
      const wanted = new Vector3().fromBufferAttribute(position, vertex);
      check(isClose(points[k]!, wanted, 10), () => `corner ${k} of ${i}`);
    });
    const source = sourceOf(mesh, Math.floor(corner / 3));
    check(source.object === null && source.geometry === geometry, 'source');
    check(source.faceIndex === Math.floor(corner / 3), 'faceIndex');
    const group = geometry.groups.find(({ start, count }) => corner >= start && corner < start + count);
    check(source.group === group && source.materialIndex === (group?.materialIndex ?? 0), 'group');
  });
});

property('a scene: all triangles in the world, the outside outside', 1000, (rng) => {
  const scene = new SceneMaker(three, rng).scene();
  const wanted: { object: three.Mesh; matrix: three.Matrix4; face: number[]; id: number | undefined }[] = [];
  scene.traverse((object) => {
    if (rng.chance(0.1)) object.visible = false;
  });
  scene.traverseVisible((object) => {
    const mesh = object as three.Mesh;
    if (!mesh.isMesh) return;
    const { geometry } = mesh;
    const add = (matrix: three.Matrix4, id?: number, range?: { start: number; count: number }) => {
      for (const face of facesOf(geometry, range)) wanted.push({ object: mesh, matrix, face, id });
    };
    const matrix = () => new Matrix4();
    if (object instanceof three.InstancedMesh)
      for (let i = 0; i < object.count; i++)
        add((object.getMatrixAt(i, matrix()) ?? matrix()).clone().premultiply(object.matrixWorld), i);
    else if (object instanceof three.BatchedMesh) {
      for (let i = 0; i < 16; i++)
        try {
          if (!object.getVisibleAt(i)) continue;
          const range = object.getGeometryRangeAt(object.getGeometryIdAt(i))!;
          add(object.getMatrixAt(i, matrix()).clone().premultiply(object.matrixWorld), i, range);
        } catch {
          // No such instance.
        }
    } else add(object.matrixWorld);
  });
  if (wanted.length === 0) {
    expect(() => meshOf(scene)).toThrow(/has no triangles/);
    expect(() => arraysOf(scene)).toThrow(/trianglesOf: source has no triangles/);
    return;
  }
  // World matrices are not up to date by then.
  const mesh = meshOf(scene);
  const triangles = trianglesOf(mesh);
  const arrays = arraysOf(scene);
  check(arrays.index.length === 3 * wanted.length, 'as many in the arrays');
  check(triangles.size === wanted.length, () => `${triangles.size} triangles, not ${wanted.length}`);
  wanted.forEach(({ object, matrix, face, id }, i) => {
    const points = triangles.get(i)!;
    const local = face.map((vertex) => object.getVertexPosition(vertex, new Vector3()));
    const world = local.map((p) => p.clone().applyMatrix4(matrix));
    const mirrored = matrix.determinant() < 0;
    const order = mirrored ? [0, 2, 1] : [0, 1, 2];
    for (const [k, from] of order.entries()) {
      check(isClose(points[k]!, world[from]!, 100), () => `corner ${k} of ${i}`);
      const inArrays = new Vector3().fromArray(arrays.positions, 3 * arrays.index[3 * i + k]!);
      check(isClose(inArrays, world[from]!, 100), () => `corner ${k} of ${i} in the arrays`);
    }
    const source = sourceOf(mesh, i);
    check(source.object === object, 'object');
    check((source.instanceId ?? source.batchId) === id, 'instance');
    check((source.batchId !== undefined) === object instanceof three.BatchedMesh, 'batch');
    const { index } = object.geometry;
    const corner = 3 * source.faceIndex;
    check(source.group === undefined || object.geometry.groups.includes(source.group), 'group');
    if (corner % 3 === 0 && index && object.geometry.drawRange.start % 3 === 0)
      check(index.getX(corner) === face[0], 'faceIndex');
    // The outside, by how normals are moved.
    const [a, b, c] = local as [three.Vector3, three.Vector3, three.Vector3];
    const normal = b.clone().sub(a).cross(c.clone().sub(a));
    const [p, q, r] = points as [three.Vector3, three.Vector3, three.Vector3];
    const moved = q.clone().sub(p).cross(r.clone().sub(p));
    if (Math.abs(matrix.determinant()) < 1e-3 || normal.length() < 1e-3) return;
    const outside = normal.clone().applyMatrix3(new three.Matrix3().getNormalMatrix(matrix));
    check(moved.angleTo(outside) < 1e-3, 'the outside is outside');
  });
});

test('a mesh is built again when its geometry has changed, and released with it', () => {
  const geometry = new three.BoxGeometry();
  const mesh = meshOf(geometry);
  const { position } = geometry.attributes;
  position!.setX(0, 3);
  expect(meshOf(geometry)).toBe(mesh);
  position!.needsUpdate = true;
  const next = meshOf(geometry);
  expect(next).not.toBe(mesh);
  expect(next.bounds.max.x).toBe(3);
  geometry.setDrawRange(0, 6);
  expect(meshOf(geometry).triangleCount).toBe(2);
  geometry.index!.needsUpdate = true;
  const last = meshOf(geometry);
  geometry.dispose();
  expect(meshOf(geometry)).not.toBe(last);
  expect(meshOf(geometry)).toBe(meshOf(geometry));
});

test('a skinned mesh in its present pose', () => {
  // A rod along y of two bones: the upper one bends by a quarter turn about z.
  const geometry = new three.CylinderGeometry(0.1, 0.1, 2, 8, 2).translate(0, 1, 0);
  const { position } = geometry.attributes;
  const upper = Array.from({ length: position!.count }, (_, i) => (position!.getY(i) > 1.5 ? 1 : 0));
  geometry.setAttribute(
    'skinIndex',
    new three.Uint16BufferAttribute(
      upper.flatMap((i) => [i, 0, 0, 0]),
      4,
    ),
  );
  geometry.setAttribute(
    'skinWeight',
    new three.Float32BufferAttribute(
      upper.flatMap(() => [1, 0, 0, 0]),
      4,
    ),
  );
  const bones = [new three.Bone(), new three.Bone()];
  bones[0]!.add(bones[1]!);
  bones[1]!.position.y = 1;
  const mesh = new three.SkinnedMesh(geometry);
  mesh.add(bones[0]!);
  mesh.bind(new three.Skeleton(bones));
  expect(meshOf(mesh).bounds.max.y).toBeCloseTo(2, 6);
  bones[1]!.rotation.z = -Math.PI / 2;
  mesh.position.x = 10;
  // What was at y = 2 above the joint at y = 1 is at x = 1 beside it.
  const { bounds } = meshOf(mesh);
  expect(bounds.max.x).toBeCloseTo(11, 6);
  expect(bounds.max.y).toBeCloseTo(1.1, 6);
});

test('instances with morph targets of their own', () => {
  const geometry = new three.BoxGeometry();
  const target = geometry.attributes['position']!.clone() as three.BufferAttribute;
  for (let i = 0; i < target.count; i++) target.setX(i, 4 * target.getX(i));
  geometry.morphAttributes['position'] = [target];
  const mesh = new three.InstancedMesh(geometry, new three.MeshBasicMaterial(), 2);
  const pose = new three.Mesh(geometry);
  for (const i of [0, 1]) {
    mesh.setMatrixAt(i, new Matrix4().makeTranslation(10 * i, 0, 0));
    pose.morphTargetInfluences = [i];
    mesh.setMorphAt(i, pose);
  }
  const { min, max } = meshOf(mesh).bounds;
  expect([min.x, max.x]).toEqual([-0.5, 12]);
});

test('what counts: visibility and the filter', () => {
  const scene = new three.Scene();
  const box = new three.BoxGeometry();
  const [a, b, c] = [1, 2, 3].map((x) => {
    const mesh = new three.Mesh(box);
    mesh.position.x = 10 * x;
    return mesh;
  }) as three.Mesh[] as [three.Mesh, three.Mesh, three.Mesh];
  scene.add(a, b);
  b.add(c);
  b.visible = false;
  expect(meshOf(scene).triangleCount).toBe(12);
  expect(meshOf(scene, { invisible: true }).triangleCount).toBe(36);
  expect(meshOf(scene, { invisible: true, filter: (object) => object !== b }).triangleCount).toBe(24);
  const ray = { origin: new Vector3(10, 5, 0.1), direction: new Vector3(0, -1, 0) };
  const mesh = meshOf(scene);
  expect(raycast(ray, mesh)!.t).toBeCloseTo(4.5, 12);
  expect(sourceOf(mesh, raycast(ray, mesh)!.part.triangle).object).toBe(a);
});

test('wrong use is named, and says what to do', () => {
  const any = <T>(value: unknown): T => value as T;
  expect(() => meshOf(any([]))).toThrow(
    'meshOf: source must be a BufferGeometry or an Object3D of three.js, got',
  );
  expect(() => meshOf(new three.BufferGeometry())).toThrow(
    /meshOf: source has no positions .*wait until it is loaded/,
  );
  const named = new three.Mesh(new three.BufferGeometry());
  named.name = 'wall';
  expect(() => meshOf(named)).toThrow(/meshOf: the geometry of Mesh 'wall' has no positions/);
  expect(() => meshOf(new three.Group())).toThrow(/has no triangles that count \(Group/);
  expect(() => meshOf(new three.Group(), any({ visible: true }))).toThrow(/unknown field 'visible'/);
  expect(() => meshOf(new three.Group(), { filter: any(3) })).toThrow(/options.filter must be a function/);
  const flat = new three.BufferGeometry();
  flat.setAttribute('position', new three.Float32BufferAttribute([0, 0, 1, 1], 2));
  expect(() => meshOf(flat)).toThrow(/positions of 2 coordinates/);
  const broken = new three.BoxGeometry();
  broken.attributes['position']!.setY(3, Number.NaN);
  expect(() => meshOf(broken)).toThrow(
    /meshOf: source \(BoxGeometry \(id \d+\)\): positions must be finite, got NaN/,
  );
  const far = new three.BoxGeometry();
  far.setIndex([0, 1, 99]);
  expect(() => meshOf(far)).toThrow(/meshOf: source .*index/);
  expect(() => meshOf(new three.Mesh(far))).toThrow(/index|finite/);
  const nowhere = new three.Mesh(new three.BoxGeometry());
  nowhere.position.x = Number.NaN;
  expect(() => meshOf(nowhere)).toThrow(/meshOf: Mesh .*finite/);
  const batch = new three.BatchedMesh(2, 100, 100, new three.MeshBasicMaterial());
  batch.addInstance(batch.addGeometry(new three.BoxGeometry()));
  expect(meshOf(batch).triangleCount).toBe(12);
  batch.dispose();
  expect(() => meshOf(batch)).toThrow(/was disposed of/);
  const mesh = meshOf(new three.BoxGeometry());
  expect(() => sourceOf(mesh, 12)).toThrow(/sourceOf: triangle must be a whole number from 0 to 11/);
  expect(() => sourceOf(any({}), 0)).toThrow(/sourceOf: mesh must be a mesh/);
});
