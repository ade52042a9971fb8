import { add, mul, type Q, q, sign } from '../../../tests/kit/exact.ts';
import { check, property, type Rng } from '../../../tests/kit/index.ts';
import type { Vec3 } from '../../math/types.ts';
import { PosedModel } from '../features.ts';
import { polyhedralModel } from '../model/polyhedral-model.ts';
import { FULL_SPEED } from '../tuning.ts';
import {
  lineEntry,
  linesMeet,
  measureEdges,
  startMovingEdge,
  takeFixedEdge,
  writeLine,
} from './edge-edge.ts';
import { RotationContext } from './rotation-context.ts';
import { measureVertex, planeMeets, startVertex } from './vertex-polygon.ts';

const rotation = new RotationContext(FULL_SPEED);
const { pair } = rotation;

// ---- The oracle: rotations in rational numbers, by the quaternion (1, r k), which need not be of length 1 --------------

type V = readonly [Q, Q, Q];
const v = (p: Vec3): V => [q(p.x), q(p.y), q(p.z)];
const plus = (a: V, b: V): V => [add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2])];
const times = (s: Q, a: V): V => [mul(s, a[0]), mul(s, a[1]), mul(s, a[2])];
const minus = (a: V, b: V): V => plus(a, times(q(-1), b));
const dot = (a: V, b: V): Q => add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]));
const cross = (a: V, b: V): V => [
  add(mul(a[1], b[2]), mul(q(-1), mul(a[2], b[1]))),
  add(mul(a[2], b[0]), mul(q(-1), mul(a[0], b[2]))),
  add(mul(a[0], b[1]), mul(q(-1), mul(a[1], b[0]))),
];

/** (1 + r² k²) × the point p less `from`, after it has turned about k through o by the angle of half tangent r |k|. */
function turned(p: V, k: V, o: V, r: Q, from: V): V {
  const x = minus(p, o);
  const rr = mul(r, r);
  const kk = mul(rr, dot(k, k));
  const same = times(add(q(1), mul(q(-1), kk)), x);
  const round = times(mul(q(2), r), cross(k, x));
  const along = times(mul(mul(q(2), rr), dot(k, x)), k);
  return plus(plus(plus(same, round), along), times(add(q(1), kk), minus(o, from)));
}

function someTurn(rng: Rng): { k: V; o: V } {
  const k = rng.chance(0.3)
    ? rng.pick([
        { x: 1, y: 0, z: 0 },
        { x: 0, y: 0, z: -1 },
      ])
    : rng.direction();
  const o = rng.vec(rng.pick([1, 1, 30]));
  Object.assign(rotation, { kx: k.x, ky: k.y, kz: k.z, ox: o.x, oy: o.y, oz: o.z, side: 0 });
  Object.assign(rotation, { e: 1e-6, leave: 1e-6, tolerance: 1e-14, touch: 1e-13 });
  return { k: v(k), o: v(o) };
}

function triangleBody(rng: Rng): { body: PosedModel; corners: Vec3[] } {
  const corners = [rng.vec(), rng.vec(), rng.vec()];
  const body = new PosedModel();
  body.model = polyhedralModel({ vertices: corners, polygons: [[0, 1, 2]] });
  body.points = body.model.points;
  body.planes = body.model.planes;
  return { body, corners };
}

/** The sign of `side` changes at r, and before that it is what it is at the start. */
function checkFirst(rng: Rng, r: number, side: (r: number) => number): void {
  const start = side(0);
  const up = Math.min(r, 1e3);
  for (let i = 0; i < 4; i++) check(side(up * rng.range(0, 0.99999)) === start, () => `crossed before ${r}`);
  if (r > 1e3) return; // about the half turn
  const off = 1e-9 * (1 + r);
  check(side(Math.max(0, r - off)) === start, () => `crossed just before ${r}`);
  check(side(r + off) === -start, () => `not crossed at ${r}`);
}

property('[P4] the vertex meets the plane when exact arithmetic says so, and not before', 400, (rng) => {
  const { k, o } = someTurn(rng);
  const { body, corners } = triangleBody(rng);
  const moving = triangleBody(rng);
  const { planes } = body;
  const n: V = [q(planes[0]!), q(planes[1]!), q(planes[2]!)];
  startVertex(rotation, moving.body, 0);
  Object.assign(pair, { fixed: body, index: 0 });
  measureVertex(rotation, 0);
  const a = v(corners[0]!);
  const p = v(moving.corners[0]!);
  const side = (r: number): number => sign(dot(n, turned(p, k, o, q(r), a)));
  const amplitude = Math.hypot(planes[0]!, planes[1]!, planes[2]!);
  if (!(amplitude > 0.9)) return; // no triangle
  const r = planeMeets(rotation);
  // Within rounding of a graze either answer is fine.
  if (r < 1e3 && side(r * (1 + 1e-6)) === side(0)) return;
  checkFirst(rng, r, side);
});

property('[P5] the lines meet when exact arithmetic says so, and not before', 150, (rng) => {
  const { k, o } = someTurn(rng);
  const still = triangleBody(rng);
  const moving = triangleBody(rng);
  Object.assign(rotation, { mover: moving.body, target: still.body });
  startMovingEdge(rotation, 0);
  writeLine(rotation, rotation.edgeLines, 0, still.body.points, 0, 3);
  lineEntry(rotation, rotation.edgeLines, 0);
  takeFixedEdge(rotation, 0);
  measureEdges(rotation, 0);
  const c = v(still.corners[0]!);
  const w = minus(v(still.corners[1]!), c);
  const a = v(moving.corners[0]!);
  const b = v(moving.corners[1]!);
  const side = (r: number): number => sign(dot(cross(turned(a, k, o, q(r), c), turned(b, k, o, q(r), c)), w));
  const r = linesMeet(rotation);
  if (r < 1e3 && side(r * (1 + 1e-6)) === side(0)) return;
  checkFirst(rng, r, side);
});
