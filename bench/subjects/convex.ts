// runs: hulls-distance hulls-overlap boxes-distance boxes-overlap sphere-hull-distance sphere-hull-overlap
/**
 * Pairs of convex shapes, each pair asked about for the first time: nobody knows anything from before. Poses go in, so
 * finding out how the second stands to the first counts. Hulls have 32 corners.
 */
import * as cat from 'crashcat';
import { box, hull, sphere } from 'graze';
import {
  type ConvexCore,
  gjkDistance,
  gjkOverlap,
  makeFrame,
  makeGjkResult,
  makeGjkState,
  relativeFrame,
} from 'graze/convex';
import { hullDistance } from 'graze/rtcd';
import { mat4, quat, vec3 } from 'mathcat';
import { climbingCore } from '../../tests/kit/convex.ts';
import { type Point, plain, tuple } from '../data.ts';
import { type Contender, lazily, race, rng } from '../harness.ts';
import { jolt } from '../peers/jolt.ts';
import { type RapierBuild, rapiers } from '../peers/rapier.ts';

const N = 1000;
const CORNERS = 32;
const variant = process.argv[2] ?? 'hulls-distance';
const overlap = variant.endsWith('overlap');

type Body =
  | { kind: 'hull'; points: Point[] }
  | { kind: 'box'; half: Point }
  | { kind: 'sphere'; radius: number };
interface Placed {
  readonly body: Body;
  readonly position: Point;
  readonly quaternion: { x: number; y: number; z: number; w: number };
}

function makeBody(kind: Body['kind']): Body {
  if (kind === 'sphere') return { kind, radius: rng.range(0.2, 0.6) };
  if (kind === 'box')
    return { kind, half: { x: rng.range(0.2, 0.6), y: rng.range(0.2, 0.6), z: rng.range(0.2, 0.6) } };
  const size = { x: rng.range(0.3, 0.7), y: rng.range(0.3, 0.7), z: rng.range(0.3, 0.7) };
  // As single precision has them: the same hull for all.
  const points = Array.from({ length: CORNERS }, () => {
    const { x, y, z } = rng.direction();
    return { x: Math.fround(size.x * x), y: Math.fround(size.y * y), z: Math.fround(size.z * z) };
  });
  return { kind, points };
}

const [kindA, kindB] = (
  variant.startsWith('hulls')
    ? ['hull', 'hull']
    : variant.startsWith('boxes')
      ? ['box', 'box']
      : ['sphere', 'hull']
) as [Body['kind'], Body['kind']];

/** Touching distances are as likely as others when asked for an overlap; clear gaps when asked for the distance. */
function place(kind: Body['kind'], at: Point): Placed {
  const q = rng.rotation();
  const [x, y, z, w] = [q.x, q.y, q.z, q.w].map(Math.fround) as [number, number, number, number];
  const position = { x: Math.fround(at.x), y: Math.fround(at.y), z: Math.fround(at.z) };
  return { body: makeBody(kind), position, quaternion: { x, y, z, w } };
}

const pairs = Array.from({ length: N }, () => {
  const center = rng.vec(5);
  const way = rng.direction();
  const gap = overlap ? rng.range(0.2, 1.4) : rng.range(1.7, 3);
  const a = place(kindA, center);
  return {
    a,
    b: place(kindB, { x: center.x + gap * way.x, y: center.y + gap * way.y, z: center.z + gap * way.z }),
  };
});

/** Exact, of the corners turned in double precision. */
const truth = lazily(() =>
  pairs.map(({ a, b }) => {
    const radii = [a, b].reduce((sum, { body }) => sum + (body.kind === 'sphere' ? body.radius : 0), 0);
    return Math.max(0, hullDistance(corners(a), corners(b)).distance - radii);
  }),
);

function corners({ body, position, quaternion }: Placed): Point[] {
  const q = quat.normalize(quat.create(), [quaternion.x, quaternion.y, quaternion.z, quaternion.w]);
  const local =
    body.kind === 'sphere'
      ? [{ x: 0, y: 0, z: 0 }]
      : body.kind === 'hull'
        ? body.points
        : [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ({
            x: i & 1 ? body.half.x : -body.half.x,
            y: i & 2 ? body.half.y : -body.half.y,
            z: i & 4 ? body.half.z : -body.half.z,
          }));
  return local.map((p) => {
    const [x, y, z] = vec3.transformQuat(vec3.create(), tuple(p), q);
    return { x: x + position.x, y: y + position.y, z: z + position.z };
  });
}

