// runs: caves dungeon
/**
 * Turned boxes of eight sizes on their way through a level, a tenth of a unit to ten units far: half of them from places
 * near its surface, half from anywhere free. The same input for all. Wrong is what is off by more than a ten-thousandth of
 * the level's size from the cast of the same box by another algorithm (GJK on triangles).
 */
import * as cat from 'crashcat';
import {
  box,
  cast,
  closestPointMesh,
  collider,
  makeCastHit,
  makeSweepHit,
  mesh,
  polyhedralModel,
  pose,
  sweepPolyhedra,
} from 'graze';
import { Rng } from '../../tests/kit/rng.ts';
import { type Point, plain, tuple } from '../data.ts';
import { lazily, race, report } from '../harness.ts';
import { levelOfThisRun } from '../levels.ts';
import type { Triangles } from '../meshes.ts';
import { listsOf, makeShape as makeCatShape } from '../peers/crashcat.ts';
import { jolt, makeShape as makeJoltShape } from '../peers/jolt.ts';
import { type Asked, lengthOf, ZERO } from '../peers/peer.ts';
import { makeCollider, type RapierBuild, rapiers } from '../peers/rapier.ts';

const TOLERANCE = 1e-4;
const N = 2000;
const JUDGED = 500;

interface BoxCast {
  readonly half: Point;
  readonly position: Point;
  readonly quaternion: { x: number; y: number; z: number; w: number };
  readonly motion: Point;
}

const single = ({ x, y, z }: Point): Point => ({ x: Math.fround(x), y: Math.fround(y), z: Math.fround(z) });

/** None starts in touch, or in a solid: engines give different things there. */
function makeCasts(triangles: Triangles): BoxCast[] {
  const rng = new Rng(0xb0c5);
  const { min, max } = triangles;
  const target = mesh(triangles.positions, triangles.index);
  const casts: BoxCast[] = [];
  // As in a game: many bodies of few shapes.
  const side = (): number => rng.range(0.1, 0.5);
  const sizes = Array.from({ length: 8 }, () => single({ x: side(), y: side(), z: side() }));
  while (casts.length < N) {
    const half = rng.pick(sizes);
    const position = single({
      x: rng.range(min.x, max.x),
      y: rng.range(min.y, max.y),
      z: rng.range(min.z, max.z),
    });
    const { distance } = closestPointMesh(position, target)!;
    const nearby = casts.length % 2 === 0;
    const radius = lengthOf(half);
    if (!(distance > 1.01 * radius) || (nearby && distance > 2 * radius)) continue;
    const d = rng.direction();
    const length = rng.range(0.1, 10);
    const motion = single({ x: d.x * length, y: d.y * length, z: d.z * length });
    const q = rng.rotation();
    const [x, y, z, w] = [q.x, q.y, q.z, q.w].map(Math.fround) as [number, number, number, number];
    const quaternion = { x, y, z, w };
    const mover = collider(box(half.x, half.y, half.z), { position, quaternion });
    if (cast(mover, { translation: ZERO }, target)) continue;
    casts.push({ half, position, quaternion, motion });
  }
  return casts;
}

/** One shape for each size. */
function shared<T>(make: (half: Point) => T): (half: Point) => T {
  const made = new Map<Point, T>();
  return (half) => {
    const known = made.get(half);
    if (known !== undefined) return known;
    const fresh = make(half);
    made.set(half, fresh);
    return fresh;
  };
}

const loop = (name: string, casts: readonly BoxCast[], at: (i: number) => number): Asked => ({
  name,
  run() {
    let sum = 0;
    for (let i = 0; i < casts.length; i++) {
      const t = at(i);
      if (t <= 1) sum += t;
    }
    return sum;
  },
  answer: (i) => at(i) * lengthOf(casts[i]!.motion),
});

function grazeBoxes(triangles: Triangles, casts: readonly BoxCast[]): Asked {
  const target = polyhedralModel(triangles, { sides: 'both' });
  const here = pose();
  const modelOf = shared(({ x, y, z }) => polyhedralModel(box(x, y, z)));
  const mine = casts.map(({ half, position, quaternion, motion }) => ({
    mover: modelOf(half),
    from: { position: plain(position), quaternion },
    motion: { translation: plain(motion) },
  }));
  const out = makeSweepHit();
  return loop('graze', casts, (i) => {
    const { mover, from, motion } = mine[i]!;
    return sweepPolyhedra(mover, from, motion, target, here, undefined, out) ? out.t : Infinity;
  });
}

function rapierBoxes(build: RapierBuild, triangles: Triangles, casts: readonly BoxCast[]): Asked {
  const { rapier } = build;
  const { collider: level } = makeCollider(build, triangles);
  const vector = () => ({ x: 0, y: 0, z: 0 });
  const target = new rapier.ShapeCastHit(0, vector(), vector(), vector(), vector());
  const cuboidOf = shared(({ x, y, z }) => new rapier.Cuboid(x, y, z));
  const mine = casts.map(({ half, position, quaternion, motion }) => ({
    cuboid: cuboidOf(half),
    position: plain(position),
    quaternion,
    motion: plain(motion),
  }));
  return loop(build.name, casts, (i) => {
    const { cuboid, position, quaternion, motion } = mine[i]!;
    return (
      level.castShape(ZERO, cuboid, position, quaternion, motion, 0, 1, true, target)?.time_of_impact ??
      Infinity
    );
  });
}

