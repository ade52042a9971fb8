import { closestPointTriangle, rayTriangle, sweepSphereTriangle } from 'graze/primitives';
import type { Point } from './data.ts';
import { type BenchRay, type BenchSweep, cornerOf, type Triangles } from './meshes.ts';
import { type Asked, distanceOf, lengthOf } from './peers/peer.ts';

/** Distances may be off by this part of the size of the mesh: single precision loses that much and should lose no more. */
const TOLERANCE = 1e-4;
/** Single precision moves a ray sideways by no more than this part of the size. */
const SIDEWAYS = 1e-6;
/** Above this part of wrong answers, it is us who are wrong: somebody is called in a wrong way. */
const SUSPICIOUS = 0.1;

export class BruteForce {
  private readonly centers: Float64Array;
  private readonly radii: Float64Array;
  private readonly corners: Point[][];
  private readonly slack: number;

  constructor(triangles: Triangles) {
    const { count } = triangles;
    this.centers = new Float64Array(count * 3);
    this.radii = new Float64Array(count);
    this.corners = [];
    this.slack = 1e-6 * triangles.size;
    for (let i = 0; i < count; i++) {
      const corners = [0, 1, 2].map((k) => cornerOf(triangles, i, k));
      const [a, b, c] = corners as [Point, Point, Point];
      const center = { x: (a.x + b.x + c.x) / 3, y: (a.y + b.y + c.y) / 3, z: (a.z + b.z + c.z) / 3 };
      this.centers.set([center.x, center.y, center.z], i * 3);
      this.radii[i] = Math.max(...corners.map((p) => distanceOf(p, center))) + this.slack;
      this.corners.push(corners);
    }
  }

  /** The triangles within `reach` of the line through o along d. */
  private *near(o: Point, d: Point, reach: number): Generator<[Point, Point, Point]> {
    const { centers, radii, corners } = this;
    const dd = d.x * d.x + d.y * d.y + d.z * d.z;
    for (let i = 0; i < radii.length; i++) {
      const x = centers[i * 3]! - o.x;
      const y = centers[i * 3 + 1]! - o.y;
      const z = centers[i * 3 + 2]! - o.z;
      const cx = y * d.z - z * d.y;
      const cy = z * d.x - x * d.z;
      const cz = x * d.y - y * d.x;
      const r = radii[i]! + reach;
      if (cx * cx + cy * cy + cz * cz <= r * r * dd) yield corners[i] as [Point, Point, Point];
    }
  }

  /** How far the first hit is, infinite for none. */
  ray(ray: BenchRay): number {
    let best = Infinity;
    for (const [a, b, c] of this.near(ray.origin, ray.direction, 0))
      best = Math.min(best, rayTriangle(ray, a, b, c)?.t ?? Infinity);
    return best * lengthOf(ray.direction);
  }

  sweep({ center, radius, motion }: BenchSweep): number {
    let best = Infinity;
    for (const [a, b, c] of this.near(center, motion, radius))
      best = Math.min(best, sweepSphereTriangle({ center, radius }, motion, a, b, c)?.t ?? Infinity);
    return best * lengthOf(motion);
  }

  point(p: Point): number {
    const { centers, radii, corners } = this;
    let best = Infinity;
    for (let i = 0; i < radii.length; i++) {
      const x = centers[i * 3]! - p.x;
      const y = centers[i * 3 + 1]! - p.y;
      const z = centers[i * 3 + 2]! - p.z;
      const reach = best + radii[i]!;
      if (x * x + y * y + z * z > reach * reach) continue;
      const [a, b, c] = corners[i] as [Point, Point, Point];
      best = Math.min(best, distanceOf(p, closestPointTriangle(p, a, b, c)));
    }
    return best;
  }
}

/** Is the point inside? Van Oosterom and Strackee's solid angles add up to 4π times how often the mesh winds around it. */
export function windsAround(triangles: Triangles, p: Point): boolean {
  const { positions, index } = triangles;
  let sum = 0;
  for (let i = 0; i < index.length; i += 3) {
    const [a, b, c] = [index[i]! * 3, index[i + 1]! * 3, index[i + 2]! * 3];
    const ax = positions[a]! - p.x;
    const ay = positions[a + 1]! - p.y;
    const az = positions[a + 2]! - p.z;
    const bx = positions[b]! - p.x;
    const by = positions[b + 1]! - p.y;
    const bz = positions[b + 2]! - p.z;
    const cx = positions[c]! - p.x;
    const cy = positions[c + 1]! - p.y;
    const cz = positions[c + 2]! - p.z;
    const la = Math.sqrt(ax * ax + ay * ay + az * az);
    const lb = Math.sqrt(bx * bx + by * by + bz * bz);
    const lc = Math.sqrt(cx * cx + cy * cy + cz * cz);
    const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const ab = ax * bx + ay * by + az * bz;
    const bc = bx * cx + by * cy + bz * cz;
    const ca = cx * ax + cy * ay + cz * az;
    sum += 2 * Math.atan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb);
  }
  return sum > 2 * Math.PI;
}

