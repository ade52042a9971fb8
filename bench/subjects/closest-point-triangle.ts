import { closestPointTriangle } from 'graze/primitives';
import * as THREE from 'three';
import { ExtendedTriangle } from 'three-mesh-bvh';
import { crashcat } from '../crashcat.ts';
import { plain, points, type Tuple, tuple, vector } from '../data.ts';
import { lazily, race } from '../harness.ts';
import { exactPointTriangle } from '../oracles.ts';

const N = 4000;
const [a, b, c] = [points(N), points(N), points(N)];
const p = points(N).map(({ x, y, z }) => ({ x: 2 * x, y: 2 * y, z: 2 * z }));

const truth = lazily(() => p.map((_, i) => exactPointTriangle(p[i]!, a[i]!, b[i]!, c[i]!)));
/** Wrong: the point that comes back is farther than the truth by more than rounding can explain. */
const wrong = (find: (i: number) => { x: number; y: number; z: number }) =>
  truth().filter((distance, i) => {
    const f = find(i);
    return !(Math.hypot(f.x - p[i]!.x, f.y - p[i]!.y, f.z - p[i]!.z) <= distance + 1e-12);
  }).length;

const ours = p.map((_, i) => ({ p: plain(p[i]!), a: plain(a[i]!), b: plain(b[i]!), c: plain(c[i]!) }));
const out = { x: 0, y: 0, z: 0 };

const make = <T extends THREE.Triangle>(
  kind: new (a: THREE.Vector3, b: THREE.Vector3, c: THREE.Vector3) => T,
) => p.map((_, i) => ({ p: vector(p[i]!), triangle: new kind(vector(a[i]!), vector(b[i]!), vector(c[i]!)) }));
const threes = make(THREE.Triangle);
const meshes = make(ExtendedTriangle);
const target = new THREE.Vector3();

const cats = p.map((_, i) => ({ p: tuple(p[i]!), a: tuple(a[i]!), b: tuple(b[i]!), c: tuple(c[i]!) }));
const { getClosestPointOnTriangle } = await crashcat();
const found = { point: [0, 0, 0] as Tuple, distanceSq: 0, feature: 0 };
const [ra, rb, rc]: [Tuple, Tuple, Tuple] = [
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0],
];

function relative(v: Tuple, p: Tuple, to: Tuple): void {
  to[0] = v[0] - p[0];
  to[1] = v[1] - p[1];
  to[2] = v[2] - p[2];
}

function catClosest(i: number): void {
  const s = cats[i]!;
  relative(s.a, s.p, ra);
  relative(s.b, s.p, rb);
  relative(s.c, s.p, rc);
  getClosestPointOnTriangle(found, ra, rb, rc);
}

race({
  title: 'closest point on triangle',
  calls: N,
  contenders: [
    {
      name: 'graze',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) {
          const s = ours[i]!;
          sum += closestPointTriangle(s.p, s.a, s.b, s.c, out).x;
        }
        return sum;
      },
      wrong: () => wrong((i) => closestPointTriangle(ours[i]!.p, ours[i]!.a, ours[i]!.b, ours[i]!.c)),
    },
    {
      name: 'three.js',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) sum += threes[i]!.triangle.closestPointToPoint(threes[i]!.p, target).x;
        return sum;
      },
      wrong: () => wrong((i) => threes[i]!.triangle.closestPointToPoint(threes[i]!.p, target)),
    },
    {
      name: 'three-mesh-bvh',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) sum += meshes[i]!.triangle.closestPointToPoint(meshes[i]!.p, target).x;
        return sum;
      },
      wrong: () => wrong((i) => meshes[i]!.triangle.closestPointToPoint(meshes[i]!.p, target)),
    },
    {
      name: 'crashcat',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) {
          catClosest(i);
          sum += found.point[0];
        }
        return sum;
      },
      wrong: () =>
        wrong((i) => {
          catClosest(i);
          const [x, y, z] = found.point;
          return { x: p[i]!.x + x, y: p[i]!.y + y, z: p[i]!.z + z };
        }),
    },
  ],
});
