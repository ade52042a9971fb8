/** Each setting does what it says: as it is by default, and on both sides of its limit. */
import { describe, expect, test } from 'vitest';
import { DT, ground, heightOf, land, quad, run, SHAPES, spawn } from '../../tests/kit/character-setups.ts';
import { addTo, makeLevel } from '../../tests/kit/characters.ts';
import { box, halfSpace, sphere } from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import type { CharacterOptions } from './index.ts';

describe.each(SHAPES)('%s', (_, shape) => {
  const h = heightOf(shape);
  const least = 'radius' in shape ? shape.radius : ('radii' in shape ? shape.radii : shape.halfSize).x;

  /** Of the centre above level ground. */
  const stand = h + ('radii' in shape ? h : least) / 100;

  /** The height of the centre after walking up to a step, and on. */
  function climb(height: number, more: Partial<CharacterOptions> = {}): number {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 20)));
    addTo(level, box(3, height / 2, 3), { x: 4.5, y: height / 2, z: 0 });
    const hero = spawn(level, shape, [0, h * 1.02, 0], more);
    land(hero);
    const from = hero.position.y;
    run(hero, 4, 0, 60);
    // It has gone all the way, or has stopped at the step.
    const rise = hero.position.y - from;
    if (rise > 0.01) expect(hero.position.x).toBeCloseTo(4, 2);
    else expect(Math.abs(hero.position.x - 1.5 + 0.5 * least)).toBeLessThan(0.51 * least + 1e-6);
    return rise;
  }

  test('steps of 0.3 are taken by default, higher ones are not; likewise with another stepHeight', () => {
    expect(climb(0.299)).toBeCloseTo(0.299, 3);
    expect(climb(0.33)).toBeCloseTo(0, 9);
    expect(climb(0.33, { stepHeight: 0.34 })).toBeCloseTo(0.33, 3);
    expect(climb(0.25, { stepHeight: 0.2 })).toBeCloseTo(0, 9);
    expect(climb(0.25, { stepHeight: 0 })).toBeCloseTo(0, 9);
  });

  /** Is the ground followed down a step? */
  function follows(height: number, more: Partial<CharacterOptions> = {}): boolean {
    const level = makeLevel();
    addTo(level, mesh(ground(-height, 20)));
    addTo(level, box(3, height / 2, 3), { x: -1, y: -height / 2, z: 0 });
    // All of it has left the edge after the first frame.
    const hero = spawn(level, shape, [2 - 0.01 * least, stand, 0], more);
    hero.velocity.y = -0.1;
    hero.moveAndSlide(DT);
    expect(hero.onFloor).toBe(true);
    run(hero, 60 * (1.1 * least), 0, 1);
    return hero.onFloor && Math.abs(hero.position.y + height - stand) < 1e-3 * h;
  }

  test('the ground is followed down by stepHeight by default, or by snapDistance', () => {
    expect(follows(0.29)).toBe(true);
    expect(follows(0.33)).toBe(false);
    expect(follows(0.44, { stepHeight: 0.45 })).toBe(true);
    expect(follows(0.44, { snapDistance: 0.45 })).toBe(true);
    expect(follows(0.2, { snapDistance: 0.15 })).toBe(false);
  });

  test('slopes up to 0.8 are ground by default, steeper ones are not; likewise with another slopeLimit', () => {
    const stands = (slope: number, more: Partial<CharacterOptions> = {}): boolean => {
      const level = makeLevel();
      addTo(level, halfSpace({ x: Math.sin(slope), y: Math.cos(slope), z: 0 }));
      const hero = spawn(level, shape, [0, 1.3 * h + 0.6, 0], more);
      for (let i = 0; i < 120; i++) run(hero, 0, 0, 1);
      return hero.onFloor;
    };
    expect(stands(0.799)).toBe(true);
    expect(stands(0.802)).toBe(false);
    expect(stands(0.399, { slopeLimit: 0.4 })).toBe(true);
    expect(stands(0.402, { slopeLimit: 0.4 })).toBe(false);
  });

  test('the gap is a hundredth of the smallest half size by default, and as wide as it is told', () => {
    for (const [gap, wide] of [
      [undefined, least / 100],
      [least / 20, least / 20],
    ] as const) {
      const level = makeLevel();
      addTo(level, halfSpace({ x: -1, y: 0, z: 0 }, -3));
      const hero = spawn(level, shape, [0, 0, 0], gap === undefined ? {} : { gap });
      hero.velocity.x = 10;
      hero.moveAndSlide(1);
      expect(hero.position.x).toBeCloseTo(3 - least - wide, 8);
    }
  });

  test('impulses are closing speed times mass; 1 by default', () => {
    for (const [mass, factor] of [
      [undefined, 1],
      [7, 7],
    ] as const) {
      const level = makeLevel();
      addTo(level, halfSpace({ x: -0.8, y: 0, z: 0.6 }, -3));
      const hero = spawn(level, shape, [0, 0, 0], mass === undefined ? {} : { mass });
      hero.velocity.x = 10;
      hero.moveAndSlide(1);
      expect(hero.collisions[0]!.impulse).toBeCloseTo(8 * factor, 9);
    }
  });

  test('it is pushed out by its largest size by default, or by maxRecovery, and no farther', () => {
    // The centre at a depth in a wall.
    const pushed = (depth: number, more: Partial<CharacterOptions> = {}): boolean => {
      const level = makeLevel();
      addTo(level, halfSpace({ x: 1, y: 0, z: 0 }));
      const hero = spawn(level, shape, [-depth, 0, 0], more);
      hero.moveAndSlide(DT);
      expect(hero.stuck).toBe(hero.recovered === 0);
      if (!hero.stuck) expect(hero.recovered).toBeCloseTo(depth + 1.01 * least, 5);
      return !hero.stuck;
    };
    expect(pushed(1.9 * h - 1.01 * least)).toBe(true);
    expect(pushed(2.1 * h - 1.01 * least)).toBe(false);
    expect(pushed(0, { maxRecovery: 1.1 * least })).toBe(true);
    expect(pushed(0, { maxRecovery: 0.9 * least })).toBe(false);
  });

  test('after a teleport it stands on nothing, until it moves', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 20)));
    const hero = spawn(level, shape, [0, h * 1.02, 0]);
    land(hero);
    expect(hero.floorId).toBe(0);
    hero.teleport({ x: 1, y: 9, z: 0 });
    expect([hero.onFloor, hero.floorId]).toEqual([false, -1]);
  });

  test('after a resize it meets everything with its new size: spheres too', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 20)));
    addTo(level, sphere(0.5), { x: 3, y: h, z: 0 });
    addTo(level, box(0.5, 0.5, 0.5), { x: 3, y: h, z: 9 });
    const k = 0.5;
    const small =
      'radius' in shape
        ? { radius: k * shape.radius, halfHeight: shape.halfHeight }
        : 'radii' in shape
          ? { radii: { x: k * shape.radii.x, y: shape.radii.y, z: k * shape.radii.z } }
          : { halfSize: { x: k * shape.halfSize.x, y: shape.halfSize.y, z: k * shape.halfSize.z } };
    for (const z of [0, 9]) {
      const hero = spawn(level, shape, [0, h * 1.02, z]);
      land(hero);
      run(hero, 4, 0, 60);
      const before = hero.position.x;
      expect(hero.resize(small)).toBe(true);
      run(hero, 4, 0, 60);
      // On the axis of the sphere, and flat on the box, it comes nearer by what it is thinner.
      expect(hero.position.x - before).toBeCloseTo((1 - k) * least, 1);
      expect(hero.onWall).toBe(true);
    }
  });

  test('a shape that is refused changes nothing', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 20)));
    const hero = spawn(level, shape, [0, h * 1.02, 0]);
    land(hero);
    const { y } = hero.position;
    for (const bad of [
      { radii: { x: 1, y: 0, z: 1 } },
      { radius: 0, halfHeight: 1 },
      { radius: Number.NaN, halfHeight: 1 },
      { radius: -1, halfHeight: 1 },
      { radius: 1, halfHeight: -1 },
      { halfSize: { x: 1, y: Number.NaN, z: 1 } },
      {},
    ])
      expect(() => hero.resize(bad as never)).toThrow(/Character.resize/);
    run(hero, 1, 0, 60);
    expect(hero.position.x).toBeCloseTo(1, 9);
    expect(hero.position.y).toBeCloseTo(y, 9);
  });

  test('two walls of one mesh are two collisions, each with its own triangle; the same wall twice is one', () => {
    const level = makeLevel();
    addTo(
      level,
      mesh([
        ...quad([3, -9, -9], [3, 9, -9], [3, 9, 9], [3, -9, 9]),
        ...quad([-9, -9, 3], [-9, 9, 3], [9, 9, 3], [9, -9, 3]),
      ]),
    );
    const hero = spawn(level, shape, [0, 0, 0]);
    Object.assign(hero.velocity, { x: 8, y: 0, z: 7 });
    hero.moveAndSlide(1);
    expect(hero.collisions.map(({ triangle }) => triangle >> 1)).toEqual([0, 1]);
    expect(hero.collisions.map(({ normal: { x, z } }) => [Math.round(x) + 0, Math.round(z) + 0])).toEqual([
      [-1, 0],
      [0, -1],
    ]);
  });

  test('what lands in the middle of a move walks for the rest of it: up a step, over an edge, along a slope', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 20)));
    addTo(level, box(1, 0.1, 9), { x: 3, y: 0.1, z: 0 });
    const fall = { x: 8, y: -4, z: 0 };
    // Up the step within the same move, and down from it at its end.
    for (const [dt, height] of [
      [0.4, 0.2],
      [0.8, 0],
    ] as const) {
      const hero = spawn(level, shape, [0, stand + 0.3, 0]);
      Object.assign(hero.velocity, fall);
      hero.moveAndSlide(dt);
      expect(hero.onFloor).toBe(true);
      // In the air it falls for 0.3 of height, then it goes on as fast.
      expect(hero.position.x).toBeCloseTo(8 * dt, 2);
      expect(hero.position.y).toBeCloseTo(stand + height, 2);
      // Another move that landed elsewhere before it changes nothing.
      const again = spawn(level, shape, [0, stand + 0.3, 0], { snapDistance: 5 });
      again.moveAndSlide(0);
      const third = spawn(level, shape, [0, stand + 0.3, 0]);
      Object.assign(third.velocity, fall);
      third.moveAndSlide(dt);
      expect(third.position).toEqual(hero.position);
    }
  });

  test('under a ceiling that comes down in front of it, its velocity does not point into the ground', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 20)));
    addTo(level, halfSpace({ x: -0.5, y: -Math.sqrt(0.75), z: 0 }, -(2 + 2.5 * h)));
    const hero = spawn(level, shape, [0, h * 1.02, 0]);
    land(hero);
    let touched = 0;
    run(hero, 4, 0.5, 120, () => {
      if (!hero.onCeiling) return;
      touched++;
      expect(hero.velocity.y).toBe(0);
      expect(hero.onFloor).toBe(true);
    });
    expect(touched).toBeGreaterThan(10);
  });
});
