/** Bodies of the demonstration of rigid-body motion: how they stand, how they move, and what an impulse does to them. */
import type { Pose, ReadonlyVec3, Vec3 } from 'graze';
import type { PolyhedralModel } from 'graze/continuous';

export interface RigidBody {
  readonly model: PolyhedralModel;
  readonly pose: Pose;
  readonly velocity: Vec3;
  /** Angular velocity in world space, radians a second. */
  readonly spin: Vec3;
  /** 0 for what nothing moves. */
  readonly inverseMass: number;
  /** About the axes of the body, which are its principal ones. */
  readonly inverseInertia: ReadonlyVec3;
  /** No point of the body is farther from its position. */
  readonly radius: number;
  /** For how many seconds it has hardly moved. */
  stillFor: number;
  asleep: boolean;
}

const vec = (x = 0, y = 0, z = 0): Vec3 => ({ x, y, z });

export function makeBody(
  model: PolyhedralModel,
  position: ReadonlyVec3,
  mass: number,
  inertia: ReadonlyVec3,
): RigidBody {
  let radius = 0;
  for (let i = 0; i < model.points.length; i += 3)
    radius = Math.max(radius, Math.hypot(model.points[i]!, model.points[i + 1]!, model.points[i + 2]!));
  const isFixed = mass === 0;
  return {
    model,
    pose: { position: vec(position.x, position.y, position.z), quaternion: { x: 0, y: 0, z: 0, w: 1 } },
    velocity: vec(),
    spin: vec(),
    inverseMass: isFixed ? 0 : 1 / mass,
    inverseInertia: isFixed ? vec() : vec(1 / inertia.x, 1 / inertia.y, 1 / inertia.z),
    radius,
    stillFor: 0,
    asleep: isFixed,
  };
}

/** A solid box of even density. */
export function makeBrick(
  model: PolyhedralModel,
  halfSize: ReadonlyVec3,
  position: ReadonlyVec3,
  mass: number,
): RigidBody {
  const { x, y, z } = halfSize;
  const third = mass / 3;
  return makeBody(
    model,
    position,
    mass,
    vec(third * (y * y + z * z), third * (x * x + z * z), third * (x * x + y * y)),
  );
}

const cross = (a: ReadonlyVec3, b: ReadonlyVec3): Vec3 =>
  vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);

/** A vector turned by the body's rotation, or back. */
function turned({ pose }: RigidBody, v: ReadonlyVec3, back: boolean): Vec3 {
  const { x, y, z, w } = pose.quaternion;
  const s = back ? -w : w;
  const t = cross({ x, y, z }, v);
  const u = cross({ x, y, z }, t);
  return vec(v.x + 2 * (s * t.x + u.x), v.y + 2 * (s * t.y + u.y), v.z + 2 * (s * t.z + u.z));
}

/** The inverse inertia times a vector, in world space. */
function byInverseInertia(body: RigidBody, v: ReadonlyVec3): Vec3 {
  const own = turned(body, v, true);
  const { inverseInertia: i } = body;
  return turned(body, vec(own.x * i.x, own.y * i.y, own.z * i.z), false);
}

/** The velocity of the point at `arm` from the middle of the body, along a direction. */
export function speedAlong({ velocity: v, spin: w }: RigidBody, arm: ReadonlyVec3, d: ReadonlyVec3): number {
  return (
    d.x * (v.x + w.y * arm.z - w.z * arm.y) +
    d.y * (v.y + w.z * arm.x - w.x * arm.z) +
    d.z * (v.z + w.x * arm.y - w.y * arm.x)
  );
}

/** What a unit impulse along d at `arm` changes: twice used in a pair, its sum is the inverse of the mass felt there. */
export interface Lever {
  readonly body: RigidBody;
  /** Change of the spin by an impulse of 1. */
  readonly turn: Vec3;
  readonly give: number;
}

export function leverOf(body: RigidBody, arm: ReadonlyVec3, d: ReadonlyVec3): Lever {
  const moment = cross(arm, d);
  const turn = byInverseInertia(body, moment);
  return {
    body,
    turn,
    give: body.inverseMass + turn.x * moment.x + turn.y * moment.y + turn.z * moment.z,
  };
}

export function push({ body, turn }: Lever, d: ReadonlyVec3, impulse: number): void {
  const { velocity, spin, inverseMass } = body;
  velocity.x += d.x * impulse * inverseMass;
  velocity.y += d.y * impulse * inverseMass;
  velocity.z += d.z * impulse * inverseMass;
  spin.x += turn.x * impulse;
  spin.y += turn.y * impulse;
  spin.z += turn.z * impulse;
}
