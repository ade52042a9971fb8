import { check, property } from '../../tests/kit/index.ts';
import { PairSet } from './pair-set.ts';

property('PairSet: as a set of pairs', 120, (rng) => {
  const n = rng.pick([3, 9, 60]);
  const pairs = new PairSet();
  const set = new Set<number>();
  const keyOf = (a: number, b: number) => Math.min(a, b) * 1000 + Math.max(a, b);
  for (let step = 0; step < 800; step++) {
    const a = rng.int(0, n - 1);
    const b = (a + rng.int(1, n - 1)) % n;
    check(pairs.has(a, b) === set.has(keyOf(a, b)), 'has');
    if (rng.chance(0.6)) {
      pairs.add(a, b);
      set.add(keyOf(a, b));
    } else {
      pairs.delete(a, b);
      set.delete(keyOf(a, b));
    }
    if (rng.chance(0.01)) {
      const marks = Uint8Array.from({ length: n }, () => +rng.chance(0.2));
      pairs.deleteMarked(marks);
      for (const key of [...set]) if (marks[Math.floor(key / 1000)] || marks[key % 1000]) set.delete(key);
    }
    if (rng.chance(0.005)) {
      const all = [...set].slice(0, 5);
      set.clear();
      for (const key of all) set.add(key);
      pairs.replace(Int32Array.from(all.flatMap((key) => [key % 1000, Math.floor(key / 1000)])), all.length);
    }
    if (rng.chance(0.002)) {
      pairs.clear();
      set.clear();
    }
    check(pairs.count === set.size, 'count');
  }
  for (let i = 0; i < pairs.count; i++)
    check(
      pairs.ids[2 * i]! < pairs.ids[2 * i + 1]! && set.has(keyOf(pairs.ids[2 * i]!, pairs.ids[2 * i + 1]!)),
      'ids',
    );
});
