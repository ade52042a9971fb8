/** Volume, centre of mass and inertia of solids that are given by their surface. */
import { mustBeCoordinate, refuse, refuseType } from '../math/check.ts';
import type { Mat3, Vec3 } from '../math/types.ts';
import { mat3, vec3 } from '../math/types.ts';
import { mustBePolygonMesh, type PolygonMesh } from './polygon-mesh.ts';
import { readTriangles, type Triangles, type TrianglesLike } from './triangles.ts';

/** Volume, centre and inertia of a solid of even density. */
export interface MassProperties {
  /** Signed: negative when the surface is inside out. */
  volume: number;
  /** Of the surface. */
  area: number;
  /** Volume times density. */
  mass: number;
  /** Centre of mass. Without a volume, that of the surface; without an area too, the middle of the box around it. */
  centroid: Vec3;
  /** The inertia tensor about the centroid. */
  inertia: Mat3;
}

/**
 * The mass properties of the solid inside a closed surface: triangles, or polygons such as those of a `Polyhedron` (a
 * face that is not flat counts as the fan of triangles from its first vertex). Counts with sign: cavities have their
 * faces turned the other way and take away. Of a surface that is not closed only the area means anything. O(n).
 *
 * Integrals over the tetrahedra between the triangles and the middle of the box around them all, from which nothing
 * is lost far from the origin.
 */
export function massProperties(surface: TrianglesLike | PolygonMesh, density = 1): MassProperties {
  const caller = 'massProperties';
  mustBeCoordinate(caller, 'density', density);
  if (typeof surface !== 'object' || surface === null) refuseType(caller, 'surface', 'a mesh', surface);
  if ('positions' in surface) return massOf(readTriangles(`${caller}: surface`, surface), density);
  if (!('vertices' in surface)) refuse(caller, 'surface', 'must have positions, or vertices and faces');
  mustBePolygonMesh(caller, 'surface', surface);
  return massOf(fans(surface), density);
}

/**
 * Each face as the triangles from its first vertex.
 *
 * @internal
 */
export function fans({ vertices, faces }: PolygonMesh): Triangles {
  const positions = new Float64Array(3 * vertices.length);
  vertices.forEach(({ x, y, z }, i) => {
    positions.set([x, y, z], 3 * i);
  });
  const index: number[] = [];
  for (const face of faces)
    for (let k = 2; k < face.length; k++) index.push(face[0]!, face[k - 1]!, face[k]!);
  return { positions, index: Uint32Array.from(index) };
}

/** @internal Without the checks. */
export function massOf({ positions, index }: Triangles, density: number): MassProperties {
  const [ox, oy, oz] = middle(positions, index);
  let volume = 0;
  let area = 0;
  let [x, y, z] = [0, 0, 0];
  let [sx, sy, sz] = [0, 0, 0];
  let [xx, yy, zz, xy, yz, zx] = [0, 0, 0, 0, 0, 0];
  for (let k = 0; k < index.length; k += 3) {
    const a = 3 * index[k]!;
    const b = 3 * index[k + 1]!;
    const c = 3 * index[k + 2]!;
    const ax = positions[a]! - ox;
    const ay = positions[a + 1]! - oy;
    const az = positions[a + 2]! - oz;
    const bx = positions[b]! - ox;
    const by = positions[b + 1]! - oy;
    const bz = positions[b + 2]! - oz;
    const cx = positions[c]! - ox;
    const cy = positions[c + 1]! - oy;
    const cz = positions[c + 2]! - oz;
    // The area vector, from edges; its product with a corner is six times the volume.
    const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
    const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
    const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    const det = ax * nx + ay * ny + az * nz;
    const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const sumX = ax + bx + cx;
    const sumY = ay + by + cy;
    const sumZ = az + bz + cz;
    area += size;
    sx += size * sumX;
    sy += size * sumY;
    sz += size * sumZ;
    volume += det;
    x += det * sumX;
    y += det * sumY;
    z += det * sumZ;
    // Over a tetrahedron with one corner at 0 the mean of u v is (Σu Σv + Σuv) / 20, summed over the other three.
    xx += det * (sumX * sumX + ax * ax + bx * bx + cx * cx);
    yy += det * (sumY * sumY + ay * ay + by * by + cy * cy);
    zz += det * (sumZ * sumZ + az * az + bz * bz + cz * cz);
    xy += det * (sumX * sumY + ax * ay + bx * by + cx * cy);
    yz += det * (sumY * sumZ + ay * az + by * bz + cy * cz);
    zx += det * (sumZ * sumX + az * ax + bz * bx + cz * cx);
  }
  const solid = volume !== 0;
  const weight = solid ? 4 * volume : 3 * area;
  const inverse = weight === 0 ? 0 : 1 / weight;
  const mx = (solid ? x : sx) * inverse;
  const my = (solid ? y : sy) * inverse;
  const mz = (solid ? z : sz) * inverse;
  const mass = (density * volume) / 6;
  const second = density / 120;
  // Moved to the centroid (Steiner).
  const ixx = second * xx - mass * mx * mx;
  const iyy = second * yy - mass * my * my;
  const izz = second * zz - mass * mz * mz;
  const ixy = second * xy - mass * mx * my;
  const iyz = second * yz - mass * my * mz;
  const izx = second * zx - mass * mz * mx;
  const inertia = mat3();
  inertia.elements = [iyy + izz, -ixy, -izx, -ixy, izz + ixx, -iyz, -izx, -iyz, ixx + iyy];
  return { volume: volume / 6, area: area / 2, mass, centroid: vec3(ox + mx, oy + my, oz + mz), inertia };
}

/** The middle of the box around the vertices in use. */
function middle(positions: ArrayLike<number>, index: Uint32Array): [number, number, number] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < index.length; k++)
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[3 * index[k]! + axis]!;
      if (value < low[axis]!) low[axis] = value;
      if (value > high[axis]!) high[axis] = value;
    }
  return [0.5 * low[0]! + 0.5 * high[0]!, 0.5 * low[1]! + 0.5 * high[1]!, 0.5 * low[2]! + 0.5 * high[2]!];
}
