/**
 * Jolt, with everything in its memory beforehand, every ray and every cast included. The shape is asked itself: that
 * saves the broad phase.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import initJolt from 'jolt-physics/wasm';
import type { Point } from '../data.ts';
import { type BenchRay, type BenchSweep, REACH, type Triangles } from '../meshes.ts';
import { type Asked, lengthOf } from './peer.ts';

export type JoltModule = Awaited<ReturnType<typeof initJolt>>;

/** The section of Jolt's code that asks for memory: 2048 pages of 64 kB, no more and no less. */
const MEMORY = [5, 6, 1, 1, 0x80, 0x10, 0x80, 0x10];
/** Four times as much. A million triangles need it. */
const MORE_MEMORY = [5, 6, 1, 1, 0x80, 0x40, 0x80, 0x40];

/** Jolt as if built with more memory, and with a world: casts work once there is one. */
export async function jolt(): Promise<JoltModule> {
  const code = readFileSync(fileURLToPath(import.meta.resolve('jolt-physics/jolt-physics.wasm.wasm')));
  const at = code.indexOf(Buffer.from(MEMORY));
  if (at < 0) throw new Error('Jolt asks for memory in another way than version 1.1.0');
  code.set(MORE_MEMORY, at);
  const Jolt = await initJolt({
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      WebAssembly.instantiate(code, imports).then(({ instance }) => done(instance));
    },
  });
  makeWorld(Jolt);
  return Jolt;
}

type JoltSettings = InstanceType<JoltModule['JoltSettings']>;
type JoltWorld = InstanceType<JoltModule['JoltInterface']>;
type Shape = InstanceType<JoltModule['Shape']>;
type CharacterVirtual = InstanceType<JoltModule['CharacterVirtual']>;

/** A world of one layer, in which everything meets everything. */
export function makeWorld(Jolt: JoltModule, change: (settings: JoltSettings) => void = () => {}): JoltWorld {
  const settings = new Jolt.JoltSettings();
  const pairs = new Jolt.ObjectLayerPairFilterTable(1);
  pairs.EnableCollision(0, 0);
  settings.mObjectLayerPairFilter = pairs;
  const layers = new Jolt.BroadPhaseLayerInterfaceTable(1, 1);
  layers.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0));
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 1, pairs, 1);
  change(settings);
  return new Jolt.JoltInterface(settings);
}

/** Puts a shape into a world, at the origin, where it stays. */
export function addStatic(Jolt: JoltModule, world: JoltWorld, shape: Shape) {
  const bodies = world.GetPhysicsSystem().GetBodyInterface();
  const origin = new Jolt.RVec3(0, 0, 0);
  const unrotated = new Jolt.Quat(0, 0, 0, 1);
  const body = bodies.CreateBody(
    new Jolt.BodyCreationSettings(shape, origin, unrotated, Jolt.EMotionType_Static, 0),
  );
  bodies.AddBody(body.GetID(), Jolt.EActivation_DontActivate);
  return body;
}

/** What moves characters: one step of a walk in a direction, with gravity, stairs of a height, and the floor below. */
export function makeWalker(Jolt: JoltModule, world: JoltWorld, gravity: number, step: number) {
  const down = new Jolt.Vec3(0, -gravity, 0);
  const update = new Jolt.ExtendedUpdateSettings();
  update.mStickToFloorStepDown = new Jolt.Vec3(0, -step, 0);
  update.mWalkStairsStepUp = new Jolt.Vec3(0, step, 0);
  const broad = new Jolt.DefaultBroadPhaseLayerFilter(world.GetObjectVsBroadPhaseLayerFilter(), 0);
  const layer = new Jolt.DefaultObjectLayerFilter(world.GetObjectLayerPairFilter(), 0);
  const bodies = new Jolt.BodyFilter();
  const shapes = new Jolt.ShapeFilter();
  const allocator = world.GetTempAllocator();
  const velocity = new Jolt.Vec3(0, 0, 0);
  return (hero: CharacterVirtual, vx: number, vz: number, dt: number): void => {
    const stands = hero.GetGroundState() === Jolt.EGroundState_OnGround;
    const fall = stands ? 0 : hero.GetLinearVelocity().GetY();
    velocity.Set(vx, fall - gravity * dt, vz);
    hero.SetLinearVelocity(velocity);
    hero.ExtendedUpdate(dt, down, update, broad, layer, bodies, shapes, allocator);
  };
}

