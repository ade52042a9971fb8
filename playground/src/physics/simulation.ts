/**
 * Rigid bodies that never sink into each other, whatever the time step: impulses for touching bodies, and every motion
 * swept exactly and stopped where it meets something. van Waveren 2005, §6; after Mirtich's impulse-based simulation.
 */
import type { ReadonlyVec3, Vec3 } from 'graze';
import {
  makeSweepHit,
  poseAlong,
  type SweepContact,
  type SweepMotion,
  sweepPolyhedra,
  touchingFeatures,
} from 'graze/continuous';
import {
  isSame,
  type Remembered,
  solveContacts,
  strike,
  type TouchingPoint,
  touchingPoint,
} from './contact-solver.ts';
import type { RigidBody } from './rigid-body.ts';

export interface SimulationOptions {
  readonly gravity?: ReadonlyVec3;
  readonly friction?: number;
  readonly bounce?: number;
  /** How near bodies may come: the zone about each that others stay out of. */
  readonly thickness?: number;
  readonly iterations?: number;
}

/** Bodies that move no faster than this (in units of length and radians a second) are at rest. */
const SLOW = 0.03;
/** After so many seconds at rest, all bodies that touch one another fall asleep. */
const REST = 0.5;
/** A blow above this speed bounces. */
const HARD = 0.5;
/** Features nearer than this act on each other, with the gap between them as room to move. */
const AHEAD = 1e-3;
/** How often a motion is bent by what it meets before the rest is given up. */
const BENDS = 4;

const hit = makeSweepHit();

export class Simulation {
  readonly bodies: RigidBody[] = [];
  readonly contacts: TouchingPoint[] = [];
  private readonly options: Required<SimulationOptions>;
  private readonly remembered: Remembered = new Map();
  private readonly found: SweepContact[] = [];

  constructor(options: SimulationOptions = {}) {
    this.options = {
      gravity: { x: 0, y: -9.81, z: 0 },
      friction: 0.6,
      bounce: 0.1,
      thickness: 1e-6,
      iterations: 80,
      ...options,
    };
  }

  add(body: RigidBody): RigidBody {
    this.bodies.push(body);
    return body;
  }

  remove(body: RigidBody): void {
    const at = this.bodies.indexOf(body);
    if (at >= 0) this.bodies.splice(at, 1);
    for (const other of this.bodies) if (near(body, other, 0.1 * body.radius)) wake(other);
  }

  /** Finds the impulses that hold up what lies still, before the first step. */
  settle(dt: number): void {
    const { gravity, friction } = this.options;
    this.findContacts(dt);
    const before = this.bodies.map(({ velocity, spin }) => ({
      velocity: { ...velocity },
      spin: { ...spin },
    }));
    for (const { velocity, asleep } of this.bodies) {
      if (asleep) continue;
      velocity.x += gravity.x * dt;
      velocity.y += gravity.y * dt;
      velocity.z += gravity.z * dt;
    }
    solveContacts(this.contacts, friction, 300 * this.options.iterations, this.remembered);
    this.bodies.forEach((body, i) => {
      Object.assign(body.velocity, before[i]!.velocity);
      Object.assign(body.spin, before[i]!.spin);
    });
  }

  step(dt: number): void {
    const { gravity, friction, iterations } = this.options;
    for (const { velocity, asleep } of this.bodies) {
      if (asleep) continue;
      velocity.x += gravity.x * dt;
      velocity.y += gravity.y * dt;
      velocity.z += gravity.z * dt;
    }
    this.findContacts(dt);
    solveContacts(this.contacts, friction, iterations, this.remembered);
    // The lowest first: what lies on it then finds room.
    const moving = this.bodies.filter((body) => !body.asleep);
    const height = ({ pose: { position: p } }: RigidBody) =>
      -(p.x * gravity.x + p.y * gravity.y + p.z * gravity.z);
    moving.sort((a, b) => height(a) - height(b));
    for (const body of moving) this.moveBody(body, dt);
    this.letSleep(dt);
  }

  private findContacts(dt: number): void {
    const { bodies, contacts, found } = this;
    const { thickness } = this.options;
    contacts.length = 0;
    for (let i = 0; i < bodies.length; i++)
      for (let j = i + 1; j < bodies.length; j++) {
        const [a, b] = [bodies[i]!, bodies[j]!];
        if ((a.asleep && b.asleep) || !near(a, b, AHEAD)) continue;
        const first = contacts.length;
        for (const contact of touchingFeatures(a.model, a.pose, b.model, b.pose, AHEAD, found)) {
          const point = touchingPoint(a, b, `${i} ${j}`, contact, thickness, dt);
          // A corner on a face is also two edges across its edges: one of them is enough.
          let isNew = true;
          for (let k = first; k < contacts.length && isNew; k++) isNew = !isSame(point, contacts[k]!);
          if (isNew) contacts.push(point);
        }
      }
    // What moves wakes what it leans on.
    for (const { a, b } of contacts) {
      if (a.asleep && a.inverseMass > 0 && isFast(b)) wake(a);
      if (b.asleep && b.inverseMass > 0 && isFast(a)) wake(b);
    }
  }

  /** What is less than the thickness of the zone is not worth moving. Turns first, so that a body that tips over its edge has room to come down; then what of the turn was stopped. */
  private moveBody(body: RigidBody, dt: number): void {
    const rest = this.turn(body, dt);
    this.translate(body, dt);
    if (rest > 0) this.turn(body, rest);
  }

