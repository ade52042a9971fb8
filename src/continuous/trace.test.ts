import { expect, test } from 'vitest';
import { check, exact, near, property, type Rng } from '../../tests/kit/index.ts';
import { soup, terrain, together, torus } from '../../tests/kit/meshes.ts';
import { placing, voxels } from '../../tests/kit/voxels.ts';
import { transformPoint, transformVector } from '../math/pose.ts';
import type { Pose, Vec3 } from '../math/types.ts';
import { pose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { box, point } from '../shapes/index.ts';
import { polyhedralModel } from './model/polyhedral-model.ts';
import { makeTraceHit, traceModel } from './trace.ts';
import type { PolyhedralModel } from './types.ts';

/** A soup may have no triangle with an area. */
const ONE = { positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), index: Uint32Array.of(0, 1, 2) };
const HERE: Pose = pose();
const cornersOf = ({ points, polygonStart, polygonVertices }: PolyhedralModel, f: number): Vec3[] =>
  [...polygonVertices.subarray(polygonStart[f], polygonStart[f + 1])].map((v) =>
    vec3(points[3 * v], points[3 * v + 1], points[3 * v + 2]),
  );

/**
 * Where the line o + t v meets a polygon, without rounding; null if it does not, or lies in the plane. All sides must be
 * passed on the same side, or touched: right for what is exactly flat and convex, as triangles are, and lattice polygons.
 */
function exactTime(o: Vec3, v: Vec3, corners: readonly Vec3[], front: boolean): exact.Q | null {
  const { vsub, vdot, vcross, sign } = exact;
  const loop = corners.map((p) => vsub(exact.qv(p), exact.qv(o)));
  const d = exact.qv(v);
  let area: exact.QVec = { x: exact.ZERO, y: exact.ZERO, z: exact.ZERO };
  for (let k = 2; k < loop.length; k++)
    area = exact.vadd(area, vcross(vsub(loop[k - 1]!, loop[0]!), vsub(loop[k]!, loop[0]!)));
  const slope = vdot(d, area);
  if (sign(slope) === 0 || (front && sign(slope) > 0)) return null;
  for (let k = 0; k < loop.length; k++)
    if (sign(vdot(d, vcross(loop[k]!, loop[(k + 1) % loop.length]!))) * sign(slope) < 0) return null;
  return exact.div(vdot(loop[0]!, area), slope);
}

/** The last time is rounded: what is near it may be in the range or not. */
const NEAR_END = 1e-12;
const END = exact.q(1 + NEAR_END);

/** The first time from 0 on, over all polygons; and for each polygon its time. */
function firstTime(
  model: PolyhedralModel,
  o: Vec3,
  v: Vec3,
): { best: exact.Q | null; times: (exact.Q | null)[] } {
  let best: exact.Q | null = null;
  const times = [...model.sources.keys()].map((f) => {
    const t = exactTime(o, v, cornersOf(model, f), model.sides === 'front');
    return t && exact.sign(t) >= 0 && exact.cmp(t, END) <= 0 ? t : null;
  });
  for (const t of times) if (t && (!best || exact.cmp(t, best) < 0)) best = t;
  return { best, times };
}

/** A way that likes to go through vertices and edges, along axes, and from or to the surface. */
function anyWay(rng: Rng, model: PolyhedralModel): { o: Vec3; v: Vec3 } {
  const { points, edges, low, high } = model;
  const size = v3.distance(low, high) || 1;
  const vertex = (i: number): Vec3 => vec3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
  const place = (): Vec3 => {
    const kind = rng.int(0, 4);
    if (kind === 0) return vertex(rng.int(0, points.length / 3 - 1));
    if (kind === 1) {
      const e = rng.int(0, edges.length / 2 - 1);
      return v3.lerp(vertex(edges[2 * e]!), vertex(edges[2 * e + 1]!), rng.pick([0.5, 0.25, rng.unit()]));
    }
    if (kind === 2) return v3.lerp(low, high, rng.pick([0, 0.5, 1]));
    return v3.add(v3.lerp(low, high, 0.5), rng.vec(size));
  };
  const through = place();
  if (rng.chance(0.25)) {
    const axis = rng.pick(['x', 'y', 'z'] as const);
    const length = size * rng.pick([1, 2]) * rng.sign();
    const o = { ...through, [axis]: through[axis] - length * rng.pick([0, 0.5, 1]) };
    return { o, v: { x: 0, y: 0, z: 0, [axis]: length } };
  }
  const o = place();
  return { o, v: v3.scale(v3.sub(through, o), rng.pick([1, 1.5, 0.75, 4])) };
}

