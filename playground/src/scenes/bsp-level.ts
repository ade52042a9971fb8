import {
  type Brush,
  type BspPortal,
  buildBrushBsp,
  containsPointBsp,
  leavesInViewBsp,
  portalsBsp,
  rayBsp,
  type SolidBsp,
  sweepAabbBsp,
} from 'graze/bsp';
import { type ReadonlyPlane, type Vec3, vec3 } from 'graze/math';
import * as THREE from 'three';
import { Thing } from '../geometries.ts';
import { placesOf, readMap, solidBrushes } from '../quake-map.ts';
import { fitBrushes, roomsLevel } from '../rooms-level.ts';
import type { Scene } from '../scene.ts';

/** Half the size of the box that moves. */
const BOX = 0.12;
/** The same in a map, in metres. */
const PLAYER = 0.4;
/** Half the angle of a view ahead. */
const HALF_ANGLE = Math.PI / 6;
const VIEWS = ['ahead', 'all around'] as const;

/** Four planes through the eye around the direction to the goal; in view is what is behind all of them. */
export function viewAhead(eye: Vec3, goal: Vec3): ReadonlyPlane[] {
  const ahead = new THREE.Vector3(goal.x - eye.x, goal.y - eye.y, goal.z - eye.z).normalize();
  const up = new THREE.Vector3(0, 1, 0);
  const side = new THREE.Vector3()
    .crossVectors(ahead, Math.abs(ahead.y) > 0.99 ? new THREE.Vector3(1) : up)
    .normalize();
  up.crossVectors(side, ahead);
  return [side, side.clone().negate(), up, up.clone().negate()].map((axis) => {
    const { x, y, z } = axis
      .multiplyScalar(Math.cos(HALF_ANGLE))
      .addScaledVector(ahead, -Math.sin(HALF_ANGLE));
    return { normal: vec3(x, y, z), d: x * eye.x + y * eye.y + z * eye.z };
  });
}