/**
 * The arrays are written straight to where Jolt keeps them: a call for each number would take longer than the tree, and
 * lists of our own would be copied and searched for doubles, for which a million triangles leave no memory.
 */
export function makeShape(
  Jolt: JoltModule,
  { positions, index, count }: Pick<Triangles, 'positions' | 'index' | 'count'>,
) {
  const settings = new Jolt.MeshShapeSettings();
  const { mTriangleVertices: vertices, mIndexedTriangles: triangles } = settings;
  vertices.resize(positions.length / 3);
  triangles.resize(count);
  Jolt.HEAPF32.set(positions, Jolt.getPointer(vertices.at(0)) / 4);
  // An IndexedTriangle: three corners, a material, something of the user's.
  const memory = Jolt.HEAPU32;
  for (let i = 0, at = Jolt.getPointer(triangles.at(0)) / 4; i < index.length; i += 3, at += 5) {
    memory[at] = index[i]!;
    memory[at + 1] = index[i + 1]!;
    memory[at + 2] = index[i + 2]!;
    memory[at + 3] = 0;
    memory[at + 4] = 0;
  }
  const result = settings.Create();
  if (result.HasError()) throw new Error(`Jolt: ${result.GetError().c_str()}`);
  const shape = result.Get();
  shape.AddRef();
  Jolt.destroy(settings);
  return shape;
}

/** The shape where it stands. */
function place(Jolt: JoltModule, triangles: Triangles) {
  const placed = new Jolt.TransformedShape();
  placed.mShape = makeShape(Jolt, triangles);
  placed.SetWorldTransform(new Jolt.RVec3(0, 0, 0), new Jolt.Quat(0, 0, 0, 1), new Jolt.Vec3(1, 1, 1));
  return placed;
}

const vec = (Jolt: JoltModule, { x, y, z }: Point, scale = 1) =>
  new Jolt.Vec3(x * scale, y * scale, z * scale);

/** As `Reset` leaves it: the next number after 1. */
const NO_HIT = 1 + 2 ** -23;

export function joltRays(Jolt: JoltModule, triangles: Triangles, rays: readonly BenchRay[]): Asked {
  const target = place(Jolt, triangles);
  const reach = REACH * triangles.size;
  const mine = rays.map(
    ({ origin: { x, y, z }, direction }) =>
      new Jolt.RRayCast(new Jolt.RVec3(x, y, z), vec(Jolt, direction, reach)),
  );
  const hit = new Jolt.RayCastResult();
  const cast = (i: number): number => {
    hit.mFraction = NO_HIT;
    target.CastRay(mine[i]!, hit);
    return hit.mFraction;
  };
  return {
    name: 'Jolt',
    run() {
      let sum = 0;
      for (let i = 0; i < mine.length; i++) {
        const t = cast(i);
        if (t <= 1) sum += t;
      }
      return sum;
    },
    answer(i) {
      const t = cast(i);
      return t <= 1 ? t * reach : Infinity;
    },
  };
}

export function joltSweeps(Jolt: JoltModule, triangles: Triangles, sweeps: readonly BenchSweep[]): Asked {
  const target = place(Jolt, triangles);
  const scale = new Jolt.Vec3(1, 1, 1);
  const mine = sweeps.map(({ center: { x, y, z }, radius, motion }) => {
    const start = Jolt.RMat44.prototype.sTranslation(new Jolt.RVec3(x, y, z));
    const ball = new Jolt.SphereShape(radius);
    ball.AddRef();
    return new Jolt.RShapeCast(ball, scale, start, vec(Jolt, motion));
  });
  const settings = new Jolt.ShapeCastSettings();
  settings.mBackFaceModeTriangles = Jolt.EBackFaceMode_CollideWithBackFaces;
  const base = new Jolt.RVec3(0, 0, 0);
  const collector = new Jolt.CastShapeClosestHitCollisionCollector();
  const filter = new Jolt.ShapeFilter();
  const cast = (i: number): number => {
    collector.Reset();
    target.CastShape(mine[i]!, settings, base, collector, filter);
    return collector.HadHit() ? collector.mHit.mFraction : Infinity;
  };
  return {
    name: 'Jolt',
    run() {
      let sum = 0;
      for (let i = 0; i < mine.length; i++) {
        const t = cast(i);
        if (t <= 1) sum += t;
      }
      return sum;
    },
    answer: (i) => cast(i) * lengthOf(sweeps[i]!.motion),
  };
}
