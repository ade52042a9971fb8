/** Random moves in random levels: never in anything, never NaN, never more than three passes. */

import { isFree, randomLevel, randomShape } from '../../tests/kit/characters.ts';
import { check, property } from '../../tests/kit/index.ts';
import { Character } from './index.ts';

/** Moves in a level before it is left. */
const MOVES = 100;

property('[S6] [S4] random moves never end in anything, and take three passes at most', 150, (rng) => {
  const level = randomLevel(rng);
  const shape = randomShape(rng);
  const hero = new Character(level.list, { ...shape, stepHeight: rng.pick([0, 0.3, 0.6]) });
  const least =
    'radii' in shape
      ? Math.min(shape.radii.x, shape.radii.y, shape.radii.z)
      : 'radius' in shape
        ? shape.radius
        : Math.min(shape.halfSize.x, shape.halfSize.y, shape.halfSize.z);
  const gap = least / 100;
  const start = rng.vec(level.size);
  for (let i = 0; i < 50 && !isFree(level, shape, start, 1.5 * gap * 10); i++)
    Object.assign(start, rng.vec(level.size));
  if (!isFree(level, shape, start, 1.5 * gap * 10)) return;
  hero.teleport(start);
  const speed = rng.pick([0.001, 0.1, 1, 5, 50, 1000]);
  let fall = 0;
  for (let i = 0; i < MOVES; i++) {
    if (i % 10 === 0) {
      const v = rng.chance(0.2)
        ? { x: 0, y: 0, z: 0, [rng.pick(['x', 'y', 'z'] as const)]: rng.sign() }
        : rng.direction();
      hero.velocity.x = v.x * speed;
      hero.velocity.z = v.z * speed;
      fall = rng.chance(0.5) ? v.y * speed : -speed / 4;
    }
    const old = { ...hero.position };
    hero.velocity.y += fall;
    const { x: vx, y: vy, z: vz } = hero.velocity;
    hero.moveAndSlide(0.1);
    const { x, y, z } = hero.position;
    check((x + y + z + hero.velocity.x + hero.velocity.y + hero.velocity.z) * 0 === 0, 'not a number');
    check(hero.passes <= 3, () => `${hero.passes} passes`);
    check(
      isFree(level, shape, hero.position, 0.45 * gap),
      () =>
        `in something after move ${i}: ${JSON.stringify({ shape, old, v: [vx, vy, vz], at: hero.position, free0: isFree(level, shape, hero.position, 0), rec: hero.recovered, c: hero.collisions })}`,
    );
    if (Math.abs(x) + Math.abs(y) + Math.abs(z) > 60) {
      hero.teleport(start);
      hero.velocity.x = hero.velocity.y = hero.velocity.z = 0;
    }
  }
});
