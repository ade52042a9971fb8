/** three-mesh-bvh: positions and index alone, because it would work out texture coordinates and normals too. */
import * as THREE from 'three';
import { AVERAGE, CENTER, type HitPointInfo, MeshBVH, SAH } from 'three-mesh-bvh';
import { type Point, vector } from '../data.ts';
import type { BenchRay, Triangles } from '../meshes.ts';
import { type Asked, distanceOf } from './peer.ts';

export const STRATEGIES = { SAH, CENTER, AVERAGE } as const;

/** With an index of 16 bits where that suffices, as three.js makes it. */
export function geometryOf({
  positions,
  index,
}: Pick<Triangles, 'positions' | 'index'>): THREE.BufferGeometry {
  const wide = positions.length / 3 > 65536;
  return new THREE.BufferGeometry()
    .setAttribute('position', new THREE.BufferAttribute(positions.slice(), 3))
    .setIndex(new THREE.BufferAttribute(wide ? index.slice() : Uint16Array.from(index), 1));
}

const make = (triangles: Triangles) => new MeshBVH(geometryOf(triangles), { strategy: SAH });

export function bvhRays(triangles: Triangles, rays: readonly BenchRay[]): Asked {
  const bvh = make(triangles);
  const mine = rays.map(({ origin, direction }) => new THREE.Ray(vector(origin), vector(direction)));
  return {
    name: 'three-mesh-bvh SAH',
    run() {
      let sum = 0;
      for (let i = 0; i < mine.length; i++) {
        const hit = bvh.raycastFirst(mine[i]!, THREE.DoubleSide);
        if (hit) sum += hit.distance;
      }
      return sum;
    },
    answer: (i) => bvh.raycastFirst(mine[i]!, THREE.DoubleSide)?.distance ?? Infinity,
  };
}

export function bvhPoints(triangles: Triangles, points: readonly Point[]): Asked {
  const bvh = make(triangles);
  const mine = points.map(vector);
  const target: HitPointInfo = { point: new THREE.Vector3(), distance: 0, faceIndex: 0 };
  return {
    name: 'three-mesh-bvh SAH',
    run() {
      let sum = 0;
      for (let i = 0; i < mine.length; i++) sum += bvh.closestPointToPoint(mine[i]!, target)!.distance;
      return sum;
    },
    answer: (i) => distanceOf(points[i]!, bvh.closestPointToPoint(mine[i]!, target)!.point),
  };
}

/** The bytes of everything that a search reads: tree, index and positions. */
export function bvhBytes(triangles: Triangles, indirect: boolean): number {
  const bvh = new MeshBVH(geometryOf(triangles), { strategy: SAH, indirect });
  const { roots, index, indirectBuffer } = MeshBVH.serialize(bvh, { cloneBuffers: false }) as unknown as {
    roots: ArrayBuffer[];
    index: Uint16Array | Uint32Array;
    indirectBuffer: Uint16Array | Uint32Array | null;
  };
  const tree = roots.reduce((sum, root) => sum + root.byteLength, 0);
  return tree + index.byteLength + (indirectBuffer?.byteLength ?? 0) + triangles.positions.byteLength;
}