/** A distance is wrong beyond single precision. */
const wrong = (answer: (i: number) => number) => () =>
  truth().filter((is, i) =>
    overlap ? (is === 0) !== (answer(i) === 0) : !(Math.abs(is - answer(i)) <= 1e-5),
  ).length;

/** One that answers with a distance, or 1 and 0 for apart and not. */
const contender = (name: string, answer: (i: number) => number, run: () => number): Contender => ({
  name,
  run,
  wrong: wrong(answer),
});

function graze(name: string, core: (body: Body) => ConvexCore): Contender {
  const mine = pairs.map(({ a, b }) => ({
    a: core(a.body),
    b: core(b.body),
    poseA: { position: plain(a.position), quaternion: { ...a.quaternion } },
    poseB: { position: plain(b.position), quaternion: { ...b.quaternion } },
  }));
  const frame = makeFrame();
  const state = makeGjkState();
  const out = makeGjkResult();
  const answer = (i: number): number => {
    const { a, b, poseA, poseB } = mine[i]!;
    relativeFrame(poseA, poseB, frame);
    if (overlap) return gjkOverlap(a, b, frame, state) ? 0 : 1;
    return gjkDistance(a, b, frame, state, out).distance;
  };
  return contender(name, answer, () => {
    let sum = 0;
    for (let i = 0; i < N; i++) sum += answer(i);
    return sum;
  });
}

const scanned = (body: Body): ConvexCore =>
  body.kind === 'hull'
    ? hull(body.points).core
    : body.kind === 'box'
      ? box(body.half.x, body.half.y, body.half.z).core
      : sphere(body.radius).core;
/** Written out: V8 would take a record that is spread for another kind of record, and both would be slower. */
function climbed(body: Body): ConvexCore {
  if (body.kind !== 'hull') return scanned(body);
  const { type, radius, inner, custom, axisSearch } = scanned(body);
  const { data, reach, center, firstNeighbour, neighbours, table } = climbingCore(body.points);
  return { type, data, radius, reach, center, inner, firstNeighbour, neighbours, table, custom, axisSearch };
}

/** crashcat's GJK itself, to the tolerance of its own collisions. */
function crashcat(): Contender {
  const one = vec3.fromValues(1, 1, 1);
  const shape = (body: Body) =>
    body.kind === 'hull'
      ? cat.convexHull.create({ positions: body.points.flatMap(tuple), convexRadius: 0 })
      : body.kind === 'box'
        ? cat.box.create({ halfExtents: tuple(body.half), convexRadius: 0 })
        : cat.sphere.create({ radius: body.radius });
  cat.registerAll();
  const mine = pairs.map(({ a, b }) => ({
    a: shape(a.body),
    b: shape(b.body),
    poseA: {
      p: tuple(a.position),
      q: [a.quaternion.x, a.quaternion.y, a.quaternion.z, a.quaternion.w] as const,
    },
    poseB: {
      p: tuple(b.position),
      q: [b.quaternion.x, b.quaternion.y, b.quaternion.z, b.quaternion.w] as const,
    },
  }));
  const supportA = cat.createSupport();
  const supportB = cat.createSupport();
  const out = cat.createGjkClosestPoints();
  const back = quat.create();
  const turn = quat.create();
  const way = vec3.create();
  const answer = (i: number): number => {
    const { a, b, poseA, poseB } = mine[i]!;
    cat.setShapeSupport(supportA, a, cat.SupportFunctionMode.EXCLUDE_CONVEX_RADIUS, one);
    cat.setShapeSupport(supportB, b, cat.SupportFunctionMode.EXCLUDE_CONVEX_RADIUS, one);
    quat.conjugate(back, poseA.q as never);
    quat.multiply(turn, back, poseB.q as never);
    vec3.subtract(way, poseB.p, poseA.p);
    vec3.transformQuat(way, way, back);
    mat4.fromRotationTranslation(supportB.transform, turn, way);
    supportB.hasTransform = true;
    const radii = supportA.convexRadius + supportB.convexRadius;
    cat.gjkClosestPoints(out, supportA, supportB, 1e-4, way, overlap ? radii * radii : Number.MAX_VALUE);
    const distance = Math.max(0, Math.sqrt(out.squaredDistance) - radii);
    return overlap && distance > 0 ? 1 : distance;
  };
  return contender('crashcat (GJK alone)', answer, () => {
    let sum = 0;
    for (let i = 0; i < N; i++) sum += answer(i);
    return sum;
  });
}

