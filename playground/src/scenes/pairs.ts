import { contacts, distance, intersects } from 'graze';
import { relativeFrame, supportCore } from 'graze/convex';
import * as THREE from 'three';
import { gjkSteps } from '../gjk-steps.ts';
import type { Scene } from '../scene.ts';
import { SHAPE_NAMES, type ShapeName, ShapeThing } from '../shape-models.ts';

const MARGIN = 0.05;

export const pairs: Scene = {
  id: 'pairs',
  group: 'Shapes',
  title: 'Any two shapes',
  blurb:
    'Every pair of shapes answers every question: do they meet, how far apart or how deep, where do they touch. For convex pairs, the slider goes through the points that GJK asks for, step by step.',
  source: 'RTCD §9.5',
  hint: 'Drag a shape; hold Shift, or choose Turn, to turn it.',
  start(stage, panel) {
    const names: [ShapeName, ShapeName] = ['box', 'cylinder'];
    const tones = ['first', 'second'] as const;
    const things: ShapeThing[] = [];
    let step = 0;
    const put = (i: number): void => {
      const old = things[i];
      const thing = new ShapeThing(names[i]!, stage.colour(tones[i]!));
      if (old) {
        thing.object.position.copy(old.object.position);
        thing.object.quaternion.copy(old.object.quaternion);
        stage.remove(old.object);
      } else {
        thing.object.position.set(i === 0 ? -1.2 : 1, i === 0 ? 0.3 : -0.2, 0);
        thing.object.quaternion.setFromEuler(new THREE.Euler(0.4 * i, 0.3, 0.5 - i));
      }
      things[i] = thing;
      stage.addDraggable(thing.object);
    };
    put(0);
    put(1);
    for (const i of [0, 1] as const)
      panel.choice(i === 0 ? 'first' : 'second', SHAPE_NAMES, names[i], (name) => {
        names[i] = name;
        put(i);
        stage.onChange();
      });
    panel.slider('GJK step', [0, 30, 1], step, (value) => {
      step = value;
      stage.onChange();
    });

    return {
      update() {
        const [a, b] = things as [ShapeThing, ShapeThing];
        const found = distance(a.collider, b.collider)!;
        const overlap = intersects(a.collider, b.collider);
        const { marks } = stage;
        marks.clear();
        if (found.separation > -Infinity) {
          marks.drawLine(found.pointA, found.pointB, stage.colour('hit'));
          for (const end of [found.pointA, found.pointB]) marks.drawPoint(end, stage.colour('hit'));
        }
        const touching = contacts(a.collider, b.collider, { margin: MARGIN });
        marks.drawContacts(touching, stage.colour('good'));
        const steps = gjkSteps(
          a.shape,
          b.shape,
          relativeFrame(a.object, b.object),
          (core, d, out) => void supportCore(core, d, -1, out),
        );
        const shown = steps[step - 1];
        if (shown) {
          a.object.updateMatrixWorld();
          b.object.updateMatrixWorld();
          const p = a.object.localToWorld(new THREE.Vector3().copy(shown.a));
          const q = b.object.localToWorld(new THREE.Vector3().copy(shown.b));
          marks.drawLine(p, q, stage.colour('accent'));
          for (const end of [p, q]) marks.drawPoint(end, stage.colour('accent'));
        }
        panel.show('meet', overlap, overlap ? 'hit' : 'good');
        panel.show('separation', found.separation);
        panel.show('on the first', found.pointA);
        panel.show('on the second', found.pointB);
        panel.show('normal', found.normal);
        panel.show(`contacts within ${MARGIN}`, touching.length);
        panel.show('GJK steps', steps.length);
      },
      state: () => ({
        names: [...names],
        poses: things.map(({ object: { position: p, quaternion: q } }) => ({
          position: { x: p.x, y: p.y, z: p.z },
          quaternion: { x: q.x, y: q.y, z: q.z, w: q.w },
        })),
      }),
    };
  },
};
