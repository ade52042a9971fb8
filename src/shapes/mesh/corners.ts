/** The corners of the triangles of a mesh, as points. */
import type { Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import type { Mesh } from './mesh.ts';

/** The corners of one triangle. */
export interface Corners {
  readonly a: Vec3;
  readonly b: Vec3;
  readonly c: Vec3;
}

export const makeCorners = (): Corners => ({ a: vec3(), b: vec3(), c: vec3() });

/** The corners of triangle i, counted in the order of the tree. */
export function loadTriangle({ vertices, corners }: Mesh, i: number, { a, b, c }: Corners): void {
  const p = 3 * corners[3 * i]!;
  const q = 3 * corners[3 * i + 1]!;
  const r = 3 * corners[3 * i + 2]!;
  a.x = vertices[p]!;
  a.y = vertices[p + 1]!;
  a.z = vertices[p + 2]!;
  b.x = vertices[q]!;
  b.y = vertices[q + 1]!;
  b.z = vertices[q + 2]!;
  c.x = vertices[r]!;
  c.y = vertices[r + 1]!;
  c.z = vertices[r + 2]!;
}