property('[P13] the first polygon is that of asking all of them without rounding', 400, (rng) => {
  const kind = rng.int(0, 3);
  const source =
    kind === 0
      ? together(soup(rng, rng.int(1, 12)), ONE)
      : kind === 1
        ? terrain(rng, 3)
        : voxels(rng, 2, rng.unit(), kind === 2 ? placing(rng) : undefined);
  // Only on a lattice are merged polygons flat to the last bit.
  const model = polyhedralModel(source, {
    mergeCoplanar: kind === 3,
    sides: rng.pick(['front', 'both']),
  });
  for (let k = 0; k < 4; k++) {
    const { o, v } = anyWay(rng, model);
    if (v.x === 0 && v.y === 0 && v.z === 0) continue; // a point, see below
    const { best, times } = firstTime(model, o, v);
    const hit = traceModel(model, HERE, o, v, { thickness: 0 });
    const isAtEnd = best !== null && exact.toNumber(best) > 1 - NEAR_END;
    if (!isAtEnd)
      check(
        (hit === null) === (best === null),
        () => `hit ${hit?.t}, wanted ${best && exact.toNumber(best)}`,
      );
    if (!hit) continue;
    const wanted = times[hit.polygon];
    check(isAtEnd || wanted != null, 'a polygon that is hit');
    if (isAtEnd || !best) continue;
    const t = exact.toNumber(best);
    // A grazed needle has few good digits; the time is that of some point of the polygon all the same.
    near(exact.toNumber(wanted!), t, 1e-9, 'first');
    near(hit.surfaceT, t, 1e-9, 'time');
    check(hit.source === model.sources[hit.polygon], 'source');
    check(v3.dot(hit.normal, v) <= 0, 'normal');
  }
});

property('[P13] nothing slips into a solid, through whatever edge or vertex it is aimed', 150, (rng) => {
  const solid = voxels(rng, rng.int(1, 3), rng.unit(), placing(rng));
  const model = polyhedralModel(solid, { mergeCoplanar: rng.chance(0.7) });
  const { points, edges, low, high } = model;
  check(model.sides === 'front', 'closed');
  const size = v3.distance(low, high);
  for (let k = 0; k < 25; k++) {
    const inside = rng.pick(solid.centers);
    const e = rng.int(0, edges.length / 2 - 1);
    const [a, b] = [0, 1].map((i) => {
      const at = 3 * edges[2 * e + i]!;
      return vec3(points[at], points[at + 1], points[at + 2]);
    });
    const seam = v3.lerp(a!, b!, rng.pick([0, 1, 0.5, rng.unit()]));
    // From outside through the seam, or past it, up to the inside: the surface is in between.
    const away = v3.sub(seam, inside);
    const o = v3.addScaled(inside, away, (2 * size) / v3.length(away));
    const hit = traceModel(model, HERE, o, v3.sub(inside, o), { thickness: 0 });
    check(hit !== null, () => `leak at ${JSON.stringify({ o, inside })}`);
  }
});

const BOXES = [box(1, 1, 1), box(0.5, 1.25, 2), box(1.7, 0.3, 0.9)].map((b) => polyhedralModel(b));