/** From … to what an answer may be. */
type Range = readonly [low: number, high: number];

/**
 * Counts wrong answers among the first `judged`. Where an answer is not within the tolerance of the exact one, it is
 * still right if a question that differs by the rounding of single precision has it: at an outline, a ray may hit or
 * miss. Infinity, for no hit, is a number like all others.
 */
function counter(
  { size }: Triangles,
  judged: number,
  exact: (i: number) => number,
  nearly: (i: number) => readonly number[],
): (asked: Asked) => number {
  const tolerance = TOLERANCE * size;
  const truths = new Map<number, number>();
  const ranges = new Map<number, Range>();
  const truth = (i: number): number => {
    if (!truths.has(i)) truths.set(i, exact(i));
    return truths.get(i)!;
  };
  const range = (i: number): Range => {
    if (!ranges.has(i)) {
      const all = [truth(i), ...nearly(i)];
      ranges.set(i, [Math.min(...all), Math.max(...all)]);
    }
    return ranges.get(i)!;
  };
  const within = (answer: number, [low, high]: Range) =>
    answer >= low - tolerance && answer <= high + tolerance;
  return ({ name, answer }) => {
    let wrong = 0;
    for (let i = 0; i < judged; i++) {
      const given = answer(i);
      if (!within(given, [truth(i), truth(i)]) && !within(given, range(i))) wrong++;
    }
    if (wrong > SUSPICIOUS * judged)
      throw new Error(`${name}: ${wrong} of ${judged} wrong, is it called right?`);
    return wrong;
  };
}

/** Nearly the same ray: moved sideways, eight ways. */
function moved({ origin, direction: d }: BenchRay, far: number): BenchRay[] {
  const other = Math.abs(d.x) < 0.6 ? { x: 1, y: 0, z: 0 } : { x: 0, y: 1, z: 0 };
  const cross = (a: Point, b: Point): Point => ({
    x: a.y * b.z - a.z * b.y,
    y: a.z * b.x - a.x * b.z,
    z: a.x * b.y - a.y * b.x,
  });
  const u = cross(d, other);
  const v = cross(d, u);
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => {
    const s = Math.cos((k * Math.PI) / 4) * far;
    const t = Math.sin((k * Math.PI) / 4) * far;
    const o = {
      x: origin.x + s * u.x + t * v.x,
      y: origin.y + s * u.y + t * v.y,
      z: origin.z + s * u.z + t * v.z,
    };
    return { origin: o, direction: d };
  });
}

export function judgeRays(triangles: Triangles, rays: readonly BenchRay[], judged: number) {
  const all = lazyBruteForce(triangles);
  return counter(
    triangles,
    judged,
    (i) => all().ray(rays[i]!),
    (i) => moved(rays[i]!, SIDEWAYS * triangles.size).map((ray) => all().ray(ray)),
  );
}

export function judgePoints(triangles: Triangles, points: readonly Point[], judged: number) {
  const all = lazyBruteForce(triangles);
  return counter(
    triangles,
    judged,
    (i) => all().point(points[i]!),
    () => [],
  );
}

/** Nearly the same sweep: of a sphere larger or smaller by the tolerance. */
export function judgeSweeps(triangles: Triangles, sweeps: readonly BenchSweep[], judged: number) {
  const all = lazyBruteForce(triangles);
  const resized = (sweep: BenchSweep, sign: number) =>
    all().sweep({ ...sweep, radius: sweep.radius + sign * TOLERANCE * triangles.size });
  return counter(
    triangles,
    judged,
    (i) => all().sweep(sweeps[i]!),
    (i) => [resized(sweeps[i]!, 1), resized(sweeps[i]!, -1)],
  );
}

function lazyBruteForce(triangles: Triangles): () => BruteForce {
  let made: BruteForce | undefined;
  return () => {
    made ??= new BruteForce(triangles);
    return made;
  };
}
