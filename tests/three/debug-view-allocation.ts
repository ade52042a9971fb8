/** Bytes that a frame of a debug view allocates in the steady state, by what is drawn, as JSON. Run by debug-view.test.ts. */
import { Character } from '../../src/character/character.ts';
import { makeSeparation, raycast } from '../../src/index.ts';
import { vec3 } from '../../src/math/types.ts';
import { collider } from '../../src/shapes/collider.ts';
import { box } from '../../src/shapes/flat-sided-shapes.ts';
import { capsule, sphere } from '../../src/shapes/round-shapes.ts';
import { DebugView } from '../../src/three/debug-view.ts';
import { World } from '../../src/world/world.ts';
import { EVERY_SHAPE } from '../kit/every-shape.ts';

const pose = { position: vec3(0.5, 1.5, 2.5), quaternion: { x: 0.1, y: 0.2, z: 0.3, w: 0.9 } };
const world = new World();
for (let i = 0; i < 20; i++)
  world.add(collider(i % 2 ? sphere(0.7) : box(0.5, 0.5, 0.5), { ...pose, position: vec3(i, 0, 0) }));
world.add(box(50, 0.1, 50), { fixed: true });
world.update();
const hero = new Character(world, { radii: vec3(0.4, 0.9, 0.4), position: vec3(0.5, 3, 5) });
for (let i = 0; i < 60; i++) {
  hero.velocity.y -= 0.2;
  hero.moveAndSlide(1 / 60);
}
const ray = { origin: vec3(0.5, 5, 0.5), direction: vec3(0.1, -1, 0.1) };
const hit = raycast(ray, box(1, 1, 1));
const contact = makeSeparation();
const mover = collider(capsule(0.5, 0.3), pose);
const straight = { translation: vec3(1.5, 2.5, 3.5) };
const turning = { axis: vec3(0, 1, 0), angle: 1.5 };
const options = { boxes: true, pairs: true };
const contactList = [contact];

const FRAMES: Record<string, (view: DebugView) => void> = {
  ...Object.fromEntries(
    Object.entries(EVERY_SHAPE).map(([name, shape]) => {
      const body = collider(shape, pose);
      return [name, (view: DebugView) => view.drawBody(body)];
    }),
  ),
  ray: (view) => view.drawRay(ray, hit),
  contacts: (view) => view.drawContacts(contactList),
  'straight cast': (view) => view.drawCast(mover, straight),
  'turning cast': (view) => view.drawCast(mover, turning),
  'tree of a mesh': (view) => view.drawTree(EVERY_SHAPE['closed mesh']!),
  world: (view) => view.drawWorld(world, options),
  character: (view) => view.drawCharacter(hero),
};

function bytesPerFrame(draw: (view: DebugView) => void): number {
  const view = new DebugView();
  const run = (frames: number): void => {
    for (let i = 0; i < frames; i++) {
      view.clear();
      draw(view);
    }
  };
  run(2000);
  run(2000);
  let best = Infinity;
  for (let attempt = 0; attempt < 4 && best >= 16; attempt++) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    run(5_000);
    best = Math.min(best, Math.abs(process.memoryUsage().heapUsed - before) / 5_000);
  }
  return best;
}

const result: Record<string, number> = {};
let kept: unknown;
result['known'] = bytesPerFrame(() => {
  kept = { x: Math.random() };
});
for (const [name, draw] of Object.entries(FRAMES)) result[name] = bytesPerFrame(draw);
console.log(JSON.stringify(result, (_, value) => (value === kept ? undefined : value)));
