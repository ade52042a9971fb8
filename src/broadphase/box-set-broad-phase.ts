/**
 * What broad phases have in common that find boxes by a box: the boxes under their numbers, pairs one by one, and rays piece by
 * piece. Each keeps an order of its own, and is told what has changed.
 */
import { ANY_FINITE, checkAabb, mustBeFunction } from '../math/check.ts';
import { EPS64 } from '../math/float.ts';
import { vec3 } from '../math/types.ts';
import { checkRayUpTo } from '../primitives/input.ts';
import type { ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';
import { giveList, takeList } from '../space/id-list.ts';
import { BoxSet } from './box-set.ts';
import type { BoxVisitor, BroadPhase, PairVisitor, RayVisitor } from './broad-phase.ts';
import type { PairList } from './pair-list.ts';

/** Boxes under numbers that the owner chose. */
export abstract class BoxSetBroadPhase implements BroadPhase {
  abstract readonly kind: string;
  protected readonly set: BoxSet;

  constructor(name: string) {
    this.set = new BoxSet(name);
  }

  /** The number of boxes. */
  get size(): number {
    return this.set.count;
  }

  /** Adds a box under a number that is not in use: a whole number, preferably small. */
  add(id: number, box: ReadonlyAabb): void {
    this.set.add(id, box);
    this.onAdd(id);
  }

  /** Gives box `id` new sides. */
  move(id: number, box: ReadonlyAabb): void {
    this.set.move(id, box);
    this.onMove(id);
  }

  /** `move` for many: `boxes` holds min x, y, z, max x, y, z of one after the other. */
  moveMany(ids: ArrayLike<number>, boxes: Float64Array): void {
    this.set.mustBeMoves(ids, boxes);
    this.set.writeMany(ids, boxes);
    this.onMoveMany(ids);
  }

  /** Takes a box out. Its number may be used again. */
  remove(id: number): void {
    this.set.remove(id);
    this.onRemove(id);
  }

  /** Removes all boxes. */
  clear(): void {
    this.set.clear();
    this.onClear();
  }

  /** The set has changed. */
  protected abstract onAdd(id: number): void;
  protected abstract onMove(id: number): void;
  protected abstract onRemove(id: number): void;
  protected abstract onClear(): void;

  protected onMoveMany(ids: ArrayLike<number>): void {
    for (let i = 0; i < ids.length; i++) this.onMove(ids[i]!);
  }

  /** Fills a list with every two boxes that share a point and returns how many pairs there are. */
  abstract collectPairs(out: PairList): number;
  /** Fills a list with the boxes that share a point with one (six numbers), and returns how many. */
  protected abstract gather(box: Float64Array, out: PairList): number;
  /** The length of the pieces that a ray is cut into. */
  protected abstract pieceLength(): number;

  /** Visits every two boxes that share a point, each pair once. The visitor may end it by returning false. */
  pairs(visit: PairVisitor): void {
    mustBeFunction('pairs', 'visit', visit);
    const { set } = this;
    const list = takeList();
    set.searches++;
    try {
      const count = this.collectPairs(list);
      const { ids } = list;
      for (let i = 0; i < count; i++) if (visit(ids[2 * i]!, ids[2 * i + 1]!) === false) return;
    } finally {
      set.searches--;
      giveList(list);
    }
  }

  /** Visits all boxes that share a point with this one. The visitor may end it by returning false. */
  searchBox(box: ReadonlyAabb, visit: BoxVisitor): void {
    checkAabb('searchBox', 'box', box, ANY_FINITE);
    mustBeFunction('searchBox', 'visit', visit);
    const { set } = this;
    const { x: ax, y: ay, z: az } = box.min;
    const { x: bx, y: by, z: bz } = box.max;
    searched[0] = ax;
    searched[1] = ay;
    searched[2] = az;
    searched[3] = bx;
    searched[4] = by;
    searched[5] = bz;
    const list = takeList();
    set.searches++;
    try {
      const found = this.gather(searched, list);
      const { ids } = list;
      for (let i = 0; i < found; i++) if (visit(ids[i]!) === false) return;
    } finally {
      set.searches--;
      giveList(list);
    }
  }

  /**
   * Visits the boxes that a ray enters at some t in [0, tMax], in the order of t, then of their numbers. A box is near the
   * point where the ray enters it, so it is found with the piece of the ray to which that time belongs, and visited then.
   */
  searchRay(ray: ReadonlyRay, tMax: number, visit: RayVisitor): void {
    checkRayUpTo('searchRay', ray, tMax);
    mustBeFunction('searchRay', 'visit', visit);
    const { origin: o, direction: d } = ray;
    const { set } = this;
    // Getters of the ray run here, and not while the scratch below is in use.
    const own = { origin: vec3(o.x, o.y, o.z), direction: vec3(d.x, d.y, d.z) };
    if (set.count === 0) return;
    set.bound();
    if (!clip(own, tMax, set)) return;
    const begin = range[0]!;
    const end = range[1]!;
    const list = takeList();
    set.searches++;
    try {
      this.searchPieces(own, tMax, begin, end, list, visit);
    } finally {
      set.searches--;
      giveList(list);
    }
  }

  private searchPieces(
    ray: ReadonlyRay,
    tMax: number,
    begin: number,
    end: number,
    list: PairList,
    visit: RayVisitor,
  ): void {
    const { set } = this;
    const { origin: o, direction: d } = ray;
    const length = Math.max(Math.abs(d.x), Math.abs(d.y), Math.abs(d.z)) * (end - begin);
    const wanted = Math.ceil(length / this.pieceLength());
    const count = wanted >= 1 ? Math.min(wanted, PIECES, 1 + (set.count >> 4)) : 1;
    let limit = tMax;
    let a = -1;
    for (let i = 1; i <= count; i++) {
      const last = i === count;
      const b = last ? Infinity : begin + (end - begin) * (i / count);
      const s = Math.max(a, begin);
      const t = last ? end : b;
      boundPiece(0, o.x, d.x, s, t);
      boundPiece(1, o.y, d.y, s, t);
      boundPiece(2, o.z, d.z, s, t);
      const found = this.gather(piece, list);
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
  }
}

/** A ray is cut into so many pieces at most. */
const PIECES = 64;
/** Points of the ray and times are known to this much of the coordinates and lengths that they were made from, or better. */
const ROUNDING = 256 * EPS64;

const searched = new Float64Array(6);
const piece = new Float64Array(6);
const range = new Float64Array(2);

/** Times at which a ray is near the box around all boxes: `range`. False if it never is. */
function clip({ origin: o, direction: d }: ReadonlyRay, tMax: number, { low, high }: BoxSet): boolean {
  const from = [o.x, o.y, o.z];
  const along = [d.x, d.y, d.z];
  let enter = 0;
  let exit = tMax;
  let isPoint = true;
  for (let k = 0; k < 3; k++) {
    const pad = ROUNDING * (Math.abs(from[k]!) + Math.abs(low[k]!) + Math.abs(high[k]!));
    const a = low[k]! - pad - from[k]!;
    const b = high[k]! + pad - from[k]!;
    if (along[k] === 0) {
      if (a > 0 || b < 0) return false;
      continue;
    }
    isPoint = false;
    const s = a / along[k]!;
    const t = b / along[k]!;
    enter = Math.max(enter, Math.min(s, t) * (1 - ROUNDING));
    exit = Math.min(exit, Math.max(s, t) * (1 + ROUNDING));
  }
  range[0] = enter;
  range[1] = isPoint ? 0 : exit;
  return enter <= exit;
}

/** Where the ray is from time s to t, on one axis, padded for rounding: part of `piece`. */
function boundPiece(k: number, o: number, d: number, s: number, t: number): void {
  const p = o + d * s;
  const q = o + d * t;
  const pad = ROUNDING * (Math.abs(o) + Math.abs(d) * t);
  const low = Math.min(p, q) - pad;
  const high = Math.max(p, q) + pad;
  // Infinities and NaN: it may be anywhere.
  piece[k] = low * 0 === 0 ? low : -Number.MAX_VALUE;
  piece[k + 3] = high * 0 === 0 ? high : Number.MAX_VALUE;
}
