/**
 * The example of "Precise Generalized Contact Point and Normal Determination": a hundred bullets fly onto and through a warped
 * sheet with a hole, a soup of triangles, at 1000 m/s and in steps of 0.1 s. Explicit Euler; impulses without friction.
 */
import { type Pose, pose, type ReadonlyVec3, type Vec3, vec3 } from 'graze';
import { contactTime, type Solid } from 'graze/continuous';
import { mesh, solidOf } from 'graze/shapes';

const SPEED = 1000;
const SPIN = 2e-3;
const GRAVITY = 9.81;
export const STEP = 0.1;
/** Of what a bullet keeps of its speed against the sheet. */
const BOUNCE = 0.3;
const RADIUS = 0.03;
const LENGTH = 0.12;
/** The hole, and half a side of the sheet. */
const HOLE = 0.5;
const HALF = 2;
/** Kept from the sheet after an impact, so that the next motion does not start in touch. */
const GAP = 1e-4;
const MOST_IMPACTS = 4;

export interface Triangles {
  readonly positions: Float64Array;
  readonly index: Uint32Array;
}

export interface Bullet {
  readonly pose: Pose;
  readonly velocity: Vec3;
  /** Radians a second. */
  readonly spin: Vec3;
  /** Where it would go through the plane of the sheet. */
  readonly aim: ReadonlyVec3;
  /** Does it clear the hole? */
  readonly isThrough: boolean;
  impacts: number;
  /** How long it takes to the plane of the sheet, in seconds. */
  readonly flight: number;
  /** The parts of its way, each with constant velocities, the first one first. */
  readonly parts: FlightPart[];
}

/** What a bullet does from a time on, in seconds. */
export interface FlightPart extends Pick<Bullet, 'pose' | 'velocity' | 'spin'> {
  readonly from: number;
}

/** Where a bullet was, or is: before the first part of its way it came as it goes on. */
export function poseAt({ parts }: Bullet, time: number): Pose {
  const part = parts.findLast(({ from }) => from <= time) ?? parts[0]!;
  const there = copyOf(part);
  advance(there, time - part.from);
  return there.pose;
}

const copyOf = ({ pose: at, velocity, spin }: Pick<Bullet, 'pose' | 'velocity' | 'spin'>) => ({
  pose: { position: { ...at.position }, quaternion: { ...at.quaternion } },
  velocity: { ...velocity },
  spin: { ...spin },
});

/** A ball, longer than wide, along the x axis: `around` · 2 (`along` - 1) triangles. */
export function makeBulletMesh(around: number, along: number): Triangles {
  const positions: number[] = [LENGTH / 2, 0, 0];
  for (let i = 1; i < along; i++) {
    const a = (Math.PI * i) / along;
    for (let k = 0; k < around; k++) {
      const b = (2 * Math.PI * k) / around;
      const r = RADIUS * Math.sin(a);
      positions.push((LENGTH / 2) * Math.cos(a), r * Math.cos(b), r * Math.sin(b));
    }
  }
  positions.push(-LENGTH / 2, 0, 0);
  const last = positions.length / 3 - 1;
  const at = (i: number, k: number) => (i < 1 ? 0 : i >= along ? last : 1 + (i - 1) * around + (k % around));
  const index: number[] = [];
  for (let i = 0; i < along; i++)
    for (let k = 0; k < around; k++) {
      if (i > 0) index.push(at(i, k), at(i + 1, k), at(i, k + 1));
      if (i < along - 1) index.push(at(i, k + 1), at(i + 1, k), at(i + 1, k + 1));
    }
  return { positions: Float64Array.from(positions), index: Uint32Array.from(index) };
}

/** `rings` around the hole, of `around` · 2 triangles each, out to a square; warped along x. */
export function makeSheetMesh(around: number, rings: number): Triangles {
  const positions: number[] = [];
  for (let i = 0; i <= rings; i++)
    for (let k = 0; k < around; k++) {
      const a = (2 * Math.PI * k) / around;
      const [c, s] = [Math.cos(a), Math.sin(a)];
      const edge = HALF / Math.max(Math.abs(c), Math.abs(s));
      const r = HOLE + ((edge - HOLE) * i) / rings;
      const [y, z] = [r * c, r * s];
      positions.push(0.2 * Math.sin(1.7 * y) * Math.cos(1.3 * z), y, z);
    }
  const index: number[] = [];
  for (let i = 0; i < rings; i++)
    for (let k = 0; k < around; k++) {
      const [a, b] = [i * around + k, i * around + ((k + 1) % around)];
      index.push(a, b, a + around, b, b + around, a + around);
    }
  return { positions: Float64Array.from(positions), index: Uint32Array.from(index) };
}

export class BulletScene {
  readonly bullets: Bullet[] = [];
  readonly sheetMesh = makeSheetMesh(67, 15);
  readonly bulletMesh = makeBulletMesh(20, 17);
  private readonly sheet: Solid = solidOf(mesh(this.sheetMesh.positions, this.sheetMesh.index));
  private readonly bullet: Solid = solidOf(mesh(this.bulletMesh.positions, this.bulletMesh.index));
  time = 0;

