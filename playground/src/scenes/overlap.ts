import { Thing } from '../geometries.ts';
import { OVERLAP } from '../queries.ts';
import type { Scene } from '../scene.ts';

const label = (pair: (typeof OVERLAP)[number]): string => `${pair.first} – ${pair.second}`;

export const overlap: Scene = {
  id: 'overlap',
  group: 'Primitives',
  title: 'Overlap',
  blurb: 'Do they share a point? Touching counts. Both turn red as soon as they do.',
  source: 'RTCD §4.2–4.5, §5.2',
  hint: 'Drag a thing to move it, with Shift (or Turn) to turn it. Drag the background to look around.',
  start(stage, panel) {
    let pair = OVERLAP[0]!;
    let a: Thing;
    let b: Thing;

    const build = () => {
      stage.clear();
      a = new Thing(pair.first, stage.colour('first')).at(-0.9, 0.4, 0.3).turned(0.3, 0.5, 0.2);
      b = new Thing(pair.second, stage.colour('second')).at(0.8, -0.2, -0.1).turned(0.6, -0.9, 0.1);
      stage.addDraggable(a.object);
      stage.addDraggable(b.object);
    };
    build();
    panel.choice('pair', OVERLAP.map(label), label(pair), (chosen) => {
      pair = OVERLAP.find((p) => label(p) === chosen)!;
      build();
      stage.onChange();
    });

    return {
      update() {
        const meet = pair.ask(a.geometry(), b.geometry());
        a.paint(meet ? stage.colour('hit') : stage.colour('first'));
        b.paint(meet ? stage.colour('hit') : stage.colour('second'));
        panel.show('overlap', meet, meet ? 'hit' : 'good');
        panel.show('function', pair.name);
      },
      state: () => ({ pair: label(pair), a: a.geometry(), b: b.geometry() }),
    };
  },
};
