/** What a character is made with. */
import type { ReadonlyVec3 } from '../math/types.ts';
import type { CharacterCollision } from './collision.ts';
import type { CharacterShape } from './form.ts';

export interface CharacterSettings {
  /** Where its centre is at first. */
  readonly position?: ReadonlyVec3;
  /** Unit vector away from the ground; (0, 1, 0) unless told otherwise. */
  readonly up?: ReadonlyVec3;
  /** How high a step it takes; 0.3 unless told otherwise. */
  readonly stepHeight?: number;
  /** The steepest ground that it walks on, in radians from level; 0.8 unless told otherwise. */
  readonly slopeLimit?: number;
  /** How far down it follows the ground when it walks; `stepHeight` unless told otherwise. */
  readonly snapDistance?: number;
  /** The distance that it keeps from everything; a hundredth of its smallest half size unless told otherwise. */
  readonly gap?: number;
  /** How far it lets itself be pushed out of something in one move; its largest size unless told otherwise. */
  readonly maxRecovery?: number;
  /** For the impulses of collisions; 1 unless told otherwise. */
  readonly mass?: number;
  /** Bits of the groups that it is in (1) and meets (all). */
  readonly group?: number;
  readonly mask?: number;
  /** It does not meet colliders of this owner: those that are parts of itself. */
  readonly owner?: number;
  /** Asked for every collider near; false passes it over. It may move other characters. */
  readonly filter?: (id: number) => boolean;
  /** Called after a move for each collision, in order: to push what was run into. */
  readonly onCollision?: (collision: CharacterCollision) => void;
}

export type CharacterOptions = CharacterShape & CharacterSettings;

/** The names of them. @internal */
export const CHARACTER_OPTIONS =
  'radii radius halfHeight halfSize position up stepHeight slopeLimit snapDistance gap maxRecovery mass group mask ' +
  'owner filter onCollision';
