/** Surfaces of triangles: meshes, and height fields, which have one inside. */

import type { HeightFieldShape } from '../../shapes/shape.ts';
import type { Mesh } from '../../trimesh/mesh.ts';

export type Surface = Mesh | HeightFieldShape;

export const meshOf = (shape: Surface): Mesh => (shape.kind === 'mesh' ? shape : shape.mesh);
