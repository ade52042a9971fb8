/**
 * When, where and in what direction two moving solids of any kind first touch: samples of each surface are followed through the
 * moving space of the other. "Precise Generalized Contact Point and Normal Determination for Rigid Body Simulation", Algorithm 1.
 */
import {
  checkPose,
  describe,
  mustBeBoolean,
  mustBeFunction,
  mustBeNumber,
  mustBeOneOf,
  mustBeOptions,
  mustHave,
  mustNotBeNegative,
  refuse,
} from '../../math/check.ts';
import * as q4 from '../../math/quat.ts';
import { pose as makePose, type ReadonlyPose, type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { makeObb, type ReadonlyAabb } from '../../primitives/types.ts';
import { type Motion, makeMotionPhases, partOfMotion, poseInPhase, readMotionPhases } from '../motion.ts';
import { PointSearch } from './point-search.ts';
import { makeSteadyBody, RelativePath, type SteadyBody } from './relative-path.ts';
import { clustersOf } from './sample-clusters.ts';
import type { Solid } from './solid.ts';

/** A solid with a pose; a bare one stands at the origin. */
export interface PosedSolid {
  readonly solid: Solid;
  readonly pose: ReadonlyPose;
}

export interface ContactTimeOptions {
  /**
   * 'boxes' (the default) never misses a contact of a sample. 'segments' asks for segments only, for solids whose boxes are slow
   * (to march along a ray in a level set, say): it may miss contacts that are less deep than `tolerance`.
   */
  readonly method?: 'boxes' | 'segments';
  /** How far a path may be from the segments that stand for it. Default: 1e-9 of the sizes and the path. */
  readonly tolerance?: number;
  /**
   * How far apart samples are. Default: Infinity, the few that stand for the surface, which are the vertices of a polyhedron and of
   * curved shapes those that a `Solid` thinks fit.
   */
  readonly spacing?: number;
  /**
   * Samples stand for balls of radius `spacing`, so that nothing between them is missed, edges neither: a contact is never
   * found late, and early where surfaces pass within `spacing`. Needs a `spacing`. Default: false.
   */
  readonly certain?: boolean;
  /** Of `contactTimes`: contacts so much later than the first are listed, too; in parts of the motion. Default: 1e-9. */
  readonly within?: number;
}

/** A contact of a sample of one solid with the other. */
export interface SolidContact {
  /** Part of the motion, from 0 to 1. */
  t: number;
  /** Where they touch at that time, in the world. */
  point: Vec3;
  /** Unit vector out of b towards a. */
  normal: Vec3;
  /** Whose sample it is. */
  sampleOf: 'a' | 'b';
}

/**
 * The first contact of two solids that move at once, each by a translation, a rotation or a rigid motion; null if there is none. They are
 * apart at the start: a sample that is not hits at t = 0. Both directions: samples of a against b, and of b against a.
 * Time: linear in the number of samples, times what a segment or a box costs.
 */
export function contactTime(
  a: PosedSolid | Solid,
  motionA: Motion,
  b: PosedSolid | Solid,
  motionB: Motion,
  options: ContactTimeOptions = {},
): SolidContact | null {
  return new PairSearch('contactTime', a, motionA, b, motionB, options).run(0)[0] ?? null;
}

/** All contacts of samples within a tolerance of the first in time, the earliest first: see `ContactTimeOptions.within`. */
export function contactTimes(
  a: PosedSolid | Solid,
  motionA: Motion,
  b: PosedSolid | Solid,
  motionB: Motion,
  options: ContactTimeOptions = {},
): SolidContact[] {
  return new PairSearch('contactTimes', a, motionA, b, motionB, options).run(options.within ?? 1e-9);
}

/** Relative to the sizes. */
const TOLERANCE = 1e-9;

interface Side {
  readonly solid: Solid;
  readonly body: SteadyBody;
}

class PairSearch {
  private readonly a: Side;
  private readonly b: Side;
  private readonly spacing: number;
  private readonly segmentsOnly: boolean;
  private readonly certain: boolean;
  private readonly tolerance: number;
  private best = Infinity;

  constructor(
    caller: string,
    a: PosedSolid | Solid,
    motionA: Motion,
    b: PosedSolid | Solid,
    motionB: Motion,
    options: ContactTimeOptions,
  ) {
    mustBeOptions(caller, 'options', options, 'method tolerance spacing certain within');
    const { method = 'boxes', spacing = Infinity, certain = false, within = 0 } = options;
    mustBeOneOf(caller, 'options.method', method, ['boxes', 'segments']);
    mustBeBoolean(caller, 'options.certain', certain);
    if (!(typeof spacing === 'number' && spacing > 0))
      refuse(caller, 'options.spacing', `must be above 0, got ${describe(spacing)}`);
    if (certain && !(spacing < Infinity))
      refuse(caller, 'options.certain', 'needs a spacing, which is how early a contact may be');
    mustNotBeNegative(caller, 'options.within', within);
    this.a = readSide(caller, 'a', a, motionA);
    this.b = readSide(caller, 'b', b, motionB);
    this.spacing = spacing;
    this.segmentsOnly = method === 'segments';
    this.certain = certain;
    const { tolerance = TOLERANCE * (sizeOf(this.a) + sizeOf(this.b)) } = options;
    mustNotBeNegative(caller, 'options.tolerance', tolerance);
    this.tolerance = tolerance;
  }

  run(within: number): SolidContact[] {
    const { a, b } = this;
    const found: Met[] = [];
    const forth: Direction = { mover: a, target: b, path: new RelativePath(a.body, b.body), sampleOf: 'a' };
    const back: Direction = { mover: b, target: a, path: new RelativePath(b.body, a.body), sampleOf: 'b' };
    // Spans of time that end here, the earliest last.
    const ends = [1];
    let from = 0;
    while (ends.length > 0 && from <= this.best + within) {
      const to = ends.at(-1)!;
      const there = mayMeet(forth, from, to);
      const here = there > 0 ? mayMeet(back, from, to) : 0;
      const bend = here > 0 ? Math.max(there, here) : 0;
      if (bend > 1 && to - from > SHORTEST) {
        ends.push((from + to) / 2);
        continue;
      }
      ends.pop();
      if (bend > 0) {
        this.follow(forth, from, to, within, found);
        this.follow(back, from, to, within, found);
      }
      from = to;
    }
    const last = this.best + within;
    return found
      .filter(({ t }) => t <= last)
      .sort((one, two) => one.t - two.t)
      .map((one) => contactOf(one, one.sampleOf === 'a' ? b : a));
  }

  /** All samples of one through the space of the other. */
  private follow(direction: Direction, from: number, to: number, within: number, found: Met[]): void {
    const { mover, target, path, sampleOf } = direction;
    const { spacing, certain, tolerance, segmentsOnly } = this;
    const radius = (mover.solid.radius ?? 0) + (certain ? spacing : 0);
    direction.search ??= new PointSearch(path, target.solid, radius, tolerance, segmentsOnly);
    const clusters = clustersOf(mover.solid.sample(spacing));
    const { search } = direction;
    const { points, balls, other, first, end } = clusters;
    const way = path.directionAt(from);
    const u = vec3();
    /** Nodes, each after the time before which no sample of it meets anything. */
    const waiting = other.length > 0 ? [from, 0] : [];
    while (waiting.length > 0) {
      const node = waiting.pop()!;
      const far = other[node]!;
      let since = waiting.pop()!;
      if (end[node]! - first[node]! > 1) {
        v3.set(balls[4 * node]!, balls[4 * node + 1]!, balls[4 * node + 2]!, u);
        since = search.firstOfBall(u, balls[4 * node + 3]!, since, to, this.best + within);
        if (since === Infinity) continue;
      }
      if (far > 0) {
        // What is in front is likely to meet something first.
        const isInFront = heightOf(balls, node + 1, way) > heightOf(balls, far, way);
        waiting.push(since, isInFront ? far : node + 1, since, isInFront ? node + 1 : far);
        continue;
      }
      for (let i = 3 * first[node]!; i < 3 * end[node]!; i += 3) {
        v3.set(points[i]!, points[i + 1]!, points[i + 2]!, u);
        const limit = Math.min(1, this.best + within);
        const t = search.first(u, since, to, limit);
        if (!(t <= limit)) continue;
        if (within === 0) found.length = 0;
        this.best = Math.min(this.best, t);
        const before = path.at(Math.max(0, t - BEFORE), vec3());
        found.push({ t, at: v3.copy(search.point), before, radius, sampleOf });
      }
    }
  }
}

const heightOf = (balls: Float64Array, i: number, { x, y, z }: ReadonlyVec3): number =>
  x * balls[4 * i]! + y * balls[4 * i + 1]! + z * balls[4 * i + 2]!;

/** The samples of one, and the other. */
interface Direction {
  readonly mover: Side;
  readonly target: Side;
  readonly path: RelativePath;
  readonly sampleOf: 'a' | 'b';
  /** Once samples are followed. */
  search?: PointSearch;
}

/** A sample that has met the other solid, in the space of that. */
interface Met {
  readonly t: number;
  readonly at: ReadonlyVec3;
  /** Where it was a little earlier. */
  readonly before: ReadonlyVec3;
  readonly radius: number;
  readonly sampleOf: 'a' | 'b';
}

/** Of the motion: so much before a contact it can be seen where it comes from. */
const BEFORE = 1e-4;
/** A cosine: below, the contact glides, and comes from nowhere. */
const GLIDING = 1e-6;

/** In the world. The point is on the target where its distance is known. */
function contactOf({ t, at, before, radius, sampleOf }: Met, { solid, body }: Side): SolidContact {
  const normal = v3.copy(solid.normal(at));
  // What has no inside has two sides.
  const way = v3.sub(at, before);
  if (v3.dot(normal, way) > GLIDING * v3.length(way)) v3.negate(normal, normal);
  const away = radius > 0 && solid.signedDistance ? Math.max(0, solid.signedDistance(at)) : 0;
  const point = v3.addScaled(at, normal, -away);
  const { position, quaternion } = poseInPhase(body.pose, body.motion, t, makePose());
  v3.add(v3.rotate(point, quaternion, point), position, point);
  v3.rotate(normal, quaternion, normal);
  if (sampleOf === 'b') v3.negate(normal, normal);
  return { t, point, normal, sampleOf };
}

/** In parts of the size of a body: where its corners may bend farther from their chords, the time is halved. */
const BENT = 1 / 8;
/** Spans of time that are not halved. */
const SHORTEST = 1e-4;

/**
 * Broad phase: may one, swept over a span of time, meet the other? 0 if not. Otherwise how far its paths may bend, as a part of what is
 * fine, and more than 0.
 */
function mayMeet({ mover, target, path }: Direction, from: number, to: number): number {
  const { bounds } = mover.solid;
  if (!isBounded(bounds)) return 1;
  const box = makeObb();
  const bend = path.sweptBox(bounds, from, to, box);
  if (!target.solid.box(box)) return 0;
  const fine = BENT * v3.distance(bounds.min, bounds.max);
  return fine > 0 && bend > 0 ? bend / fine : 1;
}

const isBounded = ({ min, max }: ReadonlyAabb): boolean =>
  max.x - min.x < Infinity && max.y - min.y < Infinity && max.z - min.z < Infinity;

const METHODS = ['sample', 'box', 'segment', 'normal'] as const;
const ORIGIN = makePose();

function readSide(caller: string, name: string, given: PosedSolid | Solid, motion: Motion): Side {
  const isPosed = typeof given === 'object' && given !== null && 'solid' in given;
  const solid = isPosed ? given.solid : given;
  const pose = isPosed ? given.pose : ORIGIN;
  mustHave(caller, name, solid, 'a Solid, as solidOf(shape) gives', 'bounds');
  for (const method of METHODS) mustBeFunction(caller, `${name}.${method}`, solid[method]);
  if (solid.signedDistance !== undefined)
    mustBeFunction(caller, `${name}.signedDistance`, solid.signedDistance);
  if (solid.radius !== undefined) mustNotBeNegative(caller, `${name}.radius`, solid.radius);
  for (const end of ['min', 'max'] as const) {
    const corner = solid.bounds[end];
    mustHave(caller, `${name}.bounds.${end}`, corner, '{x, y, z}', 'x');
    for (const axis of ['x', 'y', 'z'] as const)
      mustBeNumber(caller, `${name}.bounds.${end}.${axis}`, corner[axis]);
  }
  checkPose(caller, `${name}.pose`, pose);
  const body = makeSteadyBody();
  v3.copy(pose.position, body.pose.position);
  q4.normalize(pose.quaternion, body.pose.quaternion);
  const phases = makeMotionPhases();
  const motionName = `motion${name.toUpperCase()}`;
  readMotionPhases(caller, motionName, motion, body.pose, phases);
  if (phases.count > 1)
    refuse(caller, motionName, 'must be one motion, not a translation and a rotation one after the other');
  partOfMotion(phases.phases[0], 0, 1, body.motion);
  return { solid, body };
}

/** Of what is bounded; and how far it goes. */
function sizeOf({ solid: { bounds }, body }: Side): number {
  const size = isBounded(bounds) ? v3.distance(bounds.min, bounds.max) : 0;
  return size + v3.length(body.motion.linear);
}
