/** Sliding: corners, wedges, seams. */
import { describe, expect, test } from 'vitest';
import {
  DT,
  ground,
  heightOf,
  land,
  quad,
  randomFloor,
  run,
  SHAPES,
  spawn,
} from '../../tests/kit/character-setups.ts';
import { addTo, isFree, makeLevel } from '../../tests/kit/characters.ts';
import { Rng } from '../../tests/kit/index.ts';
import { box, collider, halfSpace, heightField } from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { World } from '../world/index.ts';
import { Character, ColliderList } from './index.ts';

describe.each(SHAPES)('%s', (_, shape) => {
  const h = heightOf(shape);

  test('lands at the gap above the ground and stands still to the last bit', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 50)));
    const hero = spawn(level, shape, [0.3, h + 1, 0.2]);
    land(hero);
    const y = hero.position.y;
    expect(y).toBeGreaterThan(h);
    expect(y).toBeLessThan(h * 1.05);
    run(hero, 0, 0, 100, () => {
      expect(hero.onFloor).toBe(true);
      expect(hero.position.y).toBe(y);
      expect(hero.position.x).toBe(0.3);
      expect(hero.velocity.y).toBe(0);
    });
  });

  test('[S4] pushing into a corner for 10,000 frames does not move it after the second', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 20)));
    addTo(level, mesh(quad([3, -5, -20], [3, -5, 20], [3, 5, 20], [3, 5, -20])));
    addTo(level, mesh(quad([-20, -5, 3.5], [20, -5, 2.5], [20, 5, 2.5], [-20, 5, 3.5])));
    const hero = spawn(level, shape, [1.5, h + 0.1, 1]);
    land(hero);
    // Fast enough to be there in one frame.
    run(hero, 240, 180, 2);
    const { x, y, z } = hero.position;
    expect(x).toBeGreaterThan(2.4);
    expect(z).toBeGreaterThan(2);
    let moved = 0;
    run(hero, 240, 180, 10_000, () => {
      const { position: p } = hero;
      moved = Math.max(moved, Math.hypot(p.x - x, p.y - y, p.z - z));
    });
    expect(moved).toBeLessThan(1e-9 * 0.4);
    expect(hero.onWall && hero.onFloor).toBe(true);
    expect(hero.velocity.x).toBeCloseTo(0, 6);
  });

  test('[S4] so in corners of any angle, on floors of any slope', () => {
    const rng = new Rng(44);
    for (let i = 0; i < 100; i++) {
      const level = makeLevel();
      const tilt = rng.chance(0.5) ? 0 : rng.range(-0.5, 0.5);
      addTo(level, halfSpace({ x: tilt, y: 1, z: 0 }));
      // The normals of two walls, from acute to blunt, and a way that is blocked by both.
      const [first, angle] = [rng.range(0, 7), rng.range(0.3, 2.9)];
      const walls = [first, first + angle].map((a) => ({ x: Math.cos(a), y: 0, z: Math.sin(a) }));
      for (const n of walls) addTo(level, halfSpace(n, -1.5));
      const [a, b] = [rng.range(0.1, 1), rng.range(0.1, 1)];
      const vx = -20_000 * (a * walls[0]!.x + b * walls[1]!.x);
      const vz = -20_000 * (a * walls[0]!.z + b * walls[1]!.z);
      const hero = spawn(level, shape, [0, h + 1, 0]);
      land(hero);
      run(hero, vx, vz, 2);
      const { x, y, z } = hero.position;
      run(hero, vx, vz, 20);
      const { position: p } = hero;
      expect(Math.hypot(p.x - x, p.y - y, p.z - z), `corner ${i}`).toBeLessThan(1e-9 * 0.4);
    }
  });

  test('[S4] flying into a corner of three planes holds it there from the second frame on', () => {
    const level = makeLevel();
    for (const n of [
      { x: -1, y: 0.2, z: 0 },
      { x: 0.3, y: -1, z: 0.1 },
      { x: 0, y: 0.4, z: -1 },
    ])
      addTo(level, halfSpace(n, -3));
    const hero = spawn(level, shape, [0, 0, 0]);
    const fly = () => {
      Object.assign(hero.velocity, { x: 300, y: 500, z: 400 });
      hero.moveAndSlide(DT);
    };
    fly();
    fly();
    const { x, y, z } = hero.position;
    let moved = 0;
    for (let i = 0; i < 2000; i++) {
      fly();
      const { position: p } = hero;
      moved = Math.max(moved, Math.hypot(p.x - x, p.y - y, p.z - z));
    }
    expect(moved).toBeLessThan(4e-10);
  });

  test('[S5] position, velocity and destination are carried: none is rebuilt from another', () => {
    const level = makeLevel();
    addTo(level, mesh(quad([3, -50, -50], [3, 50, -50], [3, 50, 50], [3, -50, 50])));
    const rng = new Rng(5);
    let slid = 0;
    for (let i = 0; i < 500; i++) {
      const start = { x: rng.range(0, 2), y: rng.range(-9, 9), z: rng.range(-9, 9) };
      const v = { x: rng.range(-1, 9), y: rng.range(-9, 9), z: rng.range(-9, 9) };
      const dt = rng.range(0.01, 1);
      const hero = spawn(level, shape, [start.x, start.y, start.z]);
      Object.assign(hero.velocity, v);
      const hit = hero.moveAndSlide(dt);
      // Along the wall it gets where it wanted to the last bit: from t, from what is left of the motion, or from a
      // velocity that is built again from places it would not.
      expect(hero.position.y).toBe(start.y + v.y * dt);
      expect(hero.position.z).toBe(start.z + v.z * dt);
      expect(hero.velocity.y).toBe(v.y);
      expect(hero.velocity.z).toBe(v.z);
      expect(hero.velocity.x).toBe(hit ? 0 : v.x);
      if (!hit) {
        expect(hero.position.x).toBe(start.x + v.x * dt);
        continue;
      }
      slid++;
      // Two places: where it would touch, and where it stops, at the gap.
      const [wall] = hero.collisions;
      const half = 'radii' in shape ? shape.radii.x : 'radius' in shape ? shape.radius : shape.halfSize.x;
      const gap = half / 100;
      expect(Math.abs(wall!.point.x - 3)).toBeLessThan(1e-5 * gap);
      expect(Math.abs(3 - half - gap - hero.position.x)).toBeLessThan(1e-9);
    }
    expect(slid).toBeGreaterThan(100);
  });

  test('[S5] the gap is perpendicular: at grazing angles it is as wide as ever', () => {
    const level = makeLevel();
    addTo(level, mesh(quad([3, -50, -500], [3, 50, -500], [3, 50, 500], [3, -50, 500])));
    const half = 'radii' in shape ? shape.radii.x : 'radius' in shape ? shape.radius : shape.halfSize.x;
    for (const slope of [1, 1e-2, 1e-4, 1e-6, 1e-8]) {
      const hero = spawn(level, shape, [3 - half * 1.01 - 50 * slope, 0, -100]);
      Object.assign(hero.velocity, { x: 100 * slope, y: 0, z: 100 });
      hero.moveAndSlide(1);
      expect(hero.onWall).toBe(true);
      expect(Math.abs(3 - half * 1.01 - hero.position.x)).toBeLessThan(2e-6 * half * 0.01 + 1e-9);
      expect(hero.position.z).toBe(0);
    }
  });

  test('[S4] out of a corner it gets at once, whichever way is open', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 20)));
    addTo(level, mesh(quad([3, -5, -20], [3, -5, 20], [3, 5, 20], [3, 5, -20])));
    addTo(level, mesh(quad([-20, -5, 3.5], [20, -5, 2.5], [20, 5, 2.5], [-20, 5, 3.5])));
    for (const [vx, vz] of [
      [-3, 0],
      [0, -3],
      [-3, -3],
      [-3, 1],
      [1, -3],
    ] as const) {
      const hero = spawn(level, shape, [1.5, h + 0.1, 1]);
      land(hero);
      run(hero, 240, 180, 3);
      const { x, z } = hero.position;
      run(hero, vx, vz, 10);
      // All of the speed but what runs into a wall; the second one stands at an angle.
      const far = 10 * DT * Math.hypot(Math.min(vx, 0), Math.min(vz, 0));
      expect(Math.hypot(hero.position.x - x, hero.position.z - z)).toBeGreaterThan(0.98 * far);
    }
  });

  test('[S6] seams of 1,000 separate tiles and of height-field chunks are not felt', () => {
    const tiles = new World();
    const quaternion = { x: 0, y: 0, z: 0, w: 1 };
    const tile = box(0.5, 0.5, 2);
    for (let i = 0; i < 1000; i++)
      tiles.add(collider(tile, { position: { x: i + 0.5, y: -0.5, z: 0 }, quaternion }), { fixed: true });
    const chunks = makeLevel();
    for (let i = 0; i < 10; i++)
      addTo(chunks, heightField(new Float64Array(121), { columns: 11, rows: 11 }), {
        x: 10 * i,
        y: 0,
        z: -5,
      });
    for (const [list, frames] of [
      [tiles, 2300],
      [chunks.list, 200],
    ] as const) {
      const hero = new Character(list, { ...shape, position: { x: 1.1, y: h + 0.05, z: 0.013 } });
      land(hero);
      const { x, y } = hero.position;
      let felt = 0;
      run(hero, 25, 0, frames, () => {
        if (!hero.onFloor || hero.onWall) felt++;
      });
      expect(felt).toBe(0);
      expect(Math.abs(hero.position.x - x - 25 * DT * frames)).toBeLessThan(1e-9 * 25 * DT * frames);
      expect(Math.abs(hero.position.y - y)).toBeLessThan(1e-9);
    }
  });

  test('[S6] hills in chunks are walked as hills in one piece', () => {
    const rng = new Rng(6);
    const rows = 11;
    const heights = Array.from({ length: 41 * rows }, () => rng.range(0, 0.5));
    const whole = makeLevel();
    const chunks = makeLevel();
    addTo(whole, heightField(heights, { columns: 41, rows }), { x: 0, y: 0, z: -5 });
    for (let c = 0; c < 4; c++) {
      const part = heights.filter((_, i) => i % 41 >= 10 * c && i % 41 <= 10 * c + 10);
      addTo(chunks, heightField(part, { columns: 11, rows }), { x: 10 * c, y: 0, z: -5 });
    }
    const [one, many] = [whole, chunks].map((level) => {
      const hero = spawn(level, shape, [2, h + 1, 0.2]);
      land(hero);
      const path: number[] = [];
      run(hero, 4, 0.3, 500, () => path.push(hero.position.x, hero.position.y, hero.position.z));
      return path;
    });
    expect(one!.at(-3)).toBeGreaterThan(30);
    one!.forEach((p, i) => void expect(Math.abs(p - many![i]!), `${i}`).toBeLessThan(1e-9));
  });

  test('along a wall of tiles, pressing against it, without a snag', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 100)));
    const rng = new Rng(8);
    for (let i = 0; i < 60; i++) {
      const y = rng.range(0.2, 2);
      addTo(level, mesh(quad([i, 0, 1], [i, y, 1], [i + 1, y, 1], [i + 1, 0, 1])));
      addTo(level, mesh(quad([i, y, 1], [i, 3, 1], [i + 1, 3, 1], [i + 1, y, 1])));
    }
    const hero = spawn(level, shape, [1, h + 0.05, 0.3]);
    land(hero);
    run(hero, 6, 6, 30);
    const x = hero.position.x;
    run(hero, 6, 6, 300, () => expect(hero.onFloor && hero.onWall).toBe(true));
    expect(hero.position.x - x).toBeCloseTo(30, 8);
  });

  test('an acute wedge and two walls close together neither freeze nor shake it', () => {
    const level = makeLevel();
    addTo(level, mesh(ground(0, 50)));
    for (const s of [-1, 1])
      addTo(level, mesh(quad([0, 0, 3 * s], [0, 5, 3 * s], [20, 5, 0.05 * s], [20, 0, 0.05 * s])));
    const hero = spawn(level, shape, [0, h + 0.05, 0.4]);
    land(hero);
    run(hero, 6, 1, 400);
    const { x, y, z } = hero.position;
    expect(hero.position.x).toBeGreaterThan(10);
    // The floor and two walls.
    run(hero, 6, 1, 500, () => expect(hero.passes).toBeLessThan(4));
    expect(Math.hypot(hero.position.x - x, hero.position.y - y, hero.position.z - z)).toBeLessThan(4e-10);
    const corridor = makeLevel();
    const half = 'radii' in shape ? shape.radii.x : 'radius' in shape ? shape.radius : shape.halfSize.x;
    addTo(corridor, mesh(ground(0, 50)));
    for (const s of [-1, 1])
      addTo(
        corridor,
        mesh(
          quad(
            [-20, 0, s * half * 1.004],
            [-20, 5, s * half * 1.004],
            [20, 5, s * half * 1.004],
            [20, 0, s * half * 1.004],
          ),
        ),
      );
    const tight = spawn(corridor, shape, [0, h + 0.05, 0]);
    for (let i = 0; i < 60; i++) {
      Object.assign(tight.velocity, { x: 3, y: -3, z: 0 });
      tight.moveAndSlide(DT);
    }
    expect(tight.position.x).toBeCloseTo(3, 6);
    expect(isFree(corridor, shape, tight.position, 0)).toBe(true);
  });
});

