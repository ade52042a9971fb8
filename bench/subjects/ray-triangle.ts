import { makeTriangleHit, rayTriangle } from 'graze/primitives';
import { type Raycast3, raycast3 } from 'mathcat';
import * as THREE from 'three';
import { crashcat } from '../crashcat.ts';
import { type Point, plain, points, tuple, vector } from '../data.ts';
import { lazily, race, rng } from '../harness.ts';
import { exactRayTriangle } from '../oracles.ts';

const N = 4000;
const a = points(N);
const b = points(N);
const c = points(N);
const origin = points(N).map((p) => ({ x: 3 * p.x, y: 3 * p.y, z: 3 * p.z }));
// Most rays aim into the triangle's neighbourhood, some straight at a vertex or an edge.
const target = a.map((_, i) => aim(a[i]!, b[i]!, c[i]!));
const direction = target.map((t, i) => ({
  x: t.x - origin[i]!.x,
  y: t.y - origin[i]!.y,
  z: t.z - origin[i]!.z,
}));

function aim(a: Point, b: Point, c: Point): Point {
  const [u, v] = rng.chance(0.01) ? [0, rng.pick([0, 0.5, 1])] : [rng.range(-0.4, 1), rng.range(-0.4, 1)];
  const w = 1 - u - v;
  return { x: w * a.x + u * b.x + v * c.x, y: w * a.y + u * b.y + v * c.y, z: w * a.z + u * b.z + v * c.z };
}

const truth = lazily(() => a.map((_, i) => exactRayTriangle(origin[i]!, direction[i]!, a[i]!, b[i]!, c[i]!)));
const wrong = (hit: (i: number) => boolean) => truth().filter((is, i) => is !== hit(i)).length;

const ours = a.map((_, i) => ({
  ray: { origin: plain(origin[i]!), direction: plain(direction[i]!) },
  a: plain(a[i]!),
  b: plain(b[i]!),
  c: plain(c[i]!),
}));
const out = makeTriangleHit();

const threes = a.map((_, i) => ({
  ray: new THREE.Ray(vector(origin[i]!), vector(direction[i]!)),
  a: vector(a[i]!),
  b: vector(b[i]!),
  c: vector(c[i]!),
}));
const point = new THREE.Vector3();

const cats = a.map((_, i) => {
  const length = Math.hypot(direction[i]!.x, direction[i]!.y, direction[i]!.z);
  const d = direction[i]!;
  const unit = { x: d.x / length, y: d.y / length, z: d.z / length };
  return { o: tuple(origin[i]!), d: tuple(unit), a: tuple(a[i]!), b: tuple(b[i]!), c: tuple(c[i]!) };
});
const casts: Raycast3[] = cats.map(({ o, d }) => raycast3.fromValues([...o], [...d], 1e9));
const { rayIntersectsTriangle } = await crashcat();
const cat = { hit: false, fraction: 0, frontFacing: false };
const mat = raycast3.createIntersectsTriangleResult();

function catHit(i: number): boolean {
  const { o, d, a, b, c } = cats[i]!;
  rayIntersectsTriangle(cat, o[0], o[1], o[2], d[0], d[1], d[2], 1e9, a, b, c, false);
  return cat.hit;
}

race({
  title: 'ray – triangle',
  calls: N,
  contenders: [
    {
      name: 'graze',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) {
          const s = ours[i]!;
          if (rayTriangle(s.ray, s.a, s.b, s.c, Infinity, out)) sum += out.t;
        }
        return sum;
      },
      wrong: () => wrong((i) => rayTriangle(ours[i]!.ray, ours[i]!.a, ours[i]!.b, ours[i]!.c) !== null),
    },
    {
      name: 'three.js',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) {
          const s = threes[i]!;
          if (s.ray.intersectTriangle(s.a, s.b, s.c, false, point)) sum += point.x;
        }
        return sum;
      },
      wrong: () =>
        wrong(
          (i) =>
            threes[i]!.ray.intersectTriangle(threes[i]!.a, threes[i]!.b, threes[i]!.c, false, point) !== null,
        ),
    },
    {
      name: 'crashcat',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) if (catHit(i)) sum += cat.fraction;
        return sum;
      },
      wrong: () => wrong(catHit),
    },
    {
      name: 'mathcat',
      run() {
        let sum = 0;
        for (let i = 0; i < N; i++) {
          const s = cats[i]!;
          raycast3.intersectsTriangle(mat, casts[i]!, s.a, s.b, s.c, false);
          if (mat.hit) sum += mat.fraction;
        }
        return sum;
      },
      wrong: () =>
        wrong((i) => {
          raycast3.intersectsTriangle(mat, casts[i]!, cats[i]!.a, cats[i]!.b, cats[i]!.c, false);
          return mat.hit;
        }),
    },
  ],
});
