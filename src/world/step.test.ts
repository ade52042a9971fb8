/** Ways to move many bodies through a step of time. */
import { describe, expect, test } from 'vitest';
import { check, near, property } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { pose as makePose, vec3 } from '../math/types.ts';
import { box, collider, halfSpace, type Shape, sphere } from '../shapes/index.ts';
import { type Mover, slideOff, stepFixed, stepSequential, stepSimultaneous } from './step.ts';
import { World } from './world.ts';

function mover(world: World, shape: Shape, at: Vec3, velocity: Vec3): Mover {
  const pose = { ...makePose(), position: at };
  return { id: world.add(collider(shape, pose)), pose, velocity };
}

/** Equal masses, nothing lost. */
const bounce: Parameters<typeof stepSimultaneous>[3] = {
  respond: ({ normal: n }, a, b) => {
    const vb = b?.velocity ?? vec3();
    const speed = (a.velocity.x - vb.x) * n.x + (a.velocity.y - vb.y) * n.y + (a.velocity.z - vb.z) * n.z;
    if (speed >= 0) return;
    const push = b ? -speed : -2 * speed;
    for (const k of ['x', 'y', 'z'] as const) {
      a.velocity[k] += push * n[k];
      if (b) b.velocity[k] -= push * n[k];
    }
  },
};

