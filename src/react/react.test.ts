/** The components and hooks in the real react-three-fiber, on a canvas that draws nothing. */
import { act, advance, createRoot, extend, type RootState, useThree } from '@react-three/fiber';
import { createElement, createRef, type ReactNode, type RefObject, StrictMode, useRef } from 'react';
import * as THREE from 'three';
import { type Mesh, type Object3D, PerspectiveCamera, Raycaster, SphereGeometry, Vector3 } from 'three';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Character } from '../character/character.ts';
import { box } from '../shapes/flat-sided-shapes.ts';
import { sphere } from '../shapes/round-shapes.ts';
import { World } from '../world/world.ts';
import { Accelerate, GrazeWorld, useCharacter, useCollider, useWorld } from './index.ts';

extend(THREE as never);

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean;
}

/** What react-three-fiber asks of a renderer and a canvas. */
const canvas = (): HTMLCanvasElement =>
  ({
    width: 100,
    height: 100,
    style: {},
    addEventListener: () => {},
    removeEventListener: () => {},
    getContext: () => null,
  }) as unknown as HTMLCanvasElement;
const renderer = () =>
  ({
    render: () => {},
    setSize: () => {},
    setPixelRatio: () => {},
    dispose: () => {},
    xr: { addEventListener: () => {}, removeEventListener: () => {}, setAnimationLoop: () => {} },
    shadowMap: {},
    renderLists: { dispose: () => {} },
    forceContextLoss: () => {},
  }) as never;

let root: ReturnType<typeof createRoot>;
let state: RootState;
let time = 1;

beforeEach(async () => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  root = createRoot(canvas());
  await root.configure({
    gl: renderer,
    frameloop: 'never',
    size: { width: 100, height: 100, top: 0, left: 0 },
    camera: new PerspectiveCamera(),
  });
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.restoreAllMocks();
});

const render = async (node: ReactNode): Promise<void> => {
  await act(async () => {
    state = root.render(createElement(Peek, null, node)).getState();
  });
};
const Peek = ({ children }: { children?: ReactNode }): ReactNode => {
  useThree();
  return children;
};
/** A frame of a sixtieth of a second, or more. */
const frame = async (dt = 1 / 60): Promise<void> => {
  await act(async () => {
    time += dt;
    advance(time, true, state);
  });
};

/** An error that a component throws. */
async function errorOf(node: ReactNode): Promise<string> {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let message = '';
  try {
    await render(node);
  } catch (error) {
    message = (error as Error).message;
  }
  return message;
}

const geometry = new SphereGeometry(1, 8, 6);
const ball = (props: Record<string, unknown> = {}): ReactNode =>
  createElement('mesh', { geometry, ...props });
const WorldPeek = ({ seen }: { seen: { world?: World } }): ReactNode => {
  seen.world = useWorld();
  return null;
};

const Sphere = ({
  to,
  ...props
}: {
  to: { id?: RefObject<number>; ref?: RefObject<Object3D | null> };
  shape?: ReturnType<typeof sphere>;
  position?: number[];
  options?: object;
}): ReactNode => {
  const ref = useRef<Object3D>(null);
  to.ref = ref;
  to.id = useCollider(ref, props.shape ?? 'mesh', props.options);
  return ball({ ref, ...(props.position && { position: props.position }) });
};

const Hero = ({
  to,
  move,
  position,
}: {
  to: { hero?: Character; ref?: RefObject<Object3D | null> };
  move?: boolean;
  position?: { x: number; y: number; z: number };
}): ReactNode => {
  const ref = useRef<Object3D>(null);
  to.ref = ref;
  to.hero = useCharacter(
    ref,
    { radii: { x: 0.4, y: 0.9, z: 0.4 }, ...(position && { position }) },
    move
      ? (hero, dt) => {
          hero.velocity.y -= 9.8 * dt;
          hero.velocity.x = 1;
        }
      : undefined,
  );
  return ball({ ref, position: [0, 3, 0], scale: 0.4 });
};

const Lost = ({ inside }: { inside: (ref: RefObject<Object3D | null>) => void }): ReactNode => {
  inside({ current: null });
  return null;
};

