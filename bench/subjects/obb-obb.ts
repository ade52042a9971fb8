import { overlapObbObb } from 'graze/volumes';
import { obb3 } from 'mathcat';
import * as THREE from 'three';
import { OBB } from 'three/addons/math/OBB.js';
import { OrientedBox } from 'three-mesh-bvh';
import { points, tuple, vector } from '../data.ts';
import { lazily, race, rng } from '../harness.ts';
import { exactObbObb } from '../oracles.ts';

const N = 4000;

interface Box {
  center: { x: number; y: number; z: number };
  half: { x: number; y: number; z: number };
  q: { x: number; y: number; z: number; w: number };
  elements: number[];
}

function boxes(): Box[] {
  return points(N).map((center) => {
    const half = { x: rng.range(0.05, 0.7), y: rng.range(0.05, 0.7), z: rng.range(0.05, 0.7) };
    const q = rng.rotation();
    const matrix = new THREE.Matrix3().setFromMatrix4(
      new THREE.Matrix4().makeRotationFromQuaternion(new THREE.Quaternion(q.x, q.y, q.z, q.w)),
    );
    return {
      center: { x: 1.2 * center.x, y: 1.2 * center.y, z: 1.2 * center.z },
      half,
      q,
      elements: [...matrix.elements],
    };
  });
}

const [a, b] = [boxes(), boxes()];
const axes = ({ elements: e }: Box) => [0, 3, 6].map((i) => ({ x: e[i]!, y: e[i + 1]!, z: e[i + 2]! }));
const rational = (box: Box) => ({
  center: box.center,
  axes: axes(box),
  half: [box.half.x, box.half.y, box.half.z],
});
const truth = lazily(() => a.map((_, i) => exactObbObb(rational(a[i]!), rational(b[i]!))));
const wrong = (meet: (i: number) => boolean) => truth().filter((is, i) => is !== meet(i)).length;

const ours = a.map((_, i) =>
  [a[i]!, b[i]!].map(({ center, half, elements }) => ({
    center: { ...center },
    halfSize: { ...half },
    rotation: { elements: [...elements] },
  })),
);
const threes = a.map((_, i) =>
  [a[i]!, b[i]!].map(({ center, half, elements }) => {
    const rotation = new THREE.Matrix3();
    rotation.fromArray(elements);
    return new OBB(vector(center), vector(half), rotation);
  }),
);
const cats = a.map((_, i) =>
  [a[i]!, b[i]!].map(({ center, half, q }) =>
    obb3.setFromCenterHalfExtentsQuaternion(obb3.create(), tuple(center), tuple(half), [q.x, q.y, q.z, q.w]),
  ),
);
// three-mesh-bvh tests an oriented box against an axis-aligned one: the pair is moved into the frame of the second.
const meshes = a.map((_, i) => {
  const [s, t] = [a[i]!, b[i]!];
  const pose = (box: Box) =>
    new THREE.Matrix4().compose(
      vector(box.center),
      new THREE.Quaternion(box.q.x, box.q.y, box.q.z, box.q.w),
      new THREE.Vector3(1, 1, 1),
    );
  const oriented = new OrientedBox(vector(s.half).negate(), vector(s.half));
  oriented.matrix.copy(pose(t).invert().multiply(pose(s)));
  (oriented as unknown as { update(): void }).update();
  return { oriented, box: new THREE.Box3(vector(t.half).negate(), vector(t.half)) };
});

race({
  title: 'oriented box – oriented box overlap',
  calls: N,
  contenders: [
    {
      name: 'graze',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) if (overlapObbObb(ours[i]![0]!, ours[i]![1]!)) sum++;
        return sum;
      },
      wrong: () => wrong((i) => overlapObbObb(ours[i]![0]!, ours[i]![1]!)),
    },
    {
      name: 'three.js',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) if (threes[i]![0]!.intersectsOBB(threes[i]![1]!)) sum++;
        return sum;
      },
      wrong: () => wrong((i) => threes[i]![0]!.intersectsOBB(threes[i]![1]!)),
    },
    {
      name: 'three-mesh-bvh (against a box, frame made beforehand)',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) if (meshes[i]!.oriented.intersectsBox(meshes[i]!.box)) sum++;
        return sum;
      },
      wrong: () => wrong((i) => meshes[i]!.oriented.intersectsBox(meshes[i]!.box)),
    },
    {
      name: 'mathcat',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) if (obb3.intersectsOBB3(cats[i]![0]!, cats[i]![1]!)) sum++;
        return sum;
      },
      wrong: () => wrong((i) => obb3.intersectsOBB3(cats[i]![0]!, cats[i]![1]!)),
    },
  ],
});
