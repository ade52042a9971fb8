/** The planes of a move, against the quadratic program solved exactly; nearly parallel planes above all. */
import { expect, test } from 'vitest';
import { check, property, type Rng } from '../../tests/kit/index.ts';
import { projectInAir, projectOnCone, projectOnGround, touching } from '../../tests/kit/project-on-cone.ts';
import type { Vec3 } from '../math/types.ts';
import { Constraints } from './constraints.ts';

const ORIGIN: Vec3 = { x: 0, y: 0, z: 0 };
const dot = (a: Vec3, b: Vec3): number => a.x * b.x + a.y * b.y + a.z * b.z;
const sub = (a: Vec3, b: Vec3): Vec3 => ({ x: a.x - b.x, y: a.y - b.y, z: a.z - b.z });
const size = (a: Vec3): number => Math.sqrt(dot(a, a));
const unit = (a: Vec3): Vec3 => ({ x: a.x / size(a), y: a.y / size(a), z: a.z / size(a) });

function addPlane(constraints: Constraints, n: Vec3, d = 0, triangle = -1): void {
  Object.assign(constraints.next, n, { d, id: 0, triangle });
  constraints.add();
}

function makeConstraints(normals: readonly Vec3[], minFloorY = 0.7): Constraints {
  const constraints = new Constraints();
  constraints.minFloorY = minFloorY;
  constraints.touchDistance = 1e-3;
  for (const n of normals) addPlane(constraints, n);
  return constraints;
}

function slide(normals: readonly Vec3[], goal: Vec3, minFloorY?: number, walking = false): Vec3 {
  const to = { x: 9, y: 9, z: 9 };
  const constraints = makeConstraints(normals, minFloorY);
  constraints.walking = walking;
  check(constraints.solve(ORIGIN, goal, to), 'cut short, though all planes are touched');
  return to;
}

/** Planes of one corner: at random, or all but parallel to one that is there, facing the same way or the other. */
function corner(rng: Rng, count: number, draw: () => Vec3): Vec3[] {
  const normals = [draw()];
  while (normals.length < count) {
    const base = rng.pick(normals);
    const [lean, side, off] = [10 ** rng.range(-12, -1), rng.sign(), rng.direction()];
    const close = {
      x: side * base.x + lean * off.x,
      y: side * base.y + lean * off.y,
      z: side * base.z + lean * off.z,
    };
    normals.push(rng.chance(0.5) ? draw() : unit(close));
  }
  return normals;
}

/** What is wanted: anywhere; or all but along a plane, or straight into it. */
function wish(rng: Rng, normals: readonly Vec3[]): Vec3 {
  const v = rng.direction();
  if (rng.chance(0.4)) return v;
  const n = rng.pick(normals);
  const lean = 10 ** rng.range(-12, -1);
  const along = rng.chance(0.5) ? dot(n, v) + lean : 0;
  const into = along === 0 ? 1 / lean : 0;
  return unit({
    x: v.x - (along + into) * n.x,
    y: v.y - (along + into) * n.y,
    z: v.z - (along + into) * n.z,
  });
}

/**
 * As near to the goal as the exact answer, and in front of all planes; and the same place, where the planes are not so
 * parallel that less than the tolerance decides.
 */
function compare(normals: readonly Vec3[], goal: Vec3, to: Vec3, truth: Vec3): void {
  const far = size(to);
  const story = () => JSON.stringify({ normals, goal, to, truth });
  for (const n of normals)
    check(dot(n, to) >= -2e-12 * far, () => `enters a plane by ${dot(n, to)}: ${story()}`);
  const [mine, best] = [size(sub(to, goal)), size(sub(truth, goal))];
  check(mine <= best * (1 + 1e-12) + 1e-15, () => `is ${mine - best} farther from the goal: ${story()}`);
  // Two ways to be as near, that differ by x, differ in nearness by x².
  const parallel = normals.some((n, i) => normals.some((m, j) => i < j && 1 - dot(n, m) ** 2 < 1e-8));
  const off = size(sub(to, truth));
  check(parallel || off < 1e-7, () => `is off by ${off}: ${story()}`);
}

