/**
 * Random moves in random levels and in those of real games: never in anything, never NaN, never out of passes.
 * One round is 25,000 moves; `npm run fuzz -- character-fuzz --cases 400` makes ten million.
 */
import { isFree, type Level, randomLevel, randomShape } from '../../tests/kit/characters.ts';
import { GAME_LEVELS, gameLevel } from '../../tests/kit/game-levels.ts';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { Character } from './index.ts';

/** Moves in a level before it is left. */
const MOVES = 100;

/** False if the level has no room for the shape that was drawn. */
function moveAbout(rng: Rng, level: Level, place: () => Vec3): boolean {
  const shape = randomShape(rng);
  const hero = new Character(level.list, { ...shape, stepHeight: rng.pick([0, 0.3, 0.6]) });
  const least =
    'radii' in shape
      ? Math.min(shape.radii.x, shape.radii.y, shape.radii.z)
      : 'radius' in shape
        ? shape.radius
        : Math.min(shape.halfSize.x, shape.halfSize.y, shape.halfSize.z);
  const gap = least / 100;
  let start = place();
  for (let i = 0; i < 50 && !isFree(level, shape, start, 15 * gap); i++) start = place();
  if (!isFree(level, shape, start, 15 * gap)) return false;
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
    const v = { ...hero.velocity };
    hero.moveAndSlide(0.1);
    const { x, y, z } = hero.position;
    check((x + y + z + hero.velocity.x + hero.velocity.y + hero.velocity.z) * 0 === 0, 'not a number');
    for (const [k, { id, triangle, normal: n }] of hero.collisions.entries())
      for (const { id: other, triangle: which, normal: m } of hero.collisions.slice(0, k))
        check(
          id !== other || triangle !== which || n.x * m.x + n.y * m.y + n.z * m.z <= 1 - 1e-12,
          'the same thing is told twice',
        );
    check(!hero.exhausted, () => `ran out of passes: ${hero.passes}`);
    check(
      isFree(level, shape, hero.position, 0.45 * gap),
      () =>
        `in something after move ${i}: ${JSON.stringify({ shape, old, v, at: hero.position, touches: !isFree(level, shape, hero.position, 0), recovered: hero.recovered, collisions: hero.collisions })}`,
    );
    if (Math.abs(x - start.x) + Math.abs(y - start.y) + Math.abs(z - start.z) > 60) {
      hero.teleport(start);
      hero.velocity.x = hero.velocity.y = hero.velocity.z = 0;
    }
  }
  return true;
}

property('[S6] [S4] random moves never end in anything, nor by the number of passes', 150, (rng) => {
  while (!moveAbout(rng, randomLevel(rng), () => rng.vec(6)));
});

for (const file of GAME_LEVELS) {
  const level = gameLevel(file);
  if (!level) continue;
  const { triangles } = level;
  property(`[S6] [S4] so in ${file}`, 25, (rng) => {
    const place = (): Vec3 => {
      const [a, b, c] = rng.pick(triangles);
      const off = rng.vec(2);
      const mix = (k: 0 | 1 | 2, by: number): number => (a[k] + b[k] + c[k]) / 3 + by;
      return { x: mix(0, off.x), y: mix(1, off.y + 1), z: mix(2, off.z) };
    };
    while (!moveAbout(rng, level, place));
  });
}
