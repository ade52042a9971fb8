/** Ours: the public functions, checks of the input included. */
import { type Mesh, mesh } from 'graze';
import { addSimd } from 'graze/simd';
import {
  closestPointMesh,
  makeMeshHit,
  makeMeshPoint,
  makeMeshTouch,
  rayMesh,
  sweepSphereMesh,
} from 'graze/trimesh';
import { type Point, plain } from '../data.ts';
import type { BenchRay, BenchSweep, Triangles } from '../meshes.ts';
import { type Asked, lengthOf } from './peer.ts';

const name = 'graze';
const make = ({ positions, index }: Triangles): Mesh => mesh(positions, index);

/** Of a mesh with the four-wide kernels. */
const SIMD = 'graze, SIMD';
function makeWide(triangles: Triangles): Mesh {
  const target = make(triangles);
  if (!addSimd(target)) throw new Error('no SIMD here');
  return target;
}

export const grazeSimdRays = (triangles: Triangles, rays: readonly BenchRay[]): Asked =>
  grazeRays(triangles, rays, SIMD, makeWide(triangles));

export const grazeSimdPoints = (triangles: Triangles, points: readonly Point[]): Asked =>
  grazePoints(triangles, points, SIMD, makeWide(triangles));

export function grazeRays(
  triangles: Triangles,
  rays: readonly BenchRay[],
  title = name,
  target = make(triangles),
): Asked {
  const mine = rays.map(({ origin, direction }) => ({ origin: plain(origin), direction: plain(direction) }));
  const out = makeMeshHit();
  return {
    name: title,
    run() {
      let sum = 0;
      for (let i = 0; i < mine.length; i++) if (rayMesh(mine[i]!, target, Infinity, out)) sum += out.t;
      return sum;
    },
    answer: (i) => rayMesh(mine[i]!, target)?.t ?? Infinity,
  };
}

export function grazePoints(
  triangles: Triangles,
  points: readonly Point[],
  title = name,
  target = make(triangles),
): Asked {
  const mine = points.map(plain);
  const out = makeMeshPoint();
  return {
    name: title,
    run() {
      let sum = 0;
      for (let i = 0; i < mine.length; i++)
        sum += closestPointMesh(mine[i]!, target, Infinity, out)!.distance;
      return sum;
    },
    answer: (i) => closestPointMesh(mine[i]!, target)!.distance,
  };
}

export function grazeSweeps(triangles: Triangles, sweeps: readonly BenchSweep[]): Asked {
  const target = make(triangles);
  const mine = sweeps.map(({ center, radius, motion }) => ({
    sphere: { center: plain(center), radius },
    motion: plain(motion),
  }));
  const out = makeMeshTouch();
  return {
    name,
    run() {
      let sum = 0;
      for (let i = 0; i < mine.length; i++)
        if (sweepSphereMesh(mine[i]!.sphere, mine[i]!.motion, target, out)) sum += out.t;
      return sum;
    },
    answer(i) {
      const hit = sweepSphereMesh(mine[i]!.sphere, mine[i]!.motion, target);
      return hit ? hit.t * lengthOf(mine[i]!.motion) : Infinity;
    },
  };
}
