import { convexHull3 } from 'graze/polytope';
import { fitLozenge, kdopVertices } from 'graze/rtcd';
import {
  fitAabb,
  fitCapsule,
  fitKdop,
  fitObb,
  fitSphereIterative,
  fitSphereMidpoint,
  fitSphereMinimum,
  fitSphereRitter,
  fitSphereSpread,
  type KdopSides,
  type ObbFit,
} from 'graze/volumes';
import * as THREE from 'three';
import type { Scene } from '../scene.ts';
import { dispose } from '../stage.ts';

type V = { x: number; y: number; z: number };

/** A fit gives the points whose hull is drawn, and the radius of the balls that stand on them. */
interface Drawn {
  points: V[];
  radius: number;
}

const box = (center: V, half: V, axes: V[]): V[] =>
  Array.from({ length: 8 }, (_, i) => {
    const s = [i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z];
    const along = (k: 'x' | 'y' | 'z') => center[k] + axes.reduce((sum, axis, j) => sum + axis[k] * s[j]!, 0);
    return { x: along('x'), y: along('y'), z: along('z') };
  });

const ball = ({ center, radius }: { center: V; radius: number }): Drawn => ({ points: [center], radius });

function obb(points: V[], method: ObbFit): Drawn {
  const { center, halfSize, rotation } = fitObb(points, method);
  const e = rotation.elements;
  const axes = [0, 3, 6].map((i) => ({ x: e[i]!, y: e[i + 1]!, z: e[i + 2]! }));
  return { points: box(center, halfSize, axes), radius: 0 };
}

function kdop(points: V[], sides: KdopSides): Drawn {
  const flat = kdopVertices(fitKdop(points, sides));
  const corners = Array.from({ length: flat.length / 3 }, (_, i) => ({
    x: flat[3 * i]!,
    y: flat[3 * i + 1]!,
    z: flat[3 * i + 2]!,
  }));
  return { points: corners, radius: 0 };
}

export const FITS: Record<string, (points: V[]) => Drawn> = {
  'oriented box: tight': (p) => obb(p, 'tight'),
  'oriented box: vertices': (p) => obb(p, 'vertices'),
  'oriented box: surface': (p) => obb(p, 'surface'),
  'oriented box: coarse': (p) => obb(p, 'coarse'),
  box: (p) => {
    const { min, max } = fitAabb(p);
    const corners = [min, max].flatMap(({ x }) =>
      [min, max].flatMap(({ y }) => [min, max].map(({ z }) => ({ x, y, z }))),
    );
    return { points: corners, radius: 0 };
  },
  'sphere: smallest': (p) => ball(fitSphereMinimum(p)),
  'sphere: middle of the box': (p) => ball(fitSphereMidpoint(p)),
  'sphere: Ritter': (p) => ball(fitSphereRitter(p)),
  'sphere: most spread': (p) => ball(fitSphereSpread(p)),
  'sphere: iterated': (p) => ball(fitSphereIterative(p)),
  capsule: (p) => {
    const { a, b, radius } = fitCapsule(p);
    return { points: [a, b], radius };
  },
  lozenge: (p) => {
    const { corner: c, edge0: e, edge1: f, radius } = fitLozenge(p);
    const at = (s: number, t: number) => ({
      x: c.x + s * e.x + t * f.x,
      y: c.y + s * e.y + t * f.y,
      z: c.z + s * e.z + t * f.z,
    });
    return { points: [at(0, 0), at(1, 0), at(0, 1), at(1, 1)], radius };
  },
  '14-DOP': (p) => kdop(p, 14),
  '26-DOP': (p) => kdop(p, 26),
};

const CLOUDS = { rod: [2.2, 0.35, 0.25], plate: [1.6, 1.1, 0.12], blob: [1.2, 1, 0.9] } as const;

