import * as THREE from 'three';
import { Cloth, type ClothTest, FLOOR } from '../physics/cloth.ts';
import type { Scene } from '../scene.ts';

const RATE = 30;
const RADIUS = 0.35;
/** After so many steps they fall anew. */
const LAST = 8 * RATE;
const SIDES: readonly ClothTest[] = ['motion', 'frame ends'];

export const cloth: Scene = {
  id: 'cloth',
  group: 'Motion',
  title: 'Cloth, exactly',
  blurb:
    'A cloth falls over a ball and onto itself, at 30 steps a second. On the left, the motion of every vertex, edge and face over the whole step is tested, exactly: nothing ever passes through anything. On the right, only the ends of the steps are looked at.',
  source: 'Bridson, Fedkiw, Anderson 2002',
  hint: 'The counters say what went through what.',
  start(stage, panel) {
    stage.lookFrom(-0.1, 1.5, 6.6);
    let cloths: Cloth[] = [];
    let left = 0;
    let cost = 0;
    const sheets = SIDES.map((_, side) => {
      const geometry = new THREE.BufferGeometry();
      const material = new THREE.MeshStandardMaterial({
        color: stage.colour(side === 0 ? 'first' : 'hit'),
        side: THREE.DoubleSide,
        flatShading: true,
        roughness: 0.9,
      });
      const sheet = new THREE.Mesh(geometry, material);
      const ball = new THREE.Mesh(
        new THREE.SphereGeometry(RADIUS, 40, 24),
        new THREE.MeshStandardMaterial({ color: stage.colour('second'), roughness: 0.6 }),
      );
      const group = new THREE.Group();
      group.position.set(side === 0 ? -1.4 : 1.4, 0, 0);
      group.add(sheet, ball);
      stage.content.add(group);
      return geometry;
    });
    const floor = new THREE.Mesh(
      new THREE.BoxGeometry(7, 0.02, 4),
      new THREE.MeshStandardMaterial({ color: stage.colour('soft'), roughness: 1 }),
    );
    floor.position.y = FLOOR - 0.02;
    stage.content.add(floor);

    const drop = () => {
      cloths = SIDES.map((test) => new Cloth(test, 22, RADIUS));
      sheets.forEach((geometry, i) => {
        geometry.setIndex(cloths[i]!.indices);
        geometry.setAttribute('position', new THREE.Float32BufferAttribute(cloths[i]!.positions, 3));
      });
    };
    const update = () => {
      sheets.forEach((geometry, i) => {
        const position = geometry.getAttribute('position');
        position.array.set(cloths[i]!.positions);
        position.needsUpdate = true;
        geometry.computeBoundingSphere();
      });
      panel.clear();
      panel.show('steps', cloths[0]!.steps);
      panel.show('passed through, whole motion', cloths[0]!.passed, cloths[0]!.passed === 0 ? 'good' : 'hit');
      panel.show('passed through, frame ends', cloths[1]!.passed, cloths[1]!.passed === 0 ? 'good' : 'hit');
      panel.show('corrections', cloths[0]!.corrections);
      panel.show('milliseconds a step', Number(cost.toFixed(1)));
      stage.invalidate();
    };
    panel.button('Drop again', () => {
      drop();
      update();
    });
    drop();
    stage.onFrame = (seconds) => {
      left = Math.min(left + seconds, 2 / RATE);
      if (left < 1 / RATE) return;
      left -= 1 / RATE;
      const start = performance.now();
      if (cloths[0]!.steps >= LAST) drop();
      for (const one of cloths) one.step(1 / RATE);
      cost += 0.1 * (performance.now() - start - cost);
      update();
    };
    return {
      update,
      state: () => ({ steps: cloths[0]!.steps, passed: cloths.map(({ passed }) => passed) }),
    };
  },
};
