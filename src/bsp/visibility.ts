/**
 * Which leaves can see each other, through portals. Teller, Visibility Computations in Densely Occluded Polyhedral Environments
 * (1992), §4, §6.
 *
 * A line of sight leaves its leaf through a first portal, the source, goes on through others, and has come through some last one, the
 * pass. A plane with an edge of one and a corner of the other, the source behind it and the pass in front, has all that such lines
 * reach beyond the pass in front of it. What these separating planes leave of the next portal is a pass in its turn.
 *
 *       source  pass       next
 *      ────┐             │ hidden
 *          │    │   ∕ ∕ ∕ ├─────
 *          │ ∕ ∕│  ∕      │ may be seen
 *          │    │ ∖ ∖ ∖ ∖ ├─────
 *      ────┘             │ hidden
 *
 * There may be more ways from leaf to leaf than can be counted. So they are not told apart: for each portal one convex part is kept
 * that holds all that any way leaves of it, and the portal is gone on from again only when that part has grown.
 */
import { mustBeWhole, mustHave, refuseType } from '../math/check.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { QUERY_THICKNESS } from './bsp-tree.ts';
import { type Door, type Doors, doorsOf, isAhead } from './doors.ts';
import type { BspPortal } from './portals.ts';
import { SOLID, type SolidBsp, TOO_THIN } from './solid-bsp.ts';
import { clipBySeparators, Winding } from './winding.ts';

/** Which leaves can see each other. */
export interface BspVisibility {
  readonly leafCount: number;
  /** `words` numbers of 32 bits a leaf: bit b of leaf a says whether b may be seen from a. */
  readonly words: number;
  readonly bits: Uint32Array;
}

/**
 * For each leaf the leaves that may be seen from it. Never too few: if any two points of two leaves see each other, the leaves do,
 * but for lines of sight that pass an edge of a portal within the thickness of the planes. It may be too many. About O(portals ×
 * portals seen from each): a minute or two for a level of a thousand leaves, so to be done once and stored.
 */
export function visibleLeavesBsp(bsp: SolidBsp, portals: readonly BspPortal[]): BspVisibility {
  mustHave('visibleLeavesBsp', 'bsp', bsp, 'a solid-leaf BSP tree', 'leafKinds');
  const { leafCount, leafKinds, unsureLeaves } = bsp;
  const sight = new Sight(bsp, doorsOf('visibleLeavesBsp', bsp, portals));
  for (let leaf = 0; leaf < leafCount; leaf++) if (leafKinds[leaf] !== SOLID) sight.lookFrom(leaf);
  const { words, bits } = sight;
  // What is too thin to have all of its portals may see anything.
  for (let a = 0; a < leafCount; a++)
    for (let b = 0; b < leafCount; b++)
      if ((unsureLeaves[a]! & TOO_THIN) > 0 && leafKinds[a] !== SOLID && leafKinds[b] !== SOLID) {
        setBit(bits, words, a, b);
        setBit(bits, words, b, a);
      }
  return { leafCount, words, bits };
}

/** May leaf b be seen from leaf a? O(1). */
export function canSeeBsp(visibility: BspVisibility, a: number, b: number): boolean {
  mustHave('canSeeBsp', 'visibility', visibility, 'what visibleLeavesBsp gives', 'words');
  const { leafCount, words, bits } = visibility;
  mustBeWhole('canSeeBsp', 'visibility.leafCount', leafCount, 1, Infinity);
  mustBeWhole('canSeeBsp', 'visibility.words', words, 1, Infinity);
  if (!(bits instanceof Uint32Array && bits.length === words * leafCount))
    refuseType('canSeeBsp', 'visibility', 'what visibleLeavesBsp gives', visibility);
  mustBeWhole('canSeeBsp', 'a', a, 0, leafCount - 1);
  mustBeWhole('canSeeBsp', 'b', b, 0, leafCount - 1);
  return isMarked(bits, words, a, b);
}

const isMarked = (bits: Uint32Array, words: number, a: number, b: number): boolean =>
  ((bits[words * a + (b >>> 5)]! >>> (b & 31)) & 1) === 1;

const setBit = (bits: Uint32Array, words: number, a: number, b: number): void => {
  bits[words * a + (b >>> 5)]! |= 1 << (b & 31);
};

/** What is known of a door as it is seen from the current source. */
class Seen {
  /** The part of the door that holds all that is seen of it; nothing as long as its count is 0. */
  readonly part = new Winding();
  /** The part is all of the door that faces the source. */
  isWhole = false;
  /** How often the part has grown after it was gone on from. */
  growth = 0;
  isWaiting = false;
  /** How far the door is from the source: near ones come first, so that little grows later. */
  distance = 0.5;
}

/** A part that has grown so often becomes the whole: each time all beyond is looked at again. */
const MOST_GROWTH = 3;
const HIDDEN = -1;

