/** Every kind of shape, for the library and for the eye. */
import {
  box,
  capsule,
  compound,
  cone,
  cylinder,
  ellipsoid,
  halfSpace,
  heightField,
  hull,
  point,
  polygon,
  type Shape,
  segment,
  sphere,
  triangle,
} from 'graze';
import { colliderOf, meshOf, type ObjectCollider } from 'graze/three';
import * as THREE from 'three';
import { ConvexGeometry } from 'three/addons/geometries/ConvexGeometry.js';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';

const v = (x: number, y: number, z: number) => ({ x, y, z });
const STONE = [
  v(-0.9, -0.4, -0.5),
  v(0.8, -0.6, -0.4),
  v(0.6, 0.7, -0.6),
  v(-0.5, 0.6, -0.7),
  v(-0.7, -0.5, 0.6),
  v(0.9, -0.3, 0.5),
  v(0.2, 0.8, 0.5),
  v(-0.8, 0.4, 0.4),
  v(0, 0, 1),
];
const PENTAGON = Array.from({ length: 5 }, (_, i) => {
  const angle = (2 * Math.PI * i) / 5;
  return v(Math.cos(angle), Math.sin(angle), 0);
});
const HILLS = Array.from(
  { length: 81 },
  (_, i) => 0.35 * Math.sin(i * 0.9) * Math.cos(Math.floor(i / 9) * 1.1),
);

const knot = () => new THREE.TorusKnotGeometry(0.7, 0.24, 96, 12);
const vectors = (points: readonly { x: number; y: number; z: number }[]) =>
  points.map(({ x, y, z }) => new THREE.Vector3(x, y, z));
const tube = (length: number, radius = 0.03) => new THREE.CylinderGeometry(radius, radius, length, 8);

/** The shape, and what it looks like. */
interface Sample {
  readonly shape: () => Shape;
  readonly look: () => THREE.BufferGeometry[];
}

const DUMBBELL = [v(0, 0.9, 0), v(0, -0.9, 0)];

export const SHAPES = {
  sphere: { shape: () => sphere(0.8), look: () => [new THREE.SphereGeometry(0.8, 40, 24)] },
  box: { shape: () => box(0.8, 0.5, 0.6), look: () => [new THREE.BoxGeometry(1.6, 1, 1.2)] },
  'rounded box': {
    shape: () => box(0.7, 0.4, 0.5, 0.15),
    look: () => [new RoundedBoxGeometry(1.7, 1.1, 1.3, 4, 0.15)],
  },
  capsule: { shape: () => capsule(0.6, 0.4), look: () => [new THREE.CapsuleGeometry(0.4, 1.2, 10, 32)] },
  cylinder: { shape: () => cylinder(0.7, 0.5), look: () => [new THREE.CylinderGeometry(0.5, 0.5, 1.4, 48)] },
  cone: { shape: () => cone(0.7, 0.6), look: () => [new THREE.ConeGeometry(0.6, 1.4, 48)] },
  ellipsoid: {
    shape: () => ellipsoid(1, 0.5, 0.7),
    look: () => [new THREE.SphereGeometry(1, 40, 24).scale(1, 0.5, 0.7)],
  },
  hull: { shape: () => hull(STONE), look: () => [new ConvexGeometry(vectors(STONE))] },
  triangle: {
    shape: () => triangle(v(-1, -0.6, 0), v(1, -0.6, 0), v(0.1, 0.9, 0)),
    look: () => [
      new THREE.BufferGeometry().setFromPoints(vectors([v(-1, -0.6, 0), v(1, -0.6, 0), v(0.1, 0.9, 0)])),
    ],
  },
  polygon: { shape: () => polygon(PENTAGON), look: () => [new THREE.CircleGeometry(1, 5)] },
  segment: { shape: () => segment(v(0, -1, 0), v(0, 1, 0)), look: () => [tube(2)] },
  point: { shape: () => point(), look: () => [new THREE.SphereGeometry(0.06, 16, 12)] },
  'half-space': {
    shape: () => halfSpace(v(0, 1, 0), 0),
    look: () => [new THREE.PlaneGeometry(5, 5).rotateX(-Math.PI / 2)],
  },
  mesh: { shape: () => meshOf(knot()), look: () => [knot()] },
  'height field': {
    shape: () => heightField(HILLS, { columns: 9, rows: 9, spacing: { x: 0.4, z: 0.4 } }),
    look: () => [],
  },
  compound: {
    shape: () =>
      compound([
        { shape: sphere(0.5), pose: { position: DUMBBELL[0]!, quaternion: { x: 0, y: 0, z: 0, w: 1 } } },
        { shape: sphere(0.5), pose: { position: DUMBBELL[1]!, quaternion: { x: 0, y: 0, z: 0, w: 1 } } },
        { shape: cylinder(0.8, 0.2) },
      ]),
    look: () => [
      new THREE.SphereGeometry(0.5, 32, 20).translate(0, 0.9, 0),
      new THREE.SphereGeometry(0.5, 32, 20).translate(0, -0.9, 0),
      new THREE.CylinderGeometry(0.2, 0.2, 1.6, 32),
    ],
  },
} satisfies Record<string, Sample>;

export type ShapeName = keyof typeof SHAPES;
export const SHAPE_NAMES = Object.keys(SHAPES) as ShapeName[];

/** A shape on stage: its pose is that of the three.js object. */
export class ShapeThing {
  readonly object = new THREE.Group();
  readonly shape: Shape;
  readonly collider: ObjectCollider;

  constructor(name: ShapeName, colour: THREE.Color) {
    this.shape = SHAPES[name].shape();
    this.collider = colliderOf(this.object, this.shape);
    const looks = SHAPES[name].look();
    if (this.shape.kind === 'heightField') looks.push(surfaceOf(this.shape.mesh));
    for (const geometry of looks) {
      if (!geometry.getAttribute('normal')) geometry.computeVertexNormals();
      this.object.add(
        new THREE.Mesh(
          geometry,
          new THREE.MeshStandardMaterial({
            color: colour,
            transparent: true,
            opacity: 0.45,
            side: THREE.DoubleSide,
            roughness: 0.7,
            depthWrite: false,
          }),
        ),
        new THREE.LineSegments(
          new THREE.EdgesGeometry(geometry, 25),
          new THREE.LineBasicMaterial({ color: colour }),
        ),
      );
    }
  }
}

function surfaceOf({ vertices, corners }: { vertices: ArrayLike<number>; corners: ArrayLike<number> }) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(Array.from(vertices), 3));
  geometry.setIndex(Array.from(corners));
  geometry.computeVertexNormals();
  return geometry;
}
