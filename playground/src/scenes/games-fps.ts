import { type Vec3, vec3, World } from 'graze';
import { meshOf } from 'graze/three';
import * as THREE from 'three';
import { Octree } from 'three/addons/math/Octree.js';
import { WalkControls } from '../controls.ts';
import { readModel } from '../load-model.ts';
import { CharacterWalker, frame, type Keys, OctreeWalker, SHAPE, type Walker } from '../physics/games-fps.ts';
import { playingField } from '../playing-field.ts';
import type { Scene } from '../scene.ts';

/** The address of the level, where the file is there. */
const [LEVEL] = Object.values(
  import.meta.glob<string>('../../../../shared/data/levels/collision-world.glb', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
);
const HOME = { x: 0, y: 0.675, z: 0 };
const BODIES = ['Character of graze', 'Octree of three.js'] as const;

/** A place, what the Octree does there, the angle of the key that is held, and the frame rate. */
interface Trap {
  readonly at: Vec3;
  readonly what: string;
  readonly angle: number;
  readonly hz: number;
  /** In the air. Default: at rest. */
  readonly velocity?: readonly [number, number, number];
  readonly jump?: boolean;
}

/** More are in `tests/games-fps.test.ts`. */
const TRAPS: readonly Trap[] = [
  { at: vec3(-7.36, 2.11, -11.8), what: 'gets stuck', angle: 1.5, hz: 144 },
  { at: vec3(13.39, 0.26, -5.97), what: 'gets stuck', angle: 0.3, hz: 60 },
  { at: vec3(-8.37, 2.18, 5.6), what: 'gets stuck', angle: 3.1, hz: 60 },
  { at: vec3(11.64, 1, 12.98), what: 'gets stuck', angle: 3.4, hz: 30 },
  { at: vec3(15.36, -0.84, 12.82), what: 'sinks into a wall', angle: 0.77, hz: 30 },
  {
    at: vec3(-10.6, 8.6, -14.2),
    what: 'goes through a wall',
    angle: 2.5,
    hz: 20,
    velocity: [5, 2.2, -2.2],
    jump: true,
  },
  { at: vec3(8.9, 6.8, 20.2), what: 'goes through a wall', angle: 4.7, hz: 30, velocity: [10, -3, 1.5] },
];

export const gamesFps: Scene = {
  id: 'games-fps',
  group: 'Motion',
  title: 'First person, of three.js',
  blurb:
    'The first-person example of three.js: its level, its loop, its capsule, and a Character in the place of its Octree. Choose the one or the other, and let both run into the traps.',
  source: 'three.js, games_fps',
  hint: 'Run with W, A, S, D or the arrows, jump with Space. Drag to look around.',
  start(stage, panel) {
    let walker: Walker | null = null;
    let walkers: readonly Walker[] = [];
    let level = new THREE.Group();
    let body: (typeof BODIES)[number] = BODIES[0];
    let trap = -1;
    /** Keys that are held down for who watches, how many frames more, and how long a frame is. */
    let held: { keys: Keys; left: number; seconds: number } | null = null;
    let cost = 0;
    const capsule = new THREE.Mesh(
      new THREE.CapsuleGeometry(SHAPE.radius, 2 * SHAPE.halfHeight, 8, 20),
      new THREE.MeshStandardMaterial({ color: stage.colour('hit') }),
    );
    stage.content.add(capsule);
    stage.lookFrom(3, 4, 5);

    const enter = (object: THREE.Object3D, home = HOME) => {
      const world = new World();
      world.add(meshOf(object), { fixed: true });
      walkers = [new CharacterWalker(world), new OctreeWalker(new Octree().fromGraphNode(object))];
      stage.remove(level);
      level = new THREE.Group().add(object);
      stage.content.add(level);
      for (const each of walkers) each.put(home);
      walker = walkers[BODIES.indexOf(body)]!;
      stage.invalidate();
    };
    const read = async (name: string, data: Promise<ArrayBuffer>): Promise<void> => {
      try {
        enter(await readModel(name, await data));
      } catch (error) {
        panel.clear();
        panel.notes([error instanceof Error ? error.message : String(error)]);
      }
    };
    if (LEVEL)
      void read(
        'collision-world.glb',
        fetch(LEVEL).then((response) => response.arrayBuffer()),
      );
    else {
      const colours = { ground: stage.colour('soft'), thing: stage.colour('first') };
      enter(playingField(new World(), { ...colours, moving: stage.colour('second') }).object, {
        x: 0,
        y: 2,
        z: 1,
      });
    }
    stage.onDrop = (file) => void read(file.name, file.arrayBuffer());

    panel.choice('Moved by', BODIES, body, (next) => {
      const from = walker;
      body = next;
      walker = walkers[BODIES.indexOf(body)] ?? null;
      if (from && walker) walker.put(from.position);
    });
    panel.button('Back to the start', () => walker?.put(HOME));
    if (LEVEL)
      panel.button('Into the next trap', () => {
        trap = (trap + 1) % TRAPS.length;
        const { at, angle, hz, velocity = [0, 0, 0], jump = false } = TRAPS[trap]!;
        walker?.put(at);
        if (walker) [walker.velocity.x, walker.velocity.y, walker.velocity.z] = velocity;
        held = {
          keys: { x: Math.cos(angle), z: Math.sin(angle), jump },
          left: 4 * hz,
          seconds: 1 / hz,
        };
      });

    const controls = new WalkControls(document.getElementById('view')!);
    stage.onLeave = () => controls.close();
    const keysNow = (): Keys => {
      controls.read();
      const [ahead, side] = stage.heading();
      const x = ahead * controls.y - side * controls.x;
      const z = side * controls.y + ahead * controls.x;
      const length = Math.max(1, Math.hypot(x, z));
      return { x: x / length, z: z / length, jump: controls.jump };
    };
    const update = () => {
      stage.marks.clear();
      panel.clear();
      if (!walker) {
        panel.notes(['The level is being read …']);
        return;
      }
      const { x, y, z } = walker.position;
      capsule.position.set(x, y, z);
      stage.follow(x, y + 0.5, z);
      if (walker instanceof CharacterWalker) stage.marks.drawCharacter(walker.hero);
      panel.show('position', { x, y, z });
      panel.show('on floor', walker.onFloor, walker.onFloor ? 'good' : undefined);
      panel.show('speed', Math.hypot(walker.velocity.x, walker.velocity.z));
      panel.show('key held', held !== null);
      if (trap >= 0) panel.show('here the Octree', TRAPS[trap]!.what);
      panel.show('milliseconds a frame', Number(cost.toFixed(3)));
      if (!LEVEL)
        panel.notes(['The level of the example is not here: drop its collision-world.glb onto the view.']);
      stage.invalidate();
    };
    stage.onFrame = (seconds) => {
      if (walker) {
        const start = performance.now();
        if (held) {
          frame(walker, held.keys, held.seconds);
          if (--held.left === 0) held = null;
        } else frame(walker, keysNow(), seconds);
        cost += 0.05 * (performance.now() - start - cost);
        if (walker.position.y < -25) walker.put(HOME);
      }
      update();
    };
    return {
      update,
      state: () => ({
        isReady: walker !== null,
        position: walker ? { ...walker.position } : null,
        onFloor: walker?.onFloor ?? false,
      }),
    };
  },
};
