// runs: 10000 50000 200000
/**
 * A frame of a broad phase: all boxes have moved, all pairs that overlap are found. Boxes of half to one and a half times
 * the same size, about four overlaps each, that move by up to a twentieth of their size a frame, to and fro.
 *
 * What is measured. graze: `moveMany` and `collectPairs`. crashcat: its tree is told every body, rebuilt, and asked for
 * every body. cannon-es: `collisionPairs`. Rapier and Jolt do not give their broad phases away: kinematic boxes move by
 * their velocities in a step of the world without any call from here. Two kinematic bodies never touch for them, so that
 * pairs are found and dropped: no contacts, no solver; the pairs are not told, and cannot be counted.
 */
import * as CANNON from 'cannon-es';
import * as cat from 'crashcat';
import { DynamicTree, HierarchicalGrid, SortAndSweep } from 'graze';
import { type Contender, lazily, race, rng } from '../harness.ts';
import { jolt as loadJolt } from '../peers/jolt.ts';
import { type RapierBuild, rapiers } from '../peers/rapier.ts';

const n = Number(process.argv[2] ?? 10_000);
const FRAMES = 16;
const DT = 1 / 60;
/** More bodies have not been made to work with Jolt: 50,000 fail in the build as it comes. */
const JOLT_MOST = 10_000;
/** Nor has cannon-es with 10,000: it runs out of memory. */
const CANNON_MOST = 1000;
const side = Math.cbrt(2 * n);

const centers = Float64Array.from({ length: 3 * n }, () => Math.fround(rng.range(0, side)));
const halves = Float64Array.from({ length: 3 * n }, () => Math.fround(rng.range(0.25, 0.75)));
const steps = Float64Array.from({ length: 3 * n }, () => Math.fround(rng.range(-0.05, 0.05)));

/** All boxes at each frame, six numbers a box. */
const frames = Array.from({ length: FRAMES }, (_, frame) => {
  const boxes = new Float64Array(6 * n);
  for (let i = 0; i < 3 * n; i++) {
    const at = 6 * Math.floor(i / 3) + (i % 3);
    const center = centers[i]! + frame * steps[i]!;
    boxes[at] = center - halves[i]!;
    boxes[at + 3] = center + halves[i]!;
  }
  return boxes;
});

/** To and fro through the frames. `turn` is called where the direction changes, with the new one. */
function player(turn: (sign: number) => void = () => {}) {
  let frame = 0;
  let sign = 1;
  return {
    next(): void {
      if (frame + sign < 0 || frame + sign >= FRAMES) {
        sign = -sign;
        turn(sign);
      }
      frame += sign;
    },
    get boxes(): Float64Array {
      return frames[frame]!;
    },
    center: (i: number): number => centers[i]! + frame * steps[i]!,
    get truth(): number {
      return truths[frame]!();
    },
  };
}

/** By sorting along x, in plain code. */
const truths = frames.map((boxes) =>
  lazily(() => {
    const order = Array.from({ length: n }, (_, i) => i).sort((a, b) => boxes[6 * a]! - boxes[6 * b]!);
    let count = 0;
    for (let k = 0; k < n; k++) {
      const p = 6 * order[k]!;
      for (let l = k + 1; l < n; l++) {
        const q = 6 * order[l]!;
        if (boxes[q]! > boxes[p + 3]!) break;
        if (boxes[p + 1]! > boxes[q + 4]! || boxes[q + 1]! > boxes[p + 4]!) continue;
        if (boxes[p + 2]! <= boxes[q + 5]! && boxes[q + 2]! <= boxes[p + 5]!) count++;
      }
    }
    return count;
  }),
);

const boxAt = (boxes: Float64Array, i: number) => {
  const [ax, ay, az, bx, by, bz] = boxes.subarray(6 * i, 6 * i + 6) as unknown as number[];
  return { min: { x: ax!, y: ay!, z: az! }, max: { x: bx!, y: by!, z: bz! } };
};