  /** Ten rows of ten, which come one after the other. */
  constructor() {
    for (let i = 0; i < 100; i++) {
      const aim = vec3(0, -1.71 + 0.38 * (i % 10), -1.71 + 0.38 * Math.floor(i / 10));
      // So many steps until it is there, and some of the next.
      const flight = 0.05 + 0.9 * (((i * 37) % 100) / 100);
      const start = vec3(-SPEED * flight, aim.y + fallOf(flight), aim.z);
      this.bullets.push({
        pose: { ...pose(), position: start },
        velocity: vec3(SPEED),
        spin: vec3(SPIN),
        aim,
        isThrough: Math.hypot(aim.y, aim.z) < HOLE,
        impacts: 0,
        flight,
        parts: [],
      });
    }
  }

  step(): void {
    for (const bullet of this.bullets) {
      this.fly(bullet);
      bullet.velocity.y -= GRAVITY * STEP;
    }
    this.time += STEP;
  }

  /** With constant velocities to the first contact; then on with those after the impact. */
  private fly(bullet: Bullet): void {
    const { sheet, bullet: solid } = this;
    let left = STEP;
    for (let i = 0; i <= MOST_IMPACTS && left > 0; i++) {
      const { pose: at, velocity, spin } = bullet;
      const motion = { linear: velocity, angular: spin, duration: left };
      const hit = contactTime({ solid, pose: at }, motion, sheet, { translation: ORIGIN });
      const speed = Math.hypot(velocity.x, velocity.y, velocity.z);
      const time = hit === null ? left : Math.max(0, hit.t * left - GAP / Math.max(speed, 1));
      bullet.parts.push({ ...copyOf(bullet), from: this.time + STEP - left });
      advance(bullet, time);
      left -= time;
      if (hit === null) return;
      bullet.impacts++;
      collide(bullet, hit.point, hit.normal);
    }
  }
}

const ORIGIN = vec3();

/** How far one falls on a flight, in steps. */
function fallOf(time: number): number {
  let velocity = 0;
  let height = 0;
  for (let left = time; left > 0; left -= STEP) {
    height += velocity * Math.min(left, STEP);
    velocity += GRAVITY * STEP;
  }
  return height;
}

/** A rotation by the exponential map. */
function advance(
  { pose: { position, quaternion: q }, velocity, spin }: Pick<Bullet, 'pose' | 'velocity' | 'spin'>,
  time: number,
): void {
  position.x += time * velocity.x;
  position.y += time * velocity.y;
  position.z += time * velocity.z;
  const rate = Math.hypot(spin.x, spin.y, spin.z);
  if (rate === 0) return;
  const s = Math.sin((rate * time) / 2) / rate;
  const [x, y, z, w] = [s * spin.x, s * spin.y, s * spin.z, Math.cos((rate * time) / 2)];
  const to = {
    x: w * q.x + x * q.w + y * q.z - z * q.y,
    y: w * q.y - x * q.z + y * q.w + z * q.x,
    z: w * q.z + x * q.y - y * q.x + z * q.w,
    w: w * q.w - x * q.x - y * q.y - z * q.z,
  };
  Object.assign(q, to);
}

/** Of an even ellipsoid of mass 1, along its axis and across. */
const INERTIA = { along: (2 * RADIUS * RADIUS) / 5, across: (RADIUS * RADIUS + (LENGTH * LENGTH) / 4) / 5 };

/** An impulse along the normal out of the sheet, at a point. */
function collide(bullet: Bullet, point: ReadonlyVec3, n: ReadonlyVec3): void {
  const { pose: at, velocity, spin } = bullet;
  const arm = cross(minus(point, at.position), n);
  const turned = byInverseInertia(bullet, arm);
  const closing = dot(velocity, n) + dot(spin, arm);
  if (!(closing < 0)) return;
  const impulse = (-(1 + BOUNCE) * closing) / (1 + dot(arm, turned));
  for (const axis of ['x', 'y', 'z'] as const) {
    velocity[axis] += impulse * n[axis];
    spin[axis] += impulse * turned[axis];
  }
}

/** The inverse inertia times a vector: along the axis of the bullet, and across. */
function byInverseInertia({ pose: { quaternion: q } }: Bullet, v: ReadonlyVec3): Vec3 {
  const axis = vec3(
    1 - 2 * (q.y * q.y + q.z * q.z),
    2 * (q.x * q.y + q.z * q.w),
    2 * (q.x * q.z - q.y * q.w),
  );
  const k = dot(axis, v) * (1 / INERTIA.along - 1 / INERTIA.across);
  return vec3(
    v.x / INERTIA.across + k * axis.x,
    v.y / INERTIA.across + k * axis.y,
    v.z / INERTIA.across + k * axis.z,
  );
}

const dot = (a: ReadonlyVec3, b: ReadonlyVec3): number => a.x * b.x + a.y * b.y + a.z * b.z;
const minus = (a: ReadonlyVec3, b: ReadonlyVec3): Vec3 => vec3(a.x - b.x, a.y - b.y, a.z - b.z);
const cross = (a: ReadonlyVec3, b: ReadonlyVec3): Vec3 =>
  vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
