// runs: caves dungeon
/** Ten thousand capsules that walk about in a level: one frame of all of them is a round. */
import * as cat from 'crashcat';
import { Character, collider, mesh, World } from 'graze';
import initJolt from 'jolt-physics/wasm';
import { Rng } from '../../tests/kit/rng.ts';
import type { Point } from '../data.ts';
import { race, report } from '../harness.ts';
import { levelOfThisRun } from '../levels.ts';
import type { Triangles } from '../meshes.ts';
import { listsOf, makeShape as makeCatShape } from '../peers/crashcat.ts';
import { addStatic, makeShape, makeWalker, makeWorld } from '../peers/jolt.ts';
import { makeCollider, type RapierBuild, rapiers } from '../peers/rapier.ts';

const COUNT = Number(process.env['GRAZE_COUNT'] ?? 10_000);
const DT = 1 / 60;
const SPEED = 3;
const GRAVITY = 9.8;
/** A step, and how far down the ground is followed. */
const STEP = 0.3;
const LIMIT = 0.8;

interface Walker {
  readonly name: string;
  /** A frame for all. */
  run(): number;
  /** Where one is. */
  at(i: number): Point;
}

interface Start {
  readonly position: Point;
  /** Where it wants to go: round and round, a little each frame. */
  readonly angle: number;
}

interface Size {
  readonly radius: number;
  readonly half: number;
}

/** Each walks on a circle of its own. */
class Course {
  private readonly x: Float64Array;
  private readonly z: Float64Array;
  private frame = 0;
  constructor(starts: readonly Start[]) {
    this.x = Float64Array.from(starts, ({ angle }) => SPEED * Math.cos(angle));
    this.z = Float64Array.from(starts, ({ angle }) => SPEED * Math.sin(angle));
  }
  next(): void {
    this.frame++;
    if (this.frame % 90 !== 0) return;
    for (let i = 0; i < this.x.length; i++) {
      const x = this.x[i]!;
      this.x[i] = -this.z[i]!;
      this.z[i] = x;
    }
  }
  vx(i: number): number {
    return this.x[i]!;
  }
  vz(i: number): number {
    return this.z[i]!;
  }
}

function grazeWalker({ positions, index }: Triangles, starts: readonly Start[], size: Size): Walker {
  const world = new World();
  world.add(collider(mesh(positions, index)), { fixed: true });
  const course = new Course(starts);
  const heroes = starts.map(({ position }) => {
    const hero = new Character(world, {
      radius: size.radius,
      halfHeight: size.half,
      stepHeight: STEP,
      slopeLimit: LIMIT,
      position,
    });
    return hero;
  });
  return {
    name: 'graze',
    run() {
      course.next();
      let sum = 0;
      for (let i = 0; i < heroes.length; i++) {
        const hero = heroes[i]!;
        const { velocity } = hero;
        velocity.x = course.vx(i);
        velocity.y -= GRAVITY * DT;
        velocity.z = course.vz(i);
        hero.moveAndSlide(DT);
        sum += hero.position.x;
      }
      return sum;
    },
    at: (i) => heroes[i]!.position,
  };
}

function rapierWalker(
  build: RapierBuild,
  triangles: Triangles,
  starts: readonly Start[],
  size: Size,
): Walker {
  const { rapier } = build;
  const { world } = makeCollider(build, triangles);
  const capsule = world.createCollider(rapier.ColliderDesc.capsule(size.half, size.radius).setSensor(false));
  const controller = world.createCharacterController(size.radius / 50);
  controller.enableAutostep(STEP, size.radius / 2, false);
  controller.enableSnapToGround(STEP);
  controller.setMaxSlopeClimbAngle(LIMIT);
  world.step();
  const course = new Course(starts);
  const places = starts.map(({ position: { x, y, z } }) => ({ x, y, z }));
  const fall = new Float64Array(starts.length);
  const wanted = { x: 0, y: 0, z: 0 };
  return {
    name: build.name,
    run() {
      course.next();
      let sum = 0;
      for (let i = 0; i < places.length; i++) {
        const place = places[i]!;
        fall[i] -= GRAVITY * DT;
        wanted.x = course.vx(i) * DT;
        wanted.y = fall[i]! * DT;
        wanted.z = course.vz(i) * DT;
        capsule.setTranslation(place);
        controller.computeColliderMovement(capsule, wanted);
        const { x, y, z } = controller.computedMovement();
        place.x += x;
        place.y += y;
        place.z += z;
        if (controller.computedGrounded()) fall[i] = 0;
        sum += place.x;
      }
      return sum;
    },
    at: (i) => places[i]!,
  };
}

