import { pose, quat, vec3 } from '../../src/math/types.ts';
import * as v3 from '../../src/math/vec3.ts';
import { makeAabb } from '../../src/primitives/types.ts';
import * as shapes from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const [a, b, c] = [vec3(0, 0, 0.5), vec3(1, 0.1, 0.5), vec3(0.2, 1, 0.5)];
const shape = shapes.hull([...[a, b, c], vec3(0.3, 0.3, -1)], 0.1);
const place = { position: vec3(1, 2, 3), quaternion: quat(0.5, 0.5, 0.5, 0.5) };
const field = shapes.heightField([0, 1, 2, 3, 4, 5], { columns: 3, rows: 2 });
const level = shapes.levelSet((p: typeof a) => v3.length(p) - 0.5, {
  spacing: 0.25,
  bounds: { min: vec3(-0.5, -0.5, -0.5), max: vec3(0.5, 0.5, 0.5) },
});
/** What is stated about a level set: only its grid is asked. */
const stated = [
  ...['kind', 'spacing', 'band', 'error', 'farError', 'exact', 'detail', 'bound', 'bounds'],
  ...['bounds.min', 'bounds.min.x', 'bounds.min.y', 'bounds.min.z'],
  ...['bounds.max', 'bounds.max.x', 'bounds.max.y', 'bounds.max.z'],
].map((name) => `level.${name}`);
const trusted = ['shape'];

export const samples: Sample[] = [
  { fn: shapes.sphere, args: { radius: 1 } },
  { fn: shapes.box, args: { hx: 1, hy: 2, hz: 3, rounding: 0.1 } },
  { fn: shapes.capsule, args: { halfHeight: 1, radius: 0.5 } },
  { fn: shapes.cylinder, args: { halfHeight: 1, radius: 0.5, rounding: 0.1 } },
  { fn: shapes.cone, args: { halfHeight: 1, radius: 0.5, rounding: 0.1 } },
  { fn: shapes.ellipsoid, args: { rx: 1, ry: 2, rz: 3, rounding: 0.1 } },
  { fn: shapes.hull, args: { points: [a, b, c], rounding: 0.1 } },
  {
    fn: shapes.hull,
    args: { points: shapes.mesh([0, 0, 0, 1, 0, 0, 0, 1, 0]) },
    trusted: ['points'],
    alternatives: ['points'],
  },
  { fn: shapes.hull, args: { points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] } },
  { fn: shapes.triangle, args: { a, b, c, rounding: 0.1 } },
  { fn: shapes.polygon, args: { points: [a, b, c], rounding: 0.1 } },
  { fn: shapes.segment, args: { a, b, rounding: 0.1 } },
  { fn: shapes.point, args: {} },
  {
    fn: shapes.convex,
    args: { support: v3.normalize, options: { center: vec3(0.1, 0, 0), reach: 1, rounding: 0.1 } },
  },
  {
    fn: shapes.sdf,
    args: {
      f: (p: typeof a) => v3.length(p) - 0.5,
      bounds: { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) },
      options: { lipschitz: 1.5, exact: true, detail: 0.1 },
    },
  },
  {
    fn: shapes.parametric,
    args: {
      f: (u: number, v: number, out: typeof a) => v3.set(u, u * v, v, out),
      options: { u: [0, 1.5], v: [-1, 1], curvature: 2.5, rounding: 0.1, tolerance: 0.01 },
    },
  },
  {
    fn: shapes.solid,
    args: {
      source: {
        bounds: { min: vec3(-1, -1, -1), max: vec3(1, 1, 1) },
        signedDistance: (p: typeof a) => v3.length(p) - 0.5,
        detail: 0.1,
      },
    },
  },
  {
    fn: shapes.soup,
    args: {
      polygons: [
        [a, b, c],
        [a, b, vec3(0.3, 0.3, 2)],
      ],
    },
  },
  {
    fn: shapes.levelSet,
    args: {
      source: (p: typeof a) => v3.length(p) - 0.5,
      options: {
        spacing: 0.25,
        band: 0.5,
        bounds: { min: vec3(-0.5, -0.5, -0.5), max: vec3(0.5, 0.5, 0.5) },
        lipschitz: 1.5,
        sign: 'closed',
        shared: false,
      },
    },
  },
  { fn: shapes.levelSetDistance, args: { p: a, level }, trusted: ['level'], alternatives: stated },
  { fn: shapes.levelSetError, args: { p: a, level }, trusted: ['level'], alternatives: stated },
  { fn: shapes.saveLevelSet, args: { level }, trusted: ['level'], alternatives: stated },
  { fn: shapes.loadLevelSet, args: { buffer: shapes.saveLevelSet(level) }, trusted: ['buffer'] },
  { fn: shapes.csg, args: { operation: 'difference', parts: [{ shape, pose: place }] }, trusted: ['parts'] },
  {
    fn: shapes.skinned,
    args: {
      source: {
        positions: [0, 0, 0, 1, 0, 0, 0, 1, 0],
        index: [0, 1, 2],
        joints: [0, 0, 0],
        weights: [1, 1, 1],
        inverseBindMatrices: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
        morphTargets: [[0, 0, 1, 0, 0, 1, 0, 0, 1]],
        jointsPerVertex: 1,
        parents: [-1],
      },
    },
  },
  { fn: shapes.halfSpace, args: { normal: vec3(0, 2, 0), d: 1 } },
  {
    fn: shapes.heightField,
    alternatives: ['options.spacing', 'options.holes.0', 'options.holes.1'],
    args: {
      heights: [0, 1, 2, 3, 4, 5],
      options: { columns: 3, rows: 2, spacing: { x: 1, z: 2 }, holes: [0, 1] },
    },
  },
  {
    fn: shapes.heightFieldCell,
    args: { field, triangle: 2 },
    trusted: ['field'],
    out: shapes.makeHeightFieldCell(),
  },
  { fn: shapes.heightFieldTriangle, args: { field, column: 1, row: 0 }, trusted: ['field'] },
  { fn: shapes.compound, args: { parts: [{ shape, pose: place }] }, trusted: ['parts'] },
  {
    // The poses of the parts, which are not taken on trust as the shapes are.
    fn: (pose: typeof place) => shapes.compound([{ shape, pose }]),
    args: { pose: place },
  },
  { fn: shapes.scaled, args: { shape, scale: vec3(1, -2, 3) }, trusted },
  { fn: shapes.boundsOf, args: { shape, pose: place }, trusted, out: makeAabb() },
  { fn: shapes.massOf, args: { shape, density: 2 }, trusted },
  { fn: shapes.collider, args: { shape, pose: pose() }, trusted },
  { fn: shapes.isConvexShape, args: { shape }, unchecked: 'only looks at which kind it is' },
  { fn: shapes.trianglesFromStrip, args: { strip: [0, 1, 2, 9, 3, 4, 5], options: { restart: 9 } } },
];
