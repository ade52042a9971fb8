/** The brick wall of the playground: never sinks, never blows up, whatever the time step. */
import { describe, expect, test, vi } from 'vitest';
import { brickWall, explode, shoot } from '../playground/src/physics/brick-wall.ts';
import { maze } from '../playground/src/physics/maze.ts';
import { Player } from '../playground/src/physics/player.ts';
import type { RigidBody } from '../playground/src/physics/rigid-body.ts';
import type { Simulation } from '../playground/src/physics/simulation.ts';
import { polyhedralModel } from '../src/continuous/index.ts';
import { CROSSING, insideSoup, soupBoxes, surfacesMeet } from './kit/sweep-exact.ts';

/** GRAZE_CASES makes the runs longer: with 60 the wall rests for sixty seconds, with 60 the others take as long. */
const LENGTH = Number(process.env.GRAZE_CASES ?? 1);
vi.setConfig({ testTimeout: 900_000 * LENGTH });

/** The triangles of a body where it stands, nine numbers each. */
function soupOf({ model, pose }: RigidBody): Float64Array {
  const { points, polygonStart, polygonVertices } = model;
  const { x, y, z, w } = pose.quaternion;
  const s = 2 / (x * x + y * y + z * z + w * w);
  const rows = [
    [1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w), pose.position.x],
    [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w), pose.position.y],
    [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y), pose.position.z],
  ];
  const soup: number[] = [];
  const put = (v: number) => {
    for (const [a, b, c, d] of rows as [number, number, number, number][])
      soup.push(a * points[3 * v]! + b * points[3 * v + 1]! + c * points[3 * v + 2]! + d);
  };
  for (let f = 0; f + 1 < polygonStart.length; f++)
    for (let k = polygonStart[f]! + 2; k < polygonStart[f + 1]!; k++) {
      put(polygonVertices[polygonStart[f]!]!);
      put(polygonVertices[k - 1]!);
      put(polygonVertices[k]!);
    }
  return Float64Array.from(soup);
}

/** How many pairs cut into each other, by exact signs of the corners as they are. */
function penetrations({ bodies }: Simulation): number {
  const soups = bodies.map(soupOf);
  const boxes = soups.map((soup) => soupBoxes(soup));
  let count = 0;
  for (let i = 0; i < bodies.length; i++)
    for (let j = i + 1; j < bodies.length; j++) {
      const [a, b] = [bodies[i]!.pose.position, bodies[j]!.pose.position];
      if (Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z) > bodies[i]!.radius + bodies[j]!.radius) continue;
      const [p, q] = [soups[i]!, soups[j]!];
      if (surfacesMeet(p, boxes[i]!, q, boxes[j]!) === CROSSING) count++;
      else if (insideSoup(p[0]!, p[1]!, p[2]!, q) === 1 || insideSoup(q[0]!, q[1]!, q[2]!, p) === 1) count++;
    }
  return count;
}

const fastest = ({ bodies }: Simulation): number =>
  Math.max(...bodies.map(({ velocity: v }) => Math.hypot(v.x, v.y, v.z)));

describe('a wall of bricks', () => {
  test('[P14] at rest drifts by less than a millionth of a brick', () => {
    const { simulation, bricks } = brickWall(6, 10);
    expect(bricks.length).toBeGreaterThanOrEqual(60);
    const start = bricks.map(({ pose }) => ({ ...pose.position }));
    for (let i = 0; i < 60 * LENGTH; i++) simulation.step(1 / 60);
    bricks.forEach(({ pose: { position: p } }, i) => {
      const s = start[i]!;
      expect(Math.hypot(p.x - s.x, p.y - s.y, p.z - s.z)).toBeLessThan(0.4e-6);
    });
    expect(penetrations(simulation)).toBe(0);
  });

  for (const rate of [30, 60, 240])
    test(`[P14] shot at and blown apart at ${rate} Hz: nothing sinks in, nothing blows up`, () => {
      const { simulation } = brickWall(5, 7);
      const seconds = (rate > 100 ? 0.4 : 0.8) * LENGTH;
      let cut = 0;
      for (let i = 0; i < seconds * rate; i++) {
        if (i === 0) shoot(simulation, { x: 0.3, y: 0.6, z: 4 }, { x: 0, y: 1, z: -25 });
        if (i === Math.round(0.3 * rate)) explode(simulation, { x: -0.8, y: 0.2, z: 0.3 }, 0.6);
        simulation.step(1 / rate);
        if (i % Math.round(rate / 10) === 0) cut += penetrations(simulation);
        // Nothing was ever given more than this, but what falls off the ground falls for ever.
        expect(fastest(simulation)).toBeLessThan(40 + (10 * i) / rate);
      }
      expect(cut + penetrations(simulation)).toBe(0);
      const moved = simulation.bodies.filter(({ pose }) => Math.abs(pose.position.z) > 0.3).length;
      expect(moved).toBeGreaterThan(rate > 100 ? 0 : 5);
    });
});

test('[P14] a player walks through a level by the same sweeps: never in a wall, never stuck', () => {
  const level = polyhedralModel(maze(5));
  const ground = soupOf({ model: level, pose: STILL } as RigidBody);
  const boxes = soupBoxes(ground);
  const player = new Player({ x: 0.7, y: 0.9, z: 0.7 });
  let heading = 0.7;
  let way = 0;
  for (let i = 0; i < 1000 * LENGTH; i++) {
    const before = { ...player.pose.position };
    player.walk(level, 4 * Math.cos(heading), 4 * Math.sin(heading), 1 / 30);
    const { x, y, z } = player.pose.position;
    const moved = Math.hypot(x - before.x, z - before.z);
    way += moved;
    if (moved < 0.02) heading += 2.4;
    expect(y).toBeGreaterThan(0.7);
    if (i % 10 === 0) {
      const own = soupOf({ model: player.model, pose: player.pose } as RigidBody);
      expect(surfacesMeet(own, soupBoxes(own), ground, boxes)).not.toBe(CROSSING);
    }
  }
  expect(way).toBeGreaterThan(40 * LENGTH);
});

const STILL = { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