for (const strict of [false, true])
  describe(strict ? 'in StrictMode' : 'plain', () => {
    const wrapped = (node: ReactNode): ReactNode => (strict ? createElement(StrictMode, null, node) : node);

    test('GrazeWorld: a collider for every mesh inside, while it is there and where it is', async () => {
      const world = new World();
      const ref = createRef<Mesh>();
      const scene = (...children: ReactNode[]): ReactNode =>
        wrapped(createElement(GrazeWorld, { world }, ...children));
      await render(scene(ball({ key: 'a', ref }), ball({ key: 'b', 'position-x': 5 })));
      expect(world.size).toBe(2);
      ref.current!.position.y = 7;
      await frame();
      const hit = world.raycast({ origin: { x: 0, y: 20, z: 0 }, direction: { x: 0, y: -1, z: 0 } });
      expect(hit!.point.y).toBeCloseTo(8, 6);
      await render(scene(ball({ key: 'a', ref })));
      await frame();
      expect(world.size).toBe(1);
      await render(null);
      expect(world.size).toBe(0);
    });

    test('useWorld: the same world in every render, and a new one for each GrazeWorld', async () => {
      const [a, b]: { world?: World }[] = [{}, {}];
      const scene = (): ReactNode =>
        wrapped([
          createElement(GrazeWorld, { key: 1 }, createElement(WorldPeek, { seen: a! })),
          createElement(GrazeWorld, { key: 2 }, createElement(WorldPeek, { seen: b! })),
        ]);
      await render(scene());
      const first = a!.world;
      expect(first).toBeInstanceOf(World);
      expect(b!.world).not.toBe(first);
      await render(scene());
      expect(a!.world).toBe(first);
    });

    test('useCollider: one collider, of its own shape, that follows position and scale and goes with the component', async () => {
      const world = new World();
      const to: Parameters<typeof Sphere>[0]['to'] = {};
      const shape = sphere(2);
      const scene = (...children: ReactNode[]): ReactNode =>
        wrapped(createElement(GrazeWorld, { world }, ...children));
      await render(scene(createElement(Sphere, { key: 1, to, shape, options: { group: 4 } })));
      expect(world.size).toBe(1);
      const id = to.id!.current;
      expect(world.get(id)).toMatchObject({
        group: 4,
        data: to.ref!.current,
        shape: { kind: 'sphere', radius: 2 },
      });
      to.ref!.current!.position.x = 3;
      to.ref!.current!.scale.setScalar(2);
      await frame();
      expect(world.get(id)).toMatchObject({
        pose: { position: { x: 3 } },
        shape: { kind: 'sphere', radius: 4 },
      });
      // Invisible for a frame: out of the world, and in again.
      to.ref!.current!.visible = false;
      await frame();
      expect([world.size, to.id!.current]).toEqual([0, -1]);
      to.ref!.current!.visible = true;
      await frame();
      expect(world.has(to.id!.current)).toBe(true);
      // Another shape.
      await render(scene(createElement(Sphere, { key: 1, to, shape: sphere(1) })));
      await frame();
      expect(world.size).toBe(1);
      expect(world.get(to.id!.current)).toMatchObject({ shape: { radius: 2 } });
      await render(scene());
      await frame();
      expect([world.size, to.id!.current]).toEqual([0, -1]);
    });

    test('events: onEnter and onLeave of colliders, onEvents of the world', async () => {
      const world = new World();
      const [a, b]: Parameters<typeof Sphere>[0]['to'][] = [{}, {}];
      const log: string[] = [];
      const options = (name: string) => ({
        onEnter: (other: number) => log.push(`${name} + ${other}`),
        onLeave: (other: number) => log.push(`${name} - ${other}`),
      });
      let pairs = 0;
      const scene = (...children: ReactNode[]): ReactNode =>
        wrapped(
          createElement(GrazeWorld, { world, onEvents: (events) => (pairs = events.length) }, ...children),
        );
      const one = createElement(Sphere, { key: 1, to: a!, options: options('a') });
      await render(
        scene(one, createElement(Sphere, { key: 2, to: b!, options: options('b'), position: [9, 0, 0] })),
      );
      await frame();
      expect(log).toEqual([]);
      b!.ref!.current!.position.x = 1;
      await frame();
      const [idA, idB] = [a!.id!.current, b!.id!.current];
      expect(log).toEqual([`a + ${idB}`, `b + ${idA}`]);
      expect(pairs).toBe(1);
      await frame();
      expect(log).toHaveLength(2);
      await render(scene(one));
      await frame();
      expect(log.slice(2)).toEqual([`a - ${idB}`]);
    });

    test('useCharacter: falls onto the floor and walks; its object follows, and is no obstacle to it', async () => {
      const world = new World();
      const to: Parameters<typeof Hero>[0]['to'] = {};
      const floor = createElement(
        'mesh',
        { key: 'floor', position: [0, -1, 0] },
        createElement('boxGeometry', { args: [50, 2, 50] }),
      );
      await render(
        wrapped(
          createElement(
            GrazeWorld,
            { world },
            floor,
            createElement(
              'group',
              { key: 'group', position: [0, 1, 0], scale: 2 },
              createElement(Hero, { to, move: true }),
            ),
          ),
        ),
      );
      const { hero, ref } = to as Required<typeof to>;
      // Placed where its object was: 3 up, doubled, in a group that is 1 up.
      expect(hero.position).toMatchObject({ x: 0, y: 7, z: 0 });
      for (let i = 0; i < 120; i++) await frame();
      expect(hero.onFloor).toBe(true);
      expect(hero.position.y).toBeCloseTo(0.9, 1);
      // The first frame is as long as a frame may be: the clock did not run before.
      expect(hero.position.x).toBeCloseTo(0.1 + 119 / 60, 6);
      expect(world.size).toBe(1);
      const stands = ref.current!.getWorldPosition(new Vector3());
      expect(stands.distanceTo(hero.position as Vector3)).toBeLessThan(1e-9);
      // A page that was asleep: no step of minutes.
      const { x } = hero.position;
      await frame(300);
      expect(hero.position.x - x).toBeLessThan(0.11);
    });

    test('useCharacter without a move: the object follows what is done by hand; a position in the options counts', async () => {
      const to: Parameters<typeof Hero>[0]['to'] = {};
      const position = { x: 1, y: 2, z: 3 };
      await render(wrapped(createElement(GrazeWorld, null, createElement(Hero, { to, position }))));
      await frame();
      expect(to.ref!.current!.position.toArray()).toEqual([1, 2, 3]);
      to.hero!.teleport({ x: 4, y: 5, z: 6 });
      await frame();
      expect(to.ref!.current!.position.toArray()).toEqual([4, 5, 6]);
    });

    test('Accelerate: meshes have our raycast while it is mounted, also those that come later', async () => {
      const plain = createRef<Mesh>();
      const later = createRef<Mesh>();
      const scene = (...children: ReactNode[]): ReactNode =>
        wrapped(createElement(Accelerate, { firstHitOnly: true }, ...children));
      await render(scene(ball({ key: 1, ref: plain })));
      const { raycast } = Object.getPrototypeOf(plain.current!) as Mesh;
      const mesh = plain.current!;
      expect(mesh.raycast).not.toBe(raycast);
      expect(state.raycaster.firstHitOnly).toBe(true);
      await render(scene(ball({ key: 1, ref: plain }), ball({ key: 2, ref: later })));
      expect(later.current!.raycast).not.toBe(raycast);
      const picker = new Raycaster(new Vector3(0, 0, 5), new Vector3(0, 0, -1));
      expect(picker.intersectObject(mesh)[0]!.distance).toBeCloseTo(4, 2);
      await render(null);
      expect(mesh.raycast).toBe(raycast);
      expect(state.raycaster.firstHitOnly).toBe(false);
    });
  });

