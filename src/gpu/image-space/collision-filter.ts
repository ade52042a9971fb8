/** Of many objects, those that may meet another: the potentially colliding set, by occlusion queries. RTCD §10.4. */
import { mustBeBoolean, mustBeList, mustBeOneOf, mustBeOptions } from '../../math/check.ts';
import { type Vec3, vec3 } from '../../math/types.ts';
import { checkRasterizer } from './image-answer.ts';
import { cube, type ImageBody, type PlacedModel, placeBody, placeBox, unionBox } from './raster-model.ts';
import type { DrawState, Rasterizer } from './rasterizer.ts';
import { drawPlace, fitView } from './view.ts';

export type FilterStage = 'boxes' | 'objects' | 'faces';

export interface CollisionFilterOptions {
  /** What is drawn of the objects that are left, one after the other. Default: boxes, then objects. */
  readonly stages?: readonly FilterStage[];
  /**
   * Draws bounds of every face, over all pixels that it touches: then nothing that meets is dropped, whatever the resolution. Without,
   * faces light the pixels whose centres they cover, as the book draws them: quicker, keeps less, and may drop what meets by less than a
   * pixel. Default: true.
   */
  readonly conservative?: boolean;
}

/** One pass forward and one in reverse. */
export interface FilterRound {
  readonly stage: FilterStage;
  readonly axis: 'x' | 'y' | 'z';
  /** Objects (or faces) before the round, and after. */
  readonly tested: number;
  readonly kept: number;
  readonly queries: number;
}

export interface CollisionFilterResult {
  /** The objects that may meet another, ascending. */
  readonly objects: Uint32Array;
  /**
   * After the stage of that name, for each of `objects` the triangles that may meet a triangle of another. An object without any meets no
   * surface; it may still be inside of another, or around it.
   */
  readonly faces: readonly Uint32Array[] | null;
  /** `conservative`: what was dropped meets nothing. */
  readonly certainty: 'conservative' | 'approximate';
  readonly rounds: readonly FilterRound[];
}

/** An object as it is drawn: by parts that are asked one by one. */
interface Item {
  readonly placed: PlacedModel;
  /** The parts that are left: triangles in the stage of faces, else the whole thing, null. */
  readonly parts: readonly (number | null)[];
  readonly index: number;
}

const AXES: readonly { readonly name: 'x' | 'y' | 'z'; readonly direction: Vec3 }[] = [
  { name: 'z', direction: vec3(0, 0, -1) },
  { name: 'x', direction: vec3(-1) },
  { name: 'y', direction: vec3(0, -1) },
];

/**
 * Which objects may meet another: the potentially colliding set. An object that is nowhere behind what was drawn before it, in the given
 * order, meets none of that; one that is nowhere behind the others in reverse order either meets nothing, and is dropped. So are the
 * last of a pass if all of them were fully seen. Along the three axes in turn, until none of them drops any more: a stack of objects that
 * is deep along one axis lies side by side along another. Objects may be open, and of any shape. RTCD §10.4.
 *
 * A filter in front of exact tests: what is kept need not meet anything.
 */
export function filterCollisions(
  rasterizer: Rasterizer,
  bodies: readonly ImageBody[],
  options: CollisionFilterOptions = {},
): Promise<CollisionFilterResult> {
  checkRasterizer('filterCollisions', rasterizer);
  mustBeList('filterCollisions', 'bodies', bodies);
  mustBeOptions('filterCollisions', 'options', options, 'stages conservative');
  const { stages = ['boxes', 'objects'], conservative = true } = options;
  mustBeList('filterCollisions', 'options.stages', stages);
  stages.forEach((stage, i) => {
    mustBeOneOf('filterCollisions', `options.stages[${i}]`, stage, ['boxes', 'objects', 'faces']);
  });
  mustBeBoolean('filterCollisions', 'options.conservative', conservative);
  const placed = bodies.map((body, i) => placeBody('filterCollisions', `bodies[${i}]`, body));
  return runFilter(rasterizer, placed, stages, conservative);
}

async function runFilter(
  rasterizer: Rasterizer,
  placed: readonly PlacedModel[],
  stages: readonly FilterStage[],
  conservative: boolean,
): Promise<CollisionFilterResult> {
  const rounds: FilterRound[] = [];
  const passes = conservative ? BOUNDS : CENTRES;
  let objects = placed.map((_, i) => i);
  let faces: readonly Uint32Array[] | null = null;
  for (const stage of stages) {
    const items = await runStage(
      { rasterizer, passes, stage, rounds },
      objects.map((i) => itemOf(placed[i]!, i, stage)),
    );
    if (stage === 'faces') {
      const parts = new Map(items.map((item) => [item.index, item.parts]));
      faces = objects.map((i) => Uint32Array.from((parts.get(i) ?? []) as number[]));
    } else {
      objects = items.map(({ index }) => index);
      faces = null;
    }
  }
  return {
    objects: Uint32Array.from(objects),
    faces,
    certainty: conservative ? 'conservative' : 'approximate',
    rounds,
  };
}

