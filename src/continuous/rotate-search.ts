/**
 * The first contact of a turning feature with a standing one, by steps that are never too long: from the nearest points at
 * one time follows a time up to which the pair cannot have come to a given distance (for a vertex over a polygon at
 * once the right one), and so on from there. So nothing is jumped over, and what is reported is at the distance e.
 *
 * The zone (van Waveren 2005, §3.3 and §3.4): a pair that starts in it may not approach. If it does so at first, it stops
 * at once; if it leaves the zone, it stops when it comes back; if it does not get out, where it is farthest.
 */

import { EDGE, VERTEX } from './job.ts';
import { edgesRise, edgesStayAbove, linesMeet, measureEdges, sideOfCrossing, swing } from './rotate-edge.ts';
import { first, now, type Still, turn } from './rotate-state.ts';
import { measureVertex, planeMeets, sideOfPolygon, vertexRises, vertexStaysAbove } from './rotate-vertex.ts';

/** Far from anything. */
const OUTSIDE = 0;
/** In the zone from the start: must not approach. */
const ZONE = 1;
/** In the zone, but a neighbour is nearer and decides. */
const BESIDE = 2;
/** At the border of the zone, and not yet in it for sure: what slides along there is not stopped. */
const BORDER = 3;

const MOST_STEPS = 4000;

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
  let state = OUTSIDE;
  let level = turn.enter;
  /** In the zone: the greatest distance so far, and when. At the border: when it was reached. */
  let top = 0;
  let topAt = r;
  for (let step = 0; step < MOST_STEPS; step++) {
    if (isEdge) measureEdges(still, moving, r);
    else measureVertex(still, f, r);
    turn.steps++;
    const { gap, valid } = now;
    if (gap > turn.leave) {
      state = OUTSIDE;
      level = turn.enter;
      turn.side = 0;
    } else if (state === OUTSIDE && isNew && step === 0 && valid && gap <= turn.accept) {
      state = ZONE;
      top = gap;
      topAt = r;
      turn.side = isEdge ? sideOfCrossing() : sideOfPolygon(still, f);
      if (r === 0 && gap < turn.startGap) turn.startGap = gap;
    } else if (state === OUTSIDE && gap <= turn.border) {
      state = BORDER;
      topAt = r;
      level = turn.inside;
    }
    if (state === ZONE && valid) {
      if (gap > top) {
        top = gap;
        topAt = r;
      } else if (gap < top - 0.5 * turn.slack) {
        takeAt(isEdge, still, moving, f, moved, topAt);
        return;
      }
    } else if (state === BESIDE ? gap <= level + 0.25 * turn.slack : state === BORDER && gap <= turn.surely) {
      if (valid || (turn.second && goesThrough(isEdge, still, moving, f, r))) {
        takeAt(isEdge, still, moving, f, moved, state === BORDER ? topAt : r);
        return;
      }
      state = ZONE;
    }
    if (state === ZONE && !valid) {
      if (!turn.second) {
        turn.deferred = true;
        return;
      }
      state = BESIDE;
      turn.side = 0;
      level = lower(gap);
    }
    if (state === ZONE) level = top - turn.slack;
    if (state === BESIDE && level <= 4 * turn.tolerance) return;
    let next = isEdge ? edgesStayAbove(level) : vertexStaysAbove(level);
    if (state === ZONE && now.rate > -0.25 * turn.slack) {
      const out = 1.000001 * turn.leave;
      if (!isEdge) next = Math.min(next, vertexRises(out));
      else if (now.rate > 0.25 * turn.slack) next = edgesRise(still, moving, out, next);
    }
    if (!(next <= turn.best)) return;
    r = next > r ? next : r + 1e-15;
  }
  turn.exhausted++;
  takeAt(isEdge, still, moving, f, moved, state === ZONE || state === BORDER ? topAt : r);
}

/** Takes the pair as it is at the time r. */
function takeAt(isEdge: boolean, still: Still, moving: Still, f: number, moved: number, r: number): void {
  if (first.found ? !(r < turn.best) : !(r <= turn.best)) return;
  if (now.r !== r) {
    if (isEdge) measureEdges(still, moving, r);
    else measureVertex(still, f, r);
  }
  take(isEdge, still, moved, r);
}

/** The distance at which to look again at a pair that does not face each other now. */
function lower(gap: number): number {
  const least = turn.startGap - turn.slack;
  return gap > least + 0.5 * turn.slack ? Math.max(least, 0.75 * gap) : 0.75 * gap;
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
