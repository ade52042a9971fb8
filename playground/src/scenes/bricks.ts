import type { PolyhedralModel } from 'graze/continuous';
import * as THREE from 'three';
import { brickWall, explode, shoot } from '../physics/brick-wall.ts';
import type { RigidBody } from '../physics/rigid-body.ts';
import type { Simulation } from '../physics/simulation.ts';
import type { Scene } from '../scene.ts';

/** The polygons of a model, as triangles with flat shading. */
export function geometryOf({ points, polygonStart, polygonVertices }: PolyhedralModel): THREE.BufferGeometry {
  const positions: number[] = [];
  const put = (v: number) => positions.push(points[3 * v]!, points[3 * v + 1]!, points[3 * v + 2]!);
  for (let f = 0; f + 1 < polygonStart.length; f++)
    for (let k = polygonStart[f]! + 2; k < polygonStart[f + 1]!; k++) {
      put(polygonVertices[polygonStart[f]!]!);
      put(polygonVertices[k - 1]!);
      put(polygonVertices[k]!);
    }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.computeVertexNormals();
  return geometry;
}

const RATES = ['30', '60', '240'] as const;

export const bricks: Scene = {
  id: 'bricks',
  group: 'Motion',
  title: 'Brick wall',
  blurb:
    'Every motion is swept exactly, translation and rotation, and stopped where it meets something. So nothing ever sinks in, whatever the time step. The physics is a demonstration of a few hundred lines.',
  source: 'van Waveren 2005, §6',
  hint: 'Shoot at the wall, blow it up, build it again.',
  start(stage, panel) {
    let rate = 60;
    let simulation: Simulation;
    let shown = new Map<RigidBody, THREE.Mesh>();
    let left = 0;
    let steps = 0;
    let cost = 0;
    stage.lookFrom(2.4, 2.2, 5.2);
    const build = () => {
      for (const object of shown.values()) stage.remove(object);
      shown = new Map();
      simulation = brickWall(6, 10).simulation;
      steps = 0;
    };
    const show = () => {
      simulation.bodies.forEach((body, i) => {
        let object = shown.get(body);
        if (!object) {
          const tone = i === 0 ? 'soft' : body.inverseMass < 0.5 ? 'hit' : 'first';
          const colour = stage.colour(tone).clone();
          if (tone === 'first') colour.offsetHSL(0, 0, 0.06 * Math.sin(i * 5));
          object = new THREE.Mesh(
            geometryOf(body.model),
            new THREE.MeshStandardMaterial({ color: colour, flatShading: true, roughness: 0.9 }),
          );
          shown.set(body, object);
          stage.content.add(object);
        }
        const { position: p, quaternion: q } = body.pose;
        object.position.set(p.x, p.y - 1.2, p.z);
        object.quaternion.set(q.x, q.y, q.z, q.w);
      });
      stage.invalidate();
    };
    const update = () => {
      show();
      panel.clear();
      const moving = simulation.bodies.filter(({ asleep }) => !asleep).length;
      panel.show('bodies', simulation.bodies.length - 1);
      panel.show('moving', moving);
      panel.show('contacts', simulation.contacts.length);
      panel.show('steps', steps);
      panel.show('milliseconds a step', Number(cost.toFixed(2)));
    };
    panel.choice('Steps a second', RATES, '60', (value) => {
      rate = Number(value);
    });
    panel.button('Shoot', () => {
      const x = 2.4 * (Math.random() - 0.5);
      shoot(simulation, { x, y: 0.5, z: 3.5 }, { x: -x / 2, y: 1.5, z: -22 });
    });
    panel.button('Blow up', () => explode(simulation, { x: 0, y: 0.15, z: 0.25 }, 0.8));
    panel.button('Build again', () => {
      build();
      update();
    });
    build();
    stage.onFrame = (seconds) => {
      left = Math.min(left + seconds, 4 / rate);
      const start = performance.now();
      let done = 0;
      // If the machine cannot keep up, time goes slower.
      for (; left >= 1 / rate && performance.now() - start < 30; left -= 1 / rate, done++) {
        simulation.step(1 / rate);
        steps++;
      }
      if (done > 0) {
        cost += 0.1 * ((performance.now() - start) / done - cost);
        update();
      }
    };
    return {
      update,
      state: () => ({
        bodies: simulation.bodies.map(({ pose }) => ({
          position: { ...pose.position },
          quaternion: { ...pose.quaternion },
        })),
        steps,
      }),
    };
  },
};
