import { vec3 } from 'graze';
import { type LevelSetShape, LevelSetWorkers } from 'graze/shapes';
import * as THREE from 'three';
import { MODELS, Model } from '../models.ts';
import { RollingBall } from '../physics/rolling-ball.ts';
import type { Scene } from '../scene.ts';

const RADIUS = 0.14;
const SPACING = 0.03;
const RATE = 120;
/** Where it falls from, one after the other; and how low it has left the bunny for good. */
const STARTS = [vec3(0.45, 1.9, 0.3), vec3(0.2, 1.9, 0.35), vec3(0.6, 1.9, 0.2), vec3(-0.1, 1.9, 0.3)];
const GONE = -2;

export const levelSet: Scene = {
  id: 'level-set',
  group: 'Shapes',
  title: 'A level set that a ball rolls on',
  blurb:
    'The distances from the bunny are baked into a sparse grid by a thread, while the page goes on. The ball meets that grid, not the triangles: it falls, bounces and rolls, and never sinks in.',
  source: 'sampled signed distances, with a proved bound of their error',
  hint: 'It falls anew when it has left the bunny.',
  start(stage, panel) {
    stage.lookFrom(0.6, 1.7, 6);
    const bunny = new Model(MODELS.bunny(), stage.colour('second'));
    stage.content.add(bunny.object);
    const geometry = new THREE.IcosahedronGeometry(RADIUS, 2);
    const material = new THREE.MeshStandardMaterial({ color: stage.colour('first'), flatShading: true });
    const drawn = new THREE.Mesh(geometry, material);
    stage.content.add(drawn);
    const ball = new RollingBall(RADIUS);
    let drops = 0;
    const drop = () => ball.drop(STARTS[drops++ % STARTS.length]!);
    drop();

    let level: LevelSetShape | null = null;
    let baked = 0;
    let fault = '';
    let workers: LevelSetWorkers | null = null;
    const bake = () => {
      workers?.close();
      const mine = new LevelSetWorkers();
      workers = mine;
      level = null;
      baked = 0;
      fault = '';
      mine
        .levelSet(bunny.mesh, {
          spacing: SPACING,
          onProgress(done) {
            baked = done;
            update();
          },
        })
        .then(
          (done) => {
            level = done;
          },
          (error: Error) => {
            if (workers === mine) fault = error.message;
          },
        )
        .finally(() => {
          mine.close();
          update();
        });
    };
    panel.button('Bake again', bake);
    panel.button('Cancel', () => workers?.close());
    panel.button('Drop again', drop);
    stage.onLeave = () => workers?.close();

    let steps = 0;
    let cost = 0;
    const update = () => {
      const { position, quaternion: q } = ball.pose;
      drawn.position.set(position.x, position.y, position.z);
      drawn.quaternion.set(q.x, q.y, q.z, q.w);
      panel.clear();
      panel.show('baked', `${Math.round(100 * baked)} %`, level ? 'good' : 'hit');
      if (fault) panel.notes([fault]);
      if (level) {
        panel.show('fine blocks', level.grid.samples.length / 125);
        panel.show('error of the surface, at most', level.error);
        panel.show('least gap so far', ball.least === Infinity ? null : ball.least);
        panel.show('rolled', ball.rolled);
        panel.show('milliseconds a step', cost);
      }
      stage.invalidate();
    };
    bake();
    let left = 0;
    stage.onFrame = (seconds) => {
      if (level === null) return;
      left = Math.min(left + seconds, 4 / RATE);
      for (; left >= 1 / RATE; left -= 1 / RATE) {
        const start = performance.now();
        ball.step(level, 1 / RATE);
        cost += 0.1 * (performance.now() - start - cost);
        steps++;
        if (ball.pose.position.y < GONE) drop();
      }
      update();
    };
    return {
      update,
      state: () => ({
        baked,
        fault,
        isReady: level !== null,
        steps,
        least: ball.least,
        rolled: ball.rolled,
        position: { ...ball.pose.position },
      }),
    };
  },
};
