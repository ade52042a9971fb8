/** Being carried by what is stood on. */
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Character } from './character.ts';
import { wanted } from './move.ts';
import { shiftOf } from './report.ts';
import { slide } from './slide.ts';
import { frame, here, regather, sweep, vectorToFrame } from './stage.ts';

const shift = vec3(0.5, 0.5, 0.5);

/** Moves with what it stood on. */
export function ride(hero: Character, dt: number): void {
  const { platformVelocity, floorId } = hero;
  if (!shiftOf(hero, floorId, frame, shift)) return;
  if (dt > 0) v3.scale(shift, 1 / dt, platformVelocity);
  vectorToFrame(shift, wanted);
  wanted.x += here.x;
  wanted.y += here.y;
  wanted.z += here.z;
  // The platform has moved already; the way is not barred by it.
  sweep.skip = floorId;
  slide(hero, false, false);
  sweep.skip = -1;
  regather();
}
