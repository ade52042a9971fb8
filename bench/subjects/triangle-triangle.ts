import { overlapTriangleTriangle } from 'graze/primitives';
import type * as THREE from 'three';
import { ExtendedTriangle } from 'three-mesh-bvh';
import { plain, points, vector } from '../data.ts';
import { lazily, race } from '../harness.ts';
import { exactTriangleTriangle } from '../oracles.ts';

const N = 4000;
const t = [points(N), points(N), points(N)];
const s = [points(N), points(N), points(N)];

const truth = lazily(() =>
  t[0]!.map((_, i) =>
    exactTriangleTriangle(
      t.map((list) => list[i]!),
      s.map((list) => list[i]!),
    ),
  ),
);
const wrong = (meet: (i: number) => boolean) => truth().filter((is, i) => is !== meet(i)).length;

const ours = t[0]!.map((_, i) => ({
  a: plain(t[0]![i]!),
  b: plain(t[1]![i]!),
  c: plain(t[2]![i]!),
  d: plain(s[0]![i]!),
  e: plain(s[1]![i]!),
  f: plain(s[2]![i]!),
}));

const triangle = (list: typeof t, i: number): ExtendedTriangle => {
  const [a, b, c] = list.map((points) => vector(points[i]!)) as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
  const made = new ExtendedTriangle(a, b, c);
  (made as unknown as { needsUpdate: boolean }).needsUpdate = true;
  (made as unknown as { update(): void }).update(); // done once: what does not depend on the other triangle
  return made;
};
const meshes = t[0]!.map((_, i) => ({ t: triangle(t, i), s: triangle(s, i) }));

function ask(i: number): boolean {
  const o = ours[i]!;
  return overlapTriangleTriangle(o.a, o.b, o.c, o.d, o.e, o.f);
}

race({
  title: 'triangle – triangle overlap',
  calls: N,
  contenders: [
    {
      name: 'graze',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) if (ask(i)) sum++;
        return sum;
      },
      wrong: () => wrong(ask),
    },
    {
      name: 'three-mesh-bvh',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) if (meshes[i]!.t.intersectsTriangle(meshes[i]!.s)) sum++;
        return sum;
      },
      wrong: () => wrong((i) => meshes[i]!.t.intersectsTriangle(meshes[i]!.s)),
    },
  ],
});