/** One that says how many pairs there are; it is wrong by the difference. */
function counting(name: string, play: ReturnType<typeof player>, frame: () => number): Contender {
  let last = 0;
  return {
    name,
    before: play.next,
    run() {
      last = frame();
      return last;
    },
    wrong: () => Math.abs(last - play.truth),
  };
}

function ours(kind: 'tree' | 'sweep' | 'grid'): Contender {
  const play = player();
  const list = { ids: new Int32Array(1024) };
  if (kind === 'tree') {
    const tree = new DynamicTree();
    const proxies = tree.insertMany(frames[0]!);
    return counting('graze DynamicTree', play, () => {
      tree.moveMany(proxies, play.boxes);
      return tree.collectPairs(list);
    });
  }
  const finder = kind === 'sweep' ? new SortAndSweep() : new HierarchicalGrid();
  const ids = Int32Array.from({ length: n }, (_, i) => i);
  for (let i = 0; i < n; i++) finder.add(i, boxAt(frames[0]!, i));
  return counting(`graze ${finder.constructor.name}`, play, () => {
    finder.moveMany(ids, play.boxes);
    return finder.collectPairs(list);
  });
}

function crashcat(): Contender {
  const play = player();
  const settings = cat.createWorldSettings();
  const broad = cat.addBroadphaseLayer(settings);
  const layer = cat.addObjectLayer(settings, broad);
  cat.enableCollision(settings, layer, layer);
  const world = cat.createWorld(settings);
  const bodies = Array.from({ length: n }, (_, i) =>
    cat.rigidBody.create(world, {
      shape: cat.box.create({
        halfExtents: [halves[3 * i]!, halves[3 * i + 1]!, halves[3 * i + 2]!],
        convexRadius: 0,
      }),
      motionType: cat.MotionType.KINEMATIC,
      objectLayer: layer,
      position: [centers[3 * i]!, centers[3 * i + 1]!, centers[3 * i + 2]!],
    }),
  );
  const filter = cat.filter.create(world.settings.layers);
  let self = 0;
  let count = 0;
  const visitor = {
    shouldExit: false,
    visit(body: (typeof bodies)[number]) {
      if (body.index > self) count++;
    },
  };
  const tree = world.broadphase.dbvts[0]!;
  return counting('crashcat', play, () => {
    const boxes = play.boxes;
    for (let i = 0; i < n; i++) {
      const { aabb } = bodies[i]!;
      for (let k = 0; k < 6; k++) aabb[k] = boxes[6 * i + k]!;
      cat.dbvt.update(tree, bodies[i]!);
    }
    cat.dbvt.rebuild(tree);
    count = 0;
    for (let i = 0; i < n; i++) {
      self = bodies[i]!.index;
      cat.dbvt.intersectAABB(world, tree, bodies[i]!.aabb, filter, visitor);
    }
    return count;
  });
}

function cannon(name: string, make: () => CANNON.Broadphase): Contender {
  const play = player();
  const world = new CANNON.World();
  const bodies = Array.from({ length: n }, (_, i) => {
    const body = new CANNON.Body({ mass: 1 });
    body.addShape(new CANNON.Box(new CANNON.Vec3(halves[3 * i], halves[3 * i + 1], halves[3 * i + 2])));
    // Not by `addBody`, which makes a table of all pairs.
    body.index = i;
    world.bodies.push(body);
    return body;
  });
  const broad = make();
  broad.useBoundingBoxes = true;
  broad.setWorld(world);
  return counting(name, play, () => {
    for (let i = 0; i < n; i++) {
      bodies[i]!.position.set(play.center(3 * i), play.center(3 * i + 1), play.center(3 * i + 2));
      bodies[i]!.aabbNeedsUpdate = true;
    }
    const a: CANNON.Body[] = [];
    broad.collisionPairs(world, a, []);
    return a.length;
  });
}

