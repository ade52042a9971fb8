/** Segments between numbered points, joined to the longest chains there are. */

export interface Polyline {
  /** The points in order; the first one is not repeated at the end of a closed chain. */
  readonly points: number[];
  /** For each segment, from point to point, the number of one that was given. */
  readonly sources: number[];
  readonly closed: boolean;
}

/**
 * Chains of segments, given as the numbers of both ends, that share no segment. Segments given twice count once. A
 * chain ends where not exactly two segments meet; a segment from a point to itself is that point, and a chain by itself
 * unless others pass through it. In the order of the segments; O(n).
 */
export function joinSegments(segments: readonly number[], pointCount: number): Polyline[] {
  const { ends, sources } = distinct(segments, pointCount);
  const { start, around } = byPoint(ends, pointCount);
  const used = new Uint8Array(sources.length);
  const degree = (point: number): number => start[point + 1]! - start[point]!;
  const chains: Polyline[] = [];

  const follow = (first: number, from: number): void => {
    const points = [from];
    const line: number[] = [];
    let at = from;
    for (let segment = first; segment >= 0; ) {
      used[segment] = 1;
      line.push(sources[segment]!);
      at = ends[2 * segment]! + ends[2 * segment + 1]! - at;
      if (at === from) break;
      points.push(at);
      segment = degree(at) === 2 ? unusedAround(at) : -1;
    }
    chains.push({ points, sources: line, closed: at === from });
  };
  const unusedAround = (point: number): number => {
    for (let k = start[point]!; k < start[point + 1]!; k++) if (!used[around[k]!]) return around[k]!;
    return -1;
  };

  // Chains with ends, or through a knot; then what is left goes round.
  for (let s = 0; s < sources.length; s++)
    for (let k = 0; k < 2; k++) {
      const from = ends[2 * s + k]!;
      if (!used[s] && degree(from) !== 2) follow(s, from);
    }
  for (let s = 0; s < sources.length; s++) if (!used[s]) follow(s, ends[2 * s]!);
  const alone = new Uint8Array(pointCount);
  for (let i = 0; i < segments.length; i += 2) {
    const point = segments[i]!;
    if (segments[i + 1] !== point || degree(point) > 0 || alone[point]) continue;
    alone[point] = 1;
    chains.push({ points: [point], sources: [], closed: false });
  }
  return chains;
}

/** The segments with two ends, once each, and the number of the first given of each. */
function distinct(segments: readonly number[], pointCount: number): { ends: number[]; sources: number[] } {
  const known = new Set<number>();
  const ends: number[] = [];
  const sources: number[] = [];
  for (let i = 0; i < segments.length; i += 2) {
    const a = segments[i]!;
    const b = segments[i + 1]!;
    const key = Math.min(a, b) * pointCount + Math.max(a, b);
    if (a === b || known.has(key)) continue;
    known.add(key);
    ends.push(a, b);
    sources.push(i / 2);
  }
  return { ends, sources };
}

/** The segments at each point: around[start[p]] … around[start[p + 1] - 1]. */
function byPoint(ends: readonly number[], pointCount: number): { start: Uint32Array; around: Uint32Array } {
  const start = new Uint32Array(pointCount + 1);
  for (const p of ends) start[p + 1]!++;
  for (let p = 0; p < pointCount; p++) start[p + 1]! += start[p]!;
  const fill = start.slice();
  const around = new Uint32Array(ends.length);
  ends.forEach((p, k) => {
    around[fill[p]!++] = k >> 1;
  });
  return { start, around };
}
