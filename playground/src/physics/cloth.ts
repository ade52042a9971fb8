/**
 * A cloth that falls over a ball and onto itself: masses and springs, at 30 steps a second. How it is kept from passing through
 * is what the scene is about: by the motion of a whole step, exactly, or by looking at the end of the step only.
 */
import { castDeformingAll, type DeformingContacts, deformingMesh, deformingTarget } from 'graze/continuous';
import { sphere } from 'graze/shapes';

/** `motion`: no step is taken in which anything touches. `frame ends`: what overlaps after a step is pushed apart. */
export type ClothTest = 'motion' | 'frame ends';

const GRAVITY = 9.8;
/** Where the floor is. Both ends of a step are above it, and so is all between. */
export const FLOOR = -0.9;
/** How far threads stay apart, if they can. */
const THICKNESS = 0.02;
const STIFF_PASSES = 30;
/** How much of its way a vertex goes that rubs on something. */
const GRIP = 0.1;
/** After so many corrections of a step, what still touches is slowed down; after twice as many, it stays where it was. */
const SOFT = 12;

export class Cloth {
  readonly positions: Float64Array;
  readonly indices: number[] = [];
  /** Contacts in the steps that were taken: things that went through each other. */
  passed = 0;
  steps = 0;
  /** Corrections in the last step. */
  corrections = 0;
  private readonly velocities: Float64Array;
  private readonly mesh: ReturnType<typeof deformingMesh>;
  /** Two vertices and a length for each spring. */
  private readonly springs: number[] = [];
  private readonly test: ClothTest;
  private readonly radius: number;
  /** A bit larger than what is drawn; what goes through the core has gone through the ball. */
  private readonly skin: ReturnType<typeof deformingTarget>;
  private readonly core: ReturnType<typeof deformingTarget>;

  /** A square of `count` × `count` vertices above a ball at the origin. */
  constructor(test: ClothTest, count = 22, radius = 0.35) {
    this.test = test;
    this.radius = radius;
    this.skin = deformingTarget(sphere(radius + THICKNESS));
    this.core = deformingTarget(sphere(0.9 * radius));
    this.positions = new Float64Array(3 * count * count);
    this.velocities = new Float64Array(3 * count * count);
    const size = 2.2;
    for (let i = 0; i < count * count; i++) {
      const u = (i % count) / (count - 1) - 0.5;
      const v = Math.floor(i / count) / (count - 1) - 0.5;
      // Not quite level, and a little wavy, so that it folds.
      this.positions.set([size * u, 1.1 + 0.01 * u + 0.02 * Math.sin(9 * v + 5 * u), size * v], 3 * i);
      this.velocities.set([0, -12, 0], 3 * i);
    }
    const link = (i: number, j: number) => this.springs.push(i, j, this.distance(i, j));
    for (let row = 0; row < count; row++)
      for (let column = 0; column < count; column++) {
        const i = row * count + column;
        if (column + 1 < count) link(i, i + 1);
        if (row + 1 < count) link(i, i + count);
        if (column + 2 < count) link(i, i + 2);
        if (row + 2 < count) link(i, i + 2 * count);
        if (column + 1 === count || row + 1 === count) continue;
        link(i, i + count + 1);
        link(i + 1, i + count);
        this.indices.push(i, i + count, i + 1, i + 1, i + count, i + count + 1);
      }
    this.mesh = deformingMesh(this.indices, count * count);
  }

  private distance(i: number, j: number): number {
    const p = this.positions;
    return Math.hypot(p[3 * i]! - p[3 * j]!, p[3 * i + 1]! - p[3 * j + 1]!, p[3 * i + 2]! - p[3 * j + 2]!);
  }

  step(seconds: number): void {
    const { positions, velocities } = this;
    const next = positions.map(
      (x, i) => x + seconds * (velocities[i]! - (i % 3 === 1 ? GRAVITY * seconds : 0)),
    );
    for (let pass = 0; pass < STIFF_PASSES; pass++) {
      this.pull(next);
      this.pushOut(next);
    }
    this.rub(next);
    this.pushApart(this.test === 'motion' ? positions : next, next);
    this.corrections = 0;
    if (this.test === 'motion') this.makeFree(next);
    this.passed += this.passedIn(next);
    for (let i = 0; i < next.length; i += 3) {
      // Friction on the ball and on the floor, and a little of the air.
      const kept = this.isHeld(next, i) ? 0.3 : 0.99;
      for (let k = i; k < i + 3; k++) {
        velocities[k] = (kept * (next[k]! - positions[k]!)) / seconds;
        positions[k] = next[k]!;
      }
    }
    this.steps++;
  }

  /** Is a vertex on the ball, or on the floor? */
  private isHeld(p: Float64Array, i: number): boolean {
    const reach = this.radius + 3 * THICKNESS;
    return Math.hypot(p[i]!, p[i + 1]!, p[i + 2]!) < reach || p[i + 1]! < FLOOR + 2 * THICKNESS;
  }

  /** Friction: what lies on the ball or the floor, and stays on it, goes a part of its way only. */
  private rub(next: Float64Array): void {
    const { positions } = this;
    for (let i = 0; i < next.length; i += 3)
      if (this.isHeld(positions, i) && this.isHeld(next, i))
        for (let k = i; k < i + 3; k++) next[k] = positions[k]! + GRIP * (next[k]! - positions[k]!);
    this.pushOut(next);
  }

