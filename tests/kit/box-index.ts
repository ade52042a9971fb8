/** Indexes of boxes, against a test of every box. */
import type { Vec3 } from '../../src/math/types.ts';
import { vec3 } from '../../src/math/types.ts';
import { rayAabb } from '../../src/primitives/ray/index.ts';
import type { Ray } from '../../src/primitives/types.ts';
import type { BoxIndex } from '../../src/space/box-index.ts';
import { overlap, recordOf, type Six } from './box-corpus.ts';
import { check } from './property.ts';
import type { Rng } from './rng.ts';

const sorted = (ids: readonly number[]): string => String([...ids].sort((a, b) => a - b));

function randomRay(rng: Rng, boxes: readonly Six[], around: Six): Ray {
  const to = boxes.length > 0 ? rng.pick(boxes) : around;
  const far = rng.pick([1, 1, 1, 1e3, 1e12]);
  const origin = rng.pick([
    vec3(around[0], around[1], around[5]),
    vec3(to[0], to[1], to[2]),
    vec3(around[0] - far * rng.range(-1, 1), around[4] + far, around[2]),
  ]);
  const direction = rng.pick<Vec3>([
    vec3(to[3] - origin.x, to[1] - origin.y, to[2] - origin.z),
    vec3((to[0] + to[3]) / 2 - origin.x, (to[1] + to[4]) / 2 - origin.y, to[5] - origin.z),
    vec3(rng.pick([-1, 0, 1]), rng.pick([-1, 0, 1]), rng.pick([-1, 0, 1])),
    vec3(),
  ]);
  return { origin, direction };
}

/** Asks an index for boxes in a box and on a ray, and compares with a look at every box. */
export function compareBoxIndex(index: BoxIndex, boxes: readonly Six[], rng: Rng, around: Six): void {
  const found: number[] = [];
  index.searchBox(recordOf(around), (id) => void found.push(id));
  const inside = boxes.flatMap((box, id) => (overlap(box, around) ? [id] : []));
  check(sorted(found) === sorted(inside), () => `box: ${sorted(found)} and not ${sorted(inside)}`);
  const ray = randomRay(rng, boxes, around);
  const tMax = rng.pick([0, 0.5, 1, Infinity]);
  const hits = new Map<number, number>();
  index.searchRay(ray, tMax, (id, t) => {
    check(!hits.has(id), 'hit twice');
    hits.set(id, t);
  });
  let least = Infinity;
  boxes.forEach((box, id) => {
    const t = rayAabb(ray, recordOf(box), tMax)?.t;
    check(
      hits.get(id) === t,
      () => `ray ${JSON.stringify(ray)}: box ${id} at ${hits.get(id)} and not at ${t}`,
    );
    if (t !== undefined) least = Math.min(least, t);
  });
  let first = Infinity;
  index.searchRay(ray, tMax, (_, t) => {
    first = Math.min(first, t);
    return first;
  });
  check(first === least, 'first hit');
}
