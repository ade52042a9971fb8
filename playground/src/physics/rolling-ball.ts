/** A ball that falls onto a solid, bounces a little, and rolls down its sides. */
import {
  type CastHit,
  cast,
  collider,
  distance,
  type Pose,
  pose,
  type ReadonlyVec3,
  type Shape,
  sphere,
  type Vec3,
  vec3,
} from 'graze';

const GRAVITY = 4;
const FRICTION = 0.6;
const BOUNCE = 0.25;
/** Slower than this it does not bounce: it lies, or rolls. */
const SLOW = 0.3;
/** Kept from the solid, so that the next motion does not start in touch. */
const GAP = 1e-4;
const MOST_HITS = 4;

export class RollingBall {
  readonly pose: Pose = pose();
  readonly velocity: Vec3 = vec3();
  /** Radians a second. */
  readonly spin: Vec3 = vec3();
  readonly radius: number;
  /** How far it has come while it touched the solid; the least gap so far at the end of a step. */
  rolled = 0;
  least = Infinity;
  private readonly shape: Shape;

  constructor(radius: number) {
    this.radius = radius;
    this.shape = sphere(radius);
  }

  drop({ x, y, z }: ReadonlyVec3): void {
    Object.assign(this.pose.position, { x, y, z });
    Object.assign(this.velocity, { x: 0, y: 0, z: 0 });
    Object.assign(this.spin, { x: 0, y: 0, z: 0 });
  }

  step(solid: Shape, seconds: number): void {
    const { velocity, shape } = this;
    const { position } = this.pose;
    velocity.y -= GRAVITY * seconds;
    let left = seconds;
    for (let i = 0; i < MOST_HITS && left > 0; i++) {
      const translation = vec3(velocity.x * left, velocity.y * left, velocity.z * left);
      const hit: CastHit | null = cast(collider(shape, this.pose), { translation }, solid);
      const t = hit?.t ?? 1;
      position.x += t * translation.x;
      position.y += t * translation.y;
      position.z += t * translation.z;
      left *= 1 - t;
      if (hit === null) break;
      const { normal: n } = hit;
      position.x += GAP * n.x;
      position.y += GAP * n.y;
      position.z += GAP * n.z;
      this.collide(n);
    }
    this.turn(seconds);
    const gap = distance(collider(shape, this.pose), solid)?.separation ?? Infinity;
    this.least = Math.min(this.least, gap);
    if (gap < 20 * GAP) this.rolled += seconds * Math.hypot(velocity.x, velocity.y, velocity.z);
  }

  /** Impulses along the normal, and across it, by friction, until it rolls. */
  private collide(n: ReadonlyVec3): void {
    const { velocity: v, spin, radius } = this;
    const closing = v.x * n.x + v.y * n.y + v.z * n.z;
    if (!(closing < 0)) return;
    const push = -(1 + (closing < -SLOW ? BOUNCE : 0)) * closing;
    v.x += push * n.x;
    v.y += push * n.y;
    v.z += push * n.z;
    // How fast the point of contact slides: v - r spin × n, along the surface.
    const along = v.x * n.x + v.y * n.y + v.z * n.z;
    const x = v.x - along * n.x - radius * (spin.y * n.z - spin.z * n.y);
    const y = v.y - along * n.y - radius * (spin.z * n.x - spin.x * n.z);
    const z = v.z - along * n.z - radius * (spin.x * n.y - spin.y * n.x);
    const speed = Math.hypot(x, y, z);
    if (!(speed > 0)) return;
    // Of a ball of even mass, two sevenths of that make it roll.
    const pull = Math.min(2 / 7, (FRICTION * push) / speed);
    v.x -= pull * x;
    v.y -= pull * y;
    v.z -= pull * z;
    const twist = (2.5 * pull) / radius;
    spin.x += twist * (n.y * z - n.z * y);
    spin.y += twist * (n.z * x - n.x * z);
    spin.z += twist * (n.x * y - n.y * x);
  }

  private turn(seconds: number): void {
    const { spin } = this;
    const q = this.pose.quaternion;
    const rate = Math.hypot(spin.x, spin.y, spin.z);
    if (!(rate > 0)) return;
    const s = Math.sin((rate * seconds) / 2) / rate;
    const [x, y, z, w] = [s * spin.x, s * spin.y, s * spin.z, Math.cos((rate * seconds) / 2)];
    Object.assign(q, {
      x: w * q.x + x * q.w + y * q.z - z * q.y,
      y: w * q.y - x * q.z + y * q.w + z * q.x,
      z: w * q.z + x * q.y - y * q.x + z * q.w,
      w: w * q.w - x * q.x - y * q.y - z * q.z,
    });
  }
}
