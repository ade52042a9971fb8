// runs: knot terrain
/**
 * Capsules on their way to a mesh. Half of them come from around it, half start close by. Late or missed by more than a
 * ten-thousandth of the size is wrong, and so is early: a capsule larger or smaller by that may say the same.
 */
import * as cat from 'crashcat';
import { capsule, cast, makeCastHit, mesh } from 'graze';
import { sweepCapsuleTriangle } from 'graze/primitives';
import { closestPointMesh } from 'graze/trimesh';
import { Rng } from '../../tests/kit/rng.ts';
import { type Point, plain, tuple } from '../data.ts';
import { race } from '../harness.ts';
import { cornerOf, meshOfThisRun } from '../meshes.ts';
import { listsOf, makeShape as makeCatShape } from '../peers/crashcat.ts';
import { jolt, makeShape as makeJoltShape } from '../peers/jolt.ts';
import { type Asked, lengthOf, ZERO } from '../peers/peer.ts';
import { makeCollider, type RapierBuild, rapiers } from '../peers/rapier.ts';

const TOLERANCE = 1e-4;
const triangles = meshOfThisRun();
const { size, min, max, center } = triangles;
const large = triangles.name === 'terrain';
const N = 1000;
const judged = large ? 100 : 500;

interface CapsuleCast {
  readonly half: number;
  readonly radius: number;
  readonly position: Point;
  readonly quaternion: { x: number; y: number; z: number; w: number };
  readonly motion: Point;
}

const single = ({ x, y, z }: Point): Point => ({ x: Math.fround(x), y: Math.fround(y), z: Math.fround(z) });
const target = mesh(triangles.positions, triangles.index);

function makeCasts(): CapsuleCast[] {
  const rng = new Rng(0xca95);
  const inBox = () => ({
    x: rng.range(min.x, max.x),
    y: rng.range(min.y, max.y),
    z: rng.range(min.z, max.z),
  });
  const casts: CapsuleCast[] = [];
  while (casts.length < N) {
    const far = casts.length % 2 === 0;
    const d = rng.direction();
    const r = 0.75 * size;
    const position = single(
      far ? { x: center.x + r * d.x, y: center.y + r * d.y, z: center.z + r * d.z } : inBox(),
    );
    const radius = Math.fround(rng.range(0.005, 0.02) * size);
    const half = Math.fround(rng.range(0.5, 2) * radius);
    const to = inBox();
    const way = rng.direction();
    const motion = far
      ? { x: 1.5 * (to.x - position.x), y: 1.5 * (to.y - position.y), z: 1.5 * (to.z - position.z) }
      : { x: (way.x * size) / 5, y: (way.y * size) / 5, z: (way.z * size) / 5 };
    const q = rng.rotation();
    const [x, y, z, w] = [q.x, q.y, q.z, q.w].map(Math.fround) as [number, number, number, number];
    // None starts in touch, or in the solid: engines give different things there.
    if (!(closestPointMesh(position, target)!.distance > 1.01 * (radius + half))) continue;
    const one = { half, radius, position, quaternion: { x, y, z, w }, motion: single(motion) };
    if (!far && cast({ shape: capsule(half, radius), pose: one }, { translation: ZERO }, target)) continue;
    casts.push(one);
  }
  return rng.shuffle(casts);
}

const casts = makeCasts();

/** How far the capsule, grown by so much, goes before it touches: the closed form, on all triangles on the way. */
function goes({ half, radius, position: p, quaternion, motion }: CapsuleCast, grown: number): number {
  const { x, y, z, w } = quaternion;
  const s = 2 / (x * x + y * y + z * z + w * w);
  const axis = {
    x: half * s * (x * y - z * w),
    y: half * (1 - s * (x * x + z * z)),
    z: half * s * (y * z + x * w),
  };
  const mover = {
    a: { x: p.x - axis.x, y: p.y - axis.y, z: p.z - axis.z },
    b: { x: p.x + axis.x, y: p.y + axis.y, z: p.z + axis.z },
    radius: radius + grown,
  };
  const reach = half + radius + grown;
  const mm = motion.x ** 2 + motion.y ** 2 + motion.z ** 2;
  let best = Infinity;
  for (let i = 0; i < triangles.count; i++) {
    const a = cornerOf(triangles, i, 0);
    const b = cornerOf(triangles, i, 1);
    const c = cornerOf(triangles, i, 2);
    const side = Math.max(
      (b.x - a.x) ** 2 + (b.y - a.y) ** 2 + (b.z - a.z) ** 2,
      (c.x - a.x) ** 2 + (c.y - a.y) ** 2 + (c.z - a.z) ** 2,
    );
    const limit = reach + Math.sqrt(side);
    const [u, v, n] = [a.x - p.x, a.y - p.y, a.z - p.z];
    const cross =
      (v * motion.z - n * motion.y) ** 2 +
      (n * motion.x - u * motion.z) ** 2 +
      (u * motion.y - v * motion.x) ** 2;
    if (cross > limit * limit * mm) continue;
    best = Math.min(best, sweepCapsuleTriangle(mover, motion, a, b, c)?.t ?? Infinity);
  }
  return best * lengthOf(motion);
}

const exact: (readonly [number, number] | undefined)[] = [];
function range(i: number): readonly [number, number] {
  const grown = TOLERANCE * size;
  exact[i] ??= [goes(casts[i]!, grown), goes(casts[i]!, -grown)];
  return exact[i]!;
}

