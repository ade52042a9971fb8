/**
 * What other libraries need for a frame of moving boxes.
 *
 * crashcat: its tree is told every body, rebuilt, and asked for every body. cannon-es: `collisionPairs`. Rapier and Jolt do
 * not give their broad phases away: kinematic boxes move by their velocities in a step of the world without any call from
 * here. Two kinematic bodies never touch for them, so that pairs are found and dropped: no contacts, no solver, nothing is
 * told. They are made to tell pairs after the race; in single precision
 * some differ.
 */
import * as CANNON from 'cannon-es';
import * as cat from 'crashcat';
import type { Contender } from '../harness.ts';
import { boxesMeet, counting, type MovingBoxes, player, pointAt } from '../moving-boxes.ts';
import { jolt as loadJolt, makeWorld } from './jolt.ts';
import type { RapierBuild } from './rapier.ts';

const DT = 1 / 60;

cat.registerAll();

export function crashcat(scene: MovingBoxes): Contender {
  const { n, centers, halves } = scene;
  const play = player(scene);
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

/** Its sort and sweep. */
export function cannon(scene: MovingBoxes): Contender {
  const { n, halves } = scene;
  const play = player(scene);
  const world = new CANNON.World();
  const bodies = Array.from({ length: n }, (_, i) => {
    const body = new CANNON.Body({ mass: 1 });
    body.addShape(new CANNON.Box(new CANNON.Vec3(halves[3 * i], halves[3 * i + 1], halves[3 * i + 2])));
    body.index = i;
    return body;
  });
  // Not by `addBody`, which makes a table of all pairs. In order: it sorts by insertion.
  world.bodies.push(...bodies.sort((a, b) => play.center(3 * a.index) - play.center(3 * b.index)));
  const broad = new CANNON.SAPBroadphase(world);
  broad.useBoundingBoxes = true;
  const one: CANNON.Body[] = [];
  const other: CANNON.Body[] = [];
  return counting('cannon-es', play, () => {
    for (const body of bodies) {
      const i = 3 * body.index;
      body.position.set(play.center(i), play.center(i + 1), play.center(i + 2));
      body.aabbNeedsUpdate = true;
    }
    one.length = 0;
    other.length = 0;
    broad.dirty = true; // as a step of the world does
    broad.collisionPairs(world, one, other);
    return one.length;
  });
}

/** `tells`: pairs are not dropped, which takes longer. */
function rapierWorld({ rapier: R }: RapierBuild, scene: MovingBoxes, tells: boolean) {
  const { n, centers, halves, steps } = scene;
  const world = new R.World({ x: 0, y: 0, z: 0 });
  world.timestep = DT;
  const colliders = Array.from({ length: n }, (_, i) => {
    const { x, y, z } = pointAt(centers, i);
    const body = world.createRigidBody(R.RigidBodyDesc.kinematicVelocityBased().setTranslation(x, y, z));
    const half = pointAt(halves, i);
    const cuboid = R.ColliderDesc.cuboid(half.x, half.y, half.z).setSensor(true);
    if (tells) cuboid.setActiveCollisionTypes(R.ActiveCollisionTypes.ALL);
    return world.createCollider(cuboid, body);
  });
  const run = (speed: number): void => {
    for (const [i, collider] of colliders.entries())
      collider.parent()!.setLinvel(pointAt(steps, i, speed / DT), true);
  };
  run(1);
  return { world, colliders, run, play: player(scene, run) };
}

export function rapier(build: RapierBuild, scene: MovingBoxes): Contender {
  const { world, play } = rapierWorld(build, scene, false);
  return {
    name: build.name,
    before: play.next,
    run() {
      world.step();
      return 1;
    },
    wrong() {
      const told = rapierWorld(build, scene, true);
      for (let frame = 0; frame < 20; frame++) {
        told.play.next();
        told.world.step();
      }
      // Its answers are a step late.
      told.run(0);
      told.world.step();
      let count = 0;
      for (const collider of told.colliders) told.world.intersectionPairsWith(collider, () => count++);
      return Math.abs(count / 2 - told.play.truth);
    },
  };
}

export async function jolt(scene: MovingBoxes): Promise<Contender> {
  const { n, centers, halves, steps } = scene;
  const Jolt = await loadJolt();
  const world = makeWorld(Jolt, (settings) => {
    settings.mMaxBodies = n + 1;
    settings.mMaxBodyPairs = 1 << 20;
  });
  const system = world.GetPhysicsSystem();
  const bodies = system.GetBodyInterface();
  system.SetGravity(new Jolt.Vec3(0, 0, 0));
  const made = Array.from({ length: n }, (_, i) => {
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
    for (const scrap of [half, center, creation]) Jolt.destroy(scrap);
    return body;
  });
  system.OptimizeBroadPhase();
  const velocity = new Jolt.Vec3(0, 0, 0);
  const run = (speed: number): void => {
    for (const [i, body] of made.entries()) {
      const { x, y, z } = pointAt(steps, i, speed / DT);
      velocity.Set(x, y, z);
      bodies.SetLinearVelocity(body.GetID(), velocity);
    }
  };
  run(1);
  const play = player(scene, run);
  return {
    name: 'Jolt',
    before: play.next,
    run() {
      world.Step(DT, 1);
      return 1;
    },
    /** Its boxes are larger than need be: those of pairs that it finds are looked at once more. */
    wrong() {
      const indices = new Map(made.map((body, i) => [body.GetID().GetIndexAndSequenceNumber(), i]));
      const everything = [new Jolt.BroadPhaseLayerFilter(), new Jolt.ObjectLayerFilter()] as const;
      const collector = new Jolt.CollideShapeBodyCollectorJS();
      let self = 0;
      let count = 0;
      collector.Reset = () => {};
      collector.AddHit = (pointer: number) => {
        const other = indices.get(Jolt.wrapPointer(pointer, Jolt.BodyID).GetIndexAndSequenceNumber())!;
        if (other > self && boxesMeet(play.boxes, self, other)) count++;
      };
      const query = system.GetBroadPhaseQuery();
      for (; self < n; self++) {
        collector.ResetEarlyOutFraction();
        query.CollideAABox(made[self]!.GetWorldSpaceBounds(), collector, ...everything);
      }
      return Math.abs(count - play.truth);
    },
  };
}
