import { check, cloud, exact, property } from '../../../tests/kit/index.ts';
import { compareAlong, crossSign } from './exact-sign.ts';

const { mul, q, qv, sign, sub, vdot, vsub } = exact;

property('the sign of (b - a) · d is exact', 20_000, (rng) => {
  const { points } = cloud(rng, 3);
  const [a, b] = points as [(typeof points)[0], (typeof points)[0]];
  // Directions at a right angle to b - a, exactly or nearly, are the hard ones.
  const d = rng.chance(0.5) ? points[2]! : { x: b.y - a.y, y: a.x - b.x, z: rng.pick([0, 1e-30, -1e-17]) };
  check(compareAlong(a, b, d) === sign(vdot(vsub(qv(b), qv(a)), qv(d))), () => JSON.stringify({ a, b, d }));
});

property('the sign of (b - a) × (d - c) is exact', 20_000, (rng) => {
  const { points } = cloud(rng, 4);
  const [a, b, c] = points as [(typeof points)[0], (typeof points)[0], (typeof points)[0]];
  const s = rng.pick([1, -1, 0.5, 3, 1 / 3]);
  const d = rng.chance(0.5) ? points[3]! : { x: c.x + s * (b.x - a.x), y: c.y + s * (b.y - a.y) };
  const wanted = sign(
    sub(mul(sub(q(b.x), q(a.x)), sub(q(d.y), q(c.y))), mul(sub(q(b.y), q(a.y)), sub(q(d.x), q(c.x)))),
  );
  check(crossSign(a, b, c, d) === wanted, () => JSON.stringify({ a, b, c, d }));
});
