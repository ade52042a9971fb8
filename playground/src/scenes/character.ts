import { Character, World } from 'graze';
import type { CharacterShape } from 'graze/character';
import { meshOf } from 'graze/three';
import * as THREE from 'three';
import { WalkControls } from '../controls.ts';
import { readModel } from '../load-model.ts';
import { type PlayingField, playingField } from '../playing-field.ts';
import type { Scene } from '../scene.ts';

const SHAPES: Record<string, { tall: CharacterShape; low: CharacterShape }> = {
  ellipsoid: { tall: { radii: { x: 0.35, y: 0.85, z: 0.35 } }, low: { radii: { x: 0.35, y: 0.5, z: 0.35 } } },
  capsule: { tall: { radius: 0.35, halfHeight: 0.5 }, low: { radius: 0.35, halfHeight: 0.15 } },
  box: {
    tall: { halfSize: { x: 0.3, y: 0.85, z: 0.3 } },
    low: { halfSize: { x: 0.3, y: 0.5, z: 0.3 } },
  },
};
const VIEWS = ['third person', 'first person'] as const;
const GRAVITY = 20;
const RUN = 4.5;
const JUMP = 7;

function drawn(shape: CharacterShape): THREE.BufferGeometry {
  if ('radii' in shape)
    return new THREE.SphereGeometry(1, 24, 16).scale(shape.radii.x, shape.radii.y, shape.radii.z);
  if ('halfSize' in shape) {
    const { x, y, z } = shape.halfSize;
    return new THREE.BoxGeometry(2 * x, 2 * y, 2 * z);
  }
  return new THREE.CapsuleGeometry(shape.radius, 2 * shape.halfHeight, 8, 20);
}

export const character: Scene = {
  id: 'character',
  group: 'Motion',
  title: 'A character',
  blurb:
    'One call moves it: moveAndSlide. Stairs, slopes, acute wedges, a floor of random triangles, tiles side by side, a lift, a raft and a turntable. Drop a level of your own (glTF, OBJ, PLY, STL) onto the view.',
  source: 'Linahan',
  hint: 'Run with W, A, S, D or the arrows, jump with Space, crouch with C. Gamepad and touch work too.',
  start(stage, panel) {
    let kind = 'capsule';
    let view: (typeof VIEWS)[number] = 'third person';
    let world = new World();
    let field: PlayingField | null = null;
    let hero: Character;
    let isLow = false;
    let time = 0;
    let cost = 0;
    const colours = {
      ground: stage.colour('soft'),
      thing: stage.colour('first'),
      moving: stage.colour('second'),
    };
    const body = new THREE.Mesh(
      new THREE.BufferGeometry(),
      new THREE.MeshStandardMaterial({ color: stage.colour('hit') }),
    );
    stage.content.add(body);
    const dress = () => {
      const { tall, low } = SHAPES[kind]!;
      body.geometry.dispose();
      body.geometry = drawn(isLow ? low : tall);
    };
    const enter = (make: (into: World) => PlayingField, x: number, y: number, z: number) => {
      // What cannot be used is found out before anything changes.
      const next = new World();
      const found = make(next);
      if (field) stage.remove(field.object);
      world = next;
      field = found;
      stage.content.add(field.object);
      isLow = false;
      hero = new Character(world, {
        ...SHAPES[kind]!.tall,
        position: { x, y, z },
        stepHeight: 0.35,
        slopeLimit: 0.8,
      });
      dress();
    };
    const home = () => enter((into) => playingField(into, colours), 0, 1.2, 1);
    const controls = new WalkControls(document.getElementById('view')!);
    home();
    stage.lookFrom(0, 3, 6);
    stage.onDrop = async (file) => {
      try {
        const level = await readModel(file.name, await file.arrayBuffer());
        const object = new THREE.Group().add(level);
        enter(
          (into) => {
            into.add(meshOf(object), { fixed: true });
            return { object, move: () => {} };
          },
          0,
          2,
          0,
        );
        const top = world.raycast({ origin: { x: 0, y: 1e4, z: 0 }, direction: { x: 0, y: -1, z: 0 } });
        if (top) hero.teleport({ x: 0, y: top.point.y + 1.2, z: 0 });
      } catch (error) {
        panel.clear();
        panel.notes([error instanceof Error ? error.message : String(error)]);
      }
    };
    panel.choice('Shape', Object.keys(SHAPES), kind, (next) => {
      kind = next;
      hero.resize(SHAPES[kind]!.tall);
      isLow = false;
      dress();
    });
    panel.choice('View', VIEWS, view, (next) => {
      view = next;
      stage.setDistance(view === 'first person' ? 0.05 : 6);
    });
    panel.button('Back to the start', home);
    const crouch = () => {
      if (controls.crouch === isLow) return;
      const { tall, low } = SHAPES[kind]!;
      if (!hero.resize(isLow ? tall : low)) return;
      isLow = !isLow;
      dress();
    };
    const step = (dt: number) => {
      time += dt;
      field?.move(time);
      world.update();
      controls.read();
      crouch();
      const [ahead, side] = stage.heading();
      hero.velocity.x = RUN * (ahead * controls.y - side * controls.x);
      hero.velocity.z = RUN * (side * controls.y + ahead * controls.x);
      if (hero.onFloor && controls.jump) hero.velocity.y = JUMP;
      else hero.velocity.y -= GRAVITY * dt;
      hero.moveAndSlide(dt);
      if (hero.position.y < -20) hero.teleport({ x: 0, y: 3, z: 0 });
    };
    const update = () => {
      const { x, y, z } = hero.position;
      body.position.set(x, y, z);
      body.visible = view === 'third person';
      stage.follow(x, y + 0.5, z);
      stage.marks.clear();
      if (view === 'third person') stage.marks.drawCharacter(hero);
      panel.clear();
      panel.show('position', { x, y, z });
      panel.show('on floor', hero.onFloor, hero.onFloor ? 'good' : undefined);
      panel.show('on wall', hero.onWall);
      panel.show('on ceiling', hero.onCeiling);
      panel.show('collisions', hero.collisions.length);
      panel.show('passes', hero.passes);
      panel.show('milliseconds a move', Number(cost.toFixed(3)));
      stage.invalidate();
    };
    stage.onFrame = (seconds) => {
      const start = performance.now();
      step(Math.min(seconds, 1 / 20));
      cost += 0.05 * (performance.now() - start - cost);
      update();
    };
    stage.onLeave = () => controls.close();
    return {
      update,
      state: () => ({ position: { ...hero.position }, onFloor: hero.onFloor, time }),
    };
  },
};
