import * as THREE from 'three';
import { describe, expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import { inspect } from './inspect.ts';
import { closeSeams, rimEdges } from './seams.ts';
import { readTriangles, type Triangles } from './triangles.ts';

/** Closed geometries of three.js, with as many segments as asked for. */
function closedGeometries(a: number, b: number): Record<string, THREE.BufferGeometry> {
  const outline = Array.from({ length: b + 1 }, (_, i) => {
    const angle = (Math.PI * i) / b;
    return new THREE.Vector2(0.8 * Math.sin(angle), -Math.cos(angle));
  });
  const round = new THREE.CatmullRomCurve3(
    [
      [1, 0, 0],
      [0, 0.3, 1],
      [-1, 0, 0],
      [0, -0.2, -1],
    ].map(([x, y, z]) => new THREE.Vector3(x, y, z)),
    true,
  );
  const circle = new THREE.CatmullRomCurve3(
    Array.from({ length: 12 }, (_, i) => {
      const angle = (Math.PI * i) / 6;
      return new THREE.Vector3(Math.cos(angle), Math.sin(angle), 0);
    }),
    true,
  );
  return {
    sphere: new THREE.SphereGeometry(1.3, a, b),
    cylinder: new THREE.CylinderGeometry(0.7, 1.1, 2, a, b),
    cone: new THREE.ConeGeometry(0.9, 2, a, b),
    torus: new THREE.TorusGeometry(1, 0.4, b, a),
    capsule: new THREE.CapsuleGeometry(0.7, 1.1, b, a),
    lathe: new THREE.LatheGeometry(outline, a),
    'pointed lathe': new THREE.LatheGeometry(
      [new THREE.Vector2(0, -1), new THREE.Vector2(0.8, 0.2), new THREE.Vector2(0, 1)],
      a,
    ),
    'torus knot': new THREE.TorusKnotGeometry(1, 0.3, 4 * a, b),
    tube: new THREE.TubeGeometry(round, a, 0.2, b, true),
    'round tube': new THREE.TubeGeometry(circle, a, 0.2, b, true),
    box: new THREE.BoxGeometry(1, 2, 3, a % 4 || 1, b % 3 || 1, 2),
  };
}

/** Edges along which triangles do not cancel, told by the text of their positions: nothing is shared with what is tested. */
function openEdges({ positions, index }: Triangles): number {
  const name = (v: number): string =>
    `${positions[3 * v]! + 0} ${positions[3 * v + 1]! + 0} ${positions[3 * v + 2]! + 0}`;
  const net = new Map<string, number>();
  for (let i = 0; i < index.length; i += 3)
    for (let k = 0; k < 3; k++) {
      const from = name(index[i + k]!);
      const to = name(index[i + ((k + 1) % 3)]!);
      if (from === to) continue;
      const key = from < to ? `${from}|${to}` : `${to}|${from}`;
      net.set(key, (net.get(key) ?? 0) + (from < to ? 1 : -1));
    }
  return [...net.values()].reduce((sum, n) => sum + Math.abs(n), 0);
}

const arraysOf = (geometry: THREE.BufferGeometry): Triangles =>
  readTriangles('test', {
    positions: geometry.getAttribute('position').array as Float32Array,
    index: geometry.getIndex()?.array,
  });

const largestOf = (positions: ArrayLike<number>): number =>
  Array.from(positions).reduce((m, x) => Math.max(m, Math.abs(x)), 0);

/** The arrays in 64 bits, stretched and moved. */
const placed = ({ positions, index }: Triangles, scale: number, by: readonly number[]): Triangles => ({
  positions: Float64Array.from(positions, (x, i) => x * scale + by[i % 3]!),
  index,
});

describe('closed geometries of three.js are closed', () => {
  for (const [a, b] of [
    [3, 2],
    [4, 3],
    [7, 5],
    [16, 8],
    [32, 16],
    [33, 4],
    [50, 7],
  ] as const)
    test(`${a} by ${b} segments`, () => {
      for (const [name, geometry] of Object.entries(closedGeometries(a, b)))
        for (const arrays of [arraysOf(geometry), arraysOf(geometry.toNonIndexed())])
          for (const given of [
            arrays,
            placed(arrays, 1, [0, 0, 0]),
            placed(arrays, 1e-3, [1e6, -1e6, 1e6]),
            placed(arrays, 37.7, [1e6, 3, -2e5]),
            placed(arrays, 1e-30, [0, 0, 0]),
            placed(arrays, 1e30, [0, 0, 0]),
          ]) {
            const { positions, moved, largestGap } = closeSeams(given);
            const { index } = given;
            const ulp = 2.220446049250313e-16 * largestOf(given.positions);
            expect(openEdges({ positions, index }), name).toBe(0);
            expect(rimEdges({ positions, index }).length, name).toBe(0);
            expect(largestGap, name).toBeLessThanOrEqual(8 * ulp);
            const kept = new Set(moved);
            for (let v = 0; 3 * v < positions.length; v++) {
              const gap = Math.max(
                ...[0, 1, 2].map((k) => Math.abs(positions[3 * v + k]! - given.positions[3 * v + k]!)),
              );
              if (gap > 8 * ulp || gap > 0 !== kept.has(v))
                throw new Error(`${name}: vertex ${v} is off by ${gap}`);
            }
          }
    });

  test('turned and moved in 32 bits, again and again', () => {
    const rng = new Rng(5);
    for (const [name, geometry] of Object.entries(closedGeometries(24, 10))) {
      for (let turn = 0; turn < 6; turn++) {
        geometry.rotateX(rng.range(-3, 3)).rotateZ(rng.range(-3, 3));
        geometry.translate(rng.range(-2, 2), rng.range(-2, 2), rng.range(-2, 2));
        const given = arraysOf(geometry);
        expect(openEdges({ ...given, positions: closeSeams(given).positions }), name).toBe(0);
      }
    }
  });
});

test('inspect calls them closed, and tells what it has welded', () => {
  const { positions, index } = arraysOf(new THREE.SphereGeometry(1, 32, 16));
  const report = inspect({ positions, index });
  expect(report).toMatchObject({ isClosed: true, isOriented: true, isManifold: true, borders: [] });
  expect(report.weldedVertices.length).toBe(15);
  expect(report.largestGap).toBeGreaterThan(1e-16);
  expect(report.largestGap).toBeLessThan(3e-16);
  expect(report.problems.join()).toMatch(/vertices off by 2.4e-16 at most along seams/);
  const box = arraysOf(new THREE.BoxGeometry());
  expect(inspect(box)).toMatchObject({ largestGap: 0 });
  expect(inspect(box).weldedVertices.length).toBe(0);
});

describe('what is open stays open, and as it is', () => {
  const open: Record<string, THREE.BufferGeometry> = {
    hemisphere: new THREE.SphereGeometry(1, 32, 16, 0, 2 * Math.PI, 0, Math.PI / 2),
    'slice of a sphere': new THREE.SphereGeometry(1, 32, 16, 0, 6.28),
    'open cylinder': new THREE.CylinderGeometry(1, 1, 2, 32, 1, true),
    plane: new THREE.PlaneGeometry(1, 1, 4, 4),
    'open tube': new THREE.TubeGeometry(
      new THREE.LineCurve3(new THREE.Vector3(), new THREE.Vector3(0, 1, 0)),
      8,
      0.2,
      8,
      false,
    ),
  };
  for (const [name, geometry] of Object.entries(open))
    test(name, () => {
      const given = arraysOf(geometry);
      const { positions } = closeSeams(given);
      expect(rimEdges({ ...given, positions }).length).toBeGreaterThan(0);
      expect(openEdges({ ...given, positions })).toBe(rimEdges({ ...given, positions }).length / 2);
      expect(inspect(given).isClosed).toBe(false);
    });

  test('a missing triangle, whichever it is', () => {
    for (const [name, geometry] of Object.entries(closedGeometries(8, 5))) {
      const { positions, index } = arraysOf(geometry);
      for (let t = 0; t < index.length; t += 3) {
        // Those around a pole may have a side of 1e-17.
        const corners = [0, 1, 2].map((k) => new THREE.Vector3().fromArray(positions, 3 * index[t + k]!));
        if (corners.some((p, k) => p.distanceTo(corners[(k + 1) % 3]!) < 1e-12)) continue;
        const rest = Uint32Array.from(index).filter((_, i) => i < t || i >= t + 3);
        const seen = closeSeams({ positions, index: rest }).positions;
        expect(rimEdges({ positions: seen, index: rest }).length, name).toBeGreaterThan(0);
      }
    }
  });

  property('a seam that gapes by 1e-6, 1e-10 or 1e-13 of the size', 200, (rng) => {
    const gape = rng.pick([1e-6, 1e-10, 1e-13]);
    const { positions, index } = placed(
      arraysOf(new THREE.SphereGeometry(1, rng.int(3, 20), rng.int(2, 12), 0, 2 * Math.PI)),
      1,
      [0, 0, 0],
    );
    const { positions: shut } = closeSeams({ positions, index });
    const torn = shut.slice();
    // One of the vertices of the seam goes elsewhere.
    const seam = closeSeams({ positions, index }).moved;
    const v = seam[rng.int(0, seam.length - 1)]!;
    torn[3 * v + rng.int(0, 2)]! += rng.pick([gape, -gape]);
    const after = closeSeams({ positions: torn, index });
    check(after.moved.length === 0 && after.positions === torn, 'something moved');
    check(rimEdges({ positions: torn, index }).length > 0, 'closed');
  });

  property('soups, needles and crowds do not move', 300, (rng) => {
    const count = rng.int(1, 60);
    const size = rng.pick([1, 1e-9, 1e9]);
    const isNeedle = rng.chance(0.5);
    const positions = new Float64Array(9 * count);
    for (let t = 0; t < count; t++)
      for (let k = 0; k < 3; k++)
        for (let c = 0; c < 3; c++)
          positions[9 * t + 3 * k + c] =
            isNeedle && k === 1
              ? positions[9 * t + c]! + rng.pick([0, 1e-16, -1e-16]) * size
              : rng.range(-1, 1) * size;
    const index = Uint32Array.from({ length: 3 * count }, (_, i) => i);
    check(closeSeams({ positions, index }).positions === positions, 'something moved');
  });

  test('a square of neighbouring numbers of 32 bits, far away', () => {
    const far = 2 ** 23;
    const positions = Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], (x) => x + far);
    const index = Uint32Array.from([0, 1, 2, 0, 2, 3]);
    expect(closeSeams({ positions, index }).positions).toBe(positions);
  });
});