/** Normals that point down are neither ground nor, to who walks on anything that points up, walls: plain planes. */
const hanging = (n: Vec3): Vec3 => ({ x: n.x, y: Math.min(-Math.abs(n.y), -1e-300), z: n.z });

property('[S4] one plane, two or more leave the way that is nearest to the one wanted', 2500, (rng) => {
  const normals = corner(rng, rng.int(1, 5), () => hanging(rng.direction())).map(hanging);
  const goal = wish(rng, normals);
  compare(normals, goal, slide(normals, goal, 0), projectInAir(touching(normals), goal, 0));
});

const LIMIT = 0.7;

/**
 * Two walls are parallel where the way along one enters the other by less than 1e-13 of its length (|x| + |z|), as the solver
 * states: the way between them; else null.
 */
function inCorridor(normals: readonly Vec3[], goal: Vec3): Vec3 | null {
  const [n, m] = normals;
  if (normals.length !== 2 || !normals.every(({ y }) => Math.abs(y) < LIMIT)) return null;
  const [a, b] = [unit({ ...n!, y: 0 }), unit({ ...m!, y: 0 })];
  if (dot(a, b) > 0 || Math.abs(a.x * b.z - a.z * b.x) > 1e-13 * (Math.abs(a.x) + Math.abs(a.z))) return null;
  const { x, z } = projectOnCone([a, { x: -a.x, y: 0, z: -a.z }], { ...goal, y: 0 });
  return projectOnCone(normals, { x, y: goal.y, z });
}

property('[S4] in the air: what pushes towards walls and steep slopes lifts nobody', 1500, (rng) => {
  const wall = (): Vec3 => {
    const { x, z } = rng.direction();
    return unit({ x, y: rng.sign() * 10 ** rng.range(-12, -1), z });
  };
  const draw = (): Vec3 => (rng.chance(0.5) ? wall() : rng.direction());
  const normals = corner(rng, rng.int(1, 4), draw).filter(({ y }) => y < LIMIT);
  if (normals.length === 0) return;
  const goal = wish(rng, normals);
  const to = slide(normals, goal, LIMIT);
  const truth = inCorridor(normals, goal) ?? projectInAir(touching(normals), goal, LIMIT);
  for (const n of normals) check(dot(n, to) >= -2e-12 * size(to), 'enters a plane');
  const parallel = normals.some((n, i) => normals.some((m, j) => i < j && 1 - dot(n, m) ** 2 < 1e-8));
  const off = size(sub(to, truth));
  check(parallel || off < 1e-7, () => `off by ${off}: ${JSON.stringify({ normals, goal, to, truth })}`);
  // It falls as far as the exact answer does: 0 hangs.
  check(
    !(truth.y < 0) || to.y <= truth.y * (1 - 1e-3) + 1e-9,
    () => `hangs: ${JSON.stringify({ normals, goal, to, truth })}`,
  );
});

property('[S4] on the ground: nearest on the map, at the height of the ground', 1500, (rng) => {
  const ground = (): Vec3 => {
    const { x, z } = rng.direction();
    const slope = rng.chance(0.5) ? 10 ** rng.range(-12, -1) : rng.range(0, 0.9);
    return unit({ x: x * slope, y: 1, z: z * slope });
  };
  const wall = (): Vec3 => {
    const { x, z } = rng.direction();
    return unit({ x, y: rng.chance(0.3) ? rng.range(-2, 0.6) : rng.sign() * 10 ** rng.range(-12, -1), z });
  };
  const grounds = corner(rng, rng.int(1, 3), ground).filter(({ y }) => y >= LIMIT);
  const walls = rng.chance(0.2) ? [] : corner(rng, rng.int(1, 3), wall).filter(({ y }) => y < LIMIT - 1e-9);
  const normals = [...grounds, ...walls];
  if (grounds.length === 0) return;
  const goal = { ...wish(rng, normals), y: rng.range(-1, 0) };
  const to = slide(normals, goal, LIMIT, rng.chance(0.5));
  const truth = projectOnGround(grounds, walls, goal);
  const story = () => JSON.stringify({ normals, goal, to, truth });
  for (const n of normals) check(dot(n, to) >= -4e-11 * size(to), () => `enters a plane: ${story()}`);
  const flat = { ...goal, y: 0 };
  const [mine, best] = [size(sub({ ...to, y: 0 }, flat)), size(sub({ ...truth, y: 0 }, flat))];
  check(mine <= best * (1 + 1e-9) + 1e-12, () => `is ${mine - best} farther on the map: ${story()}`);
});

