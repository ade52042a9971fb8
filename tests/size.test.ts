/**
 * Small, specialised code, and benchmarks that can be believed: what each room weighs, that a user pays only for what
 * is used, that the harness measures time and counts wrong answers, and that hot kernels settle.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { describe, expect, test, vi } from 'vitest';
import { type Row, race } from '../bench/harness.ts';
import { ALLOCATION_FLAGS } from '../scripts/allocation-flags.mjs';
import * as primitives from '../src/primitives/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The program, bundled and minified as an application would. */
function bundle(program: string, minify = true): string {
  const { outputFiles } = buildSync({
    stdin: { contents: program, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify,
    write: false,
    format: 'esm',
    target: 'es2022',
    platform: 'node',
    logLevel: 'silent',
    // The adapters' peers, which the user has.
    external: ['three', 'react', 'react/jsx-runtime', '@react-three/fiber'],
    // Without this, code that is not used might be kept for its side effects.
    treeShaking: true,
  });
  return outputFiles[0]!.text;
}

const kilobytes = (code: string): number => Buffer.byteLength(code) / 1024;

describe('[R13.1-2] code size', () => {
  // Minified, in kilobytes, with all that a room uses from the rooms above it. Raise a number knowingly.
  const BUDGET: Record<string, number> = {
    math: 63,
    polytope: 18,
    primitives: 107,
    volumes: 68,
    trees: 47,
    space: 66,
    broadphase: 76,
    bsp: 110,
    trimesh: 133,
    rtcd: 297,
    mesh: 158,
    convex: 60,
    simd: 34,
    skinned: 154,
    shapes: 545,
    continuous: 244,
    // With `QueryWorkers`, which knows how to send every shape.
    query: 226,
    world: 169,
    character: 157,
    gpu: 175,
    three: 565,
    react: 560,
  };
  const rooms = readdirSync(`${root}/src`).filter((room) => existsSync(`${root}/src/${room}/index.ts`));

  test.each(rooms)('%s stays within its budget', (room) => {
    const size = kilobytes(bundle(`export * from './src/${room}/index.ts'`));
    expect(size).toBeGreaterThan(0.1);
    expect(BUDGET, `a budget for ${room}`).toHaveProperty(room);
    expect(size).toBeLessThan(BUDGET[room]!);
  });

  /**
   * What one primitive brings along when it is imported alone, minified and gzipped: at most 2 kB, but for those below, in
   * kilobytes. The list may only get shorter, and its numbers lower.
   */
  const HEAVIER: Record<string, number> = {
    // Signs that rounding cannot make wrong: exact determinants, and big integers at the ends of the range.
    intersectTriangleTriangle: 5.1,
    overlapTriangleTriangle: 4.3,
    overlapTriangleObb: 4.3,
    overlapTriangleAabb: 4,
    closestPointTetrahedron: 4.2,
    containsPointTriangles: 3.8,
    containsPointHull: 3.6,
    containsPointTriangle: 3.5,
    crossSegmentSegment2d: 2.8,
    containsPointConvexPolygon: 2.1,
    // The same for the edges that a line passes.
    rayQuad: 3.4,
    lineQuad: 3.3,
    segmentTriangleFront: 3.4,
    rayTriangleFront: 3.3,
    segmentTriangle: 3.3,
    rayTriangle: 3.3,
    lineTriangleFront: 3.3,
    lineTriangle: 3.3,
    segmentPlaneThrough: 3,
    // A triangle of any shape and size: thin ones by the distances of all candidates, huge and tiny ones scaled.
    closestPointsTriangleTriangle: 4.8,
    closestPointsSegmentTriangle: 4.5,
    closestPointPolyhedron: 3.2,
    intersectSphereTriangle: 2.4,
    overlapSphereTriangle: 2.4,
    distanceSqPointTriangle: 2.3,
    closestPointTriangle: 2.3,
    closestFeatureTriangle: 2.3,
    // Made of several tests: a tube and its ends, a face and its edges, all pairs of edges.
    sweepCapsuleTriangle: 5.1,
    sweepCapsuleCapsule: 4.7,
    penetrationPolyhedronPolyhedron: 4.2,
    sweepSpherePolygon: 3.7,
    sweepSphereTriangle: 3.6,
    sweepPolyhedronPolyhedron: 3.3,
    overlapPolyhedronPolyhedron: 3,
    sweepObbObb: 2.7,
    sweepAabbTriangle: 2.6,
    rayCone: 2.6,
    segmentCone: 2.5,
    rayObb: 2.2,
    segmentObb: 2.2,
    rayCylinder: 2.3,
    segmentCylinder: 2.2,
    sweepCapsuleSphere: 2.3,
    rayCapsule: 2.2,
    segmentCapsule: 2.2,
    sweepSphereObb: 2.2,
    sweepSphereCapsule: 2.2,
    sweepSphereSegment: 2.1,
    rayEllipsoid: 2.1,
    segmentEllipsoid: 2.1,
    // Our own sine and cosine, which are the same in every engine.
    coneFromHalfAngle: 2.4,
    // Cross products that keep their digits between nearly parallel vectors.
    classifyPlanePlanePlane: 2.2,
    overlapLineLine: 2.2,
  };

  test('a primitive alone is at most 2 kB gzipped', () => {
    const names = Object.keys(primitives);
    expect(Object.keys(HEAVIER).filter((name) => !names.includes(name))).toEqual([]);
    const wrong = names.flatMap((name) => {
      const program = `import { ${name} } from './src/primitives/index.ts'; console.log(${name});`;
      const size = gzipSync(bundle(program), { level: 9 }).length / 1024;
      const limit = HEAVIER[name] ?? 2;
      return size > limit || (limit > 2 && size < limit - 0.25) ? [`${name} ${size.toFixed(2)} kB`] : [];
    });
    expect(wrong, 'above their limit, or so far below it that it should be lowered').toEqual([]);
  }, 120_000);

  /*
   * What programs of users weigh, minified and gzipped, in kilobytes: a promise that they do not grow. Lower a number when it can
   * be lowered.
   *
   * A bundle holds what can be reached from its imports: R(mesh, raycast) = R(mesh) ∪ R(raycast). The code of distance(…, mesh)
   * has to be in R(mesh) ∪ R(distance), that of a rotating cast onto a mesh in R(mesh) ∪ R(World). So with static imports either
   * `mesh` brings its pairs, and `mesh, raycast` pays for them, or each query does, and programs without meshes pay:
   *
   *                                       the mesh brings    the queries bring    the queries bring
   *                                       its pairs (today)  the exact sweep      all pairs of meshes
   *   mesh, raycast                            140                103                   29
   *   sphere, box, distance                     23                 23                  136
   *   World, sphere, box                        59                104                  158
   *   World, Character, sphere, box, mesh      183                183                  183
   *
   * Of the 339 kB (minified) of `mesh, raycast`, 91 are the exact sweep of rotations and what makes its models, 53 the pairs, 62
   * the mesh and its trees, 50 the convex algorithms for its triangles. `buildMesh, rayMesh` is for programs that only cast rays.
   *
   * A convex shape brings how rays and points meet it; pairs of convex shapes are with the queries. Of the 59 kB of a world with
   * spheres and boxes, 20 are GJK, penetration, contacts and casts, 12 the world, its snapshots and queries, 9 the broad phase and
   * its tree, 6 sines, exact signs and checks; the rest are motions, poses and the two shapes. All of it can run: a method of a class
   * cannot be left out.
   */
  test.each([
    ['buildMesh, rayMesh', 'trimesh', 16],
    ['mesh, raycast', 'index', 140.5],
    ['sphere, box, distance', 'index', 23.1],
    ['World, sphere, box', 'index', 60],
    ['World, Character, sphere, box, mesh', 'index', 184],
    ['*', 'index', 262.5],
  ])('%s of %s: below %d kB gzipped', (names, room, limit) => {
    const file = room === 'index' ? './src/index.ts' : `./src/${room}/index.ts`;
    const program =
      names === '*'
        ? `export * from '${file}'`
        : `import { ${names} } from '${file}'; console.log(${names});`;
    const size = gzipSync(bundle(program), { level: 9 }).length / 1024;
    expect(size).toBeGreaterThan(0.3);
    expect(size).toBeLessThan(limit);
  });

  test('nothing runs when the library is loaded: what is not used leaves no trace', () => {
    const code = bundle(`import { vec3 } from './src/index.ts'; console.log(vec3);`);
    expect(code).toContain('console.log');
    expect(code.length).toBeLessThan(128);
  });
});

describe('[R13.1-2] benchmarks', () => {
  test('time, the ratio to ours and wrong answers come out for every contender', () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    // A clock that only work moves, and a look at it a little: the machine may be busy with other things.
    let time = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      time += 1e-3;
      return time;
    });
    const work = (steps: number) => () => {
      time += steps / 1000;
      return steps;
    };
    race({
      title: 'roots',
      calls: 100,
      contenders: [
        { name: 'ours', run: work(1000), wrong: () => 0 },
        { name: 'five times the work', run: work(5000), wrong: () => 7 },
        { name: 'no oracle', run: work(1000) },
      ],
    });
    const rows = JSON.parse(log.mock.calls.at(-1)![0] as string) as Row[];
    log.mockRestore();
    clock.mockRestore();
    expect(rows.map((row) => row.contender)).toEqual(['ours', 'five times the work', 'no oracle']);
    expect(rows.map((row) => row.wrong)).toEqual([0, 7, null]);
    expect(rows.every((row) => row.calls === 100 && row.subject === 'roots')).toBe(true);
    // A pass takes a millisecond and is a hundred calls.
    for (const i of [0, 2]) expect(rows[i]!.nanoseconds).toBeCloseTo(1e4, -2);
    expect(rows[0]!.ratio).toBe(1);
    expect(rows[1]!.ratio).toBeCloseTo(5, 1);
    expect(rows[1]!.ratio).toBe(rows[1]!.nanoseconds / rows[0]!.nanoseconds);
  });

  test('what was measured: every subject, ours first, and no wrong answer of ours', () => {
    const results = JSON.parse(readFileSync(`${root}/bench/results.json`, 'utf8')) as Record<string, Row[]>;
    const subjects = readdirSync(`${root}/bench/subjects`).filter((file) => /^\w.*\.ts$/.test(file));
    expect(Object.keys(results).sort()).toEqual(subjects.sort());
    for (const [file, rows] of Object.entries(results)) {
      expect(rows.length, file).toBeGreaterThan(0);
      expect(rows[0], file).toMatchObject({ contender: expect.stringContaining('graze'), ratio: 1 });
      for (const { contender, nanoseconds, bytes, wrong } of rows) {
        expect(bytes ?? nanoseconds, file).toBeGreaterThan(0);
        if (/^graze/.test(contender)) expect(wrong ?? 0, `${file}: ${contender}`).toBe(0);
      }
    }
    const judged = Object.values(results).filter((rows) => rows.some(({ wrong }) => wrong !== null));
    expect(judged.length).toBeGreaterThan(0.8 * subjects.length);
  });

  test('bytes a call: one that allocates is found, by its name, and one that does not passes', () => {
    const measure = (body: string) => {
      const samples = `export const samples = [{ fn: function culprit(a, out) { ${body} return out; }, args: { a: 1.5 }, out: { last: null, x: 0.5 } }];`;
      const file = `data:text/javascript,${encodeURIComponent(samples)}`;
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        [...ALLOCATION_FLAGS, '--import', 'tsx', 'tests/allocation.ts', file],
        { cwd: root, encoding: 'utf8' },
      );
      return { status, told: stdout + stderr };
    };
    expect(measure('out.x = a;')).toMatchObject({ status: 0, told: expect.stringContaining('1 functions') });
    const found = measure('out.last = { a };');
    expect(found.status).toBe(1);
    expect(found.told).toMatch(/culprit allocates \d/);
  });
});

