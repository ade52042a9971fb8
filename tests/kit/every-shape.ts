/** One shape of each kind, at least; all about as large as 1. */
import { compound } from '../../src/shapes/compound.ts';
import { convex } from '../../src/shapes/custom.ts';
import { box, hull, point, polygon, segment, triangle } from '../../src/shapes/flat-sided-shapes.ts';
import { halfSpace } from '../../src/shapes/half-space.ts';
import { heightField } from '../../src/shapes/height-field.ts';
import { mesh } from '../../src/shapes/mesh.ts';
import { capsule, cone, cylinder, ellipsoid, sphere } from '../../src/shapes/round-shapes.ts';
import type { Shape } from '../../src/shapes/shape.ts';
import { icosphere, torus } from './meshes.ts';
import { twoJoints } from './skins.ts';

const v = (x: number, y: number, z: number) => ({ x, y, z });
const ball = icosphere(1);
const ring = torus(12, 6);

export const EVERY_SHAPE: Record<string, Shape> = {
  sphere: sphere(0.7),
  box: box(0.5, 0.8, 0.3),
  'rounded box': box(0.5, 0.4, 0.3, 0.2),
  capsule: capsule(0.6, 0.4),
  cylinder: cylinder(0.6, 0.5),
  cone: cone(0.7, 0.5),
  ellipsoid: ellipsoid(0.9, 0.4, 0.6),
  hull: hull([v(-1, 0, 0), v(1, 0, 0.2), v(0, 1, 0), v(0, -1, 0.3), v(0, 0, 1), v(0.2, 0.1, -1)]),
  triangle: triangle(v(-1, -0.5, 0), v(1, -0.5, 0.1), v(0, 1, 0)),
  polygon: polygon([v(-1, -1, 0), v(1, -1, 0), v(1.2, 0.3, 0), v(0, 1, 0)]),
  segment: segment(v(-0.8, 0, 0.1), v(0.9, 0.2, 0)),
  point: point(),
  'convex of the user': convex((d, out) => {
    const length = Math.sqrt(d.x * d.x + d.y * d.y + d.z * d.z) || 1;
    out.x = (0.6 * d.x) / length + (d.x < 0 ? -0.2 : 0.2);
    out.y = (0.6 * d.y) / length;
    out.z = (0.6 * d.z) / length;
    return out;
  }),
  'half-space': halfSpace(v(0.1, 1, 0.2), -0.3),
  mesh: mesh(ring.positions, ring.index),
  'closed mesh': mesh(ball.positions, ball.index),
  'skinned mesh': twoJoints(ball.positions, ball.index),
  'open skinned mesh': twoJoints(ring.positions, ring.index.slice(0, -3)),
  'height field': heightField(
    Float64Array.from({ length: 36 }, (_, i) => 0.3 * Math.sin(i * 2.1)),
    { columns: 6, rows: 6, spacing: { x: 0.5, z: 0.5 } },
  ),
  compound: compound([
    { shape: sphere(0.5), pose: { position: v(0.8, 0, 0), quaternion: { x: 0, y: 0, z: 0, w: 1 } } },
    {
      shape: box(0.3, 0.3, 0.3),
      pose: { position: v(-0.8, 0.2, 0), quaternion: { x: 0, y: 0, z: 0.6, w: 0.8 } },
    },
  ]),
};
