/** Characters for tests: shapes, grounds, and ways to set them going. */
import { Character, type CharacterOptions, type CharacterShape } from '../../src/character/index.ts';
import type { Level } from './characters.ts';
import { check } from './property.ts';
import type { Rng } from './rng.ts';

/** One of each kind, and a ball. */
export const SHAPES: [string, CharacterShape][] = [
  ['ellipsoid', { radii: { x: 0.4, y: 0.9, z: 0.4 } }],
  ['sphere', { radii: { x: 0.5, y: 0.5, z: 0.5 } }],
  ['capsule', { radius: 0.4, halfHeight: 0.5 }],
  ['box', { halfSize: { x: 0.4, y: 0.9, z: 0.4 } }],
];
/** A frame. */
export const DT = 1 / 60;
/** From its centre to its feet. */
export const heightOf = (shape: CharacterShape): number =>
  'radii' in shape ? shape.radii.y : 'radius' in shape ? shape.radius + shape.halfHeight : shape.halfSize.y;

/** A quad a b c d as two triangles. */
export const quad = (...p: number[][]): number[] => [p[0]!, p[1]!, p[2]!, p[0]!, p[2]!, p[3]!].flat();
/** Level ground at a height, over a square of that half size. */
export const ground = (y: number, size: number): number[] =>
  quad([-size, y, -size], [-size, y, size], [size, y, size], [size, y, -size]);

/** A character somewhere in a level. */
export function spawn(
  level: Level,
  shape: CharacterShape,
  at: [number, number, number],
  more: Partial<CharacterOptions> = {},
) {
  const hero = new Character(level.list, { ...shape, ...more } as CharacterOptions);
  hero.teleport({ x: at[0], y: at[1], z: at[2] });
  return hero;
}

/** Falls until it stands. */
export function land(hero: Character): void {
  for (let i = 0; i < 300 && !hero.onFloor; i++) {
    hero.velocity.y -= 9.8 * DT;
    hero.moveAndSlide(DT);
  }
  check(hero.onFloor, 'it never landed');
}

/** Runs for some frames, under gravity. */
export function run(
  hero: Character,
  vx: number,
  vz: number,
  frames: number,
  each?: (i: number) => void,
): void {
  for (let i = 0; i < frames; i++) {
    hero.velocity.x = vx;
    hero.velocity.z = vz;
    hero.velocity.y -= 9.8 * DT;
    hero.moveAndSlide(DT);
    each?.(i);
  }
}

/** A square floor at height 0, cut into triangles at random: a grid whose inner points were shaken. */
export function randomFloor(rng: Rng, cells: number, size: number): number[] {
  const points: number[][] = [];
  for (let i = 0; i <= cells; i++)
    for (let j = 0; j <= cells; j++) {
      const shake = (k: number) => (k === 0 || k === cells ? 0 : rng.range(-0.45, 0.45));
      points.push([
        ((i + shake(i)) / cells) * 2 * size - size,
        0,
        ((j + shake(j)) / cells) * 2 * size - size,
      ]);
    }
  const out: number[] = [];
  for (let i = 0; i < cells; i++)
    for (let j = 0; j < cells; j++) {
      const at = (a: number, b: number) => points[(i + a) * (cells + 1) + j + b]!;
      const [p, q, r, s] = [at(0, 0), at(0, 1), at(1, 1), at(1, 0)];
      out.push(
        ...(rng.chance(0.5) ? [...p, ...q, ...r, ...p, ...r, ...s] : [...q, ...r, ...s, ...q, ...s, ...p]),
      );
    }
  return out;
}
