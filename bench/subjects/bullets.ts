/**
 * The example of "Precise Generalized Contact Point and Normal Determination": a hundred bullets of 640 triangles at 1000 m/s, onto and
 * through a sheet of 2010 triangles; one simulated second in steps of 0.1 s. The paper took about 201 s on a Core Duo of 3 GHz.
 */
import { BulletScene } from '../../playground/src/physics/bullets.ts';
import { measure, report } from '../harness.ts';

function second(): BulletScene {
  const scene = new BulletScene();
  for (let i = 0; i < 10; i++) scene.step();
  return scene;
}

report(
  measure({
    title: 'bullets, one simulated second',
    calls: 1,
    rounds: 11,
    passes: 1,
    contenders: [
      {
        name: 'graze',
        run: () => second().bullets[0]!.pose.position.x,
        wrong: () => second().bullets.filter(({ isThrough, impacts }) => isThrough === impacts > 0).length,
      },
    ],
  }).flatMap((row) => [
    row,
    {
      ...row,
      contender: 'as printed in the paper',
      nanoseconds: 201e9,
      ratio: 201e9 / row.nanoseconds,
      wrong: null,
    },
  ]),
);