test('[R13.1-2] hot kernels settle: once warm, no optimised code is thrown away', () => {
  const program = `
    import { closestPointTriangle, makeHit, makeTriangleHit, rayAabb, rayTriangle } from './src/primitives/index.ts';
    import { overlapAabbAabb } from './src/volumes/index.ts';
    import { packKdTree, searchKdTree } from './src/rtcd/ch13/packed-kd-tree.ts';
    let seed = 1;
    const unit = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;
    const point = () => ({ x: 2 * unit() - 1, y: 2 * unit() - 1, z: 2 * unit() - 1 });
    const points = Array.from({ length: 512 }, point);
    const boxes = points.map((p) => ({ min: p, max: { x: p.x + 0.5, y: p.y + 0.5, z: p.z + 0.5 } }));
    const rays = points.map((origin) => ({ origin, direction: point() }));
    const tree = packKdTree(points);
    const out = point(), hit = makeHit(), triangleHit = makeTriangleHit(), found = [];
    let sink = 0;
    function once() {
      for (let i = 0; i < 512; i++) {
        const a = points[i], b = points[(i * 7 + 1) & 511], c = points[(i * 13 + 2) & 511];
        sink += closestPointTriangle(rays[i].origin, a, b, c, out).x;
        if (overlapAabbAabb(boxes[i], boxes[(i + 1) & 511])) sink++;
        if (rayAabb(rays[i], boxes[(i * 3) & 511], Infinity, hit)) sink += hit.t;
        if (rayTriangle(rays[i], a, b, c, Infinity, triangleHit)) sink += triangleHit.t;
        sink += searchKdTree(tree, boxes[i], found).length;
      }
    }
    function known(x) { return x + 1; }
    for (let i = 0; i < 100_000; i++) sink += known(i);
    for (let i = 0; i < 200; i++) once();
    (await import('node:v8')).setFlagsFromString('--trace-deopt');
    for (let i = 0; i < 100; i++) once();
    // The trace itself is put to the test: this one must be seen, and be the first.
    for (let i = 0; i < 100_000; i++) sink += known(i % 2 ? '' : 0.5).length ?? 0;
    console.log(sink > 0);
  `;
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--no-concurrent-recompilation', '--input-type=module', '-'],
    { input: bundle(program, false), encoding: 'utf8', cwd: root },
  );
  expect(status).toBe(0);
  expect(stdout).toMatch(/^true$/m);
  const thrown = [...stdout.matchAll(/bailout .*JSFunction (\S+)/g)].map((match) => match[1]);
  expect(thrown[0]).toBe('known');
});
