/**
 * Meshes with cracks. A ray or a point has no width and finds them; a query with some width, more than half of the crack,
 * does not: a sphere on its way (`cast`, `sweepSphereMesh`), a capsule in place of a segment, a ball in place of a point.
 * RTCD §11.3.4.
 */
import { expect, test } from 'vitest';
import { check, factor, property } from '../../tests/kit/index.ts';
import * as q4 from '../math/quat.ts';
import { quat, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { collider } from '../shapes/collider.ts';
import { mesh } from '../shapes/mesh.ts';
import { capsule, sphere } from '../shapes/round-shapes.ts';
import { overlapCapsuleMesh, overlapSphereMesh } from '../trimesh/overlap.ts';
import { sweepSphereMesh } from '../trimesh/sweep.ts';
import { cast } from './cast.ts';
import { intersects } from './intersects.ts';
import { raycast } from './raycast.ts';

const SIZE = 6;
const GAP = 1e-3;

/** A floor of unit squares, two triangles each, all shrunk so that a gap is left between them. */
const positions: number[] = [];
for (let i = 0; i < SIZE; i++)
  for (let j = 0; j < SIZE; j++) {
    const [low, high] = [GAP / 2, 1 - GAP / 2];
    const add = (x: number, y: number) => positions.push(i + x, j + y, 0);
    add(low, low);
    add(high, low);
    add(high, high - Math.SQRT2 * GAP);
    add(low, low + Math.SQRT2 * GAP);
    add(high, high);
    add(low, high);
  }
const floor = mesh(positions);

let leaks = 0;
property(
  '[R11.3.4] rays leak through the gaps of a mesh, what is wider than half a gap never',
  1_500,
  (rng) => {
    // At a seam between squares, or along a diagonal, from all sides.
    const across = rng.int(1, SIZE - 1) + rng.range(-0.5, 0.5) * GAP;
    const along = rng.range(0.5, SIZE - 0.5);
    const seam = rng.pick([vec3(across, along), vec3(along, across), vec3(across, across)]);
    const origin = vec3(seam.x + rng.range(-0.2, 0.2), seam.y + rng.range(-0.2, 0.2), 1);
    const direction = v3.sub(seam, origin);
    const far = v3.scale(direction, 2);
    if (raycast({ origin, direction }, floor) === null) leaks++;
    // Seen at a slant, and where gaps cross, they are wider than straight from above.
    const radius = rng.range(1, 3) * GAP;
    const hit = cast(
      collider(sphere(radius), { position: origin, quaternion: quat() }),
      { translation: far },
      floor,
    );
    check(hit !== null, () => `a sphere goes through at ${seam.x}, ${seam.y}`);
    const swept = sweepSphereMesh({ center: origin, radius }, far, floor);
    check(swept !== null && Math.abs(swept.t - hit.t) < 1e-6, () => `${swept?.t}, not ${hit.t}`);
    const end = v3.add(origin, far);
    check(overlapCapsuleMesh({ a: origin, b: end, radius }, floor), 'a capsule does not touch');
    const middle = v3.addScaled(origin, far, 0.5);
    const { x, y, z } = v3.normalize(far);
    const quaternion = q4.normalize({ x: z, y: 0, z: -x, w: 1 + y }); // turns y to it
    const stick = collider(capsule(v3.length(far) / 2, radius), { position: middle, quaternion });
    check(intersects(stick, floor), 'a capsule does not intersect');
    check(overlapSphereMesh({ center: seam, radius }, floor), 'a ball in a gap does not touch');
  },
);
test('[R11.3.4] the rays did leak', () => expect(leaks).toBeGreaterThan(0.8 * 1500 * factor));

test('[R11.3.4] bridging needs r > gap / 2', () => {
  const at = vec3(2, 2.5, 1);
  const down = vec3(0, 0, -2);
  expect(raycast({ origin: at, direction: down }, floor)).toBeNull();
  for (const [share, bridges] of [
    [0.49, false],
    [0.51, true],
  ] as const) {
    const radius = share * GAP;
    const ball = collider(sphere(radius), { position: at, quaternion: quat() });
    expect(cast(ball, { translation: down }, floor) !== null).toBe(bridges);
    expect(sweepSphereMesh({ center: at, radius }, down, floor) !== null).toBe(bridges);
    expect(overlapCapsuleMesh({ a: at, b: v3.add(at, down), radius }, floor)).toBe(bridges);
    expect(overlapSphereMesh({ center: vec3(2, 2.5, 0), radius }, floor)).toBe(bridges);
  }
});
