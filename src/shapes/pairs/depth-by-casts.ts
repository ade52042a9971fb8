/**
 * The depth of bodies about which little is known but how to cast them. For a direction, the first body is put where it is
 * clear of the second, and cast back: where it is stopped, it is parted from it. So the translation parts them, whatever the
 * shapes; it is the least that was found from some directions, each bent towards the normal of the contact as long as that makes
 * it shorter.
 */
import { copyFrame, toFirst } from '../../convex/frame.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { makeAabb } from '../../primitives/types.ts';
import { boundsOf } from '../bounds.ts';
import { makeSeparation, type Separation } from '../results.ts';
import type { Shape } from '../shape.ts';
import { castShapes, contactsOfShapes, separateShapes } from './dispatch.ts';
import { copyPart, copySeparation, type WholeAlgorithm } from './pair.ts';
import { PairContext } from './pair-context.ts';

/** How often a path is bent towards the normal of what held it. */
const MOST_BENDS = 12;
/** Of the length of a path: it is as good as perpendicular to what held it. */
const FLAT = 1e-5;
const MOST_STEP = 100;
/** Cosine between directions that are one, and, relative to the lengths, how little ways with the same end differ. */
const SAME = 0.9999;
const SAME_END = 1e-6;

/** Where to look for a path out, beside the normal of what touches. */
const AXES: readonly ReadonlyVec3[] = [
  vec3(1),
  vec3(-1),
  vec3(0, 1),
  vec3(0, -1),
  vec3(0, 0, 1),
  vec3(0, 0, -1),
];

export const depthByCasts: WholeAlgorithm = {
  depth(a, b, context, out) {
    if (a.kind === 'halfSpace' || b.kind === 'halfSpace') {
      context.limit = Infinity;
      separateShapes(a, b, context, out);
      return;
    }
    const exit = makeSeparation();
    const ways: { readonly start: Vec3; readonly by: number }[] = [];
    for (const start of [v3.copy(out.normal), ...AXES]) {
      if (!(v3.lengthSq(start) > 0.5) || ways.some((way) => v3.dot(way.start, start) > SAME)) continue;
      ways.push({ start, by: exitAlong(a, b, context, v3.copy(start), exit) });
    }
    ways.sort((one, two) => one.by - two.by);
    let least = Infinity;
    let ends = 0;
    // The shortest first. Where two of them are bent to the same end, as a rule all are.
    for (const { start, by: from } of ways) {
      if (from > 2 * least || ends === 2) break;
      const before = least;
      const by = bendWay(a, b, context, start, least, out);
      least = Math.min(least, by);
      ends = Math.abs(by - before) <= SAME_END * before ? ends + 1 : least < before ? 1 : ends;
    }
  },
  manifold(a, b, context, sink) {
    const { separation } = context;
    let least = Infinity;
    contactsOfShapes(a, b, context, {
      add(contact) {
        least = Math.min(least, contact.separation);
        sink.add(contact);
      },
    });
    if (!(least <= 0)) return;
    this.depth(a, b, context, separation);
    if (separation.separation < least * (1 + 1e-6)) sink.add(separation);
  },
};

/**
 * The ends of all ways out are a surface, of which the nearest point is looked for: downhill along it, in steps after Barzilai and
 * Borwein. Fills `out` where the way is shorter than the least, and tells how short it got.
 */
function bendWay(
  a: Shape,
  b: Shape,
  context: PairContext,
  start: ReadonlyVec3,
  least: number,
  out: Separation,
): number {
  const exit = makeSeparation();
  const direction = v3.copy(start);
  let end = vec3();
  let slope = vec3();
  let shortest = Infinity;
  for (let i = 0; i < MOST_BENDS; i++) {
    const by = exitAlong(a, b, context, direction, exit);
    shortest = Math.min(shortest, by);
    if (by < least) {
      least = by;
      copySeparation(exit, out);
    }
    const there = v3.scale(exit.normal, by);
    const downhill = v3.addScaled(there, direction, -v3.dot(there, direction));
    if (!(v3.length(downhill) > FLAT * by)) break;
    const moved = v3.sub(there, end);
    const bend = v3.dot(moved, v3.sub(downhill, slope));
    const step = i > 0 && bend > 0 ? Math.min(MOST_STEP, v3.lengthSq(moved) / bend) : 1;
    end = there;
    slope = downhill;
    v3.normalize(v3.addScaled(there, downhill, -step), direction);
    if (!(v3.lengthSq(direction) > 0.5) || by > 2 * least) break;
  }
  return shortest;
}

const far = /* @__PURE__ */ makeAabb();

/** The middle of a shape, and how far it reaches from there. */
function ballAround(shape: Shape): { readonly center: ReadonlyVec3; readonly radius: number } {
  const { min, max } = boundsOf(shape, undefined, far);
  return { center: v3.lerp(min, max, 0.5), radius: v3.distance(min, max) / 2 };
}

/** How far the first must go along a direction until it is clear of the second. The direction becomes the normal of that contact. */
function exitAlong(a: Shape, b: Shape, { frame }: PairContext, direction: Vec3, out: Separation): number {
  const one = ballAround(a);
  const two = ballAround(b);
  const between = v3.distance(one.center, toFirst(frame, two.center, vec3()));
  const away = 1.01 * (between + one.radius + two.radius);
  const context = new PairContext();
  const { hit, motion } = context;
  copyFrame(frame, context.frame);
  context.frame.tx -= away * direction.x;
  context.frame.ty -= away * direction.y;
  context.frame.tz -= away * direction.z;
  v3.scale(direction, -away, motion);
  hit.t = 1;
  if (!castShapes(a, b, context, hit)) return Infinity;
  const by = away * (1 - hit.t);
  const { pointA, pointB, normal } = out;
  out.separation = -by;
  v3.copy(direction, normal);
  v3.addScaled(hit.point, direction, away, pointB);
  v3.addScaled(pointB, direction, -by, pointA);
  copyPart(hit.moverPart, out.partA);
  copyPart(hit.part, out.partB);
  v3.copy(hit.normal, direction);
  return by;
}
