import { type Polyhedron, polyhedron } from 'graze/polytope';
import * as THREE from 'three';

type V = { x: number; y: number; z: number };

export type Geometry =
  | { kind: 'point'; p: V }
  | { kind: 'segment'; a: V; b: V }
  | { kind: 'triangle'; a: V; b: V; c: V }
  | { kind: 'tetrahedron'; a: V; b: V; c: V; d: V }
  | { kind: 'plane'; plane: { normal: V; d: number } }
  | { kind: 'sphere'; sphere: { center: V; radius: number } }
  | { kind: 'box'; box: { min: V; max: V } }
  | { kind: 'oriented box'; obb: { center: V; halfSize: V; rotation: { elements: number[] } } }
  | { kind: 'capsule'; capsule: { a: V; b: V; radius: number } }
  | { kind: 'cylinder'; cylinder: { a: V; b: V; radius: number } }
  | { kind: 'cone'; cone: { tip: V; base: V; radius: number } }
  | { kind: 'polyhedron'; polyhedron: Polyhedron };

export type Kind = Geometry['kind'];
export type GeometryOf<K extends Kind> = Extract<Geometry, { kind: K }>;

const SEGMENT = [new THREE.Vector3(-1, 0, 0), new THREE.Vector3(1, 0, 0)] as const;
const TRIANGLE = [
  new THREE.Vector3(-1, -0.6, 0),
  new THREE.Vector3(1, -0.6, 0),
  new THREE.Vector3(0.1, 0.9, 0),
] as const;
const TETRAHEDRON = [
  new THREE.Vector3(-0.8, -0.5, -0.6),
  new THREE.Vector3(0.8, -0.5, -0.6),
  new THREE.Vector3(0, -0.5, 0.9),
  new THREE.Vector3(0, 0.9, 0),
] as const;
const HALF = new THREE.Vector3(0.8, 0.5, 0.6);
const RADIUS = 0.7;
const ROUND = { half: 0.6, radius: 0.4 };
const STONE = new THREE.DodecahedronGeometry(0.85);

export class Thing {
  readonly object = new THREE.Group();
  private readonly materials: (THREE.MeshStandardMaterial | THREE.LineBasicMaterial)[] = [];

  readonly kind: Kind;

