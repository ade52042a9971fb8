/** Surfaces of triangles to try things on: three.js for the eye, and a graze mesh for the questions. */
import bunny from 'bunny';
import { type Mesh, mesh } from 'graze';
import * as THREE from 'three';

/** Arrays of triangles, as three.js has them. */
export interface Arrays {
  readonly positions: Float32Array;
  readonly index: Uint32Array;
}

function arraysOf(geometry: THREE.BufferGeometry): Arrays {
  const positions = Float32Array.from(geometry.getAttribute('position').array);
  const index = geometry.getIndex();
  const count = positions.length / 3;
  return {
    positions,
    index: index ? Uint32Array.from(index.array) : Uint32Array.from({ length: count }, (_, i) => i),
  };
}

/** Centred, and as large as `size` at most. */
export function fitted({ positions, index }: Arrays, size = 2.6): Arrays {
  const box = new THREE.Box3().setFromArray(positions);
  const { x, y, z } = box.getCenter(new THREE.Vector3());
  const extent = box.getSize(new THREE.Vector3());
  const scale = size / (Math.max(extent.x, extent.y, extent.z) || 1);
  const moved = positions.map((p, i) => (p - (i % 3 === 0 ? x : i % 3 === 1 ? y : z)) * scale);
  return { positions: moved, index };
}

function hills(): Arrays {
  const geometry = new THREE.PlaneGeometry(4, 4, 90, 90).rotateX(-Math.PI / 2);
  const position = geometry.getAttribute('position');
  for (let i = 0; i < position.count; i++) {
    const [x, z] = [position.getX(i), position.getZ(i)];
    position.setY(i, 0.45 * Math.sin(2 * x) * Math.cos(1.7 * z) + 0.12 * Math.sin(7 * x + 3 * z));
  }
  return arraysOf(geometry);
}

export const MODELS = {
  'torus knot': () => fitted(arraysOf(new THREE.TorusKnotGeometry(1, 0.35, 240, 32))),
  bunny: () =>
    fitted({
      positions: Float32Array.from((bunny.positions as number[][]).flat()),
      index: Uint32Array.from((bunny.cells as number[][]).flat()),
    }),
  hills,
  sphere: () => fitted(arraysOf(new THREE.IcosahedronGeometry(1, 12)), 2),
  box: () => fitted(arraysOf(new THREE.BoxGeometry(1, 1, 1)), 1.6),
} satisfies Record<string, () => Arrays>;

/** So many that it takes a while to build the tree. */
export const millionTriangles = (): Arrays =>
  fitted(arraysOf(new THREE.TorusKnotGeometry(1, 0.35, 4000, 125, 3, 7)));

export type ModelName = keyof typeof MODELS;
export const MODEL_NAMES = Object.keys(MODELS) as ModelName[];

/** A surface on stage. */
export class Model {
  readonly arrays: Arrays;
  readonly mesh: Mesh;
  readonly object = new THREE.Group();

  constructor(arrays: Arrays, colour: THREE.Color, opacity = 1, built?: Mesh) {
    this.arrays = arrays;
    this.mesh = built ?? mesh(arrays.positions, arrays.index);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(arrays.positions, 3));
    geometry.setIndex(new THREE.BufferAttribute(arrays.index, 1));
    geometry.computeVertexNormals();
    const material = new THREE.MeshStandardMaterial({
      color: colour,
      roughness: 0.75,
      side: THREE.DoubleSide,
      transparent: opacity < 1,
      opacity,
      depthWrite: opacity === 1,
      flatShading: arrays.index.length < 3000,
    });
    this.object.add(new THREE.Mesh(geometry, material));
  }

  /** Its pose, for the library. */
  pose(): { position: THREE.Vector3Like; quaternion: THREE.QuaternionLike } {
    const { position: p, quaternion: q } = this.object;
    return { position: { x: p.x, y: p.y, z: p.z }, quaternion: { x: q.x, y: q.y, z: q.z, w: q.w } };
  }
}

/** Many segments in one drawing: pairs of ends, x, y, z each. */
export class Segments {
  readonly object: THREE.LineSegments;

  constructor(colour: THREE.Color, depthTest = true, opacity = 1) {
    this.object = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: colour, depthTest, transparent: true, opacity }),
    );
    this.object.frustumCulled = false;
    this.object.renderOrder = depthTest ? 0 : 1;
  }

  set(ends: readonly number[]): void {
    this.object.geometry.setAttribute('position', new THREE.Float32BufferAttribute(ends, 3));
  }
}

/** The twelve edges of a box, as ends of segments. */
export function boxEdges(box: readonly number[], to: number[]): void {
  const corner = (i: number): number[] => [
    box[(i & 1) * 3]!,
    box[((i >> 1) & 1) * 3 + 1]!,
    box[((i >> 2) & 1) * 3 + 2]!,
  ];
  for (let i = 0; i < 8; i++)
    for (const bit of [1, 2, 4]) if (!(i & bit)) to.push(...corner(i), ...corner(i | bit));
}
