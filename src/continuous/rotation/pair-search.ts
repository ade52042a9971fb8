/**
 * The first contact of a feature that rotates with one that stands still, by steps that are never too long: from the nearest
 * points at one time follows a time up to which the pair cannot have come to a given distance (for a vertex over a polygon
 * at once the right one), and so on from there. So nothing is jumped over, and what is reported is at the distance e.
 *
 * Two rules for the zone (van Waveren 2005, §3.3 and §3.4). One keeps the bodies apart and asks nothing about the pair: no
 * two features come nearer to each other than the floor, the least distance of any two at the start less some rounding. The
 * other says what may move: of a pair of which no neighbour is nearer, the distance must not shrink. If it does so at
 * first, it stops at once; if it leaves the zone, it stops when it comes back; if it does not get out, where it is farthest.
 *
 *             ┌───────────────◀── gap > leave, from any state
 *             ▼
 *         ┌─────────┐ gap ≤ border  ┌────────┐ gap ≤ surely
 *    ────▶│ OUTSIDE │──────────────▶│ BORDER │──────────────▶ contact, when BORDER began
 *         └─────────┘               └────────┘
 *             │ begins in the zone      │ … but a neighbour is nearer, and it does not go through
 *             ▼                         │
 *         ┌────────┐◀──────────────────┘
 *         │ BESIDE │ gap ≤ floor ─────────────────────────────▶ contact, now
 *         └────────┘
 *    no neighbour │ ▲ a neighbour is nearer
 *    is nearer    ▼ │
 *         ┌──────┐  gap < top - allowance
 *         │ ZONE │────────────────────────────────────────────▶ contact, when it was farthest (top)
 *         └──────┘
 *
 *   state     the pair is                                       the next look is before the gap is
 *   OUTSIDE   far away                                          enter
 *   BORDER    at the border of the zone, not yet in it for sure inside
 *   ZONE      in the zone, and no neighbour is nearer           top - allowance(top)
 *   BESIDE    in the zone, but a neighbour is nearer            floor
 *
 * A pair restarts, OUTSIDE and from a later time, where it is known that nothing happens until then: edges that are beside
 * each other, a vertex behind a polygon that is touched from the front only. What touches where it begins has no
 * direction: it may stay on the floor as long as it is not known to go through (`isTouching`, `isBlocked`).
 *
 * Four rules are about pairs that touch at the start, each for a question that the others do not answer:
 *   1. How near may it come?     `setFloor`: a gap that is rounding is no measure; half of `touch` is.
 *   2. On which side is it?      `sideOfPolygon`, `sideOfCrossing`: by where the rotation leads (`isAhead`), as the vector between
 *                                the two points is rounding.
 *   3. Is the pair the nearest?  By the cones of both features, at a direction that is chosen by 2; in a groove it is on both sides.
 *   4. Does it go through now?   `isBlocked`: a vertex clear of the rim of a polygon that sinks into it, edges that cross clear of
 *                                their ends. Nothing else stops a pair of which a neighbour is nearer, for its direction is free.
 * Rule 1 also holds where rule 2 cannot say on which side a pair is. Rule 4 also stops what rule 3 leaves to a neighbour that has
 * been left out.
 */
import { EDGE, VERTEX } from '../feature-contact.ts';
import {
  edgesMayCross,
  edgesRise,
  edgesStayAbove,
  linesMeet,
  measureEdges,
  sideOfCrossing,
} from './edge-edge.ts';
import type { RotationContext } from './rotation-context.ts';
import {
  comesRound,
  measureVertex,
  planeMeets,
  sideOfPolygon,
  vertexRises,
  vertexStaysAbove,
} from './vertex-polygon.ts';

const OUTSIDE = 0;
const ZONE = 1;
const BESIDE = 2;
const BORDER = 3;

/** A pair that takes more is left out: path-proof.ts proves the path without it. */
const MOST_STEPS = 512;

/**
 * How much nearer than `gap` a pair may come: rounding must not stop what slides. Less where hardly anything is left; where the
 * zone begins, as much as contacts are off.
 */
