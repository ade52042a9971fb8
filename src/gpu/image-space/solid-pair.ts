/** Do two closed solids meet, convex or not? By their edges, or layer by layer as constructive solid geometry is drawn. RTCD §10.3. */
import {
  checkPoint,
  mustBeBoolean,
  mustBeList,
  mustBeOneOf,
  mustBeOptions,
  refuse,
} from '../../math/check.ts';
import { vec3 } from '../../math/types.ts';
import { APART, checkRasterizer, type ImageAnswer, type PlacedPair, placePair } from './image-answer.ts';
import type { ImageBody, PlacedModel } from './raster-model.ts';
import type { DrawPlace, DrawState, Rasterizer } from './rasterizer.ts';
import { drawPlace, fitView, type View, type ViewDirection } from './view.ts';

const EDGES: DrawState = { what: 'edges', depth: 'always', writeDepth: true };
/** Touching counts: a point on a front face is inside, and so is one on a back face. */
const ENTER: DrawState = { what: 'faces', side: 'front', depth: 'less-equal', stencil: 'count' };
const LEAVE: DrawState = { what: 'faces', side: 'back', depth: 'less', stencil: 'count' };

/** Askew and in perspective, so that edges of boxes along the axes are not seen end-on; then from two more sides. */
const VIEWS: readonly ViewDirection[] = [
  { direction: vec3(0.31, 0.19, -1), perspective: true },
  { direction: vec3(-1, 0.23, 0.37), perspective: true },
  { direction: vec3(0.17, -1, 0.29), perspective: true },
];

export interface SolidPairOptions {
  /**
   * `edges`: draws the edges of one solid and counts the faces of the other in front of them; quick, but an edge that is seen end-on,
   * or shorter than a pixel, is not drawn. `layers`: draws the front faces of one, layer by layer, instead of edges: one pass more for
   * each layer, and no edge is needed. Default: `edges`.
   */
  readonly method?: 'edges' | 'layers';
  /** Each is a chance to see what another misses. Default: three in perspective, for `layers` the first of them. */
  readonly views?: readonly ViewDirection[];
}

/**
 * Do two closed solids meet, as far as pixels can tell? They do if a part of an edge of one is inside the other, and a point is inside
 * a solid if more front faces than back faces are between it and the viewer: the stencil counts them for all pixels at once. Or, by
 * `layers`, if a part of a face is: the intersection of both, as constructive solid geometry, has a pixel to draw. RTCD §10.3.
 */
export function intersectsSolidImage(
  rasterizer: Rasterizer,
  a: ImageBody,
  b: ImageBody,
  options: SolidPairOptions = {},
): Promise<ImageAnswer> {
  checkRasterizer('intersectsSolidImage', rasterizer);
  mustBeOptions('intersectsSolidImage', 'options', options, 'method views');
  const { method = 'edges', views = method === 'edges' ? VIEWS : VIEWS.slice(0, 1) } = options;
  mustBeOneOf('intersectsSolidImage', 'options.method', method, ['edges', 'layers']);
  checkViews('intersectsSolidImage', views);
  const pair = placePair('intersectsSolidImage', a, b);
  if (!pair) return Promise.resolve(APART);
  const fitted = views.map((view) => fitView({ ...pair, ...view, raster: rasterizer }));
  const answer = method === 'edges' ? byEdges(rasterizer, pair, fitted) : byLayers(rasterizer, pair, fitted);
  return answer.then((intersects) => ({
    intersects,
    certainty: 'approximate',
    pixel: Math.max(...fitted.map(({ pixel }) => pixel)),
  }));
}

/** @internal */
export function checkViews(caller: string, views: readonly ViewDirection[]): void {
  mustBeList(caller, 'options.views', views);
  if (views.length === 0) refuse(caller, 'options.views', 'must have at least one view');
  views.forEach((view, i) => {
    const name = `options.views[${i}]`;
    mustBeOptions(caller, name, view, 'direction perspective');
    checkPoint(caller, `${name}.direction`, view.direction);
    const { x, y, z } = view.direction;
    if (x === 0 && y === 0 && z === 0) refuse(caller, `${name}.direction`, 'must not be zero');
    if (view.perspective !== undefined) mustBeBoolean(caller, `${name}.perspective`, view.perspective);
  });
}

/** The default of tests by edges. @internal */
export const defaultViews = (): readonly ViewDirection[] => VIEWS;

/** Counts the faces of a solid between the viewer and what stands in the depth buffer: then inside is where the stencil is not zero. @internal */
export function countFaces(rasterizer: Rasterizer, { model }: PlacedModel, place: DrawPlace): void {
  rasterizer.draw(model, place, ENTER);
  rasterizer.draw(model, place, LEAVE);
}

/** @internal */
export function askStencil(rasterizer: Rasterizer): void {
  rasterizer.beginQuery();
  rasterizer.fill({});
  rasterizer.endQuery();
}

async function byEdges(
  rasterizer: Rasterizer,
  { a, b }: PlacedPair,
  views: readonly View[],
): Promise<boolean> {
  for (const view of views)
    for (const [lines, solid] of [
      [a, b],
      [b, a],
    ] as const) {
      rasterizer.clear();
      rasterizer.draw(lines.model, drawPlace(view, lines), EDGES);
      countFaces(rasterizer, solid, drawPlace(view, solid));
      askStencil(rasterizer);
    }
  const found = await rasterizer.finish();
  return found.includes(1);
}

/** So many layers are drawn before the results of any are waited for. */
const LAYERS_AT_ONCE = 4;
/** The stencil counts no further. */
const MOST_LAYERS = 254;

/**
 * Along each ray, what both solids share begins where the ray enters one of them while it is inside of the other. Layer k of a solid is
 * the front face that is drawn as the k-th at each pixel, in whatever order: its depth takes the place of the edges'. Ends with the layer
 * that nothing is drawn of.
 */
async function byLayers(
  rasterizer: Rasterizer,
  { a, b }: PlacedPair,
  views: readonly View[],
): Promise<boolean> {
  for (const view of views)
    for (const [faces, solid] of [
      [a, b],
      [b, a],
    ] as const)
      for (let first = 0; first < MOST_LAYERS; first += LAYERS_AT_ONCE) {
        for (let k = first; k < Math.min(first + LAYERS_AT_ONCE, MOST_LAYERS); k++)
          askLayer(rasterizer, view, { faces, solid, k });
        const answers = await rasterizer.finish();
        const inside = answers.filter((_, i) => i % 2 === 1);
        const drawn = answers.filter((_, i) => i % 2 === 0);
        if (inside.includes(1)) return true;
        if (drawn.includes(0)) break;
      }
  return false;
}

interface Layer {
  readonly faces: PlacedModel;
  readonly solid: PlacedModel;
  readonly k: number;
}

function askLayer(rasterizer: Rasterizer, view: View, { faces, solid, k }: Layer): void {
  rasterizer.clear();
  rasterizer.beginQuery();
  rasterizer.draw(faces.model, drawPlace(view, faces), {
    what: 'faces',
    side: 'front',
    depth: 'always',
    writeDepth: true,
    stencil: k,
  });
  rasterizer.endQuery();
  rasterizer.clear('stencil');
  countFaces(rasterizer, solid, drawPlace(view, solid));
  askStencil(rasterizer);
}