describe('[R2.4.2] stepping', () => {
  /** They cross the same place at different times: a passes through x = 0 early, b late. */
  const crossing = (): [World, Mover, Mover] => {
    const world = new World();
    const a = mover(world, sphere(0.5), vec3(-2, 0, 0), vec3(10, 0, 0));
    const b = mover(world, sphere(0.5), vec3(0, 8, 0), vec3(0, -8, 0));
    return [world, a, b];
  };

  test('two that miss each other when moving at once hit when moved one after the other', () => {
    const [world, a, b] = crossing();
    expect(stepSimultaneous(world, [a, b], 1)).toEqual([]);
    expect(a.pose.position.x).toBe(8);
    expect(world.get(b.id).pose.position.y).toBe(0);
    // b goes first, and lies in the way of a.
    const [again, a2, b2] = crossing();
    const [impact] = stepSequential(again, [b2, a2], 1);
    expect(impact).toMatchObject({ a: a2.id, b: b2.id });
    expect(impact!.time).toBeCloseTo(0.1, 6);
    // Only one of the two is halted: the other has gone all its way, and stays there.
    near(a2.pose.position.x, -1, 1e-6);
    expect(b2.pose.position).toEqual(vec3(0, 0, 0));
  });

  test('two that meet when moving at once miss when moved one after the other', () => {
    const make = (): [World, Mover, Mover] => {
      const world = new World();
      const a = mover(world, sphere(0.5), vec3(-4, 0, 0), vec3(8, 0, 0));
      const b = mover(world, sphere(0.5), vec3(0, -4, 0), vec3(0, 8, 0));
      return [world, a, b];
    };
    const [world, a, b] = make();
    const [impact] = stepSimultaneous(world, [a, b], 1);
    // |a - b| = √2 |4 - 8 t| = 1.
    expect(impact!.time).toBeCloseTo((4 - Math.SQRT1_2) / 8, 6);
    const [again, a2, b2] = make();
    expect(stepSequential(again, [a2, b2], 1)).toEqual([]);
    expect(a2.pose.position.x).toBe(4);
  });

  test('a fixed step passes through a thin wall, the others do not', () => {
    for (const step of [stepFixed, stepSequential, stepSimultaneous]) {
      const world = new World();
      const wall = world.add(collider(box(0.01, 5, 5)), { fixed: true });
      const a = mover(world, sphere(0.1), vec3(-2, 0, 0), vec3(5, 0.5, 0));
      const told = step(world, [a], 1);
      if (step === stepFixed) {
        expect(told).toEqual([]);
        expect(a.pose.position.x).toBe(3);
      } else {
        expect(told).toMatchObject([{ a: a.id, b: wall }]);
        near(a.pose.position.x, -0.11, 1e-6);
        near(a.pose.position.y, 0.5, 1e-12); // it slides on
      }
    }
  });

  test('[R2.4.3a] a fixed step tells who overlaps where it ends, and who went farther than it is long', () => {
    const world = new World();
    const wall = world.add(collider(box(0.5, 5, 5)), { fixed: true });
    const a = mover(world, box(0.25, 1, 1), vec3(-2, 0, 0), vec3(1.4, 0, 0));
    const told: number[] = [];
    const step = () => {
      told.length = 0;
      return stepFixed(world, [a], 1, { onLongStep: ({ id }) => told.push(id) });
    };
    expect(step()).toMatchObject([{ a: wall, b: a.id, phase: 'enter' }]);
    expect(told).toEqual([a.id]);
    a.velocity = vec3(0.5, 1.9, -1.9); // no farther than it is long
    step();
    expect(told).toEqual([]);
    for (const velocity of [vec3(-0.6), vec3(0, 2.1), vec3(0, 0, -2.1)]) {
      a.velocity = velocity;
      step();
      expect(told).toEqual([a.id]);
    }
    expect(() => stepFixed(world, [a], 1, { onLongStep: 1 as never })).toThrow(/options.onLongStep/);
  });

  property('two balls at once meet at the root of a quadratic, and both are there', 400, (rng) => {
    const world = new World();
    const [p, q, v, w] = [rng.vec(3), rng.vec(3), rng.vec(4), rng.vec(4)];
    const [r, s] = [rng.range(0.1, 0.8), rng.range(0.1, 0.8)];
    const away = vec3(q.x - p.x, q.y - p.y, q.z - p.z);
    const toward = vec3(w.x - v.x, w.y - v.y, w.z - v.z);
    const dot = (a: Vec3, b: Vec3) => a.x * b.x + a.y * b.y + a.z * b.z;
    const [aa, bb, cc] = [dot(toward, toward), dot(away, toward), dot(away, away) - (r + s) ** 2];
    const root = bb * bb - aa * cc;
    if (cc < 1e-3 || Math.abs(root) < 1e-3 * aa) return; // in touch, or grazing
    const time = root > 0 && bb < 0 ? (-bb - Math.sqrt(root)) / aa : Infinity;
    if (Math.abs(time - 1) < 1e-3) return;
    const [a, b] = [mover(world, sphere(r), { ...p }, v), mover(world, sphere(s), { ...q }, w)];
    const halt = (_: unknown, one: Mover, two: Mover | null) => {
      one.velocity = vec3();
      two!.velocity = vec3();
    };
    const impacts = stepSimultaneous(world, [a, b], 1, { respond: halt });
    check(impacts.length === (time < 1 ? 1 : 0), () => `${impacts.length} impacts, time ${time}`);
    if (time < 1) near(impacts[0]!.time, time, 1e-5, 'time');
    for (const k of ['x', 'y', 'z'] as const) {
      near(a.pose.position[k], p[k] + Math.min(time, 1) * v[k], 1e-4, 'one');
      near(b.pose.position[k], q[k] + Math.min(time, 1) * w[k], 1e-4, 'the other');
    }
  });

  property(
    'groups that do not meet do not know of each other: bit for bit as if each were alone',
    40,
    (rng) => {
      const [first, second] = [0, 1].map((g) =>
        Array.from({ length: 5 }, (_, i) => ({
          at: vec3(3 * i, 100 * g, rng.range(-1, 1)),
          velocity: rng.vec(9),
        })),
      ) as [Start[], Start[]];
      type Start = { at: Vec3; velocity: Vec3 };
      const run = (starts: Start[], others: Start[]) => {
        const world = new World();
        const make = ({ at, velocity }: Start) => mover(world, sphere(1), { ...at }, { ...velocity });
        const [mine, theirs] = [starts.map(make), others.map(make)];
        const impacts = stepSimultaneous(world, [...mine, ...theirs], 1, bounce);
        const own = impacts.filter(({ a }) => mine.some(({ id }) => id === a));
        for (const { id } of mine) {
          const met = own.filter(({ a, b }) => a === id || b === id).length;
          check(met <= 8, () => `${met} impacts of one`);
        }
        return JSON.stringify([own, mine.map(({ pose, velocity }) => [pose.position, velocity])]);
      };
      check(run(first, second) === run(first, []), 'another group');
    },
  );

  test('a ball at rest on the ground: as many impacts as allowed, no more, and it stays above', () => {
    const world = new World();
    world.add(halfSpace(vec3(0, 1, 0)));
    const a = mover(world, sphere(0.5), vec3(0, 0.5, 0), vec3(1, 0, 0));
    let most = 0;
    for (let i = 0; i < 100; i++) {
      a.velocity.y -= 0.1;
      most = Math.max(most, stepSimultaneous(world, [a], 0.01).length);
    }
    expect(most).toBeLessThanOrEqual(1);
    near(a.pose.position.y, 0.5, 1e-6);
    near(a.pose.position.x, 1, 1e-9);
    // Between two walls that never give way: a response that keeps pushing is cut off.
    a.velocity.y = -1;
    const impacts = stepSimultaneous(world, [a], 1, { respond: () => {}, maxImpacts: 5 });
    expect(impacts.length).toBe(5);
    near(a.pose.position.y, 0.5, 1e-6);
  });

  test('Newton’s cradle: the push goes through, and a group far away is not held up', () => {
    const world = new World();
    const row = [0, 1.01, 2.02, 3.03].map((x) => mover(world, sphere(0.5), vec3(x, 0, 0), vec3()));
    row[0]!.velocity.x = 1;
    const alone = mover(world, sphere(0.5), vec3(0, 50, 0), vec3(1, 0, 0));
    const impacts = stepSimultaneous(world, [...row, alone], 1, bounce);
    expect(impacts.map((i) => [i.a, i.b])).toEqual([
      [1, 2],
      [2, 3],
      [3, 4],
    ]);
    expect(row.map((m) => Math.round(m.velocity.x))).toEqual([0, 0, 0, 1]);
    expect(alone.pose.position.x).toBe(1);
    near(impacts[2]!.time, 0.03, 1e-6);
  });

  property('gases in a box keep their energy, never overlap and stay inside', 12, (rng) => {
    const world = new World();
    for (const axis of ['x', 'y', 'z'] as const)
      for (const side of [-1, 1]) world.add(halfSpace({ ...vec3(), [axis]: side }, -4));
    const movers: Mover[] = [];
    for (let i = 0; i < 12; i++)
      movers.push(
        mover(
          world,
          sphere(0.4),
          vec3((i % 3) * 2 - 2, (Math.floor(i / 3) % 2) * 2 - 1, i > 5 ? 2 : -2),
          rng.vec(6),
        ),
      );
    const energy = () => movers.reduce((sum, { velocity: v }) => sum + v.x * v.x + v.y * v.y + v.z * v.z, 0);
    const before = energy();
    for (let step = 0; step < 5; step++) stepSimultaneous(world, movers, 0.1, { ...bounce, maxImpacts: 50 });
    near(energy(), before, 1e-9 * before);
    for (const [i, { pose }] of movers.entries()) {
      const { x, y, z } = pose.position;
      check(Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) <= 3.6 + 1e-6, 'it stays in the box');
      for (const { pose: other } of movers.slice(i + 1)) {
        const [dx, dy, dz] = [x - other.position.x, y - other.position.y, z - other.position.z];
        check(Math.sqrt(dx * dx + dy * dy + dz * dz) >= 0.8 - 1e-6, 'they do not overlap');
      }
    }
  });

  test('sliding off: what each has towards the other is lost, and nothing else', () => {
    const world = new World();
    const impact = { time: 0, a: 1, b: 2, point: vec3(), normal: vec3(0, 1, 0) };
    const slide = (va: Vec3, vb: Vec3 | null) => {
      const [a, b] = [mover(world, sphere(1), vec3(), va), vb && mover(world, sphere(1), vec3(), vb)];
      slideOff(impact, a, b);
      return [a.velocity, b?.velocity];
    };
    expect(slide(vec3(1, -2, 3), vec3(4, 5, 6))).toEqual([vec3(1, 0, 3), vec3(4, 0, 6)]);
    expect(slide(vec3(1, 2, 3), vec3(4, -5, 6))).toEqual([vec3(1, 2, 3), vec3(4, -5, 6)]);
    expect(slide(vec3(1, -2, 3), vec3(4, -5, 6))).toEqual([vec3(1, 0, 3), vec3(4, -5, 6)]);
    expect(slide(vec3(1, 2, 3), vec3(4, 5, 6))).toEqual([vec3(1, 2, 3), vec3(4, 0, 6)]);
    expect(slide(vec3(1, -2, 3), null)).toEqual([vec3(1, 0, 3), undefined]);
    expect(() => slide(vec3(0, Number.NaN, 0), null)).toThrow(/slideOff: a\.velocity/);
    expect(() => slide(vec3(), vec3(Infinity, 0, 0))).toThrow(/slideOff: b\.velocity/);
    const movers = [mover(world, sphere(1), vec3(), vec3())];
    expect(() => stepSimultaneous(world, movers, 1, { most: 3 } as never)).toThrow(/options/);
  });

  test('a world that is frozen is stepped as any other', () => {
    for (const step of [stepFixed, stepSequential, stepSimultaneous]) {
      const [frozen, open] = [true, false].map((isFrozen) => {
        const world = new World();
        const movers = [0, 4].map((x) => mover(world, sphere(1), vec3(x, 0, 0), vec3(2 - x, 0, 0)));
        if (isFrozen) Object.freeze(world);
        return [step(world, movers, 1), movers.map(({ pose }) => pose.position)];
      });
      expect(frozen).toEqual(open);
    }
  });

  test('what cannot be moved is refused by name', () => {
    const world = new World();
    const a = mover(world, sphere(1), vec3(), vec3(Number.NaN, 0, 0));
    expect(() => stepSimultaneous(world, [a], 1)).toThrow(/movers\[0\]\.velocity/);
    expect(() => stepFixed(world, [{ ...a, id: 9 }], 1)).toThrow(/movers\[0\]\.id/);
    expect(() => stepSequential(world, [], -1)).toThrow(/dt/);
    expect(() => stepFixed(world, { 0: a } as never, 1)).toThrow(/stepFixed: movers must be a list/);
    expect(() => stepSequential(world, [], 1, { maxImpacts: 0 })).toThrow(/maxImpacts/);
    const ground = mover(world, halfSpace(vec3(0, 1, 0)), vec3(), vec3());
    expect(() => stepSimultaneous(world, [ground], 1)).toThrow(/half-space/);
  });
});
