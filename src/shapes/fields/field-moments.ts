/** Volume, centroid and spread of a field: cubes inside count whole, those at the surface by the part that is inside. */

import * as m3 from '../../math/mat3.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { diagonal, type Moments, middleOf, noMoments, square } from '../moments.ts';
import type { FieldShape } from '../shape.ts';
import { sizeOfBox } from './field.ts';

/** How often a cube is halved. With seven, about 1e-4 of the volume is uncertain. */
const LEVELS = 7;

/** @internal */
export function momentsOfField({ bounds, bound }: FieldShape): Moments {
  const middle = middleOf(bounds.min, bounds.max);
  const first = vec3();
  const spread = diagonal(0, 0, 0);
  const p = vec3();
  let volume = 0;
  // x, y, z relative to the middle, half of the side, level
  const stack = [0, 0, 0, sizeOfBox(bounds) / 2, 0];
  while (stack.length > 0) {
    const level = stack.pop()!;
    const half = stack.pop()!;
    const [z, y, x] = [stack.pop()!, stack.pop()!, stack.pop()!];
    const u = vec3(x, y, z);
    const value = bound(v3.add(middle, u, p));
    const radius = Math.sqrt(3) * half;
    if (value >= radius) continue;
    const isInside = value <= -radius;
    if (!isInside && level < LEVELS) {
      const h = half / 2;
      for (let i = 0; i < 8; i++)
        stack.push(x + (i & 1 ? h : -h), y + (i & 2 ? h : -h), z + (i & 4 ? h : -h), h, level + 1);
      continue;
    }
    // Of a cube that a plane cuts, about so much is below it.
    const part = isInside ? 1 : Math.min(1, Math.max(0, 0.5 - value / (2 * FACE * half)));
    const amount = part * 8 * half * half * half;
    volume += amount;
    v3.addScaled(first, u, amount, first);
    m3.add(spread, m3.scale(square(u), amount), spread);
    const own = (amount * half * half) / 3;
    m3.add(spread, diagonal(own, own, own), spread);
  }
  if (!(volume > 0)) return noMoments(middle);
  const centroid = v3.scale(first, 1 / volume);
  m3.add(spread, m3.scale(square(centroid), -volume), spread);
  return { volume, centroid: v3.add(middle, centroid), spread };
}

/** Half of the width of a cube of side 2, over all directions on average. */
const FACE = 1.2;
