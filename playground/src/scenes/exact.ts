import { nextUp, orient2d } from 'graze/math';
import * as THREE from 'three';
import type { Scene } from '../scene.ts';

const SIZE = 192;

/** The textbook formula, in plain floating point. */
const naive = (ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number =>
  (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);

export const exactSigns: Scene = {
  id: 'exact',
  group: 'Robustness',
  title: 'Exact signs',
  blurb:
    'On which side of a line does each point lie? One pixel is one step of the last digit of a double. On the left the textbook formula, on the right graze.',
  source: 'RTCD §11.5; Kettner et al. 2008',
  hint: 'Left and right should look the same.',
  start(stage, panel) {
    let offset = 0.5;
    const show = (x: number) => {
      const texture = new THREE.DataTexture(new Uint8Array(4 * SIZE * SIZE), SIZE, SIZE);
      texture.colorSpace = THREE.SRGBColorSpace;
      texture.magFilter = THREE.NearestFilter;
      const mesh = new THREE.Mesh(
        new THREE.PlaneGeometry(2.8, 2.8),
        new THREE.MeshBasicMaterial({ map: texture }),
      );
      mesh.position.set(x, 0, 0);
      stage.content.add(mesh);
      return texture;
    };
    const [left, right] = [show(-1.5), show(1.5)];
    stage.lookFrom(0, 0, 8.5);
    panel.slider('where', [0.1, 0.9, 0.05], offset, (value) => {
      offset = value;
      stage.onChange();
    });

    const ends = () => ({ b: { x: 12, y: 12 }, c: { x: 24, y: 24 }, start: offset });

    return {
      update() {
        const { b, c, start } = ends();
        const step = nextUp(start) - start;
        const bytes = [left.image.data, right.image.data] as Uint8Array[];
        const tones = ['second', 'good', 'first'].map((tone) => stage.colour(tone as 'first').getStyle());
        const rgb = tones.map((style) => style.match(/\d+/g)!.map(Number));
        const wrong = [0, 0];
        for (let j = 0; j < SIZE; j++)
          for (let i = 0; i < SIZE; i++) {
            const a = { x: start + i * step, y: start + j * step };
            const signs = [Math.sign(naive(a.x, a.y, b.x, b.y, c.x, c.y)), Math.sign(orient2d(a, b, c))];
            // The line is y = x: the truth needs no arithmetic. A point above it lies to the left.
            const truth = Math.sign(j - i);
            for (const k of [0, 1]) wrong[k] = wrong[k]! + +(signs[k] !== truth);
            for (const [k, sign] of signs.entries())
              bytes[k]!.set([...rgb[sign + 1]!.slice(0, 3), 255], 4 * (j * SIZE + i));
          }
        left.needsUpdate = right.needsUpdate = true;
        panel.show('points', SIZE * SIZE);
        panel.show('wrong by the formula', wrong[0]!, wrong[0]! > 0 ? 'hit' : 'good');
        panel.show('wrong by orient2d', wrong[1]!, wrong[1]! > 0 ? 'hit' : 'good');
      },
      state: ends,
    };
  },
};
