/** Inside of the closed geometries of three.js: every question has the same opinion, and it is that of the formula. */
import * as THREE from 'three';
import { describe, expect, test } from 'vitest';
import {
  Character,
  cast,
  collider,
  contains,
  distance,
  intersects,
  loadMesh,
  type Mesh,
  mesh,
  raycast,
  saveMesh,
  signedDistance,
  sphere,
  World,
} from '../src/index.ts';
import {
  closestPointsMeshMesh,
  containsPointMesh,
  overlapMeshMesh,
  overlapSphereMesh,
  refitMesh,
  signedDistanceMesh,
  windingNumberMesh,
} from '../src/trimesh/index.ts';
import { check, Rng } from './kit/index.ts';

interface Solid {
  readonly geometry: THREE.BufferGeometry;
  /** About how far p is outside, negative inside; off by `slack` for the sake of the segments. */
  readonly outside: (p: THREE.Vector3) => number;
}

const slack = 0.06;
const length2 = (x: number, y: number): number => Math.sqrt(x * x + y * y);

const solids = (n: number): Record<string, Solid> => ({
  sphere: { geometry: new THREE.SphereGeometry(1, n, n), outside: (p) => p.length() - 1 },
  cylinder: {
    geometry: new THREE.CylinderGeometry(0.8, 0.8, 2, n),
    outside: (p) => Math.max(length2(p.x, p.z) - 0.8, Math.abs(p.y) - 1),
  },
  cone: {
    geometry: new THREE.ConeGeometry(1, 2, n, 3),
    outside: (p) => Math.max((2 * length2(p.x, p.z) + p.y - 1) / Math.sqrt(5), -p.y - 1),
  },
  torus: {
    geometry: new THREE.TorusGeometry(1, 0.4, n, n),
    outside: (p) => length2(length2(p.x, p.y) - 1, p.z) - 0.4,
  },
  capsule: {
    geometry: new THREE.CapsuleGeometry(0.6, 1, n, n),
    outside: (p) => length2(length2(p.x, p.z), Math.max(0, Math.abs(p.y) - 0.5)) - 0.6,
  },
  lathe: {
    geometry: new THREE.LatheGeometry(
      Array.from({ length: n + 1 }, (_, i) => {
        const angle = (Math.PI * i) / n;
        return new THREE.Vector2(Math.sin(angle), -Math.cos(angle));
      }),
      n,
    ),
    outside: (p) => p.length() - 1,
  },
  tube: {
    geometry: new THREE.TubeGeometry(
      new THREE.CatmullRomCurve3(
        Array.from({ length: 32 }, (_, i) => {
          const angle = (Math.PI * i) / 16;
          return new THREE.Vector3(Math.cos(angle), Math.sin(angle), 0);
        }),
        true,
      ),
      2 * n,
      0.4,
      n,
      true,
    ),
    outside: (p) => length2(length2(p.x, p.y) - 1, p.z) - 0.4,
  },
});

const IDENTITY = { x: 0, y: 0, z: 0, w: 1 };
const radius = 0.01;
const marble = sphere(radius);
const pebble = new THREE.OctahedronGeometry(radius);
const pebbleMesh = mesh(pebble.getAttribute('position').array);

/** Asks everything about p, and throws unless all agree with `isIn`. */
function mustAgree(name: string, solid: Mesh, p: THREE.Vector3, isIn: boolean): void {
  const pose = { position: { x: p.x, y: p.y, z: p.z }, quaternion: IDENTITY };
  const body = collider(marble, pose);
  const ray = { origin: pose.position, direction: { x: 0.3, y: -0.7, z: 0.2 } };
  const translation = { x: 0, y: 0.7, z: 0.1 };
  const world = new World();
  const id = world.add(solid);
  const answers: Record<string, boolean> = {
    contains: contains(p, solid),
    containsPointMesh: containsPointMesh(p, solid),
    signedDistance: signedDistance(p, solid) < 0,
    signedDistanceMesh: signedDistanceMesh(p, solid) < 0,
    windingNumberMesh: windingNumberMesh(p, solid) === 1,
    'winding number is not 0': windingNumberMesh(p, solid) !== 0,
    intersects: intersects(body, solid),
    'intersects, turned round': intersects(solid, body),
    raycast: raycast(ray, solid)?.t === 0,
    cast: cast(body, { translation }, solid)?.t === 0,
    distance: distance(body, solid)!.separation < 0,
    'distance, turned round': distance(solid, body)!.separation < 0,
    overlapSphereMesh: overlapSphereMesh({ center: p, radius }, solid, { solid: true }),
    overlapMeshMesh: overlapMeshMesh(solid, pebbleMesh, pose),
    'overlapMeshMesh of colliders': intersects(collider(pebbleMesh, pose), solid),
    closestPointsMeshMesh: closestPointsMeshMesh(solid, pebbleMesh, pose)!.distance === 0,
    'World.raycast': world.raycast(ray)?.t === 0,
    'World.cast': world.cast(body, { translation })?.t === 0,
    'World.overlaps': world.overlaps(body).includes(id),
  };
  for (const [question, answer] of Object.entries(answers))
    check(answer === isIn, `${name}: ${question} at ${p.toArray()} says ${answer}`);
}

