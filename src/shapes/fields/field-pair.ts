/** A field against any other body: see `field-search.ts`. */
import { copyFrame, directionToFirst, type Frame, makeFrame } from '../../convex/frame.ts';
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { copyPoint } from '../body-space.ts';
import type { Separation } from '../results.ts';
import type { FieldShape, Shape } from '../shape.ts';
import { clearParts, type PairAlgorithm } from '../pairs/pair.ts';
import { type FieldSearch, releaseSearch, takeSearch, type Trajectory } from './field-search.ts';

/** Steady motion without rotation: the field moves, so the other body goes the opposite way. */
class Translation implements Trajectory {
  frame!: Frame;
  motion!: ReadonlyVec3;
  private speed = 0.5;

  start(frame: Frame, motion: ReadonlyVec3): this {
    this.frame = frame;
    this.motion = motion;
    this.speed = Math.sqrt(motion.x * motion.x + motion.y * motion.y + motion.z * motion.z);
    return this;
  }

  frameAt(t: number, out: Frame): void {
    const { frame, motion } = this;
    copyFrame(frame, out);
    out.tx -= t * motion.x;
    out.ty -= t * motion.y;
    out.tz -= t * motion.z;
  }

  speedOf(): number {
    return this.speed;
  }
}

function fill(search: FieldSearch, out: Separation): void {
  const { point, value } = search;
  const { pointA, pointB, normal } = out;
  const n = search.takeNormal();
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
      copyFrame(frame, search.begin(a, 1, b).frame);
      return search.nearest(0, true) && search.value <= 0;
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
      copyFrame(frame, search.begin(a, 1, b).frame);
      if (!search.nearest(limit, false) || search.value > limit) return false;
      fill(search, out);
      return true;
    } finally {
      releaseSearch();
    }
  },
  contacts(a, b, context, sink) {
    const { separation } = context;
    if (this.separation(a, b, context, separation)) sink.add(separation);
  },
  cast(a, b, { frame, motion }, hit) {
    const search = takeSearch();
    try {
      if (!search.begin(a, 1, b).first(new Translation().start(frame, motion), hit.t)) return false;
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
  whole: null,
};