function rapier(build: RapierBuild): Contender {
  const { rapier: R, name } = build;
  const world = new R.World({ x: 0, y: 0, z: 0 });
  const shape = (body: Body) =>
    body.kind === 'hull'
      ? R.ColliderDesc.convexHull(Float32Array.from(body.points.flatMap(tuple)))!
      : body.kind === 'box'
        ? R.ColliderDesc.cuboid(body.half.x, body.half.y, body.half.z)
        : R.ColliderDesc.ball(body.radius);
  const collider = ({ body, position, quaternion }: Placed) =>
    world.createCollider(
      shape(body)
        .setTranslation(position.x, position.y, position.z)
        .setRotation({ ...quaternion }),
    );
  const mine = pairs.map(({ a, b }) => ({ first: collider(a), second: collider(b) }));
  const vector = () => ({ x: 0, y: 0, z: 0 });
  const target = new R.ShapeContact(0, vector(), vector(), vector(), vector());
  // For an overlap too: to be asked about a shape, it makes that shape anew.
  const answer = overlap
    ? (i: number) =>
        (mine[i]!.first.contactCollider(mine[i]!.second, 0, target)?.distance ?? 1) <= 0 ? 0 : 1
    : (i: number) => mine[i]!.first.contactCollider(mine[i]!.second, 1e6, target)!.distance;
  return contender(name, answer, () => {
    let sum = 0;
    for (let i = 0; i < N; i++) sum += answer(i);
    return sum;
  });
}

/** Jolt's bindings have no distance of shapes, only whether they collide. It is asked for the first hit. */
async function joltOverlap(): Promise<Contender> {
  const Jolt = await jolt();
  const shape = (body: Body) => {
    if (body.kind === 'sphere') return new Jolt.SphereShape(body.radius);
    if (body.kind === 'box')
      return new Jolt.BoxShape(new Jolt.Vec3(body.half.x, body.half.y, body.half.z), 0);
    const settings = new Jolt.ConvexHullShapeSettings();
    for (const p of body.points) settings.mPoints.push_back(new Jolt.Vec3(p.x, p.y, p.z));
    settings.mMaxConvexRadius = 0;
    return settings.Create().Get();
  };
  const one = new Jolt.Vec3(1, 1, 1);
  const rvec = (p: Point) => new Jolt.RVec3(p.x, p.y, p.z);
  const rotation = ({ quaternion: { x, y, z, w } }: Placed) => {
    const s = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
    return new Jolt.Quat(s * x, s * y, s * z, s * w);
  };
  const mine = pairs.map(({ a, b }) => {
    const target = new Jolt.TransformedShape();
    target.mShape = shape(a.body);
    target.mShape.AddRef();
    target.SetWorldTransform(rvec(a.position), rotation(a), one);
    const other = shape(b.body);
    other.AddRef();
    // Its place is that of its center of mass.
    const turn = rotation(b);
    const off = turn.MulVec3(other.GetCenterOfMass());
    const at = { x: b.position.x + off.GetX(), y: b.position.y + off.GetY(), z: b.position.z + off.GetZ() };
    return { target, other, turn, at: rvec(at) };
  });
  const settings = new Jolt.CollideShapeSettings();
  const base = new Jolt.RVec3(0, 0, 0);
  const collector = new Jolt.CollideShapeAnyHitCollisionCollector();
  const filter = new Jolt.ShapeFilter();
  const answer = (i: number): number => {
    const { target, other, turn, at } = mine[i]!;
    collector.Reset();
    const place = Jolt.RMat44.prototype.sRotationTranslation(turn, at);
    target.CollideShape(other, one, place, settings, base, collector, filter);
    return collector.HadHit() ? 0 : 1;
  };
  return contender('Jolt', answer, () => {
    let sum = 0;
    for (let i = 0; i < N; i++) sum += answer(i);
    return sum;
  });
}

const [rapierPlain, rapierSimd] = await rapiers();
const names = { hull: `hull of ${CORNERS}`, box: 'box', sphere: 'sphere' };
race({
  title: `${names[kindA]} – ${names[kindB]} ${overlap ? 'overlap' : 'distance'}`,
  calls: N,
  rounds: 51,
  passes: 2,
  contenders: [
    graze('graze', scanned),
    ...(kindB === 'hull' ? [graze('graze (climbing)', climbed)] : []),
    crashcat(),
    rapier(rapierPlain),
    rapier(rapierSimd),
    ...(overlap ? [await joltOverlap()] : []),
  ],
});
