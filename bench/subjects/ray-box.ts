import { makeHit, rayAabb } from 'graze/primitives';
import { type Raycast3, raycast3 } from 'mathcat';
import * as THREE from 'three';
import { crashcat } from '../crashcat.ts';
import { plain, points, tuple, vector } from '../data.ts';
import { lazily, race, rng } from '../harness.ts';
import { exactRayBox } from '../oracles.ts';

const N = 4000;
const corner = points(N);
const other = points(N);
const min = corner.map((p, i) => ({
  x: Math.min(p.x, other[i]!.x),
  y: Math.min(p.y, other[i]!.y),
  z: Math.min(p.z, other[i]!.z),
}));
const max = corner.map((p, i) => ({
  x: Math.max(p.x, other[i]!.x),
  y: Math.max(p.y, other[i]!.y),
  z: Math.max(p.z, other[i]!.z),
}));
const origin = points(N).map((p) => ({ x: 2 * p.x, y: 2 * p.y, z: 2 * p.z }));
// Some rays run along an axis, some in the plane of a face.
const direction = points(N).map((p, i) => {
  if (rng.chance(0.1))
    return rng.pick([
      { x: 1, y: 0, z: 0 },
      { x: 0, y: -1, z: 0 },
      { x: 0, y: 0, z: 1 },
    ]);
  return { x: p.x - origin[i]!.x, y: p.y - origin[i]!.y, z: p.z - origin[i]!.z };
});

const truth = lazily(() => min.map((_, i) => exactRayBox(origin[i]!, direction[i]!, min[i]!, max[i]!)));
const wrong = (hit: (i: number) => boolean) => truth().filter((is, i) => is !== hit(i)).length;

const ours = min.map((_, i) => ({
  ray: { origin: plain(origin[i]!), direction: plain(direction[i]!) },
  box: { min: plain(min[i]!), max: plain(max[i]!) },
}));
const out = makeHit();

const threes = min.map((_, i) => ({
  ray: new THREE.Ray(vector(origin[i]!), vector(direction[i]!)),
  box: new THREE.Box3(vector(min[i]!), vector(max[i]!)),
}));
const point = new THREE.Vector3();

const cats = min.map((_, i) => ({
  o: tuple(origin[i]!),
  d: tuple(direction[i]!),
  a: tuple(min[i]!),
  b: tuple(max[i]!),
}));
const { rayDistanceToBox3 } = await crashcat();
const casts: Raycast3[] = cats.map(({ o, d }) => raycast3.fromValues([...o], [...d], 1e9));
const boxes = cats.map(({ a, b }) => [...a, ...b] as [number, number, number, number, number, number]);

function catDistance(i: number): number {
  const { o, d, a, b } = cats[i]!;
  return rayDistanceToBox3(o[0], o[1], o[2], d[0], d[1], d[2], 1e9, a[0], a[1], a[2], b[0], b[1], b[2]);
}

race({
  title: 'ray – box',
  calls: N,
  contenders: [
    {
      name: 'graze',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) if (rayAabb(ours[i]!.ray, ours[i]!.box, Infinity, out)) sum += out.t;
        return sum;
      },
      wrong: () => wrong((i) => rayAabb(ours[i]!.ray, ours[i]!.box) !== null),
    },
    {
      name: 'three.js',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) if (threes[i]!.ray.intersectBox(threes[i]!.box, point)) sum += point.x;
        return sum;
      },
      wrong: () => wrong((i) => threes[i]!.ray.intersectBox(threes[i]!.box, point) !== null),
    },
    {
      name: 'crashcat (distance only)',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) {
          const t = catDistance(i);
          if (t < Infinity) sum += t;
        }
        return sum;
      },
      wrong: () => wrong((i) => catDistance(i) < Infinity),
    },
    {
      name: 'mathcat (yes or no only)',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) if (raycast3.intersectsBox3(casts[i]!, boxes[i]!)) sum++;
        return sum;
      },
      wrong: () => wrong((i) => raycast3.intersectsBox3(casts[i]!, boxes[i]!)),
    },
  ],
});
