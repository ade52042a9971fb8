/** Bodies for image-space tests: what is drawn, and the same as a collider for the exact answer. */
import { type ImageBody, rasterModel } from '../../src/gpu/index.ts';
import { type Collider, collider, hull, mesh, type Pose, type Vec3 } from '../../src/index.ts';
import { convexHull3 } from '../../src/polytope/index.ts';
import { boxMesh, icosphere, type TriangleArrays, torus } from './meshes.ts';
import type { Rng } from './rng.ts';

export interface DrawnBody extends ImageBody {
  readonly pose: Pose;
  readonly triangles: TriangleArrays;
  readonly exact: Collider;
}

/** A closed surface that is solid. */
export const solidBody = (triangles: TriangleArrays, pose: Pose): DrawnBody => ({
  model: rasterModel(triangles),
  triangles,
  pose,
  exact: collider(mesh(triangles.positions, triangles.index), pose),
});

/** The hull of some points: the exact one is asked by GJK. */
export interface HullBody extends DrawnBody {
  readonly points: readonly Vec3[];
  /** A ball inside of it, in local space. */
  readonly center: Vec3;
  readonly radius: number;
}

export function hullBody(points: readonly Vec3[], pose: Pose): HullBody | null {
  const { dimension, faces } = convexHull3(points);
  if (dimension < 3) return null;
  const index = faces.flatMap((loop) => loop.slice(2).flatMap((c, k) => [loop[0]!, loop[k + 1]!, c]));
  const triangles = {
    positions: Float64Array.from(points.flatMap(({ x, y, z }) => [x, y, z])),
    index: Uint32Array.from(index),
  };
  const used = [...new Set(index)].map((i) => points[i]!);
  const mean = (axis: 'x' | 'y' | 'z') => used.reduce((sum, p) => sum + p[axis], 0) / used.length;
  const center = { x: mean('x'), y: mean('y'), z: mean('z') };
  const radius = Math.min(
    ...faces.map((loop) =>
      heightAbove(
        center,
        loop.map((i) => points[i]!),
      ),
    ),
  );
  const exact = collider(hull(used), pose);
  return { model: rasterModel(triangles), triangles, pose, exact, points: used, center, radius };
}

/** How far a point is behind the plane of a face, by its first three corners. */
function heightAbove(p: Vec3, [a, b, c]: readonly Vec3[]): number {
  const [ux, uy, uz] = [b!.x - a!.x, b!.y - a!.y, b!.z - a!.z];
  const [vx, vy, vz] = [c!.x - a!.x, c!.y - a!.y, c!.z - a!.z];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  return -(nx * (p.x - a!.x) + ny * (p.y - a!.y) + nz * (p.z - a!.z)) / Math.hypot(nx, ny, nz);
}

/** The hull with every point at least `depth` inside of it: shrunk about the ball that it holds. Null where nothing is so deep. */
export function shrunk({ points, center: c, radius, pose }: HullBody, depth: number): Collider | null {
  if (depth >= radius) return null;
  const s = 1 - depth / radius;
  const inner = points.map((p) => ({
    x: c.x + s * (p.x - c.x),
    y: c.y + s * (p.y - c.y),
    z: c.z + s * (p.z - c.z),
  }));
  return collider(hull(inner), pose);
}

export const poseAt = (position: Vec3, quaternion = { x: 0, y: 0, z: 0, w: 1 }): Pose => ({
  position,
  quaternion,
});

/** A box, a ball of facets or the hull of a few points, of about unit size; flat ones and needles among them. */
export function randomHull(rng: Rng, pose: Pose): HullBody {
  for (;;) {
    const stretch = rng.chance(0.3) ? { x: 1, y: 1, z: rng.pick([0.02, 0.2, 5]) } : { x: 1, y: 1, z: 1 };
    const kind = rng.int(0, 2);
    const raw =
      kind === 0
        ? pointsOf(boxMesh())
        : kind === 1
          ? pointsOf(icosphere(1))
          : Array.from({ length: rng.int(4, 12) }, () => rng.vec());
    const made = hullBody(
      raw.map(({ x, y, z }) => ({ x: x * stretch.x, y: y * stretch.y, z: z * stretch.z })),
      pose,
    );
    if (made && made.radius > 1e-3) return made;
  }
}

export const pointsOf = ({ positions }: TriangleArrays): Vec3[] =>
  Array.from({ length: positions.length / 3 }, (_, i) => ({
    x: positions[3 * i]!,
    y: positions[3 * i + 1]!,
    z: positions[3 * i + 2]!,
  }));

/** A box, a ball or a ring, of about unit size. */
export const randomSolid = (rng: Rng): TriangleArrays =>
  rng.pick([() => boxMesh(), () => icosphere(1), () => torus(12, 6, 0.8, 0.3)])();
