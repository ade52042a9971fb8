/** The boxes on a ray, by boxes around pieces of the ray. */
import { EPS64 } from '../math/float.ts';
import type { ReadonlyRay } from '../primitives/types.ts';
import type { BoxSet, PairList } from './box-set.ts';
import type { RayVisitor } from './broad-phase.ts';
import { giveList, takeList } from './pair-list.ts';

/** What finds boxes by boxes. */
export interface Searchable {
  /** Lists the boxes that share a point with one (six numbers), and returns how many. @internal */
  gather(box: Float64Array, out: PairList): number;
  /** A length of which pieces are not too short and not too long. @internal */
  readonly step: number;
}

/** A ray is cut into so many pieces at most. */
const PIECES = 64;
/** Places on the ray and times are known to this much of the coordinates and ways that they were made from, or better. */
const ROUNDING = 256 * EPS64;

const piece = new Float64Array(6);
const range = new Float64Array(2);

/** Times at which a ray is near the box around all boxes: `range`. False if it never is. */
function clip({ origin: o, direction: d }: ReadonlyRay, tMax: number, { low, high }: BoxSet): boolean {
  const from = [o.x, o.y, o.z];
  const along = [d.x, d.y, d.z];
  let enter = 0;
  let exit = tMax;
  let still = true;
  for (let k = 0; k < 3; k++) {
    const pad = ROUNDING * (Math.abs(from[k]!) + Math.abs(low[k]!) + Math.abs(high[k]!));
    const a = low[k]! - pad - from[k]!;
    const b = high[k]! + pad - from[k]!;
    if (along[k] === 0) {
      if (a > 0 || b < 0) return false;
      continue;
    }
    still = false;
    const s = a / along[k]!;
    const t = b / along[k]!;
    enter = Math.max(enter, Math.min(s, t) * (1 - ROUNDING));
    exit = Math.min(exit, Math.max(s, t) * (1 + ROUNDING));
  }
  range[0] = enter;
  range[1] = still ? 0 : exit;
  return enter <= exit;
}

/**
 * Tells the boxes that a ray enters at some t in [0, tMax], in the order of t, then of their numbers. The box is near
 * the place where the ray enters it, so it is found with the piece of the ray to which that time belongs, and is told
 * with that piece only.
 *
 * @internal
 */
export function tellRay(
  target: Searchable,
  set: BoxSet,
  ray: ReadonlyRay,
  tMax: number,
  visit: RayVisitor,
): void {
  if (set.count === 0) return;
  set.bound();
  if (!clip(ray, tMax, set)) return;
  const begin = range[0]!;
  const end = range[1]!;
  const { origin: o, direction: d } = ray;
  const way = Math.max(Math.abs(d.x), Math.abs(d.y), Math.abs(d.z)) * (end - begin);
  const wanted = Math.ceil(way / target.step);
  const count = wanted >= 1 ? Math.min(wanted, PIECES, 1 + (set.count >> 4)) : 1;
  const list = takeList();
  try {
    let limit = tMax;
    let a = -1;
    for (let i = 1; i <= count; i++) {
      const last = i === count;
      const b = last ? Infinity : begin + (end - begin) * (i / count);
      const s = Math.max(a, begin);
      const t = last ? end : b;
      stretch(0, o.x, d.x, s, t);
      stretch(1, o.y, d.y, s, t);
      stretch(2, o.z, d.z, s, t);
      const found = target.gather(piece, list);
      const hits: { id: number; t: number }[] = [];
      for (let k = 0; k < found; k++) {
        const id = list.ids[k]!;
        const at = set.rayTime(ray, limit, id);
        if (at > a && at <= b) hits.push({ id, t: at });
      }
      hits.sort((p, q) => p.t - q.t || p.id - q.id);
      for (const hit of hits) {
        if (hit.t > limit) break;
        const next = visit(hit.id, hit.t);
        if (typeof next !== 'number') continue;
        if (!(next >= 0)) return;
        limit = Math.min(limit, next);
      }
      a = b;
      if (a > limit) return;
    }
  } finally {
    giveList(list);
  }
}

/** Where the ray is from time s to t, on one axis, with room for rounding. */
function stretch(k: number, o: number, d: number, s: number, t: number): void {
  const p = o + d * s;
  const q = o + d * t;
  const pad = ROUNDING * (Math.abs(o) + Math.abs(d) * t);
  const low = Math.min(p, q) - pad;
  const high = Math.max(p, q) + pad;
  // What cannot be told may be anywhere.
  piece[k] = low * 0 === 0 ? low : -Number.MAX_VALUE;
  piece[k + 3] = high * 0 === 0 ? high : Number.MAX_VALUE;
}
