import { polyhedralModel } from 'graze';
import * as THREE from 'three';
import { maze } from '../physics/maze.ts';
import { Player } from '../physics/player.ts';
import type { Scene } from '../scene.ts';
import { geometryOf } from './bricks.ts';

const KEYS: Record<string, readonly [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  w: [0, -1],
  s: [0, 1],
  a: [-1, 0],
  d: [1, 0],
};

export const walk: Scene = {
  id: 'walk',
  group: 'Motion',
  title: 'Box through a level',
  blurb:
    'The same sweep moves a player, a plain box, through a level of a thousand polygons: it slides along walls, climbs steps, and never passes through anything. Nobody at the keys: it wanders by itself.',
  source: 'van Waveren 2005, §6',
  hint: 'Walk with the arrow keys or W, A, S, D.',
  start(stage, panel) {
    const cells = 6;
    const geometry = maze(cells);
    const level = polyhedralModel(geometry);
    const player = new Player({ x: 0.7, y: 0.9, z: 0.7 });
    const middle = cells * 2;
    const surface = new THREE.Mesh(
      geometryOf(level),
      new THREE.MeshStandardMaterial({ color: stage.colour('soft'), flatShading: true, roughness: 1 }),
    );
    const body = new THREE.Mesh(
      geometryOf(player.model),
      new THREE.MeshStandardMaterial({ color: stage.colour('hit'), flatShading: true }),
    );
    const scale = 0.25;
    const all = new THREE.Group();
    all.scale.setScalar(scale);
    all.position.set(-middle * scale, -1.2, -middle * scale);
    all.add(surface, body);
    stage.content.add(all);
    stage.lookFrom(0.5, 6, 4.5);
    const held = new Set<string>();
    const press = (event: KeyboardEvent) => {
      if (!(event.key in KEYS)) return;
      if (event.type === 'keydown') held.add(event.key);
      else held.delete(event.key);
      event.preventDefault();
    };
    window.addEventListener('keydown', press);
    window.addEventListener('keyup', press);
    stage.onLeave = () => {
      window.removeEventListener('keydown', press);
      window.removeEventListener('keyup', press);
    };
    let heading = 0.7;
    let steps = 0;
    let stuck = 0;
    const update = () => {
      const { x, y, z } = player.pose.position;
      body.position.set(x, y, z);
      panel.clear();
      panel.show('polygons', level.sources.length);
      panel.show('steps', steps);
      panel.show('position', { x, y, z });
      panel.show('on floor', player.onFloor);
      stage.invalidate();
    };
    stage.onFrame = (seconds) => {
      let [x, z] = [0, 0];
      for (const key of held) {
        x += KEYS[key]![0];
        z += KEYS[key]![1];
      }
      if (held.size === 0) {
        // Bounces off what stops it, at an odd angle.
        [x, z] = [Math.cos(heading), Math.sin(heading)];
        if (stuck > 6) {
          heading += 2.4;
          stuck = 0;
        }
      }
      const before = { ...player.pose.position };
      player.walk(level, 3 * x, 3 * z, Math.min(seconds, 1 / 20));
      const moved = Math.hypot(player.pose.position.x - before.x, player.pose.position.z - before.z);
      stuck = moved < seconds ? stuck + 1 : 0;
      steps++;
      update();
    };
    return { update, state: () => ({ position: { ...player.pose.position }, steps }) };
  },
};
