/** Do two convex solids meet? By two occlusion queries. RTCD §10.2. */
import { APART, checkRasterizer, type ImageAnswer, placePair } from './image-answer.ts';
import type { ImageBody, PlacedModel } from './raster-model.ts';
import type { DrawState, Rasterizer } from './rasterizer.ts';
import { broadside, drawPlace, fitView, type View } from './view.ts';

const FRONT: DrawState = { what: 'faces', side: 'front', depth: 'always', writeDepth: true };
const BACK: DrawState = { what: 'faces', side: 'back', depth: 'greater' };

/**
 * Do two convex solids meet, as far as pixels can tell? Along each ray a convex solid is one interval, and two intervals meet if each
 * ends behind the start of the other:
 *
 *     ray ──▶  ├── A ──┤          B ends behind A's start, but A not behind B's: apart
 *                        ├─ B ─┤
 *
 * So A's front is drawn, and B's back asked for what is behind it; then the other way around. If one of the queries sees nothing, they
 * are apart. For disjoint convex solids the order is the same along all rays, so that queries over all pixels at once do. Of solids that
 * are not convex, `false` is as good an answer; `true` may mean that one reaches around the other. RTCD §10.2.
 *
 * The view is along the axis in which their boxes share the largest side. A miss is possible where what they share covers the centre
 * of no pixel.
 */
export function intersectsConvexImage(
  rasterizer: Rasterizer,
  a: ImageBody,
  b: ImageBody,
): Promise<ImageAnswer> {
  checkRasterizer('intersectsConvexImage', rasterizer);
  const pair = placePair('intersectsConvexImage', a, b);
  if (!pair) return Promise.resolve(APART);
  const view = fitView({ ...pair, direction: broadside(pair.window), raster: rasterizer });
  askBehind(rasterizer, view, pair.a, pair.b);
  askBehind(rasterizer, view, pair.b, pair.a);
  return rasterizer.finish().then(([aFirst, bFirst]) => ({
    intersects: aFirst === 1 && bFirst === 1,
    certainty: 'approximate',
    pixel: view.pixel,
  }));
}

/** Is any of the back of `second` behind the front of `first`? Depth starts far away: what the last pass left would hide it. */
function askBehind(rasterizer: Rasterizer, view: View, first: PlacedModel, second: PlacedModel): void {
  rasterizer.clear('depth');
  rasterizer.draw(first.model, drawPlace(view, first), FRONT);
  rasterizer.beginQuery();
  rasterizer.draw(second.model, drawPlace(view, second), BACK);
  rasterizer.endQuery();
}
