import { makeBarycentric } from '../../src/math/barycentric.ts';
import { pluckerFromPoints } from '../../src/math/line.ts';
import { mat3, vec3 } from '../../src/math/types.ts';
import type { Polyhedron } from '../../src/polytope/types.ts';
import { makeHit, makeSpan, makeTriangleHit } from '../../src/primitives/types.ts';
import * as ray from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const aimed = () => ({ origin: vec3(-3, 0.2, 0.3), direction: vec3(2, 0.1, -0.1) });
const along = { ray: aimed(), tMax: 8 };
const ends = { p: vec3(-3, 0.2, 0.3), q: vec3(3, -0.1, 0.1) };
const triangle = { a: vec3(0, -2, -1), b: vec3(0.1, 2, -1), c: vec3(0.2, 0.3, 2) };
const quad = { ...triangle, d: vec3(0.1, -1, 1) };
const box = { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) };
const obb = { center: vec3(0.1, 0.2, 0.3), halfSize: vec3(1, 2, 0.5), rotation: mat3() };
const sphere = { center: vec3(0.1, 0.2, 0.3), radius: 1 };
const tube = { a: vec3(0, -1, 0), b: vec3(0.1, 1, 0.2), radius: 0.5 };
const cone = { tip: vec3(0, 2, 0), base: vec3(0.1, -1, 0.2), radius: 1.5 };
const plane = { normal: vec3(1, 2, 3), d: 0.5 };
const triangleRecord = ray.prepareTriangle(triangle.a, triangle.b, triangle.c);
const polyhedron: Pick<Polyhedron, 'planes'> = {
  planes: [
    { normal: vec3(1, 0, 0), d: 1 },
    { normal: vec3(-1, 0, 0), d: 1 },
    { normal: vec3(0, 0.6, 0.8), d: 1 },
    { normal: vec3(0, -0.6, -0.8), d: 1 },
  ],
};
const disc = { center: vec3(0.1, 0.2, 0.3), normal: vec3(1, 0.2, 0), radius: 2 };
const rectangle = { corner: vec3(0, -1, -1), edge0: vec3(0, 3, 0), edge1: vec3(0, 0, 3) };

/** `query(ray, …, tMax, out)`. */
const rays = (fn: Sample['fn'], things: object, out: object = makeHit()): Sample => ({
  fn,
  args: { ray: along.ray, ...things, tMax: along.tMax },
  out,
  mayBeInfinite: ['tMax'],
});
/** `query(p, q, …, out)`. */
const segments = (fn: Sample['fn'], things: object, out: object = makeHit()): Sample => ({
  fn,
  args: { ...ends, ...things },
  out,
});
/** `query(line, …, out)`. */
const lines = (fn: Sample['fn'], things: object, out: object): Sample => ({
  fn,
  args: { line: aimed(), ...things },
  out,
});

export const samples: Sample[] = [
  rays(ray.rayTriangle, triangle, makeTriangleHit()),
  rays(ray.rayTriangleFront, triangle, makeTriangleHit()),
  segments(ray.segmentTriangle, triangle, makeTriangleHit()),
  segments(ray.segmentTriangleFront, triangle, makeTriangleHit()),
  lines(ray.lineTriangle, triangle, makeTriangleHit()),
  lines(ray.lineTriangleFront, triangle, makeTriangleHit()),
  {
    fn: ray.pluckerTriangle,
    args: { line: pluckerFromPoints(ends.p, ends.q), ...triangle },
    out: makeBarycentric(),
  },
  { fn: ray.prepareTriangle, args: triangle, out: ray.makePreparedTriangle() },
  rays(ray.rayPreparedTriangle, { triangle: triangleRecord }, makeTriangleHit()),
  segments(ray.segmentPreparedTriangle, { triangle: triangleRecord }, makeTriangleHit()),
  rays(ray.rayQuad, quad),
  lines(ray.lineQuad, quad, makeHit()),
  rays(ray.rayPlane, { plane }),
  segments(ray.segmentPlane, { plane }),
  segments(ray.segmentPlaneThrough, triangle),
  rays(ray.rayDisc, disc),
  rays(ray.rayRectangle, rectangle),
  rays(ray.raySphere, { sphere }),
  segments(ray.segmentSphere, { sphere }),
  { fn: ray.overlapRaySphere, args: { ray: along.ray, sphere } },
  { fn: ray.overlapSegmentSphere, args: { ...ends, sphere } },
  rays(ray.rayAabb, { box }),
  segments(ray.segmentAabb, { box }),
  lines(ray.lineAabb, { box }, makeSpan()),
  { fn: ray.overlapSegmentAabb, args: { ...ends, box } },
  rays(ray.rayObb, { box: obb }),
  segments(ray.segmentObb, { box: obb }),
  lines(ray.lineObb, { box: obb }, makeSpan()),
  rays(ray.rayCylinder, { cylinder: tube }),
  segments(ray.segmentCylinder, { cylinder: tube }),
  rays(ray.rayInfiniteCylinder, { cylinder: tube }),
  segments(ray.segmentInfiniteCylinder, { cylinder: tube }),
  rays(ray.rayCapsule, { capsule: tube }),
  rays(ray.rayCapsule, { capsule: { ...tube, a: vec3(-1, 0.2, 0.1) } }), // by an end
  segments(ray.segmentCapsule, { capsule: tube }),
  rays(ray.rayCone, { cone }),
  segments(ray.segmentCone, { cone }),
  rays(ray.rayEllipsoid, { ellipsoid: obb }),
  segments(ray.segmentEllipsoid, { ellipsoid: obb }),
  rays(ray.rayPolyhedron, { polyhedron }, ray.makePolyhedronHit()),
  segments(ray.segmentPolyhedron, { polyhedron }, ray.makePolyhedronHit()),
  lines(ray.linePolyhedron, { polyhedron }, ray.makePolyhedronSpan()),
];