/** Looks from leaves through doors. @internal */
export class Sight {
  readonly words: number;
  /** As in `BspVisibility`; of leaves that have been looked from. */
  readonly bits: Uint32Array;
  private readonly lookedFrom: number[] = [];
  private readonly doors: Doors;
  private readonly thickness: number;
  /** 1 for leaves that do not see the one that is looked from: no line of sight passes them. */
  private readonly isBlind: Uint8Array;
  /** For each door the place of its record in `pool`, which begins anew for each source; 0 for none, `HIDDEN` if it turns away. */
  private readonly places: Int32Array;
  private readonly pool: Seen[] = [new Seen()];
  private used = 1;
  private readonly touched: number[] = [];
  private readonly queue: Door[] = [];
  private readonly from = new Winding();
  private readonly piece = new Winding();

  constructor(bsp: SolidBsp, doors: Doors) {
    this.doors = doors;
    this.thickness = QUERY_THICKNESS * bsp.thickness;
    this.words = (bsp.leafCount + 31) >>> 5;
    this.bits = new Uint32Array(this.words * bsp.leafCount);
    this.isBlind = new Uint8Array(bsp.leafCount);
    this.places = new Int32Array(this.doors.all.length);
  }

  /** Sets the bits of the leaves that may be seen from one, itself included. */
  lookFrom(leaf: number): void {
    const { words, bits, isBlind, lookedFrom } = this;
    for (const other of lookedFrom) isBlind[other] = +!isMarked(bits, words, other, leaf);
    setBit(bits, words, leaf, leaf);
    for (const door of this.doors.from[leaf]!) this.lookThrough(door, leaf);
    // Seeing is mutual: what one side rules out, the other does too.
    for (const other of lookedFrom)
      if (!isMarked(bits, words, leaf, other)) bits[words * other + (leaf >>> 5)]! &= ~(1 << (leaf & 31));
    lookedFrom.push(leaf);
  }

  private lookThrough(source: Door, leaf: number): void {
    const { doors, queue, places, touched, from, words, bits } = this;
    for (const number of touched) places[number] = 0;
    touched.length = 0;
    this.used = 1;
    setBit(bits, words, leaf, source.to);
    for (const next of doors.from[source.to]!) this.lookAt(source, null, next);
    while (queue.length > 0) {
      const door = this.takeNearest();
      const record = this.record(door);
      record.isWaiting = false;
      setBit(bits, words, leaf, door.to);
      // What of the source is behind the door.
      v3.negate(door.normal, backward);
      if (!from.set(source.points).clip(backward, -door.d - this.thickness)) continue;
      for (const next of doors.from[door.to]!)
        if (next.number !== (door.number ^ 1)) this.lookAt(source, record.part, next);
    }
  }

  private takeNearest(): Door {
    const { queue } = this;
    let best = 0;
    for (let i = 1; i < queue.length; i++)
      if (this.record(queue[i]!).distance < this.record(queue[best]!).distance) best = i;
    const door = queue[best]!;
    queue[best] = queue[queue.length - 1]!;
    queue.length--;
    return door;
  }

  private record(door: Door): Seen {
    return this.pool[this.places[door.number]!]!;
  }

  /** Through a part of a door, or straight from the source, at the next door. */
  private lookAt(source: Door, pass: Winding | null, next: Door): void {
    const { places, piece, thickness, from } = this;
    let place = places[next.number]!;
    if (place === HIDDEN || this.isBlind[next.to]! > 0) return;
    const isNew = place === 0;
    if (!isNew && this.pool[place]!.isWhole) return;
    // What of the door is in front of the source.
    if (
      (isNew && !isAhead(source, next, thickness)) ||
      !piece.set(next.points).clip(source.normal, source.d - thickness)
    ) {
      if (isNew) {
        places[next.number] = HIDDEN;
        this.touched.push(next.number);
      }
      return;
    }
    piece.isCut = false;
    if (pass !== null && !clipBySeparators(from, pass, piece, thickness)) return;
    if (isNew) {
      place = this.used++;
      this.pool[place] ??= new Seen();
      places[next.number] = place;
      this.touched.push(next.number);
    }
    const seen = this.pool[place]!;
    const { part } = seen;
    if (isNew) {
      part.copy(piece);
      seen.growth = 0;
      seen.isWaiting = false;
      seen.distance = v3.distance(next.center, source.center);
    } else if (!part.growBy(piece, next.normal, thickness)) return;
    else if (!seen.isWaiting) seen.growth++;
    seen.isWhole = !piece.isCut || seen.growth === MOST_GROWTH || part.count === 0;
    if (seen.isWhole) part.set(next.points).clip(source.normal, source.d - thickness);
    if (seen.isWaiting) return;
    seen.isWaiting = true;
    this.queue.push(next);
  }
}

const backward = vec3();