property('seams that are off by up to four ulps of the size are closed, in both precisions', 200, (rng) => {
  const geometry = new THREE.TorusGeometry(1, rng.range(0.1, 0.6), rng.int(3, 12), rng.int(3, 20));
  const isSingle = rng.chance(0.5);
  const arrays = arraysOf(rng.chance(0.5) ? geometry : geometry.toNonIndexed());
  const shut = closeSeams(arrays).positions;
  const positions = isSingle ? Float32Array.from(shut) : Float64Array.from(shut);
  const seam = closeSeams(arrays).moved;
  const ulp = isSingle ? 2 ** -24 : 2 ** -53 * largestOf(positions);
  for (const v of seam) {
    const own = isSingle ? largestOf(positions.subarray(3 * v, 3 * v + 3)) : 1;
    for (let k = 0; k < 3; k++) positions[3 * v + k]! += rng.pick([-3, -1, 0, 0, 2, 3]) * ulp * own;
  }
  const closed = closeSeams({ positions, index: arrays.index });
  check(openEdges({ positions: closed.positions, index: arrays.index }) === 0, 'open');
});

test('a vertex that many edges share, and vertices by the thousand within an ulp, take no long time', () => {
  const count = 30_000;
  const fan = new Float64Array(3 * (count + 1));
  const index = new Uint32Array(3 * count);
  const tiny = new Float64Array(9 * count);
  for (let t = 0; t < count; t++) {
    fan.set([Math.cos(t), Math.sin(t), t], 3 * (t + 1));
    index.set([0, t + 1, (t % (count - 1)) + 2], 3 * t);
    for (let k = 0; k < 9; k++) tiny[9 * t + k] = 1e-20 * ((t * 7919 + k * 104729) % 65537);
  }
  tiny[0] = 1;
  expect(rimEdges({ positions: fan, index }).length).toBeGreaterThan(0);
  closeSeams({ positions: fan, index });
  closeSeams({ positions: tiny, index: Uint32Array.from({ length: 3 * count }, (_, i) => i) });
});