function rapier({ name, rapier: R }: RapierBuild): Contender {
  const world = new R.World({ x: 0, y: 0, z: 0 });
  world.timestep = DT;
  const bodies = Array.from({ length: n }, (_, i) => {
    const [x, y, z] = centers.subarray(3 * i, 3 * i + 3) as unknown as [number, number, number];
    const body = world.createRigidBody(R.RigidBodyDesc.kinematicVelocityBased().setTranslation(x, y, z));
    world.createCollider(
      R.ColliderDesc.cuboid(halves[3 * i]!, halves[3 * i + 1]!, halves[3 * i + 2]!).setSensor(true),
      body,
    );
    return body;
  });
  const turn = (sign: number): void => {
    const f = sign / DT;
    for (let i = 0; i < n; i++)
      bodies[i]!.setLinvel(
        { x: f * steps[3 * i]!, y: f * steps[3 * i + 1]!, z: f * steps[3 * i + 2]! },
        true,
      );
  };
  turn(1);
  const play = player(turn);
  return {
    name,
    before: play.next,
    run() {
      world.step();
      return 1;
    },
  };
}

async function jolt(): Promise<Contender> {
  const Jolt = await loadJolt();
  const settings = new Jolt.JoltSettings();
  settings.mMaxBodies = n + 1;
  settings.mMaxBodyPairs = 1 << 20;
  const pairs = new Jolt.ObjectLayerPairFilterTable(1);
  pairs.EnableCollision(0, 0);
  settings.mObjectLayerPairFilter = pairs;
  const layers = new Jolt.BroadPhaseLayerInterfaceTable(1, 1);
  layers.MapObjectToBroadPhaseLayer(0, new Jolt.BroadPhaseLayer(0));
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(
    layers,
    1,
    settings.mObjectLayerPairFilter,
    1,
  );
  const world = new Jolt.JoltInterface(settings);
  const system = world.GetPhysicsSystem();
  const bodies = system.GetBodyInterface();
  system.SetGravity(new Jolt.Vec3(0, 0, 0));
  const ids = Array.from({ length: n }, (_, i) => {
    const half = new Jolt.Vec3(halves[3 * i]!, halves[3 * i + 1]!, halves[3 * i + 2]!);
    const center = new Jolt.RVec3(centers[3 * i]!, centers[3 * i + 1]!, centers[3 * i + 2]!);
    const creation = new Jolt.BodyCreationSettings(
      new Jolt.BoxShape(half, 0),
      center,
      new Jolt.Quat(0, 0, 0, 1),
      Jolt.EMotionType_Kinematic,
      0,
    );
    creation.mAllowSleeping = false;
    const body = bodies.CreateBody(creation);
    bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
    for (const made of [half, center, creation]) Jolt.destroy(made);
    return body.GetID();
  });
  system.OptimizeBroadPhase();
  const velocity = new Jolt.Vec3(0, 0, 0);
  const turn = (sign: number): void => {
    const f = sign / DT;
    for (let i = 0; i < n; i++) {
      velocity.Set(f * steps[3 * i]!, f * steps[3 * i + 1]!, f * steps[3 * i + 2]!);
      bodies.SetLinearVelocity(ids[i]!, velocity);
    }
  };
  turn(1);
  const play = player(turn);
  return {
    name: 'Jolt',
    before: play.next,
    run() {
      world.Step(DT, 1);
      return 1;
    },
  };
}

cat.registerAll();
const contenders: Contender[] = [
  ours('sweep'),
  ours('tree'),
  ours('grid'),
  ...(await rapiers()).map(rapier),
  crashcat(),
];
if (n <= JOLT_MOST) contenders.push(await jolt());
// It asks every pair: only for small numbers.
if (n <= CANNON_MOST) {
  contenders.push(cannon('cannon-es SAPBroadphase', () => new CANNON.SAPBroadphase(undefined as never)));
  const cells = Math.floor(side / 2);
  contenders.push(
    cannon(
      'cannon-es GridBroadphase',
      () =>
        new CANNON.GridBroadphase(
          new CANNON.Vec3(-2, -2, -2),
          new CANNON.Vec3(side + 2, side + 2, side + 2),
          cells,
          cells,
          cells,
        ),
    ),
  );
}
race({
  title: `broad phase, ${n} moving boxes`,
  calls: n,
  judged: 1,
  rounds: n > 10_000 ? 8 : 25,
  passes: 1,
  contenders,
});
