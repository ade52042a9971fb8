import {
  box,
  type CastHit,
  capsule,
  cast,
  collider,
  csg,
  cylinder,
  type Shape,
  sdf,
  signedDistance,
  sphere,
  vec3,
} from 'graze';
import { meshOf } from 'graze/three';
import * as THREE from 'three';
import { Thing } from '../geometries.ts';
import type { Scene } from '../scene.ts';

const RADIUS = 0.45;

/** Solids without corners, faces or a support map. */
const SOLIDS: Record<string, () => Shape> = {
  'a plate with a hole': () => csg('difference', [box(2, 0.3, 2), cylinder(1, 0.6)]),
  'a knot without a ball': () =>
    csg('difference', [
      meshOf(new THREE.TorusKnotGeometry(1, 0.35, 96, 12)),
      { shape: sphere(0.8), pose: at(0.9, 0, 0) },
    ]),
  'a crossing of two tubes': () =>
    csg('intersection', [
      capsule(1.4, 0.8),
      {
        shape: capsule(1.4, 0.8),
        pose: { position: vec3(), quaternion: { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 } },
      },
    ]),
  'a gyroid': () =>
    sdf(
      ({ x, y, z }) => {
        const [a, b, c] = [3 * x, 3 * y, 3 * z];
        const wave = Math.sin(a) * Math.cos(b) + Math.sin(b) * Math.cos(c) + Math.sin(c) * Math.cos(a);
        return Math.abs(wave) / 6 - 0.05;
      },
      { min: vec3(-1.5, -1.2, -1.5), max: vec3(1.5, 1.2, 1.5) },
    ),
};

const at = (x: number, y: number, z: number) => ({
  position: vec3(x, y, z),
  quaternion: { x: 0, y: 0, z: 0, w: 1 },
});

export const carve: Scene = {
  id: 'carve',
  group: 'Shapes',
  title: 'Carved solids',
  blurb:
    'Solids that are known by distances only: carved out of others, meshes among them, or a formula. The ball moves to the dot, and stops where it touches.',
  source: 'generalized contact determination',
  hint: 'Drag the ball or the dot: through the hole, if it fits.',
  start(stage, panel) {
    let solid: Shape = SOLIDS['a plate with a hole']!();
    const ball = new Thing('sphere', stage.colour('first')).at(0.3, 2.2, 0.1);
    ball.object.scale.setScalar(RADIUS / 0.7);
    const goal = new Thing('point', stage.colour('first')).at(0.1, -2.2, 0);
    const ghost = new THREE.Mesh(
      new THREE.SphereGeometry(RADIUS, 40, 24),
      new THREE.MeshStandardMaterial({ color: stage.colour('hit'), transparent: true, opacity: 0.4 }),
    );
    for (const thing of [ball, goal]) stage.addDraggable(thing.object);
    stage.content.add(ghost);
    stage.marks.normalLength = 0.6;
    panel.choice('solid', Object.keys(SOLIDS), 'a plate with a hole', (chosen) => {
      solid = SOLIDS[chosen]!();
      stage.onChange();
    });

    const inputs = () => {
      const { x, y, z } = ball.object.position;
      const { x: gx, y: gy, z: gz } = goal.object.position;
      return { from: vec3(x, y, z), translation: vec3(gx - x, gy - y, gz - z) };
    };

    return {
      update() {
        const { from, translation } = inputs();
        const started = performance.now();
        const hit: CastHit | null = cast(
          collider(sphere(RADIUS), at(from.x, from.y, from.z)),
          { translation },
          solid,
        );
        const time = performance.now() - started;
        const along = (t: number) =>
          vec3(from.x + t * translation.x, from.y + t * translation.y, from.z + t * translation.z);
        const end = along(hit?.t ?? 1);
        stage.marks.clear();
        stage.marks.drawBody(solid, stage.colour('second'));
        stage.marks.drawLine(from, along(1), stage.colour('soft'));
        ghost.position.copy(end);
        if (hit) {
          stage.marks.drawPoint(hit.point, stage.colour('hit'));
          stage.marks.drawNormal(hit.point, hit.normal, stage.colour('hit'));
        }
        panel.show('hit', hit !== null, hit ? 'hit' : 'good');
        panel.show('fraction', hit?.t ?? null);
        panel.show('gap at the end', signedDistance(end, solid) - RADIUS);
        panel.show('cast, ms', time);
        panel.show('normal', hit ? { ...hit.normal } : null);
      },
      state: inputs,
    };
  },
};
