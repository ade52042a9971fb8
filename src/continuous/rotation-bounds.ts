/** The boxes of arcs. van Waveren 2005, §5: the box of a rotation is that of the arcs, not of their ends. */
import { arc, turn } from './rotate-state.ts';

/**
 * Writes the box of the arc in `arc` over the whole piece, with the zone about it, to `boxes`: low x, y, z, high x, y, z from
 * place `at` on. Arcs of points between others are between theirs, so the box of an edge is that of its ends.
 *
 * @internal
 */
export function boundArc(boxes: Float64Array, at: number): void {
  const { sine, versine } = turn;
  const margin = 1.125 * turn.leave;
  for (let i = 0; i < 3; i++) {
    const x = i === 0 ? arc.x : i === 1 ? arc.y : arc.z;
    const c = i === 0 ? arc.cx : i === 1 ? arc.cy : arc.cz;
    const p = i === 0 ? arc.px : i === 1 ? arc.py : arc.pz;
    const end = sine * c - versine * p;
    let low = Math.min(end, 0);
    let high = Math.max(end, 0);
    // Within half a turn the derivative changes its sign at most once: c at the start, c cos - p sin at the end.
    const slope = c - versine * c - sine * p;
    if (c >= 0 && slope <= 0) high = Math.max(high, Math.sqrt(c * c + p * p) - p);
    if (c <= 0 && slope >= 0) low = Math.min(low, -Math.sqrt(c * c + p * p) - p);
    boxes[at + i] = x + low - margin;
    boxes[at + 3 + i] = x + high + margin;
  }
}
