/** Custom convex shapes, known by their support map. RTCD §9.5.4. */
import { CUSTOM } from '../convex/core.ts';
import { checkPoint, mustBeFunction, mustBeOptions, mustNotBeNegative, refuse } from '../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { SupportMap } from '../polytope/types.ts';
import { FAMILY } from '../trimesh/family-key.ts';
import { makeCore } from './cores.ts';
import { SUPPORT } from './one-body/hull.ts';
import type { CustomShape } from './shape.ts';

export interface ConvexOptions {
  /** A point well inside the set; near the middle of it, as far as a few dozen directions show. Default: found. */
  readonly center?: ReadonlyVec3;
  /** No point of the set is farther from the origin; found out from its box unless given. */
  readonly reach?: number;
  /** How much larger the shape is than the set, on all sides. Default: 0. */
  readonly rounding?: number;
}

/**
 * A convex shape of your own. `support` writes to `out` a point of the set that lies farthest along `direction`, which is
 * not zero and of any length, and returns it: a lens, say, or the sum of two other shapes, in a few lines. It is asked
 * some directions at once, and refused when the answers are not finite, depend on the length of the direction, or are
 * not farthest: no convex set gives such answers. Errors in directions that were not tried cannot be found here; an
 * answer that is not finite is refused by whatever query gets it. A support may ask other queries. One that
 * throws ends the query that asked it. O(1).
 */
export function convex(support: SupportMap, options: ConvexOptions = {}): CustomShape {
  mustBeFunction('convex', 'support', support);
  mustBeOptions('convex', 'options', options, 'center reach rounding');
  const { center, reach, rounding = 0 } = options;
  mustNotBeNegative('convex', 'options.rounding', rounding);
  if (center !== undefined) checkPoint('convex', 'options.center', center);
  if (reach !== undefined) mustNotBeNegative('convex', 'options.reach', reach);
  const { mean, extent } = probe(support, center, reach);
  const middle = center ?? mean;
  const custom = guarded(support, middle);
  const limit = reach ?? extent;
  const core = makeCore({ type: CUSTOM, data: [], radius: rounding, extent: limit, center: middle, custom });
  return { kind: 'convex', support: custom, rounding, image: null, core, faces: null, [FAMILY]: SUPPORT };
}

/** Directions along axes, edges and corners of a cube, and some odd ones in between. */
const DIRECTIONS: readonly ReadonlyVec3[] = (() => {
  const all: Vec3[] = [];
  for (let i = 0; i < 27; i++)
    if (i !== 13) all.push(vec3((i % 3) - 1, (Math.floor(i / 3) % 3) - 1, Math.floor(i / 9) - 1));
  for (let i = 0; i < 27; i++)
    if (i !== 13)
      all.push(
        vec3(
          ((i % 3) - 1) * 0.7 + 0.11,
          ((Math.floor(i / 3) % 3) - 1) * 0.4 - 0.07,
          (Math.floor(i / 9) - 1) * 0.9 + 0.05,
        ),
      );
  return all;
})();

/** What single precision, or a few steps of iteration, may cost a support map, relative to the size of the set. */
const TOLERANCE = 1e-6;

/** Asks along the directions; refuses what cannot be; finds a point inside and how far the set reaches. */
function probe(support: SupportMap, center: ReadonlyVec3 | undefined, reach: number | undefined) {
  const points = DIRECTIONS.map((direction) => asked(support, direction));
  const size = points.reduce((most, p) => Math.max(most, v3.distance(p, points[0]!)), 0);
  const slack = TOLERANCE * size + 1e-12 * v3.length(points[0]!);
  const mean = vec3();
  for (const p of points) v3.addScaled(mean, p, 1 / points.length, mean);
  DIRECTIONS.forEach((direction, i) => {
    const unit = v3.normalize(direction);
    const height = v3.dot(unit, points[i]!);
    const where = `along (${direction.x}, ${direction.y}, ${direction.z})`;
    for (const p of points)
      if (v3.dot(unit, p) > height + slack)
        refuse(
          'convex',
          'support',
          `must give the farthest point ${where}, but gives one at ${height} and elsewhere one at ${v3.dot(unit, p)}`,
        );
    for (const length of [1000, 0.001]) {
      const again = v3.dot(unit, asked(support, v3.scale(direction, length)));
      if (!(Math.abs(again - height) <= slack))
        refuse('convex', 'support', `must not depend on the length of the direction, but does ${where}`);
    }
    if (center && v3.dot(unit, center) > height + slack)
      refuse('convex', 'options.center', `must lie inside, but lies outside ${where}`);
  });
  const extent = (1 + TOLERANCE) * v3.length(boxCorner(points));
  const farthest = points.reduce((most, p) => Math.max(most, v3.length(p)), 0);
  if (reach !== undefined && farthest > reach + slack)
    refuse('convex', 'options.reach', `must not be less than ${farthest}, which the set reaches`);
  return { mean, extent };
}

/** How far the set goes from the origin along each axis: known from the directions along the axes. */
function boxCorner(points: readonly ReadonlyVec3[]): Vec3 {
  const corner = vec3();
  for (const p of points) v3.max(corner, v3.abs(p), corner);
  return corner;
}

function asked(support: SupportMap, direction: ReadonlyVec3): Vec3 {
  const out = vec3(Number.NaN, Number.NaN, Number.NaN);
  const answer = (support(v3.copy(direction), out) as Vec3 | undefined) ?? out;
  checkPoint('convex', 'support(direction)', answer);
  return v3.copy(answer);
}

const isFinitePoint = ({ x, y, z }: ReadonlyVec3): boolean => (x + y + z) * 0 === 0;

/**
 * The support map as the library calls it: with its own copy of the direction, which may be `out`; never with a direction
 * of zero; and never believing what is not finite.
 */
function guarded(support: SupportMap, center: ReadonlyVec3): SupportMap {
  const inside = v3.copy(center);
  const asked = vec3();
  const given = vec3();
  let busy = false;
  return (direction, out) => {
    const { x, y, z } = direction;
    if (x === 0 && y === 0 && z === 0) return v3.copy(inside, out);
    // Records that nobody else sees: the support may ask queries, even of this shape, that write over `out`.
    const nested = busy;
    const to = nested ? vec3() : given;
    busy = true;
    try {
      const answer = support(v3.set(x, y, z, nested ? vec3() : asked), to) ?? to;
      if (!isFinitePoint(answer))
        refuse('convex', 'support', `must give finite points, but does not along (${x}, ${y}, ${z})`);
      return v3.copy(answer, out);
    } finally {
      busy = nested;
    }
  };
}
