/**
 * What a contact time costs a triangle, from a hundred triangles to a million: of a bullet onto a sheet, in which one has so
 * many and the other those of the paper.
 */
import { mesh, vec3 } from 'graze';
import { contactTime, type Solid } from 'graze/continuous';
import { solidOf, soup } from 'graze/shapes';
import { makeBulletMesh, makeSheetMesh, type Triangles } from '../../playground/src/physics/bullets.ts';
import { measure, type Row, report } from '../harness.ts';

const MOST = Number(process.env['GRAZE_CONTACT_MOST'] ?? 1_000_000);
const SIZES = [100, 1000, 10_000, 100_000, 1_000_000].filter((n) => n <= MOST);

/** About so many triangles: 2 · around · (along - 1), and 2 · around · rings. */
const bulletOf = (n: number) =>
  makeBulletMesh(Math.round(Math.sqrt(n / 2)), Math.round(Math.sqrt(n / 2)) + 1);
const sheetOf = (n: number) => makeSheetMesh(Math.round(Math.sqrt(2.2 * n)), Math.round(Math.sqrt(n / 8.8)));
const solidMesh = ({ positions, index }: Triangles) => mesh(positions, index);
/** Polygons that share nothing. */
const loose = ({ positions, index }: Triangles) => {
  const cornerOf = (i: number) => vec3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
  const polygons = [];
  for (let i = 0; i < index.length; i += 3)
    polygons.push([cornerOf(index[i]!), cornerOf(index[i + 1]!), cornerOf(index[i + 2]!)]);
  return soup(polygons);
};

/** It flies at the sheet beside the hole, and spins. */
const FROM = { position: vec3(-5, 1, 0.3), quaternion: { x: 0, y: 0, z: 0, w: 1 } };
const MOTION = { linear: vec3(10), angular: vec3(0, 0.3, 0.2), duration: 1 };
const RESTING = { translation: vec3() };
const hit = (bullet: Solid, sheet: Solid): number =>
  contactTime({ solid: bullet, pose: FROM }, MOTION, sheet, RESTING)?.t ?? Number.NaN;

const smallBullet = solidMesh(makeBulletMesh(20, 17));
const smallSheet = solidMesh(makeSheetMesh(67, 15));
const SCENES: Record<string, (n: number) => [ReturnType<typeof mesh>, ReturnType<typeof mesh>, number]> = {
  'the bullet': (n) => {
    const triangles = bulletOf(n);
    return [solidMesh(triangles), smallSheet, triangles.index.length / 3];
  },
  'the sheet': (n) => {
    const triangles = sheetOf(n);
    return [smallBullet, solidMesh(triangles), triangles.index.length / 3];
  },
  'a soup for a sheet': (n) => {
    const triangles = sheetOf(n);
    return [smallBullet, loose(triangles) as ReturnType<typeof mesh>, triangles.index.length / 3];
  },
};

const rows: Row[] = [];
for (const [scene, make] of Object.entries(SCENES))
  for (const n of SIZES) {
    const [bullet, sheet, count] = make(n);
    const solids = [solidOf(bullet), solidOf(sheet)] as const;
    rows.push(
      ...measure({
        title: `growth, ${scene}, ${n} triangles: contact time`,
        calls: count,
        rounds: n > 10_000 ? 3 : 21,
        passes: 1,
        warmUp: 200,
        contenders: [
          {
            name: 'graze solids at hand',
            run: () => hit(...solids),
            wrong: () => (hit(...solids) > 0.44 && hit(...solids) < 0.52 ? 0 : 1),
          },
          { name: 'graze solids made too', run: () => hit(solidOf(bullet), solidOf(sheet)) },
        ],
      }),
    );
  }
report(rows);
