import { box, capsule, collider, type PairEvent, type Pose, type Shape, sphere, World } from 'graze';
import * as THREE from 'three';
import type { Scene } from '../scene.ts';
import { dot, line, setLine } from '../things.ts';

/** Half the side of the room that they move in. */
const ROOM = 2.6;
const RAYS = 60;
const KINDS: readonly { shape: Shape; geometry: () => THREE.BufferGeometry }[] = [
  { shape: sphere(0.14), geometry: () => new THREE.SphereGeometry(0.14, 16, 10) },
  { shape: box(0.16, 0.1, 0.12), geometry: () => new THREE.BoxGeometry(0.32, 0.2, 0.24) },
  { shape: capsule(0.12, 0.08), geometry: () => new THREE.CapsuleGeometry(0.08, 0.24, 6, 12) },
];

interface Drifter {
  readonly pose: Pose;
  readonly velocity: THREE.Vector3;
  readonly spin: THREE.Quaternion;
  readonly kind: number;
  id: number;
}

/** The same crowd every time: a small generator of our own. */
function crowd(count: number): Drifter[] {
  let seed = 12345;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const between = (size: number) => size * (2 * random() - 1);
  return Array.from({ length: count }, (_, i) => ({
    pose: {
      position: { x: between(ROOM), y: between(ROOM * 0.6), z: between(ROOM) },
      quaternion: new THREE.Quaternion().setFromEuler(new THREE.Euler(between(3), between(3), 0)),
    },
    velocity: new THREE.Vector3(between(0.7), between(0.7), between(0.7)),
    spin: new THREE.Quaternion().setFromEuler(new THREE.Euler(between(0.02), between(0.02), 0)),
    kind: i % KINDS.length,
    id: 0,
  }));
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
    const lamp = dot(stage.colour('accent'), 0.1);
    const asker = dot(stage.colour('good'), 0.1);
    lamp.position.set(-0.9, 1.4, 1);
    asker.position.set(1.4, 1.4, 1.4);
    stage.addDraggable(lamp);
    stage.addDraggable(asker);
    const beams = Array.from({ length: RAYS }, () => line(stage.colour('accent')));
    const nearest = line(stage.colour('good'));
    stage.content.add(...beams, nearest);

    const build = (count: number) => {
      for (const mesh of meshes) stage.remove(mesh);
      drifters = crowd(count);
      scene = new World();
      for (const drifter of drifters)
        drifter.id = scene.add(collider(KINDS[drifter.kind]!.shape, drifter.pose));
      meshes = KINDS.map(({ geometry }, kind) => {
        const material = new THREE.MeshStandardMaterial({ roughness: 0.6 });
        const mesh = new THREE.InstancedMesh(
          geometry(),
          material,
          drifters.filter((d) => d.kind === kind).length,
        );
        mesh.frustumCulled = false;
        stage.content.add(mesh);
        return mesh;
      });
      [entered, left, frames] = [0, 0, 0];
    };

    const drift = (seconds: number) => {
      for (const { pose, velocity, spin } of drifters) {
        const { position, quaternion } = pose;
        for (const axis of ['x', 'y', 'z'] as const) {
          const most = axis === 'y' ? ROOM * 0.6 : ROOM;
          position[axis] += velocity[axis] * seconds;
          if (Math.abs(position[axis]) > most && position[axis] * velocity[axis] > 0) velocity[axis] *= -1;
        }
        (quaternion as THREE.Quaternion).premultiply(spin).normalize();
      }
    };

    const paint = () => {
      const touching = new Set<number>();
      for (const { a, b, phase } of events) if (phase !== 'leave') touching.add(a).add(b);
      const places = KINDS.map(() => 0);
      const matrix = new THREE.Matrix4();
      const one = new THREE.Vector3(1, 1, 1);
      for (const { pose, kind, id } of drifters) {
        const mesh = meshes[kind]!;
        const at = places[kind]!++;
        const { x, y, z } = pose.position;
        mesh.setMatrixAt(
          at,
          matrix.compose(new THREE.Vector3(x, y, z), pose.quaternion as THREE.Quaternion, one),
        );
        mesh.setColorAt(at, stage.colour(touching.has(id) ? 'hit' : 'first'));
      }
      for (const mesh of meshes) {
        mesh.instanceMatrix.needsUpdate = true;
        if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      }
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
      const hits = rays().map((ray, i) => {
        const hit = scene.raycast(ray, { maxDistance: 8 });
        const t = hit?.t ?? 8;
        const { origin: o, direction: d } = ray;
        setLine(beams[i]!, o, hit?.point ?? { x: o.x + t * d.x, y: o.y + t * d.y, z: o.z + t * d.z });
        return hit;
      });
      const found = scene.nearest(asker.position);
      nearest.visible = found !== null;
      if (found) setLine(nearest, found.pointA, found.pointB);
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
    const plain = ({ position: p, quaternion: q }: Pose) => ({
      position: { x: p.x, y: p.y, z: p.z },
      quaternion: { x: q.x, y: q.y, z: q.z, w: q.w },
    });
    return {
      update,
      state: () => ({
        bodies: drifters.map(({ id, kind, pose }) => ({ id, kind, pose: plain(pose) })),
        touching: events.filter(({ phase }) => phase !== 'leave').map(({ a, b }) => [a, b]),
        rays: rays(),
        asker: { x: asker.position.x, y: asker.position.y, z: asker.position.z },
        frames,
      }),
    };
  },
};
