import { expect, test } from 'vitest';
import { check, property } from '../../tests/kit/index.ts';
import { Mailboxes, Stamps } from './stamps.ts';

test('[R7.7.2-3] Stamps of 8 bits: in 60,000 sparse searches nothing is seen that was not (Trap 10)', () => {
  for (const size of [0, 1, 7, 254, 255, 256, 1000, 2551]) {
    const stamps = new Stamps(size, 8);
    for (let search = 0; search < 60_000; search++) {
      stamps.next();
      if (size === 0) continue;
      // Few things, and of patterns that come back with the period of the marks and with its neighbours.
      const seen = new Set<number>();
      for (let k = 0; k < 3; k++) {
        const i = Math.imul(search % (253 + k), 7919) % size;
        if (stamps.has(i) !== seen.has(i))
          throw new Error(`${i} of ${size} in search ${search}: ${seen.has(i)}`);
        if (stamps.mark(i) === seen.has(i)) throw new Error('mark and has differ');
        if (!stamps.has(i) || stamps.mark(i)) throw new Error('a mark is lost');
        seen.add(i);
      }
    }
  }
});

property('[R7.7.2-3] Stamps: as a set that is emptied', 60, (rng) => {
  const bits = rng.pick([8, 16, 32] as const);
  const stamps = new Stamps(300, bits);
  const set = new Set<number>();
  for (let step = 0; step < 3000; step++) {
    if (rng.chance(0.5)) {
      stamps.next();
      set.clear();
    }
    const i = rng.int(0, 299);
    check(stamps.has(i) === set.has(i), 'has');
    check(stamps.mark(i) === !set.has(i), 'mark');
    set.add(i);
  }
});

test('[R7.7.2-3] a search clears a block, and no more', () => {
  const stamps = new Stamps(25_500, 8);
  const { marks } = stamps as unknown as { marks: Uint8Array };
  let cleared = 0;
  const fill = marks.fill.bind(marks);
  marks.fill = (value, from = 0, to = marks.length) => {
    cleared += Math.min(to, marks.length) - from;
    return fill(value, from, to);
  };
  for (let search = 0; search < 255; search++) stamps.next();
  expect(cleared).toBe(25_500);
});

test('[R7.7.2-3] Mailboxes: a search inside of another one has marks of its own', () => {
  const mail = new Mailboxes(10);
  const outer = mail.take();
  outer.mark(3);
  for (let round = 0; round < 3; round++) {
    const inner = mail.take();
    expect(inner.has(3)).toBe(false);
    inner.mark(4);
    mail.give(inner);
  }
  expect(outer.has(3)).toBe(true);
  expect(outer.has(4)).toBe(false);
  mail.give(outer);
  expect(() => new Stamps(-1)).toThrow(/size/);
  expect(() => new Stamps(4, 7 as 8)).toThrow(/bits/);
});
