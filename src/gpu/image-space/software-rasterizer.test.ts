/** Coverage, depth, stencil and ids of the software rasteriser, against whole-number arithmetic and planes. */
import { describe, expect, test } from 'vitest';
import { pointsOf } from '../../../tests/kit/image-bodies.ts';
import { asyncProperty, check, near, property, type Rng } from '../../../tests/kit/index.ts';
import { boxMesh, icosphere, torus } from '../../../tests/kit/meshes.ts';
import { type RasterModel, rasterModel } from './raster-model.ts';
import type { DrawPlace } from './rasterizer.ts';
import { halveImage, SoftwareRasterizer } from './software-rasterizer.ts';

const SIZE = 16;
/** Local coordinates are the window's: x and y from -1 to 1. Models move their triangles about, so this undoes it. */
const placeOf = ({ center: c, scale: s }: Pick<RasterModel, 'center' | 'scale'>): DrawPlace => ({
  matrix: Float32Array.from([s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, c.x, c.y, c.z, 1]),
  viewport: [0, 0, SIZE, SIZE],
});

type Point = readonly [x: number, y: number, z: number];

/** A corner on the grid of 1/16 pixel, in window coordinates, z from 0 to 1. */
const corner = (rng: Rng): Point => [
  rng.int(-64, 16 * SIZE + 64),
  rng.int(-64, 16 * SIZE + 64),
  rng.int(0, 64) / 64,
];

function draw(raster: SoftwareRasterizer, corners: readonly Point[], how: object = {}): void {
  const positions = corners.flatMap(([x, y, z]) => [
    (2 * x) / (16 * SIZE) - 1,
    (2 * y) / (16 * SIZE) - 1,
    2 * z - 1,
  ]);
  const model = rasterModel({ positions });
  raster.draw(model, placeOf(model), { what: 'faces', depth: 'always', writeDepth: true, id: 1, ...how });
}

/** Twice the area of a, b, p: whole numbers, in units of 1/32 pixel. */
const side = (a: Point, b: Point, x: number, y: number): number =>
  2 * ((b[0] - a[0]) * (y - 2 * a[1]) - (b[1] - a[1]) * (x - 2 * a[0]));

/** Is the centre inside, or on an edge that belongs to the triangle? Left and lower edges do: those with the inside to the right or above. */
function covers([a, b, c]: readonly Point[], column: number, row: number): boolean {
  const [x, y] = [32 * column + 16, 32 * row + 16];
  const turn = Math.sign(side(a!, b!, 2 * c![0], 2 * c![1]));
  if (turn === 0) return false;
  return (
    [
      [a!, b!, c!],
      [b!, c!, a!],
      [c!, a!, b!],
    ] as const
  ).every(([p, q, opposite]) => {
    const e = turn * side(p, q, x, y);
    if (e !== 0) return e > 0;
    if (p[1] === q[1]) return opposite[1] > p[1];
    // Where the edge is at the height of the opposite corner tells on which side the inside is.
    const at = p[0] + ((q[0] - p[0]) * (opposite[1] - p[1])) / (q[1] - p[1]);
    return opposite[0] > at;
  });
}

const lit = (raster: SoftwareRasterizer, i: number): boolean => raster.ids[4 * i]! > 0;

property(
  '[R10.0] triangles light the centres that they cover, at the depth of their plane',
  10_000,
  (rng) => {
    const raster = new SoftwareRasterizer({ size: SIZE });
    const corners = [corner(rng), corner(rng), corner(rng)];
    if (rng.chance(0.2)) corners[rng.int(0, 2)] = corners[0]!;
    draw(raster, corners);
    const [a, b, c] = corners as [Point, Point, Point];
    const [abx, aby, acx, acy] = [b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]];
    const area = abx * acy - aby * acx;
    for (let i = 0; i < SIZE * SIZE; i++) {
      const [column, row] = [i % SIZE, Math.floor(i / SIZE)];
      check(lit(raster, i) === covers(corners, column, row), () => `pixel ${column}, ${row} of ${corners}`);
      if (!lit(raster, i)) {
        check(raster.depth[i] === 1, 'depth of a pixel that is not lit');
        continue;
      }
      const [x, y] = [16 * column + 8 - a[0], 16 * row + 8 - a[1]];
      const [u, v] = [(x * acy - y * acx) / area, (abx * y - aby * x) / area];
      near(raster.depth[i]!, a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]), 1e-6, 'depth');
    }
  },
);

