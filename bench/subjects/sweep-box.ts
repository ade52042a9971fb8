// runs: caves dungeon
/**
 * Turned boxes of eight sizes on their way through a level, a tenth of a unit to ten units far: half of them from places
 * near its surface, half from anywhere free. The same input for all. Wrong is what is off by more than a ten-thousandth of
 * the level's size from what the separating axes of the box and each triangle say, which none of the contenders uses.
 */
import * as cat from 'crashcat';
import { box, pose } from 'graze';
import { makeSweepHit, polyhedralModel, sweepPolyhedra } from 'graze/continuous';
import { type BoxCast, makeCasts, shared } from '../box-casts.ts';
import { plain, tuple } from '../data.ts';
import { lazily, race, report } from '../harness.ts';
import { levelOfThisRun } from '../levels.ts';
import type { Triangles } from '../meshes.ts';
import { listsOf, makeShape as makeCatShape } from '../peers/crashcat.ts';
import { jolt, makeShape as makeJoltShape } from '../peers/jolt.ts';
import { type Asked, lengthOf, ZERO } from '../peers/peer.ts';
import { makeCollider, type RapierBuild, rapiers } from '../peers/rapier.ts';

const TOLERANCE = 1e-4;
const JUDGED = 200;

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
  const options = { out };
  return loop('graze', casts, (i) => {
    const { mover, from, motion } = mine[i]!;
    return sweepPolyhedra(mover, from, motion, target, here, options) ? out.t : Infinity;
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

type Axis = readonly [number, number, number];
const cross = (a: Axis, b: Axis): Axis => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: Axis, b: Axis): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/**
 * When a box first meets a triangle, by nothing but the definition: two convex things overlap while their shadows do on all
 * of thirteen axes, and on each of them that is a span of time.
 */
function meetsAt(
  sides: readonly Axis[],
  half: Axis,
  at: Axis,
  motion: Axis,
  corners: readonly Axis[],
): number {
  const edges = corners.map((c, i): Axis => {
    const d = corners[(i + 1) % 3]!;
    return [d[0] - c[0], d[1] - c[1], d[2] - c[2]];
  });
  const axes = [
    ...sides,
    cross(edges[0]!, edges[1]!),
    ...sides.flatMap((u) => edges.map((e) => cross(u, e))),
  ];
  let [from, to] = [0, 1];
  for (const axis of axes) {
    const radius = sides.reduce((sum, u, i) => sum + Math.abs(dot(u, axis)) * half[i]!, 0);
    const places = corners.map((c) => dot(c, axis) - dot(at, axis));
    const [low, high] = [Math.min(...places) - radius, Math.max(...places) + radius];
    const rate = dot(motion, axis);
    if (rate === 0 && (low > 0 || high < 0)) return Infinity;
    if (rate === 0) continue;
    from = Math.max(from, Math.min(low / rate, high / rate));
    to = Math.min(to, Math.max(low / rate, high / rate));
    if (from > to) return Infinity;
  }
  return from;
}

/** All triangles whose boxes are on the way. */
function firstMeeting(
  { positions, index, count }: Triangles,
  { half, position, quaternion, motion }: BoxCast,
) {
  const { x, y, z, w } = quaternion;
  const n = Math.sqrt(x * x + y * y + z * z + w * w);
  const [a, b, c, d] = [x / n, y / n, z / n, w / n];
  const sides: Axis[] = [
    [1 - 2 * (b * b + c * c), 2 * (a * b + d * c), 2 * (a * c - d * b)],
    [2 * (a * b - d * c), 1 - 2 * (a * a + c * c), 2 * (b * c + d * a)],
    [2 * (a * c + d * b), 2 * (b * c - d * a), 1 - 2 * (a * a + b * b)],
  ];
  const at: Axis = tuple(position);
  const go: Axis = tuple(motion);
  const size: Axis = tuple(half);
  const radius = lengthOf(half);
  let first = Infinity;
  for (let t = 0; t < count; t++) {
    const corners = [0, 1, 2].map((k): Axis => {
      const i = 3 * index[3 * t + k]!;
      return [positions[i]!, positions[i + 1]!, positions[i + 2]!];
    });
    const apart = at.some(
      (o, k) =>
        Math.min(...corners.map((corner) => corner[k]!)) > Math.max(o, o + go[k]!) + radius ||
        Math.max(...corners.map((corner) => corner[k]!)) < Math.min(o, o + go[k]!) - radius,
    );
    if (!apart) first = Math.min(first, meetsAt(sides, size, at, go, corners));
  }
  return first * lengthOf(motion);
}

function judgeBoxes(triangles: Triangles, casts: readonly BoxCast[]): (asked: Asked) => number {
  const truth = lazily(() => casts.slice(0, JUDGED).map((one) => firstMeeting(triangles, one)));
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
