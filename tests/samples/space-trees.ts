/** Sample calls of octrees, k-d trees, cells and portals. */
import { vec3 } from '../../src/math/types.ts';
import { CellsAndPortals } from '../../src/space/index.ts';
import type { Sample } from '../kit/sample.ts';

const p = vec3(0.5, 0.25, 0.75);
const q = vec3(-0.5, 0.25, 0.5);

function samplesOfPortals(): Sample[] {
  const polygon = [vec3(0, -1, -1), vec3(0, 1, -1), vec3(0, 1, 1), vec3(0, -1, 1)];
  const world = new CellsAndPortals(
    [{ planes: [{ normal: vec3(1, 0, 0), d: 0 }] }, { planes: [{ normal: vec3(-1, 0, 0), d: 0 }] }],
    [{ a: 0, b: 1, polygon }],
  );
  world.add(1, { center: p, radius: 0.25 });
  const contains = (point: typeof p): boolean => world.contains(1, point);
  const locate = (point: typeof p): number => world.locate(point);
  const track = (from: typeof p, to: typeof p): number => world.track(1, from, to);
  const moveSphere = (volume: { center: typeof p; radius: number }): number => world.move(1, volume);
  const reached = (volume: { min: typeof p; max: typeof p }): number[] => world.reached(1, volume);
  return [
    { fn: contains, args: { point: p } },
    { fn: locate, args: { point: p } },
    { fn: track, args: { from: p, to: q } },
    { fn: moveSphere, args: { volume: { center: p, radius: 0.25 } } },
    { fn: reached, args: { volume: { min: vec3(0.25, 0.25, 0.25), max: p } } },
  ];
}

export const samples: Sample[] = [...samplesOfPortals()];