property('[R10.0] triangles around a corner light every centre once', 2000, (rng) => {
  const raster = new SoftwareRasterizer({ size: SIZE });
  const far = 16 * SIZE;
  const middle: Point = [rng.int(0, far), rng.int(0, far), 0.5];
  // Around the window, so that all of it is covered.
  const rim: Point[] = [
    [-16, -16, 0],
    [rng.int(0, far), -16, 0],
    [far + 16, -16, 0],
    [far + 16, rng.int(0, far), 0],
    [far + 16, far + 16, 0],
    [-16, far + 16, 0],
  ];
  const corners = rim.flatMap((p, k) => [middle, p, rim[(k + 1) % rim.length]!]);
  draw(raster, corners, { stencil: 'count' });
  check(
    raster.stencil.every((n) => n === 1),
    () => `${middle}: ${raster.stencil}`,
  );
});

test('[R10.3] front and back faces of closed solids cancel at every pixel', () => {
  for (const triangles of [boxMesh(), icosphere(2), torus()]) {
    const raster = new SoftwareRasterizer({ size: 64 });
    const model = rasterModel(triangles);
    const [c, s] = [Math.cos(0.7) / 2, Math.sin(0.7) / 2];
    const matrix = Float32Array.from([c, s, 0.1, 0, -s, c, 0.2, 0, 0.2, -0.1, 0.4, 0, 0, 0, 0, 1]);
    raster.draw(
      model,
      { matrix, viewport: [0, 0, 64, 64] },
      { what: 'faces', depth: 'always', side: 'front', stencil: 'count' },
    );
    expect(Math.max(...raster.stencil)).toBeGreaterThan(0);
    raster.draw(
      model,
      { matrix, viewport: [0, 0, 64, 64] },
      { what: 'faces', depth: 'always', side: 'back', stencil: 'count' },
    );
    expect(Math.max(...raster.stencil)).toBe(0);
  }
});

