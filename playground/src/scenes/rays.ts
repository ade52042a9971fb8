import type { Hit } from 'graze/primitives';
import { type Kind, Thing } from '../geometries.ts';
import { rayHit } from '../queries.ts';
import type { Scene } from '../scene.ts';

const TARGETS = [
  'triangle',
  'sphere',
  'box',
  'oriented box',
  'capsule',
  'cylinder',
  'cone',
  'polyhedron',
] satisfies Kind[];
const PLACES = [
  [-2.1, 0.6, -0.8],
  [-0.7, -0.7, 0.2],
  [0.8, 0.5, -0.5],
  [2.3, -0.5, 0.3],
  [-2.2, -0.9, 1.1],
  [1.7, 0.9, -1.9],
  [0.4, 1.6, 0.1],
  [-0.6, 1.1, -1.7],
] as const;

export const rays: Scene = {
  id: 'rays',
  group: 'Primitives',
  title: 'Ray hits',
  blurb:
    'A fan of rays from the dot on the left towards the dot on the right, against eight primitives. The nearest hit of each ray is marked with its normal.',
  source: 'RTCD §5.3',
  hint: 'Drag the two dots, or any of the primitives.',
  start(stage, panel) {
    let count = 61;
    const things = TARGETS.map((kind, i) => {
      const [x, y, z] = PLACES[i]!;
      return new Thing(kind, stage.colour('second')).at(x, y, z).turned(i, 2 * i, 0.4 * i);
    });
    const from = new Thing('point', stage.colour('first')).at(-4.4, 0.3, 1.6);
    const to = new Thing('point', stage.colour('first')).at(3.6, 0.1, -0.4);
    for (const thing of [...things, from, to]) stage.addDraggable(thing.object);
    stage.marks.pointSize = 0.03;
    stage.lookFrom(4.6, 4.4, 8.4);
    panel.slider('rays', [1, 121, 2], count, (value) => {
      count = value;
      stage.onChange();
    });

    const fan = () => {
      const o = from.object.position;
      const d = to.object.position.clone().sub(o);
      return Array.from({ length: count }, (_, i) => {
        const turn = count === 1 ? 0 : (i / (count - 1) - 0.5) * 0.7;
        const direction = d.clone().applyAxisAngle(stage.camera.up, turn);
        return {
          origin: { x: o.x, y: o.y, z: o.z },
          direction: { x: direction.x, y: direction.y, z: direction.z },
        };
      });
    };

    return {
      update() {
        const targets = things.map((thing) => thing.geometry());
        let hits = 0;
        const middle: { t: number | null; kind: string | null } = { t: null, kind: null };
        stage.marks.clear();
        for (const [i, ray] of fan().entries()) {
          let best: Hit | null = null;
          let kind: string | null = null;
          for (const target of targets) {
            const hit = rayHit(ray, target);
            if (hit && (!best || hit.t < best.t)) [best, kind] = [hit, target.kind];
          }
          const { origin: o, direction: d } = ray;
          const t = best?.t ?? 1.3;
          const end = { x: o.x + t * d.x, y: o.y + t * d.y, z: o.z + t * d.z };
          stage.marks.drawLine(o, end, stage.colour('first'));
          if (best) {
            hits++;
            stage.marks.drawPoint(best.point, stage.colour('hit'));
            stage.marks.drawNormal(best.point, best.normal, stage.colour('hit'));
          }
          if (i === (count - 1) / 2) Object.assign(middle, { t: best?.t ?? null, kind });
        }
        panel.show('rays', count);
        panel.show('hits', hits);
        panel.show('middle ray t', middle.t);
        panel.show('middle ray hits', middle.kind);
      },
      state: () => ({ rays: fan(), targets: things.map((thing) => thing.geometry()) }),
    };
  },
};
