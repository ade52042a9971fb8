import { expect, test } from 'vitest';
import { check, property, Rng } from '../../tests/kit/index.ts';
import type { Plane, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { CellsAndPortals, type CellVolume, type ConvexCell, type Portal } from './cells-and-portals.ts';

type Three = [number, number, number];

/** Rooms between cuts along x, y and z, with doors in some of the walls, the whole of it turned. */
interface House {
  readonly cuts: readonly number[][];
  readonly cells: ConvexCell[];
  readonly portals: Portal[];
  /** The sides of each door, before turning. */
  readonly doors: { a: number; b: number; min: Three; max: Three }[];
  readonly number: (i: number, j: number, k: number) => number;
  readonly turn: (p: Three) => Vec3;
}

const straight = ([x, y, z]: Three): Vec3 => ({ x, y, z });

function rotation(rng: Rng): (p: Three) => Vec3 {
  const { x, y, z, w } = rng.rotation();
  const row = (a: number, b: number, c: number) => (p: Three) => a * p[0] + b * p[1] + c * p[2];
  const rx = row(1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w));
  const ry = row(2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w));
  const rz = row(2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y));
  return (p) => ({ x: rx(p), y: ry(p), z: rz(p) });
}

function house(rng: Rng, open: number, narrow: number, turn = straight): House {
  const cuts = [0, 1, 2].map(() => {
    const list = [rng.int(-5, 0)];
    for (let n = rng.int(1, 4); n > 0; n--) list.push(list.at(-1)! + rng.int(1, 3));
    return list;
  });
  const [nx, ny, nz] = cuts.map((list) => list.length - 1) as Three;
  const number = (i: number, j: number, k: number) => i + nx * (j + ny * k);
  const cells: ConvexCell[] = [];
  const doors: House['doors'] = [];
  for (let k = 0; k < nz; k++)
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++) {
        const at = [i, j, k] as Three;
        const planes: Plane[] = [];
        for (const axis of [0, 1, 2] as const) {
          const unit: Three = [0, 0, 0];
          unit[axis] = 1;
          const n = turn(unit);
          planes.push({ normal: n, d: cuts[axis]![at[axis] + 1]! });
          planes.push({ normal: vec3(-n.x, -n.y, -n.z), d: -cuts[axis]![at[axis]]! });
          const next = [...at] as Three;
          next[axis]++;
          if (next[axis] >= [nx, ny, nz][axis]! || !rng.chance(open)) continue;
          const min = at.map((c, m) => cuts[m]![c]!) as Three;
          const max = at.map((c, m) => cuts[m]![c + 1]!) as Three;
          min[axis] = max[axis];
          if (rng.chance(narrow))
            for (const m of [0, 1, 2])
              if (m !== axis) {
                const width = max[m]! - min[m]!;
                min[m]! += width / 4;
                max[m]! -= width / 4;
              }
          doors.push({ a: number(...at), b: number(...next), min, max });
        }
        cells.push({ planes });
      }
  const portals = doors.map(({ a, b, min, max }): Portal => {
    const axis = min.findIndex((c, m) => c === max[m]);
    const [u, v] = [0, 1, 2].filter((m) => m !== axis) as [number, number];
    const corner = (s: boolean, t: boolean) => {
      const p = [...min] as Three;
      p[u] = s ? max[u]! : min[u]!;
      p[v] = t ? max[v]! : min[v]!;
      return turn(p);
    };
    const polygon = [corner(false, false), corner(true, false), corner(true, true), corner(false, true)];
    if (rng.chance(0.5)) polygon.reverse();
    return rng.chance(0.5) ? { a, b, polygon } : { a: b, b: a, polygon };
  });
  return { cuts, cells, portals, doors, number, turn };
}

/** The rooms that a point is in, by comparisons with the cuts. Off by at most `slack` counts. */
function roomsAt({ cuts, number }: House, p: Three, slack = 0): Set<number> {
  const [xs, ys, zs] = cuts.map((list, axis) =>
    list.slice(1).flatMap((c, i) => (p[axis]! >= list[i]! - slack && p[axis]! <= c + slack ? [i] : [])),
  ) as [number[], number[], number[]];
  return new Set(xs.flatMap((i) => ys.flatMap((j) => zs.map((k) => number(i, j, k)))));
}

const somewhere = (rng: Rng, { cuts }: House, lattice: boolean): Three =>
  cuts.map((list) =>
    lattice
      ? rng.int(2 * list[0]! - 1, 2 * list.at(-1)! + 1) / 2
      : rng.range(list[0]! - 0.2, list.at(-1)! + 0.2),
  ) as Three;

