import { box, capsule, type PairEvent, type Shape, sphere, World } from 'graze';
import { collidersOf, type ObjectCollider } from 'graze/three';
import * as THREE from 'three';
import { Thing } from '../geometries.ts';
import type { Scene } from '../scene.ts';

/** Half the side of the room that they move in. */
const ROOM = 2.6;
const RAYS = 60;
const KINDS: readonly { shape: Shape; geometry: () => THREE.BufferGeometry }[] = [
  { shape: sphere(0.14), geometry: () => new THREE.SphereGeometry(0.14, 16, 10) },
  { shape: box(0.16, 0.1, 0.12), geometry: () => new THREE.BoxGeometry(0.32, 0.2, 0.24) },
  { shape: capsule(0.12, 0.08), geometry: () => new THREE.CapsuleGeometry(0.08, 0.24, 6, 12) },
];

/** One of the crowd: an instance of a mesh that moves. The world sees it as a collider that follows the instance. */
interface Drifter {
  readonly collider: ObjectCollider;
  readonly id: number;
  readonly kind: number;
  readonly position: THREE.Vector3;
  readonly quaternion: THREE.Quaternion;
  readonly velocity: THREE.Vector3;
  readonly spin: THREE.Quaternion;
}

/** The same numbers every time: a small generator of our own. */
function generator(): (size: number) => number {
  let seed = 12345;
  return (size) => {
    seed = (seed * 16807) % 2147483647;
    return size * ((2 * seed) / 2147483647 - 1);
  };
}

