/**
 * Tables 2 and 3 of Mujika et al.: the most tests in a frame, of an avatar that walks along a wall without touching anything; beside the paper's.
 * `npx tsx bench/skinned-tables.ts` prints them.
 */
import { skinned } from 'graze';
import { avatarData, walkPose } from '../playground/src/avatar/avatar.ts';
import { alongTheWall } from '../playground/src/avatar/extreme.ts';
import { roomOf } from '../playground/src/avatar/rooms.ts';
import { PAPER, VARIANTS, Variants } from '../playground/src/avatar/variants.ts';

const FRAMES = 8;
const avatar = avatarData();
const shape = skinned(avatar);
let known: Variants['spheres'] | undefined;

for (const name of ['museum', 'living room'] as const) {
  const room = roomOf(name);
  const trees = new Variants(shape, room, known);
  known = trees.spheres;
  console.log(`\n${name}, ${room.positions.length / 3} vertices`);
  console.log('| variant | tree, MB | sphere–sphere | triangle–triangle | plane–sphere | operations |');
  console.log('|---|---|---|---|---|---|');
  for (const variant of VARIANTS) {
    const most = { sphereTests: 0, triangleTests: 0, planeTests: 0, operations: 0 };
    for (let i = 0; i < FRAMES; i++) {
      const phase = i / FRAMES;
      shape.pose(walkPose(phase, alongTheWall(avatar, room, phase)));
      trees.collide(variant);
      for (const key of Object.keys(most) as (keyof typeof most)[])
        most[key] = Math.max(most[key], trees.counters[key]);
    }
    const line = (...cells: (string | number)[]) =>
      `| ${cells.map((cell) => cell.toLocaleString('en')).join(' | ')} |`;
    const { sphereTests, triangleTests, planeTests, operations } = most;
    const size = trees.surroundings(variant).size / 1e6;
    const paper = PAPER[name][variant];
    console.log(line(variant, Number(size.toFixed(2)), sphereTests, triangleTests, planeTests, operations));
    console.log(
      line('… in the paper', paper.megabytes, paper.spheres, paper.triangles, paper.planes, paper.operations),
    );
  }
}
