/** Who was seen already in this search: a mark for each thing, forgotten all at once. RTCD §7.7.2, §7.7.3. */
import { describe, mustBeWhole, refuse, refuseType } from '../math/check.ts';

/**
 * Marks for things 0 to size - 1. A mark is the number of its search in a few bits, so that a new search begins without
 * clearing any. These numbers come round again after `period` searches: each search also clears one of `period` blocks, so
 * that no mark is ever as old as that. A search that begins inside another one needs marks of its own: `Mailboxes`.
 */
export class Stamps {
  readonly size: number;
  /** Numbers of searches run from 1 to this; 0 is no mark. */
  private readonly period: number;
  private readonly block: number;
  private readonly marks: Uint8Array | Uint16Array | Uint32Array;
  private current = 1;

  /** `bits`: 8, 16 or 32 for each thing. With 8, a new search clears a 255th of all. Default: 32. */
  constructor(size: number, bits: 8 | 16 | 32 = 32) {
    mustBeWhole('Stamps', 'size', size, 0, 0xffffffff);
    if (bits !== 8 && bits !== 16 && bits !== 32)
      refuse('Stamps', 'bits', `must be 8, 16 or 32, got ${describe(bits)}`);
    const Marks = bits === 8 ? Uint8Array : bits === 16 ? Uint16Array : Uint32Array;
    this.size = size;
    this.marks = new Marks(size);
    this.period = bits === 32 ? 0xffffffff : (1 << bits) - 1;
    this.block = Math.ceil(size / this.period);
  }

  /** Forgets all marks. */
  next(): void {
    this.current = this.current === this.period ? 1 : this.current + 1;
    // The block is as old as the number that now begins anew: no mark of it can have survived.
    const from = (this.current - 1) * this.block;
    if (from < this.size) this.marks.fill(0, from, from + this.block);
  }

  /** Marks thing i. Was it not marked before? */
  mark(i: number): boolean {
    if (this.marks[i] === this.current) return false;
    this.marks[i] = this.current;
    return true;
  }

  /** Is thing i marked? */
  has(i: number): boolean {
    return this.marks[i] === this.current;
  }
}

/** Marks for searches that may begin inside of others. RTCD calls a mark of a ray in an object its mailbox. */
export class Mailboxes {
  private readonly size: number;
  private readonly bits: 8 | 16 | 32;
  private readonly spare: Stamps[] = [];

  /** For things 0 to size - 1. `bits`: as of `Stamps`. Default: 32. */
  constructor(size: number, bits: 8 | 16 | 32 = 32) {
    this.size = size;
    this.bits = bits;
    this.spare.push(new Stamps(size, bits));
  }

  /** Marks without any set. Give them back at the end of the search. */
  take(): Stamps {
    const stamps = this.spare.pop() ?? new Stamps(this.size, this.bits);
    stamps.next();
    return stamps;
  }

  give(stamps: Stamps): void {
    if (!(stamps instanceof Stamps))
      refuseType('Mailboxes.give', 'stamps', 'the Stamps that were taken', stamps);
    this.spare.push(stamps);
  }
}
