import { check, property } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import {
  addPoint,
  clearHull,
  growHull,
  IncrementalHull,
  isInFront,
  isThere,
  startHull,
  takeNearestFace,
} from './incremental-hull.ts';

const NOTHING = { x: 0, y: 0, z: 0 };
const hull = new IncrementalHull();

/** Corner k of face f. */
const cornerOf = (f: number, k: number): Vec3 => {
  const at = hull.corners[f + k]!;
  return { x: hull.points[at]!, y: hull.points[at + 1]!, z: hull.points[at + 2]! };
};

property('the hull is closed and convex, and its faces are taken the nearest first', 3000, (rng) => {
  clearHull(hull);
  const count = rng.int(4, 60);
  const isLattice = rng.chance(0.3);
  for (let i = 0; i < count; i++) {
    const p = isLattice ? { x: rng.int(-1, 1), y: rng.int(-1, 1), z: rng.int(-1, 1) } : rng.direction();
    addPoint(hull, p, NOTHING, i, -i);
  }
  if (!startHull(hull, 0, 3, 6, 9)) return;
  for (let p = 12; p < 3 * count; p += 3)
    for (let f = 0; f < hull.faceEnd; f += 4)
      if (isThere(hull, f) && isInFront(hull, f, p)) {
        growHull(hull, f, p);
        break;
      }
  const faces: number[] = [];
  for (let f = 0; f < hull.faceEnd; f += 4) if (isThere(hull, f)) faces.push(f);
  check(faces.length >= 4, 'there are faces');
  for (const f of faces) {
    for (let p = 0; p < 3 * count; p += 3) check(!isInFront(hull, f, p), 'no point is in front');
    for (let k = 0; k < 3; k++) {
      const twin = hull.twins[f + k]!;
      check(isThere(hull, twin & -4) && hull.twins[twin] === f + k, 'the twin of a twin');
      const from = hull.corners[f + k];
      const to = hull.corners[f + ((k + 1) % 3)];
      const other = twin & -4;
      check(
        hull.corners[twin] === to && hull.corners[other + (((twin & 3) + 1) % 3)] === from,
        'the same edge',
      );
      // The plane goes through its corners.
      const { x, y, z } = cornerOf(f, k);
      const [nx, ny, nz, d] = hull.planes.subarray(f, f + 4) as unknown as [number, number, number, number];
      check(Math.abs(nx * x + ny * y + nz * z - d) < 1e-12, 'on its plane');
    }
  }
  const keys: number[] = [];
  for (let f = takeNearestFace(hull); f >= 0; f = takeNearestFace(hull)) {
    check(isThere(hull, f), 'is there');
    keys.push(hull.planes[f + 3]!);
  }
  check(keys.length === faces.length, 'each once');
  check(
    keys.every((key, i) => i === 0 || keys[i - 1]! <= key),
    'the nearest first',
  );
});
