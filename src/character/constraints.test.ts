/** Sliding planes, against the nearest point of a cone by trying every set of planes that could hold it. */
import { expect, test } from 'vitest';
import { check, property } from '../../tests/kit/index.ts';
import { Constraints, type Triple } from './constraints.ts';

const ORIGIN: Triple = { x: 0, y: 0, z: 0 };
const dot = (a: Triple, b: Triple): number => a.x * b.x + a.y * b.y + a.z * b.z;

function addPlane(constraints: Constraints, n: Triple): void {
  Object.assign(constraints.next, n, { d: 0 });
  constraints.add();
}

function makeConstraints(normals: readonly Triple[], steepest = 2): Constraints {
  const constraints = new Constraints();
  constraints.steepest = steepest;
  constraints.left = 1e-3;
  for (const n of normals) addPlane(constraints, n);
  return constraints;
}

function slide(normals: readonly Triple[], goal: Triple, steepest?: number): Triple {
  const to = { x: 9, y: 9, z: 9 };
  makeConstraints(normals, steepest).resolve(ORIGIN, goal, to);
  return to;
}

/** Normals that point down: what is neither ground nor a slope is a plain plane. */
const hanging = (n: Triple): Triple => ({ x: n.x, y: -Math.abs(n.y), z: n.z });

/** The point with n·x >= 0 for all n that is nearest to the goal, by trying planes, lines and the origin. */
function nearestInCone(normals: readonly Triple[], goal: Triple): Triple {
  const candidates: Triple[] = [goal, ORIGIN];
  for (const n of normals) {
    const h = dot(n, goal);
    candidates.push({ x: goal.x - h * n.x, y: goal.y - h * n.y, z: goal.z - h * n.z });
  }
  for (const a of normals)
    for (const b of normals) {
      // Gram–Schmidt: take away the part along a, and that along what of b is across a.
      const along = dot(a, b);
      const c = { x: b.x - along * a.x, y: b.y - along * a.y, z: b.z - along * a.z };
      const length = Math.sqrt(dot(c, c));
      if (length < 1e-4) continue;
      const unit = { x: c.x / length, y: c.y / length, z: c.z / length };
      const [h, k] = [dot(a, goal), dot(unit, goal)];
      candidates.push({
        x: goal.x - h * a.x - k * unit.x,
        y: goal.y - h * a.y - k * unit.y,
        z: goal.z - h * a.z - k * unit.z,
      });
    }
  let best = ORIGIN;
  let least = Infinity;
  for (const p of candidates) {
    if (normals.some((n) => dot(n, p) < -1e-9 * Math.sqrt(dot(p, p)))) continue;
    const d = { x: p.x - goal.x, y: p.y - goal.y, z: p.z - goal.z };
    if (dot(d, d) < least) {
      least = dot(d, d);
      best = p;
    }
  }
  return best;
}

property('[S4] one plane, two or three leave the way that is nearest to the one wanted', 20_000, (rng) => {
  const count = rng.int(1, 3);
  const normals: Triple[] = [];
  for (let i = 0; i < count; i++) {
    const n = hanging(rng.direction());
    // Nearly parallel ones are another matter: see below.
    if (normals.every((m) => Math.abs(dot(n, m)) < 0.999)) normals.push(n);
  }
  const goal = rng.direction();
  // What was hit last is what was run into.
  if (dot(normals.at(-1)!, goal) >= -1e-3) return;
  const to = slide(normals, goal);
  const wanted = nearestInCone(normals, goal);
  const off = Math.hypot(to.x - wanted.x, to.y - wanted.y, to.z - wanted.z);
  check(off < 1e-5, () => `${JSON.stringify({ normals, goal, to, wanted })}`);
});

test('[S4] parallel planes: the same one twice is one, two that face each other are a corridor', () => {
  const wall = { x: -1, y: 0, z: 0 };
  const goal = { x: 1, y: 0.25, z: 2 };
  for (const tilt of [0, 1e-12, 1e-9, 1e-7]) {
    const twin = { x: -1, y: 0, z: tilt };
    const along = slide([wall, twin], goal);
    expect(along.x).toBeCloseTo(0, 6);
    expect(along.y).toBe(0.25);
    expect(along.z).toBeCloseTo(2, 6);
    const facing = { x: 1, y: 0, z: tilt };
    const between = slide([facing, wall], goal);
    expect(between.x).toBeCloseTo(0, 6);
    expect(between.z).toBeCloseTo(2, 6);
  }
});

test('[S4] a plane that was left behind does not hold', () => {
  const constraints = makeConstraints([{ x: -1, y: 0, z: 0 }]);
  // From a place far off the first plane, into a second one.
  const at = { x: -1, y: 0, z: 0 };
  addPlane(constraints, { x: 0, y: 0, z: -1 });
  const to = { x: 9, y: 9, z: 9 };
  constraints.resolve(at, { x: -0.5, y: 0, z: 1 }, to);
  expect(to).toEqual({ x: -0.5, y: 0, z: 0 });
});

test('[S4] steep slopes turn no motion into one upwards, ground keeps the way along it', () => {
  const steep = { x: -0.8, y: 0.6, z: 0 };
  const to = slide([steep], { x: 1, y: -0.5, z: 1 }, 0.7);
  expect(to.y).toBeLessThanOrEqual(0);
  expect(to.z).toBe(1);
  const ground = { x: -0.6, y: 0.8, z: 0 };
  const up = slide([ground], { x: 1, y: -0.5, z: 1 }, 0.7);
  expect(up).toEqual({ x: 1, y: expect.closeTo(0.75, 12), z: 1 });
});
