import { expect, test } from 'vitest';
import { check, cloud, near, property } from '../../../tests/kit/index.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import {
  affineDimension,
  boxPolyhedron,
  type FeaturePoint,
  makeFeaturePoint,
  type Polyhedron,
  polyhedron,
} from '../../polytope/index.ts';
import { type VoronoiRegions, voronoiFeature, voronoiRegions } from '../index.ts';
import { voronoiFeatureByScan } from './voronoi.ts';

const minus = (a: ReadonlyVec3, b: ReadonlyVec3) => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });
const dot = (a: ReadonlyVec3, b: ReadonlyVec3) => a.x * b.x + a.y * b.y + a.z * b.z;
const cross = (a: ReadonlyVec3, b: ReadonlyVec3) => ({
  x: a.y * b.z - a.z * b.y,
  y: a.z * b.x - a.x * b.z,
  z: a.x * b.y - a.y * b.x,
});
const length = (a: ReadonlyVec3) => Math.hypot(a.x, a.y, a.z);

/** Every feature, as a place to start. */
function allFeatures({ vertices, edges, faces }: VoronoiRegions): FeaturePoint[] {
  const point = { x: 0, y: 0, z: 0 };
  return [
    ...vertices.map((_, index) => ({ kind: 'vertex' as const, index, point })),
    ...edges.map((_, index) => ({ kind: 'edge' as const, index, point })),
    ...faces.map((_, index) => ({ kind: 'face' as const, index, point })),
    ...faces.map((_, index) => ({ kind: 'inside' as const, index, point })),
  ];
}

/** The vertices that make up a feature, as the polyhedron has them. */
function cornersOf(shape: Polyhedron, regions: VoronoiRegions, { kind, index }: FeaturePoint): number[] {
  if (kind === 'vertex') return [index];
  return kind === 'edge' ? [regions.edges[index]!.from, regions.edges[index]!.to] : shape.faces[index]!;
}

test('[R3.10] a box has 26 regions; every point outside lies in one, wherever the walk starts', () => {
  const box = boxPolyhedron({ x: -1, y: -1, z: -1 }, { x: 1, y: 1, z: 1 });
  const regions = voronoiRegions(box);
  const starts = allFeatures(regions);
  expect(regions.edges.length).toBe(12);
  const found = new Set<string>();
  const values = [-3, -1.5, -1, -0.5, 0, 0.25, 1, 2];
  for (const x of values)
    for (const y of values)
      for (const z of values) {
        const p = { x, y, z };
        // Touching the end of a side counts as beyond it: a boundary belongs to the smaller feature.
        const beyond = [x, y, z].filter((c) => Math.abs(c) >= 1).length;
        const kind = (['inside', 'face', 'edge', 'vertex'] as const)[beyond]!;
        const clamped = { x: clamp(x), y: clamp(y), z: clamp(z) };
        for (const start of starts) {
          const { kind: k, index, point } = voronoiFeature(regions, p, start);
          check(
            k === kind,
            () => `${JSON.stringify(p)} from ${start.kind} ${start.index}: ${k}, not ${kind}`,
          );
          check(length(minus(point, clamped)) === 0, 'the closest point is the clamped one');
          if (k === 'inside') continue;
          found.add(`${k} ${index}`);
          for (const i of cornersOf(box, regions, { kind: k, index, point }))
            for (const axis of ['x', 'y', 'z'] as const)
              check(Math.abs(p[axis]) < 1 || box.vertices[i]![axis] === clamped[axis], 'the wrong feature');
        }
      }
  expect(found.size).toBe(26);
});

const clamp = (c: number) => Math.max(-1, Math.min(1, c));

interface Scene {
  shape: Polyhedron;
  regions: VoronoiRegions;
  p: Vec3;
  scale: number;
}

property('[R3.10] the projection to the feature is the closest point, from any start', 10_000, (rng) => {
  const scene = draw();
  if (!scene) return;
  const { shape, regions, p, scale } = scene;
  const start = rng.pick(allFeatures(regions));
  const out = makeFeaturePoint();
  const found = voronoiFeature(regions, p, start, out);
  check(found === out, 'fills out');
  // Rounding of the coordinates, of the unit vectors over the distance, and of both.
  const tolerance = 4e-15 * (scale + length(minus(p, shape.vertices[0]!)));
  checkClosest(scene, found, tolerance);
  const scanned = voronoiFeatureByScan(regions, p, makeFeaturePoint());
  // The scan goes by distance, which from afar says less about where the point is.
  near(length(minus(scanned.point, p)), length(minus(found.point, p)), tolerance, 'distance by scan');

  function draw(): Scene | undefined {
    const { points, size, scale: s } = cloud(rng, rng.int(4, 12));
    if (affineDimension(points) < 3) return undefined;
    const body = polyhedron(points);
    const base = rng.pick(points);
    const kind = rng.int(0, 4);
    const spread = size * rng.pick([1, 0.01, 30]);
    const offset = rng.vec(spread);
    const q = { x: base.x + offset.x, y: base.y + offset.y, z: base.z + offset.z };
    if (kind === 0) Object.assign(q, { x: Math.round(q.x), y: Math.round(q.y), z: Math.round(q.z) });
    if (kind === 1) Object.assign(q, base); // a vertex
    if (kind === 2) {
      const other = rng.pick(points);
      Object.assign(q, { x: (base.x + other.x) / 2, y: (base.y + other.y) / 2, z: (base.z + other.z) / 2 });
    }
    return { shape: body, regions: voronoiRegions(body), p: q, scale: Math.max(s, length(q)) };
  }
});

