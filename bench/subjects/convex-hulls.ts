// runs: signed cast
/**
 * Hulls of 32 corners at the front door, each pair for the first time: their signed distance, half of them overlapping, and
 * the first contact of one that moves. Poses go in.
 */
import { cast, collider, distance, hull, makeCastHit, makeSeparation } from 'graze';
import { makeFrame } from 'graze/convex';
import { polyhedron } from 'graze/polytope';
import { hullDistance, overlapSweptConvex } from 'graze/rtcd';
import { type Point, plain, tuple } from '../data.ts';
import { type Contender, lazily, race, rng } from '../harness.ts';
import { type RapierBuild, rapiers } from '../peers/rapier.ts';

const N = 1000;
const CORNERS = 32;
const casts = process.argv[2] === 'cast';

interface Placed {
  readonly points: Point[];
  readonly position: Point;
  readonly quaternion: { x: number; y: number; z: number; w: number };
}

/** As single precision has them: the same for all. */
const single = ({ x, y, z }: Point): Point => ({ x: Math.fround(x), y: Math.fround(y), z: Math.fround(z) });
const along = (p: Point, d: Point, k: number): Point => ({
  x: p.x + k * d.x,
  y: p.y + k * d.y,
  z: p.z + k * d.z,
});

function place(at: Point): Placed {
  const size = { x: rng.range(0.3, 0.7), y: rng.range(0.3, 0.7), z: rng.range(0.3, 0.7) };
  const points = Array.from({ length: CORNERS }, () => {
    const { x, y, z } = rng.direction();
    return single({ x: size.x * x, y: size.y * y, z: size.z * z });
  });
  const q = rng.rotation();
  const [x, y, z, w] = [q.x, q.y, q.z, q.w].map(Math.fround) as [number, number, number, number];
  return { points, position: single(at), quaternion: { x, y, z, w } };
}

const pairs = Array.from({ length: N }, () => {
  const center = rng.vec(5);
  const way = rng.direction();
  const gap = casts ? rng.range(2, 4) : rng.range(0.2, 1.6);
  const motion = single(along({ x: 0, y: 0, z: 0 }, along(way, rng.direction(), 0.13), rng.range(3, 6)));
  return { a: place(center), b: place(along(center, way, gap)), motion };
});

const bodyOf = ({ points, position, quaternion }: Placed) =>
  collider(hull(points), { position: plain(position), quaternion: { ...quaternion } });

function corners({ points, position, quaternion: { x, y, z, w } }: Placed): Point[] {
  const s = 2 / (x * x + y * y + z * z + w * w);
  return points.map((p) => ({
    x: (1 - s * (y * y + z * z)) * p.x + s * (x * y - z * w) * p.y + s * (x * z + y * w) * p.z + position.x,
    y: s * (x * y + z * w) * p.x + (1 - s * (x * x + z * z)) * p.y + s * (y * z - x * w) * p.z + position.y,
    z: s * (x * z - y * w) * p.x + s * (y * z + x * w) * p.y + (1 - s * (x * x + y * y)) * p.z + position.z,
  }));
}

/** The distance of hulls that are apart; else how near the origin is to a side of all differences of their corners. */
function signedDistance(a: Placed, b: Placed): number {
  const first = corners(a);
  const second = corners(b);
  const apart = hullDistance(first, second).distance;
  if (apart > 0) return apart;
  const { planes } = polyhedron(
    first.flatMap((p) => second.map((q) => ({ x: p.x - q.x, y: p.y - q.y, z: p.z - q.z }))),
  );
  return -Math.min(...planes.map((plane) => plane.d));
}

/** By halving of the way on which they meet at all; 2 when they do not. */
function firstContact({ a, b, motion: m }: (typeof pairs)[number]): number {
  // Both cores have their corners where they stand, seen from the first.
  const here = (p: Point) => along(p, a.position, -1);
  const coreA = hull(corners(a).map(here)).core;
  const coreB = hull(corners(b).map(here)).core;
  const frame = makeFrame();
  const meets = (t: number) =>
    overlapSweptConvex(coreA, coreB, frame, { x: t * m.x, y: t * m.y, z: t * m.z });
  if (!meets(1)) return 2;
  let low = 0;
  let high = 1;
  while (high - low > 1e-9) {
    const middle = (low + high) / 2;
    if (meets(middle)) high = middle;
    else low = middle;
  }
  return low;
}

const truth = lazily(() =>
  pairs.map((pair) => (casts ? firstContact(pair) : signedDistance(pair.a, pair.b))),
);

/** Wrong beyond single precision. Casts that graze, within that, may say either. */
const wrong = (answer: (i: number) => number) => () =>
  truth().filter((is, i) => !(Math.abs(is - answer(i)) <= 1e-4)).length;

const contender = (name: string, answer: (i: number) => number): Contender => ({
  name,
  wrong: wrong(answer),
  run: () => {
    let sum = 0;
    for (let i = 0; i < N; i++) sum += answer(i);
    return sum;
  },
});

function graze(): Contender {
  const mine = pairs.map(({ a, b, motion }) => ({
    a: bodyOf(a),
    b: bodyOf(b),
    motion: { translation: plain(motion) },
  }));
  const hit = { out: makeCastHit() };
  const found = { out: makeSeparation() };
  return casts
    ? contender('graze', (i) => cast(mine[i]!.a, mine[i]!.motion, mine[i]!.b, hit)?.t ?? 2)
    : contender('graze', (i) => distance(mine[i]!.a, mine[i]!.b, found)!.separation);
}

function rapier({ rapier: R, name }: RapierBuild): Contender {
  const world = new R.World({ x: 0, y: 0, z: 0 });
  const bodyIn = ({ points, position, quaternion }: Placed) =>
    world.createCollider(
      R.ColliderDesc.convexHull(Float32Array.from(points.flatMap(tuple)))!
        .setTranslation(position.x, position.y, position.z)
        .setRotation({ ...quaternion }),
    );
  const mine = pairs.map(({ a, b, motion }) => ({ a: bodyIn(a), b: bodyIn(b), motion: plain(motion) }));
  const vector = () => ({ x: 0, y: 0, z: 0 });
  const still = vector();
  const hit = new R.ShapeCastHit(0, vector(), vector(), vector(), vector());
  const contact = new R.ShapeContact(0, vector(), vector(), vector(), vector());
  return casts
    ? contender(name, (i) => {
        const { a, b, motion } = mine[i]!;
        return a.castCollider(motion, b, still, 0, 1, true, hit as never)?.time_of_impact ?? 2;
      })
    : contender(name, (i) => mine[i]!.a.contactCollider(mine[i]!.b, 1e6, contact)!.distance);
}

const [rapierPlain, rapierSimd] = await rapiers();
race({
  title: `hull of ${CORNERS} – hull of ${CORNERS} ${casts ? 'cast' : 'signed distance'}`,
  calls: N,
  rounds: 51,
  passes: 2,
  contenders: [graze(), rapier(rapierPlain), rapier(rapierSimd)],
});
