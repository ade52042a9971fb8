import { closestPointsSegmentSegment } from 'graze/primitives';
import * as THREE from 'three';
// @ts-expect-error: not among its exports, so it has no types
import { closestPointsSegmentToSegment } from 'three-mesh-bvh/src/math/MathUtilities.js';
import { plain, points, vector } from '../data.ts';
import { lazily, race, rng } from '../harness.ts';
import { exactSegmentSegment } from '../oracles.ts';

const N = 4000;
const [a, b, c] = [points(N), points(N), points(N)];
// One in ten is parallel, or nearly, to the other.
const d = points(N).map((p, i) => {
  if (!rng.chance(0.1)) return p;
  const s = rng.range(-2, 2);
  const off = rng.chance(0.5) ? 0 : 1e-9;
  return {
    x: c[i]!.x + s * (b[i]!.x - a[i]!.x) + off,
    y: c[i]!.y + s * (b[i]!.y - a[i]!.y),
    z: c[i]!.z + s * (b[i]!.z - a[i]!.z),
  };
});

const truth = lazily(() => a.map((_, i) => exactSegmentSegment(a[i]!, b[i]!, c[i]!, d[i]!)));
const wrong = (find: (i: number) => number) =>
  truth().filter((distance, i) => !(Math.abs(find(i) - distance) <= 1e-12)).length;

const ours = a.map((_, i) => ({ a: plain(a[i]!), b: plain(b[i]!), c: plain(c[i]!), d: plain(d[i]!) }));
const pair = closestPointsSegmentSegment(a[0]!, b[0]!, c[0]!, d[0]!);

const lines = () =>
  a.map((_, i) => ({
    s: new THREE.Line3(vector(a[i]!), vector(b[i]!)),
    t: new THREE.Line3(vector(c[i]!), vector(d[i]!)),
  }));
const threes = lines();
const meshes = lines();
const [u, v] = [new THREE.Vector3(), new THREE.Vector3()];

race({
  title: 'closest points of two segments',
  calls: N,
  contenders: [
    {
      name: 'graze',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) {
          const s = ours[i]!;
          sum += closestPointsSegmentSegment(s.a, s.b, s.c, s.d, pair).distanceSq;
        }
        return sum;
      },
      wrong: () =>
        wrong((i) =>
          Math.sqrt(closestPointsSegmentSegment(ours[i]!.a, ours[i]!.b, ours[i]!.c, ours[i]!.d).distanceSq),
        ),
    },
    {
      name: 'three.js',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) sum += threes[i]!.s.distanceSqToLine3(threes[i]!.t, u, v);
        return sum;
      },
      wrong: () => wrong((i) => Math.sqrt(threes[i]!.s.distanceSqToLine3(threes[i]!.t, u, v))),
    },
    {
      name: 'three-mesh-bvh',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) {
          closestPointsSegmentToSegment(meshes[i]!.s, meshes[i]!.t, u, v);
          sum += u.distanceToSquared(v);
        }
        return sum;
      },
      wrong: () =>
        wrong((i) => {
          closestPointsSegmentToSegment(meshes[i]!.s, meshes[i]!.t, u, v);
          return u.distanceTo(v);
        }),
    },
  ],
});