test.each(SHAPES)('%s: over bends of random triangles, flat, up and down, without a snag', (_, shape) => {
  const h = heightOf(shape);
  const profile = [
    [-20, 0],
    [0, 0],
    [6, 3],
    [12, 3],
    [18, 0],
    [40, 0],
  ] as const;
  const level = makeLevel();
  const rng = new Rng(4);
  for (let i = 1; i < profile.length; i++) {
    const [[x0, y0], [x1, y1]] = [profile[i - 1]!, profile[i]!];
    const positions = randomFloor(rng, 20, 5);
    // The seam between two strips is cut at other places on either side.
    for (let k = 0; k < positions.length; k += 3) {
      const t = (positions[k]! + 5) / 10;
      positions[k] = x0 + t * (x1 - x0);
      positions[k + 1] = y0 + t * (y1 - y0);
    }
    addTo(level, mesh(positions));
  }
  const hero = spawn(level, shape, [-3, h + 0.05, 0.1]);
  land(hero);
  const { x } = hero.position;
  run(hero, 3, 0, 460, (i) => {
    expect(hero.onFloor && !hero.onWall, `frame ${i}`).toBe(true);
    expect(isFree(level, shape, hero.position, 1e-4), `frame ${i}`).toBe(true);
  });
  expect(hero.position.x - x).toBeCloseTo(460 * 3 * DT, 6);
  expect(hero.position.z).toBeCloseTo(0.1, 6);
});