describe('state', () => {
  const square = (z: number, flipped = false): Point[] => {
    const far = 16 * SIZE;
    const loop: Point[] = [
      [0, 0, z],
      [far, 0, z],
      [far, far, z],
      [0, far, z],
    ];
    if (flipped) loop.reverse();
    return [0, 1, 2, 0, 2, 3].map((i) => loop[i]!);
  };

  test('depth tests', async () => {
    const raster = new SoftwareRasterizer({ size: SIZE });
    draw(raster, square(0.5));
    const asked: [DepthTest: 'always' | 'less' | 'less-equal' | 'greater', z: number, passes: boolean][] = [
      ['always', 0.9, true],
      ['less', 0.4, true],
      ['less', 0.5, false],
      ['less', 0.6, false],
      ['less-equal', 0.5, true],
      ['less-equal', 0.6, false],
      ['greater', 0.6, true],
      ['greater', 0.5, false],
      ['greater', 0.4, false],
    ];
    for (const [depth, z] of asked) {
      raster.beginQuery();
      draw(raster, square(z), { depth, writeDepth: false });
      raster.endQuery();
    }
    expect([...(await raster.finish())]).toEqual(asked.map(([, , passes]) => (passes ? 1 : 0)));
    expect(raster.samples.filter((n) => n > 0)).toEqual([256, 256, 256, 256]);
    expect(new Set(raster.depth)).toEqual(new Set([0.5]));
  });

  test('sides, counts modulo 256, and a fill where the count is not zero', async () => {
    const raster = new SoftwareRasterizer({ size: SIZE });
    draw(raster, square(0.2, true), { stencil: 'count', id: 0x1234 });
    expect(new Set(raster.stencil)).toEqual(new Set([255]));
    draw(raster, square(0.2), { side: 'back', stencil: 'count' });
    expect(new Set(raster.stencil)).toEqual(new Set([255]));
    draw(raster, square(0.2), { side: 'front', stencil: 'count', id: 0x1234 });
    expect(new Set(raster.stencil)).toEqual(new Set([0]));
    raster.stencil[17] = 3;
    raster.beginQuery();
    raster.fill({ id: 0xabcd, clear: true });
    raster.endQuery();
    expect([...(await raster.finish())]).toEqual([1]);
    expect(raster.samples).toEqual([1]);
    const ids = await raster.readIds();
    expect([...ids.subarray(4 * 16, 4 * 18)]).toEqual([0x34, 0x12, 0, 0, 0x34, 0x12, 0xcd, 0xab]);
    expect(raster.stencil[17]).toBe(0);
    raster.clear('ids');
    expect(new Set(await raster.readIds())).toEqual(new Set([0]));
  });

  test('layers: of all fragments at a pixel, the one of a number passes', () => {
    for (const layer of [0, 1, 2, 3]) {
      const raster = new SoftwareRasterizer({ size: SIZE });
      draw(raster, [...square(0.75), ...square(0.25), ...square(0.5)], { stencil: layer });
      expect(new Set(raster.depth)).toEqual(new Set([[0.75, 0.25, 0.5, 1][layer]]));
      expect(new Set(raster.stencil)).toEqual(new Set([3]));
    }
  });

  test('what is no size is refused', () => {
    expect(() => new SoftwareRasterizer({ size: 100 })).toThrow(/options.size must be a multiple of 16/);
    expect(() => new SoftwareRasterizer({ size: 0 })).toThrow(
      /options.size must be a whole number from 16 to 4096/,
    );
    expect(() => new SoftwareRasterizer({ subpixelBits: 3 })).toThrow(/subpixelBits/);
    expect(() => new SoftwareRasterizer().readLit(5)).toThrow(/halvings must be a whole number from 0 to 4/);
  });
});

property(
  '[R10.3] an edge lights one pixel of each column or row that it passes, within half a pixel of it',
  5000,
  (rng) => {
    const raster = new SoftwareRasterizer({ size: SIZE });
    const [a, b] = [corner(rng), corner(rng)];
    // A triangle without area: its three edges are a to b, and b to a twice over, or the one edge.
    const positions = [a, b].flatMap(([x, y, z]) => [(2 * x) / 256 - 1, (2 * y) / 256 - 1, 2 * z - 1]);
    const edges = Float32Array.from(positions);
    const model = {
      ...rasterModel({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] }),
      edges,
      edgeCount: 1,
      outward: new Float32Array(6),
    };
    raster.draw(model, placeOf({ center: { x: 0, y: 0, z: 0 }, scale: 1 }), {
      what: 'edges',
      depth: 'always',
      writeDepth: true,
      id: 1,
    });
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const isFlat = Math.abs(dx) >= Math.abs(dy);
    const [along, across] = isFlat ? [0, 1] : [1, 0];
    for (let i = 0; i < SIZE; i++) {
      const centre = 16 * i + 8;
      const inside =
        dx === 0 && dy === 0
          ? false
          : centre > Math.min(a[along]!, b[along]!) && centre < Math.max(a[along]!, b[along]!);
      const found = Array.from({ length: SIZE }, (_, j) => (isFlat ? j * SIZE + i : i * SIZE + j)).filter(
        (at) => lit(raster, at),
      );
      const t = (centre - a[along]!) / (b[along]! - a[along]!);
      const at = a[across]! + t * (b[across]! - a[across]!);
      if (!inside || at < 0 || at >= 256) {
        // The ends themselves: the first is lit, the last is not.
        check(found.length <= 1, 'more than one pixel');
        if (centre === b[along]) check(found.length === 0, 'the last end');
        if (centre === a[along] && centre !== b[along] && at >= 0 && at < 256)
          check(found.length === 1, 'the first end');
        continue;
      }
      check(found.length === 1, () => `${found.length} pixels in ${i} of ${a} to ${b}`);
      const j = isFlat ? Math.floor(found[0]! / SIZE) : found[0]! % SIZE;
      check(Math.abs(16 * j + 8 - at) <= 8 + 1e-9, () => `pixel ${j} for ${at / 16}`);
      near(raster.depth[found[0]!]!, a[2] + t * (b[2] - a[2]), 1e-6, 'depth of an edge');
    }
  },
);

