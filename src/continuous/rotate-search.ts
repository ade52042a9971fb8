/**
 * The first contact of a turning feature with a standing one, by steps that are never too long: from the nearest points at
 * one time follows a time up to which the pair cannot have come to a given distance (for a vertex over a polygon at
 * once the right one), and so on from there. So nothing is jumped over, and what is reported is at the distance e.
 *
 * Two rules for the zone (van Waveren 2005, §3.3 and §3.4). One keeps the bodies apart and asks nothing about the pair: no
 * two features come nearer to each other than `turn.floor`, the least distance of any two at the start less some
 * rounding. The other says what may move: of a pair that faces each other, the distance must not shrink. If it does
 * so at first, it stops at once; if it leaves the zone, it stops when it comes back; if it does not get out, where it is
 * farthest.
 */

import { EDGE, VERTEX } from './job.ts';
import { measureEdges, sideOfCrossing } from './rotate-edge.ts';
import { edgesMayCross, edgesRise, edgesStayAbove, linesMeet } from './rotate-edge-time.ts';
import { swing } from './rotate-lines.ts';
import { arc, first, now, type Still, turn } from './rotate-state.ts';
import { measureVertex } from './rotate-vertex.ts';
import { sideOfPolygon } from './rotate-vertex-side.ts';
import { comesRound, planeMeets, vertexRises, vertexStaysAbove } from './rotate-vertex-time.ts';

/** Far from anything. */
const OUTSIDE = 0;
/** In the zone, facing each other: must not approach. */
const ZONE = 1;
/** In the zone, but a neighbour is nearer: only the floor holds. */
const BESIDE = 2;
/** At the border of the zone, and not yet in it for sure: what slides along there is not stopped. */
const BORDER = 3;

/** A pair that takes more is left out: sweep-way.ts proves the way without it. */
const MOST_STEPS = 512;

/**
 * How much nearer than `gap` a pair may come: rounding must not stop what slides. Less where hardly anything is left; where the
 * zone begins, as much as contacts are off.
 */
const allowance = (gap: number): number =>
  Math.max(Math.min(0.5 * turn.slack, 0.25 * (Math.abs(gap) + turn.tolerance)), gap - turn.deepest);

/** Keeps the floor below the least distance of features at the start. */
export function setFloor(): void {
  const gap = turn.startGap;
  turn.floor =
    gap > turn.touch ? Math.min(turn.inside, gap - allowance(gap)) : Math.min(turn.inside, 0.5 * turn.touch);
}

/**
 * Searches from the time r (before which nothing happens) for the first contact of a vertex (`isEdge` false; on its arc
 * already) and polygon f of `still`, or of the edges in `swing` and `bar`; takes it if it is before `turn.best`.
 * `isNew` says that the pair may be in the zone at r already without having come there from outside.
 */
