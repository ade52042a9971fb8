/** A player, an upright box, who walks through a level by the same sweeps as the bricks. van Waveren 2005, §6. */
import { box, type Pose, type ReadonlyVec3, type Vec3 } from 'graze';
import { type PolyhedralModel, polyhedralModel, poseAlong, sweepPolyhedra } from 'graze/continuous';
import { bendWay } from './simulation.ts';

const ORIGIN: Pose = { position: { x: 0, y: 0, z: 0 }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
const THICKNESS = 1e-4;
const PASSES = 5;

export class Player {
  readonly halfSize: ReadonlyVec3 = { x: 0.3, y: 0.8, z: 0.3 };
  readonly model: PolyhedralModel = polyhedralModel(box(0.3, 0.8, 0.3));
  readonly pose: Pose;
  readonly velocity: Vec3 = { x: 0, y: 0, z: 0 };
  onFloor = false;

  constructor(position: ReadonlyVec3) {
    this.pose = { position: { ...position }, quaternion: { x: 0, y: 0, z: 0, w: 1 } };
  }

  /** Walks with a velocity along the ground; gravity does the rest. Steps up what is no higher than `step`. */
  walk(level: PolyhedralModel, x: number, z: number, dt: number, step = 0.35): void {
    const { velocity, pose } = this;
    velocity.y -= 15 * dt;
    velocity.x = x;
    velocity.z = z;
    const before = { ...pose.position };
    const blocked = this.slide(level, { x: x * dt, y: 0, z: z * dt });
    if (blocked && this.onFloor) {
      // Up, on, and down again; kept if it leads farther.
      const plain = { ...pose.position };
      Object.assign(pose.position, before);
      this.slide(level, { x: 0, y: step, z: 0 });
      this.slide(level, { x: x * dt, y: 0, z: z * dt });
      this.slide(level, { x: 0, y: -step, z: 0 });
      const way = (p: ReadonlyVec3) => Math.hypot(p.x - before.x, p.z - before.z);
      if (way(pose.position) <= way(plain) + 1e-6) Object.assign(pose.position, plain);
    }
    const fall = velocity.y * dt;
    const y = pose.position.y;
    this.onFloor = this.slide(level, { x: 0, y: fall, z: 0 }, false) && fall < 0;
    if (pose.position.y - y > fall + 1e-9) velocity.y = 0;
  }

  /** Moves along a way and along what it meets, or up to it. Did it meet anything? */
  private slide(level: PolyhedralModel, way: Vec3, along = true): boolean {
    const walls: Vec3[] = [];
    for (let pass = 0; pass < PASSES; pass++) {
      if (Math.hypot(way.x, way.y, way.z) < 1e-12) break;
      const motion = { translation: { ...way } };
      const hit = sweepPolyhedra(this.model, this.pose, motion, level, ORIGIN, { thickness: THICKNESS });
      poseAlong(this.pose, motion, hit?.t ?? 1, this.pose);
      if (hit === null) break;
      walls.push({ ...hit.normal });
      if (!along) break;
      bendWay(way, 1 - hit.t, walls);
    }
    return walls.length > 0;
  }
}
