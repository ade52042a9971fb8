/** The point of a list that lies farthest along a direction. RTCD §9.5.4. */
import type { ReadonlyVec3 } from '../math/types.ts';

/**
 * Its number. `hint` is the number of one that may be far along, or -1. Four points at a time, with one branch for them:
 * hardly ever is one of them farther than the farthest so far.
 */
export function scanPoints(data: Float64Array, { x, y, z }: ReadonlyVec3, hint: number): number {
  const end = data.length | 0;
  let best = hint > 0 && 3 * hint < end ? 3 * hint : 0;
  let most = data[best]! * x + data[best + 1]! * y + data[best + 2]! * z;
  let at = 0;
  const last = end - 12;
  while (at <= last) {
    const a = data[at]! * x + data[at + 1]! * y + data[at + 2]! * z;
    const b = data[at + 3]! * x + data[at + 4]! * y + data[at + 5]! * z;
    const c = data[at + 6]! * x + data[at + 7]! * y + data[at + 8]! * z;
    const d = data[at + 9]! * x + data[at + 10]! * y + data[at + 11]! * z;
    at += 12;
    if (a > most || b > most || c > most || d > most) {
      if (a > most) {
        most = a;
        best = at - 12;
      }
      if (b > most) {
        most = b;
        best = at - 9;
      }
      if (c > most) {
        most = c;
        best = at - 6;
      }
      if (d > most) {
        most = d;
        best = at - 3;
      }
    }
  }
  for (; at < end; at += 3) {
    const along = data[at]! * x + data[at + 1]! * y + data[at + 2]! * z;
    if (along > most) {
      most = along;
      best = at;
    }
  }
  return (best / 3) | 0;
}
