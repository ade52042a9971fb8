import { add, mul, type Q, q, sign } from '../../../tests/kit/exact.ts';
import { check, property } from '../../../tests/kit/index.ts';
import { addHalfAngles, firstQuarticZero, firstTop, firstZero } from './half-angle.ts';

/** The sign of c0 + c1 r + c2 r² + …, exactly. */
const signAt = (coefficients: readonly Q[], r: number): number =>
  sign(coefficients.reduceRight((sum, c) => add(mul(sum, q(r)), c)));

property('[P4] the first zero is one, and there is none before', 3000, (rng) => {
  const f = 10 ** rng.range(-9, 0);
  const b = rng.range(-1, 1) * 10 ** rng.range(-6, 0);
  const a = rng.chance(0.1) ? f / 2 : rng.range(-1, 1) * 10 ** rng.range(-6, 0);
  const r = firstZero(f, b, a);
  const c = [q(f), mul(q(2), q(b)), add(q(f), mul(q(-2), q(a)))];
  const shape = f - 2 * a;
  if (Math.abs(b * b - shape * f) < 1e-13 * b * b) return; // a graze
  if (r === Infinity) {
    for (let i = 0; i < 10; i++) check(signAt(c, 10 ** rng.range(-12, 6)) > 0, 'missed');
    return;
  }
  check(r > 0 && signAt(c, r * (1 - 1e-9)) > 0 && signAt(c, r * (1 + 1e-9)) < 0, () => `${r} is no crossing`);
  for (let i = 0; i < 5; i++) check(signAt(c, r * rng.range(0, 0.999999)) > 0, 'one before');
});

property('[P8] the top is where the derivative changes its sign', 1000, (rng) => {
  const b = 10 ** rng.range(-9, 1);
  const a = rng.range(-1, 1) * 10 ** rng.range(-9, 1);
  const r = firstTop(b, a);
  // b cos α - a sin α, times 1 + r².
  const slope = (x: number): number => b * (1 - x * x) - 2 * a * x;
  check(r > 0 && slope(r * (1 - 1e-12)) > 0 && slope(r * (1 + 1e-12)) < 0, () => `${r} is not the top`);
});

property('turning on adds angles', 500, (rng) => {
  const x = rng.range(0, 1.5);
  const y = rng.range(0, 1.5);
  const wanted = Math.tan((x + y) / 2);
  check(Math.abs(addHalfAngles(Math.tan(x / 2), Math.tan(y / 2)) - wanted) <= 1e-13 * wanted, 'not the sum');
});

property('[P5] a quartic is positive up to its first zero, and not after', 3000, (rng) => {
  const c = new Float64Array(5);
  const end = rng.pick([1, 1e-6, 0.3]);
  if (rng.chance(0.3)) {
    // Four roots, some of them close together.
    const roots = [0, 1, 2, 3].map(() => end * rng.range(0.05, 1.2) * (rng.chance(0.2) ? -1 : 1));
    if (rng.chance(0.5)) roots[1] = roots[0]! * (1 + 1e-5);
    let p = [1];
    for (const root of roots)
      p = p.map((_, i) => (i ? -p[i - 1]! / root : 0) + p[i]!).concat(-p.at(-1)! / root);
    c.set(p);
  } else for (let i = 0; i < 5; i++) c[i] = rng.range(-1, 1) / end ** i;
  c[0] = Math.abs(c[0]!);
  const r = firstQuarticZero(c, c.map(Math.abs), end);
  const exact = [...c].map((x) => q(x));
  for (let i = 0; i < 8; i++) {
    const x = Math.min(r, end) * rng.range(0, 1 - 1e-9);
    check(signAt(exact, x) > 0 || Math.abs(x - r) < 1e-7 * end, () => `not positive at ${x}, before ${r}`);
  }
  if (r > end) return;
  // Past it by a little there is a zero, or one that only just is none.
  const size = [...c].reduce((sum, x, i) => sum + Math.abs(x) * end ** i, 0);
  const at = (x: number): number => c.reduceRight((sum, k) => sum * x + k, 0);
  check(Math.abs(at(r)) <= 1e-12 * size, () => `no zero at ${r}: ${at(r)} of ${size}`);
});
