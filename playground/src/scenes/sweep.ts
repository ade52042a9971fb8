import * as THREE from 'three';
import { type Kind, Thing } from '../geometries.ts';
import { sweepHit } from '../queries.ts';
import type { Scene } from '../scene.ts';

const TARGETS = ['triangle', 'box', 'oriented box', 'sphere', 'plane'] satisfies Kind[];

export const sweep: Scene = {
  id: 'sweep',
  group: 'Primitives',
  title: 'Moving sphere',
  blurb:
    'The sphere moves from where it stands to the dot. The ghost shows where it first touches, exactly, however fast it goes.',
  source: 'RTCD §5.5',
  hint: 'Drag the sphere, the dot or the target.',
  start(stage, panel) {
    let kind: Kind = 'triangle';
    let target: Thing;
    let sphere: Thing;
    let goal: Thing;
    const ghost = new THREE.Mesh(
      new THREE.SphereGeometry(0.7, 40, 24),
      new THREE.MeshStandardMaterial({ color: stage.colour('hit'), transparent: true, opacity: 0.35 }),
    );

    const build = () => {
      stage.clear();
      target = new Thing(kind, stage.colour('second')).at(0.9, -0.1, 0).turned(0.5, -0.9, 0.2);
      sphere = new Thing('sphere', stage.colour('first')).at(-2.4, 0.8, 0.6);
      goal = new Thing('point', stage.colour('first')).at(2.9, -0.3, -0.5);
      for (const thing of [target, sphere, goal]) stage.addDraggable(thing.object);
      stage.content.add(ghost);
      stage.marks.normalLength = 0.6;
    };
    build();
    panel.choice('target', TARGETS, kind, (chosen) => {
      kind = chosen;
      build();
      stage.onChange();
    });

    const inputs = () => {
      const from = sphere.object.position;
      const to = goal.object.position;
      return {
        sphere: { center: { x: from.x, y: from.y, z: from.z }, radius: 0.7 },
        motion: { x: to.x - from.x, y: to.y - from.y, z: to.z - from.z },
        target: target.geometry(),
      };
    };

    return {
      update() {
        const { sphere: moving, motion, target: still } = inputs();
        const hit = sweepHit(moving, motion, still);
        const c = moving.center;
        const at = (t: number) => ({ x: c.x + t * motion.x, y: c.y + t * motion.y, z: c.z + t * motion.z });
        stage.marks.clear();
        stage.marks.drawLine(c, at(1), stage.colour('soft'));
        ghost.visible = hit !== null;
        if (hit) {
          ghost.position.copy(at(hit.t));
          stage.marks.drawPoint(hit.point, stage.colour('hit'));
          stage.marks.drawNormal(hit.point, hit.normal, stage.colour('hit'));
        }
        panel.show('hit', hit !== null, hit ? 'hit' : 'good');
        panel.show('fraction', hit?.t ?? null);
        panel.show('point', hit ? { ...hit.point } : null);
        panel.show('normal', hit ? { ...hit.normal } : null);
      },
      state: inputs,
    };
  },
};
