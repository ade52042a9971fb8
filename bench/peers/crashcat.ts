/** crashcat: its functions for one shape, with a SAH tree, which is its best. */
import * as cat from 'crashcat';
import { tuple } from '../data.ts';
import { type BenchRay, type BenchSweep, REACH, type Triangles } from '../meshes.ts';
import { type Asked, lengthOf } from './peer.ts';

cat.registerAll();

/** It takes arrays of numbers. */
export const listsOf = ({ positions, index }: Triangles) => ({
  positions: Array.from(positions),
  indices: Array.from(index),
});

/** With no triangle taken for degenerate, so that all search the same ones. */
export const makeShape = (lists: { positions: number[]; indices: number[] }) =>
  cat.triangleMesh.create({
    ...lists,
    bvhSplitStrategy: cat.triangleMesh.BvhSplitStrategy.SAH,
    degenerateTolerance: 0,
  });

export function catRays(triangles: Triangles, rays: readonly BenchRay[]): Asked {
  const shape = makeShape(listsOf(triangles));
  const reach = REACH * triangles.size;
  const mine = rays.map(({ origin, direction }) => ({ o: tuple(origin), d: tuple(direction) }));
  const settings = cat.createDefaultCastRaySettings();
  settings.collideWithBackfaces = true;
  const collector = cat.createClosestCastRayCollector();
  const cast = (i: number): number => {
    const { o, d } = mine[i]!;
    collector.reset();
    // biome-ignore format: where it stands, after what is asked
    cat.castRayVsShape(
      collector, settings, o[0], o[1], o[2], d[0], d[1], d[2], reach,
      shape, cat.EMPTY_SUB_SHAPE_ID, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1,
    );
    return collector.hit.status === cat.CastRayStatus.COLLIDING ? collector.hit.fraction : Infinity;
  };
  return {
    name: 'crashcat SAH',
    run() {
      let sum = 0;
      for (let i = 0; i < mine.length; i++) {
        const t = cast(i);
        if (t <= 1) sum += t;
      }
      return sum;
    },
    answer: (i) => cast(i) * reach,
  };
}

export function catSweeps(triangles: Triangles, sweeps: readonly BenchSweep[]): Asked {
  const shape = makeShape(listsOf(triangles));
  const mine = sweeps.map(({ center, radius, motion }) => ({
    ball: cat.sphere.create({ radius }),
    p: tuple(center),
    d: tuple(motion),
  }));
  const settings = cat.createDefaultCastShapeSettings();
  settings.collideWithBackfaces = true;
  settings.collectFaces = false;
  const collector = cat.createClosestCastShapeCollector();
  const cast = (i: number): number => {
    const { ball, p, d } = mine[i]!;
    collector.reset();
    // biome-ignore format: where it stands, after what is asked
    cat.castShapeVsShape(
      collector, settings,
      ball, cat.EMPTY_SUB_SHAPE_ID, 0, p[0], p[1], p[2], 0, 0, 0, 1, 1, 1, 1, d[0], d[1], d[2],
      shape, cat.EMPTY_SUB_SHAPE_ID, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1,
    );
    return collector.hit.status === cat.CastShapeStatus.COLLIDING ? collector.hit.fraction : Infinity;
  };
  return {
    name: 'crashcat SAH',
    run() {
      let sum = 0;
      for (let i = 0; i < mine.length; i++) {
        const t = cast(i);
        if (t <= 1) sum += t;
      }
      return sum;
    },
    answer: (i) => cast(i) * lengthOf(sweeps[i]!.motion),
  };
}