  /** What went through what: pairs of the cloth, and through the core of the ball. */
  private passedIn(next: Float64Array): number {
    const { positions, mesh, core } = this;
    return castDeformingAll(positions, next, mesh, { self: true, against: core }).count;
  }

  /** Springs, to their lengths. */
  private pull(p: Float64Array): void {
    const { springs } = this;
    for (let s = 0; s < springs.length; s += 3) {
      const i = 3 * springs[s]!;
      const j = 3 * springs[s + 1]!;
      const x = p[j]! - p[i]!;
      const y = p[j + 1]! - p[i + 1]!;
      const z = p[j + 2]! - p[i + 2]!;
      const length = Math.hypot(x, y, z);
      if (length === 0) continue;
      const part = (0.5 * (length - springs[s + 2]!)) / length;
      p[i]! += part * x;
      p[i + 1]! += part * y;
      p[i + 2]! += part * z;
      p[j]! -= part * x;
      p[j + 1]! -= part * y;
      p[j + 2]! -= part * z;
    }
  }

  /** Threads that are nearer to each other than their thickness at some place are moved apart. */
  private pushApart(at: Float64Array, next: Float64Array): void {
    const near = castDeformingAll(at, at, this.mesh, { separation: THICKNESS });
    for (let c = 0; c < near.count; c++) this.move(near, c, next, 0.3 * (THICKNESS - this.gap(near, c, at)));
  }

  /** What is in the ball, or below the floor, at the end of the step goes to where their surface is nearest. */
  private pushOut(next: Float64Array): void {
    const reach = this.radius + THICKNESS;
    for (let i = 0; i < next.length; i += 3) {
      const length = Math.hypot(next[i]!, next[i + 1]!, next[i + 2]!);
      if (length > 0 && length < reach) for (let k = 0; k < 3; k++) next[i + k]! *= reach / length;
      next[i + 1] = Math.max(next[i + 1]!, FLOOR);
    }
  }

  /** Changes the step until nothing touches in it. */
  private makeFree(next: Float64Array): void {
    const { positions, mesh, skin } = this;
    for (;;) {
      const contacts = castDeformingAll(positions, next, mesh, { self: true, against: skin });
      if (contacts.count === 0) return;
      this.corrections++;
      if (this.corrections > 3 * SOFT) {
        next.set(positions);
        return;
      }
      for (let c = 0; c < contacts.count; c++) {
        if (this.corrections > SOFT) this.slow(contacts, c, next, this.corrections > 2 * SOFT ? 0 : 0.5);
        else {
          // They may come nearer, but not all the way; what is very near moves apart a little.
          const before = this.gap(contacts, c, positions);
          const wanted = Math.max(0.3 * before, Math.min(before + 0.1 * THICKNESS, 0.5 * THICKNESS));
          this.move(contacts, c, next, wanted - this.gap(contacts, c, next));
        }
      }
    }
  }

  /** How far apart the points of contact are along the normal. */
  private gap(contacts: DeformingContacts, c: number, at: Float64Array): number {
    // The ball's middle is the origin: what is left of it is its size.
    let sum = contacts.isOther[c] === 1 ? -(this.radius + THICKNESS) : 0;
    for (let i = 0; i < 4; i++) {
      const weight = this.weight(contacts, c, i);
      if (weight === 0) continue;
      const vertex = 3 * contacts.vertices[4 * c + i]!;
      for (let k = 0; k < 3; k++) sum += weight * at[vertex + k]! * contacts.normal[3 * c + k]!;
    }
    return sum;
  }

  /** Of vertex i in the difference of the points of contact; 0 for those of the ball. */
  private weight(contacts: DeformingContacts, c: number, i: number): number {
    const kind = contacts.kind[c]!;
    const isFirst = kind === 1 ? i < 2 : i < 1;
    const weight = contacts.weights[4 * c + i]!;
    if (contacts.isOther[c] !== 1) return isFirst ? weight : -weight;
    if (kind === 2) return isFirst ? 0 : -weight;
    return isFirst ? weight : 0;
  }

  /** Moves the vertices so that the gap grows by `way`. */
  private move(contacts: DeformingContacts, c: number, next: Float64Array, way: number): void {
    let squares = 0;
    for (let i = 0; i < 4; i++) squares += this.weight(contacts, c, i) ** 2;
    if (!(squares > 0 && way > 0)) return;
    for (let i = 0; i < 4; i++) {
      const part = (this.weight(contacts, c, i) * way) / squares;
      if (part === 0) continue;
      const vertex = 3 * contacts.vertices[4 * c + i]!;
      for (let k = 0; k < 3; k++) next[vertex + k]! += part * contacts.normal[3 * c + k]!;
      next[vertex + 1] = Math.max(next[vertex + 1]!, FLOOR);
    }
  }

  private slow(contacts: DeformingContacts, c: number, next: Float64Array, factor: number): void {
    const { positions } = this;
    for (let i = 0; i < 4; i++) {
      if (this.weight(contacts, c, i) === 0) continue;
      const vertex = 3 * contacts.vertices[4 * c + i]!;
      for (let k = 0; k < 3; k++)
        next[vertex + k] = positions[vertex + k]! + factor * (next[vertex + k]! - positions[vertex + k]!);
    }
  }
}
