/** The point nearest to the origin that is beyond all of a few planes. */
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';
import { vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';

/** The points v with n · v >= h, n a unit vector. */
export type PlaneList = { readonly n: ReadonlyVec3; readonly h: number }[];

/**
 * The unit vector to that point, and how far it is. Null when there is none but the origin. It is on one of the planes,
 * where two meet, or where three do: all are tried.
 *
 * @internal
 */
export function nearestDirection(planes: PlaneList): { v: Vec3; height: number } | null {
  let best: Vec3 | null = null;
  let least = Infinity;
  const look = (v: Vec3): void => {
    const lengthSq = v3.dot(v, v);
    if (!(lengthSq < least)) return;
    const slack = 1e-9 * Math.sqrt(lengthSq);
    if (!planes.every(({ n, h }) => v3.dot(n, v) >= h - slack)) return;
    best = v;
    least = lengthSq;
  };
  for (let i = 0; i < planes.length; i++) {
    const p = planes[i]!;
    look(v3.scale(p.n, p.h));
    for (let j = 0; j < i; j++) {
      const q = planes[j]!;
      const line = v3.cross(p.n, q.n);
      const steep = v3.dot(line, line);
      if (!(steep > 1e-12)) continue;
      // On both planes, and nowhere along their line.
      look(meetingPoint(p, q, { n: line, h: 0 }, steep));
      for (let k = 0; k < j; k++) {
        const r = planes[k]!;
        const volume = v3.dot(line, r.n);
        if (Math.abs(volume) > 1e-9) look(meetingPoint(p, q, r, volume));
      }
    }
  }
  if (!best || !(least > 0)) return null;
  const height = Math.sqrt(least);
  return { v: v3.scale(best, 1 / height), height };
}

type Plane = PlaneList[number];

/** RTCD §5.4.5: where three planes meet; `volume` is the triple product of their normals. */
function meetingPoint(p: Plane, q: Plane, r: Plane, volume: number): Vec3 {
  const a = v3.cross(q.n, r.n);
  const b = v3.cross(r.n, p.n);
  const c = v3.cross(p.n, q.n);
  return vec3(
    (p.h * a.x + q.h * b.x + r.h * c.x) / volume,
    (p.h * a.y + q.h * b.y + r.h * c.y) / volume,
    (p.h * a.z + q.h * b.z + r.h * c.z) / volume,
  );
}