export const bspLevel: Scene = {
  id: 'bsp-level',
  group: 'Worlds',
  title: 'A level and its BSP tree',
  blurb:
    'Brushes divided by their planes into leaves. Empty leaves open into each other through portals, and whoever follows them finds what an eye sees. The box moves from the eye to the dot until it touches.',
  source: 'RTCD §8.2.3, §8.4, §7.6; Teller 1992',
  hint: 'Drag the eye or the dot through the doors. Drop a Quake .map to explore that.',
  start(stage, panel) {
    let bsp: SolidBsp;
    let portals: BspPortal[] = [];
    let level = new THREE.Group();
    let view: (typeof VIEWS)[number] = VIEWS[0];
    let problem = '';
    let half = BOX;
    /** What is so far above the eye is not drawn: so one looks into the rooms. */
    const cut = new THREE.Plane(new THREE.Vector3(0, -1, 0));
    let above = 0.2;
    const eye = new Thing('point', stage.colour('accent')).at(-3.4, 0.5, -3);
    const goal = new Thing('point', stage.colour('first')).at(0.56, 0.5, -1.46);
    const boxGeometry = new THREE.BoxGeometry(1, 1, 1);
    const mover = new THREE.Mesh(boxGeometry, new THREE.MeshStandardMaterial({ color: stage.colour('hit') }));
    const leaves = new THREE.Group();
    for (const thing of [eye, goal]) stage.addDraggable(thing.object);
    stage.content.add(mover, leaves);
    stage.lookFrom(3.5, 13.5, 9.5);

    const enter = (brushes: readonly Brush[]) => {
      bsp = buildBrushBsp(brushes);
      portals = portalsBsp(bsp);
      stage.remove(level);
      const shape = new THREE.BufferGeometry();
      shape.setAttribute(
        'position',
        new THREE.Float32BufferAttribute(
          bsp.polygons.flatMap((points) => points.flatMap(({ x, y, z }) => [x, y, z])),
          3,
        ),
      );
      shape.computeVertexNormals();
      const walls = new THREE.MeshStandardMaterial({
        color: stage.colour('second'),
        side: THREE.DoubleSide,
        clippingPlanes: [cut],
      });
      level = new THREE.Group().add(new THREE.Mesh(shape, walls));
      stage.content.add(level);
    };

    /** The eye where a player begins, and the goal where the level is open the farthest from there. */
    const standAt = (place: Vec3) => {
      let farthest = 0;
      for (let angle = 0; angle < 2 * Math.PI; angle += Math.PI / 8) {
        const direction = vec3(Math.cos(angle), 0, Math.sin(angle));
        const t = rayBsp({ origin: place, direction }, bsp)?.t ?? 0;
        if (t <= farthest) continue;
        farthest = t;
        goal.at(place.x + 0.7 * t * direction.x, place.y, place.z + 0.7 * t * direction.z);
      }
      eye.at(place.x, place.y, place.z);
      stage.follow(place.x, place.y, place.z);
      stage.setDistance(6);
    };

    const drawLeaves = (seen: readonly number[]) => {
      for (const child of leaves.children) ((child as THREE.Mesh).material as THREE.Material).dispose();
      leaves.clear();
      const material = new THREE.MeshBasicMaterial({
        color: stage.colour('good'),
        transparent: true,
        opacity: 0.16,
        depthWrite: false,
        clippingPlanes: [cut],
      });
      for (const leaf of seen) {
        const [ax, ay, az, bx, by, bz] = bsp.leafBounds.subarray(
          6 * leaf,
          6 * leaf + 6,
        ) as unknown as number[];
        const cell = new THREE.Mesh(boxGeometry, material);
        cell.position.set((ax! + bx!) / 2, (ay! + by!) / 2, (az! + bz!) / 2);
        cell.scale.set(0.97 * (bx! - ax!), 0.97 * (by! - ay!), 0.97 * (bz! - az!));
        leaves.add(cell);
      }
      const inView = new Set(seen);
      for (const { points, front, back } of portals)
        if (inView.has(front) && inView.has(back) && points.some(({ y }) => y < cut.constant))
          points.forEach((p, k) => {
            stage.marks.drawLine(p, points[(k + 1) % points.length]!, stage.colour('accent'));
          });
    };

    const inputs = () => {
      const { x, y, z } = eye.object.position;
      const { x: gx, y: gy, z: gz } = goal.object.position;
      return { eye: vec3(x, y, z), goal: vec3(gx, gy, gz), view };
    };

    const update = () => {
      const { eye: from, goal: to } = inputs();
      const motion = vec3(to.x - from.x, to.y - from.y, to.z - from.z);
      cut.constant = from.y + above;
      const started = performance.now();
      const seen = leavesInViewBsp(from, bsp, portals, view === 'ahead' ? viewAhead(from, to) : []);
      const time = performance.now() - started;
      const box = {
        min: vec3(from.x - half, from.y - half, from.z - half),
        max: vec3(from.x + half, from.y + half, from.z + half),
      };
      const hit = sweepAabbBsp(box, motion, bsp);
      const t = hit?.t ?? 1;
      const ray = rayBsp({ origin: from, direction: motion }, bsp);
      const end = vec3(from.x + t * motion.x, from.y + t * motion.y, from.z + t * motion.z);
      stage.marks.clear();
      drawLeaves(seen);
      mover.position.set(end.x, end.y, end.z);
      mover.scale.setScalar(2 * half);
      stage.marks.drawLine(from, ray ? ray.point : to, stage.colour('first'));
      if (hit) stage.marks.drawNormal(end, hit.normal, stage.colour('hit'));
      panel.clear();
      panel.show('leaves', bsp.leafCount);
      panel.show('empty', bsp.leafKinds.filter((kind) => kind === 0).length);
      panel.show('portals', portals.length);
      panel.show('in view', seen.length, 'good');
      panel.show('found in, ms', Number(time.toFixed(3)));
      panel.show(
        'eye in the solid',
        containsPointBsp(from, bsp),
        containsPointBsp(from, bsp) ? 'hit' : undefined,
      );
      panel.show('box stops at', hit?.t ?? null, hit ? 'hit' : undefined);
      panel.show('ray hits at', ray?.t ?? null);
      if (problem) panel.notes([problem]);
      stage.invalidate();
    };

    const read = async (file: File) => {
      try {
        const entities = readMap(await file.text());
        const { brushes, scale, placeOf } = fitBrushes(solidBrushes(entities), 5);
        enter(brushes);
        half = PLAYER * scale;
        const [start] = placesOf(entities, /^info_player/);
        if (start) standAt(placeOf(start));
        problem = '';
      } catch (error) {
        problem = `${file.name} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
      }
      update();
    };
    stage.onDrop = (file) => void read(file);
    panel.choice('the eye looks', VIEWS, view, (chosen) => {
      view = chosen;
      update();
    });
    panel.slider('cut above the eye', [-1, 5, 0.05], above, (height) => {
      above = height;
      update();
    });
    enter(roomsLevel());
    return { update, state: inputs };
  },
};