async function joltWalker(triangles: Triangles, starts: readonly Start[], size: Size): Promise<Walker> {
  const Jolt = await initJolt();
  const jolt = makeWorld(Jolt);
  const system = jolt.GetPhysicsSystem();
  addStatic(Jolt, jolt, makeShape(Jolt, triangles));
  system.OptimizeBroadPhase();
  const shape = new Jolt.CapsuleShape(size.half, size.radius);
  shape.AddRef();
  const own = new Jolt.CharacterVirtualSettings();
  own.mShape = shape;
  own.mMaxSlopeAngle = LIMIT;
  own.mBackFaceMode = Jolt.EBackFaceMode_CollideWithBackFaces;
  own.mSupportingVolume = new Jolt.Plane(new Jolt.Vec3(0, 1, 0), size.half);
  const heroes = starts.map(
    ({ position: { x, y, z } }) =>
      new Jolt.CharacterVirtual(own, new Jolt.RVec3(x, y, z), new Jolt.Quat(0, 0, 0, 1), system),
  );
  const move = makeWalker(Jolt, jolt, GRAVITY, STEP);
  const course = new Course(starts);
  return {
    name: 'Jolt',
    run() {
      course.next();
      let sum = 0;
      for (let i = 0; i < heroes.length; i++) {
        const hero = heroes[i]!;
        move(hero, course.vx(i), course.vz(i), DT);
        sum += hero.GetPosition().GetX();
      }
      return sum;
    },
    at(i) {
      const p = heroes[i]!.GetPosition();
      return { x: p.GetX(), y: p.GetY(), z: p.GetZ() };
    },
  };
}

/** Its update is a port of Jolt's: the same settings, and back faces are hit, as they are unless told otherwise. */
function catWalker(triangles: Triangles, starts: readonly Start[], size: Size): Walker {
  const settings = cat.createWorldSettings();
  const layer = cat.addObjectLayer(settings, cat.addBroadphaseLayer(settings));
  cat.enableCollision(settings, layer, layer);
  const world = cat.createWorld(settings);
  cat.rigidBody.create(world, {
    shape: makeCatShape(listsOf(triangles)),
    motionType: cat.MotionType.STATIC,
    objectLayer: layer,
  });
  const shape = cat.capsule.create({ halfHeightOfCylinder: size.half, radius: size.radius });
  const heroes = starts.map(({ position: { x, y, z } }) =>
    cat.kcc.create(
      { shape, maxSlopeAngle: LIMIT, supportingVolumePlane: [0, 1, 0, size.half] },
      [x, y, z],
      [0, 0, 0, 1],
    ),
  );
  const update = cat.kcc.createDefaultUpdateSettings();
  update.stickToFloorStepDown = [0, -STEP, 0];
  update.walkStairsStepUp = [0, STEP, 0];
  const gravity: [number, number, number] = [0, -GRAVITY, 0];
  const filter = cat.filter.forWorld(world);
  const course = new Course(starts);
  return {
    name: 'crashcat',
    run() {
      course.next();
      let sum = 0;
      for (let i = 0; i < heroes.length; i++) {
        const hero = heroes[i]!;
        const { linearVelocity: v } = hero;
        const grounded = hero.ground.state === cat.kcc.GroundState.ON_GROUND;
        v[0] = course.vx(i);
        v[1] = (grounded ? 0 : v[1]) - GRAVITY * DT;
        v[2] = course.vz(i);
        cat.kcc.update(world, hero, DT, gravity, update, undefined, filter);
        sum += hero.position[0];
      }
      return sum;
    },
    at(i) {
      const [x, y, z] = heroes[i]!.position;
      return { x, y, z };
    },
  };
}

