/**
 * crashcat keeps its primitive tests private. To time them we import a copy of its bundle with those names exported.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Tuple = [number, number, number];

export interface CrashcatInternals {
  rayIntersectsTriangle(
    out: { hit: boolean; fraction: number; frontFacing: boolean },
    ox: number,
    oy: number,
    oz: number,
    dx: number,
    dy: number,
    dz: number,
    length: number,
    a: Tuple,
    b: Tuple,
    c: Tuple,
    backfaceCulling: boolean,
  ): void;
  rayDistanceToBox3(
    ox: number,
    oy: number,
    oz: number,
    dx: number,
    dy: number,
    dz: number,
    length: number,
    minX: number,
    minY: number,
    minZ: number,
    maxX: number,
    maxY: number,
    maxZ: number,
  ): number;
  /** Of the origin: the triangle comes relative to the point. */
  getClosestPointOnTriangle(
    out: { point: Tuple; distanceSq: number; feature: number },
    a: Tuple,
    b: Tuple,
    c: Tuple,
  ): void;
}

const NAMES = ['rayIntersectsTriangle', 'rayDistanceToBox3', 'getClosestPointOnTriangle'];

export async function crashcat(): Promise<CrashcatInternals> {
  const bundle = fileURLToPath(import.meta.resolve('crashcat'));
  const copy = bundle.replace(/index\.js$/, `internals-${process.pid}.js`);
  writeFileSync(copy, `${readFileSync(bundle, 'utf8')}\nexport { ${NAMES.join(', ')} };\n`);
  try {
    return (await import(copy)) as CrashcatInternals;
  } finally {
    rmSync(copy);
  }
}