/** Between those of a larger and a smaller capsule, and within the tolerance of it. */
function wrong({ answer }: Asked): number {
  let count = 0;
  for (let i = 0; i < judged; i++) {
    const [early, late] = range(i);
    const given = answer(i);
    if (!(given >= early - TOLERANCE * size && given <= late + TOLERANCE * size)) count++;
  }
  return count;
}

/** A loop of its own for each. */
const asked = (name: string, fraction: (i: number) => number): Asked => ({
  name,
  run: new Function(
    'fraction',
    'n',
    'return () => { let sum = 0; for (let i = 0; i < n; i++) { const t = fraction(i); if (t <= 1) sum += t; } return sum; }',
  )(fraction, N),
  answer: (i) => fraction(i) * lengthOf(casts[i]!.motion),
});

function graze(): Asked {
  const mine = casts.map(({ half, radius, position, quaternion, motion }) => ({
    body: {
      shape: capsule(half, radius),
      pose: { position: plain(position), quaternion: { ...quaternion } },
    },
    motion: { translation: plain(motion) },
  }));
  const out = makeCastHit();
  return asked('graze', (i) => {
    const { body, motion } = mine[i]!;
    return cast(body, motion, target, { out }) ? out.t : Infinity;
  });
}

function crashcat(): Asked {
  const shape = makeCatShape(listsOf(triangles));
  const mine = casts.map(({ half, radius, position, quaternion: q, motion }) => ({
    shape: cat.capsule.create({ halfHeightOfCylinder: half, radius }),
    p: tuple(position),
    q: [q.x, q.y, q.z, q.w] as const,
    d: tuple(motion),
  }));
  const settings = cat.createDefaultCastShapeSettings();
  settings.collideWithBackfaces = true;
  settings.collectFaces = false;
  // A length, as Jolt has it. Its own, a hundred times that, stops short of what counts as right here.
  settings.collisionTolerance = 1e-4;
  settings.penetrationTolerance = 1e-4;
  const collector = cat.createClosestCastShapeCollector();
  return asked('crashcat SAH', (i) => {
    const { shape: own, p, q, d } = mine[i]!;
    collector.reset();
    // biome-ignore format: where it stands, after what is asked
    cat.castShapeVsShape(
      collector, settings,
      own, cat.EMPTY_SUB_SHAPE_ID, 0, p[0], p[1], p[2], q[0], q[1], q[2], q[3], 1, 1, 1, d[0], d[1], d[2],
      shape, cat.EMPTY_SUB_SHAPE_ID, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1,
    );
    return collector.hit.status === cat.CastShapeStatus.COLLIDING ? collector.hit.fraction : Infinity;
  });
}

function rapier(build: RapierBuild): Asked {
  const { rapier: R, name } = build;
  const { collider } = makeCollider(build, triangles);
  const vector = () => ({ x: 0, y: 0, z: 0 });
  const hit = new R.ShapeCastHit(0, vector(), vector(), vector(), vector());
  const mine = casts.map(({ half, radius, position, quaternion, motion }) => ({
    shape: new R.Capsule(half, radius),
    position: plain(position),
    rotation: { ...quaternion },
    motion: plain(motion),
  }));
  return asked(name, (i) => {
    const { shape, position, rotation, motion } = mine[i]!;
    return (
      collider.castShape(ZERO, shape, position, rotation, motion, 0, 1, true, hit)?.time_of_impact ?? Infinity
    );
  });
}

async function joltCasts(): Promise<Asked> {
  const Jolt = await jolt();
  const one = new Jolt.Vec3(1, 1, 1);
  const placed = new Jolt.TransformedShape();
  placed.mShape = makeJoltShape(Jolt, triangles);
  placed.SetWorldTransform(new Jolt.RVec3(0, 0, 0), new Jolt.Quat(0, 0, 0, 1), one);
  const mine = casts.map(({ half, radius, position: p, quaternion: { x, y, z, w }, motion }) => {
    const shape = new Jolt.CapsuleShape(half, radius);
    shape.AddRef();
    const s = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
    const start = Jolt.RMat44.prototype.sRotationTranslation(
      new Jolt.Quat(s * x, s * y, s * z, s * w),
      new Jolt.RVec3(p.x, p.y, p.z),
    );
    return new Jolt.RShapeCast(shape, one, start, new Jolt.Vec3(motion.x, motion.y, motion.z));
  });
  const settings = new Jolt.ShapeCastSettings();
  settings.mBackFaceModeTriangles = Jolt.EBackFaceMode_CollideWithBackFaces;
  const base = new Jolt.RVec3(0, 0, 0);
  const collector = new Jolt.CastShapeClosestHitCollisionCollector();
  const filter = new Jolt.ShapeFilter();
  return asked('Jolt', (i) => {
    collector.Reset();
    placed.CastShape(mine[i]!, settings, base, collector, filter);
    return collector.HadHit() ? collector.mHit.mFraction : Infinity;
  });
}

const [rapierPlain, rapierSimd] = await rapiers();
race({
  title: 'capsule cast',
  mesh: triangles.title,
  calls: N,
  judged,
  rounds: large ? 3 : 7,
  passes: 1,
  contenders: [graze(), rapier(rapierPlain), rapier(rapierSimd), await joltCasts(), crashcat()].map(
    (one) => ({
      ...one,
      wrong: () => wrong(one),
    }),
  ),
});