property('[R7.6] the cell of a point that walks, jumps and leaves is one that holds it', 400, (rng) => {
  const turned = rng.chance(0.5);
  const h = house(rng, rng.pick([0.3, 1]), rng.pick([0, 0.5]), turned ? rotation(rng) : straight);
  const world = new CellsAndPortals(h.cells, h.portals);
  const lattice = rng.chance(0.5);
  let at = somewhere(rng, h, lattice);
  let cell = world.locate(h.turn(at));
  for (let step = 0; step < 40; step++) {
    const next = rng.chance(0.3)
      ? somewhere(rng, h, lattice)
      : (at.map((c) => c + (lattice ? rng.int(-1, 1) / 2 : rng.range(-0.5, 0.5))) as Three);
    cell = world.track(rng.chance(0.05) ? -1 : cell, h.turn(at), h.turn(next));
    at = next;
    // Turning rounds: what is near a boundary may be on either side of it.
    const wide = roomsAt(h, at, turned ? 1e-12 : 0);
    const sure = roomsAt(h, at, turned ? -1e-12 : 0);
    check(cell >= 0 ? wide.has(cell) : sure.size === 0, () => `in ${cell}, not in ${[...wide]}`);
    check(cell < 0 || world.contains(cell, h.turn(at)), 'contains');
  }
});

property(
  '[R7.6] a move passes as many portals as there are cuts on its way, and nothing is looked for',
  400,
  (rng) => {
    const h = house(rng, 1, 0, rng.chance(0.5) ? rotation(rng) : straight);
    const world = new CellsAndPortals(h.cells, h.portals);
    const inside = (): Three =>
      h.cuts.map((list) => rng.range(list[0]! + 0.01, list.at(-1)! - 0.01)) as Three;
    let at = inside();
    let cell = world.locate(h.turn(at));
    let crossings = 0;
    for (let step = 0; step < 20; step++) {
      const next = inside();
      cell = world.track(cell, h.turn(at), h.turn(next));
      for (const axis of [0, 1, 2] as const)
        for (const cut of h.cuts[axis]!.slice(1, -1)) if (at[axis] < cut !== next[axis] < cut) crossings++;
      at = next;
    }
    check(world.counters.crossings === crossings, () => `${world.counters.crossings} and not ${crossings}`);
    check(world.counters.relocations === 0, 'looked for');
  },
);

/** Squared distance of a point and a box, or Infinity where a box is asked for and does not touch. */
function meets(volume: CellVolume, min: Three, max: Three): boolean {
  if ('radius' in volume) {
    const { x, y, z } = volume.center;
    let sum = 0;
    [x, y, z].forEach((c, axis) => {
      const off = Math.max(min[axis]! - c, 0, c - max[axis]!);
      sum += off * off;
    });
    return sum <= volume.radius * volume.radius;
  }
  const { min: p, max: q } = volume;
  return p.x <= max[0] && q.x >= min[0] && p.y <= max[1] && q.y >= min[1] && p.z <= max[2] && q.z >= min[2];
}

function floodOf({ doors }: House, cell: number, volume: CellVolume): Set<number> {
  const reached = new Set(cell < 0 ? [] : [cell]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const { a, b, min, max } of doors)
      if (reached.has(a) !== reached.has(b) && meets(volume, min, max)) {
        reached.add(a).add(b);
        grew = true;
      }
  }
  return reached;
}

const sorted = (ids: Iterable<number>): string => String([...ids].sort((a, b) => a - b));

/** Coordinates are halves and quarters: all that decides is exact. */
function thing(rng: Rng, h: House): CellVolume {
  const [x, y, z] = somewhere(rng, h, true);
  if (rng.chance(0.5)) return { center: vec3(x, y, z), radius: rng.pick([0, 0.25, 0.5, 1, 2]) };
  const r = rng.pick([0, 0.25, 0.5, 1, 2]);
  return { min: vec3(x - r, y - r, z), max: vec3(x + r, y + r, z) };
}

property('[R7.6] things meet in their own cells and through the portals that they overlap', 200, (rng) => {
  const h = house(rng, rng.pick([0.5, 1]), 0.5);
  const world = new CellsAndPortals(h.cells, h.portals);
  const things = new Map<number, CellVolume>();
  for (let step = 0; step < 30; step++) {
    const known = [...things.keys()];
    const volume = thing(rng, h);
    const what = rng.unit();
    if (known.length < 2 || what < 0.4) {
      world.add(step, volume);
      things.set(step, volume);
    } else if (what < 0.9) {
      const id = rng.pick(known);
      check(world.move(id, volume) === world.cellOf(id), 'move returns the cell');
      things.set(id, volume);
    } else {
      const id = rng.pick(known);
      world.remove(id);
      things.delete(id);
    }
    check(world.size === things.size, 'size');
  }
  const cells = new Map<number, Set<number>>();
  for (const [id, volume] of things) {
    const own = floodOf(h, world.cellOf(id), volume);
    cells.set(id, own);
    check(
      sorted(world.cellsOf(id)) === sorted(own),
      () => `${sorted(world.cellsOf(id))}, not ${sorted(own)}`,
    );
    check(sorted(world.reached(world.cellOf(id), volume)) === sorted(own), 'reached');
  }
  for (const id of things.keys()) {
    const found: number[] = [];
    world.searchNear(id, (other) => {
      found.push(other);
      world.searchNear(other, () => {});
    });
    const wanted = [...things.keys()].filter(
      (other) => other !== id && [...cells.get(other)!].some((c) => cells.get(id)!.has(c)),
    );
    check(sorted(found) === sorted(wanted), () => `${id}: ${sorted(found)} and not ${sorted(wanted)}`);
  }
});