/** The place in front of lines nearest to a goal: of all that could be it, the nearest that is. */
function nearestOnMap(walls: readonly Vec3[], slack: readonly number[], goal: Vec3): Vec3 {
  const candidates = [goal];
  walls.forEach((n, i) => {
    const h = dot(n, goal) + slack[i]!;
    candidates.push({ x: goal.x - h * n.x, y: 0, z: goal.z - h * n.z });
    walls.forEach((m, j) => {
      const det = n.x * m.z - n.z * m.x;
      if (j < i && det !== 0)
        candidates.push({
          x: (slack[j]! * n.z - slack[i]! * m.z) / det,
          y: 0,
          z: (slack[i]! * m.x - slack[j]! * n.x) / det,
        });
    });
  });
  const free = candidates.filter((c) => walls.every((n, i) => dot(n, c) + slack[i]! >= -1e-9));
  return free.reduce((a, b) => (size(sub(b, goal)) < size(sub(a, goal)) ? b : a));
}

property('[S4] walls that are near, but not touched yet: one answer, not one for each', 2000, (rng) => {
  const walls = Array.from({ length: rng.int(1, 4) }, () => {
    const { x, z } = rng.direction();
    return unit({ x, y: 0, z });
  });
  const slack = walls.map(() => (rng.chance(0.3) ? 0 : rng.range(0, 0.5)));
  const { x, z } = rng.direction();
  const goal = { x, y: 0, z };
  const truth = nearestOnMap(walls, slack, goal);
  const to = { x: 9, y: 9, z: 9 };
  const parallel = walls.some((n, i) => walls.some((m, j) => i < j && 1 - dot(n, m) ** 2 < 1e-4));
  for (const walking of [false, true]) {
    const constraints = makeConstraints(walking ? [{ x: 0, y: 1, z: 0 }] : [], LIMIT);
    constraints.touchDistance = 1;
    constraints.walking = walking;
    for (const [i, n] of walls.entries()) addPlane(constraints, n, -slack[i]!);
    constraints.solve(ORIGIN, goal, to);
    const story = () => JSON.stringify({ walls, slack, goal, to, truth, walking });
    check(parallel || size(sub(to, truth)) < 1e-9, () => `off by ${size(sub(to, truth))}: ${story()}`);
  }
});

