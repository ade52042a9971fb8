/** The cloth of the playground: what its counters say. */
import { expect, test } from 'vitest';
import { Cloth } from '../playground/src/physics/cloth.ts';

test('a cloth falls over a ball and onto itself at 30 steps a second: nothing passes through anything', () => {
  const whole = new Cloth('motion', 16);
  const ends = new Cloth('frame ends', 16);
  for (let i = 0; i < 75; i++) {
    whole.step(1 / 30);
    ends.step(1 / 30);
  }
  expect(whole.passed).toBe(0);
  expect(ends.passed).toBeGreaterThan(50);
  for (const x of whole.positions) expect(Math.abs(x)).toBeLessThan(4);
  // It came down, and it moves still or lies: it was not held where it was.
  expect(Math.min(...whole.positions)).toBeLessThan(-0.8);
});
