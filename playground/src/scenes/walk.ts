import { polyhedralModel } from 'graze/continuous';
import * as THREE from 'three';
import { WalkControls } from '../controls.ts';
import { maze } from '../physics/maze.ts';
import { Player } from '../physics/player.ts';
import type { Scene } from '../scene.ts';
import { geometryOf } from './bricks.ts';

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
    const controls = new WalkControls(document.getElementById('view')!);
    stage.onLeave = () => controls.close();
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
      controls.read();
      let [x, z] = [controls.x, -controls.y];
      if (x === 0 && z === 0) {
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
