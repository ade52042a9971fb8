/** Boxes on their way through a level: what the subjects about them ask. */
import { box, cast, collider, mesh } from 'graze';
import { closestPointMesh } from 'graze/trimesh';
import { Rng } from '../tests/kit/rng.ts';
import type { Point } from './data.ts';
import type { Triangles } from './meshes.ts';
import { lengthOf, ZERO } from './peers/peer.ts';

const N = 2000;

export interface BoxCast {
  readonly half: Point;
  readonly position: Point;
  readonly quaternion: { x: number; y: number; z: number; w: number };
  readonly motion: Point;
}

const single = ({ x, y, z }: Point): Point => ({ x: Math.fround(x), y: Math.fround(y), z: Math.fround(z) });

/** None starts in touch, or in a solid: engines give different things there. */
export function makeCasts(triangles: Triangles): BoxCast[] {
  const rng = new Rng(0xb0c5);
  const { min, max } = triangles;
  const target = mesh(triangles.positions, triangles.index);
  const casts: BoxCast[] = [];
  // As in a game: many bodies of few shapes.
  const side = (): number => rng.range(0.1, 0.5);
  const sizes = Array.from({ length: 8 }, () => single({ x: side(), y: side(), z: side() }));
  while (casts.length < N) {
    const half = rng.pick(sizes);
    const position = single({
      x: rng.range(min.x, max.x),
      y: rng.range(min.y, max.y),
      z: rng.range(min.z, max.z),
    });
    const { distance } = closestPointMesh(position, target)!;
    const nearby = casts.length % 2 === 0;
    const radius = lengthOf(half);
    if (!(distance > 1.01 * radius) || (nearby && distance > 2 * radius)) continue;
    const d = rng.direction();
    const length = rng.range(0.1, 10);
    const motion = single({ x: d.x * length, y: d.y * length, z: d.z * length });
    const q = rng.rotation();
    const [x, y, z, w] = [q.x, q.y, q.z, q.w].map(Math.fround) as [number, number, number, number];
    const quaternion = { x, y, z, w };
    const mover = collider(box(half.x, half.y, half.z), { position, quaternion });
    if (cast(mover, { translation: ZERO }, target)) continue;
    casts.push({ half, position, quaternion, motion });
  }
  return casts;
}

/** One shape for each size. */
export function shared<T>(make: (half: Point) => T): (half: Point) => T {
  const made = new Map<Point, T>();
  return (half) => {
    const known = made.get(half);
    if (known !== undefined) return known;
    const fresh = make(half);
    made.set(half, fresh);
    return fresh;
  };
}
