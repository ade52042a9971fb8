import { describe, expect, test } from 'vitest';
import { check, property } from '../../../tests/kit/index.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { sweepByAdvancement, sweepByHalving, sweepBySamples } from './search.ts';

/** A ball on a line against a ball: the closed form, by the quadratic equation. */
function closedForm(m: number[], v: number[], r: number): number | null {
  const dot = (a: number[], b: number[]): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
  const c = dot(m, m) - r * r;
  if (c <= 0) return 0;
  const b = dot(m, v);
  const root = b * b - dot(v, v) * c;
  if (root < 0 || b >= 0) return null;
  const t = c / (Math.sqrt(root) - b);
  return t <= 1 ? t : null;
}

describe('searches in time', () => {
  property('[R5.5.1] halving finds what the closed form finds, within epsilon', 10_000, (rng) => {
    const [m, v, r] = [rng.vec(3), rng.vec(6), rng.range(0.1, 1)];
    const speed = v3.length(v);
    const distance = (t: number): number => v3.length(v3.addScaled(m, v, t)) - r;
    const epsilon = 10 ** rng.range(-8, -2);
    const hit = sweepByHalving((a, b) => (b - a) * speed, distance, epsilon);
    const exact = closedForm([m.x, m.y, m.z], [v.x, v.y, v.z], r);
    check(hit === null || !hit.capped, 'capped');
    if (exact !== null) check(hit !== null && hit.t <= exact + 1e-15, 'late');
    if (hit === null) return;
    // At the time found the distance is at most the movement of an interval; so it is for the ball grown by that.
    check(distance(hit.t) <= speed * epsilon + 1e-15, 'neither a contact nor a near miss');
    const grown = closedForm([m.x, m.y, m.z], [v.x, v.y, v.z], r + speed * epsilon)!;
    check(hit.t >= grown - epsilon, () => `early: ${hit.t}, ${exact}, ${grown}`);
  });

  property('[R5.5.1] conservative advancement stops within the tolerance, never late', 10_000, (rng) => {
    const [m, v, r] = [rng.vec(3), rng.vec(6), rng.range(0.1, 1)];
    const distance = (t: number): number => v3.length(v3.addScaled(m, v, t)) - r;
    const tolerance = 10 ** rng.range(-8, -2);
    const hit = sweepByAdvancement(distance, v3.length(v), tolerance);
    const exact = closedForm([m.x, m.y, m.z], [v.x, v.y, v.z], r);
    if (exact !== null) check(hit !== null && hit.t <= exact + 1e-15, 'late');
    if (hit !== null && !hit.capped) check(distance(hit.t) <= tolerance, 'early');
  });

  property('[R5.5.0] samples lose no contact, however thin', 10_000, (rng) => {
    // A point that runs through time unevenly, along x from 0 to 10, and a sliver across its way or beside it.
    const power = rng.int(1, 5);
    const at = (t: number): number => 10 * t ** power;
    const place = rng.range(-1, 11);
    const beside = rng.chance(0.5) ? 0 : rng.range(0, 0.3);
    const margin = rng.range(0.01, 2);
    let samples = 0;
    const hit = sweepBySamples(
      (a, b) => at(b) - at(a),
      (t, grown) => {
        samples++;
        return Math.hypot(at(t) - place, beside) <= grown;
      },
      margin,
    );
    const touches = beside === 0 && place >= 0 && place <= 10;
    if (touches) check(hit !== null && at(hit.t) <= place + 1e-12, 'lost or late');
    if (hit)
      check(
        Math.hypot(Math.max(0, at(hit.t) - place, place - at(hit.t) - 2 * margin), beside) <= margin,
        'too far off',
      );
    // Spaced by movement: a constant times as many as the way needs, though most of the time hardly anything moves.
    check(samples <= 2 + (4 * 10) / (2 * margin), () => `${samples} samples for a margin of ${margin}`);
  });

  test('[R5.5.0] a sliver between samples that overlap each other is found', () => {
    const moving = { radius: 1, speed: 10 };
    const sliver = vec3(4.5, 0.999, 0);
    // Samples a little less than a diameter apart leave the sliver, just inside the swept tube, in the notch.
    const plain = [0.1, 1.9, 3.7, 5.5, 7.3, 9.1].some((x) => v3.distance(vec3(x), sliver) <= moving.radius);
    expect(plain).toBe(false);
    const hit = sweepBySamples(
      (a, b) => (b - a) * moving.speed,
      (t, margin) => v3.distance(vec3(t * moving.speed), sliver) <= moving.radius + margin,
      0.9,
    )!;
    expect(hit.t * moving.speed).toBeLessThanOrEqual(4.5 + Math.sqrt(1 - 0.999 ** 2));
  });

  test('[R5.5.1] the earlier of two contacts is found', () => {
    const distance = (t: number): number => Math.min(Math.abs(t - 0.3), Math.abs(t - 0.7)) - 1e-3;
    expect(sweepByHalving((a, b) => b - a, distance, 1e-9)!.t).toBeCloseTo(0.299, 8);
    expect(sweepByAdvancement(distance, 1, 1e-12)!.t).toBeCloseTo(0.299, 11);
  });

  test('[R5.5.1] a slide along a surface at a small distance is bounded, and reported as such', () => {
    let calls = 0;
    const slide = (): number => {
      calls++;
      return 1e-7;
    };
    const hit = sweepByHalving((a, b) => b - a, slide, 1e-9, 500)!;
    expect(hit.capped).toBe(true);
    expect(calls).toBeLessThanOrEqual(501);
    // All before t was free.
    expect(hit.t).toBeGreaterThan(0);
    expect(hit.t).toBeLessThan(1);
    const advance = sweepByAdvancement(slide, 1, 1e-8, 500)!;
    expect(advance.capped).toBe(true);
    expect(advance.t).toBeCloseTo(499e-7, 12);
    // With an epsilon above the distance it is taken for a contact instead.
    expect(sweepByHalving((a, b) => b - a, slide, 1e-6)).toMatchObject({ t: 0, capped: false });
  });

  test('[R5.5.0] a bound that does not shrink is not trusted', () => {
    const hit = sweepBySamples(
      (a, b) => (a < 0.5 && b >= 0.5 ? 5 : b - a),
      () => false,
      1,
    )!;
    expect(hit.capped).toBe(true);
    expect(hit.t).toBeLessThan(0.5);
  });

  test('a start in touch, and no motion', () => {
    expect(
      sweepByHalving(
        () => 0,
        () => -1,
      ),
    ).toMatchObject({ t: 0, capped: false });
    expect(
      sweepByHalving(
        () => 0,
        () => 1,
      ),
    ).toBeNull();
    expect(sweepByAdvancement(() => 1, 0, 1e-9)).toBeNull();
    expect(
      sweepBySamples(
        () => 0,
        () => false,
        1,
      ),
    ).toBeNull();
    expect(
      sweepBySamples(
        () => 0,
        () => true,
        1,
      ),
    ).toMatchObject({ t: 0, steps: 1 });
  });

  test('what is not a number is named', () => {
    expect(() =>
      sweepByHalving(
        () => 0,
        () => Number.NaN,
      ),
    ).toThrow(/distance/);
    expect(() =>
      sweepByHalving(
        () => Number.NaN,
        () => 1,
      ),
    ).toThrow(/movement/);
    expect(() =>
      sweepByHalving(
        () => 0,
        () => 1,
        0,
      ),
    ).toThrow(/epsilon/);
    expect(() =>
      sweepBySamples(
        () => 0,
        () => true,
        -1,
      ),
    ).toThrow(/margin/);
    expect(() => sweepByAdvancement(() => 0, Number.NaN, 1)).toThrow(/maxSpeed/);
    expect(() => sweepByAdvancement(() => 0, 1, 1, 0)).toThrow(/maxSteps/);
  });
});