const allowance = ({ slack, tolerance, deepest }: RotationContext, gap: number): number =>
  Math.max(Math.min(0.5 * slack, 0.25 * (Math.abs(gap) + tolerance)), gap - deepest);

/** Keeps the floor below the least distance of features at the start. */
export function setFloor(rotation: RotationContext): void {
  const { startGap: gap, inside, touch } = rotation;
  rotation.floor = Math.min(inside, gap > touch ? gap - allowance(rotation, gap) : 0.5 * touch);
}

/**
 * Searches from the time r (before which nothing happens) for the first contact of the features in `pair`: a vertex, which is
 * on its arc already, or the edges in `movingEdge` and `fixedEdge`. Takes it if it is before `best`. `isNew` says that the
 * pair may be in the zone at r already without having come there from outside.
 */
export function searchPair(rotation: RotationContext, r: number, isNew: boolean): void {
  const { search, pair } = rotation;
  search.perUnit = 0.25 / (pair.isEdge ? rotation.movingEdge.reach : rotation.arc.reach);
  search.topAt = r;
  beginAt(rotation, r);
  search.isNew = isNew;
  for (search.steps = 0; search.steps < MOST_STEPS; search.steps++) {
    measure(rotation, search.r);
    rotation.steps++;
    const jump = freeUntil(rotation);
    if (jump >= 0) {
      if (!(jump <= rotation.best)) return;
      beginAt(rotation, jump);
      search.isNew = true;
      continue;
    }
    if (enterState(rotation)) return;
    const next = nextLook(rotation);
    if (!(next <= rotation.best)) return;
    search.r = next;
  }
  rotation.unproved = true;
}

function beginAt(rotation: RotationContext, r: number): void {
  const { search } = rotation;
  rotation.side = 0;
  search.r = search.from = r;
  search.state = OUTSIDE;
  search.level = rotation.enter;
  search.isTouching = false;
}

function measure(rotation: RotationContext, r: number): void {
  if (rotation.pair.isEdge) measureEdges(rotation, r);
  else measureVertex(rotation, r);
}

/** A time at which the pair restarts, as nothing happens until then; -1 if there is none. */
function freeUntil(rotation: RotationContext): number {
  const { pair, search } = rotation;
  const { r } = search;
  if (pair.isEdge) {
    if (!pair.isInside) {
      // In the zone they can be there, coming from the side.
      const next = edgesMayCross(rotation);
      if (next > r + (search.perUnit * rotation.e) / 512) return next;
    }
    // They did not come as near as `level`, so the one went round an end of the other.
    if (search.state === ZONE && search.level > 0 && pair.gap < -rotation.touch) return r;
  } else if (pair.isBack && pair.gap <= rotation.leave) {
    // From behind it may come as near as it likes, but not to the front.
    const next = comesRound(rotation);
    if (next > r) {
      if (search.steps > 0) search.steps--;
      return next;
    }
  }
  return -1;
}

