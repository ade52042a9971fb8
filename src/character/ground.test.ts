/** What is ground to a round shape that hangs over an edge. */

import { DT, heightOf, SHAPES, spawn } from '../../tests/kit/character-setups.ts';
import { addTo, makeLevel } from '../../tests/kit/characters.ts';
import { check, property } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { mesh } from '../shapes/mesh.ts';

/** The y of normals from which on the edge of a ledge is stood on. */
const LEDGE = 0.05;

property(
  'the edge of a ledge is stood on, however it lies; the top of a fence beside it is not',
  600,
  (rng) => {
    const [, shape] = rng.pick(SHAPES.filter(([name]) => name !== 'box'));
    const radii =
      'radii' in shape
        ? shape.radii
        : 'radius' in shape
          ? { x: shape.radius, y: shape.radius, z: shape.radius }
          : shape.halfSize;
    // Along the edge, out over it, and where along the edge it comes down: the ledge begins at 0.
    const angle = rng.range(0, 7);
    const [ex, ez] = [Math.cos(angle), Math.sin(angle)];
    const [ox, oz] = [ez, -ex];
    const at = (along: number, out: number, y = 0): number[] => [
      along * ex + out * ox,
      y,
      along * ez + out * oz,
    ];
    const onLedge = rng.chance(0.5);
    const place = onLedge ? rng.range(0.1, 3.9) : -rng.range(0.05, 0.5);
    const [a, b, c] = [at(0, 0), at(4, 0), at(rng.range(-1, 5), -rng.range(1, 4))];
    const ledge = rng.chance(0.5) ? [...a, ...b, ...c] : [...a, ...c, ...b];
    const fence = [
      ...at(-5, 0),
      ...at(5, 0),
      ...at(5, 0, -9),
      ...at(-5, 0),
      ...at(5, 0, -9),
      ...at(-5, 0, -9),
    ];
    const level = makeLevel();
    const first = rng.chance(0.5);
    for (const isFence of [first, !first]) addTo(level, mesh(isFence ? fence : ledge));
    const part = rng.range(0.75, 0.99);
    const [x = 0, , z = 0] = at(place, part * 1.01 * radii.x);
    const hero = spawn(level, shape, [x, 1.2 * heightOf(shape), z]);
    hero.velocity.y = -0.5 / DT;
    hero.moveAndSlide(DT);
    for (let i = 0; i < 5 && hero.collisions.length === 0; i++) {
      hero.velocity.y = -0.5 / DT;
      hero.moveAndSlide(DT);
    }
    const up = {
      x: (part * ox) / radii.x,
      y: Math.sqrt(1 - part * part) / radii.y,
      z: (part * oz) / radii.z,
    };
    const length = Math.hypot(up.x, up.y, up.z);
    const normal: Vec3 = { x: up.x / length, y: up.y / length, z: up.z / length };
    const story = () => JSON.stringify({ shape, place, part, normal, hero: hero.position, on: hero.onFloor });
    // What can be walked on by its normal is ground in any case; near the limits rounding decides.
    if (normal.y > 0.69 || Math.abs(normal.y - LEDGE) < 1e-6) return;
    const stands = onLedge && normal.y > LEDGE;
    check(hero.onFloor === stands, story);
    if (!stands) return;
    check(hero.floorId === (first ? 1 : 0) || hero.floorId === (first ? 0 : 1), 'stands on nothing');
    const off = Math.hypot(
      hero.floorNormal.x - normal.x,
      hero.floorNormal.y - normal.y,
      hero.floorNormal.z - normal.z,
    );
    check(off < 1e-4, () => `the normal is off by ${off}: ${story()}`);
    check(
      Math.hypot(hero.position.x - x, hero.position.z - z) < 1e-9,
      () => `it was moved aside: ${story()}`,
    );
  },
);
