/**
 * What GJK knows of many pairs. RTCD §9.5.5.
 *
 * For many pairs that are asked frame after frame. Production keeps nothing between questions.
 */

import type { GjkState } from '../../convex/gjk-state.ts';
import { makeGjkState } from '../../convex/gjk-state.ts';
import { describe, refuse } from '../../math/check.ts';

const MOST = 1 << 24;

/**
 * A state for each pair of bodies that are told apart by whole numbers, in a table of a fixed size: pairs that fall on the
 * same place share it, and the later one drives the other out. Nothing depends on what is found there but the time.
 */
export class GjkCache {
  readonly #states: (GjkState | undefined)[];

  /** Room for that many pairs, rounded up to a power of two. A pair takes about a kilobyte once it has been asked for. */
  constructor(capacity = 4096) {
    if (!(capacity >= 1 && capacity <= MOST))
      refuse('GjkCache', 'capacity', `must be 1 … 2^24, got ${describe(capacity)}`);
    const bits = 32 - Math.clz32(Math.ceil(capacity) - 1);
    this.#states = new Array<GjkState | undefined>(1 << bits).fill(undefined);
  }

  /** The state of a pair. The order matters: a state belongs to the first body and the second. */
  of(idA: number, idB: number): GjkState {
    let hash = Math.imul(idA, 0x9e3779b1) ^ Math.imul(idB, 0x85ebca6b);
    hash ^= hash >>> 15;
    const slot = (Math.imul(hash, 0x2c1b3c6d) >>> 8) & (this.#states.length - 1);
    const known = this.#states[slot];
    if (known) return known;
    const fresh = makeGjkState();
    this.#states[slot] = fresh;
    return fresh;
  }

  /** Forgets everything. */
  clear(): void {
    this.#states.fill(undefined);
  }
}