async function joltBoxes(triangles: Triangles, casts: readonly BoxCast[]): Promise<Asked> {
  const Jolt = await jolt();
  const target = new Jolt.TransformedShape();
  target.mShape = makeJoltShape(Jolt, triangles);
  target.SetWorldTransform(new Jolt.RVec3(0, 0, 0), new Jolt.Quat(0, 0, 0, 1), new Jolt.Vec3(1, 1, 1));
  const scale = new Jolt.Vec3(1, 1, 1);
  const shapeOf = shared(({ x, y, z }) => {
    const shape = new Jolt.BoxShape(new Jolt.Vec3(x, y, z), 0);
    shape.AddRef();
    return shape;
  });
  const mine = casts.map(({ half, position: p, quaternion: q, motion: m }) => {
    const start = Jolt.RMat44.prototype.sRotationTranslation(
      new Jolt.Quat(q.x, q.y, q.z, q.w),
      new Jolt.RVec3(p.x, p.y, p.z),
    );
    return new Jolt.RShapeCast(shapeOf(half), scale, start, new Jolt.Vec3(m.x, m.y, m.z));
  });
  const settings = new Jolt.ShapeCastSettings();
  settings.mBackFaceModeTriangles = Jolt.EBackFaceMode_CollideWithBackFaces;
  const base = new Jolt.RVec3(0, 0, 0);
  const collector = new Jolt.CastShapeClosestHitCollisionCollector();
  const filter = new Jolt.ShapeFilter();
  return loop('Jolt', casts, (i) => {
    collector.Reset();
    target.CastShape(mine[i]!, settings, base, collector, filter);
    return collector.HadHit() ? collector.mHit.mFraction : Infinity;
  });
}

function catBoxes(triangles: Triangles, casts: readonly BoxCast[]): Asked {
  const shape = makeCatShape(listsOf(triangles));
  const cuboidOf = shared((half) => cat.box.create({ halfExtents: tuple(half), convexRadius: 0 }));
  const mine = casts.map(({ half, position, quaternion: q, motion }) => ({
    cuboid: cuboidOf(half),
    p: tuple(position),
    q,
    d: tuple(motion),
  }));
  const settings = cat.createDefaultCastShapeSettings();
  settings.collideWithBackfaces = true;
  settings.collectFaces = false;
  const collector = cat.createClosestCastShapeCollector();
  return loop('crashcat SAH', casts, (i) => {
    const { cuboid, p, q, d } = mine[i]!;
    collector.reset();
    // biome-ignore format: where it stands, after what is asked
    cat.castShapeVsShape(
      collector, settings,
      cuboid, cat.EMPTY_SUB_SHAPE_ID, 0, p[0], p[1], p[2], q.x, q.y, q.z, q.w, 1, 1, 1, d[0], d[1], d[2],
      shape, cat.EMPTY_SUB_SHAPE_ID, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1,
    );
    return collector.hit.status === cat.CastShapeStatus.COLLIDING ? collector.hit.fraction : Infinity;
  });
}

function judgeBoxes(triangles: Triangles, casts: readonly BoxCast[]): (asked: Asked) => number {
  const truth = lazily(() => {
    const target = mesh(triangles.positions, triangles.index);
    const hit = makeCastHit();
    return casts.slice(0, JUDGED).map(({ half, position, quaternion, motion }) => {
      const mover = collider(box(half.x, half.y, half.z), { position: plain(position), quaternion });
      return cast(mover, { translation: motion }, target, hit) ? hit.t * lengthOf(motion) : Infinity;
    });
  });
  return (asked) => {
    const ease = TOLERANCE * triangles.size;
    let wrong = 0;
    truth().forEach((wanted, i) => {
      const end = lengthOf(casts[i]!.motion);
      const answer = Math.min(asked.answer(i), end);
      if (!(Math.abs(answer - Math.min(wanted, end)) <= ease)) wrong++;
    });
    return wrong;
  };
}

const triangles = levelOfThisRun();
if (!triangles) report([]);
else {
  const casts = makeCasts(triangles);
  const wrong = judgeBoxes(triangles, casts);
  const [, simd] = await rapiers();
  race({
    title: 'box swept through a level',
    mesh: triangles.title,
    calls: casts.length,
    judged: JUDGED,
    rounds: 21,
    passes: 1,
    contenders: [
      grazeBoxes(triangles, casts),
      rapierBoxes(simd, triangles, casts),
      await joltBoxes(triangles, casts),
      catBoxes(triangles, casts),
    ].map((asked) => ({ ...asked, wrong: () => wrong(asked) })),
  });
}