/** The squared distance of a point to a triangle, the long way. */
function distanceSq(p: Point, a: Point, b: Point, c: Point): number {
  const edge = (q: Point, r: Point): number => {
    const [ex, ey, ez] = [r.x - q.x, r.y - q.y, r.z - q.z];
    const ee = ex * ex + ey * ey + ez * ez;
    const s = ee > 0 ? ((p.x - q.x) * ex + (p.y - q.y) * ey + (p.z - q.z) * ez) / ee : 0;
    const t = Math.min(1, Math.max(0, s));
    return (p.x - q.x - t * ex) ** 2 + (p.y - q.y - t * ey) ** 2 + (p.z - q.z - t * ez) ** 2;
  };
  let best = Math.min(edge(a, b), edge(b, c), edge(c, a));
  const [ux, uy, uz] = [b.x - a.x, b.y - a.y, b.z - a.z];
  const [wx, wy, wz] = [c.x - a.x, c.y - a.y, c.z - a.z];
  const [nx, ny, nz] = [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx];
  const nn = nx * nx + ny * ny + nz * nz;
  if (nn > 0) {
    const [px, py, pz] = [p.x - a.x, p.y - a.y, p.z - a.z];
    const v = ((py * wz - pz * wy) * nx + (pz * wx - px * wz) * ny + (px * wy - py * wx) * nz) / nn;
    const w = ((uy * pz - uz * py) * nx + (uz * px - ux * pz) * ny + (ux * py - uy * px) * nz) / nn;
    const h = px * nx + py * ny + pz * nz;
    if (v >= 0 && w >= 0 && v + w <= 1) best = Math.min(best, (h * h) / nn);
  }
  return best;
}

/** Is the capsule in a triangle by more than a hundredth of its radius? Balls along its axis, closely spaced. */
function penetrates({ positions, index }: Triangles, at: Point, { radius, half }: Size): boolean {
  const limit = (0.99 * radius) ** 2;
  for (let t = 0; t < index.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => {
      const i = 3 * index[t + k]!;
      return { x: positions[i]!, y: positions[i + 1]!, z: positions[i + 2]! };
    }) as [Point, Point, Point];
    if (Math.min(a.x, b.x, c.x) > at.x + radius || Math.max(a.x, b.x, c.x) < at.x - radius) continue;
    if (Math.min(a.z, b.z, c.z) > at.z + radius || Math.max(a.z, b.z, c.z) < at.z - radius) continue;
    if (Math.min(a.y, b.y, c.y) > at.y + radius + half || Math.max(a.y, b.y, c.y) < at.y - radius - half)
      continue;
    for (let k = 0; k <= 40; k++)
      if (distanceSq({ x: at.x, y: at.y + half * (k / 20 - 1), z: at.z }, a, b, c) < limit) return true;
  }
  return false;
}

/** Places on the surface where a capsule has room, and more of it around. */
function findStarts(triangles: Triangles, size: Size): Start[] {
  const rng = new Rng(0xc4a);
  const { positions, index, count } = triangles;
  const found: Start[] = [];
  const wide = { radius: 1.2 * size.radius, half: size.half };
  const pool = Math.min(COUNT, 500);
  while (found.length < pool) {
    const t = 3 * rng.int(0, count - 1);
    const [v, w] = [rng.range(0.1, 0.5), rng.range(0.1, 0.4)];
    const at = [0, 1, 2].map(
      (k) =>
        positions[3 * index[t]! + k]! * (1 - v - w) +
        positions[3 * index[t + 1]! + k]! * v +
        positions[3 * index[t + 2]! + k]! * w,
    );
    const position = { x: at[0]!, y: at[1]! + 1.25 * (size.radius + size.half), z: at[2]! };
    // Something to stand on below, and nothing to stand in.
    const below = { x: position.x, y: at[1]! - 0.2 * size.radius, z: position.z };
    if (penetrates(triangles, position, wide) || !penetrates(triangles, below, size)) continue;
    found.push({ position, angle: rng.range(0, 2 * Math.PI) });
  }
  return Array.from({ length: COUNT }, (_, i) => ({ ...found[i % pool]!, angle: rng.range(0, 2 * Math.PI) }));
}

const level = levelOfThisRun();
if (!level) report([]);
else {
  const size = level.title.startsWith('caves') ? { radius: 0.2, half: 0.15 } : { radius: 0.3, half: 0.6 };
  const starts = findStarts(level, size);
  const [rapier, simd] = await rapiers();
  const walkers = [
    grazeWalker(level, starts, size),
    rapierWalker(rapier, level, starts, size),
    rapierWalker(simd, level, starts, size),
    await joltWalker(level, starts, size),
    catWalker(level, starts, size),
  ];
  const judged = Math.min(COUNT, 500);
  race({
    title: 'characters that walk',
    mesh: level.title,
    calls: COUNT,
    judged,
    rounds: 9,
    passes: 3,
    contenders: walkers.map(({ name, run, at }) => ({
      name,
      run,
      wrong() {
        let wrong = 0;
        for (let i = 0; i < judged; i++) {
          const p = at(i);
          if ((p.x + p.y + p.z) * 0 !== 0 || penetrates(level, p, size)) wrong++;
        }
        return wrong;
      },
    })),
  });
}
