/**
 * The first-person example of three.js (`examples/games_fps.html`): its level, its loop, and two bodies to put into it: its own, of
 * `Octree` and `Capsule`, and a `Character`.
 */
import { Triangle, Vector3 } from 'three';
import { Capsule } from 'three/addons/math/Capsule.js';
import { Octree } from 'three/addons/math/Octree.js';
import { Character } from '../../src/character/index.ts';
import type { ReadonlyVec3, Vec3 } from '../../src/math/types.ts';
import { boxesOf, type Triangle as Corners, isFree, type Level } from './characters.ts';

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

export const octreeOf = ({ triangles }: Level): Octree => {
  const octree = new Octree();
  for (const [a, b, c] of triangles)
    octree.addTriangle(new Triangle(new Vector3(...a), new Vector3(...b), new Vector3(...c)));
  return octree.build();
};

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

  constructor(level: Level) {
    this.hero = new Character(level.list, { ...SHAPE, stepHeight: SHAPE.radius });
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

type V = readonly [number, number, number];
const sub = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: V, b: V): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: V, b: V): V => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const list = ({ x, y, z }: ReadonlyVec3): V => [x, y, z];

/** The triangle that the way of a centre leads through, or -1: it looks at all of them. */
export function crossed(level: Level, from: ReadonlyVec3, to: ReadonlyVec3): number {
  const [x, y, z] = [Math.min(from.x, to.x), Math.min(from.y, to.y), Math.min(from.z, to.z)];
  const [X, Y, Z] = [Math.max(from.x, to.x), Math.max(from.y, to.y), Math.max(from.z, to.z)];
  const boxes = boxesOf(level);
  for (let i = 0, k = 0; i < level.triangles.length; i++, k += 6)
    if (
      x <= boxes[k + 3]! &&
      y <= boxes[k + 4]! &&
      z <= boxes[k + 5]! &&
      X >= boxes[k]! &&
      Y >= boxes[k + 1]! &&
      Z >= boxes[k + 2]! &&
      crosses(list(from), list(to), level.triangles[i]!)
    )
      return i;
  return -1;
}

function crosses(a: V, b: V, [p, q, r]: Corners): boolean {
  const n = cross(sub(q, p), sub(r, p));
  const [ha, hb] = [dot(n, sub(a, p)), dot(n, sub(b, p))];
  if (ha * hb > 0 || ha === hb) return false;
  const t = ha / (ha - hb);
  const m: V = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];
  return (
    dot(n, cross(sub(q, p), sub(m, p))) >= 0 &&
    dot(n, cross(sub(r, q), sub(m, q))) >= 0 &&
    dot(n, cross(sub(p, r), sub(m, r))) >= 0
  );
}

/** Is the straight way of the capsule, larger by `more`, free? It looks at places no farther apart than 0.02. */
export function isWayFree(level: Level, from: ReadonlyVec3, way: ReadonlyVec3, more: number): boolean {
  const count = Math.max(1, Math.ceil(Math.hypot(way.x, way.y, way.z) / 0.02));
  for (let i = 0; i <= count; i++) {
    const s = i / count;
    const at = { x: from.x + s * way.x, y: from.y + s * way.y, z: from.z + s * way.z };
    if (!isFree(level, SHAPE, at, more)) return false;
  }
  return true;
}

/**
 * The headings that lead on from where someone stands who holds a key: up by a hand, 0.15 ahead within 80° of the key, and free all
 * along, of the capsule larger by `more`. Empty where something really holds him.
 */
export function openHeadings(level: Level, at: ReadonlyVec3, keys: Keys, more: number): number[] {
  const lift = 0.05;
  const raised = { x: at.x, y: at.y + lift, z: at.z };
  if (!isWayFree(level, raised, { x: 0, y: 0, z: 0 }, more)) return [];
  const open: number[] = [];
  for (let i = -8; i <= 8; i++) {
    const [c, s] = [Math.cos((i * Math.PI) / 18), Math.sin((i * Math.PI) / 18)];
    const way = { x: 0.15 * (keys.x * c - keys.z * s), y: 0, z: 0.15 * (keys.x * s + keys.z * c) };
    if (isWayFree(level, raised, way, more)) open.push(10 * i);
  }
  return open;
}
