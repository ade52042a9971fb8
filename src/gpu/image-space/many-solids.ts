/** Which of many closed solids meet: all edges at once, with ids in the colour buffer. RTCD §10.3. */
import { mustBeLength, mustBeList, mustBeOptions, refuse } from '../../math/check.ts';
import { checkRasterizer, mustBeClosed } from './image-answer.ts';
import { type ImageBody, type PlacedModel, placeBody, unionBox } from './raster-model.ts';
import type { DrawPlace, Rasterizer } from './rasterizer.ts';
import { askStencil, checkViews, countFaces, defaultViews } from './solid-pair.ts';
import { drawPlace, fitView, type View, type ViewDirection } from './view.ts';

export interface ManySolidsOptions {
  /** Each is a chance to see what another misses. Default: three in perspective. */
  readonly views?: readonly ViewDirection[];
  /**
   * How far edges are moved away from their own solid, in pixels: lines and triangles are not rasterised alike, and an edge must not be
   * found inside of the solid that it belongs to. Default: 2.
   */
  readonly offset?: number;
}

/** Pairs of bodies, from pixels: nothing about them is certain but that a pixel said so. */
export interface ImagePairs {
  /** Two numbers a pair, the lower first; in ascending order. */
  readonly pairs: Uint32Array;
  readonly certainty: 'approximate';
  /** The longest side of a pixel in the world. */
  readonly pixel: number;
}

/** Does any of the solids meet another, as far as pixels can tell? One occlusion query a view. */
export function anyIntersectImage(
  rasterizer: Rasterizer,
  bodies: readonly ImageBody[],
  options: ManySolidsOptions = {},
): Promise<boolean> {
  const scene = readScene('anyIntersectImage', rasterizer, bodies, options);
  for (const { view, places } of scene.views) {
    drawEdges(rasterizer, scene, view, places);
    scene.placed.forEach((solid, i) => {
      countFaces(rasterizer, solid, places[i]!);
    });
    askStencil(rasterizer);
  }
  return rasterizer.finish().then((found) => found.includes(1));
}

/**
 * Which of the solids meet, as far as pixels can tell. All edges are drawn, each with the number of its solid; then solid by solid the
 * faces are counted in front of them, and what is inside gets the number of that one as well. What comes back, later, is an image of both
 * numbers. At one pixel only one edge can be seen, and one solid that it is in: a pair that is hidden from all views is missed.
 */
export function pairsSolidImage(
  rasterizer: Rasterizer,
  bodies: readonly ImageBody[],
  options: ManySolidsOptions = {},
): Promise<ImagePairs> {
  const scene = readScene('pairsSolidImage', rasterizer, bodies, options);
  const images = scene.views.map(({ view, places }) => {
    drawEdges(rasterizer, scene, view, places);
    scene.placed.forEach((solid, i) => {
      countFaces(rasterizer, solid, places[i]!);
      rasterizer.fill({ id: i + 1, clear: true });
    });
    return rasterizer.readIds();
  });
  return Promise.all(images).then((all) => ({
    pairs: pairsOfIds(all, bodies.length),
    certainty: 'approximate',
    pixel: Math.max(0, ...scene.views.map(({ view }) => view.pixel)),
  }));
}

interface Scene {
  readonly placed: readonly PlacedModel[];
  readonly views: readonly { readonly view: View; readonly places: readonly DrawPlace[] }[];
  readonly offset: number;
}

/** Ids have 16 bits, and 0 is none. */
const MOST_BODIES = 65535;

function readScene(
  caller: string,
  rasterizer: Rasterizer,
  bodies: readonly ImageBody[],
  options: ManySolidsOptions,
): Scene {
  checkRasterizer(caller, rasterizer);
  mustBeList(caller, 'bodies', bodies);
  if (bodies.length > MOST_BODIES) refuse(caller, 'bodies', `must be at most ${MOST_BODIES}`);
  mustBeOptions(caller, 'options', options, 'views offset');
  const { views = defaultViews(), offset = 2 } = options;
  checkViews(caller, views);
  mustBeLength(caller, 'options.offset', offset);
  const placed = bodies.map((body, i) => placeBody(caller, `bodies[${i}]`, body));
  placed.forEach((body, i) => {
    mustBeClosed(caller, `bodies[${i}]`, body);
  });
  if (placed.length < 2) return { placed, views: [], offset };
  const box = unionBox(placed.map((body) => body.box));
  return {
    placed,
    offset,
    views: views.map((direction) => {
      const view = fitView({ ...direction, window: box, all: box, raster: rasterizer });
      return { view, places: placed.map((body) => drawPlace(view, body)) };
    }),
  };
}

function drawEdges(
  rasterizer: Rasterizer,
  { placed, offset }: Scene,
  view: View,
  places: readonly DrawPlace[],
): void {
  rasterizer.clear();
  placed.forEach(({ model }, i) => {
    rasterizer.draw(model, places[i]!, {
      what: 'edges',
      // The nearest of the edges at a pixel, not the last: the answer does not depend on the order of the bodies.
      depth: 'less-equal',
      writeDepth: true,
      id: i + 1,
      offset: (offset * view.pixel) / model.scale,
    });
  });
}

function pairsOfIds(images: readonly Uint8Array[], count: number): Uint32Array {
  const keys = new Set<number>();
  for (const ids of images)
    for (let i = 0; i < ids.length; i += 4) {
      const edge = ids[i]! + 256 * ids[i + 1]! - 1;
      const solid = ids[i + 2]! + 256 * ids[i + 3]! - 1;
      if (solid >= 0 && edge >= 0 && edge !== solid)
        keys.add(Math.min(edge, solid) * count + Math.max(edge, solid));
    }
  const sorted = [...keys].sort((a, b) => a - b);
  return Uint32Array.from(sorted.flatMap((key) => [Math.floor(key / count), key % count]));
}
