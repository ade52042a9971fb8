/** What image-space tests of two bodies answer, and how they begin. */
import { mustHave, refuse } from '../../math/check.ts';
import type { Aabb } from '../../primitives/types.ts';
import {
  commonBox,
  type ImageBody,
  isEmptyBox,
  type PlacedModel,
  placeBody,
  unionBox,
} from './raster-model.ts';
import type { Rasterizer } from './rasterizer.ts';

/**
 * An answer from pixels. Where their boxes are apart, so are the bodies: that is `certain`. Everything else is `approximate`: both
 * ways wrong for what is thinner than a pixel, or closer together.
 */
export interface ImageAnswer {
  readonly intersects: boolean;
  readonly certainty: 'certain' | 'approximate';
  /** The longest side of a pixel in the world: what the answer may be wrong about. 0 where nothing had to be drawn. */
  readonly pixel: number;
}

/** @internal */
export const APART: Readonly<ImageAnswer> = { intersects: false, certainty: 'certain', pixel: 0 };

/** @internal */
export function checkRasterizer(caller: string, rasterizer: Rasterizer): void {
  mustHave(caller, 'rasterizer', rasterizer, 'a rasteriser, from makeRasterizer', 'beginQuery');
}

/** @internal */
export interface PlacedPair {
  readonly a: PlacedModel;
  readonly b: PlacedModel;
  /** What both may share: it fills the window. */
  readonly window: Aabb;
  /** Both of them. */
  readonly all: Aabb;
}

/** Two closed bodies, or null where their boxes are apart. @internal */
export function placePair(caller: string, a: ImageBody, b: ImageBody): PlacedPair | null {
  const [first, second] = [placeBody(caller, 'a', a), placeBody(caller, 'b', b)];
  mustBeClosed(caller, 'a', first);
  mustBeClosed(caller, 'b', second);
  const window = commonBox(first.box, second.box);
  if (isEmptyBox(window)) return null;
  return { a: first, b: second, window, all: unionBox([first.box, second.box]) };
}

/** @internal */
export function mustBeClosed(caller: string, name: string, { model }: PlacedModel): void {
  if (!model.isClosed)
    refuse(
      caller,
      `${name}.model`,
      'must be closed: front and back faces are counted along each ray (see repair, inspect)',
    );
}
