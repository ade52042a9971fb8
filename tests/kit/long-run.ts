/** Long runs of boxes that come, move by a little, touch, jump and go, one or some at a time, against a test of every one. */
import type { BroadPhase } from '../../src/broadphase/broad-phase.ts';
import { overlap, REGIMES, recordOf, type Six } from './box-corpus.ts';
import { bruteForce, comparePairs, compareSearches, type Finder } from './broad-phase.ts';
import { check, property } from './property.ts';
import type { Rng } from './rng.ts';

const DRAWS = Object.values(REGIMES);
/** So many steps are made before the boxes that come are of another kind. */
const ERA = 400;

const shifted = (box: Six, x: number, y: number, z: number): Six => [
  box[0] + x,
  box[1] + y,
  box[2] + z,
  box[3] + x,
  box[4] + y,
  box[5] + z,
];

/** A box whose side, edge or corner is on that of another, to the last bit. */
function touching(rng: Rng, box: Six, other: Six): Six {
  const moved = [...box] as [number, number, number, number, number, number];
  const axis = rng.int(0, 2);
  const size = box[axis + 3]! - box[axis]!;
  if (rng.chance(0.5)) {
    moved[axis] = other[axis + 3]!;
    moved[axis + 3] = other[axis + 3]! + size;
  } else {
    moved[axis + 3] = other[axis]!;
    moved[axis] = other[axis]! - size;
  }
  return moved;
}

/** What a tree of a world is asked besides: all boxes within a distance are visited. */
function compareNear(
  finder: Finder & Partial<BroadPhase>,
  boxes: ReadonlyMap<number, Six>,
  rng: Rng,
  around: Six,
) {
  const reach = { t: rng.pick([0, 0.5, 2]) };
  const told = new Set<number>();
  finder.searchNear?.(recordOf(around), reach, (id) => void told.add(id));
  for (const [id, box] of boxes) {
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const off = Math.max(box[k]! - around[k + 3]!, 0, around[k]! - box[k + 3]!);
      sum += off * off;
    }
    if (sum <= reach.t * reach.t) check(told.has(id), () => `box ${id} is within ${reach.t} and not visited`);
  }
}

/** `row`: of the specification. */
export function testLongRun(
  name: string,
  row: string,
  make: () => Finder & Partial<BroadPhase>,
  steps = 4000,
): void {
  property(`${row} ${name}: ${steps} steps of boxes that come, move, touch, jump and go`, 1, (rng) => {
    const finder = make();
    const boxes = new Map<number, Six>();
    const free: number[] = [];
    let draw = DRAWS[0]!;
    const every = Math.max(13, steps / 1000);
    for (let step = 0; step < steps; step++) {
      if (step % ERA === 0) draw = DRAWS[(rng.int(0, 99) + step / ERA) % DRAWS.length]!;
      const known = [...boxes.keys()];
      const what = boxes.size < 20 ? 0 : rng.unit();
      const id = boxes.size > 0 ? rng.pick(known) : 0;
      const put = (box: Six): void => {
        finder.move(id, recordOf(box));
        boxes.set(id, box);
      };
      if (what < 0.1 && boxes.size < 60) {
        const fresh = rng.chance(0.8) ? (free.pop() ?? boxes.size) : (free.shift() ?? boxes.size);
        boxes.set(fresh, draw(rng));
        finder.add(fresh, recordOf(boxes.get(fresh)!));
      } else if (what < 0.2) {
        finder.remove(id);
        boxes.delete(id);
        free.push(id);
      } else if (what < 0.3) put(draw(rng));
      else if (what < 0.4) put(touching(rng, boxes.get(id)!, boxes.get(rng.pick(known))!));
      else if (what < 0.8)
        put(shifted(boxes.get(id)!, rng.range(-0.1, 0.1), rng.pick([0, 0.25]), rng.range(-0.1, 0.1)));
      else {
        // Some at once; most often few of them.
        const share = rng.pick([0.02, 0.05, 0.1, 0.5]);
        const some = known.filter(() => rng.chance(share));
        for (const one of some)
          boxes.set(one, shifted(boxes.get(one)!, rng.range(-0.2, 0.2), 0, rng.pick([0, -0.125])));
        finder.moveMany(some, Float64Array.from(some.flatMap((one) => boxes.get(one)!)));
      }
      if (step % every === 0) comparePairs(finder, bruteForce(boxes));
      if (step % (5 * every) === 0) {
        const around = draw(rng);
        compareSearches(finder, boxes, rng, around);
        if (finder.searchNear) compareNear(finder, boxes, rng, around);
      }
    }
    check(boxes.size > 0 && [...boxes.values()].every((box) => overlap(box, box)), 'boxes are boxes');
  });
}