test('[R7.6] with all walls open every two spheres that overlap are told of each other', () => {
  const rng = new Rng(11);
  for (let round = 0; round < 40; round++) {
    const h = house(rng, 1, 0);
    const world = new CellsAndPortals(h.cells, h.portals);
    const spheres = Array.from({ length: 12 }, () => {
      const center = h.cuts.map((list) => rng.range(list[0]!, list.at(-1)!)) as Three;
      return { center: vec3(...center), radius: rng.range(0, 1.5) };
    });
    spheres.forEach((sphere, id) => void world.add(id, sphere));
    spheres.forEach((a, i) => {
      const near = new Set<number>();
      world.searchNear(i, (other) => void near.add(other));
      spheres.forEach((b, j) => {
        const d2 =
          (a.center.x - b.center.x) ** 2 + (a.center.y - b.center.y) ** 2 + (a.center.z - b.center.z) ** 2;
        if (i === j || Math.sqrt(d2) > a.radius + b.radius) return;
        // They may overlap outside of the house only.
        const overlapInside = (['x', 'y', 'z'] as const).every((axis, m) => {
          const low = Math.max(a.center[axis] - a.radius, b.center[axis] - b.radius);
          const high = Math.min(a.center[axis] + a.radius, b.center[axis] + b.radius);
          return low >= h.cuts[m]![0]! && high <= h.cuts[m]!.at(-1)!;
        });
        if (overlapInside) expect(near.has(j)).toBe(true);
      });
    });
  }
});

test('[R7.6] a wall without a portal hides what is behind it, and a thing put through it is found again', () => {
  const h = { planes: [{ normal: vec3(1, 0, 0), d: 0 }] };
  const k = { planes: [{ normal: vec3(-1, 0, 0), d: 0 }] };
  const world = new CellsAndPortals([h, k], []);
  world.add(0, { center: vec3(-0.1, 0, 0), radius: 1 });
  world.add(1, { center: vec3(0.1, 0, 0), radius: 1 });
  const told: number[] = [];
  world.searchNear(0, (id) => void told.push(id));
  expect(told).toEqual([]);
  expect(world.move(0, { center: vec3(0.5, 0, 0), radius: 1 })).toBe(1);
  expect(world.counters).toEqual({ crossings: 0, relocations: 1 });
  world.searchNear(0, (id) => void told.push(id));
  expect(told).toEqual([1]);
});

test('[R7.6] where to look for lost points is the owner’s to say', () => {
  const asked: number[] = [];
  const cells = [{ planes: [{ normal: vec3(1, 0, 0), d: 0 }] }];
  const world = new CellsAndPortals(cells, [], {
    locate: ({ x }) => {
      asked.push(x);
      return x <= 0 ? 0 : -1;
    },
  });
  expect(world.track(0, vec3(-1, 0, 0), vec3(2, 0, 0))).toBe(-1);
  expect(world.track(-1, vec3(2, 0, 0), vec3(-1, 0, 0))).toBe(0);
  expect(asked).toEqual([2, -1]);
  const odd = new CellsAndPortals(cells, [], { locate: () => 7 });
  expect(() => odd.locate(vec3())).toThrow(/locate must return a cell or -1, got 7/);
});

test('portals and things that cannot be meant', () => {
  const cells = [{ planes: [{ normal: vec3(1, 0, 0), d: 0 }] }, { planes: [] }];
  const polygon = [vec3(), vec3(0, 1, 0), vec3(0, 0, 1)];
  expect(() => new CellsAndPortals(cells, [{ a: 0, b: 0, polygon }])).toThrow(/portals\[0\] must join two/);
  expect(() => new CellsAndPortals(cells, [{ a: 0, b: 2, polygon }])).toThrow(/portals\[0\].b/);
  expect(() => new CellsAndPortals(cells, [{ a: 1, b: 0, polygon }])).toThrow(/must lie in a plane/);
  expect(() => new CellsAndPortals(cells, [{ a: 0, b: 1, polygon: polygon.slice(1) }])).toThrow(
    /at least three corners/,
  );
  expect(() => new CellsAndPortals([{ planes: 5 } as never], [])).toThrow(/cells\[0\]\.planes/);
  const world = new CellsAndPortals(cells, [{ a: 0, b: 1, polygon }]);
  world.add(3, { center: vec3(), radius: 1 });
  expect(() => world.add(3, { center: vec3(), radius: 1 })).toThrow(/add: id/);
  expect(() => world.move(4, { center: vec3(), radius: 1 })).toThrow(/move: id/);
  expect(() => world.add(4, { center: vec3(), radius: Number.NaN })).toThrow(/volume.radius/);
  expect(() => world.remove(4)).toThrow(/remove: id/);
});
