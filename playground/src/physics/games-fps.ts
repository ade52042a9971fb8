/**
 * The loop of the first-person example of three.js (`examples/games_fps.html`), and two bodies to put into it: its own, of `Octree` and
 * `Capsule`, and a `Character` in its place.
 */
import { Character, type ReadonlyVec3, type Vec3 } from 'graze';
import type { CharacterWorld } from 'graze/character';
import { Vector3 } from 'three';
import { Capsule } from 'three/addons/math/Capsule.js';
import type { Octree } from 'three/addons/math/Octree.js';

/** The capsule of the example: from its feet 0 to 1.35. */
export const SHAPE = { radius: 0.35, halfHeight: 0.325 } as const;
const GRAVITY = 30;
const JUMP = 15;
const STEPS_PER_FRAME = 5;

/** What is held down: a heading on the ground, of length 0 or 1, and whether to jump. */
export interface Keys {
  readonly x: number;
  readonly z: number;
  readonly jump: boolean;
}

/** Whoever walks: moved by velocity × dt, and pushed out of what is there. */
export interface Walker {
  readonly position: Vec3;
  readonly velocity: Vec3;
  readonly onFloor: boolean;
  move(dt: number): void;
  put(at: ReadonlyVec3): void;
}

/** One frame of the example: five steps, each of which looks at the keys. */
export function frame(walker: Walker, keys: Keys, seconds: number): void {
  const dt = Math.min(0.05, seconds) / STEPS_PER_FRAME;
  const { velocity: v } = walker;
  for (let i = 0; i < STEPS_PER_FRAME; i++) {
    const gain = dt * (walker.onFloor ? 25 : 8);
    v.x += gain * keys.x;
    v.z += gain * keys.z;
    if (walker.onFloor && keys.jump) v.y = JUMP;
    let damping = Math.exp(-4 * dt) - 1;
    if (!walker.onFloor) {
      v.y -= GRAVITY * dt;
      damping *= 0.1;
    }
    v.x += v.x * damping;
    v.y += v.y * damping;
    v.z += v.z * damping;
    walker.move(dt);
  }
}

/** The player of the example. */
export class OctreeWalker implements Walker {
  readonly velocity = new Vector3();
  readonly capsule = new Capsule(new Vector3(0, 0.35, 0), new Vector3(0, 1, 0), 0.35);
  onFloor = false;
  private readonly octree: Octree;

  constructor(octree: Octree) {
    this.octree = octree;
  }

  get position(): Vec3 {
    return this.capsule.getCenter(new Vector3());
  }

  put({ x, y, z }: ReadonlyVec3): void {
    this.capsule.start.set(x, y - SHAPE.halfHeight, z);
    this.capsule.end.set(x, y + SHAPE.halfHeight, z);
    this.velocity.set(0, 0, 0);
    this.onFloor = false;
  }

  move(dt: number): void {
    this.capsule.translate(this.velocity.clone().multiplyScalar(dt));
    const result = this.octree.capsuleIntersect(this.capsule) as false | { normal: Vector3; depth: number };
    this.onFloor = false;
    if (!result) return;
    this.onFloor = result.normal.y > 0;
    if (!this.onFloor) this.velocity.addScaledVector(result.normal, -result.normal.dot(this.velocity));
    if (result.depth >= 1e-10) this.capsule.translate(result.normal.multiplyScalar(result.depth));
  }
}

/** The same with a character. */
export class CharacterWalker implements Walker {
  readonly hero: Character;

  constructor(world: CharacterWorld) {
    // The example climbs any edge that is lower than its radius.
    this.hero = new Character(world, { ...SHAPE, stepHeight: SHAPE.radius });
  }

  get position(): Vec3 {
    return this.hero.position;
  }

  get velocity(): Vec3 {
    return this.hero.velocity;
  }

  get onFloor(): boolean {
    return this.hero.onFloor;
  }

  put(at: ReadonlyVec3): void {
    this.hero.teleport(at);
    this.velocity.x = this.velocity.y = this.velocity.z = 0;
  }

  move(dt: number): void {
    this.hero.moveAndSlide(dt);
  }
}
