/**
 * Rapier, plain and SIMD. A collider is asked itself: quicker than asking the world, which wraps what it finds, and
 * than asking a shape, which builds its tree anew for every call.
 */
import * as plainBuild from '@dimforge/rapier3d-compat';
import * as simdBuild from '@dimforge/rapier3d-simd-compat';
import { type Point, plain } from '../data.ts';
import { type BenchRay, type BenchSweep, REACH, type Triangles } from '../meshes.ts';
import { type Asked, distanceOf, lengthOf, ZERO } from './peer.ts';

type Rapier = typeof plainBuild;

export interface RapierBuild {
  readonly name: string;
  readonly rapier: Rapier;
}

export async function rapiers(): Promise<[plain: RapierBuild, simd: RapierBuild]> {
  await plainBuild.init();
  await simdBuild.init();
  return [
    { name: 'Rapier', rapier: plainBuild },
    { name: 'Rapier SIMD', rapier: simdBuild as unknown as Rapier },
  ];
}

export function makeCollider({ rapier }: RapierBuild, { positions, index }: Triangles, flags?: number) {
  const world = new rapier.World(ZERO);
  const collider = world.createCollider(rapier.ColliderDesc.trimesh(positions, index, flags));
  return { world, collider };
}

export function rapierRays(build: RapierBuild, triangles: Triangles, rays: readonly BenchRay[]): Asked {
  const { collider } = makeCollider(build, triangles);
  const mine = rays.map(({ origin, direction }) => new build.rapier.Ray(plain(origin), plain(direction)));
  const reach = REACH * triangles.size;
  return {
    name: `${build.name} (distance only)`,
    run() {
      let sum = 0;
      for (let i = 0; i < mine.length; i++) {
        const t = collider.castRay(mine[i]!, reach, false);
        if (t >= 0) sum += t;
      }
      return sum;
    },
    answer(i) {
      const t = collider.castRay(mine[i]!, reach, false);
      return t >= 0 ? t : Infinity;
    },
  };
}

export function rapierPoints(build: RapierBuild, triangles: Triangles, points: readonly Point[]): Asked {
  const { collider } = makeCollider(build, triangles);
  const mine = points.map(plain);
  const target = new build.rapier.PointProjection({ x: 0, y: 0, z: 0 }, false);
  return {
    name: build.name,
    run() {
      let sum = 0;
      for (let i = 0; i < mine.length; i++) sum += collider.projectPoint(mine[i]!, false, target)!.point.x;
      return sum;
    },
    answer: (i) => distanceOf(points[i]!, collider.projectPoint(mine[i]!, false, target)!.point),
  };
}

export function rapierSweeps(build: RapierBuild, triangles: Triangles, sweeps: readonly BenchSweep[]): Asked {
  const { rapier } = build;
  const { collider } = makeCollider(build, triangles);
  const rotation = { x: 0, y: 0, z: 0, w: 1 };
  const vector = () => ({ x: 0, y: 0, z: 0 });
  const target = new rapier.ShapeCastHit(0, vector(), vector(), vector(), vector());
  const mine = sweeps.map(({ center, radius, motion }) => ({
    ball: new rapier.Ball(radius),
    center: plain(center),
    motion: plain(motion),
  }));
  const cast = (i: number) => {
    const { ball, center, motion } = mine[i]!;
    return collider.castShape(ZERO, ball, center, rotation, motion, 0, 1, true, target);
  };
  return {
    name: build.name,
    run() {
      let sum = 0;
      for (let i = 0; i < mine.length; i++) sum += cast(i)?.time_of_impact ?? 0;
      return sum;
    },
    answer(i) {
      const hit = cast(i);
      return hit ? hit.time_of_impact * lengthOf(sweeps[i]!.motion) : Infinity;
    },
  };
}
