/** Where a collider stands in the frame of the character. */
import * as q4 from '../math/quat.ts';
import type { Pose, ReadonlyPose, ReadonlyQuat } from '../math/types.ts';
import { quat } from '../math/types.ts';

/** The frame of the character: its position at the start of the move, and the turn that takes y to its up. */
export interface Frame {
  x: number;
  y: number;
  z: number;
  readonly turn: { x: number; y: number; z: number; w: number };
  /** Is up the y axis? Then nothing is turned. */
  upright: boolean;
}

export const makeFrame = (): Frame => ({
  x: 0.5,
  y: 0.5,
  z: 0.5,
  turn: quat(0.5, 0.5, 0.5, 0.5),
  upright: true,
});

/** From the space of a collider to the frame: columns of a matrix, then a shift. */
export const makeMap = () => ({
  xx: 0.5,
  xy: 0.5,
  xz: 0.5,
  yx: 0.5,
  yy: 0.5,
  yz: 0.5,
  zx: 0.5,
  zy: 0.5,
  zz: 0.5,
  tx: 0.5,
  ty: 0.5,
  tz: 0.5,
  /** The rotation alone. */
  rotation: quat(0.5, 0.5, 0.5, 0.5),
});

export type FrameMap = ReturnType<typeof makeMap>;

const back = quat(0.5, 0.5, 0.5, 0.5);

/** Fills a map for a collider. Its pose must not run user code when it is read. */
export function loadMap({ position, quaternion }: ReadonlyPose, frame: Frame, map: FrameMap): void {
  const dx = position.x - frame.x;
  const dy = position.y - frame.y;
  const dz = position.z - frame.z;
  map.tx = dx;
  map.ty = dy;
  map.tz = dz;
  const { rotation } = map;
  q4.normalize(quaternion, rotation);
  if (!frame.upright) {
    q4.conjugate(frame.turn, back);
    q4.multiply(back, rotation, rotation);
    loadMatrix(back, map);
    map.tx = map.xx * dx + map.yx * dy + map.zx * dz;
    map.ty = map.xy * dx + map.yy * dy + map.zy * dz;
    map.tz = map.xz * dx + map.yz * dy + map.zz * dz;
  }
  loadMatrix(rotation, map);
}

function loadMatrix({ x, y, z, w }: ReadonlyQuat, map: FrameMap): void {
  map.xx = 1 - 2 * (y * y + z * z);
  map.xy = 2 * (x * y + w * z);
  map.xz = 2 * (x * z - w * y);
  map.yx = 2 * (x * y - w * z);
  map.yy = 1 - 2 * (x * x + z * z);
  map.yz = 2 * (y * z + w * x);
  map.zx = 2 * (x * z + w * y);
  map.zy = 2 * (y * z - w * x);
  map.zz = 1 - 2 * (x * x + y * y);
}

/** The pose of a round thing, in the frame. */
export function loadPlace(map: FrameMap, out: Pose): void {
  out.position.x = map.tx;
  out.position.y = map.ty;
  out.position.z = map.tz;
  q4.copy(map.rotation, out.quaternion);
}
