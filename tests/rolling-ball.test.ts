/** The ball of the playground, on level sets whose shape is known. */
import { expect, test } from 'vitest';
import { RollingBall } from '../playground/src/physics/rolling-ball.ts';
import { levelSet, vec3 } from '../src/index.ts';

const bounds = { min: vec3(-4, -1, -4), max: vec3(4, 1, 4) };

test('it rolls down a slope as a ball of even mass does: five sevenths of the pull along it', () => {
  const [s, c] = [0.3, Math.sqrt(1 - 0.09)];
  const slope = levelSet(({ x, y }) => c * y + s * x, { spacing: 0.2, bounds });
  const ball = new RollingBall(0.2);
  ball.drop(vec3(-2, (2 * s + 0.2 + 2 * slope.error) / c, 0));
  // Until it has bounced enough.
  for (let i = 0; i < 200; i++) ball.step(slope, 1 / 120);
  const before = Math.hypot(ball.velocity.x, ball.velocity.y);
  for (let i = 0; i < 60; i++) ball.step(slope, 1 / 120);
  const after = Math.hypot(ball.velocity.x, ball.velocity.y);
  expect((after - before) / 0.5).toBeCloseTo((5 / 7) * 4 * s, 1);
  // No slip.
  expect(ball.spin.z * -0.2).toBeCloseTo(after, 2);
  expect(ball.rolled).toBeGreaterThan(0.1);
  expect(ball.least).toBeGreaterThan(0);
});

test('it comes to rest in a bowl, and never sinks in', () => {
  const bowl = levelSet((p) => Math.max(1 - Math.hypot(p.x, p.y - 1, p.z), p.y), { spacing: 0.1, bounds });
  const ball = new RollingBall(0.2);
  ball.drop(vec3(0.4, 0.5, 0.1));
  for (let i = 0; i < 600; i++) ball.step(bowl, 1 / 120);
  expect(ball.least).toBeGreaterThan(0);
  expect(Math.hypot(ball.pose.position.x, ball.pose.position.z)).toBeLessThan(0.6);
  expect(ball.pose.position.y).toBeGreaterThan(-1);
  expect(ball.pose.position.y).toBeLessThan(1);
});
