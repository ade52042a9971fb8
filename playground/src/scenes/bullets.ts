import * as THREE from 'three';
import { geometryOf } from '../models.ts';
import { BulletScene, poseAt } from '../physics/bullets.ts';
import type { Scene } from '../scene.ts';

const STEPS = 10;
/** On screen a millisecond of a bullet takes half a second: from so much before it is at the sheet to so much after. */
const SLOWER = 500;
const FROM = -0.004;
const TO = 0.006;
/** How long the line behind a bullet is, in seconds of its flight. */
const TRAIL = 0.0004;
/** As printed, on a Core Duo of 3 GHz. */
const PAPER = 201;

export const bullets: Scene = {
  id: 'bullets',
  group: 'Motion',
  title: 'A hundred bullets',
  blurb:
    'A hundred bullets of 640 triangles fly onto a warped sheet of 2010 with a hole in it, at 1000 m/s and in steps of a tenth of a second: a hundred metres at a time. Each is shown in the milliseconds around its own meeting with the sheet.',
  source: 'Precise Generalized Contact Point and Normal Determination',
  hint: 'Those aimed at the hole fly through it; all others hit the sheet.',
  start(stage, panel) {
    stage.lookFrom(-4.4, 1.6, 4.2);
    let shot = new BulletScene();
    const sheet = new THREE.Mesh(
      geometryOf(shot.sheetMesh),
      new THREE.MeshStandardMaterial({
        color: stage.colour('second'),
        side: THREE.DoubleSide,
        roughness: 0.8,
        flatShading: true,
      }),
    );
    sheet.geometry.computeVertexNormals();
    const geometry = geometryOf(shot.bulletMesh);
    geometry.computeVertexNormals();
    const count = shot.bullets.length;
    const flying = new THREE.InstancedMesh(
      geometry,
      new THREE.MeshStandardMaterial({ roughness: 0.5 }),
      count,
    );
    // They leave the view, and come back.
    flying.frustumCulled = false;
    const trails = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: stage.colour('soft') }),
    );
    trails.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6 * count), 3));
    trails.frustumCulled = false;
    stage.content.add(sheet, flying, trails);

    let milliseconds = 0;
    let time = FROM;
    const fire = () => {
      shot = new BulletScene();
      const start = performance.now();
      for (let i = 0; i < STEPS; i++) shot.step();
      milliseconds = performance.now() - start;
      time = FROM;
      shot.bullets.forEach(({ isThrough }, i) => {
        flying.setColorAt(i, stage.colour(isThrough ? 'first' : 'hit'));
      });
    };
    panel.button('Fire again', () => {
      fire();
      update();
    });

    const matrix = new THREE.Matrix4();
    const scale = new THREE.Vector3(1, 1, 1);
    const update = () => {
      const position = trails.geometry.getAttribute('position');
      shot.bullets.forEach((bullet, i) => {
        const { position: p, quaternion: q } = poseAt(bullet, bullet.flight + time);
        matrix.compose(new THREE.Vector3(p.x, p.y, p.z), new THREE.Quaternion(q.x, q.y, q.z, q.w), scale);
        flying.setMatrixAt(i, matrix);
        const { position: behind } = poseAt(bullet, bullet.flight + time - TRAIL);
        position.setXYZ(2 * i, p.x, p.y, p.z);
        position.setXYZ(2 * i + 1, behind.x, behind.y, behind.z);
      });
      flying.instanceMatrix.needsUpdate = true;
      position.needsUpdate = true;
      const { through, hit, wrong } = tally();
      panel.clear();
      panel.show('through the hole', through, 'good');
      panel.show('hit the sheet', hit, 'hit');
      panel.show('not as aimed', wrong, wrong === 0 ? 'good' : 'hit');
      panel.show('milliseconds from the sheet', 1000 * time);
      panel.show('one second took, seconds', milliseconds / 1000, 'good');
      panel.show('in the paper, seconds', PAPER);
      panel.show('times faster', Math.round((1000 * PAPER) / milliseconds));
      stage.invalidate();
    };
    const tally = () => {
      const hit = shot.bullets.filter(({ impacts }) => impacts > 0).length;
      const wrong = shot.bullets.filter(({ isThrough, impacts }) => isThrough === impacts > 0).length;
      return { through: count - hit, hit, wrong };
    };
    fire();
    stage.onFrame = (seconds) => {
      time += seconds / SLOWER;
      if (time > TO) time = FROM;
      update();
    };
    return { update, state: () => ({ ...tally(), milliseconds, time }) };
  },
};