export const volumes: Scene = {
  id: 'volumes',
  group: 'Bounding volumes',
  title: 'Fitting',
  blurb:
    'The same points in every kind of bounding volume. The number to compare is how much of the space inside is wasted.',
  source: 'RTCD §4',
  hint: 'Drag the points to turn them (Turn), or choose others.',
  start(stage, panel) {
    let kind: keyof typeof CLOUDS = 'rod';
    let fit = Object.keys(FITS)[0]!;
    let seed = 1;
    let cloud = new THREE.Group();
    let local: THREE.Vector3[] = [];
    const shown = new THREE.Group();

    const build = () => {
      stage.clear();
      let state = seed * 2654435761;
      const random = () => {
        state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) | 0;
        return (state >>> 0) / 4294967296;
      };
      const [sx, sy, sz] = CLOUDS[kind];
      local = Array.from({ length: 160 }, () => {
        const [u, v] = [2 * Math.PI * random(), 2 * random() - 1];
        const r = Math.cbrt(random());
        const flat = Math.sqrt(1 - v * v);
        return new THREE.Vector3(sx * r * flat * Math.cos(u), sy * r * flat * Math.sin(u), sz * r * v);
      });
      cloud = new THREE.Group();
      const dots = new THREE.InstancedMesh(
        new THREE.SphereGeometry(0.035, 10, 8),
        new THREE.MeshBasicMaterial({ color: stage.colour('second') }),
        local.length,
      );
      for (const [i, p] of local.entries()) dots.setMatrixAt(i, new THREE.Matrix4().setPosition(p));
      cloud.add(dots);
      cloud.quaternion.setFromEuler(new THREE.Euler(0.5, 0.4, 0.6));
      stage.addDraggable(cloud);
      stage.content.add(shown);
    };
    build();
    const again = () => {
      build();
      stage.onChange();
    };
    panel.choice('volume', Object.keys(FITS), fit, (chosen) => {
      fit = chosen;
      stage.onChange();
    });
    panel.choice('points', ['rod', 'plate', 'blob'] as const, kind, (chosen) => {
      kind = chosen;
      again();
    });
    panel.button('other points', () => {
      seed++;
      again();
    });

    const world = (): V[] => {
      cloud.updateMatrixWorld();
      return local.map((p) => p.clone().applyMatrix4(cloud.matrixWorld)).map(({ x, y, z }) => ({ x, y, z }));
    };

    return {
      update() {
        const points = world();
        dispose(shown);
        shown.clear();
        const drawn = FITS[fit]!(points);
        const { geometry, volume } = solid(drawn);
        const colour = stage.colour('first');
        shown.add(
          new THREE.Mesh(
            geometry,
            new THREE.MeshStandardMaterial({
              color: colour,
              transparent: true,
              opacity: 0.22,
              side: THREE.DoubleSide,
              depthWrite: false,
            }),
          ),
          new THREE.LineSegments(
            new THREE.EdgesGeometry(geometry, 18),
            new THREE.LineBasicMaterial({ color: colour }),
          ),
        );
        const least = hullVolume(points);
        panel.show('volume', volume);
        panel.show('of the points’ hull', least);
        panel.show('volume / hull', volume / least);
      },
      state: () => ({ fit, points: world() }),
    };
  },
};

/** The hull of balls on the points; round shapes by four hundred points a ball. */
function solid({ points, radius }: Drawn): { geometry: THREE.BufferGeometry; volume: number } {
  const directions = radius > 0 ? onSphere(400) : [{ x: 0, y: 0, z: 0 }];
  const all = points.flatMap((p) =>
    directions.map((d) => ({ x: p.x + radius * d.x, y: p.y + radius * d.y, z: p.z + radius * d.z })),
  );
  const { triangles } = convexHull3(all);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute(
    'position',
    new THREE.Float32BufferAttribute(
      all.flatMap(({ x, y, z }) => [x, y, z]),
      3,
    ),
  );
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  return { geometry, volume: meshVolume(all, triangles) };
}

const hullVolume = (points: V[]): number => meshVolume(points, convexHull3(points).triangles);

function meshVolume(points: V[], triangles: readonly number[]): number {
  let six = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [points[triangles[i]!]!, points[triangles[i + 1]!]!, points[triangles[i + 2]!]!];
    six += a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
  }
  return six / 6;
}

/** Points spread evenly over the unit sphere. */
function onSphere(count: number): V[] {
  return Array.from({ length: count }, (_, i) => {
    const z = 1 - (2 * i + 1) / count;
    const r = Math.sqrt(1 - z * z);
    const turn = i * Math.PI * (3 - Math.sqrt(5));
    return { x: r * Math.cos(turn), y: r * Math.sin(turn), z };
  });
}