const arraysOf = (geometry: THREE.BufferGeometry): [Float32Array, ArrayLike<number> | undefined] => [
  geometry.getAttribute('position').array as Float32Array,
  geometry.getIndex()?.array,
];

describe('all questions agree on what is inside', () => {
  const rng = new Rng(11);
  for (const [name, { geometry, outside }] of Object.entries(solids(24)))
    test(name, () => {
      const [positions, index] = arraysOf(geometry);
      const [soup] = arraysOf(geometry.toNonIndexed());
      const made = mesh(positions, index);
      const variants: [Mesh, number][] = [
        [made, 0],
        [mesh(soup), 0],
        [mesh(Float64Array.from(positions), index), 0],
        [
          mesh(
            Float64Array.from(positions, (x) => x + 1e6),
            index,
          ),
          1e6,
        ],
        [refitMesh(made, positions, index), 0],
        [loadMesh(saveMesh(made).slice(0)), 0],
      ];
      let inside = 0;
      for (const [solid, at] of variants)
        for (let i = 0; i < 40; i++) {
          const p = new THREE.Vector3(rng.range(-1.5, 1.5), rng.range(-1.5, 1.5), rng.range(-1.5, 1.5));
          const gap = outside(p);
          if (Math.abs(gap) < slack) continue;
          if (gap < 0) inside++;
          mustAgree(name, solid, p.addScalar(at), gap < 0);
        }
      expect(inside).toBeGreaterThan(5);
    });
});

test('points on the very seam, and near it, are no exception', () => {
  const [positions, index] = arraysOf(new THREE.SphereGeometry(1, 24, 24));
  const solid = mesh(positions, index);
  for (const z of [0, -2.4492937051703357e-16, -1.2e-16, 1e-16, 1e-300])
    for (const x of [-0.5, 0.5, -0.9, -1.1, 1.1])
      for (const y of [0, 0.1]) mustAgree('sphere', solid, new THREE.Vector3(x, y, z), Math.abs(x) < 1);
  // From within, through the seam and the poles.
  const rng = new Rng(3);
  for (let i = 0; i < 300; i++) {
    const target = rng.int(0, positions.length / 3 - 1);
    const origin = {
      x: rng.range(-0.3, 0.3),
      y: rng.range(-0.3, 0.3),
      z: rng.pick([0, rng.range(-0.3, 0.3)]),
    };
    const direction = {
      x: positions[3 * target]! - origin.x,
      y: positions[3 * target + 1]! - origin.y,
      z: positions[3 * target + 2]! - origin.z,
    };
    const hit = raycast({ origin, direction }, solid);
    check(hit !== null && hit.t === 0, 'a ray from within starts inside');
  }
});

test('a character whose centre is inside of a geometry is pushed out, and told when it is too far in', () => {
  const starts: Record<string, number> = {
    cylinder: 0.73,
    cone: 0.43,
    capsule: 0.53,
    torus: 1.33,
    tube: 1.33,
  };
  for (const [name, { geometry, outside }] of Object.entries(solids(24))) {
    const world = new World();
    world.add(mesh(...arraysOf(geometry)));
    const hero = new Character(world, { radii: { x: 0.5, y: 0.5, z: 0.5 } });
    hero.teleport({ x: starts[name] ?? 0.93, y: 0.01, z: 0.02 });
    for (let i = 0; i < 30; i++) hero.moveAndSlide(1 / 60);
    const { x, y, z } = hero.position;
    expect(hero.stuck, name).toBe(false);
    expect(outside(new THREE.Vector3(x, y, z)), name).toBeGreaterThan(0.4);
    const small = new Character(world, { radii: { x: 0.01, y: 0.01, z: 0.01 } });
    small.teleport({ x: name === 'torus' || name === 'tube' ? 1 : 0.1, y: 0.1, z: 0.05 });
    small.moveAndSlide(1 / 60);
    expect(small.stuck, name).toBe(true);
  }
});

test('a hemisphere and a sphere without a triangle are surfaces to every question that takes solids', () => {
  const [positions, all] = arraysOf(new THREE.SphereGeometry(1, 24, 24));
  const open = mesh(positions, Array.from(all!).slice(3));
  const body = collider(marble, { position: { x: 0.1, y: 0.2, z: 0.1 }, quaternion: IDENTITY });
  const half = mesh(...arraysOf(new THREE.SphereGeometry(1, 24, 24, 0, 2 * Math.PI, 0, Math.PI / 2)));
  for (const surface of [open, half]) {
    expect(intersects(body, surface)).toBe(false);
    expect(distance(body, surface)!.separation).toBeGreaterThan(0);
    expect(cast(body, { translation: { x: 2, y: 0, z: 0 } }, surface)!.t).toBeGreaterThan(0.1);
    expect(
      raycast({ origin: { x: 0.1, y: 0.2, z: 0.1 }, direction: { x: 1, y: 0, z: 0 } }, surface)!.t,
    ).toBeGreaterThan(0.1);
    expect(windingNumberMesh({ x: 0.1, y: 0.2, z: 0.1 }, surface) % 1).not.toBe(0);
  }
});