test('[S4] parallel planes: the same one twice is one, two that face each other are a corridor', () => {
  const wall = { x: -1, y: 0, z: 0 };
  const goal = { x: 1, y: 0.25, z: 2 };
  for (const tilt of [0, 1e-14, 5e-14]) {
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
  // From here on the corridor opens or closes, and one that closes holds, but for the way along the line.
  const closing = slide([{ x: 1, y: 0, z: -1e-9 }, wall], goal);
  expect(closing).toEqual({ x: expect.closeTo(0, 9), y: 0.25, z: expect.closeTo(0, 9) });
  const opening = slide([{ x: 1, y: 0, z: 1e-9 }, wall], goal);
  expect(opening.z).toBe(2);
});

test('[S4] a plane that was left behind does not hold; one that is near is gone to, not through', () => {
  const at = { x: -1, y: 0, z: 0 };
  const to = { x: 9, y: 9, z: 9 };
  const [first, second] = [hanging({ x: -1, y: 0, z: 0 }), hanging({ x: 0, y: 0, z: -1 })];
  const constraints = makeConstraints([first, second], 0);
  expect(constraints.solve(at, { x: -0.5, y: 0, z: 1 }, to)).toBe(true);
  expect(to).toEqual({ x: -0.5, y: expect.closeTo(0, 15), z: 0 });
  // In the air nobody goes back to a wall that he has left: not in the same move.
  constraints.minFloorY = 0.7;
  expect(constraints.solve(at, { x: -0.5, y: -1, z: 1 }, to)).toBe(true);
  expect(to).toEqual({ x: -1, y: expect.closeTo(-1, 15), z: 0 });
  constraints.minFloorY = 0;
  // A thousandth of what counts as near, in front of the first.
  expect(constraints.solve({ x: -1e-6, y: 0, z: 0 }, { x: 1, y: 1, z: 1 }, to)).toBe(true);
  expect(to).toEqual({ x: expect.closeTo(0, 15), y: 1, z: expect.closeTo(0, 15) });
  // Three planes hold it, in front of the third first: the way there is cut short.
  addPlane(constraints, { x: 0, y: -1, z: 0 });
  expect(constraints.solve({ x: 0, y: -1e-6, z: 0 }, { x: 1, y: 1, z: 1 }, to)).toBe(false);
  expect(to).toEqual({ x: expect.closeTo(0, 15), y: expect.closeTo(0, 15), z: expect.closeTo(0, 15) });
  expect(constraints.solve(ORIGIN, { x: 1, y: 1, z: 1 }, to)).toBe(true);
  expect(to).toEqual(ORIGIN);
});

test('[S4] on the ground, too, a wall that was left behind does not hold', () => {
  const constraints = makeConstraints([
    { x: 0, y: 1, z: 0 },
    { x: -1, y: 0, z: 0 },
  ]);
  constraints.walking = true;
  const to = { x: 9, y: 9, z: 9 };
  expect(constraints.solve({ x: -1, y: 0, z: 0 }, { x: -0.5, y: 0, z: 1 }, to)).toBe(true);
  expect(to).toEqual({ x: -0.5, y: 0, z: 1 });
  expect(constraints.solve(ORIGIN, { x: 0.5, y: 0, z: 1 }, to)).toBe(true);
  expect(to).toEqual({ x: 0, y: 0, z: 1 });
});

test('[S4] the planes of a triangle that is touched elsewhere are forgotten; others, and the same once, are kept', () => {
  const constraints = makeConstraints([]);
  addPlane(constraints, { x: -1, y: 0, z: 0 }, 0, 3);
  addPlane(constraints, { x: 0, y: 0, z: -1 }, 0, 4);
  addPlane(constraints, { x: 0, y: 0, z: -1 }, 0, 5);
  expect(constraints.count).toBe(2);
  Object.assign(constraints.next, { x: -0.8, y: 0, z: 0.6, d: 0, id: 0, triangle: 3 });
  constraints.dropTriangle();
  expect(constraints.count).toBe(1);
  expect([...constraints.planes.slice(0, 3)]).toEqual([0, 0, -1]);
  // More than there is room for: the oldest goes.
  for (let i = 0; i < 20; i++) addPlane(constraints, unit({ x: -1, y: 0, z: i }), 0, 10 + i);
  expect(constraints.count).toBe(8);
  expect(constraints.planes[8 * 7 + 2]).toBe(unit({ x: -1, y: 0, z: 19 }).z);
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

test('[S4] walls that face each other, 3e-13 from parallel: the way along their line to all digits', () => {
  const normals = [
    { x: 0.3967488580532545, y: 0.4653888847479178, z: -0.7912038483137755 },
    { x: -0.39674885805328286, y: -0.4653888847476131, z: 0.7912038483139405 },
  ];
  const goal = { x: -0.39674836921639395, y: -0.4653870675092455, z: 0.7912051623436723 };
  expect(size(sub(slide(normals, goal, LIMIT), projectInAir(touching(normals), goal, LIMIT)))).toBeLessThan(
    1e-14,
  );
});
