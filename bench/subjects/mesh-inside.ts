// runs: knot bunny
import { mesh } from 'graze';
import { containsPointMesh, signedDistanceMesh } from 'graze/trimesh';
import * as THREE from 'three';
import { type HitPointInfo, MeshBVH, SAH } from 'three-mesh-bvh';
import { plain, vector } from '../data.ts';
import { lazily, measure, report } from '../harness.ts';
import { BruteForce, windsAround } from '../mesh-oracles.ts';
import { makePoints, meshOfThisRun } from '../meshes.ts';
import { distanceOf } from '../peers/peer.ts';
import { makeCollider, rapiers } from '../peers/rapier.ts';
import { geometryOf } from '../peers/three-mesh-bvh.ts';

const triangles = meshOfThisRun();
const points = makePoints(triangles, 1000);
const N = points.length;
const judge = lazily(() => {
  const all = new BruteForce(triangles);
  return points.map((p) => (windsAround(triangles, p) ? -1 : 1) * all.point(p));
});
const countWrong = (isRight: (truth: number, i: number) => boolean) =>
  judge().filter((truth, i) => !isRight(truth, i)).length;
const wrongSide = (inside: (i: number) => boolean) => countWrong((truth, i) => truth < 0 === inside(i));
const wrongDistance = (signed: (i: number) => number) =>
  countWrong((truth, i) => Math.abs(truth - signed(i)) <= 1e-4 * triangles.size);

const target = mesh(triangles.positions, triangles.index);
const mine = points.map(plain);

// Where a ray leaves through the back of the first triangle that it hits, it starts inside. One ray and no parity: that
// is the quickest way there is with three-mesh-bvh.
const bvh = new MeshBVH(geometryOf(triangles), { strategy: SAH });
const vectors = points.map(vector);
const ray = new THREE.Ray(new THREE.Vector3(), new THREE.Vector3(0.36, 0.48, 0.8));
const closest: HitPointInfo = { point: new THREE.Vector3(), distance: 0, faceIndex: 0 };
const bvhInside = (i: number): boolean => {
  ray.origin = vectors[i]!;
  const hit = bvh.raycastFirst(ray, THREE.DoubleSide);
  return hit !== null && hit.face!.normal.dot(ray.direction) > 0;
};
const bvhSigned = (i: number): number => {
  const { distance } = bvh.closestPointToPoint(vectors[i]!, closest)!;
  return bvhInside(i) ? -distance : distance;
};

// Needs pseudo-normals, and those need seams to be closed. The SIMD build, a version older, always says outside.
const [build] = await rapiers();
const { ORIENTED, MERGE_DUPLICATE_VERTICES } = build.rapier.TriMeshFlags;
const { collider } = makeCollider(build, triangles, ORIENTED | MERGE_DUPLICATE_VERTICES);
const found = new build.rapier.PointProjection({ x: 0, y: 0, z: 0 }, false);
const rapierSigned = (i: number): number => {
  const { point, isInside } = collider.projectPoint(mine[i]!, false, found)!;
  return distanceOf(mine[i]!, point) * (isInside ? -1 : 1);
};

const subject = { mesh: triangles.title, calls: N, rounds: 21, passes: 1 };

report([
  ...measure({
    ...subject,
    title: 'point inside',
    contenders: [
      {
        name: 'graze',
        run() {
          let sum = 0;
          for (let i = 0; i < N; i++) if (containsPointMesh(mine[i]!, target)) sum++;
          return sum;
        },
        wrong: () => wrongSide((i) => containsPointMesh(mine[i]!, target)),
      },
      {
        name: 'three-mesh-bvh SAH (one ray)',
        run() {
          let sum = 0;
          for (let i = 0; i < N; i++) if (bvhInside(i)) sum++;
          return sum;
        },
        wrong: () => wrongSide(bvhInside),
      },
    ],
  }),
  ...measure({
    ...subject,
    title: 'signed distance',
    contenders: [
      {
        name: 'graze',
        run() {
          let sum = 0;
          for (let i = 0; i < N; i++) sum += signedDistanceMesh(mine[i]!, target);
          return sum;
        },
        wrong: () => wrongDistance((i) => signedDistanceMesh(mine[i]!, target)),
      },
      {
        name: 'three-mesh-bvh SAH (closest point and one ray)',
        run() {
          let sum = 0;
          for (let i = 0; i < N; i++) sum += bvhSigned(i);
          return sum;
        },
        wrong: () => wrongDistance(bvhSigned),
      },
      {
        name: 'Rapier',
        run() {
          let sum = 0;
          for (let i = 0; i < N; i++) sum += rapierSigned(i);
          return sum;
        },
        wrong: () => wrongDistance(rapierSigned),
      },
    ],
  }),
]);
