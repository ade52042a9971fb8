/** A wall of bricks on a floor, and heavy things to throw at it. */
import { box, hull, type ReadonlyVec3 } from 'graze';
import { polyhedralModel } from 'graze/continuous';
import { makeBody, makeBrick, type RigidBody } from './rigid-body.ts';
import { Simulation, type SimulationOptions, wake } from './simulation.ts';

const BRICK: ReadonlyVec3 = { x: 0.2, y: 0.1, z: 0.1 };
const FLOOR: ReadonlyVec3 = { x: 12, y: 0.5, z: 12 };

/**
 * Rows of bricks, every other one with half a brick at both ends, all just out of each other's zones.
 */
export function brickWall(
  rows: number,
  columns: number,
  options?: SimulationOptions,
): { simulation: Simulation; bricks: RigidBody[] } {
  const simulation = new Simulation(options);
  const gap = 1.5 * (options?.thickness ?? 1e-6);
  simulation.add(
    makeBody(polyhedralModel(box(FLOOR.x, FLOOR.y, FLOOR.z)), { x: 0, y: -FLOOR.y, z: 0 }, 0, BRICK),
  );
  const half = { x: (BRICK.x - gap) / 2, y: BRICK.y, z: BRICK.z };
  const whole = polyhedralModel(box(BRICK.x, BRICK.y, BRICK.z));
  const cut = polyhedralModel(box(half.x, half.y, half.z));
  const bricks: RigidBody[] = [];
  const lay = (left: number, y: number, isCut: boolean): void => {
    const size = isCut ? half : BRICK;
    const position = { x: left + size.x, y, z: 0 };
    bricks.push(simulation.add(makeBrick(isCut ? cut : whole, size, position, isCut ? 0.5 : 1)));
  };
  const pitch = 2 * BRICK.x + gap;
  for (let row = 0; row < rows; row++) {
    const y = BRICK.y + gap + row * (2 * BRICK.y + gap);
    const left = (-columns * pitch) / 2;
    const shifted = row % 2 === 1;
    if (shifted) lay(left, y, true);
    for (let column = 0; column < columns - (shifted ? 1 : 0); column++)
      lay(left + column * pitch + (shifted ? pitch / 2 : 0), y, false);
    if (shifted) lay(left + (columns - 0.5) * pitch, y, true);
  }
  simulation.settle(1 / 60);
  return { simulation, bricks };
}

const t = (1 + Math.sqrt(5)) / 2;
const CORNERS = [-1, 1].flatMap((s) =>
  [-t, t].flatMap((u) => [
    { x: 0, y: s, z: u },
    { x: s, y: u, z: 0 },
    { x: u, y: 0, z: s },
  ]),
);

/** An icosahedron that flies. */
export function shoot(
  simulation: Simulation,
  from: ReadonlyVec3,
  velocity: ReadonlyVec3,
  radius = 0.15,
  mass = 8,
): RigidBody {
  const size = radius / Math.hypot(1, t);
  const points = CORNERS.map(({ x, y, z }) => ({ x: size * x, y: size * y, z: size * z }));
  const inertia = 0.4 * mass * radius * radius;
  const ball = makeBody(polyhedralModel(hull(points)), from, mass, { x: inertia, y: inertia, z: inertia });
  Object.assign(ball.velocity, velocity);
  return simulation.add(ball);
}

/** Blows away what is near a place: an impulse on each body, away from it. */
export function explode(simulation: Simulation, at: ReadonlyVec3, strength: number): void {
  for (const body of simulation.bodies) {
    if (body.inverseMass === 0) continue;
    const p = body.pose.position;
    const d = { x: p.x - at.x, y: p.y - at.y, z: p.z - at.z };
    const distance = Math.hypot(d.x, d.y, d.z);
    const speed = strength / (0.05 + distance * distance) / Math.max(distance, 1e-9);
    if (speed * distance < 0.1) continue;
    wake(body);
    body.velocity.x += d.x * speed;
    body.velocity.y += d.y * speed;
    body.velocity.z += d.z * speed;
  }
}