  constructor(kind: Kind, colour: THREE.Color) {
    this.kind = kind;
    for (const geometry of surfaces(kind)) {
      const material = new THREE.MeshStandardMaterial({
        color: colour,
        transparent: true,
        opacity: 0.42,
        side: THREE.DoubleSide,
        roughness: 0.7,
        depthWrite: false,
      });
      const outline = new THREE.LineBasicMaterial({ color: colour });
      this.materials.push(material, outline);
      this.object.add(
        new THREE.Mesh(geometry, material),
        new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 20), outline),
      );
    }
  }

  at(x: number, y: number, z: number): this {
    this.object.position.set(x, y, z);
    return this;
  }

  turned(x: number, y: number, z: number): this {
    this.object.quaternion.setFromEuler(new THREE.Euler(x, y, z));
    return this;
  }

  paint(colour: THREE.Color): void {
    for (const material of this.materials) material.color.copy(colour);
  }

  /** What the library gets to see: the thing as it stands now. */
  geometry(): Geometry {
    if (this.kind === 'box') this.object.quaternion.identity(); // an axis-aligned box does not turn
    this.object.updateMatrixWorld();
    const to = (v: THREE.Vector3): V => plain(v.clone().applyMatrix4(this.object.matrixWorld));
    const center = to(new THREE.Vector3());
    const axis = (y: number) => to(new THREE.Vector3(0, y, 0));
    switch (this.kind) {
      case 'point':
        return { kind: 'point', p: center };
      case 'segment':
        return { kind: 'segment', a: to(SEGMENT[0]), b: to(SEGMENT[1]) };
      case 'triangle':
        return { kind: 'triangle', a: to(TRIANGLE[0]), b: to(TRIANGLE[1]), c: to(TRIANGLE[2]) };
      case 'tetrahedron': {
        const [a, b, c, d] = TETRAHEDRON;
        return { kind: 'tetrahedron', a: to(a), b: to(b), c: to(c), d: to(d) };
      }
      case 'plane': {
        const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(this.object.quaternion);
        return { kind: 'plane', plane: { normal: plain(normal), d: normal.dot(this.object.position) } };
      }
      case 'sphere':
        return { kind: 'sphere', sphere: { center, radius: RADIUS } };
      case 'box': {
        const { x, y, z } = center;
        const min = { x: x - HALF.x, y: y - HALF.y, z: z - HALF.z };
        return { kind: 'box', box: { min, max: { x: x + HALF.x, y: y + HALF.y, z: z + HALF.z } } };
      }
      case 'oriented box': {
        const rotation = new THREE.Matrix3().setFromMatrix4(this.object.matrixWorld);
        return {
          kind: 'oriented box',
          obb: { center, halfSize: plain(HALF), rotation: { elements: [...rotation.elements] } },
        };
      }
      case 'capsule':
        return {
          kind: 'capsule',
          capsule: { a: axis(-ROUND.half), b: axis(ROUND.half), radius: ROUND.radius },
        };
      case 'cylinder':
        return {
          kind: 'cylinder',
          cylinder: { a: axis(-ROUND.half), b: axis(ROUND.half), radius: ROUND.radius },
        };
      case 'cone':
        return {
          kind: 'cone',
          cone: { tip: axis(ROUND.half), base: axis(-ROUND.half), radius: ROUND.radius },
        };
      case 'polyhedron':
        return { kind: 'polyhedron', polyhedron: polyhedron(vertices(STONE).map(to)) };
    }
  }
}

function surfaces(kind: Kind): THREE.BufferGeometry[] {
  switch (kind) {
    case 'point':
      return [new THREE.SphereGeometry(0.09, 16, 12)];
    case 'segment':
      return [new THREE.CylinderGeometry(0.035, 0.035, 2, 8).rotateZ(Math.PI / 2)];
    case 'triangle':
      return [new THREE.BufferGeometry().setFromPoints([...TRIANGLE]).setIndex([0, 1, 2])].map(withNormals);
    case 'tetrahedron':
      return [
        new THREE.BufferGeometry()
          .setFromPoints([...TETRAHEDRON])
          .setIndex([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]),
      ].map(withNormals);
    case 'plane':
      return [new THREE.PlaneGeometry(3.4, 3.4)];
    case 'sphere':
      return [new THREE.SphereGeometry(RADIUS, 40, 24)];
    case 'box':
    case 'oriented box':
      return [new THREE.BoxGeometry(2 * HALF.x, 2 * HALF.y, 2 * HALF.z)];
    case 'capsule':
      return [new THREE.CapsuleGeometry(ROUND.radius, 2 * ROUND.half, 10, 32)];
    case 'cylinder':
      return [new THREE.CylinderGeometry(ROUND.radius, ROUND.radius, 2 * ROUND.half, 40)];
    case 'cone':
      return [new THREE.ConeGeometry(ROUND.radius, 2 * ROUND.half, 40)];
    case 'polyhedron':
      return [STONE.clone()];
  }
}

function withNormals(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  geometry.computeVertexNormals();
  return geometry;
}

function vertices(geometry: THREE.BufferGeometry): THREE.Vector3[] {
  const position = geometry.getAttribute('position');
  const found = new Map<string, THREE.Vector3>();
  for (let i = 0; i < position.count; i++) {
    const v = new THREE.Vector3().fromBufferAttribute(position, i);
    found.set(`${v.x.toFixed(5)} ${v.y.toFixed(5)} ${v.z.toFixed(5)}`, v);
  }
  return [...found.values()];
}

const plain = ({ x, y, z }: V): V => ({ x, y, z });