export const world: Scene = {
  id: 'world',
  group: 'Worlds',
  title: 'A world of shapes',
  blurb:
    'Hundreds of shapes on the move. Every frame the world tells who begins and who ceases to touch; rays and the nearest shape are asked for without a step. What touches is bright.',
  source: 'RTCD §2.4, §7',
  hint: 'Drag the source of the rays, or the point that asks for its nearest shape.',
  start(stage, panel) {
    let drifters: Drifter[] = [];
    let scene = new World();
    let meshes: THREE.InstancedMesh[] = [];
    let events: PairEvent[] = [];
    let [entered, left, frames, cost] = [0, 0, 0, 0];
    let paused = false;
    stage.lookFrom(4.6, 3.2, 6.6);
    const lamp = new Thing('point', stage.colour('accent')).object;
    const asker = new Thing('point', stage.colour('good')).object;
    lamp.position.set(-0.9, 1.4, 1);
    asker.position.set(1.4, 1.4, 1.4);
    stage.addDraggable(lamp);
    stage.addDraggable(asker);

    const one = new THREE.Vector3(1, 1, 1);
    const matrix = new THREE.Matrix4();
    const place = ({ collider, kind, position, quaternion }: Drifter) =>
      meshes[kind]!.setMatrixAt(collider.instanceId!, matrix.compose(position, quaternion, one));

    const build = (count: number) => {
      for (const mesh of meshes) stage.remove(mesh);
      const between = generator();
      scene = new World();
      drifters = [];
      meshes = KINDS.map(({ shape, geometry }, kind) => {
        const size = Math.floor((count + KINDS.length - 1 - kind) / KINDS.length);
        const mesh = new THREE.InstancedMesh(
          geometry(),
          new THREE.MeshStandardMaterial({ roughness: 0.6 }),
          size,
        );
        mesh.frustumCulled = false;
        stage.content.add(mesh);
        for (let i = 0; i < size; i++) mesh.setMatrixAt(i, matrix.identity());
        for (const collider of collidersOf(mesh, { shape }))
          drifters.push({
            collider,
            id: scene.add(collider),
            kind,
            position: new THREE.Vector3(between(ROOM), between(ROOM * 0.6), between(ROOM)),
            quaternion: new THREE.Quaternion().setFromEuler(new THREE.Euler(between(3), between(3), 0)),
            velocity: new THREE.Vector3(between(0.7), between(0.7), between(0.7)),
            spin: new THREE.Quaternion().setFromEuler(new THREE.Euler(between(0.02), between(0.02), 0)),
          });
        return mesh;
      });
      for (const drifter of drifters) place(drifter);
      [entered, left, frames] = [0, 0, 0];
    };

    const drift = (seconds: number) => {
      for (const drifter of drifters) {
        const { position, quaternion, velocity, spin } = drifter;
        for (const axis of ['x', 'y', 'z'] as const) {
          const most = axis === 'y' ? ROOM * 0.6 : ROOM;
          position[axis] += velocity[axis] * seconds;
          if (Math.abs(position[axis]) > most && position[axis] * velocity[axis] > 0) velocity[axis] *= -1;
        }
        quaternion.premultiply(spin).normalize();
        place(drifter);
      }
      for (const mesh of meshes) mesh.instanceMatrix.needsUpdate = true;
    };

    const paint = () => {
      const touching = new Set<number>();
      for (const { a, b, phase } of events) if (phase !== 'leave') touching.add(a).add(b);
      for (const { collider, kind, id } of drifters)
        meshes[kind]!.setColorAt(collider.instanceId!, stage.colour(touching.has(id) ? 'hit' : 'first'));
      for (const mesh of meshes) mesh.instanceColor!.needsUpdate = true;
    };

    const rays = () =>
      Array.from({ length: RAYS }, (_, i) => {
        const angle = (i / RAYS) * 2 * Math.PI;
        return {
          origin: { x: lamp.position.x, y: lamp.position.y, z: lamp.position.z },
          direction: { x: Math.cos(angle), y: -0.25, z: Math.sin(angle) },
        };
      });

    const update = () => {
      const start = performance.now();
      events = scene.update();
      cost += 0.1 * (performance.now() - start - cost);
      frames++;
      entered += events.filter(({ phase }) => phase === 'enter').length;
      left += events.filter(({ phase }) => phase === 'leave').length;
      paint();
      stage.marks.clear();
      const hits = rays().map((ray) => {
        const hit = scene.raycast(ray, { maxDistance: 8 });
        stage.marks.drawRay(ray, hit, 8);
        return hit;
      });
      const found = scene.nearest(asker.position);
      if (found) stage.marks.drawLine(found.pointA, found.pointB, stage.colour('good'));
      panel.clear();
      panel.show('shapes', scene.size);
      panel.show('pairs that touch', events.filter(({ phase }) => phase !== 'leave').length, 'hit');
      panel.show('began to touch', entered);
      panel.show('ceased to', left);
      panel.show('pairs looked at', scene.stats.asked);
      panel.show('of', (scene.size * (scene.size - 1)) / 2);
      panel.show('milliseconds an update', Number(cost.toFixed(2)));
      panel.show('rays that hit', hits.filter((hit) => hit !== null).length);
      panel.show('nearest shape', found?.id ?? null);
      panel.show('its distance', found?.separation ?? null, 'good');
      stage.invalidate();
    };

    panel.choice('shapes', ['100', '300', '1000'], '300', (value) => {
      build(Number(value));
      update();
    });
    panel.button('Stop and go', () => {
      paused = !paused;
    });
    build(300);
    stage.onFrame = (seconds) => {
      if (paused) return;
      drift(Math.min(seconds, 1 / 30));
      update();
    };
    return {
      update,
      state: () => ({
        bodies: drifters.map(({ id, kind, collider: { pose } }) => {
          const { position: p, quaternion: q } = pose;
          return {
            id,
            kind,
            pose: { position: { x: p.x, y: p.y, z: p.z }, quaternion: { x: q.x, y: q.y, z: q.z, w: q.w } },
          };
        }),
        touching: events.filter(({ phase }) => phase !== 'leave').map(({ a, b }) => [a, b]),
        rays: rays(),
        asker: { x: asker.position.x, y: asker.position.y, z: asker.position.z },
        frames,
      }),
    };
  },
};
