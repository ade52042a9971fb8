import { Thing } from '../geometries.ts';
import { CLOSEST } from '../queries.ts';
import type { Scene } from '../scene.ts';

const label = (pair: (typeof CLOSEST)[number]): string => `${pair.first} – ${pair.second}`;

export const closest: Scene = {
  id: 'closest',
  group: 'Primitives',
  title: 'Closest points',
  blurb: 'Drag either thing. The line joins the two closest points; it vanishes when they meet.',
  source: 'RTCD §5.1',
  hint: 'Drag a thing to move it, with Shift (or Turn) to turn it. Drag the background to look around.',
  start(stage, panel) {
    let pair = CLOSEST[0]!;
    let a: Thing;
    let b: Thing;

    const build = () => {
      stage.clear();
      a = new Thing(pair.first, stage.colour('first')).at(-1.2, 0.7, 0.5).turned(0.3, 0.5, 0.2);
      b = new Thing(pair.second, stage.colour('second')).at(1, -0.3, -0.2).turned(-0.5, 0.3, 0.1);
      stage.addDraggable(a.object);
      stage.addDraggable(b.object);
    };
    build();
    panel.choice('pair', CLOSEST.map(label), label(pair), (chosen) => {
      pair = CLOSEST.find((p) => label(p) === chosen)!;
      build();
      stage.onChange();
    });

    return {
      update() {
        const found = pair.ask(a.geometry(), b.geometry());
        stage.marks.clear();
        stage.marks.drawLine(found.a, found.b, stage.colour('text'));
        stage.marks.drawPoint(found.a, stage.colour('first'));
        stage.marks.drawPoint(found.b, stage.colour('second'));
        panel.show('distance', Math.sqrt(found.distanceSq), found.distanceSq === 0 ? 'hit' : undefined);
        panel.show('on the first', found.a);
        panel.show('on the second', found.b);
        panel.show('function', pair.name);
      },
      state: () => ({ pair: label(pair), a: a.geometry(), b: b.geometry() }),
    };
  },
};
