/** Two meshes, one of them moved, without any tree: what queries of mesh against mesh must agree with. */
import type { Pose, Vec3 } from '../../src/math/types.ts';
import { cornersOf, moved, type TriangleArrays } from './meshes.ts';
import type { Rng } from './rng.ts';

/**
 * The corners of a triangle, rotated and moved. Rounded in the same places as by the library, which decides exactly for
 * just these corners: a matrix from the quaternion, three products and three sums.
 */
export function movedCorners(t: TriangleArrays, i: number, pose?: Pose | null): [Vec3, Vec3, Vec3] {
  const corners = cornersOf(t, i);
  return pose ? (corners.map((p) => movedPoint(p, pose)) as [Vec3, Vec3, Vec3]) : corners;
}

export function movedPoint({ x, y, z }: Vec3, { position: t, quaternion: q }: Pose): Vec3 {
  const s = 2 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  const row = (a: number, b: number, c: number, d: number): number => a * x + b * y + c * z + d;
  return {
    x: row(1 - s * (q.y * q.y + q.z * q.z), s * (q.x * q.y - q.z * q.w), s * (q.x * q.z + q.y * q.w), t.x),
    y: row(s * (q.x * q.y + q.z * q.w), 1 - s * (q.x * q.x + q.z * q.z), s * (q.y * q.z - q.x * q.w), t.y),
    z: row(s * (q.x * q.z - q.y * q.w), s * (q.y * q.z + q.x * q.w), 1 - s * (q.x * q.x + q.y * q.y), t.z),
  };
}

/** Places for a mesh of about size 1: where it is, on a lattice, turned, as near as it gets. */
export function somePose(rng: Rng): Pose | null {
  if (rng.chance(0.2)) return null;
  const lattice = rng.chance(0.4);
  return {
    position: lattice
      ? { x: rng.int(-2, 2) / 2, y: rng.int(-2, 2) / 2, z: rng.int(-2, 2) / 2 }
      : rng.vec(rng.pick([1e-9, 0.5, 2])),
    quaternion: lattice && rng.chance(0.7) ? { x: 0, y: 0, z: 0, w: 1 } : rng.rotation(),
  };
}

/** The same case in another place and of another size: both meshes and the pose between them. */
export function elsewhere(
  rng: Rng,
  a: TriangleArrays,
  b: TriangleArrays,
  pose: Pose | null,
): { a: TriangleArrays; b: TriangleArrays; pose: Pose | null } {
  const way = rng.int(0, 3);
  if (way === 0) return { a, b, pose };
  if (way === 1) {
    // Small or not, the second far from its own origin, and brought back by the pose: corners move by rounding alone.
    const scale = rng.pick([1, 1e-4, 1e-6]);
    const shift = rng.vec(1e6);
    const q = pose?.quaternion ?? { x: 0, y: 0, z: 0, w: 1 };
    const gone = movedPoint(shift, { position: { x: 0, y: 0, z: 0 }, quaternion: q });
    const { x, y, z } = pose?.position ?? { x: 0, y: 0, z: 0 };
    return {
      a: moved(a, scale),
      b: moved(b, scale, shift),
      pose: {
        position: { x: x * scale - gone.x, y: y * scale - gone.y, z: z * scale - gone.z },
        quaternion: q,
      },
    };
  }
  const scale = way === 2 ? 1e-6 : 1e6;
  const position = pose?.position ?? { x: 0, y: 0, z: 0 };
  return {
    a: moved(a, scale),
    b: moved(b, scale),
    pose: pose && {
      position: { x: position.x * scale, y: position.y * scale, z: position.z * scale },
      quaternion: pose.quaternion,
    },
  };
}
