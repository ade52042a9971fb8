import { vec3 } from '../../src/math/types.ts';
import * as query from '../kit/public-names.ts';
import * as shapes from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const pose = { position: vec3(0.1, 0.2, 0.3), quaternion: { x: 0.1, y: 0.2, z: -0.1, w: 0.9 } };
const corners = [vec3(-1, -1, -1), vec3(1, -1, -1), vec3(0, 1, -1), vec3(0.1, 0.2, 1)] as const;
const [a, b, c] = corners;
const positions = corners.flatMap(({ x, y, z }) => [x, y, z]);
const level = shapes.mesh(positions, [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
const egg = shapes.convex((d, out = vec3()) => {
  const k = 1 / Math.sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  out.x = k * d.x;
  out.y = k * d.y;
  out.z = k * d.z;
  return out;
});
const all: shapes.Shape[] = [
  shapes.sphere(1),
  shapes.box(1, 1, 1),
  shapes.box(0.8, 0.8, 0.8, 0.2),
  shapes.capsule(1.5, 0.5),
  shapes.cylinder(1, 1),
  shapes.cone(1, 1),
  shapes.ellipsoid(1, 0.8, 1.2),
  shapes.ellipsoid(1, 0.8, 1.2, 0.1),
  shapes.hull(corners, 0.1),
  shapes.triangle(a, b, c),
  shapes.polygon([a, b, c]),
  shapes.segment(a, c, 0.1),
  shapes.point(),
  shapes.halfSpace(vec3(0, 0, 1)),
  level,
  shapes.heightField([-1, -1, -1, -1], { columns: 2, rows: 2 }),
];
const group = shapes.compound([{ shape: shapes.sphere(1), pose }, { shape: level }]);
const ray = { origin: vec3(0.2, 0.3, 5), direction: vec3(0.01, -0.05, -1) };
const p = vec3(0.2, 0.3, 5);
const trusted = ['body'];
const own = 'calls a function of the user';

/** One sample a shape: each has an algorithm of its own. */
const samplesOf = (body: query.Body, allocates?: string): Sample[] => [
  {
    fn: query.raycast,
    args: { ray, body },
    trusted,
    out: { maxDistance: 9.5, out: query.makeCastHit() },
    ...(allocates && { allocates }),
  },
  {
    fn: query.closestPoint,
    args: { point: p, body },
    trusted,
    out: { maxDistance: 9.5, out: query.makeClosestPoint() },
    ...(allocates && { allocates }),
  },
];

export const samples: Sample[] = [
  ...[...all, group].flatMap((shape) => samplesOf({ shape, pose })),
  ...samplesOf(shapes.sphere(1)),
  ...samplesOf({ shape: shapes.hull(corners), pose }).map((sample) =>
    sample.fn === query.raycast
      ? { ...sample, allocates: 'boxes two numbers: V8 inlines no more there' }
      : sample,
  ),
  ...samplesOf({ shape: egg, pose }, own),
  {
    fn: query.raycast,
    args: { ray, body: group, options: { mode: 'any', maxDistance: 9 } },
    trusted,
    mayBeInfinite: ['options'],
  },
  { fn: query.contains, args: { point: p, body: group }, trusted },
  { fn: query.signedDistance, args: { point: p, body: group }, trusted },
  {
    fn: (position: shapes.Collider['pose']['position'], quaternion: shapes.Collider['pose']['quaternion']) =>
      query.contains(p, { shape: level, pose: { position, quaternion } }),
    args: { ...pose },
  },
];
