import { vec3 } from '../../src/math/types.ts';
import * as graze from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const points = [vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0)];
const polygons = [points, [vec3(0, 0, 1), vec3(1, 0.5, 1), vec3(0, 1, 1)]];
const brush = [
  { normal: vec3(1, 0, 0), d: 1 },
  { normal: vec3(-1, 0, 0), d: 1 },
  { normal: vec3(0, 1, 0), d: 1 },
  { normal: vec3(0, -1, 0), d: 1 },
  { normal: vec3(0, 0, 1), d: 1 },
  { normal: vec3(0, 0, -1), d: 1 },
];
const leaf = graze.buildLeafBsp(polygons);
const node = graze.buildNodeBsp(polygons);
const bsp = graze.buildBrushBsp([brush]);
const portals = graze.portalsBsp(bsp);
const ray = { origin: vec3(0.3, 0.2, 5), direction: vec3(0.01, 0.02, -1) };
const box = { min: vec3(-0.5, -0.4, -0.3), max: vec3(0.5, 0.6, 0.7) };
const sphere = { center: vec3(0.2, 0.3, 0.4), radius: 0.5 };
const trusted = ['bsp'];
const options = { samples: 3, splitWeight: 0.7, thickness: 1e-9, maxDepth: 60, maxFragments: 900, seed: 7 };
const growing = 'a list that grows, and a function to sort it by';

export const samples: Sample[] = [
  { fn: graze.buildNodeBsp, args: { polygons, options }, alternatives: ['options.splitWeight'] },
  {
    fn: graze.visitBackToFront,
    args: { eye: vec3(1, 2, 3), bsp: node, visit: () => {} },
    trusted,
  },
  {
    fn: graze.buildLeafBsp,
    args: { polygons, options: { ...options, leafSize: 2 } },
    alternatives: ['options.splitWeight'],
  },
  {
    fn: graze.rayLeafBsp,
    args: { ray, bsp: leaf, tMax: 9 },
    trusted,
    mayBeInfinite: ['tMax'],
    out: graze.makeBspPolygonHit(),
  },
  { fn: graze.polygonsAabbBsp, args: { box, bsp: leaf }, trusted, out: [], allocates: growing },
  { fn: graze.polygonsSphereBsp, args: { sphere, bsp: leaf }, trusted, out: [], allocates: growing },
  {
    fn: graze.replayBsp,
    args: { queries: [{ point: vec3(0.1, 0.2, 0.3) }, { ray }, { box }], trees: [leaf] },
    trusted: ['trees'],
  },
  { fn: graze.brushPolyhedron, args: { brush } },
  {
    fn: graze.buildSolidBsp,
    args: { mesh: bsp.mesh, options },
    trusted: ['mesh'],
    alternatives: ['options.splitWeight'],
  },
  { fn: graze.buildBrushBsp, args: { brushes: [brush], options }, alternatives: ['options.splitWeight'] },
  { fn: graze.locatePointBsp, args: { p: vec3(0.1, 0.2, 0.3), bsp }, trusted },
  { fn: graze.containsPointBsp, args: { p: vec3(0.1, 0.2, 0.3), bsp }, trusted },
  { fn: graze.leafOfPointBsp, args: { p: vec3(0.1, 0.2, 0.3), bsp }, trusted },
  {
    fn: graze.rayBsp,
    args: { ray, bsp, tMax: 9 },
    trusted,
    mayBeInfinite: ['tMax'],
    out: graze.makeBspHit(),
  },
  {
    fn: graze.sweepAabbBsp,
    args: { box: { min: vec3(4, 4, 4), max: vec3(5, 5, 5) }, motion: vec3(-9, -8.5, -8), bsp },
    trusted,
    out: graze.makeBspHit(),
  },
  { fn: graze.overlapAabbBsp, args: { box, bsp }, trusted },
  { fn: graze.overlapSphereBsp, args: { sphere, bsp }, trusted },
  {
    fn: graze.overlapObbBsp,
    args: {
      box: {
        center: vec3(2, 0, 0),
        halfSize: vec3(1, 2, 3),
        rotation: { elements: [0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1] },
      },
      bsp,
    },
    trusted,
  },
  { fn: graze.overlapPolygonBsp, args: { points, bsp }, trusted },
  { fn: graze.portalsBsp, args: { bsp }, trusted },
  {
    fn: graze.leavesInViewBsp,
    args: { eye: vec3(3, 2, 1), bsp, portals, frustum: brush },
    trusted: ['bsp', 'portals'],
    allocates: 'a new list of leaves, and the openings on the way to them',
  },
  { fn: graze.visibleLeavesBsp, args: { bsp, portals }, trusted: ['bsp', 'portals'] },
  {
    fn: graze.canSeeBsp,
    args: { visibility: graze.visibleLeavesBsp(bsp, portals), a: 0, b: 1 },
    trusted: ['visibility'],
  },
  {
    fn: graze.bsp,
    args: { brushes: [brush], options },
    alternatives: ['options.splitWeight', 'brushes'],
  },
];