describe('[R10.4] bounds of faces', () => {
  property(
    'no point of a triangle is at a pixel that is not lit, nearer than `nearest` or farther than `farthest`',
    4000,
    (rng) => {
      const corners: Point[] = [corner(rng), corner(rng), corner(rng)];
      const shape = rng.int(0, 3);
      // Edge-on, a point, a sliver, smaller than a pixel.
      if (shape === 0)
        corners[2] = [2 * corners[1]![0] - corners[0]![0], 2 * corners[1]![1] - corners[0]![1], rng.unit()];
      if (shape === 1)
        for (const k of [1, 2])
          corners[k] = [corners[0]![0] + rng.int(0, 3), corners[0]![1] + rng.int(0, 3), rng.unit()];
      if (shape === 2) corners[2] = [corners[1]![0] + 1e-5, corners[1]![1], rng.unit()];
      const buffers = (['nearest', 'farthest'] as const).map((what) => {
        const raster = new SoftwareRasterizer({ size: SIZE });
        draw(raster, corners, { what });
        return raster;
      }) as [SoftwareRasterizer, SoftwareRasterizer];
      for (let n = 0; n < 40; n++) {
        const [u, v] = [rng.unit(), rng.unit()];
        const [s, t] = rng.chance(0.3) ? [rng.int(0, 1), 0] : u + v > 1 ? [1 - u, 1 - v] : [u, v];
        const at = (k: 0 | 1 | 2) =>
          corners[0]![k] + s * (corners[1]![k] - corners[0]![k]) + t * (corners[2]![k] - corners[0]![k]);
        const [x, y, z] = [at(0) / 16, at(1) / 16, at(2)];
        if (x < 0 || y < 0 || x >= SIZE || y >= SIZE) continue;
        const i = Math.floor(y) * SIZE + Math.floor(x);
        for (const raster of buffers) check(lit(raster, i), () => `${[x, y]} of ${corners.join(' / ')}`);
        check(buffers[0].depth[i]! <= z, () => `${buffers[0].depth[i]} is not nearer than ${z}`);
        check(
          buffers[1].depth[i]! >= Math.min(z, 1),
          () => `${buffers[1].depth[i]} is not farther than ${z}`,
        );
      }
    },
  );

  property(
    'they are tight: a pixel that is lit is near the triangle, and depths are within its own',
    2000,
    (rng) => {
      const corners: Point[] = [corner(rng), corner(rng), corner(rng)];
      const raster = new SoftwareRasterizer({ size: SIZE });
      draw(raster, corners, { what: 'nearest' });
      const least = Math.min(...corners.map(([, , z]) => z));
      for (let i = 0; i < SIZE * SIZE; i++) {
        if (!lit(raster, i)) continue;
        check(raster.depth[i]! >= least - 1e-4, 'a depth in front of all corners');
        const [x, y] = [16 * (i % SIZE) + 8, 16 * Math.floor(i / SIZE) + 8];
        // Apart from a square of two pixels about the centre by the side of either is too far.
        for (const k of [0, 1] as const) {
          const p = k === 0 ? x : y;
          check(
            Math.min(...corners.map((q) => q[k])) <= p + 16 &&
              Math.max(...corners.map((q) => q[k])) >= p - 16,
            'far away',
          );
        }
        const [a, b, c] = corners as [Point, Point, Point];
        const turn = Math.sign(side(a, b, 2 * c[0], 2 * c[1]));
        for (const [p, q] of [
          [a, b],
          [b, c],
          [c, a],
        ] as const) {
          const reach = 2 * 2 * 16 * (Math.abs(q[0] - p[0]) + Math.abs(q[1] - p[1]));
          check(turn * side(p, q, 2 * x, 2 * y) >= -reach, 'beyond a side');
        }
      }
    },
  );
});