  /** Returns how much of the time is left over. */
  private turn(body: RigidBody, dt: number): number {
    const { spin } = body;
    const rate = Math.hypot(spin.x, spin.y, spin.z);
    if (!(rate * dt * body.radius > this.options.thickness)) return 0;
    const motion = { axis: { ...spin }, angle: rate * dt };
    const t = this.advance(body, motion, dt);
    return t < 1 ? (1 - t) * dt : 0;
  }

  private translate(body: RigidBody, dt: number): void {
    const way = {
      x: body.velocity.x * dt,
      y: body.velocity.y * dt,
      z: body.velocity.z * dt,
    };
    const walls: Vec3[] = [];
    for (let bend = 0; bend <= BENDS; bend++) {
      if (!(length(way) > this.options.thickness)) return;
      const t = this.advance(body, { translation: { ...way } }, dt);
      if (t === 1) return;
      walls.push({ ...hit.normal });
      bendWay(way, 1 - t, walls);
    }
  }

  /** Moves up to the first thing in the way, and strikes that. Leaves the contact in `hit` and returns how far it came. */
  private advance(body: RigidBody, motion: SweepMotion, dt: number): number {
    const { thickness, friction, bounce } = this.options;
    const reach = 'translation' in motion ? length(motion.translation) : 0;
    let met: RigidBody | null = null;
    let best = 1;
    for (const other of this.bodies) {
      if (other === body || !near(body, other, reach + 4 * thickness)) continue;
      const touch = sweepPolyhedra(body.model, body.pose, motion, other.model, other.pose, {
        thickness,
        maxT: best,
      });
      if (touch === null || (met !== null && touch.t >= best)) continue;
      met = other;
      best = touch.t;
      Object.assign(hit, touch);
    }
    poseAlong(body.pose, motion, best, body.pose);
    if (met === null) return 1;
    const point = touchingPoint(body, met, '', hit, thickness, dt);
    const hard = relativeSpeed(point) < -HARD;
    if (strike(point, friction, hard ? bounce : 0) > 0 && hard) wake(met);
    return best;
  }

  private letSleep(dt: number): void {
    const { bodies, contacts } = this;
    for (const body of bodies) body.stillFor = isFast(body) ? 0 : body.stillFor + dt;
    // Bodies that touch sleep together: the one that has rested least speaks for all.
    for (let changed = true; changed; ) {
      changed = false;
      for (const { a, b } of contacts) {
        if (a.inverseMass === 0 || b.inverseMass === 0) continue;
        const least = Math.min(a.stillFor, b.stillFor);
        if (a.stillFor > least || b.stillFor > least) changed = true;
        a.stillFor = b.stillFor = least;
      }
    }
    for (const body of bodies) {
      if (body.asleep || body.stillFor < REST) continue;
      body.asleep = true;
      Object.assign(body.velocity, { x: 0, y: 0, z: 0 });
      Object.assign(body.spin, { x: 0, y: 0, z: 0 });
    }
  }
}

const length = ({ x, y, z }: ReadonlyVec3): number => Math.hypot(x, y, z);
const dot = (a: ReadonlyVec3, b: ReadonlyVec3): number => a.x * b.x + a.y * b.y + a.z * b.z;

const isFast = ({ velocity, spin, inverseMass }: RigidBody): boolean =>
  inverseMass > 0 && (length(velocity) > SLOW || length(spin) > SLOW);

export function wake(body: RigidBody): void {
  if (body.inverseMass === 0) return;
  body.asleep = false;
  body.stillFor = 0;
}

/** Can two bodies be within a distance of each other? */
function near(a: RigidBody, b: RigidBody, distance: number): boolean {
  const p = a.pose.position;
  const q = b.pose.position;
  return Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z) <= a.radius + b.radius + distance;
}

function relativeSpeed({ a, b, armA, armB, normal }: TouchingPoint): number {
  const at = (body: RigidBody, arm: ReadonlyVec3): number => {
    const { velocity: v, spin: w } = body;
    return dot(normal.direction, {
      x: v.x + w.y * arm.z - w.z * arm.y,
      y: v.y + w.z * arm.x - w.x * arm.z,
      z: v.z + w.x * arm.y - w.y * arm.x,
    });
  };
  return at(a, armA) - at(b, armB);
}

/** What is left of a way that met walls: along the last one, along the crease of two, or nothing. */
export function bendWay(way: Vec3, left: number, walls: readonly Vec3[]): void {
  const rest = { x: way.x * left, y: way.y * left, z: way.z * left };
  const candidates: Vec3[] = [];
  for (const n of walls) {
    const d = Math.min(0, dot(rest, n));
    candidates.push({ x: rest.x - d * n.x, y: rest.y - d * n.y, z: rest.z - d * n.z });
  }
  for (let i = 0; i < walls.length; i++)
    for (let j = i + 1; j < walls.length; j++) {
      const [m, n] = [walls[i]!, walls[j]!];
      const c = { x: m.y * n.z - m.z * n.y, y: m.z * n.x - m.x * n.z, z: m.x * n.y - m.y * n.x };
      const s = dot(rest, c) / (dot(c, c) || 1);
      candidates.push({ x: s * c.x, y: s * c.y, z: s * c.z });
    }
  const open = candidates.find((c) => walls.every((n) => dot(c, n) >= -1e-9 * length(c)));
  Object.assign(way, open ?? { x: 0, y: 0, z: 0 });
}