/** Goes from state to state as the pair was measured. True if its search is over: it is a contact, or has to wait. */
function enterState(rotation: RotationContext): boolean {
  const { pair, search } = rotation;
  const { gap, isNearest } = pair;
  const { r } = search;
  if (gap > 2 * rotation.touch) search.isTouching = false;
  if (gap > rotation.leave) {
    search.state = OUTSIDE;
    search.level = rotation.enter;
    rotation.side = 0;
    search.isNew = false;
    return false;
  }
  if (pair.isBack) {
    search.state = BESIDE;
    search.level = 0.75 * gap;
    search.isNew = false;
    return false;
  }
  if (search.state === OUTSIDE && search.isNew && gap <= rotation.accept) {
    // First all distances at the start must be known.
    if (!rotation.isStartGapKnown) {
      if (r === 0 && gap < rotation.startGap) rotation.startGap = gap;
      return wait(rotation);
    }
    search.isTouching = gap <= rotation.touch;
    search.state = BESIDE;
  } else if (search.state === OUTSIDE && gap <= rotation.border) {
    search.state = BORDER;
    search.topAt = r;
    search.level = rotation.inside;
  }
  search.isNew = false;
  if (search.state === BORDER && gap <= rotation.surely) {
    if (!isNearest && !rotation.isStartGapKnown) return wait(rotation);
    if (isNearest || rotation.startGap > rotation.inside || goesThrough(rotation))
      return takeAt(rotation, search.topAt);
    search.state = BESIDE;
  }
  if (search.state === ZONE && !isNearest) {
    search.state = BESIDE;
    rotation.side = 0;
  } else if (search.state === BESIDE && isNearest) {
    search.state = ZONE;
    rotation.side = pair.isEdge ? sideOfCrossing(rotation) : sideOfPolygon(rotation);
    search.top = gap;
    search.topAt = r;
  } else if (search.state === ZONE && gap > search.top) {
    search.top = gap;
    search.topAt = r;
  }
  if (search.state === ZONE) {
    const allowed = allowance(rotation, search.top);
    if (gap < search.top - 0.5 * allowed) return takeAt(rotation, search.topAt);
    search.level = search.top - allowed;
  } else if (search.state === BESIDE) {
    search.level = rotation.floor;
    if (
      gap <= search.level + 0.25 * allowance(rotation, search.level) &&
      (!search.isTouching || pair.isBlocked)
    )
      return takeAt(rotation, r);
  }
  return false;
}

function wait(rotation: RotationContext): boolean {
  rotation.deferred = true;
  return true;
}

/** The next time to look at the pair. Until then it does not come to `search.level`. */
function nextLook(rotation: RotationContext): number {
  const { pair, search } = rotation;
  const { state, r, perUnit, isTouching, level } = search;
  const { isEdge, gap, rate } = pair;
  // Which side they are on is undecided, or whether they cross (their ends are looked after by themselves), or they rotate
  // about the point where they touch: look again soon, and then less and less often.
  const isLost = state === BESIDE && (isTouching || (isEdge && !pair.isInside));
  if (isLost || (isTouching && state === ZONE && Math.abs(rate) <= rotation.slack))
    return r + Math.max(r - search.from, perUnit * rotation.touch);
  let next = isEdge ? edgesStayAbove(rotation, level) : vertexStaysAbove(rotation, level);
  if (state === ZONE && rate > -0.25 * rotation.slack) {
    const out = 1.000001 * rotation.leave;
    if (!isEdge) next = Math.min(next, vertexRises(rotation, out));
    else if (rate > 0.25 * rotation.slack) next = edgesRise(rotation, out, next);
  }
  const inZone = state === ZONE || state === BESIDE;
  return Math.max(next, r + perUnit * (inZone ? allowance(rotation, gap) : rotation.e / 512));
}

/** Takes the pair as it is at the time r, if nothing was found before. */
export function takeAt(rotation: RotationContext, r: number): true {
  const { first, pair } = rotation;
  if (first.found ? !(r < rotation.best) : !(r <= rotation.best)) return true;
  measure(rotation, r);
  rotation.best = r;
  first.found = true;
  first.rotatesMover = pair.fixed === rotation.target;
  first.movingKind = pair.isEdge ? EDGE : VERTEX;
  first.movingFeature = pair.movingIndex;
  first.fixedKind = pair.kind;
  first.fixedFeature = pair.feature;
  first.gap = pair.gap;
  first.nx = pair.nx;
  first.ny = pair.ny;
  first.nz = pair.nz;
  first.x = pair.x;
  first.y = pair.y;
  first.z = pair.z;
  first.qx = pair.qx;
  first.qy = pair.qy;
  first.qz = pair.qz;
  return true;
}

/**
 * Will the vertex go through the polygon, or the edge through the other, from now on? Then it does not matter that a neighbour
 * is nearer now. If not, the pair is left as it was.
 */
function goesThrough(rotation: RotationContext): boolean {
  const { pair, search } = rotation;
  const meets = pair.isEdge ? linesMeet(rotation) : planeMeets(rotation);
  if (!(meets <= rotation.end)) return false;
  measure(rotation, meets);
  if (pair.isInside) return true;
  measure(rotation, search.r);
  return false;
}
