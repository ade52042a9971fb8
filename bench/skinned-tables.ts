/**
 * Tables 2 and 3 of Mujika et al.: the most tests in a frame, of an avatar that walks along a wall without touching anything; beside the paper's.
 * `npx tsx bench/skinned-tables.ts` prints them, in a minute or two.
 *
 * What can be compared, and what cannot. Without an optimisation, every triangle of the avatar is tested against each large one whose sphere it
 * stands in: so the paper's avatar stands in 150,000 / 88,700 = 1.7 of them in the museum and in 0.8 in the living room, ours in six, since the
 * walls of our rooms are two triangles each. That row is compared by the large triangle. What division into spheres costs depends on how near the
 * avatar is to the wall, which the paper does not say: "very close". Parts of triangles are as small as the memory of the paper's trees allows.
 */
import { skinned } from 'graze';
import { avatarData, walkPose } from '../playground/src/avatar/avatar.ts';
import { alongTheWall } from '../playground/src/avatar/extreme.ts';
import { roomOf } from '../playground/src/avatar/rooms.ts';
import { PAPER, VARIANTS, Variants } from '../playground/src/avatar/variants.ts';

const FRAMES = 8;
/** In metres: from the wall and from the floor. */
const GAPS = [0.01, 0.05];
/** The edges of parts, in metres: with these the trees are no larger than the paper's. */
const LONGEST = { museum: 0.12, 'living room': 0.09 };
const avatar = avatarData();
const shape = skinned(avatar);
const triangles = avatar.index.length / 3;
let known: Variants['spheres'] | undefined;

const line = (...cells: (string | number)[]) =>
  console.log(`| ${cells.map((cell) => cell.toLocaleString('en')).join(' | ')} |`);
const round = (x: number) => Number(x.toPrecision(2));

for (const name of ['museum', 'living room'] as const) {
  const room = roomOf(name);
  const trees = new Variants(shape, room, known, LONGEST[name]);
  known = trees.spheres;
  console.log(`\n${name}, ${room.positions.length / 3} vertices`);
  line('variant', 'gap, cm', 'tree, MB', 'sphere–sphere', 'triangle–triangle', 'plane–sphere', 'operations');
  console.log('|---|---|---|---|---|---|---|');
  for (const variant of VARIANTS) {
    const paper = PAPER[name][variant];
    const large = { ours: 0, paper: paper.triangles / triangles };
    let operations = 0;
    for (const gap of variant === 'original' ? GAPS.slice(0, 1) : GAPS) {
      const most = { sphereTests: 0, triangleTests: 0, planeTests: 0, operations: 0 };
      for (let i = 0; i < FRAMES; i++) {
        const phase = i / FRAMES;
        shape.pose(walkPose(phase, alongTheWall(avatar, room, phase, gap)));
        trees.collide(variant);
        for (const key of Object.keys(most) as (keyof typeof most)[])
          most[key] = Math.max(most[key], trees.counters[key]);
      }
      const { sphereTests, triangleTests, planeTests } = most;
      operations = most.operations;
      large.ours = triangleTests / triangles;
      const size = trees.surroundings(variant).size / 1e6;
      line(variant, 100 * gap, round(size), sphereTests, triangleTests, planeTests, operations);
    }
    line(
      '… in the paper',
      '?',
      paper.megabytes,
      paper.spheres,
      paper.triangles,
      paper.planes,
      paper.operations,
    );
    if (variant === 'original') {
      line('by large triangle', '', '', '', '', '', Math.round(operations / large.ours));
      line('… in the paper', '', '', '', '', '', Math.round(paper.operations / large.paper));
    }
  }
}