describe('100,000 random triangles', () => {
  const shape = mesh(randomFloor(new Rng(11), 224, 200));
  expect(shape.triangleCount).toBeGreaterThan(100_000);
  const tilt = { x: 0.05, y: 0.3, z: 0.15, w: 0.94 };
  const size = Math.hypot(tilt.x, tilt.y, tilt.z, tilt.w);
  const turned = { x: tilt.x / size, y: tilt.y / size, z: tilt.z / size, w: tilt.w / size };
  test.each([
    [0.05, false],
    [5, false],
    [400, false],
    [20_000, false],
    [5, true],
    [400, true],
  ])('at speed %d, tilted %s, make a straight line', (fast, tilted) => {
    for (const [, form] of SHAPES) {
      const list = new ColliderList();
      const quaternion = tilted ? turned : { x: 0, y: 0, z: 0, w: 1 };
      list.add(collider(shape, { position: { x: 0, y: 0, z: 0 }, quaternion }));
      const hero = new Character(list, { ...form, position: { x: -60, y: 40, z: -20 } });
      for (let i = 0; i < 400 && !hero.onFloor; i++) {
        hero.velocity.y = -20;
        hero.moveAndSlide(0.02);
      }
      const n = { ...hero.floorNormal };
      const from = { ...hero.position };
      const frames = Math.min(120, Math.floor(100 / (fast * DT)));
      const count = Math.max(1, frames);
      const dt = frames === 0 ? 100 / fast : DT;
      let path = 0;
      let old = { ...from };
      for (let i = 0; i < count; i++) {
        Object.assign(hero.velocity, { x: fast * 0.8, y: -0.2, z: fast * 0.6 });
        hero.moveAndSlide(dt);
        const p = hero.position;
        path += Math.hypot(p.x - old.x, p.y - old.y, p.z - old.z);
        old = { ...p };
        expect(hero.onFloor && !hero.onWall).toBe(true);
      }
      const { x, y, z } = hero.position;
      const straight = Math.hypot(x - from.x, y - from.y, z - from.z);
      expect(Math.abs(path - straight)).toBeLessThan(1e-9 * straight);
      expect(Math.abs(x - from.x - 0.8 * fast * dt * count)).toBeLessThan(1e-9 * straight);
      expect(Math.abs(z - from.z - 0.6 * fast * dt * count)).toBeLessThan(1e-9 * straight);
      const off = n.x * (x - from.x) + n.y * (y - from.y) + n.z * (z - from.z);
      expect(Math.abs(off)).toBeLessThan(1e-7);
    }
  });
});