/**
 * c is the point of a convex set closest to p exactly when c is in the set and no (v - c) · (p - c) is positive. An
 * error of c shows there as its length times |v - c| + |p - c|.
 */
function checkClosest({ shape, regions, p }: Scene, found: FeaturePoint, tolerance: number): void {
  const c = found.point;
  for (const [f, { normal }] of shape.planes.entries()) {
    const height = dot(normal, minus(c, shape.vertices[shape.faces[f]![0]!]!));
    check(height <= tolerance, () => `${found.kind} ${found.index}: ${height} outside face ${f}`);
  }
  if (found.kind === 'inside') {
    check(c.x === p.x && c.y === p.y && c.z === p.z, 'a point inside is its own closest point');
    return;
  }
  const toP = minus(p, c);
  near(length(toP), bruteDistance(shape, p), tolerance, 'distance');
  for (const v of shape.vertices) {
    const beyond = dot(minus(v, c), toP);
    check(
      beyond <= tolerance * (length(minus(v, c)) + length(toP)),
      () => `${found.kind} ${found.index}: ${beyond} beyond`,
    );
  }
  // And it is where the feature is.
  for (const i of cornersOf(shape, regions, found)) {
    const w = minus(shape.vertices[i]!, c);
    check(
      Math.abs(dot(w, toP)) <= tolerance * (length(w) + length(toP)),
      'a feature that does not face the point',
    );
  }
}

/** From a point outside to the closest of all points of edges and feet on faces. */
function bruteDistance({ vertices, faces, planes }: Polyhedron, p: Vec3): number {
  let best = Infinity;
  for (const [f, face] of faces.entries()) {
    const { normal } = planes[f]!;
    const corners = face.map((i) => vertices[i]!);
    let over = true;
    corners.forEach((a, k) => {
      const edge = minus(corners[(k + 1) % corners.length]!, a);
      const t = Math.max(0, Math.min(1, dot(minus(p, a), edge) / dot(edge, edge)));
      best = Math.min(
        best,
        length(minus(p, { x: a.x + t * edge.x, y: a.y + t * edge.y, z: a.z + t * edge.z })),
      );
      over &&= dot(cross(normal, edge), minus(p, a)) >= 0;
    });
    if (over) best = Math.min(best, Math.abs(dot(normal, minus(p, corners[0]!))));
  }
  return best;
}

property('[R3.10] a walk that starts at the last answer follows a moving point', 10_000, (rng, index) => {
  if (index % 100 === 0)
    follow.regions = voronoiRegions(polyhedron(Array.from({ length: 40 }, () => rng.direction())));
  const { regions, feature, p } = follow;
  const step = rng.vec(0.1);
  p.x = Math.max(-3, Math.min(3, p.x + step.x));
  p.y = Math.max(-3, Math.min(3, p.y + step.y));
  p.z = Math.max(-3, Math.min(3, p.z + step.z));
  if (index % 100 === 0) Object.assign(feature, makeFeaturePoint());
  voronoiFeature(regions!, p, feature, feature); // the answer is the next start
  const scanned = voronoiFeatureByScan(regions!, p, makeFeaturePoint());
  check(length(minus(scanned.point, feature.point)) <= 1e-14, 'the same point');
  check(scanned.kind === feature.kind && scanned.index === feature.index, 'the same feature');
});

const follow: { regions?: VoronoiRegions; feature: FeaturePoint; p: Vec3 } = {
  feature: makeFeaturePoint(),
  p: { x: 2, y: 0, z: 0 },
};

test('[R3.10] a box without thickness still answers, by the scan if need be', () => {
  const regions = voronoiRegions(boxPolyhedron({ x: -1, y: -1, z: 0 }, { x: 1, y: 1, z: 0 }));
  for (const start of allFeatures(regions)) {
    expect(voronoiFeature(regions, { x: 0.5, y: 0.25, z: 3 }, start).point).toEqual({
      x: 0.5,
      y: 0.25,
      z: 0,
    });
    expect(voronoiFeature(regions, { x: 5, y: 0.25, z: -3 }, start).point).toEqual({ x: 1, y: 0.25, z: 0 });
    expect(voronoiFeature(regions, { x: 5, y: -4, z: 1 }, start).point).toEqual({ x: 1, y: -1, z: 0 });
  }
});

test('refuses bad numbers and broken surfaces by name', () => {
  const box = boxPolyhedron({ x: -1, y: -1, z: -1 }, { x: 1, y: 1, z: 1 });
  const regions = voronoiRegions(box);
  const origin = { x: 0, y: 0, z: 0 };
  expect(() => voronoiFeature(regions, { x: Number.NaN, y: 0, z: 0 })).toThrow(/p\.x/);
  expect(() => voronoiFeature(regions, origin, { kind: 'edge', index: 12, point: origin })).toThrow(/start/);
  expect(() => voronoiRegions({ ...box, faces: box.faces.slice(1), planes: box.planes.slice(1) })).toThrow(
    /polyhedron\.faces must make one closed surface/,
  );
  expect(() => voronoiRegions({ ...box, planes: [] })).toThrow(/planes/);
});