export function searchPair(
  still: Still,
  moving: Still,
  isEdge: boolean,
  f: number,
  moved: number,
  r: number,
  isNew: boolean,
): void {
  turn.side = 0;
  let from = r;
  // A step in which nothing moves by more than half of its measure.
  const least = 0.25 / (isEdge ? swing.reach : arc.reach);
  let state = OUTSIDE;
  let level = turn.enter;
  /** In the zone: the greatest distance so far, and when. At the border: when it was reached. */
  let top = 0.5;
  let topAt = r;
  /** Touched at the start, and not yet clear of each other. */
  let isTouching = false;
  for (let step = 0; step < MOST_STEPS; step++) {
    if (isEdge) measureEdges(still, moving, r);
    else measureVertex(still, f, r);
    turn.steps++;
    const { gap, valid } = now;
    let next = 0.5;
    if (isEdge && !now.isInside) {
      next = edgesMayCross();
      if (next > r + (least * turn.e) / 512) {
        if (!(next <= turn.best)) return;
        // In the zone they can be there, coming from the side.
        r = from = next;
        state = OUTSIDE;
        level = turn.enter;
        isNew = true;
        isTouching = false;
        turn.side = 0;
        continue;
      }
    }
    if (isEdge && state === ZONE && level > 0 && gap < -turn.touch) {
      // They did not come as near as `level`, so the one went round an end of the other.
      r = from = now.r;
      state = OUTSIDE;
      level = turn.enter;
      isNew = true;
      isTouching = false;
      turn.side = 0;
      continue;
    }
    if (gap > 2 * turn.touch) isTouching = false;
    if (gap > turn.leave) {
      state = OUTSIDE;
      level = turn.enter;
      turn.side = 0;
    } else if (now.isBack) {
      // From behind it may come as near as it likes, but not to the front.
      next = comesRound(still, f);
      if (next > r) {
        if (!(next <= turn.best)) return;
        r = from = next;
        state = OUTSIDE;
        level = turn.enter;
        isNew = true;
        turn.side = 0;
        if (step > 0) step--;
        continue;
      }
      state = BESIDE;
      level = 0.75 * gap;
    } else {
      if (state === OUTSIDE && isNew && gap <= turn.accept) {
        if (!turn.second) {
          // First all distances at the start must be known.
          if (r === 0 && gap < turn.startGap) turn.startGap = gap;
          turn.deferred = true;
          return;
        }
        isTouching = gap <= turn.touch;
        state = BESIDE;
      } else if (state === OUTSIDE && gap <= turn.border) {
        state = BORDER;
        topAt = r;
        level = turn.inside;
      }
      if (state === BORDER && gap <= turn.surely) {
        if (!valid && !turn.second) {
          turn.deferred = true;
          return;
        }
        if (valid || turn.startGap > turn.inside || goesThrough(isEdge, still, moving, f, r)) {
          takeAt(isEdge, still, moving, f, moved, topAt);
          return;
        }
        state = BESIDE;
      }
      if (state === ZONE && !valid) {
        state = BESIDE;
        turn.side = 0;
      } else if (state === BESIDE && valid) {
        state = ZONE;
        turn.side = isEdge ? sideOfCrossing() : sideOfPolygon(still, f);
        top = gap;
        topAt = r;
      } else if (state === ZONE && gap > top) {
        top = gap;
        topAt = r;
      }
      if (state === ZONE) {
        const allowed = allowance(top);
        if (gap < top - 0.5 * allowed) {
          takeAt(isEdge, still, moving, f, moved, topAt);
          return;
        }
        level = top - allowed;
      } else if (state === BESIDE) {
        level = turn.floor;
        if (gap <= level + 0.25 * allowance(level)) {
          if (!isTouching || now.isBlocked) {
            takeAt(isEdge, still, moving, f, moved, r);
            return;
          }
        }
      }
    }
    isNew = false;
    // Which side they are on cannot be told, or whether they cross (their ends are looked after by themselves), or they turn
    // about the place where they touch: look again soon, and then less and less often.
    const isLost = state === BESIDE && (isTouching || (isEdge && !now.isInside));
    if (isLost || (isTouching && state === ZONE && Math.abs(now.rate) <= turn.slack)) {
      next = r + Math.max(r - from, least * turn.touch);
    } else {
      next = isEdge ? edgesStayAbove(level) : vertexStaysAbove(still, f, level);
      if (state === ZONE && now.rate > -0.25 * turn.slack) {
        const out = 1.000001 * turn.leave;
        if (!isEdge) next = Math.min(next, vertexRises(out));
        else if (now.rate > 0.25 * turn.slack) next = edgesRise(still, moving, out, next);
      }
      next = Math.max(next, r + least * (state === ZONE || state === BESIDE ? allowance(gap) : turn.e / 512));
    }
    if (!(next <= turn.best)) return;
    r = next;
  }
  turn.unproved = true;
}

/** Takes the pair as it is at the time r. */
export function takeAt(
  isEdge: boolean,
  still: Still,
  moving: Still,
  f: number,
  moved: number,
  r: number,
): void {
  if (first.found ? !(r < turn.best) : !(r <= turn.best)) return;
  if (isEdge) measureEdges(still, moving, r);
  else measureVertex(still, f, r);
  take(isEdge, still, moved, r);
}

/**
 * Will the vertex go through the polygon, or the edge through the other, from the time r on? Then it does not matter that
 * a neighbour is nearer now. If not, `now` is left as it was.
 */
function goesThrough(isEdge: boolean, still: Still, moving: Still, f: number, r: number): boolean {
  const meets = isEdge ? linesMeet() : planeMeets(still, f);
  if (!(meets <= turn.end)) return false;
  if (isEdge) measureEdges(still, moving, meets);
  else measureVertex(still, f, meets);
  if (now.isInside) return true;
  if (isEdge) measureEdges(still, moving, r);
  else measureVertex(still, f, r);
  return false;
}

/** Takes the pair as measured. */
function take(isEdge: boolean, still: Still, moved: number, r: number): void {
  turn.best = r;
  first.found = true;
  first.turnsMover = still.isTarget;
  first.movingKind = isEdge ? EDGE : VERTEX;
  first.movingFeature = isEdge ? swing.edge : moved;
  first.stillKind = now.kind;
  first.stillFeature = now.feature;
  first.gap = now.gap;
  first.nx = now.nx;
  first.ny = now.ny;
  first.nz = now.nz;
  first.x = now.x;
  first.y = now.y;
  first.z = now.z;
  first.qx = now.qx;
  first.qy = now.qy;
  first.qz = now.qz;
}
