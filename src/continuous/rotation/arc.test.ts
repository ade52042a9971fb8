import { check, property } from '../../../tests/kit/index.ts';
import { Arc, AxisRotation, Ball, boundArc, firstInBall, startArc } from './arc.ts';

const rotate = (k: number[], v: number[], angle: number): number[] => {
  const [x, y, z] = k as [number, number, number];
  const [a, b, c] = v as [number, number, number];
  const along = x * a + y * b + z * c;
  const cross = [y * c - z * b, z * a - x * c, x * b - y * a];
  return v.map(
    (p, i) => p * Math.cos(angle) + cross[i]! * Math.sin(angle) + k[i]! * along * (1 - Math.cos(angle)),
  );
};

property('[P12] the box of an arc holds it and fits it', 1500, (rng) => {
  const d = rng.chance(0.3)
    ? rng.pick([
        { x: 1, y: 0, z: 0 },
        { x: 0, y: 0, z: -1 },
      ])
    : rng.direction();
  const k = [d.x, d.y, d.z];
  const o = rng.vec(rng.pick([0, 1, 1000]));
  const p = rng.vec(2);
  const angle = rng.pick([Math.PI, 1e-9, rng.range(0, Math.PI), Math.PI / 2]);
  const about = Object.assign(new AxisRotation(), { kx: d.x, ky: d.y, kz: d.z, ox: o.x, oy: o.y, oz: o.z });
  const arc = new Arc();
  startArc(arc, about, p.x, p.y, p.z);
  const box = new Float64Array(7);
  boundArc(arc, { sine: Math.sin(angle), versine: 1 - Math.cos(angle) }, 0, box, 1);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const from = [p.x - o.x, p.y - o.y, p.z - o.z];
  const reach = Math.hypot(...from);
  const steps = 64;
  for (let i = 0; i <= steps; i++) {
    const at = rotate(k, from, (angle * i) / steps);
    at.forEach((x, j) => {
      const value = x + [o.x, o.y, o.z][j]!;
      low[j] = Math.min(low[j]!, value);
      high[j] = Math.max(high[j]!, value);
    });
  }
  const rounding = 1e-14 * (reach + 10);
  const sag = reach * (angle / steps) ** 2; // how far an arc goes beyond the samples
  for (let j = 0; j < 3; j++) {
    check(box[1 + j]! <= low[j]! + rounding && box[4 + j]! >= high[j]! - rounding, 'sticks out');
    check(box[1 + j]! >= low[j]! - sag - rounding && box[4 + j]! <= high[j]! + sag + rounding, 'too large');
  }
});

property('[P12] no ball is passed by, however small it is and from however far it is met', 3000, (rng) => {
  const k = rng.direction();
  const o = rng.vec(rng.pick([0, 1, 1000]));
  const p = rng.vec(2);
  const about = Object.assign(new AxisRotation(), { kx: k.x, ky: k.y, kz: k.z, ox: o.x, oy: o.y, oz: o.z });
  const arc = new Arc();
  startArc(arc, about, p.x, p.y, p.z);
  // The ball is about a point beside the arc, mostly so that it is just met: towards the axis, along it, or anyhow.
  const angle = rng.pick([1e-6, 1e-3, rng.range(1e-3, Math.PI / 2), Math.PI / 2]);
  const from = [p.x - o.x, p.y - o.y, p.z - o.z];
  const at = rotate([k.x, k.y, k.z], from, angle).map((x, i) => x + [o.x, o.y, o.z][i]!);
  const size = Math.hypot(...from) + Math.hypot(o.x, o.y, o.z);
  const radius = size * rng.pick([2 ** -40, 2 ** -30, 2 ** -20]);
  const d = rng.pick([k, rng.direction()]);
  const off = radius * rng.pick([0, 0.5, 0.999]);
  const centre = { x: at[0]! + off * d.x, y: at[1]! + off * d.y, z: at[2]! + off * d.z };
  const ball = Object.assign(new Ball(), {
    dx: p.x - centre.x,
    dy: p.y - centre.y,
    dz: p.z - centre.z,
    radius,
  });
  const r = firstInBall(arc, ball);
  check(r <= Math.tan(angle / 2) * (1 + 1e-12), 'late');
  // As the ball is wider by a part of the way to it, and no more.
  const wide = radius + 2 ** -20 * Math.hypot(ball.dx, ball.dy, ball.dz);
  const there = rotate([k.x, k.y, k.z], from, 2 * Math.atan(r)).map((x, i) => x + [o.x, o.y, o.z][i]!);
  const gap = Math.hypot(there[0]! - centre.x, there[1]! - centre.y, there[2]! - centre.z);
  check(gap <= wide, 'early');
});