test.each(SHAPES)(
  '[S6] %s: along walls of random triangles that face any way, the normal is that of the wall',
  (_, shape) => {
    const rng = new Rng(77);
    const floor = randomFloor(rng, 40, 12);
    for (const angle of [0, 0.7, Math.PI / 2, 2, Math.PI, 4, -Math.PI / 2]) {
      // The floor set upright, facing along x, and turned about y.
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const positions: number[] = [];
      for (let i = 0; i < floor.length; i += 3) {
        const [along, y] = [floor[i]!, floor[i + 2]!];
        positions.push(-s * along, y, c * along);
      }
      const level = makeLevel();
      addTo(level, mesh(positions));
      const hero = spawn(level, shape, [1.5 * c, 0, 1.5 * s]);
      for (let i = 0; i < 60; i++) {
        const { x, y, z } = hero.position;
        const isThere = hero.onWall;
        Object.assign(hero.velocity, { x: -4 * c - 3 * s, y: 2, z: -4 * s + 3 * c });
        hero.moveAndSlide(DT);
        for (const { normal } of hero.collisions)
          expect(Math.hypot(normal.x - c, normal.y, normal.z - s)).toBeLessThan(1e-12);
        if (!isThere) continue;
        expect(Math.hypot(hero.position.x - x + 3 * s * DT, hero.position.z - z - 3 * c * DT)).toBeLessThan(
          1e-9,
        );
        expect(hero.position.y - y).toBeCloseTo(2 * DT, 9);
      }
      expect(hero.onWall).toBe(true);
    }
  },
);

