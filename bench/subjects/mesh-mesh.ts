// runs: knot bunny
/**
 * Do two meshes meet, where they barely do or barely do not? The mesh against itself, turned at random and moved along a
 * random direction to where contact ends, to a ten-thousandth of its size: half of the poses on either side.
 */
import { type Mesh, mesh } from 'graze';
import { overlapTriangleTriangle } from 'graze/primitives';
import { closestPointsMeshMesh, makeMeshPointPair, overlapMeshMesh } from 'graze/trimesh';
import * as THREE from 'three';
import { MeshBVH, SAH } from 'three-mesh-bvh';
import type { Point } from '../data.ts';
import { lazily, race, rng } from '../harness.ts';
import { meshOfThisRun } from '../meshes.ts';
import { geometryOf } from '../peers/three-mesh-bvh.ts';

const triangles = meshOfThisRun();
const POSES = 60;
const NEAR = 1e-4;

interface Pose {
  position: Point;
  quaternion: { x: number; y: number; z: number; w: number };
}

const first: Mesh = mesh(triangles.positions, triangles.index);
const second: Mesh = mesh(triangles.positions, triangles.index);
const surfaces = { surfaces: true };
const ask = (pose: Pose): boolean => overlapMeshMesh(first, second, pose, surfaces);

const poses: Pose[] = [];
while (poses.length < POSES) {
  const quaternion = rng.rotation();
  const along = rng.direction();
  const { x, y, z } = triangles.center;
  const turned = new THREE.Vector3(x, y, z).applyQuaternion(new THREE.Quaternion().copy(quaternion));
  const at = (t: number): Pose => ({
    position: { x: x - turned.x + t * along.x, y: y - turned.y + t * along.y, z: z - turned.z + t * along.z },
    quaternion,
  });
  let touching = 0;
  let apart = 1.5 * triangles.size;
  if (!ask(at(touching))) continue;
  while (apart - touching > NEAR * triangles.size) {
    const t = (touching + apart) / 2;
    if (ask(at(t))) touching = t;
    else apart = t;
  }
  poses.push(at(touching), at(apart));
}

const matrices = poses.map(({ position, quaternion }) =>
  new THREE.Matrix4().compose(
    new THREE.Vector3().copy(position),
    new THREE.Quaternion().copy(quaternion),
    new THREE.Vector3(1, 1, 1),
  ),
);

/** All corners, moved by a matrix: nine numbers a triangle. */
function cornersAt(matrix: THREE.Matrix4): Float64Array {
  const { positions, index } = triangles;
  const p = new THREE.Vector3();
  const corners = new Float64Array(index.length * 3);
  for (let i = 0; i < index.length; i++) {
    p.fromArray(positions, 3 * index[i]!).applyMatrix4(matrix);
    p.toArray(corners, 3 * i);
  }
  return corners;
}

/** Without trees: triangles sorted by where they begin along x, boxes that overlap decided exactly. */
function meetAt(matrix: THREE.Matrix4): boolean {
  const [a, b] = [cornersAt(new THREE.Matrix4()), cornersAt(matrix)];
  const low = (c: Float64Array, i: number, k: number) => Math.min(c[i + k]!, c[i + 3 + k]!, c[i + 6 + k]!);
  const high = (c: Float64Array, i: number, k: number) => Math.max(c[i + k]!, c[i + 3 + k]!, c[i + 6 + k]!);
  const inOrder = (c: Float64Array) =>
    Array.from({ length: c.length / 9 }, (_, i) => ({
      at: 9 * i,
      from: low(c, 9 * i, 0),
      to: high(c, 9 * i, 0),
    })).sort((s, t) => s.from - t.from);
  const widest = (list: { from: number; to: number }[]) =>
    list.reduce((w, t) => Math.max(w, t.to - t.from), 0);
  const [ours, theirs] = [inOrder(a), inOrder(b)];
  const reach = widest(theirs);
  const corner = (c: Float64Array, at: number) => ({ x: c[at]!, y: c[at + 1]!, z: c[at + 2]! });
  let start = 0;
  for (const { at: i, from, to } of ours) {
    while (start < theirs.length && theirs[start]!.from < from - reach) start++;
    for (let n = start; n < theirs.length && theirs[n]!.from <= to; n++) {
      const { at: j } = theirs[n]!;
      let overlap = theirs[n]!.to >= from;
      for (let k = 1; k < 3 && overlap; k++)
        overlap = low(a, i, k) <= high(b, j, k) && low(b, j, k) <= high(a, i, k);
      if (
        overlap &&
        overlapTriangleTriangle(
          corner(a, i),
          corner(a, i + 3),
          corner(a, i + 6),
          corner(b, j),
          corner(b, j + 3),
          corner(b, j + 6),
        )
      )
        return true;
    }
  }
  return false;
}

const truth = lazily(() => matrices.map(meetAt));
const wrong = (meet: (i: number) => boolean) => truth().filter((is, i) => is !== meet(i)).length;

const bvh = new MeshBVH(geometryOf(triangles), { strategy: SAH });
const geometry = geometryOf(triangles);
(geometry as THREE.BufferGeometry & { boundsTree?: MeshBVH }).boundsTree = new MeshBVH(geometry, {
  strategy: SAH,
});
const pair = makeMeshPointPair();

race({
  title: 'mesh – mesh overlap, near contact',
  mesh: triangles.title,
  calls: POSES,
  rounds: 11,
  passes: 3,
  contenders: [
    {
      name: 'graze, surfaces',
      run() {
        let sum = 0;
        for (let i = 0; i < POSES; i++) if (overlapMeshMesh(first, second, poses[i]!, surfaces)) sum++;
        return sum;
      },
      wrong: () => wrong((i) => ask(poses[i]!)),
    },
    {
      name: 'graze, solids',
      run() {
        let sum = 0;
        for (let i = 0; i < POSES; i++) if (overlapMeshMesh(first, second, poses[i]!)) sum++;
        return sum;
      },
    },
    {
      name: 'graze, closest points within a hundredth of the size',
      run() {
        let sum = 0;
        for (let i = 0; i < POSES; i++)
          if (closestPointsMeshMesh(first, second, poses[i]!, 0.01 * triangles.size, pair))
            sum += pair.distance;
        return sum;
      },
    },
    {
      name: 'three-mesh-bvh SAH',
      run() {
        let sum = 0;
        for (let i = 0; i < POSES; i++) if (bvh.intersectsGeometry(geometry, matrices[i]!)) sum++;
        return sum;
      },
      wrong: () => wrong((i) => bvh.intersectsGeometry(geometry, matrices[i]!)),
    },
  ],
});