const box = /* @__PURE__ */ cube();

function itemOf(placed: PlacedModel, index: number, stage: FilterStage): Item {
  if (stage === 'boxes') return { placed: placeBox(box, placed.box), parts: [null], index };
  const parts = stage === 'faces' ? Array.from({ length: placed.model.triangleCount }, (_, i) => i) : [null];
  return { placed, parts, index };
}

interface Stage {
  readonly rasterizer: Rasterizer;
  readonly passes: Passes;
  readonly stage: FilterStage;
  readonly rounds: FilterRound[];
}

/** Round after round, until each of the axes has dropped nothing from what is left. */
async function runStage(run: Stage, start: readonly Item[]): Promise<readonly Item[]> {
  let items = start;
  for (let idle = 0, turn = 0; idle < AXES.length && items.length > 0; turn++) {
    const axis = AXES[turn % AXES.length]!;
    const tested = countParts(items);
    const seen = await askRound(run, items, axis.direction);
    items = seen;
    const kept = countParts(items);
    run.rounds.push({ stage: run.stage, axis: axis.name, tested, kept, queries: 2 * tested });
    idle = kept < tested ? 0 : idle + 1;
  }
  return items;
}

const countParts = (items: readonly Item[]): number =>
  items.reduce((sum, { parts }) => sum + parts.length, 0);

interface Passes {
  readonly ask: DrawState;
  readonly draw: DrawState;
}
/** As the book has it. */
const CENTRES: Passes = {
  ask: { what: 'faces', depth: 'greater' },
  draw: { what: 'faces', depth: 'less-equal', writeDepth: true },
};
/** At a pixel that both touch, the farthest that one may be is behind the nearest that the other may be, if they meet there. */
const BOUNDS: Passes = {
  ask: { what: 'farthest', depth: 'greater' },
  draw: { what: 'nearest', depth: 'less-equal', writeDepth: true },
};

/** Forward and in reverse: what is left. */
async function askRound(run: Stage, items: readonly Item[], direction: Vec3): Promise<readonly Item[]> {
  const { rasterizer, passes } = run;
  const all = unionBox(items.map(({ placed }) => placed.box));
  const view = fitView({ direction, window: all, all, raster: rasterizer });
  const places = items.map(({ placed }) => drawPlace(view, placed));
  const order = items.map((_, i) => i);
  for (const pass of [order, order.toReversed()]) {
    rasterizer.clear('depth');
    for (const i of pass) {
      const { placed, parts } = items[i]!;
      const place = places[i]!;
      // The parts of one object are not asked about each other: all of them before any is drawn.
      for (const part of parts) {
        rasterizer.beginQuery();
        rasterizer.draw(
          placed.model,
          place,
          part === null ? passes.ask : { ...passes.ask, range: [part, 1] },
        );
        rasterizer.endQuery();
      }
      for (const part of parts)
        rasterizer.draw(
          placed.model,
          place,
          part === null ? passes.draw : { ...passes.draw, range: [part, 1] },
        );
    }
  }
  const behind = await rasterizer.finish();
  return keepHidden(items, behind);
}

/**
 * Drops the parts that were fully seen in both passes, and the last objects of a pass if all of their parts were fully seen in it: they
 * meet nothing before them, and each other neither.
 */
function keepHidden(items: readonly Item[], behind: Uint8Array): readonly Item[] {
  const count = countParts(items);
  // In the forward pass objects come in order, in the other one in reverse; parts in order in both.
  let [start, end] = [0, 2 * count];
  const hidden = items.map(({ parts }) => {
    end -= parts.length;
    const both = parts.map((_, k) => [behind[start + k] === 1, behind[end + k] === 1] as const);
    start += parts.length;
    return both;
  });
  const tail = (pass: 0 | 1): number => {
    let n = 0;
    const order = pass === 0 ? hidden.toReversed() : hidden;
    while (n < order.length && order[n]!.every((part) => !part[pass])) n++;
    return n;
  };
  const [last, first] = [items.length - tail(0), tail(1)];
  return items.flatMap((item, i) => {
    if (i >= last || i < first) return [];
    const parts = item.parts.filter((_, k) => hidden[i]![k]!.some(Boolean));
    return parts.length > 0 ? [{ ...item, parts }] : [];
  });
}