test('[S2] the gap of a long ellipsoid on a slope is right in world space', () => {
  const level = makeLevel();
  const n = { x: 0.6, y: 0.8, z: 0 };
  addTo(level, halfSpace(n));
  const flat = makeLevel();
  addTo(flat, mesh(quad([-20, 15, -20], [-20, 15, 20], [20, -15, 20], [20, -15, -20])));
  for (const radii of [
    { x: 0.2, y: 1.5, z: 0.2 },
    { x: 2, y: 0.1, z: 0.5 },
  ]) {
    const heights = [level, flat].map((place) => {
      const hero = spawn(place, { radii }, [0, 4, 0]);
      land(hero);
      expect(hero.floorNormal.x).toBeCloseTo(0.6, 12);
      expect(hero.floorNormal.y).toBeCloseTo(0.8, 12);
      return 0.6 * hero.position.x + 0.8 * hero.position.y - Math.hypot(0.6 * radii.x, 0.8 * radii.y);
    });
    const least = Math.min(radii.x, radii.y, radii.z) / 100;
    for (const gap of heights) {
      expect(gap).toBeGreaterThan(least * 0.999);
      expect(gap).toBeLessThan((least * Math.hypot(0.6 * radii.x, 0.8 * radii.y)) / (100 * least) + 1e-9);
    }
  }
});
