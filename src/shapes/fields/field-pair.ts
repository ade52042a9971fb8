/** A field against any other body: see `field-search.ts`. */
import { poseInPhase } from '../../continuous/motion.ts';
import { copyFrame, type Frame, relativeFrame } from '../../convex/frame.ts';
import { reduceContacts } from '../../convex/reduce-contacts.ts';
import { type ReadonlyVec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { copyPoint, normalToWorld, pointToWorld } from '../body-space.ts';
import { depthByCasts } from '../pairs/depth-by-casts.ts';
import { between, lengthOf, type MovingBody } from '../pairs/moving-pair.ts';
import { clearParts, flipped, type PairAlgorithm } from '../pairs/pair.ts';
import { makeSeparation, type Separation } from '../results.ts';
import type { FieldShape, Shape } from '../shape.ts';
import { sizeOfBox } from './field.ts';
import { type FieldSearch, releaseSearch, type Trajectory, takeSearch } from './field-search.ts';

/** Steady motion without rotation: the field moves, so the other body goes the opposite way. */
class Translation implements Trajectory {
  private readonly from: Frame;
  private readonly motion: ReadonlyVec3;
  private readonly speed: number;

  constructor(from: Frame, motion: ReadonlyVec3) {
    this.from = from;
    this.motion = motion;
    this.speed = v3.length(motion);
  }

  frameAt(t: number, out: Frame): void {
    const { from, motion } = this;
    copyFrame(from, out);
    out.tx -= t * motion.x;
    out.ty -= t * motion.y;
    out.tz -= t * motion.z;
  }

  speedOf(): number {
    return this.speed;
  }

  /** The field moves along, so that its points come nearer to what is behind them as seen along `away`. */
  closingSpeed(away: ReadonlyVec3): number {
    return -v3.dot(away, this.motion);
  }
}

/** Both bodies move, each with a constant velocity and a constant rotation about an axis. */
class RigidMotions implements Trajectory {
  private readonly first: MovingBody;
  private readonly second: MovingBody;
  private readonly at = vec3();

  constructor(first: MovingBody, second: MovingBody) {
    this.first = first;
    this.second = second;
  }

  frameAt(t: number, out: Frame): void {
    const { first, second } = this;
    poseInPhase(first.pose, first.motion, t, first.now);
    poseInPhase(second.pose, second.motion, t, second.now);
    relativeFrame(first.now, second.now, out);
  }

  /** A point keeps its distance from its own pivot; from the other one it gets as far as both move. */
  speedOf(p: ReadonlyVec3, radius: number): number {
    const { first, second, at } = this;
    const { motion: a } = first;
    const { motion: b } = second;
    pointToWorld(first.pose, p, at);
    const own = lengthOf(a.linear) + a.angle * (between(at, a.pivot) + radius);
    const other = lengthOf(b.linear);
    return own + other + b.angle * (between(at, b.pivot) + radius + own + other);
  }
}

/** What the search has found, with a point of the field that is so far from the other body. */
function fill(search: FieldSearch, value: number, out: Separation): void {
  const { point, normal: n } = search;
  const { pointA, pointB, normal } = out;
  copyPoint(n, normal);
  copyPoint(point, pointA);
  pointB.x = point.x - value * n.x;
  pointB.y = point.y - value * n.y;
  pointB.z = point.z - value * n.z;
  out.separation = value;
  clearParts(out.partA, out.partB);
}

export const fieldAny: PairAlgorithm<FieldShape, Shape> = {
  name: 'branch and bound on cubes',
  intersects(a, b, { frame }) {
    const search = takeSearch();
    try {
      return search.begin(a, 1, b, frame).nearest(0, true);
    } finally {
      releaseSearch();
    }
  },
  gap(a, b, context, out) {
    return this.separation(a, b, context, out);
  },
  separation(a, b, { frame, limit }, out) {
    const search = takeSearch();
    try {
      if (!search.begin(a, 1, b, frame).nearest(limit, false)) return false;
      search.takeNormal();
      fill(search, search.value, out);
      return true;
    } finally {
      releaseSearch();
    }
  },
  contacts(a, b, { frame, limit }, sink) {
    const search = takeSearch();
    try {
      if (!search.begin(a, 1, b, frame).nearest(limit, false)) return;
      const found = [makeSeparation()];
      const n = search.takeNormal();
      fill(search, search.value, found[0]!);
      // A ball touches at one point.
      if (b.kind !== 'sphere')
        search.spread(limit, (p, distance) => {
          const one = makeSeparation();
          copyPoint(p, search.point);
          fill(search, distance, one);
          found.push(one);
        });
      // Four of them are enough to carry a body.
      const across = v3.perpendicular(n);
      const along = v3.cross(n, across);
      const chosen = new Int32Array(4);
      const plane = {
        count: found.length,
        ax: found.map(({ pointA }) => v3.dot(pointA, across)),
        ay: found.map(({ pointA }) => v3.dot(pointA, along)),
        least: SAME * sizeOfBox(a.bounds),
      };
      const count = reduceContacts(plane, 0, chosen);
      for (let i = 0; i < count; i++) sink.add(found[chosen[i]!]!);
    } finally {
      releaseSearch();
    }
  },
  cast(a, b, { frame, motion }, hit) {
    const search = takeSearch();
    try {
      if (!search.begin(a, 1, b, frame).first(new Translation(frame, motion), hit.t)) return false;
      const t = search.value;
      hit.t = t;
      copyPoint(search.point, hit.point);
      hit.point.x += t * motion.x;
      hit.point.y += t * motion.y;
      hit.point.z += t * motion.z;
      copyPoint(search.takeNormal(), hit.normal);
      clearParts(hit.part, hit.moverPart);
      return true;
    } finally {
      releaseSearch();
    }
  },
  rotation: 'branch and bound on cubes, in time',
  castRotating(a, b, context, hit) {
    const { first, second } = context;
    const trajectory = new RigidMotions(first, second);
    const search = takeSearch();
    try {
      const { frame } = context.pair;
      trajectory.frameAt(0, frame);
      if (!search.begin(a, 1, b, frame).first(trajectory, hit.t)) return false;
      hit.t = search.value;
      poseInPhase(first.pose, first.motion, hit.t, first.now);
      pointToWorld(first.now, search.point, hit.point);
      normalToWorld(first.now, search.takeNormal(), hit.normal);
      clearParts(hit.part, hit.moverPart);
      context.gap = 0;
      return true;
    } finally {
      releaseSearch();
    }
  },
  whole: depthByCasts,
};

/** Relative to the size: contacts that are as near to each other are one. */
const SAME = 1e-4;

export const anyField = /* @__PURE__ */ flipped(fieldAny);

/** How little a field's bound may say of its distance. */
const loosenessOf = ({ kind, exact }: FieldShape): number =>
  exact ? 0 : kind === 'levelSet' ? 1 : kind === 'csg' ? 2 : 3;

/** Cubes are cut of the one of which less is known: what they ask is the distance from the other. */
const orderOf = (a: FieldShape, b: FieldShape): PairAlgorithm =>
  (loosenessOf(a) < loosenessOf(b) ? anyField : fieldAny) as PairAlgorithm;

export const fieldField: PairAlgorithm<FieldShape, FieldShape> = {
  name: fieldAny.name,
  intersects: (a, b, context) => orderOf(a, b).intersects(a, b, context),
  gap: (a, b, context, out) => orderOf(a, b).gap(a, b, context, out),
  separation: (a, b, context, out) => orderOf(a, b).separation(a, b, context, out),
  contacts: (a, b, context, sink) => orderOf(a, b).contacts(a, b, context, sink),
  cast: (a, b, context, hit) => orderOf(a, b).cast(a, b, context, hit),
  rotation: fieldAny.rotation,
  castRotating: (a, b, context, hit) => orderOf(a, b).castRotating(a, b, context, hit),
  whole: fieldAny.whole,
};
