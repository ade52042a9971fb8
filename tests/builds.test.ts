/** A program asks the same questions of the library as it is developed and as it is shipped: the answers are the same. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';
import { Rng } from './kit/index.ts';
import * as source from './kit/public-names.ts';

type Library = typeof source;

/** Some thousand questions of all kinds, and their answers to the last bit. */
function log(graze: Library): string[] {
  const rng = new Rng(27);
  const { vec3 } = graze;
  const shapes = [
    graze.sphere(0.7),
    graze.box(0.5, 0.8, 0.3, 0.1),
    graze.cylinder(0.6, 0.5),
    graze.cone(0.7, 0.5),
    graze.ellipsoid(0.9, 0.4, 0.6),
    graze.hull([vec3(-1, 0, 0), vec3(1, 0, 0.2), vec3(0, 1, 0), vec3(0, -1, 0.3), vec3(0, 0, 1)]),
    graze.halfSpace(vec3(0.1, 1, 0.2), -0.3),
    graze.heightField([0, 0.3, -0.2, 0.1, 0.5, 0, 0.2, 0.1, 0], { columns: 3, rows: 3 }),
    graze.compound([{ shape: graze.sphere(0.5) }, { shape: graze.box(1, 0.2, 0.2) }]),
  ];
  const lines: string[] = [];
  const write = (...answer: unknown[]) =>
    lines.push(JSON.stringify(answer, (_, x) => (Object.is(x, -0) ? '-0' : x === Infinity ? 'inf' : x)));
  for (let i = 0; i < 200; i++) {
    const place = () => ({ position: rng.vec(2), quaternion: rng.rotation() });
    const [a, b] = [
      { shape: rng.pick(shapes), pose: place() },
      { shape: rng.pick(shapes), pose: place() },
    ];
    const ray = { origin: rng.vec(3), direction: rng.direction() };
    write('intersects', graze.intersects(a, b));
    write('distance', graze.distance(a, b));
    write('contacts', graze.contacts(a, b, { margin: 0.1 }));
    write('cast', graze.cast(a, { translation: rng.vec(5) }, b));
    write('raycast', graze.raycast(ray, a));
    write('closestPoint', graze.closestPoint(ray.origin, a), graze.signedDistance(ray.origin, a));
  }
  return lines;
}

test('[R2.7] the log of queries is the same in the source, in a plain bundle and in a minified one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'graze-builds-'));
  try {
    const wanted = log(source);
    expect(wanted.length).toBe(1200);
    expect(new Set(wanted).size).toBeGreaterThan(500);
    for (const minify of [false, true]) {
      const { outputFiles } = buildSync({
        entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
        bundle: true,
        minify,
        write: false,
        format: 'esm',
        target: 'es2022',
        platform: 'node',
        logLevel: 'silent',
      });
      const file = join(folder, `${minify}.mjs`);
      writeFileSync(file, outputFiles[0]!.text);
      const built = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Library;
      expect(built.sphere).not.toBe(source.sphere);
      expect(log(built)).toEqual(wanted);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