describe('[R10.1] halving', () => {
  test('one lit pixel anywhere is found after four halvings, and after five no longer', () => {
    const size = 32;
    for (let at = 0; at < size * size; at++) {
      let pixels: Uint8Array = new Uint8Array(size * size);
      pixels[at] = 255;
      for (const [k, left] of [64, 16, 4, 1].entries()) {
        pixels = halveImage(pixels, size >> k);
        expect(Math.max(...pixels)).toBe(left);
        const [x, y] = [(at % size) >> (k + 1), Math.floor(at / size) >> (k + 1)];
        expect(pixels[y * (size >> (k + 1)) + x]).toBe(left);
      }
      expect(pixels).toHaveLength(4);
      expect(Math.max(...halveImage(pixels, size >> 4))).toBe(0);
    }
  });

  test('means are rounded to the nearest', () => {
    const of = (...pixels: number[]) => halveImage(Uint8Array.from(pixels), 2)[0];
    expect(of(255, 255, 255, 255)).toBe(255);
    expect(of(255, 255, 0, 0)).toBe(128);
    expect(of(255, 255, 255, 0)).toBe(191);
    expect(of(1, 0, 0, 0)).toBe(0);
    expect(of(1, 1, 0, 0)).toBe(1);
  });

  asyncProperty('what is lit is found in a 256th of the pixels', 100, async (rng) => {
    const raster = new SoftwareRasterizer({ size: 64 });
    const at = rng.int(0, 64 * 64 - 1);
    raster.ids[4 * at + rng.int(0, 3)] = rng.int(1, 255);
    const whole = await raster.readLit(0);
    check(whole[at] === 255 && whole.reduce((sum, x) => sum + x) === 255, 'one pixel');
    const small = await raster.readLit(4);
    check(small.length === 16, 'a 256th');
    const place = Math.floor(at / 64 / 16) * 4 + Math.floor((at % 64) / 16);
    check(
      small.every((x, i) => x > 0 === (i === place)),
      () => `${small}`,
    );
  });
});

test('a model: edges within flat faces are left out, seams are closed', () => {
  const cube = rasterModel(boxMesh());
  expect([cube.triangleCount, cube.edgeCount, cube.isClosed]).toEqual([12, 12, true]);
  expect(cube.scale).toBe(1);
  const { positions, index } = boxMesh({ x: 100, y: 0, z: 0 }, { x: 104, y: 2, z: 1 });
  const soup = pointsOf({
    positions: Float64Array.from([...index].flatMap((i) => [0, 1, 2].map((k) => positions[3 * i + k]!))),
    index,
  });
  const cut = rasterModel({ positions: soup.flatMap(({ x, y, z }) => [x, y, z]) });
  expect([cut.triangleCount, cut.edgeCount, cut.isClosed]).toEqual([12, 12, true]);
  expect([cut.center, cut.scale, cut.halfSize]).toEqual([
    { x: 102, y: 1, z: 0.5 },
    2,
    { x: 2, y: 1, z: 0.5 },
  ]);
  expect(Math.max(...cut.corners)).toBe(1);
  // Outward, away from the middle, and of unit length.
  for (let i = 0; i < cut.edges.length; i += 3) {
    const [n, p] = [cut.outward.subarray(i, i + 3), cut.edges.subarray(i, i + 3)];
    expect(Math.hypot(...n)).toBeCloseTo(1, 6);
    for (let k = 0; k < 3; k++) expect(n[k]! * p[k]!).toBeGreaterThan(0);
  }
  const open = rasterModel({ positions, index: index.slice(3) });
  expect([open.isClosed, open.edgeCount]).toEqual([false, 13]);
});
