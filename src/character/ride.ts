/** Being carried by what is stood on. */
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { Character } from './character.ts';
import { type MoveContext, regather, vectorToFrame } from './move-context.ts';
import { shiftOf } from './report.ts';
import { slide } from './slide.ts';

const shift = vec3(0.5, 0.5, 0.5);

/** Moves with what it stood on. */
export function ride(move: MoveContext, hero: Character, dt: number): void {
  const { platformVelocity, floorId } = hero;
  if (!shiftOf(move, hero, floorId, move.frame, shift)) return;
  if (dt > 0) v3.scale(shift, 1 / dt, platformVelocity);
  vectorToFrame(move, shift, move.target);
  move.target.x += move.position.x;
  move.target.y += move.position.y;
  move.target.z += move.position.z;
  // The platform has moved already; the way is not barred by it.
  move.sweep.skip = floorId;
  slide(move, hero, false, false);
  move.sweep.skip = -1;
  regather(move);
}