property('[P13] it stops before the plane by the thickness, or where it starts', 1000, (rng) => {
  const model = rng.pick(BOXES);
  const at: Pose = rng.chance(0.3) ? pose() : { position: rng.vec(10), quaternion: rng.rotation() };
  const thickness = rng.pick([0, 1e-6, 0.01, 0.5]);
  const o = transformPoint(at, v3.scale(rng.direction(), 5));
  const v = transformVector(
    at,
    v3.scale(v3.sub(rng.vec(0.3), v3.scale(rng.direction(), 4)), rng.range(0.5, 3)),
  );
  const hit = traceModel(model, at, o, v, { thickness });
  if (!hit) return;
  check(hit.t >= 0 && hit.t <= hit.surfaceT, 'stops before it arrives');
  const rate = -v3.dot(v, hit.normal);
  check(rate > 0, 'front');
  const gap = (hit.surfaceT - hit.t) * rate;
  near(gap, hit.t > 0 ? thickness : Math.min(thickness, gap), 1e-12, 'gap');
  near(v3.distance(hit.point, v3.addScaled(o, v, hit.t)), 0, 1e-12, 'point');
  // The normal and the point are in the world.
  const local = v3.rotateInverse(hit.normal, at.quaternion);
  near(Math.abs(local.x) + Math.abs(local.y) + Math.abs(local.z), 1, 1e-12, 'normal of a box');
});

test('[P13] sides: a sheet stops what comes from behind, a solid does not', () => {
  const sheet = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] };
  const o = vec3(0.25, 0.25, -1);
  const up = vec3(0, 0, 2);
  const hit = traceModel(polyhedralModel(sheet), HERE, o, up, { thickness: 0.5 })!;
  expect([hit.t, hit.surfaceT, hit.normal.z, hit.point.z, hit.polygon, hit.source]).toEqual([
    0.25, 0.5, -1, -0.5, 0, 0,
  ]);
  expect(traceModel(polyhedralModel(sheet, { sides: 'front' }), HERE, o, up)).toBe(null);
  expect(traceModel(polyhedralModel(sheet), HERE, o, up, { maxT: 0.4 })).toBe(null);
  expect(traceModel(polyhedralModel(point()), HERE, o, up)).toBe(null);
  const out = makeTraceHit();
  expect(traceModel(polyhedralModel(sheet), HERE, o, up, null, out)).toBe(out);
  // The default: a millionth of the diagonal.
  near(out.surfaceT - out.t, (1e-6 * Math.SQRT2) / 2, 1e-15);
});

test('[P13] a point that does not move is stopped by what it is on', () => {
  const model = polyhedralModel(box(1, 1, 1));
  expect(traceModel(model, HERE, vec3(1, 0.25, 0.25), vec3())?.t).toBe(0);
  expect(traceModel(model, HERE, vec3(1.5, 0.25, 0.25), vec3())).toBe(null);
});

test('[P13] bad input is refused by name', () => {
  const model = polyhedralModel(box(1, 1, 1));
  expect(() => traceModel(model, HERE, vec3(Number.NaN), vec3(1))).toThrow(/origin/);
  expect(() => traceModel(model, HERE, vec3(), vec3(Infinity))).toThrow(/translation/);
  expect(() => traceModel(model, HERE, vec3(), vec3(1), { thickness: -1 })).toThrow(/thickness/);
  expect(() => traceModel(model, HERE, vec3(), vec3(1), { maxT: Number.NaN })).toThrow(/maxT/);
});

test('[P13] a torus seen through all of its vertices', () => {
  const model = polyhedralModel(torus(24, 12, 1, 0.4));
  const o = vec3(0.1, 5, 0.3);
  let hits = 0;
  for (let i = 0; i < model.points.length; i += 3) {
    const p = vec3(model.points[i], model.points[i + 1], model.points[i + 2]);
    if (traceModel(model, HERE, o, v3.sub(p, o), { thickness: 0, maxT: 1.001 })) hits++;
  }
  expect(hits).toBeGreaterThan(model.points.length / 6);
});