test('sync: false has no colliders but those of useCollider; options are those of syncWorld', async () => {
  const world = new World();
  await render(createElement(GrazeWorld, { world, sync: false }, ball()));
  await frame();
  expect(world.size).toBe(0);
  const sync = {
    shape: 'box',
    collider: { fixed: true },
    filter: ({ name }: Object3D) => name !== 'ghost',
  } as const;
  await render(
    createElement(GrazeWorld, { key: 2, world, sync }, ball({ key: 1, name: 'ghost' }), ball({ key: 2 })),
  );
  expect(world.ids().map((id) => [world.get(id).shape.kind, world.get(id).fixed])).toEqual([['box', true]]);
});

describe('wrong use has an error that says what to do', () => {
  test('hooks outside of a world', async () => {
    for (const [name, inside] of [
      ['useWorld', () => useWorld()],
      ['useCollider', (ref: RefObject<Object3D | null>) => useCollider(ref)],
      ['useCharacter', (ref: RefObject<Object3D | null>) => useCharacter(ref, { radius: 1, halfHeight: 1 })],
    ] as const)
      expect(await errorOf(createElement(Lost, { inside }))).toBe(
        `graze: ${name}: there is no <GrazeWorld> around the component`,
      );
  });

  test('refs that lead to nothing', async () => {
    for (const [name, inside] of [
      ['useCollider', (ref: RefObject<Object3D | null>) => useCollider(ref, box(1, 1, 1))],
      ['useCharacter', (ref: RefObject<Object3D | null>) => useCharacter(ref, { radius: 1, halfHeight: 1 })],
    ] as const)
      expect(await errorOf(createElement(GrazeWorld, null, createElement(Lost, { inside })))).toBe(
        `graze: ${name}: the ref leads to no object: give it to one`,
      );
  });
});
